"""Tables that begin at a decision with sampled tiles: the hand so far, and its record to its end."""

from __future__ import annotations

import dataclasses
from typing import Any

import numpy as np
import pytest

from janshi.agents import agent
from janshi.compiling import dtype_of
from janshi.games import rules_of
from janshi.records.story import seen_by
from janshi.rollout.sampling import SamplingError
from janshi.sichuan.hands.score import new_hands, value_hands
from janshi.sichuan.records.jsonl import read_sichuan, replay_sichuan, write_sichuan
from janshi.sichuan.records.live import SichuanStory
from janshi.sichuan.rules import PRESETS
from janshi.sichuan.sampling.hidden import sampled_table
from janshi.sichuan.sampling.winners import winning_hand
from janshi.sichuan.state import Phase, Seat, Win
from janshi.table import Table, Tables
from janshi.tiles import parse_tiles
from tests.cases import few_or_many
from tests.claims import cases_of
from tests.sichuan.tables import tile

NAMES = ["a", "b", "c", "d"]
HANDS = 2


def seen(events: list[dict[str, Any]], seat: int) -> list[dict[str, Any]]:
    """Return the events of the last hand as a seat sees them, with sorted hands."""
    begun = max(number for number, event in enumerate(events) if event["type"] == "start_kyoku")
    shown = [seen_by(event, seat) for event in events[begun:]]
    return [{**event, "tehais": list(map(sorted, event["tehais"]))} if "tehais" in event else event for event in shown]


def check(table: Table, story: SichuanStory, random: np.random.Generator) -> Any:
    """Check a table sampled at a decision, and that the record of its game can be replayed; return its record then."""
    batch, seat = table.decision().with_events(), table.actor
    tables = Tables(table.rules, 1, auto_reset=False)
    state = np.asarray(tables.states)[0]
    np.asarray(tables.states)[:] = begun = sampled_table(batch, random)
    sampled = SichuanStory(state, table.rules, NAMES)
    assert seen(sampled.update(), seat) == seen(story.events, seat)
    assert state["rules"] == table.record["rules"]
    while tables.actors[0] != seat:
        assert table.record["phase"] == Phase.CLAIM
        tables.step(agent("efficient").act(tables.decisions()))
    assert (tables.legal() == batch.legal).all()
    while not tables.over[0]:
        tables.next_hand(tables.hand_over)
        tables.step(agent("random").act(tables.decisions()))
        sampled.update()
    game = sampled.game("test")
    assert game.hands_before == int(table.record["hand_number"])
    assert read_sichuan(write_sichuan(game)) == [game]
    assert replay_sichuan(game).mismatches == []
    return begun[0]


def sampled_tables(rules: str, games: int, share: float, seed: int) -> list[tuple[Any, Any]]:
    """Check tables at a share of the decisions of games; return the records of the real and the sampled ones."""
    random = np.random.default_rng(seed)
    players = [agent("efficient"), agent("random")]
    found = []
    for game in range(games):
        table = Table(dataclasses.replace(rules_of(rules), hands=HANDS), seed + game)
        story = SichuanStory(table.record, table.rules, NAMES)
        story.update()
        while not table.over:
            if table.hand_over:
                table.next_hand()
            elif table.record["phase"] >= Phase.TURN and random.random() < share:
                found.append((table.record.copy(), check(table, story, random)))
            player = players[random.random() < 0.2]
            table.act(int(player.act(table.decision())[0]))
            story.update()
    return found


@pytest.mark.parametrize("rules", PRESETS)
@few_or_many(("games", "share", "least"), (3, 0.06, 10), (15, 0.15, 150))
def test_a_sampled_table_has_the_hand_so_far_and_plays_on(rules: str, games: int, share: float, least: int) -> None:
    found = sampled_tables(rules, games, share, seed=1)
    assert len(found) > least
    assert any(real["winners"] for real, _ in found)
    assert {int(real["phase"]) for real, _ in found} >= {Phase.TURN, Phase.CLAIM}
    assert any((real["hands"]["counts"] != sampled["hands"]["counts"]).any() for real, sampled in found)


@pytest.mark.parametrize(*cases_of("sichuan-shapes", "hands of winners"))
def test_a_winners_hand_has_the_value_of_the_win(tiles: str, pung: str, won: str) -> None:
    hands = new_hands(1)
    hands["counts"] = np.bincount(parse_tiles(tiles), minlength=27)
    hands["pungs"] = sum(1 << kind for kind in parse_tiles(pung))
    hands["void"], hands["kind"] = 1, tile(won)
    value = value_hands(hands)
    assert value["points"] > 0
    seat, win = np.zeros(1, dtype_of(Seat))[0], np.zeros(1, dtype_of(Win))[0]
    seat["pungs"], seat["calls"] = hands["pungs"][0], len(parse_tiles(pung))
    win["value"], win["tile"] = value[0], tile(won)
    left = np.full(27, 4) - 3 * (int(seat["pungs"]) >> np.arange(27) & 1)
    held = np.zeros(27, np.int64)
    held[[tile(won), parse_tiles(tiles)[0]]] = 1
    random = np.random.default_rng(3)
    drawn = [winning_hand(rules_of("sichuan"), seat, win, 1, left, held, np.ones(3), random) for _ in range(5)]
    assert len({hand.tobytes() for hand in drawn}) > 1 or tiles == "44s"
    for hand in drawn:
        assert (hand >= held).all()
        assert (hand <= left).all()
        hands["counts"] = hand
        assert (value_hands(hands)["times"] == value["times"]).all()
    with pytest.raises(SamplingError, match="winner"):
        winning_hand(rules_of("sichuan"), seat, win, 1, 0 * left, held, np.ones(3), random)
