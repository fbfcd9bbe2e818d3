"""Tenhou's types of games: a preset or a refusal by name for each; parlour tables with their chips."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest
from made_games import play
from tests.claims import cases_of

from janshi.riichi.records import (
    Drawn,
    Limit,
    RecordError,
    RiichiGame,
    difference,
    read_bytes,
    read_mjlog,
    rules_of_flags,
    write_games,
    write_mjlog,
)
from janshi.riichi.records.model import WRONG_RESULT, flags_of
from janshi.riichi.records.replay import Replayer
from janshi.riichi.rules import TENHOU, TENHOU_PARLOUR, KanDora, Length, final_points, preset
from janshi.riichi.rules.yaku import RED_FIVES, URA_DORA, YakuId

#: Types of the queues, in the order of Tenhou's counts.
TYPES = (
    *(1, 3, 7, 9, 11, 15, 65, 73, 129, 131, 135, 137, 139, 143, 193, 201, 33, 35, 39, 41, 43, 47, 97, 105, 161, 163),
    *(167, 169, 171, 175, 225, 233, 17, 25, 145, 153, 49, 57, 177, 185, 81, 89, 209, 217, 113, 121, 241, 249),
    *(1025, 1033, 513, 521, 1537, 1545, 1553, 1561, 1153, 1161, 641, 649, 1665, 1673, 1681, 1689, 1057, 1065, 545),
    *(553, 1569, 1577, 1585, 1593, 1185, 1193, 673, 681, 1697, 1705, 1713, 1721),
)


@pytest.mark.parametrize("hidden", [0, 0x100])
@pytest.mark.parametrize("against", ["bots", "people"])
@pytest.mark.parametrize("flags", TYPES)
def test_every_type_has_a_preset(flags: int, against: str, hidden: int) -> None:
    rules = rules_of_flags((flags if against == "people" else flags & ~1) | hidden)
    assert rules == preset(rules.name)
    assert rules.players == (3 if flags & 0x10 else 4)
    assert rules.length == (Length.EAST_SOUTH if flags & 8 else Length.EAST)
    assert any(rules.red_fives) == (not flags & 2)
    assert rules.open_tanyao == (not flags & 4)
    parlour = flags & 0x600
    assert rules.rounded_mangan == bool(parlour)
    assert (rules.kan_dora == KanDora.AT_ONCE) == bool(parlour)
    assert rules.chip_value == {0: 0, 0x400: 0, 0x200: 2000, 0x600: 5000}[parlour]
    assert rules.honba_each == (500 if parlour and not flags & 8 else 100)
    assert rules.honba_ron == rules.honba_each * (rules.players - 1)


def test_fast_parlour_tables_start_with_more_and_pay_an_ordinary_honba() -> None:
    fast, slow = rules_of_flags(0x641), rules_of_flags(0x621)
    assert (fast.start, fast.honba_each, fast.honba_ron) == (30_000, 100, 300)
    assert (slow.start, slow.honba_each, slow.honba_ron) == (25_000, 500, 1500)
    assert fast == preset(fast.name)
    assert sum(final_points(fast, [30_000] * 4)) == 0


@pytest.mark.parametrize("flags", [2065, 2113, 0x0801])
def test_toutenkou_is_refused_by_name(flags: int) -> None:
    with pytest.raises(RecordError, match=f"type of game {flags:#06x}: 東天紅"):
        rules_of_flags(flags)


def test_unknown_types_are_refused() -> None:
    with pytest.raises(RecordError, match="0x1001: unknown type"):
        rules_of_flags(0x1001)
    text = write_mjlog(parlour("tenhou-parlour-chips2")).replace('<GO type="521"', '<GO type="2113"')
    with pytest.raises(RecordError, match=r"^x\.mjlog: type of game 0x0841: 東天紅"):
        read_mjlog(text, "x.mjlog")


def test_parlour_tables_count_as_their_records_show() -> None:
    # From a record of type 553: uma 10–30, and 4 han 30 fu a mangan.
    assert (TENHOU_PARLOUR.uma, TENHOU_PARLOUR.oka) == ((30_000, 10_000, -10_000, -30_000), 20_000)
    assert (TENHOU.rounded_mangan, TENHOU_PARLOUR.rounded_mangan) == (False, True)


def parlour(rules: str, seed: int = 3) -> RiichiGame:
    """Return a generated game at a parlour table with its chips."""
    game = play(rules, seed).game("made")
    counts = [0] * game.players
    for hand in game.hands:
        hand.chips = tuple(counts)
        if isinstance(hand.outcome, Drawn):
            continue
        for number, win in enumerate(hand.outcome):
            paid = tuple((yaku, han) for yaku, han in win.yaku if yaku in (YakuId.IPPATSU, RED_FIVES, URA_DORA) and han)
            each = sum(han for _, han in paid)
            payers = range(game.players) if win.who == win.from_who else (win.from_who,)
            deltas = [0] * game.players
            for seat in payers:
                if seat != win.who:
                    deltas[seat] -= each
                    deltas[win.who] += each
            hand.outcome[number] = replace(win, chips=paid, chip_deltas=tuple(deltas))
            counts = [count + delta for count, delta in zip(counts, deltas, strict=True)]
    game.final_chips = tuple(counts)
    return game


PARLOURS = ("tenhou-parlour-chips2", "tenhou-parlour-east-chips5-honba500", "tenhou-parlour-east-chips5-start30")


@pytest.mark.parametrize("rules", PARLOURS)
def test_a_parlour_game_is_read_back_and_replays_with_its_chips(rules: str) -> None:
    game = parlour(rules)
    back = read_mjlog(write_mjlog(game))
    assert back.rules == preset(rules)
    assert flags_of(game) == back.flags
    assert difference(game, back) is None
    assert [hand.chips for hand in back.hands] == [hand.chips for hand in game.hands]
    assert back.final_chips == game.final_chips
    assert any(back.final_chips)
    wins = [win for hand in back.hands if isinstance(hand.outcome, list) for win in hand.outcome]
    assert sum(len(win.chips) for win in wins) > 0
    assert Replayer().replay(back).mismatches == []
    for other in ("tenhou6", "mjai"):
        (again,) = read_bytes(write_games([game], other)[0].encode())
        assert isinstance(again, RiichiGame)
        assert again.rules == game.rules
        assert difference(game, again) is None


@pytest.mark.parametrize("players", [3, 4])
def test_the_end_of_a_parlour_game_lists_chips_after_points(players: int) -> None:
    game = parlour("tenhou-sanma-parlour-chips2" if players == 3 else "tenhou-parlour-chips2")
    owari = write_mjlog(game).partition('owari="')[2].partition('"')[0].split(",")
    assert game.final_scores is not None
    assert [100 * int(hundreds) for hundreds in owari[: 2 * players : 2]] == game.final_scores
    assert [int(count) for count in owari[8::2]] == [*game.final_chips, *[0] * (4 - players)]
    assert [float(result) for result in owari[9::2]] == [2.0 * int(count) for count in owari[8::2]]
    game.final_chips = ()
    assert read_mjlog(write_mjlog(game)).final_chips == ()


def test_impossible_chips_at_the_end_are_ignored() -> None:
    text = write_mjlog(parlour("tenhou-parlour-chips2"))
    start, _, end = text.partition('owari="')
    numbers = end.partition('"')[0].split(",")
    for wrong in ("x", "1.5", "1000000"):
        damaged = ",".join([*numbers[:8], wrong, *numbers[9:]])
        game = read_mjlog(f'{start}owari="{damaged}"{end.partition(chr(34))[2]}')
        assert (game.final_scores, game.final_chips, game.ignored) == (None, (), {WRONG_RESULT: 1})
        assert not game.cut


def test_the_replay_checks_rounded_mangan() -> None:
    game = parlour("tenhou-parlour-chips2")
    wins = [win for hand in game.hands if isinstance(hand.outcome, list) for win in hand.outcome]
    assert any(map(_is_rounded, wins)), "this game has no win of 4 han and 30 fu: choose another"
    game.rules = replace(game.rules, name="mine", rounded_mangan=False)
    assert any(mismatch.what.endswith("points") for mismatch in Replayer().replay(game).mismatches)


@pytest.mark.parametrize(("limit", "mismatches"), [(Limit.NONE, 0), (Limit.HANEMAN, 1)])
def test_a_rounded_mangan_may_be_paid_without_its_name(limit: Limit, mismatches: int) -> None:
    game = parlour("tenhou-parlour-chips2")
    wins = [win for hand in game.hands if isinstance(hand.outcome, list) for win in hand.outcome]
    next(win for win in wins if _is_rounded(win)).limit = limit
    back = read_mjlog(write_mjlog(game))
    assert len(Replayer().replay(back).mismatches) == mismatches
    next(win for win in wins if win.limit == Limit.MANGAN and not _is_rounded(win)).limit = Limit.NONE
    assert len(Replayer().replay(game).mismatches) == mismatches + 1


def _is_rounded(win: object) -> bool:
    han, fu, limit = (getattr(win, name) for name in ("han", "fu", "limit"))
    return (han, fu) in ((4, 30), (3, 60)) and limit == Limit.MANGAN


@pytest.mark.parametrize(*cases_of("messages", "the viewers names of parlour tables are read"))
def test_the_viewers_names_of_parlour_tables_are_read(disp: str, expected: str, players: int) -> None:
    game = parlour("tenhou-parlour-chips2")
    record = json.loads(write_games([game], "tenhou6")[0])
    record.pop("janshi", None)
    record["rule"]["disp"] = disp
    (read,) = read_bytes(json.dumps(record).encode())
    assert isinstance(read, RiichiGame)
    assert (read.rules.name, read.players) == (expected, players)


@pytest.mark.parametrize("disp", ["友人戦東喰赤", "大会戦南喰赤", "金の間南喰赤", ""])
def test_converted_games_of_mahjong_soul_have_its_rules(disp: str) -> None:
    game = replace(parlour("tenhou-parlour-chips2"), flags=None)
    record = json.loads(write_games([game], "tenhou6")[0])
    record.pop("janshi", None)
    record |= {"rule": {"disp": disp, "aka51": 1, "aka52": 1, "aka53": 1}}
    record |= {"ref": "" if disp else "210815-00000000-0000-0000-0000-000000000000"}
    (read,) = read_bytes(json.dumps(record).encode())
    assert isinstance(read, RiichiGame)
    assert read.rules.name.startswith("mahjong-soul")
