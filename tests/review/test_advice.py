"""Advice: ukeire and safety compared with counts by hand, and no hidden information."""

import dataclasses

import numpy as np
import pytest

from janshi.agents import AgentError, RandomAgent
from janshi.compiling import PLAIN, dtype_of, zeros
from janshi.review.advising import advise, advise_all, options_of
from janshi.riichi.actions import ACTIONS, Action
from janshi.riichi.agents import EfficientAgent
from janshi.riichi.analysis.danger import CLASSES, ENDS, HONOURS, SAFE, rates, risk_of
from janshi.riichi.game import RIICHI
from janshi.riichi.hands import ukeire
from janshi.riichi.rules import TENHOU, TENHOU_SANMA
from janshi.riichi.state import State, View
from janshi.table import DecisionBatch, Table, Tables
from janshi.tiles import from_mjai, kind_of
from tests.claims import claims
from tests.rules.tables import RIICHI_WORDS, action_word, seen_outside

EFFICIENT = EfficientAgent()
#: Checked decisions of each table, and the minimum number of discards against a riichi among them.
STEPS, COMPARED = (12, 0) if PLAIN else (45, 100)


def advice_of(table):
    return advise(table.decision(), EFFICIENT)


WRONG_SHARES = {
    "that are not finite": lambda shares: np.full_like(shares, np.nan),
    "below 0": lambda shares: shares - np.float32(0.5),
    "for illegal actions": lambda shares: np.full_like(shares, 1 / shares.shape[1]),
    "whose sum is not 1": lambda shares: 2 * shares,
    "floats are wanted": lambda shares: shares[:, :-1],
    "int64": lambda shares: shares.astype(np.int64),
}


@pytest.mark.parametrize("words", WRONG_SHARES)
@pytest.mark.parametrize("rules", ["tenhou", "sichuan"])
def test_wrong_preferences_of_a_reviewer_are_named(words, rules):
    class Odd:
        name = "odd"
        players = frozenset({3, 4})
        games = None

        def act(self, batch):
            return batch.legal.argmax(axis=1).astype(np.int16)

        def preferences(self, batch):
            return WRONG_SHARES[words](batch.legal / np.float32(batch.legal.sum(axis=1, keepdims=True)))

    batch = Table(rules, seed=3).decision()
    with pytest.raises(AgentError, match=f"player 'odd' gives preferences .*{words}"):
        advise(batch, Odd())


# ---------------------------------------------------------------------------------------------------------
# Constructed hands


def candidate(table, name):
    """Return furiten, shanten, tiles left and accepted kinds of a discard."""
    (one,) = [one for one in advice_of(table).candidates if one.tile == name]
    accepts = ", ".join(f"{part.tile} {part.left}" for part in one.accepts)
    return f"{'furiten ' * one.furiten}{one.shanten}-shanten, {one.left}: {accepts}"


def after(table):
    """Return each call with the best discard after it, its shanten, tiles left and accepted kinds."""
    return "; ".join(
        f"{action_word(one.action, table)} {one.discard or '-'} {one.shanten}-shanten, {one.left}: "
        + ", ".join(f"{part.tile} {part.left}" for part in one.accepts)
        for one in advice_of(table).after
    )


def option(table, word):
    (one,) = [one for one in options(table).values() if action_word(one.action, table) == word]
    parts = [str(one.action), one.name, *([one.tile] if one.tile else [])]
    return " ".join(parts) + (": " + " ".join(sorted(one.tiles)) if one.tiles else "")


def of_candidates(read):
    """Return a fact of the discard of a name."""
    return lambda table, name: read(next(one for one in advice_of(table).candidates if one.tile == name))


def accepted_kinds(table):
    return {part.tile for one in advice_of(table).candidates for part in one.accepts}


WORDS = dataclasses.replace(
    RIICHI_WORDS,
    facts={
        "candidate": candidate,
        "after": after,
        "option": option,
        "shanten": lambda table: advice_of(table).shanten,
        "best": lambda table: " ".join(one.tile for one in advice_of(table).candidates[:2]),
        "actions": of_candidates(lambda one: [int(action) for action in one.actions]),
        "safety": of_candidates(lambda one: " ".join(" ".join(each) for each in one.safety.items())),
        "safe": lambda table: " ".join(one.tile for one in advice_of(table).candidates if one.safety),
        "man": lambda table: " ".join(sorted(kind for kind in accepted_kinds(table) if kind[1:] == "m")),
        "thrown": lambda table, action: next(
            one.discard for one in advice_of(table).after if action_word(one.action, table) == action
        ),
    },
)


@pytest.mark.parametrize("row", claims("riichi-review"))
def test_advice_and_options(row):
    WORDS.check({"rules": "tenhou", **row})


# ---------------------------------------------------------------------------------------------------------
# Random games


def random_play(rules, count, steps, seed=3):
    """Yield tables and their decisions; one decision in ten is random, so that all kinds occur."""
    tables, dice = Tables(rules, 4 if PLAIN else count, seed), np.random.default_rng(seed)
    for _ in range(steps):
        batch = tables.decisions()
        legal = batch.legal
        yield tables, batch
        likes = np.where(legal, dice.random(legal.shape) + (np.arange(ACTIONS) == Action.RIICHI), -1)
        sense = dice.random(len(legal)) < 0.9
        tables.step(np.where(sense, EFFICIENT.act(batch), likes.argmax(axis=1)))


def class_by_hand(cannot, players, kind, unseen):
    """Return the class of a discard, from the possible two-sided waits."""
    if kind in cannot:
        return SAFE
    if kind >= 27:
        return HONOURS + min(unseen, 3)
    if players == 3 and kind < 9:
        return ENDS + min(unseen, 3)
    sides = 0
    for pair in ((kind - 2, kind - 1), (kind + 1, kind + 2)):
        ends = (min(pair) - 1, max(pair) + 1)
        whole = all(one >= 0 and one // 9 == kind // 9 for one in (*pair, *ends))
        sides += whole and not any(one in cannot for one in ends)
    return 3 * min(kind % 9, 8 - kind % 9) + sides


@pytest.mark.parametrize("rules", [TENHOU_SANMA, TENHOU], ids=lambda one: one.name)
@pytest.mark.parametrize(("steps", "least"), [(STEPS, COMPARED), pytest.param(120, 1000, marks=pytest.mark.long)])
def test_advice_is_that_of_janshi_hand_and_of_the_classes_of_danger_and_hidden_tiles_change_nothing(
    rules, steps, least
):
    dice, compared = np.random.default_rng(8), 0
    for tables, batch in random_play(rules, 10, steps):
        states = np.asarray(tables.states).copy()
        all_advice = advise_all(batch, EFFICIENT)
        for at, advice in enumerate(all_advice):
            check_preferences(advice, batch.legal[at])
            check_candidates(advice, states[at], rules.players)
            compared += check_danger(advice, states[at], rules.players)
        assert advise_all(with_others_hidden(rules, states, batch, dice), EFFICIENT) == all_advice
    assert compared >= least


def check_preferences(advice, legal):
    """Check that candidates are the legal discards, the best first."""
    ways = sorted(action for one in advice.candidates for action in one.actions)
    assert ways == np.flatnonzero(legal[:38]).tolist()
    assert legal[advice.best]
    order = [(one.shanten, -one.left) for one in advice.candidates]
    assert order == sorted(order)
    assert sum(one.share for one in advice.preferences) == pytest.approx(1, abs=0.02)


def check_candidates(advice, state, players):
    seat = int(state["actor"])
    calls = int(state["seats"][seat]["calls"])
    hand = state["hands"][seat]["counts"]
    expected = ukeire(hand, seen_outside(state), calls=calls, players=players)
    if not advice.candidates:
        assert expected[0].shanten == advice.shanten
    by_kind = {one.discard: one for one in expected}
    for one in advice.candidates:
        other = by_kind[from_mjai(one.tile)]
        assert (one.shanten, one.left) == (other.shanten, other.left)
        assert [from_mjai(kind.tile) for kind in one.accepts] == list(other.accepted)


def check_danger(advice, state, players):
    """Compare safety and risk with those of a discard's class; return their number."""
    me, compared = int(state["actor"]), 0
    threats = [seat for seat in range(players) if seat != me and state["seats"][seat]["riichi"]]
    hidden = 4 - state["hands"][me]["counts"].astype(int) - seen_outside(state)
    assert (advice.risk is not None) == bool(threats and advice.candidates)
    for one in advice.candidates:
        assert sorted(one.safety) == [str(seat) for seat in threats]
        kind, passes = kind_of(from_mjai(one.tile)), 1.0
        for seat in threats:
            mask = int(state["seats"][seat]["river_mask"]) | int(state["seats"][seat]["passed"])
            cannot = {other for other in range(34) if mask >> other & 1}
            number = class_by_hand(cannot, players, kind, int(hidden[kind]))
            assert one.safety[str(seat)] == safety_by_hand(cannot, kind, number, hidden)
            row = min(int(state["seats"][me]["discards"]) // 6, 2)
            passes *= 1 if number == SAFE else 1 - rates()[players - 3, number, row]
            compared += 1
        for action in one.actions if threats else []:
            assert advice.risk[action] == pytest.approx(1 - passes, abs=1e-4)
    return compared


def safety_by_hand(cannot, kind, number, hidden):
    """Return the safety of a discard, with each two-sided wait that can win written out."""
    if number == SAFE:
        return "safe"
    if number >= HONOURS:
        return "scarce" if (number - HONOURS) % 4 <= 1 else "open"
    if number % 3 == 0:
        return "suji"
    rank, least = kind % 9, []
    if rank >= 3 and kind - 3 not in cannot:
        least.append(min(hidden[kind - 1], hidden[kind - 2]))
    if rank <= 5 and kind + 3 not in cannot:
        least.append(min(hidden[kind + 1], hidden[kind + 2]))
    return {0: "no_chance", 1: "one_chance"}.get(int(max(least)), "open")


def with_others_hidden(rules, states, batch, dice):
    """Return the same decisions at tables with other hidden information."""
    for name in ("wall", "log", "wins", "winning", "value", "seed"):
        if name in dtype_of(State).names:
            noise = states[name]
            states[name] = dice.permutation(noise.reshape(-1)).reshape(noise.shape)
    for at in range(len(states)):
        others = [seat for seat in range(4) if seat != int(states["actor"][at])]
        states["hands"][at, others] = states["hands"][dice.integers(len(states)), others]
    views = zeros(View, len(states))
    RIICHI.views(states, states["actor"].copy(), views)
    return DecisionBatch(rules, views, batch.legal)


def test_counted_rates_agree_with_common_knowledge():
    found = rates()
    assert found.shape == (2, CLASSES, 3)
    assert ((found >= 0) & (found < 0.35)).all()
    four = found[1]
    for place in range(5):
        sides = [3 * place, 3 * place + 1] + ([3 * place + 2] if place >= 3 else [])
        assert (np.diff(four[sides], axis=0) > 0).all(), "each two-sided wait more is more dangerous"
    assert (np.diff(four[[0, 3, 6]], axis=0) > 0).all(), "suji: 1 and 9 before 2 and 8 before 3 and 7"
    assert (np.diff(four[HONOURS : HONOURS + 4], axis=0) >= 0).all(), "the fewer are unseen the safer"
    assert (np.diff(found[:, :ENDS].sum(axis=1), axis=1) > 0).all(), "the later the more dangerous"


def test_risks_against_two_riichi_combine():
    one, other = np.full(4, -2, np.int8), np.full(4, -2, np.int8)
    one[1], other[2] = 14, 4
    alone = [risk_of(one, 4, 1), risk_of(other, 4, 1)]
    both = np.where(other == -2, one, other)
    assert risk_of(both, 4, 1) == pytest.approx(1 - (1 - alone[0]) * (1 - alone[1]))
    safe = np.full(4, -2, np.int8)
    safe[3] = SAFE
    assert risk_of(safe, 4, 1) == 0


def test_agents_that_only_act_do_not_review():
    with pytest.raises(AgentError, match="'random' cannot review"):
        advise(Table(TENHOU_SANMA).decision(), RandomAgent())


def test_no_decisions_no_advice_and_no_riichi_no_risk():
    assert advise_all(Table(TENHOU_SANMA).decision().part([]), EFFICIENT) == []
    batch = Tables(TENHOU, 3).decisions()
    assert not batch.legal[:, Action.RIICHI].any()
    assert all(advice.risk is None for advice in advise_all(batch, EFFICIENT))


# ---------------------------------------------------------------------------------------------------------
# Options


def options(table):
    return {one.action: one for one in options_of(table.decision())}
