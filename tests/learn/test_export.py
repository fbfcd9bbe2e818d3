"""Exported networks: equal outputs in floats, nearly equal ones in eight-bit integers."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import onnx
import pytest
import torch

from janshi.agents import AgentError
from janshi.agents.onnx import OnnxNetwork
from janshi.encoders import encoder
from janshi.files import save_text
from janshi.learn.checkpoints import (
    BEST,
    LAST,
    PLAYER_FILE,
    CheckpointError,
    describe_network,
    load_network,
    save_metadata,
    save_tensors,
)
from janshi.learn.networks import NetworkError, make_network
from janshi.learn.quantize import nodes_before_convolutions, quantize_onnx
from janshi.players import PLAYERS
from janshi.riichi.dataset import decisions, read_hands
from janshi.riichi.networks import SuitConfig, SuitNetwork
from tests.commands import janshi


@pytest.fixture(scope="module")
def positions(hands):
    batch = decisions(hands, np.arange(6), encoder=encoder("table"))
    return batch.part(np.flatnonzero(batch.legal_mask().sum(axis=1) > 1)[:400])


def lively() -> SuitNetwork:
    """Return a small network with non-trivial normalisations."""
    torch.manual_seed(3)
    network = make_network(SuitConfig(channels=16, blocks=2, hidden=8))
    for module in network.modules():
        if isinstance(module, torch.nn.BatchNorm2d):
            torch.nn.init.uniform_(module.running_mean, -0.3, 0.3)
            torch.nn.init.uniform_(module.running_var, 0.3, 2)
            torch.nn.init.uniform_(module.weight, 0.5, 1.5)
            torch.nn.init.uniform_(module.bias, -0.3, 0.3)
    torch.nn.init.normal_(network.kind, std=0.3)
    return network.eval()


@pytest.fixture(scope="module")
def trained(tmp_path_factory) -> tuple[SuitNetwork, Path]:
    """Return a network and the folder of its finished training."""
    network, folder = lively(), tmp_path_factory.mktemp("trained")
    save_tensors(network.state_dict(), folder / BEST)
    save_text(json.dumps(describe_network(network, 3, ["tenhou-sanma"], task="actions")), folder / PLAYER_FILE)
    return network, folder


@pytest.fixture(scope="module")
def exported(trained) -> tuple[SuitNetwork, Path]:
    """Return the network and its file, exported by the command."""
    network, folder = trained
    janshi("export", folder, "--out", folder / "floats.onnx")
    return network, folder / "floats.onnx"


def in_floats(network: SuitNetwork, packed) -> np.ndarray:
    with torch.inference_mode():
        return network(torch.from_numpy(encoder("table").inputs(packed)).float()).numpy()


def test_an_exported_network_has_the_networks_outputs(exported, positions):
    network, path = exported
    answers = OnnxNetwork(path, threads=1).run(positions.packed)
    assert answers.shape == (len(positions), 127)
    assert np.abs(answers - in_floats(network, positions.packed)).max() < 1e-4


def test_bytes_have_the_outputs_of_floats(exported, positions):
    network = exported[0]
    seen = torch.from_numpy(encoder("table").inputs(positions.packed[:20]))
    with torch.inference_mode():
        assert torch.equal(network(seen), network(seen.float()))


def test_an_exported_network_normalises_nothing_and_pools(exported):
    """Each block's mean is one node in the convolutions' layout; bytes are not converted to floats all at once."""
    kinds = [node.op_type for node in onnx.load(exported[1]).graph.node]
    assert "BatchNormalization" not in kinds
    assert kinds.count("GlobalAveragePool") == 2 + 2, "of two blocks, of all kinds and of the target"
    assert "Range" not in kinds
    assert kinds.index("Slice") < kinds.index("Cast")


def test_integers_have_nearly_the_outputs_of_floats(exported, positions, tmp_path):
    source, path = exported[1], tmp_path / "integers.onnx"
    quantize_onnx(source, positions.packed[::2], path)
    floats, integers = OnnxNetwork(source, threads=1), OnnxNetwork(path, threads=1)
    assert (integers.players, integers.encoder.name, integers.answers_kind) == ({3}, "table", "actions")
    held_out, legal = positions.packed[1::2], positions.legal_mask()[1::2]
    wanted, answers = floats.logits(held_out), integers.logits(held_out)
    assert 0 < np.abs(wanted - answers).max() < 0.2 * np.abs(wanted).max()
    best = [np.where(legal, logits, -np.inf).argmax(axis=1) for logits in (wanted, answers)]
    assert (best[0] == best[1]).mean() > 0.9
    model = onnx.load(path)
    kernels = [tensor for tensor in model.graph.initializer if len(tensor.dims) == 4]
    weights = [tensor for tensor in kernels if tensor.data_type == onnx.TensorProto.INT8]
    assert len(weights) == 1 + 2 * 2, "of the first layer and two blocks; what answers the actions stays in floats"
    assert {each.domain for each in model.opset_import} <= {"", "com.microsoft"}
    assert {entry.key for entry in model.metadata_props} == {"players", "encoder", "answers", "outputs"}
    assert b"/tmp" not in path.read_bytes()


def test_layers_without_a_following_convolution_stay_in_floats(exported):
    model = onnx.load(exported[1])
    rounded = set(nodes_before_convolutions(model))
    last = [node for node in model.graph.node if node.op_type == "Conv"][-1]
    assert last.output[0] not in {name for node in model.graph.node if node.name in rounded for name in node.output}
    assert not [node for node in model.graph.node if node.name in rounded and node.op_type == "Gemm"]
    assert sum(node.op_type == "Conv" for node in model.graph.node if node.name in rounded) == 5


def test_a_network_without_convolutions_is_not_rounded(tmp_path):
    packed = np.zeros((4, len(encoder("sichuan").columns)), encoder("sichuan").packed_dtype)
    with pytest.raises(NetworkError, match="without blocks of convolutions"):
        quantize_onnx(PLAYERS["sichuan"], packed, tmp_path / "integers.onnx")
    assert not (tmp_path / "integers.onnx").exists()


def test_files_of_earlier_versions_still_play_and_can_be_rounded(folder_of_four, tmp_path):
    """The shipped one computes means by indices, and normalises its first layer at inference."""
    batch = decisions(read_hands([folder_of_four], 4), np.arange(3), encoder=encoder("table"))
    packed, legal = batch.packed[:200], batch.legal_mask()[:200]
    quantize_onnx(PLAYERS["sl4"], packed, tmp_path / "integers.onnx")
    best = [
        np.where(legal, OnnxNetwork(path, threads=1).logits(packed), -np.inf).argmax(axis=1)
        for path in (PLAYERS["sl4"], tmp_path / "integers.onnx")
    ]
    assert (best[0] == best[1]).mean() > 0.95


@pytest.mark.long
def test_the_command_exports_floats_and_integers(trained, exported, folder, tmp_path):
    floats, integers = exported[1], tmp_path / "integers.onnx"
    rounded = janshi("export", str(trained[1]), "--out", integers, "--int8", folder)
    assert "chooses as the network of floats does in 9" in rounded.stdout
    assert integers.stat().st_size != floats.stat().st_size
    assert OnnxNetwork(integers, threads=1).players == {3}


def test_the_command_reports_networks_that_it_cannot_export(folder, tmp_path, trained):
    none = janshi("export", tmp_path, "--out", tmp_path / "player.onnx", code=2)
    assert none.stderr.startswith("janshi export: ")
    assert none.stderr.count("\n") == 1
    words = ("export", trained[1], "--out", tmp_path / "player.onnx", "--int8", tmp_path / "nothing")
    missing = janshi(*words, code=2)
    assert missing.stderr.strip().splitlines()[-1].startswith("janshi export: no hand of 3 players")
    assert not (tmp_path / "player.onnx").exists()


def test_outputs_that_do_not_fit_are_refused_in_one_line(exported, tmp_path):
    network, path = exported
    save_tensors(network.state_dict(), tmp_path / LAST)
    described = describe_network(network, 3, [])
    assert described["outputs"] == {"actions": 122, "places": 4, "value": 1}
    save_metadata(described | {"outputs": {"actions": 122, "value": 1}}, tmp_path)
    with pytest.raises(CheckpointError, match="outputs 122 actions, 1 value, of which network 'suits' has"):
        load_network(tmp_path)
    model = onnx.load(path)
    properties = {entry.key: entry.value for entry in model.metadata_props}
    for outputs, words in (
        ({"actions": 122, "value": 1}, "127 outputs, where the file says 122 actions, 1 value"),
        ({"actions": 9, "value": 1}, "outputs for 9 actions, of which the game has 122"),
        ({"value": 1}, "no layout of outputs"),
    ):
        onnx.helper.set_model_props(model, properties | {"outputs": json.dumps(outputs)})
        onnx.save(model, tmp_path / "other.onnx")
        with pytest.raises(AgentError, match=words):
            OnnxNetwork(tmp_path / "other.onnx")
