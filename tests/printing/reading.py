"""A printed book as it is read back: is it whole and well formed, are its links and examples there?"""

from __future__ import annotations

import re
from collections import Counter
from html.parser import HTMLParser

from interpreter.printing import book
from interpreter.ruleset.library import Library

VOID = {"meta", "br", "img", "hr", "link", "input"}
CLOSED = {"path", "circle", "rect", "polygon", "line"}  # in drawings: closed by themselves
LIBRARY = Library()


class Read(HTMLParser):
    """A page: its anchors, its links, and that what is opened is closed."""

    def __init__(self, text: str) -> None:
        super().__init__(convert_charrefs=True)
        self.open: list[str] = []
        self.ids: Counter[str] = Counter()
        self.links: set[str] = set()
        self.tags: Counter[str] = Counter()
        self.heads: list[dict[str, str | None]] = []
        self.feed(text)
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = dict(attrs)
        self.tags[tag] += 1
        if given.get("id"):
            self.ids[given["id"] or ""] += 1
        if tag == "a":
            self.links.add(given.get("href") or "")
        if tag == "th":
            self.heads.append(given)
        if tag not in VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        assert tag in CLOSED | VOID, tag
        self.tags[tag] += 1

    def handle_endtag(self, tag: str) -> None:
        assert self.open and self.open.pop() == tag, f"</{tag}> after {self.open}"


def ids(*folders: str) -> list[str]:
    """The shipped rulesets in some folders; those in none are in the folder ""."""
    return [id for id in LIBRARY.ids() if id.rpartition("/")[0] in folders]


def check(id: str) -> None:
    """Print a shipped ruleset and look at all of it."""
    made = book.printed(id, library=LIBRARY)
    page, ruleset = Read(made.html), made.playable.game.ruleset
    assert not page.open
    assert made.language == "en" and not made.lacking
    assert [id for id, count in page.ids.items() if count > 1] == []
    assert {link[1:] for link in page.links if link.startswith("#")} <= set(page.ids)
    assert page.tags["h1"] == 1 and page.tags["section"] >= 3
    assert page.tags["svg"] == made.html.count('class="story"') + 1 == len(ruleset.book.stories) + 1
    assert page.tags["title"] == page.tags["svg"] + 1, "every diagram has its words"
    assert all(head.get("scope") in ("col", "row") for head in page.heads)
    assert all(f'id="rule-{n}"' in made.html for n, _ in enumerate(ruleset.content.all_clauses(), start=1))
    assert all(f'id="question-{n}"' in made.html for n, _ in enumerate(ruleset.book.options, start=1))
    assert not re.search(r"<(script|link|iframe|img)\b|@import|url\(", made.html), "the file needs no other"
