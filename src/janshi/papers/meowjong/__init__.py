"""The three-player system of the `meowjong` papers."""
