"""A paper's report as one page that needs nothing else, and every number of it as JSON.

A paper's template stands in its package and begins with ``{% extends "page.html.j2" %}``, which has the style; the
macros ``table`` (of a `janshi.papers.sheets.Sheet`) and ``figures`` (of SVG texts) come from ``parts.html.j2``.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from importlib.resources import files
from pathlib import Path
from typing import Any, Final

import janshi
from janshi.files import save_text
from janshi.papers.runner import Options, machine, write_json
from janshi.papers.sheets import duration_text, number_text, percent_text

#: Version of report.json.
FORMAT: Final = 1
PAGE: Final = "report.html"
DATA: Final = "report.json"


def report_json(system: str, results: dict[str, Any], options: Options, published: dict[str, Any]) -> dict[str, Any]:
    """Return the content of report.json; ``published``: what the paper prints."""
    return {
        "format": FORMAT,
        "system": system,
        "version": janshi.__version__,
        "scale": dataclasses.asdict(options.scale),
        "seed": options.seed,
        "machine": machine(),
        "stages": results,
        "paper": published,
    }


def save_report(report: dict[str, Any], template: str, contents: Mapping[str, Any], folder: Path) -> Path:
    """Write ``report.json`` and ``report.html`` into a folder; return the page's path.

    ``template``: path of the template below this package; ``contents``: what it shows besides scale, seed, version,
    machine and total time, which come from ``report``.
    """
    from jinja2 import Environment, FunctionLoader, StrictUndefined

    write_json(report, folder / DATA)
    environment = Environment(
        loader=FunctionLoader(lambda name: (files("janshi.papers") / name).read_text(encoding="utf-8")),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    shown = {name: report[name] for name in ("scale", "seed", "version", "machine")}
    total = duration_text(sum(result["seconds"] for result in report["stages"].values()))
    words = {"total": total, "percent": percent_text, "number": number_text}
    save_text(environment.get_template(template).render(**shown, **words, **contents), folder / PAGE)
    return folder / PAGE


def stored_figures(folder: Path) -> list[str]:
    """Return the figures that a stage has drawn into its folder, as SVG."""
    return [file.read_text(encoding="utf-8") for file in sorted(folder.glob("*.svg"))]
