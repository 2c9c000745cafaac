"""may − may-not: the rows of what is permitted.

What is permitted in a state is a *row* for every group of paths: the bit set of index
places whose path is permitted. A condition becomes a mask wherever it can: places
that must hold something are shifted onto the index places, what the path decides is
a constant, what speaks of neither path is asked once. Only what remains is asked path
by path.

One room: how a condition becomes rows, and the rows of every clause.
"""

from __future__ import annotations

from dataclasses import replace

from interpreter.compiled.building import Building
from interpreter.compiled.context import Context, GroupPath
from interpreter.compiled.groups import Group, Role
from interpreter.compiled.terms import Words, path_free
from interpreter.compiled.wat import MASKS, Function, Value, call, const, load, select
from interpreter.game.types import BOOL, PLACE, Expression, May, MayNot
from interpreter.machine.evaluate import conjuncts, fixed


class Masks:
    """Conditions as masks over the index places of a group, in one function.

    Terms that do not speak of the path are worked out once, ahead of the statements
    that use them (``prologue``).
    """

    def __init__(self, building: Building, function: Function, c: Context) -> None:
        self.b, self.f, self.c = building, function, c
        self.terms = building.terms
        self.prologue: list[str] = []
        self.known: dict[object, Words] = {}
        self.assumed: dict[Expression, bool] = {}
        """Conditions without a path of which it is known here whether they hold."""

    def hoisted(self, key: object, make: object) -> Words:
        """What ``make`` gives, worked out ahead."""
        if key not in self.known:
            kept = self.f.captured()
            words = make()  # type: ignore[operator]
            self.known[key] = [self.f.held(w, "ahead") for w in words]
            self.prologue += self.f.release(kept)
        return self.known[key]

    def set_of(self, e: Expression) -> Words:
        return self.hoisted(("set", e), lambda: self.terms.places(e, self.c))

    def truth_of(self, e: Expression) -> Value:
        return self.hoisted(("truth", e), lambda: [self.terms.of(e, self.c)])[0]

    def men(self, who: int, kind: int) -> Words:
        return self.hoisted(("men", who, kind), lambda: self.terms.men(who, kind, self.c))

    def acting(self, who: int, kind: int) -> Words:
        """The men that may act: the active one alone, where the context knows it."""
        active = self.c.active
        if active is None:
            return self.men(who, kind)
        men = self.men(who, kind)
        return self.hoisted(("acting", who, kind), lambda: self.terms.only(men[0] & active))

    def splat(self, truth: Value) -> Words:
        """All index places, or none."""
        everywhere = self.terms.constant(-1)
        none = self.terms.constant(0)
        return [select(truth, a, b) for a, b in zip(everywhere, none, strict=True)]

    def shifted(self, words: Words, by: int) -> Words:
        """The index places from which the place ``by`` further on is in the set."""
        if by == 0:
            return words
        if len(words) == 1:
            return [words[0] >> by if by > 0 else words[0] << -by]
        found = []
        for i in range(len(words)):
            q, r = divmod(i * 64 + by, 64)
            low = words[q] if 0 <= q < len(words) else const(0, "i64")
            high = words[q + 1] if 0 <= q + 1 < len(words) else const(0, "i64")
            found.append((low >> r) | (high << (64 - r)) if r else low)
        return found

    def at(self, role: Role, words: Words) -> Words:
        """The index places whose path has this place in the set."""
        if role.by is None:
            return self.splat(self.terms.has(words, const(role.fixed)))
        return self.shifted(words, role.by)

    def parts(self, e: Expression, group: Group) -> dict[Role, Words] | None:
        """The places a term names, if they are the path's: each with the index places where it is among them."""
        if e.op in ("from", "to") and group.moves:
            return {group.origin if e.op == "from" else group.to: self.terms.constant(-1)}
        if e.op == "over":
            return None if group.over is None else {role: self.terms.constant(-1) for role in group.over}
        if e.op not in ("union", "without", "common"):
            return None
        left, right = e.args
        if e.op == "union":
            a, b = self.parts(left, group), self.parts(right, group)
            if a is None or b is None:
                return None
            for role, words in b.items():
                a[role] = [self.either(x, y) for x, y in zip(a[role], words, strict=True)] if role in a else words
            return a
        if e.op == "common" and path_free(left):
            left, right = right, left
        found = self.parts(left, group)
        if found is None or not path_free(right):
            return None
        held = self.set_of(right)
        for role, words in found.items():
            inside = self.at(role, held)
            if e.op == "without":
                inside = [w ^ ((1 << 64) - 1) for w in inside]
            found[role] = [self.f.held(x & y, "among") for x, y in zip(words, inside, strict=True)]
        return found

    @staticmethod
    def either(a: Value, b: Value) -> Value:
        """In one or the other; a set of everything leaves no trace."""
        if MASKS[a.type] in (a.known, b.known):
            return const(-1, a.type)
        return a | b

    def constant(self, e: Expression, group: Group) -> Words:
        """What the path decides."""
        assert self.c.side.known is not None
        side = self.c.side.known
        value = self.terms.value_at
        mask = sum(1 << i for i, path in group.paths.items() if value(e, side, path.index, group.verb))
        return self.terms.constant(mask)

    def of(self, e: Expression, group: Group) -> Words | None:
        """A condition as a mask, or None if it has to be asked path by path."""
        if fixed(e):
            return self.constant(e, group)
        if path_free(e):
            return self.splat(self.truth_of(e))
        if e.op in ("and", "or"):
            parts = [self.of(a, group) for a in e.args]
            if any(p is None for p in parts):
                return None
            first, second = parts
            assert first is not None and second is not None
            return [x & y if e.op == "and" else x | y for x, y in zip(first, second, strict=True)]
        if e.op == "not":
            inner = self.of(e.args[0], group)
            return None if inner is None else [w ^ ((1 << 64) - 1) for w in inner]
        if e.op in ("in", "meets"):
            return self._membership(e, group)
        if e.op == "compare":
            return self._sized(e, group) or self._counted(e, group)
        return None

    def _membership(self, e: Expression, group: Group) -> Words | None:
        left, right = e.args
        if e.op == "meets" and path_free(left):
            left, right = right, left
        if not path_free(right):
            return None
        parts = self.parts(left, group)
        if parts is None:
            return None
        held = self.set_of(right)
        none, everywhere = self.terms.constant(0), self.terms.constant(-1)
        some, whole = none, everywhere
        for role, words in parts.items():
            inside = self.at(role, held)
            if e.op == "meets":
                some = [self.either(s, w & i) for s, w, i in zip(some, words, inside, strict=True)]
                continue
            some = [self.either(s, w) for s, w in zip(some, words, strict=True)]
            outside = [w ^ ((1 << 64) - 1) for w in words]
            whole = [a & self.either(o, i) for a, o, i in zip(whole, outside, inside, strict=True)]
        return some if e.op == "meets" else [s & w for s, w in zip(some, whole, strict=True)]

    def _sized(self, e: Expression, group: Group) -> Words | None:
        """``size(over - empty) = 1``: the path's places are counted for all index places at once."""
        size, limit = e.args
        if size.op != "size" or limit.op != "int":
            return None
        parts = self.parts(size.args[0], group)
        if parts is None:
            return None
        (which,), number = e.data, limit.data[0]
        everywhere, none = self.terms.constant(-1), self.terms.constant(0)
        at_least = [everywhere] + [none] * len(parts)
        for seen, words in enumerate(parts.values(), 1):
            for k in range(min(seen, number + 1), 0, -1):
                new = [self.either(a, b & w) for a, b, w in zip(at_least[k], at_least[k - 1], words, strict=True)]
                at_least[k] = [self.f.held(w, "so_many") for w in new]

        def least(n: int) -> Words:
            return everywhere if n <= 0 else at_least[n] if n < len(at_least) else none

        if which in (0, 1):
            found = [a.without(b) for a, b in zip(least(number), least(number + 1), strict=True)]
        else:
            found = least(number if which in (2, 5) else number + 1)
        return [w ^ ((1 << 64) - 1) for w in found] if which in (1, 2, 3) else found

    def _counted(self, e: Expression, group: Group) -> Words | None:
        """``foe(to) >= 2``: the places where it holds, shifted."""
        count, limit = e.args
        inner = count.args[0] if count.op == "their" else count
        if inner.op != "count" or limit.op != "int":
            return None
        place = inner.args[0].args[0] if inner.args[0].op == "their" else inner.args[0]
        parts = self.parts(place, group) if place.op in ("from", "to", "over") else None
        if parts is None or len(parts) != 1:
            return None
        (role,) = parts
        it = Expression("it", PLACE)
        asked = Expression("count", inner.sort, (it,), inner.data)
        if count.op == "their":
            asked = Expression("their", count.sort, (asked,))
        question = Expression("compare", BOOL, (asked, limit), e.data)
        held = self.hoisted(("where", question), lambda: self.terms._threshold(question, self.c))
        return self.at(role, held)


class Permitting(Building):
    """The functions that fill rows."""

    def build_permitted(self) -> None:
        """``permitted``: rows for the decider in his phase."""
        for side in (0, 1):
            for number in range(self.phase_count):
                self._permitted_for(side, number)
        with self.function("permitted", {"t": "i32", "rows": "i32"}) as f:
            t, rows = f.param("t"), f.param("rows")
            phase = load(t, self.layout.phase, "u8")
            decider = load(t, self.layout.decider, "u8")
            for number in range(self.phase_count):
                with f.when(phase.eq(number) if self.phase_count > 1 else const(1)):
                    with f.when(decider):
                        f.do(f"permitted_1_{number}", t, rows)
                    with f.otherwise():
                        f.do(f"permitted_0_{number}", t, rows)
                    f.give()
        with self.function("any", {"t": "i32"}, "i32") as f:
            self._any(f, paths_only=False)
        with self.function("any_path", {"t": "i32"}, "i32") as f:
            self._any(f, paths_only=True)

    def _any(self, f: Function, paths_only: bool) -> None:
        """Is anything permitted (with a path)?"""
        t = f.param("t")
        rows = self.frame(f, self.rows_size)
        f.do("permitted", t, rows)
        found = const(0)
        for group in self.groups:
            if paths_only and 0 in (p.index for p in group.paths.values()):
                continue
            for i in range(self.words):
                word = load(rows, self.row(group.number) + i * self.layout.word_size, self.layout.word)
                found = word if found.known == 0 else found | word
        self.leave(f, rows, found.truth())

    def _permitted_for(self, side: int, phase: int) -> None:
        with self.function(f"permitted_{side}_{phase}", {"t": "i32", "rows": "i32"}) as f:
            t, rows = f.param("t"), f.param("rows")
            masks = Masks(self, f, Context(t, const(side)))
            mays = [m for m in self.game.may if phase in m.phases and side in m.sides]
            by_verb: dict[int, list[Group]] = {}
            for group in self.groups:
                by_verb.setdefault(group.verb, []).append(group)
            asked_after: list[tuple[Group, Words]] = []
            for verb, groups in by_verb.items():
                clauses = [m for m in mays if m.verb == verb]
                bars = [
                    n
                    for n in self.game.may_not
                    if n.when is not None and verb in n.verbs and phase in n.phases and side in n.sides
                ]
                for group in groups:
                    found = self._group(f, t, masks, group, clauses, bars)
                    if found is not None:
                        asked_after.append((group, found))
                    for i, word in enumerate(found or self.terms.constant(0)):
                        f.store(rows, self.row(group.number) + i * self.layout.word_size, word, self.layout.word)
            self._look_ahead(f, t, rows, asked_after, phase, side, (False, True))
            f.lines = masks.prologue + f.lines

    def _group(
        self,
        f: Function,
        t: Value,
        masks: Masks,
        group: Group,
        clauses: list[May],
        bars: list[MayNot],
        every_face: bool = False,
    ) -> Words | None:
        """The row of one group, before prohibitions that look ahead; None if it is always empty."""
        side = masks.c.side.known
        assert side is not None
        total: Words | None = None
        for may in clauses:
            allowed = group.places(set(may.paths[side]) if may.way is not None else {0})
            parts = conjuncts(may.when)
            if any(masks.assumed.get(e) is False for e in parts):
                continue
            parts = [e for e in parts if e not in masks.assumed]
            steady = [e for e in parts if fixed(e)]
            for e in steady:
                constant = [w.known or 0 for w in masks.constant(e, group)]
                width = 64 if self.layout.word == "i64" else 32
                allowed &= sum(word << (i * width) for i, word in enumerate(constant))
            if not allowed:
                continue
            found = self.terms.constant(allowed)
            if group.moves and masks.c.men is not None and group.origin.by is None:
                found = [a & b for a, b in zip(found, self._waiting(masks, group, side), strict=True)]
            elif group.moves:
                men = masks.at(group.origin, masks.acting(may.who, may.kind))
                found = [a & b for a, b in zip(found, men, strict=True)]
                if masks.c.men is None:
                    acting = masks.hoisted("active", lambda: self._acting(f, t))
                    found = [a & b for a, b in zip(found, masks.at(group.origin, acting), strict=True)]
            asked = []
            for e in parts:
                if fixed(e):
                    continue
                mask = masks.of(e, group)
                if mask is None:
                    asked.append(e)
                else:
                    found = [a & b for a, b in zip(found, mask, strict=True)]
            found = [f.held(w, "found") for w in found]
            if asked:
                found = self._asked(f, masks, group, found, asked, keep=True)
            total = found if total is None else [f.local("total", a | b) for a, b in zip(total, found, strict=True)]
        if total is None:
            return None
        die = {p.die for p in group.paths.values()}
        if group.moves and die != {0}:
            (pips,) = die
            assert self.game.throw is not None
            thrown = const(int(pips <= self.game.throw.faces)) if every_face else load(t, self.layout.left + pips, "u8")
            total = [f.local("thrown", select(thrown, w, const(0, w.type))) for w in total]
        for bar in bars:
            total = self._barred(f, masks, group, total, bar)
        return total

    def _waiting(self, masks: Masks, group: Group, side: int) -> Words:
        """All index places if a man waits beside the board where the group's men come in from, else none."""
        place = group.origin.fixed
        if masks.c.active is not None or (side, place) not in self.terms.stocks:
            return self.terms.constant(0)
        asked = masks.hoisted(("waiting", place), lambda: [self.terms.stock(side, place, masks.c).ne(0)])
        return masks.splat(asked[0])

    def _acting(self, f: Function, t: Value) -> Words:
        """Where the man stands that alone may go on; everywhere, if there is none."""
        active = f.local("active", load(t, self.layout.active, "s16"))
        bit = self.terms.bit(active)
        return [select(active.lt_signed(0), all_, one) for all_, one in zip(self.terms.constant(-1), bit, strict=True)]

    def _asked(
        self, f: Function, masks: Masks, group: Group, found: Words, asked: list[Expression], keep: bool
    ) -> Words:
        """Ask conditions path by path: the places where they hold (``keep``), or where they do not."""
        kept = [f.local("kept", w if not keep else const(0, w.type)) for w in found]
        with self.terms.each_place(found, "index") as index:
            c = replace(masks.c, path=GroupPath(group, index), verb=const(group.verb))
            holds = self.terms.all_of(asked, c)
            with f.when(holds):
                for word, bit in zip(kept, self.terms.bit(index), strict=True):
                    f.set(word, word | bit if keep else word ^ bit)
        return kept

    def _barred(self, f: Function, masks: Masks, group: Group, found: Words, bar: MayNot) -> Words:
        assert bar.when is not None
        refused: Words | None = None
        asked = []
        for e in conjuncts(bar.when):
            mask = masks.of(e, group)
            if mask is None:
                asked.append(e)
                continue
            refused = mask if refused is None else [a & b for a, b in zip(refused, mask, strict=True)]
        if refused is not None and all(w.known == 0 for w in refused):
            return found
        if not asked:
            refused = refused or self.terms.constant(-1)
            return [f.local("left", a.without(f.held(b, "refused"))) for a, b in zip(found, refused, strict=True)]
        touched = found if refused is None else [f.held(a & b, "touched") for a, b in zip(found, refused, strict=True)]
        free = self._asked(f, masks, group, touched, asked, keep=False)
        if refused is None:
            return free
        return [f.local("left", a.without(b) | c) for a, b, c in zip(found, touched, free, strict=True)]

    def _look_ahead(
        self,
        f: Function,
        t: Value,
        rows: Value,
        groups: list[tuple[Group, Words]],
        phase: int,
        side: int,
        which_kinds: tuple[bool, ...],
    ) -> None:
        """Prohibitions that ask what follows: `after`, then `at: play-end`, each over all groups."""

        def concerned(n: MayNot, verb: int, play_end: bool) -> bool:
            here = verb in n.verbs and phase in n.phases and side in n.sides
            return n.after is not None and n.play_end == play_end and here

        for play_end in which_kinds:
            for group, _ in groups:
                which = [i for i, n in enumerate(self.game.may_not) if concerned(n, group.verb, play_end)]
                if not which:
                    continue
                at = self.row(group.number)
                word, size = self.layout.word, self.layout.word_size
                found = [f.local("asked", load(rows, at + i * size, word)) for i in range(self.words)]
                with self.terms.each_place(found, "index") as index:
                    path = f.local("number", self.data.number_of(group, index))
                    if play_end:
                        ends = [n for n in self.game.may_not if n.after is not None and n.play_end]
                        chosen = sum(1 << ends.index(self.game.may_not[i]) for i in which)
                        refused = call("reaches_end", t, const(group.verb), path, const(chosen), const(side)).no()
                    else:
                        refused = call(f"refused_after_{group.verb}", t, path)
                    with f.when(refused):
                        for i, bit in enumerate(self.terms.bit(index)):
                            f.store(rows, at + i * size, load(rows, at + i * size, word).without(bit), word)

    def build_can(self) -> None:
        """``can_VERB_EVERY``: is a decision of a verb permitted to a reader, by a man on these places?"""
        homes = self.reference.home_phase
        wanted = sorted(
            {
                (e.data[0], int(e.op == "can-at-all"))
                for e in self._every_node()
                if e.op in ("can", "can-from", "can-at-all")
            }
        )
        for verb, every in wanted:
            params = {"t": "i32", "side": "i32"} | {f"o{i}": self.layout.word for i in range(self.words)}
            with self.function(f"can_{verb}_{every}", params, "i32") as f:
                size = self.layout.size
                u = self.frame(f, size + self.rows_size)
                rows = u + size
                self.copy(f, u, f.param("t"), size)
                f.store(u, self.layout.decider, f.param("side"), "u8")
                f.store(u, self.layout.phase, homes[verb], "u8")
                f.store(u, self.layout.active, -1, "s16")
                for side in (0, 1):
                    with f.when(f.param("side").eq(side)):
                        f.do(f"able_{side}_{verb}_{every}", u, rows)
                found = const(0)
                for group in self.groups:
                    if group.verb != verb:
                        continue
                    words = [
                        load(rows, self.row(group.number) + i * self.layout.word_size, self.layout.word)
                        for i in range(self.words)
                    ]
                    if group.moves:
                        origins = [f.param(f"o{i}") for i in range(self.words)]
                        at = Masks(self, f, Context(u, const(0))).at(group.origin, origins)
                        words = [a & b for a, b in zip(words, at, strict=True)]
                    found = found | self.terms.any(words)
                self.leave(f, u, found)
            for side in (0, 1):
                self._able(side, verb, homes[verb], every)

    def _able(self, side: int, verb: int, phase: int, every: int) -> None:
        """The rows of one verb for `can`: its own may and may-not, with the dice left or every face."""
        with self.function(f"able_{side}_{verb}_{every}", {"t": "i32", "rows": "i32"}) as f:
            t, rows = f.param("t"), f.param("rows")
            masks = Masks(self, f, Context(t, const(side)))
            clauses = [m for m in self.game.may if m.verb == verb and phase in m.phases and side in m.sides]
            bars = [
                n
                for n in self.game.may_not
                if n.when is not None and verb in n.verbs and phase in n.phases and side in n.sides
            ]
            found = []
            for group in self.groups:
                if group.verb != verb:
                    continue
                words = self._group(f, t, masks, group, clauses, bars, bool(every))
                if words is not None:
                    found.append((group, words))
                for i, word in enumerate(words or self.terms.constant(0)):
                    f.store(rows, self.row(group.number) + i * self.layout.word_size, word, self.layout.word)
            self._look_ahead(f, t, rows, found, phase, side, (False,))
            f.lines = masks.prologue + f.lines

    def _every_node(self) -> list[Expression]:
        raise NotImplementedError
