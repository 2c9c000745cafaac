"""Two rulesets clause by clause: what was added, dropped, changed, moved, each with both sources.

Clauses are matched by list and id; one that has another id and says the same in all but
prose is renamed. Options are decided: a change that an option brings shows in the
clauses it changes, and the choice itself stands among the rest.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from collections.abc import Mapping as AnyMapping
from dataclasses import dataclass, fields
from typing import Any

from interpreter.document.types import Node, plain
from interpreter.game.types import Ends, Game, May, MayNot, Must, Then
from interpreter.play import citing
from interpreter.ruleset.types import CLAUSE_LISTS, Clause, Content, Ruleset

ADDED, DROPPED, CHANGED, RENAMED, MOVED = "added", "dropped", "changed", "renamed", "moved"
PROSE = ("rule", "because", "before", "says")
"""Parts that change no rule."""
PARTS = {
    "when": "condition", "after": "condition afterwards", "pattern": "pattern", "rule": "rule", "verbs": "verbs",
    "verb": "verb", "sign": "sign", "way": "way", "who": "who moves", "phase": "phase", "side": "side",
    "at": "moment", "do": "effects", "result": "result", "points": "points", "kind": "kind of ending", "for": "reader",
    "binds": "verbs bound", "among": "compared among", "unless": "exception", "breach": "mark of a breach",
    "prefer": "preference", "most": "most of", "least": "least of", "along": "lines", "directions": "directions",
    "because": "source", "region": "region",
}  # fmt: skip
"""What the fields of clauses are called."""
DEFINED = "define "
"""Before the name of a definition that a clause uses."""
_WORD = re.compile(r"[a-z][a-z0-9]*(?:-[a-z0-9]+)*")
ROOMS = ("board", "pieces", "sides", "throw", "start", "phases", "memory", "define")


@dataclass(frozen=True)
class Part:
    """One part in which two clauses (or sections) differ: how each has it, empty where it has it not."""

    part: str
    a: str
    b: str


@dataclass(frozen=True)
class Told:
    """A clause as one ruleset has it: its rule in words, its sources in short, file and line."""

    id: str
    rule: str
    source: str
    place: str
    fields: AnyMapping[str, str]


@dataclass(frozen=True)
class Change:
    """One clause that is not the same in both. ``a`` is None where it was added, ``b`` where it was dropped.

    ``plays``: something other than prose differs. ``alike``: it does, but both come to the same
    once names are resolved, so that the game is not touched.
    """

    what: str
    section: str
    id: str
    parts: tuple[Part, ...]
    a: Told | None
    b: Told | None
    plays: bool
    alike: bool = False


@dataclass(frozen=True)
class Comparison:
    """What differs in words: clauses; the other sections (``board`` … ``define``, ``match``); options and values."""

    clauses: tuple[Change, ...]
    rest: tuple[tuple[str, Part], ...]
    options: tuple[Part, ...]

    @property
    def nothing(self) -> bool:
        return not (self.clauses or self.rest or self.options)


def compare(a: Game, b: Game) -> Comparison:
    """What two games differ in, as their files say it, in the order of the lists and of the files."""
    mine, theirs = a.ruleset, b.ruleset
    lowered = (_lowered(a), _lowered(b)) if _numbered(a) == _numbered(b) else ({}, {})
    changes: list[Change] = []
    defined = {part.part: part for part in _parts(*(_room(r.content, "define") for r in (mine, theirs)))}
    for section in CLAUSE_LISTS:
        changes += _section(section, mine, theirs, lowered, defined)
    rest = [("match", part) for part in _parts(_texts(mine.book.match), _texts(theirs.book.match))]
    for room in ROOMS:
        one, other = _room(mine.content, room), _room(theirs.content, room)
        rest += [(room, part) for part in _parts(one, other)]
    return Comparison(tuple(changes), tuple(rest), tuple(_parts(dict(mine.choices), dict(theirs.choices))))


def _section(
    section: str, a: Ruleset, b: Ruleset, lowered: tuple[dict[Any, Any], ...], defined: dict[str, Part]
) -> Iterator[Change]:
    mine = {clause.id: clause for clause in a.content.clauses[section]}
    theirs = {clause.id: clause for clause in b.content.clauses[section]}
    renamed = dict(_renamed(mine, theirs))
    common = [id for id in mine if id in theirs]
    moved = _moved(common, [id for id in theirs if id in mine])
    for id, clause in mine.items():
        other = theirs.get(renamed.get(id, id))
        if other is None:
            yield Change(DROPPED, section, id, (), _told(clause, a), None, True)
            continue
        parts = tuple(_parts(_clause(clause), _clause(other)))
        used = _uses(clause, a.content) | _uses(other, b.content)
        parts += tuple(Part(f"{DEFINED}{name}", part.a, part.b) for name, part in defined.items() if name in used)
        cited = citing.shorts(clause.because, a.book.sources), citing.shorts(other.because, b.book.sources)
        if cited[0] != cited[1]:
            parts = (*parts, Part("because", *cited))
        what = RENAMED if other.id != id else CHANGED if parts else MOVED if id in moved else ""
        if what:
            plays = what in (RENAMED, MOVED) or any(part.part not in PROSE for part in parts)
            keys = (section, id), (section, other.id)
            alike = plays and what == CHANGED and lowered[0].get(keys[0]) == lowered[1].get(keys[1]) is not None
            yield Change(what, section, id, parts, _told(clause, a), _told(other, b), plays, alike)
    for id, clause in theirs.items():
        if id not in mine and id not in renamed.values():
            yield Change(ADDED, section, id, (), None, _told(clause, b), True)


def _uses(clause: Clause, content: Content) -> set[str]:
    """The definitions a clause is written with, and those that these are written with."""
    found: set[str] = set()
    waiting = [text for name, text in _clause(clause).items() if name not in PROSE]
    while waiting:
        names = (set(_WORD.findall(waiting.pop())) & content.define.keys()) - found
        found |= names
        waiting += [content.define[name].term.value for name in names]
    return found


def _renamed(mine: dict[str, Clause], theirs: dict[str, Clause]) -> Iterator[tuple[str, str]]:
    """Clauses that only the id tells apart."""
    waiting = {id: _rules(clause) for id, clause in theirs.items() if id not in mine}
    for id, clause in mine.items():
        said = _rules(clause)
        found = next((other for other, rules in waiting.items() if rules == said), None) if id not in theirs else None
        if found is not None:
            del waiting[found]
            yield id, found


def _rules(clause: Clause) -> dict[str, str]:
    return {name: text for name, text in _clause(clause).items() if name not in PROSE}


def _moved(mine: list[str], theirs: list[str]) -> set[str]:
    """Of the same ids in two orders, as few as stand elsewhere."""
    from difflib import SequenceMatcher

    kept: set[str] = set()
    for block in SequenceMatcher(None, mine, theirs, autojunk=False).get_matching_blocks():
        kept.update(mine[block.a : block.a + block.size])
    return set(mine) - kept


def _parts(a: AnyMapping[str, str], b: AnyMapping[str, str]) -> Iterator[Part]:
    for name in dict.fromkeys((*a, *b)):
        if a.get(name, "") != b.get(name, ""):
            yield Part(name, a.get(name, ""), b.get(name, ""))


def _told(clause: Clause, ruleset: Ruleset) -> Told:
    return Told(
        clause.id,
        clause.rule,
        citing.shorts(clause.because, ruleset.book.sources),
        clause.span.place,
        {name: text for name, text in _clause(clause).items() if name != "rule"},
    )


def _clause(clause: Clause) -> dict[str, str]:
    """The parts of a clause as text; what cites it and where it was put are no part of it."""
    return {name: text for name, text in _texts(clause.fields).items() if name not in ("because", "before")}


def _texts(given: AnyMapping[str, Node]) -> dict[str, str]:
    return {name: _said(plain(node)) for name, node in given.items()}


def _said(value: object) -> str:
    """A node on one line."""
    if isinstance(value, list):
        return "[" + ", ".join(map(_said, value)) + "]"
    if isinstance(value, dict):
        return "{" + ", ".join(f"{k}: {_said(v)}" for k, v in value.items() if k not in PROSE) + "}"
    return " ".join(str(value).split()) if value is not None else ""


def _room(content: Content, room: str) -> dict[str, str]:
    """A section that is no list of clauses, name by name."""
    if room == "define":
        return {name: " ".join(define.term.value.split()) for name, define in content.define.items()}
    if room == "pieces":
        return {"pieces": _said(plain(content.pieces))} if content.pieces is not None else {}
    if room in ("phases", "memory"):
        named = content.phases if room == "phases" else content.memory
        return {name: _said({k: plain(v) for k, v in given.items()}) or "{}" for name, (_, given) in named.items()}
    if room == "sides":
        return {f"{side} {name}": text for side, given in content.sides.items() for name, text in _texts(given).items()}
    given = {"board": content.board, "throw": content.throw, "start": content.start}[room]
    return {name: text for name, text in _texts(given).items() if name not in (*PROSE, "title", "draw")}


def _numbered(game: Game) -> tuple[Any, ...]:
    """What the numbers in lowered clauses stand for."""
    facts = [(m.name, m.kind, m.per, m.lasts, m.low, m.high) for m in game.memories]
    return game.board.names, game.kinds, game.verbs, game.paths, game.phases, facts


def _lowered(game: Game) -> dict[tuple[str, str], Any]:
    """Every clause as the machines run it, by list and id, without its words."""
    found: dict[tuple[str, str], Any] = {}
    typed: list[May | MayNot | Must | Then | Ends] = [*game.may, *game.may_not, *game.must, *game.then, *game.ends]
    for clause in typed:
        key = clause.clause.section, clause.clause.id
        parts = tuple(getattr(clause, field.name) for field in fields(clause) if field.name != "clause")
        found[key] = (*found.get(key, ()), parts)
    return found


__all__ = ["DEFINED", "PARTS", "PROSE", "Change", "Comparison", "Part", "Told", "compare"]
