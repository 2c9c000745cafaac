"""Games that other programs tell are played by the rules.

Every game is followed to its end or to its first fault; what follows a fault is not
believed, and the next game is tried. What is true becomes a session, and so a record.

Faults: P805, P806 and those of ``notation`` for a move that cannot be, shown where the
file has it; N703 a square that is not there; F604 a game of no ruleset; F614 an end that
is not the file's. Warnings: F607 move numbers that do not count on, F616 points that the
rules do not give.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass, replace

from interpreter.diagnostics import Diagnostic, Fault, Report, fault
from interpreter.exchange import fen, games, points
from interpreter.exchange.games import Entry, Told
from interpreter.exchange.pdn_games import Moves
from interpreter.machine import styles
from interpreter.machine.notation import Refused
from interpreter.machine.types import Decision
from interpreter.play.moves import refused_move, shown_at
from interpreter.play.playable import Playable
from interpreter.play.record import BEGIN, MOVE, NOTE, RESIGN, STUCK, THROW, Event, Head, content_of
from interpreter.play.session import DECIDE, OVER, Session
from interpreter.source import Source, Span

CUBE = "[cube]"
_DOUBLES = re.compile(r"(?:re)?doubles?\s*=>\s*([0-9]{1,6})", re.IGNORECASE)


@dataclass(frozen=True)
class Checked:
    """A game as it was told and as far as it is true: ``session`` is None where it could not even begin."""

    told: Told
    playable: Playable | None
    session: Session | None
    faults: tuple[Diagnostic, ...]

    @property
    def true(self) -> bool:
        return not any(d.severity == "error" for d in self.faults)

    @property
    def turns(self) -> int:
        return self.session.state.turns if self.session is not None else 0


def checked(told: Told, form: str, load: Callable[[str], Playable], ruleset: str | None = None) -> Checked:
    """Play a game by its rules.

    Args:
        load: makes the game of a ruleset's id; asked once for each id is enough.
        ruleset: the id to use instead of what the file says.
    """
    report = Report()
    report.extend(told.faults)
    id = ruleset or told.ruleset
    if not id:
        if not any(d.code == "F604" for d in told.faults):
            report.error(
                "F604", "the file does not say which game this is", _first(told.span), help="say it with --ruleset ID"
            )
        return Checked(told, None, None, tuple(report))
    if ruleset:
        report.keep(lambda d: d.code != "F604")
    playable = load(id)
    follower = _Following(told, form, playable, report)
    try:
        session = follower.begin()
    except Fault as problem:
        report.extend(problem.diagnostics)
        return Checked(told, playable, None, tuple(report))
    if session is not None:
        follower.follow(session)
    return Checked(told, playable, session, tuple(sorted(report, key=lambda d: d.span.start)))


def _first(span: Span) -> Span:
    """The first line of a span."""
    return Span(span.source, span.start, span.start + len(span.text.split("\n")[0].rstrip("\r")))


class _Following:
    def __init__(self, told: Told, form: str, playable: Playable, report: Report) -> None:
        self.told, self.form, self.playable, self.report = told, form, playable, report
        self.moves = Moves(playable) if form == "pdn" else None
        self.tracks = points.tracks_of(playable) if form == "mat" else None
        self.cube = 1
        self.offset: int | None = None

    def begin(self) -> Session | None:
        """The session where the game begins; None where its position cannot be."""
        playable, position = self.playable, ""
        if self.told.start:
            own = Report()
            found = fen.from_text(playable, Source(self.told.span.source.name, self.told.start), own)
            span = self.told.start_span
            for d in own:
                inner = Span(span.source, span.start + d.span.start, min(span.start + d.span.end, span.end))
                self.report.add(replace(d, span=inner))
            if found is None:
                return None
            position = found
            if playable.format(playable.parse(position)) == playable.format(playable.first_turn()):
                position = ""
        sides = playable.game.sides
        head = Head(
            playable.id,
            content_of(playable.loaded.built.book),
            0,
            tuple(playable.options.items()),
            tuple((side, "human") for side in sides),
            dice="any" if playable.game.throw is not None else "seed",
            position=position,
        )
        return Session(playable, head)

    def follow(self, session: Session) -> None:
        """Every entry in order; from the first fault on only notes are kept."""
        lost = False
        for entry in self.told.entries:
            if entry.what == games.NOTE:
                if not (lost and not entry.text):
                    self._note(session, entry)
            elif entry.what == games.LOST:
                lost = True
            elif not lost:
                try:
                    self._happens(session, entry)
                except Fault as problem:
                    lost = True
                    event = Event(NOTE, span=entry.span)
                    found = shown_at(event, problem) if entry.what == games.MOVE else problem
                    self.report.extend(self._placed(d, session) for d in found.diagnostics)

    def _placed(self, d: Diagnostic, session: Session) -> Diagnostic:
        """A fault with the number of the game, the turn, and the position where it came."""
        where = f"game {self.told.number}, turn {session.state.turns + 1}"
        return replace(d, notes=(*d.notes, f"{where}: {self.playable.format(session.state)}"))

    def _note(self, session: Session, entry: Entry) -> None:
        if entry.player >= 0 and not entry.text:
            self._numbered(session, entry)
            return
        text = entry.text
        if self.form == "mat" and entry.player >= 0:
            text = f"{CUBE} {session.sides[entry.player]} {entry.text}"
            doubled = _DOUBLES.match(entry.text)
            if doubled is not None:
                self.cube = int(doubled[1])
            if re.match(r"drops?|pass|rejects?", entry.text, re.IGNORECASE):
                self.cube = max(1, self.cube // 2)
        session.apply(Event(NOTE, text=text))

    def _numbered(self, session: Session, entry: Entry) -> None:
        """The number before a move: with the turns played since, it counts on from the number before."""
        number, replies = entry.player, entry.span.text.count(".") > 1
        offset = 2 * number + replies - session.state.turns
        if self.offset is not None and offset != self.offset:
            shown = "".join(entry.span.text.split())
            self.report.warning("F607", f"`{shown}` does not count on from the moves before it", entry.span)
        self.offset = offset

    # ---- what happens -----------------------------------------------------------------------

    def _happens(self, session: Session, entry: Entry) -> None:
        if entry.what == games.RESULT:
            self._ends(session, entry)
            return
        if session.due == OVER:
            kind = session.outcome.kind if session.outcome is not None else ""
            raise fault("P805", f"the game is over before this: {kind}", entry.span)
        if entry.what == games.THROW:
            self._throws(session, entry)
        elif self.form == "pdn":
            self._turn(session, entry)
        else:
            self._plays(session, entry)

    def _chance_without_dice(self, session: Session) -> None:
        """What nobody is asked for: the start, a side that can do nothing."""
        while session.due in (BEGIN, STUCK) and self.playable.game.throw is None:
            session.apply(session.drawn())

    def _turn(self, session: Session, entry: Entry) -> None:
        """A whole turn in the form of PDN files."""
        assert self.moves is not None
        self._chance_without_dice(session)
        if session.due != DECIDE:
            raise fault("P805", f"`{entry.text}` cannot be played here", entry.span)
        side = session.state.decider
        text = self.moves.ours(entry.text, side)
        if text is None:
            raise fault(
                "N703",
                f"`{entry.text}` names a square that is not there",
                entry.span,
                help=fen._which(self.moves.squares),
            )
        moves, machine, state = self.moves, self.playable.machine, session.state
        taking = text.replace("-", "x")

        def read() -> list[tuple[str, object]]:
            try:
                return moves.notation.read(machine, state, text, whole=True)
            except Refused:
                if taking == text:
                    raise
                try:  # some write a capture with a hyphen
                    return moves.notation.read(machine, state, taking, whole=True)
                except Fault:
                    pass
                raise

        self._decide(session, entry, text, read)

    def _decide(self, session: Session, entry: Entry, text: str, read: Callable[[], list[tuple[str, object]]]) -> None:
        side = session.decider
        try:
            events = read()
        except Refused as refused:
            raise refused_move(
                self.playable, session.state, Event(MOVE, side, text, span=entry.span), refused
            ) from None
        for _, value in events:
            if isinstance(value, Decision):
                word = self.playable.text(session.state, value)
                session.apply(Event(MOVE, side, word, span=entry.span))
            elif session.due == STUCK:
                session.apply(Event(STUCK))

    def _throws(self, session: Session, entry: Entry) -> None:
        side = session.sides[entry.player]
        if session.due == STUCK:
            session.apply(Event(STUCK))
        if session.due == BEGIN:
            try:
                session.apply(Event(BEGIN, side, faces=entry.faces, span=entry.span))
                return
            except Fault:
                session.apply(Event(BEGIN, side, span=entry.span))
        if session.decider != side:
            raise fault("P805", f"it is not {side} who is to throw but {session.decider}", entry.span)
        session.apply(Event(THROW, faces=entry.faces, span=entry.span))

    def _plays(self, session: Session, entry: Entry) -> None:
        """A whole turn in the form of match files."""
        if entry.text == "-":
            if session.due != STUCK:
                legal = self.playable.turns(session.state, "result")
                shown = ", ".join(f"`{t.text}`" for t in legal[:3])
                raise fault(
                    "P806", "not allowed: nothing is played, but something can be", entry.span, f"for instance {shown}"
                )
            session.apply(Event(STUCK))
            return
        if session.due == STUCK:
            raise fault("P806", f"not allowed: {entry.text}", entry.span, "nothing can be played with this throw")
        text, playable = self._ours(entry.text, entry.player), self.playable

        def read() -> list[tuple[str, object]]:
            found = styles.read(playable.notation, playable.machine, session.state, text, whole=True)
            assert found is not None
            return found

        self._decide(session, entry, text, read)
        if session.due == STUCK:
            session.apply(Event(STUCK))

    def _ours(self, text: str, side: int) -> str:
        assert self.tracks is not None

        def label(found: re.Match[str]) -> str:
            word = found[0].lower()
            number = {"bar": points.BAR, "off": points.OFF}.get(word, -1)
            number = int(word) if number < 0 else number
            assert self.tracks is not None
            return self.tracks.label(side, number) if number <= points.BAR else word

        return " ".join(re.sub(r"bar|off|\d+(?![)\d])", label, word, flags=re.IGNORECASE) for word in text.split())

    # ---- the end ----------------------------------------------------------------------------

    def _ends(self, session: Session, entry: Entry) -> None:
        if self.form == "pdn":
            assert self.moves is not None
            white = self.moves.squares.white
        else:
            white = 0
        if self.playable.game.throw is None:
            self._stuck_at_the_end(session)
        winner = {games.WHITE: session.sides[white], games.BLACK: session.sides[1 - white]}.get(entry.text)
        outcome = session.outcome
        if entry.points:
            session.apply(Event(NOTE, text=f"{CUBE} {winner} {entry.span.text}"))
        if outcome is None:
            if winner is not None:
                loser = session.sides[1 - session.sides.index(winner)]
                session.apply(Event(RESIGN, loser, span=entry.span))
            elif entry.text == games.DRAW:
                session.apply(Event(NOTE, text='[Result "1/2-1/2"]'))
            return
        if (winner or (entry.text == games.DRAW)) and outcome.winner != winner:
            said = f"{winner} wins" if winner else "it is a draw"
            is_so = f"{outcome.winner} wins" if outcome.winner else "it is a draw"
            self.report.error("F614", f"the file says {said}; by the rules {is_so}: {outcome.kind}", entry.span)
        elif entry.points and entry.points != outcome.points * self.cube and outcome.kind != "resigned":
            self.report.warning(
                "F616",
                f"the file gives {entry.points} points; by the rules it is {outcome.points} ({outcome.kind})"
                + (f", times {self.cube}" if self.cube > 1 else ""),
                entry.span,
            )

    def _stuck_at_the_end(self, session: Session) -> None:
        while session.due == STUCK:
            session.apply(session.drawn())
