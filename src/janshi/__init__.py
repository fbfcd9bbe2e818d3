"""Janshi (雀士, a mahjong player): play, read, learn and measure mahjong at compiled speed."""

import sys
from collections.abc import Sequence
from importlib.abc import MetaPathFinder
from importlib.machinery import ModuleSpec, PathFinder
from types import ModuleType

__version__ = "0.2.0"


class _Extras(MetaPathFinder):
    """Finds the modules of this package, so that one whose extra is not installed names the line that installs it."""

    def find_spec(
        self, fullname: str, path: Sequence[str] | None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        spec = PathFinder.find_spec(fullname, path) if fullname.startswith("janshi.") else None
        if spec is None or spec.loader is None:
            return None
        execute = spec.loader.exec_module

        def exec_module(module: ModuleType) -> None:
            try:
                execute(module)
            except ModuleNotFoundError as error:
                from janshi.installing import extra_of, lacking

                extra = extra_of(error.name or "")
                if extra is None:
                    raise
                raise ModuleNotFoundError(f"{fullname} {lacking(error.name or '', extra)}", name=error.name) from None

        spec.loader.exec_module = exec_module  # type: ignore[method-assign]
        return spec


sys.meta_path.insert(0, _Extras())


def _register_displays() -> None:
    """Have notebooks show tables and records as pictures, where IPython runs: see `janshi.displays`."""
    get_shell = getattr(sys.modules.get("IPython"), "get_ipython", None)
    shell = None if get_shell is None else get_shell()
    if shell is not None and shell.display_formatter is not None:
        from janshi.displays import register

        register(shell.display_formatter)


_register_displays()
