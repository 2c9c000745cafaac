"""What ``coverage`` saw, as one HTML file: the clauses in a table, then every file with the counts beside its lines.

The file needs nothing else and runs nothing. Everything that comes from a ruleset is escaped.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from html import escape

from interpreter.play.coverage import Coverage
from interpreter.play.coverage_rows import Row, why
from interpreter.play.coverage_text import label, said
from interpreter.play.watching import WHERE
from interpreter.source import Source

STYLE = """
body { font: 16px/1.45 Georgia, serif; color: #222; background: #fff }
body { margin: 2rem auto; max-width: 75rem; padding: 0 1rem }
h1, h2 { font-weight: normal } table { border-collapse: collapse; width: 100% }
th, td { text-align: left; padding: .15rem .6rem; vertical-align: top; border-bottom: 1px solid #ddd }
td.n, th.n { text-align: right; font-variant-numeric: tabular-nums } code, pre { font: 13px/1.5 monospace }
tr.unused td, .line.unused { background: #fbdcd6 } tr.idle td, .line.idle { background: #fdf0cc }
tr.listed td, .line.listed { background: #e8e8e8 } .line.used { background: #e3f1e1 }
.line { display: block; white-space: pre-wrap } .line:target { outline: 2px solid #666 }
.line b, .line i { display: inline-block; text-align: right; margin-right: 1rem }
.line b { width: 9rem; font-weight: normal; color: #444 } .line i { width: 2.5rem; font-style: normal; color: #767676 }
@media (prefers-color-scheme: dark) {
  body { color: #e6e6e6; background: #1b1b1b } th, td { border-color: #444 } a { color: #9cf }
  tr.unused td, .line.unused { background: #5a2620 } tr.idle td, .line.idle { background: #51431a }
  tr.listed td, .line.listed { background: #383838 } .line.used { background: #22391f } .line b { color: #ccc }
}
""".strip()
POLICY = "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'"


def page(coverage: Coverage) -> str:
    """The whole page."""
    return "\n".join(_page(coverage)) + "\n"


def _page(coverage: Coverage) -> Iterator[str]:
    book = coverage.built.book
    title = escape(f"Coverage of {book.id}")
    yield "<!doctype html>"
    yield '<html lang="en"><head><meta charset="utf-8">'
    yield f'<meta http-equiv="Content-Security-Policy" content="{escape(POLICY)}">'
    yield '<meta name="viewport" content="width=device-width, initial-scale=1"><link rel="icon" href="data:,">'
    yield f"<title>{title}</title><style>{STYLE}</style></head><body>"
    yield f"<h1>{title}</h1><p>{escape(said(coverage))}</p>"
    if coverage.stopped:
        yield "<p>The time was up before everything was looked at.</p>"
    yield from _table(coverage)
    yield from _options(coverage)
    for source in _sources(coverage.rows):
        yield from _source(source, coverage.rows)
    yield "</body></html>"


def _table(coverage: Coverage) -> Iterator[str]:
    yield "<h2>Clauses</h2><table><thead><tr><th>List</th><th>Clause</th>"
    yield '<th class="n">games</th><th class="n">stories</th><th class="n">made up</th>'
    yield "<th>Rule</th><th>What was seen</th></tr></thead><tbody>"
    for row in coverage.rows:
        counts = "".join(f'<td class="n">{row.noted.uses[where]}</td>' for where in WHERE)
        seen = why(row) if row.verdict != "used" else _under(row)
        at = _anchor(row.clause.span.source, row.clause.span.line)
        yield (
            f'<tr class="{row.verdict}"><td>{row.section}</td>'
            f'<td><a href="#{at}">{escape(label(row))}</a></td>{counts}'
            f"<td>{escape(row.clause.rule)}</td><td>{escape(seen)}</td></tr>"
        )
    yield "</tbody></table>"


def _under(row: Row) -> str:
    """Under which choices a clause was used, where it is not under the defaults."""
    if row.defaults or not row.under:
        return ""
    return "under " + ", ".join(name for name, _ in row.under.most_common(3)) + (" …" if len(row.under) > 3 else "")


def _options(coverage: Coverage) -> Iterator[str]:
    if not coverage.options:
        return
    yield "<h2>Options</h2><table><thead><tr><th>Option</th><th>Question</th><th>Value</th><th>First difference</th>"
    yield '<th class="n">positions asked</th></tr></thead><tbody>'
    for bearing in coverage.options:
        state = "used" if bearing.matters else "unused" if bearing.tried else "listed"
        for value, change in bearing.changes.items() or {"": ""}.items():
            yield (
                f'<tr class="{state}"><td>{escape(bearing.option.id)}</td><td>{escape(bearing.option.ask)}</td>'
                f"<td>{escape(value)}</td><td>{escape(change) or ('none seen' if bearing.tried else 'not tried')}</td>"
                f'<td class="n">{bearing.positions.get(value, "")}</td></tr>'
            )
    yield "</tbody></table>"


def _sources(rows: Iterable[Row]) -> list[Source]:
    return list({row.clause.span.source.name: row.clause.span.source for row in rows}.values())


def _anchor(source: Source, line: int) -> str:
    return escape(f"{source.name}:{line}")


def _source(source: Source, rows: list[Row]) -> Iterator[str]:
    """A file, the counts of each clause beside the line where it begins."""
    begins: dict[int, list[Row]] = {}
    for row in rows:
        if row.clause.span.source.name == source.name:
            begins.setdefault(row.clause.span.line, []).append(row)
    yield f"<h2>{escape(source.name)}</h2><pre>"
    for number, line in enumerate(source.text.splitlines(), start=1):
        here = begins.get(number, [])
        counts = escape(" · ".join(" ".join(str(row.noted.uses[where]) for where in WHERE) for row in here))
        kind = here[0].verdict if here else ""
        yield (
            f'<span class="line {kind}" id="{_anchor(source, number)}">'
            f"<i>{number}</i><b>{counts}</b>{escape(line)}</span>"
        )
    yield "</pre>"


__all__ = ["page"]
