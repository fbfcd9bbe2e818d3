"""A Sichuan table: derived information, stored and saved games, watching."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

pytest.importorskip("fastapi")

from janshi.compiling import row, zeros
from janshi.review.model import Worth
from janshi.sichuan.actions import Action
from janshi.sichuan.agents import EfficientAgent
from janshi.sichuan.analysis import TileCounts, count_tiles
from janshi.sichuan.hands.score import ukeire_arrays
from janshi.sichuan.page.knowledge import SichuanKnowledge
from janshi.sichuan.records.jsonl import read_sichuan, replay_sichuan
from janshi.sichuan.records.live import SichuanStory, sichuan_seen_by
from janshi.sichuan.review.advice import hand_of, seen_outside, worth_in_words, worth_of_win
from janshi.sichuan.rules import SICHUAN as SICHUAN_RULES
from janshi.sichuan.state import Phase
from janshi.table import Table
from janshi.tiles import to_mjai
from janshi.web.game_table import ServedTable
from tests.sichuan.tables import play_out, table, tile, until, wall
from tests.web.conftest import Browser
from tests.web.test_hidden import SICHUAN, game

WANTED = {"rules": "sichuan-exchange", "length": "four", "agents": ["efficient", "random"], "name": "Mori"}


def check(table: ServedTable) -> None:
    """Compare with the engine when the table waits for the player, in the same state as the shown one."""
    if table.ask is None or table.screen.own is None:
        return
    mine: Any = table.screen.knowledge
    views = table.tables.views([0], [table.setup.seat])
    view: Any = np.asarray(views)[0]
    assert mine.hand.tobytes() == hand_of(view).tobytes()
    assert mine.visible.tolist() == seen_outside(view).tolist()
    if int(view["phase"]) != Phase.EXCHANGE:  # the engine does not count tiles laid aside as part of the hand
        counts = row(zeros(TileCounts, 1))
        count_tiles(row(views), counts)
        seen = ukeire_arrays(hand_of(view), mine.visible[None])["visible"][0]
        assert np.minimum(seen, 4).tolist() == counts.visible.tolist()
    waits = [kind for kind in range(27) if int(view["hand"]["waits"]) >> kind & 1]
    if int(view["phase"]) in (Phase.TURN, Phase.CLAIM) and int(view["hand"]["laid"]) < 0:
        assert [accepted.tile for accepted in table.screen.own.waits] == [to_mjai(kind) for kind in waits]
        assert [worth.tile for worth in table.screen.own.worth] == [to_mjai(kind) for kind in waits]


@pytest.mark.parametrize("number", range(3))
def test_waits_and_visible_tiles_are_the_engines(number: int) -> None:
    game(SICHUAN, number, "hand", watch=check)


@pytest.mark.parametrize("rules", ["sichuan", "sichuan-novikov"])
def test_a_win_is_offered_with_its_value(rules: str) -> None:
    player, offers = EfficientAgent(), 0
    for seed in range(12):
        table = Table(rules, seed=seed)
        offered: dict[int, Worth] = {}
        while not table.hand_over:
            decision = table.decision()
            if Action.WIN not in table.legal:
                table.act(int(player.act(decision)[0]))
                continue
            worth = worth_of_win(np.asarray(decision.views)[0], table.rules)
            assert worth is not None
            offered[table.actor] = worth
            table.act(int(Action.WIN))
        for win in table.record["wins"][: int(table.record["winners"])]:
            worth = offered[int(win["seat"])]
            paid = worth_in_words(int(win["tile"]), win["value"], table.rules)
            assert worth == paid
            offers += 1
    assert offers > 12


class Followed:
    """A table, and what each seat knows of it."""

    def __init__(self, made: Table) -> None:
        self.made = made
        self.story = SichuanStory(made.record, made.rules, ["a", "b", "c", "d"])
        self.seats = [SichuanKnowledge(made.rules, seat) for seat in range(4)]
        self.agrees()

    def agrees(self) -> None:
        """Follow the events so far, and compare hands and visible tiles with the engine's views."""
        for event in self.story.update():
            for seat, mine in enumerate(self.seats):
                mine.follow(sichuan_seen_by(event, seat))
        for seat, mine in enumerate(self.seats):
            view = np.asarray(self.made._tables.views([0], [seat]))[0]
            assert mine.hand.tobytes() == hand_of(view).tobytes()
            assert mine.visible.tolist() == seen_outside(view).tolist()

    def act(self, *actions: int) -> None:
        for action in actions:
            self.made.act(int(action))
            self.agrees()


def waits(mine: SichuanKnowledge) -> list[tuple[str, int]]:
    return [(part.tile, part.left) for part in mine.own().waits]


def test_hands_and_visible_tiles_are_followed_through_pungs_and_kongs() -> None:
    followed = Followed(table(["9m2222s55678p1139s", "5p444s", "999s333m", "7p"], "mpps", last="9p4s"))
    followed.act(Action.OWN_KONG + tile("2s"), tile("5p"), Action.PUNG, tile("9s"), Action.EXPOSED_KONG)
    assert waits(followed.seats[0]) == [("5s", 4)]


def test_a_robbed_kong_is_a_pung_again_and_its_tile_visible() -> None:
    made = table(["3s", "123456789m1299s", "33s1469p25789p14p", ""], "spms", draws="8s7s4m3s")
    followed = Followed(made)
    followed.act(tile("3s"), Action.PASS, Action.PUNG, tile("1p"))
    until(made, 2)
    followed.agrees()
    made.record["hands"]["passed"][1] = 0
    followed.act(Action.OWN_KONG + tile("3s"), Action.WIN)
    assert int(followed.seats[2].hand["pungs"][0]) == 1 << tile("3s")
    assert waits(followed.seats[1]) == []
    own = followed.seats[1].own()
    assert (own.shanten, own.waits, own.furiten) == (-1, [], False), "who has won waits no more"


def test_an_added_kong_is_followed() -> None:
    made = table(["3s", "", "33s114679p25789p", ""], "spms", draws="8s7s4m3s")
    followed = Followed(made)
    followed.act(tile("3s"), Action.PUNG, tile("1p"))
    until(made, 2)
    followed.act(Action.OWN_KONG + tile("3s"))


@pytest.mark.parametrize("rules", ["sichuan-exchange", "sichuan-novikov"])
def test_exchanged_tiles_and_those_face_down_are_followed(rules: str) -> None:
    made = Table(rules, wall=wall(["1469m258p1368s147p", "147m2p", "258m3p", "369m8p"], "mpsp"))
    followed = Followed(made)
    for _ in range(30):
        followed.act(made.legal[0] if Action.PASS not in made.legal else Action.PASS)


def test_waits_are_counted_after_every_discard_with_their_worth() -> None:
    made = table(["3s", "123456789m1299s", "", ""], "spmm")
    followed = Followed(made)
    assert waits(followed.seats[1]) == [("3s", 4)]
    assert [(worth.tile, worth.points) for worth in followed.seats[1].own().worth] == [("3s", 1)]
    followed.act(tile("3s"))
    assert waits(followed.seats[1]) == [("3s", 3)]
    assert followed.seats[1].own().shanten == 0
    assert waits(followed.seats[3]) == []
    assert followed.seats[3].own().shanten > 0


def test_discards_that_leave_the_hand_ready_have_waits_and_worth() -> None:
    mine = Followed(table(["9p123456p1155578s", "", "", ""], "mmpp")).seats[0]
    (ready,) = mine.discards(["9p", "1s"])
    assert (ready.tile, ready.furiten) == ("9p", False)
    assert [(part.tile, part.left) for part in ready.waits] == [("6s", 4), ("9s", 4)]
    assert [(worth.tile, worth.points) for worth in ready.worth] == [("6s", 1), ("9s", 1)]
    assert mine.discards([]) == []


def test_a_new_hand_forgets_the_one_before() -> None:
    made = table(["", "123456789m1299s", "", ""], "spmm", draws="3s", hands=2)
    followed = Followed(made)
    made.act(made.legal[-1])
    followed.act(Action.WIN)
    assert followed.seats[1].own().shanten == -1
    play_out(made)
    followed.agrees()
    made.next_hand()
    followed.agrees()
    for _ in range(4):
        followed.act(made.legal[0])
    assert all(mine.own().shanten >= 0 for mine in followed.seats)


def test_warming_up_leaves_no_hand() -> None:
    mine = SichuanKnowledge(SICHUAN_RULES, 1)
    mine.warm_up()
    assert (int(mine.hand["counts"].sum()), mine.own().waits) == (0, [])


def test_the_site_offers_sichuan_and_its_players(browser: Browser) -> None:
    site = browser.client.get("/api/site").json()
    rules = {one["name"]: one for one in site["rules"]}
    lengths = ["four", "hand", "eight"]
    assert rules["sichuan"] == {"name": "sichuan", "game": "sichuan", "players": 4, "lengths": lengths}
    players = [one["name"] for one in site["players"] if "sichuan" in one["games"]]
    assert players == ["sichuan", "efficient", "heuristic", "random"]


def test_a_game_is_saved_and_its_record_can_be_replayed(browser: Browser) -> None:
    made = browser.open(**WANTED, seed=3)
    with browser.tab() as tab:
        welcome = tab.join(made)
        assert (welcome["game"], welcome["formats"], welcome["reviews"]) == ("sichuan", ["janshi-sichuan"], True)
        end = tab.play_on()
    assert sum(end["scores"]) == 0
    address = f"/api/tables/{made['table']}"
    record = browser.client.get(f"{address}/record", params={"key": made["key"]})
    (played,) = read_sichuan(record.text)
    assert replay_sichuan(played).mismatches == []
    assert (len(played.hands), list(played.hands[-1].end)) == (4, end["scores"])
    review = browser.client.post(f"{address}/review", params={"key": made["key"]}).json()["review"]
    reviewed = browser.client.get(f"/api/reviews/{review}").json()
    assert (reviewed["unit"], reviewed["by"], reviewed["seat"]) == ("points", "sichuan", made["seat"])
    assert len(reviewed["decisions"]) > 20


def test_a_hint_gives_its_reasons(browser: Browser) -> None:
    made = browser.open(rules="sichuan", agents=["efficient"], seed=2)
    with browser.tab() as tab:
        tab.join(made)
        worth = 0
        for number in range(60):
            while tab.ask is None:
                if any(event["type"] == "end_game" for message in tab.heard for event in message.get("events", [])):
                    assert worth > 0
                    return
                tab.hear()
            tab.say({"type": "hint", "number": tab.ask["number"]})
            advice = tab.hear_of("advised")["advice"]
            assert abs(sum(one["share"] for one in advice["preferences"]) - 1) < 0.05
            if number == 0:
                assert [one["suit"] for one in advice["voids"]] == ["m", "p", "s"]
            for candidate in advice["candidates"]:
                assert (candidate["shanten"] == 0) == bool(candidate["worth"])
                worth += len(candidate["worth"])
            tab.say({"type": "act", "number": tab.ask["number"], "action": advice["best"]})
            tab.ask = None
            tab.hear()
