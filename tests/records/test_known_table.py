"""Real and generated games from the view of one seat, in our reconstruction and in `riichienv`'s."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import pytest
from made_games import ARCHIVES
from tests.cases import few_or_many

from janshi.mjai.moves import action_event
from janshi.mjai.table import KnownTable
from janshi.riichi.records import RiichiGame
from janshi.riichi.records.live import seen_by
from janshi.riichi.records.mjai import write_mjai
from janshi.riichi.records.replay import Replayer, Script
from janshi.riichi.rules import Rules, preset
from janshi.table import DecisionBatch, Tables

RealGames = Callable[[str, int | None], Iterator[RiichiGame]]


def hands_of(game: RiichiGame) -> list[list[dict[str, Any]]]:
    """Return the events of each hand, from its deal to its end."""
    hands: list[list[dict[str, Any]]] = []
    for event in write_mjai(game):
        if event["type"] == "start_kyoku":
            hands.append([])
        if hands:
            hands[-1].append(event)
    return hands


def replayed(rules: Rules, script: Script) -> Iterator[tuple[DecisionBatch, int, int]]:
    """Replay a hand: each decision, its seat, and the number of earlier events of the hand."""
    tables = Tables(rules, 1, auto_reset=False)
    states: Any = np.asarray(tables.states)
    states[:] = np.asarray(script.begin(rules))
    for action in script.actions.tolist():
        yield tables.decisions([0]), int(tables.actors[0]), int(states["logged"][0])
        tables.step([action])


def compare_views(game: RiichiGame) -> int:
    """Replay a record; compare each decision's view with that reconstructed from events. Return their number."""
    scripts = Replayer().replay(game, scripts=True).scripts
    hands = hands_of(game)
    decisions = 0
    for script in scripts:
        events = hands[script.number]
        tables = [KnownTable(game.rules) for _ in range(game.players)]
        heard = 0
        for seat, table in enumerate(tables):
            table.hear({"type": "start_game", "id": seat})
            table.hear(seen_by(events[0], seat))
        for decision, actor, logged in replayed(game.rules, script):
            for event in events[1 + heard : 1 + logged]:
                for seat, table in enumerate(tables):
                    table.hear(seen_by(event, seat))
            heard = logged
            known = tables[actor].decision()
            assert np.array_equal(known.legal, decision.legal)
            view: Any = np.asarray(known.views)
            # A replay leaves the absent fourth seat without points.
            view["seats"]["points"][:, game.players :] = 0
            assert view.tobytes() == np.asarray(decision.views).tobytes(), (game.source, script.number)
            assert np.asarray(known.events).tobytes() == np.asarray(decision.events).tobytes()
            decisions += 1
    return decisions


@pytest.mark.parametrize("archive", ARCHIVES)
@few_or_many(("most", "least"), (1, 50), (40, 1000))
def test_views_of_real_games_come_from_events_alone(archive: str, most: int, least: int, real_games: RealGames) -> None:
    assert sum(map(compare_views, real_games(archive, most))) > least


# ---------------------------------------------------------------------------------------------------------
# riichienv

#: A field of another type there: the seat is a text.
OURS = ("id",)
ASKING = ("tsumo", "dahai", "chi", "pon", "daiminkan", "ankan", "kakan", "reach", "nukidora")
#: Its name of a game by rules and players, and its rules.
MODES = {3: "SAN_HANCHAN", 4: "YON_HANCHAN"}


def meaning(event: dict[str, Any]) -> tuple[Any, ...]:
    """Return the meaning of an action; riichienv does not distinguish the drawn tile from an equal one."""
    kind = event["type"].replace("kita", "nukidora")
    if kind in ("dahai", "kakan"):
        return kind, event["pai"]
    if kind in ("chi", "pon", "daiminkan", "ankan"):
        return kind, tuple(sorted(event["consumed"]))
    return (kind,)


def beside_riichienv(events: list[dict[str, Any]], rules: Rules, seat: int) -> Counter[str]:
    """Send one seat's events to both tables; at its decisions the legal actions must be equal.

    riichienv 0.4 differs in four points, in which real records and sessions confirm our engine. It asks for a discard
    before the replacement tile of a kan is drawn, does not recognise a win on that tile as one after a kan, does not
    ask about another player's kita, and offers some wins in furiten: after a pass in riichi, and after a tile without
    yaku.
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
        theirs = [] if observation is None else [json.loads(action.to_mjai()) for action in observation.legal_actions()]
        tally["events"] += 1
        own = seen.get("actor") == seat
        if seen["type"] in ("daiminkan", "ankan", "kakan", "nukidora") and (own or seen["type"] == "nukidora"):
            rinshan = own
            continue
        asked = table.asked and seen["type"] in ASKING
        if theirs and not own and int(np.asarray(table.view())[0]["hand"]["missed"]):
            theirs = [each for each in theirs if each["type"] != "hora"]
            theirs = theirs if {each["type"] for each in theirs} > {"none"} else []
        assert bool(theirs) == asked, event
        if asked:
            view: Any = np.asarray(table.view())[0]
            ours = {meaning(action_event(view, rules, int(action))) for action in np.flatnonzero(table.legal()[0])}
            differ = ours ^ {meaning(event) for event in theirs}
            assert not differ or (rinshan and differ == {("hora",)}), event
            tally["decisions"] += 1
        rinshan = rinshan and seen["type"] == "dora"
    return tally


@few_or_many(
    ("archives", "most", "least"), (("sanma-2022", "four-2020", "four-ai"), 1, 450), (tuple(ARCHIVES), 30, 10_000)
)
def test_riichienv_accepts_events_of_real_games_with_the_same_decisions(
    archives: tuple[str, ...], most: int, least: int, real_games: RealGames
) -> None:
    tally: Counter[str] = Counter()
    for game in (game for archive in archives for game in real_games(archive, most)):
        if game.rules == preset("tenhou-sanma" if game.players == 3 else "tenhou"):
            for seat in range(game.players):
                tally += beside_riichienv(list(write_mjai(game)), game.rules, seat)
    assert tally["decisions"] > least
