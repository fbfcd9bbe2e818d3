"""An agent as a Tenhou client: messages in, answers out, without a network."""

from __future__ import annotations

import time
from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from janshi.agents.protocol import Agent, AgentError, Listener, Reporter, check_agent
from janshi.mjai.table import choose
from janshi.riichi.actions import Action
from janshi.riichi.rules import Rules
from janshi.table import DecisionBatch
from janshi.tenhou.choices import write_choice
from janshi.tenhou.known import TenhouTable, hint_actions
from janshi.tenhou.protocol import ActionFlag, Element, ProtocolError, message
from janshi.tenhou.telling import Telling


class TenhouPlayer:
    """A player that processes the server's messages (`hear`) and returns its agent's decisions (`answer`).

    Args:
        agent: the agent.
        rules: rules of the game; None: those of its type.
        seed: seed of the agent's random numbers.
        complain: called with one line for each message that does not fit.

    After a message that does not fit, the player discards drawn tiles and calls nothing until the next deal.
    """

    def __init__(
        self, agent: Agent, rules: Rules | None = None, *, seed: int = 0, complain: Callable[[str], None] = print
    ) -> None:
        self.agent = agent
        self._telling = Telling() if isinstance(agent, Listener) else None
        self.table = TenhouTable(rules, self._telling)
        self._random = np.random.Generator(np.random.Philox(seed & (1 << 64) - 1))
        self._complain = complain
        self.thought = 0.0
        """Seconds that the agent took for the last answer."""
        self._asking: Element | None = None
        self._riichi_said = False

    def hear(self, sent: Element) -> None:
        """Process one message."""
        own_riichi = sent.tag == "REACH" and sent.values.get("who") == "0" and sent.values.get("step") == "1"
        try:
            if own_riichi and self._riichi_said:
                return  # processed when it was declared
            self.table.hear(sent)
            if sent.tag == "INIT":
                check_agent(self.agent, self.table.rules)
        except (ProtocolError, AgentError) as error:
            self.table.known.playing = False
            self._complain(f"{error}; discarding drawn tiles until the next hand")
        if sent.letter == "T" or own_riichi:
            self._asking = sent if own_riichi or sent.has_tile else None
        elif sent.letter or sent.tag in ("N", "INIT", "REINIT", "AGARI", "RYUUKYOKU"):
            own_call = sent.tag == "N" and sent.values.get("who") == "0" and self.table.asked
            self._asking = sent if own_call or sent.values.get("t") else None
            self._riichi_said = False

    @property
    def asked(self) -> bool:
        """True if the server waits for an answer."""
        return self._asking is not None

    def answer(self) -> list[Element]:
        """Return the messages of the client; none if the server waits for no answer."""
        asking, self._asking = self._asking, None
        self.thought = 0.0
        if asking is None:
            return []
        if not self.table.asked:
            return self._lost(asking)
        try:
            action = self._decide(asking)
        except ProtocolError as error:
            self._complain(f"{error}; discarding the drawn tile, or passing")
            return self._lost(asking)
        if action == Action.RIICHI:
            return self._riichi()
        return [write_choice(self.table.choice(action))]

    def tell(self) -> None:
        """Pass the events so far to an agent that listens, which may take time."""
        if self._telling is not None and isinstance(self.agent, Listener):
            events = self._telling.take()
            seat = self.table.known.seat
            if isinstance(self.agent, Reporter) and any(event["type"] == "start_game" for event in events):
                self.agent.begin(0, seat, f"tenhou-{time.strftime('%Y%m%d%H%M%S')}")
            if events:
                self.agent.hear(0, seat, events)

    def _decide(self, asking: Element) -> int:
        self.tell()
        batch = self.table.decision()
        start = time.perf_counter()
        action = choose(self.agent, batch, self._hinted(batch, asking), self._random)
        self.thought += time.perf_counter() - start
        return action

    def _hinted(self, batch: DecisionBatch, asking: Element) -> NDArray[np.bool_]:
        """Return the legal actions that the server offers, too; normally all of them."""
        legal: NDArray[np.bool_] = batch.legal[0]
        if asking.tag in ("REACH", "N") and "t" not in asking.values:
            return legal
        offered = legal & ~hint_actions(~ActionFlag(asking.number("t", 0)))
        return offered if offered.any() else legal

    def _riichi(self) -> list[Element]:
        """Return the declaration of riichi together with its discard, as clients send it."""
        self.table.hear(message("REACH", who=0, step=1))
        self._riichi_said = True
        choice = self.table.choice(self._decide(message("REACH")))
        return [message("REACH", hai=choice.tiles[0]), write_choice(choice)]

    def _lost(self, asking: Element) -> list[Element]:
        """Answer in an unknown hand: discard the drawn tile, call nothing."""
        if asking.letter == "T":
            return [message("D", p=asking.tile)]
        return [message("N")] if asking.values.get("t") else []
