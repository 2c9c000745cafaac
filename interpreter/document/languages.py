"""Prose in several languages: which of them a document is read in.

Wherever prose stands, a text may be a mapping of texts by language. One of them is
chosen when a file is read, so that whoever reads the tree finds one text there:

    the language that was asked for, or the nearest to it (`sv` for `sv-FI`, and back)
    else the file's own (`language`, default en), else English, else the first

Faults: S107 what is no language tag, or is there twice (BCP 47, RFC 5646 section 2.1;
the nearest is found as in RFC 4647 section 3.4) · S108 (warning) a text without the
file's own language.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any

from interpreter.diagnostics import Report
from interpreter.document.types import Mapping, Node, Scalar, Sequence

ENGLISH = "en"

_TAG = re.compile(
    r"[a-z]{2,3}(-[a-z]{3}){0,3}(-[A-Za-z]{4})?(-([A-Za-z]{2}|[0-9]{3}))?"
    r"(-([A-Za-z0-9]{5,8}|[0-9][A-Za-z0-9]{3}))*(-[A-WYZa-wyz0-9](-[A-Za-z0-9]{2,8})+)*(-x(-[A-Za-z0-9]{1,8})+)?"
)

ANY, TEXT, TITLE = "*", "text", "title"
_WHY = {"why": TEXT}
_SAYS = {ANY: {"says": TEXT}}
_CLAUSES = {ANY: {"rule": TEXT, "because": _WHY}}
_PATCH = {
    **dict.fromkeys(("may", "may-not", "must", "then", "ends"), _CLAUSES),
    **dict.fromkeys(("define", "memory"), _SAYS),
    "sides": {ANY: {"title": TITLE}},
}
_ANSWERED = {"ask": TEXT, "says": TEXT, "because": _WHY}
_BOARD = {"title": TITLE, "because": _WHY}
PROSE: dict[str, dict[str, Any]] = {
    "ruleset": {
        **_PATCH,
        "title": TITLE,
        "summary": TEXT,
        "because": _WHY,
        "board": _BOARD,
        "options": {ANY: {**_ANSWERED, "values": {ANY: {**_ANSWERED, **_PATCH}}}},
        "readings": {ANY: _ANSWERED},
        "doubts": {ANY: _ANSWERED},
        "stories": {"story": TEXT, "because": _WHY},
    },
    "board": _BOARD,
}
"""Where prose and titles stand in each kind of file that has texts by language; lists are looked through.

Titles keep all their languages.
"""


@dataclass(frozen=True)
class Told:
    """What a file is told in.

    ``main``: its own language. ``offered``: the languages that some rule in it has.
    ``language_of``: each text that was chosen, on one line, with the language it stands in.
    """

    main: str = ENGLISH
    offered: frozenset[str] = frozenset()
    language_of: dict[str, str] = field(default_factory=dict)


def nearest(wanted: str, given: Iterable[str]) -> str | None:
    """Of the languages given the one that serves for the one that is wanted; None if none does."""
    known = {tag.lower(): tag for tag in given}
    tag = wanted.lower()
    while tag:
        if tag in known:
            return known[tag]
        tag = tag.rpartition("-")[0]
    primary = wanted.lower().partition("-")[0]
    return next((tag for low, tag in known.items() if low.partition("-")[0] == primary), None)


def is_tag(text: str) -> bool:
    """Is a text well formed as a language tag, its first part in small letters?"""
    return _TAG.fullmatch(text) is not None


def settled(tree: Mapping, kind: str, wanted: str, report: Report) -> tuple[Mapping, Told]:
    """The tree with one text wherever prose stands.

    Args:
        tree: of a file that has passed its schema.
        kind: of the file: ruleset, board, sources, study.
        wanted: the language asked for; "" for each file's own.
    """
    said = tree.get("language")
    main = said.value if isinstance(said, Scalar) else ENGLISH
    settling = _Settling(main, wanted, report)
    if isinstance(said, Scalar):
        settling.tag(said)
    found = settling.node(tree, PROSE.get(kind, {}))
    assert isinstance(found, Mapping)
    return found, Told(main, frozenset(settling.offered), settling.language_of)


class _Settling:
    def __init__(self, main: str, wanted: str, report: Report) -> None:
        self.main, self.wanted, self.report = main, wanted, report
        self.offered: set[str] = set()
        self.language_of: dict[str, str] = {}

    def node(self, node: Node, shape: Any) -> Node:
        """A node with its prose settled; the same node where nothing had to be chosen."""
        if isinstance(node, Sequence):
            items = tuple(self.node(item, shape) for item in node.items)
            return node if all(a is b for a, b in zip(items, node.items, strict=True)) else Sequence(items, node.span)
        if not isinstance(node, Mapping):
            return node
        entries = tuple((key, self._entry(key, value, shape)) for key, value in node.entries)
        same = all(a is b for (_, a), (_, b) in zip(entries, node.entries, strict=True))
        return node if same else Mapping(entries, node.span)

    def _entry(self, key: Scalar, value: Node, shape: Any) -> Node:
        inner = shape.get(key.value, shape.get(ANY))
        if inner is None:
            return value
        if inner == TITLE:
            self._tags(value)
            return value
        return self._text(key, value) if inner == TEXT else self.node(value, inner)

    def _text(self, key: Scalar, value: Node) -> Node:
        chosen, language = value, self.main
        if isinstance(value, Mapping):
            texts = self._tags(value)
            if not texts:
                return Scalar("", value.span)
            if self.main not in texts:
                self.report.warning(
                    "S108",
                    f"`{key.value}` has no text in {self.main}, the language of this file",
                    key.span,
                    help=f"add `{self.main}: …`, or say `language: {next(iter(texts))}` for the whole file",
                )
            wished = (nearest(self.wanted, texts) if self.wanted else None, self.main, ENGLISH)
            language = next((tag for tag in wished if tag is not None and tag in texts), next(iter(texts)))
            chosen = texts[language]
            if key.value == "rule":
                self.offered |= set(texts)
        elif key.value == "rule":
            self.offered.add(self.main)
        if isinstance(chosen, Scalar):
            self.language_of[" ".join(chosen.value.split())] = language
        return chosen

    def _tags(self, value: Node) -> dict[str, Node]:
        """The texts of a mapping by language, S107 for what is none."""
        texts: dict[str, Node] = {}
        for tag, text in value.entries if isinstance(value, Mapping) else ():
            twice = next((known for known in texts if known.lower() == tag.value.lower()), None)
            if twice is not None:
                self.report.error("S107", f"`{tag.value}` is `{twice}` again", tag.span, help="leave one of them out")
            elif self.tag(tag):
                texts[tag.value] = text
        return texts

    def tag(self, tag: Scalar) -> bool:
        """Is this a language tag? S107 if not."""
        if is_tag(tag.value):
            return True
        tidy = tag.value.strip().replace("_", "-")
        first, hyphen, rest = tidy.partition("-")
        tidy = first.lower() + hyphen + rest
        meant = f"did you mean `{tidy}`?" if is_tag(tidy) else "write a code of two or three letters: en, sv, pt-BR"
        self.report.error("S107", f"`{tag.value}` is no language", tag.span, help=meant)
        return False
