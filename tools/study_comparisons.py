"""How much one regression over comparisons on the same wall predicts, and what following it would gain.

    python tools/study_comparisons.py play sl FOLDER FIRST LAST  # parts, resumable
    python tools/study_comparisons.py fit sl FOLDER PARTS        # on so many parts, measured on every tenth part

The studies are ``sl`` (sanma, East–South), ``sl-calls`` (the same without decisions between discards) and ``sichuan``
(single hands). The player plays against itself with its best actions; `janshi.learn.generation` plays the other actions
out. ``fit`` trains the player's network once over the comparisons (of ``sl`` the last block and the output layers),
writes the improved player to FOLDER/improved for ``janshi export``, and prints what held-out comparisons say. Gains are
in standard deviations of a place, or in units of 8 points.
"""

from __future__ import annotations

import sys
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Final

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn

from janshi.cluster import workers
from janshi.learn.checkpoints import BEST, LAST, describe_network, save_metadata, save_tensors
from janshi.learn.configs import LearnConfig
from janshi.learn.generation import play_games, tail_input
from janshi.learn.improvement import Improvement, load_start
from janshi.learn.networks import encoder_of

#: Options of the games; the learner is the start itself.
SANMA: Final = LearnConfig(
    train_blocks=1, discards=0.2, temperature=1.5, least=0.02, against_start=0.0, games=128, games_together=128, seed=77
)
HANDS: Final = LearnConfig(
    train_blocks=-1,
    rules="sichuan-hand",
    discards=1.0,
    temperature=3.0,
    kl=0.01,
    against_start=0.0,
    games=4096,
    games_together=4096,
    seed=77,
)
#: The start and the options of each study.
STUDIES: Final = {
    "sl": ("sl", SANMA),
    "sl-calls": ("sl", replace(SANMA, discards=0.0, temperature=1.0, least=0.03)),
    "sichuan": ("sichuan", HANDS),
}
BATCH: Final = 1024
LEARNING_RATE: Final = 3e-4
COLUMNS: Final = ("taken", "other", "lead", "gain")


def play(name: str, folder: Path, first: int, last: int) -> None:
    """Play parts and store their comparisons."""
    start, config = STUDIES[name]
    with workers() as here:
        run = Improvement(config, load_start(start), folder / f"run-{first}", here)
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


@dataclass(frozen=True, slots=True)
class Study:
    """The network of a player and the layers that are trained."""

    config: LearnConfig
    network: Any
    tail: nn.Module

    def predicted(self, data: dict[str, NDArray[Any]], rows: NDArray[np.int64]) -> Tensor:
        """Return the predicted gains of some comparisons (n)."""
        whole = self.tail is self.network
        logits = self.tail(tail_input(encoder_of(self.network), data["features"][rows], whole))
        taken, other = (
            logits.gather(1, torch.from_numpy(data[name][rows].astype(np.int64))[:, None])[:, 0]
            for name in ("taken", "other")
        )
        difference: Tensor = (other - taken - torch.from_numpy(data["lead"][rows])) * self.config.kl
        return difference

    def train(self, data: dict[str, NDArray[Any]]) -> None:
        """Train once over the comparisons."""
        optimizer = torch.optim.Adam(self.tail.parameters())
        order = np.random.default_rng(0).permutation(len(data["gain"]))
        batches = np.array_split(order, len(order) // BATCH)
        schedule = torch.optim.lr_scheduler.OneCycleLR(
            optimizer, LEARNING_RATE, total_steps=len(batches), pct_start=0.1
        )
        for rows in batches:
            optimizer.zero_grad(set_to_none=True)
            loss = nn.functional.mse_loss(self.predicted(data, rows), torch.from_numpy(data["gain"][rows]))
            torch.autograd.backward(loss)
            nn.utils.clip_grad_norm_(self.tail.parameters(), 1.0)
            optimizer.step()
            schedule.step()


def fit(name: str, folder: Path, count: int) -> None:
    """Train on some parts, write the improved player, and print what the held-out comparisons say."""
    numbers = sorted(int(path.stem) for path in folder.glob("*.npz"))
    data = load(folder, [number for number in numbers if number % 10][:count])
    held = load(folder, [number for number in numbers if number % 10 == 0])
    torch.manual_seed(0)
    start, config = STUDIES[name]
    network, metadata = load_start(start)
    network.eval()
    study = Study(config, network, network if config.train_blocks < 0 else network.parts(config.train_blocks)[1])
    study.train(data)
    out = folder / "improved"
    out.mkdir(exist_ok=True)
    for file in (BEST, LAST):
        save_tensors(network.state_dict(), out / file)
    save_metadata(describe_network(network, metadata["players"], metadata["rules"]), out)
    with torch.inference_mode():
        every = np.array_split(np.arange(len(held["gain"])), 1 + len(held["gain"]) // BATCH)
        answers = np.concatenate([study.predicted(held, rows).numpy() for rows in every])
    gain = held["gain"]
    correlation = np.corrcoef(answers, gain)[0, 1]
    error = len(gain) ** -0.5
    print(f"{len(data['gain']):,} comparisons, {len(gain):,} held out: correlation {correlation:.3f} ± {error:.3f}")
    for least in (0.0, 0.01, 0.02, 0.04):
        better = gain[answers > least]
        apart = better.std() / max(len(better), 1) ** 0.5
        share = len(better) / len(gain)
        print(f"  predicted above {least:g}: {share:.1%} of them, mean gain {better.mean():+.4f} ± {apart:.4f}")


if __name__ == "__main__":
    match sys.argv[1:]:
        case ["play", name, folder, first, last] if name in STUDIES:
            play(name, Path(folder), int(first), int(last))
        case ["fit", name, folder, parts] if name in STUDIES:
            fit(name, Path(folder), int(parts))
        case _:
            sys.exit(__doc__)
