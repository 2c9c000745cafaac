"""Alquerque, played by a program that knows nothing else.

The board is a 5x5 grid; a point whose file and rank add up to an even number
carries the diagonals too. A turn is, in this order,

    the huff    if the other side neglected a capture in the turn before
    the move    one step, or one chain of leaps by one man

and is written as its decisions joined: ``~b3 c3-d4``, ``a1xc3xc5``,
``a1xc3 stop``. Two chains with different landing points are two turns.
Where a rule is disputed, ``Rules`` says which way it is played.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import NamedTuple

Point = tuple[int, int]  # file 1..5, rank 1..5

POINTS = [(f, r) for r in range(1, 6) for f in range(1, 6)]
EVERY_WAY = [(df, dr) for df in (-1, 0, 1) for dr in (-1, 0, 1) if (df, dr) != (0, 0)]
OTHER = {"white": "black", "black": "white"}
FORWARD = {"white": 1, "black": -1}
FAR_ROW = {"white": 5, "black": 1}


@dataclass(frozen=True)
class Rules:
    step: str = "any"  # any | no-backward
    capture_direction: str = "any"  # any | first-not-backward | no-backward
    capture: str = "huff"  # optional | forced | huff
    chain: str = "finish"  # finish | may-stop | single
    most: str = "free"  # free | most
    no_return: str = "none"  # none | last | visited
    far_row: str = "free"  # free | frozen
    huff_who: str = "any"  # any | moved | all
    huff_duty: str = "choice"  # choice | automatic
    huff_cost: str = "free"  # free | turn
    huff_partial: str = "no"  # no | yes
    promotion: str = "none"  # none | far-row
    handedness: str = "right"  # right | left
    first: str = "white"  # white | black
    repetition: str = "third-is-draw"  # third-is-draw | barred | none

    @classmethod
    def from_options(cls, options: Mapping[str, str]) -> Rules:
        """The same choices under the names a player gives them."""
        return cls(**{name.replace("-", "_"): value for name, value in options.items()})


class Man(NamedTuple):
    side: str
    king: bool = False
    shunned: frozenset[Point] = frozenset()  # points he may not step to (no-return)
    liable: bool = False  # he may be huffed


@dataclass(frozen=True)
class Position:
    men: Mapping[Point, Man]
    side: str  # whose turn it is
    seen: Mapping[object, int] = field(default_factory=dict)  # how often each position has stood

    def key(self) -> object:
        return frozenset(self.men.items()), self.side

    def board(self) -> frozenset[tuple[str, str, bool]]:
        """Which men stand where: (point, side, is a king)."""
        return frozenset((name(p), m.side, m.king) for p, m in self.men.items())

    def text(self) -> str:
        """The position in the interpreter's spelling; memory is left out."""
        halves = []
        for side in ("white", "black"):
            names = [("king:" if self.men[p].king else "") + name(p) for p in POINTS if self.holds(p, side)]
            halves.append(" ".join([side, *names]))
        return f"{halves[0]} / {halves[1]} ; {self.side}"

    def holds(self, point: Point, side: str) -> bool:
        return point in self.men and self.men[point].side == side


class Turn(NamedTuple):
    text: str
    after: Position
    outcome: str | None  # "white", "black", "draw", or None while the game goes on


def name(point: Point) -> str:
    return "abcde"[point[0] - 1] + str(point[1])


def point(text: str) -> Point:
    return "abcde".index(text[0]) + 1, int(text[1])


def start(rules: Rules) -> Position:
    """Twelve a side: two rows, and two of the middle row on the right or the left."""
    white_middle = ["d3", "e3"] if rules.handedness == "right" else ["a3", "b3"]
    men = {}
    for p in POINTS:
        if p[1] <= 2 or name(p) in white_middle:
            men[p] = Man("white")
        elif name(p) != "c3":
            men[p] = Man("black")
    return Position(men, rules.first)


def line(origin: Point, way: tuple[int, int]) -> list[Point]:
    """The points met on a drawn line, going from ``origin`` one way, nearest first."""
    if 0 not in way and sum(origin) % 2 == 1:
        return []
    found = []
    f, r = origin
    while True:
        f, r = f + way[0], r + way[1]
        if not (1 <= f <= 5 and 1 <= r <= 5):
            return found
        found.append((f, r))


def goes_back(man: Man, way: tuple[int, int]) -> bool:
    """Only men are bound by direction; a king has none."""
    return not man.king and way[1] == -FORWARD[man.side]


def steps(men: Mapping[Point, Man], side: str, rules: Rules) -> Iterator[tuple[Point, Point]]:
    """Every step (from, to) with which nothing is taken."""
    for origin, man in men.items():
        if man.side != side:
            continue
        if rules.far_row == "frozen" and not man.king and origin[1] == FAR_ROW[side]:
            continue
        for way in EVERY_WAY:
            if rules.step == "no-backward" and goes_back(man, way):
                continue
            reach = line(origin, way) if man.king else line(origin, way)[:1]
            for target in reach:
                if target in men:
                    break
                if target not in man.shunned:
                    yield origin, target


def leaps(men: Mapping[Point, Man], origin: Point, rules: Rules, first: bool) -> Iterator[tuple[Point, Point]]:
    """Every single leap (over, to) of the man on ``origin``."""
    man = men[origin]
    for way in EVERY_WAY:
        barred = rules.capture_direction == "no-backward" or (rules.capture_direction == "first-not-backward" and first)
        if barred and goes_back(man, way):
            continue
        ahead = line(origin, way)
        if not man.king:
            ahead = ahead[:2]
        over = None
        for p in ahead:
            if p not in men:
                if over is not None:
                    yield over, p
            elif over is None and men[p].side != man.side:
                over = p
                if not man.king and p != ahead[0]:
                    break
            else:
                break


class Chain(NamedTuple):
    landings: tuple[Point, ...]  # from, then each landing point
    men: Mapping[Point, Man]
    taken: int
    unfinished: bool  # he stopped though he could have gone on


def chains(men: Mapping[Point, Man], landings: tuple[Point, ...], taken: int, rules: Rules) -> Iterator[Chain]:
    """Every way in which the man on the last of ``landings`` may go on leaping, or end."""
    here = landings[-1]
    more = list(leaps(men, here, rules, first=taken == 0))
    if taken and rules.chain == "single":
        yield Chain(landings, men, taken, unfinished=False)
        return
    if taken and not more:
        yield Chain(landings, men, taken, unfinished=False)
    if taken and more and rules.chain == "may-stop":
        yield Chain(landings, men, taken, unfinished=True)
    for over, to in more:
        after = dict(men)
        man = after.pop(here)
        del after[over]
        if rules.no_return == "last":
            man = man._replace(shunned=frozenset())
        elif rules.no_return == "visited":
            man = man._replace(shunned=man.shunned | {here})
        after[to] = man
        yield from chains(after, (*landings, to), taken + 1, rules)


def captures(men: Mapping[Point, Man], side: str, rules: Rules) -> list[Chain]:
    """All captures that ``side`` may make as the men stand."""
    found = [c for p, m in men.items() if m.side == side for c in chains(men, (p,), 0, rules)]
    if rules.most == "most" and found:
        greatest = max(c.taken for c in found)
        found = [c for c in found if c.taken == greatest]
    return found


def moves(men: Mapping[Point, Man], side: str, rules: Rules) -> Iterator[tuple[str, Mapping[Point, Man]]]:
    """Every move proper, the huff apart: its text and the men after it, the newly liable marked."""
    taking = captures(men, side, rules)
    for c in taking:
        after = dict(c.men)
        last = c.landings[-1]
        if c.unfinished and rules.capture == "huff" and rules.huff_partial == "yes":
            after[last] = after[last]._replace(liable=True)
        yield "x".join(map(name, c.landings)) + (" stop" if c.unfinished else ""), after
    if taking and rules.capture == "forced":
        return
    could_take = {c.landings[0] for c in taking} if rules.capture == "huff" else set()
    for origin, target in steps(men, side, rules):
        liable = {origin} if rules.huff_who == "moved" and origin in could_take else could_take
        after = {p: m._replace(liable=p in liable) if m.side == side else m for p, m in men.items()}
        man = after.pop(origin)
        if rules.no_return == "last":
            man = man._replace(shunned=frozenset({origin}))
        elif rules.no_return == "visited":
            man = man._replace(shunned=man.shunned | {origin})
        after[target] = man
        yield f"{name(origin)}-{name(target)}", after


def huffs(men: Mapping[Point, Man], side: str, rules: Rules) -> Iterator[tuple[str, Mapping[Point, Man]]]:
    """Every huff: its text and the men after it. One huff and the right is spent."""
    liable = [p for p, m in men.items() if m.side != side and m.liable]
    groups = [liable] if rules.huff_who == "all" and liable else [[p] for p in liable]
    for group in groups:
        left = {p: m._replace(liable=False) for p, m in men.items() if p not in group}
        yield "huff" if rules.huff_who == "all" else f"~{name(group[0])}", left


def has_men(men: Mapping[Point, Man], side: str) -> bool:
    return any(m.side == side for m in men.values())


def turns(position: Position, rules: Rules) -> list[Turn]:
    """Every whole turn, by path, each with its outcome. None: the side to move has lost."""
    found = []
    for turn in unsettled(position, rules):
        if turn.outcome is None:
            if rules.repetition == "third-is-draw" and turn.after.seen[turn.after.key()] >= 3:
                turn = turn._replace(outcome="draw")
            elif next(unsettled(turn.after, rules), None) is None:  # the other side is blocked
                turn = turn._replace(outcome=position.side)
        found.append(turn)
    return found


def unsettled(position: Position, rules: Rules) -> Iterator[Turn]:
    """Every whole turn; whether it draws the game or blocks the other side is not asked yet."""
    for turn in played(position, rules):
        if not (rules.repetition == "barred" and turn.after.seen.get(turn.after.key(), 0) >= 3):
            yield turn


def played(position: Position, rules: Rules) -> Iterator[Turn]:
    side, other = position.side, OTHER[position.side]
    huffing = list(huffs(position.men, side, rules))
    for text, men in huffing:
        own = list(moves(men, side, rules))
        if not has_men(men, other):
            yield Turn(text, Position(men, other), side)
        elif rules.huff_cost == "turn":
            yield ended(text, men, position, rules)
        elif not own:  # he has huffed, and now he cannot move
            yield Turn(text, Position(men, other), other)
        else:
            for move, after in own:
                yield ended(f"{text} {move}", after, position, rules)
    if not (huffing and rules.huff_duty == "automatic"):
        for move, after in moves(position.men, side, rules):
            yield ended(move, after, position, rules)


def ended(text: str, men: Mapping[Point, Man], before: Position, rules: Rules) -> Turn:
    """The turn is over: men on the far row are crowned, the other side's neglect lapses."""
    side, other = before.side, OTHER[before.side]
    after = {}
    for p, man in men.items():
        if man.side == other:
            man = man._replace(liable=False)
        elif rules.promotion == "far-row" and p[1] == FAR_ROW[side]:
            man = man._replace(king=True)
        after[p] = man
    key = Position(after, other).key()
    seen = {**before.seen, key: before.seen.get(key, 0) + 1}
    return Turn(text, Position(after, other, seen), None if has_men(after, other) else side)


def perft(position: Position, depth: int, rules: Rules, by: str = "path") -> list[int]:
    """How many turns, depth by depth; ``result`` merges the turns of one position that end alike."""
    layer = [position]
    counts = []
    for _ in range(depth):
        following: list[Turn] = []
        for place in layer:
            found = turns(place, rules)
            if by == "result":
                found = list({(t.after.key(), t.outcome): t for t in found}.values())
            following += found
        counts.append(len(following))
        layer = [t.after for t in following if t.outcome is None]
    return counts
