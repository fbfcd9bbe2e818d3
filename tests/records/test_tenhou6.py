"""The JSON of tenhou.net/6."""

from __future__ import annotations

import copy
import json
from typing import Any

import pytest
from made_games import ARCHIVES, make_game

from janshi.riichi.records import (
    Drawn,
    Ending,
    Event,
    Limit,
    RecordError,
    RiichiGame,
    difference,
    read_tenhou6_text,
    viewer_address,
    write_tenhou6_text,
)
from janshi.riichi.records.tenhou6 import parse_tenhou6, read_tenhou6, write_tenhou6
from janshi.riichi.records.tenhou6_result import value_of
from janshi.riichi.rules import MAHJONG_SOUL_SANMA, PRESETS


def game_of(seats: list[list[Any]], result: list[Any], **more: Any) -> dict[str, Any]:
    """Return a record of one hand from deal, takes and discards of four seats."""
    log = [[0, 0, 0], [25000] * 4, more.get("dora", [41]), [], *[part for seat in seats for part in seat], result]
    return {"name": list("ABCD"), "rule": {"disp": "般南喰赤", "aka51": 1, "aka52": 1, "aka53": 1}, "log": [log]}


QUIET = ["流局", [0, 0, 0, 0]]
SEATS: list[list[Any]] = [
    [[11, 12, 13, 14, 15, 16, 17, 18, 19, 41, 41, 42, 42], [], []],
    [[21, 22, 23, 24, 25, 26, 27, 28, 29, 43, 43, 44, 44], [], []],
    [[31, 32, 33, 34, 35, 36, 37, 38, 39, 45, 45, 46, 46], [], []],
    [[11, 12, 13, 14, 15, 16, 17, 18, 19, 47, 47, 42, 42], [], []],
]


def seats(*parts: tuple[list[Any], list[Any]]) -> list[list[Any]]:
    made = copy.deepcopy(SEATS)
    for seat, (takes, discards) in enumerate(parts):
        made[seat][1:] = [takes, discards]
    return made


def kinds(game: RiichiGame) -> list[tuple[str, int]]:
    return [(Event(event).name, seat) for event, seat in game.hands[0].events[:, :2].tolist()]


def test_turns_follow_the_order_of_seats() -> None:
    record = game_of(seats(([19], [60]), ([29], [21]), ([39], [60]), ([22], [60])), QUIET)
    game = read_tenhou6(record)
    assert kinds(game) == [(name, seat) for seat in range(4) for name in ("DRAW", "DISCARD")]
    assert game.hands[0].events[1::2, 4].tolist() == [1, 0, 1, 1]
    assert not game.hands[0].exact


def test_backtracking_skips_the_first_fitting_discard() -> None:
    # Seat 0 discards east at once and again after seat 3's pon of south has skipped seats 0 … 2's turns. Seat 2 called
    # one of them from across; taking the first would leave seat 1's draw and the rest unused.
    made = seats(
        ([41, 41], [60, 60]),
        ([42], [60]),
        (["41p4141"], [45]),
        (["42p4242"], [11]),
    )
    made[0][0] = [11, 12, 13, 14, 15, 16, 17, 18, 19, 43, 43, 44, 21]
    made[2][0] = [31, 32, 33, 34, 35, 36, 37, 38, 39, 45, 41, 41, 46]
    made[1][0] = [21, 22, 23, 24, 25, 26, 27, 28, 29, 43, 43, 44, 44]
    record = game_of(made, QUIET, dora=[45])
    game = read_tenhou6(record)
    assert kinds(game) == [
        *[("DRAW", 0), ("DISCARD", 0), ("DRAW", 1), ("DISCARD", 1), ("PON", 3), ("DISCARD", 3)],
        *[("DRAW", 0), ("DISCARD", 0), ("PON", 2), ("DISCARD", 2)],
    ]


def test_kans_reveal_indicators_as_at_tenhou() -> None:
    # An open kan's indicator before the discard that follows; a closed kan's at once.
    made = seats(([47], [60]), ([41], []), ([], []), ([], []))
    made[3][0] = [11, 12, 13, 14, 15, 16, 17, 18, 19, 47, 47, 47, 42]
    made[3][1:] = [["474747m47", 42], [0, 60]]
    made[1][1:] = [[], []]
    # (the letter at the end: from the next seat, the dealer)
    game = read_tenhou6(game_of(made, QUIET, dora=[41, 43]))
    assert kinds(game)[2:] == [("DAIMINKAN", 3), ("DRAW", 3), ("DORA", -1), ("DISCARD", 3)]

    made = seats(([42, 21], ["424242a42", 60]), ([], []), ([], []), ([], []))
    made[0][0] = [11, 12, 13, 14, 15, 16, 17, 18, 19, 41, 42, 42, 42]
    made[3][0] = [11, 12, 13, 14, 15, 16, 17, 18, 19, 47, 47, 45, 43]
    game = read_tenhou6(game_of(made, QUIET, dora=[41, 43]))
    assert kinds(game) == [("DRAW", 0), ("ANKAN", 0), ("DORA", -1), ("DRAW", 0), ("DISCARD", 0)]


@pytest.mark.parametrize(
    ("value", "players", "points", "limit", "fu"),
    [
        ("40符3飜5200点", 4, 5200, Limit.NONE, 40),
        ("30符2飜500-1000点", 4, 2000, Limit.NONE, 30),
        ("30符2飜500-1000点", 3, 1500, Limit.NONE, 30),
        ("30符4飜3900点∀", 4, 11700, Limit.NONE, 30),
        ("満貫2000-4000点", 3, 6000, Limit.MANGAN, -1),
        ("跳満6000点∀", 4, 18000, Limit.HANEMAN, -1),
        ("役満32000点", 4, 32000, Limit.YAKUMAN, -1),
        ("ダブル役満64000点", 4, 64000, Limit.YAKUMAN, -1),
    ],
)
def test_values_are_read_from_their_text(value: str, players: int, points: int, limit: Limit, fu: int) -> None:
    assert value_of(value, players, "-" in value or "∀" in value) == (fu, points, limit)


def test_addresses_of_the_viewer_hold_the_whole_game(made: RiichiGame) -> None:
    (again,) = read_tenhou6_text(write_tenhou6_text([made]))
    (linked,) = read_tenhou6_text(viewer_address(made) + "&ts=2")
    assert difference(again, linked, exact=True) is None


def test_lists_lines_and_addresses_hold_several_games() -> None:
    games = [make_game(3, 1), make_game(4, 2)]
    text = write_tenhou6_text(games)
    assert [game.players for game in read_tenhou6_text(text)] == [3, 4]
    lines = "\n".join(json.dumps(write_tenhou6(game)) for game in games)
    assert [game.players for game in read_tenhou6_text(lines)] == [3, 4]
    addresses = "\n".join(viewer_address(game) for game in games)
    assert [game.players for game in read_tenhou6_text(addresses)] == [3, 4]


def test_other_presets_are_named_in_disp() -> None:
    game = make_game(3, 4, hands=2)
    game.rules, game.flags = MAHJONG_SOUL_SANMA, None
    (again,) = read_tenhou6_text(write_tenhou6_text([game]))
    assert again.rules == PRESETS["mahjong-soul-sanma"]


@pytest.mark.parametrize("archive", ARCHIVES)
def test_tenhous_own_records_come_back_letter_by_letter(archive: str, sample) -> None:
    for name, data in sample(archive, 8):
        if not name.endswith(".mjlog") and "の間" not in (source := json.loads(data))["rule"]["disp"]:
            (game,) = read_tenhou6_text(data.decode(), name)
            assert write_tenhou6(game)["log"] == source["log"], name


def test_two_winners_and_kitas_robbed_are_read(sample) -> None:
    double = kita = 0
    for name, data in sample("sanma-2026", 93):
        (game,) = read_tenhou6_text(data.decode(), name)
        for hand in game.hands:
            if isinstance(hand.outcome, list):
                double += len(hand.outcome) == 2
                kita += int(hand.events[-1, 0]) == Event.KITA
                if len(hand.outcome) == 2:
                    first, second = hand.outcome
                    assert second.deposits == 0
                    assert second.scores == tuple(a + b for a, b in zip(first.scores, first.deltas, strict=True))
    assert double > 0


@pytest.mark.parametrize("place", range(3))
@pytest.mark.parametrize("value", [False, [], 1.0, "1"])
def test_seats_of_a_win_are_integers(place: int, value: object) -> None:
    game = next(game for game in (make_game(3, seed) for seed in range(20)) if isinstance(game.hands[0].outcome, list))
    record = write_tenhou6(game)
    record["log"][0][16][2][place] = value
    game = read_tenhou6(record, "file.json")
    assert [hand.number for hand in game.cut] == [1]
    if place == 2:
        assert "not a number of a seat" in game.cut[0].reason


@pytest.mark.parametrize(
    "text", ["{", "[1]", "[]", "{}", '{"log":3}', "hello", "https://tenhou.net/6/#json=%7B", "[" * 9999]
)
def test_invalid_records_are_refused(text: str) -> None:
    with pytest.raises(RecordError):
        parse_tenhou6(text, "x")


def test_drawn_hands_contain_derived_values() -> None:
    for name, shown in (("全員聴牌", (0, 1, 2, 3)), ("全員不聴", ())):
        record = game_of(seats(([19], [60]), ([], []), ([], []), ([], [])), [name])
        outcome = read_tenhou6(record).hands[0].outcome
        assert isinstance(outcome, Drawn)
        assert (outcome.reason, outcome.shown) == (Ending.EXHAUSTIVE, shown)
    record = game_of(seats(([19], []), ([], []), ([], []), ([], [])), ["九種九牌"])
    outcome = read_tenhou6(record).hands[0].outcome
    assert isinstance(outcome, Drawn)
    assert (outcome.reason, outcome.shown) == (Ending.KYUUSHU_KYUUHAI, (0,))
