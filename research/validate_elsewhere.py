"""Convert recorded games and let other programs read them: jansou's validator, and riichienv.

Of each archive some games, evenly spread, are written as mjai, mjlog and (four players) tenhou.net/6 JSON. jansou
scores every win and compares it with the record. riichienv reads the mjai: the points after every hand and its scores
of wins are compared. Prints a row for each archive and format, then every difference; the exit code is 1 if there is
one.

    python research/validate_elsewhere.py RECORDS… --games 1000 --jansou PYTHON

PYTHON is an interpreter with the package ``jansou``; without it only riichienv reads.

The reader of riichienv 0.4.11 has faults, which its own logs (``RiichiEnv.mjai_log``) show as well. It counts every
draw twice, so that most wins pass as the last draw or discard; it counts the indicator of a ``dora`` twice; it reads a
closed kan as four 1m and leaves its tiles in the hand; in a game of three it does not count kita, does not see a win on
the replacement tile of a kita, and lets a double riichi follow it. Its score is therefore compared in hands without a
kan only, with the circumstances of the record.
"""

from __future__ import annotations

import argparse
import re
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

import numpy as np

from janshi.records import Damaged, read_source, sources, write_games
from janshi.riichi.records import Event, Limit, RecordedHand, RecordedWin, RiichiGame
from janshi.riichi.rules.yaku import YakuId

#: Formats and their file name suffixes; tenhou.net/6 has only four players for jansou.
FORMATS: Final = {"mjai": ".jsonl", "mjlog": ".mjlog", "tenhou6": ".json"}
_COUNTS: Final = re.compile(r"files: (\d+)  wins passed: (\d+)  failed: (\d+)  file errors: (\d+)")


@dataclass
class Result:
    """What a program says of the games of an archive in a format."""

    files: int = 0
    confirmed: int = 0
    differences: list[str] = field(default_factory=list)


def evenly(games: list[Any], most: int) -> list[Any]:
    """Return at most so many of a list, evenly spread."""
    return games if len(games) <= most else [games[number * len(games) // most] for number in range(most)]


def games_of(archive: Path, most: int) -> Iterator[RiichiGame]:
    """Yield games of Riichi of an archive, evenly spread."""
    for source in evenly([each for each in sources([archive]) if not isinstance(each, Damaged)], most):
        yield from (game for game in read_source(source, game="riichi") if not isinstance(game, Damaged))


def write(games: list[RiichiGame], folder: Path) -> None:
    """Write every game in every format, one file a game."""
    for name, suffix in FORMATS.items():
        (folder / name).mkdir()
        for number, game in enumerate(games):
            if name == "tenhou6" and game.players == 3:
                continue
            (text,) = write_games([game], name, kita="kita" if name == "mjai" else None)
            (folder / name / f"{number:05}{suffix}").write_text(text, encoding="utf-8")


def by_jansou(python: str, folder: Path) -> Result:
    """Return the verdict of jansou's validator on the files of a folder."""
    files = sorted(folder.iterdir())
    if not files:
        return Result()
    command = [python, "-m", "jansou.validation.cli", str(folder / "*"), "--quiet", "--max-failures", "1000"]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    counts = _COUNTS.search(done.stdout)
    if counts is None:
        return Result(len(files), 0, [done.stderr.strip()[-500:] or done.stdout[-500:]])
    read, passed, failed, errors = map(int, counts.groups())
    said = [line.strip() for line in done.stdout.splitlines() if line.startswith("  ")]
    return Result(read, passed, said if failed or errors else [])


def by_riichienv(games: list[RiichiGame], folder: Path) -> Result:
    """Return what riichienv reads: the points after every hand, and the wins of hands without a kan."""
    import riichienv

    result = Result()
    for number, game in enumerate(games):
        file = folder / f"{number:05}.jsonl"
        try:
            replay = riichienv.MjaiReplay.from_jsonl(str(file))
            result.files += 1
            for hand, theirs in zip(game.hands, replay.take_kyokus(), strict=True):
                found = list(_differences(hand, theirs))
                result.confirmed += 0 if has_kan(hand) else len(hand.wins) - len(found)
                result.differences += [f"{game.source}, round {hand.round}: {what}" for what in found]
        except ValueError as error:
            result.differences.append(f"{game.source}: {error}")
    return result


def has_kan(hand: RecordedHand) -> bool:
    """Return whether a hand has a kan, which riichienv misreads (see the module's text)."""
    return bool(np.isin(hand.events[:, 0], (Event.DAIMINKAN, Event.ANKAN, Event.KAKAN)).any())


def _differences(hand: RecordedHand, theirs: Any) -> Iterator[str]:
    """Yield in words what riichienv reads otherwise of a hand."""
    after = hand.points_after()
    if theirs.end_scores[: len(after)] != after:
        yield f"points {theirs.end_scores}, record {after}"
    if has_kan(hand):
        return
    for win, context in zip(hand.wins, theirs.take_win_result_contexts(), strict=True):
        score = scored(win, context, len(after))
        fu = win.fu if win.fu >= 0 else score.fu
        if not (score.yakuman and win.limit == Limit.YAKUMAN) and (score.han, score.fu) != (win.han, fu):
            yield f"{score.han} han {score.fu} fu {list(score.yaku)}, record {win.han} han {win.fu} fu {win.yaku}"


def scored(win: RecordedWin, context: Any, players: int) -> Any:
    """Return riichienv's score of a win; where its reader misreads the circumstances, those of the record count."""
    from riichienv._riichienv import HandEvaluator3P

    conditions, named = context.conditions, dict(win.yaku)
    conditions.haitei, conditions.houtei = YakuId.HAITEI in named, YakuId.HOUTEI in named
    if players == 4:
        return context.calculate(context.create_calculator(), conditions)
    conditions.kita_count = sum(meld.event == Event.KITA for meld in win.melds)
    conditions.is_sanma, conditions.num_players = True, 3
    conditions.rinshan, conditions.double_riichi = YakuId.RINSHAN_KAIHOU in named, YakuId.DOUBLE_RIICHI in named
    calculator = HandEvaluator3P(context.tiles, context.melds)
    return calculator.calc(context.agari_tile, context.dora_indicators, context.ura_indicators, conditions)


def main() -> int:
    """Run on the command line's archives."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("archives", nargs="+", type=Path)
    parser.add_argument("--games", type=int, default=50, help="most games of an archive")
    parser.add_argument("--jansou", help="Python interpreter with the package jansou")
    options = parser.parse_args()
    differing: list[str] = []
    for archive in options.archives:
        games = list(games_of(archive, options.games))
        with tempfile.TemporaryDirectory() as folder:
            write(games, Path(folder))
            results = {"riichienv mjai": by_riichienv(games, Path(folder) / "mjai")}
            if options.jansou:
                results |= {f"jansou {name}": by_jansou(options.jansou, Path(folder) / name) for name in FORMATS}
        for name, result in results.items():
            counts = f"{result.files:5} files {result.confirmed:6} wins {len(result.differences):4} differences"
            print(f"{archive.name:20} {name:16} {counts}", flush=True)
            differing += [f"{archive.name} {name}: {line}" for line in result.differences]
    print(*differing, sep="\n")
    return int(bool(differing))


if __name__ == "__main__":
    sys.exit(main())
