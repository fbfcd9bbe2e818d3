"""Real games, and games of ours, as one seat is told them: to our table of what a seat knows, and to `riichienv`'s."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from made_games import ARCHIVES

from janshi.agents import agent
from janshi.arena import play_match
from janshi.bridges.mjai_moves import say_action
from janshi.bridges.mjai_table import KnownTable
from janshi.observe.positions import _of_script
from janshi.records import Game
from janshi.records.live import seen_by
from janshi.records.mjai import write_mjai
from janshi.records.replay import Replayer
from janshi.records.sources import Source, read_source, sources
from janshi.rules import Rules, preset
from janshi.table import bytes_of


def games_of(folder: Path, archive: str, most: int | None) -> Iterator[Game]:
    listed = [one for one in sources([folder / f"{archive}.zip"]) if isinstance(one, Source)]
    for source in listed if most is None else listed[:: max(1, len(listed) // most)]:
        yield from (game for game in read_source(source) if isinstance(game, Game))


def hands_of(game: Game) -> list[list[dict[str, Any]]]:
    """The events of each hand, from its deal to its end."""
    found: list[list[dict[str, Any]]] = []
    for event in write_mjai(game):
        if event["type"] == "start_kyoku":
            found.append([])
        if found:
            found[-1].append(event)
    return found


def compare_views(game: Game) -> int:
    """Play a record again; compare each decision's view with that put together from its events. Return how many."""
    scripts = Replayer().replay(game, scripts=True).scripts
    hands = hands_of(game)
    decisions = 0
    for script in scripts:
        events = hands[script.number]
        tables = [KnownTable(game.rules) for _ in range(game.players)]
        told = 0
        for seat, table in enumerate(tables):
            table.hear({"type": "start_game", "id": seat})
            table.hear(seen_by(events[0], seat))
        for position in _of_script(game.rules, script):
            for event in events[1 + told : 1 + position.events]:
                for seat, table in enumerate(tables):
                    table.hear(seen_by(event, seat))
            told = position.events
            table = tables[position.seat]
            assert tuple(np.flatnonzero(table.legal()[0])) == position.possible
            view: Any = np.asarray(table.view())
            # A replay leaves the absent fourth seat without points.
            view["seats"]["points"][:, game.players :] = 0
            assert np.array_equal(bytes_of(view), bytes_of(position.view)), (game.source, script.number)
            decisions += 1
    return decisions


@pytest.mark.parametrize("archive", ARCHIVES)
def test_views_of_real_games_come_from_events_alone(archive: str, records: Path) -> None:
    assert sum(compare_views(game) for game in games_of(records, archive, 2)) > 100


@pytest.mark.long
@pytest.mark.parametrize("archive", ARCHIVES)
def test_views_of_many_real_games_come_from_events_alone(archive: str, records: Path) -> None:
    assert sum(compare_views(game) for game in games_of(records, archive, 40)) > 1000


# ---------------------------------------------------------------------------------------------------------
# riichienv

#: Fields of ours whose names it uses for something else.
OURS = ("id", "yaku", "yakuman", "limit", "pao", "points")
ASKING = ("tsumo", "dahai", "chi", "pon", "daiminkan", "ankan", "kakan", "reach", "nukidora")
#: Its name for a game by rules and players, and its rules.
MODES = {3: "SAN_HANCHAN", 4: "YON_HANCHAN"}


def meaning(said: dict[str, Any]) -> tuple[Any, ...]:
    """What an action is, as far as both tell: riichienv does not tell the drawn tile from its like in the hand."""
    kind = said["type"].replace("kita", "nukidora")
    if kind in ("dahai", "kakan"):
        return kind, said["pai"]
    if kind in ("chi", "pon", "daiminkan", "ankan"):
        return kind, tuple(sorted(said["consumed"]))
    return (kind,)


def beside_riichienv(events: list[dict[str, Any]], rules: Rules, seat: int) -> Counter[str]:
    """Tell one seat's events to both tables; where they ask it to decide, the legal actions must be the same.

    riichienv 0.4 differs in three things, in which real records prove ours right: told events, it asks for a discard
    before the replacement tile of a kan is drawn, does not know that a win on that tile is one after a kan, and does
    not ask about a North that somebody sets aside.
    """
    riichienv = pytest.importorskip("riichienv")
    mode = int(getattr(riichienv.GameType, MODES[rules.players]))
    env = riichienv.RiichiEnv(game_mode=mode, rule=riichienv.GameRule.default_tenhou())
    table = KnownTable(rules)
    tally: Counter[str] = Counter()
    rinshan = False
    for event in events:
        seen = seen_by(event, seat)
        table.hear(seen)
        plain = {name: value for name, value in seen.items() if name not in OURS}
        observation = env.observe_event({**plain, "type": seen["type"].replace("nukidora", "kita")}, seat)
        theirs = [] if observation is None else [json.loads(one.to_mjai()) for one in observation.legal_actions()]
        tally["events"] += 1
        own = seen.get("actor") == seat
        if seen["type"] in ("daiminkan", "ankan", "kakan", "nukidora") and (own or seen["type"] == "nukidora"):
            rinshan = own
            continue
        asked = table.asked and seen["type"] in ASKING
        assert bool(theirs) == asked, event
        if asked:
            view: Any = np.asarray(table.view())[0]
            ours = {meaning(say_action(view, rules, int(one))) for one in np.flatnonzero(table.legal()[0])}
            differ = ours ^ {meaning(one) for one in theirs}
            assert not differ or (rinshan and differ == {("hora",)}), event
            tally["decisions"] += 1
        rinshan = rinshan and seen["type"] == "dora"
    return tally


@pytest.mark.parametrize("rules", ["tenhou", "tenhou-sanma"])
@pytest.mark.parametrize("player", ["random", "efficient"])
def test_riichienv_takes_our_events_and_asks_the_same(rules: str, player: str) -> None:
    games: list[Game] = []
    by = preset(rules)
    play_match([agent(player)] * by.players, by, 2, seed=6, rotations=1, on_game=games.append)
    tally: Counter[str] = Counter()
    for game in games:
        for seat in range(by.players):
            tally += beside_riichienv(list(write_mjai(game)), by, seat)
    assert tally["decisions"] > 500


def check_records(folder: Path, archive: str, most: int) -> Counter[str]:
    tally: Counter[str] = Counter()
    for game in games_of(folder, archive, most):
        if game.rules == preset("tenhou-sanma" if game.players == 3 else "tenhou"):
            for seat in range(game.players):
                tally += beside_riichienv(list(write_mjai(game)), game.rules, seat)
    return tally


@pytest.mark.parametrize("archive", ["sanma-2022", "four-2020", "four-ai"])
def test_riichienv_takes_the_events_of_real_games_and_asks_the_same(archive: str, records: Path) -> None:
    assert check_records(records, archive, 2)["decisions"] > 300


@pytest.mark.long
@pytest.mark.parametrize("archive", ARCHIVES)
def test_riichienv_takes_the_events_of_many_real_games_and_asks_the_same(archive: str, records: Path) -> None:
    check_records(records, archive, 30)
