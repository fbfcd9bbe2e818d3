"""Training from games to a player, on small sets of agents' games."""

import dataclasses
import json
import platform
import shutil
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest
import torch
from torch import nn

from janshi.agents import AgentError, RandomAgent, agent
from janshi.agents.onnx import OnnxNetwork
from janshi.agents.outputs import Outputs
from janshi.arena import play_match
from janshi.encoders import ENCODERS, encoder
from janshi.learn import trainer as trainer_module
from janshi.learn.checkpoints import CHECKPOINT, CheckpointError, config_from_json, config_json, load_network
from janshi.learn.configs import TrainSettings
from janshi.learn.datasets import DatasetError
from janshi.learn.export import export_onnx
from janshi.learn.inference import TorchNetwork, answers, best_device, product_dtype
from janshi.learn.metrics import calibration_by_chance, calibration_error
from janshi.learn.networks import (
    NETWORKS,
    ActionNetwork,
    NetworkError,
    NetworkKind,
    encoder_of,
    kind_of,
    make_network,
    register,
    renormalise,
)
from janshi.learn.players import load_player, save_player
from janshi.learn.scalars import tensorboard_log
from janshi.learn.starts import fitting, load_start, weights_from
from janshi.learn.trainer import TrainConfig, Trainer, TrainingError
from janshi.papers.meowjong.decisions import DECISIONS
from janshi.papers.meowjong.networks import MeowjongConfig, MeowjongNetwork
from janshi.papers.meowjong.tasks import OneDecision, paper_config
from janshi.riichi.actions import Action
from janshi.riichi.dataset import decisions, legal_mask
from janshi.riichi.dataset.augmentation import can_turn
from janshi.riichi.dataset.measuring import ANSWERS, measured_policy
from janshi.riichi.dataset.tasks import PolicyTask
from janshi.riichi.networks import KindConfig, KindNetwork, SuitConfig
from janshi.riichi.rules import preset
from janshi.table import Tables
from tests.commands import janshi, report_of
from tests.learn.encoders import EVENTS

NARROW = PolicyTask(KindConfig(channels=16, blocks=1))
SMALL = TrainConfig(task=NARROW, epochs=4.0, batch=64, seed=3, development=0.2, chunk=8, augment=True)
SUITS = dataclasses.replace(
    SMALL, task=PolicyTask(SuitConfig(channels=8, blocks=1, hidden=8)), epochs=1.0, average=0.9
)
NARROW_BY_COMMAND = ("--network", "policy", "--channels", "8", "--blocks", "1", "--json")
TINY = {"epochs": 0.6, "batch": 16, "chunk": 4, "measure_most": 32, "seed": 1}


def tiny(decision: str, **changes) -> TrainConfig:
    """Return a paper's network with few filters."""
    shape = MeowjongConfig(decision, filters=(4, 4, 4, 2), dense=8, **changes)
    return paper_config(decision, task=OneDecision(shape), **TINY)


def weights(trainer: Trainer) -> list[bytes]:
    return [tensor.detach().numpy().tobytes() for tensor in trainer.plain.state_dict().values()]


# ---------------------------------------------------------------------------------------------------------
# Networks


@pytest.mark.parametrize(
    ("decision", "rows", "columns"),
    [("discard", 4, 5), ("pon", 5, 4), ("kan", 2, 3), ("kita", 3, 2), ("riichi", 3, 4)],
)
def test_the_papers_networks_have_their_layers(decision, rows, columns):
    """Counted by hand from the description: four convolutions, two dense layers, five normalisations."""
    with torch.device("meta"):  # shapes without numbers
        network = MeowjongNetwork(MeowjongConfig(decision)).eval()
        answer = network(torch.zeros(1, 366, 34))
    wanted = 0
    before = 1
    for filters in (64, 64, 64, 32):
        wanted += rows * columns * before * filters + filters + 2 * filters
        before = filters
    wide = 32 * (34 - 4 * (rows - 1)) * (366 - 4 * (columns - 1))
    outputs = 34 if decision == "discard" else 2
    wanted += wide * 256 + 256 + 2 * 256 + 256 * outputs + outputs
    assert sum(tensor.numel() for tensor in network.parameters()) == wanted
    assert answer.shape == (1, outputs)


def test_the_papers_networks_begin_as_those_of_keras():
    """Glorot's limit √(6 / (inputs + outputs)), zero biases, and Keras's constants of normalisation."""
    torch.manual_seed(0)
    network = MeowjongNetwork(MeowjongConfig("riichi", filters=(8, 8, 8, 8), dense=64))
    weighty = [layer for layer in network.modules() if isinstance(layer, nn.Conv2d | nn.Linear)]
    assert len(weighty) == 6
    for layer in weighty:
        area = layer.weight[0, 0].numel()
        limit = (6 / (area * sum(layer.weight.shape[:2]))) ** 0.5
        assert 0.9 * limit < float(layer.weight.detach().abs().max()) <= limit
        assert not layer.bias.any()
    norms = [layer for layer in network.modules() if isinstance(layer, nn.BatchNorm1d | nn.BatchNorm2d)]
    assert [(layer.eps, layer.momentum) for layer in norms] == [(1e-3, 0.01)] * 5


def test_normalisation_is_recomputed_from_given_inputs():
    network = nn.Sequential(nn.BatchNorm1d(2, momentum=0.3), nn.Dropout(0.5))
    network(torch.full((4, 2), 100.0))
    shown = [torch.tensor([[0.0, 1], [2, 1]]), torch.tensor([[4.0, 3], [6, 7]])]
    renormalise(network, shown)
    norm = network[0]
    assert norm.running_mean.tolist() == [3, 3]
    assert norm.running_var.tolist() == pytest.approx([2, 4]), "the mean of the batches' variances: 2 and 2, 0 and 8"
    assert norm.momentum == 0.3
    assert not network.training
    assert not norm.training


def test_the_playing_network_is_normalised_by_its_last_examples(hands, tmp_path):
    config = dataclasses.replace(tiny("pon"), average=0.9, epochs=1.0, chunk=len(hands), renormalise=24)
    trainer = Trainer(config, hands, tmp_path)
    trainer.train()
    norms = [layer for layer in trainer.player.modules() if isinstance(layer, nn.BatchNorm1d | nn.BatchNorm2d)]
    assert [int(layer.num_batches_tracked) for layer in norms] == [2] * 5, "16 and 8 situations"
    learning = [layer for layer in trainer.plain.modules() if isinstance(layer, nn.BatchNorm1d)]
    assert int(learning[0].num_batches_tracked) > 2


def test_one_situation_does_not_change_the_normalisation(hands, tmp_path):
    trainer = Trainer(dataclasses.replace(tiny("pon"), renormalise=1), hands, tmp_path)
    trainer.train()
    norm = next(layer for layer in trainer.player.modules() if isinstance(layer, nn.BatchNorm1d))
    assert int(norm.num_batches_tracked) > 0, "the moving means stay"


def test_the_papers_settings():
    discard, pon = paper_config("discard"), paper_config("pon")
    assert (discard.batch, discard.epochs, discard.learning_rate) == (64, 200.0, 1e-3)
    assert (pon.batch, pon.epochs, pon.cosine) == (32, 500.0, False)
    with pytest.raises(ValueError, match="no decision 'chii'"):
        paper_config("chii")


def test_a_policy_network_has_an_output_for_every_action(hands):
    for name in ("meowjong", "janshi"):
        network = make_network(KindConfig(encoder=name, channels=8, blocks=1))
        assert isinstance(network, KindNetwork)
        assert encoder_of(network) is encoder(name)
        packed = decisions(hands, np.arange(1), encoder=encoder(name)).packed
        assert answers(network.eval(), packed, best_device()).shape == (len(packed), 123)


def test_the_logit_of_a_kinds_action_belongs_to_the_kind():
    """Swapping pin and sou swaps the logits of their discards and kans, if their positions have equal vectors."""
    torch.manual_seed(1)
    network = make_network(KindConfig(channels=8, blocks=0)).eval()
    x = torch.zeros(1, 401, 34)
    x[0, 1, 9:13] = 1
    moved = torch.zeros(1, 401, 34)
    moved[0, 1, 18:22] = 1
    with torch.inference_mode():
        first, second = network(x)[0], network(moved)[0]
    for group in (0, 54, 88):
        assert torch.allclose(first[group + 10 : group + 12], second[group + 19 : group + 21], atol=1e-6)
    assert not torch.allclose(first[10:12], second[10:12])


def test_unknown_networks_and_encoders_are_reported(monkeypatch):
    with pytest.raises(NetworkError, match="no configuration of a network"):
        kind_of(TrainSettings())
    with pytest.raises(NetworkError, match="there is a network 'policy' already"):
        register(NetworkKind("policy", KindConfig, KindNetwork))
    assert set(NETWORKS) >= {"policy", "meowjong"}

    monkeypatch.setitem(ENCODERS._values, EVENTS.name, EVENTS)
    with pytest.raises(NetworkError, match="writes no columns over the kinds"):
        make_network(KindConfig(encoder=EVENTS.name))
    assert not can_turn(EVENTS, 3)


def test_a_configuration_comes_back_from_json():
    config = MeowjongConfig("pon", kernel=(2, 3), scale=(0.1, 0.2))
    assert config_from_json(MeowjongConfig, config_json(config)) == config
    with pytest.raises(TypeError):
        config_from_json(MeowjongConfig, {"columns": 3})


# ---------------------------------------------------------------------------------------------------------
# Training


@pytest.fixture(scope="module")
def whole(hands, tmp_path_factory):
    """Return a network over the whole action space."""
    trainer = Trainer(SMALL, hands, tmp_path_factory.mktemp("whole"))
    trainer.train()
    return trainer


def few_hands(trainer, hands, most) -> int:
    """Return the number of measured discards; 64 hands at a time until there are enough decisions."""
    many = hands.part(np.arange(80) % len(hands))
    return trainer.config.task.measure(trainer.plain, many, trainer.device, most)["discard"].top[0].count


def test_the_rest_of_a_chunk_joins_the_next_one(hands, tmp_path, monkeypatch):
    """Also if the training is resumed in between: every batch but the last is full."""
    sizes: list[int] = []
    loss = PolicyTask.loss

    def counted(task, network, outputs, targets):
        sizes.append(len(outputs))
        return loss(task, network, outputs, targets)

    monkeypatch.setattr(PolicyTask, "loss", counted)
    config = dataclasses.replace(SUITS, measure_every=9.0)
    whole = Trainer(config, hands, tmp_path / "whole")
    whole.train()
    assert set(sizes[:-1]) == {config.batch}
    assert sum(sizes) == whole.samples

    class StoppedError(Exception):
        pass

    def stop(progress):
        if progress.hands >= progress.total / 2:
            raise StoppedError

    first = Trainer(config, hands, tmp_path / "parts")
    with pytest.raises(StoppedError):
        first.train(stop)
    assert first.left is not None
    assert len(first.left)
    first.save()
    second = Trainer(config, hands, tmp_path / "parts")
    assert second.left is not None
    assert second.left.packed.tobytes() == first.left.packed.tobytes()
    second.train()
    assert weights(second) == weights(whole)


def test_a_share_of_the_records_is_whole_games_and_part_of_every_larger_share(hands):
    drawn = {share: hands.sample(share, 5) for share in (0.25, 0.5, 1.0)}
    games = {share: set(part.games.tolist()) for share, part in drawn.items()}
    assert games[0.25] < games[0.5] < games[1.0]
    assert len(games[0.5]) == round(0.5 * len(games[1.0]))
    for share, part in drawn.items():
        assert len(part) == np.isin(hands.games, list(games[share])).sum(), "whole games"
    assert games[0.5] == set(hands.sample(0.5, 5).games.tolist())
    assert any(games[0.5] != set(hands.sample(0.5, seed).games.tolist()) for seed in range(6, 12))
    assert len(set(hands.sample(1e-6, 5).games.tolist())) == 1


def test_a_training_on_a_share_resumes_with_the_same_games(hands, tmp_path):
    """The held-out games are those of a training on all games."""
    config = dataclasses.replace(SUITS, share=0.5, measure_every=9.0)
    first = Trainer(config, hands, tmp_path / "share")
    everything = Trainer(dataclasses.replace(config, share=1.0), hands, tmp_path / "all")
    assert set(first.held.games.tolist()) == set(everything.held.games.tolist())
    assert set(first.hands.games.tolist()) < set(everything.hands.games.tolist())
    assert first.total == len(first.hands) < everything.total
    first.train()
    again = Trainer(config, hands, tmp_path / "share")
    assert (again.done, again.samples) == (first.done, first.samples)
    with pytest.raises(CheckpointError, match="other options"):
        Trainer(dataclasses.replace(config, share=0.25), hands, tmp_path / "share")


@pytest.mark.parametrize(
    ("name", "damage", "words"),
    [
        *(
            (CHECKPOINT, lambda data, share=share: data[: int(share * len(data))], "no training that can be read")
            for share in (0.0, 0.5, 0.99)
        ),
        (CHECKPOINT, None, f"lacks {CHECKPOINT}"),
        ("training.json", lambda data: b"[]", "JSON object"),
        ("player.json", lambda data: b"[]", "JSON object"),
        ("player.json", lambda data: data.replace(b'"janshi"', b'"unheard of"'), "no encoder 'unheard of'"),
    ],
)
def test_a_damaged_file_of_a_training_is_named(whole, hands, tmp_path, name, damage, words):
    folder, config = tmp_path / "damaged", SUITS if name == CHECKPOINT else SMALL
    if name == CHECKPOINT:
        Trainer(config, hands, folder).save()
    else:  # a finished training has no checkpoint
        shutil.copytree(whole.folder, folder)
    assert Trainer(config, hands, folder).done in (0, whole.done)
    data = (folder / name).read_bytes()
    (folder / name).unlink() if damage is None else (folder / name).write_bytes(damage(data))
    with pytest.raises(CheckpointError, match=words):
        load_network(folder) if name == "player.json" else Trainer(config, hands, folder)


def test_a_loss_that_is_no_number_ends_a_training_and_keeps_its_checkpoint(hands, tmp_path, monkeypatch):
    first = Trainer(SUITS, hands, tmp_path / "lost")
    first.save()
    before = {path.name: path.read_bytes() for path in (tmp_path / "lost").iterdir()}
    loss = PolicyTask.loss

    def broken(*given):
        value, *counts = loss(*given)
        return (torch.nan * value, *counts)

    monkeypatch.setattr(PolicyTask, "loss", broken)
    with pytest.raises(TrainingError, match=r"the loss is nan after .* lower --learning-rate 0\.002"):
        Trainer(SUITS, hands, tmp_path / "lost").train()
    assert {path.name: path.read_bytes() for path in (tmp_path / "lost").iterdir()} == before


def test_a_training_without_newer_options_resumes_with_their_defaults(hands, tmp_path):
    Trainer(SUITS, hands, tmp_path / "old").save()
    path = tmp_path / "old" / "training.json"
    state = json.loads(path.read_text(encoding="utf-8"))
    assert state["config"].pop("share") == 1.0
    assert state["config"]["task"].pop("outcome") == 0.0
    path.write_text(json.dumps(state), encoding="utf-8")
    assert Trainer(SUITS, hands, tmp_path / "old").done == 0
    preferring = dataclasses.replace(SUITS, task=dataclasses.replace(SUITS.task, outcome=1.0))
    for other in (dataclasses.replace(SUITS, share=0.5), preferring):
        with pytest.raises(CheckpointError, match="other options"):
            Trainer(other, hands, tmp_path / "old")


def test_a_policy_learns_every_action(whole, hands):
    losses = [point["loss"] for point in whole.curve]
    assert np.mean(losses[-3:]) < 0.8 * np.mean(losses[:3])
    measured = whole.measure()
    assert {"discard", "pon", "kita", "riichi", "win"} <= set(measured)
    assert "chii" not in measured, "there is none in sanma"
    held = decisions(whole.held)
    there = {name: int((answer.labels(held) >= 0)[held.observed].sum()) for name, answer in ANSWERS.items()}
    assert measured["win"].top[0].count == there["win"]
    assert measured["pon"].top[0].count <= there["pon"], "beside a win nothing was decided"
    assert measured["kita"].top[0].value > 0.5
    for figure in measured.values():
        assert [each.value for each in figure.top] == sorted(each.value for each in figure.top)
        assert figure.loss > 0
        assert 0 <= figure.calibration <= 1
    assert few_hands(whole, hands, 20) < few_hands(whole, hands, None)


def test_discards_are_measured_by_kind_and_calls_by_all_their_forms():
    """With a drawn 5p and a red one in the hand, any discard of a 5p counts as the same kind."""
    batch_legal = np.zeros((3, 3), np.int64)
    batch_legal[0, 0] = 1 << 35 | 1 << Action.TSUMOGIRI | 1 << 1
    batch_legal[1, 0] = batch_legal[2, 0] = 1 << Action.PON | 1 << Action.PON + 1 | 1 << Action.PASS
    logits = np.full((3, 122), -9, np.float32)
    logits[0, [35, Action.TSUMOGIRI, 1]] = np.log([0.3, 0.3, 0.4])
    logits[1:, [Action.PON, Action.PON + 1, Action.PASS]] = np.log([0.3, 0.3, 0.4])
    none = np.full(3, -1, np.int8)
    targets = dict.fromkeys(ANSWERS, none) | {
        "legal": batch_legal,
        "drawn": np.array([13, -1, -1], np.int8),
        "discard": np.array([13, -1, -1], np.int8),
        "pon": np.array([-1, 1, 0], np.int8),
    }
    measured = measured_policy(logits, targets)
    assert set(measured) == {"discard", "pon"}
    assert measured["discard"].top[0].value == 1
    assert measured["discard"].calibration == pytest.approx(0.4, abs=1e-3), "0.6 sure, and right"
    assert measured["pon"].confusion == ((0, 1), (0, 1))
    assert measured["pon"].calibration == pytest.approx(0.1, abs=1e-3), "0.6 sure, and right once of two"


@pytest.mark.filterwarnings("error")
def test_a_certain_network_is_measured_like_any_other():
    """Probabilities of exactly 1 do not have an infinite loss."""
    logits = np.full((2, 122), -99, np.float32)
    logits[:, Action.PASS] = 99
    targets = dict.fromkeys(ANSWERS, np.full(2, -1, np.int8)) | {
        "legal": np.array([[1 << Action.PON | 1 << Action.PASS, 0, 0]] * 2),
        "drawn": np.full(2, -1, np.int8),
        "discard": np.full(2, -1, np.int8),
        "pon": np.array([0, 1], np.int8),
    }
    for sure in (logits, -logits):
        assert measured_policy(sure, targets)["pon"].loss == pytest.approx(-np.log(1e-9) / 2, rel=1e-3)


def test_a_calibration_error_by_chance_is_that_of_correct_probabilities():
    rng = np.random.default_rng(4)
    shares = rng.random(300)
    errors = [calibration_error(shares, rng.random(300) < shares) for _ in range(400)]
    assert calibration_by_chance(shares) == pytest.approx(np.mean(errors), rel=0.05)


def test_the_place_in_which_a_game_ends_is_that_of_its_points(hands):
    known = hands.with_places()
    batch = decisions(known)
    assert (np.sort(known.places[:, :3], axis=1) == [0, 1, 2]).all()
    assert (known.places[:, 3] == -1).all()
    for game in np.unique(known.games).tolist():
        last = int(np.flatnonzero(known.games == game)[known.numbers[known.games == game].argmax()])
        rows = np.flatnonzero(batch.hand == last)
        first = [row for row in rows if batch.place[row] == 0]
        others = [row for row in rows if batch.place[row] > 0]
        ends = known.starts[last, 4:][batch.seat] + batch.change
        assert min(ends[first]) >= max(ends[others])
    assert (batch.part(np.arange(5)).place == batch.place[:5]).all()
    assert (decisions(hands).place == -1).all()


def test_a_network_of_suits_shares_weights_between_them():
    """No convolution crosses suits: one suit affects another only through the pooled hand."""
    network = make_network(SuitConfig(channels=8, blocks=0)).eval()
    empty = torch.zeros(1, *encoder("table").shape)
    near = empty.clone()
    near[0, 2, 9] = 1  # one tile of 1p, next to 9m
    with torch.inference_mode():
        change = network.stem((near - empty)[:, : network.of_kinds, :].new_zeros(1, network.of_kinds, 4, 9))
        rows = torch.nn.functional.pad(near[:, : network.of_kinds], (0, 2)).reshape(1, network.of_kinds, 4, 9)
        reached = (network.stem(rows) != change).any(dim=1)[0]
        answers_of = network(near)
    assert reached.nonzero().tolist() == [[1, 0], [1, 1]]
    assert answers_of.shape == (1, 122 + 4 + 1)


def test_hands_that_went_well_count_more(hands):
    """A won mangan has e times the weight of no change, larger wins no more; a lost one 1/e."""
    task = PolicyTask(SuitConfig(channels=8, blocks=1, hidden=8), outcome=1.0)
    examples = task.examples(decisions(hands, np.arange(4), encoder=encoder("table"))).part(np.arange(4))
    examples.targets["change"][:] = 0, 8000, 32000, -8000
    inputs = torch.from_numpy(encoder("table").inputs(examples.packed)).float()
    network = make_network(task.network)
    outputs = torch.zeros_like(network(inputs)).requires_grad_()
    task.loss(network, outputs, examples.tensors(torch.device("cpu"))).loss.backward()
    taken = outputs.grad[torch.arange(4), torch.from_numpy(examples.targets["action"]).long()]
    legal = legal_mask(examples.targets["legal"]).sum(axis=1)
    weights = taken / (1 / torch.from_numpy(legal) - 1)
    assert (weights / weights[0]).tolist() == pytest.approx([1, np.e, np.e, 1 / np.e], rel=1e-4)


def test_a_training_can_start_from_another_one(hands, tmp_path):
    first = Trainer(dataclasses.replace(SUITS, epochs=0.2), hands, tmp_path / "first")
    first.train()
    start = load_start(str(tmp_path / "first"))
    second = Trainer(SUITS, hands, tmp_path / "second", prepare=weights_from(start, hands, SUITS.task))
    known = start[0].state_dict()
    assert all(torch.equal(known[name], tensor) for name, tensor in second.plain.state_dict().items())
    assert all(torch.equal(known[name], tensor) for name, tensor in second.player.state_dict().items())


def test_a_widened_network_computes_the_same_and_learns_in_all_its_parts(hands, tmp_path):
    first = Trainer(dataclasses.replace(SUITS, epochs=0.5), hands, tmp_path / "first")
    first.train()
    network = load_network(tmp_path / "first")[0]
    larger = dataclasses.replace(SUITS, task=PolicyTask(SuitConfig(channels=12, blocks=2, hidden=8)), average=0.0)
    wide = fitting(network, larger)
    assert (wide.config.channels, len(wide.blocks)) == (12, 2)
    examples = SUITS.task.examples(hands.decisions(np.arange(2), encoder("table")))
    inputs = torch.from_numpy(encoder("table").inputs(examples.packed)).float()
    with torch.no_grad():
        torch.testing.assert_close(wide.eval()(inputs), network(inputs), atol=1e-5, rtol=1e-5)
    start = (wide, {})
    second = Trainer(larger, hands, tmp_path / "second", prepare=weights_from(start, hands, larger.task))
    before = {name: tensor.clone() for name, tensor in second.plain.state_dict().items()}
    second.train()
    after = second.plain.state_dict()
    assert after["by_kind.weight"][:, 8:].abs().min() > 0, "new channels are read"
    assert not torch.equal(after["blocks.1.second_norm.weight"], before["blocks.1.second_norm.weight"])
    narrow = dataclasses.replace(SUITS, task=PolicyTask(SuitConfig(channels=4, blocks=1, hidden=8)))
    with pytest.raises(NetworkError, match="another shape"):
        fitting(network, narrow)


def test_a_training_from_an_exported_network_begins_with_what_it_computes(hands, tmp_path):
    first = Trainer(dataclasses.replace(SUITS, epochs=2.0), hands, tmp_path / "first")
    first.train()
    export_onnx(load_network(tmp_path / "first")[0], tmp_path / "first.onnx", 3)
    start = load_start(str(tmp_path / "first.onnx"))
    examples = SUITS.task.examples(hands.decisions(np.arange(len(hands)), encoder("table")))
    inputs = torch.from_numpy(encoder("table").inputs(examples.packed)).float()
    with torch.no_grad():
        expected = start[0](inputs)
        trained = [Trainer(SUITS, hands, tmp_path / "second", prepare=weights_from(start, hands, SUITS.task)).plain]
        trained += [load_start(str(tmp_path / "first.onnx"))[0]]
        torch.testing.assert_close(trained[0].eval()(inputs), expected, atol=1e-3, rtol=1e-3)
        errors = [float((network.train()(inputs) - expected).abs().mean()) for network in trained]
    assert errors[0] < 0.2 * errors[1]


def test_the_averaged_weights_play(hands, tmp_path):
    config = dataclasses.replace(SUITS, epochs=0.5, measure_every=9.0)
    trainer = Trainer(config, hands, tmp_path / "mean")
    trainer.train()
    steps = [trainer.plain.state_dict()[name] for name in ("stem.weight",)]
    mean = load_network(tmp_path / "mean")[0].state_dict()["stem.weight"]
    fresh = Trainer(config, hands, tmp_path / "fresh").plain.state_dict()["stem.weight"]
    assert not torch.equal(mean, steps[0])
    assert (mean - steps[0]).norm() < (fresh - steps[0]).norm()


@pytest.mark.long
def test_compiled_batches_learn_like_others(hands, tmp_path):
    curves = []
    for name, compiled in (("eager", False), ("compiled", True)):
        config = dataclasses.replace(SUITS, compile=compiled, precision="32-true", epochs=0.5)
        trainer = Trainer(config, hands, tmp_path / name)
        trainer.train()
        curves.append([point["loss"] for point in trainer.curve])
    assert curves[0] == pytest.approx(curves[1], rel=1e-2)


def test_the_development_games_are_the_same_under_every_seed(hands, tmp_path):
    held = [Trainer(dataclasses.replace(SUITS, seed=seed), hands, tmp_path).held for seed in (0, 1)]
    assert len(held[0])
    assert np.array_equal(held[0].walls, held[1].walls)


@pytest.mark.parametrize(("products", "precision"), [(torch.bfloat16, "bf16-mixed"), (torch.float32, "32-true")])
def test_automatic_precision_is_that_of_the_hardware(hands, tmp_path, monkeypatch, products, precision):
    monkeypatch.setattr(trainer_module, "product_dtype", lambda kind: products)
    weights = []
    for name in ("auto", precision):
        config = dataclasses.replace(SUITS, precision=name, epochs=0.1)
        trainer = Trainer(config, hands, tmp_path / name)
        assert trainer.dtype == products
        trainer.train()
        weights.append(trainer.plain.state_dict()["stem.weight"])
    assert torch.equal(*weights)


@pytest.mark.skipif(not Path("/proc/cpuinfo").is_file() or platform.machine() != "x86_64", reason="x86-64 with Linux")
def test_products_are_in_bfloat16_where_the_processor_has_it():
    flags = Path("/proc/cpuinfo").read_text().split()
    has_bfloat16 = "avx512_bf16" in flags or "amx_tile" in flags
    assert product_dtype("cpu") == (torch.bfloat16 if has_bfloat16 else torch.float32)


RESUMED = {
    "actions": SMALL,
    "suits": SUITS,
    "paper": tiny("discard"),
    "scaled": tiny("pon", scale=(0.05, 0.2)),
    "normalised": dataclasses.replace(tiny("discard"), average=0.9, renormalise=24),
}


@pytest.mark.parametrize(
    "config",
    [pytest.param(RESUMED[name], id=name, marks=() if name == "suits" else pytest.mark.long) for name in RESUMED],
)
def test_an_interrupted_training_ends_with_the_same_weights(config, hands, tmp_path, monkeypatch):
    monkeypatch.setattr("janshi.learn.trainer.SAVE_EVERY", -1.0)
    uninterrupted = Trainer(config, hands, tmp_path / "whole")
    uninterrupted.train()

    def stop(progress) -> None:
        if progress.hands >= progress.total // 2:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        Trainer(config, hands, tmp_path / "part").train(stop)
    resumed = Trainer(config, hands, tmp_path / "part")
    assert 0 < resumed.done < resumed.total
    resumed.train()
    assert weights(resumed) == weights(uninterrupted)
    assert [point["loss"] for point in resumed.curve] == [point["loss"] for point in uninterrupted.curve]
    with pytest.raises(CheckpointError, match="other options or records"):
        Trainer(dataclasses.replace(config, batch=32), hands, tmp_path / "part")


def test_patience_ends_a_training(hands, tmp_path):
    config = dataclasses.replace(SMALL, learning_rate=1e-9, measure_every=0.1, patience=2, epochs=50.0)
    trainer = Trainer(config, hands, tmp_path)
    trainer.train()
    assert trainer.stopped
    assert trainer.done < trainer.total / 2


def test_a_training_writes_tensorboard_logs(hands, tmp_path):
    pytest.importorskip("tensorboard")
    from tensorboard.backend.event_processing.event_accumulator import EventAccumulator

    config = dataclasses.replace(SMALL, epochs=1.0)
    trainer = Trainer(config, hands, tmp_path / "player", log=tensorboard_log(tmp_path / "log"))
    trainer.train()
    events = EventAccumulator(str(tmp_path / "log"))
    events.Reload()
    assert {"loss", "accuracy", "development/discard", "development loss"} <= set(events.Tags()["scalars"])
    assert [event.value for event in events.Scalars("loss")] == pytest.approx([p["loss"] for p in trainer.curve])
    assert events.Scalars("loss")[-1].step == trainer.samples


# ---------------------------------------------------------------------------------------------------------
# Players


def test_a_player_plays_the_outputs_of_its_network_with_torch_and_without(whole, hands, tmp_path):
    player = agent(str(whole.folder))
    match = play_match([player, RandomAgent(), RandomAgent()], preset("tenhou-sanma-hand"), 4, seed=2)
    assert match.names[0] == whole.folder.name
    assert len(match.hands.wall) == 12
    network, metadata = load_network(whole.folder)
    assert (metadata["network"], metadata["encoder"], metadata["task"]) == ("policy", "janshi", "actions")
    tables = Tables("tenhou-sanma-hand", 50, 4)
    tables.play_random(20)
    batch = tables.decisions()
    logits = TorchNetwork(network, metadata).logits(encoder("janshi").encode(batch))
    assert logits.shape == (len(batch), 122)
    assert (player.act(batch) == np.where(batch.legal, logits, -np.inf).argmax(axis=1)).all()
    export_onnx(network, tmp_path / "same.onnx", metadata["players"])
    assert b"player.py" not in (tmp_path / "same.onnx").read_bytes(), "no stack traces of whoever made it"
    exported = agent(str(tmp_path / "same.onnx"))
    assert player.players == exported.players == {3}
    assert (exported.act(batch) == player.act(batch)).mean() > 0.9, "bfloat16 differs in close calls alone"
    packed = decisions(hands, np.arange(5), encoder=encoder("janshi")).packed
    outputs = OnnxNetwork(tmp_path / "same.onnx").run(packed)
    with torch.inference_mode():
        wanted = network(torch.from_numpy(encoder("janshi").inputs(packed)).float()).numpy()
    assert np.abs(outputs - wanted).max() < 1e-3
    rough = answers(network, packed, best_device())
    same = rough[:, :122].argmax(1) == wanted[:, :122].argmax(1)
    assert same.mean() > 0.9, "bfloat16 differs in close calls alone"


class Flat(ActionNetwork):
    """One dense layer over the numbers of an encoder."""

    def __init__(self):
        super().__init__()
        self.config = SimpleNamespace(encoder=EVENTS.name)
        self.outputs = Outputs({"actions": 122, "value": 1})
        self.layer = torch.nn.Linear(len(EVENTS.columns), 123)

    def forward(self, x):
        return self.layer(x)


def test_an_exported_network_takes_the_numbers_of_its_encoder(tmp_path, monkeypatch):
    monkeypatch.setitem(ENCODERS._values, EVENTS.name, EVENTS)
    network = Flat()
    export_onnx(network, tmp_path / "flat.onnx", 4)
    packed = EVENTS.encode(Tables("tenhou", 20, 3).decisions().with_events())
    with torch.inference_mode():
        wanted = network(torch.from_numpy(packed).float()).numpy()
    assert OnnxNetwork(tmp_path / "flat.onnx").run(packed) == pytest.approx(wanted, abs=1e-3)


@pytest.mark.long
def test_five_networks_make_one_player(hands, tmp_path):
    for decision in DECISIONS:
        Trainer(tiny(decision), hands, tmp_path / decision).train()
    with pytest.raises(AgentError, match="for discard alone"):
        agent(str(tmp_path / "discard"))
    save_player(tmp_path, "meowjong", {name: name for name in DECISIONS})
    player = agent(str(tmp_path))
    match = play_match([player, RandomAgent(), RandomAgent()], preset("tenhou-sanma-hand"), 3, seed=2)
    assert len(match.hands.wall) == 9
    assert player.discards > 0
    assert player.players == {3}
    metadata = json.loads((tmp_path / "kan" / "player.json").read_text())
    (tmp_path / "kan" / "player.json").write_text(json.dumps(metadata | {"players": 4}))
    with pytest.raises(AgentError, match="different numbers of players"):
        agent(str(tmp_path))


def test_a_papers_network_is_not_exported(tmp_path):
    network = make_network(MeowjongConfig("pon", filters=(2, 2, 2, 2), dense=4))
    with pytest.raises(NetworkError, match="here for pon alone, is not exported"):
        export_onnx(network, tmp_path / "pon.onnx", 3)
    assert list(tmp_path.iterdir()) == []


def test_folders_without_a_player_are_reported(tmp_path):
    with pytest.raises(AgentError, match="holds no network"):
        load_player(tmp_path)
    (tmp_path / "player.json").write_text(json.dumps({"format": 99}))
    with pytest.raises(AgentError, match="format 99"):
        agent(str(tmp_path))
    (tmp_path / "player.json").write_text(json.dumps({"format": 4, "network": "transformer"}))
    with pytest.raises(AgentError, match="no network 'transformer'"):
        agent(str(tmp_path))
    (tmp_path / "bad.onnx").write_bytes(b"nothing of the kind")
    with pytest.raises(AgentError, match="cannot be loaded"):
        agent(str(tmp_path / "bad.onnx"))


def test_the_command_trains_a_policy_and_tests_it_on_games_held_out(folder, tmp_path):
    out = tmp_path / "policy"
    words = ["train", folder, "--out", out, *NARROW_BY_COMMAND, "--encoder", "meowjong", "--average", "0.9"]
    report = report_of(janshi(*words, "--epochs", "0.1", "--hold-out"))
    assert 0 <= report["test"]["discard"]["calibration"] <= 1
    assert report["test"]["discard"]["top"][0]["count"] > report["development"]["discard"]["top"][0]["count"]
    assert OnnxNetwork(out / "player.onnx").answers_kind == "actions"
    assert "--hold-out and --test exclude each other" in janshi(*words, "--hold-out", "--test", folder, code=2).stderr
    assert "other options" in janshi(*words, "--seed", "9", code=2).stderr


@pytest.mark.parametrize("saves", [False, True])
def test_the_command_reports_whether_an_interrupted_training_resumes(saves, folder, tmp_path, monkeypatch):
    def interrupted(self, progress):
        if saves:
            self.save()
        raise KeyboardInterrupt

    monkeypatch.setattr(Trainer, "train", interrupted)
    result = janshi("train", folder, "--out", tmp_path / "player", *NARROW_BY_COMMAND, code=130)
    resumed, begun = "; run the same command to resume", " before the first checkpoint; the same command starts over"
    words = resumed if saves else begun
    assert f"janshi train: interrupted{words}" in result.stderr


def test_hands_of_one_game_are_refused_if_a_share_is_held_out(hands, tmp_path: Path) -> None:
    alone = hands.part(np.flatnonzero(hands.games == hands.games[0]))
    with pytest.raises(DatasetError, match=f"all {len(alone)} hands are held out"):
        Trainer(SMALL, alone, tmp_path)
    assert Trainer(SMALL, alone, tmp_path, development=alone).total > 0
