"""A document written anew from its tree: the layout that ``format`` gives out.

The tree and its spans say where every word stands; between them there are only spaces,
signs and comments, and those are written here. A comment of its own line is indented
like what follows it, or, at the end of a block, like the block it was written in.

One room: one walk through a document, for every place where a comment or a line break
can be.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from dataclasses import dataclass

import yaml

from interpreter.document import spelling
from interpreter.document.spelling import BREAK
from interpreter.document.types import Mapping, Node, Scalar, Sequence, scalars
from interpreter.source import Source

STEP = 2
_LOADER = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
_FAR = 1 << 30
"""A column that no comment stands behind."""

_COLON = re.compile(r"\s*:")
_MARK = re.compile(r"^(---|\.\.\.|%)", re.MULTILINE)


@dataclass(frozen=True)
class _Comment:
    """A comment as it was written."""

    text: str
    column: int
    """From 0."""
    spaces: int
    """Before it, on its line."""
    alone: bool
    """Is nothing else on its line?"""
    apart: bool
    """Is there an empty line before it?"""


@dataclass(frozen=True)
class _Level:
    """An open block: the column its names or dashes had, and the one they get."""

    column: int
    indent: int


class Writer:
    """Walks through a tree once; ``at`` is how far the text has been used up."""

    def __init__(self, source: Source, tree: Node) -> None:
        self.text = source.text
        self.tree = tree
        self.root = spelling.root_of(tree)
        self.starts = [0, *(end.end() for end in BREAK.finditer(self.text))]
        self.at = 0
        self.lines: list[str] = []
        self.line: list[str] | None = None
        """The line that is being written, in pieces."""
        self.levels: list[_Level] = []
        self.hollow = False
        """Was the last thing a name with nothing behind it? A comment below may then stand for what is missing."""

    def whole(self) -> str:
        end, last = len(self.text), list[str]()
        if _MARK.search(self.text):
            end, last = self._marks()
        if isinstance(self.tree, Scalar):
            return self.text
        if self._is_flow(self.tree):
            self._entry(self.tree.span.start, 0, _Level(0, 0))
            self._flow(self.tree, (), 0, 1)
        else:
            self._block(self.tree, (), 0, 0, compact=False)
        self._comments(self._gap(end)[0], _Level(-1, 0))
        self._new_line(False)
        return "\n".join([*self.lines, *last]).rstrip("\n" if not self._kept_ends() else "") + "\n"

    def _kept_ends(self) -> bool:
        """Does the file end in a text whose empty lines at the end count (``|+``)?"""
        final = list(scalars(self.tree))[-1:]
        return bool(final) and bool(re.match(r"[|>][1-9]?\+", final[0].span.text)) and self.lines[-1:] == [""]

    def _marks(self) -> tuple[int, list[str]]:
        """The marks of a document, and what comes before and after them, are written as they are."""
        end, last = len(self.text), list[str]()
        for event in yaml.parse(self.text, Loader=_LOADER):
            if isinstance(event, yaml.DocumentStartEvent) and event.explicit and event.end_mark is not None:
                self.at = event.end_mark.index
                self.lines = [line.rstrip(" ") for line in BREAK.split(self.text[: self.at])]
                self.line = [self.lines.pop()]
            if isinstance(event, yaml.DocumentEndEvent) and event.explicit and event.start_mark is not None:
                end = event.start_mark.index
                last = [line.rstrip(" ") for line in BREAK.split(self.text[end:].rstrip())]
        return end, last

    # ---- between words ----

    def _gap(self, to: int) -> tuple[list[_Comment], int]:
        """The comments from here to an offset, and how many lines end after the last of them."""
        found, breaks, at = list[_Comment](), 0, self.at
        while at < to:
            end = BREAK.match(self.text, at)
            if end is not None:
                breaks, at = breaks + 1, end.end()
            elif self.text[at] == "#":
                stop = BREAK.search(self.text, at)
                until = stop.start() if stop is not None else len(self.text)
                begun = self.text[self._line_start(at) : at]
                spaces = len(begun) - len(begun.rstrip(" "))
                alone = breaks > 0 or self.line is None
                words = self.text[at:until].rstrip()
                found.append(_Comment(words, len(begun), spaces, alone, breaks > 1))
                breaks, at = 0, until
            else:
                at += 1
        self.at = max(self.at, to)
        return found, breaks

    def _line_start(self, at: int) -> int:
        """Where the line of an offset begins."""
        return self.starts[bisect_right(self.starts, at) - 1]

    def _asked(self, at: int) -> str:
        """The question mark before a name that was written with one, and the spaces behind it."""
        asked = re.search(r"\? +$", self.text[self._line_start(at) : at])
        return asked.group() if asked is not None else ""

    def _column(self, at: int) -> int:
        return at - self._line_start(at)

    def _comments(self, found: list[_Comment], following: _Level) -> None:
        for comment in found:
            if not comment.alone and self.line is not None:
                self.line = ["".join(self.line).rstrip(" "), " " * max(2, comment.spaces), comment.text]
                continue
            self._new_line(comment.apart)
            self.line = [" " * self._indent(comment.column, following), comment.text]

    def _indent(self, column: int, following: _Level) -> int:
        """How far a comment of its own line is indented: like what follows, or like the block that it ends."""
        if column <= following.column:
            return following.indent
        if self.hollow and self.levels and column > self.levels[-1].column >= following.column:
            return self.levels[-1].indent + STEP
        inner = [level for level in self.levels if following.column < level.column <= column]
        return inner[-1].indent if inner else following.indent

    def _add(self, text: str) -> None:
        """Write on in the line that was begun."""
        if self.line is None:
            self.line = []
        self.line.append(text)

    def _new_line(self, apart: bool) -> None:
        """The line that was begun ends; ``apart``: an empty line follows."""
        if self.line is not None:
            self.lines.append("".join(self.line))
            self.line = None
        if apart and self.lines and self.lines[-1]:
            self.lines.append("")

    # ---- blocks ----

    def _is_flow(self, node: Node) -> bool:
        return not isinstance(node, Scalar) and self.text[node.span.start : node.span.start + 1] in ("[", "{")

    def _is_nothing(self, node: Node) -> bool:
        return isinstance(node, Scalar) and node.value == "" and not node.quoted

    def _dash(self) -> int:
        """Where the next dash of a list stands."""
        at = self.at
        while self.text[at] != "-":
            stop = BREAK.search(self.text, at) if self.text[at] == "#" else None
            at = stop.end() if stop is not None else at + 1
        return at

    def _entry(self, start: int, depth: int, level: _Level, compact: bool = False) -> None:
        """Begin a name or dash: on a line of its own, or behind the dash that is on this line (``compact``)."""
        if compact and "#" not in self.text[self.at : start]:
            self.at = start
            self._add(" ")
        else:
            found, breaks = self._gap(start)
            self._comments(found, level)
            self._new_line(breaks > 1)
            self.line = [" " * level.indent]
        self.hollow = False
        self.levels[depth:] = [level]

    def _block(self, node: Mapping | Sequence, path: tuple[str, ...], depth: int, indent: int, compact: bool) -> None:
        """A mapping or list in lines. ``compact``: its first entry may stand behind a dash."""
        if isinstance(node, Sequence):
            for number, item in enumerate(node.items):
                dash = self._dash()
                self._entry(dash, depth, _Level(self._column(dash), indent), compact and number == 0)
                self._add("-")
                self.at = dash + 1
                self._value(item, path, depth, indent, behind_dash=True)
            return
        for number, (key, value) in enumerate(node):
            start = key.span.start
            column = self._column(start - len(self._asked(start)))
            self._entry(start, depth, _Level(column, indent), compact and number == 0)
            self._add(f"{spelling.key(key, False)}:")
            colon = _COLON.match(self.text, key.span.end)
            self.at = colon.end() if colon is not None else key.span.end
            self._value(value, (*path, key.value), depth, indent, behind_dash=False)

    def _value(self, node: Node, path: tuple[str, ...], depth: int, indent: int, behind_dash: bool) -> None:
        """What stands behind a colon or dash: on its line, or under it where the author broke the line."""
        if self._is_nothing(node):
            self.hollow = True
            return
        inside = indent + STEP
        if not isinstance(node, Scalar) and not self._is_flow(node):
            self._block(node, path, depth + 1, inside, behind_dash)
            return
        found, breaks = self._gap(node.span.start)
        self._comments(found, _Level(_FAR, inside))
        under = bool(found) or (breaks > 0 and not behind_dash)
        if under:
            self._new_line(False)
            self.line = [" " * inside]
        else:
            self._add(" ")
        if isinstance(node, Scalar):
            self._scalar(node, spelling.kind_of(self.root, path), False, inside, indent)
        else:
            self._flow(node, path, inside if under or behind_dash else indent, 1)

    # ---- between brackets ----

    def _flow(self, node: Mapping | Sequence, path: tuple[str, ...], indent: int, depth: int) -> None:
        """A mapping or list in brackets; a pair in a list has none. ``depth``: how many are open with this one."""
        in_brackets = self._is_flow(node)
        inside = indent + STEP * depth
        if in_brackets:
            self._add(self.text[node.span.start])
            self.at = node.span.start + 1
        parts: list[tuple[Scalar | None, Node]]
        parts = [(None, item) for item in node.items] if isinstance(node, Sequence) else [*node]
        for number, (key, value) in enumerate(parts):
            if in_brackets:
                self._between((key or value).span.start, inside, number > 0)
            below = path if key is None else (*path, key.value)
            if key is not None:
                self._add(spelling.key(key, True))
                self.at = key.span.end
                if not self._is_nothing(value):
                    self._add(":")
                    self._between(value.span.start, inside, True)
                elif not in_brackets or ":" in re.sub("#.*", "", self.text[key.span.end : value.span.end]):
                    self._add(": ")
            if self._is_nothing(value):
                pass
            elif isinstance(value, Scalar):
                self._scalar(value, spelling.kind_of(self.root, below), True, inside, indent)
            else:
                self._flow(value, below, indent, depth + 1)
            if number < len(parts) - 1:
                self._add(",")
        if in_brackets:
            self._between(node.span.end - 1, inside - STEP, False)
            self._add(self.text[node.span.end - 1])
            self.at = node.span.end

    def _between(self, to: int, indent: int, apart: bool) -> None:
        """Go on to the next word between brackets: on a new line where the author began one."""
        found, breaks = self._gap(to)
        self._comments(found, _Level(_FAR, indent))
        if found or breaks:
            self._new_line(False)
            self.line = [" " * indent]
        elif apart:
            self._add(" ")

    # ---- words ----

    def _scalar(self, node: Scalar, kind: str, flow: bool, others: int, parent: int) -> None:
        if node.span.text[:1] in ("|", ">") and node.quoted and not flow:
            written = self._block_text(node, others, parent)
        else:
            first = sum(map(len, self.line or ())) if kind == spelling.PROSE else 0
            written = spelling.lines(node, kind, flow, first, others)
            written = [written[0], *(" " * others + line if line else "" for line in written[1:])]
            self.at = node.span.end
        self._add(written[0])
        for line in written[1:]:
            self._new_line(False)
            self._add(line)

    def _block_text(self, node: Scalar, others: int, parent: int) -> list[str]:
        """A text behind ``|`` or ``>``: its lines keep their distance from each other."""
        raw = node.span.text
        header, *body = BREAK.split(raw)
        keeps = "+" in header.partition("#")[0]
        first = next((line for line in body if line.strip(" ")), " " * len(raw))
        had, gets = len(first) - len(first.lstrip(" ")), others
        if indicated := re.match(r"[|>][-+]?([1-9])", header):
            had, gets = self.levels[-1].column + int(indicated.group(1)), parent + int(indicated.group(1))
        body = [line[had:] for line in body]
        while body and body[-1] == "":
            body.pop()
            if keeps:
                break  # the last end of line is that of any line; those before it count
        self.at = node.span.start + [*(end.start() for end in BREAK.finditer(raw)), len(raw)][len(body)]
        if body and not node.value.endswith("\n") and not re.match(r"[|>][1-9]?-", header):
            header = header.replace("+", "") if keeps else header  # a last line without an end, which it gets now
            header = f"{header[0]}-{header[1:]}"
        return [header.rstrip(" "), *(" " * gets + line if line else "" for line in body)]
