"""A custom bot against players of the package, on shared walls: ``python examples/mjai_match.py``."""

import sys
from pathlib import Path

from janshi.agents import agent
from janshi.arena import play_match, rows
from janshi.mjai.agent import MjaiAgent
from janshi.riichi.rules import preset

BOT = Path(__file__).with_name("bot.py")


def main(walls: int) -> None:
    """Play ``walls`` hands in every seat and print each player's rates."""
    with MjaiAgent(f"mjai:{sys.executable} {BOT}") as bot:
        match = play_match([bot, agent("efficient"), agent("random")], preset("tenhou-sanma-hand"), walls)
    for row in rows(match):
        if row.group == "all":
            name = "bot.py" if row.player == bot.name else row.player
            won, points = 100 * row.win.value, row.points.value
            print(f"{name:10} {row.hands} hands, {won:4.1f} % won, {points:+7.0f} points a hand")
    for faults in match.faults.values():
        print(f"bot.py: {faults.decisions} decisions, faults: {faults.counts or 'none'}")


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 20)
