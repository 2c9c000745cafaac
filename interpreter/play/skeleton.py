"""A ruleset to begin from: a variant of another one, or a small game of its own, with comments that say what to do.

What is written passes ``check``. Parts to be chosen stand in comments: take the `# `
away and they are in force.

One room: the template of a game, and one method for each part of a variant.
"""

from __future__ import annotations

import os
import textwrap
from collections.abc import Iterable, Iterator
from pathlib import Path

from interpreter.data import folder
from interpreter.diagnostics import Fault, Report
from interpreter.document.format import formatted
from interpreter.game import board as boards
from interpreter.game.types import Board
from interpreter.game.words import RESERVED
from interpreter.machine import turns
from interpreter.machine.types import TO_DECIDE
from interpreter.play.checking import check_one
from interpreter.play.playable import REFERENCE, load
from interpreter.ruleset.extends import Built
from interpreter.ruleset.from_document import text_of
from interpreter.ruleset.library import Library
from interpreter.ruleset.types import CLAUSE_LISTS, Clause, Option, Rulebook

WIDTH = 98
TRUTHS = ("yes", "no", "on", "off", "true", "false", "y", "n", "null", "~")
NO_MAN_MOVES = ("", "name", "remove")

SECTIONS = {
    "may": "what a player may do",
    "may-not": "what is forbidden",
    "must": "duties",
    "then": "what follows",
    "ends": "how the game ends",
}

GAME = """\
# A whole game, small enough to be changed: alfonso play {file}
board: {{grid: {{files: a-e, ranks: 1-5}}, beside: [box]}}
pieces: [man]
sides:
  white: {{title: {{en: White}}, seat: s, men: {{man: a1 b1 c1 d1 e1}}}}
  black: {{title: {{en: Black}}, seat: n, men: {{man: a5 b5 c5 d5 e5}}}}
start: {{who: white}}

# One clause is one sentence of a rulebook: an id, the rule in words, and a condition.
# All are read from the side that moves. The words are listed in grammar/README.md.
may:
  step:
    rule: A man moves to the next point, forward or sideways, if that is empty.
    way: step
    directions: [forward, sideways]
    when: to in empty
  jump:
    rule: A man takes an enemy beside him by leaping over him to the empty point beyond.
    way: leap
    when: over in foe and to in empty

must:
  capture:
    rule: Who can take must take.
    prefer: verb is jump

then:
  takes:
    rule: The man leapt over is taken off the board.
    verbs: [jump]
    do: [take foe(over)]

ends:
  across:
    rule: A side that brings a man to the far row wins.
    when: to in rank(last)
    result: win
  blocked:
    rule: A side that cannot move loses.
    at: stuck
    result: lose
  third-time:
    rule: When a position stands for the third time the game is drawn.
    at: turn-end
    when: repeats >= 3
    result: draw

# What sources dispute is an option: a question with its answers.
options:
  capture:
    ask: Must a man that can take do so?
    default: forced
    values:
      forced: {{says: He must.}}
      free:
        says: He may take or leave it.
        without: [capture]

# A story is a position with a known answer. `alfonso check {file}` runs them.
stories:
  - story: White opens with any man, straight forward.
    legal: [a1-a2, b1-b2, c1-c2, d1-d2, e1-e2]
  - story: Who can take must take.
    given: white a2 e1 / black a3 e5 ; white
    legal: [a2xa4]
    not legal: {{e1-e2: capture}}
  - story: Unless captures are free.
    options: {{capture: free}}
    given: white a2 e1 / black a3 e5 ; white
    legal: [a2xa4, e1-e2, "..."]
  - story: The far row is the goal.
    given: white c4 / black a3 ; white
    play: c4-c5
    outcome: white 1 across
"""


def game(id: str, file: Path, home: Path | None) -> str:
    """A small complete game on a grid, which its own words call ``file``.

    ``home``: the folder it will be in, from where editors find the schema; none if it will be in no folder.
    """
    lines = [*_editor(home), *_head(id, None), GAME.format(file=file.as_posix())]
    return "\n".join(lines)


def variant(library: Library, parent: Built, id: str, file: Path, home: Path | None) -> str:
    """A variant of a ruleset or a game of a family.

    A family that has no set-up gets one, if the game can be played with it; if not, the
    variant is a family too, until its author has put that right.

    Args:
        file: where it stands while it is tried; nothing is written.
        home: the folder it will be in, from where editors find the schema; none if it will be in no folder.
    """
    trials = [([], True)] if parent.book.playable else [([], True), *((s, True) for s in _set_ups(parent)), ([], False)]
    text = ""
    try:
        for set_up, playable in trials:
            text = _Variant(library, parent, id, file, home).text(set_up, playable)
            if parent.book.playable or not _faulty(library, text, file):
                break
    finally:
        library.release(file)
    return text


def _faulty(library: Library, text: str, file: Path) -> bool:
    """Does `check` find errors in a text where it will stand?"""
    report = Report()
    library.hold(file, text)
    check_one(library, file, False, report, set())
    return bool(report.errors)


class _Variant:
    def __init__(self, library: Library, parent: Built, id: str, file: Path, home: Path | None) -> None:
        self.library = library
        self.parent = parent
        self.book: Rulebook = parent.book
        self.id = id
        self.file = file
        self.home = home

    def text(self, set_up: list[str], playable: bool) -> str:
        lines = [*_editor(self.home), *_head(self.id, self.book)]
        if not playable:
            lines += [
                "# A family is no game by itself. Give the game what its family lacks (a board, `sides` with",
                "# their `men`, a `start`, rules), then take this line away.",
                "playable: no",
                "",
            ]
        lines += [*set_up, *self.options(), *self.clauses(), *self.own_clauses()]
        stories = self.stories(lines) if playable else []
        lines += stories or _comment(_story("A position with a known answer.", ['legal: [a1-a2, "..."]']))
        return formatted("\n".join(lines) + "\n")

    # ---- the parent's questions ---------------------------------------------------------

    def options(self) -> Iterator[str]:
        if not self.book.options:
            return
        yield _rule("the questions it leaves open")
        yield ""
        yield "# Each with the parent's answer. Keep a line to choose; a line left away keeps the parent's answer."
        yield ""
        yield "# with:"
        for option in self.book.options.values():
            yield from _comment(self._option(option), "#   ")
        yield ""

    def _option(self, option: Option) -> Iterator[str]:
        """The question and the answers, as comments within the comment; then the choice."""
        needs = " and ".join(f"{name}={value}" for name, value in option.needs.items())
        yield from _wrapped("# ", (option.ask or option.id) + (f" (only with {needs})" if needs else ""))
        for value in option.values.values():
            yield from _wrapped("#   ", f"{value.id}: {value.says}" if value.says else value.id)
        yield f"{option.id}: {_word(option.default)}"

    # ---- the parent's clauses ---------------------------------------------------------------

    def clauses(self) -> Iterator[str]:
        yield _rule(f"the rules of {self.book.id}")
        yield ""
        yield "# All are yours. A clause is left out by its id in `without`, and changed under its id: a patch that"
        yield "# gives a new condition gives a new `rule` and `because` too. `alfonso show` prints them whole."
        yield ""
        for section in CLAUSE_LISTS:
            found = self.book.content.clauses[section]
            if found:
                yield f"# {section}: {SECTIONS[section]}"
                for clause in found:
                    yield from _wrapped("#   ", f"{clause.id}: {clause.rule or '(not said in words)'}", "#     ")
        yield ""
        for section in ("must", "may-not", "ends", "then", "may"):
            if self.book.content.clauses[section]:
                yield f"# without: [{self.book.content.clauses[section][-1].id}]"
                break
        yield ""

    # ---- the author's own ---------------------------------------------------------------------

    def own_clauses(self) -> Iterator[str]:
        yield _rule("rules of its own")
        yield ""
        yield "# One clause is one sentence: its id, the rule in words, the condition, its source. The lists are"
        yield "# may, may-not, must, then and ends; the words of conditions are listed in grammar/README.md."
        yield "# An example:"
        yield "#"
        yield from _comment(self.example())
        yield ""

    def example(self) -> list[str]:
        """A clause that would be accepted, if it were in force."""
        moving = [c for c in self.book.content.clauses["may"] if _way(c) not in NO_MAN_MOVES]
        board, rule, when = _board(self.parent), "Nobody moves thus in the first turn.", "turns = 0"
        tracked = any("track" in fields for fields in self.book.content.sides.values())
        if moving and board is not None and board.many and tracked:
            rule, when = (
                "No more than five men may stand on the first point of the track.",
                ("to in point(1) and own(to) >= 5"),
            )
        elif moving and board is not None and board.has_coordinates:
            rule, when = "No man may move to the far row.", "to in rank(last)"
        verb = (moving[0].word("verb") or moving[0].id) if moving else ""
        return [
            "may-not:",
            "  my-own-rule:",
            f"    rule: {rule}",
            *([f"    verbs: [{verb}]"] if verb else []),
            f"    when: {when}",
            "    # better a source with its page: {source: KEY, at: p. 12, grade: stated}",
            "    because: {grade: house, why: An example.}",
        ]

    # ---- stories ---------------------------------------------------------------------------------

    def stories(self, lines: Iterable[str]) -> list[str]:
        """A story that is true of the game as it stands; none where nothing can be said of it."""
        told = self.told("\n".join(lines) + "\n")
        if not told:
            return []
        return [
            _rule("stories"),
            "",
            "# A story is a position with a known answer, run by `alfonso check`. Write one for each rule of your",
            "# own, and at least one move that is refused: `not legal: {MOVE: CLAUSE}`.",
            "",
            "stories:",
            *told,
        ]

    def told(self, text: str) -> list[str]:
        self.library.hold(self.file, text)
        try:
            playable = load(self.file, machine=REFERENCE, library=self.library)
        except Fault:
            return []
        state = playable.first_turn()
        if playable.outcome(state) is None and state.waits == TO_DECIDE:
            found, played = playable.legal(state), []
        else:
            thrown = [(f, s) for f, s in turns.thrown(playable.machine, state) if playable.legal(s)]
            if not thrown:
                return _story("The game has begun.", ["outcome: none"])
            faces, state = max(thrown, key=lambda one: (len(set(one[0])), one[0]))
            found, played = playable.legal(state), [f'play: "[{"-".join(map(str, faces))}]"']
        if not found:
            return _story("The game has begun.", ["outcome: none"])
        texts = list(dict.fromkeys(playable.text(state, decision) for decision in found))
        several = ', "..."' if len(texts) > 1 else ""
        return _story("How the game may open.", [*played, f'legal: ["{texts[0]}"{several}]'])


# ---- a set-up for a family ------------------------------------------------------------------------------------


def _set_ups(parent: Built) -> Iterator[list[str]]:
    """Set-ups to be tried, the likelier first: on tracks, from the hand, in rows."""
    content, board = parent.book.content, _board(parent)
    if board is None:
        return
    names = [name for name in content.sides if name != "each"] or ["white", "black"]
    points = list(board.names[: board.points])
    kind = parent.book.content.pieces
    man = next((w for w in text_of(kind).split()), "") if kind is not None else "man"
    man = man or next((item.value for item in getattr(kind, "items", ())), "man")
    begins = [] if "who" in content.start else ["start:", f"  who: {names[0]}"]
    if board.many:
        there = f"{points[0]}..{points[-1]}" if all(p.isdigit() for p in points) else " ".join(points)
        back = f"{points[-1]}..{points[0]}" if all(p.isdigit() for p in points) else " ".join(points[::-1])
        yield _sides(names, (f"track: {there}", f"track: {back}"), (f"{man}: 1:15", f"{man}: 1:15"), begins)
    if "hand" in board.beside:
        yield _sides(names, ("", ""), (f"{man}: hand:9", f"{man}: hand:9"), begins)
    rows = max(1, len(points) // 4)
    yield _sides(names, ("", ""), (f"{man}: {' '.join(points[:rows])}", f"{man}: {' '.join(points[-rows:])}"), begins)


def _sides(names: list[str], tracks: tuple[str, str], men: tuple[str, str], begins: list[str]) -> list[str]:
    lines = [
        _rule("the set-up"),
        "",
        "# Not a source's, but one that can be played: put the men where they belong.",
        "",
    ]
    lines.append("sides:")
    for name, track, held in zip(names, tracks, men, strict=False):
        lines += [f"  {name}:", *([f"    {track}"] if track else []), "    men:", *_folded("      ", held)]
    return [*lines, *begins, ""]


def _folded(indent: str, held: str) -> list[str]:
    """``man: a1 b1 …`` in lines of a bearable length."""
    kind, _, places = held.partition(": ")
    if len(indent + held) <= WIDTH:
        return [f"{indent}{kind}: {places}"]
    return [f"{indent}{kind}:", *(f"{indent}  {line}" for line in textwrap.wrap(places, WIDTH - len(indent) - 2))]


def _board(parent: Built) -> Board | None:
    """The parent's board, without tracks."""
    fields, root = parent.book.content.board, parent.book.root
    return boards.from_nodes(fields, (None, None), ("", ""), RESERVED, Report(), root.span) if fields else None


def _way(clause: Clause) -> str:
    return (clause.word("way") or "").split(" ")[0]


# ---- lines ------------------------------------------------------------------------------------------------------


def _editor(home: Path | None) -> list[str]:
    """The two lines by which editors find the schema: by the shortest way from the folder of the file."""
    if home is None:
        return []
    schema = folder("schemas") / "ruleset.schema.json"
    try:
        near = Path(os.path.relpath(schema, home.absolute())).as_posix()
    except ValueError:  # another drive
        near = schema.as_posix()
    if near.startswith("../../../../"):
        near = schema.as_posix()
    return [f"# yaml-language-server: $schema={near}", f"# $schema: {near}", ""]


def _head(id: str, book: Rulebook | None) -> list[str]:
    name = id.rsplit("/", 1)[-1].replace("-", " ").capitalize()
    lines = [
        f"ruleset: {id}",
        f"title: {{en: {name}}}",
        "# summary: Two or three sentences. Who played it, where and when, and what is special in it.",
    ]
    if book is not None:
        lines.append(f"extends: {book.id}")
    else:
        lines.append("# family: a family's name, as `alfonso list --words` gives them")
    lines += [
        "# known: {from: 1283, to: 1611, places: [Spain]}",
        "version: 0.1.0",
        "# licence: MIT",
        "# authors: [your name]",
        "",
        "# The source of every clause that names none of its own. Grades: stated (the source says it), inferred,",
        "# reconstructed, house (your own choice; then say why).",
        "because: {grade: house, why: A first sketch; no source yet.}",
        "",
    ]
    return lines


def _rule(title: str) -> str:
    """A heading within the file."""
    return f"# {'-' * (WIDTH - 4 - len(title))} {title}"


def _comment(lines: Iterable[str], mark: str = "# ") -> Iterator[str]:
    return ((mark + line).rstrip() for line in lines)


def _wrapped(mark: str, text: str, after: str | None = None) -> Iterator[str]:
    """A text in lines that all begin with the mark (the later ones with ``after``)."""
    following = after if after is not None else f"{mark}  "
    yield from textwrap.wrap(
        text, WIDTH, initial_indent=mark, subsequent_indent=following, break_long_words=False, break_on_hyphens=False
    )


def _word(value: str) -> str:
    """A value that other readers of YAML too take for a word."""
    return f'"{value}"' if value in TRUTHS or value[:1].isdigit() else value


def _story(title: str, lines: list[str]) -> list[str]:
    return [f"  - story: {title}", *(f"    {line}" for line in lines)]
