"""Records to learn from: hands that have been replayed, encoded again whenever they are needed.

A hand is kept as its wall, its start and its decisions (some 150 bytes in a Parquet file); its observations are made by
playing it again, at a microsecond or so each, so that nothing large is ever stored. Every decision that the table asked
for is there, with the action taken and the legal ones: what a label is follows from these
(`janshi.riichi.dataset.tasks`, `janshi.papers`).

>>> from janshi.encoders import encoder
>>> from janshi.sample import SAMPLE
>>> batch = decisions(read_hands([SAMPLE], 3), np.arange(3), encoder=encoder("janshi"))
>>> batch.packed.shape == (len(batch), 401), batch.legal_mask().shape == (len(batch), 122)
(True, True)
"""

from __future__ import annotations

import dataclasses
import json
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from functools import cache
from itertools import islice
from pathlib import Path
from typing import Any, Final, cast

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
from numpy.typing import NDArray

from janshi.cluster import in_order, workers
from janshi.compiling import dtype_of, zeros
from janshi.core.rows import take_rows
from janshi.core.shanten_tables import shanten_tables
from janshi.encoders import Encoder
from janshi.files import replacing
from janshi.learn.datasets import DatasetError
from janshi.records.formats import Damaged
from janshi.records.sources import Source, read_source, sources
from janshi.riichi.actions import ACTIONS, SIMPLE_ACTIONS, Action
from janshi.riichi.dataset.augmentation import TURNS, can_turn
from janshi.riichi.dataset.replaying import ALL_PLAYED, DecisionRecord, HandSpan, replay_hands, replay_others
from janshi.riichi.play import HandStart
from janshi.riichi.records.replay import Replayer, Script
from janshi.riichi.rules import KanDora, Kuikae, Length, Rules
from janshi.riichi.rules_record import write_rules
from janshi.riichi.state import Events, OtherHands, State, View

#: Version of the files' layout.
FORMAT: Final = 3
HANDS_FILE: Final = "hands.parquet"
INDEX_FILE: Final = "decisions.parquet"

#: Fields of `DecisionRecord`, and those that hold a truth.
_COLUMNS: Final = frozenset(dtype_of(DecisionRecord).names or ())
_FLAGS: Final = frozenset({"riichi", "observed", "won", "deals_in"})
#: Hands whose decisions are written together into the index of a store.
_INDEXED: Final = 4096
#: Files of records that are read together.
_SOURCES: Final = 32
#: Decisions whose views are written before they are encoded: few enough to stay in the processor's cache.
_BLOCK: Final = 1024
_STARTS: Final = ("kyoku", "honba", "deposits", "dealer", *(f"points {seat}" for seat in range(4)))


# ---------------------------------------------------------------------------------------------------------
# Hands


@dataclass(slots=True)
class HandSet:
    """Hands of games of as many players, each with the rules that its game was played by.

    ``walls`` (n, 136; int8), ``starts`` (n, 8; int32: kyoku, honba, deposits, dealer, points of the seats), ``taken``
    (uint8): actions, those of hand i from ``bounds[i]`` to ``bounds[i + 1]``, ``games`` (n, int32): the number of
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
    """Source of each game: archive and file."""
    skipped: int = 0
    """Games left out: damaged, contradicting the rules, or of other numbers of players."""
    places: NDArray[np.int8] | None = None
    """Place in which each seat ended the hand's game (n, 4; 0 first), −1 for unknown: see `with_places`."""
    ratings: NDArray[np.float32] | None = None
    """Rating of each seat's player when the game was played (n, 4; Tenhou's R), NaN for unknown: see `with_ratings`."""

    def __len__(self) -> int:
        return len(self.walls)

    @property
    def players(self) -> int:
        """Number of players."""
        return self.rules[0].players

    def decisions(self, which: NDArray[np.int64], encoder: Encoder) -> Decisions:
        """Return the decisions of some of the hands, encoded when they are looked at: see `decisions`."""
        return decisions(self, which, encoder=encoder, lazy=True)

    def turns(self, encoder: Encoder) -> int:
        """Return in how many ways observations can be turned: see `janshi.riichi.dataset.augmentation`."""
        return TURNS if can_turn(encoder, self.players) else 1

    def part(self, which: NDArray[np.int64]) -> HandSet:
        """Return some of the hands, in that order."""
        actions = [self.taken[self.bounds[hand] : self.bounds[hand + 1]] for hand in which]
        bounds = np.concatenate([[0], np.cumsum([len(part) for part in actions])]).astype(np.int64)
        taken = np.concatenate(actions) if actions else np.zeros(0, np.uint8)
        places = None if self.places is None else self.places[which]
        ratings = None if self.ratings is None else self.ratings[which]
        rest = self.games[which], self.numbers[which], self.names, self.skipped, places, ratings
        return HandSet(self.rules, self.rule[which], self.walls[which], self.starts[which], taken, bounds, *rest)

    def with_places(self) -> HandSet:
        """Return the same hands with the `places` in which the seats ended their games.

        The last hand of a game that is in the set counts as its end: for sets of whole games. Where a seat decided
        nothing in that hand, what it changed is not known, and the places of the game are −1.
        """
        last = np.zeros(len(self.names), np.int64)
        order = np.lexsort((self.numbers, self.games))
        last[self.games[order]] = order
        played = np.unique(self.games)
        batch = decisions(self, last[played])
        change = np.full((len(played), 4), np.iinfo(np.int32).min, np.int64)
        change[batch.hand, batch.seat] = batch.change
        change = change[:, : self.players]
        points = self.starts[last[played], 4 : 4 + self.players] + change
        # Of equal points the seat comes first that dealt first.
        ranks = np.argsort(np.argsort(-points, axis=1, kind="stable"), axis=1, kind="stable")
        ranks[(change == np.iinfo(np.int32).min).any(axis=1)] = -1
        places = np.full((len(self.names), 4), -1, np.int8)
        places[played, : self.players] = ranks
        return dataclasses.replace(self, places=places[self.games])

    def with_ratings(self, ratings: Mapping[str, Sequence[float]]) -> HandSet:
        """Return the same hands with the `ratings` of their seats.

        ``ratings``: by a game's name, as in ``names``, those of its seats in their order; other games' are unknown.
        """
        of_games = np.full((len(self.names), 4), np.nan, np.float32)
        for game, name in enumerate(self.names):
            known = ratings.get(name, ())
            of_games[game, : len(known)] = known
        return dataclasses.replace(self, ratings=of_games[self.games])

    @staticmethod
    def joined(parts: Sequence[HandSet]) -> HandSet:
        """Return the hands of several sets (one at least, of one number of players), without places and ratings."""
        rules = tuple(dict.fromkeys(rules for part in parts for rules in part.rules))
        sizes = np.cumsum([0, *(len(part.taken) for part in parts)])
        games = np.cumsum([0, *(len(part.names) for part in parts)])
        numbers = [np.array([rules.index(each) for each in part.rules], np.int16) for part in parts]
        return HandSet(
            rules=rules,
            rule=np.concatenate([number[part.rule] for number, part in zip(numbers, parts, strict=True)]),
            walls=np.concatenate([part.walls for part in parts]),
            starts=np.concatenate([part.starts for part in parts]),
            taken=np.concatenate([part.taken for part in parts]),
            bounds=np.concatenate(
                [[0], *(part.bounds[1:] + first for part, first in zip(parts, sizes[:-1], strict=True))]
            ).astype(np.int64),
            games=np.concatenate([part.games + np.int32(first) for part, first in zip(parts, games[:-1], strict=True)]),
            numbers=np.concatenate([part.numbers for part in parts]),
            names=tuple(name for part in parts for name in part.names),
            skipped=sum(part.skipped for part in parts),
        )

    def split(self, share: float, seed: int) -> tuple[HandSet, HandSet]:
        """Return the hands of most games, and those of a share of the games of each archive.

        No game is on both sides; every archive (a year, a room) is on both in the same proportion.
        """
        aside = np.isin(self.games, self._drawn(share, np.random.default_rng(seed)))
        return self.part(np.flatnonzero(~aside)), self.part(np.flatnonzero(aside))

    def sample(self, share: float, seed: int) -> HandSet:
        """Return the hands of a share of the games of each archive, one game at least.

        Of the same seed, what a smaller share holds a larger one holds too.
        """
        # A stream of its own: what `split` sets aside by the same seed says nothing of what is drawn here.
        drawn = self._drawn(share, np.random.default_rng([seed, 3]))
        return self.part(np.flatnonzero(np.isin(self.games, drawn)))

    def _drawn(self, share: float, random: np.random.Generator) -> list[int]:
        """Numbers of a share of the games of each archive, one game at least."""
        archives: dict[str, list[int]] = {}
        for game in np.unique(self.games).tolist():
            archives.setdefault(name_parts(self.names[game])[0], []).append(game)
        drawn: list[int] = []
        for name in sorted(archives):
            games = random.permutation(archives[name])
            drawn += games[: round(share * len(games))].tolist()
        return drawn or [int(random.choice(np.unique(self.games)))]

    def save(self, folder: str | Path) -> None:
        """Write hands and the index of their decisions as two Parquet files into a folder: a store."""
        folder = Path(folder)
        folder.mkdir(parents=True, exist_ok=True)
        metadata = {"format": FORMAT, "rules": [dataclasses.asdict(rules) for rules in self.rules]}
        size = _wall_size(self.players)
        columns: dict[str, Any] = {
            "game": pa.DictionaryArray.from_arrays(pa.array(self.games), pa.array(self.names, pa.string())),
            "number": self.numbers,
            "rules": self.rule,
            **{name: self.starts[:, column] for column, name in enumerate(_STARTS)},
            "wall": pa.array([wall[:size].tobytes() for wall in self.walls], pa.binary(size)),
            "decisions": pa.array(
                [self.taken[first:last].tobytes() for first, last in zip(self.bounds, self.bounds[1:], strict=False)],
                pa.binary(),
            ),
        }
        text = json.dumps({**metadata, "skipped": self.skipped})
        # Whatever ends this between the two files, an index of other hands never stands beside these.
        (folder / INDEX_FILE).unlink(missing_ok=True)
        with replacing(folder / HANDS_FILE) as part:
            table = pa.table(columns).replace_schema_metadata({"janshi": text})
            pq.write_table(table, part, compression="zstd", compression_level=9)
        with replacing(folder / INDEX_FILE) as part:
            tables = (self._index(first) for first in range(0, max(1, len(self)), _INDEXED))
            table = next(tables)
            with pq.ParquetWriter(part, table.schema, compression="zstd") as writer:
                writer.write_table(table)
                for table in tables:
                    writer.write_table(table)

    def _index(self, first: int) -> pa.Table:
        """Return the decisions of `_INDEXED` hands: their numbers, seats, actions and legal actions (words)."""
        batch = decisions(self, np.arange(first, min(first + _INDEXED, len(self))))
        return pa.table(
            {
                "hand": batch.hand + np.int32(first),
                "decision": batch.number,
                "seat": batch.seat,
                "action": batch.action.astype(np.uint8),
                "legal": batch.legal[:, 0],
                "legal closed kans": batch.legal[:, 1],
                "legal added kans": batch.legal[:, 2],
                "observed": batch.observed,
            }
        )


def name_parts(name: str) -> tuple[str, str]:
    """Return the archive or folder of a game's name in a `HandSet`, and its file.

    >>> name_parts("sanma-2009.zip:a.mjlog"), name_parts("mine/b.json")
    (('sanma-2009.zip', 'a.mjlog'), ('mine', 'b.json'))
    """
    archive, colon, member = name.partition(":")
    return (archive, member) if colon else (str(Path(name).parent), Path(name).name)


def _wall_size(players: int) -> int:
    return 136 if players == 4 else 108


def _rules_of(fields: dict[str, Any]) -> Rules:
    """Rules from their fields in JSON."""
    enums = {"length": Length, "kuikae": Kuikae, "kan_dora": KanDora}
    tuples = {name: tuple(value) for name, value in fields.items() if isinstance(value, list)}
    return Rules(**(fields | tuples | {name: kind(fields[name]) for name, kind in enums.items()}))


def load_hands(folder: str | Path) -> HandSet:
    """Return the hands of a folder that `HandSet.save` wrote. Raises `DatasetError` where it holds none."""
    folder = Path(folder)
    try:
        table = pq.read_table(folder / HANDS_FILE)
        metadata = json.loads(table.schema.metadata[b"janshi"])
        if metadata["format"] != FORMAT:
            raise DatasetError(f"{folder}: hands in a layout that this version does not read; make them again")
        rules = tuple(_rules_of(fields) for fields in metadata["rules"])
        count = len(table)
        walls = np.zeros((count, 136), np.int8)
        size = _wall_size(rules[0].players)
        walls[:, :size] = np.frombuffer(b"".join(table["wall"].to_pylist()), np.int8).reshape(count, size)
        taken = table["decisions"].to_pylist()
        games = table["game"].combine_chunks()
        return HandSet(
            rules,
            table["rules"].to_numpy().astype(np.int16),
            walls,
            np.stack([table[name].to_numpy() for name in _STARTS], axis=1).astype(np.int32),
            np.frombuffer(b"".join(taken), np.uint8).copy(),
            np.concatenate([[0], np.cumsum([len(actions) for actions in taken])]).astype(np.int64),
            games.indices.to_numpy().astype(np.int32),
            table["number"].to_numpy().astype(np.int16),
            tuple(games.dictionary.to_pylist()),
            metadata["skipped"],
        )
    except (OSError, LookupError, TypeError, ValueError, pa.ArrowException) as error:
        if isinstance(error, DatasetError):
            raise
        raise DatasetError(f"{folder} holds no hands that can be read: {str(error).splitlines()[0]}") from None


def read_hands(
    paths: Iterable[str | Path],
    players: int,
    *,
    progress: Callable[[int], None] | None = None,
    cluster: str | None = None,
) -> HandSet:
    """Read records and folders that `HandSet.save` wrote, and keep every hand that replays without a contradiction.

    Games of other numbers of players, and damaged ones, are counted and left out. ``progress`` is called with the
    games read. ``cluster``: see `janshi.cluster.workers`, whose errors are raised; the hands are the same. Raises
    `DatasetError` where no hand remains, or a stored one is of another number of players.
    """
    given = list(paths)
    stored = [path for path in given if (Path(path) / HANDS_FILE).is_file()]
    parts = [load_hands(path) for path in stored]
    for path, part in zip(stored, parts, strict=True):
        if part.players != players:
            raise DatasetError(f"{path} holds hands of {part.players} players, not {players}")
    records = [path for path in given if path not in stored]
    if records or not given:
        parts.append(_read_records(records, players, progress, cluster))
    return parts[0] if len(parts) == 1 else HandSet.joined(parts)


def _read_records(
    paths: list[str | Path], players: int, progress: Callable[[int], None] | None, cluster: str | None
) -> HandSet:
    """Replay records and keep their hands: see `read_hands`."""
    scripts: list[Script] = []
    games: list[int] = []
    names: list[str] = []
    rules: dict[Rules, int] = {}
    rule: list[int] = []
    read = 0
    damaged: list[Damaged] = []
    with workers(cluster) as team:
        for part in in_order(team.each(_replay_part, _parts(paths, players))):
            read += part.read
            damaged += part.damaged
            for name, played, replayed in part.games:
                scripts += replayed
                rule += [rules.setdefault(played, len(rules))] * len(replayed)
                games += [len(names)] * len(replayed)
                names.append(name)
            if progress is not None:
                progress(read)
    if not scripts:
        why = f" ({damaged[0]})" if damaged else ""
        raise DatasetError(f"no hand of {players} players in {', '.join(map(str, paths))}{why}")
    numbers = np.array(rule, np.int16), np.array(games, np.int32)
    return _pack(scripts, tuple(rules), *numbers, tuple(names), read - len(names))


@dataclass(slots=True)
class _Part:
    """What some sources hold."""

    read: int = 0
    """Games, damaged ones included."""
    games: list[tuple[str, Rules, list[Script]]] = field(default_factory=list)
    """Name, rules and hands of each game that counts."""
    damaged: list[Damaged] = field(default_factory=list)


def _parts(paths: Iterable[str | Path], players: int) -> Iterator[tuple[int, list[Source | Damaged]]]:
    """Jobs for `_replay_part`."""
    listed = sources(paths)
    while chunk := list(islice(listed, _SOURCES)):
        yield players, chunk


def _replay_part(job: tuple[int, list[Source | Damaged]]) -> _Part:
    """Read and replay the games of so many players in some sources."""
    players, chunk = job
    part = _Part()
    for game in (game for source in chunk for game in _games(source)):
        part.read += 1
        if isinstance(game, Damaged):
            part.damaged.append(game)
        elif game.players == players:
            scripts = _replayer().replay(game, scripts=True).scripts
            part.games.append((_short_name(game.source), game.rules, scripts))
    return part


@cache
def _replayer() -> Replayer:
    return Replayer()


def _games(source: Source | Damaged) -> Iterable[Any]:
    return (source,) if isinstance(source, Damaged) else read_source(source, game="riichi")


def _short_name(source: str) -> str:
    """A game's name without the folders before its archive or folder: what is stored says nothing of the machine."""
    archive, colon, member = source.partition(":")
    return f"{Path(archive).name}:{member}" if colon else "/".join(Path(source).parts[-2:])


def _pack(
    scripts: Sequence[Script],
    rules: tuple[Rules, ...],
    rule: NDArray[np.int16],
    games: NDArray[np.int32],
    names: tuple[str, ...],
    skipped: int,
) -> HandSet:
    walls = np.zeros((len(scripts), 136), np.int8)
    starts = np.zeros((len(scripts), len(_STARTS)), np.int32)
    for hand, script in enumerate(scripts):
        walls[hand, : len(script.wall)] = script.wall
        starts[hand, :4] = script.kyoku, script.honba, script.deposits, script.dealer
        starts[hand, 4 : 4 + len(script.scores)] = script.scores
    bounds = np.concatenate([[0], np.cumsum([len(script.actions) for script in scripts])]).astype(np.int64)
    taken = np.concatenate([script.actions for script in scripts])
    numbers = np.array([script.number for script in scripts], np.int16)
    return HandSet(rules, rule, walls, starts, taken, bounds, games, numbers, names, skipped)


# ---------------------------------------------------------------------------------------------------------
# Decisions


class Decisions:
    """Every decision that the tables of some hands asked for, one row each.

    ``records`` (n): their `janshi.riichi.dataset.replaying.DecisionRecord`, whose fields are attributes of the batch.
    Where ``observed`` is False, somebody with a better claim took the tile: the action of such a row need not be what
    its seat wanted.
    """

    __slots__ = ("_packed", "_source", "place", "rating", "records")

    action: NDArray[np.int16]
    """Action taken (n)."""
    legal: NDArray[np.int64]
    """Legal actions (n, 3) as words: see `janshi.riichi.actions`."""
    phase: NDArray[np.int8]
    """What the table waited for (n): `janshi.riichi.state.Phase`."""
    drawn: NDArray[np.int8]
    """Tile just drawn (n), −1 for none."""
    tile: NDArray[np.int8]
    """Another seat's tile that could be claimed (n), −1 for none."""
    riichi: NDArray[np.bool_]
    """Whether the seat's riichi had been accepted (n)."""
    observed: NDArray[np.bool_]
    """Whether the answer was seen (n)."""
    hand: NDArray[np.int32]
    """Number of the hand (n), among those that were asked for."""
    number: NDArray[np.int16]
    """Number of the decision in its hand (n), from 0."""
    seat: NDArray[np.int8]
    """Seat that decided (n)."""
    won: NDArray[np.bool_]
    """Whether the seat won the hand (n)."""
    change: NDArray[np.int32]
    """Points that the hand brought the seat (n), its riichi stick included."""
    danger: NDArray[np.int64]
    """Kinds (n; bits) that complete the hand of another seat that is not furiten, with or without a yaku."""
    yaku: NDArray[np.int64]
    """Yaku of a winning seat's hand (n; one bit for each of Tenhou's numbers); else 0."""
    result: NDArray[np.int8]
    """How the hand ended for the seat (n): `janshi.riichi.results.HandResult`."""
    value: NDArray[np.int32]
    """Points of the hands that the seat won or dealt in to (n), without honba and deposits; else 0."""
    deals_in: NDArray[np.bool_]
    """Whether another seat won by the tile of this action (n)."""

    def __init__(
        self,
        packed: NDArray[Any] | None,
        records: NDArray[Any],
        place: NDArray[np.int8] | None = None,
        source: ObservationSource | None = None,
        rating: NDArray[np.float32] | None = None,
    ) -> None:
        self._packed = packed
        self._source = source
        self.records = records
        self.place = np.full(len(records), -1, np.int8) if place is None else place
        """Place in which the seat ended the game (n; 0 first), −1 where the hands do not say (`HandSet.places`)."""
        self.rating = np.full(len(records), np.nan, np.float32) if rating is None else rating
        """Rating of the seat's player (n; Tenhou's R), NaN where the hands do not say (`HandSet.ratings`)."""

    def __len__(self) -> int:
        return len(self.records)

    @property
    def packed(self) -> NDArray[Any] | None:
        """Observations as their encoder keeps them (n, …), None without an encoder; lazy ones are made here, once."""
        if self._packed is None and self._source is not None:
            self._packed = self._source.encode(self.records)
        return self._packed

    def part(self, rows: NDArray[Any]) -> Decisions:
        """Return some of the decisions (numbers or a mask of rows), in that order."""
        packed = None if self._packed is None else self._packed[rows]
        return Decisions(packed, self.records[rows], self.place[rows], self._source, self.rating[rows])

    def encoded(self, encoder: Encoder) -> NDArray[Any]:
        """Return the observations of another encoder (n, …), for which their hands are played again.

        Raises `DatasetError` for decisions that were asked for without an encoder.
        """
        if self._source is None:
            raise DatasetError("decisions without an encoder cannot be encoded: ask for them with one")
        return dataclasses.replace(self._source, encoder=encoder).encode(self.records)

    def __getattr__(self, name: str) -> Any:
        if name not in _COLUMNS:
            raise AttributeError(f"decisions have no {name!r}")
        column = self.records[name]
        return column > 0 if name in _FLAGS else column

    def legal_mask(self) -> NDArray[np.bool_]:
        """Return the legal actions (n, 122; bool)."""
        return legal_mask(self.legal)


def legal_mask(words: NDArray[np.int64]) -> NDArray[np.bool_]:
    """Return legal actions (n, 122; bool) from their words (n, 3).

    >>> np.flatnonzero(legal_mask(np.array([[0b101, 1 << 33, 1]]))[0]).tolist()
    [0, 2, 87, 88]
    """
    mask = np.zeros((len(words), ACTIONS), np.bool_)
    for word, (first, last) in enumerate(((0, SIMPLE_ACTIONS), (Action.ANKAN, Action.KAKAN), (Action.KAKAN, ACTIONS))):
        mask[:, first:last] = words[:, word, None] >> np.arange(last - first) & 1
    return mask


def decisions(
    hands: HandSet,
    which: NDArray[np.int64] | None = None,
    *,
    encoder: Encoder | None = None,
    threads: int = 1,
    lazy: bool = False,
) -> Decisions:
    """Return all decisions of hands, in their order, whatever the number of threads.

    ``which``: numbers of hands, all by default; `Decisions.hand` counts among them. ``encoder``: what observations are
    made by, None for none; ``lazy``: only when `Decisions.packed` of these or of a part is asked for, of those rows:
    quicker for a part of few rows, slower for all of them. Raises `DatasetError` where a hand cannot be played by its
    rules, `EncoderError` where the encoder does not serve these rules.
    """
    chosen = np.arange(len(hands)) if which is None else np.asarray(which, np.int64)
    for rules in hands.rules if encoder is not None else ():
        cast("Encoder", encoder).check(rules)
    eager = None if lazy else encoder
    count = int((hands.bounds[chosen + 1] - hands.bounds[chosen]).sum())
    packed = None if eager is None else np.empty((count, *eager.packed_shape), eager.packed_dtype)

    def encode(replayed: _Replay, first: int, last: int) -> None:
        if packed is not None:
            replayed.encode(slice(0, last - first), packed[first:last])

    records = _play(hands, eager, chosen, threads, encode)
    place = None if hands.places is None else hands.places[chosen[records["hand"]], records["seat"]]
    rating = None if hands.ratings is None else hands.ratings[chosen[records["hand"]], records["seat"]]
    source = None if encoder is None else ObservationSource(hands, chosen, encoder, threads)
    return Decisions(packed, records, place, source, rating)


@dataclass(frozen=True, slots=True)
class ObservationSource:
    """Source of the observations of decisions: hands, of which those ``chosen`` (numbers) were asked for."""

    hands: HandSet
    chosen: NDArray[np.int64]
    encoder: Encoder
    threads: int

    def encode(self, records: NDArray[Any]) -> NDArray[Any]:
        """Return the packed observations (n, …) of decisions, given as their `DecisionRecord` (n), in that order.

        Their hands are played again. Raises `DatasetError` where one cannot be played by its rules.
        """
        encoder = self.encoder
        packed = np.empty((len(records), *encoder.packed_shape), encoder.packed_dtype)
        wanted, hand = np.unique(records["hand"], return_inverse=True)
        chosen = self.chosen[wanted]
        # The decisions in the order in which they are played, and the row of each among all of the played hands.
        order = np.lexsort((records["number"], hand))
        at = _first_rows(self.hands, chosen)[hand[order]] + records["number"][order]

        def encode(replayed: _Replay, first: int, last: int) -> None:
            asked = slice(*np.searchsorted(at, (first, last)).tolist())
            encoded = np.empty((asked.stop - asked.start, *encoder.packed_shape), encoder.packed_dtype)
            replayed.encode(at[asked] - first, encoded)
            packed[order[asked]] = encoded

        _play(self.hands, encoder, chosen, self.threads, encode)
        return packed


def _first_rows(hands: HandSet, chosen: NDArray[np.int64]) -> NDArray[np.int64]:
    """Where the decisions of chosen hands begin (n + 1): the last number is how many there are."""
    counts = hands.bounds[chosen + 1] - hands.bounds[chosen]
    return np.concatenate([[0], np.cumsum(counts)]).astype(np.int64)


def _play(
    hands: HandSet,
    encoder: Encoder | None,
    chosen: NDArray[np.int64],
    threads: int,
    encode: Callable[[_Replay, int, int], None],
) -> NDArray[Any]:
    """Play chosen hands again, a part of them on each thread, and return the records of their decisions (n).

    ``encode`` is called after each block of hands with what has played them, and their decisions: first and last row.
    """
    rows = _first_rows(hands, chosen)
    records = np.zeros(int(rows[-1]), dtype_of(DecisionRecord))

    def play(part: NDArray[np.int64]) -> None:
        replayed = _Replay(hands, encoder, chosen, part)
        for first, last in _blocks(rows, part, encoder is not None):
            start, end = int(rows[first]), int(rows[last])
            replayed.block(first, last, records[start:end])
            encode(replayed, start, end)

    parts = np.array_split(np.arange(len(chosen)), min(threads, max(1, len(chosen))))
    if len(parts) == 1:
        play(parts[0])
    else:
        with ThreadPoolExecutor(len(parts)) as pool:
            list(pool.map(play, parts))
    return records


def _blocks(rows: NDArray[np.int64], part: NDArray[np.int64], small: bool) -> Iterable[tuple[int, int]]:
    """Hands to be played together, first and last: all, or as many as have `_BLOCK` decisions."""
    if not len(part):
        return
    first, end = int(part[0]), int(part[-1]) + 1
    while first < end:
        last = int(np.searchsorted(rows, rows[first] + _BLOCK, "right")) - 1 if small else end
        last = min(max(last, first + 1), end)
        yield first, last
        first = last


class _Replay:
    """Buffers with which one thread plays some of the chosen hands."""

    def __init__(
        self, hands: HandSet, encoder: Encoder | None, chosen: NDArray[np.int64], part: NDArray[np.int64]
    ) -> None:
        self.hands = hands
        self.encoder = encoder
        self.number = int(part[0]) if len(part) else 0
        self.states = zeros(State, len(hands.rules))
        for rules, state in zip(hands.rules, cast("NDArray[Any]", self.states), strict=True):
            write_rules(rules, state["rules"])
        which = chosen[part]
        self.starts = np.zeros(len(which), dtype_of(HandStart))
        self.starts["wall"] = hands.walls[which]
        self.starts["points"] = hands.starts[which, 4:]
        for column, name in enumerate(_STARTS[:4]):
            self.starts[name] = hands.starts[which, column]
        self.spans = np.zeros(len(which), dtype_of(HandSpan))
        self.spans["rules"] = hands.rule[which]
        self.spans["hand"] = part
        self.spans["first"], self.spans["last"] = hands.bounds[which], hands.bounds[which + 1]
        self.spans["row"][1:] = np.cumsum(self.spans["last"] - self.spans["first"])[:-1]
        self.views: Any = zeros(View, 0)
        self.events: Any = zeros(Events, 0)
        self.others: Any = zeros(OtherHands, 0)

    def block(self, first: int, last: int, records: NDArray[Any]) -> None:
        """Play hands ``first`` to before ``last``, and write their records; with an encoder their views too."""
        count = len(records)
        part = slice(first - self.number, last - self.number)
        spans = self.spans[part]
        spans["row"] -= spans["row"][0]
        if self.encoder is not None and len(self.views) < count:
            self.views = zeros(View, max(count, _BLOCK))
            self.events = zeros(Events, len(self.views) if self.encoder.wants_events else 0)
            self.others = zeros(OtherHands, len(self.views) if self.encoder.wants_hidden else 0)
        inputs = self.states, shanten_tables(), cast("Any", self.starts[part]), cast("Any", spans)
        wrong = replay_hands(*inputs, self.hands.taken, cast("Any", records), self.views, self.events)
        if wrong != ALL_PLAYED:
            rules = self.hands.rules[int(spans["rules"][wrong])]
            raise DatasetError(f"a hand cannot be played by its rules: {rules.name}")
        if len(self.others):
            replay_others(*inputs, self.hands.taken, self.others)

    def encode(self, rows: NDArray[np.int64] | slice, packed: NDArray[Any]) -> None:
        """Write the packed observations (n, …) of decisions of the last block (n rows in it)."""
        if self.encoder is None:
            return

        def taken(records: Any) -> Any:
            return records[rows] if isinstance(rows, slice) else take_rows(records, rows)

        # That the encoder serves the rules of all hands was checked before.
        logs = taken(self.events) if self.encoder.wants_events else None
        hidden = taken(self.others) if self.encoder.wants_hidden else None
        self.encoder.write_unchecked(taken(self.views), logs, packed, hidden=hidden)
