"""One mover's play, step by step: what he may do, what a step changes, whether the game might end.

Everything is read along his track (``tracked``) and made for one side at a time, so that
its constants are those of his numbering. One room: the questions that both kinds of
throw ask of a position within a play.
"""

from __future__ import annotations

from dataclasses import replace
from functools import reduce

from interpreter.compiled.context import Context
from interpreter.compiled.fitting import Fitting
from interpreter.compiled.order import Order
from interpreter.compiled.reach import Reach
from interpreter.compiled.terms import path_free
from interpreter.compiled.tracked import Noted, Tracked, TrackMasks, TrackTerms, Unfit
from interpreter.compiled.wat import Function, Value, call, const, global_, load, select
from interpreter.game.types import OWN, Expression, May, Path
from interpreter.machine.evaluate import conjuncts, fixed


class Stepping(Fitting):
    """Positions within a play, and functions ``go`` and ``over`` on records."""

    def _terms_of(self, side: int) -> TrackTerms:
        terms = TrackTerms(self.game, self.layout, self.reference, self.data)
        terms.start(side)
        travelling = set(self.main_may.paths[side])
        for path in travelling:
            p = self.game.paths[path]
            i, j = terms.number[p.origin], terms.number[p.to]
            if p.origin < 0 or j != min(i + p.die, terms.length - 1) or p.excess != max(i + p.die - j, 0):
                raise Unfit("paths that are not the track's")
        terms.travelling = travelling
        return terms

    def permitted_by(self, f: Function, terms: TrackTerms, t: Value, die: Value, now: Tracked) -> Value:
        """The places from which a man may go with a die, prohibitions that look ahead apart."""
        side = terms.mover
        terms.now = now
        terms.function = f
        masks = TrackMasks(terms, Context(t, const(side)), die, self.layout.faces, self.main)
        found = now.own[1] & masks.paths_where(lambda p: p.index in terms.travelling)
        for bar in self._bars(side):
            assert bar.when is not None
            refused: Value | None = None
            parts = conjuncts(bar.when)
            for e in sorted(parts, key=lambda e: not fixed(e)):
                mask = masks.of(e, None)
                if mask is None:
                    raise Unfit(f"condition {e.op}")
                refused = mask[0] if refused is None else refused & mask[0]
            found = found.without(refused if refused is not None else const(-1))
        return f.held(found, "permitted")

    def guarded(self, f: Function, terms: TrackTerms, t: Value, now: Tracked, able: Value) -> Value:
        """Might another verb be permitted here? (What cannot be read is taken to hold.)

        Args:
            able: can the verb that travels do anything here?
        """
        found = const(0)
        terms.function = f
        for may in self.guards:
            if terms.mover not in may.sides:
                continue
            terms.now = now
            found = found | self._might(f, terms, t, may, able)
        return found

    def _might(self, f: Function, terms: TrackTerms, t: Value, may: May, able: Value) -> Value:
        """An upper bound of a clause's condition over all paths and dice."""
        c = Context(t, const(terms.mover))

        def bound(e: Expression) -> Value:
            if e.op in ("and", "or"):
                a, b = bound(e.args[0]), bound(e.args[1])
                return a & b if e.op == "and" else a | b
            if e.op == "compare" and e.args[0].op == "run-through":
                # no stretch is longer than the longest
                longest = Expression("run", e.args[0].sort, (e.args[0].args[0],))
                if e.data[0] in (4, 5):
                    e = replace(e, args=(longest, e.args[1]))
            if e.op == "in" and e.args[0].op == "from" and path_free(e.args[1]):
                # somebody must stand there
                return f.held((terms.now.own[1] & terms.places(e.args[1], c)[0]).truth(), "might")
            asked = e.args[0] if e.op == "not" else e
            if asked.op == "can" and asked.data[0] == self.main:
                return able.no() if e.op == "not" else able.truth()
            if not path_free(e):
                return const(1)
            try:
                kept = f.captured()
                value = terms.of(e, c)
                work = f.release(kept)
                f.lines += work
            except Unfit:
                f.release(kept)
                return const(1)
            return f.held(value.truth(), "might")

        return bound(may.when)

    def recorded(self, side: int) -> tuple[TrackTerms, Tracked]:
        """What of a position the rules read: a dry run that notes it."""
        terms = self._terms_of(side)
        f = Function("dry")
        now = Tracked(Noted(), Noted(), Noted(), Noted())
        self.permitted_by(f, terms, const(0), const(1), now)
        self.guarded(f, terms, const(0), now, const(1))
        for bar in self._after_bars(side):
            assert bar.after is not None
            terms.now, terms.function = now, f
            terms.of(bar.after, Context(const(0), const(side)))
        now.foe[1], now.own[1]
        for _, memory, theirs in self.flag_effects:
            part = (side ^ theirs) if self.game.memories[memory].per == "side" else 0
            now.flags[memory, part]
        return terms, now

    def root(self, f: Function, terms: TrackTerms, t: Value, read: Tracked, dice: int) -> Tracked:
        """The position as the play begins, from the record; levels enough for so many steps."""
        side, layout = terms.mover, self.layout
        track = [*terms.number]  # places in the mover's order
        lanes = [*track, *[31] * (32 - len(track))]
        vectors = {}
        for who in (0, 1):
            for part in (0, 1):
                at = f"offset={layout.counts + (side ^ who) * layout.row}"
                low, high = (
                    f"(v128.load {at} {t.code})",
                    f"(v128.load offset={layout.counts + (side ^ who) * layout.row + 16} {t.code})",
                )
                name = f.variable(f"men_{who}_{part}", "v128")
                chosen = " ".join(str(lane) for lane in lanes[16 * part : 16 * part + 16])
                f.raw(f"(local.set {_name(name)} (i8x16.shuffle {chosen} {low} {high}))")
                vectors[who, part] = name

        def level(who: int, k: int) -> Value:
            masks = [
                Value(f"(i8x16.bitmask (i8x16.ge_u {vectors[who, p].code} (i8x16.splat (i32.const {k}))))")
                for p in (0, 1)
            ]
            return f.local(f"{'foe' if who else 'own'}{k}", (masks[0] | (masks[1] << 16)) & ((1 << len(track)) - 1))

        most = max(read.own) + dice - 1
        own = {k: level(0, k) for k in range(1, most + 1)}
        foe = {k: level(1, k) for k in sorted(read.foe)}
        numbers = {}
        for who, mask in read.numbers:
            if mask.bit_count() == 1:
                place = mask.bit_length() - 1
                vector = vectors[who, place // 16]
                numbers[who, mask] = f.local("number", Value(f"(i8x16.extract_lane_u {place % 16} {vector.code})"))
            else:
                numbers[who, mask] = f.local("number", self._sum_of(f, vectors, who, mask))
        flags = {}
        for memory, part in read.flags:
            slot = layout.slots[memory]
            flags[memory, part] = f.local("flag", load(t, slot.offset + part, "u8"))
        return Tracked(own, foe, numbers, flags)

    def _sum_of(self, f: Function, vectors: dict[tuple[int, int], Value], who: int, mask: int) -> Value:
        sums = []
        for part in (0, 1):
            chosen = bytes(255 * (mask >> (16 * part + i) & 1) for i in range(16))
            if any(chosen):
                vector = f"(v128.and {vectors[who, part].code} (v128.const i8x16 {' '.join(map(str, chosen))}))"
                sums.append(f"(i16x8.extadd_pairwise_i8x16_u {vector})")
        total = reduce(lambda a, b: f"(i16x8.add {a} {b})", sums)
        held = f.variable("sums", "v128")
        f.raw(f"(local.set {_name(held)} (i32x4.extadd_pairwise_i16x8_u {total}))")
        return reduce(lambda a, b: a + b, [Value(f"(i32x4.extract_lane {i} {held.code})") for i in range(4)])

    def stepped(self, f: Function, terms: TrackTerms, now: Tracked, place: Value, die: Value, levels: int) -> Tracked:
        """The position after a man has gone from a place with a die; ``levels`` of own men stay known."""
        bit = f.local("from_bit", const(1) << place)
        end = 1 << (terms.length - 1)
        to = f.local("to_bit", bit << die)
        f.set(to, select(to.gt(end), const(end), to))
        own = {}
        for k in range(1, levels + 1):
            left = now.own[k] & (now.own[k + 1] | (bit ^ 0xFFFFFFFF))
            reached = to if k == 1 else to & now.own[k - 1]
            own[k] = f.local(f"own{k}", left | reached)
        foe = dict(now.foe)
        numbers = {}
        struck: Value | None = None
        if self.hits:
            struck = f.local("struck", to & now.foe[1])
            bar = 1 << terms.number[self.foe_bars[terms.mover]]
            some = struck.ne(0)
            for k in now.foe:
                before = now.foe[k]
                after = before ^ struck if k == 1 else before
                reached = const(bar) if k == 1 else now.foe.get(k - 1, const(bar)) & bar
                foe[k] = f.local(f"foe{k}", after | select(some, reached, const(0)))
        for (who, mask), number in now.numbers.items():
            if who == 0:
                number = number - (bit & mask).ne(0) + (to & mask).ne(0)
            elif struck is not None:
                bar_in = int(mask >> terms.number[self.foe_bars[terms.mover]] & 1)
                number = number - (struck & mask).ne(0) + (struck.ne(0) & bar_in)
            numbers[who, mask] = f.held(number, "number")
        flags = dict(now.flags)
        for memory, part, mask in self.flag_masks(terms):
            flags[memory, part] = f.local("flag", flags[memory, part] | (to & mask).ne(0))
        return Tracked(own, foe, numbers, flags)

    def flag_masks(self, terms: TrackTerms) -> list[tuple[int, int, int]]:
        """(fact, part, places): a flag is set by going to one of these places."""
        found = []
        for then, memory, theirs in self.flag_effects:
            places, others = 0, 0
            for path in terms.travelling:
                holds = terms.value_at(then.when, terms.mover, path, self.main)
                bit = 1 << terms.number[self.game.paths[path].to]
                places, others = places | (bit if holds else 0), others | (0 if holds else bit)
            if places & others:
                raise Unfit("flags by more than the place")
            part = (terms.mover ^ theirs) if self.game.memories[memory].per == "side" else 0
            found.append((memory, part, places))
        for memory, part, _ in found:
            # two ways that set one flag by different places could not be told from two results
            together = reduce(lambda a, b: a | b, [m for other, p, m in found if (other, p) == (memory, part)])
            if together.bit_count() > 1:
                raise Unfit("flags set by several places")
        return found

    def checked(
        self, f: Function, terms: TrackTerms, t: Value, now: Tracked, places: Value, die: Value, levels: int
    ) -> Value:
        """Prohibitions that look at the position after a step, asked place by place where one might hold."""
        bars = self._after_bars(terms.mover)
        if not bars:
            return places
        left = f.local("left", places)
        with f.when(self._wary(f, t, terms.mover, now, const(1))), f.each_bit(places, "place") as place:
            after = self.stepped(f, terms, now, place, die, levels)
            terms.now, terms.function = after, f
            c = Context(t, const(terms.mover))
            refused = const(0)
            for bar in bars:
                assert bar.after is not None
                refused = refused | terms.of(bar.after, c)
            with f.when(refused):
                f.set(left, left & ((const(1) << place) ^ 0xFFFFFFFF))
        return left

    def _wary(self, f: Function, t: Value, side: int, now: Tracked, steps: Value) -> Value:
        """Might a prohibition that looks ahead hold within so many steps?"""
        conditions = [(bar.after, side) for bar in self._after_bars(side) if bar.after is not None]
        if not conditions:
            return const(0)
        found = const(0)
        for e, reader in conditions:
            parts = conjuncts(e)
            holds = const(1)
            for part in parts:
                holds = holds & self._long_run(f, part, now, steps, t, reader)
            found = found | holds
        return f.local("wary", found)

    def _long_run(self, f: Function, e: Expression, now: Tracked, steps: Value, t: Value, reader: int) -> Value:
        """Can a run grow beyond a length: are there places enough already?"""
        if e.op == "compare" and e.data[0] in (4, 5) and e.args[0].op == "run" and e.args[1].op == "int":
            inner = e.args[0].args[0]
            question = inner.args[1] if inner.op == "where" else inner
            if question.op == "compare" and question.args[0].op == "count" and question.data[0] in (4, 5):
                limit = question.args[1].data[0] + (question.data[0] == 4)
                if question.args[0].data[0] == OWN and limit in now.own:
                    wanted = e.args[1].data[0] + (e.data[0] == 4)
                    return self._window(f, now.own[limit], wanted, steps)
        return const(1)

    def _window(self, f: Function, places: Value, wanted: int, steps: Value) -> Value:
        """Are there so many places in a row that only as many as there are steps are missing?"""
        enough = f.local("enough", (places.bits() + steps).ge_signed(wanted))
        with f.when(enough):
            f.set(enough, 0)
            with f.count_to(32 - wanted + 1, "start") as start:
                inside = (places >> start) & ((1 << wanted) - 1)
                f.set(enough, enough | (inside.bits() + steps).ge_signed(wanted))
        return enough

    def _reach(
        self, f: Function, terms: TrackTerms, now: Tracked, steps: Value, shifts: list[Value], tracked: bool = False
    ) -> Reach:
        """What the mover can touch in a play: the men who stand alone within his reach.

        Numbers are read from the record, or (``tracked``) from the position itself.
        """

        def places_of(e: Expression, c: Context) -> Value | None:
            terms.now, terms.function = now, f
            try:
                return f.held(terms.places(e, c)[0], "places")
            except (Unfit, KeyError):
                return None

        def read(e: Expression, c: Context) -> Value:
            reader = terms if tracked else self.terms
            terms.now, reader.function = now, f
            return reader.of(e, c)

        touched = const(1 << (terms.length - 1))
        for shift in shifts:
            # a man further on than the track is long is off the board
            touched = touched | select(shift.lt(32), now.own[1] << shift, const(0))
        touched = f.local("touched", touched & terms.on_track)
        alone = now.foe[1].without(now.foe[2]) if 2 in now.foe else now.foe[1]
        points = terms.moved(self.game.board.all_points) if self.hits else 0
        in_reach = f.local("in_reach", touched & alone & points)
        return Reach(terms.mover, steps, in_reach, terms.number, touched, now.own[1], places_of, read)

    def _conditions(self, side: int) -> list[tuple[Expression, int]]:
        """What would end the game, with its reader."""
        found = []
        for ends in self.game.ends:
            for other in {"mover": (0,), "foe": (1,)}.get(ends.reader, (0, 1)):
                if (side ^ other) in ends.sides:
                    found.append((ends.when, side ^ other))
        return found

    def _recorded_ends(self, terms: TrackTerms) -> Tracked | None:
        """What the endings read, if all can be read along the track."""
        now = Tracked(Noted(), Noted(), Noted(), Noted())
        if any(ends.reader == "both" for ends in self.game.ends):
            return None
        try:
            self._ended(Function("dry"), terms, const(0), now, Value("(risk)"))
            self._near_end(Function("dry"), terms, const(0), now, Value("(die)"), Value("(risk)"))
        except Unfit:
            return None
        now.own[1], now.foe[1]
        for memory, part, _ in self.flag_masks(terms):
            now.flags[memory, part]
        return now

    def _ended(self, f: Function, terms: TrackTerms, t: Value, now: Tracked, risk: Value) -> Value:
        """Does an ending hold in a position? Only those are asked whose bit says that they might."""
        over = f.local("over", 0)
        for number, (e, reader) in enumerate(self._conditions(terms.mover)):
            terms.now, terms.function = now, f
            with f.when(risk & (1 << min(number, 31))):
                f.set(over, over | terms.of(e, Context(t, const(reader))).truth())
        return over

    def _near_end(self, f: Function, terms: TrackTerms, t: Value, now: Tracked, die: Value, risk: Value) -> Value:
        """Which of the endings might come about with one more step?"""
        reach = self._reach(f, terms, now, const(1), [die], tracked=True)
        return f.local("near", self.at_risk(f, t, reach, self._conditions(terms.mover)) & risk)

    def _try_end(
        self,
        f: Function,
        terms: TrackTerms,
        t: Value,
        now: Tracked | None,
        steps: list[tuple[Value, Value]],
        risk: Value,
    ) -> Value:
        """Would the game end with these steps? Read along the track if it can be, else tried out on a record."""
        if now is not None:
            for place, die in steps:
                now = self.stepped(f, terms, now, place, die, max(now.own) - 1)
            return self._ended(f, terms, t, now, risk)
        u = global_("trial")
        self.copy(f, u, t, self.layout.size)
        for place, die in steps:
            f.do(f"go_{terms.mover}", u, place, die)
        return f.local("over", call(f"over_{terms.mover}", u))

    def _build_go(self, side: int, terms: TrackTerms) -> None:
        """``go``: a man goes with a die, on a record; ``over``: would that end the game?"""
        layout = self.layout
        track = self.game.board.tracks[side]
        table = self.data.add(bytes(track), 1)
        bar = self.foe_bars[side]
        with self.function(f"go_{side}", {"t": "i32", "place": "i32", "die": "i32"}) as f:
            t, place = f.param("t"), f.param("place")
            to_number = f.local("to_number", place + f.param("die"))
            f.set(to_number, select(to_number.ge(len(track)), const(len(track) - 1), to_number))
            origin, to = f.local("origin", load(place, table, "u8")), f.local("to", load(to_number, table, "u8"))
            row, where = layout.counts + side * layout.row, layout.where + side * layout.mask_size
            left = f.local("left", load(t + origin, row, "u8") - 1)
            f.store(t + origin, row, left, "u8")
            f.store(t + to, row, load(t + to, row, "u8") + 1, "u8")
            gone = select(left, const(0), const(1) << origin)
            f.store(t, where, (load(t, where).without(gone)) | (const(1) << to))
            if self.hits:
                row, where = layout.counts + (1 - side) * layout.row, layout.where + (1 - side) * layout.mask_size
                with f.when((load(t, where) >> to) & 1):
                    f.store(t + to, row, 0, "u8")
                    f.store(t, row + bar, load(t, row + bar, "u8") + 1, "u8")
                    f.store(t, where, load(t, where).without(const(1) << to) | (1 << bar))
            for memory, part, mask in self.flag_masks(terms):
                at = layout.slots[memory].offset + part
                f.store(t, at, load(t, at, "u8") | ((const(mask) >> to_number) & 1), "u8")
        with self.function(f"over_{side}", {"t": "i32"}, "i32") as f:
            t = f.param("t")
            c = Context(t, const(side), verb=const(self.main))
            f.give(self.settle(f, t, "decision", const(side), c, None))

    def _bail(self, f: Function) -> None:
        """Leave the play to the general search."""
        f.give(-1)

    def _wasting(self, terms: TrackTerms, f: Function, die: Value) -> Value:
        masks = TrackMasks(terms, Context(const(0), const(terms.mover)), die, self.layout.faces, self.main)
        return masks.paths_where(lambda p: p.index in terms.travelling and p.excess)

    def _order_is_free(self, side: int, terms: TrackTerms) -> bool:
        """Can equal dice be played from the back to the front? (See ``order``.)"""
        if self._after_bars(side) or self.guards:
            return False
        order, bars = self._order(side, terms), self._bars_asked(side)
        return all(order.free(paths, bars) for paths in self._by_die(terms).values())

    def _never_disables(self, side: int, terms: TrackTerms) -> bool:
        """Does a step with one die never make a step with another impossible?"""
        if self._after_bars(side) or self.guards:
            return False
        order, bars, by_die = self._order(side, terms), self._bars_asked(side), self._by_die(terms)
        return all(order.keeps(by_die[a], by_die[b], bars) for a in by_die for b in by_die if a > b)

    def _bars_asked(self, side: int) -> list[Expression]:
        return [bar.when for bar in self._bars(side) if bar.when is not None]

    def _by_die(self, terms: TrackTerms) -> dict[int, list[Path]]:
        by_die: dict[int, list[Path]] = {}
        for path in terms.travelling:
            by_die.setdefault(self.game.paths[path].die, []).append(self.game.paths[path])
        return by_die

    def _order(self, side: int, terms: TrackTerms) -> Order:
        sets: dict[tuple[int, int], int] = {}
        for memory, part, mask in self.flag_masks(terms):
            places = sum(1 << p for p, n in terms.number.items() if mask >> n & 1)
            sets[memory, part] = sets.get((memory, part), 0) | places

        def part_of(memory: int, turned: int) -> tuple[int, int]:
            return memory, (side ^ turned) if self.game.memories[memory].per == "side" else 0

        return Order(
            side,
            lambda e, path: terms.value_at(e, side, path, self.main),
            self.hits,
            self.foe_bars[side],
            part_of,
            sets,
            terms.number,
            self.game.board.all_points,
        )


def _name(variable: Value) -> str:
    return variable.code.removeprefix("(local.get ").removesuffix(")")
