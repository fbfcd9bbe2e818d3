"""A paper from beginning to end: stages that go on where they were ended, a report beside the paper's figures.

`janshi.reproduce.stages.reproduce` does it, `janshi.reproduce.scales` says how much of it.
"""
