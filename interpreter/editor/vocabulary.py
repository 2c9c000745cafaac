"""The words that a term of one file may hold, each with its sort, and what the game gives to ask about."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

from interpreter.diagnostics import Report
from interpreter.document.types import Mapping, Scalar
from interpreter.editor.meaning import Found, Meaning
from interpreter.editor.roles import BESIDE, DEFINE, KIND, MEMORY, PHASE, REGION, VERBS, WORDS
from interpreter.game.types import BOOL, DIRECTION, INT, PLACE, PLACES
from interpreter.game.words import BY_NAME, COORDINATES, DICE, LINES, TRACKS
from interpreter.ruleset.from_document import entries, fields
from interpreter.source import NOWHERE
from interpreter.terms import from_words
from interpreter.terms.types import Term

_OF_FACT = {"flag": BOOL, "number": INT, "direction": DIRECTION, "place": PLACE, "places": PLACES, "mark": PLACES}
_BOOLS = ("compare", "in", "meets", "is", "not", "and", "or", "can", "can_from", "can_at_all")
MOST_DEPTH = 8


@dataclass(frozen=True)
class Own:
    """A word that the rules themselves give: its sort, what it is, what is said of it. ``of_man``: it takes a place."""

    name: str
    sort: str
    kind: str
    says: str
    of_man: bool = False


class Vocabulary:
    """What may stand in the terms of a file."""

    def __init__(self, meaning: Meaning) -> None:
        self.meaning = meaning

    @cached_property
    def own(self) -> dict[str, Own]:
        found: dict[str, Own] = {}
        for name, one in self.meaning.every(MEMORY).items():
            kind = one.mark.detail.split(" ")[0]
            of_man = "per man" in one.mark.detail and kind != "mark"
            found[name] = Own(name, _OF_FACT.get(kind, BOOL), MEMORY, one.mark.says or one.mark.detail, of_man)
        for name, one in self.meaning.every(REGION).items():
            found[name] = Own(name, PLACES, REGION, one.mark.detail)
        for name in self.meaning.every(BESIDE):
            if name not in BY_NAME:
                found[name] = Own(name, PLACE, BESIDE, "")
        for name, one in self.meaning.every(DEFINE).items():
            found[name] = Own(name, self._of_define(one, 0), DEFINE, one.mark.says or one.mark.detail)
        for name in self._left_to_children():
            found.setdefault(name, Own(name, "", DEFINE, "used here, given by those who extend this"))
        return found

    def _left_to_children(self) -> set[str]:
        """The words that a family uses and leaves to others to give."""
        own = self.meaning.grounds[0] if self.meaning.grounds else None
        if own is None or own.word("playable") != "no":
            return set()
        return {mark.name for mark in own.marks if mark.kinds == WORDS and not mark.gives}

    @cached_property
    def marks(self) -> list[str]:
        return [name for name, one in self.meaning.every(MEMORY).items() if one.mark.detail.startswith("mark")]

    @cached_property
    def kinds(self) -> list[str]:
        return list(self.meaning.every(KIND)) or ["man"]

    @cached_property
    def verbs(self) -> list[str]:
        return list(self.meaning.every(VERBS))

    @cached_property
    def phases(self) -> list[str]:
        return ["start", *self.meaning.every(PHASE)]

    @cached_property
    def beside(self) -> list[str]:
        return list(self.meaning.every(BESIDE))

    @cached_property
    def features(self) -> frozenset[str]:
        """What the game has; a family that leaves its board or sides to its children may ask about everything."""
        board: set[str] = set()
        tracks = dice = sides = False
        for index in self.meaning.grounds:
            tree = index.tree
            dice = dice or "throw" in tree
            for _, node in entries(tree.get("sides")):
                sides = True
                tracks = tracks or "track" in fields(node)
            inner = tree.get("board")
            part = tree if index.file == "board" else inner if isinstance(inner, Mapping) else None
            board |= {key.value for key, _ in entries(part)}
        found = {DICE} if dice or not sides else set()
        found |= {TRACKS} if tracks or not sides else set()
        open_board = not board & {"grid", "grids", "lines", "places"}
        found |= {LINES} if open_board or board & {"grid", "grids", "lines"} else set()
        found |= {COORDINATES} if open_board or board & {"grid", "grids", "lines"} else set()
        return frozenset(found)

    def sort(self, name: str, form: str = "") -> str:
        """The sort of a word, written so (``plain`` with brackets); empty where it is not known."""
        rows = BY_NAME.get(name, ())
        row = next((row for row in rows if row.form == form), rows[0] if rows else None)
        if row is not None:
            return PLACE if row.op == "places" and name in ("bar", "off", "hand", "box") else row.sort
        own = self.own.get(name)
        return own.sort if own is not None else ""

    def _of_define(self, found: Found, depth: int) -> str:
        trial = Report()
        parsed = from_words.term(Scalar(found.mark.detail, NOWHERE, True), trial) if found.mark.detail else None
        return self._of(parsed, depth) if parsed is not None else ""

    def _of(self, term: Term, depth: int) -> str:
        """The sort of a term as far as it can be told without reading it whole."""
        if term.op in _BOOLS:
            return BOOL
        if term.op in ("number", "times"):
            return INT
        if term.op in ("common", "where"):
            return PLACES
        if term.op == "opposite":
            return DIRECTION
        if term.op in ("plus", "minus", "choose", "their"):
            sorts = [self._of(part, depth) for part in term.parts[:1]]
            return PLACES if sorts[0] == PLACE and term.op != "their" else sorts[0]
        if term.op == "word" and term.name in BY_NAME:
            return self.sort(term.name, term.names[2])
        return self._of_own(term.name, depth) if term.op == "word" else ""

    def _of_own(self, name: str, depth: int) -> str:
        if depth >= MOST_DEPTH:
            return ""
        for kind, sort in ((REGION, PLACES), (BESIDE, PLACE)):
            if self.meaning.given(kind, name):
                return sort
        facts = self.meaning.given(MEMORY, name)
        if facts:
            return _OF_FACT.get(facts[0].mark.detail.split(" ")[0], BOOL)
        defined = self.meaning.given(DEFINE, name)
        return self._of_define(defined[0], depth + 1) if defined else ""
