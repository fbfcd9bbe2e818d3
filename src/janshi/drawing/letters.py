"""Letters and digits as paths, so that no drawing needs a font."""

from __future__ import annotations

from typing import Final

#: Letters and digits in a box of 8 × 12.
LETTERS: Final = {
    "0": "M4 0C-.7 0-.7 12 4 12S8.7 0 4 0Z",
    "1": "M1.3 2.8 4.6 0V12",
    "2": "M.6 3.2C.6-1.2 7.4-1 7.4 3.2 7.4 6 2.4 8.4.6 12H7.6",
    "3": "M.7 1.6C2.7-.8 7.2-.4 7 2.9 6.9 5 5 5.7 3 5.7 5.4 5.7 7.5 6.6 7.4 9 7.2 12.6 2.4 12.8.4 10.4",
    "4": "M6 12V0L.2 8.6H8",
    "5": "M7 0H1.6L1 5.4C3 4 7.5 4.2 7.5 8 7.5 12.4 2.4 12.8.4 10.7",
    "6": "M6.6.4C3 1.4.5 4.8.5 8.3.5 13.2 7.5 13.2 7.5 8.4 7.5 4.2 1.6 4 .6 8",
    "7": "M.5 0H7.5C5 4 3.6 8 3 12",
    "8": "M4 5.6C.2 5 .6 0 4 0S7.8 5 4 5.6C-.8 6.2-.6 12 4 12S8.8 6.2 4 5.6Z",
    "9": "M1.4 11.6C5 10.6 7.5 7.2 7.5 3.7 7.5-1.2.5-1.2.5 3.6.5 7.8 6.4 8 7.4 4",
    "E": "M7 0H1V12H7M1 6H6",
    "S": "M7 1.9C5.6-.8.8-.5.8 3 .8 6.6 7.4 5.2 7.4 9 7.4 12.6 1.8 12.9.5 9.9",
    "W": "M-.4 0 1.8 12 4 3 6.2 12 8.4 0",
    "N": "M.9 12V0L7.1 12V0",
    "P": "M1 12V0H4C8.6 0 8.6 7 4 7H1",
    "F": "M7 0H1V12M1 6H6",
    "C": "M7.4 2.1C5.2-1 .6-.1.6 6S5.2 13 7.4 9.9",
    ",": "M1.6 11.4 .6 14.4",
    "-": "M1 6.4H7",
}

_HEIGHT: Final = 12
_ADVANCE: Final = {",": 5.0, "1": 8.6}
_USUAL: Final = 11.0


def lettering(text: str, x: float, y: float, height: float, colour: str, *, centred: bool = False) -> str:
    """Return a line of text as an SVG element: ``x`` is its left end or its middle, ``y`` its upper edge.

    Raises `KeyError` for a character that is not in `LETTERS`.
    """
    letters, along = [], 0.0
    for letter in text:
        letters.append((letter, along))
        along += _ADVANCE.get(letter, _USUAL)
    scale = height / _HEIGHT
    left = x - (along - 3) * scale / 2 if centred else x
    drawn = "".join(
        f'<path d="{LETTERS[letter]}" transform="translate({number(offset)} 0)"/>'
        if offset
        else f'<path d="{LETTERS[letter]}"/>'
        for letter, offset in letters
    )
    return (
        f'<g transform="translate({number(left)} {number(y)})scale({scale:.3g})" fill="none" stroke="{colour}" '
        f'stroke-width="1.9" stroke-linecap="round" stroke-linejoin="round">{drawn}</g>'
    )


def number(value: float) -> str:
    """Return the shortest text of a number rounded to tenths.

    >>> number(0.5), number(-0.25), number(12.0), number(-0.01)
    ('.5', '-.2', '12', '0')
    """
    text = f"{value:.1f}".removesuffix(".0")
    if text in ("-0", "0"):
        return "0"
    return text.replace("0.", ".", 1) if text.lstrip("-").startswith("0.") else text
