"""Agreement with people against the size of a network and the share of the records that it learns from.

    python tools/study_records.py run FOLDER TEST RECORDS…
    python tools/study_records.py report FOLDER [FIGURE.svg]

``run``: trains every network on every share of sanma records (or of a folder of ``janshi dataset``, which is read
sooner), one after the other, by ``janshi train``, whose command is printed; each has a folder of its own in FOLDER.
Cells that are done stay, one that was interrupted goes on. Every cell sees as many decisions as there are in all the
records, the eighth of them eight times.

``report``: prints the table of what there is by now, and draws it.
"""

from __future__ import annotations

import json
import shlex
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final

import numpy as np

from janshi.arena.figures import line_plot, svg
from janshi.files import save_text

#: Channels and blocks of the networks, and how they are called.
SIZES: Final = {(16, 2): "16 x 2", (32, 3): "32 x 3", (64, 4): "64 x 4", (96, 5): "96 x 5"}
SHARES: Final = (0.125, 0.25, 0.5, 1.0)
DECISIONS: Final = ("discard", "pon", "kita", "riichi", "own kan", "win")


def cell(folder: Path, size: tuple[int, int], share: float) -> Path:
    """Return the folder of a network and a share."""
    return folder / f"{size[0]}x{size[1]}-{share}"


def command(out: Path, size: tuple[int, int], share: float, test: str, records: list[str]) -> list[str]:
    """Return the command that trains a network on a share of the records."""
    epochs = 1 / share
    return [
        *("janshi", "train", *records, "--players", "3", "--share", str(share)),
        *("--channels", str(size[0]), "--blocks", str(size[1]), "--epochs", str(epochs), "--average", "0.99"),
        *("--measure-every", str(epochs / 4), "--compile", "--test", test, "--out", str(out)),
    ]


def train_all(folder: Path, test: str, records: list[str]) -> None:
    """Train what is not there yet, the small networks first."""
    for size in SIZES:
        for share in SHARES:
            out = cell(folder, size, share)
            if (out / "measured.json").is_file():
                continue
            line = command(out, size, share, test, records)
            print(shlex.join(line), flush=True)
            subprocess.run([sys.executable, "-m", *line], check=True)


def read(folder: Path) -> dict[tuple[tuple[int, int], float], Any]:
    """Return what every cell that is done measured on the test records, by its size and share."""
    measured = {}
    for size in SIZES:
        for share in SHARES:
            path = cell(folder, size, share) / "measured.json"
            if path.is_file():
                measured[size, share] = json.loads(path.read_text(encoding="utf-8"))["test"]
    return measured


def table(measured: Mapping[tuple[tuple[int, int], float], Any]) -> str:
    """Return the agreement of every cell as a table in Markdown, intervals of 95 % in brackets."""
    lines = [f"| network | share | {' | '.join(DECISIONS)} | loss of discards |", "|---" * (len(DECISIONS) + 3) + "|"]
    for (size, share), decisions in measured.items():
        texts = []
        for name in DECISIONS:
            top = decisions[name]["top"][0]
            value, low, high = (100 * top[key] for key in ("value", "low", "high"))
            texts.append(f"{value:.1f} % ({low:.1f} to {high:.1f})")
        loss = f"{decisions['discard']['loss']:.3f}"
        lines.append(f"| {SIZES[size].replace('x', '×')} | {share:g} | {' | '.join(texts)} | {loss} |")
    counts = ", ".join(f"{name} {decisions[name]['top'][0]['count']:,}" for name in DECISIONS)
    return "\n".join([*lines, "", f"Decisions tested on: {counts}."])


def figure(measured: Mapping[tuple[tuple[int, int], float], Any]) -> str:
    """Return agreement in discards as lines over the share of the records, one a network without gaps, as SVG."""
    series, bands = {}, {}
    for size, label in SIZES.items():
        shares = [share for share in SHARES if (size, share) in measured]
        # A straight line over a share that was not tried would say what nobody has measured.
        if shares and shares == list(SHARES[SHARES.index(shares[0]) : SHARES.index(shares[-1]) + 1]):
            tops = [measured[size, share]["discard"]["top"][0] for share in shares]
            value, low, high = (100 * np.array([top[key] for top in tops]) for key in ("value", "low", "high"))
            name = label.replace("x", "×")
            series[name] = (100 * np.array(shares), value)
            bands[name] = (low, high)
    labels = "Agreement by size and records", "share of the records, %", "discards that agree, %"
    return svg(line_plot(series, *labels, bands=bands))


def main() -> None:
    """Do what the arguments say."""
    match sys.argv[1:]:
        case ["run", folder, test, *records] if records:
            train_all(Path(folder), test, records)
        case ["report", folder, *rest]:
            measured = read(Path(folder))
            print(table(measured))
            if rest:
                save_text(figure(measured), Path(rest[0]))
        case _:
            sys.exit(__doc__)


if __name__ == "__main__":
    main()
