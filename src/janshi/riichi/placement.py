"""Inputs of the placement model for Riichi: scaled points, round, honba and deposits."""

from __future__ import annotations

from pathlib import Path
from typing import Final

from janshi.compiling import Batch, Floats, entry, rule
from janshi.riichi.rules import Length
from janshi.riichi.state import Phase, State
from janshi.worth.placement import (
    Placement,
    PlacementWorkspace,
    PlaceShares,
    add_places,
    evaluate_orders,
    squashed,
)

#: Points in which differences between two seats are told apart: small, a hand, several hands.
_SCALES: Final = (1_500.0, 5_000.0, 15_000.0)
#: Rounds: East, South, West, four hands each.
_ROUNDS: Final = 12
_MOST_HONBA: Final = 5


@rule
def write_features(state: State, work: PlacementWorkspace) -> int:
    """Write the network's inputs at the beginning of a hand; seats count from the dealer. Return their number."""
    players = int(state.rules.players)
    dealer = int(state.dealer)
    pairs = players * (players - 1) // 2
    of_honba = 3 * pairs + 2 * players + 1
    most = int(state.seats[0].points)
    at = 0
    for first in range(players):
        own = int(state.seats[(dealer + first) % players].points)
        most = max(most, own)
        for second in range(first + 1, players):
            apart = own - int(state.seats[(dealer + second) % players].points)
            for scale in _SCALES:
                work.given[at] = squashed(apart / scale)
                at += 1
        work.given[3 * pairs + first] = own / 20_000
        work.given[3 * pairs + players + first] = squashed(own / 4_000)
    work.given[of_honba - 1] = squashed((most - int(state.rules.target)) / 4_000)
    work.given[of_honba] = min(int(state.honba), _MOST_HONBA) / _MOST_HONBA
    work.given[of_honba + 1] = min(int(state.deposits), _MOST_HONBA) / _MOST_HONBA
    short = 1 if int(state.rules.length) == Length.EAST else 0
    for number in range(_ROUNDS):
        now = 1 if number == min(int(state.kyoku), _ROUNDS - 1) else 0
        work.given[of_honba + 2 + number] = now
        work.given[of_honba + 2 + _ROUNDS + number] = now * short
    inputs = of_honba + 3 + 2 * _ROUNDS
    work.given[inputs - 1] = short
    return inputs


@entry(brief=True)
def write_places(
    states: Batch[State], weights: Floats, work: Batch[PlacementWorkspace], out: Batch[PlaceShares]
) -> None:
    """Write the probabilities of final places of tables at the beginning of a hand; at the end of a game 0 and 1.

    Args:
        states: (n).
        weights: of the layers, see `janshi.worth.placement.load_weights`.
        work: one.
        out: (n), zeros.
    """
    for number in range(len(states)):
        state = states[number]
        players = int(state.rules.players)
        if int(state.phase) <= Phase.HAND_OVER:
            inputs = write_features(state, work[0])
            evaluate_orders(weights, work[0], inputs, 24 if players == 4 else 6)
            add_places(work[0], players, int(state.dealer), out[number])
        else:
            for seat in range(players):
                place = 0
                for other in range(players):
                    own, others = int(state.seats[seat].points), int(state.seats[other].points)
                    place += 1 if others > own or (others == own and other < seat) else 0
                out[number].shares[seat * players + place] = 1


def _weights(players: int) -> Path:
    return Path(__file__).parents[1] / "players" / f"placement-{players}.safetensors"


#: The game's facet ``"placement"``.
PLACEMENT: Final = Placement(_weights, write_places)
