"""What ``coverage`` saw, as one HTML file: the clauses in a table, then every file with the counts beside its lines.

The file needs nothing else and runs nothing. Everything that comes from a ruleset is escaped.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from html import escape

from interpreter.play.citing import shorts
from interpreter.play.coverage import Coverage
from interpreter.play.coverage_rows import Row, why
from interpreter.play.coverage_text import label, said, summed
from interpreter.play.watching import WHERE
from interpreter.ruleset.types import CLAUSE_LISTS
from interpreter.source import Source

STYLE = """
:root { --red: #fbdcd6; --amber: #fdf0cc; --grey: #e8e8e8; --green: #e3f1e1; --rule: #ddd; --dim: #6b6b6b }
body { font: 16px/1.45 Georgia, serif; color: #222; background: #fff }
body { margin: 2rem auto; max-width: 80rem; padding: 0 1rem }
h1, h2, h3 { font-weight: normal; margin: 1.6rem 0 .4rem } h3 { font-size: 1.05rem; font-style: italic }
table { border-collapse: collapse; width: 100%; margin-bottom: 1rem }
th, td { text-align: left; padding: .2rem .6rem; vertical-align: top; border-bottom: 1px solid var(--rule) }
th { font-weight: normal; color: var(--dim); font-size: .85rem; white-space: nowrap }
td.n, th.n { text-align: right; font-variant-numeric: tabular-nums; white-space: nowrap; width: 4rem }
td.id, td.seen { width: 14rem } td.seen, td.source { font-size: .85rem }
td.source { color: var(--dim); width: 16rem }
td.zero { color: var(--dim) } small { color: var(--dim); display: block }
.key span { padding: .1rem .5rem; margin-right: .4rem; white-space: nowrap }
.unused { background: var(--red) } .idle { background: var(--amber) }
.listed { background: var(--grey) } .line.used, .key .used { background: var(--green) }
summary { cursor: pointer; margin: .6rem 0 } pre { font: 13px/1.5 monospace; margin: 0 }
.line { display: flex } .line:target { outline: 2px solid var(--dim) }
.line span { flex: 1; white-space: pre-wrap } .line b, .line i { flex: none; text-align: right; margin-right: 1rem }
.line b { width: 9rem; font-weight: normal } .line i { width: 2.5rem; font-style: normal; color: var(--dim) }
@media (prefers-color-scheme: dark) {
  :root { --red: #5a2620; --amber: #51431a; --grey: #383838; --green: #22391f; --rule: #444; --dim: #a8a8a8 }
  body { color: #e6e6e6; background: #1b1b1b } a { color: #9cf }
}
@media print { details:not([open]) { display: none } body { margin: 0; max-width: none } }
""".strip()
POLICY = "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'"
COLUMNS = "".join(f'<th class="n">{name}</th>' for name in ("games", "stories", "made up"))
KEY = (("used", "used"), ("idle", "nothing would be different without it"), ("unused", "never used"))
LISTED = ("listed", "known to be unused")


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
    yield f"<h1>{title}</h1><p>{escape(said(coverage))}</p><p>{escape(summed(coverage))}</p>"
    if coverage.stopped:
        yield "<p>The time was up before everything was looked at.</p>"
    key = "".join(f'<span class="{kind}">{escape(words)}</span>' for kind, words in _key(coverage))
    yield f'<p class="key">{key}</p>'
    yield from _tables(coverage)
    yield from _options(coverage)
    yield f"<h2>{'Files' if len(_sources(coverage.rows)) > 1 else 'File'}</h2>"
    yield "<p>Beside the line where a clause begins: how often it had a say in games, stories, made-up positions.</p>"
    for source in _sources(coverage.rows):
        yield from _source(source, coverage.rows)
    yield "</body></html>"


def _key(coverage: Coverage) -> Iterable[tuple[str, str]]:
    return (*KEY, LISTED) if any(row.verdict == "listed" for row in coverage.rows) else KEY


def _tables(coverage: Coverage) -> Iterator[str]:
    yield "<h2>Clauses</h2>"
    for section in CLAUSE_LISTS:
        rows = [row for row in coverage.rows if row.section == section]
        if not rows:
            continue
        yield f"<h3>{section}</h3><table><thead><tr><th>clause</th>{COLUMNS}"
        yield "<th>rule</th><th>source</th><th>what was seen</th></tr></thead><tbody>"
        yield from (_row(row, coverage) for row in rows)
        yield "</tbody></table>"


def _row(row: Row, coverage: Coverage) -> str:
    counts = "".join(
        f'<td class="n{"" if row.noted.uses[where] else " zero"}">{row.noted.uses[where]}</td>' for where in WHERE
    )
    seen = why(row) if row.verdict != "used" else _under(row)
    at = _anchor(row.clause.span.source, row.clause.span.line)
    option = f"<small>{escape(row.option)}</small>" if row.option else ""
    return (
        f'<tr class="{row.verdict}"><td class="id"><a href="#{at}" title="{escape(label(row))}">{escape(row.id)}</a>'
        f"{option}</td>{counts}<td>{escape(row.clause.rule)}</td>"
        f'<td class="source">{escape(shorts(row.clause.because, coverage.built.book.sources))}</td>'
        f'<td class="seen">{escape(seen)}</td></tr>'
    )


def _under(row: Row) -> str:
    """Under which choices a clause was used, where it is not under the defaults."""
    if row.defaults or not row.under:
        return ""
    return "under " + ", ".join(name for name, _ in row.under.most_common(3)) + (" …" if len(row.under) > 3 else "")


def _options(coverage: Coverage) -> Iterator[str]:
    if not coverage.options:
        return
    yield "<h2>Options</h2><table><thead><tr><th>option</th><th>value</th><th>first difference from the default</th>"
    yield '<th class="n">positions asked</th></tr></thead><tbody>'
    for bearing in coverage.options:
        state = "used" if bearing.matters else "unused" if bearing.tried else "listed"
        values = bearing.changes or {"": ""}
        name = (
            f'<td rowspan="{len(values)}">{escape(bearing.option.id)}<small>{escape(bearing.option.ask)}'
            f" ({escape(bearing.option.default)})</small></td>"
        )
        for value, change in values.items():
            seen = escape(change) or ("none seen" if bearing.tried else "not tried")
            asked = bearing.positions.get(value, "")
            yield f'<tr class="{state}">{name}<td>{escape(value)}</td><td>{seen}</td><td class="n">{asked}</td></tr>'
            name = ""
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
    lines = []
    for number, line in enumerate(source.text.splitlines(), start=1):
        here = begins.get(number, [])
        counts = escape(" · ".join(" ".join(str(row.noted.uses[where]) for where in WHERE) for row in here))
        kind = f" {here[0].verdict}" if here else ""
        lines.append(
            f'<div class="line{kind}" id="{_anchor(source, number)}">'
            f"<i>{number}</i><b>{counts}</b><span>{escape(line) or ' '}</span></div>"
        )
    yield f"<details open><summary>{escape(source.name)}</summary><pre>{''.join(lines)}</pre></details>"


__all__ = ["page"]
