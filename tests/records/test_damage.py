"""Changed records: how damage is named (``damaged-records.json``), and what is read (``readings.json``)."""

from __future__ import annotations

import json
from collections.abc import Callable
from copy import deepcopy
from dataclasses import replace
from enum import Enum
from functools import cache, reduce
from typing import Any

import numpy as np
import pytest
from made_games import make_game, play
from majsoul_records import write_majsoul
from paipu_records import write_paipu
from test_lobby import lobby_text
from test_mjai_dialects import short_game
from test_mjlog import record as mjlog
from test_riichi_city import record as riichi_city
from test_round_trip import machine_made
from tests.claims import Row, claims, rules_in

from janshi.records import Damaged, RecordError, read_bytes
from janshi.riichi.records import difference, write_games
from janshi.riichi.records.mjai import write_mjai
from janshi.riichi.records.replay import Replayer
from janshi.riichi.records.tenhou6 import write_tenhou6
from janshi.sichuan.records.jsonl import play_random_game, write_sichuan

#: A hand of tenhou.net/6 in which each seat draws and discards a tile.
QUIET: dict[str, Any] = {
    "name": list("ABCD"),
    "rule": {"disp": "般南喰赤", "aka51": 1, "aka52": 1, "aka53": 1},
    "log": [
        [
            *([0, 0, 0], [25000] * 4, [41], []),
            *([11, 12, 13, 14, 15, 16, 17, 18, 19, 41, 41, 42, 42], [19], [60]),
            *([21, 22, 23, 24, 25, 26, 27, 28, 29, 43, 43, 44, 44], [29], [21]),
            *([31, 32, 33, 34, 35, 36, 37, 38, 39, 45, 45, 46, 46], [39], [60]),
            *([11, 12, 13, 14, 15, 16, 17, 18, 19, 47, 47, 42, 42], [22], [60]),
            ["流局", [0, 0, 0, 0]],
        ]
    ],
}
#: A record in each form, as JSON; those of several lines as a list. Words behind the form: players, seed, hands.
FORMS: dict[str, Callable[..., Any]] = {
    "majsoul": lambda: write_majsoul(play("mahjong-soul", 5).game("made")),
    "riichi-city": lambda rules="riichi-city", seed="1": riichi_city(rules, int(seed)),
    "paipu": lambda seed="1": write_paipu(play("kobalab", int(seed), "mixed").game("made")),
    "tenhou6": lambda: QUIET,
    "viewer": lambda players, seed: write_tenhou6(make_game(int(players), int(seed)), extras=False),
    "mjai": lambda *numbers: list(write_mjai(make_game(*map(int, numbers or (4, 1, 1))))),
    "short": short_game,
    "mjlog": mjlog,
    "lobby": lobby_text,
    "janshi": lambda: write_tenhou6(next(machine_made(1))),
    "sichuan": lambda: [json.loads(line) for line in write_sichuan(play_random_game("sichuan", 1)).splitlines()],
}

#: Messages of Mahjong Soul.
MESSAGES = ("NewRound", "DealTile", "DiscardTile", "Hule")


@cache
def record(form: str) -> Any:
    name, *words = form.split()
    return FORMS[name](*words)


def changed(row: Row) -> str:
    """Return the record of a row: ``every`` changes events of mjai by type, ``set`` by path, ``replace`` the text."""
    value = deepcopy(record(row["form"]))
    for kind, changes in row.get("every", {}).items():
        for event in value:
            if kind in ("*", event["type"]):
                for path, new in changes.items():
                    change(event, path, new)
    for path, new in row.get("set", {}).items():
        change(value, path, new)
    lines = value if isinstance(value, list) else [value]
    text = value if isinstance(value, str) else "\n".join(map(json.dumps, lines))
    for old, new in row.get("replace", {}).items():
        assert old in text
        text = text.replace(old, new)
    return text


def change(place: Any, path: str, value: Any) -> None:
    """Set a value by its path; remove it (``-path``), or insert one before (``path+``).

    A path leads through texts of JSON and every part of a list (``*``); at Mahjong Soul it may begin with the first
    message of a name.
    """
    parts = path.removeprefix("-").removesuffix("+").split(".")
    for action in place["data"]["data"]["actions"] if parts[0] in MESSAGES else ():
        if action["result"]["name"] == f".lq.Record{parts[0]}":
            place, parts = action["result"]["data"], parts[1:]
            break
    _change(place, parts, path[0] + path[-1], value)


def _change(place: Any, parts: list[str], how: str, value: Any) -> None:
    if parts[0] == "*":
        for number in range(len(place)):
            _change(place, [str(number), *parts[1:]], how, value)
        return
    key = int(parts[0]) if isinstance(place, list) else parts[0]
    if len(parts) > 1:
        inner = json.loads(place[key]) if isinstance(place[key], str) else place[key]
        _change(inner, parts[1:], how, value)
        place[key] = json.dumps(inner) if isinstance(place[key], str) else inner
    elif how[0] == "-" and isinstance(place, dict):
        place.pop(key, None)
    elif how[0] == "-":
        del place[key]
    elif how[1] == "+":
        place.insert(key, value)
    else:
        place[key] = value


def said(text: str) -> str:
    """Return the reason for a record without a game, for its first cut hand, or for its first ignored part."""
    try:
        (read,) = read_bytes(text.encode(), "file")
    except RecordError as error:
        return str(error)
    if isinstance(read, Damaged):
        return str(read)
    return f"file, {read.cut[0]}" if read.cut else f"file: {next(iter(read.ignored))}"


@pytest.mark.parametrize("row", claims("damaged-records"))
def test_damage_is_named_in_one_line(row: Row) -> None:
    reason = said(changed(row))
    assert row["says"] in reason
    assert reason.startswith("file")
    assert "\n" not in reason


@pytest.mark.parametrize("row", claims("readings"))
def test_records_of_other_forms_are_read(row: Row) -> None:
    """A row expects fields of the game; ``same``: the game of the unchanged record; ``replays``: without mismatch."""
    (game,), (original,) = (read_bytes(changed(each).encode(), "x") for each in (row, {"form": row["form"]}))
    if row.get("same"):
        assert difference(game, original) is None
    if row.get("replays", True):
        assert not [mismatch for mismatch in Replayer().replay(game).mismatches if not mismatch.sequel]
    for form in row.get("writes", ()):
        assert write_games([game], form)
    for path, value in row.items():
        if path not in ("claim", "form", "every", "set", "replace", "same", "replays", "writes"):
            assert found(game, path, value) == value, path


def found(game: Any, path: str, expected: Any) -> Any:
    """Return a field of a game by its path, in the form of JSON."""
    if path == "cut":
        return [hand.number for hand in game.cut]
    if path == "hands":
        return len(game.hands)
    if path == "rules":
        return expected if game.rules == replace(rules_in(expected), name=game.rules.name) else str(game.rules)
    parts = path.split(".")
    value = reduce(lambda place, part: place[int(part)] if part.isdigit() else getattr(place, part), parts, game)
    if isinstance(value, Enum) and isinstance(expected, str):
        return value.name
    return json.loads(json.dumps(value.tolist() if isinstance(value, np.ndarray | np.generic) else value))
