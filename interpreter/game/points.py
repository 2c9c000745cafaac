"""The points of a board and the lines between them: grids, lists, and what is drawn.

Faults: B301 a grid that cannot be read, B303 `rows` that draw an unknown point, B308 a
range of places that does not run, B309 too many points, lines or grids, B311 `rows` that
leave out or repeat a point.
"""

from __future__ import annotations

import re
from collections.abc import Mapping as AnyMapping
from dataclasses import dataclass

from interpreter.diagnostics import Label, Report, suggestion
from interpreter.document.types import Mapping, Node, Scalar, Sequence
from interpreter.game.paths import split
from interpreter.ruleset.from_document import text_of, whole_number, words
from interpreter.source import Span
from interpreter.terms import from_words

MOST_PLACES = 1024
MOST_LINES = 4096
MOST_GRIDS = 64

_FILES = re.compile(r"([a-z])-([a-z])$")
_RANKS = re.compile(r"([0-9]{1,2})-([0-9]{1,2})$")
_SQUARE = re.compile(r"([a-z])([0-9]{1,2})$")


@dataclass(frozen=True)
class _Grid:
    names: dict[tuple[int, int], str]
    lines: list[tuple[str, list[str]]]


def grid_words(board: AnyMapping[str, Node]) -> set[str]:
    found = set()
    for node in _grids(board):
        found |= {f"{key.value}: {text_of(value)}" for key, value in node.entries}
    return found


def _grids(board: AnyMapping[str, Node]) -> list[Mapping]:
    grids = board.get("grids")
    nodes = [board.get("grid"), *(grids.items if isinstance(grids, Sequence) else ())]
    return [node for node in nodes if isinstance(node, Mapping)]


def points_and_lines(
    board: AnyMapping[str, Node], report: Report, span: Span
) -> tuple[list[str], dict[str, tuple[float, float]], list[tuple[str, list[Scalar | str], Span]]]:
    lines: list[tuple[str, list[Scalar | str], Span]] = []
    squares: dict[tuple[int, int], str] = {}
    if len(_grids(board)) > MOST_GRIDS or len(_written_lines(board.get("lines"))) > MOST_LINES:
        report.error("B309", f"more than {MOST_GRIDS} grids or {MOST_LINES} lines", span)
        return [], {}, []
    for node in _grids(board):
        grid = _grid(node, report)
        if grid is not None:
            squares.update(grid.names)
            lines += [(group, list(line), node.span) for group, line in grid.lines]
    names = [squares[key] for key in sorted(squares, key=lambda fr: (fr[1], fr[0]))]
    coordinates: dict[str, tuple[float, float]] = {name: (f, r) for (f, r), name in squares.items()}
    listed = _listed(board.get("places"), report)
    names += [name for name in listed if name not in coordinates]
    drawn: list[str] = []
    for group, line in _written_lines(board.get("lines")):
        places = [Scalar(m.group(), line.part(m.start(), m.end())) for m in re.finditer(r"\S+", line.value)]
        drawn += [p.value for p in places]
        lines.append((group, list(places), line.span))
    if not names:
        names = list(dict.fromkeys(drawn))
        if names and all(_SQUARE.match(name) for name in names):
            names.sort(key=lambda name: (int(name[1:]), name[0]))
    for name in names:
        match = _SQUARE.match(name)
        if name not in coordinates and match:
            coordinates[name] = (ord(match[1]) - 96, int(match[2]))
    coordinates |= _drawn(board.get("rows"))  # what is drawn is so, whatever a name looks like
    named = [(group or _geometric(line, coordinates), line, where) for group, line, where in lines]
    return names, coordinates, named


def _geometric(line: list[Scalar | str], coordinates: AnyMapping[str, tuple[float, float]]) -> str:
    ends = [coordinates.get(p.value if isinstance(p, Scalar) else p) for p in (line[0], line[-1])] if line else []
    if len(ends) == 2 and ends[0] is not None and ends[1] is not None:
        return "straight" if ends[0][0] == ends[1][0] or ends[0][1] == ends[1][1] else "diagonal"
    return "straight"


def _drawn(rows: Node | None) -> dict[str, tuple[float, float]]:
    """Where `rows` draw each place: x from the left, y from the bottom row."""
    lines = [word.value.split() for word in words(rows)]
    return {
        name: (float(x), float(len(lines) - y))
        for y, line in enumerate(lines)
        for x, name in enumerate(line)
        if name not in ("|", ".")
    }


def check_rows(rows: list[Scalar], names: list[str], node: Node | None, report: Report) -> None:
    if not rows or node is None:
        return
    places = [place for row in rows for place in split(row) if place.value not in ("|", ".")]
    shown = {place.value: place for place in reversed(places)}
    missing = [name for name in names if name not in shown]
    for place in places:
        if place.value not in names:
            advice = suggestion(place.value, missing or names, "points")
            report.error(
                "B303", f"`rows` draws `{place.value}`, which is no point", place.span, help=advice, subject=place.value
            )
            return
        if shown[place.value] is not place:
            first = shown[place.value].span
            advice = f"`{'`, `'.join(missing[:5])}` {'is' if len(missing) == 1 else 'are'} not drawn" if missing else ""
            labels = [Label(first, "drawn here first")]
            report.error("B311", f"`rows` draws `{place.value}` twice", place.span, help=advice, labels=labels)
            return
    if missing:
        report.error(
            "B311",
            f"`rows` leaves out `{missing[0]}`" + (f" and {len(missing) - 1} more" if missing[1:] else ""),
            node.span,
        )


def _grid(node: Mapping, report: Report) -> _Grid | None:
    files_node, ranks_node = node.get("files"), node.get("ranks")
    files, ranks = _FILES.match(text_of(files_node)), _RANKS.match(text_of(ranks_node))
    if not files or files[1] > files[2]:
        report.error(
            "B301",
            f"`{text_of(files_node)}` is not a range of files",
            (files_node or node).span,
            help="write `files: a-e`",
        )
    if not ranks or int(ranks[1]) > int(ranks[2]):
        report.error(
            "B301",
            f"`{text_of(ranks_node)}` is not a range of ranks",
            (ranks_node or node).span,
            help="write `ranks: 1-5`",
        )
    if not files or not ranks or files[1] > files[2] or int(ranks[1]) > int(ranks[2]):
        return None
    f0, f1, r0, r1 = ord(files[1]) - 96, ord(files[2]) - 96, int(ranks[1]), int(ranks[2])
    dark = text_of(node.get("only")) == "dark"
    diagonals = text_of(node.get("diagonals")) or ("all" if dark else "none")
    groups = {w.value for item in words(node.get("lines")) for w in split(item)}
    if not groups:
        groups = {"diagonal"} if dark else {"straight"} | ({"diagonal"} if diagonals != "none" else set())
    elif "diagonal" in groups and diagonals == "none":
        diagonals = "all"

    def even(f: int, r: int) -> bool:
        return (f - f0 + r - r0) % 2 == 0

    names = {
        (f, r): f"{chr(96 + f)}{r}" for r in range(r0, r1 + 1) for f in range(f0, f1 + 1) if not dark or even(f, r)
    }
    lines: list[tuple[str, list[str]]] = []

    def line(group: str, squares: list[tuple[int, int]]) -> None:
        present = [names[s] for s in squares if s in names]
        if len(present) > 1:
            lines.append((group, present))

    if "straight" in groups:
        for r in range(r0, r1 + 1):
            line("straight", [(f, r) for f in range(f0, f1 + 1)])
        for f in range(f0, f1 + 1):
            line("straight", [(f, r) for r in range(r0, r1 + 1)])
    if "diagonal" in groups:
        size = max(f1 - f0, r1 - r0) + 1
        for step in (1, -1):
            starts = [(f0, r) for r in range(r0, r1 + 1)]
            starts += [(f, r0 if step == 1 else r1) for f in range(f0 + 1, f1 + 1)]
            for f, r in starts:
                if diagonals == "alternate" and not even(f, r):
                    continue
                line("diagonal", [(f + k, r + step * k) for k in range(size)])
    return _Grid(names, lines)


def _listed(node: Node | None, report: Report) -> list[str]:
    names: list[str] = []
    for word in words(node):
        parsed = from_words.places(word, report)
        if parsed is None:
            continue
        for stretch, span in from_words.place_names(parsed):
            if len(stretch) == 1:
                names.append(stretch[0])
            elif all(part.isdigit() for part in stretch):
                a, b = whole_number(stretch[0]), whole_number(stretch[1])
                if a is None or b is None:
                    report.error("B309", "a number of more than nine digits", span)
                    continue
                if abs(b - a) >= MOST_PLACES:
                    report.error("B309", f"a board of {abs(b - a) + 1} points; the most is {MOST_PLACES}", span)
                    continue
                names += [str(n) for n in (range(a, b + 1) if a <= b else range(a, b - 1, -1))]
            else:
                report.error("B308", f"`{span.text}` is not a range of numbers", span, help="write the places out")
    return list(dict.fromkeys(names))


def _written_lines(node: Node | None) -> list[tuple[str, Scalar]]:
    if isinstance(node, Mapping):
        return [(key.value, line) for key, value in node.entries for line in words(value)]
    return [("", line) for line in words(node)]
