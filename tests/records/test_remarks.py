"""What a record loses and keeps: hands that cannot be read, and parts that play does not need."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from made_games import make_game
from typer.testing import CliRunner

from janshi.cli import app
from janshi.records.verify import verify
from janshi.riichi.dataset.hands import read_hands
from janshi.riichi.records import RiichiGame, read_bytes, write_games
from janshi.riichi.records.replay import Replayer

#: Number of the hand that is damaged, of four.
WRONG = 2


def damaged_records(folder: Path) -> dict[str, bytes]:
    """Return a game of four hands in every format, with a second hand in which a tile is discarded that is nowhere."""
    game = make_game(4, 1)
    mjai = write_games([game], "mjai")[0].splitlines()
    starts = [number for number, line in enumerate(mjai) if '"start_kyoku"' in line]
    mjai[starts[1] + 2] = json.dumps({**json.loads(mjai[starts[1] + 2]), "pai": "nothing"})
    tenhou6 = json.loads(write_games([game], "tenhou6")[0])
    tenhou6["log"][1][4][0] = 99
    mjlog = write_games([game], "mjlog")[0]
    second = mjlog.index("<INIT", mjlog.index("<INIT") + 1)
    mjlog = mjlog[:second] + mjlog[second:].replace('oya="', 'oya="x', 1)
    return {"mjai": "\n".join(mjai).encode(), "tenhou6": json.dumps(tenhou6).encode(), "mjlog": mjlog.encode()}


@pytest.mark.parametrize("form", ["mjai", "tenhou6", "mjlog"])
def test_a_wrong_hand_costs_that_hand(form: str, tmp_path: Path) -> None:
    file = tmp_path / "game.json"
    file.write_bytes(damaged_records(tmp_path)[form])
    (game,) = read_bytes(file.read_bytes(), "game")
    assert isinstance(game, RiichiGame)
    assert [game.number_of(index) for index in range(len(game.hands))] == [1, 3, 4]
    assert [hand.number for hand in game.cut] == [WRONG]
    assert not [mismatch for mismatch in Replayer().replay(game).mismatches if mismatch.hand != 4]
    (tally,) = verify([file]).values()
    assert (tally.games, tally.hands, len(tally.remarks.cut), tally.damaged, tally.fine) == (1, 3, 1, [], False)
    assert len(read_hands([file], 4)) == 3


def test_mismatches_name_the_hand_of_the_record(tmp_path: Path) -> None:
    (game,) = read_bytes(damaged_records(tmp_path)["tenhou6"], "game")
    game.hands[1].scores[0] += 100
    assert {mismatch.hand for mismatch in Replayer().replay(game).mismatches if not mismatch.sequel} <= {3}


def test_the_summary_says_what_was_cut_and_ignored(tmp_path: Path) -> None:
    record = json.loads(damaged_records(tmp_path)["tenhou6"])
    record["janshi"]["dan"] = "none"
    (tmp_path / "a.json").write_text(json.dumps(record))
    done = CliRunner().invoke(app, ["replay", str(tmp_path / "a.json")])
    assert done.exit_code == 1
    assert f"cut: {tmp_path / 'a.json'}, hand 2: " in done.output
    assert "ignored: dan of a wrong type in the field janshi (1)" in done.output
    converted = CliRunner().invoke(app, ["convert", str(tmp_path / "a.json"), "--out", str(tmp_path / "o")])
    assert converted.exit_code == 1
    assert f"cut: {tmp_path / 'a.json'}, hand 2: " in converted.output
