"""The division of records into training and test sets, shared by the papers."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from janshi.papers.runner import ReproduceError, Run
from janshi.riichi.dataset import HANDS_FILE, INDEX_FILE, HandSet, name_parts, read_hands

#: Share of the games that decide between weights, and of the tested ones if all records are of one year.
HELD: Final = 0.1
#: Share of the newest year's games that are tested on if not all of them are.
NEWEST: Final = 0.2
_FILES: Final = (HANDS_FILE, INDEX_FILE)
_YEAR: Final = re.compile(r"(?<!\d)((?:19|20)\d\d)(?!\d)")
_DAY: Final = re.compile(r"(?<!\d)(20\d\d)(?:0[1-9]|1[0-2])(?:0[1-9]|[12]\d|3[01])")
#: Archives or folders that are neither learned from nor tested on: odd rooms, aimed cases, games of machines.
_APART: Final = re.compile(r"(?<![a-z])(?:odd|rare|ai)(?![a-z])")
_MACHINES: Final = re.compile(r"(?<![a-z])ai(?![a-z])")


def year_of(name: str) -> int | None:
    """Return the year of a game by its name, ``ARCHIVE:FILE`` or ``FOLDER/FILE``: the archive's, else the file's.

    >>> year_of("sanma-2009.zip:2020010100gm.mjlog"), year_of("mine.zip:2020010100gm.mjlog"), year_of("mine/a.json")
    (2009, 2020, None)
    """
    archive, member = name_parts(name)
    match = _YEAR.search(archive) or _YEAR.search(member) or _DAY.search(member)
    return int(match[1]) if match else None


# ---------------------------------------------------------------------------------------------------------
# Dividing


def divide(hands: HandSet, seed: int) -> tuple[HandSet, HandSet, str]:
    """Return the hands to learn from, those to test on, and the rule in words.

    Tested on are the games of the newest year and, where these are less than a tenth of the hands (the papers' share),
    as many of the years before as it takes, newest first; learned from are the others. Archives or folders named
    ``odd`` and games without a known year are left out. If all are of one year, a tenth of the games is tested
    on.
    """
    odd = np.array(["odd" in name_parts(name)[0].lower() for name in hands.names])
    years = np.array([year_of(name) or 0 for name in hands.names])
    usable = ~odd & (years > 0)
    known = np.unique(years[usable])
    if len(known) < 2:
        kept = hands.part(np.flatnonzero(~odd[hands.games])) if not odd.all() else hands
        learned, tested = kept.split(HELD, seed + 1)
        return learned, tested, "all records are of one year; a tenth of the games is the test set"
    newest = int(known[-1])
    used = np.flatnonzero(usable[hands.games])
    more = _newest_games(hands.part(used), years, newest)
    tests = usable & ((years == newest) | np.isin(np.arange(len(years)), more))
    before = ", ".join(map(str, known[:-1].tolist()))
    rule = f"the test set is the newest year, {newest}; the others ({before}) are the training set"
    if more:
        rule = (
            f"the test set is the newest year, {newest}, and the newest {len(more):,} games of the years before, "
            f"together a tenth of the hands; the others ({before}) are the training set"
        )
    left = int((~usable[np.unique(hands.games)]).sum())
    rule += f"; {left:,} games named odd or without a known year are skipped" if left else ""
    tested = used[tests[hands.games[used]]]
    return hands.part(np.setdiff1d(used, tested)), hands.part(tested), rule


def _newest_games(hands: HandSet, years: NDArray[np.int64], newest: int) -> list[int]:
    """Games of the years before the ``newest`` that make it a tenth of the hands: the last ones by year and name."""
    counts = np.bincount(hands.games, minlength=len(years))
    missing = HELD * len(hands) - counts[years == newest].sum()
    before = [game for game in np.unique(hands.games).tolist() if years[game] < newest]
    chosen: list[int] = []
    for game in sorted(before, key=lambda game: (years[game], hands.names[game]), reverse=True):
        if missing <= 0:
            break
        chosen.append(game)
        missing -= counts[game]
    return chosen


def hold_out(hands: HandSet, *, programs: bool = False) -> tuple[HandSet, HandSet, str]:
    """Return the hands to learn from, those to test on, and the rule in words, if one year has most of the games.

    Tested on is a fifth of the games of the newest year: those whose names come first, whatever the seed. Learned from
    are all others. Archives or folders named ``odd``, ``rare`` or ``ai`` are left out; with ``programs`` those named
    ``ai`` are learned from.
    """
    machines = _of_machines(hands)
    apart = np.array([bool(_APART.search(name_parts(name)[0].lower())) for name in hands.names])
    apart &= ~(machines & programs)
    used = np.unique(hands.games)
    left = int(apart[used].sum())
    used = used[~apart[used]]
    people = used[~machines[used]]
    if not len(people):
        raise ReproduceError("too few records: games of archives named odd, rare or ai are not used for testing")
    years = np.array([year_of(name) or 0 for name in hands.names])
    newest = people[years[people] == years[people].max()]
    in_order = sorted(newest.tolist(), key=lambda game: hands.names[game])
    held = in_order[: max(1, round(NEWEST * len(in_order)))]
    aside = np.isin(hands.games, held)
    learned = hands.part(np.flatnonzero(np.isin(hands.games, used) & ~aside))
    first, last = hands.names[held[0]], hands.names[held[-1]]
    year = f" of {years[newest[0]]}" if years[newest[0]] else ""
    rule = (
        f"the test set is a fifth of the {len(newest):,} games{year}, the first by name ({first} to {last}, "
        f"{len(held):,} games); all other games are the training set"
    )
    more = f"; {left:,} games of archives named odd, rare or ai are skipped" if left else ""
    return learned, hands.part(np.flatnonzero(aside)), rule + more


def of_machines(hands: HandSet) -> HandSet:
    """Return the hands of archives or folders named ``ai``: games of programs, tested on separately."""
    return hands.part(np.flatnonzero(_of_machines(hands)[hands.games]))


def _of_machines(hands: HandSet) -> NDArray[np.bool_]:
    """Return which games (n) are of archives or folders named ``ai``."""
    return np.array([bool(_MACHINES.search(name_parts(name)[0].lower())) for name in hands.names])


def read_divided(
    run: Run, players: int, division: Callable[[HandSet], tuple[HandSet, HandSet, str]]
) -> tuple[HandSet, HandSet, str, int]:
    """Read the records of a run: hands to learn from, hands to test on, the rule in words, and games left out.

    ``division`` divides them if the run does not name both sets.
    """

    def read(paths: tuple[Path, ...]) -> HandSet:
        return read_hands(paths, players, progress=lambda games: run.report(f"read {games:,} games"))

    if run.options.training:
        learned, tested = read(run.options.training), read(run.options.test)
        return learned, tested, "training and test records were given separately", learned.skipped + tested.skipped
    hands = read(run.options.records)
    return *division(hands), hands.skipped


def check_games(learned: HandSet, tested: HandSet, kind: str) -> None:
    """Raise `ReproduceError` if there are too few games, or hands on both sides; ``kind``: of games, in words."""
    for name, hands, least in (("learn from", learned, 2), ("test on", tested, 1)):
        games = len(np.unique(hands.games))
        if games < least:
            raise ReproduceError(f"too few records: {games} {kind} games to {name}, it takes {least} at least")
    both = {wall.tobytes() for wall in learned.walls} & {wall.tobytes() for wall in tested.walls}
    if both:
        raise ReproduceError(f"{len(both):,} hands would be in the training and the test set: name each record once")


# ---------------------------------------------------------------------------------------------------------
# Subsets


def first_games(hands: HandSet, most: int | None, seed: int) -> HandSet:
    """Return whole games of a set, drawn at random, until there are enough hands."""
    if most is None or len(hands) <= most:
        return hands
    order = np.random.default_rng([seed, 11]).permutation(np.unique(hands.games))
    counts = np.bincount(hands.games)[order].cumsum()
    kept = order[: int(np.searchsorted(counts, most)) + 1]
    return hands.part(np.flatnonzero(np.isin(hands.games, kept)))


def enough_hands(hands: HandSet, situations: NDArray[Any], most: int, seed: int) -> HandSet:
    """Return hands drawn at random until they hold enough situations.

    ``situations``: numbers of the hands that each is in.
    """
    order = np.random.default_rng([seed, 12]).permutation(len(hands))
    counts = np.bincount(situations, minlength=len(hands))[order].cumsum()
    return hands.part(order[: int(np.searchsorted(counts, most)) + 1])


# ---------------------------------------------------------------------------------------------------------
# Storage


def save_divided(run: Run, learned: HandSet, tested: HandSet) -> int:
    """Keep both sets of hands in a stage's folder, as ``training`` and ``test``; return their size in bytes."""
    learned.save(run.folder / "training")
    tested.save(run.folder / "test")
    return sum((run.folder / folder / name).stat().st_size for folder in ("training", "test") for name in _FILES)


def described(hands: HandSet) -> dict[str, Any]:
    """Return the numbers of hands and games, and the archives."""
    games = np.unique(hands.games)
    archives = Counter(name_parts(hands.names[game])[0] for game in games.tolist())
    return {"hands": len(hands), "games": len(games), "archives": dict(sorted(archives.items()))}
