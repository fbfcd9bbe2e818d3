"""Generate the sample of the package: sanma games of the efficient agent against itself.

    python tools/make_sample.py

The players are called "efficient (program)", the lobby is "arena".
"""

from __future__ import annotations

from pathlib import Path

from janshi.arena import play_match
from janshi.records.convert import GameWriter
from janshi.riichi.agents import EfficientAgent
from janshi.riichi.records import RiichiGame
from janshi.riichi.rules import TENHOU_SANMA
from janshi.sample import SAMPLE

GAMES = 60
SEED = 2026


def main() -> None:
    """Play the games and write them."""
    player = EfficientAgent("efficient (program)")
    Path(SAMPLE).unlink(missing_ok=True)
    with GameWriter(SAMPLE, "mjlog") as writer:

        def keep(game: RiichiGame) -> None:
            # With the same player in every seat all rotations are the same game.
            if game.source.endswith("-0"):
                writer.write(game)

        play_match([player] * 3, TENHOU_SANMA, GAMES, SEED, on_game=keep)


if __name__ == "__main__":
    main()
