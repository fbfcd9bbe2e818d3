"""Errors that rule sets of every game raise."""

from __future__ import annotations


class RuleError(ValueError):
    """A rule set that cannot be played, or a name that no preset has."""
