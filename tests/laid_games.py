"""Short records of constructed games with rare events: the rows of ``tests/vectors/laid-games.json``."""

from __future__ import annotations

import dataclasses
from typing import Any

from janshi.riichi.records import RiichiGame, read_games
from janshi.riichi.records.live import Story
from janshi.riichi.records.model import Event
from janshi.riichi.rules import TENHOU, Length
from janshi.sample import SAMPLE
from janshi.table import Table
from tests.claims import filled, rows
from tests.rules.tables import RIICHI_WORDS, laid

SINGLE = dataclasses.replace(TENHOU, length=Length.SINGLE_HAND)


def story_of(table: Table) -> Story:
    """Return the story of a table from now on."""
    story = Story(table.record, table.rules, ["a", "b", "c", "d"][: table.rules.players])
    story.update()
    return story


def laid_game(name: str, rules: str = "tenhou length=SINGLE_HAND", **columns: Any) -> RiichiGame:
    """Return the record of a game by its row, with values for columns that the row has."""
    row = filled(next(row for row in rows("laid-games") if row["claim"] == name), columns)
    table = laid({"rules": rules, **row})
    RIICHI_WORDS.change(table, row.get("set", {}))
    story = story_of(table)
    for step in [row["play"]] if isinstance(row["play"], str) else row["play"]:
        if isinstance(step, str):
            RIICHI_WORDS.play(table, step)
        else:
            RIICHI_WORDS.change(table, step["set"])
        story.update()
    return story.game("made")


def sanma_game() -> RiichiGame:
    """Return the shortest hand with kita and a kan in the package's sample of three players."""
    game = next(game for game in read_games([SAMPLE]) if isinstance(game, RiichiGame))
    kans = {Event.DAIMINKAN, Event.ANKAN, Event.KAKAN}
    events = [{*hand.events[:, 0].tolist()} for hand in game.hands]
    hands = [hand for hand, seen in zip(game.hands, events, strict=True) if Event.KITA in seen and seen & kans]
    hand = min(hands, key=lambda hand: len(hand.events))
    return dataclasses.replace(game, hands=[hand], final_scores=None, custom="one hand of it")
