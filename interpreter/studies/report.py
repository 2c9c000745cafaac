"""The report of a study: Markdown, and the same as one page of HTML with its figures in it.

Both are made of the summary alone and say the same every time: no dates, no places.
"""

from __future__ import annotations

import html
import re
from collections.abc import Iterable, Iterator
from typing import Any

from interpreter.play.backends import extra
from interpreter.studies import words
from interpreter.studies.types import RULESET
from interpreter.studies.words import number, percent, span

FIGURES = "figures"
MOST_ENDINGS = 4
MOST_LEFT_OUT = 20
STYLE = """
:root { color-scheme: light; }
body { font: 16px/1.5 Georgia, "Times New Roman", serif; margin: 2rem auto; max-width: 62rem; padding: 0 1rem; }
body { color: #1a1a1a; background: #fff; }
h1, h2, h3 { line-height: 1.2; margin: 2rem 0 .6rem; }
code { font: .86em ui-monospace, Menlo, Consolas, monospace; }
.wide { overflow-x: auto; }
table { border-collapse: collapse; font: .8rem/1.35 system-ui, sans-serif; margin: .8rem 0; }
th, td { padding: .2rem .55rem; text-align: left; vertical-align: top; border-bottom: 1px solid #ddd; }
th { border-bottom: 2px solid #888; }
figure { margin: 1rem 0; } figure svg { width: 100%; height: auto; } figcaption { font-size: .85rem; color: #444; }
@media print { body { max-width: none; margin: 0; } h2, h3 { break-after: avoid; } figure, tr { break-inside: avoid; } }
"""


def markdown(summary: dict[str, Any], figures: dict[str, str]) -> str:
    """The report. ``figures``: by name, what each shows; their files lie in ``figures/``."""
    return "\n".join(_lines(summary, figures)).rstrip("\n") + "\n"


def page(summary: dict[str, Any], figures: dict[str, tuple[str, str]]) -> str:
    """The report as one file of HTML. ``figures``: by name, what each shows and its SVG."""
    title = html.escape(summary["title"])
    return (
        '<!doctype html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src 'unsafe-inline'\">\n"
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        f"<title>{title}</title>\n<style>{STYLE}</style>\n</head>\n<body>\n{body(summary, figures)}</body>\n</html>\n"
    )


def body(summary: dict[str, Any], figures: dict[str, tuple[str, str]]) -> str:
    """The report as HTML without a head."""
    parser = extra("markdown_it", "study", "a page").MarkdownIt("commonmark", {"html": False}).enable("table")
    text: str = parser.render(markdown(summary, {name: caption for name, (caption, _) in figures.items()}))
    text = text.replace("<table>", '<div class="wide"><table>').replace("</table>", "</table></div>")
    for name, (caption, svg) in figures.items():
        words_ = html.escape(caption, quote=True)
        drawn = f'<figure role="img" aria-label="{words_}">\n{svg}\n<figcaption>{words_}</figcaption>\n</figure>'
        picture = re.compile(rf'<p><img src="{FIGURES}/{re.escape(name)}\.svg" alt="[^"]*" ?/?></p>')
        text = picture.sub(lambda _, drawn=drawn: drawn, text)  # type: ignore[misc]
    return text


# ---- Markdown -----------------------------------------------------------------------------------------


def _lines(summary: dict[str, Any], figures: dict[str, str]) -> Iterator[str]:
    yield from (f"# {_plain(summary['title'])}", "")
    if summary["summary"]:
        yield from (_plain(summary["summary"]), "")
    yield from _played(summary)
    yield from ("## What the figures can and cannot show", "")
    for paragraph in words.limits(summary):
        yield from (f"- {paragraph}", "")
    if "balance" in figures:
        yield from ("## The side that begins", "", _picture("balance", figures), "")
    if any(dispute["comparisons"] for dispute in summary["disputes"]):
        yield from ("## Dispute by dispute", "")
    for dispute in summary["disputes"]:
        yield from _dispute(summary, dispute)
    for place, group in enumerate(summary["players"]):
        yield from (f"## {group['name']}", "")
        yield from _table(_cells(summary, group["name"]))
        for name in (f"matrix-{place}", f"lengths-{place}"):
            if name in figures:
                yield from (_picture(name, figures), "")
        yield from _comparisons(summary, group["name"])
        if "clauses" in summary["measures"]:
            yield from _clauses(summary, group["name"])
    yield from _missing(summary)
    yield from ("## From what this was made", "")
    yield f"- study `{summary['study']}`, SHA-256 `{summary['sha256']}`, seed {summary['seed']}"
    for ruleset in summary["rulesets"]:
        version = f" {ruleset['version']}" if ruleset["version"] else ""
        yield f"- ruleset `{ruleset['id']}`{version}, SHA-256 of its files `{ruleset['sha256']}`"
    yield f"- alfonso {summary['alfonso']}; the same study gives the same games, row for row"


def _played(summary: dict[str, Any]) -> Iterator[str]:
    """What was played: how many games in how many cells, and which rules are the same."""
    cells = summary["cells"]
    for group in summary["players"]:
        name = group["name"]
        games = sum(cell["players"][name]["games"] for cell in cells)
        asked = group["games"] * len(cells)
        drawn = f", drawn by {group['by']}" if group["random"] else ""
        short = f" of {asked:,} (not all have been played)" if games < asked else ""
        where = f"{len(cells)} cells" if len(cells) != 1 else "one cell"
        yield f"- *{name}*{drawn}: {games:,} games{short} in {where}, cut off after {group['max_turns']:,} turns"
    yield ""
    for cell in cells:
        if cell["also"]:
            same = " and ".join(f"`{name}`" for name in cell["also"])
            yield from (f"The rules of `{cell['name']}` are also those of {same}.", "")


def _dispute(summary: dict[str, Any], dispute: dict[str, Any]) -> Iterator[str]:
    if not dispute["comparisons"]:
        return
    yield from (f"### {dispute['axis']}", "")
    if dispute["ask"]:
        yield from (f"*{_plain(dispute['ask'])}*", "")
    values = {entry["value"] for entry in dispute["comparisons"]} | {e["from"] for e in dispute["comparisons"]}
    if dispute["axis"] != RULESET:
        for value, says in dispute["says"].items():
            if value in values:
                yield f"- `{value}`: {_plain(says)}"
        yield ""
    before = ""
    for line in words.dispute(summary, dispute):
        if before.startswith("- ") and not line.startswith("- "):
            yield ""
        yield line
        if not line.startswith("- "):
            yield ""
        before = line


def _cells(summary: dict[str, Any], players: str) -> Iterator[list[str]]:
    measures = summary["measures"]
    head = ["cell", "games", "cut off"]
    head += ["won by the side that began"] * ("first-side" in measures)
    head += ["decided"] * ("decisiveness" in measures)
    head += ["length, median (quartiles)"] * ("length" in measures)
    head += ["choices"] * ("branching" in measures)
    head += ["endings, % of games"] * ("endings" in measures)
    points = "points" in words.told(summary)
    yield [*head, *(["points of a won game"] * points)]
    for cell in summary["cells"]:
        found = cell["players"][players]
        row = [
            f"`{cell['name']}`",
            f"{found['games']:,}",
            percent(found["capped"]) if found["capped"]["count"] else "0",
        ]
        if "first-side" in measures:
            row.append(percent(found["first_side"]))
        if "decisiveness" in measures:
            row.append(percent(found["decisiveness"]))
        if "length" in measures:
            row.append(_length(found["length"]))
        if "branching" in measures:
            wide = found["branching"]
            row.append(number(wide["mean"], 2) + (f" ({span(wide['interval'], 1, 2)})" if wide["interval"] else ""))
        if "endings" in measures:
            row.append(_endings(found["endings"]))
        if points:
            mean = found["points"]
            row.append(number(mean["mean"], 2) + (f" ({span(mean['interval'], 1, 2)})" if mean["interval"] else ""))
        yield row


def _length(found: dict[str, Any]) -> str:
    if found["median"] is None:
        return "–" if not found["n"] else "more than half were cut off"
    low, high = (number(end, 0) if end is not None else "…" for end in found["quartiles"])
    return f"{number(found['median'], 0)} ({low}, {high}); {span(found['interval'], 1, 0)}"


def _endings(found: list[dict[str, Any]]) -> str:
    """``all-taken 94.5 (first side 46.7)``: by kind, the most first."""
    kinds: dict[str, list[float]] = {}
    for row in found:
        kinds.setdefault(row["kind"], [0.0, 0.0])
        kinds[row["kind"]][0] += row["share"] or 0.0
        kinds[row["kind"]][1] += (row["share"] or 0.0) if row["first"] else 0.0
    ordered = sorted(kinds.items(), key=lambda item: -item[1][0])
    told = [f"{kind} {number(100 * all_)} (first side {number(100 * first)})" for kind, (all_, first) in ordered]
    rest = sum(all_ for _, (all_, _) in ordered[MOST_ENDINGS:])
    return "; ".join(told[:MOST_ENDINGS]) + (f"; others {number(100 * rest)}" if len(told) > MOST_ENDINGS else "")


def _comparisons(summary: dict[str, Any], players: str) -> Iterator[str]:
    names = words.told(summary)
    heads = {
        "first_side": "first side scores, %-points", "decisiveness": "decided, %-points", "length": "length, turns",
        "branching": "choices", "points": "points",
    }  # fmt: skip
    rows = [["changed", "from", "pairs", "went otherwise", "mattered in games", *(heads[name] for name in names)]]
    for dispute in summary["disputes"]:
        for entry in dispute["comparisons"]:
            found = entry["players"][players]
            seen = found["mattered"]
            rows.append(
                [
                    f"`{entry['b']}`", f"`{entry['a']}`", f"{found['pairs']:,}", percent(found["unlike"]),
                    percent(seen["games"], 0) if seen else "–",
                    *(_difference(name, found["measures"][name]) for name in names),
                ]
            )  # fmt: skip
    if len(rows) > 1:
        yield from (
            "Differences on the same seeds, with 95 % intervals; **bold**: shown after all tests are counted.",
            "",
        )
        yield from _table(rows)


def _difference(name: str, found: dict[str, Any]) -> str:
    if found["difference"] is None:
        return "–"
    _, _, _, factor, decimals = words.MEASURED[name]
    text = number(factor * found["difference"], decimals, signed=True)
    text = f"**{text}**" if words.is_shown(found) else text
    return text + (f" ({span(found['interval'], factor, decimals, signed=True)})" if found["interval"] else "")


def _clauses(summary: dict[str, Any], players: str) -> Iterator[str]:
    rows = [["cell", "clause", "mattered in games", "at decisions", "first in turn (median)"]]
    for cell in summary["cells"]:
        for found in cell["players"][players]["clauses"]:
            share = f"{found['mattered']:,} of {found['decisions']:,}"
            first = number(found["first"], 0) if found["first"] is not None else "–"
            games = f"{found['games']['count']} of {found['games']['of']}"
            if found["games"]["interval"]:
                games += f" ({span(found['games']['interval'], 100, 0)} %)"
            rows.append([f"`{cell['name']}`", f"{found['list']} `{found['clause']}`", games, share, first])
    if len(rows) > 1:
        yield from (
            "Where each disputed clause mattered: without it alone, something would not have been the same.",
            "",
        )
        yield from _table(rows)


def _missing(summary: dict[str, Any]) -> Iterator[str]:
    if not (summary["left_out"] or summary["given_up"]):
        return
    yield from ("## Left out", "", "These games could not be played; they are missing everywhere.", "")
    for row in summary["left_out"][:MOST_LEFT_OUT]:
        yield f"- game {row['game']} of `{row['cell']}` ({row['players']}): {_plain(row['why'])}"
    more = len(summary["left_out"]) - MOST_LEFT_OUT
    if more > 0:
        yield f"- and {more:,} more, all of them in `summary.json`"
    for row in summary["given_up"]:
        last = row["first"] + row["count"] - 1
        yield f"- games {row['first']} to {last} of `{row['cell']}` ({row['players']}): {_plain(row['why'])}"
    yield ""


def _table(rows: Iterable[list[str]]) -> Iterator[str]:
    for place, row in enumerate(rows):
        yield f"| {' | '.join(cell.replace('|', '&#124;') for cell in row)} |"
        if place == 0:
            yield f"|{'---|' * len(row)}"
    yield ""


def _picture(name: str, figures: dict[str, str]) -> str:
    return f"![{figures[name]}]({FIGURES}/{name}.svg)"


def _plain(text: str) -> str:
    """Text that is not to be read as Markdown."""
    return re.sub(r"([\\`*_\[\]<>#|])", r"\\\1", " ".join(text.split()))


__all__ = ["FIGURES", "body", "markdown", "page"]
