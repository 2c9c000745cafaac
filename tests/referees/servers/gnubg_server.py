"""GNU Backgammon, asked by lines of JSON. Runs in its own environment and imports nothing of ours.

A question is ``{"mine": [26 numbers], "theirs": [26 numbers], "dice": [6, 5]}``: men by each
side's own point number, 25 its bar, 0 borne off. The answer lists the distinct positions
that a legal play leads to, in the same form; none where there is no play.

The list of moves that Python is given is cut at the first man borne off, so the moves are
read from what ``hint`` prints.
"""

import ctypes
import json
import os
import re
import sys
import tempfile

# What gnubg prints goes into a file; answers go where they were to go.
answers = os.fdopen(os.dup(1), "w", encoding="utf-8")
printed = tempfile.TemporaryFile("w+b")  # noqa: SIM115
os.dup2(printed.fileno(), 1)

import gnubg  # noqa: E402

LINE = re.compile(r"^ *\d+\. \S+ +\S+ +(.*?) +(?:Eq\.|MWC):", re.MULTILINE)
BEGIN = (
    "set threads 1",
    "set evaluation chequer evaluation plies 0",
    "set evaluation cubedecision evaluation plies 0",
    "set automatic game off",
    "set automatic roll off",
    "set automatic move off",
    "set automatic bearoff off",
    "set player 0 human",
    "set player 1 human",
    "new session",
)


def command(text):
    """What gnubg prints when it is told this."""
    printed.seek(0)
    printed.truncate()
    gnubg.command(text)
    sys.stdout.flush()
    ctypes.CDLL(None).fflush(None)
    printed.seek(0)
    return printed.read().decode("utf-8", "replace")


def plays(mine, theirs, dice):
    board = [mine[25]] + [mine[n] - theirs[25 - n] for n in range(1, 25)] + [-theirs[25]]
    command("set turn 1")
    command("set board simple " + " ".join(map(str, board)))
    command(f"set dice {dice[0]} {dice[1]}")
    said = command("hint 9999")
    found = {after(move, mine, theirs) for move in LINE.findall(said)}
    return sorted([list(m), list(t)] for m, t in found)


def after(move, mine, theirs):
    """The position after a move as it is printed: ``bar/24 13/7*/5(2) 6/off``."""
    mine, theirs = list(mine), list(theirs)
    for part in move.split():
        times = re.search(r"\((\d)\)$", part)
        stops = re.sub(r"\(\d\)$", "", part).split("/")
        points = [25 if s.startswith("bar") else 0 if s.startswith("off") else int(s.rstrip("*")) for s in stops]
        for _ in range(int(times.group(1)) if times else 1):
            mine[points[0]] -= 1
            mine[points[-1]] += 1
        for stop, point in zip(stops, points, strict=True):
            if stop.endswith("*"):
                theirs[25 - point] -= 1
                theirs[25] += 1
    return tuple(mine), tuple(theirs)


for told in BEGIN:
    command(told)
for line in sys.stdin:
    question = json.loads(line)
    print(json.dumps(plays(question["mine"], question["theirs"], question["dice"])), file=answers, flush=True)
