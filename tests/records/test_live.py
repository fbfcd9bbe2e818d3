"""Games told while they are played."""

from __future__ import annotations

import json
from typing import Any

import numpy as np
import pytest

from janshi.agents import agent
from janshi.engine.play import write_keys
from janshi.records import difference, read_mjai_text
from janshi.records.live import HIDDEN, Story, seen_by
from janshi.records.mjai import write_mjai
from janshi.table import Table, Tables

NAMES = ["a", "b", "c", "d"]


def play(rules: str, seed: int, player: str, every: int = 1) -> Story:
    """Play a game; the story is brought up to date after every so many decisions, and at each hand's end."""
    tables = Tables(rules, 1, seed, auto_reset=False)
    one, only = agent(player), np.zeros(1, np.int64)
    story = Story(tables.states[0], tables.rules, NAMES[: tables.rules.players])
    step = 0
    story.update()
    while True:
        while tables.actors[0] >= 0:
            keys = np.zeros(1, np.int64)
            write_keys(tables.states, only, keys)
            tables.step(one.act(tables.views(), tables.legal(), keys))
            step += 1
            if step % every == 0:
                story.update()
        story.update()
        if story.events[-1]["type"] == "end_game":
            return story
        tables.next_hand(only)
        story.update()


@pytest.mark.parametrize("rules", ["tenhou-sanma", "tenhou", "tenhou-nored-east", "mahjong-soul-sanma"])
@pytest.mark.parametrize("player", ["random", "efficient"])
def test_a_story_is_the_record_of_its_game(rules: str, player: str) -> None:
    story = play(rules, 5, player)
    game = story.game("made here")
    assert story.events == list(write_mjai(game))
    (again,) = read_mjai_text("\n".join(json.dumps(event) for event in story.events))
    assert difference(game, again) is None


@pytest.mark.parametrize("every", [3, 1000])
def test_how_often_one_looks_does_not_matter(every: int) -> None:
    assert play("tenhou-sanma", 11, "efficient", every).events == play("tenhou-sanma", 11, "efficient").events


@pytest.mark.parametrize("seat", range(4))
def test_a_seat_sees_its_own_draws_and_nobody_elses(seat: int) -> None:
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


def test_what_is_not_known_is_not_shown() -> None:
    event: dict[str, Any] = {"type": "wall", "tiles": ["1m"]}
    with pytest.raises(ValueError, match="'wall' is not known"):
        seen_by(event, 0)


def test_hidden_tiles_change_nothing_of_what_a_seat_is_told() -> None:
    """The same wall but for tiles that seat 0 has not seen: the same events for it."""
    first = Table("tenhou-sanma-hand", seed=4)
    wall = first.record["wall"][:108].copy()
    other = wall.copy()
    # The dead wall's hidden places and the hands of the others: the first tiles of the wall but the indicator's.
    other[[0, 1, 2, 3]] = wall[[3, 2, 1, 0]]
    places = [108 - 1 - one for one in (4, 5, 6, 7, 8, 9, 10, 11)]  # what seats 1 and 2 are dealt first
    other[places] = wall[places[::-1]]
    second = Table("tenhou-sanma-hand", wall=other)
    first = Table("tenhou-sanma-hand", wall=wall)
    told = []
    for table in (first, second):
        story = Story(table.record, table.rules, NAMES[:3])
        told.append([seen_by(event, 0) for event in story.update()])
        assert not np.array_equal(first.record["hands"]["counts"][1], second.record["hands"]["counts"][1])
    assert told[0] == told[1]
