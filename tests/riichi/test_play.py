"""Tables of Riichi in random play: what no game has in common with another."""

import numpy as np
import pytest

from janshi.compiling import PLAIN
from janshi.riichi.actions import ACTIONS, Action
from janshi.riichi.rules import TENHOU, TENHOU_SANMA
from janshi.riichi.state import Event, Phase
from janshi.table import Tables
from janshi.tiles import kind_of

RULES = (TENHOU_SANMA, TENHOU)
#: Plain Python is some thousand times slower: it plays less.
LESS = 40 if PLAIN else 1


@pytest.mark.parametrize("rules", RULES, ids=lambda rules: rules.name)
def test_nothing_is_called_on_the_last_discard_and_no_kan_made_on_the_last_tile(rules):
    tables = Tables(rules, 400 // LESS, 4)
    checked = 0
    for _ in range(300 // LESS):
        tables.play_random(3)
        states = tables.states
        legal = tables.legal()
        last = states["left"] == 0
        claims = last & (states["phase"] == Phase.CLAIM)
        checked += int(last.sum())
        assert not legal[claims][:, Action.CHII : Action.KITA].any()
        assert not legal[last][:, Action.KITA].any()
        assert not legal[last][:, Action.ANKAN :].any()
    assert checked or LESS > 1


def test_ended_hands_are_reported_although_the_tables_continue():
    tables = Tables("tenhou-sanma-east", 60 // LESS, 2)
    random = np.random.default_rng(4)
    points = np.full((len(tables), 3), 35_000)
    ends = 0
    for _ in range(400 // LESS):
        legal = tables.legal()
        tables.step((legal * random.random(legal.shape)).argmax(axis=1))
        over, games = tables.hand_ended, tables.game_ended
        assert (tables.changes[~over] == 0).all()
        # At the end of a game the first has also taken the deposits that were left.
        within = over & ~games
        points += tables.changes
        assert (points[within] == tables.last_scores[within]).all()
        assert (tables.last_scores[games].sum(axis=1) == 105_000).all()
        points[games] = 35_000
        ends += int(over.sum())
    assert ends or LESS > 1


def passed_by_log(state) -> list[int]:
    """Return the kinds that passed each seat's riichi, from the log."""
    log = state["log"].reshape(-1, 4)[: int(state["logged"])].tolist()
    offered = [number for number, (event, *_) in enumerate(log) if event in (Event.DISCARD, Event.KITA, Event.KAKAN)]
    if int(state["phase"]) == Phase.CLAIM:
        offered = offered[:-1]  # nobody knows yet whether it passes
    masks = [0, 0, 0, 0]
    for number, (event, seat, _, _) in enumerate(log):
        if event == Event.RIICHI:
            for later in offered:
                _, who, tile, _ = log[later]
                if later > number and who != seat:
                    masks[seat] |= 1 << kind_of(tile)
    return masks


@pytest.mark.parametrize("rules", RULES, ids=lambda rules: rules.name)
def test_tiles_passed_by_a_riichi_agree_with_the_log(rules):
    tables = Tables(rules, 100 // LESS or 1, 5)
    dice = np.random.default_rng(2)
    passed = 0
    for _ in range(150 // LESS):
        legal = tables.legal()
        likes = dice.random(legal.shape) + (np.arange(ACTIONS) == Action.RIICHI)
        likes[:, [Action.RON, Action.TSUMO]] -= 2
        tables.step(np.where(legal, likes, -9).argmax(axis=1))
        states = np.asarray(tables.states)
        for state in states[states["seats"]["riichi"].any(axis=1) & (states["phase"] <= Phase.CLAIM)]:
            masks = passed_by_log(state)
            assert state["seats"]["passed"].tolist() == masks
            passed += any(masks)
    assert PLAIN or passed > 100
