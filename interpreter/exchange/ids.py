"""Positions as short texts of other programs, both ways.

    4HPwATDgc/ABMA              a position of GNU's program: ten bytes in base 64, the side that
                                is not to play first; with ``:cIkKAAAAAAAA`` its match id after it
    XGID=-b----E-C---eE---c-e----B-:0:0:1:31:0:0:0:0:10
                                a position of XG: 26 places, large letters for the side at the bottom

Our first side is XG's bottom side and player 1 of the match id (both programs draw that
one as X). A bare position says no side: the first is to play. Cube, score and length of
a match are no part of a position here; what they say is told (warning F612).

Faults: F610 a text that cannot be read, F609 men that cannot stand so.
"""

from __future__ import annotations

import base64
import re

from interpreter.diagnostics import Report
from interpreter.exchange.points import BAR, MEN, OFF, POINTS, Stand
from interpreter.source import Source, Span

GNUBG = re.compile(r"([A-Za-z0-9+/]{14})(?:==)?(?::([A-Za-z0-9+/]{12}))?")
XGID = re.compile(r"(?:XGID=)?([A-Oa-o-]{26})((?::[^:\s]*){0,9})")
START = "4HPwATDgc/ABMA"
PROPER = ("0", "0", "1", "00", "0", "0", "0", "0", "10")
_NAMES = (
    "cube", "owner of the cube", "side to play", "dice", "score", "score", "Crawford or Jacoby rule",
    "length of the match", "largest cube",
)  # fmt: skip


# ---- the position of ten bytes ------------------------------------------------------------------


def gnubg_text(stand: Stand) -> str:
    """A position and a match id: who is to play and what was thrown."""
    bits: list[int] = []
    for side in (1 - stand.side, stand.side):
        for number in range(1, BAR + 1):
            bits += [1] * stand.men[side][number] + [0]
    position = base64.b64encode(_packed(bits, 10)).decode()[:14]
    dice = (*stand.dice, 0, 0)[:2]
    player = 1 - stand.side
    fields = [(0, 4), (3, 2), (player, 1), (0, 1), (1, 3), (player, 1), (0, 1), (0, 2), (dice[0], 3), (dice[1], 3)]
    match = [value >> bit & 1 for value, width in fields for bit in range(width)]
    return f"{position}:{base64.b64encode(_packed(match, 9)).decode()}"


def _packed(bits: list[int], size: int) -> bytes:
    bits = bits + [0] * (size * 8 - len(bits))
    return bytes(sum(bits[8 * at + bit] << bit for bit in range(8)) for at in range(size))


def _bits(text: str) -> list[int]:
    data = base64.b64decode(text + "=" * (-len(text) % 4))
    return [byte >> bit & 1 for byte in data for bit in range(8)]


def gnubg_stand(source: Source, report: Report) -> Stand | None:
    """The position of such a text; None where there are faults."""
    text = source.text.strip()
    found = GNUBG.fullmatch(text)
    if found is None:
        report.error("F610", "this is no position id", source.whole, help=f"it has 14 characters, as `{START}` has")
        return None
    counts: list[list[int]] = [[], []]
    side = run = 0
    for bit in _bits(found[1])[:80]:
        if bit:
            run += 1
            continue
        if side < 2:
            counts[side].append(run)
        elif run:
            break
        run = 0
        if side < 2 and len(counts[side]) == BAR:
            side += 1
    if side < 2 or run:
        report.error("F610", "this position id holds no two sides of 25 places each", source.whole)
        return None
    idle, player = (_with_off(tuple(men), source, report) for men in counts)
    if idle is None or player is None:
        return None
    whose = 0
    dice: tuple[int, ...] = ()
    if found[2]:
        read = _match(found[2], source, report)
        if read is None:
            return None
        whose, dice = read
    men = (player, idle) if whose == 0 else (idle, player)
    return _standing(Stand(men, whose, dice), source, report)


def _with_off(men: tuple[int, ...], source: Source, report: Report) -> tuple[int, ...] | None:
    """Men on 1 to 25, with those borne off before them."""
    if sum(men) > MEN:
        report.error("F609", f"{sum(men)} men of one side; there are {MEN}", source.whole)
        return None
    return (MEN - sum(men), *men)


def _match(text: str, source: Source, report: Report) -> tuple[int, tuple[int, ...]] | None:
    """Who is to play, and the dice. Warning F612 for the rest of a match id."""
    bits = _bits(text)

    def field(start: int, width: int) -> int:
        return sum(bits[start + bit] << bit for bit in range(width))

    dice = (field(15, 3), field(18, 3))
    if max(dice) > 6 or (min(dice) == 0) != (max(dice) == 0):
        report.error("F610", f"dice that show {dice[0]} and {dice[1]}", source.whole)
        return None
    if field(12, 1):
        _left_out("a double is offered", source, report)
    if field(13, 2):
        _left_out("giving the game up is offered", source, report)
    cube = 1 << field(0, 4)
    owner = {0: ", owned by player 0", 1: ", owned by player 1"}.get(field(4, 2), "")
    if cube > 1 or owner:
        _left_out(f"cube {cube}{owner}", source, report)
    length, scores = field(21, 15), (field(36, 15), field(51, 15))
    if length or any(scores):
        _left_out(f"match to {length}, score {scores[0]} to {scores[1]}", source, report)
    if field(8, 3) not in (0, 1):
        _left_out("the game is over", source, report)
    return 1 - field(6, 1), dice if dice[0] else ()


def _left_out(what: str, source: Source, report: Report) -> None:
    report.warning("F612", f"what a position here does not hold is left out: {what}", source.whole)


def _standing(stand: Stand, source: Source, report: Report) -> Stand | None:
    """F609 where men of both sides stand on one point."""
    for number in range(1, POINTS + 1):
        if stand.men[0][number] and stand.men[1][BAR - number]:
            report.error("F609", f"men of both sides on the point that one counts {number}", source.whole)
            return None
    return stand


# ---- the position of 26 places ------------------------------------------------------------------


def xgid_text(stand: Stand) -> str:
    """A position with who is to play and the dice; the rest as a game alone has it."""
    places = [_letter(stand.men[1][BAR], "a")]
    for number in range(1, POINTS + 1):
        mine, other = stand.men[0][number], stand.men[1][BAR - number]
        places.append(_letter(mine, "A") if mine else _letter(other, "a"))
    places.append(_letter(stand.men[0][BAR], "A"))
    dice = "".join(map(str, stand.dice)) or "00"
    rest = (*PROPER[:2], "1" if stand.side == 0 else "-1", dice, *PROPER[4:])
    return f"XGID={''.join(places)}:{':'.join(rest)}"


def _letter(count: int, first: str) -> str:
    return chr(ord(first) + count - 1) if count else "-"


def xgid_stand(source: Source, report: Report) -> Stand | None:
    """The position of such a text; None where there are faults."""
    text = source.text.strip()
    found = XGID.fullmatch(text)
    if found is None:
        help = "it has 26 places `-`, `a` to `o`, `A` to `O`, then fields with `:` between them"
        report.error("F610", "this is no XGID", source.whole, help=help)
        return None
    counts = [[0] * (BAR + 1), [0] * (BAR + 1)]
    at = source.text.index(found[1])
    for index, letter in enumerate(found[1]):
        side = 0 if letter.isupper() else 1
        if letter == "-":
            continue
        number = index if side == 0 else BAR - index
        if number == OFF:
            report.error("F609", "a man on the other side's bar", Span(source, at + index, at + index + 1))
            return None
        counts[side][number] = ord(letter.lower()) - ord("a") + 1
    sides = [_with_off(tuple(men[1:]), source, report) for men in counts]
    if sides[0] is None or sides[1] is None:
        return None
    given = tuple(found[2].split(":")[1:])
    fields = given + PROPER[len(given) :]
    whose = {"1": 0, "-1": 1, "0": 0}.get(fields[2])
    dice: tuple[int, ...] = ()
    if whose is None:
        report.error("F610", f"`{fields[2]}` is no side to play", source.whole, help="write 1 or -1")
    if re.fullmatch("[1-6][1-6]", fields[3]):
        dice = tuple(sorted((int(face) for face in fields[3]), reverse=True))
    elif fields[3] in ("D", "B", "R"):
        _left_out({"D": "a double is offered", "B": "a beaver", "R": "a raccoon"}[fields[3]], source, report)
    elif fields[3] not in ("00", "0"):
        report.error("F610", f"`{fields[3]}` are no dice", source.whole, help="write two faces, or 00")
    for number, (value, proper) in enumerate(zip(fields, PROPER, strict=True)):
        if not re.fullmatch(r"-?[0-9]{1,6}", value) and number != 3:
            report.error("F610", f"`{value}` is no {_NAMES[number]}", source.whole)
        elif number not in (2, 3, 8) and value != proper:
            _left_out(f"{_NAMES[number]} {value}", source, report)
    if whose is None or report.errors:
        return None
    return _standing(Stand((sides[0], sides[1]), whose, dice), source, report)
