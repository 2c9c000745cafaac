"""The module's memory: constant tables first, then what it works with."""

from __future__ import annotations

from interpreter.compiled.groups import Group
from interpreter.compiled.wat import Value, load

PAGE = 65_536


class Data:
    """Constant tables, each kept once."""

    def __init__(self, groups: tuple[Group, ...], base: int) -> None:
        self.base = base
        self.packed = bytearray()
        self.known: dict[tuple[bytes, int], int] = {}
        self.group_tables = {}
        for group in groups:
            width = max(group.paths) + 1
            numbers = [group.paths[i].index if i in group.paths else 0 for i in range(width)]
            self.group_tables[group.number] = self.add(b"".join(n.to_bytes(4, "little") for n in numbers), 4)

    def add(self, packed: bytes, align: int) -> int:
        """The address of a table."""
        key = (packed, align)
        if key not in self.known:
            self.packed += b"\0" * (-len(self.packed) % align)
            self.known[key] = self.base + len(self.packed)
            self.packed += packed
        return self.known[key]

    def room(self, size: int) -> int:
        """The address of so many bytes to write in, 8 of them to a word."""
        self.packed += b"\0" * (-len(self.packed) % 8 + size)
        return self.base + len(self.packed) - size

    def number_of(self, group: Group, index: Value) -> Value:
        """The number of the path of a group at an index place."""
        if len(group.paths) == 1:
            (path,) = group.paths.values()
            return index.like(path.index)
        return load(index * 4, self.group_tables[group.number])

    @property
    def end(self) -> int:
        """Where the tables end, rounded to 16 bytes."""
        return -(-(self.base + len(self.packed)) // 16) * 16
