"""Sources of agents without a registered name, and folders of trained players."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from janshi import built_in
from janshi.agents.protocol import Agent, AgentError
from janshi.registries import Registry


@dataclass(frozen=True, slots=True)
class Source:
    """A test of names, and the function that loads an agent."""

    takes: Callable[[str], bool]
    load: Callable[[str], Agent]


#: Loaders of players from folders, by the file that identifies the kind of networks; tried in this order.
FOLDERS: Final[Registry[Callable[[Path], Agent]]] = Registry(
    "janshi.player_folders", "folder of players", built_in.PLAYER_FOLDERS, AgentError
)


def load_folder(name: str) -> Agent:
    """Return the player of a folder. Raises `AgentError` if it contains none."""
    folder = Path(name)
    known = [file for file in FOLDERS if (folder / file).is_file()]
    if not known:
        raise AgentError(f"{folder} holds no network that can be loaded: there is no player.json in it")
    return FOLDERS[known[0]](folder)


FOLDER_SOURCE: Final = Source(lambda name: bool(name) and Path(name).is_dir(), load_folder)
