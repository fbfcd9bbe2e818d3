"""Hostile records: quickly read or refused in one line."""

from __future__ import annotations

import gzip
import json
import os
import subprocess
import sys
import threading
import time
import tracemalloc
import zipfile
from collections.abc import Callable
from pathlib import Path

import pytest
from made_games import make_game

from janshi.files import LockedError, locked
from janshi.records import formats_of
from janshi.records.sources import LARGEST
from janshi.riichi.records import (
    Damaged,
    RecordError,
    RiichiGame,
    convert,
    difference,
    read_games,
    read_mjlog,
    read_tenhou6_text,
    write_games,
    write_mjai_text,
    write_mjlog,
    write_tenhou6_text,
)
from janshi.riichi.records.model import WRONG_RESULT

#: Length of a text, and limit of processor seconds to read it: it takes some 10 ms, but a pattern whose
#: time grows with the square of the length takes minutes.
LETTERS, SECONDS = 200_000, 3.0


def _in_no_time(read: Callable[[], object]) -> None:
    """Check that a record is refused, one of its hands cut or a part ignored, at once and in few words."""
    start = time.process_time()
    try:
        games = read()
    except RecordError as error:
        reason = str(error)
    else:
        assert isinstance(games, list)
        reason = str(games[0].cut[0]) if games[0].cut else next(iter(games[0].ignored))
    assert time.process_time() - start < SECONDS
    assert len(reason) < 400


@pytest.mark.parametrize("unit", ["<GO a", "a", "a ", "a=", 'a="', "a = '", '="', " ", "a\t", "1a", "_", "é", "/", '"'])
@pytest.mark.parametrize("before", ["<GO ", "<", "<UN n0=", "<INIT a b"])
def test_a_long_tag_is_refused_at_once(before: str, unit: str) -> None:
    text = f'<mjloggm ver="2.3">{before}{unit * (LETTERS // len(unit))}></mjloggm>'
    _in_no_time(lambda: read_mjlog(text))


@pytest.mark.parametrize("unit", ["1", "(", "a", "1飜", "役満", "1符", "1-", " ", "点"])
def test_a_long_yaku_or_value_is_refused_at_once(unit: str) -> None:
    text = write_tenhou6_text([make_game(4, 1)])
    assert '"和了"' in text
    name = next(part for part in text.split('"') if part.endswith("飜)"))
    value = next(part for part in text.split('"') if "点" in part)
    for part in (name, value):
        damaged = text.replace(f'"{part}"', f'"{unit * (LETTERS // len(unit))}"', 1)
        _in_no_time(lambda damaged=damaged: list(read_tenhou6_text(damaged)))


# ---------------------------------------------------------------------------------------------------------
# Files and archives


def _refused(path: Path) -> str:
    """Return the one-line reason for a file without a game."""
    (damaged,) = read_games([path])
    assert isinstance(damaged, Damaged)
    assert "\n" not in damaged.reason
    return damaged.reason


def _archive(path: Path, names: list[str], method: int = zipfile.ZIP_DEFLATED) -> Path:
    with zipfile.ZipFile(path, "w", method) as stream:
        for number, name in enumerate(names):
            stream.writestr(name, write_mjlog(make_game(3, number)))
    return path


@pytest.mark.parametrize("method", [zipfile.ZIP_LZMA, zipfile.ZIP_BZIP2, zipfile.ZIP_DEFLATED])
def test_members_that_are_damaged_are_named(tmp_path: Path, method: int) -> None:
    path = _archive(tmp_path / "x.zip", ["a.mjlog", "b.mjlog"], method)
    data = bytearray(path.read_bytes())
    for at in range(60, 200):
        data[at] ^= 0x55
    path.write_bytes(data)
    damaged, game = read_games([path])
    assert isinstance(damaged, Damaged)
    assert isinstance(game, RiichiGame)
    assert damaged.reason.startswith("cannot be read (")


def test_a_file_that_is_too_large_is_refused_unread(tmp_path: Path) -> None:
    (tmp_path / "large.mjlog").touch()
    os.truncate(tmp_path / "large.mjlog", 12 << 30)
    tracemalloc.start()
    try:
        assert _refused(tmp_path / "large.mjlog") == "too large: over 256 MiB in one record"
        assert tracemalloc.get_traced_memory()[1] < 1 << 20
    finally:
        tracemalloc.stop()


@pytest.mark.parametrize("kind", ["plain", "gzip", "member", "member in gzip", "stdin"])
def test_no_more_is_unpacked_than_is_allowed(tmp_path: Path, kind: str, monkeypatch: pytest.MonkeyPatch) -> None:
    data = b" " * (5 << 20)
    path = tmp_path / "x"
    if kind.startswith("member"):
        with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as stream:
            stream.writestr("a.mjlog", gzip.compress(data) if "gzip" in kind else data)
    else:
        path.write_bytes(gzip.compress(data) if kind == "gzip" else data)
    named: Path | str = path
    if kind == "stdin":
        monkeypatch.setattr(sys, "stdin", path.open(encoding="utf-8"))
        named = "-"
    for largest, reason in ((1 << 20, "too large: over 1 MiB in one record"), (LARGEST, "empty")):
        if kind == "stdin" and largest == LARGEST:
            continue
        (damaged,) = read_games([named], largest=largest)
        assert isinstance(damaged, Damaged)
        assert damaged.reason == reason


def test_an_archive_or_folder_without_records_is_named(tmp_path: Path) -> None:
    _archive(tmp_path / "empty.zip", [])
    _archive(tmp_path / "notes.zip", ["a.txt"])
    (tmp_path / "folder").mkdir()
    (tmp_path / "folder" / "notes.txt").write_text("no record")
    assert _refused(tmp_path / "empty.zip") == _refused(tmp_path / "notes.zip") == "the archive holds no records"
    assert _refused(tmp_path / "folder") == "the folder holds no records"
    assert _refused(tmp_path / ("x" * 5000)) == "cannot be opened (File name too long)"


@pytest.mark.parametrize("out", ["out", "out.zip"])
def test_long_and_strange_names_of_members_end_nothing(tmp_path: Path, out: str) -> None:
    names = ["n" * 300, "n" * 301, "é" * 200, "/".join("d" * 100 for _ in range(50)), "a\x1b[2Jb", "x/y", "x.mjlog/z"]
    path = _archive(tmp_path / "in.zip", [f"{name}.mjlog" for name in names])
    done = convert([path], "mjai", tmp_path / out)
    assert (done.games, done.damaged) == (len(names), [])
    assert len(list(read_games([tmp_path / out]))) == len(names)
    assert convert([path], "mjai", tmp_path / out).skipped == len(names)


def test_a_name_that_cannot_be_written_is_named(tmp_path: Path) -> None:
    path = _archive(tmp_path / "in.zip", ["a.mjlog", "b/c.mjlog", "d.mjlog"])
    (tmp_path / "out" / "in").mkdir(parents=True)
    (tmp_path / "out" / "in" / "b").write_text("a file where a folder must be")
    done = convert([path], "mjai", tmp_path / "out")
    assert done.games == 2
    assert [damaged.source for damaged in done.damaged] == [f"{path}:b/c.mjlog"]
    assert done.damaged[0].reason.startswith("cannot be written (")


# ---------------------------------------------------------------------------------------------------------
# Equal names


@pytest.mark.parametrize("out", ["out", "out.zip"])
@pytest.mark.parametrize("to", formats_of("riichi"))
def test_games_of_one_name_are_all_written(tmp_path: Path, to: str, out: str) -> None:
    games = [make_game(3, number) for number in range(4)]
    paths = [tmp_path / folder / "x.mjlog" for folder in ("a", "b", "c")]
    for path, game in zip(paths, games, strict=False):
        path.parent.mkdir()
        path.write_text(write_mjlog(game), "utf-8")
    (tmp_path / "a" / "x.json").write_text(write_tenhou6_text(games[3:]), "utf-8")
    folders = [path.parent for path in paths]
    first = convert(folders[:1], to, tmp_path / out)
    assert (first.games, first.renamed) == (2, 1)
    done = convert(folders, to, tmp_path / out)
    assert (done.games, done.renamed, done.skipped) == (2, 2, 2)
    again = convert(folders, to, tmp_path / out)
    assert (again.files, again.skipped) == (0, 4)
    back = list(read_games([tmp_path / out]))
    assert len(back) == 4
    for game in games:
        assert sum(isinstance(other, RiichiGame) and difference(game, other) is None for other in back) == 1


def test_the_same_game_is_written_once(tmp_path: Path) -> None:
    game = make_game(4, 5)
    (tmp_path / "x.mjlog").write_text(write_mjlog(game), "utf-8")
    (tmp_path / "x.json").write_text(write_tenhou6_text([game]), "utf-8")
    (tmp_path / "x.jsonl").write_text(write_mjai_text([game]), "utf-8")
    done = convert(sorted(tmp_path.glob("x.*")), "mjlog", tmp_path / "out")
    assert (done.games, done.skipped, done.damaged) == (1, 2, [])


def test_a_name_of_a_second_game_is_unique(tmp_path: Path) -> None:
    (tmp_path / "in").mkdir()
    (tmp_path / "in" / "x-2.mjlog").write_text(write_mjlog(make_game(3, 1)), "utf-8")
    (tmp_path / "in" / "x.json").write_text(write_tenhou6_text([make_game(3, 2), make_game(3, 3)]), "utf-8")
    assert convert([tmp_path / "in"], "mjlog", tmp_path / "out").games == 3
    names = sorted(path.name for path in (tmp_path / "out").iterdir())
    assert names == ["x-2.mjlog", "x~2-2.mjlog", "x~2.mjlog"]


@pytest.mark.parametrize("out", ["out", "out.zip"])
def test_two_conversions_into_one_place_are_refused(tmp_path: Path, out: str) -> None:
    path = _archive(tmp_path / "in.zip", ["a.mjlog", "b.mjlog"])
    inside, goes_on = threading.Event(), threading.Event()

    def wait(_: object) -> None:
        inside.set()
        assert goes_on.wait(60)

    first = threading.Thread(target=lambda: convert([path], "mjai", tmp_path / out, progress=wait))
    first.start()
    try:
        assert inside.wait(60)
        with pytest.raises(LockedError, match=f"another program writes to .*{out}: let it finish first"):
            convert([path], "mjlog", tmp_path / out)
    finally:
        goes_on.set()
        first.join()
    assert len(list(read_games([tmp_path / out]))) == 2
    assert convert([path], "mjai", tmp_path / out).skipped == 2
    assert not list(tmp_path.rglob(".*"))


def test_the_lock_of_a_killed_program_is_released(tmp_path: Path) -> None:
    code = "import sys; from pathlib import Path; from janshi.files import locked\n"
    code += "with locked(Path(sys.argv[1])): print('locked', flush=True); sys.stdin.read()"
    with subprocess.Popen(
        [sys.executable, "-c", code, str(tmp_path)], stdin=subprocess.PIPE, stdout=subprocess.PIPE
    ) as other:
        assert other.stdout is not None
        assert other.stdout.readline() == b"locked\n"
        with pytest.raises(LockedError), locked(tmp_path):
            pass
        other.kill()
    with locked(tmp_path):
        pass


# ---------------------------------------------------------------------------------------------------------
# Texts


@pytest.mark.parametrize("form", ["tenhou6", "mjai"])
def test_lone_surrogates_in_names_are_replaced(tmp_path: Path, form: str) -> None:
    game = make_game(3, 7)
    game.names = ["a\ud800b", "\udfff", "😀"]
    ascii_text = {
        "tenhou6": lambda: json.dumps({**json.loads(write_tenhou6_text([game])), "ref": "\udcff", "lobby": "\ud801"}),
        "mjai": lambda: "\n".join(json.dumps(json.loads(line)) for line in write_mjai_text([game]).splitlines()),
    }[form]()
    path = tmp_path / "x.json"
    path.write_text(ascii_text, "ascii")
    (back,) = read_games([path])
    assert isinstance(back, RiichiGame)
    assert back.names == ["a\ufffdb", "\ufffd", "😀"]
    for to in formats_of("riichi"):
        done = convert([path], to, tmp_path / to)
        assert (done.games, done.damaged) == (1, [])


@pytest.mark.skipif(sys.platform != "linux", reason="names of files are texts there")
@pytest.mark.parametrize("out", ["out", "out.zip"])
def test_file_names_that_are_not_text_are_replaced(tmp_path: Path, out: str) -> None:
    (tmp_path / "in").mkdir()
    path = os.fsencode(tmp_path / "in") + b"/\xff.mjlog"
    with open(path, "wb") as stream:
        stream.write(write_mjlog(make_game(3, 7)).encode())
    assert convert([tmp_path / "in"], "mjai", tmp_path / out).games == 1
    (back,) = read_games([tmp_path / out])
    assert isinstance(back, RiichiGame)
    back.source.encode()


def test_texts_are_escaped_in_attributes() -> None:
    game = make_game(3, 7)
    game.ref, game.lobby, game.sex, game.seed = "<x>\"'", "a'b", ["<", ">", "M"], ""
    back = read_mjlog(write_mjlog(game))
    assert (back.ref, back.lobby, back.sex) == ("x", "ab", ["", "", "M"])


@pytest.mark.parametrize(
    ("field", "value", "ignored"),
    [
        ("sc", [25000, 1e999] * 4, WRONG_RESULT),
        ("sc", [25000, 1e308] * 4, WRONG_RESULT),
        ("rate", [float("nan")] * 4, "impossible rates of players"),
        ("sc", [10**9, 0.0] * 4, WRONG_RESULT),
    ],
)
def test_impossible_results_are_ignored(field: str, value: object, ignored: str) -> None:
    record = json.loads(write_games([make_game(4, 7)], "tenhou6")[0])
    (game,) = read_tenhou6_text(json.dumps({**record, field: value}))
    assert game.ignored == {ignored: 1}
    assert (game.rates if field == "rate" else game.final_scores) is None
    write_games([game], "mjlog")


@pytest.mark.parametrize("lobby", ["²", "٣", "9" * 5000, "0042"])
def test_any_lobby_is_written(lobby: str) -> None:
    game = make_game(3, 7)
    game.lobby = lobby
    (back,) = read_tenhou6_text(write_tenhou6_text([game]))
    assert back.lobby in (lobby, "42")
