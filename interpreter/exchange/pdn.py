"""PDN files: tags, moves, comments, variations, results, as they stand in the file.

The grammar is ``grammar/pdn.lark``. Everything of a file is kept, so that ``pdn_text``
writes it again; what a move means is not asked here (``pdn_games``).

Faults: F602 a piece of text that is no part of a game, F603 a tag that cannot be read or
is given twice, F605 a second result, F606 (warning) a game that breaks off without one.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field, replace
from functools import cache

from lark import Lark, Token

from interpreter.diagnostics import Report
from interpreter.source import Source, Span
from interpreter.terms.grammars import lalr

_TAG = re.compile(r'\[\s*([A-Za-z0-9_]+)\s*"((?:\\.|[^"\\])*)"\s*\]', re.DOTALL)
_WITHOUT_SPACES = ("MOVE", "NUMBER", "NULL_MOVE", "RESULT")
_FORCED = ("MOVE", "STRENGTH")
RESULTS = {
    "1-0": "white", "2-0": "white", "0-1": "black", "0-2": "black", "1/2-1/2": "draw", "1-1": "draw", "0-0": "open",
    "*": "open",
}  # fmt: skip
WIDTH = 78


@cache
def parser() -> Lark:
    """The parser of PDN files, built once per process."""
    return lalr("pdn", "file", placeholders=False)


@dataclass(frozen=True)
class Tag:
    """``[Name "value"]``, the value without its escapes."""

    name: str
    value: str
    span: Span = field(compare=False, repr=False)


@dataclass(frozen=True)
class Part:
    """A piece of the movetext, by the name of its terminal; a move or a number without its spaces."""

    kind: str
    text: str
    span: Span = field(compare=False, repr=False)


@dataclass(frozen=True)
class PdnGame:
    """One game as it stands in the file: what stands before its tags, its tags, its movetext, its result."""

    before: tuple[Part, ...] = ()
    tags: tuple[Tag, ...] = ()
    parts: tuple[Part, ...] = ()
    result: Part | None = None

    def tag(self, name: str) -> Tag | None:
        return next((tag for tag in self.tags if tag.name.lower() == name.lower()), None)

    @property
    def empty(self) -> bool:
        return not (self.before or self.tags or self.parts or self.result)

    @property
    def start(self) -> int:
        """The first character of it in the file."""
        pieces: list[Part | Tag] = [*self.before, *self.tags, *self.parts, *self._end]
        return min(piece.span.start for piece in pieces)

    @property
    def _end(self) -> tuple[Part, ...]:
        return (self.result,) if self.result is not None else ()

    @property
    def span(self) -> Span:
        pieces: list[Part | Tag] = [*self.tags, *self.parts, *self._end, *self.before]
        return pieces[0].span


def from_text(source: Source, report: Report) -> tuple[PdnGame, ...]:
    """The games of a file, in order. Faults are reported; everything else is read."""
    tokens = [t for part in parser().parse(source.text).children for t in part.children]  # type: ignore[union-attr]
    gathering = _Gathering(source, report)
    for token in tokens:
        assert isinstance(token, Token)
        at = token.start_pos or 0
        text = "".join(token.split()) if token.type in _WITHOUT_SPACES else str(token)
        gathering.add(Part(token.type, text, Span(source, at, at + len(token))))
    return gathering.done()


class _Gathering:
    """Parts become games, one after the other."""

    def __init__(self, source: Source, report: Report) -> None:
        self.source = source
        self.report = report
        self.games: list[PdnGame] = []
        self.game = PdnGame()
        self.depth: list[Part] = []

    def done(self) -> tuple[PdnGame, ...]:
        if not self.game.empty:
            if self.game.tags or any(part.kind in ("MOVE", "NUMBER", "NULL_MOVE") for part in self.game.parts):
                self._breaks_off(self.source.whole)
            self._close()
        return tuple(self.games)

    def _breaks_off(self, span: Span) -> None:
        where = self.game.parts[-1].span if self.game.parts else self.game.span
        self.report.warning(
            "F606", "the game breaks off: no result follows", where, help="write `*` where a game was not ended"
        )

    def _close(self) -> None:
        for part in self.depth:
            self.report.error("F602", "a variation is opened and not closed", part.span, help="write `)`")
        self.depth.clear()
        self.games.append(self.game)
        self.game = PdnGame()

    def _lost(self, part: Part, message: str, help: str = "") -> None:
        self.report.error("F602", message, part.span, help=help)

    def add(self, part: Part) -> None:
        kind = part.kind
        if kind in ("TAG", "BROKEN_TAG"):
            self._tag(part)
        elif kind in ("RESULT", "STAR"):
            self._result(part)
        elif kind in ("COMMENT", "LINE_COMMENT", "ESCAPE") and not self.game.parts:
            self.game = replace(self.game, before=(*self.game.before, part))
        else:
            if kind == "LPAR":
                self.depth.append(part)
            elif kind == "RPAR" and self.depth:
                self.depth.pop()
            elif kind == "RPAR":
                self._lost(part, "`)` closes nothing")
            elif kind == "OPEN_COMMENT":
                self._lost(part, "a comment is opened and not closed", "write `}`")
            elif kind == "JUNK":
                shown = part.text if len(part.text) < 40 else part.text[:40] + "…"
                self._lost(part, f"`{shown}` is no part of a game")
            self.game = replace(self.game, parts=(*self.game.parts, part))

    def _tag(self, part: Part) -> None:
        if self.game.parts:
            self._breaks_off(part.span)
            self._close()
        found = _TAG.fullmatch(part.text)
        if found is None or part.kind == "BROKEN_TAG":
            self.report.error("F603", "this is no tag", part.span, help='write it as `[Name "value"]`')
            self.game = replace(self.game, before=(*self.game.before, part))
            return
        tag = Tag(found[1], re.sub(r"\\(.)", r"\1", found[2]), part.span)
        first = self.game.tag(tag.name)
        if first is not None:
            self.report.error(
                "F603",
                f"the tag `{tag.name}` is given twice",
                part.span,
                f"the first, on line {first.span.line}, counts",
            )
        self.game = replace(self.game, tags=(*self.game.tags, tag))

    def _result(self, part: Part) -> None:
        parts = self.game.parts
        if part.kind == "STAR" and parts and parts[-1].kind in _FORCED and parts[-1].span.end == part.span.start:
            # "12x19*" is the older sign for a forced move; the standard has $7
            self.game = replace(self.game, parts=(*parts, Part("NAG", "$7", part.span)))
            return
        result = replace(part, kind="RESULT")
        if self.depth:
            self.game = replace(self.game, parts=(*parts, result))
            return
        if not (parts or self.game.tags) and self.games and self.games[-1].result is not None:
            last = self.games[-1]
            assert last.result is not None
            if part.kind != "STAR":  # after a result a star only parts the games
                self.report.error(
                    "F605",
                    f"a second result: `{result.text}` after `{last.result.text}`",
                    part.span,
                    help="a game has one result; the first counts",
                )
            self.games[-1] = replace(last, parts=(*last.parts, Part("SECOND", result.text, part.span)))
            return
        self.game = replace(self.game, result=result)
        self._close()


# ---- writing ------------------------------------------------------------------------------------


def pdn_text(games: tuple[PdnGame, ...]) -> str:
    """The games as one file: UTF-8, lines of at most 78 characters where no comment is longer."""
    closed = [True, *(game.result is not None for game in games)]
    return "\n".join(_game_text(game, first) for game, first in zip(games, closed, strict=False))


def _game_text(game: PdnGame, closed: bool) -> str:
    """``closed``: the game before has its end, so that comments before the tags are not taken for its own."""
    before = [part.text.strip("\r\n") for part in game.before]
    tags = [f'[{tag.name} "{_escaped(tag.value)}"]' for tag in game.tags]
    lines = before + tags if closed else tags + before
    if game.tags or game.before:
        lines.append("")
    second = [part for part in game.parts if part.kind == "SECOND"]
    parts = [part for part in game.parts if part.kind != "SECOND"]
    if game.result is not None:
        parts.append(game.result)
    return "\n".join(lines) + ("\n" if lines else "") + _flowed(parts + second) + "\n"


def _escaped(value: str) -> str:
    return " ".join(value.split("\n")).replace("\\", "\\\\").replace('"', '\\"')


def _flowed(parts: list[Part]) -> str:
    lines, line = [], ""
    before: Part | None = None
    for part in parts:
        text = part.text.replace("\r\n", "\n").replace("\r", "\n")
        glued = part.kind == "STRENGTH" and before is not None and before.kind == "MOVE"
        glued = glued or part.kind == "RPAR" or (before is not None and before.kind == "LPAR")
        alone = part.kind in ("LINE_COMMENT", "ESCAPE", "JUNK")
        if alone and part.kind != "LINE_COMMENT" and line:
            lines.append(line)
            line = ""
        if line and not glued and len(line) + 1 + len(text.split("\n")[0]) > WIDTH:
            lines.append(line)
            line = ""
        line += text if glued or not line else " " + text
        if "\n" in line:
            *whole, line = line.split("\n")
            lines += whole
        if alone:
            lines.append(line)
            line = ""
        before = part
    return "\n".join([*lines, line]).strip("\n")
