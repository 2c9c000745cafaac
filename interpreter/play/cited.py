"""Is every rule cited, and every source used?

Faults: C501 a clause without its rule in words · C502 a clause without a citation ·
C503 a source that is not in the bibliography · C504 `house` without `why` · C505 a
source that nothing cites (warning) · C506 an option without its question. What is
missing is an error in a shipped ruleset, a warning in a user's own.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from collections.abc import Mapping as AnyMapping

from interpreter.diagnostics import ERROR, WARNING, Diagnostic, Report, suggestion
from interpreter.document.types import Mapping
from interpreter.ruleset.extends import Built
from interpreter.ruleset.from_document import citations as cites
from interpreter.ruleset.from_document import entries, text_of
from interpreter.ruleset.library import Library
from interpreter.ruleset.patching import CONDITIONS
from interpreter.ruleset.types import CLAUSE_LISTS, Citation, Option, Rulebook
from interpreter.source import Span

Missing = Callable[[str, str, Span, str], None]
"""(code, message, span, help): report what is missing."""


def citations(built: Built, report: Report, used: set[str], complete: bool) -> None:
    """Check what this file itself says (its parents are checked under their own names).

    Args:
        used: the sources that are cited are added to it.
        complete: nothing else is wrong, so that a source nobody cites is really not cited.
    """
    book = built.book
    severity = ERROR if book.shipped else WARNING

    def missing(code: str, message: str, span: Span, help: str) -> None:
        report.add(Diagnostic(code, severity, message, span, (), (), help))

    for clause in book.content.all_clauses():
        used |= {c.source for c in clause.because if c.source}
        if clause.origin != book.id:
            continue
        if not clause.rule:
            missing("C501", f"clause `{clause.id}` does not say its rule in words", clause.span, "add `rule: …`")
        if not clause.because:
            missing(
                "C502",
                f"clause `{clause.id}` cites nothing",
                clause.span,
                "add `because: {source: …, at: …, grade: …}`, or one for the whole file",
            )
        known(clause.because, book.sources, report)
    for option in book.options.values():
        if option.declared_in == book.id:
            if not option.ask:
                missing("C506", f"option `{option.id}` does not say its question", option.span, "add `ask: …?`")
            _option(option, book, missing, report)
        for value in option.values.values():
            used |= _sources_in(value.patch.node) | {c.source for c in value.patch.because if c.source}
    for reading in book.readings.values():
        used |= {c.source for c in reading.because if c.source}
        known(reading.because, book.sources, report)
    for doubt in book.doubts.values():
        used |= {c.source for c in doubt.because if c.source}
        known(doubt.because, book.sources, report)
    for story in book.stories:
        used |= {c.source for c in cites(story.get("because")) if c.source}
        known(cites(story.get("because")), book.sources, report)
    for because in (cites(book.root.get("because")), cites(book.content.board.get("because"))):
        used |= {c.source for c in because if c.source}
        known(because, book.sources, report)
    if complete and not report.errors:
        _unused_own(built, used, report)


def _unused_own(built: Built, used: set[str], report: Report) -> None:
    for key, _ in entries(built.book.root.get("sources")):
        if key.value not in used:
            report.warning("C505", f"nothing cites the source `{key.value}`", key.span, help="cite it, or leave it out")


def _option(option: Option, book: Rulebook, missing: Missing, report: Report) -> None:
    sources = book.sources
    for value in option.values.values():
        known(value.patch.because, sources, report)
        for section in CLAUSE_LISTS:
            for key, node in entries(value.patch.node.get(section)):
                if not isinstance(node, Mapping):
                    continue
                known(cites(node.get("because")), sources, report)
                whole = any(name in node for name in ("prefer", "most", "least", "do", "result", "way"))
                new = whole and book.content.clause(section, key.value) is None
                anew = new or any(name in node for name in CONDITIONS)
                if anew and not text_of(node.get("rule")):
                    missing("C501", f"clause `{key.value}` does not say its rule in words", key.span, "add `rule: …`")
                if anew and not (cites(node.get("because")) or value.patch.because):
                    missing(
                        "C502",
                        f"clause `{key.value}` cites nothing",
                        key.span,
                        "add `because: …` to it or to the value",
                    )


def _sources_in(node: Mapping) -> set[str]:
    found = set()
    for section in CLAUSE_LISTS:
        for _, clause in entries(node.get(section)):
            if isinstance(clause, Mapping):
                found |= {c.source for c in cites(clause.get("because")) if c.source}
    return found


def known(because: Iterable[Citation], sources: AnyMapping[str, Mapping], report: Report) -> None:
    """C503 and C504: is each citation's source in the bibliography, and does it say what its grade needs?"""
    for citation in because:
        if citation.source and citation.source not in sources:
            report.error(
                "C503",
                f"no source `{citation.source}` in the bibliography",
                citation.source_span,
                help=suggestion(citation.source, sources, "sources"),
                subject=citation.source,
            )
        if citation.grade == "house" and not citation.why:
            report.error("C504", "a house rule needs its reason", citation.span, help="add `why: …`")
        if citation.grade not in ("house", "") and not citation.source:
            report.error(
                "C504",
                f"the grade `{citation.grade}` needs a source",
                citation.span,
                help="add `source: …`, or grade it house with `why`",
            )


def unused_sources(library: Library, used: set[str], report: Report) -> None:
    """C505: sources of the shipped bibliography that no shipped file cites."""
    for path in library.source_files(None):
        tree = library.read(path, "sources").tree
        report.extend(library.read(path, "sources").report)
        for key, _ in entries(tree.get("sources")) if tree is not None else []:
            if key.value not in used:
                report.warning(
                    "C505", f"nothing cites the source `{key.value}`", key.span, help="cite it, or leave it out"
                )
