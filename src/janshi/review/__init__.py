"""A teacher: what a player would do, and why, in numbers that people know."""
