"""Checks of CONTRIBUTING: commit messages, commands of the hooks, links."""

import re
import tomllib
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]


@pytest.mark.parametrize(
    ("message", "accepted"),
    [
        ("Add a preset\n", True),
        ("Add a preset\n\nTenhou's rules of 2009 end the extension later.\n", True),
        ("Add a preset\n# On branch main\n", True),
        ("A" * 72, True),
        ("A" * 73, False),
        ("fixup! " + "Add " * 40, True),
        ("", False),
        ("# only a comment\n", False),
        ("Add a preset.\n", False),
        ("Add a preset.\n\nWhy.\n", False),
        ("add a preset\n", False),
        ("Add a preset\nand a test\n", False),
    ],
)
def test_the_hook_checks_the_form_of_a_commit_message(message: str, accepted: bool):
    config = (ROOT / ".pre-commit-config.yaml").read_text(encoding="utf-8")
    (pattern,) = re.findall(r"entry: '(.+)'", config)
    assert bool(re.search(pattern.encode(), message.encode(), re.MULTILINE | re.DOTALL)) == accepted  # as pygrep does


def test_scripts_and_tools_are_described():
    pages = {"benchmarks": "benchmarks/README.md", "research": "research/README.md", "tools": "CONTRIBUTING.md"}
    for folder, page in pages.items():
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
