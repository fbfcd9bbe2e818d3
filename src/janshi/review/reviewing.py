"""Reviews of recorded games: the facet of a game, costs of decisions, the summary.

* The **cost** of a decision is the probability of the reviewer's first choice minus that of the action taken. It is
  small if the reviewer prefers several actions about equally, and up to 1 if it prefers only one.
* The **rating** is 100 × Σ probability of the action taken / Σ probability of the first choice, over all decisions of
  the game. It is 100 if every action was the first choice, and 0 if the reviewer gave none of the actions a
  probability.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path, PurePath
from typing import Any, Final, cast

import numpy as np
from numpy.typing import NDArray

from janshi.agents.protocol import Agent, AgentError, Reviewer, check_agent
from janshi.games import game_of
from janshi.records.links import Link, LinkError
from janshi.records.sources import LARGEST, MissingGameError, numbered_game, numbered_game_of
from janshi.review.model import Accepted, Advice, Agreement, Decision, GameSummary, Phase, Preference, Review
from janshi.say.losses import MOMENTS
from janshi.say.names import ActionName, MistakeKind
from janshi.table import DecisionBatch
from janshi.text import printable
from janshi.tiles import to_mjai

#: Probabilities up to this are left out.
_LEAST_SHARE: Final = 0.0005


#: ``(game, seat, agent, progress)``: a record's events, a seat's decisions, and notes on skipped hands.
Decisions = Callable[..., tuple[list[dict[str, Any]], list[Decision], list[str]]]


class ReviewError(ValueError):
    """Raised for a game or seat that cannot be reviewed; the message is one line."""


@dataclass(frozen=True, kw_only=True)
class GameReview:
    """The facet ``"review"`` of a game: its support of reviews and hints."""

    format: str = ""
    """Format of records for stored games."""
    decisions: Decisions | None = None
    """Reviews the decisions of a seat; None if games cannot be reviewed."""
    positions: Callable[[Any, int], list[DecisionBatch]] | None = None
    """``(game, seat)``: the decisions of a seat as given to an agent, in the order of `decisions`."""
    places: Callable[[Any], list[list[float]]] = lambda game: []
    """``(game)``: see `Review.places`."""
    luck: Callable[[Any], list[list[float]]] = lambda game: []
    """``(game)``: see `Review.luck`."""
    scale: str | None = "place"
    """Scale (`janshi.worth.scales`) in which playouts are compared; None: points of the hand."""
    playout_agents: Mapping[int, str] = field(default_factory=dict)
    """Name of the agent that plays on from decisions (`janshi.review.losses`), by the number of players."""
    people: Callable[[Any], dict[MistakeKind, float] | None] = lambda rules: None
    """``(rules)``: see `Losses.people`."""
    moment: Callable[[Review, Decision], list[str]] = lambda review, decision: [f"decision {decision.number}"]
    """Describes a decision of a review: its place, both actions, and their results."""


def review_of(rules: Any) -> GameReview:
    """Return the review facet of a rule set's game; without one, its games cannot be reviewed."""
    game = game_of(rules)
    return cast("GameReview", game.facet("review")) if "review" in game.facets else GameReview()


def read_game(path: str | Path, number: int = 1, largest: int | None = None, rules: Any = None) -> Any:
    """Return a game (from 1) of a file, folder or archive of records of any game.

    ``largest``: maximum bytes of an unpacked record. ``rules`` take the place of the record's. Raises `ReviewError` if
    there is no such game.
    """
    try:
        return numbered_game(path, number, largest=LARGEST if largest is None else largest, rules=rules)
    except MissingGameError as error:
        raise ReviewError(str(error)) from None


def read_link(link: Link, number: int = 1, *, fetch: bool = True, rules: Any = None) -> Any:
    """Return a game (from 1) of the record that a link leads to; ``fetch``: whether a request may be sent.

    ``rules`` take the place of the record's. Raises `ReviewError` if the record cannot be had, or if there is no such
    game.
    """
    try:
        return numbered_game_of(link.record(fetch=fetch), link.name, number, rules=rules)
    except (LinkError, MissingGameError) as error:
        raise ReviewError(str(error)) from None


def seat_of(game: Any, player: str) -> int:
    """Return the seat of a player by name, or by a part of it that only one name has.

    Raises `ReviewError` with the names, if there is no such player or more than one.
    """
    names = [str(name) for name in game.names]
    wanted = player.casefold()
    for fits in (str.__eq__, lambda name, part: part in name):
        seats = [seat for seat, name in enumerate(names) if fits(name.casefold(), wanted)]
        if len(seats) == 1:
            return seats[0]
    listed = ", ".join(f"{seat} {printable(name)}" for seat, name in enumerate(names))
    raise ReviewError(f"{'several players' if seats else 'no player'} named {printable(player)!r}: seats {listed}")


def check_game(game: Any, seat: int) -> Decisions:
    """Return the function that reviews a game's decisions.

    Raises `ReviewError` if the record has no such seat, or if such games cannot be reviewed.
    """
    rules = game.rules
    decisions_of = review_of(rules).decisions
    if decisions_of is None:
        raise ReviewError(f"games of {game_of(rules).name} cannot be reviewed")
    if not 0 <= seat < rules.players:
        raise ReviewError(f"there is no seat {seat}: {rules.players} players sit at 0 to {rules.players - 1}")
    return decisions_of


def review_game(game: Any, seat: int, agent: Agent, *, progress: Callable[[int, int], None] | None = None) -> Review:
    """Return an agent's review of every decision of a seat (0: the first dealer), and of the whole game.

    Hands that cannot be replayed are left out and named in `Review.notes`. ``progress`` is called with the numbers of
    finished and of all decisions.

    Raises `ReviewError` as `check_game` does and for a record that contradicts itself, and
    `janshi.agents.AgentError` for an agent that cannot review such games.
    """
    rules = game.rules
    decisions_of = check_game(game, seat)
    reviewer_of(agent)
    check_agent(agent, rules)
    events, decisions, notes = decisions_of(game, seat, agent, progress)
    return Review(
        source=PurePath(game.source).name,  # without folders, as pages are shared
        rules=rules.name,
        players=rules.players,
        names=[*game.names, *(f"P{number}" for number in range(len(game.names), rules.players))],
        seat=seat,
        by=agent.name,
        events=events,
        decisions=decisions,
        report=report_of(decisions),
        notes=notes,
        places=review_of(rules).places(game),
        luck=review_of(rules).luck(game),
        plays_on=review_of(rules).positions is not None,
        unit="points" if review_of(rules).scale is None else "places",
    )


def reviewer_of(agent: Agent) -> Reviewer:
    """Return an agent as a reviewer. Raises `AgentError` if it gives no probabilities of actions."""
    if isinstance(agent, Reviewer):
        return agent
    raise AgentError(f"player {agent.name!r} cannot review: it gives no probabilities of the other actions")


def preferred(shares: NDArray[np.float32]) -> list[Preference]:
    """Return a decision's actions with relevant probabilities in descending order."""
    ranked = np.argsort(-shares, kind="stable").tolist()
    return [Preference(action, round(float(shares[action]), 4)) for action in ranked if shares[action] > _LEAST_SHARE]


def accepted_of(mask: int, visible: NDArray[np.int8]) -> list[Accepted]:
    """Return the kinds of a mask with the number of tiles of each that are not ``visible`` (by kind)."""
    return [Accepted(to_mjai(kind), 4 - int(seen)) for kind, seen in enumerate(visible.tolist()) if mask >> kind & 1]


def cost_of(advice: Advice, same: Iterable[int]) -> float:
    """Return the probability of the first choice minus that of some equivalent actions, at least 0."""
    shares = {preference.action: preference.share for preference in advice.preferences}
    return round(max(0.0, shares[advice.best] - sum(shares.get(action, 0.0) for action in same)), 4)


def report_of(decisions: Sequence[Decision]) -> GameSummary:
    """Return the summary of a game from its decisions."""
    phases: dict[Phase, list[Decision]] = {"opening": [], "middle": [], "end": []}
    names: dict[ActionName, list[Decision]] = {}
    best = 0.0
    for decision in decisions:
        advice = decision.advice
        phases[decision.phase].append(decision)
        names.setdefault(decision.option(advice.best).name, []).append(decision)
        best += next(preference.share for preference in advice.preferences if preference.action == advice.best)
    costly = [decision for decision in decisions if decision.cost > 0]
    costly.sort(key=lambda decision: (-decision.cost, decision.number))
    return GameSummary(
        total=_agreement(decisions),
        phases={phase: _agreement(group) for phase, group in phases.items()},
        names={name: _agreement(group) for name, group in names.items()},
        moments=[decision.number for decision in costly[:MOMENTS]],
        rating=round(100 * (1 - sum(decision.cost for decision in decisions) / best), 1) if best else 100.0,
    )


def _agreement(decisions: Sequence[Decision]) -> Agreement:
    count = len(decisions)
    cost = sum(decision.cost for decision in decisions) / count if count else 0.0
    return Agreement(count, sum(decision.agrees for decision in decisions), round(cost, 4))
