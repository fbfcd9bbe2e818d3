"""Hands and their decisions: what is decided when, where it is kept, and that observations fit."""

import dataclasses
import json

import numpy as np
import pyarrow.parquet as pq
import pytest
from typer.testing import CliRunner

from janshi.cli import app
from janshi.engine import actions
from janshi.learn.dataset import (
    HANDS_FILE,
    INDEX_FILE,
    DatasetError,
    encode,
    load_hands,
    mean_and_deviation,
    read_hands,
    sizes,
)
from janshi.observe import expand, observe
from janshi.observe.decisions import DECISIONS, DISCARD, KAN, KITA, PON, RIICHI
from janshi.observe.meowjong import symmetric
from janshi.rules import TENHOU, TENHOU_SANMA
from janshi.table import Tables, views_of
from tests.learn.made import Caller, make_games
from tests.rules.tables import make_table, offer


def test_every_discard_is_legal_and_in_the_hand(hands):
    found = encode(hands)
    which = found.labels[:, DISCARD] >= 0
    kinds = found.labels[which, DISCARD].astype(np.int64)
    assert which.sum() > 300
    assert (found.legal[which] >> kinds & 1).all()
    held = found.columns[which, 0] | found.columns[which, 1]
    assert (held >> kinds & 1).all()


def test_observations_are_those_of_the_views(hands):
    """Each hand is played again beside the encoder, one table, and looked at with the same eyes as a player."""
    found = encode(hands, np.arange(3))
    row = 0
    for hand in range(3):
        tables = Tables(hands.rules[0], 1)
        states = tables.states
        states["wall"][0] = hands.walls[hand]
        for place, name in enumerate(("kyoku", "honba", "deposits", "dealer")):
            states[name][0] = hands.starts[hand, place]
        states["seats"]["points"][0] = hands.starts[hand, 4:]
        states["walls_given"] = 1
        from janshi.engine.play import begin_hands
        from janshi.engine.tables import lookup

        begin_hands(states, lookup(), np.zeros(1, np.int64))
        for step, action in enumerate(hands.taken[hands.bounds[hand] : hands.bounds[hand + 1]]):
            if row < len(found) and tuple(found.places[row, :2]) == (hand, step):
                seat = states["actor"][:1]
                assert found.places[row, 2] == seat[0]
                assert (observe(views_of(states, np.zeros(1, np.int64), seat))[0] == found.columns[row]).all()
                row += 1
            tables.auto_reset = False
            tables.step(np.array([action], np.int16))
    assert row == len(found)


def test_threads_change_nothing(hands):
    one, three = encode(hands), encode(hands, threads=3)
    for name in ("columns", "labels", "legal", "places"):
        assert (getattr(one, name) == getattr(three, name)).all(), name


def labels_of(table, decisions: list[int]) -> list[list[int]]:
    """What one hand's decisions say, from a table made by hand before any of them."""
    from janshi.learn.dataset import HandSet

    rules = TENHOU_SANMA if table.rules.players == 3 else TENHOU
    state = table.state
    walls = np.zeros((1, 136), np.int8)
    walls[0] = state.wall
    starts = np.array([[0, 0, 0, 0, *[rules.start] * rules.players, *[0] * (4 - rules.players)]], np.int32)
    taken = np.array(decisions, np.uint8)
    bounds = np.array([0, len(taken)])
    zero = np.zeros(1, np.int32)
    first = zero.astype(np.int16)
    hands = HandSet((rules,), first, walls, starts, taken, bounds, zero, first, ("made",))
    return encode(hands).labels.tolist()


def test_kita_and_kan_that_were_possible_count_as_declined():
    deals = ["4z1111p234567p99s"]
    legal = make_table(TENHOU_SANMA, deals, "9s").legal
    assert actions.KITA in legal
    assert any(action >= actions.ANKAN for action in legal)
    (said,) = labels_of(make_table(TENHOU_SANMA, deals, "9s"), [actions.TSUMOGIRI])
    assert (said[KITA], said[KAN], said[DISCARD]) == (0, 0, 26)
    (said,) = labels_of(make_table(TENHOU_SANMA, deals, "9s"), [actions.KITA])
    assert (said[KITA], said[KAN], said[DISCARD]) == (1, 0, -1)


def test_riichi_is_one_decision_and_its_discard_another():
    table = make_table(TENHOU_SANMA, ["123456p789s55z79p"], "1z")
    assert actions.RIICHI in table.legal
    said = labels_of(table, [actions.RIICHI])
    assert (said[0][RIICHI], said[0][DISCARD]) == (1, -1)


def test_a_pon_taken_and_one_declined():
    deals = ["", "55z19m123456p789s"]
    for action, label in ((actions.PASS, 0), (actions.PON, 1)):
        said = labels_of(make_table(TENHOU_SANMA, deals, "5z"), [actions.TSUMOGIRI, action])
        assert said[1][PON] == label
        assert said[1][KAN] == -1


def test_nothing_counts_where_the_tile_was_won():
    """Seat 1 could pon the 5z that seat 2 wins with: what it wanted was not seen."""
    deals = ["", "55z19m123456p789s", "111222333p789s5z"]
    table = make_table(TENHOU_SANMA, deals, "5z")
    offer(table, 0, "5z")
    order = []
    while not table.hand_over:
        order.append((table.actor, actions.RON if actions.RON in table.legal else actions.PASS))
        table.act(order[-1][1])
    fresh = make_table(TENHOU_SANMA, deals, "5z")
    said = labels_of(fresh, [actions.TSUMOGIRI, *(action for _, action in order)])
    assert (1, actions.PASS) in order
    assert (2, actions.RON) in order
    assert len(said) == 1
    assert said[0][DISCARD] == 31


def test_no_discard_counts_after_riichi(hands):
    found = encode(hands)
    array = Tables(hands.rules[0], 1).states
    assert len(array) == 1
    own = found.labels[:, RIICHI] == 1
    assert own.any()
    for row in np.flatnonzero(own)[:5]:
        hand, step, seat, _ = found.places[row].tolist()
        later = (found.places[:, 0] == hand) & (found.places[:, 1] > step) & (found.places[:, 2] == seat)
        assert (found.labels[later, DISCARD] >= 0).sum() <= 1, "the declaring one, where there was a choice"


def test_no_game_is_on_both_sides(hands):
    training, held = hands.split(0.25, seed=0)
    assert len(training) + len(held) == len(hands)
    assert not set(training.games.tolist()) & set(held.games.tolist())


def test_stored_and_read_again(hands, tmp_path):
    hands.save(tmp_path)
    again = read_hands([tmp_path], 3)
    for name in ("rule", "walls", "starts", "taken", "bounds", "games", "numbers"):
        assert (getattr(hands, name) == getattr(again, name)).all(), name
    assert again.rules == hands.rules
    assert again.names == hands.names
    assert not any(name.startswith("/") for name in again.names), "a store tells nothing of the machine"
    index = pq.read_table(tmp_path / INDEX_FILE).to_pydict()
    found = encode(hands)
    assert len(index["kind"]) == (found.labels >= 0).sum()
    counted = {name: index["kind"].count(name) for name in DECISIONS}
    assert counted == {name: one.examples for name, one in sizes(hands).items()}
    with pytest.raises(DatasetError, match="not 4"):
        read_hands([tmp_path], 4)
    (tmp_path / HANDS_FILE).write_bytes(b"PAR1 and nothing else")
    with pytest.raises(DatasetError, match="no hands that can be read"):
        load_hands(tmp_path)


def test_four_players_have_the_same_decisions(tmp_path):
    four = read_hands([make_games(tmp_path, "tenhou-east", 2)], 4)
    counts = sizes(four)
    assert counts["discard"].examples > 200
    assert counts["kita"].examples == 0
    assert counts["pon"].examples > 0
    with pytest.raises(DatasetError, match="no hand of 3 players"):
        read_hands([tmp_path], 3)


def test_every_hand_is_played_by_the_rules_of_its_game(tmp_path):
    """Games without open tanyao before games with it, in which hands are won by nothing else."""
    closed = read_hands([make_games(tmp_path / "closed", "tenhou-east-nored-noopen", 1, Caller())], 4)
    opened = read_hands([make_games(tmp_path / "open", "tenhou-east", 2, Caller())], 4)
    with pytest.raises(DatasetError, match="cannot be played by its rules: tenhou-east-nored-noopen"):
        encode(dataclasses.replace(opened, rules=closed.rules))
    both = read_hands([tmp_path / "closed", tmp_path / "open"], 4)
    both.save(tmp_path / "store")
    for some in (both, read_hands([tmp_path / "store"], 4)):
        assert [one.name for one in some.rules] == ["tenhou-east-nored-noopen", "tenhou-east"]
        found, apart = encode(some), [encode(closed), encode(opened)]
        for name in ("columns", "labels", "legal"):
            assert (getattr(found, name) == np.concatenate([getattr(one, name) for one in apart])).all(), name
    order = np.arange(len(both))[::-1]
    assert len(encode(both.part(order))) == len(encode(both))


def test_the_deviation_is_that_of_ones_and_zeros(hands):
    scale = mean_and_deviation(hands)
    found = encode(hands)
    for place, name in enumerate(DECISIONS):
        dense = expand(found.columns[found.labels[:, place] >= 0])
        assert scale[name][0] == pytest.approx(dense.mean(dtype=np.float64), rel=1e-12)
        assert scale[name][1] == pytest.approx(dense.std(dtype=np.float64), rel=1e-9)


def test_suits_and_terminals_change_places(hands):
    found = encode(hands, np.arange(2))
    dense = expand(found.columns)
    for turn in range(4):
        order = np.arange(34)
        if turn & 1:
            order[9:18], order[18:27] = np.arange(18, 27), np.arange(9, 18)
        if turn & 2:
            order[0], order[8] = 8, 0
        turned = symmetric(found.columns, np.full(len(found), turn, np.uint8))
        assert (expand(turned) == dense[:, :, order]).all()


def test_the_command(folder, tmp_path):
    result = CliRunner().invoke(app, ["dataset", str(folder), "--out", str(tmp_path), "--test", str(folder), "--json"])
    assert result.exit_code == 0, result.output
    said = json.loads(result.stdout[result.stdout.index("{") :])
    parts = [said["sizes"][name]["discard"]["examples"] for name in ("training", "development", "test")]
    assert parts[0] + parts[1] == parts[2]
    assert (tmp_path / HANDS_FILE).stat().st_size + (tmp_path / INDEX_FILE).stat().st_size == said["bytes"]
    missing = CliRunner().invoke(app, ["dataset", str(tmp_path / "no"), "--out", str(tmp_path)])
    assert missing.exit_code == 2
    assert "no hand of 3 players" in missing.stderr


