"""Options and advice of Sichuan mahjong, on hand-built tables."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from janshi.agents import agent
from janshi.review.model import Advice, Option
from janshi.sichuan.actions import Action
from janshi.sichuan.agents import EfficientAgent
from janshi.sichuan.review.advice import advise_sichuan, seen_outside, sichuan_options, worth_of_win
from janshi.sichuan.state import Phase
from janshi.table import Table
from janshi.tiles import from_mjai
from tests.sichuan.tables import KONG, PASS, PUNG, WIN, discard, kong_to_rob, table, tile, until, wall


def options(made: Table) -> list[Option]:
    """Options of the actor."""
    return sichuan_options(made.view(made.actor), made.rules, made.legal)


def named(made: Table, name: str) -> list[Option]:
    """Those of a name."""
    return [option for option in options(made) if option.name == name]


def advice(made: Table) -> Advice:
    """Advice of the efficient agent to the actor."""
    return advise_sichuan(made.decision(), EfficientAgent())


def worth(made: Table) -> Any:
    """The worth of the win that the actor may take."""
    return worth_of_win(np.asarray(made.decision().views)[0], made.rules)


# ---------------------------------------------------------------------------------------------------------
# Options


def test_tiles_are_given_laid_and_discarded() -> None:
    hands = ["1469m258p1368s147p", "", "", ""]
    exchange = Table("sichuan-exchange", wall=wall(hands, "mpsp"))
    assert {option.name for option in options(exchange)} == {"give"}
    assert options(exchange)[0] == Option(tile("1m"), "give", "1m")
    lying = Table("sichuan-novikov", wall=wall(hands, "mpsp"))
    assert {option.name for option in options(lying)} == {"lay"}
    assert options(table(hands, "mpsp"))[1] == Option(tile("4m"), "discard", "4m")


def test_a_suit_is_voided_by_name() -> None:
    made = Table("sichuan", wall=wall(["", "", "", ""], "mpsp"))
    assert options(made) == [Option(27, "void_m"), Option(28, "void_p"), Option(29, "void_s")]


def test_the_tile_just_drawn_is_an_option_of_its_own_beside_its_like() -> None:
    made = table(["99m2222s55678p113s", "", "", ""], "mpps")  # dealt last: the first 9m
    nines = [option for option in options(made) if option.tile == "9m"]
    assert [(option.action, option.tsumogiri) for option in nines] == [(tile("9m"), False), (tile("9m"), True)]
    made = table(["9m1m2222s55678p113s", "", "", ""], "mpps")
    shown = [(option.tile, option.tsumogiri) for option in named(made, "discard")]
    assert shown == [("1m", False), ("9m", True)]


def test_calls_name_the_tile_and_those_of_the_hand() -> None:
    made = table(["3s", "", "333s14679p25789p", ""], "spms")
    discard(made, "3s")
    assert options(made) == [
        Option(PUNG, "pon", "3s", ["3s"] * 2),
        Option(KONG, "daiminkan", "3s", ["3s"] * 3),
        Option(PASS, "pass"),
    ]


def test_own_kongs_are_concealed_or_added() -> None:
    made = table(["9m2222s55678p1139s", "", "", ""], "mpps")
    assert named(made, "ankan") == [Option(Action.OWN_KONG + tile("2s"), "ankan", "2s", ["2s"] * 4)]
    made = table(["3s", "", "33s114679p25789p", ""], "spms", draws="8s7s4m3s")
    discard(made, "3s")
    made.act(PUNG)
    discard(made, "1p")
    assert named(until(made, 2), "kakan") == [Option(Action.OWN_KONG + tile("3s"), "kakan", "3s")]


def test_a_win_names_its_tile() -> None:
    made = table(["3s", "123456789m1299s", "", ""], "spmm")
    discard(made, "3s")
    assert named(made, "win") == [Option(WIN, "win", "3s")]
    made = table(["3s123456789m1299s", "", "", ""], "psmm")
    assert named(made, "win") == [Option(WIN, "win", "3s")]


# ---------------------------------------------------------------------------------------------------------
# The worth of a win


def claimed(**changes: int) -> Table:
    """Seat 1 may win on the dealer's 3s."""
    made = table(["3s", "123456789m1299s", "", ""], "spmm")
    for name, value in changes.items():
        made.record[name] = value
    discard(made, "3s")
    return made


def drawn(**changes: int) -> Table:
    """Seat 1 may win on the 3s that it has drawn, its first tile."""
    made = table(["", "123456789m1299s", "", ""], "spmm", draws="3s")
    made.act(made.legal[-1])
    for name, value in changes.items():
        made.record[name] = value
    return made


@pytest.mark.parametrize(
    ("made", "fans"),
    [
        (claimed, {}),
        (lambda: claimed(replaced=1), {"kong_discard": 1}),
        (lambda: claimed(left=0), {"last_tile": 1}),
        (lambda: claimed(left=0, replaced=1), {"last_tile": 1, "kong_discard": 1}),
        (drawn, {"earth": 5}),
        (lambda: drawn(called=1), {}),
        (lambda: drawn(called=1, replaced=1), {"after_kong": 1}),
        (lambda: drawn(called=1, left=0), {"last_tile": 1}),
        (lambda: table(["3s123456789m1299s", "", "", ""], "psmm"), {"heaven": 5}),
    ],
)
def test_a_win_is_worth_its_circumstances(made: Any, fans: dict[str, int]) -> None:
    value = worth(made())
    assert value.tile == "3s"
    assert {fan.name: fan.fan for fan in value.fans} == fans


def test_a_win_after_the_first_discard_is_not_of_earth() -> None:
    made = drawn()
    made.record["seats"]["discards"][1] = 1
    assert worth(made).fans == []
    made.record["seats"]["discards"][1] = 0
    made.record["seats"]["calls"][1] = 1
    assert worth(made).fans == []


def test_robbing_a_kong_is_worth_its_fan_alone() -> None:
    made = kong_to_rob()
    made.act(Action.OWN_KONG + tile("3s"))
    assert [(fan.name, fan.fan) for fan in worth(made).fans] == [("robbing", 1)]


def test_without_a_win_there_is_no_worth() -> None:
    assert worth(table(["1469m258p1368s147p", "", "", ""], "mpsp")) is None


# ---------------------------------------------------------------------------------------------------------
# Advice


def test_tiles_seen_outside_are_those_of_rivers_and_of_the_others_melds() -> None:
    made = table(["9m2222s55678p1139s", "5p444s", "999s333m", "7p"], "mpps", last="4s")
    made.act(Action.OWN_KONG + tile("2s"))
    discard(made, "5p")
    made.act(PUNG)
    discard(made, "9s")
    seen = {seat: seen_outside(made.view(seat)) for seat in (0, 2)}
    assert {kind: int(seen[0][kind]) for kind in np.flatnonzero(seen[0])} == {tile("9m"): 1, tile("9s"): 1}
    others = {tile("9m"): 1, tile("9s"): 1, tile("5p"): 3, tile("2s"): 4}
    assert {kind: int(seen[2][kind]) for kind in np.flatnonzero(seen[2])} == others


def test_discards_are_sorted_by_shanten_and_tiles_left_with_waits_and_their_worth() -> None:
    made = table(["9p123456p1155578s", "", "", ""], "mmpp")
    given = advice(made)
    assert (given.by, given.best, given.shanten) == ("efficient", tile("9p"), 0)
    best = given.candidates[0]
    assert (best.tile, best.actions, best.shanten, best.left) == ("9p", [tile("9p")], 0, 8)
    assert [(part.tile, part.left) for part in best.accepts] == [("6s", 4), ("9s", 4)]
    assert [(value.tile, value.points) for value in best.worth] == [("6s", 1), ("9s", 1)]
    order = [(candidate.shanten, -candidate.left) for candidate in given.candidates]
    assert order == sorted(order)
    assert len(given.candidates) == len(made.legal)
    assert not any(candidate.worth for candidate in given.candidates if candidate.shanten > 0)
    assert (given.after, given.voids) == ([], [])


def test_a_tile_of_a_voided_suit_is_safe_from_seats_still_in() -> None:
    made = table(["9p123456p1155578s", "", "", ""], "mmpp")
    safety = {candidate.tile: candidate.safety for candidate in advice(made).candidates}
    assert safety["9p"] == {"2": "safe", "3": "safe"}
    assert safety["1s"] == {}
    made.record["seats"]["won"][2] = 1
    safety = {candidate.tile: candidate.safety for candidate in advice(made).candidates}
    assert safety["9p"] == {"3": "safe"}


def test_a_pung_is_followed_by_its_best_discard_and_a_kong_by_a_draw() -> None:
    made = table(["9m2222s55678p1139s", "5p444s", "", ""], "mpps", last="4s")
    made.act(Action.OWN_KONG + tile("2s"))
    discard(made, "5p")
    (pung,) = advice(made).after
    assert (pung.action, pung.discard, pung.shanten, pung.left) == (PUNG, "9s", 0, 4)
    assert [(part.tile, part.left) for part in pung.accepts] == [("5s", 4)]
    assert advice(made).candidates == []
    made = table(["3s", "", "333s345m678m11m", ""], "spps")
    discard(made, "3s")
    pung, kong = advice(made).after
    assert (pung.action, kong.action, kong.discard) == (PUNG, KONG, None)
    assert kong.shanten == advice(made).shanten == 2


def test_of_discards_after_a_pung_that_are_as_near_the_one_that_accepts_most_is_best() -> None:
    made = table(["3s", "", "33s15667s456789m", ""], "spps")
    discard(made, "3s")
    (pung,) = advice(made).after
    # Without 1s two of 6s are left, without 6s three of 1s.
    assert (pung.discard, pung.shanten, pung.left) == ("6s", 0, 3)


def test_an_added_kong_is_measured_as_one_set() -> None:
    made = table(["3s", "", "33s114679p25789p", ""], "spms", draws="9s9s8s3s")
    discard(made, "3s")
    made.act(PUNG)
    discard(made, "1p")
    until(made, 2)
    (kong,) = advice(made).after
    # 1467925789p: a run, three tiles for another, and more.
    assert (kong.action, kong.discard, kong.shanten) == (Action.OWN_KONG + tile("3s"), None, 1)
    assert not any(candidate.furiten for candidate in advice(made).candidates)


def test_the_reviewer_itself_advises_in_play_by_rules_with_tiles_face_down() -> None:
    made = Table("sichuan-novikov", wall=wall(["1469m258p1368s147p", "", "", ""], "mpsp"))
    while int(made.state.phase) != Phase.TURN:
        made.act(PASS if PASS in made.legal else made.legal[0])
    assert advise_sichuan(made.decision(), EfficientAgent("other")).by == "other"


def test_own_kongs_are_measured_with_what_they_leave() -> None:
    made = table(["9m2222s55678p1139s", "", "", ""], "mpps")
    (kong,) = advice(made).after
    assert (kong.action, kong.discard) == (Action.OWN_KONG + tile("2s"), None)
    # 55678p1139s: a set, two pairs and 13s, two more sets to make.
    assert kong.shanten == 2
    assert from_mjai("2s") not in [from_mjai(part.tile) for part in kong.accepts]


def test_before_play_each_suit_is_measured_as_the_void_one() -> None:
    made = Table("sichuan", wall=wall(["1234567m88p1199s2p", "", "", ""], "pmsp"))
    given = advice(made)
    assert [(void.suit, void.tiles, void.shanten) for void in given.voids] == [("m", 7, 6), ("p", 3, 2), ("s", 4, 3)]
    assert given.best == Action.VOID + 1
    assert (given.candidates, given.after) == ([], [])


@pytest.mark.parametrize("rules", ["sichuan-exchange", "sichuan-novikov"])
def test_the_shipped_player_advises_on_the_exchange_and_the_tile_face_down(rules: str) -> None:
    pytest.importorskip("onnxruntime")
    made = Table(rules, wall=wall(["2258m1234p123456s", "", "", ""], "mpsp"))
    given = advise_sichuan(made.decision(), agent("sichuan"))
    assert given.by == "sichuan"
    assert given.best in made.legal


def test_tiles_given_away_are_still_measured_with_the_hand() -> None:
    made = Table("sichuan-exchange", wall=wall(["147m2p258p1368s45p", "", "", ""], "mpsp"))
    before = [(void.tiles, void.shanten) for void in advice(made).voids]
    made.act(tile("1m"))
    assert [(void.tiles, void.shanten) for void in advice(made).voids] == before
