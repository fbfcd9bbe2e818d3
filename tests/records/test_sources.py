"""Files, folders, archives, damage, and conversion."""

from __future__ import annotations

import gzip
import io
import sys
import zipfile
from pathlib import Path

import pytest
from made_games import make_game

from janshi.records.formats import formats_of
from janshi.riichi.records import (
    Converted,
    Damaged,
    RecordError,
    RiichiGame,
    convert,
    difference,
    read_games,
    sources,
    write_games,
    write_mjai_text,
    write_mjlog,
    write_tenhou6_text,
)

GAMES = [make_game(3, 11), make_game(4, 12)]


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Return a folder with three formats, gzip, an archive, a subfolder, and damaged files."""
    path = tmp_path / "in"
    (path / "below").mkdir(parents=True)
    (path / "a.mjlog").write_text(write_mjlog(GAMES[0]), "utf-8")
    (path / "b.mjlog.gz").write_bytes(gzip.compress(write_mjlog(GAMES[1]).encode()))
    (path / "below" / "c.json").write_text(write_tenhou6_text(GAMES), "utf-8")
    (path / "below" / "d.jsonl").write_text("\ufeff" + write_mjai_text(GAMES), "utf-8")
    with zipfile.ZipFile(path / "e.zip", "w") as stream:
        stream.writestr("x/f.mjlog", write_mjlog(GAMES[1]))
        stream.writestr("x/g.json", write_tenhou6_text([GAMES[0]]))
        stream.writestr("x/notes.txt", "no record")
        stream.writestr("../../evil.mjlog", write_mjlog(GAMES[0]))
    (path / "readme.md").write_text("no record")
    (path / ".hidden.json").write_text("{")
    return path


def damage(path: Path) -> None:
    record = write_mjlog(GAMES[0]).encode()
    (path / "empty.mjlog").write_bytes(b"")
    (path / "cut.mjlog").write_bytes(record[:1000])
    (path / "cut.mjlog.gz").write_bytes(gzip.compress(record)[:300])
    (path / "binary.json").write_bytes(bytes(range(256)))
    (path / "wrong.json").write_text('{"a": 1}')
    (path / "broken.zip").write_bytes(b"PK\x03\x04 nothing")
    lines = write_mjai_text(GAMES).splitlines()
    del lines[5]
    (path / "half.jsonl").write_text("\n".join(lines))


def test_all_records_are_found_and_read(folder: Path) -> None:
    games = list(read_games([folder]))
    assert len(games) == 9
    for game in games:
        assert isinstance(game, RiichiGame)
        assert difference(game, GAMES[game.players - 3]) is None


def test_any_mix_of_paths(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    data = gzip.compress(write_mjlog(GAMES[0]).encode())
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(data)))
    games = list(read_games([folder / "e.zip", str(folder / "a.mjlog"), "-", folder / "none"]))
    assert [isinstance(game, RiichiGame) for game in games] == [True, True, True, True, True, False]
    assert str(games[-1]).endswith("none: no such file or folder")


def test_damage_is_named_and_stops_nothing(folder: Path) -> None:
    damage(folder)
    read = list(read_games([folder]))
    damaged = [each for each in read if isinstance(each, Damaged)]
    games = [each for each in read if not isinstance(each, Damaged)]
    assert len(games) == 9 + 2  # half.jsonl lacks an event of one hand
    reasons = {Path(record.source).name: record.reason for record in damaged}
    assert set(reasons) == {
        *("empty.mjlog", "cut.mjlog", "cut.mjlog.gz", "binary.json", "wrong.json", "broken.zip")
    }
    assert all("\n" not in reason and reason for reason in reasons.values())
    assert reasons["empty.mjlog"] == "empty"
    assert "incomplete" in reasons["cut.mjlog"]
    assert "not UTF-8" in reasons["binary.json"]
    assert "cannot be opened" in reasons["broken.zip"]
    assert [(Path(game.source).name, len(game.cut)) for game in games if game.cut] == [("half.jsonl#1", 1)]


def test_every_real_archive_is_read(records: Path) -> None:
    counts = {"sanma-2026": (93, 0), "sanma-odd": (12, 0), "four-odd": (42, 0)}
    for archive, expected in counts.items():
        games = list(read_games([records / f"{archive}.zip"]))
        assert (
            sum(isinstance(game, RiichiGame) for game in games),
            sum(isinstance(game, Damaged) for game in games),
        ) == expected


@pytest.mark.parametrize("to", formats_of("riichi"))
@pytest.mark.parametrize("archive", [False, True], ids=["folder", "zip"])
def test_conversion_keeps_games_and_resumes(folder: Path, to: str, archive: bool) -> None:
    damage(folder)
    out = folder.parent / ("out.zip" if archive else "out")
    seen: list[int] = []
    done = convert([folder], to, out, progress=lambda done: seen.append(done.files))
    assert (done.games, done.skipped, len(done.damaged), len(done.remarks.cut)) == (11, 0, 6, 1)
    assert seen[-1] == done.files == (9 + 2 if to == "mjlog" else 8)
    back = list(read_games([out]))
    assert len(back) == 11
    for game in back:
        assert isinstance(game, RiichiGame)
        if len(game.hands) == len(GAMES[0].hands):
            assert difference(game, GAMES[game.players - 3]) is None
    again = convert([folder], to, out)
    assert (again.games, again.files, again.skipped) == (0, 0, 8)
    assert not list(folder.parent.rglob("*.part"))
    assert not (folder.parent.parent / f"evil{formats_of('riichi')[to].suffixes[0]}").exists()


def test_names_of_members_stay_below_the_output(folder: Path) -> None:
    names = [source.relative for source in sources([folder / "e.zip"]) if not isinstance(source, Damaged)]
    assert names == ["e/evil.mjlog", "e/x/f.mjlog", "e/x/g.json"]


def test_unknown_formats_are_refused(tmp_path: Path) -> None:
    with pytest.raises(RecordError, match="no format 'pdf': there are tenhou6, mjai, majsoul, paipu"):
        convert([tmp_path], "pdf", tmp_path / "out")
    assert write_games([], "mjlog") == []
    assert isinstance(convert([], "mjai", tmp_path / "out"), Converted)


@pytest.mark.parametrize(("read", "out"), [(".", "."), ("e.zip", "e.zip"), (".", "e.zip"), (".", "below/new.zip")])
def test_a_conversion_into_its_own_input_is_refused(folder: Path, read: str, out: str) -> None:
    before = {path: path.read_bytes() for path in folder.rglob("*") if path.is_file()}
    with pytest.raises(RecordError, match="choose another output"):
        convert([folder / read], "mjai", folder / "below" / ".." / out)
    assert {path: path.read_bytes() for path in folder.rglob("*") if path.is_file()} == before
    assert convert([folder / "a.mjlog"], "mjai", folder).games == 1


def test_a_file_that_is_not_an_archive_is_not_overwritten(tmp_path: Path) -> None:
    out = tmp_path / "out.zip"
    out.write_text("precious")
    with pytest.raises(OSError, match="not an archive"):
        convert([tmp_path / "none"], "mjai", out)
    assert out.read_text() == "precious"
    assert [file.name for file in tmp_path.iterdir()] == ["out.zip"]
