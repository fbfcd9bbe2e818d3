"""Payments for a win: shares of its basic points, rounded up to hundreds."""

from __future__ import annotations

from janshi.compiling import leaf


@leaf
def round_up(points: int) -> int:
    """Round up to whole hundreds."""
    return (points + 99) // 100 * 100


@leaf
def ron_payment(basic: int, dealer: bool) -> int:
    """Return the discarder's payment: four times the basic points, to the dealer six times."""
    return round_up(basic * (6 if dealer else 4))


@leaf
def tsumo_payment(basic: int, winner_deals: bool, payer_deals: bool, players: int, tsumo_loss: bool) -> int:
    """Return one payer's share of a self-draw: the basic points, twice as much to or from the dealer.

    Three players: with ``tsumo_loss`` nobody pays the share of the absent North; otherwise the two payers share it.
    """
    share = basic * (2 if winner_deals or payer_deals else 1)
    if players == 3 and not tsumo_loss:
        share += basic * (2 if winner_deals else 1) // 2
    return round_up(share)
