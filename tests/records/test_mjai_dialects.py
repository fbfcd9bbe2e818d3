"""mjai as other programs write and read it."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from made_games import make_game
from tests.claims import cases_of
from typer.testing import CliRunner

from janshi.cli import app
from janshi.mjai.table import KnownTable
from janshi.records import RecordError, write_games
from janshi.riichi.hands.yaku import YAKU
from janshi.riichi.records import Drawn, Ending, RiichiGame, difference, write_mjai_text
from janshi.riichi.records.live import seen_by
from janshi.riichi.records.mjai import read_mjai, write_mjai
from janshi.riichi.records.mjai_rules import rules_named
from janshi.riichi.records.replay import Replayer
from janshi.riichi.records.yaku_names import yaku_named
from janshi.riichi.rules import KanDora, Length
from janshi.riichi.rules.yaku import YakuId

Rows = list[dict[str, Any]]

#: A deal, of which seat 0 waits for 9p.
HANDS = [
    "2m 3m 4m 5m 6m 7m 3p 4p 5p 9s 9s 7p 8p",
    "1m 4m 7m 9m 2p 5p 8p 2s 5s E S W F",
    "1m 4m 7m 9m 2p 5p 8p 1s 4s S W P P",
    "1m 2m 9m 1p 4p 8p 1s 2s E S W F C",
]


def short_game() -> Rows:
    """Return a game of East: seat 3 deals and draws, seat 0 wins by ron from seat 1, and the game ends in South."""
    start = {"bakaze": "E", "kyoku": 4, "honba": 0, "kyotaku": 0, "oya": 3, "scores": [30_000, 30_000, 20_000, 20_000]}
    return [
        {"type": "start_game", "names": ["a", "b", "c", "d"], "kyoku_first": 4},
        {"type": "start_kyoku", **start, "dora_marker": "N", "tehais": [hand.split() for hand in HANDS]},
        {"type": "tsumo", "actor": 3, "pai": "E"},
        {"type": "dahai", "actor": 3, "pai": "E", "tsumogiri": True},
        {"type": "tsumo", "actor": 0, "pai": "C"},
        {"type": "dahai", "actor": 0, "pai": "C", "tsumogiri": True},
        {"type": "tsumo", "actor": 1, "pai": "9p"},
        {"type": "dahai", "actor": 1, "pai": "9p", "tsumogiri": True},
        {"type": "hora", "actor": 0, "target": 1, "pai": "9p", "deltas": [1000, -1000, 0, 0], "fan": 1, "fu": 30},
        {"type": "end_kyoku"},
        {"type": "end_game", "scores": [31_000, 29_000, 20_000, 20_000]},
    ]


def mismatches(game: RiichiGame) -> list[str]:
    return [str(each) for each in Replayer().replay(game).mismatches]


def changed(rows: Rows, change: Callable[[dict[str, Any]], None]) -> Rows:
    rows = json.loads(json.dumps(rows))
    for row in rows:
        change(row)
    return rows


def dropping(*names: str) -> Callable[[dict[str, Any]], None]:
    def drop(row: dict[str, Any]) -> None:
        for name in names:
            row.pop(name, None)

    return drop


def test_a_win_without_payments_needs_later_scores() -> None:
    rows = changed(short_game()[:-1], dropping("deltas"))
    with pytest.raises(RecordError, match="neither the win nor later scores say what is paid"):
        read_mjai(rows)


def test_several_winners_without_payments_are_paid_by_the_discarder() -> None:
    game = make_game(4, 98, hands=6)
    assert any(len(hand.wins) > 1 for hand in game.hands[:-1])
    written = list(write_mjai(game))
    bare = [dict(row) for row in written]
    for row in bare:
        if row["type"] == "hora":
            row.pop("deltas")
    last = len(game.hands) - 1
    again = read_mjai(bare)
    for number, (hand, other) in enumerate(zip(game.hands, again.hands, strict=True)):
        if hand.wins and number < last:
            assert [win.deltas for win in other.wins] == [win.deltas for win in hand.wins]


@pytest.mark.parametrize("field_name", ["ura_markers", "uradora_markers", "uradora_marker"])
@pytest.mark.parametrize("shape", [list, lambda tiles: tiles[0]])
def test_ura_indicators_under_any_name(field_name: str, shape: Callable[[list[str]], Any]) -> None:
    game = next(game for seed in range(50) if (game := make_game(4, seed)) and single_ura(game))
    rows = list(write_mjai(game))
    for row in rows:
        if row["type"] == "hora":
            tiles = row.pop("ura_markers")
            row[field_name] = shape(tiles) if len(tiles) == 1 else tiles
    assert difference(read_mjai(rows), game) is None


def single_ura(game: RiichiGame) -> bool:
    return any(len(win.ura) == 1 for hand in game.hands for win in hand.wins)


def test_every_name_of_a_yaku_is_known() -> None:
    for number in YakuId:
        for name in (YAKU[number].name, YAKU[number].english, YAKU[number].japanese):
            assert yaku_named(name) == number
            assert yaku_named(name.upper().replace(" ", "")) == number


@pytest.mark.parametrize(*cases_of("messages", "spellings of yaku"))
def test_usual_spellings_of_yaku(name: str, number: int | None) -> None:
    assert yaku_named(name, seat_wind=2, round_wind=1) == number


def test_a_draw_without_payments() -> None:
    game = next(game for seed in range(50) if (game := make_game(4, seed)) and paid_draws(game))
    for names in (("deltas",), ("deltas", "tenpais", "tehais")):
        drop = dropping(*names)
        rows = list(write_mjai(game))
        for row in rows:
            if row["type"] == "ryukyoku":
                drop(row)
        again = read_mjai(rows)
        for hand, other in zip(game.hands[:-1], again.hands[:-1], strict=True):
            if isinstance(hand.outcome, Drawn):
                assert isinstance(other.outcome, Drawn)
                assert other.outcome.deltas == hand.outcome.deltas


def paid_draws(game: RiichiGame) -> bool:
    return any(any(hand.outcome.deltas) for hand in game.hands[:-1] if isinstance(hand.outcome, Drawn))


def test_tenpai_of_the_last_draw_decides_its_payments() -> None:
    rows = list(write_mjai(make_game(4, 1, hands=1)))
    end = next(at for at, row in enumerate(rows) if row["type"] in ("hora", "ryukyoku"))
    rows[end:] = [{"type": "ryukyoku", "reason": "fanpai", "tenpais": [True, False, False, False], "deltas": []}]
    outcome = read_mjai(rows).hands[0].outcome
    assert isinstance(outcome, Drawn)
    assert outcome.deltas == (3000, -1000, -1000, -1000)
    rows[-1] = {"type": "ryukyoku", "reason": "exhaustive", "tehais": [None, [], None, []], "deltas": []}
    outcome = read_mjai(rows).hands[0].outcome
    assert isinstance(outcome, Drawn)
    assert (outcome.shown, outcome.deltas) == ((1, 3), (-1500, 1500, -1500, 1500))


@pytest.mark.parametrize("reason", ["yao9", "kyushukyuhai", "kyuushu_kyuuhai", None])
@pytest.mark.parametrize("deltas", [{}, {"deltas": []}, {"deltas": None}])
def test_an_abort_needs_no_payments(reason: str | None, deltas: dict[str, Any]) -> None:
    rows = short_game()[:3]
    rows[1]["tehais"][3] = ["1m", "9m", "1p", "9p", "1s", "9s", "E", "S", "W", "N", "5m", "5m", "6m"]
    rows += [{"type": "ryukyoku", "reason": reason, **deltas}, {"type": "end_kyoku"}]
    game = read_mjai(rows)
    outcome = game.hands[0].outcome
    assert isinstance(outcome, Drawn)
    assert (outcome.reason, outcome.deltas) == (Ending.KYUUSHU_KYUUHAI, (0, 0, 0, 0))
    assert mismatches(game) == []


def test_the_view_of_one_seat_is_refused_in_words() -> None:
    for seat in range(4):
        rows = [seen_by(row, seat) for row in write_mjai(make_game(4, 1, hands=1))]
        with pytest.raises(RecordError, match="this is one player's view, not a record") as caught:
            read_mjai(rows)
        assert caught.value.cut == ()


# ---------------------------------------------------------------------------------------------------------
# Rules


def test_rules_of_jansou_are_read() -> None:
    start = {"type": "start_game", "preset": "renmei", "rules": {"player_count": 4, "game_length": "E"}}
    rules = rules_named(start)
    assert rules is not None
    assert (rules.players, rules.length) == (4, Length.EAST)
    given = {"kan_dora": False, "aka_dora": False, "multiple_ron": False, "kuikae_ban": True, "starting_points": 30_000}
    rules = rules_named({"type": "start_game", "rules": {**given, "honba_value": 0, "allow_negative_scores": True}})
    assert rules is not None
    assert (rules.kan_dora, rules.red_fives, rules.multiple_ron) == (KanDora.NONE, (0, 0, 0), 1)
    assert (rules.start, rules.honba_ron, rules.tobi, rules.name) == (30_000, 0, False, "tenhou-changed")


@pytest.mark.parametrize(*cases_of("messages", "rules named by the first event"))
def test_the_first_event_names_the_rules(start: dict[str, Any], name: str | None) -> None:
    rules = rules_named({"type": "start_game", **start})
    assert (rules and rules.name) == name
    table = KnownTable()
    table.hear({"type": "start_game", "id": 0, **start})
    table.hear(seen_by(list(write_mjai(make_game(3 if name == "tenhou-sanma" else 4, 1)))[1], 0))
    assert table.rules.name == (name or "tenhou")


# ---------------------------------------------------------------------------------------------------------
# Writing


def test_what_is_ours_stands_in_one_object() -> None:
    known = {
        "start_game": {"names", "kyoku_first", "aka_flag"},
        "hora": {
            *("actor", "target", "pai", "hora_tehais", "deltas", "ura_markers", "fan", "han", "fu", "hora_points"),
            *("yaku", "pao"),
        },
        "end_game": {"scores"},
    }
    for row in write_mjai(make_game(4, 3)):
        if row["type"] in known:
            assert set(row) <= {"type", "janshi", *known[row["type"]]}


def test_records_of_the_former_form_are_read() -> None:
    for players in (3, 4):
        game = make_game(players, 3)
        rows = changed(list(write_mjai(game)), lambda row: row.update(row.pop("janshi", {})))
        assert "rules" in rows[0]
        again = read_mjai(rows)
        assert difference(again, game) is None
        assert again.rules == game.rules
        assert again.final_points == game.final_points


def test_a_seat_knows_the_rules_and_nothing_else_of_ours() -> None:
    game = make_game(4, 1)
    game.seed = "secret"
    start, deal, *_ = write_mjai(game)
    assert seen_by(start, 2) == {**start, "id": 2, "janshi": {"rules": game.rules.name}}
    assert "secret" in json.dumps(start)
    assert "janshi" not in seen_by({**deal, "janshi": {"ids": [1]}}, 2)


def test_kita_is_written_under_either_name() -> None:
    game = make_game(3, 1)
    assert write_games([game], "mjai") == write_games([game], "mjai", kita="nukidora")
    for name, other in (("kita", "nukidora"), ("nukidora", "kita")):
        (text,) = write_games([game], "mjai", kita=name)
        assert f'"type":"{name}"' in text
        assert f'"{other}"' not in text


@pytest.mark.parametrize("command", ["convert", "arena"])
def test_commands_write_kita_under_either_name(command: str, tmp_path: Path) -> None:
    (tmp_path / "game.jsonl").write_text(write_mjai_text([make_game(3, 1)]), encoding="utf-8")
    words = {
        "convert": ["convert", tmp_path / "game.jsonl", "--to", "mjai", "--out", tmp_path / "out"],
        "arena": [
            *("arena", "efficient", "efficient", "efficient", "--hands", 3),
            *("--format", "mjai", "--records", tmp_path / "out"),
        ],
    }[command]
    result = CliRunner().invoke(app, [*map(str, words), "--kita", "kita"])
    assert result.exit_code == 0, result.output
    texts = [file.read_text(encoding="utf-8") for file in (tmp_path / "out").rglob("*.jsonl")]
    assert any('"type":"kita"' in text for text in texts)
    assert not any("nukidora" in text for text in texts)


@pytest.mark.parametrize(
    ("form", "kita", "says"),
    [("mjai", "nuki", "is nukidora or kita, not 'nuki'"), ("mjlog", "kita", "have no setting 'kita'; mjai has it")],
)
def test_a_wrong_name_of_kita_is_refused(form: str, kita: str, says: str) -> None:
    with pytest.raises(RecordError, match=says):
        write_games([make_game(3, 1)], form, kita=kita)


@pytest.mark.parametrize("players", [3, 4])
def test_riichienv_reads_our_records(players: int, tmp_path: Path) -> None:
    riichienv = pytest.importorskip("riichienv")
    file = tmp_path / "game.jsonl"
    for seed in range(6):
        game = make_game(players, seed, hands=4)
        file.write_text(write_mjai_text([game], kita="kita"), encoding="utf-8")
        replay = riichienv.MjaiReplay.from_jsonl(str(file))
        assert replay.num_rounds() == len(game.hands)
        for hand, theirs in zip(game.hands, replay.take_kyokus(), strict=True):
            assert theirs.end_scores[:players] == hand.points_after()
