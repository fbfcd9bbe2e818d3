"""Checks of CONTRIBUTING: commit messages, commands of the hooks, links."""

import re
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest
from tools.check_commit_message import LONGEST_SUBJECT, main, message_lines, problems

ROOT = Path(__file__).parents[1]


@pytest.mark.parametrize(
    "message",
    [
        "Add a preset",
        "Add a preset\n\nTenhou's rules of 2009 end the extension later.\n",
        "x".upper() * LONGEST_SUBJECT,
        "Zeige 雀士 auf der Seite",
        "fixup! " + "Add " * 40,
        "\n\nAdd a preset\n# comment\n",
        "Add a preset\n# ------------------------ >8 ------------------------\ndiff --git a/x b/x\n",
    ],
)
def test_good_messages_pass(message: str):
    assert problems(message) == []


@pytest.mark.parametrize(
    ("message", "problem"),
    [
        ("", "the message is empty"),
        ("# only a comment\n", "the message is empty"),
        ("A" * (LONGEST_SUBJECT + 1), "the subject has 73 characters; 72 are allowed"),
        ("雀" * (LONGEST_SUBJECT + 1), "the subject has 73 characters; 72 are allowed"),
        ("Add a preset.", "the subject ends with a full stop"),
        ("add a preset", "the subject does not begin with a capital letter"),
        ("Add a preset\nand a test", "the line after the subject is not blank"),
    ],
)
def test_each_problem_is_named(message: str, problem: str):
    assert problem in problems(message)


def test_comments_and_the_diff_below_the_scissors_are_not_part_of_a_message():
    text = "Add a preset\n\nWhy.\n# comment\n# ------------------------ >8 ------------------------\ndiff\n"
    assert message_lines(text) == ["Add a preset", "", "Why."]


def test_exit_codes(tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    file = tmp_path / "COMMIT_EDITMSG"
    file.write_text("Add a preset\n", encoding="utf-8")
    assert main([str(file)]) == 0
    file.write_text("add a preset.\n", encoding="utf-8")
    assert main([str(file)]) == 1
    assert capsys.readouterr().err.count("commit message: ") == 2
    file.write_bytes(b"\xff\xfe")
    assert (main([str(file)]), main([str(tmp_path / "missing")]), main([])) == (2, 2, 2)


def test_the_hooks_command_runs_as_it_is_written(tmp_path: Path):
    config = (ROOT / ".pre-commit-config.yaml").read_text(encoding="utf-8")
    (script,) = re.findall(r"entry: python (\S+)", config)
    file = tmp_path / "message"
    file.write_text("A" * 100, encoding="utf-8")
    run = subprocess.run([sys.executable, script, file], cwd=ROOT, capture_output=True, text=True, check=False)
    assert (run.returncode, "100 characters" in run.stderr) == (1, True)


def test_scripts_and_tools_are_described():
    for folder, page in (("benchmarks", "benchmarks/README.md"), ("tools", "CONTRIBUTING.md")):
        text = (ROOT / page).read_text(encoding="utf-8")
        missing = [script.name for script in (ROOT / folder).glob("*.py") if script.name not in text]
        assert not missing, f"{page} does not describe {missing}"


def test_the_changelog_has_the_version_of_the_package():
    init = (ROOT / "src/janshi/__init__.py").read_text(encoding="utf-8")
    (version,) = re.findall(r'__version__ = "([^"]+)"', init)
    headings = re.findall(r"^## \[?([^\]\s]+)", (ROOT / "CHANGELOG.md").read_text(encoding="utf-8"), re.MULTILINE)
    assert headings[:2] == ["Unreleased", version]


def test_the_links_of_the_readme_are_absolute_where_the_package_index_shows_it():
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    settings = project["tool"]["hatch"]["metadata"]["hooks"]["fancy-pypi-readme"]
    shown = (ROOT / "README.md").read_text(encoding="utf-8")
    assert "](docs/" in shown
    for change in settings["substitutions"]:
        shown = re.sub(change["pattern"], change["replacement"], shown)
    assert re.findall(r"\]\((?!https://)[^)]*\)", shown) == []
