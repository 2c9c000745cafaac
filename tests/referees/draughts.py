"""Draughts beside pydraughts: from, to and what is taken, in positions met in play and made up.

Of one move of each position the men afterwards are compared as well, for the crowning.
"""

from __future__ import annotations

import random
import re
from collections.abc import Iterator
from functools import partial

import interpreter
from interpreter import Playable
from interpreter.machine.batch import Stopped
from interpreter.machine.types import State
from tests.referees.asking import PYDRAUGHTS, Asked
from tests.referees.comparing import Comparison, Difference

VARIANTS = {
    "draughts/english": "english",
    "draughts/international": "standard",
    "draughts/russian": "russian",
    "draughts/brazilian": "brazilian",
    "draughts/italian": "italian",
    "draughts/frisian": "frisian",
    "draughts/turkish": "turkish",
}
"""Our rulesets and what pydraughts calls them."""

SLIDES_THROUGH = "pydraughts lets a king of the Turkish game slide through men without taking them"
SUMS_APART = "pydraughts loses captures of the Frisian game whose values differ in the last bit of a sum"
KING, MAN = "K", ""
Side = frozenset[str]
"""The men of one side: names of squares, kings with a K before."""


def compare(id: str, positions: int, seed: int) -> Comparison:
    """Ask about so many positions: half of them from random games, half made up."""
    game = interpreter.load(id)
    found = Comparison(id, PYDRAUGHTS.name)
    chance = random.Random(seed)
    played, made_up = _played(game, chance), _made_up(game, chance)
    with Asked(PYDRAUGHTS) as referee:
        for number in range(positions):
            state = next(played) if number % 2 else next(made_up)
            fen = _fen(game, state)
            try:
                ours = _moves(game, state)
            except Stopped:  # many kings among many men: more ways than can be told one by one
                found.given_up += 1
                continue
            answer = referee.ask({"variant": VARIANTS[id], "fen": fen, "try": number})
            theirs = {_move(*move): "" for move in answer["moves"]}
            if answer["after"] is not None:
                tried = _move(*answer["moves"][answer["tried"]])
                white, black = answer["after"]
                theirs[tried] = _said(frozenset(white), frozenset(black))
                ours = {move: ours[move] if move == tried else "" for move in ours}
            explain = {"draughts/turkish": _slides_through, "draughts/frisian": partial(_sums_apart, frozenset(theirs))}
            found.add(fen, _whole(ours), _whole(theirs), explain.get(id, _no_excuse))
    return found


def _no_excuse(_: Difference) -> str | None:
    return None


def _sums_apart(theirs: frozenset[str], difference: Difference) -> str | None:
    """The referee's known fault: too few captures of the greatest value, with kings among what all of them take.

    It adds 1.501 for a king and 1 for a man in the order in which they are taken, and wants
    sums that are equal to the last bit.
    """
    kings = re.findall(r"K(\d+)", difference.position)

    def value(move: str) -> tuple[int, int]:
        taken = move.split(" → ")[0].partition(" x")[2].split(",")
        crowned = sum(name in kings for name in taken)
        return crowned, len(taken) - crowned

    values = {value(move) for move in (*theirs, *difference.only_ours)}
    if difference.only_theirs or len(values) != 1 or not min(values)[0]:
        return None
    return SUMS_APART


def _slides_through(difference: Difference) -> str | None:
    """The referee's known fault: moves too many, each of a king along a file or rank with a man in between."""
    turn, *sides = difference.position.split(":")
    men = {side[0]: side[1:].split(",") for side in sides}
    standing = {name.removeprefix(KING) for names in men.values() for name in names}

    def slides_through(move: str) -> bool:
        start, end = move.split(" ")[0].split("-")
        files, ranks = sorted((start[0], end[0])), sorted((int(start[1:]), int(end[1:])))
        between = {
            f"{chr(file)}{rank}"
            for file in range(ord(files[0]), ord(files[1]) + 1)
            for rank in range(ranks[0], ranks[1] + 1)
        } - {start, end}
        straight = files[0] == files[1] or ranks[0] == ranks[1]
        return straight and " x" not in move and f"{KING}{start}" in men[turn] and bool(between & standing)

    if difference.only_ours or not all(map(slides_through, difference.only_theirs)):
        return None
    return SLIDES_THROUGH


def _played(game: Playable, chance: random.Random) -> Iterator[State]:
    """Positions of random games at the beginning of a turn."""
    while True:
        state = game.first_turn()
        while game.outcome(state) is None:
            if state.phase == 0 and state.active < 0 and chance.random() < 0.3:
                yield state
            legal = game.legal(state)
            if not legal:
                break
            state = game.step(state, chance.choice(legal))


def _made_up(game: Playable, chance: random.Random) -> Iterator[State]:
    """Men and a few kings anywhere, no man on the row where he would be crowned; both sides have something."""
    board = game.game.board
    last = max(y for _, y in map(board.coordinates.__getitem__, range(board.points)))
    crowning = {"white": last, "black": min(y for _, y in map(board.coordinates.__getitem__, range(board.points)))}
    names = game.game.sides
    while True:
        squares = list(range(board.points))
        chance.shuffle(squares)
        words: dict[str, list[str]] = {name: [] for name in names}
        kings, most = chance.choice((0.0, 0.2, 0.6)), 2 if board.points > 32 else 3
        for side, name in enumerate(names):
            for _ in range(chance.randint(1, min(10, board.points // 4))):
                place = squares.pop()
                crowned = sum(word.startswith("king:") for word in words[name])
                king = (crowned < most and chance.random() < kings) or board.coordinates[place][1] == crowning[name]
                words[name].append(f"{'king:' if king else ''}{board.labels[side][place]}")
        text = " / ".join(f"{name} {' '.join(men)}" for name, men in words.items())
        yield game.parse(f"{text} ; {chance.choice(names)}")


def _pieces(game: Playable, state: State) -> tuple[Side, Side]:
    """White's men and Black's."""
    board, width, kinds = game.game.board, game.game.places, game.game.kinds
    found: dict[str, set[str]] = {name: set() for name in game.game.sides}
    for side, name in enumerate(game.game.sides):
        for kind, called in enumerate(kinds):
            at = (side * len(kinds) + kind) * width
            mark = KING if called == "king" else MAN
            found[name] |= {mark + board.labels[side][p] for p in range(board.points) if state.men[at + p]}
    return frozenset(found["white"]), frozenset(found["black"])


def _fen(game: Playable, state: State) -> str:
    white, black = _pieces(game, state)
    turn = game.game.sides[state.turn][0].upper()
    return f"{turn}:W{','.join(sorted(white))}:B{','.join(sorted(black))}"


def _moves(game: Playable, state: State) -> dict[str, str]:
    """Our legal turns by from, to and what is taken, with the men afterwards."""
    found = {}
    names, before = game.game.board.names, _squares(game, state, 1 - state.turn)
    for turn in game.turns(state, "result"):
        if not turn.decisions:
            continue  # a side that cannot move
        paths = [game.game.paths[d.path] for d in turn.decisions]
        taken = before - _squares(game, turn.state, 1 - state.turn)
        labels = game.game.board.labels[state.turn]
        told = _move(labels[paths[0].origin], labels[paths[-1].to], [labels[names.index(p)] for p in taken])
        found[told] = _said(*_pieces(game, turn.state))
    return found


def _squares(game: Playable, state: State, side: int) -> set[str]:
    """The names of the squares on which a side has men."""
    board, width, kinds = game.game.board, game.game.places, len(game.game.kinds)
    return {
        board.names[p]
        for p in range(board.points)
        for k in range(kinds)
        if state.men[(side * kinds + k) * width + p]
    }


def _move(start: str, end: str, taken: list[str]) -> str:
    way = f"{start}-{end}" if start != end else "round"  # two men that come back leave the same position
    return way + (f" x{','.join(sorted(taken))}" if taken else "")


def _whole(moves: dict[str, str]) -> frozenset[str]:
    return frozenset(f"{move} → {after}" if after else move for move, after in moves.items())


def _said(white: Side, black: Side) -> str:
    return f"W{','.join(sorted(white))}:B{','.join(sorted(black))}"
