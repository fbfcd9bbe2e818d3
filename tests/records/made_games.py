"""Games made here, by drawing and discarding at random: what goes into a format must come out of it."""

from __future__ import annotations

import random

from janshi.records import Drawn, Ending, Game, Limit
from janshi.records.builder import HandBuilder
from janshi.records.model import EAST_SOUTH, HUMAN, SANMA, Event, Win, rules_of_flags

#: The archives of real records.
ARCHIVES = (
    "sanma-2009",
    "sanma-2018",
    "sanma-2020",
    "sanma-2022",
    "sanma-2026",
    "sanma-odd",
    "four-2009-2022",
    "four-2018",
    "four-2020",
    "four-2021",
    "four-2024",
    "four-ai",
    "four-rare",
    "four-odd",
)


def _shuffled(players: int, dice: random.Random) -> list[int]:
    tiles = []
    for kind in range(34):
        if players == 3 and 1 <= kind <= 7:
            continue
        red = kind in (4, 13, 22) and not (players == 3 and kind == 4)
        tiles += [34 + kind // 9] if red else [kind]
        tiles += [kind] * 3
    dice.shuffle(tiles)
    return tiles


def _call(hand: HandBuilder, turn: int, tile: int, players: int, wall: list[int]) -> tuple[int, bool]:
    """Let somebody call a discard where the tiles allow it; return whose turn it is, and whether after a call."""
    kind = tile // 4
    for other in range(players):
        own = [hand.tiles[held] for held in hand.held[other] if held // 4 == kind]
        if other == turn or other in hand.riichis or len(own) < 2:
            continue
        if len(own) == 3:
            hand.call(Event.DAIMINKAN, other, turn, hand.tiles[tile], own)
            hand.draw(other, wall.pop())
            hand.indicator(wall.pop())
        else:
            hand.call(Event.PON, other, turn, hand.tiles[tile], own)
        return other, True
    turn = (turn + 1) % players
    run = next((steps for steps in ((-2, -1), (-1, 1), (1, 2)) if _has_run(hand, turn, kind, steps)), None)
    if players == 3 or run is None or turn in hand.riichis:
        return turn, False
    own = [next(hand.tiles[held] for held in hand.held[turn] if held // 4 == kind + step) for step in run]
    hand.call(Event.CHII, turn, (turn - 1) % 4, hand.tiles[tile], own)
    return turn, True


def make_hand(players: int, number: int, dice: random.Random, outcome: str) -> tuple[HandBuilder, dict[str, object]]:
    """Play a hand without any sense: discards at random, and now and then a call that the tiles allow."""
    flags = HUMAN | EAST_SOUTH | (SANMA if players == 3 else 0)
    wall = _shuffled(players, dice)
    dealer = number % 4
    deal = [[wall.pop() for _ in range(13)] for _ in range(players)]
    hand = HandBuilder(players, rules_of_flags(flags).red_fives, deal, wall.pop())
    turn, after_call = dealer, False
    for _ in range(40):
        if not after_call:
            hand.draw(turn, wall.pop())
            kinds = [tile // 4 for tile in hand.held[turn]]
            quad = next((kind for kind in kinds if kinds.count(kind) == 4), None)
            if quad is not None:
                hand.closed_kan(turn, [hand.tiles[tile] for tile in hand.held[turn] if tile // 4 == quad])
                hand.indicator(wall.pop())
                continue
            pons = [m.tiles[0] // 4 for m in hand.melds[turn] if m.event == Event.PON]
            added = next((tile for tile in hand.held[turn] if tile // 4 in pons), None)
            if added is not None:
                hand.added_kan(turn, hand.tiles[added])
                hand.draw(turn, wall.pop())
                hand.indicator(wall.pop())
            if players == 3 and 30 in kinds:
                hand.kita(turn)
                continue
        if not hand.melds[turn] and turn not in hand.riichis and dice.random() < 0.03:
            hand.riichi(turn)
            riichi = True
        else:
            riichi = False
        tile = dice.choice(hand.held[turn])
        hand.discard(turn, hand.tiles[tile], tile == hand.drawn)
        if riichi:
            hand.accept(turn)
        turn, after_call = _call(hand, turn, tile, players, wall)
        if after_call and hand.drawn >= 0:
            hand.discard(turn, hand.tiles[hand.drawn], True)
            turn, after_call = (turn + 1) % players, False
    if after_call:
        tile = hand.held[turn][0]
        hand.discard(turn, hand.tiles[tile], False)
        turn = (turn + 1) % players
    elif hand.rows[-1][0] != Event.DISCARD:
        hand.draw(turn, wall.pop())
        hand.discard(turn, hand.tiles[hand.drawn], True)
        turn = (turn + 1) % players
    return hand, {"dealer": dealer, "turn": turn, "wall": wall, "outcome": outcome}


def _has_run(hand: HandBuilder, seat: int, kind: int, steps: tuple[int, int]) -> bool:
    held = {tile // 4 for tile in hand.held[seat]}
    wanted = [kind + step for step in steps]
    return all(need in held and need < 27 and need >= 0 and need // 9 == kind // 9 for need in wanted) and kind < 27


def make_game(players: int, seed: int, hands: int = 4) -> Game:
    """A game in which nothing makes sense but every record of it must come back as it went in."""
    dice = random.Random(seed)
    flags = HUMAN | EAST_SOUTH | (SANMA if players == 3 else 0)
    game = Game("made", "mjai", players, rules_of_flags(flags), [f"P{n}" for n in range(players)], [], flags=flags)
    scores = [game.rules.start] * players
    rounds = [0, 1, 2, 4, 5, 6][:hands]
    for number, round_ in enumerate(rounds):
        hand, facts = make_hand(players, round_, dice, "")
        dealer, turn, wall = facts["dealer"], facts["turn"], facts["wall"]
        assert isinstance(dealer, int)
        assert isinstance(turn, int)
        assert isinstance(wall, list)
        before = hand.scores(scores)
        sticks = len(hand.riichis)
        outcome: list[Win] | Drawn
        if number % 3 == 2:
            deltas = (1000 * (players - 1), *[-1000] * (players - 1))
            outcome = Drawn(Ending.EXHAUSTIVE, deltas, before, (0,), 0, sticks)
        else:
            discarder = hand.offerer
            if number % 3 == 0:
                hand.draw(turn, wall.pop())
                who, discarder = turn, turn
                points = 6000 if players == 3 else 8000
                if turn == dealer:
                    points = 8000 if players == 3 else 12000
            else:
                who = (discarder + 1) % players
                points = 12000 if who == dealer else 8000
            deltas = tuple(points + 1000 * sticks if seat == who else 0 for seat in range(players))
            ura = hand.ura([wall.pop()]) if who in hand.riichis else ()
            fields = {"ura": ura, "han": 5, "fu": -1, "points": points, "limit": Limit.MANGAN}
            fields |= {"yaku": ((1, 1), (52, 4)), "yakuman": (), "deltas": deltas, "scores": before, "honba": 0}
            outcome = [hand.win(who, discarder, None, deposits=sticks, **fields)]
        game.hands.append(
            hand.finish(round_=round_, honba=0, deposits=0, dealer=dealer, scores=list(scores), outcome=outcome)
        )
        scores = [points_before + delta for points_before, delta in zip(before, outcome_deltas(outcome), strict=True)]
    game.final_scores = scores
    game.final_points = [float(rank) for rank in range(players)]
    return game


def outcome_deltas(outcome: list[Win] | Drawn) -> tuple[int, ...]:
    return outcome.deltas if isinstance(outcome, Drawn) else outcome[0].deltas
