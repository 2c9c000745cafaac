"""Check a document against its JSON Schema and say what is wrong in our own words.

Each schema error becomes one diagnostic on the smallest node that shows it:
S101 unknown name, S102 wrong shape, S103 something missing, S104 not one of the
words allowed, S105 a name or word of the wrong form, S106 empty.

What is wrong is cut out of the tree, so that the rest can be read on; the words
that were lost with it are remembered, so that nobody complains of missing them.

One room: each kind of schema error is reworded here.
"""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache
from itertools import pairwise
from typing import Any

from jsonschema import Draft202012Validator
from jsonschema.exceptions import ValidationError

from interpreter.data import folder
from interpreter.diagnostics import Report, alike, meant, suggestion
from interpreter.document.types import Mapping, Node, Scalar, Sequence, plain, words_in
from interpreter.source import Span

_SHAPES = {"object": "a mapping (`name: value` lines)", "array": "a list", "string": "a word or text"}
_EVERYWHERE = ("says", "because")
"""Names that stand beside names of the author's own choosing (in readings)."""

_CLAUSES = ("may", "may-not", "must", "then", "ends", "option", "memory", "side", "throw", "start")

Where = tuple["str | int", ...]

MOST_CLEAN = 10_000
_clean: dict[bytes, None] = {}
"""Sections that a validator found nothing wrong with, by what is written in them; the oldest go first."""


@dataclass(frozen=True)
class Checked:
    """A tree that has the shape of its schema, and the words that were cut out of it."""

    tree: Mapping | None
    lost: frozenset[str] = frozenset()


@cache
def schema(name: str) -> dict[str, Any]:
    """The schema ``ruleset``, ``board`` or ``sources`` as data."""
    text = (folder("schemas") / f"{name}.schema.json").read_text(encoding="utf-8")
    loaded: dict[str, Any] = json.loads(text)
    return loaded


@cache
def _validator(name: str) -> Draft202012Validator:
    from referencing import Registry, Resource

    resources = [
        (f"{other}.schema.json", Resource.from_contents(schema(other))) for other in ("ruleset", "board", "sources")
    ]
    registry: Any = Registry().with_resources(resources)
    return Draft202012Validator(schema(name), registry=registry)


def check(tree: Node, name: str, report: Report) -> Checked:
    """Validate; faults go to ``report``."""
    if not isinstance(tree, Mapping):
        report.error(
            "S102",
            f"{_found(tree)} where the sections of a {name} belong",
            tree.span,
            help=f"begin with `{name}: NAME`",
        )
        return Checked(None)
    errors = _errors(tree, name)
    checking = _Checking(tree, name, report)
    for error in sorted(errors, key=lambda e: (e.validator == "required", _at(tree, e.absolute_path)[0].span.start)):
        checking.report_one(error)
    checking.empty_words(tree, ())
    lost = frozenset(word for node in checking.lost for word in words_in(node)) | checking.lost_names
    pruned = _pruned(tree, (), checking.cut)
    return Checked(pruned if isinstance(pruned, Mapping) else None, lost)


def _errors(tree: Mapping, name: str) -> list[ValidationError]:
    """What the validator finds. Sections are judged one by one, so one that was clean before is not read again."""
    seen = {key.value: _digest(name, key.value, value) for key, value in tree}
    known = {section for section, digest in seen.items() if digest in _clean}
    required = schema(name).get("required", ())
    judged = {key.value: plain(value) for key, value in tree if key.value not in known or key.value in required}
    errors = list(_validator(name).iter_errors(judged))
    wrong = {str(error.absolute_path[0]) for error in errors if error.absolute_path}
    allowed = schema(name)["properties"]
    for section in judged:
        if section not in wrong and section in allowed:
            _clean[seen[section]] = None
    while len(_clean) > MOST_CLEAN:
        del _clean[next(iter(_clean))]
    return errors


def _digest(name: str, section: str, node: Node) -> bytes:
    return hashlib.sha256(json.dumps([name, section, plain(node)]).encode("ascii")).digest()


class _Checking:
    """Reports schema errors; ``cut`` are the paths of what is wrong, ``lost`` the nodes there."""

    def __init__(self, tree: Mapping, name: str, report: Report) -> None:
        self.tree = tree
        self.name = name
        self.report = report
        self.cut: set[Where] = set()
        self.lost: list[Node] = []
        self.lost_names: set[str] = set()

    def drop(self, path: Where, node: Node | None) -> None:
        self.cut.add(path)
        if node is not None:
            self.lost.append(node)
        if path and isinstance(path[-1], str):
            self.lost_names.add(path[-1])

    def report_one(self, error: ValidationError) -> None:
        path: Where = tuple(error.absolute_path)
        node, key = _at(self.tree, path)
        kind = str(error.validator)
        where = _where(path, key)
        if self._behind_an_empty_name(path):
            self.drop(path, node)
        elif kind == "additionalProperties" and isinstance(node, Mapping):
            self._unknown(error, node, path, where if key is not None else "")
        elif kind == "pattern" and "propertyNames" in error.schema_path and isinstance(node, Mapping):
            self._bad_name(str(error.instance), node, path)
        elif kind == "required" and isinstance(node, Mapping):
            self._missing(error, node, key, path)
        elif kind == "type":
            self._wrong_shape(error, node, key, path, where)
        else:
            self._wrong_value(error, node, key, path, where)

    def _unknown(self, error: ValidationError, node: Mapping, path: Where, inside: str) -> None:
        """S101 for each name that the schema does not have here."""
        known = set(_schema_part(error).get("properties", ()))
        for name, value in node:
            here = (*path, name.value)
            if name.value in known:
                continue
            if self._behind_an_empty_name(here):
                self.drop(here, value)
                continue
            self._unknown_name(name, known, here, value, f" in {inside}" if inside else "")

    def _unknown_name(self, name: Scalar, known: Iterable[str], path: Where, value: Node, inside: str) -> None:
        first = re.match(r"[a-z-]+", name.value)
        advice = suggestion(name.value, known, "names")
        if first and first.group() != name.value and first.group() in known:
            advice = f"write `{first.group()}: …`, with a colon and a space"
        message = f"unknown name `{name.value}`{inside}"
        self.report.error("S101", message, name.span, *_belongs(name.value, self.name, bool(inside)), help=advice)
        self.drop(path, value)

    def _bad_name(self, bad: str, node: Mapping, path: Where) -> None:
        key = node.key(bad)
        advice = "names are lower-case words joined by hyphens"
        tidy = re.sub(r"[-_\s]+", "-", bad.lower()).strip("-")
        if bad[:1].isdigit():
            advice += "; they begin with a letter"
        elif re.fullmatch(r"[a-z][a-z0-9-]*", tidy):
            advice += f": `{tidy}`"
        self.report.error("S105", f"`{bad}` is not a name", key.span if key else node.span, help=advice)
        self.drop((*path, bad), node.get(bad))

    def _missing(self, error: ValidationError, node: Mapping, key: Scalar | None, path: Where) -> None:
        """S103, unless a misspelt name beside it has been reported, or nothing else is there at all."""
        wanted: Any = error.validator_value
        misspelt = [str(cut[-1]) for cut in self.cut if cut[:-1] == path]
        for name in wanted:
            if name in node or any(name in alike(word, wanted) for word in misspelt):
                continue
            span = key.span if key is not None else _first(node)
            what = _where(path, key) if path else "the file"
            self.report.error("S103", f"{what} needs `{name}`", span, help=_described(error, name))

    def _wrong_shape(self, error: ValidationError, node: Node, key: Scalar | None, path: Where, where: str) -> None:
        """S106 where nothing is written, S101 for a misspelt name beside free ones, else S102."""
        wanted: Any = error.validator_value
        kinds = [wanted] if isinstance(wanted, str) else list(wanted)
        shapes = " or ".join(dict.fromkeys(_SHAPES[k] for k in kinds if k in _SHAPES))
        free = len(error.schema_path) > 1 and error.schema_path[-2] == "additionalProperties"
        if key is not None and free and "readings" in path and set(alike(key.value, _EVERYWHERE)):
            self._unknown_name(key, _EVERYWHERE, path, node, f" in `{path[-2]}`")
            return
        if _is_empty(node):
            span = key.span if key is not None else node.span
            stray = self._stray_behind(path, free)
            notes = [f"`{stray}` is read as a neighbour, not as a part of it"] if stray else []
            self.report.error("S106", f"{where} is empty", span, *notes, help=_write(shapes))
        else:
            self.report.error("S102", f"{_found(node)} where {where} wants {shapes}", node.span)
        self.drop(path, node)

    def _wrong_value(self, error: ValidationError, node: Node, key: Scalar | None, path: Where, where: str) -> None:
        """S104, S105 or S106 on a word that has the right shape and a wrong value."""
        kind, said = str(error.validator), str(error.instance)
        wanted: Any = error.validator_value
        if kind == "enum":
            allowed = [str(value) for value in wanted]
            note = "one of: " + ", ".join(allowed)
            self.report.error(
                "S104", f"`{said}` is not a value of {where}", node.span, note, help=meant(said, allowed), subject=said
            )
        elif kind == "pattern":
            self.report.error(
                "S105", f"`{said}` is not of the form wanted for {where}", node.span, help=_plain(_schema_part(error))
            )
        elif kind in ("minItems", "minProperties", "minLength"):
            span = key.span if key is not None else node.span
            self.report.error("S106", f"{where} is empty", span, help="put something in it, or delete it")
        else:
            self.report.error("S102", f"{where}: {error.message}", node.span)
        self.drop(path, node)

    def empty_words(self, node: Node, path: Where) -> None:
        """S106 for every word that is not written at all, where the schema would take any text."""
        if path in self.cut and path:
            return
        if isinstance(node, Mapping):
            for key, value in node:
                here = (*path, key.value)
                if _is_empty(value) and here not in self.cut and path[-1:] not in (("phases",), ("values",)):
                    self.report.error("S106", f"`{key.value}` is empty", key.span, help=_write("a word or text"))
                    self.drop(here, value)
                else:
                    self.empty_words(value, here)
        elif isinstance(node, Sequence):
            for i, item in enumerate(node.items):
                here = (*path, i)
                if _is_empty(item) and here not in self.cut:
                    self.report.error(
                        "S106", f"{_where(path, None)} is empty", item.span, help=_write("a word or text")
                    )
                    self.drop(here, item)
                else:
                    self.empty_words(item, here)

    def _stray_behind(self, path: Where, free: bool) -> str:
        """The name after an empty one, if it cannot stand there itself: it was to be indented under it. "" if not.

        ``free``: names are the author's here, and each has a mapping.
        """
        parent, _ = _at(self.tree, path[:-1])
        neighbours = list(parent) if path and isinstance(parent, Mapping) else []
        for (key, _), (name, value) in pairwise(neighbours):
            if key.value == path[-1]:
                known = schema(self.name)["properties"]
                stray = name.value not in known if len(path) == 1 else free and not isinstance(value, Mapping)
                return name.value if stray and self._behind_an_empty_name((*path[:-1], name.value)) else ""
        return ""

    def _behind_an_empty_name(self, path: Where) -> bool:
        """Is this a neighbour just after an empty name, in the same mapping? Then it was to be indented under it."""
        if not path or not isinstance(path[-1], str):
            return False
        parent, _ = _at(self.tree, path[:-1])
        if not isinstance(parent, Mapping):
            return False
        empty = False
        for key, value in parent:
            if key.value == path[-1]:
                return empty and not _is_empty(value)
            if _is_empty(value):
                empty = True
            elif (*path[:-1], key.value) not in self.cut:
                empty = False
        return False


def _belongs(name: str, document: str, inside: bool) -> tuple[str, ...]:
    """A note for a name that is right somewhere else."""
    if document != "ruleset":
        return ()
    whole = schema(document)
    if inside and name in whole["properties"]:
        return (f"`{name}` is a section: it begins at the left edge",)
    owners = [f"`{part}`" for part in _CLAUSES if name in whole["$defs"][part]["properties"]]
    if not owners or name in ("rule", "because"):
        return ()
    return (f"`{name}` belongs in {', '.join(owners)}",)


def _pruned(node: Node, path: Where, cut: set[Where]) -> Node | None:
    """The tree without what was cut."""
    if path in cut and path:
        return None
    if isinstance(node, Mapping):
        kept = ((key, _pruned(value, (*path, key.value), cut)) for key, value in node)
        return Mapping(tuple((key, value) for key, value in kept if value is not None), node.span)
    if isinstance(node, Sequence):
        items = (_pruned(item, (*path, i), cut) for i, item in enumerate(node.items))
        return Sequence(tuple(item for item in items if item is not None), node.span)
    return node


def _at(tree: Node, path: Iterable[str | int]) -> tuple[Node, Scalar | None]:
    """The node at a path, and the key that names it."""
    node, key = tree, None
    for step in path:
        if isinstance(node, Mapping):
            key = node.key(str(step))
            node = node.get(str(step)) or node
        elif isinstance(node, Sequence) and isinstance(step, int):
            node = node.items[step]
            key = None
    return node, key


def _write(shapes: str) -> str:
    return f"write {shapes} behind it, or indented under it; or delete it"


def _is_empty(node: Node) -> bool:
    return isinstance(node, Scalar) and node.value == "" and not node.quoted


def _where(path: Where, key: Scalar | None) -> str:
    if key is not None:
        return f"`{key.value}`"
    names = [step for step in path if isinstance(step, str)]
    return f"an entry of `{names[-1]}`" if names else "here"


def _schema_part(error: ValidationError) -> dict[str, Any]:
    return error.schema if isinstance(error.schema, dict) else {}


def _described(error: ValidationError, name: str) -> str:
    """What the schema says of a name that is missing."""
    part = _schema_part(error).get("properties", {}).get(name, {})
    return _plain(part) if isinstance(part, dict) else ""


def _plain(part: dict[str, Any]) -> str:
    """The description of a piece of a schema, as a help text is written."""
    words = str(part.get("description", ""))
    return words[:1].lower() + words[1:].rstrip(".")


def _first(node: Mapping) -> Span:
    return node.entries[0][0].span if node.entries else node.span


def _found(node: Node) -> str:
    if isinstance(node, Mapping):
        return "a mapping"
    if isinstance(node, Sequence):
        return "a list"
    return f"`{node.value}`" if len(node.value) <= 40 else "a text"
