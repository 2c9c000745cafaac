"""Which choices of options a page carries, and the compiled game of each.

Options are decided when a game is compiled, so a page can offer only the choices that
it carries:

    chosen    the one that was asked for
    each      that one, every reading, and every value of every option by itself
    all       every choice there is

Fault of its own: O915 more choices than a page can carry.
"""

from __future__ import annotations

import contextlib
import itertools
from collections.abc import Iterator, Mapping

from interpreter.diagnostics import Fault, fault
from interpreter.play.checking_options import choosable, with_needs
from interpreter.play.playable import Playable, load
from interpreter.ruleset.extends import Built
from interpreter.ruleset.library import Library

CHOSEN, EACH, ALL = "chosen", "each", "all"
MOST = 200
"""More variants than this are no page."""


def variants(first: Playable, name: str, carried: str, library: Library) -> Iterator[Playable]:
    """The games of a page, the one asked for first; each choice once.

    Args:
        name: the id or the path ``first`` was loaded by.

    Raises:
        Fault: O915, before anything but the first is made.
    """
    yield first
    if carried == CHOSEN:
        return
    built: Built = first.loaded.built
    seen, wanted = {_key(first.options)}, []
    for choices in _wanted(first, carried):
        ruleset = choosable(built, choices)
        if ruleset is None or _key(ruleset.choices) in seen:
            continue
        seen.add(_key(ruleset.choices))
        wanted.append(choices)
        if len(seen) > MOST:
            help = "carry the readings and each value by itself: --options each"
            raise fault("O915", f"`{first.id}` has more than {MOST} choices of options", help=help)
    for choices in wanted:
        with contextlib.suppress(Fault):  # values that make no game beside these
            yield load(name, choices, library=library)


def _key(choices: Mapping[str, str]) -> tuple[tuple[str, str], ...]:
    return tuple(sorted(choices.items()))


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
