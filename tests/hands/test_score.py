"""`score` and `score_hands`: agreement of single hands and arrays, and errors."""

import json
import re
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from random import Random

import numpy as np
import pytest

from janshi.compiling import PLAIN, dtype_of
from janshi.riichi.hands import HandError, WinConditions, new_winnings, score, score_hands
from janshi.riichi.hands.faults import Fault
from janshi.riichi.rules import TENHOU, TENHOU_SANMA
from janshi.riichi.state import MeldForm, Winning
from janshi.tiles import format_tiles
from tests.claims import cases_of, rules_in
from tests.riichi.winning_hands import RED_IDS, make, to_winnings

HAND = "234m567p22s345s678s"


def text_of(ids):
    return format_tiles([34 + one // 36 if one in RED_IDS else one // 4 for one in ids])


@pytest.mark.parametrize("rules", [TENHOU, TENHOU_SANMA], ids=lambda rules: rules.name)
def test_one_hand_and_arrays_agree(rules):
    random = Random(7)
    hands = [make(random, rules.players) for _ in range(300)]
    values, wins = score_hands(to_winnings(hands), rules)
    seen = 0
    for hand, value, is_win in zip(hands, values, wins, strict=True):
        told = {
            "tiles": text_of(hand.concealed),
            "win": text_of([hand.win]),
            "melds": [text_of(tiles) for form, tiles in hand.melds if form != MeldForm.ANKAN],
            "closed_kans": [text_of(tiles) for form, tiles in hand.melds if form == MeldForm.ANKAN],
            "seat": "ESWN"[hand.seat],
            "round_wind": "ESWN"[hand.round],
            "dora": text_of(hand.dora),
            "ura": text_of(hand.ura),
            "riichi": hand.riichi == 1,
            "double_riichi": hand.riichi == 2,
            "kitas": hand.kitas,
            "rules": rules,
        }
        for name in ("tsumo", "ippatsu", "rinshan", "chankan", "last", "first"):
            told[name] = getattr(hand, name)
        if not is_win:
            with pytest.raises(HandError, match="has no yaku"):
                score(**told)
            continue
        seen += 1
        one = score(**told)
        assert (one.han, one.fu, one.yakuman, one.basic) == tuple(value[["han", "fu", "yakuman", "basic"]])
        assert sum(han for _, han in one.yaku) == (one.han or 13 * len(one.yaku))
    assert seen > 150


def test_an_array_is_not_changed_and_may_be_any_slice():
    random = Random(3)
    hands = to_winnings([make(random, 4) for _ in range(40)])
    before = hands.copy()
    values, wins = score_hands(hands)
    assert (hands == before).all()
    some, some_win = score_hands(hands[::3])
    assert (some == values[::3]).all()
    assert (some_win == wins[::3]).all()
    hands.flags.writeable = False
    assert (score_hands(hands)[0] == values).all()


@pytest.mark.skipif(PLAIN, reason="plain Python is not run by several threads at once")
def test_threads_may_score_one_array():
    random = Random(5)
    hands = np.tile(to_winnings([make(random, 4) for _ in range(400)]), 50)
    before = hands.copy()
    values, wins = score_hands(hands)
    with ThreadPoolExecutor(4) as pool:
        for other, also in pool.map(score_hands, [hands] * 16):
            assert (other == values).all()
            assert (also == wins).all()
    assert (hands == before).all()


def test_numbers_of_numpy_are_numbers():
    plain = score(HAND, riichi=True, honba=100)
    assert score(HAND, riichi=np.True_, honba=np.int8(100), kitas=np.uint8(0), seat=np.str_("E")) == plain
    assert type(plain.points) is int


def test_an_empty_hand_has_no_win_and_no_points():
    values, wins = score_hands(new_winnings(0))
    assert (len(values), len(wins)) == (0, 0)
    hands = new_winnings(2)  # empty; complete without a yaku
    hands["counts"][1, [1, 2, 3, 13, 14, 15, 24, 25, 26]] = 1
    hands["counts"][1, 8] = 2
    hands["kind"][1] = 24
    hands["calls"][1] = 1
    hands["forms"][1, 0], hands["kinds"][1, 0] = MeldForm.CHII, 18
    values, wins = score_hands(hands)
    assert not wins.any()
    for name in ("yaku", "han", "fu", "yakuman", "basic"):
        assert (values[name] == 0).all(), name


@pytest.mark.parametrize("wrong", [np.zeros(3), np.zeros((2, 34), np.int8), new_winnings(4).reshape(2, 2), 7])
def test_invalid_arrays_of_winnings_are_refused(wrong):
    with pytest.raises(HandError, match="score_hands takes an array"):
        score_hands(wrong)


@pytest.mark.parametrize("name", dtype_of(Winning).names)
def test_numbers_out_of_range_are_refused(name):
    for number in (-100, 100):
        hands = new_winnings(3)
        hands[name][2] = number
        with pytest.raises(HandError, match=f"hand 2 of the array: {name} must lie between") as error:
            score_hands(hands)
        assert "\n" not in str(error.value)


def complete():
    """Return 234p567p345s678s99m, won on 8s, in an array of three hands, the last of which tests invalidate."""
    hands = new_winnings(3)
    hands["counts"][:, [10, 11, 12, 13, 14, 15, 20, 21, 22, 23, 24, 25]] = 1
    hands["counts"][:, 8] = 2
    hands["kind"] = 25
    return hands


@pytest.mark.parametrize(*cases_of("messages", "winnings that cannot be"))
def test_impossible_input_is_refused(changes, rules, word):
    """``melded`` puts a meld, by its form and kind, in the place of 345s."""
    hands, rules = complete(), rules_in(rules)
    assert len(score_hands(hands, rules)[0]) == 3
    if "melded" in changes:
        form, kind = changes["melded"]
        hands["counts"][2, 20:23], hands["calls"][2] = 0, 1
        hands["forms"][2, 0], hands["kinds"][2, 0] = MeldForm[form], kind
    for name in changes.keys() - {"melded"}:
        hands[name][2] = changes[name]
    with pytest.raises(HandError, match=f"hand 2 of the array: .*{word}") as error:
        score_hands(hands, rules)
    assert "\n" not in str(error.value)


@pytest.mark.parametrize(*cases_of("messages", "circumstances of other types are refused"))
def test_circumstances_of_other_types_are_refused(options, word):
    with pytest.raises(HandError, match=word):
        score(HAND, **options)


#: Hands of four and three players in words, which Python, the command and the npm package refuse alike.
LISTED = json.loads((Path(__file__).parents[2] / "npm" / "test" / "impossible-hands.json").read_text())


@pytest.mark.parametrize("case", LISTED, ids=str)
def test_a_listed_hand_cannot_be(case):
    with pytest.raises(HandError, match=re.escape(case["words"])):
        score(**{name: value for name, value in case.items() if name != "words"})


def test_every_fault_is_tested():
    listed = cases_of("messages", "winnings that cannot be")[1]
    words = [*(word for *_, word in listed), *(case["words"] for case in LISTED)]
    for fault in list(Fault)[1:]:
        assert any(word in fault.text for word in words), fault


def test_conditions_are_an_object_or_options_or_both():
    won = WinConditions(riichi=True, seat="S", dora="1m")
    assert score(HAND, riichi=True, seat="S", dora="1m") == score(HAND, conditions=won)
    assert score(HAND, conditions=won, ippatsu=True) == score(HAND, riichi=True, ippatsu=True, seat="S", dora="1m")
    with pytest.raises(TypeError, match="reach"):
        score(HAND, reach=True)
