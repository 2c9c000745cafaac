"""What a ruleset declares besides clauses: sides, dice, phases, facts, verbs, ways.

Faults: R219 unknown way · R225 dice that cannot be read · R226 a fact that cannot be
(range, mark on crowded points) · R227 a name that is a word of the language · R228 not
two sides · T113 and T114 ways without dice or tracks.

One room: each declaration is a page of its own, and each needs the ones before it.
"""

from __future__ import annotations

import itertools
import re
from collections import Counter
from collections.abc import Iterable
from collections.abc import Mapping as AnyMapping
from dataclasses import dataclass

from interpreter.diagnostics import Report, meant, suggestion
from interpreter.document.types import Mapping, Node, Scalar
from interpreter.game import board as boards
from interpreter.game import paths as ways
from interpreter.game.names import Names
from interpreter.game.types import Board, Memory, Path, Phase, Throw, Way
from interpreter.game.words import COORDINATES, DICE, LINES, RESERVED, TRACKS, WAYS
from interpreter.ruleset.from_document import entries, fields, text_of, whole_number, words
from interpreter.ruleset.types import Clause, Content, Ruleset
from interpreter.source import Span

WAY_NAMES = tuple(spelling.split()[0] for spelling, _, _ in WAYS)
MOST_THROWS = 50_000
_WITH_BESIDE = ("drop", "remove")
_DICE = re.compile(r"([1-9][0-9]?)d([1-9][0-9]?)$")
_RANGE = re.compile(r"([0-9]{1,7})\.\.([0-9]{1,7})$")


@dataclass(frozen=True)
class Verbs:
    """Verbs by number, and every verb that any choice of options has."""

    numbers: dict[str, int]
    everywhere: frozenset[str]


class Declared:
    """The declarations of a ruleset, read into numbered things. ``read`` fills the fields; False if it cannot.

    ``unsure`` are facts whose declaration is wrong: what is made of them is nobody's fault again.
    """

    def __init__(self, ruleset: Ruleset, report: Report) -> None:
        self.ruleset = ruleset
        self.content: Content = ruleset.content
        self.report = report
        self.unsure: set[str] = set()
        key = ruleset.book.root.key("ruleset")
        self.span = key.span if key is not None else ruleset.book.root.span

    def read(self) -> bool:
        sides = self._sides()
        if sides is None:
            return False
        self.sides = sides
        seats = tuple(text_of(self._side(s).get("seat")) or "sn"[s] for s in (0, 1))
        self.seats = (seats[0], seats[1])
        self.kinds = tuple(word.value for word in words(self.content.pieces)) or ("man",)
        for word in words(self.content.pieces):
            self._not_reserved(word, "kind of man")
        board = boards.from_nodes(
            self.content.board,
            (self._side(0).get("track"), self._side(1).get("track")),
            sides,
            RESERVED,
            self.report,
            self._span_of(self.content.board),
        )
        if board is None:
            return False
        self.board: Board = board
        self.throw = self._throw()
        self.phases = self._phases()
        self.memories = self._memories()
        self.verbs = self._verbs()
        self.faces = tuple(range(1, self.throw.faces + 1)) if self.throw is not None else ()
        self._defines()
        self.paths, self.ways = self._paths()
        self.names = Names(
            board,
            self.kinds,
            self.verbs.numbers,
            self.phases,
            self.memories,
            self.content.define,
            self.seats,
            self.throw is not None,
            self.throw.faces if self.throw is not None else 0,
            self.report,
            self.unsure,
        )
        self.base = frozenset(
            ([DICE] if self.throw is not None else [])
            + ([TRACKS] if board.tracks[0] else [])
            + ([LINES] if board.lines else [])
            + ([COORDINATES] if board.has_coordinates else [])
        )
        return True

    def _defines(self) -> None:
        for name, define in self.content.define.items():
            self._not_reserved(Scalar(name, define.key_span), "definition")
            if name in self.memories or name in self.board.regions or name in self.board.beside:
                self.report.error(
                    "R227",
                    f"`{name}` is defined and is also a fact, region or place",
                    define.key_span,
                    help="choose another name",
                )

    def _clauses(self, section: str) -> tuple[Clause, ...]:
        return self.content.clauses[section]

    def _span_of(self, nodes: AnyMapping[str, Node]) -> Span:
        return next(iter(nodes.values())).span if nodes else self.span

    def _not_reserved(self, word: Scalar, what: str) -> None:
        if word.value in RESERVED:
            self.report.error(
                "R227",
                f"`{word.value}` is a word of the language",
                word.span,
                help=f"choose another name for the {what}",
            )

    # ---- sides, dice, phases, memory ----------------------------------------------------

    def _sides(self) -> tuple[str, str] | None:
        names = [name for name in self.content.sides if name != "each"]
        if len(names) == 2:
            return names[0], names[1]
        for name in names if len(names) > 2 else ():
            close = meant(name, [*names[: names.index(name)], "each"])
            if close:
                self.report.error("R220", f"no side `{name}`", self._side_key(name), help=close, subject=name)
                return None
        self.report.error(
            "R228",
            "a game has two sides" + (f", not {len(names)}" if names else ""),
            self._side_key(names[2]) if len(names) > 2 else self.span,
            *(["more than two sides cannot be said in this language"] if len(names) > 2 else []),
            help="name two `sides`",
        )
        return None

    def _side_key(self, name: str) -> Span:
        """Where a side is named: in the file, or in a value of one of its options."""
        book = self.ruleset.book
        patches = [value.patch.node for option in book.options.values() for value in option.values.values()]
        for part in (book.root, *patches):
            for key, _ in entries(part.get("sides")):
                if key.value == name:
                    return key.span
        return self.span

    def _side(self, side: int) -> dict[str, Node]:
        return {**self.content.sides.get("each", {}), **self.content.sides[self.sides[side]]}

    def _throw(self) -> Throw | None:
        """The dice; where they cannot be read (R225), two common ones, so that the rest can be read on."""
        if not self.content.throw:
            return None
        given = self.content.throw
        doubles = text_of(given.get("doubles")) or "once"
        added: list[int] = []
        for word in words(given.get("add")):
            pips = whole_number(word.value)
            if pips is not None and 0 < pips < 100:
                added.append(pips)
            else:
                self.report.error(
                    "R225", f"`{word.value}` is not a number of pips", word.span, help="write a number from 1 to 99"
                )
        table = given.get("table")
        if isinstance(table, Mapping):
            outcomes = self._outcomes(table)
            faces = max((max(f) for f, _ in outcomes), default=6)
            return Throw(tuple(outcomes), doubles, tuple(added), faces, len(outcomes[0][0]) if outcomes else 1)
        dice = given.get("dice")
        match = _DICE.match(text_of(dice)) or (_DICE.match("2d6") if self._wrong_dice(dice, given) else None)
        assert match is not None
        n, highest = int(match[1]), int(match[2])
        if highest**n > MOST_THROWS:
            assert dice is not None
            self.report.error(
                "R225", f"`{text_of(dice)}` has more than {MOST_THROWS} throws", dice.span, help="write `dice: 2d6`"
            )
            n, highest = 2, 6
        counted = Counter(
            tuple(sorted(roll, reverse=True)) for roll in itertools.product(range(1, highest + 1), repeat=n)
        )
        return Throw(tuple(sorted(counted.items())), doubles, tuple(added), max([highest, *added]), n)

    def _wrong_dice(self, dice: Node | None, given: AnyMapping[str, Node]) -> bool:
        self.report.error(
            "R225",
            f"`{text_of(dice)}` is not a number of dice" if dice is not None else "a `throw` without `dice` or `table`",
            dice.span if dice is not None else self._span_of(given),
            help="write `dice: 2d6`",
        )
        return True

    def _outcomes(self, table: Mapping) -> list[tuple[tuple[int, ...], int]]:
        outcomes: list[tuple[tuple[int, ...], int]] = []
        for key, node in table.entries:
            faces = tuple(sorted((whole_number(n) or 0 for n in key.value.split()), reverse=True))
            weight = whole_number(text_of(node))
            if any(faces == other for other, _ in outcomes):
                message = f"the throw `{key.value}` is given twice"
                self.report.error("R225", message, key.span, help="add up the weights")
            elif not all(0 < f < 100 for f in faces):
                self.report.error(
                    "R225", f"`{key.value}` is not a throw", key.span, help="write faces from 1 to 99: `6 5`"
                )
            elif weight is None or not 0 < weight < 10**6:
                self.report.error(
                    "R225",
                    f"`{text_of(node)}` is not a weight",
                    node.span,
                    help="write a whole number from 1 to 999999",
                )
            else:
                outcomes.append((faces, weight))
        return outcomes

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
            before = len(self.report.errors)
            self._not_reserved(key, "fact")
            if name in self.board.regions or name in self.board.beside:
                self.report.error(
                    "R227", f"`{name}` is already a region or a place", key.span, help="choose another name"
                )
            low, high = self._sound(name, key, given)
            if len(self.report.errors) > before:
                self.unsure.add(name)
            kind, per = text_of(given.get("kind")) or "flag", text_of(given.get("per"))
            memories[name] = Memory(
                len(memories),
                name,
                kind,
                "man" if kind == "mark" else per,
                text_of(given.get("for")) or "game",
                low,
                high,
                text_of(given.get("apart")) == "yes",
                text_of(given.get("says")),
                key.span,
            )
        return memories

    def _sound(self, name: str, key: Scalar, given: AnyMapping[str, Node]) -> tuple[int, int]:
        """The range of a fact that is a number; R226 where a declaration cannot be."""
        kind, per = text_of(given.get("kind")), text_of(given.get("per"))
        match = _RANGE.match(text_of(given.get("range")))
        if not kind:
            self.report.error(
                "R226",
                f"`{name}` has no `kind`",
                key.span,
                help="write `kind: flag`, number, direction, place, places or mark",
            )
        elif self.board.many and (kind == "mark" or per == "man"):
            self.report.error(
                "R226",
                f"`{name}` would stick to single men, but points hold many men here",
                key.span,
                help="remember it for the side or for the game",
            )
        elif kind == "mark" and per:
            self.report.error("R226", f"`{name}`: a mark is always on men", given["per"].span, help="leave `per` out")
        if kind == "number" and (not match or int(match[1]) >= int(match[2])):
            node = given.get("range")
            self.report.error(
                "R226",
                f"`{text_of(node)}` is not a range" if node else f"the number `{name}` has no range",
                node.span if node else key.span,
                help="write `range: 0..4`",
            )
        elif kind and kind != "number" and "range" in given:
            self.report.error(
                "R226", f"`{name}` is no number, so it has no range", given["range"].span, help="leave `range` out"
            )
        return (int(match[1]), int(match[2])) if match and kind == "number" else (0, 0)

    # ---- verbs and paths -------------------------------------------------------------------

    def _option_may(self) -> Iterable[tuple[Scalar, AnyMapping[str, Node]]]:
        """Every `may` clause that any option value writes."""
        for option in self.ruleset.book.options.values():
            for value in option.values.values():
                for key, node in entries(value.patch.node.get("may")):
                    yield key, fields(node)

    def _verbs(self) -> Verbs:
        """Verbs are numbered as the rulebook names them; those that only an option adds come last."""
        base = [c.word("verb") or c.id for c in self.ruleset.book.content.clauses["may"]]
        added = [
            text_of(f.get("verb")) or k.value
            for k, f in self._option_may()
            if "verb" in f or not self._patches_may(k.value)
        ]
        now = [c.word("verb") or c.id for c in self._clauses("may")]
        every = list(dict.fromkeys([*base, *added, *now]))
        return Verbs({name: i for i, name in enumerate(every)}, frozenset(every))

    def _patches_may(self, id: str) -> bool:
        return self.ruleset.book.content.clause("may", id) is not None

    def _way_of(self, node: Node | None) -> tuple[str, str, Span] | None:
        """(way, place beside) of a clause's `way`; None if it has none or it is wrong (then reported)."""
        if not isinstance(node, Scalar):
            return None
        parts = node.value.split()
        name = parts[0] if parts else ""
        if name not in WAY_NAMES:
            self.report.error(
                "R219",
                f"no way `{name}`",
                node.part(0, len(name)),
                help=suggestion(name, WAY_NAMES, "ways"),
                subject=name,
            )
            return None
        if len(parts) != (2 if name in _WITH_BESIDE else 1):
            wants = f"`{name}` needs a place beside the board" if name in _WITH_BESIDE else f"`{name}` stands alone"
            self.report.error(
                "R219", wants, node.span, help=f"write `{name} box`" if name in _WITH_BESIDE else f"write `way: {name}`"
            )
            return None
        if name in _WITH_BESIDE and parts[1] not in self.board.beside:
            self.report.error(
                "B303",
                f"no place `{parts[1]}` beside the board",
                node.part(node.value.rindex(parts[1]), len(node.value.rstrip())),
                help=suggestion(parts[1], self.board.beside, "beside the board"),
                subject=parts[1],
            )
            return None
        if name in ("travel", "name") and self.throw is None:
            self.report.error(
                "T113", f"the way `{name}` in a game without dice", node.span, help="give the ruleset a `throw`"
            )
            return None
        if name == "travel" and not self.board.tracks[0]:
            self.report.error(
                "T114", "the way `travel` in a game without tracks", node.span, help="give each side a `track`"
            )
            return None
        return name, parts[1] if len(parts) > 1 else "", node.span

    def _paths(self) -> tuple[tuple[Path, ...], dict[tuple[str, str], Way]]:
        """Paths of every way that the rulebook or any of its options names: numbers do not depend on choices."""
        here = [self._way_of(c.fields.get("way")) for c in self._clauses("may")]
        told, self.report = self.report, Report()
        elsewhere = [self._way_of(f.get("way")) for _, f in self._option_may()]
        elsewhere += [self._way_of(c.fields.get("way")) for c in self.ruleset.book.content.clauses["may"]]
        self.report = told
        wanted = sorted({w for w in [*here, *elsewhere] if w is not None}, key=lambda w: (WAY_NAMES.index(w[0]), w[1]))
        return ways.paths_of(self.board, wanted, self.faces, self.content.board.get("paths"), self.report)
