"""Study by lookahead whether another action than the player's own is worth more places.

    python tools/study_lookahead.py advice GAMES
    python tools/study_lookahead.py search GAMES SEED OUT
    python tools/study_lookahead.py match WALLS SEED

Sanma by Tenhou's rules; `sl-int8` plays in all seats. Looked at are decisions in which no action has a probability of
0.9 or more. They compare the player's action with its second choice, or with riichi where riichi has 5 % or more. What
an action is worth is measured at the true table: `sl-int8` plays on with the same wall to the end of the hand, and the
placement model values what follows; ``search`` takes the luck of the draws out.

``advice``: the advice of the shipped outcome model, which multiplies the probabilities by exp(β · expected place).

``search``: riichi decisions. The hidden tiles are sampled 64 times, `sl-int8` plays three draws with each action, and
the luck model values the position less the luck of these draws. OUT receives one row a decision.

``match``: whole games of a player that decides so with 32 samples, while no other seat is in riichi, against two
`sl-int8`.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from janshi.agents import agent
from janshi.agents.policy import PolicyAgent
from janshi.arena import MatchConfig, play_match
from janshi.arena.places import final_ranks
from janshi.core.rows import join_rows, take_rows
from janshi.riichi.actions import Action
from janshi.riichi.luck.draws import BEFORE_DRAW, Draws, FollowedTables, describe_draws
from janshi.riichi.luck.endings import turned, values
from janshi.riichi.luck.model import LuckModel
from janshi.riichi.rules import TENHOU_SANMA
from janshi.riichi.state import Phase
from janshi.rollout.driver import Driver, Seating
from janshi.rollout.sampling import SamplingError
from janshi.statistics import mean
from janshi.table import DecisionBatch, Tables
from janshi.worth.outcomes import OutcomeModel
from janshi.worth.placement import PlacementModel
from janshi.worth.scales import scale

PLAYERS: Final = 3
POINTS: Final = scale("place").points(PLAYERS)
#: Decisions in which an action is likelier than that are skipped; least probability of the other action, and of riichi.
MOST, LEAST, LEAST_RIICHI = 0.9, 0.03, 0.05
#: Samples of the hidden tiles, and draws that are played.
SAMPLES, DRAWS = 64, 3
#: Samples of a decision in a match, and walls after which the result so far is printed.
SAMPLES_IN_MATCH, WALLS_TOGETHER = 32, 20
#: More draws than a hand has.
_ALL_DRAWS: Final = 200
#: By how many places lookahead overrates riichi, measured on other decisions.
BIAS: Final = 0.03
#: Decisions that are played on together.
_TOGETHER: Final = 768


@dataclass(frozen=True, slots=True)
class Choice:
    """A decision between the player's action and another one."""

    batch: DecisionBatch
    state: NDArray[Any]
    """The true table (1)."""
    own: int
    other: int
    logit: float
    """Logarithm of the other action's probability over that of the own."""


@dataclass
class Chooser:
    """Plays as `sl-int8` does and notes its choices."""

    player: PolicyAgent
    only_riichi: bool
    name: str = "chooser"
    tables: Tables | None = None
    noted: list[Choice] = field(default_factory=list)
    players: frozenset[int] = frozenset({PLAYERS})

    def act(self, batch: DecisionBatch) -> NDArray[np.int16]:
        """See `janshi.agents.protocol.Agent`."""
        policy = self.player.policy(batch)
        shares, best = policy.probabilities(), policy.best()
        for row in np.flatnonzero(shares.max(axis=1) < MOST).tolist():
            self._note(batch, row, shares[row], int(best[row]))
        return best

    def _note(self, batch: DecisionBatch, row: int, shares: NDArray[np.float64], own: int) -> None:
        drawn = int(np.asarray(batch.views)["drawn"][row])
        others = shares.copy()
        others[own] = -1
        # The tile just drawn and the same one from the hand are one option.
        if own == Action.TSUMOGIRI and drawn >= 0:
            others[drawn] = -1
        if own == drawn:
            others[Action.TSUMOGIRI] = -1
        other = int(others.argmax())
        if shares[Action.RIICHI] >= LEAST_RIICHI and own != Action.RIICHI:
            other = int(Action.RIICHI)
        if shares[other] < LEAST or (self.only_riichi and Action.RIICHI not in (own, other)):
            return
        assert self.tables is not None
        part = batch.part([row])
        state = take_rows(self.tables.states, part.tables)
        logit = float(np.log(shares[other] / shares[own]))
        self.noted.append(Choice(part.with_events() if self.only_riichi else part, state, own, other, logit))


def choices(games: int, seed: int, *, only_riichi: bool) -> list[Choice]:
    """Return the choices of `sl-int8` in games against itself."""
    chooser = Chooser(player(), only_riichi)
    chooser.tables = Tables(TENHOU_SANMA, games, seed, auto_reset=False)
    Driver(chooser.tables, Seating.same([chooser] * PLAYERS, games)).run()
    return chooser.noted


def player() -> PolicyAgent:
    """Return `sl-int8`."""
    found = agent("sl-int8")
    assert isinstance(found, PolicyAgent)
    return found


class Lookahead:
    """Values of actions in expected points of the place, by playing on from a table."""

    def __init__(self) -> None:
        self._player = player()
        self._luck = LuckModel(PLAYERS)
        self._placement = PlacementModel(TENHOU_SANMA)

    def played_out(self, states: NDArray[Any], actions: NDArray[Any], seats: NDArray[Any]) -> NDArray[np.float64]:
        """Return what the hands are worth to the seats when they are over (n)."""
        tables = _tables(states)
        tables.step(actions)
        Driver(tables, Seating.same([self._player] * PLAYERS, len(tables)), next_hands=False).run()
        return self._after_hands(tables, seats)

    def values(
        self, states: NDArray[Any], actions: NDArray[Any], seats: NDArray[Any], draws: int
    ) -> NDArray[np.float64]:
        """Return the luck model's value to the seats after so many draws, less the luck of these draws (n)."""
        endings, hand = self._ending_values(states)
        tables = _tables(states)
        reached: Any = np.asarray(tables.states)
        followed = FollowedTables(TENHOU_SANMA, reached[:1])
        followed.states = reached
        every = np.arange(len(states))
        worth = np.zeros(len(states))

        def value(rows: NDArray[np.int64], described: Draws, shares: NDArray[np.float32]) -> NDArray[np.float64]:
            ordered = np.take_along_axis(shares, turned(PLAYERS)[described.drawer], axis=1)
            found: NDArray[np.float64] = np.einsum("ne,ne->n", ordered, endings[hand[rows], :, seats[rows]])
            return found

        followed.act(every, actions.astype(np.int16))
        self._act(tables, followed, every)
        for _ in range(draws):
            going = followed.before_draw(every)
            if not len(going):
                break
            described = describe_draws(reached, PLAYERS, going)
            worth[going] -= value(going, described, self._luck.surprise(described))
            followed.draw(going)
            self._act(tables, followed, going)
        going = followed.before_draw(every)
        if len(going):
            described = describe_draws(reached, PLAYERS, going)
            worth[going] += value(going, described, self._luck.expected(described))
        over = np.flatnonzero(reached["phase"] >= Phase.HAND_OVER)
        if len(over):
            worth[over] += self._after_hands(_tables(take_rows(reached, over)), seats[over])
        return worth

    def _act(self, tables: Tables, followed: FollowedTables, rows: NDArray[np.int64]) -> None:
        """Let the player decide at some tables until each stands before a draw or is over."""
        states = np.asarray(tables.states)
        while True:
            rows = rows[(states["phase"][rows] < Phase.HAND_OVER) & (states["drawn"][rows] > BEFORE_DRAW)]
            if not len(rows):
                return
            followed.act(rows, self._player.act(tables.decisions(rows)))

    def _after_hands(self, tables: Tables, seats: NDArray[Any]) -> NDArray[np.float64]:
        tables.next_hand(np.flatnonzero(~tables.over))
        expected = self._placement.expected(tables.states, POINTS)
        own: NDArray[np.float64] = expected[np.arange(len(seats)), seats].astype(np.float64)
        return own

    def _ending_values(self, states: NDArray[Any]) -> tuple[NDArray[np.float32], NDArray[np.int64]]:
        """Return the values of the endings of every hand (hands, endings, players), and each table's hand (n)."""
        begun = take_rows(states, np.arange(len(states)))
        accepted = begun["seats"]["accepted"][:, :PLAYERS] > 0
        begun["seats"]["points"][:, :PLAYERS] += 1000 * accepted
        begun["deposits"] -= accepted.sum(axis=1).astype(np.int32)
        kinds = [begun[name] for name in ("kyoku", "honba", "deposits", "dealer")]
        keys = np.column_stack([begun["seats"]["points"][:, :PLAYERS], *kinds])
        _, first, hand = np.unique(keys, axis=0, return_index=True, return_inverse=True)
        return values(take_rows(begun, first), self._luck.changes, self._placement, POINTS), hand.reshape(-1)


def _tables(states: NDArray[Any]) -> Tables:
    tables = Tables(TENHOU_SANMA, len(states), auto_reset=False)
    np.asarray(tables.states)[:] = states
    return tables


def differences(found: list[Choice], look: Lookahead, *, luck: bool) -> NDArray[np.float64]:
    """Return how much more the other action is worth than the own one at the true tables, in places (n).

    ``luck``: the luck of the draws stays in the results.
    """
    parts = []
    for first in range(0, len(found), _TOGETHER):
        part = found[first : first + _TOGETHER]
        states = join_rows([choice.state for choice in part] * 2)
        actions = np.array([choice.own for choice in part] + [choice.other for choice in part], np.int16)
        seats = np.array([int(choice.batch.seats[0]) for choice in part] * 2)
        worth = look.played_out(states, actions, seats) if luck else look.values(states, actions, seats, _ALL_DRAWS)
        own, other = worth.reshape(2, -1)
        parts.append(other - own)
    return np.concatenate(parts)


def searched(choice: Choice, number: int, seed: int, look: Lookahead) -> float:
    """Return how much more the other action is worth by lookahead on sampled hidden tiles, in places."""
    sampling = choice.batch.game.facet("sampling")
    states = sampling.hidden(choice.batch).sample(SAMPLES, np.random.default_rng([seed, number])).states
    actions = np.repeat([choice.own, choice.other], SAMPLES)
    seats = np.full(2 * SAMPLES, int(choice.batch.seats[0]))
    own, other = look.values(join_rows([states, states]), actions, seats, DRAWS).reshape(2, SAMPLES)
    return float(other.mean() - own.mean())


@dataclass
class Searcher:
    """Plays as `sl-int8` does, but lookahead decides about riichi while no other seat is in riichi."""

    player: PolicyAgent
    look: Lookahead
    name: str = "riichi by lookahead"
    players: frozenset[int] = frozenset({PLAYERS})
    decided: int = 0
    changed: int = 0

    def act(self, batch: DecisionBatch) -> NDArray[np.int16]:
        """See `janshi.agents.protocol.Agent`."""
        policy = self.player.policy(batch)
        shares, best = policy.probabilities(), policy.best()
        every, riichi = np.arange(len(batch)), int(Action.RIICHI)
        without = shares.copy()
        without[:, riichi] = -1
        quiet = without.argmax(axis=1).astype(np.int16)
        views = np.asarray(batch.views)
        declared = views["seats"]["riichi"][:, :PLAYERS] > 0
        others = declared.sum(axis=1) - declared[every, batch.seats]
        likely = np.where(best == riichi, shares[every, quiet] >= LEAST, shares[:, riichi] >= LEAST_RIICHI)
        rows = np.flatnonzero(batch.legal[:, riichi] & (shares.max(axis=1) < MOST) & (others == 0) & likely)
        if len(rows):
            rows, gains = self._gains(batch, rows, quiet)
            chosen = np.where(gains > BIAS, np.int16(riichi), quiet[rows])
            self.decided += len(rows)
            self.changed += int((chosen != best[rows]).sum())
            best[rows] = chosen
        return best

    def _gains(
        self, batch: DecisionBatch, rows: NDArray[np.int64], quiet: NDArray[np.int16]
    ) -> tuple[NDArray[np.int64], NDArray[np.float64]]:
        """Return the rows that could be sampled, and how much more riichi is worth in each, in places."""
        part = batch.part(rows).with_events()
        sampling = part.game.facet("sampling")
        states, sampled = [], []
        for number in range(len(rows)):
            random = np.random.default_rng(int(part.random[number]))
            with suppress(SamplingError):
                states.append(sampling.hidden(part.part([number])).sample(SAMPLES_IN_MATCH, random).states)
                sampled.append(number)
        rows = rows[sampled]
        if not len(rows):
            return rows, np.zeros(0)
        seats = np.tile(np.repeat(batch.seats[rows].astype(np.int64), SAMPLES_IN_MATCH), 2)
        riichi = np.full(len(rows), Action.RIICHI, np.int16)
        actions = np.repeat(np.concatenate([quiet[rows], riichi]), SAMPLES_IN_MATCH)
        worth = self.look.values(join_rows(states * 2), actions, seats, DRAWS).reshape(2, len(rows), SAMPLES_IN_MATCH)
        return rows, (worth[1] - worth[0]).mean(axis=1)


def mean_text(numbers: NDArray[np.floating[Any]]) -> str:
    """Return a mean with its 95 % interval."""
    found = mean(numbers, np.arange(len(numbers)))
    return f"{found.value:+.4f} ± {(found.high - found.low) / 2:.4f}"


def kinds_of(found: list[Choice]) -> Iterator[tuple[str, NDArray[np.bool_]]]:
    """Return groups of choices by name."""
    actions = np.array([[choice.own, choice.other] for choice in found])
    views = np.concatenate([np.asarray(choice.batch.views) for choice in found])
    riichi = views["seats"]["riichi"][:, :PLAYERS] > 0
    own = riichi[np.arange(len(found)), views["seat"]]
    discards = (actions <= Action.TSUMOGIRI).all(axis=1)
    called = ((actions >= Action.CHII) & (actions <= Action.DAIMINKAN)).any(axis=1)
    yield "all", np.ones(len(found), np.bool_)
    yield "riichi or not", (actions == Action.RIICHI).any(axis=1)
    yield "call or pass", called & (actions == Action.PASS).any(axis=1)
    yield "discards against a riichi", discards & (riichi.sum(axis=1) > own)
    yield "last hand", views["kyoku"] >= 4 + PLAYERS - 1


def advice(games: int) -> None:
    """Print what the outcome model's advice is worth."""
    found = choices(games, 10**12, only_riichi=False)
    model, parts = OutcomeModel(TENHOU_SANMA), []
    for choice in found:
        worth = model.outcomes(choice.batch).placement(POINTS)[0]
        parts.append(worth[choice.other] - worth[choice.own])
    advised, logits = np.array(parts), np.array([choice.logit for choice in found])
    true = differences(found, Lookahead(), luck=True)
    print(
        f"{len(true):,} decisions of {games} games; standard deviation {true.std():.3f}, equal {np.mean(true == 0):.1%}"
    )
    for name, group in kinds_of(found):
        together = np.corrcoef(advised[group], true[group])[0, 1]
        print(f"{name}: {group.sum():,}, correlation with the advice {together:+.3f} ± {1.96 / group.sum() ** 0.5:.3f}")
        for beta in (3, 10, 30):
            changed = group & (logits + beta * advised > 0)
            print(f"  β {beta}: {changed.sum():,} changed, worth {mean_text(true[changed])} places each")


def search(games: int, seed: int, out: str) -> None:
    """Print what riichi decisions by lookahead are worth."""
    found = choices(games, 3 * 10**12 + 1000 * seed, only_riichi=True)
    look = Lookahead()
    true = differences(found, look, luck=False)
    estimated = np.array([searched(choice, number, seed, look) for number, choice in enumerate(found)])
    riichi = np.array([1 if choice.other == Action.RIICHI else -1 for choice in found])
    np.save(out, np.column_stack([riichi, estimated, true]))
    changed = np.where(riichi > 0, estimated > BIAS, estimated > -BIAS)
    print(f"{len(true):,} riichi decisions of {games} games, {changed.mean():.0%} changed")
    print(f"correlation {np.corrcoef(estimated, true)[0, 1]:+.3f} ± {1.96 / len(true) ** 0.5:.3f}")
    games_of = np.array([int(choice.batch.tables[0]) for choice in found])
    gain = mean(np.where(changed, true, 0), games_of)
    print(f"worth {gain.value:+.4f} ({gain.low:+.4f} to {gain.high:+.4f}) places a decision, interval by game")


def match(walls: int, seed: int) -> None:
    """Print the mean place of a player that searches, with and without the luck of the draws."""
    base = player()
    searcher = Searcher(base, Lookahead())
    places: list[NDArray[np.float64]] = []
    adjusted: list[NDArray[np.float64]] = []
    for first in range(0, walls, WALLS_TOGETHER):
        config = MatchConfig(first=first, luck=scale("place"))
        played = play_match(
            [searcher, base, base], TENHOU_SANMA, min(WALLS_TOGETHER, walls - first), seed, config=config
        )
        assert played.luck is not None
        own = np.arange(len(played.final)), played.game_rotation.astype(np.int64) % PLAYERS
        place = final_ranks(played.final)[own].astype(np.float64)
        places.append(place.reshape(-1, PLAYERS).mean(axis=1))
        adjusted.append((place + played.luck[own]).reshape(-1, PLAYERS).mean(axis=1))
        plain, less = np.concatenate(places) - 2, np.concatenate(adjusted) - 2
        print(
            f"{PLAYERS * len(plain):,} games: place 2 {mean_text(plain)}, without luck 2 {mean_text(less)}; "
            f"{searcher.changed:,} of {searcher.decided:,} decisions changed",
            flush=True,
        )


def main() -> None:
    """Study what the arguments say."""
    match sys.argv[1:]:
        case ["advice", games]:
            advice(int(games))
        case ["search", games, seed, out]:
            search(int(games), int(seed), out)
        case ["match", walls, seed]:
            match(int(walls), int(seed))
        case _:
            sys.exit(__doc__)


if __name__ == "__main__":
    main()
