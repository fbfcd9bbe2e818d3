"""Networks as ONNX files, answered by onnxruntime: no torch is needed to play with them."""

from __future__ import annotations

from functools import lru_cache
from pathlib import Path
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from janshi.agents.meowjong import ANSWERS, SHARPENED, MeowjongAgent
from janshi.agents.protocol import Agent, AgentError
from janshi.observe import COLUMNS, PLANNED, WIDE, expand
from janshi.players import PLAYERS as SHIPPED
from janshi.players import TEMPERATURES

__all__ = ["PLAYERS_KEY", "SHIPPED", "OnnxBrain", "load_onnx"]

#: Positions answered together: as many as fit into the processor's cache with all that a network makes of them.
_BATCH = 256
#: Under this name an ONNX file's metadata say for how many players its network was trained.
PLAYERS_KEY: Final = "players"
#: What a network says: people's decisions, winners' decisions, value.
_OUTPUTS = 77
_WINNERS = ANSWERS


class OnnxBrain:
    """Our network from an ONNX file: observations (n, columns, 34; uint8) in, logits and value (n, 77) out.

    It does what those do who go on to win: the second 38 of its answers.

    ``threads``: of onnxruntime, 0 for as many as there are cores. ``players``: what the file says that it was trained
    for, None where it does not.
    """

    def __init__(self, path: Path, threads: int = 0) -> None:
        import onnxruntime

        options = onnxruntime.SessionOptions()
        options.intra_op_num_threads = threads
        options.log_severity_level = 3
        self.session = onnxruntime.InferenceSession(str(path), options, providers=["CPUExecutionProvider"])
        inputs, outputs = self.session.get_inputs(), self.session.get_outputs()
        shape: list[Any] = inputs[0].shape
        seen = [[columns, 34] for columns in (COLUMNS, WIDE, PLANNED)]
        if len(inputs) != 1 or shape[1:] not in seen or outputs[0].shape[1:] != [_OUTPUTS]:
            raise AgentError(f"{path}: no network over observations of ours: {shape} in, {outputs[0].shape} out")
        self.columns: int = shape[1]
        said = self.session.get_modelmeta().custom_metadata_map.get(PLAYERS_KEY)
        self.players = None if said is None else frozenset({int(said)})
        self.input = inputs[0].name

    def answers(self, columns: NDArray[np.int64], asked: NDArray[np.bool_]) -> NDArray[np.float32]:
        """See `janshi.agents.meowjong.Brain`."""
        found = [
            self.session.run(None, {self.input: expand(columns[first : first + _BATCH])})[0]
            for first in range(0, len(columns), _BATCH)
        ]
        answered: NDArray[np.float32] = np.concatenate(found)[:, _WINNERS : _WINNERS + ANSWERS]
        return answered


@lru_cache(maxsize=8)
def _brain(path: Path) -> OnnxBrain:
    return OnnxBrain(path)


def load_onnx(path: Path, name: str) -> Agent:
    """Return the player of an ONNX file. Raises `AgentError` without onnxruntime, or where the file is no network."""
    try:
        brain = _brain(path)
        return MeowjongAgent(brain, name, brain.players, TEMPERATURES.get(name, SHARPENED))
    except ModuleNotFoundError:
        raise AgentError(f"player {name!r} needs onnxruntime: pip install 'janshi[play]'") from None
    except AgentError:
        raise
    except Exception as error:  # onnxruntime raises classes of its own for every kind of damage
        raise AgentError(f"{path} cannot be loaded: {str(error).splitlines()[0]}") from None
