"""Is every rule cited, and every source used?

Faults: C501 a clause without its rule in words · C502 a clause without a citation ·
C503 a source that is not in the bibliography · C504 `house` without `why` · C505 a
source that nothing cites (warning) · C506 an option without its question. What is
missing is an error in a shipped ruleset, a warning in a user's own.
"""

from __future__ import annotations

from collections.abc import Iterable

from interpreter.diagnostics import ERROR, WARNING, Diagnostic, Report, suggestion
from interpreter.document.types import Mapping
from interpreter.ruleset.extends import Built
from interpreter.ruleset.from_document import citations as cites
from interpreter.ruleset.from_document import entries, text_of
from interpreter.ruleset.library import Library
from interpreter.ruleset.patching import CONDITIONS
from interpreter.ruleset.types import CLAUSE_LISTS, Citation, Option
from interpreter.source import Span


def citations(built: Built, report: Report, used: set[str]) -> None:
    """Check what this file itself says (its parents are checked under their own names)."""
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
        _known(clause.because, book.sources, report)
    for option in book.options.values():
        if option.declared_in == book.id:
            if not option.ask:
                missing("C506", f"option `{option.id}` does not say its question", option.span, "add `ask: …?`")
            _option(option, book.content, missing, report, book.sources)
        for value in option.values.values():
            used |= _sources_in(value.patch.node) | {c.source for c in value.patch.because if c.source}
    for reading in book.readings.values():
        used |= {c.source for c in reading.because if c.source}
        _known(reading.because, book.sources, report)
    for doubt in book.doubts.values():
        used |= {c.source for c in doubt.because if c.source}
        _known(doubt.because, book.sources, report)
    for story in book.stories:
        used |= {c.source for c in cites(story.get("because")) if c.source}
        _known(cites(story.get("because")), book.sources, report)
    used |= {c.source for c in cites(book.root.get("because")) if c.source} | {
        c.source for c in cites(book.content.board.get("because")) if c.source
    }
    _unused_own(built, used, report)


def _unused_own(built: Built, used: set[str], report: Report) -> None:
    for key, _ in entries(built.book.root.get("sources")):
        if key.value not in used:
            report.warning("C505", f"nothing cites the source `{key.value}`", key.span, help="cite it, or leave it out")


def _option(option: Option, content: object, missing: object, report: Report, sources: object) -> None:
    assert callable(missing) and isinstance(sources, dict)
    for value in option.values.values():
        _known(value.patch.because, sources, report)
        for section in CLAUSE_LISTS:
            for key, node in entries(value.patch.node.get(section)):
                assert isinstance(node, Mapping)
                _known(cites(node.get("because")), sources, report)
                new = (
                    any(name in node for name in (*CONDITIONS, "prefer", "most", "least", "do", "result"))
                    or (section == "may"
                    and "way" in node)
                )
                anew = any(name in node for name in CONDITIONS) or (new and not _exists(content, section, key.value))
                if anew and not text_of(node.get("rule")):
                    missing("C501", f"clause `{key.value}` does not say its rule in words", key.span, "add `rule: …`")
                if anew and not (cites(node.get("because")) or value.patch.because):
                    missing(
                        "C502",
                        f"clause `{key.value}` cites nothing",
                        key.span,
                        "add `because: …` to it or to the value",
                    )


def _exists(content: object, section: str, id: str) -> bool:
    from interpreter.ruleset.types import Content

    return isinstance(content, Content) and content.clause(section, id) is not None


def _sources_in(node: Mapping) -> set[str]:
    found = set()
    for section in CLAUSE_LISTS:
        for _, clause in entries(node.get(section)):
            if isinstance(clause, Mapping):
                found |= {c.source for c in cites(clause.get("because")) if c.source}
    return found


def _known(because: Iterable[Citation], sources: object, report: Report) -> None:
    assert isinstance(sources, dict)
    for citation in because:
        if citation.source and citation.source not in sources:
            report.error(
                "C503",
                f"no source `{citation.source}` in the bibliography",
                citation.span,
                help=suggestion(citation.source, sources, "sources"),
            )
        if citation.grade == "house" and not citation.why:
            report.error("C504", "a house rule needs its reason", citation.span, help="add `why: …`")
        if citation.grade != "house" and not citation.source:
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
