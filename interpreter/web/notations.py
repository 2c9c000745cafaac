"""How a game's moves are written, as data for a page (see ``machine.notation``)."""

from __future__ import annotations

from typing import Any

from interpreter.machine.notation import SLASH, Notation


def notation_json(notation: Notation) -> dict[str, Any]:
    """What the page's own notation needs beside what a compiled module says of itself.

    Returns:
        ``style``, how whole turns are written; ``prefixed``, the verbs written with their sign first;
        ``spelled``, the verbs written out; ``named``, the words after which another belongs to the move;
        ``order``, where the style asks for it, for each side the places as its men travel: how far each is.
    """
    game = notation.game
    named = {game.verbs[verb] for verb in notation.spelled}
    named |= {may.clause.id for may in game.may if may.way is not None and may.way.name == "name"}
    found = {
        "style": notation.style,
        "prefixed": sorted(notation.prefixed),
        "spelled": sorted(notation.spelled),
        "named": sorted(named),
    }
    if notation.style == SLASH:
        found["order"] = [list(order) for order in game.board.track_index]
    return found
