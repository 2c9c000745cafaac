"""A ruleset becomes a game: names become numbers, terms become typed expressions.

Faults of its own: R207 unknown verb in a list · R211 unknown phase · R219 unknown way
· R220 unknown kind, side or reader in `who` or `side` · R221 unknown direction word ·
R222 unknown region · R223 `breach` names no mark · R224 `start` names no side · R225
dice that cannot be read · R226 a fact that cannot be (range, mark on crowded points) ·
R227 a name that is a word of the language · R228 not two sides · R229 `pattern` off
the track · R230 unknown word in `among` · B313 unknown line group · B315 a set-up that
names no place or kind · B316 more men than a point holds · B317 no men at all.
"""

from __future__ import annotations

import itertools
import re
from collections import Counter
from collections.abc import Iterable, Mapping as AnyMapping
from dataclasses import dataclass, replace

from interpreter.diagnostics import Report, suggestion
from interpreter.document.types import Mapping, Node, Scalar
from interpreter.game import board as boards
from interpreter.game import sorts
from interpreter.game.sorts import Names, Scope
from interpreter.game.types import (
    BOOL, FOE, INT, MOMENTS, OWN, Board, Ends, Expression, Game, May, MayNot, Memory, Must, Path, Phase, Then, Throw, Way,
)
from interpreter.game.words import AFTER, COORDINATES, DICE, LINES, PATH, RESERVED, TRACKS, UNLESS, VERB, WAYS
from interpreter.ruleset.from_document import entries, fields, text_of, words
from interpreter.ruleset.types import Clause, Content, Ruleset
from interpreter.source import Span
from interpreter.terms import from_words

WAY_NAMES = tuple(spelling.split()[0] for spelling, _, _ in WAYS)
DIRECTION_WORDS = ("forward", "sideways", "backward", "straight", "diagonal")
COMPASS_WORDS = ("north", "north-east", "east", "south-east", "south", "south-west", "west", "north-west")
AMONG_WORDS = ("from", "to", "direction", "die")
_WITH_BESIDE = ("drop", "remove")
_DICE = re.compile(r"([1-9][0-9]?)d([1-9][0-9]?)$")
_RANGE = re.compile(r"([0-9]{1,7})\.\.([0-9]{1,7})$")


def lower(ruleset: Ruleset, report: Report) -> Game | None:
    """The game of a ruleset; None where faults make it impossible to go on."""
    return _Lowering(ruleset, report).game()


@dataclass(frozen=True)
class _Verbs:
    numbers: dict[str, int]
    everywhere: frozenset[str]


class _Lowering:
    def __init__(self, ruleset: Ruleset, report: Report) -> None:
        self.ruleset = ruleset
        self.content: Content = ruleset.content
        self.report = report
        self.span = ruleset.book.root.key("ruleset").span if ruleset.book.root.key("ruleset") else ruleset.book.root.span  # type: ignore[union-attr]

    # ---- the whole -------------------------------------------------------------------

    def game(self) -> Game | None:
        sides = self._sides()
        if sides is None:
            return None
        self.sides = sides
        seats = tuple(text_of(self._side(s).get("seat")) or "sn"[s] for s in (0, 1))
        self.seats = (seats[0], seats[1])
        self.kinds = tuple(word.value for word in words(self.content.pieces)) or ("man",)
        for word in words(self.content.pieces):
            self._not_reserved(word, "kind of man")
        board = boards.from_nodes(
            self.content.board, (self._side(0).get("track"), self._side(1).get("track")), sides, RESERVED,
            self.report, self._span_of(self.content.board),
        )
        if board is None:
            return None
        self.board: Board = board
        self.throw = self._throw()
        self.phases = self._phases()
        self.memories = self._memories()
        self.verbs = self._verbs()
        self.faces = tuple(range(1, self.throw.faces + 1)) if self.throw is not None else ()
        for name, define in self.content.define.items():
            self._not_reserved(Scalar(name, define.term.span), "definition")
            if name in self.memories or name in board.regions or name in board.beside:
                self.report.error("R227", f"`{name}` is defined and is also a fact, region or place", define.term.span, help="choose another name")
        self.paths, self.ways = self._paths()
        if self.report.errors and not self.paths[1:]:
            return None
        self.names = Names(
            board, self.kinds, self.verbs.numbers, self.phases, self.memories, self.content.define, self.seats,
            self.throw is not None, self.throw.faces if self.throw is not None else 0, self.report,
        )
        self.base = frozenset(
            ([DICE] if self.throw is not None else []) + ([TRACKS] if board.tracks[0] else [])
            + ([LINES] if board.lines else []) + ([COORDINATES] if board.has_coordinates else [])
        )
        setup = self._setup()
        may = tuple(m for c in self._clauses("may") if (m := self._may(c)) is not None)
        may_not = tuple(m for c in self._clauses("may-not") if (m := self._may_not(c)) is not None)
        must = tuple(m for c in self._clauses("must") if (m := self._must(c)) is not None)
        then = tuple(t for c in self._clauses("then") if (t := self._then(c)) is not None)
        ends = tuple(e for c in self._clauses("ends") if (e := self._ends(c)) is not None)
        self._unused_defines()
        who, keep = self._start()
        if self.report.errors:
            return None
        game = Game(
            ruleset=self.ruleset, board=board, sides=sides, seats=self.seats, kinds=self.kinds, setup=setup,
            throw=self.throw, start_who=who, start_keep=keep, phases=self.phases,
            memories=tuple(self.memories.values()), verbs=tuple(self.verbs.numbers), signs=(), paths=self.paths,
            may=may, may_not=may_not, must=must, then=then, ends=ends, reads_repeats=False, reads_last=False,
        )
        return _finished(game, self._signs(may, then))

    def _clauses(self, section: str) -> tuple[Clause, ...]:
        return self.content.clauses[section]

    def _span_of(self, nodes: AnyMapping[str, Node]) -> Span:
        return next(iter(nodes.values())).span if nodes else self.span

    def _not_reserved(self, word: Scalar, what: str) -> None:
        if word.value in RESERVED:
            self.report.error("R227", f"`{word.value}` is a word of the language", word.span, help=f"choose another name for the {what}")

    # ---- sides, dice, phases, memory ----------------------------------------------------

    def _sides(self) -> tuple[str, str] | None:
        names = [name for name in self.content.sides if name != "each"]
        if len(names) != 2:
            message = "a game has two sides" + (f", not {len(names)}" if names else "")
            self.report.error("R228", message, self.span, "more than two sides cannot be said in this language", help="name two `sides`")
            return None
        return names[0], names[1]

    def _side(self, side: int) -> dict[str, Node]:
        return {**self.content.sides.get("each", {}), **self.content.sides[self.sides[side]]}

    def _throw(self) -> Throw | None:
        if not self.content.throw:
            return None
        given = self.content.throw
        doubles = text_of(given.get("doubles")) or "once"
        added: list[int] = []
        for word in words(given.get("add")):
            if word.value.isdigit() and 0 < int(word.value) < 100:
                added.append(int(word.value))
            else:
                self.report.error("R225", f"`{word.value}` is not a number of pips", word.span)
        table = given.get("table")
        if isinstance(table, Mapping):
            outcomes = []
            for key, weight in table.entries:
                faces = tuple(sorted((int(n) for n in key.value.split()), reverse=True))
                if text_of(weight).isdigit() and 0 < int(text_of(weight)) < 10**6 and all(0 < f < 100 for f in faces):
                    outcomes.append((faces, int(text_of(weight))))
                else:
                    self.report.error("R225", f"`{text_of(weight)}` is not a weight", weight.span, help="write a whole number of at least 1")
            if not outcomes:
                return None
            return Throw(tuple(outcomes), doubles, tuple(added), max(max(f) for f, _ in outcomes), len(outcomes[0][0]))
        dice = given.get("dice")
        match = _DICE.match(text_of(dice))
        if not match or int(match[1]) > 6:
            span = dice.span if dice is not None else self._span_of(given)
            self.report.error("R225", f"`{text_of(dice)}` is not a number of dice" if dice is not None else "a `throw` without `dice` or `table`", span, help="write `dice: 2d6`")
            return None
        n, faces_ = int(match[1]), int(match[2])
        counted = Counter(tuple(sorted(roll, reverse=True)) for roll in itertools.product(range(1, faces_ + 1), repeat=n))
        return Throw(tuple(sorted(counted.items())), doubles, tuple(added), max([faces_, *added]), n)

    def _phases(self) -> tuple[Phase, ...]:
        phases = [Phase("start", False)]
        for name, (key, given) in self.content.phases.items():
            if name == "start":
                self.report.error("R227", "`start` is always a phase", key.span, help="leave it out")
            else:
                phases.append(Phase(name, text_of(given.get("by")) == "foe"))
        return tuple(phases)

    def _memories(self) -> dict[str, Memory]:
        memories: dict[str, Memory] = {}
        for name, (key, given) in self.content.memory.items():
            self._not_reserved(key, "fact")
            if name in self.board.regions or name in self.board.beside:
                self.report.error("R227", f"`{name}` is already a region or a place", key.span, help="choose another name")
            kind, per = text_of(given.get("kind")), text_of(given.get("per"))
            if not kind:
                self.report.error("R226", f"`{name}` has no `kind`", key.span, help="write `kind: flag`, number, direction, place, places or mark")
                continue
            if self.board.many and (kind == "mark" or per == "man"):
                self.report.error("R226", f"`{name}` would stick to single men, but points hold many men here", key.span, help="remember it for the side or for the game")
            if kind == "mark" and per:
                self.report.error("R226", f"`{name}`: a mark is always on men", given["per"].span, help="leave `per` out")
            low, high = 0, 0
            if kind == "number":
                match = _RANGE.match(text_of(given.get("range")))
                if not match or int(match[1]) >= int(match[2]):
                    node = given.get("range")
                    self.report.error("R226", f"the number `{name}` has no range", node.span if node else key.span, help="write `range: 0..4`")
                else:
                    low, high = int(match[1]), int(match[2])
            elif "range" in given:
                self.report.error("R226", f"`{name}` is no number, so it has no range", given["range"].span, help="leave `range` out")
            memories[name] = Memory(
                len(memories), name, kind, "man" if kind == "mark" else per, text_of(given.get("for")) or "game", low, high,
                text_of(given.get("apart")) == "yes", text_of(given.get("says")), key.span,
            )
        return memories

    # ---- verbs and paths -------------------------------------------------------------------

    def _option_may(self) -> Iterable[tuple[Scalar, AnyMapping[str, Node]]]:
        """Every `may` clause that any option value writes."""
        for option in self.ruleset.book.options.values():
            for value in option.values.values():
                for key, node in entries(value.patch.node.get("may")):
                    yield key, fields(node)

    def _verbs(self) -> _Verbs:
        """Verbs are numbered as the rulebook names them; those that only an option adds come last."""
        base = [c.word("verb") or c.id for c in self.ruleset.book.content.clauses["may"]]
        added = [text_of(f.get("verb")) or k.value for k, f in self._option_may() if "verb" in f or not self._patches_may(k.value)]
        now = [c.word("verb") or c.id for c in self._clauses("may")]
        every = list(dict.fromkeys([*base, *added, *now]))
        return _Verbs({name: i for i, name in enumerate(every)}, frozenset(every))

    def _patches_may(self, id: str) -> bool:
        return self.ruleset.book.content.clause("may", id) is not None

    def _way_of(self, node: Node | None) -> tuple[str, str, Span] | None:
        """(way, place beside) of a clause's `way`; None if it has none or it is wrong (then reported)."""
        if not isinstance(node, Scalar):
            return None
        parts = node.value.split()
        name = parts[0] if parts else ""
        if name not in WAY_NAMES:
            self.report.error("R219", f"no way `{name}`", node.span, help=suggestion(name, WAY_NAMES, "ways"))
            return None
        if len(parts) != (2 if name in _WITH_BESIDE else 1):
            wants = f"`{name}` needs a place beside the board" if name in _WITH_BESIDE else f"`{name}` stands alone"
            self.report.error("R219", wants, node.span, help=f"write `{name} box`" if name in _WITH_BESIDE else f"write `way: {name}`")
            return None
        if name in _WITH_BESIDE and parts[1] not in self.board.beside:
            self.report.error("B303", f"no place `{parts[1]}` beside the board", node.span, help=suggestion(parts[1], self.board.beside, "beside the board"))
            return None
        if name in ("travel", "name") and self.throw is None:
            self.report.error("T113", f"the way `{name}` in a game without dice", node.span, help="give the ruleset a `throw`")
            return None
        if name == "travel" and not self.board.tracks[0]:
            self.report.error("T114", "the way `travel` in a game without tracks", node.span, help="give each side a `track`")
            return None
        return name, parts[1] if len(parts) > 1 else "", node.span

    def _paths(self) -> tuple[tuple[Path, ...], dict[tuple[str, str], Way]]:
        """Paths of every way that the rulebook or any of its options names: numbers do not depend on choices."""
        here = [self._way_of(c.fields.get("way")) for c in self._clauses("may")]
        mark = len(self.report.diagnostics)
        elsewhere = [self._way_of(f.get("way")) for _, f in self._option_may()]
        elsewhere += [self._way_of(c.fields.get("way")) for c in self.ruleset.book.content.clauses["may"]]
        del self.report.diagnostics[mark:]
        wanted = sorted({w for w in [*here, *elsewhere] if w is not None}, key=lambda w: (WAY_NAMES.index(w[0]), w[1]))
        return boards.paths_of(self.board, wanted, self.faces, self.content.board.get("paths"), self.report)

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
                self.report.error("R207", f"no verb `{word.value}`", word.span, help=suggestion(word.value, self.verbs.everywhere, "verbs"))
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
                self.report.error("R211", f"no phase `{word.value}`", word.span, help=suggestion(word.value, ids, "phases"))
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
                self.report.error("R220", f"no side `{word.value}`", word.span, help=suggestion(word.value, self.sides, "sides"))
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
        way = None
        if node is not None:
            key = self._way_of(node)
            if key is None:
                return None
            way = self.ways.get((key[0], key[1]))
            if way is None:
                return None
        who, kind = self._who(clause)
        scope = self._scope(PATH, VERB) if way is not None else self._scope(VERB, moment="without a way")
        when = self._condition(clause, "when", scope)
        if when is None or who is None or kind is None:
            return None
        paths = self._narrowed(clause, way)
        return May(clause, verb, way, who, kind, self._phase_set(clause, (0,)), self._side_set(clause), paths, when)

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
        if len(parts) > 1 or parts[0] not in self.kinds:
            self.report.error("R220", f"no kind of man `{' '.join(parts)}`", node.span, help=suggestion(parts[-1], [*self.kinds, "own", "foe"], "kinds"))
            return None, None
        return who, self.kinds.index(parts[0])

    def _narrowed(self, clause: Clause, way: Way | None) -> tuple[tuple[int, ...], tuple[int, ...]]:
        """The paths a `may` allows to each decider, after `along`, `directions` and `region`."""
        if way is None:
            return (0,), (0,)
        who, _ = self._who(clause)
        groups = {w.value for item in words(clause.fields.get("along")) for w in boards._split(item)}
        known = {line.group for line in self.board.lines}
        for item in words(clause.fields.get("along")):
            for word in boards._split(item):
                if word.value not in known:
                    self.report.error("B313", f"no lines `{word.value}`", word.span, help=suggestion(word.value, known, "groups of lines"))
        allowed = boards.along(self.board, groups) if groups else None
        wanted = self._directions(clause)
        region = self._region(clause)
        both = []
        for side in (0, 1):
            chosen = []
            for index in way.paths[side ^ (1 if who == FOE else 0)]:
                path = self.paths[index]
                if allowed is not None and (path.origin, *path.over, path.to) not in allowed:
                    continue
                if wanted is not None and not any(all(self._heads(path, word, side) for word in group) for group in wanted):
                    continue
                if region is not None and not region[side] >> path.origin & 1:
                    continue
                chosen.append(index)
            both.append(tuple(chosen))
        return both[0], both[1]

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
            for word in boards._split(item):
                if word.value in DIRECTION_WORDS or word.value in COMPASS_WORDS:
                    group.append(word.value)
                else:
                    self.report.error("R221", f"no direction `{word.value}`", word.span, help=suggestion(word.value, DIRECTION_WORDS + COMPASS_WORDS))
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
            self.report.error("R222", f"no region `{node.value}`", node.span, help=suggestion(node.value, self.board.regions, "regions"))
            return None
        return self.board.regions[node.value]

    # ---- the other lists ----------------------------------------------------------------------------

    def _may_not(self, clause: Clause) -> MayNot | None:
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
        return MayNot(clause, self._verb_set(clause), self._phase_set(clause, self.every_phase), self._side_set(clause), when, after, play_end)

    def _must(self, clause: Clause) -> Must | None:
        measure = next((m for m in ("prefer", "after", "most", "least") if m in clause.fields), "")
        features = {"prefer": (PATH, VERB), "after": (PATH, VERB, AFTER)}.get(measure, ())
        value = self._value(clause, measure, self._scope(*features, moment="where a play ends"))
        unless = None
        if "unless" in clause.fields:
            unless = self._condition(clause, "unless", self._scope(UNLESS, moment="where a play ends"))
            if unless is None:
                return None
        breach = -1
        node = clause.fields.get("breach")
        if isinstance(node, Scalar):
            memory = self.memories.get(node.value)
            if memory is None or memory.kind != "mark":
                marks = [m.name for m in self.memories.values() if m.kind == "mark"]
                self.report.error("R223", f"there is no mark `{node.value}`", node.span, help=suggestion(node.value, marks, "marks"))
            else:
                breach = memory.index
        for word in words(clause.fields.get("among")):
            if word.value not in AMONG_WORDS:
                self.report.error("R230", f"plays cannot be grouped by `{word.value}`", word.span, help=suggestion(word.value, AMONG_WORDS, "words"))
        if value is None:
            return None
        among = tuple(w.value for w in words(clause.fields.get("among")))
        return Must(
            clause, self._verb_set(clause, "binds"), self._phase_set(clause, self.every_phase), self._side_set(clause), among,
            measure, value, unless, breach,
        )

    def _moment(self, clause: Clause) -> tuple[str, Scope]:
        moment = clause.word("at") or "decision"
        if moment in ("decision", "turn-end"):
            return moment, self._scope(PATH, VERB)
        node = clause.fields.get("verbs")
        if node is not None:
            self.report.error("T111", f"`verbs` means nothing at `{moment}`: there is no decision then", node.span, help="leave `verbs` out")
        return moment, self._scope(moment=f"at `{moment}`")

    def _then(self, clause: Clause) -> Then | None:
        moment, scope = self._moment(clause)
        when = self._condition(clause, "when", scope)
        effects = []
        failed = when is None
        for word in words(clause.fields.get("do")):
            parsed = from_words.effect(word, self.report)
            typed = None if parsed is None else sorts.effect(self.names, parsed, scope)
            failed = failed or typed is None
            if typed is not None:
                effects.append(typed)
        if failed or when is None:
            return None
        return Then(clause, moment, self._verb_set(clause), self._phase_set(clause, self.every_phase), self._side_set(clause), when, tuple(effects))

    def _ends(self, clause: Clause) -> Ends | None:
        moment, scope = self._moment(clause)
        pattern = clause.fields.get("pattern")
        when = self._pattern(pattern) if isinstance(pattern, Mapping) else self._condition(clause, "when", scope)
        points: Expression | None = Expression("int", INT, (), (1,))
        if "points" in clause.fields:
            points = self._value(clause, "points", scope)
        if when is None or points is None:
            return None
        return Ends(
            clause, moment, self._verb_set(clause), self._phase_set(clause, self.every_phase), self._side_set(clause), when,
            clause.word("result") or "", points, clause.word("kind") or clause.id, clause.word("for") or "mover",
        )

    def _pattern(self, pattern: Mapping) -> Expression | None:
        """``{22: 5}``: exact counts of own men on the reader's track."""
        if not self.board.tracks[0]:
            self.report.error("T114", "`pattern` in a game without tracks", pattern.span, help="give each side a `track`")
            return None
        longest = min(len(track) for track in self.board.tracks) - 1
        tests = []
        for key, value in pattern.entries:
            n = int(key.value)
            if n > longest:
                self.report.error("R229", f"the track has no point {n}", key.span, f"its numbers run from 0 to {longest}")
                return None
            if not text_of(value).isdigit():
                self.report.error("R229", f"`{text_of(value)}` is not a number of men", value.span)
                return None
            masks = (1 << self.board.tracks[0][n], 1 << self.board.tracks[1][n])
            place = Expression("places", "Place", (), masks, key.span)
            count = Expression("count", INT, (place,), (OWN, -1), key.span)
            tests.append(Expression("compare", BOOL, (count, Expression("int", INT, (), (int(text_of(value)),))), (0,), key.span.to(value.span)))
        return tests[0] if len(tests) == 1 else _conjunction(tests)

    def _unused_defines(self) -> None:
        """Definitions are checked even where nothing uses them."""
        everything = self._scope(PATH, VERB, AFTER, UNLESS)
        for define in self.content.define.values():
            parsed = from_words.term(define.term, self.report)
            if parsed is not None:
                scope = Scope(everything.features, True, (define.id,))
                sorts.expression(self.names, parsed, scope)

    # ---- set-up and start --------------------------------------------------------------------------------

    def _setup(self) -> bytes:
        places, kinds = len(self.board.names), len(self.kinds)
        men = [0] * (2 * kinds * places)
        for side in (0, 1):
            for key, node in entries(self._side(side).get("men")):
                if key.value not in self.kinds:
                    self.report.error("B315", f"no kind of man `{key.value}`", key.span, help=suggestion(key.value, self.kinds, "kinds"))
                    continue
                if isinstance(node, Scalar):
                    self._stand(men, side, self.kinds.index(key.value), node)
        for place in range(self.board.points):
            total = sum(men[place::places])
            if not self.board.many and total > 1:
                node2 = self._side(0).get("men") or self._side(1).get("men")
                self.report.error(
                    "B316", f"`{self.board.names[place]}` would hold {total} men; a point holds one", node2.span if node2 else self.span,
                    help="move one of them, or say `men: many` on the board",
                )
            owners = [s for s in (0, 1) if any(men[(s * kinds + k) * places + place] for k in range(kinds))]
            if self.board.many and len(owners) > 1:
                node3 = self._side(1).get("men")
                self.report.error("B316", f"both sides would stand on point `{self.board.names[place]}`", node3.span if node3 else self.span)
        if not any(men):
            self.report.error("B317", "no men stand anywhere at the start", self.span, help="give the sides `men`")
        if max(men, default=0) > 255:
            self.report.error("B316", "more than 255 men on one place", self.span)
            return bytes(len(men))
        return bytes(men)

    def _stand(self, men: list[int], side: int, kind: int, node: Scalar) -> None:
        parsed = from_words.setup(node, self.report)
        if parsed is None:
            return
        if not parsed.parts:
            self.report.warning("B317", "no men stand here", node.span, help="list places, or leave the line out")
        labels = label_index(self.board, side)
        for holding in parsed.parts:
            parts = [n for n in holding.names if n != ":"]
            label, count = parts[0], parts[1] if len(parts) == 2 else "1"
            if len(parts) > 2 or not count.isdigit() or int(count) > 255:
                self.report.error("B315", f"`{holding.span.text}` is not a place with a number of men", holding.span, help="write `24:2`")
            elif label not in labels:
                self.report.error("B315", f"no place `{label}`", holding.span, help=suggestion(label, labels, "places"))
            elif int(count) == 0:
                self.report.error("B315", f"`{holding.span.text}` puts no man anywhere", holding.span, help="leave it out")
            else:
                men[(side * len(self.kinds) + kind) * len(self.board.names) + labels[label]] += int(count)

    def _start(self) -> tuple[str, bool]:
        node = self.content.start.get("who")
        who = text_of(node) or self.sides[0]
        if who not in (*self.sides, "even", "highest", "lowest", "loser"):
            self.report.error(
                "R224", f"nobody called `{who}` can begin", node.span if node else self.span,
                help=suggestion(who, [*self.sides, "even", "highest", "lowest", "loser"]),
            )
        keep = text_of(self.content.start.get("dice")) == "keep"
        if self.throw is None and who in ("highest", "lowest"):
            self.report.error("T113", f"`{who}` in a game without dice", node.span if node else self.span, help="name a side, or `even`")
        if keep and who not in ("highest", "lowest"):
            self.report.error("R224", "`dice: keep` goes with `highest` or `lowest`", self.content.start["dice"].span)
        return who, keep

    def _signs(self, may: tuple[May, ...], then: tuple[Then, ...]) -> tuple[str, ...]:
        """The sign of each verb in notation: given, or `x` where it takes, `@` for a drop, else `-`."""
        taking: set[int] = set()
        for clause in then:
            if clause.moment in ("decision", "turn-end") and any(effect.op == "take" for effect in clause.do) and "verbs" in clause.clause.fields:
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


def heads(word: int, turned: int) -> bool:
    """Does a direction, turned to the reader's seat, lead forward, sideways, backward, straight or diagonal?"""
    east, north = boards.COMPASS[turned]
    return (north > 0, north == 0, north < 0, east == 0 or north == 0, east != 0 and north != 0)[word]


def label_index(board: Board, side: int) -> dict[str, int]:
    """What a side calls its places → place: all points, and its own places beside the board."""
    labels = board.labels[side]
    index = {labels[p]: p for p in range(board.points)}
    index.update({name: both[side] for name, both in board.beside.items()})
    return index


def _conjunction(tests: list[Expression]) -> Expression:
    whole = tests[0]
    for test in tests[1:]:
        whole = Expression("and", BOOL, (whole, test), (), whole.span.to(test.span))
    return whole


def _finished(game: Game, signs: tuple[str, ...]) -> Game:
    return replace(
        game, signs=signs, reads_repeats=any("repeats" in ops(e) for e in every_expression(game)),
        reads_last=any(_reads_last(clause) for clause in (*game.then, *game.ends) if clause.moment == "turn-end"),
    )


def _reads_last(clause: Then | Ends) -> bool:
    """Does a clause at the end of the turn ask what the turn's last decision was?"""
    asked = {"from", "to", "over", "direction", "heads", "die", "excess", "verb-is", "beyond", "ahead", "behind"}
    terms = [clause.when]
    if isinstance(clause, Then):
        terms += [argument for effect in clause.do for argument in effect.args]
    else:
        terms.append(clause.points)
    return "verbs" in clause.clause.fields or any(ops(term) & asked for term in terms)


def ops(expression: Expression) -> set[str]:
    """All ops in an expression."""
    found, waiting = set(), [expression]
    while waiting:
        node = waiting.pop()
        found.add(node.op)
        waiting.extend(node.args)
    return found


def every_expression(game: Game) -> Iterable[Expression]:
    """Every expression of every clause."""
    for may in game.may:
        yield may.when
    for may_not in game.may_not:
        yield from (e for e in (may_not.when, may_not.after) if e is not None)
    for must in game.must:
        yield must.value
        if must.unless is not None:
            yield must.unless
    for then in game.then:
        yield then.when
        for effect in then.do:
            yield from effect.args
    for ends in game.ends:
        yield ends.when
        yield ends.points


__all__ = ["MOMENTS", "every_expression", "heads", "label_index", "lower", "ops"]
