"""Replayed hands to learn from, encoded on demand.

A hand is stored as its wall, start and decisions (some 150 bytes in a Parquet file). Replaying it makes its
observations in about a microsecond each, so that no tensors are stored. It contains every decision with the action
taken and the legal actions, from which `janshi.riichi.dataset.tasks` and `janshi.papers` derive labels.

>>> from janshi.encoders import encoder
>>> from janshi.sample import SAMPLE
>>> batch = decisions(read_hands([SAMPLE], 3), np.arange(3), encoder=encoder("janshi"))
>>> batch.packed.shape == (len(batch), 401), batch.legal_mask().shape == (len(batch), 122)
(True, True)
"""

from __future__ import annotations

import dataclasses
import json
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from functools import cache
from itertools import islice
from pathlib import Path
from typing import Any, Final, TypeAlias, cast

import numpy as np
from numpy.typing import NDArray

from janshi.cluster import in_order, workers
from janshi.compiling import dtype_of, zeros
from janshi.core.rows import take_rows
from janshi.core.rules import write_rules
from janshi.core.shanten_tables import shanten_tables
from janshi.encoders import Encoder
from janshi.files import replacing
from janshi.installing import naming_extra
from janshi.learn.datasets import DatasetError
from janshi.records.formats import Damaged
from janshi.records.sources import Source, read_source, sources
from janshi.riichi.actions import ACTIONS, SIMPLE_ACTIONS, Action
from janshi.riichi.dataset.augmentation import TURNS, can_turn
from janshi.riichi.dataset.replaying import ALL_PLAYED, DecisionRecord, HandSpan, replay_hands
from janshi.riichi.play.steps import HandStart
from janshi.riichi.play.wall import wall_size
from janshi.riichi.records.replay import Replayer, Script
from janshi.riichi.rules import KanDora, Kuikae, Length, Rules
from janshi.riichi.state import Events, State, View

with naming_extra(__name__):
    import pyarrow as pa
    import pyarrow.parquet as pq

#: Version of the file layout.
FORMAT: Final = 3
HANDS_FILE: Final = "hands.parquet"
INDEX_FILE: Final = "decisions.parquet"

#: Fields of `DecisionRecord`, and the Boolean ones.
_COLUMNS: Final = frozenset(dtype_of(DecisionRecord).names or ())
_FLAGS: Final = frozenset({"riichi", "observed", "won", "deals_in"})
#: Hands of a batch of the index of a store.
_INDEXED: Final = 4096
#: Files of records of a job.
_SOURCES: Final = 32
#: Decisions of a block between views and encoding, few enough for the processor's cache.
_BLOCK: Final = 1024
_STARTS: Final = ("kyoku", "honba", "deposits", "dealer", *(f"points {seat}" for seat in range(4)))


# ---------------------------------------------------------------------------------------------------------
# Hands


@dataclass(slots=True)
class HandSet:
    """Hands of games with the same number of players, and their rules.

    ``walls`` (n, 136; int8), ``starts`` (n, 8; int32: kyoku, honba, deposits, dealer, points of the seats), ``taken``
    (uint8): actions, those of hand i from ``bounds[i]`` to ``bounds[i + 1]``, ``games`` (n, int32): index of the game
    in ``names``, ``numbers`` (n, int16): of the hand in its game, ``rule`` (n, int16): index in ``rules``.
    """

    rules: tuple[Rules, ...]
    rule: NDArray[np.int16]
    walls: NDArray[np.int8]
    starts: NDArray[np.int32]
    taken: NDArray[np.uint8]
    bounds: NDArray[np.int64]
    games: NDArray[np.int32]
    numbers: NDArray[np.int16]
    names: tuple[str, ...]  # source of each game: archive and file
    skipped: int = 0  # games left out: damaged, contradicting the rules, or of other numbers of players
    places: NDArray[np.int8] | None = None
    """Final place of each seat in the hand's game (n, 4; 0 first), −1 if unknown: see `with_places`."""
    seats: NDArray[np.bool_] | None = None
    """Seats to learn from (n, 4), None for all: see ``of`` of `read_hands`. Not stored by `save`."""

    def __len__(self) -> int:
        return len(self.walls)

    @property
    def players(self) -> int:
        """Number of players."""
        return self.rules[0].players

    def decisions(self, which: NDArray[np.int64], encoder: Encoder) -> Decisions:
        """Return the decisions of the `seats` in some of the hands, encoded lazily: see `decisions`."""
        batch = decisions(self, which, encoder=encoder, lazy=True)
        return batch if self.seats is None else batch.part(self.seats[which[batch.hand], batch.seat])

    def turns(self, encoder: Encoder) -> int:
        """Return the number of turns of observations: see `janshi.riichi.dataset.augmentation`."""
        return TURNS if can_turn(encoder, self.players) else 1

    def part(self, which: NDArray[np.int64]) -> HandSet:
        """Return the given hands in their order."""
        actions = [self.taken[self.bounds[hand] : self.bounds[hand + 1]] for hand in which]
        bounds = np.concatenate([[0], np.cumsum([len(part) for part in actions])]).astype(np.int64)
        taken = np.concatenate(actions) if actions else np.zeros(0, np.uint8)
        places = None if self.places is None else self.places[which]
        seats = None if self.seats is None else self.seats[which]
        rest = self.games[which], self.numbers[which], self.names, self.skipped, places, seats
        return HandSet(self.rules, self.rule[which], self.walls[which], self.starts[which], taken, bounds, *rest)

    def with_places(self) -> HandSet:
        """Return the same hands with the final `places` of the seats, for sets of whole games.

        The last hand of each game in the set counts as its end. If a seat decided nothing in that hand, its change is
        unknown, and the places of the game are −1.
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
        # Of equal points the seat that dealt first ranks first.
        ranks = np.argsort(np.argsort(-points, axis=1, kind="stable"), axis=1, kind="stable")
        ranks[(change == np.iinfo(np.int32).min).any(axis=1)] = -1
        places = np.full((len(self.names), 4), -1, np.int8)
        places[played, : self.players] = ranks
        return dataclasses.replace(self, places=places[self.games])

    @staticmethod
    def joined(parts: Sequence[HandSet]) -> HandSet:
        """Return the hands of one or more sets with the same number of players, without places."""
        rules = tuple(dict.fromkeys(rules for part in parts for rules in part.rules))
        sizes = np.cumsum([0, *(len(part.taken) for part in parts)])
        games = np.cumsum([0, *(len(part.names) for part in parts)])
        numbers = [np.array([rules.index(each) for each in part.rules], np.int16) for part in parts]
        seats = [np.ones((len(part), 4), np.bool_) if part.seats is None else part.seats for part in parts]
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
            seats=None if all(part.seats is None for part in parts) else np.concatenate(seats),
        )

    def split(self, share: float, seed: int) -> tuple[HandSet, HandSet]:
        """Split the hands by games; the second part holds a share of the games of each archive.

        Every archive (a year, a room) is represented on both sides in the same proportion.
        """
        aside = np.isin(self.games, self._drawn(share, np.random.default_rng(seed)))
        return self.part(np.flatnonzero(~aside)), self.part(np.flatnonzero(aside))

    def sample(self, share: float, seed: int) -> HandSet:
        """Return the hands of a share of the games of each archive, at least one game.

        With the same seed a larger share includes a smaller one.
        """
        # A separate stream, so that the sample is independent of `split` with the same seed.
        drawn = self._drawn(share, np.random.default_rng([seed, 3]))
        return self.part(np.flatnonzero(np.isin(self.games, drawn)))

    def _drawn(self, share: float, random: np.random.Generator) -> list[int]:
        """Return the numbers of a share of the games of each archive, at least one game."""
        archives: dict[str, list[int]] = {}
        for game in np.unique(self.games).tolist():
            archives.setdefault(name_parts(self.names[game])[0], []).append(game)
        drawn: list[int] = []
        for name in sorted(archives):
            games = random.permutation(archives[name])
            drawn += games[: round(share * len(games))].tolist()
        return drawn or [int(random.choice(np.unique(self.games)))]

    def save(self, folder: str | Path) -> None:
        """Write hands and the index of their decisions as two Parquet files into a folder (a store)."""
        folder = Path(folder)
        folder.mkdir(parents=True, exist_ok=True)
        metadata = {"format": FORMAT, "rules": [dataclasses.asdict(rules) for rules in self.rules]}
        size = wall_size(self.players)
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
        # An interruption never leaves an index of other hands beside these.
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


def _rules_of(fields: dict[str, Any]) -> Rules:
    """Return rules from their fields in JSON."""
    enums = {"length": Length, "kuikae": Kuikae, "kan_dora": KanDora}
    tuples = {name: tuple(value) for name, value in fields.items() if isinstance(value, list)}
    return Rules(**(fields | tuples | {name: kind(fields[name]) for name, kind in enums.items()}))


def load_hands(folder: str | Path) -> HandSet:
    """Return the hands of a folder written by `HandSet.save`. Raises `DatasetError` if it holds none."""
    folder = Path(folder)
    try:
        table = pq.read_table(folder / HANDS_FILE)
        metadata = json.loads(table.schema.metadata[b"janshi"])
        if metadata["format"] != FORMAT:
            raise DatasetError(f"{folder}: hands in a layout that this version does not read; run janshi dataset again")
        rules = tuple(_rules_of(fields) for fields in metadata["rules"])
        count = len(table)
        walls = np.zeros((count, 136), np.int8)
        size = wall_size(rules[0].players)
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
    of: Sequence[str] = (),
    progress: Callable[[int], None] | None = None,
    cluster: str | None = None,
    rules: Rules | None = None,
) -> HandSet:
    """Read records and stores (`HandSet.save`), and keep every hand that replays without mismatches.

    Games with other numbers of players, and damaged ones, are counted and left out. ``of``: parts of players' names; in
    games with such players only their seats are learned from (`HandSet.seats`). ``progress`` is called with the
    number of games read. ``rules`` take the place of the records'. ``cluster``: see `janshi.cluster.workers`, whose
    errors are raised; it does not change the hands. Raises `DatasetError` if no hand remains, a store has another
    number of players, names are given for a store, which holds none, or no game has a player of such a name.
    """
    given = list(paths)
    stored = [path for path in given if (Path(path) / HANDS_FILE).is_file()]
    if of and stored:
        raise DatasetError(f"{stored[0]} holds no names of players: name the records that it was made from")
    parts = [load_hands(path) for path in stored]
    for path, part in zip(stored, parts, strict=True):
        if part.players != players:
            raise DatasetError(f"{path} holds hands of {part.players} players, not {players}")
    records = [path for path in given if path not in stored]
    if records or not given:
        parts.append(_read_records(records, players, tuple(of), progress, cluster, rules))
    return parts[0] if len(parts) == 1 else HandSet.joined(parts)


def _read_records(
    paths: list[str | Path],
    players: int,
    of: tuple[str, ...],
    progress: Callable[[int], None] | None,
    cluster: str | None,
    by_rules: Rules | None,
) -> HandSet:
    """Replay records and keep their hands: see `read_hands`."""
    scripts: list[Script] = []
    games: list[int] = []
    names: list[str] = []
    seats: list[tuple[bool, ...]] = []
    rules: dict[Rules, int] = {}
    rule: list[int] = []
    read = 0
    damaged: list[Damaged] = []
    with workers(cluster) as team:
        for part in in_order(team.each(_replay_part, _parts(paths, players, of, by_rules))):
            read += part.read
            damaged += part.damaged
            for name, played, replayed, wanted in part.games:
                scripts += replayed
                rule += [rules.setdefault(played, len(rules))] * len(replayed)
                games += [len(names)] * len(replayed)
                names.append(name)
                seats.append(wanted)
            if progress is not None:
                progress(read)
    if not scripts:
        why = f" ({damaged[0]})" if damaged else ""
        raise DatasetError(f"no hand of {players} players in {', '.join(map(str, paths))}{why}")
    numbers = np.array(rule, np.int16), np.array(games, np.int32)
    hands = _pack(scripts, tuple(rules), *numbers, tuple(names), read - len(names))
    if not of:
        return hands
    found = np.array(seats)
    if not found.any():
        raise DatasetError(f"no player is named {' or '.join(of)} in {', '.join(map(str, paths))}")
    # All seats of a game without such a player.
    return dataclasses.replace(hands, seats=(found | ~found.any(axis=1, keepdims=True))[hands.games])


@dataclass(slots=True)
class _Part:
    """Games of some sources."""

    read: int = 0  # games, damaged ones included
    games: list[tuple[str, Rules, list[Script], tuple[bool, ...]]] = field(default_factory=list)
    """Name, rules and hands of each game, and whether its four seats have the wanted players."""
    damaged: list[Damaged] = field(default_factory=list)


_PartJob: TypeAlias = tuple[int, tuple[str, ...], Rules | None, list[Source | Damaged]]


def _parts(
    paths: Iterable[str | Path], players: int, of: tuple[str, ...], rules: Rules | None
) -> Iterator[_PartJob]:
    """Yield the jobs of `_replay_part`."""
    listed = sources(paths)
    while chunk := list(islice(listed, _SOURCES)):
        yield players, of, rules, chunk


def _replay_part(job: _PartJob) -> _Part:
    """Read and replay the games with a number of players in some sources."""
    players, of, rules, chunk = job
    part = _Part()
    for game in (game for source in chunk for game in _games(source, rules)):
        part.read += 1
        if isinstance(game, Damaged):
            part.damaged.append(game)
        elif game.players == players:
            scripts = _replayer().replay(game, scripts=True).scripts
            wanted = [any(name in who for name in of) for who in game.names]
            part.games.append((_short_name(game.source), game.rules, scripts, (*wanted, *[False] * (4 - players))))
    return part


@cache
def _replayer() -> Replayer:
    return Replayer()


def _games(source: Source | Damaged, rules: Rules | None) -> Iterable[Any]:
    return (source,) if isinstance(source, Damaged) else read_source(source, game="riichi", rules=rules)


def _short_name(source: str) -> str:
    """Return a game's name without the folders above its archive or folder, so that a store names no machine."""
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
    """Decisions of hands, one row each.

    ``records`` (n): their `janshi.riichi.dataset.replaying.DecisionRecord`, whose fields are attributes of the batch.
    If ``observed`` is False, another seat with a better claim took the tile, and the intended action is unknown.
    """

    __slots__ = ("_packed", "_source", "place", "records")

    action: NDArray[np.int16]  # action taken (n)
    legal: NDArray[np.int64]  # legal actions (n, 3) as words: see `janshi.riichi.actions`
    phase: NDArray[np.int8]  # what the table waited for (n): `janshi.riichi.state.Phase`
    drawn: NDArray[np.int8]  # tile just drawn (n), −1 for none
    tile: NDArray[np.int8]  # another seat's tile that could be claimed (n), −1 for none
    riichi: NDArray[np.bool_]  # whether the seat's riichi had been accepted (n)
    observed: NDArray[np.bool_]  # whether the answer was observed (n)
    hand: NDArray[np.int32]  # number of the hand (n), among the requested ones
    number: NDArray[np.int16]  # number of the decision in its hand (n), from 0
    seat: NDArray[np.int8]  # seat that decided (n)
    won: NDArray[np.bool_]  # whether the seat won the hand (n)
    change: NDArray[np.int32]  # points that the hand brought the seat (n), its riichi stick included
    yaku: NDArray[np.int64]  # yaku of a winning seat's hand (n; one bit for each of Tenhou's numbers); else 0
    result: NDArray[np.int8]  # how the hand ended for the seat (n): `janshi.riichi.endings.SeatEnding`
    value: NDArray[np.int32]
    """Points of the hands that the seat won or dealt in to (n), without honba and deposits; else 0."""
    deals_in: NDArray[np.bool_]  # whether another seat won by the tile of this action (n)
    dangerous: NDArray[np.int64]
    """On the own turn the kinds by whose discard another seat could win, as bits (n); else 0."""

    def __init__(
        self,
        packed: NDArray[Any] | None,
        records: NDArray[Any],
        place: NDArray[np.int8] | None = None,
        source: ObservationSource | None = None,
    ) -> None:
        self._packed = packed
        self._source = source
        self.records = records
        self.place = np.full(len(records), -1, np.int8) if place is None else place
        """Final place of the seat (n; 0 first), −1 if unknown (`HandSet.places`)."""

    def __len__(self) -> int:
        return len(self.records)

    @property
    def packed(self) -> NDArray[Any] | None:
        """Packed observations (n, …), None without an encoder; lazy ones are encoded on first access."""
        if self._packed is None and self._source is not None:
            self._packed = self._source.encode(self.records)
        return self._packed

    def part(self, rows: NDArray[Any]) -> Decisions:
        """Return the given decisions (numbers or a mask of rows) in their order."""
        packed = None if self._packed is None else self._packed[rows]
        return Decisions(packed, self.records[rows], self.place[rows], self._source)

    def encoded(self, encoder: Encoder) -> NDArray[Any]:
        """Return the observations of another encoder (n, …) by replaying the hands.

        Raises `DatasetError` for decisions without an encoder.
        """
        if self._source is None:
            raise DatasetError("decisions without an encoder cannot be encoded: request them with an encoder")
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
    """Return all decisions of hands in their order, independent of the number of threads.

    ``which``: numbers of hands, all by default; `Decisions.hand` counts among them. ``encoder``: of the observations,
    None for none. ``lazy``: encode on access of `Decisions.packed` of these or of a part: faster for few rows, slower
    for all. Raises `DatasetError` if a hand cannot be played by its rules, `EncoderError` if the encoder does not
    support these rules.
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
    source = None if encoder is None else ObservationSource(hands, chosen, encoder, threads)
    return Decisions(packed, records, place, source)


@dataclass(frozen=True, slots=True)
class ObservationSource:
    """Source of observations: hands, and the numbers of the ``chosen`` ones."""

    hands: HandSet
    chosen: NDArray[np.int64]
    encoder: Encoder
    threads: int

    def encode(self, records: NDArray[Any]) -> NDArray[Any]:
        """Return the packed observations (n, …) of decisions (`DecisionRecord`, n) by replaying the hands.

        Raises `DatasetError` if a hand cannot be played by its rules.
        """
        encoder = self.encoder
        packed = np.empty((len(records), *encoder.packed_shape), encoder.packed_dtype)
        wanted, hand = np.unique(records["hand"], return_inverse=True)
        chosen = self.chosen[wanted]
        # Decisions in the order of play, and the row of each among all decisions of the played hands.
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
    """Return the first row of each chosen hand's decisions (n + 1); the last number is the total."""
    counts = hands.bounds[chosen + 1] - hands.bounds[chosen]
    return np.concatenate([[0], np.cumsum(counts)]).astype(np.int64)


def _play(
    hands: HandSet,
    encoder: Encoder | None,
    chosen: NDArray[np.int64],
    threads: int,
    encode: Callable[[_Replay, int, int], None],
) -> NDArray[Any]:
    """Replay chosen hands, split among threads, and return the records of their decisions (n).

    ``encode`` is called after each block of hands with its replay and the first and last row of its decisions.
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
    """Yield the hands to play together, first and last: all, or as many as have `_BLOCK` decisions."""
    if not len(part):
        return
    first, end = int(part[0]), int(part[-1]) + 1
    while first < end:
        last = int(np.searchsorted(rows, rows[first] + _BLOCK, "right")) - 1 if small else end
        last = min(max(last, first + 1), end)
        yield first, last
        first = last


class _Replay:
    """Buffers of one thread that replays some of the chosen hands."""

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

    def block(self, first: int, last: int, records: NDArray[Any]) -> None:
        """Replay hands ``first`` to before ``last``, and write their records, with an encoder also their views."""
        count = len(records)
        part = slice(first - self.number, last - self.number)
        spans = self.spans[part]
        spans["row"] -= spans["row"][0]
        if self.encoder is not None and len(self.views) < count:
            self.views = zeros(View, max(count, _BLOCK))
            self.events = zeros(Events, len(self.views) if self.encoder.wants_events else 0)
        inputs = self.states, shanten_tables(), cast("Any", self.starts[part]), cast("Any", spans)
        wrong = replay_hands(*inputs, self.hands.taken, cast("Any", records), self.views, self.events)
        if wrong != ALL_PLAYED:
            rules = self.hands.rules[int(spans["rules"][wrong])]
            raise DatasetError(f"a hand cannot be played by its rules: {rules.name}")

    def encode(self, rows: NDArray[np.int64] | slice, packed: NDArray[Any]) -> None:
        """Write the packed observations (n, …) of the given rows (n) of the last block."""
        if self.encoder is None:
            return

        def taken(records: Any) -> Any:
            return records[rows] if isinstance(rows, slice) else take_rows(records, rows)

        # The encoder was checked for the rules of all hands before.
        logs = taken(self.events) if self.encoder.wants_events else None
        self.encoder.write_unchecked(taken(self.views), logs, packed)
