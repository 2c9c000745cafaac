"""The games that can be played here: shipped rulesets under a choice of options, each made once.

An id is looked up among the shipped ones before anything is read, so no text of a
client ever becomes part of a path. Of a choice there are several machines, for a machine
answers one question at a time: ``quick`` for the moves of all games, ``slow`` (with its
``lock``) for what may take long: reading a game that comes back, explaining.
Where ``quick`` is ``slow_to_answer`` it is asked in threads, with the lock ``playing``.
"""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property

from interpreter.machine.notation import Notation
from interpreter.machine.reference import Reference
from interpreter.play.playable import Playable, load
from interpreter.play.record import content_of
from interpreter.ruleset.library import Library

SLOW, IN_A_ROW = 0.03, 4
"""Seconds that a quick machine takes for a message at most, and how often more is no chance."""
MOST = 48
"""So many choices are kept ready; of more the one that was not wanted for longest is forgotten."""


@dataclass(eq=False)
class Choice:
    """A ruleset with its options decided, ready to play. ``content`` is the digest that records name."""

    quick: Playable
    slow: Playable
    content: str
    lock: threading.Lock = field(default_factory=threading.Lock)
    playing: threading.Lock = field(default_factory=threading.Lock)
    thinking: threading.Lock = field(default_factory=threading.Lock)
    slow_to_answer: bool = False
    _slow_in_a_row: int = 0

    @cached_property
    def thinker(self) -> Playable:
        """A third machine, for computer players; asked with the lock ``thinking``."""
        return _again(self.slow)

    def took(self, seconds: float) -> None:
        """Note how long a message took; when several in a row took long, it is the machine, and it stays so."""
        self._slow_in_a_row = self._slow_in_a_row + 1 if seconds > SLOW else 0
        self.slow_to_answer = self.slow_to_answer or self._slow_in_a_row >= IN_A_ROW


class Choices:
    """Choices by ruleset and options; may be asked by several threads."""

    def __init__(self, most: int = MOST) -> None:
        self.most = most
        self._library = Library()
        self._ids = frozenset(self._library.ids())
        self._made: OrderedDict[tuple[str, tuple[tuple[str, str], ...]], Choice] = OrderedDict()
        self._lock = threading.Lock()

    def knows(self, ruleset: str) -> bool:
        return ruleset in self._ids

    def ready(self, ruleset: str, options: Mapping[str, str], reading: str | None = None) -> bool:
        """Is a choice made already, or one that nobody has to wait for: a ruleset as it is?"""
        return (not options and reading is None) or (ruleset, tuple(sorted(options.items()))) in self._made

    def of(self, ruleset: str, options: Mapping[str, str], reading: str | None = None) -> Choice:
        """A choice, made if it is not there.

        Raises:
            LookupError: no such shipped ruleset.
            Fault: a family, an option or a value that is not there, and whatever is wrong with the ruleset.
        """
        if not self.knows(ruleset):
            raise LookupError(ruleset)
        key = ruleset, tuple(sorted(options.items()))
        with self._lock:
            if reading is None and key in self._made:
                self._made.move_to_end(key)
                return self._made[key]
            playable = load(ruleset, options, reading, machine="auto", library=Library())
            whole = ruleset, tuple(sorted(playable.options.items()))
            if whole not in self._made:
                self._made[whole] = _made(playable)
            choice = self._made[whole]
            if reading is None:
                self._made[key] = choice
            while len(self._made) > self.most:
                self._made.popitem(last=False)
            return choice


def _made(playable: Playable) -> Choice:
    return Choice(_again(playable), _again(playable), content_of(playable.loaded.built.book))


def _again(playable: Playable) -> Playable:
    """The same game with a machine of its own, made now: it takes some tenths of a second."""
    found = replace(playable, reference=Reference(playable.game), notation=Notation(playable.game))
    found.machine  # noqa: B018
    return found
