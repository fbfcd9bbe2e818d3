"""Fuzzing as ``tools/fuzz.py`` does it: a little in the ordinary suite, more on request, much more by the script."""

from __future__ import annotations

import json
import random
from collections.abc import Iterator

import pytest
from tools import fuzz

from janshi.compiling import PLAIN
from janshi.games import rules_of
from janshi.records import formats_of, write_games
from janshi.riichi.records import Game

WRITTEN = write_games
AMOUNTS = [100 if not PLAIN else 5, pytest.param(100_000, marks=pytest.mark.long)]


@pytest.fixture(scope="module")
def games() -> list[Game]:
    return fuzz.short_games()[:5]


@pytest.mark.parametrize("amount", AMOUNTS)
@pytest.mark.parametrize("form", [*formats_of("riichi"), fuzz.WIRE])
def test_damaged_records_are_refused_or_read(form: str, amount: int, games: list[Game]):
    findings = fuzz.fuzz_records(amount, 1, form, games)
    assert findings.faults == []
    assert findings.done == amount
    assert 0 < findings.counts["refused"] < amount


def test_a_fault_of_a_reader_is_found(games: list[Game], monkeypatch: pytest.MonkeyPatch):
    def read(data: bytes, name: str) -> Iterator[Game]:
        raise KeyError(name)

    monkeypatch.setattr(fuzz, "read_bytes", read)
    (fault,) = fuzz.fuzz_records(1, 1, "mjlog", games).faults
    assert fault.startswith("records mjlog seed 1 number 0: ")
    assert "KeyError: 'fuzz'" in fault


def test_games_that_come_back_as_they_were_are_told_from_others(games: list[Game], monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(fuzz, "damaged_record", lambda text, form, dice: text.encode())
    assert fuzz.fuzz_records(2, 1, "mjai", games).counts == {"as before": 2}
    other = write_games(games[1:2], "mjlog")
    monkeypatch.setattr(fuzz, "write_games", lambda games, form: other)
    monkeypatch.setattr(fuzz, "damaged_record", lambda text, form, dice: WRITTEN(games[:1], form)[0].encode())
    assert fuzz.fuzz_records(1, 1, "mjai", [games[0]]).counts == {"contradicts itself": 1}


@pytest.mark.parametrize("amount", [2_000, pytest.param(1_000_000, marks=pytest.mark.long)])
@pytest.mark.parametrize("rules", ["tenhou", "tenhou-sanma", "sichuan"])
def test_tables_take_what_is_legal_and_refuse_the_rest(rules: str, amount: int):
    findings = fuzz.fuzz_engine(amount if not PLAIN else 20, 1, rules_of(rules), tables=64 if not PLAIN else 2)
    assert findings.faults == []
    assert findings.counts["actions"] >= amount or PLAIN


def test_an_engine_that_takes_everything_is_found(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(fuzz.Tables, "step", lambda tables, actions: None)
    findings = fuzz.fuzz_engine(40 * 2, 1, rules_of("tenhou"), tables=2)
    assert any("not refused: action" in fault for fault in findings.faults)


def test_the_same_seed_damages_the_same():
    text = json.dumps({"a": [1, 2, {"b": "c"}], "d": 5})
    first, second = (fuzz.damaged_record(text, "mjai", random.Random(7)) for _ in range(2))
    assert first == second != text.encode()


@pytest.mark.long
def test_the_server_answers_whatever_it_is_sent():
    pytest.importorskip("websockets")
    for _, findings in fuzz.fuzz_web(20_000, 1):
        assert findings.faults == []
