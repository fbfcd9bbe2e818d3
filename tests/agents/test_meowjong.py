"""Decision rules of the papers' agent, with networks of fixed outputs."""

import numpy as np
import pytest

from janshi.agents import AgentError
from janshi.encoders import encoder
from janshi.papers.meowjong.agent import MeowjongAgent, leaves_last, scores_of, surest
from janshi.papers.meowjong.decisions import Decision
from janshi.riichi.actions import Action
from janshi.riichi.analysis.discards import discard_actions
from janshi.riichi.rules import TENHOU, TENHOU_SANMA, preset
from janshi.table import Table, Tables
from tests.rules.tables import make_table, offer


class Constant:
    """A network with constant outputs."""

    encoder = encoder("meowjong")

    def __init__(self, likes: int = 0, **yes: float) -> None:
        self.logits = np.full(38, -5.0, np.float32)
        self.logits[likes] = 5.0
        for name, value in yes.items():
            self.logits[33 + Decision[name.upper()]] = value

    def answers(self, packed, asked):
        assert packed.shape == (len(asked), 366)
        return np.tile(self.logits, (len(packed), 1))


def choice(table: Table, network: Constant) -> int:
    return int(MeowjongAgent(network, "test").act(table.decision())[0])


def test_the_most_certain_decision_wins_and_kita_comes_first_among_equals():
    logits = np.full((3, 38), -1.0, np.float32)
    logits[:, 33 + Decision.KITA], logits[:, 33 + Decision.RIICHI] = 1.0, (1.0, 2.0, 0.5)
    asked = np.ones((3, 5), np.bool_)
    asked[:, Decision.PON] = False
    assert surest(logits, asked).tolist() == [Decision.KITA, Decision.RIICHI, Decision.KITA]
    logits[:] = -1.0
    assert surest(logits, asked).tolist() == [0, 0, 0]


def test_a_win_is_always_taken():
    table = make_table(TENHOU_SANMA, ["123456p78s555z99s"], "9s")
    assert Action.TSUMO in table.legal
    assert choice(table, Constant(riichi=9, kita=9)) == Action.TSUMO
    assert preferences(table, Constant(likes=9))[0][Action.TSUMO] == 1


def test_kita_riichi_kan_and_pon_when_the_network_answers_yes():
    table = make_table(TENHOU_SANMA, ["4z1111p234567p99s"], "9s")
    assert choice(table, Constant(kita=2, kan=1)) == Action.KITA
    assert choice(table, Constant(kita=1, kan=2)) == Action.ANKAN + 9
    assert choice(table, Constant(likes=26)) == Action.TSUMOGIRI
    riichi = make_table(TENHOU_SANMA, ["123456p789s55z79p"], "1z")
    assert choice(riichi, Constant(riichi=1)) == Action.RIICHI
    pon = make_table(TENHOU_SANMA, ["", "55p19m123s789s11z7z"], "0p")
    offer(pon, 0, "0p")
    assert choice(pon, Constant(pon=1)) in (Action.PON, Action.PON + 1)
    assert choice(pon, Constant()) == Action.PASS


def test_of_several_kans_the_one_of_the_tile_just_drawn_is_made():
    table = make_table(TENHOU_SANMA, ["1111p222s345677z"], "2s")
    assert {Action.ANKAN + 9, Action.ANKAN + 19} <= set(table.legal)
    assert choice(table, Constant(kan=1)) == Action.ANKAN + 19


def test_impossible_first_choices_are_counted_and_replaced_by_the_next_best():
    table = make_table(TENHOU_SANMA, ["4z1111p234567p99s"], "9s")
    network = Constant(likes=0)
    network.logits[17] = 1.0  # 9p is not in the hand either
    network.logits[26] = 0.5
    player = MeowjongAgent(network, "test")
    assert player.act(table.decision())[0] == Action.TSUMOGIRI
    assert (player.discards, player.illegal) == (1, 1)


def test_the_plain_five_is_discarded_before_the_red_one():
    table = make_table(TENHOU_SANMA, ["05p119m12345s555z"[:17]], "7z")
    assert choice(table, Constant(likes=13)) == 13


@pytest.mark.parametrize(("hand", "aborts"), [("199m19p199s12355z", True), ("19m19p19s1235677z", False)])
def test_kyuushu_kyuuhai_is_aborted_with_fewer_than_eleven_kinds(hand, aborts):
    table = make_table(TENHOU_SANMA, [hand], "5p")
    assert Action.KYUUSHU_KYUUHAI in table.legal
    assert (choice(table, Constant(likes=13)) == Action.KYUUSHU_KYUUHAI) is aborts


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
    assert choice(table, Constant(likes=16)) != Action.TSUMO
    assert choice(last_hand((30_000, 31_000, 44_000)), Constant()) == Action.TSUMO, "it makes the winner second"
    early = last_hand((5_000, 50_000, 50_000))
    early.state.kyoku = 0
    assert choice(early, Constant()) == Action.TSUMO, "not the last hand"
    open_end = last_hand((5_000, 36_000, 36_000))
    assert choice(open_end, Constant()) == Action.TSUMO, "nobody has the target: another round follows"


def test_games_without_training_are_refused():
    player = MeowjongAgent(Constant(), "test", frozenset({3}))
    with pytest.raises(AgentError, match="'test' is for three players and does not play with four"):
        player.act(Tables(TENHOU, 2).decisions())


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


def preferences(table, network, temperature=1.0):
    player = MeowjongAgent(network, "test", temperature=temperature)
    batch = table.decision()
    return player.preferences(batch)[0], int(player.act(batch)[0])


def test_equal_preferences_keep_the_order_of_decisions():
    table = make_table(TENHOU_SANMA, ["123456p789s4z79p5z"], "5z")
    assert {Action.KITA, Action.RIICHI} <= set(table.legal)
    shares, action = preferences(table, Constant(kita=2, riichi=2))
    assert action == Action.KITA == shares.argmax()
    assert shares[Action.RIICHI] == pytest.approx(shares[Action.KITA])


def test_a_yes_of_one_half_is_a_no():
    pon = make_table(TENHOU_SANMA, ["", "55p19m123s789s11z7z"], "0p")
    offer(pon, 0, "0p")
    shares, action = preferences(pon, Constant(pon=0))
    assert action == Action.PASS == shares.argmax()


def test_two_options_have_the_ratio_of_the_networks_outputs():
    network = Constant(likes=14)
    network.logits[33 + Decision.RIICHI], network.logits[33 + Decision.KITA] = 1.0, -20.0
    network.logits[14], network.logits[17] = 3.0, 2.0
    table = make_table(TENHOU_SANMA, ["123456p789s55z79p"], "1z")
    shares, _ = preferences(table, network)
    assert shares[14] / shares[17] == pytest.approx(np.e), "6p and 9p: logits 3 and 2"
    assert shares[Action.RIICHI] / shares[14] == pytest.approx(np.e), "a yes of 1 and the best discard"


@pytest.mark.parametrize("temperature", [0.5, 2.0, 3.5])
def test_a_temperature_changes_probabilities_but_not_their_order(temperature):
    network = Constant(likes=16, riichi=0.4)
    network.logits[:34] = np.random.default_rng(3).normal(size=34)
    table = make_table(TENHOU_SANMA, ["123456p789s55z79p"], "1z")
    plain, action = preferences(table, network)
    divided, same_action = preferences(table, network, temperature)
    assert action == same_action
    assert (np.argsort(-plain, kind="stable") == np.argsort(-divided, kind="stable")).all()
    assert (divided.max() > plain.max()) == (temperature < 1)
