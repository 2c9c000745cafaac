"""The words that a printed rulebook itself uses, by language: ``words.yaml``.

A ruleset may be told in any language; where the book's own words are not there in it,
they are English (``Words.language`` says which they are).
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import yaml

from interpreter.document.languages import ENGLISH, nearest

_FILE = Path(__file__).parent / "words.yaml"


@cache
def table() -> dict[str, dict[str, str]]:
    """Every language with its words."""
    loaded: dict[str, dict[str, str]] = yaml.safe_load(_FILE.read_text(encoding="utf-8"))
    return loaded


@dataclass(frozen=True)
class Words:
    """The words of one language."""

    language: str
    by_name: dict[str, str]

    def __call__(self, name: str, **filled: Any) -> str:
        """A word or sentence, with what is filled in."""
        said = self.by_name.get(name) or table()[ENGLISH][name]
        return said.format(**filled) if filled else said

    def kind(self, name: str) -> str:
        """A kind of man; its own name where there is no word for it."""
        return self.by_name.get(f"kind-{name}", name)


def words(language: str) -> Words:
    """The words of the language that serves for ``language``; English where none does."""
    found = nearest(language, table()) or ENGLISH
    return Words(found, table()[found])
