"""What a table of Riichi says to a seat: values of waits and wins beside those of the hands that the engine lays."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest

from janshi.review.advising import own_of, question_of
from janshi.review.model import Option
from janshi.riichi.actions import Action
from janshi.riichi.agents import EfficientAgent
from janshi.riichi.hands import HandError, score, waits
from janshi.riichi.hands.yaku import YAKU
from janshi.riichi.rules.yaku import yaku_in
from janshi.riichi.state import MeldForm, Offer
from janshi.table import Table
from janshi.tiles import from_mjai, kind_of, tile_text, to_mjai
from tests.cases import mostly_long
from tests.rules.tables import TENPAI, do, make_table, offer, seen_outside, throw

Points = dict[str, tuple[int, int]]
"""Points of a ron and of a self-draw from a payer who does not deal, by the wait's name."""


def own(table: Table, seat: int) -> dict[str, Any]:
    """Return what a seat knows of its hand."""
    found = own_of(table.rules, table._tables.views([0], [seat]))
    assert found is not None
    return found


def unseen(table: Table, seat: int) -> Any:
    """Return the tiles of each kind that a seat does not see."""
    return 4 - table.record["hands"][seat]["counts"].astype(int) - seen_outside(table.record)


def mask_of(accepted: list[Any]) -> int:
    return sum(1 << kind_of(from_mjai(each.tile)) for each in accepted)


# ---------------------------------------------------------------------------------------------------------
# The engine's values


def after_call(table: Table, seat: int, action: int) -> Table | None:
    """Return the table after a call; None if another seat has the tile, or the hand is over."""
    called = table.copy()
    called.act(action)
    while not called.hand_over and called.actor != seat and Action.PASS in called.legal:
        called.act(Action.PASS)
    return called if not called.hand_over and called.actor == seat else None


def texts_of(seat: Any) -> dict[str, Any]:
    """Return a seat's melds as arguments of `score`."""
    found: dict[str, Any] = {"melds": [], "closed_kans": []}
    for meld in seat.melds[: int(seat.calls)]:
        kind, form = int(meld["kind"]), int(meld["form"])
        kinds = [kind, kind + 1, kind + 2] if form == MeldForm.CHII else [kind] * (3 if form == MeldForm.PON else 4)
        texts = [tile_text(each) for each in kinds]
        for _ in range(int(meld["reds"])):
            five = next(index for index, text in enumerate(texts) if text[0] == "5")
            texts[five] = f"0{texts[five][1]}"
        found["closed_kans" if form == MeldForm.ANKAN else "melds"].append("".join(texts))
    return found


def tiles_of(view: Any) -> list[int]:
    """Return the concealed tiles of a view's seat."""
    tiles = [kind for kind in range(34) for _ in range(int(view.hand.counts[kind]))]
    for suit in range(3):
        for _ in range(int(view.hand.reds[suit])):
            tiles[tiles.index(4 + 9 * suit)] = 34 + suit
    return tiles


def points_of(table: Table, seat: int, tiles: list[int]) -> Points | None:
    """Return the points of each wait of concealed tiles by `score`, 0 without a yaku; None if they are not tenpai."""
    view, players = table.view(seat), table.rules.players
    mine = view.seats[seat]
    how: dict[str, Any] = {"kitas": int(mine.kitas), "riichi": int(mine.riichi) == 1, **texts_of(mine)}
    how |= {"double_riichi": int(mine.riichi) == 2, "dora": "".join(map(tile_text, view.indicators[: view.shown]))}
    how |= {"seat": "ESWN"[(seat - int(view.dealer)) % players], "round_wind": "ESWN"[int(view.kyoku) // 4]}
    kinds = waits(np.bincount(list(map(kind_of, tiles)), minlength=34), int(mine.calls), players)
    found = {}
    for kind in kinds:
        values = [0, 0]
        text = "".join(map(tile_text, [*tiles, kind]))
        for tsumo in range(2):
            try:
                value = score(text, rules=table.rules, tsumo=tsumo == 1, **how)
                values[tsumo] = value.payments["others"] if tsumo else value.points
            except HandError as error:
                if "has no yaku" not in str(error):
                    break  # the hand holds all four tiles
        else:
            found[to_mjai(kind)] = values[0], values[1]
    return found if kinds else None


def said_points(waiting: dict[str, Any]) -> Points:
    return {worth.tile: (worth.points, worth.each) for worth in waiting["worth"]}


def check_own(table: Table, seat: int) -> Points:
    """Compare what a seat knows of its hand with the engine; return the points of its waits."""
    view = table.view(seat)
    tiles, drawn = tiles_of(view), int(view.drawn)
    known = own_of(table.rules, table._tables.views([0], [seat]))
    if len(tiles) % 3 == 2 and drawn < 0:
        assert known is None
        return {}
    assert known is not None
    if len(tiles) % 3 == 2:
        tiles.remove(drawn)
    points = points_of(table, seat, tiles)
    assert said_points(known) == (points or {})
    assert (points is None) == (known["waits"] == [])
    assert known["furiten"] == (known["waits"] != [] and is_furiten(view, known, 1))
    check_left(table, seat, known)
    return points or {}


def check_left(table: Table, seat: int, waiting: dict[str, Any]) -> None:
    left = unseen(table, seat)
    assert all(each.left == left[kind_of(from_mjai(each.tile))] for each in waiting["waits"])
    assert {each.tile for each in waiting["waits"]} >= {worth.tile for worth in waiting["worth"]}


def is_furiten(view: Any, waiting: dict[str, Any], least: int, discard: str | None = None) -> bool:
    """Return whether waits are furiten after a discard; ``least``: the least `missed` of the hand that counts."""
    river = int(view.seats[int(view.seat)].river_mask) | (0 if discard is None else 1 << kind_of(from_mjai(discard)))
    return river & mask_of(waiting["waits"]) != 0 or int(view.hand.missed) >= least


def by_discard(table: Table, seat: int) -> Iterator[tuple[str, Points]]:
    """Yield the legal discards that leave a hand tenpai, with the points of each wait."""
    view = table.view(seat)
    tiles = tiles_of(view)
    legal = [action for action in table.legal if action <= Action.TSUMOGIRI]
    for discard in {int(view.drawn) if action == Action.TSUMOGIRI else action for action in legal}:
        left = tiles.copy()
        left.remove(discard)
        points = points_of(table, seat, left)
        if points is not None:
            yield to_mjai(discard), points


def check_discards(table: Table, discards: list[dict[str, Any]]) -> None:
    """Compare the discards that leave the actor's hand tenpai."""
    view = table.view(table.actor)
    assert {one["tile"]: said_points(one) for one in discards} == dict(by_discard(table, table.actor))
    for one in discards:
        assert one["furiten"] == is_furiten(view, one, 2, one["tile"])
        check_left(table, table.actor, one)


def check_call(call: dict[str, Any] | None, table: Table, option: Option) -> str:
    """Compare a call with the hand that the engine lays; return what it leaves."""
    seat = table.actor
    called = after_call(table, seat, option.action)
    if called is None:
        return "nothing"
    found: dict[str | None, Points] = dict(by_discard(called, seat))
    view = called.view(seat)
    if option.name.endswith("kan"):
        tiles = tiles_of(view)
        if int(view.drawn) >= 0:  # the replacement tile, which is not drawn yet if the kan can be robbed
            tiles.remove(int(view.drawn))
        points = points_of(called, seat, tiles)
        found = {} if points is None else {None: points}
    if not found:
        assert call is None
        return "no tenpai"
    assert call is not None
    assert said_points(call) == found[call["discard"]]
    assert call["furiten"] == is_furiten(view, call, 2, call["discard"])
    left = unseen(table, seat)

    def winning(points: Points) -> int:
        return sum(left[kind_of(from_mjai(tile))] for tile, (ron, _) in points.items() if ron)

    assert winning(said_points(call)) == max(map(winning, found.values())), "the most tiles that win by a yaku"
    rons = [ron for ron, _ in said_points(call).values()]
    return "yaku" if rons and all(rons) else "some yaku" if any(rons) else "no yaku"


def check_win(table: Table, worth: Any, known: Points) -> set[str]:
    """Compare an offered win with that of the engine; return its yaku."""
    table, seat, view = table.copy(), table.actor, table.view(table.actor)
    tsumo = Action.TSUMO in table.legal
    if not tsumo and int(view.left) and int(view.claimed) == Offer.DISCARD:
        assert 0 < known[worth.tile][0] <= worth.points, "ippatsu alone may be missing"
    table.act(Action.TSUMO if tsumo else Action.RON)
    while not table.hand_over:
        table.act(Action.PASS)
    (win,) = (win for win in table.record["wins"][: int(table.record["winners"])] if int(win["seat"]) == seat)
    value = win["value"]
    yakuman, ura = int(value["yakuman"]), int(value["ura"])
    assert worth.fan == (13 * yakuman if yakuman else int(value["han"]) - ura)
    assert ura or worth.points == int(win["points"])
    names = {YAKU[number].name for number in yaku_in(int(value["yaku"]))}
    assert names <= {each.name for each in worth.fans}
    return names


def compared(rules: str, hands: range) -> Counter[str]:
    """Compare all that is said in hands with some random calls; return how often each result occurred."""
    results: Counter[str] = Counter()
    player = EfficientAgent()
    for seed in hands:
        random, table = np.random.default_rng(seed), Table(rules, seed=seed)
        often = random.choice([0, 0.5])
        while not table.hand_over:
            others = [seat for seat in range(table.rules.players) if random.random() < 0.1]
            known = [check_own(table, seat) for seat in [*others, table.actor]][-1]
            batch = table.decision()
            asked = question_of(batch)
            check_discards(table, asked["discards"])
            calls = {call["action"]: call for call in asked["calls"]}
            laying = [one for one in asked["options"] if one.name in ("chi", "pon", "daiminkan", "ankan", "kakan")]
            for option in laying:
                results[check_call(calls.pop(option.action, None), table, option)] += 1
            assert calls == {}
            if asked["win"] is not None:
                results["win"] += 1
                results.update(check_win(table, asked["win"], known))
            calling = [option.action for option in laying if random.random() < often]
            table.act(calling[0] if calling else int(player.act(batch)[0]))
    return results


@pytest.mark.parametrize(
    ("rules", "hands"),
    mostly_long(
        [
            *(("tenhou-hand", range(8)), ("tenhou-sanma-hand", range(100, 108)), ("ema-hand", range(200, 230))),
            *((rules, range(1_000, 11_000)) for rules in ("tenhou-hand", "tenhou-sanma-hand")),
        ],
        lambda rules, hands: len(hands) == 8,
    ),
)
def test_waits_and_values_are_those_of_the_laid_hand(rules: str, hands: range) -> None:
    results = compared(rules, hands)
    assert min(results["no yaku"], results["yaku"]) > len(hands) / 20
    assert results["win"] > len(hands) / 2


# ---------------------------------------------------------------------------------------------------------
# The own hand


def test_a_hand_dealt_tenpai_has_the_values_of_its_winds() -> None:
    for seat, points in ((1, {"E": 1300, "S": 1300}), (2, {"E": 1300, "S": 0})):
        known = own(make_table("tenhou-hand", [*[""] * seat, "123m456p789s1122z"], dora="9p"), seat)
        assert {worth.tile: worth.points for worth in known["worth"]} == points


def test_a_wait_without_a_yaku_has_no_points() -> None:
    table = make_table("tenhou-hand", ["", "456p123789s99p24m"], "6z", dora="9m")
    (worth,) = own(table, 1)["worth"]
    assert (worth.tile, worth.points, worth.fans) == ("3m", 0, [])
    assert worth.each > 0, "a self-draw has one"
    assert question_of(table.decision())["win"] is None


def test_a_temporary_furiten_ends_with_the_discard_that_declares_riichi() -> None:
    table = make_table("tenhou-hand", ["", TENPAI], "9s5z")
    assert not own(table, 1)["furiten"]
    throw(table, 0, "9s")  # completes the hand, which has no yaku yet
    assert own(table, 1)["furiten"]
    do(table, 1, Action.RIICHI)  # and discard the tile drawn, the only one possible
    assert not own(table, 1)["furiten"]
    assert not table.view(1).hand.missed


# ---------------------------------------------------------------------------------------------------------
# Calls and options


def called(hand: str, tile: str, action: int) -> list[tuple[str | None, dict[str, int]]]:
    """Return what follows a call of the dealer's first discard: the next one, and the points of each wait."""
    table = make_table("tenhou-hand", ["", hand], tile, dora="9p")
    offer(table, 0, tile)
    calls = [call for call in question_of(table.decision())["calls"] if call["action"] == action]
    return [(call["discard"], {worth.tile: worth.points for worth in call["worth"]}) for call in calls]


def test_the_best_discard_after_a_call_waits_with_a_yaku() -> None:
    # After the discard of 2s it would wait without a yaku for 1s and 4s, more tiles than 2s and the dragon.
    assert called("34m345678p223s77z", "2m", Action.CHII) == [("3s", {"2s": 0, "C": 1000})]


def test_nothing_is_said_of_a_call_that_does_not_leave_tenpai() -> None:
    assert called("34m356789p259s77z", "2m", Action.CHII) == []


def test_the_other_end_of_the_run_is_not_discarded_after_a_call() -> None:
    # The discard of 5m would leave a wait for as many tiles.
    assert called("345m345678p123s7z", "2m", Action.CHII) == [("C", {"5m": 0})]


def test_a_plain_five_is_discarded_before_a_red_one() -> None:
    assert called("450m345678p22s77z", "7z", Action.PON) == [("5m", {"3m": 2000, "6m": 2000})]
