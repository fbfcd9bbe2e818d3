"""What the printed width of `meowjong`'s networks is worth: agreement against situations seen, printed and narrow.

    python tools/study_width.py run FOLDER DECISION WIDTH SITUATIONS RECORDS TEST
    python tools/study_width.py test FOLDER TEST
    python tools/study_width.py report FOLDER [DECISION FIGURE.svg]

``run``: trains the network of DECISION (discard, riichi) with WIDTH (printed, narrow) until it has seen SITUATIONS; one
that was interrupted goes on. RECORDS and TEST are folders of ``janshi dataset``, of which TEST is only measured on.

``test``: measures the best weights of every network on more situations of TEST.

``report``: prints the curves and what was measured as tables, or draws the curves of a decision.
"""

from __future__ import annotations

import dataclasses
import json
import math
import sys
from pathlib import Path
from typing import Any, Final

import torch

from janshi.arena.figures import line_plot, svg
from janshi.files import save_text
from janshi.learn.checkpoints import has_training, load_network, read_state
from janshi.learn.trainer import TrainConfig, Trainer, TrainingProgress
from janshi.papers.meowjong.configs import MeowjongConfig
from janshi.papers.meowjong.labels import sizes
from janshi.papers.meowjong.records import enough
from janshi.papers.meowjong.tasks import OneDecision, measure, paper_config
from janshi.riichi.dataset import HandSet, load_hands

#: Filters of the four convolutions by width; the dense layer has the printed 256 units in both.
WIDTHS: Final = {"printed": (64, 64, 64, 32), "narrow": (8, 4, 4, 4)}
#: Rows and columns of the kernels: as printed, but of narrow discards, which stand still with them for too long.
KERNELS: Final = {
    "discard": {"printed": (4, 5), "narrow": (2, 2)},
    "riichi": {"printed": (3, 4), "narrow": (3, 4)},
}
#: Situations of riichi are seen more than once, those of discards never: only there dropout (printed: 0.5) helps.
DROPOUTS: Final = {"discard": 0.0, "riichi": 0.5}
#: Step sizes; of discards smaller where the dense layer has more inputs: a step moves what it answers by more.
RATES: Final = {
    "discard": {"printed": 1e-4, "narrow": 1e-3},
    "riichi": {"printed": 3e-4, "narrow": 3e-4},
}
#: What a step keeps of a moving mean of the weights, which is what is measured. The step size stays, so that every
#: point is a network that can be used: a cosine would have to know beforehand how many situations there will be.
AVERAGE: Final = 0.98
#: Situations a step (printed: 64 and 32): few situations make few steps.
BATCH: Final = 16
#: Products of 16 bits take two thirds of the time of 32 where a processor multiplies them (AVX512-BF16, AMX); elsewhere
#: twice.
PRECISION: Final = "bf16-mixed"
#: Points of a curve, situations that normalise and situations measured at each, and measured by ``test``.
POINTS, NORMALISED, MEASURED, TESTED = 16, 256, 1000, 3000
#: Situations that are encoded and shuffled together.
TOGETHER: Final = 1024


def training(decision: str, width: str, situations: int, hands: HandSet) -> TrainConfig:
    """Return how a network is trained on ``situations`` of these hands."""
    kernel, filters = KERNELS[decision][width], WIDTHS[width]
    network = MeowjongConfig(decision, kernel=kernel, filters=filters, dropout=DROPOUTS[decision])
    there = sizes(hands)[decision].examples
    epochs = situations / there
    return paper_config(
        decision,
        task=OneDecision(network),
        batch=BATCH,
        learning_rate=RATES[decision][width],
        average=AVERAGE,
        renormalise=NORMALISED,
        precision=PRECISION,
        epochs=epochs,
        chunk=math.ceil(TOGETHER * len(hands) / there),
        measure_every=epochs / POINTS,
        measure_most=MEASURED,
    )


def run(folder: Path, decision: str, width: str, situations: int, records: Path, test: Path) -> None:
    """Train a network, or go on with it."""
    hands = load_hands(records)
    config = training(decision, width, situations, hands)
    development = enough(load_hands(test), decision, MEASURED, config.seed)
    trainer = Trainer(config, hands, folder / f"{decision}-{width}", development=development)

    def progress(state: TrainingProgress) -> None:
        rate = state.samples / state.seconds
        print(f"{state.samples:,} situations, loss {state.loss:.3f}, {rate:.1f} a second", flush=True)

    trainer.train(progress)


def test_all(folder: Path, test: Path) -> None:
    """Measure the best weights of every network."""
    hands = load_hands(test)
    for trained in networks(folder):
        network, _ = load_network(trained)
        decision = trained.name.partition("-")[0]
        there = enough(hands, decision, TESTED, 0)
        measured = measure(network, there, torch.device("cpu"), decision, TESTED)[decision]
        save_text(json.dumps(dataclasses.asdict(measured)), trained / "tested.json")


def networks(folder: Path) -> list[Path]:
    """Return the folders of the networks that are there."""
    names = [f"{decision}-{width}" for decision in DROPOUTS for width in WIDTHS]
    return [folder / name for name in names if has_training(folder / name)]


def curve(trained: Path) -> tuple[list[int], list[float]]:
    """Return situations seen, and agreement in percent."""
    decision = trained.name.partition("-")[0]
    points = [point for point in read_state(trained).curve if "development" in point]
    return [point["samples"] for point in points], [100 * point["development"][decision] for point in points]


def tables(folder: Path) -> str:
    """Return curves and what was measured, as Markdown."""
    parts = []
    for trained in networks(folder):
        seen, agreement = curve(trained)
        state = read_state(trained)
        rows = [["situations", *(f"{count:,}" for count in seen)], ["---"] * (len(seen) + 1)]
        rows.append(["agreement, %", *(f"{value:.1f}" for value in agreement)])
        text = "\n".join(f"| {' | '.join(row)} |" for row in rows)
        parts.append(f"{trained.name}, {state.seconds / 60:.0f} minutes of training:\n\n{text}")
        if (trained / "tested.json").is_file():
            parts.append(_tested(json.loads((trained / "tested.json").read_text(encoding="utf-8"))))
    return "\n\n".join(parts)


def _tested(measured: dict[str, Any]) -> str:
    top = measured["top"][0]
    value, low, high = (100 * top[key] for key in ("value", "low", "high"))
    return f"{value:.1f} % [{low:.1f}, {high:.1f}] of {top['count']:,}, loss {measured['loss']:.3f}"


def figure(folder: Path, decision: str) -> str:
    """Return the curves of a decision as SVG."""
    series = {}
    for trained in networks(folder):
        name, _, width = trained.name.partition("-")
        if name == decision:
            seen, agreement = curve(trained)
            rows, columns = KERNELS[decision][width]
            filters = ", ".join(map(str, WIDTHS[width]))
            series[f"{width}: {filters} filters of {rows} × {columns}"] = (seen, agreement)
    return svg(line_plot(series, f"Agreement in {decision}", "situations seen", "agreement, %"))


def main() -> None:
    """Do what the arguments say."""
    match sys.argv[1:]:
        case ["run", folder, ("discard" | "riichi") as decision, ("printed" | "narrow") as width, count, records, test]:
            if not count.isdecimal() or not int(count):
                raise ValueError(f"{count!r} situations: a whole number above 0 is wanted")
            run(Path(folder), decision, width, int(count), Path(records), Path(test))
        case ["test", folder, test]:
            test_all(Path(folder), Path(test))
        case ["report", folder]:
            print(tables(Path(folder)))
        case ["report", folder, decision, path]:
            save_text(figure(Path(folder), decision), Path(path))
        case _:
            sys.exit(__doc__)


if __name__ == "__main__":
    try:
        main()
    except (ValueError, OSError) as error:
        sys.exit(f"study_width.py: {error}")
    except KeyboardInterrupt:
        sys.exit("study_width.py: interrupted; the same command goes on where the last checkpoint is")
