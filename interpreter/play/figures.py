"""How men, signs and dice are drawn: the one place for SVG files and for the page.

Sides differ in more than their fill: side 0 is light with a whole inner ring, side 1
dark with a broken one; the second kind of men wears a crown, further kinds their letter.
Signs:

    may      a thin ring around the men that can be taken up (on a page)
    held     a double ring around those that are
    active   a thick ring around the man that moves on
    mark     `!` on a man of whom something is remembered
    duty     an arrow on a man that has to move now, in a ring with few breaks
    liable   `×` in a dotted ring on a man that the other side may take off now
    last     a broken frame where the last move went
    target   a broken ring with `+` where something can be chosen

Lengths are in pixels. Colours have names; a file is given the colours themselves, a
page the names with the colours behind them, so that it may put others in their place.
Every text goes through one escape.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from xml.sax.saxutils import escape, quoteattr

from interpreter.game.types import Game
from interpreter.play.geometry import Pile
from interpreter.play.render import glyph

COLOURS = {
    "ink": "#2b2118", "text": "#2b2118", "paper": "#fbf6ea", "field": "#f2e2c2", "square": "#dcbb8c",
    "wood": "#7b4a2a", "lines": "#7a5533", "light": "#fffaf0", "light-edge": "#2b2118", "light-ink": "#2b2118",
    "dark": "#332c29", "dark-edge": "#d8c7a5", "dark-ink": "#fffaf0", "spike-a": "#e9d3ab", "spike-b": "#d6af7c",
    "dim": "#6b5d4b", "on-wood": "#fbf6ea", "active": "#a13f0a", "mark": "#b3261e", "target": "#166534",
    "last": "#1d4ed8", "may": "#166534", "duty": "#7e22ce", "liable": "#b3261e", "on-sign": "#ffffff", "die": "#fffaf0",
}  # fmt: skip
GREYS = {
    "ink": "#000000", "text": "#000000", "paper": "#ffffff", "field": "#ffffff", "square": "#d4d4d4",
    "wood": "#5a5a5a", "lines": "#555555", "light": "#ffffff", "light-edge": "#000000", "light-ink": "#000000",
    "dark": "#2b2b2b", "dark-edge": "#000000", "dark-ink": "#ffffff", "spike-a": "#f0f0f0", "spike-b": "#c9c9c9",
    "dim": "#555555", "on-wood": "#ffffff", "active": "#000000", "mark": "#000000", "target": "#000000",
    "last": "#000000", "may": "#000000", "duty": "#000000", "liable": "#000000", "on-sign": "#ffffff", "die": "#ffffff",
}  # fmt: skip
"""The same for paper, where there is no colour."""
SIGNS = ("last", "may", "held", "active", "mark", "duty", "liable", "target")
"""In the order in which they are laid over each other."""

BADGES = {"mark": (0.72, -0.72), "target": (0.72, -0.72), "duty": (-0.72, -0.72), "liable": (-0.72, 0.72)}
DIE = 28
FONT = "Georgia, 'DejaVu Serif', serif"

_CROWN = ((0.5, 0.4), (-0.5, 0.4), (-0.62, -0.3), (-0.25, 0.02), (0, -0.5), (0.25, 0.02), (0.62, -0.3))
_PIPS = {1: "4", 2: "28", 3: "248", 4: "0268", 5: "02468", 6: "023568"}
_NOT_XML = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


class Figures:
    """The figures of one game; ``themed`` where a page may change the colours."""

    def __init__(self, game: Game, themed: bool = False, colours: Mapping[str, str] = COLOURS) -> None:
        self.game, self.themed, self.colours = game, themed, colours

    def ink(self, name: str) -> str:
        """A colour as it is written."""
        return f"var(--alfonso-{name},{self.colours[name]})" if self.themed else self.colours[name]

    # ---- men ---------------------------------------------------------------------------------

    def man(self, x: float, y: float, r: float, pile: Pile, count: str = "") -> str:
        """One man; with ``count`` he stands for so many and wears the number instead of his kind's sign."""
        side = ("light", "dark")[pile.side]
        ink = self.ink(f"{side}-ink")
        ring = r * (0.62 if not pile.kind and not count else 0.84)
        dash = f"{r * 0.16:.1f} {r * 0.12:.1f}" if pile.side else ""
        parts = circle(x, y, r, self.ink(side), self.ink(f"{side}-edge"), 1.6)
        if r > 12 or not (pile.side or pile.kind):
            parts += circle(x, y, ring, "none", ink, min(1.2, r * 0.1), dash)
        if count:
            size = r * (1.2 - 0.17 * len(count))
            return parts + self.text(x, y + r * 0.3, count, size=size, fill=f"{side}-ink", bold=True)
        if pile.kind == 1:
            corners = " ".join(f"{x + a * r:.1f},{y + b * r:.1f}" for a, b in _CROWN)
            parts += tag("polygon", points=corners, fill=ink)
        elif pile.kind > 1:
            letter = glyph(self.game, 0, pile.kind)
            parts += self.text(x, y + r * 0.36, letter, size=r, fill=f"{side}-ink", bold=True)
        return parts

    # ---- signs -------------------------------------------------------------------------------

    def sign(self, name: str, x: float, y: float, r: float, held: bool = True) -> str:
        """One sign at a man (``held``) or at an empty place."""
        colour = self.ink("active" if name == "held" else name)
        if name == "may":
            return circle(x, y, r * 1.1, "none", colour, max(2, r * 0.11))
        if name == "active":
            return circle(x, y, r * 1.16, "none", colour, max(2, r * 0.2))
        if name == "held":
            outer = circle(x, y, r * 1.3, "none", self.ink("active"), max(2, r * 0.12))
            return circle(x, y, r * 1.12, "none", self.ink("active"), max(2, r * 0.12)) + outer
        if name == "last":
            half, broken = r * 1.14, {"stroke": colour, "stroke_dasharray": "6 4"}
            return rect(x - half, y - half, 2 * half, 2 * half, "none", half / 3, stroke_width=2, **broken)
        right, down = BADGES[name]
        a, b, small = (x + r * right, y + r * down, max(r * 0.42, 6)) if held else (x, y, r * 0.5)
        badge = circle(a, b, small, colour, self.ink("on-sign"), 1.2)
        if name == "mark":
            return badge + self.text(a, b + small * 0.6, "!", size=small * 1.7, fill="on-sign", bold=True)
        arm = small * 0.55
        strokes = {
            "target": f"M{a - arm:.1f} {b:.1f}h{2 * arm:.1f}M{a:.1f} {b - arm:.1f}v{2 * arm:.1f}",
            "duty": f"M{a:.1f} {b + arm:.1f}v{-2 * arm:.1f}"
            f"m{-arm:.1f} {arm:.1f}l{arm:.1f} {-arm:.1f}l{arm:.1f} {arm:.1f}",
            "liable": f"M{a - arm * 0.8:.1f} {b - arm * 0.8:.1f}l{arm * 1.6:.1f} {arm * 1.6:.1f}"
            f"m0 {-arm * 1.6:.1f}l{-arm * 1.6:.1f} {arm * 1.6:.1f}",
        }  # fmt: skip
        wide = max(1.5, r * 0.12)
        badge += tag("path", d=strokes[name], fill="none", stroke=self.ink("on-sign"), stroke_width=wide)
        rings = {"target": "5 3", "liable": "2 3", "duty": "12 2"}
        ring = circle(x, y, r * 1.1, "none", colour, 2.4, rings[name]) if held and name in rings else ""
        return ring + badge

    # ---- dice --------------------------------------------------------------------------------

    def die(self, x: float, y: float, pips: int | str, left: bool = True) -> str:
        """A die of 28 pixels, pale and struck through once it is played; numbers above six are written."""
        ink = self.ink("light-ink")
        parts = rect(x, y, DIE, DIE, self.ink("die"), 6, stroke=ink, stroke_width=1.5)
        spots = _PIPS.get(pips, "") if isinstance(pips, int) else ""
        for spot in map(int, spots):
            parts += circle(x + 6.5 + 7.5 * (spot % 3), y + 6.5 + 7.5 * (spot // 3), 2.7, ink)
        if not spots:
            parts += self.text(x + 14, y + 19, str(pips), size=14, fill="light-ink")
        if left:
            return f'<g data-die="{pips}">{parts}</g>'
        return f'<g data-die="{pips}" opacity="0.45">{parts}{self.strike(x, y)}</g>'

    def strike(self, x: float, y: float) -> str:
        """The stroke through a die that has been played."""
        return tag("path", d=f"M{x:g} {y + DIE:g}l{DIE} {-DIE}", stroke=self.ink("light-ink"), stroke_width=2)

    # ---- words -------------------------------------------------------------------------------

    def text(
        self,
        x: float,
        y: float,
        written: str,
        *,
        size: float,
        fill: str = "text",
        bold: bool = False,
        anchor: str = "middle",
        label: bool = False,
    ) -> str:
        """Words at a point of their baseline, in a colour by name; a page may enlarge a ``label``."""
        wide = f"calc({size:.3g}px*var(--alfonso-label,1))" if self.themed and label else f"{size:.3g}"
        style = f'font-size="{wide}" fill="{self.ink(fill)}" text-anchor="{anchor}"'
        style += ' font-weight="bold"' if bold else ""
        return f'<text x="{x:.1f}" y="{y:.1f}" {style}>{escaped(written)}</text>' if written else ""


# ---- marks on paper --------------------------------------------------------------------------


def escaped(written: str) -> str:
    """Text as it may stand in XML."""
    return escape(_NOT_XML.sub("", written))


def quoted(written: str) -> str:
    """Text as the value of an attribute, with its quotes."""
    return quoteattr(_NOT_XML.sub("", written))


def tag(name: str, **given: str | float) -> str:
    """An empty element; attributes that say nothing are left out."""
    values = {k.replace("_", "-"): v if isinstance(v, str) else f"{round(v, 1):g}" for k, v in given.items()}
    said = (f" {k}={quoted(v)}" for k, v in values.items() if k == "fill" or v not in ("", "0", "none"))
    return f"<{name}{''.join(said)}/>"


def circle(x: float, y: float, r: float, fill: str, stroke: str = "none", width: float = 0, dash: str = "") -> str:
    """A circle, filled, with an edge."""
    return tag("circle", cx=x, cy=y, r=r, fill=fill, stroke=stroke, stroke_width=width, stroke_dasharray=dash)


def rect(x: float, y: float, wide: float, high: float, fill: str, rx: float = 0, **given: str | float) -> str:
    """A rectangle, its corners rounded by ``rx``."""
    return tag("rect", x=x, y=y, width=wide, height=high, fill=fill, rx=rx, **given)
