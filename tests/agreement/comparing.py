"""Two machines are asked the same questions about the same state; the first answer that differs is the difference.

``RulesBroken`` must be raised by both or by neither; whether both blame the same clause
is only counted (``Clauses``), as what is refused is the meaning and who is blamed is not.
"""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import dataclass, fields
from typing import Any

from interpreter.machine import turns
from interpreter.machine.chance import Chance
from interpreter.machine.reference import Reference
from interpreter.machine.types import TO_DECIDE, TO_THROW, Decision, RulesBroken, State
from interpreter.play import simulate
from interpreter.play.loading import Loaded
from interpreter.play.playable import Playable

Maker = Callable[[Any], Any]
"""Makes the other machine of a game."""

COUNTS = ("path", "result", "decision")


@dataclass(frozen=True)
class Broken:
    """The answer of a machine whose rules lead nowhere."""

    clause: str = ""

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Broken)

    def __hash__(self) -> int:
        return 0


@dataclass(frozen=True)
class Crashed:
    """The answer of a machine that failed: equal to nothing."""

    error: str

    def __eq__(self, other: object) -> bool:
        return False

    def __hash__(self) -> int:
        return 0


@dataclass(frozen=True)
class Difference:
    """A question, the state it was asked in, and the two answers.

    ``play`` is the decision or the throw the question is about, if it is about one.
    """

    question: str
    state: State | None
    expected: Any
    found: Any
    play: Decision | tuple[int, ...] | None = None
    depth: int = 0

    def __str__(self) -> str:
        about = f" {tuple(self.play)}" if self.play is not None else ""
        return f"{self.question}{about}: {told(self.expected, self.found)}"


class Clauses:
    """How often both machines said that rules lead nowhere, and how often they blamed the same clause."""

    def __init__(self) -> None:
        self.both = self.same = 0

    def note(self, expected: object, found: object) -> None:
        if isinstance(expected, Broken) and isinstance(found, Broken):
            self.both += 1
            self.same += expected.clause == found.clause


CLAUSES = Clauses()


def asked(question: Callable[..., Any], *args: Any) -> Any:
    try:
        return question(*args)
    except RulesBroken as broken:
        return Broken(broken.clause)
    except Exception as error:  # whatever goes wrong in a machine is its answer
        return Crashed(f"{type(error).__name__}: {error}")


def exact(answer: Any) -> Any:
    """An answer with all that it holds, also what is no part of a state's identity (history, the ending clause)."""
    if isinstance(answer, State):
        said = answer.outcome.clause if answer.outcome is not None else ""
        return answer, answer.where, answer.history, said
    if isinstance(answer, (tuple, list)) and not isinstance(answer, Decision):
        return [exact(part) for part in answer]
    return tuple(answer) if isinstance(answer, Decision) else answer


def differs(expected: Any, found: Any) -> bool:
    CLAUSES.note(expected, found)
    return bool(exact(expected) != exact(found))


def told(expected: Any, found: Any) -> str:
    """In words, what is unlike in two answers."""
    if isinstance(expected, State) and isinstance(found, State):
        names = [f.name for f in fields(State) if getattr(expected, f.name) != getattr(found, f.name)]
        plain = [n for n in names if n not in ("men", "where", "history")]
        shown = [f"{n} {getattr(expected, n)} but {getattr(found, n)}" for n in plain]
        shown += [f"the {n}" for n in names if n not in plain]
        return "; ".join(shown) or "the ending's clause"
    if reordered(expected, found):
        return f"{_short(expected)} but in the order {_short(found)}"
    return f"{_short(expected)} but {_short(found)}"


def reordered(expected: Any, found: Any) -> bool:
    """Are two answers the same decisions in another order?"""
    if not (isinstance(expected, tuple) and isinstance(found, tuple)) or expected == found:
        return False
    return all(isinstance(d, Decision) for d in expected) and sorted(expected) == sorted(found)


def _short(answer: Any) -> str:
    if isinstance(answer, (tuple, list)):
        answer = [tuple(a) if isinstance(a, Decision) else a for a in answer]
    text = "a state" if isinstance(answer, State) else str(answer)
    return text if len(text) <= 300 else text[:300] + " …"


def compare(reference: Reference, other: Any, state: State, chosen: Decision | None = None) -> Difference | None:
    """Every question that can be asked of one state.

    Args:
        chosen: ask for the state after this decision only, instead of after each.
    """

    def ask(name: str, *args: Any, play: Any = None) -> tuple[Any, Difference | None]:
        expected, found = asked(getattr(reference, name), *args), asked(getattr(other, name), *args)
        unlike = Difference(name, state, expected, found, play) if differs(expected, found) else None
        return expected, unlike

    permitted: Any = ()
    if state.waits == TO_DECIDE and state.outcome is None:
        permitted, unlike = ask("permitted", state)
        if unlike is not None:
            # what is legal can be told by a story, what is permitted only where it shows in it
            _, shown = ask("legal", state)
            return shown or unlike
    legal, unlike = ask("legal", state)
    if unlike is not None:
        return unlike
    for name in ("outcome", "throws"):
        _, unlike = ask(name, state)
        if unlike is not None:
            return _one_throw(reference, other, state) or unlike
    if permitted == () and state.waits == TO_DECIDE and state.outcome is None:
        _, unlike = ask("moved_on", state)
        if unlike is not None:
            return unlike
    decisions = [chosen] if chosen is not None else legal if isinstance(legal, tuple) else []
    for decision in decisions:
        _, unlike = ask("step", state, decision, play=decision)
        if unlike is not None:
            return unlike
    return _one_throw(reference, other, state)


def _one_throw(reference: Reference, other: Any, state: State) -> Difference | None:
    """The first throw after which the states differ."""
    if state.waits != TO_THROW or state.outcome is not None or reference.game.throw is None:
        return None
    for faces, _ in reference.game.throw.outcomes:
        expected, found = asked(reference.with_throw, state, faces), asked(other.with_throw, state, faces)
        if differs(expected, found):
            return Difference("with_throw", state, expected, found, faces)
    return None


def beginnings(reference: Reference, other: Any) -> Difference | None:
    """The states a game can begin with."""
    for name, args in (("initial", ()), ("first_turn", ()), ("begin", (0,)), ("begin", (1,))):
        expected, found = asked(getattr(reference, name), *args), asked(getattr(other, name), *args)
        if differs(expected, found):
            return Difference(name, None, expected, found, args or None)
    return None


def perft(machine: Any, state: State, depth: int, by: str) -> Any:
    if hasattr(machine, "perft"):
        return asked(lambda: list(machine.perft(state, depth, by)))
    return asked(turns.perft, machine, state, depth, by)


def compare_perft(reference: Reference, other: Any, state: State, depth: int, by: str) -> Difference | None:
    """Counts to a depth; where they differ, at the first state at whose next turn they do."""
    expected, found = perft(reference, state, depth, by), perft(other, state, depth, by)
    if not differs(expected, found):
        return None
    if isinstance(expected, list) and depth > 1 and expected[0] == (found or [None])[0]:
        for start, _ in turns.openings(reference, state):
            for after in turns.ends(reference, start, "path"):
                unlike = compare_perft(reference, other, after, depth - 1, by)
                if unlike is not None:
                    return unlike
    return Difference(f"perft by {by}", state, expected, found, None, depth)


def batch(machine: Any, seed: int, first: int, count: int, by: str, max_turns: int) -> Any:
    """The columns of random games as lists, with the choices there were."""

    def columns() -> Any:
        ask = machine.batch if hasattr(machine, "batch") else lambda *args: simulate.batch(machine, *args)
        drawn = ask(seed, first, count, by, max_turns, None)
        named = ("ending", "winner", "points", "turns", "draws", "starter")
        return {n: [int(v) for v in getattr(drawn, n)] for n in named} | {
            "choices": {int(k): int(v) for k, v in sorted(drawn.choices.items()) if v}
        }

    return asked(columns)


def compare_batch(
    reference: Reference, other: Any, seed: int, count: int, by: str, max_turns: int
) -> tuple[Difference, str] | None:
    """Random games of a seed; where they differ, the state of the first game's last turn that is still alike."""
    if not differs(batch(reference, seed, 0, count, by, max_turns), batch(other, seed, 0, count, by, max_turns)):
        return None
    for number in range(count):
        for limit in range(max_turns + 1):
            expected = batch(reference, seed, number, 1, by, limit)
            found = batch(other, seed, number, 1, by, limit)
            if differs(expected, found):
                where = f"game {number} of seed {seed} by {by}, cut off at {limit} turns"
                return Difference(f"batch by {by}", _stood(reference, seed, number, by, limit), expected, found), where
    whole = f"games 0..{count - 1} of seed {seed} by {by}"
    return Difference(f"batch by {by}", None, "alike one by one", "different together"), whole


def _stood(reference: Reference, seed: int, number: int, by: str, limit: int) -> State | None:
    """Where a game stood when the turn began that ends at ``limit``."""
    before = None
    try:
        for state in simulate.random_walk(reference, Chance.of_game(seed, number), by):
            if before is None or state.turns < limit:
                before = state
            if state.outcome is not None or state.turns >= limit:
                break
    except RulesBroken:
        pass
    return before


def walk(
    reference: Reference,
    other: Any,
    state: State,
    chance: random.Random,
    most: int,
    every: int = 3,
    over: Callable[[], bool] = bool,
) -> tuple[int, Difference | None]:
    """A random game in lock-step from a state; every so often all decisions are compared, else the one that is made.

    Args:
        over: asked before each state whether time is up.

    Returns:
        how many states were compared, and the difference that was met.
    """
    for number in range(most):
        if over():
            return number, None
        legal = asked(reference.legal, state)
        chosen = chance.choice(legal) if isinstance(legal, tuple) and legal else None
        unlike = compare(reference, other, state, chosen if number % every else None)
        if unlike is not None:
            return number + 1, unlike
        if chosen is not None:
            after = asked(reference.step, state, chosen)
        elif isinstance(legal, tuple):
            throws = asked(reference.throws, state)
            if not isinstance(throws, tuple) or not throws:
                return number + 1, None
            after = chance.choice(throws)[1]
        else:
            return number + 1, None
        if not isinstance(after, State):
            return number + 1, None
        state = after
    return most, None


def under(playable: Playable, machine: Any) -> Playable:
    """The same game, asked of another machine."""
    return Playable(Loaded(playable.game, playable.loaded.built), machine, playable.notation, playable.warnings)
