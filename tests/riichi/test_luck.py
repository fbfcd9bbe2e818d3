"""The luck of games: descriptions of draws, and expectation 0 of the sum for any model."""

from __future__ import annotations

import dataclasses
from functools import lru_cache
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from janshi.agents import Agent, RandomAgent
from janshi.arena import MatchConfig, play_match
from janshi.arena.luck import LuckError, luck_model, luck_of
from janshi.riichi.agents import EfficientAgent
from janshi.riichi.luck import measuring
from janshi.riichi.luck.draws import FollowedTables, describe_draws, widths
from janshi.riichi.luck.endings import endings_of, number_of_endings, turned, values
from janshi.riichi.luck.measuring import DrawLuckMeter
from janshi.riichi.luck.model import LuckModel
from janshi.riichi.luck.ura import may_win, ura_luck, wins_by_riichi
from janshi.riichi.play.wall import dora_slot
from janshi.riichi.rules import preset
from janshi.riichi.state import DiscardFlag, MeldForm
from janshi.rollout.driver import Driver, Observer, Seating
from janshi.table import Tables
from janshi.tiles import NORTH, kind_of
from janshi.worth.placement import PlacementModel
from janshi.worth.scales import scale

RULES = ["tenhou-sanma", "tenhou"]
PLACE = scale("place")


def random_weights(path: Path, players: int, seed: int, size: float = 1.0) -> Path:
    """Return an untrained model with random weights."""
    random = np.random.default_rng(seed)
    common, kind = widths(players)
    endings = number_of_endings(players)
    shapes = {
        "common": (common, 8), "common bias": (8,), "shared": (8, 8), "kind": (kind, 8), "bias": (8,),
        "ending": (8, endings), "direct": (8, endings), "ending bias": (endings,),
    }  # fmt: skip
    weights = {name: size * random.normal(0, 0.5, shape).astype(np.float16) for name, shape in shapes.items()}
    weights["common"] /= 8
    changes = (100 * random.integers(-80, 80, (endings, players))).astype(np.int32)
    with path.open("wb") as file:
        np.savez(file, **{"changes": changes, **weights})  # type: ignore[arg-type]
    return path


@lru_cache(maxsize=2)
def stopped(rules: str) -> tuple[FollowedTables, NDArray[np.int64]]:
    """Return tables during hands, each before a draw."""
    tables = Tables(rules, 48, np.arange(48), auto_reset=False)
    every = np.arange(48)
    followed = FollowedTables(tables.rules, tables.states)
    followed.deal(every, tables.states)
    for _ in range(40):
        while len(before := followed.before_draw(every)) == len(every):
            followed.draw(before)
        going = np.flatnonzero(followed.states["actor"] >= 0)
        going = np.setdiff1d(going, before)
        legal = followed.states["legal"][going, 0]
        # Tsumogiri or pass if legal, else the first legal action.
        first = np.array([int(word) & -int(word) for word in legal])
        actions = np.array([int(bit).bit_length() - 1 for bit in first], np.int16)
        followed.act(going, actions)
    return followed, followed.before_draw(every)


class _Compared(Observer):
    """Checks that the followed tables equal the tables."""

    def __init__(self, tables: Tables, meter: DrawLuckMeter) -> None:
        self.tables, self.meter = tables, meter
        self.compared = 0

    def stepped(self, tables: NDArray[np.int64]) -> None:
        states: Any = self.tables.states
        mine, theirs = self.meter._followed.states[tables], states[tables]
        for name in ("actor", "phase", "drawn", "left", "turn", "tile", "legal", "logged", "log"):
            np.testing.assert_array_equal(mine[name], theirs[name])
        np.testing.assert_array_equal(mine["seats"]["points"], theirs["seats"]["points"])
        self.compared += len(tables)


@pytest.mark.parametrize("rules", RULES)
def test_followed_tables_equal_the_tables(rules: str, tmp_path: Path) -> None:
    tables = Tables(rules, 16, np.arange(16), auto_reset=False)
    players = tables.rules.players
    model = LuckModel(players, random_weights(tmp_path / "w.npz", players, 1))
    meter = DrawLuckMeter(tables, PLACE.points(players), model)
    compared = _Compared(tables, meter)
    Driver(tables, Seating.same([RandomAgent()] * players, 16), [meter, compared]).run()
    assert compared.compared > 1000
    assert np.isfinite(meter.luck).all()


@pytest.mark.parametrize("rules", RULES)
def test_a_draw_is_described_without_the_order_of_the_wall(rules: str) -> None:
    """Shuffling the remaining tiles, including ura-dora, does not change the description of a draw."""
    followed, before = stopped(rules)
    found = describe_draws(followed.states, followed.players, before)
    assert len(before) > 10
    other: Any = followed.states.copy()
    random = np.random.default_rng(3)
    for table in before:
        state = other[table]
        shown = {dora_slot(followed.players, number) for number in range(int(state["shown"]))}
        free = [s for s in range(int(state["next"]) + 1) if s ^ 1 >= int(state["replaced"]) and s not in shown]
        state["wall"][free] = state["wall"][random.permutation(free)]
    again = describe_draws(other, followed.players, before)
    np.testing.assert_array_equal(again.common, found.common)
    np.testing.assert_array_equal(again.kinds, found.kinds)
    assert (again.drawn != found.drawn).any()


@pytest.mark.parametrize("rules", RULES)
def test_remaining_tiles_are_the_undrawn_ones(rules: str) -> None:
    followed, before = stopped(rules)
    draws = describe_draws(followed.states, followed.players, before)
    for row, table in enumerate(before):
        state = followed.states[table]
        counts = np.bincount([kind_of(int(tile)) for tile in state["wall"][: int(state["wall_size"])]], minlength=34)
        counts -= state["hands"]["counts"][: followed.players].sum(axis=0)
        for seat in state["seats"][: followed.players]:
            counts[NORTH] -= seat["kitas"]
            for tile, marks in zip(seat["river"][: seat["discards"]], seat["marks"], strict=False):
                counts[kind_of(int(tile))] -= not marks & DiscardFlag.CALLED
            for meld in seat["melds"][: seat["calls"]]:
                run = meld["form"] == MeldForm.CHII
                copies = 1 if run else 3 if meld["form"] == MeldForm.PON else 4
                counts[meld["kind"] : meld["kind"] + (3 if run else 1)] -= copies
        for indicator in state["indicators"][: int(state["shown"])]:
            counts[kind_of(int(indicator))] -= 1
        np.testing.assert_array_equal(draws.kinds[row, :, 0], counts)


@pytest.mark.parametrize("rules", RULES)
def test_the_mean_over_all_possible_draws_is_zero(rules: str, tmp_path: Path) -> None:
    followed, before = stopped(rules)
    players = followed.players
    model = LuckModel(players, random_weights(tmp_path / "w.npz", players, 7))
    draws = describe_draws(followed.states, players, before)
    total = np.zeros((len(before), number_of_endings(players)))
    largest = 0.0
    for kind in range(34):
        left = draws.kinds[:, kind, 0]
        rows = np.flatnonzero(left)
        came = type(draws)(draws.common[rows], draws.kinds[rows], np.full(len(rows), kind), draws.drawer[rows])
        found = model.surprise(came)
        largest = max(largest, float(np.abs(found).max(initial=0)))
        total[rows] += left[rows, None] * found
    assert largest > 0.01
    np.testing.assert_allclose(total / draws.kinds[:, :, 0].sum(axis=1)[:, None], 0, atol=1e-6)


@lru_cache(maxsize=2)
def before_wins(rules: str) -> tuple[Any, NDArray[np.int16]]:
    """Tables before actions by which a seat in riichi wins, and the actions."""
    tables = Tables(rules, 64, np.arange(64), auto_reset=False)
    found = BeforeWins(tables)
    Driver(tables, Seating.same([EfficientAgent()] * tables.rules.players, 64), [found], next_hands=False).run()
    return np.concatenate(found.states), np.concatenate(found.actions)


class BeforeWins(measuring.DrawsObserver):
    """Keeps tables before actions by which a seat in riichi wins."""

    def __init__(self, tables: Tables) -> None:
        super().__init__(tables)
        self.states: list[Any] = []
        self.actions: list[NDArray[np.int16]] = []

    def stepped(self, tables: NDArray[np.int64]) -> None:
        before = self._followed.states[tables]
        super().stepped(tables)
        actions = self._actions[tables]
        kept = may_win(actions) & wins_by_riichi(self._followed.states[tables])
        self.states.append(before[kept])
        self.actions.append(actions[kept])


@pytest.mark.parametrize("rules", RULES)
def test_the_mean_over_all_ura_indicators_is_nothing(rules: str) -> None:
    states, actions = before_wins(rules)
    players = preset(rules).players
    model, ura = PlacementModel(preset(rules)), dora_slot(players, 0) - 1
    assert len(states) > 5
    total, largest = np.zeros((len(states), players)), 0.0
    # The first ura indicator changes places with each tile that nobody has seen.
    for row, state in enumerate(states):
        shown = {dora_slot(players, number) for number in range(int(state["shown"]))}
        shown |= {slot - 1 for slot in shown} - {ura}
        free = [s for s in range(int(state["next"]) + 1) if s ^ 1 >= int(state["replaced"]) and s not in shown]
        exchanged = np.repeat(states[row : row + 1], len(free))
        for other, slot in zip(exchanged, free, strict=True):
            other["wall"][[ura, slot]] = other["wall"][[slot, ura]]
        luck = ura_luck(exchanged, np.repeat(actions[row], len(free)), model, PLACE.points(players))
        total[row], largest = luck.sum(axis=0), max(largest, float(np.abs(luck).max()))
    assert largest > 0.05
    np.testing.assert_allclose(total, 0, atol=1e-4)


def test_ura_dora_are_luck_of_the_winner() -> None:
    states, actions = before_wins("tenhou")
    luck = ura_luck(states, actions, PlacementModel(preset("tenhou")), PLACE.points(4))
    followed = FollowedTables(preset("tenhou"), states)
    followed.act(np.arange(len(states)), actions)
    wins = followed.states["wins"][:, 0]
    of_winner = luck[np.arange(len(states)), wins["seat"]]
    more = wins["value"]["ura"] > 0
    assert of_winner[more].mean() > of_winner[~more].mean()


@pytest.mark.parametrize("rules", RULES)
def test_a_constant_model_finds_no_luck(rules: str, tmp_path: Path) -> None:
    tables = Tables(dataclasses.replace(preset(rules), ura_dora=False), 4, np.arange(4), auto_reset=False)
    players = tables.rules.players
    model = LuckModel(players, random_weights(tmp_path / "w.npz", players, 1, size=0))
    meter = DrawLuckMeter(tables, PLACE.points(players), model)
    Driver(tables, Seating.same([EfficientAgent()] * players, 4), [meter]).run()
    np.testing.assert_allclose(meter.luck, 0, atol=1e-4)


@pytest.mark.parametrize("players", [3, 4])
def test_endings_turn_with_the_seats(players: int) -> None:
    numbers = turned(players)
    np.testing.assert_array_equal(numbers[0], np.arange(number_of_endings(players)))
    for seat in range(players):
        assert len(np.unique(numbers[seat])) == number_of_endings(players)
        np.testing.assert_array_equal(numbers[-seat % players][numbers[seat]], numbers[0])


@pytest.mark.parametrize("rules", RULES)
def test_values_of_endings_follow_the_rules(rules: str) -> None:
    """In the last hand: if the winner leads, the game is over and the places are exact."""
    tables = Tables(rules, 2)
    players = tables.rules.players
    states: Any = tables.states
    states["kyoku"], states["dealer"] = 4 + players - 1, players - 1
    states["honba"], states["deposits"] = 0, 0
    states["seats"]["points"][:, :players] = tables.rules.start
    changes = np.zeros((number_of_endings(players), players))
    # The dealer's left neighbour wins by self-draw from all: seats count from the dealer.
    winner = 1
    number = int(turned(players)[players - 1].tolist().index((winner * players + winner) * 4 + 3))
    changes[(winner * players + winner) * 4 + 3] = -8000
    changes[(winner * players + winner) * 4 + 3, winner] = 8000 * (players - 1)
    found = values(states, changes, PlacementModel(tables.rules), PLACE.points(players))
    seat = (players - 1 + winner) % players
    assert found[0, number, seat] == -1
    assert found[0, number].sum() == -players * (players + 1) / 2


def test_endings_are_read_from_tables() -> None:
    tables = Tables("tenhou-sanma", 64, np.arange(64), auto_reset=False)
    Driver(tables, Seating.same([EfficientAgent()] * 3, 64), next_hands=False).run()
    states: Any = tables.states
    found = endings_of(states, 3)
    assert 0 < np.count_nonzero(states["winners"]) < 64
    for state, ending in zip(states, found.tolist(), strict=True):
        if state["winners"]:
            pair, value = divmod(ending, 4)
            assert divmod(pair, 3) == (state["wins"][0]["seat"], state["wins"][0]["discarder"])
            assert value == np.digitize(state["wins"][0]["points"], (3500, 7000, 11000))
        else:
            assert ending >= 36


def test_luck_does_not_depend_on_the_number_of_tables() -> None:
    seated: list[Agent] = [EfficientAgent(), RandomAgent(), RandomAgent()]
    rules = preset("tenhou-sanma-east")
    found = [play_match(seated, rules, 4, 3, config=MatchConfig(luck=PLACE, tables=tables)) for tables in (3, 1536)]
    one, other = (match.luck for match in found)
    assert one is not None
    assert other is not None
    np.testing.assert_allclose(one, other, atol=1e-4)


def test_rules_without_a_model_are_named() -> None:
    assert luck_model(preset("tenhou-sanma")) == luck_of(preset("tenhou-sanma")).model(preset("tenhou-sanma"))
    rules = Tables("sichuan-hand", 1).rules
    assert luck_model(rules) is None
    with pytest.raises(LuckError, match="sichuan"):
        luck_of(rules)
    with pytest.raises(LuckError, match="holds no weights"):
        LuckModel(3, Path(__file__))


def small_games(seed: int, players: int, tmp_path: Path, games: int) -> tuple[NDArray[Any], NDArray[Any]]:
    """Return luck and places of games between different players, by a model with random weights."""
    rules = preset("tenhou-sanma-hand" if players == 3 else "tenhou-hand")
    model = LuckModel(players, random_weights(tmp_path / f"{seed}.npz", players, seed, size=2))
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(measuring, "_shipped_model", lambda players: model)
        seated: list[Agent] = [EfficientAgent(), *[RandomAgent()] * (players - 1)]
        match = play_match(seated, rules, games, seed, config=MatchConfig(luck=PLACE, rotations=1))
    assert match.luck is not None
    return match.luck, match.results.places


def assert_unbiased(luck: NDArray[Any], most: float) -> None:
    deviation = luck.std(axis=0, ddof=1) / len(luck) ** 0.5
    assert (deviation > 0).all()
    assert (np.abs(luck.mean(axis=0) / deviation) < most).all()


def test_luck_is_unbiased_with_random_weights(tmp_path: Path) -> None:
    luck, _ = small_games(1, 3, tmp_path, 400)
    assert_unbiased(luck, 3.5)


@pytest.mark.long
@pytest.mark.parametrize("seed", range(20))
def test_luck_is_unbiased_for_any_model(seed: int, tmp_path: Path) -> None:
    """A thousand small games for each of twenty models; |z| of 70 means stays below 4."""
    luck, _ = small_games(seed, 3 + seed % 2, tmp_path, 1000)
    assert_unbiased(luck, 4.0)
