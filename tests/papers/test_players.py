"""The players of the papers: what they do by rules, what their networks answer, and their folders."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

pytest.importorskip("torch")

from janshi.agents import AgentError, Reviewer, agent
from janshi.arena import play_match
from janshi.encoders import encoder
from janshi.learn.players import save_player
from janshi.papers.gao.agent import GaoAgent
from janshi.papers.gao.labels import CLASSES
from janshi.papers.long.agent import LongAgent
from janshi.papers.meowjong.agent import MeowjongAgent
from janshi.papers.meowjong.decisions import DecisionKind
from janshi.riichi.actions import Action
from janshi.riichi.agents import EfficientAgent
from janshi.riichi.rules import TENHOU, TENHOU_SANMA, preset
from janshi.table import Table, Tables
from janshi.tiles import kind_of, parse_tiles
from tests.claims import cases_of
from tests.papers.tiny import CONFIGS, PLAYERS, save_tiny_player
from tests.rules.tables import make_table, offer

RULES = {"meowjong": TENHOU_SANMA, "gao": TENHOU, "long": TENHOU}
MATCHES = {3: preset("tenhou-sanma-hand"), 4: preset("tenhou-hand")}


class Fixed:
    """Networks with constant logits.

    ``discard`` names tiles, the most probable first; ``pon``, ``riichi``, ``kan`` and ``kita`` are the logit of a yes,
    ``chii`` those of its classes.
    """

    encoder = encoder("meowjong")

    def __init__(self, discard: str = "", chii: tuple[float, ...] = (1, 0, 0, 0), **yes: float) -> None:
        self.asked: list[str] = []
        kinds = np.zeros(34, np.float32)
        for number, tile in enumerate(parse_tiles(discard)):
            kinds[kind_of(tile)] = 9 - number
        answers = {name: [0, yes.get(name, 0)] for name in ("pon", "riichi")}
        self.said = {"discard": kinds, "chii": np.array(chii, np.float32)}
        self.said |= {name: np.array(values, np.float32) for name, values in answers.items()}
        decisions = [yes.get(decision.name.lower(), -5) for decision in list(DecisionKind)[1:]]
        self.joined = np.array([*kinds, *decisions], np.float32)

    def logits(self, decision: str, batch: Any) -> Any:
        """Return the logits of `GaoAgent` and `LongAgent`."""
        self.asked.append(decision)
        return np.tile(self.said[decision], (len(batch), 1))

    def answers(self, packed: Any, asked: Any) -> Any:
        """Return the logits of `MeowjongAgent`."""
        assert packed.shape == (len(asked), 366)
        return np.tile(self.joined, (len(packed), 1))


def player_of(paper: str, networks: Any, **more: Any) -> Any:
    made = {"gao": GaoAgent, "long": LongAgent, "meowjong": MeowjongAgent}[paper]
    return made(networks, *(() if paper == "gao" else ("test",)), **more)


def table_of(paper: str, hand: str, tile: str) -> Table:
    """Return a table at which seat 0 has drawn a tile, or at which it is offered to another seat: ``| hand``."""
    other, _, claims = hand.partition("|")
    table = make_table(RULES[paper], [other.strip(), claims.strip()], tile)
    if claims:
        offer(table, 0, tile)
    return table


def kind(text: str) -> int:
    return kind_of(parse_tiles(text)[0])


READY3 = "123456p789s55z79p"


def action_of(text: str) -> int:
    """Return an action by its name and an offset or a kind, or the discard of a tile."""
    name, _, more = text.partition(" ")
    if name not in Action.__members__:
        return kind(name)
    return Action[name] + (int(more) if more.isdigit() else kind(more) if more else 0)


@pytest.mark.parametrize(*cases_of("messages", "answers of the players of papers"))
def test_a_player_answers_by_its_rules_and_networks(
    paper: str, hand: str, tile: str, answers: dict[str, Any], action: str
) -> None:
    """A hand behind ``|`` is offered the tile."""
    table, networks, wanted = table_of(paper, hand, tile), Fixed(**answers), action_of(action)
    assert wanted in table.legal
    assert player_of(paper, networks).act(table.decision()).tolist() == [wanted]
    if paper == "gao" and wanted in (Action.TSUMO, Action.RON):
        assert networks.asked == []


@pytest.mark.parametrize(
    ("paper", "hand", "tile", "discard", "action", "illegal"),
    [
        ("meowjong", "4z1111p234567p99s", "9s", "1m9p9s", Action.TSUMOGIRI, 1),
        ("gao", "123m19p18s12344z4p", "4s", "5m4s", Action.TSUMOGIRI, 1),
        ("long", "19m5567p123s159s1z", "7z", "9m", kind("9m"), 0),
        ("long", "19m5567p123s159s1z", "7z", "2m9m", kind("9m"), 1),
    ],
)
def test_impossible_first_choices_are_counted_and_replaced_by_the_best_possible_one(
    paper: str, hand: str, tile: str, discard: str, action: int, illegal: int
) -> None:
    player = player_of(paper, Fixed(discard))
    assert player.act(table_of(paper, hand, tile).decision()).tolist() == [action]
    assert (player.discards, player.illegal) == (1, illegal)


# ---------------------------------------------------------------------------------------------------------
# Folders


@pytest.mark.parametrize("name", CONFIGS)
def test_a_folder_of_networks_is_a_player_with_probabilities(tmp_path: Path, name: str) -> None:
    folder, seats = str(save_tiny_player(tmp_path / "player", name)), PLAYERS[name]
    player, again = agent(folder), agent(folder)
    assert isinstance(player, Reviewer)
    assert player.players == {seats}
    others = [EfficientAgent()] * (seats - 1)
    matches = [play_match([each, *others], MATCHES[seats], 2, seed=1) for each in (player, again)]
    assert (matches[0].hands.change == matches[1].hands.change).all()
    tables = Tables(RULES[name.partition("-")[0]], 40, 3)
    for step in range(12):
        batch = tables.decisions()
        actions, shares = player.act(batch), player.preferences(batch)
        assert (shares.argmax(axis=1) == actions).all()
        assert np.abs(shares.sum(axis=1) - 1).max() < 1e-5
        assert (shares[~batch.legal] == 0).all()
        tables.step(actions if step % 2 else agent("random").act(batch))
    with pytest.raises(AgentError, match=f"does not play with {'three' if seats == 4 else 'four'}"):
        player.act(Tables("tenhou-sanma" if seats == 4 else "tenhou", 2).decisions())


@pytest.mark.parametrize("paper", RULES)
def test_folders_without_a_player_are_a_one_line_error(tmp_path: Path, paper: str) -> None:
    folder = save_tiny_player(tmp_path / "player", paper)
    names = {decision: decision for decision in CONFIGS[paper]}
    for networks, words in (
        ({**names, "pon": "discard"}, "discard holds no network for pon"),
        ({"discard": "discard"}, f"does not name {len(names)} networks"),
        ({}, "does not name the networks"),
    ):
        save_player(folder, paper, networks)
        with pytest.raises(AgentError, match=words):
            agent(str(folder))


@pytest.mark.parametrize("paper", ["gao", "long"])
def test_a_folder_of_an_earlier_version_is_a_player(tmp_path: Path, paper: str) -> None:
    folder = save_tiny_player(tmp_path / "player", paper)
    player, batch = agent(str(folder)), Tables("tenhou", 20).decisions()
    (folder / "player.json").unlink()
    (folder / f"{paper}.json").write_text(json.dumps({decision: decision for decision in CONFIGS[paper]}))
    assert (agent(str(folder)).act(batch) == player.act(batch)).all()
    (folder / f"{paper}.json").write_text("{")
    with pytest.raises(AgentError, match=rf"{paper}\.json does not name the networks"):
        agent(str(folder))


# ---------------------------------------------------------------------------------------------------------
# Probabilities


def shares_of(paper: str, networks: Any, hand: str, tile: str, **more: Any) -> Any:
    return player_of(paper, networks, **more).preferences(table_of(paper, hand, tile).decision())[0]


@pytest.mark.parametrize(("paper", "hand"), [("gao", READY3), ("meowjong", READY3)])
def test_probabilities_have_the_ratios_of_the_networks(paper: str, hand: str) -> None:
    networks = Fixed("9p6p", riichi=1)
    if paper == "meowjong":  # one scale for discards and a yes
        networks.joined[[kind("9p"), kind("6p"), 33 + DecisionKind.RIICHI]] = 0, -1, 1
        networks.joined[: kind("6p")] = networks.joined[kind("9p") + 1 : 34] = -20
    shares = shares_of(paper, networks, hand, "1z")
    assert shares[Action.RIICHI] / shares[kind("9p")] == pytest.approx(np.e, rel=1e-4)
    assert shares[kind("9p")] / shares[kind("6p")] == pytest.approx(np.e, rel=1e-4)


def test_gao_asks_each_network_once_about_a_situation() -> None:
    class Counting(Fixed):
        def logits(self, decision: str, batch: Any) -> Any:
            self.asked += [(decision, table) for table in batch.tables.tolist()]  # type: ignore[misc]
            return np.zeros((len(batch), CLASSES[decision]), np.float32)

    networks, tables = Counting(), Tables(TENHOU, 60, 3)
    for _ in range(12):
        networks.asked.clear()
        GaoAgent(networks).preferences(tables.decisions())
        assert len(networks.asked) == len(set(networks.asked))
        tables.step(np.where(tables.legal()[:, Action.PASS], Action.PASS, tables.legal().argmax(axis=1)))


@pytest.mark.parametrize("temperature", [0.5, 2.0, 3.5])
def test_a_temperature_changes_probabilities_but_not_their_order(temperature: float) -> None:
    networks = Fixed(riichi=0.4)
    networks.joined[:34] = np.random.default_rng(3).normal(size=34)
    plain = shares_of("meowjong", networks, READY3, "1z")
    divided = shares_of("meowjong", networks, READY3, "1z", temperature=temperature)
    assert (np.argsort(-plain, kind="stable") == np.argsort(-divided, kind="stable")).all()
    assert (divided.max() > plain.max()) == (temperature < 1)
