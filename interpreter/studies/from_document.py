"""From a study's file to a study, with everything that is wrong with it told in one run.

The file is read as rulesets are (``document``), and checked against its schema; then
its rulesets, options, readings and players are looked up, and every cell's rules are
put together, so that what cannot be played is told before anything is.

Faults of its own: Q501 a combination that cannot be played, Q502 a number out of bounds,
Q503 players that do not fit the sides; warning Q504 a cell that is the same game as
another and is left out. Others, at their place in the study: O901, O902, R205, R201,
O903, O904, P812.

One room: each part of the file is read by one method, and all report to one report.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

from interpreter.diagnostics import Diagnostic, Fault, Label, Report, fault, meant, suggestion
from interpreter.document.types import Mapping, Node, Scalar, Sequence
from interpreter.play import seats
from interpreter.play.loading import build, is_file
from interpreter.play.players import HUMAN
from interpreter.ruleset import options
from interpreter.ruleset.extends import Built
from interpreter.ruleset.library import Library
from interpreter.source import NOWHERE, Span
from interpreter.studies.crossing import Draft, Plan, Spot, cells
from interpreter.studies.types import COMBINATION, MEASURES, READING, RULESET, Axis, Cell, Comparison, Group, Study

MOST_TURNS = 2_000
WATCH = 100
MOST_GAMES, MOST_LENGTH, MOST_WATCHED, MOST_CELLS = 100_000_000, 1_000_000, 100_000, 500
ALL = "all"
Seated = tuple[Mapping, Group, dict[str, Scalar]]
"""An entry of players: where it is written, what it says, and the players by the names they are given under."""


def from_file(path: Path) -> tuple[Study, tuple[Diagnostic, ...]]:
    """The study of a file, and warnings. Raises Fault with every error that was found."""
    if not path.is_file():
        raise fault("O903", f"no file `{path}`", help="name the YAML file of a study")
    read = Library().read(path, "study")
    report = Report()
    for d in read.report:
        report.add(replace(d, help="begin with `study: NAME`") if d.code == "D111" else d)
    if read.tree is None:
        raise Fault(report.errors)
    study = _Reader(read.tree, path.parent, read.file.digest, report).study()
    if study is None or report.errors:
        raise Fault(report.errors)
    return study, tuple(report)


class _Reader:
    """One study file. What is wrong goes to ``report``; what is right is read on."""

    def __init__(self, tree: Mapping, folder: Path, digest: str, report: Report) -> None:
        self.tree, self.folder, self.digest, self.report = tree, folder, digest, report
        self.torn = bool(report.errors)
        """Were parts of the wrong shape left out? Then nothing is missed that may have stood there."""
        self.books: dict[str, tuple[Built, Library]] = {}
        self.named: dict[str, str] = {}
        """How each ruleset is named to whoever loads it: its id, or where its file lies."""

    def study(self) -> Study | None:
        self._rulesets()
        plan = self._plan() if self.books else None
        self._seated = list(self._groups())
        numbers = {
            "seed": self._number("seed", 0, -(10**18), 10**18),
            "watch": self._number("watch", WATCH, 0, MOST_WATCHED),
        }
        if plan is None or self.report.errors:
            return None
        made = self._cells(plan)
        if self.report.errors or not made:
            return None
        found, comparisons = made
        id = self._word("study")
        chosen = {node.value for node in _items(self.tree.get("measures"))} or set(MEASURES)
        return Study(
            id,
            " ".join(self._word("title").split()) or id,
            " ".join(self._word("summary").split()),
            self.digest,
            found,
            tuple(group for _, group, _ in self._seated),
            self._axes(plan),
            comparisons,
            numbers["seed"],
            numbers["watch"] if "clauses" in chosen else 0,
            tuple(m for m in MEASURES if m in chosen),
            tuple(self._known(name, found) for name in self.books),
        )

    def _known(self, name: str, found: tuple[Cell, ...]) -> tuple[str, str, str]:
        book = self.books[name][0].book
        digest = next((cell.parcel.sha256 for cell in found if cell.ruleset == book.id), "")
        return book.id, book.version, digest

    # ---- rulesets ---------------------------------------------------------------------------

    def _rulesets(self) -> None:
        for node in _items(self.tree.get(RULESET)):
            name = str(self.folder / node.value) if is_file(node.value) else node.value
            library, found = Library(), Report()
            built = build(library, name, found)
            if built is not None and not found.errors and not built.book.playable:
                found.error("O904", f"`{built.book.id}` is a family, and no game by itself", node.span)
            self.report.extend(replace(d, span=node.span) if d.span == NOWHERE else d for d in found.errors)
            if built is None or found.errors:
                continue
            if built.book.id in self.books:
                self.report.error("D107", f"`{built.book.id}` is given twice", node.span, help="keep one of the two")
                continue
            self.books[built.book.id] = built, library
            self.named[built.book.id] = name

    # ---- what varies --------------------------------------------------------------------------

    def _plan(self) -> Plan | None:
        """What every cell begins with, and along which axes cells differ."""
        plan = Plan(list(self.books))
        reading = self.tree.get(READING)
        if isinstance(reading, Scalar):
            self._check(READING, reading, reading.span, every=True)
            plan.base[READING] = Spot(reading.value, reading.span, reading.span)
        for key, node in _entries(self.tree.get("with")):
            self._check(key.value, node, key.span, every=True)
            if isinstance(node, Scalar):
                plan.base[key.value] = Spot(node.value, key.span, node.span)
        for section, axes in (("cross", plan.crossed), ("vary", plan.varied)):
            for key, node in _entries(self.tree.get(section)):
                if section == "vary" and key.value in plan.crossed:
                    first = self.tree.get("cross")
                    also = first.key(key.value) if isinstance(first, Mapping) else None
                    labels = [Label(also.span, "crossed here")] if also is not None else []
                    self.report.error("D107", f"`{key.value}` is crossed already", key.span, labels=labels)
                    continue
                axes[key.value] = self._values(key, node, every=section == "cross")
        for key, node in _entries(self.tree.get("combinations")):
            spots: dict[str, Spot] = {}
            for name, value in _entries(node):
                self._check(name.value, value, name.span, every=False)
                if isinstance(value, Scalar):
                    spots[name.value] = Spot(value.value, name.span, value.span)
            plan.combined[key.value] = (key.span, spots)
        return plan

    def _values(self, key: Scalar, node: Node, every: bool) -> list[Spot]:
        """The values along one axis, checked; ``all`` is every value that any of the rulesets knows, in order."""
        if isinstance(node, Scalar) and node.value == ALL:
            if not self._there(key.value, key.span, every):
                return []
            found: dict[str, None] = {}
            for built, _ in self.books.values():
                found |= dict.fromkeys(_known_values(built, key.value))
            # of `all`, the one that the others are compared with is what the rules come to as they are
            usual = [b.book.options[key.value].default for b, _ in self.books.values() if key.value in b.book.options]
            ordered = [*usual[:1], *(value for value in found if value not in usual[:1])]
            return [Spot(value, key.span, node.span, listed=False) for value in ordered]
        spots: list[Spot] = []
        for item in _items(node):
            self._check(key.value, item, key.span, every)
            if any(spot.value == item.value for spot in spots):
                self.report.error("D107", f"`{item.value}` is given twice", item.span, help="keep one of the two")
                continue
            spots.append(Spot(item.value, key.span, item.span))
        return spots

    def _there(self, name: str, span: Span, every: bool) -> bool:
        """Is there such an option (in every ruleset, or in one)? Fault O901."""
        if name == READING:
            return True
        lacking = [built.book for built, _ in self.books.values() if name not in built.book.options]
        if lacking and (every or len(lacking) == len(self.books)):
            known = {option for built, _ in self.books.values() for option in (*built.book.options, READING)}
            message = f"`{lacking[0].id}` has no option `{name}`"
            self.report.error("O901", message, span, help=suggestion(name, known, "options"), subject=name)
            return False
        return True

    def _check(self, name: str, node: Node, span: Span, every: bool) -> None:
        """A value of an option or a reading, in every ruleset or in one. Faults O901, O902, R205."""
        if not isinstance(node, Scalar) or not self._there(name, span, every):
            return
        lacking = [b.book for b, _ in self.books.values() if node.value not in _known_values(b, name)]
        if not lacking or (not every and len(lacking) < len(self.books)):
            return
        known = {value for b, _ in self.books.values() for value in _known_values(b, name)}
        if name == READING:
            message = f"`{lacking[0].id}` has no reading `{node.value}`"
            self.report.error("O902", message, node.span, help=suggestion(node.value, known, "readings"))
        else:
            message = f"option `{name}` has no value `{node.value}`"
            self.report.error("R205", message, node.span, help=suggestion(node.value, known, "values"))

    # ---- cells ----------------------------------------------------------------------------------

    def _cells(self, plan: Plan) -> tuple[tuple[Cell, ...], tuple[Comparison, ...]] | None:
        count = math.prod(map(len, plan.crossed.values())) + sum(map(len, plan.varied.values())) + len(plan.combined)
        if count * len(plan.rulesets) > MOST_CELLS:
            self.report.error(
                "Q502", f"{count * len(plan.rulesets):,} cells; the most is {MOST_CELLS}", self._span("cross", "vary"),
                help="cross fewer options, or vary them one at a time",
            )  # fmt: skip
            return None
        drafts = cells(plan, {name: built.book for name, (built, _) in self.books.items()})
        made: list[Cell] = []
        numbers: dict[tuple[str, tuple[tuple[str, str], ...]], int] = {}
        at: dict[int, int] = {}
        for number, draft in enumerate(drafts):
            cell = self._cell(draft)
            if cell is None:
                continue
            key = (cell.ruleset, tuple(sorted(cell.choices.items())))
            if key in numbers:
                same = made[numbers[key]]
                made[numbers[key]] = replace(same, also=(*same.also, cell.name))
                if draft.listed:
                    message = f"`{cell.name}` is the same game as `{same.name}`, and is left out"
                    self.report.warning("Q504", message, draft.span, help="no value of an option that applies differs")
                continue
            at[number] = numbers[key] = len(made)
            made.append(cell)
        if not made and not self.report.errors:
            self.report.error("Q501", "no cell can be played", self._span("cross", "vary"))
        if len({cell.game.sides for cell in made}) > 1:
            names = ", ".join(f"{cell.ruleset}: {' and '.join(cell.game.sides)}" for cell in made[:1] + made[-1:])
            self.report.error("Q503", "the rulesets do not have the same sides", self._span(RULESET), names)
        if self.report.errors:
            return None
        self._sides(made[0].game.sides)
        pairs = [(axis, value, at[a], at[b]) for axis, value, a, b in plan.pairs(drafts) if a in at and b in at]
        return tuple(made), tuple(Comparison(*pair) for pair in pairs)

    def _cell(self, draft: Draft) -> Cell | None:
        from interpreter.game import from_ruleset
        from interpreter.play.shipping import pack

        built, library = self.books[draft.ruleset]
        found = Report()
        chosen = {name: spot.value for name, spot in draft.choices.items() if name != READING}
        reading = draft.choices[READING].value if READING in draft.choices else None
        ruleset = options.decide(built, chosen, reading, found)
        game = from_ruleset.lower(ruleset, found) if ruleset is not None and not found.errors else None
        if ruleset is None or game is None or found.errors:
            what = ", ".join(f"{name}={spot.value}" for name, spot in draft.choices.items()) or draft.ruleset
            notes = [f"{d.code}: {d.message}" + (f" ({d.span})" if d.span != NOWHERE else "") for d in found.errors]
            message = f"`{draft.name}` cannot be played: {what}"
            if draft.listed:
                self.report.error("Q501", message, draft.span, *notes, help="leave out one of the values")
            else:
                self.report.warning("Q501", message, draft.span, *notes, help="it is left out")
            return None
        parcel = pack(library, self.named[draft.ruleset], chosen, reading, "compiled")
        return Cell(draft.name, draft.place, built.book.id, reading, dict(ruleset.choices), parcel, game)

    def _axes(self, plan: Plan) -> tuple[Axis, ...]:
        """The questions, in the words of the rulesets."""
        found: list[Axis] = []
        if len(self.books) > 1:
            titles = {b.book.id: b.book.title.get("en", b.book.id) for b, _ in self.books.values()}
            found.append(Axis(RULESET, "Which rules are played?", titles))
        for name in (*plan.crossed, *plan.varied):
            ask, says = "", dict[str, str]()
            for built, _ in self.books.values():
                if name == READING:
                    ask = "Whose reading of the rules is played?"
                    says = {**{id: reading.says for id, reading in built.book.readings.items()}, **says}
                elif name in built.book.options:
                    option = built.book.options[name]
                    ask = ask or option.ask
                    says = {**{id: value.says for id, value in option.values.items()}, **says}
            found.append(Axis(name, " ".join(ask.split()), {k: " ".join(v.split()) for k, v in says.items()}))
        if plan.combined:
            says = {k: ", ".join(f"{n}={s.value}" for n, s in spots.items()) for k, (_, spots) in plan.combined.items()}
            found.append(Axis(COMBINATION, "What do several changes do together?", says))
        return tuple(found)

    # ---- players -----------------------------------------------------------------------------------

    def _groups(self) -> Iterator[Seated]:
        """Every entry of players that is whole."""
        for node in self.tree.get("players").items if isinstance(self.tree.get("players"), Sequence) else ():  # type: ignore[union-attr]
            if not isinstance(node, Mapping):
                continue
            words = {key.value: value for key, value in node if isinstance(value, Scalar)}
            names = {k: v for k, v in words.items() if k not in ("games", "max-turns", "by")}
            found = {name: self._seat(value) for name, value in names.items()}
            games = self._number("games", 1, 1, MOST_GAMES, node)
            most = self._number(
                "max-turns", self._number("max-turns", MOST_TURNS, 1, MOST_LENGTH), 1, MOST_LENGTH, node
            )
            by = words["by"].value if "by" in words else "turn"
            players = [seat for seat in found.values() if seat is not None]
            if len(players) != len(names):
                continue
            if "both" in names and len(names) > 1:
                key = next(key for key, _ in node if key.value in names and key.value != "both")
                self.report.error("Q503", f"`both` and `{key.value}` are given", key.span, help="keep one of the two")
            elif "both" in names or len(names) == 2:
                yield node, Group((players[0], players[-1]), games, most, by), names
            elif names or not self.torn:
                message = f"{'one player' if names else 'no players'} where there are two sides"
                self.report.error("Q503", message, node.span, help="write `both: random`, or a player for each side")

    def _seat(self, node: Scalar) -> seats.Seat | None:
        try:
            found = seats.seat(node.value)
        except Fault as problem:
            self.report.extend(replace(d, span=node.span) for d in problem.diagnostics)
            return None
        if found.kind == HUMAN:
            self.report.error("Q503", "a study is played without humans", node.span, help="write `greedy`, say")
            return None
        return found

    def _sides(self, sides: tuple[str, str]) -> None:
        """Do players fit the sides? They are put in the order of the sides; no two groups are the same."""
        seen: dict[str, Mapping] = {}
        for at, (node, group, names) in enumerate(self._seated):
            for name in names:
                if name not in ("both", *sides):
                    key = node.key(name)
                    advice = meant(name, sides) or f"the sides are {' and '.join(sides)}"
                    self.report.error("Q503", f"no side `{name}`", key.span if key else node.span, help=advice)
            if list(names) == list(reversed(sides)):
                self._seated[at] = (node, replace(group, seats=(group.seats[1], group.seats[0])), names)
            name = self._seated[at][1].name
            if name in seen:
                labels = [Label(seen[name].span, "first here")]
                self.report.error("Q503", f"the players `{name}` are given twice", node.span, labels=labels)
            seen[name] = node

    # ---- words and numbers ----------------------------------------------------------------------------

    def _word(self, name: str) -> str:
        node = self.tree.get(name)
        return node.value if isinstance(node, Scalar) else ""

    def _number(self, name: str, default: int, least: int, most: int, within: Mapping | None = None) -> int:
        """A whole number; Fault Q502 out of bounds."""
        node = (self.tree if within is None else within).get(name)
        if not isinstance(node, Scalar):
            return default
        number = int(node.value.replace("_", ""))
        if not least <= number <= most:
            self.report.error("Q502", f"`{name}` is {number:,}", node.span, help=f"from {least:,} to {most:,}")
        return number

    def _span(self, *names: str) -> Span:
        for name in names:
            key = self.tree.key(name)
            if key is not None:
                return key.span
        return self.tree.span


def _known_values(built: Built, name: str) -> tuple[str, ...]:
    if name == READING:
        return tuple(built.book.readings)
    return tuple(built.book.options[name].values) if name in built.book.options else ()


def _items(node: Node | None) -> Iterator[Scalar]:
    """The words of a list, or of a word that stands for a list of one."""
    if isinstance(node, Scalar):
        yield node
    elif isinstance(node, Sequence):
        yield from (item for item in node.items if isinstance(item, Scalar))


def _entries(node: Node | None) -> Iterator[tuple[Scalar, Node]]:
    if isinstance(node, Mapping):
        yield from node


__all__ = ["from_file"]
