"""What one module has that another has not: many choices of options in a small file.

The modules of a game under other options are alike over long stretches. A delta says
how to make one from another: runs copied from the base, bytes between them.

    delta   step*
    step    length of what is new · the bytes · length copied · offset in the base

Numbers are unsigned LEB128, as in WebAssembly itself. ``page/deltas.js`` reads it.
"""

from __future__ import annotations

WINDOW = 12
"""Runs shorter than this are not worth a copy."""


class Base:
    """The bytes that others are told by."""

    def __init__(self, base: bytes) -> None:
        self.base = base
        self._places: dict[bytes, list[int]] = {}
        for at in range(len(base) - WINDOW + 1):
            self._places.setdefault(base[at : at + WINDOW], []).append(at)

    def delta(self, target: bytes) -> bytes:
        """How to make ``target``; greedy, from left to right, the longest of the first runs found."""
        base, places = self.base, self._places
        steps = bytearray()
        start = at = expected = 0
        while at + WINDOW <= len(target):
            found = places.get(target[at : at + WINDOW])
            if found is None:
                at += 1
                continue
            # what comes next most often goes on where the last copy would have; else the first few are tried
            beside = expected + at - start
            tried = [beside] if target[at : at + WINDOW] == base[beside : beside + WINDOW] else []
            length, offset = max((_run(base, p, target, at), -p) for p in (*tried, *found[:8]))
            offset = -offset
            steps += _number(at - start) + target[start:at] + _number(length) + _number(offset)
            at += length
            start, expected = at, offset + length
        return bytes(steps + _number(len(target) - start) + target[start:])


def applied(base: bytes, steps: bytes) -> bytes:
    """What a delta describes."""
    made, at = bytearray(), 0
    while at < len(steps):
        new, at = _read(steps, at)
        made += steps[at : at + new]
        at += new
        if at < len(steps):
            length, at = _read(steps, at)
            offset, at = _read(steps, at)
            made += base[offset : offset + length]
    return bytes(made)


def _run(base: bytes, p: int, target: bytes, at: int) -> int:
    """How far both go on alike: doubled until they part, then halved."""
    length, step = WINDOW, 64
    while step:
        same = base[p + length : p + length + step] == target[at + length : at + length + step]
        if same and p + length + step <= len(base) and at + length + step <= len(target):
            length += step
            step *= 2
        else:
            step //= 2
    return length


def _number(value: int) -> bytes:
    packed = bytearray()
    while value > 127:
        packed.append(value & 127 | 128)
        value >>= 7
    return bytes([*packed, value])


def _read(packed: bytes, at: int) -> tuple[int, int]:
    value = shift = 0
    while True:
        byte = packed[at]
        value |= (byte & 127) << shift
        at, shift = at + 1, shift + 7
        if byte < 128:
            return value, at
