"""Two players beside each other: everything that the `meowjong` papers measure, and what shared walls add to it.

Both are put in every seat on the same walls. The blocks are tables VIII and X of the conference paper, the multinomial
tests its tables IX and XI, the sign test the dissertation's table 4.6. Those tests take a baseline's rates as known and
count three seats of one wall as three results; the paired differences do neither, and their intervals are the ones to
trust where the two disagree.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any, Final

import numpy as np
from numpy.typing import NDArray

from janshi.agents.protocol import Agent, AgentError, check_players
from janshi.arena.matches import TABLES, Match, check_match, places, play_match
from janshi.arena.results import WINDS, Estimate, finite, mean, rate
from janshi.arena.significance import SignTest, Tail, multinomial_test, paired, sign_test
from janshi.rules import Length, Rules

if TYPE_CHECKING:
    from matplotlib.figure import Figure

#: The name of all seats together, as in the papers' tables.
TOTAL: Final = "Total"


@dataclass(frozen=True, slots=True)
class SeatRow:
    """One player in one seat (by its wind), or in all."""

    seat: str
    hands: int
    counts: tuple[int, ...]
    """Hands that ended first, second … last, and drawn."""
    places: tuple[Estimate, ...]
    """Rates of the places."""
    draw: Estimate
    points: Estimate
    """Change of points a hand."""


@dataclass(frozen=True, slots=True)
class Block:
    """One player against others that are all the same one."""

    player: str
    against: str
    """Who the two or three others were."""
    rows: tuple[SeatRow, ...]


@dataclass(frozen=True, slots=True)
class PlaceTest:
    """The multinomial test of a block's counts, with the rates of another block as the baseline's."""

    player: str
    against: str
    baseline: str
    """Whose rates among itself the probabilities are."""
    seat: str
    counts: tuple[int, int, int, int]
    """First, between, last, draw."""
    probabilities: tuple[float, float, float, float]
    tail: Tail


@dataclass(frozen=True, slots=True)
class SignRow:
    """The sign test between both players against the same others on the same walls in the same seat."""

    against: str
    seat: str
    test: SignTest
    """``plus``: hands that the first player ended better."""


@dataclass(frozen=True, slots=True)
class Difference:
    """First player minus second, against the same others on the same walls in the same seat; intervals by wall."""

    against: str
    seat: str
    points: Estimate
    first: Estimate
    """Difference of the rates of first places."""


@dataclass(frozen=True, slots=True)
class Outcomes:
    """What one player made of every wall in every seat; both arrays (walls, players), column = seat's wind."""

    player: str
    against: str
    places: NDArray[np.int8]
    """1, 2, 3 …; 0 for a draw."""
    points: NDArray[np.int32]
    """Change of points."""


@dataclass(frozen=True, slots=True)
class Comparison:
    """All of it. ``walls`` is how many were played in every seat; fewer than asked for where ``interrupted``."""

    players: tuple[str, str]
    others: str | None
    rules: str
    seed: int
    walls: int
    interrupted: bool
    blocks: tuple[Block, ...]
    tests: tuple[PlaceTest, ...]
    signs: tuple[SignRow, ...]
    differences: tuple[Difference, ...]
    outcomes: tuple[Outcomes, ...]
    """Of every block, in their order."""

    def as_json(self) -> dict[str, Any]:
        """Return all but the outcomes as plain data for ``json.dumps``; what is not finite is None."""
        said = {
            "players": list(self.players),
            "others": self.others,
            "rules": self.rules,
            "seed": self.seed,
            "walls": self.walls,
            "interrupted": self.interrupted,
            "blocks": [asdict(one) for one in self.blocks],
            "tests": [asdict(one) for one in self.tests],
            "signs": [asdict(one) for one in self.signs],
            "differences": [asdict(one) for one in self.differences],
        }
        cleaned: dict[str, Any] = finite(said)
        return cleaned


@dataclass(slots=True)
class _Pairing:
    """A player against others of one kind, and what came of it so far."""

    player: int
    against: int
    parts: list[tuple[NDArray[np.int8], NDArray[np.int32]]]

    @property
    def mirror(self) -> bool:
        """Whether all seats are the same agent: then one rotation says everything."""
        return self.player == self.against


def compare(
    a: Agent,
    b: Agent,
    rules: Rules,
    walls: int,
    seed: int = 0,
    others: Agent | None = None,
    *,
    each_other: bool = True,
    threads: int = 1,
    tables: int = TABLES,
    progress: Callable[[int, int], None] | None = None,
) -> Comparison:
    """Play two agents beside each other on ``walls`` hands in every seat.

    Blocks: B among B, A against B, B against A; with ``others`` also those among themselves, A against them and B
    against them. The same agent (the same object) twice is played once. In four-player rules a block has three
    opponents, and second and third places count together in the multinomial test.

    Args:
        a: the first player.
        b: the second; its rates among itself are the baseline that both blocks between A and B are tested against.
        rules: of a single hand: `janshi.arena.single_hand`.
        walls: hands in each seat.
        seed: decides all walls; results depend on agents, rules, walls and seed alone.
        others: opponents that both meet, for instance a random agent.
        each_other: whether the two meet each other; without, only what ``others`` are in is played.
        threads: for the tables.
        tables: that play side by side.
        progress: called with the hands that are over and those to play.

    An interruption (Ctrl-C) ends it after the walls that every block has played; before there are any,
    `KeyboardInterrupt` goes on to the caller. Raises `AgentError` for rules of whole games, for no walls, and where
    nobody is met.

    >>> from janshi.agents import agent
    >>> from janshi.rules import preset
    >>> found = compare(agent("efficient"), agent("random"), preset("tenhou-sanma-hand"), walls=4)
    >>> [(block.player, block.against, block.rows[-1].hands) for block in found.blocks]
    [('random', 'random', 12), ('efficient', 'random', 12), ('random', 'efficient', 12)]
    """
    agents = [a, b] if others is None else [a, b, others]
    if others is None and not each_other:
        raise AgentError("two players that do not meet each other need others to meet")
    if rules.length is not Length.SINGLE_HAND:
        raise AgentError(f"rules {rules.name!r} are of whole games: players are compared over single hands")
    check_match([a] + [b] * (rules.players - 1), rules, walls)
    if others is not None:
        check_players(others, rules.players)
    # Who is the same agent as an earlier one goes by its number.
    numbers = [next(n for n, other in enumerate(agents) if other is one) for one in agents]
    names = _labels(agents, numbers)
    wanted = [(1, 1), (0, 1), (1, 0)] if each_other else []
    wanted += [] if others is None else [(2, 2), (0, 2), (1, 2)]
    wanted = list(dict.fromkeys((numbers[player], numbers[against]) for player, against in wanted))
    pairings = [_Pairing(player, against, []) for player, against in wanted]
    done = _play(agents, pairings, rules, walls, seed, threads, tables, progress)
    outcomes = {
        (one.player, one.against): Outcomes(
            names[one.player],
            names[one.against],
            np.concatenate([part[0] for part in one.parts]),
            np.concatenate([part[1] for part in one.parts]),
        )
        for one in pairings
    }
    return _comparison(outcomes, numbers, names, rules, seed, done, done < walls, each_other)


def _labels(agents: list[Agent], numbers: list[int]) -> list[str]:
    """Names of the agents, told apart where different ones have the same."""
    found = []
    for place, one in enumerate(agents):
        alike = {number for number, other in zip(numbers, agents, strict=True) if other.name == one.name}
        found.append(one.name if len(alike) == 1 else f"{one.name} ({'ABC'[numbers[place]]})")
    return found


def _play(
    agents: list[Agent],
    pairings: list[_Pairing],
    rules: Rules,
    walls: int,
    seed: int,
    threads: int,
    tables: int,
    progress: Callable[[int, int], None] | None,
) -> int:
    """Play all pairings wall by wall, so that an interruption leaves them even; return how many walls that were."""
    players = rules.players
    total = walls * sum(1 if one.mirror else players for one in pairings)
    over = 0
    chunk = max(1, tables // players)
    for start in range(0, walls, chunk):
        count = min(chunk, walls - start)
        parts = []
        try:
            for one in pairings:
                seated = [agents[one.player]] + [agents[one.against]] * (players - 1)
                turns = 1 if one.mirror else players
                match = play_match(
                    seated,
                    rules,
                    count,
                    seed,
                    first=start,
                    rotations=turns,
                    tables=tables,
                    threads=threads,
                    progress=None if progress is None else _after(progress, over, total),
                )
                if match.interrupted:
                    raise KeyboardInterrupt
                over += count * turns
                parts.append(_by_wind(match, one.mirror))
        except KeyboardInterrupt:
            if start == 0:
                raise
            return start
        for one, part in zip(pairings, parts, strict=True):
            one.parts.append(part)
    return walls


def _after(progress: Callable[[int, int], None], before: int, total: int) -> Callable[[int], None]:
    return lambda over: progress(before + over, total)


def _by_wind(match: Match, mirror: bool) -> tuple[NDArray[np.int8], NDArray[np.int32]]:
    """Return place and points of the first agent by wall and wind; in a mirror match, of whoever sat there."""
    hands = match.hands
    players = match.rules.players
    placed = places(hands)
    walls = hands.wall - hands.wall[0]
    dealer = hands.dealer.astype(np.int64)
    found = np.zeros((match.walls, players), np.int8)
    points = np.zeros((match.walls, players), np.int32)
    rows = np.arange(len(walls))
    for seat in range(players) if mirror else (hands.rotation.astype(np.int64),):
        wind = (seat - dealer) % players
        found[walls, wind] = placed[rows, seat]
        points[walls, wind] = hands.change[rows, seat]
    return found, points


def _comparison(
    outcomes: dict[tuple[int, int], Outcomes],
    numbers: list[int],
    names: list[str],
    rules: Rules,
    seed: int,
    walls: int,
    interrupted: bool,
    each_other: bool,
) -> Comparison:
    first, second, *rest = numbers
    tested = [((first, second), (second, second)), ((second, first), (second, second))] if each_other else []
    tested += [((one, other), (other, other)) for other in rest for one in (first, second)]
    # A block that is its own baseline says nothing.
    tested = [pair for pair in dict.fromkeys(tested) if pair[0] != pair[1]]
    opponents = [] if first == second else dict.fromkeys([second, *rest] if each_other else rest)
    against = [(outcomes[first, other], outcomes[second, other]) for other in opponents]
    return Comparison(
        (names[0], names[1]),
        names[2] if rest else None,
        rules.name,
        seed,
        walls,
        interrupted,
        tuple(_block(one) for one in outcomes.values()),
        tuple(row for block, base in tested for row in _place_tests(outcomes[block], outcomes[base])),
        tuple(row for one, other in against for row in _signs(one, other)),
        tuple(row for one, other in against for row in _differences(one, other)),
        tuple(outcomes.values()),
    )


def _seats(players: int) -> Iterator[tuple[str, list[int]]]:
    """Names of the seats and their columns; all of them last."""
    for wind in range(players):
        yield WINDS[wind], [wind]
    yield TOTAL, list(range(players))


def _walls(outcomes: Outcomes, columns: list[int]) -> NDArray[np.int64]:
    return np.repeat(np.arange(len(outcomes.places)), len(columns))


def _block(outcomes: Outcomes) -> Block:
    players = outcomes.places.shape[1]
    rows = []
    for seat, columns in _seats(players):
        placed = outcomes.places[:, columns].ravel()
        rows.append(
            SeatRow(
                seat,
                len(placed),
                tuple(int((placed == place).sum()) for place in (*range(1, players + 1), 0)),
                tuple(rate(placed == place) for place in range(1, players + 1)),
                rate(placed == 0),
                mean(outcomes.points[:, columns].ravel(), _walls(outcomes, columns)),
            )
        )
    return Block(outcomes.player, outcomes.against, tuple(rows))


def _four(placed: NDArray[np.int8], players: int) -> tuple[int, int, int, int]:
    """First, between, last and drawn hands."""
    first, last, drawn = (int((placed == place).sum()) for place in (1, players, 0))
    return first, placed.size - first - last - drawn, last, drawn


def _place_tests(block: Outcomes, base: Outcomes) -> Iterator[PlaceTest]:
    players = block.places.shape[1]
    for seat, columns in _seats(players):
        counts = _four(block.places[:, columns], players)
        expected = _four(base.places[:, columns], players)
        n = sum(expected)
        chances = (expected[0] / n, expected[1] / n, expected[2] / n, expected[3] / n)
        yield PlaceTest(
            block.player, block.against, base.player, seat, counts, chances, multinomial_test(counts, chances)
        )


def _signs(one: Outcomes, other: Outcomes) -> Iterator[SignRow]:
    """A draw is one rank, that of all seats alike: below a win, above a second place, as the papers order them."""
    rank = np.array([1, 0, *range(2, one.places.shape[1] + 1)])
    ahead = np.sign(rank[other.places] - rank[one.places])
    for seat, columns in _seats(one.places.shape[1]):
        plus, minus, null = (int((ahead[:, columns] == sign).sum()) for sign in (1, -1, 0))
        yield SignRow(one.against, seat, sign_test(plus, minus, null))


def _differences(one: Outcomes, other: Outcomes) -> Iterator[Difference]:
    for seat, columns in _seats(one.places.shape[1]):
        walls = _walls(one, columns)
        points = paired(one.points[:, columns].ravel(), other.points[:, columns].ravel(), walls)
        firsts = paired(one.places[:, columns].ravel() == 1, other.places[:, columns].ravel() == 1, walls)
        yield Difference(one.against, seat, points, firsts)


def score_figures(found: Comparison) -> dict[str, Figure]:
    """Return box plots of every hand's score by player and seat, as in figures 9 and 8 of the conference paper.

    ``"scores"`` holds the blocks between both players, ``"scores-others"`` those against others, where there are any.
    Raises `FigureError` where matplotlib is not there.
    """
    from janshi.arena.figures import box_plot

    parts = {"scores": [one for one in found.outcomes if one.against != found.others or one.against in found.players]}
    parts["scores-others"] = [one for one in found.outcomes if all(one is not other for other in parts["scores"])]
    figures = {}
    for name, outcomes in parts.items():
        groups = {
            f"{one.player} vs {one.points.shape[1] - 1} {one.against}, {seat}": one.points[:, wind]
            for one in outcomes
            for wind, seat in enumerate(WINDS[: one.points.shape[1]])
        }
        if groups:
            seats = [label.rsplit(", ", 1)[1] for label in groups]
            title = f"Scores of {found.walls:,} hands in each seat"
            figures[name] = box_plot(groups, title, families=seats)
    return figures
