"""What the words of lines and tracks mean: neighbours, rows, stretches, runs.

One small function per op, as in ``evaluate``; these read the board as well as the men.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from interpreter.game.types import Expression, Game
from interpreter.machine.table import Table, bits

Reading = Callable[[Table], Any]


class BoardWords:
    """The part of the evaluator that knows lines and tracks."""

    game: Game

    def of(self, expression: Expression) -> Reading:
        """The reading of an expression."""
        raise NotImplementedError

    # ---- lines ------------------------------------------------------------------------------------

    def _neighbours(self, e: Expression) -> Reading:
        a, next_to = self.of(e.args[0]), self.game.board.neighbours

        def around(t: Table) -> int:
            found = 0
            for place in bits(a(t)):
                found |= next_to[place]
            return found

        return around

    def _joined(self, e: Expression) -> Reading:
        a, b, next_to = self.of(e.args[0]), self.of(e.args[1]), self.game.board.neighbours

        def joined(t: Table) -> int:
            held: int = a(t)
            found: int = held & b(t)
            fresh = found
            while fresh:
                around = 0
                for place in bits(fresh):
                    around |= next_to[place]
                fresh = around & held & ~found
                found |= fresh
            return found

        return joined

    def _beyond(self, e: Expression) -> Reading:
        a = self.of(e.args[0])
        after: dict[tuple[int, int], int] = {}
        for line in self.game.board.lines:
            for places in (line.places, line.places[::-1]):
                for x, y, z in zip(places, places[1:], places[2:], strict=False):
                    after[x, y] = after.get((x, y), 0) | 1 << z

        def past(t: Table) -> int:
            to, found = self.game.paths[t.path].to, 0
            for place in bits(a(t)):
                found |= after.get((to, place), 0)
            return found

        return past

    def _along(self, e: Expression, rays: list[tuple[int, ...]]) -> Reading:
        a = self.of(e.args[0])

        def unbroken(t: Table) -> int:
            wanted, found = a(t), 0
            for place in rays[t.path]:
                if not wanted >> place & 1:
                    break
                found |= 1 << place
            return found

        return unbroken

    def _ahead(self, e: Expression) -> Reading:
        return self._along(e, [self._ray(p.origin, p.over, p.to) for p in self.game.paths])

    def _behind(self, e: Expression) -> Reading:
        return self._along(e, [self._ray(p.to, p.over[::-1], p.origin) for p in self.game.paths])

    def _ray(self, origin: int, over: tuple[int, ...], to: int) -> tuple[int, ...]:
        """The places that follow on the line through origin, over and to."""
        walked = (origin, *over, to)
        for line in self.game.board.lines:
            for places in (line.places, line.places[::-1]):
                if origin in places:
                    i = places.index(origin)
                    if places[i : i + len(walked)] == walked:
                        return places[i + len(walked) :]
        return ()

    def _windows(self, n: int) -> list[int]:
        return sorted(
            {
                sum(1 << p for p in line.places[i : i + n])
                for line in self.game.board.lines
                for i in range(len(line.places) - n + 1)
            }
        )

    def _row(self, e: Expression) -> Reading:
        a, windows = self.of(e.args[0]), self._windows(e.data[0])

        def in_rows(t: Table) -> int:
            held, found = a(t), 0
            for window in windows:
                if window & held == window:
                    found |= window
            return found

        return in_rows

    def _rows(self, e: Expression) -> Reading:
        a, through, windows = self.of(e.args[0]), self.of(e.args[1]), self._windows(e.data[0])

        def how_many(t: Table) -> int:
            held, met = a(t), through(t)
            return sum(1 for window in windows if window & held == window and window & met)

        return how_many

    # ---- tracks -----------------------------------------------------------------------------------------

    def _behind_on_track(self, e: Expression) -> Reading:
        a, index, before = self.of(e.args[0]), self.game.board.track_index, self._before()

        def earlier(t: Table) -> int:
            places = a(t)
            numbers = [n for p in bits(places) if (n := index[t.side][p]) >= 0]
            return before[t.side][min(numbers)] if numbers else 0

        return earlier

    def _beyond_on_track(self, e: Expression) -> Reading:
        a, index, before = self.of(e.args[0]), self.game.board.track_index, self._before()

        def later(t: Table) -> int:
            places = a(t)
            numbers = [n for p in bits(places) if (n := index[t.side][p]) >= 0]
            return before[t.side][-1] & ~before[t.side][max(numbers) + 1] if numbers else 0

        return later

    def _stretch_at(self, side: int, held: int, place: int) -> list[int]:
        track, index = self.game.board.tracks[side], self.game.board.track_index[side]
        at = index[place] if place >= 0 else -1
        if at < 0 or not held >> place & 1:
            return []
        low = high = at
        while low > 0 and held >> track[low - 1] & 1:
            low -= 1
        while high + 1 < len(track) and held >> track[high + 1] & 1:
            high += 1
        return list(track[low : high + 1])

    def _stretch(self, e: Expression) -> Reading:
        a, through = self.of(e.args[0]), self.of(e.args[1])
        return lambda t: sum(1 << p for p in self._stretch_at(t.side, a(t), through(t).bit_length() - 1))

    def _run_through(self, e: Expression) -> Reading:
        a, through = self.of(e.args[0]), self.of(e.args[1])
        return lambda t: len(self._stretch_at(t.side, a(t), through(t).bit_length() - 1))

    def _run(self, e: Expression) -> Reading:
        a, tracks = self.of(e.args[0]), self.game.board.tracks

        def longest(t: Table) -> int:
            held, best, now = a(t), 0, 0
            for place in tracks[t.side]:
                now = now + 1 if held >> place & 1 else 0
                if now > best:
                    best = now
            return best

        return longest

    def _nr(self, e: Expression) -> Reading:
        a, index = self.of(e.args[0]), self.game.board.track_index

        def number(t: Table) -> int:
            place = a(t)
            return index[t.side][place.bit_length() - 1] if place else -1

        return number

    def _before(self) -> tuple[tuple[int, ...], ...]:
        """For each side, the bit sets of the first 0, 1, 2 … places of its track."""
        return tuple(_prefixes(track) for track in self.game.board.tracks)


def _prefixes(track: tuple[int, ...]) -> tuple[int, ...]:
    """The bit sets of the first 0, 1, 2 … places of a track."""
    sets = [0]
    for place in track:
        sets.append(sets[-1] | 1 << place)
    return tuple(sets)
