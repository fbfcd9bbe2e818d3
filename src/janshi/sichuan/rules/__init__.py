"""Rules of Sichuan mahjong: rule sets and presets."""

from janshi.core.errors import RuleError
from janshi.sichuan.rules.model import (
    ENDINGS,
    PRESETS,
    SICHUAN,
    SICHUAN_CLUB,
    SICHUAN_EXCHANGE,
    SICHUAN_NOVIKOV,
    AfterWins,
    Exchange,
    GoldenWait,
    PassedWin,
    Rules,
    preset,
)

__all__ = [
    "ENDINGS",
    "PRESETS",
    "SICHUAN",
    "SICHUAN_CLUB",
    "SICHUAN_EXCHANGE",
    "SICHUAN_NOVIKOV",
    "AfterWins",
    "Exchange",
    "GoldenWait",
    "PassedWin",
    "RuleError",
    "Rules",
    "preset",
]
