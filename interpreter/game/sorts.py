"""Terms get sorts and sides: a parse tree becomes a typed expression.

The grammar knows neither sorts nor names, so that a mistake can be named. What a term
may name and where it stands is in ``names``, its words in ``sorted_words``; here are
the connectives. Faults: T101 a minus without spaces · T106 unknown verb · T107 unknown
phase · T110 wrong sort · T120 a number too large.
"""

from __future__ import annotations

from dataclasses import replace

from interpreter.diagnostics import meant, suggestion
from interpreter.game.names import SPELLED, Names, Scope, named
from interpreter.game.sorted_words import Words
from interpreter.game.types import BOOL, DIRECTION, INT, PLACE, PLACES, Expression
from interpreter.game.words import DICE, VERB
from interpreter.source import Span
from interpreter.terms.types import Term, is_word

COMPARISONS = ("=", "!=", "<", "<=", ">", ">=")
MINUS = "minus needs spaces around it: a hyphen inside a word belongs to the word"


def condition(names: Names, term: Term, scope: Scope) -> Expression | None:
    """A term of sort Bool, or None and a fault."""
    typed = expression(names, term, scope)
    if typed is not None and typed.sort != BOOL:
        names.report.error(
            "T110",
            f"{SPELLED[typed.sort]} where a condition is wanted",
            term.span,
            help="compare it: `… >= 1`, or `… in …`" if typed.sort in (INT, PLACE, PLACES) else "",
        )
        return None
    return typed


def value(names: Names, term: Term, scope: Scope) -> Expression | None:
    """A term of sort Int or Bool (a Bool counts 1 or 0)."""
    typed = expression(names, term, scope)
    if typed is not None and typed.sort not in (INT, BOOL):
        names.report.error(
            "T110", f"{SPELLED[typed.sort]} where a number is wanted", term.span, help="`size(…)` counts places"
        )
        return None
    return typed


def expression(names: Names, term: Term, scope: Scope) -> Expression | None:
    """Give a term its sort. None if a fault was reported."""
    return Sorter(names, scope).visit(term)


class Sorter(Words):
    """Reads a whole term."""

    # ---- connectives -----------------------------------------------------------------

    def _number(self, term: Term) -> Expression | None:
        if len(term.names[0]) > 9:
            self.error("T120", "the number is too large", term)
            return None
        return Expression("int", INT, (), (int(term.names[0]),), term.span)

    def _truth(self, term: Term, op: str) -> Expression | None:
        parts = [self.wants(part, BOOL) for part in term.parts]
        if any(part is None for part in parts):
            return None
        return Expression(op, BOOL, tuple(p for p in parts if p is not None), (), term.span)

    def _and(self, term: Term) -> Expression | None:
        return self._truth(term, "and")

    def _or(self, term: Term) -> Expression | None:
        return self._truth(term, "or")

    def _not(self, term: Term) -> Expression | None:
        return self._truth(term, "not")

    def _choose(self, term: Term) -> Expression | None:
        yes, test, no = self.visit(term.parts[0]), self.wants(term.parts[1], BOOL), self.visit(term.parts[2])
        if yes is None or test is None or no is None:
            return None
        sorts = {yes.sort, no.sort}
        if len(sorts) > 1 and not sorts <= {PLACE, PLACES}:
            self.error("T110", f"one branch is {SPELLED[yes.sort]}, the other {SPELLED[no.sort]}", term)
            return None
        sort = PLACES if PLACES in sorts else yes.sort
        return Expression("choose", sort, (yes, test, no), (), term.span)

    def _compare(self, term: Term) -> Expression | None:
        left, right = self.visit(term.parts[0]), self.visit(term.parts[1])
        if left is None or right is None:
            return None
        operator = COMPARISONS.index(term.names[0])
        if left.sort == right.sort == INT:
            return Expression("compare", BOOL, (left, right), (operator,), term.span)
        if {left.sort, right.sort} <= {PLACE, PLACES} and operator < 2:
            return Expression("same-places", BOOL, (left, right), (operator,), term.span)
        if left.sort == right.sort == DIRECTION and operator < 2:
            return Expression("same-direction", BOOL, (left, right), (operator,), term.span)
        if left.sort == DIRECTION and is_word(term.parts[1], "none") and operator < 2:
            return Expression("no-direction", BOOL, (left,), (operator,), term.span)
        for part, typed in zip(term.parts, (left, right), strict=True):
            if typed.sort != INT and INT in (left.sort, right.sort):
                advice = "`size(…)` counts places" if typed.sort in (PLACE, PLACES) else ""
                self.error("T110", f"{SPELLED[typed.sort]} compared with a number", part, help=advice)
                return None
        self.error(
            "T110", f"{SPELLED[left.sort]} and {SPELLED[right.sort]} cannot be compared by `{term.names[0]}`", term
        )
        return None

    def _places_test(self, term: Term, op: str) -> Expression | None:
        left, right = self.wants(term.parts[0], PLACES), self.wants(term.parts[1], PLACES)
        return None if left is None or right is None else Expression(op, BOOL, (left, right), (), term.span)

    def _in(self, term: Term) -> Expression | None:
        return self._places_test(term, "in")

    def _meets(self, term: Term) -> Expression | None:
        return self._places_test(term, "meets")

    def _is(self, term: Term) -> Expression | None:
        subject, name = term.parts[0], term.names[-1]
        if is_word(subject, "verb"):
            if not self.available((VERB,), term):
                return None
            verb = self._verb(term, name)
            return None if verb is None else Expression("verb-is", BOOL, (), (verb,), term.span)
        if is_word(subject, "phase"):
            ids = [phase.name for phase in self.names.phases]
            if name not in ids:
                self.error(
                    "T107",
                    f"no phase `{name}`",
                    named(term, name, last=True),
                    help=suggestion(name, ids, "phases"),
                    subject=name,
                )
                return None
            return Expression("phase-is", BOOL, (), (ids.index(name),), term.span)
        if subject.op == "word" and subject.names[1:] == ("", "") and meant(subject.name, ("verb", "phase")):
            advice = meant(subject.name, ("verb", "phase"))
            self.error("T104", f"unknown word `{subject.name}`", subject, help=advice, subject=subject.name)
            return None
        self.error("T110", "`is` asks about `verb` or `phase`", term, help="compare with `=`, or ask `… in …`")
        return None

    def _sum(self, term: Term, number_op: str, places_op: str) -> Expression | None:
        left, right = self.visit(term.parts[0]), self.visit(term.parts[1])
        if left is None or right is None:
            return None
        if left.sort == right.sort == INT:
            return Expression(number_op, INT, (left, right), (), term.span)
        if {left.sort, right.sort} <= {PLACE, PLACES}:
            return Expression(places_op, PLACES, (left, right), (), term.span)
        self.error("T110", f"{SPELLED[left.sort]} and {SPELLED[right.sort]} do not add up", term)
        return None

    def _plus(self, term: Term) -> Expression | None:
        return self._sum(term, "plus", "union")

    def _minus(self, term: Term) -> Expression | None:
        left, right = term.parts
        sign = Span(left.span.source, left.span.end, right.span.start)
        if "-" in sign.text and len(sign.text) < 3 and "(" not in sign.text:
            start = left.span.start if left.op == "word" and left.names[1:] == ("", "") else sign.start
            fragment = Span(sign.source, start, sign.source.text.index("-", sign.start) + 1)
            known = self.names.known_words()
            close = meant(fragment.text, known) if fragment.text[:-1] not in known else ""
            self.error("T101", f"`{fragment.text.strip()}` is not expected here", fragment, help=close or MINUS)
            return None
        return self._sum(term, "minus", "without")

    def _common(self, term: Term) -> Expression | None:
        left, right = self.wants(term.parts[0], PLACES), self.wants(term.parts[1], PLACES)
        return None if left is None or right is None else Expression("common", PLACES, (left, right), (), term.span)

    def _times(self, term: Term) -> Expression | None:
        left, right = self.wants(term.parts[0], INT), self.wants(term.parts[1], INT)
        return None if left is None or right is None else Expression("times", INT, (left, right), (), term.span)

    def _opposite(self, term: Term) -> Expression | None:
        part = self.wants(term.parts[0], DIRECTION)
        return None if part is None else Expression("opposite", DIRECTION, (part,), (), term.span)

    def _where(self, term: Term) -> Expression | None:
        places = self.wants(term.parts[0], PLACES)
        test = Sorter(self.names, replace(self.scope, inside_where=True)).wants(term.parts[1], BOOL)
        return None if places is None or test is None else Expression("where", PLACES, (places, test), (), term.span)

    def _their(self, term: Term) -> Expression | None:
        """One word read from the other side; its brackets are still the reader's own."""
        inner = term.parts[0]
        if inner.names[2] == "" or inner.name in self.names.defines:
            typed = self.visit(inner)
            return None if typed is None else Expression("their", typed.sort, (typed,), (), term.span)
        typed = self.visit(inner)
        if typed is None:
            return None
        held = tuple(Expression("their", arg.sort, (arg,), (), arg.span) for arg in typed.args)
        return Expression("their", typed.sort, (replace(typed, args=held),), (), term.span)

    # ---- can ----------------------------------------------------------------------------

    def _verb(self, term: Term, name: str) -> int | None:
        if name not in self.names.verbs:
            self.error(
                "T106",
                f"no verb `{name}`",
                named(term, name, last=term.op == "is"),
                help=suggestion(name, self.names.verbs, "verbs"),
                subject=name,
            )
            return None
        return self.names.verbs[name]

    def _can(self, term: Term) -> Expression | None:
        verb = self._verb(term, term.names[1])
        return None if verb is None else Expression("can", BOOL, (), (verb,), term.span)

    def _can_at_all(self, term: Term) -> Expression | None:
        if not self.available((DICE,), term):
            return None
        verb = self._verb(term, term.names[1])
        return None if verb is None else Expression("can-at-all", BOOL, (), (verb,), term.span)

    def _can_from(self, term: Term) -> Expression | None:
        verb = self._verb(term, term.names[1])
        origin = self.wants(term.parts[0], PLACES)
        return None if verb is None or origin is None else Expression("can-from", BOOL, (origin,), (verb,), term.span)
