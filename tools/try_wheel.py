"""Install the wheel with each extra alone and run every command in an empty folder, without a network.

    python tools/try_wheel.py [EXTRA …] [--folder FOLDER]

For each extra of the package (first none) the script creates an environment and installs the wheel with this extra.
Then every command runs: its help, and a typical use. Each must end with exit code 0, 1 or 2, report missing modules in
one line, and never print a traceback; otherwise the script's exit code is 1. Commands run in a namespace without a
network if the system permits it (Linux: ``unshare``).
"""

from __future__ import annotations

import argparse
import os
import shutil
import signal
import subprocess
import sys
import tempfile
import tomllib
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Final

ROOT: Final = Path(__file__).parents[1]
#: Extras for development.
_OURS: Final = ("test", "docs")
#: Maximum seconds of a command; ``play`` is stopped after a few.
_LIMIT: Final = 900
_SERVED: Final = 20

#: Commands besides each help: {sample} is a record.
COMMANDS: Final = (
    "",
    "--version",
    "compile --help",
    "hand 123m456p789s1122z",
    "hand 123m456p789s1122z --json",
    "agents",
    "replay {sample}",
    "convert {sample} --to mjai --out converted",
    "review {sample} --no-browser",
    "playouts {sample} --samples 128",
    "show-observation {sample}",
    "arena random efficient random --hands 2",
    "arena sl efficient efficient --hands 2",
    "compare random efficient --walls 2 --out compared",
    "mjai random",
    "crawl --years 2024 --out crawled",
    "dataset {sample} --out kept",
    "train {sample} --out trained --epochs 0.02 --channels 8 --blocks 1",
    "reproduce",
    "learn sl --out learned --updates 1 --games 1 --gate-walls 1 --rules tenhou-sanma-hand",
    "learn trained --out improved --train-blocks -1 --updates 1 --games 2 --gate-walls 1",
    "demo --epochs 0.02 --hands 1",
    "reproduce nothing --out nowhere",
    "play --port 18999 --no-browser",
)

#: Python of typical first uses, which need only the documented extras.
SNIPPETS: Final = {
    "a table": "from janshi.table import Table; table = Table('tenhou', seed=1); table.act(table.legal[0])",
    "a hand": "from janshi.riichi.hands import *; print(shanten('19m19p19s1234567z'), score('99m123456789p111z'))",
    "a picture": "from janshi.table import Table; from janshi.riichi.drawing import *; open_table_svg(Table())",
    "an environment": "from janshi.bridges.gym import MahjongEnv",
}


@dataclass(frozen=True, slots=True)
class Answer:
    """Result of a command."""

    extra: str
    command: str
    code: int
    text: str
    needs: str = ""
    """The extra that the command needs."""

    @property
    def is_fine(self) -> bool:
        """Return whether the command behaved correctly; one that needs no extra must not ask for one."""
        asks = not self.needs and "pip install" in self.text
        return self.code in (0, 1, 2) and "Traceback" not in self.text and not asks


def extras() -> list[str]:
    """Return the extras for users, first none."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    return ["", *(extra for extra in project["optional-dependencies"] if extra not in _OURS)]


def commands() -> list[tuple[str, str]]:
    """Return every command line, all helps and typical uses, with the extra that it needs."""
    sys.path.insert(0, str(ROOT / "src"))
    from janshi.cli import SHIPPED

    lines = [*(f"{name} --help" for name in SHIPPED), *COMMANDS]
    needed = {name: shipped.extra for name, shipped in SHIPPED.items()}
    return [(line, needed.get(line.partition(" ")[0], "")) for line in lines]


def without_network() -> list[str]:
    """Return the prefix that runs a command without a network; empty if this is not possible."""
    alone = ["unshare", "-rn", "sh", "-c", 'ip link set lo up; exec "$@"', "-"]
    tried = shutil.which("unshare") and subprocess.run([*alone, "true"], capture_output=True, check=False)
    return alone if tried and tried.returncode == 0 else []


def run(command: list[str], folder: Path, environment: dict[str, str], *, served: bool = False) -> tuple[int, str]:
    """Run a command; return its exit code and output. A server is stopped by Ctrl-C after some time."""
    process = subprocess.Popen(
        command,
        cwd=folder,
        env=environment,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        start_new_session=True,
    )
    try:
        text, _ = process.communicate(timeout=_SERVED if served else _LIMIT)
    except subprocess.TimeoutExpired:
        os.killpg(process.pid, signal.SIGINT if served else signal.SIGKILL)
        text, _ = process.communicate()
        return (0 if served and process.returncode in (0, 130) else process.returncode), text
    return process.returncode, text


def answers(extra: str, wheel: Path, folder: Path, prefix: list[str]) -> Iterator[Answer]:
    """Install the wheel with an extra and yield the results of all commands."""
    venv = folder / f"venv-{extra or 'none'}"
    subprocess.run([sys.executable, "-m", "venv", venv], check=True)
    bin_folder = venv / ("Scripts" if os.name == "nt" else "bin")
    target = f"{wheel}[{extra}]" if extra else str(wheel)
    subprocess.run([bin_folder / "python", "-m", "pip", "install", "-q", target], check=True)
    empty = folder / f"work-{extra or 'none'}"
    empty.mkdir()
    environment = {name: value for name, value in os.environ.items() if name not in ("PYTHONPATH", "VIRTUAL_ENV")}
    environment |= {"JANSHI_CACHE": str(folder / "cache"), "PATH": f"{bin_folder}{os.pathsep}{os.environ['PATH']}"}
    sample = subprocess.run(
        [bin_folder / "python", "-c", "from janshi.sample import SAMPLE; print(SAMPLE)"],
        capture_output=True,
        text=True,
        check=True,
        env=environment,
    ).stdout.strip()
    for line, needs in commands():
        words = ["janshi", *line.format(sample=sample).split()]
        code, text = run([*prefix, *words], empty, environment, served=words[1:2] == ["play"] and "--help" not in words)
        yield Answer(extra, line, code, text, needs)
    for name, code_text in SNIPPETS.items():
        code, text = run([*prefix, "python", "-c", code_text], empty, environment)
        expected = code == 0 or text.strip().splitlines()[-1].startswith(("ModuleNotFoundError", "ImportError"))
        yield Answer(extra, name, 0 if expected else 3, text if not expected else "")
    shutil.rmtree(venv)


def main() -> None:
    """Test the wheel and print the faults."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("extras", nargs="*", metavar="EXTRA", help="only these; none: the wheel alone")
    parser.add_argument("--folder", type=Path, help="work there and keep it (default: a temporary one)")
    options = parser.parse_args()
    chosen = ["" if extra == "none" else extra for extra in options.extras] or extras()
    with tempfile.TemporaryDirectory() as temporary:
        folder = (options.folder or Path(temporary)).resolve()
        folder.mkdir(parents=True, exist_ok=True)
        build = [sys.executable, "-m", "pip", "wheel", "-q", "--no-deps", "-w", str(folder), str(ROOT)]
        subprocess.run(build, check=True)
        (wheel,) = folder.glob("janshi-*.whl")
        prefix = without_network()
        print(f"{wheel.name}, {'no network' if prefix else 'with whatever network there is'}")
        wrong = 0
        for extra in chosen:
            tried = list(answers(extra, wheel, folder, prefix))
            bad = [answer for answer in tried if not answer.is_fine]
            wrong += len(bad)
            print(f"{extra or 'no extra'}: {len(tried)} tried, {len(bad)} answered otherwise", flush=True)
            for answer in bad:
                print(f"  {answer.command}: exit code {answer.code}\n{answer.text[-2000:]}", flush=True)
    sys.exit(1 if wrong else 0)


if __name__ == "__main__":
    main()
