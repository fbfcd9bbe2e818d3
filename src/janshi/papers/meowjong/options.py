"""Decisions with what each of their options is worth, and how they are found.

Where a result says how good everything was that led to it, playouts (`janshi.learn.playouts`) say of every option of
one decision how often it ends in a first place. The network learns the differences, as those of the logarithms of its
shares. A few playouts an option do: of one decision they say little, but chance is not to be learned, and falls out
over many.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, fields
from typing import Any, Final, cast

import numpy as np
from numpy.typing import NDArray

from janshi.agents.protocol import Agent
from janshi.analysis.discards import discard_actions
from janshi.encoders import symmetry
from janshi.learn.learners import Situations
from janshi.learn.playouts import MOST_OPTIONS, Playouts
from janshi.papers.meowjong.agent import actions_of, asked_of
from janshi.papers.meowjong.decisions import Decision
from janshi.papers.meowjong.networks import WINNERS
from janshi.papers.meowjong.policy import ORDER
from janshi.riichi.actions import Action
from janshi.table import Tables

#: Discards of these largest shares are options, whatever else is.
_LIKELY: Final = 3
_KINDS: Final = 34


@dataclass(slots=True)
class Options:
    """Decisions and their options, n and `MOST_OPTIONS` of them.

    ``packed``: observations (n, columns; masks), ``legal`` (n; masks of kinds that may be discarded), ``actions`` (n,
    k; int16, −1 for none), ``taken`` (n, k, 5; int8: what each option says of each decision, −1 for nothing), ``worth``
    (n, k): share of playouts that ended in a first place.
    """

    packed: NDArray[np.int64]
    legal: NDArray[np.int64]
    actions: NDArray[np.int16]
    taken: NDArray[np.int8]
    worth: NDArray[np.float32]

    def __len__(self) -> int:
        return len(self.actions)

    def part(self, which: NDArray[Any]) -> Options:
        """Return some of the decisions, in that order."""
        return Options(*(getattr(self, column.name)[which] for column in fields(self)))


def joined(parts: Iterable[Options]) -> Options:
    """Return the decisions of several, one at least, one after the other."""
    every = list(parts)
    return Options(*(np.concatenate([getattr(part, column.name) for part in every]) for column in fields(Options)))


def options_of(
    views: NDArray[Any], legal: NDArray[np.bool_], logits: NDArray[np.float32], wanted: NDArray[np.int64]
) -> tuple[NDArray[np.int16], NDArray[np.int8], NDArray[np.int64]]:
    """Return actions, taken and legal (see `Options`) of what could be done in views.

    Options are all calls, kita, riichi and a pass, and of the discards those with the greatest ``logits`` (n, 34) and
    those ``wanted`` (n; masks of kinds).
    """
    count = len(views)
    asked = asked_of(legal)
    table = discard_actions(views, legal)
    actions = np.full((count, MOST_OPTIONS), -1, np.int16)
    taken = np.full((count, MOST_OPTIONS, 5), -1, np.int8)
    number = np.zeros(count, np.int64)
    declined = np.full((count, 5), -1, np.int8)
    for decision in ORDER:
        rows = np.flatnonzero(asked[:, decision])
        chosen = np.full(len(rows), decision, np.int8)
        actions[rows, number[rows]] = actions_of(chosen, np.full(len(rows), -1, np.int16), views[rows], legal[rows])
        taken[rows, number[rows]] = declined[rows]
        taken[rows, number[rows], decision] = 1
        declined[rows, decision] = 0
        number[rows] += 1
    rows = np.flatnonzero(~asked[:, Decision.DISCARD])
    actions[rows, number[rows]] = Action.PASS
    taken[rows, number[rows]] = declined[rows]
    likely = np.argsort(-np.where(table >= 0, logits, -np.inf), axis=1, kind="stable")
    for row in np.flatnonzero(asked[:, Decision.DISCARD]).tolist():
        first = likely[row, :_LIKELY].tolist()
        others = [kind for kind in likely[row, _LIKELY:].tolist() if wanted[row] >> kind & 1]
        for kind in first + others:
            if table[row, kind] < 0 or number[row] == MOST_OPTIONS:
                break
            column = number[row]
            actions[row, column] = table[row, kind]
            taken[row, column] = declined[row]
            taken[row, column, Decision.DISCARD] = kind
            number[row] += 1
    return actions, taken, ((table >= 0).astype(np.int64) << np.arange(_KINDS)).sum(axis=1)


def turned(options: Options, turns: NDArray[np.uint8]) -> Options:
    """Return decisions of three players as they would be with suits changed: see `janshi.encoders.symmetry`.

    ``actions`` stay those of the table as it was.
    """
    taken = options.taken.copy()
    row, column = np.nonzero(taken[..., Decision.DISCARD] >= 0)
    kinds = taken[row, column, Decision.DISCARD]
    taken[row, column, Decision.DISCARD] = symmetry.turned_kinds(kinds, turns[row])
    legal = symmetry.turned(options.legal[:, None], turns)[:, 0]
    return Options(symmetry.turned(options.packed, turns), legal, options.actions, taken, options.worth)


class Labeller:
    """Finds out what the options of a learner's decisions are worth.

    ``teacher``: what it would discard is always an option. ``share``: of the decisions about what to discard; all about
    another's tile are labelled. ``repeats``: playouts of each option.
    """

    def __init__(self, teacher: Agent, share: float, repeats: int, random: np.random.Generator) -> None:
        self.teacher = teacher
        self.share = share
        self.repeats = repeats
        self.random = random
        self.found: list[Options] = []

    def watch(self, tables: Tables, situations: Situations, opponents: NDArray[np.str_]) -> None:
        """Label situations of a learner: see `janshi.learn.selfplay.Watch`.

        In playouts those who sat against random players meet random ones, and all others efficient agents.
        """
        at_random = opponents == "random"
        for efficient, rows in ((False, np.flatnonzero(at_random)), (True, np.flatnonzero(~at_random))):
            labelled = self.label(tables, situations, rows, efficient=efficient)
            if labelled is not None:
                self.found.append(labelled)

    def label(
        self, tables: Tables, situations: Situations, rows: NDArray[np.int64], *, efficient: bool
    ) -> Options | None:
        """Return some of the situations (numbers of ``rows``) with what their options are worth.

        None where none has two options. ``efficient``: the others of the playouts play so, else at random.
        """
        discards = asked_of(situations.batch.legal[rows])[:, Decision.DISCARD]
        rows = rows[~discards | (self.random.random(len(rows)) < self.share)]
        if not len(rows):
            return None
        batch = situations.batch.part(rows)
        views = np.asarray(batch.views)
        logits = situations.outputs[rows, WINNERS : WINNERS + _KINDS]
        taught = self.teacher.act(batch).astype(np.int64)
        discarded = discard_actions(views, batch.legal) == taught[:, None]
        wanted = np.where(discarded, np.int64(1) << np.arange(_KINDS), 0).sum(axis=1)
        actions, taken, kinds = options_of(views, batch.legal, logits, wanted)
        options = Options(situations.packed[rows], kinds, actions, taken, np.zeros(actions.shape, np.float32))
        several = np.flatnonzero((actions >= 0).sum(axis=1) > 1)
        if not len(several):
            return None
        options = options.part(several)
        seed = int(self.random.integers(1 << 31))
        playouts = Playouts(self.repeats, efficient)
        options.worth = playouts.shares(cast("Any", tables.states), batch.tables[several], options.actions, seed)
        return options
