"""Custom rules and their effect: ``python examples/own_rules.py [HANDS]``; see docs/rule-makers.md."""

import dataclasses
import sys

from janshi.agents import agent
from janshi.arena import play_match, rows, single_hand
from janshi.riichi.rules import TENHOU

CLUB = dataclasses.replace(TENHOU, name="club", open_tanyao=False, red_fives=(0, 0, 0), tobi=False)


def main(hands):
    for rules in (TENHOU, CLUB):
        match = play_match([agent("efficient"), *[agent("random")] * 3], single_hand(rules), hands, seed=1)
        row = rows(match)[0]
        won, worth = 100 * row.win.value, row.value.value
        print(f"{rules.name:8} efficient wins {won:4.1f} % of {row.hands} hands, worth {worth:,.0f}")


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 200)
