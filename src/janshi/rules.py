"""Rules: every difference between the games that the engine plays, as plain frozen data.

A rule set is one `Rules` value. Presets stand at the end of this file; one that nobody offers is a
literal away::

    MINE = dataclasses.replace(TENHOU, name="mine", open_tanyao=False, double_wind_fu=2)

``TENHOU*`` are proven by replaying Tenhou's records (``janshi replay``). ``MAHJONG_SOUL*`` follow the project's
specification (section 1); their uma, which changes from room to room there, is our choice. ``EMA`` (2016 edition: no
red fives, no abortive draws, every kan-dora at once, one yakuman at most) and ``M_LEAGUE`` follow what is generally
told of them and have not been held against the leagues' own texts field by field.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence
from dataclasses import dataclass
from enum import IntEnum
from typing import Any, Final


class RuleError(ValueError):
    """A rule set that cannot be played, or a name that no preset has."""


class Length(IntEnum):
    """How much is played before the game ends."""

    SINGLE_HAND = 0
    EAST = 1
    EAST_SOUTH = 2


class Kuikae(IntEnum):
    """What may not be discarded right after a call."""

    ALLOWED = 0
    SAME_TILE = 1  # not the kind just called
    SAME_RUN = 2  # nor the kind at the other end of the run just completed (suji)


class KanDora(IntEnum):
    """When the indicator of an open or added kan is turned over (a closed kan's is, at once)."""

    NONE = 0
    AT_ONCE = 1
    BEFORE_DISCARD = 2  # before the next discard, or with the next kan or kita


@dataclass(frozen=True, slots=True, kw_only=True)
class Rules:
    """A rule set. All amounts are points; see each field's comment."""

    name: str
    players: int = 4  # three: sanma, without 2–8 man
    length: Length = Length.EAST_SOUTH
    red_fives: tuple[int, int, int] = (1, 1, 1)  # of man, pin, sou

    # Winning
    open_tanyao: bool = True  # all simples counts with calls (kuitan)
    ippatsu: bool = True
    ura_dora: bool = True  # indicators under the dora, for riichi
    kan_ura: bool = True  # … also under the kan-dora
    counted_yakuman: bool = True  # thirteen han and more are a yakuman; otherwise sanbaiman
    multiple_yakuman: bool = True  # yakuman add up
    double_yakuman: bool = False  # four closed triplets on the pair, pure nine gates, 13-sided orphans, big four winds
    rounded_mangan: bool = False  # 4 han 30 fu and 3 han 60 fu are mangan (kiriage)
    double_wind_fu: int = 4  # fu of a pair of the wind that is both the round's and one's own
    replacement_fu: bool = True  # two fu for a self-draw also after a kan
    multiple_ron: int = 3  # so many may win on one discard; 1: only the first in turn (atamahane)
    triple_ron_aborts: bool = False  # three winners at once: abortive draw instead
    orphans_rob_closed_kan: bool = False  # thirteen orphans may rob a closed kan

    # Liability (pao): who feeds the last set of these pays
    liable_dragons: bool = True
    liable_winds: bool = True
    liable_quads: bool = False
    liable_part_only: bool = False  # of several yakuman, only the one fed; otherwise all

    # Calls
    chii: bool = True
    kita: bool = False  # North set aside: a dora, a replacement tile (sanma)
    kuikae: Kuikae = Kuikae.SAME_RUN
    kan_dora: KanDora = KanDora.BEFORE_DISCARD
    closed_kan_dora_at_once: bool = True  # whatever `kan_dora` says
    riichi_kan: bool = True  # a closed kan after riichi, where it leaves the waits alone
    riichi_least_tiles: int = 4  # riichi only with so many tiles left to draw
    riichi_least_points: int = 1000  # riichi only with so many points

    # Draws
    nine_terminals: bool = True
    four_winds: bool = True
    four_riichi: bool = True
    four_kans: bool = True
    nagashi_mangan: bool = True
    not_ready_payment: int = 3000  # in all, from the players not ready at the end

    # Money
    start: int = 25_000
    target: int = 30_000  # somebody must have so much when the game ends
    oka: int = 20_000  # bonus of the first, in points
    uma: tuple[int, ...] = (20_000, 10_000, -10_000, -20_000)
    honba_each: int = 100  # of every honba from each payer of a self-draw
    honba_ron: int = 300  # of every honba from the feeder
    tsumo_loss: bool = True  # three players: nobody pays the absent North's share of a self-draw
    first_takes_deposits: bool = True  # riichi sticks left on the table at the end

    # How a game ends
    extension: bool = True  # one more wind where nobody has `target`; it ends as soon as somebody has
    extension_ends: bool = True  # … and with its last hand in any case; otherwise another wind follows
    busting: bool = True  # ends when somebody has less than 0
    dealer_stops_leading: bool = True  # the last dealer wins and leads with `target`: the game ends
    dealer_stops_ready: bool = True  # … also where he is only ready at a draw
    dealer_repeats_ready: bool = True  # the dealer keeps the deal when ready at an exhaustive draw

    def __post_init__(self) -> None:
        """Refuse what cannot be played."""
        if self.players not in (3, 4):
            raise RuleError(f"rules {self.name!r}: {self.players} players; Riichi is played by 3 or 4")
        if len(self.uma) != self.players:
            raise RuleError(f"rules {self.name!r}: uma has {len(self.uma)} places for {self.players} players")
        if any(not 0 <= count <= 4 for count in self.red_fives):
            raise RuleError(f"rules {self.name!r}: 0 to 4 red fives of a suit, not {self.red_fives}")
        if self.players == 3 and self.red_fives[0]:
            raise RuleError(f"rules {self.name!r}: three players have no 5m, so it cannot be red")
        if self.players == 3 and self.chii:
            raise RuleError(f"rules {self.name!r}: three players do not call chii (set chii=False)")
        if not 1 <= self.multiple_ron <= 3:
            raise RuleError(f"rules {self.name!r}: multiple_ron is 1, 2 or 3, not {self.multiple_ron}")
        if self.double_wind_fu not in (2, 4):
            raise RuleError(f"rules {self.name!r}: double_wind_fu is 2 or 4, not {self.double_wind_fu}")
        amounts = (self.start, self.target, self.not_ready_payment, self.honba_each, self.honba_ron)
        if any(amount % 100 or not 0 <= amount <= 1_000_000 for amount in amounts):
            raise RuleError(f"rules {self.name!r}: points are whole hundreds from 0 to 1,000,000")


TENHOU: Final = Rules(name="tenhou", triple_ron_aborts=True)

TENHOU_SANMA: Final = Rules(
    name="tenhou-sanma",
    players=3,
    red_fives=(0, 1, 1),
    chii=False,
    kita=True,
    riichi_least_tiles=3,
    four_winds=False,
    four_riichi=False,
    not_ready_payment=2000,
    start=35_000,
    target=40_000,
    oka=15_000,
    uma=(20_000, 0, -20_000),
    honba_ron=200,
)

MAHJONG_SOUL: Final = Rules(
    name="mahjong-soul",
    double_yakuman=True,
    orphans_rob_closed_kan=True,
    liable_part_only=True,
    oka=0,
    uma=(15_000, 5_000, -5_000, -15_000),
)

MAHJONG_SOUL_SANMA: Final = dataclasses.replace(
    TENHOU_SANMA,
    name="mahjong-soul-sanma",
    double_yakuman=True,
    orphans_rob_closed_kan=True,
    liable_part_only=True,
    oka=0,
    uma=(15_000, 0, -15_000),
)

EMA: Final = Rules(
    name="ema",
    red_fives=(0, 0, 0),
    kan_dora=KanDora.AT_ONCE,
    counted_yakuman=False,
    multiple_yakuman=False,
    nine_terminals=False,
    four_winds=False,
    four_riichi=False,
    four_kans=False,
    nagashi_mangan=False,
    start=30_000,
    target=30_000,
    oka=0,
    uma=(15_000, 5_000, -5_000, -15_000),
    extension=False,
    busting=False,
    dealer_stops_leading=False,
)

M_LEAGUE: Final = Rules(
    name="m-league",
    counted_yakuman=False,
    rounded_mangan=True,
    double_wind_fu=2,
    multiple_ron=1,
    kan_dora=KanDora.AT_ONCE,
    nine_terminals=False,
    four_winds=False,
    four_riichi=False,
    four_kans=False,
    nagashi_mangan=False,
    uma=(30_000, 10_000, -10_000, -30_000),
    extension=False,
    busting=False,
    dealer_stops_leading=False,
)


def final_points(rules: Rules, scores: Sequence[int]) -> list[float]:
    """Return the results of a game in thousands: points over the target, uma by place, and oka for the first.

    Equal points rank in the order of the seats.

    >>> final_points(TENHOU, [41_000, 30_000, 29_000, 0])
    [51.0, 10.0, -11.0, -50.0]
    """
    order = sorted(range(rules.players), key=lambda seat: (-scores[seat], seat))
    result = [0.0] * rules.players
    for place, seat in enumerate(order):
        bonus = rules.uma[place] + (rules.oka if place == 0 else 0)
        result[seat] = (scores[seat] - rules.target + bonus) / 1000
    return result


#: Every preset by its name, as the command line takes it.
PRESETS: Final = {
    rules.name: rules for rules in (TENHOU, TENHOU_SANMA, MAHJONG_SOUL, MAHJONG_SOUL_SANMA, EMA, M_LEAGUE)
}


#: Tenhou's rules by the number of players.
TENHOU_OF: Final = {3: TENHOU_SANMA, 4: TENHOU}


def preset(name: str) -> Rules:
    """Return the preset of that name.

    Names may end in ``-hand``, ``-east`` or ``-south`` to set the length, in ``-nored`` for no red fives,
    in ``-noopen`` for no open tanyao and in ``-2009`` for Tenhou as it was then, in any order. Records of 2009 play on
    where a leading last dealer is ready at a draw, and into a third wind; those from 2020 on do neither.

    >>> preset("tenhou-sanma-hand").length is Length.SINGLE_HAND
    True
    """
    base = name
    changes: dict[str, Any] = {}
    endings: dict[str, dict[str, Any]] = {
        "-hand": {"length": Length.SINGLE_HAND},
        "-east": {"length": Length.EAST},
        "-south": {"length": Length.EAST_SOUTH},
        "-nored": {"red_fives": (0, 0, 0)},
        "-noopen": {"open_tanyao": False},
        "-2009": {"dealer_stops_ready": False, "extension_ends": False},
    }
    while base not in PRESETS:
        ending = next((one for one in endings if base.endswith(one)), None)
        if ending is None:
            raise RuleError(f"no rules named {name!r}; there are {', '.join(PRESETS)} (with {', '.join(endings)})")
        changes |= endings[ending]
        base = base[: -len(ending)]
    return dataclasses.replace(PRESETS[base], name=name, **changes) if changes else PRESETS[base]
