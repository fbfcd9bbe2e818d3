"""Bots in commands: the same limits everywhere, and results with a bot that was given up are void."""

from __future__ import annotations

import pytest

from janshi.cli.arena import ArenaOptions
from janshi.cli.bots import BotOptions
from janshi.cli.compare import CompareOptions
from janshi.cli.options import _parameters
from janshi.cli.rate import RunOptions


@pytest.mark.parametrize("options", [ArenaOptions, CompareOptions, RunOptions])
def test_arena_compare_and_rate_take_the_same_limits_of_bots(options: type) -> None:
    limits = {parameter.name: parameter.annotation.__metadata__[0].help for parameter in _parameters(BotOptions)}
    assert {"start_limit", "answer_limit", "fault_limit", "bot_tables"} <= limits.keys()
    taken = {parameter.name: parameter.annotation.__metadata__[0].help for parameter in _parameters(options)}
    assert limits.items() <= taken.items()
