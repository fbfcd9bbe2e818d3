"""Events of games in progress."""

from __future__ import annotations

import json
from itertools import product
from typing import Any

import numpy as np
import pytest
from made_games import play
from tests.cases import mostly_long

from janshi.agents import RandomAgent
from janshi.mjai.events import HAND_EVENTS, read_hand_event
from janshi.records.story import HIDDEN
from janshi.riichi.records import difference, read_mjai_text
from janshi.riichi.records.live import Story, seen_by
from janshi.riichi.records.mjai import write_mjai
from janshi.riichi.state import Event
from janshi.table import Tables

NAMES = ["a", "b", "c", "d"]


@pytest.mark.parametrize("rules", ["tenhou-sanma", "tenhou", "tenhou-nored-east", "mahjong-soul-sanma"])
@pytest.mark.parametrize("player", ["random", "efficient"])
def test_a_story_is_the_record_of_its_game(rules: str, player: str) -> None:
    story = play(rules, 5, player)
    game = story.game("made here")
    assert story.events == list(write_mjai(game))
    (again,) = read_mjai_text("\n".join(json.dumps(event) for event in story.events))
    assert difference(game, again) is None


@pytest.mark.parametrize("every", [3, 1000])
def test_the_frequency_of_updates_does_not_matter(every: int) -> None:
    assert play("tenhou-sanma", 11, "efficient", every).events == play("tenhou-sanma", 11, "efficient").events


@pytest.mark.parametrize("seat", range(4))
def test_a_seat_sees_only_its_own_draws(seat: int) -> None:
    story = play("tenhou", 3, "efficient")
    hidden = 0
    for event in story.events:
        seen = seen_by(event, seat)
        if event["type"] == "tsumo":
            assert (seen["pai"] == HIDDEN) == (event["actor"] != seat)
            hidden += seen["pai"] == HIDDEN
        elif event["type"] == "start_kyoku":
            assert [set(hand) == {HIDDEN} for hand in seen["tehais"]] == [who != seat for who in range(4)]
            assert {**seen, "tehais": event["tehais"]} == event
        elif event["type"] == "start_game":
            assert seen["id"] == seat
        else:
            assert seen == event
    assert hidden > 100


def test_hidden_information_is_not_shown() -> None:
    event: dict[str, Any] = {"type": "wall", "tiles": ["1m"]}
    with pytest.raises(ValueError, match="'wall' is not known"):
        seen_by(event, 0)


# ---------------------------------------------------------------------------------------------------------
# The engine's own log


def events_of_hand(story: Story, seat: int, players: int) -> list[list[int]]:
    """Return the current hand from a seat's mjai events, in the engine's encoding, by an independent reader."""
    starts = [number for number, event in enumerate(story.events) if event["type"] == "start_kyoku"]
    events = [seen_by(event, seat) for event in story.events[starts[-1] + 1 :]]
    rows = [read_hand_event(event, players) for event in events if event["type"] in HAND_EVENTS]
    return [[row.event, row.seat, row.tile, row.detail] for row in rows]


@pytest.mark.parametrize(
    ("rules", "seed"),
    mostly_long(
        product(("tenhou-sanma-east", "tenhou-east", "mahjong-soul-sanma-east", "ema"), range(3)),
        lambda rules, seed: seed == 0,
    ),
)
def test_the_engines_log_and_the_events_agree_for_a_seat(rules: str, seed: int) -> None:
    """In random games, `Tables.events` and `Story` with `seen_by` show the same after every decision."""
    tables = Tables(rules, 1, seed, auto_reset=False)
    players = tables.rules.players
    story = Story(tables.states[0], tables.rules, NAMES[:players])
    kinds: set[int] = set()
    while True:
        while True:
            story.update()
            for seat in range(players):
                log: Any = np.asarray(tables.events([0], [seat]))[0]
                rows = log["rows"].reshape(-1, 4)
                count = int(log["count"])
                assert rows[:count].tolist() == events_of_hand(story, seat, players)
                assert not rows[count:].any()
                kinds |= set(rows[:count, 0].tolist())
            if tables.actors[0] < 0:
                break
            tables.step(RandomAgent().act(tables.decisions()))
        if tables.over[0]:
            break
        tables.next_hand([0])
    assert {Event.DRAW, Event.DISCARD, Event.PON} <= kinds


def test_a_seat_sees_neither_ids_nor_seeds() -> None:
    for kind in ("start_game", "start_kyoku"):
        event = {"type": kind, "tehais": [["1m"], ["2m"]], "janshi": {"ids": [0, 4], "seed": "x"}}
        assert "janshi" not in seen_by(event, 0)
