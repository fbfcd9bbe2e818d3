"""Rules of Sichuan mahjong: every difference between tables as a field of plain frozen data.

A rule set is one `Rules` value. A new one is a literal::

    MINE = dataclasses.replace(SICHUAN, name="mine", cap=3, exchange=Exchange.DICE)

``SICHUAN`` follows the paper "Double DQN-based AI for Sichuan Mahjong", which prints no scoring: fan values and
payments are the usual ones. ``SICHUAN_NOVIKOV`` is the game of Vitaly Novikov's rule book "Sichuan Mahjong? It's that
simple!" (SBR) as played by the public program dcmshi/sichuan-mahjong. Comments name the source of a field: *paper*,
*SBR*, or *usual* for most tables.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator
from dataclasses import dataclass
from enum import IntEnum
from typing import Any, Final

from janshi.core.errors import RuleError as RuleError
from janshi.core.rules import named_preset, type_problems


class Exchange(IntEnum):
    """Receiver of the three tiles of one suit given away after the deal."""

    OFF = 0
    NEXT = 1  # the next player in turn order
    ACROSS = 2
    PREVIOUS = 3
    DICE = 4  # one of the three, by dice after all have selected their tiles


class GoldenWait(IntEnum):
    """Definition of a golden single wait."""

    FOUR_MELDS = 0  # only the pair is concealed
    ALL_PUNGS = 1  # all pungs, concealed ones included, completed by the pair


class PassedWin(IntEnum):
    """Restriction after passing another's winning tile, until the player's next draw."""

    FREE = 0
    MORE_ONLY = 1  # no win on another's tile for the same value or less
    BARRED = 2  # no win on another's tile


class AfterWins(IntEnum):
    """Next player after wins on another's tile."""

    LAST_WINNER = 0  # the player after the last winner in turn order
    DISCARDER = 1  # the player after the discarder


@dataclass(frozen=True, slots=True, kw_only=True)
class Rules:
    """A rule set. Amounts are points, multiplied by `base_points`; see each field's comment.

    Raises `RuleError` for rules that cannot be played: a value of another type or out of range, other than four
    players, or a payment of the cap without a cap.
    """

    name: str  # shown in results and records
    players: int = 4
    start: int = 0  # points of every player at the start of a game
    hands: int = 1  # hands of a game; the first winner deals the next one (usual)
    base_points: int = 1  # points of a hand without fan; all payments are multiplied by it

    # Before play
    exchange: Exchange = Exchange.OFF  # three tiles of one suit, before suits are voided (usual; paper: off)
    void_face_down: bool = False  # a tile of the void suit lies face down and is the first discard (SBR)

    # Fan: a hand is worth base times two to the power of its fan (values: usual, the same in SBR)
    cap: int | None = 4  # most fan that count; None: no cap
    all_pungs: int = 1
    full_flush: int = 2
    seven_pairs: int = 2  # four of a kind count as two pairs, with their root: dragon seven pairs
    golden_wait: int = 1  # beside all pungs
    kong: int = 1  # each
    root: int = 1  # each four of a kind that is no kong
    after_kong: int = 1  # self-drawn with the replacement tile
    kong_discard: int = 1  # on the discard that follows a kong
    robbing: int = 1  # on the tile that another adds to his pung
    last_tile: int = 1  # with the last tile of the wall, or on the last discard
    heaven: int = 5  # the dealer's first fourteen tiles
    earth: int = 5  # another's first draw, before any pung or exposed kong
    terminals: int = 0  # a terminal in every set and the pair (dai yao jiu); off: usual
    jiang: int = 0  # only 2, 5 and 8, beside all pungs or seven pairs (jiang dui); off: usual
    all_simples: int = 0  # no terminal, and other tiles than 2, 5 and 8 (duan yao jiu); off: usual
    concealed: int = 0  # no pung, exposed or added kong (men qing); off: usual
    self_draw: int = 0  # a self-drawn win (zi mo jia fan), beside or in place of `self_draw_bonus`; off: usual
    heaven_is_cap: bool = False  # heaven and earth are worth the cap instead (SBR)
    golden_wait_form: GoldenWait = GoldenWait.FOUR_MELDS  # SBR: ALL_PUNGS
    kong_discard_and_last: bool = True  # a kong's discard that is the last tile counts as both (SBR: the last alone)
    more_roots_in_pairs: bool = True  # the second and third four of a kind in seven pairs count too

    # Payments
    self_draw_bonus: int = 1  # (zi mo jia di) added to what each player still in pays for a self-drawn win
    exposed_kong: int = 2  # from the discarder
    concealed_kong: int = 2  # from each player still in
    added_kong: int = 1  # from each player still in, unless it is robbed
    postponed_kong_pays: bool = True  # an added kong pays although its tile was not just drawn (SBR: no)
    kong_discard_refund: bool = False  # dealing in after an own kong refunds it to its payers (SBR)
    kong_transfer: bool = False  # … or passes its money to each winner (hu jiao zhuan yi); off: usual

    # Moves
    passed_win: PassedWin = PassedWin.MORE_ONLY  # usual; SBR: FREE
    after_wins: AfterWins = AfterWins.LAST_WINNER  # usual and SBR
    rob_kong: bool = True  # an added kong may be robbed (usual and SBR)
    pung_on_last: bool = False  # a pung of the last discard, after which its player discards (SBR)
    kong_after_pung: bool = False  # an own kong in the turn that a pung began (not in SBR)
    void_kong: bool = False  # a concealed kong of the void suit, after which no win is possible (public program: yes)

    # The end of the wall
    ready_check: bool = True  # players who are not ready pay each ready player that player's best win (usual and SBR)
    ready_with_kongs: bool = True  # declared kongs count there (SBR's table too, its program: no)
    own_fourth_waits: bool = False  # a wait only for tiles of which the player holds all four is ready
    kong_refund: bool = True  # players who are not ready refund their kongs (usual and SBR)
    kong_refund_after_wins: bool = False  # … also after the third win (the public program)
    flower_pig: bool = True  # holders of tiles of their void suit pay the cap (paper: "penalized"; SBR: an option)
    pig_fan: int | None = None  # fan of that payment; None: the cap
    pig_by_suits: bool = False  # … holders of three suits in hand and melds instead (the public program)
    pig_pays_winners: bool = False  # also to the players who have won (the public program)
    pig_pays_ready: bool = True  # and also pays the ready players, as one who is not ready
    pig_after_wins: bool = False  # also after the third win (the public program)

    def __post_init__(self) -> None:
        """Raise `RuleError` for rules that cannot be played."""
        for problem in _problems(self):
            raise RuleError(f"rules {self.name!r}: {problem}")


_FAN: Final = (
    *("all_pungs", "full_flush", "seven_pairs", "golden_wait", "kong", "root", "after_kong", "kong_discard"),
    *("robbing", "last_tile", "heaven", "earth", "terminals", "jiang", "all_simples", "concealed", "self_draw"),
)
_PAID: Final = ("self_draw_bonus", "exposed_kong", "concealed_kong", "added_kong")

#: Least and most of each number, and the unit in messages.
BOUNDS: Final[dict[str, tuple[int, int, str]]] = {
    "players": (4, 4, " (Sichuan is played by 4)"),
    "hands": (1, 1000, ""),
    "base_points": (1, 1000, ""),
    "start": (0, 1_000_000, ""),
    **dict.fromkeys(_FAN, (0, 6, " fan")),
    **dict.fromkeys(("cap", "pig_fan"), (0, 16, " fan, or None")),
    **dict.fromkeys(_PAID, (0, 1000, " points")),
}

#: Values that contradict one another, and why.
CONFLICTS: Final[tuple[tuple[dict[str, bool | None], str], ...]] = (
    (
        {"kong_discard_refund": True, "kong_transfer": True},
        "a kong's money goes to its payers or to the winners, not to both (kong_discard_refund, kong_transfer)",
    ),
    (
        {"cap": None, "heaven_is_cap": True},
        "heaven and earth cannot be worth the cap where there is none (heaven_is_cap, cap)",
    ),
    (
        {"cap": None, "flower_pig": True, "pig_fan": None},
        "a flower pig pays the cap, and there is none: set pig_fan",
    ),
)


def _problems(rules: Rules) -> Iterator[str]:
    """Yield what makes a rule set unplayable; later checks assume that the earlier ones passed."""
    yield from type_problems(rules)
    if not rules.name:
        yield "a rule set has a name"
    for name, (least, most, unit) in BOUNDS.items():
        value = getattr(rules, name)
        if value is not None and not least <= value <= most:
            yield f"{name} is {least} to {f'{most:,}' if most > 9999 else most}{unit}, not {value}"
    for values, reason in CONFLICTS:
        if all(getattr(rules, name) is value for name, value in values.items()):
            yield reason


SICHUAN: Final = Rules(name="sichuan")

SICHUAN_EXCHANGE: Final = dataclasses.replace(SICHUAN, name="sichuan-exchange", exchange=Exchange.DICE)

SICHUAN_NOVIKOV: Final = Rules(
    name="sichuan-novikov",
    void_face_down=True,
    heaven_is_cap=True,
    golden_wait_form=GoldenWait.ALL_PUNGS,
    kong_discard_and_last=False,
    postponed_kong_pays=False,
    kong_discard_refund=True,
    passed_win=PassedWin.FREE,
    pung_on_last=True,
    void_kong=True,
    ready_with_kongs=False,
    kong_refund_after_wins=True,
    pig_by_suits=True,
    pig_pays_winners=True,
    pig_after_wins=True,
)

#: The form of clubs and of most programs, with the fan of Chengdu's table: docs/sichuan-rules.md names the sources.
SICHUAN_CLUB: Final = dataclasses.replace(
    SICHUAN_EXCHANGE,
    name="sichuan-club",
    terminals=2,
    jiang=2,
    all_simples=1,
    concealed=1,
    self_draw=1,
    self_draw_bonus=0,
    kong_transfer=True,
)

#: Presets by name.
PRESETS: Final = {rules.name: rules for rules in (SICHUAN, SICHUAN_EXCHANGE, SICHUAN_NOVIKOV, SICHUAN_CLUB)}

#: Fields changed by the endings of a preset's name.
ENDINGS: Final[dict[str, dict[str, Any]]] = {
    "-hand": {"hands": 1},
    "-cap3": {"cap": 3},
    "-cap4": {"cap": 4},
    "-nopig": {"flower_pig": False},
}


def preset(name: str) -> Rules:
    """Return the preset of that name.

    Names may end in ``-hand`` for one hand, ``-cap3`` or ``-cap4`` for the most fan that count, and ``-nopig`` for no
    flower pigs, in any order. Raises `RuleError` for an unknown name.

    >>> preset("sichuan-novikov-cap3").cap
    3
    """
    return named_preset(name, PRESETS, ENDINGS)
