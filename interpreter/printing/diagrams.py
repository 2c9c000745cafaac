"""A position as it is printed: the board in black and white, with moves as arrows.

A whole arrow is a move that is made or allowed, a broken one with a cross a move that is
refused; where no man moves from place to place, a ring or a cross stands on the place.
Men and signs are those of every drawing (``play/svg``).
"""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

from interpreter.game.types import Game
from interpreter.machine.types import State
from interpreter.play import geometry
from interpreter.play.figures import FONT, GREYS, Figures, circle, escaped, tag
from interpreter.play.geometry import TABLES
from interpreter.play.signs import Signs
from interpreter.play.stage import Stage, stage
from interpreter.play.svg import Sheet

LOW, HIGH, MOST_WIDE = 52.0, 71.0, 84.0
"""In millimetres, on paper: how high diagrams are, four or three to a page, and how wide they may be."""
SMALLEST = 0.13
"""Millimetres for a pixel, below which labels are too small to read."""

_LEFT_OUT = re.compile(r"\([^()]*\)|\[[^][]*\]")
_TITLES = re.compile("<title>.*?</title>")
_BLACK, _WHITE = "#000000", "#ffffff"


@dataclass(frozen=True)
class Arrow:
    """A man's way from a place to a place; ``origin`` is ``to`` where only one place is named."""

    origin: int
    to: int
    refused: bool = False


class Drawing:
    """Draws positions of one game, and reads the ways that move texts say."""

    def __init__(self, game: Game) -> None:
        board = game.board
        self.game = game
        self._verbs = frozenset(game.verbs)
        self._places = [
            {label: p for p, label in enumerate(board.labels[side]) if board.side_of(p) in (None, side)}
            for side in (0, 1)
        ]
        longest_first = [sorted(places, key=lambda label: (-len(label), label)) for places in self._places]
        self._labels = [re.compile("|".join(map(re.escape, labels))) for labels in longest_first]
        self._figures = Figures(game, colours=GREYS)
        self._stages: dict[tuple[int, bool, bool], Stage] = {}

    def hops(self, text: str, side: int) -> list[tuple[int, int]]:
        """The ways in a text as ``side`` calls places: ``c3xe5xc5`` is two, ``@d4`` one from d4 to d4.

        The text is not judged: a move that is refused has its ways too. Throws and dice in
        brackets say no place.
        """
        found: list[tuple[int, int]] = []
        for word in _LEFT_OUT.sub(" ", text).split():
            if word in self._verbs:
                continue
            places = [self._places[side][label] for label in self._labels[side].findall(word)]
            found += list(pairwise(places)) if len(places) > 1 else [(p, p) for p in places]
        return found

    def svg(
        self,
        state: State,
        said: str,
        arrows: Sequence[Arrow] = (),
        framed: tuple[int, ...] = (),
        viewer: int = 0,
        times: float = 1.0,
    ) -> str:
        """A position as one ``<svg>`` that stands in a page, about as high as others of its kind.

        Places beside the board are drawn where men stand on them or an arrow goes there.

        Args:
            said: the position in words, for those who cannot see it.
            framed: the places of the move before.
            viewer: the side that sits at the bottom.
            times: how much larger it is than most.
        """
        view = geometry.scene(self.game, state, viewer)
        named = {place for arrow in arrows for place in (arrow.origin, arrow.to)} | set(framed)
        white, black = (any(view.piles[p] or p in named for p in view.beside(side)) for side in (0, 1))
        key = viewer, white, black
        if key not in self._stages:
            self._stages[key] = stage(self.game, viewer, self._figures, (white, black))
        sheet = Sheet(view, Signs(last=framed), GREYS, self._stages[key])
        board = _TITLES.sub("", sheet.board())  # they are in English, and the title of the whole says it all
        wide, high = sheet.stage.width + 8, sheet.stage.height + 8
        drawn = "".join(_arrow(sheet, arrow) for arrow in dict.fromkeys(arrows))
        tall = HIGH if sheet.stage.plan.shape == TABLES else min(HIGH, max(LOW, SMALLEST * high))
        across = times * min(tall * wide / high, MOST_WIDE)
        return (
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="-4 -4 {wide:g} {high:g}" '
            f'style="width:{across:.1f}mm;height:{across * high / wide:.1f}mm" '
            f'role="img" font-family="{FONT}"><title>{escaped(said)}</title>{board}{drawn}</svg>'
        )


def _arrow(sheet: Sheet, arrow: Arrow) -> str:
    seat = sheet.stage.seats[arrow.origin]
    ax, ay = _top(sheet, arrow.origin, 0)
    if arrow.origin == arrow.to:
        ring = circle(ax, ay, seat.r * 1.2, "none", _WHITE, 6) + circle(ax, ay, seat.r * 1.2, "none", _BLACK, 2.5)
        return _cross(ax, ay, seat.r * 0.6) if arrow.refused else ring
    bx, by = _top(sheet, arrow.to, 1)
    length = math.hypot(bx - ax, by - ay) or 1.0
    mx, my = (ax + bx) / 2, (ay + by) / 2
    if sheet.stage.plan.shape == TABLES and abs(by - ay) < abs(bx - ax):
        # along a row the way would lie over other men: it bends towards the middle of the board
        middle = sheet.stage.height / 2
        my += math.copysign(min(90.0, 20 + length / 4), middle - (ay + by) / 2)
    head = 18.0
    sx, sy = _towards(ax, ay, mx, my, seat.r * 0.5)
    ex, ey = _towards(bx, by, mx, my, min(sheet.stage.seats[arrow.to].r * 0.35, length / 5))
    fx, fy = _towards(ex, ey, mx, my, head * 0.8)
    line = f"M{sx:.1f} {sy:.1f}Q{mx:.1f} {my:.1f} {fx:.1f} {fy:.1f}"
    parts = tag("path", d=line, fill="none", stroke=_WHITE, stroke_width=7)
    parts += tag("path", d=line, fill="none", stroke=_BLACK, stroke_width=3, stroke_dasharray="6 4" * arrow.refused)
    angle = math.atan2(ey - my, ex - mx)
    corners = [(ex, ey)] + [
        (ex - head * math.cos(angle + turn), ey - head * math.sin(angle + turn)) for turn in (0.4, -0.4)
    ]
    points = " ".join(f"{x:.1f},{y:.1f}" for x, y in corners)
    parts += tag("polygon", points=points, fill=_BLACK, stroke=_WHITE, stroke_width=1.5)
    if arrow.refused:
        parts += _cross((sx + 2 * mx + fx) / 4, (sy + 2 * my + fy) / 4, 8)
    return parts


def _top(sheet: Sheet, place: int, above: int) -> tuple[float, float]:
    """Where the topmost man of a place lies, or the next one would that comes to it."""
    seat, men = sheet.stage.seats[place], geometry.shown(sheet.view.piles[place])
    right, down = seat.step(men)
    number = min(max(len(men) - 1 + above, 0), geometry.FULL - 1)
    return seat.x + number * right, seat.y + number * down


def _towards(x: float, y: float, to_x: float, to_y: float, by: float) -> tuple[float, float]:
    """A point so far on the way from one point to another, at most half of it."""
    length = math.hypot(to_x - x, to_y - y) or 1.0
    part = min(by / length, 0.5)
    return x + (to_x - x) * part, y + (to_y - y) * part


def _cross(x: float, y: float, arm: float) -> str:
    d = f"M{x - arm:.1f} {y - arm:.1f}l{2 * arm:.1f} {2 * arm:.1f}m0 {-2 * arm:.1f}l{-2 * arm:.1f} {2 * arm:.1f}"
    wide = tag("path", d=d, fill="none", stroke=_WHITE, stroke_width=7)
    return wide + tag("path", d=d, fill="none", stroke=_BLACK, stroke_width=3.5)
