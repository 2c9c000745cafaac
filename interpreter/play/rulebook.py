"""The rulebook in readable English, made from the clauses: Markdown.

Every rule stands with its source; options stand with their answers and who gives
them; what the sources leave open and is no option stands at the end.
"""

from __future__ import annotations

from collections.abc import Iterable

from interpreter.document.types import Mapping, Node
from interpreter.game.types import Game
from interpreter.machine import position
from interpreter.machine.types import Machine
from interpreter.play import citing
from interpreter.ruleset.from_document import citations, entries, fields, text_of, words
from interpreter.ruleset.types import CLAUSE_LISTS, Clause, Option, Rulebook, Value

HEADINGS = {
    "may": "What a player may do",
    "may-not": "What is forbidden",
    "must": "Duties",
    "then": "What follows",
    "ends": "How the game ends",
}
NOBODY = "_no source given_"


def markdown(machine: Machine) -> str:
    """The rulebook of a game under its choices of options."""
    return "\n".join(_Rulebook(machine).lines()).rstrip() + "\n"


def equipment(machine: Machine) -> list[str]:
    """Board, men, dice and who begins, a sentence each, without marks of Markdown."""
    return [line[2:].replace("`", "") for line in _Rulebook(machine).equipment() if line.startswith("- ")]


class _Rulebook:
    def __init__(self, machine: Machine) -> None:
        self.machine = machine
        self.game: Game = machine.game
        self.book: Rulebook = machine.game.ruleset.book
        self.sources = self.book.sources
        self.used: dict[str, None] = {}

    def lines(self) -> Iterable[str]:
        title = self.book.title.get("en") or next(iter(self.book.title.values()))
        yield f"# {title}"
        yield ""
        others = [f"{name} ({language})" for language, name in self.book.title.items() if name != title]
        if others:
            yield f"Also: {', '.join(others)}."
            yield ""
        if self.book.summary:
            yield self.book.summary
            yield ""
        yield f"`{self.book.id}`" + (f", version {self.book.version}" if self.book.version else "")
        yield ""
        yield from self.equipment()
        for section in CLAUSE_LISTS:
            yield from self.clauses(section)
        yield from self.match()
        yield from self.definitions()
        yield from self.options()
        yield from self.readings()
        yield from self.doubts()
        yield from self.stories()
        yield from self.bibliography()

    # ---- the game -----------------------------------------------------------------------

    def equipment(self) -> Iterable[str]:
        game = self.game
        yield "## Board, men and dice"
        yield ""
        board = text_of(self.game.ruleset.content.board.get("title"))
        points = f"{game.board.points} points" if not game.board.squares else f"{game.board.points} squares"
        held = "any number of men" if game.board.many else "one man"
        yield f"- Board: {board + ', ' if board else ''}{points}; a point holds {held}."
        start = position.text_of(game, self.machine.first_turn()).split(" ;")[0]
        yield f"- At the start: `{start}`."
        for side, track in enumerate(game.board.tracks):
            named = [game.board.labels[side][p] for p in track]
            if named:
                route = f"{named[0]} → {named[1]} → … → {named[-2]} → {named[-1]}"
                yield f"- {game.sides[side]} travels {route}, by its own numbers."
        if game.throw is not None:
            doubles = {
                "once": "",
                "twice": "; equal dice are played twice over",
                "times-shown": "; equal dice are played as often as they show",
            }
            yield f"- Dice: {game.throw.dice}, with {game.throw.faces} faces{doubles[game.throw.doubles]}."
        yield f"- {self._starter()}"
        yield ""

    def _starter(self) -> str:
        who, keep = self.game.start_who, self.game.start_keep
        kept = " and plays the dice of that throw" if keep else " and throws anew"
        return {
            "even": "Lots decide who begins.",
            "highest": f"Each side throws one die; the higher begins{kept}.",
            "lowest": f"Each side throws one die; the lower begins{kept}.",
            "loser": "The loser of the last game begins.",
        }.get(who, f"{who} begins.")

    def clauses(self, section: str) -> Iterable[str]:
        found = self.game.ruleset.content.clauses[section]
        if not found:
            return
        yield f"## {HEADINGS[section]}"
        yield ""
        for number, clause in enumerate(found, start=1):
            yield f"{number}. {clause.rule or '_(not said in words)_'} {self._cited(clause)}"
        yield ""

    def _cited(self, clause: Clause) -> str:
        origin = f", from `{clause.origin}`" if clause.origin != self.book.id else ""
        return f"*— `{clause.id}`{origin}; {self._sources(clause.because)}*"

    def _sources(self, because: Iterable[object]) -> str:
        from interpreter.ruleset.types import Citation

        cited = [c for c in because if isinstance(c, Citation)]
        self.used.update({c.source: None for c in cited if c.source})
        return citing.shorts(cited, self.sources) if cited else NOBODY

    def match(self) -> Iterable[str]:
        if not self.book.match:
            return
        until, what = text_of(self.book.match.get("until")), text_of(self.book.match.get("score")) or "points"
        following = {"loser": "the loser of a game begins the next", "winner": "the winner of a game begins the next"}
        then = following.get(text_of(self.book.match.get("next")), "")
        yield "## The match"
        yield ""
        yield f"Games are played until one side has {until} {what}{'; ' + then if then else ''}."
        yield ""

    def definitions(self) -> Iterable[str]:
        said = [d for d in self.game.ruleset.content.define.values() if d.says]
        remembered = [m for m in self.game.memories if m.says]
        if not said and not remembered:
            return
        yield "## Words used"
        yield ""
        for define in said:
            yield f"- **{define.id}**: {define.says}"
        for memory in remembered:
            yield f"- **{memory.name}**: {memory.says}"
        yield ""

    # ---- options, readings, doubts -------------------------------------------------------

    def options(self) -> Iterable[str]:
        if not self.book.options:
            return
        yield "## Disputed rules"
        yield ""
        yield "Each is an option; the value in force here is marked •."
        yield ""
        for option in self.book.options.values():
            yield from self._option(option)

    def _option(self, option: Option) -> Iterable[str]:
        yield f"### {option.ask or option.id} (`{option.id}`)"
        yield ""
        if option.needs:
            yield "Asked only where " + " and ".join(f"`{name}={value}`" for name, value in option.needs.items()) + "."
            yield ""
        in_force = self.game.ruleset.choices.get(option.id)
        for value in option.values.values():
            marks = (
                ("• " if value.id == in_force else "")
                + f"**{value.id}**"
                + (" (default)" if value.id == option.default else "")
            )
            said = f": {value.says}" if value.says else ""
            yield f"- {marks}{said} *— {self._sources(value.patch.because)}*"
            yield from self._rules_of(value)
        yield ""

    def _rules_of(self, value: Value) -> Iterable[str]:
        """The rules a value brings, indented under it."""
        for section in CLAUSE_LISTS:
            for key, node in entries(value.patch.node.get(section)):
                rule = text_of(fields(node).get("rule"))
                if rule:
                    cited = citations(fields(node).get("because"))
                    sources = f"; {self._sources(cited)}" if cited else ""
                    yield f"  - {rule} *(`{key.value}`{sources})*"
        dropped = [f"`{word.value}`" for word in words(value.patch.node.get("without"))]
        if dropped:
            yield f"  - Without {', '.join(dropped)}."

    def readings(self) -> Iterable[str]:
        if not self.book.readings:
            return
        yield "## Readings"
        yield ""
        yield "| reading | whose | options that differ from the default |"
        yield "|---|---|---|"
        for reading in self.book.readings.values():
            differing = [
                f"{name}={value}"
                for name, value in reading.choices.items()
                if name in self.book.options and value != self.book.options[name].default
            ]
            whose = (reading.says + " " if reading.says else "") + f"*{self._sources(reading.because)}*"
            yield f"| `{reading.id}` | {_cell(whose)} | {', '.join(differing) or '–'} |"
        yield ""

    def doubts(self) -> Iterable[str]:
        if not self.book.doubts:
            return
        yield "## Open doubts"
        yield ""
        for doubt in self.book.doubts.values():
            said = f" {doubt.says}" if doubt.says else ""
            yield f"- **{doubt.ask}**{said} *— `{doubt.id}`; {self._sources(doubt.because)}*"
        yield ""

    # ---- examples, bibliography ------------------------------------------------------------

    def stories(self) -> Iterable[str]:
        if not self.book.stories:
            return
        yield "## Examples"
        yield ""
        for story in self.book.stories:
            yield f"- {text_of(story.get('story'))}{self._story(story)}"
        yield ""

    def _story(self, story: Mapping) -> str:
        parts = []
        given = text_of(story.get("given"))
        if given:
            parts.append(f"`{given}`")
        play = " ".join(word.value for word in words(story.get("play")))
        if play:
            parts.append(f"after `{play}`")
        refused = [f"`{key.value}`" + self._by(value) for key, value in entries(story.get("not legal"))]
        if refused:
            parts.append("refused: " + ", ".join(refused))
        outcome = text_of(story.get("outcome"))
        if outcome and outcome != "none":
            parts.append(f"result: {outcome}")
        return f" ({'; '.join(parts)})" if parts else ""

    def _by(self, node: Node) -> str:
        names = [word.value for word in words(node) if word.value]
        return f" by {', '.join(names)}" if names else ""

    def bibliography(self) -> Iterable[str]:
        found = [key for key in self.used if key in self.sources]
        if not found:
            return
        yield "## Sources"
        yield ""
        for key in sorted(found):
            yield f"- **{key}**: {citing.full(self.sources[key])}"


def _cell(text: str) -> str:
    """Text that is safe in a Markdown table."""
    return text.replace("|", "\\|").replace("\n", " ")
