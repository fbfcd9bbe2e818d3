"""The rules of Sichuan mahjong at constructed tables: one claim, one test."""

from __future__ import annotations

import dataclasses
from pathlib import Path
from typing import Any

import pytest

from janshi.core.errors import RuleError
from janshi.games import game_of, rules_of
from janshi.sichuan.actions import ACTIONS, Action, action_text
from janshi.sichuan.hands import fan
from janshi.sichuan.rules import (
    PRESETS,
    SICHUAN,
    SICHUAN_NOVIKOV,
    AfterWins,
    Exchange,
    GoldenWait,
    PassedWin,
    Rules,
    preset,
)
from janshi.sichuan.rules_record import RulesRecord
from janshi.sichuan.state import DiscardFlag, Event, Fan, MeldForm, Phase, Ready
from janshi.table import Table
from tests.sichuan.tables import (
    KONG,
    PASS,
    PUNG,
    WIN,
    discard,
    may,
    payments,
    play_out,
    step,
    table,
    tile,
    until,
    wall,
)

# Ready hands without fan, both waiting for 3s alone: without dots, and without characters.
WITHOUT_DOTS = "123456789m1299s"
WITHOUT_MAN = "123456789p1299s"


# ---------------------------------------------------------------------------------------------------------
# Presets and rule sets


def test_the_presets_are_found_by_name() -> None:
    assert list(PRESETS) == ["sichuan", "sichuan-exchange", "sichuan-novikov", "sichuan-club"]
    for name, rules in PRESETS.items():
        assert rules_of(name) is rules
        assert game_of(rules).name == "sichuan"


def test_endings_of_names_change_the_rules() -> None:
    rules = preset("sichuan-novikov-cap3-nopig")
    assert (rules.cap, rules.flower_pig, rules.name) == (3, False, "sichuan-novikov-cap3-nopig")


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"players": 3}, "played by 4"),
        ({"cap": 17}, "cap is 0 to 16 fan"),
        ({"cap": None}, "set pig_fan"),
        ({"cap": None, "flower_pig": False, "heaven_is_cap": True}, "cannot be worth the cap"),
        ({"kong": 7}, "kong is 0 to 6 fan"),
        ({"base_points": 0}, "base_points is 1 to 1000"),
        ({"exchange": 1}, "exchange must be a member of Exchange"),
        ({"rob_kong": 1}, "rob_kong must be True or False"),
        ({"hands": "1"}, "hands must be an integer"),
        ({"name": ""}, "has a name"),
        ({"added_kong": -1}, "added_kong is 0 to 1000 points"),
        ({"start": -1}, "start is 0 to 1,000,000"),
        ({"start": 1_000_001}, "start is 0 to 1,000,000"),
        ({"hands": 0}, "hands is 1 to 1000"),
        ({"hands": 1001}, "hands is 1 to 1000"),
    ],
)
def test_unplayable_rules_are_refused(changes: dict[str, object], words: str) -> None:
    with pytest.raises(RuleError, match=words):
        dataclasses.replace(SICHUAN, **changes)


@pytest.mark.parametrize(
    "changes",
    [
        {"start": 1_000_000, "hands": 1000, "base_points": 1000, "cap": 16, "kong": 6, "added_kong": 1000},
        {"start": 0, "hands": 1, "base_points": 1, "cap": 0, "kong": 0, "added_kong": 0},
    ],
)
def test_the_limits_of_rules_can_be_played(changes: dict[str, Any]) -> None:
    assert dataclasses.replace(SICHUAN, **changes).hands == changes["hands"]


def test_a_name_that_no_preset_has_names_those_that_there_are() -> None:
    with pytest.raises(RuleError, match="sichuan-exchange, sichuan-novikov, sichuan-club"):
        preset("sichuan-nothing")
    with pytest.raises(RuleError, match=r"tenhou.*sichuan, sichuan-exchange"):
        rules_of("nothing")


def test_every_rule_is_in_the_record_and_has_a_row_in_the_docs() -> None:
    names = [field.name for field in dataclasses.fields(Rules) if field.name != "name"]
    assert list(RulesRecord.__annotations__) == names
    text = (Path(__file__).parents[2] / "docs" / "sichuan-rules.md").read_text(encoding="utf-8")
    missing = [name for name in names if f"`{name}`" not in text]
    assert not missing
    for line in text.splitlines():
        for word in line.split("`"):
            if word.startswith("test_"):
                assert word in globals(), f"docs/sichuan-rules.md names {word}, which is no test here"


def test_actions_have_words_and_no_others() -> None:
    texts = [action_text(action) for action in range(ACTIONS)]
    assert len(set(texts)) == ACTIONS
    with pytest.raises(ValueError, match="is not an action"):
        action_text(ACTIONS)


# ---------------------------------------------------------------------------------------------------------
# Before play


def test_a_wall_has_108_tiles_and_55_are_drawn() -> None:
    made = Table("sichuan", seed=1)
    assert sorted(made.record["wall"].tolist()) == sorted(list(range(27)) * 4)
    assert int(made.record["left"]) == 55
    assert [int(hand["counts"].sum()) for hand in made.record["hands"]] == [14, 13, 13, 13]


def test_void_suits_are_named_in_turn_and_known_when_all_are_named() -> None:
    made = Table("sichuan", seed=1)
    assert made.legal == [27, 28, 29]
    made.act(27)
    assert int(made.view(1).seats[0].void) == -1
    for _ in range(3):
        made.act(28)
    assert [int(seat.void) for seat in made.view(1).seats] == [0, 1, 1, 1]
    assert made.events(1)[:4].tolist() == [[Event.VOID, seat, min(seat, 1), -1] for seat in range(4)]


def test_tiles_of_the_void_suit_go_first() -> None:
    made = table(["1469m258p1368s147p", "", "", ""], "mpsp")
    assert made.legal == [0, 3, 5, 8]
    discard(made, "1m")
    assert made.actor == 1
    assert {action // 9 for action in made.legal} == {1}


def face_down(rules: Rules = SICHUAN_NOVIKOV) -> Table:
    return Table(rules, wall=wall(["1469m258p1368s147p", "", "", ""], "mpsp"))


def lay(made: Table, suit: int) -> None:
    """Lay the lowest tile of a suit face down."""
    made.act(next(action for action in made.legal if action // 9 == suit))


def test_a_tile_face_down_is_discarded_first() -> None:
    made = face_down()
    assert Action.VOID not in made.legal  # the dealer holds all suits: he lays down a tile
    for suit in (0, 1, 2, 1):
        lay(made, suit)
    seats = made.view(1).seats
    assert (int(seats[0].river[0]), int(seats[0].void)) == (tile("1m"), 0)  # without a choice
    assert int(made.state.hands[0].counts[tile("1m")]) == 0


def test_each_seat_discards_the_tile_face_down_first() -> None:
    made = face_down()
    drawn = int(made.state.drawn)
    made.act(tile("6m"))
    for suit in (1, 2, 1):
        lay(made, suit)
    assert int(made.state.drawn) in (drawn, -1), "the tile dealt last stays the one drawn"
    laid = [int(hand.laid) for hand in made.state.hands[1:]]
    play_out(made)
    assert [int(seat.river[0]) for seat in made.state.seats] == [tile("6m"), *laid]
    assert [int(hand.laid) for hand in made.state.hands] == [-1] * 4


def test_a_void_suit_with_its_tile_face_down_is_hidden_from_others() -> None:
    made = face_down()
    for suit in (0, 1, 2):
        lay(made, suit)
        assert [int(seat.void) for seat in made.view(3).seats] == [-1] * 4
    assert int(made.view(0).hand.laid) == tile("1m")
    assert made.events(3)[:, 2:].tolist() == [[-1, -1]] * 3
    assert made.events(0)[:, 2].tolist() == [0, -1, -1]


def test_a_player_without_tiles_of_a_suit_voids_it_by_name() -> None:
    made = Table(SICHUAN_NOVIKOV, wall=wall(["12346789m258p147p", "", "", ""], "mpsp"))
    assert [action for action in made.legal if action >= 27] == [Action.VOID + 2]


def test_three_tiles_of_one_suit_are_exchanged() -> None:
    hands = ["1469m258p1368s147p", "147m2p", "258m3p", "369m8p"]
    for exchange, seats_on in ((Exchange.NEXT, 1), (Exchange.ACROSS, 2), (Exchange.PREVIOUS, 3)):
        made = Table(dataclasses.replace(SICHUAN, exchange=exchange, hands=2), wall=wall(hands, "mpsp"))
        made.act(tile("1m"))
        assert made.legal == [3, 5, 8]  # the other two are of the same suit
        made.act(tile("4m"))
        made.act(tile("6m"))
        while int(made.state.phase) == 0:
            made.act(made.legal[0])
        assert int(made.state.direction) == seats_on
        assert made.state.hands[seats_on].received.tolist() == [0, 3, 5]
        assert int(made.state.hands[0].counts.sum()) == 14
        # The dealer has given away the tile dealt last: without another of it the last one received takes its place.
        received = made.state.hands[0].received.tolist()
        assert int(made.state.drawn) == (tile("1m") if tile("1m") in received else received[2])
        play_out(made).next_hand()
        assert int(made.state.direction) == 0


def test_tiles_are_given_of_a_suit_with_at_least_three() -> None:
    made = Table("sichuan-exchange", wall=wall(["147m25p123345678s", "", "", ""], "mpsp"))
    assert made.legal == [kind for kind in range(27) if kind in (0, 3, 6) or 18 <= kind < 26]


def test_the_dice_of_the_exchange_follow_from_the_seed() -> None:
    thrown = set()
    for seed in range(30):
        made = Table("sichuan-exchange", seed=seed)
        while int(made.state.phase) == 0:
            assert int(made.view(0).direction) == 0
            made.act(made.legal[0])
        thrown.add(int(made.state.direction))
    assert thrown == {1, 2, 3}


def test_a_draw_is_visible_to_its_seat_and_a_discard_to_all() -> None:
    made = table(["3s3333p2589p11467m", "", "", ""], "spmm", draws="4m", last="8p")
    made.act(Action.OWN_KONG + tile("3p"))  # the replacement is 8p; 3s has to go then
    assert [int(made.view(seat).drawn) for seat in range(4)] == [-1, tile("4m"), -1, -1]
    assert int(made.view(1).tile) == -1  # nothing may be claimed any more
    for seat, drawn in ((0, [[Event.REPLACE, 0, tile("8p"), 54], [Event.DRAW, 1, -1, 53]]), (1, None), (2, None)):
        rows = [row for row in made.events(seat).tolist() if row[0] in (Event.REPLACE, Event.DRAW)]
        assert rows == (drawn or [[Event.REPLACE, 0, -1, 54], [Event.DRAW, 1, tile("4m") if seat == 1 else -1, 53]])
        assert [Event.DISCARD, 0, tile("3s"), 0] in made.events(seat).tolist()


def test_each_seat_sees_its_own_hand() -> None:
    made = kong_table()
    for seat in range(4):
        hand, own = made.view(seat).hand, made.state.hands[seat]
        assert (int(made.view(seat).seat), hand.counts.tolist()) == (seat, own.counts.tolist())
        assert (int(hand.waits), int(hand.void)) == (int(own.waits), int(own.void))


def test_exchanged_tiles_are_known_to_giver_and_receiver_alone() -> None:
    hands = ["1469m258p1368s147p", "147m2p", "258m3p", "369m8p"]
    made = Table(dataclasses.replace(SICHUAN, exchange=Exchange.NEXT), wall=wall(hands, "mpsp"))
    while int(made.state.phase) == 0:
        made.act(min(made.legal))
    given = {seat: [row for row in made.events(seat).tolist() if row[0] == Event.GIVE] for seat in range(4)}
    assert [row[2] for row in given[0] if row[1] == 0] == [tile("1m"), tile("4m"), tile("6m")]
    for seat, rows in given.items():
        assert [row[1] for row in rows] == [0, 0, 0, 1, 1, 1, 2, 2, 2, 3, 3, 3]
        assert [row[3] for row in rows] == [1, 1, 1, 2, 2, 2, 3, 3, 3, 0, 0, 0]
        assert {row[1] for row in rows if row[2] >= 0} == {seat, (seat + 3) % 4}


def test_only_the_deciding_seat_sees_a_decision_about_a_tile() -> None:
    made = kong_table()
    views = [made.view(seat) for seat in range(4)]
    assert [int(view.actor) for view in views] == [-1, -1, 2, -1]
    assert [int(view.legal) for view in views] == [0, 0, 1 << PUNG | 1 << KONG | 1 << PASS, 0]
    made.act(PUNG)
    views = [made.view(seat) for seat in range(4)]
    assert [int(view.actor) for view in views] == [2] * 4
    assert [int(view.legal) > 0 for view in views] == [False, False, True, False]


def test_a_replacement_tile_is_seen_by_its_drawer_alone() -> None:
    made = kong_table()
    made.act(KONG)
    assert [int(made.view(seat).drawn) for seat in range(4)] == [-1, -1, tile("5p"), -1]


# ---------------------------------------------------------------------------------------------------------
# Calls and kongs


def test_a_pung_takes_the_tile_and_discards_without_a_draw() -> None:
    made = table(["3s", "", "33s114679p25789p", ""], "spms")
    discard(made, "3s")
    assert (made.actor, may(made)) == (2, {PUNG})
    made.act(PUNG)
    meld = made.state.seats[2].melds[0]
    assert (int(meld.form), int(meld.kind), int(meld.discarder)) == (MeldForm.PUNG, tile("3s"), 0)
    assert (made.actor, int(made.record["left"])) == (2, 55)
    assert (int(made.state.seats[0].discarded[tile("3s")]), made.state.seats[0].marks[0]) == (0, DiscardFlag.CALLED)
    assert (int(made.state.tile), int(made.state.drawn)) == (-1, -1)
    assert max(made.legal) < PUNG


def kong_table(**changes: object) -> Table:
    """Return a table at which the dealer discards 3s, of which seat 2 holds three; 5p is at the end of the wall."""
    made = table(["3s", "", "333s14679p25789p", ""], "spms", last="5p", **changes)
    discard(made, "3s")
    return made


@pytest.mark.parametrize(("changes", "points"), [({}, 2), ({"exposed_kong": 3}, 3), ({"base_points": 10}, 20)])
def test_an_exposed_kong_is_paid_by_the_discarder_and_draws_the_last_tile(changes: dict[str, int], points: int) -> None:
    made = kong_table(**changes)
    assert may(made) == {PUNG, KONG}
    made.act(KONG)
    assert payments(made) == [(0, 2, points)]
    assert (int(made.state.drawn), int(made.record["left"])) == (tile("5p"), 54)
    assert int(made.state.seats[2].melds[0].form) == MeldForm.EXPOSED_KONG


def test_tiles_of_the_void_suit_are_not_called() -> None:
    made = table(["3s", "", "333s14679p25789p", ""], "spss")
    discard(made, "3s")
    assert made.actor == 1


@pytest.mark.parametrize(("amount", "payers"), [(2, [1, 2, 3]), (3, [1, 3])])
def test_a_concealed_kong_is_paid_by_all_remaining_players(amount: int, payers: list[int]) -> None:
    made = table(["3333p14m2589p1467s", "", "", ""], "mpsp", concealed_kong=amount)
    made.record["seats"]["won"][2] = 2 not in payers
    assert may(made) == {Action.OWN_KONG + tile("3p")}
    made.act(Action.OWN_KONG + tile("3p"))
    assert sorted(payments(made)) == [(payer, 0, amount) for payer in payers]
    assert int(made.state.seats[0].melds[0].form) == MeldForm.CONCEALED_KONG
    assert [Event.CONCEALED_KONG, 0, tile("3p"), -1] in made.events(1).tolist()


def test_a_concealed_kong_of_the_void_suit_needs_its_rule_and_ends_all_hope() -> None:
    hands = ["3333m1469p1368s14p", "", "", ""]
    assert may(table(hands, "mpsp")) == set()
    made = table(hands, "mpsp", void_kong=True)
    assert may(made) == {Action.OWN_KONG + tile("3m")}
    made.act(Action.OWN_KONG + tile("3m"))
    assert int(made.state.hands[0].waits) == 0


def added_table(draws: str, pung: str = "3s", **changes: object) -> Table:
    """Return a table at which seat 2 makes a pung and discards 1p, with given draws."""
    voids = "spms" if pung == "3s" else "mpsm"
    made = table([pung, "", f"{pung[0]}{pung}114679p25789p", ""], voids, draws=draws, **changes)
    discard(made, pung)
    made.act(PUNG)
    discard(made, "1p")
    return made


def test_an_exposed_kong_changes_the_waits() -> None:
    made = table(["3s", "", "3334s123456789p", ""], "smms")
    assert int(made.state.hands[2].waits) == 1 << tile("2s") | 1 << tile("4s") | 1 << tile("5s")
    discard(made, "3s")
    made.act(KONG)
    assert int(made.state.hands[2].waits) == 1 << tile("4s")
    assert int(made.state.seats[2].melds[0].discarder) == 0


@pytest.mark.parametrize(
    ("amount", "kind", "draws"), [(1, "3s", "9s9s8s3s"), (3, "3s", "9s9s8s3s"), (1, "1m", "9m9m8m1m")]
)
def test_an_added_kong_is_paid_by_each(amount: int, kind: str, draws: str) -> None:
    made = until(added_table(draws, kind, added_kong=amount), 2)  # seats 3, 0, 1 and 2 draw
    assert may(made) == {Action.OWN_KONG + tile(kind)}
    made.act(Action.OWN_KONG + tile(kind))
    assert sorted(payments(made)) == [(0, 2, amount), (1, 2, amount), (3, 2, amount)]
    meld = made.state.seats[2].melds[0]
    assert (int(meld.form), int(meld.discarder)) == (MeldForm.ADDED_KONG, 0)
    assert [row[2:].tolist() for row in made.events(0) if row[0] == Event.ADDED_KONG] == [[tile(kind), 1]]


@pytest.mark.parametrize(("pays", "count"), [(True, 3), (False, 0)])
def test_an_added_kong_of_a_tile_drawn_before_pays_by_its_rule(pays: bool, count: int) -> None:
    made = until(added_table("9s9s8s3s9s8s8s4p", postponed_kong_pays=pays), 2)
    discard(made, "1p")
    until(made, 2)
    assert int(made.state.drawn) == tile("4p")
    made.act(Action.OWN_KONG + tile("3s"))
    assert len(payments(made)) == count
    assert [row[2:].tolist() for row in made.events(0) if row[0] == Event.ADDED_KONG] == [[tile("3s"), 0]]


@pytest.mark.parametrize(
    ("left", "by_rule", "calls"), [(1, False, {PUNG, KONG}), (0, False, set()), (0, True, {PUNG})]
)
def test_the_last_discard_is_not_called_except_for_a_pung_by_its_rule(
    left: int, by_rule: bool, calls: set[int]
) -> None:
    made = table(["3s", "", "333s14679p25789p", ""], "spms", pung_on_last=by_rule)
    made.record["left"] = left
    discard(made, "3s")
    assert (made.hand_over, may(made)) == (not calls, calls)
    if calls == {PUNG}:
        made.act(PUNG)
        discard(made, "1p")
        assert made.hand_over


@pytest.mark.parametrize("allowed", [False, True])
def test_a_kong_in_the_turn_of_a_pung_needs_its_rule(allowed: bool) -> None:
    made = table(["3s", "", "33s7777p1469p258p", ""], "spms", kong_after_pung=allowed)
    discard(made, "3s")
    made.act(PUNG)
    assert may(made) == ({Action.OWN_KONG + tile("7p")} if allowed else set())


@pytest.mark.parametrize("left", [0, 1])
def test_a_kong_needs_a_tile_to_replace_it(left: int) -> None:
    made = table(["8s", "1111m2345679s", "", ""], "spmm")
    made.record["left"] = left + 1
    discard(made, "8s")
    until(made, 1)
    assert (Action.OWN_KONG + tile("1m") in made.legal) == (left > 0)


def test_a_discard_that_leaves_the_hand_unready_ends_its_waits() -> None:
    made = table(["8s", WITHOUT_DOTS, "", ""], "spms", draws="4s")
    assert int(made.state.hands[1].waits) == 1 << tile("3s")
    discard(made, "8s")
    until(made, 1)
    discard(made, "9s")
    assert int(made.state.hands[1].waits) == 0


def test_a_tile_of_the_hand_added_to_a_pung_changes_the_waits() -> None:
    # 456789p99p5p and 3s draw 5p: with 3s added to its pung the hand waits for 5p and 9p, and draws 9p.
    made = table(["3s", "", "33s456789p9911p5p", ""], "spms", draws="9s9s8s3s9s8s8s5p", last="9p")
    discard(made, "3s")
    made.act(PUNG)
    discard(made, "1p")
    discard(until(made, 2), "1p")
    until(made, 2)
    made.act(Action.OWN_KONG + tile("3s"))
    assert WIN in may(made)


def two_pungs(draws: str) -> Table:
    """Return a table at which seat 2 has made pungs of 3s and 9s, and has to discard."""
    made = table(["39s", "", "33s99s114679p257p", ""], "spms", draws=draws)
    discard(made, "3s")
    made.act(PUNG)
    discard(made, "1p")
    discard(until(made, 0), "9s")
    made.act(PUNG)
    return made


def test_a_second_meld_is_added_to_the_first() -> None:
    made = two_pungs("8s7s4m")
    seat = made.state.seats[2]
    melds = [(int(meld.form), int(meld.kind), int(meld.discarder)) for meld in seat.melds[: int(seat.calls)]]
    assert melds == [(MeldForm.PUNG, tile("3s"), 0), (MeldForm.PUNG, tile("9s"), 0)]
    assert int(seat.pungs) == 1 << tile("3s") | 1 << tile("9s")
    assert [int(mark) for mark in made.state.seats[0].marks[:2]] == [DiscardFlag.CALLED] * 2


def test_a_tile_added_to_a_pung_does_not_change_other_melds() -> None:
    made = two_pungs("4m5m6m4m5m3s")
    discard(made, "1p")
    until(made, 2)
    made.act(Action.OWN_KONG + tile("3s"))
    seat = made.state.seats[2]
    assert [int(meld.form) for meld in seat.melds[:2]] == [MeldForm.ADDED_KONG, MeldForm.PUNG]
    assert (int(seat.kongs), int(seat.pungs)) == (1 << tile("3s"), 1 << tile("9s"))
    assert int(seat.calls) == 2


# ---------------------------------------------------------------------------------------------------------
# Wins


def double_table(**changes: object) -> Table:
    """Return a table at which the dealer discards 3s, on which seats 1 and 2 can win."""
    made = table(["3s", WITHOUT_DOTS, WITHOUT_MAN, ""], "spmm", draws="8s", **changes)
    discard(made, "3s")
    return made


def test_the_tile_of_another_completes_a_pung() -> None:
    made = table(["7s", "111333555m7799s", "", ""], "spmm")
    discard(made, "7s")
    made.act(WIN)
    assert (int(made.state.wins[0].value.fan), payments(made)) == (1, [(0, 1, 2)])


def test_several_win_on_one_tile_in_turn_order_and_each_is_paid_in_full() -> None:
    made = double_table()
    assert may(made) == {WIN}
    made.act(WIN)
    assert made.actor == 2  # nothing is decided before all have answered
    made.act(WIN)
    assert payments(made) == [(0, 1, 1), (0, 2, 1)]
    assert [int(seat.won) for seat in made.state.seats] == [0, 1, 2, 0]
    wins = [(int(win.seat), int(win.discarder), int(win.tile)) for win in made.state.wins[:2]]
    assert wins == [(1, 0, tile("3s")), (2, 0, tile("3s"))]
    assert made.state.seats[0].marks[0] == DiscardFlag.WON_ON


@pytest.mark.parametrize(
    ("after", "answers", "following"),
    [
        (AfterWins.LAST_WINNER, (WIN, PASS), 2),
        (AfterWins.DISCARDER, (WIN, PASS), 2),  # seat 1 is out of play
        (AfterWins.LAST_WINNER, (PASS, WIN), 3),
        (AfterWins.DISCARDER, (PASS, WIN), 1),
    ],
)
def test_the_turn_goes_on_after_the_last_winner_or_the_discarder(
    after: AfterWins, answers: tuple[int, int], following: int
) -> None:
    made = double_table(after_wins=after)
    for answer in answers:
        made.act(answer)
    assert int(made.state.turn) == following


def test_who_has_called_discards_although_others_were_asked_later() -> None:
    made = table(["3s", "33s1467789m2589m", WITHOUT_MAN, ""], "spms")
    discard(made, "3s")
    assert made.actor == 1
    made.act(PUNG)
    assert made.actor == 2
    made.act(PASS)
    assert (made.actor, int(made.state.phase)) == (1, Phase.CALLED_DISCARD)


def test_a_win_has_priority_over_a_kong_or_pung() -> None:
    made = table(["3s", WITHOUT_DOTS, "333s14679p25789p", ""], "spms")
    discard(made, "3s")
    made.act(WIN)
    made.act(KONG)
    assert payments(made) == [(0, 1, 1)]
    assert int(made.state.seats[2].calls) == 0


def test_winners_are_out_of_play() -> None:
    made = double_table()
    made.act(WIN)
    made.act(WIN)
    seen = set()
    while not made.hand_over:
        seen.add(made.actor)
        step(made)
    assert seen <= {0, 3}
    assert int(made.state.hands[1].counts.sum()) == 13


@pytest.mark.parametrize(("base", "bonus"), [(1, 1), (1, 3), (10, 2)])
def test_a_self_draw_is_paid_with_a_bonus_by_all_remaining_players(base: int, bonus: int) -> None:
    changes = {"self_draw_bonus": bonus, "base_points": base}
    made = table(["", WITHOUT_DOTS, WITHOUT_MAN, ""], "mpms", draws="4m3s", **changes)
    made.record["seats"]["won"][3] = 1
    made.record["called"] = 1  # no earth
    made.act(made.legal[0])
    assert int(made.state.drawn) == tile("4m")
    discard(made, "4m")
    assert may(made) == {WIN}
    made.act(WIN)
    paid = base * (1 + bonus)
    assert sorted(payments(made)) == [(0, 2, paid), (1, 2, paid)]
    assert (int(made.state.wins[0].tile), int(made.state.wins[0].discarder)) == (tile("3s"), -1)


def test_a_called_tile_has_no_mark_of_the_one_won_on_before() -> None:
    made = table(["38s", WITHOUT_DOTS, "88s114679p25778p", ""], "spms", draws="4m5m6m")
    discard(made, "3s")
    made.act(WIN)
    discard(until(made, 0), "8s")
    made.act(PUNG)
    assert [int(mark) for mark in made.state.seats[0].marks[:2]] == [DiscardFlag.WON_ON, DiscardFlag.CALLED]


def test_three_wins_end_the_hand() -> None:
    made = table(["3s", WITHOUT_DOTS, WITHOUT_MAN, ""], "spms")
    made.record["winners"] = 1
    made.record["seats"]["won"][3] = 1
    discard(made, "3s")
    made.act(WIN)
    made.act(WIN)
    assert made.hand_over
    assert made.result is not None
    assert (made.result.reason, made.result.winners, made.result.discarder) == ("three wins", (1, 2, 3), 0)
    assert int(made.state.tile) == -1


def pung_before_kong(**changes: object) -> Table:
    """Return a table at which seat 2 has made a pung of 3s and can add the fourth; seat 1 waits for it."""
    hands = ["3s", WITHOUT_DOTS, "33s1469p25789p14p", ""]
    made = table(hands, "spms", draws="8s7s4m3s", **changes)
    discard(made, "3s")
    made.act(PASS)
    made.act(PUNG)
    discard(made, "1p")
    return until(made, 2)


def test_a_meld_names_its_discarder() -> None:
    made = until(table(["8s", "", "33s114679p25789p", ""], "spms", draws="9p4m3s"), 3)
    discard(made, "3s")
    made.act(PUNG)
    assert int(made.state.seats[2].melds[0].discarder) == 3


def robbing_table(**changes: object) -> Table:
    """Return a table at which seat 2 adds 3s to its pung; seat 1 waits for it."""
    made = pung_before_kong(**changes)
    made.act(Action.OWN_KONG + tile("3s"))
    return made


def test_an_added_kong_is_robbed_and_not_paid() -> None:
    made = robbing_table(passed_win=PassedWin.FREE)
    assert (made.actor, may(made)) == (1, {WIN})
    made.act(WIN)
    assert payments(made) == [(2, 1, 2)]  # one fan for robbing
    seat = made.state.seats[2]
    assert int(seat.melds[0].form) == MeldForm.PUNG
    assert (int(seat.pungs), int(seat.kongs)) == (1 << tile("3s"), 0)
    assert int(seat.discarded[tile("3s")]) == 1
    assert seat.marks[int(made.state.wins[0].slot)] == DiscardFlag.ROBBED | DiscardFlag.WON_ON
    assert int(made.state.wins[0].robbed) == 1


def test_a_kong_that_is_not_robbed_is_paid() -> None:
    made = robbing_table()
    assert payments(made) == []
    made.act(PASS)
    assert len(payments(made, Event.KONG_PAY)) == 3


def test_without_robbing_a_kong_is_paid_at_once() -> None:
    made = robbing_table(rob_kong=False)
    assert len(payments(made, Event.KONG_PAY)) == 3
    assert made.actor == 2


@pytest.mark.parametrize(
    ("passed_win", "again"), [(PassedWin.FREE, True), (PassedWin.MORE_ONLY, False), (PassedWin.BARRED, False)]
)
def test_a_passed_win_restricts_a_player_until_the_next_draw(passed_win: PassedWin, again: bool) -> None:
    made = table(["3s", "", "", WITHOUT_DOTS], "ssmp", draws="3s1p4m3s", passed_win=passed_win)
    discard(made, "3s")
    assert (made.actor, may(made)) == (3, {WIN})
    made.act(PASS)
    assert int(made.state.drawn) == tile("3s")  # seat 1
    discard(made, "3s")
    assert (made.actor == 3) == again
    if again:
        made.act(PASS)
    until(made, 3)
    assert int(made.state.hands[3].passed) == 0  # his own draw


def test_a_passed_pung_restricts_no_win() -> None:
    made = table(["9s3s", "", "123456789m1299s", ""], "spps", draws="8s")
    discard(made, "9s")
    assert (made.actor, may(made)) == (2, {PUNG})
    made.act(PASS)
    assert int(made.state.hands[2].passed) == 0


def test_a_discard_from_the_hand_can_make_it_ready() -> None:
    made = table(["3s", "123456789m1999s", "", ""], "spmm", draws="2s")
    discard(made, "3s")
    assert int(made.state.drawn) == tile("2s")
    discard(made, "9s")
    assert int(made.state.hands[1].waits) == 1 << tile("3s")
    assert int(made.state.hands[1].shanten) == 0


def test_a_hand_can_be_ready_with_the_discard_of_its_last_void_tile() -> None:
    made = table(["8s", "123456789m129s1p", "", ""], "spmm", draws="9s")
    discard(made, "8s")  # seat 1 draws 9s, and 1p has to go
    assert int(made.state.hands[1].waits) == 1 << tile("3s")


def test_a_hand_is_ready_after_the_discard_that_follows_a_pung() -> None:
    made = table(["9s", "123456789m1299s", "", ""], "spmm")
    discard(made, "9s")
    made.act(PUNG)
    discard(made, "1s")
    assert int(made.state.hands[1].waits) == 1 << tile("2s")


def test_a_win_of_more_value_may_follow_one_that_was_passed() -> None:
    made = robbing_table(robbing=0)
    made.act(PASS)
    assert int(made.state.hands[1].passed) == 1


@pytest.mark.parametrize(("passed", "robs"), [(1, True), (2, False)])
def test_only_a_win_of_more_value_than_the_one_passed_is_offered(passed: int, robs: bool) -> None:
    # Robbing the kong is worth 2 points.
    made = pung_before_kong()
    made.record["hands"]["passed"][1] = passed
    made.act(Action.OWN_KONG + tile("3s"))
    assert (made.actor == 1) == robs


# ---------------------------------------------------------------------------------------------------------
# Fan


def test_heaven_is_five_fan_or_the_cap() -> None:
    heaven = "3s" + WITHOUT_DOTS
    uncapped = dataclasses.replace(SICHUAN, name="no cap", cap=None, pig_fan=4)
    for rules, points in ((SICHUAN, 16), (uncapped, 32)):
        made = table([heaven, "", "", ""], "psmm", rules=rules)
        assert may(made) == {WIN}
        made.act(WIN)
        assert (int(made.state.wins[0].value.points), int(made.state.wins[0].value.fan)) == (points, 5)
    made = table([heaven, "", "", ""], "psmm", heaven_is_cap=True, cap=3)
    made.act(WIN)
    assert int(made.state.wins[0].value.points) == 8


def test_earth_is_the_first_draw_before_any_call() -> None:
    for called, total in ((0, 5), (1, 0)):
        made = table(["", WITHOUT_DOTS, "", ""], "spmm", draws="3s")
        made.act(made.legal[-1])
        made.record["called"] = called
        assert may(made) == {WIN}
        made.act(WIN)
        assert int(made.state.wins[0].value.fan) == total


def test_a_pung_is_a_call() -> None:
    made = table(["3s", "", "33s114679p25789p", ""], "spms")
    discard(made, "3s")
    made.act(PUNG)
    assert int(made.state.called) == 1


def test_the_last_tile_and_a_replacement_tile_are_a_fan_each() -> None:
    for changes, value in (({}, 1), ({"left": 0}, 2), ({"replaced": 1}, 2), ({"left": 0, "replaced": 1}, 4)):
        made = table(["", WITHOUT_DOTS, "", ""], "spmm", draws="3s")
        made.act(made.legal[-1])
        made.record["called"] = 1  # no earth
        for name, number in changes.items():
            made.record[name] = number
        made.act(WIN)
        win = made.state.wins[0].value
        assert int(win.points) == value
        assert bool(win.times[Fan.AFTER_KONG]) == ("replaced" in changes)
        assert int(made.state.drawn) == -1 or not made.hand_over


@pytest.mark.parametrize(("both", "points"), [(True, 4), (False, 2)])
def test_a_discard_after_a_kong_that_is_the_last_tile_counts_by_its_rule(both: bool, points: int) -> None:
    made = table(["3s", WITHOUT_DOTS, "", ""], "spmm", kong_discard_and_last=both)
    made.record["left"] = 0
    made.record["replaced"] = 1
    discard(made, "3s")
    made.act(WIN)
    assert int(made.state.wins[0].value.points) == points


FANS = [
    ("123456789m12399s", {}, 0, ()),
    ("111333555m77799s", {}, 1, ("all pungs",)),
    ("12344455667789m", {}, 2, ("full flush",)),
    ("12344455667789p", {}, 2, ("full flush",)),
    ("1133557799m1122s", {}, 2, ("seven pairs",)),
    ("1133557799m1111s", {}, 3, ("seven pairs", "root")),
    ("113355m11112222s", {}, 4, ("seven pairs", "root")),
    ("123456m99s", {"pungs": ["999m"], "kongs": ["1111s"]}, 1, ("kong",)),
    ("123789m99s", {"pungs": ["999m", "111s"]}, 1, ("root",)),
    ("99s", {"pungs": ["999m", "111s", "333s", "444m"]}, 2, ("all pungs", "golden wait")),
    ("99s", {"kongs": ["9999m", "1111s", "3333s", "4444m"]}, 6, ("all pungs", "golden wait", "kong")),
]


LOCAL = [
    # A terminal in every set and the pair
    ("12378999m12311s9m", {}, "terminals", True),
    ("111222333m12399s", {}, "terminals", True),
    ("123123m11178999s", {}, "terminals", True),
    ("123m99s", {"pungs": ["111m", "999m", "111s"]}, "terminals", True),
    ("123m99s", {"pungs": ["222m", "999m", "111s"]}, "terminals", False),
    ("123456m99s", {"pungs": ["999m", "111s"]}, "terminals", False),
    ("12312322m789789s", {}, "terminals", False),
    ("112233m77889911s", {}, "terminals", False),  # seven pairs are worth as much
    ("12345677889922m", {}, "terminals", False),
    # Only 2, 5 and 8
    ("222555888m22255s", {}, "jiang", True),
    ("22555588m225588s", {}, "jiang", True),
    ("55s", {"pungs": ["222m", "555m", "888m"], "kongs": ["2222s"]}, "jiang", True),
    ("222555888m33355s", {}, "jiang", False),
    # No terminal, and not only 2, 5 and 8
    ("234456m23456788s", {}, "all_simples", True),
    ("22s", {"pungs": ["333m", "555m", "888m"], "kongs": ["7777s"]}, "all_simples", True),
    ("123456m23456788s", {}, "all_simples", False),
    # No open meld
    ("123456789m12399s", {}, "concealed", True),
    ("123789m12399s", {"concealed_kongs": ["5555m"]}, "concealed", True),
    ("123789m12399s", {"kongs": ["5555m"]}, "concealed", False),
    ("123789m12399s", {"pungs": ["555m"]}, "concealed", False),
    # A self-drawn win
    ("123456789m12399s", {"self_drawn": True}, "self_draw", True),
    ("123456789m12399s", {}, "self_draw", False),
]


@pytest.mark.parametrize(("tiles", "how", "field", "counts"), LOCAL)
def test_fans_of_some_tables_count_by_their_rule(tiles: str, how: dict[str, Any], field: str, counts: bool) -> None:
    usual = fan(tiles, **how)
    named = fan(tiles, **how, rules=dataclasses.replace(SICHUAN, name="other", **{field: 2, "cap": 16}))
    name = field.replace("_", " ")
    assert (name in dict(named.fans)) == counts
    assert named.fan == usual.fan + (2 if counts else 0)
    assert name not in dict(usual.fans)


def test_the_better_of_terminals_and_seven_pairs_counts() -> None:
    for worth, names in ((2, ["seven pairs"]), (3, ["terminals"])):
        rules = dataclasses.replace(SICHUAN, name="other", terminals=worth)
        assert [name for name, _ in fan("112233m77889911s", rules=rules).fans] == names


def test_tiles_2_5_and_8_are_no_simples_beside_their_own_fan() -> None:
    rules = dataclasses.replace(SICHUAN, name="other", jiang=2, all_simples=1, cap=16)
    assert [name for name, _ in fan("222555888m22255s", rules=rules).fans] == ["all pungs", "jiang"]


def test_a_self_draw_is_worth_a_fan_by_its_rule() -> None:
    for changes, paid in (({}, 2), ({"self_draw": 1, "self_draw_bonus": 0}, 2), ({"self_draw": 2}, 5)):
        made = table(["", WITHOUT_DOTS, "", ""], "spmm", draws="3s", **changes)
        made.act(made.legal[-1])
        made.record["called"] = 1  # no earth
        made.act(WIN)
        assert payments(made, Event.WIN_PAY) == [(seat, 1, paid) for seat in (2, 3, 0)]
        rules = dataclasses.replace(SICHUAN, name="other", **changes)
        assert fan("123456789m1299s3s", rules=rules).each == fan("123456789m1299s3s", self_drawn=True, rules=rules).each
        assert fan("123456789m1299s3s", rules=rules).each == paid


def test_a_concealed_win_is_worth_a_fan_by_its_rule() -> None:
    for changes, points in (({}, 1), ({"concealed": 1}, 2)):
        made = table(["3s", WITHOUT_DOTS, "", ""], "spmm", **changes)
        discard(made, "3s")
        made.act(WIN)
        assert int(made.state.wins[0].value.points) == points


def test_the_club_preset_adds_fan_as_at_chengdus_tables() -> None:
    for tiles, points in (("222555888m22255s", 16), ("12378911m123999s", 8), ("234456m23456788s", 4)):
        assert fan(tiles, rules="sichuan-club").points == points


@pytest.mark.parametrize(("tiles", "melds", "total", "names"), FANS)
def test_fans_of_hands(tiles: str, melds: dict[str, list[str]], total: int, names: tuple[str, ...]) -> None:
    value = fan(tiles, **melds)  # type: ignore[arg-type]
    assert value.fan == total
    assert tuple(name for name, _ in value.fans) == names
    assert value.points == 2 ** min(total, 4)
    assert value.each == value.points + 1


def test_more_roots_in_seven_pairs_count_by_their_rule() -> None:
    rules = dataclasses.replace(SICHUAN, name="one root", more_roots_in_pairs=False)
    assert fan("113355m11112222s", rules=rules).fan == 3
    assert fan("123789m99s", pungs=["999m", "111s"], rules=rules).fan == 1


def test_a_golden_wait_with_concealed_pungs_counts_by_its_rule() -> None:
    rules = dataclasses.replace(SICHUAN, name="all pungs", golden_wait_form=GoldenWait.ALL_PUNGS)
    assert fan("111333555m77799s", "9s").fan == 1
    assert fan("111333555m77799s", "9s", rules=rules).fan == 2
    assert fan("111333555m77799s", "7s", rules=rules).fan == 1


def test_the_value_of_every_fan_is_a_rule() -> None:
    for name in ("all_pungs", "golden_wait"):
        rules = dataclasses.replace(SICHUAN, **{name: 3})
        assert fan("99s", pungs=["999m", "111s", "333s", "444m"], rules=rules).fan == 4
    flush = dataclasses.replace(SICHUAN, full_flush=4, cap=None, pig_fan=4)
    assert fan("12344455667789m", rules=flush).points == 16
    pairs = dataclasses.replace(SICHUAN, seven_pairs=3, root=2)
    assert fan("1133557799m1111s", rules=pairs).fan == 5
    for name in ("after_kong", "kong_discard", "robbing", "last_tile", "heaven", "earth"):
        self_drawn = name in ("after_kong", "heaven", "earth")
        for value in (0, 3):
            rules = dataclasses.replace(SICHUAN, **{name: value, "kong": 0})
            hand = ("123456m12399s", "1s", ["8888m"]) if name == "after_kong" else ("123456789m12399s", "1s", [])
            how = {"circumstances": [name], "self_drawn": self_drawn, "rules": rules}
            assert fan(*hand[:2], kongs=hand[2], **how).fan == value
    kong = dataclasses.replace(SICHUAN, kong=3)
    assert fan("123456m99s", pungs=["999m"], kongs=["1111s"], rules=kong).fan == 3


@pytest.mark.parametrize(("cap", "points"), [(0, 1), (3, 8), (4, 16), (None, 64)])
def test_the_cap_limits_the_fan(cap: int | None, points: int) -> None:
    rules = dataclasses.replace(SICHUAN, cap=cap, pig_fan=4)
    assert fan("99s", kongs=["9999m", "1111s", "3333s", "4444m"], rules=rules).points == points


def test_the_draw_of_the_next_seat_is_no_replacement_tile() -> None:
    made = table(["8s3333p2589p11467m", WITHOUT_DOTS, "", ""], "spms", draws="3s", last="8p")
    made.act(Action.OWN_KONG + tile("3p"))  # 8s has to go then
    assert made.actor == 1
    made.act(WIN)
    times = made.state.wins[0].value.times
    assert (int(times[Fan.AFTER_KONG]), int(times[Fan.EARTH])) == (0, 1)


def test_a_discard_after_a_pung_does_not_follow_a_kong() -> None:
    made = table(["8s3333p2589p11467m", WITHOUT_DOTS, "88s3s1245667789p", ""], "spms", last="8p")
    made.act(Action.OWN_KONG + tile("3p"))  # 8s has to go then
    made.act(PUNG)
    discard(made, "3s")
    made.act(WIN)
    assert payments(made, Event.WIN_PAY) == [(2, 1, 1)]


# ---------------------------------------------------------------------------------------------------------
# The end of the wall

READY = ["8s", WITHOUT_DOTS, WITHOUT_MAN, ""]  # seats 0 and 3 hold tiles of their void suit


def ended(hands: list[str], voids: str, /, kong: bool = False, **changes: object) -> Table:
    """Return a table with an empty wall after the dealer's discard."""
    made = table(hands, voids, **changes)
    made.record["left"] = 0
    made.record["called"] = 1
    if kong:  # seat 3 has got two points from seat 0 for a kong
        made.record["kong_money"][4 * 3 + 0] = 2
    made.act(made.legal[0])
    while not made.hand_over:
        made.act(PASS)
    return made


def test_players_who_are_not_ready_pay_ready_ones_their_best_win() -> None:
    made = ended(READY, "spms", flower_pig=False)
    assert sorted(payments(made, Event.READY_PAY)) == [(0, 1, 1), (0, 2, 1), (3, 1, 1), (3, 2, 1)]
    assert [int(seat.ready) for seat in made.state.seats] == [1, 2, 2, 1]
    assert payments(ended(READY, "spms", flower_pig=False, ready_check=False)) == []


def test_a_ready_player_is_paid_for_a_win_on_its_waits_alone() -> None:
    # A fourth 1m would be a fan, but the hand waits for 3s.
    made = ended(["8s", "111456789m1299s", "", ""], "spmm", flower_pig=False)
    assert {paid for _, receiver, paid in payments(made, Event.READY_PAY) if receiver == 1} == {1}


def test_a_ready_player_is_paid_for_its_golden_wait() -> None:
    waiting = ["8s", "111444777m1119s", "", ""]
    made = ended(waiting, "spmm", flower_pig=False, golden_wait_form=GoldenWait.ALL_PUNGS)
    assert {paid for _, receiver, paid in payments(made, Event.READY_PAY) if receiver == 1} == {4}


@pytest.mark.parametrize(("counted", "kong", "points"), [(True, 1, 2), (False, 1, 1), (False, 2, 1)])
def test_the_best_win_of_a_ready_player_counts_kongs_by_its_rule(counted: bool, kong: int, points: int) -> None:
    dealt = ["", "123456m12s7777m9s", "", ""]
    made = table(dealt, "spmm", draws="9s4p", flower_pig=False, ready_with_kongs=counted, kong=kong)
    made.act(made.legal[-1])
    made.record["left"] = 1
    made.act(Action.OWN_KONG + tile("7m"))  # and draws 4p, the last tile, which has to go
    assert made.hand_over
    assert {paid for _, receiver, paid in payments(made, Event.READY_PAY) if receiver == 1} == {points}


def test_a_flower_pig_pays_the_cap_to_players_without_tiles_of_their_void_suit() -> None:
    made = ended(READY, "spms", pig_pays_ready=False)
    assert sorted(payments(made)) == [(0, 1, 16), (0, 2, 16), (3, 1, 16), (3, 2, 16)]
    assert [int(seat.pig) for seat in made.state.seats] == [1, 0, 0, 1]
    made = ended(READY, "spms", pig_pays_ready=False, pig_fan=2)
    assert sorted(payments(made)) == [(0, 1, 4), (0, 2, 4), (3, 1, 4), (3, 2, 4)]
    assert payments(ended(READY, "spms", flower_pig=False), Event.PIG_PAY) == []


def test_a_flower_pig_also_pays_in_the_ready_check_by_its_rule() -> None:
    assert len(payments(ended(READY, "spms"), Event.READY_PAY)) == 4
    assert payments(ended(READY, "spms", pig_pays_ready=False), Event.READY_PAY) == []


@pytest.mark.parametrize(("pays", "receivers"), [(False, {2}), (True, {1, 2})])
def test_a_flower_pig_pays_winners_by_its_rule(pays: bool, receivers: set[int]) -> None:
    made = table(READY, "spms", pig_pays_winners=pays)
    made.record["left"] = 0
    made.record["seats"]["won"][1] = 1
    made.record["hands"]["waits"][1] = 0
    made.act(made.legal[-1])
    assert int(made.state.seats[1].ready) == Ready.READY, "a winner is ready"
    assert {receiver for _, receiver, _ in payments(made, Event.PIG_PAY)} == receivers


def test_three_suits_make_a_flower_pig_by_its_rule() -> None:
    # Seat 1 holds tiles of its void suit, but two suits in all; seats 0 and 3 hold theirs alone.
    hands = ["8s", "123456789m1199p", WITHOUT_MAN, ""]
    assert [int(seat.pig) for seat in ended(hands, "spms").state.seats] == [1, 1, 0, 1]
    assert [int(seat.pig) for seat in ended(hands, "spms", pig_by_suits=True).state.seats] == [0, 0, 0, 0]
    for hand in ("123456789m1p456s", "1m123456789p456s", "123456789m456p1s"):
        assert int(ended(["8s", hand, "", ""], "spmm", pig_by_suits=True).state.seats[1].pig) == 1


def test_a_pig_of_one_hand_is_none_in_the_next() -> None:
    made = ended(READY, "spms", hands=2)
    assert int(made.state.seats[0].pig) == 1
    made.next_hand()
    assert [int(seat.pig) for seat in made.state.seats] == [0] * 4


@pytest.mark.parametrize("laid", ["1m", "4m"])
@pytest.mark.parametrize("by_suits", [False, True])
def test_a_tile_face_down_is_of_a_suit_that_its_seat_holds(laid: str, by_suits: bool) -> None:
    made = table(["8s", WITHOUT_MAN, "", ""], "smps", pig_by_suits=by_suits)
    made.record["hands"]["laid"][1] = tile(laid)
    made.record["left"] = 0
    made.act(made.legal[0])
    while not made.hand_over:
        made.act(PASS)
    assert int(made.state.seats[1].pig) == 1


@pytest.mark.parametrize(("refund", "count"), [(True, 1), (False, 0)])
def test_players_who_are_not_ready_refund_their_kongs(refund: bool, count: int) -> None:
    made = ended(READY, "spms", kong=True, kong_refund=refund, flower_pig=False)
    assert len(payments(made, Event.KONG_REFUND)) == count
    assert int(made.record["kong_money"][12]) == (0 if refund else 2)


@pytest.mark.parametrize("settles", [False, True])
def test_after_three_wins_refunds_and_pigs_are_settled_by_their_rules(settles: bool) -> None:
    changes = {"kong_refund_after_wins": settles, "pig_after_wins": settles, "pig_pays_winners": True}
    made = table(["3s", WITHOUT_DOTS, "", ""], "spmm", **changes)
    made.record["winners"] = 2
    made.record["seats"]["won"][2] = 1
    made.record["seats"]["won"][3] = 2
    made.record["kong_money"][1] = 2
    discard(made, "3s")
    made.act(WIN)
    assert made.hand_over
    assert bool(payments(made, Event.PIG_PAY)) is settles
    assert payments(made, Event.KONG_REFUND) == ([(0, 1, 2)] if settles else [])


@pytest.mark.parametrize(
    ("hand", "void", "counts", "state"),
    [
        ("1111m345678m789s", "p", False, Ready.NOT_READY),
        ("1111m345678m789s", "p", True, Ready.READY),
        ("1111m345678m999s", "p", True, Ready.READY),
        ("1111m34589m6789p", "s", True, Ready.NOT_READY),
    ],
)
def test_waiting_only_for_a_tile_held_in_full_is_ready_by_its_rule(
    hand: str, void: str, counts: bool, state: Ready
) -> None:
    made = ended(["8s", hand, "", ""], f"s{void}mm", own_fourth_waits=counts, flower_pig=False)
    assert int(made.state.hands[1].waits) == 0
    assert int(made.state.seats[1].ready) == state
    assert len(payments(made, Event.READY_PAY)) == (3 if state == Ready.READY else 0)


@pytest.mark.parametrize(("counts", "state"), [(False, Ready.NOT_READY), (True, Ready.READY)])
def test_a_run_that_lacks_the_fifth_of_a_kong_is_ready_by_the_same_rule(counts: bool, state: Ready) -> None:
    made = table(["2222m13m456789p11p", "", "", ""], "spmm", draws="1s", own_fourth_waits=counts)
    made.record["left"] = 1
    made.act(Action.OWN_KONG + tile("2m"))  # and draws 1s, the last tile, which has to go
    assert int(made.state.seats[0].ready) == state


@pytest.mark.parametrize("refund", [False, True])
def test_a_deal_in_after_a_kong_refunds_it_by_its_rule(refund: bool) -> None:
    hands = ["3s3333p2589p11467m", WITHOUT_DOTS, "", ""]
    made = table(hands, "spsm", last="8p", kong_discard_refund=refund)
    made.act(Action.OWN_KONG + tile("3p"))  # 3s has to go then
    made.act(WIN)
    back = [(0, 1, 2), (0, 2, 2), (0, 3, 2)] if refund else []
    assert sorted(payments(made, Event.KONG_DISCARD_REFUND)) == back
    assert int(made.record["kong_money"][:4].sum()) == (0 if refund else 6)
    assert payments(made, Event.WIN_PAY) == [(0, 1, 2)]  # a fan for the discard after a kong


@pytest.mark.parametrize("passes", [False, True])
def test_a_deal_in_after_a_kong_passes_its_money_to_the_winner_by_its_rule(passes: bool) -> None:
    hands = ["3s3333p2589p11467m", WITHOUT_DOTS, "", ""]
    made = table(hands, "spsm", last="8p", kong_transfer=passes)
    made.act(Action.OWN_KONG + tile("3p"))  # 3s has to go then
    made.act(WIN)
    assert payments(made, Event.KONG_TRANSFER) == ([(0, 1, 6)] if passes else [])
    assert int(made.record["kong_money"][:4].sum()) == (0 if passes else 6)
    assert payments(made, Event.WIN_PAY) == [(0, 1, 2)]
    play_out(made)
    assert payments(made, Event.KONG_REFUND) == ([] if passes else payments(made, Event.KONG_REFUND))


def test_each_of_several_winners_gets_the_money_of_the_kong() -> None:
    made = table(["3s4444s258914677p", WITHOUT_DOTS, WITHOUT_MAN, ""], "mpms", last="8p", kong_transfer=True)
    made.act(Action.OWN_KONG + tile("4s"))
    discard(made, "3s")
    made.act(WIN)
    made.act(WIN)
    assert payments(made, Event.KONG_TRANSFER) == [(0, 1, 6), (0, 2, 6)]


def test_only_the_last_kong_is_given_back() -> None:
    hands = ["8s3333p2589p11467m", WITHOUT_DOTS, "888s3s124567899p", ""]
    made = table(hands, "spms", last="1p8p", kong_discard_refund=True)
    made.act(Action.OWN_KONG + tile("3p"))  # 8s has to go then
    made.act(KONG)
    discard(made, "3s")
    made.act(WIN)
    assert payments(made, Event.KONG_DISCARD_REFUND) == [(2, 0, 2)]


def test_a_flower_pig_may_pay_without_fan() -> None:
    made = ended(READY, "spms", pig_pays_ready=False, pig_fan=0)
    assert {points for _, _, points in payments(made, Event.PIG_PAY)} == {1}


# ---------------------------------------------------------------------------------------------------------
# Games of several hands


def test_the_first_winner_deals_the_next_hand() -> None:
    made = double_table(hands=2)
    made.act(PASS)
    made.act(WIN)
    play_out(made)
    assert not made.over
    made.next_hand()
    assert (int(made.record["dealer"]), int(made.record["turn"])) == (2, 2)
    play_out(made)
    assert made.over


def test_who_draws_the_first_of_two_wins_deals_the_next_hand() -> None:
    made = table(["", WITHOUT_DOTS, WITHOUT_MAN, ""], "spmm", draws="3s3s", hands=2)
    made.act(made.legal[-1])
    made.act(WIN)
    made.act(WIN)
    play_out(made)
    wins = [(int(win.seat), int(win.discarder), int(win.slot)) for win in made.state.wins[:2]]
    assert wins == [(1, -1, -1), (2, -1, -1)]
    made.next_hand()
    assert (int(made.record["dealer"]), made.actor) == (1, 1)
    assert int(made.state.hands[1].counts.sum()) == 14


def test_a_hand_begins_as_if_there_had_been_none_before() -> None:
    made = table(["3s3333p2589p11467m", "", "33s11245667789p", ""], "spms", last="8p", hands=2)
    made.act(Action.OWN_KONG + tile("3p"))  # 3s has to go then
    made.act(PUNG)
    play_out(made)
    for name in ("passed", "shanten", "waits"):
        made.record["hands"][name] = 3
    made.record["passable"] = 3
    made.next_hand()
    assert int(made.record["dealer"]) == 0
    for name, value in {"passed": 0, "shanten": 0, "waits": 0, "void": -1, "laid": -1}.items():
        assert made.record["hands"][name].tolist() == [value] * 4, name
    for name in ("given", "received"):
        assert (made.record["hands"][name] == -1).all(), name
    fresh = Table(made.rules, wall=made.record["wall"])
    for name in made.record["seats"].dtype.names:
        if name not in ("points", "melds"):
            assert made.record["seats"][name].tolist() == fresh.record["seats"][name].tolist(), name
    assert not made.record["seats"]["melds"]["form"].any()
    for name in made.record["hands"].dtype.names:
        if name != "concealed":
            assert made.record["hands"][name].tolist() == fresh.record["hands"][name].tolist(), name
    for name in ("suits", "held"):
        tiles = made.record["hands"]["concealed"][name]
        assert tiles.tolist() == fresh.record["hands"]["concealed"][name].tolist(), name
    same = ["kong_money", "winners", "left", "phase", "turn", "actor", "tile", "claimed", "direction", "replaced"]
    same += ["called", "ended", "drawn", "next", "legal", "logged", "answers", "passable"]
    assert {name: made.record[name].tolist() for name in same} == {name: fresh.record[name].tolist() for name in same}
    assert made.record["before"].tolist() == made.scores


def test_nothing_is_legal_when_a_hand_is_over() -> None:
    made = play_out(table(["", "", "", ""], "smpm", hands=2))
    assert (int(made.record["legal"]), int(made.record["actor"])) == (0, -1)


def test_the_discarder_to_several_winners_deals_the_next_hand() -> None:
    made = double_table(hands=2)
    made.act(WIN)
    made.act(WIN)
    play_out(made)
    made.next_hand()
    assert int(made.record["dealer"]) == 0


def test_the_winner_on_the_first_of_two_equal_discards_deals_the_next_hand() -> None:
    made = table(["33s", WITHOUT_DOTS, WITHOUT_MAN, ""], "spmm", hands=2, passed_win=PassedWin.FREE)
    discard(made, "3s")
    made.act(WIN)
    made.act(PASS)
    discard(until(made, 0), "3s")
    made.act(WIN)
    play_out(made)
    assert [(int(win.seat), int(win.slot)) for win in made.state.wins[:2]] == [(1, 0), (2, 1)]
    made.next_hand()
    assert int(made.record["dealer"]) == 1


def test_without_a_win_the_dealer_deals_again() -> None:
    made = play_out(table(["", "", "", ""], "smpm", hands=2))
    assert made.result is not None
    assert made.result.reason == "wall empty"
    made.next_hand()
    assert int(made.record["dealer"]) == 0


def test_points_start_at_the_value_of_the_rules_and_results_are_the_points_won() -> None:
    rules = dataclasses.replace(SICHUAN, start=100)
    assert Table(rules).scores == [100] * 4
    assert game_of(rules).final_points(rules, [103, 99, 98, 100]) == [3.0, -1.0, -2.0, 0.0]
