"""What a term can come to: bounds worked out from the board, the men and the ranges of facts.

Used by ``verify`` to find conditions that always or never hold. The bounds are safe: a
value is never outside them; they may be wider than what can really happen.
"""

from __future__ import annotations

from interpreter.game.types import BOOL, INT, Expression, Game
from interpreter.game.walk import heads

Bounds = tuple[int, int]
MANY = 1 << 30


class Bounding:
    """Bounds of expressions of one game, for both readers together, or of one reader on one path.

    Args:
        at: (reader, path) where the decision is known.
    """

    def __init__(self, game: Game, at: tuple[int, int] | None = None) -> None:
        self.game = game
        self.at = at
        width, kinds = game.places, len(game.kinds)
        self.men = [sum(game.setup[s * kinds * width : (s + 1) * kinds * width]) for s in (0, 1)]
        self.changes_kind = any(effect.op == "make" for then in game.then for effect in then.do)

    def truth(self, e: Expression) -> bool | None:
        """True or False if the condition always or never holds, else None."""
        low, high = self.of(e)
        return None if low != high else bool(low)

    def of(self, e: Expression) -> Bounds:
        """The least and greatest value of a term of sort Int or Bool; of places, how many there are."""
        method = getattr(self, "_" + e.op.replace("-", "_"), None)
        if method is not None:
            found: Bounds = method(e)
            return found
        if e.sort == BOOL:
            return 0, 1
        if e.sort == INT:
            return 0, MANY
        return 0, self.game.places

    def _int(self, e: Expression) -> Bounds:
        return e.data[0], e.data[0]

    def _true(self, e: Expression) -> Bounds:
        return 1, 1

    def _false(self, e: Expression) -> Bounds:
        return 0, 0

    def _and(self, e: Expression) -> Bounds:
        parts = [self.of(a) for a in e.args]
        return min(p[0] for p in parts), min(p[1] for p in parts)

    def _or(self, e: Expression) -> Bounds:
        parts = [self.of(a) for a in e.args]
        return max(p[0] for p in parts), max(p[1] for p in parts)

    def _heads(self, e: Expression) -> Bounds:
        if self.at is None:
            return 0, 1
        side, number = self.at
        path = self.game.paths[number]
        turned = (path.direction + (0 if self.game.seats[side] == "s" else 4)) % 8
        held = int(path.direction >= 0 and heads(e.data[0], turned))
        return held, held

    def _not(self, e: Expression) -> Bounds:
        low, high = self.of(e.args[0])
        return 1 - high, 1 - low

    def _choose(self, e: Expression) -> Bounds:
        yes, test, no = (self.of(a) for a in e.args)
        if test == (1, 1):
            return yes
        if test == (0, 0):
            return no
        return min(yes[0], no[0]), max(yes[1], no[1])

    def _compare(self, e: Expression) -> Bounds:
        (a, b), (c, d) = self.of(e.args[0]), self.of(e.args[1])
        which = e.data[0]
        always, never = {
            0: (a == b == c == d, b < c or d < a),
            1: (b < c or d < a, a == b == c == d),
            2: (b < c, a >= d),
            3: (b <= c, a > d),
            4: (a > d, b <= c),
            5: (a >= d, b < c),
        }[which]
        return (1, 1) if always else (0, 0) if never else (0, 1)

    def _plus(self, e: Expression) -> Bounds:
        (a, b), (c, d) = (self.of(x) for x in e.args)
        return a + c, b + d

    def _minus(self, e: Expression) -> Bounds:
        (a, b), (c, d) = (self.of(x) for x in e.args)
        return a - d, b - c

    def _times(self, e: Expression) -> Bounds:
        (a, b), (c, d) = (self.of(x) for x in e.args)
        corners = [x * y for x in (a, b) for y in (c, d)]
        return min(corners), max(corners)

    def _their(self, e: Expression) -> Bounds:
        return self.of(e.args[0])

    # ---- places: how many there are -------------------------------------------------------

    def _places(self, e: Expression) -> Bounds:
        counts = [mask.bit_count() for mask in e.data]
        return min(counts), max(counts)

    def _common(self, e: Expression) -> Bounds:
        (_, b), (_, d) = (self.of(x) for x in e.args)
        return 0, min(b, d)

    def _union(self, e: Expression) -> Bounds:
        (a, b), (c, d) = (self.of(x) for x in e.args)
        return max(a, c), b + d

    def _without(self, e: Expression) -> Bounds:
        return 0, self.of(e.args[0])[1]

    def _where(self, e: Expression) -> Bounds:
        return 0, self.of(e.args[0])[1]

    def _from(self, e: Expression) -> Bounds:
        return 0, 1

    _to = _active = _it = _from

    def _size(self, e: Expression) -> Bounds:
        return self.of(e.args[0])

    def _in(self, e: Expression) -> Bounds:
        masks = [a.data if a.op == "places" else None for a in e.args]
        if masks[0] is not None and masks[1] is not None:
            held = {int(a != 0 and not a & ~b) for a, b in zip(masks[0], masks[1], strict=True)}
            return min(held), max(held)
        return (0, 0) if self._apart(e) else (0, 1)

    def _meets(self, e: Expression) -> Bounds:
        return (0, 0) if self._apart(e) else (0, 1)

    def _apart(self, e: Expression) -> bool:
        """Can the two sets have no place in common? (`own` is never beside the board.)"""
        a, b = (self._within(arg) for arg in e.args)
        return all(not x & y for x, y in zip(a, b, strict=True))

    def _within(self, e: Expression) -> tuple[int, int]:
        """For each reader, places outside which the set never reaches."""
        points, every = self.game.board.all_points, (1 << self.game.places) - 1
        if e.op == "places":
            return e.data[0], e.data[1]
        if e.op in ("standing", "empty", "marked", "neighbours", "row", "over"):
            return points, points
        if e.op == "common":
            (a, b), (c, d) = (self._within(x) for x in e.args)
            return a & c, b & d
        if e.op == "union":
            (a, b), (c, d) = (self._within(x) for x in e.args)
            return a | c, b | d
        if e.op in ("where", "without", "joined"):
            return self._within(e.args[0])
        if e.op == "their":
            a, b = self._within(e.args[0])
            return b, a
        return every, every

    # ---- men, dice, facts ---------------------------------------------------------------------

    def _count(self, e: Expression) -> Bounds:
        _, kind = e.data
        men = max(self.men)
        if kind >= 0 and not self.changes_kind:
            width, kinds = self.game.places, len(self.game.kinds)
            men = max(sum(self.game.setup[(s * kinds + kind) * width : (s * kinds + kind + 1) * width]) for s in (0, 1))
        within = self._within(e.args[0])
        if not self.game.board.many and all(not mask >> self.game.board.points for mask in within):
            men = min(men, self.of(e.args[0])[1])

        return 0, men

    def _die(self, e: Expression) -> Bounds:
        return 0, self.game.throw.faces if self.game.throw else 0

    _lowest = _highest = _excess = _die

    def _dice(self, e: Expression) -> Bounds:
        return 0, 64

    _left = _thrown = _dice_played = _dice

    def _repeats(self, e: Expression) -> Bounds:
        return 1, MANY

    def _nr(self, e: Expression) -> Bounds:
        return -1, max((len(track) for track in self.game.board.tracks), default=0)

    def _run(self, e: Expression) -> Bounds:
        return 0, min(self.of(e.args[0])[1], max((len(track) for track in self.game.board.tracks), default=0))

    _run_through = _run

    def _fact(self, e: Expression) -> Bounds:
        memory = self.game.memories[e.data[0]]
        if memory.kind == "places":
            return 0, self.game.places
        return (memory.low, memory.high) if memory.kind == "number" else (0, 1)

    def _fact_of(self, e: Expression) -> Bounds:
        return self._fact(e)


__all__ = ["Bounding"]
