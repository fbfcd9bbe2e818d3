"""Sources of the fu of a winning hand, by the reading that `janshi.riichi.hands.scoring` has chosen."""

from __future__ import annotations

from janshi.compiling import leaf, rule
from janshi.riichi.hands.scoring import Completed, called_fu, pair_fu, wait_fu, win_fu
from janshi.riichi.rules.record import RulesRecord
from janshi.riichi.rules.yaku import YakuId
from janshi.riichi.state import FuParts, FuSource, MeldForm, Reading, Value, Winning


@leaf
def add_part(parts: FuParts, source: int, fu: int, kind: int) -> None:
    """Add a source of fu unless it has none."""
    if fu:
        parts.sources[parts.count] = source
        parts.fu[parts.count] = fu
        parts.kinds[parts.count] = kind
        parts.count += 1


@rule
def add_sets(hand: Winning, reading: Reading, parts: FuParts) -> None:
    """Add melds, then concealed triplets; a triplet completed by ron counts as open."""
    for meld in range(int(hand.calls)):
        form = int(hand.forms[meld])
        kind = int(hand.kinds[meld])
        source = FuSource.OPEN_TRIPLET if form == MeldForm.PON else FuSource.OPEN_KAN
        add_part(parts, FuSource.CLOSED_KAN if form == MeldForm.ANKAN else source, called_fu(form, kind), kind)
    for kind in range(34):
        if int(reading.best_triplets) >> kind & 1:
            fu = called_fu(MeldForm.PON, kind)
            if kind == int(hand.kind) and int(reading.best_part) == Completed.TRIPLET and not int(hand.tsumo):
                add_part(parts, FuSource.OPEN_TRIPLET, fu, kind)
            else:
                add_part(parts, FuSource.CLOSED_TRIPLET, 2 * fu, kind)


@rule
def write_fu(rules: RulesRecord, hand: Winning, reading: Reading, value: Value, parts: FuParts) -> None:
    """Write the sources of the fu of a hand that `janshi.riichi.hands.scoring.evaluate` has just valued.

    Their sum, rounded up to tens, is ``value.fu``, except 25 of seven pairs. Yakuman and renhou have none.
    """
    parts.count = 0
    if int(value.yakuman) or int(value.yaku) in (0, 1 << YakuId.RENHOU):
        return
    part = int(reading.best_part)
    tsumo = int(hand.tsumo) == 1
    if part == 0:
        add_part(parts, FuSource.CHIITOITSU, 25, -1)
        return
    if tsumo and int(value.yaku) >> YakuId.PINFU & 1:
        add_part(parts, FuSource.PINFU_TSUMO, 20, -1)
        return
    add_part(parts, FuSource.BASE, 20, -1)
    way = FuSource.TSUMO if tsumo else FuSource.CLOSED_RON
    add_part(parts, way, win_fu(rules, hand, int(reading.closed) == 1), -1)
    add_sets(hand, reading, parts)
    add_part(parts, FuSource.PAIR, pair_fu(rules, hand, int(reading.best_pair)), int(reading.best_pair))
    wait = FuSource.PAIR_WAIT if part == Completed.PAIR else FuSource.EDGE_WAIT
    wait = FuSource.CLOSED_WAIT if part == Completed.RUN_MIDDLE else wait
    add_part(parts, wait, wait_fu(part, int(hand.kind) % 9), -1)
    if parts.count == 1:  # 20 without pinfu
        add_part(parts, FuSource.OPEN_PINFU, 10, -1)
