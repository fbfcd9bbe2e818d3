"""Names of modules in version 0.1, which version 0.2 still imports with a `DeprecationWarning`.

>>> new_name("janshi.records.mjlog"), new_name("janshi.table")
('janshi.riichi.records.mjlog', None)
"""

from __future__ import annotations

import importlib
import sys
import warnings
from collections.abc import Sequence
from importlib.abc import Loader, MetaPathFinder
from importlib.machinery import ModuleSpec
from types import ModuleType
from typing import Any, Final

#: Old and new names, the more specific first; submodules have moved with their parents.
MOVED: Final = {
    "janshi.agents.efficient": "janshi.riichi.agents.efficient",
    "janshi.agents.sichuan": "janshi.sichuan.agents",
    "janshi.analysis.sichuan": "janshi.sichuan.analysis",
    "janshi.analysis": "janshi.riichi.analysis",
    "janshi.drawing.sichuan": "janshi.sichuan.drawing",
    "janshi.drawing.sichuan_picture": "janshi.sichuan.drawing",
    "janshi.drawing.table": "janshi.riichi.drawing.table",
    "janshi.drawing.notebook": "janshi.riichi.drawing.notebook",
    "janshi.drawing.observation": "janshi.riichi.drawing.observation",
    "janshi.drawing.observation_picture": "janshi.riichi.drawing.observation_picture",
    "janshi.drawing.snapshot": "janshi.riichi.drawing.snapshot",
    "janshi.encoders.gao": "janshi.papers.gao.encoder",
    "janshi.encoders.janshi": "janshi.riichi.encoders.janshi",
    "janshi.encoders.long": "janshi.papers.long.encoder",
    "janshi.encoders.meowjong": "janshi.riichi.encoders.meowjong",
    "janshi.encoders.sichuan": "janshi.sichuan.encoder",
    "janshi.encoders.sichuan_dqn": "janshi.papers.sichuan.encoder",
    "janshi.encoders.symmetry": "janshi.riichi.encoders.symmetry",
    "janshi.encoders.table": "janshi.riichi.encoders.table",
    "janshi.hands.sichuan": "janshi.sichuan.hands",
    "janshi.hands": "janshi.riichi.hands",
    "janshi.learn.answers": "janshi.riichi.dataset.answers",
    "janshi.learn.augmentation": "janshi.riichi.dataset.augmentation",
    "janshi.learn.dataset": "janshi.riichi.dataset",
    "janshi.learn.encoding": "janshi.riichi.dataset.replaying",
    "janshi.learn.measuring": "janshi.riichi.dataset.measuring",
    **{f"janshi.papers.{name}.scales": f"janshi.papers.{name}.paper" for name in ("gao", "long", "sichuan")},
    "janshi.records.sichuan": "janshi.sichuan.records",
    "janshi.records.sichuan_live": "janshi.sichuan.live",
    "janshi.records": "janshi.riichi.records",
    "janshi.review.sichuan": "janshi.sichuan.review",
    "janshi.registry": "janshi.agents",
    "janshi.review": "janshi.riichi.review",
    "janshi.rollout.positions": "janshi.riichi.positions",
    "janshi.yaku": "janshi.riichi.yaku",
}
#: Names that have left existing packages, and their modules.
_HELD: Final = {
    "janshi.agents": {"EfficientAgent": "janshi.riichi.agents"},
    "janshi.drawing": {
        **dict.fromkeys(("open_table_svg", "table_svg", "table_text"), "janshi.riichi.drawing"),
        **dict.fromkeys(("open_sichuan_svg", "open_sichuan_text"), "janshi.sichuan.drawing"),
        **dict.fromkeys(("sichuan_svg", "sichuan_text"), "janshi.sichuan.drawing"),
    },
}
_RECORDS: Final = ("convert", "formats", "recorder", "sources", "story", "verify")
#: Packages and modules with an unchanged name.
_STAYED: Final = (
    *("janshi.records", *(f"janshi.records.{name}" for name in _RECORDS)),
    *("janshi.review", *(f"janshi.review.{name}" for name in ("losses", "model", "reviewing", "what_if"))),
)


def new_name(name: str) -> str | None:
    """Return the current name of a module of version 0.1; None for one that has not moved."""
    for old, new in MOVED.items():
        if name == old or name.startswith(f"{old}."):
            return new + name.removeprefix(old)
    return None


class _OldNames(MetaPathFinder, Loader):
    """Finder of modules under old names, used before a moved package's path would find them a second time."""

    def find_spec(
        self, fullname: str, path: Sequence[str] | None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        moved = fullname.startswith("janshi.") and fullname not in _STAYED and new_name(fullname) is not None
        return ModuleSpec(fullname, self) if moved else None

    def create_module(self, spec: ModuleSpec) -> ModuleType:
        name = str(new_name(spec.name))
        warnings.warn(f"{spec.name} is called {name} now", DeprecationWarning, stacklevel=2)
        module = importlib.import_module(name)
        self._spec = module.__spec__
        return module

    def exec_module(self, module: ModuleType) -> None:
        module.__spec__ = self._spec


def old_attribute(package: str, name: str) -> Any:
    """Return an attribute of a package of version 0.1, for the package's ``__getattr__``.

    Raises `AttributeError` for an unknown attribute.
    """
    new = _HELD.get(package, {}).get(name) or MOVED.get(package)
    if name.startswith("__") or new is None:
        raise AttributeError(f"module {package!r} has no attribute {name!r}")
    value = getattr(importlib.import_module(new), name)
    warnings.warn(f"{package}.{name} is {new}.{name} now", DeprecationWarning, stacklevel=3)
    return value


sys.meta_path.insert(0, _OldNames())
