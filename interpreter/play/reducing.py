"""A smaller position in which two games still differ: men, facts and dice are left out while the difference stays.

The position must be one that both games can be given as text. A side that has men on
the board keeps one, so that nothing is shown that is no game any more.
"""

from __future__ import annotations

import time
from collections.abc import Iterator
from dataclasses import dataclass, replace

from interpreter.diagnostics import Fault
from interpreter.game.types import Game
from interpreter.machine import position
from interpreter.machine.batch import Stopped
from interpreter.machine.position_text import expected_tallies, text_of
from interpreter.machine.table import bits, blank, blank_slot, where_of
from interpreter.machine.types import TO_DECIDE, RulesBroken, State
from interpreter.play.pairing import Both, Difference, Pair


@dataclass(frozen=True)
class Met:
    """A difference: from which two alike states, after which moves, and the two states it shows in."""

    start: Both
    line: tuple[str, ...]
    difference: Difference
    at: Both


def fresh(state: State) -> State:
    """The state as a position that nobody has played to."""
    return replace(state, history=(), turns=0, last_verb=-1, last_path=-1)


def begun(pair: Pair, state: State) -> Both | None:
    """The two states of one position; None where it cannot be said in both, or they are unlike from the outset."""
    other = pair.across(state)
    if other is None or pair.unlike((state, other)):
        return None
    return state, other


def sayable(pair: Pair, both: Both) -> bool:
    """Does one text read back to both states?"""
    text = text_of(pair.games[0], both[0])
    try:
        found = [position.from_text(machine.reference, text) for machine in pair.machines]
    except (Fault, RulesBroken, Stopped):
        return False
    return found == list(both)


def met(pair: Pair, both: Both, line: tuple[str, ...] = ()) -> Met | None:
    """The first difference along a line of moves from a position."""
    try:
        found = pair.along(both, line)
    except (RulesBroken, Stopped, Fault, AssertionError):
        return None
    return None if found is None else Met(both, found[0], found[1], found[2])


def constructed(pair: Pair, found: Met, until: float) -> Met | None:
    """The smallest position found that shows what a game has shown, with as few moves after it as can be."""
    both, way = found.start, [found.start]
    for move in found.line:
        onward = pair.after(both, move)
        if onward is None:
            return None
        both = onward
        way.append(both)
    for number in range(len(way) - 1, -1, -1):
        start = begun(pair, fresh(way[number][0]))
        again = None if start is None else met(pair, start, found.line[number:])
        if again is not None and sayable(pair, again.start):
            return reduced(pair, again, until)
        if time.monotonic() > until:
            break
    return None


def reduced(pair: Pair, found: Met, until: float) -> Met:
    """Leave out what can be left out, the largest pieces first, until nothing more can go."""
    failed: set[State] = set()
    changed = True
    while changed:
        changed = False
        for candidate in smaller(pair.games[0], found.start[0]):
            if time.monotonic() > until:
                return found
            if candidate in failed or candidate == found.start[0]:
                continue
            start = begun(pair, candidate)
            again = None if start is None else met(pair, start, found.line)
            if again is None or not sayable(pair, again.start):
                failed.add(candidate)
                continue
            found, changed = again, True
            break
    return found


def smaller(game: Game, state: State) -> Iterator[State]:
    """States that hold less than this one: a throw of which nothing is played, counts, facts, phase, then men."""
    points = game.board.points
    if game.throw is not None and state.thrown in [faces for faces, _ in game.throw.outcomes]:
        yield replace(state, dice=game.throw.left(state.thrown), tallies=(0,) * 5)
    expected = expected_tallies(game, state.thrown, state.dice) if state.waits == TO_DECIDE else (0,) * 5
    yield replace(state, tallies=expected)
    blanks = tuple(blank_slot(m, points) for m in game.memories)
    yield replace(state, memory=blanks, fresh=(0,) * len(state.fresh))
    for memory in game.memories:
        at = memory.index
        less = [blanks[at]]
        if memory.kind == "mark":
            less += [state.memory[at] & ~(1 << p) for p in bits(state.memory[at])]
        elif memory.per:
            slots = state.memory[at]
            less += [(*slots[:i], blank(memory), *slots[i + 1 :]) for i, v in enumerate(slots) if v != blank(memory)]
        for value in less:
            facts = (*state.memory[:at], value, *state.memory[at + 1 :])
            yield replace(state, memory=facts, fresh=(*state.fresh[:at], 0, *state.fresh[at + 1 :]))
    if state.phase:
        yield replace(state, phase=0, decider=state.turn, active=-1)
    yield from (fewer for fewer in fewer_men(game, state) if not _gone(game, state, fewer))


def fewer_men(game: Game, state: State) -> Iterator[State]:
    """Fewer men, with their facts: those beside the board, a kind's, halves, then place by place, then man by man."""
    width, board = game.places, game.board
    held = [i for i, count in enumerate(state.men) if count]
    groups = [[i for i in held if i % width >= board.points]]
    groups += [[i for i in held if i // width == kind] for kind in range(len(state.men) // width)]
    size = len(held) // 2
    while size >= 1:
        groups += [held[i : i + size] for i in range(0, len(held), size)]
        size //= 2
    for group in groups:
        if group:
            yield _without(game, state, dict.fromkeys(group, 0))
    for i in held:
        if state.men[i] > 1:
            yield _without(game, state, {i: 1})
            yield _without(game, state, {i: state.men[i] - 1})


def _gone(game: Game, state: State, fewer: State) -> bool:
    """Has a side lost its last man on the board?"""
    kinds, on_board = len(game.kinds), game.board.all_points

    def stands(one: State, side: int) -> bool:
        return any(mask & on_board for mask in one.where[side * kinds : (side + 1) * kinds])

    return any(stands(state, side) and not stands(fewer, side) for side in (0, 1))


def _without(game: Game, state: State, left: dict[int, int]) -> State:
    """The state with so many men left at these counts, and the facts of those who stand there still."""
    men = bytearray(state.men)
    for i, count in left.items():
        men[i] = count
    where = where_of(game, men)
    standing = 0
    for mask in where:
        standing |= mask
    memory, new = list(state.memory), list(state.fresh)
    for m in game.memories:
        if m.on_men:
            new[m.index] &= standing
            slots = memory[m.index]
            memory[m.index] = (
                slots & standing
                if m.kind == "mark"
                else tuple(v if standing >> p & 1 else blank(m) for p, v in enumerate(slots))
            )
    active = state.active if state.active < 0 or standing >> state.active & 1 else -1
    return replace(state, men=bytes(men), where=where, memory=tuple(memory), fresh=tuple(new), active=active)


__all__ = ["Met", "begun", "constructed", "fewer_men", "fresh", "met", "reduced", "sayable", "smaller"]
