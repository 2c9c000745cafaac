"""The steps of a turn, as ``machine.reference`` has them and in its order.

A function for each step, named after it; `t` is the record that changes. Statuses are
those of ``building``: how a decision leaves the game.

One room: the steps of one state machine, in the order of the reference.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

from interpreter.compiled.building import AGAIN, DICE, ENDED, FILLED, GOES_ON, HAND_OVER_DICE, NOTHING, OVER, THROW
from interpreter.compiled.changing import Changing
from interpreter.compiled.context import Context
from interpreter.compiled.permitting import Permitting
from interpreter.compiled.pointwise import goes_to_empty
from interpreter.compiled.wat import Function, Value, call, const, global_, load, select
from interpreter.game.types import FOE, Ends, Expression, May, Then
from interpreter.game.walk import nodes
from interpreter.machine.reference import MOST_ROUNDS
from interpreter.machine.types import TO_BEGIN, TO_DECIDE, TO_THROW

NO_CONTROL = -1


@dataclass(frozen=True)
class Permitted:
    """A decision met while walking through rows: its group, verb and path, where its row lies, its index place."""

    group: Value
    verb: Value
    path: Value
    offset: Value
    index: Value


class Flow(Permitting, Changing):
    """Acting, following, settling, and the ways a turn goes on or ends."""

    def build_flow(self) -> None:
        self.build_moving()
        self.build_permitted()
        self.build_can()
        for verb in range(len(self.game.verbs)):
            self._build_act(verb)
            self._build_refused_after(verb)
        self._build_act_any()
        if any(n.after is not None and n.play_end for n in self.game.may_not):
            self.build_reaches_end("reaches_end")
        for moment in ("thrown", "stuck", "turn-end", "turn-start"):
            self._build_moment(moment)
        self._build_control()
        self._build_turns()
        if self.game.reads_repeats:
            self._build_history()

    def _every_node(self) -> list[Expression]:
        game = self.game
        found: list[Expression] = []
        for may in game.may:
            found += nodes(may.when)
        for may_not in game.may_not:
            found += [n for e in (may_not.when, may_not.after) if e is not None for n in nodes(e)]
        for must in game.must:
            found += [n for e in (must.value, must.unless) if e is not None for n in nodes(e)]
        for then in game.then:
            found += [n for e in (then.when, *(a for d in then.do for a in d.args)) for n in nodes(e)]
        for ends in game.ends:
            found += [n for e in (ends.when, ends.points) for n in nodes(e)]
        return found

    def quiet(self, moment: str) -> bool:
        """Does no clause speak of a moment?"""
        return all(then.moment != moment for then in self.game.then) and all(
            ends.moment != moment for ends in self.game.ends
        )

    # ---- then, ends -----------------------------------------------------------------------------

    def follow(self, f: Function, t: Value, moment: str, side: Value, c: Context, last_verb: Value | None) -> None:
        """Effects of a moment in file order. ``c`` knows verb and path; ``last_verb`` where they are not known now."""
        layout = self.layout
        f.store(t, layout.control, NOTHING, "u8")
        phase = f.local("phase", load(t, layout.phase, "u8"))
        reader = replace(c, side=side)
        for then in self.game.then:
            if then.moment != moment or not self._may_concern(then, moment, c, last_verb):
                continue
            concerned = self.concerned(t, then.phases, then.sides, phase, side)
            if last_verb is not None and "verbs" in then.clause.fields:
                concerned = concerned & self._one_of(last_verb, tuple(sorted(then.verbs)))
            with f.when(concerned), f.when(self.terms.of(then.when, reader)):
                for effect in then.do:
                    self.effect(f, effect, reader, then)

    @staticmethod
    def _may_concern(clause: Then | Ends, moment: str, c: Context, last_verb: Value | None) -> bool:
        if moment == "decision" and "verbs" in clause.clause.fields:
            return c.verb.known in clause.verbs
        return True

    def settle(self, f: Function, t: Value, moment: str, mover: Value, c: Context, last_verb: Value | None) -> Value:
        """Does an ending hold? The first that does is written down."""
        layout = self.layout
        done = f.local("settled", 0)
        phase = f.local("phase", load(t, layout.phase, "u8"))
        with f.block() as out:
            for number, ends in enumerate(self.game.ends):
                if ends.moment != moment or not self._may_concern(ends, moment, c, last_verb):
                    continue
                readers = {"mover": (0,), "foe": (1,)}.get(ends.reader, (0, 1))
                if ends.reader == "both":
                    first = self._holds(f, t, ends, replace(c, side=mover), phase, last_verb)
                    with f.when(first):
                        second = self._holds(f, t, ends, replace(c, side=mover ^ 1), phase, last_verb)
                        with f.when(second):
                            self._end(f, t, number, ends, replace(c, side=mover))
                            f.set(done, 1)
                            f.branch(out)
                    continue
                for other in readers:
                    reader = replace(c, side=mover ^ other)
                    with f.when(self._holds(f, t, ends, reader, phase, last_verb)):
                        self._end(f, t, number, ends, reader)
                        f.set(done, 1)
                        f.branch(out)
        return done

    def _holds(self, f: Function, t: Value, ends: Ends, c: Context, phase: Value, last_verb: Value | None) -> Value:
        concerned = self.concerned(t, ends.phases, ends.sides, phase, c.side)
        if last_verb is not None and "verbs" in ends.clause.fields:
            concerned = concerned & self._one_of(last_verb, tuple(sorted(ends.verbs)))
        if concerned.known == 0:
            return const(0)
        if concerned.known == 1:
            return self.terms.of(ends.when, c)
        held = f.local("holds", 0)
        with f.when(concerned):
            f.set(held, self.terms.of(ends.when, c))
        return held

    def _end(self, f: Function, t: Value, number: int, ends: Ends, c: Context) -> None:
        layout = self.layout
        winner = {"win": c.side, "lose": c.side ^ 1}.get(ends.result, const(2))
        points = self.terms.of(ends.points, c)
        f.store(t, layout.ending, number, "s16")
        f.store(t, layout.winner, winner, "u8")
        f.store(t, layout.points_won, points)

    def _build_moment(self, moment: str) -> None:
        """``follow_MOMENT`` and ``settle_MOMENT``: at the end of a turn the path words are of its last decision."""
        name = moment.replace("-", "_")
        last = moment == "turn-end" and self.game.reads_last
        with self.function(f"follow_{name}", {"t": "i32", "side": "i32"}) as f:
            c, verb = self._last(f, f.param("t")) if last else (Context(f.param("t"), const(0)), const(-1))
            self.follow(f, f.param("t"), moment, f.param("side"), c, verb)
        with self.function(f"settle_{name}", {"t": "i32", "side": "i32"}, "i32") as f:
            c, verb = self._last(f, f.param("t")) if last else (Context(f.param("t"), const(0)), const(-1))
            only_turn_end = verb if moment == "turn-end" else None
            f.give(self.settle(f, f.param("t"), moment, f.param("side"), c, only_turn_end))

    def _last(self, f: Function, t: Value) -> tuple[Context, Value]:
        """The turn's last decision with a path."""
        verb = f.local("verb", load(t, self.layout.last_verb, "s16"))
        path = f.local("last", load(t, self.layout.last_path))
        f.set(path, select(path.lt_signed(0), const(0), path))
        return self.context(f, t, const(0), verb, path), verb

    # ---- 1, 2: acting -------------------------------------------------------------------------------

    def _build_act(self, verb: int) -> None:
        """``act_VERB``: the man moves, his die is spent, tallies grow; then, at decision."""
        layout = self.layout
        with self.function(f"act_{verb}", {"t": "i32", "path": "i32"}) as f:
            t, path = f.param("t"), f.param("path")
            decider = f.local("decider", load(t, layout.decider, "u8"))
            c = self.context(f, t, decider, verb, path)
            origin, to = c.path.origin(), c.path.to()
            moves = self.always_moves(verb)
            mays = [m for m in self.game.may if m.verb == verb]
            if any(m.way is not None and m.way.name != "name" for m in mays):
                with f.when(const(1) if moves else origin.ge_signed(0)):
                    man = self._mover(f, t, decider, mays, c, origin)
                    if not layout.many and not goes_to_empty(mays):
                        self._unlike(f, t, man, origin, to, mays)
                    f.do("move", t, man, origin, to)
                    if layout.faces:
                        self._spend(f, t, path)
            with f.when(path.ne(0)):
                f.store(t, layout.tallies + 4, load(t, layout.tallies + 4) + 1)
                if self.game.reads_last:
                    f.store(t, layout.last_verb, verb, "s16")
                    f.store(t, layout.last_path, path)
            self.follow(f, t, "decision", decider, c, None)
            if not layout.many:
                with f.when(to.lt(layout.points)):
                    self._one_man(f, t, to, mays)

    def _spend(self, f: Function, t: Value, path: Value) -> None:
        layout = self.layout
        die = f.local("die", load(path, self.path_dice, "u8"))
        with f.when(die):
            at = f.local("at", t + die)
            left = f.local("left", load(at, layout.left, "u8"))
            with f.when(left):
                f.store(at, layout.left, left - 1, "u8")
                f.store(t, layout.dice, load(t, layout.dice, "u8") - 1, "u8")
            for index, more in ((2, const(1)), (3, die), (4, load(path, self.path_excess, "u8"))):
                f.store(t, layout.tallies + 4 * index, load(t, layout.tallies + 4 * index) + more)

    def _unlike(self, f: Function, t: Value, man: Value, origin: Value, to: Value, mays: list[May]) -> None:
        """No man of the mover's own side and kind stands where he goes: in a set of places two are one."""
        layout = self.layout
        goes = const(1)
        if any(path.origin == path.to for path in self.game.paths):
            goes = origin.ne(to)
        with f.when(to.lt(layout.points) & goes):
            alike = self.stored_words(f.local("alike", t + man * layout.mask_size), layout.where)
            with f.when(self.terms.has(alike, to)):
                self._two_men(f, mays, to)

    def _two_men(self, f: Function, mays: list[May], place: Value) -> None:
        self.fail(f, "two men on {}, which holds one", mays[0].clause.id if mays else "", at=place)

    def _one_man(self, f: Function, t: Value, place: Value, mays: list[May]) -> None:
        """A point holds one man: whoever stood where the man went must be gone by now."""
        number = const(0)
        for k in range(2 * self.kinds):
            offset = self.layout.where + k * self.layout.mask_size
            number = number + self.terms.has(self.stored_words(t, offset), place)
        with f.when(number.gt(1)):
            self._two_men(f, mays, place)

    def _mover(self, f: Function, t: Value, decider: Value, mays: list[May], c: Context, origin: Value) -> Value:
        """Side and kind of the man who moves: the first in the order of pieces."""
        man = f.local("man", -1)
        movers = [m for m in mays if m.way is not None and m.way.name != "name"]
        phase = f.local("phase", load(t, self.layout.phase, "u8"))
        with f.block() as out:
            for may in movers:
                side = f.local("whose", decider ^ (1 if may.who == FOE else 0))
                if self.kinds == 1 and len(movers) == 1:
                    f.set(man, side)
                    continue
                able = self.concerned(t, may.phases, may.sides, phase, decider)
                with f.when(able):
                    holds = const(1) if len(movers) == 1 else self._allowed(f, may, decider, c)
                    with f.when(holds):
                        for kind in range(self.kinds) if may.kind < 0 else (may.kind,):
                            words = [
                                load(
                                    t + (side * self.kinds + kind) * self.layout.mask_size,
                                    self.layout.where + i * self.layout.word_size,
                                    self.layout.word,
                                )
                                for i in range(self.words)
                            ]
                            with f.when(self.terms.has(words, origin)):
                                f.set(man, side * self.kinds + kind)
                                f.branch(out)
            with f.when(man.lt_signed(0)):
                self.fail(f, "nobody on {} can move so", at=origin)
        return man

    def _allowed(self, f: Function, may: May, decider: Value, c: Context) -> Value:
        """Does a clause permit this path now (the men apart)?"""
        count = len(self.game.paths)
        both = [set(side) for side in may.paths]
        table = self.data.add(bytes(int(p in both[side]) for side in (0, 1) for p in range(count)), 1)
        allowed = load(decider * count + self.terms.path_number(c), table, "u8")
        holds = f.local("allowed", allowed)
        with f.when(holds):
            f.set(holds, self.terms.of(may.when, c))
        return holds

    def _build_act_any(self) -> None:
        """``act``: of any verb."""
        with self.function("act", {"t": "i32", "verb": "i32", "path": "i32"}) as f:
            for verb in range(len(self.game.verbs)):
                with f.when(f.param("verb").eq(verb)):
                    f.do(f"act_{verb}", f.param("t"), f.param("path"))
                    f.give()

    # ---- prohibitions that look ahead -------------------------------------------------------------------

    def _build_refused_after(self, verb: int) -> None:
        bars = [n for n in self.game.may_not if n.after is not None and not n.play_end and verb in n.verbs]
        if not bars:
            return
        size = self.layout.size
        with self.function(f"refused_after_{verb}", {"t": "i32", "path": "i32"}, "i32") as f:
            t, path = f.param("t"), f.param("path")
            decider = f.local("side", load(t, self.layout.decider, "u8"))
            phase = f.local("was", load(t, self.layout.phase, "u8"))
            u = self.frame(f, size)
            f.do("tried", t, u, const(verb), path)
            c = self.context(f, u, decider, verb, path)
            for bar in bars:
                assert bar.after is not None
                concerned = self.concerned(t, bar.phases, bar.sides, phase, decider)
                with f.when(concerned), f.when(self.terms.of(bar.after, c)):
                    self.leave(f, u, 1)
            self.leave(f, u, 0)

    def build_reaches_end(self, name: str, wanted: bool = False) -> None:
        """Does a play that begins so reach an end where none of the chosen clauses holds (``wanted``: one does)?"""
        size = self.layout.size
        bars = [n for n in self.game.may_not if n.after is not None and n.play_end]
        params = {"t": "i32", "verb": "i32", "path": "i32", "chosen": "i32", "side": "i32"}
        with self.function(name, params, "i32") as f:
            t, verb, path, chosen, side = (f.param(n) for n in params)
            u = self.frame(f, size + self.rows_size)
            rows = u + size
            self.copy(f, u, t, size)
            f.do("searched")
            status = f.local("status", call("advance", u, verb, path))
            with f.when(status.eq(ENDED)):
                self.leave(f, u, int(not wanted))
            with f.when(status.eq(GOES_ON)):
                f.do("permitted", u, rows)
                for d in self.each_permitted(f, rows):
                    with f.when(call(name, u, d.verb, d.path, chosen, side)):
                        self.leave(f, u, 1)
                self.leave(f, u, 0)
            f.store(u, self.layout.goes_on, 0, "u8")
            for number, bar in enumerate(bars):
                assert bar.after is not None
                with f.when((chosen >> number) & 1), f.when(self.terms.of(bar.after, Context(u, side))):
                    self.leave(f, u, int(wanted))
            self.leave(f, u, int(not wanted))

    def each_permitted(self, f: Function, rows: Value) -> Iterator[Permitted]:
        """Everything in the rows, in order; use as ``for … in`` around statements of one pass."""
        bases = b"".join(self.data.group_tables[g.number].to_bytes(4, "little") for g in self.groups)
        verbs = b"".join(g.verb.to_bytes(2, "little") for g in self.groups)
        base_table, verb_table = self.data.add(bases, 4), self.data.add(verbs, 2)
        with f.count_to(len(self.groups), "group") as group:
            offset = f.local("offset", group * self.row_size)
            words = self.terms.held(self.stored_words(rows + offset, 0), "row")
            with self.terms.each_place(words, "index") as index:
                verb = f.local("verb", load(group * 2, verb_table, "u16"))
                path = f.local("path", load(load(group * 4, base_table) + index * 4))
                yield Permitted(group, verb, path, offset, index)

    def _build_tried(self) -> None:
        """``tried``: the table once a decision and its effects are done, turn-end effects too if it ends the turn."""
        layout = self.layout
        params = {"t": "i32", "u": "i32", "verb": "i32", "path": "i32"}
        with self.function("tried", params) as f:
            t, u, verb, path = (f.param(n) for n in params)
            self.copy(f, u, t, layout.size)
            f.do("act", u, verb, path)
            saved = [
                (offset, kind, f.local("saved", load(u, offset, kind)))
                for offset, kind in ((layout.phase, "u8"), (layout.active, "s16"), (layout.decider, "u8"))
            ]
            status = f.local("status", call("resolve", u))
            if self.reference.after_asks_on:
                with f.when(status.eq(GOES_ON)), f.when(call("any", u).no()):
                    f.set(status, OVER)
            goes_on = f.local("goes_on", status.le(FILLED))
            f.store(u, layout.goes_on, goes_on, "u8")
            for offset, kind, value in saved:
                f.store(u, offset, value, kind)
            with f.when(goes_on.no()):
                f.do("follow_turn_end", u, load(u, layout.turn, "u8"))

    # ---- 4: control -----------------------------------------------------------------------------------------

    def _build_control(self) -> None:
        layout = self.layout
        by_foe = sum(1 << i for i, phase in enumerate(self.game.phases) if phase.by_foe)
        params = {"t": "i32", "phase": "i32", "place": "i32", "able": "i32"}
        with self.function("again", params, "i32") as f:
            t, phase, place, able = (f.param(n) for n in params)
            saved = [
                (offset, kind, f.local("saved", load(t, offset, kind)))
                for offset, kind in ((layout.phase, "u8"), (layout.active, "s16"), (layout.decider, "u8"))
            ]
            with f.when(phase.ne(255)):
                f.store(t, layout.phase, phase, "u8")
            f.store(t, layout.active, place, "s16")
            turned = (const(by_foe) >> load(t, layout.phase, "u8")) & 1 if by_foe else const(0)
            f.store(t, layout.decider, load(t, layout.turn, "u8") ^ turned, "u8")
            with f.when(able), f.when(call("any_path", t).no()):
                for offset, kind, value in saved:
                    f.store(t, offset, value, kind)
                f.give(0)
            f.give(1)
        with self.function("heed", {"t": "i32"}, "i32") as f:
            t = f.param("t")
            control = f.local("control", load(t, layout.control, "u8"))
            with f.when(control.eq(NOTHING)):
                f.give(NO_CONTROL)
            with f.when(control.eq(AGAIN)):
                phase, place = load(t, layout.control_phase, "u8"), load(t, layout.control_place, "s16")
                with f.when(call("again", t, phase, place, load(t, layout.control_able, "u8"))):
                    f.give(GOES_ON)
                f.store(t, layout.control, NOTHING, "u8")
                f.give(NO_CONTROL)
            with f.when(control.ge(THROW)):
                f.give(FILLED)
            f.store(t, layout.hands_dice, control.eq(HAND_OVER_DICE), "u8")
            f.give(OVER)
        with self.function("resolve", {"t": "i32"}, "i32") as f:
            t = f.param("t")
            heeded = f.local("heeded", call("heed", t))
            with f.when(heeded.ge_signed(0)):
                f.give(heeded)
            if layout.faces:
                with f.when(load(t, layout.dice, "u8")):
                    f.drop(call("again", t, const(255), const(-1), const(0)))
                    f.give(GOES_ON)
            f.give(OVER)
        self._build_tried()
        with self.function("new_play", {"t": "i32"}) as f:
            t = f.param("t")
            f.store(t, layout.phase, 0, "u8")
            f.store(t, layout.active, -1, "s16")
            f.store(t, layout.decider, load(t, layout.turn, "u8"), "u8")
            for i in range(5):
                f.store(t, layout.tallies + 4 * i, 0)
        with self.function("fill", {"t": "i32"}) as f:
            t = f.param("t")
            if layout.faces:
                with f.when(load(t, layout.control, "u8").eq(THROW)):
                    self._clear_dice(f, t)
                    f.store(t, layout.waits, TO_THROW, "u8")
                with f.otherwise():
                    thrown = const(0)
                    for face in range(1, layout.faces + 1):
                        thrown = thrown | load(t, layout.thrown + face, "u8")
                    thrown = f.held(thrown, "thrown")
                    for face in range(1, layout.faces + 1):
                        number = f.local("number", load(t, layout.control_left + face, "u8"))
                        f.store(t, layout.left + face, number, "u8")
                        with f.when(thrown.no()):
                            f.store(t, layout.thrown + face, number, "u8")
                    f.store(t, layout.dice, load(t, layout.control_dice, "u8"), "u8")
            f.do("new_play", t)
        assert DICE > THROW

    def _clear_dice(self, f: Function, t: Value) -> None:
        for face in range(1, self.layout.faces + 1):
            f.store(t, self.layout.left + face, 0, "u8")
            f.store(t, self.layout.thrown + face, 0, "u8")
        f.store(t, self.layout.dice, 0, "u8")

    # ---- 3, 5, 6, 7, 8 ----------------------------------------------------------------------------------------

    def _build_turns(self) -> None:
        layout = self.layout
        for verb in range(len(self.game.verbs)):
            with self.function(f"advance_{verb}", {"t": "i32", "path": "i32"}, "i32") as f:
                t, path = f.param("t"), f.param("path")
                f.do(f"act_{verb}", t, path)
                decider = f.local("side", load(t, layout.decider, "u8"))
                c = self.context(f, t, const(0), verb, path)
                with f.when(self.settle(f, t, "decision", decider, c, None)):
                    f.give(ENDED)
                f.give(call("went_on", t))
        with self.function("advance", {"t": "i32", "verb": "i32", "path": "i32"}, "i32") as f:
            for verb in range(len(self.game.verbs)):
                with f.when(f.param("verb").eq(verb)):
                    f.give(call(f"advance_{verb}", f.param("t"), f.param("path")))
        with self.function("went_on", {"t": "i32"}, "i32") as f:
            t = f.param("t")
            status = f.local("status", call("resolve", t))
            with f.when(status.eq(GOES_ON)):
                f.give(call("played_on", t))
            with f.when(status.eq(OVER)):
                f.give(call("end_turn", t))
            f.give(status)
        with self.function("played_on", {"t": "i32"}, "i32") as f:
            status = f.local("status", call("unless_stuck", f.param("t")))
            with f.when(status.eq(OVER)):
                f.give(call("end_turn", f.param("t")))
            f.give(status)
        with self.function("unless_stuck", {"t": "i32"}, "i32") as f:
            t = f.param("t")
            with f.count_to(MOST_ROUNDS):
                with f.when(call("any", t)):
                    f.give(GOES_ON)
                side = f.local("side", load(t, layout.decider, "u8"))
                f.do("follow_stuck", t, side)
                with f.when(call("settle_stuck", t, side)):
                    f.give(ENDED)
                status = f.local("status", call("heed", t))
                if self.game.throw is None:
                    with f.when(status.lt_signed(0)):
                        self.fail(f, "a side that can do nothing, and no rule says what follows")
                with f.when(status.lt_signed(0)):
                    f.give(OVER)
                with f.when(status.ne(GOES_ON)):
                    f.give(status)
            self.fail(f, "being stuck never ends")
        with self.function("end_turn", {"t": "i32"}, "i32") as f:
            t = f.param("t")
            with f.count_to(MOST_ROUNDS) as i, f.block() as go_round:
                hands = f.local("hands", load(t, layout.hands_dice, "u8"))
                side = f.local("side", load(t, layout.turn, "u8"))
                f.do("follow_turn_end", t, side)
                with f.when(call("settle_turn_end", t, side)):
                    f.give(ENDED)
                status = f.local("status", call("heed", t))
                with f.when(status.lt_signed(0)):
                    f.set(status, OVER)
                with f.when(status.eq(GOES_ON)):
                    f.set(status, call("unless_stuck", t))
                    f.branch(go_round, status.eq(OVER))
                    f.give(status)
                with f.when(status.eq(OVER)):
                    f.store(t, layout.hands_dice, hands | load(t, layout.hands_dice, "u8"), "u8")
                f.give(status)
            f.drop(i)
            self.fail(f, "the turn never ends")
        with self.function("hand_over", {"t": "i32"}) as f:
            t = f.param("t")
            if self.game.reads_repeats:
                f.do("remember_position", t)
            self.expire(f, t)
            f.store(t, layout.turn, load(t, layout.turn, "u8") ^ 1, "u8")
            f.store(t, layout.turns, load(t, layout.turns) + 1)
            f.do("new_play", t)
            if layout.faces:
                with f.when(load(t, layout.hands_dice, "u8").no()):
                    self._clear_dice(f, t)
            f.store(t, layout.hands_dice, 0, "u8")
            f.store(t, layout.last_verb, -1, "s16")
            f.store(t, layout.last_path, -1)
        with self.function("turn_start", {"t": "i32"}, "i32") as f:
            t = f.param("t")
            side = f.local("side", load(t, layout.turn, "u8"))
            f.do("follow_turn_start", t, side)
            with f.when(call("settle_turn_start", t, side)):
                f.give(ENDED)
            status = f.local("status", call("heed", t))
            if self.game.throw is not None:
                with f.when(status.lt_signed(0) & load(t, layout.dice, "u8").no()):
                    f.store(t, layout.control, THROW, "u8")
                    f.set(status, FILLED)
            with f.when(status.lt_signed(0)):
                f.set(status, GOES_ON)
            with f.when(status.eq(GOES_ON)):
                f.give(call("played_on", t))
            with f.when(status.eq(OVER)):
                f.give(call("end_turn", t))
            f.give(status)
        with self.function("finish", {"t": "i32", "status": "i32"}) as f:
            t, status = f.param("t"), f.param("status")
            with f.count_to(MOST_ROUNDS):
                with f.when(status.eq(FILLED)):
                    f.do("fill", t)
                    with f.when(load(t, layout.waits, "u8").eq(TO_THROW)):
                        f.give()
                    f.set(status, call("played_on", t))
                with f.otherwise():
                    with f.when(status.eq(OVER)):
                        f.do("hand_over", t)
                        f.set(status, call("turn_start", t))
                    with f.otherwise():
                        f.give()
            self.fail(f, "turns follow each other without end")
        self._build_chance()

    def _build_chance(self) -> None:
        """Beginning, and throws: ``begin``, ``after_throw`` (the dice lie in the record), ``moved_on``."""
        layout = self.layout
        with self.function("begin", {"t": "i32", "side": "i32"}) as f:
            t, side = f.param("t"), f.param("side")
            for offset in (layout.turn, layout.decider):
                f.store(t, offset, side, "u8")
            f.store(t, layout.waits, TO_DECIDE, "u8")
            f.do("finish", t, call("turn_start", t))
        with self.function("moved_on", {"t": "i32"}) as f:
            f.do("finish", f.param("t"), call("played_on", f.param("t")))
        if self.game.throw is None:
            return
        with self.function("after_throw", {"t": "i32"}) as f:
            t = f.param("t")
            f.store(t, layout.waits, TO_DECIDE, "u8")
            side = f.local("side", load(t, layout.turn, "u8"))
            f.do("follow_thrown", t, side)
            with f.when(call("settle_thrown", t, side)):
                f.give()
            status = f.local("status", call("heed", t))
            with f.when(status.eq(FILLED)):
                f.do("fill", t)
            with f.when(status.eq(OVER)):
                f.do("finish", t, call("end_turn", t))
        outcomes = self.game.throw.outcomes
        rows = bytearray()
        for thrown, _ in outcomes:
            left = self.game.throw.left(thrown)
            rows += bytes([len(left)])
            rows += bytes(left.count(face) for face in range(1, layout.faces + 1))
            rows += bytes(thrown.count(face) for face in range(1, layout.faces + 1))
        self.throw_row = 1 + 2 * layout.faces
        self.throw_table = self.data.add(bytes(rows), 1)
        with self.function("with_throw", {"t": "i32", "outcome": "i32"}) as f:
            t, outcome = f.param("t"), f.param("outcome")
            row = f.local("row", outcome * self.throw_row)
            self._copy_bytes(f, t, layout.dice, row, self.throw_table, self.throw_row)
            if self.quiet("thrown"):
                f.store(t, layout.waits, TO_DECIDE, "u8")
            else:
                f.do("after_throw", t)
        assert layout.left == layout.dice and layout.thrown == layout.left + layout.faces
        assert TO_BEGIN != TO_DECIDE

    # ---- positions that repeat ----------------------------------------------------------------------------------

    def _build_history(self) -> None:
        """``remember_position`` and ``repeats``: positions at ends of turns lie in a row that one game shares."""
        layout = self.layout
        size = layout.history_size
        with self.function("position_key", {"t": "i32", "to": "i32"}) as f:
            t, to = f.param("t"), f.param("to")
            source = t
            frame: Value | None = None
            if any(m.lasts != "game" for m in self.game.memories):
                frame = self.frame(f, layout.size)
                source = frame
                self.copy(f, frame, t, layout.size)
                self.expire(f, frame)
            for word in range(0, size, 8):
                f.store(to, word, const(0, "i64"), "i64")
            self._copy_bytes(f, to, 0, source, 0, layout.men_size)
            f.store(to, layout.men_size, load(source, layout.turn, "u8"), "u8")
            offset = layout.men_size + 1
            for slot in layout.kept_slots:
                offset = -(-offset // 8) * 8
                self._copy_bytes(f, to, offset, source, slot.offset, slot.size * slot.count)
                offset += slot.size * slot.count
            if frame is not None:
                f.set_global("sp", frame)
        with self.function("remember_position", {"t": "i32"}) as f:
            t = f.param("t")
            number = f.local("number", load(t, layout.history))
            with f.when(number.ne(0)):
                at = f.local("at", global_("history") + (number - 1) * size)
                with f.when((at + size).gt(global_("history_end"))):
                    self.fail(f, "more positions than can be kept")
                self._copy_bytes(f, at, 0, t, layout.history_key, size)
            f.do("position_key", t, t + layout.history_key)
            f.store(t, layout.history, number + 1)
        with self.function("repeats", {"t": "i32"}, "i32") as f:
            t = f.param("t")
            key = self.frame(f, -(-size // 16) * 16)
            f.do("position_key", t, key)
            times = f.local("times", 1)
            number = f.local("number", load(t, layout.history))
            with f.count_to(number) as i:
                last = i.eq(number - 1)
                at = f.local("at", select(last, t + layout.history_key, global_("history") + i * size))
                differ = const(0, "i64")
                same = f.local("same", 0)
                with f.when(load(at, 0, "i64").compare("eq", load(key, 0, "i64"))):
                    for word in range(8, size, 8):
                        differ = differ | (load(at, word, "i64") ^ load(key, word, "i64"))
                    f.set(same, differ.eq(0))
                f.set(times, times + same)
            self.leave(f, key, times)

    def _copy_bytes(self, f: Function, to: Value, at: int, source: Value, offset: int, size: int) -> None:
        i = 0
        while i < size:
            step, kind = (8, "i64") if size - i >= 8 else (4, "i32") if size - i >= 4 else (1, "u8")
            f.store(to, at + i, load(source, offset + i, kind), kind)
            i += step
