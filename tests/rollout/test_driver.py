"""The driver: questions by seat, order of observers, errors for wrong answers."""

from typing import Any

import numpy as np
import pytest

from janshi.agents import AgentError, RandomAgent
from janshi.riichi.actions import Action
from janshi.riichi.agents import EfficientAgent
from janshi.rollout.driver import NOBODY, Driver, Observer, Seating
from janshi.table import DecisionBatch, Tables

SANMA = "tenhou-sanma-hand"


class Noted(RandomAgent):
    """A random agent that records its tables and seats."""

    def __init__(self, name: str = "noted") -> None:
        super().__init__(name)
        self.asked: list[tuple[int, int]] = []

    def act(self, batch: DecisionBatch) -> Any:
        self.asked += list(zip(batch.tables.tolist(), batch.seats.tolist(), strict=True))
        return super().act(batch)


class Answering(RandomAgent):
    """An agent with a constant answer."""

    def __init__(self, answer: Any) -> None:
        super().__init__("answering")
        self.answer = answer

    def act(self, batch: DecisionBatch) -> Any:
        return self.answer(batch)


class Log(Observer):
    """Records the calls in order."""

    def __init__(self, tables: Tables, lines: list[tuple[Any, ...]] | None = None, name: str = "") -> None:
        self.tables = tables
        self.lines: list[tuple[Any, ...]] = [] if lines is None else lines
        self.name = name

    def started(self, tables: Any) -> None:
        assert not self.tables.hand_over[tables].any()
        self.lines.append((self.name, "started", tables.tolist()))

    def decided(self, batch: DecisionBatch, actions: Any) -> None:
        assert (self.tables.actors[batch.tables] == batch.seats).all()
        assert batch.legal[np.arange(len(batch)), actions].all()
        self.lines.append((self.name, "decided", batch.tables.tolist()))

    def stepped(self, tables: Any) -> None:
        self.lines.append((self.name, "stepped", tables.tolist()))

    def hands_over(self, tables: Any) -> None:
        assert self.tables.hand_over[tables].all()
        self.lines.append((self.name, "hands_over", tables.tolist()))


def tables_of(rules: str = SANMA, count: int = 6, seed: Any = 0) -> Tables:
    return Tables(rules, count, seed, auto_reset=False)


# Questions


def test_every_agent_decides_only_for_its_own_seats() -> None:
    agents = [Noted(), Noted(), Noted()]
    rotations = np.array([0, 1, 2, 0, 1, 2])
    tables = tables_of()
    Driver(tables, Seating.rotated(agents, rotations)).run()
    assert tables.over.all()
    for number, agent in enumerate(agents):
        assert {table for table, _ in agent.asked} == set(range(6))
        assert all(seat == (number + rotations[table]) % 3 for table, seat in agent.asked)


def test_an_agent_in_several_seats_is_asked_once_a_round() -> None:
    same, other = RandomAgent(), RandomAgent()
    seating = Seating.rotated([same, other, same], np.array([0, 1]))
    assert seating.agents == (same, other)
    assert seating.seats.tolist() == [[0, 1, 0], [0, 0, 1]]
    driver = Driver(tables_of(count=2), seating)
    first = driver.questions()
    assert [(question.agent, question.batch.tables.tolist()) for question in first] == [(same, [0, 1])]


def test_sharing_an_agent_between_seats_changes_nothing() -> None:
    """Equal agents as one object or several, at one table or many, play the same games."""
    together, apart, single = tables_of(), tables_of(), tables_of(count=1, seed=4)
    Driver(together, Seating.same([RandomAgent()] * 3, 6)).run()
    Driver(apart, Seating.same([RandomAgent() for _ in range(3)], 6)).run()
    Driver(single, Seating.same([RandomAgent()] * 3, 1)).run()
    assert (together.scores == apart.scores).all()
    assert (together.scores[4] == single.scores[0]).all()


def test_several_threads_play_the_same_games() -> None:
    plain = tables_of("tenhou-sanma-east")
    threaded = Tables("tenhou-sanma-east", 6, 0, auto_reset=False, threads=2)
    for tables in (plain, threaded):
        Driver(tables, Seating.same([EfficientAgent()] * 3, 6)).run()
    assert (plain.scores == threaded.scores).all()


# Observers


def test_observers_are_called_in_order() -> None:
    tables = tables_of("tenhou-sanma-east", 3)
    lines: list[tuple[Any, ...]] = []
    observers = [Log(tables, lines, "first"), Log(tables, lines, "second")]
    Driver(tables, Seating.same([RandomAgent(), RandomAgent(), EfficientAgent()], 3), observers).run()
    assert [(name, what) for name, what, _ in lines[:2]] == [("first", "started"), ("second", "started")]
    for first, second in zip(lines[::2], lines[1::2], strict=True):
        assert (first[0], second[0]) == ("first", "second")
        assert first[1:] == second[1:]
    kept = [(what, numbers) for name, what, numbers in lines if name == "first"]
    decided: list[int] = []
    begun = over = 0
    for (what, numbers), (following, others) in zip(kept, [*kept[1:], ("", [])], strict=True):
        if what == "decided":
            assert not set(decided) & set(numbers)
            decided += numbers
        elif what == "stepped":
            assert sorted(decided) == numbers
            decided = []
        elif what == "hands_over":
            assert following == "started"
            assert set(others) <= set(numbers)
            over += len(numbers)
        else:
            begun += len(numbers)
    assert begun == over == int(np.asarray(tables.states)["hand_number"].sum()) + 3


def test_without_next_hands_a_game_stops_at_the_end_of_its_hand() -> None:
    tables = tables_of("tenhou-sanma", 3)
    log = Log(tables)
    driver = Driver(tables, Seating.same([RandomAgent()] * 3, 3), [log], next_hands=False)
    driver.run()
    assert tables.hand_over.all()
    assert (np.asarray(tables.states)["hand_number"] == 0).all()
    assert sorted(table for _, what, numbers in log.lines if what == "hands_over" for table in numbers) == [0, 1, 2]
    tables.next_hand([0, 2])
    driver.begin(np.array([0, 2]))
    driver.run()
    assert np.asarray(tables.states)["hand_number"].tolist() == [1, 0, 1]
    assert [numbers for _, what, numbers in log.lines if what == "started"] == [[0, 1, 2], [0, 2]]


def test_finished_hands_are_continued() -> None:
    tables = tables_of("tenhou-sanma", 2)
    Driver(tables, Seating.same([RandomAgent()] * 3, 2), next_hands=False).run()
    lines: list[str] = []

    class Short(Observer):
        def hands_over(self, numbers: Any) -> None:
            lines.append(f"over {numbers.tolist()}")

    driver = Driver(tables, Seating.same([RandomAgent()] * 3, 2), [Short()])
    assert len(driver.questions()) == 1
    assert lines == ["over [0, 1]"]


# Open seats


def test_seats_without_an_agent_stay_open() -> None:
    tables, plain = tables_of(), tables_of()
    agent = RandomAgent()
    Driver(plain, Seating.same([agent] * 3, 6)).run()
    driver = Driver(tables, Seating.same([agent, None, agent], 6))
    assert (driver.seating.seats[:, 1] == NOBODY).all()
    decisions = 0
    driver.run()
    while len(driver.open):
        assert (tables.actors[driver.open] == 1).all()
        # One table at a time; the others wait.
        batch = tables.decisions(driver.open[:1])
        assert (batch.seats == 1).all()
        driver.answer(batch, agent.act(batch))
        waiting = driver.open
        assert driver.step()
        assert set(waiting) <= set(driver.waiting)
        driver.run()
        decisions += 1
    assert decisions > 20
    assert tables.over.all()
    assert (tables.scores == plain.scores).all()


def test_questions_are_repeated_until_they_are_answered() -> None:
    tables = tables_of(count=2)
    agent = RandomAgent()
    driver = Driver(tables, Seating.same([agent] * 3, 2))
    (question,) = driver.questions()
    assert not driver.step()
    part = question.batch.part([1])
    driver.answer(part, agent.act(part))
    assert [again.batch.tables.tolist() for again in driver.questions()] == [[0]]
    assert driver.step()
    assert np.asarray(tables.states)["clock"].tolist() == [0, 1]


def test_tables_can_be_reset_during_a_rollout() -> None:
    tables, plain = tables_of(count=2), tables_of(count=2, seed=[9, 8])
    agent = RandomAgent()
    driver = Driver(tables, Seating.same([agent] * 3, 2))
    (question,) = driver.questions()
    driver.answer(question.batch, agent.act(question.batch))
    tables.reset([0, 1], [9, 8])
    driver.begin()
    driver.run()
    Driver(plain, Seating.same([agent] * 3, 2)).run()
    assert (tables.scores == plain.scores).all()


# Errors


@pytest.mark.parametrize(
    ("answer", "message"),
    [
        (lambda batch: np.full(len(batch), Action.KAKAN), "seat 0 may not do action"),
        (lambda batch: np.full(len(batch), 5000), "table 0: seat 0 may not do action 5000"),
        (lambda batch: np.full(len(batch), -1), "may not do action -1"),
        (lambda batch: np.zeros(len(batch) + 1, int), "2 decisions need as many whole numbers"),
        (lambda batch: np.zeros(len(batch)), "whole numbers, not float64"),
    ],
)
def test_a_wrong_answer_is_named_and_nothing_has_changed(answer: Any, message: str) -> None:
    tables = tables_of(count=2)
    before = np.asarray(tables.states).copy()
    with pytest.raises(AgentError, match=f"player 'answering': .*{message}"):
        Driver(tables, Seating.same([Answering(answer), RandomAgent(), RandomAgent()], 2)).run()
    assert (np.asarray(tables.states) == before).all()


def test_exceptions_of_agents_are_not_changed() -> None:
    def fail(batch: DecisionBatch) -> Any:
        raise AgentError("lost its way")

    with pytest.raises(AgentError, match=r"^lost its way$"):
        Driver(tables_of(), Seating.same([Answering(fail), RandomAgent(), RandomAgent()], 6)).run()


def test_answers_to_outdated_decisions_are_refused() -> None:
    tables = tables_of(count=1)
    agent = RandomAgent()
    driver = Driver(tables, Seating.same([agent] * 3, 1))
    (question,) = driver.questions()
    tables.step(agent.act(question.batch))
    gone = question.batch.legal[0] & ~tables.legal()[0]
    before = np.asarray(tables.states).copy()
    with pytest.raises(AgentError, match="table 0: seat 0 may not do action"):
        driver.answer(question.batch, np.flatnonzero(gone)[:1])
    assert (np.asarray(tables.states) == before).all()
    assert not driver.step()


class ForThree(RandomAgent):
    players = frozenset({3})


def test_tables_agents_and_seating_must_fit() -> None:
    with pytest.raises(ValueError, match="auto_reset=False"):
        Driver(Tables(SANMA, 2), Seating.same([RandomAgent()] * 3, 2))
    with pytest.raises(ValueError, match=r"a seating of \(3, 3\) for 2 tables of 3"):
        Driver(tables_of(count=2), Seating.same([RandomAgent()] * 3, 3))
    with pytest.raises(AgentError, match="'three' is for three players"):
        Driver(tables_of("tenhou-hand", 2), Seating.same([ForThree("three"), *[RandomAgent()] * 3], 2))
