"""What every part of a printed book knows: the game, the words, the languages, the sources.

Here texts become HTML: escaped, with their language where it is not the book's, and
citations with a link to the bibliography.
"""

from __future__ import annotations

from collections.abc import Iterable
from collections.abc import Mapping as AnyMapping
from dataclasses import dataclass, field
from functools import cached_property
from html import escape

from interpreter.game.types import Game
from interpreter.play.playable import Playable
from interpreter.printing.bibliography import Bibliography
from interpreter.printing.telling import Telling
from interpreter.printing.words import Words
from interpreter.ruleset.from_document import citations, entries, fields
from interpreter.ruleset.library import Library
from interpreter.ruleset.types import CLAUSE_LISTS, Citation, Rulebook, Value


@dataclass(frozen=True)
class Setting:
    """See the module.

    ``name`` is the id or path the game was loaded by, ``library`` read it. ``language`` is
    the book's; ``language_of`` each prose text with the language it stands in. ``chosen``:
    the book is of one game, its options decided.
    """

    playable: Playable
    name: str
    library: Library
    language: str
    language_of: AnyMapping[str, str]
    words: Words
    chosen: bool
    lacking: set[str] = field(default_factory=set)
    """Texts that stood in another language."""
    printed: set[str] = field(default_factory=set)
    """All texts."""

    @property
    def game(self) -> Game:
        return self.playable.game

    @property
    def book(self) -> Rulebook:
        return self.playable.game.ruleset.book

    @cached_property
    def telling(self) -> Telling:
        return Telling(self.game, self.words, self.language)

    @cached_property
    def rules(self) -> dict[str, int]:
        """The number of each clause in force, by its id."""
        return {clause.id: n for n, clause in enumerate(self.game.ruleset.content.all_clauses(), start=1)}

    @cached_property
    def questions(self) -> dict[str, int]:
        """The number of each option that the book shows."""
        shown = [id for id in self.book.options if not self.chosen or id in self.playable.options]
        return {id: n for n, id in enumerate(shown, start=1)}

    # ---- texts ---------------------------------------------------------------------------

    def text(self, said: str) -> str:
        """Prose of the ruleset as HTML; where it is of another language than the book, with its code beside it."""
        self.printed.add(said)
        language = self.language_of.get(said, self.language)
        if language.lower().partition("-")[0] == self.language.lower().partition("-")[0]:
            return escape(said, quote=False)
        self.lacking.add(said)
        tag = escape(language)
        return f'<span lang="{tag}">{escape(said, quote=False)}</span> <small class="tongue">{tag}</small>'

    def foreign(self) -> str:
        """The attribute of what the words of the book are in, where they are not in its language."""
        return "" if self.words.language == self.language else f' lang="{self.words.language}"'

    # ---- references ------------------------------------------------------------------------

    def rule_link(self, id: str) -> str:
        """A clause by its number, or by its id where it is not in force."""
        if id in self.rules:
            return f'<a href="#rule-{self.rules[id]}">{self.words("rule", number=self.rules[id])}</a>'
        return f"<code>{escape(id)}</code>"

    def choice_link(self, option: str, value: str) -> str:
        """``option = value``, with a link to the question."""
        said = f"<code>{escape(option)} = {escape(value)}</code>"
        return f'<a href="#question-{self.questions[option]}">{said}</a>' if option in self.questions else said

    # ---- sources ---------------------------------------------------------------------------

    @cached_property
    def bibliography(self) -> Bibliography:
        keys = [c.source for c in self._cited() if c.source]
        return Bibliography(self.book.sources, keys, self.words.language)

    def _cited(self) -> Iterable[Citation]:
        """Every citation that the book shows."""
        for clause in self.game.ruleset.content.all_clauses():
            yield from clause.because
        for option in self.book.options.values():
            yield from (c for value in self.values(option.id) for c in (*value.patch.because, *_inside(value)))
        for reading in self.book.readings.values():
            yield from reading.because
        for doubt in self.book.doubts.values():
            yield from doubt.because
        for story in self.book.stories:
            yield from citations(story.get("because"))

    def values(self, option: str) -> list[Value]:
        """The answers to a question that the book shows: where it is of one game, the one in force."""
        values = self.book.options[option].values
        if not self.chosen:
            return list(values.values())
        value = self.playable.options.get(option)
        return [values[value]] if value is not None else []

    def sources(self, because: Iterable[Citation]) -> str:
        """Citations as HTML: source, place, grade, and why."""
        return "; ".join(self._citation(c) for c in because) or self.words("nobody")

    def _citation(self, citation: Citation) -> str:
        grade = self.words(citation.grade) if citation.grade else ""
        said = f'<span class="grade">{escape(grade)}</span>' + (f": {self.text(citation.why)}" if citation.why else "")
        if not citation.source:
            return said
        name = self.bibliography.short(citation.source)
        if citation.source in self.book.sources:
            name = f'<a href="#source-{escape(citation.source)}">{name}</a>'
        return f"{name}{', ' + escape(citation.at) if citation.at else ''} ({said})"


def _inside(value: Value) -> Iterable[Citation]:
    """The citations of the rules that a value brings."""
    for section in CLAUSE_LISTS:
        for _, node in entries(value.patch.node.get(section)):
            yield from citations(fields(node).get("because"))
