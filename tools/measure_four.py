"""What a four-player player does in whole games and in reviews, beyond what ``janshi arena`` prints.

    python tools/measure_four.py games PLAYER OPPONENT GAMES [SEED]
    python tools/measure_four.py reviews REVIEWER RECORDS [COUNT]
    python tools/measure_four.py seats PLAYER RECORDS NAME

``games``: whole East–South games on shared walls, GAMES in each seat, against three of OPPONENT: mean place, deal-ins,
and how often it declares riichi in the last hand (South 4 or later) when it leads by 8,000 points or more.

``reviews``: COUNT games (50) reviewed in every seat. Of the discards that are safe against every seat in riichi while
the hand is not tenpai after any discard: how many the reviewer calls a mistake that costs more than 10 %.

``seats``: how a player over the whole action space agrees with the seats whose name in the records holds NAME.
"""

from __future__ import annotations

import sys
from itertools import islice
from typing import Any

import numpy as np
from numpy.typing import NDArray

from janshi.agents.policy import PolicyAgent
from janshi.arena import Match, MatchConfig, play_match
from janshi.arena.results import rate
from janshi.learn.dataset import CHUNK, decisions, name_parts, read_hands
from janshi.learn.measuring import measured_policy, policy_targets
from janshi.records import Game, read_games
from janshi.registry import agent
from janshi.review.game import folds, review_game
from janshi.riichi.rules import TENHOU

#: A lead as large as that is to be kept.
LEAD = 8000
#: Games that are played together: an interrupted match counts those before.
_SIDE_BY_SIDE = 400
#: A cost above this is a mistake.
MISTAKE = 0.1


def starts_and_rounds(match: Match) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Return the points at the start of every hand (n, 4), and how often the deal had gone on before it (n).

    The hands of a match stand in the order of their games, and in these in order.
    """
    hands = match.hands
    first = hands.number == 0
    total = np.cumsum(hands.change, axis=0) - hands.change
    game = np.cumsum(first) - 1
    starts = TENHOU.start + total - total[first][game]
    moved = np.concatenate([[0], np.diff(hands.dealer) != 0]) & ~first
    dealt = np.cumsum(moved)
    return starts, dealt - dealt[first][game]


def measure_games(player: str, opponent: str, games: int, seed: int) -> None:
    """Play games and print what the player did in them."""
    players = [agent(player), *(agent(opponent) for _ in range(3))]
    match = play_match(players, TENHOU, games, seed, config=MatchConfig(tables=_SIDE_BY_SIDE))
    hands = match.hands
    rows = np.arange(len(hands))
    own = hands.rotation.astype(np.int64) % 4
    seats = match.game_rotation.astype(np.int64) % 4
    order = np.argsort(np.argsort(-match.final.astype(np.int64), axis=1, kind="stable"), axis=1, kind="stable")
    place = 1 + order[np.arange(len(seats)), seats]
    walls = place.reshape(-1, 4).mean(axis=1)
    apart = 1.96 * walls.std(ddof=1) / np.sqrt(len(walls))
    shares = ", ".join(f"{100 * (place == number).mean():.1f} %" for number in range(1, 5))
    print(f"{len(place):,} games against three of {opponent}: mean place {place.mean():.3f} ± {apart:.3f} ({shares})")
    starts, rounds = starts_and_rounds(match)
    lead = starts[rows, own] - np.where(np.arange(4) == own[:, None], -(10**9), starts).max(axis=1)
    last = (rounds >= 7) & (lead >= LEAD)
    for what, happened in (
        ("wins", hands.won[rows, own]),
        ("deals in", hands.dealt_in[rows, own]),
        ("riichi", hands.riichi[rows, own]),
        ("calls", hands.called[rows, own]),
        (f"riichi in the last hand, leading by {LEAD:,}", hands.riichi[rows, own][last]),
        ("… deals in", hands.dealt_in[rows, own][last]),
    ):
        share = rate(happened)
        reach = f"{100 * share.low:.2f} to {100 * share.high:.2f}"
        print(f"  {what}: {100 * share.value:.2f} % ({reach}) of {share.count:,}")


def measure_reviews(reviewer: str, records: str, count: int) -> None:
    """Review games and print how often a safe fold is called a mistake."""
    player = agent(reviewer)
    safe_folds = mistakes = decisions = agreed = whole = 0
    games: Any = (game for game in read_games([records]) if isinstance(game, Game) and game.players == 4)
    for game in islice(games, count):
        for seat in range(4):
            review = review_game(game, seat, player)
            decisions += len(review.decisions)
            agreed += sum(decision.agrees for decision in review.decisions)
            whole += sum(decision.cost > 0.99 for decision in review.decisions)
            safe = [decision for decision in review.decisions if folds(decision.advice, decision.done)]
            safe_folds += len(safe)
            mistakes += sum(decision.cost > MISTAKE for decision in safe)
    share = rate(np.arange(safe_folds) < mistakes)
    print(f"{decisions:,} decisions of {count} games reviewed by {reviewer}, {100 * agreed / decisions:.1f} % agree")
    print(f"  costs above 99 %: {whole:,}")
    print(
        f"  safe discards of hands that are not tenpai called a mistake of more than {100 * MISTAKE:.0f} %: "
        f"{100 * share.value:.2f} % ({100 * share.low:.2f} to {100 * share.high:.2f}) of {safe_folds:,}"
    )


def measure_seats(player: str, records: str, name: str) -> None:
    """Print how a player agrees with some seats of records."""
    network = agent(player)
    assert isinstance(network, PolicyAgent), "a player over the whole action space"
    wanted: dict[str, list[int]] = {}
    for game in read_games([records]):
        if isinstance(game, Game):
            wanted[game.source.rpartition(":")[2]] = [seat for seat, whose in enumerate(game.names) if name in whose]
    hands = read_hands([records], 4)
    encoder = network.network.encoder
    logits, targets = [], []
    for first in range(0, len(hands), CHUNK):
        which = np.arange(first, min(first + CHUNK, len(hands)))
        batch = decisions(hands, which, encoder=encoder)
        seats = np.zeros((len(which), 4), np.bool_)
        for row, game_number in enumerate(hands.games[which].tolist()):
            seats[row, wanted[name_parts(hands.names[game_number])[1]]] = True
        part = batch.part(np.flatnonzero(batch.observed & seats[batch.hand, batch.seat]))
        if len(part):
            logits.append(network.network.logits(np.asarray(part.packed)))
            targets.append(policy_targets(part))
    joined = {key: np.concatenate([each[key] for each in targets]) for key in targets[0]}
    for decision, measured in measured_policy(np.concatenate(logits), joined).items():
        top = ", ".join(f"{100 * each.value:.2f} %" for each in measured.top)
        apart = 100 * (measured.calibration or 0.0)
        print(f"  {decision}: {top} of {measured.top[0].count:,}, calibration error {apart:.2f} %")


def main() -> None:
    """Measure what the arguments say."""
    match sys.argv[1:]:
        case ["games", player, opponent, games, *rest]:
            measure_games(player, opponent, int(games), int(rest[0]) if rest else 0)
        case ["reviews", reviewer, records, *rest]:
            measure_reviews(reviewer, records, int(rest[0]) if rest else 50)
        case ["seats", player, records, name]:
            measure_seats(player, records, name)
        case _:
            sys.exit(__doc__)


if __name__ == "__main__":
    main()
