"""What a ruleset's clauses are made of, as far as words show it: ways, words, effects, moments, sections.

Nothing is lowered: a clause's words are those written in it, definitions written out.
That is enough to say what kind of game it is (``mechanisms``), and takes a thousandth of
the time that compiling takes.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from collections.abc import Mapping as AnyMapping
from dataclasses import dataclass
from functools import cached_property

from interpreter.document.types import Node, Scalar, Sequence
from interpreter.ruleset.from_document import entries, text_of, words
from interpreter.ruleset.types import CLAUSE_LISTS, Clause, Content

_WORD = re.compile(r"[a-z][a-z0-9]*(?:-[a-z0-9]+)*")
_TERMS = ("when", "after", "prefer", "most", "least", "unless", "points")
_EFFECTS_ON_MEN = ("take", "send")
_HOLDING = re.compile(r"(?P<place>[a-z0-9-]+)(?::(?P<count>[0-9]{1,4}))?")


@dataclass(frozen=True)
class Effect:
    """One effect as written, with its words (definitions written out)."""

    text: str
    words: frozenset[str]

    @property
    def head(self) -> str:
        return self.text.split(" ")[0]


@dataclass(frozen=True)
class Sentence:
    """One clause: its plain fields, and the words of its terms by field (``when``, ``most`` …).

    ``names`` are all fields it has; ``lists`` those that name things (``verbs``, ``directions`` …).
    """

    section: str
    id: str
    names: frozenset[str]
    fields: AnyMapping[str, str]
    terms: AnyMapping[str, frozenset[str]]
    effects: tuple[Effect, ...]
    lists: AnyMapping[str, frozenset[str]]

    @property
    def way(self) -> str:
        """The way without its place; empty where no man moves."""
        return self.fields.get("way", "").split(" ")[0]

    @property
    def moment(self) -> str:
        return self.fields.get("at", "decision")

    @property
    def who(self) -> str:
        return self.fields.get("who", "own")

    @property
    def verb(self) -> str:
        return self.fields.get("verb", self.id)

    @property
    def words(self) -> frozenset[str]:
        """Every word of its terms and effects."""
        return frozenset().union(*self.terms.values(), *(effect.words for effect in self.effects))


class Evidence:
    """The sentences of a ruleset (one set of choices), and what its other sections say."""

    def __init__(self, content: Content, match: AnyMapping[str, Node] | None = None) -> None:
        self.content = content
        self.match = dict(match or {})
        self._defined: dict[str, frozenset[str]] = {}
        self.sentences = tuple(self._sentence(clause) for clause in content.all_clauses())

    # ---- sentences ------------------------------------------------------------------------

    def of(self, *sections: str) -> Iterator[Sentence]:
        return (sentence for sentence in self.sentences if sentence.section in (sections or CLAUSE_LISTS))

    @cached_property
    def ways(self) -> frozenset[str]:
        return frozenset(sentence.way for sentence in self.of("may"))

    @cached_property
    def words(self) -> frozenset[str]:
        """Every word of every sentence."""
        return frozenset().union(*(sentence.words for sentence in self.sentences))

    @cached_property
    def effects(self) -> tuple[Effect, ...]:
        return tuple(effect for sentence in self.of("then") for effect in sentence.effects)

    @cached_property
    def captures(self) -> tuple[tuple[Sentence, Effect], ...]:
        """Effects that take the other side's men or send them away."""
        return tuple(
            (sentence, effect)
            for sentence in self.of("then")
            for effect in sentence.effects
            if effect.head in _EFFECTS_ON_MEN and re.match(r"\w+ (foe|their)\b", effect.text)
        )

    @cached_property
    def capturing_verbs(self) -> frozenset[str]:
        """Verbs that take men: by what follows from them, or by their way."""
        found = {verb for sentence, _ in self.captures for verb in sentence.lists.get("verbs", ())}
        return frozenset(found | {s.verb for s in self.of("may") if s.way == "remove" and "foe" in s.who.split(" ")})

    def _sentence(self, clause: Clause) -> Sentence:
        given = clause.fields
        do = given.get("do")
        return Sentence(
            clause.section,
            clause.id,
            frozenset(given),
            {name: text_of(node) for name, node in given.items() if isinstance(node, Scalar)},
            {name: self._words(text_of(given[name])) for name in _TERMS if name in given},
            tuple(Effect(text_of(word), self._words(word.value)) for word in words(do)),
            {
                name: frozenset(word.value for word in words(node))
                for name, node in given.items()
                if name not in (*_TERMS, "do") and isinstance(node, (Scalar, Sequence))
            },
        )

    def _words(self, text: str) -> frozenset[str]:
        """The words of a term, those of the definitions it uses among them."""
        found = frozenset(_WORD.findall(text))
        for name in found & self.content.define.keys():
            if name not in self._defined:
                self._defined[name] = frozenset()  # a circle of definitions is told elsewhere
                self._defined[name] = self._words(self.content.define[name].term.value)
            found |= self._defined[name]
        return found

    # ---- other sections -----------------------------------------------------------------------

    @cached_property
    def beside(self) -> frozenset[str]:
        return frozenset(word.value for word in words(self.content.board.get("beside")))

    @cached_property
    def kinds(self) -> tuple[str, ...]:
        return tuple(word.value for word in words(self.content.pieces)) or ("man",)

    def throw(self, name: str) -> str:
        return text_of(self.content.throw.get(name))

    def start(self, name: str) -> str:
        return text_of(self.content.start.get(name))

    def memories(self, name: str, value: str) -> bool:
        """Has some remembered fact this value in this field?"""
        return any(text_of(given.get(name)) == value for _, given in self.content.memory.values())

    @cached_property
    def numbers(self) -> frozenset[str]:
        """The remembered facts that are numbers."""
        return frozenset(n for n, (_, given) in self.content.memory.items() if text_of(given.get("kind")) == "number")

    def decided_by(self, who: str) -> bool:
        return any(text_of(given.get("by")) == who for _, given in self.content.phases.values())

    @cached_property
    def set_ups(self) -> tuple[dict[str, int], ...]:
        """How many men of each kind each side starts with."""
        return tuple(_men(self._of_side(side, "men")) for side in self.content.sides if side != "each")

    @cached_property
    def starts_at(self) -> frozenset[str]:
        """Every place on which men stand at the start, in the sides' own labels."""
        texts = (text_of(t) for s in self.content.sides for _, t in entries(self._of_side(s, "men")))
        return frozenset(match["place"] for text in texts for match in map(_HOLDING.fullmatch, text.split()) if match)

    @cached_property
    def tracks(self) -> tuple[tuple[str, ...], ...]:
        """The points of each side's track, in the order its men travel."""
        texts = (text_of(self._of_side(side, "track")) for side in self.content.sides if side != "each")
        return tuple(tuple(_stretches(text)) for text in texts)

    def _of_side(self, side: str, name: str) -> Node | None:
        return self.content.sides[side].get(name) or self.content.sides.get("each", {}).get(name)


def _men(node: Node | None) -> dict[str, int]:
    found: dict[str, int] = {}
    for kind, text in entries(node):
        for match in map(_HOLDING.fullmatch, text_of(text).split()):
            if match is not None:
                found[kind.value] = found.get(kind.value, 0) + int(match["count"] or 1)
    return found


def _stretches(text: str) -> Iterator[str]:
    """``13..24 1..12`` point by point."""
    for part in text.split():
        first, dots, last = part.partition("..")
        if dots and first.isdigit() and last.isdigit() and len(first) < 5 and len(last) < 5:
            step = 1 if int(first) <= int(last) else -1
            yield from (str(n) for n in range(int(first), int(last) + step, step))
        else:
            yield part
