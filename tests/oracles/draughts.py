"""The draughts games, played by a program that knows nothing else.

One generator for all of them; ``Rules`` says how a game is played. A turn is a step
or a whole capture, written as its squares joined: ``11-15``, ``10x19x26``. Two
captures with different landing squares are two turns. Draws are not known here, nor
the huff, nor what a Frisian king may not do for a fourth time.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

Square = tuple[int, int]  # file 0.., rank 0..
Way = tuple[int, int]

SLANTS: list[Way] = [(1, 1), (1, -1), (-1, 1), (-1, -1)]
CROSS: list[Way] = [(0, 1), (0, -1), (1, 0), (-1, 0)]
OTHER = {"white": "black", "black": "white"}
FORWARD = {"white": 1, "black": -1}


class Man(NamedTuple):
    side: str
    king: bool


Men = Mapping[Square, Man]


class Turn(NamedTuple):
    squares: tuple[Square, ...]
    king: bool  # it was begun by a king
    taken: tuple[Square, ...]
    kings: tuple[bool, ...]  # of the taken, in their order
    crowned: bool


Weight = Callable[[Turn], object]


def number(turn: Turn) -> object:
    return len(turn.taken)


def by_king(turn: Turn) -> object:
    return turn.king


def number_of_kings(turn: Turn) -> object:
    return sum(turn.kings)


def kings_early(turn: Turn) -> object:
    return turn.kings


def worth(turn: Turn) -> object:
    """A man is two halves; kings are three halves each, but for a hair less than two men."""
    return sum(199 if king else 100 for king in turn.kings)


@dataclass(frozen=True)
class Rules:
    size: int = 8
    corner: str = "left"  # left | right: where each player has a dark corner; all: every square is used
    names: str = "letters"  # letters | top-left | bottom-right: squares by letter and number, or numbered from there
    rows: int = 3  # rows of men
    skipped: int = 0  # rows behind them
    first: str = "white"
    flying: bool = True
    lands_behind: bool = False  # a flying king lands next to the piece it takes
    lands_to_go_on: bool = False  # … or where it can take more
    man_takes_back: bool = True
    man_takes_kings: bool = True
    lifted_at_once: bool = False
    crowned_in_passing: bool = False
    turns_back: bool = True
    lines: str = "slants"  # slants | cross | cross-and-slants (only to move) | frisian (all eight, to take)
    forced: bool = True
    order: tuple[Weight, ...] = ()  # which captures must be made, the weightiest first

    @cached_property
    def squares(self) -> list[Square]:
        """From the top left, line by line."""
        every = [(f, r) for r in range(self.size - 1, -1, -1) for f in range(self.size)]
        odd = {"left": 0, "right": 1}.get(self.corner)
        return [(f, r) for f, r in every if odd is None or (f + r) % 2 == odd]

    @cached_property
    def name(self) -> dict[Square, str]:
        if self.names == "letters":
            return {(f, r): f"{'abcdefghijkl'[f]}{r + 1}" for f, r in self.squares}
        order = self.squares if self.names == "top-left" else self.squares[::-1]
        return {square: str(n) for n, square in enumerate(order, 1)}

    def far(self, side: str) -> int:
        return self.size - 1 if side == "white" else 0

    def steps(self, man: Man) -> list[Way]:
        slants, cross = self.lines != "cross", self.lines.startswith("cross")
        ways = (SLANTS if slants else []) + (CROSS if cross else [])
        ahead = FORWARD[man.side]
        return ways if man.king else [way for way in ways if way[1] == ahead or way[1] == 0]

    def takes(self, man: Man) -> list[Way]:
        ahead = FORWARD[man.side]
        if self.lines.startswith("cross"):
            return [way for way in CROSS if man.king or way[1] != -ahead]
        across = [(2 * f, 2 * r) for f, r in CROSS] if self.lines == "frisian" else []
        return [way for way in SLANTS + across if man.king or self.man_takes_back or way[1] == ahead]


class Leap(NamedTuple):
    way: Way
    over: Square
    to: Square


class Chain(NamedTuple):
    """A capture under way: the men without the one that takes, and what it has done."""

    men: Men
    at: Square
    man: Man
    dead: frozenset[Square]  # leapt over, not yet lifted
    way: Way | None


def start(rules: Rules) -> dict[Square, Man]:
    rows = range(rules.skipped, rules.skipped + rules.rows)
    men = {(f, r): Man("white", False) for f, r in rules.squares if r in rows}
    return men | {(f, r): Man("black", False) for f, r in rules.squares if rules.size - 1 - r in rows}


def turns(men: Men, side: str, rules: Rules) -> list[Turn]:
    found = [turn for at, man in men.items() if man.side == side for turn in _captures(men, at, man, rules)]
    for weight in rules.order:
        best = max(map(weight, found), default=None)  # type: ignore[type-var]
        found = [turn for turn in found if weight(turn) == best]
    if found and rules.forced:
        return found
    return found + [turn for at, man in men.items() if man.side == side for turn in _steps(men, at, man, rules)]


def after(men: Men, turn: Turn) -> dict[Square, Man]:
    left = {at: man for at, man in men.items() if at not in turn.taken and at != turn.squares[0]}
    man = men[turn.squares[0]]
    return left | {turn.squares[-1]: Man(man.side, man.king or turn.crowned)}


def text(turn: Turn, rules: Rules) -> str:
    return ("x" if turn.taken else "-").join(rules.name[square] for square in turn.squares)


def position(men: Men, side: str, rules: Rules) -> str:
    """In the interpreter's spelling."""
    halves = []
    for who in ("white", "black"):
        standing = [(rules.name[at], man.king) for at, man in sorted(men.items()) if man.side == who]
        halves.append(" ".join([who, *(("king:" if king else "") + name for name, king in standing)]))
    return f"{halves[0]} / {halves[1]} ; {side}"


def perft(rules: Rules, depth: int) -> list[int]:
    counts = [0] * depth

    def count(men: Men, side: str, level: int) -> None:
        found = turns(men, side, rules)
        counts[level] += len(found)
        if level + 1 < depth:
            for turn in found:
                count(after(men, turn), OTHER[side], level + 1)

    count(start(rules), rules.first, 0)
    return counts


def _steps(men: Men, at: Square, man: Man, rules: Rules) -> Iterator[Turn]:
    for f, r in rules.steps(man):
        to = (at[0] + f, at[1] + r)
        while to in rules.name and to not in men:
            yield Turn((at, to), man.king, (), (), to[1] == rules.far(man.side))
            if not (man.king and rules.flying):
                break
            to = (to[0] + f, to[1] + r)


def _captures(men: Men, at: Square, man: Man, rules: Rules) -> Iterator[Turn]:
    chain = Chain({p: m for p, m in men.items() if p != at}, at, man, frozenset(), None)

    def go_on(chain: Chain, squares: tuple[Square, ...], taken: tuple[Square, ...]) -> Iterator[Turn]:
        leaps = _leaps(chain, rules)
        if rules.lands_to_go_on:
            able = {leap.way for leap in leaps if _leaps(_leapt(chain, leap, rules), rules)}
            leaps = [leap for leap in leaps if leap.way not in able or _leaps(_leapt(chain, leap, rules), rules)]
        for leap in leaps:
            yield from go_on(_leapt(chain, leap, rules), (*squares, leap.to), (*taken, leap.over))
        if taken and not leaps:
            crowned = chain.man.king or squares[-1][1] == rules.far(man.side)
            yield Turn(squares, man.king, taken, tuple(men[p].king for p in taken), crowned)

    yield from go_on(chain, (at,), ())


def _leapt(chain: Chain, leap: Leap, rules: Rules) -> Chain:
    crowned = rules.crowned_in_passing and leap.to[1] == rules.far(chain.man.side)
    man = Man(chain.man.side, chain.man.king or crowned)
    if rules.lifted_at_once:
        return Chain({p: m for p, m in chain.men.items() if p != leap.over}, leap.to, man, frozenset(), leap.way)
    return Chain(chain.men, leap.to, man, chain.dead | {leap.over}, leap.way)


def _leaps(chain: Chain, rules: Rules) -> list[Leap]:
    men, at, man, found = chain.men, chain.at, chain.man, []
    flies = man.king and rules.flying
    for f, r in rules.takes(man):
        if chain.way == (-f, -r) and not rules.turns_back:
            continue
        over = (at[0] + f, at[1] + r)
        while flies and over in rules.name and over not in men:
            over = (over[0] + f, over[1] + r)
        prey = men.get(over)
        if prey is None or prey.side == man.side or over in chain.dead:
            continue
        if prey.king and not man.king and not rules.man_takes_kings:
            continue
        to = (over[0] + f, over[1] + r)
        while to in rules.name and to not in men:
            found.append(Leap((f, r), over, to))
            if not flies or rules.lands_behind:
                break
            to = (to[0] + f, to[1] + r)
    return found


_NUMBERED = {"names": "top-left"}
_POLISH: dict[str, object] = {"order": (number,)}
_SPANISH = {"corner": "right", "names": "bottom-right", "man_takes_back": False}
_TURKISH = {"corner": "all", "rows": 2, "skipped": 1, "lines": "cross", "lifted_at_once": True, "turns_back": False}
_TWELVE = {"size": 12, "rows": 5, **_NUMBERED, **_POLISH}
_ENGLISH = {"first": "black", "flying": False, "man_takes_back": False, **_NUMBERED}
_POOL = {"first": "black", "lands_to_go_on": True, **_NUMBERED}
_CZECH = {"man_takes_back": False, "order": (by_king,)}
_FRISIAN = {"size": 10, "rows": 4, "lines": "frisian", **_NUMBERED}
_ARMENIAN = {**_TURKISH, **_POLISH, "lines": "cross-and-slants"}

GAMES: list[tuple[str, dict[str, str], Rules]] = [
    (f"draughts/{name}", options, Rules(**rules))  # type: ignore[arg-type]
    for name, options, rules in [
        ("english", {}, _ENGLISH),
        ("english", {"capture": "free"}, {**_ENGLISH, "forced": False}),
        ("international", {}, {"size": 10, "rows": 4, **_NUMBERED, **_POLISH}),
        ("brazilian", {}, _POLISH),
        ("canadian", {}, _TWELVE),
        ("canadian-1875", {"capture": "forced"}, _TWELVE),
        ("malaysian", {"capture": "forced"}, {**_TWELVE, "man_takes_back": False}),
        ("malaysian", {"capture": "free"}, {**_TWELVE, "man_takes_back": False, "forced": False}),
        ("russian", {}, {"crowned_in_passing": True, "lands_to_go_on": True}),
        ("pool", {}, _POOL),
        ("pool", {"promotion": "in-passing"}, {**_POOL, "crowned_in_passing": True}),
        (
            "italian",
            {},
            {
                "corner": "right",
                "flying": False,
                "man_takes_back": False,
                "man_takes_kings": False,
                "order": (number, by_king, number_of_kings, kings_early),
                **_NUMBERED,
            },
        ),
        ("spanish", {}, {**_SPANISH, "order": (number, number_of_kings)}),
        ("spanish", {"king-duty": "king"}, {**_SPANISH, "order": (number, by_king, number_of_kings)}),
        ("portuguese", {}, {**_SPANISH, "order": (number, number_of_kings)}),
        ("czech", {}, {**_CZECH, "lands_to_go_on": True}),
        ("czech", {"landing": "free"}, _CZECH),
        ("czech", {"men": "eight"}, {**_CZECH, "lands_to_go_on": True, "rows": 2}),
        ("frisian", {}, {**_FRISIAN, "order": (worth, by_king)}),
        ("frisian", {"two-kings": "number"}, {**_FRISIAN, "order": (number, number_of_kings, by_king)}),
        ("turkish", {}, {**_TURKISH, **_POLISH}),
        ("turkish", {"promotion": "in-passing"}, {**_TURKISH, **_POLISH, "crowned_in_passing": True}),
        ("turkish", {"turning": "allowed"}, {**_TURKISH, **_POLISH, "turns_back": True}),
        ("armenian", {}, {**_ARMENIAN, "crowned_in_passing": True}),
        ("armenian", {"promotion": "on-stop"}, _ARMENIAN),
        ("thai", {}, {"rows": 2, "man_takes_back": False, "lands_behind": True, "lifted_at_once": True, **_NUMBERED}),
    ]
]
