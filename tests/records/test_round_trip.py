"""Conversions from mjlog through the other formats and back are exact, and limit hands have their fu."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator
from itertools import product

import pytest
from made_games import ARCHIVES
from tests.cases import few_or_many, mostly_long

from janshi.riichi.records import (
    Drawn,
    RiichiGame,
    difference,
    read_bytes,
    read_games,
    read_mjlog,
    read_tenhou6_text,
    viewer_address,
    write_games,
    write_mjai_text,
    write_mjlog,
    write_tenhou6_text,
)
from janshi.riichi.records.extras import FIELD
from janshi.riichi.records.mjai import write_mjai
from janshi.riichi.records.tenhou6 import write_tenhou6
from janshi.sample import SAMPLE

MJLOGS = [archive for archive in ARCHIVES if archive != "sanma-2026"]
PATHS = [("mjai",), ("tenhou6",), ("mjai", "tenhou6"), ("tenhou6", "mjai")]

Sample = Callable[[str, int], Iterator[tuple[str, bytes]]]


def read(text: str, source: str = "") -> RiichiGame:
    (game,) = read_bytes(text.encode(), source)
    assert isinstance(game, RiichiGame), str(game)
    return game


def through(game: RiichiGame, path: tuple[str, ...]) -> RiichiGame:
    for to in path:
        game = read(write_games([game], to)[0], game.source)
    return game


def exact(text: str) -> str:
    """Return a generated record with ids like Tenhou's, ranks, a seed and all other fields of an mjlog."""
    around = {"dan": "16,17,18,0", "rate": "2100.50,1999.99,1500.00,1500.00", "sx": "M,F,C,C"}
    for name, value in around.items():
        text = re.sub(f'{name}="[^"]*"', f'{name}="{value}"', text)
    text = re.sub("<SHUFFLE[^>]*>", '<SHUFFLE seed="mt19937ar,8fbfe8b1" ref="2018010100gm-00b9-0000-0a1b2c3d"/>', text)
    text = re.sub(r'<GO type="\d+"[^/]*', '<GO type="249" lobby="7447" rule="1" csrule="2,3"', text)
    return re.sub(r'seed="(\d+,\d+,\d+),\d,\d,', r'seed="\1,3,5,', text)


def machine_made(count: int) -> Iterator[RiichiGame]:
    for number, game in enumerate(read_games([SAMPLE])):
        if number == count:
            return
        assert isinstance(game, RiichiGame)
        yield read(exact(write_mjlog(game)))


@pytest.mark.parametrize("path", PATHS, ids="-".join)
def test_a_record_survives_a_round_trip_exactly(path: tuple[str, ...]) -> None:
    for game in machine_made(6):
        back = through(game, path)
        assert write_mjlog(back) == write_mjlog(game)
        assert (back.flags, back.lobby, back.dan, back.custom) == (249, "7447", [16, 17, 18], "rule=1;csrule=2,3")
        assert difference(back, game, exact=True) is None
        assert all(hand.exact and hand.dice == (3, 5) for hand in back.hands)


@pytest.mark.parametrize(
    ("archive", "path", "count"),
    mostly_long(
        [*product(ARCHIVES, PATHS, [3]), *product(ARCHIVES, [("mjai", "tenhou6")], [400])],
        lambda archive, path, count: count == 3 and path == PATHS[ARCHIVES.index(archive) % len(PATHS)],
    ),
)
def test_real_records_survive_a_round_trip_exactly(
    archive: str, path: tuple[str, ...], count: int, sample: Sample
) -> None:
    checked = 0
    for name, data in sample(archive, count):
        game = read(data.decode(), name)
        back = through(game, path)
        assert difference(back, game) is None, name
        assert back.rules == game.rules
        if game.format == "mjlog":
            assert read(write_mjlog(game), name) == game
            assert write_mjlog(back) == write_mjlog(game), name
            assert [hand.wall is None for hand in back.hands] == [hand.wall is None for hand in game.hands]
        checked += 1
    assert checked


def mjlogs(members: Iterator[tuple[str, bytes]]) -> Iterator[RiichiGame]:
    for name, data in members:
        (game,) = read_bytes(data, name)
        assert isinstance(game, RiichiGame)
        if game.format == "mjlog":
            yield game


# ---------------------------------------------------------------------------------------------------------
# Fu


def _values(text: str) -> list[str]:
    return re.findall(r'<AGARI[^>]* ten="([^"]*)"', text)


def _without_extras(game: RiichiGame) -> str:
    return json.dumps(write_tenhou6(game, extras=False), ensure_ascii=False)


def test_fu_of_limit_hands_are_computed() -> None:
    limits = 0
    for game in machine_made(30):
        plain = read(_without_extras(game))
        wins = [win for hand in plain.hands if not isinstance(hand.outcome, Drawn) for win in hand.outcome]
        limits += sum(win.fu < 0 for win in wins)
        assert _values(write_mjlog(plain)) == _values(write_mjlog(game))
    assert limits > 20


@pytest.mark.parametrize("archive", MJLOGS)
@few_or_many("count", 6, 10_000)
def test_fu_of_real_limit_hands_are_those_of_tenhou(archive: str, count: int, sample: Sample) -> None:
    for game in mjlogs(sample(archive, count)):
        values = _values(write_mjlog(game))
        assert _values(write_mjlog(read(_without_extras(game), game.source))) == values, game.source
        assert not any(value.startswith("-1") for value in values)


def test_a_hand_that_contradicts_the_rules_has_no_fu() -> None:
    for game in machine_made(10):
        plain = read(_without_extras(game))
        for hand in plain.hands:
            if not isinstance(hand.outcome, Drawn) and hand.outcome[0].fu < 0:
                hand.events = hand.events[:-1]
                assert "-1," in "".join(_values(write_mjlog(plain)))
                return
    raise AssertionError("no limit hand")


# ---------------------------------------------------------------------------------------------------------
# The field


def test_a_game_without_further_data_has_no_field() -> None:
    (game, *_) = machine_made(1)
    plain = next(read_tenhou6_text(_without_extras(game)))
    plain.flags = None
    for hand in plain.hands:
        if isinstance(hand.outcome, Drawn):
            hand.outcome.shown = None
    assert FIELD not in json.loads(write_tenhou6_text([plain]))
    assert '"ids"' not in write_mjai_text([plain])


def test_links_and_reviews_have_no_field() -> None:
    (game, *_) = machine_made(1)
    assert FIELD not in viewer_address(game)
    own = {name for event in write_mjai(game, extras=False) for name in event.get(FIELD, {})}
    assert own <= {"rules", "points", "yaku", "yakuman", "limit", "fu_parts"}


def test_other_readers_ignore_the_field() -> None:
    (game, *_) = machine_made(1)
    record = json.loads(write_tenhou6_text([game]))
    assert all(len(log) == 17 for log in record["log"])
    assert set(record) - {FIELD} == set(json.loads(_without_extras(game)))
    assert read_mjlog(write_mjlog(game)).hands == game.hands
