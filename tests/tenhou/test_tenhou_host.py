"""The table of the local server, without a network: hints, tiles, furiten, reconnection, records."""

from __future__ import annotations

import copy
import dataclasses
import random
from collections.abc import Sequence

import numpy as np
import pytest

from janshi.riichi.actions import Action
from janshi.riichi.agents import EfficientAgent
from janshi.riichi.game import RIICHI
from janshi.riichi.records.mjlog import decode_meld, read_mjlog, write_mjlog
from janshi.riichi.records.replay import Replayer
from janshi.riichi.rules import Rules, preset
from janshi.tenhou.choices import read_choice, write_choice
from janshi.tenhou.host import HostTable, Pending, PhysicalWall
from janshi.tenhou.known import TenhouTable
from janshi.tenhou.protocol import ActionFlag, Element, ProtocolError, message
from janshi.tiles import tile_of_id
from tests.rules.tables import HAND, make_table

FLAGS = {4: 1, 3: 17}


class Room:
    """A table and its players' knowledge."""

    def __init__(self, players: int, seed: int) -> None:
        self.rules = preset("tenhou-east" if players == 4 else "tenhou-sanma-east")
        self.host = HostTable(self.rules, seed, ["a", "b", "c", "d"][:players])
        self.known = [TenhouTable() for _ in range(players)]
        self.seen: list[tuple[int, Element]] = []
        self.hints = 0
        for each in self.known:
            each.hear(message("GO", type=FLAGS[players]))

    def deliver(self) -> None:
        for seat, sent in self.host.take_outbox():
            self.seen.append((seat, sent))
            known = self.known[seat]
            known.hear(sent)
            if known.known.playing and (sent.letter or sent.tag == "N"):
                assert int(known.hint()) == sent.number("t", 0), (seat, sent)
                self.hints += sent.number("t", 0) > 0

    def play(self, random: np.random.Generator, steps: int = 100_000) -> None:
        """Let all seats act at random, with each answer written and read as a client's message."""
        for _ in range(steps):
            self.deliver()
            if self.host.over:
                return
            seat = int(random.choice(list(self.host.waits)))
            wait = self.host.waits[seat]
            if wait.need is Pending.READY:
                self.host.receive(seat, Element("NEXTREADY"))
                continue
            held = self.host.held(seat)
            assert sorted(self.known[seat].hand) == sorted(held)
            assert (self.known[seat].known.legal()[0] == wait.legal).all()
            action = int(random.choice(np.flatnonzero(wait.legal)))
            self.host.receive(seat, write_choice(self.known[seat].choice(action)))


@pytest.fixture(scope="module", params=[3, 4])
def room(request: pytest.FixtureRequest) -> Room:
    room = Room(request.param, 11)
    room.play(np.random.default_rng(3))
    return room


def test_hints_are_the_legal_actions_and_clients_know_their_tiles(room: Room) -> None:
    assert room.host.over
    assert room.hints > 20


def test_the_tables_record_replays_with_every_check(room: Room) -> None:
    game = room.host.game("table", FLAGS[room.rules.players], "0")
    back = read_mjlog(write_mjlog(game))
    assert len(back.hands) == sum(sent.tag == "INIT" for _, sent in room.seen) / room.rules.players > 3
    for hand, kept in zip(back.hands, room.host.hands, strict=True):
        assert (hand.events[:, :8] == kept.events).all()
        assert hand.outcome == kept.outcome
    assert Replayer().replay(back).mismatches == []
    assert all(hand.exact for hand in back.hands)


def test_the_profile_comes_just_before_the_last_result(room: Room) -> None:
    for seat in range(room.rules.players):
        tags = [sent.tag for receiver, sent in room.seen if receiver == seat]
        assert tags.count("PROF") == 1
        assert tags[-2] == "PROF"
        assert tags[-1] in ("AGARI", "RYUUKYOKU")


def test_no_client_receives_others_tiles(room: Room) -> None:
    for seat in range(room.rules.players):
        drawn = [sent for receiver, sent in room.seen if receiver == seat and sent.letter in ("U", "V", "W")]
        assert drawn
        assert all(sent.tile < 0 for sent in drawn)


def test_three_players_leave_the_seat_of_the_missing_north_empty() -> None:
    room = Room(3, 5)
    room.play(np.random.default_rng(1), steps=4)
    deals = {seat: sent for seat, sent in room.seen if sent.tag == "INIT"}
    assert [deals[seat].text("ten") for seat in range(3)] == ["350,350,350,0", "350,350,0,350", "350,0,350,350"]
    assert [deals[seat].number("oya") for seat in range(3)] == [0, 3, 2]


def log_of(table: TenhouTable) -> list[list[int]]:
    """Return a player's log of the hand, four numbers for each event."""
    (log,) = np.asarray(table.decision().events)
    rows: list[list[int]] = log["rows"][: 4 * log["count"]].reshape(-1, 4).tolist()
    return rows


def come_back(room: Room, seat: int, before: TenhouTable | None) -> TenhouTable:
    """Reconnect a client to its seat: the previous one or a new one."""
    back = copy.deepcopy(before) if before is not None else TenhouTable()
    if before is None:
        back.hear(message("GO", type=FLAGS[room.rules.players]))
    for sent in room.host.returning(seat):
        back.hear(sent)
    return back


@pytest.mark.parametrize("players", [3, 4])
def test_a_returning_client_knows_its_legal_actions_and_earlier_events(players: int) -> None:
    room = Room(players, 23)
    random = np.random.default_rng(4)
    before: dict[int, TenhouTable] = {}
    longest = asked = 0
    for step in range(200):
        room.play(random, steps=1)
        room.deliver()
        for seat, wait in room.host.waits.items():
            if wait.need is Pending.READY or room.host.over:
                continue
            now = room.known[seat]
            if step % 8 == 0:
                new = come_back(room, seat, None)
                assert sorted(new.hand) == sorted(room.host.held(seat))
                # Calls in between are not shown: first-turn and temporary furiten may differ.
                different = np.flatnonzero(new.known.legal()[0] != wait.legal)
                assert set(different) <= {Action.RON, Action.PASS, Action.TSUMO, Action.KYUUSHU_KYUUHAI}
                asked += 1
            if seat in before and before[seat]._deal == now._deal:
                back = come_back(room, seat, before[seat])
                kept = len(log_of(before[seat]))
                assert log_of(back)[:kept] == log_of(now)[:kept]
                # Tsumogiri since then, and the time of dora indicators, are not shown.
                assert sorted(row[:3] for row in log_of(back)) == sorted(row[:3] for row in log_of(now))
                longest = max(longest, kept)
            before[seat] = copy.deepcopy(now)
    assert longest > 40
    assert asked > 20


# In these games a riichi tile is called, riichi is declared while a client is away, or the first course of play
# that leads to the shown table is illegal (41).
@pytest.mark.parametrize(
    ("players", "seeds"),
    [
        (4, [41, 70, 88]),
        (3, [2, 5]),
        pytest.param(4, range(150), marks=pytest.mark.long),
        pytest.param(3, range(100), marks=pytest.mark.long),
    ],
)
def test_a_client_that_returns_at_any_moment_plays_like_one_that_never_left(players: int, seeds: Sequence[int]) -> None:
    agent = EfficientAgent()
    for seed in seeds:
        dice = random.Random(seed)
        room = Room(players, seed)
        before: list[list[TenhouTable]] = [[] for _ in range(players)]
        while not room.host.over:
            for receiver, sent in room.host.take_outbox():
                known = room.known[receiver]
                known.hear(sent)
                if sent.tag == "INIT":
                    before[receiver].clear()
                elif known.known.playing and dice.random() < 0.06:
                    before[receiver].append(copy.deepcopy(known))
            seat, wait = next(iter(room.host.waits.items()))
            if wait.forced or wait.need is Pending.READY:
                room.host.default(seat)
                continue
            action = int(agent.act(room.host.decision(seat))[0])
            for moment in [*before[seat][-1:], *dice.sample(before[seat], min(len(before[seat]), 1)), None]:
                if dice.random() < 0.3:
                    back = come_back(room, seat, moment)
                    assert (back.known.legal()[0] == wait.legal).all()
                    assert int(agent.act(back.decision())[0]) == action
            room.host.act(seat, action)


def test_a_returning_client_is_told_of_a_passed_win() -> None:
    room = Room(4, 3)
    agent = EfficientAgent()
    passed: set[int] = set()
    returned = 0
    while returned < 2 and not room.host.over:
        room.deliver()
        marked = dict.fromkeys(range(4), 0)
        for receiver, sent in room.seen:
            if sent.tag in ("INIT", "FURITEN"):
                marked[receiver] = sent.number("show", 0)
        for seat in [seat for seat in passed if marked[seat]]:
            # From here on `Room.deliver` compares the hints of a returned player.
            room.known[seat] = TenhouTable()
            for sent in (message("GO", type=FLAGS[4]), *room.host.returning(seat)):
                room.known[seat].hear(sent)
            assert room.known[seat].furiten
            passed.remove(seat)
            returned += 1
        seat, wait = next(iter(room.host.waits.items()))
        if wait.need is Pending.READY or wait.forced:
            passed = set() if wait.need is Pending.READY else passed
            room.host.default(seat)
            continue
        action = int(agent.act(room.host.decision(seat))[0])
        if action == Action.RON:
            passed.add(seat)
        # No wins, so that winning tiles occur repeatedly.
        held_back = action in (Action.RON, Action.TSUMO)
        room.host.act(seat, RIICHI.passive(wait.legal) if held_back else action)
    assert returned == 2


@pytest.mark.parametrize("marked", [False, True])
def test_only_the_furiten_message_keeps_a_returning_client_from_winning(marked: bool) -> None:
    # 234567m 345p 6788s waits for 5s and 8s; the shown table does not reveal the passed win.
    kinds = (1, 2, 3, 4, 5, 6, 11, 12, 13, 23, 24, 25, 25)
    hand = [4 * kind + 1 + (kinds[:index].count(kind)) for index, kind in enumerate(kinds)]
    shown = {"ten": "250,250,250,250", "oya": 3, "hai": ",".join(map(str, hand))}
    known = TenhouTable()
    known.hear(message("GO", type=FLAGS[4]))
    known.hear(message("REINIT", seed="0,0,0,0,0,0", **shown, kawa0="112", kawa1="116", kawa3="108"))
    if marked:
        known.hear(message("FURITEN", show=1))
    for tag in ("V", "F89"):
        known.hear(Element(tag))
    assert known.hint() == (ActionFlag(0) if marked else ActionFlag.RON)
    for tag in ("W", "G117", "T118", "D118", "U", "E119", "V", "F90"):
        known.hear(Element(tag))
    assert known.hint() == ActionFlag.RON


REFUSED = {
    "not held": message("D", p=200),
    "no tile": message("D"),
    "not a number": message("D", p="x"),
    "no such type": message("N", type=8),
    "ron on one's own turn": message("N", type=6),
    "pon on one's own turn": message("N", type=1, hai0=0, hai1=1),
    "pass on one's own turn": message("N"),
    "kita of four players": message("N", type=10),
    "added kan of nothing": message("N", type=5, hai=0),
    "ready in the middle": Element("NEXTREADY"),
    "unknown": Element("HAI"),
}


@pytest.mark.parametrize("sent", REFUSED.values(), ids=REFUSED)
def test_impossible_messages_are_reported_and_change_nothing(sent: Element) -> None:
    room = Room(4, 2)
    room.play(np.random.default_rng(2), steps=4)
    room.deliver()
    seat = next(iter(room.host.waits))
    for each in (seat, (seat + 1) % 4):
        with pytest.raises(ProtocolError):
            room.host.receive(each, sent)
    assert room.host.take_outbox() == []
    room.host.default(seat)
    assert room.host.take_outbox()


def test_a_call_names_its_tiles() -> None:
    called = 4 * 10
    pon = message("N", type=1, hai0=41, hai1=42)
    assert read_choice(pon, {41, 42, 43}, -1, called, True).tiles == (41, 42)
    for sent in (message("N", type=1, hai0=41, hai1=41), message("N", type=3, hai0=41, hai1=42)):
        with pytest.raises(ProtocolError):
            read_choice(sent, {41, 42, 43}, -1, called, True)


# ---------------------------------------------------------------------------------------------------------
# Constructed tables


def laid(deals: list[str], draws: str = "", rules: Rules = HAND, **tiles_of: str) -> HostTable:
    """Return a table of four with given hands and draws at the first decision; ids are the highest free ones."""
    tiles = make_table(rules, deals, draws, **tiles_of).record["wall"].tolist()
    free: dict[int, list[int]] = {}
    for identity in range(136):
        free.setdefault(tile_of_id(identity), []).append(identity)
    wall = PhysicalWall([free[tile].pop() for tile in tiles], (1, 2))
    host = HostTable(rules, 0, ["a", "b", "c", "d"], lambda number: wall)
    assert host.resume_header(0) == []
    for seat in range(4):
        host.default(seat)
    host.take_outbox()
    return host


def pass_all(host: HostTable) -> None:
    """Let all seats pass on a tile."""
    while any(wait.need is Pending.CLAIM for wait in host.waits.values()):
        host.default(next(iter(host.waits)))


def test_later_messages_include_the_payment_of_a_riichi() -> None:
    host = laid(["234m567p345s11z99s"], "5z")
    host.act(0, Action.RIICHI)
    host.default(0)
    pass_all(host)
    accepted = [sent for receiver, sent in host.take_outbox() if sent.tag == "REACH" and sent.number("step") == 2]
    assert [sent.text("ten") for sent in accepted[:1]] == ["240,250,250,250"]
    (header,) = host.resume_header(0)
    assert header.text("sc").split(",")[0] == "240"


def test_a_discard_that_kuikae_forbids_is_accepted_as_at_tenhou() -> None:
    host = laid(["", "345m147p147s1234z"], "2m")
    host.default(0)
    three, four = (next(tile for tile in host.held(1) if tile // 4 == kind) for kind in (2, 3))
    host.receive(1, message("N", type=3, hai0=three, hai1=four))
    pass_all(host)
    five = next(tile for tile in host.held(1) if tile // 4 == 4)
    assert not host.waits[1].legal[4]
    host.receive(1, message("D", p=five))
    assert five not in host.held(1)


def furiten(host: HostTable) -> list[tuple[int, int]]:
    """Let all seats pass; return the messages about furiten since then: seats, and whether they are set."""
    pass_all(host)
    return [(receiver, sent.number("show")) for receiver, sent in host.take_outbox() if sent.tag == "FURITEN"]


#: Claims: hands, draws, answers before each pass of the others (a seat, and its action if not the default), messages.
FURITEN: dict[str, tuple[list[str], str, list[tuple[int, int | None, list[tuple[int, int]]]]]] = {
    "the discard of a wait": (["234m567p345s11z99s"], "1z", [(0, None, [(0, 1)])]),
    "a passed win, until the own discard": (
        ["", "555z234m567p345s1p"], "1p6z", [(0, None, [(1, 1)]), (1, None, [(1, 0)])],
    ),
    # The last tile is not offered: seat 1 has no yaku, and chii is for the next seat.
    "a tile without a yaku": (
        ["", "123m456p789s99p24m"], "7z6z3m", [(0, None, []), (1, None, []), (2, None, [(1, 1)])],
    ),
    "no tile of a closed kan": (
        ["555z234m567p78s11p", "9999s147m258p123z"], "7z6z", [(0, None, []), (1, Action.ANKAN + 26, [])],
    ),
}


@pytest.mark.parametrize("claim", FURITEN)
def test_furiten_is_sent_after(claim: str) -> None:
    deals, draws, steps = FURITEN[claim]
    host = laid(deals, draws)
    for seat, action, messages in steps:
        host.default(seat) if action is None else host.act(seat, action)
        assert furiten(host) == messages


def test_passing_a_win_that_another_seat_takes_sends_nothing() -> None:
    host = laid(["", "234m678p234s45s22p", "", "345m345p678s78s88p"], "6s")
    host.default(0)
    host.act(1, Action.RON)
    assert furiten(host) == []
    assert len(host.hands) == 1


def test_any_tile_may_be_discarded_after_a_call() -> None:
    host = laid(["5p", "111m55p789s19p147z"])
    host.act(0, 13)
    host.act(1, Action.PON)
    assert 1 in host.held(1)
    host.receive(1, message("D", p=1))
    assert 1 not in host.held(1)


def test_an_open_kan_wins_over_a_chii() -> None:
    host = laid(["5p", "34p147m258s12345z", "055p147m258s5677z", "369m369s1122334z"], replacements="9m")
    host.act(0, 13)
    host.act(1, Action.CHII + 2)
    host.act(2, Action.DAIMINKAN)
    calls = [sent for receiver, sent in host.take_outbox() if receiver == 2 and sent.tag == "N"]
    assert [call.number("who") for call in calls] == [0]
    assert sorted(tile // 4 for tile in decode_meld(calls[0].number("m")).tiles) == [13] * 4


def test_a_returning_client_receives_the_last_discard_or_draw_as_an_event() -> None:
    host = laid([""], "6z")
    host.default(0)
    pass_all(host)
    reinit, draw = host.returning(2)
    assert (reinit.tag, draw.tag[0]) == ("REINIT", "W")


def test_a_client_that_returns_after_declaring_double_riichi_hears_of_it() -> None:
    host = laid(["234m567p345s11z99s"], "5z")
    _, draw = host.returning(0)
    assert draw.number("t") == ActionFlag.RIICHI, "a draw carries its hint"
    host.act(0, Action.RIICHI)
    reinit, draw, riichi = host.returning(0)
    assert (reinit.tag, draw.tag[0], riichi.tag) == ("REINIT", "T", "REACH")


def test_a_hand_begins_when_all_clients_are_ready_and_only_asked_seats_act() -> None:
    host = HostTable(HAND, 0, ["a", "b", "c", "d"])
    for seat in range(4):
        assert host.take_outbox() == []
        with pytest.raises(ProtocolError, match=f"seat {seat} has nothing to answer"):
            host.act(seat, Action.TSUMOGIRI)
        host.default(seat)
    assert {receiver for receiver, sent in host.take_outbox() if sent.tag == "INIT"} == {0, 1, 2, 3}
    with pytest.raises(ProtocolError, match="seat 1 has nothing to answer"):
        host.act(1, Action.TSUMOGIRI)


def test_each_hand_has_the_wall_of_its_number() -> None:
    walls = [PhysicalWall(np.random.default_rng(number).permutation(136).tolist(), (1, 2)) for number in range(2)]
    host = HostTable(preset("tenhou-east"), 0, ["a", "b", "c", "d"], walls.__getitem__)
    for number in range(2):
        while host.waits and next(iter(host.waits.values())).need is Pending.READY:
            host.default(next(iter(host.waits)))
        begun = [sent for _, sent in host.take_outbox() if sent.tag == "INIT"]
        dealt = {int(tile) for sent in begun for tile in sent.text("hai").split(",")}
        assert dealt == set(walls[number].wall[-52:])
        while len(host.hands) == number:
            assert len(host.returning(0)) > 0
            host.default(next(iter(host.waits)))
        assert host.returning(0) == [], "the hand is over, and the next has not begun"


def test_seeds_of_every_bit_throw_different_dice() -> None:
    def dice(seed: int) -> list[str]:
        host = HostTable(HAND, seed, ["a", "b", "c", "d"])
        for seat in range(4):
            host.default(seat)
        _, begun = host.take_outbox()[0]
        return begun.text("seed").split(",")[3:5]

    thrown = [dice(seed) for seed in range(60)]
    for place in (0, 1):
        assert {pair[place] for pair in thrown} == set("012345")
    assert any(first != second for first, second in thrown)
    assert thrown[::2] != thrown[1::2]
    assert dice(-1) != dice(0)


# ---------------------------------------------------------------------------------------------------------
# Results


def ended(host: HostTable) -> tuple[list[str], list[Element]]:
    """Return each seat's statistics and the results that seat 0 sees, after the last answer of a game."""
    pass_all(host)
    assert host.over
    sent = host.take_outbox()
    statistics = {receiver: each.text("add") for receiver, each in sent if each.tag == "PROF"}
    results = [each for receiver, each in sent if receiver == 0 and each.tag in ("AGARI", "RYUUKYOKU")]
    return [statistics[seat] for seat in range(4)], results


def test_a_double_ron_is_two_wins_and_one_deal_in() -> None:
    host = laid(["", "234m678p234s45s22p", "", "345m345p678s78s88p"], "6s", dora="7s")
    host.default(0)
    for seat in (1, 3):
        host.act(seat, Action.RON)
    statistics, (first, last) = ended(host)
    # Result; first to fourth place, below zero, hands, wins, deal-ins, with calls, riichis.
    assert statistics == [
        "-35.0,0,0,0,1,0,1,0,1,0,0",
        "7.0,0,1,0,0,0,1,1,0,0,0",
        "-15.0,0,0,1,0,0,1,0,0,0,0",
        "43.0,1,0,0,0,0,1,1,0,0,0",
    ]
    assert (first.text("ten"), first.text("sc")) == ("30,2000,0", "250,-20,250,20,250,0,250,0")
    assert (last.text("ten"), last.text("sc")) == ("30,8000,1", "230,-80,270,0,250,0,250,80")
    assert [each.number("machi") // 4 for each in (first, last)] == [23, 23]
    assert "owari" not in first.values
    assert last.text("owari") == "150,-35.0,270,7.0,250,-15.0,330,43.0"


@pytest.mark.parametrize(("start", "below"), [(10_000, 0), (9_900, 1)])
def test_statistics_count_results_below_zero(start: int, below: int) -> None:
    rules = dataclasses.replace(HAND, start=start)
    host = laid(["", "234m678p234s45s22p", "", "345m345p678s78s88p"], "6s", rules, dora="7s")
    host.default(0)
    for seat in (1, 3):
        host.act(seat, Action.RON)
    statistics, _ = ended(host)
    assert [int(each.split(",")[5]) for each in statistics] == [below, 0, 0, 0]


def test_a_win_after_pon_and_added_kan() -> None:
    host = laid(["", "55z234m567p345s1p9m"], "5z6z7z6z5z", dora="9s", replacements="1p")
    host.default(0)
    host.act(1, Action.PON)
    host.act(1, 8)
    for seat in (2, 3, 0):
        pass_all(host)
        host.default(seat)
    pass_all(host)
    host.act(1, Action.KAKAN + 31)
    pass_all(host)
    host.act(1, Action.TSUMO)
    statistics, (result,) = ended(host)
    assert statistics == [
        "-26.3,0,0,0,1,0,1,0,0,0,0",
        "37.7,1,0,0,0,0,1,1,0,1,0",
        "4.3,0,1,0,0,0,1,0,0,0,0",
        "-15.7,0,0,1,0,0,1,0,0,0,0",
    ]
    # Rinshan kaihou and haku, 40 fu: 700 and 1,300.
    assert (result.text("ten"), result.text("yaku")) == ("40,2700,0", "4,1,18,1")
    assert result.text("sc") == "250,-13,250,27,250,-7,250,-7"
    assert result.number("machi") // 4 == 9  # the replacement tile 1p
    assert (result.text("m"), result.text("doraHai")) == ("48755", "107")


def test_a_win_by_riichi_after_a_closed_kan() -> None:
    host = laid(["1111m567p345s22z6s"], "7z6z7z6z2z", dora="9s1z", ura="9m5z", replacements="6s")
    host.act(0, Action.ANKAN)
    host.act(0, Action.RIICHI)
    host.act(0, 33)
    for seat in (1, 2, 3):
        pass_all(host)
        host.default(seat)
    pass_all(host)
    host.act(0, Action.TSUMO)
    statistics, (result,) = ended(host)
    assert statistics == [
        "59.0,1,0,0,0,0,1,1,0,0,1",
        "-3.0,0,1,0,0,0,1,0,0,0,0",
        "-23.0,0,0,1,0,0,1,0,0,0,0",
        "-33.0,0,0,0,1,0,1,0,0,0,0",
    ]
    # Riichi, ippatsu, tsumo, 2z three times as dora, 1m four times as ura-dora; 70 fu.
    assert (result.text("ten"), result.text("yaku")) == ("70,24000,3", "1,1,2,1,0,1,52,3,53,4")
    assert [int(tile) // 4 for tile in result.text("doraHai").split(",")] == [26, 27]
    assert [int(tile) // 4 for tile in result.text("doraHaiUra").split(",")] == [8, 31]
    assert len(result.text("hai").split(",")) == 11


def test_a_record_has_results_at_the_end_alone() -> None:
    host = laid([""])
    assert (host.game("", 1, "0").final_scores, host.game("", 1, "0").final_points) == (None, None)
    while not host.over:
        host.default(next(iter(host.waits)))
    game = host.game("here", 9, "7")
    assert (game.source, game.flags, game.lobby, game.names) == ("here", 9, "7", ["a", "b", "c", "d"])
    assert (len(game.hands), game.final_scores) == (1, host._table.scores)
    assert game.final_points == host.results()
