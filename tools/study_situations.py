"""What more situations are worth to a network of discards of `gao`: trained on as many as asked for, then tested.

    python tools/study_situations.py RUN FOLDER NETWORK SITUATIONS

RUN is a folder of ``janshi reproduce gao``, whose records are learned from and tested on; NETWORK is tile,
off-table-68, off-table-86, sequential or sequential-masked. The network stays in FOLDER/SITUATIONS; an interrupted
training goes on. Everything but the number of situations and of the curve's points is as at scale small.
"""

from __future__ import annotations

import dataclasses
import json
import sys
from pathlib import Path
from typing import Any, Final

from janshi.papers.gao.paper import SCALES
from janshi.papers.gao.stages import discard_trainings, train_and_test
from janshi.papers.runner import Options, ReproduceError, Run

#: Points of the curve.
POINTS: Final = 8


def trained(reproduced: Path, folder: Path, name: str, situations: int, seed: int = 0) -> dict[str, Any]:
    """Train a network, or go on with it, and return what came of it."""
    report = reproduced / "report.json"
    if not report.is_file():
        raise ReproduceError(f"{reproduced} holds no report.json: name the folder of an ended janshi reproduce gao")
    records = json.loads(report.read_text(encoding="utf-8"))["stages"]["records"]
    scale = dataclasses.replace(SCALES["small"], discards=situations, sequence_discards=situations, measurements=POINTS)
    place = folder / str(situations)
    place.mkdir(parents=True, exist_ok=True)
    run = Run(
        Options(scale, seed=seed),
        place,
        {"records": records},
        {"records": reproduced / "01-records"},
        lambda text, done, total: print(text, flush=True),
    )
    trainings = discard_trainings(run)
    if name not in trainings:
        raise ReproduceError(f"no network {name!r}: there are {', '.join(trainings)}")
    result: dict[str, Any] = run.once(name, lambda: train_and_test(lambda run: {name: trainings[name]}, run, 0, name))
    return result


def table(result: dict[str, Any]) -> str:
    """Return the curve on games held out and the agreement with the test set, as text."""
    percent = "{:.1f} %".format
    points = [point for point in result["curve"] if "development" in point]
    lines = [f"{point['samples']:>12,}  {percent(100 * point['development']['discard'])}" for point in points]
    lines.append(f"{result['seconds'] / 60:.1f} minutes; test set, first, first two and first three choices:")
    for top in result["test"]["all"]["top"]:
        value, low, high = (percent(100 * top[key]) for key in ("value", "low", "high"))
        lines.append(f"{value} [{low}, {high}] of {top['count']:,}")
    return "\n".join(lines)


def main() -> None:
    """Do what the arguments say."""
    match sys.argv[1:]:
        case [reproduced, folder, name, count] if count.isdecimal() and int(count):
            print(table(trained(Path(reproduced), Path(folder), name, int(count))))
        case _:
            sys.exit(__doc__)


if __name__ == "__main__":
    try:
        main()
    except (ValueError, OSError, ReproduceError) as error:
        sys.exit(f"study_situations.py: {error}")
    except KeyboardInterrupt:
        sys.exit("study_situations.py: interrupted; the same command goes on where the last checkpoint is")
