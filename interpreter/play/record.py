"""A game as it was played: a text file that a person can read, edit and send.

    alfonso record 1
    ruleset some-game
    content 5b0c…                  sha-256 over the digests of every file of the rulebook
    options entry=free
    seed 42
    players white=human black=greedy

    begin white 6-1
    white 8-5
    white 6-5
    throw 5-5
    stuck
    resign black

(or ``agreed``, where both sides make it a draw). The dice are events, so a replay needs
no generator; with ``dice seed`` (the default) it checks them against the seed
nevertheless, with ``dice any`` it does not. Lines that begin with ``#`` are comments. A
last line without its end was cut off while it was written, and is left out.
Faults: P801 no record, P802 its head, P803 an event that cannot be read, P808 another
version.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from interpreter.diagnostics import Fault, Report, nearest, suggestion
from interpreter.ruleset.types import Rulebook
from interpreter.source import NOWHERE, Source, Span

VERSION = 1
FIRST_LINE = f"alfonso record {VERSION}"

BEGIN, THROW, MOVE, STUCK, UNDO, RESIGN, AGREED, GAME, PLAYERS, NOTE = (
    "begin",
    "throw",
    "move",
    "stuck",
    "undo",
    "resign",
    "agreed",
    "game",
    "players",
    "note",
)
CHANCE = (BEGIN, THROW, STUCK)
"""What nobody decides: these are made by the session, not by a player."""

NEEDED = ("ruleset", "content", "seed")
KEYS = ("ruleset", "file", "content", "options", "seed", "dice", "players", "match", "position", "program", "date")
DICE = ("seed", "any")

_FIRST = re.compile(r"alfonso record (\S+)\s*")
_FACES = re.compile(r"[0-9]{1,4}(-[0-9]{1,4}){0,19}")


@dataclass(frozen=True)
class Event:
    """One thing that happened. ``text`` is a move or a note, ``faces`` are pips, ``number`` a game's.

    ``players`` are who sits where from now on.
    """

    what: str
    side: str = ""
    text: str = ""
    faces: tuple[int, ...] = ()
    number: int = 0
    players: tuple[tuple[str, str], ...] = ()
    span: Span = field(default=NOWHERE, compare=False, repr=False)

    def __str__(self) -> str:
        what = self.what
        if what == MOVE:
            return f"{self.side} {self.text}".strip()
        if what == NOTE:
            return f"{NOTE} {' '.join(self.text.split())}".rstrip()
        if what == GAME:
            return f"{GAME} {self.number}"
        if what == PLAYERS:
            return f"{PLAYERS} {pairs_text(self.players)}".rstrip()
        faces = "-".join(map(str, self.faces))
        return " ".join(word for word in (what, self.side, faces) if word)


@dataclass(frozen=True)
class Head:
    """What a record says before its events.

    ``file`` is the path of a ruleset that is not shipped; ``dice`` is ``seed`` where
    the throws are those the seed gives; ``match``: several games, counted together;
    ``position`` is where the first game began, if not with the set-up.
    """

    ruleset: str
    content: str
    seed: int
    options: tuple[tuple[str, str], ...] = ()
    players: tuple[tuple[str, str], ...] = ()
    match: bool = False
    dice: str = "seed"
    position: str = ""
    file: str = ""
    program: str = ""
    date: str = ""
    spans: Mapping[str, Span] = field(default_factory=dict, compare=False, repr=False)

    def __str__(self) -> str:
        lines = [FIRST_LINE, f"ruleset {self.ruleset}"]
        if self.file:
            lines.append(f"file {self.file}")
        lines += [f"content {self.content}", f"options {pairs_text(self.options)}".rstrip(), f"seed {self.seed}"]
        if self.dice != "seed":
            lines.append(f"dice {self.dice}")
        lines.append(f"players {pairs_text(self.players)}".rstrip())
        if self.match:
            lines.append("match yes")
        for key in ("position", "program", "date"):
            if getattr(self, key):
                lines.append(f"{key} {getattr(self, key)}")
        return "\n".join(lines) + "\n\n"


@dataclass(frozen=True)
class Record:
    """A head, the events, and the line that was cut off (""): ``whole`` bytes of the file are good."""

    head: Head
    events: tuple[Event, ...]
    cut_off: str = ""
    whole: int = 0

    def __str__(self) -> str:
        return str(self.head) + "".join(f"{event}\n" for event in self.events)


def content_of(book: Rulebook) -> str:
    """The sha-256 of a rulebook: over the digests of its files, parents first, one a line."""
    return hashlib.sha256("".join(f"{file.digest}\n" for file in book.files).encode()).hexdigest()


def pairs_text(pairs: Iterable[tuple[str, str]]) -> str:
    return " ".join(f"{name}={value}" for name, value in pairs)


# ---- reading ------------------------------------------------------------------------------


def from_bytes(data: bytes, name: str) -> Record:
    """Read a record.

    Raises:
        Fault: with every fault of the file: P801, P802, P803, P808.
    """
    data = data.rstrip(b"\0")
    whole = data.rfind(b"\n") + 1
    cut_off = data[whole:].decode("utf-8", "replace")
    source = Source(name, data[:whole].decode("utf-8", "replace"))
    report = Report()
    lines = _lines(source)
    _check_first(lines, source, cut_off, report)
    report.raise_errors()
    at = next((i for i, span in enumerate(lines) if i and not span.text.strip()), len(lines))
    head = _head([span for span in lines[1:at] if _says(span)], source, report)
    events = [event for span in lines[at:] if _says(span) and (event := _event(span, report)) is not None]
    if head is None or report.errors:
        raise Fault(report.errors)
    return Record(head, tuple(events), cut_off.strip("\r\n"), whole)


def from_text(text: str, name: str = "<record>") -> Record:
    return from_bytes(text.encode(), name)


def _lines(source: Source) -> list[Span]:
    spans, at = [], 0
    for line in source.text.split("\n")[:-1]:
        spans.append(Span(source, at, at + len(line.rstrip("\r"))))
        at += len(line) + 1
    return spans


def _says(span: Span) -> bool:
    return bool(span.text.strip()) and not span.text.lstrip().startswith("#")


def _check_first(lines: list[Span], source: Source, cut_off: str, report: Report) -> None:
    found = _FIRST.fullmatch(lines[0].text) if lines else None
    if found is None:
        where = lines[0] if lines else source.whole
        help = "the file broke off before its first line was whole" if not lines and cut_off else ""
        report.error("P801", f"this is no record: the first line is not `{FIRST_LINE}`", where, help=help)
    elif found[1] != str(VERSION):
        report.error("P808", f"a record of version {found[1]}; this program reads version {VERSION}", lines[0])


def _head(spans: list[Span], source: Source, report: Report) -> Head | None:
    given: dict[str, str] = {}
    where: dict[str, Span] = {}
    for span in spans:
        key, _, value = span.text.strip().partition(" ")
        if key not in KEYS:
            report.error("P802", f"the head of a record has no `{key}`", span, help=suggestion(key, KEYS))
        elif key in given:
            report.error("P802", f"`{key}` is said twice", span)
        else:
            given[key], where[key] = value.strip(), span
    for key in NEEDED:
        if not given.get(key):
            help = f"write a line `{key} …`"
            report.error("P802", f"the record does not say its {key}", where.get(key, source.whole), help=help)
    pairs = {key: _pairs(given.get(key, ""), where.get(key, source.whole), report) for key in ("options", "players")}
    seed, dice = given.get("seed", "0"), given.get("dice", "seed")
    if not re.fullmatch(r"-?[0-9]{1,40}", seed):
        report.error("P802", f"`{seed}` is no seed", where.get("seed", source.whole), help="a seed is a whole number")
    if dice not in DICE:
        report.error("P802", f"dice are not from `{dice}`", where["dice"], help=suggestion(dice, DICE))
    if given.get("match", "no") not in ("yes", "no"):
        report.error("P802", f"`match {given['match']}`", where["match"], help="write `match yes`, or no such line")
    if report.errors:
        return None
    return Head(
        given["ruleset"],
        given["content"],
        int(seed),
        pairs["options"],
        pairs["players"],
        given.get("match") == "yes",
        dice,
        given.get("position", ""),
        given.get("file", ""),
        given.get("program", ""),
        given.get("date", ""),
        where,
    )


def _pairs(text: str, span: Span, report: Report) -> tuple[tuple[str, str], ...]:
    found = []
    for word in text.split():
        name, sign, value = word.partition("=")
        if not (name and sign and value):
            report.error("P802", f"`{word}` is not `name=value`", span)
        found.append((name, value))
    return tuple(found)


def _event(span: Span, report: Report) -> Event | None:
    """One line of the events. A line that begins with no word of its own is a side and its move."""
    words = span.text.split()
    what, rest = words[0], words[1:]
    if what == NOTE:
        return Event(NOTE, text=" ".join(rest), span=span)
    if what in (STUCK, AGREED) and not rest:
        return Event(what, span=span)
    if what == THROW and len(rest) == 1 and _FACES.fullmatch(rest[0]):
        return Event(THROW, faces=_faces(rest[0]), span=span)
    if what == BEGIN and rest and (len(rest) == 1 or (len(rest) == 2 and _FACES.fullmatch(rest[1]))):
        return Event(BEGIN, rest[0], faces=_faces(rest[1]) if len(rest) == 2 else (), span=span)
    if what in (UNDO, RESIGN) and len(rest) == 1:
        return Event(what, rest[0], span=span)
    if what == GAME and len(rest) == 1 and re.fullmatch(r"[0-9]{1,9}", rest[0]):
        return Event(GAME, number=int(rest[0]), span=span)
    if what == PLAYERS and rest:
        return Event(PLAYERS, players=_pairs(" ".join(rest), span, report), span=span)
    shapes = {
        THROW: "`throw 6-1`",
        BEGIN: "`begin SIDE` or `begin SIDE 6-1`",
        UNDO: "`undo SIDE`",
        RESIGN: "`resign SIDE`",
        AGREED: "`agreed`",
        GAME: "`game 2`",
        PLAYERS: "`players SIDE=KIND …`",
        STUCK: "`stuck`",
    }
    if what in shapes or not rest:
        near = nearest(what, [*shapes, NOTE])
        guess = f"did you mean `{near}`?" if near else "write `SIDE MOVE`"
        help = f"write it as {shapes[what]}" if what in shapes else guess
        report.error("P803", f"`{span.text.strip()}` is no event", span, help=help)
        return None
    return Event(MOVE, what, " ".join(rest), span=span)


def _faces(word: str) -> tuple[int, ...]:
    return tuple(sorted((int(face) for face in word.split("-")), reverse=True))
