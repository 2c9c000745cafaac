"""What changes the table: men that move, facts, effects and the control they note.

The counterpart of ``machine.table`` and ``machine.effects``; each effect is lowered
where its clause stands.

One room: all that effects do to a record.
"""

from __future__ import annotations

from interpreter.compiled.building import AGAIN, DICE, HAND_OVER, HAND_OVER_DICE, THROW, Building
from interpreter.compiled.context import Context
from interpreter.compiled.layout import Slot
from interpreter.compiled.terms import Words
from interpreter.compiled.wat import Function, Value, const, load, select
from interpreter.game.types import Effect, Memory, Then


class Changing(Building):
    """Functions ``move``, ``carry``, ``expire`` …, and effects."""

    @property
    def men_carry(self) -> bool:
        """Are there facts that travel with men?"""
        return not self.layout.many and any(m.on_men for m in self.game.memories)

    # ---- words of a set in memory -----------------------------------------------------------

    def stored_words(self, base: Value, offset: int) -> Words:
        return [load(base, offset + i * self.layout.word_size, self.layout.word) for i in range(self.words)]

    def store_words(self, f: Function, base: Value, offset: int, words: Words) -> None:
        for i, word in enumerate(words):
            f.store(base, offset + i * self.layout.word_size, word, self.layout.word)

    def add_place(self, f: Function, base: Value, offset: int, bit: Words) -> None:
        words = self.stored_words(base, offset)
        self.store_words(f, base, offset, [w | b for w, b in zip(words, bit, strict=True)])

    def drop_places(self, f: Function, base: Value, offset: int, bits: Words) -> None:
        words = self.stored_words(base, offset)
        self.store_words(f, base, offset, [w.without(b) for w, b in zip(words, bits, strict=True)])

    # ---- men -----------------------------------------------------------------------------------

    def build_moving(self) -> None:
        """``move``: one man of a side and kind from place to place; his facts go with him."""
        layout = self.layout
        params = {"t": "i32", "man": "i32", "origin": "i32", "to": "i32"}
        with self.function("move", params) as f:
            t, man, origin, to = (f.param(n) for n in params)
            where = f.local("where", t + man * layout.mask_size)
            counts = f.local("counts", t + man * layout.row)
            first = layout.counts - layout.first_counted
            from_bit = self.terms.held(self.terms.bit(origin), "from_bit")
            with f.when(self.terms.has(self.stored_words(where, layout.where), origin).no()):
                self.fail(f, "no such man on {}", at=origin)
            if layout.many:
                self._count_down(f, counts + origin, first, where, from_bit)
                self._count_up(f, counts + to, first, to)
            else:
                with f.when(origin.ge(layout.points)):
                    self._count_down(f, counts + origin, first, where, from_bit)
                with f.otherwise():
                    self.drop_places(f, where, layout.where, from_bit)
                with f.when(to.ge(layout.points)):
                    self._count_up(f, counts + to, first, to)
            self.add_place(f, where, layout.where, self.terms.bit(to))
            if self.men_carry:
                with f.when(origin.lt(layout.points)):
                    f.do("carry", t, origin, to)
        if self.men_carry:
            self._build_carry()

    def _count_down(self, f: Function, at: Value, first: int, where: Value, bit: Words) -> None:
        at = f.held(at, "at")
        left = f.local("left", load(at, first, "u8") - 1)
        f.store(at, first, left, "u8")
        with f.when(left.eq(0)):
            self.drop_places(f, where, self.layout.where, bit)

    def _count_up(self, f: Function, at: Value, first: int, to: Value) -> None:
        at = f.held(at, "at")
        there = f.local("there", load(at, first, "u8"))
        with f.when(there.eq(255)):
            self.fail(f, "more than 255 men on {}", at=to)
        f.store(at, first, there + 1, "u8")

    def _build_carry(self) -> None:
        """``carry``: facts of a man travel with him and end when he leaves the board."""
        layout = self.layout
        with self.function("carry", {"t": "i32", "origin": "i32", "to": "i32"}) as f:
            t, origin, to = f.param("t"), f.param("origin"), f.param("to")
            c = Context(t, const(0))
            standing = [a | b for a, b in zip(self.terms.men(0, -1, c), self.terms.men(1, -1, c), strict=True)]
            with f.when(self.terms.has(standing, origin)):
                f.give()
            from_bit = self.terms.held(self.terms.bit(origin), "from_bit")
            stays = f.local("stays", to.lt(layout.points))
            to_bit = [f.local("to_bit", select(stays, bit, const(0, bit.type))) for bit in self.terms.bit(to)]
            for slot in layout.slots:
                if not slot.memory.on_men:
                    continue
                moved = f.local("moved", 1)
                if slot.memory.kind == "mark":
                    marks = self.terms.held(self.terms.fact_words(slot, t), "marks")
                    had = f.local("had", self.terms.has(marks, origin))
                    there = self.terms.any([m & b for m, b in zip(marks, to_bit, strict=True)])
                    f.set(moved, had | there)
                    with f.when(moved):
                        self._carry_bit(f, t, slot.offset, from_bit, to_bit, had)
                else:
                    self._carry_value(f, t, slot, origin, to, stays)
                if slot.memory.lasts == "reply":
                    offset = layout.fresh[slot.memory.index][0]
                    with f.when(moved):
                        bit = f.local("fresh", self.terms.has(self.stored_words(t, offset), origin))
                        self._carry_bit(f, t, offset, from_bit, to_bit, bit)

    def _carry_bit(self, f: Function, t: Value, offset: int, from_bit: Words, to_bit: Words, had: Value) -> None:
        words = []
        for word, a, b in zip(self.stored_words(t, offset), from_bit, to_bit, strict=True):
            words.append(word.without(a | b) | select(had, b, const(0, b.type)))
        self.store_words(f, t, offset, words)

    def _carry_value(self, f: Function, t: Value, slot: Slot, origin: Value, to: Value, stays: Value) -> None:
        source, goal = f.local("source", t + origin * slot.size), f.local("goal", t + to * slot.size)
        if slot.kind == "mask":
            carried = [f.local("carried", w) for w in self.terms.fact_words(slot, source)]
            self.store_words(f, source, slot.offset, self.terms.constant(0))
            with f.when(stays):
                self.store_words(f, goal, slot.offset, carried)
            return
        one = f.local("carried", load(source, slot.offset, slot.kind))
        f.store(source, slot.offset, blank(slot.memory), slot.kind)
        with f.when(stays):
            f.store(goal, slot.offset, one, slot.kind)

    # ---- facts -----------------------------------------------------------------------------------

    def written(self, f: Function, t: Value, memory: Memory, parts: Words | Value, on: bool = True) -> None:
        """A fact that lasts a reply was written (or forgotten) in this turn."""
        if memory.lasts != "reply":
            return
        offset, kind = self.layout.fresh[memory.index]
        if kind == "mask":
            assert isinstance(parts, list)
            if on:
                self.add_place(f, t, offset, parts)
            else:
                self.drop_places(f, t, offset, parts)
            return
        assert isinstance(parts, Value)
        old = load(t, offset)
        f.store(t, offset, old | parts if on else old.without(parts))

    def expire(self, f: Function, t: Value) -> None:
        """The turn is over: facts of the turn end; those of a reply end unless written in this turn."""
        for slot in self.layout.slots:
            memory = slot.memory
            if memory.lasts == "game":
                continue
            fresh = None
            if memory.lasts == "reply":
                offset, kind = self.layout.fresh[memory.index]
                fresh = self.stored_words(t, offset) if kind == "mask" else [load(t, offset)]
            if memory.kind == "mark":
                old = self.terms.fact_words(slot, t)
                keep = fresh or self.terms.constant(0)
                self.store_words(f, t, slot.offset, [a & b for a, b in zip(old, keep, strict=True)])
            elif slot.count == 1:
                keep_one = const(0) if fresh is None else f.local("keep", load(t, self.layout.fresh[memory.index][0]))
                with f.when(keep_one.no()):
                    self.blank(f, t, slot, const(0))
            elif fresh is None:
                with f.count_to(slot.count) as i:
                    self.blank(f, t, slot, i)
            elif memory.per == "side":
                flags = f.local("flags", fresh[0])
                for side in range(slot.count):
                    with f.when(((flags >> side) & 1).no()):
                        self.blank(f, t, slot, const(side))
            else:
                kept = self.terms.held(fresh, "kept")
                with f.count_to(slot.count) as i, f.when(self.terms.has(kept, i).no()):
                    self.blank(f, t, slot, i)
            if fresh is not None:
                offset, kind = self.layout.fresh[memory.index]
                if kind == "mask":
                    self.store_words(f, t, offset, self.terms.constant(0))
                else:
                    f.store(t, offset, 0)

    def blank(self, f: Function, t: Value, slot: Slot, number: Value) -> None:
        """One value of a fact returns to its beginning."""
        base = t + number * slot.size
        if slot.kind == "mask":
            self.store_words(f, base, slot.offset, self.terms.constant(0))
        else:
            f.store(base, slot.offset, blank(slot.memory), slot.kind)

    def standing(self, c: Context) -> Words:
        """Points where anybody stands."""
        own, foe = self.terms.men(0, -1, c), self.terms.men(1, -1, c)
        points = self.terms.constant(self.game.board.all_points)
        return [p & (a | b) for p, a, b in zip(points, own, foe, strict=True)]

    # ---- effects -----------------------------------------------------------------------------------

    def effect(self, f: Function, effect: Effect, c: Context, clause: Then) -> None:
        """One effect, for the reader of the context."""
        getattr(self, "_do_" + effect.op.replace("-", "_"))(f, effect, c, clause.clause.id)

    def _kinds(self, kind: int) -> list[int]:
        return list(range(self.kinds)) if kind < 0 else [kind]

    def _do_send(self, f: Function, effect: Effect, c: Context, clause: str) -> None:
        who, kind = effect.data
        places = self.terms.held(self.terms.places(effect.args[0], c), "places")
        side = f.held(c.side ^ who, "whose")
        there = [
            self.terms.held([m & p for m, p in zip(self.terms.men(who, k, c), places, strict=True)], "sent")
            for k in self._kinds(kind)
        ]
        anybody = [w for words in there for w in words]
        some = anybody[0]
        for word in anybody[1:]:
            some = some | word
        with f.when(some.ne(0)):
            to = f.local("goal", self.terms.index(effect.args[1], c))
            with f.when(to.lt_signed(0)):
                self.fail(f, "men are sent to no place", clause)
            with f.when(to.ge(self.layout.points)), f.when(((to - self.layout.points) & 1).ne(side)):
                self.fail(f, "men are sent to the other side's place", clause)
            for k, words in zip(self._kinds(kind), there, strict=True):
                with self.terms.each_place(words, "man") as place, f.when(place.ne(to)):
                    self._all_of(f, c, side * self.kinds + k, place, to)

    def _all_of(self, f: Function, c: Context, man: Value, place: Value, to: Value) -> None:
        """All men of a kind on a place go."""
        man = f.held(man, "kind")
        if self.layout.many:
            at = self.layout.counts
            with f.count_to(f.local("many", load(c.record + man * self.layout.row + place, at, "u8")), "n"):
                f.do("move", c.record, man, place, to)
            return
        many = f.local("many", 1)
        with f.when(place.ge(self.layout.points)):
            at = self.layout.counts - self.layout.first_counted
            f.set(many, load(c.record + man * self.layout.row + place, at, "u8"))
        with f.count_to(many, "n"):
            f.do("move", c.record, man, place, to)

    def _do_take(self, f: Function, effect: Effect, c: Context, clause: str) -> None:
        who, kind = effect.data
        layout, boxes = self.layout, self.game.board.beside["box"]
        places = self.terms.held(self.terms.places(effect.args[0], c), "places")
        side = f.held(c.side ^ who, "whose")
        box = select(side, const(boxes[1]), const(boxes[0]))
        points = self.terms.constant(self.game.board.all_points)
        taken = f.local("taken", 0)
        for k in self._kinds(kind):
            words = [m & p & q for m, p, q in zip(self.terms.men(who, k, c), places, points, strict=True)]
            words = self.terms.held(words, "taken_from")
            if layout.many or self.men_carry:
                with self.terms.each_place(words, "man") as place:
                    man = f.local("kind", side * self.kinds + k)
                    number = const(1)
                    if layout.many:
                        at = load(c.record + man * layout.row + place, layout.counts, "u8")
                        number = f.local("many", at)
                    self._all_of(f, c, man, place, box)
                    f.set(taken, taken + number)
                continue
            with f.when(self.terms.any(words)):
                number = f.local("many", self.terms.size(words))
                man = f.local("kind", side * self.kinds + k)
                self.drop_places(f, c.record + man * layout.mask_size, layout.where, words)
                self.add_place(f, c.record + man * layout.mask_size, layout.where, self.terms.bit(box))
                at = f.local("at", c.record + man * layout.row + box)
                there = load(at, layout.counts - layout.first_counted, "u8")
                f.store(at, layout.counts - layout.first_counted, there + number, "u8")
                f.set(taken, taken + number)
        f.store(c.record, layout.tallies, load(c.record, layout.tallies) + taken)

    def _do_make(self, f: Function, effect: Effect, c: Context, clause: str) -> None:
        who, kind, new = effect.data
        layout = self.layout
        places = self.terms.held(self.terms.places(effect.args[0], c), "places")
        side = f.held(c.side ^ who, "whose")
        into = f.local("into", side * self.kinds + new)
        for k in self._kinds(kind):
            if k == new:
                continue
            old = f.local("old", side * self.kinds + k)
            words = self.terms.held([m & p for m, p in zip(self.terms.men(who, k, c), places, strict=True)], "made")
            with f.when(self.terms.any(words)):
                if layout.many or any(self.game.board.beside):
                    counted = words if layout.many else self.terms.beside_words(words)
                    first = layout.counts - layout.first_counted
                    with self.terms.each_place(counted, "man") as place:
                        a = f.local("a", c.record + old * layout.row + place)
                        b = f.local("b", c.record + into * layout.row + place)
                        f.store(b, first, load(b, first, "u8") + load(a, first, "u8"), "u8")
                        f.store(a, first, 0, "u8")
                self.drop_places(f, c.record + old * layout.mask_size, layout.where, words)
                self.add_place(f, c.record + into * layout.mask_size, layout.where, words)

    def _do_remember(self, f: Function, effect: Effect, c: Context, clause: str) -> None:
        index, theirs = effect.data
        slot, t = self.layout.slots[index], c.record
        memory = slot.memory
        new: Words | Value
        if slot.kind == "mask":
            new = self.terms.held(self.terms.places(effect.args[0], c), "new")
        else:
            new = f.local("new", self.terms.of(effect.args[0], c))
            if memory.kind == "number":
                f.set(new, select(new.lt_signed(memory.low), const(memory.low), new))
                f.set(new, select(new.gt_signed(memory.high), const(memory.high), new))
        if memory.on_men:
            places = self.terms.places(effect.args[1], c)
            men = self.terms.held([a & b for a, b in zip(places, self.standing(c), strict=True)], "on_men")
            with self.terms.each_place(men, "man") as place:
                self._put(f, t + place * slot.size, slot, new)
            self.written(f, t, memory, men)
            return
        part = c.side ^ theirs if memory.per == "side" else const(0)
        self._put(f, t + part * slot.size, slot, new)
        self.written(f, t, memory, const(1) << part)

    def _put(self, f: Function, base: Value, slot: Slot, new: Words | Value) -> None:
        if isinstance(new, list):
            self.store_words(f, base, slot.offset, new)
        else:
            f.store(base, slot.offset, new, slot.kind)

    def _do_forget(self, f: Function, effect: Effect, c: Context, clause: str) -> None:
        index, theirs = effect.data
        places = self.terms.held(self.terms.places(effect.args[0], c), "places") if effect.args else None
        self._forget(f, c, self.layout.slots[index], theirs, places)

    def _forget(self, f: Function, c: Context, slot: Slot, theirs: int, places: Words | None) -> None:
        memory, t = slot.memory, c.record
        if memory.kind == "mark":
            self.drop_places(f, t, slot.offset, places or self.terms.constant(-1))
            self.written(f, t, memory, places or self.terms.constant(-1), on=False)
        elif memory.per == "man":
            points = self.terms.constant(self.game.board.all_points)
            chosen = points if places is None else [a & b for a, b in zip(places, points, strict=True)]
            with self.terms.each_place(chosen, "man") as place:
                self.blank(f, t, slot, place)
            self.written(f, t, memory, places or self.terms.constant(-1), on=False)
        else:
            part = c.side ^ theirs if memory.per == "side" else const(0)
            self.blank(f, t, slot, part)
            self.written(f, t, memory, const(1) << part, on=False)

    def _do_mark(self, f: Function, effect: Effect, c: Context, clause: str) -> None:
        places = self.terms.places(effect.args[0], c)
        self.mark(f, c, effect.data[0], places)

    def mark(self, f: Function, c: Context, index: int, places: Words) -> None:
        """Men on these points bear the mark."""
        slot = self.layout.slots[index]
        men = self.terms.held([a & b for a, b in zip(places, self.standing(c), strict=True)], "on_men")
        self.add_place(f, c.record, slot.offset, men)
        self.written(f, c.record, slot.memory, men)

    def _do_unmark(self, f: Function, effect: Effect, c: Context, clause: str) -> None:
        places = self.terms.held(self.terms.places(effect.args[0], c), "places")
        self._forget(f, c, self.layout.slots[effect.data[0]], 0, places)

    # ---- control -------------------------------------------------------------------------------------

    def _note(self, f: Function, c: Context, control: int) -> None:
        f.store(c.record, self.layout.control, control, "u8")

    def _do_again(self, f: Function, effect: Effect, c: Context, clause: str) -> None:
        phase, able = effect.data
        place = self.terms.index(effect.args[0], c) if effect.args else const(-1)
        f.store(c.record, self.layout.control_place, place, "s16")
        f.store(c.record, self.layout.control_phase, 255 if phase < 0 else phase, "u8")
        f.store(c.record, self.layout.control_able, able, "u8")
        self._note(f, c, AGAIN)

    def _do_hand_over(self, f: Function, effect: Effect, c: Context, clause: str) -> None:
        self._note(f, c, HAND_OVER)

    def _do_hand_over_dice(self, f: Function, effect: Effect, c: Context, clause: str) -> None:
        self._note(f, c, HAND_OVER_DICE)

    def _do_throw(self, f: Function, effect: Effect, c: Context, clause: str) -> None:
        self._note(f, c, THROW)

    def _do_set_dice(self, f: Function, effect: Effect, c: Context, clause: str) -> None:
        number = f.local("number", self.terms.of(effect.args[0], c))
        shown = f.local("shown", self.terms.of(effect.args[1], c))
        with f.when(number.gt(64) | (number.ne(0) & shown.lt_signed(1))):
            self.fail(f, "dice that cannot be: more than 64, or showing nothing", clause)
        self._no_dice(f, c)
        with f.when(number.ne(0)):
            self._face(f, shown, clause)
            f.store(c.record + shown, self.layout.control_left, number, "u8")
        f.store(c.record, self.layout.control_dice, number, "u8")
        self._note(f, c, DICE)

    def _do_add_die(self, f: Function, effect: Effect, c: Context, clause: str) -> None:
        shown = f.local("shown", self.terms.of(effect.args[0], c))
        with f.when(shown.lt_signed(1)):
            self.fail(f, "a die that shows nothing", clause)
        self._face(f, shown, clause)
        for i in range(1, self.layout.faces + 1):
            f.store(c.record, self.layout.control_left + i, load(c.record, self.layout.left + i, "u8"), "u8")
        at = f.local("at", c.record + shown)
        f.store(at, self.layout.control_left, load(at, self.layout.control_left, "u8") + 1, "u8")
        f.store(c.record, self.layout.control_dice, load(c.record, self.layout.dice, "u8") + 1, "u8")
        self._note(f, c, DICE)

    def _no_dice(self, f: Function, c: Context) -> None:
        for i in range(1, self.layout.faces + 1):
            f.store(c.record, self.layout.control_left + i, 0, "u8")

    def _face(self, f: Function, shown: Value, clause: str) -> None:
        with f.when(shown.gt(self.layout.faces)):
            self.fail(f, "a die that shows more than any of the game's dice", clause)


def blank(memory: Memory) -> int:
    """The number a fact of a kind begins with."""
    return {"flag": 0, "number": memory.low, "direction": -1}.get(memory.kind, 0)
