"""Decisions with what each of their options is worth, and how a network learns from them.

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
import torch
from numpy.typing import NDArray
from torch import Tensor, nn

from janshi.agents.meowjong import actions_of, asked_of, discard_actions, forced
from janshi.agents.protocol import Agent
from janshi.engine import actions
from janshi.learn.networks import WINNERS
from janshi.learn.playouts import Playouts
from janshi.learn.trainer import answers
from janshi.observe.decisions import DISCARD, KAN, KITA, PON, RIICHI
from janshi.observe.meowjong import symmetric
from janshi.table import Tables

#: Most options of a decision that are played out.
MOST: Final = 12
#: Discards of these largest shares are options, whatever else is.
_LIKELY: Final = 3
#: In `misfit` an option counts as the power `_EVENED` of its share, and `_FLOOR` is given to all alike.
_EVENED: Final = 0.3
_FLOOR: Final = 0.05
#: The order in which decisions are drawn: each that is declined leaves the next to decide.
ORDER: Final = (KITA, PON, KAN, RIICHI)


@dataclass(slots=True)
class Options:
    """Decisions and their options, n and `MOST` of them.

    ``columns`` (n, columns; masks), ``legal`` (n; masks of kinds that may be discarded), ``actions`` (n, k; int16,
    −1 for none), ``taken`` (n, k, 5; int8: what each option says of each decision, −1 for nothing), ``worth`` (n, k):
    share of playouts that ended in a first place.
    """

    columns: NDArray[np.int64]
    legal: NDArray[np.int64]
    actions: NDArray[np.int16]
    taken: NDArray[np.int8]
    worth: NDArray[np.float32]

    def __len__(self) -> int:
        return len(self.actions)

    def part(self, which: NDArray[Any]) -> Options:
        """Return some of the decisions, in that order."""
        return Options(*(getattr(self, one.name)[which] for one in fields(self)))


def joined(parts: Iterable[Options]) -> Options:
    """Return the decisions of several, one at least, one after the other."""
    whole = list(parts)
    return Options(*(np.concatenate([getattr(part, one.name) for part in whole]) for one in fields(Options)))


def options_of(
    views: NDArray[Any], legal: NDArray[np.bool_], liked: NDArray[np.float32], wanted: NDArray[np.int64]
) -> tuple[NDArray[np.int16], NDArray[np.int8], NDArray[np.int64]]:
    """Return actions, taken and legal (see `Options`) of what could be done in views.

    Options are all calls, kita, riichi and a pass, and of the discards those most ``liked`` (n, 34: a network's logits)
    and those ``wanted`` (n; masks of kinds).
    """
    count = len(views)
    asked = asked_of(legal)
    table = discard_actions(views, legal)
    done = np.full((count, MOST), -1, np.int16)
    taken = np.full((count, MOST, 5), -1, np.int8)
    number = np.zeros(count, np.int64)
    before = np.full((count, 5), -1, np.int8)  # what has been declined so far
    for one in ORDER:
        some = np.flatnonzero(asked[:, one])
        chosen = np.full(len(some), one, np.int8)
        done[some, number[some]] = actions_of(chosen, np.zeros(len(some), np.int64), views[some], legal[some])
        taken[some, number[some]] = before[some]
        taken[some, number[some], one] = 1
        before[some, one] = 0
        number[some] += 1
    some = np.flatnonzero(~asked[:, DISCARD])
    done[some, number[some]] = actions.PASS
    taken[some, number[some]] = before[some]
    likely = np.argsort(-np.where(table >= 0, liked, -np.inf), axis=1, kind="stable")
    for row in np.flatnonzero(asked[:, DISCARD]).tolist():
        first = likely[row, :_LIKELY].tolist()
        rest = [kind for kind in likely[row, _LIKELY:].tolist() if wanted[row] >> kind & 1]
        for kind in first + rest:
            if table[row, kind] < 0 or number[row] == MOST:
                break
            place = number[row]
            done[row, place] = table[row, kind]
            taken[row, place] = before[row]
            taken[row, place, DISCARD] = kind
            number[row] += 1
    return done, taken, ((table >= 0).astype(np.int64) << np.arange(34)).sum(axis=1)


class Looker:
    """Notes decisions of a learner, with what their options are worth."""

    def __init__(self, network: nn.Module, playouts: Playouts, teacher: Agent, device: torch.device) -> None:
        self.network = network
        self.playouts = playouts
        self.teacher = teacher
        self.device = device

    def look(
        self,
        tables: Tables,
        which: NDArray[np.int64],
        seen: NDArray[np.int64],
        share: float,
        repeats: int,
        random: np.random.Generator,
        *,
        efficient: bool,
    ) -> Options | None:
        """Return the decisions of some tables' actors: all about another's tile, of others a share.

        ``which``: tables that wait for the learner, ``seen``: its observations there; ``repeats``, ``efficient``: see
        `Playouts.worth`. None where none has two options. What the teacher would discard is always among them.
        """
        records = np.asarray(tables.views(which))
        legal = tables.legal(which)
        rest = np.flatnonzero(forced(records, legal) < 0)
        asked = asked_of(legal[rest])
        rest = rest[~asked[:, DISCARD] | (random.random(len(rest)) < share)]
        if not len(rest):
            return None
        views, legal = records[rest], legal[rest]
        columns = seen[rest]
        liked = answers(self.network, columns, self.device)[:, WINNERS : WINNERS + 34]
        taught = self.teacher.act(cast("Any", views), legal, np.zeros(len(rest), np.int64)).astype(np.int64)
        wanted = np.where(discard_actions(views, legal) == taught[:, None], np.int64(1) << np.arange(34), 0).sum(axis=1)
        options, taken, kinds = options_of(views, legal, liked, wanted)
        found = Options(columns, kinds, options, taken, np.zeros(options.shape, np.float32))
        some = np.flatnonzero((options >= 0).sum(axis=1) > 1)
        if not len(some):
            return None
        found = found.part(some)
        seed = int(random.integers(1 << 31))
        tables_at = which[rest[some]]
        found.worth = self.playouts.worth(tables.states, tables_at, found.actions, repeats, seed, efficient=efficient)
        return found


def misfit(log: Tensor, worth: Tensor, there: Tensor, temperature: float) -> Tensor:
    """Return how far shares are from what options are worth: the mean squared error, in first places.

    Rows of options (n, k), those that are ``there``. The difference of two logarithms of shares ``log``, times the
    ``temperature``, says by how much one is worth more than the other; means of a row are left out. What the shares
    hold to be good counts most: that something is bad has to be known, how bad need not be.

    >>> log, worth = torch.tensor([[0.0, 2.0, 9.0]]), torch.tensor([[0.5, 0.6, 0.0]])
    >>> there = torch.tensor([[True, True, False]])
    >>> float(misfit(log, worth, there, 0.05)), round(float(misfit(log, worth, there, 0.1)), 4)
    (0.0, 0.0023)
    """
    number = there.sum(dim=1, keepdim=True)
    liked = torch.softmax(torch.where(there, _EVENED * log.detach(), -torch.inf), dim=1)
    weight = torch.where(there, (liked + _FLOOR / number) / (1 + _FLOOR), 0.0)
    off = torch.where(there, temperature * log - worth, 0.0)
    off = torch.where(there, off - (weight * off).sum(dim=1, keepdim=True), 0.0)
    return (weight * off * off).sum(dim=1).mean()


def turned(options: Options, turns: NDArray[np.uint8]) -> Options:
    """Return decisions of three players as they would be with suits changed: see `janshi.observe.meowjong.symmetric`.

    ``actions`` stay those of the table as it was.
    """
    taken = options.taken.copy()
    row, place = np.nonzero(taken[..., DISCARD] >= 0)
    kinds = np.int64(1) << taken[row, place, DISCARD].astype(np.int64)
    kinds = symmetric(kinds[:, None], turns[row])[:, 0]
    taken[row, place, DISCARD] = np.log2(kinds.astype(np.float64)).astype(np.int8)
    legal = symmetric(options.legal[:, None], turns)[:, 0]
    return Options(symmetric(options.columns, turns), legal, options.actions, taken, options.worth)
