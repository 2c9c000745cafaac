"""States written as one line of text (``position`` reads it back).

Both sides in their own labels, their own facts with them; then whose turn it is, the
dice, and what differs from a fresh turn.
"""

from __future__ import annotations

from typing import Any

from interpreter.game.clauses import COMPASS_WORDS
from interpreter.game.types import Game, Memory
from interpreter.machine.notation import Notation
from interpreter.machine.table import bits, blank
from interpreter.machine.types import TALLIES, TO_BEGIN, TO_THROW, Decision, State


def text_of(game: Game, state: State) -> str:
    """The position as text."""
    notation = Notation(game)
    sides = [_side_text(game, state, side) for side in (0, 1)]
    return " / ".join(sides) + "".join(f" ; {s}" for s in _segments(game, state, notation))


def _side_text(game: Game, state: State, side: int) -> str:
    board, width, kinds = game.board, game.places, len(game.kinds)
    labels, index = board.labels[side], board.track_index[side]
    order = sorted(range(board.points), key=lambda p: (index[p] if index[p] >= 0 else width, p))
    places = order + [both[side] for both in board.beside.values()]
    items = [game.sides[side]]
    for kind in range(kinds):
        base = (side * kinds + kind) * width
        for place in places:
            count = state.men[base + place]
            if count:
                items.append(
                    ":".join(
                        [*([game.kinds[kind]] if kind else []), labels[place], *([str(count)] if count > 1 else [])]
                    )
                )
    standing = 0
    for mask in state.where[side * kinds : side * kinds + kinds]:
        standing |= mask
    marks = []
    for memory in game.memories:
        value = state.memory[memory.index]
        if memory.kind == "mark":
            held = bits(value & standing)
            if held:
                marks += [memory.name, *(labels[p] for p in held)]
        elif memory.per == "man":
            for place in bits(standing & board.all_points):
                if value[place] != blank(memory):
                    items.append(_fact_text(game, memory, value[place], side, f"({labels[place]})"))
        elif memory.per == "side" and value[side] != blank(memory):
            items.append(_fact_text(game, memory, value[side], side, ""))
    return " ".join(items + marks)


def _fact_text(game: Game, memory: Memory, value: Any, side: int, where: str) -> str:
    name = memory.name + where
    if memory.kind == "flag":
        return name
    if memory.kind == "number":
        return f"{name}={value}"
    if memory.kind == "direction":
        return f"{name}={COMPASS_WORDS[value]}"
    return f"{name}={'+'.join(_place_text(game, p, side) for p in bits(value))}"


def _place_text(game: Game, place: int, side: int) -> str:
    owner = game.board.side_of(place)
    label = game.board.labels[side][place]
    return label if owner is None or owner == side else f"their-{label}"


def _segments(game: Game, state: State, notation: Notation) -> list[str]:
    who, phase = game.sides[state.turn], game.phases[state.phase].name
    found = []
    if state.waits == TO_BEGIN:
        found.append("to begin")
    elif state.waits == TO_THROW:
        found.append(f"{who} to throw")
    else:
        bare = game.throw is not None and not state.thrown and not state.dice and state.active < 0
        found.append(f"{who} {phase}" if bare else who)
        if game.throw is not None and (state.thrown or state.dice):
            found.append(_dice_text(game, state))
        if not bare and (state.phase or state.active >= 0):
            at = f"at {game.board.labels[state.decider][state.active]}" if state.active >= 0 else ""
            found.append(" ".join(([phase] if state.phase else []) + ([at] if at else [])))
    if state.decider != state.turn:
        found.append(f"decides {game.sides[state.decider]}")
    expected = expected_tallies(game, state.thrown, state.dice)
    found += [f"{name} {n}" for name, n, e in zip(TALLIES, state.tallies, expected, strict=True) if n != e]
    if state.last_path >= 0:
        found.append("last " + _last_text(game, notation, state))
    for memory in game.memories:
        value = state.memory[memory.index]
        if not memory.on_men and not memory.per and value != blank(memory):
            found.append(_fact_text(game, memory, value, 0, ""))
    found += _fresh_text(game, state)
    if state.turns:
        found.append(f"turns {state.turns}")
    if state.outcome is not None:
        o = state.outcome
        found.append(
            f"won {o.winner} {o.points} {o.kind}"
            if o.winner
            else f"drawn {o.points} {o.kind}"
            if o.points != 1
            else f"drawn {o.kind}"
        )
    return found


def _last_text(game: Game, notation: Notation, state: State) -> str:
    decision = Decision(state.last_verb, state.last_path)
    text = notation.bare(decision, state.turn)
    die = game.paths[state.last_path].die
    return f"{text}({die})" if die and game.paths[state.last_path].origin >= 0 else text


def _dice_text(game: Game, state: State) -> str:
    thrown = "-".join(map(str, state.thrown or state.dice))
    assert game.throw is not None
    whole = state.thrown in [faces for faces, _ in game.throw.outcomes] and game.throw.left(state.thrown) == state.dice
    plain = not any(c.moment == "thrown" for c in game.then) and not any(c.moment == "thrown" for c in game.ends)
    if whole and plain and not any(state.tallies):
        return f"throw {thrown}"
    return f"throw {thrown} left{''.join(f' {d}' for d in state.dice)}"


def expected_tallies(game: Game, thrown: tuple[int, ...], dice: tuple[int, ...]) -> tuple[int, ...]:
    """Tallies as dice thrown and dice left tell them: what need not be written."""
    if game.throw is None or not thrown or thrown not in [faces for faces, _ in game.throw.outcomes]:
        return (0, 0, 0, 0, 0)
    whole = list(game.throw.left(thrown))
    for die in dice:
        if die not in whole:
            return (0, 0, 0, 0, 0)
        whole.remove(die)
    return (0, len(whole), len(whole), sum(whole), 0)


def _fresh_text(game: Game, state: State) -> list[str]:
    found = []
    for memory in game.memories:
        fresh = state.fresh[memory.index]
        if not fresh:
            continue
        if memory.on_men:
            found.append(f"new {memory.name} " + " ".join(game.board.labels[0][p] for p in bits(fresh)))
        elif memory.per == "side":
            found += [f"new {memory.name} {game.sides[s]}" for s in (0, 1) if fresh >> s & 1]
        else:
            found.append(f"new {memory.name}")
    return found
