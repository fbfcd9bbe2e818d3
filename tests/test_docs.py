"""References of the documents exist."""

import json
import pkgutil
import re
import shlex
from collections.abc import Iterator
from dataclasses import fields
from pathlib import Path

import pytest

from janshi.cli import COMMANDS, as_click
from janshi.riichi.rules import Rules
from tests.claims import cases_of

ROOT = Path(__file__).parents[1]


@pytest.mark.parametrize("page", ["rules", "sichuan-rules"])
def test_every_test_and_claim_that_the_rules_reference_names_exists(page: str):
    text = (ROOT / "docs" / f"{page}.md").read_text()
    tests = re.findall(r"`(tests/[\w/]+\.py)::(\w+)`", text)
    named = re.findall(r"`(\w+-\w+|replay): ([^`]+)`", text)
    assert len(tests) + len(named) > 50
    for file, name in tests:
        assert re.search(rf"^def {name}\b", (ROOT / file).read_text(), re.MULTILINE), f"{file}::{name}"
    for vectors, claim in named:
        rows = json.loads((ROOT / "tests" / "vectors" / f"{vectors}.json").read_text())
        assert claim in [row["claim"] for row in rows], f"{vectors}: {claim}"


def test_every_field_of_the_rules_is_in_the_reference():
    text = (ROOT / "docs" / "rules.md").read_text()
    missing = [one.name for one in fields(Rules) if f"`{one.name}`" not in text and one.name != "name"]
    assert not missing


def anchors(page: Path) -> set[str]:
    """Return the anchors of the headings of a page."""
    headings = re.findall(r"^#+ (.+)$", page.read_text(encoding="utf-8"), re.MULTILINE)
    return {re.sub(r"\s+", "-", re.sub(r"[^\w\s-]", "", heading).strip().lower()) for heading in headings}


def test_targets_of_relative_links_exist():
    others = ("CHANGELOG.md", "web/README.md", "npm/README.md", "src/janshi/players/README.md")
    for page in (*PAGES, *(ROOT / name for name in others)):
        for link, anchor in re.findall(r"\]\((?!https?:)([^)#]*)(?:#([^)]+))?\)", page.read_text(encoding="utf-8")):
            target = page.parent / link if link else page
            assert target.exists(), f"{page.name} links to {link}"
            assert not anchor or anchor in anchors(target), f"{page.name} links to {link}#{anchor}"


def clicks_from_the_readme() -> dict[Path, int]:
    """Return how many links lead from the README to each page."""
    clicks = {ROOT / "README.md": 0}
    for page in (pages := list(clicks)):  # grows during the iteration
        for link in re.findall(r"\]\((?!https?:)([^)#]+\.md)", page.read_text(encoding="utf-8")):
            target = (page.parent / link).resolve()
            if target not in clicks:
                clicks[target] = clicks[page] + 1
                pages.append(target)
    return clicks


@pytest.mark.parametrize(*cases_of("messages", "a readers question is answered two clicks from the readme"))
def test_a_readers_question_is_answered_two_clicks_from_the_readme(question: str, page: str, answer: str):
    assert clicks_from_the_readme()[ROOT / page] <= 2, question
    assert answer in (ROOT / page).read_text(encoding="utf-8"), question


#: A commit, or a figure with its interval.
MEASURED = re.compile(r"`(?=[0-9a-f]*[a-f])(?=[0-9a-f]*[0-9])[0-9a-f]{7,40}`|git (?:show|checkout|log) |±")


def test_commits_and_intervals_are_in_the_results_alone():
    for page in sorted((ROOT / "docs").rglob("*.md")):
        found = MEASURED.search(page.read_text(encoding="utf-8"))
        assert found is None, f"{page.name} contains {found[0]}: see Pull requests in CONTRIBUTING.md"


#: Tables of reference, which may be longer than a page.
REFERENCE = {"rules.md"}
#: Words about the past.
HISTORY = re.compile(r"\b(?:no longer|used to be|since version|formerly)\b", re.IGNORECASE)
#: A number in prose: not a part of a word, a date or a range.
FIGURE = re.compile(r"(?<![\w.,/–-])[−-]?\d[\d,.]*(?!\w)")


def sentences(text: str) -> Iterator[str]:
    """Yield the sentences outside code, tables, headings and the targets of links."""
    text = re.sub(r"^```.*?^```", "", text, flags=re.MULTILINE | re.DOTALL)
    text = re.sub(r"^(?: {4}|\||#|>>>).*", "", text, flags=re.MULTILINE)
    text = re.sub(r"^ *(?:[*-]|\d+\.) ", "\n\n", text, flags=re.MULTILINE)
    text = re.sub(r"\]\([^)]*\)", "]", re.sub(r"`[^`]*`", "`code`", text))
    for paragraph in text.split("\n\n"):
        yield from re.split(r"(?<=[.?!:])\s+", " ".join(paragraph.split()))


@pytest.mark.parametrize("page", sorted((ROOT / "docs").rglob("*.md")), ids=lambda page: page.name)
def test_a_page_is_short_and_its_sentences_have_few_figures(page: Path):
    text = page.read_text(encoding="utf-8")
    assert page.name in REFERENCE or len(text.splitlines()) <= 150
    assert HISTORY.search(text) is None
    assert [sentence for sentence in sentences(text) if len(FIGURE.findall(sentence)) > 2] == []


#: Pages with checked Python and commands.
PAGES = (
    ROOT / "README.md",
    ROOT / "CONTRIBUTING.md",
    ROOT / "SECURITY.md",
    ROOT / "benchmarks" / "README.md",
    ROOT / "research" / "README.md",
    *sorted((ROOT / "docs").rglob("*.md")),
    *sorted((ROOT / "results").glob("*.md")),
)
#: A command in a line of its own or in a cell of a table, up to its comment.
COMMAND = re.compile(r"(?:^ {4}(?:\$ )?|^\$ |`)janshi ((?:[^`\n#]|(?<=\S)#)+)", re.MULTILINE)
#: Placeholders for the reader's values, or for repetition.
PLACEHOLDERS = {"…": "x", "PATH…": "x", "RECORDS…": "x", "PATHS…": "x", "OTHER…": "x"}


def commands() -> list[tuple[str, str]]:
    """Return every command of the pages: its place, and the text after ``janshi``."""
    found = []
    for page in PAGES:
        text = page.read_text(encoding="utf-8")
        for match in COMMAND.finditer(text):
            found.append((f"{page.name}:{text[: match.start()].count(chr(10)) + 1}", match[1].strip()))
    return found


#: Commands of the example of a plug-in package.
OF_PLUGINS = {"declarations"}
#: Exceptions of parsers for `--help`, and for a command without required arguments: `janshi train --tensorboard`.
INCOMPLETE = {"MissingParameter", "BadOptionUsage", "Exit"}


def _problem(words: list[str]) -> Exception | None:
    """Return the reason why a command is invalid, apart from missing files."""
    try:
        as_click(words[0], COMMANDS[words[0]]).make_context(words[0], words[1:])
    except Exception as error:
        return None if type(error).__name__ in INCOMPLETE else error
    return None


def test_every_command_of_the_documents_is_valid():
    """The command exists and has these options; its files need not exist."""
    checked = 0
    for place, line in commands():
        words = [PLACEHOLDERS.get(word, word) for word in shlex.split(line.split(" && ")[0])]
        if words[0].startswith("-"):
            assert words[0] in ("--version", "--help", "--install-completion", "--plugin"), place
            continue
        if words[0] in OF_PLUGINS:
            continue
        assert words[0] in COMMANDS, f"{place}: janshi {words[0]}"
        if len(words) == 1:  # the command by its name
            continue
        assert (problem := _problem(words)) is None, f"{place}: janshi {line}: {problem}"
        checked += 1
    assert checked > 80


def test_all_python_of_the_documents_is_run():
    """Only doctests run; a block without prompts would not."""
    for page in PAGES:
        for block in re.findall(r"^```python\n(.*?)^```", page.read_text(encoding="utf-8"), re.MULTILINE | re.DOTALL):
            assert block.startswith(">>> "), f"{page.name}: {block[:60]}"


def test_the_menu_lists_every_page_of_the_site():
    """Each document is in the menu of mkdocs.yml, and each entry there is a page."""
    text = (ROOT / "mkdocs.yml").read_text()
    named = set(re.findall(r"([\w/-]+\.md)\s*$", text, re.MULTILINE))
    pages = {path.relative_to(ROOT / "docs").as_posix() for path in (ROOT / "docs").rglob("*.md")}
    pages |= {f"results/{path.name}" for path in (ROOT / "results").glob("*.md")}
    assert pages <= named
    for path in re.findall(r'"([\w/.]+\.md)": "([\w/-]+\.md)"', (ROOT / "tools" / "site_pages.py").read_text()):
        assert (ROOT / path[0]).is_file()
        pages.add(path[1])
    assert named == pages


def test_modules_of_the_interface_can_be_imported():
    for page in sorted((ROOT / "docs" / "api").glob("*.md")):
        for name in re.findall(r"^::: ([\w.]+)$", page.read_text(), re.MULTILINE):
            assert pkgutil.resolve_name(name) is not None
