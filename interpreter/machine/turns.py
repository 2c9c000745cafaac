"""Whole turns and their counts, over any machine.

A turn runs until somebody else's turn begins or the game ends; where dice are thrown
anew within it, every throw is followed. A turn that can play nothing is one turn.
Counts are those of ``perft``: by decision, by path (turns as sequences) or by result
(distinct states after a turn: men, kinds, facts and outcome; merged per parent and
throw).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from typing import Any, Protocol

from interpreter.game.types import Game
from interpreter.machine.batch import Limits
from interpreter.machine.searching import Search
from interpreter.machine.types import TO_DECIDE, TO_THROW, Decision, RulesBroken, State

MOST_DECISIONS = 1_000
"""A turn longer than this is taken for one that never ends."""
MOST_THROWS = 64
MOST_NODES = 100_000
"""Whole turns are listed or counted up to so many states within one turn."""


class Steps(Protocol):
    """The part of a machine that turns are made of."""

    game: Game

    def legal(self, state: State) -> tuple[Decision, ...]: ...
    def step(self, state: State, decision: Decision) -> State: ...
    def throws(self, state: State) -> tuple[tuple[int, State], ...]: ...


Walk = tuple[tuple[Decision, ...], tuple[tuple[int, tuple[int, ...]], ...], State]
"""Decisions, throws within the turn (decisions before, faces), state after."""


def thrown(machine: Steps, state: State) -> list[tuple[tuple[int, ...], State]]:
    """The throws of a chance node by their faces, each with the state after it; at a stuck thrower, what follows."""
    after = [state for _, state in machine.throws(state)]
    if state.waits == TO_THROW and machine.game.throw is not None:
        return [(faces, s) for (faces, _), s in zip(machine.game.throw.outcomes, after, strict=True)]
    return [(s.thrown, s) for s in after]


def result_key(state: State) -> tuple[Any, ...]:
    """What makes two ends of a turn the same result."""
    return state.men, state.memory, state.outcome


def walks(machine: Steps, state: State, merged: bool = False, search: Search | None = None) -> Iterator[Walk]:
    """The whole turns from a state where somebody decides, in the order of their decisions.

    With ``merged`` a state that two orders of the same decisions reach is followed
    only once, and of turns with one result (under the same throws) only the first is given.
    """
    if state.outcome is not None or state.waits != TO_DECIDE:
        return
    seen: set[tuple[Any, ...]] = set()
    results: set[tuple[Any, ...]] = set()
    stack: list[Walk] = [((), (), state)]
    nodes = 0
    while stack:
        decisions, throws, here = stack.pop()
        nodes += 1
        if search is not None:
            search.look()
        if nodes > MOST_NODES:
            raise RulesBroken(f"a turn that can go on in more than {MOST_NODES} ways")
        if len(decisions) > MOST_DECISIONS:
            raise RulesBroken(f"a turn of more than {MOST_DECISIONS} decisions")
        if here.outcome is not None or here.turns != state.turns:
            if merged:
                key = (*result_key(here), tuple(faces for _, faces in throws))
                if key in results:
                    continue
                results.add(key)
            yield decisions, throws, here
            continue
        if merged:
            passed = (here, tuple(faces for _, faces in throws))
            if passed in seen:
                continue
            seen.add(passed)
        if here.waits != TO_DECIDE:
            stack.extend(
                (decisions, (*throws, (len(decisions), faces)), after)
                for faces, after in reversed(thrown(machine, here))
            )
            continue
        legal = machine.legal(here)
        if not legal:
            stack.extend((decisions, throws, after) for _, after in machine.throws(here))
        stack.extend(((*decisions, d), throws, machine.step(here, d)) for d in reversed(legal))


def ends(machine: Steps, state: State, by: str, search: Search | None = None) -> Counter[State]:
    """The states after whole turns from here, with how many turns lead to each.

    By result, states that are one result count once.
    """
    if by == "result":
        return Counter(after for _, _, after in walks(machine, state, merged=True, search=search))
    found: Counter[State] = Counter()
    known: dict[State, Counter[State]] = {}

    def count(here: State, depth: int = 0) -> Counter[State]:
        if depth > MOST_DECISIONS // 2:
            raise RulesBroken(f"a turn of more than {MOST_DECISIONS // 2} decisions")
        if here.outcome is not None or here.turns != state.turns:
            return Counter({here: 1})
        if here not in known:
            if search is not None:
                search.look()
            if len(known) > MOST_NODES:
                raise RulesBroken(f"a turn that can go on in more than {MOST_NODES} ways")
            total: Counter[State] = Counter()
            if here.waits != TO_DECIDE:
                following = [after for _, after in machine.throws(here)]
            else:
                following = [machine.step(here, d) for d in machine.legal(here)] or [a for _, a in machine.throws(here)]
            for after in following:
                total.update(count(after, depth + 1))
            known[here] = total
        return known[here]

    found.update(count(state))
    return found


def openings(machine: Steps, state: State, depth: int = 0) -> Iterator[tuple[State, bool]]:
    """Where somebody decides once the throws that are due are made; True where the throw itself ended the turn.

    The starting throw and throws that are thrown again are followed, every throw apart.
    """
    if state.waits == TO_DECIDE:
        yield state, False
        return
    if depth > MOST_THROWS:
        raise RulesBroken(f"more than {MOST_THROWS} throws one after the other")
    for _, after in thrown(machine, state):
        if after.outcome is not None or (after.turns != state.turns and state.waits == TO_THROW):
            yield after, True
        else:
            yield from openings(machine, after, depth + 1)


def counts(machine: Steps, state: State, depth: int, by: str = "path", limits: Limits | None = None) -> Iterator[int]:
    """How many turns (or decisions) of 1..depth there are from a state, each count as soon as it is known.

    Args:
        by: path, result or decision.
        limits: for the whole run in seconds, for each turn in states searched; none: no limit of time.

    Raises:
        Stopped: at a limit.

    Returns:
        one count for each depth. Where dice are to be thrown, the sum over the
        distinct throws, unweighted. A turn that can play nothing counts as one, so
        does one that its throw has ended.
    """
    run = Search(limits or Limits())
    now = _Many(machine.game, [(state, 1)])
    for _ in range(depth):
        following = _Many(machine.game, ())
        for here, times in now:
            for start, over in openings(machine, here) if here.outcome is None else ():
                run.check_time()
                if over:
                    following.add(start, times)
                    continue
                run.nodes = 0
                found = _decided(machine, start) if by == "decision" else ends(machine, start, by, run)
                for after, n in found.items():
                    following.add(after, times * n)
        yield following.total
        now = following


def perft(machine: Steps, state: State, depth: int, by: str = "path") -> list[int]:
    """The counts of 1..depth, all at once."""
    return list(counts(machine, state, depth, by))


def _decided(machine: Steps, state: State) -> Counter[State]:
    """The states after one decision; after being moved on, for one who can do nothing."""
    after = [machine.step(state, d) for d in machine.legal(state)] or [a for _, a in machine.throws(state)]
    return Counter(after)


class _Many:
    """States with how often each was reached.

    Where rules ask for repeats, the same position with another history is another state.
    """

    def __init__(self, game: Game, first: Iterable[tuple[State, int]]) -> None:
        self.by_history = game.reads_repeats
        self.found: dict[Any, tuple[State, int]] = {}
        self.total = 0
        for state, times in first:
            self.add(state, times)

    def add(self, state: State, times: int) -> None:
        key = (state, state.history) if self.by_history else state
        self.found[key] = (state, times + self.found.get(key, (state, 0))[1])
        self.total += times

    def __iter__(self) -> Iterator[tuple[State, int]]:
        return iter(self.found.values())
