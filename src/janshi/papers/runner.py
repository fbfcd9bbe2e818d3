"""Reproducing a paper: stages one after another, each in a folder of its own, and none run twice.

A `Paper` has a sequence of stages, the scales of its reproduction (`janshi.papers.data`), and a report
(`janshi.papers.page`). A stage's folder is ``NN-name``; its ``result.json`` is written last and in one step. A run that
was interrupted at any moment therefore resumes in the same stage, which keeps the results of its finished parts.
``reproduce.json`` holds everything that determines the results: a folder belongs to one scale, seed and set of records.
"""

from __future__ import annotations

import hashlib
import json
import os
import platform
import shutil
import time
import traceback
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, cast

from janshi.files import finite, save_text
from janshi.papers.data import Scale
from janshi.registries import load

if TYPE_CHECKING:
    from janshi.papers.page import Report

#: Version of the stages' files.
FORMAT: Final = 1
RESULT: Final = "result.json"
#: Traceback of a stage that failed.
ERROR: Final = "error.txt"
_OPTIONS: Final = "reproduce.json"


class ReproduceError(ValueError):
    """Missing records, or the folder of another run."""


@dataclass(frozen=True, slots=True)
class Options:
    """Options of a run.

    ``records`` are divided by year, unless ``training`` and ``test`` name both sets. ``keep``: keep the weights of the
    papers' networks after the last stage that reads them.
    """

    scale: Any
    """One of the paper's scales."""
    records: tuple[Path, ...] = ()
    training: tuple[Path, ...] = ()
    test: tuple[Path, ...] = ()
    seed: int = 0
    keep: bool = False
    cluster: str | None = None
    """Executor of single-core parts: see `janshi.cluster.workers`. Results do not depend on it."""


#: Called with a description of the work, the amount done, and the total (None: unknown).
Progress = Callable[[str, float, float | None], None]


@dataclass(slots=True)
class Run:
    """The input of a stage: options, results of earlier stages, and its folder."""

    options: Options
    folder: Path
    """Of the stage."""
    results: dict[str, Any]
    """Of earlier stages, by name."""
    folders: dict[str, Path]
    """Folders of all stages, by name."""
    progress: Progress

    @property
    def scale(self) -> Any:
        """The scale of the run."""
        return self.options.scale

    def report(self, text: str, done: float = 0, total: float | None = None) -> None:
        """Report progress."""
        self.progress(text, done, total)

    def part(self, name: str) -> Any:
        """Return the kept result of a part of the stage, or None."""
        return read_json(self.folder / f"{name}.json")

    def keep_part(self, name: str, result: Any) -> None:
        """Keep the result of a part of the stage, with None in place of numbers that are not finite."""
        write_json(finite(result), self.folder / f"{name}.json")

    def once(self, name: str, work: Callable[[], Any]) -> Any:
        """Return the kept result of a part of the stage; compute and keep it first if there is none."""
        if self.part(name) is None:
            self.keep_part(name, work())
        return self.part(name)


@dataclass(frozen=True, slots=True)
class Stage:
    """One stage.

    ``work`` returns its result as plain data; ``weights`` are files below its folder that the stage ``needed_by``
    reads and that are deleted after it.
    """

    name: str
    title: str
    work: Callable[[Run], dict[str, Any]]
    weights: tuple[str, ...] = ()
    needed_by: str = ""


@dataclass(frozen=True, slots=True)
class Paper:
    """A published system that can be reproduced: ``janshi reproduce NAME``.

    ``stages`` and ``report`` may be addresses (``module:attribute``), so that scales are known without torch.
    """

    name: str
    title: str
    stages: tuple[Stage, ...] | str
    scales: Mapping[str, Scale]
    report: Report | str
    needs_records: bool = True
    """True if the paper learns from records."""

    def load_stages(self) -> tuple[Stage, ...]:
        """Return the stages; import them if only their address is known."""
        return cast("tuple[Stage, ...]", load(self.stages) if isinstance(self.stages, str) else self.stages)

    def load_report(self) -> Report:
        """Return the report; import it if only its address is known."""
        return cast("Report", load(self.report) if isinstance(self.report, str) else self.report)


@dataclass(frozen=True, slots=True)
class StageEvent:
    """Progress of a run: a stage is ``skipped`` (done earlier), ``running`` (with text, done, total) or ``done``."""

    stage: Stage
    number: int
    """From 1."""
    state: str
    text: str = ""
    done: float = 0
    total: float | None = None
    seconds: float = 0
    """Duration of a finished stage."""


#: The last stage of every paper.
REPORT: Final = Stage("report", "Report", lambda run: {})


def reproduce(paper: Paper, options: Options, folder: str | Path, listen: Callable[[StageEvent], None]) -> Path:
    """Run all stages of a paper in a folder, resuming an earlier run, and return the report's page.

    Raises `ReproduceError` if the folder is another run's or the records are too few, `DatasetError` if there
    are none.
    """
    folder = Path(folder)
    digest = " ".join(digest_of(paths) for paths in (options.records, options.training, options.test) if paths)
    results = run_stages(paper, options, folder, digest, listen)
    stages = paper.load_stages()
    number = len(stages) + 1
    listen(StageEvent(REPORT, number, "running", "drawing"))
    page = paper.load_report().write(results, options, folder, {stage.name: stage.title for stage in stages})
    listen(StageEvent(REPORT, number, "done"))
    return page


def run_stages(
    paper: Paper, options: Options, folder: Path, records: str, listen: Callable[[StageEvent], None]
) -> dict[str, Any]:
    """Run the unfinished stages; return the results of all stages by name, each with its ``seconds``.

    ``records``: a digest of the records. Raises `ReproduceError` if the folder is another run's.
    """
    stages = paper.load_stages()
    folder.mkdir(parents=True, exist_ok=True)
    _check_options(paper, options, folder, records)
    folders = {stage.name: folder / f"{number:02d}-{stage.name}" for number, stage in enumerate(stages, start=1)}
    stored = {stage.name: _stored_result(folders[stage.name] / RESULT) for stage in stages}
    results: dict[str, Any] = {}
    for number, stage in enumerate(stages, start=1):
        result, place = stored[stage.name], folders[stage.name]
        if result is not None and not _weights_gone(stage, place, stored):
            results[stage.name] = result
            listen(StageEvent(stage, number, "skipped", seconds=result["seconds"]))
            continue
        if result is not None:
            # The parts have results, but their weights are gone: the whole stage runs again.
            shutil.rmtree(place)
        place.mkdir(exist_ok=True)

        def progress(text: str, done: float, total: float | None, stage: Stage = stage, number: int = number) -> None:
            listen(StageEvent(stage, number, "running", text, done, total))

        results[stage.name] = _work(stage, Run(options, place, results, folders, progress))
        listen(StageEvent(stage, number, "done", seconds=results[stage.name]["seconds"]))
    if not options.keep:
        for stage in stages:
            for name in stage.weights:
                (folders[stage.name] / name).unlink(missing_ok=True)
    return results


def _work(stage: Stage, run: Run) -> dict[str, Any]:
    """Run one stage and keep its result. Raises `ReproduceError` if the stage fails."""
    run.report("")
    start = time.perf_counter()
    try:
        result: dict[str, Any] = finite(stage.work(run))
    except Exception as error:
        if isinstance(error, OSError) or (isinstance(error, ValueError) and type(error) is not ValueError):
            raise  # an error with a class of its own needs no traceback
        details = run.folder / ERROR
        save_text(traceback.format_exc(), details)
        words = (str(error).splitlines() or [type(error).__name__])[0]
        raise ReproduceError(f"stage {stage.title!r} failed: {words} (details in {details})") from error
    result = result | {"seconds": time.perf_counter() - start}
    write_json(result, run.folder / RESULT)
    return result


def _check_options(paper: Paper, options: Options, folder: Path, records: str) -> None:
    """Raise `ReproduceError` if the folder holds a run with other options."""
    wanted = {"system": paper.name, "scale": options.scale.name, "seed": options.seed, "records": records}
    wanted |= {"settings": asdict(options.scale), "format": FORMAT}
    wanted = json.loads(json.dumps(wanted))
    path = folder / _OPTIONS
    there = read_json(path)
    if not isinstance(there, dict):
        if path.exists():
            raise ReproduceError(f"{path} cannot be read: name another folder, or delete it")
        write_json(wanted, path)
        return
    for name, value in wanted.items():
        if there.get(name) != value:
            which = "" if name in ("records", "settings") else f" ({there.get(name)} there, {value} now)"
            raise ReproduceError(
                f"{folder} holds a reproduction with another choice of {name}{which}: name another folder, or delete it"
            )


def _weights_gone(stage: Stage, folder: Path, stored: dict[str, Any]) -> bool:
    """Return whether an unfinished stage needs missing weights of this one."""
    if not stage.weights or stored[stage.needed_by] is not None:
        return False
    return not all((folder / name).exists() for name in stage.weights)


def machine() -> dict[str, Any]:
    """Return a description of the machine."""
    import torch

    return {
        "cores": len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count(),
        "processor": platform.machine(),
        "system": platform.system(),
        "python": platform.python_version(),
        "torch": str(torch.__version__),
        "gpu": torch.cuda.get_device_name() if torch.cuda.is_available() else None,
    }


def _stored_result(path: Path) -> dict[str, Any] | None:
    """Return a stage's result, or None if there is none: the stage runs again."""
    result = read_json(path)
    return result if isinstance(result, dict) and "seconds" in result else None


def read_json(path: Path) -> Any:
    """Return the content of a JSON file, or None if it cannot be read."""
    try:
        return json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return None


def write_json(content: Any, path: Path) -> None:
    """Write plain data in one step. Raises `ValueError` for numbers that are not finite."""
    save_text(json.dumps(content, indent=1, allow_nan=False), path)


def digest_of(paths: Sequence[Path]) -> str:
    """Return a digest of records: of the names and contents of files, archives and folders, wherever they are.

    Raises `ReproduceError` if there is nothing.
    """
    digest = hashlib.sha256()
    for path in paths:
        if not path.exists():
            raise ReproduceError(f"{path}: no such file or folder")
        files = sorted(file for file in path.rglob("*") if file.is_file()) if path.is_dir() else [path]
        for file in files:
            name = file.relative_to(path).as_posix() if path.is_dir() else file.name
            try:
                with file.open("rb") as stream:
                    digest.update(f"{name}\0{hashlib.file_digest(stream, 'sha256').hexdigest()}\n".encode())
            except OSError as error:
                raise ReproduceError(f"{file} cannot be read: {error.strerror}") from None
    return digest.hexdigest()
