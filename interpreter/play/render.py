"""A position drawn in characters, for a terminal of 80 columns.

Everything can be told without colour: the sides and kinds by their glyphs, the rest by
signs that a legend explains.

    ○ ◎   side 0, its first and its second kind of men; further kinds are capitals
    ● ◉   side 1, the same; further kinds are small letters
    ·     an empty point
    [●]   the man that moves on
    (●)   a man of whom something is remembered
    ‹●›   where the last move went from and to
    +     a place that can be chosen; beside or around what stands there

``geometry`` says where things lie; this module only multiplies by characters.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from itertools import groupby

from interpreter.game.types import Game
from interpreter.machine.types import State
from interpreter.play.geometry import (
    CELLS,
    FULL,
    POINTS,
    SQUARES,
    TABLES,
    Pile,
    Scene,
    facts,
    on_turn,
    scene,
    status,
)

WIDTH = 78
"""The most columns a drawing takes."""

_GLYPHS = (("○", "◎"), ("●", "◉"))
_MEN, _LINE, _ACTIVE, _MARK, _TARGET, _LAST, _FAINT = ("1;36", "1;31"), "2", "7", "1;35", "1;32", "4", "2"


def text(
    game: Game, state: State, *, viewer: int = 0, colour: bool = False,
    targets: frozenset[int] = frozenset(), last: tuple[int, ...] = (),
) -> str:
    """A position as lines of at most 78 columns, without a final line end.

    Args:
        viewer: the side (0 or 1) that sits at the bottom and whose labels count.
        colour: add ANSI colours (SGR sequences, which take no columns). Nothing is
            said by colour alone.
        targets: places that can be chosen now, shown as ``+``.
        last: places of the last decision, shown as ``‹ ›``.

    Returns:
        from top to bottom: the far side with its places beside the board, the board,
        the near side, whose turn it is with the dice, and a legend of the signs used.
    """
    drawing = _Drawing(scene(game, state, viewer), targets, last)
    shape = drawing.view.geometry.shape
    if shape == TABLES and drawing.table_column():
        board = drawing.tables()
    elif shape == SQUARES:
        board = drawing.squares()
    elif shape == POINTS:
        board = drawing.points()
    else:
        board = drawing.cells()
    far, near = (drawing.side(s) for s in (1 - viewer, viewer))
    return "\n".join([*far, *board.lines(colour), *near, "", *drawing.news(), *drawing.legend()])


def glyph(game: Game, side: int, kind: int) -> str:
    """The character of a man: a ring or a disc, doubled for the second kind, a letter for others.

    Capitals are side 0's, small letters side 1's; no two kinds share a letter.
    """
    if kind < 2:
        return _GLYPHS[side][kind]
    letters: list[str] = []
    for name in game.kinds[2:]:
        free = (c for c in name.upper() + "ABCDEFGHIJKLMNOPQRSTUVWXYZ" if c.isalpha() and c not in letters)
        letters.append(next(free, "?"))
    return letters[kind - 2] if side == 0 else letters[kind - 2].lower()


@dataclass
class _Canvas:
    """Characters by row and column, each with its style (SGR numbers)."""

    cells: dict[tuple[int, int], tuple[str, str]] = field(default_factory=dict)

    def put(self, row: int, column: int, written: str, style: str = "") -> None:
        for i, character in enumerate(written):
            self.cells[row, column + i] = (character, style)

    def lines(self, colour: bool) -> list[str]:
        rows = []
        for row in range(max((r for r, _ in self.cells), default=-1) + 1):
            width = max((c for r, c in self.cells if r == row), default=-1) + 1
            line = [self.cells.get((row, c), (" ", "")) for c in range(width)]
            while line and line[-1][0] == " ":
                line.pop()
            runs = [(style, "".join(c for c, _ in run)) for style, run in groupby(line, key=lambda cell: cell[1])]
            rows.append("".join(f"\x1b[{s}m{t}\x1b[0m" if colour and s and t.strip() else t for s, t in runs))
        return rows


class _Drawing:
    """One drawing in the making: ``unsaid`` are the points whose men did not fit and are named below."""

    def __init__(self, view: Scene, targets: frozenset[int], last: tuple[int, ...]) -> None:
        self.view = view
        self.game = view.game
        self.targets = targets
        self.last = last
        self.unsaid: set[int] = set()

    # ---- men and signs ----------------------------------------------------------------------

    def glyph(self, pile: Pile) -> str:
        return glyph(self.game, pile.side, pile.kind)

    def content(self, place: int, room: int) -> tuple[str, str]:
        """What stands on a point, in at most ``room`` characters, and its style."""
        piles = self.view.piles[place]
        if not piles:
            return "·", _LINE
        written = "".join(self.glyph(p) + (str(p.count) if p.count > 1 else "") for p in piles)
        if len(written) > room:
            self.unsaid.add(place)
            written = written[0] if room < 2 else written[: room - 1] + "…"
        return written, _MEN[piles[-1].side]

    def signs(self, place: int) -> tuple[str, str, str]:
        """What goes left and right of the men on ``place``, and in which style; the strongest sign wins."""
        if place == self.view.active:
            return "[", "]", _ACTIVE
        if place in self.targets:
            return "+", "+", _TARGET
        if place in self.view.marked:
            return "(", ")", _MARK
        if place in self.last:
            return "‹", "›", _LAST
        return "", "", ""

    def stand(self, canvas: _Canvas, row: int, column: int, place: int, room: int) -> None:
        """Men and signs of one point, the first glyph at ``column``; ``room`` for what follows the glyph."""
        left, right, style = self.signs(place)
        written, ink = self.content(place, 1 + room)
        if place in self.targets and not self.view.piles[place]:
            canvas.put(row, column, "+", _TARGET)
            return
        if left:
            canvas.put(row, column - 1, left, style)
        canvas.put(row, column, written, style if left == "[" else ink)
        if right and len(written) <= room:
            canvas.put(row, column + len(written), right, style)

    # ---- boards ----------------------------------------------------------------------------

    def points(self) -> _Canvas:
        """Points four columns and two rows apart (two columns on a very wide board), lines drawn between."""
        plan, canvas = self.view.geometry, _Canvas()
        margin = max((len(label) for _, label in plan.ranks), default=0) + 2
        step = 4 if margin + 4 * plan.size[0] + 2 <= WIDTH else 2
        if margin + step * plan.size[0] + 2 > WIDTH:
            return self.cells()
        at = [(round(2 * y), margin + round(step * x)) for x, y in plan.spots]
        strokes: dict[tuple[int, int], set[str]] = {}
        for a, b in plan.segments:
            for cell, stroke in _stroke(at[a], at[b], step):
                strokes.setdefault(cell, set()).add(stroke)
        for (row, column), found in strokes.items():
            canvas.put(row, column, _crossing(found), _LINE)
        for place, (row, column) in enumerate(at):
            self.stand(canvas, row, column, place, step - 1)
        bottom = round(2 * plan.size[1]) + 1
        for y, label in plan.ranks:
            canvas.put(round(2 * y), 0, label.rjust(margin - 2))
        for x, label in plan.files:
            canvas.put(bottom, margin + round(step * x), label)
        if not plan.files:
            self._names(canvas, bottom + 1)
        return canvas

    def _names(self, canvas: _Canvas, top: int) -> None:
        """The names of points that are no letters and numbers, laid out as the points are."""
        plan = self.view.geometry
        wide = max(len(self.view.label(p)) for p in range(len(plan.spots))) + 2
        if wide * (plan.size[0] + 1) + 2 > WIDTH:
            flowing = _flow([self.view.label(p) for p in self._in_rows()], 2, " ")
            for row, line in enumerate(flowing):
                canvas.put(top + row, 0, line, _FAINT)
            return
        for place, (x, y) in enumerate(plan.spots):
            canvas.put(top + round(y), 2 + wide * round(x), self.view.label(place), _FAINT)

    def _in_rows(self) -> list[int]:
        spots = self.view.geometry.spots
        return sorted(range(len(spots)), key=lambda p: (spots[p][1], spots[p][0]))

    def squares(self) -> _Canvas:
        """A chequered board: squares three columns wide, those that are no points shaded."""
        plan, canvas = self.view.geometry, _Canvas()
        margin = max((len(label) for _, label in plan.ranks), default=0) + 1
        files, ranks = round(plan.size[0]) + 1, round(plan.size[1]) + 1
        step = 3 if margin + 3 * files + 2 <= WIDTH else 2
        canvas.put(0, margin, "┌" + "─" * (step * files) + "┐", _LINE)
        canvas.put(ranks + 1, margin, "└" + "─" * (step * files) + "┘", _LINE)
        for row in range(1, ranks + 1):
            canvas.put(row, margin, "│" + " " * (step * files) + "│", _LINE)
        for x, y in plan.holes:
            canvas.put(y + 1, margin + 1 + step * x, "░" * step, _LINE)
        for place, (x, y) in enumerate(plan.spots):
            self.stand(canvas, round(y) + 1, margin + 2 + step * round(x), place, step - 2)
        for y, label in plan.ranks:
            canvas.put(round(y) + 1, 0, label.rjust(margin - 1))
        for x, label in plan.files:
            canvas.put(ranks + 2, margin + 2 + step * round(x), label)
        return canvas

    def cells(self) -> _Canvas:
        """One cell for each point, its label and what stands there; drawn lines are listed below."""
        plan, canvas = self.view.geometry, _Canvas()
        names = [self.view.label(p) for p in range(len(plan.spots))]
        most = min(max(map(len, names)), WIDTH - 10)
        wide = most + max(3, max(len(self.content(p, WIDTH)[0]) for p in range(len(names)))) + 4
        wide = min(wide, WIDTH - 1)
        per_row = max(1, (WIDTH - 1) // wide)
        if plan.placed and plan.size[0] + 1 <= per_row:
            at = [(round(y), round(x)) for x, y in plan.spots]
        else:
            per_row = min(per_row, 1 + max(len(names) - 1, 0)) if per_row < 4 else per_row
            at = [(i // per_row, i % per_row) for i in range(len(names))]
        for place, (row, column) in enumerate(at):
            left = 2 + wide * column
            canvas.put(row, left, names[place][:most].rjust(most), _FAINT)
            self.stand(canvas, row, left + most + 2, place, wide - most - 4)
        if plan.segments:
            bottom = max(row for row, _ in at) + 2
            lines = ["–".join(names[p] for p in line.places) for line in self.game.board.lines]
            for row, line in enumerate(_flow(["lines", *lines], 2, "  ")):
                canvas.put(bottom + row, 0, line, _FAINT)
        return canvas

    def table_column(self) -> int:
        """Columns for each point of a tables board: 4, 3 or 2; 0 if none fits."""
        plan = self.view.geometry
        labels = [label for side in (0, 1) for label in self.game.board.labels[side][: len(plan.spots)]]
        points = round(plan.size[0]) + 1 - len(plan.gaps)
        sizes = (w for w in (4, 3, 2) if max(map(len, labels)) < w + (w == 2))
        return next((w for w in sizes if self.margin() + points * w + 6 * len(plan.gaps) + 3 <= WIDTH), 0)

    def margin(self) -> int:
        return min(max(len(name) for name in self.game.sides), 10) + 3

    def tables(self) -> _Canvas:
        """Two rows of points between a frame; stacks grow from the edge, men on the bar from the middle."""
        view, plan, canvas = self.view, self.view.geometry, _Canvas()
        wide, gaps, margin = self.table_column(), set(plan.gaps), self.margin()
        left = [margin + 2]
        for x in range(round(plan.size[0]) + 1):
            left.append(left[-1] + (6 if x in gaps else wide))
        numbered = [view.near] if len(set(self.game.board.labels)) == 1 else [1 - view.near, view.near]
        top = len(numbered)
        half = FULL + 1
        bottom = top + 2 * half + 2
        end = left[-1]
        for row in range(top, bottom + 1):
            edge = {top: "┌┐┬", bottom: "└┘┴"}.get(row, "│││")
            canvas.put(row, margin, edge[0] + (" " if edge[0] == "│" else "─") * (end - margin - 1) + edge[1], _LINE)
            for x in gaps:
                canvas.put(row, left[x], edge[2], _LINE)
                canvas.put(row, left[x] + 4, edge[2], _LINE)
        for line, side in enumerate(numbered):
            for row in (line, bottom + top - line):
                style = "" if side == view.near else _FAINT
                canvas.put(row, 0, self.game.sides[side][: margin - 3].rjust(margin - 2), style)
                for place, (x, y) in enumerate(plan.spots):
                    if (y == 0) == (row == line):
                        canvas.put(row, left[round(x)], _fit(self.game.board.labels[side][place], wide), style)
        for place, (x, y) in enumerate(plan.spots):
            edge_row, inward = (top + 1, 1) if y == 0 else (bottom - 1, -1)
            for i in range(FULL - 1):
                canvas.put(edge_row + inward * i, left[round(x)], _fit("╎" if round(x + y) % 2 else "·", wide), _LINE)
            self.stack(canvas, place, edge_row, inward, left[round(x)], wide)
        for place, inward in zip(view.bar or (), (-1, 1), strict=False):
            middle = plan.middle_gap or 0
            self.stack(canvas, place, top + half + (inward > 0) * 2, inward, left[middle] + 1, 3)
        return canvas

    def stack(self, canvas: _Canvas, place: int, row: int, inward: int, column: int, wide: int) -> None:
        """The men of one place, one in a row up to five, then a count; mixed heaps one kind in a row."""
        piles = self.view.piles[place]
        if self.view.men(place) <= FULL:
            rows = [(self.glyph(p), _MEN[p.side]) for p in piles for _ in range(p.count)]
        elif len(piles) == 1:
            rows = [(self.glyph(piles[0]), _MEN[piles[0].side])] * FULL + [(str(piles[0].count), "1")]
        else:
            rows = [(f"{self.glyph(p)}{p.count}", _MEN[p.side]) for p in piles[: FULL + 1]]
            self.unsaid.add(place)
        left, right, style = self.signs(place)
        if left == "+" and len(rows) <= FULL:
            rows.append(("+", style))
        elif left == "‹" and not rows:
            rows.append(("‹·›", style))
        elif left and rows:
            signed = left + rows[-1][0] + (right if left != "+" else "")
            rows[-1] = (signed if len(signed) <= wide else signed[:-1], style)
        for i, (written, ink) in enumerate(rows):
            canvas.put(row + inward * i, column, _fit(written, wide), ink)

    # ---- words -------------------------------------------------------------------------------

    def side(self, side: int) -> list[str]:
        """A side with its places beside the board and what is remembered of it."""
        view = self.view
        sign = "▸" if on_turn(view) == side else " "
        items = [f"{sign} {glyph(self.game, side, 0)} {self.game.sides[side]}"]
        for place in view.beside(side):
            piles = view.piles[place]
            kinds = [f"{p.count}{self.glyph(p)}" for p in piles if (p.side, p.kind) != (side, 0)]
            left, right, _ = self.signs(place)
            label = left + view.label(place) + (right if left != "+" else "")
            items.append(f"{label} {view.men(place)}" + (f" ({' '.join(kinds)})" if kinds else ""))
        return _flow([*items, *facts(view, side)], 4, "   ")

    def news(self) -> list[str]:
        """Whose turn it is, the dice, what is remembered of the game."""
        items = [status(self.view)]
        state = self.view.state
        if state.thrown:
            items.append("thrown " + "-".join(map(str, state.thrown)))
        if state.dice:
            items.append("left " + " ".join(map(str, state.dice)))
        return _flow([*items, *facts(self.view, None)], 4, "   ")

    def legend(self) -> list[str]:
        """One line for each sign that was used, naming its places."""
        view, lines = self.view, []
        for kind in view.kinds:
            if kind:
                lines += [[f"{glyph(self.game, 0, kind)} {glyph(self.game, 1, kind)}", self.game.kinds[kind]]]
        if view.active >= 0:
            lines.append(["[ ] moves on:", view.label(view.active)])
        lines += [[f"( ) {name}:", *map(view.label, places)] for name, places in view.marks]
        if self.targets:
            lines.append(["+ possible:", *self._labels(sorted(self.targets))])
        if self.last:
            lines.append(["‹ › last:", *self._labels(dict.fromkeys(self.last))])
        for place in sorted(self.unsaid):
            men = [f"{p.count} {self.game.sides[p.side]} {self.game.kinds[p.kind]}" for p in view.piles[place]]
            lines.append([f"{view.label(place)}:", ", ".join(men)])
        return [row for line in lines for row in _flow(line, 4, " ")]

    def _labels(self, places: object) -> list[str]:
        return [self.view.label(p) for p in places if 0 <= p < self.game.places]  # type: ignore[attr-defined]


# ---- characters -------------------------------------------------------------------------


def _stroke(a: tuple[int, int], b: tuple[int, int], step: int) -> list[tuple[tuple[int, int], str]]:
    """The cells strictly between two cells (row, column), each with its character."""
    (r0, c0), (r1, c1) = sorted((a, b))
    if r0 == r1:
        return [((r0, c), "─") for c in range(min(c0, c1) + 1, max(c0, c1))]
    if c0 == c1:
        return [((r, c0), "│") for r in range(r0 + 1, r1)]
    slant = "╲" if c1 > c0 else "╱"
    if abs(c1 - c0) <= step * (r1 - r0):
        return [((r, round(c0 + (r - r0) * (c1 - c0) / (r1 - r0))), slant) for r in range(r0 + 1, r1)]
    columns = range(min(c0, c1) + 1, max(c0, c1))
    cells = [(round(r0 + (c - c0) * (r1 - r0) / (c1 - c0)), c) for c in columns]
    return [(cell, slant if i and cells[i - 1][0] != cell[0] else "─") for i, cell in enumerate(cells)]


def _crossing(strokes: set[str]) -> str:
    if {"╲", "╱"} <= strokes:
        return "╳"
    if {"─", "│"} <= strokes:
        return "┼"
    return min(strokes)


def _fit(written: str, wide: int) -> str:
    """In the middle of ``wide`` columns, rather left than right; cut if too long."""
    return (" " * ((wide - len(written)) // 2) + written).ljust(wide)[:wide]


def _flow(items: list[str], indent: int, between: str) -> list[str]:
    """Items one after the other, wrapped at 78 columns with ``indent`` on further lines."""
    lines: list[str] = []
    for item in items:
        for piece in [item[i : i + WIDTH - indent] for i in range(0, len(item), WIDTH - indent)] or [""]:
            if lines and len(lines[-1]) + len(between) + len(piece) <= WIDTH:
                lines[-1] += between + piece
            else:
                lines.append((" " * indent if lines else "") + piece)
    return lines


__all__ = ["CELLS", "WIDTH", "glyph", "text"]
