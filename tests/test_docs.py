"""What the documents point to is there."""

import ast
import re
from dataclasses import fields
from pathlib import Path

from janshi.riichi.rules import Rules

ROOT = Path(__file__).parents[1]


def test_every_test_that_the_rules_reference_names_exists():
    text = (ROOT / "docs" / "rules.md").read_text()
    named = re.findall(r"`(tests/[\w/]+\.py)::(\w+)`", text)
    assert len(named) > 50
    for file, name in named:
        nodes = ast.walk(ast.parse((ROOT / file).read_text()))
        functions = {one.name for one in nodes if isinstance(one, ast.FunctionDef)}
        assert name in functions, f"docs/rules.md names {file}::{name}"


def test_every_field_of_the_rules_is_in_the_reference():
    text = (ROOT / "docs" / "rules.md").read_text()
    missing = [one.name for one in fields(Rules) if f"`{one.name}`" not in text and one.name != "name"]
    assert not missing


def test_relative_links_lead_somewhere():
    for page in (ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md"))):
        for link in re.findall(r"\]\((?!https?:)([^)#]+)", page.read_text()):
            assert (page.parent / link).exists(), f"{page.name} links to {link}"
