"""Names to agents.

Games, encoders and papers have registries of their own below (`janshi.games`, `janshi.encoders`,
`janshi.papers.registry`). Each table is one line an entry.

>>> agent("efficient").name
'efficient'
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from janshi.agents import Agent, AgentError, EfficientAgent, PlannerAgent, RandomAgent
from janshi.agents.custom import is_custom, load_custom
from janshi.agents.onnx import OnnxNetwork, load_network, policy_player
from janshi.agents.policy import PolicyAgent
from janshi.agents.sichuan.before_play import TilesByRule
from janshi.agents.sichuan.heuristic import HeuristicAgent, named_heuristic
from janshi.mjai.names import is_bot
from janshi.papers.meowjong.onnx_player import decision_player
from janshi.players import PLAYERS

__all__ = [
    "BUILT_IN",
    "DESCRIPTIONS",
    "SOURCES",
    "Source",
    "agent",
    "agent_names",
    "best_reviewer",
]


#: Agents that need no training, by name.
BUILT_IN: Final[dict[str, Callable[[], Agent]]] = {
    "random": RandomAgent,
    "efficient": EfficientAgent,
    "planner": PlannerAgent,
    "heuristic": HeuristicAgent,
}


#: What the agents that are always there do, in a few words.
DESCRIPTIONS: Final = {
    "random": "any legal action; wins where it can",
    "efficient": "by rules: the shortest way to tenpai; folds to a riichi when it is far from it",
    "planner": "by rules: the plan by which the hand is most likely to be won",
    "heuristic": "by rules: a printed heuristic of points for sets and pairs",
    "rl": "sl-2026-11, improved by playing out what it could have done",
    "sichuan": "a network that began as efficient and went on by its own games",
    "sl": "a network that plays what strong players did, most of all when it went well",
    "sl-int8": "sl in eight-bit integers: nearly the same answers, two and a half times as fast",
    "sl-2026-11": "the sl of earlier versions: five decisions, leaning towards what winners did",
    "sl4": "a network that plays what strong players did, for four players",
    "sl4-int8": "sl4 in eight-bit integers: nearly the same answers, two and a half times as fast",
}


@dataclass(frozen=True, slots=True)
class Source:
    """Where agents come from whose names are not in a table."""

    what: str
    """How such names look, for messages."""
    takes: Callable[[str], bool]
    load: Callable[[str], Agent]


def _bot(name: str) -> Agent:
    from janshi.mjai.agent import MjaiAgent

    return MjaiAgent(name)


#: What the outputs of an ONNX file mean, by the word in its metadata (`janshi.agents.onnx`).
ONNX_PLAYERS: Final[dict[str, Callable[[OnnxNetwork, str], Agent]]] = {
    "actions": policy_player,
    "meowjong": decision_player,
}

#: Players that ship and have only learned to play: tiles before play are chosen for them by a rule.
TILES_BY_RULE: Final = frozenset({"sichuan"})


def _onnx(name: str) -> Agent:
    path = PLAYERS.get(name, Path(name))
    called = name if name in PLAYERS else path.stem
    network = load_network(path, called)
    if network.answers_kind not in ONNX_PLAYERS:
        raise AgentError(f"{path}: its network answers {network.answers_kind!r}; known are {', '.join(ONNX_PLAYERS)}")
    player = ONNX_PLAYERS[network.answers_kind](network, called)
    return TilesByRule(player) if name in TILES_BY_RULE and isinstance(player, PolicyAgent) else player


def _gao_player(folder: Path) -> Agent:
    from janshi.papers.gao.player import load_gao

    return load_gao(folder)


def _long(folder: Path) -> Agent:
    from janshi.papers.long.agent import load_player

    return load_player(folder)


def _sichuan_player(folder: Path) -> Agent:
    from janshi.papers.sichuan.agent import load_player

    return load_player(folder)


#: Files of folders that say whose networks they hold; what is in other folders is known by its checkpoints.
FOLDER_FILES: Final[dict[str, Callable[[Path], Agent]]] = {
    "gao.json": _gao_player,
    "long.json": _long,
    "sichuan.json": _sichuan_player,
}


def _folder(name: str) -> Agent:
    from janshi.papers.meowjong.player import load_player

    for file, load in FOLDER_FILES.items():
        if (Path(name) / file).is_file():
            return load(Path(name))
    return load_player(Path(name))


#: Looked through in this order.
SOURCES: Final = (
    Source("names of agents", lambda name: name in BUILT_IN, lambda name: BUILT_IN[name]()),
    Source("players that ship", lambda name: name in PLAYERS, _onnx),
    Source("heuristic:PUNG,RUN,FUTURE", lambda name: name.startswith("heuristic:"), named_heuristic),
    Source("mjai:COMMAND", is_bot, _bot),
    Source("path/to/file.py:ClassName", is_custom, load_custom),
    Source(".onnx files", lambda name: name.endswith(".onnx") and Path(name).is_file(), _onnx),
    Source("folders of trained players", lambda name: bool(name) and Path(name).is_dir(), _folder),
)


def agent_names() -> tuple[str, ...]:
    """Return the names of all agents that are always there."""
    return (*BUILT_IN, *PLAYERS)


def agent(name: str) -> Agent:
    """Return an agent: a built-in or shipped one by its name, or one of `SOURCES`.

    Those are a checkpoint's folder, an ONNX file, a class of one's own (``path/to/file.py:ClassName``), or a bot
    (``mjai:COMMAND``, ``mjai-lines:COMMAND``, ``mjai+tcp:HOST:PORT``, with or without ``NAME=`` before it). Raises
    `AgentError` where there is none.
    """
    for source in SOURCES:
        if source.takes(name):
            return source.load(name)
    others = ", ".join(source.what for source in SOURCES[2:])
    raise AgentError(f"no agent {name!r}: there are {', '.join(agent_names())}; {others}")


def best_reviewer(players: int, game: str = "riichi") -> str:
    """Return the name of the reviewer that ships with the package for a game, of so many players.

    >>> best_reviewer(4), best_reviewer(4, "sichuan")
    ('sl4', 'sichuan')
    """
    if game == "sichuan":
        return "sichuan"
    return "sl" if players == 3 else "sl4"
