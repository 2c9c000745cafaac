"""The page of each diagnostic code: what it means, shown by ``alfonso explain CODE``.

A page is Markdown. Its first line is ``# CODE: title``.
"""

from __future__ import annotations

from functools import cache
from importlib.resources import files


@cache
def codes() -> tuple[str, ...]:
    """Every code that has a page, sorted."""
    names = (entry.name for entry in files(__name__).iterdir())
    return tuple(sorted(name[:-3] for name in names if name.endswith(".md")))


@cache
def page(code: str) -> str:
    """The page of a code, or nothing where it has none."""
    return (files(__name__) / f"{code}.md").read_text(encoding="utf-8") if code in codes() else ""


def title(code: str) -> str:
    """The title of a code's page: ``read from the wrong side``."""
    return page(code).split("\n", 1)[0].partition(": ")[2].strip()


def summary(code: str) -> str:
    """The first paragraph of a code's page, on one line."""
    parts = page(code).split("\n\n")
    return " ".join(parts[1].split()) if len(parts) > 1 else ""
