"""pydraughts, asked by lines of JSON. Runs in its own environment and imports nothing of ours.

A question is ``{"variant": "russian", "fen": "W:Wa1,Kc3:Bh8"}``; the answer lists the
positions that the legal moves lead to, each ``[white men, black men]`` with kings as ``Kc3``.
"""

import json
import sys

from draughts import Board


def pieces(fen):
    """The men of both sides: ``B:W21,K22:B1`` without whose turn it is."""
    sides = {part[0]: part[1:] for part in fen.split(":")[1:]}
    return [sorted(name for name in sides.get(side, "").split(",") if name) for side in "WB"]


def results(variant, fen):
    found = []
    for move in Board(variant=variant, fen=fen).legal_moves():
        board = Board(variant=variant, fen=fen)
        board.push(move)
        found.append(pieces(board.fen))
    return found


for line in sys.stdin:
    question = json.loads(line)
    print(json.dumps(results(question["variant"], question["fen"])), flush=True)
