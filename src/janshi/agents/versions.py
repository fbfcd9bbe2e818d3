"""Versions of players: a digest of the files that determine their play."""

from __future__ import annotations

import hashlib
import inspect
import shlex
from os.path import isdir, isfile
from pathlib import Path
from typing import Any

from janshi.agents.names import GamesAgent, file_of
from janshi.agents.protocol import Agent
from janshi.games import game_of


def digest_of(name: str, agent: Agent, rules: Any) -> str:
    """Return the SHA-256 of a player's files (hexadecimal), which identifies its version.

    The files are the network's file, those of a folder, those in a bot's command, or else the source file of the
    player's class. Files that these import or read are not part of the digest.

    Args:
        name: a name for `janshi.agents.agent`.
        agent: the agent of this name.
        rules: rules of its games.
    """
    if isinstance(agent, GamesAgent):
        agent = agent.of(rules, game_of(rules))
    digest = hashlib.sha256()
    for file in _files(name, agent):
        digest.update(hashlib.sha256(file.read_bytes()).digest())
    return digest.hexdigest()


def _files(name: str, agent: Agent) -> list[Path]:
    path = file_of(name)
    # Not `Path.is_file`, which raises an error for a bot's command that is too long to be a path.
    if isfile(path):
        return [path]
    if isdir(path):
        return sorted(file for file in path.iterdir() if file.is_file())
    named = [Path(word) for word in shlex.split(name.partition(":")[2]) if isfile(word)]
    return named or [Path(inspect.getfile(type(agent)))]
