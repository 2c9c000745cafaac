"""The table of `docs/expressible.md`: which mechanism is found in which ruleset, and which words say it.

python -m tests.house.expressible        writes the table anew; what people wrote stays.
"""

from __future__ import annotations

from collections import Counter
from pathlib import Path

from interpreter.diagnostics import Report
from interpreter.play.mechanisms import GROUPS, MECHANISMS
from interpreter.play.shelf import Facts, shelf

PAGE = Path(__file__).parents[2] / "docs" / "expressible.md"
BEGIN, END = "<!-- the table begins -->\n", "<!-- the table ends -->\n"
NAMED = 12
"""A mechanism of so many rulesets or fewer names them; of more it says how many of each family."""


def table() -> str:
    """Every mechanism with what it is, the words that show it, and the rulesets that have it by default."""
    games = [facts for facts in shelf(Report()) if facts.playable]
    lines = []
    for group in GROUPS:
        lines += [f"### {group.capitalize()}", "", "| mechanism | words | rulesets |", "|---|---|---|"]
        for mechanism in MECHANISMS:
            if mechanism.group == group:
                having = [facts for facts in games if mechanism.name in facts.mechanisms]
                words = mechanism.words.replace("|", "\\|")
                others = sum(mechanism.name in facts.by_option for facts in games)
                where = _named(having) or f"only under options ({others})" if others or having else "none yet"
                lines.append(f"| {mechanism.says} (`{mechanism.name}`) | {words} | {where} |")
        lines.append("")
    return "\n".join(lines)


def _named(having: list[Facts]) -> str:
    if len(having) <= NAMED:
        return ", ".join(facts.id for facts in having)
    families = Counter(facts.family for facts in having)
    return f"{len(having)}: " + ", ".join(f"{family} {n}" for family, n in sorted(families.items()))


def page() -> str:
    """The page with its table as it should be."""
    text = PAGE.read_text(encoding="utf-8")
    before, after = text.split(BEGIN)[0], text.split(END)[1]
    return f"{before}{BEGIN}\n{table()}{END}{after}"


if __name__ == "__main__":
    PAGE.write_text(page(), encoding="utf-8")
