"""Tenhou's mjlog XML: the exact source, with the ids of the tiles and often the seed of the walls.

The format is not documented; this module follows records of 2009 to 2023. A game is one
line of tags: ``GO`` (type of game), ``UN`` (players), per hand ``INIT``, draws ``T52`` (``T U V W`` for seats
0 to 3), discards ``D52`` (``D E F G``), ``N`` (sets, by a 16-bit code), ``REACH``, ``DORA``, and ``AGARI`` or
``RYUUKYOKU`` at its end. ``BYE``, a returning ``UN``, ``TAIKYOKU`` and comments are passed over.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from functools import lru_cache
from itertools import chain
from typing import Any, Final
from urllib.parse import quote, unquote

import numpy as np
from numpy.typing import NDArray

from janshi.records.formats import RecordError, RecordFormat, text_of
from janshi.riichi.records.holding import Holding, at_end
from janshi.riichi.records.lobby import apply_lobby, custom_of, parts_of, type_of
from janshi.riichi.records.model import (
    COLUMNS,
    SANMA,
    UNFINISHED,
    WRONG_RESULT,
    Drawn,
    Limit,
    RecordedHand,
    RecordedMeld,
    RecordedWin,
    RiichiGame,
    check_game,
    check_hand,
    flags_of,
    meld_of,
    meld_row,
    row_of,
    rules_of_flags,
)
from janshi.riichi.records.walls import walls
from janshi.riichi.state import Ending, Event

_TAG: Final = re.compile(r"<([^<>]+)>")
#: Names start at the start of a word, and quantifiers are possessive: time is linear in the length of the text.
_ATTRIBUTE: Final = re.compile(r"""\b([A-Za-z_]\w*+)\s*+=\s*+["']([^"']*+)["']""")

#: Tenhou's numbers of thirteen orphans, which have no fu.
ORPHANS: Final = (47, 48)

_DRAWS: Final = "TUVW"
_DISCARDS: Final = "DEFG"

_REASONS: Final = {
    "": Ending.EXHAUSTIVE,
    "yao9": Ending.KYUUSHU_KYUUHAI,
    "kaze4": Ending.FOUR_WINDS,
    "reach4": Ending.FOUR_RIICHI,
    "kan4": Ending.FOUR_KANS,
    "ron3": Ending.TRIPLE_RON,
    "nm": Ending.NAGASHI_MANGAN,
}
#: The reasons of drawn hands by mjlog's names.
REASON_NAMES: Final = {reason: name for name, reason in _REASONS.items()}

#: Tags that look like a draw or discard.
_MOVE: Final = re.compile(r"[D-GT-W]-?\d+")
#: Tags without effect on the play.
_SILENT: Final = frozenset(("BYE", "TAIKYOKU", "/mjloggm"))


def _to_bytes(row: Sequence[int]) -> bytes:
    """Return a row of `RecordedHand.events` as the 16 bytes of its int16 numbers."""
    return np.array(row, np.int16).tobytes()


def _plain_tags() -> dict[str, bytes]:
    """Return every draw and discard tag without its brackets, with its row of `RecordedHand.events`."""
    rows: dict[str, bytes] = {}
    for letters, event, more in ((_DRAWS, Event.DRAW, ()), (_DISCARDS, Event.DISCARD, (0,))):
        for seat, letter in enumerate(letters):
            for identity in range(136):
                row = _to_bytes(row_of(event, seat, identity, -1, *more))
                for end in ("/", " /", ""):
                    rows[f"{letter}{identity}{end}"] = row
    return rows


_ROWS: Final = _plain_tags()
_RIICHI: Final = {
    "1": tuple(_to_bytes(row_of(Event.RIICHI, seat)) for seat in range(4)),
    "2": tuple(_to_bytes(row_of(Event.ACCEPTED, seat)) for seat in range(4)),
}


@lru_cache(maxsize=4096)
def decode_meld(code: int) -> RecordedMeld:
    """Return the set of a 16-bit code.

    >>> decode_meld(31520)
    RecordedMeld(event=<Event.KITA: 7>, tiles=(123,), called=-1, discarder=0, added=-1)
    """
    if not 0 <= code < 1 << 16:
        raise RecordError(f"{code} is not the code of a set: they have 16 bits")
    discarder = code & 3
    if code & 0x4:
        first, index = divmod(code >> 10, 3)
        kind = first // 7 * 9 + first % 7
        tiles = tuple(4 * (kind + step) + (code >> (3 + 2 * step) & 3) for step in range(3))
        if first > 20 or discarder != 3:
            raise RecordError(f"{code} is not the code of a set: no such chii")
        return RecordedMeld(Event.CHII, tiles, tiles[index], discarder)
    if code & 0x18:
        kind, index = divmod(code >> 9, 3)
        fourth = 4 * kind + (code >> 5 & 3)
        if kind > 33 or not discarder:
            raise RecordError(f"{code} is not the code of a set: no such pon")
        tiles = tuple(identity for identity in range(4 * kind, 4 * kind + 4) if identity != fourth)
        if code & 0x8:
            return RecordedMeld(Event.PON, tiles, tiles[index], discarder)
        return RecordedMeld(Event.KAKAN, tuple(range(4 * kind, 4 * kind + 4)), tiles[index], discarder, fourth)
    tile = code >> 8
    if tile > 135:
        raise RecordError(f"{code} is not the code of a set: no tile {tile}")
    if code & 0x20:
        return RecordedMeld(Event.KITA, (tile,))
    tiles = tuple(range(tile // 4 * 4, tile // 4 * 4 + 4))
    return RecordedMeld(Event.DAIMINKAN if discarder else Event.ANKAN, tiles, tile, discarder)


def encode_meld(meld: RecordedMeld) -> int:
    """Return the 16-bit code of a set: the inverse of `decode_meld`. Raises `RecordError` for tiles that are no set."""
    try:
        return _code_of(meld)
    except (ValueError, StopIteration):
        raise RecordError(f"tiles {meld.tiles} with {meld.called} called are no set") from None


def _code_of(meld: RecordedMeld) -> int:
    first = meld.tiles[0]
    if meld.event == Event.KITA:
        return first << 8 | 0x20
    if meld.event in (Event.ANKAN, Event.DAIMINKAN):
        return meld.called << 8 | meld.discarder
    kind = first // 4
    if meld.event == Event.CHII:
        code = (kind // 9 * 7 + kind % 9) * 3 + meld.tiles.index(meld.called) << 10
        for step, tile in enumerate(meld.tiles):
            code |= tile % 4 << 3 + 2 * step
        return code | 0x4 | meld.discarder
    if meld.event == Event.KAKAN:
        fourth, bit = meld.added, 0x10
    else:
        fourth, bit = next(identity for identity in range(4 * kind, 4 * kind + 4) if identity not in meld.tiles), 0x8
    three = [identity for identity in range(4 * kind, 4 * kind + 4) if identity != fourth]
    return kind * 3 + three.index(meld.called) << 9 | fourth % 4 << 5 | bit | meld.discarder


@lru_cache(maxsize=16384)
def _meld_bytes(code: int, who: int) -> bytes:
    return _to_bytes(meld_row(decode_meld(code), who))


def _numbers(text: str) -> tuple[int, ...]:
    return tuple(map(int, text.split(","))) if text else ()


class _Reader:
    """Reads one game; its methods each take a tag's attributes."""

    def __init__(self, source: str) -> None:
        self.game = RiichiGame(source=source, format="mjlog", players=4, rules=rules_of_flags(0), names=[], hands=[])
        self.events: list[bytes] = []  # rows of the whole game
        self.starts: list[int] = []  # where each hand's rows start
        self.ends: list[int] = []
        self.deals = bytearray()
        self.number = 0  # of the current hand, from 1
        self.open = False  # a hand is being played
        self.ended = False  # … and has an outcome, to which one more winner may come

    def go(self, tag: dict[str, str]) -> None:
        game = self.game
        named = type_of(tag.get("rule", "").split(","))
        game.flags = int(tag["type"]) if named is None or "type" in tag else named
        game.players = 3 if game.flags & SANMA else 4
        game.rules = rules_of_flags(game.flags, f"{game.ref} {game.source}")
        game.lobby = tag.get("lobby", "")
        game.custom = custom_of(tag.get("rule", ""), tag.get("csrule", ""))
        apply_lobby(game)

    def un(self, tag: dict[str, str]) -> None:
        game = self.game
        if game.names or "n0" not in tag:
            return  # a player who comes back
        count = game.players
        game.names = [unquote(tag.get(f"n{seat}", "")) for seat in range(count)]
        if tag.get("dan"):
            game.dan = list(_numbers(tag["dan"]))[:count]
        if tag.get("rate"):
            game.rates = [float(rate) for rate in tag["rate"].split(",")][:count]
        if tag.get("sx"):
            game.sex = tag["sx"].split(",")[:count]

    def init(self, tag: dict[str, str]) -> None:
        game = self.game
        if game.flags is None:
            raise RecordError("the first hand starts before the type of the game (GO) is known")
        self.close()
        self.number += 1
        self.open, self.ended = True, False
        players = game.players
        seed = _numbers(tag["seed"])
        for seat in range(players):
            tiles = tag[f"hai{seat}"].split(",")
            if len(tiles) != 13:
                raise RecordError(f"seat {seat} is dealt {len(tiles)} tiles, not 13")
            self.deals += bytes(map(int, tiles))
        hand = RecordedHand(
            round=seed[0],
            honba=seed[1],
            deposits=seed[2],
            dealer=int(tag["oya"]),
            scores=[100 * hundreds for hundreds in _numbers(tag["ten"])][:players],
            deal=_NO_DEAL,
            dora=seed[5],
            dice=(seed[3], seed[4]),
            events=_NO_EVENTS,
            outcome=[],
            chips=_numbers(tag.get("chip", ""))[:players],
        )
        if not 0 <= hand.dora < 136:
            raise RecordError(f"{hand.dora} is not a tile id")
        game.hands.append(hand)
        self.starts.append(len(self.events))

    def pass_over(self, name: str, token: str) -> None:
        """Ignore an unknown tag. Raises `RecordError` for a draw or discard of no known tile."""
        if name in (*_DRAWS, *_DISCARDS):
            raise RecordError(f"<{token}> hides the tile: this is one player's view of a game, not a record of it")
        if _MOVE.fullmatch(name):
            raise RecordError(f"<{token[:40]}> names no tile")
        self.game.ignore("unknown tag")

    def close(self) -> None:
        """Cut the last hand if it has no end, or events behind it."""
        if self.open and not self.ended:
            self.cut(RecordError("the hand has no end (AGARI or RYUUKYOKU)", event=self.event()))
        elif self.open and len(self.events) != self.ends[-1]:
            self.cut(RecordError("events follow the end of the hand", event=self.event()))

    def event(self) -> int | None:
        """Return the number of the event that is read next, from 1; None before the current hand's start is read."""
        started = bool(self.starts) and len(self.starts) + len(self.game.cut) == self.number
        return len(self.events) - self.starts[-1] + 1 if started else None

    def cut(self, error: RecordError) -> None:
        """Leave out the current hand. Raises the error before the first hand."""
        if not self.number:
            raise error
        whole = self.number - 1 - len(self.game.cut)
        del self.game.hands[whole:], self.starts[whole:], self.ends[whole:]
        del self.events[self.ends[-1] if self.ends else 0 :]
        del self.deals[13 * self.game.players * whole :]
        self.game.cut_hand(self.number, error)
        self.open = False

    def meld(self, tag: dict[str, str]) -> None:
        who = int(tag["who"])
        self.events.append(_meld_bytes(int(tag["m"]), self.seat(who)))

    def reach(self, tag: dict[str, str]) -> None:
        self.events.append(_RIICHI[tag["step"]][self.seat(int(tag["who"]))])

    def dora(self, tag: dict[str, str]) -> None:
        tile = int(tag["hai"])
        if not 0 <= tile < 136:
            raise RecordError(f"{tile} is not a tile id")
        self.events.append(_to_bytes(row_of(Event.DORA, -1, tile)))

    def seat(self, who: int) -> int:
        if not 0 <= who < self.game.players:
            raise RecordError(f"seat {who} in a game of {self.game.players}")
        return who

    def agari(self, tag: dict[str, str]) -> None:
        self.end(tag)
        hand = self.game.hands[-1]
        fu, points, limit = _numbers(tag["ten"])
        pairs = _numbers(tag.get("yaku", ""))
        yaku = tuple(zip(pairs[::2], pairs[1::2], strict=True))
        who, from_who = self.seat(int(tag["who"])), self.seat(int(tag["fromWho"]))
        honba, deposits = _numbers(tag["ba"])
        scores, deltas = self.sc(tag)
        chips = _numbers(tag.get("chip", ""))
        if not isinstance(hand.outcome, list):
            raise RecordError("a win after a draw of the hand")
        hand.outcome.append(
            RecordedWin(
                who=who,
                from_who=from_who,
                pao=int(tag["paoWho"]) if "paoWho" in tag else None,
                tile=int(tag["machi"]),
                hand=_numbers(tag["hai"]),
                melds=tuple(map(decode_meld, _numbers(tag.get("m", "")))),
                dora=_numbers(tag.get("doraHai", "")),
                ura=_numbers(tag.get("doraHaiUra", "")),
                han=sum(pairs[1::2]),
                fu=fu,
                points=points,
                limit=Limit(limit),
                yaku=yaku,
                yakuman=_numbers(tag.get("yakuman", "")),
                deltas=deltas,
                scores=scores,
                honba=honba,
                deposits=deposits,
                chips=tuple(zip(chips[::2], chips[1::2], strict=True)),
                chip_deltas=self.chip_deltas(tag),
            )
        )

    def ryuukyoku(self, tag: dict[str, str]) -> None:
        if self.ended:
            raise RecordError("a draw after the end of the hand")
        self.end(tag)
        name = tag.get("type", "")
        if name not in _REASONS:
            raise RecordError(f"unknown reason {name!r} of a drawn hand")
        honba, deposits = _numbers(tag["ba"])
        scores, deltas = self.sc(tag)
        shown = tuple(seat for seat in range(self.game.players) if tag.get(f"hai{seat}"))
        self.game.hands[-1].outcome = Drawn(_REASONS[name], deltas, scores, shown, honba, deposits)

    def sc(self, tag: dict[str, str]) -> tuple[tuple[int, ...], tuple[int, ...]]:
        both = [100 * hundreds for hundreds in _numbers(tag["sc"])]
        players = self.game.players
        return tuple(both[0 : 2 * players : 2]), tuple(both[1 : 2 * players : 2])

    def chip_deltas(self, tag: dict[str, str]) -> tuple[int, ...]:
        """Return the changes of chips, which follow the points in records of parlour tables."""
        numbers = _numbers(tag["sc"])
        return tuple(numbers[9 : 9 + 2 * self.game.players : 2]) if len(numbers) == 16 else ()

    def end(self, tag: dict[str, str]) -> None:
        if not self.open:
            raise RecordError("a hand ends that never started")
        if not self.ended:
            self.ended = True
            self.ends.append(len(self.events))
        elif len(self.events) != self.ends[-1]:
            raise RecordError("events follow the end of the hand")
        if "owari" in tag:
            try:
                self.result(tag["owari"].split(","))
            except (ValueError, OverflowError):
                self.game.ignore(WRONG_RESULT)

    def result(self, pairs: Sequence[str]) -> None:
        """Read points and result of every seat; at parlour tables its chips with their result follow."""
        game, count = self.game, 2 * self.game.players
        scores = [100 * int(hundreds) for hundreds in pairs[0:count:2]]
        points = [float(result) for result in pairs[1:count:2]]
        chips = tuple(map(int, pairs[8 : 8 + count : 2])) if len(pairs) == 16 else ()
        game.final_scores, game.final_points, game.final_chips = scores, points, chips

    def shuffle(self, tag: dict[str, str]) -> None:
        self.game.seed = tag.get("seed", "")
        self.game.ref = tag.get("ref", "")

    def header(self, tag: dict[str, str]) -> None:
        pass

    def finish(self, *, whole: bool) -> RiichiGame:
        """Return the game; ``whole``: its last tag is there."""
        game = self.game
        self.close()
        if not whole and not game.hands:
            raise RecordError("the record is incomplete: no </mjloggm> at its end", cut=tuple(game.cut))
        game.check_hands()
        events = np.frombuffer(bytearray(b"".join(self.events)), np.int16).reshape(-1, COLUMNS)
        _mark_tsumogiri(events)
        deals = np.frombuffer(self.deals, np.uint8).reshape(-1, game.players, 13)
        fault = _fault(game, events, deals) is not None
        known = walls(game.seed, game.players, self.number) if game.seed else None
        hands, game.hands = game.hands, []
        cut, game.cut = {hand.number: hand for hand in game.cut}, []
        coming = iter(range(len(hands)))
        for number in range(1, self.number + 1):
            if number in cut:
                game.cut.append(cut[number])
                continue
            index = next(coming)
            hand = hands[index]
            hand.deal = deals[index]
            hand.events = events[self.starts[index] : self.ends[index]]
            if known is not None:
                hand.wall = known[number - 1]
            try:
                reason = _fault(game, hand.events, hand.deal) if fault else None
                if reason is not None:
                    raise RecordError(reason)
                check_hand(hand, game.players)
            except RecordError as error:
                game.cut_hand(number, error)
            else:
                game.hands.append(hand)
        game.check_hands()
        if game.final_scores is None and not (whole or game.cut):
            game.note(UNFINISHED)
        return check_game(game)


def _fault(game: RiichiGame, events: NDArray[Any], deals: NDArray[Any]) -> str | None:
    """Return what is wrong with the tiles and seats of hands, if anything."""
    if events.size and int(events[:, 1].max()) >= game.players:
        return f"a fourth seat plays in a game of {game.players}"
    if int(deals.max()) > 135:
        return f"tile {int(deals.max())} is dealt: ids are 0 to 135"
    if game.players == 3 and (_are_left_out(deals) or _are_left_out(events[events[:, 0] == Event.DRAW, 2])):
        return "games of three players have no 2m to 8m"
    return None


def _are_left_out(ids: NDArray[Any]) -> bool:
    """Return whether some of these tiles do not exist with three players."""
    kinds = ids // 4
    return bool(((kinds >= 1) & (kinds <= 7)).any())


_NO_DEAL: Final = np.zeros((0, 13), np.uint8)
_NO_EVENTS: Final = np.zeros((0, COLUMNS), np.int16)

_SPECIAL: Final = {
    "GO": _Reader.go,
    "UN": _Reader.un,
    "INIT": _Reader.init,
    "N": _Reader.meld,
    "REACH": _Reader.reach,
    "DORA": _Reader.dora,
    "AGARI": _Reader.agari,
    "RYUUKYOKU": _Reader.ryuukyoku,
    "SHUFFLE": _Reader.shuffle,
    "mjloggm": _Reader.header,
}


def _mark_tsumogiri(events: np.ndarray[tuple[int, int], np.dtype[np.int16]]) -> None:
    """Set column 4 of every discard of the tile that its seat has just drawn.

    The latest draw must be of that id and lie behind the discard before: between calls nobody draws.
    """
    kinds = events[:, 0]
    drawn = np.maximum.accumulate(np.where(kinds == Event.DRAW, np.arange(len(events)), -1))
    discards = np.flatnonzero(kinds == Event.DISCARD)
    last = drawn[discards]
    fresh = last > np.concatenate(([-1], discards[:-1]))
    events[discards, 4] = fresh & (events[last, 1] == events[discards, 1]) & (events[last, 2] == events[discards, 2])


def read_mjlog(text: str, source: str = "") -> RiichiGame:
    """Read one game from mjlog XML.

    `RecordedHand.wall` is rebuilt where the record carries a seed of Tenhou's present form. A hand that cannot be read
    is cut (`RiichiGame.cut`). Raises `RecordError` if the text is no mjlog, or no hand of it can be read.
    """
    if "<mjloggm" not in text[:2000]:
        raise RecordError("not an mjlog: it does not start with <mjloggm>", source)
    end = text.rfind("</mjloggm>")
    reader = _Reader(source)
    tokens = iter(_TAG.findall(text, 0, end if end >= 0 else len(text)))
    try:
        while (error := _take(reader, tokens)) is not None:
            reader.cut(error)
            following = next((token for token in tokens if token.startswith("INIT ")), None)
            tokens = tokens if following is None else chain((following,), tokens)
        return reader.finish(whole=end >= 0)
    except RecordError as error:
        raise error.at(source) from None


def _take(reader: _Reader, tokens: Iterator[str]) -> RecordError | None:
    """Read tags up to the first fault, and return it; None at the end."""
    append = reader.events.append
    row_of = _ROWS.get
    name = ""
    try:
        for token in tokens:
            row = row_of(token)
            if row is not None:
                append(row)
                continue
            name = token.split(None, 1)[0].rstrip("/")
            special = _SPECIAL.get(name)
            if special is not None:
                special(reader, dict(_ATTRIBUTE.findall(token)))
            elif name not in _SILENT and name[:1] not in "?!":
                reader.pass_over(name, token)
    except RecordError as error:
        return error.at(event=reader.event())
    except KeyError as error:
        return RecordError(f"<{name}> lacks {error.args[0]}", event=reader.event())
    except (ValueError, IndexError, OverflowError) as error:
        return RecordError(f"<{name}> is damaged ({error})", event=reader.event())
    return None


# ---------------------------------------------------------------------------------------------------------
# Writing


def _list(numbers: Iterable[int]) -> str:
    return ",".join(map(str, numbers))


def _hundreds(points: Sequence[int]) -> list[int]:
    return [amount // 100 for amount in points] + [0] * (4 - len(points))


def _attribute(text: str) -> str:
    """Return a text without the letters that would end an attribute: Tenhou's own never have them."""
    return re.sub("[<>\"']", "", text)


def write_mjlog(game: RiichiGame) -> str:
    """Return a game as mjlog XML. Raises `RecordError` if a hand contradicts itself.

    The engine computes fu that the record does not state, except in hands that contradict the rules: -1 there.
    """
    absent = 4 - game.players
    parts = ['<mjloggm ver="2.3">', f'<SHUFFLE seed="{_attribute(game.seed)}" ref="{_attribute(game.ref)}"/>']
    custom = "".join(f' {name}="{_attribute(",".join(parts))}"' for name, parts in parts_of(game.custom).items())
    lobby = f' lobby="{_attribute(game.lobby)}"' if game.lobby else ""
    parts.append(f'<GO type="{flags_of(game)}"{lobby}{custom}/>')
    names = " ".join(f'n{seat}="{quote(name)}"' for seat, name in enumerate([*game.names, *[""] * absent]))
    dan = _list([*(game.dan or [0] * game.players), *[0] * absent])
    rates = ",".join(f"{rate:.2f}" for rate in [*(game.rates or [1500.0] * game.players), *[1500.0] * absent])
    sex = ",".join(_attribute(letters) for letters in [*(game.sex or ["M"] * game.players), *["C"] * absent])
    parts.append(f'<UN {names} dan="{dan}" rate="{rates}" sx="{sex}"/><TAIKYOKU oya="{game.hands[0].dealer}"/>')
    for number, hand in enumerate(_with_fu(game), start=1):
        try:
            _write_hand(hand, parts)
        except RecordError as error:
            raise error.at(game.source, number) from None
    # Tenhou has no games of one hand: with a result the record would claim that its game has ended there.
    if game.final_scores is not None and game.final_points is not None and not game.is_single_hand:
        pairs = [*zip(game.final_scores, game.final_points, strict=True), *[(0, 0.0)] * absent]
        pairs = [(points // 100, result) for points, result in pairs]
        if game.final_chips:
            value = game.rules.chip_value / 1000
            pairs += [*((count, count * value) for count in game.final_chips), *[(0, 0.0)] * absent]
        owari = ",".join(f"{amount},{result:.1f}" for amount, result in pairs)
        parts[-1] = parts[-1].removesuffix("/>").rstrip() + f' owari="{owari}" />'
    parts.append("</mjloggm>")
    return "".join(parts)


def _with_fu(game: RiichiGame) -> list[RecordedHand]:
    """Return the hands of a game with the fu of every winner, as Tenhou counts them: none for thirteen orphans."""
    hands = list(game.hands)
    unknown = [
        number
        for number, hand in enumerate(hands)
        if isinstance(hand.outcome, list) and any(win.fu < 0 for win in hand.outcome)
    ]
    if not unknown:
        return hands
    from janshi.riichi.records.replay import Replayer  # the engine is loaded only where it is needed

    replayer = Replayer()
    for number in unknown:
        hand = hands[number]
        fu = replayer.fu(game, number)
        if fu and isinstance(hand.outcome, list):
            wins = [replace(win, fu=_fu(win, each)) for win, each in zip(hand.outcome, fu, strict=True)]
            hands[number] = replace(hand, outcome=wins)
    return hands


def _fu(win: RecordedWin, counted: int) -> int:
    if win.fu >= 0:
        return win.fu
    return 0 if any(number in ORPHANS for number in win.yakuman) else counted


def _write_hand(hand: RecordedHand, parts: list[str]) -> None:
    dice = hand.dice or (0, 0)
    deal = "".join(f' hai{seat}="{_list(hand.deal[seat]) if seat < len(hand.deal) else ""}"' for seat in range(4))
    start = f' chip="{_list([*hand.chips, *[0] * (4 - len(hand.chips))])}"' if hand.chips else ""
    parts.append(
        f'<INIT seed="{hand.round},{hand.honba},{hand.deposits},{dice[0]},{dice[1]},{hand.dora}"'
        f' ten="{_list(_hundreds(hand.scores))}" oya="{hand.dealer}"{start}{deal}/>'
    )
    holding = at_end(hand)
    scores, melds = list(hand.scores), [list[RecordedMeld]() for _ in hand.scores]
    for row in hand.events.tolist():
        event, seat, tile = row[:3]
        if event == Event.DRAW:
            parts.append(f"<{_DRAWS[seat]}{tile}/>")
        elif event == Event.DISCARD:
            parts.append(f"<{_DISCARDS[seat]}{tile}/>")
        elif event == Event.RIICHI:
            parts.append(f'<REACH who="{seat}" step="1"/>')
        elif event == Event.ACCEPTED:
            scores[seat] -= 1000
            parts.append(f'<REACH who="{seat}" ten="{_list(_hundreds(scores))}" step="2"/>')
        elif event == Event.DORA:
            parts.append(f'<DORA hai="{tile}" />')
        elif (meld := meld_of(row, melds[seat])) is not None:
            parts.append(f'<N who="{seat}" m="{encode_meld(meld)}" />')
    if isinstance(hand.outcome, Drawn):
        parts.append(_drawn_tag(hand.outcome, holding, hand.chips))
        return
    chips = hand.chips
    for win in hand.outcome:
        parts.append(_win_tag(win, chips))
        if chips and win.chip_deltas:
            chips = tuple(count + change for count, change in zip(chips, win.chip_deltas, strict=True))


def _sc(scores: Sequence[int], deltas: Sequence[int], chips: Sequence[int], chip_deltas: Sequence[int]) -> str:
    """Return points with their changes, and chips with theirs, if any."""
    pairs = list(zip(_hundreds(scores), _hundreds(deltas), strict=True))
    if chips:
        absent = [(0, 0)] * (4 - len(chips))
        pairs += [*zip(chips, chip_deltas or [0] * len(chips), strict=True), *absent]
    return f'sc="{_list(number for pair in pairs for number in pair)}"'


def _drawn_tag(drawn: Drawn, holding: Holding, chips: Sequence[int]) -> str:
    kind = f' type="{REASON_NAMES[drawn.reason]}"' if drawn.reason != Ending.EXHAUSTIVE else ""
    hands = "".join(f' hai{seat}="{_list(holding.ids(seat))}"' for seat in drawn.shown or ())
    money = _sc(drawn.scores, drawn.deltas, chips, ())
    return f'<RYUUKYOKU{kind} ba="{drawn.honba},{drawn.deposits}" {money}{hands} />'


def _win_tag(win: RecordedWin, chips: Sequence[int]) -> str:
    parts = [f'ba="{win.honba},{win.deposits}"', f'hai="{_list(win.hand)}"']
    if win.melds:
        parts.append(f'm="{_list(map(encode_meld, win.melds))}"')
    parts += [f'machi="{win.tile}"', f'ten="{win.fu},{win.points},{int(win.limit)}"']
    if win.yaku or not win.yakuman:
        parts.append(f'yaku="{_list(number for pair in win.yaku for number in pair)}"')
    if win.yakuman:
        parts.append(f'yakuman="{_list(win.yakuman)}"')
    parts.append(f'doraHai="{_list(win.dora)}"')
    if win.ura:
        parts.append(f'doraHaiUra="{_list(win.ura)}"')
    parts.append(f'who="{win.who}" fromWho="{win.from_who}"')
    if win.pao is not None:
        parts.append(f'paoWho="{win.pao}"')
    if win.chips:
        parts.append(f'chip="{_list(number for pair in win.chips for number in pair)}"')
    return f"<AGARI {' '.join(parts)} {_sc(win.scores, win.deltas, chips, win.chip_deltas)} />"


FORMAT: Final = RecordFormat(
    name="mjlog",
    game="riichi",
    suffixes=(".mjlog", ".xml"),
    detect=lambda data, start: start.startswith("<"),
    read=lambda data, name: iter((read_mjlog(text_of(data, name), name),)),
    write=lambda games: [write_mjlog(game) for game in games],
)
