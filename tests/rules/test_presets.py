"""Points of games by preset, and a record of pao that other rules do not have."""

import dataclasses

import pytest

from janshi.games import rules_of
from janshi.riichi.records import read_bytes, write_games
from janshi.riichi.records.recording import GameRecording
from janshi.riichi.records.replay import Replayer
from janshi.riichi.rules import TENHOU, TENHOU_SANMA, Length, RuleError, final_points
from tests.claims import cases_of
from tests.rules.tables import RIICHI_WORDS, laid


@pytest.mark.parametrize(*cases_of("riichi-payments", "final points"))
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
