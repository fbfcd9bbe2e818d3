"""Code shared by all games: `Game`, rule sets, random numbers, hands, shanten."""
