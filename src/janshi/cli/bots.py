"""Bots in commands: the options of their limits, their seats, and what a command prints of their faults."""

from __future__ import annotations

import signal
from collections.abc import Iterator, Mapping
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING

from rich.console import Console
from rich.markup import escape
from rich.table import Table

from janshi.cli.failing import GIVEN_UP, fail
from janshi.cli.options import option

if TYPE_CHECKING:
    from janshi.agents import Agent
    from janshi.agents.protocol import Faults
    from janshi.mjai.agent import Limits


@dataclass(frozen=True)
class BotOptions:
    """Options of every command that seats bots (``mjai:…``)."""

    start_limit: float = option("Time limit in seconds for the start of a bot (mjai:…).", default=60.0, min=0.1)
    answer_limit: float = option("Time limit in seconds for a bot's decision.", default=5.0, min=0.001)
    fault_limit: int = option("Faults permitted before a bot is given up.", default=10, min=0)
    bot_tables: int = option("Number of parallel tables in a match with bots.", default=1, min=1, max=256)

    @property
    def limits(self) -> Limits:
        """The limits of a bot."""
        from janshi.mjai.agent import Limits

        return Limits(self.start_limit, self.answer_limit, self.fault_limit, self.bot_tables)


@contextmanager
def seat_players(names: list[str], options: BotOptions) -> Iterator[list[Agent]]:
    """Make the agents of these names, one of each but of bots one a seat; bots are ended with the context.

    Ended from outside (SIGTERM) it ends them as well.
    """
    from janshi.agents import agent
    from janshi.mjai.agent import MjaiAgent

    def end(*_: object) -> None:
        raise SystemExit(143)

    with ExitStack() as stack:
        made: dict[str, Agent] = {}
        seated = []
        for name in names:
            player = made.get(name) or agent(name)
            if isinstance(player, MjaiAgent):
                player.limits = options.limits
                stack.enter_context(player)
                stack.callback(signal.signal, signal.SIGTERM, signal.signal(signal.SIGTERM, end))
            else:
                made[name] = player
            seated.append(player)
        yield seated


def faults_of(players: list[Agent]) -> dict[str, Faults]:
    """Return the faults of the bots among some players, by name."""
    from janshi.agents.protocol import Listener

    return {player.name: player.faults() for player in players if isinstance(player, Listener)}


def print_faults(console: Console, faults: Mapping[str, Faults]) -> None:
    """Print the faults of bots: a table, and an example of each kind. Prints nothing without bots."""
    if not faults:
        return
    table = Table("bot", "decisions", "faults", "decided for it", "mean time", "longest", title="Bots")
    for name, each in faults.items():
        times = [f"{seconds:.2f} s" if each.answers else "–" for seconds in (each.mean_seconds, each.longest_seconds)]
        table.add_row(escape(name), f"{each.decisions:,}", escape(str(each)), f"{each.defaults:,}", *times)
    console.print(table)
    for name, each in faults.items():
        for example in each.examples:
            console.print(f"{name}: {example}", markup=False, highlight=False, soft_wrap=True)


def end_if_given_up(command: str, faults: Mapping[str, Faults]) -> None:
    """End a command with exit code `GIVEN_UP` if a bot was given up, which makes its result void."""
    from janshi.agents.protocol import void_reasons

    if reasons := void_reasons(faults):
        fail(command, f"the result is void: {'; '.join(reasons)}", GIVEN_UP)
