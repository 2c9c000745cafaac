"""Where everything lies and what stands there: one plan for both drawings.

A board is drawn by its properties, never by its game:

    tables      two `rows`, no lines: points in two rows, stacks that grow from the edge
    squares     a board whose grid leaves squares out, or says that they are drawn
    points      places with coordinates and lines: points with their drawn lines
    cells       anything else: one cell for each point, with its label

The plan is made for a viewer, who sits at the bottom: a side whose seat is north sees
the board turned by 180 degrees. ``render`` multiplies the plan by characters, ``stage``
by pixels; neither looks at coordinates itself.

One room: the plan of a board, what stands on it, and both in words.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from interpreter.game.types import Board, Game, Memory
from interpreter.machine.table import bits, blank
from interpreter.machine.types import TO_BEGIN, TO_THROW, State
from interpreter.play.layout import made_up

if TYPE_CHECKING:
    from interpreter.play.signs import Signs

TABLES, SQUARES, POINTS, CELLS = "tables", "squares", "points", "cells"
FULL = 5
"""Men a stack shows one by one; a higher stack shows a count as well."""

_ALGEBRAIC = re.compile(r"([a-z]+)([0-9]+)$")
_DIRECTIONS = ("north", "north-east", "east", "south-east", "south", "south-west", "west", "north-west")


@dataclass(frozen=True)
class Geometry:
    """The plan of a board for one viewer.

    ``spots[p]`` is (x, y) of point p: x from the left, y from the top, 0 the first, in
    distances between neighbours (on a tables board in columns and rows, a gap being a
    column). ``size`` is the largest x and y. ``segments`` are the drawn lines, from
    point to point. ``files`` and ``ranks`` are (x or y, label); empty where the labels
    are no letters and numbers in rows, and each point wears its own. ``gaps`` are the x
    of the gaps. ``placed`` is False where the board says nothing of where its points lie
    and the layout was made up.
    """

    shape: str
    spots: tuple[tuple[float, float], ...]
    size: tuple[float, float]
    segments: tuple[tuple[int, int], ...] = ()
    files: tuple[tuple[float, str], ...] = ()
    ranks: tuple[tuple[float, str], ...] = ()
    gaps: tuple[int, ...] = ()
    placed: bool = True

    @property
    def middle_gap(self) -> int | None:
        """The gap nearest to the middle of a tables board, where men beside the board may lie."""
        return min(self.gaps, key=lambda x: abs(2 * x - self.size[0])) if self.gaps else None


def from_board(board: Board, turned: bool = False, viewer: int = 0) -> Geometry:
    """The plan of ``board``; ``turned`` by 180 degrees, with the labels of side ``viewer``."""
    pairs = [pair for line in board.lines for pair in zip(line.places, line.places[1:], strict=False)]
    segments = tuple(sorted({(min(pair), max(pair)) for pair in pairs}))
    if len(board.rows) == 2 and not segments:
        return _tables(board, turned)
    given = [c for c in board.coordinates[: board.points] if c is not None]
    if len(given) < board.points or len(set(given)) < board.points:
        return _made_up(board, segments)
    west, north = min(x for x, _ in given), max(y for _, y in given)
    spots = [(x - west, north - y) for x, y in given]
    size = (max(x for x, _ in spots), max(y for _, y in spots))
    if turned:
        spots = [(size[0] - x, size[1] - y) for x, y in spots]
    files, ranks = _axes(spots, board.labels[viewer][: board.points])
    shape = SQUARES if board.squares else POINTS if segments else CELLS
    return Geometry(shape, tuple(spots), size, segments, files, ranks)


def _tables(board: Board, turned: bool) -> Geometry:
    rows = [list(row) for row in board.rows]
    width = max(len(row) for row in rows)
    rows = [row + ["."] * (width - len(row)) for row in rows]
    if turned:
        rows = [row[::-1] for row in rows[::-1]]
    where = {name: (float(x), float(y)) for y, row in enumerate(rows) for x, name in enumerate(row)}
    gaps = tuple(x for x in range(width) if any(row[x] == "|" for row in rows))
    return Geometry(TABLES, tuple(where[name] for name in board.names[: board.points]), (width - 1.0, 1.0), gaps=gaps)


def _made_up(board: Board, segments: tuple[tuple[int, int], ...]) -> Geometry:
    spots = made_up(board.points, segments)
    size = (max(x for x, _ in spots), max(y for _, y in spots))
    return Geometry(CELLS, spots, size, segments, placed=False)


def _axes(
    spots: list[tuple[float, float]], labels: tuple[str, ...]
) -> tuple[tuple[tuple[float, str], ...], tuple[tuple[float, str], ...]]:
    """File letters and rank numbers, if every label is its file's letter and its rank's number."""
    files: dict[float, str] = {}
    ranks: dict[float, str] = {}
    for (x, y), label in zip(spots, labels, strict=True):
        match = _ALGEBRAIC.match(label)
        if not match or files.setdefault(x, match[1]) != match[1] or ranks.setdefault(y, match[2]) != match[2]:
            return (), ()
    return tuple(sorted(files.items())), tuple(sorted(ranks.items()))


def bar(board: Board, plan: Geometry, viewer: int) -> tuple[int, int] | None:
    """The places drawn in the middle gap, far side first: `bar`, where the board has it."""
    both = board.beside.get("bar")
    return None if both is None or plan.middle_gap is None else (both[1 - viewer], both[viewer])


# ---- what stands there -----------------------------------------------------------------


@dataclass(frozen=True)
class Pile:
    """``count`` men of one kind of one side on one place."""

    side: int
    kind: int
    count: int


def shown(piles: tuple[Pile, ...]) -> list[tuple[Pile, int]]:
    """The men a place shows, each with the number he stands for (0: himself alone).

    More than five of one kind are five, the last with the count; mixed heaps of more
    than five are one man of each kind with its count.
    """
    if sum(pile.count for pile in piles) <= FULL:
        return [(pile, 0) for pile in piles for _ in range(pile.count)]
    if len(piles) == 1:
        return [(piles[0], 0)] * (FULL - 1) + [(piles[0], piles[0].count)]
    return [(p, count) for p in piles for count in ((0, p.count) if p.kind else (p.count,))]


@dataclass(frozen=True)
class Scene:
    """All that a drawing shows, without its size and its ink.

    ``piles[place]`` are the men there, side 0 first. ``marks`` are (what is remembered,
    the points it is remembered of). ``dice`` are (pips, still to be played), in the order
    thrown. ``near`` is the viewer.
    """

    game: Game
    state: State
    near: int
    geometry: Geometry
    piles: tuple[tuple[Pile, ...], ...]
    marks: tuple[tuple[str, tuple[int, ...]], ...]
    dice: tuple[tuple[int, bool], ...]

    def label(self, place: int) -> str:
        """What the viewer calls a place."""
        return self.game.board.labels[self.near][place]

    def men(self, place: int) -> int:
        return sum(pile.count for pile in self.piles[place])

    @property
    def active(self) -> int:
        """The place of the man that moves on, -1 if there is none or the game is over."""
        place = self.state.active
        return place if place >= 0 and self.state.outcome is None and self.piles[place] else -1

    @property
    def marked(self) -> frozenset[int]:
        return frozenset(p for _, places in self.marks for p in places)

    def beside(self, side: int) -> list[int]:
        """The places beside the board that belong to ``side``."""
        return [both[side] for both in self.game.board.beside.values()]

    @property
    def bar(self) -> tuple[int, int] | None:
        """The places drawn in the middle gap, far side first: `bar`, where the board has it."""
        return bar(self.game.board, self.geometry, self.near)

    @property
    def kinds(self) -> list[int]:
        """The kinds of men that are anywhere in sight."""
        return sorted({pile.kind for piles in self.piles for pile in piles})


def scene(game: Game, state: State, viewer: int = 0) -> Scene:
    """Lay out ``state`` for side ``viewer`` (0 or 1)."""
    width, kinds = game.places, len(game.kinds)
    piles = tuple(
        tuple(
            Pile(side, kind, state.men[(side * kinds + kind) * width + place])
            for side in (0, 1)
            for kind in range(kinds)
            if state.men[(side * kinds + kind) * width + place]
        )
        for place in range(width)
    )
    geometry = from_board(game.board, game.seats[viewer] == "n", viewer)
    return Scene(game, state, viewer, geometry, piles, tuple(_marks(game, state, viewer)), _dice(game, state))


def _marks(game: Game, state: State, viewer: int) -> list[tuple[str, tuple[int, ...]]]:
    found: list[tuple[str, tuple[int, ...]]] = []
    for memory in game.memories:
        value = state.memory[memory.index]
        if memory.kind == "mark":
            found.append((memory.name, tuple(bits(value))))
        elif memory.on_men:
            groups: dict[str, list[int]] = {}
            for place, of_man in enumerate(value):
                if of_man != blank(memory):
                    groups.setdefault(_fact(game, memory, of_man, viewer), []).append(place)
            found += [(name, tuple(places)) for name, places in groups.items()]
    return [(name, places) for name, places in found if places]


def _dice(game: Game, state: State) -> tuple[tuple[int, bool], ...]:
    left = Counter(state.dice)
    thrown = state.thrown
    if game.throw is not None and any(faces == thrown for faces, _ in game.throw.outcomes):
        thrown = game.throw.left(thrown)
    if left - Counter(thrown):  # dice that this throw did not give: show only what is left
        return tuple((die, True) for die in state.dice)
    shown = []
    for die in thrown:
        shown.append((die, left[die] > 0))
        left[die] -= 1
    return tuple(shown)


# ---- in words ---------------------------------------------------------------------------


def status(view: Scene) -> str:
    """Whose turn it is and what is waited for, or how it ended: ``white to play``."""
    game, state = view.game, view.state
    if state.outcome is not None:
        end = state.outcome
        points = f" {end.points} points" if end.points != 1 else ""
        return (f"{end.winner} wins{points}" if end.winner else "drawn") + f" ({end.kind})"
    if state.waits == TO_BEGIN:
        return "to begin"
    if state.waits == TO_THROW:
        return f"{game.sides[state.turn]} to throw"
    phase = game.phases[state.phase].name if state.phase else ""
    return f"{game.sides[state.decider]} to play" + (f", {phase}" if phase else "")


def on_turn(view: Scene) -> int | None:
    """The side that has to do something; None before the start and after the end."""
    state = view.state
    if state.outcome is not None or state.waits == TO_BEGIN:
        return None
    return state.turn if state.waits == TO_THROW else state.decider


def facts(view: Scene, side: int | None) -> list[str]:
    """What is remembered of ``side`` (of the game: None), apart from marks on men: ``head``, ``quiet 3``."""
    found = []
    for memory in view.game.memories:
        if memory.on_men or (memory.per == "side") != (side is not None):
            continue
        value = view.state.memory[memory.index]
        value = value if side is None else value[side]
        if value != blank(memory):
            found.append(_fact(view.game, memory, value, view.near))
    return found


def legend(view: Scene, signs: Signs) -> list[tuple[str, list[str]]]:
    """What the signs in a drawing mean: (sign, its words), in the order drawings name them.

    A sign is one of ``figures.SIGNS``, or the number of a kind.
    """
    kinds = [(str(kind), [view.game.kinds[kind]]) for kind in view.kinds if kind]
    active = [("active", ["moves on:", view.label(view.active)])] if view.active >= 0 else []
    marks = [("mark", [f"{name}:", *map(view.label, places)]) for name, places in view.marks]
    chosen: dict[str, tuple[str, Iterable[int]]] = {
        "duty": ("must move:", sorted(signs.duty)),
        "liable": ("may be taken off:", sorted(signs.liable)),
        "target": ("possible:", sorted(signs.targets)),
        "last": ("last:", signs.last),
    }
    others = []
    for sign, (word, numbers) in chosen.items():
        places = [view.label(p) for p in numbers if 0 <= p < view.game.places]
        others += [(sign, [word, *dict.fromkeys(places)])] if places else []
    return [*kinds, *active, *marks, *others]


def news(view: Scene) -> list[str]:
    """Whose turn it is, the dice, what is remembered of the game."""
    state = view.state
    thrown = ["thrown " + "-".join(map(str, state.thrown))] if state.thrown else []
    left = ["left " + " ".join(map(str, state.dice))] if state.dice else []
    return [status(view), *thrown, *left, *facts(view, None)]


def _fact(game: Game, memory: Memory, value: Any, viewer: int) -> str:
    if memory.kind == "flag":
        return memory.name
    if memory.kind == "direction":
        return f"{memory.name} {_DIRECTIONS[value]}"
    if memory.kind in ("place", "places"):
        return " ".join([memory.name, *(game.board.labels[viewer][p] for p in bits(value))])
    return f"{memory.name} {value}"
