"""Decisions of one hand, of a record or of a random game.

A hand is replayed from its wall and decisions (`janshi.riichi.records.replay.Script`). See `janshi.records.positions`.

>>> hand = random_hand("tenhou-sanma", seed=3, number=1)
>>> first = hand.position(1)
>>> first.seat, decision_kinds(first)
(0, ('discard',))
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any, Final

import numpy as np

from janshi.agents.random import RandomAgent
from janshi.games import rules_of
from janshi.records.positions import PlayedHand, Position, PositionError, check_hand
from janshi.records.recorder import Mismatch
from janshi.records.sources import LARGEST, MissingGameError, numbered_game
from janshi.riichi.actions import ACTIONS, Action
from janshi.riichi.play.wall import deal_slots
from janshi.riichi.records.model import RiichiGame
from janshi.riichi.records.replay import Replayer, Script
from janshi.riichi.rules import Rules
from janshi.rollout.sampling import hand_and_wall
from janshi.table import DecisionBatch, Table, Tables

#: Kinds of decisions, with their actions (first, last).
DECISION_ACTIONS: Final = (
    ("discard", ((Action.DISCARD, Action.TSUMOGIRI),)),
    ("pon", ((Action.PON, Action.DAIMINKAN - 1),)),
    ("kan", ((Action.DAIMINKAN, Action.DAIMINKAN), (Action.ANKAN, ACTIONS - 1))),
    ("kita", ((Action.KITA, Action.KITA),)),
    ("riichi", ((Action.RIICHI, Action.RIICHI),)),
    ("chii", ((Action.CHII, Action.PON - 1),)),
    ("tsumo", ((Action.TSUMO, Action.TSUMO),)),
    ("ron", ((Action.RON, Action.RON),)),
    ("kyuushu kyuuhai", ((Action.KYUUSHU_KYUUHAI, Action.KYUUSHU_KYUUHAI),)),
)


def decision_kinds(position: Position) -> tuple[str, ...]:
    """Return the kinds of a decision (`DECISION_ACTIONS`), without discards after riichi."""
    possible = position.possible
    names = [
        name
        for name, spans in DECISION_ACTIONS
        if any(first <= action <= last for action in possible for first, last in spans)
    ]
    view: Any = np.asarray(position.view)[0]
    if view["seats"]["accepted"][position.seat] and "discard" in names:
        names.remove("discard")
    return tuple(names)


def nth_game(path: str | Path, number: int = 1, *, largest: int = LARGEST) -> RiichiGame:
    """Return a game (from 1) of a file, folder or archive, without counting damaged ones or reading further.

    ``largest``: maximum bytes of an unpacked record. Raises `PositionError` for a missing game.
    """
    try:
        game: RiichiGame = numbered_game(path, number, game="riichi", largest=largest)
    except MissingGameError as error:
        raise PositionError(str(error)) from None
    return game


def hand_of_game(game: RiichiGame, number: int) -> PlayedHand:
    """Replay a hand (from 1) of a game.

    Raises `PositionError` for a missing hand or one that contradicts the rules.
    """
    check_hand(game, number)
    replayed = Replayer().replay(game, scripts=True)
    for script in replayed.scripts:
        if script.number == number - 1:
            return _of_script(game, script)
    recorded = game.number_of(number - 1)
    wrong = next(str(mismatch) for mismatch in replayed.mismatches if mismatch.hand == recorded)
    raise PositionError(f"the hand cannot be replayed: {wrong}")


def hands_of_game(game: RiichiGame) -> tuple[list[PlayedHand], list[Mismatch]]:
    """Replay all hands of a game; return those that match the rules, and the mismatches of the others."""
    replayed = Replayer().replay(game, scripts=True)
    return [_of_script(game, script) for script in replayed.scripts], replayed.mismatches


def random_hand(rules: Rules | str, seed: int, number: int) -> PlayedHand:
    """Play a game at random up to the end of a hand (from 1); a seed determines the game.

    Raises `PositionError` if the game ends earlier or ``seed`` exceeds 64 bits, and `janshi.riichi.rules.RuleError` for
    unknown rules.
    """
    checked = rules_of(rules)
    if not -(1 << 63) <= seed < 1 << 63:
        raise PositionError(f"seed {seed} does not fit into 64 bits")
    tables = Tables(checked, 1, [seed], auto_reset=False)
    agent = RandomAgent()
    played = 1
    while True:
        positions = _play(tables, lambda _, batch: int(agent.act(batch)[0]))
        if played == number:
            return PlayedHand(f"random game {seed} ({checked.name})", checked, number, positions)
        if tables.over[0]:
            raise PositionError(f"random game {seed} has {_count(played, 'hand')}, there is no hand {number}")
        tables.next_hand([0])
        played += 1


def dealt_hand(rules: Rules | str, tiles: str, seed: int = 0) -> DecisionBatch:
    """Return the first decision of a game whose first dealer begins with 14 tiles, the one just drawn last.

    ``seed``: of the rest of the wall, the dora indicator too. Raises `janshi.rollout.sampling.SamplingError` for other
    tiles than a hand can hold, and `janshi.riichi.rules.RuleError` for rules that there are not.

    >>> dealt_hand("tenhou-sanma", "111999m123p789p55z").seats.tolist()
    [0]
    """
    checked = rules_of(rules)
    slots = deal_slots(checked.players, 0)[0]
    held, wall = hand_and_wall(checked, tiles, len(slots) + 1, seed)
    slots.append(len(wall) + len(held) - 1 - checked.players * len(slots))
    for slot, tile in sorted(zip(slots, held, strict=True)):
        wall.insert(slot, tile)
    return Table(checked, wall=wall).decision()


def _count(count: int, what: str) -> str:
    return f"{count} {what}" if count == 1 else f"{count} {what}s"


def _of_script(game: RiichiGame, script: Script) -> PlayedHand:
    """Replay the script of a hand."""
    tables = Tables(game.rules, 1, auto_reset=False)
    np.asarray(tables.states)[:] = np.asarray(script.begin(game.rules))
    positions = _play(tables, lambda number, _: int(script.actions[number]))
    return PlayedHand(game.source, game.rules, script.number + 1, positions)


def _play(tables: Tables, choose: Callable[[int, DecisionBatch], int]) -> tuple[Position, ...]:
    """Play the hand at a table to its end; ``choose`` receives the decision's number from 0, and the decision.

    Decisions that agents take by rule are left out.
    """
    states: Any = np.asarray(tables.states)
    positions: list[Position] = []
    taken = 0
    while not tables.hand_over[0]:
        batch = tables.decisions([0]).with_events()
        done = choose(taken, batch)
        if batch.game.by_rule(batch.rules, batch.views) is None:
            positions.append(Position(len(positions) + 1, done, int(states["logged"][0]), batch))
        tables.step([done])
        taken += 1
    return tuple(positions)
