"""The encoder `janshi` at every decision of constructed hands, compared with the hand tools; names of columns."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest

from janshi.encoders import encoder
from janshi.papers.gao.encoder import plane_names
from janshi.records.positions import Position
from janshi.riichi.actions import Action
from janshi.riichi.encoders import meowjong
from janshi.riichi.hands import shanten, ukeire
from janshi.riichi.positions import hand_of_game
from janshi.riichi.records import RiichiGame
from janshi.riichi.rules import TENHOU_SANMA
from janshi.riichi.state import Phase
from janshi.table import Table
from janshi.tiles import kind_of
from tests.claims import cases_of
from tests.laid_games import laid_game, sanma_game
from tests.rules.tables import make_table, offer, seen_outside

ALL = (1 << 34) - 1
#: Columns of `janshi` after those of the papers.
MORE = encoder("janshi").columns[366:]
GAO_NAMES = ("gao-56", "gao-68", "gao-86", "gao-sequence")


@pytest.fixture(scope="module")
def games() -> list[RiichiGame]:
    return [*map(laid_game, ("calls", "fives", "riichi")), sanma_game()]


# ---------------------------------------------------------------------------------------------------------
# Hand tools


def mask(kinds) -> int:
    return sum(1 << kind for kind in {*kinds})


def without(counts: np.ndarray, kind: int, number: int) -> np.ndarray:
    left = counts.copy()
    left[kind] -= number
    return left


def of_discards(view: Any, counts: np.ndarray, outside: np.ndarray, players: int) -> tuple[int, dict[str, int]]:
    """Return the shanten, and the columns of discards and kans."""
    calls = int(view["seats"][view["seat"]]["calls"])
    rows = ukeire(counts, outside, calls=calls, players=players)
    least = rows[0].shanten
    best = [row for row in rows if row.shanten == least]
    columns = {"discards that keep the shanten": mask(row.discard for row in best)}
    most = [row for row in best if row.left == best[0].left]
    columns["discards that accept most"] = mask(row.discard for row in most)
    columns["accepted kinds"] = mask(kind for row in most for kind in row.accepted)
    for count in (4, 8, 12, 16, 24):
        columns[f"discards that accept {count} or more"] = mask(row.discard for row in best if row.left >= count)
    closed, added = (int(word) for word in view["legal"][1:])
    keep, accept = [], []
    for kind in range(34):
        if (closed | added) >> kind & 1:
            number = 4 if closed >> kind & 1 else 1
            laid = outside.copy()
            laid[kind] += number
            (after,) = ukeire(without(counts, kind, number), laid, calls=calls + (number == 4), players=players)
            keep += [kind] * (after.shanten <= least)
            accept += [kind] * (after.shanten < least or (after.shanten == least and after.left >= best[0].left))
    columns["kans that keep the shanten"] = mask(keep)
    columns["kans that keep what is accepted"] = mask(accept)
    if view["drawn"] >= 0:
        columns["kan of the tile drawn"] = (closed | added) & 1 << kind_of(int(view["drawn"]))
    return least, columns


def of_waiting(view: Any, counts: np.ndarray, outside: np.ndarray, players: int) -> tuple[int, dict[str, int]]:
    """Return the shanten, and the columns of a hand without a drawn tile."""
    calls = int(view["seats"][view["seat"]]["calls"])
    (row,) = ukeire(counts, outside, calls=calls, players=players)
    columns = {"accepted kinds": mask(row.accepted)}
    if view["phase"] == Phase.CLAIM and view["turn"] != view["seat"]:
        kind = kind_of(int(view["tile"]))
        if counts[kind] >= 2 and shanten(without(counts, kind, 2), calls + 1, players) < row.shanten:
            columns["a pon lowers the shanten"] = ALL
    return row.shanten, columns


def more_columns(view: Any) -> dict[str, int]:
    """Return the columns from 366 on, by the table in `janshi.riichi.encoders.janshi`."""
    players, own = int(view["rules"]["players"]), int(view["seat"])
    counts, outside = view["hand"]["counts"].astype(np.int8), seen_outside(view).astype(np.int8)
    discards = view["phase"] != Phase.CLAIM and view["turn"] == own
    away, written = (of_discards if discards else of_waiting)(view, counts, outside, players)
    columns = dict.fromkeys(MORE, 0) | written
    names = [*(f"shanten {level}" for level in range(5)), "shanten 5 or more"]
    columns[names[min(max(away, 0), 5)]] = ALL
    columns["own riichi"] = ALL if view["seats"][own]["riichi"] else 0
    columns["riichi declared"] = ALL if view["phase"] == Phase.RIICHI_DISCARD else 0
    unseen = 4 - counts - outside
    in_play = [kind for kind in range(34) if players == 4 or not 1 <= kind <= 7]
    for count in range(1, 5):
        columns[f"{count} or more unseen"] = mask(kind for kind in in_play if unseen[kind] >= count)
    for count in (1, 6, 12, 24, 36, 48):
        columns[f"{count} or more tiles to draw"] = ALL if view["left"] >= count else 0
    columns["closed kans"], columns["added kans"] = (int(word) for word in view["legal"][1:])
    for step in range(1, players):
        other = view["seats"][(own + step) % players]
        thrown = mask(kind_of(tile) for tile in other["river"].tolist()[: other["discards"]])
        columns[f"player {step} ahead, discarded kinds"] = thrown
    return columns


def decisions(game: RiichiGame) -> Iterator[Position]:
    for number in range(1, len(game.hands) + 1):
        yield from hand_of_game(game, number).positions


def test_janshi_equals_the_hand_tools(games):
    met: Counter[str] = Counter()
    for game in games:
        for position in decisions(game):
            packed = encoder("janshi").encode_views(position.view)[0]
            assert (packed[:366] == encoder("meowjong").encode_views(position.view)[0]).all()
            columns = dict(zip(MORE, packed[366:].tolist(), strict=True))
            expected = more_columns(np.asarray(position.view)[0])
            wrong = {name: (columns[name], expected[name]) for name in MORE if columns[name] != expected[name]}
            assert not wrong, (game.source, position.decision)
            met.update(name for name in MORE if columns[name])
    assert {name for name in MORE if not met[name]} <= {"shanten 5 or more"}


def test_waiting_seats_are_encoded_completely():
    # Every seat at a table during a hand, one of them to discard.
    table = Table("tenhou", seed=5)
    for _ in range(30):
        table.act(Action.PASS if Action.PASS in table.legal else table.legal[0])
    far = make_table("tenhou", ["147m258p369s1234z"], "5z")
    won = make_table("tenhou", ["123m456p789s1155z"], "1z")
    # Seat 1 decides about 4p; its discarder, seat 0, holds two more.
    asked = make_table("tenhou", ["4457p123s99m1234z", "56p147m258s12356z"], "4p")
    offer(asked, 0, "4p")
    for view in (np.asarray(shown.view(seat)).reshape(1) for shown in (table, far, won, asked) for seat in range(4)):
        columns = dict(zip(MORE, encoder("janshi").encode_views(view)[0, 366:].tolist(), strict=True))
        assert columns == more_columns(view[0])
    assert more_columns(np.asarray(far.view(0)).reshape(1)[0])["shanten 5 or more"] == ALL


def test_numbers_out_of_range_are_the_nearest_in_range():
    table = make_table(TENHOU_SANMA, [])
    table.state.seats[1].points, table.state.honba = -500, 99
    columns = encoder("meowjong").encode_views(np.asarray(table.view(1)).reshape(1))[0]
    assert not columns[meowjong.SCORES : meowjong.SCORES + 11].any()
    assert (columns[meowjong.HONBA : meowjong.HONBA + 4] == ALL).all()


# ---------------------------------------------------------------------------------------------------------
# Names


def test_supported_rules_and_symmetries():
    for name in (*GAO_NAMES, "long", "long-call"):
        assert encoder(name).players == {4}
        assert not encoder(name).symmetric
    for name, players in (("meowjong", {3, 4}), ("janshi", {3, 4})):
        assert encoder(name).players == players
        assert encoder(name).symmetric


@pytest.mark.parametrize("name", ["janshi", "long", "gao-86", "meowjong"])
def test_names_describe_the_columns(name):
    """One column of each group, counted by hand from the tables in the modules' docstrings; planes of `gao-86`."""
    columns = plane_names(True, 6) if name == "gao-86" else encoder(name).columns
    _, wanted = cases_of("encoder-columns", name)
    assert [(number, columns[number]) for number, _ in wanted] == wanted
