"""Networks as ONNX files, evaluated by onnxruntime without torch.

The metadata of a file contain ``players`` (their number in training), ``encoder`` (its name), ``answers`` (the kind of
outputs: ``"actions"`` for a game's whole action space, or another name of `janshi.agents.registry.ANSWERS`),
``outputs`` (their layout: `janshi.agents.outputs`) and ``origins`` (plug-ins and packages with its game and encoder, if
these are not built in). The last two may be missing.
"""

from __future__ import annotations

import json
import os
from functools import cache, lru_cache
from pathlib import Path
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from janshi.agents.outputs import Outputs, OutputsError
from janshi.agents.protocol import Agent, AgentError
from janshi.agents.registry import ANSWERS, Loader
from janshi.encoders import Encoder, require
from janshi.games import GAMES
from janshi.installing import lacking

#: Keys of the metadata.
PLAYERS_KEY: Final = "players"
ENCODER_KEY: Final = "encoder"
ANSWERS_KEY: Final = "answers"
ORIGINS_KEY: Final = "origins"
OUTPUTS_KEY: Final = "outputs"
#: Kind of outputs of a game's whole action space.
ACTIONS_ANSWERS: Final = "actions"
#: Environment variable with the number of a network's threads.
THREADS: Final = "OMP_NUM_THREADS"
#: Positions in a batch, limited by the processor's cache, which holds the network's activations.
_BATCH: Final = 256
#: An ONNX file with the node ``y = MatMulInteger(a, b)`` of unsigned ``a`` and signed ``b``: the product that networks
#: in eight-bit integers are computed with.
_PRODUCT: Final = (
    b'\x08\x08:>\n\x18\n\x01a\n\x01b\x12\x01y"\rMatMulInteger\x12\x01pZ\t\n\x01a\x12\x04\n\x02\x08\x02Z\t\n\x01b\x12\x04'
    b"\n\x02\x08\x03b\t\n\x01y\x12\x04\n\x02\x08\x06B\x04\n\x00\x10\n"
)


class OnnxNetwork:
    """A network from an ONNX file, from observations (n, `Encoder.shape`) to outputs (n, ``outputs``).

    ``threads``: onnxruntime's number of threads, 0 for one on each core; default: ``OMP_NUM_THREADS``, else 0, so that
    processes that share the cores can take one each. Raises `AgentError` if the file is not such a network.
    """

    def __init__(self, path: str | Path, threads: int | None = None) -> None:
        import onnxruntime

        options = _options(_threads() if threads is None else threads)
        if saturates():  # else the option more than halves the speed on processors that need none
            options.add_session_config_entry("session.x64quantprecision", "1")
        self.session = onnxruntime.InferenceSession(str(path), options, providers=["CPUExecutionProvider"])
        inputs, outputs = self.session.get_inputs(), self.session.get_outputs()
        metadata: dict[str, str] = self.session.get_modelmeta().custom_metadata_map
        shape: list[Any] = inputs[0].shape
        if missing := {PLAYERS_KEY, ENCODER_KEY, ANSWERS_KEY} - metadata.keys():
            raise AgentError(f"{path}: no network of ours: its metadata lack {', '.join(sorted(missing))}")
        self.encoder = _encoder_of(Path(path), metadata)
        self.answers_kind = metadata[ANSWERS_KEY]
        if len(inputs) != 1 or tuple(shape[1:]) != self.encoder.shape or len(outputs[0].shape) != 2:
            raise AgentError(
                f"{path}: no network over observations of {self.encoder.name!r}: {shape} in, {outputs[0].shape} out"
            )
        self.outputs: int = outputs[0].shape[1]
        self.players = frozenset({int(metadata[PLAYERS_KEY])})
        self._input = inputs[0].name
        if OUTPUTS_KEY in metadata:
            try:
                Outputs.of_text(metadata[OUTPUTS_KEY]).check(GAMES[self.encoder.game].actions, self.outputs)
            except OutputsError as error:
                raise AgentError(f"{path}: {error}") from None

    def run(self, packed: NDArray[Any]) -> NDArray[np.float32]:
        """Return the outputs (n, `outputs`) for one or more observations of `Encoder.encode`."""
        parts = [
            self.session.run(None, {self._input: self.encoder.inputs(packed[first : first + _BATCH])})[0]
            for first in range(0, len(packed), _BATCH)
        ]
        answers: NDArray[np.float32] = np.concatenate(parts)
        return answers

    def logits(self, packed: NDArray[Any]) -> NDArray[np.float32]:
        """Return the logits of all actions (n, actions): see `janshi.agents.policy.PolicyNetwork`."""
        return self.run(packed)[:, : GAMES[self.encoder.game].actions]


def _options(threads: int) -> Any:
    """Return onnxruntime's options of a session that prints errors only."""
    import onnxruntime

    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = threads
    options.log_severity_level = 3
    return options


@cache
def saturates() -> bool:
    """Return whether this processor's sums of eight-bit products saturate in onnxruntime.

    x86 processors without VNNI add pairs of them in 16 bits, where a network in integers answers differently. The sum
    of the largest products is compared with the exact one.
    """
    import onnxruntime

    session = onnxruntime.InferenceSession(_PRODUCT, _options(1), providers=["CPUExecutionProvider"])
    largest = {"a": np.full((16, 64), 255, np.uint8), "b": np.full((64, 16), 127, np.int8)}
    sums: NDArray[np.int32] = session.run(None, largest)[0]
    return bool((sums != 64 * 255 * 127).any())


def _threads() -> int:
    """Return the number of threads of OpenMP's outermost loop, 0 if it is not set."""
    said = os.environ.get(THREADS, "").partition(",")[0].strip()
    return int(said) if said.isdigit() else 0


def _encoder_of(path: Path, metadata: dict[str, str]) -> Encoder:
    """Return the encoder that a file names."""
    try:
        return require(metadata[ENCODER_KEY], json.loads(metadata.get(ORIGINS_KEY, "{}")))
    except ValueError as error:
        raise AgentError(f"{path}: no network over observations of ours: {error}") from None


@lru_cache(maxsize=8)
def _network(path: Path) -> OnnxNetwork:
    return OnnxNetwork(path)


def load_network(path: str | Path, name: str) -> OnnxNetwork:
    """Return the network of an ONNX file. Raises `AgentError` without onnxruntime, or if the file is not a network."""
    try:
        return _network(Path(path))
    except ModuleNotFoundError:
        raise AgentError(f"player {name!r} {lacking('onnxruntime', 'play')}") from None
    except AgentError:
        raise
    except Exception as error:  # onnxruntime raises its own classes for damaged files
        raise AgentError(f"{path} cannot be loaded: {str(error).splitlines()[0]}") from None


def load_onnx(path: str | Path, name: str) -> Agent:
    """Return the player of an ONNX file. Raises `AgentError` if it contains none."""
    network = load_network(path, name)
    kind = network.answers_kind
    if kind not in ANSWERS:
        raise AgentError(f"{path}: its network answers {kind!r}; known are {', '.join(ANSWERS)}")
    return ANSWERS[kind]({"": network}, name)


#: See `janshi.agents.registry.AGENTS`.
LOADER: Final = Loader(
    lambda name: name.endswith(".onnx") and Path(name).is_file(), lambda name: load_onnx(Path(name), Path(name).stem)
)
