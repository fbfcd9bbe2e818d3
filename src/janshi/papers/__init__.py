"""Published systems, each in a package of its own."""
