"""What ``load`` returns: a ruleset that can be asked anything the command can ask.

Faults of its own: N706 a throw that cannot be, N710 a decision that is not legal, O911
the reference machine serves where the compiled one cannot be had.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING

from interpreter.diagnostics import WARNING, Diagnostic, Fault, Report, fault
from interpreter.game.types import Game
from interpreter.game.walk import every_expression, ops
from interpreter.machine import position, turns
from interpreter.machine.batch import ONE_QUESTION, Limits
from interpreter.machine.notation import Notation
from interpreter.machine.reference import Reference
from interpreter.machine.searching import Search
from interpreter.machine.styles import Remembering
from interpreter.machine.types import TO_DECIDE, Decision, InBulk, Machine, Outcome, State, Turn
from interpreter.play import explain, simulate
from interpreter.play.explain import Refusal
from interpreter.play.loading import Loaded, load_game
from interpreter.play.simulate import Playouts
from interpreter.ruleset.library import Library
from interpreter.source import NOWHERE

if TYPE_CHECKING:
    from interpreter.play.picture import Picture

COMPILED, REFERENCE, AUTO = "compiled", "reference", "auto"
MACHINES = (COMPILED, REFERENCE, AUTO)
COUNTS = ("path", "result")
BY = ("path", "result", "decision")


@dataclass(frozen=True, repr=False)
class Playable:
    """A game, its machines and its notation. Made by ``load``; asks nothing of the outside world.

    ``reference`` explains moves and reads positions. ``machine`` answers the other
    questions: the compiled one is made when it is first asked (some tenths of a second,
    or a few thousandths where it is kept on disk), so that what never asks never waits.
    """

    loaded: Loaded
    reference: Reference
    notation: Notation
    found: tuple[Diagnostic, ...] = ()
    chosen: str = REFERENCE
    later: Report = field(default_factory=Report, compare=False)

    def __repr__(self) -> str:
        chosen = " ".join(f"{name}={value}" for name, value in self.options.items())
        return f"<Playable {self.id}{' ' + chosen if chosen else ''}>"

    @property
    def game(self) -> Game:
        return self.loaded.game

    @property
    def id(self) -> str:
        return self.game.ruleset.id

    @property
    def options(self) -> dict[str, str]:
        """The value of every option that applies."""
        return dict(self.game.ruleset.choices)

    @cached_property
    def machine(self) -> Machine:
        """The machine that was chosen; the reference where the compiled one cannot be had (see ``warnings``)."""
        if self.chosen == REFERENCE:
            return self.reference
        made, why = compiled(self.game, self.reference)
        if made is None and self.chosen == COMPILED:
            message = f"`{self.id}` is played by the reference machine, which is slower: {why}"
            self.later.add(Diagnostic("O911", WARNING, message, NOWHERE))
        return made or self.reference

    @cached_property
    def thinking(self) -> Machine:
        """The machine that players who search live in: the compiled one whatever was chosen, where it can be had."""
        if self.chosen != REFERENCE:
            return self.machine
        return compiled(self.game, self.reference)[0] or self.reference

    @property
    def warnings(self) -> tuple[Diagnostic, ...]:
        """What was found in the files; once the machine is made, O911 if it is not the one that was asked for."""
        return (*self.found, *self.later)

    def with_scores(self, scores: tuple[int, int]) -> Playable:
        """The same game at this score of a match; clauses read it as a constant."""
        if scores == self.game.scores or not any("score" in ops(e) for e in every_expression(self.game)):
            return self
        loaded = replace(self.loaded, game=replace(self.game, scores=scores))
        reference, notation = Reference(loaded.game), Notation(loaded.game)
        return replace(self, loaded=loaded, reference=reference, notation=notation, later=Report())

    def initial(self) -> State:
        """The set-up, before anybody has begun: a chance node where the start or the first throw is chance."""
        return self.reference.initial()

    def first_turn(self) -> State:
        """Where counting starts: the set-up, the first of the sides to make an ordinary throw."""
        return self.reference.first_turn()

    def parse(self, text: str) -> State:
        """The state a position text says. Raises Fault (N701 to N707)."""
        return position.from_text(self.reference, text)

    def format(self, state: State) -> str:
        """The state as one line, which ``parse`` reads back exactly."""
        return position.text_of(self.game, state)

    def legal(self, state: State) -> tuple[Decision, ...]:
        """The legal decisions, by number; empty at a chance node, after the end, and for one who is stuck."""
        return self.machine.legal(state)

    def step(self, state: State, decision: Decision | str) -> State:
        """The state after a legal decision (or its text). Raises Fault N710 if it is not legal now."""
        if isinstance(decision, str):
            return self.play(state, decision)
        legal = self.machine.legal(state)
        if tuple(decision) not in legal:
            shown = self._shown(decision, state)
            raise fault("N710", f"`{shown}` is not legal here", help=f'ask why_not(state, "{shown}")')
        return self.machine.step(state, Decision(*decision))

    def _shown(self, decision: Decision, state: State) -> str:
        verb, path = decision
        if not (0 <= verb < len(self.game.verbs) and 0 <= path < len(self.game.paths)):
            return str(tuple(decision))
        return self.notation.bare(Decision(verb, path), state.decider)

    def throws(self, state: State) -> tuple[tuple[int, State], ...]:
        """Weighted states after each throw, at a chance node.

        A thrower who is stuck is not moved on by the throw: his state has no legal
        decision, and one successor here. Empty elsewhere.
        """
        return self.machine.throws(state)

    def throw(self, state: State, faces: tuple[int, ...]) -> State:
        """The state after this throw at a chance node. Raises Fault N706 if it cannot be thrown."""
        wanted = tuple(sorted(faces, reverse=True))
        for thrown, after in turns.thrown(self.machine, state):
            if thrown == wanted and state.waits != TO_DECIDE:
                return after
        raise fault("N706", f"`{'-'.join(map(str, faces))}` cannot be thrown here")

    def turns(self, state: State, count: str = "path", limits: Limits = ONE_QUESTION) -> list[Turn]:
        """The whole turns from a state; by ``result`` one for each distinct result (the first in order).

        Empty at a chance node; one turn ``-`` for a thrower who is stuck.

        Raises:
            Stopped: at a limit.
        """
        if count not in COUNTS:
            raise ValueError(f"count is one of {', '.join(COUNTS)}")
        search, exact = Search(limits), count == "path"
        machine = Remembering(self.machine)
        return [
            Turn(self.notation.turn_text(machine, state, walk, exact), walk[0], walk[2], walk[1])
            for walk in turns.walks(machine, state, merged=not exact, search=search)
        ]

    def perft(self, depth: int, by: str = "path", state: State | None = None) -> list[int]:
        """How many turns (or decisions) of 1..depth: one count for each depth (see ``turns.counts``)."""
        return list(self.counts(depth, by, state))

    def counts(
        self, depth: int, by: str = "path", state: State | None = None, limits: Limits | None = None
    ) -> Iterator[int]:
        """The same counts, each as soon as it is known.

        Raises:
            Stopped: at a limit, or at Ctrl-C; what was given before stays true.
        """
        if by not in BY:
            raise ValueError(f"by is one of {', '.join(BY)}")
        state = self.first_turn() if state is None else state
        if isinstance(self.machine, InBulk):
            return self.machine.counts(state, depth, by, limits)
        return turns.counts(self.machine, state, depth, by, limits)

    def outcome(self, state: State) -> Outcome | None:
        """How the game ended, if it did."""
        return state.outcome

    def text(self, state: State, decision: Decision) -> str:
        """A decision as text, as it is written in this state."""
        return self.notation.text(Decision(*decision), state.decider, self.machine.legal(state))

    def read(self, state: State, text: str) -> list[Decision]:
        """The decisions a move text says. Raises Fault (N701, N710, N711)."""
        return [value for what, value in self.notation.read(self.machine, state, text) if isinstance(value, Decision)]

    def play(self, state: State, text: str) -> State:
        """The state after a move text (decisions, throws in brackets). Raises Fault (N701, N710, N711, N712)."""
        from interpreter.machine.notation import advance

        for what, value in self.notation.read(self.machine, state, text):
            state = advance(self.machine, state, what, value)
        return state

    def why_not(self, state: State, text: str) -> list[Refusal]:
        """Every clause that refuses a move, with its rule, source and the facts that made it hold.

        Empty if the move is legal. Raises Fault N701 if the text is no move at all.
        """
        return explain.why_not(self.reference, self.notation, state, text)

    def picture(
        self,
        state: State | None = None,
        viewer: int = 0,
        origin: str = "",
        last: tuple[Decision, ...] = (),
        duties: bool = False,
    ) -> Picture:
        """A position (the set-up) to be looked at: its ``svg``, its ``text()``, and in a notebook itself.

        ``origin`` names a place whose men's targets are shown; ``last`` are the decisions
        of the last turn; ``duties`` points out men that have to move or may be taken off.
        """
        from interpreter.play.picture import picture

        return picture(self, self.initial() if state is None else state, viewer, origin, last, duties)

    def _repr_svg_(self) -> str:
        return self.picture().svg

    def playouts(self, n: int, seed: int, by: str = "turn", max_turns: int | None = None) -> Playouts:
        """``n`` random games, the same for the same seed on every machine (see ``simulate``)."""
        return simulate.playouts(self.machine, n, seed, by, max_turns)


def load(
    id_or_path: str | Path,
    options: Mapping[str, str] | None = None,
    reading: str | None = None,
    machine: str = "compiled",
    library: Library | None = None,
) -> Playable:
    """Load a ruleset by its id (shipped) or its path (a ``.yaml`` file).

    Args:
        options: option values; they go before the reading's, the reading's before the defaults.
        machine: ``compiled``, or ``reference``: the same answers, slower. Where the compiled machine cannot be
            had, the reference serves, with a warning (O911); ``auto`` does the same without a word.

    Raises:
        Fault: with every error found in the files and choices.
    """
    if machine not in MACHINES:
        raise ValueError(f"machine is one of {', '.join(MACHINES)}")
    report = Report()
    choices = {str(k): str(v) for k, v in (options or {}).items()}
    loaded = load_game(library or Library(), id_or_path, choices, reading, report)
    if loaded is None:
        raise Fault(report.errors)
    warnings = tuple(d for d in report if d.severity == WARNING)
    return Playable(loaded, Reference(loaded.game), Notation(loaded.game), warnings, machine)


def compiled(game: Game, reference: Reference) -> tuple[Machine | None, str]:
    """The compiled machine of a game; else nothing, and why it cannot be had."""
    try:
        # a platform may lack wasmtime, or have a wheel without the library in it
        from interpreter.compiled.machine import Compiled, NotCompiled
    except (ImportError, OSError, RuntimeError, AttributeError) as problem:
        return None, f"wasmtime cannot be used here ({_first_line(problem)})"
    try:
        return Compiled(game, reference), ""
    except NotCompiled as problem:
        return None, f"the compiled machine does not take {problem}"


def _first_line(problem: Exception) -> str:
    return str(problem).strip().split("\n")[0] or type(problem).__name__
