"""Points of games by preset, and a record of pao that other rules do not have."""

import dataclasses

import pytest

from janshi.games import rules_of
from janshi.riichi.records import read_bytes, write_games
from janshi.riichi.records.recording import GameRecording
from janshi.riichi.records.replay import Replayer
from janshi.riichi.rules import TENHOU, TENHOU_SANMA, Length, RuleError, final_points
from tests.rules.tables import RIICHI_WORDS, laid


@pytest.mark.parametrize(
    ("rules", "scores", "points"),
    [
        # Tied players share uma and oka, or the first dealer leads.
        ("m-league", [40_000, 20_000, 20_000, 20_000], [60.0, -20.0, -20.0, -20.0]),
        ("tenhou", [40_000, 20_000, 20_000, 20_000], [50.0, 0.0, -20.0, -30.0]),
        # 50,000 among three: remaining hundreds go to the first dealer.
        ("m-league", [10_000, 30_000, 30_000, 30_000], [-50.0, 16.7, 16.7, 16.6]),
        ("m-league", [25_000] * 4, [0.0] * 4),
        ("m-league", [35_000, 15_000, 35_000, 15_000], [35.0, -35.0, 35.0, -35.0]),
        ("ema", [30_000, 30_000, 35_000, 25_000], [0.0, 0.0, 20.0, -20.0]),
        ("saikyosen", [25_000] * 4, [45.0, 5.0, -15.0, -35.0]),
        ("kyokai", [25_000] * 4, [0.0] * 4),
        # The uma depends on the players above 30,000, and tied ones share it.
        ("jpml-a", [45_000, 29_000, 26_000, 20_000], [27.0, -2.0, -7.0, -18.0]),
        ("jpml-a", [45_000, 30_000, 25_000, 20_000], [23.0, 4.0, -9.0, -18.0]),
        ("jpml-a", [40_000, 31_000, 30_000, 19_000], [18.0, 4.0, 1.0, -23.0]),
        ("jpml-a", [30_000, 30_000, 30_000, 30_000], [0.0, 0.0, 0.0, 0.0]),
        ("jpml-a", [31_000, 31_000, 31_000, 27_000], [5.0, 5.0, 5.0, -15.0]),
    ],
)
def test_final_points(rules, scores, points):
    assert final_points(rules_of(rules), scores) == points


def test_three_players_have_no_floating_uma():
    with pytest.raises(RuleError, match="are for four players"):
        dataclasses.replace(TENHOU_SANMA, uma_one_above=(12_000, -1_000, -3_000, -8_000))


@pytest.mark.parametrize("form", ["mjai", "tenhou6", "mjlog"])
def test_a_record_of_the_pao_of_an_open_kan_replays(form):
    deals = "any 111m222p345s99p67s"
    table = laid({"rules": "tenhou-hand pao_rinshan=true", "deals": deals, "draws": "1m", "replacements": "8s"})
    RIICHI_WORDS.play(table, "0:1m 1:kan 1:tsumo")
    recording = GameRecording(TENHOU, ["a", "b", "c", "d"])
    recording.add_hand(table.record)
    (read,) = read_bytes(write_games([recording.game()], form)[0].encode(), "made")
    for pao in (True, False):
        read.rules = dataclasses.replace(TENHOU, pao_rinshan=pao, length=Length.SINGLE_HAND)
        assert bool(Replayer().replay(read).mismatches) != pao
