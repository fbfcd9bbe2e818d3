"""The stages of the Sichuan paper, from its parameters to its tables."""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence
from typing import Any, Final

import numpy as np

from janshi.agents import Agent, RandomAgent
from janshi.arena import Match
from janshi.arena.results import finite
from janshi.learn.checkpoints import BEST, LAST, PLAYER_FILE
from janshi.papers.runner import Run, Stage
from janshi.papers.sichuan import figures as paper
from janshi.papers.sichuan.agent import PLAYER_FILE as AGENT_FILE
from janshi.papers.sichuan.agent import load_player
from janshi.papers.sichuan.training import DQNTrainer, DQNTraining
from janshi.papers.training import played
from janshi.sichuan.agents import EfficientAgent
from janshi.sichuan.agents.heuristic import PARAMETERS, HeuristicAgent
from janshi.statistics import mean, rate

#: What is played: our reading of the paper's game.
RULES: Final = "sichuan"
#: Fields of the scale that are the training's.
_TRAINING: Final = ("games", "tables", "updates", "segment", "evaluate_every", "evaluate_walls")
#: Seeds of matches are the run's times this, and a number of each match.
_MATCHES: Final = 1000


def _heuristic(parameters: paper.Parameters) -> HeuristicAgent:
    return HeuristicAgent(f"heuristic {', '.join(f'{number:g}' for number in parameters)}", parameters)


def _match(run: Run, agents: Sequence[Agent], walls: int, number: int, text: str) -> Match:
    """Play a match of a run; its walls follow from the run's seed and the match's number."""
    return played(run, agents, RULES, walls, _MATCHES * run.options.seed + number, f"{text}: ")


def scores(match: Match, agents: Sequence[Agent]) -> dict[str, Any]:
    """Return what each agent has won a game and seat, with an interval over walls, and how often it won a hand."""
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
    counted: dict[str, Any] = finite({"games": len(match.final), "walls": match.walls, "agents": result})
    return counted


# ---------------------------------------------------------------------------------------------------------
# Parameters


def pairs() -> list[tuple[paper.Parameters, paper.Parameters]]:
    """Return the pairs that play: those of table 2, then each of its parameters against the chosen ones."""
    printed = [(first, second) for first, second, _ in paper.TOURNAMENT]
    sets = dict.fromkeys(parameters for pair in printed for parameters in pair)
    return printed + [(parameters, PARAMETERS) for parameters in sets if parameters != PARAMETERS]


def find_parameters(run: Run) -> dict[str, Any]:
    """Play table 2, and each of its parameters against the chosen ones: two seats each."""
    results: list[dict[str, Any]] = []
    all_pairs = pairs()
    for number, (first, second) in enumerate(all_pairs):
        result = run.part(f"pair-{number}")
        if result is None:
            a, b = _heuristic(first), _heuristic(second)
            agents = [a, b, a, b] if number % 2 else [a, a, b, b]
            text = f"{a.name} and {b.name} ({number + 1} of {len(all_pairs)})"
            match = _match(run, agents, run.scale.pair_walls, number, text)
            result = {"first": list(first), "second": list(second), **scores(match, agents)}
            run.keep_part(f"pair-{number}", result)
        results.append(result)
    count = len(paper.TOURNAMENT)
    return {"printed": results[:count], "against chosen": results[count:]}


# ---------------------------------------------------------------------------------------------------------
# Training


def train(run: Run) -> dict[str, Any]:
    """Train the double DQN against three heuristic agents."""
    sizes = {name: getattr(run.scale, name) for name in _TRAINING}
    trainer = DQNTrainer(DQNTraining(**sizes, rules=RULES, seed=run.options.seed), run.folder / "player")

    def progress(state: DQNTrainer) -> None:
        points = [point["points"]["value"] for point in state.curve if "points" in point][-1]
        run.report(f"{state.done:,} games, {points:+.2f} points a game", state.done, state.config.games)

    run.report("beginning", trainer.done, trainer.config.games)
    trainer.train(progress)
    return {
        **trainer.counts,
        "games": trainer.done,
        "parameters": sum(weights.numel() for weights in trainer.learner.online.parameters()),
        "settings": dataclasses.asdict(trainer.config),
        "curve": trainer.curve,
    }


# ---------------------------------------------------------------------------------------------------------
# Matches


def play_tables(run: Run) -> dict[str, Any]:
    """Play tables 5, 6 and 7, and beside them the network and better players against three heuristic agents."""
    ddqn = load_player(run.folders["training"] / "player", "DDQN")
    heuristic = HeuristicAgent("heuristic")
    agents: dict[str, Agent] = {
        "DDQN": ddqn,
        "random": RandomAgent("random"),
        "heuristic": heuristic,
        "heuristic 1, 1, 1": HeuristicAgent("heuristic 1, 1, 1", (1.0, 1.0, 1.0)),
    }
    tables = {f"table {number}": [agents[name] for name in seats] for number, seats in paper.SEATS.items()}
    for player in (ddqn, agents["random"], EfficientAgent()):
        tables[f"{player.name} and three heuristic"] = [player, *[heuristic] * 3]
    done: dict[str, Any] = {}
    for number, (name, seats) in enumerate(tables.items()):
        part = f"match-{number}"
        result = run.part(part)
        if result is None:
            # The walls of one player against three heuristic agents are the same for each of them.
            match = _match(run, seats, run.scale.match_walls, 500 + min(number, 3), name)
            result = scores(match, seats)
            run.keep_part(part, result)
        done[name] = result
    return {"tables": done}


STAGES: Final = (
    Stage("parameters", "Parameters of the heuristic (table 2)", find_parameters, ("pair_walls",)),
    Stage(
        "training",
        "Training of the double DQN",
        train,
        _TRAINING,
        weights=(f"player/{LAST}", f"player/{BEST}", f"player/{PLAYER_FILE}", f"player/{AGENT_FILE}"),
        needed_by="matches",
    ),
    Stage("matches", "Tables 5, 6 and 7", play_tables, ("match_walls",), ("training",)),
)
