"""The stages of the Sichuan paper, from its parameters to its tables."""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence
from functools import partial
from typing import Any, Final

import numpy as np

from janshi.agents import Agent, RandomAgent
from janshi.arena import Match
from janshi.learn.checkpoints import BEST, LAST, PLAYER_FILE
from janshi.learn.players import load_player
from janshi.papers.runner import Run, Stage
from janshi.papers.sichuan import figures as paper
from janshi.papers.sichuan.training import DQNTrainer, DQNTraining
from janshi.papers.training import played
from janshi.sichuan.agents import EfficientAgent
from janshi.sichuan.agents.heuristic import PARAMETERS, HeuristicAgent
from janshi.statistics import mean, rate

#: Rules: our reading of the paper's game.
RULES: Final = "sichuan"
#: Fields of the scale that are the training's.
_TRAINING: Final = ("games", "tables", "updates", "segment", "evaluate_every", "evaluate_walls")
#: Variants of the training, and the learning rate of both.
SLOW: Final = "slow"
IMITATION: Final = "imitation"
SLOW_RATE: Final = 3e-5
#: Seeds of matches are the run's times this, and a number of each match.
_MATCHES: Final = 1000
#: Number of the first match of tables 5 to 7.
_WALLS: Final = 500


def _heuristic(parameters: paper.Parameters) -> HeuristicAgent:
    return HeuristicAgent(f"heuristic {', '.join(f'{number:g}' for number in parameters)}", parameters)


def _match(run: Run, agents: Sequence[Agent], walls: int, number: int, text: str) -> dict[str, Any]:
    """Return the scores of a match; its walls follow from the run's seed and the match's number."""
    return scores(played(run, agents, RULES, walls, _MATCHES * run.options.seed + number, f"{text}: "), agents)


def scores(match: Match, agents: Sequence[Agent]) -> dict[str, Any]:
    """Return each agent's points a game and seat, with an interval over walls, and its rate of won hands."""
    players = len(agents)
    every = np.arange(len(match.final))
    result: dict[str, Any] = {}
    for name in dict.fromkeys(agent.name for agent in agents):
        places = [place for place, agent in enumerate(agents) if agent.name == name]
        seats = [(match.game_rotation.astype(np.int64) + place) % players for place in places]
        points = np.mean([match.final[every, seat] for seat in seats], axis=0)
        won = np.concatenate([match.hands.won[every, seat] for seat in seats])
        result[name] = {
            "points": dataclasses.asdict(mean(points, match.game_wall)),
            "win": dataclasses.asdict(rate(won)),
        }
    return {"games": len(match.final), "walls": match.walls, "agents": result}


# ---------------------------------------------------------------------------------------------------------
# Parameters


def pairs() -> list[tuple[paper.Parameters, paper.Parameters]]:
    """Return the pairs that play: those of table 2, then each of its parameters against the chosen ones."""
    printed = [(first, second) for first, second, _ in paper.TOURNAMENT]
    sets = dict.fromkeys(parameters for pair in printed for parameters in pair)
    return printed + [(parameters, PARAMETERS) for parameters in sets if parameters != PARAMETERS]


def find_parameters(run: Run) -> dict[str, Any]:
    """Play table 2, and each of its parameters against the chosen ones: two seats each."""
    results = [run.once(f"pair-{number}", partial(_play_pair, run, number)) for number in range(len(pairs()))]
    count = len(paper.TOURNAMENT)
    return {"printed": results[:count], "against chosen": results[count:]}


def _play_pair(run: Run, number: int) -> dict[str, Any]:
    """Return the scores of one of `pairs`."""
    first, second = pairs()[number]
    a, b = _heuristic(first), _heuristic(second)
    agents = [a, b, a, b] if number % 2 else [a, a, b, b]
    text = f"{a.name} and {b.name} ({number + 1} of {len(pairs())})"
    match = _match(run, agents, run.scale.pair_walls, number, text)
    return {"first": list(first), "second": list(second), **match}


# ---------------------------------------------------------------------------------------------------------
# Training


def _trained(run: Run, folder: str, number: int = 0, total: int = 1, **changes: Any) -> dict[str, Any]:
    """Train a double DQN against three heuristic agents; ``changes``: of the paper's `DQNTraining`."""
    sizes = {name: getattr(run.scale, name) for name in _TRAINING}
    run.report(f"{folder}: beginning", number, total)
    config = dataclasses.replace(DQNTraining(**sizes, rules=RULES, seed=run.options.seed), **changes)
    trainer = DQNTrainer(config, run.folder / folder)

    def progress(state: DQNTrainer) -> None:
        points = [point["points"]["value"] for point in state.curve if "points" in point][-1]
        done = number + state.done / state.config.games
        run.report(f"{folder}: {state.done:,} games, {points:+.2f} points a game", done, total)

    trainer.train(progress)
    return {
        **trainer.counts,
        "games": trainer.done,
        "parameters": sum(weights.numel() for weights in trainer.learner.online.parameters()),
        "settings": dataclasses.asdict(trainer.config),
        "curve": trainer.curve,
    }


def train(run: Run) -> dict[str, Any]:
    """Train the double DQN as printed."""
    return _trained(run, "player")


def train_variants(run: Run) -> dict[str, Any]:
    """Train the double DQN with other settings, which are not the paper's."""
    imitation = {"learning_rate": SLOW_RATE, "imitated": run.scale.imitated, "epsilon": DQNTraining().epsilon_least}
    variants: dict[str, dict[str, Any]] = {SLOW: {"learning_rate": SLOW_RATE}, IMITATION: imitation}
    results = {}
    for number, (name, changes) in enumerate(variants.items()):
        results[name] = run.once(name, partial(_trained, run, name, number, len(variants), **changes))
    return results


# ---------------------------------------------------------------------------------------------------------
# Matches


def walls_of(table: str) -> int:
    """Return the number of a table's walls: those of a variant are the paper's, one player's those of any other.

    >>> walls_of("table 6"), walls_of("table 6, slow"), walls_of("random and three heuristic")
    (1, 1, 3)
    """
    return int(table.removeprefix("table ")[0]) - 5 if table.startswith("table ") else 3


def play_tables(run: Run) -> dict[str, Any]:
    """Play tables 5, 6 and 7, tables 5 and 6 with the variants, and each network against three heuristic agents."""
    ddqn = load_player(run.folders["training"] / "player", "DDQN")
    heuristic = HeuristicAgent("heuristic")
    agents: dict[str, Agent] = {
        "DDQN": ddqn,
        "random": RandomAgent("random"),
        "heuristic": heuristic,
        "heuristic 1, 1, 1": HeuristicAgent("heuristic 1, 1, 1", (1.0, 1.0, 1.0)),
    }
    tables = {f"table {number}": [agents[name] for name in seats] for number, seats in paper.SEATS.items()}
    variants = [load_player(run.folders["variants"] / name, name) for name in (SLOW, IMITATION)]
    for variant in variants:
        for table in ("5", "6"):
            tables[f"table {table}, {variant.name}"] = [
                variant if name == "DDQN" else agents[name] for name in paper.SEATS[table]
            ]
    for player in (ddqn, *variants, agents["random"], EfficientAgent()):
        tables[f"{player.name} and three heuristic"] = [player, *[heuristic] * 3]
    done: dict[str, Any] = {}
    for number, (name, seats) in enumerate(tables.items()):
        match = partial(_match, run, seats, run.scale.match_walls, _WALLS + walls_of(name), name)
        done[name] = run.once(f"match-{number}", match)
    return {"tables": done}


_FILES: Final = (LAST, BEST, PLAYER_FILE)

STAGES: Final = (
    Stage("parameters", "Parameters of the heuristic (table 2)", find_parameters),
    Stage(
        "training",
        "Training of the double DQN",
        train,
        tuple(f"player/{file}" for file in _FILES),
        "matches",
    ),
    Stage(
        "variants",
        "Variants of the training",
        train_variants,
        tuple(f"{name}/{file}" for name in (SLOW, IMITATION) for file in _FILES),
        "matches",
    ),
    Stage("matches", "Tables 5, 6 and 7", play_tables),
)
