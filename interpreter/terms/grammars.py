"""The grammars of the `grammar` folder as parsers."""

from __future__ import annotations

from lark import Lark

from interpreter.data import folder


def lalr(name: str, start: str | list[str], placeholders: bool = True) -> Lark:
    """The LALR parser of a grammar, with positions. Building one takes a tenth of a second: keep it.

    Args:
        start: its start symbols.
        placeholders: optional parts that are missing stand as None in the tree.
    """
    text = (folder("grammar") / f"{name}.lark").read_text(encoding="utf-8")
    return Lark(text, parser="lalr", start=start, propagate_positions=True, maybe_placeholders=placeholders)
