"""What may be written at the cursor: the names of fields, the words of terms by sort and frame, names by kind."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from pathlib import Path

from interpreter.diagnostics import Report
from interpreter.document.types import Mapping, Node
from interpreter.editor import expected, roles, shapes
from interpreter.editor.cursor import Cursor, cursor
from interpreter.editor.hover import SORTS
from interpreter.editor.marks import SECTION, Index
from interpreter.editor.meaning import Meaning
from interpreter.editor.roles import (
    BESIDE,
    BOARD,
    CLAUSE,
    ENDING,
    KIND,
    OPTION,
    PHASE,
    RULESET,
    SIDE,
    VALUE,
    VERBS,
    Role,
)
from interpreter.editor.vocabulary import Vocabulary
from interpreter.editor.workspace import Workspace
from interpreter.game import board as boards
from interpreter.game.clauses import AMONG_WORDS, COMPASS_WORDS, DIRECTION_WORDS
from interpreter.game.words import RESERVED, WAYS
from interpreter.ruleset.from_document import fields
from interpreter.ruleset.types import CLAUSE_LISTS

FIELD, ALLOWED, PLACE = "field", "allowed word", "place"


@dataclass(frozen=True)
class Item:
    """Something to write: ``start`` to ``end`` becomes ``text`` (``brackets``: with `(…)` behind it)."""

    label: str
    kind: str
    start: int
    end: int
    text: str
    detail: str = ""
    says: str = ""
    near: bool = True
    brackets: bool = False


def completion(workspace: Workspace, path: Path, offset: int) -> list[Item]:
    """What may be written at a place, what fits best first."""
    index = workspace.index(path)
    if index is None:
        return []
    place = cursor(index.text, offset)
    if place is None:
        return []
    meaning = Meaning(workspace, path)
    found = list(_keys(meaning, index, place) if place.is_key else _values(meaning, index, place))
    if index.text[place.end : place.end + 1] == ":":  # the name is there already
        found = [replace(item, text=item.text.rstrip(" :")) for item in found]
    seen: dict[tuple[str, bool], Item] = {}
    for item in found:
        seen.setdefault((item.label, item.brackets), item)
    return sorted(seen.values(), key=lambda item: not item.near)


def _item(place: Cursor, label: str, kind: str, detail: str = "", says: str = "", text: str = "") -> Item:
    return Item(label, kind, place.start, place.end, text or label, detail, says)


# ---- names of fields -----------------------------------------------------------------------------


def _keys(meaning: Meaning, index: Index, place: Cursor) -> Iterator[Item]:
    where = place.where[:-1] if place.where else ()
    for name, says in shapes.names(where, index.file).items():
        if name not in place.beside:
            opens = shapes.takes((*where, name), index.file)
            yield _item(
                place, name, FIELD if where else SECTION, says=says, text=f"{name}:" + (" " if opens == "word" else "")
            )
    role = roles.of_key((*where, "x"), index.file)
    if role.reads == roles.NAMES:
        yield from (
            replace(item, text=f"{item.text}:{'' if role.gives else ' '}")
            for item in _named(meaning, index, role, place, where)
            if item.label not in place.beside
        )
    if where == ("sides",):
        yield _item(place, "each", FIELD, says="laid under every side", text="each:")


def _named(meaning: Meaning, index: Index, role: Role, place: Cursor, where: roles.Where) -> Iterator[Item]:
    """Names that exist and may be a key here: to be chosen, or to be patched."""
    section = roles.inside(where)[0][:1]
    for kind in role.kinds:
        for name, one in meaning.every(kind, role.option).items():
            if kind == CLAUSE and (one.mark.section,) != section:
                continue
            if role.gives and kind in (OPTION, VALUE):
                continue
            yield _item(place, name, kind, one.mark.detail.split("\n")[0], one.mark.says)


# ---- values ------------------------------------------------------------------------------------------


def _values(meaning: Meaning, index: Index, place: Cursor) -> Iterator[Item]:
    if shapes.takes(place.where, index.file) == "mapping" and not place.before.strip(" abcdefghijklmnopqrstuvwxyz-"):
        yield from _keys(meaning, index, replace(place, where=(*place.where, ""), is_key=True))
        return
    yield from (_item(place, word, ALLOWED) for word in shapes.allowed(place.where, index.file))
    role = roles.of_value(place.where, index.file, place.moment)
    words = Vocabulary(meaning)
    last = next((step for step in reversed(place.where) if isinstance(step, str)), "")
    if role.reads == roles.NAMES and not role.gives:
        yield from (item for item in _uses(meaning, index, role, place) if item.label not in place.beside)
    elif role.reads in (roles.TERM, roles.EFFECT):
        yield from _words(place, role, words)
    elif role.reads == roles.WAY:
        yield from _ways(place, words)
    elif role.reads == roles.WHO:
        before = place.before.split()
        yield from (_item(place, word, ALLOWED) for word in ("own", "foe") if not before)
        yield from (_item(place, kind, KIND) for kind in words.kinds)
    elif role.reads in (roles.POSITION, roles.MOVES, roles.OUTCOME):
        yield from _told(meaning, role, place)
    elif role.reads in (roles.LIST, roles.SETUP):
        yield from (_item(place, name, PLACE) for name in places(meaning))
    elif last in ("directions", "among"):
        listed = AMONG_WORDS if last == "among" else (*DIRECTION_WORDS, *COMPASS_WORDS)
        yield from (_item(place, word, ALLOWED) for word in listed if word not in place.beside)


def _uses(meaning: Meaning, index: Index, role: Role, place: Cursor) -> Iterator[Item]:
    for kind in role.kinds:
        if kind == RULESET:
            yield from (_item(place, id, RULESET) for id in _rulesets(meaning.workspace, index))
        elif kind == BOARD:
            yield from (_item(place, id, BOARD) for id in meaning.workspace.library.board_ids())
        else:
            for name, one in meaning.every(kind, role.option).items():
                if place.where[-1] != "before" or one.mark.section == roles.inside(place.where)[0][0]:
                    yield _item(place, name, kind, _detail(kind, one.mark.section, one.mark.detail), one.mark.says)
    if PHASE in role.kinds:
        yield _item(place, "start", PHASE, says="the phase in which every turn begins")
    if roles.inside(place.where)[0] == ("start", "who"):
        yield from (_item(place, word, ALLOWED) for word in ("even", "highest", "lowest", "loser"))


def _detail(kind: str, section: str, detail: str) -> str:
    return f"{section} clause" if kind == CLAUSE and section in CLAUSE_LISTS else detail.split("\n")[0]


def _rulesets(workspace: Workspace, index: Index) -> list[str]:
    own = index.word("ruleset")
    near = workspace.library.near(workspace.root(index.path, index))
    return [id for id in sorted({*workspace.library.ids(), *near}) if id not in (own, index.path.stem)]


def _words(place: Cursor, role: Role, words: Vocabulary) -> Iterator[Item]:
    typed = len(place.before) - len(place.before.rstrip("abcdefghijklmnopqrstuvwxyz0123456789-"))
    before = place.before[: len(place.before) - typed]
    for offer in expected.in_term(before, role, words):
        label = f"{offer.text}(…)" if offer.brackets else offer.text
        detail = ", ".join(part for part in (offer.kind, SORTS.get(offer.sort, "")) if part)
        yield Item(
            label, offer.kind, place.start, place.end, offer.text, detail, offer.says, offer.near, offer.brackets
        )


def _ways(place: Cursor, words: Vocabulary) -> Iterator[Item]:
    if place.before.split()[:1] in (["drop"], ["remove"]):
        yield from (_item(place, name, BESIDE) for name in words.beside)
        return
    for spelled, meaning, _ in WAYS:
        yield _item(place, spelled.split(" ")[0], ALLOWED, says=meaning)


def _told(meaning: Meaning, role: Role, place: Cursor) -> Iterator[Item]:
    kinds: Iterable[str] = {
        roles.POSITION: (SIDE, BESIDE, roles.MEMORY, KIND, PHASE),
        roles.MOVES: (VERBS, BESIDE),
        roles.OUTCOME: (SIDE, ENDING),
    }[role.reads]
    for kind in kinds:
        for name, one in meaning.every(kind).items():
            yield _item(place, name, kind, says=one.mark.says)
    if role.reads == roles.OUTCOME:
        yield from (_item(place, word, ALLOWED) for word in ("none", "draw"))


def places(meaning: Meaning) -> list[str]:
    """The places of the board that a file plays on, beside it too; none where the board cannot be read."""
    shape: dict[str, Node] = {}
    for index in reversed(meaning.grounds):
        inner = index.tree if index.file == "board" else index.tree.get("board")
        if isinstance(inner, Mapping):
            shape.update({name: node for name, node in fields(inner).items() if name != "board"})
    trial = Report()
    made = (
        boards.from_nodes(shape, (None, None), ("", ""), RESERVED, trial, meaning.grounds[0].tree.span)
        if shape
        else None
    )
    return list(made.names) if made is not None else []
