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
# Refusals

#: A call of three waiting tables or of one new table, its error, and words of the message.
Refusal = tuple[Callable[[Tables], object], type[Exception], str]
#: Which tables: the argument of every method that takes them.
WRONG_TABLES: list[tuple[Any, type[Exception], str]] = [
    ([9999], IndexError, "9999"),
    ([0, 3], IndexError, "3"),
    ([-1], IndexError, "-1"),
    ([2**40], IndexError, str(2**40)),
    (np.array([2**63], np.uint64), ValueError, "64-bit integers"),
    *((which, ValueError, "64-bit integers") for which in ([0.0], [float("nan")], ["0"], [None])),
    (0, ValueError, "one dimension"),
    ([[0, 1]], ValueError, "one dimension"),
    ([[0], [1, 2]], ValueError, "must be integers"),
    *((which, ValueError, "mask of 3 tables") for which in ([True], np.ones(4, np.bool_), np.ones((3, 1), np.bool_))),
]
OF_TABLES: tuple[Callable[[Tables, Any], object], ...] = (
    *(Tables.legal, Tables.views, Tables.events, Tables.decisions, Tables.next_hand, Tables.next_game),
    *(lambda tables, which: tables.reset(which, 1), lambda tables, which: tables.step_some(which, [0])),
)
WRONG_SEATS: list[tuple[Any, str]] = [
    *(([seat], f"no seat {seat}") for seat in (-1, 3, 9, 300, 2**40)),
    *((seats, "seats") for seats in ([0.0], [True], ["0"], [None], [[0]], [0, 1], [], 0)),
]
WRONG_ACTIONS: tuple[Any, ...] = (
    *([37, 37], [[37, 37, 37]], 37, [37.0] * 3, [True] * 3, ["37"] * 3, [None] * 3, [2**70] * 3, [[37], [37, 37]]),
)
WRONG_SEEDS: tuple[Any, ...] = (
    *(1.5, "1", None, [1, 2], [[1, 2, 3]], [1.0] * 3, [True] * 3, True, 2**63, [2**63] * 3),
)


def walls_of(tables: Tables, tile: int | None = None) -> Any:
    """Return the walls of tables, the first with another tile at its end."""
    walls = np.asarray(tables.states)["wall"][:, :108].copy()
    if tile is not None:
        walls[0, 0] = tile
    return walls


REFUSED: list[Refusal] = [
    *(
        (lambda tables, which=which, method=method: method(tables, which), error, words)
        for which, error, words in WRONG_TABLES
        for method in OF_TABLES
    ),
    (lambda tables: tables.reset([0, 0], [1, 2]), ValueError, "named twice"),
    (lambda tables: tables.next_hand([1, 1]), ValueError, "named twice"),
    (lambda tables: tables.next_game([1, 1]), ValueError, "named twice"),
    (lambda tables: tables.step_some([1, 1], [37, 37]), ValueError, "named twice"),
    *((lambda tables, seats=seats: tables.views([0], seats), ValueError, words) for seats, words in WRONG_SEATS),
    *((lambda tables, seats=seats: tables.events([0], seats), ValueError, words) for seats, words in WRONG_SEATS),
    *((lambda tables, actions=actions: tables.step(actions), ActionError, "actions") for actions in WRONG_ACTIONS),
    *(
        (lambda tables, actions=actions: tables.step_some([0, 1, 2], actions), ActionError, "actions")
        for actions in WRONG_ACTIONS
    ),
    (lambda tables: tables.reset([0], [1], walls_of(tables)), ValueError, "1 tables need as many walls"),
    (lambda tables: tables.reset([0], [1], walls_of(tables)[:1, :107]), ValueError, "does not"),
    (lambda tables: tables.reset([0], [1], walls_of(tables)[:1].astype(float)), ValueError, "does not"),
    (lambda tables: tables.reset([0], [1], walls_of(tables, tile=99)[:1]), ValueError, "does not"),
    (lambda tables: tables.reset([0], [1], [[1], [1, 2]]), ValueError, "walls"),
    (lambda tables: tables.reset([0], [1], "wall"), ValueError, "walls"),
    (lambda tables: tables.next_hand([0], walls_of(tables)[:1]), ActionError, "a hand is not over"),
    *((lambda tables, seeds=seeds: tables.reset([0, 1, 2], seeds), ValueError, "seed") for seeds in WRONG_SEEDS),
    *((lambda _, seeds=seeds: Tables("tenhou-sanma", 3, seeds), ValueError, "seed") for seeds in WRONG_SEEDS),
    (lambda _: Tables("tenhou-sanma", 2, 2**63 - 1), ValueError, "do not fit into 64 bits"),
    *(
        (
            lambda _, count=count, threads=threads: Tables("tenhou-sanma", count, threads=threads),
            ValueError,
            "must be an integer of at least 1",
        )
        for count, threads in ((0, 1), (-1, 1), (1.0, 1), (True, 1), ("3", 1), (3, 0), (3, 1.5), (3, None))
    ),
    *(
        (lambda tables, count=count: tables.play_random(count), ValueError, "must be an integer of at least 0")
        for count in (-1, 1.0, True, "1", None, 2**70)
    ),
    *((lambda _, rules=rules: Tables(rules, 1), ValueError, "no rule") for rules in ("tenho", "", None, 4, object())),
    *((lambda _, rules=rules: Table(rules), ValueError, "no rule") for rules in ("tenho", "", None, 4, object())),
    *(
        (lambda _, seed=seed: Table("tenhou-sanma", seed), ValueError, "seed")
        for seed in WRONG_SEEDS if not isinstance(seed, list)
    ),
    *(
        (lambda _, wall=wall: Table("tenhou-sanma", wall=wall), ValueError, "wall")
        for wall in ([[0], [1, 2]], "wall", np.full(108, 99))
    ),
    *(
        (lambda tables, rows=rows: tables.decisions().part(rows), error, "rows")
        for rows, error in (([3], IndexError), ([-1], IndexError), ([1.0], ValueError), ([True], ValueError),
                            (1, ValueError), ("0", ValueError))
    ),
]


@pytest.mark.parametrize("number", range(len(REFUSED)))
def test_invalid_arguments_are_refused_and_change_nothing(number: int) -> None:
    call, error, words = REFUSED[number]
    tables = waiting_tables(threads=1 + number % 2)
    refused(tables, lambda: call(tables), error, words)


@pytest.mark.parametrize("threads", [1, 2])
@pytest.mark.parametrize("wrong", [-1, 122, 37 + 2**16, -(2**62), int(Action.RON), int(Action.CHII)])
def test_a_step_with_one_illegal_action_changes_no_table(wrong: int, threads: int) -> None:
    tables = waiting_tables(threads)
    chosen = tables.legal().argmax(axis=1).astype(np.int64)
    chosen[1] = wrong
    refused(tables, lambda: tables.step(chosen), ActionError, f"table 1: seat . may not do action {wrong}")
    refused(tables, lambda: tables.step_some([2, 1], chosen[[2, 1]]), ActionError, "table 1")


@pytest.mark.parametrize("action", [-1, 122, 10**30, 37.0, True, "37", None, [37], np.bool_(True), Action.RON])
def test_a_table_refuses_unknown_seats_and_actions(action: Any) -> None:
    table = Table("tenhou-sanma", 5)
    words = "seat 0 may not ron; it may: discard" if action is Action.RON else "no action"
    refused(table._tables, lambda: table.act(action), ActionError, words)
    refused(table._tables, lambda: table.view(3), ValueError, "no seat 3")
    refused(table._tables, lambda: table.events(-1), ValueError, "no seat -1")
    refused(table._tables, table.next_hand, ActionError, "the hand is not over")


def test_a_table_refuses_actions_after_a_hand_and_hands_after_a_game() -> None:
    table = finished_table()
    refused(table._tables, lambda: table.act(Action.TSUMOGIRI), ActionError, "the hand is over")
    refused(table._tables, table.decision, ActionError, "waits for no decision")
    refused(table._tables, lambda: table._tables.play_random(1), ActionError, "waits for a decision")
    assert table.legal == []
    table = finished_table(game=True)
    refused(table._tables, table.next_hand, ActionError, "the game is over")


# ---------------------------------------------------------------------------------------------------------
# What is accepted


def test_a_mask_selects_tables() -> None:
    tables = waiting_tables()
    mask = np.array([False, True, True])
    assert (tables.legal(mask) == tables.legal([1, 2])).all()
    assert np.asarray(tables.views(mask)).tobytes() == np.asarray(tables.views([1, 2])).tobytes()
    assert tables.decisions(mask).tables.tolist() == [1, 2]
    assert tables.legal([]).shape == tables.legal(np.zeros(3, np.bool_)).shape == (0, ACTIONS)
    assert (tables.legal([2, 2]) == tables.legal()[[2, 2]]).all()
    before = content(tables)
    tables.next_hand([0, 1])  # tables that are in a hand stay as they are
    assert content(tables) == before


@pytest.mark.parametrize("dtype", [np.int8, np.uint8, np.int16, np.uint16, np.int32, np.uint32, np.int64, np.uint64])
def test_actions_may_be_integers_of_any_width(dtype: Any) -> None:
    tables, other = waiting_tables(), waiting_tables()
    chosen = tables.legal().argmax(axis=1)
    tables.step(chosen.astype(dtype))
    other.step(chosen.tolist())
    assert content(tables) == content(other)


@pytest.mark.parametrize("seed", [0, 7, -1, -(2**63), 2**63 - 1, np.int64(7), np.uint8(7)])
def test_the_same_seed_plays_the_same_game_at_one_table_and_at_many(seed: Any) -> None:
    table, tables = Table("tenhou-sanma", seed), Tables("tenhou-sanma", 1, seed)
    assert np.asarray(table._tables.states).tobytes() == np.asarray(tables.states).tobytes()
    assert np.asarray(Tables("tenhou-sanma", 3, 7).states)["seed"].tolist() == [7, 8, 9]
    tables = Tables("tenhou-sanma", 2, [99, int(seed)])
    assert np.asarray(tables.states)[1].tobytes() == table.record.tobytes()
    tables.reset([0], [int(seed)])
    assert np.asarray(tables.states)[0].tobytes() == table.record.tobytes()


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
