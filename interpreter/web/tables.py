"""A game that somebody plays or watches now: what of it is in memory, and what a message does to it.

``heed`` is the whole of the game's own part of a message: it plays on the session, and
says what is to be written. What clients are shown (``lines``, ``status``) changes only
when that has been written (``show``), and asks no machine.

One room: what a message does to one game, and what is shown of it.
"""

from __future__ import annotations

import json
from collections.abc import Iterable
from typing import Any, Protocol

from interpreter.diagnostics import Fault
from interpreter.machine.batch import Stopped
from interpreter.machine.notation import Refused as NotLegal
from interpreter.machine.types import Outcome, RulesBroken, State
from interpreter.play import moves, record
from interpreter.play.players import HUMAN
from interpreter.play.record import AGREED, CHANCE, Event
from interpreter.play.session import DECIDE, Session
from interpreter.web import messages
from interpreter.web.choices import Choice
from interpreter.web.keys import WATCH, commitment
from interpreter.web.messages import Message, Refused
from interpreter.web.store import Change, Kept, Line, Stored

MOST_LINES = 10_000
"""A game that is longer can only be given up, or agreed to be drawn."""
MOST_CHANCE = 200
"""So much of chance follows one message; what is more follows by and by."""

_text = json.JSONEncoder(separators=(",", ":")).encode

GO_ON = "go on"
"""A message of the server's own: let chance happen that is still due."""


class Watcher(Protocol):
    """Somebody who is told when something happened: ``seen`` is how many lines he has."""

    part: str

    def wake(self) -> None: ...

    def ping(self) -> None: ...


class Unlegal(Exception):
    """A move that is not legal: why, is still to be found out."""

    def __init__(self, state: State, text: str) -> None:
        self.state = state
        self.text = text
        super().__init__(text)


class Table:
    """One game. ``session`` is None where it has been put away, or where its ruleset has changed."""

    def __init__(self, kept: Kept) -> None:
        self.game = kept.game
        self.digests = kept.digests
        self.kinds = dict(kept.game.seats)
        self.choice: Choice | None = None
        self.session: Session | None = None
        self.fill(kept)
        self.changed: dict[str, str] | None = None
        self.status: dict[str, Any] = {"due": "", "side": "", "offer": "", "over": None}
        self.watchers: set[Watcher] = set()
        self.present: list[str] = []
        self._changes = 0
        self.busy = 0
        self.thinking = False
        self._news: tuple[Any, str] = (None, "")

    # ---- opening -------------------------------------------------------------------------------

    def fill(self, kept: Kept) -> None:
        """Take over what is kept, for the first time or anew."""
        self.lines = [line.text for line in kept.lines]
        self.answered = _answered(kept.lines)
        self.offer, self.over = kept.offer, kept.over

    def open(self, choice: Choice) -> None:
        """Play the lines again by the slow machine (its lock is held by who asks), then sit down at the quick one.

        Raises:
            Fault: a line that cannot have happened.
        """
        head = self.game.head(open=True)
        text = str(head) + "".join(f"{line}\n" for line in self.lines)
        session = Session(choice.slow, head)
        for event in record.from_text(text, self.game.id).events:
            session.apply(event)
        due = session.due
        session.playable = choice.quick
        self.choice, self.session = choice, session
        self.show(Change(self.game.id, len(self.lines), (), self.offer, self.over, True, due, _decider(session, due)))

    def put_away(self) -> None:
        """Forget the session; what has been shown stays."""
        self.session = None

    # ---- messages ---------------------------------------------------------------------------------

    def heed(self, side: str, message: Message) -> tuple[dict[str, Any], Change | None]:
        """What is answered, and what is to be written before (nothing where a message came again).

        Raises:
            Refused: nothing has happened.
            Unlegal: the same; why, can be found out elsewhere.
        """
        session = self.session
        assert session is not None
        known = self.answered.get((side, message.id)) if message.id else None
        if known is not None:
            return self._accepted(message, known), None
        seen = len(session.events)
        if message.seen != seen:
            raise Refused("stale", f"the game has {seen} lines by now, you have seen {message.seen}", n=seen)
        if side == WATCH:
            raise Refused("forbidden", "those who watch cannot play")
        before = self.offer
        try:
            offer = self._happen(session, side, message)
            due = _by_chance(session)
        except (Refused, Unlegal):
            raise
        except Fault as problem:
            self._undo_all(session, seen)
            raise Refused("illegal", "; ".join(d.message for d in problem.diagnostics)) from None
        except (RulesBroken, Stopped) as problem:
            self.session = None
            raise Refused("broken", f"the rules lead nowhere here: {problem}") from None
        lines = [Line(str(event), side, message.id) for event in session.events[seen:]]
        over = json.dumps(_outcome(session.outcome)) if session.outcome is not None else ""
        if message.id:
            self.answered[side, message.id] = seen + len(lines)
        if not lines and offer == before:
            return self._accepted(message, seen), None
        self.offer, self.over = offer, over
        side_due = _decider(session, due)
        change = Change(self.game.id, seen, lines, offer, over, offer == before, due, side_due)
        return self._accepted(message, seen + len(lines)), change

    def _undo_all(self, session: Session, seen: int) -> None:
        """A message of which a part happened: the session is read anew from what was written."""
        if len(session.events) != seen:
            self.session = None

    def _accepted(self, message: Message, n: int) -> dict[str, Any]:
        return {"kind": "answer", "id": message.id, "ok": True, "n": n}

    def _happen(self, session: Session, side: str, message: Message) -> str:
        """Let a message happen; the offer that stands from now on."""
        what = message.what
        if what == GO_ON:
            return self.offer
        if session.outcome is not None:
            raise Refused("over", "the game is over")
        if what in (messages.OFFER, messages.DECLINE, messages.AGREE):
            return self._offered(session, side, what)
        if what == messages.RESIGN:
            session.apply(Event(record.RESIGN, side))
            return ""
        if len(session.events) >= MOST_LINES:
            raise Refused("too-long", f"a game has at most {MOST_LINES} lines; give it up, or agree to a draw")
        if what == messages.UNDO:
            if not session.undoable(side):
                raise Refused("nothing", "there is no decision of this turn to take back")
            session.apply(Event(record.UNDO, side))
            return ""
        self._move(session, side, message.text)
        return ""

    def _move(self, session: Session, side: str, text: str) -> None:
        if session.due != DECIDE or session.decider != side:
            raise Refused("not-yours", f"it is {session.decider} who decides")
        try:
            found = moves.meant(session.playable, session.state, Event(record.MOVE, side, text))
        except NotLegal:
            raise Unlegal(session.state, text) from None
        session.decide(side, found)

    def _offered(self, session: Session, side: str, what: str) -> str:
        others = [kind for other, kind in self.kinds.items() if other != side]
        if what == messages.OFFER:
            if others != [HUMAN]:
                raise Refused("nothing", "a computer player agrees to no draw")
            if self.offer and self.offer != side:
                raise Refused("nothing", f"{self.offer} has offered a draw already: `agree` or `decline`")
            return side
        if not self.offer or self.offer == side:
            raise Refused("nothing", "no draw has been offered to you")
        if what == messages.AGREE:
            session.apply(Event(AGREED))
        return ""

    @property
    def goes_on(self) -> bool:
        """Is there more that happens by itself?"""
        return self.status["due"] in CHANCE and len(self.lines) < MOST_LINES

    # ---- what is shown ---------------------------------------------------------------------------

    def show(self, change: Change) -> None:
        """Clients see what has been written."""
        self._changes += 1
        self.lines.extend(line.text for line in change.lines)
        over = json.loads(change.over) if change.over else None
        self.status = {"due": change.due, "side": change.side, "offer": change.offer, "over": over}
        if self.changed is not None:
            self.status["changed"] = self.changed

    def enter(self, watcher: Watcher) -> None:
        self.watchers.add(watcher)
        self._present()

    def leave(self, watcher: Watcher) -> None:
        self.watchers.discard(watcher)
        self._present()

    def _present(self) -> None:
        """The sides that are connected now."""
        self._changes += 1
        here = {watcher.part for watcher in self.watchers}
        self.present = [side for side in self.kinds if side in here]

    def news(self, seen: int) -> dict[str, Any]:
        """What has happened since so many lines were seen."""
        return {
            "kind": "news",
            "from": min(seen, len(self.lines)),
            "n": len(self.lines),
            "lines": self.lines[seen:],
            "present": self.present,
            **self.status,
        }

    def news_text(self, seen: int) -> str:
        """The same as JSON; made once for all who have seen as much."""
        key = (seen, self.told)
        if self._news[0] != key:
            self._news = key, _text(self.news(seen))
        return self._news[1]

    @property
    def told(self) -> int:
        """Grows whenever there is something to tell."""
        return self._changes

    def view(self, part: str, seen: int) -> dict[str, Any]:
        """All that a client who comes in is told. The seed is told when the game is over, not before."""
        game, over = self.game, bool(self.status["over"])
        dice: dict[str, Any] = {"commitment": commitment(game.seed, game.salt), "chosen": game.chosen}
        if over:
            dice |= {"seed": str(game.seed), "salt": game.salt}
        return {
            **self.news(seen),
            "kind": "game",
            "id": game.id,
            "part": part,
            "head": str(game.head(open=over)),
            "ruleset": game.ruleset,
            "content": game.content,
            "options": dict(game.options),
            "seats": self.kinds,
            "dice": dice,
        }

    def record(self) -> str:
        """The game as a record file."""
        head = self.game.head(open=bool(self.status["over"]))
        return str(head) + "".join(f"{line}\n" for line in self.lines)


def beginning(choice: Choice, game: Stored) -> list[Line]:
    """The first lines of a game, which chance writes. Of the choice the slow machine is asked."""
    session = Session(choice.slow, game.head(open=True))
    _by_chance(session)
    return [Line(str(event)) for event in session.events]


def _by_chance(session: Session) -> str:
    """Throws that are due are made, and who can play nothing is moved on; what is due then."""
    due = session.due
    for _ in range(MOST_CHANCE):
        if due not in CHANCE or len(session.events) >= MOST_LINES:
            break
        session.apply(session.drawn())
        due = session.due
    return due


def _decider(session: Session, due: str) -> str:
    return session.decider if due == DECIDE else ""


def _outcome(outcome: Outcome) -> dict[str, Any]:
    return {"winner": outcome.winner, "points": outcome.points, "kind": outcome.kind, "clause": outcome.clause}


def _answered(lines: Iterable[Line]) -> dict[tuple[str, str], int]:
    """After how many lines each message that was accepted had been played."""
    found = {}
    for number, line in enumerate(lines, 1):
        if line.message:
            found[line.side, line.message] = number
    return found
