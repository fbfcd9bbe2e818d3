"""Tenhou's mjlog: reading, writing, refusals."""

from __future__ import annotations

import re

import numpy as np
import pytest
from made_games import make_game

from janshi.riichi.records import Drawn, Ending, Event, Limit, RecordError, read_mjlog, write_mjlog
from janshi.riichi.records.mjlog import decode_meld, encode_meld
from janshi.riichi.records.model import UNFINISHED, RecordedMeld
from janshi.riichi.rules import TENHOU, TENHOU_SANMA

# An invented hand: seat 0 draws, seat 1 calls a pon, declares nothing, and wins on seat 2's discard.
DEAL = (
    "0,4,8,12,17,20,24,28,32,36,40,44,108",
    "109,110,52,56,60,64,68,72,76,80,84,88,92",
    "1,5,9,13,18,21,25,29,33,37,41,45,112",
    "2,6,10,14,19,22,26,30,34,38,42,46,116",
)
HAND = (
    '<INIT seed="0,0,0,2,3,120" ten="250,250,250,250" oya="0" '
    + " ".join(f'hai{seat}="{tiles}"' for seat, tiles in enumerate(DEAL))
    + "/><T100/><D108/>"
    # The East just discarded, with seat 1's 109 and 110: unused is 111 (3), called is the first of the three.
    + f'<N who="1" m="{(27 * 3 + 0) << 9 | 3 << 5 | 0x8 | 3}" /><E52/>'
    + '<V101/><REACH who="2" step="1"/><F101/>'
)
WIN = (
    '<AGARI ba="0,0" hai="56,60,64,68,72,76,80,84,88,92,101" m="41579" machi="101" ten="30,1000,0" yaku="10,1" '
    'doraHai="120" who="1" fromWho="2" sc="250,0,250,10,250,-10,250,0" owari="250,0.0,260,40.0,240,-20.0,250,-20.0" />'
)
OWARI = ' owari="250,0.0,260,40.0,240,-20.0,250,-20.0"'
START = '<mjloggm ver="2.3"><SHUFFLE seed="" ref=""/><GO type="169" lobby="0"/>'
NAMES = '<UN n0="A" n1="B%20C" n2="%E2%93%9D" n3="D" dan="16,17,18,20" rate="1500.00,1,2,3" sx="M,F,M,C"/>'


def record(
    hand: str = HAND + WIN, head: str = START + NAMES + '<TAIKYOKU oya="0"/>', end: str = "</mjloggm>"
) -> str:
    return head + hand + end


def test_a_hand_is_read_event_by_event() -> None:
    game = read_mjlog(record(), "made.mjlog")
    assert (game.players, game.rules, game.flags, game.names) == (4, TENHOU, 169, ["A", "B C", "ⓝ", "D"])
    assert (game.dan, game.sex) == ([16, 17, 18, 20], ["M", "F", "M", "C"])
    (hand,) = game.hands
    assert (hand.round, hand.dealer, hand.dora, hand.dice, hand.scores) == (0, 0, 120, (2, 3), [25_000] * 4)
    assert hand.deal.shape == (4, 13)
    assert hand.deal.dtype == np.uint8
    assert hand.events.dtype == np.int16
    assert hand.events.tolist() == [
        [Event.DRAW, 0, 100, -1, -1, -1, -1, -1],
        [Event.DISCARD, 0, 108, -1, 0, -1, -1, -1],
        [Event.PON, 1, 108, 0, 109, 110, -1, -1],
        [Event.DISCARD, 1, 52, -1, 0, -1, -1, -1],
        [Event.DRAW, 2, 101, -1, -1, -1, -1, -1],
        [Event.RIICHI, 2, -1, -1, -1, -1, -1, -1],
        [Event.DISCARD, 2, 101, -1, 1, -1, -1, -1],
    ]
    assert isinstance(hand.outcome, list)
    (win,) = hand.outcome
    assert (win.who, win.from_who, win.tile, win.fu, win.points, win.limit) == (1, 2, 101, 30, 1000, Limit.NONE)
    assert (win.han, win.yaku, win.deltas, win.pao) == (1, ((10, 1),), (0, 1000, -1000, 0), None)
    assert (game.final_scores, game.final_points) == ([25_000, 26_000, 24_000, 25_000], [0.0, 40.0, -20.0, -20.0])


def test_attributes_in_any_order_and_tags_of_reconnection_change_nothing() -> None:
    other = record().replace('who="2" step="1"', "step = '1' who='2'").replace("<V101/>", '<BYE who="3" />\n<V101 />')
    other = other.replace("<T100/>", '<UN n3="D" /><T100/>').replace("<SHUFFLE", "<!-- made --><SHUFFLE")
    assert read_mjlog(other, "x") == read_mjlog(record(), "x")


def test_a_tile_drawn_earlier_is_not_tsumogiri_after_a_call() -> None:
    hand = HAND.replace("<T100/><D108/>", "<T108/><D0/><U1/><E109/>")
    # The discard of the last drawn tile is tsumogiri, but not after another player's discard.
    game = read_mjlog(
        record(hand.split("<N who")[0] + "<V108/>" + '<RYUUKYOKU ba="0,0" sc="250,0,250,0,250,0,250,0"/>')
    )
    assert game.hands[0].events[:, 4].tolist() == [-1, 0, -1, 0, -1]


def test_every_code_of_a_set_survives_a_round_trip() -> None:
    codes = 0
    for code in range(1 << 16):
        try:
            meld = decode_meld(code)
        except RecordError:
            continue
        again = encode_meld(meld)
        # Meaningless bits are dropped; the meaning is kept.
        assert decode_meld(again) == meld
        codes += again == code
    # 21 runs x 64 copies x 3 called; 34 pons x 4 left out x 3 called x 3 feeders, twice with kans added; open kans by
    # id and discarder, closed ones by id, kitas by id.
    assert codes == 21 * 64 * 3 + 2 * 34 * 4 * 3 * 3 + 136 * 3 + 136 + 136


def test_sanma_has_three_seats_everywhere(sample) -> None:
    for name, data in sample("sanma-2022", 5):
        game = read_mjlog(data.decode(), name)
        assert game.players == len(game.names) == 3
        assert game.rules == TENHOU_SANMA
        for hand in game.hands:
            assert hand.deal.shape == (3, 13)
            assert len(hand.scores) == 3
            assert int(hand.events[:, 1].max()) <= 2


def test_lobby_rules_are_kept(sample) -> None:
    games = [read_mjlog(data.decode(), name) for name, data in sample("four-odd", 42) if b"csrule" in data]
    assert len(games) == 1
    assert games[0].custom.startswith("rule=,,0101,0,0,0,0;csrule=")
    assert games[0].flags == 257
    assert read_mjlog(write_mjlog(games[0])).custom == games[0].custom


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("", "not an mjlog"),
        ("<html></html>", "not an mjlog"),
        (record("", START + NAMES), "contains no hand"),
        (record(HAND + WIN, '<mjloggm ver="2.3">'), "before the type of the game"),
        (record(WIN), "a hand ends that never started"),
    ],
)
def test_damage_is_reported_in_one_line(text: str, says: str) -> None:
    with pytest.raises(RecordError) as caught:
        read_mjlog(text, "file.mjlog")
    assert says in str(caught.value)
    assert str(caught.value).startswith("file.mjlog")
    assert "\n" not in str(caught.value)


#: Hands that cannot be read, each with the reason.
CUT = [
    (HAND, "event 8: the hand has no end (AGARI or RYUUKYOKU)"),
    (HAND + WIN + "<T5/>", "event 9: events follow the end of the hand"),
    (HAND.replace("<V101/>", "<V/>") + WIN, "event 5: <V/> hides the tile"),
    (HAND.replace(",108", "") + WIN, ": seat 0 is dealt 12 tiles"),
    (HAND.replace(",108", ",255") + WIN, ": tile 255 is dealt"),
    (HAND.replace(' oya="0"', "") + WIN, ": <INIT> lacks oya"),
    (HAND.replace('seed="0', 'seed="77') + WIN, ": round 77"),
    (HAND + WIN.replace('sc="250', 'sc="x'), ": <AGARI> is damaged"),
    (HAND + WIN.replace('yaku="10', 'yaku="99'), ": 99 is not a yaku"),
]


@pytest.mark.parametrize(("damaged", "says"), CUT, ids=[says for _, says in CUT])
@pytest.mark.parametrize("before", range(3))
def test_a_hand_that_cannot_be_read_costs_that_hand(damaged: str, says: str, before: int) -> None:
    whole = HAND + WIN
    game = read_mjlog(record(whole * before + damaged + whole * (2 - before)))
    assert game.hands == read_mjlog(record(whole * 2)).hands
    assert [game.number_of(index) for index in range(2)] == [number for number in (1, 2, 3) if number != before + 1]
    (cut,) = game.cut
    assert str(cut).startswith(f"hand {before + 1}")
    assert says in str(cut)


def test_a_record_cut_within_a_hand_keeps_the_hands_before() -> None:
    game = read_mjlog(record(HAND + WIN + HAND, end=""))
    assert len(game.hands) == 1
    assert str(game.cut[0]) == "hand 2, event 8: the hand has no end (AGARI or RYUUKYOKU)"
    assert read_mjlog(record(HAND + WIN.replace(OWARI, ""), end="")).notes == {UNFINISHED: 1}


def test_a_hand_that_contradicts_itself_is_not_written() -> None:
    game = make_game(4, 5)
    game.hands[1].events[1, 2] = game.hands[1].deal[3, 0]
    with pytest.raises(RecordError, match=r"made, hand 2, event 2: seat \d uses \w+, which is not in its hand"):
        write_mjlog(game)


def test_drawn_hands_contain_reason_and_shown_hands(sample) -> None:
    reasons = set()
    for name, data in sample("four-rare", 107):
        if name.endswith(".mjlog"):
            for hand in read_mjlog(data.decode(), name).hands:
                if isinstance(hand.outcome, Drawn):
                    reasons.add(hand.outcome.reason)
                    if hand.outcome.reason == Ending.KYUUSHU_KYUUHAI:
                        assert hand.outcome.shown is not None
                        assert len(hand.outcome.shown) == 1
    assert {Ending.EXHAUSTIVE, Ending.KYUUSHU_KYUUHAI, Ending.TRIPLE_RON} <= reasons


@pytest.mark.parametrize("pattern", [r'(hai0="\d+(?:,\d+){11},)\d+', r"<()T\d+"])
def test_three_players_have_no_2m_to_8m(pattern: str) -> None:
    text = write_mjlog(make_game(3, 1))
    assert read_mjlog(text).players == 3
    damaged = re.sub(pattern, r"<T14" if "T" in pattern else r"\g<1>14", text, count=1)
    assert damaged != text
    assert str(read_mjlog(damaged).cut[0]) == "hand 1: games of three players have no 2m to 8m"


def test_tiles_that_are_no_set_have_no_code() -> None:
    for event, tiles in ((Event.PON, (0, 1, 2)), (Event.CHII, (0, 4, 8)), (Event.KAKAN, (0, 1, 2, 3))):
        with pytest.raises(RecordError, match="71 called are no set"):
            encode_meld(RecordedMeld(event, tiles, called=71, discarder=1, added=3))
