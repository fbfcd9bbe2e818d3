"""Print the figures of people in records, for the history of own games (`janshi.web.pages.GamePage.people`).

    python research/measure_people.py RECORDS
    python research/measure_people.py RECORDS --reviews 100

Each seat of a game counts as a game. ``--reviews`` prints the places that they lose in a game by kind of mistake, for
reviews (`janshi.riichi.review.people`): seats of so many East–South games are reviewed as on the page.
"""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import get_args

import numpy as np

from janshi.agents import agent, best_reviewer
from janshi.cluster import workers
from janshi.games import game_of
from janshi.records.sources import read_games
from janshi.review import review_game
from janshi.review.losses import measure_losses
from janshi.review.model import Losses
from janshi.riichi.records import RiichiGame
from janshi.riichi.records.model import RecordedHand
from janshi.riichi.rules import Length
from janshi.riichi.state import Event
from janshi.say.names import MistakeKind
from janshi.web.history import StoredHand, figures_of

_CALLS = {Event.CHII, Event.PON, Event.DAIMINKAN}


def main() -> None:
    """Read records and print the figures."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("records", type=Path)
    parser.add_argument("--reviews", type=int, default=0, help="number of reviewed seats")
    options = parser.parse_args()
    games = [game for game in read_games([options.records]) if isinstance(game, RiichiGame)]
    players = {game.players for game in games}
    if len(players) != 1:
        parser.error(f"{options.records}: no games of Riichi, or of three and of four players")
    (count,) = players
    if options.reviews:
        _print_losses([game for game in games if game.rules.length == Length.EAST_SOUTH], options.reviews)
        return
    hands = [_of_seat(hand, seat) for game in games for hand in game.hands for seat in range(count)]
    places = list(range(1, count + 1)) * len(games)
    print(figures_of(game_of(games[0].rules).name, count, places, hands).model_dump_json(indent=1))


def _of_seat(hand: RecordedHand, seat: int) -> StoredHand:
    own = {int(event) for event in hand.events[hand.events[:, 1] == seat, 0]}
    wins = [win for win in hand.wins if win.who == seat]
    change = sum(change.deltas[seat] for change in hand.changes) - 1000 * (Event.ACCEPTED in own)
    return StoredHand(
        won=bool(wins),
        self_drawn=any(win.from_who == seat for win in wins),
        dealt_in=any(win.from_who == seat != win.who for win in hand.wins),
        value=sum(win.points for win in wins),
        change=change,
        habits={"riichi": Event.RIICHI in own, "called": bool(_CALLS & own)},
    )


def _print_losses(games: list[RiichiGame], reviews: int) -> None:
    """Print the mean losses of reviewed seats by kind, and their standard errors."""
    reviewer = agent(best_reviewer(games[0].players, game_of(games[0].rules).name))
    every: list[Losses] = []
    for number in range(reviews):
        game, seat = games[number % len(games)], (number + number // len(games)) % games[0].players
        with workers() as here:
            review = measure_losses(review_game(game, seat, reviewer), game, here)
        assert review.report.losses is not None, "Riichi's reviews measure losses"
        every.append(review.report.losses)
        print(f"{len(every)} seats: {sum(losses.worse for losses in every)} certainly worse choices", flush=True)
    for kind in get_args(MistakeKind):
        _print_mean(kind, [sum(each.lost for each in losses.kinds if each.kind == kind) for losses in every])
    _print_mean("all", [losses.lost for losses in every])
    _print_mean("certainly worse choices", [losses.worse for losses in every])
    _print_mean("choices played out", [losses.measured for losses in every])


def _print_mean(what: str, counts: list[float]) -> None:
    error = np.std(counts, ddof=1) / np.sqrt(len(counts))
    print(f"{what}: {np.mean(counts):.3f} ± {error:.3f} a game")


if __name__ == "__main__":
    main()
