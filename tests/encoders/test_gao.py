"""The planes of the `gao` thesis: each one against tables made by hand, and all against a reference over whole games.

The reference follows a record's events alone, forwards, and keeps what a player saw at each of his discards; the
encoders start from the present and undo the log.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field

import numpy as np
import pytest

from janshi.encoders import encoder
from janshi.papers.gao.encoder import STEPS, plane_names, step_names
from janshi.riichi.actions import Action
from janshi.riichi.records import Event, Game, Hand
from janshi.riichi.rules import TENHOU, Rules
from janshi.table import Table
from janshi.tiles import kind_of, parse_tiles
from tests.encoders.following import assert_equal, assert_met, followed, own_games, peoples_games
from tests.rules.tables import do, make_table, offer, pass_all, throw

NAMES = {"gao-56": plane_names(False, 4), "gao-68": plane_names(True, 4), "gao-86": plane_names(True, 6)}
Plane = dict[int, int]


def planes(table: Table, seat: int, name: str = "gao-86") -> dict[str, np.ndarray]:
    """Return planes (34, 4) by name."""
    batch = table._tables.decisions([0]).with_events()
    assert table.actor == seat
    dense = encoder(name).inputs(encoder(name).encode(batch))[0]
    return {what: dense[4 * number : 4 * number + 4].T for number, what in enumerate(NAMES[name])}


def tiles(text: str) -> np.ndarray:
    """Return a plane with tiles."""
    plane = np.zeros((34, 4), np.uint8)
    for kind, count in Counter(map(kind_of, parse_tiles(text))).items():
        plane[kind, :count] = 1
    return plane


def rows(text: str) -> np.ndarray:
    """Return a plane with full rows."""
    plane = np.zeros((34, 4), np.uint8)
    plane[[kind_of(tile) for tile in parse_tiles(text)]] = 1
    return plane


def same(plane: np.ndarray, expected: np.ndarray) -> bool:
    return bool((plane == expected).all())


# ---------------------------------------------------------------------------------------------------------
# Each plane


def test_the_planes_are_counted_and_ordered_as_printed():
    assert [len(names) for names in NAMES.values()] == [56, 68, 86]
    assert NAMES["gao-56"][:2] == ("own hand", "red fives")
    assert NAMES["gao-56"][14:17] == ("round wind", "own wind", "past 1, own hand")
    assert NAMES["gao-68"][14:18] == ("rank 1", "rank 2", "rank 3", "rank 4")
    assert NAMES["gao-68"][18:28] == (
        *(f"{wind} {number}" for wind in ("East", "South") for number in range(1, 5)),
        "round wind",
        "own wind",
    )
    assert NAMES["gao-86"][:68] == NAMES["gao-68"]
    assert NAMES["gao-86"][68].startswith("past 5")
    assert step_names()[13:] == ("red fives", "round wind", "own wind")
    assert encoder("gao-sequence").shape == (STEPS * 16 * 4, 34)


def test_own_hand_and_red_fives():
    shown = planes(make_table(TENHOU, ["1999m05p12345s55z"], "5p"), 0)
    assert same(shown["own hand"], tiles("1999m555p12345s55z"))
    assert same(shown["red fives"], rows("5p"))


def test_discards_of_everybody_and_what_is_claimed():
    table = make_table(TENHOU, ["1z", "22z19m159p159s147s", "", "3z"], "2z1m2m3m")
    offer(table, 0, "2z")
    shown = planes(table, 1)
    assert same(shown["previous player's discards"], tiles("2z")), "the offered tile is with who discarded it"
    do(table, 1, Action.PON)
    shown = planes(table, 1)
    assert same(shown["previous player's discards"], tiles("")), "claimed, it is with the caller alone"
    assert same(shown["own calls"], tiles("222z"))
    throw(table, 1, "1m")
    throw(table, 2, "1m")
    shown = planes(table, 3)
    assert same(shown["opposite player's discards"], tiles("1m"))
    assert same(shown["previous player's discards"], tiles("1m"))
    assert same(shown["opposite player's calls"], tiles("222z"))
    throw(table, 3, "3z")
    shown = planes(table, 0)
    assert same(shown["previous player's discards"], tiles("3z"))
    assert same(shown["next player's calls"], tiles("222z"))
    assert same(shown["own discards"], tiles(""))


def test_chii_pon_and_kan_in_the_calls():
    table = make_table(TENHOU, ["", "23m6666s159p1234z"], "1m1p", replacements="9p")
    offer(table, 0, "1m")
    do(table, 1, Action.CHII)
    shown = planes(table, 1)
    assert same(shown["own calls"], tiles("123m"))
    assert same(shown["own hand"], tiles("6666s159p1234z"))
    throw(table, 1, "1z")
    for _ in range(3):
        table.act(Action.TSUMOGIRI)
        pass_all(table)
    assert table.actor == 1
    do(table, 1, Action.ANKAN + kind_of(parse_tiles("6s")[0]))
    pass_all(table)
    shown = planes(table, 1)
    assert same(shown["own calls"], tiles("123m6666s")), "a kan is four, a chii three"


def test_equal_indicators_add_up():
    table = make_table(TENHOU, ["1111m0555p19s123z"], "9m", dora="3s3s", replacements="1z")
    assert same(planes(table, 0)["dora indicators"], tiles("3s"))
    do(table, 0, Action.ANKAN)
    pass_all(table)
    shown = planes(table, 0)
    assert same(shown["dora indicators"], tiles("33s"))
    assert same(shown["past 1, dora indicators"], tiles("")), "no discard was decided before"


def test_riichi_of_the_others_from_the_declaration_on():
    table = make_table(TENHOU, ["234m567p345s11z99s"], "5z")
    assert same(planes(table, 0)["previous player's riichi"], rows(""))
    table.act(Action.RIICHI)
    pass_all(table)
    shown = planes(table, 1)
    assert shown["previous player's riichi"].all()
    assert not shown["next player's riichi"].any()
    assert not shown["opposite player's riichi"].any()
    table.act(Action.TSUMOGIRI)
    pass_all(table)
    assert planes(table, 2)["opposite player's riichi"].all()


def test_winds():
    table = make_table(TENHOU, [])
    shown = planes(table, 0)
    assert same(shown["round wind"], rows("1z"))
    assert same(shown["own wind"], rows("1z"))
    table.state.kyoku = 6
    table.state.dealer = 2
    shown = planes(table, 0)
    assert same(shown["round wind"], rows("2z"))
    assert same(shown["own wind"], rows("3z"))


@pytest.mark.parametrize(("points", "rank"), [
    ((30, 25, 25, 20), 1), ((25, 25, 25, 25), 1), ((24, 26, 25, 25), 4), ((25, 30, 20, 25), 2), ((20, 30, 30, 20), 3),
])  # fmt: skip
def test_rank(points: tuple[int, ...], rank: int):
    table = make_table(TENHOU, [])
    for seat, thousands in enumerate(points):
        table.state.seats[seat].points = 1000 * thousands
    shown = planes(table, 0)
    assert [bool(shown[f"rank {number}"].all()) for number in range(1, 5)] == [number == rank for number in range(1, 5)]
    assert sum(int(shown[f"rank {number}"].any()) for number in range(1, 5)) == 1


def test_rank_is_that_at_the_start_of_the_hand():
    table = make_table(TENHOU, ["234m567p345s11z99s"], "5z")
    for seat, points in enumerate((25_500, 25_000, 25_000, 24_500)):
        table.state.seats[seat].points = points
    table.act(Action.RIICHI)
    pass_all(table)
    assert int(table.state.seats[0].points) == 24_500
    assert planes(table, 1)["rank 2"].all(), "the stick on the table makes nobody first"


@pytest.mark.parametrize(
    ("kyoku", "name"), [(0, "East 1"), (3, "East 4"), (5, "South 2"), (7, "South 4"), (9, "South 4")]
)
def test_hand_number(kyoku: int, name: str):
    table = make_table(TENHOU, [])
    table.state.kyoku = kyoku
    shown = planes(table, 0)
    numbers = [f"{wind} {number}" for wind in ("East", "South") for number in range(1, 5)]
    assert [what for what in numbers if shown[what].all()] == [name]
    assert sum(int(shown[what].any()) for what in numbers) == 1


def test_past_situations_are_those_of_the_own_discards():
    table = make_table(TENHOU, ["19m19p19s1234567z"], "5m6m7m8m2m")
    throw(table, 0, "5m")
    for _ in range(3):
        table.act(Action.TSUMOGIRI)
        pass_all(table)
    shown = planes(table, 0)
    assert same(shown["own hand"], tiles("129m19p19s1234567z"))
    assert same(shown["past 1, own hand"], tiles("159m19p19s1234567z"))
    assert same(shown["past 1, own discards"], tiles(""))
    assert same(shown["past 1, next player's discards"], tiles(""))
    assert not any(shown[f"past {number}, own hand"].any() for number in range(2, 7))
    table.act(kind_of(parse_tiles("9m")[0]))
    pass_all(table)
    for _ in range(3):
        table.act(Action.TSUMOGIRI)
        pass_all(table)
    shown = planes(table, 0)
    assert same(shown["past 1, own hand"], tiles("129m19p19s1234567z"))
    assert same(shown["past 1, own discards"], tiles("5m"))
    assert same(shown["past 1, next player's discards"], tiles("6m"))
    assert same(shown["past 2, own hand"], tiles("159m19p19s1234567z"))
    assert same(shown["past 2, next player's discards"], tiles(""))


def drawn_once_more(table: Table) -> None:
    """Discard all drawn tiles until it is seat 0's turn again."""
    while table.actor != 0:
        table.act(Action.TSUMOGIRI)
        pass_all(table)


def test_a_riichi_after_the_own_discard_is_not_in_the_past():
    table = make_table(TENHOU, ["19m19p19s1234567z", "234m567p345s11z99s"], "5m5z6m7m8m")
    throw(table, 0, "5m")
    table.act(Action.RIICHI)
    pass_all(table)
    drawn_once_more(table)
    shown = planes(table, 0)
    assert shown["next player's riichi"].all()
    for player in ("next", "opposite", "previous"):
        assert not shown[f"past 1, {player} player's riichi"].any()


def red_fives(table: Table) -> list[np.ndarray]:
    """Planes of the red fives at seat 0's first discard and now."""
    batch = table._tables.decisions([0]).with_events()
    dense = encoder("gao-sequence").inputs(encoder("gao-sequence").encode(batch))[0]
    steps = dense.reshape(STEPS, 16, 4, 34)
    return [plane.T for plane in steps[:2, step_names().index("red fives")]]


@pytest.mark.parametrize(
    ("hand", "kan", "before"),
    [
        ("0555p19m19s12345z", "5p", "5p"),
        ("0555s19m19p12345z", "5s", "5s"),
        ("1111z0m199p19s234z", "1z", "5m"),
        ("5555z0m199p19s234z", "5z", "5m"),
    ],
)
def test_a_kan_takes_red_fives_out_of_the_hand_only_if_it_is_of_fives(hand: str, kan: str, before: str):
    table = make_table(TENHOU, [hand], "7z7m7m7m7m", replacements="6z6z")
    throw(table, 0, "7z")
    drawn_once_more(table)
    do(table, 0, Action.ANKAN + kind_of(parse_tiles(kan)[0]))
    drawn_once_more(table)
    first, now = red_fives(table)
    assert same(first, rows(before))
    assert same(now, rows("" if before == kan else before))


@pytest.mark.parametrize(
    ("hand", "draws", "thrown", "reds"),
    [
        ("19m19p19s1234567z", "7m7z7z7z0p", "7m", ("", "5p")),  # drawn since
        ("0m9m19p19s1234567z", "7m7z7z7z8p", "0m", ("5m", "")),  # discarded
    ],
)
def test_red_fives_drawn_since_the_last_discard_or_discarded_with_it(
    hand: str, draws: str, thrown: str, reds: tuple[str, str]
):
    table = make_table(TENHOU, [hand], draws)
    throw(table, 0, thrown)
    drawn_once_more(table)
    assert [same(plane, rows(text)) for plane, text in zip(red_fives(table), reds, strict=True)] == [True, True]


def test_a_chii_with_the_red_five_of_the_hand_takes_it_out():
    table = make_table(TENHOU, ["06m19p19s1234567z"], "7m7z7z4m")
    throw(table, 0, "7m")
    for _ in range(2):
        table.act(Action.TSUMOGIRI)
        pass_all(table)
    offer(table, 3, "4m")
    do(table, 0, Action.CHII_RED)
    assert [same(plane, rows(text)) for plane, text in zip(red_fives(table), ("5m", ""), strict=True)] == [True, True]


# ---------------------------------------------------------------------------------------------------------
# Whole games, by a reference


@dataclass
class Seen:
    """A seat's visible tiles and its hand (ids)."""

    held: list[int]
    discards: list[int] = field(default_factory=list)
    calls: list[int] = field(default_factory=list)
    riichi: bool = False


def cells(kinds: list[int]) -> list[int]:
    counts = Counter(kinds)
    return [sum(1 << kind for kind, count in counts.items() if count >= cell) for cell in (1, 2, 3, 4)]


def whole(kinds: list[int]) -> list[int]:
    return [sum(1 << kind for kind in set(kinds))] * 4


def all_cells(yes: bool) -> list[int]:
    return [(1 << 34) - 1 if yes else 0] * 4


class Reference:
    """Follows a record and stores each seat's view at each of its discards."""

    def __init__(self, hand: Hand, rules: Rules) -> None:
        self.hand, self.rules = hand, rules
        self.seats = [Seen(ids) for ids in hand.deal.tolist()]
        self.indicators = [hand.dora // 4]
        self.past: list[list[list[list[int]]]] = [[], [], [], []]
        self.last = 0
        self.fresh = 0
        """Indicators turned since the last draw or call: with a discard, after it was decided."""

    def take(self, row: list[int]) -> None:
        event, seat, tile, _, *own = row
        if event == Event.DORA:
            self.indicators.append(tile // 4)
            self.fresh += 1
            return
        player = self.seats[seat]
        if event not in (Event.RIICHI, Event.DISCARD):
            self.fresh = 0
        if event == Event.RIICHI:
            player.riichi = True
        elif event == Event.DRAW:
            player.held.append(tile)
        elif event == Event.DISCARD:
            self.past[seat].append(self.situation(seat, self.fresh))
            self.fresh = 0
            player.held.remove(tile)
            player.discards.append(tile // 4)
            self.last = seat
        elif event != Event.ACCEPTED:
            for one in own:
                if one >= 0:
                    player.held.remove(one)
                    player.calls.append(one // 4)
            if event in (Event.CHII, Event.PON, Event.DAIMINKAN):
                player.calls.append(self.seats[self.last].discards.pop())

    def situation(self, seat: int, hidden: int = 0) -> list[list[int]]:
        """Return own hand, discards, calls, indicators, riichi and red fives: a list of four masks for each plane."""
        around = [self.seats[(seat + step) % 4] for step in range(4)]
        held = self.seats[seat].held
        reds = [one // 4 for one in held if one in (16, 52, 88) and self.rules.red_fives[one // 36]]
        return [
            cells([one // 4 for one in held]),
            *(cells(player.discards) for player in around),
            *(cells(player.calls) for player in around),
            cells(self.indicators[: len(self.indicators) - hidden]),
            *(all_cells(player.riichi) for player in around[1:]),
            whole(reds),
        ]

    def winds(self, seat: int) -> list[list[int]]:
        return [whole([27 + self.hand.round // 4]), whole([27 + (seat - self.hand.dealer) % 4])]

    def planes(self, seat: int, off_table: bool, past: int) -> list[int]:
        now = self.situation(seat)
        shown = [now[0], now[13], *now[1:13]]
        if off_table:
            better = [
                (-points, other) < (-self.hand.scores[seat], seat) for other, points in enumerate(self.hand.scores)
            ]
            shown += [all_cells(rank == sum(better)) for rank in range(4)]
            shown += [all_cells(number == min(self.hand.round, 7)) for number in range(8)]
        shown += self.winds(seat)
        before = self.past[seat][::-1][:past]
        for number in range(past):
            length = 13 if number == 0 else 9
            shown += before[number][:length] if number < len(before) else [[0] * 4] * length
        return [mask for plane in shown for mask in plane]

    def sequence(self, seat: int) -> list[int]:
        steps = [*self.past[seat], self.situation(seat)][-STEPS:]
        shown = [plane for step in steps for plane in (*step, *self.winds(seat))]
        shown += [[0] * 4] * (16 * (STEPS - len(steps)))
        return [mask for plane in shown for mask in plane]


def check(game: Game, met: Counter[str]) -> None:
    """Compare all encoders at every decision of a game; count the events."""
    for reference, _, position in followed(game, Reference, met):
        seat = position.seat
        expected = {
            "gao-56": reference.planes(seat, False, 4),
            "gao-68": reference.planes(seat, True, 4),
            "gao-86": reference.planes(seat, True, 6),
            "gao-sequence": reference.sequence(seat),
        }
        for name, columns in expected.items():
            shown = encoder(name).encode(position.batch)[0].tolist()
            assert_equal(game, position, encoder(name).columns, shown, columns)
        met["own calls in the past"] += any(situation[5][0] for situation in reference.past[seat])
        for situation in reference.past[seat][-1:]:
            met["riichi in the past"] += any(plane[0] for plane in situation[10:13])
            met["red fives in the past"] += bool(situation[13][0])


def test_every_decision_of_generated_games():
    met: Counter[str] = Counter()
    for game in own_games("tenhou", 2, 13)[:5]:
        check(game, met)
    wanted = {event.name for event in Event} - {"KITA"}
    assert_met(met, wanted | {"own calls in the past", "riichi in the past", "red fives in the past"}, 1000)


def test_real_games():
    met: Counter[str] = Counter()
    for game in peoples_games("four-20*.zip", 2400):
        check(game, met)
    assert_met(met, set(), 1000)
