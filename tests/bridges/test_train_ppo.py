"""The example of PPO runs and learns."""

import importlib.util
import sys
from pathlib import Path
from types import ModuleType

import pytest

EXAMPLE = Path(__file__).parents[2] / "examples" / "train_ppo.py"


@pytest.fixture
def ppo(monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    found = importlib.util.spec_from_file_location("train_ppo", EXAMPLE)
    assert found is not None
    assert found.loader is not None
    module = importlib.util.module_from_spec(found)
    monkeypatch.setitem(sys.modules, "train_ppo", module)
    found.loader.exec_module(module)
    return module


@pytest.mark.parametrize("rules", ["tenhou-sanma", "tenhou"])
def test_maskable_ppo_runs(ppo: ModuleType, rules: str, capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    saved = tmp_path / "ppo.pt"
    config = ppo.Config(rules=rules, decisions=2 * 8 * 64, envs=8, matches=2, save=str(saved))
    ppo.match(ppo.train(config), config)
    said = capsys.readouterr().out.splitlines()
    assert [len(line.split()) for line in said[1:3]] == [6, 6]
    assert "hands against random: first" in said[-1]
    assert saved.stat().st_size > 10_000


@pytest.mark.long
def test_maskable_ppo_learns_within_minutes(ppo: ModuleType) -> None:
    config = ppo.Config(decisions=300_000)
    assert ppo.match(ppo.train(config), config) > 0.4
