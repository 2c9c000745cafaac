"""Cells from axes: what is crossed in full, what is varied one at a time, what is named.

A cell's place says, for every axis, which value it has there, "" where it is as at the
base. On a crossed axis the first value is the base's. Two cells are compared where they
differ along one axis and one of them has the base's value on it.
"""

from __future__ import annotations

import itertools
from collections.abc import Mapping
from dataclasses import dataclass, field

from interpreter.ruleset.options import applying
from interpreter.ruleset.types import Rulebook
from interpreter.source import Span
from interpreter.studies.types import COMBINATION, READING, RULESET


@dataclass(frozen=True)
class Spot:
    """A value and where it is written: the axis, the value. ``listed``: by itself, not by the word `all`."""

    value: str
    at: Span = field(repr=False)
    span: Span = field(repr=False)
    listed: bool = True


@dataclass(frozen=True)
class Draft:
    """A cell that is not yet rules: ``choices`` are options and the reading, ``span`` shows it in the file."""

    name: str
    ruleset: str
    place: Mapping[str, str]
    choices: Mapping[str, Spot]
    span: Span
    listed: bool


@dataclass
class Plan:
    """What a file asks for: rulesets by name, what all begin with, and the axes."""

    rulesets: list[str]
    base: dict[str, Spot] = field(default_factory=dict)
    crossed: dict[str, list[Spot]] = field(default_factory=dict)
    varied: dict[str, list[Spot]] = field(default_factory=dict)
    combined: dict[str, tuple[Span, dict[str, Spot]]] = field(default_factory=dict)

    def pairs(self, drafts: list[Draft]) -> list[tuple[str, str, int, int]]:
        """(axis, value of the second, first, second) of every two drafts that differ along one axis from its base."""
        bases = {RULESET: self.rulesets[0], **{name: spots[0].value for name, spots in self.crossed.items() if spots}}
        by_place = {tuple(sorted(draft.place.items())): number for number, draft in enumerate(drafts)}
        found = []
        for axis in (RULESET, *self.crossed, *self.varied, COMBINATION):
            base = bases.get(axis, "")
            for number, draft in enumerate(drafts):
                value = draft.place.get(axis, base)
                if value == base or (axis == RULESET and self._is_changed(draft)):
                    continue
                first = by_place.get(tuple(sorted({**draft.place, axis: base}.items())))
                if first is not None:
                    found.append((axis, value, first, number))
        return found

    def _is_changed(self, draft: Draft) -> bool:
        """Is anything varied in this cell? Rulesets are compared as they are."""
        return any(draft.place[axis] for axis in (*self.varied, COMBINATION))


def cells(plan: Plan, books: Mapping[str, Rulebook]) -> list[Draft]:
    """Every cell of a plan, the base first; those that a ruleset does not know are not made."""
    found: list[Draft] = []
    axes = list(plan.crossed)
    for ruleset in plan.rulesets:
        book = books[ruleset]
        for spots in itertools.product(*plan.crossed.values()):
            chosen = {**plan.base, **dict(zip(axes, spots, strict=True))}
            is_base = all(spot is values[0] for spot, values in zip(spots, plan.crossed.values(), strict=True))
            start = _place(plan, ruleset, dict(zip(axes, spots, strict=True)))
            last = spots[-1] if spots else next(reversed(plan.base.values()), None)
            span, listed = (last.span, last.listed) if last is not None else (book.root.span, True)
            name = _name(plan, ruleset, [f"{axis}={spot.value}" for axis, spot in zip(axes, spots, strict=True)])
            found.append(Draft(name, ruleset, start, chosen, span, listed))
            if is_base:
                found += _varied(plan, book, ruleset, start, chosen)
    return found


def _varied(plan: Plan, book: Rulebook, ruleset: str, start: dict[str, str], chosen: dict[str, Spot]) -> list[Draft]:
    found = []
    reading = chosen.get(READING)
    wanted = dict(book.readings[reading.value].choices) if reading is not None else {}
    wanted |= {name: spot.value for name, spot in chosen.items() if name != READING}
    now = applying(book, wanted)
    for axis, spots in plan.varied.items():
        for spot in spots:
            known = list(book.readings) if axis == READING else []
            if axis in book.options:
                known = list(book.options[axis].values)
            is_base = spot.value == (reading.value if axis == READING and reading else now.get(axis))
            if spot.value not in known or is_base:
                continue
            name = _name(plan, ruleset, [f"{axis}={spot.value}"])
            place = {**start, axis: spot.value}
            found.append(Draft(name, ruleset, place, {**chosen, axis: spot}, spot.span, spot.listed))
    for name, (span, more) in plan.combined.items():
        if all(option == READING or option in book.options for option in more):
            place = {**start, COMBINATION: name}
            found.append(Draft(_name(plan, ruleset, [name]), ruleset, place, {**chosen, **more}, span, True))
    return found


def _place(plan: Plan, ruleset: str, crossed: Mapping[str, Spot]) -> dict[str, str]:
    return {
        RULESET: ruleset,
        **{name: spot.value for name, spot in crossed.items()},
        **dict.fromkeys(plan.varied, ""),
        COMBINATION: "",
    }


def _name(plan: Plan, ruleset: str, words: list[str]) -> str:
    """``base``, ``option=value``, ``folder/ruleset option=value``."""
    several = [ruleset] if len(plan.rulesets) > 1 else []
    return " ".join([*several, *words]) or "base"


__all__ = ["Draft", "Plan", "Spot", "cells"]
