"""May equal dice be played from the back to the front without losing a play?

If no step from further on can make a step from further back possible, and no step from
further back can make one from further on impossible, then of any two neighbouring steps
of a play the one from further back may come first; so every play can be brought into
that order, and each result of equal dice is found exactly once in it.

Whether a step can change a condition is read off its numbers: a step takes one man from
a place and brings one to another, may send men of the other side away, may set flags.
A condition that cannot be read so is taken to change either way.
"""

from __future__ import annotations

from collections.abc import Callable

from interpreter.game.types import FOE, OWN, Expression, Path
from interpreter.game.walk import ops
from interpreter.machine.evaluate import conjuncts, fixed

Change = tuple[bool, bool]
"""Can a truth (or number) rise, can it fall?"""

STEADY: Change = (False, False)
EITHER: Change = (True, True)


class Order:
    """The question for one mover.

    Args:
        value: (term, path number) → what the path decides of a term.
        place_set: (term, path number) → a fixed set of places.
        hits: are men of the other side sent to ``bar``? (From ``points``.)
        sets: (fact, part) → the places that set a flag by being gone to.
        numbers: place → its number on the mover's track.
    """

    def __init__(
        self,
        mover: int,
        value: Callable[[Expression, int], int],
        hits: bool,
        bar: int,
        part_of: Callable[[int, int], tuple[int, int]],
        sets: dict[tuple[int, int], int],
        numbers: dict[int, int],
        points: int,
    ) -> None:
        self.mover, self.value, self.hits, self.bar = mover, value, hits, bar
        self.part_of, self.sets, self.numbers, self.points = part_of, sets, numbers, points
        self.counted: dict[tuple[int, int, tuple[Path, ...]], Change] = {}

    def free(self, paths: list[Path], bars: list[Expression]) -> bool:
        """Is the order of these paths (of one die) free in the sense above?"""
        for rest, asked in self._asked(paths, bars):
            for of in asked:
                here = self.numbers[of.origin]
                beyond = tuple(p for p in paths if self.numbers[p.origin] > here)
                behind = tuple(p for p in paths if self.numbers[p.origin] < here)
                if any(self.change(e, of, beyond)[1] or self.change(e, of, behind)[0] for e in rest):
                    return False
        return True

    def keeps(self, steps: list[Path], paths: list[Path], bars: list[Expression]) -> bool:
        """Does none of the steps make one of the paths impossible?"""
        every = tuple(steps)
        return not any(
            self.change(e, of, every)[0] for rest, asked in self._asked(paths, bars) for of in asked for e in rest
        )

    def _asked(self, paths: list[Path], bars: list[Expression]) -> list[tuple[list[Expression], list[Path]]]:
        """What each prohibition asks in each position, and the paths for which it is asked."""
        found = []
        for bar in bars:
            parts = conjuncts(bar)
            steady = [e for e in parts if fixed(e)]
            asked = [p for p in paths if all(self.value(e, p.index) for e in steady)]
            found.append(([e for e in parts if not fixed(e)], asked))
        return found

    @staticmethod
    def _any(changes: list[Change]) -> Change:
        return any(c[0] for c in changes), any(c[1] for c in changes)

    def change(self, e: Expression, of: Path, steps: tuple[Path, ...], it: int = -1, turned: int = 0) -> Change:
        """How one of some steps can change a truth or number that is asked of a path."""
        if e.op in ("int", "true", "false", "thrown", "doubles", "turns", "score") or fixed(e):
            return STEADY
        if e.op in ("and", "or", "plus"):
            return self._any([self.change(a, of, steps, it, turned) for a in e.args])
        if e.op == "not":
            rises, falls = self.change(e.args[0], of, steps, it, turned)
            return falls, rises
        if e.op == "minus":
            a, b = (self.change(part, of, steps, it, turned) for part in e.args)
            return a[0] or b[1], a[1] or b[0]
        if e.op == "compare":
            a, b = (self.change(part, of, steps, it, turned) for part in e.args)
            up, down = a[0] or b[1], a[1] or b[0]
            if e.data[0] in (4, 5):
                return up, down
            if e.data[0] in (2, 3):
                return down, up
            return (True, True) if up or down else STEADY
        if e.op == "their":
            return self.change(e.args[0], of, steps, it, turned ^ 1)
        if e.op == "count":
            places = self._places(e.args[0], of, it, turned)
            return EITHER if places is None else self._count(e.data[0] ^ turned, places, steps)
        if e.op == "fact":
            mask = self.sets.get(self.part_of(e.data[0], turned), 0)
            return any(mask >> step.to & 1 for step in steps), False
        if e.op == "size" and e.args[0].op == "where":
            places = self._places(e.args[0].args[0], of, it, turned)
            if places is None:
                return EITHER
            every = [p for p in range(places.bit_length()) if places >> p & 1]
            return self._any([self.change(e.args[0].args[1], of, steps, p, turned) for p in every])
        if e.op == "in" and e.args[1].op == "where":
            place = self._places(e.args[0], of, it, turned)
            source = self._places(e.args[1].args[0], of, it, turned)
            if place is None or source is None or place.bit_count() != 1:
                return EITHER
            if not place & source:
                return STEADY
            return self.change(e.args[1].args[1], of, steps, place.bit_length() - 1, turned)
        return EITHER

    def _places(self, e: Expression, of: Path, it: int, turned: int) -> int | None:
        """The places of a term that does not change."""
        if e.op == "their":
            return self._places(e.args[0], of, it, turned ^ 1)
        if e.op == "it":
            return 1 << it if it >= 0 else None
        if turned and e.op != "places":
            return None if ops(e) - {"from", "to"} else self.value(e, of.index)
        if e.op == "places":
            return e.data[self.mover ^ turned]
        return self.value(e, of.index) if fixed(e) else None

    def _count(self, who: int, places: int, steps: tuple[Path, ...]) -> Change:
        """How one of the steps can change the number of men on some places."""
        key = (who, places, steps)
        if key not in self.counted:
            changes = [self._counted(who, places, step) for step in steps]
            self.counted[key] = any(c[0] for c in changes), any(c[1] for c in changes)
        return self.counted[key]

    def _counted(self, who: int, places: int, step: Path) -> Change:
        if who == OWN:
            more = int(places >> step.to & 1) - int(places >> step.origin & 1)
            return more > 0, more < 0
        assert who == FOE
        if not self.hits:
            return STEADY
        # a place beside the board holds none of the other side's men
        strikes = bool(self.points >> step.to & 1)
        return strikes and bool(places >> self.bar & 1), strikes and bool(places >> step.to & 1)
