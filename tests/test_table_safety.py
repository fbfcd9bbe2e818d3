"""`Table` and `Tables` accept any input, or refuse it with a message and without changes.

`tests.test_fuzz` plays many legal and illegal actions.
"""

from __future__ import annotations

import copy
import os
import pickle
import subprocess
import sys
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from janshi.compiling import PLAIN
from janshi.riichi.actions import ACTIONS, Action
from janshi.riichi.rules import TENHOU, TENHOU_SANMA
from janshi.riichi.state import Event, Phase
from janshi.table import ActionError, DecisionBatch, Table, Tables

#: Plain Python is about a thousand times slower and plays less.
LESS = 100 if PLAIN else 1


def content(tables: Tables) -> bytes:
    """Return the content of tables as bytes."""
    return np.asarray(tables.states).tobytes() + tables._results.tobytes()


def values(array: Any) -> bytes:
    """Return the values of an array of records as bytes, without the gaps between fields."""
    plain = np.asarray(array)
    if plain.dtype.names is None:
        return plain.tobytes()
    return b"".join(values(plain[name]) for name in plain.dtype.names)


def state_of(table: Table) -> bytes:
    """Return the content of a table as bytes."""
    return values(table._tables.states)


def refused(tables: Tables, call: Callable[[], object], error: type[Exception], words: str) -> None:
    """Check that a call raises an error with this message and does not change the tables."""
    before = content(tables)
    with pytest.raises(error, match=words):
        call()
    assert content(tables) == before


def waiting_tables(threads: int = 1) -> Tables:
    """Return three tables during a hand."""
    tables = Tables("tenhou-sanma", 3, 5, threads=threads, auto_reset=False)
    for _ in range(4):
        tables.step(tables.legal().argmax(axis=1))
    assert (tables.actors >= 0).all()
    return tables


def finished_table(rules: Any = "tenhou-sanma", seed: int = 1, *, game: bool = False) -> Table:
    """Return a table at the end of its first hand, or of its game."""
    table = Table(rules, seed)
    random = np.random.default_rng(seed)
    while not (table.over if game else table.hand_over):
        if table.hand_over:
            table.next_hand()
        table.act(int(random.choice(table.legal)))
    return table


# ---------------------------------------------------------------------------------------------------------
# Which tables


WRONG_TABLES: list[tuple[Any, type[Exception], str]] = [
    ([9999], IndexError, "9999"),
    ([0, 3], IndexError, "3"),
    ([-1], IndexError, "-1"),
    ([2**40], IndexError, str(2**40)),
    (np.array([2**63], np.uint64), ValueError, "64-bit integers"),
    ([0.0], ValueError, "64-bit integers"),
    ([float("nan")], ValueError, "64-bit integers"),
    (["0"], ValueError, "64-bit integers"),
    ([None], ValueError, "64-bit integers"),
    (0, ValueError, "one dimension"),
    ([[0, 1]], ValueError, "one dimension"),
    ([[0], [1, 2]], ValueError, "must be integers"),
    ([True], ValueError, "mask of 3 tables"),
    (np.ones(4, np.bool_), ValueError, "mask of 3 tables"),
    (np.ones((3, 1), np.bool_), ValueError, "mask of 3 tables"),
]


@pytest.mark.parametrize(("which", "error", "words"), WRONG_TABLES, ids=lambda value: str(value)[:20])
def test_unknown_tables_are_refused_by_every_method(which: Any, error: type[Exception], words: str) -> None:
    tables = waiting_tables()
    refused(tables, lambda: tables.legal(which), error, words)
    refused(tables, lambda: tables.views(which), error, words)
    refused(tables, lambda: tables.events(which), error, words)
    refused(tables, lambda: tables.decisions(which), error, words)
    refused(tables, lambda: tables.next_hand(which), error, words)
    refused(tables, lambda: tables.next_game(which), error, words)
    refused(tables, lambda: tables.reset(which, 1), error, words)
    refused(tables, lambda: tables.step_some(which, [0]), error, words)


def test_a_mask_selects_tables() -> None:
    tables = waiting_tables()
    mask = np.array([False, True, True])
    assert (tables.legal(mask) == tables.legal([1, 2])).all()
    assert np.asarray(tables.views(mask)).tobytes() == np.asarray(tables.views([1, 2])).tobytes()
    assert tables.decisions(mask).tables.tolist() == [1, 2]
    assert tables.legal([]).shape == (0, ACTIONS)
    assert tables.legal(np.zeros(3, np.bool_)).shape == (0, ACTIONS)
    assert (tables.legal([2, 2]) == tables.legal()[[2, 2]]).all()


def test_a_table_to_change_is_selected_once() -> None:
    tables = waiting_tables(threads=2)
    refused(tables, lambda: tables.reset([0, 0], [1, 2]), ValueError, "named twice")
    refused(tables, lambda: tables.next_hand([1, 1]), ValueError, "named twice")
    refused(tables, lambda: tables.next_game([1, 1]), ValueError, "named twice")
    refused(tables, lambda: tables.step_some([1, 1], [37, 37]), ValueError, "named twice")


# ---------------------------------------------------------------------------------------------------------
# Which seats


@pytest.mark.parametrize("seat", [-1, 3, 9, 300, 2**40])
def test_unknown_seats_are_refused(seat: int) -> None:
    tables = waiting_tables()
    refused(tables, lambda: tables.views([0], [seat]), ValueError, f"no seat {seat}")
    refused(tables, lambda: tables.events([0], [seat]), ValueError, f"no seat {seat}")
    table = Table("tenhou-sanma", 5)
    refused(table._tables, lambda: table.view(seat), ValueError, f"no seat {seat}")
    refused(table._tables, lambda: table.events(seat), ValueError, f"no seat {seat}")


@pytest.mark.parametrize("seats", [[0.0], [True], ["0"], [None], [[0]], [0, 1], [], 0])
def test_invalid_seats_are_refused(seats: Any) -> None:
    tables = waiting_tables()
    refused(tables, lambda: tables.views([0], seats), ValueError, "seats")
    refused(tables, lambda: tables.events([0], seats), ValueError, "seats")


def test_every_seat_of_a_table_has_a_view() -> None:
    table = Table("tenhou", 5)
    assert [int(table.view(seat).seat) for seat in range(4)] == [0, 1, 2, 3]


# ---------------------------------------------------------------------------------------------------------
# Actions


@pytest.mark.parametrize(
    "actions",
    [[37, 37], [[37, 37, 37]], 37, [37.0] * 3, [True] * 3, ["37"] * 3, [None] * 3, [2**70] * 3, [[37], [37, 37]]],
    ids=str,
)
def test_invalid_actions_are_refused(actions: Any) -> None:
    tables = waiting_tables()
    refused(tables, lambda: tables.step(actions), ActionError, "actions")
    refused(tables, lambda: tables.step_some([0, 1, 2], actions), ActionError, "actions")


@pytest.mark.parametrize("threads", [1, 2])
@pytest.mark.parametrize("wrong", [-1, 122, 37 + 2**16, -(2**62), int(Action.RON), int(Action.CHII)])
def test_a_step_with_one_illegal_action_changes_no_table(wrong: int, threads: int) -> None:
    tables = waiting_tables(threads)
    chosen = tables.legal().argmax(axis=1).astype(np.int64)
    chosen[1] = wrong
    refused(tables, lambda: tables.step(chosen), ActionError, f"table 1: seat . may not do action {wrong}")
    refused(tables, lambda: tables.step_some([2, 1], chosen[[2, 1]]), ActionError, "table 1")


@pytest.mark.parametrize("dtype", [np.int8, np.uint8, np.int16, np.uint16, np.int32, np.uint32, np.int64, np.uint64])
def test_actions_may_be_integers_of_any_width(dtype: Any) -> None:
    tables, other = waiting_tables(), waiting_tables()
    chosen = tables.legal().argmax(axis=1)
    tables.step(chosen.astype(dtype))
    other.step(chosen.tolist())
    assert content(tables) == content(other)


@pytest.mark.parametrize("action", [-1, 122, 10**30, 37.0, True, "37", None, [37], np.bool_(True), Action.RON])
def test_a_table_refuses_unknown_and_illegal_actions(action: Any) -> None:
    table = Table("tenhou-sanma", 5)
    words = "seat 0 may not ron; it may: discard" if action is Action.RON else "no action"
    refused(table._tables, lambda: table.act(action), ActionError, words)


def test_an_action_is_refused_when_the_hand_is_over() -> None:
    table = finished_table()
    refused(table._tables, lambda: table.act(Action.TSUMOGIRI), ActionError, "the hand is over")
    refused(table._tables, table.decision, ActionError, "waits for no decision")
    assert table.legal == []


# ---------------------------------------------------------------------------------------------------------
# Hands, games, seeds and walls


def test_the_next_hand_comes_only_after_a_hand() -> None:
    table = Table("tenhou-sanma", 5)
    refused(table._tables, table.next_hand, ActionError, "the hand is not over")
    table = finished_table(game=True)
    refused(table._tables, table.next_hand, ActionError, "the game is over")
    tables = waiting_tables()
    before = content(tables)
    tables.next_hand([0, 1])  # tables that are in a hand stay as they are
    assert content(tables) == before


def test_walls_are_checked_before_anything_changes() -> None:
    tables = waiting_tables()
    walls = np.asarray(tables.states)["wall"][:, :108].copy()
    refused(tables, lambda: tables.reset([0], [1], walls), ValueError, "1 tables need as many walls")
    refused(tables, lambda: tables.reset([0], [1], walls[:1, :107]), ValueError, "does not")
    refused(tables, lambda: tables.reset([0], [1], walls[:1].astype(float)), ValueError, "does not")
    refused(tables, lambda: tables.reset([0], [1], [[1], [1, 2]]), ValueError, "walls")
    refused(tables, lambda: tables.reset([0], [1], "wall"), ValueError, "walls")
    refused(tables, lambda: tables.next_hand([0], walls[:1]), ActionError, "a hand is not over")
    walls[0, 0] = 99
    refused(tables, lambda: tables.reset([0], [1], walls[:1]), ValueError, "does not")
    for wall in ([[0], [1, 2]], "wall", walls[0]):
        with pytest.raises(ValueError, match="wall"):
            Table("tenhou-sanma", wall=wall)


@pytest.mark.parametrize(
    "seeds", [1.5, "1", None, [1, 2], [[1, 2, 3]], [1.0] * 3, [True] * 3, True, 2**63, [2**63] * 3]
)
def test_invalid_seeds_are_refused(seeds: Any) -> None:
    tables = waiting_tables()
    refused(tables, lambda: tables.reset([0, 1, 2], seeds), ValueError, "seed")
    with pytest.raises(ValueError, match="seed"):
        Tables("tenhou-sanma", 3, seeds)
    if not isinstance(seeds, list):
        with pytest.raises(ValueError, match="seed"):
            Table("tenhou-sanma", seeds)


@pytest.mark.parametrize("seed", [0, 7, -1, -(2**63), 2**63 - 1, np.int64(7), np.uint8(7)])
def test_the_same_seed_plays_the_same_game_at_one_table_and_at_many(seed: Any) -> None:
    table, tables = Table("tenhou-sanma", seed), Tables("tenhou-sanma", 1, seed)
    assert np.asarray(table._tables.states).tobytes() == np.asarray(tables.states).tobytes()
    tables = Tables("tenhou-sanma", 2, [99, int(seed)])
    assert np.asarray(tables.states)[1].tobytes() == table.record.tobytes()
    tables.reset([0], [int(seed)])
    assert np.asarray(tables.states)[0].tobytes() == table.record.tobytes()


def test_one_number_seeds_every_table() -> None:
    tables = Tables("tenhou-sanma", 3, 7)
    assert np.asarray(tables.states)["seed"].tolist() == [7, 8, 9]
    with pytest.raises(ValueError, match="do not fit into 64 bits"):
        Tables("tenhou-sanma", 2, 2**63 - 1)


@pytest.mark.parametrize(
    ("count", "threads"), [(0, 1), (-1, 1), (1.0, 1), (True, 1), ("3", 1), (3, 0), (3, 1.5), (3, None)]
)
def test_numbers_of_tables_and_threads_are_positive_integers(count: Any, threads: Any) -> None:
    with pytest.raises(ValueError, match="must be an integer of at least 1"):
        Tables("tenhou-sanma", count, threads=threads)


@pytest.mark.parametrize("decisions", [-1, 1.0, True, "1", None, 2**70])
def test_the_number_of_random_decisions_is_an_integer(decisions: Any) -> None:
    tables = waiting_tables()
    refused(tables, lambda: tables.play_random(decisions), ValueError, "must be an integer of at least 0")


def test_random_play_needs_pending_decisions() -> None:
    tables = finished_table()._tables
    refused(tables, lambda: tables.play_random(1), ActionError, "waits for a decision")


@pytest.mark.parametrize("rules", ["tenho", "", None, 4, object()])
def test_unknown_rules_are_refused(rules: Any) -> None:
    with pytest.raises(ValueError, match="no rule"):
        Tables(rules, 1)
    with pytest.raises(ValueError, match="no rule"):
        Table(rules)


# ---------------------------------------------------------------------------------------------------------
# Copies


def by_pickle(value: Any) -> Any:
    return pickle.loads(pickle.dumps(value))


@pytest.mark.parametrize("copied", [copy.copy, copy.deepcopy, by_pickle, lambda value: value.copy()])
def test_a_copy_of_a_table_is_complete_and_independent(copied: Callable[[Any], Any]) -> None:
    table = Table("tenhou-sanma", 5)
    table.act(table.legal[0])
    other = copied(table)
    before = state_of(table)
    assert state_of(other) == before
    assert (other.legal, other.actor, other.scores, other.rules) == (
        table.legal,
        table.actor,
        table.scores,
        table.rules,
    )
    kept = other.state
    played = other.legal[-1]
    other.act(played)
    assert state_of(table) == before
    assert int(kept.clock) == int(other.record["clock"]) == int(table.record["clock"]) + 1
    table.act(played)
    assert state_of(table) == state_of(other)


@pytest.mark.parametrize("copied", [copy.copy, copy.deepcopy, by_pickle, lambda value: value.copy()])
def test_a_copy_of_tables_is_complete_and_independent(copied: Callable[[Any], Any]) -> None:
    tables = waiting_tables()
    other = copied(tables)
    before = values(tables.states)
    assert values(other.states) == before
    assert (other.rules, len(other), other.threads, other.auto_reset) == (TENHOU_SANMA, 3, 1, False)
    chosen = other.legal().argmax(axis=1)
    other.step(chosen)
    assert values(tables.states) == before
    assert (np.asarray(other.states)["clock"] == np.asarray(tables.states)["clock"] + 1).all()
    tables.step(chosen)
    assert values(tables.states) == values(other.states)
    other.step_some([1], [int(other.legal()[1].argmax())])
    assert values(tables.states) != values(other.states)


@pytest.mark.parametrize("copied", [copy.deepcopy, by_pickle, lambda value: value.copy()])
def test_a_copy_of_a_finished_table_has_its_result(copied: Callable[[Any], Any]) -> None:
    table = finished_table()
    assert copied(table).result == table.result


# ---------------------------------------------------------------------------------------------------------
# Results of hands


@pytest.mark.parametrize("rules", ["tenhou-sanma", "tenhou"])
def test_one_table_and_many_report_the_same_result_of_a_hand(rules: str) -> None:
    random = np.random.default_rng(3)
    ended = 0
    for seed in range(max(1, 12 // LESS)):
        table, tables = Table(rules, seed), Tables(rules, 1, seed, auto_reset=False)
        before = table.scores
        while not table.over:
            if table.hand_over:
                table.next_hand()
                tables.next_hand([0])
                before = table.scores
            action = int(random.choice(table.legal))
            table.act(action)
            tables.step([action])
            assert table.hand_over == tables.hand_over[0] == tables.hand_ended[0]
            assert table.over == tables.over[0] == tables.game_ended[0]
            if not table.hand_over:
                assert table.result is None
                assert not tables.changes.any()
                continue
            ended += 1
            result = table.result
            assert result is not None
            assert result.change == tuple(tables.changes[0])
            assert table.scores == tables.last_scores[0].tolist()
            change = np.array(table.scores) - before
            if not table.over:  # at the end of a game the first also takes the sticks that were left
                assert result.change == tuple(change)
    assert ended


def test_hand_over_describes_the_state_and_hand_ended_the_last_step() -> None:
    tables = Tables("tenhou-sanma", 2, [1, 2], auto_reset=False)
    random = np.random.default_rng(0)
    while not (tables.hand_ended & tables.changes.any(axis=1)).any():
        tables.reset(tables.hand_over, random.integers(1000, size=int(tables.hand_over.sum())))
        legal = tables.legal()
        tables.step((legal * random.random(legal.shape)).argmax(axis=1))
    ended = int(np.flatnonzero(tables.changes.any(axis=1))[0])
    other = 1 - ended
    tables.reset([other], [5])
    assert tables.hand_over.tolist() == [number == ended for number in range(2)]
    tables.step_some([other], [int(tables.legal()[other].argmax())])
    assert tables.hand_over[ended]
    assert not tables.hand_ended.any()
    assert not tables.changes.any()
    tables.reset([ended], [1])
    assert not tables.hand_over.any()


def test_with_auto_reset_no_hand_is_over_but_its_end_is_reported() -> None:
    tables = Tables("tenhou-sanma-hand", 20 // min(LESS, 20), 2)
    random = np.random.default_rng(0)
    ends = 0
    for _ in range(200):
        legal = tables.legal()
        tables.step((legal * random.random(legal.shape)).argmax(axis=1))
        assert not tables.hand_over.any()
        assert not tables.over.any()
        ends += int(tables.game_ended.sum())
        assert (tables.game_ended == tables.hand_ended).all()
    assert ends


# ---------------------------------------------------------------------------------------------------------
# Views


def claimed_table() -> Table:
    """Return a table at which a seat decides about another's discard."""
    table = Table(TENHOU, 3)
    while int(table.record["phase"]) != Phase.CLAIM:
        table.act(table.legal[0])
    return table


def test_only_the_seat_that_decides_about_a_tile_sees_this() -> None:
    table = claimed_table()
    for seat in range(4):
        view = table.view(seat)
        assert int(view.actor) == (seat if seat == table.actor else -1)
        assert view.legal.any() == (seat == table.actor)


def test_all_seats_see_the_actor_of_a_turn() -> None:
    table = Table(TENHOU, 3)
    assert [int(table.view(seat).actor) for seat in range(4)] == [table.actor] * 4


def test_the_log_hides_draws_of_others() -> None:
    table = claimed_table()
    log = np.asarray(table.record["log"]).reshape(-1, 4)[: int(table.record["logged"])]
    for seat in range(4):
        events = table.events(seat)
        hidden = (log[:, 0] == Event.DRAW) & (log[:, 1] != seat)
        assert hidden.any()
        assert (events[hidden, 2] == -1).all()
        assert (events[~hidden] == log[~hidden]).all()
        assert (events[:, [0, 1, 3]] == log[:, [0, 1, 3]]).all()


@pytest.mark.parametrize("rules", ["tenhou-sanma", "tenhou"])
def test_the_logs_of_many_tables_are_those_of_each(rules: str) -> None:
    tables = Tables(rules, 40 // min(LESS, 20), 2)
    tables.play_random(30)
    logs = np.asarray(tables.events())
    states = np.asarray(tables.states)
    assert (logs["count"] == states["logged"]).all()
    for number, log in enumerate(logs):
        count = int(log["count"])
        events = log["rows"].reshape(-1, 4)
        assert not events[count:].any()
        draws = events[:count, 0] == Event.DRAW
        own = events[:count, 1] == states["actor"][number]
        assert (events[:count][draws & own, 2] >= 0).all()
        assert (events[:count][draws & ~own, 2] == -1).all()
        assert (events[:count][~draws] == states["log"][number].reshape(-1, 4)[:count][~draws]).all()
    seats = np.zeros(len(tables), np.int8)
    again = np.asarray(tables.events(np.arange(len(tables)), seats))
    assert (again["count"] == logs["count"]).all()


# ---------------------------------------------------------------------------------------------------------
# Decisions


def test_a_batch_agrees_with_the_tables() -> None:
    tables = waiting_tables()
    batch = tables.decisions()
    assert len(batch) == 3
    assert batch.rules is tables.rules
    assert batch.game is tables.game
    assert batch.tables.tolist() == [0, 1, 2]
    assert (batch.seats == tables.actors).all()
    assert (batch.legal == tables.legal()).all()
    assert np.asarray(batch.views).tobytes() == np.asarray(tables.views()).tobytes()
    assert (batch.random >= 0).all()
    assert len(set(batch.random.tolist())) == 3
    assert (tables.copy().decisions().random == batch.random).all()
    assert (tables.decisions([2, 0]).random == batch.random[[2, 0]]).all()


def test_decisions_are_those_of_waiting_tables() -> None:
    tables = Tables("tenhou-sanma", 2, [1, 2], auto_reset=False)
    random = np.random.default_rng(0)
    while not tables.hand_over.any():
        legal = tables.legal()
        tables.step((legal * random.random(legal.shape)).argmax(axis=1))
    over = np.flatnonzero(tables.hand_over)
    assert tables.decisions().tables.tolist() == np.flatnonzero(~tables.hand_over).tolist()
    refused(tables, lambda: tables.decisions(over), ActionError, f"table {over[0]} waits for no decision")


def test_a_part_of_a_batch() -> None:
    batch = waiting_tables().decisions()
    for rows in ([2, 0], np.array([2, 0]), [2, 0, 2], [], np.array([True, False, True])):
        part = batch.part(rows)
        numbers = np.flatnonzero(rows) if np.asarray(rows).dtype == np.bool_ else np.asarray(rows, np.int64)
        assert part.tables.tolist() == batch.tables[numbers].tolist()
        assert (part.legal == batch.legal[numbers]).all()
        assert (part.random == batch.random[numbers]).all()
        assert (part.seats == batch.seats[numbers]).all()
        assert values(part.views) == values(np.asarray(batch.views)[numbers])
        assert values(part.events) == values(np.asarray(batch.events)[numbers])


@pytest.mark.parametrize(
    ("rows", "error"),
    [
        ([3], IndexError),
        ([-1], IndexError),
        ([1.0], ValueError),
        ([True], ValueError),
        (1, ValueError),
        ("0", ValueError),
    ],
)
def test_an_unknown_part_is_refused(rows: Any, error: type[Exception]) -> None:
    with pytest.raises(error, match="rows"):
        waiting_tables().decisions().part(rows)


def test_batches_are_joined() -> None:
    tables, others = waiting_tables(), Tables("tenhou-sanma", 2, 50)
    first, second = tables.decisions(), others.decisions()
    joined = DecisionBatch.joined([first, second, first.part([1])])
    assert joined.tables.tolist() == [0, 1, 2, 0, 1, 1]
    assert (joined.legal == np.concatenate([first.legal, second.legal, first.legal[1:2]])).all()
    assert joined.random.tolist() == [*first.random.tolist(), *second.random.tolist(), int(first.random[1])]
    assert joined.rules is first.rules
    with pytest.raises(ValueError, match="without the logs"):
        _ = joined.events
    together = DecisionBatch.joined([first.with_events(), second])
    tables.step(tables.legal().argmax(axis=1))
    counts = np.concatenate([np.asarray(first.events)["count"], np.asarray(second.events)["count"]])
    assert (np.asarray(together.events)["count"] == counts).all()


def test_batches_of_different_games_are_not_joined() -> None:
    batches = {rules: Tables(rules, 2).decisions() for rules in ("tenhou", "tenhou-sanma", "sichuan")}
    for other, words in (("tenhou-sanma", "riichi with 3 players, riichi with 4"), ("sichuan", "sichuan with 4")):
        with pytest.raises(ValueError, match=f"one game and number of players are joined: .*{words}"):
            DecisionBatch.joined([batches["tenhou"], batches[other]])


def test_the_logs_of_decisions_are_valid_until_the_next_step() -> None:
    tables = waiting_tables()
    batch, kept = tables.decisions(), tables.decisions().with_events()
    part = batch.part([0])
    logs = np.asarray(batch.part([0, 1, 2]).events).tobytes()
    assert np.asarray(kept.events).tobytes() == logs
    assert np.asarray(tables.events()).tobytes() == logs
    tables.step_some([1], [int(tables.legal()[1].argmax())])
    assert len(np.asarray(part.events)) == 1
    with pytest.raises(ValueError, match="gone on"):
        _ = batch.events
    assert np.asarray(kept.events).tobytes() == logs
    assert np.asarray(kept.part([1]).events).tobytes() == np.asarray(kept.events)[1:2].tobytes()


@pytest.mark.parametrize("change", ["reset", "next_game", "play_random"])
def test_another_game_is_recognised(change: str) -> None:
    tables = Tables("tenhou-sanma", 1, 5)
    batch = tables.decisions()
    {
        "reset": lambda: tables.reset([0], [6]),
        "next_game": lambda: tables.next_game([0]),
        "play_random": lambda: tables.play_random(1),
    }[change]()
    with pytest.raises(ValueError, match="gone on"):
        _ = batch.events


# ---------------------------------------------------------------------------------------------------------
# Compiled and plain code

#: Prints a digest of random games of each rule set.
DIGESTS = """
import hashlib, sys
from janshi.table import Tables
for name in sys.argv[1:]:
    tables = Tables(name, 2, 11)
    tables.play_random(150)
    print(hashlib.sha256(tables.states.tobytes()).hexdigest())
"""


@pytest.mark.skipif(PLAIN, reason="nothing is compiled")
def test_compiled_and_plain_code_play_the_same(monkeypatch: Any, capsys: Any) -> None:
    names = ["tenhou-sanma", "tenhou", "sichuan", "sichuan-exchange", "sichuan-novikov"]
    command = [sys.executable, "-c", DIGESTS, *names]
    plain = subprocess.run(
        command, env={**os.environ, "JANSHI_PLAIN": "1"}, capture_output=True, text=True, check=True
    )
    monkeypatch.setattr(sys, "argv", command[2:])
    exec(DIGESTS, {})
    assert capsys.readouterr().out == plain.stdout
