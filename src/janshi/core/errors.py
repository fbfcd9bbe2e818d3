"""Errors common to the rule sets of all games."""

from __future__ import annotations


class RuleError(ValueError):
    """An invalid rule set, or an unknown preset."""
