"""The `long` paper: its printed networks, their training, and forty predictors in one module."""

from __future__ import annotations

import numpy as np
import pytest

pytest.importorskip("torch")

import torch
from torch import nn

from janshi.encoders import encoder
from janshi.learn.checkpoints import load_network
from janshi.learn.networks import NetworkError, make_network
from janshi.learn.trainer import TrainConfig, Trainer
from janshi.papers.long.encoder import (
    CALLS,
    FED_BACK,
    INDICATORS,
    SUITS,
    exchanged_kinds,
    with_suits_exchanged,
    with_yaku,
)
from janshi.papers.long.labels import CALLED, kept_of, labels, share_kept, winning_positions
from janshi.papers.long.networks import (
    PREDICTED,
    REGULARISER,
    YAKU_WIDTHS,
    LongConfig,
    LongNetwork,
    SideBySide,
    YakuConfig,
    YakuNetwork,
    feed,
    parameters,
    predictors_of,
)
from janshi.papers.long.tasks import LongTask, YakuTask
from janshi.riichi.actions import Action, action_text
from janshi.riichi.dataset import decisions, read_hands
from janshi.riichi.hands.yaku import YAKUMAN
from janshi.riichi.records.mjlog import decode_meld
from janshi.riichi.rules.yaku import YakuId
from janshi.riichi.state import Phase
from janshi.tiles import kind_of
from tests.learn.made import Caller, make_games

CPU = torch.device("cpu")
NARROW = LongConfig("discard", (16, 24, 40, 16))


@pytest.fixture(scope="module")
def hands(tmp_path_factory):
    folder = tmp_path_factory.mktemp("long")
    make_games(folder / "made-2020", "tenhou-east", 2)
    make_games(folder / "called-2020", "tenhou-east", 1, Caller())
    return read_hands([folder], 4)


# ---------------------------------------------------------------------------------------------------------
# Networks


def test_the_networks_have_as_many_parameters_as_printed():
    """The discard network's 39 million are counted without creating them."""
    with torch.device("meta"):
        counts = {
            (decision, fed): parameters(LongNetwork(LongConfig(decision, predictors=YAKU_WIDTHS if fed else None)))
            for decision in ("discard", "pon", "chii")
            for fed in (False, True)
        }
        assert parameters(YakuNetwork(YakuConfig())) == 40 * 784_257
    assert counts == {
        ("discard", False): 39_483_434,
        ("discard", True): 39_486_134,
        ("pon", False): 4_809,
        ("pon", True): 4_881,
        ("chii", False): 322_116,
        ("chii", True): 326_724,
    }


def test_every_layer_has_the_parameters_of_its_row():
    with torch.device("meta"):
        discard = LongNetwork(LongConfig("discard", predictors=YAKU_WIDTHS))
        chii = LongNetwork(LongConfig("chii", predictors=YAKU_WIDTHS))
        yaku = YakuNetwork(YakuConfig((1,)))
    assert [parameters(layer) for layer in discard.layers] == [144_600, 301_000, 30_030_000, 9_000_300, 10_234]
    assert [parameters(layer) for layer in chii.layers] == [247_296, 65_664, 4_128, *[1_056] * 9, 132]
    assert [parameters(layer) for layer in yaku.layers] == [242_176, 262_656, 131_328, 65_792, 65_792, 16_448, 65]


def test_forty_yaku_are_predicted():
    assert len(PREDICTED) == 40
    assert set(FED_BACK) <= set(PREDICTED)
    assert set(range(55)) - set(PREDICTED) == set(YAKUMAN) - {YakuId.RENHOU}


def alone(network: YakuNetwork, column: int) -> nn.Sequential:
    """Return one predictor as a separate network with the same weights."""
    layers: list[nn.Module] = []
    for layer in network.layers:
        dense = nn.Linear(layer.weight.shape[1], layer.weight.shape[2])
        dense.weight.data = layer.weight[column].detach().T.clone()
        dense.bias.data = layer.bias[column, 0].detach().clone()
        layers += [dense, nn.ReLU()]
    return nn.Sequential(*layers[:-1])


def test_forty_predictors_in_one_module_learn_like_forty_networks():
    torch.manual_seed(3)
    network = YakuNetwork(YakuConfig(widths=(12, 8, 4)))
    apart = [alone(network, column) for column in range(40)]
    together = torch.optim.Adam(network.parameters(), 1e-2)
    each = [torch.optim.Adam(one.parameters(), 1e-2) for one in apart]
    task = YakuTask(network.config)
    probe = torch.randint(0, 5, (50, 472)).float()
    before = network(probe).detach()
    for _ in range(12):
        x = torch.randint(0, 5, (64, 472)).float()
        scored = torch.randint(0, 2, (64, 40))
        loss = task.loss(network, network(x), {"yaku": scored}).loss
        together.zero_grad()
        loss.backward()
        together.step()
        for column, (one, optimizer) in enumerate(zip(apart, each, strict=True)):
            own = nn.functional.binary_cross_entropy_with_logits(one(x)[:, 0], scored[:, column].float())
            optimizer.zero_grad()
            own.backward()
            optimizer.step()
    joined = torch.cat([one(probe) for one in apart], dim=1)
    assert torch.allclose(network(probe), joined, atol=1e-4)
    assert ((joined - before).abs().amax(dim=0) > 0.01).all(), "all have learned"


def test_weights_begin_as_in_keras():
    torch.manual_seed(1)
    layer = SideBySide(40, 472, 64)
    bound = (6 / (472 + 64)) ** 0.5
    assert 0.99 * bound < layer.weight.detach().abs().max() <= bound
    assert (layer.bias == 0).all()
    dense = LongNetwork(NARROW).layers[0]
    assert dense.weight.detach().abs().max() <= (6 / (472 + 16)) ** 0.5
    assert (dense.bias == 0).all()


def test_a_network_with_yaku_reads_the_probabilities_ten_times():
    torch.manual_seed(2)
    forty = YakuNetwork(YakuConfig(widths=(8,)))
    network = LongNetwork(LongConfig("chii", (16, 8), (8,)))
    feed(network, forty)
    x = torch.randint(0, 5, (7, 473)).float()
    probabilities = torch.sigmoid(forty(x[:, :472]))[:, [PREDICTED.index(number) for number in FED_BACK]]
    array = torch.from_numpy(with_yaku(x.numpy(), probabilities.detach().numpy()))
    inner = array
    for layer in network.layers[:-1]:
        inner = torch.relu(layer(inner))
    assert torch.allclose(network(x), network.layers[-1](inner), atol=1e-5)


def test_predictors_do_not_learn_with_the_network_that_they_feed():
    network = LongNetwork(LongConfig("pon", (8, 8), (8,)))
    network(torch.ones(4, 473)).sum().backward()
    assert all(weights.grad is None for weights in network.predictors.parameters())
    assert network.layers[0].weight.grad is not None


def test_invalid_arguments_are_refused():
    with pytest.raises(NetworkError, match="no decision 'riichi'"):
        LongNetwork(LongConfig("riichi"))
    with pytest.raises(NetworkError, match="does not predict yaku 8, 14"):
        predictors_of(YakuNetwork(YakuConfig((1,), (8,))))
    with pytest.raises(NetworkError, match="yaku are fed"):
        feed(LongNetwork(LongConfig("pon", (8,))), YakuNetwork(YakuConfig(widths=(8,))))


def test_the_regulariser_is_that_of_the_widest_layer_of_discards():
    for config, widest in ((NARROW, 2), (LongConfig("pon", (8,)), None)):
        network = LongNetwork(config)
        (0 * network(torch.ones(4, encoder(config.encoder).shape[0])).sum()).backward()
        for number, layer in enumerate(network.layers):
            wanted = 2 * REGULARISER * layer.weight if number == widest else torch.zeros(())
            assert torch.allclose(layer.weight.grad, wanted.expand_as(layer.weight))


# ---------------------------------------------------------------------------------------------------------
# Labels


def test_labels_are_the_actions_taken(hands):
    batch = decisions(hands)
    every = {decision: labels(batch, decision) for decision in ("discard", "pon", "chii")}
    mask = batch.legal_mask()
    for row, action in enumerate(batch.action.tolist()):
        discard, pon, chii = (int(every[decision][row]) for decision in every)
        claim = batch.phase[row] == Phase.CLAIM
        if action <= Action.TSUMOGIRI and not batch.riichi[row]:
            tile = int(batch.drawn[row]) if action == Action.TSUMOGIRI else action
            assert discard == kind_of(tile)
        else:
            assert discard == -1
        answered = claim and batch.observed[row] and action != Action.RON
        could_pon = mask[row, Action.PON : Action.DAIMINKAN].any()
        could_chii = mask[row, Action.CHII : Action.PON].any()
        text = action_text(action)
        assert pon == ((1 if text.startswith("pon") else 0) if answered and could_pon else -1)
        if not (answered and could_chii):
            assert chii == -1
        elif text.startswith("chii"):
            assert chii == next(n for n, name in enumerate(("low", "middle", "high"), 1) if f"tile {name}" in text)
        else:
            assert chii == 0
    assert {0, 1} <= set(every["pon"].tolist())
    assert {0, 1, 2, 3} <= set(every["chii"].tolist())
    assert set(every["discard"].tolist()) == set(range(-1, 34))
    assert (batch.riichi & (batch.phase != Phase.CLAIM)).any(), "some discards came after riichi"


def test_yaku_are_learned_only_from_winners(hands):
    batch = decisions(hands, encoder=encoder("long"))
    positions = winning_positions(batch)
    assert batch.won[positions].all()
    assert 0 < positions.sum() < batch.won.sum(), "not from discards after riichi, nor from the win itself"
    examples = YakuTask().examples(batch)
    assert len(examples) == positions.sum()
    column = PREDICTED.index(YakuId.TANYAO)
    assert (examples.targets["yaku"][:, column] == batch.yaku[positions] >> YakuId.TANYAO & 1).all()
    assert 0 < examples.targets["yaku"][:, column].mean() < 1
    assert (examples.packed == batch.packed[positions]).all()


def test_negatives_are_thinned_to_the_papers_shares(hands):
    shown = encoder("long-call")
    batch = decisions(hands, encoder=shown)
    for decision in ("pon", "chii"):
        every = labels(batch, decision)
        counts = int((every > 0).sum()), int((every == 0).sum())
        kept = share_kept(*counts, CALLED[decision])
        task = LongTask(LongConfig(decision, (8,)), kept)
        examples = task.examples(batch)
        taken = examples.targets["label"] > 0
        assert taken.sum() == counts[0], "every call stays"
        sigma = (counts[1] * kept * (1 - kept)) ** 0.5
        assert abs((~taken).sum() - kept * counts[1]) < 5 * sigma + 1
        some = np.arange(3)
        again = task.examples(decisions(hands, some, encoder=shown))
        assert (again.packed == examples.packed[: len(again)]).all(), "the same ones, whatever else is encoded"


def test_kept_examples_do_not_depend_on_the_tile():
    random = np.random.default_rng(1)
    packed = random.integers(0, 3, (20_000, 473)).astype(np.int8)
    kept = kept_of(packed, 0.3)
    assert abs(kept.mean() - 0.3) < 0.02
    assert abs(kept[packed[:, 472] == 0].mean() - 0.3) < 0.03
    assert abs(kept[packed[:, 5] == 2].mean() - 0.3) < 0.03
    assert kept_of(packed, 1.0).all()
    assert not kept_of(packed, 0.0).any()


# ---------------------------------------------------------------------------------------------------------
# Training


def test_yaku_then_a_network_that_is_fed_by_them(hands, tmp_path):
    config = TrainConfig(
        task=YakuTask(YakuConfig(widths=(16, 8))), epochs=2, batch=64, weight_decay=0.0, cosine=False, chunk=8
    )
    trainer = Trainer(config, hands, tmp_path / "yaku")
    trainer.train()
    assert trainer.curve[-1]["loss"] < trainer.curve[0]["loss"]
    forty, metadata = load_network(tmp_path / "yaku")
    assert isinstance(forty, YakuNetwork)
    assert metadata["encoder"] == "long"
    task = LongTask(LongConfig("pon", (8, 8), (16, 8)), 0.9)
    config = TrainConfig(task=task, epochs=1, batch=32, weight_decay=0.0, cosine=False, chunk=8)
    trainer = Trainer(config, hands, tmp_path / "pon", prepare=lambda network: feed(network, forty))
    before = trainer.plain.predictors.layers[0].weight.clone()
    trainer.train()
    assert (trainer.plain.predictors.layers[0].weight == before).all()
    network, _ = load_network(tmp_path / "pon")
    wanted = predictors_of(forty).state_dict()
    assert all((weights == wanted[name]).all() for name, weights in network.predictors.state_dict().items())
    answers = task.answers(network, hands, CPU)
    measured = task.measure(network, hands, CPU)["pon"]
    assert measured.top[0].count == len(answers.labels) > 0
    assert measured.top[0].value == pytest.approx((answers.first == answers.labels).mean())


def test_first_choices_of_discards_need_not_be_in_the_hand(hands):
    torch.manual_seed(5)
    task = LongTask(NARROW)
    network = make_network(NARROW)
    answers = task.answers(network, hands, CPU, most=300)
    assert len(answers.labels) == 300
    rows = np.arange(300)
    assert answers.possible[rows, answers.labels].all(), "what was discarded was held"
    assert answers.possible[rows, answers.first_possible].all()
    assert not answers.first_is_possible.all()
    measured = task.measure(network, hands, CPU, most=300)["discard"]
    assert measured.illegal.value == pytest.approx((~answers.first_is_possible).mean())


# ---------------------------------------------------------------------------------------------------------
# Exchanged suits


def test_exchanged_suits_move_every_tile_of_an_array(hands):
    packed = np.asarray(decisions(hands, encoder=encoder("long-call")).packed)
    turns = (np.arange(len(packed)) % len(SUITS)).astype(np.uint8)
    kinds, moved = exchanged_kinds(turns), with_suits_exchanged(packed, turns)
    for first in (1, 35, 69, 103, 137, 427):
        assert (np.take_along_axis(moved[:, first : first + 34], kinds, 1) == packed[:, first : first + 34]).all()
    others = [0, 461, *range(462, 472)]
    assert (moved[:, others] == packed[:, others]).all()
    called = packed[:, 472] >= 0
    assert called.any()
    assert (moved[called, 472] == kinds[called, packed[called, 472]]).all()


def test_exchanged_suits_move_every_call(hands):
    packed = np.asarray(decisions(hands, encoder=encoder("long-call")).packed)
    seen = set()
    for turn in range(len(SUITS)):
        turns = np.full(len(packed), turn, np.uint8)
        before, after = calls_of(packed), calls_of(with_suits_exchanged(packed, turns))
        kind_after = exchanged_kinds(turns[:1])[0]
        for old, new in np.unique(np.stack((before, after), 1), axis=0).tolist():
            if not old:
                assert not new
                continue
            was, now = decode_meld(old), decode_meld(new)
            assert (was.event, was.discarder) == (now.event, now.discarder)
            assert [4 * kind_after[tile // 4] + tile % 4 for tile in was.tiles] == list(now.tiles)
            seen.add(was.event.name)
    assert {"CHII", "PON"} <= seen


def calls_of(packed):
    """Return all calls (n) as Tenhou's codes."""
    return packed[:, CALLS:INDICATORS].reshape(-1, 16).astype(np.int64) @ (1 << np.arange(15, -1, -1))


def test_training_exchanges_the_suits_of_labels_too(hands):
    task = LongTask(NARROW)
    examples = task.examples(decisions(hands, encoder=encoder("long")))
    turned = task.turned(examples, np.full(len(examples), 5, np.uint8))
    held = turned.packed[np.arange(len(turned)), 1 + turned.targets["label"]]
    assert (held > 0).all()
    assert (turned.targets["label"] != examples.targets["label"]).any()


def test_exchanged_suits_of_no_array_are_none(hands):
    packed = np.asarray(decisions(hands, encoder=encoder("long-call")).packed)[:0]
    assert with_suits_exchanged(packed, np.zeros(0, np.uint8)).shape == packed.shape
