"""The pages `docs/reference.md` and `docs/faults.md`, made of the schemas, the words, the grammars and the codes.

python -m tests.house.reference        writes both anew.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from interpreter import codes
from interpreter.game import words
from interpreter.game.types import BOOL, DIRECTION, INT, PLACE, PLACES

HOUSE = Path(__file__).parents[2]
DOCS = HOUSE / "docs"

FIELDS = {
    "may": "A clause of `may`: a permission",
    "may-not": "A clause of `may-not`: a prohibition",
    "must": "A clause of `must`: a duty",
    "then": "A clause of `then`: a consequence",
    "ends": "A clause of `ends`: an ending",
    "citation": "A citation: `because`",
    "define": "A definition",
    "memory": "A fact that is remembered",
    "side": "A side",
    "throw": "The throw",
    "start": "The start",
    "phase": "A phase",
    "option": "An option",
    "value": "A value of an option: a patch",
    "reading": "A reading",
    "doubt": "A doubt",
    "story": "A story",
}
"""Parts of a ruleset that have fields of their own, in the order of the page."""

TERMS = {
    **dict.fromkeys(("when", "after", "prefer", "most", "least", "unless", "points", "is"), "a term"),
    "do": "[effects](#effects-what-do-may-say)",
    "way": "[a way](#ways-how-a-man-goes)",
}
"""Fields whose words are the language's own."""

SAME = {"because": "citation"}
FILES = {"ruleset": "A ruleset", "board": "A board", "sources": "A bibliography", "study": "A study"}

SPELLED = {"": "{0}", "plain": "{0}({1})", "through": "{0}({1} through {2})", "range": "{0}(n..m)",
           "of": "{0}({1} of {2})", "of_through": "{0}({1} of {2} through {3})"}  # fmt: skip
LETTERS = {words.NUMBER: "n", PLACES: "P", PLACE: "p", INT: "T", BOOL: "B", DIRECTION: "D"}
NEEDED = {
    words.PATH: "a decision with a path",
    words.VERB: "a decision",
    words.AFTER: "`after`",
    words.UNLESS: "`unless`",
    words.WHERE: "`where`",
    words.DICE: "dice",
    words.TRACKS: "tracks",
    words.LINES: "lines",
    words.COORDINATES: "points with files and ranks",
}
STAGES = {
    "D": "The file as text and YAML",
    "S": "Its shape",
    "R": "Inheritance, options, readings",
    "B": "Boards and set-ups",
    "T": "Terms",
    "V": "What every game promises",
    "C": "Citations",
    "Y": "Stories",
    "N": "Positions and moves as text",
    "P": "Records of play",
    "F": "Files of other programs",
    "Q": "Studies",
}
BY_COMMAND = "Asked of a command or of Python"


def reference() -> str:
    return "\n".join([*_head(), *_schemas(), *_words(), *_grammars()]) + "\n"


def faults() -> str:
    """Every code with its title, by stage; what no stage above has was asked of a command."""
    lines = [
        "# Faults and their codes",
        "",
        "`alfonso explain CODE` shows the page of a code: what is wrong, why it matters, an example that is wrong and "
        "one that is right.",
        "",
        _made_of("the pages in `interpreter/codes/`"),
    ]
    stages = [*STAGES.items(), ("", BY_COMMAND)]
    for letter, title in stages:
        found = [code for code in codes.codes() if (code[0] == letter if letter else code[0] not in STAGES)]
        lines += ["", f"## {title}", "", "| code | |", "|---|---|"]
        lines += [f"| `{code}` | {_cell(codes.title(code))} |" for code in found]
    return "\n".join(lines) + "\n"


def _made_of(what: str) -> str:
    return f"<!-- Made of {what} by `python -m tests.house.reference`: change those, not this page. -->"


def _head() -> list[str]:
    return [
        "# Reference of the language",
        "",
        "Every field of every file, every word of a condition, and the grammar. What they mean together is said in "
        "[the rule language](language.md); how to begin, in the [tutorial](tutorial.md).",
        "",
        _made_of("the schemas, the table of words and the grammars"),
    ]


# ---- files ------------------------------------------------------------------------------------


def schema(name: str) -> dict[str, Any]:
    return json.loads((HOUSE / "schemas" / f"{name}.schema.json").read_text(encoding="utf-8"))


def _schemas() -> Iterator[str]:
    there = sorted(path.name.split(".")[0] for path in (HOUSE / "schemas").glob("*.schema.json"))
    for name in sorted(there, key=lambda name: (name not in FILES, [*FILES, name].index(name))):
        found = schema(name)
        yield from ("", f"## {FILES.get(name, name)}", "", found["description"], "")
        yield from _table(found, name)
        for part, title in FIELDS.items() if name == "ruleset" else [(part, "") for part in found.get("$defs", {})]:
            held = found["$defs"][part]
            if held.get("properties") and not (name != "ruleset" and part in FIELDS):
                yield from ("", f"### {title or 'A ' + part}", "", held["description"], "")
                yield from _table(held, name)


def _table(part: dict[str, Any], name: str) -> Iterator[str]:
    yield from ("| name | value | |", "|---|---|---|")
    needed = part.get("required", ())
    for key, value in part["properties"].items():
        must = " **Needed.**" if key in needed else ""
        yield f"| `{key}` | {TERMS.get(key) or _value(value, name)} | {_cell(_described(value, name))}{must} |"
        inside = value.get("properties", {}) if "$ref" not in value and key != "author" else {}
        for below, field in inside.items():
            yield f"| `{key}: {below}` | {_value(field, name)} | {_cell(_described(field, name))} |"


def _described(value: dict[str, Any], name: str) -> str:
    return value.get("description") or _target(value, name).get("description", "")


def _target(value: dict[str, Any], name: str) -> dict[str, Any]:
    """What a reference points to, in this schema or another."""
    if "$ref" not in value:
        return value
    file, _, path = value["$ref"].partition("#/$defs/")
    return schema(file.split(".")[0] if file else name)["$defs"][path]


def _value(value: dict[str, Any], name: str) -> str:
    """In a few words: what may be written here."""
    if "enum" in value:
        return ", ".join(f"`{word}`" for word in value["enum"])
    if "$ref" in value:
        part = value["$ref"].rpartition("/")[2]
        if part in ("prose", "title"):
            return "a text, or texts by language"
        return _linked(SAME.get(part, part)) or _value(_target(value, name), name)
    kinds = value.get("type", "string")
    kinds = [kinds] if isinstance(kinds, str) else kinds
    said = []
    if "object" in kinds:
        names = value.get("propertyNames", {}).get("pattern", "")
        said.append(_of("by language" if "{2,3}" in names else "by name", value.get("additionalProperties"), name))
    if "array" in kinds:
        said.append(_of("a list", value.get("items"), name))
    if "string" in kinds:
        said.append("a word" if "number" in kinds else "a text")
    return " or ".join(said)


def _of(what: str, inside: object, name: str) -> str:
    if isinstance(inside, dict) and "$ref" in inside:
        part = inside["$ref"].rpartition("/")[2]
        linked = _linked(SAME.get(part, part))
        return f"{what}: {linked}" if linked else what
    return what if what != "by name" or inside else "fields"


def _linked(part: str) -> str:
    title = FIELDS.get(part)
    return f"[{title.split(':')[0][:1].lower()}{title.split(':')[0][1:]}](#{_anchor(title)})" if title else ""


def _anchor(title: str) -> str:
    """The address of a heading, as forges and MyST make it."""
    return re.sub(r"[^\w\- ]", "", title.lower()).replace(" ", "-")


def _cell(text: str) -> str:
    return text.replace("|", "\\|")


# ---- words ------------------------------------------------------------------------------------


def _words() -> Iterator[str]:
    yield from (
        "",
        "## Words of a condition",
        "",
        "P, Q are places, p is one place, T a number, B a condition, D a direction, n a written number, K a kind of "
        "man. Everything is read from the side that decides; `their` before a word reads it from the other side.",
    )
    for sort, title in (
        (BOOL, "That hold or do not"),
        (INT, "Numbers"),
        (PLACE, "One place"),
        (PLACES, "Places"),
        (DIRECTION, "Directions"),
    ):
        yield from ("", f"### {title}", "", "| word | | needs | example |", "|---|---|---|---|")
        for word in words.WORDS:
            if word.sort == sort:
                needs = ", ".join(NEEDED[need] for need in word.needs)
                yield f"| `{_spelled(word)}` | {_cell(word.meaning)} | {needs} | `{_cell(word.example)}` |"
    for title, rows in (
        ("What joins words, tightest first", words.CONNECTIVES),
        ("Effects: what `do` may say", words.EFFECTS),
        ("Ways: how a man goes", words.WAYS),
    ):
        yield from ("", f"### {title}", "", "| written | | example |", "|---|---|---|")
        yield from (f"| `{_cell(row[0])}` | {_cell(row[1])} | `{_cell(row[2])}` |" for row in rows)


def _spelled(word: words.Word) -> str:
    letters = [LETTERS[sort] for sort in word.args]
    if letters.count("P") == 2 and word.form == "through":
        letters[1] = "Q"
    return SPELLED[word.form].format(word.name, *letters)


# ---- grammar ------------------------------------------------------------------------------------


def _grammars() -> Iterator[str]:
    yield from ("", "## Grammar", "", "As the program reads it (`grammar/`), in the notation of Lark.")
    for name, title in (("terms", "Conditions, effects, places, set-ups"), ("notation", "Positions, decisions, turns")):
        text = (HOUSE / "grammar" / f"{name}.lark").read_text(encoding="utf-8").strip()
        yield from ("", f"### {title}", "", "```text", *text.splitlines(), "```")


PAGES = {DOCS / "reference.md": reference, DOCS / "faults.md": faults}

if __name__ == "__main__":
    for page, made in PAGES.items():
        page.write_text(made(), encoding="utf-8")
