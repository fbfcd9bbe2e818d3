"""Default drawings of a game: plain text, and an error for pictures."""

import pytest

from janshi.bridges.gym import MahjongEnv
from janshi.core.game import GameError
from janshi.displays import table_display
from janshi.drawing import drawing_of
from janshi.table import Table
from tests.games.tiny import TINY


def test_a_game_without_drawings_is_shown_by_its_views_fields_and_actions():
    table = Table("tiny", seed=3)
    text = drawing_of(TINY).text(table.view(0), table.legal).splitlines()
    assert "left: 18" in text
    assert "seats 0: points 10, won 0" in text
    assert any(line.startswith("hand: counts ") for line in text)
    assert text[-1].startswith("may: discard ")


def test_pictures_of_a_game_without_them_are_a_one_line_error():
    table = Table("tiny", seed=3)
    drawing = drawing_of(TINY)
    assert not drawing.pictures
    for draw, what in ((drawing.svg, table.view(0)), (drawing.open_svg, table)):
        with pytest.raises(GameError, match="there are no pictures of game 'tiny'"):
            draw(what)
    assert table_display(table) is None


def test_an_environment_of_such_a_game_prints_the_plain_text():
    env = MahjongEnv(rules="tiny", observation="none", opponents="self", render_mode="ansi")
    env.reset(seed=1)
    assert env.render().splitlines()[-1].startswith("may: discard ")
