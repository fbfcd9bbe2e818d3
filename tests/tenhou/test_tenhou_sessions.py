"""Real sessions: hints equal the engine's, and our table sends Tenhou's messages."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

from janshi.tenhou.known import TenhouTable
from janshi.tenhou.protocol import Element
from tests.cases import few_or_many
from tests.tenhou.replaying import Replay
from tests.tenhou.sessions import Session, read_sessions

#: Interval of sessions in ordinary runs.
EVERY = 250
#: Number of a session whose last hand has two winners.
DOUBLE_RON = 18


def differing_hints(session: Session) -> tuple[int, int, list[tuple[Element, int]]]:
    """Return the numbers of checked messages, of hints among them, and the messages with another hint."""
    table = TenhouTable()
    checked = hints = 0
    differences = []
    for sent in session.received:
        table.hear(sent)
        if table.known.playing and (sent.letter or sent.tag == "N"):
            wanted, own = sent.number("t", 0), int(table.hint())
            checked += 1
            hints += wanted > 0
            if wanted != own:
                differences.append((sent, own))
    return checked, hints, differences


def test_hints_are_correct_after_a_return_into_a_hand(records: Path) -> None:
    returning = [session for first in (101, 363) for session in read_sessions(records, 1, first, first + 1)]
    for session in returning:
        assert any(sent.tag == "REINIT" for sent in session.received)
        checked, hints, differences = differing_hints(session)
        assert checked > 100
        assert hints
        assert differences == []


@few_or_many(
    ("every", "expected"),
    (EVERY, None),
    (1, {"sessions": 485, "checked": 484_964, "hints": 17_058}),
)
def test_every_hint_equals_the_engines(every: int, expected: dict[str, int] | None, records: Path) -> None:
    total: Counter[str] = Counter()
    for session in read_sessions(records, every):
        checked, hints, differences = differing_hints(session)
        total += Counter(sessions=1, checked=checked, hints=hints)
        assert differences == [], session.name
    assert expected in (None, total)


def replayed(session: Session) -> Counter[str]:
    replay = Replay(session)
    replay.run()
    assert replay.differences == []
    return replay.compared


def test_our_table_sends_tenhous_messages_after_a_double_ron_at_the_end(records: Path) -> None:
    (session,) = read_sessions(records, 1, DOUBLE_RON, DOUBLE_RON + 1)
    assert [sent.tag for sent in session.received][-3:] == ["AGARI", "PROF", "AGARI"]
    assert replayed(session)["PROF"] == 1


@few_or_many(("every", "least", "without"), (EVERY, 1000, 0), (1, 500_000, 4))
def test_our_table_sends_tenhous_messages(every: int, least: int, without: int, records: Path) -> None:
    sessions = [replayed(session) for session in read_sessions(records, every)]
    # Four sessions begin during a hand, without a deal.
    assert sum(not compared for compared in sessions) == without
    assert sum(compared.total() for compared in sessions) > least
