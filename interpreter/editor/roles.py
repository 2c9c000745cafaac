"""What stands at each place of a file: a name that is given, a name that is used, a term, a position.

One table for everything that an editor does: what is marked, completed and renamed is
found by it. A place is the way from the root of a file: ``("may", "step", "when")``;
places in lists have numbers, which mean nothing here.
"""

from __future__ import annotations

from dataclasses import dataclass

from interpreter.game.types import BOOL, DIRECTION, INT, PLACE, PLACES
from interpreter.game.words import AFTER, PATH, UNLESS, VERB
from interpreter.ruleset.types import CLAUSE_LISTS

# What a name may be the name of.
CLAUSE, VERBS, ENDING, PHASE, SIDE, KIND, LINES = "clause", "verb", "ending", "phase", "side", "kind of man", "lines"
DEFINE, MEMORY, REGION, BESIDE = "definition", "fact", "region", "place beside the board"
OPTION, VALUE, READING, DOUBT = "option", "value", "reading", "doubt"
SOURCE, RULESET, BOARD = "source", "ruleset", "board"
WORD = "word of the language"

WORDS = (DEFINE, MEMORY, REGION, BESIDE)
"""What a word of a term may be besides a word of the language: none of them may be called as another is."""

# What a scalar is read as.
NAMES, TERM, EFFECT, LIST, SETUP = "names", "term", "effect", "places", "set-up"
POSITION, MOVES, OUTCOME, WAY, WHO, TEXT = "position", "moves", "outcome", "way", "who", "text"

ANY = (BOOL, INT, PLACE, PLACES, DIRECTION)


@dataclass(frozen=True)
class Role:
    """How the scalar (or key) of a place is read.

    ``kinds``: what it may name, the likeliest first. ``gives``: it gives the name.
    ``option``: of a value, whose it is. ``sorts``, ``features``: of a term, what it may
    come to and what it may ask about.
    """

    reads: str = TEXT
    kinds: tuple[str, ...] = ()
    gives: bool = False
    option: str = ""
    sorts: tuple[str, ...] = ()
    features: frozenset[str] = frozenset()


PLAIN = Role()
Where = tuple["str | int", ...]


def _uses(*kinds: str, option: str = "") -> Role:
    return Role(NAMES, kinds, False, option)


def _gives(kind: str, option: str = "") -> Role:
    return Role(NAMES, (kind,), True, option)


def _term(*sorts: str, features: tuple[str, ...] = ()) -> Role:
    return Role(TERM, sorts=sorts, features=frozenset(features))


_FIELDS: dict[str, Role] = {
    "verb": _gives(VERBS),
    "way": Role(WAY, (BESIDE,)),
    "who": Role(WHO, (KIND,)),
    "along": _uses(LINES),
    "region": _uses(REGION),
    "phase": _uses(PHASE),
    "side": _uses(SIDE),
    "before": _uses(CLAUSE),
    "verbs": _uses(VERBS),
    "binds": _uses(VERBS),
    "breach": _uses(MEMORY),
    "kind": _gives(ENDING),
    "do": Role(EFFECT, features=frozenset((PATH, VERB))),
    "points": _term(INT, features=(PATH, VERB)),
    "prefer": _term(BOOL, INT, features=(PATH, VERB)),
    "most": _term(INT, BOOL),
    "least": _term(INT, BOOL),
    "unless": _term(BOOL, features=(UNLESS,)),
}
_STORIES: dict[str, Role] = {
    "reading": _uses(READING),
    "given": Role(POSITION),
    "results": Role(POSITION),
    "play": Role(MOVES),
    "legal": Role(MOVES),
    "not legal": Role(MOVES),
    "outcome": Role(OUTCOME),
}
_ANYWHERE = frozenset((PATH, VERB, AFTER, UNLESS))


def inside(where: Where) -> tuple[tuple[str, ...], bool]:
    """The names of a place, without those that lead to the value of an option; was it inside one?"""
    names = tuple(step for step in where if isinstance(step, str))
    if len(names) > 4 and names[0] == "options" and names[2] == "values":
        return names[4:], True
    return names, False


def of_key(where: Where, file: str = RULESET) -> Role:
    """How the key at the end of a place is read. ``file``: ruleset, board or sources."""
    names, patch = inside(where)
    if file == BOARD:
        names = ("board", *names)
    role = _key_of_two(names, patch) if len(names) == 2 else _key_of_more(names)
    return role or PLAIN


def _key_of_two(names: tuple[str, ...], patch: bool) -> Role | None:
    section, name = names
    given = {
        "define": DEFINE,
        "memory": MEMORY,
        "phases": PHASE,
        "options": OPTION,
        "readings": READING,
        "doubts": DOUBT,
        "sources": SOURCE,
        **dict.fromkeys(CLAUSE_LISTS, CLAUSE),
    }
    if section in given and not (patch and section in ("options", "readings", "doubts", "sources")):
        return _gives(given[section])
    if section == "sides" and name != "each":
        return _gives(SIDE)
    return _uses(OPTION) if section == "with" else _uses(CLAUSE) if section == "unused" else None


def _key_of_more(names: tuple[str, ...]) -> Role | None:
    if len(names) == 3 and names[0] == "board" and names[1] in ("regions", "lines"):
        return _gives(REGION if names[1] == "regions" else LINES)
    if len(names) == 4 and names[0] == "options" and names[2] in ("values", "needs"):
        return _gives(VALUE, names[1]) if names[2] == "values" else _uses(OPTION)
    if len(names) == 4 and names[0] == "sides" and names[2] == "men":
        return _uses(KIND)
    if len(names) == 3 and names[0] == "readings" and names[2] not in ("says", "because"):
        return _uses(OPTION)
    if len(names) == 3 and names[0] == "stories" and names[1] in ("options", "not legal"):
        return _uses(OPTION) if names[1] == "options" else Role(MOVES)
    return None


def of_value(where: Where, file: str = RULESET, at: str = "") -> Role:
    """How the scalar at a place is read.

    Args:
        at: the moment of the clause it stands in (its field ``at``).
    """
    names, _ = inside(where)
    if file == BOARD:
        names = ("board", *names)
    if not names:
        return PLAIN
    if "because" in names:
        return _uses(SOURCE) if names[-1] == "source" else PLAIN
    if names[0] in CLAUSE_LISTS:
        return _of_field(names[0], names[2], at) if len(names) == 3 else PLAIN
    found = _SINGLE.get(names) or _of_option(names)
    if found is None and names[0] == "stories":
        found = _of_story(names)
    if found is None and names[0] == "define" and (len(names) == 2 or names[2:] == ("is",)):
        found = _term(*ANY, features=tuple(_ANYWHERE))
    if found is None and names[0] == "sides" and len(names) > 2:
        found = Role(SETUP) if names[2] == "men" and len(names) == 4 else Role(LIST) if names[2] == "track" else None
    if found is None and names[:2] == ("board", "regions") and len(names) == 3:
        found = Role(LIST)
    return found or PLAIN


_SINGLE: dict[tuple[str, ...], Role] = {
    ("ruleset",): _gives(RULESET),
    ("extends",): _uses(RULESET),
    ("board",): _uses(BOARD),
    ("board", "board"): _gives(BOARD),
    ("board", "beside"): _gives(BESIDE),
    ("without",): _uses(CLAUSE),
    ("pieces",): _gives(KIND),
    ("phases",): _gives(PHASE),
    ("start", "who"): _uses(SIDE),
}


def _of_option(names: tuple[str, ...]) -> Role | None:
    """The values of options, wherever they are chosen."""
    if names[0] == "with" and len(names) == 2:
        return _uses(VALUE, option=names[1])
    if names[0] == "options" and len(names) == 3 and names[2] == "default":
        return _uses(VALUE, option=names[1])
    if names[0] == "options" and len(names) == 4 and names[2] == "needs":
        return _uses(VALUE, option=names[3])
    if names[0] == "readings" and len(names) == 3 and names[2] != "says":
        return _uses(VALUE, option=names[2])
    return _uses(VALUE, option=names[2]) if names[:2] == ("stories", "options") and len(names) == 3 else None


def _of_story(names: tuple[str, ...]) -> Role | None:
    if len(names) == 3 and names[1] == "not legal":
        return _uses(CLAUSE)
    return _STORIES.get(names[1]) if len(names) == 2 else None


def _of_field(section: str, field: str, at: str) -> Role:
    """The field of a clause; what its term may ask about hangs on the moment it is read at."""
    if field == "kind" and section != "ends":
        return PLAIN
    if field == "when":
        moment = section in ("then", "ends") and at not in ("", "decision", "turn-end")
        return _term(BOOL, features=() if moment else (PATH, VERB))
    if field == "after":
        sorts = (BOOL, INT) if section == "must" else (BOOL,)
        return _term(*sorts, features=(AFTER,) if at == "play-end" else (PATH, VERB, AFTER))
    return _FIELDS.get(field, PLAIN)
