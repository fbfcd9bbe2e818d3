"""The games that are played in the browser, and what of them is the room's matter.

`WebGame` is all that tables, connections and addresses ask of a game: what is told of it and what a seat may know of
that, what may be done as buttons and tiles, what a seat can work out, how long its games are, how they are saved.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final, Protocol

from janshi.agents.efficient import ENTRIES as EFFICIENT_ENTRIES
from janshi.agents.planner import ENTRIES as PLANNER_ENTRIES
from janshi.agents.protocol import Agent
from janshi.agents.sichuan.efficient import efficient_actions
from janshi.agents.sichuan.heuristic import ENTRIES as HEURISTIC_ENTRIES
from janshi.agents.sichuan.random import random_actions
from janshi.compiling import Prepared
from janshi.core.errors import RuleError
from janshi.core.game import Game
from janshi.encoders import encoder
from janshi.games import game_of, rules_of
from janshi.hands.shanten import ENTRIES as HAND_ENTRIES
from janshi.hands.sichuan import ENTRIES as SICHUAN_HAND_ENTRIES
from janshi.mjai.follow import begin_known_hands, follow_events
from janshi.records import FORMATS, write_games
from janshi.records.live import Story, seen_by
from janshi.records.sichuan import FORMAT, write_sichuan
from janshi.records.sichuan_live import SichuanStory, sichuan_seen_by
from janshi.records.story import GameStory
from janshi.review import advise, options_of
from janshi.review.advice import ENTRIES as ADVICE_ENTRIES
from janshi.review.model import Advice, Option, Worth
from janshi.review.sichuan import advise_sichuan, sichuan_options, worth_of_win
from janshi.riichi.game import RIICHI
from janshi.riichi.rules import TENHOU_PARLOUR, TENHOU_SANMA_PARLOUR
from janshi.riichi.rules import preset as riichi_preset
from janshi.riichi.state import Phase as RiichiPhase
from janshi.sichuan.game import SICHUAN_GAME
from janshi.sichuan.rules import preset as sichuan_preset
from janshi.sichuan.state import Phase as SichuanPhase
from janshi.table import DecisionBatch
from janshi.web.knowledge import Knowledge
from janshi.web.messages import Discard, GameName, Length, Own
from janshi.web.sichuan_knowledge import SichuanKnowledge


class SeatKnowledge(Protocol):
    """What a seat can work out from the events that it is sent."""

    def follow(self, event: dict[str, Any]) -> None:
        """Take in one event as the seat sees it."""

    def own(self) -> Own:
        """Return what the seat knows of its hand between decisions."""
        ...

    def discards(self, tiles: Sequence[str]) -> list[Discard]:
        """Return those of the tiles (mjai names) after whose discard the hand is tenpai, with its waits."""
        ...

    def warm_up(self) -> None:
        """Compile what this calls."""


@dataclass(frozen=True, kw_only=True)
class WebGame:
    """A game at the tables of this room: see the module."""

    name: GameName
    game: Game
    presets: tuple[str, ...]
    """Names of the rule sets that are offered."""
    lengths: tuple[Length, ...]
    """Of its games; the first is the usual one."""
    at_length: Callable[[str, Length], Any]
    """Returns a preset's rules at one of these lengths."""
    story: Callable[[Any, Any, Sequence[str]], GameStory]
    """Of a table: its record, its rules, the names."""
    seen_by: Callable[[dict[str, Any], int], dict[str, Any]]
    """An event as one seat may know it."""
    knowledge: Callable[[Any, int], SeatKnowledge]
    options: Callable[[Any, Any, Sequence[int]], list[Option]]
    """Of a view, by some rules: what each legal action would do."""
    claim: int
    """The phase in which a seat is asked about another's tile."""
    worth_of_win: Callable[[Any, Any], Worth | None]
    advise: Callable[[DecisionBatch, Agent], Advice]
    formats: Mapping[str, str]
    """Formats of its records, and the endings of their files."""
    write: Callable[[Any, str], str]
    reviews: bool
    """Whether its games can be reviewed."""
    first: tuple[Prepared, ...]
    """What its tables call, its hints, and the players that the package comes with …"""
    later: tuple[Prepared, ...] = ()
    """… and what other players call."""


#: Hands of a game of Sichuan mahjong by its length.
_HANDS: Final[dict[Length, int]] = {"hand": 1, "four": 4, "eight": 8}
_ENDINGS: Final = ("-hand", "-east", "-south")


def _riichi_at(name: str, length: Length) -> Any:
    base = name
    for ending in _ENDINGS:
        base = base.replace(ending, "")
    return riichi_preset(base if length == "south" else f"{base}-{length}")


def _sichuan_at(name: str, length: Length) -> Any:
    return dataclasses.replace(sichuan_preset(name.replace("-hand", "")), hands=_HANDS[length])


def _write_riichi(game: Any, format_name: str) -> str:
    (text,) = write_games([game], format_name)
    return text


def _entries(game: Game) -> tuple[Prepared, ...]:
    """What tables of a game call."""
    logs = () if game.event_logs is None else (game.event_logs,)
    return (game.begin_games, game.step, game.next_hands, game.refused, game.decisions, *logs)


RIICHI_WEB: Final = WebGame(
    name="riichi",
    game=RIICHI,
    # Not those of parlour tables, whose chips nobody counts here.
    presets=tuple(name for name in RIICHI.presets if riichi_preset(name) not in (TENHOU_PARLOUR, TENHOU_SANMA_PARLOUR)),
    lengths=("east", "hand", "south"),
    at_length=_riichi_at,
    story=Story,
    seen_by=seen_by,
    knowledge=Knowledge,
    options=options_of,
    claim=int(RiichiPhase.CLAIM),
    worth_of_win=lambda view, rules: None,
    advise=advise,
    formats=FORMATS,
    write=_write_riichi,
    reviews=True,
    first=(
        *_entries(RIICHI),
        begin_known_hands,
        follow_events,
        *HAND_ENTRIES,
        *encoder("janshi").entries,
        *ADVICE_ENTRIES,
    ),
    later=(*EFFICIENT_ENTRIES, *PLANNER_ENTRIES, *encoder("janshi-plans").entries),
)
SICHUAN_WEB: Final = WebGame(
    name="sichuan",
    game=SICHUAN_GAME,
    presets=tuple(SICHUAN_GAME.presets),
    lengths=("four", "hand", "eight"),
    at_length=_sichuan_at,
    story=SichuanStory,
    seen_by=sichuan_seen_by,
    knowledge=SichuanKnowledge,
    options=sichuan_options,
    claim=int(SichuanPhase.CLAIM),
    worth_of_win=worth_of_win,
    advise=advise_sichuan,
    formats={FORMAT: ".jsonl"},
    write=lambda game, format_name: write_sichuan(game),
    reviews=False,
    first=(*_entries(SICHUAN_GAME), *SICHUAN_HAND_ENTRIES, *encoder("sichuan").entries),
    later=(efficient_actions, random_actions, *HEURISTIC_ENTRIES),
)
#: Every game of this room by its name.
WEB_GAMES: Final[dict[str, WebGame]] = {game.name: game for game in (RIICHI_WEB, SICHUAN_WEB)}


def web_game(rules: Any) -> WebGame:
    """Return the game that a rule set belongs to. Raises `RuleError` for one that is not played here."""
    name = game_of(rules).name
    if name not in WEB_GAMES:
        raise RuleError(f"{name} is not played in the browser: there are {', '.join(WEB_GAMES)}")
    return WEB_GAMES[name]


def rules_for(name: str, length: Length) -> Any:
    """Return the rules of a preset at a length, whatever length its name holds.

    Raises `RuleError` for a name that no preset has, or a length that its game does not have.

    >>> rules_for("tenhou-sanma", "hand").name, rules_for("tenhou-nored-east", "south").name
    ('tenhou-sanma-hand', 'tenhou-nored')
    >>> rules_for("sichuan-cap3", "four").hands
    4
    """
    game = web_game(rules_of(name))
    if length not in game.lengths:
        raise RuleError(f"games by rules {name!r} are of length {', '.join(game.lengths)}, not {length!r}")
    return game.at_length(name, length)
