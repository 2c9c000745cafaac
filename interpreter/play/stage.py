"""The stage: the board in pixels before anybody stands on it, and where men will stand.

    far side's places beside the board
    the board; `bar` in its middle gap, the dice in the middle of a tables board
    near side's places beside the board, the dice of other boards

``svg`` lays a position on it for a file. A page is given the same as JSON
(``stage_json``): the board as markup, numbers for every place, and men, signs and dice
as markup to be put there, so that a page decides nothing about how things look. What
lies where on the plan is told by ``geometry``, how a man is drawn by ``figures``.

One room: one stage, one function for each part of it.
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from interpreter.game.types import Game
from interpreter.play import geometry
from interpreter.play.figures import DIE, SIGNS, Figures, circle, rect, tag
from interpreter.play.geometry import CELLS, FULL, SQUARES, TABLES, Geometry, Pile

R = 20.0
"""The radius of a man on the board; templates of men and signs are drawn with it."""

TRAY_R, TRAY_STEP, TRAY_HIGH, TRAY_PAD = 17.0, 11.0, 48.0, 8.0
FINGER = 24 / 320
"""The least height of a tray: 24 pixels on a screen of 320, whatever the width of the board."""

DICE_HIGH = DIE + 10.0


@dataclass(frozen=True)
class Seat:
    """Where the men of a place stand: the first at (x, y), each next so far ``right`` and ``down``.

    ``box`` (x, y, width, height) is the ground that belongs to the place, in which a
    finger may aim at it.
    """

    x: float
    y: float
    r: float
    right: float
    down: float
    box: tuple[float, float, float, float]

    def step(self, shown: list[tuple[Pile, int]]) -> tuple[float, float]:
        """How far apart men lie who are shown (see ``geometry.shown``): farther where a number would be covered."""
        length = math.hypot(self.right, self.down)
        if not length or not any(count for _, count in shown[:-1]):
            return self.right, self.down
        wanted = min(1.5 * self.r, (FULL - 0.4) * length / (len(shown) - 1))
        more = max(1, wanted / length)
        return more * self.right, more * self.down

    def moved(self, x: float, y: float) -> Seat:
        """The same seat elsewhere."""
        left, top, wide, high = self.box
        return Seat(self.x + x, self.y + y, self.r, self.right, self.down, (left + x, top + y, wide, high))


@dataclass(frozen=True)
class Room:
    """Where dice lie: from (x, y) of the first one's corner, in ``wide`` pixels."""

    x: float
    y: float
    wide: float

    def step(self, dice: int) -> float:
        """How far apart so many dice lie."""
        return min(DIE + 8.0, (self.wide - DIE) / max(1, dice - 1))


@dataclass(frozen=True)
class Stage:
    """See the module. ``rows`` are the places in visual order, from the top, each from the left."""

    plan: Geometry
    width: float
    height: float
    seats: tuple[Seat, ...]
    board: str
    dice: Room
    rows: tuple[tuple[int, ...], ...]


@dataclass
class _Part:
    """A part of a stage in the making, with its own corner at (0, 0)."""

    wide: float
    high: float
    seats: dict[int, Seat]
    drawn: list[str]
    dice: Room | None = None


def stage(game: Game, viewer: int, figures: Figures, trays: tuple[bool, bool] = (True, True)) -> Stage:
    """The stage of a game for the side (0 or 1) that sits at the bottom.

    Args:
        trays: of each side, whether its places beside the board are drawn. Places that
            are not have seats all the same.
    """
    plan = geometry.from_board(game.board, game.seats[viewer] == "n", viewer)
    board = _tables(game, plan, viewer, figures) if plan.shape == TABLES else _points(game, plan, viewer, figures)
    far, near = (_tray(game, plan, side, figures, board.wide) for side in (1 - viewer, viewer))
    width = max(board.wide, far.wide, near.wide)
    seats: dict[int, Seat] = {}
    markup, y = [], 0.0
    room = board.dice
    for part, side in ((far, 1 - viewer), (board, None), (near, viewer)):
        if side is not None and not trays[side]:
            part = _Part(0, 4, part.seats, [])
        left = (width - board.wide) / 2 if part is board else 0.0
        seats |= {place: seat.moved(left, y) for place, seat in part.seats.items()}
        if part.drawn:
            markup.append(f'<g transform="translate({left:g} {y:g})">{"".join(part.drawn)}</g>')
        if part is board and room is not None:
            room = Room(room.x + left, room.y + y, room.wide)
        y += part.high
    if room is None:
        room = Room(4, y + 6, width - 8)
        y += DICE_HIGH if game.throw is not None else 0
    in_order = tuple(seats[place] for place in range(game.places))
    return Stage(plan, width, y, in_order, "".join(markup), room, _rows(in_order))


def stage_json(game: Game, viewer: int) -> dict[str, Any]:
    """The stage as a page is given it; colours are custom properties `--alfonso-…` with a fallback.

    ``men[side][kind]`` is a man of radius ``r`` around (0, 0); ``counted`` the same for a
    man who stands for several, by the length of the number, with `{n}` in its place.
    ``signs[name]`` are markup for a place that is held and for an empty one. ``dice`` are
    by pips, from a corner at (0, 0); ``other`` is for numbers that have no pips, ``played``
    is laid over a die that is used up.
    """
    figures = Figures(game, themed=True)
    laid = stage(game, viewer, figures)
    labels = game.board.labels
    columns = sorted({round(seat.x, 1) for seat in laid.seats})
    return {
        "viewer": viewer,
        "shape": laid.plan.shape,
        "placed": laid.plan.placed,
        "width": round(laid.width, 1),
        "height": round(laid.height, 1),
        "sides": list(game.sides),
        "kinds": list(game.kinds),
        "full": FULL,
        "r": R,
        "board": laid.board,
        "places": [
            {
                "name": game.board.names[place],
                "label": labels[viewer][place],
                "other": labels[1 - viewer][place],
                "side": game.board.side_of(place),
                "x": round(seat.x, 1),
                "y": round(seat.y, 1),
                "r": seat.r,
                "right": round(seat.right, 2),
                "down": round(seat.down, 2),
                "box": [round(length, 1) for length in seat.box],
                "column": columns.index(round(seat.x, 1)) + 1,
            }
            for place, seat in enumerate(laid.seats)
        ],
        "rows": [list(row) for row in laid.rows],
        "men": [
            [
                {
                    "man": figures.man(0, 0, R, Pile(side, kind, 1)),
                    "counted": [
                        figures.man(0, 0, R, Pile(side, kind, 1), "8" * n).replace("8" * n + "</text>", "{n}</text>")
                        for n in (1, 2, 3)
                    ],
                }
                for kind in range(len(game.kinds))
            ]
            for side in (0, 1)
        ],
        "signs": {
            name: {"held": figures.sign(name, 0, 0, R), "empty": figures.sign(name, 0, 0, R, False)} for name in SIGNS
        },
        "dice": {
            "x": round(laid.dice.x, 1),
            "y": round(laid.dice.y, 1),
            "wide": round(laid.dice.wide, 1),
            "size": DIE,
            "faces": [figures.die(0, 0, pips) for pips in range(1, 7)],
            "other": figures.die(0, 0, "{n}"),
            "played": figures.strike(0, 0),
        },
    }


# ---- boards ----------------------------------------------------------------------------------


def _points(game: Game, plan: Geometry, viewer: int, figures: Figures) -> _Part:
    """Squares, points with drawn lines, or cells with their labels."""
    many, squares, margin = game.board.many, plan.shape == SQUARES, 24.0 if plan.ranks else 2.0
    unit = 54.0 if squares else 84.0 if many or plan.shape == CELLS else _unit(plan)
    edge = unit / 2 if squares else 56.0 if many else 34.0 if plan.files else 40.0
    wide, high = plan.size[0] * unit + 2 * edge, plan.size[1] * unit + 2 * edge
    high += 0 if plan.files or squares else 14
    at = [(margin + edge + x * unit, edge + 4 + y * unit) for x, y in plan.spots]
    ink = figures.ink
    parts = [rect(margin - 1, 3, wide + 2, high + 2, ink("field"), 5, stroke=ink("wood"), stroke_width=4)]
    if squares:
        chequered = len(at) < (plan.size[0] + 1) * (plan.size[1] + 1)
        fill, lines = ink("square" if chequered else "field"), ink("lines")
        parts += [rect(x - edge, y - edge, unit, unit, fill, stroke=lines, stroke_width=1.5) for x, y in at]
    drawn = "".join(f"M{at[a][0]:g} {at[a][1]:g}L{at[b][0]:g} {at[b][1]:g}" for a, b in plan.segments)
    if drawn and not squares:
        parts.append(tag("path", d=drawn, fill="none", stroke=ink("lines"), stroke_width=2.5, stroke_linecap="round"))
    labels, others = (game.board.labels[side] for side in (viewer, 1 - viewer))
    for place, (x, y) in enumerate(at):
        if not squares:
            parts.append(circle(x, y, 4.5, ink("lines")))
        if not plan.files:
            both = labels[place] if labels[place] == others[place] else f"{labels[place]}/{others[place]}"
            if squares:
                parts.append(
                    figures.text(x - edge + 2, y - edge + 10, both, size=10, fill="ink", anchor="start", label=True)
                )
                continue
            wider = 8 * len(both)  # a label lies on its line, so the line gives way
            parts.append(rect(x - wider / 2, y + R + 4, wider, 16, ink("field")))
            parts.append(figures.text(x, y + R + 16, both, size=13, fill="ink", label=True))
    parts += [figures.text(margin / 2 - 1, edge + 9 + y * unit, label, size=15, label=True) for y, label in plan.ranks]
    parts += [figures.text(margin + edge + x * unit, high + 22, label, size=15, label=True) for x, label in plan.files]
    seats = {}
    half = unit / 2
    for place, (x, y) in enumerate(at):
        near = min((max(abs(x - a), abs(y - b)) for a, b in at if (a, b) != (x, y)), default=unit)
        reach = min(half, max(near / 2, R * 0.8))
        seats[place] = Seat(
            x, y, R if near > 1.7 * R else near / 1.7, 0, -0.3 * R, (x - reach, y - reach, 2 * reach, 2 * reach)
        )
    return _Part(wide + margin + 2, high + (32 if plan.files else 10), seats, parts)


def _unit(plan: Geometry) -> float:
    """Pixels for a step of the plan: neighbours lie 64 apart, on wide boards nearer, until men almost touch."""
    spots = plan.spots
    nearest = min((math.dist(a, b) for i, a in enumerate(spots) for b in spots[:i]), default=1.0)
    across = max(plan.size) / nearest
    return max(46.0, 64.0 * min(1, 8 / max(across, 1))) / nearest


def _tables(game: Game, plan: Geometry, viewer: int, figures: Figures) -> _Part:
    """A tables board: spikes in two rows, the viewer's numbers on the frame, the other side's outside.

    A small man says whose numbers a row are. The frame is thin at the sides: on a narrow
    screen every pixel of width counts.
    """
    unit, gap, half, frame, rim = 46.0, 48.0, 216.0, 28.0, 6.0 if plan.gaps else 22.0
    own, others = (game.board.labels[side] for side in (viewer, 1 - viewer))
    top = 24.0 if own != others else 2.0
    high = 2 * half + 44
    lefts = [rim]
    for number in range(round(plan.size[0]) + 1):
        lefts.append(lefts[-1] + (gap if number in plan.gaps else unit))
    wide, bottom = lefts[-1] + rim, top + 2 * frame + high
    ink, middle = figures.ink, plan.middle_gap
    parts = [
        rect(0, top, wide, high + 2 * frame, ink("wood"), 8),
        rect(rim, top + frame, wide - 2 * rim, high, ink("field")),
    ]
    parts += [rect(lefts[x], top + frame - 1, gap, high + 2, ink("wood")) for x in plan.gaps]
    seats = {}
    for place, (column, row) in enumerate(plan.spots):
        left = lefts[round(column)]
        x = left + unit / 2
        edge, inward = (top + frame, 1) if row == 0 else (bottom - frame, -1)
        tip = f"{left + 2:g},{edge:g} {left + unit - 2:g},{edge:g} {x:g},{edge + inward * half * 0.92:g}"
        fill = ink(("spike-a", "spike-b")[round(column + row) % 2])
        parts.append(tag("polygon", points=tip, fill=fill, stroke=ink("lines"), stroke_width=1))
        parts.append(figures.text(x, edge - inward * 14 + 5, own[place], size=15, fill="on-wood", label=True))
        if own != others:
            parts.append(
                figures.text(x, edge - inward * (frame + 11) + 5, others[place], size=13, fill="dim", label=True)
            )
        box = (left, edge if row == 0 else edge - half - 22, unit, half + 22)
        seats[place] = Seat(x, edge + inward * (R + 2), R, 0, inward * 2.02 * R, box)
    spot = (lefts[middle] + gap / 2) if middle is not None else rim / 2
    for y, away in ((top, -1), (bottom, 1)):
        parts.append(figures.man(spot, y - away * 14, 8, Pile(viewer, 0, 1)))
        if own != others:
            parts.append(figures.man(spot, y + away * 11, 8, Pile(1 - viewer, 0, 1)))
    for place, inward in zip(geometry.bar(game.board, plan, viewer) or (), (-1, 1), strict=False):
        y, r = top + frame + high / 2 + inward * (gap / 2 + 1), min(R, gap / 2 - 1.5)
        box = (spot - gap / 2, y if inward > 0 else y - high / 2, gap, high / 2)
        seats[place] = Seat(spot, y, r, 0, inward * 1.95 * r, box)
    left = lefts[middle] + gap if middle is not None else wide / 2
    room = Room(left + 12, top + frame + half + 22 - DIE / 2, wide - rim - left - 24)
    return _Part(wide, bottom + (24.0 if own != others else 2.0), seats, parts, room)


def _tray(game: Game, plan: Geometry, side: int, figures: Figures, wide: float) -> _Part:
    """A side's places beside the board, one after the other, each with its label, men lying to the right."""
    in_gap = geometry.bar(game.board, plan, 0) or ()
    places = [both[side] for both in game.board.beside.values() if both[side] not in in_gap]
    if not places:
        return _Part(0, 4, {}, [])
    seats: dict[int, Seat] = {}
    tall = max(TRAY_HIGH, FINGER * wide + 1)
    x, y, widest = 28.0, 4.0, 0.0
    drawn = [figures.man(14, y + tall / 2, 9, Pile(side, 0, 1))]
    for place in places:
        label = game.board.labels[side][place]
        written = 9.0 * len(label) + 14
        length = written + 2 * TRAY_R + TRAY_STEP * (FULL - 1) + 10
        if x > 28 and x + length > max(wide, 330):
            x, y = 28.0, y + tall + TRAY_PAD
        middle = y + tall / 2
        drawn.append(rect(x, y, length, tall, figures.ink("field"), 6, stroke=figures.ink("wood"), stroke_width=2))
        drawn.append(figures.text(x + 8, middle + 5, label, size=15, fill="ink", anchor="start", label=True))
        seats[place] = Seat(x + written + TRAY_R, middle, TRAY_R, TRAY_STEP, 0, (x, y, length, tall))
        x += length + TRAY_PAD
        widest = max(widest, x - TRAY_PAD + 2)
    return _Part(widest, y + tall + TRAY_PAD, seats, drawn)


def _rows(seats: Iterable[Seat]) -> tuple[tuple[int, ...], ...]:
    """Places in visual order; what lies within half a man's height of the last is in the same row."""
    rows: list[list[tuple[float, int]]] = []
    height = float("-inf")
    for y, x, place in sorted((seat.y, seat.x, place) for place, seat in enumerate(seats)):
        if y - height > R / 2:
            rows.append([])
            height = y
        rows[-1].append((x, place))
    return tuple(tuple(place for _, place in sorted(row)) for row in rows)
