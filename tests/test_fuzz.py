"""Fuzzing with ``tools/fuzz.py``: few cases in ordinary runs, more with ``-m long``."""

from __future__ import annotations

import pytest
from tools import fuzz

from janshi.compiling import PLAIN
from janshi.games import rules_of
from janshi.riichi.records import RiichiGame

AMOUNTS = [100 if not PLAIN else 5, pytest.param(100_000, marks=pytest.mark.long)]


@pytest.fixture(scope="module")
def games() -> list[RiichiGame]:
    return fuzz.short_games()[:5]


@pytest.mark.parametrize("amount", AMOUNTS)
@pytest.mark.parametrize("form", fuzz.FORMS)
def test_damaged_records_are_refused_or_read(form: str, amount: int, games: list[RiichiGame]):
    findings = fuzz.fuzz_records(amount, 1, form, games)
    assert findings.faults == []
    assert findings.done == amount
    assert 0 < findings.counts["refused"] < amount


@pytest.mark.parametrize("amount", [2_000, pytest.param(1_000_000, marks=pytest.mark.long)])
@pytest.mark.parametrize("rules", ["tenhou", "tenhou-sanma", "sichuan"])
def test_tables_accept_legal_actions_and_refuse_others(rules: str, amount: int):
    findings = fuzz.fuzz_engine(amount if not PLAIN else 20, 1, rules_of(rules), tables=64 if not PLAIN else 2)
    assert findings.faults == []
    assert findings.counts["actions"] >= amount or PLAIN


@pytest.mark.long
def test_the_server_answers_any_message():
    pytest.importorskip("websockets")
    for _, findings in fuzz.fuzz_web(20_000, 1):
        assert findings.faults == []
