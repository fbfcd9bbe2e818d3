"""The player's finished games: kept once, counted by hand, reviewed, exported and erased."""

from __future__ import annotations

import asyncio
import dataclasses
import json
import sqlite3
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from janshi.agents import agent
from janshi.cli.play import history_of
from janshi.records import write_games
from janshi.review import read_game, review_game
from janshi.review.losses import with_losses
from janshi.review.model import Decision, Loss, Reason
from janshi.riichi.records import read_games
from janshi.sample import SAMPLE
from janshi.web.history import FinishedGame, History, StoredHand
from janshi.web.review_process import ReviewProcess
from janshi.web.storage import Storage
from janshi.web.table_manager import Setup
from tests.web.conftest import Browser, Tab

Start = Callable[[], Any]


@pytest.fixture
def start(serving: Callable[..., Any], tmp_path: Path) -> Start:
    """Return a function that serves tables and the history of one folder."""
    return lambda: serving(Setup(pace=0.0, storage=Storage(tmp_path), history=History(tmp_path / "history.sqlite")))


def finish(browser: Browser, tab: Tab, **wanted: Any) -> dict[str, Any]:
    """Play a game to its end."""
    made = browser.open(name="Mori", seat=0, **wanted)
    tab.join(made)
    while tab.events()[-1]["type"] != "end_game":
        if tab.ask is not None:
            tab.answer()
        elif tab.events()[-1]["type"] == "end_kyoku":
            tab.say({"type": "next"})
        tab.hear()
    return made


def kept(browser: Browser) -> dict[str, Any]:
    """Return the history with at least one game; it is written just after the end has been shown."""
    for _ in range(400):
        found: dict[str, Any] = browser.client.get("/api/history").json()
        if found["games"]:
            return found
        time.sleep(0.05)
    raise AssertionError("the game has not been kept")


@pytest.mark.parametrize(("rules", "length"), [("tenhou-sanma", "east"), ("tenhou", "hand"), ("sichuan", "four")])
def test_a_finished_game_is_kept_with_the_results_of_its_hands(start: Start, rules: str, length: str) -> None:
    with start() as browser, browser.tab() as tab:
        assert browser.client.get("/api/site").json()["history"]
        made = finish(browser, tab, rules=rules, length=length, agents=["efficient"])
        found = kept(browser)
        hands = [event for event in tab.events() if event["type"] == "start_kyoku"]
        (game,) = found["games"]
        assert (game["id"], game["names"][0], game["length"]) == (made["table"], "Mori", length)
        (figures,) = found["figures"]
        assert (figures["games"], figures["hands"], sum(figures["places"])) == (1, len(hands), 1)
        if length == "hand":
            assert figures["rating"] is None
        else:
            assert figures["rating"]["games"] == 1
            assert figures["rating"]["low"] < figures["rating"]["rating"] < figures["rating"]["high"]
        exported = browser.client.get("/api/history/games.json")
        assert "attachment" in exported.headers["content-disposition"]
        (everything,) = exported.json()["games"]
        start_points = hands[0]["scores"][0] if "scores" in hands[0] else 0
        assert start_points + sum(hand["change"] for hand in everything["hands"]) == game["points"]
        assert game["reviews"]
        review = browser.client.post(f"/api/history/{game['id']}/review")
        assert review.status_code == 200
        if "sichuan" not in rules:
            address = f"/api/reviews/{review.json()['review']}"
            assert browser.client.get(address, params={"by": "efficient"}).json()["names"][0] == "Mori"
    with start() as browser, browser.tab() as tab:
        tab.join(made)  # a finished game that is opened again is not a second one
        assert [again["ended"] for again in kept(browser)["games"]] == [game["ended"]]
        erased = browser.client.post("/api/history/erase").json()
        assert (erased["games"], erased["figures"]) == ([], [])
        assert browser.client.get("/api/history/games.json").json() == {"games": [], "drills": []}
        gone = browser.client.post(f"/api/history/{game['id']}/review")
        assert (gone.status_code, gone.json()["reason"]) == (404, "this game is not in the history")


def test_hands_of_the_history_agree_with_the_record(start: Start, tmp_path: Path) -> None:
    with start() as browser, browser.tab() as tab:
        finish(browser, tab, rules="tenhou-sanma", length="south", agents=["efficient"], seed=3)
        kept(browser)
        (game,) = browser.client.get("/api/history/games.json").json()["games"]
    file = tmp_path / "game.mjson"
    file.write_text(game["record"])
    (record,) = read_games([file])
    assert len(record.hands) == len(game["hands"]) > 2
    for hand, own in zip(record.hands, game["hands"], strict=True):
        wins = [win for win in hand.wins if win.who == 0]
        assert own["won"] == bool(wins)
        assert own["value"] == sum(win.points for win in wins)
        assert own["dealt_in"] == any(win.from_who == 0 != win.who for win in hand.wins)


def test_a_watched_game_is_not_kept(start: Start) -> None:
    with start() as browser, browser.tab() as tab:
        made = browser.open(rules="tenhou-sanma", length="hand", watch=True, agents=["efficient"])
        tab.join(made)
        while tab.events()[-1]["type"] != "end_game":
            tab.hear()
        assert browser.client.get("/api/history").json()["games"] == []


def test_a_damaged_history_is_reported_and_games_go_on(start: Start, tmp_path: Path) -> None:
    with start() as browser, browser.tab() as tab:
        (tmp_path / "history.sqlite").write_text("no database" * 100)
        answer = browser.client.get("/api/history")
        assert (answer.status_code, answer.json()["reason"]) == (503, "file is not a database")
        finish(browser, tab, rules="tenhou-sanma", length="hand", agents=["efficient"])


def test_a_bad_row_hides_no_other(start: Start, tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    history = History(tmp_path / "history.sqlite")
    hand = StoredHand(won=True, self_drawn=False, dealt_in=False, value=8000, change=8300, habits={"riichi": True})
    game = FinishedGame(
        id="known", ended=0.0, game="riichi", rules="tenhou", length="east", seat=0, names=list("abcd"), place=1,
        points=33_300, record="", hands=[hand, dataclasses.replace(hand, habits={})],
    )  # fmt: skip
    history.add(game)
    history.add(dataclasses.replace(game, id="not installed", game="shogi", rules="shogi"))
    history.add(dataclasses.replace(game, id="damaged"))
    with sqlite3.connect(tmp_path / "history.sqlite") as database:
        database.execute("UPDATE games SET names = '[\"a' WHERE id = 'damaged'")
        database.execute("UPDATE hands SET habits = '3' WHERE game = 'not installed' AND number = 0")
    with start() as browser:
        found = browser.client.get("/api/history").json()
        assert {game["id"]: game["reviews"] for game in found["games"]} == {"known": True, "not installed": False}
        assert [(figures["game"], figures["hands"]) for figures in found["figures"]] == [("riichi", 2), ("shogi", 1)]
        exported = browser.client.get("/api/history/games.json").json()["games"]
        assert {game["id"]: game["names"] for game in exported}["damaged"] == '["a'
    assert "a row of the history is left out (damaged)" in caplog.text


def test_only_the_history_waits_for_its_database(start: Start, tmp_path: Path) -> None:
    with start() as browser:
        manager = browser.client.app.state.manager  # type: ignore[attr-defined]
        database = sqlite3.connect(tmp_path / "history.sqlite")
        database.execute("BEGIN EXCLUSIVE")

        async def waiting() -> bool:
            questions = [manager.review_past("x"), manager.drills(), manager.own_history(), manager._keep(None)]
            tasks = [asyncio.ensure_future(question) for question in questions]
            await asyncio.sleep(0.2)  # the loop goes on meanwhile
            still = not any(task.done() for task in tasks)
            for task in tasks:
                task.cancel()
            return still

        start_at = time.monotonic()
        assert browser.client.portal.call(waiting)  # type: ignore[union-attr]
        assert time.monotonic() - start_at < 5
        database.close()


def test_a_server_without_a_history_says_so(browser: Browser) -> None:
    assert not browser.client.get("/api/site").json()["history"]
    for path in ("/api/history", "/api/history/games.json", "/api/drills"):
        answer = browser.client.get(path)
        assert (answer.status_code, answer.json()["reason"]) == (404, "this server keeps no history of games")


def test_only_a_local_server_with_a_store_keeps_a_history(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    storage = Storage(tmp_path)
    assert history_of(None, "127.0.0.1") is None
    assert history_of(storage, "0.0.0.0") is None
    assert history_of(storage, "127.0.0.1") is not None
    assert (tmp_path / "history.sqlite").stat().st_mode & 0o077 == 0
    (tmp_path / "history.sqlite").write_text("no database" * 100)
    assert history_of(storage, "127.0.0.1") is None
    assert "finished games cannot be kept in" in capsys.readouterr().err


def test_figures_count_games_by_number_of_players(tmp_path: Path) -> None:
    history = History(tmp_path / "history.sqlite")
    hand = StoredHand(won=False, self_drawn=False, dealt_in=True, value=0, change=-5200, habits={"riichi": True})
    rest = StoredHand(won=True, self_drawn=True, dealt_in=False, value=4000, change=4300, habits={"riichi": False})
    for number, (names, place, hands) in enumerate([("abc", 2, [hand, rest]), ("abcd", 4, [hand]), ("abc", 1, [rest])]):
        game = FinishedGame(
            id=f"game {number}", ended=number, game="riichi", rules="tenhou", length="east", seat=0, names=list(names),
            place=place, points=100, record="", hands=hands,
        )  # fmt: skip
        history.add(game)
        history.add(game)
    three, four = history.figures()
    assert (three.players, three.games, three.hands, three.places, three.mean_place) == (3, 2, 3, [1, 1, 0], 1.5)
    assert (three.win, three.deal_in) == (pytest.approx(2 / 3), pytest.approx(1 / 3))
    assert (three.value, three.price) == (4000, 5200)
    assert three.habits == {"riichi": pytest.approx(1 / 3)}
    assert (four.places, four.value) == ([0, 0, 0, 1], None)
    assert [game.id for game in history.games()] == ["game 2", "game 1", "game 0"]
    with sqlite3.connect(tmp_path / "history.sqlite") as database:
        assert database.execute("SELECT count(*) FROM hands").fetchone() == (4,)
    history.erase()
    history.add(game)  # opened again
    assert (history.games(), history.figures()) == ([], [])


# ---------------------------------------------------------------------------------------------------------
# Drills

LOSS = Loss(
    lost=0.12, low=0.05, high=0.19, certain=True, samples=512, reasons=[Reason("win", 0.2, 0.3)], kind="shape"
)


def moments(count: int) -> tuple[str, list[Decision]]:
    """Return the sample's record, and its first decisions with a loss."""
    game = read_game(SAMPLE, 1)
    (text,) = write_games([game], "mjai")
    decisions = review_game(game, 0, agent("efficient")).decisions[:count]
    return text, [dataclasses.replace(decision, loss=LOSS) for decision in decisions]


def test_a_drill_comes_back_later_after_every_correct_answer_and_the_next_day_after_a_wrong_one(tmp_path: Path) -> None:
    history, day = History(tmp_path / "history.sqlite"), 24 * 3600.0
    record, decisions = moments(1)
    assert (history.drills(0.0), history.next_drill(0.0)) == ((0, 0), None)
    assert [history.add_drills(record, decisions, 0, 0.0) for _ in range(2)] == [1, 0]
    now = 0.0
    for correct, days in ((True, 3), (True, 7), (False, 1), (True, 3)):
        drill = history.next_drill(now)
        assert drill is not None
        assert (drill.record, drill.decision, json.loads(drill.loss)["lost"]) == (record, 0, 0.12)
        history.answer_drill(drill.id, correct, now)
        assert history.next_drill(now + days * day - 1) is None
        now += days * day
        assert history.drills(now) == (1, 1)
    history.answer_drill(99, True, now)
    history.erase()
    assert (history.drills(now), history.export()) == ((0, 0), {"games": [], "drills": []})


def test_moments_of_a_review_are_practised(start: Start, monkeypatch: pytest.MonkeyPatch) -> None:
    record, decisions = moments(2)
    measured = {decision.number: LOSS for decision in decisions}
    monkeypatch.setattr(ReviewProcess, "measure", lambda _, game, review: with_losses(review, measured))
    with start() as browser:
        made = browser.client.post("/api/reviews", json={"record": record, "seat": 0, "by": "efficient"}).json()
        address = f"/api/reviews/{made['review']}"
        early = browser.client.post(f"{address}/drills", json={"seat": 0})
        assert (early.status_code, "have not been measured" in early.json()["reason"]) == (400, True)
        assert browser.client.get("/api/drills").json() == {"due": 0, "total": 0, "next": None}
        browser.client.get(f"{address}/losses")
        assert browser.client.post(f"{address}/drills", json={"seat": 0}).json()["total"] == 2
        seen = []
        for left in (2, 1):
            drills = browser.client.get("/api/drills").json()
            assert drills["due"] == left
            shown = drills["next"]
            review = browser.client.get(f"/api/reviews/{shown['review']}", params={"seat": 0, "by": "efficient"}).json()
            decision = review["decisions"][shown["decision"]]
            assert shown["best"] in [option["action"] for option in decision["options"]]
            assert shown["loss"]["lost"] == 0.12
            seen.append(shown["decision"])
            after = browser.client.post(f"/api/drills/{shown['id']}", json={"correct": True}).json()
        assert (after["due"], after["total"], after["next"]) == (0, 2, None)
        assert sorted(seen) == [0, 1]


def test_drills_that_cannot_be_shown_are_left_out(
    start: Start, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    history = History(tmp_path / "history.sqlite")
    record, decisions = moments(2)
    history.add_drills("no record", decisions, 0, 0.0)
    history.add_drills(record, decisions, 0, 1.0)
    with sqlite3.connect(tmp_path / "history.sqlite") as database:
        database.execute("UPDATE drills SET loss = '{}' WHERE id = 3")
    with start() as browser:
        drills = browser.client.get("/api/drills").json()
        assert (drills["due"], drills["total"], drills["next"]["id"]) == (1, 1, 4)
    assert [f"drill {number} is left out" in caplog.text for number in (1, 2, 3, 4)] == [True, True, True, False]
