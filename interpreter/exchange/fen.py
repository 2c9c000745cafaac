"""Positions of games with men and kings as files of other programs say them: ``B:W18,24,K30:B12,16``.

The grammar is ``grammar/fen.lark``. The colours are White and Black as files know them;
K stands before a man of the second kind. Squares are called as ``squares`` says.

Faults: F608 no such text, F609 men that cannot stand so, F611 a position that the form
cannot hold. Warning: F612, what the form leaves out.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache

from lark import Lark, Token, Tree
from lark.exceptions import UnexpectedInput, UnexpectedToken

from interpreter.diagnostics import Report, fault
from interpreter.exchange.squares import Squares, of_ruleset
from interpreter.game.types import OWN
from interpreter.machine.types import TO_DECIDE, State
from interpreter.play.playable import Playable
from interpreter.source import Source, Span
from interpreter.terms.grammars import lalr

COLOURS = {"W": "white", "B": "black"}
MOST_LENGTH = 2_000
EXAMPLE = "write it as `B:W18,24,K30:B12,16`"


@cache
def parser() -> Lark:
    """The parser of such positions, built once per process."""
    return lalr("fen", "fen", placeholders=False)


@dataclass(frozen=True)
class Man:
    """A man (or a range of men) as it is written."""

    colour: str
    king: bool
    first: str
    last: str
    span: Span


def squares_of(playable: Playable) -> Squares:
    """The squares of a game. Raises Fault F611 if it has none that files could name."""
    game = playable.game
    text, type = of_ruleset(game)
    if not text or game.board.many or len(game.kinds) > 2:
        raise fault(
            "F611",
            f"`{playable.id}` has no form of this kind",
            help="a ruleset says what such files call it by `notation: {pdn: …}`",
        )
    return Squares(game, type)


def read(source: Source, report: Report) -> tuple[str, tuple[Man, ...]] | None:
    """The colour to play and the men, as they are written; None if the text cannot be read (F608)."""
    text = source.text
    if len(text) > MOST_LENGTH:
        report.error("F608", f"a position of {len(text)} characters; the most is {MOST_LENGTH}", Span(source, 0, 1))
        return None
    try:
        tree = parser().parse(text)
    except UnexpectedInput as problem:
        at = problem.pos_in_stream
        ended = isinstance(problem, UnexpectedToken) and problem.token.type == "$END"
        at = len(text) if ended or at is None or at < 0 else min(at, len(text))
        shown = text[at : at + 1]
        what = (
            f"`{shown}` is not expected here" if shown else "the position breaks off" if text.strip() else "no position"
        )
        report.error("F608", what, Span(source, at, min(at + 1, len(text))), help=EXAMPLE)
        return None
    colours = [t for t in tree.children if isinstance(t, Token) and t.type == "COLOUR"]
    men: list[Man] = []
    for side in (node for node in tree.children if isinstance(node, Tree)):
        colour = next(str(t) for t in side.children if isinstance(t, Token) and t.type == "COLOUR")
        for node in side.find_data("man"):
            if node.data == "man":
                tokens = [t for t in node.children if isinstance(t, Token)]
                names = [str(t) for t in tokens if t.type == "SQUARE"]
                span = Span(source, node.meta.start_pos, node.meta.end_pos)
                men.append(Man(colour, tokens[0].type == "KING", names[0], names[-1], span))
    return str(colours[0]), tuple(men)


def from_text(
    playable: Playable, source: Source, report: Report, play: bool = True, squares: Squares | None = None
) -> str | None:
    """A position in our own text; None where there are faults.

    Args:
        play: refuse what no game can come to (a man on the row where he is made a king).
    """
    squares, found = squares or squares_of(playable), read(source, report)
    if found is None:
        return None
    turn, men = found
    game, before = playable.game, len(report.errors)
    if turn == "?":
        report.error("F608", "the position does not say who is to play", Span(source, 0, 1), help="begin with W or B")
    holding: dict[int, tuple[int, int]] = {}
    for man in men:
        if man.colour == "?":
            report.error("F609", "men without a colour cannot be played with", man.span)
            continue
        side = squares.white if man.colour == "W" else 1 - squares.white
        kind = 1 if man.king else 0
        if kind >= len(game.kinds):
            report.error("F609", f"`{playable.id}` has only one kind of men", man.span, help="leave the K out")
            continue
        for name in _names(man, report):
            place = squares.place(name)
            if place is None:
                report.error("F609", f"there is no square `{name}`", man.span, help=_which(squares))
            elif place in holding and holding[place] != (side, kind):
                report.error("F609", f"two men on square `{name}`", man.span)
            elif play and kind == 0 and place in crowning(playable, side):
                colour = COLOURS[man.colour]
                report.error(
                    "F609",
                    f"a {game.kinds[0]} of {colour} cannot stand on `{name}`",
                    man.span,
                    f"it is on the far row, where he would have been made a {game.kinds[1]}",
                    help=f"write `K{name}`",
                )
            else:
                holding[place] = (side, kind)
    if len(report.errors) > before:
        return None
    sides = []
    for side in (0, 1):
        labels = game.board.labels[side]
        words = [game.sides[side]]
        for place in sorted(holding):
            if holding[place][0] == side:
                words.append(f"{game.kinds[1]}:{labels[place]}" if holding[place][1] else labels[place])
        sides.append(" ".join(words))
    mover = squares.white if turn == "W" else 1 - squares.white
    return f"{sides[0]} / {sides[1]} ; {game.sides[mover]}"


def _names(man: Man, report: Report) -> list[str]:
    if man.first == man.last:
        return [man.first]
    if not (man.first.isdigit() and man.last.isdigit()) or int(man.first) > int(man.last):
        report.error("F609", f"`{man.span.text}` is no range of squares", man.span, help="write the squares one by one")
        return []
    return [str(number) for number in range(int(man.first), int(man.last) + 1)]


def _which(squares: Squares) -> str:
    shown = squares.shown()
    if all(name.isdigit() for name in shown):
        return f"the squares are 1 to {max(map(int, shown))}"
    return f"the squares are {min(shown)} to {max(shown)}"


def crowning(playable: Playable, side: int) -> frozenset[int]:
    """The places of a side's far row, if the rules make men of another kind there."""
    game = playable.game
    makes = any(effect.op == "make" and effect.data[0] == OWN for clause in game.then for effect in clause.do)
    coordinates = game.board.coordinates[: game.board.points]
    rows = [c[1] for c in coordinates if c is not None]
    if not makes or len(game.kinds) < 2 or not rows:
        return frozenset()
    far = max(rows) if game.seats[side] == "s" else min(rows)
    return frozenset(p for p, c in enumerate(coordinates) if c is not None and c[1] == far)


def to_text(playable: Playable, state: State, report: Report) -> str:
    """A position in this form. Warning F612 for what it leaves out.

    Raises:
        Fault: F611, if it cannot be said: within a turn, before the start, after the end.
    """
    squares, game = squares_of(playable), playable.game
    if state.waits != TO_DECIDE or state.phase or state.active >= 0:
        raise fault("F611", "a position within a turn cannot be said in this form", help="finish the turn first")
    shown = squares.shown()
    parts = []
    for letter, side in (("W", squares.white), ("B", 1 - squares.white)):
        men = []
        for place, name in enumerate(shown):
            for kind in range(len(game.kinds)):
                if state.men[(side * len(game.kinds) + kind) * game.places + place]:
                    men.append(("K" if kind else "") + name)
        men.sort(key=lambda name: (len(name.lstrip("K")), name.lstrip("K")))
        parts.append(letter + ",".join(men))
    whose = "W" if state.turn == squares.white else "B"
    bare = from_text(playable, Source("<position>", ":".join([whose, *parts])), Report(), play=False)
    left = playable.format(state) if bare is None else _left_out(playable, state, bare)
    if left:
        report.warning("F612", f"what this form does not say is left out: {left}", Source("<position>", "").whole)
    return ":".join([whose, *parts])


def _left_out(playable: Playable, state: State, bare: str) -> str:
    """The words of a position that its short form is without; men beside the board are those that were taken."""
    said = playable.format(playable.parse(bare)).replace("/", ";").split(";")
    known = {part.strip() for part in said}
    beside = "|".join(map(re.escape, playable.game.board.beside)) or "$."
    text = re.sub(rf" (?:[\w-]+:)?(?:{beside})(?::\d+)?(?= |$)", "", playable.format(state))
    whole = text.replace("/", ";").split(";")
    return "; ".join(part.strip() for part in whole if part.strip() not in known and not part.startswith(" turns"))


__all__ = ["Man", "crowning", "from_text", "parser", "read", "squares_of", "to_text"]
