"""The script that measures players in whole games: the last hand, and the leader before it."""

import numpy as np
import pytest
from research.measure_player import players_of, print_places
from scipy.stats import ttest_1samp

from janshi.agents import agent
from janshi.arena import play_match
from janshi.arena.style import starts_and_rounds
from janshi.core.places import final_ranks
from janshi.riichi.rules import preset


@pytest.mark.parametrize("rules", ["tenhou-sanma", "tenhou"])
def test_starts_and_rounds_are_those_of_the_records(rules):
    games = []
    players = preset(rules).players
    seated = [agent("efficient"), *[agent("random")] * (players - 1)]
    match = play_match(seated, preset(rules), 3, seed=5, on_game=games.append)
    hands = [hand for game in sorted(games, key=lambda game: game.source) for hand in game.hands]
    starts, rounds = starts_and_rounds(match.hands, match.rules.start)
    assert starts.tolist() == [hand.scores for hand in hands]
    assert rounds.tolist() == [hand.round // 4 * players + hand.round % 4 for hand in hands]
    assert rounds.max() >= players, "some game reaches South"


def test_a_mean_place_has_an_interval_and_a_p_value(capsys):
    """The games of a wall are not independent and count once, by their mean."""
    efficient = agent("efficient")
    match = play_match([efficient, efficient, agent("random")], preset("tenhou-sanma-east"), 8, seed=5)
    print_places(match, "them")
    own = match.game_rotation.astype(np.int64) % 3
    places = final_ranks(match.final)[np.arange(24), own]
    test = ttest_1samp(places.reshape(8, 3).mean(axis=1), 2)
    apart = test.confidence_interval().high - places.mean()
    printed = capsys.readouterr().out
    assert printed.startswith("24 games by tenhou-sanma-east against 2 of them:\n")
    assert f"mean place {places.mean():.3f} ± {apart:.3f} (" in printed
    assert printed.endswith(f"from 2: {test.pvalue:.2g}\n")


def test_line_ups_of_players():
    assert players_of([agent("efficient")]) == 4
    assert players_of([agent("efficient"), agent("sl")]) == 3
    with pytest.raises(SystemExit, match="sl4 and sl do not play together"):
        players_of([agent("sl4"), agent("sl")])
