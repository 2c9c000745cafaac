"""Positions made up at random: any that a text could say, not only those that play leads to."""

from __future__ import annotations

import random
from typing import Any

from interpreter.diagnostics import Fault
from interpreter.game.types import Game, Memory
from interpreter.game.walk import every_expression, nodes
from interpreter.machine import position
from interpreter.machine.position_text import expected_tallies, text_of
from interpreter.machine.reference import Reference
from interpreter.machine.table import bits, blank, blank_slot, where_of
from interpreter.machine.types import TALLIES, TO_DECIDE, TO_THROW, RulesBroken, State

NO_TALLIES = (0,) * len(TALLIES)


def sayable(machine: Reference, state: State) -> bool:
    """Does the text of a state read back as that state (its history apart)?"""
    try:
        return position.from_text(machine, text_of(machine.game, state)) == state
    except (Fault, RulesBroken):
        return False


def constructed(game: Game, chance: random.Random) -> State:
    """A position made up at random: men, whose turn, phase, dice, active man, facts, tallies."""
    men = _men(game, chance)
    where = where_of(game, men)
    standing = [p for p in range(game.board.points) if any(mask >> p & 1 for mask in where)]
    turn, phase = chance.randrange(2), 0
    if len(game.phases) > 1 and chance.random() < 0.4:
        phase = chance.randrange(len(game.phases))
    decider = turn ^ int(game.phases[phase].by_foe)
    waits, thrown, dice = _dice(game, chance)
    active = chance.choice(standing) if phase and standing and chance.random() < 0.6 else -1
    if waits == TO_THROW:
        phase, decider, active = 0, turn, -1
    memory = tuple(_fact(game, m, chance, standing) for m in game.memories)
    last = _last(game, chance, turn) if game.reads_last and chance.random() < 0.3 else (-1, -1)
    return State(
        men,
        turn,
        decider,
        phase,
        waits,
        thrown,
        dice,
        active,
        memory,
        tuple(_fresh(game, m, memory[m.index], chance) for m in game.memories),
        _tallies(game, chance, thrown, dice) if waits == TO_DECIDE else NO_TALLIES,
        *last,
        chance.choice([0, 1, 2, 3, 7, *_numbers(game)]),
        None,
        where,
    )


def _men(game: Game, chance: random.Random) -> bytes:
    """Men of both sides, as many as in the set-up where there is room beside the board, else at most as many."""
    board, width, kinds = game.board, game.places, len(game.kinds)
    men = bytearray(len(game.setup))
    pool = _pool(game, chance)
    changes = any(effect.op == "make" for then in game.then for effect in then.do)
    room: dict[int, int] = {}
    holds: dict[int, int] = {}
    on_board = chance.choice([0.3, 0.7, 1.0])
    for side in chance.sample((0, 1), 2):
        beside = [both[side] for both in board.beside.values()]
        for kind in range(kinds):
            base = (side * kinds + kind) * width
            for _ in range(sum(game.setup[base : base + width])):
                mine = chance.randrange(kinds) if changes and chance.random() < 0.3 else kind
                place = chance.choice(pool) if chance.random() < on_board else -1
                if place >= 0 and (holds.get(place, side) != side or (room.get(place) and not board.many)):
                    place = -1
                if place < 0 and beside:
                    place = chance.choice(beside)
                if place < 0:
                    continue
                holds[place], room[place] = side, room.get(place, 0) + 1
                men[(side * kinds + mine) * width + place] += 1
    return bytes(men)


def _pool(game: Game, chance: random.Random) -> list[int]:
    """The points men are put on: all, or a few that lie together, where sides meet."""
    board = game.board
    points = list(range(board.points))
    if chance.random() < 0.5:
        return points
    wanted = chance.randint(min(4, len(points)), min(30, len(points)))
    if not any(board.neighbours):
        return chance.sample(points, wanted)
    together, waiting = set[int](), [chance.choice(points)]
    while waiting and len(together) < wanted:
        here = waiting.pop(chance.randrange(len(waiting)))
        if here not in together:
            together.add(here)
            waiting += bits(board.neighbours[here] & board.all_points)
    return sorted(together)


def _dice(game: Game, chance: random.Random) -> tuple[int, tuple[int, ...], tuple[int, ...]]:
    """What is waited for, the throw, the dice left."""
    if game.throw is None:
        return TO_DECIDE, (), ()
    if chance.random() < 0.15:
        return TO_THROW, (), ()
    if any(then.moment == "turn-start" for then in game.then) and chance.random() < 0.15:
        return TO_DECIDE, (), ()
    thrown, _ = chance.choice(game.throw.outcomes)
    whole = game.throw.left(thrown)
    if any(effect.op in ("set-dice", "add-die") for then in game.then for effect in then.do) and chance.random() < 0.3:
        whole = tuple(chance.randint(1, game.throw.faces) for _ in range(chance.randint(1, 4)))
    left = chance.sample(whole, chance.choice([len(whole), len(whole), chance.randint(0, len(whole))]))
    return TO_DECIDE, thrown, tuple(sorted(left, reverse=True))


def _tallies(game: Game, chance: random.Random, thrown: tuple[int, ...], dice: tuple[int, ...]) -> tuple[int, ...]:
    expected = expected_tallies(game, thrown, dice)
    if chance.random() < 0.6:
        return expected
    return tuple(chance.choice([n, n, 1, 2, 3]) for n in expected)


def _numbers(game: Game) -> list[int]:
    """Numbers written in the rules, and the one before each: where counts make a difference."""
    written = {node.data[0] for e in every_expression(game) for node in nodes(e) if node.op == "int"}
    return sorted({n for w in written for n in (w - 1, w) if 0 <= n < 1000})


def _value(game: Game, memory: Memory, chance: random.Random) -> Any:
    board = game.board
    if chance.random() < 0.4:
        return blank(memory)
    if memory.kind == "flag":
        return True
    if memory.kind == "number":
        near = [n for n in _numbers(game) if memory.low <= n <= memory.high]
        return chance.choice([memory.low, memory.high, chance.randint(memory.low, memory.high), *near])
    if memory.kind == "direction":
        return chance.randrange(8)
    if memory.kind == "place":
        return 1 << chance.randrange(game.places if chance.random() < 0.1 else board.points)
    return sum(1 << p for p in range(board.points) if chance.random() < 0.2)


def _fact(game: Game, memory: Memory, chance: random.Random, standing: list[int]) -> Any:
    points = game.board.points
    if chance.random() < 0.3:
        return blank_slot(memory, points)
    if memory.kind == "mark":
        return sum(1 << p for p in standing if chance.random() < 0.3)
    if memory.per == "man":
        return tuple(_value(game, memory, chance) if p in standing else blank(memory) for p in range(points))
    if memory.per == "side":
        return tuple(_value(game, memory, chance) for _ in (0, 1))
    return _value(game, memory, chance)


def _fresh(game: Game, memory: Memory, value: Any, chance: random.Random) -> int:
    """Of a fact that lasts a reply, the parts that count as written in this turn."""
    if memory.lasts != "reply" or chance.random() < 0.5:
        return 0
    if memory.kind == "mark":
        held: int = value
    elif memory.per:
        held = sum(1 << i for i, v in enumerate(value) if v != blank(memory))
    else:
        held = int(value != blank(memory))
    return sum(1 << i for i in bits(held) if chance.random() < 0.7)


def _last(game: Game, chance: random.Random, turn: int) -> tuple[int, int]:
    """A decision with a path that this side could once have made."""
    may = chance.choice(game.may)
    paths = [p for p in may.paths[turn] if p]
    return (may.verb, chance.choice(paths)) if paths else (-1, -1)
