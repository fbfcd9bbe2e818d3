"""Games and reviews survive a restart of the server, and stay private."""

from __future__ import annotations

import base64
import gzip
import io
import json
import os
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from janshi.cli.play import PlayOptions, storage_of
from janshi.riichi.positions import nth_game
from janshi.riichi.records import viewer_address
from janshi.sample import SAMPLE
from janshi.web.storage import (
    NEXT,
    OVER,
    Journal,
    KeptReview,
    KeptTable,
    Storage,
    StorageError,
    digest,
    state_folder,
    unpacked_record,
)
from janshi.web.table_manager import Setup
from tests.web.conftest import Tab

NAME = "AbcdEfgh-_12"
TABLE = KeptTable(
    rules="tenhou", length="hand", names=["Mori", "a", "b", "c"], agents=dict.fromkeys((1, 2, 3), "random"), seat=0,
    seed=5, key=digest("secret"),
)  # fmt: skip


@pytest.fixture
def start(serving: Callable[..., Any], tmp_path: Path) -> Callable[[], Any]:
    """Return a function that serves tables without pauses, stored in one folder."""
    return lambda **more: serving(Setup(pace=0.0, storage=Storage(tmp_path), **more))


def file_of(folder: Path, made: dict[str, Any]) -> Path:
    return folder / "tables" / f"{made['table']}.jsonl"


def play(tab: Tab, steps: int) -> None:
    """Answer questions, also of further hands, and then receive messages until the table waits for this tab."""
    while tab.heard[-1].get("type") != "refused":
        events = tab.events()
        rests = events[-1]["type"] == "end_kyoku"
        if tab.ask is not None or rests:
            if steps == 0:
                return
            steps -= 1
            if rests:
                tab.say({"type": "next"})
            else:
                tab.answer()
        tab.hear()


@pytest.mark.parametrize(
    ("rules", "steps"),
    [("tenhou-sanma", 0), ("tenhou-sanma", 9), ("tenhou", 6), ("tenhou", 20), ("sichuan-exchange", 2), ("sichuan", 12)],
)
def test_a_game_resumes_after_the_end_of_the_server(
    start: Callable[..., Any], rules: str, steps: int
) -> None:
    length = "four" if "sichuan" in rules else "east"
    wanted = {"rules": rules, "length": length, "agents": ["efficient", "random"], "name": "Mori"}
    with start() as browser, browser.tab() as tab:
        made = browser.open(**wanted)
        tab.join(made)
        play(tab, steps)
        before, asked = tab.events(), tab.ask
        owns = [message.get("own") or message for message in tab.heard if "own" in (message["type"], *message)]
    with start() as browser, browser.tab() as tab:
        again = tab.join(made)
        assert (again["events"], again["ask"], again["names"][0]) == (before, asked, "Mori")
        assert (again["own"] or owns[-1] or {}).get("shanten") == (owns[-1] or {}).get("shanten")
        play(tab, 2)


def test_a_resumed_game_equals_an_uninterrupted_one_and_has_its_record(start: Callable[..., Any]) -> None:
    wanted = {"rules": "tenhou-sanma", "agents": ["random"], "seed": 11}
    with start() as browser, browser.tab() as tab:
        tab.join(browser.open(**wanted))
        whole = tab.play_on()
    made: dict[str, Any] = {}
    for steps in (3, 4):
        with start() as browser, browser.tab() as tab:
            made = made or browser.open(**wanted)
            tab.join(made)
            play(tab, steps)
    records = []
    for _ in range(2):  # from memory, and then from disk
        with start() as browser:
            with browser.tab() as tab:
                tab.join(made)
                assert tab.play_on() == whole
            key = {"key": made["key"], "format": "tenhou6"}
            records.append(browser.client.get(f"/api/tables/{made['table']}/record", params=key).text)
    assert len(set(records)) == 1


def test_a_watched_game_resumes(start: Callable[..., Any]) -> None:
    with start() as browser, browser.tab() as tab:
        made = browser.open(rules="tenhou-sanma", watch=True, agents=["random"])
        tab.join(made)
        for _ in range(5):
            tab.hear_of("happened")
    with start() as browser, browser.tab() as tab:
        assert tab.join({**made, "key": ""})["events"]
        tab.say({"type": "set_pace", "paused": False, "seconds": 0.0})
        tab.join(made)
    with start() as browser, browser.tab() as tab:
        tab.join(made)
        tab.say({"type": "set_pace", "paused": False, "seconds": 0.0})
        assert tab.play_on()["type"] == "end_game"


def test_lost_entries_do_not_count_and_browsers_with_more_events_are_resynchronised(
    start: Callable[..., Any], tmp_path: Path
) -> None:
    with start() as browser, browser.tab() as tab:
        made = browser.open(rules="tenhou-sanma", agents=["random"], seed=3)
        tab.join(made)
        play(tab, 4)
        seen = len(tab.events())
    file = file_of(tmp_path, made)
    lines = file.read_bytes().splitlines(keepends=True)
    file.write_bytes(b"".join(lines[:5]) + b"3")  # an incomplete entry does not count
    with start() as browser, browser.tab() as tab:
        again = tab.join(made, received=seen)
        assert (again["first"], again["events"][0]["type"]) == (0, "start_game")
        assert len(again["events"]) < seen
        tab.play_on()
    with start() as browser, browser.tab() as tab:
        assert tab.join(made)["events"][-1]["type"] == "end_game"


FIRST = TABLE.model_dump_json().encode() + b"\n"


@pytest.mark.parametrize(
    ("data", "words"),
    [
        (b"", "is damaged, or of another version"),
        (b"\xff\xfe\x00\n", "is damaged, or of another version"),
        (b"{}\n", "is damaged, or of another version"),
        (b"[" * 100_000 + b"\n", "is damaged, or of another version"),
        (FIRST.replace(b'"version":1', b'"version":2'), "is damaged, or of another version"),
        (FIRST + b"soon\n", "is damaged, or of another version"),
        (FIRST + b"1\n" * 1_000_000, "is damaged, or of another version"),
        (FIRST + b"next\n", "begun by another version"),
        (FIRST + b"121\n", "begun by another version"),
        (FIRST + b"99999999999999999999999\n", "begun by another version"),
        (FIRST.replace(b'"random"', b'"nobody"'), "no player 'nobody'"),
        (FIRST.replace(b'"tenhou"', b'"nothing"'), "no rules named 'nothing'"),
        (FIRST.replace(b'"c"', b'"c","d"'), "do not match its rules"),
        (FIRST.replace(b'"seat":0', b'"seat":9'), "do not match its rules"),
        (FIRST.replace(b'"seed":5', b'"seed":-5'), "is damaged, or of another version"),
    ],
)
def test_a_damaged_file_is_reported_and_kept(
    start: Callable[..., Any], tmp_path: Path, data: bytes, words: str
) -> None:
    with start() as browser:
        file = tmp_path / "tables" / f"{NAME}.jsonl"
        file.write_bytes(data)
        with browser.tab() as tab:
            refusal = tab.join({"table": NAME, "key": "secret"})
            assert (refusal["fatal"], refusal["cause"]) == (True, "failed")
            assert words in refusal["reason"]
        own = {"tables": [{"table": NAME, "key": "secret"}]}
        assert browser.client.post("/api/games", json=own).status_code == 200
        assert file.read_bytes() == data
        with browser.tab() as tab:
            tab.join(browser.open(rules="tenhou-sanma", agents=["random"]))
            tab.asked()


def test_keys_are_not_on_disk_and_the_folder_is_private(start: Callable[..., Any], tmp_path: Path) -> None:
    with start() as browser:
        made = browser.open(rules="tenhou-sanma")
    files = [path for path in tmp_path.rglob("*") if path.is_file()]
    assert [path.name for path in files] == [f"{made['table']}.jsonl"]
    assert made["key"].encode() not in files[0].read_bytes()
    if os.name == "posix":
        assert files[0].stat().st_mode & 0o077 == 0
        assert (tmp_path / "tables").stat().st_mode & 0o077 == 0
    with start() as browser, browser.tab() as tab:
        refusal = tab.join({**made, "key": "x"})
        assert (refusal["cause"], refusal["fatal"]) == ("wrong_key", True)
        for name in ("", "..", "../../etc/pw", "a" * 64, "A\u0000cdEfgh-_12", "tables/AbcdE"):
            with browser.tab() as other:
                refusal = other.join({"table": name, "key": "secret"})
                assert refusal["reason"].startswith("this table no longer exists")
                assert refusal["cause"] == "no_table"
        asked = {"tables": [{"table": made["table"], "key": "x"}, {"table": NAME, "key": "x"}]}
        assert browser.client.post("/api/games", json=asked).json() == {"games": []}


def test_states_of_the_own_games(start: Callable[..., Any]) -> None:
    with start() as browser:
        made = [browser.open(rules=rules, agents=["random"]) for rules in ("tenhou-sanma", "tenhou")]
        with browser.tab() as tab:
            tab.join(made[0])
            tab.play_on()
    for _ in range(2):  # from disk, and then from memory
        with start() as browser:
            asked = {"tables": [{"table": one["table"], "key": one["key"]} for one in made]}
            first, second = browser.client.post("/api/games", json=asked).json()["games"]
            assert (first["over"], first["rules"], first["length"]) == (True, "tenhou-sanma-hand", "hand")
            assert (second["over"], second["names"], second["seat"]) == (
                False, ["You", "Random", "Random", "Random"], 0,
            )  # fmt: skip
            assert 0 <= second["moved"] < 1000
            with browser.tab() as tab:
                tab.join(made[1])


def test_without_a_folder_nothing_is_kept(serving: Callable[..., Any], tmp_path: Path) -> None:
    with serving(Setup(pace=0.0)) as browser:
        made = browser.open(rules="tenhou-sanma")
    with serving(Setup(pace=0.0)) as browser, browser.tab() as tab:
        assert tab.join(made)["cause"] == "no_table"


def test_an_unloaded_table_is_restored(start: Callable[..., Any]) -> None:
    with start(idle=0.0) as browser:
        made = browser.open(rules="tenhou-sanma", agents=["random"])
        with browser.tab() as tab:
            tab.join(made)
            asked = tab.asked()
        manager = browser.client.app.state.manager  # type: ignore[attr-defined]
        while made["table"] in manager.tables:  # until the server has noticed the disconnection
            browser.client.portal.call(manager.sweep)  # type: ignore[union-attr]
        with browser.tab() as tab:
            assert tab.join(made)["ask"] == asked
            tab.play_on()


def test_two_processes_cannot_play_one_game(start: Callable[..., Any], tmp_path: Path) -> None:
    with start() as browser:
        made = browser.open(rules="tenhou-sanma")
        with start() as other, other.tab() as tab:
            assert "another janshi process is playing this game" in tab.join(made)["reason"]
    with start() as browser, browser.tab() as tab:
        tab.join(made)


def test_a_full_disk_ends_the_storage_but_not_the_game(
    start: Callable[..., Any], monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    class Full:
        def write(self, data: bytes) -> None:
            raise OSError(28, "No space left on device")

        def close(self) -> None:
            pass

    with start() as browser, browser.tab() as tab:
        made = browser.open(rules="tenhou-sanma", agents=["random"])
        manager = browser.client.app.state.manager  # type: ignore[attr-defined]
        manager.tables[made["table"]]._journal._file = Full()
        tab.join(made)
        assert tab.play_on()["type"] == "end_game"
    assert caplog.text.count("No space left on device") == 1

    def full(*_: Any) -> Journal:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(Storage, "begin", full)
    with start() as browser, browser.tab() as tab:
        tab.join(browser.open(rules="tenhou-sanma", agents=["random"]))
        assert tab.play_on()["type"] == "end_game"


def test_a_review_survives_a_restart(start: Callable[..., Any], tmp_path: Path) -> None:
    game = nth_game(SAMPLE, 1)
    with start() as browser:
        wanted = {"record": viewer_address(game), "seat": 1, "by": "efficient"}
        made = browser.client.post("/api/reviews", json=wanted).json()
        before = browser.client.get(f"/api/reviews/{made['review']}").json()
        assert (before["seat"], before["by"]) == (1, "efficient")
    with start() as browser:
        assert browser.client.get(f"/api/reviews/{made['review']}").json() == before
        for name in ("nothing", NAME, "..%2f..", made["review"][:-1]):
            assert browser.client.get(f"/api/reviews/{name}").status_code == 404
    file = tmp_path / "reviews" / f"{made['review']}.json.gz"
    for data in (b"", b"no gzip", file.read_bytes()[:40]):
        file.write_bytes(data)
        with start() as browser:
            answer = browser.client.get(f"/api/reviews/{made['review']}")
            assert answer.status_code == 404
            assert "is damaged, or of another version" in answer.json()["reason"]


def test_a_stored_game_can_be_reviewed_again(start: Callable[..., Any]) -> None:
    with start() as browser, browser.tab() as tab:
        made = browser.open(rules="tenhou", length="hand", agents=["random"])
        tab.join(made)
        tab.play_on()
        key = {"key": made["key"]}
        review = browser.client.post(f"/api/tables/{made['table']}/review", params=key, json={}).json()["review"]
        before = browser.client.get(f"/api/reviews/{review}").json()
    with start() as browser:
        again = browser.client.get(f"/api/reviews/{review}").json()
        assert again["decisions"] == before["decisions"]
        assert again["names"] == before["names"]


def test_old_and_excess_files_are_deleted(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("janshi.web.storage._TABLES", 3)
    storage = Storage(tmp_path)
    for number in range(5):
        storage.begin(f"table-{number:06}", TABLE).close()
        moved = time.time() - 100 * number
        os.utime(tmp_path / "tables" / f"table-{number:06}.jsonl", (moved, moved))
    long_ago = time.time() - 31 * 24 * 3600
    os.utime(tmp_path / "tables" / "table-000001.jsonl", (long_ago, long_ago))
    storage.sweep()
    assert sorted(path.stem for path in (tmp_path / "tables").iterdir()) == [
        "table-000000", "table-000002", "table-000003",
    ]  # fmt: skip
    for _ in range(70):
        storage.keep_review(os.urandom(6).hex(), KeptReview(record="x", base64=False, game=1, seat=0, by=None))
    assert len(list((tmp_path / "reviews").iterdir())) == 64


def test_finished_games_are_deleted_first_and_games_in_progress_at_a_table_never(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr("janshi.web.storage._TABLES", 2)
    storage = Storage(tmp_path)
    open_one = storage.begin("open-one----", TABLE)
    for name, choices in (("unfinished-1", [37]), ("unfinished-2", []), ("finished----", [37, OVER])):
        journal = storage.begin(name, TABLE)
        for choice in choices:
            journal.add(choice)
        journal.close()
    for number, name in enumerate(("open-one----", "unfinished-1", "unfinished-2", "finished----")):
        os.utime(tmp_path / "tables" / f"{name}.jsonl", (time.time() - 100 + number,) * 2)
    for left in ({"open-one----", "unfinished-1", "unfinished-2"}, {"open-one----", "unfinished-2"}):
        storage.sweep()
        assert {path.stem for path in (tmp_path / "tables").glob("*.jsonl")} >= left
    monkeypatch.setattr("janshi.web.storage._TABLES", 0)
    storage.sweep()
    assert [path.stem for path in (tmp_path / "tables").glob("*.jsonl")] == ["open-one----"]
    assert "the unfinished game unfinished-1 is deleted" in caplog.text
    assert "finished----" not in caplog.text
    open_one.close()


def packed(header: dict[str, Any], data: bytes) -> str:
    """Return a packed table whose header claims something."""
    file = io.BytesIO()
    np.lib.format.write_array_header_1_0(file, header)
    return base64.b64encode(gzip.compress(file.getvalue() + data, mtime=0)).decode()


@pytest.mark.parametrize(
    "text",
    [
        packed({"descr": "<i8", "fortran_order": False, "shape": (1 << 40,)}, b"12345678"),
        packed({"descr": "<i8", "fortran_order": False, "shape": (1,)}, bytes(1 << 24)),
        packed({"descr": "<i8", "fortran_order": False, "shape": (1,)}, b"1234"),
        base64.b64encode(gzip.compress(b"\x93NUMPY\x07\x07", mtime=0)).decode(),
        base64.b64encode(b"no gzip").decode(), "?", "",
    ],
)  # fmt: skip
def test_a_packed_table_that_claims_more_than_it_has_is_damaged(text: str) -> None:
    with pytest.raises(StorageError, match="damaged"):
        unpacked_record(text, np.dtype(np.int64))


def test_a_full_server_says_so_to_a_table_that_would_resume(start: Callable[..., Any]) -> None:
    with start() as browser:
        made = browser.open(rules="tenhou-sanma", agents=["random"])
    with start(most=1) as browser:
        browser.open(rules="tenhou-sanma", agents=["random"])
        with browser.tab() as tab:
            answer = tab.join(made)
        assert (answer["reason"], answer["fatal"]) == ("1 tables are open already: finish one first", True)


def test_stored_data_is_read_back(tmp_path: Path) -> None:
    journal = Storage(tmp_path).begin(NAME, TABLE)
    with pytest.raises(StorageError, match="another janshi"):
        Storage(tmp_path).resume(NAME)
    for choice in (37, NEXT):
        journal.add(choice)
    journal.close()
    journal.add(3)
    resumed = Storage(tmp_path).resume(NAME)
    assert resumed is not None
    assert (resumed.table, resumed.choices) == (TABLE, [37, NEXT])
    resumed.journal.close()
    header = json.loads((tmp_path / "tables" / f"{NAME}.jsonl").read_text().splitlines()[0])
    assert header["version"] == 1


def test_games_are_kept_where_programs_keep_state_or_not_at_all(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    for variable in ("JANSHI_STATE", "XDG_STATE_HOME"):
        monkeypatch.delenv(variable, raising=False)
    assert state_folder().is_relative_to(Path.home())
    monkeypatch.setenv("JANSHI_STATE", str(tmp_path / "own"))
    assert storage_of(PlayOptions(keep=False)) is None
    assert not state_folder().exists()
    kept = storage_of(PlayOptions())
    assert kept is not None
    assert kept.folder == state_folder() == tmp_path / "own"
