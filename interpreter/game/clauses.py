"""The five lists of clauses become typed: may, may-not, must, then, ends.

Faults: R207 unknown verb in a list · R209 fields that do not go together · R211 unknown
phase · R220 unknown kind or side · R221 unknown direction word · R222 unknown region ·
R223 `breach` names no mark · R229 `pattern` off the track · R230 unknown word in `among`
· B313 unknown line group · T111 `verbs` at a moment without a decision.

One room: the five lists share how verbs, phases, sides and conditions are read.
"""

from __future__ import annotations

from collections.abc import Callable

from interpreter.diagnostics import suggestion
from interpreter.document.types import Mapping, Scalar
from interpreter.game import paths as ways
from interpreter.game import sorts, typed_effects
from interpreter.game.declared import Declared
from interpreter.game.kept import Kept
from interpreter.game.names import Scope
from interpreter.game.types import BOOL, FOE, INT, OWN, Ends, Expression, May, MayNot, Must, Path, Then, Way
from interpreter.game.walk import conjunction, heads
from interpreter.game.words import AFTER, PATH, UNLESS, VERB
from interpreter.ruleset.from_document import text_of, whole_number, words
from interpreter.ruleset.types import Clause
from interpreter.terms import from_words

DIRECTION_WORDS = ("forward", "sideways", "backward", "straight", "diagonal")
COMPASS_WORDS = ("north", "north-east", "east", "south-east", "south", "south-west", "west", "north-west")
AMONG_WORDS = ("verb", "from", "to", "direction", "die")


Narrowed = tuple[tuple[int, ...], tuple[int, ...]]
_NARROWED: Kept[Narrowed] = Kept()


class Clauses(Declared):
    """Lowers clauses, one list after the other. A clause with a fault gives None."""

    # ---- what clauses share ----------------------------------------------------------------------

    def _verb_set(self, clause: Clause, field: str = "verbs") -> frozenset[int]:
        listed = words(clause.fields.get(field))
        if not listed:
            return frozenset(self.verbs.numbers.values())
        found = set()
        for word in listed:
            if word.value in self.verbs.numbers:
                found.add(self.verbs.numbers[word.value])
            else:
                self.report.error(
                    "R207",
                    f"no verb `{word.value}`",
                    word.span,
                    help=suggestion(word.value, self.verbs.everywhere, "verbs"),
                    subject=word.value,
                )
        return frozenset(found)

    def _phase_set(self, clause: Clause, default: tuple[int, ...]) -> tuple[int, ...]:
        listed = words(clause.fields.get("phase"))
        if not listed:
            return default
        ids = [p.name for p in self.phases]
        found = []
        for word in listed:
            if word.value in ids:
                found.append(ids.index(word.value))
            else:
                self.report.error(
                    "R211",
                    f"no phase `{word.value}`",
                    word.span,
                    help=suggestion(word.value, ids, "phases"),
                    subject=word.value,
                )
        return tuple(found)

    def _side_set(self, clause: Clause) -> tuple[int, ...]:
        listed = words(clause.fields.get("side"))
        if not listed:
            return 0, 1
        found = []
        for word in listed:
            if word.value in self.sides:
                found.append(self.sides.index(word.value))
            else:
                self.report.error(
                    "R220",
                    f"no side `{word.value}`",
                    word.span,
                    help=suggestion(word.value, self.sides, "sides"),
                    subject=word.value,
                )
        return tuple(found)

    @property
    def every_phase(self) -> tuple[int, ...]:
        return tuple(range(len(self.phases)))

    def _scope(self, *features: str, moment: str = "") -> Scope:
        return Scope(self.base | set(features), moment=moment)

    def _condition(self, clause: Clause, field: str, scope: Scope) -> Expression | None:
        """The typed condition of a field; `always` where it is not given."""
        node = clause.fields.get(field)
        if not isinstance(node, Scalar):
            return Expression("true", BOOL)
        parsed = from_words.term(node, self.report)
        return None if parsed is None else sorts.condition(self.names, parsed, scope)

    def _value(self, clause: Clause, field: str, scope: Scope) -> Expression | None:
        node = clause.fields.get(field)
        if not isinstance(node, Scalar):
            return None
        parsed = from_words.term(node, self.report)
        return None if parsed is None else sorts.value(self.names, parsed, scope)

    # ---- may -------------------------------------------------------------------------------------

    def _may(self, clause: Clause) -> May | None:
        verb = self.verbs.numbers[clause.word("verb") or clause.id]
        node = clause.fields.get("way")
        key = self._way_of(node)
        way = self.ways.get((key[0], key[1])) if key is not None else None
        who, kind = self._who(clause)
        scope = self._scope(PATH, VERB) if node is not None else self._scope(VERB, moment="without a way")
        when = self._condition(clause, "when", scope)
        phases, sides = self._phase_set(clause, (0,)), self._side_set(clause)
        paths = self._narrowed(clause, way)
        if when is None or who is None or kind is None or (node is not None and way is None):
            return None
        return May(clause, verb, way, who, kind, phases, sides, paths, when)

    def _who(self, clause: Clause) -> tuple[int | None, int | None]:
        node = clause.fields.get("who")
        if not isinstance(node, Scalar):
            return OWN, -1
        parts = node.value.split()
        who = OWN
        if parts and parts[0] in ("own", "foe"):
            who = FOE if parts.pop(0) == "foe" else OWN
        if not parts:
            return who, -1
        unknown = parts[0] if parts[0] not in self.kinds else parts[1] if parts[1:] else ""
        if unknown:
            known = self.kinds if who == FOE or node.value.startswith("own") else [*self.kinds, "own", "foe"]
            at = node.value.rindex(unknown)
            self.report.error(
                "R220",
                f"no kind of man `{unknown}`",
                node.part(at, at + len(unknown)),
                help=suggestion(unknown, known, "kinds"),
                subject=unknown,
            )
            return None, None
        return who, self.kinds.index(parts[0])

    def _narrowed(self, clause: Clause, way: Way | None) -> Narrowed:
        """The paths a `may` allows to each decider, after `along`, `directions` and `region`."""
        allowed, wanted, region = self._along(clause), self._directions(clause), self._region(clause)
        if way is None:
            return (0,), (0,)
        who, _ = self._who(clause)
        said = tuple(
            tuple(word.value for word in words(clause.fields.get(name))) for name in ("along", "directions", "region")
        )
        known = _NARROWED.get((self.board, self.paths, way), (said, region, who, self.seats))
        if known is None:
            known = self._chosen(way, allowed, wanted, region, who)
            _NARROWED.put((self.board, self.paths, way), (said, region, who, self.seats), known)
        return known

    def _chosen(
        self,
        way: Way,
        allowed: Callable[[Path], bool] | None,
        wanted: list[list[str]] | None,
        region: tuple[int, int] | None,
        who: int | None,
    ) -> Narrowed:
        both = []
        for side in (0, 1):
            chosen = []
            for index in way.paths[side ^ (1 if who == FOE else 0)]:
                path = self.paths[index]
                if allowed is not None and not allowed(path):
                    continue
                if wanted is not None and not any(
                    all(self._heads(path, word, side) for word in group) for group in wanted
                ):
                    continue
                if region is not None and not region[side] >> path.origin & 1:
                    continue
                chosen.append(index)
            both.append(tuple(chosen))
        return both[0], both[1]

    def _along(self, clause: Clause) -> Callable[[Path], bool] | None:
        listed = [word for item in words(clause.fields.get("along")) for word in ways.split(item)]
        known = {line.group for line in self.board.lines}
        for word in listed:
            if word.value not in known:
                self.report.error(
                    "B313",
                    f"no lines `{word.value}`",
                    word.span,
                    help=suggestion(word.value, known, "groups of lines"),
                    subject=word.value,
                )
        return ways.along(self.board, {word.value for word in listed}) if listed else None

    def _directions(self, clause: Clause) -> list[list[str]] | None:
        listed = words(clause.fields.get("directions"))
        if not listed:
            return None
        if not self.board.has_coordinates:
            self.report.error("T115", "`directions` on a board without coordinates", listed[0].span)
            return None
        groups = []
        for item in listed:
            group = []
            for word in ways.split(item):
                if word.value in DIRECTION_WORDS or word.value in COMPASS_WORDS:
                    group.append(word.value)
                else:
                    self.report.error(
                        "R221",
                        f"no direction `{word.value}`",
                        word.span,
                        help=suggestion(word.value, DIRECTION_WORDS + COMPASS_WORDS),
                        subject=word.value,
                    )
            groups.append(group)
        return groups

    def _heads(self, path: Path, word: str, side: int) -> bool:
        if path.direction < 0:
            return False
        turned = path.direction if self.seats[side] == "s" else (path.direction + 4) % 8
        if word in COMPASS_WORDS:
            return COMPASS_WORDS.index(word) == turned
        return heads(DIRECTION_WORDS.index(word), turned)

    def _region(self, clause: Clause) -> tuple[int, int] | None:
        node = clause.fields.get("region")
        if not isinstance(node, Scalar):
            return None
        if node.value not in self.board.regions:
            self.report.error(
                "R222",
                f"no region `{node.value}`",
                node.span,
                help=suggestion(node.value, self.board.regions, "regions"),
                subject=node.value,
            )
            return None
        return self.board.regions[node.value]

    # ---- the other lists ----------------------------------------------------------------------------

    def _may_not(self, clause: Clause) -> MayNot | None:
        named = (self._verb_set(clause), self._phase_set(clause, self.every_phase), self._side_set(clause))
        play_end = clause.word("at") == "play-end"
        when = after = None
        if "when" in clause.fields:
            when = self._condition(clause, "when", self._scope(PATH, VERB))
            if play_end:
                self.report.error("R209", "`at: play-end` goes with `after`, not with `when`", clause.fields["at"].span)
        else:
            features = (AFTER,) if play_end else (PATH, VERB, AFTER)
            after = self._condition(clause, "after", self._scope(*features, moment="where a play ends"))
        if when is None and after is None:
            return None
        return MayNot(clause, *named, when, after, play_end)

    def _must(self, clause: Clause) -> Must | None:
        named = (self._verb_set(clause, "binds"), self._phase_set(clause, self.every_phase), self._side_set(clause))
        measure = next((m for m in ("prefer", "after", "most", "least") if m in clause.fields), "")
        features = {"prefer": (PATH, VERB), "after": (PATH, VERB, AFTER)}.get(measure, ())
        value = self._value(clause, measure, self._scope(*features, moment="where a play ends"))
        unless = None
        if "unless" in clause.fields:
            unless = self._condition(clause, "unless", self._scope(UNLESS, moment="where a play ends"))
        breach = -1
        node = clause.fields.get("breach")
        if isinstance(node, Scalar):
            memory = self.memories.get(node.value)
            if memory is not None and memory.kind == "mark":
                breach = memory.index
            elif node.value not in self.unsure:
                marks = [m.name for m in self.memories.values() if m.kind == "mark"]
                self.report.error(
                    "R223",
                    f"there is no mark `{node.value}`",
                    node.span,
                    *([f"`{node.value}` is a {memory.kind}"] if memory is not None else []),
                    help=suggestion(node.value, marks, "marks"),
                    subject=node.value if memory is None else "",
                )
        for word in words(clause.fields.get("among")):
            if word.value not in AMONG_WORDS:
                self.report.error(
                    "R230",
                    f"plays cannot be grouped by `{word.value}`",
                    word.span,
                    help=suggestion(word.value, AMONG_WORDS, "words"),
                    subject=word.value,
                )
        if value is None or (unless is None and "unless" in clause.fields):
            return None
        among = tuple(w.value for w in words(clause.fields.get("among")))
        return Must(clause, *named, among, measure, value, unless, breach)

    def _moment(self, clause: Clause) -> tuple[str, Scope]:
        moment = clause.word("at") or "decision"
        if moment in ("decision", "turn-end"):
            return moment, self._scope(PATH, VERB)
        node = clause.fields.get("verbs")
        if node is not None:
            self.report.error(
                "T111",
                f"`verbs` means nothing at `{moment}`: there is no decision then",
                node.span,
                help="leave `verbs` out",
            )
        return moment, self._scope(moment=f"at `{moment}`")

    def _then(self, clause: Clause) -> Then | None:
        named = (self._verb_set(clause), self._phase_set(clause, self.every_phase), self._side_set(clause))
        moment, scope = self._moment(clause)
        when = self._condition(clause, "when", scope)
        effects = []
        failed = when is None
        for word in words(clause.fields.get("do")):
            parsed = from_words.effect(word, self.report)
            typed = None if parsed is None else typed_effects.effect(self.names, parsed, scope)
            failed = failed or typed is None
            if typed is not None:
                effects.append(typed)
        if failed or when is None:
            return None
        return Then(clause, moment, *named, when, tuple(effects))

    def _ends(self, clause: Clause) -> Ends | None:
        named = (self._verb_set(clause), self._phase_set(clause, self.every_phase), self._side_set(clause))
        moment, scope = self._moment(clause)
        pattern = clause.fields.get("pattern")
        when = self._pattern(pattern) if isinstance(pattern, Mapping) else self._condition(clause, "when", scope)
        points: Expression | None = Expression("int", INT, (), (1,))
        if "points" in clause.fields:
            points = self._value(clause, "points", scope)
            if points is not None and points.sort != INT:
                self.report.error(
                    "T110",
                    "a condition where a number is wanted",
                    clause.fields["points"].span,
                    help="write `2 if … else 1`",
                )
                points = None
        if when is None or points is None:
            return None
        return Ends(
            clause,
            moment,
            *named,
            when,
            clause.word("result") or "",
            points,
            clause.word("kind") or clause.id,
            clause.word("for") or "mover",
        )

    def _pattern(self, pattern: Mapping) -> Expression | None:
        """``{22: 5}``: exact counts of own men on the reader's track."""
        if not self.board.tracks[0]:
            self.report.error(
                "T114", "`pattern` in a game without tracks", pattern.span, help="give each side a `track`"
            )
            return None
        longest = min(len(track) for track in self.board.tracks) - 1
        tests = []
        for key, value in pattern.entries:
            n, men = whole_number(key.value), whole_number(text_of(value))
            if n is None or n > longest:
                self.report.error(
                    "R229", f"the track has no point {key.value}", key.span, f"its numbers run from 0 to {longest}"
                )
                return None
            if men is None:
                self.report.error("R229", f"`{text_of(value)}` is not a number of men", value.span)
                return None
            masks = (1 << self.board.tracks[0][n], 1 << self.board.tracks[1][n])
            place = Expression("places", "Place", (), masks, key.span)
            count = Expression("count", INT, (place,), (OWN, -1), key.span)
            tests.append(
                Expression("compare", BOOL, (count, Expression("int", INT, (), (men,))), (0,), key.span.to(value.span))
            )
        return conjunction(tests) if tests else None

    def _unused_defines(self) -> None:
        """Definitions are checked even where nothing uses them."""
        everything = self._scope(PATH, VERB, AFTER, UNLESS)
        for define in self.content.define.values():
            parsed = from_words.term(define.term, self.report)
            if parsed is not None:
                scope = Scope(everything.features, inside_where=True, reading=(define.id,))
                sorts.expression(self.names, parsed, scope)
