"""Plays of dice, counted and picked by their labels instead of listed.

Where one verb moves men along the track and a play's result is decided by *which* paths
it takes, not by their order, a play of two different dice is a pair (path of the larger
die, path of the smaller), a play of equal dice a multiset of places. Which pairs can be
played, in either order, is a row of bits for each path of the larger die; results are
counted by counting bits, one is drawn by its number, and only that one is played.

What is proved of a game before this is used (else the general search serves):

- one kind of man, many to a point, no phases, no active man, flags as the only facts;
- one verb travels; it may not go where the other side has two men or more, so that men
  sent away stood alone; other verbs only guard: where one might be permitted in a play,
  the play is given to the general search;
- effects: men sent from `to` to the other side's first place, flags set where `to` is;
- duties, in file order: most dice, then most pips, then least waste (each optional after
  the first), unless the game ended; nothing else filters plays;
- endings only after decisions; where one might come about within the play (numbers can
  rise or fall only so far in so many steps), every play is tried out.

Two labels with one result are found by cases: one man by two ways (equal unless
something stood, or a flag lies, on a place touched), two men to the last place with the
dice exchanged, one man to the last place by either die or by both.

One room: one play, from its permissions to its drawing.
"""

from __future__ import annotations

from dataclasses import replace
from functools import reduce

from interpreter.compiled.building import THROW
from interpreter.compiled.context import Context
from interpreter.compiled.reach import Bounds, Reach
from interpreter.compiled.order import Order
from interpreter.compiled.terms import path_free
from interpreter.compiled.tracked import Noted, Tracked, TrackMasks, TrackTerms, Unfit
from interpreter.compiled.wat import Function, Value, call, const, global_, load, select
from interpreter.game.types import FOE, OWN, Expression, May, MayNot, Path, Then
from interpreter.game.walk import ops
from interpreter.machine.evaluate import conjuncts, fixed
from interpreter.machine.types import TO_THROW

MOST_FACES = 6
MOST_EQUAL = 4
ROWS = 32


class Plays(Bounds):
    """``plays_of``: how many results the play that begins here has; ``take_play``: play one of them."""

    plays_fit = False
    why_unfit = ""

    def build_plays(self) -> None:
        """Build the functions, if the game is of the kind described."""
        kept, faults = list(self.functions), list(self.faults)
        try:
            self._fit()
            for side in (0, 1):
                self._build_side(side)
            self._build_shared()
            self.plays_fit = True
        except Unfit as problem:
            self.functions, self.faults = kept, faults
            self.why_unfit = str(problem)

    # ---- what must hold ------------------------------------------------------------------------

    def _fit(self) -> None:
        game, layout = self.game, self.layout

        def need(holds: bool, what: str) -> None:
            if not holds:
                raise Unfit(what)

        need(game.throw is not None and layout.many and self.words == 1 and layout.word == "i32", "board")
        need(layout.faces <= MOST_FACES and self.kinds == 1 and self.phase_count == 1, "dice, kinds or phases")
        need(not self.reads_active and not game.reads_repeats and not game.reads_last, "what is remembered")
        need(all(m.kind == "flag" and not m.on_men and m.lasts == "game" for m in game.memories), "facts")
        need(not any(n.play_end for n in game.may_not), "play ends")
        tracks = game.board.tracks
        need(all(len(t) >= 3 and len(t) + MOST_FACES <= 32 for t in tracks), "tracks")
        travelling = [m for m in game.may if m.way is not None and m.way.name == "travel"]
        need(bool(travelling) and all(m.way is not None and m.way.name == "travel" for m in game.may), "ways")
        self.main = travelling[0].verb
        main = [m for m in travelling if m.verb == self.main]
        need(len(main) == 1 and main[0].who == OWN and main[0].when.op == "true" and len(main[0].sides) == 2, "may")
        self.main_may = main[0]
        self.guards = [m for m in travelling if m.verb != self.main]
        need(all(m.who == OWN for m in self.guards), "other verbs")
        self.hits = self._effects()
        self._shape_of_duties()
        for ends in game.ends:
            need(ends.moment in ("decision", "stuck"), "endings at other moments")
            if ends.moment == "stuck":
                raise Unfit("endings when stuck")
            need(not ops(ends.when) & UNSETTLED, "endings that read the play")
            need("verbs" not in ends.clause.fields or self.main not in ends.verbs, "endings of a verb")
        need(not any(p.die > MOST_FACES for p in game.paths), "dice")
        self.foe_bars = [game.board.tracks[1 - side][0] for side in (0, 1)]

    def _effects(self) -> bool:
        """Are men sent away? Raises Unfit where something else happens."""
        hits = False
        self.flag_effects: list[tuple[Then, int, int]] = []
        for then in self.game.then:
            if then.moment == "stuck":
                if [e.op for e in then.do] != ["hand-over"]:
                    raise Unfit("what follows when stuck")
                continue
            if then.moment != "decision":
                raise Unfit("effects at other moments")
            if "verbs" in then.clause.fields and self.main not in then.verbs:
                continue
            if len(then.sides) < 2:
                raise Unfit("effects of one side")
            for effect in then.do:
                if effect.op == "send":
                    sent = then.when.op == "compare" and then.when.data == (5,) and then.when.args[1].data == (1,)
                    counted = then.when.args[0] if sent else Expression("none", "")
                    goal = effect.args[1]
                    fits = (
                        sent
                        and counted.op == "count"
                        and counted.data[0] == FOE
                        and counted.args[0].op == "to"
                        and effect.data[0] == FOE
                        and effect.args[0].op == "to"
                        and goal.op == "their"
                        and goal.args[0].op == "places"
                        and all(
                            goal.args[0].data[side] == 1 << self.game.board.tracks[side][0] for side in (0, 1)
                        )
                        and self._alone()
                    )
                    if not fits:
                        raise Unfit("men sent otherwise")
                    hits = True
                elif effect.op == "remember" and len(effect.args) == 1 and effect.args[0].op == "true":
                    if not fixed(then.when):
                        raise Unfit("flags by position")
                    self.flag_effects.append((then, *effect.data))
                else:
                    raise Unfit(f"effect {effect.op}")
        return hits

    def _alone(self) -> bool:
        """May no man go where the other side has two men or more?"""
        for bar in self.game.may_not:
            e = bar.when
            if e is None or self.main not in bar.verbs or len(bar.sides) < 2:
                continue
            if e.op == "compare" and e.data == (5,) and e.args[1].op == "int" and e.args[1].data == (2,):
                count = e.args[0]
                if count.op == "count" and count.data[0] == FOE and count.args[0].op == "to":
                    return True
        return False

    def _shape_of_duties(self) -> None:
        order = ("dice-played", "pips-played", "wasted")
        seen = []
        strict = set()
        for must in self.game.must:
            whole = set(must.binds) == set(range(len(self.game.verbs))) and len(must.sides) == 2 and not must.among
            measure = "least" if must.value.op == "wasted" else "most"
            if not whole or must.breach >= 0 or must.value.op not in order or must.measure != measure:
                raise Unfit("duties")
            unless = "never" if must.unless is None or must.unless.op == "false" else must.unless.op
            if unless not in ("never", "ended"):
                raise Unfit("excuses")
            strict.add(unless)
            seen.append(order.index(must.value.op))
        if not seen or seen != sorted(set(seen)) or seen[0] != 0 or len(strict) > 1:
            raise Unfit("duties")
        self.strict = strict == {"never"}
        self.pips_count = 1 in seen
        self.waste_counts = 2 in seen

    # ---- one mover ------------------------------------------------------------------------------------

    def _terms_of(self, side: int) -> TrackTerms:
        terms = TrackTerms(self.game, self.layout, self.reference, self.data)
        terms.start(side)
        travelling = set(self.main_may.paths[side])
        for path in travelling:
            p = self.game.paths[path]
            i, j = terms.number[p.origin], terms.number[p.to]
            if p.origin < 0 or j != min(i + p.die, terms.length - 1) or p.excess != max(i + p.die - j, 0):
                raise Unfit("paths that are not the track's")
        terms.travelling = travelling  # type: ignore[attr-defined]
        return terms

    def permitted_by(self, f: Function, terms: TrackTerms, t: Value, die: Value, now: Tracked) -> Value:
        """The places from which a man may go with a die, prohibitions that look ahead apart."""
        side = terms.mover
        terms.now = now
        terms.function = f
        masks = TrackMasks(terms, Context(t, const(side)), die, self.layout.faces, self.main)
        found = now.own[1] & masks.paths_where(lambda p: p.index in terms.travelling)  # type: ignore[attr-defined]
        for bar in self._bars(side):
            assert bar.when is not None
            refused: Value | None = None
            parts = conjuncts(bar.when)
            for e in sorted(parts, key=lambda e: not fixed(e)):
                mask = masks.of(e, None)  # type: ignore[arg-type]
                if mask is None:
                    raise Unfit(f"condition {e.op}")
                refused = mask[0] if refused is None else refused & mask[0]
            found = found.without(refused if refused is not None else const(-1))
        return f.held(found, "permitted")

    def _bars(self, side: int) -> list[MayNot]:
        return [n for n in self.game.may_not if n.when is not None and self.main in n.verbs and side in n.sides]

    def _after_bars(self, side: int) -> list[MayNot]:
        return [n for n in self.game.may_not if n.after is not None and self.main in n.verbs and side in n.sides]

    def guarded(self, f: Function, terms: TrackTerms, t: Value, now: Tracked) -> Value:
        """Might another verb be permitted here? (What cannot be read is taken to hold.)"""
        found = const(0)
        terms.function = f
        for may in self.guards:
            if terms.mover not in may.sides:
                continue
            terms.now = now
            found = found | self._might(f, terms, t, may)
        return found

    def _might(self, f: Function, terms: TrackTerms, t: Value, may: May) -> Value:
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
        self.guarded(f, terms, const(0), now)
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
                low, high = f"(v128.load {at} {t.code})", f"(v128.load offset={layout.counts + (side ^ who) * layout.row + 16} {t.code})"
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

    def stepped(
        self, f: Function, terms: TrackTerms, now: Tracked, place: Value, die: Value, levels: int
    ) -> Tracked:
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
            for path in terms.travelling:  # type: ignore[attr-defined]
                holds = terms.value_at(then.when, terms.mover, path, self.main)
                bit = 1 << terms.number[self.game.paths[path].to]
                places, others = places | (bit if holds else 0), others | (0 if holds else bit)
            if places & others:
                raise Unfit("flags by more than the place")
            part = (terms.mover ^ theirs) if self.game.memories[memory].per == "side" else 0
            found.append((memory, part, places))
        return found

    def checked(
        self, f: Function, terms: TrackTerms, t: Value, now: Tracked, places: Value, die: Value, levels: int
    ) -> Value:
        """Prohibitions that look at the position after a step, asked place by place where one might hold."""
        bars = self._after_bars(terms.mover)
        if not bars:
            return places
        left = f.local("left", places)
        with f.when(self._wary(f, t, terms.mover, now, const(1))):
            with f.each_bit(places, "place") as place:
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

    # ---- the functions -----------------------------------------------------------------------------------

    def _build_side(self, side: int) -> None:
        terms, read = self.recorded(side)
        self.read_levels = max(read.own)
        self._build_two(side, terms, read)
        ordered = self._order_is_free(side, terms)
        if ordered:
            self._build_ordered(side, terms, read)
        self._build_equal(side, terms, read, ordered)

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

    def _build_two(self, side: int, terms: TrackTerms, read: Tracked) -> None:
        """``two``: rows of pairs for two different dice, ``a`` the larger; how many results."""
        self._build_go(side, terms)
        reads = self.read_levels
        with self.function(f"two_{side}", {"t": "i32", "a": "i32", "b": "i32"}, "i32") as f:
            t, a, b = f.param("t"), f.param("a"), f.param("b")
            rows = global_("pair_rows")
            terms.function = f
            extra = int(bool(self._after_bars(side)))
            steady = self._never_disables(side, terms)
            now = self.root(f, terms, t, read, 2 + extra)
            reach = self._reach(f, terms, now, const(2), [a, b, a + b])
            risk = self.at_risk(f, t, reach, self._conditions(side))
            if self.strict:
                with f.when(risk):
                    self._bail(f)
            ends_read, at_root = self._recorded_ends(terms), None
            if ends_read is not None:
                with f.when(risk):
                    at_root = self.root(f, terms, t, ends_read, 3)
            with f.when(self.guarded(f, terms, t, now)):
                self._bail(f)
            found = {}
            for name, die in (("a", a), ("b", b)):
                permitted = self.permitted_by(f, terms, t, die, now)
                found[name] = self.checked(f, terms, t, now, permitted, die, reads)
                if self.waste_counts:
                    with f.when(found[name] & self._wasting(terms, f, die)):
                        self._bail(f)
            for i in range(0, ROWS * 4, 16):
                zero = "(v128.const i64x2 0 0)"
                f.raw(f"(v128.store offset={i} {rows.code} {zero})")
            used, total = f.local("used", found["a"]), f.local("total", 0)
            stuck_a, stuck_b = f.local("stuck_a", 0), f.local("stuck_b", 0)
            over_a, over_b = f.local("over_a", 0), f.local("over_b", 0)
            for first, second, name in ((a, b, "a"), (b, a, "b")):
                with f.each_bit(found[name], "place") as place:
                    with f.block() as next_place:
                        with f.when(risk):
                            with f.when(self._try_end(f, terms, t, at_root, [(place, first)], risk)):
                                over = over_a if name == "a" else over_b
                                f.set(over, over | (const(1) << place))
                                f.branch(next_place)
                        after = self.stepped(f, terms, now, place, first, reads + extra)
                        with f.when(self.guarded(f, terms, t, after)):
                            self._bail(f)
                        more = self.permitted_by(f, terms, t, second, after)
                        more = self.checked(f, terms, t, after, more, second, reads)
                        if self.waste_counts:
                            with f.when(more & self._wasting(terms, f, second)):
                                self._bail(f)
                        stuck = stuck_a if name == "a" else stuck_b
                        f.set(stuck, stuck | select(more, const(0), const(1) << place))
                        if name == "a":
                            f.store(rows + place * 4, 0, more)
                            f.set(total, total + more.bits())
                        else:
                            if steady:  # the larger die first has found all but what this step made possible
                                more = f.local("new_ones", more.without(found["a"]))
                                f.set(total, total + more.bits())
                            f.set(used, used | more)
                            with f.each_bit(more, "other") as other:
                                at = f.local("at", rows + other * 4)
                                row = f.local("row", load(at))
                                if not steady:
                                    f.set(total, total + (((row >> place) & 1) ^ 1))
                                f.store(at, 0, row | (const(1) << place))
            going, ended = f.local("going", 0), f.local("ended", 0)
            self._drop_twins(f, terms, now, used, rows, a, b, total)
            with f.when(risk):
                self._drop_detours(f, terms, now, over_a, rows, a, b, total)
                with f.each_bit(used, "x") as x:
                    row = f.local("row", load(rows + x * 4))
                    if at_root is not None:
                        # a man who stands there can go first: his step is made once for the whole row
                        with f.when((now.own[1] >> x) & 1):
                            first = self.stepped(f, terms, at_root, x, a, max(at_root.own) - 1)
                            near = self._near_end(f, terms, t, first, b, risk)
                            with f.when(near):
                                with f.each_bit(row, "y") as y:
                                    f.set(ended, ended + self._try_end(f, terms, t, first, [(y, b)], near))
                            f.set(row, 0)
                    with f.each_bit(row, "y") as y:
                        steps = self._in_order(f, now, x, a, y, b)
                        f.set(ended, ended + self._try_end(f, terms, t, at_root, steps, risk))
            f.set(going, total - ended)
            with f.when(going):
                f.set(stuck_a, 0)
                f.set(stuck_b, 0)
            if self.pips_count:
                with f.when(stuck_a):
                    f.set(stuck_b, 0)
            f.set(stuck_a, stuck_a | over_a)
            f.set(stuck_b, stuck_b | over_b)
            # the same man to the last place by either die
            last = f.local("last", const((1 << terms.length) - 1) & self._from_on(terms, b))
            f.set(stuck_b, stuck_b & ((stuck_a & last) ^ 0xFFFFFFFF))
            f.set_global("used_rows", used | stuck_a)
            f.set_global("alone_a", stuck_a)
            f.set_global("alone_b", stuck_b)
            f.set_global("risk", risk)
            f.give(total + stuck_a.bits() + stuck_b.bits())

    def _from_on(self, terms: TrackTerms, die: Value) -> Value:
        """The places from which a die reaches the last place."""
        return Value(f"(i32.shl (i32.const -1) {(const(terms.length - 1) - die).code})")

    def _wasting(self, terms: TrackTerms, f: Function, die: Value) -> Value:
        masks = TrackMasks(terms, Context(const(0), const(terms.mover)), die, self.layout.faces, self.main)
        return masks.paths_where(lambda p: p.index in terms.travelling and p.excess)  # type: ignore[attr-defined]

    def _in_order(
        self, f: Function, now: Tracked, x: Value, a: Value, y: Value, b: Value
    ) -> list[tuple[Value, Value]]:
        """Both steps, so that a man is there when he goes."""
        there = f.local("there", (now.own[1] >> x) & 1)
        first = (f.local("p", select(there, x, y)), f.local("d", select(there, a, b)))
        second = (f.local("q", select(there, y, x)), f.local("e", select(there, b, a)))
        return [first, second]

    def _drop_twins(
        self,
        f: Function,
        terms: TrackTerms,
        now: Tracked,
        used: Value,
        rows: Value,
        a: Value,
        b: Value,
        total: Value,
    ) -> None:
        """Of two labels with one result the later goes."""
        end = terms.length - 1
        special = self._special(f, terms, now)
        with f.each_bit(now.own[1] & used & (used >> b) & ((1 << end) - 1), "x") as x:
            # one man by two ways: first the larger die or first the smaller
            by_a, by_b = f.local("by_a", x + a), f.local("by_b", x + b)
            with f.when(by_a.lt(end)):
                both = (load(rows + x * 4) >> by_a) & (load(rows + by_b * 4) >> x) & 1
                with f.when(both):
                    touched = ((special >> by_a) | (special >> by_b)) & 1
                    with f.when(touched.no()):
                        at = f.local("at", rows + by_b * 4)
                        f.store(at, 0, load(at) & ((const(1) << x) ^ 0xFFFFFFFF))
                        f.set(total, total - 1)
        last = f.local("last", now.own[1] & self._from_on(terms, b) & ((1 << end) - 1))
        with f.when(last & (last - 1)):
            with f.each_bit(last, "x") as x:
                earlier = f.local("earlier", load(rows + x * 4) & last & ((const(1) << x) - 1))
                with f.each_bit(earlier, "y") as y:
                    with f.when((load(rows + y * 4) >> x) & 1):
                        at = f.local("at", rows + x * 4)
                        f.store(at, 0, load(at) & ((const(1) << y) ^ 0xFFFFFFFF))
                        f.set(total, total - 1)

    def _drop_detours(
        self,
        f: Function,
        terms: TrackTerms,
        now: Tracked,
        over: Value,
        rows: Value,
        a: Value,
        b: Value,
        total: Value,
    ) -> None:
        """A man whom the larger die takes to the last place, ending the game, comes there by both dice as well."""
        end = terms.length - 1
        with f.each_bit(over, "x") as x:
            by_b = f.local("by_b", x + b)
            with f.when((x + a).ge(end) & by_b.lt(end)):
                at = f.local("at", rows + by_b * 4)
                row = f.local("row", load(at))
                touched = (self._special(f, terms, now) >> by_b) & 1
                with f.when((row >> x) & touched.no() & 1):
                    f.store(at, 0, row & ((const(1) << x) ^ 0xFFFFFFFF))
                    f.set(total, total - 1)

    def _special(self, f: Function, terms: TrackTerms, now: Tracked) -> Value:
        """Places where touching down leaves a trace: a man of the other side, or a flag not yet set."""
        special = f.local("special", now.foe[1] if self.hits else const(0))
        for memory, part, mask in self.flag_masks(terms):
            f.set(special, special | select(now.flags[memory, part], const(0), const(mask)))
        return special

    # ---- equal dice -------------------------------------------------------------------------------------------

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
        return all(
            order.keeps(by_die[a], by_die[b], bars) for a in by_die for b in by_die if a > b
        )

    def _bars_asked(self, side: int) -> list[Expression]:
        return [bar.when for bar in self._bars(side) if bar.when is not None]

    def _by_die(self, terms: TrackTerms) -> dict[int, list[Path]]:
        by_die: dict[int, list[Path]] = {}
        for path in terms.travelling:  # type: ignore[attr-defined]
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

    def _build_ordered(self, side: int, terms: TrackTerms, read: Tracked) -> None:
        """``ordered``: equal dice from the back to the front, each result once and in the order of labels."""
        most = self._most_equal()
        dry = self._got_fields(Function("dry"), const(0), read, most)
        names = [f"field{i}" for i in range(len(self._in_fields(dry)))]
        params = {"t": "i32", "die": "i32", "dice": "i32", "depth": "i32", "key": "i64", "permitted": "i32"}
        with self.function(f"ordered_{side}", params | dict.fromkeys(names, "i32")) as f:
            t, die, dice, depth, key, permitted = (f.param(n) for n in params)
            here = self._with_fields(dry, [f.param(n) for n in names])
            shift = f.local("shift", (const(59) - depth * 5).wide())
            self._note_row(f, depth + 1, key, permitted)
            with f.when((depth + 1).ge(dice)):
                f.give()
            with f.each_bit(permitted, "place") as place:
                after = self.stepped(f, terms, here, place, die, max(here.own) - 1)
                top = max(after.own) + 1
                after.own[top] = const(0)
                more = self.permitted_by(f, terms, t, die, after)
                more = f.local("more", (more >> place) << place)
                if self.waste_counts:
                    with f.when(more & self._wasting(terms, f, die)):
                        f.set_global("wasteful", 1)
                with f.when(more):
                    new = f.local("new", key ^ ((place ^ 31).wide() << shift))
                    with f.when((depth + 2).ge(dice)):
                        self._note_row(f, depth + 2, new, more)
                    with f.otherwise():
                        values = self._in_fields(after)
                        f.do(f"ordered_{side}", t, die, dice, depth + 1, new, more, *values)

    def _with_fields(self, like: Tracked, values: list[Value]) -> Tracked:
        """A position from its fields in the order of ``_in_fields``."""
        left = iter(values)
        foe, numbers, flags, own = ({key: next(left) for key in part} for part in (like.foe, like.numbers, like.flags, like.own))
        return Tracked(own, foe, numbers, flags)

    def _note_row(self, f: Function, depth: Value, key: Value, row: Value) -> None:
        """Keep a row of last places, if no row is deeper."""
        with f.when(depth.gt(global_("deepest"))):
            f.set_global("deepest", depth)
            f.set_global("keys", 0)
            f.set_global("results_found", 0)
        with f.when(depth.eq(global_("deepest"))):
            at = f.local("slot", global_("ordered_rows") + global_("keys") * 24)
            with f.when(global_("keys").ge(1 << KEY_BITS)):
                self.fail(f, "a search that has no end in sight")
            f.store(at, 0, key, "i64")
            f.store(at, 8, row)
            f.set_global("keys", global_("keys") + 1)
            f.set_global("results_found", global_("results_found") + row.bits())

    def _most_equal(self) -> int:
        assert self.game.throw is not None
        most = max(len(self.game.throw.left(o)) for o, _ in self.game.throw.outcomes if len(set(o)) == 1)
        return min(most, MOST_EQUAL)

    def _build_equal(self, side: int, terms: TrackTerms, read: Tracked, ordered: bool) -> None:
        """``equal``: the results of equal dice.

        A label is a multiset of places; its number has a digit for each place, the
        places further back in the higher ones, so that adding a step adds a weight and
        greater numbers come first. Layer by layer: what can be reached by ``k`` steps,
        whatever their order. A label of ``k + 1`` places is a bit in the *row* of the
        node of its ``k`` places furthest back.
        """
        ends_read = self._recorded_ends(terms)
        name = f"layers_{side}"
        self._build_layers(name, terms, read, None)
        if ends_read is not None:
            both = Tracked(*({**a, **b} for a, b in zip(read.parts(), ends_read.parts(), strict=True)))
            levels = dict.fromkeys(range(1, max(both.own) + 1), const(0))
            self._build_layers(f"wary_layers_{side}", terms, replace(both, own=levels), ends_read)
        most = self._most_equal()
        with self.function(f"equal_{side}", {"t": "i32", "die": "i32", "dice": "i32"}, "i32") as f:
            t, die, dice = f.param("t"), f.param("die"), f.param("dice")
            with f.when(dice.gt(most)):
                self._bail(f)
            terms.function = f
            now = self.root(f, terms, t, read, most)
            shifts = [f.local("far", die)]
            for _ in range(most - 1):
                shifts.append(f.local("far", shifts[-1] + die))
            reach = self._reach(f, terms, now, dice, shifts)
            risk = self.at_risk(f, t, reach, self._conditions(side))
            if self.strict or ends_read is None:
                with f.when(risk):
                    self._bail(f)
            f.set_global("risk", risk)
            f.set_global("ended_keys", 0)
            f.set_global("in_order", 0)
            if ends_read is not None:
                with f.when(risk):
                    f.give(call(f"wary_layers_{side}", t, die, dice))
            if not ordered:
                f.give(call(name, t, die, dice))
            else:
                permitted = self.permitted_by(f, terms, t, die, now)
                f.set_global("deepest", 0)
                f.set_global("results_found", 0)
                f.set_global("wasteful", 0)
                f.set_global("in_order", 1)
                if self.waste_counts:
                    with f.when(permitted & self._wasting(terms, f, die)):
                        self._bail(f)
                with f.when(permitted):
                    arguments = (t, die, dice, const(0), const(-1, "i64"), permitted)
                    f.do(f"ordered_{side}", *arguments, *self._in_fields(now))
                with f.when(global_("wasteful")):
                    self._bail(f)
                f.give(global_("results_found"))

    def weight_table(self, length: int) -> int:
        """The weight of every place of a track in the number of a label."""
        base = self._most_equal() + 1
        if base ** (length - 1) >= 1 << 63:
            raise Unfit("a track too long for so many equal dice")
        weights = [base ** (length - 2 - i) for i in range(length - 1)]
        return self.data.add(b"".join(w.to_bytes(8, "little") for w in weights), 8)

    def _build_layers(self, name: str, terms: TrackTerms, read: Tracked, ends_read: Tracked | None) -> None:
        """Layer by layer; where ``ends_read`` is given, every new label is asked whether it ends the game."""
        side, most = terms.mover, self._most_equal()
        known = most + int(bool(self._after_bars(side))) + int(ends_read is not None)
        reads = self.read_levels
        weights = self.weight_table(terms.length)
        node = -(-(NODE_HEAD + 4 * self._fields(read, known)) // 8) * 8
        self.equal_node = max(getattr(self, "equal_node", 0), node)
        with self.function(name, {"t": "i32", "die": "i32", "dice": "i32"}, "i32") as f:
            t, die, dice = f.param("t"), f.param("die"), f.param("dice")
            terms.function = f
            now = self.root(f, terms, t, read, known)
            risk = f.local("risk", global_("risk"))
            shortest, idle = f.local("shortest", MOST_EQUAL + 1), f.local("idle", 0)
            layer = f.local("layer", global_("equal_nodes"))
            layer_end = f.local("layer_end", layer + node)
            generation = f.local("generation", global_("key_generation"))
            self._put_head(f, layer, const(0, "i64"), const(0))
            self._put_fields(f, layer, now)
            f.do("enter_node", layer, generation)
            free = f.local("free", layer_end)
            depth, total, reached = f.local("depth", 0), f.local("total", 0), f.local("reached", 0)
            ended = f.local("ended", 0)
            f.set_global("phantoms", global_("phantom_nodes"))
            f.set_global("rows_from", 0)
            f.set_global("rows_to", 0)
            with f.loop() as (out, _):
                f.branch(out, layer.ge(layer_end) | depth.ge(dice))
                f.set(depth, depth + 1)
                counted = f.local("counted", 0)
                f.set(idle, 0)
                last_step = f.local("last_step", depth.eq(dice))
                phantoms_from = f.local("phantoms_from", global_("phantoms"))
                at = f.local("at", layer)
                with f.loop() as (done, _):
                    f.branch(done, at.ge(layer_end))
                    here = self._got_fields(f, at, read, known)
                    with f.when(self.guarded(f, terms, t, here)):
                        self._bail(f)
                    key, last = f.local("key", load(at, 0, "i64")), f.local("last", load(at, 8))
                    permitted = self.permitted_by(f, terms, t, die, here)
                    permitted = self.checked(f, terms, t, here, permitted, die, reads)
                    if self.waste_counts:
                        with f.when(permitted & self._wasting(terms, f, die)):
                            self._bail(f)
                    with f.when(permitted.no()):
                        f.set(shortest, select(shortest.lt(depth), shortest, depth - 1))
                        f.set(idle, idle + 1)
                    near = const(0)
                    if ends_read is not None:
                        near = self._near_end(f, terms, t, here, die, risk)
                    # at the last step the row itself is the answer for all further on
                    with f.when(last_step & near.no()):
                        ahead = f.local("ahead", (permitted >> last) << last)
                        old = f.local("old", load(at, 12))
                        f.store(at, 12, old | ahead)
                        f.set(counted, counted + ahead.without(old).bits())
                        f.set(permitted, permitted ^ ahead)
                    with f.each_bit(permitted, "place") as place:
                        weight = f.local("weight", load(place * 8, weights, "i64"))
                        holder, largest = f.local("holder", at), f.local("largest", place)
                        with f.when(place.lt(last)):
                            f.set(largest, last)
                            prefix = key + weight - load(last * 8, weights, "i64")
                            f.set(holder, call("node_of", prefix, generation))
                        bit = f.local("bit", const(1) << largest)
                        with f.block() as next_place:
                            f.branch(next_place, ((load(holder, 12) | load(holder, 16)) & bit).ne(0))
                            if ends_read is not None:
                                with f.when(near):
                                    after = self.stepped(f, terms, here, place, die, max(here.own) - 1)
                                    with f.when(self._ended(f, terms, t, after, near)):
                                        f.store(holder, 16, load(holder, 16) | bit)
                                        with f.when(ended.ge(ENDED_KEYS)):
                                            self._bail(f)
                                        f.store(global_("ended_list") + ended * 8, 0, key + weight, "i64")
                                        f.set(ended, ended + 1)
                                        f.branch(next_place)
                            f.store(holder, 12, load(holder, 12) | bit)
                            f.set(counted, counted + 1)
                            f.branch(next_place, last_step)
                            after = self.stepped(f, terms, here, place, die, max(here.own) - 1)
                            with f.when((free + node).gt(global_("equal_nodes_end"))):
                                self._bail(f)
                            self._put_head(f, free, key + weight, largest)
                            self._put_fields(f, free, after)
                            f.do("enter_node", free, generation + 1)
                            f.set(free, free + node)
                    f.set(at, at + node)
                with f.when(counted):
                    f.set(total, counted)
                    f.set(reached, depth)
                    f.set_global("rows_from", layer)
                    f.set_global("rows_to", layer_end)
                    f.set_global("row_step", node)
                    f.set_global("phantoms_from", phantoms_from)
                    f.set_global("phantoms_to", global_("phantoms"))
                f.set(layer, layer_end)
                f.set(layer_end, free)
                f.set(generation, generation + 1)
            f.set_global("key_generation", generation + 2)
            f.set_global("ended_keys", ended)
            with f.when(ended):
                # plays that end the game excuse their first steps: exact only where no other play is cut short
                with f.when(shortest.lt(reached)):
                    self._bail(f)
                with f.when(reached.lt(dice) & (reached.eq(0) | idle.ne(total))):
                    self._bail(f)
            f.give(total + ended)

    @staticmethod
    def _put_head(f: Function, at: Value, key: Value, last: Value) -> None:
        """Number, last place, row of results, row of those that end the game."""
        f.store(at, 0, key, "i64")
        f.store(at, 8, last)
        f.store(at, 12, const(0, "i64"), "i64")

    def _fields(self, read: Tracked, dice: int) -> int:
        return max(read.own) + dice - 1 + len(read.foe) + len(read.numbers) + len(read.flags)

    def _put_fields(self, f: Function, at: Value, now: Tracked) -> None:
        """Write a position behind a node's head (levels that are no longer known are left out)."""
        for i, value in enumerate(self._in_fields(now)):
            f.store(at, NODE_HEAD + 4 * i, value)

    @staticmethod
    def _in_fields(now: Tracked) -> list[Value]:
        return [*now.foe.values(), *now.numbers.values(), *now.flags.values(), *now.own.values()]

    def _got_fields(self, f: Function, at: Value, read: Tracked, dice: int) -> Tracked:
        keys = [sorted(read.foe), list(read.numbers), list(read.flags), range(1, max(read.own) + dice)]
        found, i = [], 0
        for part in keys:
            values = {}
            for key in part:
                values[key] = f.local("field", load(at, NODE_HEAD + 4 * i))
                i += 1
            found.append(values)
        foe, numbers, flags, own = found
        return Tracked(own, foe, numbers, flags)  # type: ignore[arg-type]

    # ---- both sides ------------------------------------------------------------------------------------------

    def _build_shared(self) -> None:
        layout = self.layout
        with self.function("enter_node", {"node": "i32", "generation": "i32"}) as f:
            node, generation = f.param("node"), f.param("generation")
            key = f.local("key", load(node, 0, "i64"))
            slot = f.local("slot", ((key * 0x9E3779B97F4A7C15) >> (64 - KEY_BITS)).narrow())
            with f.loop():
                at = f.local("at", global_("key_table") + slot * 8)
                with f.when(load(at).lt(generation - 1)):
                    f.store(at, 0, generation)
                    f.store(at, 4, node)
                    f.give()
                f.set(slot, (slot + 1) & ((1 << KEY_BITS) - 1))
        with self.function("node_of", {"key": "i64", "generation": "i32"}, "i32") as f:
            # the node with this number, made (to hold a row alone) where its places cannot be reached by themselves
            key, generation = f.param("key"), f.param("generation")
            slot = f.local("slot", ((key * 0x9E3779B97F4A7C15) >> (64 - KEY_BITS)).narrow())
            with f.loop() as (out, _):
                at = f.local("at", global_("key_table") + slot * 8)
                # slots of the layer before may have been passed over when this layer was entered
                f.branch(out, load(at).lt(generation - 1))
                node = f.local("node", load(at, 4))
                with f.when(load(node, 0, "i64").eq(key) & load(at).eq(generation)):
                    f.give(node)
                f.set(slot, (slot + 1) & ((1 << KEY_BITS) - 1))
            f.set(node, global_("phantoms"))
            f.set_global("phantoms", node + NODE_HEAD)
            with f.when(global_("phantoms").gt(global_("phantom_end"))):
                self.fail(f, "a search that has no end in sight")
            self._put_head(f, node, key, const(0))
            f.store(at, 0, generation)
            f.store(at, 4, node)
            f.give(node)
        with self.function("plays_of", {"t": "i32"}, "i32") as f:
            t = f.param("t")
            with f.when(load(t, layout.active, "s16").ge_signed(0)):
                f.give(-1)
            # a byte for each face, from 1 on: the highest and lowest that is not 0
            left = load(t, layout.left + 1, "i64") & ((1 << 8 * layout.faces) - 1)
            left = f.local("left", left)
            with f.when(left.eq(0)):
                f.give(-1)
            high = f.local("high", const(7, "i64") - (Value(f"(i64.clz {left.code})", "i64") >> 3))
            low = f.local("low", Value(f"(i64.ctz {left.code})", "i64") >> 3)
            a, b = f.local("a", high.narrow() + 1), f.local("b", low.narrow() + 1)
            many = f.local("many", (left >> (high << 3)).narrow())
            with f.when(a.eq(b)):
                f.set(b, 0)
            with f.otherwise():
                pair = (const(1, "i64") << (high << 3)) | (const(1, "i64") << (low << 3))
                with f.when(left.ne(pair)):
                    f.give(-1)
            f.set_global("play_a", a)
            f.set_global("play_b", b)
            f.set_global("risk", 0)
            side = load(t, layout.decider, "u8")
            with f.when(b):
                with f.when(side):
                    f.give(call("two_1", t, a, b))
                f.give(call("two_0", t, a, b))
            with f.when(side):
                f.give(call("equal_1", t, a, many))
            f.give(call("equal_0", t, a, many))
        for side in (0, 1):
            self._build_take(side)
        with self.function("take_play", {"t": "i32", "drawn": "i32"}) as f:
            t, drawn = f.param("t"), f.param("drawn")
            with f.when(load(t, layout.decider, "u8")):
                f.do("take_1", t, drawn)
            with f.otherwise():
                f.do("take_0", t, drawn)
            with f.when(load(t, layout.ending, "s16").lt_signed(0)):
                self._pass_on(f, t)

    def _pass_on(self, f: Function, t: Value) -> None:
        """The other side is to throw: handing over, where no clause speaks of ends and beginnings of turns."""
        layout = self.layout
        turn = f.local("turn", load(t, layout.turn, "u8") ^ 1)
        f.store(t, layout.turn, turn, "u8")
        f.store(t, layout.decider, turn, "u8")
        f.store(t, layout.waits, TO_THROW, "u8")
        f.store(t, layout.turns, load(t, layout.turns) + 1)
        for i in range(5):  # a position may say that a play is under way
            f.store(t, layout.tallies + 4 * i, 0)
        self._zero_bytes(f, t, layout.dice, 1 + 2 * layout.faces)
        f.store(t, layout.control, THROW, "u8")
        f.store(t, layout.last_verb, -1, "s16")
        f.store(t, layout.last_path, -1)
        f.store(t, layout.hands_dice, 0, "u8")

    def _build_take(self, side: int) -> None:
        """``take``: the play with this number, in the order of labels."""
        length = len(self.game.board.tracks[side])
        track = self.data.add(bytes(self.game.board.tracks[side]), 1)
        layout = self.layout
        with self.function(f"take_{side}", {"t": "i32", "drawn": "i32"}) as f:
            t, drawn = f.param("t"), f.param("drawn")
            a, b = f.local("a", global_("play_a")), f.local("b", global_("play_b"))
            with f.when(b.eq(0)):
                f.do(f"take_equal_{side}", t, drawn)
                f.give()
            alone_a = f.local("alone_a", global_("alone_a"))
            rows = global_("pair_rows")
            with f.each_bit(global_("used_rows"), "x") as x:
                row = f.local("row", load(rows + x * 4))
                many = f.local("many", row.bits())
                with f.when(drawn.lt(many)):
                    y = f.local("y", call("nth", row, drawn))
                    place = load(x, track, "u8")
                    there = load(t + place, layout.counts + side * layout.row, "u8")
                    there = f.local("there", there)
                    f.do(f"go_{side}", t, select(there, x, y), select(there, a, b))
                    f.do(f"go_{side}", t, select(there, y, x), select(there, b, a))
                    with f.when(global_("risk")):
                        with f.when(call(f"over_{side}", t)):
                            f.do(f"spent_{side}", t, x, a)
                            f.do(f"spent_{side}", t, y, b)
                    f.give()
                f.set(drawn, drawn - many)
                with f.when((alone_a >> x) & 1):
                    with f.when(drawn.eq(0)):
                        self._take_one(f, side, t, x, a)
                        f.give()
                    f.set(drawn, drawn - 1)
            x = f.local("x", call("nth", global_("alone_b"), drawn))
            self._take_one(f, side, t, x, b)
        with self.function(f"spent_{side}", {"t": "i32", "place": "i32", "die": "i32"}) as f:
            t, place, die = f.param("t"), f.param("place"), f.param("die")
            past = f.local("past", place + die - (length - 1))
            tallies = ((1, const(1)), (2, const(1)), (3, die), (4, select(past.gt_signed(0), past, const(0))))
            for index, more in tallies:
                f.store(t, layout.tallies + 4 * index, load(t, layout.tallies + 4 * index) + more)
            f.store(t + die, layout.left, load(t + die, layout.left, "u8") - 1, "u8")
            f.store(t, layout.dice, load(t, layout.dice, "u8") - 1, "u8")
        weights = self.weight_table(length)
        with self.function(f"take_equal_{side}", {"t": "i32", "drawn": "i32"}) as f:
            t, drawn = f.param("t"), f.param("drawn")
            die = f.local("die", global_("play_a"))
            with f.when(global_("in_order")):
                with f.count_to(global_("keys"), "k") as k:
                    slot = f.local("slot", global_("ordered_rows") + k * 24)
                    row = f.local("row", load(slot, 8))
                    here = f.local("here", row.bits())
                    with f.when(drawn.lt(here)):
                        last = f.local("last", call("nth", row, drawn))
                        key, shift = f.local("key", load(slot, 0, "i64")), f.local("shift", 59, "i64")
                        with f.loop() as (out, _):
                            place = f.local("place", (key >> shift).narrow() & 31)
                            f.branch(out, place.eq(31))
                            f.do(f"go_{side}", t, place, die)
                            f.set(shift, shift - 5)
                        f.do(f"go_{side}", t, last, die)
                        f.give()
                    f.set(drawn, drawn - here)
            number = f.local("label", call("label_of", drawn, const(length), type="i64"))
            f.do(f"go_by_{side}", t, number, die, const(0))
            with f.when(global_("ended_keys")):
                with f.when(call(f"over_{side}", t)):
                    f.do(f"go_by_{side}", t, number, die, const(1))
        with self.function(f"go_by_{side}", {"t": "i32", "label": "i64", "die": "i32", "spend": "i32"}) as f:
            label, place = f.param("label"), f.local("place", 0)
            with f.loop() as (out, _):
                f.branch(out, label.eq(0))
                weight = f.local("weight", load(place * 8, weights, "i64"))
                with f.when(label.ge(weight)):
                    f.set(label, label - weight)
                    with f.when(f.param("spend")):
                        f.do(f"spent_{side}", f.param("t"), place, f.param("die"))
                    with f.otherwise():
                        f.do(f"go_{side}", f.param("t"), place, f.param("die"))
                with f.otherwise():
                    f.set(place, place + 1)
        if side:
            return
        with self.function("label_of", {"drawn": "i32", "length": "i32"}, "i64") as f:
            # all labels, those that end the game among them, the greatest number first: the one with this index
            first, many = f.local("first", global_("ended_list")), f.local("many", global_("ended_keys"))
            wholes = f.local("wholes", many.ne(0))
            for start, end, step in (
                ("rows_from", "rows_to", global_("row_step")),
                ("phantoms_from", "phantoms_to", const(NODE_HEAD)),
            ):
                node = f.local("node", global_(start))
                with f.loop() as (out, _):
                    f.branch(out, node.ge(global_(end)))
                    with f.when(load(node, 12)):
                        with f.when(wholes):
                            with f.each_bit(load(node, 12), "place") as place:
                                whole = load(node, 0, "i64") + load(place * 8, weights, "i64")
                                f.store(first + many * 8, 0, whole, "i64")
                                f.set(many, many + 1)
                        with f.otherwise():
                            f.store(first + many * 8, 0, load(node, 0, "i64"), "i64")
                            f.store(first + many * 8, 8 * ALL_KEYS, load(node, 12))
                            f.set(many, many + 1)
                    f.set(node, node + step)
            f.do("sort_labels", first, many)
            with f.when(wholes):
                f.give(load(first + f.param("drawn") * 8, 0, "i64"))
            drawn = f.param("drawn")
            with f.count_to(many) as i:
                row = f.local("row", load(first + i * 8, 8 * ALL_KEYS))
                here = f.local("here", row.bits())
                with f.when(drawn.lt(here)):
                    place = call("nth", row, drawn)
                    f.give(load(first + i * 8, 0, "i64") + load(place * 8, weights, "i64"))
                f.set(drawn, drawn - here)
        with self.function("sort_labels", {"list": "i32", "number": "i32"}) as f:
            list_, number = f.param("list"), f.param("number")
            gap = f.local("gap", 1)
            with f.loop() as (out, _):
                f.branch(out, gap.ge(number))
                f.set(gap, gap * 3 + 1)
            with f.loop() as (out, _):
                f.set(gap, Value(f"(i32.div_u {gap.code} (i32.const 3))"))
                f.branch(out, gap.eq(0))
                i = f.local("i", gap)
                with f.loop() as (done, _):
                    f.branch(done, i.ge(number))
                    at = f.local("at", list_ + i * 8)
                    key, row = f.local("key", load(at, 0, "i64")), f.local("row", load(at, 8 * ALL_KEYS))
                    j = f.local("j", i)
                    with f.loop() as (placed, _):
                        f.branch(placed, j.lt(gap))
                        before = f.local("before", list_ + (j - gap) * 8)
                        f.branch(placed, load(before, 0, "i64").ge(key))
                        here = f.local("here", list_ + j * 8)
                        f.store(here, 0, load(before, 0, "i64"), "i64")
                        f.store(here, 8 * ALL_KEYS, load(before, 8 * ALL_KEYS))
                        f.set(j, j - gap)
                    here = f.local("here", list_ + j * 8)
                    f.store(here, 0, key, "i64")
                    f.store(here, 8 * ALL_KEYS, row)
                    f.set(i, i + 1)

    def _take_one(self, f: Function, side: int, t: Value, place: Value, die: Value) -> None:
        """A play of one die: it ended the game, or nothing could follow."""
        f.do(f"go_{side}", t, place, die)
        with f.when(global_("risk")):
            with f.when(call(f"over_{side}", t)):
                f.do(f"spent_{side}", t, place, die)


KEY_BITS = 14
NODE_HEAD = 24
ENDED_KEYS = 1 << 12
ALL_KEYS = 1 << 16

UNSETTLED = frozenset(
    """from to over direction heads die excess active dice left lowest highest taken plays dice-played pips-played
    wasted repeats goes-on ended can can-from can-at-all verb-is""".split()
)


def _name(variable: Value) -> str:
    return variable.code.removeprefix("(local.get ").removesuffix(")")
