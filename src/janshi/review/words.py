"""Reviews as text.

>>> from janshi.review.model import Option
>>> option_words(Option(37, "discard", "5pr", tsumogiri=True)), option_words(Option(41, "chi", "3m", ["1m", "2m"]))
('0p', 'chii 3m with 12m')
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any, Final

from janshi.review.model import Accepted, Candidate, Cause, Decision, Loss, Option, Reason, Review, Unit
from janshi.say.names import CauseKind, ReasonKind, Safety
from janshi.tiles import format_tiles, from_mjai, kind_of, tile_text

_NAMES: Final = {
    "chi": "chii",
    "daiminkan": "open kan",
    "ankan": "closed kan",
    "kakan": "added kan",
    "kyuushu_kyuuhai": "abort (kyuushu kyuuhai)",
    "tenpai": "show the hand (tenpai)",
    "noten": "keep it hidden (noten)",
    "void_m": "void characters",
    "void_p": "void dots",
    "void_s": "void bamboo",
}
#: Most accepted kinds to name; more are counted.
_MOST_NAMED: Final = 6
_REASONS: Final[dict[ReasonKind, str]] = {
    "win": "wins {} instead of {}",
    "value": "a win is worth {} points instead of {}",
    "deal_in": "deals in {} instead of {}",
    "price": "a deal-in costs {} points instead of {}",
    "draw": "{} points at a draw instead of {}",
    "others": "others win {} instead of {}",
    "points": "{} points instead of {}",
    "place": "final place {} instead of {}",
}
_CAUSES: Final[dict[CauseKind, str]] = {
    "yakuless": "the tenpai hand has no yaku",
    "furiten": "furiten",
    "wait": "waits for {:.0f} tiles instead of {:.0f}",
    "ukeire": "accepts {:.0f} tiles instead of {:.0f}",
    "yaku": "{} in {:.0%} of the wins instead of {:.0%}",
    "han": "{:.1f} han a win instead of {:.1f}",
    "seat": "to seat {} {:.0%} instead of {:.0%}",
    "safety": "{} instead of {} against seat {}",
    "tenpai": "tenpai at {:.0%} of the draws instead of {:.0%}",
}
_SAFETY: Final[dict[Safety, str]] = {
    "safe": "safe",
    "no_chance": "no chance",
    "suji": "suji",
    "one_chance": "one chance",
    "scarce": "scarce",
    "open": "not safe",
}


def tiles_words(names: Iterable[str]) -> str:
    """Return tiles (mjai names) as text: ``["5pr", "E"]`` is ``0p1z``."""
    return format_tiles(from_mjai(name) for name in names)


def option_words(option: Option) -> str:
    """Return an option in words."""
    if option.name == "discard":
        return tiles_words([option.tile or ""])
    words = _NAMES.get(option.name, option.name)
    if option.tile is None or option.name in ("kita", "tsumo", "ron"):
        return words
    beside = f" with {tiles_words(option.tiles)}" if option.name in ("chi", "pon") else ""
    return f"{words} {tiles_words([option.tile])}{beside}"


def moment_words(review: Review, decision: Decision, hand_words: Callable[[Review, int], str]) -> list[str]:
    """Return a decision in words: place, action taken, best action, and the effects of both.

    ``hand_words`` names a hand (from 0) of the review.
    """
    best = decision.advice.preferences[0]
    done, would = (_action_words(decision, action) for action in (decision.done, best.action))
    where = f"{hand_words(review, decision.hand)}, turn {turn_of(review, decision)}"
    would_do = f"{review.by} would do {would} ({100 * best.share:.0f} %)"
    reasons = ((done, why_words(decision, decision.done)), (would, why_words(decision, best.action)))
    loss = decision.loss
    cost = f"cost {100 * decision.cost:.0f} %" if loss is None else loss_words(loss, review.unit)
    return [
        f"{where}: {done}; {would_do}; {cost}",
        *([] if loss is None else [", ".join(map(reason_words, loss.reasons))]),
        *(f"{name}: {why}" for name, why in reasons if why),
    ]


def loss_words(loss: Loss, unit: Unit) -> str:
    """Return a measured loss in words."""
    better = "worse" if loss.lost > 0 else "better"
    low, high = (amount(each, unit).replace("-", "\u2212") for each in (loss.low, loss.high))
    return f"{amount(abs(loss.lost), unit)} {unit} {better} ({low} to {high})"


def amount(lost: float, unit: Unit) -> str:
    """Return a loss in its unit as a number.

    >>> amount(0.123, "places"), amount(1.23, "points")
    ('0.12', '1.2')
    """
    return f"{lost:.2f}" if unit == "places" else f"{lost:.1f}"


def reason_words(reason: Reason) -> str:
    """Return a reason and its causes in words.

    >>> reason_words(Reason("win", 0.27, 0.44, [Cause("wait", 3, 7)]))
    'wins 27 % instead of 44 % (waits for 3 tiles instead of 7)'
    >>> from janshi.review.model import Need
    >>> reason_words(Reason("place", 3.4, 3, [Cause("fixes", None, 3), Cause("needs", need=Need(2, 8000, 5200, None))]))
    'final place 3.40 instead of 3.00 (the win fixes place 3; place 2 needs 8,000 by ron, 5,200 from its seat)'
    """
    both = (reason.done, reason.best)
    if reason.kind in ("win", "deal_in", "others"):
        figures = [f"{100 * each:.0f} %" for each in both]
    elif reason.kind == "place":
        figures = [f"{each:.2f}" for each in both]
    else:
        figures = [_points(each) for each in both]
    causes = "; ".join(map(_cause_words, reason.causes))
    return _REASONS[reason.kind].format(*figures) + (f" ({causes})" if causes else "")


def _cause_words(cause: Cause) -> str:
    """Return what a reason comes from in words."""
    if cause.need is not None:
        need = cause.need
        ways = ((need.ron, "by ron"), (need.direct, "from its seat"), (need.tsumo, "by tsumo"))
        enough = ", ".join(f"{_points(value)} {how}" for value, how in ways if value is not None)
        return f"place {need.place} needs {enough}" if enough else f"no hand reaches place {need.place}"
    if cause.kind == "fixes":
        return f"the win fixes place {cause.best if cause.best is not None else cause.done:.0f}"
    if cause.safety is not None:
        return _CAUSES["safety"].format(*(_SAFETY[each] for each in cause.safety), cause.seat)
    if cause.name is not None and "dora" in cause.name:
        return f"{cause.done:.1f} {cause.name} a win instead of {cause.best:.1f}"
    if cause.kind == "shanten":
        return " instead of ".join(_shanten_words(round(each)) for each in (cause.done or 0, cause.best or 0))
    first = [each for each in (cause.name, cause.seat) if each is not None]
    return _CAUSES[cause.kind].format(*first, cause.done, cause.best).replace("%", " %")


def _points(points: float) -> str:
    return f"{points:,.0f}".replace("-", "\u2212")


def _action_words(decision: Decision, action: int) -> str:
    """Return an option in words, riichi with the discards that leave the hand tenpai."""
    option = decision.option(action)
    tenpai = [_plain(each.tile) for each in decision.advice.candidates if each.shanten == 0 and each.accepts]
    if option.name == "riichi" and option.tile is None and tenpai:
        return f"riichi with {' or '.join(tenpai)}"
    return option_words(option)


def turn_of(review: Review, decision: Decision) -> int:
    """Return the seat's turn of a decision, from 1: one more than its discards so far."""
    start = max(index for index in range(decision.event) if review.events[index]["type"] == "start_kyoku")
    return 1 + sum(_discards(review.events[start : decision.event], review.seat))


def _discards(events: Sequence[dict[str, Any]], seat: int) -> Iterable[bool]:
    return (event["type"] == "dahai" and event["actor"] == seat for event in events)


def why_words(decision: Decision, action: int) -> str:
    """Return the effects of an action: shanten, ukeire, safety and risk; empty if there are none."""
    advice, option = decision.advice, decision.option(action)
    for candidate in advice.candidates:
        if action in candidate.actions:
            ukeire = _ukeire_words(candidate.shanten, candidate.accepts, candidate.left)
            risk = [f"deals in {100 * advice.risk[action]:.0f} %"] if advice.risk else []
            return ", ".join([ukeire, *_candidate_words(candidate), *risk])
    for call in advice.after:
        if call.action == action:
            then = f", then {_plain(call.discard)}" if call.discard else ""
            return _ukeire_words(call.shanten, call.accepts, call.left) + then
    for void in advice.voids:
        if option.name == f"void_{void.suit}" or (option.name == "lay" and (option.tile or "").endswith(void.suit)):
            return f"{void.tiles} tile{'' if void.tiles == 1 else 's'} to discard, {_shanten_words(void.shanten)}"
    return f"stays {_shanten_words(advice.shanten)}" if option.name == "pass" else ""


def _ukeire_words(shanten: int, accepts: Sequence[Accepted], left: int) -> str:
    kinds = f" of {len(accepts)} kinds"
    if len(accepts) <= _MOST_NAMED:
        kinds = f" ({tiles_words(accepted.tile for accepted in accepts)})"
    what = "waits for" if shanten == 0 else "accepts"
    return f"{_shanten_words(shanten)}, {what} {left} tile{'' if left == 1 else 's'}{kinds if accepts else ''}"


def _candidate_words(candidate: Candidate) -> Iterable[str]:
    if candidate.furiten:
        yield "furiten"
    for seat, safety in candidate.safety.items():
        yield f"{_SAFETY[safety]} against seat {seat}"


def _shanten_words(shanten: int) -> str:
    return {-1: "complete", 0: "tenpai"}.get(shanten, f"{shanten}-shanten")


def _plain(name: str) -> str:
    return tile_text(kind_of(from_mjai(name)))
