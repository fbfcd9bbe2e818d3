"""Agents and papers by name."""


import pytest

from janshi.agents import AgentError, agent, agent_names, best_reviewer
from janshi.encoders import EncoderError, encoder


def test_every_name_returns_an_agent_of_that_name() -> None:
    for name in agent_names():
        assert agent(name).name == name
        assert agent(name).players <= {2, 3, 4}


def test_errors_for_unknown_names_list_the_known_ones() -> None:
    with pytest.raises(AgentError, match=r"no agent 'nobody': there are random, .*; heuristic:PUNG,RUN,FUT") as said:
        agent("nobody")
    assert all(name in str(said.value) for name in ("efficient", "heuristic", "sichuan", "sl4-int8"))


def test_the_closest_name_is_suggested() -> None:
    with pytest.raises(AgentError, match=r"\. Did you mean efficient\?$"):
        agent("eficient")
    with pytest.raises(EncoderError, match=r"\. Did you mean meowjong\?$"):
        encoder("meowjon")


def test_the_reviewers_play_the_games_they_review() -> None:
    for players in (3, 4):
        assert players in agent(best_reviewer(players)).players
