"""Duties: of the plays permitted, only the best stay; the counterpart of ``machine.duties``.

``legal`` fills rows. Where no duty looks further than the first decision and each asks
a truth that is a mask, rows are filtered as they are. Otherwise the permitted decisions
are listed as *entries*, each with the *ends* its plays can come to (what `most`, `least`
and `unless` read there), and the duties filter entries and ends in file order. What a
state's plays can come to is kept in a table of visited states while a play is searched.

One room: one list of entries, and all that duties do with it.
"""

from __future__ import annotations

from interpreter.compiled.building import ENDED, GOES_ON
from interpreter.compiled.context import Context
from interpreter.compiled.flow import Flow
from interpreter.compiled.permitting import Masks
from interpreter.compiled.wat import Function, Value, call, const, global_, load, select
from interpreter.game.types import BOOL, Must

VERB, NUMBER, ROW, WORD, BIT, OWN, WORTH, KEY, ENDS, COUNT = 0, 4, 8, 12, 16, 20, 24, 32, 40, 44
ENTRY = 48
"""An entry: verb and path; the row, the word in it and the bit; the duty's own value, its worth; the group
among which it is compared; its ends and how many."""

NEVER = -(1 << 31)
"""The worth of an entry all whose ends are excused."""

MEMO_BITS = 14


class Dutiful(Flow):
    """``legal``, and marks of breach."""

    def build_duties(self) -> None:
        musts = self.game.must
        self.enforced = [i for i, must in enumerate(musts) if must.breach < 0]
        self.breachable = [i for i, must in enumerate(musts) if must.breach >= 0]
        at_end = [i for i, must in enumerate(musts) if must.measure in ("most", "least") or must.unless is not None]
        self.slot = {duty: k for k, duty in enumerate(at_end)}
        self.readers = 2 if self.two_readers else 1
        self.end_size = 8 * len(at_end) * self.readers
        self.looks_ahead = bool(at_end)
        self.by_rows = not self.looks_ahead and all(self._as_mask(musts[i]) for i in self.enforced)
        if musts:
            self._build_entries()
            for i in range(len(musts)):
                self._build_worth(i)
            for i in self.enforced:
                self._build_filter(i)
        if self.looks_ahead:
            self._build_ends()
        self._build_legal()
        self._build_breaches()
        layout = self.layout
        with self.function("step", {"t": "i32", "verb": "i32", "path": "i32"}) as f:
            t, verb, path = f.param("t"), f.param("verb"), f.param("path")
            if self.breachable:
                f.do("mark_breaches", t, verb, path)
            f.do("finish", t, call("advance", t, verb, path))
        assert layout.size

    def _as_mask(self, must: Must) -> bool:
        """Can a duty be kept with masks alone? (One truth, asked before the decision, over all decisions.)"""
        if must.measure != "prefer" or must.value.sort != BOOL or must.among or must.unless is not None:
            return False
        with self.function("trial") as f:
            masks = Masks(self, f, Context(const(0), const(0)))
            able = all(masks.of(must.value, group) is not None for group in self.groups)
        self.functions.remove(f)
        return able

    # ---- legal ----------------------------------------------------------------------------------

    def _build_legal(self) -> None:
        """``legal``: the rows of what is permitted and neglects no duty."""
        if self.by_rows:
            for side in (0, 1):
                with self.function(f"dutiful_{side}", {"t": "i32", "rows": "i32"}) as f:
                    self._filter_rows(f, side)
        with self.function("legal", {"t": "i32", "rows": "i32"}) as f:
            t, rows = f.param("t"), f.param("rows")
            f.do("permitted", t, rows)
            if not self.enforced:
                f.give()
            elif self.by_rows:
                with f.when(load(t, self.layout.decider, "u8")):
                    f.do("dutiful_1", t, rows)
                with f.otherwise():
                    f.do("dutiful_0", t, rows)
            else:
                scratch = f.local("scratch", global_("scratch"))
                number = f.local("number", call("plays", t, rows))
                self._drop_empty(f, rows, scratch, number)
                f.set_global("scratch", scratch)

    def _filter_rows(self, f: Function, side: int) -> None:
        t, rows, layout = f.param("t"), f.param("rows"), self.layout
        masks = Masks(self, f, Context(t, const(side)))
        phase = load(t, layout.phase, "u8")
        for i in self.enforced:
            must = self.game.must[i]
            if side not in must.sides:
                continue
            wanted, best = [], const(0)
            for group in self.groups:
                mask = masks.of(must.value, group)
                assert mask is not None
                wanted.append(mask)
                if all(w.known == 0 for w in mask):
                    continue
                for j, word in enumerate(mask):
                    row = load(rows, self.row(group.number) + j * layout.word_size, layout.word)
                    best = best | (row & word).to("i64").ne(0)
            with f.when(self.concerned(t, must.phases, (0, 1), phase, const(side)) & best):
                for group, mask in zip(self.groups, wanted, strict=True):
                    if group.verb not in must.binds:
                        continue
                    for j, word in enumerate(mask):
                        at = self.row(group.number) + j * layout.word_size
                        f.store(rows, at, load(rows, at, layout.word) & word, layout.word)
        f.lines = masks.prologue + f.lines

    def _drop_empty(self, f: Function, rows: Value, entries: Value, number: Value) -> None:
        """Clear the bits of entries without ends."""
        entry = f.local("entry", entries)
        with f.count_to(number):
            with f.when(load(entry, COUNT).eq(0)):
                word = load(entry, WORD)
                at = f.local("at", rows + load(entry, ROW) + word * self.layout.word_size)
                bit = const(1, self.layout.word) << load(entry, BIT).to(self.layout.word)
                f.store(at, 0, load(at, 0, self.layout.word).without(bit), self.layout.word)
            f.set(entry, entry + ENTRY)

    # ---- entries ----------------------------------------------------------------------------------

    def _build_entries(self) -> None:
        """``entries``: list what is in the rows, at ``scratch``; ``plays``: with its ends, filtered."""
        layout = self.layout
        with self.function("entries", {"rows": "i32"}, "i32") as f:
            entry = f.local("entry", global_("scratch"))
            start = f.local("start", entry)
            for d in self.each_permitted(f, f.param("rows")):
                with f.when((entry + ENTRY).gt(global_("scratch_end"))):
                    self.fail(f, "a turn that can go on in too many ways")
                f.store(entry, VERB, d.verb)
                f.store(entry, NUMBER, d.path)
                f.store(entry, ROW, d.offset)
                f.store(entry, WORD, d.index >> (6 if layout.word == "i64" else 5))
                f.store(entry, BIT, d.index & (63 if layout.word == "i64" else 31))
                f.store(entry, COUNT, 1)
                f.set(entry, entry + ENTRY)
            f.set_global("scratch", entry)
            f.give(self._divided(f, entry - start))
        with self.function("plays", {"t": "i32", "rows": "i32"}, "i32") as f:
            t = f.param("t")
            start = f.local("start", global_("scratch"))
            number = f.local("number", call("entries", f.param("rows")))
            if self.looks_ahead:
                f.do("fill_ends", t, start, number)
            self.filtered(f, t, start, number)
            f.give(number)

    def filtered(self, f: Function, t: Value, entries: Value, number: Value, most: Value | None = None) -> None:
        """The enforced duties in file order, or the first so many of them, drop what neglects them."""
        phase, side = load(t, self.layout.phase, "u8"), load(t, self.layout.decider, "u8")
        for count, i in enumerate(self.enforced):
            must = self.game.must[i]
            asked = self.concerned(t, must.phases, must.sides, phase, side)
            with f.when(asked if most is None else asked & most.gt(count)):
                f.do(f"filter_{i}", t, entries, number)

    @staticmethod
    def _divided(f: Function, size: Value) -> Value:
        return Value(f"(i32.div_u {size.code} (i32.const {ENTRY}))")

    def _reader_offset(self, f: Function, t: Value) -> Value:
        """Where in an end the values lie that the decider reads."""
        if not self.two_readers:
            return const(0)
        return load(t, self.layout.decider, "u8") * (8 * len(self.slot))

    def _build_worth(self, i: int) -> None:
        """``worth_I``: what a duty holds of every entry: its own value, its group, its worth."""
        must, layout = self.game.must[i], self.layout
        sign = -1 if must.measure == "least" else 1
        slot = self.slot.get(i)
        reads_first = must.measure in ("prefer", "after")
        with self.function(f"worth_{i}", {"t": "i32", "entries": "i32", "number": "i32"}) as f:
            t = f.param("t")
            side = f.local("side", load(t, layout.decider, "u8"))
            offset = f.local("offset", self._reader_offset(f, t) + (8 * slot if slot is not None else 0))
            frame = self.frame(f, layout.size) if must.measure == "after" else None
            entry = f.local("entry", f.param("entries"))
            with f.count_to(f.param("number")):
                with f.when(load(entry, COUNT)):
                    verb, path = f.local("verb", load(entry, VERB)), f.local("path", load(entry, NUMBER))
                    if reads_first:
                        at = t
                        if frame is not None:
                            f.do("tried", t, frame, verb, path)
                            at = frame
                        c = self.context(f, at, side, verb, path)
                        f.store(entry, OWN, self.terms.of(must.value, c))
                    f.store(entry, KEY, self._among(f, must, verb, path), "i64")
                    if slot is None:
                        f.store(entry, WORTH, load(entry, OWN))
                    else:
                        worth = f.local("worth", NEVER)
                        end = f.local("end", load(entry, ENDS) + offset)
                        with f.count_to(load(entry, COUNT), "k"):
                            with f.when(load(end, 4).no()):
                                value = load(entry, OWN) if reads_first else load(end, 0)
                                value = f.local("value", value if sign > 0 else const(0) - value)
                                f.set(worth, select(value.gt_signed(worth), value, worth))
                            f.set(end, end + self.end_size)
                        f.store(entry, WORTH, worth)
                f.set(entry, entry + ENTRY)
            if frame is not None:
                f.set_global("sp", frame)
        with self.function(f"best_{i}", {"entries": "i32", "number": "i32", "key": "i64"}, "i32") as f:
            best, entry = f.local("best", NEVER), f.local("entry", f.param("entries"))
            with f.count_to(f.param("number")):
                alike = load(entry, COUNT).ne(0)
                if must.among:
                    alike = alike & load(entry, KEY, "i64").eq(f.param("key"))
                worth = f.local("worth", load(entry, WORTH))
                f.set(best, select(alike & worth.gt_signed(best), worth, best))
                f.set(entry, entry + ENTRY)
            f.give(best)

    def _among(self, f: Function, must: Must, verb: Value, path: Value) -> Value:
        """The words in which decisions must agree to be compared, as one number."""
        key, paths = const(0, "i64"), self.game.paths
        for word in must.among:
            if word == "verb":
                value = verb
            else:
                numbers = [{"from": p.origin, "to": p.to, "direction": p.direction, "die": p.die}[word] for p in paths]
                table = self.data.add(b"".join(n.to_bytes(2, "little", signed=True) for n in numbers), 2)
                value = load(path * 2, table, "s16")
            key = (key << 12) | (value & 0xFFF).wide()
        return key

    def _build_filter(self, i: int) -> None:
        """``filter_I``: a duty drops ends (and entries left without any) that are not the best."""
        must = self.game.must[i]
        sign = -1 if must.measure == "least" else 1
        slot = self.slot.get(i)
        reads_first = must.measure in ("prefer", "after")
        with self.function(f"filter_{i}", {"t": "i32", "entries": "i32", "number": "i32"}) as f:
            t, entries, number = f.param("t"), f.param("entries"), f.param("number")
            f.do(f"worth_{i}", t, entries, number)
            offset = f.local("offset", self._reader_offset(f, t) + (8 * slot if slot is not None else 0))
            best = f.local("best", 0)
            if not must.among:
                f.set(best, call(f"best_{i}", entries, number, const(0, "i64")))
            else:
                # worths change no more, but entries are dropped: the best of each group first
                entry = f.local("entry", entries)
                frame = f.local("frame", global_("scratch"))
                with f.count_to(number, "k") as k:
                    key = load(entry, KEY, "i64")
                    f.store(frame + k * 4, 0, call(f"best_{i}", entries, number, key))
                    f.set(entry, entry + ENTRY)
            entry = f.local("entry", entries)
            with f.count_to(number) as k:
                if must.among:
                    f.set(best, load(frame + k * 4, 0))
                bound = self._one_of(load(entry, VERB), tuple(sorted(must.binds)))
                if len(must.binds) >= len(self.game.verbs):
                    bound = const(1)
                with f.when(load(entry, COUNT).ne(0) & best.ne(NEVER) & bound):
                    if slot is None:
                        with f.when(load(entry, WORTH).ne(best)):
                            f.store(entry, COUNT, 0)
                    else:
                        end = f.local("end", load(entry, ENDS))
                        kept = f.local("kept", end)
                        left = f.local("left", 0)
                        with f.count_to(f.local("many", load(entry, COUNT)), "j"):
                            value = load(entry, OWN) if reads_first else load(end + offset, 0)
                            value = value if sign > 0 else const(0) - value
                            with f.when(load(end + offset, 4) | value.eq(best)):
                                self._copy_bytes(f, kept, 0, end, 0, self.end_size)
                                f.set(kept, kept + self.end_size)
                                f.set(left, left + 1)
                            f.set(end, end + self.end_size)
                        f.store(entry, COUNT, left)
                f.set(entry, entry + ENTRY)

    # ---- ends ---------------------------------------------------------------------------------------

    def _build_ends(self) -> None:
        """``fill_ends``: what the plays of every entry can come to; ``ends_of``: all those of a state, noted."""
        layout, size = self.layout, self.end_size
        with self.function("fill_ends", {"t": "i32", "entries": "i32", "number": "i32"}) as f:
            t, entry = f.param("t"), f.local("entry", f.param("entries"))
            u = self.frame(f, layout.size)
            with f.count_to(f.param("number")):
                f.do("searched")
                self.copy(f, u, t, layout.size)
                status = f.local("status", call("advance", u, load(entry, VERB), load(entry, NUMBER)))
                with f.when(status.eq(GOES_ON)):
                    found = f.local("found", call("ends_of", u))
                    many = f.local("many", global_("found_ends"))
                    at = f.local("at", global_("scratch"))
                    self._room(f, many * size)
                    f.store(entry, ENDS, at)
                    f.store(entry, COUNT, many)
                    with f.count_to(many, "k"):
                        self._copy_bytes(f, at, 0, found, 0, size)
                        f.set(at, at + size)
                        f.set(found, found + size)
                with f.otherwise():
                    at = f.local("at", global_("scratch"))
                    self._room(f, const(size))
                    f.store(entry, ENDS, at)
                    f.store(entry, COUNT, 1)
                    f.store(u, layout.ended, status.eq(ENDED), "u8")
                    decider = load(t, layout.decider, "u8")
                    for reader in range(self.readers):
                        side = const(reader) if self.two_readers else decider
                        c = Context(u, side)
                        for duty, slot in self.slot.items():
                            must = self.game.must[duty]
                            value = const(0)
                            if must.measure in ("most", "least"):
                                value = self.terms.of(must.value, c)
                            offset = 8 * (reader * len(self.slot) + slot)
                            f.store(at, offset, value)
                            excused = self.terms.of(must.unless, c) if must.unless is not None else const(0)
                            f.store(at, offset + 4, excused)
                f.set(entry, entry + ENTRY)
            f.set_global("sp", u)
        self._build_memo()
        with self.function("ends_of", {"t": "i32"}, "i32") as f:
            t = f.param("t")
            known = f.local("known", call("noted", t))
            with f.when(known):
                f.set_global("found_ends", load(known, 4))
                f.give(load(known, 0))
            rows = self.frame(f, self.rows_size)
            memo = f.local("slot", global_("memo_slot"))
            f.do("permitted", t, rows)
            start = f.local("start", global_("scratch"))
            number = f.local("number", call("plays", t, rows))
            list_ = f.local("list", global_("arena"))
            many = f.local("many", 0)
            entry = f.local("entry", start)
            with f.count_to(number):
                end = f.local("end", load(entry, ENDS))
                with f.count_to(load(entry, COUNT), "k"):
                    new, other = f.local("new", 1), f.local("other", list_)
                    with f.count_to(many, "j"):
                        differ = const(0, "i64")
                        for i in range(0, size, 8):
                            differ = differ | (load(other, i, "i64") ^ load(end, i, "i64"))
                        with f.when(differ.eq(0)):
                            f.set(new, 0)
                        f.set(other, other + size)
                    with f.when(new):
                        with f.when((other + (size + layout.key_size + 32)).gt(global_("arena_end"))):
                            self.fail(f, "a turn that can go on in too many ways")
                        self._copy_bytes(f, other, 0, end, 0, size)
                        f.set(many, many + 1)
                    f.set(end, end + size)
                f.set(entry, entry + ENTRY)
            f.set_global("scratch", start)
            f.set_global("arena", list_ + many * size)
            f.do("note", t, memo, list_, many)
            f.set_global("found_ends", many)
            self.leave(f, rows, list_)

    def _room(self, f: Function, size: Value) -> None:
        f.set_global("scratch", global_("scratch") + size)
        with f.when(global_("scratch").gt(global_("scratch_end"))):
            self.fail(f, "a turn that can go on in too many ways")

    def _build_memo(self) -> None:
        """``noted`` and ``note``: visited states by the hash of their key; ``forget_notes`` begins anew."""
        layout = self.layout
        with self.function("forget_notes") as f:
            f.set_global("generation", global_("generation") + 1)
            f.set_global("arena", global_("arena_start"))
        with self.function("noted", {"t": "i32"}, "i32") as f:
            t = f.param("t")
            hash_ = f.local("hash", 0x9E3779B9, "i64")
            for i in range(0, layout.key_size, 8):
                f.set(hash_, (hash_ ^ load(t, i, "i64")) * 0xBF58476D1CE4E5B9)
                f.set(hash_, hash_ ^ (hash_ >> 29))
            slot = f.local("slot", (hash_ >> 40).narrow() & ((1 << MEMO_BITS) - 1))
            with f.count_to(32):
                at = f.local("at", global_("memo") + slot * 8)
                f.set_global("memo_slot", at)
                with f.when(load(at, 0).ne(global_("generation"))):
                    f.give(0)
                entry = f.local("entry", load(at, 4))
                differ = f.local("differ", load(entry, 8, "i64") ^ load(t, 0, "i64"))
                with f.when(differ.eq(0)):
                    for i in range(8, layout.key_size, 8):
                        f.set(differ, differ | (load(entry, 8 + i, "i64") ^ load(t, i, "i64")))
                    with f.when(differ.eq(0)):
                        f.give(entry)
                f.set(slot, (slot + 1) & ((1 << MEMO_BITS) - 1))
            f.set_global("memo_slot", 0)
            f.give(0)
        with self.function("note", {"t": "i32", "slot": "i32", "list": "i32", "many": "i32"}) as f:
            slot = f.param("slot")
            with f.when(slot.eq(0)):
                f.give()
            # another state may have taken the slot in the meantime: both are noted, the later one here
            at = f.local("at", (global_("arena") + 7) & -8)
            f.store(at, 0, f.param("list"))
            f.store(at, 4, f.param("many"))
            self._copy_bytes(f, at, 8, f.param("t"), 0, layout.key_size)
            f.store(slot, 0, global_("generation"))
            f.store(slot, 4, at)
            f.set_global("arena", at + (8 + layout.key_size))

    # ---- duties that are not enforced --------------------------------------------------------------------

    def _build_breaches(self) -> None:
        """``mark_breaches``: a bound decision that is none of the best leaves a mark on men that should have acted."""
        if not self.breachable:
            return
        layout = self.layout
        with self.function("mark_breaches", {"t": "i32", "verb": "i32", "path": "i32"}) as f:
            t, verb, path = f.param("t"), f.param("verb"), f.param("path")
            phase = f.local("phase", load(t, layout.phase, "u8"))
            side = f.local("side", load(t, layout.decider, "u8"))
            before = self.frame(f, layout.size)
            self.copy(f, before, t, layout.size)
            for i in self.breachable:
                must = self.game.must[i]
                bound = self._one_of(verb, tuple(sorted(must.binds)))
                with f.when(bound & self.concerned(t, must.phases, must.sides, phase, side)):
                    f.do(f"breach_{i}", before, t, verb, path)
            f.set_global("sp", before)
        for i in self.breachable:
            self._build_breach(i)

    def _build_breach(self, i: int) -> None:
        must, layout = self.game.must[i], self.layout
        slot = self.slot.get(i)
        sign = -1 if must.measure == "least" else 1
        reads_first = must.measure in ("prefer", "after")
        with self.function(f"breach_{i}", {"before": "i32", "t": "i32", "verb": "i32", "path": "i32"}) as f:
            before, t, verb, path = f.param("before"), f.param("t"), f.param("verb"), f.param("path")
            start = f.local("start", global_("scratch"))
            rows = self.frame(f, self.rows_size)
            f.do("permitted", before, rows)
            number = f.local("number", call("plays", before, rows))
            f.do(f"worth_{i}", before, start, number)
            offset = f.local("offset", self._reader_offset(f, before) + (8 * slot if slot is not None else 0))
            origins = [f.local("origins", 0, layout.word) for _ in range(self.words)]
            neglects = f.local("neglects", 1)
            entry = f.local("entry", start)
            with f.count_to(number):
                with f.when(load(entry, COUNT)):
                    best = f.local("best", call(f"best_{i}", start, number, load(entry, KEY, "i64")))
                    this = load(entry, VERB).eq(verb) & load(entry, NUMBER).eq(path)
                    kept = f.local("kept", best.eq(NEVER))
                    if slot is None:
                        f.set(kept, kept | load(entry, WORTH).eq(best))
                    else:
                        end = f.local("end", load(entry, ENDS) + offset)
                        with f.count_to(load(entry, COUNT), "k"):
                            value = load(entry, OWN) if reads_first else load(end, 0)
                            value = value if sign > 0 else const(0) - value
                            f.set(kept, kept | load(end, 4) | value.eq(best))
                            f.set(end, end + self.end_size)
                    with f.when(this & kept):
                        f.set(neglects, 0)
                    with f.when(best.ne(NEVER) & load(entry, WORTH).eq(best)):
                        origin = load(load(entry, NUMBER) * 4, self.path_ends, "s16")
                        for word, bit in zip(origins, self.terms.bit(f.held(origin, "origin")), strict=True):
                            f.set(word, word | bit)
                f.set(entry, entry + ENTRY)
            f.set_global("scratch", start)
            with f.when(neglects):
                self.mark(f, Context(t, const(0)), must.breach, list(origins))
            self.leave(f, rows)
