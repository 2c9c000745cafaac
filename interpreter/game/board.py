"""Lines, grids, tracks and regions become numbered places (paths are made in ``paths``).

Faults: B301 a grid that cannot be read, B302 no points at all, B303 an unknown
place, B304 a place beside the board is named twice or like a point, B305 a line
names a place twice, B306 a track is missing for one side, B307 a place occurs twice
in a track, B308 a range of places that does not run, B309 too many places or paths,
B310 a region by track without tracks, B311 `rows` that leave out or repeat a point,
B312 a name that is a word of the language, B313 unknown line group.

One room: everything a board section can say becomes numbers here, and nowhere else.
"""

from __future__ import annotations

import re
from collections.abc import Mapping as AnyMapping
from dataclasses import dataclass

from interpreter.diagnostics import Label, Report, suggestion
from interpreter.document.types import Mapping, Node, Scalar, Sequence
from interpreter.game.paths import split
from interpreter.game.types import Board, Line
from interpreter.ruleset.from_document import entries, text_of, whole_number, words
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


def from_nodes(
    board: AnyMapping[str, Node],
    tracks: tuple[Node | None, Node | None],
    sides: tuple[str, str],
    reserved: frozenset[str],
    report: Report,
    span: Span,
) -> Board | None:
    """The board of a ruleset: its own section laid over its parents'. None if points or tracks cannot be read.

    Args:
        board: the fields of the board section.
        tracks: each side's ``track``, where it has one.
        reserved: words of the language, which no region or place beside may be called.
    """
    before = len(report.errors)
    names, coordinates, lines = _points_and_lines(board, report, span)
    if len(report.errors) > before:
        return None
    if not names:
        report.error("B302", "the board has no points", span, help="give it a `grid`, `lines` or `places`")
        return None
    if len(names) > MOST_PLACES:
        report.error("B309", f"a board of {len(names)} points; the most is {MOST_PLACES}", span)
        return None
    points = len(names)
    number = {name: index for index, name in enumerate(names)}
    beside: dict[str, tuple[int, int]] = {}
    every_name = list(names)
    for word in words(board.get("beside")):
        if word.value in beside or word.value in number:
            report.error("B304", f"`{word.value}` is already a place", word.span, help="choose another name")
            continue
        if word.value in reserved - {"bar", "off", "hand", "box"}:
            report.error("B312", f"`{word.value}` is a word of the language", word.span, help="choose another name")
        beside[word.value] = (len(every_name), len(every_name) + 1)
        every_name += [word.value, word.value]
    numbered = _numbered_lines(lines, number, report)
    neighbours = [0] * points
    for line in numbered:
        for a, b in zip(line.places, line.places[1:], strict=False):
            neighbours[a] |= 1 << b
            neighbours[b] |= 1 << a
    before = len(report.errors)
    both = _tracks(tracks, number, beside, sides, report, span)
    if len(report.errors) > before:
        return None
    index = tuple(_track_index(track, len(every_name)) for track in both)
    labels = tuple(
        _labels(text_of(board.get("labels")), every_name, points, both[s], index[s], beside, s) for s in (0, 1)
    )
    regions = _regions(board.get("regions"), number, both, beside, reserved, report, tracks)
    if any(e.code == "B303" and e.message.startswith("the track") for e in report.errors[before:]):
        return None
    rows = tuple(tuple(word.value.split()) for word in words(board.get("rows")))
    _check_rows(words(board.get("rows")), names, board.get("rows"), report)
    return Board(
        names=tuple(every_name),
        points=points,
        many=text_of(board.get("men")) == "many",
        beside=beside,
        lines=tuple(numbered),
        neighbours=tuple(neighbours) + (0,) * (len(every_name) - points),
        tracks=(both[0], both[1]),
        track_index=(index[0], index[1]),
        regions=regions,
        labels=(labels[0], labels[1]),
        coordinates=tuple(coordinates.get(name) for name in every_name[:points]) + (None,) * (len(every_name) - points),
        squares="only: dark" in _grid_words(board),
        rows=rows,
    )


def _grid_words(board: AnyMapping[str, Node]) -> set[str]:
    found = set()
    for node in _grids(board):
        found |= {f"{key.value}: {text_of(value)}" for key, value in node.entries}
    return found


def _grids(board: AnyMapping[str, Node]) -> list[Mapping]:
    grids = board.get("grids")
    nodes = [board.get("grid"), *(grids.items if isinstance(grids, Sequence) else ())]
    return [node for node in nodes if isinstance(node, Mapping)]


def _points_and_lines(
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
    for name, place in _drawn(board.get("rows")).items():
        coordinates.setdefault(name, place)
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


def _check_rows(rows: list[Scalar], names: list[str], node: Node | None, report: Report) -> None:
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


def _numbered_lines(
    lines: list[tuple[str, list[Scalar | str], Span]], number: AnyMapping[str, int], report: Report
) -> list[Line]:
    numbered: list[Line] = []
    for group, line, span in lines:
        places: list[int] = []
        for place in line:
            name = place.value if isinstance(place, Scalar) else place
            where = place.span if isinstance(place, Scalar) else span
            if name not in number:
                report.error("B303", f"no point `{name}`", where, help=suggestion(name, number, "points"), subject=name)
            elif number[name] in places:
                report.error("B305", f"the line names `{name}` twice", where)
            else:
                places.append(number[name])
        if len(places) > 1:
            numbered.append(Line(group, tuple(places)))
    return [line for i, line in enumerate(numbered) if not _within_another(line, i, numbered)]


def _within_another(line: Line, index: int, lines: list[Line]) -> bool:
    for other_index, other in enumerate(lines):
        if other_index == index or other.group != line.group or len(other.places) < len(line.places):
            continue
        for places in (other.places, other.places[::-1]):
            n = len(line.places)
            if any(places[k : k + n] == line.places for k in range(len(places) - n + 1)) and (
                len(other.places) > n or other_index < index
            ):
                return True
    return False


def _tracks(
    nodes: tuple[Node | None, Node | None],
    number: AnyMapping[str, int],
    beside: AnyMapping[str, tuple[int, int]],
    sides: tuple[str, str],
    report: Report,
    span: Span,
) -> tuple[tuple[int, ...], tuple[int, ...]]:
    if nodes[0] is None and nodes[1] is None:
        return (), ()
    both: list[tuple[int, ...]] = []
    for side, node in enumerate(nodes):
        if not isinstance(node, Scalar):
            other = nodes[1 - side]
            report.error(
                "B306",
                f"side `{sides[side]}` has no track, the other has",
                other.span if other else span,
                help=f"give `{sides[side]}` a `track`",
            )
            both.append(())
            continue
        track: list[int] = []
        parsed = from_words.places(node, report)
        for stretch, where in from_words.place_names(parsed) if parsed is not None else []:
            for name in _run(stretch, number, where, report):
                place = number.get(name)
                if place is None and name in beside:
                    place = beside[name][side]
                if place is None:
                    report.error(
                        "B303",
                        f"no place `{name}`",
                        where,
                        help=suggestion(name, [*number, *beside], "places"),
                        subject=name,
                    )
                    break
                if place in track:
                    report.error(
                        "B307", f"`{name}` occurs twice in the track", where, help="a track visits a place once"
                    )
                    break
                track.append(place)
        if track and track[0] < len(number) and "bar" in beside:
            track.insert(0, beside["bar"][side])
        if track and track[-1] < len(number) and "off" in beside:
            track.append(beside["off"][side])
        both.append(tuple(track))
    return both[0], both[1]


def _run(stretch: tuple[str, ...], number: AnyMapping[str, int], span: Span, report: Report) -> list[str]:
    """The names of ``a..b``: numbers count up or down; other points run in the board's order."""
    if len(stretch) == 1:
        return [stretch[0]]
    a, b = stretch
    for missing in [name for name in (a, b) if name not in number][:1]:
        start = span.start if missing == a else span.end - len(b)
        report.error(
            "B308",
            f"`{span.text}` does not run: no point `{missing}`",
            Span(span.source, start, start + len(missing)),
            help=suggestion(missing, number, "points"),
            subject=missing,
        )
        return []
    low, high = whole_number(a), whole_number(b)
    if low is not None and high is not None:
        return [str(n) for n in (range(low, high + 1) if low <= high else range(low, high - 1, -1))]
    names = list(number)
    i, j = number[a], number[b]
    return names[i : j + 1] if i <= j else names[j : i + 1][::-1]


def _track_index(track: tuple[int, ...], places: int) -> tuple[int, ...]:
    index = [-1] * places
    first = 0
    for position, place in enumerate(track, start=first):
        index[place] = position
    return tuple(index)


def _labels(
    style: str,
    names: list[str],
    points: int,
    track: tuple[int, ...],
    index: tuple[int, ...],
    beside: AnyMapping[str, tuple[int, int]],
    side: int,
) -> tuple[str, ...]:
    style = style or ("up" if track else "names")
    labels = list(names)
    on_points = [index[place] for place in track if place < points]
    if style != "names" and on_points:
        turned = min(on_points) + max(on_points)
        for place in range(points):
            if index[place] >= 0:
                labels[place] = str(index[place] if style == "up" else turned - index[place])
    return tuple(labels)


def _regions(
    node: Node | None,
    number: AnyMapping[str, int],
    tracks: tuple[tuple[int, ...], tuple[int, ...]],
    beside: AnyMapping[str, tuple[int, int]],
    reserved: frozenset[str],
    report: Report,
    nodes: tuple[Node | None, Node | None],
) -> dict[str, tuple[int, int]]:
    regions: dict[str, tuple[int, int]] = {}
    short = False
    for key, value in entries(node):
        if key.value in reserved or key.value in beside:
            what = "already a place" if key.value in beside else "a word of the language"
            report.error("B312", f"`{key.value}` is {what}", key.span, help="choose another name")
            continue
        parsed = from_words.places(value, report) if isinstance(value, Scalar) else None
        if parsed is None:
            regions[key.value] = (0, 0)
            continue
        by_track = parsed.names[:1] == ("track",)
        masks = [0, 0]
        for stretch, span in from_words.place_names(parsed):
            if by_track:
                if not short:
                    short = not _track_region(stretch, span, tracks, masks, report, nodes)
                continue
            for name in _run(stretch, number, span, report):
                if name not in number:
                    known = [*number, "track"]
                    report.error(
                        "B303", f"no point `{name}`", span, help=suggestion(name, known, "points"), subject=name
                    )
                    break
                masks = [mask | 1 << number[name] for mask in masks]
        regions[key.value] = (masks[0], masks[1])
    return regions


def _track_region(
    stretch: tuple[str, ...],
    span: Span,
    tracks: tuple[tuple[int, ...], tuple[int, ...]],
    masks: list[int],
    report: Report,
    nodes: tuple[Node | None, Node | None],
) -> bool:
    """Put the points with these numbers into ``masks``; False where the track is too short for them."""
    low, high = whole_number(stretch[0]), whole_number(stretch[-1])
    if low is None or high is None or low > high:
        report.error("B308", f"`{span.text}` is not a range of numbers on the track", span, help="write `track 1..6`")
        return True
    if not tracks[0]:
        report.error("B310", "a region by track, but the sides have no tracks", span, help="list the places")
        return True
    longest = min(len(track) for track in tracks) - 1
    if high > longest:
        shortest = min((0, 1), key=lambda side: len(tracks[side]))
        node = nodes[shortest]
        report.error(
            "B303",
            f"the track has no points {span.text}",
            span,
            f"its numbers run from 0 to {longest}",
            labels=[Label(node.span, "the track")] if node is not None else [],
        )
        return False
    for side in (0, 1):
        for n in range(low, high + 1):
            masks[side] |= 1 << tracks[side][n]
    return True
