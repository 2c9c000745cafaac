"""Players that are not human: one draws, one looks a turn ahead. In the compiled machine they are built in.

What is here is their meaning, and serves the reference machine; ``compiled.exploring`` and
``compiled.judging`` choose the same, draw by draw (``seats.choose`` asks whichever there is).

They know no game. What a position is worth to a side is measured by what every game
has: how it ended, how many men of the other side stand on the board, where one's own
stand on their track.

A player's draws come from a generator of their own (so that the dice do not depend on
who plays), keyed by the seed and by how much has been played: a session that is
resumed where a turn began, or taken back, goes on as it would have.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import islice

from interpreter.game.types import Game
from interpreter.machine.chance import Chance
from interpreter.machine.turns import result_key
from interpreter.machine.types import TO_DECIDE, Decision, Machine, State

HUMAN, RANDOM, GREEDY = "human", "random", "greedy"

STREAM = 1 << 32
"""Players draw from the generators numbered from here; those below are the dice of games."""

MOST_PLAYS = 2_000
"""So many plays are looked at, in the order of their decisions; the rest are passed over."""

MOST_REPLIES = 60
"""A reply is looked at where one side's plays come to no more than this many."""

Play = tuple[tuple[Decision, ...], State]
Player = Callable[[Machine, State, Chance], Play]


def stream(seed: int, played: int) -> Chance:
    """The generator for a player's decision after ``played`` events."""
    return Chance.of_game(seed, STREAM + played)


def plays(machine: Machine, state: State) -> Iterator[Play]:
    """What the side that decides can do before anything else happens: a throw, the other side, the end.

    Of plays with one result only the first is given.
    """
    seen: set[State] = set()
    results: set[object] = set()
    stack: list[Play] = [((), state)]
    while stack:
        decisions, here = stack.pop()
        if here in seen:
            continue
        seen.add(here)
        same = here.outcome is None and here.waits == TO_DECIDE and here.turns == state.turns
        legal = machine.legal(here) if same and here.decider == state.decider else ()
        if not legal:
            key = (result_key(here), here.turn, here.waits)
            if key not in results:
                results.add(key)
                yield decisions, here
            continue
        stack.extend(((*decisions, d), machine.step(here, d)) for d in reversed(legal))


def random_player(machine: Machine, state: State, chance: Chance) -> Play:
    """An even draw among the plays."""
    return chance.choice(list(islice(plays(machine, state), MOST_PLAYS)))


def greedy_player(machine: Machine, state: State, chance: Chance) -> Play:
    """The play that leaves most; among equals an even draw."""
    side = state.decider
    found = list(islice(plays(machine, state), MOST_PLAYS))
    careful = machine.game.throw is None and len(found) <= MOST_REPLIES
    worth = [_worth(machine, after, side, careful) for _, after in found]
    best = max(worth)
    return chance.choice([play for play, value in zip(found, worth, strict=True) if value == best])


PLAYERS: dict[str, Player] = {RANDOM: random_player, GREEDY: greedy_player}


def _worth(machine: Machine, state: State, side: int, careful: bool) -> tuple[int, ...]:
    """What a position is worth to a side, the weightiest first.

    How the game ended, in points; men of either side on the board (kinds further down
    the list of pieces count for more), less the most that one decision of the other
    side would take; how far one's men are along their track and the other side's
    behind; how few men stand alone, where points hold many; without tracks, how near
    one's men are to the other side's.
    """
    game = machine.game
    ended = 0
    if state.outcome is not None and state.outcome.winner is not None:
        ended = (1 if state.outcome.winner == game.sides[side] else -1) * max(state.outcome.points, 1)
    if game.board.tracks[side]:
        foe_on_board = _men(game, state, 1 - side)
        ahead = _ahead(game, state, side) - _ahead(game, state, 1 - side)
        return ended, -foe_on_board if not ended else 0, ahead, -_alone(game, state, side)
    balance = _men(game, state, side) - _men(game, state, 1 - side)
    if careful and state.outcome is None and state.waits == TO_DECIDE and state.decider != side:
        own = _men(game, state, side)
        after = (machine.step(state, d) for d in machine.legal(state))
        balance -= max((own - _men(game, s, side) for s in after), default=0)
    return ended, balance, -_apart(game, state, side)


def _men(game: Game, state: State, side: int) -> int:
    """A side's men on points of the board, each by its place in the list of pieces."""
    width, kinds, points = game.places, len(game.kinds), game.board.points
    total = 0
    for kind in range(kinds):
        base = (side * kinds + kind) * width
        total += (kind + 1) * sum(state.men[base : base + points])
    return total


def _ahead(game: Game, state: State, side: int) -> int:
    """How far a side's men have come along its track, in places."""
    width, kinds = game.places, len(game.kinds)
    index = game.board.track_index[side]
    return sum(
        state.men[(side * kinds + kind) * width + place] * max(index[place], 0)
        for kind in range(kinds)
        for place in range(width)
    )


def _apart(game: Game, state: State, side: int) -> int:
    """Steps along the lines from each man of a side to the nearest man of the other, added up."""
    kinds, neighbours, points = len(game.kinds), game.board.neighbours, game.board.points
    own = near = 0
    for kind in range(kinds):
        own |= state.where[side * kinds + kind]
        near |= state.where[(1 - side) * kinds + kind]
    own &= game.board.all_points
    near &= game.board.all_points
    steps, total = 0, 0
    while own & ~near and near:
        steps += 1
        wider = near
        for place in range(points):
            if near >> place & 1:
                wider |= neighbours[place]
        if wider == near:
            break
        total += steps * (own & wider & ~near).bit_count()
        near = wider
    return total


def _alone(game: Game, state: State, side: int) -> int:
    """Points where one man of a side stands by himself, where points hold many."""
    if not game.board.many:
        return 0
    width, kinds = game.places, len(game.kinds)
    rows = [state.men[(side * kinds + kind) * width :][: game.board.points] for kind in range(kinds)]
    return sum(1 for men in zip(*rows, strict=True) if sum(men) == 1)
