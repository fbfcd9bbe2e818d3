"""Print the figures of people in records, for the history of own games (`janshi.web.pages.GamePage.people`).

    python tools/measure_people.py RECORDS

Each seat of a game counts as a game.
"""

from __future__ import annotations

import argparse
from pathlib import Path

from janshi.games import game_of
from janshi.records.sources import read_games
from janshi.riichi.records import Game
from janshi.riichi.records.model import Hand
from janshi.riichi.state import Event
from janshi.web.history import PlayedHand, figures_of

_CALLS = {Event.CHII, Event.PON, Event.DAIMINKAN}


def main() -> None:
    """Read records and print the figures."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("records", type=Path)
    options = parser.parse_args()
    games = [game for game in read_games([options.records]) if isinstance(game, Game)]
    players = {game.players for game in games}
    if len(players) != 1:
        parser.error(f"{options.records}: no games of Riichi, or of three and of four players")
    (count,) = players
    hands = [_of_seat(hand, seat) for game in games for hand in game.hands for seat in range(count)]
    places = list(range(1, count + 1)) * len(games)
    print(figures_of(game_of(games[0].rules).name, count, places, hands).model_dump_json(indent=1))


def _of_seat(hand: Hand, seat: int) -> PlayedHand:
    own = {int(event) for event in hand.events[hand.events[:, 1] == seat, 0]}
    wins = [win for win in hand.wins if win.who == seat]
    change = sum(change.deltas[seat] for change in hand.changes) - 1000 * (Event.ACCEPTED in own)
    return PlayedHand(
        won=bool(wins),
        self_drawn=any(win.from_who == seat for win in wins),
        dealt_in=any(win.from_who == seat != win.who for win in hand.wins),
        value=sum(win.points for win in wins),
        change=change,
        habits={"riichi": Event.RIICHI in own, "called": bool(_CALLS & own)},
    )


if __name__ == "__main__":
    main()
