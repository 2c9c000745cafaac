"""``export``: a game as one file that plays anywhere, without a network.

The file holds the modules, the drawing, the rulebook and the program of the page; a
browser opens it from a disk.
"""

from __future__ import annotations

from interpreter.play.playable import Playable
from interpreter.web.book import book_of
from interpreter.web.html import page
from interpreter.web.variants import EACH


def exported(playable: Playable, name: str, carried: str = EACH, language: str = "") -> str:
    """The text of the file.

    Args:
        name: the id or path the game was loaded by.
        carried: which choices of options can be made on the page: chosen, each, all.
        language: of the title ("": English where the rulebook has it).

    Raises:
        Fault: O912, O915.
    """
    book = book_of(playable, name, carried)
    titles = playable.game.ruleset.book.title
    title = titles.get(language) or titles.get("en") or next(iter(titles.values()), playable.id)
    text, _ = page(title, {"book": book, "language": language})
    return text
