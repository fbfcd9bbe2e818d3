"""Measure a player of Riichi in whole games and reviews, beyond the output of ``janshi arena``.

    python research/measure_player.py games PLAYER OPPONENT GAMES [SEED]
    python research/measure_player.py reviews REVIEWER RECORDS [COUNT]
    python research/measure_player.py luck RECORDS [COUNT]
    python research/measure_player.py seats PLAYER RECORDS NAME

The rules are Tenhou's for the players' number (four if they support three and four).

``games``: whole East–South games on shared walls, GAMES in each seat, with OPPONENT in the other seats: mean place,
deal-ins, and the rate of riichi in the last hand (South's last, or later) with a lead of 8,000 points or more. How
often the player, and its opponents in the same games, keep such a lead, and leave the last place from less than 8,000
behind. P tests players of equal strength (mean place: Student's t over walls; shares: Fisher's test; two-sided).

``reviews``: COUNT games (50) reviewed in every seat. Among discards that are safe against every seat in riichi, from
hands that no discard makes tenpai: the share of mistakes that cost more than 10 % by the reviewer, and the expected
share if people acted by its probabilities.

``luck``: the share of the variance of final places that the luck in reviews explains, over COUNT games (40).

``seats``: agreement of a player over the whole action space with the seats whose name in the records contains NAME
(``""``: all seats).
"""

from __future__ import annotations

import sys
from itertools import islice
from typing import Any, Final

import numpy as np
from scipy.special import stdtr, stdtrit
from scipy.stats import fisher_exact

from janshi.agents import agent
from janshi.agents.policy import PolicyAgent
from janshi.agents.protocol import Agent
from janshi.arena import Match, MatchConfig, play_match
from janshi.arena.style import starts_and_rounds
from janshi.cli.progress import counting_bar
from janshi.cli.train import calibration_text
from janshi.core.places import final_ranks
from janshi.learn.configs import CHUNK
from janshi.review.reviewing import cost_of, review_game
from janshi.riichi.dataset import decisions, name_parts, read_hands
from janshi.riichi.dataset.measuring import measured_policy, policy_targets
from janshi.riichi.records import RiichiGame, read_games
from janshi.riichi.review.game import folds, places_of, safe_discards
from janshi.riichi.review.luck import luck_of
from janshi.riichi.rules import TENHOU, TENHOU_SANMA
from janshi.statistics import rate

#: Rules by number of players.
RULES: Final = {3: TENHOU_SANMA, 4: TENHOU}
#: Minimum lead in the last hand.
LEAD: Final = 8000
#: Number of games in a batch; an interrupted match counts complete batches.
_SIDE_BY_SIDE: Final = 400
#: Costs above this count as mistakes.
MISTAKE: Final = 0.1


def players_of(agents: list[Agent]) -> int:
    """Return the largest common number of players of agents; exit if there is none."""
    together = frozenset.intersection(*(each.players for each in agents))
    if not together:
        sys.exit(f"{' and '.join(each.name for each in agents)} do not play together")
    return max(together)


def measure_games(player: str, opponent: str, games: int, seed: int) -> None:
    """Play games and print the player's figures."""
    own_agent, other = agent(player), agent(opponent)
    players = players_of([own_agent, other])
    seated = [own_agent, *[other] * (players - 1)]
    config = MatchConfig(tables=_SIDE_BY_SIDE)
    with counting_bar() as bar:
        task = bar.add_task("games", total=games * players)
        match = play_match(
            seated, RULES[players], games, seed, config=config, progress=lambda over: bar.update(task, completed=over)
        )
    print_places(match, opponent)
    hands = match.hands
    rows = np.arange(len(hands))
    own = hands.rotation.astype(np.int64) % players
    starts, rounds = starts_and_rounds(hands, match.rules.start)
    others = np.where(np.arange(players) == own[:, None], np.iinfo(np.int64).min, starts).max(axis=1)
    last = (rounds >= 2 * players - 1) & (starts[rows, own] - others >= LEAD)
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
    print_last_hands(match)


def print_last_hands(match: Match) -> None:
    """Print how often the player, and its opponents, keep the first place or leave the last one in the last hand."""
    players, hands = match.rules.players, match.hands
    starts, rounds = starts_and_rounds(hands, match.rules.start)
    game = np.cumsum(hands.number == 0) - 1
    late = np.flatnonzero(rounds >= 2 * players - 1)
    _, first = np.unique(game[late], return_index=True)
    rows = late[first]
    order = np.lexsort((match.game_rotation, match.game_wall))
    key = hands.wall * players + hands.rotation
    keys = match.game_wall * players + match.game_rotation
    place = final_ranks(match.final)[order[np.searchsorted(keys[order], key[rows])]]
    ahead = np.sort(starts[rows], axis=1)
    lead = np.where(starts[rows] == ahead[:, -1:], ahead[:, -1:] - ahead[:, -2:-1], -1)
    behind = np.where(starts[rows] == ahead[:, :1], ahead[:, 1:2] - ahead[:, :1], LEAD)
    own = np.arange(players) == (hands.rotation[rows].astype(np.int64) % players)[:, None]
    for what, which, happened in (
        (f"last hand, leading by {LEAD:,}: keeps the first place", lead >= LEAD, place == 1),
        (f"last hand, last by less than {LEAD:,}: leaves the last place", behind < LEAD, place < players),
    ):
        counts = [(int(happened[which & seats].sum()), int((which & seats).sum())) for seats in (own, ~own)]
        chance = fisher_exact([[yes, count - yes] for yes, count in counts]).pvalue
        shares = " against ".join(f"{100 * yes / max(count, 1):.1f} % of {count:,}" for yes, count in counts)
        print(f"  {what}: {shares} of an opponent (P {chance:.2g})")


def print_places(match: Match, opponent: str) -> None:
    """Print the mean place of the first player, over all games."""
    players = match.rules.players
    seats = match.game_rotation.astype(np.int64) % players
    place = final_ranks(match.final)[np.arange(len(seats)), seats]
    walls = place.reshape(-1, players).mean(axis=1)
    error = walls.std(ddof=1) / np.sqrt(len(walls))
    apart = stdtrit(len(walls) - 1, 0.975) * error
    even = (players + 1) / 2
    chance = 2 * stdtr(len(walls) - 1, -abs(walls.mean() - even) / error)
    shares = ", ".join(f"{100 * (place == number).mean():.1f} %" for number in range(1, players + 1))
    print(f"{len(place):,} games by {match.rules.name} against {players - 1} of {opponent}:")
    print(f"  mean place {place.mean():.3f} ± {apart:.3f} ({shares})")
    print(f"  P of a mean place so far from {even:g}: {chance:.2g}")


def measure_reviews(reviewer: str, records: str, count: int) -> None:
    """Review games and print the share of safe folds that count as mistakes."""
    player = agent(reviewer)
    players = players_of([player])
    safe_folds = mistakes = decisions = agreed = whole = 0
    shares = mistaken_shares = 0.0
    games: Any = (game for game in read_games([records]) if isinstance(game, RiichiGame) and game.players == players)
    for game in islice(games, count):
        for seat in range(players):
            review = review_game(game, seat, player)
            decisions += len(review.decisions)
            agreed += sum(decision.agrees for decision in review.decisions)
            whole += sum(decision.cost > 0.99 for decision in review.decisions)
            safe = [decision for decision in review.decisions if folds(decision.advice, decision.done)]
            safe_folds += len(safe)
            mistakes += sum(decision.cost > MISTAKE for decision in safe)
            for advice in (decision.advice for decision in review.decisions):
                fold = safe_discards(advice)
                share = sum(preference.share for preference in advice.preferences if preference.action in fold)
                shares += share
                mistaken_shares += share * (cost_of(advice, fold) > MISTAKE)
    called = rate(np.arange(safe_folds) < mistakes)
    print(f"{decisions:,} decisions of {count} games reviewed by {reviewer}, {100 * agreed / decisions:.1f} % agree")
    print(f"  costs above 99 %: {whole:,}")
    print(
        f"  safe discards of hands that are not tenpai called a mistake of more than {100 * MISTAKE:.0f} %: "
        f"{100 * called.value:.2f} % ({100 * called.low:.2f} to {100 * called.high:.2f}) of {safe_folds:,}"
    )
    print(f"  by the reviewer's own shares it would be {100 * mistaken_shares / shares:.2f} % of {shares:,.0f}")


def measure_luck(records: str, count: int) -> None:
    """Print the share of the variance of final places that the estimated luck explains."""
    luck, change = [], []
    games: Any = (game for game in read_games([records]) if isinstance(game, RiichiGame))
    for game in islice(games, count):
        by_hand, places = luck_of(game), places_of(game)
        if by_hand and len(places) > len(by_hand):
            luck.append(np.sum(by_hand, axis=0))
            change.append(np.array(places[0]) - places[-1])
    gained, changed = np.concatenate(luck), np.concatenate(change)
    share = 1 - float((changed - gained).var() / changed.var())
    print(f"{len(luck)} games, {len(gained)} seats: luck explains {share:.1%} of the variance of places")


def measure_seats(player: str, records: str, name: str) -> None:
    """Print the agreement of a player with some seats of records."""
    network = agent(player)
    assert isinstance(network, PolicyAgent), "a player over the whole action space"
    players = players_of([network])
    wanted: dict[str, list[int]] = {}
    for game in read_games([records]):
        if isinstance(game, RiichiGame):
            wanted[game.source.rpartition(":")[2]] = [seat for seat, whose in enumerate(game.names) if name in whose]
    hands = read_hands([records], players)
    encoder = network.network.encoder
    logits, targets = [], []
    for first in range(0, len(hands), CHUNK):
        which = np.arange(first, min(first + CHUNK, len(hands)))
        batch = decisions(hands, which, encoder=encoder)
        seats = np.zeros((len(which), players), np.bool_)
        for row, game_number in enumerate(hands.games[which].tolist()):
            seats[row, wanted[name_parts(hands.names[game_number])[1]]] = True
        part = batch.part(np.flatnonzero(batch.observed & seats[batch.hand, batch.seat]))
        if len(part):
            logits.append(network.network.logits(np.asarray(part.packed)))
            targets.append(policy_targets(part))
    joined = {key: np.concatenate([each[key] for each in targets]) for key in targets[0]}
    for decision, measured in measured_policy(np.concatenate(logits), joined).items():
        top = ", ".join(f"{100 * each.value:.2f} %" for each in measured.top)
        apart = calibration_text(measured)
        print(f"  {decision}: {top} of {measured.top[0].count:,}, calibration error (by chance) {apart}")


def main() -> None:
    """Run the measurement of the command line."""
    match sys.argv[1:]:
        case ["games", player, opponent, games, *rest]:
            measure_games(player, opponent, int(games), int(rest[0]) if rest else 0)
        case ["reviews", reviewer, records, *rest]:
            measure_reviews(reviewer, records, int(rest[0]) if rest else 50)
        case ["luck", records, *rest]:
            measure_luck(records, int(rest[0]) if rest else 40)
        case ["seats", player, records, name]:
            measure_seats(player, records, name)
        case _:
            sys.exit(__doc__)


if __name__ == "__main__":
    main()
