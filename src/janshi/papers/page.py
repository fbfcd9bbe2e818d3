"""A paper's report: sheets and plots, declared once and rendered as a self-contained page.

A `Report` holds functions of the stages' results: `Report.sheet` and `Report.plot` add one under its name. The page is
``report.html``, all numbers are in ``report.json``. A paper's template begins with ``{% extends "page.html.j2" %}`` and
calls ``sheet(NAME)``, ``plots(NAME)`` and ``stored(STAGE)``; without a template the page has the sheets and plots in
their order. A sheet whose function returns rows alone is declared there: ``sheet(NAME, title=…, columns=…, note=…)``,
as `janshi.papers.sheets.sheet` takes them; without rows it is left out.

>>> REPORT = Report("dice", {"mean": 3.5})
>>> @REPORT.sheet
... def throws(results):
...     '''Return the mean beside the expected one.'''
...     return sheet("Throws", "what | mean", [["a die", Cell(f"{results['dice']['mean']:.2f}", paper="3.50")]])
>>> REPORT.summary({"dice": {"mean": 3.4}}).rows[0][1]
Cell(text='3.40', interval='', paper='3.50')
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from importlib.resources import files
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import janshi
from janshi.arena.figures import svg
from janshi.files import save_text
from janshi.papers.runner import Options, machine, write_json
from janshi.papers.sheets import Cell, Sheet, duration_text, number_text, percent_text, sheet

if TYPE_CHECKING:
    from matplotlib.figure import Figure

#: Version of report.json.
FORMAT: Final = 1
PAGE: Final = "report.html"
DATA: Final = "report.json"

#: The results of all stages, by name.
Results = dict[str, Any]
#: Rows of a sheet that the template declares.
Rows = Iterable[Sequence[Any]]
#: Makes a sheet, or its rows; None if there is nothing to show.
MakesSheet = Callable[..., "Sheet | Rows | None"]
MakesPlots = Callable[..., "list[Figure]"]


@dataclass(frozen=True, slots=True)
class Report:
    """The sheets and plots of a paper's results.

    ``published``: what the paper prints, as plain data; ``package``: where its ``report.html.j2`` is, if it has one.
    The first sheet is the summary, which is printed too. ``times``: adds lines to the sheet of times.
    """

    system: str
    published: Mapping[str, Any]
    package: str | None = None
    sheets: dict[str, MakesSheet] = field(default_factory=dict)
    figures: dict[str, MakesPlots] = field(default_factory=dict)
    times: list[Callable[[Results, Mapping[str, str]], Iterable[tuple[str, str]]]] = field(default_factory=list)

    def sheet(self, function: MakesSheet) -> MakesSheet:
        """Add a sheet under the function's name."""
        self.sheets[function.__name__] = function
        return function

    def plot(self, function: MakesPlots) -> MakesPlots:
        """Add figures under the function's name."""
        self.figures[function.__name__] = function
        return function

    def summary(self, results: Results) -> Sheet:
        """Return the headline figures of the paper beside ours."""
        found = next(iter(self.sheets.values()))(results)
        assert isinstance(found, Sheet), "a summary is a whole sheet"
        return found

    def write(self, results: Results, options: Options, folder: Path, titles: Mapping[str, str]) -> Path:
        """Write ``report.json`` and ``report.html`` into a folder that holds the stages' own; return the page's path.

        ``titles``: of the stages by name.
        """
        from jinja2 import Environment, FunctionLoader, StrictUndefined

        report = self.as_json(results, options)
        write_json(report, folder / DATA)
        environment = Environment(
            loader=FunctionLoader(self._template),
            autoescape=True,
            undefined=StrictUndefined,
            trim_blocks=True,
            lstrip_blocks=True,
        )

        parts: Any = environment.get_template("parts.html.j2").module

        def shown(name: str, *args: Any, **declared: Any) -> Any:
            found: Any = self._times(results, titles) if name == "times" else self.sheets[name](results, *args)
            if declared:
                found = sheet(rows=found or (), **declared)
            return parts.table(found) if found and found.rows else ""

        def drawn(name: str, *args: Any) -> Any:
            return parts.figures([svg(figure) for figure in self.figures[name](results, *args)])

        contents = {
            **{name: report[name] for name in ("scale", "seed", "version", "machine", "paper")},
            "total": duration_text(sum(result["seconds"] for result in results.values())),
            "results": results,
            "percent": percent_text,
            "number": number_text,
            "sheet": shown,
            "plots": drawn,
            "stored": lambda stage, single=False: parts.figures(_stored_figures(folder, stage), single),
            "report": self,
        }
        name = "default.html.j2" if self.package is None else "report.html.j2"
        save_text(environment.get_template(name).render(contents), folder / PAGE)
        return folder / PAGE

    def as_json(self, results: Results, options: Options) -> dict[str, Any]:
        """Return the content of report.json."""
        return {
            "format": FORMAT,
            "system": self.system,
            "version": janshi.__version__,
            "scale": dataclasses.asdict(options.scale),
            "seed": options.seed,
            "machine": machine(),
            "stages": results,
            "paper": dict(self.published),
        }

    def _template(self, name: str) -> str:
        package = self.package if name == "report.html.j2" else None
        return (files(package or __package__) / name).read_text(encoding="utf-8")

    def _times(self, results: Results, titles: Mapping[str, str]) -> Sheet:
        rows = [(titles[name], duration_text(result["seconds"])) for name, result in results.items()]
        rows += [row for more in self.times for row in more(results, titles)]
        return sheet("Time", "stage | time", rows, "A stage that was interrupted counts from where it went on.")


def _stored_figures(folder: Path, stage: str) -> list[str]:
    """The figures that a stage has drawn into its folder, as SVG."""
    drawn = sorted(folder.glob(f"[0-9][0-9]-{stage}/*.svg"))
    return [file.read_text(encoding="utf-8") for file in drawn]


__all__ = ["DATA", "PAGE", "Cell", "Report", "sheet"]
