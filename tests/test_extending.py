"""The examples of docs/extending*.md that change the source, or are files of their own, work."""

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

import janshi

DOCS = Path(__file__).parents[1] / "docs"


def change(text: str, root: Path) -> None:
    """Make the changes of source files in a block ``diff`` of the guide, each in its one place."""
    for path, lines in re.findall(r"^--- src/(\S+)\n((?:[ +-].*\n)+?)(?=---|$)", text, re.MULTILINE):
        file, changed = root / path, lines.splitlines()
        before = "".join(f"{line[1:]}\n" for line in changed if line[0] != "+")
        source = file.read_text(encoding="utf-8")
        assert source.count(before) == 1, f"docs/extending*.md: {path} has no such place:\n{before}"
        after = "".join(f"{line[1:]}\n" for line in changed if line[0] != "-")
        file.write_text(source.replace(before, after), encoding="utf-8")


@pytest.fixture(scope="module")
def changed(tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    """The environment of a copy of the package with the changes of the guide, as plain Python."""
    root = tmp_path_factory.mktemp("changed")
    ignored = shutil.ignore_patterns("*.onnx", "static", "__pycache__")
    shutil.copytree(Path(janshi.__file__).parent, root / "janshi", ignore=ignored)
    pages = "\n".join(page.read_text("utf-8") for page in sorted(DOCS.glob("extending*.md")))
    blocks = re.findall(r"^```diff\n(.*?)^```", pages, re.MULTILINE | re.DOTALL)
    assert len(blocks) == 3
    for block in blocks:
        change(block, root)
    return {**os.environ, "PYTHONPATH": str(root), "JANSHI_PLAIN": "1"}


def output(code: str, environment: dict[str, str]) -> str:
    """Run Python code; return what it prints."""
    run = subprocess.run([sys.executable, "-c", code], env=environment, capture_output=True, text=True, check=False)
    assert run.returncode == 0, run.stderr
    return run.stdout


def test_the_yaku_of_the_guide_is_added(changed: dict[str, str]):
    code = """
import dataclasses
from janshi.riichi.hands import score
from janshi.riichi.rules import TENHOU
rules = dataclasses.replace(TENHOU, name="club", local_yaku=("shousanpuu",))
won = score("234m33344422z", melds=["567p"], win="2m", rules=rules)
print(won.han, [yaku.name for yaku, _ in won.yaku])
"""
    assert output(code, changed) == "2 ['shousanpuu']\n"


def test_the_advice_of_the_guide_is_given(changed: dict[str, str]):
    code = """
from janshi.compiling import row, zeros
from janshi.say.candidates import goes_before
from janshi.say.records import CandidateRow
rows = zeros(CandidateRow, 2)
furiten, other = row(rows, 0), row(rows, 1)
furiten.furiten, furiten.ukeire.left, other.ukeire.left = 1, 8, 2
print(goes_before(furiten, other), goes_before(other, furiten))
"""
    assert output(code, changed) == "False True\n"


def test_the_rule_of_the_guide_is_added(changed: dict[str, str]):
    text = (DOCS / "extending.md").read_text(encoding="utf-8")
    (check,) = re.findall(r"^    import dataclasses\n(?:^(?: {4}.*)?\n)+", text, re.MULTILINE)
    code = f"{re.sub('^    ', '', check, flags=re.MULTILINE)}\ntest_nobody_calls_pon_without_its_rule()"
    assert output(code, changed) == ""
    with pytest.raises(AssertionError, match="test_nobody_calls_pon"):
        output(code.replace("pon=False", "pon=True"), changed)


def test_the_game_of_the_guide_is_played(tmp_path: Path):
    text = (DOCS / "extending-game.md").read_text(encoding="utf-8")
    (shown,) = re.findall(r'(^    """Low.*\n(?:^(?: {4}.*)?\n)+)', text, re.MULTILINE)
    file = tmp_path / "low.py"
    file.write_text(re.sub("^    ", "", shown, flags=re.MULTILINE), encoding="utf-8")
    (command,) = re.findall(r"^    janshi (--plugin low.py arena .*)", text, re.MULTILINE)
    run = [sys.executable, "-m", "janshi", *command.split()]
    done = subprocess.run(run, cwd=tmp_path, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert "low-hand, seed 0: 100 walls" in done.stdout
