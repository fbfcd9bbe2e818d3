"""Bit operations on masks, compiled: counting bits and finding the n-th."""

from __future__ import annotations

from janshi.compiling import leaf


@leaf
def bit_count(mask: int) -> int:
    """Return the number of bits set in a mask over the 34 kinds."""
    pairs = mask - (mask >> 1 & 0x155555555)
    fours = (pairs & 0x333333333) + (pairs >> 2 & 0x333333333)
    bytes_ = (fours + (fours >> 4)) & 0xF0F0F0F0F
    return (bytes_ * 0x101010101) >> 32 & 0xFF


@leaf
def bits_set(word: int) -> int:
    """Return the number of bits set in a word of up to 63 bits."""
    pairs = word - (word >> 1 & 0x5555555555555555)
    fours = (pairs & 0x3333333333333333) + (pairs >> 2 & 0x3333333333333333)
    eights = (fours + (fours >> 4)) & 0x0F0F0F0F0F0F0F0F
    sixteens = eights + (eights >> 8)
    halves = sixteens + (sixteens >> 16)
    return (halves + (halves >> 32)) & 0x7F


@leaf
def nth_bit(word: int, number: int) -> int:
    """Return the position of the set bit that has ``number`` other set bits below it."""
    for _ in range(number):
        word &= word - 1
    return bits_set((word & -word) - 1)


@leaf
def lowest_bit(word: int) -> int:
    """Return the position of the lowest set bit of a word that is not 0."""
    return bits_set((word & -word) - 1)
