"""A running game as mjai events: all of them, or as one seat may see them.

>>> from janshi.table import Table
>>> table = Table("tenhou-sanma-hand", seed=7)
>>> story = Story(table.record, table.rules, ["a", "b", "c"])
>>> [event["type"] for event in story.update()]
['start_game', 'start_kyoku', 'tsumo']
>>> table.act(table.legal[0])
>>> seen_by(story.update()[-1], 0)
{'type': 'tsumo', 'actor': 1, 'pai': '?'}

Everything that leaves a table for a player goes through `seen_by`: browsers, bots, other programs' environments. Agents
that read the log of a hand in the engine's own numbers take it from `janshi.table.Tables.events`, which hides the same.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from janshi.records.story import GameStory, seen_by
from janshi.riichi.records.mjai import start_game_event
from janshi.riichi.records.recording import GameRecording
from janshi.riichi.rules import Rules

__all__ = ["Story", "seen_by"]


class Story(GameStory):
    """Events of a table of Riichi from its beginning, in mjai's form; see `GameStory` for the arguments."""

    def __init__(self, state: Any, rules: Rules, names: Sequence[str], seat: int | None = None) -> None:
        super().__init__(state, rules, start_game_event(names, rules), GameRecording(rules, names), seat)
