"""A ruleset becomes a game: names become numbers, terms become typed expressions.

Declarations are read first (``declared``), then the clauses (``clauses``), then the
set-up. Faults of this module: R224 `start` names no side · B315 a set-up that names no
place or kind · B316 more men than a point holds · B317 no men at all.
"""

from __future__ import annotations

from dataclasses import replace

from interpreter.diagnostics import Label, Report, suggestion
from interpreter.document.types import Scalar
from interpreter.game.clauses import Clauses
from interpreter.game.types import Game, May, Then
from interpreter.game.walk import every_expression, label_index, ops, reads_last
from interpreter.ruleset.from_document import entries, text_of, whole_number, words
from interpreter.ruleset.types import CLAUSE_LISTS, Ruleset
from interpreter.source import Span
from interpreter.terms import from_words

MOST_MEN = 255
TERMS = ("when", "after", "prefer", "most", "least", "unless", "points")

_Stood = dict[int, list[tuple[int, Span]]]
"""Place → (side, where it is written) of the men that are put there."""


def lower(ruleset: Ruleset, report: Report) -> Game | None:
    """The game of a ruleset; None where faults make it impossible to go on."""
    return _Lowering(ruleset, report).game()


class _Lowering(Clauses):
    def game(self) -> Game | None:
        if not self.read():
            self._read_only()
            return None
        setup = self._setup()
        may = tuple(c for clause in self._clauses("may") if (c := self._may(clause)) is not None)
        may_not = tuple(n for clause in self._clauses("may-not") if (n := self._may_not(clause)) is not None)
        must = tuple(m for clause in self._clauses("must") if (m := self._must(clause)) is not None)
        then = tuple(t for clause in self._clauses("then") if (t := self._then(clause)) is not None)
        ends = tuple(e for clause in self._clauses("ends") if (e := self._ends(clause)) is not None)
        self._unused_defines()
        who, keep = self._start()
        if self.report.errors:
            return None
        game = Game(
            ruleset=self.ruleset,
            board=self.board,
            sides=self.sides,
            seats=self.seats,
            kinds=self.kinds,
            setup=setup,
            throw=self.throw,
            start_who=who,
            start_keep=keep,
            phases=self.phases,
            memories=tuple(self.memories.values()),
            verbs=tuple(self.verbs.numbers),
            signs=(),
            paths=self.paths,
            may=may,
            may_not=may_not,
            must=must,
            then=then,
            ends=ends,
            reads_repeats=False,
            reads_last=False,
        )
        return replace(
            game,
            signs=self._signs(may, then),
            reads_repeats=any("repeats" in ops(e) for e in every_expression(game)),
            reads_last=any(t.moment == "turn-end" and reads_last(t) for t in then)
            or any(e.moment == "turn-end" and reads_last(e) for e in ends),
        )

    def _read_only(self) -> None:
        """Where there is no board to speak of: at least what is no term at all is reported."""
        for section in CLAUSE_LISTS:
            for clause in self._clauses(section):
                for name, node in clause.fields.items():
                    if name in TERMS and isinstance(node, Scalar):
                        from_words.term(node, self.report)
                    for word in words(node) if name == "do" else ():
                        from_words.effect(word, self.report)
        for define in self.content.define.values():
            from_words.term(define.term, self.report)

    # ---- set-up and start --------------------------------------------------------------------------------

    def _setup(self) -> bytes:
        places, kinds = len(self.board.names), len(self.kinds)
        men = [0] * (2 * kinds * places)
        stood: _Stood = {}
        before = len(self.report.diagnostics)
        for side in (0, 1):
            for key, node in entries(self._side(side).get("men")):
                if key.value not in self.kinds:
                    self.report.error(
                        "B315",
                        f"no kind of man `{key.value}`",
                        key.span,
                        help=suggestion(key.value, self.kinds, "kinds"),
                        subject=key.value,
                    )
                    continue
                if isinstance(node, Scalar):
                    self._stand(men, side, self.kinds.index(key.value), node, stood)
        self._crowded(men, stood)
        if not any(men) and len(self.report.diagnostics) == before:
            self.report.error("B317", "no men stand anywhere at the start", self.span, help="give the sides `men`")
        return bytes(min(n, MOST_MEN) for n in men)

    def _crowded(self, men: list[int], stood: _Stood) -> None:
        """B316: more men than a place holds; the first such place, told at the last of them that was written."""
        faults = [(message, place) for place in stood if (message := self._too_many(men, place, stood[place]))]
        for message, place in faults[:1]:
            written = stood[place]
            self.report.error(
                "B316",
                message,
                written[-1][1],
                *([f"and so on {len(faults) - 1} more"] if faults[1:] else []),
                help="move one of them",
                labels=[Label(span, "here too") for _, span in written[:-1]],
            )

    def _too_many(self, men: list[int], place: int, written: list[tuple[int, Span]]) -> str:
        total, name, many = sum(men[place :: len(self.board.names)]), self.board.names[place], self.board.many
        if place < self.board.points and many and len({side for side, _ in written}) > 1:
            return f"both sides would stand on point `{name}`"
        if place < self.board.points and not many and total > 1:
            return f"`{name}` would hold {total} men; a point holds one (`men: one`)"
        return f"more than {MOST_MEN} men on `{name}`" if total > MOST_MEN else ""

    def _stand(self, men: list[int], side: int, kind: int, node: Scalar, stood: _Stood) -> None:
        parsed = from_words.setup(node, self.report)
        if parsed is None:
            return
        if not parsed.parts:
            self.report.warning("B317", "no men stand here", node.span, help="list places, or leave the line out")
        labels = label_index(self.board, side)
        for holding in parsed.parts:
            parts = [n for n in holding.names if n != ":"]
            label, count = parts[0], parts[1] if len(parts) == 2 else "1"
            number = whole_number(count)
            if len(parts) > 2 or number is None or number > MOST_MEN:
                self.report.error(
                    "B315",
                    f"`{holding.span.text}` is not a place with a number of men",
                    holding.span,
                    help="write `24:2`",
                )
            elif label not in labels:
                self.report.error(
                    "B315",
                    f"no place `{label}`",
                    Span(holding.span.source, holding.span.start, holding.span.start + len(label)),
                    help=suggestion(label, labels, "places"),
                    subject=label,
                )
            elif number == 0:
                self.report.error(
                    "B315", f"`{holding.span.text}` puts no man anywhere", holding.span, help="leave it out"
                )
            else:
                men[(side * len(self.kinds) + kind) * len(self.board.names) + labels[label]] += number
                stood.setdefault(labels[label], []).append((side, holding.span))

    def _start(self) -> tuple[str, bool]:
        node = self.content.start.get("who")
        who = text_of(node) or self.sides[0]
        keep = text_of(self.content.start.get("dice")) == "keep"
        if who not in (*self.sides, "even", "highest", "lowest", "loser"):
            self.report.error(
                "R224",
                f"nobody called `{who}` can begin",
                node.span if node else self.span,
                help=suggestion(who, [*self.sides, "even", "highest", "lowest", "loser"]),
                subject=who,
            )
        elif self.throw is None and who in ("highest", "lowest"):
            self.report.error(
                "T113",
                f"`{who}` in a game without dice",
                node.span if node else self.span,
                help="name a side, or `even`",
            )
        elif keep and who not in ("highest", "lowest"):
            self.report.error("R224", "`dice: keep` goes with `highest` or `lowest`", self.content.start["dice"].span)
        return who, keep

    def _signs(self, may: tuple[May, ...], then: tuple[Then, ...]) -> tuple[str, ...]:
        """The sign of each verb in notation: given, or `x` where it takes, `@` for a drop, else `-`."""
        taking: set[int] = set()
        for clause in then:
            if (
                clause.moment in ("decision", "turn-end")
                and any(effect.op == "take" for effect in clause.do)
                and "verbs" in clause.clause.fields
            ):
                taking |= clause.verbs
        signs = []
        for verb in range(len(self.verbs.numbers)):
            clauses = [m for m in may if m.verb == verb]
            given = [m.clause.word("sign") for m in clauses if m.clause.word("sign")]
            if given:
                signs.append(str(given[0]))
            elif verb in taking or any(m.way is not None and m.way.name == "remove" for m in clauses):
                signs.append("x")
            elif any(m.way is not None and m.way.name == "drop" for m in clauses):
                signs.append("@")
            else:
                signs.append("-")
        return tuple(signs)
