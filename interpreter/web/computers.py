"""Computer players at a seat of a remote game: those of the terminal, with less time to think."""

from __future__ import annotations

from dataclasses import replace

from interpreter.diagnostics import Fault
from interpreter.machine.batch import Stopped
from interpreter.machine.types import RulesBroken, State
from interpreter.play import seats
from interpreter.play.players import GREEDY, HUMAN, RANDOM
from interpreter.play.seats import ALPHA_BETA, MCTS, Seat
from interpreter.web.choices import Choice

OFFERED = (RANDOM, GREEDY, f"{MCTS}:500", f"{MCTS}:2000", f"{ALPHA_BETA}:3")
"""What the form offers; programs may ask for other limits."""

MOST_SECONDS = 5.0
"""However much it was given, a player of a server thinks no longer."""


def is_player(text: str) -> bool:
    """Can a seat be given to this one?"""
    try:
        return seats.seat(text).kind != HUMAN
    except Fault:
        return False


def thought(choice: Choice, kind: str, state: State, seed: int, played: int) -> str:
    """What a player plays here, as the text of a move.

    Args:
        seed, played: of the game; the same game is played on the same way.
    """
    who = limited(seats.seat(kind))
    with choice.thinking:
        playable = choice.thinker
        try:
            decisions, _ = seats.choose(playable, state, who, seed, played)
        except (Fault, Stopped, RulesBroken):  # a search that leads nowhere: anything that is legal
            decisions = playable.legal(state)[:1]
        words = []
        for decision in decisions:
            words.append(playable.text(state, decision))
            state = playable.machine.step(state, decision)
    return " ".join(words)


def limited(who: Seat) -> Seat:
    """The same player within ``MOST_SECONDS``."""
    if who.kind not in seats.SEARCHING:
        return who
    iterations = who.iterations
    if iterations is None and who.seconds is None:
        iterations = seats.USUAL[who.kind]
    return replace(who, iterations=iterations, seconds=min(who.seconds or MOST_SECONDS, MOST_SECONDS))
