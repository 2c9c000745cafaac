"""What a position is worth, measured by what every game has: men, their kinds, the way they have come.

``worth`` is the counterpart of ``play.players`` number by number, for the player that
looks one turn ahead; ``lead`` is one number, for games that are cut off and for searches.
"""

from __future__ import annotations

from interpreter.compiled.running import Running
from interpreter.compiled.wat import Function, Value, call, const, load, select
from interpreter.machine.types import TO_DECIDE

WORTHS = 4
"""Numbers that make a worth, the weightiest first."""

LEAD_OF_WAY = 2
"""A lead of so many places for each man is half of what can be had without having won."""


class Judging(Running):
    """``men_of``, ``ahead_of``, ``worth``, ``lead``."""

    def build_judging(self) -> None:
        board = self.game.board
        self.tracked = [bool(board.tracks[side]) for side in (0, 1)]
        with self.function("men_of", {"t": "i32", "side": "i32"}, "i32") as f:
            self._men_of_side(f)
        if any(self.tracked):
            self._build_ahead()
        if board.many:
            with self.function("alone_of", {"t": "i32", "side": "i32"}, "i32") as f:
                self._by_themselves(f)
        if False in self.tracked:
            with self.function("apart_of", {"t": "i32", "side": "i32"}, "i32") as f:
                self._apart(f)
            with self.function("threat_to", {"t": "i32", "side": "i32"}, "i32") as f:
                self._threat(f)
        with self.function("worth", {"t": "i32", "side": "i32", "careful": "i32", "to": "i32"}) as f:
            self._worth(f)
        with self.function("lead", {"t": "i32"}, "i32") as f:
            self._lead(f)

    # ---- men ----------------------------------------------------------------------------------

    def _words_at(self, t: Value, row: Value) -> list[Value]:
        """Where the men of a row (side and kind) stand."""
        return self.stored_words(t + row * self.layout.mask_size, self.layout.where)

    def _on_board(self, words: list[Value]) -> list[Value]:
        points = self.terms.constant(self.game.board.all_points)
        return [w & p for w, p in zip(words, points, strict=True)]

    def _count_at(self, t: Value, row: Value, place: Value) -> Value:
        """How many men of a row stand on a place where one stands."""
        layout = self.layout
        counted = load(t + row * layout.row + place, layout.counts - layout.first_counted, "u8")
        return counted if layout.many else select(place.lt(layout.points), const(1), counted)

    def _men_of_side(self, f: Function) -> None:
        """A side's men on points of the board, each by its place in the list of pieces."""
        t, side = f.param("t"), f.param("side")
        total = f.local("total", 0)
        for kind in range(self.kinds):
            row = f.local("row", side * self.kinds + kind)
            words = self.terms.held(self._on_board(self._words_at(t, row)), "men")
            if self.layout.many:
                with self.terms.each_place(words, "place") as place:
                    f.set(total, total + self._count_at(t, row, place) * (kind + 1))
            else:
                f.set(total, total + self.terms.size(words) * (kind + 1))
        f.give(total)

    def _build_ahead(self) -> None:
        """How far a side's men have come along its track, in places."""
        index = self.game.board.track_index
        table = self.data.add(
            b"".join(max(n, 0).to_bytes(2, "little") for side in (0, 1) for n in self._padded(index[side])), 2
        )
        places = self.game.places
        with self.function("ahead_of", {"t": "i32", "side": "i32"}, "i32") as f:
            t, side = f.param("t"), f.param("side")
            total = f.local("total", 0)
            for kind in range(self.kinds):
                row = f.local("row", side * self.kinds + kind)
                words = self.terms.held(self._words_at(t, row), "men")
                with self.terms.each_place(words, "place") as place:
                    along = load((side * places + place) * 2, table, "u16")
                    f.set(total, total + self._count_at(t, row, place) * along)
            f.give(total)

    def _padded(self, index: tuple[int, ...]) -> tuple[int, ...]:
        return index or (0,) * self.game.places

    def _by_themselves(self, f: Function) -> None:
        """Points where one man of a side stands by himself."""
        t, side, layout = f.param("t"), f.param("side"), self.layout
        total = f.local("total", 0)
        first = f.local("first", t + side * (self.kinds * layout.row))
        with f.count_to(self.game.board.points, "point") as point:
            here = const(0)
            for kind in range(self.kinds):
                here = here + load(first + point, layout.counts + kind * layout.row, "u8")
            f.set(total, total + here.eq(1))
        f.give(total)

    def _apart(self, f: Function) -> None:
        """Steps along the lines from each man of a side to the nearest man of the other, added up."""
        t, side = f.param("t"), f.param("side")
        board, size, word = self.game.board, self.layout.mask_size, self.layout.word
        table = self.data.add(b"".join(n.to_bytes(size, "little") for n in board.neighbours), 8)
        both = []
        for name, whose in (("own", side), ("near", side ^ 1)):
            words = [f.local(name, 0, word) for _ in range(self.words)]
            for kind in range(self.kinds):
                row = f.local("row", whose * self.kinds + kind)
                for kept, more in zip(words, self._on_board(self._words_at(t, row)), strict=True):
                    f.set(kept, kept | more)
            both.append(words)
        own, near = both
        steps, total = f.local("steps", 0), f.local("total", 0)
        with f.when(self.terms.any(near).no()):
            f.give(0)
        wider = [f.local("wider", 0, word) for _ in range(self.words)]
        with f.loop() as (out, _):
            f.branch(out, self.terms.any([o.without(n) for o, n in zip(own, near, strict=True)]).no())
            f.set(steps, steps + 1)
            for w, n in zip(wider, near, strict=True):
                f.set(w, n)
            with self.terms.each_place(near, "place") as place, f.when(place.lt(board.points)):
                at = f.local("at", place * size)
                for i, w in enumerate(wider):
                    f.set(w, w | load(at, table + i * self.layout.word_size, word))
            grown = self.terms.any([w ^ n for w, n in zip(wider, near, strict=True)])
            f.branch(out, grown.no())
            met = self.terms.size([(o & w).without(n) for o, w, n in zip(own, wider, near, strict=True)])
            f.set(total, total + steps * met)
            for w, n in zip(wider, near, strict=True):
                f.set(n, w)
        f.give(total)

    def _threat(self, f: Function) -> None:
        """The most that one decision of whoever decides would take from a side; 0 where he can do nothing."""
        t, side, layout = f.param("t"), f.param("side"), self.layout
        rows = self.frame(f, self.rows_size + layout.size)
        u = rows + self.rows_size
        own = f.local("own", call("men_of", t, side))
        most, some = f.local("most", -(1 << 30)), f.local("some", 0)
        f.do("legal", t, rows)
        for d in self.each_permitted(f, rows):
            self.copy(f, u, t, layout.size)
            f.do("searched")
            f.do("step", u, d.verb, d.path)
            f.set(some, 1)
            lost = f.local("lost", own - call("men_of", u, side))
            f.set(most, select(lost.gt_signed(most), lost, most))
        self.leave(f, rows, select(some, most, const(0)))

    # ---- worth ----------------------------------------------------------------------------------

    def _worth(self, f: Function) -> None:
        """The worth of a record to a side, as so many numbers at ``to``."""
        t, side, careful, to = (f.param(n) for n in ("t", "side", "careful", "to"))
        layout = self.layout
        over = f.local("over", load(t, layout.ending, "s16").ge_signed(0))
        winner, points = load(t, layout.winner, "u8"), load(t, layout.points_won)
        points = f.local("points", select(points.gt_signed(0), points, const(1)))
        ended = select(winner.eq(side), points, const(0) - points)
        ended = f.local("ended", select(over & winner.ne(2), ended, const(0)))
        for i in range(WORTHS):
            f.store(to, 4 * i, 0)
        f.store(to, 0, ended)
        for which in (0, 1):
            with f.when(side.eq(which)):
                if self.tracked[which]:
                    foe = call("men_of", t, side ^ 1)
                    f.store(to, 4, select(ended, const(0), const(0) - foe))
                    f.store(to, 8, call("ahead_of", t, side) - call("ahead_of", t, side ^ 1))
                    if self.game.board.many:
                        f.store(to, 12, const(0) - call("alone_of", t, side))
                else:
                    balance = f.local("balance", call("men_of", t, side) - call("men_of", t, side ^ 1))
                    answered = over.no() & load(t, layout.waits, "u8").eq(TO_DECIDE)
                    with f.when(careful & answered & load(t, layout.decider, "u8").ne(side)):
                        f.set(balance, balance - call("threat_to", t, side))
                    f.store(to, 4, balance)
                    f.store(to, 8, const(0) - call("apart_of", t, side))
        # compared as whole numbers one after the other
        f.give()

    def _lead(self, f: Function) -> None:
        """By how much the first side is ahead: men, or places along the tracks; against the set-up.

        Both sides' together are left in ``men_left``.
        """
        t = f.param("t")
        name = "men_of" if self.lead_by_men else "ahead_of"
        one, other = f.local("one", call(name, t, const(0))), f.local("other", call(name, t, const(1)))
        f.set_global("men_left", one + other)
        f.give(one - other - self.lead_at_first)

    @property
    def lead_by_men(self) -> bool:
        """Is the lead counted in men? Where men travel by dice, it is the way they have come."""
        return self.game.throw is None or not all(self.tracked)

    @property
    def lead_at_first(self) -> int:
        """The lead of the first side in the set-up."""
        game, state = self.game, self.reference.initial()
        width, lead = game.places, 0
        for side, sign in ((0, 1), (1, -1)):
            for kind in range(self.kinds):
                for place in range(width):
                    men = state.men[(side * self.kinds + kind) * width + place]
                    if not self.lead_by_men:
                        lead += sign * men * max(game.board.track_index[side][place], 0)
                    elif place < game.board.points:
                        lead += sign * men * (kind + 1)
        return lead

    @property
    def half_lead(self) -> int:
        """The lead that is worth half of a win, along tracks."""
        return max(LEAD_OF_WAY * sum(self.game.setup[: self.kinds * self.game.places]), 1)
