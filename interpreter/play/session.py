"""A game being played: what may happen next, and what has happened.

``apply`` is the one way in, for a player at the table as for a record that is replayed:
every event is checked before it counts. Nothing here prints or touches a file; a
``sink`` is told of each event at once.

Throws come from the generator of the record's seed, one generator for each game of a
match (``machine.chance``), drawn in the order of the throws; so a session that is
resumed goes on where the generator was. A decision can be taken back until its turn is
over and confirmed: never past a throw, never one of the other side.

Faults: P805 an event that cannot happen now, P806 a move that is not legal, P807 a
throw that is not the seed's. R201 … and others as ``machine.notation`` gives them.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from interpreter.diagnostics import ERROR, Diagnostic, Fault, fault, suggestion
from interpreter.machine.chance import Chance
from interpreter.machine.notation import Refused
from interpreter.machine.types import TO_BEGIN, TO_DECIDE, TO_THROW, Decision, Outcome, State
from interpreter.play.explain import Refusal
from interpreter.play.matches import Match, match_of
from interpreter.play.playable import Playable
from interpreter.play.record import BEGIN, CHANCE, GAME, MOVE, NOTE, PLAYERS, RESIGN, STUCK, THROW, UNDO, Event, Head

DECIDE, OVER = "decide", "over"
RESIGNED = "resigned"


@dataclass(frozen=True)
class Step:
    """An event that counts (nothing taken back), with the states before and after it."""

    event: Event
    before: State
    after: State
    game: int


class Session:
    """One game, or one match of several games, from its head and its events."""

    def __init__(self, playable: Playable, head: Head, sink: Callable[[Event], None] | None = None) -> None:
        self.playable = playable
        self.head = head
        self.sink = sink
        self.players = dict(head.players)
        self.match: Match | None = match_of(playable) if head.match else None
        self.events: list[Event] = []
        self.steps: list[Step] = []
        self.game_number = 1
        self.began: str | None = None
        self._open: list[Step] = []
        self._begin_game(None)

    # ---- what there is to do ------------------------------------------------------------------

    @property
    def sides(self) -> tuple[str, str]:
        return self.playable.game.sides

    @property
    def decider(self) -> str:
        """The side that decides now (at a throw: the thrower)."""
        return self.sides[self.state.decider]

    @property
    def due(self) -> str:
        """What comes next: begin, throw, stuck, decide, or over."""
        state = self.state
        if self.outcome is not None:
            return OVER
        if state.waits != TO_DECIDE:
            return BEGIN if state.waits == TO_BEGIN else THROW
        return DECIDE if self.playable.legal(state) else STUCK

    @property
    def finished(self) -> bool:
        """Is there nothing more to play: the game over, and the match too if there is one?"""
        return self.outcome is not None and (self.match is None or self.match.winner is not None)

    def drawn(self) -> Event:
        """The event that chance brings next: the start, the throw, or that the thrower is stuck. Drawing twice gives the same."""
        if self.due == STUCK:
            return Event(STUCK)
        if self._drawn is None:
            self._drawn = self._draw()
        return self._drawn

    def undoable(self, side: str, ended: bool = False) -> bool:
        """Can this side take its last decision back? ``ended``: also the one that ended the turn, where nothing came after."""
        if not self._open or self._open[-1].event.side != side:
            return False
        before = self._open[-1].before
        return ended or self.outcome is None and (before.turns, before.turn) == (self.state.turns, self.state.turn)

    # ---- what happens ---------------------------------------------------------------------------

    def apply(self, event: Event) -> None:
        """Let an event happen. Raises Fault, and then nothing has happened."""
        happen = {
            BEGIN: self._start, THROW: self._throw, STUCK: self._stuck, MOVE: self._move, UNDO: self._undo,
            RESIGN: self._resign, GAME: self._next_game, PLAYERS: self._seat, NOTE: lambda event: None,
        }[event.what]
        if event.side and event.side not in self.sides:
            self._impossible(event, f"no side `{event.side}`", suggestion(event.side, self.sides, "sides"))
        if event.what in CHANCE and self.due != event.what:
            self._impossible(event, f"`{event}` cannot happen here: {self._due_now()}")
        happen(event)
        self.events.append(event)
        if self.sink is not None:
            self.sink(event)

    def move(self, side: str, text: str) -> list[Decision]:
        """A side plays a decision or several; each is an event of its own.

        Raises:
            Fault: N701, N703, N711; P806 (the refusals are its notes); P805 if it is not that side's to decide.
        """
        words = self._decided(Event(MOVE, side, text))
        decisions = [decision for decision, _ in words]
        for _, word in words:
            self.apply(Event(MOVE, side, word))
        return decisions

    def _begin_game(self, starter: str | None) -> None:
        playable, first = self.playable, self.game_number == 1
        self.outcome: Outcome | None = None
        self._chance = Chance.of_game(self.head.seed, self.game_number - 1)
        self._drawn: Event | None = None
        self._open.clear()
        self._starter = starter
        self.state = playable.initial()
        if first and self.head.position:
            self.state = playable.parse(self.head.position)
        elif starter is not None and self.state.waits != TO_BEGIN:
            machine = playable.machine
            self.state = machine._begin(machine.with_men(playable.game.setup), self.sides.index(starter))
        self._settle(self.state)

    def _settle(self, state: State) -> None:
        """Take over a state; note who began and how it ended."""
        self.state = state
        if self.began is None and state.waits != TO_BEGIN:
            self.began = self.sides[state.turn]
        if state.outcome is not None:
            self._end(state.outcome)

    def _end(self, outcome: Outcome) -> None:
        self.outcome = outcome
        if self.match is not None:
            self.match.add(outcome)

    def _done(self, event: Event, after: State, step_open: bool) -> None:
        step = Step(event, self.state, after, self.game_number)
        self.steps.append(step)
        if not step_open or self._open and self._open[-1].before.turns != step.before.turns:
            self._open.clear()
        if step_open:
            self._open.append(step)
        self._settle(after)

    # ---- chance ----------------------------------------------------------------------------------

    def _draw(self) -> Event:
        playable, state = self.playable, self.state
        if state.waits == TO_THROW:
            throw = playable.game.throw
            assert throw is not None
            return Event(THROW, faces=self._chance.weighted([(weight, faces) for faces, weight in throw.outcomes]))
        after = self._chance.weighted(self._starts())
        return Event(BEGIN, self.sides[after.turn], faces=after.thrown)

    def _starts(self) -> list[tuple[int, State]]:
        """The ways the game can begin; after an earlier game only those of the side whose turn it is to begin."""
        starts = self.playable.throws(self.state)
        return [(weight, after) for weight, after in starts if self._starter in (None, self.sides[after.turn])]

    def _from_seed(self, event: Event) -> None:
        if self.head.dice == "seed":
            drawn = self.drawn()
            if drawn != event:
                raise fault(
                    "P807", f"`{event}` is not what the seed gives here: `{drawn}`", event.span,
                    help="if the dice were not the seed's, write `dice any` above the events",
                )
        self._drawn = None

    def _start(self, event: Event) -> None:
        after = next((s for _, s in self._starts() if (self.sides[s.turn], s.thrown) == (event.side, event.faces)), None)
        if after is None:
            self._impossible(event, f"`{event}`: the game cannot begin so", f"for instance `{self.drawn()}`")
        assert after is not None
        self._from_seed(event)
        self._done(event, after, False)

    def _throw(self, event: Event) -> None:
        throw = self.playable.game.throw
        assert throw is not None
        if event.faces not in [faces for faces, _ in throw.outcomes]:
            self._impossible(event, f"`{event}`: that cannot be thrown", f"{throw.dice} dice of {throw.faces} faces")
        self._from_seed(event)
        self._done(event, self.playable.machine.with_throw(self.state, event.faces), False)

    def _stuck(self, event: Event) -> None:
        self._done(event, self.playable.machine.moved_on(self.state), False)

    # ---- decisions -------------------------------------------------------------------------------

    def _move(self, event: Event) -> None:
        side, span = event.side, event.span
        for decision, word in self._decided(event):
            self._done(Event(MOVE, side, word, span=span), self.playable.machine.step(self.state, decision), True)

    def _decided(self, event: Event) -> list[tuple[Decision, str]]:
        """The decisions of a move text and how each is written; all must be this side's, in this turn."""
        playable, state = self.playable, self.state
        if self.due != DECIDE:
            self._impossible(event, f"`{event.text}` cannot be played here: {self._due_now()}")
        if event.side != self.decider:
            self._impossible(event, f"it is not {event.side} who decides but {self.decider}")
        try:
            read = playable.notation.read(playable.machine, state, event.text)
        except Refused as refused:
            raise self._refused(event, refused) from None
        found: list[tuple[Decision, str]] = []
        for what, value in read:
            if what != "decide":
                self._impossible(event, "nobody writes the dice into a move: they are thrown", "leave out what is in brackets")
            assert isinstance(value, Decision)
            if found and (state.turns != self.state.turns or self.sides[state.decider] != event.side):
                self._impossible(event, f"the turn is over after `{' '.join(word for _, word in found)}`")
            found.append((value, playable.text(state, value)))
            state = playable.machine.step(state, value)
        return found

    def _refused(self, event: Event, refused: Refused) -> Fault:
        refusals = self.playable.why_not(self.state, event.text)
        if event.span.end:
            where = event.span
        else:
            where = refused.diagnostics[0].span
        lines = [line.strip() for refusal in refusals for line in str(refusal).splitlines()]
        return RefusedMove([Diagnostic("P806", ERROR, f"not allowed: {event.text}", where, (), tuple(lines))], refused, refusals)

    def _undo(self, event: Event) -> None:
        if not self.undoable(event.side, ended=True):
            why = "nothing of this turn can be taken back" if not self._open else f"the last decision was {self._open[-1].event.side}'s"
            self._impossible(event, why)
        step = self._open.pop()
        if self.outcome is not None and self.match is not None:
            self.match.take_back()
        self.steps.pop()
        self.outcome, self.state, self._drawn = None, step.before, None

    def _resign(self, event: Event) -> None:
        if self.due == OVER:
            self._impossible(event, "the game is over")
        winner = self.sides[1 - self.sides.index(event.side)]
        self._done(event, self.state, False)
        self._end(Outcome(winner, 1, RESIGNED, RESIGNED))

    # ---- games and players -------------------------------------------------------------------------

    def _next_game(self, event: Event) -> None:
        if self.match is None:
            self._impossible(event, "this is one game, no match", "write `match yes` above the events")
        assert self.match is not None
        if self.outcome is None or self.match.winner is not None or event.number != self.game_number + 1:
            due = "the match is over" if self.finished else f"game {self.game_number + (self.outcome is not None)} is due"
            self._impossible(event, f"`{event}` cannot begin here: {due}")
        starter = self.match.starter(self.began)
        self.game_number, self.began = event.number, None
        self._begin_game(starter)

    def _seat(self, event: Event) -> None:
        for side, _ in event.players:
            if side not in self.sides:
                self._impossible(event, f"no side `{side}`", suggestion(side, self.sides, "sides"))
        self.players.update(event.players)

    def _due_now(self) -> str:
        return {
            BEGIN: "the game has not begun", THROW: f"{self.decider} has to throw", STUCK: f"{self.decider} can play nothing",
            DECIDE: f"{self.decider} has to decide", OVER: "the game is over",
        }[self.due]

    def _impossible(self, event: Event, message: str, help: str = "") -> None:
        raise fault("P805", message, event.span, help=help)


class RefusedMove(Fault):
    """A move that is not legal, with what the machine read of it and every clause that refuses it."""

    def __init__(self, diagnostics: list[Diagnostic], refused: Refused, refusals: list[Refusal]) -> None:
        self.refused = refused
        self.refusals = refusals
        super().__init__(diagnostics)


__all__ = ["DECIDE", "OVER", "RESIGNED", "RefusedMove", "Session", "Step"]
