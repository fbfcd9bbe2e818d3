"""Ways of imitating people compared: plainly, with a teacher that sees all hands, highly rated players weighted.

    python tools/study_imitation.py run FOLDER VARIANT EPOCHS TEST RECORDS…
    python tools/study_imitation.py report FOLDER

``run``: trains a network of VARIANT on sanma records for EPOCHS times through them, and measures it on those of TEST,
all of them and the half of the games whose players' rating is highest:

* ``plain``: by what people did alone;
* ``teacher``: the same with the concealed tiles of all other seats in its observations;
* ``taught``: half by what people did, half by what the teacher answers (distillation), which must be there;
* ``rated-100``, ``rated-300``: a decision counts e times as much as that of a player whose R is 100 (300) less.

``report``: prints what was measured as a table.
"""

from __future__ import annotations

import dataclasses
import json
import sys
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any, ClassVar, Final

import numpy as np
import torch
from torch import Tensor, nn

from janshi.compiling import Int64s, rule
from janshi.core.shanten_tables import ShantenTables
from janshi.encoders import Encoder, register
from janshi.files import save_text
from janshi.learn.checkpoints import load_network
from janshi.learn.inference import best_device, many_answers
from janshi.learn.policy import TorchPolicy
from janshi.learn.tasks import Examples, Loss
from janshi.learn.trainer import TrainConfig, Trainer, TrainingProgress
from janshi.riichi.actions import ACTIONS
from janshi.riichi.dataset import Decisions, HandSet, legal_mask, name_parts, read_hands
from janshi.riichi.dataset.tasks import PolicyTask
from janshi.riichi.encoders.janshi import EncodingWorkspace
from janshi.riichi.encoders.table import KIND_COLUMNS, POSITION, POSITION_COLUMNS, write_table
from janshi.riichi.networks import SuitConfig
from janshi.riichi.records import Damaged, read_games
from janshi.riichi.state import OtherHands, View

VARIANTS: Final = ("plain", "teacher", "taught", "rated-100", "rated-300")
DECISIONS: Final = ("discard", "pon", "kita", "riichi", "own kan", "win")
#: Channels and blocks of every network.
SHAPE: Final = (64, 4)
#: What the teacher's answers count of the policy's loss, the rest being what people did.
TAUGHT: Final = 0.5

#: Columns of what others hold: one, two, three or four of a kind, of three seats.
_KINDS, _HIDDEN = len(KIND_COLUMNS), 12


@rule
def write_oracle(
    view: View, others: OtherHands, tables: ShantenTables, workspace: EncodingWorkspace, columns: Int64s
) -> None:
    """Write the table, and what the other seats hold before the columns of the position."""
    write_table(view, tables, workspace, columns)
    for column in range(_KINDS + POSITION - 1, _KINDS - 1, -1):
        columns[column + _HIDDEN] = columns[column]
    for column in range(_HIDDEN):
        columns[_KINDS + column] = 0
    for ahead in range(3):
        for kind in range(34):
            for count in range(int(others.counts[34 * ahead + kind])):
                columns[_KINDS + 4 * ahead + count] |= 1 << kind


#: What the teacher is shown.
ORACLE: Final = register(
    Encoder(
        name="study-oracle",
        write=write_oracle,
        columns=(
            *KIND_COLUMNS,
            *(f"{count} held by seat {ahead}" for ahead in (1, 2, 3) for count in (1, 2, 3, 4)),
            *POSITION_COLUMNS,
        ),
        position_columns=POSITION,
    )
)


@cache
def teacher_in(folder: str) -> nn.Module:
    """Return the trained network in a folder."""
    return load_network(Path(folder))[0].to(best_device()).eval()


@dataclass(frozen=True, slots=True)
class TaughtTask(PolicyTask):
    """What people did, and what a teacher answers that sees all hands."""

    teacher: str = ""
    kind: ClassVar[str] = "actions, taught"

    def examples(self, batch: Decisions) -> Examples:
        """See `PolicyTask`: ``teacher`` holds the teacher's logits."""
        plain = PolicyTask.examples(self, batch)
        seen = batch.part(np.flatnonzero(batch.observed))
        logits = many_answers(teacher_in(self.teacher), seen.encoded(ORACLE), best_device())
        return Examples(plain.packed, plain.targets | {"teacher": logits[:, :ACTIONS].astype(np.float16)})

    def loss(self, network: nn.Module, outputs: Tensor, targets: dict[str, Tensor]) -> Loss:
        """See `PolicyTask`."""
        plain = PolicyTask.loss(self, network, outputs, targets)
        legal = torch.from_numpy(legal_mask(targets["legal"].cpu().numpy())).to(outputs.device)
        wanted = TorchPolicy(targets["teacher"].float(), legal).probabilities()
        answered = TorchPolicy(outputs[:, :ACTIONS], legal).log_probabilities().clamp(min=-30)
        taught = -(wanted * answered).sum(dim=1).mean()
        return plain._replace(loss=(1 - TAUGHT) * plain.loss + TAUGHT * taught)


@dataclass(frozen=True, slots=True)
class RatedTask(PolicyTask):
    """What people did, highly rated players weighted."""

    spread: float = 100.0
    """Points of rating that make a decision count e times as much."""
    kind: ClassVar[str] = "actions, rated"

    def examples(self, batch: Decisions) -> Examples:
        """See `PolicyTask`: ``rating`` is the player's, the batch's mean where it is not known."""
        plain = PolicyTask.examples(self, batch)
        rating = batch.rating[batch.observed]
        return Examples(plain.packed, plain.targets | {"rating": np.nan_to_num(rating, nan=float(np.nanmean(rating)))})

    def weights(self, targets: dict[str, Tensor]) -> Tensor:
        """See `PolicyTask`."""
        weights = torch.softmax(targets["rating"] / self.spread, dim=0)
        return weights * len(weights)


def task_of(variant: str, folder: Path) -> PolicyTask:
    """Return what a variant learns."""
    network = SuitConfig(encoder=ORACLE.name if variant == "teacher" else "table", channels=SHAPE[0], blocks=SHAPE[1])
    if variant == "taught":
        return TaughtTask(network, teacher=str(folder / "teacher"))
    if variant.startswith("rated-"):
        return RatedTask(network, spread=float(variant.removeprefix("rated-")))
    return PolicyTask(network)


def ratings_of(paths: Iterable[str]) -> dict[str, list[float]]:
    """Return the players' ratings of games by their names in a `HandSet`."""
    ratings = {}
    for game in read_games(list(paths)):
        if not isinstance(game, Damaged) and game.rates:
            archive, member = name_parts(game.source)
            ratings[f"{Path(archive).name}:{member}"] = game.rates
    return ratings


def best_half(hands: HandSet) -> HandSet:
    """Return the hands of the half of the games whose players' mean rating is highest."""
    assert hands.ratings is not None
    means = hands.ratings[:, : hands.players].mean(axis=1)
    by_game = {int(game): float(mean) for game, mean in zip(hands.games, means, strict=True)}
    middle = np.median(list(by_game.values()))
    return hands.part(np.flatnonzero([by_game[int(game)] >= middle for game in hands.games]))


def run(folder: Path, variant: str, epochs: float, test: str, records: list[str]) -> None:
    """Train and measure a variant, or go on with it."""
    hands = read_hands(records, 3).with_ratings(ratings_of(records))
    tested = read_hands([test], 3).with_ratings(ratings_of([test]))
    config = TrainConfig(task=task_of(variant, folder), epochs=epochs, average=0.99, measure_every=epochs / 4)
    trainer = Trainer(config, hands, folder / variant)

    def progress(state: TrainingProgress) -> None:
        print(f"{state.samples:,} decisions, loss {state.loss:.3f}, {state.samples / state.seconds:.0f} a second")

    trainer.train(progress)
    measured = {
        name: {decision: dataclasses.asdict(figure) for decision, figure in trainer.measure(part).items()}
        for name, part in (("all", tested), ("best half", best_half(tested)))
    }
    report = {"samples": trainer.samples, "seconds": trainer.seconds, "measured": measured}
    save_text(json.dumps(report), folder / variant / "measured.json")


def table(folder: Path) -> str:
    """Return what was measured as a table in Markdown: agreement with its interval, and loss."""
    rows = [["variant", "games", *DECISIONS, "loss of discards"], ["---"] * (len(DECISIONS) + 3)]
    for variant in VARIANTS:
        path = folder / variant / "measured.json"
        measured = json.loads(path.read_text(encoding="utf-8"))["measured"] if path.is_file() else {}
        for games, decisions in measured.items():
            cells = [_cell(decisions[name]["top"][0]) for name in DECISIONS]
            rows.append([variant, games, *cells, f"{decisions['discard']['loss']:.4f}"])
    return "\n".join(f"| {' | '.join(row)} |" for row in rows)


def _cell(top: dict[str, Any]) -> str:
    value, low, high = (100 * top[key] for key in ("value", "low", "high"))
    return f"{value:.1f} % ({low:.1f} to {high:.1f}) of {top['count']:,}"


def main() -> None:
    """Do what the arguments say."""
    match sys.argv[1:]:
        case ["run", folder, variant, epochs, test, *records] if records and variant in VARIANTS:
            run(Path(folder), variant, float(epochs), test, records)
        case ["report", folder]:
            print(table(Path(folder)))
        case _:
            sys.exit(__doc__)


if __name__ == "__main__":
    try:
        main()
    except (ValueError, OSError) as error:
        sys.exit(f"study_imitation.py: {error}")
