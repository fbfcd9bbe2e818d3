"""Names of bots: their source, with an optional display name before it."""

from __future__ import annotations

import re
from typing import Final

from janshi.agents.protocol import Agent
from janshi.agents.registry import Loader
from janshi.registries import load

#: Display name of a bot before its source.
ALIAS: Final = re.compile(r"(\w[\w .+-]{0,31})=(?=mjai)")


def is_bot(name: str) -> bool:
    """Return whether a name is that of a bot, with or without an alias.

    >>> is_bot("mjai:python bot.py"), is_bot("mine=mjai:python bot.py"), is_bot("bot.py:Mine")
    (True, True, False)
    """
    return name.startswith("mjai") or ALIAS.match(name) is not None


def _load_bot(name: str) -> Agent:
    bot: Agent = load("janshi.mjai.agent:MjaiAgent")(name)
    return bot


#: See `janshi.agents.registry.AGENTS`.
LOADER: Final = Loader(is_bot, _load_bot)
