"""Slips of the pen in rulesets: every word of a file that has a meaning, and what a slip makes of it.

A file is walked along its schema, so that it is known of every word what it is: a name
of the language (``key``), one of the words a value may be (``value``), a word of a term
(``term``), a place (``place``), a name that must be there (``reference``), a name the
author gives (``given``), or something that any other word might be as well (``prose``).
"""

from __future__ import annotations

import json
import random
import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from interpreter.data import folder
from interpreter.document.from_text import from_text
from interpreter.document.types import Mapping, Node, Scalar, Sequence
from interpreter.source import Source

TERMS = {"when", "after", "prefer", "most", "least", "unless", "points", "do", "is"}
PLACES = {"track", "places", "rows", "grid", "lines"}
REFERENCES = {
    "verbs", "binds", "phase", "breach", "before", "without", "source", "extends", "way", "along", "directions",
    "region", "who", "default", "reading", "among", "side",
}  # fmt: skip
PROSE = {
    "rule", "says", "why", "ask", "title", "summary", "story", "version", "licence", "authors", "note", "given", "play",
    "legal", "results", "outcome", "range", "dice", "sign", "kind", "verb", "ruleset", "until", "files", "ranks",
    "family",
}  # fmt: skip

WORD = re.compile(r"[a-z][a-z0-9]*(?:-[a-z0-9]+)*")
PLACE = re.compile(r"(?<![:0-9a-z])(?:[a-z]*[0-9]+|[a-z]+)")


@dataclass(frozen=True)
class Spot:
    """A word in a file: what it is, where it stands."""

    what: str
    word: str
    start: int
    path: tuple[str, ...]

    def __str__(self) -> str:
        return f"{self.what} {'/'.join(self.path)} `{self.word}`"


@dataclass(frozen=True)
class Typo:
    """One slip at one spot: a letter left out, doubled, or exchanged with the next."""

    spot: Spot
    word: str

    def applied(self, text: str) -> str:
        at = self.spot.start
        return text[:at] + self.word + text[at + len(self.spot.word) :]

    def __str__(self) -> str:
        return f"{self.spot} → `{self.word}`"


def slips(word: str) -> list[str]:
    """Every slip of a word, without what leaves it as it was or leaves nothing."""
    found = [word[:i] + word[i + 1 :] for i in range(len(word))]
    found += [word[: i + 1] + word[i:] for i in range(len(word))]
    found += [word[:i] + word[i + 1] + word[i] + word[i + 2 :] for i in range(len(word) - 1)]
    return [slip for slip in dict.fromkeys(found) if slip and slip != word]


def typos(spots: list[Spot], seed: int, each: int) -> list[Typo]:
    """``each`` slips of every spot, drawn."""
    chance = random.Random(seed)
    found = []
    for spot in spots:
        ways = slips(spot.word)
        found += [Typo(spot, slip) for slip in chance.sample(ways, min(each, len(ways)))]
    return found


def spots(path: Path) -> list[Spot]:
    """Every word of a file that has a meaning."""
    text = path.read_text(encoding="utf-8")
    tree, report = from_text(Source(path.name, text))
    assert tree is not None and not report.errors
    kind = {"boards": "board", "sources": "sources"}.get(path.parent.name, "ruleset")
    kind = "sources" if path.stem == "sources" else kind
    walk = _Walk(kind)
    walk.lines_give_points = kind == "board" and not any(tree.get(name) for name in ("grid", "grids", "places"))
    return list(walk.node(tree, _schema(kind), (), kind))


def _schema(name: str) -> dict[str, Any]:
    loaded: dict[str, Any] = json.loads((folder("schemas") / f"{name}.schema.json").read_text(encoding="utf-8"))
    return loaded


class _Walk:
    lines_give_points = False
    """A board whose points are those that its lines name: a slip there is another point."""

    def __init__(self, kind: str) -> None:
        self.kind = kind

    def resolved(self, schema: dict[str, Any], home: str) -> tuple[dict[str, Any], str]:
        while "$ref" in schema:
            file, _, pointer = schema["$ref"].partition("#")
            home = file.split(".")[0] or home
            found: Any = _schema(home)
            for step in pointer.strip("/").split("/"):
                found = found[step]
            schema = found
        return schema, home

    def node(self, node: Node, schema: dict[str, Any], path: tuple[str, ...], home: str) -> Iterator[Spot]:
        schema, home = self.resolved(schema, home)
        if isinstance(node, Mapping):
            fixed, free = schema.get("properties", {}), schema.get("additionalProperties")
            for key, value in node:
                here = (*path, key.value)
                if key.value in fixed:
                    yield from _spot("key", key, here)
                    yield from self.node(value, fixed[key.value], here, home)
                else:
                    yield from _spot(self.free_name(path), key, here)
                    yield from self.node(value, free if isinstance(free, dict) else {}, here, home)
        elif isinstance(node, Sequence):
            for item in node.items:
                yield from self.node(item, schema.get("items", {}) or {}, path, home)
        else:
            yield from self.scalar(node, schema, path)

    def free_name(self, path: tuple[str, ...]) -> str:
        """What a name of the author's choosing is: one he gives, or one that must be there."""
        last = path[-1] if path else ""
        if last == "title":
            return "prose"
        if last in ("with", "needs", "options") and ((len(path) == 1 and last == "with") or "stories" in path):
            return "reference"
        if last == "needs" or (len(path) == 2 and path[0] == "readings"):
            return "reference"
        if last in ("not legal", "pattern", "table"):
            return "prose"
        if last == "men":
            return "reference"
        return "given"

    def scalar(self, node: Scalar, schema: dict[str, Any], path: tuple[str, ...]) -> Iterator[Spot]:
        names = [step for step in path if step]
        if "title" in names or "known" in names:
            return
        name = names[-1] if names else ""
        above = names[-2] if len(names) > 1 else ""
        if "enum" in schema:
            yield from _spot("value", node, path)
        elif above == "define" or name in TERMS:
            yield from _words("term", node, path, WORD)
        elif above in ("men", "regions") or name in PLACES:
            for spot in _words("place", node, path, PLACE):
                in_a_range = spot.word.isdigit() and ".." in node.value
                names_a_point = self.lines_give_points and "lines" in path
                yield replace(spot, what="prose") if in_a_range or names_a_point else spot
        elif name == "because" or (name in PROSE and above != "start"):
            return
        elif name == "board" and self.kind == "ruleset":
            yield from _spot("reference", node, path)
        elif above == "not legal" or name in REFERENCES or above in ("with", "needs", "options") or above == "start":
            yield from _words("reference", node, path, re.compile(r"[a-z0-9]+(?:[-/][a-z0-9]+)*"))
        elif len(path) == 3 and path[0] == "readings":
            yield from _spot("reference", node, path)
        elif name in ("pieces", "phases", "beside"):
            yield from _spot("given", node, path)


def _spot(what: str, node: Scalar, path: tuple[str, ...]) -> Iterator[Spot]:
    begin = node.span.start + (1 if node.quoted else 0)
    if node.span.source.text[begin : begin + len(node.value)] == node.value:
        yield Spot(what, node.value, begin, path)


def _words(what: str, node: Scalar, path: tuple[str, ...], pattern: re.Pattern[str]) -> Iterator[Spot]:
    for match in pattern.finditer(node.value):
        span = node.part(*match.span())
        if span.text == match.group():
            yield Spot(what, match.group(), span.start, path)
