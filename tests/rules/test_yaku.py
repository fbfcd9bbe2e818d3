"""The yaku, one hand each, with its value."""

import dataclasses

import pytest

from janshi.riichi.hands import HandError, score
from janshi.riichi.rules import EMA, MAHJONG_SOUL, TENHOU, TENHOU_SANMA

# claim, tiles (the winning one last), circumstances, expected yaku, han, fu
HANDS = [
    ("riichi", "234m567p123s789s9m9m", {"riichi": True, "seat": "S"}, {"riichi"}, 1, 40),
    ("double riichi", "234m567p123s789s9m9m", {"double_riichi": True, "seat": "S"}, {"double riichi"}, 2, 40),
    ("one shot", "234m567p123s789s9m9m", {"riichi": True, "ippatsu": True}, {"riichi", "ippatsu"}, 2, 40),
    ("self-draw", "234m567p123s789s9m9m", {"tsumo": True}, {"menzen tsumo"}, 1, 30),
    ("pinfu by ron is 30 fu", "234m567p99m123s786s", {}, {"pinfu"}, 1, 30),
    ("pinfu by self-draw is 20 fu", "234m567p99m123s786s", {"tsumo": True}, {"pinfu", "menzen tsumo"}, 2, 20),
    ("no pinfu on a middle wait", "234m567p99m123s687s", {"tsumo": True}, {"menzen tsumo"}, 1, 30),
    ("no pinfu on an edge wait", "234m567p99m789p123s", {"tsumo": True}, {"menzen tsumo"}, 1, 30),
    ("no pinfu with a pair of the own wind", "234m567p11z123s786s", {"tsumo": True}, {"menzen tsumo"}, 1, 30),
    ("pinfu with a guest wind's pair", "234m567p33z123s786s", {}, {"pinfu"}, 1, 30),
    ("all simples, open", "234m567p22s678s", {"melds": ["345s"]}, {"tanyao"}, 1, 30),
    ("twin runs", "223344m567p99m123s", {"win": "1s"}, {"iipeikou", "pinfu"}, 2, 30),
    ("twice twin runs", "223344m556677p99s", {"win": "9s"}, {"ryanpeikou"}, 3, 40),
    ("seven pairs are 25 fu", "1133m4466p7799s1z1z", {}, {"chiitoitsu"}, 2, 25),
    ("white dragon", "234m567p99m123s555z", {"win": "1s"}, {"haku"}, 1, 40),
    ("green dragon", "234m567p99m123s666z", {"win": "1s"}, {"hatsu"}, 1, 40),
    ("red dragon", "234m567p99m123s777z", {"win": "1s"}, {"chun"}, 1, 40),
    ("own wind", "234m567p99m123s222z", {"seat": "S", "win": "1s"}, {"own wind south"}, 1, 40),
    ("wind of round", "234m567p99m123s111z", {"seat": "S", "win": "1s"}, {"round wind east"}, 1, 40),
    (
        "the wind of both counts twice",
        "234m567p99m123s111z",
        {"win": "1s"},
        {"own wind east", "round wind east"},
        2,
        40,
    ),
    ("full straight", "123456789m567p99s", {"win": "5p"}, {"ittsuu", "pinfu"}, 3, 30),
    ("full straight, open", "456789m567p99s", {"melds": ["123m"], "win": "5p"}, {"ittsuu"}, 1, 30),
    ("runs of three suits", "234m234p234s99m678s", {"win": "6s"}, {"sanshoku doujun", "pinfu"}, 3, 30),
    ("runs of three suits, open", "234p234s99m678s", {"melds": ["234m"], "win": "6s"}, {"sanshoku doujun"}, 1, 30),
    ("triplets of three suits", "222m222p222s99m678s", {"win": "6s"}, {"sanshoku doukou", "sanankou"}, 4, 50),
    ("all triplets", "222m444p99s", {"melds": ["666s", "888p"], "win": "9s"}, {"toitoi"}, 2, 40),
    ("three concealed triplets", "222m444p666s99s", {"melds": ["123s"], "win": "9s"}, {"sanankou"}, 2, 40),
    (
        "three kans",
        "99s567p",
        {"melds": ["2222m", "4444p"], "closed_kans": ["6666s"], "win": "5p"},
        {"sankantsu"},
        2,
        60,
    ),
    ("outside hand", "123m789p999s33z789s", {"win": "7s"}, {"chanta"}, 2, 40),
    ("outside hand, open", "789p999s33z789s", {"melds": ["123m"], "win": "7s"}, {"chanta"}, 1, 30),
    ("terminal in each set", "123m789p999s11m789s", {"win": "7s"}, {"junchan"}, 3, 40),
    ("a triplet of simples won by ron", "345m678m345p888s99p", {"riichi": True, "win": "8s"}, {"riichi"}, 1, 40),
    ("a triplet of terminals won by ron", "111m678m222s678p55z", {"riichi": True, "win": "1m"}, {"riichi"}, 1, 40),
    ("terminal in each set, the other ends", "789999m123p123s99p", {"win": "3p"}, {"junchan"}, 3, 40),
    (
        "terminals and honours only",
        "111m999p11z",
        {"melds": ["999s", "444z"], "win": "1z"},
        {"toitoi", "honroutou"},
        4,
        50,
    ),
    ("little three dragons", "555z666z77z123m456p", {"win": "1m"}, {"shousangen", "haku", "hatsu"}, 4, 50),
    ("half flush", "123456m789m22m333z", {"win": "9m"}, {"honitsu", "ittsuu"}, 5, 40),
    ("half flush, open", "456m678m22m333z", {"melds": ["123m"], "win": "6m"}, {"honitsu"}, 2, 30),
    ("full flush, closed", "11222345678999m", {"win": "8m"}, {"chinitsu"}, 6, 50),
    ("full flush, open", "11222345678m", {"melds": ["999m"], "win": "8m"}, {"chinitsu"}, 5, 30),
    ("full flush of pin", "11222345678999p", {"win": "8p"}, {"chinitsu"}, 6, 50),
    ("full flush of sou", "11222345678999s", {"win": "8s"}, {"chinitsu"}, 6, 50),
    ("half flush of pin", "123456p789p22z333z", {"win": "9p"}, {"honitsu", "ittsuu"}, 5, 40),
    ("half flush of sou", "123456s789s22z333z", {"win": "9s"}, {"honitsu", "ittsuu"}, 5, 40),
    (
        "after a kan",
        "234m567p99m123s",
        {"closed_kans": ["4444s"], "tsumo": True, "rinshan": True},
        {"menzen tsumo", "rinshan kaihou"},
        2,
        40,
    ),
    ("no pinfu on the pair beside a run", "234m567p123s678s55m", {"riichi": True}, {"riichi"}, 1, 40),
    ("four like runs are twice twin runs", "222233334444m99p", {"win": "2m"}, {"ryanpeikou", "pinfu"}, 4, 30),
    ("two like runs and two others", "223344m567m789m99p", {"win": "5m"}, {"iipeikou", "pinfu"}, 2, 30),
    ("robbing a kan", "234m567p99m123s786s", {"chankan": True}, {"pinfu", "chankan"}, 2, 30),
    ("last draw", "234m567p99m678s", {"melds": ["123s"], "tsumo": True, "last": True}, {"haitei"}, 1, 30),
    ("last discard", "234m567p99m678s", {"melds": ["123s"], "last": True}, {"houtei"}, 1, 30),
]


@pytest.mark.parametrize(
    ("suit", "pair"), [("m", "11p"), ("m", "99p"), ("m", "11s"), ("m", "99s"), ("p", "11m"), ("p", "99m")]
)
def test_a_single_pair_of_another_suit_is_no_half_flush(suit, pair):
    value = score(f"123456{suit}{pair}", melds=[f"999{suit}", "555z"], win=f"1{suit}", seat="S")
    assert {yaku.name for yaku, _ in value.yaku} == {"haku"}


@pytest.mark.parametrize(
    ("claim", "tiles", "circumstances", "yaku", "han", "fu"), HANDS, ids=[case[0] for case in HANDS]
)
def test_yaku(claim, tiles, circumstances, yaku, han, fu):
    value = score(tiles, **circumstances)
    assert (value.han, value.fu) == (han, fu), value
    assert {named.name for named, _ in value.yaku} == yaku


NO_YAKU = [
    ("234m567p99m123s333z", {"win": "1s"}, "a guest wind"),
    ("222m444p666s99s", {"melds": ["123s"], "win": "6s"}, "two concealed triplets"),
    ("234m567p99m678s", {"melds": ["123s"]}, "nothing"),
    ("223344m99m678p", {"melds": ["123s"]}, "twin runs count closed only"),
    ("234m567p22s678s", {"melds": ["345s"], "rules": dataclasses.replace(TENHOU, open_tanyao=False)}, "closed only"),
    ("234m567p99m678s", {"melds": ["123s"], "dora": "8m"}, "dora is no yaku"),
]


@pytest.mark.parametrize(("tiles", "circumstances", "why"), NO_YAKU, ids=[case[2] for case in NO_YAKU])
def test_no_yaku(tiles, circumstances, why):
    with pytest.raises(HandError, match="has no yaku"):
        score(tiles, **circumstances)


YAKUMAN = [
    ("thirteen orphans", "19m19p19s12345677z", {"win": "1m"}, {"kokushi musou"}, 1, 1),
    ("thirteen-sided", "19m19p19s12345677z", {"win": "7z"}, {"kokushi musou 13-sided"}, 1, 2),
    ("four concealed triplets", "222m444p666s888p99s", {"win": "2m", "tsumo": True}, {"suuankou"}, 1, 1),
    ("… on the pair", "222m444p666s888p99s", {"win": "9s"}, {"suuankou tanki"}, 1, 2),
    ("big three dragons", "555666777z123m99p", {"win": "1m"}, {"daisangen"}, 1, 1),
    ("little four winds", "111222333z44z123m", {"win": "1m"}, {"shousuushii"}, 1, 1),
    ("big four winds", "111222333z99m", {"melds": ["444z"], "win": "9m"}, {"daisuushii"}, 1, 2),
    ("all honours", "111222555z77z", {"melds": ["666z"], "win": "7z"}, {"tsuuiisou"}, 1, 1),
    ("seven pairs of honours", "11223344556677z", {}, {"tsuuiisou"}, 1, 1),
    ("all green", "223344s666s888s66z", {"win": "8s"}, {"ryuuiisou"}, 1, 1),
    ("all terminals", "111m999m111p11s", {"melds": ["999p"], "win": "1s"}, {"chinroutou"}, 1, 1),
    ("nine gates", "11123456789995m", {"win": "1m"}, {"chuuren poutou"}, 1, 1),
    ("pure nine gates", "11123456789995m", {"win": "5m"}, {"junsei chuuren poutou"}, 1, 2),
    ("nine gates in pins", "11123456789995p", {"win": "1p"}, {"chuuren poutou"}, 1, 1),
    ("nine gates in sous", "11123456789995s", {"win": "1s"}, {"chuuren poutou"}, 1, 1),
    (
        "four kans",
        "99s",
        {"melds": ["2222m", "4444p", "7777p"], "closed_kans": ["6666s"], "win": "9s"},
        {"suukantsu"},
        1,
        1,
    ),
    ("heavenly hand", "234m567p123s678s99m", {"first": True, "tsumo": True}, {"tenhou"}, 1, 1),
    ("earthly hand", "234m567p123s678s99m", {"first": True, "tsumo": True, "seat": "W"}, {"chiihou"}, 1, 1),
]


@pytest.mark.parametrize(
    ("claim", "tiles", "how", "yaku", "single", "double"), YAKUMAN, ids=[case[0] for case in YAKUMAN]
)
def test_yakuman(claim, tiles, how, yaku, single, double):
    value = score(tiles, **how)
    assert {named.name for named, _ in value.yaku} == yaku
    assert (value.yakuman, value.han, value.limit) == (single, 0, "yakuman")
    assert value.basic == 8000 * single
    soul = score(tiles, **how, rules=MAHJONG_SOUL)
    assert soul.yakuman == double, "Mahjong Soul counts some yakuman twice"
    assert soul.basic == 8000 * double


def test_yakuman_add_up_by_their_rule():
    hand = {"tiles": "111222333z44z", "melds": ["555z"], "win": "4z"}
    assert score(**hand).yakuman == 2
    assert score(**hand, rules=dataclasses.replace(TENHOU, multiple_yakuman=False)).yakuman == 1


# ---------------------------------------------------------------------------------------------------------
# Fu, limits, dora, payments


#: Further hands are in `tests/rules/test_fu.py`, with what each fu is for.
FU = [
    ("closed ron of runs on a middle wait", "234m567p22s345s687s", {}, 40),
    ("concealed triplet of simples 4", "234m567p222s687s33p", {"win": "7s"}, 40),
    ("open triplet of simples 2", "234m567p687s33p", {"melds": ["222s"], "win": "7s"}, 30),
    ("open kan of honours 16", "234m567p678s33p", {"melds": ["5555z"], "win": "8s"}, 40),
    ("closed kan of honours 32", "234m567p678s33p", {"closed_kans": ["5555z"], "win": "8s"}, 70),
    ("closed kan of simples 16", "234m567p678s33p", {"closed_kans": ["2222s"], "win": "8s"}, 50),
    # A closed ron of runs on both sides has 30 fu: whatever counts 2 besides makes it 40.
    ("pair of a guest wind 0", "234m567p345s678s33z", {"win": "8s", "seat": "S"}, 30),
    ("pair of the own wind 2", "234m567p345s678s22z", {"win": "8s", "seat": "S"}, 40),
    ("… and no more: with two triplets of simples", "222p444p345s678s22z", {"win": "8s", "seat": "S"}, 40),
    ("pair of the round's wind 2", "234m567p345s678s11z", {"win": "8s", "seat": "S"}, 40),
    ("pair of green dragons 2", "234m567p345s678s66z", {"win": "8s"}, 40),
    ("pair of red dragons 2", "234m567p345s678s77z", {"win": "8s"}, 40),
    ("wait on both sides of the edge 0", "123m567p345s678s99p", {"win": "1m"}, 30),
    ("self-draw 2, but none with pinfu", "234m567p345s678s99m", {"win": "8s", "tsumo": True}, 20),
    # Open: 20, a middle wait 2, and 8 more for 30, 10 more for 40.
    ("self-draw 2, open", "567p678s55z", {"melds": ["345s", "888s"], "win": "6p", "tsumo": True, "last": True}, 30),
    ("open triplet of terminals 4", "567p678s55z", {"melds": ["345m", "999s"], "win": "5p", "last": True}, 30),
    (
        "two of them, pair and wait are 12",
        "567p55z",
        {"melds": ["999m", "999s", "345m"], "win": "6p", "last": True},
        40,
    ),
    ("open kan of simples 8", "567p55z", {"melds": ["8888m", "345m", "345s"], "win": "5p", "last": True}, 30),
    ("… and a middle wait", "567p55z", {"melds": ["8888m", "345m", "345s"], "win": "6p", "last": True}, 40),
    ("a kan beside a pon", "567p55z", {"melds": ["8888m", "222s", "345s"], "win": "5p", "last": True}, 40),
    ("open kan of terminals 16", "567p33z", {"melds": ["9999m", "345m", "345s"], "win": "5p", "last": True}, 40),
    ("closed kan of terminals 32", "567p345m678s33p", {"closed_kans": ["9999m"], "win": "8s"}, 70),
    ("… of simples: 30, 8 for another of terminals, 2", "999m22p345s678s33z2p", {"win": "2p"}, 40),
    ("… of terminals: 30, 4 for another of simples, 2 for dragons, 4", "222m99p345s678s55z9p", {"win": "9p"}, 40),
    ("… by self-draw as concealed", "345m567p678s888p99s", {"win": "8p", "tsumo": True}, 30),
    ("ron on two pairs: 30 and 4", "345m567p678s999p22s", {"win": "9p"}, 40),
    ("self-draw on two pairs: 22 and 8", "345m567p678s999p22s", {"win": "9p", "tsumo": True}, 30),
    ("three triplets concealed 24, wait on the pair 2, ron 30", "999m111p999s345m33z", {"win": "3z"}, 60),
    ("triplets 4 and 4 concealed, ron", "222m444p345s678s33z", {"win": "8s"}, 40),
    ("triplets 8 and 8 concealed, ron", "999m999p345s678s33z", {"win": "8s"}, 50),
]


@pytest.mark.parametrize(("claim", "tiles", "circumstances", "fu"), FU, ids=lambda v: str(v)[:40])
def test_fu(claim, tiles, circumstances, fu):
    riichi = not circumstances.get("melds")
    assert score(tiles, **{"riichi": riichi, **circumstances}).fu == fu


def test_the_double_winds_pair_is_worth_two_or_four():
    # 20 and 10 for a closed ron, 4 for a concealed triplet of simples, 4 for an open one's like: on the edge of 40.
    hand = {"tiles": "222p444p678s11z345s", "win": "8s", "riichi": True}
    assert score(**hand, rules=TENHOU).fu == 50
    assert score(**hand, rules=dataclasses.replace(TENHOU, double_wind_fu=2)).fu == 40


def test_self_draw_after_a_kan_counts_two_fu_or_none():
    hand = {"tiles": "234m567p77z68s7s", "closed_kans": ["2222s"], "tsumo": True, "rinshan": True}
    assert score(**hand).fu == 50, "20, closed kan 16, pair of dragons 2, middle wait 2, self-draw 2"
    assert score(**hand, rules=dataclasses.replace(TENHOU, replacement_fu=False)).fu == 40


def test_limits():
    hand = {"tiles": "234m567p22s345s678s", "win": "8s", "riichi": True, "seat": "S"}
    assert (score(**hand).han, score(**hand).points) == (3, 3_900)
    # Every indicator 1s makes the pair of 2s dora: two han each.
    for indicators, han, limit, points in (
        ("1s", 5, "mangan", 8_000),
        ("11s", 7, "haneman", 12_000),
        ("111s", 9, "baiman", 16_000),
        ("1111s", 11, "sanbaiman", 24_000),
        ("11113s", 12, "sanbaiman", 24_000),
    ):
        value = score(**hand, dora=indicators)
        assert (value.han, value.limit, value.points) == (han, limit, points)
    counted = score(**hand, dora="1111s", ippatsu=True, chankan=True)
    assert (counted.han, counted.limit, counted.yakuman) == (13, "yakuman", 0)
    assert score(**hand, dora="1111s", ippatsu=True, chankan=True, rules=EMA).limit == "sanbaiman"


def test_rounded_mangan():
    hand = {"tiles": "234m567p22s345s678s", "win": "8s", "riichi": True, "ippatsu": True, "seat": "S"}
    assert score(**hand).points == 7_700
    assert score(**hand, rules=dataclasses.replace(TENHOU, rounded_mangan=True)).points == 8_000
    # 3 han 60 fu are as much, 3 han 50 fu are not.
    for kans, tiles, fu, plain, rounded in (
        ([], "999m999p33z345s678s", 50, 6_400, 6_400),
        (["2222p"], "999m33z345s678s", 60, 7_700, 8_000),
    ):
        how = {"win": "3s", "closed_kans": kans, "riichi": True, "ippatsu": True, "chankan": True, "seat": "S"}
        value = score(tiles, **how)
        assert (value.han, value.fu, value.points) == (3, fu, plain)
        assert score(tiles, **how, rules=dataclasses.replace(TENHOU, rounded_mangan=True)).points == rounded


def test_payments():
    hand = {"tiles": "234m567p22s345s678s", "win": "8s", "riichi": True, "dora": "1s", "honba": 2}
    assert score(**hand, seat="S").payments == {"discarder": 8_600}
    assert score(**hand, seat="E").payments == {"discarder": 12_600}
    assert score(**hand, seat="S", tsumo=True).payments == {"dealer": 6_200, "others": 3_200}
    assert score(**hand, seat="E", tsumo=True).payments == {"others": 6_200}


def test_sanma_self_draws_leave_the_absent_share_unpaid_or_divide_it():
    hand = {"tiles": "234p567p22s345s678s", "win": "8s", "riichi": True, "dora": "1s", "tsumo": True}
    assert score(**hand, seat="S", rules=TENHOU_SANMA).payments == {"dealer": 6_000, "others": 3_000}
    assert score(**hand, seat="E", rules=TENHOU_SANMA).payments == {"others": 6_000}
    divide = dataclasses.replace(TENHOU_SANMA, tsumo_loss=False)
    assert score(**hand, seat="S", rules=divide).payments == {"dealer": 6_000 + 1_500, "others": 3_000 + 1_500}
    assert score(**hand, seat="E", rules=divide).payments == {"others": 6_000 + 3_000}


@pytest.mark.parametrize("players", [3, 4])
def test_each_indicator_makes_the_next_tile_dora(players):
    circles = ["123456789p", "123456789s", "1234z", "567z", "19m" if players == 3 else "123456789m"]
    for circle in circles:
        suit = circle[-1]
        sets = {"p": "345s678s789s111m", "s": "345p678p789p111m", "z": "345s678s345p999m", "m": "345s678s345p678p"}
        for index, indicator in enumerate(circle[:-1]):
            pair = circle[:-1][(index + 1) % (len(circle) - 1)]
            rules = "tenhou-sanma" if players == 3 else "tenhou"
            value = score(sets[suit] + 2 * pair + suit, riichi=True, dora=indicator + suit, rules=rules)
            assert [(yaku.name, han) for yaku, han in value.yaku][-1] == ("dora", 2), indicator + suit


def test_dora_in_called_sets():
    hand = {"tiles": "55z678s", "win": "8s", "last": True}
    for melds, dora, tiles in (
        (["234m", "567p", "999p"], "1m", 1),
        (["234m", "567p", "999p"], "2m", 1),
        (["234m", "567p", "999p"], "3m", 1),
        (["234m", "567p", "999p"], "4m", 0),
        (["234m", "567p", "999p"], "9m", 0),
        (["234m", "567p", "999p"], "8p", 3),
        (["234m", "567p", "9999p"], "8p", 4),
        (["234m", "567p", "999p"], "4z", 0),
        (["234m", "567p", "999p"], "77z", 4),
    ):
        value = score(**hand, melds=melds, dora=dora)
        assert value.han == 1 + tiles, (melds, dora)
    assert score("55z678s234m567p", closed_kans=["9999p"], win="8s", riichi=True, dora="8p", ura="8p").han == 9


def test_the_best_reading_counts():
    # 222333444m: three triplets or three like runs; both are eight han of a full flush, the triplets have more fu.
    value = score("22233344456799m", win="5m", seat="S")
    assert (value.han, value.fu, value.limit) == (8, 50, "baiman")
    assert "sanankou" in {yaku.name for yaku, _ in value.yaku}
    # 111222333m with 789m: as runs more han, although both readings are above thirteen.
    value = score("11122233378999m", win="7m", riichi=True, dora="91m")
    assert (value.han, value.limit, value.yakuman) == (17, "yakuman", 0)
    # Two pairs of like runs are more than seven pairs, three concealed triplets more than runs.
    assert "ryanpeikou" in {yaku.name for yaku, _ in score("223344m556677p99s", win="9s").yaku}
    assert "sanankou" in {yaku.name for yaku, _ in score("222333444m678p99s", win="6p", tsumo=True).yaku}
    # The winning tile may complete the run or the pair: points decide.
    assert score("3345m567p345s678s3m", riichi=True).fu == 30
    assert score("3345m111p345s678s3m", riichi=True).fu == 40


def test_kita_is_a_dora_each_and_another_for_each_west_indicator():
    hand = {"tiles": "234p567p345s678s99m", "riichi": True, "rules": "tenhou-sanma", "kitas": 2}
    assert ("dora", 2) in [(yaku.name, han) for yaku, han in score(**hand).yaku]
    assert ("dora", 4) in [(yaku.name, han) for yaku, han in score(**hand, dora="3z").yaku]
