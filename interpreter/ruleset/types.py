"""A rulebook before options are chosen, and a ruleset after."""

from __future__ import annotations

from collections.abc import Mapping as AnyMapping
from dataclasses import dataclass, field
from pathlib import Path

from interpreter.document.types import Mapping, Node, Scalar
from interpreter.source import Span

MAY, MAY_NOT, MUST, THEN, ENDS = "may", "may-not", "must", "then", "ends"
CLAUSE_LISTS = (MAY, MAY_NOT, MUST, THEN, ENDS)
GRADES = ("stated", "inferred", "reconstructed", "house")


@dataclass(frozen=True)
class Citation:
    """Where a rule was taken from, and how sure that is.

    ``grade``: stated (the source says it), inferred (it follows), reconstructed
    (a scholar's proposal), house (we chose; ``why`` says why).
    """

    source: str
    at: str
    grade: str
    why: str
    span: Span = field(compare=False, repr=False)
    source_span: Span = field(compare=False, repr=False)


@dataclass(frozen=True)
class Clause:
    """One sentence of a rulebook.

    ``fields`` are the nodes as written, by field name; each node knows the file
    and line it came from, so that the origin of every value can be shown.
    ``origin`` names who wrote or last patched it: a ruleset id, or
    ``option=value``.
    """

    section: str
    id: str
    fields: AnyMapping[str, Node]
    because: tuple[Citation, ...]
    span: Span = field(compare=False, repr=False)
    origin: str = field(default="", compare=False)

    def word(self, name: str) -> str | None:
        """The value of a field that is one word, or None."""
        node = self.fields.get(name)
        return node.value if isinstance(node, Scalar) else None

    @property
    def rule(self) -> str:
        return self.word("rule") or ""


@dataclass(frozen=True)
class Patch:
    """What an option value (or a child file) changes."""

    node: Mapping
    because: tuple[Citation, ...]


@dataclass(frozen=True)
class Value:
    """One answer to an option's question."""

    id: str
    says: str
    patch: Patch
    span: Span = field(compare=False, repr=False)


@dataclass(frozen=True)
class Option:
    """A question the sources leave open, with its answers."""

    id: str
    ask: str
    default: str
    values: AnyMapping[str, Value]
    needs: AnyMapping[str, str]
    because: tuple[Citation, ...]
    span: Span = field(compare=False, repr=False)
    declared_in: str = field(default="", compare=False)
    needs_spans: AnyMapping[str, tuple[Span, Span]] = field(default_factory=dict, compare=False, repr=False)
    """Where each need is written: the option, the value."""


@dataclass(frozen=True)
class Reading:
    """A named bundle of option values: one scholar's or source's reading of the rules."""

    id: str
    says: str
    choices: AnyMapping[str, str]
    because: tuple[Citation, ...]
    span: Span = field(compare=False, repr=False)
    choice_spans: AnyMapping[str, Span] = field(default_factory=dict, compare=False, repr=False)


@dataclass(frozen=True)
class Doubt:
    """A question left open that is not an option: what is asked and what is done."""

    id: str
    ask: str
    says: str
    because: tuple[Citation, ...]
    span: Span = field(compare=False, repr=False)


@dataclass(frozen=True)
class Unused:
    """A clause that is known to have no say, and why."""

    id: str
    reason: str
    span: Span = field(compare=False, repr=False)


@dataclass(frozen=True)
class Define:
    """A named term."""

    id: str
    term: Scalar
    says: str
    key_span: Span = field(compare=False, repr=False)
    origin: str = field(default="", compare=False)


@dataclass(frozen=True)
class Content:
    """The parts of a rulebook that are patched: by children and by option values."""

    board: AnyMapping[str, Node] = field(default_factory=dict)
    pieces: Node | None = None
    sides: AnyMapping[str, AnyMapping[str, Node]] = field(default_factory=dict)
    throw: AnyMapping[str, Node] = field(default_factory=dict)
    start: AnyMapping[str, Node] = field(default_factory=dict)
    phases: AnyMapping[str, tuple[Scalar, AnyMapping[str, Node]]] = field(default_factory=dict)
    memory: AnyMapping[str, tuple[Scalar, AnyMapping[str, Node]]] = field(default_factory=dict)
    define: AnyMapping[str, Define] = field(default_factory=dict)
    clauses: AnyMapping[str, tuple[Clause, ...]] = field(default_factory=lambda: dict.fromkeys(CLAUSE_LISTS, ()))

    def clause(self, section: str, id: str) -> Clause | None:
        for clause in self.clauses[section]:
            if clause.id == id:
                return clause
        return None

    def all_clauses(self) -> list[Clause]:
        return [clause for name in CLAUSE_LISTS for clause in self.clauses[name]]


@dataclass(frozen=True)
class File:
    """One file that took part: where it is, its id, and its digest (SHA-256 of its bytes)."""

    id: str
    path: Path
    digest: str
    shipped: bool


@dataclass(frozen=True)
class Known:
    """When and where rules are known: years (negative before the common era; None is open), places in English."""

    first: int | None = None
    last: int | None = None
    places: tuple[str, ...] = ()


@dataclass(frozen=True)
class Rulebook:
    """A file with its parents merged in, its options still open."""

    id: str
    root: Mapping
    playable: bool
    shipped: bool
    title: AnyMapping[str, str]
    summary: str
    version: str
    family: str
    known: Known
    files: tuple[File, ...]
    content: Content
    options: AnyMapping[str, Option]
    readings: AnyMapping[str, Reading]
    doubts: AnyMapping[str, Doubt]
    stories: tuple[Mapping, ...]
    match: AnyMapping[str, Node]
    notation: AnyMapping[str, Node]
    sources: AnyMapping[str, Mapping]
    own: frozenset[tuple[str, ...]] = frozenset()
    """What this file itself sets (not its parents): ("may-not", id, field), ("define", name), …"""
    unused: AnyMapping[str, Unused] = field(default_factory=dict)
    """By clause id: what the file and its parents list as known to have no say."""


@dataclass(frozen=True)
class Ruleset:
    """A rulebook with every option decided. ``choices`` has one value per option that applies."""

    book: Rulebook
    content: Content
    choices: AnyMapping[str, str]

    @property
    def id(self) -> str:
        return self.book.id
