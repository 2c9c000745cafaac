"""What ``coverage`` saw, as plain values and as text."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from typing import Any

from interpreter.play.bearing import Bearing
from interpreter.play.citing import shorts
from interpreter.play.coverage import Coverage
from interpreter.play.coverage_rows import Row, why
from interpreter.play.watching import WHERE
from interpreter.ruleset.types import CLAUSE_LISTS

WORDS = 60
"""So many letters of a rule stand beside its counts."""
SIGNS = {"unused": "!", "idle": "~", "listed": "-"}
"""What stands before a clause that is named below."""


def values(coverage: Coverage) -> dict[str, Any]:
    """Everything, ready for JSON."""
    return {
        "ruleset": coverage.built.book.id,
        "seed": coverage.seed,
        "choices": coverage.choices,
        "starts": {where: coverage.starts[where] for where in WHERE},
        "capped": coverage.capped,
        "stopped": coverage.stopped,
        "clauses": [_row(row, coverage) for row in coverage.rows],
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


def _row(row: Row, coverage: Coverage) -> dict[str, Any]:
    return {
        "list": row.section,
        "clause": row.id,
        "option": row.option or None,
        "rule": row.clause.rule,
        "because": shorts(row.clause.because, coverage.built.book.sources),
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


def summed(coverage: Coverage) -> str:
    """One line: how many clauses there are, and how many of them are named for what."""
    verdicts = Counter(row.verdict for row in coverage.rows)
    parts = [
        f"{verdicts[verdict]} {words}"
        for verdict, words in (
            ("unused", "never used"),
            ("listed", "known to be unused"),
            ("idle", "without which nothing would be different"),
        )
        if verdicts[verdict]
    ]
    if coverage.ineffective:
        parts.append(_of(len(coverage.ineffective), "option") + " without effect")
    return f"{_of(len(coverage.rows), 'clause')}: {', '.join(parts) or 'every one was used, and every option matters'}"


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
                place, rule = row.clause.span.place, _short(row.clause.rule)
                yield f"{SIGNS.get(row.verdict, ' ')} {label(row):<{wide}}  {counts}  {place}  {rule}".rstrip()
    yield ""
    yield from _listed("never used", coverage.unused)
    yield from _listed("listed as unused", [row for row in coverage.rows if row.verdict == "listed"])
    yield from _listed("nothing would be different without", coverage.idle)
    yield from _options(coverage.ineffective)
    yield summed(coverage)


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


__all__ = ["label", "said", "summed", "text", "values"]
