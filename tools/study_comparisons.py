"""How much one regression over comparisons on the same wall predicts, and what following it would gain.

    python tools/study_comparisons.py play FOLDER FIRST LAST     # parts of 128 games each, resumable
    python tools/study_comparisons.py fit FOLDER PARTS           # on so many parts, measured on every tenth part

The player is ``sl`` (sanma, East–South) and plays against itself with its best actions; `janshi.learn.generation`
plays the other actions out. ``fit`` trains the last block and the output layers once over the comparisons. Gains are in
standard deviations of a place, as in ``janshi learn``.
"""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any, Final

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn

from janshi.cluster import workers
from janshi.learn.configs import LearnConfig
from janshi.learn.generation import play_games
from janshi.learn.improvement import Improvement, load_start

#: Options of the games; the learner is the start itself.
CONFIG: Final = LearnConfig(
    train_blocks=1, discards=0.2, temperature=1.5, least=0.02, against_start=0.0, games=128, games_together=128, seed=77
)
BATCH: Final = 1024
LEARNING_RATE: Final = 3e-4
COLUMNS: Final = ("taken", "other", "lead", "gain")


def play(folder: Path, first: int, last: int) -> None:
    """Play parts and store their comparisons."""
    with workers() as here:
        run = Improvement(CONFIG, load_start("sl"), folder / f"run-{first}", here)
        run.prepare()
        for run.done in range(first, last):
            if (folder / f"{run.done}.npz").exists():
                continue
            (job,) = run.jobs()
            found = play_games(job)
            np.save(folder / f"{run.done}.npy", found.features)
            np.savez(folder / f"{run.done}.npz", **{name: getattr(found, name) for name in COLUMNS})
            print(f"part {run.done}: {len(found):,} comparisons", flush=True)


def load(folder: Path, parts: list[int]) -> dict[str, NDArray[Any]]:
    """Return the comparisons of some parts by column."""
    found = {name: np.concatenate([np.load(folder / f"{part}.npz")[name] for part in parts]) for name in COLUMNS}
    return found | {"features": np.concatenate([np.load(folder / f"{part}.npy") for part in parts])}


def predicted(tail: nn.Module, data: dict[str, NDArray[Any]], rows: NDArray[np.int64]) -> Tensor:
    """Return the predicted gains of some comparisons (n)."""
    logits = tail(torch.from_numpy(data["features"][rows]).float())
    taken, other = (
        logits.gather(1, torch.from_numpy(data[name][rows].astype(np.int64))[:, None])[:, 0]
        for name in ("taken", "other")
    )
    difference: Tensor = (other - taken - torch.from_numpy(data["lead"][rows])) * CONFIG.kl
    return difference


def fit(folder: Path, count: int) -> None:
    """Train on some parts and print what the held-out comparisons say."""
    numbers = sorted(int(path.stem) for path in folder.glob("*.npz"))
    data = load(folder, [number for number in numbers if number % 10][:count])
    held = load(folder, [number for number in numbers if number % 10 == 0])
    torch.manual_seed(0)
    network, _ = load_start("sl")
    tail = network.eval().parts(CONFIG.train_blocks)[1]
    optimizer = torch.optim.Adam(tail.parameters())
    order = np.random.default_rng(0).permutation(len(data["gain"]))
    batches = np.array_split(order, len(order) // BATCH)
    schedule = torch.optim.lr_scheduler.OneCycleLR(optimizer, LEARNING_RATE, total_steps=len(batches), pct_start=0.1)
    for rows in batches:
        optimizer.zero_grad(set_to_none=True)
        loss = nn.functional.mse_loss(predicted(tail, data, rows), torch.from_numpy(data["gain"][rows]))
        torch.autograd.backward(loss)
        nn.utils.clip_grad_norm_(tail.parameters(), 1.0)
        optimizer.step()
        schedule.step()
    with torch.inference_mode():
        every = np.array_split(np.arange(len(held["gain"])), 1 + len(held["gain"]) // BATCH)
        answers = np.concatenate([predicted(tail, held, rows).numpy() for rows in every])
    gain = held["gain"]
    correlation = np.corrcoef(answers, gain)[0, 1]
    error = len(gain) ** -0.5
    print(f"{len(order):,} comparisons, {len(gain):,} held out: correlation {correlation:.3f} ± {error:.3f}")
    for least in (0.0, 0.01, 0.02, 0.04):
        better = gain[answers > least]
        apart = better.std() / max(len(better), 1) ** 0.5
        share = len(better) / len(gain)
        print(f"  predicted above {least:g}: {share:.1%} of them, mean gain {better.mean():+.4f} ± {apart:.4f}")


if __name__ == "__main__":
    match sys.argv[1:]:
        case ["play", folder, first, last]:
            play(Path(folder), int(first), int(last))
        case ["fit", folder, parts]:
            fit(Path(folder), int(parts))
        case _:
            sys.exit(__doc__)
