"""Waits of a hand, after its discards and calls: their values beside those of the hand that the engine lays down."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest

pytest.importorskip("fastapi")

from janshi.review.model import Option
from janshi.riichi.actions import Action
from janshi.riichi.agents import EfficientAgent
from janshi.riichi.analysis.views import seen_tiles
from janshi.riichi.hands import HandError, score, waits
from janshi.riichi.page.knowledge import Knowledge
from janshi.riichi.records.live import Story, seen_by
from janshi.riichi.review.options import options_of
from janshi.riichi.rules import preset
from janshi.riichi.state import MeldForm
from janshi.table import Table
from janshi.tiles import from_mjai, kind_of, parse_tiles, tile_text, to_mjai
from janshi.web.messages import Call
from tests.cases import mostly_long

CALLS = ("chi", "pon", "daiminkan", "ankan", "kakan")


def after_call(table: Table, seat: int, action: int) -> Table | None:
    """Return the table after a call; None if another seat has the tile, or the hand is over."""
    called = table.copy()
    called.act(action)
    while not called.hand_over and called.actor != seat and Action.PASS in called.legal:
        called.act(Action.PASS)
    return called if not called.hand_over and called.actor == seat else None


def texts_of(view: Any, seat: Any) -> dict[str, Any]:
    """Return melds as arguments of `score`."""
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


def waits_by_discard(table: Table, seat: int, dora: str, kan: bool) -> Iterator[tuple[str | None, dict[str, int]]]:
    """Yield the discards after a call that leave the hand tenpai, with the points of each wait by the engine."""
    view = table.view(seat)
    own = view.seats[seat]
    tiles = [kind for kind in range(34) for _ in range(int(view.hand.counts[kind]))]
    for suit in range(3):
        for _ in range(int(view.hand.reds[suit])):
            tiles[tiles.index(4 + 9 * suit)] = 34 + suit
    calls, players = int(own.calls), table.rules.players
    legal = [action for action in table.legal if action <= Action.TSUMOGIRI]
    discards: list[int | None] = [int(view.drawn) if action == Action.TSUMOGIRI else action for action in legal]
    if kan:
        discards = [None]
        if int(view.drawn) >= 0:  # the replacement tile, which is not drawn yet if the kan can be robbed
            tiles.remove(int(view.drawn))
    how = {"kitas": int(own.kitas), "riichi": int(own.riichi) == 1, "double_riichi": int(own.riichi) == 2}
    winds = {"seat": "ESWN"[(seat - int(view.dealer)) % players], "round_wind": "ESWN"[int(view.kyoku) // 4]}
    for discard in discards:
        left = list(tiles)
        if discard is not None:
            left.remove(discard)
        points = {}
        counts = np.bincount([kind_of(tile) for tile in left], minlength=34)
        for kind in waits(counts, calls, players):
            text = "".join(map(tile_text, [*left, kind]))
            try:
                hand = score(text, dora=dora, rules=table.rules, **how, **winds, **texts_of(view, own))
                points[to_mjai(kind)] = hand.points
            except HandError as error:
                if "has no yaku" in str(error):
                    points[to_mjai(kind)] = 0
                elif "there are four of each tile" not in str(error):
                    raise
        if waits(counts, calls, players):
            yield None if discard is None else to_mjai(discard), points


def check_call(call: Call | None, table: Table, mine: Knowledge, option: Option) -> str:
    """Compare a call with the engine; return what it leaves."""
    seat = mine.seat
    dora = "".join(tile_text(tile) for tile in table.view(seat).indicators if tile >= 0)
    called = after_call(table, seat, option.action)
    if called is None:
        return "nothing"
    found = dict(waits_by_discard(called, seat, dora, kan=option.name.endswith("kan")))
    if not found:
        assert call is None
        return "no tenpai"
    assert call is not None
    points = {worth.tile: worth.points for worth in call.worth}
    assert points == found[call.discard]
    assert {each.tile for each in call.waits} >= set(points)
    view = called.view(seat)
    discarded = 0 if call.discard is None else 1 << kind_of(from_mjai(call.discard))
    river = int(view.seats[seat].river_mask) | discarded
    in_river = any(river >> kind_of(from_mjai(each.tile)) & 1 for each in call.waits)
    assert call.furiten == (in_river or int(view.hand.missed) == 2)
    (seen,) = seen_tiles(table._tables.views([0], [seat]))

    def winning(points: dict[str, int]) -> int:
        return sum(4 - int(seen[kind_of(from_mjai(tile))]) for tile, amount in points.items() if amount)

    assert winning(points) == max(map(winning, found.values())), "the most tiles that win by a yaku"
    return "no yaku" if not any(points.values()) else "some yaku" if not all(points.values()) else "yaku"


def check_waits(table: Table, mine: Knowledge, discards: list[str]) -> list[int]:
    """Compare the waits that a seat is shown with the engine; return their values, 0 without a yaku."""
    view = table.view(mine.seat)
    dora = "".join(tile_text(tile) for tile in view.indicators if tile >= 0)
    (seen,) = seen_tiles(table._tables.views([0], [mine.seat]))
    tenpai, seat = mine.own(), view.seats[mine.seat]
    shown: list[tuple[dict[str, int], dict[str, int]]] = []
    # The waits are those after the last discard: of no hand after a call, and without the riichi just declared.
    declared = int(seat.riichi) > 0 and not int(seat.accepted)
    if not declared and (int(view.drawn) >= 0 or Action.PASS in table.legal):
        kinds = [kind for kind in range(34) if int(view.hand.waits) >> kind & 1]
        assert [(each.tile, each.left) for each in tenpai.waits] == [(to_mjai(kind), 4 - seen[kind]) for kind in kinds]
        in_river = any(int(seat.river_mask) >> kind & 1 for kind in kinds)
        assert tenpai.furiten == (in_river or (kinds != [] and int(view.hand.missed) > 0))
        if kinds:
            found = dict(waits_by_discard(table, mine.seat, dora, kan=True))
            shown.append(({worth.tile: worth.points for worth in tenpai.worth}, found[None]))
    if discards:
        found = dict(waits_by_discard(table, mine.seat, dora, kan=False))
        after = mine.discards(discards)
        assert {each.tile for each in after} == set(found)
        assert all(wait.left == 4 - seen[kind_of(from_mjai(wait.tile))] for each in after for wait in each.waits)
        shown += [({worth.tile: worth.points for worth in each.worth}, found[each.tile]) for each in after]
    for points, engines in shown:
        assert points == engines
    return [amount for points, _ in shown for amount in points.values()]


def offers(rules: str, hands: range) -> Counter[str]:
    """Check every shown wait and offered call in hands with many calls; return the number of each result."""
    results: Counter[str] = Counter()
    player = EfficientAgent()
    for seed in hands:
        random = np.random.default_rng(seed)
        table = Table(rules, seed=seed)
        story = Story(table.record, table.rules, list("abcd")[: table.rules.players])
        seats = [Knowledge(table.rules, seat) for seat in range(table.rules.players)]
        while not table.hand_over:
            for event in story.update():
                for seat, knowledge in enumerate(seats):
                    knowledge.follow(seen_by(event, seat))
            batch, actor = table.decision(), table.actor
            view = np.asarray(batch.views)[0]
            options = options_of(view, table.rules, table.legal)
            calls = {call.action: call for call in seats[actor].calls(options)}
            laying = [option for option in options if option.name in CALLS]
            discards = {str(option.tile) for option in options if option.name == "discard"}
            for points in check_waits(table, seats[actor], sorted(discards)):
                results["wait" if points else "wait without a yaku"] += 1
            for option in laying:
                results[check_call(calls.pop(option.action, None), table, seats[actor], option)] += 1
            assert calls == {}
            calling = [option.action for option in laying if random.random() < 0.5]
            table.act(calling[0] if calling else int(player.act(batch)[0]))
    return results


@pytest.mark.parametrize(
    ("rules", "hands"),
    mostly_long(
        [
            *(("tenhou-hand", range(24)), ("tenhou-sanma-hand", range(100, 124)), ("ema-hand", range(200, 260))),
            *((rules, range(1_000, 11_000)) for rules in ("tenhou-hand", "tenhou-sanma-hand")),
        ],
        lambda rules, hands: len(hands) == 24,
    ),
)
def test_offers_have_the_waits_and_values_of_the_laid_hand(rules: str, hands: range) -> None:
    results = offers(rules, hands)
    assert results["no yaku"] > len(hands) / 12
    assert results["yaku"] > len(hands) / 12


def called(hand: str, tile: str, option: Option) -> list[Call]:
    """Return what seat 1 knows of a call of the dealer's first discard."""
    mine, hidden = Knowledge(preset("tenhou"), 1), ["?"] * 13
    hands = [hidden, [to_mjai(each) for each in parse_tiles(hand)], hidden, hidden]
    mine.follow({"type": "start_kyoku", "bakaze": "E", "kyoku": 1, "oya": 0, "dora_marker": "9p", "tehais": hands})
    mine.follow({"type": "tsumo", "actor": 0, "pai": "?"})
    mine.follow({"type": "dahai", "actor": 0, "pai": tile, "tsumogiri": True})
    return mine.calls([option])


CHII = Option(0, "chi", "2m", ["3m", "4m"])


def test_the_best_discard_after_a_call_waits_with_a_yaku() -> None:
    # After the discard of 2s it would wait without a yaku for 1s and 4s, more tiles than 2s and the dragon.
    (call,) = called("34m345678p223s77z", "2m", CHII)
    assert (call.discard, {worth.tile: worth.points for worth in call.worth}) == ("3s", {"2s": 0, "C": 1000})


def test_nothing_is_known_of_a_call_that_does_not_leave_tenpai() -> None:
    assert called("34m356789p259s77z", "2m", CHII) == []


def test_the_other_end_of_the_run_is_not_discarded_after_a_call() -> None:
    # The discard of 5m would leave a wait for as many tiles.
    (call,) = called("345m345678p123s7z", "2m", CHII)
    assert (call.discard, [each.tile for each in call.waits]) == ("C", ["5m"])


def test_a_plain_five_is_discarded_before_a_red_one() -> None:
    (call,) = called("450m345678p22s77z", "C", Option(0, "pon", "C", ["C", "C"]))
    assert (call.discard, {worth.tile: worth.points for worth in call.worth}) == ("5m", {"3m": 2000, "6m": 2000})
