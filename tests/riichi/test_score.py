"""Scores against published cases and other calculators, which are used in tests only."""

from __future__ import annotations

import dataclasses
import json
import os
from pathlib import Path
from random import Random
from typing import Any

import pytest

from janshi.riichi.hands import score_hands
from janshi.riichi.rules import TENHOU, TENHOU_SANMA
from janshi.riichi.rules.yaku import DORA, RED_FIVES, URA_DORA, YakuId
from janshi.riichi.state import MeldForm
from tests.riichi.winning_hands import Made, make, to_winnings

# The other packages count double yakuman; their Tenhou is ours otherwise.
DOUBLE = {
    3: dataclasses.replace(TENHOU_SANMA, name="double", double_yakuman=True),
    4: dataclasses.replace(TENHOU, name="double", double_yakuman=True),
}
FORMS = {
    "chi": MeldForm.CHII,
    "pon": MeldForm.PON,
    "daiminkan": MeldForm.DAIMINKAN,
    "kakan": MeldForm.DAIMINKAN,
    "ankan": MeldForm.ANKAN,
}


def scores_folder() -> Path | None:
    named = os.environ.get("JANSHI_RECORDS")
    for folder in (Path(named) if named else None, Path(__file__).parents[3] / "shared" / "records"):
        if folder is not None and (folder / "scores").is_dir():
            return folder / "scores"
    return None


def tenhou_numbers() -> dict[int, int]:
    riichienv = pytest.importorskip("riichienv")
    return {yaku.id: yaku.tenhou_id for yaku in riichienv.get_all_yaku()}


def our_yaku(value: Any, hand: Made) -> set[int]:
    """Return the numbers of our yaku with dora; each wind yaku is the first of its kind, as in riichienv."""
    seat, round_ = YakuId.SEAT_WIND_EAST, YakuId.ROUND_WIND_EAST
    winds = {first + wind: first for first in (seat, round_) for wind in range(4)}
    numbers = {winds.get(number, number) for number in range(DORA) if int(value["yaku"]) >> number & 1}
    if not value["yakuman"]:
        names = ((DORA, "dora"), (URA_DORA, "ura"), (RED_FIVES, "red"))
        numbers |= {number for number, name in names if value[name]}
    return numbers


@pytest.mark.parametrize("players", [3, 4])
def test_published_cases(players):
    folder = scores_folder()
    if folder is None:
        pytest.skip("no records")
    numbers = tenhou_numbers()
    cases = json.loads((folder / f"agari_{players}p.json").read_text())["cases"]
    hands = [of_case(case, players) for case in cases]
    values, wins = score_hands(to_winnings(hands), DOUBLE[players])
    for case, hand, value, wins_here in zip(cases, hands, values, wins, strict=True):
        expected = case["expected"]
        assert wins_here == expected["is_win"], case
        if value["yakuman"]:
            assert 13 * value["yakuman"] == expected["han"], case
        else:
            assert (value["han"], value["fu"]) == (expected["han"], expected["fu"]), case
        assert our_yaku(value, hand) == {numbers[number] for number in expected["yaku"]}, case


def of_case(case: dict[str, Any], players: int) -> Made:
    conditions = case["conditions"]
    tiles = list(case["tiles_136"])
    if len(tiles) % 3 != 2:
        tiles.append(case["win_tile_136"])
    return Made(
        players,
        tiles,
        case["win_tile_136"],
        [(FORMS[meld["meld_type"]], meld["tiles"]) for meld in case["melds"]],
        case["dora_indicators"],
        case["ura_indicators"] if conditions["riichi"] or conditions["double_riichi"] else [],
        conditions["player_wind"],
        conditions["round_wind"],
        conditions["tsumo"],
        2 if conditions["double_riichi"] else int(conditions["riichi"]),
        conditions["ippatsu"],
        conditions["rinshan"],
        conditions["chankan"],
        conditions["haitei"] or conditions["houtei"],
        conditions["tsumo_first_turn"],
        conditions["kita_count"],
    )


# ---------------------------------------------------------------------------------------------------------
# Generated hands


def shares(value: Any, hand: Made) -> list[int]:
    """Return the payment of the discarder; or of the dealer and each other; or of each to the dealer, in hundreds."""
    deals = hand.seat == 0
    times = [2] if deals else [2, 1]
    if not hand.tsumo:
        times = [6 if deals else 4]
    return [-(-int(value["basic"]) * factor // 100) * 100 for factor in times]


def generated(count: int, players: int) -> tuple[list[Made], Any, Any]:
    random = Random(players)
    hands = [make(random, players) for _ in range(count)]
    values, wins = score_hands(to_winnings(hands), DOUBLE[players])
    return hands, values, wins


AMOUNTS = [1000, pytest.param(20_000, marks=pytest.mark.long)]


@pytest.mark.parametrize("count", AMOUNTS)
@pytest.mark.parametrize("players", [3, 4])
def test_scores_agree_with_riichienv(players, count):
    riichienv = pytest.importorskip("riichienv")
    numbers = tenhou_numbers()
    forms = {
        MeldForm.CHII: riichienv.MeldType.Chi,
        MeldForm.PON: riichienv.MeldType.Pon,
        MeldForm.DAIMINKAN: riichienv.MeldType.Daiminkan,
        MeldForm.ANKAN: riichienv.MeldType.Ankan,
    }
    evaluator = riichienv.HandEvaluator3P if players == 3 else riichienv.HandEvaluator
    for hand, value, wins in zip(*generated(count, players), strict=True):
        others = list(hand.concealed)
        others.remove(hand.win)
        melds = [riichienv.Meld(forms[form], sorted(tiles), form != MeldForm.ANKAN) for form, tiles in hand.melds]
        conditions = riichienv.Conditions(
            tsumo=hand.tsumo,
            riichi=hand.riichi == 1,
            double_riichi=hand.riichi == 2,
            ippatsu=hand.ippatsu,
            haitei=hand.last and hand.tsumo,
            houtei=hand.last and not hand.tsumo,
            rinshan=hand.rinshan,
            chankan=hand.chankan,
            tsumo_first_turn=hand.first,
            player_wind=hand.seat,
            round_wind=hand.round,
            kita_count=hand.kitas,
            is_sanma=players == 3,
            num_players=players,
        )
        theirs = evaluator(others, melds).calc(hand.win, hand.dora, conditions, hand.ura)
        assert wins == theirs.is_win, hand
        if wins:
            yaku = {numbers[number] for number in theirs.yaku}
            orphans = {YakuId.KOKUSHI_MUSOU, YakuId.KOKUSHI_MUSOU_13_SIDED}
            if hand.first and YakuId.KOKUSHI_MUSOU_13_SIDED in yaku:
                # In the first turn riichienv lets the winner choose his last tile, so that orphans wait for
                # thirteen; here it is the tile drawn last.
                assert our_yaku(value, hand) - orphans == yaku - orphans, hand
                continue
            if value["yakuman"]:
                assert 13 * value["yakuman"] == theirs.han, hand
            else:
                assert (value["han"], value["fu"]) == (theirs.han, theirs.fu), hand
            assert our_yaku(value, hand) == yaku, hand
            paid = [theirs.ron_agari, theirs.tsumo_agari_oya, theirs.tsumo_agari_ko]
            assert shares(value, hand) == [points for points in paid if points], (hand, paid)
