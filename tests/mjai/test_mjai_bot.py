"""Our players as bots: valid answers to any messages of servers."""

from __future__ import annotations

import json
from typing import Any

import numpy as np
import pytest
from typer.testing import CliRunner

from janshi.agents import agent
from janshi.cli import app
from janshi.mjai.bot import MjaiPlayer, address_of, parse_line, to_line
from janshi.mjai.events import MjaiError
from janshi.mjai.moves import action_event, cannot_discard, possible_actions, read_action
from janshi.riichi.actions import Action, action_text
from janshi.riichi.records.live import Story, seen_by
from janshi.riichi.rules import preset
from janshi.table import DecisionBatch, Table, Tables
from tests.claims import cases_of

HIDDEN = ["?"] * 13
START = {"type": "start_kyoku", "bakaze": "E", "kyoku": 1, "honba": 0, "kyotaku": 0, "dora_marker": "9s"}
READY = ["1m", "2m", "3m", "4m", "5m", "6m", "7p", "8p", "9p", "2s", "3s", "E", "E"]


class Chooses:
    """Takes the first legal one of some actions, and stores its decisions."""

    players = frozenset({3, 4})

    def __init__(self, *wanted: int) -> None:
        self.name = "chooses"
        self.wanted = wanted
        self.asked: list[set[int]] = []

    def act(self, batch: DecisionBatch) -> Any:
        (mask,) = batch.legal
        self.asked.append(set(np.flatnonzero(mask).tolist()))
        view: Any = np.asarray(batch.views)[0]
        for word, (first, last) in enumerate(((0, 54), (54, 88), (88, 122))):
            bits = sum(1 << int(bit) for bit in np.flatnonzero(mask[first:last]))
            assert int(view["legal"][word]) == bits
        wanted = (action for action in (*self.wanted, *np.flatnonzero(mask)) if mask[action])
        return np.array([next(wanted)], np.int16)


def dealt(hand: list[str], dealer: int = 0, seat: int = 0, players: int = 4) -> list[dict[str, Any]]:
    hands = [hand if who == seat else HIDDEN for who in range(players)]
    scores = [25000 if players == 4 else 35000] * players
    return [{"type": "start_game", "id": seat}, {**START, "oya": dealer, "scores": scores, "tehais": hands}]


def drawn(seat: int, tile: str = "?") -> dict[str, Any]:
    return {"type": "tsumo", "actor": seat, "pai": tile}


def thrown(seat: int, tile: str, tsumogiri: bool = True) -> dict[str, Any]:
    return {"type": "dahai", "actor": seat, "pai": tile, "tsumogiri": tsumogiri}


# ---------------------------------------------------------------------------------------------------------
# Conversion of every action in both directions


@pytest.mark.parametrize("rules", ["tenhou", "tenhou-sanma", pytest.param("tenhou-nored", marks=pytest.mark.long)])
def test_every_action_is_written_and_read_back(rules: str) -> None:
    """In partly random games, the event of each legal action is read as that action."""
    tables = Tables(rules, 25, 7)
    seen: set[str] = set()
    for step in range(200):
        views: Any = np.asarray(tables.views())
        legal = tables.legal()
        for view, mask in zip(views, legal, strict=True):
            answers = {int(action): action_event(view, tables.rules, int(action)) for action in np.flatnonzero(mask)}
            assert len({json.dumps(answer) for answer in answers.values()}) == len(answers)
            for action, answer in answers.items():
                assert read_action(json.loads(to_line(answer)), view, mask) == action
                seen.add(action_text(action).split()[0])
            listed = possible_actions(view, tables.rules, mask)
            assert {offer["type"] for offer in listed}.isdisjoint({"dahai", "none"})
            barred = cannot_discard(view, mask)
            discards = {answer["pai"] for action, answer in answers.items() if action <= Action.TSUMOGIRI}
            assert not discards or discards.isdisjoint(barred)
        player = agent("random" if step % 3 == 0 else "efficient")
        tables.step(player.act(tables.decisions()))
    wanted = {"discard", "riichi", "pon", "open", "closed", "added", "tsumo", "ron", "pass", "kyuushu"}
    wanted |= {"kita"} if rules == "tenhou-sanma" else {"chii"}
    assert wanted <= seen


def view_after(hand: list[str], *events: dict[str, Any], players: int = 4) -> tuple[Any, Any]:
    player = MjaiPlayer(Chooses())
    for event in (*dealt(hand, 0 if events[0]["actor"] == 0 else 3, players=players), *events):
        player.table.hear(event)
    return np.asarray(player.table.view())[0], player.table.legal()[0]


FIVES = ["5m", "5mr", "5p", "5pr", "4m", "6m", "7m", "1s", "1s", "1s", "E", "E", "E"]
POSITIONS = {"own": view_after(FIVES, drawn(0, "9p")), "claim": view_after(FIVES, drawn(3), thrown(3, "5m"))}


@pytest.mark.parametrize(*cases_of("messages", "answers of bots"))
def test_answers_are_read_leniently(position: str, given: dict[str, Any], action: str | int) -> None:
    name, _, more = str(action).partition(" ")
    expected = int(name) if name.isdigit() else Action[name] + int(more or 0)
    assert read_action(given, *POSITIONS[position]) == expected


def test_a_five_is_the_red_one_if_no_other_is_held() -> None:
    hand = ["5mr", *FIVES[2:], "C"]
    assert read_action({"type": "dahai", "pai": "5m"}, *view_after(hand, drawn(0, "9p"))) == 34


@pytest.mark.parametrize(*cases_of("messages", "impossible answers of bots"))
def test_impossible_answers_are_refused(position: str, given: dict[str, Any], says: str) -> None:
    with pytest.raises(MjaiError, match=says) as caught:
        read_action(given, *POSITIONS[position])
    assert "\n" not in str(caught.value)


# ---------------------------------------------------------------------------------------------------------
# Possible actions of a server


def answer(player: MjaiPlayer, *events: dict[str, Any]) -> dict[str, Any]:
    return player.react(list(events))


CLAIMED = [*dealt(READY, dealer=3), drawn(3)]
PON = {"type": "pon", "actor": 0, "target": 3, "pai": "E", "consumed": ["E", "E"]}
WINS = [{"type": "hora", "actor": 0}, {"type": "dahai", "actor": 0, "pai": "C", "tsumogiri": False}]
LISTED = [{"type": "dahai", "actor": 0, "pai": "E"}, {"type": "dahai", "pai": "9m"}, {"type": "none"}]
BEYOND = [{"type": "hora", "actor": 0, "target": 0}, {"type": "kakan", "pai": "1m"}, "nonsense", 7]
#: Claims: events before, the event with a server's offers, wanted actions, fields of the answer, decisions asked for.
OFFERS: dict[str, tuple[list[dict[str, Any]], dict[str, Any], tuple[int, ...], dict[str, Any], Any]] = {
    "what is not offered is not taken": (
        CLAIMED, {**thrown(3, "E"), "possible_actions": [PON]}, (Action.RON, Action.PON), {"type": "pon"},
        [{Action.PON, Action.PASS}],
    ),
    "without offers there is no decision": (
        CLAIMED, {**thrown(3, "E"), "possible_actions": []}, (Action.RON, Action.PON), {"type": "none"}, [],
    ),
    "riichi is declared only if it is offered": (
        dealt(READY), {**drawn(0, "9m"), "possible_actions": []}, (Action.RIICHI,), {"type": "dahai"}, None,
    ),
    "riichi is declared if it is offered": (
        dealt(READY), {**drawn(0, "9m"), "possible_actions": [{"type": "reach", "actor": 0}]}, (Action.RIICHI,),
        {"type": "reach"}, None,
    ),
    "tiles that may not be discarded are not": (
        dealt(READY), {**drawn(0, "9m"), "cannot_dahai": ["9m", "1m", "E"]}, (Action.TSUMOGIRI,),
        {"type": "dahai", "pai": "2m", "tsumogiri": False}, None,
    ),
    "listed discards are binding": (
        dealt(READY), {**drawn(0, "9m"), "possible_actions": LISTED}, (), {"pai": "E"}, [{27, Action.TSUMOGIRI}],
    ),
    "offers beyond the rules are declined": (
        dealt(READY), {**drawn(0, "9m"), "possible_actions": BEYOND}, (), {"type": "dahai"}, None,
    ),
    "an offer is taken if no legal action is offered": (
        dealt(READY), {**drawn(0, "7s"), "possible_actions": WINS}, (), WINS[1], [],
    ),
    **{
        f"damaged offers are ignored: {more}": (dealt(READY), {**drawn(0, "9m"), **more}, (), {"type": "dahai"}, None)
        for more in (
            {"possible_actions": [{"type": ["x"]}, {"consumed": 3}, None]},
            {"possible_actions": [{"type": "dahai", "pai": 7}, {"type": "dahai", "pai": "9m"}]},
            {"possible_actions": [{"type": "ankan", "consumed": [[], {}]}]},
            {"cannot_dahai": ["x", None, 3, []]},
            {"cannot_dahai": READY},
            {"possible_actions": "all", "cannot_dahai": 3},
        )
    },
}


@pytest.mark.parametrize("claim", OFFERS)
def test_offers_of_a_server(claim: str) -> None:
    before, offering, wanted, fields, asked = OFFERS[claim]
    chooses = Chooses(*wanted)
    answered = MjaiPlayer(chooses).react([*before, offering])
    assert {name: answered[name] for name in fields} == fields
    assert asked is None or chooses.asked == asked


@pytest.mark.parametrize("word", ["nukidora", "kita"])
def test_a_kita_has_the_servers_event_name(word: str) -> None:
    hand = ["1p", "2p", "3p", "4p", "5p", "6p", "7s", "8s", "9s", "2s", "3s", "N", "N"]
    player = MjaiPlayer(Chooses(Action.KITA), kita="kita" if word == "nukidora" else "nukidora")
    first = answer(player, *dealt(hand, players=3), drawn(0, "C"))
    assert first["type"] != word  # its own name of the event, until it knows the server's
    answer(player, {"type": word, "actor": 0, "pai": "N"})
    assert answer(player, drawn(0, "9m"))["type"] == word


def test_a_forced_discard_is_answered_too() -> None:
    player = MjaiPlayer(Chooses(Action.RIICHI))
    answer(player, *dealt(READY), drawn(0, "9m"))
    answered = answer(player, {"type": "reach", "actor": 0})
    answer(player, answered)
    answer(player, {"type": "reach_accepted", "actor": 0})
    for seat in (1, 2, 3):
        assert answer(player, drawn(seat)) == {"type": "none"}
        assert answer(player, thrown(seat, "C")) == {"type": "none"}
    assert answer(player, drawn(0, "7s")) == {"type": "dahai", "actor": 0, "pai": "7s", "tsumogiri": True}


def test_each_event_is_answered_once() -> None:
    """An accepted riichi or an indicator is not a second question about the previous tile."""
    player = MjaiPlayer(Chooses(Action.PON))
    answer(player, *dealt(READY, dealer=3))
    for event, kind in (
        (drawn(3), "none"),
        ({"type": "reach", "actor": 3}, "none"),
        (thrown(3, "E"), "pon"),
        ({"type": "reach_accepted", "actor": 3}, "none"),
        ({"type": "chat", "text": "hello"}, "none"),
        ({"type": "dora", "dora_marker": "1p"}, "none"),
        ({"type": "pon", "actor": 0, "target": 3, "pai": "E", "consumed": ["E", "E"]}, "dahai"),
        (thrown(0, "1m", False), "none"),
    ):
        assert answer(player, event)["type"] == kind, event


def test_a_hand_that_cannot_be_followed_continues_with_tsumogiri() -> None:
    complaints: list[str] = []
    chooses = Chooses()
    player = MjaiPlayer(chooses, complaints=complaints.append)
    answer(player, *dealt(READY), thrown(2, "E"))
    assert len(complaints) == 1
    assert answer(player, drawn(0, "3p")) == {"type": "dahai", "actor": 0, "pai": "3p", "tsumogiri": True}
    assert answer(player, thrown(1, "E")) == {"type": "none"}
    assert chooses.asked == []
    assert answer(player, *dealt(READY)[1:], drawn(0, "9m"))["type"] == "dahai"
    assert len(chooses.asked) == 1


def test_a_player_for_three_does_not_decide_among_four() -> None:
    complaints: list[str] = []
    chooses = Chooses()
    chooses.players = frozenset({3})
    player = MjaiPlayer(chooses, complaints=complaints.append)
    answered = answer(player, *dealt(READY), drawn(0, "9m"))
    assert answered == {"type": "dahai", "actor": 0, "pai": "9m", "tsumogiri": True}
    assert chooses.asked == []
    assert "does not play with four" in complaints[0]


# ---------------------------------------------------------------------------------------------------------
# Lines and addresses


@pytest.mark.parametrize("line", ["", "nonsense", "7", "[7]", '{"x":1}', '[{"type":3}]', "[" * 99999])
def test_lines_without_events_are_refused(line: str) -> None:
    with pytest.raises(MjaiError):
        parse_line(line)


@pytest.mark.parametrize("text", ["", ":77", "host:x", "host:70000"])
def test_invalid_addresses_are_refused(text: str) -> None:
    with pytest.raises(MjaiError):
        address_of(text)


def mjai(sent: str | bytes, *arguments: str) -> tuple[list[Any], str]:
    """Run the command on these lines; return its answers and what it writes to standard error."""
    done = CliRunner().invoke(app, ["mjai", *arguments], input=sent)
    assert done.exit_code == 0
    return [json.loads(line) for line in done.stdout.splitlines()], done.stderr


def test_the_command_answers_every_line_and_keeps_its_output_clean() -> None:
    table = Table("tenhou-sanma-hand", seed=7)
    events = [seen_by(event, 0) for event in Story(table.record, table.rules, ["a", "b", "c"]).update()]
    lines = [to_line(events), "nonsense\n", "\n", '{"type":"end_game"}\n']
    lines += [to_line(events[0]), to_line(events[1:]), "[]\n"]
    answers, errors = mjai("".join(lines), "--agent", "efficient")
    assert [reply["type"] for reply in answers] == ["dahai", "none", "none", "none", "dahai", "none"]
    assert answers[0] == answers[4]
    (complaint,) = [line for line in errors.splitlines() if "compiling" not in line]
    assert complaint.startswith("janshi mjai: this line is not valid JSON")


def test_bytes_that_are_not_text_are_reported() -> None:
    answers, errors = mjai(b'\xff\xfe\n{"type":"start_game"}\n', "--agent", "efficient")
    assert answers == [{"type": "none"}] * 2
    assert "is not valid JSON" in errors


def test_the_command_takes_its_seat_and_rules_as_arguments() -> None:
    start = {key: value for key, value in dealt(READY)[1].items() if key != "scores"}
    line = to_line([{"type": "start_game"}, start, drawn(0, "9m")])
    (answer,), _ = mjai(line, "0", "--agent", "efficient", "--rules", "ema")
    assert answer["type"] in ("dahai", "reach")


def test_the_seed_determines_random_agents() -> None:
    table = Table("tenhou-sanma-hand", seed=9)
    events = [seen_by(event, 0) for event in Story(table.record, table.rules, ["a", "b", "c"]).update()]
    tiles = [
        [MjaiPlayer(agent("random"), seed=seed).react(events)["pai"] for seed in range(first, first + 12)]
        for first in (0, 0, 12)
    ]
    assert tiles[0] == tiles[1] != tiles[2]


def test_presets_are_accepted_by_name() -> None:
    player = MjaiPlayer(Chooses())
    player.table.hear({"type": "start_game", "id": 0, "rules": "mahjong-soul-east"})
    player.table.hear(dealt(READY)[1])
    assert player.table.rules == preset("mahjong-soul-east")
