"""Folders of trained networks as agents. `janshi.learn.players`, which needs torch, is imported to load one alone."""

from __future__ import annotations

from pathlib import Path
from typing import Final, cast

from janshi import built_in
from janshi.agents.protocol import Agent
from janshi.agents.registry import Loader
from janshi.registries import load


def _load(name: str) -> Agent:
    return cast("Agent", load(built_in.FOLDER_PLAYER)(name))


#: See `janshi.agents.registry.AGENTS`.
LOADER: Final = Loader(lambda name: bool(name) and Path(name).is_dir(), _load)
