"""What is said of a move: which clauses refuse it, or which permit it."""

from __future__ import annotations

import textwrap
from collections.abc import Iterable

from interpreter.machine.notation import Refused, advance
from interpreter.machine.types import Decision, Outcome, State
from interpreter.play.explain import Refusal, why
from interpreter.play.playable import Playable


def about(playable: Playable, state: State, text: str) -> str:
    """The answer to "may I play this?".

    Raises:
        Fault: N701, N703, N711 where the text is no move or could be several.
    """
    text = text.strip()
    try:
        read = playable.notation.read(playable.machine, state, text)
    except Refused as refused:
        return refusal_text(playable, refused.state, text, refused.word, playable.why_not(state, text))
    return _allowed(playable, state, text, read)


def refusal_text(playable: Playable, state: State, text: str, word: str, refusals: Iterable[Refusal]) -> str:
    """``not allowed: 1-2 with a 1`` and every clause that says so. ``state`` is where the reading broke off."""
    inside = f" (in `{text}`)" if word != text else ""
    blocks = [str(refusal) for refusal in refusals]
    return "\n".join([f"not allowed: {word}{_with_dice(playable, state, word)}{inside}", *blocks])


def _with_dice(playable: Playable, state: State, word: str) -> str:
    """The dice a move would take, where it takes one."""
    game, notation, side = playable.game, playable.notation, state.decider
    dice = set()
    for may in game.may:
        for path in may.paths[side]:
            die = game.paths[path].die
            if die and game.paths[path].origin >= 0 and notation.bare(Decision(may.verb, path), side) == word:
                dice.add(die)
    left = sorted(dice & set(state.dice)) or sorted(dice)
    return " with a " + " or ".join(map(str, left)) if left else ""


def _allowed(playable: Playable, state: State, text: str, read: list[tuple[str, object]]) -> str:
    """``allowed: …`` and, for each decision, the clause that permits it."""
    blocks: list[str] = []
    decisions = sum(1 for what, _ in read if what == "decide")
    for what, value in read:
        if isinstance(value, Decision):
            word = playable.text(state, value)
            head = [f"{word}{_with_dice(playable, state, word)}"] if decisions > 1 else []
            blocks += [*head, *(str(reason) for reason in why(playable.machine, state, value))]
        state = advance(playable.machine, state, what, value)
    ends = f"\n  then     the game is over: {ended(state.outcome)}" if state.outcome is not None else ""
    return "\n".join([f"allowed: {text}", *blocks]) + ends


def folded(text: str, width: int) -> str:
    """Long lines folded under themselves, so that what they are about stays readable on the left."""
    lines: list[str] = []
    for line in text.splitlines():
        if len(line) <= width or not line.startswith("  "):
            lines.append(line)
        else:
            lines += textwrap.wrap(line, width, subsequent_indent=" " * 11) or [line]
    return "\n".join(lines)


def ended(outcome: Outcome) -> str:
    """``white wins 2 points: KIND``, ``a draw: KIND``."""
    if outcome.winner is None:
        return f"a draw: {outcome.kind}"
    return f"{outcome.winner} wins {outcome.points} point{'' if outcome.points == 1 else 's'}: {outcome.kind}"
