"""pydraughts, asked by lines of JSON. Runs in its own environment and imports nothing of ours.

A question is ``{"variant": "russian", "fen": "W:Wa1,Kc3:Bh8", "try": 7}``; the answer has the
legal ``moves``, each ``[from, to, [taken, …]]``, and the ``after`` of one of them (the seventh,
counted round): ``[white men, black men]``, kings as ``Kc3``. To try all would take too long.
"""

import json
import sys

from draughts import Board

BY_LETTERS = {"russian": 4, "brazilian": 4, "turkish": 8}
"""Variants whose squares have names; how many squares a row has."""


def name(variant, square):
    """A square as the variant's own notation calls it."""
    if variant not in BY_LETTERS:
        return str(square)
    row, column = divmod(square - 1, BY_LETTERS[variant])
    return "abcdefgh"[column if variant == "turkish" else 2 * column + row % 2] + str(row + 1)


def pieces(fen):
    """The men of both sides: ``B:W21,K22:B1`` without whose turn it is."""
    sides = {part[0]: part[1:] for part in fen.split(":")[1:]}
    return [sorted(name for name in sides.get(side, "").split(",") if name) for side in "WB"]


def answer(variant, fen, number):
    board = Board(variant=variant, fen=fen)
    legal = board.legal_moves()
    moves = [
        [name(variant, m.board_move[0][0]), name(variant, m.board_move[-1][1]), [name(variant, c) for c in m.captures]]
        for m in legal
    ]
    if not moves:
        return {"moves": [], "tried": None, "after": None}
    number %= len(moves)
    board.push(legal[number])
    return {"moves": moves, "tried": number, "after": pieces(board.fen)}


for line in sys.stdin:
    question = json.loads(line)
    print(json.dumps(answer(question["variant"], question["fen"], question["try"])), flush=True)
