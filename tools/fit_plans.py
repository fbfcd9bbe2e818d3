"""Fit the weights of `janshi.analysis.plans` to playouts, and write them into the package.

    python tools/fit_plans.py [--hands 30000] [--seed 0] [--out src/janshi/analysis/plan_weights.json]

The planner, not looking ahead, plays hands against two random players. At some of its decisions each of a few options
is played out: the most promising discards and two others, riichi, a pon and a pass; after them its seat goes on as the
planner does.
The weights make the differences between the options of a decision fit best, and, with a fifth of the weight, the
chances themselves. They depend on the weights it began with: run it again until they settle.
"""

from __future__ import annotations

import argparse
import json
from pathlib import Path
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from rich.progress import track

from janshi.agents import Agent, PlannerAgent, RandomAgent
from janshi.analysis.discards import discard_actions, discard_kinds
from janshi.analysis.plans import (
    CLOSED,
    PLANS,
    RIICHI,
    SLOTS,
    WEIGHTS_FILE,
    YAKUHAI,
    PlanEvaluation,
    PlanWeights,
    PlanWorkspace,
    meld_pon,
    plan_weights,
    read_view,
    weigh,
)
from janshi.compiling import Int64, batched, copy_record, rule, zeros
from janshi.core.kinds import ALL_KINDS
from janshi.core.shanten import AS_IT_IS
from janshi.core.shanten_tables import ShantenTables
from janshi.files import save_text
from janshi.learn.playouts import Playouts
from janshi.papers.meowjong.agent import forced
from janshi.riichi.actions import Action
from janshi.riichi.game import single_hand
from janshi.riichi.rules import TENHOU_SANMA
from janshi.riichi.state import Phase, View
from janshi.table import DecisionBatch, Tables
from janshi.tiles import kind_of

#: Options of a decision at most, times that each is played out, and shares of the decisions that are.
_MOST = 8
_REPEATS = 8
_OWN, _CLAIMS = 0.3, 0.75
#: Hands at a time.
_TABLES = 1000
#: What is weighed: every discard, or the hand as it is; a kind stands for its pon.
_DISCARDS, _AS_IT_IS = -1, -2


@rule
def weigh_view(
    view: View,
    tables: ShantenTables,
    weights: PlanWeights,
    plans: PlanWorkspace,
    what: Int64,
    evaluation: PlanEvaluation,
) -> None:
    """Weigh every discard of a view, the hand as it is, or what it is after a pon."""
    read_view(view, plans)
    kinds = discard_kinds(int(view.legal[0]), int(view.drawn)) if what == _DISCARDS else 0
    if what >= 0:
        meld_pon(plans, what)
        kinds = ALL_KINDS & ~(1 << what)
    weigh(plans, tables, weights, kinds, plans.evaluation.turns)
    copy_record(plans.evaluation, evaluation)


_weigh_views = batched(weigh_view)


def weighed(view: NDArray[Any], what: int) -> Any:
    """Return the evaluation of one view."""
    evaluation = zeros(PlanEvaluation, 1)
    _weigh_views(view, np.array([what]), evaluation)
    return np.asarray(evaluation)[0]


class Rows:
    """Options: the numbers of each plan after them, and how often they were won."""

    def __init__(self) -> None:
        self.decision: list[int] = []
        self.shanten: list[NDArray[Any]] = []
        self.power: list[NDArray[Any]] = []
        self.pairs: list[NDArray[Any]] = []
        self.unseen: list[int] = []
        self.turns: list[float] = []
        self.won: list[float] = []

    def add(self, evaluation: Any, slot: int, decision: int) -> None:
        """Add the plans of one slot."""
        for name in ("shanten", "power", "pairs"):
            getattr(self, name).append(evaluation[name].reshape(PLANS, SLOTS)[:, slot].copy())
        self.unseen.append(int(evaluation["unseen"]))
        self.turns.append(float(evaluation["turns"]))
        self.decision.append(decision)


def add_claim(view: NDArray[Any], legal: NDArray[np.bool_], rows: Rows, decision: int) -> list[int]:
    """Add a pon and a pass; return their actions."""
    after_pon = weighed(view, kind_of(int(view["tile"][0])))
    rows.add(after_pon, int(after_pon["values"][:34].argmax()), decision)
    rows.add(weighed(view, _AS_IT_IS), AS_IT_IS, decision)
    return [Action.PON if legal[Action.PON] else Action.PON + 1, Action.PASS]


def add_riichi(evaluation: Any, rows: Rows, decision: int) -> bool:
    """Add riichi with the best of the discards that leave the hand tenpai; whether there is one."""
    for plan in (CLOSED, YAKUHAI):
        tenpai = np.flatnonzero(evaluation["shanten"].reshape(PLANS, SLOTS)[plan, :34] == 0)
        if len(tenpai):
            power = evaluation["power"].reshape(PLANS, SLOTS)[plan]
            best = int(tenpai[power[tenpai].argmax()])
            riichi = evaluation.copy()
            riichi["shanten"] = -1
            for name, value in (("shanten", 0), ("power", power[best]), ("pairs", 0)):
                riichi[name][SLOTS * RIICHI + best] = value
            rows.add(riichi, best, decision)
            return True
    return False


def add_turn(
    view: NDArray[Any], legal: NDArray[np.bool_], random: np.random.Generator, rows: Rows, decision: int
) -> list[int]:
    """Add some discards, and riichi; return their actions."""
    evaluation = weighed(view, _DISCARDS)
    discards = discard_actions(view, legal[None])[0]
    kinds = np.flatnonzero(discards >= 0)
    kinds = kinds[np.argsort(-evaluation["values"][kinds])]
    chosen = [*kinds[:4].tolist(), *random.permutation(kinds[4:])[:2].tolist()]
    for kind in chosen:
        rows.add(evaluation, kind, decision)
    actions = [int(discards[kind]) for kind in chosen]
    if legal[Action.RIICHI] and add_riichi(evaluation, rows, decision):
        actions.append(Action.RIICHI)
    return actions


def played_out(batch: DecisionBatch, own: NDArray[np.bool_], random: np.random.Generator) -> NDArray[np.int64]:
    """Return the rows of the planner's decisions that are played out."""
    views, legal = np.asarray(batch.views), batch.legal
    riichi = views["seats"]["riichi"][np.arange(len(views)), batch.seats] > 0
    asked = own & ~riichi & (forced(views, legal.copy()) < 0) & (views["left"] > 0)
    pon = (views["phase"] == Phase.CLAIM) & legal[:, Action.PON : Action.DAIMINKAN].any(axis=1)
    discard = (views["phase"] != Phase.CLAIM) & legal[:, : Action.TSUMOGIRI + 1].any(axis=1)
    drawn = random.random(len(views)) < np.where(pon, _CLAIMS, _OWN)
    return np.flatnonzero(asked & (pon | discard) & drawn)


def add_decisions(
    tables: Tables, batch: DecisionBatch, chosen: NDArray[np.int64], random: np.random.Generator, rows: Rows
) -> None:
    """Add the options of some decisions, and play them out."""
    views = np.asarray(batch.views)
    options = np.full((len(chosen), _MOST), -1, np.int16)
    first = rows.decision[-1] + 1 if rows.decision else 0
    for number, row in enumerate(chosen.tolist()):
        view, legal = views[row : row + 1], batch.legal[row]
        if int(view["phase"][0]) == Phase.CLAIM:
            actions = add_claim(view, legal, rows, first + number)
        else:
            actions = add_turn(view, legal, random, rows, first + number)
        options[number, : len(actions)] = actions
    if len(chosen):
        seed = int(random.integers(1 << 30))
        won = Playouts(_REPEATS).shares(tables.states, batch.tables[chosen], options, seed)
        rows.won += won[options >= 0].tolist()


def collect(hands: int, seed: int, rows: Rows) -> None:
    """Play hands, and play out options of some of the planner's decisions."""
    rules = single_hand(TENHOU_SANMA)
    random = np.random.default_rng(seed)
    # Looking ahead it would see no hands but good ones, and the weights would know no others.
    agents: tuple[Agent, Agent] = PlannerAgent(looks_ahead=False), RandomAgent()
    for first in track(range(0, hands, _TABLES), "playing out"):
        tables = Tables(rules, _TABLES, np.arange(_TABLES) + (seed + 1) * 10**7 + first, auto_reset=False)
        while (tables.actors >= 0).any():
            batch = tables.decisions()
            own = batch.seats == batch.tables % 3
            actions = np.full(_TABLES, -1, np.int16)
            for agent, mask in zip(agents, (own, ~own), strict=True):
                if mask.any():
                    part = batch.part(mask)
                    actions[part.tables] = agent.act(part)
            add_decisions(tables, batch, played_out(batch, own, random), random, rows)
            tables.step(actions)


def terms_of(rows: Rows) -> tuple[torch.Tensor, torch.Tensor]:
    """Return the terms of the log-odds (options, plans, terms), noten and tenpai, as `PlanWeights` orders them."""
    shanten = np.array(rows.shanten, np.float64)
    rate = np.log((np.array(rows.power) + 0.5) / np.array(rows.unseen)[:, None])
    time = np.broadcast_to(np.log(rows.turns)[:, None], shanten.shape)
    pairs = np.array(rows.pairs, np.float64)
    ones = np.ones_like(shanten)
    parts = (ones, shanten, shanten**2, rate, time, time**2, shanten * time, pairs, shanten * pairs)
    noten = torch.tensor(np.stack([*parts, rate * time, rate * shanten, time * pairs], axis=2))
    tenpai = torch.tensor(np.stack([ones, rate, time, rate * time, rate**2, time**2, pairs], axis=2))
    return noten, tenpai


def by_plan(table: torch.Tensor) -> torch.Tensor:
    """Return weights for every plan: both flushes have the same, and who has declared riichi is tenpai."""
    weights = torch.cat((table[:3], table[2:3], table[4:]))
    return weights if len(weights) == PLANS else torch.cat((weights, torch.zeros_like(weights[:1])))


class Fit:
    """The weights that are fitted, and how far they are off."""

    def __init__(self, rows: Rows) -> None:
        shanten = np.array(rows.shanten)
        self.possible, self.is_tenpai = torch.tensor(shanten >= 0), torch.tensor(shanten == 0)
        self.terms, self.tenpai_terms = terms_of(rows)
        self.won = torch.tensor(rows.won, dtype=torch.float64)
        self.decision = torch.tensor(rows.decision)
        self.count = torch.bincount(self.decision).double()
        held_out = np.random.default_rng(0).random(len(self.count)) < 0.15
        self.held_out = torch.tensor(held_out)[self.decision]
        record: Any = np.asarray(plan_weights())[0]
        self.noten = torch.tensor(record["noten"].copy(), requires_grad=True)
        self.tenpai = torch.tensor(record["tenpai"].copy(), requires_grad=True)
        self.exponent = torch.tensor(float(record["exponent"]), dtype=torch.float64, requires_grad=True)

    def errors(self, which: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
        """Return the squared errors of the differences within decisions, and of the chances."""
        noten = (self.terms * by_plan(self.noten)).sum(dim=2)
        odds = torch.where(self.is_tenpai, (self.tenpai_terms * by_plan(self.tenpai)).sum(dim=2), noten)
        values = torch.where(self.possible, self.exponent * odds, -torch.inf)
        off = torch.sigmoid(torch.logsumexp(values, dim=1) / self.exponent) - self.won
        mean = torch.zeros_like(self.count).index_add(0, self.decision, off) / self.count
        return ((off - mean[self.decision])[which] ** 2).mean(), (off[which] ** 2).mean()

    def run(self) -> None:
        """Fit; print how well."""
        weights = [self.noten, self.tenpai, self.exponent]
        optimizer = torch.optim.LBFGS(weights, max_iter=250, line_search_fn="strong_wolfe")

        def step() -> float:
            optimizer.zero_grad()
            differences, chances = self.errors(~self.held_out)
            loss = differences + 0.2 * chances + 1e-6 * ((self.noten**2).sum() + (self.tenpai**2).sum())
            loss.backward()  # type: ignore[no-untyped-call]
            return float(loss.detach())

        for name in ("before", "after"):
            if name == "after":
                optimizer.step(step)  # type: ignore[no-untyped-call]
            differences, chances = (float(error.detach()) for error in self.errors(self.held_out))
            print(f"{name}: squared error of differences {differences:.5f}, of chances {chances:.5f} (held out)")

    def text(self) -> str:
        """The weights as the package keeps them."""
        noten, tenpai = self.noten.detach().numpy().copy(), self.tenpai.detach().numpy().copy()
        noten[3], tenpai[3] = noten[2], tenpai[2]
        lines = ["{", f' "description": {json.dumps(_DESCRIPTION)},']
        for name, table in (("noten", noten), ("tenpai", tenpai)):
            rows = ",\n".join(f"  {json.dumps([round(float(weight), 3) for weight in row])}" for row in table)
            lines += [f' "{name}": [', rows, " ],"]
        return "\n".join([*lines, f' "exponent": {round(float(self.exponent.detach()), 3)}', "}", ""])


_DESCRIPTION = (
    "Weights of janshi.analysis.plans.log_odds, written by tools/fit_plans.py: by plan and term, see NOTEN_TERMS and "
    "TENPAI_TERMS; exponent: the power of the odds of all plans that are added up."
)


def main() -> None:
    """Play, fit and write."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--hands", type=int, default=30000)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--out", type=Path, default=WEIGHTS_FILE, help="file of the weights (default: the package's)")
    options = parser.parse_args()
    rows = Rows()
    collect(options.hands, options.seed, rows)
    print(f"{len(rows.won):,} options of {rows.decision[-1] + 1:,} decisions")
    fit = Fit(rows)
    fit.run()
    save_text(fit.text(), options.out)


if __name__ == "__main__":
    main()
