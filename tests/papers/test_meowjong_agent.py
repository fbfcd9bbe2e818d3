"""Decision rules of the papers' agent, with networks of fixed outputs."""

import numpy as np

from janshi.papers.meowjong.agent import MeowjongAgent, leaves_last, scores_of, surest
from janshi.papers.meowjong.decisions import DecisionKind
from janshi.riichi.actions import Action
from janshi.riichi.analysis.discards import discard_actions
from janshi.riichi.rules import TENHOU_SANMA, preset
from janshi.table import Table, Tables
from tests.papers.test_players import Fixed
from tests.rules.tables import make_table


def test_the_most_certain_decision_wins_and_kita_comes_first_among_equals():
    logits = np.full((3, 38), -1.0, np.float32)
    logits[:, 33 + DecisionKind.KITA], logits[:, 33 + DecisionKind.RIICHI] = 1.0, (1.0, 2.0, 0.5)
    asked = np.ones((3, 5), np.bool_)
    asked[:, DecisionKind.PON] = False
    assert surest(logits, asked).tolist() == [DecisionKind.KITA, DecisionKind.RIICHI, DecisionKind.KITA]
    logits[:] = -1.0
    assert surest(logits, asked).tolist() == [0, 0, 0]


def choice(table: Table, networks: Fixed) -> int:
    return int(MeowjongAgent(networks, "test").act(table.decision())[0])


def last_hand(points: tuple[int, int, int]) -> Table:
    """Return South 3 of an East–South game; seat 0, not the dealer, can win about 1,000 points by self-draw."""
    table = make_table(preset("tenhou-sanma"), ["123406p789s55z79p"[:17]], "8p")
    table.state.kyoku, table.state.dealer = 6, 2
    for seat, value in enumerate(points):
        table.state.seats[seat].points = value
    return table


def test_a_win_that_leaves_its_player_last_is_passed_in_the_last_hand():
    table = last_hand((5_000, 50_000, 50_000))
    assert Action.TSUMO in table.legal
    assert leaves_last(np.asarray(table.view(0)), True)
    assert choice(table, Fixed("8p")) != Action.TSUMO
    assert choice(last_hand((30_000, 31_000, 44_000)), Fixed()) == Action.TSUMO, "it makes the winner second"
    early = last_hand((5_000, 50_000, 50_000))
    early.state.kyoku = 0
    assert choice(early, Fixed()) == Action.TSUMO, "not the last hand"
    open_end = last_hand((5_000, 36_000, 36_000))
    assert choice(open_end, Fixed()) == Action.TSUMO, "nobody has the target: another round follows"


def test_the_highest_score_is_chosen_and_impossible_actions_have_none():
    tables = Tables(TENHOU_SANMA, 100, 2)
    rng = np.random.default_rng(4)
    for _ in range(30):
        batch = tables.decisions()
        # Decisions without a network are excluded.
        legal = batch.legal.copy()
        legal[:, [Action.TSUMO, Action.RON, Action.KYUUSHU_KYUUHAI]] = False
        logits = rng.normal(size=(100, 38)).astype(np.float32)
        scores = scores_of(np.asarray(batch.views), legal, logits)
        assert (scores[~legal] == -np.inf).all()
        kinds = discard_actions(np.asarray(batch.views), legal) >= 0
        discards = np.flatnonzero(kinds.any(axis=1))
        best = np.where(kinds, logits[:, :34], -np.inf)[discards].max(axis=1)
        assert np.allclose((scores[discards][:, :38].max(axis=1)), 0)
        assert np.isfinite(best).all()
        tables.step(np.where(legal.any(axis=1), scores.argmax(axis=1), batch.legal.argmax(axis=1)))
