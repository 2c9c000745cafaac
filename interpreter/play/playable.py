"""What ``load`` returns: a ruleset that can be asked anything the command can ask."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path

from interpreter.diagnostics import Diagnostic, Fault, Report, fault
from interpreter.game.types import Game
from interpreter.game.walk import every_expression, ops
from interpreter.machine import position, turns
from interpreter.machine.notation import Notation
from interpreter.machine.reference import Reference
from interpreter.machine.types import TO_DECIDE, Decision, Outcome, State, Turn
from interpreter.play import explain, simulate
from interpreter.play.explain import Refusal
from interpreter.play.loading import Loaded, load_game
from interpreter.play.simulate import Playouts
from interpreter.ruleset.library import Library

MACHINES = ("compiled", "reference")
COUNTS = ("path", "result")
BY = ("path", "result", "decision")


@dataclass(frozen=True, repr=False)
class Playable:
    """A game, its machine and its notation. Made by ``load``; asks nothing of the outside world."""

    loaded: Loaded
    machine: Reference
    notation: Notation
    warnings: tuple[Diagnostic, ...] = ()

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

    def with_scores(self, scores: tuple[int, int]) -> Playable:
        """The same game at this score of a match; clauses read it as a constant."""
        if scores == self.game.scores or not any("score" in ops(e) for e in every_expression(self.game)):
            return self
        loaded = replace(self.loaded, game=replace(self.game, scores=scores))
        return replace(self, loaded=loaded, machine=Reference(loaded.game), notation=Notation(loaded.game))

    def initial(self) -> State:
        """The set-up, before anybody has begun: a chance node where the start or the first throw is chance."""
        return self.machine.initial()

    def first_turn(self) -> State:
        """Where counting starts: the set-up, the first of the sides to make an ordinary throw."""
        return self.machine.first_turn()

    def parse(self, text: str) -> State:
        """The state a position text says. Raises Fault (N701 to N707)."""
        return position.from_text(self.machine, text)

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

    def turns(self, state: State, count: str = "path") -> list[Turn]:
        """The whole turns from a state; by ``result`` one for each distinct result (the first in order).

        Empty at a chance node; one turn ``-`` for a thrower who is stuck.
        """
        if count not in COUNTS:
            raise ValueError(f"count is one of {', '.join(COUNTS)}")
        return [
            Turn(self.notation.turn_text(self.machine, state, walk), walk[0], walk[2], walk[1])
            for walk in turns.walks(self.machine, state, merged=count == "result")
        ]

    def perft(self, depth: int, by: str = "path", state: State | None = None) -> list[int]:
        """How many turns (or decisions) of 1..depth: one count for each depth (see ``turns.perft``)."""
        if by not in BY:
            raise ValueError(f"by is one of {', '.join(BY)}")
        return turns.perft(self.machine, self.first_turn() if state is None else state, depth, by)

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
        return explain.why_not(self.machine, self.notation, state, text)

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
        machine: ``reference`` or ``compiled``; until the compiled machine exists both are the reference.

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
    made = Reference(loaded.game)
    warnings = tuple(d for d in report if d.severity == "warning")
    return Playable(loaded, made, Notation(loaded.game), warnings)
