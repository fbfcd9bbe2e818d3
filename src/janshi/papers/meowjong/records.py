"""Which records are learned from and which are tested on, and what is in them (tables 3.3 and 3.4)."""

from __future__ import annotations

import dataclasses
import re
from collections import Counter
from pathlib import Path
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from janshi.encoders import encoder
from janshi.learn.dataset import (
    HANDS_FILE,
    INDEX_FILE,
    HandSet,
    decisions,
    load_hands,
    name_parts,
    read_hands,
)
from janshi.papers.meowjong.decisions import DECISIONS
from janshi.papers.meowjong.labels import labelled, mean_and_deviation, sizes
from janshi.papers.runner import ReproduceError, Run

#: Share of the games that decide between weights, and of those tested on where records are of one year alone.
HELD: Final = 0.1
_YEAR: Final = re.compile(r"(?<!\d)((?:19|20)\d\d)(?!\d)")
_DAY: Final = re.compile(r"(?<!\d)(20\d\d)(?:0[1-9]|1[0-2])(?:0[1-9]|[12]\d|3[01])")


def year_of(name: str) -> int | None:
    """Return the year of a game by its name, ``ARCHIVE:FILE`` or ``FOLDER/FILE``: the archive's, else the file's.

    >>> year_of("sanma-2009.zip:2020010100gm.mjlog"), year_of("mine.zip:2020010100gm.mjlog"), year_of("mine/a.json")
    (2009, 2020, None)
    """
    archive, member = name_parts(name)
    match = _YEAR.search(archive) or _YEAR.search(member) or _DAY.search(member)
    return int(match[1]) if match else None


def divide(hands: HandSet, seed: int) -> tuple[HandSet, HandSet, str]:
    """Return the hands to learn from, those to test on, and the rule in words.

    Tested on are the games of the newest year, learned from those of the others. Archives or folders named ``odd`` are
    left out, and so is what no year is known of. Where all are of one year, a tenth of the games is tested on.
    """
    odd = np.array(["odd" in name_parts(name)[0].lower() for name in hands.names])
    years = np.array([year_of(name) or 0 for name in hands.names])
    usable = ~odd & (years > 0)
    known = np.unique(years[usable])
    if len(known) < 2:
        kept = hands.part(np.flatnonzero(~odd[hands.games])) if not odd.all() else hands
        learned, tested = kept.split(HELD, seed + 1)
        return learned, tested, "records of one year: a tenth of the games are tested on"
    newest = int(known[-1])
    learned = hands.part(np.flatnonzero((usable & (years < newest))[hands.games]))
    tested = hands.part(np.flatnonzero((usable & (years == newest))[hands.games]))
    before = ", ".join(map(str, known[:-1].tolist()))
    left = int((~usable[np.unique(hands.games)]).sum())
    rule = f"the newest year, {newest}, is tested on, the others ({before}) are learned from"
    return learned, tested, rule + (f"; {left:,} games named odd, or of no known year, are left out" if left else "")


def first_games(hands: HandSet, most: int | None, seed: int) -> HandSet:
    """Return whole games of a set, drawn at random, until there are enough hands."""
    if most is None or len(hands) <= most:
        return hands
    order = np.random.default_rng([seed, 11]).permutation(np.unique(hands.games))
    counts = np.bincount(hands.games)[order].cumsum()
    kept = order[: int(np.searchsorted(counts, most)) + 1]
    return hands.part(np.flatnonzero(np.isin(hands.games, kept)))


def enough(hands: HandSet, decision: str, most: int | None, seed: int) -> HandSet:
    """Return hands drawn at random until they hold enough situations of one decision."""
    if most is None:
        return hands
    rows = labelled(decisions(hands))
    with_decision = rows.decisions.hand[rows.labels[:, DECISIONS.index(decision)] >= 0]
    order = np.random.default_rng([seed, 12]).permutation(len(hands))
    counts = np.bincount(with_decision, minlength=len(hands))[order].cumsum()
    return hands.part(order[: int(np.searchsorted(counts, most)) + 1])


def read_records(run: Run) -> dict[str, Any]:
    """Read records, divide them, keep them in the stage's folder; return what is in them."""
    options, scale, seed = run.options, run.scale, run.options.seed

    def read(paths: tuple[Path, ...]) -> HandSet:
        return read_hands(paths, 3, progress=lambda games: run.report(f"read {games:,} games"))

    if options.training:
        learned, tested = read(options.training), read(options.test)
        rule, skipped = "as they were named", learned.skipped + tested.skipped
    else:
        hands = read(options.records)
        learned, tested, rule = divide(hands, seed)
        skipped = hands.skipped
    learned, tested = first_games(learned, scale.hands, seed), first_games(tested, scale.test_hands, seed)
    _check_games(learned, tested)
    run.report("counting")
    learned.save(run.folder / "training")
    tested.save(run.folder / "test")
    training, held = learned.split(HELD, seed)
    sets = {"training": training, "development": held, "test": tested}
    counted = {name: sizes(hand_set) for name, hand_set in sets.items()}
    _check_sizes(counted)
    means = mean_and_deviation(training)
    stored = sum((run.folder / folder / name).stat().st_size for folder in ("training", "test") for name in _FILES)
    return {
        "rule": rule,
        "skipped": skipped,
        "bytes": stored,
        "sets": {name: _description(hand_set) for name, hand_set in sets.items()},
        "sizes": {
            decision: {name: dataclasses.asdict(by_decision[decision]) for name, by_decision in counted.items()}
            for decision in DECISIONS
        },
        "means": {
            decision: {
                "examples": counted["training"][decision].examples,
                "mean": means[decision][0],
                "deviation": means[decision][1],
                "check": _directly(training, decision, scale.check, seed),
            }
            for decision in DECISIONS
        },
    }


_FILES: Final = (HANDS_FILE, INDEX_FILE)


def _check_games(learned: HandSet, tested: HandSet) -> None:
    for name, hands, least in (("learn from", learned, 2), ("test on", tested, 1)):
        games = len(np.unique(hands.games))
        if games < least:
            raise ReproduceError(f"too few records: {games} sanma games to {name}, it takes {least} at least")
    both = {wall.tobytes() for wall in learned.walls} & {wall.tobytes() for wall in tested.walls}
    if both:
        raise ReproduceError(f"{len(both):,} hands would be both learned from and tested on: name each record once")


def _check_sizes(counted: dict[str, dict[str, Any]]) -> None:
    for name, by_decision in counted.items():
        for decision in DECISIONS:
            if by_decision[decision].examples == 0:
                raise ReproduceError(f"too few records: no {decision} could be decided in the {name} set's games")


def _description(hands: HandSet) -> dict[str, Any]:
    games = np.unique(hands.games)
    archives = Counter(name_parts(hands.names[game])[0] for game in games.tolist())
    return {"hands": len(hands), "games": len(games), "archives": dict(sorted(archives.items()))}


def _directly(hands: HandSet, decision: str, most: int, seed: int) -> dict[str, Any]:
    """The deviation of some observations computed directly beside √(μ − μ²) of the same ones."""
    shown = encoder("meowjong")
    rows = labelled(decisions(enough(hands, decision, most, seed), encoder=shown))
    assert rows.packed is not None
    columns = rows.packed[rows.labels[:, DECISIONS.index(decision)] >= 0][:most]
    dense: NDArray[np.float64] = shown.inputs(columns).astype(np.float64)
    mean, direct = float(dense.mean()), float(dense.std())
    formula = float(np.sqrt(mean - mean**2))
    return {"examples": len(columns), "direct": direct, "formula": formula, "relative error": formula / direct - 1}


def training_and_development(run: Run) -> tuple[HandSet, HandSet]:
    """Return the hands to learn from and those that are looked at meanwhile."""
    return load_hands(run.folders["records"] / "training").split(HELD, run.options.seed)


def test_hands(run: Run) -> HandSet:
    """Return the hands to test on."""
    return load_hands(run.folders["records"] / "test")
