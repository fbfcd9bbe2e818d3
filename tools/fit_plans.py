"""Fit the weights of `janshi.observe.plans` to playouts, and print them as the module has them.

    python tools/fit_plans.py [--hands 30000] [--seed 0]

The planner, not looking ahead, plays hands against two random players. At some of its decisions each of a few options
is played out: the discards that it likes best and two others, riichi, a pon and a pass; after them its seat goes on as
the planner does.
The weights make the differences between the options of a decision fit best, and, with a fifth of the weight, the
chances themselves. What it prints depends on the weights it began with: paste, and run again until it settles.
"""

from __future__ import annotations

import argparse
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from rich.progress import track

from janshi.agents import Agent, agent
from janshi.agents.meowjong import discard_actions, forced
from janshi.agents.planner import PlannerAgent
from janshi.arena import single_hand
from janshi.compiling import Batch, Int64s, entry, zeros
from janshi.engine import actions
from janshi.engine.play import write_keys
from janshi.engine.shanten import AS_IT_IS
from janshi.engine.state import CLAIM, View
from janshi.engine.tables import Lookup, lookup
from janshi.learn.playouts import Playouts
from janshi.observe.decisions import discard_kinds
from janshi.observe.plans import (
    CLOSED,
    DECLARED,
    OPEN,
    PLANS,
    READY,
    SLOTS,
    TOGETHER,
    WEIGHT,
    Plans,
    begin,
    call,
    unseen,
    weigh,
)
from janshi.rules import TENHOU_SANMA
from janshi.table import Tables
from janshi.tiles import kind_of

#: Options of a decision at most, times that each is played out, and shares of the decisions that are.
_MOST = 8
_REPEATS = 8
_OWN, _CLAIMS = 0.3, 0.75
#: Hands at a time.
_TABLES = 1000


@entry
def plan_views(views: Batch[View], lookups: Batch[Lookup], plans: Batch[Plans], called: Int64s) -> None:
    """Weigh every discard of each view, or (``called`` −2) the hand as it is, or what it is after a pon of a kind."""
    for number in range(len(views)):
        view, plan, kind = views[number], plans[number], int(called[number])
        begin(view, plan)
        kinds = discard_kinds(int(view.legal[0]), int(view.drawn)) if kind == -1 else 0
        if kind >= 0:
            call(plan, kind)
            kinds = (1 << 34) - 1 & ~(1 << kind)
        weigh(plan, lookups[0], kinds, plan.turns)


@entry
def count_unseen(plans: Batch[Plans], numbers: Int64s) -> None:
    """Write how many tiles cannot be seen."""
    for number in range(len(plans)):
        numbers[number] = unseen(plans[number])


def planned(view: NDArray[Any], called: int) -> tuple[Any, int]:
    """Return the plans for one view and how many tiles it does not see."""
    plans = zeros(Plans, 1)
    plan_views(view, lookup(), plans, np.array([called], np.int64))  # type: ignore[arg-type]
    number = np.zeros(1, np.int64)
    count_unseen(plans, number)
    return np.asarray(plans)[0], int(number[0])


class Rows:
    """Options: how each plan stands after them, and how often they were won."""

    def __init__(self) -> None:
        self.decision: list[int] = []
        self.near: list[NDArray[Any]] = []
        self.power: list[NDArray[Any]] = []
        self.pairs: list[NDArray[Any]] = []
        self.unseen: list[int] = []
        self.turns: list[float] = []
        self.won: list[float] = []

    def add(self, plans: Any, number: int, slot: int, decision: int) -> None:
        """Add what plans say of one slot."""
        for name in ("near", "power", "pairs"):
            getattr(self, name).append(plans[name].reshape(PLANS, SLOTS)[:, slot].copy())
        self.unseen.append(number)
        self.turns.append(float(plans["turns"]))
        self.decision.append(decision)


def options(
    view: NDArray[Any], legal: NDArray[np.bool_], random: np.random.Generator, rows: Rows, one: int
) -> list[int]:
    """Note the options of one decision; returns their actions."""
    if int(view["phase"][0]) == CLAIM:
        kind = kind_of(int(view["tile"][0]))
        plans, number = planned(view, kind)
        rows.add(plans, number, int(plans["values"][:34].argmax()), one)
        rows.add(*planned(view, -2), AS_IT_IS, one)
        return [actions.PON if legal[actions.PON] else actions.PON + 1, actions.PASS]
    plans, number = planned(view, -1)
    throws = discard_actions(view, legal[None])[0]
    kinds = np.flatnonzero(throws >= 0)
    kinds = kinds[np.argsort(-plans["values"][kinds])]
    chosen = [*kinds[:4].tolist(), *random.permutation(kinds[4:])[:2].tolist()]
    done = [int(throws[kind]) for kind in chosen]
    for kind in chosen:
        rows.add(plans, number, kind, one)
    near = plans["near"].reshape(PLANS, SLOTS)
    for plan in (CLOSED, OPEN):
        ready = np.flatnonzero(near[plan, :34] == 0)
        if legal[actions.RIICHI] and len(ready):
            power = plans["power"].reshape(PLANS, SLOTS)[plan]
            best = ready[power[ready].argmax()]
            declared = plans.copy()
            declared["near"] = -1
            declared["near"][SLOTS * DECLARED + best] = 0
            declared["power"][SLOTS * DECLARED + best] = power[best]
            declared["pairs"][SLOTS * DECLARED + best] = 0
            rows.add(declared, number, int(best), one)
            done.append(actions.RIICHI)
            break
    return done


def collect(hands: int, seed: int, rows: Rows) -> None:
    """Play hands, and play out options of some of the planner's decisions."""
    rules = single_hand(TENHOU_SANMA)
    playouts = Playouts(rules)
    random = np.random.default_rng(seed)
    # Looking ahead it would see no hands but good ones, and the weights would know no others.
    players: tuple[Agent, Agent] = PlannerAgent(looks=False), agent("random")
    for first in track(range(0, hands, _TABLES), "playing out"):
        tables = Tables(rules, _TABLES, np.arange(_TABLES) + (seed + 1) * 10**7 + first, auto_reset=False)
        states = np.asarray(tables.states)
        while True:
            waiting = np.flatnonzero(states["actor"] >= 0)
            if not len(waiting):
                break
            keys = np.zeros(len(waiting), np.int64)
            write_keys(tables.states, waiting, keys)
            views, legal = np.asarray(tables.views(waiting)), tables.legal(waiting)
            mine = states["actor"][waiting] == waiting % 3
            chosen = np.zeros(_TABLES, np.int16)
            for player, some in zip(players, (mine, ~mine), strict=True):
                if some.any():
                    chosen[waiting[some]] = player.act(views[some], legal[some], keys[some])  # type: ignore[arg-type]
            riichi = views["seats"]["riichi"][np.arange(len(views)), views["seat"]] > 0
            asked = mine & ~riichi & (forced(views, legal.copy()) < 0) & (views["left"] > 0)
            pon = (views["phase"] == CLAIM) & legal[:, actions.PON : actions.DAIMINKAN].any(axis=1)
            throw = (views["phase"] != CLAIM) & legal[:, : actions.TSUMOGIRI + 1].any(axis=1)
            drawn = random.random(len(views)) < np.where(pon, _CLAIMS, _OWN)
            which = np.flatnonzero(asked & (pon | throw) & drawn)
            done = np.full((len(which), _MOST), -1, np.int16)
            begun = rows.decision[-1] + 1 if rows.decision else 0
            for place, row in enumerate(which.tolist()):
                said = options(views[row : row + 1], legal[row], random, rows, begun + place)
                done[place, : len(said)] = said
            if len(which):
                worth = playouts.worth(tables.states, waiting[which], done, _REPEATS, int(random.integers(1 << 30)))
                rows.won += worth[done >= 0].tolist()
            tables.step(chosen)


def fit(rows: Rows) -> tuple[NDArray[np.float64], NDArray[np.float64], float]:
    """Return the weights of hands that are not ready, of those that are, and the power that fit best; prints how well.

    The terms are those of `janshi.observe.plans.log_odds`, in its order.
    """
    near = np.array(rows.near, np.float64)
    there = torch.tensor(near >= 0)
    is_ready = torch.tensor(near == 0)
    rate = np.log((np.array(rows.power) + 0.5) / np.array(rows.unseen)[:, None])
    time = np.broadcast_to(np.log(rows.turns)[:, None], near.shape)
    pairs = np.array(rows.pairs, np.float64)
    ones = np.ones_like(near)
    parts = (ones, near, near**2, rate, time, time**2, near * time, pairs, near * pairs)
    terms = torch.tensor(np.stack([*parts, rate * time, rate * near, time * pairs], axis=2))
    ready_terms = torch.tensor(np.stack([ones, rate, time, rate * time, rate**2, time**2, pairs], axis=2))
    won = torch.tensor(rows.won, dtype=torch.float64)
    decision = torch.tensor(rows.decision)
    count = torch.bincount(decision).double()
    kept_back = torch.tensor(np.random.default_rng(0).random(len(count)) < 0.15)[decision]
    weight = torch.tensor(WEIGHT.copy(), requires_grad=True)
    ready = torch.tensor(READY.copy(), requires_grad=True)
    power = torch.tensor(float(TOGETHER), dtype=torch.float64, requires_grad=True)

    def shared(table: torch.Tensor) -> torch.Tensor:
        # Both flushes have the same weights; who has declared riichi is ready.
        whole = torch.cat((table[:3], table[2:3], table[4:]))
        return whole if len(whole) == PLANS else torch.cat((whole, torch.zeros_like(whole[:1])))

    def errors(which: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
        far = (terms * shared(weight)).sum(dim=2)
        odds = torch.where(is_ready, (ready_terms * shared(ready)).sum(dim=2), far)
        values = torch.where(there, power * odds, -torch.inf)
        off = torch.sigmoid(torch.logsumexp(values, dim=1) / power) - won
        mean = torch.zeros_like(count).index_add(0, decision, off) / count
        return ((off - mean[decision])[which] ** 2).mean(), (off[which] ** 2).mean()

    optimizer = torch.optim.LBFGS([weight, ready, power], max_iter=250, line_search_fn="strong_wolfe")

    def step() -> float:
        optimizer.zero_grad()
        within, whole = errors(~kept_back)
        loss = within + 0.2 * whole + 1e-6 * ((weight**2).sum() + (ready**2).sum())
        loss.backward()  # type: ignore[no-untyped-call]
        return float(loss.detach())

    for name in ("before", "after"):
        if name == "after":
            optimizer.step(step)  # type: ignore[no-untyped-call]
        within, whole = (float(one.detach()) for one in errors(kept_back))
        print(f"{name}: squared error of differences {within:.5f}, of chances {whole:.5f} (kept back)")
    found, found_ready = weight.detach().numpy(), ready.detach().numpy()
    found[3], found_ready[3] = found[2], found_ready[2]
    return found, found_ready, float(power.detach())


def main() -> None:
    """Fit and print."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--hands", type=int, default=30000)
    parser.add_argument("--seed", type=int, default=0)
    asked = parser.parse_args()
    rows = Rows()
    collect(asked.hands, asked.seed, rows)
    print(f"{len(rows.won):,} options of {rows.decision[-1] + 1:,} decisions")
    weights, ready, power = fit(rows)
    for name, table in (("WEIGHT", weights), ("READY", ready)):
        print(name)
        for line in table:
            print("        [" + ", ".join(f"{one:.3f}" for one in line) + "],")
    print(f"TOGETHER {power:.3f}")


if __name__ == "__main__":
    main()
