"""The documents as a site: ``sphinx-build -W -b html docs BUILT`` (``pip install 'alfonso[docs]'``).

The pages are written to be read on a forge as well, so they hold nothing but Markdown.
What a site needs besides is made here: the order of the pages is that of the links in
``index.md``, a page that is named as a file (``docs/diff.md``) becomes a link to it, and a
link to a file that is no page (``../studies/x.md``) becomes the name of the file.
"""

from __future__ import annotations

import re
import sys
from pathlib import Path

from pygments.lexers.javascript import JavascriptLexer

HERE = Path(__file__).parent
sys.path.insert(0, str(HERE.parent))

from interpreter import __version__  # noqa: E402  (the folder is on the path only now)

project = "alfonso"
author = "The alfonso authors"
copyright = "The alfonso authors; MIT licence"
release = version = __version__

extensions = ["myst_parser"]
myst_heading_anchors = 4
exclude_patterns = ["_build"]
root_doc = "index"
language = "en"
smartquotes = False
suppress_warnings = ["misc.highlighting_failure"]  # a block in a language that nobody can colour

html_theme = "furo"
html_title = f"alfonso {__version__}"
html_copy_source = False
html_show_sphinx = False

_NAMED = re.compile(r"`docs/([a-z/-]+\.md)`")
_OUTSIDE = re.compile(r"\[([^\]]+)\]\(\.\./([^)]+)\)")
_LINK = re.compile(r"\]\(([a-z/-]+)\.md\)")


def _linked(text: str, name: str, pages: set[str]) -> str:
    """Names of pages as links, links to what is no page as names, outside fenced blocks."""
    if name.count("/"):
        return text  # a page of a folder counts from there
    parts = re.split(r"(^```.*?^```$)", text, flags=re.MULTILINE | re.DOTALL)
    for at in range(0, len(parts), 2):
        parts[at] = _OUTSIDE.sub(r"\1 (`\2`)", parts[at])
        parts[at] = _NAMED.sub(lambda m: f"[{m[1][:-3]}]({m[1]})" if m[1][:-3] in pages else m[0], parts[at])
    return "".join(parts)


def _with_trees(text: str, pages: set[str]) -> str:
    """The front page with a hidden table of contents for each of its sections; the last has the pages not named."""
    sections, left = re.split(r"^(?=## )", text, flags=re.MULTILINE), pages - {"index"}
    made = [sections[0]]
    for section in sections[1:]:
        named = [name for name in dict.fromkeys(_LINK.findall(section)) if name in left]
        left -= set(named)
        made.append(section + _tree(section.split("\n")[0].lstrip("# "), named))
    return "\n".join(made) + _tree("More", sorted(left))


def _tree(caption: str, names: list[str]) -> str:
    if not names:
        return ""
    return "\n".join(["", "```{toctree}", ":hidden:", f":caption: {caption}", "", *names, "```", ""])


def _source_read(app: object, name: str, source: list[str]) -> None:
    pages = {path.relative_to(HERE).with_suffix("").as_posix() for path in HERE.rglob("*.md")}
    source[0] = _linked(source[0], name, pages)
    if name == root_doc:
        source[0] = _with_trees(source[0], pages)


def setup(app: object) -> None:
    app.connect("source-read", _source_read)  # type: ignore[attr-defined]
    app.add_lexer("mjs", JavascriptLexer)  # type: ignore[attr-defined]
