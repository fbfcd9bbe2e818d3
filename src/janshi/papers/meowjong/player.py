"""Players of networks that answer the five decisions."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Final

from janshi.agents.protocol import Agent, AgentError
from janshi.papers.meowjong.agent import ANSWERS, MeowjongAgent, WinnersDecisions
from janshi.players import TEMPERATURES

if TYPE_CHECKING:
    from janshi.agents.onnx import OnnxNetwork

#: Outputs of `sl-2026-11`: people's decisions, winners' decisions, value.
_OUTPUTS: Final = 2 * ANSWERS + 1
#: Temperature of networks with the sharpened logits of winners' decisions, as measured for `sl-2026-11`.
SHARPENED: Final = 1.5


def player_of(networks: Mapping[str, Any], name: str) -> Agent:
    """Return the player of the papers' five networks, or of one (an ONNX file) that answers the five decisions.

    Raises `AgentError` for other outputs than those of `sl-2026-11`, and for fewer networks.
    """
    if "" not in networks:
        from janshi.papers.meowjong.five import FiveNetworks

        five = FiveNetworks(networks)
        return MeowjongAgent(five, name, five.players)
    network: OnnxNetwork = networks[""]
    if network.outputs != _OUTPUTS:
        raise AgentError(f"player {name!r}: {network.outputs} outputs, {_OUTPUTS} answer the decisions of meowjong")
    decisions = WinnersDecisions(network.encoder, network.run)
    return MeowjongAgent(decisions, name, network.players, TEMPERATURES.get(name, SHARPENED))
