"""The default encoder of environments of Sichuan mahjong."""

from __future__ import annotations

from typing import Final

from janshi.bridges.stepping import Environment

#: Sichuan's facet ``"environment"``.
ENVIRONMENT: Final = Environment(observation="sichuan")
