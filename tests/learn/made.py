"""Games of our own to learn from, so few that it takes seconds."""

from pathlib import Path

from janshi.agents import agent
from janshi.arena import play_match
from janshi.records.convert import GameWriter
from janshi.rules import preset


def make_games(place: Path, rules: str = "tenhou-sanma-east", games: int = 4) -> Path:
    one = agent("efficient")
    with GameWriter(place, "mjlog") as writer:
        by = preset(rules)
        play_match([one] * by.players, by, games, seed=1, on_game=writer.write)
    return place
