"""The sources of fu: what counts, and that their sum is the fu of every win."""

import dataclasses

import pytest

from janshi.riichi.hands import score
from janshi.riichi.records import read_games
from janshi.riichi.records.fu import fu_parts_of
from janshi.riichi.records.mjai import hand_end_events
from janshi.riichi.rules import TENHOU
from janshi.sample import SAMPLE
from tests.cases import few_or_many
from tests.rules.test_yaku import FU, HANDS

RON = [("base", 20, None), ("closed_ron", 10, None)]
TSUMO = [("base", 20, None), ("tsumo", 2, None)]

# claim, tiles (the winning one last), circumstances, the sources
SOURCES = [
    ("seven pairs are 25 alone", "1133m4466p7799s1z1z", {}, [("chiitoitsu", 25, None)]),
    ("pinfu by self-draw is 20 alone", "234m567p99m123s786s", {"tsumo": True}, [("pinfu_tsumo", 20, None)]),
    ("pinfu by ron is 30", "234m567p99m123s786s", {}, RON),
    ("an open hand of runs is 30", "234m567p22s678s", {"melds": ["345s"]}, [RON[0], ("open_pinfu", 10, None)]),
    ("wait on the pair", "234m567p345s678s99m", {"win": "9m"}, [*RON, ("pair_wait", 2, None)]),
    ("middle wait", "234m567p345s678s99m", {"win": "7s"}, [*RON, ("closed_wait", 2, None)]),
    ("edge wait on the three", "123m567p345s678s99p", {"win": "3m"}, [*RON, ("edge_wait", 2, None)]),
    ("edge wait on the seven", "789m567p345s678s99p", {"win": "7m"}, [*RON, ("edge_wait", 2, None)]),
    ("pair of a dragon", "234m567p345s678s55z", {"win": "8s"}, [*RON, ("pair", 2, "P")]),
    ("pair of both winds", "234m567p345s678s11z", {"win": "8s"}, [*RON, ("pair", 4, "E")]),
    ("concealed triplet of simples", "234m567p678s222s33p", {"win": "8s"}, [*RON, ("closed_triplet", 4, "2s")]),
    ("concealed triplet of honours", "234m567p678s555z33p", {"win": "8s"}, [*RON, ("closed_triplet", 8, "P")]),
    ("a triplet completed by ron is open", "345m567p678s33z99s9s", {}, [*RON, ("open_triplet", 4, "9s")]),
    ("… by self-draw closed", "345m567p678s33z99s9s", {"tsumo": True}, [*TSUMO, ("closed_triplet", 8, "9s")]),
    (
        "open triplets, open and closed kan",
        "22p555z",
        {"melds": ["999m", "4444s"], "closed_kans": ["1111z"]},
        [
            RON[0],
            *[("open_triplet", 4, "9m"), ("open_kan", 8, "4s"), ("closed_kan", 32, "E"), ("open_triplet", 4, "P")],
        ],
    ),
    (
        "three runs read as triplets if these are worth more",
        "222333444p99s67s8s",
        {},
        [*RON, ("closed_triplet", 4, "2p"), ("closed_triplet", 4, "3p"), ("closed_triplet", 4, "4p")],
    ),
    ("a yakuman has no fu", "1112345678999m9m", {}, []),
]


@pytest.mark.parametrize(("claim", "tiles", "how", "sources"), SOURCES, ids=[case[0] for case in SOURCES])
def test_sources(claim, tiles, how, sources):
    value = score(tiles, **{"riichi": not how.get("melds"), **how})
    assert list(value.fu_parts) == sources
    assert value.yakuman or value.fu == rounded(value.fu_parts)


def rounded(parts):
    """Return the fu of sources by the rule: their sum, rounded up to tens except seven pairs."""
    total = sum(part.fu for part in parts)
    return total if total == 25 else -(-total // 10) * 10


@pytest.mark.parametrize("case", [*FU, *HANDS], ids=lambda case: str(case[0])[:40])
def test_the_rounded_sum_is_the_fu(case):
    tiles, how = case[1:3]
    value = score(tiles, **how) if case in HANDS else score(tiles, **{"riichi": not how.get("melds"), **how})
    assert rounded(value.fu_parts) == value.fu == case[-1]


def test_a_rule_set_decides_what_counts():
    double = {"tiles": "234m567p345s678s11z", "win": "8s", "riichi": True}
    assert score(**double, rules=dataclasses.replace(TENHOU, double_wind_fu=2)).fu_parts[-1] == ("pair", 2, "E")
    rinshan = {"tiles": "234m567p77z68s7s", "closed_kans": ["2222s"], "tsumo": True, "rinshan": True}
    value = score(**rinshan, rules=dataclasses.replace(TENHOU, replacement_fu=False))
    assert [part.source for part in value.fu_parts] == ["base", "closed_kan", "pair", "closed_wait"]


@pytest.mark.parametrize("archive", ["four-2024", "sanma-2018"])
@few_or_many(("most", "least"), (150, 1000), (None, 6000))
def test_the_fu_of_recorded_wins_are_explained(archive, most, least, real_games):
    wins = 0
    for game in real_games(archive, most):
        for hand in game.hands:
            for win in hand.wins:
                parts = fu_parts_of(game.rules, hand, win)
                assert rounded(parts) == (0 if win.yakuman else win.fu), (game.source, hand.round, win)
                wins += not win.yakuman
    assert wins > least


def test_fu_that_contradict_the_rules_are_not_explained():
    game = next(read_games([SAMPLE]))
    hand = next(hand for hand in game.hands if hand.wins and not hand.wins[0].yakuman)
    (event, *_) = hand_end_events(game.rules, hand)
    assert [list(part) for part in fu_parts_of(game.rules, hand, hand.wins[0])] == event["janshi"]["fu_parts"]
    hand.wins[0].fu += 10
    (event, *_) = hand_end_events(game.rules, hand)
    assert "fu_parts" not in event["janshi"]
