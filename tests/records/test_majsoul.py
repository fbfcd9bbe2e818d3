"""Mahjong Soul's records: all forms, with generated games and a real record."""

from __future__ import annotations

import base64
import gzip
import json
import zipfile
from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import lru_cache
from pathlib import Path
from typing import Any

import pytest
from made_games import ARCHIVES, play
from majsoul_bytes import as_response, packed_details, wrapped, write_wire
from majsoul_records import config_of, write_majsoul
from tests.cases import few_or_many
from tests.claims import cases_of, rules_in

from janshi.core.errors import RuleError
from janshi.riichi.records import (
    Damaged,
    Drawn,
    Limit,
    RecordError,
    RiichiGame,
    convert,
    difference,
    read_bytes,
    read_games,
    read_majsoul_bytes,
    write_games,
)
from janshi.riichi.records.builder import HandBuilder, Start
from janshi.riichi.records.building import DrawnTile
from janshi.riichi.records.majsoul_rules import rules_of_head
from janshi.riichi.records.majsoul_wire import FIELDS
from janshi.riichi.records.model import Ending, Event, RecordedWin
from janshi.riichi.records.replay import Replayer
from janshi.riichi.records.walls import wall_slots
from janshi.riichi.rules import (
    M_LEAGUE,
    MAHJONG_SOUL,
    MAHJONG_SOUL_SANMA,
    KanDora,
    Length,
    Rules,
    final_points,
    preset,
)
from janshi.sample import SAMPLE
from janshi.tiles import parse_tiles, tile_of_id, tile_text

Record = dict[str, Any]


@lru_cache(maxsize=8)
def played(rules: str, seed: int = 5) -> RiichiGame:
    """Return a game of the engine, with the walls of its hands."""
    story = play(rules, seed)
    game = story.game("made here")
    for hand, wall in zip(game.hands, story.walls, strict=True):
        WALLS[id(hand)] = wall
    return game


#: Walls (tiles) of the played hands, by hand.
WALLS: dict[int, list[int]] = {}


def soul(rules: str = "mahjong-soul", seed: int = 5, walls: bool = False) -> Record:
    """Return a record in Mahjong Soul's form, without additional fields."""
    game = played(rules, seed)
    record = write_majsoul(game)
    if walls:
        starts = [data for name, data in messages(record) if name == "NewRound"]
        for start, hand in zip(starts, game.hands, strict=True):
            kans = sum(Event.DAIMINKAN <= row[0] <= Event.KITA for row in hand.events.tolist())
            wall = WALLS[id(hand)]
            start["paishan"] = "".join(tile_text(wall[slot]) for slot in wall_slots(game.players, kans))
    return record


def messages(record: Record) -> list[tuple[str, Record]]:
    """Return the messages of a record by their short names."""
    actions = record["data"]["data"]["actions"]
    return [(action["result"]["name"].removeprefix(".lq.Record"), action["result"]["data"]) for action in actions]


def one(data: bytes | str | Record | list[Any]) -> RiichiGame:
    """Return the single game of a readable record."""
    if isinstance(data, dict | list):
        data = json.dumps(data)
    (game,) = read_bytes(data.encode() if isinstance(data, str) else data, "x")
    assert isinstance(game, RiichiGame), str(game)
    return game


def refused(record: Record | str | bytes) -> str:
    """Return the reason for a refused record, or for its first cut hand: one line with its name."""
    data = json.dumps(record) if isinstance(record, dict) else record
    reason = _reason(data.encode() if isinstance(data, str) else data)
    assert "\n" not in reason
    assert reason.startswith("file.json")
    return reason


def _reason(data: bytes) -> str:
    try:
        (damaged,) = read_bytes(data, "file.json")
    except RecordError as error:
        return str(error)
    if isinstance(damaged, RiichiGame):
        return f"file.json, {damaged.cut[0]}"
    assert isinstance(damaged, Damaged)
    return str(damaged)


# ---------------------------------------------------------------------------------------------------------
# The real record


@pytest.fixture(scope="module")
def real(records: Path) -> Path:
    """Return a complete record of Mahjong Soul's site."""
    return records / "majsoul" / "four-raw.json.gz"


def test_the_real_record_replays_with_every_check(real: Path) -> None:
    (game,) = read_games([real])
    assert isinstance(game, RiichiGame)
    replayed = Replayer().replay(game, scripts=True)
    assert (replayed.mismatches, replayed.hands, replayed.decisions, len(replayed.scripts)) == ([], 9, 491, 9)
    assert replayed.walls == 9
    assert game.final_scores is not None
    assert game.final_points == final_points(game.rules, game.final_scores)
    assert (game.format, game.rules, game.names) == ("majsoul", MAHJONG_SOUL, ["P0", "P1", "P2", "P3"])


# ---------------------------------------------------------------------------------------------------------
# Forms


def _plain(record: Record) -> list[Record]:
    return [action["result"] for action in record["data"]["data"]["actions"]]


def _without(text: str) -> Callable[[Record], Any]:
    """Return the messages with parts of their name prefixes removed."""
    return lambda record: [{**message, "name": message["name"].replace(text, "")} for message in _plain(record)]


def _rounds(record: Record) -> list[list[Record]]:
    rounds: list[list[Record]] = []
    for message in _without(".lq.Record")(record):
        if message["name"] == "NewRound":
            rounds.append([])
        rounds[-1].append(message)
    return rounds


FORMS: dict[str, Callable[[Record], Any]] = {
    "whole": lambda record: record,
    "userscript": lambda record: {"head": record["head"], "data": _plain(record)},
    "record": lambda record: {"head": record["head"], "record": _plain(record)},
    "actions": lambda record: {"head": record["head"], "actions": record["data"]["data"]["actions"]},
    "details": lambda record: record["data"],
    "old version": lambda record: {
        "head": record["head"],
        "data": {"name": ".lq.GameDetailRecords", "data": {"version": 0, "records": _plain(record)}},
    },
    "bare": _plain,
    "bare, short names": _without(".lq."),
    "RiichiEnv, header": lambda record: {"header": record["head"], "data": _rounds(record)},
    "RiichiEnv, rounds": lambda record: {"rounds": _rounds(record)},
    "packed one by one": lambda record: [
        _plain(record)[0],
        *({"type": 1, "result": base64.b64encode(wrapped(each)).decode()} for each in _plain(record)[1:]),
        {"type": 2, "result": "", "user_input": {"seat": 1}},
    ],
    "packed in JSON": lambda record: {
        "head": record["head"],
        "data": base64.b64encode(packed_details(record)).decode(),
    },
}


@pytest.mark.parametrize("rules", ["mahjong-soul", "mahjong-soul-sanma-east"])
@pytest.mark.parametrize("form", FORMS)
def test_every_form_holds_the_same_game(form: str, rules: str) -> None:
    game = one(FORMS[form](soul(rules)))
    expected = played(rules)
    headless = form in ("details", "bare", "bare, short names", "RiichiEnv, rounds", "packed one by one")
    assert difference(game, expected) is None
    assert game.players == expected.players
    assert game.names == (["P0", "P1", "P2", "P3"][: game.players] if headless else expected.names)
    assert headless or (game.rules, game.final_scores) == (preset(rules), expected.final_scores)


@pytest.mark.parametrize("rules", ["mahjong-soul", "mahjong-soul-sanma-east"])
@pytest.mark.parametrize(
    "pack", [write_wire, packed_details, lambda record: packed_details(record, bare=True), as_response]
)
def test_the_bytes_of_the_protocol_hold_the_same_game(pack: Callable[[Record], bytes], rules: str) -> None:
    record = soul(rules, walls=True)
    game, again = one(pack(record)), one(record)
    assert difference(game, again) is None
    assert [hand.wall.tolist() for hand in game.hands if hand.wall is not None] == [
        hand.wall.tolist() for hand in again.hands if hand.wall is not None
    ]
    if pack in (write_wire, as_response):
        assert (game.names, game.rules, game.final_points) == (again.names, again.rules, again.final_points)


@pytest.mark.parametrize("pack", ["json", "bytes"])
def test_files_packed_with_gzip_and_in_archives_are_read(tmp_path: Path, pack: str) -> None:
    record = soul()
    data = json.dumps(record).encode() if pack == "json" else write_wire(record)
    (tmp_path / "a.json").write_bytes(data)
    (tmp_path / "b.json.gz").write_bytes(gzip.compress(data))
    with zipfile.ZipFile(tmp_path / "c.zip", "w") as archive:
        archive.writestr("d.bin", data)
        archive.writestr("e.json.gz", gzip.compress(data))
    games = list(read_games([tmp_path]))
    assert len(games) == 4
    assert all(isinstance(game, RiichiGame) and difference(game, played("mahjong-soul")) is None for game in games)


@pytest.mark.parametrize("join", [json.dumps, lambda records: "\n".join(map(json.dumps, records))])
def test_several_records_in_one_file_are_named_by_number(join: Callable[[list[Record]], str]) -> None:
    damaged = soul("mahjong-soul", 6)
    _first(damaged, "NewRound")["tiles1"] = []
    _first(damaged, "NewRound")["tiles2"] = []
    first, second, third = read_bytes(join([soul(), damaged, soul()]).encode(), "f")
    assert isinstance(first, RiichiGame)
    assert isinstance(third, RiichiGame)
    assert third.source == "f#3"
    assert isinstance(second, Damaged)
    assert str(second).startswith("f#2: 2 hands are dealt")


def test_fields_with_nothing_in_them_may_be_absent() -> None:
    record = soul("mahjong-soul-sanma-east")

    def bare(value: Any) -> Any:
        if isinstance(value, dict):
            return {name: bare(each) for name, each in value.items() if each not in (0, False, "", [])}
        return [bare(each) for each in value] if isinstance(value, list) else value

    assert difference(one(bare(record)), one(record)) is None


def test_missing_payments_are_computed() -> None:
    record = soul("mahjong-soul")
    for name, data in messages(record):
        data.pop("delta_scores", None)
        data.pop("old_scores", None)
        if name == "NoTile":
            del data["scores"]
    # The last hand is a win: no later points show the payments.
    assert messages(record)[-1][0] == "Hule"
    assert difference(one(record), played("mahjong-soul")) is None


def _later(record: Record) -> Record:
    """Move the indicator of an open kan after the discard, as in some records."""
    named: list[str] | None = None
    for name, data in messages(record):
        if name in ("DealTile", "Hule") and named is not None:
            for each in data["hules"] if name == "Hule" else [data]:
                each["doras"] = named
        named = data.pop("doras", None) if name == "DiscardTile" else None
    return record


def _apart(record: Record) -> Record:
    """Move indicators to separate messages, as in RiichiEnv's records."""
    actions, shown = [], 1
    for action in record["data"]["data"]["actions"]:
        name, data = action["result"]["name"], action["result"]["data"]
        tiles = data.pop("doras", []) if not name.endswith("NewRound") else []
        shown = 1 if name.endswith("NewRound") else shown
        actions += [{"type": 1, "result": {"name": "dora", "data": {"dora_marker": tile}}} for tile in tiles[shown:]]
        shown = max(shown, len(tiles))
        actions.append(action)
    record["data"]["data"]["actions"] = actions
    return record


@pytest.mark.parametrize("move", [_later, _apart])
def test_indicators_are_revealed_by_the_rules(move: Callable[[Record], Record]) -> None:
    moved = 0
    for number, game in enumerate(read_games([SAMPLE])):
        if number == 20:
            break
        assert isinstance(game, RiichiGame)
        record = write_majsoul(game)
        last = None
        for name, data in messages(record):
            # A call after such a discard has no field for indicators.
            moved += name == "DiscardTile" and "doras" in data
            if last == "doras" and name in ("ChiPengGang", "NoTile", "LiuJu") and move is _later:
                break
            last = "doras" if name == "DiscardTile" and "doras" in data else name
        else:
            assert difference(one(move(record)), game) is None
    assert moved


# ---------------------------------------------------------------------------------------------------------
# Walls


@pytest.mark.parametrize("rules", ["mahjong-soul", "mahjong-soul-sanma"])
def test_walls_are_those_of_the_played_hands(rules: str) -> None:
    expected = played(rules)
    game = one(soul(rules, walls=True))
    for hand, other in zip(game.hands, expected.hands, strict=True):
        assert hand.wall is not None
        size = 136 if game.players == 4 else 108
        wall = [tile_of_id(identity) for identity in hand.wall.tolist()]
        end = size - 13 * game.players  # hands are sorted; replacement tiles and indicators come first
        assert wall[:end] == WALLS[id(other)][:end]
        assert sorted(wall) == sorted(WALLS[id(other)][:size])
    assert Replayer().replay(game).mismatches == []


def test_a_wall_with_the_hands_that_are_dealt_from_it_is_read() -> None:
    record = soul(walls=True)
    plain = one(record)
    for name, data in messages(record):
        if name == "NewRound":
            dealt = "".join("".join(data[f"tiles{seat}"]) for seat in range(4))
            data["paishan"] = dealt + data["paishan"]
    assert [hand.wall.tolist() for hand in one(record).hands if hand.wall is not None] == [
        hand.wall.tolist() for hand in plain.hands if hand.wall is not None
    ]


# ---------------------------------------------------------------------------------------------------------
# How hands end


def hand_of_four() -> HandBuilder:
    """Return the start of a hand of four players after the dealer's draw."""
    deal = ["1112345678999m", "123456789p1123s", "1122334455667z", "123456789s123p7z"]
    start = Start(round=0, dealer=0, honba=2, deposits=1, scores=[25_000] * 4)
    hand = HandBuilder((1, 1, 1), [parse_tiles(tiles)[:13] for tiles in deal], parse_tiles("4z")[0], start)
    hand.draw(0, parse_tiles("8p")[0])
    return hand


def game_of(hand: HandBuilder) -> RiichiGame:
    return RiichiGame("made", "mjai", 4, MAHJONG_SOUL, ["a", "b", "c", "d"], [hand.finish()])


@pytest.mark.parametrize("reason", [Ending.KYUUSHU_KYUUHAI, Ending.FOUR_WINDS, Ending.FOUR_KANS, Ending.TRIPLE_RON])
def test_every_abort_is_read_back(reason: Ending) -> None:
    hand = hand_of_four()
    if reason != Ending.KYUUSHU_KYUUHAI:
        hand.discard(0, parse_tiles("8p")[0], DrawnTile.YES)
    hand.end_drawn(reason, (0,) * 4, None)
    game = game_of(hand)
    assert difference(one(write_majsoul(game)), game) is None


def double_ron(pao: int | None = None) -> RiichiGame:
    hand = hand_of_four()
    hand.discard(0, parse_tiles("8p")[0], DrawnTile.YES)
    for number, who in enumerate((1, 3)):
        value = 32_000 + (600 + 1000 if number == 0 else 0)
        paid = [0, 0, 0, 0]
        paid[who] = value
        paid[0] = -(value - (1000 if number == 0 else 0))
        if pao is not None and number == 0:
            paid[pao], paid[0] = paid[0] // 2 - 300, paid[0] // 2 + 300
        liable = pao if number == 0 else None
        fields = {"han": 0, "fu": 30, "points": 32_000, "limit": Limit.YAKUMAN, "yaku": (), "yakuman": (39,)}
        hand.win(who, 0, **fields, pao=liable, deltas=tuple(paid))
    return game_of(hand)


@pytest.mark.parametrize("pao", [None, 2])
def test_payments_of_several_winners_are_separated(pao: int | None) -> None:
    game = double_ron(pao)
    record = write_majsoul(game)
    hules = messages(record)[-1][1]["hules"]
    hules.reverse()  # in any order, the first winner in turn order receives honba and riichi sticks
    assert difference(one(record), game) is None


def test_seats_of_pao_may_be_counted_from_one() -> None:
    record = write_majsoul(double_ron(2))
    hules = messages(record)[-1][1]["hules"]
    del hules[0]["baopai_seats"]
    hules[0]["baopai"] = 3
    assert difference(one(record), double_ron(2)) is None


# ---------------------------------------------------------------------------------------------------------
# Rules


@pytest.mark.parametrize(*cases_of("messages", "ranked rooms of Mahjong Soul"))
def test_ranked_rooms_play_by_the_preset(players: int, mode: int, room: int, expected: str) -> None:
    head = {"config": {"category": 2, "mode": {"mode": mode}, "meta": {"mode_id": room}}}
    assert rules_of_head(head, players) == preset(expected)


ROOMS = (
    replace(MAHJONG_SOUL, start=30_000, target=35_000, results_from=30_000, uma=(20_000, 10_000, -10_000, -20_000)),
    replace(MAHJONG_SOUL, open_tanyao=False, red_fives=(0, 0, 0), tobi=False, length=Length.EAST),
    replace(MAHJONG_SOUL, multiple_ron=1, rounded_mangan=True, kan_dora=KanDora.AT_ONCE, double_yakuman=False),
    replace(MAHJONG_SOUL, honba_each=500, honba_ron=1500, four_kans=False, riichi_least_tiles=0),
    replace(MAHJONG_SOUL_SANMA, tsumo_loss=False, honba_each=300, honba_ron=600, extension=False),
    replace(M_LEAGUE, pao_kans=False, tenpai_by_choice=False),
)


@pytest.mark.parametrize("rules", ROOMS)
def test_the_rules_of_a_room_are_written_and_read(rules: Rules) -> None:
    read = rules_of_head({"config": config_of(rules)}, rules.players)
    told = [name for name in Rules.__slots__ if name not in UNTOLD]
    assert {name: getattr(read, name) for name in told} == {
        name: getattr(rules, name) if name != "results_from" else rules.results_from or rules.target for name in told
    }
    with pytest.raises(RuleError):
        preset(read.name)
    config = config_of(rules)
    detail = config["mode"]["detail_rule"]
    config["mode"]["detail_rule"] = {name: value for name, value in detail.items() if value or name == "dora_count"}
    assert rules_of_head({"config": config}, rules.players) == read


@pytest.mark.parametrize(*cases_of("messages", "rooms of friends of Mahjong Soul"))
def test_a_room_of_friends_names_a_few_rules(detail: Record, plain: str, changes: str) -> None:
    mode = {"mode": 12 if "sanma" in plain else 2, "detail_rule": detail}
    rules = rules_of_head({"config": {"category": 1, "mode": mode}}, preset(plain).players)
    assert rules == replace(rules_in(f"{plain} {changes}"), name=f"{plain}-room" if changes else plain)


#: Rules without a field of a room.
UNTOLD = {
    *("name", "oka", "first_turn_doubles", "pao_part_only", "riichi_kan_keeps_sets", "ties_share_uma"),
    *("ties_share_deposits", "riichi_least_points", "orphans_rob_closed_kan"),
}


@pytest.mark.parametrize(*cases_of("messages", "fields of a room of Mahjong Soul"))
def test_all_rules_of_a_room_are_read_from_bytes(
    monkeypatch: pytest.MonkeyPatch, number: int, name: str, changes: str, says: str
) -> None:
    # By number, not by the reader's table: output of other programs must be understood.
    if name == "unheard":
        monkeypatch.setitem(FIELDS["GameDetailRule"], number, ("unheard", "int"))
    assert FIELDS["GameDetailRule"][number] == (name, "int")
    record = soul()
    value = 2 if name == "enable_baopai_extend_settings" else 1
    record["head"]["config"] = {"category": 1, "mode": {"mode": 2, "detail_rule": {name: value}}}
    data = write_wire(record)
    monkeypatch.undo()
    if says:
        assert says in refused(data)
    else:
        assert one(data).rules == replace(rules_in(f"mahjong-soul {changes}"), name="mahjong-soul-room")


# ---------------------------------------------------------------------------------------------------------
# Damage


def _first(record: Record, wanted: str) -> Record:
    return next(data for name, data in messages(record) if name == wanted)


def test_damage_names_hand_and_message() -> None:
    record = soul()
    starts = [number for number, (name, _) in enumerate(messages(record)) if name == "NewRound"]
    messages(record)[starts[1] + 2][1]["seat"] = 9
    assert "hand 2, event 2: seat 9 in a game of 4" in refused(record)


def test_nesting_cuts_and_long_names_are_refused() -> None:
    named = soul()
    named["head"]["accounts"] = [{"seat": 0, "nickname": "x" * 100_000}]
    assert "100000 letters" in refused(named)
    text = json.dumps(soul())
    assert "incomplete" in refused(text[: len(text) // 2])
    assert "nested too deep" in refused('[{"name":".lq.RecordNewRound","data":' + "[" * 100_000)
    deep: Any = [{"name": ".lq.RecordNewRound", "data": {}}]
    for _ in range(50):
        deep = [deep]
    assert "nested too deep" in refused(json.dumps(deep))


def test_bytes_that_are_cut_or_nested_are_refused() -> None:
    data = write_wire(soul())
    assert "incomplete" in refused(data[:-20])
    other = data.replace(b".lq.RecordDealTile", b".lq.SomethingElses")
    assert "'.lq.SomethingElses' in place of a message of a record" in refused(other)
    with pytest.raises(RecordError, match="save the file at its data_url"):
        read_majsoul_bytes(write_wire({**soul(), "data": None}))
    nested = packed_details(soul())
    for _ in range(30):
        nested = b"\n\x0b.lq.Wrapper\x12" + _length(nested) + nested
    with pytest.raises(RecordError):
        read_majsoul_bytes(nested, "x")


def _length(data: bytes) -> bytes:
    number, out = len(data), bytearray()
    while number > 127:
        out.append(number & 127 | 128)
        number >>= 7
    return bytes([*out, number])


# ---------------------------------------------------------------------------------------------------------
# Tenhou's games in Mahjong Soul's form


def converted(sample: Callable[[str, int], Iterator[tuple[str, bytes]]], each: int) -> tuple[int, int, int]:
    """Write games in the format and read them back; count games, hands, and those with different rules."""
    games = hands = other = 0
    replayer = Replayer()
    for archive in ARCHIVES:
        for name, data in sample(archive, each):
            for game in read_bytes(data, name):
                assert isinstance(game, RiichiGame)
                plain = json.dumps(write_majsoul(game))
                read = one(plain)
                assert difference(game, read) is None, name
                assert difference(game, one(write_wire(json.loads(plain)))) is None, name
                # By Mahjong Soul's own rules except for differences: yakuman and three rons.
                soul_rules = replace(
                    MAHJONG_SOUL_SANMA if game.players == 3 else MAHJONG_SOUL,
                    red_fives=game.rules.red_fives,
                    open_tanyao=game.rules.open_tanyao,
                )
                read.rules = soul_rules
                differing = {m.hand for m in replayer.replay(read).mismatches if not m.sequel}
                assert all(_is_different(game.hands[number - 1].outcome) for number in differing), name
                games, hands, other = games + 1, hands + len(game.hands), other + len(differing)
    return games, hands, other


def _is_different(outcome: list[RecordedWin] | Drawn) -> bool:
    if isinstance(outcome, Drawn):
        return outcome.reason == Ending.TRIPLE_RON
    return any(win.yakuman for win in outcome)


def test_the_format_is_read_only(tmp_path: Path) -> None:
    with pytest.raises(RecordError, match="'majsoul' can only be read; formats to write are tenhou6, mjai, mjlog"):
        write_games([played("mahjong-soul")], "majsoul")
    with pytest.raises(RecordError, match="can only be read"):
        convert([SAMPLE], "majsoul", tmp_path / "out")


@few_or_many(("each", "least"), (1, 12), (38, 500))
def test_tenhous_games_survive_the_format(
    each: int, least: int, sample: Callable[[str, int], Iterator[tuple[str, bytes]]]
) -> None:
    games, hands, _ = converted(sample, each)
    assert games >= least
    assert hands > 8 * least
