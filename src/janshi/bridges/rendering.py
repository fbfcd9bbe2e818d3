"""Pictures of tables for the environments' ``render``."""

from __future__ import annotations

from typing import Any, Final

import gymnasium

from janshi.compiling import dtype_of
from janshi.core.game import Game
from janshi.drawing.sichuan import sichuan_text
from janshi.drawing.sichuan_picture import open_sichuan_svg, sichuan_svg
from janshi.drawing.table import open_table_svg, table_pixels, table_svg, table_text
from janshi.sichuan.state import View as SichuanView

#: ``"human"`` prints what ``"ansi"`` returns; ``"rgb_array"`` are the pixels of ``"svg"``.
RENDER_MODES: Final = ("human", "ansi", "rgb_array", "svg")

#: What environments of Riichi say of themselves.
METADATA: Final[dict[str, Any]] = {"render_modes": list(RENDER_MODES), "render_fps": 2}


#: Games of which there are pictures; others have no render modes.
_DRAWN: Final = ("riichi", "sichuan")


def metadata_of(game: Game) -> dict[str, Any]:
    """Return what environments of a game say of themselves: not of every one are there pictures."""
    return {**METADATA, "render_modes": list(RENDER_MODES) if game.name in _DRAWN else []}


def check_mode(mode: str | None, game: Game) -> str | None:
    """Return a render mode. Raises `ValueError` in words for one that there is not, or not for the game."""
    if mode is not None and mode not in RENDER_MODES:
        raise ValueError(f"render_mode={mode!r}: there are {', '.join(RENDER_MODES)}")
    if mode is not None and game.name not in _DRAWN:
        raise ValueError(f"render_mode={mode!r}: there are no pictures of game {game.name!r}")
    return mode


def picture(view: Any, mode: str | None, state: Any = None) -> Any:
    """Return what a seat may see (a view of its game) in a render mode; ``"human"`` prints it.

    With the table's ``state`` pictures show it with all hands open.
    """
    if mode is None:
        gymnasium.logger.warn(f"render() shows nothing without a render_mode: there are {', '.join(RENDER_MODES)}")
        return None
    sichuan = view.dtype == dtype_of(SichuanView)
    if mode in ("human", "ansi"):
        text = sichuan_text(view) if sichuan else table_text(view)
        if mode == "ansi":
            return text
        print(text)
        return None
    if state is None:
        svg = sichuan_svg(view) if sichuan else table_svg(view)
    else:
        svg = open_sichuan_svg(state) if sichuan else open_table_svg(state)
    return svg if mode == "svg" else table_pixels(svg)
