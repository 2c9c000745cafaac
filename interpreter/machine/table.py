"""A position laid out on the table: the one mutable thing, made from a state and frozen into one.

It is also what terms are read from: ``side`` is the reader, ``path`` and ``verb`` the
decision they speak of, ``it`` the place that ``where`` is asking about.

Facts are kept one value each, by the memory's number:

    shared      the value                    (flag: bool, number: int, direction: -1 or 0..7,
    per side    (value, value)                place and places: a bit set)
    per man     one value for each point
    mark        a bit set of points
"""

from __future__ import annotations

from typing import Any

from interpreter.game.types import Game, Memory
from interpreter.machine.types import Outcome, RulesBroken, State


def blank(memory: Memory) -> Any:
    """The value a fact begins with and ``forget`` returns to (for one side or one man)."""
    return {"flag": False, "number": memory.low, "direction": -1, "place": 0, "places": 0, "mark": 0}[memory.kind]


def blank_slot(memory: Memory, points: int) -> Any:
    if memory.kind != "mark" and memory.per == "man":
        return (blank(memory),) * points
    if memory.per == "side":
        return (blank(memory),) * 2
    return blank(memory)


def where_of(game: Game, men: bytes | bytearray) -> tuple[int, ...]:
    """The bit sets that go with counts of men."""
    width = game.places
    return tuple(sum(1 << p for p in range(width) if men[k * width + p]) for k in range(2 * len(game.kinds)))


class Table:
    """See the module. Fields are those of ``State``, with ``men`` and ``where`` open to change.

    ``followed``: where somebody wants to know, the ids of the clauses whose effects were done.
    """

    __slots__ = (
        "active",
        "control",
        "decider",
        "dice",
        "ended",
        "followed",
        "fresh",
        "game",
        "goes_on",
        "hands_dice",
        "history",
        "it",
        "last_path",
        "last_verb",
        "memory",
        "men",
        "outcome",
        "path",
        "phase",
        "side",
        "tallies",
        "thrown",
        "turn",
        "turns",
        "verb",
        "waits",
        "where",
    )

    def __init__(self, game: Game, state: State, followed: list[str] | None = None) -> None:
        self.game = game
        self.followed = followed
        self.men = bytearray(state.men)
        self.where = list(state.where)
        self.turn = state.turn
        self.decider = self.side = state.decider
        self.phase = state.phase
        self.waits = state.waits
        self.thrown = state.thrown
        self.dice = state.dice
        self.active = state.active
        self.memory = state.memory
        self.fresh = state.fresh
        self.tallies = state.tallies
        self.last_verb = state.last_verb
        self.last_path = state.last_path
        self.turns = state.turns
        self.outcome: Outcome | None = state.outcome
        self.history = state.history
        self.verb = -1
        self.path = 0
        self.it = 0
        self.goes_on = False
        self.hands_dice = False
        self.ended = False
        self.control: tuple[Any, ...] | None = None

    def freeze(self) -> State:
        return State(
            bytes(self.men),
            self.turn,
            self.decider,
            self.phase,
            self.waits,
            self.thrown,
            self.dice,
            self.active,
            self.memory,
            self.fresh,
            self.tallies,
            self.last_verb,
            self.last_path,
            self.turns,
            self.outcome,
            tuple(self.where),
            self.history,
        )

    # ---- men ---------------------------------------------------------------------------

    def move(self, kind: int, origin: int, to: int, clause: str = "") -> None:
        """One man of ``kind`` (side * kinds + kind) goes from place to place; his facts go with him."""
        base = kind * len(self.game.board.names)
        men, where = self.men, self.where
        if not men[base + origin]:
            raise RulesBroken(f"no such man on {self.game.board.names[origin]}", clause)
        if men[base + to] == 255:
            raise RulesBroken(f"more than 255 men on {self.game.board.names[to]}", clause)
        men[base + origin] -= 1
        men[base + to] += 1
        if not men[base + origin]:
            where[kind] &= ~(1 << origin)
        where[kind] |= 1 << to
        if self.game.memories and not self.game.board.many:
            self._carry(origin, to)

    def _carry(self, origin: int, to: int) -> None:
        """Facts of a man travel with him and end when he leaves the board."""
        points = self.game.board.points
        if origin >= points:
            return
        left_behind = any(mask >> origin & 1 for mask in self.where)
        for memory in self.game.memories:
            if not memory.on_men or left_behind:
                continue
            value = self.memory[memory.index]
            bit = self.fresh[memory.index] >> origin & 1
            if memory.kind == "mark":
                had = value >> origin & 1
                if not had and not (to < points and value >> to & 1):
                    continue
                value &= ~(1 << origin)
                if to < points:
                    value = value & ~(1 << to) | had << to
            else:
                slots = list(value)
                carried, slots[origin] = slots[origin], blank(memory)
                if to < points:
                    slots[to] = carried
                value = tuple(slots)
            self.put(memory.index, value)
            if memory.lasts == "reply":
                fresh = self.fresh[memory.index] & ~(1 << origin)
                if to < points:
                    fresh = fresh & ~(1 << to) | bit << to
                self._put_fresh(memory.index, fresh)

    def make(self, old: int, new: int, place: int) -> None:
        """One man on ``place`` becomes another kind; his facts stay."""
        places = len(self.game.board.names)
        self.men[old * places + place] -= 1
        self.men[new * places + place] += 1
        if not self.men[old * places + place]:
            self.where[old] &= ~(1 << place)
        self.where[new] |= 1 << place

    # ---- facts --------------------------------------------------------------------------

    def put(self, index: int, value: Any) -> None:
        memory = list(self.memory)
        memory[index] = value
        self.memory = tuple(memory)

    def _put_fresh(self, index: int, value: int) -> None:
        fresh = list(self.fresh)
        fresh[index] = value
        self.fresh = tuple(fresh)

    def remember(self, memory: Memory, value: Any, side: int, places: int | None) -> None:
        """Write a fact: for a side, for the men on ``places``, or for the game. Numbers saturate."""
        if memory.kind == "number":
            value = min(max(value, memory.low), memory.high)
        old = self.memory[memory.index]
        if memory.on_men:
            assert places is not None
            places &= self._standing()
            slots = list(old)
            for place in bits(places):
                slots[place] = value
            self.put(memory.index, tuple(slots))
            self._written(memory, places)
        elif memory.per == "side":
            self.put(memory.index, (value, old[1]) if side == 0 else (old[0], value))
            self._written(memory, 1 << side)
        else:
            self.put(memory.index, value)
            self._written(memory, 1)

    def _written(self, memory: Memory, parts: int) -> None:
        if memory.lasts == "reply":
            self._put_fresh(memory.index, self.fresh[memory.index] | parts)

    def forget(self, memory: Memory, side: int, places: int | None) -> None:
        """Return a fact to its beginning: the side's, that of the men on ``places``, or of all men."""
        if memory.kind == "mark":
            keep = 0 if places is None else ~places
            self.put(memory.index, self.memory[memory.index] & keep)
            parts = -1 if places is None else places
        elif memory.per == "man":
            every = places is None
            self.put(
                memory.index,
                tuple(
                    blank(memory) if every or (places or 0) >> p & 1 else v
                    for p, v in enumerate(self.memory[memory.index])
                ),
            )
            parts = -1 if places is None else places
        elif memory.per == "side":
            old = self.memory[memory.index]
            self.put(memory.index, (blank(memory), old[1]) if side == 0 else (old[0], blank(memory)))
            parts = 1 << side
        else:
            self.put(memory.index, blank(memory))
            parts = 1
        if memory.lasts == "reply":
            self._put_fresh(memory.index, self.fresh[memory.index] & ~parts)

    def _standing(self) -> int:
        """Points where anybody stands."""
        held = 0
        for mask in self.where:
            held |= mask
        return held & self.game.board.all_points

    def mark(self, memory: Memory, places: int, on: bool) -> None:
        """Men on these points bear the mark, or no longer do. Points without men are left alone."""
        if not on:
            self.forget(memory, 0, places)
            return
        places &= self._standing()
        self.put(memory.index, self.memory[memory.index] | places)
        self._written(memory, places)

    def expire(self) -> None:
        """The turn is over: facts of the turn end; those of a reply end unless written in this turn."""
        for memory in self.game.memories:
            if memory.lasts == "turn":
                self.put(memory.index, blank_slot(memory, self.game.board.points))
            elif memory.lasts == "reply":
                fresh, value = self.fresh[memory.index], self.memory[memory.index]
                if memory.kind == "mark":
                    value &= fresh
                elif memory.per in ("man", "side"):
                    value = tuple(v if fresh >> i & 1 else blank(memory) for i, v in enumerate(value))
                elif not fresh:
                    value = blank(memory)
                self.put(memory.index, value)
                self._put_fresh(memory.index, 0)

    def position_key(self) -> tuple[Any, ...]:
        """What ``repeats`` compares: men, the side whose turn it is, facts not apart, once memory has expired."""
        memory = self.memory
        if any(m.lasts != "game" for m in self.game.memories):
            saved = self.memory, self.fresh
            self.expire()
            memory = self.memory
            self.memory, self.fresh = saved
        return (
            bytes(self.men),
            self.turn,
            tuple(value for value, m in zip(memory, self.game.memories, strict=True) if not m.apart),
        )


def bits(mask: int) -> list[int]:
    """The places in a bit set, in order."""
    found = []
    while mask:
        low = mask & -mask
        found.append(low.bit_length() - 1)
        mask ^= low
    return found
