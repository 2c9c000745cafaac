"""From where a term is read while it is lowered: the record, the reader, the path, ``it``."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Protocol

from interpreter.compiled.groups import Group, Role
from interpreter.compiled.wat import Value, const


class PathContext(Protocol):
    """The decision's path. Places are numbers, -1 where there is none."""

    moves: bool

    def origin(self) -> Value: ...
    def to(self) -> Value: ...


@dataclass(frozen=True)
class NoPath:
    """Path 0: all its words are none or 0."""

    moves: bool = False

    def origin(self) -> Value:
        return const(-1)

    def to(self) -> Value:
        return const(-1)


@dataclass(frozen=True)
class GroupPath:
    """The path of a group at an index place."""

    group: Group
    index: Value

    @property
    def moves(self) -> bool:
        return self.group.moves

    def place(self, role: Role) -> Value:
        if role.by is None:
            return const(role.fixed)
        return self.index + role.by

    def origin(self) -> Value:
        return self.place(self.group.origin)

    def to(self) -> Value:
        return self.place(self.group.to)


@dataclass(frozen=True)
class TablePath:
    """Any path, by its number; its words are looked up. ``entry`` is the address of its row."""

    number: Value
    entry: Value
    origin_value: Value
    to_value: Value
    moves: bool = False

    def origin(self) -> Value:
        return self.origin_value

    def to(self) -> Value:
        return self.to_value


@dataclass(frozen=True)
class MaskPath:
    """A path between points of a board that fits into one word: each of its places is a set of one.

    ``over_bits`` is None where the places between have to be looked up by ``number``.
    """

    from_bit: Value
    to_bit: Value
    over_bits: Value | None
    number: Value
    moves: bool = True
    both_bits: Value | None = None

    def both(self) -> Value:
        """Where the man comes from, and where he goes to."""
        return self.from_bit ^ self.to_bit if self.both_bits is None else self.both_bits

    def origin(self) -> Value:
        return self.from_bit.lowest()

    def to(self) -> Value:
        return self.to_bit.lowest()


Men = tuple[tuple[Value, ...], ...]
"""Words. By side and kind: the points where such men stand. Then for each memory: who bears the mark, who since this
turn. Then for each memory: the fact, or that of each side; whether written in this turn; last taken, plays, turns."""


NO_VERB = const(-1)


@dataclass(frozen=True)
class Context:
    """``side`` is the reader, ``verb`` the decision's verb: numbers known or not.

    With ``men`` nothing is read from the record: men and marks are these words, ``phase`` is known, ``active`` is a
    set, ``repeats`` counted.
    """

    record: Value
    side: Value
    path: NoPath | GroupPath | TablePath | MaskPath = NoPath()
    verb: Value = NO_VERB
    it: Value | None = None
    men: Men | None = None
    active: Value | None = None
    phase: int = -1
    repeats: Value | None = None

    def turned(self) -> Context:
        """Read by the other side."""
        return replace(self, side=self.side ^ 1)

    def at(self, it: Value) -> Context:
        return replace(self, it=it)
