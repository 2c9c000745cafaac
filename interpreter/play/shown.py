"""A ruleset as text: as it was written, and as it came out once everything was decided.

Both are YAML again, each value with the place it comes from in a comment: the file and
line, and ``option=value`` where a chosen option put it there. What is shown of a
decided ruleset can be kept as a file and loaded; it has no options left to choose.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable
from collections.abc import Mapping as AnyMapping

from interpreter.document.types import Mapping, Node, Scalar, Sequence
from interpreter.ruleset.types import CLAUSE_LISTS, Citation, Clause, Ruleset
from interpreter.source import NOWHERE, Span

COLUMN = 56
"""Where the comments begin, if the line is not longer."""

_SPECIAL = re.compile(
    r"""^[-?:,\[\]{}#&*!|>'"%@`]|: |:$|[ \t]#|[,\[\]{}]"""  # what means something to YAML
    r"""|[\x00-\x1f\x7f-\x9f\u2028\u2029\ufeff]|^\s|\s$|^$"""  # what would be lost
)
_BARE_DASH = re.compile(r"-[^ ]")
_OF_THE_FILE = ("family", "known", "version", "licence", "authors")


def document_text(tree: Mapping) -> str:
    """A file as the reader of files understood it: every value a word, with its line."""
    return "\n".join(_Writer(()).node("", tree, 0)) + "\n"


def ruleset_text(ruleset: Ruleset) -> str:
    """A decided ruleset as one file, with the origin of every value."""
    book, content = ruleset.book, ruleset.content
    patches = [
        (f"{name}={value}", book.options[name].values[value].patch.node) for name, value in ruleset.choices.items()
    ]
    writer = _Writer(patches)
    lines = [f"# {book.id} with every option decided: what stands here is all that counts."]
    lines += [f"#   {name}={value}" for name, value in ruleset.choices.items()]
    lines.append("")
    root = book.root
    for name in ("ruleset", "playable", "title", "summary", *_OF_THE_FILE):
        lines += writer.node(name, root.get(name), 0)
    lines += writer.fields("board", content.board)
    lines += writer.node("pieces", content.pieces, 0)
    lines += writer.named("sides", content.sides)
    lines += writer.fields("throw", content.throw) + writer.fields("start", content.start)
    if all(not given for _, given in content.phases.values()):
        words = [word for word, _ in content.phases.values()]
        lines += writer.node("phases", Sequence(tuple(words), words[0].span), 0) if words else []
    else:
        lines += writer.named("phases", {name: given for name, (_, given) in content.phases.items()})
    lines += writer.named("memory", {name: given for name, (_, given) in content.memory.items()})
    if content.define:
        lines.append("define:")
        for name, define in content.define.items():
            if define.says:
                lines += [f"  {name}:", *writer.node("is", define.term, 2), f"    says: {_quoted(define.says)}"]
            else:
                lines += writer.node(name, define.term, 1)
    for section in CLAUSE_LISTS:
        lines += writer.clauses(section, content.clauses[section])
    lines += writer.fields("notation", book.notation)
    lines += writer.fields("match", book.match)
    return "\n".join(lines) + "\n"


class _Writer:
    def __init__(self, patches: Iterable[tuple[str, Mapping]]) -> None:
        self.patches = tuple(patches)

    def origin(self, span: Span) -> str:
        """``rulesets/x.yaml:12``, and the option value that put it there."""
        if span == NOWHERE or not span.source.name:
            return ""
        for name, patch in self.patches:
            inside = patch.span.start <= span.start and span.end <= patch.span.end
            if inside and patch.span.source is span.source and patch.entries:
                return f"{span.place} ({name})"
        return span.place

    def line(self, depth: int, text: str, span: Span) -> str:
        written, origin = "  " * depth + text, self.origin(span)
        return f"{written:<{COLUMN}}  # {origin}" if origin else written

    def fields(self, name: str, given: AnyMapping[str, Node], depth: int = 0) -> list[str]:
        """A section whose fields are nodes."""
        if not given:
            return []
        lines = [line for key, node in given.items() for line in self.node(key, node, depth + 1)]
        return ["  " * depth + f"{name}:", *lines]

    def named(self, section: str, given: AnyMapping[str, AnyMapping[str, Node]]) -> list[str]:
        """A section of names, each with fields."""
        if not given:
            return []
        lines = [f"{section}:"]
        for name, parts in given.items():
            lines += self.fields(name, parts, 1) or [f"  {name}: {{}}"]
        return lines

    def clauses(self, section: str, given: Iterable[Clause]) -> list[str]:
        lines: list[str] = []
        for clause in given:
            lines.append(self.line(1, f"{clause.id}:", clause.span))
            for name, node in clause.fields.items():
                if name not in ("because", "before"):
                    lines += self.node(name, node, 2)
            lines += self.because(clause.because)
        return [f"{section}:", *lines] if lines else []

    def because(self, citations: tuple[Citation, ...]) -> list[str]:
        if not citations:
            return []
        lines = ["    because:"]
        for c in citations:
            parts = [("source", c.source), ("at", c.at), ("grade", c.grade), ("why", c.why)]
            inside = ", ".join(f"{key}: {_quoted(value)}" for key, value in parts if value)
            lines.append(self.line(3, f"- {{{inside}}}", c.span))
        return lines

    def node(self, name: str, node: Node | None, depth: int) -> list[str]:
        """A value under its name ("" for the root)."""
        if node is None:
            return []
        head = "  " * depth + f"{name}:"
        if isinstance(node, Scalar):
            return [self.line(depth, f"{name}: {_quoted(' '.join(node.value.split()))}", node.span)]
        if isinstance(node, Sequence):
            if not node.items:
                return [self.line(depth, f"{name}: []", node.span)]
            if all(isinstance(item, Scalar) for item in node.items):
                words = ", ".join(_quoted(item.value) for item in node.items if isinstance(item, Scalar))
                return [self.line(depth, f"{name}: [{words}]", node.span)]
            return [head, *(line for item in node.items for line in self.item(item, depth + 1))]
        if not node.entries:
            return [self.line(depth, f"{name}: {{}}" if name else "{}", node.span)]
        inner = depth + 1 if name else depth
        lines = [line for key, value in node for line in self.node(_quoted(key.value), value, inner)]
        return [head, *lines] if name else lines

    def item(self, node: Node, depth: int) -> list[str]:
        """One item of a list."""
        if isinstance(node, Scalar):
            return [self.line(depth, f"- {_quoted(' '.join(node.value.split()))}", node.span)]
        if isinstance(node, Mapping) and node.entries:
            lines = self.node("", node, depth + 1)
            return ["  " * depth + "- " + lines[0].lstrip(), *lines[1:]]
        return (
            ["  " * depth + "-", *self.node("", node, depth + 1)]
            if isinstance(node, Mapping)
            else ["  " * depth + "-", *(line for item in node.items for line in self.item(item, depth + 1))]
        )


def _quoted(text: str) -> str:
    """A word or a text as a YAML scalar, quoted where it must be."""
    if _SPECIAL.search(text) and not (_BARE_DASH.match(text) and not _SPECIAL.search(text[1:])):
        return json.dumps(text, ensure_ascii=False)
    return text


__all__ = ["document_text", "ruleset_text"]
