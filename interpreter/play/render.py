"""A position drawn in characters, for a terminal of 80 columns.

Everything can be told without colour: the sides and kinds by their glyphs, the rest by
signs that a legend explains.

    ○ ◎   side 0, its first and its second kind of men; further kinds are capitals
    ● ◉   side 1, the same; further kinds are small letters
    ·     an empty point (a number: a square that is called so)
    [●]   the man that moves on
    {●}   a man of which one has to be moved now
    !●!   a man that may be taken off now
    (●)   a man of whom something is remembered
    ‹●›   where the last move went from and to
    +     a place that can be chosen; beside or around what stands there

``geometry`` says where things lie; this module only multiplies by characters.

One room: one drawing, from its geometry to its lines of text.
"""

from __future__ import annotations

from itertools import groupby

from interpreter.game.types import Game
from interpreter.machine.types import State
from interpreter.play import geometry
from interpreter.play.geometry import FULL, Pile, Scene
from interpreter.play.signs import NO_SIGNS, Signs

WIDTH = 78
"""The most columns a drawing takes."""

_GLYPHS = (("○", "◎"), ("●", "◉"))
_CROSSINGS = {frozenset("╲╱"): "╳", frozenset("─│"): "┼"}
_MEN, _FAINT = ("1;36", "1;31"), "2"
_AROUND = {
    "active": ("[", "]", "7"),
    "target": ("+", "", "1;32"),
    "liable": ("!", "!", "1;31"),
    "duty": ("{", "}", "1;33"),
    "mark": ("(", ")", "1;35"),
    "last": ("‹", "›", "4"),
}
_STRENGTH = tuple(_AROUND)
"""Left and right of the men, and the style; the strongest sign first, which is the one that is seen."""


def text(game: Game, state: State, *, viewer: int = 0, colour: bool = False, signs: Signs = NO_SIGNS) -> str:
    """A position as lines of at most 78 columns, without a final line end.

    Args:
        viewer: the side (0 or 1) that sits at the bottom and whose labels count.
        colour: add ANSI colours (SGR sequences, which take no columns). Nothing is
            said by colour alone.
        signs: what is pointed out: the last move, targets, men under duty, men liable.

    Returns:
        from top to bottom: the far side with its places beside the board, the board,
        the near side, whose turn it is with the dice, and a legend of the signs used.
    """
    drawing = _Drawing(geometry.scene(game, state, viewer), signs)
    draw = {"tables": drawing.tables, "squares": drawing.squares, "points": drawing.points, "cells": drawing.cells}
    board = draw[drawing.plan.shape]().lines(colour)
    space = [] if drawing.plan.shape == geometry.TABLES else [""]
    far, near, news = drawing.side(1 - viewer), drawing.side(viewer), _flow(geometry.news(drawing.view), "   ")
    return "\n".join([*far, *space, *board, *space, *near, "", *news, *drawing.legend()])


def glyph(game: Game, side: int, kind: int) -> str:
    """The character of a man: a ring or a disc, doubled for the second kind, a letter for others.

    Capitals are side 0's, small letters side 1's; no two kinds share a letter.
    """
    if kind < 2:
        return _GLYPHS[side][kind]
    letters: list[str] = []
    for name in game.kinds[2 : kind + 1]:
        free = (c for c in name.upper() + "ABCDEFGHIJKLMNOPQRSTUVWXYZ" if "A" <= c <= "Z" and c not in letters)
        letters.append(next(free, "?"))
    return letters[-1] if side == 0 else letters[-1].lower()


class _Canvas(dict[tuple[int, int], tuple[str, str]]):
    """Characters by row and column, each with its style (SGR numbers)."""

    def put(self, row: int, column: int, written: str, style: str = "") -> None:
        self.update({(row, column + i): (character, style) for i, character in enumerate(written)})

    def lines(self, colour: bool) -> list[str]:
        rows = []
        for row in range(max((r for r, _ in self), default=-1) + 1):
            inked = [c for (r, c), (character, _) in self.items() if r == row and character != " "]
            line = [self.get((row, c), (" ", "")) for c in range(max(inked, default=-1) + 1)]
            runs = [(style, "".join(c for c, _ in run)) for style, run in groupby(line, key=lambda cell: cell[1])]
            rows.append("".join(f"\x1b[{s}m{t}\x1b[0m" if colour and s and t.strip() else t for s, t in runs))
        return rows


class _Drawing:
    """One drawing in the making: ``unsaid`` are the places whose men did not fit and are named below."""

    def __init__(self, view: Scene, signs: Signs) -> None:
        self.view, self.game, self.plan = view, view.game, view.geometry
        self.pointed, self.places = signs, signs.places(view)
        self.unsaid: set[int] = set()
        self.names = [view.label(p) for p in range(len(self.plan.spots))]
        self.margin = max((len(label) for _, label in self.plan.ranks), default=0) + 2

    # ---- men and signs ----------------------------------------------------------------------

    def glyph(self, pile: Pile) -> str:
        return glyph(self.game, pile.side, pile.kind)

    def signs(self, place: int) -> tuple[str, str, str]:
        """What goes left and right of the men on ``place``, and in which style; the strongest sign wins."""
        shown = (_AROUND[name] for name in _STRENGTH if place in self.places[name])
        return next(shown, ("", "", ""))

    def content(self, place: int) -> str:
        """All that stands on a point: a glyph for each kind, with the count if there are several."""
        piles = self.view.piles[place]
        return "".join(self.glyph(p) + (str(p.count) if p.count > 1 else "") for p in piles)

    def stand(self, canvas: _Canvas, row: int, column: int, place: int, room: int) -> None:
        """Men and signs of one point, the first glyph at ``column``; ``room`` for what follows the glyph."""
        left, right, style = self.signs(place)
        written = self.content(place)
        if not written:
            written, ink = ("+", style) if left == "+" else (self.free(place, room), _FAINT)
            left = left.strip("+")
        else:
            ink = style if left == "[" else _MEN[self.view.piles[place][0].side]
        if len(written) > room + 1:
            self.unsaid.add(place)
            written = written[:room] + "…" if room else written[0]
        canvas.put(row, column - 1, left, style)
        canvas.put(row, column, written, ink)
        if len(written) <= room or self.plan.shape != geometry.SQUARES:
            canvas.put(row, column + len(written), right, style)

    def free(self, place: int, room: int) -> str:
        """What an empty point shows: on squares without letters and numbers at the edge, its label."""
        plain = self.plan.shape != geometry.SQUARES or bool(self.plan.files) or len(self.names[place]) > room + 1
        return "·" if plain else self.names[place]

    # ---- boards ----------------------------------------------------------------------------

    def points(self) -> _Canvas:
        """Points four columns and two rows apart (two columns if they are many), lines drawn between."""
        plan, margin, canvas = self.plan, self.margin, _Canvas()
        step = 4 if margin + 4 * plan.size[0] + 2 <= WIDTH else 2
        name = max(step, *(len(label) + 1 for label in self.names))
        if margin + (step if plan.files else name) * (plan.size[0] + 1) > WIDTH:
            return self.cells()
        at = [(round(2 * y), margin + round(step * x)) for x, y in plan.spots]
        for (row, column), stroke in (cell for a, b in plan.segments for cell in _stroke(at[a], at[b], step)):
            before, _ = canvas.get((row, column), (stroke, ""))
            canvas.put(row, column, _CROSSINGS.get(frozenset((before, stroke)), before), _FAINT)
        for place, (row, column) in enumerate(at):
            self.stand(canvas, row, column, place, step - 2)
        bottom = round(2 * plan.size[1]) + 1
        for y, label in plan.ranks:
            canvas.put(round(2 * y), 0, label.rjust(margin - 2))
        for x, label in plan.files:
            canvas.put(bottom, margin + round(step * x), label)
        for (x, y), label in zip(plan.spots, self.names, strict=True) if not plan.files else ():
            canvas.put(bottom + 1 + round(y), margin + name * round(x), label, _FAINT)
        return canvas

    def squares(self) -> _Canvas:
        """A chequered board: squares three columns wide, those that are no points shaded."""
        plan, left, canvas = self.plan, self.margin - 1, _Canvas()
        files, ranks = (round(length) + 1 for length in plan.size)
        step = 3 if left + 3 * files + 2 <= WIDTH else 2
        for row in range(ranks + 2):
            edges, inside = {0: ("┌┐", "─"), ranks + 1: ("└┘", "─")}.get(row, ("││", "░"))
            canvas.put(row, left, edges[0] + inside * (step * files) + edges[1], _FAINT)
        for place, (x, y) in enumerate(plan.spots):
            canvas.put(round(y) + 1, left + 1 + step * round(x), " " * step)
            self.stand(canvas, round(y) + 1, left + 2 + step * round(x), place, step - 2)
        for y, label in plan.ranks:
            canvas.put(round(y) + 1, 0, label.rjust(left - 1))
        for x, label in plan.files:
            canvas.put(ranks + 2, left + 2 + step * round(x), label)
        return canvas

    def cells(self) -> _Canvas:
        """One cell for each point, its label and what stands there; drawn lines are listed below."""
        plan, names, canvas = self.plan, self.names, _Canvas()
        most = min(max(map(len, names)), WIDTH // 2)
        room = min(max(1, *(len(self.content(p)) for p in range(len(names)))), WIDTH // 2 - 6)
        wide = most + room + 5
        per_row = (WIDTH - 1) // wide
        at = [(p // per_row, p % per_row) for p in range(len(names))]
        if plan.placed and plan.size[0] < per_row:
            at = [(round(y), round(x)) for x, y in plan.spots]
        for place, (row, column) in enumerate(at):
            canvas.put(row, 1 + wide * column, names[place][:most].rjust(most), _FAINT)
            self.stand(canvas, row, most + 3 + wide * column, place, room)
        lines = ["–".join(names[p] for p in line.places) for line in self.game.board.lines]
        for row, line in enumerate(_flow(["lines", *lines], "  ") if plan.segments else []):
            canvas.put(max(at)[0] + 2 + row, 1, line[: WIDTH - 1], _FAINT)
        return canvas

    def tables(self) -> _Canvas:
        """Two rows of points in a frame; stacks grow from the edge, men in the gap from the middle."""
        view, plan, canvas = self.view, self.plan, _Canvas()
        sides, columns = (view.near, 1 - view.near), range(round(plan.size[0]) + 1)
        numbers = [self.game.board.labels[side][: len(plan.spots)] for side in sides]
        margin = min(max(map(len, self.game.sides)), 10) + 3
        wide = min(4, (WIDTH - margin - 3 - 6 * len(plan.gaps)) // max(1, len(columns) - len(plan.gaps)))
        if wide <= max(2, *(len(label) - (wide == 4) for label in numbers[0] + numbers[1])):
            return self.cells()
        left = [margin + 2]
        for x in columns:
            left.append(left[-1] + (6 if x in plan.gaps else wide))
        top, half = len(set(numbers)), FULL + 1
        bottom = top + 2 * half + 2
        for row in range(top, bottom + 1):
            edges, inside = {top: ("┌┐┬", "─"), bottom: ("└┘┴", "─")}.get(row, ("│││", " "))
            canvas.put(row, margin, edges[0] + inside * (left[-1] - margin - 1) + edges[1], _FAINT)
            for x in plan.gaps:
                name = view.label(view.bar[1]) if view.bar and x == plan.middle_gap and inside == "─" else ""
                canvas.put(row, left[x], edges[2] + name[:3].center(3, inside) + edges[2], _FAINT)
        for outward, side in enumerate(sides[:top]):
            style = _FAINT if outward else ""
            for row, far in ((top - 1 - outward, True), (bottom + 1 + outward, False)):
                canvas.put(row, 0, self.game.sides[side][: margin - 3].rjust(margin - 2), style)
                for place, (column, y) in enumerate(plan.spots):
                    if (y == 0) == far:
                        canvas.put(row, left[round(column)], _fit(numbers[outward][place], wide), style)
        for place, (column, y) in enumerate(plan.spots):
            edge, inward = (top + 1, 1) if y == 0 else (bottom - 1, -1)
            for i in range(FULL - 1):
                spike = "│" if round(column + y) % 2 else "┊"
                canvas.put(edge + inward * i, left[round(column)], _fit(spike, wide), _FAINT)
            self.stack(canvas, place, edge, inward, left[round(column)], wide)
        for place, inward in zip(view.bar or (), (-1, 1), strict=False):
            self.stack(canvas, place, top + half + 1 + inward, inward, left[plan.middle_gap or 0] + 1, 3)
        return canvas

    def stack(self, canvas: _Canvas, place: int, row: int, inward: int, column: int, wide: int) -> None:
        """The men of one place, one in a row up to five, then a count; mixed heaps one kind in a row."""
        piles = self.view.piles[place]
        rows = [(self.glyph(p), _MEN[p.side]) for p in piles for _ in range(min(p.count, FULL))]
        if len(piles) == 1 and piles[0].count > FULL:
            rows.append((str(piles[0].count), "1"))
        elif self.view.men(place) > FULL:
            self.unsaid.add(place)
            rows = [(f"{self.glyph(p)}{p.count}", _MEN[p.side]) for p in piles[: FULL + 1]]
        left, right, style = self.signs(place)
        if (left == "+" and len(rows) <= FULL) or (left == "‹" and not rows):
            rows.append(("+" if left == "+" else "‹·›", style))
        elif left and rows:
            rows[-1] = ((left + rows[-1][0] + right)[:wide], style)
        for i, (written, ink) in enumerate(rows):
            canvas.put(row + inward * i, column, _fit(written, wide), ink)

    # ---- words -------------------------------------------------------------------------------

    def side(self, side: int) -> list[str]:
        """A side with its places beside the board and what is remembered of it."""
        turn = "▸" if geometry.on_turn(self.view) == side else " "
        items = [f"{turn} {glyph(self.game, side, 0)} {self.game.sides[side]}"]
        for place in self.view.beside(side):
            kinds = [f"{p.count}{self.glyph(p)}" for p in self.view.piles[place] if (p.side, p.kind) != (side, 0)]
            left, right, _ = self.signs(place)
            inside = f" ({' '.join(kinds)})" if kinds else ""
            items.append(f"{left}{self.view.label(place)}{right} {self.view.men(place)}{inside}")
        return _flow([*items, *geometry.facts(self.view, side)], "   ")

    def legend(self) -> list[str]:
        """One line for each sign that was used, and for each place whose men did not fit."""
        lines = []
        for sign, words in geometry.legend(self.view, self.pointed):
            shown = (
                " ".join(_AROUND[sign][:2]).strip()
                if sign in _AROUND
                else " ".join(glyph(self.game, side, int(sign)) for side in (0, 1))
            )
            lines.append([shown, *words])
        for place in sorted(self.unsaid):
            men = [f"{p.count} {self.game.sides[p.side]} {self.game.kinds[p.kind]}" for p in self.view.piles[place]]
            lines.append([f"{self.view.label(place)}:", ", ".join(men)])
        return [row for line in lines for row in _flow(line, " ")]


def _stroke(a: tuple[int, int], b: tuple[int, int], step: int) -> list[tuple[tuple[int, int], str]]:
    """The cells strictly between two cells (row, column), each with its character."""
    (r0, c0), (r1, c1) = sorted((a, b))
    columns = range(min(c0, c1) + 1, max(c0, c1))
    if c0 == c1:
        return [((r, c0), "│") for r in range(r0 + 1, r1)]
    slant = "╲" if c1 > c0 else "╱"
    if abs(c1 - c0) <= step * (r1 - r0):
        return [((r, round(c0 + (r - r0) * (c1 - c0) / (r1 - r0))), slant) for r in range(r0 + 1, r1)]
    cells = [(round(r0 + (c - c0) * (r1 - r0) / (c1 - c0)), c) for c in columns]
    return [(cell, slant if i and cells[i - 1][0] != cell[0] else "─") for i, cell in enumerate(cells)]


def _fit(written: str, wide: int) -> str:
    """In the middle of ``wide`` columns, rather left than right; cut if too long."""
    return (" " * ((wide - len(written)) // 2) + written).ljust(wide)[:wide]


def _flow(items: list[str], between: str) -> list[str]:
    """Items one after the other, wrapped at 78 columns, further lines indented by four."""
    lines: list[str] = []
    for piece in (item[i : i + WIDTH - 4] for item in items for i in range(0, len(item), WIDTH - 4)):
        if lines and len(lines[-1]) + len(between) + len(piece) <= WIDTH:
            lines[-1] += between + piece
        else:
            lines.append((" " * 4 if lines else "") + piece)
    return lines
