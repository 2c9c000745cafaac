"""The vocabulary: one row for every word of the language.

A row says how the word is written (``form``), the sorts of its arguments, the sort
of its value, the op that means it, what it needs to mean anything, and one line of
documentation with an example. Each op has one function in ``machine.evaluate``.
Nothing here names a game.
"""

from __future__ import annotations

from dataclasses import dataclass

from interpreter.game.types import BOOL, DIRECTION, INT, PLACE, PLACES

# What a word may need of the clause it stands in, or of the ruleset.
PATH, VERB, AFTER, UNLESS, WHERE = "path", "verb", "after", "unless", "where"
DICE, TRACKS, LINES, COORDINATES = "dice", "tracks", "lines", "coordinates"


@dataclass(frozen=True)
class Word:
    """One row. ``form``: "" bare, plain, through, range, of, of_through; ``number`` args are written numbers."""

    name: str
    form: str
    args: tuple[str, ...]
    sort: str
    op: str
    needs: tuple[str, ...]
    meaning: str
    example: str


NUMBER = "number"

# fmt: off
WORDS: tuple[Word, ...] = (
    # ---- men and points ------------------------------------------------------------
    Word("own", "", (), PLACES, "standing", (), "points where your men stand; `own K`: men of kind K", "to in own king"),
    Word("foe", "", (), PLACES, "standing", (), "points where the other side's men stand; `foe K`: of kind K", "over in foe"),
    Word("own", "plain", (PLACES,), INT, "count", (), "how many of your men stand on these places; `own K(P)`: of kind K", "own(bar) >= 1"),
    Word("foe", "plain", (PLACES,), INT, "count", (), "how many of the other side's men stand there; `foe K(P)`: of kind K", "foe(to) >= 2"),
    Word("empty", "", (), PLACES, "empty", (), "points without a man", "to in empty"),
    Word("board", "", (), PLACES, "places", (), "all points", "from in board"),
    Word("none", "", (), PLACES, "places", (), "no place", "heading-for = none"),
    # ---- the decision -------------------------------------------------------------
    Word("from", "", (), PLACE, "from", (PATH,), "where the man comes from", "from in bar"),
    Word("to", "", (), PLACE, "to", (PATH,), "where the man goes to", "to in off"),
    Word("over", "", (), PLACES, "over", (PATH,), "the places between from and to", "over in foe"),
    Word("active", "", (), PLACE, "active", (), "where the man stands that alone may go on", "active in own"),
    Word("it", "", (), PLACE, "it", (WHERE,), "the place that `where` is asking about", "board where own(it) >= 2"),
    Word("direction", "", (), DIRECTION, "direction", (PATH,), "the compass direction of the path", "direction = heading"),
    Word("forward", "", (), BOOL, "heads", (PATH, COORDINATES), "the path leads away from your seat (diagonals included)", "not forward"),
    Word("sideways", "", (), BOOL, "heads", (PATH, COORDINATES), "the path leads along a rank", "sideways"),
    Word("backward", "", (), BOOL, "heads", (PATH, COORDINATES), "the path leads towards your seat (diagonals included)", "backward and from in own man"),
    Word("straight", "", (), BOOL, "heads", (PATH, COORDINATES), "the path keeps to a file or a rank", "straight"),
    Word("diagonal", "", (), BOOL, "heads", (PATH, COORDINATES), "the path keeps to neither", "diagonal and to in foe"),
    Word("die", "", (), INT, "die", (PATH, DICE), "the pips of the die the path spends", "die = 6"),
    Word("excess", "", (), INT, "excess", (PATH, TRACKS), "by how many pips the die passes the place left to, else 0", "excess >= 1"),
    # ---- places beside the board and by number ---------------------------------------
    Word("bar", "", (), PLACE, "places", (), "your place `bar` beside the board", "own(bar) >= 1"),
    Word("off", "", (), PLACE, "places", (), "your place `off` beside the board", "to in off"),
    Word("hand", "", (), PLACE, "places", (), "your place `hand` beside the board", "own(hand) = 0"),
    Word("box", "", (), PLACE, "places", (), "your place `box` beside the board", "foe(their box) = 5"),
    Word("point", "plain", (NUMBER,), PLACE, "places", (TRACKS,), "the point with this number on your track", "to in point(12)"),
    Word("point", "range", (NUMBER, NUMBER), PLACES, "places", (TRACKS,), "the points with these numbers on your track", "to in point(1..11)"),
    Word("rank", "plain", (NUMBER,), PLACES, "places", (COORDINATES,), "the points of a rank counted from your seat; `rank(last)`: the farthest", "from in rank(last)"),
    # ---- sets of places -----------------------------------------------------------------
    Word("neighbours", "plain", (PLACES,), PLACES, "neighbours", (LINES,), "points next to these on a line", "size(neighbours(to) & empty) = 0"),
    Word("behind-on-track", "plain", (PLACES,), PLACES, "behind-on-track", (TRACKS,), "all places of your track before the first of these (ends included)", "own(behind-on-track(from)) >= 1"),
    Word("beyond-on-track", "plain", (PLACES,), PLACES, "beyond-on-track", (TRACKS,), "all places of your track after the last of these (ends included)", "foe(their beyond-on-track(to)) = 0"),
    Word("stretch", "through", (PLACES, PLACE), PLACES, "stretch", (TRACKS,), "the unbroken stretch of these on your track that holds the place", "size(stretch(own through to)) >= 6"),
    Word("run", "plain", (PLACES,), INT, "run", (TRACKS,), "the length of the longest unbroken stretch of these on your track", "run(board where own(it) >= 2) > 5"),
    Word("run", "through", (PLACES, PLACE), INT, "run-through", (TRACKS,), "the length of the unbroken stretch that holds the place", "run(board where foe(it) >= 2 through to) > 5"),
    Word("beyond", "plain", (PLACES,), PLACES, "beyond", (PATH, LINES), "for each of these next to `to`: the next on that line, away from `to`", "neighbours(to) where beyond(it) meets own"),
    Word("ahead", "plain", (PLACES,), PLACES, "ahead", (PATH, LINES), "the unbroken stretch of these that begins just after `to` on the path's line", "size(ahead(foe)) > 0"),
    Word("behind", "plain", (PLACES,), PLACES, "behind", (PATH, LINES), "the unbroken stretch of these that begins just before `from` on the path's line", "size(behind(foe)) > 0"),
    Word("joined", "through", (PLACES, PLACES), PLACES, "joined", (LINES,), "the places of the first set that lines join to the second, over places of the first", "joined(foe + empty through foe) meets edge"),
    Word("row", "of", (NUMBER, PLACES), PLACES, "row", (LINES,), "places in a stretch of n consecutive places of one line, all of them in the set", "to in row(3 of own)"),
    Word("rows", "of_through", (NUMBER, PLACES, PLACES), INT, "rows", (LINES,), "how many such stretches meet the places", "rows(3 of own through to) = 2"),
    # ---- numbers -----------------------------------------------------------------------
    Word("size", "plain", (PLACES,), INT, "size", (), "how many places there are", "size(over) = 1"),
    Word("nr", "plain", (PLACE,), INT, "nr", (TRACKS,), "the place's number on your track", "nr(to) > nr(from)"),
    Word("dice", "", (), INT, "dice", (DICE,), "how many dice are left", "dice >= 1"),
    Word("left", "plain", (NUMBER,), INT, "left", (DICE,), "how many dice left show n", "left(6) = 0"),
    Word("thrown", "plain", (NUMBER,), INT, "thrown", (DICE,), "how many dice thrown show n", "thrown(1) = 1 and thrown(2) = 1"),
    Word("lowest", "", (), INT, "lowest", (DICE,), "the smallest die left, 0 where none is", "die = lowest"),
    Word("highest", "", (), INT, "highest", (DICE,), "the largest die left, 0 where none is", "die = highest"),
    Word("doubles", "", (), BOOL, "doubles", (DICE,), "the dice thrown are equal", "doubles and turns = 0"),
    Word("taken", "", (), INT, "taken", (), "men taken in this play", "taken >= 1"),
    Word("plays", "", (), INT, "plays", (), "decisions with a path in this play", "plays = 0"),
    Word("dice-played", "", (), INT, "dice-played", (DICE,), "dice spent in this play", "dice-played = 0"),
    Word("pips-played", "", (), INT, "pips-played", (DICE,), "the sum of the dice spent in this play, as thrown", "pips-played >= 6"),
    Word("wasted", "", (), INT, "wasted", (DICE,), "the sum of `excess` in this play", "wasted = 0"),
    Word("turns", "", (), INT, "turns", (), "turns begun in this game before this one", "turns = 0"),
    Word("repeats", "", (), INT, "repeats", (), "how often this position has stood at the end of this side's turns, this one included", "repeats >= 3"),
    Word("score", "", (), INT, "score", (), "your score in the match", "score >= 11"),
    # ---- truth ---------------------------------------------------------------------------
    Word("always", "", (), BOOL, "true", (), "holds", "always"),
    Word("never", "", (), BOOL, "false", (), "does not hold", "never"),
    Word("goes-on", "", (), BOOL, "goes-on", (AFTER,), "the same side plays on after this decision (in `after`)", "not goes-on"),
    Word("ended", "", (), BOOL, "ended", (UNLESS,), "this play has ended the game (in `unless`)", "ended"),
)

CONNECTIVES: tuple[tuple[str, str, str], ...] = (
    ("their W", "the word W, read from the other side; it does not reach into brackets", "own(their bar) = 0"),
    ("T * T", "product of numbers", "2 * taken"),
    ("P & Q", "places in both", "own & rank(last)"),
    ("T + T, P + Q", "sum of numbers; places in either", "over + to in empty"),
    ("T - T, P - Q", "difference of numbers; places of P that are not in Q (minus needs spaces)", "over - empty in foe"),
    ("= != < <= > >=", "comparison of numbers; `=` and `!=` of places and directions (false where a direction is none)", "own(board) = 1"),
    ("P in Q", "P is not empty and all of it is in Q", "to in empty"),
    ("P meets Q", "some of P is in Q", "over meets own"),
    ("verb is V", "the decision has this verb", "verb is jump"),
    ("phase is X", "the turn is in this phase", "phase is chain"),
    ("not B, B and B, B or B", "truth", "not head and to in far"),
    ("T if B else T", "one value or the other", "2 if foe(their bar) >= 1 else 1"),
    ("P where B", "places of P for which B holds (`it` names the place)", "home where own(it) >= 2"),
    ("can V", "a decision of this verb is permitted now (no active man, no duties)", "not can travel"),
    ("can V from P", "… by a man who stands on P", "can jump from active"),
    ("can V at all", "… with any die instead of the dice left", "can travel at all"),
    ("opposite D", "the opposite direction", "direction = opposite heading"),
)

EFFECTS: tuple[tuple[str, str, str], ...] = (
    ("send MEN to P", "these men go to the place", "send foe(to) to their bar"),
    ("take MEN", "these men go to their own side's box and count as taken", "take foe(over)"),
    ("make MEN K", "these men become kind K", "make own man(rank(last)) king"),
    ("remember x [= T]", "a flag becomes yes; a fact takes the value; `x(P)`: of the men on P", "remember came-from(to) = from"),
    ("forget x", "the fact returns to its beginning; `x(P)`: of the men on P; `their x`: the other side's", "forget negligent"),
    ("mark P as M", "the men on these places bear the mark", "mark over & foe as jumped"),
    ("unmark P as M", "they no longer bear it", "unmark negligent - to as negligent"),
    ("again [PHASE] [at p] [if able]", "the same side goes on", "again chain at to if able"),
    ("hand over", "the turn ends", "hand over"),
    ("hand over dice", "the turn ends and the other side plays the dice left", "hand over dice"),
    ("throw", "the same side throws again: a new play", "throw"),
    ("dice N x T", "the dice left become N showing T: a new play", "dice 4 x die"),
    ("add die T", "one more die, showing T: a new play", "add die die"),
)

WAYS: tuple[tuple[str, str, str], ...] = (
    ("step", "to the next place on a line", "way: step"),
    ("leap", "to the place after next on a line", "way: leap"),
    ("slide", "any distance along a line", "way: slide"),
    ("travel", "along the side's track by one die; past the end, to the last place", "way: travel"),
    ("drop B", "from the mover's place B beside the board to any point", "way: drop hand"),
    ("remove B", "from any point to the place B of the man's own side", "way: remove box"),
    ("go", "from any point to any other", "way: go"),
    ("listed", "along the paths the board writes out", "way: listed"),
    ("name", "one for each face of the die: no man moves, no die is spent", "way: name"),
)

# fmt: on
BY_NAME: dict[str, tuple[Word, ...]] = {}
for _word in WORDS:
    BY_NAME[_word.name] = (*BY_NAME.get(_word.name, ()), _word)

NEEDS: dict[str, tuple[str, ...]] = {w.op: w.needs for w in WORDS if w.op not in ("places", "heads")}
NEEDS["heads"] = (PATH, COORDINATES)

KEYWORDS = frozenset(
    [
        "where",
        "if",
        "else",
        "or",
        "and",
        "not",
        "in",
        "meets",
        "is",
        "opposite",
        "their",
        "can",
        "from",
        "at",
        "all",
        "through",
        "of",
        "send",
        "to",
        "take",
        "make",
        "remember",
        "forget",
        "mark",
        "as",
        "unmark",
        "again",
        "able",
        "hand",
        "over",
        "dice",
        "throw",
        "x",
        "add",
        "die",
        "track",
        "last",
        "verb",
        "phase",
    ]
)
RESERVED = frozenset(BY_NAME) | KEYWORDS
"""Words that no memory, definition, region, place beside the board or kind may be called."""
