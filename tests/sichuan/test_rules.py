"""Rule sets of Sichuan mahjong, and what a seat sees at constructed tables."""

from __future__ import annotations

import dataclasses
from pathlib import Path
from typing import Any

import pytest

from janshi.core.errors import RuleError
from janshi.games import game_of, rules_of
from janshi.sichuan.actions import ACTIONS, Action, action_text
from janshi.sichuan.rules import PRESETS, SICHUAN, Rules, preset
from janshi.sichuan.rules.record import RulesRecord
from janshi.sichuan.state import Event
from janshi.table import Table
from tests.claims import cases_of
from tests.sichuan.tables import KONG, PASS, PUNG, SICHUAN_WORDS, laid, table, tile

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


@pytest.mark.parametrize(*cases_of("messages", "rules that cannot be played"))
def test_unplayable_rules_are_refused(changes: dict[str, object], words: str) -> None:
    with pytest.raises(RuleError, match=words):
        dataclasses.replace(SICHUAN, **changes)


@pytest.mark.parametrize(*cases_of("messages", "the limits of rules can be played"))
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


ALL_SUITS = "1469m258p1368s147p"


def test_void_suits_are_named_in_turn_and_known_when_all_are_named() -> None:
    made = Table("sichuan", seed=1)
    assert made.legal == [27, 28, 29]
    made.act(27)
    assert int(made.view(1).seats[0].void) == -1
    for _ in range(3):
        made.act(28)
    assert [int(seat.void) for seat in made.view(1).seats] == [0, 1, 1, 1]
    assert made.events(1)[:4].tolist() == [[Event.VOID, seat, min(seat, 1), -1] for seat in range(4)]


def test_a_void_suit_with_its_tile_face_down_is_hidden_from_others() -> None:
    made = laid({"rules": "sichuan-novikov", "wall": "dealt", "deals": f"{ALL_SUITS} any any any", "voids": "mpsp"})
    for suit in "mps":
        SICHUAN_WORDS.play(made, f"lay:{suit}")
        assert [int(seat.void) for seat in made.view(3).seats] == [-1] * 4
    assert int(made.view(0).hand.laid) == tile("1m")
    assert made.events(3)[:, 2:].tolist() == [[-1, -1]] * 3
    assert made.events(0)[:, 2].tolist() == [0, -1, -1]


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


def kong_table() -> Table:
    """Return a table at which the dealer discards 3s, of which seat 2 holds three; 5p is at the end of the wall."""
    made = table(["3s", "", "333s14679p25789p", ""], "spms", last="5p")
    SICHUAN_WORDS.play(made, "0:3s")
    return made


def test_each_seat_sees_its_own_hand() -> None:
    made = kong_table()
    for seat in range(4):
        hand, own = made.view(seat).hand, made.state.hands[seat]
        assert (int(made.view(seat).seat), hand.counts.tolist()) == (seat, own.counts.tolist())
        assert (int(hand.waits), int(hand.void)) == (int(own.waits), int(own.void))


def test_exchanged_tiles_are_known_to_giver_and_receiver_alone() -> None:
    deals = f"{ALL_SUITS} 147m2p 258m3p 369m8p"
    made = laid({"rules": "sichuan exchange=NEXT", "wall": "dealt", "deals": deals, "voids": "mpsp"})
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
# Games of several hands


def test_a_hand_begins_as_if_there_had_been_none_before() -> None:
    made = table(["3s3333p2589p11467m", "", "33s11245667789p", ""], "spms", last="8p", hands=2)
    SICHUAN_WORDS.play(made, "0:kong-3p 2:pung end")
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


def test_points_start_at_the_value_of_the_rules_and_results_are_the_points_won() -> None:
    rules = dataclasses.replace(SICHUAN, start=100)
    assert Table(rules).scores == [100] * 4
    assert game_of(rules).final_points(rules, [103, 99, 98, 100]) == [3.0, -1.0, -2.0, 0.0]
