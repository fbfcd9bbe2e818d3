"""The registry of formats, custom formats, and the games' recorders."""

from __future__ import annotations

import json
import pickle
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from made_games import make_game

from janshi.records import (
    FORMATS,
    RecordError,
    RecordFormat,
    convert,
    format_of,
    read_bytes,
    read_games,
    write_games,
)
from janshi.riichi.records import RiichiGame, difference
from janshi.riichi.records.mjai import read_mjai, write_mjai
from janshi.sichuan.records.jsonl import play_random_game, write_sichuan


def read_own(data: bytes, name: str) -> Iterator[Any]:
    yield read_mjai(json.loads(data)["own"], name)


OWN = RecordFormat(
    name="own",
    game="riichi",
    suffixes=(".own",),
    detect=lambda data, start: start.startswith('{"own"'),
    read=read_own,
    write=lambda games: [json.dumps({"own": list(write_mjai(game))}) for game in games],
)


@pytest.fixture
def own(monkeypatch: pytest.MonkeyPatch) -> RecordFormat:
    """Register a custom format for one test."""
    monkeypatch.setattr(FORMATS, "_values", dict(FORMATS._values))
    return FORMATS.register("own", OWN)


def test_a_custom_format_is_found_read_and_written(own: RecordFormat, tmp_path: Path) -> None:
    game = make_game(3, 5)
    (text,) = write_games([game], "own")
    (tmp_path / "a.own").write_text(text, "utf-8")
    assert format_of(text.encode()) is own
    (read,) = read_games([tmp_path])
    assert isinstance(read, RiichiGame)
    assert difference(read, game) is None
    assert convert([tmp_path], "mjlog", tmp_path / "out").games == 1
    assert convert([tmp_path / "out"], "own", tmp_path / "back").games == 1
    assert [path.name for path in (tmp_path / "back").glob("*.own")] == ["a.own"]


@pytest.mark.parametrize("form", ["mjai", "mjlog", "tenhou6"])
def test_generated_games_survive_a_round_trip(form: str, made: RiichiGame) -> None:
    texts = write_games([made], form)
    (again,) = read_bytes(texts[0].encode())
    assert isinstance(again, RiichiGame)
    assert difference(made, again, exact=form == "mjlog") is None
    assert (again.names, again.rules, again.flags) == (made.names, made.rules, made.flags)
    assert write_games([again], form) == texts
    assert pickle.loads(pickle.dumps(again)) == again


@pytest.mark.parametrize("form", ["mjai", "mjlog", "tenhou6", "janshi-sichuan"])
def test_names_may_contain_line_separators_of_unicode(form: str) -> None:
    sichuan = form == "janshi-sichuan"
    game: Any = play_random_game("sichuan", 1) if sichuan else make_game(4, 5)
    game.names = ["a\u0085b", "\u2028", "c\u2029", "d"]
    (text,) = write_games([game], form)
    (read,) = read_bytes(text.encode())
    assert read.names == game.names
    assert len(read.hands) == len(game.hands)


def test_lines_of_old_and_of_other_systems_are_read() -> None:
    text = write_sichuan(play_random_game("sichuan", 1))
    for end in ("\r\n", "\r"):
        assert [*read_bytes(text.replace("\n", end).encode())] == [*read_bytes(text.encode())]


def test_records_of_another_game_than_requested_are_refused_in_one_line() -> None:
    text = write_sichuan(play_random_game("sichuan-hand", 1))
    with pytest.raises(RecordError, match=r"a\.jsonl: a record of sichuan \(janshi-sichuan\), not of riichi"):
        list(read_bytes(text.encode(), "a.jsonl", game="riichi"))
    with pytest.raises(RecordError, match="janshi-sichuan is a format of sichuan, not of riichi"):
        write_games([make_game(3, 5)], "janshi-sichuan")
