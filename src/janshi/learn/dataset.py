"""Records to learn from: hands that have been replayed, encoded again whenever they are needed.

A hand is kept as its wall, its start and its decisions (some 150 bytes in a Parquet file); its observations are made by
playing it again, at well under a microsecond each, so that nothing large is ever stored. An index says for each
of the five decisions every situation where it was possible, what was done, and where it comes from.
"""

from __future__ import annotations

import dataclasses
import json
from collections.abc import Callable, Iterable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final, cast

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
from numpy.typing import NDArray

from janshi.compiling import zeros
from janshi.engine.rulebook import write_rules
from janshi.engine.shanten import Ukeire
from janshi.engine.state import State, View
from janshi.engine.tables import lookup
from janshi.files import replacing
from janshi.learn.decisions import count_ones, encode_hands
from janshi.observe.decisions import DECISIONS
from janshi.observe.meowjong import COLUMNS
from janshi.records.replay import Replayer, Script
from janshi.records.sources import Damaged, Source, read_source, sources
from janshi.rules import KanDora, Kuikae, Length, Rules
from janshi.table import SHARED, bytes_of

_START: Final = 8
#: Hands that are encoded together.
CHUNK: Final = 384
#: Version of the files' layout.
FORMAT: Final = 2
HANDS_FILE: Final = "hands.parquet"
INDEX_FILE: Final = "decisions.parquet"


class DatasetError(ValueError):
    """Records from which nothing can be learned."""


@dataclass(slots=True)
class Decisions:
    """Observations and what was done.

    ``columns`` (n, 366 or more; int64 masks), ``labels`` (n, 5; int8: of each of `DECISIONS` the kind discarded, or 1
    and 0, or −1 where there was no such decision), ``legal`` (n, int64: masks of the kinds that may be discarded),
    ``places`` (n, 4; int32: hand, decision of the hand, seat, whether that seat won the hand).
    """

    columns: NDArray[np.int64]
    labels: NDArray[np.int8]
    legal: NDArray[np.int64]
    places: NDArray[np.int32]

    def __len__(self) -> int:
        return len(self.labels)

    def part(self, which: NDArray[Any]) -> Decisions:
        """Return some of the decisions, in that order."""
        return Decisions(self.columns[which], self.labels[which], self.legal[which], self.places[which])


@dataclass(slots=True)
class HandSet:
    """Hands of games of as many players, each with the rules that its game was played by.

    ``walls`` (n, 136; int8), ``starts`` (n, 8; int32: kyoku, honba, deposits, dealer, points of the seats), ``taken``
    (uint8) with the decisions of hand i from ``bounds[i]`` to ``bounds[i + 1]``, ``games`` (n, int32): the number of
    its game in ``names``, ``numbers`` (n, int16): of the hand in its game, ``rule`` (n, int16): of its rules in
    ``rules``.
    """

    rules: tuple[Rules, ...]
    rule: NDArray[np.int16]
    walls: NDArray[np.int8]
    starts: NDArray[np.int32]
    taken: NDArray[np.uint8]
    bounds: NDArray[np.int64]
    games: NDArray[np.int32]
    numbers: NDArray[np.int16]
    names: tuple[str, ...]
    """Where each game comes from: archive and file."""
    skipped: int = 0
    """Games left out: damaged, contradicting the rules, or of other numbers of players."""

    def __len__(self) -> int:
        return len(self.walls)

    @property
    def players(self) -> int:
        """How many played."""
        return self.rules[0].players

    def part(self, which: NDArray[np.int64]) -> HandSet:
        """Return some of the hands, in that order."""
        pieces = [self.taken[self.bounds[one] : self.bounds[one + 1]] for one in which]
        bounds = np.concatenate([[0], np.cumsum([len(piece) for piece in pieces])]).astype(np.int64)
        taken = np.concatenate(pieces) if pieces else np.zeros(0, np.uint8)
        rest = self.games[which], self.numbers[which], self.names, self.skipped
        return HandSet(self.rules, self.rule[which], self.walls[which], self.starts[which], taken, bounds, *rest)

    def split(self, share: float, seed: int) -> tuple[HandSet, HandSet]:
        """Return the hands of most games, and those of a share of the games of each archive.

        No game is on both sides; every archive (a year, a room) is on both in the same proportion.
        """
        random = np.random.default_rng(seed)
        archives: dict[str, list[int]] = {}
        for game in np.unique(self.games).tolist():
            archives.setdefault(name_parts(self.names[game])[0], []).append(game)
        held: list[int] = []
        for name in sorted(archives):
            games = random.permutation(archives[name])
            held += games[: round(share * len(games))].tolist()
        if not held:
            held = [int(random.choice(np.unique(self.games)))]
        aside = np.isin(self.games, held)
        return self.part(np.flatnonzero(~aside)), self.part(np.flatnonzero(aside))

    def save(self, folder: Path) -> None:
        """Write hands and the index of their decisions as two Parquet files into a folder."""
        folder.mkdir(parents=True, exist_ok=True)
        rules = [dataclasses.asdict(one) for one in self.rules]
        said = {"format": FORMAT, "rules": rules, "skipped": self.skipped}
        size = _wall_size(self.players)
        columns: dict[str, Any] = {
            "game": pa.DictionaryArray.from_arrays(pa.array(self.games), pa.array(self.names, pa.string())),
            "number": self.numbers,
            "rules": self.rule,
            **{name: self.starts[:, place] for place, name in enumerate(_STARTS)},
            "wall": pa.array([wall[:size].tobytes() for wall in self.walls], pa.binary(size)),
            "decisions": pa.array(
                [self.taken[first:last].tobytes() for first, last in zip(self.bounds, self.bounds[1:], strict=False)],
                pa.binary(),
            ),
        }
        table = pa.table(columns).replace_schema_metadata({"janshi": json.dumps(said)})
        with replacing(folder / HANDS_FILE) as part:
            pq.write_table(table, part, compression="zstd", compression_level=9)
        with replacing(folder / INDEX_FILE) as part:
            pq.write_table(self.index(), part, compression="zstd")

    def index(self) -> pa.Table:
        """Return every decision: hand, number among the hand's decisions, seat, kind (`DECISIONS`) and label."""
        found = encode(self, columns=0)
        rows, kinds = np.nonzero(found.labels >= 0)
        return pa.table(
            {
                "hand": found.places[rows, 0],
                "decision": found.places[rows, 1].astype(np.int16),
                "seat": found.places[rows, 2].astype(np.int8),
                "kind": pa.DictionaryArray.from_arrays(pa.array(kinds.astype(np.int8)), pa.array(DECISIONS)),
                "label": found.labels[rows, kinds],
            }
        )


_STARTS: Final = ("kyoku", "honba", "deposits", "dealer", *(f"points {seat}" for seat in range(4)))


def name_parts(name: str) -> tuple[str, str]:
    """Return the archive or folder of a game's name in a `HandSet`, and its file.

    >>> name_parts("sanma-2009.zip:a.mjlog"), name_parts("mine/b.json")
    (('sanma-2009.zip', 'a.mjlog'), ('mine', 'b.json'))
    """
    archive, colon, member = name.partition(":")
    return (archive, member) if colon else (str(Path(name).parent), Path(name).name)


def _wall_size(players: int) -> int:
    return 136 if players == 4 else 108


def _rules_said(said: dict[str, Any]) -> Rules:
    """Rules from what JSON says of them."""
    enums = {"length": Length, "kuikae": Kuikae, "kan_dora": KanDora}
    tuples = {name: tuple(said[name]) for name in ("red_fives", "uma")}
    return Rules(**(said | tuples | {name: kind(said[name]) for name, kind in enums.items()}))


def load_hands(folder: Path) -> HandSet:
    """Return the hands of a folder that `HandSet.save` wrote. Raises `DatasetError` where it holds none."""
    try:
        table = pq.read_table(folder / HANDS_FILE)
        said = json.loads(table.schema.metadata[b"janshi"])
        if said["format"] != FORMAT:
            raise DatasetError(f"{folder}: hands in a layout that this version does not read; make them again")
        rules = tuple(_rules_said(one) for one in said["rules"])
        count = len(table)
        walls = np.zeros((count, 136), np.int8)
        size = _wall_size(rules[0].players)
        walls[:, :size] = np.frombuffer(b"".join(table["wall"].to_pylist()), np.int8).reshape(count, size)
        taken = table["decisions"].to_pylist()
        starts = np.stack([table[name].to_numpy() for name in _STARTS], axis=1).astype(np.int32)
        games = table["game"].combine_chunks()
        return HandSet(
            rules,
            table["rules"].to_numpy().astype(np.int16),
            walls,
            starts,
            np.frombuffer(b"".join(taken), np.uint8).copy(),
            np.concatenate([[0], np.cumsum([len(one) for one in taken])]).astype(np.int64),
            games.indices.to_numpy().astype(np.int32),
            table["number"].to_numpy().astype(np.int16),
            tuple(games.dictionary.to_pylist()),
            said["skipped"],
        )
    except (OSError, LookupError, TypeError, ValueError, pa.ArrowException) as error:
        if isinstance(error, DatasetError):
            raise
        raise DatasetError(f"{folder} holds no hands that can be read: {str(error).splitlines()[0]}") from None


def read_hands(
    paths: Iterable[str | Path], players: int, *, progress: Callable[[int], None] | None = None
) -> HandSet:
    """Read records, or one folder that `HandSet.save` wrote, and keep every hand that replays without a contradiction.

    Games of other numbers of players, and damaged ones, are counted and left out. ``progress`` is called with the
    games read. Raises `DatasetError` where no hand remains.
    """
    paths = list(paths)
    if len(paths) == 1 and (Path(paths[0]) / HANDS_FILE).is_file():
        stored = load_hands(Path(paths[0]))
        if stored.players != players:
            raise DatasetError(f"{paths[0]} holds hands of {stored.players} players, not {players}")
        return stored
    replayer = Replayer()
    scripts: list[Script] = []
    games: list[int] = []
    names: list[str] = []
    rules: dict[Rules, int] = {}
    rule: list[int] = []
    read = skipped = 0
    damaged: list[Damaged] = []
    for source in sources(paths):
        for game in _games(source):
            read += 1
            if isinstance(game, Damaged):
                damaged.append(game)
            if isinstance(game, Damaged) or game.players != players:
                skipped += 1
                continue
            done = replayer.replay(game, scripts=True)
            scripts += done.scripts
            rule += [rules.setdefault(game.rules, len(rules))] * len(done.scripts)
            games += [len(names)] * len(done.scripts)
            names.append(_named(game.source))
            if progress is not None:
                progress(read)
    if not scripts:
        why = f" ({damaged[0]})" if damaged else ""
        raise DatasetError(f"no hand of {players} players in {', '.join(map(str, paths))}{why}")
    return _pack(scripts, games, names, tuple(rules), rule, skipped)


def _games(source: Source | Damaged) -> Iterable[Any]:
    return (source,) if isinstance(source, Damaged) else read_source(source)


def _named(source: str) -> str:
    """A game's name without the folders before its archive or folder: what is stored says nothing of the machine."""
    archive, colon, member = source.partition(":")
    return f"{Path(archive).name}:{member}" if colon else "/".join(Path(source).parts[-2:])


def _pack(
    scripts: Sequence[Script],
    games: Sequence[int],
    names: Sequence[str],
    rules: tuple[Rules, ...],
    rule: Sequence[int],
    skipped: int,
) -> HandSet:
    walls = np.zeros((len(scripts), 136), np.int8)
    starts = np.zeros((len(scripts), _START), np.int32)
    for place, script in enumerate(scripts):
        walls[place, : len(script.wall)] = script.wall
        starts[place, :4] = script.kyoku, script.honba, script.deposits, script.dealer
        starts[place, 4 : 4 + len(script.scores)] = script.scores
    bounds = np.concatenate([[0], np.cumsum([len(script.actions) for script in scripts])]).astype(np.int64)
    taken = np.concatenate([script.actions for script in scripts])
    numbers = np.array([script.number for script in scripts], np.int16)
    which = np.array(rule, np.int16), np.array(games, np.int32)
    return HandSet(rules, which[0], walls, starts, taken, bounds, which[1], numbers, tuple(names), skipped)


# ---------------------------------------------------------------------------------------------------------
# Encoding


def encode(
    hands: HandSet, which: NDArray[np.int64] | None = None, *, columns: int = COLUMNS, threads: int = 1
) -> Decisions:
    """Return the decisions of hands, in their order, whatever the number of threads.

    ``which``: numbers of hands, all by default; ``Decisions.places`` counts among them. ``columns``: 366 for the
    papers' observation, `janshi.observe.WIDE` for ours, 0 for none. Raises `DatasetError` where a hand cannot be played
    by its rules.

    >>> from janshi.sample import SAMPLE
    >>> found = encode(read_hands([SAMPLE], 3), np.arange(3))
    >>> found.columns.shape == (len(found), 366) and found.labels.shape == (len(found), 5)
    True
    """
    places = np.arange(len(hands)) if which is None else np.asarray(which, np.int64)
    parts = np.array_split(places, min(threads, max(1, len(places))))
    if len(parts) == 1:
        return _encode(hands, parts[0], columns)
    with ThreadPoolExecutor(len(parts)) as pool:
        done = list(pool.map(lambda part: _encode(hands, part, columns), parts))
    first = 0
    for part, one in zip(parts, done, strict=True):
        one.places[:, 0] += first
        first += len(part)
    names = ("columns", "labels", "legal", "places")
    return Decisions(*(np.concatenate([getattr(one, name) for one in done]) for name in names))


def _encode(hands: HandSet, which: NDArray[np.int64], width: int) -> Decisions:
    states, views = zeros(State, len(hands.rules)), zeros(View, 1)
    for rules, state in zip(hands.rules, cast("NDArray[Any]", states), strict=True):
        write_rules(rules, state["rules"])
    most = int((hands.bounds[which + 1] - hands.bounds[which]).sum())
    columns = np.empty((most if width else 0, width or COLUMNS), np.int64)
    # One row more: a hand's last action may be looked at without being a decision.
    labels = np.zeros((most + 1, len(DECISIONS)), np.int8)
    legal, places = np.zeros(most + 1, np.int64), np.zeros((most + 1, 4), np.int32)
    wanted = np.ascontiguousarray(which, np.int64)
    count = encode_hands(
        states,
        bytes_of(states),
        views,
        bytes_of(views)[:, :SHARED],
        lookup(),
        hands.rule,
        hands.walls,
        hands.starts,
        hands.taken,
        hands.bounds,
        wanted,
        columns,
        labels,
        legal,
        places,
        zeros(Ukeire, 1),
    )
    if count < 0:
        raise DatasetError(f"a hand cannot be played by its rules: {', '.join(one.name for one in hands.rules)}")
    return Decisions(columns[:count], labels[:count], legal[:count], places[:count])


# ---------------------------------------------------------------------------------------------------------
# What is in it


@dataclass(frozen=True, slots=True)
class Size:
    """How often there was one decision in a set of hands: a line of the paper's table 3.3."""

    examples: int
    positive: int | None
    """How often it was taken; of discards None."""


def sizes(hands: HandSet) -> dict[str, Size]:
    """Return how many examples of each decision there are, and how many say yes. Source: table 3.3."""
    labels = encode(hands, columns=0).labels
    counts = (labels >= 0).sum(axis=0)
    taken = (labels == 1).sum(axis=0)
    return {
        name: Size(int(counts[place]), None if name == "discard" else int(taken[place]))
        for place, name in enumerate(DECISIONS)
    }


def mean_and_deviation(hands: HandSet) -> dict[str, tuple[float, float]]:
    """Return the mean μ of the observations of each decision and their standard deviation √(μ − μ²).

    Over all ones and zeros of all columns, as the paper does (section 3.2.3, table 3.4).
    """
    ones = np.zeros(len(DECISIONS), np.int64)
    counts = np.zeros(len(DECISIONS), np.int64)
    for first in range(0, len(hands), CHUNK):
        found = encode(hands, np.arange(first, min(first + CHUNK, len(hands))))
        for place in range(len(DECISIONS)):
            some = found.columns[found.labels[:, place] >= 0]
            ones[place] += count_ones(np.ascontiguousarray(some))
            counts[place] += len(some)
    means = ones / np.maximum(counts, 1) / (COLUMNS * 34)
    return {
        name: (float(means[place]), float(np.sqrt(means[place] - means[place] ** 2)))
        for place, name in enumerate(DECISIONS)
    }
