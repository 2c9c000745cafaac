"""Which games can be played on words alone, and why that is sound.

A game is *pointwise* if all that its clauses can ever read or write, from a turn's
beginning on, is where men stand on points, and one word holds the points. Then a turn
needs no record: a word for each side and kind (and the active man while a turn goes
on) is the whole state, and ``kernel`` plays with such words in variables.

``why_not`` proves it from the game, or says what stands in the way:

- No dice, no phase in which the other side decides, no question that looks ahead (`after`,
  `most`, `least`, `can`), no facts of men but marks. Marks are words as men are, and travel
  with them; facts that the game or a side has are a word each; what was written in the
  turn under way is kept too, but is blank where a turn begins, as tallies are.
- Terms read men, the path, facts and what is fixed (``READ``). Of places beside the board
  nothing is read but how many men are there, and that is kept only where it is read or
  where men come in from (``stocks``); a path that ends there is of a verb of which nobody
  asks where it goes. Men taken are out of reach.
- Repeats are asked for at the end of a turn only. Men never come back to the board, so
  two positions of a game with equal men on points and yet to come in have equal men beside
  it, and no position from before men were taken or came in can stand again: those since
  then are kept.
- Points hold one man, so a decision's origin says which man moves.
- Effects `take` and `make` work on sets. So men never appear on a point but by moving,
  and kinds that are neither set up nor made never exist: ``live_kinds`` is closed under
  what the effects can do, and words of other kinds are 0.
- Control is `again` and `hand over`: the words at the end of a decision say all about what
  can follow. The man who alone goes on is one of the path, so there is one. A side that is
  to go on and can do nothing surely ends the game.
- At the end of the turn effects and ends read nothing of the last decision, nor the phase.
- A side that can do nothing at the beginning of its turn surely ends the game.
- Duties, if there are any, filter rows of masks (``Dutiful.by_rows``); one that is not
  enforced holds nothing good that it binds, so any better decision makes it neglected.

A state that comes from elsewhere (a position) is looked at before: see ``kernel``.
"""

from __future__ import annotations

from interpreter.compiled.building import Building
from interpreter.compiled.groups import moves_men
from interpreter.compiled.stocks import enters, stocks_of
from interpreter.compiled.stocks import why_not as not_counted
from interpreter.compiled.terms import path_free
from interpreter.game.types import BOOL, Ends, Expression, Game, May, Must
from interpreter.game.walk import every_expression, nodes, ops
from interpreter.machine.evaluate import conjuncts, fixed

READ = frozenset(
    (
        *("int", "true", "false", "and", "or", "not", "compare", "choose", "plus", "minus", "times", "score"),
        *("places", "union", "common", "without", "where", "it", "their", "size", "in", "meets", "same-places"),
        *("from", "to", "over", "direction", "heads", "same-direction", "no-direction", "opposite", "die", "excess"),
        *("standing", "empty", "count", "active", "phase-is", "verb-is", "neighbours", "beyond", "ahead", "behind"),
        *("joined", "row", "rows", "marked", "fact", "taken", "plays", "turns"),
    )
)
"""Words that read men on points, the decision, facts, or what never changes."""

OF_TRACKS = frozenset(("nr", "behind-on-track", "beyond-on-track", "stretch", "run", "run-through"))
GOALS = frozenset(("to", "beyond", "ahead", "behind"))
ON_MEN = ("take", "make", "mark", "unmark", "forget", "remember")
WITHIN_TURN = frozenset(("phase-is", "active"))


def live_kinds(game: Game) -> tuple[frozenset[int], frozenset[int]]:
    """For each side, the kinds of men that can stand on points or be counted: those set up, and those made of them."""
    kinds, places, points = len(game.kinds), game.places, game.board.points
    live: list[set[int]] = [set(), set()]
    for side in (0, 1):
        waiting = [place for whose, place in stocks_of(game) if whose == side]
        for kind in range(kinds):
            start = (side * kinds + kind) * places
            if any(game.setup[start : start + points]) or any(game.setup[start + place] for place in waiting):
                live[side].add(kind)
    before = -1
    while before != len(live[0]) + len(live[1]):
        before = len(live[0]) + len(live[1])
        for then in game.then:
            for effect in then.do:
                if effect.op != "make":
                    continue
                who, kind, new = effect.data
                for side in then.sides:
                    theirs = live[side ^ who]
                    if theirs & ({kind} if kind >= 0 else set(range(kinds))):
                        theirs.add(new)
    return frozenset(live[0]), frozenset(live[1])


def asks_empty(e: Expression) -> bool:
    """Does a condition hold only if nobody stands where the man goes?"""
    return e.op == "in" and _names_to(e.args[0]) and _within_empty(e.args[1])


def _names_to(e: Expression) -> bool:
    return e.op == "to" or (e.op == "union" and any(_names_to(a) for a in e.args))


def _within_empty(e: Expression) -> bool:
    if e.op == "common":
        return any(_within_empty(a) for a in e.args)
    return e.op == "empty" or (e.op == "without" and _within_empty(e.args[0]))


def goes_to_empty(mays: list[May]) -> bool:
    """Does a man who moves by these clauses always go to an empty point?"""
    return all(any(asks_empty(e) for e in conjuncts(m.when)) for m in mays if moves_men(m))


def plain(ends: Ends, phases: int) -> bool:
    """Can an ending be asked of the men alone, whatever the decision was?"""
    read = ops(ends.when) | ops(ends.points)
    free = path_free(ends.when) and path_free(ends.points) and not read & WITHIN_TURN
    return free and "verbs" not in ends.clause.fields and len(ends.phases) == phases


def why_not(building: Building, by_rows: bool) -> str:
    """What keeps a game from being pointwise; empty if it is."""
    game, layout = building.game, building.layout
    if game.throw is not None:
        return "dice"
    if game.board.many:
        return "points that hold many men"
    if layout.points > 64:
        return "more points than a word holds"
    if any(memory.on_men and memory.kind != "mark" for memory in game.memories):
        return "facts of men that are not marks"
    if game.reads_last:
        return "the turn's last decision"
    if any(phase.by_foe for phase in game.phases):
        return "a phase in which the other side decides"
    if any(bar.after is not None for bar in game.may_not):
        return "a prohibition that looks ahead"
    if game.must and (not by_rows or not all(_plain_breach(building, must) for must in game.must)):
        return "a duty that looks ahead"
    return _terms(game) or _paths(building) or _moments(building) or _stuck(game)


def _plain_breach(building: Building, must: Must) -> bool:
    """A duty that is enforced, or neglected by every decision it binds as soon as there is a better one."""
    if must.breach < 0:
        return True
    if must.measure != "prefer" or must.value.sort != BOOL or must.among or must.unless is not None:
        return False
    bound = [(g.verb, p.index) for g in building.groups if g.verb in must.binds for p in g.paths.values()]
    value = building.terms.value_at
    return fixed(must.value) and not any(value(must.value, side, path, verb) for verb, path in bound for side in (0, 1))


def _terms(game: Game) -> str:
    tracks_inside = all(place < game.board.points for track in game.board.tracks for place in track)
    allowed = READ | OF_TRACKS if tracks_inside else READ
    at_ends = [e.when for e in game.ends if e.moment == "turn-end"]
    for e in every_expression(game):
        for node in nodes(e):
            if node.op not in allowed and not (node.op == "repeats" and any(e is when for when in at_ends)):
                return f"the word {node.op}"
    return not_counted(game, live_kinds(game))


def removing(may: May) -> bool:
    """Does a man leave the board by this clause?"""
    return may.way is not None and may.way.name == "remove"


def _paths(building: Building) -> str:
    game, points = building.game, building.game.board.points
    for may in game.may:
        for side in (0, 1):
            for number in may.paths[side] if may.way is not None else ():
                path = game.paths[number]
                on_board = 0 <= path.origin < points and (0 <= path.to < points or removing(may))
                if not on_board and not (enters(may, game) and 0 <= path.to < points):
                    return "paths from or to places beside the board"
    leaving = {may.verb for may in game.may if removing(may)}
    if leaving & {may.verb for may in game.may if moves_men(may) and not removing(may)}:
        return "a verb for moves on the board and off it"
    for group in building.groups:
        if not group.moves or (group.origin.by is None and group.to.by == 0):
            continue
        if group.origin.by != 0 or (group.to.by is None and group.verb not in leaving):
            return "paths that do not begin where they are counted"
    if leaving and any(ops(e) & GOALS for e in _concerning(game, leaving)):
        return "a man who leaves the board, and where he goes is asked"
    for verb in range(len(game.verbs)):
        if len({g.moves for g in building.groups if g.verb == verb}) > 1:
            return "a verb with and without a path"
    return ""


def _concerning(game: Game, verbs: set[int]) -> list[Expression]:
    """What is asked of decisions with these verbs."""
    found = [m.when for m in game.may if m.verb in verbs] + [must.value for must in game.must]
    found += [n.when for n in game.may_not if n.when is not None and n.verbs & verbs]
    for then in game.then:
        if "verbs" not in then.clause.fields or then.verbs & verbs:
            found += [then.when, *(a for effect in then.do for a in effect.args)]
    for ends in game.ends:
        if "verbs" not in ends.clause.fields or ends.verbs & verbs:
            found += [ends.when, ends.points]
    return found


def _moments(building: Building) -> str:
    game = building.game
    still = {g.verb for g in building.groups if not g.moves}
    for then in game.then:
        able = {"decision": (*ON_MEN, "again", "hand-over"), "turn-end": ON_MEN}.get(then.moment, ())
        for effect in then.do:
            if effect.op not in able:
                return f"the effect {effect.op} at {then.moment}"
            if effect.op == "again" and effect.args:
                verbs = then.verbs if "verbs" in then.clause.fields else set(range(len(game.verbs)))
                if effect.args[0].op not in ("from", "to") or verbs & still:
                    return "a man who goes on, where there may be none"
        asked = ops(then.when).union(*(ops(a) for d in then.do for a in d.args))
        if then.moment == "turn-end" and (asked & WITHIN_TURN or len(then.phases) != len(game.phases)):
            return "an effect at the end of a turn that asks for its phase"
    for ends in game.ends:
        if ends.moment not in ("decision", "turn-end", "stuck"):
            return f"an ending at {ends.moment}"
        if ends.moment == "turn-end" and not plain(ends, len(game.phases)):
            return "an ending at the end of a turn that asks for its phase"
    return ""


def _stuck(game: Game) -> str:
    phases = {0}
    for then in game.then:
        for effect in then.do:
            if effect.op == "again" and not effect.data[1]:
                phases |= set(then.phases) if effect.data[0] < 0 else {effect.data[0]}
    for side in (0, 1):
        for phase in phases:
            if not any(
                e.moment == "stuck" and e.when.op == "true" and phase in e.phases and side in _readers(e, side)
                for e in game.ends
            ):
                return "a side that is stuck and plays on"
    return ""


def _readers(ends: Ends, mover: int) -> set[int]:
    """The mover, if an ending that always holds surely holds for him or the other side."""
    if ends.reader == "both":
        return {mover} if set(ends.sides) == {0, 1} else set()
    readers = {"mover": {mover}, "foe": {1 - mover}}.get(ends.reader, {0, 1})
    return {mover} if readers & set(ends.sides) else set()
