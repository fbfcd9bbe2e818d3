"""Games of a pool: claiming a seating, playing its walls, saving each."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final

import numpy as np

from janshi.agents.protocol import Agent, Faults, Listener, void_reasons
from janshi.arena.matches import Match, MatchConfig, play_match
from janshi.arena.parts import LineUp, MatchPart, play_part
from janshi.cluster import Workers
from janshi.core.places import final_ranks
from janshi.ratings.choosing import Chooser
from janshi.ratings.pool import Claim, Pool, PoolError, Seating, WallResult

#: Walls of a seating played in parallel, as networks are faster in batches. Bots play as many as they have tables.
WALLS: Final = 8


@dataclass(slots=True)
class Runner:
    """Plays walls for a pool.

    ``agents``: agents of each version that can play, one for each seat; ``rules``: rules of the pool.
    """

    pool: Pool
    rules: Any
    agents: Mapping[int, Sequence[Agent]]
    faults: dict[str, Faults] = field(default_factory=dict)
    """Faults of the bots in the games so far, by the players' names."""

    def run(self, wanted: Callable[[int], bool], done: Callable[[int], None]) -> None:
        """Play walls while ``wanted`` returns True.

        Args:
            wanted: called before each match with the number of games in progress.
            done: called with the number of saved games.

        It ends when a bot is given up, whose match does not count: see `void`.
        """
        playing: set[int] = set()
        with self.pool.runner() as runner:
            for claim in self._claims(runner, wanted, playing):
                self._play(claim, done)
                if self.void:
                    return
                playing.clear()

    @property
    def void(self) -> list[str]:
        """Reasons for which the last match does not count: see `janshi.agents.protocol.void_reasons`."""
        return void_reasons(self.faults)

    def run_on(
        self, team: Workers, names: Mapping[int, str], wanted: Callable[[int], bool], done: Callable[[int], None]
    ) -> None:
        """Play walls in parallel on workers: see `run`.

        ``names``: names of the versions' agents, which the workers load themselves.
        """
        playing: set[int] = set()
        line_ups: dict[Seating, LineUp] = {}

        def part(claim: Claim) -> MatchPart:
            if claim.seating not in line_ups:
                line_ups[claim.seating] = LineUp.of([names[version] for version in claim.seating], self.rules)
            return MatchPart(line_ups[claim.seating], self.pool.seed, claim.first, claim.walls)

        with self.pool.runner() as runner:
            parts = map(part, self._claims(runner, wanted, playing))
            for _, (match, _) in team.each(play_part, parts):
                saved = self._save(match)
                playing.difference_update(match.game_wall.tolist())
                done(saved)

    def _claims(self, runner: int, wanted: Callable[[int], bool], playing: set[int]) -> Iterator[Claim]:
        """Claim walls while ``wanted`` returns True, and add them to those in progress."""
        if len(self.agents) < 2:
            raise PoolError(f"{self.pool.path} has {len(self.agents)} players that can play: it takes two at least")
        chooser = Chooser(self.rules.players)
        after = 0

        def choose() -> tuple[Seating, int]:
            nonlocal after
            games, after = self.pool.games(self.rules.players, after)
            chooser.add(games.orders)
            chosen = chooser.choose(self.agents, self.pool.claimed(), self.pool.seed + after)
            # Rotations keep the order round the table, so that it is drawn at random.
            order = np.random.default_rng((self.pool.seed, after)).permutation(len(chosen))
            seating = tuple(chosen[chair] for chair in order)
            bots = (bot for version in seating if isinstance(bot := self.agents[version][0], Listener))
            return seating, min((bot.most_tables for bot in bots), default=WALLS)

        while wanted(len(playing) * self.rules.players):
            claim = self.pool.claim(runner, self.agents, choose, playing)
            playing.update(range(claim.first, claim.first + claim.walls))
            yield claim

    def _play(self, claim: Claim, done: Callable[[int], None]) -> None:
        """Play the walls of a claim, and save each at its end."""
        seated = [self.agents[version][chair] for chair, version in enumerate(claim.seating)]

        def save(match: Match) -> None:
            if not match.void:
                done(self._save(match))

        config = MatchConfig(first=claim.first)
        match = play_match(seated, self.rules, claim.walls, self.pool.seed, config=config, on_walls=save)
        for chair, agent in zip(match.names, seated, strict=True):
            if chair in match.faults:
                before = [self.faults[agent.name]] if agent.name in self.faults else []
                self.faults[agent.name] = Faults.joined([*before, match.faults[chair]])
        if match.interrupted:
            raise KeyboardInterrupt

    def _save(self, match: Match) -> int:
        """Save the walls of a match; return the number of games."""
        for result in wall_results(match):
            self.pool.save(result)
        return len(match.final)


def wall_results(match: Match) -> list[WallResult]:
    """Return the results of the walls of a match whose every rotation was played.

    Equal points rank in the order of the seats, which rotate.
    """
    players = match.rules.players
    chairs = np.arange(players)
    seats = (match.game_rotation.astype(np.int64)[:, None] + chairs) % players
    points = np.take_along_axis(match.final, seats, axis=1)
    rankings = np.argsort(np.take_along_axis(final_ranks(match.final), seats, axis=1), axis=1)
    results = []
    for wall in np.unique(match.game_wall).tolist():
        rows = np.flatnonzero(match.game_wall == wall)
        rows = rows[np.argsort(match.game_rotation[rows])]
        results.append(WallResult(wall, rankings[rows].tolist(), points[rows].tolist(), _styles(match, wall)))
    return results


def _styles(match: Match, wall: int) -> list[dict[str, float]]:
    """Return counts of each chair's actions on a wall."""
    hands = match.hands.part(match.hands.wall == wall)
    rows = np.arange(len(hands))
    found = []
    for chair in range(match.rules.players):
        own = rows, (hands.rotation.astype(np.int64) + chair) % match.rules.players
        won = hands.won[own]
        counts = {"hands": len(hands), "wins": won.sum(), "tsumo": hands.self_drawn[own].sum()}
        counts |= {"deal-ins": hands.dealt_in[own].sum(), "value": hands.value[own][won].sum()}
        counts |= {name: column[own].sum() for name, column in hands.habits.items()}
        found.append({name: float(count) for name, count in counts.items()})
    return found


__all__ = ["WALLS", "Runner", "wall_results"]
