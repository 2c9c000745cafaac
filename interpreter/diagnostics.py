"""A fault is data; how it is shown is somebody else's work (``rendering``).

Every stage returns its value and reports its faults here. A stage never prints
and never stops at the first mistake. Codes are grouped by stage:

    D1xx  the file as text and YAML         S1xx  its shape (the schemas)
    R2xx  inheritance, options, readings    B3xx  boards and set-ups
    T1xx  terms: words, sorts, sides        V4xx  what every game promises
    C5xx  citations                         Y6xx  stories
    N7xx  positions and moves as text       P8xx  records of play
    O9xx  what was asked on the command line or of the door

Each code has a page in ``codes/`` and a fixture that shows it.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from difflib import get_close_matches

from interpreter.source import NOWHERE, Span

ERROR = "error"
WARNING = "warning"


@dataclass(frozen=True)
class Label:
    """A second place that explains the first, with a few words."""

    span: Span
    text: str


@dataclass(frozen=True)
class Diagnostic:
    """One fault: what, where, why, and what to change.

    ``message`` and ``notes`` are lower case without a full stop; ``help`` says
    what to write instead. ``span`` is the smallest text that shows the fault.
    """

    code: str
    severity: str
    message: str
    span: Span
    labels: tuple[Label, ...] = ()
    notes: tuple[str, ...] = ()
    help: str = ""


class Fault(Exception):
    """Raised where a caller asked for something that cannot be had (bad text, bad file).

    It carries the diagnostics; the command prints them and exits with 1.
    """

    def __init__(self, diagnostics: Iterable[Diagnostic]) -> None:
        self.diagnostics = tuple(diagnostics)
        super().__init__("; ".join(f"{d.code}: {d.message}" for d in self.diagnostics))


@dataclass
class Report:
    """The diagnostics of one run, in the order they were found; equal ones are kept once."""

    diagnostics: list[Diagnostic] = field(default_factory=list)
    _seen: set[tuple[str, str, int, str]] = field(default_factory=set, repr=False)

    def add(self, diagnostic: Diagnostic) -> None:
        span = diagnostic.span
        key = (diagnostic.code, span.source.name, span.start, diagnostic.message)
        if key not in self._seen:
            self._seen.add(key)
            self.diagnostics.append(diagnostic)

    def error(
        self, code: str, message: str, span: Span, *notes: str, help: str = "", labels: Iterable[Label] = ()
    ) -> None:
        self.add(Diagnostic(code, ERROR, message, span, tuple(labels), notes, help))

    def warning(
        self, code: str, message: str, span: Span, *notes: str, help: str = "", labels: Iterable[Label] = ()
    ) -> None:
        self.add(Diagnostic(code, WARNING, message, span, tuple(labels), notes, help))

    def extend(self, other: Iterable[Diagnostic]) -> None:
        for diagnostic in other:
            self.add(diagnostic)

    @property
    def errors(self) -> list[Diagnostic]:
        return [d for d in self.diagnostics if d.severity == ERROR]

    def __iter__(self) -> Iterator[Diagnostic]:
        return iter(self.diagnostics)

    def __len__(self) -> int:
        return len(self.diagnostics)

    def raise_errors(self) -> None:
        """Raise ``Fault`` with all errors, if there are any."""
        if self.errors:
            raise Fault(self.errors)


def fault(code: str, message: str, span: Span = NOWHERE, *notes: str, help: str = "") -> Fault:
    """A ``Fault`` with one error in it."""
    return Fault([Diagnostic(code, ERROR, message, span, (), notes, help)])


def nearest(word: str, known: Iterable[str]) -> str | None:
    """The known name that ``word`` was most likely meant to be, or None."""
    known = sorted(set(known))
    lowered = word.lower()
    if lowered != word and lowered in known:
        return lowered
    swapped = word.replace("_", "-")
    if swapped != word and swapped in known:
        return swapped
    matches = get_close_matches(word, known, n=1, cutoff=0.6)
    return matches[0] if matches else None


def suggestion(word: str, known: Iterable[str], what: str = "") -> str:
    """Help text: the nearest known name, else the list of what there is (when it is short)."""
    known = sorted(set(known))
    match = nearest(word, known)
    if match is not None:
        return f"did you mean `{match}`?"
    if known and len(known) <= 12:
        return (f"{what} here: " if what else "known here: ") + ", ".join(known)
    return ""
