"""Points, lines, tracks and regions become a numbered board (points: ``points``, paths: ``paths``).

Faults: B302 no points at all, B303 an unknown place, B304 a place beside the board is
named twice or like a point, B305 a line names a place twice, B306 a track is missing for
one side, B307 a place occurs twice in a track, B308 a range of places that does not run,
B309 too many places, B310 a region by track without tracks, B312 a name that is a word
of the language.

One room: one board, read once.
"""

from __future__ import annotations

from collections.abc import Mapping as AnyMapping

from interpreter.diagnostics import Label, Report, suggestion
from interpreter.document.types import Node, Scalar
from interpreter.game.kept import Kept
from interpreter.game.points import MOST_PLACES, check_rows, grid_words, points_and_lines
from interpreter.game.types import Board, Line
from interpreter.ruleset.from_document import entries, text_of, whole_number, words
from interpreter.source import Span
from interpreter.terms import from_words

_READ: Kept[Board] = Kept()


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
    objects, told = (*board.values(), *tracks, reserved), Report()
    found = _READ.get(objects, (tuple(board), sides))
    if found is None:
        found = _from_nodes(board, tracks, sides, reserved, told, span)
        if found is not None and not told.diagnostics:
            _READ.put(objects, (tuple(board), sides), found)
        report.extend(told)
    return found


def _from_nodes(
    board: AnyMapping[str, Node],
    tracks: tuple[Node | None, Node | None],
    sides: tuple[str, str],
    reserved: frozenset[str],
    report: Report,
    span: Span,
) -> Board | None:
    names, coordinates, lines = points_and_lines(board, report, span)
    if report.errors:
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
    check_rows(words(board.get("rows")), names, board.get("rows"), report)
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
        squares=bool({"only: dark", "drawn: squares"} & grid_words(board)),
        rows=rows,
    )


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
    for position, place in enumerate(track):
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
        node = nodes[min((0, 1), key=lambda side: len(tracks[side]))]
        track = node.span if node is not None else span
        elsewhere = track.source is not span.source  # a board file is right for others: here the track is short
        at, label = (track, Label(span, "the region")) if elsewhere else (span, Label(track, "the track"))
        note = f"its numbers run from 0 to {longest}"
        report.error("B303", f"the track has no points {span.text}", at, note, labels=[label])
        return False
    for side in (0, 1):
        for n in range(low, high + 1):
            masks[side] |= 1 << tracks[side][n]
    return True
