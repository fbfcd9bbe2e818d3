"""Hands and their decisions: labels, storage, observations."""

import dataclasses
import json
from pathlib import Path

import numpy as np
import pyarrow.parquet as pq
import pytest

from janshi.agents import RandomAgent
from janshi.arena import play_match
from janshi.compiling import batched
from janshi.encoders import encoder
from janshi.encoders.base import EncoderError
from janshi.papers.meowjong.decisions import DECISIONS, DecisionKind
from janshi.papers.meowjong.labels import labelled, labels, mean_and_deviation, sizes
from janshi.records.convert import GameWriter
from janshi.records.formats import Damaged
from janshi.records.sources import read_games, read_source, sources
from janshi.riichi.actions import ACTIONS, Action
from janshi.riichi.agents import EfficientAgent
from janshi.riichi.dataset import (
    HANDS_FILE,
    INDEX_FILE,
    DatasetError,
    HandSet,
    decisions,
    legal_mask,
    load_hands,
    read_hands,
)
from janshi.riichi.dataset.augmentation import turned_actions, turned_legal
from janshi.riichi.dataset.hands import FORMAT
from janshi.riichi.encoders.symmetry import turned
from janshi.riichi.hands.yaku import YAKUMAN
from janshi.riichi.play.steps import begin_hand
from janshi.riichi.rules import TENHOU, TENHOU_SANMA, preset
from janshi.riichi.rules.yaku import DORA, RED_FIVES, URA_DORA, YakuId
from janshi.riichi.state import Phase
from janshi.sample import SAMPLE
from janshi.table import Tables
from tests.commands import janshi, report_of
from tests.learn.encoders import EVENTS
from tests.learn.made import Caller, hands_of, make_games
from tests.rules.tables import make_table, offer

MEOWJONG = encoder("meowjong")


def test_every_decision_of_the_table_is_there(hands):
    batch = decisions(hands)
    assert len(batch) == len(hands.taken)
    assert (batch.action == hands.taken).all()
    assert (np.bincount(batch.hand, minlength=len(hands)) == np.diff(hands.bounds)).all()
    mask = batch.legal_mask()
    assert mask.shape == (len(batch), ACTIONS)
    assert mask[np.arange(len(batch)), batch.action].all()
    assert (mask.sum(axis=1) >= 2).all()
    assert np.isin([Action.RON, Action.TSUMO, Action.KITA, Action.PASS], batch.action).all()
    claims = batch.phase == Phase.CLAIM
    assert (batch.tile[claims] >= 0).all()
    assert (batch.tile[~claims] == -1).all()
    assert (batch.drawn[claims] == -1).all()
    assert batch.packed is None
    won = np.flatnonzero(np.isin(batch.action, (Action.RON, Action.TSUMO)))
    assert batch.won[won].all()
    first = np.concatenate([[True], np.diff(batch.hand) > 0])
    for hand in batch.hand[first].tolist():
        if hand + 1 < len(hands) and hands.games[hand + 1] == hands.games[hand]:
            rows = np.flatnonzero(batch.hand == hand)
            after = hands.starts[hand + 1, 4:] - hands.starts[hand, 4:]
            assert (batch.change[rows] == after[batch.seat[rows]]).all()


def test_every_discard_is_legal_and_in_the_hand(hands):
    part = labelled(decisions(hands, encoder=MEOWJONG))
    which = part.labels[:, DecisionKind.DISCARD] >= 0
    kinds = part.labels[which, DecisionKind.DISCARD].astype(np.int64)
    assert which.sum() > 300
    assert (part.legal[which] >> kinds & 1).all()
    held = part.packed[which, 0] | part.packed[which, 1]
    assert (held >> kinds & 1).all()


@pytest.mark.parametrize("shown", [MEOWJONG, encoder("janshi"), EVENTS], ids=lambda e: e.name)
def test_observations_are_those_of_the_views(hands, shown):
    """Each hand is replayed at one table in parallel to the dataset, and encoded as for a player."""
    batch = decisions(hands, np.arange(3), encoder=shown)
    for hand in range(3):
        rules = dataclasses.replace(hands.rules[0], start=25000)
        tables = Tables(rules, 1, auto_reset=False)
        states = tables.states
        for column, name in enumerate(("kyoku", "honba", "deposits", "dealer")):
            states[name][0] = hands.starts[hand, column]
        states["seats"]["points"][0] = hands.starts[hand, 4:]
        states["wall"][0] = hands.walls[hand]
        states["walls_given"] = 1

        batched(begin_hand)(states)
        for row in np.flatnonzero(batch.hand == hand).tolist():
            asked = tables.decisions()
            assert batch.seat[row] == asked.seats[0]
            assert (batch.legal_mask()[row] == asked.legal[0]).all()
            assert (shown.encode(asked)[0] == batch.packed[row]).all()
            tables.step(batch.action[row : row + 1])


def yaku_as_recorded(paths):
    """Compare seats' scores with the outcomes in their records; return the occurring numbers."""
    hands = read_hands(paths, 4)
    batch = decisions(hands)
    games = [game for source in sources(paths) for game in read_source(source)]
    games = [game for game in games if not isinstance(game, Damaged) and game.players == 4]
    met = set()
    for number in range(len(hands)):
        rows = np.flatnonzero(batch.hand == number)
        outcome = games[hands.games[number]].hands[hands.numbers[number]].outcome
        wins = {win.who: win for win in outcome} if isinstance(outcome, list) else {}
        for seat in range(4):
            (scored,) = set(batch.yaku[rows[batch.seat[rows] == seat]].tolist()) or {0}
            numbers = {yaku for yaku in range(64) if scored >> yaku & 1}
            win = wins.get(seat)
            expected = {*win.yakuman, *(yaku for yaku, han in win.yaku if han)} if win else set()
            assert numbers == expected, (hands.names[hands.games[number]], number, seat)
            met |= numbers
    return met


def test_winners_score_what_their_records_say(tmp_path):
    """Includes dora, ura-dora and red fives; the other seats score nothing."""
    met = yaku_as_recorded([make_games(tmp_path / "riichi", "tenhou", 2)])
    met |= yaku_as_recorded([make_games(tmp_path / "called", "tenhou", 2, Caller())])
    assert {YakuId.RIICHI, YakuId.TANYAO, DORA, URA_DORA, RED_FIVES} <= met


def test_people_score_what_their_records_say(records):
    met = yaku_as_recorded([records / "four-rare.zip"])
    assert met & set(YAKUMAN)
    assert len(met) > 30


@pytest.mark.parametrize("shown", [MEOWJONG, EVENTS], ids=["views", "events"])
@pytest.mark.parametrize("threads", [1, 3])
def test_lazy_observations_equal_immediate_ones(hands, shown, threads):
    which = np.random.default_rng(1).permutation(len(hands))
    now = decisions(hands, which, encoder=shown)
    lazy = decisions(hands, which, encoder=shown, threads=threads, lazy=True)
    rows = np.random.default_rng(2).permutation(len(now))[: len(now) // 3]
    rows = np.concatenate([rows, rows[:5]])
    assert (lazy.part(rows).packed == now.packed[rows]).all()
    assert (lazy.part(rows).part(np.arange(7)).packed == now.packed[rows[:7]]).all()
    assert len(lazy.part(rows[:0]).packed) == 0
    assert (lazy.packed == now.packed).all()


def test_parts_of_lazy_decisions_are_encoded_on_request(hands):
    batch = decisions(hands, encoder=MEOWJONG, lazy=True)
    rows = np.array([5, 3, 7])
    assert (batch.part(rows).encoded(EVENTS) == decisions(hands, encoder=EVENTS).packed[rows]).all()
    with pytest.raises(DatasetError, match="without an encoder"):
        decisions(hands).encoded(EVENTS)


def test_an_unsuitable_encoder_is_refused(tmp_path):
    three = read_hands([make_games(tmp_path, "tenhou-sanma-east", 1)], 3)
    with pytest.raises(EncoderError, match="long"):
        decisions(three, encoder=encoder("long"))


def labels_of(table, actions: list[int]) -> list[list[int]]:
    """Return the labels of one hand for the papers' five decisions."""
    return labelled(decisions(hands_of(table, actions))).labels.tolist()


def test_kita_and_kan_that_were_possible_count_as_declined():
    deals = ["4z1111p234567p99s"]
    legal = make_table(TENHOU_SANMA, deals, "9s").legal
    assert Action.KITA in legal
    assert any(action >= Action.ANKAN for action in legal)
    (row,) = labels_of(make_table(TENHOU_SANMA, deals, "9s"), [Action.TSUMOGIRI])
    assert (row[DecisionKind.KITA], row[DecisionKind.KAN], row[DecisionKind.DISCARD]) == (0, 0, 26)
    (row,) = labels_of(make_table(TENHOU_SANMA, deals, "9s"), [Action.KITA])
    assert (row[DecisionKind.KITA], row[DecisionKind.KAN], row[DecisionKind.DISCARD]) == (1, 0, -1)


def test_riichi_is_one_decision_and_its_discard_another():
    table = make_table(TENHOU_SANMA, ["123456p789s55z79p"], "1z")
    assert Action.RIICHI in table.legal
    rows = labels_of(table, [Action.RIICHI])
    assert (rows[0][DecisionKind.RIICHI], rows[0][DecisionKind.DISCARD]) == (1, -1)


def test_a_pon_taken_and_one_declined():
    deals = ["", "55z19m123456p789s"]
    for action, label in ((Action.PASS, 0), (Action.PON, 1)):
        rows = labels_of(make_table(TENHOU_SANMA, deals, "5z"), [Action.TSUMOGIRI, action])
        assert rows[1][DecisionKind.PON] == label
        assert rows[1][DecisionKind.KAN] == -1


def test_decisions_about_a_won_tile_do_not_count():
    """Seat 1 could pon the 5z of seat 2's win: its choice is not observed."""
    deals = ["", "55z19m123456p789s", "111222333p789s5z"]
    table = make_table(TENHOU_SANMA, deals, "5z")
    offer(table, 0, "5z")
    order = []
    while not table.hand_over:
        order.append((table.actor, Action.RON if Action.RON in table.legal else Action.PASS))
        table.act(order[-1][1])
    assert (1, Action.PASS) in order
    assert (2, Action.RON) in order
    fresh = make_table(TENHOU_SANMA, deals, "5z")
    batch = decisions(hands_of(fresh, [Action.TSUMOGIRI, *(action for _, action in order)]))
    assert batch.observed.tolist() == [True, *(action == Action.RON for _, action in order)]
    rows = labelled(batch).labels.tolist()
    assert len(rows) == 1
    assert rows[0][DecisionKind.DISCARD] == 31


def test_a_chii_after_a_pon_is_not_observed():
    """Seat 1 could chii the 5p of seat 2's pon: its choice is not observed."""
    deals = ["", "46p19m19s1234567z", "55p19m2468s12345z"]
    table = make_table(TENHOU, deals, "5p")
    offer(table, 0, "5p")
    order = []
    while table.state.phase == Phase.CLAIM:
        order.append((table.actor, Action.PON if Action.PON in table.legal else Action.PASS))
        table.act(order[-1][1])
    assert {(1, Action.PASS), (2, Action.PON)} <= set(order)
    actions = [Action.TSUMOGIRI, *(action for _, action in order)]
    batch = decisions(hands_of(make_table(TENHOU, deals, "5p"), actions))
    seen = dict(zip(batch.seat.tolist()[1:], batch.observed.tolist()[1:], strict=True))
    assert seen[1] is False
    assert seen[2] is True
    passed = [Action.TSUMOGIRI, *(Action.PASS for _ in order)]
    assert decisions(hands_of(make_table(TENHOU, deals, "5p"), passed)).observed.all()


def test_no_discard_counts_after_riichi(hands):
    part = labelled(decisions(hands))
    own = part.labels[:, DecisionKind.RIICHI] == 1
    assert own.any()
    batch = part.decisions
    for row in np.flatnonzero(own)[:5]:
        same = (batch.hand == batch.hand[row]) & (batch.seat == batch.seat[row])
        later = same & (batch.number > batch.number[row])
        assert (part.labels[later, DecisionKind.DISCARD] >= 0).sum() <= 1, "the declaring one, where there was a choice"


def test_stored_and_read_again(hands, tmp_path):
    hands.save(str(tmp_path))
    again = load_hands(str(tmp_path))
    for name in ("rule", "walls", "starts", "taken", "bounds", "games", "numbers"):
        assert (getattr(hands, name) == getattr(again, name)).all(), name
    assert again.rules == hands.rules
    assert again.names == hands.names
    assert not any(name.startswith("/") for name in again.names), "a store tells nothing of the machine"
    index = pq.read_table(tmp_path / INDEX_FILE).to_pydict()
    batch = decisions(hands)
    for name in ("hand", "seat", "action", "observed"):
        assert index[name] == getattr(batch, name).tolist()
    assert index["decision"] == batch.number.tolist()
    words = [index[name] for name in ("legal", "legal closed kans", "legal added kans")]
    assert (legal_mask(np.array(words, np.int64).T) == batch.legal_mask()).all()
    assert (read_hands([str(tmp_path)], 3).taken == again.taken).all()
    with pytest.raises(DatasetError, match="not 4"):
        read_hands([tmp_path], 4)
    (tmp_path / HANDS_FILE).write_bytes(b"PAR1 and nothing else")
    with pytest.raises(DatasetError, match="no hands that can be read"):
        load_hands(tmp_path)


def test_hands_of_another_format_are_refused(hands, tmp_path):
    hands.save(tmp_path)
    table = pq.read_table(tmp_path / HANDS_FILE)
    metadata = json.loads(table.schema.metadata[b"janshi"]) | {"format": FORMAT - 1}
    pq.write_table(table.replace_schema_metadata({"janshi": json.dumps(metadata)}), tmp_path / HANDS_FILE)
    with pytest.raises(DatasetError, match="run janshi dataset again"):
        load_hands(tmp_path)


def test_four_players_have_the_same_decisions(tmp_path):
    four = read_hands([make_games(tmp_path, "tenhou-east", 2)], 4)
    counts = sizes(four)
    assert counts["discard"].examples > 200
    assert counts["kita"].examples == 0
    assert counts["pon"].examples > 0
    with pytest.raises(DatasetError, match="no hand of 3 players"):
        read_hands([tmp_path], 3)


def test_mahjong_souls_own_record_gives_hands(records):
    hands = read_hands([records / "majsoul"], 4)
    assert (len(hands), hands.skipped) == (9, 0)
    assert sizes(hands)["discard"].examples == 386


def test_every_hand_is_played_by_the_rules_of_its_game(tmp_path):
    """Games without open tanyao before games with it, in which it is the only yaku of won hands."""
    closed = read_hands([make_games(tmp_path / "closed", "tenhou-east-nored-noopen", 1, Caller())], 4)
    opened = read_hands([make_games(tmp_path / "open", "tenhou-east", 2, Caller())], 4)
    with pytest.raises(DatasetError, match="cannot be played by its rules: tenhou-east-nored-noopen"):
        decisions(dataclasses.replace(opened, rules=closed.rules))
    both = read_hands([tmp_path / "closed", tmp_path / "open"], 4)
    both.save(tmp_path / "store")
    for stored in (both, read_hands([tmp_path / "store"], 4)):
        assert [rules.name for rules in stored.rules] == ["tenhou-east-nored-noopen", "tenhou-east"]
        whole, apart = (
            decisions(stored, encoder=MEOWJONG),
            [decisions(part, encoder=MEOWJONG) for part in (closed, opened)],
        )
        assert (whole.packed == np.concatenate([part.packed for part in apart])).all()
        for name in ("action", "legal", "seat", "phase"):
            assert (getattr(whole, name) == np.concatenate([getattr(part, name) for part in apart])).all(), name
    order = np.arange(len(both))[::-1]
    assert len(decisions(both.part(order))) == len(decisions(both))
    chii = decisions(opened).action
    assert ((chii >= Action.CHII) & (chii < Action.PON)).any(), "chii are decisions like all others"


def test_sizes_are_those_of_labels(hands):
    every = labels(decisions(hands))
    counted = sizes(hands)
    for column, name in enumerate(DECISIONS):
        assert counted[name].examples == (every[:, column] >= 0).sum()
        assert counted[name].positive == (None if name == "discard" else (every[:, column] == 1).sum())


def test_sizes_of_the_sample():
    """Sizes from the version before datasets stored all decisions."""
    counted = sizes(read_hands([SAMPLE], 3))
    found = {name: (size.examples, size.positive) for name, size in counted.items()}
    assert found == {
        "discard": (13029, None),
        "pon": (1550, 503),
        "kan": (281, 79),
        "kita": (1326, 1326),
        "riichi": (734, 552),
    }


def test_the_deviation_is_that_of_ones_and_zeros(hands):
    scale = mean_and_deviation(hands)
    part = labelled(decisions(hands, encoder=MEOWJONG))
    for column, name in enumerate(DECISIONS):
        dense = MEOWJONG.inputs(part.packed[part.labels[:, column] >= 0])
        assert scale[name][0] == pytest.approx(dense.mean(dtype=np.float64), rel=1e-12)
        assert scale[name][1] == pytest.approx(dense.std(dtype=np.float64), rel=1e-9)


def order_of(turn: int) -> np.ndarray:
    """Return the new position of each kind."""
    order = np.arange(34)
    if turn & 1:
        order[9:18], order[18:27] = np.arange(18, 27), np.arange(9, 18)
    if turn & 2:
        order[0], order[8] = 8, 0
    return order


def test_suits_and_terminals_can_be_swapped(hands):
    batch = decisions(hands, np.arange(2), encoder=MEOWJONG)
    dense = MEOWJONG.inputs(batch.packed)
    for turn in range(4):
        changed = turned(batch.packed, np.full(len(batch), turn, np.uint8))
        assert (MEOWJONG.inputs(changed) == dense[:, :, order_of(turn)]).all()


def test_actions_are_swapped_with_their_kinds(hands):
    batch = decisions(hands)
    mask = batch.legal_mask()
    for turn in range(4):
        turns = np.full(len(batch), turn, np.uint8)
        place = np.arange(ACTIONS)
        for first in (0, Action.ANKAN, Action.KAKAN):
            place[first : first + 34] = first + order_of(turn)
        if turn & 1:
            place[35], place[36] = 36, 35
        changed = legal_mask(turned_legal(batch.legal, turns))
        assert (changed[:, place] == mask).all()
        actions = turned_actions(batch.action, turns)
        assert (actions == place[batch.action]).all()
        assert changed[np.arange(len(batch)), actions].all()


def test_the_command(folder, tmp_path):
    report = report_of(janshi("dataset", folder, "--out", tmp_path, "--test", folder, "--json"))
    parts = [report["sizes"][name]["discard"]["examples"] for name in ("training", "development", "test")]
    assert parts[0] + parts[1] == parts[2]
    assert (tmp_path / HANDS_FILE).stat().st_size + (tmp_path / INDEX_FILE).stat().st_size == report["bytes"]
    sizes = report_of(janshi("dataset", folder, "--out", tmp_path, "--development", "0", "--json"))["sizes"]
    assert set(sizes) == {"training"}
    assert sizes["training"]["discard"]["examples"] == parts[2]
    missing = janshi("dataset", tmp_path / "no", "--out", tmp_path, code=2)
    assert "no hand of 3 players" in missing.stderr


def test_games_with_a_named_player_are_learned_from_its_seats_only(tmp_path):
    for folder, agents in (("met", [EfficientAgent(), RandomAgent(), RandomAgent()]), ("other", [RandomAgent()] * 3)):
        with GameWriter(tmp_path / folder, "mjlog") as writer:
            play_match(agents, preset("tenhou-sanma-east"), 1, seed=1, on_game=writer.write)
    hands = read_hands([tmp_path], 3, of=["effic", "nobody"])
    which = np.arange(len(hands))
    batch, every = hands.decisions(which, MEOWJONG), decisions(hands, encoder=MEOWJONG)
    assert (batch.records == every.records[hands.seats[every.hand, every.seat]]).all()
    players = {"/".join(Path(game.source).parts[-2:]): game.names for game in read_games([tmp_path])}
    for name, seats in zip(np.array(hands.names)[hands.games].tolist(), hands.seats[:, :3], strict=True):
        named = [player == "efficient" for player in players[name]]
        assert seats.tolist() == (named if any(named) else [True] * 3)
    together = HandSet.joined([hands, read_hands([SAMPLE], 3)])
    assert len(together.part(which).decisions(which, MEOWJONG)) == len(batch)


def test_names_that_nobody_has_are_an_error(tmp_path):
    with pytest.raises(DatasetError, match="no player is named nobody"):
        read_hands([SAMPLE], 3, of=["nobody"])
    read_hands([SAMPLE], 3).save(tmp_path)
    with pytest.raises(DatasetError, match="holds no names of players"):
        read_hands([tmp_path], 3, of=["efficient"])
