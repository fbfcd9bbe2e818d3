"""What environments of Sichuan mahjong add: the encoder that observes where none is named."""

from __future__ import annotations

from typing import Final

from janshi.bridges.stepping import Environment

#: Sichuan's facet ``"environment"``.
ENVIRONMENT: Final = Environment(observation="sichuan")
