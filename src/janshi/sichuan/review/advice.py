"""Decisions of Sichuan mahjong: legal actions as buttons and tiles, and advice with the numbers behind it.

Advice is derived from a `janshi.sichuan.state.View`, which holds only information of its seat: shanten and ukeire under
the void suit after each discard and call, the value of each wait, the effect of each void suit, and the opponents who
cannot win on a tile because they have voided its suit.

>>> from janshi.sichuan.agents import EfficientAgent
>>> from janshi.table import Table
>>> table = Table("sichuan", seed=7)
>>> advice = advise_sichuan(table.decision(), EfficientAgent())
>>> [(void.suit, void.tiles, void.shanten) for void in advice.voids]
[('m', 3, 3), ('p', 6, 5), ('s', 5, 4)]
"""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator, Sequence
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from janshi.agents.protocol import Agent, preferences_of
from janshi.review.model import ActionName, Advice, After, Candidate, FanCount, Option, VoidSuit, Worth
from janshi.review.reviewing import accepted_of, preferred, reviewer_of
from janshi.sichuan.actions import Action
from janshi.sichuan.hands.score import fan_value, new_hands, ukeire_arrays, value_hands, values_of_waits
from janshi.sichuan.hands.ukeire import AS_IT_IS, NOT_HELD
from janshi.sichuan.rules import Rules
from janshi.sichuan.state import KINDS, Fan, MeldForm, Offer, Phase
from janshi.table import DecisionBatch
from janshi.tiles import to_mjai

_SUITS: Final = "mps"
_VOIDS: Final[tuple[ActionName, ...]] = ("void_m", "void_p", "void_s")

# ---------------------------------------------------------------------------------------------------------
# Options


def sichuan_options(view: Any, rules: Rules, legal: Sequence[int]) -> list[Option]:
    """Return the legal actions (0–60) as options, in their order.

    ``view`` is the `janshi.sichuan.state.View` of the seat to decide.

    >>> from janshi.table import Table
    >>> table = Table("sichuan", seed=7)
    >>> [option.name for option in sichuan_options(table.view(0), table.rules, table.legal)]
    ['void_m', 'void_p', 'void_s']
    """
    return [option for action in legal for option in _options(view, action)]


def _options(view: Any, action: int) -> list[Option]:
    """Return an action as one option; as two for a discard if the tile just drawn is not the only one of its kind."""
    option = _option(view, action)
    if option.name != "discard" or action != int(view["drawn"]):
        return [option]
    from_hand = [option] if int(view["hand"]["counts"][action]) > 1 else []
    return [*from_hand, dataclasses.replace(option, tsumogiri=True)]


def _option(view: Any, action: int) -> Option:
    phase, offered, drawn = int(view["phase"]), int(view["tile"]), int(view["drawn"])
    if action < Action.VOID:
        names: dict[int, ActionName] = {int(Phase.EXCHANGE): "give", int(Phase.VOID): "lay"}
        return Option(action, names.get(phase, "discard"), to_mjai(action))
    if action < Action.PUNG:
        return Option(action, _VOIDS[action - Action.VOID])
    if action == Action.PASS:
        return Option(action, "pass")
    if action == Action.WIN:
        return Option(action, "win", to_mjai(drawn if phase == Phase.TURN else offered))
    if action >= Action.OWN_KONG:
        kind = action - Action.OWN_KONG
        tile = to_mjai(kind)
        if int(view["seats"][int(view["seat"])]["pungs"]) >> kind & 1:
            return Option(action, "kakan", tile)
        return Option(action, "ankan", tile, [tile] * 4)
    tile = to_mjai(offered)
    if action == Action.PUNG:
        return Option(action, "pon", tile, [tile] * 2)
    return Option(action, "daiminkan", tile, [tile] * 3)


# ---------------------------------------------------------------------------------------------------------
# Ukeire and values


def worth_of(hand: NDArray[Any], rules: Rules) -> list[Worth]:
    """Return the values of plain wins on the waits of a hand of 13 tiles.

    ``hand``: one record `janshi.sichuan.hands.score.SichuanHand`, as an array (1).

    >>> from janshi.sichuan.hands.score import hand_record
    >>> from janshi.sichuan.rules import SICHUAN
    >>> hand = hand_record("111222333m44p99p", void="s")
    >>> [(worth.tile, worth.points, worth.fans[0].name) for worth in worth_of(hand, SICHUAN)]
    [('4p', 2, 'all_pungs'), ('9p', 2, 'all_pungs')]
    """
    return [worth_in_words(kind, value, rules) for kind, value in values_of_waits(hand, rules)]


def worth_in_words(kind: int, value: Any, rules: Rules) -> Worth:
    """Return a `janshi.sichuan.state.Value` record for a winning tile as plain data."""
    worth = fan_value(value, rules)
    fans = [FanCount(name.replace(" ", "_"), count) for name, count in worth.fans]
    return Worth(to_mjai(kind), worth.fan, worth.points, worth.each, fans)


def hand_of(view: Any) -> NDArray[Any]:
    """Return the seat's hand as an array of one `SichuanHand`, including tiles face down or aside for the exchange."""
    seat = view["seats"][int(view["seat"])]
    hand = new_hands(1)
    hand["counts"][0] = view["hand"]["counts"]
    aside = view["hand"]["given"].tolist() if int(view["phase"]) == Phase.EXCHANGE else []
    for tile in (int(view["hand"]["laid"]), *aside):
        if tile >= 0:
            hand["counts"][0, tile] += 1
    for name in ("pungs", "kongs"):
        hand[name] = seat[name]
    hand["void"] = view["hand"]["void"]
    return hand


def seen_outside(view: Any) -> NDArray[np.int8]:
    """Return the tiles of each kind in rivers and the others' melds (27)."""
    kinds = np.arange(KINDS)
    seen = np.zeros(KINDS, np.int64)
    for who, seat in enumerate(view["seats"]):
        seen += seat["discarded"]
        if who != int(view["seat"]):
            seen += 3 * (int(seat["pungs"]) >> kinds & 1) + 4 * (int(seat["kongs"]) >> kinds & 1)
    return seen.astype(np.int8)


def worth_of_win(view: Any, rules: Rules) -> Worth | None:
    """Return the value of the win available now, circumstances included; None without one."""
    if not int(view["legal"]) >> Action.WIN & 1:
        return None
    hand = win_of(view)
    return worth_in_words(int(hand["kind"][0]), value_hands(hand, rules)[0], rules)


def win_of(view: Any) -> NDArray[Any]:
    """Return the hand of the win available now (1,; `SichuanHand`) with its circumstances."""
    hand = hand_of(view)
    self_drawn = int(view["phase"]) == Phase.TURN
    kind = int(view["drawn"] if self_drawn else view["tile"])
    hand["counts"][0, kind] += 0 if self_drawn else 1
    hand["kind"] = kind
    hand["circumstances"] = sum(1 << fan for fan in _circumstances(view, self_drawn))
    return hand


def _circumstances(view: Any, self_drawn: bool) -> Iterator[Fan]:
    """Yield the circumstances of a win, as in `janshi.sichuan.play.legal`."""
    seat = view["seats"][int(view["seat"])]
    if (seat["melds"]["form"][: int(seat["calls"])] == MeldForm.CONCEALED_KONG).all():
        yield Fan.CONCEALED
    if self_drawn:
        yield Fan.SELF_DRAW
    if not self_drawn and int(view["claimed"]) == Offer.ADDED_KONG:
        yield Fan.ROBBING
        return
    if int(view["replaced"]):
        yield Fan.AFTER_KONG if self_drawn else Fan.KONG_DISCARD
    if int(view["left"]) == 0:
        yield Fan.LAST_TILE
    who = int(view["seat"])
    untouched = int(view["seats"][who]["discards"]) == 0 and int(view["seats"][who]["calls"]) == 0
    if self_drawn and untouched and not int(view["called"]):
        yield Fan.HEAVEN if who == int(view["dealer"]) else Fan.EARTH


# ---------------------------------------------------------------------------------------------------------
# Advice


def advise_sichuan(batch: DecisionBatch, agent: Agent) -> Advice:
    """Return an agent's advice on one decision, the first of a batch.

    Raises `AgentError` for an agent that cannot review.
    """
    first = batch.part([0])
    view, legal = np.asarray(first.views)[0], first.legal[0]
    phase = int(view["phase"])
    shares = preferences_of(reviewer_of(agent), first)[0]
    hand, seen = hand_of(view), seen_outside(view)
    before_play = phase in (Phase.EXCHANGE, Phase.VOID)
    asked = phase == Phase.CLAIM
    return Advice(
        by=agent.name,
        best=int(shares.argmax()),
        preferences=preferred(shares),
        shanten=int(ukeire_arrays(hand, seen[None])["shanten"][0, AS_IT_IS]),
        candidates=[] if before_play or asked else _candidates(view, legal, first.rules),
        after=[] if before_play else _after_calls(view, legal),
        voids=_voids(view) if before_play else [],
    )


def _candidates(view: Any, legal: NDArray[np.bool_], rules: Rules) -> list[Candidate]:
    hand, seen = hand_of(view), seen_outside(view)
    table = ukeire_arrays(hand, seen[None])[0]
    candidates = []
    for kind in np.flatnonzero(legal[: Action.VOID]).tolist():
        # A tile that lies face down is of the void suit and is not held.
        slot = kind if int(table["shanten"][kind]) != NOT_HELD else AS_IT_IS
        shanten, left = int(table["shanten"][slot]), int(table["left"][slot])
        after = hand.copy()
        after["counts"][0, kind] -= 1
        candidate = Candidate(
            tile=to_mjai(kind),
            actions=[kind],
            shanten=shanten,
            accepts=accepted_of(int(table["accepted"][slot]), table["visible"]),
            left=left,
            furiten=False,
            safety=_safety(view, kind),
            worth=worth_of(after, rules) if shanten == 0 else [],
        )
        candidates.append(candidate)
    return sorted(candidates, key=lambda candidate: (candidate.shanten, -candidate.left))


def _safety(view: Any, kind: int) -> dict[str, Any]:
    """Return the seats still in that have voided a tile's suit and cannot win on it."""
    return {
        str(who): "safe"
        for who, seat in enumerate(view["seats"])
        if who != int(view["seat"]) and not int(seat["won"]) and int(seat["void"]) == kind // 9
    }


def _voids(view: Any) -> list[VoidSuit]:
    hands = np.repeat(hand_of(view), 3)
    hands["void"] = range(3)
    shanten = ukeire_arrays(hands)["shanten"][:, AS_IT_IS].tolist()
    tiles = hands["counts"][0].reshape(3, 9).sum(axis=1).tolist()
    return [VoidSuit(*row) for row in zip(_SUITS, tiles, shanten, strict=True)]


def _after_calls(view: Any, legal: NDArray[np.bool_]) -> list[After]:
    actions = [int(Action.PUNG), int(Action.EXPOSED_KONG), *range(Action.OWN_KONG, Action.OWN_KONG + KINDS)]
    return [_after_call(view, action) for action in actions if legal[action]]


def _after_call(view: Any, action: int) -> After:
    """Return the hand after a pung or kong; after a pung, with the best discard."""
    hand, seen = hand_of(view), seen_outside(view)
    kind = int(view["tile"]) if action < Action.OWN_KONG else action - Action.OWN_KONG
    bit = 1 << kind
    if action == Action.PUNG:
        hand["counts"][0, kind] -= 2
        hand["pungs"] |= bit
    else:
        hand["counts"][0, kind] = 0
        hand["pungs"] &= ~bit
        hand["kongs"] |= bit
    if action < Action.OWN_KONG:
        seen[kind] -= 1  # the called tile is still in a river
    table = ukeire_arrays(hand, seen[None])[0]
    slots = np.flatnonzero(table["shanten"][:KINDS] != NOT_HELD).tolist() or [AS_IT_IS]
    slot = min(slots, key=lambda slot: (int(table["shanten"][slot]), -int(table["left"][slot])))
    return After(
        action=action,
        discard=None if slot == AS_IT_IS else to_mjai(slot),
        shanten=int(table["shanten"][slot]),
        accepts=accepted_of(int(table["accepted"][slot]), table["visible"]),
        left=int(table["left"][slot]),
    )
