"""Matches as Jellyfish, GNU's program and XG write them as text (``.mat``).

     7 point match

     Game 1
     Ann : 0                             Bob : 0
      1) 31: 8/5 6/5                      52: 13/8 24/22
      2)  Doubles => 2                     Takes
      …
          Wins 2 points

Two columns, one for each player; the second begins under the second player's name. Points
are numbers as the mover counts them, 25 (or bar) and 0 (or off). Doubles, takes and drops
are no part of a ruleset without a cube: they are kept as notes and written again.

Faults: F602 a line or an action that cannot be read, F604 a variation that is not said to
be another game. Warnings: F606 a game that breaks off, F607 move numbers that do not
count on, F615 a score that does not follow from the games before.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field

from interpreter.diagnostics import Report
from interpreter.exchange.games import LOST, MOVE, NOTE, RESULT, THROW, Collection, Entry, Told
from interpreter.exchange.names import named_by
from interpreter.ruleset.library import Library
from interpreter.source import Source, Span

TITLE = re.compile(r"\s*(-?\d{1,6})\s+point\s+match\b.*", re.IGNORECASE)
GAME = re.compile(r"\s*Game\s+(\d{1,6})\s*", re.IGNORECASE)
NAMES = re.compile(r"\s*(\S.*?)\s*:\s*(\d{1,6})\s{2,}(\S.*?)\s*:\s*(\d{1,6})\s*")
LINE = re.compile(r"\s*(\d{1,5})\)(.*)")
TAG = re.compile(r'\s*;\s*\[\s*(\S[^"\]]*?)\s*"(.*)"\s*\]\s*')
WINS = re.compile(r"Wins\s+(\d{1,6})\s+points?\b.*", re.IGNORECASE)
_START = re.compile(
    r"(?<!\S)(?:[1-6][1-6]\s?:|Doubles?\b|Redoubles?\b|Beavers?\b|Raccoons?\b|Takes?\b|Accepts?\b|Drops?\b"
    r"|Pass(?:es)?\b|Rejects?\b|Resigns?\b|Wins\b)",
    re.IGNORECASE,
)
_DICE = re.compile(r"([1-6])([1-6])\s?:\s*(.*)", re.DOTALL)
_NOTHING = re.compile(r"(?:cannot move|can'?t move|no move|fan|dance|-)?", re.IGNORECASE)
_WAY = re.compile(r"(?:bar|off|\d{1,2})(?:\*?/(?:bar|off|\d{1,2}))+\*?(?:\(\d\))?", re.IGNORECASE)
_GAP = 10
MOST_LINES = 400_000


@dataclass(frozen=True)
class Action:
    """What one player does in a line: ``text`` as it stands, with its place."""

    player: int
    text: str
    span: Span = field(compare=False, repr=False)


@dataclass(frozen=True)
class Line:
    """A numbered line with its actions; number 0 is a line without a number (``Wins …``, a note)."""

    number: int
    actions: tuple[Action, ...] = ()
    note: str = ""


@dataclass(frozen=True)
class MatGame:
    """One game as it stands in the file. ``notes`` are lines before it that are no part of any game."""

    number: int
    players: tuple[str, str]
    scores: tuple[int, int]
    lines: tuple[Line, ...]
    span: Span = field(compare=False, repr=False)


@dataclass(frozen=True)
class Mat:
    """A whole file: tags and notes before the first game, the length of the match (0: none), its games."""

    tags: tuple[tuple[str, str], ...]
    notes: tuple[str, ...]
    length: int
    games: tuple[MatGame, ...]


def is_mat(text: str) -> bool:
    """Does a text look like such a file?"""
    head = text[:20_000].splitlines()
    return any(TITLE.fullmatch(line) for line in head) or (
        any(GAME.fullmatch(line) for line in head) and any(NAMES.fullmatch(line) for line in head)
    )


def from_text(source: Source, report: Report) -> Mat:
    """The games of a file, in order. Faults are reported; everything else is read."""
    return _Reading(source, report).mat()


class _Reading:
    def __init__(self, source: Source, report: Report) -> None:
        self.source, self.report = source, report
        self.tags: list[tuple[str, str]] = []
        self.notes: list[str] = []
        self.length = 0
        self.games: list[MatGame] = []
        self.number: tuple[int, Span] | None = None
        self.players, self.scores, self.column = ("", ""), (0, 0), 0
        self.lines: list[Line] = []

    def mat(self) -> Mat:
        at = 0
        for line in re.split(r"(?<=\n)|(?<=\r)(?!\n)", self.source.text):
            text = line.rstrip("\r\n")
            self._line(text, Span(self.source, at, at + len(text)))
            at += len(line)
        self._close()
        return Mat(tuple(self.tags), tuple(self.notes), self.length, tuple(self.games))

    def _close(self) -> None:
        if self.number is not None:
            number, span = self.number
            self.games.append(MatGame(number, self.players, self.scores, tuple(self.lines), span))
        self.number, self.lines, self.column = None, [], 0

    def _note(self, text: str) -> None:
        if self.number is None:
            self.notes.append(text)
        else:
            self.lines.append(Line(0, note=text))

    def _line(self, text: str, span: Span) -> None:
        shown = text.expandtabs(8)
        if not text.strip():
            return
        tag, title, game = TAG.fullmatch(text), TITLE.fullmatch(text), GAME.fullmatch(text)
        if tag is not None and self.number is None:
            self.tags.append((tag[1], tag[2]))
        elif text.lstrip().startswith((";", "//", "#")):
            self._note(text.strip())
        elif title is not None and self.number is None:
            self.length = max(int(title[1]), 0)
        elif game is not None:
            self._close()
            self.number = int(game[1]), span
        elif self.number is not None and not self.column and NAMES.fullmatch(shown):
            names = NAMES.fullmatch(shown)
            assert names is not None
            self.players, self.scores = (names[1], names[3]), (int(names[2]), int(names[4]))
            self.column = names.start(3)
        elif self.number is not None and (LINE.fullmatch(text) or WINS.match(text.strip())):
            self._moves(text, shown, span)
        else:
            where = Span(span.source, span.start + len(text) - len(text.lstrip()), span.end)
            self.report.error("F602", f"`{text.strip()[:40]}` is no line of a match", where)
            self._note(text.strip())

    def _moves(self, text: str, shown: str, span: Span) -> None:
        numbered = LINE.fullmatch(text)
        number, first = (int(numbered[1]), numbered.start(2)) if numbered is not None else (0, 0)
        starts = [m.start() for m in _START.finditer(text, first)]
        before = text[first : starts[0] if starts else len(text)]
        if before.strip():
            at = span.start + first + len(before) - len(before.lstrip())
            where = Span(span.source, at, span.start + first + len(before.rstrip()))
            self.report.error("F602", f"`{before.strip()[:40]}` is nothing a player does", where)
            self.lines.append(Line(number, note=before.strip()))
        actions = []
        for start, end in zip(starts, [*starts[1:], len(text)], strict=False):
            words = text[start:end].rstrip()
            actions.append(
                (start, Action(0, words, Span(span.source, span.start + start, span.start + start + len(words))))
            )
        if len(actions) > 2:
            self.report.error("F602", "more than two actions in one line", actions[2][1].span)
        players = [0, 1] if len(actions) >= 2 else [self._player(text, actions[0][0], first)] if actions else []
        found = tuple(Action(p, a.text, a.span) for p, (_, a) in zip(players, actions, strict=False))
        self.lines.append(Line(number, found))
        self.lines += [Line(0, note=a.text) for _, a in actions[2:]]

    def _player(self, text: str, start: int, first: int) -> int:
        """Whose column an action alone in its line stands in: that of the second name, else by the gap before it."""
        where = len(text[:start].expandtabs(8))
        if self.column:
            return int(where >= max(self.column - 6, 12))
        return int(start - first >= _GAP)


# ---- as games -----------------------------------------------------------------------------------


def collection(source: Source, library: Library, report: Report) -> Collection:
    """The games of such a file. Faults outside of games are reported; those of a game stand with it."""
    own = Report()
    mat = from_text(source, own)
    ends = [game.span.start for game in mat.games[1:]] + [len(source.text) + 1]
    told, expected = [], (0, 0)
    ruleset = _ruleset(mat, library, own, source)
    for number, (game, end) in enumerate(zip(mat.games, ends, strict=False), 1):
        faults = Report([d for d in own if game.span.start <= d.span.start < end])
        if game.scores != expected and number > 1:
            was, now = (f"{a} to {b}" for a, b in (expected, game.scores))
            faults.warning("F615", f"the score is {now}; after the games before it would be {was}", game.span)
        if not game.players[0]:
            faults.error("F602", "the players are not named", game.span, help="write `NAME : 0      NAME : 0` under it")
        entries, won = _entries(game, mat, number == 1, faults)
        expected = (game.scores[0] + won[0], game.scores[1] + won[1])
        tags = mat.tags
        whole = Span(source, game.span.start, end)
        told.append(Told(number, ruleset, game.players, tags, "", entries, whole, whole, game, tuple(faults)))
    inside = {id(d) for game in told for d in game.faults}
    return Collection("mat", source, tuple(told), tuple(d for d in own if id(d) not in inside), mat)


def _ruleset(mat: Mat, library: Library, report: Report, source: Source) -> str:
    """The ruleset of a file: the one that the tag Variation names, else the only one that has such a name."""
    known = named_by(library, "mat")
    said = next((value for name, value in mat.tags if name.lower() == "variation"), "")
    if not said:
        return next(iter(known.values())) if len(known) == 1 else ""
    found = next((id for name, id in known.items() if name.lower() == said.strip().lower()), "")
    if not found:
        at = max(source.text.find(said), 0)
        help = "say which ruleset it is with --ruleset"
        report.error(
            "F604", f"no ruleset is called `{said}` in match files", Span(source, at, at + len(said)), help=help
        )
    return found


def _entries(game: MatGame, mat: Mat, first: bool, report: Report) -> tuple[tuple[Entry, ...], tuple[int, int]]:
    entries = [Entry(NOTE, f'[{name} "{value}"]') for name, value in mat.tags]
    entries += [Entry(NOTE, text) for text in (mat.notes if first else ())]
    about = (("Match Length", f"{mat.length}"), ("Game", f"{game.number}"), ("Score", "{}-{}".format(*game.scores)))
    entries += [Entry(NOTE, f'[{name} "{value}"]') for name, value in about]
    entries += [Entry(NOTE, f'[Player {n} "{name}"]') for n, name in enumerate(game.players, 1) if name]
    won, last, ended = [0, 0], 0, False
    for line in game.lines:
        if line.note:
            entries.append(Entry(NOTE, line.note))
        if line.number and line.number != last + 1:
            where = line.actions[0].span if line.actions else game.span
            report.warning("F607", f"line {line.number} follows line {last}", where)
        last = line.number or last
        for action in line.actions:
            if ended:
                report.error("F602", f"`{action.text[:40]}` after the end of the game", action.span)
                entries.append(Entry(NOTE, action.text, span=action.span))
                continue
            entries += _acted(action, report)
            wins = WINS.match(action.text)
            if wins is not None:
                ended = True
                won[action.player] += int(wins[1])
    if not ended:
        where = game.lines[-1].actions[-1].span if game.lines and game.lines[-1].actions else game.span
        report.warning("F606", "the game breaks off: nobody wins", where)
        entries.append(Entry(RESULT, "open", span=where))
    return tuple(entries), (won[0], won[1])


def _acted(action: Action, report: Report) -> list[Entry]:
    player, span = action.player, action.span
    wins = WINS.match(action.text)
    if wins is not None:
        return [Entry(RESULT, "white" if player == 0 else "black", player, points=int(wins[1]), span=span)]
    thrown = _DICE.fullmatch(action.text)
    if thrown is None:
        return [Entry(NOTE, action.text, player, span=span)]
    faces = tuple(sorted((int(thrown[1]), int(thrown[2])), reverse=True))
    entries = [Entry(THROW, "", player, faces, span=span)]
    words = thrown[3].split()
    start = span.start + thrown.start(3)
    where = Span(span.source, start, span.end) if words else span
    if _NOTHING.fullmatch(thrown[3].strip()):
        return [*entries, Entry(MOVE, "-", player, span=where)]
    if all(_WAY.fullmatch(word) for word in words):
        return [*entries, Entry(MOVE, " ".join(words), player, span=where)]
    why = f"`{thrown[3].strip()[:40]}` is no move"
    report.error("F602", f"{why}, so the rest cannot be followed", where, help="write it as `8/5 6/5`")
    return [*entries, Entry(LOST, why, player, span=where)]


# ---- writing ------------------------------------------------------------------------------------

COLUMN = 34


def mat_text(mat: Mat) -> str:
    """A match as a file."""
    lines = [f'; [{name} "{value}"]' for name, value in mat.tags]
    lines += [note if note.startswith((";", "//", "#")) else f"; {note}" for note in mat.notes]
    lines += [""] if lines else []
    lines += [f" {mat.length} point match", ""]
    for game in mat.games:
        lines += _game_lines(game)
    return "\n".join(lines).rstrip("\n") + "\n"


def _game_lines(game: MatGame) -> list[str]:
    one, two = (f"{name} : {score}" for name, score in zip(game.players, game.scores, strict=True))
    column = max(COLUMN, len(one) + 4, *(_width(line) + 3 for line in game.lines))
    lines = [f" Game {game.number}", f" {one}".ljust(column) + two]
    for line in game.lines:
        if line.note:
            lines.append(line.note if line.note.startswith((";", "//", "#")) else f"; {line.note}")
        if not line.actions and (not line.number or line.note):
            continue
        text = f"{line.number:>3}) " if line.number else "      "
        for action in line.actions:
            text = text.ljust(column) if action.player else text
            text += action.text
        lines.append(text.rstrip())
    return [*lines, ""]


def _width(line: Line) -> int:
    return max((len(a.text) + 5 for a in line.actions if a.player == 0), default=0)
