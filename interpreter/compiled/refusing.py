"""Why a decision is refused, as far as a module says it: the numbers a host asks for where there is no Python.

A host that holds the clauses (their conditions as trees, see ``web.reasons``) walks
through them as ``play.explain`` does. What joins conditions it works out by itself; what
speaks of the position is a *term* with a number, and the module says its value. So the
meaning of a word stays where it is, and a new word is no work here.

They make a compressed module larger by 1 % (the median of the shipped rulesets; at most 7 %).
"""

from __future__ import annotations

from collections.abc import Iterator

from interpreter.compiled.running import Running
from interpreter.compiled.wat import call, const, global_
from interpreter.game.types import PLACE, PLACES, Expression, Game

JOINING = frozenset(("and", "or", "not", "their", "compare", "in", "meets", "same-places"))
"""Ops whose value follows from that of their parts; the parts are what a reason tells."""

KNOWN = frozenset(("int", "true", "false", "places", "from", "to", "over", "die"))
"""Ops whose value stands in what a module says of itself, or in the tree."""


def reasons_of(game: Game) -> Iterator[Expression]:
    """The conditions whose parts a reason may tell: of every permission and every prohibition."""
    for may in game.may:
        yield may.when
    for may_not in game.may_not:
        if may_not.when is not None:
            yield may_not.when
        if may_not.after is not None and not may_not.play_end:
            yield may_not.after


def terms_of(game: Game) -> dict[Expression, int]:
    """The terms a module gives the value of, with their numbers: equal terms share one."""
    found: dict[Expression, int] = {}
    for condition in reasons_of(game):
        waiting = [condition]
        while waiting:
            e = waiting.pop()
            if e.op in JOINING:
                waiting += reversed(e.args)
            elif e.op not in KNOWN:
                found.setdefault(e, len(found))
                if e.op == "count":  # the places are named
                    waiting += e.args
    return found


class Refusing(Running):
    """What is asked of a decision that is not legal."""

    def build_refusing(self) -> None:
        self._build_tried_asked()
        self._build_value()
        if self.enforced:
            self._build_dutiful()
        ends = [n for n in self.game.may_not if n.play_end]
        if ends:
            self._build_reached("ask_reaches", "reaches_end")
        if len(ends) > 1:
            self.build_reaches_end("meets_end", wanted=True)
            self._build_reached("ask_meets", "meets_end")

    def _build_tried_asked(self) -> None:
        """``ask_tried``: the record becomes what a prohibition with `after` is asked of."""
        with self.function("ask_tried", {"verb": "i32", "path": "i32"}, export=True) as f:
            f.do("reset")
            f.do("tried", const(self.io), const(self.io), f.param("verb"), f.param("path"))

    def _build_value(self) -> None:
        """``ask_value``: of a term, read by a side of a decision; a set is left at ``scratch``, word by word."""
        params = {"term": "i32", "side": "i32", "verb": "i32", "path": "i32"}
        with self.function("ask_value", params, "i32", export=True) as f:
            f.do("reset")
            c = self.context(f, const(self.io), f.param("side"), f.param("verb"), f.param("path"))
            for e, number in terms_of(self.game).items():
                with f.when(f.param("term").eq(number)):
                    if e.sort in (PLACE, PLACES):
                        for i, word in enumerate(self.terms.places(e, c)):
                            f.store(global_("scratch"), i * self.layout.word_size, word, self.layout.word)
                        f.give(0)
                    else:
                        f.give(self.terms.of(e, c))
            f.give(0)

    def _build_dutiful(self) -> None:
        """``ask_dutiful``: what is left of the permitted decisions by the first so many duties; how many."""
        io = const(self.io)
        with self.function("ask_dutiful", {"duties": "i32"}, "i32", export=True) as f:
            f.do("reset")
            rows = self.frame(f, self.rows_size)
            f.do("permitted", io, rows)
            start = f.local("start", global_("scratch"))
            number = f.local("number", call("entries", rows))
            if self.looks_ahead:
                f.do("fill_ends", io, start, number)
            self.filtered(f, io, start, number, f.param("duties"))
            self._drop_empty(f, rows, start, number)
            f.set_global("scratch", start)
            f.give(call("numbers", rows))

    def _build_reached(self, name: str, function: str) -> None:
        """``ask_reaches``, ``ask_meets``: can a play that begins so come to an end where none (one) of these holds?"""
        with self.function(
            name, {"verb": "i32", "path": "i32", "chosen": "i32", "side": "i32"}, "i32", export=True
        ) as f:
            f.do("reset")
            verb, path, chosen, side = (f.param(n) for n in ("verb", "path", "chosen", "side"))
            f.give(call(function, const(self.io), verb, path, chosen, side))
