"""The player: decisions by rules and by networks, at any four-player table."""

import json
from collections import Counter

import numpy as np
import pytest

pytest.importorskip("torch")

from janshi.agents import AgentError, Reviewer, agent
from janshi.arena import play_match
from janshi.learn.players import save_player
from janshi.papers.gao.agent import GaoAgent, is_isolated
from janshi.papers.gao.labels import CLASSES, DECISIONS
from janshi.riichi.actions import Action
from janshi.riichi.agents import EfficientAgent
from janshi.riichi.rules import TENHOU, preset
from janshi.table import Tables
from janshi.tiles import kind_of, parse_tiles
from tests.papers.gao.tiny import save_tiny_player
from tests.rules.tables import make_table, offer


class Fixed:
    """A network with constant logits."""

    def __init__(self, **logits) -> None:
        self.answers = {name: np.zeros(CLASSES[name], np.float32) for name in DECISIONS}
        self.answers |= {name: np.array(values, np.float32) for name, values in logits.items()}
        self.asked: list[str] = []

    def logits(self, decision, batch):
        self.asked.append(decision)
        return np.tile(self.answers[decision], (len(batch), 1))


def kind(text: str) -> int:
    return kind_of(parse_tiles(text)[0])


def done(table, networks: Fixed) -> int:
    return int(GaoAgent(networks).act(table._tables.decisions([0]))[0])


def discarding(*texts: str) -> dict[str, list[float]]:
    """Return logits in the order of kinds."""
    logits = np.zeros(34)
    for number, text in enumerate(texts):
        logits[kind(text)] = 9 - number
    return {"discard": logits.tolist()}


# ---------------------------------------------------------------------------------------------------------
# Rules


def test_every_win_is_taken():
    networks = Fixed(riichi=[0, 9], pon=[0, 9])
    assert done(make_table(TENHOU, ["234m567p345s11z79s"], "8s"), networks) == Action.TSUMO
    table = make_table(TENHOU, ["", "234m567p345s55z11s"], "5z")
    offer(table, 0, "5z")
    assert Action.RON in table.legal, "5z and 1s win"
    assert done(table, networks) == Action.RON
    assert networks.asked == []


def test_no_open_and_no_added_kan():
    table = make_table(TENHOU, ["", "555z19m12345p789s"], "5z")
    offer(table, 0, "5z")
    assert Action.DAIMINKAN in table.legal
    assert done(table, Fixed()) == Action.PASS
    table.act(Action.PON)
    assert done(table, Fixed(**discarding("1m"))) == kind("1m")
    table.act(kind("1m"))
    while table.actor != 1:
        table.act(Action.PASS if Action.PASS in table.legal else Action.TSUMOGIRI)
    assert Action.KAKAN + kind("5z") in table.legal
    assert done(table, Fixed(**discarding("9m"))) == kind("9m")


@pytest.mark.parametrize(
    ("hand", "tile", "made"),
    [
        ("1111z19m1479p147s", "1111z", True),
        ("5555m19p147s1234z", "5555m", True),
        ("55557m1p147s1234z", "5555m", False),
        ("45555m1p147s1234z", "5555m", False),
        ("2555m19p147s1234z", "", False),
        ("25555m1p147s1234z", "5555m", True),
    ],
)
def test_a_closed_kan_of_an_isolated_tile(hand, tile, made):
    counts = np.bincount([kind_of(one) for one in parse_tiles(hand)], minlength=34)
    if tile:
        assert is_isolated(counts, kind(tile)) is made


def test_a_closed_kan_is_made_before_a_network_is_asked():
    table = make_table(TENHOU, ["1111z19m1479p147s"], "9s")
    networks = Fixed()
    assert done(table, networks) == Action.ANKAN + kind("1z")
    assert networks.asked == []
    table = make_table(TENHOU, ["5555z19m1479p147s"], "9s")
    assert done(table, networks) == Action.ANKAN + kind("5z")
    table = make_table(TENHOU, ["2222m4m1479p147s1z"], "9s")
    assert done(table, Fixed(**discarding("1z"))) == kind("1z")


def test_nine_terminals_with_fewer_than_eleven_kinds_end_the_hand():
    assert done(make_table(TENHOU, ["19m19p19s1234z456p"], "8s"), Fixed()) == Action.KYUUSHU_KYUUHAI
    table = make_table(TENHOU, ["19m19p19s12345z45p"], "8s")
    assert Action.KYUUSHU_KYUUHAI in table.legal
    assert done(table, Fixed(**discarding("4p"))) == kind("4p")


# ---------------------------------------------------------------------------------------------------------
# Networks


def test_riichi_and_its_discard_keep_tenpai():
    table = make_table(TENHOU, ["234m567p345s1179s"], "5z")
    assert done(table, Fixed(riichi=[0, 1])) == Action.RIICHI
    assert done(table, Fixed(riichi=[1, 0], **discarding("2m"))) == kind("2m")
    both = make_table(TENHOU, ["234m567p345s1179s"], "6s")
    both.act(Action.RIICHI)
    assert both.actor == 0
    assert done(both, Fixed(**discarding("2m", "6s", "9s"))) == Action.TSUMOGIRI
    assert done(both, Fixed(**discarding("2m", "9s", "6s"))) == kind("9s")


def test_first_choices_that_are_not_possible_are_counted():
    table = make_table(TENHOU, ["19m19p19s1234z456p"], "4s")
    table.state.interrupted = 1
    player = GaoAgent(Fixed(**discarding("5m", "4s")))
    batch = table._tables.decisions([0])
    batch.legal[:, Action.KYUUSHU_KYUUHAI] = False
    assert int(player.act(batch)[0]) == Action.TSUMOGIRI
    assert (player.discards, player.illegal) == (1, 1)


def test_pon_and_chii_by_the_more_probable():
    table = make_table(TENHOU, ["", "5567m19p19s12345z"], "5m")
    offer(table, 0, "5m")
    assert {Action.PON, Action.CHII} <= set(table.legal)
    assert done(table, Fixed(pon=[0, 2], chii=[0, 1, 0, 0])) == Action.PON
    assert done(table, Fixed(pon=[0, 1], chii=[0, 4, 0, 0])) == Action.CHII
    assert done(table, Fixed(pon=[1, 0], chii=[1, 0, 0, 0])) == Action.PASS
    assert done(table, Fixed(pon=[1, 0], chii=[0, 0, 4, 0])) == Action.PASS, "no run has it in the middle"


def test_calls_lay_down_the_red_five():
    table = make_table(TENHOU, ["", "0567m19p19s12345z"], "5m")
    offer(table, 0, "5m")
    assert done(table, Fixed(pon=[0, 2], chii=[1, 0, 0, 0])) == Action.PON + 1
    chii = make_table(TENHOU, ["", "3505m19p19s12345z"], "4m")
    offer(chii, 0, "4m")
    assert Action.CHII_RED + 1 in chii.legal
    assert done(chii, Fixed(chii=[0, 0, 2, 0])) == Action.CHII_RED + 1


# ---------------------------------------------------------------------------------------------------------
# Checkpoints


@pytest.fixture(params=["gao-86", "gao-sequence"])
def folder(tmp_path, request):
    save_tiny_player(tmp_path, sequence=request.param == "gao-sequence")
    return tmp_path


def test_a_folder_of_four_networks_is_a_player(folder):
    player = agent(str(folder))
    assert isinstance(player, GaoAgent)
    assert player.players == {4}
    match = play_match([player, *[EfficientAgent()] * 3], preset("tenhou-hand"), 3, seed=1)
    again = play_match([agent(str(folder)), *[EfficientAgent()] * 3], preset("tenhou-hand"), 3, seed=1)
    assert (match.hands.change == again.hands.change).all()
    assert player.discards > 20
    with pytest.raises(AgentError, match="does not play with three"):
        play_match([player] * 3, preset("tenhou-sanma-hand"), 1)


def test_folders_without_a_player_are_a_one_line_error(folder):
    names = {decision: decision for decision in DECISIONS}
    save_player(folder, "gao", {**names, "pon": "riichi"})
    with pytest.raises(AgentError, match="riichi holds no network for pon"):
        agent(str(folder))
    save_player(folder, "gao", {"discard": "discard"})
    with pytest.raises(AgentError, match="does not name 4 networks"):
        agent(str(folder))
    save_player(folder, "gao", {})
    with pytest.raises(AgentError, match="does not name the networks"):
        agent(str(folder))


def test_a_folder_of_an_earlier_version_is_a_player(folder):
    player = agent(str(folder))
    (folder / "player.json").unlink()
    (folder / "gao.json").write_text(json.dumps({decision: decision for decision in DECISIONS}))
    batch = Tables("tenhou", 20).decisions()
    assert (agent(str(folder)).act(batch) == player.act(batch)).all()
    (folder / "gao.json").write_text("{")
    with pytest.raises(AgentError, match=r"gao\.json does not name the networks"):
        agent(str(folder))


# ---------------------------------------------------------------------------------------------------------
# Preferences, for reviews and hints


class Varied:
    """A network with logits that depend only on the hand and differ between hands."""

    def logits(self, decision, batch):
        counts = np.asarray(batch.views)["hand"]["counts"].astype(np.float64) @ np.arange(1, 35) ** 2
        return np.sin(counts[:, None] * np.arange(1, CLASSES[decision] + 1)).astype(np.float32)


def test_preferences_ask_each_network_once_about_a_situation():
    asked = Counter()

    class Counting(Varied):
        def logits(self, decision, batch):
            asked.update((decision, table) for table in batch.tables.tolist())
            return super().logits(decision, batch)

    tables = Tables(TENHOU, 60, 3)
    for _ in range(12):
        asked.clear()
        GaoAgent(Counting()).preferences(tables.decisions())
        assert set(asked.values()) == {1}
        tables.step(np.where(tables.legal()[:, Action.PASS], Action.PASS, tables.legal().argmax(axis=1)))


def test_the_highest_probability_is_that_of_the_players_action():
    tables, player = Tables(TENHOU, 60, 3), GaoAgent(Varied())
    seen = set()
    for step in range(40):
        batch = tables.decisions()
        actions, shares = player.act(batch), player.preferences(batch)
        assert isinstance(player, Reviewer)
        assert (shares.argmax(axis=1) == actions).all()
        assert np.abs(shares.sum(axis=1) - 1).max() < 1e-5
        assert (shares[~batch.legal] == 0).all()
        seen |= set(actions.tolist())
        tables.step(actions if step % 2 else agent("random").act(batch))
    assert {Action.PON, Action.CHII, Action.PASS} & seen == {Action.PON, Action.CHII, Action.PASS}


def test_probabilities_have_the_ratios_of_the_networks():
    table = make_table(TENHOU, ["123456p789s55z79p"], "1z")
    networks = Fixed(riichi=[0, 1], **discarding("9p", "1z"))
    shares = GaoAgent(networks).preferences(table.decision())[0]
    assert shares[Action.RIICHI] / shares[Action.DISCARD + kind("9p")] == pytest.approx(np.e, rel=1e-4)
    tsumogiri = shares[Action.TSUMOGIRI] + shares[Action.DISCARD + kind("1z")]
    assert shares[Action.DISCARD + kind("9p")] / tsumogiri == pytest.approx(np.e, rel=1e-4)
