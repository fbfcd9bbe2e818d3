"""Sampling what a seat may not see: hands of the others, the wall, the dead wall."""
