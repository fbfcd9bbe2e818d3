"""Shanten, waits and ukeire, for one hand and for arrays of hands.

* **shanten** is the number of tiles missing from tenpai: 0 tenpai, −1 complete;
* **waits** are the kinds that complete a tenpai hand;
* **ukeire** are the kinds whose draw lowers the shanten, and the number of their tiles left.

A hand is text (``"123m406p77z"``, red fives count as fives) or 34 counts; many hands are an array of counts of shape
(N, 34). Hands contain concealed tiles only; ``calls`` is the number of called sets and kans. A hand of 13 − 3 × calls
tiles waits for a draw, one of 14 − 3 × calls must discard. With ``players=3`` the tiles 2m to 8m do not exist.

Three forms count, the last two only without calls: sets and a pair (``"standard"``), seven pairs of different
kinds (``"pairs"``) and thirteen orphans (``"orphans"``). A set or wait that needs a fifth tile of a kind does not count
(Tenhou's rule); tiles in calls are unknown here and not counted.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final, Literal, overload

import numpy as np
from numpy.typing import NDArray

from janshi.compiling import Bools, Int8s, Workspace, batched, leaf, rule, zeros
from janshi.core.hands import DiscardUkeire, HandError, discards_of
from janshi.core.shanten import (
    NOT_HELD,
    Ukeire,
    hand_shanten,
    orphans_shanten,
    pairs_shanten,
    standard_shanten,
    ukeire_as_it_is,
    ukeire_of_discards,
    waits_mask,
)
from janshi.core.shanten_tables import ShantenTables
from janshi.core.shape import Shape
from janshi.riichi.hands.counts import Hand, check_counts, check_hand, check_table, counts_of, name_of
from janshi.tiles import KINDS, tile_text

Form = Literal["standard", "pairs", "orphans"]

_FORMS: Final = (None, "standard", "pairs", "orphans")


class HandWorkspace(Workspace):
    """Workspace: the shape of a hand."""

    concealed: Shape


@leaf
def read_hand(counts: Int8s, shape: Shape, sanma: bool) -> int:
    """Write the shape of a hand (masks of one and two tiles only); return its number of tiles, −1 if impossible."""
    man = pin = sou = honours = 0
    for rank in range(8, -1, -1):
        man = man * 5 + int(counts[rank])
        pin = pin * 5 + int(counts[9 + rank])
        sou = sou * 5 + int(counts[18 + rank])
    for kind in range(33, 26, -1):
        honours = honours * 5 + int(counts[kind])
    tiles = once = twice = bits = 0
    for kind in range(34):
        count = int(counts[kind])
        bits |= count | count + 3  # above 7, or negative, for any count but 0 to 4
        tiles += count
        once |= int(count > 0) << kind
        twice |= int(count > 1) << kind
    shape.suits[0], shape.suits[1], shape.suits[2], shape.suits[3] = man, pin, sou, honours
    shape.held[1], shape.held[2] = once, twice
    return -1 if bits & ~7 or (sanma and once & 0b11111110) else tiles


@rule
def write_shanten(
    counts: Int8s, tables: ShantenTables, workspace: HandWorkspace, calls: int, sanma: bool, form: int, result: Int8s
) -> int:
    """Write the shanten of a hand in a form (its number in `_FORMS`); return 0, or 1 for an invalid hand."""
    shape = workspace.concealed
    missing = 14 - 3 * calls - read_hand(counts, shape, sanma)
    if not 0 <= missing <= 1:
        result[0] = NOT_HELD
        return 1
    if form == 0:
        result[0] = hand_shanten(tables, shape, 4 - calls, sanma)
    elif form == 1:
        result[0] = standard_shanten(tables, shape, 4 - calls, sanma)
    else:
        result[0] = pairs_shanten(shape) if form == 2 else orphans_shanten(shape)
    return 0


@rule
def write_waits(
    counts: Int8s, tables: ShantenTables, workspace: HandWorkspace, calls: int, sanma: bool, waits: Bools
) -> int:
    """Write the waits of a hand (34); return 0, or 1 for tiles that are no hand of 3n + 1."""
    if read_hand(counts, workspace.concealed, sanma) != 13 - 3 * calls:
        return 1
    mask = waits_mask(tables, workspace.concealed, 4 - calls, sanma)
    for kind in range(34):
        waits[kind] = (mask >> kind & 1) != 0
    return 0


@rule
def write_ukeire(
    counts: Int8s, tables: ShantenTables, workspace: HandWorkspace, calls: int, sanma: bool, out: Ukeire
) -> int:
    """Write the ukeire of a hand for the given ``out.visible``; return 0, or 1 for an invalid hand."""
    tiles = read_hand(counts, workspace.concealed, sanma)
    if tiles == 13 - 3 * calls:
        ukeire_as_it_is(tables, workspace.concealed, 4 - calls, sanma, out)
    elif tiles == 14 - 3 * calls:
        ukeire_of_discards(tables, workspace.concealed, 4 - calls, sanma, out)
    else:
        return 1
    return 0


_write_shanten = batched(write_shanten, brief=True)
_write_waits = batched(write_waits, brief=True)
_write_ukeire = batched(write_ukeire, brief=True)

#: Compiled functions of shanten, waits and ukeire, for `janshi.compiling.prepare`.
ENTRIES: Final = (_write_shanten, _write_waits, _write_ukeire)


def _is_many(hand: Hand) -> bool:
    return not isinstance(hand, str) and np.ndim(hand) == 2


def _check_hands(hand: Hand, counts: NDArray[np.int8], calls: int, players: int, *, waits: bool = False) -> None:
    """Raise `HandError` for the first impossible hand, or with ``waits`` one that must discard."""
    for number, tiles in enumerate(counts):
        name = name_of(hand, number)
        check_hand(tiles, calls, players, name)
        if waits and int(tiles.sum()) != 13 - 3 * calls:
            raise HandError(
                f"{name} has {14 - 3 * calls} tiles: a hand waits with {13 - 3 * calls}; "
                f"remove the discard, or use ukeire for all discards at once"
            )


@overload
def shanten(hand: str | Sequence[int], calls: int = 0, players: int = 4, form: Form | None = None) -> int: ...


@overload
def shanten(hand: NDArray[Any], calls: int = 0, players: int = 4, form: Form | None = None) -> Any: ...


def shanten(hand: Hand, calls: int = 0, players: int = 4, form: Form | None = None) -> Any:
    """Return the shanten of one hand (an int) or of an array (N, 34) of hands (int8 of shape (N,)).

    ``form`` selects one form; None is the least of all forms. Hands may have thirteen or fourteen tiles (less three for
    each of the ``calls``), also mixed in one array.

    Raises `HandError` for impossible hands, an unknown form, or a form that calls rule out.

    >>> shanten("123m456p789s1155z")
    0
    >>> shanten("19m19p19s1234567z", form="orphans"), shanten("123m456p789s11z", calls=1)
    (0, -1)
    >>> shanten(np.array([[0] * 20 + [2] * 7 + [0] * 7, [1, 0, 0] * 11 + [3]])).tolist()
    [-1, 5]
    """
    calls, players = check_table(calls, players)
    if form not in _FORMS:
        raise HandError(f"form is {form!r}: it is 'standard', 'pairs', 'orphans', or None for the best of them")
    if calls and form in ("pairs", "orphans"):
        raise HandError(f"form {form!r} needs a hand without calls, but calls is {calls}")
    hands = counts_of(hand)
    result = np.empty((len(hands), 1), np.int8)
    if _write_shanten(hands, calls, players == 3, _FORMS.index(form), result):
        _check_hands(hand, hands, calls, players)
    return result[:, 0] if _is_many(hand) else int(result[0, 0])


@overload
def waits(hand: str | Sequence[int], calls: int = 0, players: int = 4) -> list[int]: ...


@overload
def waits(hand: NDArray[Any], calls: int = 0, players: int = 4) -> Any: ...


def waits(hand: Hand, calls: int = 0, players: int = 4) -> Any:
    """Return the kinds that complete a hand: a list for one hand, bool (N, 34) for an array (N, 34) of hands.

    A hand that is not tenpai has none. A kind of which the hand holds all four tiles is no wait.

    Raises `HandError` for impossible hands, or other than 13 − 3 × calls tiles.

    >>> from janshi.tiles import format_tiles
    >>> format_tiles(waits("1112345678999m"))
    '123456789m'
    >>> waits("1111m", calls=3)
    []
    """
    calls, players = check_table(calls, players)
    hands = counts_of(hand)
    result = np.empty((len(hands), KINDS), np.bool_)
    if _write_waits(hands, calls, players == 3, result):
        _check_hands(hand, hands, calls, players, waits=True)
    return result if _is_many(hand) else np.flatnonzero(result[0]).tolist()


@dataclass(frozen=True, slots=True)
class UkeireArrays:
    """Ukeire of N hands, after the discard of each kind (slots 0–33) and without a discard (slot 34)."""

    shanten: NDArray[np.int8]  # (N, 35): shanten after the discard; 127 for kinds not held
    accepted: NDArray[np.int64]
    """(N, 35): bit masks over the kinds whose draw lowers that shanten (``mask >> kind & 1``)."""
    left: NDArray[np.int16]  # (N, 35): tiles of the accepted kinds that are neither in the hand nor visible


def ukeire_arrays(
    hands: NDArray[Any], visible: NDArray[Any] | None = None, *, calls: int = 0, players: int = 4
) -> UkeireArrays:
    """Return the ukeire of an array (N, 34) of hands: see `ukeire` and `UkeireArrays`.

    Hands that wait for a draw fill slot 34 only. For hands that must discard, slot 34 holds the shanten before the
    discard, with nothing accepted.

    >>> table = ukeire_arrays(counts_of("123m456p789s11556z"))
    >>> int(table.shanten[0].min()), int(table.shanten[0].argmin()), int(table.left[0, 32])
    (0, 32, 4)
    """
    return _ukeire(hands, visible, calls, players)


def _ukeire(hand: Hand, visible: Hand | None, calls: int, players: int) -> UkeireArrays:
    calls, players = check_table(calls, players)
    counts = counts_of(hand)
    seen = counts if visible is None else counts + _visible_of(visible, counts, hand)
    records = zeros(Ukeire, len(counts))
    fields: Any = records
    fields["visible"] = seen
    if _write_ukeire(counts, calls, players == 3, records):
        _check_hands(hand, counts, calls, players)
    return UkeireArrays(fields["shanten"].copy(), fields["accepted"].copy(), fields["left"].copy())


def _visible_of(visible: Hand, counts: NDArray[np.int8], hand: Hand) -> NDArray[np.int8]:
    """Return the counts of the visible tiles (one row for each hand, or for all), checked with the hands."""
    seen = counts_of(visible)
    if len(seen) not in (1, len(counts)):
        raise HandError(f"{len(counts)} hands but {len(seen)} rows of visible tiles: give one for all, or one each")
    for number in np.flatnonzero(((seen < 0) | (seen > 4)).any(axis=1)):
        check_counts(seen[number], f"row {number} of the visible tiles")
    for number in np.flatnonzero((counts + seen > 4).any(axis=1)):
        check_counts(counts[number], name_of(hand, int(number)))
        kind = int(np.flatnonzero(counts[number] + np.broadcast_to(seen, counts.shape)[number] > 4)[0])
        raise HandError(
            f"{name_of(hand, int(number))} and the visible tiles have more than four {tile_text(kind)}: "
            f"visible are discards, calls and indicators, without the hand's own tiles"
        )
    return seen


def ukeire(hand: Hand, visible: Hand | None = None, *, calls: int = 0, players: int = 4) -> list[DiscardUkeire]:
    """Return the ukeire of one hand after each discard, the best first, or of a hand that waits for a draw.

    ``visible``: tiles seen outside the hand (discards, calls, dora indicators; text or 34 counts), which are not left.
    The best discard has the least shanten and, among these, the most tiles left.

    Raises `HandError` for impossible hands or visible tiles.

    >>> from janshi.tiles import format_tiles
    >>> best = ukeire("123m456p78s111556z", visible="9s")[0]
    >>> format_tiles([best.discard]), best.shanten, format_tiles(best.accepted), best.left
    ('6z', 0, '69s', 7)
    >>> [(row.discard, row.shanten, row.left) for row in ukeire("123m456p78s11556z")]
    [(None, 1, 12)]
    """
    if _is_many(hand) or (visible is not None and _is_many(visible)):
        raise HandError("ukeire takes one hand: use ukeire_arrays for an array of hands")
    table = _ukeire(hand, visible, calls, players)
    return discards_of(table.shanten[0], table.accepted[0], table.left[0], NOT_HELD)
