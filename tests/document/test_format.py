"""``alfonso fmt`` as a function: nothing is lost, nothing changes its meaning, the second time changes nothing."""

from __future__ import annotations

import dataclasses
import random
import re
from collections.abc import Mapping
from pathlib import Path

import pytest

from interpreter.diagnostics import Fault, Report
from interpreter.document import format as layout
from interpreter.document import spelling
from interpreter.document.format import formatted
from interpreter.document.from_text import from_text
from interpreter.document.types import Node, Scalar
from interpreter.game import from_ruleset
from interpreter.play.loading import build
from interpreter.ruleset import options
from interpreter.ruleset.library import Library
from interpreter.source import Source, Span

HOUSE = Path(__file__).parents[2]
SHIPPED = sorted((HOUSE / "rulesets").rglob("*.yaml"))
INVENTED = sorted((HOUSE / "tests" / "agreement" / "rulesets").glob("*.yaml"))
STUDIES = sorted((HOUSE / "studies").glob("*.yaml"))
GAMES = ["verquere", "merels/twelve", "tafl/hnefatafl"]


def tree_of(text: str) -> Node:
    tree, report = from_text(Source("x", text.removeprefix("\ufeff")))
    assert tree is not None, [d.message for d in report.errors]
    return tree


def bare(value: object) -> object:
    """Anything loaded, without the places it was read from."""
    if isinstance(value, Scalar):
        return value.value
    if isinstance(value, (Span, Path)):
        return None
    if dataclasses.is_dataclass(value) and not isinstance(value, type):
        fields = [f.name for f in dataclasses.fields(value) if f.name not in ("digest", "shipped")]
        return type(value).__name__, [(name, bare(getattr(value, name))) for name in fields]
    if isinstance(value, Mapping):
        return [(bare(key), bare(part)) for key, part in value.items()]
    if isinstance(value, (tuple, list)):
        return [bare(part) for part in value]
    return value


@pytest.fixture(scope="module")
def laid_out() -> Library:
    """The shipped files as ``fmt`` would write them."""
    library = Library()
    for path in SHIPPED:
        library.hold(path, formatted(path.read_text(encoding="utf-8")))
    return library


@pytest.fixture(scope="module")
def as_shipped() -> Library:
    return Library()


# ---- every file there is ------------------------------------------------------------------------


@pytest.mark.parametrize("path", [*SHIPPED, *INVENTED, *STUDIES], ids=lambda p: p.stem)
def test_a_file_keeps_its_comments_and_is_done_the_first_time(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    once = formatted(text)  # which looks that no comment is lost, and raises D115
    assert formatted(once) == once
    assert not [line for line in once.split("\n") if line != line.rstrip()]
    assert not once.startswith("\n") and once.endswith("\n") and not once.endswith("\n\n")


@pytest.mark.parametrize("id", Library().ids())
def test_a_ruleset_is_loaded_as_the_same(id: str, as_shipped: Library, laid_out: Library) -> None:
    """Families too, with the boards and bibliographies they read."""
    before, after = (build(library, id, Report()) for library in (as_shipped, laid_out))
    assert before is not None and after is not None
    assert bare(before.book) == bare(after.book)


def mangled(text: str, rng: random.Random) -> str:
    """The same file written carelessly: comments in all places, spaces and indentation as they come."""
    tree, parts, at = tree_of(text), list[str](), 0
    for kind, leaf in [*leaves(tree, spelling.root_of(tree), ()), ("", None)]:
        start, end = (leaf.span.start, leaf.span.end) if leaf is not None else (len(text), len(text))
        parts += [gap(text[at:start], rng), word(text[start:end], kind, rng)]
        at = end
    return re.sub("^( *)((?:- )*)", lambda m: 2 * m[1] + m[2].replace("- ", "-   "), "".join(parts), flags=re.MULTILINE)


def leaves(node: Node, root: str, path: tuple[str, ...]) -> list[tuple[str, Scalar]]:
    if isinstance(node, Scalar):
        return [(spelling.kind_of(root, path), node)]
    if hasattr(node, "items"):
        return [leaf for item in node.items for leaf in leaves(item, root, path)]
    return [leaf for key, value in node for leaf in [("", key), *leaves(value, root, (*path, key.value))]]


def gap(text: str, rng: random.Random) -> str:
    """What stands between two words, carelessly."""
    if "#" not in text:
        text = text.replace(", ", rng.choice([",", ", ", " ,   "])).replace(": ", rng.choice([": ", ":   "]))
    lines = text.split("\n")
    for number in range(1, len(lines)):
        if rng.random() < 0.2:
            lines[number - 1] += rng.choice([" ", "  ", "     "]) + f"# {rng.choice(['a', 'b: [', '{}'])}"
        if rng.random() < 0.2:
            lines[number - 1] += f"\n{' ' * rng.randrange(9)}# {rng.choice(['x', '- y', chr(34)])}"
        if rng.random() < 0.2:
            lines[number - 1] += "\n" * rng.randrange(1, 4)
    return "\n".join(lines)


def word(text: str, kind: str, rng: random.Random) -> str:
    if kind in ("", spelling.PROSE, spelling.OTHER) or text[:1] in "'\"":
        return text
    text = re.sub(r" (>=|<=|!=|=|&|\+|\*) ", lambda m: rng.choice([m[0], m[1], f"  {m[1]} "]), text)
    return re.sub(r"([()])", lambda m: rng.choice([m[1], f"{m[1]} ", f" {m[1]}"]), text).strip()


@pytest.mark.parametrize("id", GAMES)
def test_a_careless_file_is_the_same_game_laid_out(id: str, as_shipped: Library) -> None:
    """Mangled and laid out again: the same words and terms, and the game it is lowered to is the same."""
    path = HOUSE / "rulesets" / f"{id}.yaml"
    text = path.read_text(encoding="utf-8")
    again = formatted(mangled(text, random.Random(id)))
    assert formatted(again) == again
    assert bare(tree_of(again)) == bare(tree_of(formatted(text)))
    held = Library()
    held.hold(path, again)
    assert game(held, id) == game(as_shipped, id)


def game(library: Library, id: str) -> object:
    built = build(library, id, Report())
    assert built is not None
    decided = options.decide(built, {}, None, Report())
    assert decided is not None
    return bare(from_ruleset.lower(decided, Report()))


# ---- any document -------------------------------------------------------------------------------


class Author:
    """Writes documents at random, in every style that YAML has and we read."""

    WORDS = (
        "a", "no", "1:15", "to in empty", "own(to)>=1", "x y z", "it's", "a: b", "a #b", "- x", "", "'", '"q"', "~c3",
        "~", "\\n", "é – ü", "[1]", "long " * 24 + "end", "a,b", "{", "#", "...", "---", "yes", "? k", "two  spaces",
        ":", "k:", "12", "@a", "%x", "a\nb", "a\n\nb\nc ", " lead", "\u2028", "\xa0",
    )
    NAMES = ("when", "rule", "do", "why", "may", "then", "sides", "men", "define", "options", "step", "summary")

    def __init__(self, seed: int) -> None:
        self.rng = random.Random(seed)

    def any(self, *choices: str) -> str:
        return self.rng.choice(choices)

    def often(self, chance: float) -> bool:
        return self.rng.random() < chance

    def comment(self) -> str:
        return self.any("# c", "#c", "#", "# a: [b", "# 'x", "#  # z")

    def trailing(self) -> str:
        return self.any(" ", "  ", "     ") + self.comment() if self.often(0.2) else self.any("", "", " ")

    def between(self) -> str:
        lines = ""
        while self.often(0.25):
            lines += ("" if self.often(0.4) else " " * self.rng.randrange(9) + self.comment()) + "\n"
        return lines

    def word(self, indent: int, flow: bool) -> str:
        value, how = self.rng.choice(self.WORDS), self.rng.random()
        if how < 0.5:
            return value.replace("\n", " ").replace(" ", "\n" + " " * (indent + 1) if flow and self.often(0.1) else " ")
        if how < 0.9 and "\n" not in value:
            return "'" + value.replace("'", "''").replace(" ", self.any(" ", "\n" + " " * (indent + 1))) + "'"
        escaped = value.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n")
        return '"' + (escaped.replace(" ", " \\\n" + " " * (indent + 1)) if self.often(0.1) else escaped) + '"'

    def block_text(self, indent: int) -> str:
        header, inside = self.any("|", ">") + self.any("", "-", "+"), self.rng.randrange(1, 4)
        explicit = self.often(0.2)
        lines = [
            "" if self.often(0.3) else " " * (indent + inside + 2 * (explicit and self.often(0.3)))
            + self.any("text", "- a", "# no comment", "a: b  ")
            for _ in range(self.rng.randrange(5))
        ]
        return header + str(inside) * explicit + self.trailing() + "\n" + "\n".join(lines) + "\n"

    def space(self, indent: int) -> str:
        how = self.rng.random()
        if how < 0.8:
            return " " * self.rng.randrange(3) if how > 0.5 else ""
        return " " + (self.comment() if self.often(0.4) else "") + "\n" + " " * (indent + self.rng.randrange(1, 5))

    def flow(self, depth: int, indent: int) -> str:
        if depth == 0 or self.often(0.4):
            return self.word(indent, True)
        items, mapping = list[str](), self.often(0.5)
        for number in range(self.rng.randrange(4)):
            value = self.flow(depth - 1, indent)
            named = f"{self.any(*self.NAMES)}{number}{self.any(':', ': ', ': ', '')}{self.space(indent)}{value}"
            items.append(named if mapping or self.often(0.1) else value)
        body = ",".join(self.space(indent) + item + self.space(indent) for item in items)
        opened, closed = "{}" if mapping else "[]"
        return opened + body + ("," if items and self.often(0.1) else "") + self.space(indent) + closed

    def block(self, depth: int, indent: int) -> str:
        """A block from its first name or dash, which is indented already."""
        written, sequence, step = "", self.often(0.4), self.rng.choice((1, 2, 2, 4))
        for number, name in enumerate(self.rng.sample(self.NAMES, self.rng.randrange(1, 4))):
            written += self.between() + " " * indent if number else ""
            if sequence:
                written += "-"
                inside = indent + 1 + self.rng.randrange(1, 4)
            else:
                asked = f"? {name}{self.trailing()}\n{' ' * indent}:"
                written += asked if self.often(0.05) else f"{name}{self.any('', ' ')}:"
                inside = indent + step
            how = self.rng.random()
            if how < 0.3 and depth and sequence:
                written += " " * (inside - indent - 1) + self.block(depth - 1, inside)
            elif how < 0.45 and depth:
                written += f"{self.trailing()}\n{self.between()}{' ' * inside}{self.block(depth - 1, inside)}"
            elif how < 0.5:
                written += self.trailing() + "\n"
            elif how < 0.56:
                written += " " + self.block_text(indent)
            elif how < 0.65:
                written += f"{self.trailing()}\n{self.between()}{' ' * (indent + 1)}"
                written += f"{self.flow(2, indent)}{self.trailing()}\n"
            else:
                written += f" {self.flow(2, indent)}{self.trailing()}\n"
        return written

    def document(self) -> str:
        text = self.between() + self.any("", "", "---\n", "--- # c\n", "%YAML 1.1\n---\n")
        text += self.any("ruleset: x\n", "") + self.block(3, 0) + self.between()
        text += self.any("", "", "...\n", "...\n# end")
        text = text.rstrip("\n") if self.often(0.3) else text
        text = text.replace("\n", "\r\n") if self.often(0.2) else text
        return "\ufeff" + text if self.often(0.1) else text


@pytest.mark.parametrize("seed", range(6))
def test_any_document_keeps_what_it_says(seed: int) -> None:
    author, read = Author(seed), 0
    while read < 100:
        text = author.document()
        tree, report = from_text(Source("x", text.removeprefix("\ufeff")))
        if tree is None or report.errors:
            continue
        read += 1
        once = formatted(text)  # which reads it again, and would raise D115
        assert formatted(once) == once, text


# ---- the conventions ----------------------------------------------------------------------------

CONVENTIONS = {
    "indentation": ("may:\n    step:\n          way: step\n", "may:\n  step:\n    way: step\n"),
    "lists under their name": ("because:\n- {a: b}\n-   c\n", "because:\n  - {a: b}\n  - c\n"),
    "lists in lists": ("a:\n-   - b\n    - c\n-\n  d: e\n", "a:\n  - - b\n    - c\n  - d: e\n"),
    "spaces in brackets": ("a: { b: [c,d ,  e], f:  g,}\n", "a: {b: [c, d, e], f: g}\n"),
    "line breaks in brackets": ("a: [b,\n        c, {d:\n e}\n ]\n", "a: [b,\n  c, {d:\n    e}\n]\n"),
    "spaces behind a colon": ("a:    b\n? c\n: d\n", "a: b\nc: d\n"),
    "spaces at the end": ("a: b   \nc:  \n  d: e\n", "a: b\nc:\n  d: e\n"),
    "empty lines": ("\n\na: b\n\n\n\nc: d\n\n", "a: b\n\nc: d\n"),
    "no end of line": ("a: b", "a: b\n"),
    "ends of lines": ("a: b\r\n\r\n\r\nc:   d\n", "a: b\r\n\r\nc: d\r\n"),
    "a byte order mark": ("\ufeffa: b\n", "a: b\n"),
    "an empty file": ("", ""),
    "only comments": ("\n# a  \n\n\n  # b", "# a\n\n# b\n"),
    "marks": ("%YAML 1.1\n---  \n# c\na:   b\n...\n# d\n", "%YAML 1.1\n---\n# c\na: b\n...\n# d\n"),
    "quotes that are not needed": ("a: 'b c'\n\"d\": \"e, f\"\n", "a: b c\nd: e, f\n"),
    "quotes in brackets": ("a: ['b', 'c, d', \"e: f\"]\n", 'a: [b, "c, d", "e: f"]\n'),
    "quotes around what others guess": ("a: ['no', '12', '1:15', '~', 'y', '...']\n",
                                        'a: ["no", "12", "1:15", "~", "y", "..."]\n'),
    "quotes of the other sort": ("a: ['say \"no\"', 'it\\s: ', \"\\u00e9\\n\"]\n",
                                 "a: [say \"no\", 'it\\s: ', \"\\u00e9\\n\"]\n"),
    "words without quotes": ("a: no\nb: 1:15\n", "a: no\nb: 1:15\n"),
    "terms": ("ruleset: x\nmay: {s: {when: own( to )>=1  and not(head)}}\n",
              "ruleset: x\nmay: {s: {when: own(to) >= 1 and not (head)}}\n"),
    "effects": ("ruleset: x\nthen: {s: {do: [send foe (to) to  their bar, 'again  at to']}}\n",
                "ruleset: x\nthen: {s: {do: [send foe(to) to their bar, again at to]}}\n"),
    "terms of options": ("ruleset: x\noptions: {o: {values: {v: {define: {d: a&b}}}}}\n",
                         "ruleset: x\noptions: {o: {values: {v: {define: {d: a & b}}}}}\n"),
    "places": ("ruleset: x\nsides: {w: {track: 1 .. 24, men: {man: \"24 : 2  13:5\"}}}\n",
               "ruleset: x\nsides: {w: {track: 1..24, men: {man: \"24:2 13:5\"}}}\n"),
    "what is no term": ("ruleset: x\nmay: {s: {when: 'own(to' , rule: a>=b}}\n",
                        "ruleset: x\nmay: {s: {when: own(to, rule: a>=b}}\n"),
    "a minus that touches a word": ("ruleset: x\ndefine: {d: own- foe}\n", "ruleset: x\ndefine: {d: own- foe}\n"),
    "long prose": ("rule: " + "word " * 20 + "end  # c\n",
                   "rule: " + "word " * 16 + "word\n  word word word end  # c\n"),
    "long prose in a language": ("ask:\n  en: " + "word " * 20 + "end\n",
                                 "ask:\n  en: " + "word " * 16 + "word\n    word word word end\n"),
    "prose that fits": ("rule: one\n     two\n\n     three\n", "rule: one\n  two\n\n  three\n"),
    "prose under its name": ("summary:\n      one\n      two\n", "summary:\n  one\n  two\n"),
    "a text with its own lines": ("a: |\n     b\n       c\n\nd: >-\n e\n", "a: |\n  b\n    c\n\nd: >-\n  e\n"),
    "comments behind": ("a: b # c\nd: # e\n  f: g     # h\n", "a: b  # c\nd:  # e\n  f: g     # h\n"),
    "comments before":
        ("a:\n # b\n      # c\n    d: e\n  # f\n    g: h\n", "a:\n  # b\n  # c\n  d: e\n  # f\n  g: h\n"),
    "comments at an end": ("a:\n    b:\n        c: d\n        # of b\n    # of a\n# e\nf: g\n",
                           "a:\n  b:\n    c: d\n    # of b\n  # of a\n# e\nf: g\n"),
    "comments in place of what is missing": ("a:\n    # b\nc: d\n", "a:\n  # b\nc: d\n"),
    "comments in brackets": ("a: [ # b\n c, # d\n # e\n f # g\n ]\n", "a: [  # b\n  c,  # d\n  # e\n  f  # g\n]\n"),
    "comments behind a dash": ("- # a\n  b: c\n", "-  # a\n  b: c\n"),
}  # fmt: skip


@pytest.mark.parametrize("name", CONVENTIONS)
def test_a_convention(name: str) -> None:
    text, wanted = CONVENTIONS[name]
    assert formatted(text) == wanted
    assert formatted(wanted) == wanted


def test_a_file_with_faults_in_its_meaning_is_laid_out() -> None:
    assert formatted("ruleset: x\nextends:   nowhere\nmay: {step: {whne: 'own(' }}\n") == (
        "ruleset: x\nextends: nowhere\nmay: {step: {whne: own(}}\n"
    )


@pytest.mark.parametrize(
    ("text", "code"),
    [("a: [b", "D106"), ("a: b\na: c\n", "D107"), ("a: *b", "D108"), ("a:\tb", "D103"), ("a: b\n---\nc: d\n", "D110")],
)
def test_what_is_not_our_yaml_is_refused_with_its_place(text: str, code: str) -> None:
    with pytest.raises(Fault) as raised:
        formatted(text, "x.yaml")
    assert [d.code for d in raised.value.diagnostics] == [code]
    assert raised.value.diagnostics[0].span.source.name == "x.yaml"


@pytest.mark.parametrize("slip", ["a: c\n", "a: b\n", "a: b  # d\n", "a: [b\n"])
def test_an_outcome_that_says_something_else_is_not_given_out(slip: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """D115: whatever goes wrong in laying out, no author loses a word or a comment by it."""
    monkeypatch.setattr(layout.Writer, "whole", lambda _: slip)
    with pytest.raises(Fault, match="D115"):
        formatted("a: b # c\n")
