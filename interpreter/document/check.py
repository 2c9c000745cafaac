"""Check a document against its JSON Schema and say what is wrong in our own words.

Each schema error becomes one diagnostic on the smallest node that shows it:
S101 unknown name, S102 wrong shape, S103 something missing, S104 not one of the
words allowed, S105 a name or word of the wrong form, S106 empty.
"""

from __future__ import annotations

import json
from collections.abc import Iterable
from functools import cache
from typing import Any

from jsonschema import Draft202012Validator
from jsonschema.exceptions import ValidationError

from interpreter.data import folder
from interpreter.diagnostics import Report, nearest, suggestion
from interpreter.document.types import Mapping, Node, Scalar, Sequence, plain
from interpreter.source import Span

_SHAPES = {"object": "a mapping (`name: value` lines)", "array": "a list", "string": "a word or text"}


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


def check(tree: Node, name: str, report: Report) -> Mapping | None:
    """Validate; faults go to ``report``. Returns the tree if it is a mapping at all."""
    if not isinstance(tree, Mapping):
        report.error(
            "S102",
            f"{_found(tree)} where the sections of a {name} belong",
            tree.span,
            help=f"begin with `{name}: NAME`",
        )
        return None
    errors = sorted(_validator(name).iter_errors(plain(tree)), key=lambda e: [str(p).zfill(6) for p in e.absolute_path])
    for error in errors:
        _report(error, tree, report)
    return tree


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


def _report(error: ValidationError, tree: Node, report: Report) -> None:
    node, key = _at(tree, error.absolute_path)
    where = f"`{key.value}`" if key is not None else "here"
    kind = str(error.validator)
    wanted: Any = error.validator_value
    if kind == "additionalProperties" and isinstance(node, Mapping):
        known = set(_schema_part(error).get("properties", ()))
        for name, _ in node:
            if name.value not in known:
                inside = f" in {where}" if key is not None else ""
                report.error(
                    "S101",
                    f"unknown name `{name.value}`{inside}",
                    name.span,
                    help=suggestion(name.value, known, "names"),
                )
    elif kind == "propertyNames":
        parent = node
        bad = str(error.instance)
        bad_key = parent.key(bad) if isinstance(parent, Mapping) else None
        report.error(
            "S105",
            f"`{bad}` is not a name",
            bad_key.span if bad_key else node.span,
            help="names are lower-case words joined by hyphens",
        )
    elif kind == "pattern" and error.parent is None and error.schema_path and "propertyNames" in error.schema_path:
        bad = str(error.instance)
        bad_key = node.key(bad) if isinstance(node, Mapping) else None
        report.error(
            "S105",
            f"`{bad}` is not a name",
            bad_key.span if bad_key else node.span,
            help="names are lower-case words joined by hyphens",
        )
    elif kind == "pattern":
        report.error(
            "S105",
            f"`{error.instance}` is not of the form wanted for {where}",
            node.span,
            help=str(_schema_part(error).get("description", "")),
        )
    elif kind == "required":
        for name in wanted:
            if isinstance(node, Mapping) and name not in node:
                span = key.span if key is not None else _first(node)
                report.error("S103", f"{where if key else 'the file'} needs `{name}`", span)
    elif kind == "enum":
        allowed = [str(value) for value in wanted]
        report.error(
            "S104",
            f"`{error.instance}` is not a value of {where}",
            node.span,
            "one of: " + ", ".join(allowed),
            help=suggestion(str(error.instance), allowed) if nearest(str(error.instance), allowed) else "",
        )
    elif kind == "type":
        kinds = [wanted] if isinstance(wanted, str) else list(wanted)
        shapes = list(dict.fromkeys(_SHAPES[k] for k in kinds if k in _SHAPES))
        if isinstance(node, Scalar) and node.value == "" and not node.quoted:
            span = key.span if key is not None else node.span
            report.error("S106", f"{where} is empty", span, help=f"write {' or '.join(shapes)}, or delete the name")
        else:
            report.error("S102", f"{_found(node)} where {where} wants {' or '.join(shapes)}", node.span)
    elif kind in ("minItems", "minProperties", "minLength"):
        report.error("S106", f"{where} is empty", key.span if key is not None else node.span)
    else:
        report.error("S102", f"{where}: {error.message}", node.span)


def _schema_part(error: ValidationError) -> dict[str, Any]:
    return error.schema if isinstance(error.schema, dict) else {}


def _first(node: Mapping) -> Span:
    return node.entries[0][0].span if node.entries else node.span


def _found(node: Node) -> str:
    if isinstance(node, Mapping):
        return "a mapping"
    if isinstance(node, Sequence):
        return "a list"
    return f"`{node.value}`" if len(node.value) <= 40 else "a text"
