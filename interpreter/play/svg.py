"""A position drawn as a standalone SVG.

The picture says the same as ``render`` and lies on the same plan. Sides differ in more
than their fill: side 0 is light with a whole inner ring, side 1 dark with a broken one;
the second kind of men wears a crown, further kinds their letter. Signs: a thick ring
around the man that moves on, `!` on a man of whom something is remembered, a broken
frame where the last move went, a broken ring with `+` where something can be chosen.

Lengths are in pixels. Every text goes through one escape.

One room: one drawing, one function for each part of it.
"""

from __future__ import annotations

import re
import textwrap
from xml.sax.saxutils import escape, quoteattr

from interpreter.game.types import Game
from interpreter.machine.types import State
from interpreter.play import geometry
from interpreter.play.geometry import CELLS, FULL, SQUARES, TABLES, Pile, Scene
from interpreter.play.render import glyph

_INK, _PAPER, _FIELD, _WOOD, _LINES = "#2b2118", "#fbf6ea", "#f2e2c2", "#7b4a2a", "#7a5533"
_LIGHT, _DARK, _CROWN = "#fffaf0", "#332c29", "0.5,0.4 -0.5,0.4 -0.62,-0.3 -0.25,0.02 0,-0.5 0.25,0.02 0.62,-0.3"
_SPIKES, _DIM = ("#d9b585", "#b07d4f"), "#8a7a66"
_ACTIVE, _MARK, _TARGET, _LAST = "#d97706", "#b3261e", "#15803d", "#1d4ed8"
_PIPS = {1: "4", 2: "28", 3: "248", 4: "0268", 5: "02468", 6: "023568"}
_NOT_XML = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
_FONT = "Georgia, 'DejaVu Serif', serif"


def svg(
    game: Game,
    state: State,
    *,
    viewer: int = 0,
    targets: frozenset[int] = frozenset(),
    last: tuple[int, ...] = (),
    title: str | None = None,
) -> str:
    """A position as one ``<svg>`` element that needs nothing else.

    Args:
        viewer: the side (0 or 1) that sits at the bottom and whose labels count.
        targets: places that can be chosen now.
        last: places of the last decision.
        title: the title, also drawn above the board; without it the game's own title is
            given to readers of the file but not drawn.

    Returns:
        well-formed XML. Each place is a group with its name as ``data-place`` (of both
        sides' places beside the board, ``data-side`` says whose).
    """
    view = geometry.scene(game, state, viewer)
    sheet = _Sheet(view, targets, last)
    board, wide, high = sheet.tables() if view.geometry.shape == TABLES else sheet.points()
    width = max(wide + 40, 460, *(sheet.strip(side, 20, 0)[1] for side in (0, 1)))
    parts, y = [], 20.0
    if title is not None:
        parts.append(_text(width / 2, y + 14, title, size=min(22, 1.7 * width / max(1, len(title))), bold=True))
        y += 36
    placed = f'<g transform="translate({(width - wide) / 2:g} {y + 40:g})">{board}</g>'
    parts += [sheet.strip(1 - viewer, 20, y + 16)[0], placed, sheet.strip(viewer, 20, y + high + 64)[0]]
    words, below = sheet.words(20, y + high + 110, width - 40)
    titles = game.ruleset.book.title
    name = title if title is not None else titles.get("en") or next(iter(titles.values()), game.ruleset.id)
    said, height = f"{name}: {geometry.status(view)}", below + 10
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width:g} {height:g}" width="{width:g}" '
        f'height="{height:g}" role="img" aria-label={_quoted(said)} font-family="{_FONT}">'
        f"<title>{_escaped(name)}</title><desc>{_escaped(_described(view))}</desc>"
        + _rect(0, 0, width, height, _PAPER, 10)
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


class _Sheet:
    """One drawing in the making."""

    def __init__(self, view: Scene, targets: frozenset[int], last: tuple[int, ...]) -> None:
        self.view, self.targets, self.last = view, targets, last

    # ---- men and signs ---------------------------------------------------------------------

    def man(self, x: float, y: float, r: float, pile: Pile, count: int = 0) -> str:
        """One man; with ``count`` he stands for so many and wears the number."""
        fill, edge, ink = ((_LIGHT, _INK, _INK), (_DARK, "#d8c7a5", _LIGHT))[pile.side]
        ring = r * (0.62 if not pile.kind and not count else 0.84)
        dash = f"{r * 0.16:.1f} {r * 0.12:.1f}" if pile.side else ""
        parts = _circle(x, y, r, fill, edge, 1.6)
        if r > 12 or not (pile.side or pile.kind):
            parts += _circle(x, y, ring, "none", ink, min(1.2, r * 0.1), dash)
        if count:
            size = r * (1.2 - 0.17 * len(str(count)))
            return parts + _text(x, y + r * 0.3, str(count), size=size, fill=ink, bold=True)
        if pile.kind == 1:
            corners = [tuple(map(float, point.split(","))) for point in _CROWN.split()]
            parts += _tag("polygon", points=" ".join(f"{x + a * r:.1f},{y + b * r:.1f}" for a, b in corners), fill=ink)
        elif pile.kind > 1:
            letter = glyph(self.view.game, 0, pile.kind)
            parts += _text(x, y + r * 0.36, letter, size=r, fill=ink, bold=True)
        return parts

    def stand(self, place: int, x: float, y: float, r: float, right: float = 0, down: float = 0) -> str:
        """The men of a place, the first at (x, y), the next so far ``right`` and ``down``, with its signs.

        More than five of one kind are five, the last with the count; mixed heaps of more
        than five are one man of each kind with its count.
        """
        view, piles = self.view, self.view.piles[place]
        if view.men(place) <= FULL:
            shown = [(pile, 0) for pile in piles for _ in range(pile.count)]
        elif len(piles) == 1:
            shown = [(piles[0], 0)] * (FULL - 1) + [(piles[0], piles[0].count)]
        else:
            shown = [(p, count) for p in piles for count in ((0, p.count) if p.kind else (p.count,))]
        parts = [self.man(x + right * i, y + down * i, r, *one) for i, one in enumerate(shown)]
        top = max(len(shown) - 1, 0)
        parts.append(self.signs(place, x + right * top, y + down * top, r, bool(shown)))
        side = view.game.board.side_of(place)
        whose = "" if side is None else f" data-side={_quoted(view.game.sides[side])}"
        men = ", ".join(f"{p.count} {view.game.sides[p.side]} {view.game.kinds[p.kind]}" for p in piles)
        told = f"<title>{_escaped(f'{view.label(place)}: {men}')}</title>" if men else ""
        return f"<g data-place={_quoted(view.game.board.names[place])}{whose}>{told}{''.join(parts)}</g>"

    def signs(self, place: int, x: float, y: float, r: float, held: bool) -> str:
        view = self.view
        where = {"last": self.last, "active": (view.active,), "mark": view.marked, "target": self.targets}
        return "".join(self.sign(name, x, y, r, held) for name, places in where.items() if place in places)

    def sign(self, name: str, x: float, y: float, r: float, held: bool = True) -> str:
        """One sign at a man (``held``) or at an empty place."""
        if name == "active":
            return _circle(x, y, r * 1.16, "none", _ACTIVE, max(2, r * 0.2))
        if name == "last":
            half, broken = r * 1.14, {"stroke": _LAST, "stroke_dasharray": "6 4"}
            return _rect(x - half, y - half, 2 * half, 2 * half, "none", half / 3, stroke_width=2, **broken)
        a, b, small = (x + r * 0.72, y - r * 0.72, max(r * 0.42, 6)) if held else (x, y, r * 0.5)
        if name == "mark":
            badge = _circle(a, b, small, _MARK, _PAPER, 1.2)
            return badge + _text(a, b + small * 0.6, "!", size=small * 1.7, fill=_PAPER, bold=True)
        arm = small * 0.6
        cross = f"M{a - arm:.1f} {b:.1f}h{2 * arm:.1f}M{a:.1f} {b - arm:.1f}v{2 * arm:.1f}"
        disc = _circle(a, b, small, _TARGET) + _tag("path", d=cross, stroke=_PAPER, stroke_width=max(1.5, r * 0.12))
        return (_circle(x, y, r * 1.1, "none", _TARGET, 2.4, "5 3") if held else "") + disc

    # ---- boards ----------------------------------------------------------------------------

    def points(self) -> tuple[str, float, float]:
        """Squares, points with drawn lines, or cells with their labels; with its width and height."""
        view, plan = self.view, self.view.geometry
        many, squares, margin = view.game.board.many, plan.shape == SQUARES, 28.0 if plan.ranks else 0.0
        unit, r = 54.0 if squares else 84.0 if many or plan.shape == CELLS else 64.0, 20.0
        edge = unit / 2 if squares else 56.0 if many else 40.0
        wide, high = plan.size[0] * unit + 2 * edge, plan.size[1] * unit + 2 * edge + (14 if not plan.files else 0)
        at = [(margin + edge + x * unit, edge + y * unit) for x, y in plan.spots]
        parts = [_rect(margin - 2, -2, wide + 4, high + 4, _FIELD, 5, stroke=_WOOD, stroke_width=4)]
        if squares:
            parts += [_rect(x - edge, y - edge, unit, unit, "#c79b68") for x, y in at]
        drawn = "".join(f"M{at[a][0]:g} {at[a][1]:g}L{at[b][0]:g} {at[b][1]:g}" for a, b in plan.segments)
        if drawn and not squares:
            parts.append(_tag("path", d=drawn, fill="none", stroke=_LINES, stroke_width=2.5, stroke_linecap="round"))
        for place, (x, y) in enumerate(at):
            if not view.piles[place] and not squares:
                parts.append(_circle(x, y, 4.5, _LINES))
            if not plan.files:
                wider = 8 * len(view.label(place))  # a label lies on its line, so the line gives way
                parts.append(_rect(x - wider / 2, y + r + 4, wider, 16, _FIELD))
                parts.append(_text(x, y + r + 16, view.label(place), size=13))
        parts += [self.stand(place, x, y, r, down=-0.3 * r) for place, (x, y) in enumerate(at)]
        parts += [_text(margin - 14, edge + y * unit + 5, label, size=15) for y, label in plan.ranks]
        parts += [_text(margin + edge + x * unit, high + 20, label, size=15) for x, label in plan.files]
        return "".join(parts), wide + 2 * margin, high + (28 if plan.files else 4)

    def tables(self) -> tuple[str, float, float]:
        """A tables board: spikes in two rows, the viewer's numbers on the frame, the other side's outside."""
        view, plan = self.view, self.view.geometry
        unit, r, half, frame, left, top = 46.0, 20.0, 216.0, 30.0, 54.0, 24.0
        high, wide = 2 * half + 44, (plan.size[0] + 1) * unit
        bottom = top + 2 * frame + high
        parts = [
            _rect(left, top, wide + 2 * frame, high + 2 * frame, _WOOD, 8),
            _rect(left + frame, top + frame, wide, high, _FIELD),
        ]
        parts += [_rect(left + frame + x * unit + 3, top + frame, unit - 6, high, _WOOD) for x in plan.gaps]
        own, others = (view.game.board.labels[side] for side in (view.near, 1 - view.near))
        men = []
        for place, (column, row) in enumerate(plan.spots):
            x = left + frame + (column + 0.5) * unit
            edge, inward = (top + frame, 1) if row == 0 else (bottom - frame, -1)
            tip = f"{x - unit / 2 + 2:g},{edge:g} {x + unit / 2 - 2:g},{edge:g} {x:g},{edge + inward * half * 0.92:g}"
            parts.append(_tag("polygon", points=tip, fill=_SPIKES[round(column + row) % 2]))
            parts.append(_text(x, edge - inward * 15 + 5, own[place], size=14, fill=_PAPER))
            if own != others:
                parts.append(_text(x, edge - inward * (frame + 12) + 4, others[place], size=12, fill=_DIM))
            men.append(self.stand(place, x, edge + inward * (r + 2), r, down=inward * 2.02 * r))
        for y in (top, bottom):
            away = -1 if y == top else 1
            parts.append(_text(left - 6, y - away * 15 + 5, view.game.sides[view.near], size=12, anchor="end"))
            if own != others:
                other = view.game.sides[1 - view.near]
                parts.append(_text(left - 6, y + away * 12 + 4, other, size=12, fill=_DIM, anchor="end"))
        for place, inward in zip(view.bar or (), (-1, 1), strict=False):
            x = left + frame + ((plan.middle_gap or 0) + 0.5) * unit
            y = top + frame + high / 2 + inward * (r + 3)
            men.append(self.stand(place, x, y, r * 0.92, down=inward * 1.9 * r))
        return "".join([*parts, *men]), left + wide + 2 * frame + 54, bottom + 24

    # ---- words -----------------------------------------------------------------------------

    def strip(self, side: int, x: float, y: float) -> tuple[str, float]:
        """A side: whose turn, its name, its places beside the board, what is remembered of it; and its end."""
        view = self.view
        parts = [self.man(x + 26, y - 5, 10, Pile(side, 0, 1))]
        if geometry.on_turn(view) == side:
            parts.append(_tag("polygon", points=f"{x},{y - 12} {x + 12},{y - 5} {x},{y + 2}", fill=_ACTIVE))
        parts.append(_text(x + 44, y, view.game.sides[side], size=16, bold=True, anchor="start"))
        x += 64 + 9 * len(view.game.sides[side])
        for place in view.beside(side):
            label = f"{view.label(place)} {view.men(place)}"
            parts.append(_text(x, y, label, size=15, anchor="start"))
            x += 8 * len(label) + 13
            in_gap = place in (view.bar or ())
            chips = 0 if in_gap else min(view.men(place), FULL)
            parts.append(self.signs(place, x + 6, y - 5, 9, False) if in_gap else self.stand(place, x + 6, y - 5, 9, 7))
            x += 25 + 7 * chips if chips else 28 if place in self.targets or place in self.last else 14
        facts = "   ".join(geometry.facts(view, side))
        return "".join([*parts, _text(x, y, facts, size=15, anchor="start")]), x + 8 * len(facts) + 20

    def words(self, x: float, y: float, wide: float) -> tuple[str, float]:
        """Whose turn, the dice, the legend; with the y below them."""
        view = self.view
        parts = [_text(x, y, geometry.status(view), size=17, bold=True, anchor="start")]
        at = x + 24 + 9 * len(geometry.status(view))
        for pips, left in view.dice:
            parts.append(_die(at, y - 21, pips, left))
            at += 36
        known = [("", [fact]) for fact in geometry.facts(view, None)]
        for name, words in [*known, *geometry.legend(view, self.targets, self.last)]:
            rows = textwrap.wrap(" ".join(words), max(20, int((wide - 40) / 8)))
            if name.isdigit():
                parts += [self.man(x + 10 + 20 * side, y + 22, 9, Pile(side, int(name), 1)) for side in (0, 1)]
            elif name:
                held = name in ("active", "mark")
                parts.append(_circle(x + 16, y + 22, 8, "none", _DIM, 1.2) if held else "")
                parts.append(self.sign(name, x + 16, y + 22, 8 if name != "target" else 16, held))
            for row in rows:
                y += 27 if row == rows[0] else 19
                parts.append(_text(x + 44, y, row, size=14, anchor="start"))
        return "".join(parts), y + 12


# ---- marks on paper ------------------------------------------------------------------------


def _die(x: float, y: float, pips: int, left: bool) -> str:
    """A die of 28 pixels, pale and struck through once it is played; numbers above six are written."""
    parts = _rect(x, y, 28, 28, _LIGHT, 6, stroke=_INK, stroke_width=1.5)
    for spot in map(int, _PIPS.get(pips, "")):
        parts += _circle(x + 6.5 + 7.5 * (spot % 3), y + 6.5 + 7.5 * (spot // 3), 2.7, _INK)
    if pips not in _PIPS:
        parts += _text(x + 14, y + 19, str(pips), size=14)
    if left:
        return f'<g data-die="{pips}">{parts}</g>'
    struck = _tag("path", d=f"M{x:g} {y + 28:g}l28 -28", stroke=_INK, stroke_width=2)
    return f'<g data-die="{pips}" opacity="0.45">{parts}{struck}</g>'


def _escaped(written: str) -> str:
    return escape(_NOT_XML.sub("", written))


def _quoted(written: str) -> str:
    return quoteattr(_NOT_XML.sub("", written))


def _tag(name: str, **given: str | float) -> str:
    values = {k.replace("_", "-"): v if isinstance(v, str) else f"{round(v, 1):g}" for k, v in given.items()}
    said = (f" {k}={_quoted(v)}" for k, v in values.items() if k == "fill" or v not in ("", "0", "none"))
    return f"<{name}{''.join(said)}/>"


def _circle(x: float, y: float, r: float, fill: str, stroke: str = "none", width: float = 0, dash: str = "") -> str:
    return _tag("circle", cx=x, cy=y, r=r, fill=fill, stroke=stroke, stroke_width=width, stroke_dasharray=dash)


def _rect(x: float, y: float, wide: float, high: float, fill: str, rx: float = 0, **given: str | float) -> str:
    return _tag("rect", x=x, y=y, width=wide, height=high, fill=fill, rx=rx, **given)


def _text(
    x: float, y: float, written: str, *, size: float, fill: str = _INK, bold: bool = False, anchor: str = "middle"
) -> str:
    style = f'font-size="{size:.3g}" fill="{fill}" text-anchor="{anchor}"' + (' font-weight="bold"' if bold else "")
    return f'<text x="{x:.1f}" y="{y:.1f}" {style}>{_escaped(written)}</text>' if written else ""
