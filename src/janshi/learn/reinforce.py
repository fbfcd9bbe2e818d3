"""REINFORCE: a player that improves by playing, as the `meowjong` papers do it and with what makes it steady.

An episode plays hands, in which the learner's decisions are drawn from its network, and then moves the network towards
what was followed by a good result. The papers' setting is the default: one hand an episode against itself,
discards alone, the hand's points as the reward, discounted. `STABLE` is ours: many hands an episode, all
five decisions, places as the reward, a learned baseline, entropy, and a bound on how far one episode moves.
`LOOKING` learns from no results at all: options are played out, and the network moves towards the better ones
(`janshi.learn.options`).
Source: dissertation, section 3.4; conference paper, section VI.
"""

from __future__ import annotations

import copy
import hashlib
import json
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final, cast

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn

from janshi.agents import Agent, agent, check_players
from janshi.agents.meowjong import (
    MeowjongAgent,
    actions_of,
    asked_of,
    discard_actions,
    forced,
    observation,
)
from janshi.agents.planner import PlannerAgent
from janshi.arena import places, play_match, single_hand
from janshi.engine.play import write_keys
from janshi.engine.state import RON, TSUMO
from janshi.files import save_text
from janshi.learn.networks import VALUE, WINNERS, MixedNetwork, ResidualNetwork, columns_of, mixed, widened
from janshi.learn.options import ORDER, Looker, Options, joined, misfit, turned
from janshi.learn.player import NetworkBrain
from janshi.learn.playouts import Playouts
from janshi.learn.trainer import (
    BEST,
    CHECKPOINT,
    FORMAT,
    LAST,
    SAVE_EVERY,
    CheckpointError,
    answers,
    best_device,
    config_json,
    load_network,
    load_weights,
    read_stand,
    save_checkpoint,
    save_tensors,
    to_input,
)
from janshi.observe import PLANNED
from janshi.observe.decisions import DECISIONS, DISCARD, KAN, KITA, PON, RIICHI
from janshi.rules import TENHOU_OF, Rules, preset
from janshi.table import Tables

#: Decisions that go through the network together; more make one step by adding up their gradients.
_TOGETHER: Final = 1024


@dataclass(frozen=True, slots=True)
class ReinforceConfig:
    """How a player learns from its own games; the fields are the options of ``janshi reinforce``."""

    episodes: int = 400
    hands: int = 1
    """Hands played for each update."""
    learned: tuple[str, ...] = ("discard",)
    """Decisions that are drawn from the network and learned; the others it does as it thinks best."""
    opponents: tuple[str, ...] = ("self",)
    """Who sits at the hands of an episode, in turn: ``self`` is the learner in every seat, ``start`` the player that it
    was at the beginning, anything else an agent's name."""
    reward: str = "points"
    """``points``: the change of points in hundreds; ``place``: 1 for the first, −1 for the last, otherwise 0."""
    discount: float = 0.99
    learning_rate: float = 1e-3
    legal_only: bool = False
    """Draw from what is possible alone; otherwise a hand in which something impossible is drawn is not learned from."""
    baseline: bool = False
    """Learn from the difference to what the network expected, in units of its spread."""
    entropy: float = 0.0
    """Weight of the entropy of discards."""
    clip: float = 0.0
    """Most by which a probability may change in an episode (a ratio); 0: without bound."""
    batch: int = 1024
    """Decisions a step."""
    sure: float = 1.0
    """Decisions taken with at least this probability are not learned from: they say next to nothing."""
    playouts: int = 0
    """Times that each option is played out, to learn from that; 0: learn from the results of the hands."""
    looked_at: float = 0.3
    """Share of the decisions that are, of those about another's tile all."""
    temperature: float = 0.02
    """Of playouts: a difference of so many first places makes an option e times as likely."""
    falling: bool = False
    """Whether the learning rate falls, along a straight line, to nothing after the last episode."""
    kept: float = 0.0
    """Share that the network of the beginning has in the answers of the player that comes out."""
    advised: float = 0.0
    """Share that what plans say has in its discards, pons and riichi (`janshi.learn.networks.advice`); in sanma alone,
    with ``planned``."""
    planned: bool = False
    """Whether it is shown what plans are worth (`janshi.observe.planned`) where it has not been; in sanma alone."""
    evaluate_every: int = 10
    evaluate_hands: int = 500
    """Hands in each seat against random players."""
    seed: int = 0


#: What makes REINFORCE steady.
STABLE: Final = ReinforceConfig(
    episodes=200,
    hands=1280,
    learned=DECISIONS,
    opponents=("self", "random"),
    reward="place",
    discount=1.0,
    learning_rate=2e-4,
    legal_only=True,
    baseline=True,
    entropy=0.005,
    clip=0.2,
    sure=0.97,
)


#: Learning from playouts instead of results.
LOOKING: Final = ReinforceConfig(
    episodes=200,
    hands=960,
    learned=DECISIONS,
    opponents=("random", "sl"),
    reward="place",
    learning_rate=1.5e-3,
    falling=True,
    legal_only=True,
    batch=512,
    playouts=8,
    looked_at=0.7,
    kept=0.4,
    advised=0.7,
    planned=True,
)


@dataclass(slots=True)
class Trajectories:
    """What the learner decided in the hands of an episode, one row a decision.

    ``taken`` (n, 5; int8): of each decision that was drawn 1 or 0 (of discards the kind), −1 where it was not;
    ``legal`` (n; masks of kinds), ``log`` (n): logarithm of the probability with which all that was drawn,
    ``after`` (n): learner's decisions still to come in the hand, ``reward`` (n): the hand's.
    """

    columns: NDArray[np.int64]
    taken: NDArray[np.int8]
    legal: NDArray[np.int64]
    log: NDArray[np.float32]
    after: NDArray[np.int16]
    reward: NDArray[np.float32]


@dataclass(frozen=True, slots=True)
class Played:
    """How the hands of an episode went for the learner."""

    hands: int
    skipped: int
    """Hands that are not learned from, because something impossible was drawn."""
    reward: float
    entropy: float
    decisions: int


def collect(
    network: nn.Module,
    config: ReinforceConfig,
    rules: Rules,
    seeds: NDArray[np.int64],
    others: dict[str, Agent],
    device: torch.device,
    look: Callable[[Tables, NDArray[np.int64], NDArray[np.int64], bool], None] | None = None,
) -> tuple[Trajectories, Played]:
    """Play one hand from each seed and return what the learner decided, with its rewards.

    Every table has an opponent of ``config.opponents`` in turn; against another the learner sits in one seat, which
    changes from table to table. ``look`` is shown the tables that wait for the learner before it decides, with their
    observations, those with random players and others apart.
    """
    count, players = len(seeds), rules.players
    tables = Tables(rules, count, seeds, auto_reset=False)
    states = cast("NDArray[Any]", tables.states)
    random = np.random.default_rng([int(seeds[0]), 2])
    names = [config.opponents[place % len(config.opponents)] for place in range(count)]
    seat = np.arange(count) // max(1, len(config.opponents)) % players
    alone = np.arange(players) == seat[:, None]
    mine = alone | (np.array(names) == "self")[:, None]
    rows: list[dict[str, NDArray[Any]]] = []
    wrong = np.zeros(count, np.bool_)
    chosen = np.zeros(count, np.int16)
    network.eval()
    while True:
        actor = states["actor"]
        waiting = np.flatnonzero(actor >= 0)
        if not len(waiting):
            break
        learner = mine[waiting, actor[waiting]]
        for name, other in others.items():
            some = waiting[~learner & (np.array(names)[waiting] == name)]
            if len(some):
                keys = np.zeros(len(some), np.int64)
                write_keys(tables.states, some, keys)
                chosen[some] = other.act(tables.views(some), tables.legal(some), keys)
        some = waiting[learner]
        if len(some):
            seen = observation(np.asarray(tables.views(some)), columns_of(network))
            if look is not None:
                random_ones = np.array(names)[some] == "random"
                look(tables, some[random_ones], seen[random_ones], False)
                look(tables, some[~random_ones], seen[~random_ones], True)
            chosen[some] = _draw(network, config, tables, some, seen, random, rows, wrong, device)
        tables.step(chosen)
    change = states["seats"]["points"][:, :players] - rules.start
    return _with_rewards(rows, _rewards(config, states, change), wrong, mine)


def _draw(
    network: nn.Module,
    config: ReinforceConfig,
    tables: Tables,
    which: NDArray[np.int64],
    seen: NDArray[np.int64],
    random: np.random.Generator,
    rows: list[dict[str, NDArray[Any]]],
    wrong: NDArray[np.bool_],
    device: torch.device,
) -> NDArray[np.int16]:
    """Draw what the learner does at some tables, and note it."""
    records = np.asarray(tables.views(which))
    can = tables.legal(which)
    done = forced(records, can)
    rest = np.flatnonzero(done < 0)
    if not len(rest):
        return done
    views, can, columns = records[rest], can[rest], seen[rest]
    outputs = np.concatenate([answers(network, columns[at : at + 512], device) for at in range(0, len(rest), 512)])
    logits = outputs[:, WINNERS : WINNERS + 38]
    asked = asked_of(can)
    learned = [name in config.learned for name in DECISIONS]
    taken = np.full((len(rest), 5), -1, np.int8)
    log = np.zeros(len(rest), np.float32)
    chosen = np.where(asked[:, DISCARD], DISCARD, -1).astype(np.int8)
    open_ = np.ones(len(rest), np.bool_)
    uniform = random.random((len(rest), 5))
    for one in ORDER:
        some = np.flatnonzero(asked[:, one] & open_)
        sure = 1 / (1 + np.exp(-logits[some, 33 + one].astype(np.float64)))
        yes = uniform[some, one] < sure if learned[one] else sure > 0.5
        if learned[one]:
            taken[some, one] = yes
            log[some] += np.log(np.maximum(np.where(yes, sure, 1 - sure), 1e-12))
        chosen[some[yes]] = one
        open_[some[yes]] = False
    table = discard_actions(views, can) >= 0
    legal = (table.astype(np.int64) << np.arange(34)).sum(axis=1)
    discards = np.flatnonzero(chosen == DISCARD)
    masked = logits[discards, :34].astype(np.float64)
    if config.legal_only:
        masked = np.where(table[discards], masked, -np.inf)
    share = np.exp(masked - masked.max(axis=1, keepdims=True, initial=-1e30))
    share /= share.sum(axis=1, keepdims=True)
    drawn = (share.cumsum(axis=1) < uniform[discards, DISCARD][:, None]).sum(axis=1).clip(0, 33)
    impossible = ~table[discards, drawn]
    wrong[which[rest[discards[impossible]]]] = True
    possible = np.where(table[discards], masked, -np.inf).argmax(axis=1)
    drawn = np.where(impossible, possible, drawn)
    kinds = np.zeros(len(rest), np.int64)
    kinds[discards] = drawn
    if learned[DISCARD]:
        taken[discards, DISCARD] = drawn
        log[discards] += np.log(np.maximum(share[np.arange(len(discards)), drawn], 1e-12))
    noted = np.flatnonzero((taken >= 0).any(axis=1))
    actor = cast("NDArray[Any]", tables.states)["actor"][which[rest]]
    rows.append(
        {
            "table": which[rest][noted],
            "seat": actor[noted].astype(np.int64),
            "columns": columns[noted],
            "taken": taken[noted],
            "legal": legal[noted],
            "log": log[noted],
        }
    )
    done[rest] = actions_of(chosen, kinds, views, can)
    return done


def _rewards(config: ReinforceConfig, states: NDArray[Any], change: NDArray[np.int32]) -> NDArray[np.float32]:
    """What every seat gets for its hand (n, players)."""
    if config.reward == "points":
        return (change / 100).astype(np.float32)
    better = (change[:, None, :] > change[:, :, None]).sum(axis=2)
    worse = (change[:, None, :] < change[:, :, None]).sum(axis=2)
    won = np.isin(states["ended"], (TSUMO, RON))[:, None]
    last = (worse == 0) & (better > 0)
    return np.where(won, (better == 0).astype(np.float32) - last, 0).astype(np.float32)


def _with_rewards(
    rows: list[dict[str, NDArray[Any]]], rewards: NDArray[np.float32], wrong: NDArray[np.bool_], mine: NDArray[np.bool_]
) -> tuple[Trajectories, Played]:
    if not rows:  # hands that were over before the learner had anything to decide
        nothing = np.zeros(0, np.float32)
        empty = np.zeros((0, 0), np.int64), np.zeros((0, 5), np.int8), np.zeros(0, np.int64)
        return Trajectories(*empty, nothing, np.zeros(0, np.int16), nothing), Played(len(wrong), 0, 0.0, 0.0, 0)
    joined = {name: np.concatenate([row[name] for row in rows]) for name in rows[0]}
    keep = ~wrong[joined["table"]]
    joined = {name: one[keep] for name, one in joined.items()}
    players = rewards.shape[1]
    hand = joined["table"] * players + joined["seat"]
    # Decisions were noted in the order in which they were taken: count those that follow in the same hand.
    order = np.argsort(hand, kind="stable")
    _, first, many = np.unique(hand[order], return_index=True, return_counts=True)
    after = np.zeros(len(hand), np.int16)
    after[order] = (np.repeat(first + many, many) - 1 - np.arange(len(hand))).astype(np.int16)
    found = Trajectories(
        joined["columns"],
        joined["taken"],
        joined["legal"],
        joined["log"],
        after,
        rewards[joined["table"], joined["seat"]],
    )
    seen = ~wrong
    mean = float(rewards[seen][mine[seen]].mean()) if seen.any() else 0.0
    surprise = float(-found.log.mean()) if len(found.log) else 0.0
    return found, Played(len(wrong), int(wrong.sum()), mean, surprise, len(found.log))


# ---------------------------------------------------------------------------------------------------------
# Learning


class Reinforcer:
    """Improves a player by its own games; ``folder`` receives its checkpoints and curve.

    Where ``folder`` holds an unfinished run of the same configuration and start, it goes on from there and ends as an
    uninterrupted one would. Raises `CheckpointError` where it is another one's.
    ``rules``: by default Tenhou's single hands, of as many players as the start was trained for; those of another
    number raise `CheckpointError`, opponents that were trained for another number `AgentError`.
    """

    def __init__(self, config: ReinforceConfig, start: Path, folder: Path, rules: str | None = None) -> None:
        self.config = config
        self.folder = folder
        self.device = best_device()
        network, self.said = load_network(start)
        beginning = copy.deepcopy(network)
        kept: nn.Module = network.kept if isinstance(network, MixedNetwork) else copy.deepcopy(network)
        network = network.learned if isinstance(network, MixedNetwork) else network
        if not isinstance(network, ResidualNetwork):
            raise CheckpointError(f"{start}: reinforcement goes on from our network, this one is a paper's")
        players = int(self.said["players"])
        self.rules = single_hand(TENHOU_OF[players]) if rules is None else preset(rules)
        if self.rules.players != players:
            raise CheckpointError(
                f"{start} was trained for {players} players, rules {self.rules.name!r} seat {self.rules.players}"
            )
        self.players = frozenset({players})
        if config.planned and players == 3:
            network = widened(network, PLANNED)
            kept = widened(kept, PLANNED) if isinstance(kept, ResidualNetwork) else kept
        self.network = network.to(self.device)
        self.advised = config.advised if config.planned and players == 3 else 0.0
        self.whole: nn.Module = self.network
        """What plays when the learning is over."""
        if config.kept or self.advised:
            self.whole = mixed(network, kept, config.kept, self.advised).to(self.device)
        self.others: dict[str, Agent] = {
            name: MeowjongAgent(NetworkBrain(beginning), "start", self.players) if name == "start" else agent(name)
            for name in dict.fromkeys(config.opponents)
            if name != "self"
        }
        for other in self.others.values():
            check_players(other, players)
        self.optimizer = torch.optim.Adam(self.network.parameters(), lr=config.learning_rate)
        self.done = 0
        self.seconds = 0.0
        self.curve: list[dict[str, Any]] = []
        self.start = _digest(self.whole)
        if (folder / CHECKPOINT).exists() or (folder / "training.json").exists():
            self._resume()

    def train(self, progress: Callable[[int, Played, dict[str, Any]], None] | None = None) -> None:
        """Play and learn to the last episode; evaluates at the beginning and every ``evaluate_every`` episodes."""
        saved = time.monotonic()
        start = time.perf_counter()
        if not self.curve:
            self.curve.append({"episode": 0, **self._evaluate()})
        while self.done < self.config.episodes:
            seeds = (
                np.int64(self.config.seed + 1 << 40)
                + np.int64(self.done) * self.config.hands
                + np.arange(self.config.hands)
            )
            if self.config.falling:
                for group in self.optimizer.param_groups:
                    group["lr"] = self.config.learning_rate * (1 - self.done / self.config.episodes)
            if self.config.playouts:
                played = self._look_and_learn(seeds)
            else:
                found, played = collect(self.network, self.config, self.rules, seeds, self.others, self.device)
                self._learn(found)
            self.done += 1
            if self.done % self.config.evaluate_every == 0 or self.done == self.config.episodes:
                self.curve.append({"episode": self.done, **self._evaluate()})
            if progress is not None:
                progress(self.done, played, self.curve[-1])
            if time.monotonic() - saved > SAVE_EVERY and self.done < self.config.episodes:
                self.seconds += time.perf_counter() - start
                start = time.perf_counter()
                self.save()
                saved = time.monotonic()
        self.seconds += time.perf_counter() - start
        self.save()

    def _learn(self, found: Trajectories) -> None:
        """One pass over the decisions of an episode."""
        if not len(found.log):
            return
        config = self.config
        returns = found.reward * config.discount ** found.after.astype(np.float32)
        order = np.random.default_rng([config.seed, 3, self.done]).permutation(len(returns))
        sure = found.log[order] > np.log(config.sure) if config.sure < 1 else np.zeros(len(order), np.bool_)
        order = order[~sure]
        spread = float(returns.std()) + 1e-6
        # Normalisation keeps its statistics: what is drawn and what is learned must come from the same network.
        self.network.eval()
        for first in range(0, len(order), config.batch):
            step = order[first : first + config.batch]
            self.optimizer.zero_grad(set_to_none=True)
            for at in range(0, len(step), _TOGETHER):
                some = step[at : at + _TOGETHER]
                loss = self._loss(found, some, returns[some], spread) * (len(some) / len(step))
                loss.backward()  # type: ignore[no-untyped-call]
            if config.clip:
                nn.utils.clip_grad_norm_(self.network.parameters(), 1.0)
            self.optimizer.step()

    def _look_and_learn(self, seeds: NDArray[np.int64]) -> Played:
        """An episode that learns from playouts: one pass over the decisions that were looked at."""
        config = self.config
        teacher = PlannerAgent(looks=False) if self.rules.players == 3 else agent("efficient")
        looker = Looker(self.network, Playouts(self.rules), teacher, self.device)
        random = np.random.default_rng([config.seed, 4, self.done])
        parts: list[Options] = []

        def look(tables: Tables, which: NDArray[np.int64], seen: NDArray[np.int64], efficient: bool) -> None:
            noted = looker.look(tables, which, seen, config.looked_at, config.playouts, random, efficient=efficient)
            if noted is not None:
                parts.append(noted)

        _, played = collect(self.network, config, self.rules, seeds, self.others, self.device, look)
        if not parts:
            return played
        found = joined(parts)
        if self.rules.players == 3:
            found = turned(found, random.integers(0, 4, len(found)).astype(np.uint8))
        worth = torch.from_numpy(found.worth).to(self.device)
        there = torch.from_numpy(found.actions >= 0).to(self.device)
        order = random.permutation(len(found))
        self.network.eval()
        for first in range(0, len(order), config.batch):
            step = order[first : first + config.batch]
            some = torch.from_numpy(step).to(self.device)
            loss = misfit(self._log_options(found.part(step)), worth[some], there[some], config.temperature)
            self.optimizer.zero_grad(set_to_none=True)
            loss.backward()  # type: ignore[no-untyped-call]
            self.optimizer.step()
        return played

    def _log_options(self, found: Options) -> Tensor:
        """Logarithms of the shares (n, k) that the network gives to options now; very small where there is none."""
        with torch.autocast(self.device.type, torch.bfloat16):
            outputs = self.network(to_input(found.columns, self.device))
        row, place = np.nonzero(found.actions >= 0)
        rows = torch.from_numpy(row).to(self.device)
        log, _ = log_probability(outputs.float()[rows], found.taken[row, place], found.legal[row], True)
        whole = log.new_full(found.actions.shape, -1e9)
        return whole.index_put((rows, torch.from_numpy(place).to(self.device)), log)

    def _loss(
        self, found: Trajectories, some: NDArray[np.int64], returns: NDArray[np.float32], spread: float
    ) -> Tensor:
        """The loss of some decisions: what they were followed by, weighted with how likely they now are."""
        config = self.config
        with torch.autocast(self.device.type, torch.bfloat16):
            outputs = self.network(to_input(found.columns[some], self.device))
        outputs = outputs.float()
        log, entropy = log_probability(outputs, found.taken[some], found.legal[some], config.legal_only)
        gain = torch.from_numpy(returns).to(self.device)
        loss: Tensor = outputs.new_zeros(())
        if config.baseline:
            expected = outputs[:, VALUE]
            loss = loss + 0.5 * nn.functional.mse_loss(expected, gain / spread)
            gain = gain / spread - expected.detach()
        if config.clip:
            ratio = torch.exp(log - torch.from_numpy(found.log[some]).to(self.device))
            bounded = ratio.clamp(1 - config.clip, 1 + config.clip)
            loss = loss - torch.minimum(ratio * gain, bounded * gain).mean()
        else:
            loss = loss - (log * gain).mean()
        total: Tensor = loss - config.entropy * entropy.mean()
        return total

    def player(self, name: str = "learner") -> MeowjongAgent:
        """Return the player as it is now."""
        return MeowjongAgent(NetworkBrain(self.whole), name, self.players)

    def _evaluate(self) -> dict[str, Any]:
        return evaluate(self.player(), self.rules, self.config.evaluate_hands, self.config.seed)

    def save(self) -> None:
        """Write a checkpoint, each file in one step."""
        self.folder.mkdir(parents=True, exist_ok=True)
        over = self.done >= self.config.episodes
        stand = {
            "config": config_json(self.config),
            "start": self.start,
            "done": self.done,
            "seconds": self.seconds,
            "curve": self.curve,
        }
        if not over:
            save_checkpoint(self.network, self.optimizer, stand, self.folder / CHECKPOINT)
        for name in (LAST, BEST) if over else (LAST,):
            save_tensors(self.whole.state_dict(), self.folder / name)
        said = {**self.said, "format": FORMAT, "sharpen": {}, "reinforced": config_json(self.config)}
        said |= {"kept": self.config.kept, "advised": self.advised, "shape": config_json(self.network.config)}
        said["columns"] = columns_of(self.network)
        save_text(json.dumps(said, indent=1), self.folder / "player.json")
        save_text(json.dumps(stand, indent=1), self.folder / "training.json")
        if over:
            (self.folder / CHECKPOINT).unlink(missing_ok=True)

    def _resume(self) -> None:
        stand = read_stand(self.folder)
        if stand["config"] != config_json(self.config) or stand["start"] != self.start:
            raise CheckpointError(
                f"{self.folder} holds a run with other options or another start: name another folder, or delete it"
            )
        self.done, self.seconds, self.curve = stand["done"], stand["seconds"], stand["curve"]
        over = self.done >= self.config.episodes
        load_weights(self.whole if over else self.network, self.optimizer, self.folder, over)


def _digest(network: nn.Module) -> str:
    """A text that tells weights apart."""
    whole = hashlib.blake2b(digest_size=16)
    for name, one in network.state_dict().items():
        whole.update(name.encode())
        whole.update(one.detach().cpu().contiguous().numpy().tobytes())
    return whole.hexdigest()


def log_probability(
    outputs: Tensor, taken: NDArray[np.int8], legal: NDArray[np.int64], legal_only: bool
) -> tuple[Tensor, Tensor]:
    """Return logarithms of the probability of what was drawn (n), and the entropy of the discards (n, 0 where none)."""
    done = torch.from_numpy(taken.astype(np.int64)).to(outputs.device)
    discards = outputs[:, WINNERS : WINNERS + 34]
    if legal_only:
        mask = torch.from_numpy((legal[:, None] >> np.arange(34) & 1) > 0).to(outputs.device)
        discards = discards.masked_fill(~mask, -1e9)
    shares = torch.log_softmax(discards, dim=1)
    some = done[:, DISCARD] >= 0
    log = torch.where(some, shares.gather(1, done[:, :1].clamp(min=0))[:, 0], 0.0)
    entropy = torch.where(some, -(shares.exp() * shares.clamp(min=-30)).sum(dim=1), 0.0)
    for one in (PON, KAN, KITA, RIICHI):
        yes = outputs[:, WINNERS + 33 + one]
        said = torch.where(done[:, one] == 1, nn.functional.logsigmoid(yes), nn.functional.logsigmoid(-yes))
        log = log + torch.where(done[:, one] >= 0, said, 0.0)
    return log, entropy


def evaluate(player: MeowjongAgent, rules: Rules, hands: int, seed: int) -> dict[str, Any]:
    """Return how a player does against random ones, by its wind: figures 4.2 to 4.5 of the dissertation.

    ``win``, ``loss``, ``draw`` (rates of first places, last places, draws), ``points`` (mean change) for East, South,
    West …, each with ``hands`` hands; ``illegal`` first choices of ``discards``.
    """
    player.discards = player.illegal = 0
    other = agent("random")
    match = play_match([player, *[other] * (rules.players - 1)], rules, hands, seed)
    if match.interrupted:
        raise KeyboardInterrupt
    seats = match.hands.rotation.astype(np.int64) % rules.players
    winds = (seats - match.hands.dealer) % rules.players
    every = np.arange(len(seats))
    placed = places(match.hands)[every, seats]
    points = match.hands.change[every, seats]
    said: dict[str, Any] = {"win": [], "loss": [], "draw": [], "points": []}
    for wind in range(rules.players):
        which = winds == wind
        said["win"].append(float((placed[which] == 1).mean()))
        said["loss"].append(float((placed[which] == rules.players).mean()))
        said["draw"].append(float((placed[which] == 0).mean()))
        said["points"].append(float(points[which].mean()))
    return {**said, "hands": hands, "illegal": player.illegal, "discards": player.discards}
