"""What a review says, in words and numbers: for people who read it as text.

>>> from janshi.review.model import Option
>>> option_words(Option(37, "discard", "5pr", tsumogiri=True)), option_words(Option(41, "chi", "3m", ["1m", "2m"]))
('0p', 'chii 3m with 12m')
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, Final

from janshi.observe.show import round_text
from janshi.review.model import Accepted, Candidate, Decision, Option, Review, Safety
from janshi.tiles import format_tiles, from_mjai, kind_of, tile_text

_NAMES: Final = {
    "chi": "chii",
    "daiminkan": "open kan",
    "ankan": "closed kan",
    "kakan": "added kan",
    "nine_terminals": "abort (nine terminals)",
}
_WINDS: Final = "ESWN"
_FEW: Final = 6
_SAFETY: Final[dict[Safety, str]] = {
    "safe": "safe",
    "suji": "suji",
    "scarce": "scarce",
    "open": "not safe",
}


def tiles_words(names: Iterable[str]) -> str:
    """Return tiles (mjai names) as text: ``["5pr", "E"]`` is ``0p1z``."""
    return format_tiles(from_mjai(name) for name in names)


def option_words(option: Option) -> str:
    """Say what an option does."""
    if option.name == "discard":
        return tiles_words([option.tile or ""])
    words = _NAMES.get(option.name, option.name)
    if option.tile is None or option.name in ("kita", "tsumo", "ron"):
        return words
    beside = f" with {tiles_words(option.tiles)}" if option.name in ("chi", "pon") else ""
    return f"{words} {tiles_words([option.tile])}{beside}"


def option_of(decision: Decision, action: int) -> Option:
    """Return one of a decision's options by its action."""
    return next(one for one in decision.options if one.action == action)


def hand_words(review: Review, hand: int) -> str:
    """Say which hand of a game it is (from 0): ``South 2, honba 1``."""
    starts = [event for event in review.events if event["type"] == "start_kyoku"]
    start = starts[hand]
    name = round_text(4 * _WINDS.index(start["bakaze"]) + int(start["kyoku"]) - 1)
    return f"{name}, honba {start['honba']}" if start["honba"] else name


def turn_of(review: Review, decision: Decision) -> int:
    """Return the seat's turn in which a decision fell, from 1: its discards so far, and one."""
    start = max(place for place in range(decision.event) if review.events[place]["type"] == "start_kyoku")
    return 1 + sum(_discards(review.events[start : decision.event], review.seat))


def _discards(events: Sequence[dict[str, Any]], seat: int) -> Iterable[bool]:
    return (event["type"] == "dahai" and event["actor"] == seat for event in events)


def why_words(decision: Decision, action: int) -> str:
    """Say in numbers what an action leads to: shanten, tiles left that bring the hand on, safety and risk.

    Empty where there is nothing to count.
    """
    advice = decision.advice
    for one in advice.candidates:
        if action in one.actions:
            risk = [f"deals in {100 * advice.risk[action]:.0f} %"] if advice.risk else []
            return ", ".join([_gain_words(one.shanten, one.accepts, one.left), *_candidate_words(one), *risk])
    for call in advice.after:
        if call.action == action:
            then = f", then {_plain(call.discard)}" if call.discard else ""
            return _gain_words(call.shanten, call.accepts, call.left) + then
    return f"stays {_away(advice.shanten)}" if option_of(decision, action).name == "pass" else ""


def _gain_words(shanten: int, accepts: Sequence[Accepted], left: int) -> str:
    kinds = f" ({tiles_words(one.tile for one in accepts)})" if len(accepts) <= _FEW else f" of {len(accepts)} kinds"
    what = "waits for" if shanten == 0 else "takes"
    return f"{_away(shanten)}, {what} {left} tile{'' if left == 1 else 's'}{kinds if accepts else ''}"


def _candidate_words(candidate: Candidate) -> Iterable[str]:
    if candidate.furiten:
        yield "furiten"
    for seat, safety in candidate.safety.items():
        yield f"{_SAFETY[safety]} against seat {seat}"


def _away(shanten: int) -> str:
    return {-1: "complete", 0: "ready"}.get(shanten, f"{shanten} from ready")


def _plain(name: str) -> str:
    return tile_text(kind_of(from_mjai(name)))
