"""Other programs' interfaces to the tables: Gymnasium, PettingZoo, and mjai, by which bots and servers speak."""
