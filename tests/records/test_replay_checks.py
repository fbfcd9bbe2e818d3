"""Each comparison of the replay, with a record that is wrong in a single point, on constructed hands."""

import copy
import dataclasses

import numpy as np
import pytest
from tests.laid_games import SINGLE, game_of, story_of
from tests.rules.tables import do, drift, make_table, offer, three_dragons, throw, throws

from janshi.records.formats import CutHand
from janshi.riichi.actions import Action
from janshi.riichi.records import Drawn, Ending, Game, Limit
from janshi.riichi.records.live import Story
from janshi.riichi.records.replay import Replayer
from janshi.riichi.rules import TENHOU

JUNK = "258m147p369s1234z"


def begin(rules, *args, honba: int = 0, deposits: int = 0, **kwargs):
    """Return a constructed table and its story."""
    table = make_table(rules, *args, **kwargs)
    table.state.honba, table.state.deposits = honba, deposits
    return table, story_of(table)


@pytest.fixture(scope="module")
def ron() -> Game:
    """Return a win of seat 1 in riichi on seat 2's 9s: six han with a dora, an ura-dora and a red five; 40 fu."""
    deals = ["", "340m567p345s78s11z"]
    table, story = begin(SINGLE, deals, "5z6z9s", dora="8s", ura="4m", honba=1, deposits=2)
    throw(table, 0, "5z")
    do(table, 1, Action.RIICHI)
    if table.actor == 1:
        offer(table, 1, "6z")
    while table.actor != 2:
        table.act(Action.PASS)
    offer(table, 2, "9s")
    do(table, 1, Action.RON)
    return game_of(story)


@pytest.fixture(scope="module")
def yakuman() -> Game:
    """Return a win of seat 1 with big three dragons on seat 0's 9m; seat 3 is liable (pao)."""
    stories: list[Story] = []
    three_dragons(SINGLE, begun=lambda table: stories.append(story_of(table)))
    return game_of(stories[0])


@pytest.fixture(scope="module")
def drawn() -> Game:
    """Return an exhaustive draw with only seat 1 tenpai."""
    table, story = begin(SINGLE, [JUNK, "234m567p345s7766z", JUNK, JUNK])
    drift(table, until=-1)
    return game_of(story)


@pytest.fixture(scope="module")
def two_hands() -> Game:
    """Return two hands: the dealer wins with its first draw and aborts the next hand, which is not the last."""
    rules = dataclasses.replace(TENHOU, tobi=False)
    table, story = begin(rules, ["555z234m567p345s1p"], "1p")
    do(table, 0, Action.TSUMO)
    story.update()
    table.state.walls_given = 0
    table.next_hand()
    story.update()
    drift(table, until=-1)
    return game_of(story)


def mismatches(game: Game, change) -> list[str]:
    other = copy.deepcopy(game)
    change(other)
    return [str(mismatch).split(": ", 1)[1] for mismatch in Replayer().replay(other).mismatches]


@pytest.fixture(scope="module")
def mangans() -> dict[str, Game]:
    """Return self-draws of the dealer: five han, and four han and 30 fu that a rule makes a mangan."""
    rules = dataclasses.replace(SINGLE, rounded_mangan=True)
    games = {}
    for name, dots in (("five han", "067p"), ("rounded", "567p")):
        table, story = begin(rules, [f"555z234m{dots}34s99p"], "6z7z6z7z5s", dora="8p")
        throws(table, 0, "6z7z6z7z")
        do(table, 0, Action.TSUMO)
        games[name] = game_of(story)
    return games


@pytest.mark.parametrize(
    ("name", "limit", "wrong"),
    [
        ("rounded", Limit.MANGAN, []),
        ("rounded", Limit.NONE, []),
        ("rounded", Limit.HANEMAN, ["seat 0: limit: engine mangan, record haneman"]),
        ("five han", Limit.MANGAN, []),
        ("five han", Limit.NONE, ["seat 0: limit: engine mangan, record none"]),
    ],
)
def test_a_rounded_mangan_may_have_no_limit_in_the_record(mangans, name, limit, wrong):
    assert mismatches(mangans[name], of_win(limit=limit)) == wrong


def test_hands_with_recorded_walls_are_counted(two_hands):
    game = copy.deepcopy(two_hands)
    assert Replayer().replay(game).walls == 0
    game.hands[1].wall = np.arange(136)
    assert Replayer().replay(game).walls == 1


def test_generated_records_match(ron, yakuman, drawn, two_hands):
    for game in (ron, yakuman, drawn, two_hands):
        assert mismatches(game, lambda other: None) == []


def of_win(**fields):
    """Return a function that changes fields of a record's win."""

    def change(game: Game) -> None:
        for name, value in fields.items():
            setattr(game.hands[0].outcome[0], name, value)

    return change


@pytest.mark.parametrize(
    ("fields", "what"),
    [
        ({"fu": 30}, "seat 1: fu: engine 40, record 30"),
        ({"han": 7}, "seat 1: han: engine 6, record 7"),
        ({"points": 8_000}, "seat 1: points: engine 12000, record 8000"),
        ({"limit": Limit.MANGAN}, "seat 1: limit: engine haneman, record mangan"),
        ({"honba": 2}, "seat 1: honba and deposits: engine [1, 3], record [2, 3]"),
        ({"deposits": 2}, "seat 1: honba and deposits: engine [1, 3], record [1, 2]"),
        ({"pao": 3}, "seat 1: pao: engine -1, record 3"),
        ({"from_who": 3}, "winner and discarder: engine (1, 2), record (1, 3)"),
        ({"deltas": (0, 15_300, -12_300, 100)}, "record (0, 15300, -12300, 100)"),
        ({"yaku": ((1, 1), (2, 1), (52, 1), (53, 1), (54, 1))}, "seat 1: yaku: engine [2, 21], record [1, 2]"),
        ({"yaku": ((21, 2), (2, 1), (52, 2), (53, 1), (54, 1))}, "seat 1: dora: engine 1, record 2"),
        ({"yaku": ((21, 2), (2, 1), (52, 1), (54, 1))}, "seat 1: ura-dora: engine 1, record 0"),
        ({"yaku": ((21, 2), (2, 1), (52, 1), (53, 1))}, "seat 1: red fives: engine 1, record 0"),
        ({"yaku": (), "yakuman": (40,)}, "seat 1: yakuman: engine (), record (40,)"),
    ],
)
def test_each_field_of_a_win_is_compared(ron, fields, what):
    found = mismatches(ron, of_win(**fields))
    assert len(found) == 1
    assert what in found[0]


@pytest.mark.parametrize("fields", [{"fu": -1}, {"pao": None}, {"yaku": (), "yakuman": (), "han": 99, "fu": 99}])
def test_missing_fields_of_a_record_are_not_compared(ron, fields):
    assert mismatches(ron, of_win(**fields)) == []


def test_several_entries_of_dora_are_summed(ron):
    assert mismatches(ron, of_win(yaku=((21, 2), (2, 1), (52, 1), (53, 1), (54, 0), (54, 1)))) == []


def test_yakuman_and_pao_are_compared(yakuman):
    win = yakuman.hands[0].outcome[0]
    assert (win.yakuman, win.pao) == ((39,), 3)
    assert mismatches(yakuman, of_win(yakuman=(39, 42))) == ["seat 1: yakuman: engine (39,), record (39, 42)"]
    assert mismatches(yakuman, of_win(pao=2)) == ["seat 1: pao: engine 3, record 2"]
    assert mismatches(yakuman, of_win(pao=None)) == [], "mjai does not say who is liable"

    def as_mjlog(game: Game) -> None:
        game.format = "mjlog"
        game.hands[0].outcome[0].pao = None

    assert mismatches(yakuman, as_mjlog) == ["seat 1: pao: engine 3, record nobody"]


def test_the_ending_of_a_hand_is_compared(ron, drawn):
    def exhausted(game: Game) -> None:
        win = game.hands[0].outcome[0]
        game.hands[0].outcome = Drawn(Ending.EXHAUSTIVE, win.deltas, win.scores, None, 0, 0)

    assert mismatches(ron, exhausted) != []

    def nagashi(game: Game) -> None:
        game.hands[0].outcome.reason = Ending.NAGASHI_MANGAN

    assert mismatches(drawn, nagashi) == ["end: engine exhaustive, record nagashi mangan"]

    def twice(game: Game) -> None:
        game.hands[0].outcome *= 2

    assert mismatches(ron, twice) == ["winners: engine 1, record 2"]


def test_payments_and_tenpai_of_a_draw_are_compared(drawn):
    def payments(game: Game) -> None:
        game.hands[0].outcome.deltas = (0, 0, 0, 0)

    def shown(game: Game) -> None:
        game.hands[0].outcome.shown = (1, 2)

    def not_said(game: Game) -> None:
        game.hands[0].outcome.shown = None

    assert mismatches(drawn, payments) == ["payments: engine (-1000, 3000, -1000, -1000), record (0, 0, 0, 0)"]
    assert mismatches(drawn, shown) == ["seats that are tenpai: engine (1,), record (1, 2)"]
    assert mismatches(drawn, not_said) == []


def test_the_order_in_which_hands_are_shown_does_not_matter(two_hands):
    def turned(game: Game) -> None:
        game.hands[1].outcome.shown = game.hands[1].outcome.shown[::-1]

    assert mismatches(two_hands, turned) == []


def test_the_next_hand_is_compared(two_hands):
    def change(name: str, value: int):
        return lambda game: setattr(game.hands[1], name, value)

    for name, value in (("round", 1), ("dealer", 1), ("honba", 0), ("deposits", 1)):
        found = mismatches(two_hands, change(name, value))
        assert found[0].startswith("next round, dealer, honba, deposits: engine (0, 0, 1, 0)"), name


def test_points_before_the_next_hand_and_at_the_end_are_compared(two_hands, drawn):
    def before(game: Game) -> None:
        game.hands[1].scores = [points + 100 for points in game.hands[1].scores]

    assert mismatches(two_hands, before)[0].startswith("points before the next hand")

    def final(game: Game) -> None:
        game.final_scores = [25_000] * 4

    (found,) = mismatches(drawn, final)
    assert found == "final points: engine [24000, 28000, 24000, 24000], record [25000, 25000, 25000, 25000]"


def test_the_end_of_the_game_is_compared(drawn, two_hands):
    def ended(game: Game) -> None:
        game.hands, game.final_scores = game.hands[:1], [1, 2, 3, 4]

    assert mismatches(two_hands, ended) == ["game: engine goes on, record over"]

    def twice(game: Game) -> None:
        game.hands *= 2

    assert mismatches(drawn, twice)[0] == "game: engine over, record goes on"


def test_partial_games_and_hands_before_a_cut_one_are_not_followed(two_hands):
    def part(game: Game) -> None:
        game.hands, game.final_scores = game.hands[:1], None

    def cut(game: Game) -> None:
        game.cut = [CutHand(2, "damaged")]
        game.hands[1].honba = 5

    assert mismatches(two_hands, part) == []
    assert not any("next round" in line for line in mismatches(two_hands, cut))


def test_a_mismatch_contains_its_place(two_hands):
    other = copy.deepcopy(two_hands)
    other.hands[1].scores[0] += 100
    (found, *_) = Replayer().replay(other).mismatches
    assert (found.source, found.hand, found.event, found.sequel) == ("made", 1, None, True)
    other = copy.deepcopy(two_hands)
    other.hands[1].events[0, 1] = 2
    (found,) = Replayer().replay(other).mismatches
    assert (found.hand, found.event, found.what, found.sequel) == (2, 1, "event", False)
    assert str(found).startswith("made, hand 2, event 1: event: engine draw by seat 0 of ")


def test_a_record_that_continues_too_long_is_detected(drawn):
    def later(game: Game) -> None:
        events = game.hands[0].events
        game.hands[0].events = np.concatenate([events, events[-1:]])

    assert "end: engine the hand is over (exhaustive), record the hand goes on" in mismatches(drawn, later)[0]


def test_the_fu_of_a_hand_are_those_of_the_rules(ron, drawn):
    assert Replayer().fu(ron, 0) == (40,)
    assert Replayer().fu(drawn, 0) == ()
    other = copy.deepcopy(ron)
    other.hands[0].outcome[0].from_who = 3
    assert Replayer().fu(other, 0) == ()
