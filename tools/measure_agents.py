"""Measures the agents that ship, and writes the figures that ``janshi agents`` shows.

    python tools/measure_agents.py

Each match is a command of its own (`janshi arena … --json`), which stands beside its figures: a reader can run it again
and gets the same.
"""

from __future__ import annotations

import json
import shlex
import subprocess
import sys

from janshi.players.strength import Strength, write_strengths

#: Agent, who has the other seats, rules, hands in each seat.
MATCHES = (
    ("random", "efficient", "tenhou-sanma", 500),
    ("planner", "efficient", "tenhou-sanma", 500),
    ("sl", "efficient", "tenhou-sanma", 500),
    ("rl", "efficient", "tenhou-sanma", 500),
    ("efficient", "random", "tenhou-sanma", 500),
    ("efficient", "random", "tenhou", 500),
    ("random", "efficient", "tenhou", 500),
    ("efficient", "heuristic", "sichuan", 500),
    ("heuristic", "efficient", "sichuan", 500),
    ("random", "efficient", "sichuan", 500),
)


def measured(agent: str, against: str, rules: str, hands: int) -> Strength:
    """Play one match and return its figures."""
    seats = 2 if "sanma" in rules else 3
    line = ["arena", agent, *[against] * seats, "--rules", rules, "--hands", str(hands), "--json"]
    done = subprocess.run([sys.executable, "-m", "janshi", *line], check=True, stdout=subprocess.PIPE, text=True)
    row = next(row for row in json.loads(done.stdout)["hands"] if row["player"] == agent and row["seat"] == "all")
    points = row["points"]
    return Strength(
        agent=agent,
        against=against,
        rules=rules,
        hands=row["hands"],
        points=round(points["value"], 2),
        reach=round(points["high"] - points["value"], 2),
        first=round(row["places"][0]["value"], 4),
        command=shlex.join(["janshi", *line[:-1]]),
    )


if __name__ == "__main__":
    write_strengths([measured(*match) for match in MATCHES])
