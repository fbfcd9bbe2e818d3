"""Measures the agents that ship, and writes the figures that ``janshi agents`` shows.

    python tools/measure_agents.py             # all matches
    python tools/measure_agents.py efficient   # those of one agent; the other figures stay

Each match is a command of its own (`janshi arena … --json`), which stands beside its figures: a reader can run it again
and gets the same.
"""

from __future__ import annotations

import json
import shlex
import subprocess
import sys

from janshi.players.strength import Strength, read_strengths, write_strengths

#: Agent, who has the other seats, rules, hands in each seat.
MATCHES = (
    ("efficient", "random", "tenhou-sanma", 500),
    ("efficient", "random", "tenhou", 500),
    ("efficient", "heuristic", "sichuan", 500),
    ("random", "efficient", "tenhou-sanma", 500),
    ("random", "efficient", "tenhou", 500),
    ("random", "efficient", "sichuan", 500),
    ("heuristic", "efficient", "sichuan", 500),
    ("sichuan", "heuristic", "sichuan", 500),
    ("sichuan", "efficient", "sichuan", 500),
    ("sl", "efficient", "tenhou-sanma", 500),
    ("sl-2026-11", "efficient", "tenhou-sanma", 500),
    ("sl4", "efficient", "tenhou", 500),
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


def main(wanted: list[str]) -> None:
    """Measure some agents, or all of them; each match is written when it is over."""
    strengths = {(each.agent, each.against, each.rules): each for each in read_strengths()}
    for match in MATCHES:
        if not wanted or match[0] in wanted:
            strengths[match[:3]] = measured(*match)
            write_strengths([strengths[key] for key in sorted(strengths)])
            print(strengths[match[:3]], flush=True)


if __name__ == "__main__":
    main(sys.argv[1:])
