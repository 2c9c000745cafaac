"""What follows: effects on a table, and the control they note.

Control is a tuple whose first item says what: ("again", phase or -1, place or -1, if
able), ("hand-over",), ("hand-over-dice",), ("throw",), ("dice", dice left). It is only
noted here; the machine acts on the last one noted (section "The state machine" of the
language).
"""

from __future__ import annotations

from collections.abc import Callable

from interpreter.game.types import Effect, Game, Then
from interpreter.machine.evaluate import Evaluator
from interpreter.machine.table import Table, bits
from interpreter.machine.types import RulesBroken

Doing = Callable[[Table], None]


def doing(game: Game, evaluator: Evaluator, clause: Then) -> Doing:
    """The effects of a clause, in order, as one function."""
    maker = _Maker(game, evaluator, clause.clause.id)
    steps = [maker.of(effect) for effect in clause.do]
    if len(steps) == 1:
        return steps[0]

    def all_of_them(t: Table) -> None:
        for step in steps:
            step(t)

    return all_of_them


class _Maker:
    def __init__(self, game: Game, evaluator: Evaluator, clause: str) -> None:
        self.game = game
        self.evaluator = evaluator
        self.clause = clause

    def of(self, effect: Effect) -> Doing:
        made: Doing = getattr(self, "_" + effect.op.replace("-", "_"))(effect)
        return made

    def _men_on(self, who: int, kind: int) -> Callable[[Table, int], list[tuple[int, int, int]]]:
        """(side*kinds+kind, place, how many) of the men meant on some places."""
        kinds, width = len(self.game.kinds), len(self.game.board.names)
        chosen = range(kinds) if kind < 0 else (kind,)

        def men(t: Table, places: int) -> list[tuple[int, int, int]]:
            found = []
            side = t.side ^ who
            for k in chosen:
                index = side * kinds + k
                for place in bits(t.where[index] & places):
                    found.append((index, place, t.men[index * width + place]))
            return found

        return men

    def _send(self, effect: Effect) -> Doing:
        men, places, goal = (
            self._men_on(*effect.data),
            self.evaluator.of(effect.args[0]),
            self.evaluator.of(effect.args[1]),
        )
        board, clause = self.game.board, self.clause
        kinds = len(self.game.kinds)

        def send(t: Table) -> None:
            sent = men(t, places(t))
            if not sent:
                return
            to = goal(t).bit_length() - 1
            if to < 0:
                raise RulesBroken("men are sent to no place", clause)
            for index, place, count in sent:
                if board.side_of(to) not in (None, index // kinds):
                    raise RulesBroken("men are sent to the other side's place", clause)
                for _ in range(count if place != to else 0):
                    t.move(index, place, to, clause)

        return send

    def _take(self, effect: Effect) -> Doing:
        men, places, clause = self._men_on(*effect.data), self.evaluator.of(effect.args[0]), self.clause
        boxes, kinds, points = self.game.board.beside["box"], len(self.game.kinds), self.game.board.all_points

        def take(t: Table) -> None:
            taken = 0
            for index, place, count in men(t, places(t) & points):
                for _ in range(count):
                    t.move(index, place, boxes[index // kinds], clause)
                taken += count
            if taken:
                t.tallies = (t.tallies[0] + taken, *t.tallies[1:])

        return take

    def _make(self, effect: Effect) -> Doing:
        who, kind, new = effect.data
        men, places = self._men_on(who, kind), self.evaluator.of(effect.args[0])
        kinds = len(self.game.kinds)

        def make(t: Table) -> None:
            for index, place, count in men(t, places(t)):
                into = index // kinds * kinds + new
                for _ in range(count if into != index else 0):
                    t.make(index, into, place)

        return make

    def _remember(self, effect: Effect) -> Doing:
        index, theirs = effect.data
        memory, value = self.game.memories[index], self.evaluator.of(effect.args[0])
        places = self.evaluator.of(effect.args[1]) if len(effect.args) > 1 else None
        return lambda t: t.remember(memory, value(t), t.side ^ theirs, places(t) if places is not None else None)

    def _forget(self, effect: Effect) -> Doing:
        index, theirs = effect.data
        memory = self.game.memories[index]
        places = self.evaluator.of(effect.args[0]) if effect.args else None
        return lambda t: t.forget(memory, t.side ^ theirs, places(t) if places is not None else None)

    def _mark(self, effect: Effect) -> Doing:
        memory, places = self.game.memories[effect.data[0]], self.evaluator.of(effect.args[0])
        return lambda t: t.mark(memory, places(t), True)

    def _unmark(self, effect: Effect) -> Doing:
        memory, places = self.game.memories[effect.data[0]], self.evaluator.of(effect.args[0])
        return lambda t: t.mark(memory, places(t), False)

    # ---- control ------------------------------------------------------------------------

    def _again(self, effect: Effect) -> Doing:
        phase, able = effect.data
        place = self.evaluator.of(effect.args[0]) if effect.args else None

        def again(t: Table) -> None:
            t.control = ("again", phase, place(t).bit_length() - 1 if place is not None else -1, able)

        return again

    def _hand_over(self, effect: Effect) -> Doing:
        def hand_over(t: Table) -> None:
            t.control = ("hand-over",)

        return hand_over

    def _hand_over_dice(self, effect: Effect) -> Doing:
        def hand_over_dice(t: Table) -> None:
            t.control = ("hand-over-dice",)

        return hand_over_dice

    def _throw(self, effect: Effect) -> Doing:
        def throw(t: Table) -> None:
            t.control = ("throw",)

        return throw

    def _set_dice(self, effect: Effect) -> Doing:
        count, face, clause = self.evaluator.of(effect.args[0]), self.evaluator.of(effect.args[1]), self.clause

        def set_dice(t: Table) -> None:
            n, shown = count(t), face(t)
            if not 0 <= n <= 64 or (n and shown < 1):
                raise RulesBroken(f"{n} dice showing {shown}", clause)
            t.control = ("dice", (shown,) * n)

        return set_dice

    def _add_die(self, effect: Effect) -> Doing:
        face, clause = self.evaluator.of(effect.args[0]), self.clause

        def add_die(t: Table) -> None:
            shown = face(t)
            if shown < 1:
                raise RulesBroken(f"a die showing {shown}", clause)
            t.control = ("dice", tuple(sorted((*t.dice, shown), reverse=True)))

        return add_die
