"""kill −9 at any moment and a repetition of the command give the same weights, to the byte."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
#: Testing every moment of all runs takes minutes; every ninth of the first run is always tested.
KINDS = ("dataset", "train", "paper", "learn")
#: Files of each run that is not a training.
FILES = {"dataset": {"hands.parquet", "decisions.parquet"}}


@pytest.mark.long
@pytest.mark.skipif(not hasattr(os, "fork"), reason="runs are forks")
@pytest.mark.parametrize(
    ("kind", "every"), [("train", 9), *((kind, 1) for kind in KINDS)]
)
def test_a_killed_run_ends_like_an_uninterrupted_one(kind, every, folder, tmp_path):
    command = [sys.executable, "-m", "tests.learn.killed", kind, str(folder), str(tmp_path), str(every)]
    environment = {**os.environ, "OMP_NUM_THREADS": "1"}
    done = subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True, timeout=500)
    assert done.returncode == 0, done.stderr
    said = json.loads(done.stdout)
    assert said["wrong"] == [], done.stderr
    assert said["moments"] > (1 if kind == "dataset" else 8), "each file of each checkpoint"
    assert said["kills"] > 1
    assert FILES.get(kind, {"network.safetensors", "best.safetensors", "training.json"}) <= set(said["files"])


def _size(path):
    try:
        return path.stat().st_size
    except FileNotFoundError:  # it was renamed in the meantime
        return 0


@pytest.mark.long
def test_a_kill_while_weights_are_written_leaves_a_part_and_no_other_file(tmp_path):
    code = "import sys; from pathlib import Path; import torch; from janshi.learn.checkpoints import save_tensors\n"
    code += "while True: save_tensors({'x': torch.ones(20_000_000)}, Path(sys.argv[1]) / 'network.safetensors')"
    with subprocess.Popen([sys.executable, "-c", code, str(tmp_path)], cwd=ROOT) as process:
        while not sum(map(_size, tmp_path.glob(".*"))):
            assert process.poll() is None
        process.kill()
    assert {path.suffix for path in tmp_path.iterdir()} <= {".part", ".safetensors"}
