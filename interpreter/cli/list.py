"""``alfonso list``: the rulesets there are."""

from __future__ import annotations

from typing import Any

import click

from interpreter.cli import common


@click.command("list", short_help="The rulesets there are.")
@click.option("--all", "every", is_flag=True, help="Families too, which are no games by themselves.")
@common.as_json
def command(every: bool, as_json: bool) -> None:
    """List the shipped rulesets: id, title, what it extends, how many options and readings."""
    rows = _rows(every)
    if as_json:
        common.print_json({"rulesets": rows})
        return
    widths = {key: max([len(str(row[key])) for row in rows], default=0) for key in ("id", "title", "extends")}
    for row in rows:
        options = f"{row['options']:>2} option{'' if row['options'] == 1 else 's'}"
        extends = f"extends {row['extends']}" if row["extends"] else ""
        family = "" if row["playable"] else "  family"
        text = f"{row['id']:<{widths['id']}}  {row['title']:<{widths['title']}}  {options:<10}  {extends}{family}"
        click.echo(text.rstrip())


def _rows(every: bool) -> list[dict[str, Any]]:
    from interpreter.diagnostics import Report
    from interpreter.play.loading import build
    from interpreter.ruleset.from_document import text_of
    from interpreter.ruleset.library import Library

    library, rows = Library(), []
    for id in library.ids():
        report = Report()
        built = build(library, id, report)
        common.print_diagnostics(report.errors)
        if built is None or not (every or built.book.playable):
            continue
        book = built.book
        title = book.title.get("en") or next(iter(book.title.values()))
        rows.append(
            {
                "id": book.id,
                "title": title,
                "extends": text_of(book.root.get("extends")) or None,
                "playable": book.playable,
                "options": len(book.options),
                "readings": list(book.readings),
            }
        )
    return rows
