"""A Sichuan table: stored and saved games, hints."""

from __future__ import annotations

import pytest

pytest.importorskip("fastapi")

from janshi.sichuan.records.jsonl import read_sichuan, replay_sichuan
from tests.web.conftest import Browser

WANTED = {"rules": "sichuan-exchange", "length": "four", "agents": ["efficient", "random"], "name": "Mori"}


def test_the_site_offers_sichuan_and_its_players(browser: Browser) -> None:
    site = browser.client.get("/api/site").json()
    rules = {one["name"]: one for one in site["rules"]}
    lengths = ["four", "hand", "eight"]
    assert rules["sichuan"] == {"name": "sichuan", "game": "sichuan", "players": 4, "lengths": lengths}
    players = [one["name"] for one in site["players"] if "sichuan" in one["games"]]
    assert players == ["sichuan", "efficient", "heuristic", "random"]


def test_a_game_is_saved_and_its_record_can_be_replayed(browser: Browser) -> None:
    made = browser.open(**WANTED, seed=3)
    with browser.tab() as tab:
        welcome = tab.join(made)
        assert (welcome["game"], welcome["formats"], welcome["reviews"]) == ("sichuan", ["janshi-sichuan"], True)
        end = tab.play_on()
    assert sum(end["scores"]) == 0
    address = f"/api/tables/{made['table']}"
    record = browser.client.get(f"{address}/record", params={"key": made["key"]})
    (played,) = read_sichuan(record.text)
    assert replay_sichuan(played).mismatches == []
    assert (len(played.hands), list(played.hands[-1].end)) == (4, end["scores"])
    review = browser.client.post(f"{address}/review", params={"key": made["key"]}).json()["review"]
    reviewed = browser.client.get(f"/api/reviews/{review}").json()
    assert (reviewed["unit"], reviewed["by"], reviewed["seat"]) == ("points", "sichuan", made["seat"])
    assert len(reviewed["decisions"]) > 20


def test_a_hint_gives_its_reasons(browser: Browser) -> None:
    made = browser.open(rules="sichuan", agents=["efficient"], seed=2)
    with browser.tab() as tab:
        tab.join(made)
        worth = 0
        for number in range(60):
            while tab.ask is None:
                if any(event["type"] == "end_game" for message in tab.heard for event in message.get("events", [])):
                    assert worth > 0
                    return
                tab.hear()
            tab.say({"type": "hint", "number": tab.ask["number"]})
            advice = tab.hear_of("advised")["advice"]
            assert abs(sum(one["share"] for one in advice["preferences"]) - 1) < 0.05
            if number == 0:
                assert [one["suit"] for one in advice["voids"]] == ["m", "p", "s"]
            for candidate in advice["candidates"]:
                assert (candidate["shanten"] == 0) == bool(candidate["worth"])
                worth += len(candidate["worth"])
            tab.say({"type": "act", "number": tab.ask["number"], "action": advice["best"]})
            tab.ask = None
            tab.hear()
