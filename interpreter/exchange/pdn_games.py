"""PDN games and the games of a ruleset, both ways.

The GameType of a file says which ruleset is meant: the one whose file says
``notation: {pdn: …}`` with that number. Variations are kept, not played.

Faults: F602 a move that is not written or a position set in the middle of a game (what
follows cannot be followed), F604 a GameType that is missing, unknown or of another game,
F605 the tag ``Result`` and the end of the game differ. Warning: F607 move numbers that
do not count on.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass

from interpreter.diagnostics import Diagnostic, Report
from interpreter.document.types import Mapping
from interpreter.exchange import fen, pdn
from interpreter.exchange.games import LOST, MOVE, NOTE, OPEN, RESULT, Collection, Entry, Told
from interpreter.exchange.names import named_by
from interpreter.exchange.pdn import Part, PdnGame, Tag
from interpreter.exchange.squares import GameType, Squares, game_type, of_ruleset
from interpreter.machine.notation import NUMERIC, Notation, over
from interpreter.play.moves import Step
from interpreter.play.playable import Playable
from interpreter.play.record import CHANCE
from interpreter.play.record import MOVE as MOVED
from interpreter.play.record import NOTE as NOTED
from interpreter.play.session import Session
from interpreter.ruleset.library import Library
from interpreter.source import Source, Span

_SEPARATOR = re.compile(r"\s*[-x:]\s*")
_ALPHA = re.compile(r"[a-l][0-9]{1,2}")
_CLOCK_LIKE = ("COMMENT", "LINE_COMMENT", "ESCAPE", "NAG", "STRENGTH", "OPEN_COMMENT")
RULESET = "Ruleset"
"""The tag that names a ruleset which has no GameType of its own."""


def collection(source: Source, library: Library, report: Report) -> Collection:
    """The games of a PDN file. Faults outside of games are reported; those of a game stand with it."""
    own = Report()
    games = pdn.from_text(source, own)
    known, others = named_by(library, "pdn"), frozenset(library.ids())
    told: list[Told] = []
    ends = [game.start for game in games[1:]] + [len(source.text) + 1]
    for number, (game, end) in enumerate(zip(games, ends, strict=False), 1):
        start = told[-1].span.end if told else 0
        faults = [d for d in own if start <= d.span.start < end]
        told.append(_told(number, game, known, others, tuple(faults), Span(source, game.span.start, end)))
    inside = {id(d) for game in told for d in game.faults}
    return Collection("pdn", source, tuple(told), tuple(d for d in own if id(d) not in inside), games)


def _told(
    number: int,
    game: PdnGame,
    known: dict[str, str],
    others: frozenset[str],
    faults: tuple[Diagnostic, ...],
    whole: Span,
) -> Told:
    report = Report(list(faults))
    ruleset = _ruleset(game, known, others, report)
    entries = _entries(game, report)
    players = tuple(tag.value if (tag := game.tag(name)) is not None else "" for name in ("White", "Black"))
    start = game.tag("FEN")
    return Told(
        number,
        ruleset,
        (players[0], players[1]),
        tuple((tag.name, tag.value) for tag in game.tags),
        start.value if start is not None else "",
        entries,
        whole,
        _inner(start) if start is not None else whole,
        game,
        tuple(report),
    )


def _inner(tag: Tag) -> Span:
    """The value of a tag, without its quotation marks."""
    at = tag.span.text.index('"') + 1
    return Span(tag.span.source, tag.span.start + at, tag.span.start + tag.span.text.rindex('"'))


def _ruleset(game: PdnGame, known: dict[str, str], others: frozenset[str], report: Report) -> str:
    tag = game.tag("GameType")
    if tag is None:
        named = game.tag(RULESET)
        return named.value if named is not None and named.value in others else ""
    type = game_type(tag.value)
    numbers = {text.split(",")[0]: id for text, id in reversed(known.items())}
    if type is None:
        report.error("F604", f"`{tag.value}` is no GameType", _inner(tag), help='write it as "20" or "20,W,10,10,N2,0"')
        return ""
    exact = "".join(tag.value.split())
    id = known.get(exact) or numbers.get(str(type.number), "")
    if not id:
        names = ", ".join(f"{number} {id}" for number, id in sorted(numbers.items()))
        report.error(
            "F604",
            f"no ruleset is of GameType {type.number}",
            _inner(tag),
            f"known: {names}",
            help="say which ruleset it is with --ruleset",
        )
    return id


def _entries(game: PdnGame, report: Report) -> tuple[Entry, ...]:
    """What the movetext says, in order; what is in a variation is one note."""
    entries = [Entry(NOTE, f'[{tag.name} "{tag.value}"]', span=tag.span) for tag in game.tags]
    entries += [Entry(NOTE, part.text, span=part.span) for part in game.before]
    variation: list[Part] = []
    depth = 0
    for part in game.parts:
        depth += part.kind == "LPAR"
        if depth:
            variation.append(part)
            depth -= part.kind == "RPAR"
            if not depth:
                entries.append(Entry(NOTE, _spelled(variation), span=variation[0].span.to(part.span)))
                variation = []
        elif part.kind == "MOVE":
            entries.append(Entry(MOVE, part.text, span=part.span))
        elif part.kind in _CLOCK_LIKE:
            entries.append(Entry(NOTE, part.text, span=part.span))
        elif part.kind == "NUMBER":
            entries.append(Entry(NOTE, "", player=int(part.text.split(".")[0]), span=part.span))
        elif part.kind == "NULL_MOVE":
            why = "the move is not written here (`--`)"
            report.error("F602", f"{why}, so the rest cannot be followed", part.span)
            entries.append(Entry(LOST, why, span=part.span))
        elif part.kind == "SETUP":
            why = "a position is set in the middle of the game"
            report.error("F602", f"{why}, so the rest cannot be followed", part.span, help="begin another game with it")
            entries.append(Entry(LOST, why, span=part.span))
        elif part.kind in ("JUNK", "RPAR", "SECOND"):
            entries.append(Entry(NOTE, part.text, span=part.span))
    if variation:
        entries.append(Entry(NOTE, _spelled(variation), span=variation[0].span.to(variation[-1].span)))
    entries.append(_result(game, report))
    return tuple(entry for entry in entries if entry.text or entry.player >= 0)


def _result(game: PdnGame, report: Report) -> Entry:
    tag = game.tag("Result")
    said = "".join(tag.value.split()) if tag is not None else ""
    if game.result is None:
        return Entry(RESULT, pdn.RESULTS.get(said, OPEN), span=tag.span if tag is not None else game.span)
    ended = game.result.text
    if tag is not None and said in pdn.RESULTS and pdn.RESULTS[said] != pdn.RESULTS[ended] and said != "*":
        report.error(
            "F605",
            f"the game ends with `{ended}`, its tag says `{said}`",
            game.result.span,
            help="the end of the game counts",
        )
    return Entry(RESULT, pdn.RESULTS[ended], span=game.result.span)


def _spelled(parts: Iterable[Part]) -> str:
    return " ".join(pdn._flowed(list(parts)).split())


# ---- moves --------------------------------------------------------------------------------------


@dataclass
class Moves:
    """Moves of a file as moves of a game: squares by our labels, the shortest form read as the whole turn."""

    playable: Playable

    def __post_init__(self) -> None:
        self.notation = Notation(self.playable.game)
        self.notation.style = NUMERIC
        self.squares: Squares = fen.squares_of(self.playable)

    def ours(self, text: str, side: int) -> str | None:
        """A move in our labels; None if it names a square that is not there."""
        taking = "x" in text or ":" in text
        plain = text.strip().lower()
        if _SEPARATOR.search(plain):
            names = _SEPARATOR.split(plain)
        elif plain.isdigit():
            names = [plain[:2], plain[2:]]
        else:
            names = _ALPHA.findall(plain)
        places = [self.squares.place(name) for name in names]
        labels = self.playable.game.board.labels[side]
        if any(place is None for place in places):
            return None
        return ("x" if taking else "-").join(labels[place] for place in places if place is not None)

    def theirs(self, text: str, side: int, separator: str = "x") -> str:
        """A turn of ours as files write it."""
        shown, labels = self.squares.shown(), self.playable.game.board.labels[side]
        words = re.split(r"([-x])", text)
        by_label = {label: place for place, label in enumerate(labels) if place < self.playable.game.board.points}
        return "".join(shown[by_label[w]] if w in by_label else separator if w == "x" else w for w in words)


# ---- writing ------------------------------------------------------------------------------------


def from_session(session: Session, tags: dict[str, str], report: Report) -> PdnGame:
    """A game that was played as a PDN game: its notes become tags and comments again."""
    playable = session.playable
    moves = Moves(playable)
    text, type = of_ruleset(playable.game)
    own, begins = _own_type(playable), playable.first_turn().turn
    given: dict[str, str] = {}
    parts: list[Part] = []
    at = Source("<record>", "").whole
    number, first = 0, True
    for what, value, side in turns_and_notes(session):
        if what == "note":
            found = pdn._TAG.fullmatch(value)
            if found is not None and (not parts or found[1] == "Result"):
                given[found[1]] = re.sub(r"\\(.)", r"\1", found[2])
            else:
                parts.append(_note(value, at))
            continue
        opens = side == begins
        if opens or first:
            number += opens or first
            parts.append(Part("NUMBER", f"{number}." if opens else f"{number}...", at))
        parts.append(Part("MOVE", moves.theirs(value, side, _separator(type)), at))
        first = False
    outcome, result = session.outcome, "*"
    won, drawn = (
        (("2-0", "0-2"), "1-1") if type is not None and type.number in (20, 27) else (("1-0", "0-1"), "1/2-1/2")
    )
    if outcome is not None and outcome.winner is None:
        result = drawn
    elif outcome is not None:
        result = won[session.sides.index(outcome.winner or "") != moves.squares.white]
    elif given.get("Result") and pdn.RESULTS.get("".join(given["Result"].split())) == "draw":
        result = given["Result"]
    wanted = {**({"GameType": text} if own else {RULESET: playable.id}), **given, **tags, "Result": result}
    left = _other_options(playable)
    if left:
        report.warning("F612", f"the form does not say the options that were played by: {left}", at)
    if session.head.position:
        wanted.setdefault("SetUp", "1")
        wanted["FEN"] = fen.to_text(playable, playable.parse(session.head.position), report)
    kept = tuple(Tag(name, value, at) for name, value in wanted.items())
    return PdnGame((), kept, tuple(parts), Part("RESULT", result, at))


def _own_type(playable: Playable) -> bool:
    """Does the ruleset itself, not a parent of it, say its GameType?"""
    notation = playable.game.ruleset.book.root.get("notation")
    return isinstance(notation, Mapping) and notation.get("pdn") is not None


def _other_options(playable: Playable) -> str:
    """The options that are not as the ruleset has them."""
    options = playable.game.ruleset.book.options
    return " ".join(f"{k}={v}" for k, v in playable.options.items() if k in options and options[k].default != v)


def _separator(type: GameType | None) -> str:
    """What stands in a capture. Two of the standard's games write a colon."""
    return ":" if type is not None and type.number in (25, 41) else "x"


def _note(text: str, at: Span) -> Part:
    """A note of a record as a part of a file: as what it was, else as a comment."""
    kind = _note_kind(text)
    return Part(kind, text, at) if kind else Part("COMMENT", "{" + text.replace("}", ")") + "}", at)


def _note_kind(text: str) -> str:
    if text.startswith("{") and text.endswith("}"):
        return "COMMENT"
    if text.startswith("(") and text.endswith(")") and not re.fullmatch(r"\([!?]+\)", text):
        return "VARIATION"
    if re.fullmatch(r"\$[0-9]{1,4}", text):
        return "NAG"
    if re.fullmatch(r"[!?]+|\([!?]+\)", text):
        return "STRENGTH"
    return {";": "LINE_COMMENT", "%": "ESCAPE"}.get(text[:1], "")


def turns_and_notes(session: Session) -> list[tuple[str, str, int]]:
    """Whole turns and notes of a session in order: ("turn", text, side), ("note", text, -1)."""
    playable = session.playable
    notation = Notation(playable.game)
    notation.style = NUMERIC
    steps, taken = session.steps, 0
    found: list[tuple[str, str, int]] = []
    waiting: list[tuple[str, str, int]] = []
    run: list[Step] = []
    for event in session.events:
        if event.what == NOTED:
            (waiting if run else found).append(("note", event.text, -1))
        elif event.what in (MOVED, *CHANCE) and taken < len(steps):
            step = steps[taken]
            taken += 1
            run += [step] if step.decision is not None else []
            if run and over(run[0].before, step.after):
                decisions = tuple(s.decision for s in run if s.decision is not None)
                text = notation.turn_text(playable.machine, run[0].before, (decisions, (), step.after), exact=False)
                found += [("turn", text.removesuffix(" -"), run[0].before.turn), *waiting]
                waiting, run = [], []
    return found + waiting


__all__ = ["Moves", "collection", "from_session", "turns_and_notes"]
