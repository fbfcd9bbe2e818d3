"""What a complete hand of Sichuan mahjong is worth by its fan."""

from __future__ import annotations

from janshi.compiling import leaf, rule
from janshi.say.records import WorthRow
from janshi.sichuan.hands.scoring import points_of_fan
from janshi.sichuan.rules.record import RulesRecord
from janshi.sichuan.state import Fan, Value


@leaf
def fan_of(rules: RulesRecord, fan: int) -> int:
    """Return what a source of fan counts once."""
    if fan < Fan.KONG:
        if fan < Fan.SEVEN_PAIRS:
            return int(rules.all_pungs) if fan == Fan.ALL_PUNGS else int(rules.full_flush)
        return int(rules.seven_pairs) if fan == Fan.SEVEN_PAIRS else int(rules.golden_wait)
    if fan < Fan.ROBBING:
        if fan < Fan.AFTER_KONG:
            return int(rules.kong) if fan == Fan.KONG else int(rules.root)
        return int(rules.after_kong) if fan == Fan.AFTER_KONG else int(rules.kong_discard)
    if fan < Fan.TERMINALS:
        if fan < Fan.HEAVEN:
            return int(rules.robbing) if fan == Fan.ROBBING else int(rules.last_tile)
        return int(rules.heaven) if fan == Fan.HEAVEN else int(rules.earth)
    if fan < Fan.ALL_SIMPLES:
        return int(rules.terminals) if fan == Fan.TERMINALS else int(rules.jiang)
    if fan == Fan.ALL_SIMPLES:
        return int(rules.all_simples)
    return int(rules.concealed) if fan == Fan.CONCEALED else int(rules.self_draw)


@rule
def write_fans(rules: RulesRecord, value: Value, out: WorthRow) -> None:
    """Write the sources of fan of a value, the discarder's payment, and that of each player on a self-draw."""
    out.fans_count = 0
    out.fan = int(value.fan)
    out.points = int(value.points)
    drawn = int(value.fan) + (0 if int(value.times[Fan.SELF_DRAW]) else int(rules.self_draw))
    worth = points_of_fan(rules, drawn)
    out.each = max(int(value.points), worth) + int(rules.self_draw_bonus) * int(rules.base_points)
    for fan in range(Fan.SELF_DRAW + 1):
        times = int(value.times[fan])
        if times:
            row = out.fans[int(out.fans_count)]
            row.name = fan
            row.fan = times * fan_of(rules, fan)
            out.fans_count += 1
