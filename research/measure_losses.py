"""Measure how many losses reviews find in recorded games, and whether other players' playouts agree.

    python research/measure_losses.py RECORDS --games 20
    python research/measure_losses.py RECORDS --games 20 --check efficient sl4-2026-11 --out RESULTS.jsonl

One seat of each game is reviewed by the best reviewer; seats change from game to game. Printed are the decisions played
out, the certain losses, and with ``--check`` the share of the listed moments in which the playouts of other players
find the choice worse too, and of the reasons and causes whose figures differ there in the same direction. Causes that
follow from the tiles or the points alone (waits, safety, needed wins) are not counted. Playouts of a moment end when
the signs of the loss and of all these figures are certain (confidence sequences with an error probability of 1 % each),
and after ``--samples`` samples at the latest.

Results are appended to the file ``--out`` as they come and reused from there, so that an interrupted run can be resumed
and players can be added.
"""

from __future__ import annotations

import argparse
import dataclasses
import json
import math
from collections.abc import Iterable
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import Any, Final

import numpy as np

from janshi.agents import agent, best_reviewer
from janshi.cluster import Workers, workers
from janshi.games import game_of
from janshi.review import review_game, review_of
from janshi.review.losses import HANDS, measure_losses
from janshi.review.model import Loss
from janshi.riichi.records import RiichiGame, read_games
from janshi.rollout.playouts import OptionResult, PlayoutPlan, Playouts, playouts_in_turn
from janshi.statistics import LEAST, Estimate, rate, sequence_reach
from janshi.table import DecisionBatch

#: Error probability of each sign.
_LEVEL: Final = 0.01
#: Half the width of a 95 % interval in standard errors.
_REACH: Final = 1.96


#: Causes that are figures of playouts.
_PLAYED: Final = {"yaku", "han", "seat", "tenpai"}


@dataclass(frozen=True)
class Claim:
    """A figure of both options: that of a reason, or of a cause."""

    reason: int
    """Index of the reason."""
    kind: str
    of: str | int | None
    """The yaku or the seat of a cause."""
    rises: bool
    """Whether the better action's is higher."""

    def figure(self, option: OptionResult) -> Estimate:
        """Return the figure of an option."""
        ends = option.ends
        if self.kind == "place":
            assert option.placement is not None, "the plan names a scale"
            points = option.placement
            return Estimate(-points.value, -points.high, -points.low, points.count)
        if self.kind == "yaku":
            source = ends.sources.get(str(self.of))
            figure = source and (source.han if "dora" in str(self.of) else source.share)
            return figure or rate(np.zeros(option.value.count, np.bool_))
        if self.kind == "seat":
            to = ends.dealt_to.get(int(self.of or 0))
            return to.rate if to else rate(np.zeros(option.deal_in.count, np.bool_))
        inside = {"draw": ends.draw_points, "others": ends.others, "han": ends.han, "tenpai": ends.tenpai}
        found: Estimate = inside[self.kind] if self.kind in inside else getattr(option, self.kind)
        return found


def claims_of(loss: Loss) -> list[Claim]:
    """Return the figures that the sentences of a loss name, reason by reason."""
    claims = []
    for number, reason in enumerate(loss.reasons):
        claims.append(Claim(number, reason.kind, None, reason.best > reason.done))
        for cause in reason.causes:
            if cause.kind in _PLAYED:
                of = cause.seat if cause.kind == "seat" else cause.name
                claims.append(Claim(number, cause.kind, of, (cause.best or 0) > (cause.done or 0)))
    return claims


@dataclass(frozen=True)
class Moment:
    """A listed choice: its decision, its action and the better one, and its loss in places."""

    decision: int
    done: int
    best: int
    lost: float
    claims: list[Claim]
    """The figures of its reasons and causes."""


@dataclass(frozen=True)
class Reviewed:
    """A review: numbers of measured, certainly worse and certainly better choices, and the listed ones."""

    measured: int
    worse: int
    better: int
    moments: list[Moment]


@dataclass(frozen=True)
class Checked:
    """A moment by a player's playouts."""

    samples: int
    lost: float
    certain: bool
    """Whether the sign of ``lost`` is certain."""
    holds: list[bool]
    """Whether the figure of each claim differs in the same direction."""


class Results:
    """Results by their keys, in a file of JSON lines or in memory."""

    def __init__(self, file: Path | None) -> None:
        self._file = file
        lines = file.read_text().splitlines() if file is not None and file.exists() else []
        self._found: dict[str, dict[str, Any]] = {}
        for line in lines:
            row = json.loads(line)
            self._found[row.pop("key")] = row

    def get(self, *key: str | int) -> dict[str, Any] | None:
        """Return the result of a key."""
        return self._found.get(" ".join(map(str, key)))

    def put(self, result: Reviewed | Checked, *key: str | int) -> None:
        """Append the result of a key."""
        row = {"key": " ".join(map(str, key))} | dataclasses.asdict(result)
        if self._file is not None:
            with self._file.open("a") as out:
                out.write(json.dumps(row) + "\n")


class Measurement:
    """Reviews of the seats of games, and checks of their moments."""

    def __init__(self, options: argparse.Namespace, team: Workers) -> None:
        self._options, self._team = options, team
        self._results = Results(options.out)
        self.reviews: list[Reviewed] = []
        self.checks: dict[str, list[tuple[Moment, Checked]]] = {player: [] for player in options.check}

    def add(self, number: int, game: RiichiGame) -> None:
        """Review a seat of a game by its index, and check its moments."""
        seat = number % game.players
        key = self._options.records.name, number, self._options.hands
        kept = self._results.get(*key)
        if kept is None:
            reviewed = self._review(game, seat)
            self._results.put(reviewed, *key)
        else:
            moments = [
                Moment(**each | {"claims": [Claim(**claim) for claim in each["claims"]]}) for each in kept["moments"]
            ]
            reviewed = Reviewed(**kept | {"moments": moments})
        self.reviews.append(reviewed)
        if not reviewed.moments or not self.checks:
            return
        positions = review_of(game.rules).positions
        assert positions is not None, "Riichi's reviews have positions"
        batches = positions(game, seat)
        for moment in reviewed.moments:
            for player, checks in self.checks.items():
                which = *key, moment.decision, player, self._options.samples
                found = self._results.get(*which)
                checked = self._check(moment, batches[moment.decision], player, number) if found is None else None
                if checked is not None:
                    self._results.put(checked, *which)
                checks.append((moment, checked or Checked(**found or {})))

    def _review(self, game: RiichiGame, seat: int) -> Reviewed:
        reviewer = agent(best_reviewer(game.players, game_of(game.rules).name))
        review = measure_losses(review_game(game, seat, reviewer), game, self._team, hands=self._options.hands)
        moments: list[Moment] = []
        for number in review.report.moments:
            decision = review.decisions[number]
            assert decision.loss is not None, "moments are measured"
            claims = claims_of(decision.loss)
            moments.append(Moment(number, decision.done, decision.advice.best, decision.loss.lost, claims))
        losses = review.report.losses
        assert losses is not None, "Riichi's reviews measure losses"
        return Reviewed(losses.measured, losses.worse, losses.better, moments)

    def _check(self, moment: Moment, batch: DecisionBatch, player: str, number: int) -> Checked:
        *_, (_, last) = playouts_in_turn(
            [(batch, (moment.done, moment.best))],
            lambda result: not (result.decided and all(_is_certain(result, claim) for claim in moment.claims)),
            players=player,
            hands=2 * self._options.samples,
            samples=self._options.samples,
            seed=number + 1,
            processes=self._team,
            plan=PlayoutPlan(scale="place", level=_LEVEL),
        )
        done, best = last.options
        place = Claim(0, "place", None, rises=False)
        lost = place.figure(done).value - place.figure(best).value
        higher = [(claim.figure(best).value - claim.figure(done).value, claim.rises) for claim in moment.claims]
        holds = [each > 0 if rises else each < 0 for each, rises in higher]
        return Checked(last.samples, lost, last.decided, holds)


def _is_certain(result: Playouts, claim: Claim) -> bool:
    """Return whether the sign of the difference of two options in a figure is certain.

    The figures are taken as independent, which is cautious: common luck makes their difference more certain.
    """
    figures = [claim.figure(option) for option in result.options]
    count = min(figure.count for figure in figures)
    if count < LEAST:
        return False
    variance = sum(((figure.high - figure.low) / 2 / _REACH) ** 2 for figure in figures) * count
    return abs(figures[0].value - figures[1].value) > sequence_reach(variance, count, _LEVEL)


def _print(reviews: list[Reviewed], checks: dict[str, list[tuple[Moment, Checked]]]) -> None:
    moments = [moment for review in reviews for moment in review.moments]
    measured, worse, better = (sum(getattr(each, what) for each in reviews) for what in ("measured", "worse", "better"))
    print(f"{measured} decisions of {len(reviews)} games: certainly worse {worse}, better {better}")
    print(f"listed: {len(moments)}")
    dear = sum(moment.lost >= 0.1 for moment in moments)
    print(f"listed losses of 0.1 places or more: {dear / len(reviews):.2f} a game")
    for player, found in checks.items():
        if found:
            print(f"by {player}, {np.mean([each.samples for _, each in found]):.0f} samples each:")
            _print_share("worse too", [each.lost > 0 for _, each in found])
            _print_share("of the certain ones", [each.lost > 0 for _, each in found if each.certain])
            claims = [list(zip(moment.claims, each.holds, strict=True)) for moment, each in found]
            _print_share("first reason holds", [holds for each in claims for _, holds in each[:1]])
            firsts = [[holds for claim, holds in each if claim.reason == 0] for each in claims]
            _print_share("first reason and its causes hold", [all(each) for each in firsts])
            _print_share("every reason and cause holds", [all(each.holds) for _, each in found])
            for kind in sorted({claim.kind for each in claims for claim, _ in each}):
                _print_share(kind, [holds for each in claims for claim, holds in each if claim.kind == kind])


def _print_share(what: str, hits: Iterable[bool]) -> None:
    share = rate(np.array(list(hits), np.bool_))
    if math.isfinite(share.value):
        percent = [f"{100 * bound:.0f}" for bound in (share.value, share.low, share.high)]
        print(f"  {what}: {percent[0]} % ({percent[1]} to {percent[2]}) of {share.count}")


def main() -> None:
    """Review games and print the figures."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("records", type=Path)
    parser.add_argument("--games", type=int, default=20)
    parser.add_argument("--first", type=int, default=0, help="games to skip")
    parser.add_argument("--hands", type=int, default=HANDS, help="hands played for the losses of a game")
    parser.add_argument("--check", nargs="+", default=[], help="players of independent playouts")
    parser.add_argument("--samples", type=int, default=2000, help="maximum samples of the independent playouts")
    parser.add_argument("--processes", type=int, default=1)
    parser.add_argument("--out", type=Path, help="file of the results, to resume from")
    options = parser.parse_args()
    found = (game for game in read_games([options.records]) if isinstance(game, RiichiGame))
    games = list(islice(found, options.first, options.first + options.games))
    if not games:
        parser.error(f"{options.records} holds no games of Riichi after the first {options.first}")
    with workers(processes=options.processes) as team:
        measurement = Measurement(options, team)
        for number, game in enumerate(games, options.first):
            measurement.add(number, game)
            listed = sum(len(review.moments) for review in measurement.reviews)
            print(f"{len(measurement.reviews)} games: {listed} listed", flush=True)
    _print(measurement.reviews, measurement.checks)


if __name__ == "__main__":
    main()
