"""Measure how many losses reviews find in recorded games, and whether other players' playouts agree.

    python tools/measure_losses.py RECORDS --games 20
    python tools/measure_losses.py RECORDS --games 20 --check efficient --samples 2000

One seat of each game is reviewed by the best reviewer; seats change from game to game. Printed are the decisions played
out, the certain losses, and with ``--check`` the share of the listed moments in which the playouts of another player
find the choice worse too, and in which the first reason's figure differs in the same direction.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from itertools import islice
from pathlib import Path

import numpy as np

from janshi.agents import agent, best_reviewer
from janshi.cluster import workers
from janshi.games import game_of
from janshi.review import review_game, review_of
from janshi.review.losses import HANDS, measure_losses
from janshi.review.model import Loss, Review
from janshi.riichi.records import Game, read_games
from janshi.rollout.playouts import OptionResult, PlayoutPlan, playouts
from janshi.statistics import rate


def main() -> None:
    """Review games and print the figures."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("records", type=Path)
    parser.add_argument("--games", type=int, default=20)
    parser.add_argument("--first", type=int, default=0, help="games to skip")
    parser.add_argument("--hands", type=int, default=HANDS, help="hands played for the losses of a game")
    parser.add_argument("--check", default=None, help="player of independent playouts")
    parser.add_argument("--samples", type=int, default=2000, help="samples of the independent playouts")
    parser.add_argument("--processes", type=int, default=1)
    options = parser.parse_args()
    every: list[Loss] = []
    moments: list[tuple[Loss, float, bool]] = []
    dear = 0
    found = (game for game in read_games([options.records]) if isinstance(game, Game))
    games = list(islice(found, options.first, options.first + options.games))
    if not games:
        parser.error(f"{options.records} holds no games of Riichi after the first {options.first}")
    for number, (game, seat, review) in enumerate(_measured(games, options.hands, options.processes)):
        every += [each.loss for each in review.decisions if each.loss is not None]
        positions = review_of(game.rules).positions
        assert positions is not None, "Riichi's reviews have positions"
        batches = positions(game, seat)
        for moment in review.report.moments:
            decision = review.decisions[moment]
            assert decision.loss is not None, "moments are measured"
            dear += decision.loss.lost >= 0.1
            if options.check:
                result = playouts(
                    batches[moment],
                    (decision.done, decision.advice.best),
                    players=options.check,
                    samples=options.samples,
                    seed=number + 1,
                    plan=PlayoutPlan(scale="place", level=0),
                )
                moments.append(_checked(decision.loss, *result.options))
        print(f"{number + 1} games: {len(every)} decisions, {sum(loss.certain for loss in every)} certain", flush=True)
    _print(len(games), every, dear, moments)


def _measured(games: list[Game], hands: int, processes: int) -> Iterator[tuple[Game, int, Review]]:
    """Yield each game with the reviewed seat and its review with losses."""
    with workers(processes=processes) as team:
        for number, game in enumerate(games):
            seat = number % game.players
            review = review_game(game, seat, agent(best_reviewer(game.players, game_of(game.rules).name)))
            yield game, seat, measure_losses(review, game, team, hands=hands)


def _checked(loss: Loss, done: OptionResult, best: OptionResult) -> tuple[Loss, float, bool]:
    """Return a loss, the loss by other playouts, and whether its first reason holds there too."""
    reason = loss.reasons[0]
    own, other = (
        _place(each) if reason.kind == "place" else getattr(each, reason.kind).value for each in (done, best)
    )
    return loss, _place(done) - _place(best), (other - own) * (reason.best - reason.done) > 0


def _place(option: OptionResult) -> float:
    assert option.placement is not None, "the plan names a scale"
    return -option.placement.value


def _print(games: int, losses: list[Loss], dear: int, moments: list[tuple[Loss, float, bool]]) -> None:
    worse = sum(loss.certain and loss.lost > 0 for loss in losses)
    better = sum(loss.certain and loss.lost < 0 for loss in losses)
    print(f"{len(losses)} decisions of {games} games: certainly worse {worse}, better {better}")
    print(f"losses of 0.1 places or more: {dear / games:.2f} a game")
    if moments:
        for what, hits in (
            ("worse by the other playouts too", [places > 0 for _, places, _ in moments]),
            ("first reason holds", [holds for _, _, holds in moments]),
        ):
            share = rate(np.array(hits))
            percent = [f"{100 * bound:.0f}" for bound in (share.value, share.low, share.high)]
            print(f"{what}: {percent[0]} % ({percent[1]} to {percent[2]}) of {share.count}")


if __name__ == "__main__":
    main()
