"""Citations as text: short beside a rule, full in a bibliography."""

from __future__ import annotations

from collections.abc import Iterable
from collections.abc import Mapping as AnyMapping

from interpreter.document.types import Mapping, Node, Scalar, Sequence
from interpreter.ruleset.from_document import text_of
from interpreter.ruleset.types import Citation


def short(citation: Citation, sources: AnyMapping[str, Mapping]) -> str:
    """``Wilson 1888, 218–283 (stated)``; a house rule gives its reason: ``house: …``."""
    if not citation.source:
        return f"{citation.grade}: {citation.why}" if citation.why else citation.grade
    source = sources.get(citation.source)
    name = _name(source) if source is not None else citation.source
    where = f", {citation.at}" if citation.at else ""
    why = f": {citation.why}" if citation.why else ""
    return f"{name}{where} ({citation.grade}{why})"


def shorts(because: Iterable[Citation], sources: AnyMapping[str, Mapping]) -> str:
    """Several citations on one line, most certain first as written."""
    return "; ".join(short(citation, sources) for citation in because) or "no source given"


def full(source: Mapping) -> str:
    """A bibliography entry: authors, year, title, container, publisher, address, note."""
    parts = [_people(source.get("author")) or _people(source.get("editor"))]
    year = text_of(source.get("issued"))
    if year:
        parts[0] = f"{parts[0]} ({year})" if parts[0] else f"({year})"
    parts.append(f"*{text_of(source.get('title'))}*")
    container = text_of(source.get("container-title"))
    if container:
        parts.append(f"in {container}")
    publisher = ", ".join(t for t in (text_of(source.get("publisher-place")), text_of(source.get("publisher"))) if t)
    parts += [publisher, text_of(source.get("archive")), text_of(source.get("URL")), _list(source.get("dlp"))]
    note = text_of(source.get("note"))
    text = ". ".join(part.rstrip(".") for part in parts if part) + "."
    return f"{text} {note}" if note else text


def _name(source: Mapping) -> str:
    people = _people(source.get("author"), families=True) or text_of(source.get("title"))
    year = text_of(source.get("issued"))
    return f"{people} {year}".strip()


def _people(node: Node | None, families: bool = False) -> str:
    names = []
    for person in node.items if isinstance(node, Sequence) else ():
        if isinstance(person, Scalar):
            names.append(person.value)
            continue
        if not isinstance(person, Mapping):
            continue
        family, given, literal = (text_of(person.get(k)) for k in ("family", "given", "literal"))
        names.append(literal or (family if families or not given else f"{family}, {given}"))
    if families and len(names) > 2:
        return f"{names[0]} et al."
    return (" and " if families else "; ").join(names)


def _list(node: Node | None) -> str:
    if isinstance(node, Sequence):
        return ", ".join(text_of(item) for item in node.items)
    return text_of(node)
