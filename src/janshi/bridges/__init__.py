"""Other programs' interfaces: mjai, by which bots and servers speak with each other."""
