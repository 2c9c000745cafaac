"""Child over parent, value over ruleset: how one content is laid over another.

A new clause goes last in its list, or ``before:`` another; a patched one keeps its
place and merges by field. A patch that gives ``when``, ``after`` or ``pattern`` first
clears those three and ``at``, ``rule`` and ``because``, so that prose and condition
cannot part; one that gives ``rule`` is cited as it says itself, or its file.
"""

from __future__ import annotations

from collections.abc import Mapping as AnyMapping
from dataclasses import dataclass, field, replace

from interpreter.diagnostics import Label, Report, is_slip, meant, suggestion
from interpreter.document.types import Mapping, Node, Scalar
from interpreter.ruleset.from_document import RESERVED, citations, entries, fields, text_of, words
from interpreter.ruleset.types import CLAUSE_LISTS, MAY_NOT, Citation, Clause, Content, Define

CONDITIONS = ("when", "after", "pattern")
UNCHOSEN = ("rule", "because", "before")
"""Fields that two choices may both set: they change no rule."""
CLEARED = (*CONDITIONS, "at", "rule", "because")

Key = tuple[str, ...]


@dataclass
class Changes:
    """What a patch did: the keys it set on things that were there, what it added (with which keys), what it dropped."""

    changed: set[Key] = field(default_factory=set)
    added: set[Key] = field(default_factory=set)
    anew: set[Key] = field(default_factory=set)
    dropped: set[str] = field(default_factory=set)


def patched(
    content: Content,
    patch: Mapping,
    because: tuple[Citation, ...],
    origin: str,
    report: Report,
    gone: frozenset[str] = frozenset(),
) -> tuple[Content, Changes]:
    """Lay ``patch`` over ``content``. Clauses in ``gone`` have been left out before; to do so again is no fault.

    Faults: R204 (`without` names no clause), R208 (`before` names no clause).
    """
    changes = Changes()
    content = _without(content, patch, changes, report, gone)
    clauses = dict(content.clauses)
    for section in CLAUSE_LISTS:
        if section in patch:
            clauses[section] = _clauses(content.clauses[section], section, patch, because, origin, changes, report)
    define = dict(content.define)
    for key, node in entries(patch.get("define")):
        define[key.value] = _define(key, node, origin)
        changes.changed.add(("define", key.value))
    return (
        Content(
            board={**content.board, **fields(patch.get("board"))},
            pieces=patch.get("pieces") or content.pieces,
            sides=_sides(content.sides, patch, changes),
            throw=_merged(content.throw, patch, "throw", changes),
            start=_merged(content.start, patch, "start", changes),
            phases=_named(content.phases, patch, "phases", changes),
            memory=_named(content.memory, patch, "memory", changes),
            define=define,
            clauses=clauses,
        ),
        changes,
    )


def _without(content: Content, patch: Mapping, changes: Changes, report: Report, gone: frozenset[str]) -> Content:
    names = words(patch.get("without"))
    if not names:
        return content
    known = {clause.id for clause in content.all_clauses()}
    for name in names:
        if name.value not in known and name.value not in gone:
            report.error(
                "R204",
                f"no clause `{name.value}` to leave out",
                name.span,
                help=suggestion(name.value, known, "clauses"),
                subject=name.value,
            )
        changes.dropped.add(name.value)
    dropped = {name.value for name in names}
    return replace(
        content,
        clauses={
            section: tuple(clause for clause in clauses if clause.id not in dropped)
            for section, clauses in content.clauses.items()
        },
    )


def _clauses(
    existing: tuple[Clause, ...],
    section: str,
    patch: Mapping,
    because: tuple[Citation, ...],
    origin: str,
    changes: Changes,
    report: Report,
) -> tuple[Clause, ...]:
    clauses = list(existing)
    for key, node in entries(patch.get(section)):
        written = fields(node)
        own = citations(written.get("because"))
        old = next((clause for clause in clauses if clause.id == key.value), None)
        if old is None:
            changes.added.add((section, key.value))
            changes.anew |= {(section, key.value, name) for name in written if name not in UNCHOSEN}
            new = Clause(section, key.value, written, own or because, key.span, origin)
            before = written.get("before")
            place = len(clauses)
            if isinstance(before, Scalar):
                ids = [clause.id for clause in clauses]
                if before.value in ids:
                    place = ids.index(before.value)
                else:
                    report.error(
                        "R208",
                        f"no clause `{before.value}` in `{section}` to stand before",
                        before.span,
                        help=suggestion(before.value, ids, "clauses"),
                        subject=before.value,
                    )
            clauses.insert(place, new)
            continue
        kept = dict(old.fields)
        cites = old.because
        if any(name in written for name in CONDITIONS):
            kept = {name: value for name, value in kept.items() if name not in CLEARED}
            cites = because
        elif "rule" in written:
            cites = because or cites  # who says a sentence goes with the sentence
        changes.changed |= {(section, key.value, name) for name in written if name not in UNCHOSEN}
        # A clause stands where its rule was written; a patch of a detail does not move it.
        rewritten = any(name in written for name in (*CONDITIONS, "rule"))
        span = key.span if rewritten else old.span
        clauses[clauses.index(old)] = Clause(section, key.value, {**kept, **written}, own or cites, span, origin)
    return tuple(clauses)


def _define(key: Scalar, node: Node, origin: str) -> Define:
    if isinstance(node, Scalar):
        return Define(key.value, node, "", key.span, origin)
    parts = fields(node)
    written = parts.get("is")
    term = written if isinstance(written, Scalar) else Scalar("", node.span)
    return Define(key.value, term, text_of(parts.get("says")), key.span, origin)


def _merged(old: AnyMapping[str, Node], patch: Mapping, section: str, changes: Changes) -> dict[str, Node]:
    written = fields(patch.get(section))
    changes.changed |= {(section, name) for name in written}
    return {**old, **written}


def _named(
    old: AnyMapping[str, tuple[Scalar, AnyMapping[str, Node]]], patch: Mapping, section: str, changes: Changes
) -> dict[str, tuple[Scalar, AnyMapping[str, Node]]]:
    """Phases may be a list of names; phases and memories merge by field."""
    merged = dict(old)
    node = patch.get(section)
    listed = [(word, None) for word in words(node)] if not isinstance(node, Mapping) else list(node.entries)
    for key, value in listed:
        before = merged[key.value][1] if key.value in merged else {}
        written = fields(value)
        if key.value in merged:
            changes.changed |= {(section, key.value, name) for name in written}
        else:
            changes.added.add((section, key.value))
            changes.anew |= {(section, key.value, name) for name in written}
        merged[key.value] = (key, {**before, **written})
    return merged


def _sides(
    old: AnyMapping[str, AnyMapping[str, Node]], patch: Mapping, changes: Changes
) -> dict[str, AnyMapping[str, Node]]:
    """``each`` is kept under its own name and laid under every side when the game is made."""
    merged: dict[str, AnyMapping[str, Node]] = dict(old)
    for key, node in entries(patch.get("sides")):
        written = fields(node)
        changes.changed |= {("sides", key.value, name) for name in written}
        merged[key.value] = {**merged.get(key.value, {}), **written}
    return merged


def check_whole(content: Content, report: Report) -> None:
    """R206: every clause must be whole, so that a misspelt id is not silently a new clause.

    Also R209, fields that do not go together, and R233.
    """
    before = len(report.errors)
    wanted = {
        MAY_NOT: (("when", "after"), "a `may-not` needs `when` or `after`"),
        "must": (("prefer", "after", "most", "least"), "a `must` needs one of `prefer`, `after`, `most`, `least`"),
        "then": (("do",), "a `then` needs `do`"),
        "ends": (("result",), "an `ends` needs `result`"),
    }
    for section, (names, message) in wanted.items():
        ids = [clause.id for clause in content.clauses[section]]
        for clause in content.clauses[section]:
            given = [name for name in names if name in clause.fields]
            if not given:
                others = [id for id in ids if id != clause.id]
                report.error(
                    "R206",
                    f"clause `{clause.id}` is not whole: {message}",
                    clause.span,
                    f"no parent or earlier value has a clause `{clause.id}` in `{section}` to patch",
                    help=meant(clause.id, others),
                    subject=clause.id,
                )
            elif section == "must" and len(given) > 1:
                report.error(
                    "R209",
                    f"`{clause.id}` has both `{given[0]}` and `{given[1]}`",
                    clause.span,
                    help="make two clauses of it",
                )
            elif section == MAY_NOT and len(given) > 1:
                report.error(
                    "R209", f"`{clause.id}` has both `when` and `after`", clause.span, help="make two clauses of it"
                )
            if section == "ends" and "when" in clause.fields and "pattern" in clause.fields:
                report.error(
                    "R209", f"`{clause.id}` has both `when` and `pattern`", clause.span, help="make two clauses of it"
                )
    for clause in content.clauses["may"]:
        if "way" not in clause.fields:
            for name in ("who", "along", "directions", "region"):
                if name in clause.fields:
                    ids = [other.id for other in content.clauses["may"] if other.id != clause.id]
                    report.error(
                        "R206",
                        f"clause `{clause.id}` is not whole: it says `{name}` but has no `way`",
                        clause.span,
                        "no parent or earlier value has such a clause to patch; without a way no man moves",
                        help=meant(clause.id, ids),
                        subject=clause.id,
                    )
                    break
    if len(report.errors) == before:
        _nearly_the_same(content, report)


def _nearly_the_same(content: Content, report: Report) -> None:
    """R233: a patch that names no clause, but nearly names one, would silently be a clause of its own."""
    for section in CLAUSE_LISTS:
        listed = content.clauses[section]
        for i, first in enumerate(listed):
            for other in listed[i + 1 :]:
                if first.origin == other.origin or not is_slip(first.id, other.id):
                    continue
                new, old = (first, other) if "=" in first.origin and "=" not in other.origin else (other, first)
                report.error(
                    "R233",
                    f"`{new.id}` would be a new clause beside `{old.id}`",
                    new.span,
                    f"`{old.id}` comes from {old.origin}; a patch must name it exactly",
                    help=f"did you mean `{old.id}`? if not, choose a name that is less like it",
                    labels=[Label(old.span, "the other clause")],
                    subject=new.id,
                )


__all__ = ["Changes", "RESERVED", "check_whole", "patched"]
