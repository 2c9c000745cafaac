"""A position drawn as a standalone SVG.

The picture says the same as ``render`` and lies on the same plan: ``stage`` says where
everything is, ``figures`` draws men, signs and dice. Here they are put together, with
the sides' names, the dice and a legend.

Lengths are in pixels. Every text goes through one escape.
"""

from __future__ import annotations

import textwrap
from collections.abc import Mapping

from interpreter.game.types import Game
from interpreter.machine.types import State
from interpreter.play import geometry
from interpreter.play.figures import COLOURS, FONT, Figures, circle, escaped, quoted, rect, tag
from interpreter.play.geometry import Pile, Scene
from interpreter.play.signs import NO_SIGNS, Signs
from interpreter.play.stage import Stage, stage


def svg(game: Game, state: State, *, viewer: int = 0, signs: Signs = NO_SIGNS, title: str | None = None) -> str:
    """A position as one ``<svg>`` element that needs nothing else.

    Args:
        viewer: the side (0 or 1) that sits at the bottom and whose labels count.
        signs: what is pointed out: the last move, targets, men under duty, men liable.
        title: the title, also drawn above the board; without it the game's own title is
            given to readers of the file but not drawn.

    Returns:
        well-formed XML. Each place is a group with its name as ``data-place`` (of both
        sides' places beside the board, ``data-side`` says whose).
    """
    view = geometry.scene(game, state, viewer)
    sheet = Sheet(view, signs)
    stage = sheet.stage
    width = max(stage.width + 40, 460, *(sheet.strip(side, 20, 0)[1] for side in (0, 1)))
    parts, y = [], 20.0
    if title is not None:
        size = min(22, 1.7 * width / max(1, len(title)))
        parts.append(sheet.figures.text(width / 2, y + 14, title, size=size, bold=True))
        y += 36
    placed = f'<g transform="translate({(width - stage.width) / 2:g} {y + 30:g})">{sheet.board()}</g>'
    parts += [sheet.strip(1 - viewer, 20, y + 16)[0], placed, sheet.strip(viewer, 20, y + stage.height + 50)[0]]
    words, below = sheet.words(20, y + stage.height + 84, width - 40)
    titles = game.ruleset.book.title
    name = title if title is not None else titles.get("en") or next(iter(titles.values()), game.ruleset.id)
    said, height = f"{name}: {geometry.status(view)}", below + 10
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width:g} {height:g}" width="{width:g}" '
        f'height="{height:g}" role="img" aria-label={quoted(said)} font-family="{FONT}">'
        f"<title>{escaped(name)}</title><desc>{escaped(_described(view))}</desc>"
        + rect(0, 0, width, height, sheet.figures.ink("paper"), 10)
        + "".join([*parts, words])
        + "</svg>\n"
    )


def _described(view: Scene) -> str:
    """The position in words, for those who cannot see it."""
    said = [geometry.status(view)]
    piles = [(place, pile) for place, piles in enumerate(view.piles) for pile in piles]
    for side, name in enumerate(view.game.sides):
        men = [f"{p.count} {view.game.kinds[p.kind]} on {view.label(place)}" for place, p in piles if p.side == side]
        said.append(f"{name}: {', '.join(men) or 'no men'}")
    return ". ".join(said) + "."


class Sheet:
    """One drawing in the making; ``laid`` is its stage, where it has been laid before."""

    def __init__(
        self, view: Scene, signs: Signs, colours: Mapping[str, str] = COLOURS, laid: Stage | None = None
    ) -> None:
        self.view = view
        self.figures = Figures(view.game, colours=colours)
        self.stage = laid or stage(view.game, view.near, self.figures)
        self.places = signs.places(view)
        self.signs = signs

    # ---- the board -------------------------------------------------------------------------

    def board(self) -> str:
        """The stage with the men on it, their signs, and the dice."""
        men = "".join(self.stand(place) for place in range(self.view.game.places))
        room, dice = self.stage.dice, self.view.dice
        step = room.step(len(dice))
        thrown = [self.figures.die(room.x + step * i, room.y, *die) for i, die in enumerate(dice)]
        return self.stage.board + men + "".join(thrown)

    def stand(self, place: int) -> str:
        """The men of a place with its signs, which go to the topmost."""
        view, piles, seat = self.view, self.view.piles[place], self.stage.seats[place]
        shown = geometry.shown(piles)
        right, down = seat.step(shown)
        parts = []
        for i, (pile, count) in enumerate(shown):
            number = str(count) if count else ""
            parts.append(self.figures.man(seat.x + right * i, seat.y + down * i, seat.r, pile, number))
        top = max(len(shown) - 1, 0)
        x, y = seat.x + right * top, seat.y + down * top
        for name, places in self.places.items():
            if place in places:
                parts.append(self.figures.sign(name, x, y, seat.r, bool(shown)))
        side = view.game.board.side_of(place)
        whose = "" if side is None else f" data-side={quoted(view.game.sides[side])}"
        men = ", ".join(f"{p.count} {view.game.sides[p.side]} {view.game.kinds[p.kind]}" for p in piles)
        told = f"<title>{escaped(f'{view.label(place)}: {men}')}</title>" if men else ""
        return f"<g data-place={quoted(view.game.board.names[place])}{whose}>{told}{''.join(parts)}</g>"

    # ---- words -----------------------------------------------------------------------------

    def strip(self, side: int, x: float, y: float) -> tuple[str, float]:
        """A side: whose turn, its name, what is remembered of it; and where that ends."""
        view, figures = self.view, self.figures
        parts = [figures.man(x + 26, y - 5, 10, Pile(side, 0, 1))]
        if geometry.on_turn(view) == side:
            parts.append(
                tag("polygon", points=f"{x},{y - 12} {x + 12},{y - 5} {x},{y + 2}", fill=figures.ink("active"))
            )
        parts.append(figures.text(x + 44, y, view.game.sides[side], size=16, bold=True, anchor="start"))
        x += 64 + 9 * len(view.game.sides[side])
        facts = "   ".join(geometry.facts(view, side))
        return "".join([*parts, figures.text(x, y, facts, size=15, anchor="start")]), x + 8 * len(facts) + 20

    def words(self, x: float, y: float, wide: float) -> tuple[str, float]:
        """Whose turn and the legend; with the y below them."""
        view, figures = self.view, self.figures
        parts = [figures.text(x, y, geometry.status(view), size=17, bold=True, anchor="start")]
        known = [("", [fact]) for fact in geometry.facts(view, None)]
        for name, words in [*known, *geometry.legend(view, self.signs)]:
            rows = textwrap.wrap(" ".join(words), max(20, int((wide - 40) / 8)))
            if name.isdigit():
                parts += [figures.man(x + 10 + 20 * side, y + 22, 9, Pile(side, int(name), 1)) for side in (0, 1)]
            elif name:
                held = name not in ("last", "target")
                parts.append(circle(x + 16, y + 22, 8, "none", figures.ink("dim"), 1.2) if held else "")
                parts.append(figures.sign(name, x + 16, y + 22, 8 if name != "target" else 16, held))
            for row in rows:
                y += 27 if row == rows[0] else 19
                parts.append(figures.text(x + 44, y, row, size=14, anchor="start"))
        return "".join(parts), y + 12
