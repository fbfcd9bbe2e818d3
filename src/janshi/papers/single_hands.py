"""Comparisons of two players over single hands: the measures of the `meowjong` papers, and paired differences.

Whole games are compared by `janshi.arena.compare`. Both players are put in every seat on the same walls. The blocks are
tables VIII and X of the conference paper, the multinomial tests its tables IX and XI, the sign test the dissertation's
table 4.6. Those tests take a baseline's rates as known and count three seats of one wall as three results; the paired
differences do neither, and their intervals are the ones to trust where the two disagree.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import asdict, dataclass, replace
from functools import partial
from typing import TYPE_CHECKING, Any, Final, Protocol, runtime_checkable

import numpy as np
from numpy.typing import NDArray

from janshi.agents.protocol import Agent, AgentError, check_agent
from janshi.arena.contests import Contest, Pairing
from janshi.arena.matches import TABLES, Match, MatchConfig, check_match, is_single_hand, places
from janshi.arena.significance import SignTest, Tail, multinomial_test, paired, sign_test
from janshi.arena.style import WINDS
from janshi.core.places import final_ranks
from janshi.files import finite
from janshi.statistics import Estimate, mean, rate

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
    """The two or three opponents."""
    rows: tuple[SeatRow, ...]


@dataclass(frozen=True, slots=True)
class PlaceTest:
    """The multinomial test of a block's counts, with the rates of another block as the baseline's."""

    player: str
    against: str
    baseline: str
    """Player whose rates among itself are the probabilities of the test."""
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
class HandDifference:
    """First player minus second, against the same others on the same walls in the same seat; intervals by wall."""

    against: str
    seat: str
    points: Estimate
    first: Estimate
    """Difference of the rates of first places."""


@dataclass(frozen=True, slots=True)
class BlockOutcomes:
    """Results of one player on every wall in every seat; arrays (walls, players), column = seat's wind."""

    player: str
    against: str
    places: NDArray[np.int8]
    """1, 2, 3 …; 0 for a draw. Equal points share the better place."""
    by_seat: NDArray[np.int8]
    """The same; equal points rank in the order of the seats from the dealer."""
    points: NDArray[np.int32]
    """Change of points."""
    impossible: NDArray[np.bool_]
    """Walls on which a player chose an illegal action in any seat (walls): see `Fallible`."""


@dataclass(frozen=True, slots=True)
class HandComparison:
    """The whole comparison; ``walls``: the number played in every seat."""

    players: tuple[str, str]
    others: str | None
    rules: str
    seed: int
    walls: int
    blocks: tuple[Block, ...] = ()
    tests: tuple[PlaceTest, ...] = ()
    signs: tuple[SignRow, ...] = ()
    differences: tuple[HandDifference, ...] = ()
    outcomes: tuple[BlockOutcomes, ...] = ()
    """Of every block, in their order."""

    def as_json(self) -> dict[str, Any]:
        """Return all but the outcomes as plain data for ``json.dumps``; numbers that are not finite are None."""
        content = asdict(replace(self, outcomes=()))
        del content["outcomes"]
        cleaned: dict[str, Any] = finite(content)
        return cleaned


@runtime_checkable
class Fallible(Protocol):
    """An agent whose network can choose an impossible action; it then takes its best possible one."""

    impossible_at: set[int]
    """Tables of such choices, by their numbers in `janshi.table.DecisionBatch.tables`."""


#: Arrays of `BlockOutcomes`, with a row for each wall.
_ROWS: Final = ("places", "by_seat", "points", "impossible")


def compare_hands(
    a: Agent,
    b: Agent,
    rules: Any,
    walls: int,
    seed: int = 0,
    others: Agent | None = None,
    *,
    each_other: bool = True,
    progress: Callable[[int, int], None] | None = None,
) -> HandComparison:
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
        each_other: False to play only hands with ``others``.
        progress: called with the numbers of finished hands and of all hands.

    Raises `AgentError` for rules of whole games, for no walls, and if there are no pairings.

    >>> from janshi.riichi.agents import EfficientAgent
    >>> from janshi.agents import RandomAgent
    >>> from janshi.riichi.rules import preset
    >>> comparison = compare_hands(EfficientAgent(), RandomAgent(), preset("tenhou-sanma-hand"), walls=4)
    >>> [(block.player, block.against, block.rows[-1].hands) for block in comparison.blocks]
    [('random', 'random', 12), ('efficient', 'random', 12), ('random', 'efficient', 12)]
    """
    _check(a, b, others, rules, walls, each_other)
    agents = [a, b] if others is None else [a, b, others]
    # The same agent object has the number of its first appearance.
    numbers = [next(number for number, other in enumerate(agents) if other is agent) for agent in agents]
    wanted = [(1, 1), (0, 1), (1, 0)] if each_other else []
    wanted += [] if others is None else [(2, 2), (0, 2), (1, 2)]
    pairings = list(dict.fromkeys((numbers[player], numbers[against]) for player, against in wanted))
    contest = Contest.of(agents, numbers, rules, seed)
    names = contest.names
    outcomes = _play(contest, pairings, walls, progress)
    setting = HandComparison(
        players=(names[0], names[1]),
        others=None if others is None else names[2],
        rules=rules.name,
        seed=seed,
        walls=walls,
    )
    return _comparison(outcomes, setting)


def _check(a: Agent, b: Agent, others: Agent | None, rules: Any, walls: int, each_other: bool) -> None:
    """Raise `AgentError` if nothing can be compared."""
    if others is None and not each_other:
        raise AgentError("two players that do not meet each other need others to meet")
    if not is_single_hand(rules):
        raise AgentError(f"rules {rules.name!r} are of whole games: players are compared over single hands")
    check_match([a] + [b] * (rules.players - 1), rules, walls)
    if others is not None:
        check_agent(others, rules)


def _play(
    contest: Contest, pairings: list[Pairing], walls: int, progress: Callable[[int, int], None] | None
) -> list[BlockOutcomes]:
    """Play all pairings, some walls at a time. Raises `KeyboardInterrupt` if interrupted."""
    players = contest.rules.players
    hands = [1 if player == against else players for player, against in pairings]
    total, over = walls * sum(hands), 0
    parts: list[list[BlockOutcomes]] = []
    chunk = max(1, TABLES // players)
    for start in range(0, walls, chunk):
        count = min(chunk, walls - start)
        played = []
        for pairing, rotations in zip(pairings, hands, strict=True):
            call = None if progress is None else partial(_report, progress, over, total)
            config = MatchConfig(first=start, rotations=rotations, tables=TABLES)
            played.append(_play_pairing(contest, pairing, count, config, call))
            over += count * rotations
        parts.append(played)
    return _joined(parts)


def _play_pairing(
    contest: Contest, pairing: Pairing, count: int, config: MatchConfig, progress: Callable[[int], None] | None
) -> BlockOutcomes:
    """Play some walls of a pairing; of the same agent one rotation suffices."""
    fallible = [agent for agent in (contest.agents[number] for number in pairing) if isinstance(agent, Fallible)]
    for agent in fallible:
        agent.impossible_at.clear()
    match = contest.play(pairing, count, config, progress)
    impossible, turns = np.zeros(count, np.bool_), len(match.hands.wall) // count
    for agent in fallible:
        # All these walls are at tables side by side, each in all its rotations.
        impossible[[table // turns for table in sorted(agent.impossible_at)]] = True
    player, against = (contest.names[number] for number in pairing)
    return BlockOutcomes(player, against, *_by_wind(match, pairing[0] == pairing[1]), impossible)


def _report(progress: Callable[[int, int], None], before: int, total: int, over: int) -> None:
    progress(before + over, total)


def _joined(parts: list[list[BlockOutcomes]]) -> list[BlockOutcomes]:
    """Put the parts of every pairing together."""
    return [
        replace(played[0], **{name: np.concatenate([getattr(part, name) for part in played]) for name in _ROWS})
        for played in zip(*parts, strict=True)
    ]


def _by_wind(match: Match, mirror: bool) -> tuple[NDArray[np.int8], NDArray[np.int8], NDArray[np.int32]]:
    """Return places, places without ties, and points by wall and wind: of the first agent, or of every seat."""
    hands = match.hands
    players = match.rules.players
    placed = places(hands)
    walls = hands.wall - hands.wall[0]
    dealer = hands.dealer.astype(np.int64)
    rows = np.arange(len(walls))
    from_dealer = (np.arange(players) + dealer[:, None]) % players
    unshared = np.where(hands.drawn[:, None], np.int8(0), final_ranks(hands.change[rows[:, None], from_dealer]))
    shape = match.walls, players
    shared, by_seat, points = np.zeros(shape, np.int8), np.zeros(shape, np.int8), np.zeros(shape, np.int32)
    for seat in range(players) if mirror else (hands.rotation.astype(np.int64),):
        wind = (seat - dealer) % players
        shared[walls, wind] = placed[rows, seat]
        by_seat[walls, wind] = unshared[rows, wind]
        points[walls, wind] = hands.change[rows, seat]
    return shared, by_seat, points


def as_in_papers(comparison: HandComparison) -> HandComparison:
    """Return a comparison as the papers count it: no place is shared, and impossible choices take walls out.

    Equal points rank in the order of the seats from the dealer. A wall on which a player of a block chose something
    impossible does not count in it; paired counts leave out those of either block. ``walls`` does not change.

    >>> from janshi.riichi.agents import EfficientAgent
    >>> from janshi.agents import RandomAgent
    >>> from janshi.riichi.rules import preset
    >>> comparison = compare_hands(EfficientAgent(), RandomAgent(), preset("tenhou-sanma-hand"), walls=4)
    >>> firsts, seconds, thirds, _ = as_in_papers(comparison).blocks[0].rows[-1].counts  # random among itself
    >>> firsts == seconds == thirds
    True
    """
    unshared = [replace(block, places=block.by_seat) for block in comparison.outcomes]
    return _comparison(unshared, comparison, drop=True)


def _comparison(outcomes: list[BlockOutcomes], of: HandComparison, *, drop: bool = False) -> HandComparison:
    """Compute a comparison from outcomes. ``of``: its setting; ``drop``: see `as_in_papers`."""
    played = {(block.player, block.against): block for block in outcomes}
    kept = {pair: _kept(block, ~block.impossible) if drop else block for pair, block in played.items()}
    (first, second), rest = of.players, [] if of.others is None else [of.others]
    each_other = (second, second) in played
    tested = [((first, second), (second, second)), ((second, first), (second, second))] if each_other else []
    tested += [((player, other), (other, other)) for other in rest for player in (first, second)]
    # A block is not tested against itself.
    tested = [pair for pair in dict.fromkeys(tested) if pair[0] != pair[1]]
    opponents = [] if first == second else dict.fromkeys([second, *rest] if each_other else rest)
    against = [_pair(played[first, other], played[second, other], drop) for other in opponents]
    return replace(
        of,
        blocks=tuple(_block(block) for block in kept.values()),
        tests=tuple(row for block, base in tested for row in _place_tests(kept[block], kept[base])),
        signs=tuple(row for mine, theirs in against for row in _signs(mine, theirs)),
        differences=tuple(row for mine, theirs in against for row in _differences(mine, theirs)),
        outcomes=tuple(outcomes),
    )


def _kept(outcomes: BlockOutcomes, walls: NDArray[np.bool_]) -> BlockOutcomes:
    return replace(outcomes, **{name: getattr(outcomes, name)[walls] for name in _ROWS})


def _pair(mine: BlockOutcomes, theirs: BlockOutcomes, drop: bool) -> tuple[BlockOutcomes, BlockOutcomes]:
    """Two blocks on the same walls; with ``drop`` those on which neither chose anything impossible."""
    walls = ~(mine.impossible | theirs.impossible) if drop else np.ones(len(mine.places), np.bool_)
    return _kept(mine, walls), _kept(theirs, walls)


def _seats(players: int) -> Iterator[tuple[str, list[int]]]:
    """Names of the seats and their columns; all of them last."""
    for wind in range(players):
        yield WINDS[wind], [wind]
    yield TOTAL, list(range(players))


def _walls(outcomes: BlockOutcomes, columns: list[int]) -> NDArray[np.int64]:
    return np.repeat(np.arange(len(outcomes.places)), len(columns))


def _block(outcomes: BlockOutcomes) -> Block:
    players = outcomes.places.shape[1]
    rows = []
    for seat, columns in _seats(players):
        placed = outcomes.places[:, columns].ravel()
        rows.append(
            SeatRow(
                seat=seat,
                hands=len(placed),
                counts=tuple(int((placed == place).sum()) for place in (*range(1, players + 1), 0)),
                places=tuple(rate(placed == place) for place in range(1, players + 1)),
                draw=rate(placed == 0),
                points=mean(outcomes.points[:, columns].ravel(), _walls(outcomes, columns)),
            )
        )
    return Block(outcomes.player, outcomes.against, tuple(rows))


def _four(placed: NDArray[np.int8], players: int) -> tuple[int, int, int, int]:
    """First, between, last and drawn hands."""
    first, last, drawn = (int((placed == place).sum()) for place in (1, players, 0))
    return first, placed.size - first - last - drawn, last, drawn


def _place_tests(block: BlockOutcomes, base: BlockOutcomes) -> Iterator[PlaceTest]:
    players = block.places.shape[1]
    for seat, columns in _seats(players):
        counts = _four(block.places[:, columns], players)
        expected = _four(base.places[:, columns], players)
        n = sum(expected)
        if n == 0:
            return  # no wall of the baseline counts
        chances = (expected[0] / n, expected[1] / n, expected[2] / n, expected[3] / n)
        yield PlaceTest(
            block.player, block.against, base.player, seat, counts, chances, multinomial_test(counts, chances)
        )


def _signs(mine: BlockOutcomes, theirs: BlockOutcomes) -> Iterator[SignRow]:
    """A draw is one rank, that of all seats alike: below a win, above a second place, as the papers order them."""
    rank = np.array([1, 0, *range(2, mine.places.shape[1] + 1)])
    ahead = np.sign(rank[theirs.places] - rank[mine.places])
    for seat, columns in _seats(mine.places.shape[1]):
        plus, minus, null = (int((ahead[:, columns] == sign).sum()) for sign in (1, -1, 0))
        yield SignRow(mine.against, seat, sign_test(plus, minus, null))


def _differences(mine: BlockOutcomes, theirs: BlockOutcomes) -> Iterator[HandDifference]:
    for seat, columns in _seats(mine.places.shape[1]):
        walls = _walls(mine, columns)
        points = paired(mine.points[:, columns].ravel(), theirs.points[:, columns].ravel(), walls)
        firsts = paired(mine.places[:, columns].ravel() == 1, theirs.places[:, columns].ravel() == 1, walls)
        yield HandDifference(mine.against, seat, points, firsts)


def score_figures(comparison: HandComparison) -> dict[str, Figure]:
    """Return box plots of every hand's score by player and seat, as in figures 9 and 8 of the conference paper.

    ``"scores"`` holds the blocks between both players, ``"scores-others"`` those against others, where there are any.
    Raises `FigureError` if matplotlib is not there.
    """
    from janshi.arena.figures import box_plot

    between = [
        block
        for block in comparison.outcomes
        if block.against != comparison.others or block.against in comparison.players
    ]
    parts = {"scores": between}
    parts["scores-others"] = [block for block in comparison.outcomes if all(block is not other for other in between)]
    figures = {}
    for name, outcomes in parts.items():
        groups = {
            f"{block.player} vs {block.points.shape[1] - 1} {block.against}, {seat}": block.points[:, wind]
            for block in outcomes
            for wind, seat in enumerate(WINDS[: block.points.shape[1]])
        }
        if groups:
            seats = [label.rsplit(", ", 1)[1] for label in groups]
            title = f"Scores of {comparison.walls:,} hands in each seat"
            figures[name] = box_plot(groups, title, families=seats)
    return figures
