"""The mjai protocol: other people's bots at our tables, our players at theirs."""
