"""``alfonso list``: the rulesets there are, by family, date, place and mechanism.

Fault of its own: O913 (in ``play.shelf``), a family, place or mechanism that is not there.
"""

from __future__ import annotations

import os
import shutil
import sys
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any

import click

from interpreter.cli import common

if TYPE_CHECKING:
    from interpreter.play.shelf import Facts, Wanted

BY = ("family", "century", "place", "mechanism")
UNKNOWN = {"family": "no family", "century": "no date known", "place": "no place known", "mechanism": "no mechanism"}
GAP = "  "
LEAST_TITLE = 16
Row = tuple[str, str, str, str, str]


@click.command("list", short_help="The rulesets there are.")
@click.option("--family", metavar="NAME", help="Only rulesets of this family.")
@click.option(
    "--date",
    "year",
    type=click.IntRange(-9999, 9999),
    metavar="YEAR",
    help="Only rulesets known in this year (negative: before the common era).",
)
@click.option("--place", metavar="NAME", help="Only rulesets known there.")
@click.option(
    "--mechanism", "mechanisms", metavar="NAME", multiple=True, help="Only rulesets that show it (repeat: and this)."
)
@click.option("--by", type=click.Choice(BY), default="family", show_default=True, help="How they are grouped.")
@click.option("--words", is_flag=True, help="The families, places and mechanisms that can be asked for.")
@click.option("--all", "every", is_flag=True, help="Families too, which are no games by themselves.")
@common.as_json
def command(
    family: str | None,
    year: int | None,
    place: str | None,
    mechanisms: tuple[str, ...],
    by: str,
    words: bool,
    every: bool,
    as_json: bool,
) -> None:
    """List the shipped rulesets: id, title, when and where they are known, how many options.

    Mechanisms are read from the rules themselves. A ruleset that shows one only under
    another answer to a question left open is listed with the choice that brings it.
    """
    from interpreter.diagnostics import Report
    from interpreter.play import shelf

    report = Report()
    found = tuple(facts for facts in shelf.shelf(report) if every or facts.playable)
    common.print_diagnostics(report.errors)
    wanted, asked = shelf.Wanted(family, year, place, mechanisms), Report()
    shelf.known(wanted, found, asked)
    asked.raise_errors()
    if words:
        _print_words(found, as_json)
        return
    fitting = [facts for facts in found if wanted.fits(facts)]
    if as_json:
        common.print_json({"rulesets": [_as_json(facts) for facts in fitting]})
        return
    _print_groups(fitting, by, mechanisms)
    _print_rest(wanted, found, fitting)


# ---- JSON -------------------------------------------------------------------------------------


def _as_json(facts: Facts) -> dict[str, Any]:
    return {
        "id": facts.id,
        "title": facts.title,
        "extends": facts.extends or None,
        "playable": facts.playable,
        "options": facts.options,
        "readings": list(facts.readings),
        "titles": dict(facts.titles),
        "summary": facts.summary,
        "family": facts.family or None,
        "known": {"from": facts.first, "to": facts.last, "places": list(facts.places)},
        "mechanisms": list(facts.mechanisms),
        "mechanisms_by_option": {name: list(choices) for name, choices in facts.by_option.items()},
        "version": facts.version,
    }


# ---- text -------------------------------------------------------------------------------------------


def _print_groups(found: Sequence[Facts], by: str, asked: Sequence[str]) -> None:
    rows = {facts.id: _row(facts) for facts in found}
    widths = _widths(rows.values(), _room())
    for number, (heading, members) in enumerate(_groups(found, by)):
        games = f"{len(members)} ruleset{'' if len(members) == 1 else 's'}"
        click.echo(("\n" if number else "") + f"{heading} ({games})")
        for facts in members:
            click.echo(_line(rows[facts.id], widths))
            for name in asked:
                if name not in facts.mechanisms:
                    click.echo(_clipped(f"    {name}: with {' or '.join(facts.by_option[name])}", _room()))


def _groups(found: Sequence[Facts], by: str) -> list[tuple[str, list[Facts]]]:
    """Headings with their rulesets, in order; what has no place in the order comes last."""
    from interpreter.play.mechanisms import NAMES

    members: dict[tuple[Any, str], list[Facts]] = {}
    for facts in found:
        keys: list[tuple[Any, str]] = []
        if by == "family" and facts.family:
            keys = [(facts.family, facts.family)]
        elif by == "century" and facts.first is not None:
            keys = [_century(facts.first)]
        elif by == "place":
            keys = [(place.casefold(), place) for place in facts.places]
        elif by == "mechanism":
            keys = [(NAMES.index(name), name) for name in facts.mechanisms]
        for key in keys or [(None, UNKNOWN[by])]:
            members.setdefault(key, []).append(facts)
    order = sorted((key for key in members if key[0] is not None), key=lambda key: key[0])
    order += [key for key in members if key[0] is None]
    return [(key[1], members[key]) for key in order]


def _century(year: int) -> tuple[int, str]:
    """A hundred years and what they are called: 1700 is of `1700–1799`, -1 of `100–1 BCE`."""
    if year >= 0:
        return year // 100, f"{year // 100 * 100}–{year // 100 * 100 + 99}"
    before = (-year - 1) // 100
    return -1 - before, f"{before * 100 + 100}–{before * 100 + 1} BCE"


def _row(facts: Facts) -> Row:
    options = f"{facts.options} option{'' if facts.options == 1 else 's'}" if facts.options else ""
    return (
        facts.id,
        facts.title + ("" if facts.playable else " (family)"),
        _when(facts.first, facts.last),
        ", ".join(facts.places),
        options,
    )


def _when(first: int | None, last: int | None) -> str:
    if first is None and last is None:
        return ""
    if first == last:
        return _year(first)
    return f"{_year(first)}–{_year(last)}"


def _year(year: int | None) -> str:
    return "" if year is None else str(year) if year >= 0 else f"{-year} BCE"


def _room() -> int | None:
    """How many columns there are; None where nobody looks at lines (a pipe, a file)."""
    if os.environ.get("COLUMNS", "").isdigit():
        return int(os.environ["COLUMNS"]) or None
    return shutil.get_terminal_size().columns if sys.stdout.isatty() else None


def _widths(rows: Iterable[Row], room: int | None) -> list[int]:
    """The width of each column. Where room is short, the options go first, then places, then titles are cut."""
    widths = [max((len(cell) for cell in column), default=0) for column in zip(*rows, strict=True)]
    if room is None or not widths:
        return widths
    over = len(GAP) * len(widths) + sum(widths) - room
    for column, least in ((4, 0), (3, 8), (1, LEAST_TITLE), (3, 0)):
        if over > 0:
            cut = min(over, max(widths[column] - least, 0)) if column != 4 else widths[column] + len(GAP)
            widths[column] = max(widths[column] - cut, 0)
            over -= cut
    return widths


def _line(row: Row, widths: Sequence[int]) -> str:
    cells = [_clipped(cell, width) for cell, width in zip(row, widths, strict=True)]
    padded = [f"{cell:<{width}}" for cell, width in zip(cells, widths, strict=True) if width]
    return (GAP + GAP.join(padded)).rstrip()


def _clipped(text: str, width: int | None) -> str:
    return text if width is None or len(text) <= width else text[: width - 1].rstrip() + "…" if width else ""


def _print_rest(wanted: Wanted, found: Sequence[Facts], fitting: Sequence[Facts]) -> None:
    """What is not in the list and why, on standard error."""
    from dataclasses import replace

    if not fitting:
        click.echo("no ruleset fits all that was asked for", err=True)
    if wanted.year is None:
        return
    undated = [f for f in found if f.first is None and f.last is None and replace(wanted, year=None).fits(f)]
    if undated:
        click.echo(f"\n{len(undated)} more would fit but for a date, which is not known", err=True)


def _print_words(found: Sequence[Facts], as_json: bool) -> None:
    """What can be asked for, and how many rulesets answer."""
    from interpreter.play import shelf
    from interpreter.play.mechanisms import GROUPS, MECHANISMS

    named = {name: sum(f.family == name for f in found) for name in shelf.families(found)}
    stood = {name: sum(f.known_at(name) for f in found) for name in shelf.places(found)}
    shown = {m.name: sum(f.shows(m.name) for f in found) for m in MECHANISMS}
    if as_json:
        says = {
            m.name: {"group": m.group, "says": m.says, "words": m.words, "rulesets": shown[m.name]} for m in MECHANISMS
        }
        common.print_json({"families": named, "places": stood, "mechanisms": says})
        return
    width = max(len(name) for name in shown)
    for heading, counted in (("families", named), ("places", stood)):
        click.echo(f"{heading}\n  " + "\n  ".join(_wrapped([f"{name} {n}" for name, n in counted.items()])) + "\n")
    for group in GROUPS:
        click.echo(f"mechanisms: {group}")
        for m in MECHANISMS:
            if m.group == group:
                click.echo(_clipped(f"  {m.name:<{width}}  {shown[m.name]:>3}  {m.says}", _room()))


def _wrapped(words: Iterable[str], width: int = 76) -> list[str]:
    """Words with commas between them, in lines."""
    import textwrap

    whole = ", ".join(word.replace(" ", "\0") for word in words)
    return [line.replace("\0", " ") for line in textwrap.wrap(whole, width, break_on_hyphens=False)]
