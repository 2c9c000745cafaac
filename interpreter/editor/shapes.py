"""What the schemas say of a place in a file: the names that may stand there, their descriptions, the words allowed."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from interpreter.document.check import schema
from interpreter.document.types import Node, Scalar, Sequence
from interpreter.editor.marks import Index
from interpreter.editor.roles import Where


@dataclass(frozen=True)
class Spelled:
    """A key or scalar of a file: where it stands in the tree and in the text."""

    where: Where
    is_key: bool
    start: int
    end: int


def place(index: Index, offset: int) -> Spelled | None:
    """The key or scalar that a place of the text is in."""
    return next((found for found in _walk(index.tree, ()) if found.start <= offset <= found.end), None)


def _walk(node: Node, where: Where) -> Iterator[Spelled]:
    if isinstance(node, Scalar):
        yield Spelled(where, False, node.span.start, node.span.end)
    elif isinstance(node, Sequence):
        for number, item in enumerate(node.items):
            yield from _walk(item, (*where, number))
    else:
        for key, value in node.entries:
            yield Spelled((*where, key.value), True, key.span.start, key.span.end)
            yield from _walk(value, (*where, key.value))


def part(where: Where, file: str) -> dict[str, Any]:
    """The piece of the schema for a place; empty where it has none."""
    return _part(where, file)[0]


def _part(where: Where, file: str) -> tuple[dict[str, Any], str]:
    """The piece for a place, and the schema it is written in: from there its references count."""
    now, name = _resolved(schema(file), file)
    for step in where:
        if isinstance(step, int):
            now = now.get("items", {})
        else:
            known = now.get("properties", {})
            free = now.get("additionalProperties", {})
            now = known[step] if step in known else free if isinstance(free, dict) else {}
        now, name = _resolved(now, name)
    return now, name


def _resolved(now: dict[str, Any], name: str) -> tuple[dict[str, Any], str]:
    """Follow a reference; the description beside it wins over the one it leads to."""
    while "$ref" in now:
        file, _, way = str(now["$ref"]).partition("#/")
        name = file.removesuffix(".schema.json") or name
        beside = {key: value for key, value in now.items() if key != "$ref"}
        target: Any = schema(name)
        for step in way.split("/"):
            target = target[step]
        now = {**target, **beside}
    return now, name


def described(where: Where, file: str) -> str:
    """What the schema says of a place."""
    found = part(where, file)
    text = str(found.get("description", ""))
    words = allowed(where, file)
    return f"{text}\n\none of: {', '.join(words)}" if text and words else text


def names(where: Where, file: str) -> dict[str, str]:
    """The keys that a mapping at a place may have, with what each means."""
    found, written_in = _part(where, file)
    pieces = found.get("properties", {}).items()
    return {name: str(_resolved(piece, written_in)[0].get("description", "")) for name, piece in pieces}


def allowed(where: Where, file: str) -> list[str]:
    """The words that may stand at a place, where they are few."""
    return [str(word) for word in part(where, file).get("enum", ())]


def takes(where: Where, file: str) -> str:
    """How the value of a place is written: `mapping`, `list` or `word`."""
    kinds = part(where, file).get("type", ())
    kinds = [kinds] if isinstance(kinds, str) else list(kinds)
    if "string" in kinds or "number" in kinds:
        return "word"
    return "mapping" if "object" in kinds else "list" if "array" in kinds else "word"
