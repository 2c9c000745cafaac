"""What an observation holds: named fields of numbers, in order, for any game.

An observation is seen by a side, the *observer*. What belongs to sides stands as "the
observer's, then the other's"; places are absolute (point 0 first, whoever looks), as
actions are. It holds everything that decides what is legal now and what may follow, except
the earlier positions that ``repeats`` counts (the count itself is there).

Every number is read off a state's record as the compiled machine lays it (``compiled.layout``;
it needs no module), so that one state and ten thousand are observed alike. A *column* says
what is read:

    ("bit", offset, bit)          a bit of a set of places
    ("value", offset, kind)       a number: u8, s8, i32
    ("is", offset, kind, value)   1 where that number is the value, else 0
    ("end", which, value)         1 where the last decision's origin (0) or goal (1) is the place
    ("die",), ("repeats",)        the last decision's die; how often the position has stood

One room: the fields of every game, in their order.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cached_property
from math import prod
from typing import Any

from interpreter.compiled.layout import Layout, Slot
from interpreter.game.types import Game, Memory
from interpreter.game.walk import every_expression, ops
from interpreter.machine.types import TALLIES, TO_DECIDE

Column = tuple[Any, ...]

MOST_DICE = 255
"""Dice there can be at once where rules add some."""

SPARE = 64
"""Turns by which a game may go past its limit in the step that reaches it."""

DIRECTIONS = ("north", "north-east", "east", "south-east", "south", "south-west", "west", "north-west")


@dataclass(frozen=True)
class Field:
    """A tensor of an observation: its shape, the bounds of its numbers, and what they mean.

    ``columns[observer]`` says where each number is read, row by row. ``by_point`` where the
    last axis are the points of the board: such a field is so many planes.
    """

    name: str
    shape: tuple[int, ...]
    low: int
    high: int
    says: str
    columns: tuple[tuple[Column, ...], tuple[Column, ...]]
    by_point: bool = False

    @property
    def size(self) -> int:
        """How many numbers."""
        return prod(self.shape)


class Fields:
    """The fields of a game's observations.

    Args:
        most: games are cut off after so many decisions or turns, so no count of either is greater.

    Raises:
        NotCompiled: where a state has no record (dice that can show more than 250).
    """

    def __init__(self, game: Game, most: int) -> None:
        self.game, self.most = game, most
        self.layout = Layout(game)
        self.read = set().union(*(ops(e) for e in every_expression(game)), set())
        width, kinds = game.places, len(game.kinds)
        self.men = tuple(sum(game.setup[side * kinds * width : (side + 1) * kinds * width]) for side in (0, 1))
        self.fields = tuple(self._fields())

    def __iter__(self) -> Iterator[Field]:
        return iter(self.fields)

    @cached_property
    def size(self) -> int:
        """How many numbers an observation has."""
        return sum(field.size for field in self.fields)

    @cached_property
    def offsets(self) -> dict[str, int]:
        """Where each field begins."""
        found, at = {}, 0
        for field in self.fields:
            found[field.name] = at
            at += field.size
        return found

    # ---- the fields ---------------------------------------------------------------------------

    def _fields(self) -> Iterator[Field]:
        game, layout, board = self.game, self.layout, self.game.board
        kinds, sides = range(len(game.kinds)), "the observer's, then the other side's"
        yield self._both(
            "men",
            (2, len(kinds), board.points),
            max(self.men) if board.many else 1,
            f"men on each point: {sides}; by kind ({', '.join(game.kinds)})",
            lambda side: [self._men(side, kind, place) for kind in kinds for place in range(board.points)],
            by_point=True,
        )
        if board.beside:
            yield self._both(
                "beside",
                (2, len(kinds), len(board.beside)),
                max(self.men),
                f"men beside the board: {sides}; by kind, then {', '.join(board.beside)}",
                lambda side: [self._men(side, kind, both[side]) for kind in kinds for both in board.beside.values()],
            )
        yield Field("side", (1,), 0, 1, _numbered("who observes", game.sides), ((("0",),), (("1",),)))
        yield self._own("turn", layout.turn, "1 in the observer's own turn")
        if any(phase.by_foe for phase in game.phases):
            yield self._own(
                "decides", layout.decider, "1 where the observer decides (the other side can, in one's turn)"
            )
        if len(game.phases) > 1:
            names = [phase.name for phase in game.phases]
            yield self._one_of("phase", layout.phase, "u8", len(names), f"the phase: {', '.join(names)}")
        if self.has_chance:
            yield self._alike(
                "waits",
                (1,),
                0,
                1,
                "1 before a throw, of which nobody decides",
                [("not", layout.waits, "u8", TO_DECIDE)],
            )
        if layout.faces:
            for name, start, says in (
                ("dice", layout.left, "dice left to play, by what they show: 1 first"),
                ("thrown", layout.thrown, "dice of the throw, by what they show: 1 first"),
            ):
                columns = [("value", start + face, "u8") for face in range(1, layout.faces + 1)]
                yield self._alike(name, (layout.faces,), 0, self._most_dice, says, columns)
        if self._reads_active:
            yield self._alike(
                "active",
                (board.points,),
                0,
                1,
                "1 on the point of the man that moves on",
                [("is", layout.active, "s16", place) for place in range(board.points)],
                by_point=True,
            )
        for slot in layout.slots:
            yield from self._fact(slot)
        for number, name in enumerate(TALLIES):
            if name in self.read:
                yield self._alike(
                    name,
                    (1,),
                    0,
                    self._most_tally(name),
                    f"`{name}` of this play",
                    [("value", layout.tallies + 4 * number, "i32")],
                )
        if game.reads_last:
            yield from self._last()
        if "turns" in self.read:
            yield self._alike(
                "turns", (1,), 0, self.most + SPARE, "turns begun before this one", [("value", layout.turns, "i32")]
            )
        if game.reads_repeats:
            says = "how often the position that stood when the last turn ended has stood so"
            yield self._alike("repeats", (1,), 0, self.most + SPARE, says, [("repeats",)])

    @property
    def has_chance(self) -> bool:
        """Is anything left to chance: dice, or who begins?"""
        return self.game.throw is not None or self.game.start_who not in self.game.sides

    @property
    def _reads_active(self) -> bool:
        sets = any(effect.op == "again" and effect.args for then in self.game.then for effect in then.do)
        return sets or "active" in self.read

    @property
    def _most_dice(self) -> int:
        """Dice there can be at once."""
        throw = self.game.throw
        if throw is None or any(e.op in ("set-dice", "add-die") for then in self.game.then for e in then.do):
            return MOST_DICE
        return max(len(throw.left(faces)) for faces, _ in throw.outcomes)

    def _most_tally(self, name: str) -> int:
        if name == "taken":
            return max(self.men)
        return self.most * max(self.layout.faces, 1) if name in ("pips-played", "wasted") else self.most

    # ---- facts --------------------------------------------------------------------------------

    def _fact(self, slot: Slot) -> Iterator[Field]:
        """A fact: what is remembered, and where that lasts for a reply, what of it was written in this turn."""
        memory, points = slot.memory, self.game.board.points
        low, high = (memory.low, memory.high) if memory.kind == "number" else (0, 1)
        says = memory.says or f"what is remembered as `{memory.name}`"
        cells, names = self._cells(slot)
        if memory.kind == "mark":
            columns = [self._bit(slot.offset, place) for place in range(points)]
            yield self._alike(memory.name, (points,), 0, 1, f"{says}: 1 on points of marked men", columns, True)
        elif memory.per == "man":
            by_part = [cells(part) for part in range(points)]
            columns = [by_part[place][word] for word in range(len(names)) for place in range(points)]
            shape = (len(names), points) if len(names) > 1 else (points,)
            says = f"{says}: of the man on each point{_listed(names)}"
            yield self._alike(memory.name, shape, low, high, says, columns, True)
        elif slot.kind == "mask":
            yield from self._sets(memory.name, says, lambda part: slot.offset + part * slot.size, memory.per == "side")
        elif memory.per == "side":
            says = f"{says}: the observer's, then the other side's{_listed(names)}"
            shape = (2, len(names)) if len(names) > 1 else (2,)
            yield self._both(memory.name, shape, high, says, cells, low=low)
        else:
            yield self._alike(memory.name, (len(names),), low, high, f"{says}{_listed(names)}", cells(0))
        if memory.index in self.layout.fresh:
            yield self._fresh(memory)

    def _cells(self, slot: Slot) -> tuple[Callable[[int], list[Column]], list[str]]:
        """How a part of a fact (a side's, a man's) is read, and what its cells are."""
        memory = slot.memory
        if slot.kind == "mask":
            names = list(self.game.board.names)
            return (lambda part: [self._bit(slot.offset + part * slot.size, p) for p in range(len(names))]), names
        if memory.kind == "direction":
            ways = list(DIRECTIONS)
            return (lambda part: [("is", slot.offset + part, "s8", d) for d in range(len(ways))]), ways
        return (lambda part: [("value", slot.offset + part * slot.size, slot.kind)]), [""]

    def _sets(self, name: str, says: str, offset: Callable[[int], int], per_side: bool) -> Iterator[Field]:
        """A set of places, or one for each side: a plane of points, and what of it lies beside the board."""
        points, beside = self.game.board.points, self.game.board.beside
        whose = f"{says}: the observer's, then the other side's" if per_side else says

        def on(part: int) -> list[Column]:
            return [self._bit(offset(part), place) for place in range(points)]

        def off(part: int, side: int) -> list[Column]:
            return [self._bit(offset(part), both[s]) for s in (side, 1 - side) for both in beside.values()]

        if per_side:
            yield self._both(name, (2, points), 1, f"{whose}; 1 on each of these points", on, by_point=True)
        else:
            yield self._alike(name, (points,), 0, 1, f"{whose}; 1 on each of these points", on(0), True)
        if beside:
            parts = [(0, 1), (1, 0)] if per_side else [(0,), (0,)]
            columns = [tuple(c for part in parts[side] for c in off(part, side)) for side in (0, 1)]
            shape = (len(parts[0]), 2, len(beside)) if per_side else (2, len(beside))
            says = f"the same beside the board: the observer's {', '.join(beside)}, then the other side's"
            yield Field(f"{name}-beside", shape, 0, 1, says, (columns[0], columns[1]))

    def _fresh(self, memory: Memory) -> Field:
        """Which parts of a fact that lasts for a reply were written in this turn."""
        offset, _ = self.layout.fresh[memory.index]
        name, says = f"new-{memory.name}", f"1 where `{memory.name}` was written in this turn"
        if memory.on_men:
            points = self.game.board.points
            return self._alike(name, (points,), 0, 1, says, [self._bit(offset, place) for place in range(points)], True)
        if memory.per == "side":
            return self._both(name, (2,), 1, says, lambda side: [self._bit(offset, side)])
        return self._alike(name, (1,), 0, 1, says, [self._bit(offset, 0)])

    def _last(self) -> Iterator[Field]:
        """The turn's last decision, where a rule asks for it when the turn ends."""
        game, layout, points = self.game, self.layout, self.game.board.points
        says = f"the verb of this turn's last decision: {', '.join(game.verbs)}"
        yield self._one_of("last-verb", layout.last_verb, "s16", len(game.verbs), says)
        for which, name in enumerate(("last-from", "last-to")):
            columns: list[Column] = [("end", which, place) for place in range(points)]
            yield self._alike(name, (points,), 0, 1, f"the point it went {name[5:]}", columns, True)
        if layout.faces:
            yield self._alike("last-die", (1,), 0, layout.faces, "the die it took", [("die",)])

    # ---- columns ------------------------------------------------------------------------------

    def _bit(self, offset: int, place: int) -> Column:
        return ("bit", offset + place // 8, place % 8)

    def _men(self, side: int, kind: int, place: int) -> Column:
        layout, row = self.layout, side * len(self.game.kinds) + kind
        if place < layout.first_counted:
            return self._bit(layout.where + row * layout.mask_size, place)
        return ("value", layout.counts + row * layout.row + place - layout.first_counted, "u8")

    @staticmethod
    def _alike(
        name: str, shape: tuple[int, ...], low: int, high: int, says: str, columns: list[Column], by_point: bool = False
    ) -> Field:
        """A field that both sides see alike."""
        return Field(name, shape, low, high, says, (tuple(columns), tuple(columns)), by_point)

    @staticmethod
    def _both(
        name: str,
        shape: tuple[int, ...],
        high: int,
        says: str,
        of: Callable[[int], list[Column]],
        low: int = 0,
        by_point: bool = False,
    ) -> Field:
        """A field with the observer's part, then the other side's."""
        first, second = tuple(of(0)), tuple(of(1))
        return Field(name, shape, low, high, says, ((*first, *second), (*second, *first)), by_point)

    @staticmethod
    def _own(name: str, offset: int, says: str) -> Field:
        return Field(name, (1,), 0, 1, says, ((("is", offset, "u8", 0),), (("is", offset, "u8", 1),)))

    def _one_of(self, name: str, offset: int, kind: str, many: int, says: str) -> Field:
        return self._alike(name, (many,), 0, 1, says, [("is", offset, kind, value) for value in range(many)])


def _listed(words: list[str]) -> str:
    """What the cells are, where there are a few."""
    if len(words) < 2:
        return ""
    return f"; {', '.join(words)}" if len(words) <= len(DIRECTIONS) else "; by place"


def _numbered(says: str, names: tuple[str, ...]) -> str:
    return f"{says}: " + ", ".join(f"{number} {name}" for number, name in enumerate(names))
