"""The marks of one file: which stretch of its text gives a name, which uses one, and what is said of it.

An ``Index`` is all that the features of an editor know of a file. It is made of the text
alone, so it is the same whatever the file extends; what a name means is for ``meaning``.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from pathlib import Path

from interpreter.document.types import Mapping, Node, Scalar, Sequence
from interpreter.editor import inside, roles
from interpreter.editor.roles import CLAUSE, NAMES, Role, Where
from interpreter.editor.tolerant import Composed, alike
from interpreter.play import citing
from interpreter.ruleset.from_document import fields, text_of, words
from interpreter.ruleset.types import CLAUSE_LISTS

SECTION, STORY = "section", "story"
_SPLIT = re.compile(r"\S+")


@dataclass(frozen=True)
class Mark:
    """A name in a text.

    ``start``, ``end``: its characters; ``reach``: where what it names ends (of a name that is given).
    ``kinds``: what it may be the name of, the likeliest first. ``where``: the place in the
    file. ``option``: of a value, whose it is. ``says``: what is said of it, in words;
    ``detail``: what it is, as it is written (a term, a way, a kind of fact).
    """

    start: int
    end: int
    name: str
    kinds: tuple[str, ...]
    gives: bool = False
    where: tuple[str, ...] = ()
    option: str = ""
    reach: int = 0
    says: str = ""
    detail: str = ""

    @property
    def section(self) -> str:
        """The list of a clause, the section of anything else, options' patches looked through."""
        names, _ = roles.inside(self.where)
        return names[0] if names else ""

    @property
    def is_patch(self) -> bool:
        """Is it given inside a value of an option?"""
        return roles.inside(self.where)[1]


@dataclass(frozen=True)
class Index:
    """The marks of a file in the order of its text.

    ``torn``: parts of the text could not be read; their marks are those of the text as it last could.
    """

    path: Path
    text: str
    file: str
    tree: Mapping
    marks: tuple[Mark, ...]
    torn: bool = False
    given: dict[tuple[str, str], list[Mark]] = field(default_factory=dict, compare=False, repr=False)
    names: frozenset[str] = frozenset()

    def at(self, offset: int) -> Mark | None:
        """The smallest mark that a place of the text touches; of two that meet there, the one that begins."""
        last = bisect_right(self.marks, offset, key=lambda mark: mark.start)
        found = [m for m in self.marks[max(0, last - 12) : last] if m.start <= offset <= m.end]
        return min(found, key=lambda m: (m.end - m.start, -m.start), default=None)

    def giving(self, kind: str, name: str) -> list[Mark]:
        """Where a name is given: in the file itself first, then in values of options."""
        return sorted(self.given.get((kind, name), ()), key=lambda mark: mark.is_patch)

    def word(self, section: str) -> str:
        """The text of a section that is one word (`extends`, `board`)."""
        return text_of(self.tree.get(section))


def index(path: Path, text: str, file: str, read: Composed, before: Index | None = None) -> Index:
    """The index of a text; what could not be read of it is taken from the index of the text before."""
    found = list(_of_mapping(read.tree, (), file))
    if read.lost and before is not None:
        found += _kept(before, text, read.lost)
    found.sort(key=lambda mark: (mark.start, -mark.end))
    given: dict[tuple[str, str], list[Mark]] = {}
    for mark in found:
        if mark.gives:
            for kind in mark.kinds:
                given.setdefault((kind, mark.name), []).append(mark)
    tree = read.tree
    if before is not None and not read.whole:
        missing = tuple(
            (k, v) for k, v in before.tree.entries if k.value in ("extends", "board") and k.value not in tree
        )
        tree = replace(tree, entries=(*tree.entries, *missing))
    return Index(path, text, file, tree, tuple(found), not read.whole, given, frozenset(m.name for m in found))


def _kept(before: Index, text: str, lost: tuple[tuple[int, int], ...]) -> Iterator[Mark]:
    """The marks of the text before that stand, moved with what was typed, where nothing can be read now."""
    same, tail = alike(before.text, text)
    by = len(text) - len(before.text)
    for mark in before.marks:
        if mark.end > same and mark.start < len(before.text) - tail:
            continue
        move = by if mark.start >= len(before.text) - tail else 0
        moved = replace(mark, start=mark.start + move, end=mark.end + move, reach=min(mark.reach + by, len(text)))
        if any(start <= moved.start < end for start, end in lost):
            yield moved


# ---- the walk --------------------------------------------------------------------------------------


def _of_mapping(node: Mapping, where: Where, file: str, at: str = "") -> Iterator[Mark]:
    for key, value in node.entries:
        here = (*where, key.value)
        yield from _of_key(key, value, here, file)
        names, _ = roles.inside(here)
        moment = text_of(fields(value).get("at")) if len(names) == 2 and names[0] in CLAUSE_LISTS else at
        yield from _of_node(value, here, file, moment)


def _of_key(key: Scalar, value: Node, where: Where, file: str) -> Iterator[Mark]:
    names = tuple(step for step in where if isinstance(step, str))
    reach = max(key.span.end, value.span.end)
    role = roles.of_key(where, file)
    if role.reads == NAMES:
        says, detail = _said(role, key.value, value, names) if role.gives else ("", "")
        yield Mark(
            key.span.start, key.span.end, key.value, role.kinds, role.gives, names, role.option, reach, says, detail
        )
    elif role.reads == roles.MOVES:
        yield from _told(key, role, names)
    elif len(names) == 1:
        yield Mark(key.span.start, key.span.end, key.value, (SECTION,), True, names, "", reach)


def _of_node(node: Node, where: Where, file: str, at: str) -> Iterator[Mark]:
    if isinstance(node, Mapping):
        story = told_in(node.get("story")) if where[:1] == ("stories",) and len(where) == 2 else None
        if story is not None:
            yield Mark(
                story.span.start, story.span.end, text_of(story), (STORY,), True, ("stories",), "", node.span.end
            )
        yield from _of_mapping(node, where, file, at)
    elif isinstance(node, Sequence):
        for number, item in enumerate(node.items):
            yield from _of_node(item, (*where, number), file, at)
    else:
        yield from _of_scalar(node, where, file, at)


def _of_scalar(scalar: Scalar, where: Where, file: str, at: str) -> Iterator[Mark]:
    role = roles.of_value(where, file, at)
    names = tuple(step for step in where if isinstance(step, str))
    if role.reads in (roles.TERM, roles.EFFECT):
        for name, span, kinds in inside.in_term(scalar, role.reads):
            yield Mark(span.start, span.end, name, kinds, where=names)
    elif role.reads in (roles.POSITION, roles.MOVES, roles.OUTCOME):
        yield from _told(scalar, role, names)
    elif role.reads in (NAMES, roles.WAY, roles.WHO) and scalar.value:
        for match in _SPLIT.finditer(scalar.value):
            if role.reads == NAMES or (match.start() > 0 if role.reads == roles.WAY else True):
                span = scalar.part(*match.span())
                yield Mark(
                    span.start, span.end, match.group(), role.kinds, role.gives, names, role.option, scalar.span.end
                )


def _told(scalar: Scalar, role: Role, names: tuple[str, ...]) -> Iterator[Mark]:
    for name, span, kinds in inside.in_told(scalar, role.reads):
        yield Mark(span.start, span.end, name, kinds, where=names)


def told_in(node: Node | None) -> Scalar | None:
    """A text, or of texts by language the English one, else the first."""
    if isinstance(node, Mapping):
        texts = [value for _, value in node.entries]
        node = node.get("en") or (texts[0] if texts else None)
    return node if isinstance(node, Scalar) else None


# ---- what is said of a name ------------------------------------------------------------------------


def _said(role: Role, name: str, value: Node, names: tuple[str, ...]) -> tuple[str, str]:
    """What is said of what a key names, in words and as it is written."""
    parts, kind = fields(value), role.kinds[0]
    if kind == CLAUSE:
        return text_of(told_in(parts.get("rule"))), _clause(parts)
    if kind == roles.DEFINE:
        return text_of(told_in(parts.get("says"))), text_of(parts.get("is") if parts else value)
    if kind == roles.OPTION:
        return text_of(told_in(parts.get("ask"))), text_of(parts.get("default"))
    if kind == roles.DOUBT:
        return f"{text_of(parts.get('ask'))} {text_of(parts.get('says'))}".strip(), ""
    if kind == roles.SOURCE:
        return citing.full(value) if isinstance(value, Mapping) else "", ""
    if kind == roles.MEMORY:
        listed = [text_of(parts.get(part)) for part in ("kind", "range")]
        listed += [f"{part} {text_of(parts[part])}" for part in ("per", "for") if part in parts]
        return text_of(told_in(parts.get("says"))), " ".join(part for part in listed if part)
    if kind == roles.READING:
        return text_of(told_in(parts.get("says"))), ", ".join(
            f"{part}: {text_of(node)}" for part, node in parts.items() if part not in ("says", "because")
        )
    if kind in (roles.REGION, roles.LINES):
        return "", text_of(value)
    return text_of(told_in(parts.get("says"))), ""


def _clause(parts: dict[str, Node]) -> str:
    """The fields of a clause that are rules, as they are written."""
    shown = []
    for part, node in parts.items():
        if part in ("rule", "because"):
            continue
        if isinstance(node, Mapping):
            listed = ", ".join(f"{key.value}: {text_of(value)}" for key, value in node.entries)
            shown.append(f"{part}: {{{listed}}}")
        else:
            texts = [" ".join(word.value.split()) for word in words(node)]
            shown.append(f"{part}: " + (f"[{', '.join(texts)}]" if isinstance(node, Sequence) else "".join(texts)))
    return "\n".join(shown)
