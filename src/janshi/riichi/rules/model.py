"""Rules of Riichi: every difference between tables as a field of plain frozen data.

A rule set is one `Rules` value. Presets are at the end of this file. A new one is a literal::

    MINE = dataclasses.replace(TENHOU, name="mine", open_tanyao=False, double_wind_fu=2)

``TENHOU*`` are verified by replaying Tenhou's records (``janshi replay``). ``MAHJONG_SOUL*`` follow the project's
specification (section 1); their uma, which depends on the room, is our choice. ``EMA`` (2016 edition: no red fives, no
abortive draws, every kan-dora at once, at most one yakuman) and ``M_LEAGUE`` follow general knowledge. The Japanese
associations' rules follow their own texts or summaries of them, and games of the package jansou
(``research/compare_jansou.py``); ``WRC`` and ``JPML_B`` have their sources only. Comments name the sources of less
known differences from Tenhou's rules, or mark them as not checked.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from enum import IntEnum
from typing import Any, Final

from janshi.core.errors import RuleError as RuleError
from janshi.core.rules import named_preset, registered_rules, type_problems
from janshi.riichi.rules.yaku import LOCAL


class Length(IntEnum):
    """Length of a game."""

    SINGLE_HAND = 0
    EAST = 1
    EAST_SOUTH = 2


class Kuikae(IntEnum):
    """Restriction of the discard right after a call."""

    ALLOWED = 0
    SAME_TILE = 1  # not the called kind
    SAME_RUN = 2  # nor the kind at the other end of the completed run (suji)


class KanDora(IntEnum):
    """Time at which the indicator of an open or added kan is turned over."""

    NONE = 0
    AT_ONCE = 1
    BEFORE_DISCARD = 2  # before the next discard, or with the next kan or kita


@dataclass(frozen=True, slots=True, kw_only=True)
class Rules:
    """A rule set. All amounts are points; see each field's comment.

    Raises `RuleError` for rules that cannot be played: a value of another type or out of range, kita or no tsumo loss
    with four players, chii or a red 5m with three, a noten payment that cannot be shared evenly, an uma that does not
    sum to 0.
    """

    name: str  # shown in results and records
    players: int = 4  # three: sanma, without 2–8 man
    length: Length = Length.EAST_SOUTH
    red_fives: tuple[int, int, int] = (1, 1, 1)  # of man, pin, sou

    # Winning
    open_tanyao: bool = True  # tanyao counts with calls (kuitan)
    ippatsu: bool = True
    ura_dora: bool = True  # indicators under the dora, for riichi
    kan_ura: bool = True  # … also under the kan-dora
    counted_yakuman: bool = True  # thirteen han and more are a yakuman; otherwise sanbaiman
    multiple_yakuman: bool = True  # yakuman add up
    double_yakuman: bool = False  # four closed triplets on the pair, pure nine gates, 13-sided orphans, big four winds
    first_turn_doubles: bool = False  # … always the double form for a win in the first turn (tenhou, chiihou)
    renhou: bool = False  # ron before the own first draw, nothing called: a mangan unless the other yaku are worth more
    local_yaku: tuple[str, ...] = field(default=(), metadata={"bits": LOCAL})  # names of local yaku that count
    rounded_mangan: bool = False  # 4 han 30 fu and 3 han 60 fu are mangan (kiriage)
    double_wind_fu: int = 4  # fu of a pair of the wind of both the round and the seat
    replacement_fu: bool = True  # two fu for a self-draw also after a kan
    multiple_ron: int = 3  # most winners on one discard; 1: only the first in turn (atamahane)
    triple_ron_aborts: bool = False  # three winners at once: abortive draw instead
    orphans_rob_closed_kan: bool = False  # thirteen orphans may rob a closed kan

    # Pao: the discarder of the last of these sets is liable for the yakuman
    pao_dragons: bool = True
    pao_winds: bool = True
    pao_kans: bool = False
    pao_part_only: bool = False  # of several yakuman, only for the one completed; otherwise for all
    pao_pays_ron_honba: bool = True  # the liable seat pays the honba of a ron too; otherwise the discarder does
    pao_rinshan: bool = False  # the discarder of an open kan's tile alone pays a win on its replacement tile

    # Calls
    chii: bool = True
    kita: bool = False  # North set aside: a dora, a replacement tile (sanma)
    kuikae: Kuikae = Kuikae.SAME_RUN
    kan_dora: KanDora = KanDora.BEFORE_DISCARD
    closed_kan_dora_at_once: bool = True  # independent of `kan_dora`
    riichi_kan: bool = True  # a closed kan after riichi that keeps the waits
    riichi_kan_keeps_sets: bool = False  # … only if its tiles are a triplet in every reading of a completed hand
    riichi_least_tiles: int = 4  # fewest tiles left to draw for riichi
    riichi_least_points: int = 1000  # fewest points for riichi; 0: also with negative points

    # Draws
    kyuushu_kyuuhai: bool = True
    four_winds: bool = True
    four_riichi: bool = True
    four_kans: bool = True
    nagashi_mangan: bool = True
    noten_payment: int = 3000  # total, from the players who are noten at an exhaustive draw
    karaten_is_tenpai: bool = True  # a wait only for tiles of which the own hand and melds hold all four
    tenpai_by_choice: bool = False  # a tenpai seat chooses whether to show its hand at such a draw; in riichi it must

    # Money
    start: int = 25_000
    target: int = 30_000  # points that somebody must have for the game to end
    results_from: int = 0  # results count the points over this; 0: over `target`
    oka: int = 20_000  # bonus of the first, in points
    uma: tuple[int, ...] = (20_000, 10_000, -10_000, -20_000)
    # Four players: the uma if only one player, or three, have the points that results count from; all 0: `uma`
    uma_one_above: tuple[int, int, int, int] = (0, 0, 0, 0)
    uma_three_above: tuple[int, int, int, int] = (0, 0, 0, 0)
    honba_each: int = 100  # of every honba from each payer of a self-draw
    honba_ron: int = 300  # of every honba from the discarder
    honba_for_each: bool = False  # each of several rons gets the honba; otherwise only the first in turn
    tsumo_loss: bool = True  # three players: nobody pays the absent North's share of a self-draw
    first_takes_deposits: bool = True  # the first takes riichi sticks left at the end
    ties_share_deposits: bool = False  # … equal firsts share them; otherwise the one who dealt first takes them
    ties_share_uma: bool = False  # equal players share uma and oka; otherwise the one who dealt first ranks first
    chip_value: int = 0  # points of a chip, paid for ippatsu, each ura dora and each red five; 0: there are none

    # How a game ends
    extension: bool = True  # one more wind if nobody has `target`, until somebody has
    extension_ends: bool = True  # … at most to its last hand; otherwise another wind follows
    tobi: bool = True  # the game ends when somebody has less than 0
    dealer_stops_leading: bool = True  # the last dealer wins and leads with `target`: the game ends
    dealer_stops_tenpai: bool = True  # … also if the dealer is only tenpai at a draw
    dealer_repeats_tenpai: bool = True  # the dealer keeps the deal when tenpai at an exhaustive draw

    def __post_init__(self) -> None:
        """Raise `RuleError` for rules that cannot be played."""
        for problem in _problems(self):
            raise RuleError(f"rules {self.name!r}: {problem}")


_AMOUNTS: Final = (
    "start",
    "target",
    "results_from",
    "oka",
    "noten_payment",
    "honba_each",
    "honba_ron",
    "riichi_least_points",
    "chip_value",
)
_MOST_POINTS: Final = 1_000_000
#: Tiles left to draw after the deal with four players.
_MOST_TILES: Final = 70


def _problems(rules: Rules) -> Iterator[str]:
    """Yield what makes a rule set unplayable; later checks assume that the earlier ones passed."""
    yield from type_problems(rules)
    if not rules.name:
        yield "a rule set has a name"
    if rules.players not in (3, 4):
        yield f"{rules.players} players; Riichi is played by 3 or 4"
    yield from _player_problems(rules)
    if any(not 0 <= count <= 4 for count in rules.red_fives):
        yield f"0 to 4 red fives of a suit, not {rules.red_fives}"
    if not 1 <= rules.multiple_ron <= 3:
        yield f"multiple_ron is 1, 2 or 3, not {rules.multiple_ron}"
    if rules.double_wind_fu not in (2, 4):
        yield f"double_wind_fu is 2 or 4, not {rules.double_wind_fu}"
    if not 0 <= rules.riichi_least_tiles <= _MOST_TILES:
        yield f"riichi_least_tiles is 0 to {_MOST_TILES}, not {rules.riichi_least_tiles}"
    for name in _AMOUNTS:
        if getattr(rules, name) % 100 or not 0 <= getattr(rules, name) <= _MOST_POINTS:
            yield f"{name} must be a multiple of 100 from 0 to {_MOST_POINTS:,}, not {getattr(rules, name):,}"
    for uma in (rules.uma, rules.uma_one_above, rules.uma_three_above):
        if any(points % 100 or abs(points) > _MOST_POINTS for points in uma):
            yield f"uma are whole hundreds up to {_MOST_POINTS:,}, not {uma}"
        if sum(uma):
            yield f"uma {uma} do not sum to 0 (the bonus of the first is the field oka)"


def _player_problems(rules: Rules) -> Iterator[str]:
    """Yield the settings that do not fit the number of players."""
    players = rules.players
    if len(rules.uma) != players:
        yield f"uma has {len(rules.uma)} numbers for {players} players"
    if len(rules.uma_one_above) != 4 or len(rules.uma_three_above) != 4:
        yield f"uma_one_above and uma_three_above have 4 numbers, not {rules.uma_one_above}, {rules.uma_three_above}"
    if players == 3 and any(rules.uma_one_above + rules.uma_three_above):
        yield "uma_one_above and uma_three_above are for four players"
    if len(rules.red_fives) != 3:
        yield f"red_fives has a number for each of man, pin and sou, not {rules.red_fives}"
    if players == 3 and rules.red_fives[0]:
        yield "three players have no 5m, so it cannot be red"
    if players == 3 and rules.chii:
        yield "three players do not call chii (set chii=False)"
    if players == 4 and rules.kita:
        yield "kita is for three players: with four, North is a seat's wind"
    if players == 4 and not rules.tsumo_loss:
        yield "tsumo_loss=False is for three players: with four there is no absent North"
    # Each of 1 … players − 1 seats pays and gets a whole number of hundreds.
    unit = 600 if players == 4 else 200
    if rules.noten_payment % unit:
        yield f"noten_payment {rules.noten_payment:,} cannot be shared evenly: it is a multiple of {unit}"


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
    noten_payment=2000,
    start=35_000,
    target=40_000,
    oka=15_000,
    uma=(20_000, 0, -20_000),
    honba_ron=200,
)

#: Parlour tables (jansou) as in records of four players. In East-only games a honba is five times as much
#: (``-honba500`` in the name), or at fast tables the start is 30,000 points (``-start30``); chips are worth 2,000 or
#: 5,000 points (``-chips2``, ``-chips5``).
TENHOU_PARLOUR: Final = dataclasses.replace(
    TENHOU,
    name="tenhou-parlour",
    rounded_mangan=True,
    kan_dora=KanDora.AT_ONCE,
    uma=(30_000, 10_000, -10_000, -30_000),
)

#: Not checked: the same differences from the ordinary table as with four players.
TENHOU_SANMA_PARLOUR: Final = dataclasses.replace(
    TENHOU_SANMA, name="tenhou-sanma-parlour", rounded_mangan=True, kan_dora=KanDora.AT_ONCE
)

MAHJONG_SOUL: Final = Rules(
    name="mahjong-soul",
    double_yakuman=True,
    # Second-hand for the heavenly hand (no tile is the drawn one): github.com/Longhorn-Riichi/InjusticeJudge/issues/19.
    # No source was found for the earthly hand; Mahjong Soul's own text could not be read.
    first_turn_doubles=True,
    orphans_rob_closed_kan=True,
    pao_part_only=True,  # riichi.wiki/Mahjong_Soul: "separated responsibility for each yakuman"
    results_from=25_000,  # by the results of a record: 40,500 points and the first place are 30.5
    oka=0,
    uma=(15_000, 5_000, -5_000, -15_000),
)

MAHJONG_SOUL_SANMA: Final = dataclasses.replace(
    TENHOU_SANMA,
    name="mahjong-soul-sanma",
    double_yakuman=True,
    first_turn_doubles=True,  # as with four players
    orphans_rob_closed_kan=True,
    pao_part_only=True,
    results_from=35_000,
    oka=0,
    uma=(15_000, 0, -15_000),
)

#: Rules of kobalab's Majiang (電脳麻将), as its program sets them where nothing is changed: lib/rule.js, game.js and
#: hule.js of github.com/kobalab/majiang-core.
KOBALAB: Final = dataclasses.replace(
    TENHOU,
    name="kobalab",
    double_yakuman=True,
    pao_part_only=True,
    pao_pays_ron_honba=False,
)

#: Ranked games of Riichi City (麻雀一番街): points, uma, oka, red fives and draws by riichi.wiki/Riichi_City, double
#: yakuman by public readers of its records. What no source says is as at Tenhou.
RIICHI_CITY: Final = dataclasses.replace(
    TENHOU,
    name="riichi-city",
    double_yakuman=True,
    pao_part_only=True,  # not checked
    uma=(30_000, 10_000, -10_000, -30_000),
)

RIICHI_CITY_SANMA: Final = dataclasses.replace(
    TENHOU_SANMA,
    name="riichi-city-sanma",
    double_yakuman=True,
    pao_part_only=True,  # not checked
)

EMA: Final = Rules(
    name="ema",
    red_fives=(0, 0, 0),
    kan_dora=KanDora.AT_ONCE,
    counted_yakuman=False,
    multiple_yakuman=False,
    renhou=True,  # "a strict mangan only", not combined with other yaku: riichi.wiki on the edition of 2016
    pao_pays_ron_honba=False,  # section 3.3.9: only the discarder pays counters of a ron
    honba_for_each=True,  # 3.4.9 and 3.4.10: each winner gets the full value of the hand, counters included
    karaten_is_tenpai=False,  # 3.3.13: a wait only for a tile held four times is not tenpai
    orphans_rob_closed_kan=True,  # not checked: no text of section 3.3.7 was found
    ties_share_uma=True,  # not checked: no text of section 3.6.1 was found
    kyuushu_kyuuhai=False,
    four_winds=False,
    four_riichi=False,
    four_kans=False,
    nagashi_mangan=False,
    start=30_000,
    target=30_000,
    oka=0,
    uma=(15_000, 5_000, -5_000, -15_000),
    extension=False,
    tobi=False,
    dealer_stops_leading=False,
)

M_LEAGUE: Final = Rules(
    name="m-league",
    counted_yakuman=False,
    rounded_mangan=True,
    double_wind_fu=2,
    multiple_ron=1,
    pao_kans=True,  # by an open kan: riichi.wiki/M-League, after m-league.jp/about
    pao_part_only=True,  # not checked: no text was found
    riichi_kan_keeps_sets=True,  # not checked: no text was found
    tenpai_by_choice=True,  # by jansou
    # Second-hand: majannavi.com/archives/55, a summary of the official rules.
    riichi_least_tiles=0,
    riichi_least_points=0,
    # riichi.wiki/M-League: ties split the bonus evenly; the sticks second-hand, from a club that follows the rules.
    ties_share_uma=True,
    ties_share_deposits=True,
    kan_dora=KanDora.AT_ONCE,
    kyuushu_kyuuhai=False,
    four_winds=False,
    four_riichi=False,
    four_kans=False,
    nagashi_mangan=False,
    uma=(30_000, 10_000, -10_000, -30_000),
    extension=False,
    tobi=False,
    dealer_stops_leading=False,
)


#: What the associations have in common, as far as their texts were found; not a preset.
_ASSOCIATION: Final = Rules(
    name="association",
    red_fives=(0, 0, 0),
    counted_yakuman=False,
    double_wind_fu=2,
    multiple_ron=1,
    kan_dora=KanDora.AT_ONCE,
    riichi_kan_keeps_sets=True,
    riichi_least_tiles=0,
    riichi_least_points=0,  # who has none borrows points: rmu.jp/rule
    kyuushu_kyuuhai=False,
    four_winds=False,
    four_riichi=False,
    four_kans=False,
    nagashi_mangan=False,
    karaten_is_tenpai=False,
    tenpai_by_choice=True,  # by jansou
    start=30_000,
    oka=0,
    uma=(15_000, 5_000, -5_000, -15_000),
    first_takes_deposits=False,
    ties_share_uma=True,
    extension=False,
    tobi=False,
    dealer_stops_leading=False,
)

#: World Riichi Championship, edition of 2015; those of 2022 and 2025 could not be read.
WRC: Final = dataclasses.replace(
    _ASSOCIATION,
    name="wrc",
    rounded_mangan=True,
    multiple_yakuman=False,
    renhou=True,
    pao_kans=True,  # not checked: no text of section 6.2 was found
    pao_pays_ron_honba=False,  # as in EMA's rules, which WRC's follow; not checked
    riichi_least_tiles=4,
    riichi_least_points=1000,  # not checked
)

#: The official (A) rules of the Japan Professional Mahjong League, as of 2024: dic.pixiv.net/a/日本プロ麻雀連盟.
JPML_A: Final = dataclasses.replace(
    _ASSOCIATION,
    name="jpml-a",
    ippatsu=False,
    ura_dora=False,
    kan_ura=False,
    kan_dora=KanDora.NONE,
    closed_kan_dora_at_once=False,
    renhou=True,
    pao_kans=True,
    pao_pays_ron_honba=False,
    kyuushu_kyuuhai=True,  # in the older rules (note.com/mahjong_academy) and their records; no longer in those of 2024
    uma=(8_000, 4_000, -4_000, -8_000),
    uma_one_above=(12_000, -1_000, -3_000, -8_000),
    uma_three_above=(8_000, 3_000, 1_000, -12_000),
)

#: The League's rules with ippatsu and ura dora (B, today called WRC), as of 2024: the same article.
JPML_B: Final = dataclasses.replace(
    _ASSOCIATION,
    name="jpml-b",
    rounded_mangan=True,  # a comment of the library mahjong by otamajakusi, after ma-jan.or.jp
    renhou=True,
    pao_kans=True,
    pao_pays_ron_honba=False,
    # Not checked: 15 and 5 are those of WRC; a list of 2024 gives 30 and 10.
)

#: Saikouisen Nihon Pro Mahjong Kyoukai: saikouisen.com/about/rules, after summaries of 2009 and 2015.
SAIKOUISEN: Final = dataclasses.replace(
    _ASSOCIATION,
    name="saikouisen",
    rounded_mangan=True,
    multiple_yakuman=False,  # jan39.com (2009), west-one-cup.com/rules2015
    pao_dragons=False,
    pao_winds=False,
    uma=(30_000, 10_000, -10_000, -30_000),
)

#: Mahjong Rengou (μ), league: mj-king.net/pro/6/2.html, and a list of 2024 for the noten payment.
MU: Final = dataclasses.replace(
    _ASSOCIATION,
    name="mu",
    ippatsu=False,
    ura_dora=False,
    kan_ura=False,
    kan_dora=KanDora.NONE,
    closed_kan_dora_at_once=False,
    multiple_yakuman=False,  # by jansou; no text was found
    kuikae=Kuikae.ALLOWED,
    riichi_kan=False,
    noten_payment=0,  # in the league; 3,000 in its cups
    uma=(12_000, 4_000, -4_000, -12_000),
    honba_each=0,
    honba_ron=0,
)

#: Nihon Pro Mahjong Kyoukai: npm2001.com/about/regulations, after summaries.
KYOKAI: Final = dataclasses.replace(
    _ASSOCIATION,
    name="kyokai",
    rounded_mangan=True,  # by two lists of 2024 and later; in 2023 7,700
    pao_dragons=False,  # by jansou; no text was found
    pao_winds=False,
    start=25_000,
    oka=20_000,
    uma=(30_000, 10_000, -10_000, -30_000),
)

#: Real Mahjong Unit, rules A: rmu.jp/rule.
RMU: Final = dataclasses.replace(
    _ASSOCIATION,
    name="rmu",
    rounded_mangan=True,
    counted_yakuman=True,  # by jansou; the text's part on values was not found
    pao_dragons=False,  # by jansou, too
    pao_winds=False,
)

#: Mahjong Saikyousen: mahjong-saikyosen.com/2022/?page_id=365.
SAIKYOSEN: Final = dataclasses.replace(
    _ASSOCIATION,
    name="saikyosen",
    rounded_mangan=True,  # by jansou
    pao_kans=True,  # by jansou
    start=25_000,
    oka=20_000,
    uma=(30_000, 10_000, -10_000, -30_000),
    first_takes_deposits=True,  # by jansou
    ties_share_uma=False,
)


def final_points(rules: Rules, scores: Sequence[int]) -> list[float]:
    """Return the results of a game in thousands: points over the target, uma by rank, and oka for the first.

    Chips are excluded, and results are not rounded. Equal points rank in the order of the seats, or share uma and oka
    (`Rules.ties_share_uma`).

    >>> final_points(TENHOU, [41_000, 30_000, 29_000, 0])
    [51.0, 10.0, -11.0, -50.0]
    >>> final_points(M_LEAGUE, [30_000, 30_000, 30_000, 10_000])
    [16.7, 16.7, 16.6, -50.0]
    >>> final_points(MAHJONG_SOUL, [40_500, 39_500, 23_600, -3_600])
    [30.5, 19.5, -6.4, -43.6]
    >>> final_points(JPML_A, [45_000, 29_000, 26_000, 20_000])
    [27.0, -2.0, -7.0, -18.0]
    """
    base = rules.results_from or rules.target
    order = sorted(range(rules.players), key=lambda seat: (-scores[seat], seat))
    uma = _uma(rules, sum(points >= base for points in scores))
    bonuses = [uma[0] + rules.oka, *uma[1:]]
    if rules.ties_share_uma:
        for points in {scores[seat] for seat in order}:
            ranks = [rank for rank, seat in enumerate(order) if scores[seat] == points]
            shares = _equal_shares(sum(bonuses[rank] for rank in ranks), len(ranks))
            bonuses[ranks[0] : ranks[-1] + 1] = shares
    result = [0.0] * rules.players
    for rank, seat in enumerate(order):
        result[seat] = (scores[seat] - base + bonuses[rank]) / 1000
    return result


def _uma(rules: Rules, above: int) -> tuple[int, ...]:
    """Return the uma of a game that so many players finish with at least the points that results count from."""
    floating = {1: rules.uma_one_above, 3: rules.uma_three_above}.get(above, rules.uma)
    return floating if any(floating) else rules.uma


def _equal_shares(points: int, count: int) -> list[int]:
    """Divide points into shares of whole hundreds; remaining hundreds go to the first ones."""
    each, left = divmod(points // 100, count)
    return [100 * (each + (1 if number < left else 0)) for number in range(count)]


#: Presets by name.
PRESETS: Final = {
    rules.name: rules
    for rules in (
        TENHOU,
        TENHOU_SANMA,
        TENHOU_PARLOUR,
        TENHOU_SANMA_PARLOUR,
        MAHJONG_SOUL,
        MAHJONG_SOUL_SANMA,
        KOBALAB,
        RIICHI_CITY,
        RIICHI_CITY_SANMA,
        EMA,
        M_LEAGUE,
        WRC,
        JPML_A,
        JPML_B,
        SAIKOUISEN,
        MU,
        KYOKAI,
        RMU,
        SAIKYOSEN,
    )
}

#: Tenhou's rules by the number of players.
TENHOU_OF: Final = {3: TENHOU_SANMA, 4: TENHOU}


#: Fields changed by the endings of a preset's name.
ENDINGS: Final[dict[str, dict[str, Any]]] = {
    "-hand": {"length": Length.SINGLE_HAND},
    "-east": {"length": Length.EAST},
    "-south": {"length": Length.EAST_SOUTH},
    "-nored": {"red_fives": (0, 0, 0)},
    "-noopen": {"open_tanyao": False},
    "-2009": {"dealer_stops_tenpai": False, "extension_ends": False},
    "-chips2": {"chip_value": 2000},
    "-chips5": {"chip_value": 5000},
    "-start30": {"start": 30_000, "oka": 0},
    "-honba500": {"honba_each": 500, "honba_ron": lambda rules: 500 * (rules.players - 1)},
}


def preset(name: str) -> Rules:
    """Return the preset of that name.

    Names may end in ``-hand``, ``-east`` or ``-south`` to set the length, in ``-nored`` for no red fives, in
    ``-noopen`` for no open tanyao and in ``-2009`` for Tenhou's rules of that year, in any order: games of 2009
    continue when a leading last dealer is tenpai at a draw, and into a third wind; those from 2020 on do neither.
    ``-chips2``, ``-chips5``, ``-start30`` and ``-honba500`` are for parlour tables: chips of 2,000 and 5,000 points,
    30,000 points at the start, 500 a honba from each payer. Includes rule sets of `janshi.games.register_rules`. Raises
    `RuleError` for an unknown name.

    >>> preset("tenhou-sanma-hand").length is Length.SINGLE_HAND
    True
    """
    return named_preset(name, {**PRESETS, **registered_rules(Rules)}, ENDINGS)
