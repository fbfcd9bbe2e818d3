"""The output of `janshi show-observation`, decoded and compared with the seat's view."""

from __future__ import annotations

import json
import zipfile
from pathlib import Path
from typing import Any, cast

import numpy as np
import pytest
from typer.testing import CliRunner

from janshi.agents import agent
from janshi.arena import play_match
from janshi.cli import app
from janshi.records.convert import GameWriter
from janshi.records.positions import PlayedHand, Position, PositionError
from janshi.riichi.drawing.observation import (
    GROUPS,
    ObservationReading,
    as_json,
    describe,
    describe_list,
    describe_raw,
    masks_of,
    options_text,
    read_columns,
)
from janshi.riichi.encoders.meowjong import MEOWJONG, column_names
from janshi.riichi.positions import decision_kinds, hand_of_game, nth_game, random_hand
from janshi.riichi.rules import preset
from janshi.riichi.state import MeldForm, Phase
from janshi.sample import SAMPLE
from janshi.tiles import format_tiles, kind_of, parse_tiles

RUN = CliRunner()
WINDS = ("East", "South", "West", "North")


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a folder with records of four games of four players."""
    place = tmp_path_factory.mktemp("games")
    seated = [agent(name) for name in ("efficient", "random", "random", "efficient")]
    with GameWriter(place, "mjlog") as writer:
        play_match(seated, preset("tenhou-east"), 1, seed=4, on_game=writer.write)
    return place


@pytest.fixture(scope="module")
def record(folder: Path) -> Path:
    return sorted(folder.rglob("*.mjlog"))[0]


def hands(folder: Path) -> list[PlayedHand]:
    four = nth_game(folder, 2)
    three = nth_game(SAMPLE, 5)
    games = [hand_of_game(game, number + 1) for game in (four, three) for number in range(len(game.hands))]
    return [*games, random_hand("tenhou", 6, 1), random_hand("tenhou-sanma", 6, 2)]


def seen(position: Position) -> Any:
    return cast("Any", position.view)[0]


def text_of(counts: Any) -> str:
    return format_tiles(kind for kind in range(34) for _ in range(int(counts[kind])))


def test_groups_cover_every_column_in_order():
    place = 0
    for _, first, count in GROUPS:
        assert first == place
        place += count
    assert place == 366


def test_decoded_columns_equal_the_seats_view(folder: Path):
    checked = sets = 0
    for hand in hands(folder):
        for position in hand.positions:
            reading = read_columns(masks_of(position))
            view = seen(position)
            players = hand.rules.players
            check_own(reading, view)
            assert reading.dora_indicators == tuple(
                format_tiles([kind_of(int(tile))]) for tile in view["indicators"][: view["shown"]]
            )
            assert (reading.round, reading.honba, reading.deposits) == (view["kyoku"], view["honba"], view["deposits"])
            assert reading.wind == f"{(position.seat - int(view['dealer'])) % players + 1}z"
            ring = [(position.seat + step) % players for step in range(players)]
            for step, (who, laid) in enumerate(zip(ring, (reading.own, *reading.others), strict=False)):
                seat = view["seats"][who]
                assert reading.scores[step] == max(int(seat["points"]), 0)
                check_laid(laid, seat)
                sets += len(laid.sets)
                if step:
                    assert reading.riichi[step - 1] == (int(seat["riichi_turn"]) if seat["riichi"] else None)
            if players == 3:
                assert reading.others[2] == read_columns([0] * 366).own
            checked += 1
    assert checked > 500
    assert sets > 100


def check_own(reading: ObservationReading, view: Any) -> None:
    claim = int(view["phase"]) == Phase.CLAIM
    target = int(view["tile"] if claim else view["drawn"])
    assert reading.target == ("" if target < 0 else format_tiles([kind_of(target)]))
    counts = view["hand"]["counts"].copy()
    if target >= 0 and not claim:
        counts[kind_of(target)] -= 1
    assert reading.tiles == text_of(counts)
    assert reading.red_fives == format_tiles(34 + suit for suit in range(3) if view["hand"]["reds"][suit])


def check_laid(laid: Any, seat: Any) -> None:
    assert laid.kitas == seat["kitas"]
    assert list(laid.discards) == [format_tiles([kind_of(int(tile))]) for tile in seat["river"][: seat["discards"]]]
    assert len(laid.sets) == seat["calls"]
    for one, meld in zip(laid.sets, seat["melds"], strict=False):
        low = int(meld["kind"])
        many = 3 if meld["form"] in (MeldForm.CHII, MeldForm.PON) else 4
        tiles = [low, low + 1, low + 2] if meld["form"] == MeldForm.CHII else [low] * many
        assert (one.tiles, one.turn) == (format_tiles(tiles), meld["turn"])


def test_the_text_lists_the_decoded_groups(folder: Path):
    for hand in hands(folder)[::3]:
        for position in hand.positions[::4]:
            lines, read = describe(hand, position).splitlines()[6:], read_columns(masks_of(position))
            texts = {name: line.partition(name)[2].strip() for (name, _, _), line in zip(GROUPS, lines, strict=True)}
            assert (texts["target"], texts["own tiles"]) == (read.target or "–", read.tiles)
            names = ("own", "player 1 ahead,", "player 2 ahead,")
            for name, laid in zip(names, (read.own, *read.others), strict=False):
                assert texts[f"{name} discards"] == (" ".join(laid.discards) or "–")
                assert texts[f"{name} kitas"] == str(laid.kitas)
                assert texts[f"{name} sets"].count("turn") == len(laid.sets)
            points = read.scores[: hand.rules.players]
            assert texts["scores"].endswith(f"ahead {points[-1]:,}")
            assert texts["own wind"] == f"{read.wind} ({WINDS[int(read.wind[0]) - 1]})"
            absent = texts["player 3 ahead, discards"] == "nobody sits there"
            assert absent == (hand.rules.players == 3)


def test_raw_text_holds_every_column(folder: Path):
    names = column_names()
    for hand in hands(folder)[:2]:
        for position in hand.positions[::7]:
            masks = [0] * 366
            for line in describe_raw(hand, position).splitlines()[5:]:
                number, rest = line.strip().split(maxsplit=1)
                assert rest.startswith(names[int(number)])
                tiles = rest.removeprefix(names[int(number)]).strip()
                masks[int(number)] = (
                    (1 << 34) - 1 if tiles == "all rows" else sum(1 << tile for tile in parse_tiles(tiles))
                )
            assert masks == masks_of(position).tolist()


def test_json_holds_all_of_it(folder: Path):
    hand = hands(folder)[0]
    position = hand.positions[10]
    written = json.loads(json.dumps(as_json(hand, position)))
    assert written["masks"] == MEOWJONG.encode_views(position.view)[0].tolist()
    assert written["names"] == column_names()
    assert (written["shape"], written["decision"], written["seat"]) == ([34, 366], 11, position.seat)
    assert [int(action) for action in written["possible"]] == list(position.possible)
    assert written["says"]["scores"] == list(read_columns(written["masks"]).scores)


def test_kinds_are_those_of_the_legal_actions(folder: Path):
    met = set()
    for hand in hands(folder):
        for position in hand.positions:
            assert position.done in position.possible
            kinds = decision_kinds(position)
            assert kinds, "nobody is asked who has nothing to decide"
            riichi = seen(position)["seats"]["accepted"][position.seat]
            assert ("discard" in kinds) == (min(position.possible) <= 37 and not riichi)
            assert ("pon" in kinds) == any(45 <= action <= 47 for action in position.possible)
            assert ("kan" in kinds) == any(action == 48 or action >= 54 for action in position.possible)
            assert ("kita" in kinds) == (49 in position.possible)
            assert ("riichi" in kinds) == (38 in position.possible)
            met |= set(kinds)
    assert {"discard", "pon", "kan", "kita", "riichi", "chii"} <= met


def test_the_list_names_every_decision():
    hand = random_hand("tenhou-sanma", 1, 1)
    lines = describe_list(hand.positions).splitlines()[1:]
    assert [line.split()[:2] for line in lines] == [[str(one.decision), str(one.seat)] for one in hand.positions]
    own = hand.of_seat(2)
    assert {position.seat for position in own} == {2}
    assert hand.position(seat=2) is own[0]


def test_discards_are_named_together():
    assert options_text([0, 1, 38]) == "discard 12m; riichi"
    assert options_text([37, 50]) == "discard the tile drawn; tsumo"
    assert options_text([45, 53]) == "pon; pass"


def run(*arguments: str) -> Any:
    return RUN.invoke(app, ["show-observation", *arguments])


def test_the_command_on_a_record(record: Path):
    result = run(str(record), "--hand", "2", "--decision", "5")
    assert result.exit_code == 0, result.output
    assert "hand 2\ndecision 5 of " in result.stdout
    hand = hand_of_game(nth_game(record), 2)
    assert result.stdout.rstrip("\n") == describe(hand, hand.position(5))
    listed = json.loads(run(str(record), "--hand", "2", "--list", "--seat", "1", "--json").stdout)
    assert {one["seat"] for one in listed["decisions"]} == {1}
    written = json.loads(run(str(record), "--hand", "2", "--decision", "5", "--json").stdout)
    assert np.array_equal(written["masks"], masks_of(hand.position(5)))
    assert run(str(record), "--list").stdout.startswith("decision  seat")
    assert "all rows" in run(str(record), "--raw").stdout


def test_the_command_on_a_random_game_is_deterministic():
    first, again, other = (run("--seed", seed, "--rules", "tenhou", "--seat", "2", "--json") for seed in "556")
    assert first.exit_code == 0, first.output
    written = json.loads(first.stdout)
    assert (written["seat"], written["players"], written["hand"]) == (2, 4, 1)
    assert first.stdout == again.stdout != other.stdout


def test_games_of_an_archive_are_chosen_by_number():
    first, third = (run(str(SAMPLE), "--game", number).stdout.splitlines()[0] for number in ("1", "3"))
    assert first != third
    assert (
        run(str(SAMPLE), "--game", "61").stderr
        == f"janshi show-observation: {SAMPLE} holds 60 games, there is no game 61\n"
    )


def test_damaged_games_do_not_hide_others(record: Path, tmp_path: Path):
    mixed = tmp_path / "mixed.zip"
    with zipfile.ZipFile(mixed, "w") as archive:
        archive.writestr("1.mjlog", record.read_bytes()[:300])
        archive.writestr("2.mjlog", record.read_bytes())
    assert nth_game(mixed).source == f"{mixed}:2.mjlog"
    with pytest.raises(PositionError, match="holds 1 game beside 1 damaged, there is no game 2"):
        nth_game(mixed, 2)


def test_errors_are_one_line_with_the_valid_values(record: Path, tmp_path: Path):
    broken = tmp_path / "broken.mjlog"
    broken.write_text(record.read_text()[:300])
    empty = tmp_path / "empty.zip"
    zipfile.ZipFile(empty, "w").close()
    hands_there = len(nth_game(record).hands)
    decisions = len(hand_of_game(nth_game(record), 1).positions)
    for arguments, message in (
        ([str(tmp_path / "none.mjlog")], "none.mjlog: no such file or folder"),
        ([str(broken)], "broken.mjlog"),
        ([str(empty)], "the archive holds no records"),
        ([str(record), "--game", "2"], "holds 1 game, there is no game 2"),
        ([str(record), "--hand", "99"], f"has {hands_there} hands, there is no hand 99"),
        ([str(record), "--decision", "999"], f"hand 1 has {decisions} decisions, there is no 999"),
        ([str(record), "--decision", "1", "--seat", "1"], "decision 1 is seat 0's; those of seat 1: "),
        (["--seat", "3"], "there is no seat 3: 3 players sit at 0 to 2"),
        (["--hand", "500"], "there is no hand 500"),
        (["--seed", str(1 << 70)], "does not fit into 64 bits"),
        (["--rules", "nobodys"], "no rules named 'nobodys'"),
        ([str(record), "--seed", "1"], "--seed and --rules are for a random game"),
    ):
        result = run(*arguments)
        assert result.exit_code == 2, arguments
        assert result.stderr.startswith("janshi show-observation: ")
        assert message in result.stderr
        assert result.stderr.count("\n") == 1
        assert result.stdout == ""


def test_a_hand_against_the_rules_is_reported_with_its_place(record: Path):
    game = nth_game(record)
    game.hands[0].honba += 1
    game.hands[0].events[3, 2] = game.hands[0].events[0, 2]
    with pytest.raises(PositionError, match=r"the hand cannot be replayed: .*hand 1"):
        hand_of_game(game, 1)
    assert hand_of_game(game, 2).positions
