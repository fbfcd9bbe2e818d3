"""Stages one after another, each in a folder of its own, and none done twice.

A stage's folder is ``NN-name``; its ``result.json`` is written last and in one step, and a ``stage.json`` before
anything else. Both hold a digest of all that the stage's result follows from: its settings, the records, and the stages
before it. A run that was ended at any moment therefore goes on with the stage that it was in, which itself keeps what
it can.
"""

from __future__ import annotations

import hashlib
import json
import os
import platform
import shutil
import signal
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

from janshi.arena.results import finite
from janshi.files import save_text
from janshi.reproduce.scales import Scale

#: Version of what stages write: another one does them again.
FORMAT: Final = 1
RESULT: Final = "result.json"
_BEGUN: Final = "stage.json"
_OPTIONS: Final = "reproduce.json"


class ReproduceError(ValueError):
    """What cannot be reproduced: no records, or a folder of another run."""


@dataclass(frozen=True, slots=True)
class Options:
    """What is asked for.

    ``records`` are divided by year; or ``training`` and ``test`` say which records are which. ``keep``: the weights of
    the papers' networks stay when nothing needs them any more.
    """

    scale: Scale
    records: tuple[Path, ...] = ()
    training: tuple[Path, ...] = ()
    test: tuple[Path, ...] = ()
    seed: int = 0
    keep: bool = False


#: Told what a stage is doing: in words, how much is done, of how much (None: nobody knows).
Tell = Callable[[str, float, float | None], None]


@dataclass(slots=True)
class Run:
    """What a stage is given: options, results of the stages before it, and where to work."""

    options: Options
    folder: Path
    """Of the stage."""
    results: dict[str, Any]
    """Of earlier stages, by name."""
    places: dict[str, Path]
    """Folders of all stages, by name."""
    tell: Tell
    interrupted: list[bool] = field(default_factory=lambda: [False])
    """Set by Ctrl-C, which what plays matches may keep to itself."""

    @property
    def scale(self) -> Scale:
        """The scale that is asked for."""
        return self.options.scale

    def say(self, text: str, done: float = 0, total: float | None = None) -> None:
        """Tell what is being done; raises `KeyboardInterrupt` where Ctrl-C has been pressed and not been heeded."""
        if self.interrupted[0]:
            raise KeyboardInterrupt
        self.tell(text, done, total)

    def part(self, name: str) -> Any:
        """Return the result of a part of the stage that an earlier run has written with `keep_part`, or None."""
        return read_json(self.folder / f"{name}.json")

    def keep_part(self, name: str, result: Any) -> None:
        """Keep the result of a part of the stage."""
        write_json(result, self.folder / f"{name}.json")


@dataclass(frozen=True, slots=True)
class Stage:
    """One stage.

    ``settings``: fields of `Scale` that its result depends on; ``after``: stages that it takes something from;
    ``work`` returns its result as plain data; ``weights`` are files below its folder that the stage ``needed_by``
    reads and that are deleted when that is done.
    """

    name: str
    title: str
    work: Callable[[Run], dict[str, Any]]
    settings: tuple[str, ...] = ()
    after: tuple[str, ...] = ()
    weights: tuple[str, ...] = ()
    needed_by: str = ""


@dataclass(frozen=True, slots=True)
class Event:
    """What a run tells: a stage is ``skipped`` (done earlier), ``running`` (with text, done, total) or ``done``."""

    stage: Stage
    number: int
    """From 1."""
    state: str
    text: str = ""
    done: float = 0
    total: float | None = None
    seconds: float = 0
    """Of a finished stage: how long it took."""


def run_stages(
    stages: tuple[Stage, ...], options: Options, folder: Path, records: str, heard: Callable[[Event], None]
) -> dict[str, Any]:
    """Do what is not done yet of all stages; return their results by name, each with its ``seconds``.

    ``records``: a digest of the records. Raises `ReproduceError` where the folder is another run's.
    """
    folder.mkdir(parents=True, exist_ok=True)
    _check_options(options, folder, records)
    places = {one.name: folder / f"{number:02d}-{one.name}" for number, one in enumerate(stages, start=1)}
    digests = _digests(stages, options, records)
    found = {one.name: _result(places[one.name], digests[one.name]) for one in stages}
    results: dict[str, Any] = {}
    with _listening() as interrupted:
        for number, stage in enumerate(stages, start=1):
            stored = found[stage.name]
            if stored is not None and not _weights_gone(stage, places[stage.name], found):
                results[stage.name] = stored
                heard(Event(stage, number, "skipped", seconds=stored["seconds"]))
                continue
            if stored is not None:
                # Its parts say they are done, but their weights are gone: all of it again.
                shutil.rmtree(places[stage.name])
            _begin(places[stage.name], digests[stage.name])

            def tell(text: str, done: float, total: float | None, stage: Stage = stage, number: int = number) -> None:
                heard(Event(stage, number, "running", text, done, total))

            run = Run(options, places[stage.name], results, places, tell, interrupted)
            run.say("")
            start = time.perf_counter()
            result = finite(stage.work(run))
            seconds = time.perf_counter() - start
            results[stage.name] = result | {"seconds": seconds}
            write_json({"digest": digests[stage.name], **results[stage.name]}, places[stage.name] / RESULT)
            heard(Event(stage, number, "done", seconds=seconds))
        if not options.keep:
            _delete_weights(stages, places)
    return results


def _check_options(options: Options, folder: Path, records: str) -> None:
    """Refuse to mix two runs in one folder: what took hours is not thrown away for a mistyped option."""
    wanted = {"system": "meowjong", "scale": options.scale.name, "seed": options.seed, "records": records}
    path = folder / _OPTIONS
    there = read_json(path)
    if there is None:
        if path.exists():
            raise ReproduceError(f"{path} cannot be read: name another folder, or delete it")
        write_json(wanted, path)
        return
    for name, value in wanted.items():
        if there.get(name) != value:
            said = "" if name == "records" else f" ({there.get(name)} there, {value} now)"
            raise ReproduceError(
                f"{folder} holds a reproduction with another choice of {name}{said}: name another folder, or delete it"
            )


def _digests(stages: tuple[Stage, ...], options: Options, records: str) -> dict[str, str]:
    found: dict[str, str] = {}
    for stage in stages:
        said = {
            "format": FORMAT,
            "stage": stage.name,
            "seed": options.seed,
            "records": records,
            "settings": {name: getattr(options.scale, name) for name in stage.settings},
            "after": [found[name] for name in stage.after],
        }
        found[stage.name] = hashlib.sha256(json.dumps(said, sort_keys=True).encode()).hexdigest()
    return found


def _result(place: Path, digest: str) -> dict[str, Any] | None:
    said = read_json(place / RESULT)
    if said is None or said.pop("digest", None) != digest:
        return None
    result: dict[str, Any] = said
    return result


def _begin(place: Path, digest: str) -> None:
    """Make a stage's folder; what another version left there is taken away, what the same one left stays."""
    begun = read_json(place / _BEGUN)
    if begun != {"digest": digest}:
        shutil.rmtree(place, ignore_errors=True)
        place.mkdir(parents=True)
        write_json({"digest": digest}, place / _BEGUN)


def _weights_gone(stage: Stage, place: Path, found: dict[str, Any]) -> bool:
    """Whether a stage that is not done yet would miss weights of this one."""
    if not stage.weights or found[stage.needed_by] is not None:
        return False
    return not all((place / name).exists() for name in stage.weights)


def _delete_weights(stages: tuple[Stage, ...], places: dict[str, Path]) -> None:
    for stage in stages:
        for name in stage.weights:
            (places[stage.name] / name).unlink(missing_ok=True)


@contextmanager
def _listening() -> Iterator[list[bool]]:
    """Note Ctrl-C besides raising `KeyboardInterrupt`: what plays matches ends them early and says nothing."""
    noted = [False]

    def note(number: int, frame: Any) -> None:
        noted[0] = True
        raise KeyboardInterrupt

    try:
        before = signal.signal(signal.SIGINT, note)
    except ValueError:  # not the main thread: Ctrl-C is not ours
        yield noted
        return
    try:
        yield noted
    finally:
        signal.signal(signal.SIGINT, before)


def machine() -> dict[str, Any]:
    """Return what the run's times depend on."""
    import torch

    return {
        "cores": len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count(),
        "processor": platform.machine(),
        "system": platform.system(),
        "python": platform.python_version(),
        "torch": str(torch.__version__),
        "gpu": torch.cuda.get_device_name() if torch.cuda.is_available() else None,
    }


def read_json(path: Path) -> Any:
    """Return what a file holds, or None where there is none that can be read."""
    try:
        return json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return None


def write_json(said: Any, path: Path) -> None:
    """Write plain data in one step. Raises `ValueError` for numbers that are not finite."""
    save_text(json.dumps(said, indent=1, allow_nan=False), path)


def digest_of(paths: Sequence[Path]) -> str:
    """Return a digest of records: of the content of files, archives and folders, in any place, under the same names.

    Raises `ReproduceError` where there is nothing.
    """
    found = hashlib.sha256()
    for path in paths:
        if not path.exists():
            raise ReproduceError(f"{path}: no such file or folder")
        files = sorted(one for one in path.rglob("*") if one.is_file()) if path.is_dir() else [path]
        for file in files:
            named = file.relative_to(path).as_posix() if path.is_dir() else file.name
            try:
                with file.open("rb") as stream:
                    found.update(f"{named}\0{hashlib.file_digest(stream, 'sha256').hexdigest()}\n".encode())
            except OSError as error:
                raise ReproduceError(f"{file} cannot be read: {error.strerror}") from None
    return found.hexdigest()
