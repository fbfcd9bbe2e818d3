"""Short records of constructed games with rare events."""

from __future__ import annotations

import dataclasses

from janshi.riichi.actions import Action
from janshi.riichi.records import Game, read_games
from janshi.riichi.records.live import Story
from janshi.riichi.records.model import Event
from janshi.riichi.rules import TENHOU, Length, Rules
from janshi.sample import SAMPLE
from janshi.table import Table
from tests.rules.tables import do, make_table, offer, pass_all, throw

SINGLE = dataclasses.replace(TENHOU, length=Length.SINGLE_HAND)


def story_of(table: Table) -> Story:
    """Return the story of a table from now on."""
    story = Story(table.record, table.rules, ["a", "b", "c", "d"][: table.rules.players])
    story.update()
    return story


def game_of(story: Story) -> Game:
    """Return the record of a story."""
    story.update()
    return story.game("made")


def calls_game() -> Game:
    """South 1 with each kind of call, red fives among them, replacement tiles, three kans, and a ron at its end."""
    deals = ["1111m333z34s99s27p", "46p05s74s389m19p4z", "89s555z234p778m66p", "06m5s22058p11s246z"]
    table = make_table(SINGLE, deals, "5p3z5s1z1z7z7z", dora="2s3s8p4p", ura="1s6s7s8s", replacements="6z7z6z")
    table.state.kyoku, table.state.honba, table.state.deposits = 4, 3, 2
    for seat, points in enumerate((26_100, 31_000, 18_900, 22_000)):
        table.state.seats[seat].points = points
    story = story_of(table)
    do(table, 0, Action.ANKAN)
    offer(table, 0, "5p")
    low, middle, high, pon = Action.CHII, Action.CHII + 1, Action.CHII_RED + 2, Action.PON + 1
    for seat, action, thrown in ((1, middle, "7s"), (2, low, "7m"), (3, high, "5s"), (1, pon, "4s")):
        while table.actor != seat or action not in table.legal:
            table.act(Action.PASS)
        do(table, seat, action)
        pass_all(table)
        offer(table, seat, thrown)
    pass_all(table)
    offer(table, 2, "3z")
    do(table, 0, Action.DAIMINKAN)
    throw(table, 0, "7z")
    do(table, 1, Action.KAKAN + 22)
    for seat, thrown in ((1, "6z"), (2, "1z"), (3, "1z"), (0, "7z")):
        throw(table, seat, thrown)
    offer(table, 1, "9m")
    while not table.hand_over:
        table.act(Action.RON if Action.RON in table.legal else Action.PASS)
    return game_of(story)


def fives_game() -> Game:
    """West 1 with a closed, an open and an added kan of fives with the red one, and turns after each; then a ron."""
    deals = ["0555s147m28p1234z", "5m5p123m789p789s11z", "055p189m1238s567z", "55m369m49p36s3344z"]
    draws = "9m1p7z8m2p9s4p4s0m6z6m7m2s3p"
    table = make_table(SINGLE, deals, draws, replacements="1m2m7p")
    table.state.kyoku = 8
    story = story_of(table)
    do(table, 0, Action.ANKAN + 22)
    throw(table, 0, "1z")
    offer(table, 1, "5p")
    call(table, 2, Action.DAIMINKAN, "8s")
    for seat, thrown in ((3, "7z"), (0, "2z")):
        throw(table, seat, thrown)
    offer(table, 1, "5m")
    call(table, 3, Action.PON, "9p")
    for seat, thrown in ((0, "3z"), (1, "4p"), (2, "4s")):
        throw(table, seat, thrown)
    do(table, 3, Action.KAKAN + 4)
    for seat, thrown in ((3, "4p"), (0, "6z"), (1, "6m"), (2, "7m"), (3, "2s")):
        throw(table, seat, thrown)
    offer(table, 0, "3p")
    while not table.hand_over:
        table.act(Action.RON if Action.RON in table.legal else Action.PASS)
    return game_of(story)


def four_tiles_game(left: str) -> Game:
    """Seat 1 calls three winds and holds ``left``; seat 0 discards 5p, and seat 1 draws. Nobody wins."""
    table = make_table(SINGLE, ["1z5p", f"{left}112233z19m9s", "2z3z"], "4z4z4z5z6z7z")
    story = story_of(table)
    for seat, thrown, then in ((0, "1z", "9m"), (2, "2z", "9s"), (2, "3z", "1m")):
        offer(table, seat, thrown)
        call(table, 1, Action.PON, then)
    for seat, thrown in ((2, "5z"), (3, "6z"), (0, "5p")):
        throw(table, seat, thrown)
    while not table.hand_over:
        table.act(Action.PASS if Action.PASS in table.legal else Action.TSUMOGIRI)
    return game_of(story)


def call(table: Table, seat: int, action: int, thrown: str) -> None:
    """Let a seat call the offered tile and discard."""
    while table.actor != seat or action not in table.legal:
        table.act(Action.PASS)
    do(table, seat, action)
    pass_all(table)
    throw(table, seat, thrown)


def riichi_game(rules: Rules = SINGLE) -> Game:
    """Seat 1 declares riichi and wins at once on seat 2's 9s: a red five, a dora and an ura-dora."""
    table = make_table(rules, ["", "340m567p345s78s11z"], "5z8s9s", dora="8s", ura="4m")
    story = story_of(table)
    throw(table, 0, "5z")
    do(table, 1, Action.RIICHI)
    throw(table, 1, "8s")  # or 7s, for another wait
    offer(table, 2, "9s")
    do(table, 1, Action.RON)
    return game_of(story)


def late_riichi_game() -> Game:
    """Seat 1 declares riichi and wins on seat 0's 9s after everybody has had another turn."""
    table = make_table(SINGLE, ["", "340m567p345s78s11z"], "5z8s6z7z7z6z3z4z9s")
    story = story_of(table)
    throw(table, 0, "5z")
    do(table, 1, Action.RIICHI)
    for seat, thrown in ((1, "8s"), (2, "6z"), (3, "7z"), (0, "7z"), (2, "3z"), (3, "4z")):
        throw(table, seat, thrown)
    offer(table, 0, "9s")
    do(table, 1, Action.RON)
    return game_of(story)


def sanma_game() -> Game:
    """Return the shortest hand with kita and a kan in the package's sample of three players."""
    game = next(game for game in read_games([SAMPLE]) if isinstance(game, Game))
    kans = {Event.DAIMINKAN, Event.ANKAN, Event.KAKAN}
    events = [{*hand.events[:, 0].tolist()} for hand in game.hands]
    hands = [hand for hand, seen in zip(game.hands, events, strict=True) if Event.KITA in seen and seen & kans]
    hand = min(hands, key=lambda hand: len(hand.events))
    return dataclasses.replace(game, hands=[hand], final_scores=None, custom="one hand of it")
