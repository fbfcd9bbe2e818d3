"""Janshi (雀士, a mahjong player): play, read, learn and measure mahjong at compiled speed."""

import sys

__version__ = "0.2.0"


def _register_displays() -> None:
    """Have notebooks show tables and records as pictures, where IPython runs: see `janshi.displays`."""
    get_shell = getattr(sys.modules.get("IPython"), "get_ipython", None)
    shell = None if get_shell is None else get_shell()
    if shell is not None and shell.display_formatter is not None:
        from janshi.displays import register

        register(shell.display_formatter)


_register_displays()
