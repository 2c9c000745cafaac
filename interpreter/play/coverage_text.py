"""What ``coverage`` saw, as plain values and as text."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from interpreter.play.bearing import Bearing
from interpreter.play.coverage import Coverage
from interpreter.play.coverage_rows import Row, why
from interpreter.play.watching import WHERE
from interpreter.ruleset.types import CLAUSE_LISTS

WORDS = 60
"""So many letters of a rule stand beside its counts."""


def values(coverage: Coverage) -> dict[str, Any]:
    """Everything, ready for JSON."""
    return {
        "ruleset": coverage.built.book.id,
        "seed": coverage.seed,
        "choices": coverage.choices,
        "starts": {where: coverage.starts[where] for where in WHERE},
        "capped": coverage.capped,
        "stopped": coverage.stopped,
        "clauses": [_row(row) for row in coverage.rows],
        "unused": [row.name for row in coverage.unused],
        "idle": [row.name for row in coverage.idle],
        "options": [
            {
                "option": bearing.option.id,
                "ask": bearing.option.ask,
                "effect": bearing.matters,
                "values": {
                    value: {"changes": change or None, "positions": bearing.positions[value]}
                    for value, change in bearing.changes.items()
                },
            }
            for bearing in coverage.options
        ],
        "ineffective": [bearing.option.id for bearing in coverage.ineffective],
    }


def _row(row: Row) -> dict[str, Any]:
    return {
        "list": row.section,
        "clause": row.id,
        "option": row.option or None,
        "rule": row.clause.rule,
        "file": row.clause.span.source.name,
        "line": row.clause.span.line,
        "uses": {where: row.noted.uses[where] for where in WHERE},
        "defaults": row.defaults,
        "under": dict(row.under.most_common()),
        "looked": row.noted.looked,
        "mattered": row.noted.mattered,
        "verdict": row.verdict,
        "why": why(row),
    }


def text(coverage: Coverage) -> str:
    """Everything for a reader: a line for each clause, then what was never used, never mattered, or changes nothing."""
    return "\n".join(_lines(coverage))


def said(coverage: Coverage) -> str:
    """One line: the ruleset, and how much was looked at."""
    starts, choices = coverage.starts, len(coverage.choices)
    return (
        f"{coverage.built.book.id}, seed {coverage.seed}: {_of(starts['games'], 'game')},"
        f" {_of(starts['stories'], 'story', 'stories')}, {_of(starts['constructed'], 'made-up position')};"
        f" {_of(choices, 'choice')} of options"
    )


def _of(number: int, one: str, many: str = "") -> str:
    return f"{number} {one}" if number == 1 else f"{number} {many or one + 's'}"


def _lines(coverage: Coverage) -> Iterator[str]:
    yield said(coverage)
    wide = max((len(label(row)) for row in coverage.rows), default=0)
    head = "  ".join(f"{where:>8}" for where in ("games", "stories", "made up"))
    for section in CLAUSE_LISTS:
        rows = [row for row in coverage.rows if row.section == section]
        if rows:
            yield ""
            yield f"{section:<{wide + 2}}  {head}"
            for row in rows:
                counts = "  ".join(f"{row.noted.uses[where]:>8}" for where in WHERE)
                yield f"  {label(row):<{wide}}  {counts}  {row.clause.span.place}  {_short(row.clause.rule)}".rstrip()
    yield ""
    yield from _listed("never used", coverage.unused)
    yield from _listed("listed as unused", [row for row in coverage.rows if row.verdict == "listed"])
    yield from _listed("nothing would be different without", coverage.idle)
    yield from _options(coverage.ineffective)
    if not (coverage.unused or coverage.idle or coverage.ineffective):
        yield "every clause was used"


def label(row: Row) -> str:
    """A clause within its list: its id, and the option's value that brings it."""
    return f"{row.id} [{row.option}]" if row.option else row.id


def _short(rule: str) -> str:
    return rule if len(rule) <= WORDS else rule[: WORDS - 1].rsplit(" ", 1)[0] + " …"


def _listed(what: str, rows: list[Row]) -> Iterator[str]:
    if rows:
        yield f"{what}:"
        for row in rows:
            yield f"  {row.name} ({row.clause.span.place}): {why(row)}"


def _options(bearings: Iterable[Bearing]) -> Iterator[str]:
    for bearing in bearings:
        tried = ", ".join(f"{value} ({number} positions)" for value, number in bearing.positions.items())
        option = f"{bearing.option.id} ({bearing.option.span.place})"
        yield f"option without effect: {option}: no difference seen with {tried}"


__all__ = ["label", "said", "text", "values"]
