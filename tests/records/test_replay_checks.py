"""Each comparison of the replay, with a record that is wrong in a single point: ``tests/vectors/replay.json``."""

from __future__ import annotations

import copy
from typing import Any

import numpy as np
import pytest
from tests.claims import Row, claims
from tests.laid_games import laid_game

from janshi.records.formats import CutHand
from janshi.riichi.records import Drawn, Ending, Limit, RiichiGame
from janshi.riichi.records.model import Event
from janshi.riichi.records.replay import Replayer

NAMES = {"Limit": Limit, "Ending": Ending, "Event": Event}


def game_named(name: str) -> RiichiGame:
    """Return a game of the rows: one laid out, or a win of seat 1 with three chips from each, or from one."""
    if name != "chips":
        return laid_game(name)
    game = laid_game("riichi", "tenhou-parlour-chips2 length=SINGLE_HAND")
    hand: Any = game.hands[0]
    hand.chips, hand.outcome[0].chip_deltas, game.final_chips = (0, 5, 1, 2), (0, 3, -3, 0), (0, 8, -2, 2)
    hand.outcome[0].chips = ((2, 1), (54, 1), (53, 1))  # ippatsu, a red five and an ura-dora
    return game


def change(game: RiichiGame, path: str, value: Any) -> None:
    """Set a field by its path: ``hand`` is the first, ``win`` its first win, ``draw.-1`` its last draw."""
    parts = path.replace("win.", "hand.outcome.0.").replace("hand.", "hands.0.").split(".")
    if parts[0].upper() in Event.__members__:
        events: Any = game.hands[0].events
        row = np.flatnonzero(events[:, 0] == Event[parts[0].upper()])[int(parts[1])]
        parts = ["hands", "0", "events", str(row), parts[2]]
    place: Any = game
    for part in parts[:-1]:
        place = place[int(part)] if part.lstrip("-").isdigit() else getattr(place, part)
    if isinstance(value, list):
        value = tuple(tuple(each) if isinstance(each, list) else each for each in value)
        value = list(value) if parts[-1] == "final_scores" else value
    elif isinstance(value, str) and value.partition(".")[0] in NAMES:
        value = NAMES[value.partition(".")[0]][value.partition(".")[2]]
    if parts[-1].isdigit():
        place[int(parts[-1])] = value
    else:
        setattr(place, parts[-1], value)


def like(text: str, wanted: str) -> bool:
    """Return whether a text is as wanted; ``…`` stands for anything."""
    start, *rest = wanted.split("…")
    return text == wanted if not rest else text.startswith(start) and text.endswith(rest[-1])


@pytest.mark.parametrize("row", claims("replay"))
def test_each_comparison(row: Row) -> None:
    game = game_named(row["game"])
    for path, value in row.get("set", {}).items():
        change(game, path, value)
    mismatches = Replayer().replay(game).mismatches
    lines = [str(mismatch).split(": ", 1)[1] for mismatch in mismatches]
    if "says" in row:
        assert len(lines) == len(row["says"])
        assert all(map(like, lines, row["says"])), lines
    else:
        assert like(lines[0], row["first"]), lines


def mismatches(game: RiichiGame) -> list[str]:
    return [str(mismatch).split(": ", 1)[1] for mismatch in Replayer().replay(game).mismatches]


def test_hands_with_recorded_walls_are_counted() -> None:
    game = laid_game("two hands")
    assert Replayer().replay(game).walls == 0
    game.hands[1].wall = np.arange(136)
    assert Replayer().replay(game).walls == 1


def test_another_ending_and_another_number_of_winners_are_found() -> None:
    game = laid_game("ron")
    wins: Any = game.hands[0].outcome
    game.hands[0].outcome = wins * 2
    assert mismatches(game) == ["winners: engine 1, record 2"]
    game.hands[0].outcome = Drawn(Ending.EXHAUSTIVE, wins[0].deltas, wins[0].scores, None, 0, 0)
    assert mismatches(game) != []


def test_the_order_in_which_hands_are_shown_does_not_matter() -> None:
    game = laid_game("two hands")
    outcome: Any = game.hands[1].outcome
    outcome.shown = outcome.shown[::-1]
    assert mismatches(game) == []


def test_the_end_of_the_game_is_compared() -> None:
    game = laid_game("two hands")
    game.hands, game.final_scores = game.hands[:1], [1, 2, 3, 4]
    assert mismatches(game) == ["game: engine goes on, record over"]
    game.final_scores = None
    assert mismatches(game) == [], "a part of a game"
    game = laid_game("drawn")
    game.hands *= 2
    assert mismatches(game)[0] == "game: engine over, record goes on"


def test_hands_before_a_cut_one_are_not_followed() -> None:
    game = laid_game("two hands")
    game.cut, game.hands[1].honba = [CutHand(2, "damaged")], 5
    assert not any("next round" in line for line in mismatches(game))


def test_a_mismatch_contains_its_place() -> None:
    game = laid_game("two hands")
    other = copy.deepcopy(game)
    other.hands[1].scores[0] += 100
    (found, *_) = Replayer().replay(other).mismatches
    assert (found.source, found.hand, found.event, found.sequel) == ("made", 1, None, True)
    game.hands[1].events[0, 1] = 2
    (found,) = Replayer().replay(game).mismatches
    assert (found.hand, found.event, found.what, found.sequel) == (2, 1, "event", False)
    assert str(found).startswith("made, hand 2, event 1: event: engine draw by seat 0 of ")
    game = laid_game("riichi")
    outcome: Any = game.hands[0].outcome
    outcome[0].han += 1
    assert {mismatch.hand for mismatch in Replayer().replay(game).mismatches} == {1}


def test_a_record_that_continues_too_long_is_detected() -> None:
    game = laid_game("drawn")
    game.hands[0].events = np.concatenate([game.hands[0].events, game.hands[0].events[-1:]])
    assert "end: engine the hand is over (exhaustive), record the hand goes on" in mismatches(game)[0]


def test_the_fu_of_a_hand_are_those_of_the_rules() -> None:
    game = laid_game("ron")
    assert Replayer().fu(game, 0) == (40,)
    assert Replayer().fu(laid_game("drawn"), 0) == ()
    outcome: Any = game.hands[0].outcome
    outcome[0].from_who = 3
    assert Replayer().fu(game, 0) == ()


def test_more_indicators_than_there_can_be_and_chips_without_rules_are_no_error() -> None:
    game = game_named("chips")
    outcome: Any = game.hands[0].outcome
    outcome[0].yakuman, outcome[0].chips = (39,), ()  # the chips of a yakuman are unknown
    assert not any("chips:" in line or "paid" in line for line in mismatches(game))
    game = laid_game("riichi")
    change(game, "win.chips", [])
    used = {*game.hands[0].deal.ravel().tolist(), *game.hands[0].events[:, 2].tolist()}
    wins: Any = game.hands[0].outcome
    used |= {*wins[0].dora, *wins[0].ura}
    wins[0].ura = (*wins[0].ura, *[identity for identity in range(136) if identity not in used][:6])
    assert mismatches(game) == []
