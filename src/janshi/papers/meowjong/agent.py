"""The agent of the `meowjong` papers: networks answer five decisions; the most confident one is taken.

A win is always taken, except in the last hand where it would leave the player last. Kyuushu kyuuhai are aborted
unless there are eleven kinds or more, which try for thirteen orphans. Otherwise each decision that is possible is put
to its network: if several answer yes (above one half) the surest is done, kita before kan before riichi if they
are equally sure; if none does, a tile is discarded. A discard that is not possible is counted and the best possible
one goes; of a five the plain one goes before the red one. Source: dissertation, sections 3.1.2, 3.5; section 6 of the
project's specification.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final, Protocol

import numpy as np
from numpy.typing import NDArray

from janshi.agents.policy import best_first, softmax
from janshi.agents.protocol import THREE_OR_FOUR, check_agent
from janshi.core.rules import rules_from_record
from janshi.encoders import Encoder
from janshi.papers.meowjong.decisions import DecisionKind
from janshi.riichi.actions import Action
from janshi.riichi.analysis.discards import discard_actions
from janshi.riichi.analysis.views import win_of_view
from janshi.riichi.hands.payments import ron_payment, tsumo_payment
from janshi.riichi.hands.score import score_hands
from janshi.riichi.rules import Length, Rules
from janshi.table import DecisionBatch
from janshi.tiles import ORPHANS, kinds_of

#: Logits that a network answers: 34 kinds to discard, then yes of pon, kan, kita, riichi.
ANSWERS: Final = 38
_ORPHANS_LEAST: Final = 11
#: Kita before kan before riichi where two are equally sure.
_ORDER: Final = (DecisionKind.KITA, DecisionKind.KAN, DecisionKind.RIICHI, DecisionKind.PON)


class DecisionNetwork(Protocol):
    """A network (or several) that answers the five decisions from observations of its ``encoder``."""

    encoder: Encoder

    def answers(self, packed: NDArray[np.int64], asked: NDArray[np.bool_]) -> NDArray[np.float32]:
        """Return logits (n, 38) for observations as `Encoder.encode` makes them (n, columns), one at least.

        ``asked`` (n, 5): the decisions to answer; other logits are ignored.
        """
        ...


class WinnersDecisions:
    """The network of `sl-2026-11`: it plays the decisions of winners, the second 38 of its outputs.

    ``run`` returns the network's answers (n, 77) to observations of ``encoder``.
    """

    def __init__(self, encoder: Encoder, run: Callable[[NDArray[np.int64]], NDArray[np.float32]]) -> None:
        self.encoder = encoder
        self.run = run

    def answers(self, packed: NDArray[np.int64], asked: NDArray[np.bool_]) -> NDArray[np.float32]:
        """See `DecisionNetwork`."""
        return self.run(packed)[:, ANSWERS : 2 * ANSWERS]


def asked_of(legal: NDArray[np.bool_]) -> NDArray[np.bool_]:
    """Return the mask of the possible decisions (n, 5) given the legal actions (n, 122)."""
    asked = np.zeros((len(legal), 5), np.bool_)
    asked[:, DecisionKind.DISCARD] = legal[:, : Action.TSUMOGIRI + 1].any(axis=1)
    asked[:, DecisionKind.PON] = legal[:, Action.PON : Action.DAIMINKAN].any(axis=1)
    asked[:, DecisionKind.KAN] = legal[:, Action.DAIMINKAN] | legal[:, Action.ANKAN :].any(axis=1)
    asked[:, DecisionKind.KITA] = legal[:, Action.KITA]
    asked[:, DecisionKind.RIICHI] = legal[:, Action.RIICHI]
    return asked


def surest(logits: NDArray[np.float32], asked: NDArray[np.bool_]) -> NDArray[np.int8]:
    """Return the decision to do (n): the surest above one half, else `DISCARD` if possible, else −1 for a pass."""
    chosen = np.where(asked[:, DecisionKind.DISCARD], DecisionKind.DISCARD, -1).astype(np.int8)
    best = np.zeros(len(logits), np.float32)  # a logit of 0 is one half
    for decision in _ORDER:
        yes = np.where(asked[:, decision], logits[:, 33 + decision], -np.inf)
        surer = yes > best
        chosen[surer], best[surer] = decision, yes[surer]
    return chosen


def actions_of(
    chosen: NDArray[np.int8], discards: NDArray[np.int16], views: NDArray[np.void], legal: NDArray[np.bool_]
) -> NDArray[np.int16]:
    """Return the actions (n) of decisions; ``discards`` (n): the action if the decision is a discard.

    A pon lays down as many red fives as it can; of several kans the one of the tile just drawn is made.
    """
    actions = np.where(chosen == DecisionKind.DISCARD, discards, Action.PASS).astype(np.int16)
    actions[chosen == DecisionKind.KITA] = Action.KITA
    actions[chosen == DecisionKind.RIICHI] = Action.RIICHI
    rows = np.flatnonzero(chosen == DecisionKind.PON)
    pons = legal[rows, Action.PON : Action.DAIMINKAN]
    actions[rows] = Action.DAIMINKAN - 1 - pons[:, ::-1].argmax(axis=1)
    rows = np.flatnonzero(chosen == DecisionKind.KAN)
    if len(rows):
        kans = legal[rows, Action.ANKAN :]
        of_drawn = kans & (np.arange(68) % 34 == kinds_of(views["drawn"][rows])[:, None])
        # If the tile just drawn makes none, the first possible kan.
        kan = np.where(of_drawn.any(axis=1), of_drawn.argmax(axis=1), kans.argmax(axis=1))
        actions[rows] = np.where(kans.any(axis=1), Action.ANKAN + kan, Action.DAIMINKAN)
    return actions


def forced(views: NDArray[np.void], legal: NDArray[np.bool_]) -> NDArray[np.int16]:
    """Return actions that need no network (n): wins, and kyuushu kyuuhai with too few kinds; else −1.

    ``legal`` loses the wins that are let pass and the kyuushu kyuuhai that are not aborted.
    """
    actions = np.full(len(legal), -1, np.int16)
    for winning in (Action.TSUMO, Action.RON):
        for row in np.flatnonzero(legal[:, winning]).tolist():
            if is_last_hand(views[row]) and leaves_last(views[row], winning == Action.TSUMO):
                legal[row, winning] = False
            else:
                actions[row] = winning
    aborts = legal[:, Action.KYUUSHU_KYUUHAI] & (actions < 0)
    for_orphans = (views["hand"]["counts"][:, ORPHANS] > 0).sum(axis=1) >= _ORPHANS_LEAST
    actions[aborts & ~for_orphans] = Action.KYUUSHU_KYUUHAI
    legal[:, Action.KYUUSHU_KYUUHAI] = False
    return actions


def is_last_hand(view: np.void) -> bool:
    """Return whether the game may end with this hand if the view's player wins it.

    A dealer who wins plays on; the winner of a single hand, which begins level, is never last.
    """
    rules = view["rules"]
    length, players = int(rules["length"]), int(rules["players"])
    if length == int(Length.SINGLE_HAND):
        return False
    last = (4 if length == int(Length.EAST_SOUTH) else 0) + players - 1
    return int(view["kyoku"]) >= last and int(view["seat"]) != int(view["dealer"])


def leaves_last(view: np.void, tsumo: bool) -> bool:
    """Return whether the game would end with this win and leave its winner last.

    Ura-dora do not count, as they are unknown; nor does rinshan, which a view does not hold.
    """
    rules, me, dealer = view["rules"], int(view["seat"]), int(view["dealer"])
    players = int(rules["players"])
    points = view["seats"]["points"][:players].astype(np.int64)
    if points[me] > points.min():
        return False
    basic = _basic(view, tsumo)
    payers = [int(view["turn"])] if not tsumo else [seat for seat in range(players) if seat != me]
    honba = int(view["honba"]) * int(rules["honba_each"] if tsumo else rules["honba_ron"])
    for seat in payers:
        paid = ron_payment(basic, me == dealer)
        if tsumo:
            paid = tsumo_payment(basic, me == dealer, seat == dealer, players, bool(rules["tsumo_loss"]))
        points[seat] -= paid + honba
        points[me] += paid + honba
    points[me] += 1000 * int(view["deposits"])
    goes_on = bool(rules["extension"]) and points.max() < int(rules["target"])
    return bool(points[me] == points.min() and (points == points[me]).sum() == 1 and not goes_on)


def _basic(view: np.void, tsumo: bool) -> int:
    """Basic points of a view's winning hand."""
    values, _ = score_hands(win_of_view(view, tsumo), rules_from_record(Rules, view["rules"]))
    return int(values["basic"][0])


class MeowjongAgent:
    """See the module.

    ``discards`` counts the discards that a network decided, ``illegal`` its impossible first choices, ``impossible_at``
    holds the tables of these (`janshi.papers.single_hands.Fallible`). ``players``: the numbers of players that the
    networks were trained for; decisions of other games raise `AgentError`. ``temperature``: divisor of the logits in
    `preferences`; it changes no decision.
    """

    def __init__(
        self,
        network: DecisionNetwork,
        name: str,
        players: frozenset[int] = THREE_OR_FOUR,
        temperature: float = 1.0,
    ) -> None:
        self.name = name
        self.network = network
        self.players = players
        self.temperature = temperature
        self.discards = 0
        self.illegal = 0
        self.impossible_at: set[int] = set()

    def act(self, batch: DecisionBatch) -> NDArray[np.int16]:
        """Return one action for each decision: see `janshi.agents.protocol.Agent`."""
        actions, rest, logits, asked = self._answers(batch)
        if len(rest):
            chosen, rows, first, kinds = choose(np.asarray(rest.views), rest.legal, logits, asked)
            actions[actions < 0] = chosen
            self.discards += len(first)
            self.illegal += int((first != kinds).sum())
            self.impossible_at.update(rest.tables[rows[first != kinds]].tolist())
        return actions

    def preferences(self, batch: DecisionBatch) -> NDArray[np.float32]:
        """Return the share of each action (n, 122): see `janshi.agents.protocol.Reviewer`.

        An action by a rule has the whole share. Otherwise shares are one softmax: two discards stand
        to each other as the network's probabilities, and a yes stands to the best discard (or to the pass) as the
        network's yes stands to its no. Of several ways to do the same, the one that `act` takes has it all.
        """
        actions, rest, logits, asked = self._answers(batch)
        shares = np.zeros(batch.legal.shape, np.float32)
        shares[actions >= 0, actions[actions >= 0]] = 1
        if len(rest):
            views = np.asarray(rest.views)
            scores = scores_of(views, rest.legal, logits) / np.float32(self.temperature)
            shares[actions < 0] = best_first(softmax(scores), choose(views, rest.legal, logits, asked)[0])
        return shares

    def _answers(
        self, batch: DecisionBatch
    ) -> tuple[NDArray[np.int16], DecisionBatch, NDArray[np.float32], NDArray[np.bool_]]:
        """Return the actions by rules (n; else −1), the other decisions, their logits and the possible ones."""
        check_agent(self, batch.rules)
        possible = batch.legal.copy()
        actions = forced(np.asarray(batch.views), possible)
        rest = batch.part(np.flatnonzero(actions < 0))
        rest.legal = possible[actions < 0]
        logits = np.zeros((0, ANSWERS), np.float32)
        asked = asked_of(rest.legal)
        if len(rest):
            logits = self.network.answers(self.network.encoder.encode(rest), asked)
        return actions, rest, logits, asked


def choose(
    views: NDArray[np.void], legal: NDArray[np.bool_], logits: NDArray[np.float32], asked: NDArray[np.bool_]
) -> tuple[NDArray[np.int16], NDArray[np.int64], NDArray[np.int64], NDArray[np.int64]]:
    """Return the actions (n) by logits (n, 38); of the discards the rows, first choices and the kinds discarded."""
    chosen = surest(logits, asked)
    rows = np.flatnonzero(chosen == DecisionKind.DISCARD)
    possible = discard_actions(views[rows], legal[rows])
    answers = logits[rows, :34]
    kinds = np.where(possible >= 0, answers, -np.inf).argmax(axis=1)
    discards = np.full(len(legal), -1, np.int16)
    discards[rows] = possible[np.arange(len(rows)), kinds]
    return actions_of(chosen, discards, views, legal), rows, answers.argmax(axis=1), kinds


def scores_of(views: NDArray[np.void], legal: NDArray[np.bool_], logits: NDArray[np.float32]) -> NDArray[np.float32]:
    """Return a score of each action (n, 122), −∞ for excluded ones: the action of the greatest is taken.

    The best discard and a pass score 0, other discards as much less as their logits, every other decision its logit.
    """
    asked = asked_of(legal)
    scores = np.full(legal.shape, -np.inf, np.float32)
    scores[~asked[:, DecisionKind.DISCARD], Action.PASS] = 0
    rows = np.flatnonzero(asked[:, DecisionKind.DISCARD])
    discards = discard_actions(views[rows], legal[rows])
    values = np.where(discards >= 0, logits[rows, :34], -np.inf)
    index, kinds = np.nonzero(discards >= 0)
    scores[rows[index], discards[index, kinds]] = (values - values.max(axis=1, keepdims=True))[index, kinds]
    for decision in _ORDER:
        rows = np.flatnonzero(asked[:, decision])
        chosen = np.full(len(rows), decision, np.int8)
        actions = actions_of(chosen, np.full(len(rows), -1, np.int16), views[rows], legal[rows])
        scores[rows, actions] = logits[rows, 33 + decision]
    return scores
