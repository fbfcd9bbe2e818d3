"""Custom rules, in every command with ``--rules``.

    janshi arena efficient random random --rules examples/plugins/club.py:CLUB
    janshi --plugin examples/plugins/club.py arena efficient random random --rules club
"""

import dataclasses

from janshi.games import register_rules
from janshi.riichi.rules import TENHOU_SANMA

CLUB = register_rules(dataclasses.replace(TENHOU_SANMA, name="club", red_fives=(0, 0, 0), tobi=False))
