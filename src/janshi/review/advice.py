"""Advice about a decision: what a player would do, and the numbers behind it that people know.

Everything comes from a `janshi.engine.state.View`, which holds nothing that its seat may not know.

* Shanten and ukeire after each discard, tiles left as the seat sees them; where that is ready, what it waits for and
  whether it is furiten. Calls, kans and kitas: the same, after the best discard where one follows.
* Safety of each discard against every seat in riichi: tiles that cannot deal in to it (its own river, and what has
  passed it since), suji, honours of which no pair can be hidden; and how often such a tile was waited for in records
  (`janshi.review.risk`).

>>> from janshi.agents import agent
>>> from janshi.table import Tables
>>> tables = Tables("tenhou-sanma", 1, seeds=7)
>>> said = advise(tables.views(), tables.legal(), agent("efficient"))
>>> said.shanten, said.candidates[0].tile, said.candidates[0].left, said.best == said.preferences[0].action
(3, 'C', 21, True)
"""

from __future__ import annotations

from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from janshi.agents.protocol import Agent, AgentError, Reviewer
from janshi.compiling import Batch, entry, zeros
from janshi.engine import actions
from janshi.engine.legal import forbidden_after_chii
from janshi.engine.shanten import AS_IT_IS, Ukeire, ukeire_as_it_is, ukeire_of_discards
from janshi.engine.state import CLAIM, View
from janshi.engine.tables import Lookup, lookup
from janshi.hands import ukeire_arrays
from janshi.observe.janshi import count_visible
from janshi.review.model import Accepted, Advice, After, Candidate, Preference
from janshi.review.risk import NO_RIICHI, dangers, risk_of, row_of, safety_of
from janshi.tiles import KINDS, NORTH, kind_of, to_mjai

#: Missed a winning tile after riichi: furiten to the end of the hand (`janshi.engine.state.Hand.missed`).
_FOR_GOOD: Final = 2
#: Shares that are no more than that are left out.
_LEAST: Final = 0.0005


@entry
def write_ukeire(views: Batch[View], lookups: Batch[Lookup], out: Batch[Ukeire]) -> None:
    """Write what each view's hand accepts: after each discard on its turn, as it is where it is asked about a tile."""
    for number in range(len(views)):
        view = views[number]
        hand = view.hand
        count_visible(view, out[number])
        sets = 4 - int(view.seats[int(view.seat)].calls)
        sanma = int(view.rules.players) == 3
        man, pin, sou, honours = int(hand.suits[0]), int(hand.suits[1]), int(hand.suits[2]), int(hand.suits[3])
        once, twice = int(hand.held[1]), int(hand.held[2])
        if int(view.phase) == CLAIM:
            ukeire_as_it_is(lookups[0], man, pin, sou, honours, once, twice, sets, sanma, out[number])
        else:
            ukeire_of_discards(lookups[0], man, pin, sou, honours, once, twice, sets, sanma, out[number])


@entry
def barred_after_chii(kuikae: int, called: int, place: int) -> int:
    """Kinds that may not be discarded after a chii: see `janshi.engine.legal.forbidden_after_chii`."""
    return forbidden_after_chii(kuikae, called, place)


def reviewer_of(agent: Agent) -> Reviewer:
    """Return an agent as one that reviews. Raises `AgentError` where it does not say what it thinks of each action."""
    if isinstance(agent, Reviewer):
        return agent
    raise AgentError(f"player {agent.name!r} cannot review: it does not say how much it likes what it does not do")


def advise(view: Batch[View], legal: NDArray[np.bool_], agent: Agent) -> Advice:
    """Return what an agent says of one decision: ``view`` (1,), ``legal`` (1, 122). See `advise_all`."""
    return advise_all(view, legal, agent)[0]


def advise_all(views: Batch[View], legal: NDArray[np.bool_], agent: Agent) -> list[Advice]:
    """Return what an agent says of decisions, asked together: ``views`` (n,), ``legal`` (n, 122; two actions at least).

    Raises `AgentError` for an agent that cannot review.
    """
    if len(legal) == 0:
        return []
    shares = reviewer_of(agent).preferences(views, legal)
    found = zeros(Ukeire, len(legal))
    write_ukeire(views, lookup(), found)
    classes = dangers(views, found)
    records, ukeire = np.asarray(views), np.asarray(found)
    return [_advice(agent.name, records[n], legal[n], shares[n], ukeire[n], classes[n]) for n in range(len(legal))]


def _advice(
    by: str,
    view: Any,
    legal: NDArray[np.bool_],
    shares: NDArray[np.float32],
    ukeire: Any,
    classes: NDArray[np.int8],
) -> Advice:
    best = int(shares.argmax())
    order = np.argsort(-shares, kind="stable")
    liked = [Preference(int(one), round(float(shares[one]), 4)) for one in order if shares[one] > _LEAST]
    return Advice(
        by=by,
        best=best,
        preferences=liked,
        shanten=int(ukeire["shanten"][AS_IT_IS]),
        candidates=_candidates(view, legal, ukeire, classes),
        after=_after(view, legal, ukeire["visible"]),
        risk=_risk(view, legal, classes),
    )


# ---------------------------------------------------------------------------------------------------------
# Discards


def discards_of(view: Any, legal: NDArray[np.bool_]) -> dict[int, list[int]]:
    """Return the actions that discard each kind (0–33), the kinds in order; ``legal`` is a mask (122)."""
    found: dict[int, list[int]] = {}
    for action in np.flatnonzero(legal[: actions.TSUMOGIRI + 1]).tolist():
        tile = int(view["drawn"]) if action == actions.TSUMOGIRI else action
        found.setdefault(kind_of(tile), []).append(action)
    return dict(sorted(found.items()))


def _candidates(view: Any, legal: NDArray[np.bool_], ukeire: Any, classes: NDArray[np.int8]) -> list[Candidate]:
    own = view["seats"][int(view["seat"])]
    river, missed = int(own["river_mask"]), int(view["hand"]["missed"]) == _FOR_GOOD
    threats = np.flatnonzero(classes[:, 0] != NO_RIICHI).tolist()
    found = []
    for kind, ways in discards_of(view, legal).items():
        shanten, accepted = int(ukeire["shanten"][kind]), int(ukeire["accepted"][kind])
        accepts = _accepts(accepted, ukeire["visible"])
        candidate = Candidate(
            tile=to_mjai(kind),
            actions=ways,
            shanten=shanten,
            accepts=accepts,
            left=sum(one.left for one in accepts),
            furiten=shanten == 0 and (missed or accepted & (river | 1 << kind) != 0),
            safety={str(seat): safety_of(int(classes[seat, kind])) for seat in threats},
        )
        found.append(candidate)
    return sorted(found, key=lambda one: (one.shanten, -one.left))


def _risk(view: Any, legal: NDArray[np.bool_], classes: NDArray[np.int8]) -> dict[int, float] | None:
    """Risk of each discard by its action; None where nobody is in riichi, or nothing is discarded."""
    ways = discards_of(view, legal)
    if not ways or (classes == NO_RIICHI).all():
        return None
    row = row_of(view)
    players = int(view["rules"]["players"])
    return {action: round(risk_of(classes[:, kind], players, row), 4) for kind, some in ways.items() for action in some}


def _accepts(mask: int, visible: NDArray[np.int8]) -> list[Accepted]:
    return [Accepted(to_mjai(kind), 4 - int(visible[kind])) for kind in range(KINDS) if mask >> kind & 1]


# ---------------------------------------------------------------------------------------------------------
# Calls, kans, kitas


def _after(view: Any, legal: NDArray[np.bool_], visible: NDArray[np.int8]) -> list[After]:
    """What each call, kan or kita would leave."""
    found = []
    calls = int(view["seats"][int(view["seat"])]["calls"])
    for action in np.flatnonzero(legal).tolist():
        laid = _laid(view, action)
        if not laid:
            continue
        counts = view["hand"]["counts"].copy()
        np.subtract.at(counts, laid, 1)
        added = 0 if action == actions.KITA or action >= actions.KAKAN else 1
        seen = visible.astype(np.int64) - counts
        table = ukeire_arrays(counts[None], seen[None], calls=calls + added, players=int(view["rules"]["players"]))
        slot = AS_IT_IS
        if int(counts.sum()) % 3 == 2:
            barred = _barred(view, action)
            slots = [kind for kind in range(KINDS) if counts[kind] and not barred >> kind & 1]
            slot = min(slots, key=lambda one: (int(table.shanten[0, one]), -int(table.left[0, one])))
        accepts = _accepts(int(table.accepted[0, slot]), visible)
        found.append(
            After(
                action=action,
                discard=None if slot == AS_IT_IS else to_mjai(slot),
                shanten=int(table.shanten[0, slot]),
                accepts=accepts,
                left=sum(one.left for one in accepts),
            )
        )
    return found


def _laid(view: Any, action: int) -> list[int]:
    """Kinds that leave the hand with a call, kan or kita; none for other actions."""
    called = kind_of(int(view["tile"]))
    if actions.CHII <= action < actions.PON:
        low = called - (action - actions.CHII) % 3
        return [kind for kind in range(low, low + 3) if kind != called]
    if actions.PON <= action <= actions.DAIMINKAN:
        return [called] * (3 if action == actions.DAIMINKAN else 2)
    if action == actions.KITA:
        return [NORTH]
    if actions.ANKAN <= action < actions.KAKAN:
        return [action - actions.ANKAN] * 4
    return [action - actions.KAKAN] if action >= actions.KAKAN else []


def _barred(view: Any, action: int) -> int:
    """Kinds that may not be discarded after a call (kuikae), as a mask."""
    kuikae, called = int(view["rules"]["kuikae"]), kind_of(int(view["tile"]))
    if action >= actions.PON:
        return 1 << called if kuikae else 0
    return int(barred_after_chii(kuikae, called, (action - actions.CHII) % 3))
