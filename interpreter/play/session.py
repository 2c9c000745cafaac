"""A game being played: what may happen next, and what has happened.

``apply`` is the one way in, for a player at the table as for a record that is replayed:
every event is checked before it counts. Nothing here prints or touches a file; a
``sink`` is told of each event at once.

Throws come from the generator of the record's seed, one generator for each game of a
match (``machine.chance``), drawn in the order of the throws; so a session that is
resumed goes on where the generator was. A decision can be taken back until its turn is
over and confirmed: never past a throw, never one of the other side.

Faults: P805 an event that cannot happen now, P807 a throw that is not the seed's; those
of ``moves`` for moves.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import NoReturn

from interpreter.diagnostics import fault, suggestion
from interpreter.machine.chance import Chance
from interpreter.machine.types import TO_BEGIN, TO_DECIDE, TO_THROW, Decision, Outcome, State
from interpreter.play import moves
from interpreter.play.matches import Match, match_of
from interpreter.play.moves import Step
from interpreter.play.picture import of_session
from interpreter.play.playable import Playable
from interpreter.play.record import AGREED, BEGIN, CHANCE, GAME, MOVE, PLAYERS, RESIGN, STUCK, THROW, UNDO, Event, Head

DECIDE, OVER = "decide", "over"
RESIGNED = "resigned"


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
        self.outcome: Outcome | None = None
        self._open: list[Step] = []
        self._drawn: Event | None = None
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
        """The event that chance brings next: the start, the throw, the thrower stuck. Asked twice it is the same."""
        if self.due == STUCK:
            return Event(STUCK)
        if self._drawn is None:
            self._drawn = self._draw()
        return self._drawn

    def undoable(self, side: str, ended: bool = False) -> bool:
        """Can this side take its last decision back? ``ended``: also one that ended the turn, if nothing came after."""
        if not self._open or self._open[-1].event.side != side:
            return False
        before, now = self._open[-1].before, self.state
        return ended or (self.outcome is None and (before.turns, before.turn) == (now.turns, now.turn))

    def _repr_svg_(self) -> str:
        return of_session(self).svg

    # ---- what happens ---------------------------------------------------------------------------

    def apply(self, event: Event) -> None:
        """Let an event happen. Raises Fault, and then nothing has happened."""
        happen: Callable[[Event], None] | None = {
            BEGIN: self._start,
            THROW: self._throw,
            STUCK: self._stuck,
            MOVE: self._move,
            UNDO: self._undo,
            RESIGN: self._resign,
            AGREED: self._agree,
            GAME: self._next_game,
            PLAYERS: self._seat,
        }.get(event.what)
        if event.side and event.side not in self.sides:
            self._impossible(event, f"no side `{event.side}`", suggestion(event.side, self.sides, "sides"))
        if event.what in CHANCE and self.due != event.what:
            self._impossible(event, f"`{event}` cannot happen here: {self._due_now()}")
        if happen is not None:
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
        self.decide(side, words)
        return [decision for decision, _ in words]

    def decide(self, side: str, words: Iterable[tuple[Decision, str]]) -> None:
        """Play decisions that ``moves.meant`` has read from this very state, each an event of its own."""
        for decision, word in words:
            event = Event(MOVE, side, word)
            self._done(event, self.playable.machine.step(self.state, decision), decision)
            self.events.append(event)
            if self.sink is not None:
                self.sink(event)

    def _begin_game(self, starter: str | None) -> None:
        if self.match is not None:
            score = self.match.score
            self.playable = self.playable.with_scores((score[self.sides[0]], score[self.sides[1]]))
        playable, first = self.playable, self.game_number == 1
        self._chance = Chance.of_game(self.head.seed, self.game_number - 1)
        self.outcome, self._drawn = None, None
        self._open.clear()
        self._starter = starter
        self.state = playable.initial()
        if first and self.head.position:
            self.state = playable.parse(self.head.position)
        elif starter is not None and self.state.waits != TO_BEGIN:
            self.state = playable.machine.begin(self.sides.index(starter))
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

    def _done(self, event: Event, after: State, decision: Decision | None = None) -> None:
        step = Step(event, self.state, after, self.game_number, decision)
        self.steps.append(step)
        if decision is None or (self._open and self._open[-1].before.turns != step.before.turns):
            self._open.clear()
        if decision is not None:
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
        """The generator goes on by one draw, whoever threw; with ``dice seed`` it must have given this."""
        drawn = self.drawn()
        if self.head.dice == "seed" and drawn != event:
            raise fault(
                "P807",
                f"`{event}` is not what the seed gives here: `{drawn}`",
                event.span,
                help="if the dice were not the seed's, write `dice any` above the events",
            )
        self._drawn = None

    def _start(self, event: Event) -> None:
        wanted = event.side, event.faces
        after = next((s for _, s in self._starts() if (self.sides[s.turn], s.thrown) == wanted), None)
        if after is None:
            self._impossible(event, f"`{event}`: the game cannot begin so", f"for instance `{self.drawn()}`")
        self._from_seed(event)
        self._done(event, after)

    def _throw(self, event: Event) -> None:
        throw = self.playable.game.throw
        assert throw is not None
        if event.faces not in [faces for faces, _ in throw.outcomes]:
            self._impossible(event, f"`{event}`: that cannot be thrown", f"{throw.dice} dice of {throw.faces} faces")
        self._from_seed(event)
        self._done(event, self.playable.machine.with_throw(self.state, event.faces))

    def _stuck(self, event: Event) -> None:
        self._done(event, self.playable.machine.moved_on(self.state))

    # ---- decisions -------------------------------------------------------------------------------

    def _move(self, event: Event) -> None:
        side, span = event.side, event.span
        for decision, word in self._decided(event):
            after = self.playable.machine.step(self.state, decision)
            self._done(Event(MOVE, side, word, span=span), after, decision)

    def _decided(self, event: Event) -> list[tuple[Decision, str]]:
        if self.due != DECIDE:
            self._impossible(event, f"`{event.text}` cannot be played here: {self._due_now()}")
        return moves.decided(self.playable, self.state, event)

    def _undo(self, event: Event) -> None:
        if not self.undoable(event.side, ended=True):
            last = f"the last decision was {self._open[-1].event.side}'s" if self._open else ""
            self._impossible(event, last or "there is no decision of this turn to take back")
        step = self._open.pop()
        if self.outcome is not None and self.match is not None:
            self.match.take_back()
        self.steps.pop()
        self.outcome, self.state = None, step.before

    def _resign(self, event: Event) -> None:
        if self.due == OVER:
            self._impossible(event, "the game is over")
        winner = self.sides[1 - self.sides.index(event.side)]
        self._done(event, self.state)
        self._end(Outcome(winner, 1, RESIGNED, RESIGNED))

    def _agree(self, event: Event) -> None:
        """A draw that no rule makes, but both sides."""
        if self.due == OVER:
            self._impossible(event, "the game is over")
        self._done(event, self.state)
        self._end(Outcome(None, 0, AGREED, AGREED))

    # ---- games and players -------------------------------------------------------------------------

    def _next_game(self, event: Event) -> None:
        if self.match is None:
            self._impossible(event, "this is one game, no match", "write `match yes` above the events")
        if self.outcome is None or self.match.winner is not None or event.number != self.game_number + 1:
            now = self.game_number + (self.outcome is not None)
            due = "the match is over" if self.finished else f"it is time for game {now}"
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
            BEGIN: "the game has not begun",
            THROW: f"{self.decider} has to throw",
            STUCK: f"{self.decider} can play nothing",
            DECIDE: f"{self.decider} has to decide",
            OVER: "the game is over",
        }[self.due]

    def _impossible(self, event: Event, message: str, help: str = "") -> NoReturn:
        raise fault("P805", message, event.span, help=help)


__all__ = ["DECIDE", "OVER", "RESIGNED", "Session"]
