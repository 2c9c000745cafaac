"""Two games in lock-step: the same moves in both, and the first thing in which they differ.

Moves are matched by their text, places by what the sides call them, men by their kind,
so that paths, verbs and facts may be numbered otherwise in each. Two states are alike
where the men stand alike, the same side is to decide or to throw, the same dice are
left, and the game has ended for the same side with the same points (or for neither).
What only one of the games remembers is not compared: it shows in what may be done.

One room: how the one game is read as the other, and every question that is asked of both.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any

from interpreter.game.types import Game, Memory
from interpreter.machine.notation import Notation
from interpreter.machine.table import blank_slot
from interpreter.machine.turns import thrown
from interpreter.machine.types import TO_DECIDE, Decision, Machine, State

Both = tuple[State, State]
"""A state of the one game and the state of the other that the same moves lead to."""

LEGAL, THROWS, START = "legal", "throws", "start"
"""What may differ: the legal moves, the throws there are, the set-up; else a part of the state (``unlike``)."""


@dataclass(frozen=True)
class Difference:
    """What is not the same in two alike states.

    ``what``: ``legal``, ``throws`` or ``start``, or the part of the states after ``move`` that is
    unlike (``men``, ``turn``, ``dice``, ``outcome``). ``only``: the moves or throws that
    the first, the second game alone has.
    """

    what: str
    move: str = ""
    only: tuple[tuple[str, ...], tuple[str, ...]] = ((), ())


class Pair:
    """Two games with a machine for each; ``apart`` says, in words, why they cannot be played in lock-step."""

    def __init__(self, machines: tuple[Machine, Machine], notations: tuple[Notation, Notation]) -> None:
        self.machines, self.notations = machines, notations
        self.games: tuple[Game, Game] = (machines[0].game, machines[1].game)
        self.apart = tuple(_apart(*self.games))
        self._keys: tuple[dict[Any, str], dict[Any, str]] = ({}, {})
        if self.apart:
            return
        a, b = self.games
        self._places = _places(a, b)
        self._counts = _counts(a, b, self._places)
        self._same_men = self._counts == list(range(len(a.setup))) and len(a.setup) == len(b.setup)
        self._same_moves = (
            (a.verbs, a.signs, a.paths, a.board.labels, notations[0].spelled)
            == (b.verbs, b.signs, b.paths, b.board.labels, notations[1].spelled)
        )  # fmt: skip
        self._facts = _facts(a, b)
        self._phases = [[p.name for p in b.phases].index(p.name) if p in b.phases else -1 for p in a.phases]

    # ---- states ---------------------------------------------------------------------------------

    def start(self) -> Both:
        """The set-ups, the first side to play."""
        return self.machines[0].first_turn(), self.machines[1].first_turn()

    def begun_by(self, side: int) -> Both:
        """The set-ups with this side to begin."""
        return self.machines[0].begin(side), self.machines[1].begin(side)

    def unlike(self, both: Both) -> str:
        """The part in which two states differ to see; empty where they are alike."""
        a, b = both
        if a.outcome is not None or b.outcome is not None:
            ends = [None if s.outcome is None else (s.outcome.winner, s.outcome.points) for s in both]
            if ends[0] != ends[1]:
                return "outcome"
        if a.men != b.men if self._same_men else not self._men_alike(a, b):
            return "men"
        if a.outcome is None and (a.turn, a.decider, a.waits) != (b.turn, b.decider, b.waits):
            return "turn"
        return "dice" if a.outcome is None and sorted(a.dice) != sorted(b.dice) else ""

    def _men_alike(self, a: State, b: State) -> bool:
        return self._carried(a.men) == b.men

    def _carried(self, men: bytes) -> bytes | None:
        """The men of the first game as the second counts them; None where one of them has no place there."""
        found = bytearray(len(self.games[1].setup))
        for at, count in enumerate(men):
            if count:
                to = self._counts[at]
                if to < 0:
                    return None
                found[to] = count
        return bytes(found)

    def across(self, state: State) -> State | None:
        """The second game's state that is written as this one is; None where there is none.

        Facts that only one of them knows are blank; the turn's last decision is not carried over.
        """
        a, b = self.games
        men = self._carried(state.men)
        phase = self._phases[state.phase]
        if men is None or phase < 0 or state.last_path >= 0 or state.outcome is not None:
            return None
        if state.active >= 0 and self._places[state.active] < 0:
            return None
        memory = [blank_slot(m, b.board.points) for m in b.memories]
        fresh = [0] * len(b.memories)
        for fact, to in zip(a.memories, self._facts, strict=True):
            value = state.memory[fact.index]
            if value == blank_slot(fact, a.board.points) and not state.fresh[fact.index]:
                continue
            if to is None:
                return None
            memory[to.index], fresh[to.index] = value, state.fresh[fact.index]
        width, kinds = b.places, 2 * len(b.kinds)
        where = tuple(sum(1 << p for p in range(width) if men[k * width + p]) for k in range(kinds))
        active = state.active if state.active < 0 else self._places[state.active]
        return replace(
            state,
            men=men,
            where=where,
            phase=phase,
            active=active,
            memory=tuple(memory),
            fresh=tuple(fresh),
            history=(),
        )

    def key(self, both: Both) -> tuple[Any, ...]:
        """What makes two pairs of states the same for what may follow (how many turns were begun apart)."""
        a = both[0]
        repeats = tuple(tuple(sorted(map(hash, s.history))) for s in both if s.history)
        return (
            a.men, a.turn, a.decider, a.waits, a.thrown, a.dice, a.tallies, repeats,
            *((s.phase, s.active, s.memory, s.fresh, s.last_verb, s.last_path) for s in both),
        )  # fmt: skip

    # ---- moves ----------------------------------------------------------------------------------

    def moves(self, which: int, state: State) -> dict[str, Decision]:
        """The legal decisions of one game by a text that means the same in both: the die is always in it."""
        known, notation, paths = self._keys[which], self.notations[which], self.games[which].paths
        found: dict[str, Decision] = {}
        for decision in self.machines[which].legal(state):
            spelled = known.get((decision, state.decider))
            if spelled is None:
                die = paths[decision.path].die
                spelled = notation.bare(decision, state.decider) + (f"({die})" if die else "")
                known[decision, state.decider] = spelled
            found[spelled if spelled not in found else f"{spelled} {len(found)}"] = decision
        return found

    def text(self, both: Both, decision: Decision) -> str:
        """A decision of the first game as it is written there."""
        state = both[0]
        return self.notations[0].text(decision, state.decider, self.machines[0].legal(state))

    def counterpart(self, both: Both, decision: Decision) -> tuple[bool, Decision | None]:
        """Are the legal decisions of two alike states the same; and the second game's decision that means this one."""
        a, b = both
        if self._same_moves:
            mine, theirs = self.machines[0].legal(a), self.machines[1].legal(b)
            return mine == theirs, decision if decision in theirs else None
        here, there = self.moves(0, a), self.moves(1, b)
        word = next(word for word, found in here.items() if found == decision)
        return here.keys() == there.keys(), there.get(word)

    def following(self, both: Both) -> tuple[Difference | None, list[tuple[str, Both]]]:
        """What differs in two alike states or right after them; else every move with what it leads to.

        Raises:
            RulesBroken, Stopped: as the machines do.
        """
        a, b = both
        if a.outcome is not None:
            return None, []
        if a.waits != TO_DECIDE:
            return self._throws(both)
        legal = self.machines[0].legal(a)
        if self._same_moves and legal == self.machines[1].legal(b):
            steps = [(decision, decision) for decision in legal]
        else:
            mine, theirs = self.moves(0, a), self.moves(1, b)
            if mine.keys() != theirs.keys():
                only = [tuple(sorted(self._bare(which, both, d)))
                        for which, d in ((0, {k: v for k, v in mine.items() if k not in theirs}),
                                         (1, {k: v for k, v in theirs.items() if k not in mine}))]  # fmt: skip
                return Difference(LEGAL, "", (only[0], only[1])), []
            steps = [(decision, theirs[move]) for move, decision in mine.items()]
        if not steps:
            after = self.machines[0].moved_on(a), self.machines[1].moved_on(b)
            what = self.unlike(after)
            return (Difference(what, "-"), []) if what else (None, [("-", after)])
        found: list[tuple[str, Both]] = []
        for mine_, theirs_ in steps:
            after = self.machines[0].step(a, mine_), self.machines[1].step(b, theirs_)
            move = self.text(both, mine_)
            what = self.unlike(after)
            if what:
                return Difference(what, move), []
            found.append((move, after))
        return None, found

    def _bare(self, which: int, both: Both, decisions: dict[str, Decision]) -> list[str]:
        """Decisions that one game alone has, as it writes them."""
        state, legal = both[which], self.machines[which].legal(both[which])
        return [self.notations[which].text(d, state.decider, legal) for d in decisions.values()]

    def _throws(self, both: Both) -> tuple[Difference | None, list[tuple[str, Both]]]:
        mine, theirs = (dict(thrown(m, s)) for m, s in zip(self.machines, both, strict=True))
        if mine.keys() != theirs.keys():
            lacking = [tuple(_faces(f) for f in x if f not in y) for x, y in ((mine, theirs), (theirs, mine))]
            return Difference(THROWS, "", (lacking[0], lacking[1])), []
        found: list[tuple[str, Both]] = []
        for faces, after in mine.items():
            pair = after, theirs[faces]
            what = self.unlike(pair)
            if what:
                return Difference(what, _faces(faces)), []
            found.append((_faces(faces), pair))
        return None, found

    def along(self, both: Both, line: tuple[str, ...]) -> tuple[tuple[str, ...], Difference, Both] | None:
        """Play a line of moves; the first difference on the way, with what was played before it and where.

        None where the line cannot be played, or nothing differs.
        """
        played: list[str] = []
        for move in (*line, None):
            difference, found = self.following(both)
            if difference is not None:
                return tuple(played), difference, both
            onward = dict(found).get(move) if move is not None else None
            if move is None or onward is None:
                return None
            played.append(move)
            both = onward
        return None

    def after(self, both: Both, move: str) -> Both | None:
        """The two states after one move (a throw, or `-` for one who can do nothing); None where they are unlike."""
        found: list[State] = []
        for which, state in enumerate(both):
            machine = self.machines[which]
            if state.waits != TO_DECIDE:
                faces = {_faces(faces): after for faces, after in thrown(machine, state)}
                after = faces.get(move)
            elif move == "-":
                after = None if machine.legal(state) else machine.moved_on(state)
            else:
                meant = self.notations[which].legal_texts(machine, state).get(move, [])
                after = machine.step(state, meant[0]) if meant else None
            if after is None:
                return None
            found.append(after)
        return None if self.unlike((found[0], found[1])) else (found[0], found[1])


def _faces(faces: tuple[int, ...]) -> str:
    return f"[{'-'.join(map(str, faces))}]"


def _apart(a: Game, b: Game) -> Iterator[str]:
    """Why two games cannot be played in lock-step."""
    if a.sides != b.sides:
        yield f"the sides are {' and '.join(a.sides)}, and {' and '.join(b.sides)}"
    mine, theirs = (frozenset(g.board.labels[0][: g.board.points]) for g in (a, b))
    if mine != theirs:
        both = len(mine & theirs)
        yield f"the boards have {a.board.points} and {b.board.points} points, {both} of them with the same names"
    if (a.throw is None) != (b.throw is None):
        yield "only one of them is played with dice"


def _places(a: Game, b: Game) -> list[int]:
    """For every place of the first game the second's place with this name; -1 where there is none."""
    points = {b.board.labels[0][p]: p for p in range(b.board.points)}
    found = [points[a.board.labels[0][p]] for p in range(a.board.points)]
    found += [-1] * (a.places - a.board.points)
    for name, both in a.board.beside.items():
        for place, to in zip(both, b.board.beside.get(name, (-1, -1)), strict=True):
            found[place] = to
    return found


def _counts(a: Game, b: Game, places: list[int]) -> list[int]:
    """Where the count of each side's, kind's and place's men lies in the second game; -1: nowhere."""
    found = []
    for side in (0, 1):
        for kind in a.kinds:
            to = b.kinds.index(kind) if kind in b.kinds else -1
            base = (side * len(b.kinds) + to) * b.places
            found += [base + place if to >= 0 and place >= 0 else -1 for place in places]
    return found


def _facts(a: Game, b: Game) -> list[Memory | None]:
    """For every fact of the first game the second's fact of the same name and kind."""
    named = {memory.name: memory for memory in b.memories}
    found: list[Memory | None] = []
    for memory in a.memories:
        other = named.get(memory.name)
        parts = [(m.kind, m.per, m.lasts, m.low, m.high) for m in (memory, other) if m is not None]
        alike = len(parts) == 2 and parts[0] == parts[1]
        by_place = memory.on_men or memory.kind in ("place", "places")
        found.append(other if alike and (not by_place or a.board.labels == b.board.labels) else None)
    return found


__all__ = ["LEGAL", "START", "THROWS", "Both", "Difference", "Pair"]
