"""Information derived from a seat's events equals the engine's."""

from __future__ import annotations

from collections import Counter

import numpy as np
import pytest

pytest.importorskip("fastapi")

from janshi.riichi.actions import Action
from janshi.riichi.agents import EfficientAgent
from janshi.riichi.page.knowledge import Knowledge
from janshi.riichi.records.live import Story, seen_by
from janshi.riichi.rules import PRESETS, preset
from janshi.riichi.rules.yaku import YAKU, yaku_in
from janshi.riichi.state import Offer
from janshi.table import Table
from janshi.tiles import parse_tiles, to_mjai
from tests.rules.tables import TENPAI, do, make_table, throw


@pytest.mark.parametrize("rules", ["tenhou-sanma", "tenhou", pytest.param("ema", marks=pytest.mark.long)])
def test_values_of_wins_and_waits_are_the_engines(rules: str) -> None:
    random, player = np.random.default_rng(3), EfficientAgent()
    wins: Counter[str] = Counter()
    for seed in range(60):
        table = Table(f"{rules}-hand" if f"{rules}-hand" in PRESETS else rules, seed=seed)
        story = Story(table.record, table.rules, list("abcd")[: table.rules.players])
        seats = [Knowledge(table.rules, seat) for seat in range(table.rules.players)]
        while not table.hand_over:
            for event in story.update():
                for seat, knowledge in enumerate(seats):
                    knowledge.follow(seen_by(event, seat))
            batch, mine = table.decision(), seats[table.actor]
            worth, view = mine.win(batch), np.asarray(batch.views)[0]
            own = {each.tile: each.points for each in mine.own().worth}
            if worth is None:
                # Some random calls, which leave hands without a yaku.
                action = int(random.choice(table.legal) if random.random() < 0.2 else player.act(batch)[0])
                table.act(action)
                continue
            seat, tsumo = table.actor, Action.TSUMO in table.legal
            if not tsumo and int(view["left"]) != 0 and int(view["claimed"]) == Offer.DISCARD:
                assert 0 < own[worth.tile] <= worth.points, "ippatsu alone may be missing"
            table.act(Action.TSUMO if tsumo else Action.RON)
            while not table.hand_over:
                table.act(Action.PASS)
            (win,) = (win for win in table.record["wins"][: int(table.record["winners"])] if int(win["seat"]) == seat)
            value = win["value"]
            if int(value["yakuman"]):
                assert worth.fan == 13 * int(value["yakuman"])
            else:
                assert worth.fan == int(value["han"]) - int(value["ura"])
            if int(value["ura"]) == 0:
                assert worth.points == int(win["points"])
            names = {YAKU[number].name for number in yaku_in(int(value["yaku"]))}
            assert names <= {each.name for each in worth.fans}
            wins.update(names)
    assert wins.total() > 40
    assert len(wins) > 8


def test_a_hand_dealt_tenpai_has_the_values_of_its_winds() -> None:
    own, hidden = [to_mjai(tile) for tile in parse_tiles("123m456p789s1122z")], ["?"] * 13
    start = {"type": "start_kyoku", "bakaze": "E", "kyoku": 1, "oya": 0, "dora_marker": "9p"}
    for seat, points in ((1, {"E": 1300, "S": 1300}), (2, {"E": 1300, "S": 0})):
        knowledge = Knowledge(preset("tenhou"), seat)
        knowledge.follow({**start, "tehais": [own if each == seat else hidden for each in range(4)]})
        assert {worth.tile: worth.points for worth in knowledge.own().worth} == points


def test_a_wait_without_a_yaku_has_no_points() -> None:
    table = make_table("tenhou-hand", ["", "456p123789s99p24m"], "6z")
    knowledge = Knowledge(table.rules, 1)
    for event in Story(table.record, table.rules, list("abcd")).update():
        knowledge.follow(seen_by(event, 1))
    (worth,) = knowledge.own().worth
    assert (worth.tile, worth.points, worth.fans) == ("3m", 0, [])
    assert worth.each > 0, "a self-draw has one"
    assert knowledge.win(table.decision()) is None


def test_a_temporary_furiten_ends_with_the_discard_that_declares_riichi() -> None:
    table = make_table("tenhou-hand", ["", TENPAI], "9s5z")
    knowledge, story = Knowledge(table.rules, 1), Story(table.record, table.rules, list("abcd"))

    def furiten() -> bool:
        for event in story.update():
            knowledge.follow(seen_by(event, 1))
        return knowledge.own().furiten

    assert not furiten()
    throw(table, 0, "9s")  # completes the hand, which has no yaku yet
    assert furiten()
    do(table, 1, Action.RIICHI)  # and discard the tile drawn, the only one possible
    assert not furiten()
    assert not table.view(1).hand.missed
