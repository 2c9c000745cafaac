"""Paths: the finite table of ways a man can go, computed once.

Faults: B303 a listed path between unknown places, B309 too many paths.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from itertools import pairwise

from interpreter.diagnostics import Report, suggestion
from interpreter.document.types import Node, Scalar
from interpreter.game.kept import Kept
from interpreter.game.types import Board, Path, Way
from interpreter.game.walk import COMPASS
from interpreter.ruleset.from_document import words
from interpreter.source import Span

MOST_PATHS = 200_000


def split(scalar: Scalar) -> list[Scalar]:
    return [Scalar(m.group(), scalar.part(m.start(), m.end())) for m in re.finditer(r"\S+", scalar.value)]


Found = tuple[int, tuple[int, ...], int, int, int, int]
"""A path without its number: origin, over, to, direction, die, excess."""

Made = tuple[tuple[Path, ...], dict[tuple[str, str], Way]]
_MADE: Kept[Made] = Kept()


def paths_of(
    board: Board, wanted: list[tuple[str, str, Span]], faces: tuple[int, ...], listed: Node | None, report: Report
) -> Made:
    """The path table of a game and its ways.

    Args:
        wanted: (way, place beside or "", where it is written), as the clauses name them.
        faces: the values a die can have.
        listed: the board's own ``paths``, for the way ``listed``.

    Returns:
        all paths, path 0 the empty one, the others by origin, to, die, excess, over
        and direction: a path's number is part of every decision's number. Equal
        paths are one path, whichever way found them.
    """
    ways_wanted = tuple(dict.fromkeys((name, place) for name, place, _ in wanted))
    made = _MADE.get((board, listed), (ways_wanted, faces))
    if made is None:
        told = Report()
        made = _paths_of(board, wanted, faces, listed, told)
        if not told.diagnostics:
            _MADE.put((board, listed), (ways_wanted, faces), made)
        report.extend(told)
    return made


def _paths_of(
    board: Board, wanted: list[tuple[str, str, Span]], faces: tuple[int, ...], listed: Node | None, report: Report
) -> Made:
    found: dict[tuple[str, str], tuple[list[Found], list[Found]]] = {}
    total = 0
    for name, place, span in wanted:
        if (name, place) in found:
            continue
        if _how_many(board, name) + total > MOST_PATHS:
            report.error("B309", f"way `{name}` needs more than {MOST_PATHS} paths", span)
            return (Path(0, -1, (), -1, -1, 0, 0),), {}
        per_side = [list(dict.fromkeys(_found(board, name, place, side, faces, listed, report))) for side in (0, 1)]
        found[name, place] = (per_side[0], per_side[1])
        total += len(per_side[0])
    every = sorted(
        {p for both in found.values() for side in both for p in side},
        key=lambda p: (p[0], p[2], p[4], p[5], p[1], p[3]),
    )
    number = {p: i for i, p in enumerate(every, start=1)}
    paths = (Path(0, -1, (), -1, -1, 0, 0), *(Path(i, *p) for p, i in number.items()))
    ways = {
        (name, place): Way(
            name, place, (tuple(sorted(number[p] for p in both[0])), tuple(sorted(number[p] for p in both[1])))
        )
        for (name, place), both in found.items()
    }
    return paths, ways


def _how_many(board: Board, name: str) -> int:
    """No fewer paths than a way has, before they are made."""
    if name == "go":
        return board.points**2
    if name == "slide":
        return sum(len(line.places) ** 2 for line in board.lines)
    return 0


def _found(
    board: Board, name: str, place: str, side: int, faces: tuple[int, ...], listed: Node | None, report: Report
) -> list[Found]:
    """The paths of one way for men of ``side``."""
    points = range(board.points)
    if name in ("step", "leap", "slide"):
        return [p for line in board.lines for p in _along(board, line.places, name)]
    if name == "travel":
        return _travel(board.tracks[side], faces)
    if name == "drop":
        return [(board.beside[place][side], (), p, -1, 0, 0) for p in points]
    if name == "remove":
        return [(p, (), board.beside[place][side], -1, 0, 0) for p in points]
    if name == "go":
        return [(p, (), q, direction(board, p, q), 0, 0) for p in points for q in points if p != q]
    if name == "name":
        return [(-1, (), -1, -1, face, 0) for face in faces]
    return _listed_paths(board, side, listed, report)


def _along(board: Board, places: tuple[int, ...], name: str) -> list[Found]:
    paths: list[Found] = []
    for line in (places, places[::-1]):
        for i in range(len(line)):
            ends = {"step": (i + 1,), "leap": (i + 2,)}.get(name, range(i + 1, len(line)))
            paths += [
                (line[i], line[i + 1 : j], line[j], direction(board, line[i], line[j]), 0, 0)
                for j in ends
                if j < len(line)
            ]
    return paths


def _travel(track: tuple[int, ...], faces: tuple[int, ...]) -> list[Found]:
    """Every hop of one man with one die; a hop that would pass the end stops there.

    Whether that is allowed is for a clause to say, not for a path.
    """
    last = len(track) - 1
    return [
        (track[i], track[i + 1 : min(i + die, last)], track[min(i + die, last)], -1, die, max(i + die - last, 0))
        for i in range(last)
        for die in faces
    ]


def _listed_paths(board: Board, side: int, node: Node | None, report: Report) -> list[Found]:
    known = {board.names[p]: p for p in range(board.points)} | {name: both[side] for name, both in board.beside.items()}
    paths: list[Found] = []
    for word in words(node):
        for text in split(word):
            match = re.match(r"([a-z0-9]+(?:-[a-z0-9]+)+)(?:\(([0-9]{1,2})\))?$", text.value)
            names = match[1].split("-") if match else []
            unknown = [name for name in names if name not in known]
            if not match:
                report.error(
                    "B303",
                    f"`{text.value}` is not a path between places",
                    text.span,
                    help="write `a1-b2`, with what is passed over `a1-b2-c3`",
                )
                continue
            if unknown:
                at = re.search(rf"(?<![a-z0-9]){unknown[0]}(?![a-z0-9])", text.value)
                report.error(
                    "B303",
                    f"no place `{unknown[0]}`",
                    text.part(at.start(), at.end()) if at else text.span,
                    help=suggestion(unknown[0], known, "places"),
                    subject=unknown[0],
                )
                continue
            places = [known[name] for name in names]
            paths.append(
                (
                    places[0],
                    tuple(places[1:-1]),
                    places[-1],
                    direction(board, places[0], places[-1]),
                    int(match[2] or 0),
                    0,
                )
            )
    return paths


def direction(board: Board, a: int, b: int) -> int:
    """The compass direction from ``a`` to ``b`` (by the signs of their distance), -1 without coordinates."""
    here, there = board.coordinates[a], board.coordinates[b]
    if here is None or there is None or (board.tracks[0] and not board.lines):
        return -1

    def sign(d: float) -> int:
        return (d > 0) - (d < 0)

    step = (sign(there[0] - here[0]), sign(there[1] - here[1]))
    return COMPASS.index(step) if step in COMPASS else -1


def along(board: Board, groups: set[str]) -> Callable[[Path], bool]:
    """Does a path keep to one line of these groups, one place after the next?"""
    lines = [{place: i for i, place in enumerate(line.places)} for line in board.lines if line.group in groups]

    def keeps(path: Path) -> bool:
        places = (path.origin, *path.over, path.to)
        for at in lines:
            if all(place in at for place in places):
                steps = {at[b] - at[a] for a, b in pairwise(places)}
                if steps in ({1}, {-1}):
                    return True
        return False

    return keeps
