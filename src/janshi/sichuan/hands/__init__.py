"""Fan and value, waits, shanten and ukeire of single hands and arrays of hands."""

from janshi.sichuan.hands.score import (
    FanValue,
    SichuanHand,
    fan,
    hand_record,
    is_complete,
    new_hands,
    ukeire,
    ukeire_arrays,
    value_hands,
    value_waits,
    waits,
)

__all__ = [
    "FanValue",
    "SichuanHand",
    "fan",
    "hand_record",
    "is_complete",
    "new_hands",
    "ukeire",
    "ukeire_arrays",
    "value_hands",
    "value_waits",
    "waits",
]
