"""Pictures of tables for the environments' ``render``."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, Final

from janshi.core.game import Game
from janshi.drawing.facet import drawing_of
from janshi.drawing.picture import table_pixels
from janshi.installing import naming_extra

with naming_extra(__name__):
    import gymnasium

#: ``"human"`` prints the text of ``"ansi"``; ``"rgb_array"`` contains the pixels of ``"svg"``.
RENDER_MODES: Final = ("human", "ansi", "rgb_array", "svg")
#: Modes of a game without pictures.
_TEXTS: Final = RENDER_MODES[:2]

#: Metadata of environments.
METADATA: Final[dict[str, Any]] = {"render_modes": list(RENDER_MODES), "render_fps": 2}


def metadata_of(game: Game) -> dict[str, Any]:
    """Return the metadata of a game's environments, which depends on its drawing facet."""
    return {**METADATA, "render_modes": list(RENDER_MODES if drawing_of(game).pictures else _TEXTS)}


def check_mode(mode: str | None, game: Game) -> str | None:
    """Return a render mode. Raises `ValueError` for an unknown mode, or one that the game lacks."""
    if mode is not None and mode not in RENDER_MODES:
        raise ValueError(f"render_mode={mode!r}: there are {', '.join(RENDER_MODES)}")
    if mode is not None and mode not in metadata_of(game)["render_modes"]:
        raise ValueError(f"render_mode={mode!r}: the game {game.name!r} has no pictures")
    return mode


def picture(game: Game, view: Any, mode: str | None, state: Any = None, legal: Iterable[int] = ()) -> Any:
    """Return a view in a render mode; ``"human"`` prints it.

    With the table's ``state``, pictures show all hands. ``legal`` contains the seat's legal actions.
    """
    if mode is None:
        gymnasium.logger.warn(f"render() shows nothing without a render_mode: there are {', '.join(RENDER_MODES)}")
        return None
    drawing = drawing_of(game)
    if mode in _TEXTS:
        text = drawing.text(view, legal)
        if mode == "human":
            print(text)
        return text if mode == "ansi" else None
    svg = drawing.svg(view) if state is None else drawing.open_svg(state)
    return svg if mode == "svg" else table_pixels(svg)
