"""Games that were played here as matches in the form of ``mat``. Fault: F611, a game without such a form."""

from __future__ import annotations

import re
from collections.abc import Sequence

from interpreter.diagnostics import fault
from interpreter.exchange import points
from interpreter.exchange.checking import CUBE
from interpreter.exchange.mat import WINS, Action, Line, Mat, MatGame
from interpreter.exchange.points import BAR, OFF, Tracks
from interpreter.machine.notation import SLASH, Notation, over
from interpreter.play.moves import Step
from interpreter.play.record import BEGIN, GAME, MOVE, NOTE, RESIGN, STUCK, Event
from interpreter.play.session import Session
from interpreter.source import NOWHERE

ABOUT = re.compile(r"Match Length [0-9]{1,6}|Game [0-9]{1,6}|Score [0-9]{1,6}-[0-9]{1,6}")
"""Notes that say where in its match a game stood."""
_PLAYER = re.compile(r"Player ([12])")
_TAG = re.compile(r'\[\s*(\S[^"\]]*?)\s*"(.*)"\s*\]')


def from_sessions(sessions: Sequence[Session]) -> Mat:
    """One match of the games of one or more sessions, in order."""
    tags: dict[str, str] = {}
    games: list[MatGame] = []
    notes: list[str] = []
    score = [0, 0]
    length = 0
    for session in sessions:
        tracks = points.tracks_of(session.playable)
        if session.match is not None and session.match.until is not None:
            length = session.match.until
        for events in _games(session):
            writing = _Writing(session, tracks)
            writing.events(events)
            tags.update(writing.tags)
            notes += writing.before
            names = (writing.players[0] or session.sides[0], writing.players[1] or session.sides[1])
            length = int(writing.about.get("Match Length", length))
            told = re.fullmatch(r"([0-9]{1,6})-([0-9]{1,6})", writing.about.get("Score", ""))
            score = [int(told[1]), int(told[2])] if told is not None else score
            number = int(writing.about.get("Game", len(games) + 1))
            games.append(MatGame(number, names, (score[0], score[1]), tuple(writing.lines), NOWHERE))
            for side in (0, 1):
                score[side] += writing.won[side]
    return Mat(tuple(tags.items()), tuple(notes), length, tuple(games))


def _games(session: Session) -> list[list[tuple[Event, Step | None]]]:
    """The events of each game, each with the step it made."""
    found: list[list[tuple[Event, Step | None]]] = [[]]
    steps = iter(session.steps)
    for event in session.events:
        if event.what == GAME:
            found.append([])
        elif event.what == NOTE:
            found[-1].append((event, None))
        elif event.what not in ("players", "undo"):
            step = next(steps, None)
            if step is not None:
                found[-1].append((event, step))
    return found


class _Writing:
    """The lines of one game."""

    def __init__(self, session: Session, tracks: Tracks) -> None:
        self.session, self.tracks = session, tracks
        self.notation = Notation(session.playable.game)
        self.notation.style = SLASH
        self.tags: dict[str, str] = {}
        self.before: list[str] = []
        self.players = ["", ""]
        self.about: dict[str, str] = {}
        self.won = [0, 0]
        self.lines: list[Line] = []
        self.number = 0
        self.told = ""

    def events(self, events: list[tuple[Event, Step | None]]) -> None:
        run: list[Step] = []
        waiting: list[str] = []
        for event, step in events:
            if event.what == NOTE:
                if run:
                    waiting.append(event.text)
                else:
                    self._note(event.text)
                continue
            assert step is not None
            if event.what == RESIGN:
                continue
            run.append(step)
            start = run[0].after if run[0].event.what == BEGIN else run[0].before
            if over(start, step.after) and any(s.event.what in (MOVE, STUCK) for s in run):
                self._turn(run)
                run = []
                for text in waiting:
                    self._note(text)
                waiting = []
        if any(s.event.faces for s in run) and any(s.event.what == MOVE for s in run):
            raise fault("F611", "a game that stops within a turn cannot be said in this form", help="finish the turn")
        for text in waiting:
            self._note(text)
        self._ends(events)

    def _add(self, player: int, text: str) -> None:
        action = Action(player, text, NOWHERE)
        last = self.lines[-1] if self.lines and self.lines[-1].number else None
        if player == 1 and last is not None and last.actions and last.actions[-1].player == 0:
            self.lines[-1] = Line(last.number, (*last.actions, action))
            return
        self.number += 1
        self.lines.append(Line(self.number, (action,)))

    def _note(self, text: str) -> None:
        tag = _TAG.fullmatch(text)
        named = _PLAYER.fullmatch(tag[1]) if tag is not None else None
        if tag is not None and named is not None:
            self.players[int(named[1]) - 1] = tag[2]
        elif tag is not None and ABOUT.fullmatch(f"{tag[1]} {tag[2]}"):
            self.about[tag[1]] = tag[2]
        elif tag is not None and not self.lines:
            self.tags[tag[1]] = tag[2]
        elif text.startswith(CUBE + " ") and text.split(" ", 2)[1] in self.session.sides:
            _, side, said = text.split(" ", 2)
            player = self.session.sides.index(side)
            if WINS.match(said):
                self.told = said
                self.won[player] = int(WINS.match(said)[1])  # type: ignore[index]
                self.lines.append(Line(0, (Action(player, said, NOWHERE),)))
            else:
                self._add(player, said)
        elif self.lines:
            self.lines.append(Line(0, note=text))
        else:
            self.before.append(text)

    def _turn(self, run: list[Step]) -> None:
        faces: tuple[int, ...] = ()
        for step in run:
            if step.event.faces:
                if faces:
                    raise fault("F611", "a turn with two throws cannot be said in this form")
                faces = step.event.faces
        decided = [step for step in run if step.decision is not None]
        dice = "".join(map(str, faces))
        side = run[-1].before.turn
        if not decided:
            self._add(side, f"{dice}: Cannot Move")
            return
        decisions = tuple(step.decision for step in decided if step.decision is not None)
        start, end = decided[0].before, run[-1].after
        text = self.notation.turn_text(self.session.playable.machine, start, (decisions, (), end), exact=False)
        words = [self._number(word, side) for word in text.removesuffix(" -").split()]
        self._add(side, f"{dice}: {' '.join(words)}")

    def _number(self, word: str, side: int) -> str:
        """A way of one man by numbers: ``bar/20*`` is ``25/20*``."""
        if "/" not in word:
            raise fault("F611", f"`{word}` cannot be said in this form")
        labels = {self.tracks.label(side, n): str(n) for n in range(OFF, BAR + 1)}
        way, bracket, count = word.partition("(")
        stops = [labels[stop.rstrip("*")] + "*" * stop.endswith("*") for stop in way.split("/")]
        return "/".join(stops) + bracket + count

    def _ends(self, events: list[tuple[Event, Step | None]]) -> None:
        last = next((step for _, step in reversed(events) if step is not None), None)
        if last is None or self.told:
            return
        outcome = last.after.outcome
        winner, won = "", 1
        if last.event.what == RESIGN:
            winner = next(side for side in self.session.sides if side != last.event.side)
        elif outcome is not None and outcome.winner is not None:
            winner, won = outcome.winner, outcome.points
        if winner:
            player = self.session.sides.index(winner)
            self.won[player] = won
            text = f"Wins {won} point{'' if won == 1 else 's'}"
            self.lines.append(Line(0, (Action(player, text, NOWHERE),)))


__all__ = ["from_sessions"]
