"""The networks of the thesis: printed parameter counts, shapes, and their implications."""

import numpy as np
import pytest

pytest.importorskip("torch")

import torch

from janshi.encoders import encoder
from janshi.learn.checkpoints import BEST, describe_network, load_network, save_metadata, save_tensors
from janshi.learn.networks import NetworkError, make_network
from janshi.papers.gao.encoder import STEPS
from janshi.papers.gao.labels import DECISIONS
from janshi.papers.gao.networks import (
    DORA,
    NO_RIICHI,
    CellNorm,
    GaoConfig,
    GaoNetwork,
    GaoSequenceConfig,
    GaoSequenceNetwork,
    NarrowConvolution,
    OneBiasGRU,
    counted_parameters,
    tile_model,
    valid_steps,
)
from janshi.papers.layers import KERAS_EPSILON, KERAS_MOMENTUM, ByteDropout
from janshi.table import Tables
from janshi.tiles import kind_of, parse_tiles


def shown(name: str, count: int = 6, played: int = 60) -> torch.Tensor:
    tables = Tables("tenhou", count, 1)
    tables.play_random(played)
    batch = tables.decisions().with_events()
    return torch.from_numpy(encoder(name).inputs(encoder(name).encode(batch))).float()


@pytest.mark.parametrize(
    ("config", "total", "trained"),
    [
        (tile_model(), 928_058, 927_446),
        (GaoConfig(encoder="gao-68"), 343_158, 343_146),
        (GaoConfig(), 361_158, 361_146),
        (GaoConfig("pon"), 290_726, 290_714),
        (GaoConfig("riichi"), 290_726, 290_714),
        (GaoConfig("chii"), 295_128, 295_116),
        (GaoSequenceConfig(), 2_717_370, 2_717_358),
        (GaoSequenceConfig(padding=False), 2_717_370, 2_717_358),
    ],
)
def test_parameters_are_as_printed(config, total, trained):
    assert counted_parameters(make_network(config)) == (total, trained)


def test_each_layer_of_the_tile_model_is_as_printed():
    """Figure 4.2, layer by layer."""
    network = GaoNetwork(tile_model())
    layers = [
        (type(module).__name__, counted_parameters(module)[0])
        for module in network.modules()
        if isinstance(module, NarrowConvolution | torch.nn.Linear | torch.nn.BatchNorm1d | torch.nn.BatchNorm2d)
    ]
    assert layers == [
        ("NarrowConvolution", 56_100), ("CellNorm", 12), ("NarrowConvolution", 100_100), ("CellNorm", 8),
        ("NarrowConvolution", 100_100), ("CellNorm", 4),
        ("Linear", 660_300), ("BatchNorm1d", 1_200), ("Linear", 10_234),
    ]  # fmt: skip


@pytest.mark.parametrize("decision", DECISIONS)
def test_shapes_of_outputs(decision):
    network = GaoNetwork(GaoConfig(decision, filters=4))
    outputs = {"discard": 34, "pon": 2, "chii": 4, "riichi": 2}[decision]
    assert network(shown("gao-86")).shape == (6, outputs)


def test_masks_become_planes_of_34_rows_and_4_columns():
    network = GaoNetwork(GaoConfig(encoder="gao-56", filters=2))
    x = shown("gao-56")
    planes = network.input(x)
    assert planes.shape == (6, 4, 34, 56)
    for plane in (0, 5, 20):
        for cell in range(4):
            assert torch.equal(planes[:, cell, :, plane], x[:, 4 * plane + cell])


def test_normalisation_is_over_the_cells():
    scales, shifts = torch.tensor([1.0, 10.0, 100.0]), torch.tensor([0.0, 5.0, -5.0])
    x = torch.randn(5, 3, 7, 4) * scales[:, None, None] + shifts[:, None, None]
    y = CellNorm(3)(x)
    assert torch.allclose(y.mean(dim=(0, 2, 3)), torch.zeros(3), atol=1e-5)
    assert torch.allclose(y.std(dim=(0, 2, 3), unbiased=False), torch.ones(3), atol=1e-2)


def test_normalisation_of_a_gpu_is_torchs():
    ours, theirs = CellNorm(3), torch.nn.BatchNorm2d(3, KERAS_EPSILON, KERAS_MOMENTUM)
    for norm in (ours, theirs):
        norm.load_state_dict({**norm.state_dict(), "weight": torch.tensor([1.0, 2.0, 3.0]), "bias": torch.arange(3.0)})
    x = (10 * torch.randn(5, 3, 7, 4) + 5).requires_grad_()
    other = x.detach().clone().requires_grad_()
    (ours.reduced(x) ** 3).sum().backward()
    (theirs(other) ** 3).sum().backward()
    assert torch.allclose(x.grad, other.grad, rtol=1e-3, atol=1e-3)
    for (name, found), wanted in zip(ours.state_dict().items(), theirs.state_dict().values(), strict=True):
        assert torch.allclose(found, wanted, rtol=1e-5), name
    assert torch.allclose(ours.weight.grad, theirs.weight.grad, rtol=1e-4, atol=1e-2)
    assert torch.allclose(ours.bias.grad, theirs.bias.grad, rtol=1e-4, atol=1e-2)


def test_convolution_is_torchs():
    ours, theirs = NarrowConvolution(6, 7), torch.nn.Conv2d(6, 7, (5, 2))
    theirs.load_state_dict(ours.state_dict())
    x = torch.randn(2, 4, 34, 6)
    assert torch.allclose(ours(x), theirs(x.permute(0, 3, 2, 1)).permute(0, 3, 2, 1), atol=1e-5)


def test_dropout_keeps_the_mean_and_is_off_in_play():
    torch.manual_seed(1)
    x = torch.ones(100, 1001)
    y = ByteDropout(0.5)(x)
    assert set(y.unique().tolist()) == {0.0, 2.0}
    assert abs(float(y.mean()) - 1) < 0.02
    y = ByteDropout(0.25)(x)
    assert abs(float((y == 0).float().mean()) - 0.25) < 0.01
    assert abs(float(y.mean()) - 1) < 0.02
    assert torch.equal(ByteDropout(0.5).eval()(x), x)
    assert torch.equal(ByteDropout(0.0)(x), x)
    with pytest.raises(NetworkError, match="cannot be dropped"):
        ByteDropout(1.0)


def test_gru_against_its_formulas():
    torch.manual_seed(1)
    gru = OneBiasGRU(3, 2)
    x = torch.randn(4, 5, 3)
    with torch.no_grad():
        gru.gates.bias += torch.arange(6) / 10
    weights, bias, again = (part.detach().numpy() for part in (gru.gates.weight, gru.gates.bias, gru.again))

    def sigmoid(value):
        return 1 / (1 + np.exp(-value))

    state = np.zeros((4, 2))
    for step in range(5):
        given = x[:, step].numpy() @ weights.T + bias
        update = sigmoid(given[:, :2] + state @ again[:, :2])
        reset = sigmoid(given[:, 2:4] + state @ again[:, 2:4])
        new = np.tanh(given[:, 4:] + (reset * state) @ again[:, 4:])
        state = update * state + (1 - update) * new
        assert np.allclose(gru(x)[:, step].detach().numpy(), state, atol=1e-5)


def test_padding_does_not_change_the_outputs_of_steps():
    torch.manual_seed(1)
    x = shown("gao-sequence", 8)
    network = GaoSequenceNetwork(GaoSequenceConfig(filters=4, units=8)).eval()
    there = valid_steps(x)
    assert network(x).shape == (8, STEPS, 34)
    assert there.any()
    assert not there.all()
    counts = there.sum(dim=1)
    assert all(there[row, : int(counts[row])].all() for row in range(8)), "the steps that there are come first"
    padded = x.clone()
    padded.view(8, STEPS, 64, 34)[~there] = 0
    assert torch.allclose(network(padded)[there], network(x)[there], atol=1e-5)
    masked = GaoSequenceNetwork(GaoSequenceConfig(filters=4, units=8, padding=False)).eval()
    masked.load_state_dict(network.state_dict())
    assert torch.allclose(masked(x)[there], network(x)[there], atol=1e-5)


def test_a_step_depends_only_on_earlier_ones():
    torch.manual_seed(1)
    x = shown("gao-sequence", 4, 80)
    network = GaoSequenceNetwork(GaoSequenceConfig(filters=4, units=8)).eval()
    later = x.clone()
    steps = later.view(4, STEPS, 64, 34)
    steps[:, 1] = steps[:, 1].flip(-1)
    assert torch.equal(network(later)[:, 0], network(x)[:, 0])
    assert not torch.equal(network(later)[:, 1], network(x)[:, 1])


def test_ablations_change_only_their_planes():
    x = torch.zeros(1, 4 * 56, 34)
    planes = GaoNetwork(GaoConfig(encoder="gao-56", filters=2)).input(x)
    x[:] = 1
    assert planes.sum() == 0
    without = GaoNetwork(GaoConfig(encoder="gao-56", filters=2, change=NO_RIICHI)).input(x)[0]
    assert [number for number in range(56) if not without[..., number].any()] == [11, 12, 13, 26, 27, 28]
    for indicator, dora in (("9m", "1m"), ("4p", "5p"), ("4z", "1z"), ("7z", "5z"), ("5z", "6z")):
        x[:] = 0
        x[0, 4 * 10, kind_of(parse_tiles(indicator)[0])] = 1
        changed = GaoNetwork(GaoConfig(encoder="gao-56", filters=2, change=DORA)).input(x)[0]
        assert torch.nonzero(changed).tolist() == [[0, kind_of(parse_tiles(dora)[0]), 10]]


def test_pooling_keeps_the_larger_of_two_rows():
    network = GaoNetwork(GaoConfig(encoder="gao-56", filters=4, dense=8, pooling=True)).eval()
    first = network.convolutions[:4](network.input(shown("gao-56")))
    pooled = network.convolutions[:5](network.input(shown("gao-56")))
    assert first.shape[1:] == (3, 30, 4)
    assert torch.equal(pooled, first.view(-1, 3, 15, 2, 4).amax(dim=3))
    assert network(shown("gao-56")).shape == (6, 34)


def test_what_is_refused():
    with pytest.raises(NetworkError, match="writes no planes"):
        GaoNetwork(GaoConfig(encoder="meowjong"))
    with pytest.raises(NetworkError, match="no change 'other'"):
        GaoNetwork(GaoConfig(change="other"))
    with pytest.raises(NetworkError, match="answers discards, not pon"):
        GaoSequenceNetwork(GaoSequenceConfig(decision="pon"))
    with pytest.raises(NetworkError, match="is shown 'gao-sequence'"):
        GaoSequenceNetwork(GaoSequenceConfig(encoder="gao-86"))


@pytest.mark.parametrize("config", [GaoConfig("chii", filters=3), GaoSequenceConfig(filters=3, units=4)])
def test_checkpoints_load(config, tmp_path):
    network = make_network(config).eval()
    save_tensors(network.state_dict(), tmp_path / BEST)
    save_metadata(describe_network(network, 4, ["tenhou"]), tmp_path)
    loaded, metadata = load_network(tmp_path)
    x = shown(config.encoder)
    assert torch.equal(loaded(x), network(x))
    assert metadata["decision"] == config.decision
