"""``janshi paper``: commands of one paper."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import typer

from janshi.cli.failing import fail, failing
from janshi.cli.options import argument
from janshi.registries import load

#: The command that every paper has.
REPRODUCE: Final = "reproduce"


@dataclass(frozen=True)
class PaperOptions:
    """Options of ``janshi paper``."""

    name: str | None = argument("Paper (default: list all papers and their commands).", default=None)
    rest: list[str] | None = argument("Command of the paper, and its arguments and options.", default=None)


def run_paper(options: PaperOptions) -> None:
    """Run a command of one paper, or list the papers and their commands."""
    from janshi.papers.registry import PAPERS
    from janshi.papers.runner import ReproduceError

    if options.name is None:
        for name, paper in PAPERS.items():
            typer.echo(f"{name}: {', '.join((REPRODUCE, *paper.commands))}")
        return
    with failing("paper", ReproduceError):
        paper = PAPERS[options.name]
    command, *rest = options.rest or ["--help"]
    if command == "--help":
        typer.echo(f"janshi paper {paper.name} has: {', '.join((REPRODUCE, *paper.commands))}")
        for scale in paper.scales.values():
            typer.echo(f"  --scale {scale.name}: {scale.description}; {scale.disk} of disk meanwhile")
        return
    if command not in (REPRODUCE, *paper.commands):
        there = ", ".join((REPRODUCE, *paper.commands))
        fail("paper", f"{paper.name} has no command {command!r}: there are {there}")
    from janshi.cli import as_click
    from janshi.cli.reproduce import reproduce_paper

    work = reproduce_paper if command == REPRODUCE else load(paper.commands[command])
    given = [paper.name, *rest] if command == REPRODUCE else rest
    as_click(command, work).main(given, prog_name=f"janshi paper {paper.name} {command}")
