"""Runs killed before each change on disk, and then repeated.

    python -m tests.learn.killed dataset|train|paper|learn RECORDS FOLDER EVERY

What a killed process leaves is what is on disk, so each moment (or every so many of them) before a file takes its
place or goes is tried: the run is killed there by SIGKILL, run again, and must end with the same files as one that was
left alone. Then one is killed again and again: at its first change, what goes on from there at its second, and so on,
until it ends. Moments are counted and never timed: nothing depends on how busy the machine is. Prints the moments tried
and what went wrong, as JSON. Every run is a fork of this process: importing torch for each would take minutes.
"""

import dataclasses
import hashlib
import itertools
import json
import os
import shutil
import signal
import sys
import time
import traceback
from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import torch
from safetensors.numpy import load_file

from janshi.cluster import Here
from janshi.encoders import encoder
from janshi.learn import trainer
from janshi.learn.checkpoints import load_network
from janshi.learn.configs import LearnConfig
from janshi.learn.improvement import Improvement
from janshi.papers.meowjong.networks import MeowjongConfig
from janshi.papers.meowjong.tasks import OneDecision, paper_config
from janshi.riichi.dataset import HandSet, decisions, read_hands
from janshi.riichi.dataset.tasks import PolicyTask
from janshi.riichi.networks import KindConfig

#: Functions that change the files of a run.
CHANGES = {"os.rename", "os.remove", "os.rmdir"}
Run = Callable[[Path], None]


def runs(hands: HandSet, place: Path) -> dict[str, Run]:
    """Return the runs to kill, by name."""
    task = PolicyTask(KindConfig(channels=8, blocks=1))
    ours = trainer.TrainConfig(task=task, epochs=1.0, batch=64, chunk=20, development=0.2, augment=True)
    narrow = OneDecision(MeowjongConfig("pon", filters=(2, 2, 2, 2), dense=4))
    papers = paper_config("pon", task=narrow, epochs=1.0, batch=16, chunk=20, measure_every=0.4)
    updates = LearnConfig(rules="tenhou-sanma-hand", updates=2, games=4, train_blocks=-1, gate_every=1, gate_walls=1)
    start = place / "start"

    def learned(folder: Path) -> None:
        if not start.exists():
            trainer.Trainer(dataclasses.replace(ours, epochs=0.2), hands, start).train()
        Improvement(updates, load_network(start), folder, Here()).train()

    return {
        "dataset": hands.save,
        "train": lambda folder: trainer.Trainer(ours, hands, folder).train(),
        "paper": lambda folder: trainer.Trainer(papers, hands, folder).train(),
        "learn": learned,
    }


def in_child(run: Run, folder: Path, moment: int | None = None) -> int:
    """Run in a fork that is killed before its nth change on disk; return 0, 1 after an error, or −9 for the signal."""
    child = os.fork()
    if child == 0:
        try:
            if moment is not None:
                kill_before(moment)
            run(folder)
        except BaseException:
            traceback.print_exc()
            os._exit(1)
        os._exit(0)
    return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])


def kill_before(moment: int) -> None:
    changes = itertools.count()

    def hook(event: str, _: tuple[object, ...]) -> None:
        if event in CHANGES and next(changes) == moment:
            os.kill(os.getpid(), signal.SIGKILL)

    sys.addaudithook(hook)


def left(folder: Path) -> dict[str, str]:
    """Return the digests of a run's files, without times and temporary files."""
    digests = {}
    for path in sorted(folder.rglob("*")):
        if path.is_file() and path.suffix != ".part":
            content = path.read_bytes()
            if path.suffix == ".json":
                content = json.dumps(timeless(json.loads(content))).encode()
            if path.suffix == ".safetensors":
                # A checkpoint also contains the text of training.json, as bytes.
                arrays = {name: array for name, array in load_file(path).items() if array.dtype != np.uint8}
                content = b"".join(name.encode() + arrays[name].tobytes() for name in sorted(arrays))
            digests[str(path.relative_to(folder))] = hashlib.sha256(content).hexdigest()
    return digests


def differences(ends: dict[str, str], whole: dict[str, str]) -> str:
    """Return the files that differ."""
    return ", ".join(sorted(name for name in {*ends, *whole} if ends.get(name) != whole.get(name)))


def timeless(value: object) -> object:
    """Return the data without seconds."""
    if isinstance(value, dict):
        return {name: timeless(inner) for name, inner in value.items() if not name.endswith("seconds")}
    return [timeless(inner) for inner in value] if isinstance(value, list) else value


def main(kind: str, records: str, place: Path, every: int) -> None:
    torch.set_num_threads(1)
    hands = read_hands([records], 3)
    decisions(hands, encoder=encoder("janshi"))
    # Each reading of the clock advances it by a minute: a checkpoint after every step.
    clock = itertools.count(0, 61)
    trainer.time = SimpleNamespace(monotonic=clock.__next__, perf_counter=time.perf_counter)
    run = runs(hands, place)[kind]
    assert in_child(run, place / "first") == 0
    assert in_child(run, place / "whole") == 0
    whole = left(place / "whole")
    wrong: list[str] = []
    for moment in itertools.count(0, every):
        folder = place / "killed"
        shutil.rmtree(folder, ignore_errors=True)
        status = in_child(run, folder, moment)
        if status == 0:
            break
        if (status, in_child(run, folder)) != (-signal.SIGKILL, 0):
            wrong.append(f"killed at {moment}: it does not go on")
        elif left(folder) != whole:
            wrong.append(f"killed at {moment}: it ends otherwise ({differences(left(folder), whole)})")
    folder = place / "often"
    times = 0
    while (status := in_child(run, folder, times)) == -signal.SIGKILL:
        times += 1
    if status != 0 or in_child(run, folder) != 0:
        wrong.append("killed again and again: it does not go on")
    elif left(folder) != whole:
        wrong.append(f"killed again and again: it ends otherwise ({differences(left(folder), whole)})")
    print(json.dumps({"files": sorted(whole), "moments": moment, "kills": times, "wrong": wrong}))


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2], Path(sys.argv[3]), int(sys.argv[4]))
