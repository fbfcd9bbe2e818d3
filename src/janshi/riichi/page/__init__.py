"""Riichi in the browser: its facet ``"page"``."""

from __future__ import annotations

import dataclasses
import re
from typing import Any, Final

from janshi.encoders import encoder
from janshi.riichi.agents.efficient import ENTRIES as EFFICIENT_ENTRIES
from janshi.riichi.game import RIICHI
from janshi.riichi.hands.shanten import ENTRIES as HAND_ENTRIES
from janshi.riichi.rules import PRESETS, Length, Rules
from janshi.riichi.say import SAY
from janshi.riichi.state import Phase
from janshi.web.messages import Figures, Player
from janshi.web.pages import GamePage, entries_of

_LENGTHS: Final = {"east": Length.EAST, "hand": Length.SINGLE_HAND, "south": Length.EAST_SOUTH}


def _at_length(rules: Rules, length: str) -> Rules:
    base = re.sub("-(hand|east|south)", "", rules.name)
    name = base if length == "south" else f"{base}-{length}"
    return dataclasses.replace(rules, name=name, length=_LENGTHS[length])


def _player(name: str, label: str, players: list[int], description: str, reviews: bool = True) -> Player:
    return Player(
        name=name, label=label, players=players, games=[RIICHI.name], description=description, reviews=reviews
    )


def _people(players: int, games: int, hands: int, **figures: Any) -> Figures:
    """Return figures of all seats of recorded games, each of which counts as a game and its hands."""
    places = [games // players] * players
    mean_place = (players + 1) / 2
    return Figures(
        game=RIICHI.name, players=players, games=games, hands=hands, places=places, mean_place=mean_place, **figures
    )


PAGE: Final = GamePage(
    # Without parlour tables, whose chips are not counted here.
    presets=tuple(name for name, rules in PRESETS.items() if "parlour" not in name),
    lengths=tuple(_LENGTHS),
    at_length=_at_length,
    players=(
        _player("sl", "Imitator", [3], "learned from strong people's games"),
        _player("sl4", "Imitator", [4], "learned from strong people's games"),
        _player("sl-2026-11-22", "Earlier imitator", [3], "the imitator of earlier versions"),
        _player("sl4-2026-11-22", "Earlier imitator", [4], "the imitator of earlier versions"),
        _player("efficient", "Efficient", [3, 4], "rule-based: minimises shanten"),
        _player("random", "Random", [3, 4], "plays at random", reviews=False),
    ),
    claim=int(Phase.CLAIM),
    # ``python research/measure_people.py`` of sanma-2018.zip and four-2024.zip (Tenhou's phoenix room).
    people=(
        _people(
            players=3,
            games=2_700,
            hands=24_291,
            win=0.286,
            deal_in=0.148,
            value=8078,
            price=8841,
            habits={"riichi": 0.248, "called": 0.254},
        ),
        _people(
            players=4,
            games=18_960,
            hands=191_340,
            win=0.213,
            deal_in=0.125,
            value=5801,
            price=5461,
            habits={"riichi": 0.185, "called": 0.329},
        ),
    ),
    first=(*(*entries_of(RIICHI), *SAY.entries, *HAND_ENTRIES, *encoder("table").entries),),
    later=(*EFFICIENT_ENTRIES, *encoder("janshi").entries),
)
