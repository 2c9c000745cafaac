"""How far the rules of a ruleset are used: every clause, under every choice of options, from every kind of start.

Three kinds of starts are followed: random games from the set-up, the ruleset's stories
(each under the choices it is told under), and positions made up at random. They are played
under the defaults, every reading and every value of every option; a clause that only a
value brings, or that a value puts in other words, is a row of its own. What no start has
used is then looked for longer: more games and positions, under the choices that have it.

    unused       a clause that never had a say (``usage`` says what that is)
    idle         one that had, and nothing would have been different without it (``watching``)
    ineffective  an option of which no value changes anything seen (``bearing``)

A file lists under ``unused`` the clauses that are known to have no say, with the reason.
Faults: V432 a clause listed there that is used after all (one that is not there is R234).

The same seed gives the same answer, unless the time is up before the work is done.

One room: what is looked at, in which order, and until when.
"""

from __future__ import annotations

import random
import time
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass

from interpreter.diagnostics import Fault, Report
from interpreter.game import from_ruleset
from interpreter.game.types import Game
from interpreter.machine.batch import Stopped
from interpreter.machine.types import RulesBroken
from interpreter.play import bearing
from interpreter.play.checking_options import choosable, with_needs
from interpreter.play.coverage_rows import Row
from interpreter.play.story_names import chosen
from interpreter.play.watching import WHERE, Watch
from interpreter.ruleset import options
from interpreter.ruleset.extends import Built
from interpreter.ruleset.from_document import text_of, words
from interpreter.ruleset.types import CLAUSE_LISTS, Clause

Name = tuple[str, str, str]
"""A row: the list, the clause, the option's value that brings it (or empty)."""

DEFAULTS = "defaults"
POSITIONS_A_GAME = 5
"""Positions made up for each game that is played."""
SHARE = 10
"""Under other choices than the defaults one game is played in the place of so many."""
BACK = 5
"""From every so many-th made-up position both sides go to and fro (see ``Watch.shuttle``)."""
MOST_TURNS = 300
MOST_STORIES = 400
ROUND = 1000
"""Starts that are looked at for clauses not used yet are numbered from here, so that they are no others."""


@dataclass(frozen=True)
class Budget:
    """How much is looked at.

    ``games``: random games under the defaults; ``rounds``: how often more is tried for
    clauses not used yet, ``games`` and ``positions`` at a time; ``judge``: also ask what
    mattered, and try the options; ``until``: when to stop (of ``time.monotonic``).
    ``thorough``: else stop as soon as everything is used.
    """

    games: int = 20
    rounds: int = 10
    judge: bool = True
    thorough: bool = True
    until: float = float("inf")
    max_turns: int = MOST_TURNS

    @property
    def over(self) -> bool:
        return time.monotonic() > self.until


@dataclass
class Coverage:
    """What was seen: ``rows`` in file order, ``options`` (see ``bearing``), and how much was looked at.

    ``stopped``: not everything was looked at, because the time was up or somebody ``interrupted`` it.
    """

    built: Built
    seed: int
    rows: list[Row]
    options: list[bearing.Bearing]
    choices: list[str]
    starts: Counter[str]
    capped: int = 0
    stopped: bool = False
    interrupted: bool = False

    @property
    def unused(self) -> list[Row]:
        """The clauses without a say that are not listed either."""
        return [row for row in self.rows if row.verdict == "unused"]

    @property
    def idle(self) -> list[Row]:
        return [row for row in self.rows if row.idle]

    @property
    def ineffective(self) -> list[bearing.Bearing]:
        return [option for option in self.options if option.tried and not option.matters]

    def report(self) -> Report:
        """V432 for every clause that the file itself lists as unused and that is used."""
        report, book = Report(), self.built.book
        for id, listed in book.unused.items():
            rows = [row for row in self.rows if row.id == id]
            if listed.span.source is book.root.span.source and rows and all(row.used for row in rows):
                where = next(name for name in WHERE if any(row.noted.uses[name] for row in rows))
                report.error(
                    "V432",
                    f"clause `{id}` is listed as unused, and is used",
                    listed.span,
                    f"it had a say {sum(row.total for row in rows)} times, first seen in {where}",
                    help="take it off the list",
                )
        return report


def cover(built: Built, seed: int, budget: Budget | None = None) -> Coverage:
    """Look at a playable rulebook without faults.

    Raises:
        Fault: where the game under the defaults has faults after all.
    """
    return _Covering(built, seed, budget or Budget()).run()


class _Covering:
    def __init__(self, built: Built, seed: int, budget: Budget) -> None:
        self.built, self.seed, self.budget = built, seed, budget
        self.watches: dict[tuple[tuple[str, str], ...], tuple[str, Watch]] = {}
        self.rows: dict[Name, Row] = {}
        self.open: set[Name] = set()
        """The rows that nothing has used yet and that no file lists."""
        self.starts: Counter[str] = Counter()
        self.capped = 0
        self.tried: list[bearing.Bearing] = []

    def run(self) -> Coverage:
        """All of it, or what there was until somebody interrupted it."""
        for name, wanted in self._choices():
            self._watch(name, wanted)
        interrupted = False
        try:
            self._look()
        except KeyboardInterrupt:
            interrupted = True
        return Coverage(
            self.built,
            self.seed,
            self._collected(),
            self.tried,
            [name for name, _ in self.watches.values()],
            self.starts,
            self.capped,
            interrupted or self.budget.over,
            interrupted,
        )

    def _look(self) -> None:
        self._stories()
        if self.budget.thorough:
            for number, (_, watch) in enumerate(self._each()):
                games = self.budget.games if number == 0 else max(1, self.budget.games // SHARE)
                self._starts(watch, number, range(games), range(POSITIONS_A_GAME * games))
        self._search()
        if self.budget.judge:
            self.tried = bearing.bearings(self.built, self._found, lambda: self.budget.over)

    # ---- choices --------------------------------------------------------------------------------

    def _choices(self) -> Iterator[tuple[str, dict[str, str]]]:
        book = self.built.book
        yield DEFAULTS, {}
        for reading in book.readings.values():
            yield f"reading {reading.id}", {k: v for k, v in reading.choices.items() if k in book.options}
        for option in book.options.values():
            for value in option.values:
                yield f"{option.id}={value}", with_needs(self.built, option, value)

    def _key(self, wanted: dict[str, str]) -> tuple[tuple[str, str], ...]:
        return tuple(options.applying(self.built.book, wanted).items())

    def _watch(self, name: str, wanted: dict[str, str]) -> Watch | None:
        """The game under these choices; None where they cannot be made."""
        key = self._key(wanted)
        if key not in self.watches:
            trial = Report()
            ruleset = choosable(self.built, wanted)
            game = from_ruleset.lower(ruleset, trial) if ruleset is not None else None
            if game is None or trial.errors:
                if name == DEFAULTS:
                    raise Fault(trial.errors)
                return None
            self.watches[key] = name, self._watched(game)
        return self.watches[key][1]

    def _watched(self, game: Game) -> Watch:
        """A watch of this game, which tells when a clause is first used. Its clauses become rows."""
        content = game.ruleset.content
        rows = {(name, c.id): Row(name, c, _brought(c)) for name in CLAUSE_LISTS for c in content.clauses[name]}
        kept = {key: (*key, row.option) for key, row in rows.items()}
        here = frozenset(kept.values())
        watch = Watch(
            game,
            self.budget.judge,
            first=lambda key: self.open.discard(kept[key]),
            lacks=lambda: not self.open.isdisjoint(here),
            thorough=self.budget.thorough,
        )
        for key in watch.noted:
            if kept[key] not in self.rows:
                self.rows[kept[key]] = rows[key]
                if key[1] not in self.built.book.unused:
                    self.open.add(kept[key])
        return watch

    def _found(self, wanted: dict[str, str]) -> Watch | None:
        found = self.watches.get(self._key(wanted))
        return found[1] if found is not None else None

    def _each(self) -> Iterator[tuple[str, Watch]]:
        for name, watch in list(self.watches.values()):
            if self.budget.over:
                return
            yield name, watch

    # ---- starts ---------------------------------------------------------------------------------------

    def _stories(self) -> None:
        book = self.built.book
        for story in book.stories[:MOST_STORIES]:
            if self.budget.over:
                return
            told = chosen(story)
            reading = book.readings.get(told.name or "")
            base = reading.choices.items() if reading is not None else ()
            wanted = {**{k: v for k, v in base if k in book.options}, **told.choices}
            label = " ".join([*([f"reading {told.name}"] if told.name else []), *map("=".join, told.choices.items())])
            watch = self._watch(label or DEFAULTS, wanted)
            if watch is not None and (not watch.enough or book.unused):
                lines = [line.value for line in words(story.get("play"))]
                watch.story(text_of(story.get("given")) or None, lines)
                self.starts["stories"] += 1

    def _starts(self, watch: Watch, number: int, games: range, positions: range) -> None:
        """Games and made-up positions under the choices of this number; stops when the time is up."""
        for game in games:
            if self.budget.over:
                return
            try:
                ended = watch.play(self.seed, game, self.budget.max_turns)
            except (RulesBroken, Stopped):
                continue
            self.starts["games"] += 1
            self.capped += not ended
        for position in positions:
            if self.budget.over:
                return
            chance = random.Random(f"{self.seed} {number} {position}")
            back = position % BACK == 0
            self.starts["constructed"] += watch.constructed(chance, 12, 60 if back else 6, back)

    def _search(self) -> None:
        """More starts under the choices that have a clause nothing has used yet."""
        for trial in range(self.budget.rounds):
            for number, (_, watch) in enumerate(self._each()):
                first = ROUND * (trial + 1)
                if trial and watch.lacks():
                    self._starts(watch, number, range(first, first + 1), range(0))
                if watch.lacks() and watch.repeats and not self.budget.over:
                    self.starts["games"] += watch.to_and_fro(self.seed, first)
                for position in range(first, first + 2 * POSITIONS_A_GAME * (trial + 1)):
                    if not watch.lacks():
                        break
                    self._starts(watch, number, range(0), range(position, position + 1))

    # ---- rows -----------------------------------------------------------------------------------------

    def _collected(self) -> list[Row]:
        """The rows with what every watch noted, those of one list together, in file order."""
        for name, watch in self.watches.values():
            for (section, id), noted in watch.noted.items():
                clause = watch.game.ruleset.content.clause(section, id)
                assert clause is not None
                row = self.rows[section, id, _brought(clause)]
                row.noted.uses.update(noted.uses)
                row.noted.looked += noted.looked
                row.noted.mattered += noted.mattered
                row.noted.offered += noted.offered
                row.noted.others.update(noted.others)
                row.noted.shared.update(noted.shared)
                times = sum(noted.uses.values())
                if name == DEFAULTS:
                    row.defaults = times
                elif times:
                    row.under[name] += times
        for row in self.rows.values():
            listed = self.built.book.unused.get(row.id)
            row.excuse = listed.reason if listed is not None else ""
        return sorted(self.rows.values(), key=lambda row: CLAUSE_LISTS.index(row.section))


def _brought(clause: Clause) -> str:
    """The value of an option that brings a clause or puts it in other words, or empty."""
    return clause.origin if "=" in clause.origin else ""


__all__ = ["DEFAULTS", "Budget", "Coverage", "cover"]
