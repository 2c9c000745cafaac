"""Read the sections of one file: citations, options, readings, doubts.

The document has passed its schema, so shapes are right; what remains is to give
each part its type and its citation (the nearest `because` above it wins).
"""

from __future__ import annotations

from interpreter.document.languages import ENGLISH
from interpreter.document.types import Mapping, Node, Scalar, Sequence
from interpreter.ruleset.types import Citation, Doubt, Known, Option, Patch, Reading, Unused, Value

RESERVED = ("says", "because")


def words(node: Node | None) -> list[Scalar]:
    """A list of words: one word, or a list of them (anything else is left out: the schema has reported it)."""
    if isinstance(node, Scalar):
        return [node]
    if isinstance(node, Sequence):
        return [item for item in node.items if isinstance(item, Scalar)]
    return []


def text_of(node: Node | None) -> str:
    """A text on one line; folded blocks lose their line ends."""
    return " ".join(node.value.split()) if isinstance(node, Scalar) else ""


def whole_number(text: str) -> int | None:
    """The number that up to nine digits write, else None."""
    return int(text) if text.isascii() and text.isdigit() and len(text) <= 9 else None


def entries(node: Node | None) -> list[tuple[Scalar, Node]]:
    return list(node.entries) if isinstance(node, Mapping) else []


def fields(node: Node | None) -> dict[str, Node]:
    return {key.value: value for key, value in entries(node)}


def language(tree: Mapping) -> str:
    """The language of a file's plain texts."""
    return text_of(tree.get("language")) or ENGLISH


def titles(tree: Mapping) -> dict[str, str]:
    """A title by language; a plain one is in the file's own."""
    node = tree.get("title")
    plain = text_of(node)
    return {key.value: text_of(value) for key, value in entries(node)} or ({language(tree): plain} if plain else {})


def citations(node: Node | None) -> tuple[Citation, ...]:
    if isinstance(node, Sequence):
        return tuple(c for item in node.items for c in citations(item))
    if not isinstance(node, Mapping):
        return ()
    source = node.get("source")
    return (
        Citation(
            text_of(source),
            text_of(node.get("at")),
            text_of(node.get("grade")),
            text_of(node.get("why")),
            node.span,
            source.span if source is not None else node.span,
        ),
    )


def option(key: Scalar, node: Node, outer: tuple[Citation, ...], file_id: str) -> Option:
    because = citations(fields(node).get("because")) or outer
    values = {}
    for value_key, value_node in entries(fields(node).get("values")):
        patch = value_node if isinstance(value_node, Mapping) else Mapping((), value_node.span)
        values[value_key.value] = Value(
            value_key.value,
            text_of(patch.get("says")),
            Patch(patch, citations(patch.get("because")) or because),
            value_key.span,
        )
    needs = {k.value: v for k, v in entries(fields(node).get("needs"))}
    spans = {k.value: (k.span, v.span) for k, v in entries(fields(node).get("needs"))}
    return Option(
        key.value,
        text_of(fields(node).get("ask")),
        text_of(fields(node).get("default")),
        values,
        {name: text_of(value) for name, value in needs.items()},
        because,
        key.span,
        file_id,
        spans,
    )


def reading(key: Scalar, node: Node, outer: tuple[Citation, ...]) -> Reading:
    choices = {k.value: v for k, v in entries(node) if k.value not in RESERVED}
    return Reading(
        key.value,
        text_of(fields(node).get("says")),
        {name: text_of(value) for name, value in choices.items()},
        citations(fields(node).get("because")) or outer,
        key.span,
        {k.value: k.span for k, _ in entries(node) if k.value not in RESERVED},
    )


def known(node: Node | None) -> Known:
    """When and where the rules are known. The schema lets only whole numbers through."""
    years = [text_of(fields(node).get(name)) for name in ("from", "to")]
    first, last = (int(year) if year.lstrip("-").isdigit() else None for year in years)
    return Known(first, last, tuple(" ".join(place.value.split()) for place in words(fields(node).get("places"))))


def doubt(key: Scalar, node: Node, outer: tuple[Citation, ...]) -> Doubt:
    parts = fields(node)
    return Doubt(
        key.value,
        text_of(parts.get("ask")),
        text_of(parts.get("says")),
        citations(parts.get("because")) or outer,
        key.span,
    )


def unused(node: Node | None) -> dict[str, Unused]:
    """The clauses a file lists as known to have no say."""
    return {key.value: Unused(key.value, text_of(reason), key.span) for key, reason in entries(node)}
