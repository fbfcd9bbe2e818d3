"""mjai events as records."""

from __future__ import annotations

from typing import Any

import pytest
from made_games import make_game

from janshi.riichi.records import (
    Drawn,
    Ending,
    Event,
    RecordError,
    RiichiGame,
    difference,
    read_mjai_text,
    read_mjlog,
    write_mjai_text,
)
from janshi.riichi.records.mjai import read_mjai, write_mjai
from janshi.riichi.rules import Length


def events(game: RiichiGame) -> list[dict[str, Any]]:
    return list(write_mjai(game))


def test_missing_values_follow_from_play() -> None:
    game = make_game(4, 3)
    kept = {"type", "actor", "target", "deltas", "ura_markers"}
    written = []
    for event in events(game):
        if event["type"] in ("hora", "ryukyoku"):
            event = {name: value for name, value in event.items() if name in kept}
        if event["type"] == "start_game":
            del event["janshi"]
        if event["type"] == "reach_accepted":
            continue
        written.append(event)
    again = read_mjai(written)
    assert again.rules.red_fives == (1, 1, 1)
    for hand, other in zip(game.hands, again.hands, strict=True):
        assert hand.events[:, :2].tolist() == other.events[:, :2].tolist()
        if isinstance(hand.outcome, list):
            assert isinstance(other.outcome, list)
            (win,), (same,) = hand.outcome, other.outcome
            assert (same.points, same.limit, same.deposits) == (win.points, win.limit, win.deposits)
            assert (same.fu, same.han) == (-1, 0)


def test_scores_may_stand_in_place_of_deltas() -> None:
    game = make_game(4, 2)
    written = events(game)
    for event in written:
        if event["type"] in ("hora", "ryukyoku"):
            number = sum(1 for earlier in written[: written.index(event)] if earlier["type"] == "start_kyoku")
            outcome = game.hands[number - 1].outcome
            before = outcome.scores if isinstance(outcome, Drawn) else outcome[0].scores
            event["scores"] = [a + b for a, b in zip(before, event.pop("deltas"), strict=True)]
    assert difference(read_mjai(written), game) is None


def test_several_games_in_one_file() -> None:
    games = [make_game(3, 5), make_game(4, 6)]
    assert [game.players for game in read_mjai_text(write_mjai_text(games))] == [3, 4]


@pytest.mark.parametrize(
    ("rounds", "length"), [((0, 1, 2, 3), Length.EAST), ((0, 1, 4), Length.EAST_SOUTH), ((0, 1), Length.EAST_SOUTH)]
)
def test_the_length_without_named_rules(rounds: tuple[int, ...], length: Length) -> None:
    from janshi.riichi.records.builder import guess_length

    hands = make_game(4, 7, 4).hands[: len(rounds)]
    for hand, number in zip(hands, rounds, strict=True):
        hand.round = number
    hands[-1].outcome = Drawn(Ending.EXHAUSTIVE, (0,) * 4, (25_000,) * 4, (), 0, 0)
    assert guess_length(hands, 4) == length


@pytest.mark.parametrize("text", ["", "[]", "3", '{"type":1}', "{", '{"type":"tsumo"}\nnope', "[" * 9999])
def test_invalid_mjai_is_refused(text: str) -> None:
    with pytest.raises(RecordError):
        list(read_mjai_text(text, "x"))


def test_missing_reasons_follow_from_play(sample) -> None:
    reasons = set()
    for archive in ("four-rare", "four-odd", "sanma-2022"):
        for name, data in sample(archive, 10):
            if not name.endswith(".mjlog"):
                continue
            game = read_mjlog(data.decode(), name)
            silent = [{**event, "reason": None} for event in events(game)]
            again = read_mjai(silent)
            for hand, other in zip(game.hands, again.hands, strict=True):
                if isinstance(hand.outcome, Drawn):
                    assert isinstance(other.outcome, Drawn)
                    reasons.add(hand.outcome.reason)
                    if hand.outcome.reason != Ending.TRIPLE_RON or int(hand.events[-2, 0]) != Event.RIICHI:
                        assert other.outcome.reason == hand.outcome.reason, name
    assert {Ending.EXHAUSTIVE, Ending.KYUUSHU_KYUUHAI} <= reasons
