"""A fault is data; how it is shown is somebody else's work (``rendering``).

Every stage returns its value and reports its faults here. A stage never prints
and never stops at the first mistake. Codes are grouped by stage:

    D1xx  the file as text and YAML         S1xx  its shape (the schemas)
    R2xx  inheritance, options, readings    B3xx  boards and set-ups
    T1xx  terms: words, sorts, sides        V4xx  what every game promises
    C5xx  citations                         Y6xx  stories
    N7xx  positions and moves as text       P8xx  records of play
    F6xx  files and positions of other programs
    Q5xx  studies
    O9xx  what was asked on the command line or of the door

Each code has a page in ``codes/`` and a fixture that shows it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field, replace
from difflib import SequenceMatcher
from functools import lru_cache

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
    ``subject`` is the name in question where the fault is that nothing has that
    name: however often it is written, it is one cause (see ``one_per_cause``).
    """

    code: str
    severity: str
    message: str
    span: Span
    labels: tuple[Label, ...] = ()
    notes: tuple[str, ...] = ()
    help: str = ""
    subject: str = ""


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
        self,
        code: str,
        message: str,
        span: Span,
        *notes: str,
        help: str = "",
        labels: Iterable[Label] = (),
        subject: str = "",
    ) -> None:
        self.add(Diagnostic(code, ERROR, message, span, tuple(labels), notes, help, subject))

    def warning(
        self, code: str, message: str, span: Span, *notes: str, help: str = "", labels: Iterable[Label] = ()
    ) -> None:
        self.add(Diagnostic(code, WARNING, message, span, tuple(labels), notes, help))

    def extend(self, other: Iterable[Diagnostic]) -> None:
        for diagnostic in other:
            self.add(diagnostic)

    def keep(self, wanted: Callable[[Diagnostic], bool]) -> None:
        """Leave out what is not wanted."""
        self.diagnostics = [d for d in self.diagnostics if wanted(d)]

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


# ---- one cause, one fault -----------------------------------------------------------------------


def one_per_cause(diagnostics: Iterable[Diagnostic]) -> list[Diagnostic]:
    """Faults about the same unknown name become one: the first, with the other places as labels."""
    kept: list[Diagnostic] = []
    first: dict[str, int] = {}
    for d in diagnostics:
        if not d.subject or d.subject not in first:
            if d.subject:
                first[d.subject] = len(kept)
            kept.append(d)
            continue
        at = first[d.subject]
        known = [kept[at].span, *(label.span for label in kept[at].labels)]
        if d.span not in known:
            also = Label(d.span, f"`{d.subject}` is not known here either")
            kept[at] = replace(kept[at], labels=(*kept[at].labels, also))
    return kept


def in_order(diagnostics: Iterable[Diagnostic]) -> list[Diagnostic]:
    """By file (in the order in which files first come), then by place."""
    found = list(diagnostics)
    files = list(dict.fromkeys(d.span.source.name for d in found))
    return sorted(found, key=lambda d: (files.index(d.span.source.name), d.span.start))


# ---- what was meant -------------------------------------------------------------------------------

MOST_SUGGESTED = 5
MOST_LISTED = 12
LONGEST_COMPARED = 60


def alike(word: str, known: Iterable[str]) -> list[str]:
    """The known names that ``word`` was most likely meant to be: all that are equally near, nearest looking first.

    Near is by letters left out, doubled, exchanged or mistaken: one of them in a short
    name, up to three in a long one; else by what the two have in common.
    """
    return list(_alike(word, frozenset(known)))


@lru_cache(maxsize=1 << 10)
def _alike(word: str, known: frozenset[str]) -> tuple[str, ...]:
    """A rulebook is lowered many times, and the same name missed each time."""
    names = sorted(known - {word})
    plain = _folded(word)
    first = word.split(" ")[0]
    same = [name for name in names if _folded(name) == plain or (name == first and " " in word)]
    if same:
        return tuple(same)
    most, letters = min(1 + len(word) // 5, 3), set(plain)
    steps = {
        name: _steps(plain, _folded(name), most)
        for name in names
        if abs(len(name) - len(plain)) <= most and len(letters ^ set(_folded(name))) <= 2 * most
    }
    least = min(steps.values(), default=most + 1)
    found = [name for name, n in steps.items() if n == least] if least <= most else _looks_like(plain, names)
    ratio = {name: SequenceMatcher(None, plain, name).ratio() for name in found}
    return tuple(sorted(found, key=lambda name: (-ratio[name], name)))


def _looks_like(word: str, names: list[str]) -> list[str]:
    """The names that have most in common with a word, if that is much."""
    matcher = SequenceMatcher(None, "", word)
    best, found = 0.7, list[str]()
    for name in names if len(word) <= LONGEST_COMPARED else ():
        matcher.set_seq1(name)
        if matcher.real_quick_ratio() >= best and matcher.quick_ratio() >= best:
            ratio = matcher.ratio()
            found = [name] if ratio > best else [*found, name] if ratio == best else found
            best = max(best, ratio)
    return found


def _folded(name: str) -> str:
    return name.lower().replace("_", "-").replace(" ", "-")


def _steps(a: str, b: str, most: int) -> int:
    """How many letters must be left out, put in, changed or exchanged with their neighbour to make b of a."""
    before, row = list[int](), list(range(len(b) + 1))
    for i, x in enumerate(a, start=1):
        before, above, row = row, before, [i]
        for j, y in enumerate(b, start=1):
            cost = min(before[j] + 1, row[j - 1] + 1, before[j - 1] + (x != y))
            if i > 1 and j > 1 and x == b[j - 2] and a[i - 2] == y:
                cost = min(cost, above[j - 2] + 1)
            row.append(cost)
        if min(row) > most and (not before or min(before) > most):
            return most + 1
    return row[-1]


@lru_cache(maxsize=1 << 15)
def is_slip(word: str, name: str) -> bool:
    """Are the two names one slip of the pen apart?

    A letter left out, put in or exchanged with its neighbour; in long names a wrong one
    as well (`step` and `stop` are two names, and so are `row-1` and `row-2`).
    """
    if [c for c in word if not c.isdigit()] == [c for c in name if not c.isdigit()] or min(len(word), len(name)) < 4:
        return False
    same_letters = sorted(word) == sorted(name)
    return _steps(word, name, 1) <= 1 and (len(word) != len(name) or same_letters or len(word) >= 7)


def nearest(word: str, known: Iterable[str]) -> str | None:
    """The known name that ``word`` was most likely meant to be, or None."""
    found = alike(word, known)
    return found[0] if found else None


def meant(word: str, known: Iterable[str]) -> str:
    """``did you mean …?``, or nothing where no known name is near (or too many are)."""
    found = [f"`{name}`" for name in alike(word, known)]
    if not found or len(found) > MOST_SUGGESTED:
        return ""
    return f"did you mean {', '.join(found[:-1])}{' or ' if found[1:] else ''}{found[-1]}?"


def suggestion(word: str, known: Iterable[str], what: str = "") -> str:
    """Help text: the nearest known names, else the list of what there is (when it is short)."""
    known = sorted(set(known))
    close = meant(word, known)
    if close:
        return close
    if known and len(known) <= MOST_LISTED:
        return (f"{what} here: " if what else "known here: ") + ", ".join(known)
    return ""
