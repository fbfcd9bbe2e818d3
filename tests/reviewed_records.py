"""Records of whole games as texts in the formats that the page without a server reads, and Python's reviews."""

from __future__ import annotations

import json
from functools import lru_cache
from pathlib import Path
from typing import Any

from pydantic import TypeAdapter

from janshi.agents import agent
from janshi.games import game_of
from janshi.records import read_games
from janshi.review import read_game, review_game
from janshi.review.model import Review
from janshi.riichi.records import RiichiGame, read_mjai_text, write_mjai_text, write_mjlog
from janshi.riichi.records.tenhou6 import write_tenhou6
from janshi.sample import SAMPLE
from tests.javascript_vectors import PlayedGame
from tests.records.majsoul_records import write_majsoul

_REVIEW = TypeAdapter(Review)
SUFFIXES = {"mjlog": ".mjlog", "tenhou6": ".json", "mjai": ".mjson", "majsoul": ".json", "janshi-sichuan": ".jsonl"}
#: The reviewers that are the page's players.
REVIEWERS = {("riichi", 3): "sl-int8", ("riichi", 4): "sl4-int8", ("sichuan", 4): "sichuan"}


@lru_cache
def sample_game(players: int, name: str) -> RiichiGame:
    """Return a game for a format: the first one that ships, or one played at random."""
    if players == 3 and name != "majsoul":
        game: RiichiGame = next(iter(read_games([SAMPLE])))
        return game
    rules = ("mahjong-soul" if name == "majsoul" else "tenhou") + ("-sanma" if players == 3 else "")
    events = PlayedGame(rules, "east", 2).sent["events"]
    (game,) = read_mjai_text("\n".join(map(json.dumps, events)))
    return game


def text_of(game: RiichiGame, name: str) -> str:
    """Return a game as text in a format, without fields of our own in that of tenhou.net/6."""
    if name == "majsoul":
        return json.dumps(write_majsoul(game))
    if name == "tenhou6":
        return json.dumps(write_tenhou6(game, extras=False), ensure_ascii=False)
    return write_mjlog(game) if name == "mjlog" else write_mjai_text([game])


def expected_review(text: str, name: str, seat: int, folder: Path) -> dict[str, Any]:
    """Return Python's review of a record by the page's player."""
    file = folder / f"record{SUFFIXES[name]}"
    file.write_text(text, encoding="utf-8")
    game = read_game(file)
    reviewer = agent(REVIEWERS[game_of(game.rules).name, game.rules.players])
    review: dict[str, Any] = json.loads(_REVIEW.dump_json(review_game(game, seat, reviewer)))
    return review
