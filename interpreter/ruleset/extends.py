"""A file and its parents become one rulebook, its options still open.

Faults: R201 unknown parent, R202 a circle of parents, R203 `with` names no option
of the parent, R205 a value no option has, R210 an option's default is no value of
it, R212 unknown board, R213 a reading names no option, R214 `needs` names no option.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from pathlib import Path

from interpreter.diagnostics import Label, Report, suggestion
from interpreter.document.types import Mapping, Scalar
from interpreter.ruleset import from_document
from interpreter.ruleset.from_document import citations, entries, fields, text_of
from interpreter.ruleset.library import Library
from interpreter.ruleset.patching import Key, patched
from interpreter.ruleset.types import Citation, Content, File, Option, Rulebook
from interpreter.source import NOWHERE, Span


@dataclass(frozen=True)
class Built:
    """A rulebook with what each inherited option may no longer touch."""

    book: Rulebook
    closed: dict[str, frozenset[Key]]


def from_id(library: Library, id: str, report: Report, span: Span = NOWHERE) -> Built | None:
    """The shipped rulebook ``id``. Faults: R201 and those of the files."""
    path = library.find(id)
    if path is None:
        report.error("R201", f"no ruleset `{id}`", span, help=suggestion(id, library.ids()))
        return None
    return from_path(library, path, report)


def from_path(library: Library, path: Path, report: Report, children: tuple[File, ...] = ()) -> Built | None:
    """The rulebook in a file, its parents merged in. None if it or a parent cannot be read."""
    read = library.read(path, "ruleset")
    report.extend(read.report)
    if read.tree is None or read.report.errors:
        return None
    tree, file = read.tree, read.file
    root = library.root_of(path, file.id)
    parent = _parent(library, tree, path, root, report, (*children, file))
    if parent is None and "extends" in tree:
        return None
    return _merged(library, tree, file, root, parent, report)


def _parent(
    library: Library, tree: Mapping, path: Path, root: Path, report: Report, children: tuple[File, ...]
) -> Built | None:
    name = tree.get("extends")
    if not isinstance(name, Scalar):
        return None
    for child in children:
        if child.id == name.value and (
            child is children[-1]
            or library.find(name.value, root, path) is None
            or library.find(name.value, root, path) == child.path
        ):
            found = library.find(name.value, root, path)
            if found is None or found.resolve() in {c.path.resolve() for c in children}:
                circle = " → ".join([c.id for c in children[children.index(child) :]] + [name.value])
                report.error("R202", f"`{name.value}` extends itself", name.span, f"the circle: {circle}")
                return None
    found = library.find(name.value, root, path)
    if found is None:
        known = set(library.ids()) | {p.stem for p in root.glob("*.yaml") if p != path}
        report.error(
            "R201", f"no ruleset `{name.value}` to extend", name.span, help=suggestion(name.value, known, "rulesets")
        )
        return None
    return from_path(library, found, report, children)


def _merged(library: Library, tree: Mapping, file: File, root: Path, parent: Built | None, report: Report) -> Built:
    because = citations(tree.get("because"))
    book = parent.book if parent is not None else None
    base = book.content if book is not None else Content()
    tree = _with_board_file(library, tree, root, report)
    content, changes = patched(base, tree, because, file.id, report)
    options = _options(tree, book, because, file, report)
    readings = dict(book.readings) if book is not None else {}
    readings.update({k.value: from_document.reading(k, v, because) for k, v in entries(tree.get("readings"))})
    doubts = dict(book.doubts) if book is not None else {}
    doubts.update({k.value: from_document.doubt(k, v, because) for k, v in entries(tree.get("doubts"))})
    own_options = {key.value for key, _ in entries(tree.get("options"))}
    closed = {
        id: frozenset()
        if id in own_options
        else (parent.closed.get(id, frozenset()) if parent is not None else frozenset()) | changes.changed
        for id in options
    }
    stories = tree.get("stories")
    title_node = tree.get("title")
    merged = Rulebook(
        id=file.id,
        root=tree,
        playable=text_of(tree.get("playable")) != "no",
        shipped=file.shipped,
        title={k.value: text_of(v) for k, v in entries(title_node)} or {"en": text_of(title_node) or file.id},
        summary=text_of(tree.get("summary")),
        version=text_of(tree.get("version")),
        files=(*(book.files if book is not None else ()), file),
        content=content,
        options=options,
        readings=readings,
        doubts=doubts,
        stories=tuple(s for s in getattr(stories, "items", ()) if isinstance(s, Mapping)),
        match={**(book.match if book is not None else {}), **fields(tree.get("match"))},
        sources={**(book.sources if book is not None else {}), **_sources(library, tree, root, report)},
    )
    _check_choices(merged, tree, report)
    return Built(merged, closed)


def _with_board_file(library: Library, tree: Mapping, root: Path, report: Report) -> Mapping:
    """Replace ``board: boards/x`` by what the board file says."""
    name = tree.get("board")
    if not isinstance(name, Scalar):
        return tree
    path = library.find(name.value, root)
    if path is None:
        report.error(
            "R212", f"no board `{name.value}`", name.span, help=suggestion(name.value, library.board_ids(), "boards")
        )
        board = Mapping((), name.span)
    else:
        read = library.read(path, "board")
        report.extend(read.report)
        found = read.tree if read.tree is not None and not read.report.errors else Mapping((), name.span)
        board = Mapping(tuple((k, v) for k, v in found.entries if k.value != "board"), found.span)
    return Mapping(tuple((k, board if k.value == "board" else v) for k, v in tree.entries), tree.span)


def _sources(library: Library, tree: Mapping, root: Path, report: Report) -> dict[str, Mapping]:
    found: dict[str, Mapping] = {}
    for path in library.source_files(root):
        read = library.read(path, "sources")
        report.extend(read.report)
        if read.tree is not None:
            found.update({k.value: v for k, v in entries(read.tree.get("sources")) if isinstance(v, Mapping)})
    found.update({k.value: v for k, v in entries(tree.get("sources")) if isinstance(v, Mapping)})
    return found


def _options(
    tree: Mapping, book: Rulebook | None, because: tuple[Citation, ...], file: File, report: Report
) -> dict[str, Option]:
    options: dict[str, Option] = dict(book.options) if book is not None else {}
    for key, node in entries(tree.get("with")):
        option = options.get(key.value)
        if option is None:
            report.error(
                "R203",
                f"the parent has no option `{key.value}`",
                key.span,
                help=suggestion(key.value, options, "options"),
            )
        elif text_of(node) not in option.values:
            report.error(
                "R205",
                f"option `{key.value}` has no value `{text_of(node)}`",
                node.span,
                help=suggestion(text_of(node), option.values, "values"),
            )
        else:
            options[key.value] = replace(option, default=text_of(node))
    for key, node in entries(tree.get("options")):
        option = from_document.option(key, node, because, file.id)
        options.pop(key.value, None)
        options[key.value] = option
        if option.default not in option.values:
            default = fields(node).get("default")
            report.error(
                "R210",
                f"the default of option `{option.id}` is not one of its values",
                default.span if default is not None else key.span,
                help=suggestion(option.default, option.values, "values"),
            )
    return options


def _check_choices(book: Rulebook, tree: Mapping, report: Report) -> None:
    for option in book.options.values():
        for needed, value in option.needs.items():
            span = option.needs_spans.get(needed, option.span)
            if needed not in book.options:
                report.error(
                    "R214",
                    f"option `{option.id}` needs an option `{needed}` that is not there",
                    span,
                    help=suggestion(needed, book.options, "options"),
                )
            elif value not in book.options[needed].values:
                report.error(
                    "R205",
                    f"option `{needed}` has no value `{value}`",
                    span,
                    help=suggestion(value, book.options[needed].values, "values"),
                )
    for key, node in entries(tree.get("readings")):
        reading = book.readings[key.value]
        for name, value in reading.choices.items():
            span = reading.choice_spans[name]
            if name not in book.options:
                report.error(
                    "R213",
                    f"reading `{reading.id}` names no option `{name}`",
                    span,
                    help=suggestion(name, book.options, "options"),
                )
            elif value not in book.options[name].values:
                where = fields(node)[name].span
                report.error(
                    "R205",
                    f"option `{name}` has no value `{value}`",
                    where,
                    help=suggestion(value, book.options[name].values, "values"),
                    labels=[Label(book.options[name].span, "the option is declared here")],
                )
