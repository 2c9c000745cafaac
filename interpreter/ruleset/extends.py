"""A file and its parents become one rulebook, its options still open.

Faults: R201 unknown parent, R202 a circle of parents, R203 `with` names no option
of the parent, R205 a value no option has, R210 an option's default is no value of
it, R212 unknown board, R213 a reading names no option, R214 `needs` names no option,
R232 options that need each other in a circle. What is wrong is left out and the rest read on.

One room: a child laid over its parents, section by section.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from pathlib import Path

from interpreter.diagnostics import Label, Report, alike, suggestion
from interpreter.document.types import Mapping, Scalar
from interpreter.ruleset import from_document
from interpreter.ruleset.from_document import RESERVED, citations, entries, fields, text_of
from interpreter.ruleset.library import Library, Read
from interpreter.ruleset.patching import Key, patched
from interpreter.ruleset.types import Citation, Content, File, Option, Rulebook
from interpreter.source import NOWHERE, Span

MOST_ANCESTORS = 32


@dataclass(frozen=True)
class Built:
    """A rulebook with what each inherited option may no longer touch.

    ``torn``: parts of the wrong shape were left out of its files; ``lost``: the words in them.
    """

    book: Rulebook
    closed: dict[str, frozenset[Key]]
    torn: bool = False
    lost: frozenset[str] = frozenset()


def from_id(library: Library, id: str, report: Report, span: Span = NOWHERE) -> Built | None:
    """The shipped rulebook ``id``. Faults: R201 and those of the files."""
    path = library.find(id)
    if path is None:
        report.error("R201", f"no ruleset `{id}`", span, help=suggestion(id, library.ids()), subject=id)
        return None
    return from_path(library, path, report)


def from_path(library: Library, path: Path, report: Report, children: tuple[File, ...] = ()) -> Built | None:
    """The rulebook in a file, its parents merged in. None if it or a parent cannot be read."""
    read = library.read(path, "ruleset")
    report.extend(read.report)
    tree, file = read.tree, read.file
    if tree is None or ("extends" not in tree and any("extends" in (w, *alike(w, ["extends"])) for w in read.lost)):
        return None
    root = library.root_of(path, file.id)
    parent = _parent(library, tree, path, root, report, (*children, file))
    if parent is None and "extends" in tree:
        return None
    built = _merged(library, tree, file, root, parent, report)
    board = _board_read(library, tree, root)
    parts = [part for part in (read, board) if part is not None]
    parts += [library.read(source, "sources") for source in library.source_files(root)]
    lost = frozenset(word for part in parts for word in part.lost)
    torn = any(part.report.errors for part in parts) or (board is None and isinstance(tree.get("board"), Scalar))
    return replace(
        built,
        torn=torn or (parent is not None and parent.torn),
        lost=lost | (parent.lost if parent is not None else frozenset()),
    )


def _parent(
    library: Library, tree: Mapping, path: Path, root: Path, report: Report, children: tuple[File, ...]
) -> Built | None:
    name = tree.get("extends")
    if not isinstance(name, Scalar):
        return None
    found = library.find(name.value, root, path)
    paths = {child.path.resolve() for child in children}
    if (found is None and name.value == children[-1].id) or (found is not None and found.resolve() in paths):
        circle = " → ".join([*(child.id for child in children), name.value])
        report.error(
            "R202",
            f"`{name.value}` extends itself",
            name.span,
            f"the circle: {circle}",
            help="extend another ruleset, or give this one another id",
        )
        return None
    if found is None:
        known = set(library.ids()) | library.near(root) - {path.stem}
        report.error(
            "R201",
            f"no ruleset `{name.value}` to extend",
            name.span,
            help=suggestion(name.value, known, "rulesets"),
            subject=name.value,
        )
        return None
    if len(children) > MOST_ANCESTORS:
        report.error("R202", f"more than {MOST_ANCESTORS} rulesets extend one another", name.span)
        return None
    return from_path(library, found, report, children)


def _merged(library: Library, tree: Mapping, file: File, root: Path, parent: Built | None, report: Report) -> Built:
    because = citations(tree.get("because"))
    book = parent.book if parent is not None else None
    base = book.content if book is not None else Content()
    tree = _with_board_file(library, tree, root, report)
    content, changes = patched(base, tree, because, file.id, report)
    options = _options(tree, book, because, file, report)
    readings = {k.value: from_document.reading(k, v, because) for k, v in entries(tree.get("readings"))}
    doubts = dict(book.doubts) if book is not None else {}
    doubts.update({k.value: from_document.doubt(k, v, because) for k, v in entries(tree.get("doubts"))})
    own_options = fields(tree.get("options"))
    set_here = changes.changed | changes.anew | {("without", id) for id in changes.dropped}
    closed = {
        id: frozenset()
        if id in own_options
        else (parent.closed.get(id, frozenset()) if parent is not None else frozenset()) | set_here
        for id in options
    }
    stories = tree.get("stories")
    merged = Rulebook(
        id=file.id,
        root=tree,
        playable=text_of(tree.get("playable")) != "no",
        shipped=file.shipped,
        title=from_document.titles(tree) or {from_document.language(tree): file.id},
        summary=text_of(tree.get("summary")),
        version=text_of(tree.get("version")),
        family=text_of(tree.get("family")) or (book.family if book is not None else ""),
        known=from_document.known(tree.get("known")),
        files=(*(book.files if book is not None else ()), file),
        content=content,
        options=options,
        readings=readings,
        doubts=doubts,
        stories=tuple(s for s in getattr(stories, "items", ()) if isinstance(s, Mapping)),
        match={**(book.match if book is not None else {}), **fields(tree.get("match"))},
        notation={**(book.notation if book is not None else {}), **fields(tree.get("notation"))},
        sources={**(book.sources if book is not None else {}), **sources_of(library, tree, root, report)},
        unused={**(book.unused if book is not None else {}), **from_document.unused(tree.get("unused"))},
    )
    _check_choices(merged, tree, report)
    return Built(merged, closed)


def _board_read(library: Library, tree: Mapping, root: Path) -> Read | None:
    """The board file that a ruleset names."""
    name = tree.get("board")
    path = library.find(name.value, root) if isinstance(name, Scalar) else None
    return library.read(path, "board") if path is not None else None


def _with_board_file(library: Library, tree: Mapping, root: Path, report: Report) -> Mapping:
    """Replace ``board: boards/x`` by what the board file says."""
    name = tree.get("board")
    if not isinstance(name, Scalar):
        return tree
    read = _board_read(library, tree, root)
    if read is None:
        report.error(
            "R212",
            f"no board `{name.value}`",
            name.span,
            help=suggestion(name.value, library.board_ids(), "boards"),
            subject=name.value,
        )
        board = Mapping((), name.span)
    else:
        report.extend(read.report)
        found = read.tree if read.tree is not None else Mapping((), name.span)
        board = Mapping(tuple((k, v) for k, v in found.entries if k.value != "board"), found.span)
    return Mapping(tuple((k, board if k.value == "board" else v) for k, v in tree.entries), tree.span)


def sources_of(library: Library, tree: Mapping, root: Path, report: Report) -> dict[str, Mapping]:
    found: dict[str, Mapping] = {}
    for path in library.source_files(root):
        read = library.read(path, "sources")
        report.extend(read.report)
        if read.tree is not None:
            found.update({k.value: v for k, v in entries(read.tree.get("sources")) if isinstance(v, Mapping)})
    found.update({k.value: v for k, v in entries(tree.get("sources")) if isinstance(v, Mapping)})
    return found


def _no_value(report: Report, option: Option, value: str, span: Span) -> None:
    """R205, unless the option itself is beyond knowing (its values could not be read)."""
    if option.values:
        report.error(
            "R205",
            f"option `{option.id}` has no value `{value}`",
            span,
            help=suggestion(value, option.values, "values"),
            labels=[Label(option.span, "the option is declared here")],
            subject=value,
        )


def _options(
    tree: Mapping, book: Rulebook | None, because: tuple[Citation, ...], file: File, report: Report
) -> dict[str, Option]:
    options: dict[str, Option] = dict(book.options) if book is not None else {}
    for key, node in entries(tree.get("with")):
        option = options.get(key.value)
        if option is None:
            report.error(
                "R203",
                f"the parent has no option `{key.value}`" if book is not None else "`with` without a parent to extend",
                key.span,
                help=suggestion(key.value, options, "options") if book is not None else "add `extends: …`",
                subject=key.value,
            )
        elif text_of(node) not in option.values:
            _no_value(report, option, text_of(node), node.span)
        else:
            options[key.value] = replace(option, default=text_of(node))
    for key, node in entries(tree.get("options")):
        option = from_document.option(key, node, because, file.id)
        options.pop(key.value, None)
        default = fields(node).get("default")
        if default is not None and option.values and option.default not in option.values:
            report.error(
                "R210",
                f"the default of option `{option.id}` is not one of its values",
                default.span,
                help=suggestion(option.default, option.values, "values"),
                subject=option.default,
            )
        options[key.value] = _usable(option)
    return options


def _usable(option: Option) -> Option:
    """The option with a default that is a value of it, whatever could not be read."""
    if option.default in option.values or not option.values:
        return option
    return replace(option, default=next(iter(option.values)))


def _circle(book: Rulebook, option: Option) -> list[str]:
    """The way from an option through its needs back to itself, if there is one."""
    needed_by: dict[str, str] = {}
    waiting = [option.id]
    while waiting:
        id = waiting.pop()
        for needed in book.options[id].needs:
            if needed == option.id:
                trail = [id]
                while trail[-1] != option.id:
                    trail.append(needed_by[trail[-1]])
                return [*trail[::-1], option.id]
            if needed in book.options and needed not in needed_by:
                needed_by[needed] = id
                waiting.append(needed)
    return []


def _check_choices(book: Rulebook, tree: Mapping, report: Report) -> None:
    in_circles: set[str] = set()
    for option in book.options.values():
        if option.declared_in != book.id:
            continue
        circle = _circle(book, option) if option.id not in in_circles else []
        if circle:
            in_circles.update(circle)
            report.error(
                "R232",
                f"option `{option.id}` needs itself",
                option.needs_spans[circle[1]][0],
                f"the circle: {' → '.join(circle)}",
                "none of them could ever be chosen",
                help="leave one of the `needs` out",
            )
        for needed, value in option.needs.items():
            if needed not in book.options:
                report.error(
                    "R214",
                    f"option `{option.id}` needs an option `{needed}` that is not there",
                    option.needs_spans[needed][0],
                    help=suggestion(needed, book.options, "options"),
                    subject=needed,
                )
            elif value not in book.options[needed].values:
                _no_value(report, book.options[needed], value, option.needs_spans[needed][1])
    for key, node in entries(tree.get("readings")):
        reading = book.readings[key.value]
        for name, value in reading.choices.items():
            if name not in book.options:
                report.error(
                    "R213",
                    f"reading `{reading.id}` names no option `{name}`",
                    reading.choice_spans[name],
                    help=suggestion(name, [*book.options, *RESERVED], "options"),
                    subject=name,
                )
            elif value not in book.options[name].values:
                _no_value(report, book.options[name], value, fields(node)[name].span)
