"""What runs inside the module: the generator, whole turns, random games, counts, and what the host may ask.

The generator and its draws are those of ``machine.chance``, the order of draws that of
``machine.drawing``, the counts those of ``machine.turns``.

One room: the loops that keep the host from crossing the border for every move.
"""

from __future__ import annotations

from interpreter.compiled.building import FILLED, NODES
from interpreter.compiled.flow import Permitted
from interpreter.compiled.kernel import BY_TURN, CHOICES, COLUMNS, Kernel
from interpreter.compiled.plays import Plays
from interpreter.compiled.wat import Function, Value, call, const, global_, load, select
from interpreter.game.types import Then
from interpreter.machine.drawing import ranks
from interpreter.machine.turns import MOST_DECISIONS, MOST_THROWS
from interpreter.machine.types import TO_BEGIN, TO_DECIDE, TO_THROW

MOST_LABELLED = 32
"""Decisions of one play in a game with dice whose results are drawn or counted."""
LABEL = 2 * MOST_LABELLED
BY_DECISION = 1
BY_PATH, BY_RESULT, BY_DECISIONS = 0, 1, 2


class Running(Kernel, Plays):
    """The outermost functions."""

    def build_running(self) -> None:
        self._build_generator()
        self.build_kernel()
        self._build_numbers()
        self._build_turn_counts()
        self._build_results()
        self._build_games()
        self._build_perft()
        self._build_asked()

    # ---- the generator -----------------------------------------------------------------------

    def _build_generator(self) -> None:
        names = ("chance_a", "chance_b", "chance_c", "chance_d")
        with self.function("split", {"state": "i64"}, "i64") as f:
            z = f.local("z", f.param("state"))
            f.set(z, (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9)
            f.set(z, (z ^ (z >> 27)) * 0x94D049BB133111EB)
            f.give(z ^ (z >> 31))
        with self.function("seed_game", {"seed": "i64", "number": "i64"}, export=True) as f:
            gamma = const(0x9E3779B97F4A7C15, "i64")
            state = f.local("state", call("split", f.param("seed") + gamma, type="i64") + f.param("number"))
            for name in names:
                f.set(state, state + gamma)
                f.set_global(name, call("split", state, type="i64"))
        with self.function("set_chance", dict.fromkeys("abcd", "i64"), export=True) as f:
            for name in names:
                f.set_global(name, f.param(name[-1]))
        with self.function("next", {}, "i64", export=True) as f:
            a, b, c, d = (f.local(n[-1], global_(n, "i64")) for n in names)
            x = f.local("x", b * 5)
            result = f.local("result", ((x << 7) | (x >> 57)) * 9)
            t = f.local("t", b << 17)
            f.set(c, c ^ a)
            f.set(d, d ^ b)
            f.set(b, b ^ c)
            f.set(a, a ^ d)
            f.set(c, c ^ t)
            f.set(d, (d << 45) | (d >> 19))
            for name, value in zip(names, (a, b, c, d), strict=True):
                f.set_global(name, value)
            f.give(result)
        with self.function("below", {"bound": "i32"}, "i32", export=True) as f:
            bound = f.param("bound")
            with f.when(bound.le(1)):
                f.give(0)
            shift = f.local("shift", Value(f"(i32.clz {(bound - 1).code})") + 32)
            with f.loop():
                drawn = f.local("drawn", (call("next", type="i64") >> shift.wide()).narrow())
                with f.when(drawn.lt(bound)):
                    f.give(drawn)
        with self.function("searched") as f:
            f.set_global("nodes", global_("nodes", "i64") + 1)
            with f.when(global_("nodes", "i64").gt(global_("most_nodes", "i64"))):
                self.fail(f, NODES)
        with self.function("begin_search") as f:
            f.set_global("nodes", 0, "i64")
            if self.looks_ahead:
                f.do("forget_notes")

    # ---- decisions in order ------------------------------------------------------------------------

    def _build_numbers(self) -> None:
        """``numbers``: the decisions in the rows, by number, at ``scratch``; how many."""
        paths = len(self.game.paths)
        with self.function("numbers", {"rows": "i32"}, "i32") as f:
            start = f.local("start", global_("scratch"))
            end = f.local("end", start)
            for d in self.each_permitted(f, f.param("rows")):
                number = f.local("number", d.path + d.verb * paths)
                at = f.local("at", end)
                with f.when((end + 8).gt(global_("scratch_end"))):
                    self.fail(f, "too many decisions at once")
                with f.loop() as (out, _):
                    f.branch(out, at.le(start))
                    before = f.local("before", load(at - 4))
                    f.branch(out, before.le(number))
                    f.store(at, 0, before)
                    f.set(at, at - 4)
                f.store(at, 0, number)
                f.set(end, end + 4)
            f.give((end - start) >> 2)
        with self.function("how_many", {"rows": "i32"}, "i32") as f:
            total = f.local("total", 0)
            with f.count_to(len(self.groups) * self.words) as i:
                f.set(total, total + load(f.param("rows") + i * self.layout.word_size, 0, self.layout.word).bits())
            f.give(total)

    def verb_of(self, number: Value) -> Value:
        return Value(f"(i32.div_u {number.code} (i32.const {len(self.game.paths)}))")

    def path_of(self, number: Value) -> Value:
        return Value(f"(i32.rem_u {number.code} (i32.const {len(self.game.paths)}))")

    # ---- whole turns without dice -------------------------------------------------------------------

    def ends_the_turn(self, verb: int) -> bool:
        """Is a decision of this verb surely the last of its turn?"""
        if self.game.throw is not None:
            return False

        def controls(then: Then) -> bool:
            return any(e.op in ("again", "hand-over-dice", "throw", "set-dice", "add-die") for e in then.do)

        for then in self.game.then:
            if then.moment == "turn-end" and controls(then):
                return False
            concerned = "verbs" not in then.clause.fields or verb in then.verbs
            if then.moment == "decision" and concerned and controls(then):
                return False
        return True

    def _build_turn_counts(self) -> None:
        """``turns``: how many whole turns there are (no dice); ``play_turn``: play the one with this number."""
        layout, words = self.layout, self.words
        if self.game.throw is None:
            final = self.data.add(bytes(int(self.ends_the_turn(g.verb)) for g in self.groups), 1)
            with self.function("turns", {"t": "i32"}, "i32") as f:
                t = f.param("t")
                rows = self.frame(f, self.rows_size + layout.size)
                u = rows + self.rows_size
                f.do("legal", t, rows)
                total = f.local("total", 0)
                with f.count_to(len(self.groups) * words, "word") as i:
                    at = f.local("at", rows + i * layout.word_size)
                    group = self._divided_by(i, words)
                    with f.when(load(group, final, "u8")):
                        word = load(at, 0, layout.word)
                        f.set(total, total + word.bits())
                        f.store(at, 0, const(0, layout.word), layout.word)
                for d in self.each_permitted(f, rows):
                    f.set(total, total + self._turns_after(f, t, u, d))
                self.leave(f, rows, total)
            with self.function("play_turn", {"t": "i32", "drawn": "i32"}) as f:
                t, drawn = f.param("t"), f.param("drawn")
                rows = self.frame(f, self.rows_size + layout.size)
                u = rows + self.rows_size
                f.do("legal", t, rows)
                for d in self.each_permitted(f, rows):
                    many = f.local("many", 1)
                    f.set_global("last_turns", 0)
                    with f.when(load(d.group, final, "u8").no()):
                        f.set(many, self._turns_after(f, t, u, d))
                    with f.when(drawn.lt(many)):
                        goes_on = f.local("goes_on", global_("last_turns"))
                        f.do("step", t, d.verb, d.path)
                        with f.when(goes_on):
                            f.do("play_turn", t, drawn)
                        self.leave(f, rows)
                    f.set(drawn, drawn - many)
                self.leave(f, rows)
        with self.function("nth", {"word": layout.word, "n": "i32"}, "i32") as f:
            word, n = f.param("word"), f.param("n")
            with f.loop() as (out, _):
                f.branch(out, n.eq(0))
                f.set(word, word.rest())
                f.set(n, n - 1)
            f.give(word.lowest())

    @staticmethod
    def _divided_by(value: Value, number: int) -> Value:
        return value if number == 1 else Value(f"(i32.div_u {value.code} (i32.const {number}))")

    def _turns_after(self, f: Function, t: Value, u: Value, d: Permitted) -> Value:
        """How many whole turns begin so. Global ``last_turns``: do they go on after this decision?"""
        many = f.local("many", 1)
        self.copy(f, u, t, self.layout.size)
        f.do("searched")
        if self.breachable:
            f.do("mark_breaches", u, d.verb, d.path)
        status = f.local("status", call("advance", u, d.verb, d.path))
        goes_on = f.local("goes_on", 0)
        with f.when(status.le(FILLED)):
            f.do("finish", u, status)
            same = load(u, self.layout.turns).eq(load(t, self.layout.turns))
            with f.when(same & load(u, self.layout.ending, "s16").lt_signed(0)):
                f.set(goes_on, 1)
                f.set(many, call("turns", u))
        f.set_global("last_turns", goes_on)
        return many

    # ---- results of plays -----------------------------------------------------------------------------

    def _build_results(self) -> None:
        """``results``: the distinct results of the plays from some states, as nodes: record, label.

        Nodes lie in the arena, ``starts`` to ``starts_end``; the results are left from
        ``ends`` to ``ends_end`` as addresses in ``scratch``. Results whose turn is not
        over wait for a throw.
        """
        layout = self.layout
        self.node_size = layout.size + LABEL
        rank = ranks(self.game)
        table = self.data.add(
            b"".join(rank[side][p].to_bytes(4, "little") for side in (0, 1) for p in range(len(self.game.paths))), 4
        )
        kinds: dict[str, int] = {}
        kind_of = self.data.add(bytes(kinds.setdefault(e.kind, len(kinds)) & 255 for e in self.game.ends) or b"\0", 1)
        self.kind_of = kind_of
        most_rank = len(self.game.verbs) * len(self.game.paths)
        with self.function("label", {"at": "i32", "rank": "i32"}) as f:
            # the new rank takes its place, all later ones move on by one
            at, new = f.param("at"), f.param("rank")
            end = f.local("end", at + (LABEL - 2))
            with f.loop() as (out, _):
                here = f.local("here", load(at, 0, "u16"))
                with f.when(new.le(here)):
                    f.store(at, 0, new, "u16")
                    f.branch(out, here.eq(0xFFFF))
                    f.set(new, here)
                f.set(at, at + 2)
                with f.when(at.ge(end)):
                    self.fail(f, f"a play of more than {MOST_LABELLED - 1} decisions")
        with self.function("before", {"a": "i32", "b": "i32"}, "i32") as f:
            at = f.local("at", 0)
            with f.loop() as (out, _):
                x, y = load(f.param("a") + at, 0, "u16"), load(f.param("b") + at, 0, "u16")
                with f.when(x.ne(y)):
                    f.give(x.lt(y))
                f.set(at, at + 2)
                f.branch(out, at.ge(LABEL))
            f.give(0)
        with self.function("same_state", {"a": "i32", "b": "i32"}, "i32") as f:
            f.give(self._same(f, 0, layout.key_size))
        with self.function("same_result", {"a": "i32", "b": "i32"}, "i32") as f:
            a, b = f.param("a"), f.param("b")
            over = [f.local("over", self._over(n)) for n in (a, b)]
            with f.when(over[0].ne(over[1])):
                f.give(0)
            with f.when(over[0].no()):
                f.give(self._same(f, 0, layout.key_size))
            with f.when(self._same(f, 0, layout.men_size).no()):
                f.give(0)
            for slot in layout.slots:
                with f.when(self._same(f, slot.offset, slot.size * slot.count).no()):
                    f.give(0)
            endings = [f.local("ending", load(n, layout.ending, "s16")) for n in (a, b)]
            with f.when(endings[0].lt_signed(0) | endings[1].lt_signed(0)):
                f.give(endings[0].eq(endings[1]))
            same = load(endings[0], kind_of, "u8").eq(load(endings[1], kind_of, "u8"))
            same = same & load(a, layout.winner, "u8").eq(load(b, layout.winner, "u8"))
            f.give(same & load(a, layout.points_won).eq(load(b, layout.points_won)))
        for name, alike in (("next", "same_state"), ("end", "same_result")):
            # a chained table of addresses: the newest of those with one hash first
            with self.function(f"keep_{name}", {"node": "i32", "list": "i32", "size": "i32"}, "i32") as f:
                self._keep(f, alike, by_men=name == "end")
        with self.function("results", {"starts": "i32", "number": "i32", "turns": "i32"}, "i32") as f:
            layer, number = f.param("starts"), f.param("number")
            ends = f.local("ends", global_("scratch"))
            f.set_global("scratch", ends + 4 * MOST_RESULTS)
            with f.when(global_("scratch").gt(global_("scratch_end"))):
                self.fail(f, NODES)
            many = f.local("many", 0)
            rows = self.frame(f, self.rows_size)
            f.set_global("end_generation", global_("end_generation") + 1)
            depth = f.local("depth", 0)
            with f.loop() as (out, _):
                f.branch(out, number.eq(0))
                f.set(depth, depth + 1)
                with f.when(depth.gt(MOST_DECISIONS)):
                    self.fail(f, f"a turn of more than {MOST_DECISIONS} decisions")
                following = f.local("following", global_("scratch"))
                f.set_global("scratch", following + 4 * MOST_RESULTS)
                with f.when(global_("scratch").gt(global_("scratch_end"))):
                    self.fail(f, NODES)
                coming = f.local("coming", 0)
                f.set_global("next_generation", global_("next_generation") + 1)
                at = f.local("here_at", layer)
                with f.count_to(number):
                    here = f.local("here", load(at))
                    f.do("legal", here, rows)
                    stuck = f.local("stuck", 1)
                    for d in self.each_permitted(f, rows):
                        f.set(stuck, 0)
                        side = load(here, layout.decider, "u8")
                        new = self._new_node(f, here)
                        paths = len(self.game.paths)
                        rank_ = load((side * paths + d.path) * 4, table) + d.verb * paths
                        f.do("label", new + layout.size, rank_)
                        f.do("step", new, d.verb, d.path)
                        self._sort_out(f, new, f.param("turns"), ends, many, following, coming)
                    with f.when(stuck):
                        new = self._new_node(f, here)
                        f.do("moved_on", new)
                        self._sort_out(f, new, f.param("turns"), ends, many, following, coming)
                    f.set(at, at + 4)
                f.set(layer, following)
                f.set(number, coming)
            f.set_global("scratch", ends + (many * 4))
            self.leave(f, rows, many)
        with self.function("sort", {"list": "i32", "number": "i32"}) as f:
            self._sort(f)
        assert most_rank

    def _over(self, node: Value) -> Value:
        """Is the turn, in which the search began, over? (Its number is in a global.)"""
        over = load(node, self.layout.turns).ne(global_("turn_now"))
        return over | load(node, self.layout.ending, "s16").ge_signed(0)

    def _same(self, f: Function, offset: int, size: int) -> Value:
        a, b = f.param("a"), f.param("b")
        differ, i = const(0, "i64"), 0
        result = f.local("differ", 0, "i64")
        while i < size:
            step, kind = (8, "i64") if size - i >= 8 else (4, "i32") if size - i >= 4 else (1, "u8")
            differ = differ | (load(a, offset + i, kind) ^ load(b, offset + i, kind)).wide()
            i += step
            if len(differ.code) > 2000:
                f.set(result, result | differ)
                differ = const(0, "i64")
        f.set(result, result | differ)
        return result.eq(0)

    def _new_node(self, f: Function, here: Value) -> Value:
        """A copy of a node in the arena."""
        new = f.local("new", global_("arena_nodes"))
        f.do("searched")
        f.set_global("arena_nodes", new + self.node_size)
        with f.when(global_("arena_nodes").gt(global_("arena_nodes_end"))):
            self.fail(f, NODES)
        self.copy(f, new, here, self.node_size)
        return new

    def _sort_out(
        self, f: Function, new: Value, turns: Value, ends: Value, many: Value, following: Value, coming: Value
    ) -> None:
        layout = self.layout
        goes_on = load(new, layout.ending, "s16").lt_signed(0) & load(new, layout.turns).eq(turns)
        goes_on = goes_on & load(new, layout.waits, "u8").eq(TO_DECIDE)
        with f.when(goes_on):
            f.set(coming, call("keep_next", new, following, coming))
        with f.otherwise():
            f.set(many, call("keep_end", new, ends, many))

    def _keep(self, f: Function, same: str, by_men: bool) -> None:
        """Add a node to a list unless one like it is there; of two, the label that comes first counts."""
        layout = self.layout
        node, list_, size = f.param("node"), f.param("list"), f.param("size")
        hash_ = f.local("hash", 0x9E3779B9, "i64")
        for i in range(0, layout.men_size // 8 * 8 if by_men else layout.key_size, 8):
            f.set(hash_, (hash_ ^ load(node, i, "i64")) * 0xBF58476D1CE4E5B9)
            f.set(hash_, hash_ ^ (hash_ >> 29))
        table = "end_table" if by_men else "next_table"
        generation = global_("end_generation" if by_men else "next_generation")
        slot = f.local("slot", (hash_ >> 40).narrow() & (TABLE - 1))
        with f.loop() as (out, _):
            at = f.local("at", global_(table) + slot * 8)
            f.branch(out, load(at, 0).ne(generation))
            other = f.local("other", load(at, 4))
            with f.when(call(same, node, load(other))):
                with f.when(call("before", node + layout.size, load(other) + layout.size)):
                    f.store(other, 0, node)
                f.give(size)
            f.set(slot, (slot + 1) & (TABLE - 1))
        with f.when(size.ge(MOST_RESULTS)):
            self.fail(f, NODES)
        f.store(list_ + size * 4, 0, node)
        f.store(at, 0, generation)
        f.store(at, 4, list_ + size * 4)
        f.give(size + 1)

    def _sort(self, f: Function) -> None:
        """Order a list of nodes by their labels (by inserting, in ever smaller steps)."""
        layout = self.layout
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
                node = f.local("node", load(list_ + i * 4))
                j = f.local("j", i)
                with f.loop() as (placed, _):
                    f.branch(placed, j.lt(gap))
                    other = f.local("other", load(list_ + (j - gap) * 4))
                    f.branch(placed, call("before", node + layout.size, other + layout.size).no())
                    f.store(list_ + j * 4, 0, other)
                    f.set(j, j - gap)
                f.store(list_ + j * 4, 0, node)
                f.set(i, i + 1)

    # ---- random games ---------------------------------------------------------------------------------

    def _starts(self) -> bytes:
        """The ways a game can begin after the starting throw: the side, then its dice as in ``with_throw``."""
        throw = self.game.throw
        rows = []
        if throw is None or self.game.start_who not in ("highest", "lowest") or not self.game.start_keep:
            return b"".join(bytes([side]) + bytes(self.throw_row if throw else 0) for side in (0, 1))
        for low in range(1, throw.faces + 1):
            for high in range(low + 1, throw.faces + 1):
                left = throw.left((high, low))
                faces = range(1, self.layout.faces + 1)
                row = bytes([len(left)]) + bytes(left.count(n) for n in faces)
                row += bytes(int(n in (high, low)) for n in faces)
                rows += [bytes([side]) + row for side in (0, 1)]
        return b"".join(rows)

    def _build_games(self) -> None:
        layout, throw = self.layout, self.game.throw
        starts = self._starts()
        size = 1 + (self.throw_row if throw is not None else 0)
        self.start_count = len(starts) // size
        table = self.data.add(starts, 1)
        with self.function("begin_by", {"t": "i32", "start": "i32"}) as f:
            t = f.param("t")
            row = f.local("row", f.param("start") * size)
            side = f.local("side", load(row, table, "u8"))
            kept = self.game.start_keep and self.game.start_who in ("highest", "lowest")
            if throw is not None and kept:
                f.store(t, layout.turn, side, "u8")
                f.store(t, layout.decider, side, "u8")
                for i in range(self.throw_row):
                    f.store(t, layout.dice + i, load(row, table + 1 + i, "u8"), "u8")
                f.do("after_throw", t)
            else:
                f.do("begin", t, side)
        if throw is not None:
            weights = [n for n, (_, weight) in enumerate(throw.outcomes) for _ in range(weight)]
            self._build_throw_at_random(weights)
        with self.function("chance", {"t": "i32"}) as f:
            t = f.param("t")
            with f.when(load(t, layout.waits, "u8").eq(TO_BEGIN)):
                f.do("begin_by", t, call("below", const(self.start_count)))
                f.give()
            if throw is not None:
                f.do("with_throw", t, call("outcome_at_random"))
        with self.function("draw", {"t": "i32", "by": "i32"}, "i32") as f:
            self._draw(f)
        params = {"seed": "i64", "first": "i64", "count": "i32", "by": "i32", "limit": "i32"}
        with self.function("games", params, export=True) as f:
            self._games(f)

    def _build_throw_at_random(self, weights: list[int]) -> None:
        with self.function("outcome_at_random", {}, "i32") as f:
            if len(weights) <= 1 << 16:
                table = self.data.add(b"".join(n.to_bytes(2, "little") for n in weights), 2)
                f.give(load(call("below", const(len(weights))) * 2, table, "u16"))
                return
            raise AssertionError("weights beyond 65,536 are refused by the checker")

    def _draw(self, f: Function) -> None:
        """Draw and play a turn (or a decision); gives from how many, 0 for one who can do nothing."""
        layout, t, by = self.layout, f.param("t"), f.param("by")
        f.do("begin_search")
        rows = self.frame(f, self.rows_size)
        scratch = f.local("scratch", global_("scratch"))
        with f.when(by.eq(BY_DECISION)):
            f.do("legal", t, rows)
            many = f.local("many", call("numbers", rows))
            f.set_global("scratch", scratch)
            with f.when(many.eq(0)):
                f.do("moved_on", t)
                self.leave(f, rows, 0)
            number = f.local("number", load(scratch + call("below", many) * 4))
            f.do("step", t, self.verb_of(number), self.path_of(number))
            self.leave(f, rows, many)
        if self.game.throw is None:
            many = f.local("turns", call("turns", t))
            with f.when(many.eq(0)):
                f.do("moved_on", t)
                self.leave(f, rows, 0)
            f.do("play_turn", t, call("below", many))
            self.leave(f, rows, many)
            return
        if self.plays_fit:
            many = f.local("plays", call("plays_of", t))
            with f.when(many.gt_signed(0)):
                f.do("take_play", t, call("below", many))
                self.leave(f, rows, many)
            with f.when(many.eq(0)):
                f.do("moved_on", t)
                self.leave(f, rows, 0)
        f.do("legal", t, rows)
        with f.when(call("how_many", rows).eq(0)):
            f.do("moved_on", t)
            self.leave(f, rows, 0)
        nodes = f.local("nodes", global_("arena_nodes"))
        many = f.local("results", call("results_of", t))
        f.do("sort", scratch, many)
        chosen = load(scratch + call("below", many) * 4)
        self.copy(f, t, chosen, layout.size)
        f.set_global("scratch", scratch)
        f.set_global("arena_nodes", nodes)
        self.leave(f, rows, many)

    def _games(self, f: Function) -> None:
        layout = self.layout
        seed, first, count, by, limit = (f.param(n) for n in ("seed", "first", "count", "by", "limit"))
        f.set_global("done", 0)
        f.do("reset")
        if self.pointwise:
            with f.when(by.eq(BY_TURN) & limit.ne(0) & self.searches_freely()):
                f.do("pointwise_games", seed, first, count, limit, const(self.initial), const(1))
                f.give()
        t = self.frame(f, layout.size)
        out = f.local("out", global_("columns"))
        with f.count_to(count, "game") as game:
            f.do("seed_game", seed, first + game.wide())
            self.copy(f, t, const(self.initial), layout.size)
            draws, starter = f.local("draws", 0), f.local("starter", -1)
            with f.when(load(t, layout.waits, "u8").ne(TO_BEGIN)):
                f.set(starter, load(t, layout.turn, "u8"))
            within, turn = f.local("within", 0), f.local("turn", 0)
            with f.loop() as (over, _):
                f.branch(over, load(t, layout.ending, "s16").ge_signed(0))
                f.branch(over, load(t, layout.turns).ge(limit))
                with f.when(load(t, layout.turns).eq(turn)):
                    f.set(within, within + 1)
                    with f.when(within.gt(MOST_DECISIONS)):
                        self.fail(f, f"a turn of more than {MOST_DECISIONS} decisions and throws")
                with f.otherwise():
                    f.set(within, 0)
                    f.set(turn, load(t, layout.turns))
                waits = f.local("waits", load(t, layout.waits, "u8"))
                with f.when(waits.ne(TO_DECIDE)):
                    f.do("chance", t)
                with f.otherwise():
                    many = f.local("many", call("draw", t, by))
                    with f.when(many):
                        f.set(draws, draws + 1)
                        at = f.local("at", global_("choices") + select(many.lt(CHOICES), many, const(CHOICES - 1)) * 4)
                        f.store(at, 0, load(at) + 1)
                with f.when(starter.lt_signed(0) & load(t, layout.waits, "u8").ne(TO_BEGIN)):
                    f.set(starter, load(t, layout.turn, "u8"))
            ending = f.local("ending", load(t, layout.ending, "s16"))
            ended = ending.ge_signed(0)
            winner = f.local("winner", load(t, layout.winner, "u8"))
            turns = load(t, layout.turns)
            points = load(t, layout.points_won)
            row = (
                ending,
                select(ended, winner, const(-1)),
                select(ended & winner.ne(2), points, const(0)),
                turns + ended,
                draws,
                starter,
            )
            for i, value in enumerate(row):
                f.store(out, 4 * i, value)
            f.set(out, out + 4 * COLUMNS)
            f.set_global("done", game + 1)

    # ---- counts ---------------------------------------------------------------------------------------------

    def _build_perft(self) -> None:
        """``lines``: how many lines of so many turns there are from a state, its throws included."""
        layout = self.layout
        params = {"t": "i32", "depth": "i32", "by": "i32"}
        with self.function("results_of", {"t": "i32"}, "i32") as f:
            t = f.param("t")
            node = f.local("node", global_("arena_nodes"))
            f.set_global("arena_nodes", node + self.node_size)
            with f.when(global_("arena_nodes").gt(global_("arena_nodes_end"))):
                self.fail(f, NODES)
            self.copy(f, node, t, layout.size)
            for i in range(0, LABEL, 8):
                f.store(node, layout.size + i, const(-1, "i64"), "i64")
            f.set_global("turn_now", load(t, layout.turns))
            list_ = self.frame(f, 16)
            f.store(list_, 0, node)
            self.leave(f, list_, call("results", list_, const(1), load(t, layout.turns)))
        with self.function("lines", params, "i64") as f:
            t, depth, by = (f.param(n) for n in params)
            with f.when(load(t, layout.ending, "s16").ge_signed(0)):
                f.give(0)
            if self.pointwise:
                fits = by.eq(BY_PATH) & self.searches_freely()
                if self.game.reads_repeats:
                    fits = fits & load(t, layout.history).eq(0)
                with f.when(fits), f.when(call("fits_kernel", t)):
                    many = f.local("many", call("pointwise_lines", t, depth, type="i64"))
                    with f.when(many.ne(0)):  # a side that is stuck already is left to the general way
                        f.give(many)
            f.do("begin_search")
            f.give(call("opened", t, depth, by, const(0), type="i64"))
        with self.function("opened", params | {"throws": "i32"}, "i64") as f:
            self._opened(f)
        with self.function("after_turn", params, "i64") as f:
            t, depth, by = (f.param(n) for n in params)
            with f.when(depth.eq(1)):
                f.give(1)
            f.give(call("lines", t, depth - 1, by, type="i64"))
        with self.function("decided", params, "i64") as f:
            t, depth, by = (f.param(n) for n in params)
            with f.when(by.eq(BY_RESULT)):
                f.give(call("by_result", t, depth, type="i64"))
            with f.when(by.eq(BY_PATH)):
                if self.game.throw is None:
                    with f.when(depth.eq(1)):
                        many = f.local("many", call("turns", t))
                        f.give(select(many, many, const(1)).wide())
                f.give(call("by_path", t, depth, load(t, layout.turns), type="i64"))
            self._by_decision(f)
        with self.function("by_path", {"t": "i32", "depth": "i32", "turns": "i32"}, "i64") as f:
            self._by_path(f)
        with self.function("by_result", {"t": "i32", "depth": "i32"}, "i64") as f:
            t, depth = f.param("t"), f.param("depth")
            if self.plays_fit:
                with f.when(depth.eq(1)):
                    counted = f.local("counted", call("plays_of", t))
                    with f.when(counted.ge_signed(0)):
                        f.give(select(counted, counted, const(1)).wide())
            scratch, nodes = f.local("scratch", global_("scratch")), f.local("nodes", global_("arena_nodes"))
            many = f.local("many", call("results_of", t))
            total = call("sum_results", scratch, many, depth, load(t, layout.turns), const(0), type="i64")
            total = f.local("total", total)
            f.set_global("scratch", scratch)
            f.set_global("arena_nodes", nodes)
            f.give(total)
        sums = {"list": "i32", "number": "i32", "depth": "i32", "turns": "i32", "throws": "i32"}
        with self.function("sum_results", sums, "i64") as f:
            self._sum_results(f)

    def _opened(self, f: Function) -> None:
        """Throws that are due, then the turn; a throw that itself ends the turn is a turn."""
        layout = self.layout
        t, depth, by, throws = (f.param(n) for n in ("t", "depth", "by", "throws"))
        waits = f.local("waits", load(t, layout.waits, "u8"))
        with f.when(waits.eq(TO_DECIDE)):
            f.give(call("decided", t, depth, by, type="i64"))
        with f.when(throws.gt(MOST_THROWS)):
            self.fail(f, f"more than {MOST_THROWS} throws one after the other")
        total = f.local("total", 0, "i64")
        u = self.frame(f, layout.size)
        number = const(self.start_count)
        if self.game.throw is not None:
            number = select(waits.eq(TO_BEGIN), number, const(len(self.game.throw.outcomes)))
        with f.count_to(f.local("number", number)) as i:
            self.copy(f, u, t, layout.size)
            with f.when(waits.eq(TO_BEGIN)):
                f.do("begin_by", u, i)
            if self.game.throw is not None:
                with f.otherwise():
                    f.do("with_throw", u, i)
            over = load(u, layout.turns).ne(load(t, layout.turns)) & waits.eq(TO_THROW)
            with f.when(load(u, layout.ending, "s16").ge_signed(0) | over):
                f.set(total, total + call("after_turn", u, depth, by, type="i64"))
            with f.otherwise():
                f.set(total, total + call("opened", u, depth, by, throws + 1, type="i64"))
        self.leave(f, u, total)

    def _by_decision(self, f: Function) -> None:
        layout, t, depth, by = self.layout, f.param("t"), f.param("depth"), f.param("by")
        rows = self.frame(f, self.rows_size + layout.size)
        u = rows + self.rows_size
        f.do("legal", t, rows)
        total = f.local("total", 0, "i64")
        many = f.local("many", call("how_many", rows))
        with f.when(many.eq(0)):
            self.copy(f, u, t, layout.size)
            f.do("moved_on", u)
            self.leave(f, rows, call("after_turn", u, depth, by, type="i64"))
        with f.when(depth.eq(1)):
            self.leave(f, rows, many.wide())
        for d in self.each_permitted(f, rows):
            self.copy(f, u, t, layout.size)
            f.do("searched")
            f.do("step", u, d.verb, d.path)
            f.set(total, total + call("after_turn", u, depth, by, type="i64"))
        self.leave(f, rows, total)

    def _by_path(self, f: Function) -> None:
        """Turns as sequences: throws within the turn are followed."""
        layout, t, depth = self.layout, f.param("t"), f.param("depth")
        by = const(BY_PATH)
        over = load(t, layout.turns).ne(f.param("turns")) | load(t, layout.ending, "s16").ge_signed(0)
        with f.when(over):
            f.give(call("after_turn", t, depth, by, type="i64"))
        total = f.local("total", 0, "i64")
        rows = self.frame(f, self.rows_size + layout.size)
        u = rows + self.rows_size
        if self.game.throw is not None:
            with f.when(load(t, layout.waits, "u8").ne(TO_DECIDE)):
                with f.count_to(len(self.game.throw.outcomes)) as i:
                    self.copy(f, u, t, layout.size)
                    f.do("with_throw", u, i)
                    f.set(total, total + call("by_path", u, depth, f.param("turns"), type="i64"))
                self.leave(f, rows, total)
        f.do("legal", t, rows)
        with f.when(call("how_many", rows).eq(0)):
            self.copy(f, u, t, layout.size)
            f.do("moved_on", u)
            self.leave(f, rows, call("by_path", u, depth, f.param("turns"), type="i64"))
        final = self.data.add(bytes(int(self.ends_the_turn(g.verb)) for g in self.groups), 1)
        for d in self.each_permitted(f, rows):
            with f.when(load(d.group, final, "u8") & depth.eq(1)):
                f.set(total, total + const(1, "i64"))
            with f.otherwise():
                self.copy(f, u, t, layout.size)
                f.do("searched")
                f.do("step", u, d.verb, d.path)
                f.set(total, total + call("by_path", u, depth, f.param("turns"), type="i64"))
        self.leave(f, rows, total)

    def _sum_results(self, f: Function) -> None:
        """What follows a list of results: those that wait for a throw go on together, throw by throw."""
        layout = self.layout
        list_, number, depth, turns, throws = (f.param(n) for n in ("list", "number", "depth", "turns", "throws"))
        total, waiting = f.local("total", 0, "i64"), f.local("waiting", 0)
        with f.count_to(number) as i:
            node = f.local("node", load(list_ + i * 4))
            over = load(node, layout.turns).ne(turns) | load(node, layout.ending, "s16").ge_signed(0)
            with f.when(over):
                f.set(total, total + call("after_turn", node, depth, const(BY_RESULT), type="i64"))
            with f.otherwise():
                f.store(list_ + waiting * 4, 0, node)
                f.set(waiting, waiting + 1)
        with f.when(waiting.eq(0)):
            f.give(total)
        if self.game.throw is not None:
            with f.when(throws.gt(MOST_THROWS)):
                self.fail(f, f"more than {MOST_THROWS} throws one after the other")
            scratch, nodes = f.local("scratch", global_("scratch")), f.local("nodes", global_("arena_nodes"))
            with f.count_to(len(self.game.throw.outcomes), "outcome") as outcome:
                starts = f.local("starts", global_("scratch"))
                f.set_global("scratch", starts + waiting * 4)
                with f.count_to(waiting, "k") as k:
                    new = self._new_node(f, load(list_ + k * 4))
                    f.do("with_throw", new, outcome)
                    f.store(starts + k * 4, 0, new)
                f.set_global("turn_now", turns)
                found = f.local("found", global_("scratch"))
                many = f.local("many", call("spread", starts, waiting, turns))
                f.set(total, total + call("sum_results", found, many, depth, turns, throws + 1, type="i64"))
                f.set_global("scratch", scratch)
                f.set_global("arena_nodes", nodes)
        f.give(total)

    def _build_asked(self) -> None:
        """What the host asks: the record lies at ``io``; answers lie there or at ``scratch``."""
        layout = self.layout
        io = const(self.io)
        if self.game.throw is not None:
            self._build_spread()
        else:
            with self.function("spread", {"starts": "i32", "number": "i32", "turns": "i32"}, "i32") as f:
                f.give(call("results", f.param("starts"), f.param("number"), f.param("turns")))
        if self.game.reads_repeats:
            with self.function("whole_history") as f:
                for name in ("history", "history_end"):
                    f.set_global(name, global_("whole_" + name))
        with self.function("reset") as f:
            for name, start in (("sp", "stack"), ("scratch", "scratch_start"), ("arena_nodes", "nodes_start")):
                f.set_global(name, global_(start))
            f.set_global("fault", 0)
            if self.game.reads_repeats:
                f.do("whole_history")
            f.do("begin_search")
        for name, function in (("ask_legal", "legal"), ("ask_permitted", "permitted")):
            with self.function(name, {}, "i32", export=True) as f:
                f.do("reset")
                rows = self.frame(f, self.rows_size)
                f.do(function, io, rows)
                f.give(call("numbers", rows))
        with self.function("ask_step", {"verb": "i32", "path": "i32"}, export=True) as f:
            f.do("reset")
            f.do("step", io, f.param("verb"), f.param("path"))
        with self.function("ask_begin", {"side": "i32"}, export=True) as f:
            f.do("reset")
            f.do("begin", io, f.param("side"))
        with self.function("ask_moved_on", {}, export=True) as f:
            f.do("reset")
            f.do("moved_on", io)
        with self.function("ask_draw", {"by": "i32"}, "i32", export=True) as f:
            f.do("reset")
            with f.when(load(io, layout.waits, "u8").ne(TO_DECIDE)):
                f.do("chance", io)
                f.give(0)
            f.give(call("draw", io, f.param("by")))
        if self.game.throw is not None:
            with self.function("ask_after_throw", {}, export=True) as f:
                f.do("reset")
                f.do("after_throw", io)
        with self.function("ask_lines", {"depth": "i32", "by": "i32"}, "i64", export=True) as f:
            f.do("reset")
            t = self.frame(f, layout.size)
            self.copy(f, t, io, layout.size)
            f.give(call("lines", t, f.param("depth"), f.param("by"), type="i64"))

    def _build_spread(self) -> None:
        """``spread``: results from states some of which may be over, wait for a throw, or be alike."""
        layout = self.layout
        with self.function("spread", {"starts": "i32", "number": "i32", "turns": "i32"}, "i32") as f:
            starts, number, turns = f.param("starts"), f.param("number"), f.param("turns")
            first = f.local("first", global_("scratch"))
            deciding = f.local("deciding", 0)
            list_ = f.local("list", first + 4 * MOST_RESULTS)
            f.set_global("scratch", list_)
            f.set_global("next_generation", global_("next_generation") + 1)
            more = f.local("more", 0)
            with f.count_to(number) as i:
                node = f.local("node", load(starts + i * 4))
                goes_on = load(node, layout.ending, "s16").lt_signed(0) & load(node, layout.turns).eq(turns)
                with f.when(goes_on & load(node, layout.waits, "u8").eq(TO_DECIDE)):
                    f.set(deciding, call("keep_next", node, first, deciding))
                with f.otherwise():
                    f.set(more, more + 1)
                    f.store(starts + (more - 1) * 4, 0, node)
            many = f.local("many", call("results", first, deciding, turns))
            with f.count_to(more, "k") as k:
                f.set(many, call("keep_end", load(starts + k * 4), list_, many))
            with f.count_to(many, "j") as j:
                f.store(first + j * 4, 0, load(list_ + j * 4))
            f.set_global("scratch", first + many * 4)
            f.give(many)


MOST_RESULTS = 1 << 15
TABLE = 1 << 17
