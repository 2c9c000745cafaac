"""Where the points of a board are put that says nothing of where they lie.

Points that lines join are laid out so that their distances on paper come near to the
number of steps between them: first by classical scaling (W. S. Torgerson, 1952), then
by majorizing the stress (J. de Leeuw, 1977; for drawings E. Gansner, Y. Koren and
S. North, 2004). Nothing is drawn by lot: the same board is always laid out in the same
way. Where that cannot be read, because points come to lie on each other or on lines that
are not theirs, they stand in a circle, which no line leaves and none crosses a third
point in. Points without lines, or too many of them, stand in rows.

Warning: B318, a board that is drawn so.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from functools import lru_cache

from interpreter.diagnostics import WARNING, Diagnostic
from interpreter.document.types import Node
from interpreter.game.types import Board, Game
from interpreter.source import Span

MOST = 64
"""More points than these are put in rows, lines or not."""

ROUNDS = 60
APART, ASIDE = 0.48, 0.14
"""How near two points may come, and a point to a line that passes it by, in steps."""

Spot = tuple[float, float]
Segments = tuple[tuple[int, int], ...]
Steps = list[list[float]]


def unplaced(board: Board, nodes: Mapping[str, Node], span: Span) -> Diagnostic | None:
    """The warning that a board does not say where its points lie; None where it does.

    Args:
        nodes: the fields of the board section it was read from.
        span: what to point at where that section has no points of its own.
    """
    given = [c for c in board.coordinates[: board.points] if c is not None]
    if (len(board.rows) == 2 and not board.lines) or len(set(given)) == board.points or board.points == 1:
        return None
    node = next((nodes[name] for name in ("places", "lines", "grid", "grids") if name in nodes), None)
    return Diagnostic(
        "B318",
        WARNING,
        "the board does not say where its points lie: a layout is made up",
        node.span if node is not None else span,
        help="draw them in `rows`, or name them like `c3`",
    )


def warnings(game: Game) -> tuple[Diagnostic, ...]:
    """What is to be said of every drawing of a game: B318, if anything."""
    found = unplaced(game.board, game.ruleset.content.board, game.ruleset.book.root.span)
    return (found,) if found else ()


@lru_cache(maxsize=64)
def made_up(points: int, segments: Segments) -> tuple[Spot, ...]:
    """A spot for each of ``points`` points, x from the left, y from the top, the least 0; neighbours about 1 apart."""
    if not segments or points > MOST:
        wide = min(points, math.ceil(math.sqrt(2 * points)))
        return tuple((float(p % wide), float(p // wide)) for p in range(points))
    spots = _upright(_by_steps(_steps(points, segments)), segments)
    if not _legible(spots, segments):
        radius = max(1.0, points / 5)
        turns = [2 * math.pi * p / points - math.pi / 2 for p in range(points)]
        spots = [(radius * math.cos(a), radius * math.sin(a)) for a in turns]
    west, north = min(x for x, _ in spots), min(y for _, y in spots)
    return tuple((round(x - west, 3), round(y - north, 3)) for x, y in spots)


def _steps(points: int, segments: Segments) -> Steps:
    """How many steps lie between any two points; what is not joined at all is a little farther than anything else."""
    near: list[list[int]] = [[] for _ in range(points)]
    for a, b in segments:
        near[a].append(b)
        near[b].append(a)
    steps = []
    for start in range(points):
        away = {start: 0}
        queue = [start]
        for here in queue:
            for there in near[here]:
                if there not in away:
                    away[there] = away[here] + 1
                    queue.append(there)
        steps.append([float(away.get(p, -1)) for p in range(points)])
    most = max(map(max, steps)) + 1
    return [[step if step >= 0 else most for step in row] for row in steps]


def _by_steps(steps: Steps) -> list[Spot]:
    n = len(steps)
    squares = [[step * step for step in row] for row in steps]
    means = [sum(row) / n for row in squares]
    mean = sum(means) / n
    inner = [[(means[i] + means[j] - squares[i][j] - mean) / 2 for j in range(n)] for i in range(n)]
    first = _axis(inner, [])
    second = _axis(inner, [first])
    spots = list(zip(first, second, strict=True))
    for _ in range(ROUNDS):
        spots = [_pulled(p, spots, steps) for p in range(n)]
    return spots


def _axis(inner: Steps, others: list[list[float]]) -> list[float]:
    """The strongest axis of scalar products, at right angles to ``others``, by the power method; scaled."""
    n = len(inner)
    axis = [math.sin(1.0 + p * (1 + len(others))) for p in range(n)]
    strength = 0.0
    for _ in range(ROUNDS):
        for other in others:
            length = sum(x * x for x in other) or 1.0
            share = sum(x * y for x, y in zip(axis, other, strict=True)) / length
            axis = [x - share * y for x, y in zip(axis, other, strict=True)]
        axis = [sum(x * y for x, y in zip(row, axis, strict=True)) for row in inner]
        strength = math.sqrt(sum(x * x for x in axis))
        axis = [x / strength for x in axis] if strength > 1e-9 else [0.0] * n
    return [x * math.sqrt(strength) for x in axis]


def _pulled(p: int, spots: list[Spot], steps: Steps) -> Spot:
    """Where a point wants to be: as far from every other as its steps say, the nearer ones counting more."""
    x, y = spots[p]
    right = down = weights = 0.0
    for q, (a, b) in enumerate(spots):
        if q == p:
            continue
        step = steps[p][q]
        weight = 1 / (step * step)
        away = math.hypot(x - a, y - b) or 1e-9
        right += weight * (a + step * (x - a) / away)
        down += weight * (b + step * (y - b) / away)
        weights += weight
    return (right / weights, down / weights) if weights else (x, y)


def _upright(spots: list[Spot], segments: Segments) -> list[Spot]:
    """Turned so that most lines run across or up, as far as one turn can; the first point low on the left."""

    def slanting(angle: float) -> float:
        found = 0.0
        for a, b in segments:
            (x, y), (u, v) = spots[a], spots[b]
            found += math.sin(2 * (math.atan2(v - y, u - x) - angle)) ** 2
        return found

    angle = min((math.pi / 180 * degree for degree in range(90)), key=slanting)
    cos, sin = math.cos(angle), math.sin(angle)
    turned = [(x * cos + y * sin, y * cos - x * sin) for x, y in spots]
    (x, y), n = turned[0], len(turned)
    across = -1 if x * n > sum(a for a, _ in turned) else 1
    down = -1 if y * n < sum(b for _, b in turned) else 1
    return [(a * across, b * down) for a, b in turned]


def _legible(spots: list[Spot], segments: Segments) -> bool:
    n = len(spots)
    if any(math.dist(spots[a], spots[b]) < APART for a in range(n) for b in range(a)):
        return False
    for a, b in segments:
        (x, y), (u, v) = spots[a], spots[b]
        length = math.dist(spots[a], spots[b])
        for p, (c, d) in enumerate(spots):
            along = ((c - x) * (u - x) + (d - y) * (v - y)) / (length * length)
            if p not in (a, b) and 0 < along < 1 and abs((c - x) * (v - y) - (d - y) * (u - x)) / length < ASIDE:
                return False
    return True
