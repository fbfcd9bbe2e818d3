"""Scores of random winning hands, in hands a second on one core, with other packages in the same run.

    python benchmarks/score.py [--hands 100000] [--json]

The hands are those of the tests (four players, with calls, kans, riichi, dora and possible circumstances). The other
packages take one hand a call, prepared outside the measured time. The tests compare the results.
"""

from __future__ import annotations

import argparse
import importlib.util
import json
import sys
from collections.abc import Iterator
from pathlib import Path
from random import Random

import numpy as np

sys.path.insert(0, str(Path(__file__).parents[1]))

from benchmarks.shanten import rate
from tests.riichi.winning_hands import Made, make, to_winnings

from janshi.riichi.hands import score_hands
from janshi.riichi.state import MeldForm


def of_riichienv(hands: list[Made]) -> Iterator[tuple[str, float]]:
    """Yield figures of riichienv's Python class, and of its compiled calculator."""
    import riichienv
    from riichienv import hand as wrapper

    forms = {
        MeldForm.CHII: riichienv.MeldType.Chi,
        MeldForm.PON: riichienv.MeldType.Pon,
        MeldForm.DAIMINKAN: riichienv.MeldType.Daiminkan,
        MeldForm.ANKAN: riichienv.MeldType.Ankan,
    }
    prepared = []
    for hand in hands:
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
        )
        raw = wrapper._to_rust_conditions(conditions)
        prepared.append((others, sorted(hand.concealed), melds, hand, conditions, raw))

    def classes() -> None:
        for others, _, melds, hand, conditions, _ in prepared:
            riichienv.HandEvaluator(others, melds).calc(hand.win, hand.dora, conditions, hand.ura)

    def compiled() -> None:
        evaluator = wrapper.rust_core.HandEvaluator
        for _, tiles, melds, hand, _, raw in prepared:
            evaluator(tiles, melds).calc(hand.win, hand.dora, hand.ura, raw)

    yield "riichienv, its Python class", rate(classes, len(hands), 5)
    yield "riichienv, compiled part alone", rate(compiled, len(hands), 5)


def of_mahjong(hands: list[Made]) -> Iterator[tuple[str, float]]:
    """Yield figures of the `mahjong` package."""
    from mahjong.hand_calculating.hand import HandCalculator
    from mahjong.hand_calculating.hand_config import HandConfig, OptionalRules
    from mahjong.meld import Meld

    forms = {MeldForm.CHII: Meld.CHI, MeldForm.PON: Meld.PON, MeldForm.DAIMINKAN: Meld.KAN, MeldForm.ANKAN: Meld.KAN}
    options = OptionalRules(has_open_tanyao=True, has_aka_dora=True)
    prepared = []
    for hand in hands:
        tiles = [*hand.concealed, *(tile for _, ids in hand.melds for tile in ids)]
        melds = [Meld(forms[form], sorted(ids), opened=form != MeldForm.ANKAN) for form, ids in hand.melds]
        config = HandConfig(
            is_tsumo=hand.tsumo,
            is_riichi=hand.riichi > 0,
            is_rinshan=hand.rinshan,
            player_wind=27 + hand.seat,
            round_wind=27 + hand.round,
            options=options,
        )
        prepared.append((tiles, hand, melds, config))

    def run() -> None:
        for tiles, hand, melds, config in prepared:
            HandCalculator.estimate_hand_value(tiles, hand.win, melds, hand.dora, config, ura_dora_indicators=hand.ura)

    yield "mahjong", rate(run, len(hands), 3)


def measure(number: int) -> Iterator[tuple[str, float]]:
    """Yield each measured case with its hands a second."""
    random = Random(1)
    hands = [make(random, 4) for _ in range(min(number, 20_000))]
    array = np.resize(to_winnings(hands), number)
    yield "janshi, array", rate(lambda: score_hands(array), number)
    few = hands[:2000]
    if importlib.util.find_spec("mahjong"):
        yield from of_mahjong(few)
    if importlib.util.find_spec("riichienv"):
        yield from of_riichienv(few)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--hands", type=int, default=100_000, help="hands in the array (default 100000)")
    parser.add_argument("--json", action="store_true", help="print one JSON object")
    options = parser.parse_args()
    if options.hands < 1:
        parser.error("--hands is the number of hands: 1 or more")
    figures = dict(measure(options.hands))
    if options.json:
        json.dump({name: round(figure) for name, figure in figures.items()}, sys.stdout, indent=1)
        print()
        return
    for name, figure in figures.items():
        print(f"{name:40} {figure:14,.0f} hands/s")
    for name, figure in figures.items():
        if name != "janshi, array":
            print(f"janshi over {name}: {figures['janshi, array'] / figure:,.0f} times")


if __name__ == "__main__":
    main()
