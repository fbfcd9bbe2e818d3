"""The mjai protocol: external bots at our tables, and our players on other servers."""
