"""Which choices of options a page carries, and the compiled game of each.

Options are decided when a game is compiled, so a page can offer only the choices that
it carries:

    chosen    the one that was asked for
    each      that one, every reading, and every value of every option by itself
    all       every choice there is

Fault of its own: O915 more choices than a page can carry.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator

from interpreter.diagnostics import Fault, fault
from interpreter.play.checking_options import with_needs
from interpreter.play.playable import Playable, load
from interpreter.ruleset.extends import Built
from interpreter.ruleset.library import Library

CHOSEN, EACH, ALL = "chosen", "each", "all"
CARRIED = (CHOSEN, EACH, ALL)
MOST = 200
"""More variants than this are no page."""


def variants(first: Playable, name: str, carried: str, library: Library) -> Iterator[Playable]:
    """The games of a page, the one asked for first; each choice once.

    Args:
        name: the id or the path ``first`` was loaded by.

    Raises:
        Fault: O915.
    """
    seen = {_key(first)}
    yield first
    if carried == CHOSEN:
        return
    found = 1
    for choices in _wanted(first, carried):
        try:
            other = load(name, choices, library=library)
        except Fault:  # values that cannot be chosen together, or not beside these
            continue
        if _key(other) in seen:
            continue
        seen.add(_key(other))
        found += 1
        if found > MOST:
            help = "carry the readings and each value by itself: --options each"
            raise fault("O915", f"`{first.id}` has more than {MOST} choices of options", help=help)
        yield other


def _key(playable: Playable) -> tuple[tuple[str, str], ...]:
    return tuple(sorted(playable.options.items()))


def _wanted(first: Playable, carried: str) -> Iterator[dict[str, str]]:
    built: Built = first.loaded.built
    book, chosen = built.book, dict(first.options)
    if carried == ALL:
        names = list(book.options)
        for values in itertools.product(*(book.options[name].values for name in names)):
            choices = dict(zip(names, values, strict=True))
            # an option that is not asked is not chosen
            yield {
                name: value
                for name, value in choices.items()
                if all(choices.get(need) == wanted for need, wanted in book.options[name].needs.items())
            }
        return
    yield {}
    for reading in book.readings.values():
        yield dict(reading.choices)
    for option in book.options.values():
        for value in option.values:
            wanted = with_needs(built, option, value)
            kept = {
                name: old
                for name, old in chosen.items()
                if all({**chosen, **wanted}.get(need) == w for need, w in book.options[name].needs.items())
            }
            yield {**kept, **wanted}
