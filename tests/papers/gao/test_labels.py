"""Situations and their labels."""


import numpy as np
import pytest

pytest.importorskip("torch")

from janshi.encoders import encoder
from janshi.papers.gao.labels import Selection, followed, labels, one_a_hand, situations, sizes
from janshi.papers.gao.networks import GaoConfig, GaoSequenceConfig, valid_steps
from janshi.papers.gao.tasks import NONE, GaoSequenceTask, GaoTask
from janshi.riichi.actions import Action
from janshi.riichi.dataset import decisions, read_hands
from janshi.riichi.dataset.answers import discard_masks
from janshi.riichi.rules import TENHOU
from janshi.riichi.state import Phase
from tests.learn.made import Caller, hands_of, make_games
from tests.rules.tables import make_table

EVERYBODY = Selection(follow_one=False, most_lost=None)


def said(table, actions: list[int], decision: str) -> list[int]:
    return labels(decisions(hands_of(table, actions)), decision).tolist()


@pytest.fixture(scope="module")
def hands(tmp_path_factory):
    folder = tmp_path_factory.mktemp("games")
    made = [make_games(folder / "a", "tenhou-east", 2), make_games(folder / "b", "tenhou-east", 2, Caller())]
    return read_hands(made, 4)


@pytest.fixture(scope="module")
def batch(hands):
    return decisions(hands)


# ---------------------------------------------------------------------------------------------------------
# Labels by hand


def test_a_discard_is_its_kind_and_a_red_five_a_five():
    deals = ["19m19p19s123450p1z"]
    assert said(make_table(TENHOU, deals, "6z"), [Action.TSUMOGIRI], "discard") == [32]
    assert said(make_table(TENHOU, deals, "6z"), [35], "discard") == [13]
    assert said(make_table(TENHOU, deals, "6z"), [35], "pon") == [-1]


def test_pon_taken_declined_and_a_kan_instead():
    deals = ["", "555z19m12345p789s"]
    for action, label in ((Action.PASS, 0), (Action.PON, 1), (Action.DAIMINKAN, 0)):
        assert said(make_table(TENHOU, deals, "5z"), [Action.TSUMOGIRI, action], "pon")[1] == label
    assert said(make_table(TENHOU, deals, "5z"), [Action.TSUMOGIRI, Action.PON], "chii") == [-1, -1]


def test_chii_by_the_position_of_the_called_tile():
    deals = ["", "2346m19p19s12345z"]
    for place, action in enumerate((Action.PASS, Action.CHII, Action.CHII + 1, Action.CHII + 2)):
        tile, want = "5m", place
        if action == Action.CHII:
            continue  # 5-6-7 needs a 7
        assert said(make_table(TENHOU, deals, tile), [Action.TSUMOGIRI, action], "chii")[1] == want
    low = ["", "23m19p19s1234567z"]
    assert said(make_table(TENHOU, low, "1m"), [Action.TSUMOGIRI, Action.CHII], "chii")[1] == 1


def test_a_chii_with_the_red_five_is_the_same_kind():
    deals = ["", "40m19p19s1234567z"]
    table = make_table(TENHOU, deals, "6m")
    assert said(table, [Action.TSUMOGIRI, Action.CHII_RED + 2], "chii")[1] == 3


def test_riichi_and_not():
    deals = ["234m567p345s11z79s"]
    assert said(make_table(TENHOU, deals, "5z"), [Action.RIICHI], "riichi")[0] == 1
    assert said(make_table(TENHOU, deals, "5z"), [Action.TSUMOGIRI], "riichi")[0] == 0
    assert said(make_table(TENHOU, deals, "5z"), [Action.RIICHI], "discard")[0] == -1


def test_winners_make_no_decision():
    deals = ["234m567p345s11z79s"]
    assert said(make_table(TENHOU, deals, "8s"), [Action.TSUMO], "riichi") == [-1]
    assert said(make_table(TENHOU, deals, "8s"), [Action.TSUMO], "discard") == [-1]


# ---------------------------------------------------------------------------------------------------------
# Followed players


def test_one_player_a_hand_who_did_not_lose_more(hands, batch):
    rows = np.flatnonzero(followed(batch, Selection()))
    pairs = {(hand, seat) for hand, seat in zip(batch.hand[rows].tolist(), batch.seat[rows].tolist(), strict=True)}
    assert len(pairs) == len({hand for hand, _ in pairs})
    assert (batch.change[rows] >= -1500).all()
    lost = {hand for hand in range(len(hands)) if (batch.change[batch.hand == hand] < -1500).all()}
    assert {hand for hand, _ in pairs} == set(range(len(hands))) - lost
    assert (batch.change < -1500).any(), "there are hands that somebody lost more in"
    for hand, seat in pairs:
        chosen = rows[batch.hand[rows] == hand]
        assert len(chosen) == ((batch.hand == hand) & (batch.seat == seat)).sum(), "all of his decisions"


def test_the_options_select_players(batch):
    assert followed(batch, EVERYBODY).all()
    only = followed(batch, Selection(follow_one=False))
    assert (only == (batch.change >= -1500)).all()
    assert (followed(batch, Selection(follow_one=False, most_lost=0)) == (batch.change >= 0)).all()
    seats = [batch.seat[followed(batch, Selection(seed=seed))] for seed in range(2)]
    assert len(seats[0]) != len(seats[1]) or (seats[0] != seats[1]).any()
    everybody, _ = situations(batch, "discard", EVERYBODY)
    assert not batch.riichi[everybody].any()


def test_the_followed_player_does_not_depend_on_the_order_of_hands(hands, batch):
    order = np.random.default_rng(1).permutation(len(hands))
    other = decisions(hands, order)
    rows = followed(batch, Selection())
    seat_of = {hand: int(seat) for hand, seat in zip(batch.hand[rows], batch.seat[rows], strict=True)}
    rows = np.flatnonzero(followed(other, Selection()))
    for hand, seat in zip(other.hand[rows].tolist(), other.seat[rows].tolist(), strict=True):
        assert seat_of[int(order[hand])] == seat


def test_seats_are_followed_equally_often(hands, batch):
    """Over many seeds each seat is chosen about equally often, in hands with decisions of all four."""
    seats = np.zeros((len(hands), 4), np.bool_)
    seats[batch.hand, batch.seat] = True
    # The same wall is played in every rotation of the seats: of equal hands one counts.
    full = np.zeros(len(hands), np.bool_)
    full[np.unique(hands.walls, axis=0, return_index=True)[1]] = True
    full &= seats.all(axis=1)
    counts = np.zeros(4)
    for seed in range(240):
        rows = np.flatnonzero(followed(batch, Selection(most_lost=None, seed=seed)) & full[batch.hand])
        _, first = np.unique(batch.hand[rows], return_index=True)
        counts += np.bincount(batch.seat[rows[first]], minlength=4)
    assert counts.sum() == 240 * full.sum() > 2000
    share = counts / counts.sum()
    assert (abs(share - 0.25) < 4 * np.sqrt(0.25 * 0.75 / counts.sum())).all()


def test_one_situation_a_hand(batch):
    rows, _ = situations(batch, "discard", EVERYBODY)
    alone = one_a_hand(batch, rows, seed=1)
    assert set(alone.tolist()) <= set(rows.tolist())
    assert sorted(batch.hand[alone].tolist()) == sorted(set(batch.hand[rows].tolist()))
    assert (np.diff(alone) > 0).all()
    assert one_a_hand(batch, rows, seed=2).tolist() != alone.tolist()
    assert len(one_a_hand(batch, rows[:0], seed=1)) == 0


def test_the_choice_of_one_situation_a_hand_is_deterministic(batch):
    every, _ = situations(batch, "discard", Selection(seed=3))
    once, label = situations(batch, "discard", Selection(seed=3, once=True))
    assert once.tolist() == one_a_hand(batch, every, 3).tolist()
    assert len(once) == len(label) == len(np.unique(batch.hand[every]))


def test_sizes_are_counted(hands, batch):
    counted = sizes(hands, EVERYBODY)
    assert counted["discard"]["situations"] == sum(counted["discard"]["labels"]) > 500
    assert counted["chii"]["labels"][0] == int((labels(batch, "chii") == 0).sum())
    assert all(counted["chii"]["labels"])
    assert counted["riichi"]["situations"] >= counted["riichi"]["hands"] > 0


# ---------------------------------------------------------------------------------------------------------
# Inputs of networks


def test_examples_of_one_decision(hands):
    task = GaoTask(GaoConfig("pon", filters=2), Selection())
    shown = decisions(hands, encoder=encoder("gao-86"))
    examples = task.examples(shown)
    rows, label = situations(shown, "pon", Selection())
    assert (examples.packed == shown.packed[rows]).all()
    assert examples.targets["label"].tolist() == label.tolist()
    assert examples.targets["alone"].sum() == len(set(shown.hand[rows].tolist()))


def test_every_label_may_be_discarded(hands):
    shown = decisions(hands, encoder=encoder("gao-56"))
    examples = GaoTask(GaoConfig(encoder="gao-56", filters=2), EVERYBODY).examples(shown)
    assert (examples.targets["legal"] >> examples.targets["label"] & 1).all()
    rows, _ = situations(shown, "discard", EVERYBODY)
    mask = shown.part(rows).legal_mask()
    asked = shown.part(rows)
    kinds = discard_masks(asked.legal, asked.drawn)
    for kind in range(27, 34):
        drawn = mask[:, Action.TSUMOGIRI] & (shown.drawn[rows] == kind)
        assert ((kinds >> kind & 1 > 0) == (mask[:, kind] | drawn)).all()


@pytest.mark.parametrize("padding", [True, False])
def test_sequences_hold_every_discard_at_its_step(hands, padding):
    import torch

    shown = decisions(hands, encoder=encoder("gao-sequence"))
    task = GaoSequenceTask(GaoSequenceConfig(filters=2, units=2, padding=padding), EVERYBODY)
    examples = task.examples(shown)
    rows, label = situations(shown, "discard", EVERYBODY)
    there, labelled = examples.targets["there"], examples.targets["label"]
    assert (there & (labelled != NONE)).sum() == len(rows)
    assert (labelled[~there] == (0 if padding else NONE)).all()
    inputs = torch.from_numpy(encoder("gao-sequence").inputs(examples.packed)).float()
    assert (valid_steps(inputs).numpy() == there).all()
    found = sorted(labelled[there & (labelled != NONE)].tolist())
    assert found == sorted(label.tolist())
    assert (examples.targets["alone"] & there).sum() == len(set(shown.hand[rows].tolist()))
    # The step of a label is the one with the situation of the discard as its present.
    steps = examples.packed.reshape(len(examples), 22, 64)
    seen = {}
    for row, what in zip(rows.tolist(), label.tolist(), strict=True):
        present = shown.packed[row].reshape(22, 64)
        seen[present[int((present[:, 0] != 0).sum()) - 1].tobytes()] = what
    assert all(
        seen[steps[number, step].tobytes()] == labelled[number, step]
        for number, step in zip(*np.nonzero(there & (labelled != NONE)), strict=True)
    )


def test_only_discards_of_turns_calls_and_riichi_count(batch):
    rows, _ = situations(batch, "discard", EVERYBODY)
    assert not (batch.phase[rows] == Phase.CLAIM).any()
    rows, _ = situations(batch, "chii", EVERYBODY)
    assert (batch.phase[rows] == Phase.CLAIM).all()
