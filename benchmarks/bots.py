"""Decisions a second of an external bot at our tables: ``python benchmarks/bots.py ["mjai:COMMAND" …]``.

The default bots are the bot of thirty lines, and a player of the package over mjai.
"""

from __future__ import annotations

import sys
import time
from pathlib import Path

from janshi.agents import agent
from janshi.arena import play_match
from janshi.mjai.agent import Limits, MjaiAgent
from janshi.riichi.rules import preset

BOT = Path(__file__).parents[1] / "examples" / "bot.py"
OURS = f"mjai:{sys.executable} -c 'from janshi.cli import main; main()' mjai --agent efficient"


def rate(name: str, rules: str, tables: int, hands: int = 40) -> tuple[float, float]:
    """Return decisions a second of the bot against random players, and our processor microseconds for each."""
    played = preset(rules)
    others = [agent("random")] * (played.players - 1)
    with MjaiAgent(name, Limits(answer=60, tables=tables)) as bot:
        play_match([bot, *others], played, 3, seed=9)
        before = bot.faults().decisions
        start, own_start = time.perf_counter(), time.process_time()
        play_match([bot, *others], played, hands, seed=5)
        seconds, own_seconds = time.perf_counter() - start, time.process_time() - own_start
        faults = bot.faults()
    if faults.counts:
        raise SystemExit(f"{name}: {faults}")
    decisions = faults.decisions - before
    return decisions / seconds, 1e6 * own_seconds / decisions


def main() -> None:
    """Print one line for each bot, game and number of tables."""
    for name in sys.argv[1:] or [f"mjai:{sys.executable} {BOT}", OURS]:
        for rules in ("tenhou-sanma-hand", "tenhou-hand"):
            for tables in (1, 2):
                per_second, own = rate(name, rules, tables)
                print(f"{name[-40:]:40} {rules:18} {tables} tables {per_second:8,.0f}/s, {own:4.0f} µs of ours")


if __name__ == "__main__":
    main()
