"""Measure the shipped agents and write the figures of ``janshi agents``.

    python research/measure_agents.py rate FOLDER MINUTES [RULES]   # a pool for each rule set, with all its agents
    python research/measure_agents.py hands [AGENT]                 # matches of single hands

Other figures do not change. ``rate`` plays MINUTES for each pool in FOLDER (``janshi rate``), new or existing; with 0
minutes it only writes the ratings. The commands beside the figures replay the same games.
"""

from __future__ import annotations

import json
import shlex
import subprocess
import sys
from pathlib import Path
from typing import Any

from janshi.players.strength import Rating, Strength, read_ratings, read_strengths, write_strengths

#: Agents of the pools by rules.
POOLS = {
    "tenhou-sanma": ("random", "efficient", "sl-2026-11", "sl-2026-11-22", "sl", "sl-int8"),
    "tenhou": ("random", "efficient", "sl4-2026-11-22", "sl4", "sl4-int8"),
    "sichuan": ("random", "efficient", "heuristic", "sichuan"),
}
#: Agent, agent in the other seats, rules, hands in each seat.
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


def answered(*words: str) -> Any:
    """Return the JSON output of a command of janshi."""
    done = subprocess.run(
        [sys.executable, "-m", "janshi", *words, "--json"], check=True, stdout=subprocess.PIPE, text=True
    )
    return json.loads(done.stdout)


def measured(agent: str, against: str, rules: str, hands: int) -> Strength:
    """Play one match of hands and return its figures."""
    seats = 2 if "sanma" in rules else 3
    line = ["arena", agent, *[against] * seats, "--rules", rules, "--hands", str(hands)]
    row = next(row for row in answered(*line)["hands"] if row["player"] == agent and row["seat"] == "all")
    points = row["points"]
    return Strength(
        agent=agent,
        against=against,
        rules=rules,
        hands=row["hands"],
        points=round(points["value"], 2),
        reach=round(points["high"] - points["value"], 2),
        first=round(row["places"][0]["value"], 4),
        command=shlex.join(["janshi", *line]),
    )


def rated(rules: str, folder: Path, minutes: float) -> list[Rating]:
    """Play for a pool and return the ratings in it."""
    folder.mkdir(parents=True, exist_ok=True)
    pool = str(folder / f"{rules}.sqlite")
    rate = [sys.executable, "-m", "janshi", "rate"]
    subprocess.run([*rate, "add", pool, *POOLS[rules], "--rules", rules], check=True)
    if minutes:
        subprocess.run([*rate, "run", pool, "--minutes", str(minutes)], check=True)
    found = answered("rate", "show", pool)
    lines = (
        ["rate", "add", "pool.sqlite", *POOLS[rules], "--rules", rules],
        ["rate", "run", "pool.sqlite", "--games", str(found["games"])],
        ["rate", "show", "pool.sqlite"],
    )
    return [
        Rating(
            agent=row["player"],
            rules=rules,
            rating=float(round(row["rating"]["value"])),
            low=float(round(row["rating"]["low"])),
            high=float(round(row["rating"]["high"])),
            games=row["games"],
            command=" && ".join(shlex.join(["janshi", *line]) for line in lines),
        )
        for row in found["players"]
    ]


def measure_hands(wanted: list[str]) -> None:
    """Measure some or all agents; the figures of each match are written at its end."""
    strengths = {(each.agent, each.against, each.rules): each for each in read_strengths()}
    for match in MATCHES:
        if not wanted or match[0] in wanted:
            strengths[match[:3]] = measured(*match)
            write_strengths([strengths[key] for key in sorted(strengths)], read_ratings())
            print(strengths[match[:3]], flush=True)


def measure_ratings(folder: Path, minutes: float, wanted: list[str]) -> None:
    """Play for some or all pools; the ratings of each are written at its end."""
    for rules in wanted or POOLS:
        ratings = [each for each in read_ratings() if each.rules != rules]
        write_strengths(read_strengths(), [*ratings, *rated(rules, folder, minutes)])


def main() -> None:
    """Run the measurement of the command line."""
    match sys.argv[1:]:
        case ["rate", folder, minutes, *rules]:
            measure_ratings(Path(folder), float(minutes), rules)
        case ["hands", *agents]:
            measure_hands(agents)
        case _:
            sys.exit(__doc__)


if __name__ == "__main__":
    main()
