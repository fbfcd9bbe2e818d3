"""Sichuan mahjong in the browser: its facet ``"page"``."""

from __future__ import annotations

import dataclasses
from typing import Final

from janshi.agents.random import random_legal_actions
from janshi.encoders import encoder
from janshi.sichuan.agents.efficient import efficient_actions
from janshi.sichuan.agents.heuristic import ENTRIES as HEURISTIC_ENTRIES
from janshi.sichuan.game import SICHUAN_GAME
from janshi.sichuan.hands.score import ENTRIES as HAND_ENTRIES
from janshi.sichuan.rules import Rules
from janshi.sichuan.say import SAY
from janshi.sichuan.state import Phase
from janshi.web.messages import Player
from janshi.web.pages import GamePage, entries_of

#: Hands of a game by its length.
_HANDS: Final = {"four": 4, "hand": 1, "eight": 8}


def _at_length(rules: Rules, length: str) -> Rules:
    return dataclasses.replace(rules, name=rules.name.replace("-hand", ""), hands=_HANDS[length])


def _player(name: str, label: str, description: str, reviews: bool = True) -> Player:
    return Player(
        name=name, label=label, players=[4], games=[SICHUAN_GAME.name], description=description, reviews=reviews
    )


PAGE: Final = GamePage(
    presets=tuple(SICHUAN_GAME.presets),
    lengths=tuple(_HANDS),
    at_length=_at_length,
    players=(
        _player("sichuan", "Sichuan AI", "learned from its own games"),
        _player("efficient", "Efficient", "rule-based: minimises shanten"),
        _player("heuristic", "Heuristic", "rule-based: scores sets and pairs", reviews=False),
        _player("random", "Random", "plays at random", reviews=False),
    ),
    claim=int(Phase.CLAIM),
    first=(*entries_of(SICHUAN_GAME), *SAY.entries, *HAND_ENTRIES, *encoder("sichuan").entries),
    later=(efficient_actions, random_legal_actions, *HEURISTIC_ENTRIES),
)
