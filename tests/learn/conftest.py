import pytest

from tests.learn.made import make_games

pytest.importorskip("torch")


@pytest.fixture(scope="session")
def folder(tmp_path_factory):
    return make_games(tmp_path_factory.mktemp("games"))


@pytest.fixture(scope="session")
def folder_of_four(tmp_path_factory):
    return make_games(tmp_path_factory.mktemp("four"), "tenhou-east", 2)


@pytest.fixture(scope="session")
def hands(folder):
    from janshi.riichi.dataset import read_hands

    return read_hands([folder], 3)
