"""``janshi playouts``: a table of options, JSON, one-line errors."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest

from janshi.cli.playouts import PlayoutsOptions, show_playouts
from janshi.sample import SAMPLE
from janshi.sichuan.records.jsonl import play_random_game, write_sichuan

HAND = "111999m123p789p55z"


def run(capsys: pytest.CaptureFixture[str], position: str, **options: Any) -> str:
    show_playouts(PlayoutsOptions(position, players="efficient", samples=128, **options))
    return capsys.readouterr().out


def test_a_win_is_the_best_option(capsys: pytest.CaptureFixture[str]):
    printed = run(capsys, HAND, options=2, scale="place")
    assert "tsumo" in printed
    assert "placement" in printed


def test_json_has_every_option_of_a_position_of_a_record(capsys: pytest.CaptureFixture[str]):
    found = json.loads(run(capsys, str(SAMPLE), decision=5, options=2, as_json=True))
    assert found["samples"] == 128
    assert len(found["options"]) == 2
    assert 0 <= found["options"][0]["win"]["low"] <= found["options"][0]["win"]["value"]


def test_a_decision_of_a_sichuan_record_or_hand_is_played_on(capsys: pytest.CaptureFixture[str], tmp_path: Path):
    record = tmp_path / "game.jsonl"
    record.write_text(write_sichuan(play_random_game("sichuan-exchange", seed=2)))
    void = json.loads(run(capsys, str(record), decision=14, seat=1, options=0, as_json=True))
    assert (void["seat"], void["options"][0]["text"]) == (1, "void characters")
    assert re.search(r"void dots .* -?\d+\.\d ± \d+\.\d", run(capsys, "1123m4578p123559s", rules="sichuan"))


def test_the_outcome_model_is_printed_beside_playouts(capsys: pytest.CaptureFixture[str]):
    found = json.loads(run(capsys, str(SAMPLE), decision=5, options=2, scale="place", model=True, as_json=True))
    figures = found["options"][0]["model"]
    assert 0 < figures["win"] + figures["deal_in"] + figures["draw"] < 1
    assert -3 <= figures["placement"] <= -1
    assert "outcome model" in run(capsys, str(SAMPLE), decision=5, options=2, model=True)
