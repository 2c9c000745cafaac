"""Verquere, the two Swedish games and Backgammon, played by a program that knows nothing else.

Every side numbers its own track: 0 the bar, 1..24 the points in the order in
which it passes them, 25 off the board. In the northern games the two tracks run
the same way round, half a board apart; in Backgammon they are opposite.

``results`` answers one question: from this position, with this throw, how may
things stand when the turn is over? It makes all sequences of men's moves and
then strikes out those that neglect a duty.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from typing import NamedTuple

BAR, HEAD, LAST, OFF = 0, 12, 24, 25
ENTRY = range(1, 7)
HOME = range(19, 25)

POSITIONS = {
    "three-by-five": {20: 3, 21: 3, 22: 3, 23: 3, 24: 3},
    "five-by-three": {22: 5, 23: 5, 24: 5},
    "three-five-seven": {22: 3, 23: 5, 24: 7},
    "fifteen": {24: 15},
}
SWEDISH_NAMES = {
    "three-by-five": "single-crown",
    "five-by-three": "double-crown",
    "three-five-seven": "staircase",
    "fifteen": "tower",
}


@dataclass(frozen=True)
class Rules:
    game: str  # verquere | wilson | vasa | backgammon
    far_side_bands: str = "head-only"  # head-only | unlock-at-head | none | free
    jean_count: str = "own-held"  # own-held | seven-men | strictly-empty | not-own-not-closed | never
    jean_value: str = "double"  # double | four
    junker: str = "pass-until-all-fit"  # pass-until-all-fit | enter-what-fits
    bear_off_excess: str = "backmost"  # backmost | exact
    bear_off_who: str = "any"  # any | backmost
    starter: str = "highest"  # of no account here
    six_prime: str = "free"  # free | forbidden
    blockade_win: str = "no"  # no | yes
    end_play: str = "waived"  # waived | strict
    duties: str = "both-dice-larger"  # both-dice-larger | both-dice | free
    entry_on_own: str = "barred"  # barred | allowed
    wall_read_on: str = "own"  # own | foe
    limit_when: str = "each-die"  # each-die | turn-end
    position_when: str = "each-die"  # each-die | turn-end
    jean_when: str = "every-move"  # every-move | hit-only
    try_position_first: str = "no"  # no | yes
    burst_when: str = "only-if-stuck"  # only-if-stuck | any-time
    burst_from_bar: str = "no"  # no | yes

    @classmethod
    def of(cls, game: str, options: Mapping[str, str] | None = None) -> Rules:
        """The game as it is usually played, less what ``options`` say otherwise."""
        chosen = {name.replace("-", "_"): value for name, value in (options or {}).items()}
        return replace(USUAL[game], **chosen)

    @property
    def swedish(self) -> bool:
        return self.game in ("wilson", "vasa")

    def across(self, point: int) -> int:
        """The other side's number of a point of mine."""
        if self.game == "backgammon":
            return 25 - point
        return point + 12 if point <= 12 else point - 12


USUAL = {
    "verquere": Rules("verquere"),
    "wilson": Rules(
        "wilson",
        far_side_bands="unlock-at-head",
        jean_count="strictly-empty",
        six_prime="forbidden",
        junker="enter-what-fits",
    ),
    "vasa": Rules("vasa", bear_off_who="backmost", junker="enter-what-fits", starter="lowest", jean_value="four"),
    "backgammon": Rules(
        "backgammon", far_side_bands="free", jean_count="never", junker="enter-what-fits", entry_on_own="allowed"
    ),
}


class Side(NamedTuple):
    men: tuple[int, ...]  # 26 numbers: bar, points 1..24, off
    head: bool = False  # has had a man on the head (kept only where that matters)

    def has(self, point: int) -> bool:
        return self.men[point] >= 1


class Outcome(NamedTuple):
    won: bool  # by the side whose turn it was
    points: int
    kind: str


class Result(NamedTuple):
    mover: Side
    other: Side
    outcome: Outcome | None


class Hop(NamedTuple):
    origin: int
    target: int
    die: int
    waste: int  # pips by which the die passes the place left to
    burst: bool


@dataclass(frozen=True)
class Play:
    hops: tuple[Hop, ...]
    mover: Side
    other: Side
    outcome: Outcome | None = None

    @property
    def ended(self) -> bool:
        return self.outcome is not None


def side(men: Mapping[int, int], head: bool = False) -> Side:
    return Side(tuple(men.get(p, 0) for p in range(26)), head)


def initial(rules: Rules) -> Side:
    return side({1: 2, 12: 5, 17: 3, 19: 5} if rules.game == "backgammon" else {1: 15})


# ----------------------------------------------------------------- counting


def open_points(me: Side, foe: Side, rules: Rules) -> int:
    """Points of my entry quarter that are neither my own nor closed."""
    return sum(1 for p in ENTRY if not me.has(p) and foe.men[rules.across(p)] <= 1)


def longest_wall(me: Side, rules: Rules) -> int:
    """My bands that stand in a row, on my own track or on the other side's."""
    bands = {p for p in range(1, 25) if me.men[p] >= 2}
    if rules.wall_read_on == "foe":
        bands = {rules.across(p) for p in bands}
    return max((length_of_stretch(bands, p) for p in bands), default=0)


def length_of_stretch(bands: set[int], point: int) -> int:
    first = last = point
    while first - 1 in bands:
        first -= 1
    while last + 1 in bands:
        last += 1
    return last - first + 1


def too_long(me: Side, foe: Side, rules: Rules) -> bool:
    """More than five bands in a row, which only a foe with one man left must suffer."""
    return rules.six_prime == "forbidden" and foe.men[OFF] != 14 and longest_wall(me, rules) > 5


def is_jean(me: Side, foe: Side, rules: Rules) -> bool:
    """Can I never bring all my men in again?"""
    waiting = me.men[BAR]
    if rules.jean_count == "never":
        return False
    if rules.game == "vasa" and me.men[OFF] == 14 and waiting > open_points(me, foe, rules):
        return True
    if rules.jean_count == "seven-men":
        return waiting >= 7
    if rules.jean_count == "strictly-empty":
        return waiting > sum(1 for p in ENTRY if not me.has(p) and not foe.has(rules.across(p)))
    if rules.jean_count == "not-own-not-closed":
        return waiting > open_points(me, foe, rules)
    return waiting + sum(1 for p in ENTRY if me.has(p)) > 6


def handsome(me: Side) -> str | None:
    """The winning position in which all fifteen men stand."""
    standing = {p: n for p, n in enumerate(me.men) if n}
    return next((name for name, shape in POSITIONS.items() if shape == standing), None)


# -------------------------------------------------------------- men's moves


def hops(me: Side, foe: Side, dice: tuple[int, ...], rules: Rules) -> list[Hop]:
    """What any one man may do now with any one of the dice."""
    plain, bursts = [], []
    for die in sorted(set(dice)):
        for origin in range(25):
            if not me.has(origin) or (me.has(BAR) and origin != BAR):
                continue
            hop = Hop(origin, min(origin + die, OFF), die, max(origin + die - OFF, 0), burst=False)
            if hop.target == OFF:
                if may_bear_off(me, hop, rules):
                    plain.append(hop)
            elif not crowds_own(me, hop, rules):
                (plain if foe.men[rules.across(hop.target)] <= 1 else bursts).append(hop)
    plain = [h for h in plain if not spoils(me, foe, h, rules)]
    bursts = [h._replace(burst=True) for h in bursts]
    bursts = [h for h in bursts if not spoils(me, foe, h, rules)]
    return plain + vulnerable(me, foe, plain, bursts, rules)


def may_bear_off(me: Side, hop: Hop, rules: Rules) -> bool:
    backmost = not any(me.has(p) for p in range(hop.origin))
    if any(me.has(p) for p in range(19)):
        return False
    if hop.waste and (rules.bear_off_excess == "exact" or not backmost):
        return False
    return backmost or rules.bear_off_who == "any"


def crowds_own(me: Side, hop: Hop, rules: Rules) -> bool:
    """Would the man come where his own side may not have a second?"""
    if not me.has(hop.target):
        return False
    if hop.origin == BAR and rules.entry_on_own == "barred":
        return True
    if rules.far_side_bands == "head-only":
        return hop.target < HEAD
    if rules.far_side_bands == "unlock-at-head":
        return hop.target < HEAD and not me.head
    if rules.far_side_bands == "none":
        return hop.target <= HEAD
    return False


def spoils(me: Side, foe: Side, hop: Hop, rules: Rules) -> bool:
    """Would there be a wall too long after it, where that is looked at die by die?"""
    return rules.limit_when == "each-die" and too_long(*moved(me, foe, hop, rules), rules)


def vulnerable(me: Side, foe: Side, plain: list[Hop], bursts: list[Hop], rules: Rules) -> list[Hop]:
    """Those hops onto bands with which the band may be burst."""
    if rules.game != "vasa" or me.men[OFF] == 14:
        return []
    crowded = me.men[BAR] > open_points(me, foe, rules)
    entering = [h for h in bursts if h.origin == BAR and crowded]
    if rules.burst_when == "only-if-stuck" and (plain or entering):
        return entering
    bands = {rules.across(p) for p in range(1, 25) if foe.men[p] >= 2}
    walls = [h for h in bursts if length_of_stretch(bands, h.target) > 5]
    if rules.burst_from_bar == "no":
        walls = [h for h in walls if h.origin != BAR]
    return [h for h in bursts if h in entering or h in walls]


def moved(me: Side, foe: Side, hop: Hop, rules: Rules) -> tuple[Side, Side]:
    """Both sides after the hop; whoever stood on the point is on the bar."""
    mine, theirs = list(me.men), list(foe.men)
    mine[hop.origin] -= 1
    mine[hop.target] += 1
    if hop.target != OFF:
        there = rules.across(hop.target)
        theirs[BAR] += theirs[there]
        theirs[there] = 0
    head = me.head or (rules.far_side_bands == "unlock-at-head" and hop.target == HEAD)
    return Side(tuple(mine), head), Side(tuple(theirs), foe.head)


# ------------------------------------------------------------------- endings


def end_after(hop: Hop, hit: bool, me: Side, foe: Side, rules: Rules) -> Outcome | None:
    """Does the hop just made end the game?"""
    if is_jean(foe, me, rules) and (hit or rules.jean_when == "every-move"):
        if rules.game == "vasa" and hop.burst:
            return Outcome(True, 6, "sprangjan")
        return Outcome(True, 4 if rules.jean_value == "four" else 2, "jan" if rules.swedish else "jean")
    if rules.position_when == "each-die" and (won := end_by_position(me, foe, rules)):
        return won
    return end_by_bearing_off(me, foe, rules)


def end_by_position(me: Side, foe: Side, rules: Rules) -> Outcome | None:
    shape = handsome(me) if rules.swedish else None
    if shape is None:
        return None
    if rules.game == "wilson":
        return Outcome(True, 1, shape)
    return Outcome(True, 3 if foe.has(BAR) else 2, SWEDISH_NAMES[shape])


def end_by_bearing_off(me: Side, foe: Side, rules: Rules) -> Outcome | None:
    if any(me.men[:OFF]):
        return None
    if rules.game == "vasa":
        return Outcome(True, 2 if foe.has(BAR) else 1, "hemspel")
    if rules.game == "backgammon" and not foe.has(OFF):
        behind = foe.has(BAR) or any(foe.has(rules.across(p)) for p in HOME)
        return Outcome(True, 3, "backgammon") if behind else Outcome(True, 2, "gammon")
    return Outcome(True, 1, "all-off")


# --------------------------------------------------------------------- turns


def without(dice: tuple[int, ...], die: int) -> tuple[int, ...]:
    left = list(dice)
    left.remove(die)
    return tuple(left)


def sequences(play: Play, dice: tuple[int, ...], rules: Rules) -> Iterator[Play]:
    """Every way to go on from here to where the throw is played out, or can be played no further."""
    if play.ended:
        yield play
        return
    onward = False
    for hop in hops(play.mover, play.other, dice, rules) if dice else []:
        me, foe = moved(play.mover, play.other, hop, rules)
        hit = foe.men[BAR] > play.other.men[BAR]
        after = Play((*play.hops, hop), me, foe, end_after(hop, hit, me, foe, rules))
        for whole in sequences(after, without(dice, hop.die), rules):
            onward = True
            yield whole
    may_stop = rules.duties == "free" or not onward
    if may_stop and not (rules.limit_when == "turn-end" and too_long(play.mover, play.other, rules)):
        won = end_by_position(play.mover, play.other, rules) if rules.position_when == "turn-end" else None
        yield replace(play, outcome=won)


def dutiful(plays: list[Play], rules: Rules) -> list[Play]:
    """The plays that neglect no duty. Those that end the game are excused, unless all is strict."""
    excused = [p for p in plays if p.ended] if rules.end_play == "waived" else []
    bound = [p for p in plays if p not in excused]

    def keep(measure: Callable[[Play], int]) -> None:
        best = max(map(measure, bound), default=None)
        bound[:] = [p for p in bound if measure(p) == best]

    if rules.duties != "free":
        keep(lambda p: len(p.hops))
    if rules.duties == "both-dice-larger":
        keep(lambda p: sum(h.die for h in p.hops))
    if rules.game == "vasa":
        keep(lambda p: -sum(h.waste for h in p.hops))
    if rules.try_position_first == "yes":
        keep(lambda p: not p.mover.has(OFF))
    return excused + bound


def plays(me: Side, foe: Side, throw: tuple[int, int], rules: Rules) -> list[Play]:
    """Every lawful way to play a throw; one without hops where nothing can be played."""
    dice = throw * 2 if throw[0] == throw[1] else throw
    still = Play((), me, foe)
    junker = rules.junker == "pass-until-all-fit" and me.men[BAR] > open_points(me, foe, rules)
    found = [still] if junker else list(sequences(still, dice, rules))
    if rules.blockade_win == "yes" and all(not p.hops for p in found):
        return [replace(still, outcome=Outcome(False, 1, "blockade"))]
    return dutiful(found, rules) or [still]


def results(me: Side, foe: Side, throw: tuple[int, int], rules: Rules) -> set[Result]:
    """How things may stand when the turn is over."""
    return {Result(p.mover, p.other, p.outcome) for p in plays(me, foe, throw, rules)}


# ----------------------------------------------------- positions to begin with


def reachable(me: Side, foe: Side, rules: Rules) -> bool:
    """Can two sides stand so while the game goes on? (What no clause forbids is taken as possible.)"""
    for one, other in ((me, foe), (foe, me)):
        if any(one.has(p) and other.has(rules.across(p)) for p in range(1, 25)):
            return False
        if one.men[OFF] == 15:
            return False
        if is_jean(one, other, rules) and rules.jean_when == "every-move":
            return False
        if rules.swedish and handsome(one):
            return False
        if too_long(one, other, rules):
            return False
        if bands_too_early(one, rules):
            return False
    return True


def bands_too_early(me: Side, rules: Rules) -> bool:
    """Do two men stand together on the far side where they could not have met?"""
    met = {p for p in range(2, HEAD + 1) if me.men[p] > 1}
    if rules.far_side_bands == "unlock-at-head" and me.head:
        return False
    if rules.far_side_bands == "unlock-at-head" and me.has(HEAD):
        return True  # one man on the head and the far side would be open
    if rules.far_side_bands in ("head-only", "unlock-at-head"):
        met.discard(HEAD)
    return bool(met) and rules.far_side_bands != "free"


def scattered(chance: random.Random, rules: Rules) -> tuple[Side, Side]:
    """Two sides somewhere in a game, chosen so that the rarer rules come into play."""
    while True:
        shapes = [chance.choice(SHAPES), chance.choice(SHAPES)]
        if chance.random() < 0.2:
            shapes = ["wall", chance.choice(["behind a wall", "behind a wall", "waiting"])]
        me = sketch(chance, rules, shapes[0], taken=set())
        foe = sketch(chance, rules, shapes[1], {rules.across(p) for p in range(1, 25) if me.has(p)})
        if reachable(me, foe, rules):
            return (me, foe) if chance.random() < 0.5 else (foe, me)


SHAPES = ["anywhere", "late", "home", "handsome", "waiting", "brink", "last", "wall", "behind a wall"]
GROUND = {"late": range(12, 25), "home": range(19, 25), "handsome": range(17, 25), "brink": range(13, 25)}


def sketch(chance: random.Random, rules: Rules, shape: str, taken: set[int]) -> Side:
    """Fifteen men of one side, few of them on the points ``taken``."""
    men = [0] * 26
    free = [p for p in range(1, 25) if p not in taken]
    if shape == "handsome":  # one or two men short of a winning position
        for p, n in chance.choice(list(POSITIONS.values())).items():
            men[p] = n
        for _ in range(chance.choice([1, 1, 2])):
            men[chance.choice([p for p in range(20, 25) if men[p]])] -= 1
    if shape == "wall":  # five or six bands in a row, or nearly, and men who may lengthen it
        first = chance.choice([1, 2, 3, 8, 9, 10, 11, 13, 13, 14, 15, 16, 17, 18, 19])
        for p in range(first, min(first + 5, OFF)):
            men[p] = 1 if chance.random() < 0.05 else 2
        men[min(first + 5, LAST)] += chance.choice([0, 1, 2])
        for p in chance.sample(range(6), 2):
            men[max(first - p, BAR)] += 1
    if shape == "behind a wall":  # a man or two before points that are taken
        before = [p for p in free if len(taken & set(range(p + 1, p + 7))) >= 3]
        for p in chance.sample(before, min(len(before), chance.choice([1, 2]))):
            men[p] = 1
        men[OFF] = chance.choice([0, 0, 0, 5, 13])
    if shape == "last":
        men[OFF] = 14
    if shape == "waiting":
        men[BAR] = chance.choice([1, 2, 3, 4, 5, 6])
    if shape == "brink":  # on the bar and in the entry quarter almost as many as make jean
        men[BAR] = chance.choice([0, 1, 2, 3, 4, 5, 6])
        entry = [p for p in ENTRY if p in free]
        for p in chance.sample(entry, min(6 - men[BAR], len(entry))):
            men[p] = 1
        for p in chance.sample(range(7, 23), 3):
            men[p] = 1 if p in free else 0
    if shape == "home":
        men[OFF] = chance.choice([0, 0, 1, 5, 9, 12])
    ground = GROUND.get(shape) or chance.choice([range(1, 25), range(13, 25), range(19, 25)])
    ground = [p for p in ground if p in free] or free
    few = chance.sample(ground, min(len(ground), chance.choice([1, 2, 4, 8])))
    while sum(men) < 15:
        p = chance.choice(few)
        if 1 < p < HEAD and men[p] and chance.random() < 0.9:
            p = chance.choice([q for q in (*few, LAST, 13, 1) if q not in taken] or [BAR])
        men[p] += 1
    head = rules.far_side_bands == "unlock-at-head" and (men[HEAD] > 0 or chance.random() < 0.5)
    return Side(tuple(men), head)
