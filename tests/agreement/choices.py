"""Under which choices machines are compared: every ruleset, every reading, every pair of option values."""

from __future__ import annotations

import itertools
import random
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path

from interpreter.diagnostics import Report
from interpreter.machine.notation import Notation
from interpreter.machine.reference import Reference
from interpreter.play.checking_options import with_needs
from interpreter.play.loading import build, load_game
from interpreter.play.playable import Playable
from interpreter.ruleset import options
from interpreter.ruleset.extends import Built
from interpreter.ruleset.library import Library

INVENTED = Path(__file__).parent / "rulesets"


@dataclass(frozen=True)
class Combination:
    """A ruleset under some choices. ``choices`` are those that differ from the defaults, readings written out."""

    built: Built = field(compare=False, repr=False)
    name: str | Path
    choices: tuple[tuple[str, str], ...]
    library: Library = field(compare=False, repr=False)

    @property
    def id(self) -> str:
        return self.built.book.id

    def __str__(self) -> str:
        return " ".join([self.id, *(f"{option}={value}" for option, value in self.choices)])

    def load(self) -> Playable | None:
        """The game on the reference machine; None where the loader refuses the choices."""
        return loaded(self.library, self.name, dict(self.choices))


def loaded(library: Library, name: str | Path, choices: dict[str, str]) -> Playable | None:
    report = Report()
    found = load_game(library, name, choices, None, report)
    if found is None:
        return None
    return Playable(found, Reference(found.game), Notation(found.game))


def applied(built: Built, wanted: dict[str, str]) -> tuple[tuple[str, str], ...]:
    """What wanted choices come to: of those options that apply, the values that are not the defaults."""
    book = built.book
    chosen = options.applying(book, wanted)
    return tuple((id, value) for id, value in chosen.items() if value != book.options[id].default)


def of_ruleset(library: Library, name: str | Path, pairs: bool = True) -> Iterator[Combination]:
    """The different choices of one ruleset: defaults, readings, single values, pairs, pairs over each reading.

    A choice that comes to the same as an earlier one, because an option does not apply
    or a reading already made it, is not given again.
    """
    built = build(library, name, Report())
    if built is None or not built.book.playable:
        return
    seen = set()
    for wanted in _wanted(built, pairs):
        choices = applied(built, wanted)
        if choices not in seen:
            seen.add(choices)
            yield Combination(built, name, choices, library)


def _wanted(built: Built, pairs: bool) -> Iterator[dict[str, str]]:
    book = built.book
    readings: list[dict[str, str]] = [{}]
    readings += [{k: v for k, v in r.choices.items() if k in book.options} for r in book.readings.values()]
    yield from readings
    values = [(option, value) for option in book.options.values() for value in option.values]
    for reading in readings[: None if pairs else 1]:
        yield from ({**reading, **with_needs(built, option, value)} for option, value in values)
    for reading in readings if pairs else ():
        for (a, x), (b, y) in itertools.combinations(values, 2):
            first, second = with_needs(built, a, x), with_needs(built, b, y)
            if a.id != b.id and all(second.get(option, value) == value for option, value in first.items()):
                yield {**reading, **first, **second}


def names(library: Library) -> list[str | Path]:
    """The shipped rulesets and the invented ones."""
    return [*library.ids(), *sorted(INVENTED.glob("*.yaml"))]


def combinations(
    library: Library, only: Iterable[str | Path] | None = None, pairs: bool = True, seed: int | None = None
) -> Iterator[Combination]:
    """All combinations, a round of every ruleset at a time, so that a short run sees something of each.

    Args:
        only: these rulesets (ids or files) instead of all.
        pairs: also pairs of values; else the readings and single values.
        seed: shuffles each ruleset's combinations after its defaults and readings.
    """
    waiting: list[Iterator[Combination]] = []
    for name in names(library) if only is None else only:
        found = of_ruleset(library, name, pairs)
        if seed is not None:
            listed = list(found)
            first = 1 + (len(listed[0].built.book.readings) if listed else 0)
            rest = listed[first:]
            random.Random(f"{seed} {name}").shuffle(rest)
            found = iter(listed[:first] + rest)
        waiting.append(found)
    while waiting:
        still = []
        for one in waiting:
            combination = next(one, None)
            if combination is not None:
                yield combination
                still.append(one)
        waiting = still


__all__ = ["INVENTED", "Combination", "applied", "combinations", "loaded", "names", "of_ruleset"]
