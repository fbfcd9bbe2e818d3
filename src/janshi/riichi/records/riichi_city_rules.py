"""Rules of a record of Riichi City: the room's, as far as the record says them, and what is seen in the games.

The record names the length, the points at the start and a few options of rooms of friends; everything else is as in
ranked games.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any, Final

from janshi.records.formats import UnsupportedError
from janshi.riichi.records.model import RiichiGame
from janshi.riichi.rules import RIICHI_CITY, RIICHI_CITY_SANMA, KanDora, Length, Rules
from janshi.riichi.state import Event

#: ``round``: how long a game is.
LENGTHS: Final = {1: Length.EAST, 2: Length.EAST_SOUTH, 3: Length.SINGLE_HAND}
_ENDINGS: Final = {Length.EAST: "-east", Length.EAST_SOUTH: "", Length.SINGLE_HAND: "-hand"}
#: Options that change what a hand pays and that the engine does not have.
_REFUSED: Final = {"isGeMu": "wareme (割れ目)"}
#: Options that change results only, or what a yaku is called.
_CUSTOM: Final = {"isShaoJi": "yakitori (焼き鳥)", "isLuck": "chips (祝儀)", "isKaiLiZhi": "open riichi"}


def rules_of_room(record: dict[str, Any], players: int) -> tuple[Rules, str]:
    """Return the rules of a record, and the names of those that the engine does not have and that no hand needs.

    Raises `UnsupportedError` with the names of rules that hands cannot be read without.
    """
    for name, rule in _REFUSED.items():
        if record.get(name):
            raise UnsupportedError(f"a room of Riichi City with {rule} is not supported")
    rules = RIICHI_CITY if players == 4 else RIICHI_CITY_SANMA
    length = LENGTHS.get(record.get("round", 2), Length.EAST_SOUTH)
    rules = replace(rules, length=length, name=rules.name + _ENDINGS[length])
    changes: dict[str, Any] = {}
    start = record.get("initPoints")
    if type(start) is int and start > 0 and start % 100 == 0:
        changes["start"] = start
        changes["oka"] = max(0, players * (rules.target - start))
    if players == 3 and record.get("northOperateType"):
        changes["kita"] = False
    changed = replace(rules, **changes)
    custom = ", ".join(rule for name, rule in _CUSTOM.items() if record.get(name))
    return (rules if changed == rules else replace(changed, name=f"{rules.name}-room")), custom


def with_time_of_kan_dora(game: RiichiGame) -> Rules:
    """Return the rules of a game with the time at which its records turn over the indicators of open kans."""
    for hand in game.hands:
        events = [row[0] for row in hand.events.tolist()]
        at = next((at for at, event in enumerate(events) if event in (Event.DAIMINKAN, Event.KAKAN)), None)
        if at is not None and at + 1 < len(events):
            # Of the first open kan of a hand: an earlier one's indicator may wait for the next kan.
            time = KanDora.AT_ONCE if events[at + 1] == Event.DORA else KanDora.BEFORE_DISCARD
            return game.rules if time == game.rules.kan_dora else _changed(game.rules, kan_dora=time)
    return game.rules


def with_results(rules: Rules, game: RiichiGame) -> Rules:
    """Return rules with the uma and oka that the results of a game show, if they show any."""
    if game.final_scores is None or game.final_points is None:
        return rules
    ends = zip(game.final_scores, game.final_points, strict=True)
    best_first = sorted(ends, key=lambda end: -end[0])
    bonuses = [round(1000 * points) - score + (rules.results_from or rules.target) for score, points in best_first]
    oka = sum(bonuses)
    if any(bonus % 100 for bonus in bonuses) or oka not in (0, max(0, game.players * (rules.target - rules.start))):
        return rules
    uma = (bonuses[0] - oka, *bonuses[1:])
    return rules if (uma, oka) == (rules.uma, rules.oka) else _changed(rules, uma=uma, oka=oka)


def _changed(rules: Rules, **changes: Any) -> Rules:
    """Return rules with changes, under a name that says so."""
    return replace(rules, name=f"{rules.name.removesuffix('-room')}-room", **changes)
