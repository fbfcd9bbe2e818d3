"""Samples fit the visible information, have the stated distribution, and depend only on the key."""

from __future__ import annotations

import itertools
from collections import Counter
from collections.abc import Iterator
from math import comb, prod
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from janshi.agents import agent
from janshi.compiling import Batch, copy_record, entry, row, zeros
from janshi.core.random import RandomNumbers
from janshi.core.shanten_tables import ShantenTables, shanten_tables
from janshi.games import game_of
from janshi.records import read_games
from janshi.records.positions import Position
from janshi.riichi.agents import EfficientAgent
from janshi.riichi.positions import hands_of_game
from janshi.riichi.sampling.hidden import HiddenTiles
from janshi.riichi.sampling.progress import (
    CELLS,
    CLASSES,
    WAITS,
    Shares,
    hand_classes,
    people,
    progress_cells,
    wait_classes,
    write_shares,
)
from janshi.riichi.sampling.tenpai import (
    HandsOfSize,
    TenpaiHands,
    count_of_size,
    count_tenpai_hands,
    draw_tenpai_hand,
)
from janshi.riichi.state import Hand
from janshi.rollout.sampling import Belief
from janshi.sample import SAMPLE
from janshi.table import Table, Tables
from janshi.tiles import kind_of, parse_tiles
from tests.claims import cases_of
from tests.rollout.checking import check, waits_of

RECORDS = Path(__file__).parents[3] / "shared" / "records"


def positions(path: Path, games: int, step: int) -> Iterator[tuple[Any, Position]]:
    """Yield positions of some games at intervals, with their rules."""
    for game in itertools.islice(read_games([path], game="riichi"), games):
        for hand in hands_of_game(game)[0]:
            for position in hand.positions[::step]:
                yield hand.rules, position


def check_samples(rules: Any, position: Position, states: Any) -> None:
    """Raise if a sample contradicts the information of a position."""
    events = np.asarray(position.batch.events)[0]
    log = events["rows"].reshape(-1, 4)[: int(events["count"])].astype(np.int64)
    hand = np.asarray(position.batch.views)["hand"][0]
    own = np.concatenate([hand["counts"], hand["reds"]]).astype(np.int64)
    own[[4, 13, 22]] -= hand["reds"]
    check(states, log, position.seat, np.asarray(game_of(rules).wall(rules)), own)
    assert (states["logged"] == len(log)).all()


def test_samples_of_a_record_fit_the_visible_information():
    random = np.random.default_rng(1)
    for rules, position in positions(SAMPLE, 1, 60):
        check_samples(rules, position, HiddenTiles(position.batch).sample(4, random).states)


@pytest.mark.long
@pytest.mark.parametrize(
    ("archive", "games", "step"), [("sanma-2026.zip", 60, 30), ("four-2024.zip", 60, 40), ("four-rare.zip", 30, 20)]
)
def test_samples_of_many_records_fit_the_visible_information(archive: str, games: int, step: int):
    if not (RECORDS / archive).exists():
        pytest.skip(f"no records {RECORDS / archive}")
    random = np.random.default_rng(1)
    samples = 0
    for rules, position in positions(RECORDS / archive, games, step):
        states = HiddenTiles(position.batch).sample(500, random).states
        check_samples(rules, position, states)
        samples += len(states)
    assert samples > 300_000
    print(f"{archive}: {samples} samples")


def test_weighted_samples_fit_the_visible_information():
    random = np.random.default_rng(1)
    belief = Belief(EfficientAgent(), decisions=2, proposals=4)
    for rules, position in positions(SAMPLE, 1, 80):
        sample = HiddenTiles(position.batch).sample(16, random, belief)
        assert sample.proposals == 64
        assert all(0 < size <= 64.001 for size in sample.effective.values())
        check_samples(rules, position, sample.states)


def test_the_same_key_gives_the_same_samples():
    table = Table("tenhou-sanma", seed=5)
    hidden = HiddenTiles(table.decision())
    first, again, other = (hidden.sample(8, np.random.default_rng(key)).states for key in (1, 1, 2))
    assert first.tobytes() == again.tobytes()
    assert (first["wall"] != other["wall"]).any()


def test_samples_do_not_depend_on_hidden_information():
    table = Table("tenhou", seed=5)
    view, legal, events = (table.decision().views, table.decision().legal, table.decision().events)
    for _ in range(3):
        table.act(37 if 37 in table.legal else 53)
    seen = HiddenTiles(table.decision())
    hidden = seen.sample(4, np.random.default_rng(1)).states
    # The same position with the other hands exchanged for sampled ones.
    tables = Tables("tenhou", 4, auto_reset=False)
    np.asarray(tables.states)[:] = hidden
    for number in np.flatnonzero(tables.actors == table.actor).tolist():
        again = HiddenTiles(tables.decisions([number])).sample(4, np.random.default_rng(1)).states
        assert (again["wall"] == hidden["wall"]).all()
    assert len(view) == len(legal) == len(events)


@entry
def draw_all(
    tables: Batch[ShantenTables],
    tenpai: Batch[TenpaiHands],
    of: Batch[HandsOfSize],
    numbers: Batch[RandomNumbers],
    size: int,
    hands: Batch[Hand],
) -> int:
    """Draw tenpai hands of a size; return how many count."""
    count_tenpai_hands(tenpai[0], tables[0])
    count_of_size(tenpai[0], tables[0], size, of[0])
    count = 0
    for _ in range(len(hands)):
        if draw_tenpai_hand(tenpai[0], tables[0], of[0], numbers[0]):
            copy_record(tenpai[0].hand, hands[count])
            count += 1
    return count


def draw(left: Any, size: int, players: int, count: int) -> Any:
    """Draw about ``count`` tenpai hands (n, 34) from tiles left (34)."""
    tenpai, hands = zeros(TenpaiHands, 1), zeros(Hand, count)
    record: Any = tenpai[0]
    record["left"], record["sanma"] = left, players == 3
    count = draw_all(shanten_tables(), tenpai, zeros(HandsOfSize, 1), zeros(RandomNumbers, 1), size, hands)
    return np.asarray(hands)["counts"][:count]


@pytest.mark.parametrize(
    ("left", "size", "players"),
    [
        # 112233m and some pairs, including hands that are both seven pairs and runs.
        ({0: 2, 1: 2, 2: 3, 3: 2, 4: 2, 5: 3, 6: 2, 27: 2}, 13, 4),
        # Thirteen orphans.
        ({0: 1, 8: 1, 9: 2, 17: 1, 18: 1, 26: 1, 27: 2, 28: 1, 29: 1, 30: 1, 31: 1, 32: 1, 33: 2}, 13, 3),
        ({0: 4, 8: 3, 9: 2, 10: 2, 11: 3, 31: 2}, 7, 3),
        ({20: 2, 21: 4, 22: 1, 33: 3}, 4, 4),
    ],
)
def test_tenpai_hands_are_drawn_evenly(left: dict[int, int], size: int, players: int):
    counts = np.zeros(34, np.int8)
    counts[list(left)] = list(left.values())
    ways: dict[tuple[int, ...], int] = {}
    for choice in itertools.product(*(range(number + 1) for number in left.values())):
        if sum(choice) == size:
            tiles = [kind for kind, number in zip(left, choice, strict=True) for _ in range(number)]
            if waits_of(tiles):
                ways[choice] = prod(comb(there, taken) for there, taken in zip(left.values(), choice, strict=True))
    drawn = draw(counts, size, players, 20_000)
    found = Counter(tuple(row) for row in drawn[:, list(left)].tolist())
    assert set(found) <= set(ways)
    expected = np.array(list(ways.values())) / sum(ways.values()) * len(drawn)
    observed = np.array([found[choice] for choice in ways])
    # Pearson's test; with so many cells its statistic is normal.
    statistic = ((observed - expected) ** 2 / expected).sum()
    assert statistic < len(ways) - 1 + 4 * (2 * len(ways)) ** 0.5


def test_weights_follow_the_actions_of_a_player():
    """A player that always discards honours first has none left after discarding another tile."""

    class HonoursFirst:
        name, players = "honours first", frozenset({3, 4})

        def preferences(self, batch: Any) -> Any:
            shares = np.where(batch.legal, 1e-3, 0)
            counts = np.asarray(batch.views)["hand"]["counts"]
            drawn = np.asarray(batch.views)["drawn"]
            held = counts[:, 27:].sum(axis=1) > 0
            honours = batch.legal[:, 27:34].copy()
            shares[:, 27:34] += np.where(honours & held[:, None], 1.0, 0)
            shares[:, 37] += batch.legal[:, 37] & ((drawn >= 27) & (drawn < 34) | ~held)
            return shares / shares.sum(axis=1, keepdims=True)

        def act(self, batch: Any) -> Any:
            return self.preferences(batch).argmax(axis=1).astype(np.int16)

    player = HonoursFirst()
    table = Table("tenhou-sanma", seed=3)
    while table.record["seats"]["discards"][1] < 8 or table.actor != 0 or 37 not in table.legal:
        table.act(int(player.act(table.decision())[0]))
        assert not table.hand_over
    hidden = HiddenTiles(table.decision())
    evenly = hidden.sample(200, np.random.default_rng(1)).states
    weighted = hidden.sample(200, np.random.default_rng(1), Belief(player, decisions=4, proposals=20)).states  # type: ignore[arg-type]
    honours = [states["hands"]["counts"][:, 1, 27:].sum(axis=1).mean() for states in (evenly, weighted)]
    assert honours[1] < 0.5 * honours[0]


def shares_of(players: int, cell: int) -> Any:
    """Return the shares of the classes of people's hands in a cell."""
    written = zeros(Shares, 1)
    write_shares(row(people(players)), cell, 1, row(written))
    return np.asarray(written)["shares"][0, CLASSES : 2 * CLASSES]


def test_hands_are_as_close_to_winning_as_peoples():
    table = Table("tenhou-sanma", seed=6)
    efficient = agent("efficient")
    while table.record["seats"]["discards"].max() < 8 or table.actor != 0 or 37 not in table.legal:
        table.act(int(efficient.act(table.decision())[0]))
        assert not table.hand_over
    states = HiddenTiles(table.decision()).sample(1000, np.random.default_rng(1)).states
    for seat in (1, 2):
        assert not table.record["seats"]["riichi"][seat]
        seats = np.full(len(states), seat)
        shares = np.bincount(hand_classes(states, seats), minlength=CLASSES) / len(states)
        expected = shares_of(3, int(progress_cells(states[:1], seats[:1])[0]))
        assert shares == pytest.approx(expected, abs=0.06)
        assert shares[: WAITS + 1].sum() == pytest.approx(expected[: WAITS + 1].sum(), abs=0.04)


@pytest.mark.parametrize(*cases_of("riichi-shapes", "classes of waits"))
def test_waits_fall_into_classes(tiles: str, number: int):
    mask = sum(1 << kind_of(tile) for tile in parse_tiles(tiles))
    assert wait_classes(np.array([mask])).tolist() == [number]


@pytest.mark.parametrize("players", [3, 4])
def test_shares_of_classes_are_probabilities(players: int):
    for cell in range(0, CELLS, 7):
        shares = shares_of(players, cell)
        assert (shares > 0).all()
        assert shares.sum() == pytest.approx(1)
