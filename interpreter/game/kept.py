"""Answers kept for the things they were worked out from.

A ruleset is lowered many times over, once for each choice of its options; most choices
leave the board as it is. What was read from the very same nodes is not read again.
"""

from __future__ import annotations

from collections.abc import Hashable
from typing import Generic, TypeVar

MOST = 200

Answer = TypeVar("Answer")


class Kept(Generic[Answer]):
    """A few answers, each for the same objects (not equal ones) and equal words."""

    def __init__(self) -> None:
        self._held: dict[Hashable, tuple[Answer, tuple[object, ...]]] = {}

    @staticmethod
    def _key(objects: tuple[object, ...], words: Hashable) -> Hashable:
        return tuple(map(id, objects)), words

    def get(self, objects: tuple[object, ...], words: Hashable) -> Answer | None:
        found = self._held.get(self._key(objects, words))
        return found[0] if found is not None else None

    def put(self, objects: tuple[object, ...], words: Hashable, answer: Answer) -> None:
        """The objects are held as well, so that none that comes later can be taken for one of them."""
        if len(self._held) >= MOST:
            self._held.clear()
        self._held[self._key(objects, words)] = answer, objects
