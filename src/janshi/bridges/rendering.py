"""Pictures of tables for the environments' ``render``."""

from __future__ import annotations

from typing import Any, Final

import gymnasium

from janshi.compiling import dtype_of
from janshi.core.game import Game
from janshi.drawing.sichuan import sichuan_text
from janshi.drawing.table import open_table_svg, table_pixels, table_svg, table_text
from janshi.riichi.state import State
from janshi.sichuan.state import View as SichuanView

#: ``"human"`` prints what ``"ansi"`` returns; ``"rgb_array"`` are the pixels of ``"svg"``.
RENDER_MODES: Final = ("human", "ansi", "rgb_array", "svg")

#: What environments of Riichi say of themselves.
METADATA: Final[dict[str, Any]] = {"render_modes": list(RENDER_MODES), "render_fps": 2}


#: Render modes by game; other games have none. Of Sichuan tables there is text.
_MODES: Final = {"riichi": RENDER_MODES, "sichuan": RENDER_MODES[:2]}


def metadata_of(game: Game) -> dict[str, Any]:
    """Return what environments of a game say of themselves: only of Riichi are there pictures."""
    return {**METADATA, "render_modes": list(_MODES.get(game.name, ()))}


def check_mode(mode: str | None, game: Game) -> str | None:
    """Return a render mode. Raises `ValueError` in words for one that there is not, or not for the game."""
    if mode is not None and mode not in RENDER_MODES:
        raise ValueError(f"render_mode={mode!r}: there are {', '.join(RENDER_MODES)}")
    if mode is not None and mode not in _MODES.get(game.name, ()):
        raise ValueError(f"render_mode={mode!r}: there are no pictures of game {game.name!r}")
    return mode


def picture(view: Any, mode: str | None, state: State | None = None) -> Any:
    """Return what a seat may see (a view of its game) in a render mode; ``"human"`` prints it.

    With the table's ``state`` pictures show it with all hands open.
    """
    if mode is None:
        gymnasium.logger.warn(f"render() shows nothing without a render_mode: there are {', '.join(RENDER_MODES)}")
        return None
    if mode in ("human", "ansi"):
        text = sichuan_text(view) if view.dtype == dtype_of(SichuanView) else table_text(view)
        if mode == "ansi":
            return text
        print(text)
        return None
    svg = table_svg(view) if state is None else open_table_svg(state)
    return svg if mode == "svg" else table_pixels(svg)
