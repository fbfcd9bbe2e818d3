"""The agent of the `meowjong` papers: networks answer five decisions, and the surest one is done.

A win is always taken, except in the last hand where it would leave the player last. Nine terminals are aborted
unless there are eleven kinds or more, which go on for thirteen orphans. Otherwise each decision that is possible is put
to its network: where several say yes (above one half) the surest is done, kita before kan before riichi where they
are equally sure; where none does, a tile is discarded. A discard that is not possible is counted and the best possible
one goes; of a five the plain one goes before the red one. Source: dissertation, sections 3.1.2, 3.5; section 6 of the
project's specification.
"""

from __future__ import annotations

from typing import Final, Protocol, cast

import numpy as np
from numpy.typing import NDArray

from janshi.agents.protocol import check_players
from janshi.compiling import Batch
from janshi.engine import actions
from janshi.engine.rulebook import rules_of_book
from janshi.engine.state import View
from janshi.hands.score import new_winnings, payment, score_hands
from janshi.observe import COLUMNS, PLANNED, observe, observe_planned, observe_wide
from janshi.observe.decisions import DISCARD, KAN, KITA, PON, RIICHI
from janshi.rules import Length
from janshi.tiles import ORPHANS, kind_of, kinds_of

#: Logits that a brain answers: 34 kinds to discard, then yes of pon, kan, kita, riichi.
ANSWERS: Final = 38

#: Temperature of networks that do what winners do, made surer than they are (`janshi.learn.networks.sharpened`): as
#: measured of the player `sl`, which is one.
SHARPENED: Final = 1.5

_ORPHANS_LEAST: Final = 11
#: Kita before kan before riichi where two are equally sure.
_ORDER: Final = (KITA, KAN, RIICHI, PON)


class Brain(Protocol):
    """What answers the five decisions; ``columns`` says which observation (366: the papers', 401, 427: ours)."""

    columns: int

    def answers(self, columns: NDArray[np.int64], asked: NDArray[np.bool_]) -> NDArray[np.float32]:
        """Return logits (n, 38) for observations (n, columns; masks), one at least.

        ``asked`` (n, 5) says which decisions are wanted; what is answered elsewhere does not matter.
        """
        ...


def observation(views: NDArray[np.void], columns: int) -> NDArray[np.int64]:
    """Return the papers' observations of views (n, 366), ours (n, 401), or ours with chances (n, 427)."""
    see = {COLUMNS: observe, PLANNED: observe_planned}.get(columns, observe_wide)
    return see(cast("Batch[View]", views))


def asked_of(legal: NDArray[np.bool_]) -> NDArray[np.bool_]:
    """Return which of the five decisions are possible (n, 5) where actions (n, 122) are legal."""
    asked = np.zeros((len(legal), 5), np.bool_)
    asked[:, DISCARD] = legal[:, : actions.TSUMOGIRI + 1].any(axis=1)
    asked[:, PON] = legal[:, actions.PON : actions.DAIMINKAN].any(axis=1)
    asked[:, KAN] = legal[:, actions.DAIMINKAN] | legal[:, actions.ANKAN :].any(axis=1)
    asked[:, KITA] = legal[:, actions.KITA]
    asked[:, RIICHI] = legal[:, actions.RIICHI]
    return asked


def surest(logits: NDArray[np.float32], asked: NDArray[np.bool_]) -> NDArray[np.int8]:
    """Return the decision to do (n): the surest above one half, else `DISCARD` where possible, else −1 for a pass."""
    chosen = np.where(asked[:, DISCARD], DISCARD, -1).astype(np.int8)
    best = np.zeros(len(logits), np.float32)  # a logit of 0 is one half
    for one in _ORDER:
        yes = np.where(asked[:, one], logits[:, 33 + one], -np.inf)
        surer = yes > best
        chosen[surer], best[surer] = one, yes[surer]
    return chosen


def discard_actions(views: NDArray[np.void], legal: NDArray[np.bool_]) -> NDArray[np.int16]:
    """Return the action that discards each kind (n, 34), −1 where it cannot be: plain fives before red ones."""
    action = np.full((len(legal), 34), -1, np.int16)
    for suit in range(3):
        action[legal[:, 34 + suit], 4 + 9 * suit] = 34 + suit
    drawn = views["drawn"].astype(np.int64)
    kinds = kinds_of(drawn)
    action = np.where(legal[:, :34], np.arange(34, dtype=np.int16), action)
    some = np.flatnonzero(legal[:, actions.TSUMOGIRI])
    # The tile just drawn goes before the same tile from the hand where it is no red five, or all there is.
    some = some[(drawn[some] < 34) | (action[some, kinds[some]] < 0)]
    action[some, kinds[some]] = actions.TSUMOGIRI
    return action


def actions_of(
    chosen: NDArray[np.int8], kinds: NDArray[np.int64], views: NDArray[np.void], legal: NDArray[np.bool_]
) -> NDArray[np.int16]:
    """Return the actions (n) that do decisions: ``kinds`` (n) are what to discard.

    A pon lays down as many red fives as it can; of several kans the one of the tile just drawn is made.
    """
    done = np.full(len(chosen), actions.PASS, np.int16)
    done[chosen == KITA] = actions.KITA
    done[chosen == RIICHI] = actions.RIICHI
    some = np.flatnonzero(chosen == PON)
    reds = legal[some, actions.PON : actions.DAIMINKAN]
    done[some] = actions.DAIMINKAN - 1 - reds[:, ::-1].argmax(axis=1)
    some = np.flatnonzero(chosen == KAN)
    if len(some):
        own = legal[some, actions.ANKAN :]
        of_drawn = own & (np.arange(68) % 34 == kinds_of(views["drawn"][some])[:, None])
        # Where the tile just drawn makes none, the first one that there is.
        which = np.where(of_drawn.any(axis=1), of_drawn.argmax(axis=1), own.argmax(axis=1))
        done[some] = np.where(own.any(axis=1), actions.ANKAN + which, actions.DAIMINKAN)
    some = np.flatnonzero(chosen == DISCARD)
    if len(some):
        done[some] = discard_actions(views[some], legal[some])[np.arange(len(some)), kinds[some]]
    return done


def forced(views: NDArray[np.void], legal: NDArray[np.bool_]) -> NDArray[np.int16]:
    """Return what is done without asking a network (n): wins, and nine terminals with too few kinds; else −1.

    ``legal`` loses the wins that are let pass and the nine terminals that are not aborted.
    """
    done = np.full(len(legal), -1, np.int16)
    for winning in (actions.TSUMO, actions.RON):
        for number in np.flatnonzero(legal[:, winning]).tolist():
            if is_last_hand(views[number]) and leaves_last(views[number], winning == actions.TSUMO):
                legal[number, winning] = False
            else:
                done[number] = winning
    aborts = legal[:, actions.NINE_TERMINALS] & (done < 0)
    many = (views["hand"]["counts"][:, ORPHANS] > 0).sum(axis=1) >= _ORPHANS_LEAST
    done[aborts & ~many] = actions.NINE_TERMINALS
    legal[:, actions.NINE_TERMINALS] = False
    return done


def is_last_hand(view: np.void) -> bool:
    """Return whether the game may end with this hand if the view's player wins it.

    A dealer who wins plays on; who wins a single hand, which begins level, is never last.
    """
    rules = view["rules"]
    length, players = int(rules["length"]), int(rules["players"])
    if length == int(Length.SINGLE_HAND):
        return False
    last = (4 if length == int(Length.EAST_SOUTH) else 0) + players - 1
    return int(view["kyoku"]) >= last and int(view["seat"]) != int(view["dealer"])


def leaves_last(view: np.void, tsumo: bool) -> bool:
    """Return whether the game would end with this win and leave its winner last.

    What nobody can know counts for nothing: ura-dora; nor does what a view does not tell: that a tile replaces another.
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
        paid = payment(basic, me == dealer, seat == dealer, players, bool(rules["tsumo_loss"]), tsumo)
        points[seat] -= paid + honba
        points[me] += paid + honba
    points[me] += 1000 * int(view["deposits"])
    goes_on = bool(rules["extension"]) and points.max() < int(rules["target"])
    return bool(points[me] == points.min() and (points == points[me]).sum() == 1 and not goes_on)


def _basic(view: np.void, tsumo: bool) -> int:
    """Basic points of a view's winning hand."""
    hands = new_winnings(1)
    hand = np.asarray(hands)[0]
    me, players = int(view["seat"]), int(view["rules"]["players"])
    seat = view["seats"][me]
    tile = int(view["drawn"] if tsumo else view["tile"])
    kind = kind_of(tile)
    hand["counts"] = view["hand"]["counts"]
    reds = int(view["hand"]["reds"].sum())
    if not tsumo:
        hand["counts"][kind] += 1
        reds += tile >= 34
    calls = int(seat["calls"])
    hand["calls"], hand["kind"], hand["kitas"] = calls, kind, seat["kitas"]
    hand["forms"][:calls] = seat["melds"]["form"][:calls]
    hand["kinds"][:calls] = seat["melds"]["kind"][:calls]
    hand["reds"] = reds + int(seat["melds"]["reds"][:calls].sum())
    shown = int(view["shown"])
    hand["dora"][:shown] = kinds_of(view["indicators"][:shown])
    hand["seat_wind"] = 27 + (me - int(view["dealer"])) % players
    hand["round_wind"] = 27 + int(view["kyoku"]) // 4
    hand["tsumo"], hand["riichi"], hand["ippatsu"] = tsumo, seat["riichi"] * seat["accepted"], seat["ippatsu"]
    values, _ = score_hands(hands, rules_of_book(view["rules"]))
    return int(values["basic"][0])


class MeowjongAgent:
    """See the module.

    ``discards`` counts the discards that a network was asked for, ``illegal`` those of its first choices that were not
    possible. ``players``: the numbers of players that the networks were trained for, None where that is not known;
    decisions of other games raise `AgentError`. ``temperature``: what the brain's logits are divided by before they
    become shares (`preferences`); it changes no decision.
    """

    def __init__(
        self, brain: Brain, name: str, players: frozenset[int] | None = None, temperature: float = 1.0
    ) -> None:
        self.name = name
        self.brain = brain
        self.players = players
        self.temperature = temperature
        self.discards = 0
        self.illegal = 0

    def act(self, views: Batch[View], legal: NDArray[np.bool_], keys: NDArray[np.int64]) -> NDArray[np.int16]:
        """Return one action for each view: see `janshi.agents.protocol.Agent`."""
        done, rest, some, can, logits = self._answers(views, legal)
        if len(rest):
            done[rest], first, kinds = choose(some, can, logits)
            self.discards += len(first)
            self.illegal += int((first != kinds).sum())
        return done

    def preferences(self, views: Batch[View], legal: NDArray[np.bool_]) -> NDArray[np.float32]:
        """Return how much it would like each action (n, 122): see `janshi.agents.protocol.Reviewer`.

        What is done without asking a network has the whole share. Otherwise shares are one softmax: two discards stand
        to each other as the network's probabilities, and a yes stands to the best discard (or to the pass) as the
        network's yes stands to its no. Of several ways to do the same, the one that `act` takes has it all.
        """
        done, rest, some, can, logits = self._answers(views, legal)
        shares = np.zeros(legal.shape, np.float32)
        shares[done >= 0, done[done >= 0]] = 1
        if len(rest):
            scores = scores_of(some, can, logits) / np.float32(self.temperature)
            weights = np.exp(scores - scores.max(axis=1, keepdims=True))
            weights /= weights.sum(axis=1, keepdims=True)
            # Where two are equal, what would be done comes first.
            best, _, _ = choose(some, can, logits)
            rows = np.flatnonzero(weights.argmax(axis=1) != best)
            weights[rows, best[rows]] = np.nextafter(weights[rows].max(axis=1), np.float32(2))
            shares[rest] = weights
        return shares

    def _answers(
        self, views: Batch[View], legal: NDArray[np.bool_]
    ) -> tuple[NDArray[np.int16], NDArray[np.int64], NDArray[np.void], NDArray[np.bool_], NDArray[np.float32]]:
        """Return what is done without a network (n; else −1), and where it is asked: rows, views, actions, logits."""
        records = np.asarray(views)
        for players in np.unique(records["rules"]["players"]).tolist():
            check_players(self, players)
        possible = legal.copy()
        done = forced(records, possible)
        rest = np.flatnonzero(done < 0)
        some, can = records[rest], possible[rest]
        logits = np.zeros((0, ANSWERS), np.float32)
        if len(rest):
            logits = self.brain.answers(observation(some, self.brain.columns), asked_of(can))
        return done, rest, some, can, logits


def choose(
    views: NDArray[np.void], legal: NDArray[np.bool_], logits: NDArray[np.float32]
) -> tuple[NDArray[np.int16], NDArray[np.int64], NDArray[np.int64]]:
    """Return the actions (n) that a brain's logits (n, 38) ask for; of the discards the first choice and what goes."""
    chosen = surest(logits, asked_of(legal))
    which = np.flatnonzero(chosen == DISCARD)
    possible = discard_actions(views[which], legal[which]) >= 0
    kinds = np.zeros(len(legal), np.int64)
    kinds[which] = np.where(possible, logits[which, :34], -np.inf).argmax(axis=1)
    return actions_of(chosen, kinds, views, legal), logits[which, :34].argmax(axis=1), kinds[which]


def scores_of(views: NDArray[np.void], legal: NDArray[np.bool_], logits: NDArray[np.float32]) -> NDArray[np.float32]:
    """Return a score of each action (n, 122), −∞ where it is out of the question: the greatest is what is done.

    The best discard and a pass score 0, other discards as much less as their logits, every other decision its logit.
    """
    asked = asked_of(legal)
    scores = np.full(legal.shape, -np.inf, np.float32)
    scores[~asked[:, DISCARD], actions.PASS] = 0
    some = np.flatnonzero(asked[:, DISCARD])
    throws = discard_actions(views[some], legal[some])
    liked = np.where(throws >= 0, logits[some, :34], -np.inf)
    rows, kinds = np.nonzero(throws >= 0)
    scores[some[rows], throws[rows, kinds]] = (liked - liked.max(axis=1, keepdims=True))[rows, kinds]
    for one in _ORDER:
        some = np.flatnonzero(asked[:, one])
        way = actions_of(np.full(len(some), one, np.int8), np.zeros(len(some), np.int64), views[some], legal[some])
        scores[some, way] = logits[some, 33 + one]
    return scores
