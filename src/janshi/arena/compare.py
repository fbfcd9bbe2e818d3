"""Comparison of two players over whole games on shared walls.

A *line-up* is one player against equal others: A against B in all other seats and, with further opponents X, A against
X and B against X. Each is played in every rotation on the same walls. The compared values are means over the rotations
of a wall, so that both players have every seat and the same tiles. Each wall is one observation.

* Against B the difference is A's result minus the mean of the table. B against itself has exactly that mean over the
  rotations of a wall, so that these games need not be played.
* Against X it is A's result minus B's on the same walls.

With `CompareConfig.luck` the estimated luck is subtracted before the decision. This keeps the expectation of the
difference and narrows its interval.

Games of a single hand (presets that end in ``-hand``) are treated as games.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from typing import Any, Final, TypeAlias

import numpy as np
from numpy.typing import NDArray

from janshi.agents.protocol import Agent, Faults, Listener, check_agent, void_reasons
from janshi.arena.contests import Contest, Pairing
from janshi.arena.luck import luck_of
from janshi.arena.matches import (
    TABLES,
    Match,
    MatchConfig,
    arrays_of_faults,
    check_match,
    faults_of_arrays,
    is_single_hand,
    names_of,
)
from janshi.arena.observers import Hands
from janshi.arena.parts import LineUp, MatchPart, play_part
from janshi.arena.saved import Parts
from janshi.arena.sequential import Answer, decided
from janshi.arena.style import Style, style_of
from janshi.arena.walls import Measure, WallResults, place_measure, scale_measure
from janshi.cluster import Workers, in_order
from janshi.files import finite
from janshi.statistics import Estimate, confidence_sequence, mean, rate, within
from janshi.worth.scales import PLACE, PlacementScale, scale

#: Results and hands of a line-up.
_Played: TypeAlias = tuple[WallResults, Hands]
#: Prefix of the columns of hands among the arrays of a line-up.
_HANDS: Final = "hands "

#: Walls of the first part, and seconds that later parts take.
_FIRST_WALLS: Final = 16
_PART_SECONDS: Final = 20.0


@dataclass(frozen=True, slots=True, kw_only=True)
class CompareConfig:
    """Settings of a comparison except its walls and their seed.

    Raises `ValueError` for invalid numbers.
    """

    until: float | None = None
    """Probability of a wrong decision at which to stop; None: play all walls."""
    margin: float = 0.02
    """Difference in the unit of the scale below which a sequential test decides that the players are equal."""
    scale: PlacementScale = field(default_factory=lambda: scale(PLACE))
    """Points of the places, which decide; default: the mean place."""
    luck: bool = False
    """True to subtract the estimated luck from the compared results."""
    tables: int = TABLES
    """Number of parallel tables; the result does not depend on it."""
    threads: int = 1
    """Number of threads; the result does not depend on it."""
    saved: Parts = field(default_factory=Parts)
    """Storage of finished parts, whose walls are not played again."""
    team: Workers | None = None
    """Workers that play the parts; None: this process. The result does not depend on it."""
    names: tuple[str, ...] = ()
    """Names by which the workers of ``team`` load the players: first, second, and others."""

    def __post_init__(self) -> None:
        """Raise `ValueError` for invalid numbers."""
        if self.until is not None and not 0 < self.until < 0.5:
            raise ValueError(f"until={self.until}: an error rate between 0 and 0.5")
        if not self.margin > 0:
            raise ValueError(f"margin={self.margin}: above 0")


@dataclass(frozen=True, slots=True)
class Standing:
    """One player's games against equal others; intervals by wall."""

    player: str
    against: str
    games: int
    rates: tuple[Estimate, ...]
    """Rates of first, second … last places."""
    place: Estimate
    points: Estimate
    """Final points."""
    worth: Estimate | None
    """Points of the scale; None for the scale of places."""


@dataclass(frozen=True, slots=True)
class Difference:
    """First player minus second on the same walls against the same others; intervals by wall."""

    against: str
    place: Estimate
    """Difference of the mean places; below 0 the first player is better."""
    points: Estimate
    worth: Estimate | None
    gain: Estimate
    """Difference in points of the scale, without the luck if it is estimated; higher is better for the first player.
    It determines the decision. In a sequential test its interval is that of the confidence sequence, with the
    confidence level 1 − ``until``; otherwise it is a 95 % interval."""
    narrower: float | None
    """Ratio of the interval's width with luck to that without; None if luck was not estimated."""
    answer: Answer


@dataclass(frozen=True, slots=True)
class Comparison:
    """Result of a comparison; ``walls``: number of counted walls in every line-up."""

    players: tuple[str, str]
    others: str | None
    rules: str
    seats: int
    seed: int
    walls: int
    interrupted: bool
    until: float | None
    margin: float
    scale: str
    """Name of the deciding scale."""
    luck: str | None
    """Name of the model of the subtracted luck; None if none was subtracted."""
    standings: tuple[Standing, ...]
    differences: tuple[Difference, ...]
    results: tuple[WallResults, ...]
    """Results of every line-up, in the order of ``standings``."""
    style: Style
    """Style of both players, each in its line-ups against the others, or against each other."""
    faults: dict[str, Faults] = field(default_factory=dict)
    """Faults of the bots among the players, by name."""

    @property
    def void(self) -> list[str]:
        """Reasons for which the comparison is void: see `janshi.agents.protocol.void_reasons`."""
        return void_reasons(self.faults)

    @property
    def answer(self) -> Answer:
        """Return the common answer of all differences; `Answer.OPEN` if they disagree or the comparison is void."""
        if self.void:
            return Answer.OPEN
        answers = {difference.answer for difference in self.differences}
        return answers.pop() if len(answers) == 1 else Answer.OPEN

    def as_json(self) -> dict[str, Any]:
        """Return all but the results of walls as plain data for ``json.dumps``; non-finite numbers are None."""
        content = {name: getattr(self, name) for name in _PLAIN}
        content |= {name: [asdict(row) for row in getattr(self, name)] for name in ("standings", "differences")}
        content |= {"faults": {name: faults.as_json() for name, faults in self.faults.items()}}
        cleaned: dict[str, Any] = finite(content | {"style": self.style.as_json()})
        return cleaned


_PLAIN: Final = (
    *("answer", "players", "others", "rules", "seats", "seed", "walls", "interrupted", "until", "margin"),
    *("scale", "luck", "void"),
)


@dataclass(frozen=True, slots=True)
class CompareProgress:
    """Progress of a comparison."""

    walls: int
    """Number of played walls in every line-up."""
    most: int
    gains: tuple[Estimate, ...]
    """`Difference.gain` of the differences so far."""


def compare(
    a: Agent,
    b: Agent,
    rules: Any,
    walls: int,
    seed: int = 0,
    others: Agent | None = None,
    *,
    config: CompareConfig | None = None,
    progress: Callable[[CompareProgress], None] | None = None,
) -> Comparison:
    """Compare two agents over whole games on shared walls, in every rotation of the seats.

    Args:
        a: the first player.
        b: the second player.
        rules: a rule set of any game.
        walls: games of each line-up in each rotation; with ``config.until`` the maximum.
        seed: seed of the walls; results depend only on agents, rules, walls and seed.
        others: opponents that both players also meet.
        config: settings of the comparison.
        progress: called after each part.

    An interruption (Ctrl-C) ends the comparison with the walls that every line-up has played; without any,
    `KeyboardInterrupt` is raised. It also ends after the part in which a bot is given up, and is void then
    (`Comparison.void`). Raises `AgentError` if an agent does not support the rules, `ScaleError` if the scale
    has no points for the number of players, `LuckError` if the rules have no model of luck.

    >>> from janshi.riichi.agents import EfficientAgent
    >>> from janshi.agents import RandomAgent
    >>> from janshi.riichi.rules import preset
    >>> found = compare(EfficientAgent(), RandomAgent(), preset("tenhou-sanma-east"), walls=20)
    >>> found.answer, found.standings[0].games
    (<Answer.BETTER: 'better'>, 60)
    """
    plan = CompareConfig() if config is None else config
    # The line-up against the second player is always played.
    agents = [a, b] if others is None or others is b else [a, b, others]
    check_match([a] + [b] * (rules.players - 1), rules, walls)
    plan.scale.points(rules.players)
    model = luck_of(rules).model(rules) if plan.luck else None
    for agent in agents:
        check_agent(agent, rules)
    # If the others are the first player, they have its name.
    numbers = [0, 1, 0 if agents[-1] is agents[0] else 2][: len(agents)]
    bout = _Bout(Contest.of(agents, numbers, rules, seed), plan, model)
    interrupted = False
    try:
        for done in bout.play(walls):
            if progress is not None:
                progress(CompareProgress(done, walls, tuple(gain for _, gain, _ in bout.decisions())))
    except KeyboardInterrupt:
        interrupted = True
        if not bout.walls:
            raise
    return bout.comparison(interrupted)


class _Bout:
    """The line-ups of a comparison with their results so far."""

    def __init__(self, contest: Contest, config: CompareConfig, luck_model: str | None) -> None:
        self.contest = contest
        self.names = contest.names
        self.rules = contest.rules
        self.config = config
        self.luck_model = luck_model
        self.measure = scale_measure(config.scale)
        self.line_ups: list[Pairing] = [(0, 1)] if len(self.names) == 2 else [(0, 1), (0, 2), (1, 2)]
        self.parts: list[list[WallResults]] = [[] for _ in self.line_ups]
        self.hands: list[list[Hands]] = [[] for _ in self.line_ups]
        self.walls = 0
        self.faults: dict[str, Faults] = {}
        self.remote = None
        if config.team is not None:
            self.remote = [LineUp.of(contest.seated(config.names, line_up), self.rules) for line_up in self.line_ups]
        for count, arrays in config.saved.read():
            played = [self._of_arrays(number, arrays) for number in range(len(self.line_ups))]
            self._add(count, played, faults_of_arrays(arrays))

    def _of_arrays(self, number: int, arrays: Mapping[str, NDArray[Any]]) -> _Played:
        """Return a line-up's results in a saved part."""
        mine = {name.partition(" ")[2]: array for name, array in arrays.items() if name.startswith(f"{number} ")}
        hands = {name.removeprefix(_HANDS): array for name, array in mine.items() if name.startswith(_HANDS)}
        names = names_of(self.contest.seated(self.contest.agents, self.line_ups[number]))
        return WallResults.of_arrays(names, mine), Hands.of_arrays(hands)

    @property
    def void(self) -> bool:
        """True if a bot was given up."""
        return bool(void_reasons(self.faults))

    def _faults_now(self) -> dict[str, Faults]:
        """Return the faults of the bots in this process so far, by name."""
        named = zip(self.names, self.contest.agents, strict=True)
        return {name: each.faults() for name, each in named if isinstance(each, Listener)}

    def _add(self, count: int, played: Sequence[_Played], faults: Mapping[str, Faults]) -> None:
        for number, (results, hands) in enumerate(played):
            self.parts[number].append(results)
            self.hands[number].append(hands)
        self.walls += count
        for name, each in faults.items():
            self.faults[name] = Faults.joined([self.faults[name], each] if name in self.faults else [each])

    def play(self, walls: int) -> Iterator[int]:
        """Play parts of up to ``walls`` walls until the comparison is decided; yield the number after each."""
        most = max(1, self.config.tables // self.rules.players)
        tables = [each.most_tables for each in self.contest.agents if isinstance(each, Listener)]
        count = min(_FIRST_WALLS, most, *tables)
        while self.walls < walls and not self.void:
            count = min(count, walls - self.walls)
            began, before = time.monotonic(), self._faults_now()
            played = self._play_on_team(self.config.team, count) if self.config.team else self._play_here(count)
            faults = {name: each.since(before[name]) for name, each in self._faults_now().items()}
            if not void_reasons(faults):  # walls of a bot that was given up are played again
                self.config.saved.write(self.walls, count, _arrays(played) | arrays_of_faults(faults))
            self._add(count, played, faults)
            yield self.walls
            if self.config.until is not None and all(answer != Answer.OPEN for answer, _, _ in self.decisions()):
                return
            seconds = max(time.monotonic() - began, 1e-6)
            count = max(1, min(most, 2 * count, int(count * _PART_SECONDS / seconds)))

    @property
    def _luck(self) -> PlacementScale | None:
        return self.config.scale if self.config.luck else None

    def _play_here(self, count: int) -> list[_Played]:
        config = MatchConfig(
            first=self.walls, tables=self.config.tables, threads=self.config.threads, luck=self._luck
        )
        matches = [self.contest.play(line_up, count, config) for line_up in self.line_ups]
        return [(match.results, match.hands) for match in matches]

    def _play_on_team(self, team: Workers, count: int) -> list[_Played]:
        assert self.remote is not None
        size = max(1, -(-count // max(1, team.processes)))
        last = self.walls + count
        jobs = [
            MatchPart(line_up, self.contest.seed, first, min(size, last - first), luck=self._luck)
            for line_up in self.remote
            for first in range(self.walls, last, size)
        ]
        played = [match for match, _ in in_order(team.each(play_part, jobs))]
        each = len(jobs) // len(self.remote)
        joined = [Match.joined(played[n * each : (n + 1) * each]) for n in range(len(self.remote))]
        return [(match.results, match.hands) for match in joined]

    def results(self, walls: int | None = None) -> list[WallResults]:
        """Return results of every line-up on the first walls; default: all."""
        joined = [WallResults.joined(parts) for parts in self.parts]
        return joined if walls is None else [one.part(one.wall < walls) for one in joined]

    def gains(self, measure: Measure) -> list[NDArray[np.float64]]:
        """Return differences of the two players by wall (walls), one row a difference."""
        return [values for _, values in _differences(self.results(), measure)]

    def decisions(self) -> list[tuple[Answer, Estimate, int]]:
        """Return for each difference the decision, the gain so far, and the walls needed for the decision."""
        until = self.config.until
        found = []
        for values in self.gains(_net(self.measure)):
            if until is None:
                gain = mean(values, np.arange(len(values)))
                found.append((_fixed(gain), gain, len(values)))
                continue
            sequence = confidence_sequence(values, until)
            answer, took = decided(sequence, self.config.margin)
            low, middle, high = (float(column[took - 1]) for column in (sequence.low, sequence.middle, sequence.high))
            found.append((answer, Estimate(middle, low, high, took), took))
        return found

    def comparison(self, interrupted: bool) -> Comparison:
        """Return the result on the deciding walls."""
        decisions = self.decisions()
        walls = max(took for _, _, took in decisions)
        results = self.results(walls)
        is_place = self.config.scale.name == PLACE
        against = [self.names[number] for number in ([1] if len(self.names) == 2 else [1, 2])]
        columns = [_differences(results, one) for one in (place_measure, _points, self.measure, _net(self.measure))]
        differences = []
        for number, (other, (answer, gain, _)) in enumerate(zip(against, decisions, strict=True)):
            place, points, worth, net = (mean(rows[number][1], rows[number][0]) for rows in columns)
            turned = Estimate(-place.value, -place.high, -place.low, place.count)
            differences.append(
                Difference(
                    against=other,
                    place=turned,
                    points=points,
                    worth=None if is_place else worth,
                    gain=gain,
                    narrower=None if self.luck_model is None else _narrower(worth, net),
                    answer=answer,
                )
            )
        names = [(self.names[player], self.names[other]) for player, other in self.line_ups]
        return Comparison(
            players=(self.names[0], self.names[1]),
            others=self.names[2] if len(self.names) == 3 else None,
            rules=self.rules.name,
            seats=self.rules.players,
            seed=self.contest.seed,
            walls=walls,
            interrupted=interrupted,
            until=self.config.until,
            margin=self.config.margin,
            scale=self.config.scale.name,
            luck=self.luck_model,
            standings=tuple(
                _standing(*who, one, None if is_place else self.measure)
                for who, one in zip(names, results, strict=True)
            ),
            differences=tuple(differences),
            results=tuple(results),
            style=self._style(walls),
            faults=self.faults,
        )

    def _style(self, walls: int) -> Style:
        """Return the style of both players on the first walls."""
        styles = []
        others = list(range(1, self.rules.players))
        for line_up, parts in zip(self.line_ups, self.hands, strict=True):
            hands = Hands.joined(parts)
            names = [self.names[number] for number in line_up]
            if len(self.line_ups) > 1:
                names[0] = f"{names[0]} vs {names[1]}"
            who = {names[0]: [0]} | ({names[1]: others} if len(self.line_ups) == 1 else {})
            single = is_single_hand(self.rules)
            styles.append(style_of(hands.part(hands.wall < walls), self.rules.start, who, games=not single))
        return Style.joined(styles)


def _arrays(played: Sequence[_Played]) -> dict[str, NDArray[Any]]:
    """Return the results of line-ups as arrays by name, for `_Bout`."""
    found: dict[str, NDArray[Any]] = {}
    for number, (results, hands) in enumerate(played):
        columns = results.arrays() | {_HANDS + name: column for name, column in hands.arrays().items()}
        found |= {f"{number} {name}": column for name, column in columns.items()}
    return found


def _points(results: WallResults) -> NDArray[np.float64]:
    return results.points.astype(np.float64)


def _net(measure: Measure) -> Measure:
    """Return a measure minus the estimated luck."""
    return lambda results: measure(results) - results.luck


def _differences(
    results: Sequence[WallResults], measure: Measure
) -> list[tuple[NDArray[np.int64], NDArray[np.float64]]]:
    """Return the walls and the differences on them: against the second player, then against the others."""
    direct, *rest = results
    values = measure(direct)
    found = [(direct.walls, direct.by_wall(values[:, 0] - values.mean(axis=1)))]
    if rest:
        first, second = (one.by_wall(measure(one)[:, 0]) for one in rest)
        found.append((rest[0].walls, first - second))
    return found


def _fixed(gain: Estimate) -> Answer:
    """Return the answer of a 95 % interval."""
    if gain.low > 0:
        return Answer.BETTER
    return Answer.WORSE if gain.high < 0 else Answer.OPEN


def _narrower(before: Estimate, after: Estimate) -> float:
    """Return the ratio of the widths of two estimates' intervals."""
    return (before.high - before.low) / (after.high - after.low) if after.high > after.low else 1.0


def _standing(player: str, against: str, results: WallResults, measure: Measure | None) -> Standing:
    players = results.places.shape[1]
    place = results.places[:, 0]
    worth = None if measure is None else mean(measure(results)[:, 0], results.wall)
    return Standing(
        player=player,
        against=against,
        games=len(results),
        rates=tuple(rate(place == number) for number in range(1, players + 1)),
        place=within(mean(place, results.wall), 1, players),
        points=mean(results.points[:, 0], results.wall),
        worth=worth,
    )
