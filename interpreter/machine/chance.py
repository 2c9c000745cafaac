"""The generator: documented, public, the same in every machine.

xoshiro256** 1.0 (Blackman and Vigna 2018), its state filled by SplitMix64 (Steele, Lea
and Flood 2014), keyed by seed and game number: game ``n`` of seed ``s`` starts SplitMix64
at the first output of SplitMix64(s), plus n (mod 2**64). Bounded draws are unbiased: the
top bits are drawn again until they are below the bound; a bound of 1 draws nothing.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeVar

MASK = (1 << 64) - 1
T = TypeVar("T")


class SplitMix64:
    """The seeding generator. State: one 64-bit number."""

    def __init__(self, state: int) -> None:
        self.state = state & MASK

    def next(self) -> int:
        """The next 64 bits."""
        self.state = (self.state + 0x9E3779B97F4A7C15) & MASK
        z = self.state
        z = ((z ^ (z >> 30)) * 0xBF58476D1CE4E5B9) & MASK
        z = ((z ^ (z >> 27)) * 0x94D049BB133111EB) & MASK
        return z ^ (z >> 31)


class Chance:
    """xoshiro256**. ``state`` are four 64-bit numbers, not all 0."""

    def __init__(self, state: tuple[int, int, int, int]) -> None:
        self.state = state

    @classmethod
    def of_game(cls, seed: int, number: int = 0) -> Chance:
        """The generator of one game of a seed (any whole number; 64 bits of it count)."""
        filler = SplitMix64(SplitMix64(seed).next() + number)
        return cls((filler.next(), filler.next(), filler.next(), filler.next()))

    def next(self) -> int:
        """The next 64 bits."""
        a, b, c, d = self.state
        x = (b * 5) & MASK
        result = (((x << 7) | (x >> 57)) * 9) & MASK
        t = (b << 17) & MASK
        c ^= a
        d ^= b
        b ^= c
        a ^= d
        c ^= t
        d = ((d << 45) | (d >> 19)) & MASK
        self.state = (a, b, c, d)
        return result

    def below(self, bound: int) -> int:
        """An even draw from 0..bound-1 (bound at least 1, at most 2**64)."""
        bits = (bound - 1).bit_length()
        if bits == 0:
            return 0
        while True:
            drawn = self.next() >> (64 - bits)
            if drawn < bound:
                return drawn

    def choice(self, items: Sequence[T]) -> T:
        """An even draw from a sequence that is not empty."""
        return items[self.below(len(items))]

    def weighted(self, items: Sequence[tuple[int, T]]) -> T:
        """A draw from (weight, item) pairs by weight."""
        drawn = self.below(sum(weight for weight, _ in items))
        for weight, item in items:
            if drawn < weight:
                return item
            drawn -= weight
        raise ValueError("weights must be positive")
