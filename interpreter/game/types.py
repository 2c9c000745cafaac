"""The typed game: what both machines run.

Sets of places are whole numbers used as bit sets: bit ``p`` is place ``p``. Sides
are 0 and 1 in order of play. Places are numbered points first, then for each place
beside the board that of side 0 and that of side 1. Nothing here knows a particular
game.
"""

from __future__ import annotations

from collections.abc import Mapping as AnyMapping
from dataclasses import dataclass, field

from interpreter.ruleset.types import Clause, Ruleset
from interpreter.source import NOWHERE, Span

INT, BOOL, PLACE, PLACES, DIRECTION = "Int", "Bool", "Place", "Places", "Direction"
OWN, FOE = 0, 1
MOMENTS = ("decision", "thrown", "stuck", "turn-end", "turn-start")


@dataclass(frozen=True)
class Expression:
    """A typed term: ``op`` with its arguments; ``data`` holds numbers the op needs.

    Every op is a row of ``words.WORDS`` or one of its few connectives, and has one
    function per machine.
    """

    op: str
    sort: str
    args: tuple[Expression, ...] = ()
    data: tuple[int, ...] = ()
    span: Span = field(default=NOWHERE, compare=False, repr=False)


@dataclass(frozen=True)
class Effect:
    """One typed effect. ``data`` as the op needs (who, kind, memory, phase …)."""

    op: str
    args: tuple[Expression, ...] = ()
    data: tuple[int, ...] = ()
    span: Span = field(default=NOWHERE, compare=False, repr=False)


@dataclass(frozen=True)
class Path:
    """One way a man can go. ``origin`` and ``to`` are places, -1 where there is none.

    ``over`` are the places between, nearest first. ``die`` is in pips, 0 where no
    die is needed; ``excess`` is by how many pips the die passes the last place.
    ``direction`` is 0..7 clockwise from north as side s sits, -1 where there is none.
    """

    index: int
    origin: int
    over: tuple[int, ...]
    to: int
    direction: int
    die: int
    excess: int


@dataclass(frozen=True)
class Line:
    """Places in a row, with the name of its group."""

    group: str
    places: tuple[int, ...]


@dataclass(frozen=True)
class Board:
    """Places, lines, tracks and regions, all numbered.

    ``labels[side][place]`` is what that side calls a place (and how text forms
    write it). ``tracks[side]`` are places in the order that side's men travel;
    empty where there are none. ``coordinates`` are (x, y), y growing to the north.
    """

    names: tuple[str, ...]
    points: int
    many: bool
    beside: AnyMapping[str, tuple[int, int]]
    lines: tuple[Line, ...]
    neighbours: tuple[int, ...]
    tracks: tuple[tuple[int, ...], tuple[int, ...]]
    track_index: tuple[tuple[int, ...], tuple[int, ...]]
    regions: AnyMapping[str, tuple[int, int]]
    labels: tuple[tuple[str, ...], tuple[str, ...]]
    coordinates: tuple[tuple[float, float] | None, ...]
    squares: bool
    rows: tuple[tuple[str, ...], ...]

    @property
    def all_points(self) -> int:
        """The bit set of all points."""
        return (1 << self.points) - 1

    @property
    def has_coordinates(self) -> bool:
        return all(self.coordinates[p] is not None for p in range(self.points))

    def side_of(self, place: int) -> int | None:
        """The side a place beside the board belongs to; None for a point."""
        return None if place < self.points else (place - self.points) % 2


@dataclass(frozen=True)
class Throw:
    """The dice: outcomes (faces, largest first) with weights; ``added`` dice are constant.

    ``left(outcome)`` are the dice to be played after a throw.
    """

    outcomes: tuple[tuple[tuple[int, ...], int], ...]
    doubles: str
    added: tuple[int, ...]
    faces: int
    dice: int

    def left(self, outcome: tuple[int, ...]) -> tuple[int, ...]:
        """The dice left to play right after ``outcome`` was thrown, largest first."""
        dice = outcome
        if len(outcome) > 1 and len(set(outcome)) == 1:
            if self.doubles == "twice":
                dice = outcome * 2
            elif self.doubles == "times-shown":
                dice = (outcome[0],) * outcome[0]
        return tuple(sorted(dice + self.added, reverse=True))


@dataclass(frozen=True)
class Memory:
    """One fact. ``kind``: flag, number, direction, place, places, mark. ``per``: "", side, man.

    ``lasts``: game, turn, reply. Numbers lie in ``low..high``. ``apart`` keeps it out
    of the positions that repeat.
    """

    index: int
    name: str
    kind: str
    per: str
    lasts: str
    low: int
    high: int
    apart: bool
    says: str
    span: Span = field(compare=False, repr=False)

    @property
    def on_men(self) -> bool:
        return self.kind == "mark" or self.per == "man"


@dataclass(frozen=True)
class Phase:
    """A phase of a turn; where ``by_foe``, the other side decides while it lasts."""

    name: str
    by_foe: bool


@dataclass(frozen=True)
class Way:
    """A way and its paths, for each side that moves a man of its own along it (path numbers, in order)."""

    name: str
    place: str
    paths: tuple[tuple[int, ...], tuple[int, ...]]

    @property
    def uses_dice(self) -> bool:
        return self.name in ("travel", "listed")


@dataclass(frozen=True)
class May:
    """A permission. ``who`` is OWN or FOE, ``kind`` -1 for any; ``paths[side]`` those allowed to that decider."""

    clause: Clause
    verb: int
    way: Way | None
    who: int
    kind: int
    phases: tuple[int, ...]
    sides: tuple[int, ...]
    paths: tuple[tuple[int, ...], tuple[int, ...]]
    when: Expression


@dataclass(frozen=True)
class MayNot:
    """A prohibition: ``when`` before, or ``after``; ``play_end`` asks ``after`` where the play ends."""

    clause: Clause
    verbs: frozenset[int]
    phases: tuple[int, ...]
    sides: tuple[int, ...]
    when: Expression | None
    after: Expression | None
    play_end: bool


@dataclass(frozen=True)
class Must:
    """A duty. ``measure`` is prefer, after, most or least, of ``value``; ``breach`` is a mark's memory, or -1."""

    clause: Clause
    binds: frozenset[int]
    phases: tuple[int, ...]
    sides: tuple[int, ...]
    among: tuple[str, ...]
    measure: str
    value: Expression
    unless: Expression | None
    breach: int


@dataclass(frozen=True)
class Then:
    """A consequence at a moment."""

    clause: Clause
    moment: str
    verbs: frozenset[int]
    phases: tuple[int, ...]
    sides: tuple[int, ...]
    when: Expression
    do: tuple[Effect, ...]


@dataclass(frozen=True)
class Ends:
    """An ending at a moment. ``reader``: mover, foe, either, both."""

    clause: Clause
    moment: str
    verbs: frozenset[int]
    phases: tuple[int, ...]
    sides: tuple[int, ...]
    when: Expression
    result: str
    points: Expression
    kind: str
    reader: str


@dataclass(frozen=True)
class Game:
    """A ruleset with every name resolved. Both machines run this and nothing else."""

    ruleset: Ruleset
    board: Board
    sides: tuple[str, str]
    seats: tuple[str, str]
    kinds: tuple[str, ...]
    setup: bytes
    throw: Throw | None
    start_who: str
    start_keep: bool
    phases: tuple[Phase, ...]
    memories: tuple[Memory, ...]
    verbs: tuple[str, ...]
    signs: tuple[str, ...]
    paths: tuple[Path, ...]
    may: tuple[May, ...]
    may_not: tuple[MayNot, ...]
    must: tuple[Must, ...]
    then: tuple[Then, ...]
    ends: tuple[Ends, ...]
    reads_repeats: bool
    reads_last: bool
    scores: tuple[int, int] = (0, 0)

    @property
    def places(self) -> int:
        """How many places there are, those beside the board included."""
        return len(self.board.names)

    def number(self, verb: int, path: int) -> int:
        """A decision's number: a promise to records and players."""
        return verb * len(self.paths) + path
