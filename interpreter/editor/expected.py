"""What may come next in a term or an effect, from the words before it: by sort, and by the frame it stands in.

The words are read from left to right, as the grammar binds them; what is wanted next
follows from the last of them. Nothing need be whole.

One room: terms and the effects that hold them.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field

from interpreter.editor.roles import DEFINE, EFFECT, KIND, MEMORY, PHASE, VERBS, WORD, Role
from interpreter.editor.vocabulary import Vocabulary
from interpreter.game.names import BESIDE
from interpreter.game.types import BOOL, DIRECTION, INT, PLACE, PLACES
from interpreter.game.words import BY_NAME, EFFECTS, WHERE, WORDS
from interpreter.terms.from_words import EFFECT_WORDS

_TOKEN = re.compile(r"[a-z][a-z0-9]*(?:-[a-z0-9]+)*|[0-9]+|\.\.|>=|<=|!=|[-+*&=<>()]")
_ALL = (BOOL, INT, PLACE, PLACES, DIRECTION)
KEYWORD = "keyword"


@dataclass(frozen=True)
class Offer:
    """A word that may come next. ``near``: it is of the sort that is wanted, not only the beginning of one."""

    text: str
    kind: str
    says: str = ""
    sort: str = ""
    brackets: bool = False
    near: bool = True


@dataclass
class Frame:
    """An open bracket (or the whole term): what is wanted in it, what stands in it so far."""

    word: str = ""
    whole: tuple[str, ...] = (BOOL,)
    want: tuple[str, ...] = (BOOL,)
    left: str = ""
    result: str = ""
    last: str = ""
    operand: bool = True
    inside_where: bool = False
    their: bool = False


@dataclass
class _Reading:
    words: Vocabulary
    frames: list[Frame] = field(default_factory=list)

    @property
    def top(self) -> Frame:
        return self.frames[-1]

    def read(self, tokens: list[str]) -> None:
        for token in tokens:
            (self._operand if self.top.operand else self._operator)(token)

    def _operand(self, token: str) -> None:
        top = self.top
        if top.last == "can" or (top.last == "is"):
            top.left, top.last, top.operand = BOOL, "can-verb" if top.last == "can" else "named", False
        elif token == "not":
            top.want, top.last = (BOOL,), token
        elif token == "opposite":
            top.want, top.last = (DIRECTION,), token
        elif token == "their":
            top.their, top.last = True, token
        elif token == "can":
            top.last = "can"
        elif token == "(":
            self.frames.append(Frame("", top.want, top.want, inside_where=top.inside_where))
        elif token.isdigit():
            top.left, top.last, top.operand = INT, "number", False
        elif token == ")":
            self._close()
        elif token[0].isalpha():
            top.left, top.last, top.operand = self.words.sort(token), token, False

    def _operator(self, token: str) -> None:
        top = self.top
        if token == "(":
            wanted = _arguments(self.words, top.last)
            self.frames.append(Frame(top.last, wanted, wanted, inside_where=top.inside_where))
            return
        if token == ")":
            self._close()
            return
        wants: tuple[str, ...] | None = None
        if token in ("in", "meets", "&", "of") or (token == "from" and top.last == "can-verb"):
            wants = (PLACE, PLACES)
        elif token in ("<", ">", "<=", ">=", "*", ".."):
            wants = (INT,)
        elif token in ("=", "!=", "+", "-"):
            wants = _same(top.left)
        elif token in ("and", "or", "if", "where"):
            wants = (BOOL,)
            top.inside_where = top.inside_where or token == "where"
        elif token == "else":
            wants = top.whole
        elif token == "through":
            rows = [row for row in BY_NAME.get(top.word, ()) if "through" in row.form]
            wants = (PLACE,) if rows and rows[0].args[-1] == PLACE else (PLACE, PLACES)
        elif token == "is":
            top.left, top.last, top.operand = top.last, "is", True
            return
        elif token == "at" or (token == "all" and top.last == "at"):
            top.last = token
            return
        elif top.last in ("own", "foe"):
            top.last = f"{top.last} {token}"
            return
        if token == "where":
            top.result = PLACES
        elif token in ("in", "meets", "and", "or", "=", "!=", "<", ">", "<=", ">=") and not top.result:
            top.result = BOOL
        if wants is not None:
            top.want, top.last, top.operand, top.their = wants, token, True, False

    def _close(self) -> None:
        if len(self.frames) == 1:
            return
        closed = self.frames.pop()
        top = self.top
        if closed.word:
            word = closed.word.split(" ")[0]
            form = "through" if closed.last == "through" else "plain"
            top.left = INT if word in ("own", "foe") else self.words.sort(word, form)
        else:
            top.left = closed.result or closed.left
        top.last, top.operand = ")", False


def _same(sort: str) -> tuple[str, ...]:
    return (PLACE, PLACES) if sort in (PLACE, PLACES) else (sort,) if sort else _ALL


def _arguments(words: Vocabulary, word: str) -> tuple[str, ...]:
    """What the first place in the brackets of a word wants."""
    name = word.split(" ")[0]
    sorts = {row.args[0] for row in BY_NAME.get(name, ()) if row.args}
    own = words.own.get(name)
    if own is not None:
        return (PLACE,)
    return (PLACE, PLACES) if PLACES in sorts else (PLACE,) if PLACE in sorts else ("number",) if sorts else _ALL


def in_term(before: str, role: Role, words: Vocabulary) -> list[Offer]:
    """The words that may come after ``before`` (which ends before the word that is being typed)."""
    tokens = _TOKEN.findall(before)
    return list(_after_effect(tokens, role, words) if role.reads == EFFECT else _after(tokens, role.sorts, role, words))


def _after(tokens: list[str], sorts: tuple[str, ...], role: Role, words: Vocabulary) -> Iterator[Offer]:
    reading = _Reading(words, [Frame("", sorts, sorts)])
    reading.read(tokens)
    top = reading.top
    if not top.operand:
        yield from _operators(top, words)
    elif top.last == "can":
        yield from (Offer(verb, VERBS) for verb in words.verbs)
    elif top.last == "is":
        named, kind = (words.phases, PHASE) if top.left == "phase" else (words.verbs, VERBS)
        yield from (Offer(name, kind) for name in named)
    else:
        yield from _operands(top, role, words)


def _operands(top: Frame, role: Role, words: Vocabulary) -> Iterator[Offer]:
    features = role.features | words.features | ({WHERE} if top.inside_where else set())
    for row in WORDS:
        sort = words.sort(row.name, row.form)
        absent = row.name in BESIDE and bool(words.beside) and row.name not in words.beside
        if absent or not features.issuperset(row.needs):
            continue
        near = _fits(sort, top.want)
        if near or _begins(sort, top.want):
            yield Offer(row.name, WORD, row.meaning, sort, bool(row.args), near)
    for own in words.own.values():
        near = not own.sort or _fits(own.sort, top.want)
        if near or _begins(own.sort, top.want):
            yield Offer(own.name, own.kind, own.says, own.sort, own.of_man, near)
    if top.word == "rank":
        yield Offer("last", KEYWORD)
    if top.their or top.want == ("number",):
        return
    for keyword, sort in (("not", BOOL), ("can", BOOL), ("opposite", DIRECTION), ("their", "")):
        if not sort or _fits(sort, top.want):
            yield Offer(keyword, KEYWORD)
    if BOOL in top.want:
        yield from (
            Offer(name, KEYWORD) for name in ("verb is", "phase is") if "verb" in role.features or name != "verb is"
        )


def _fits(sort: str, want: tuple[str, ...]) -> bool:
    return sort in want or (sort == PLACE and PLACES in want)


def _begins(sort: str, want: tuple[str, ...]) -> bool:
    """May a term of another sort begin what is wanted: `to` of `to in empty`, a condition?"""
    return BOOL in want and sort != BOOL


def _operators(top: Frame, words: Vocabulary) -> Iterator[Offer]:
    left = top.left
    if top.last in ("own", "foe"):
        yield from (Offer(kind, KIND) for kind in words.kinds)
    if top.last in ("verb", "phase"):
        yield Offer("is", KEYWORD)
        return
    if top.last == "can-verb":
        yield from (Offer(text, KEYWORD) for text in ("from", "at all"))
    if top.last == "at":
        yield Offer("all", KEYWORD)
        return
    if top.last == "number" and top.word in ("row", "rows"):
        yield Offer("of", KEYWORD)
    if top.word and any("through" in row.form for row in BY_NAME.get(top.word, ())):
        yield Offer("through", KEYWORD)
    if left in (PLACE, PLACES, ""):
        yield from (Offer(text, KEYWORD) for text in ("in", "meets", "where"))
    yield from (Offer(text, KEYWORD) for text in ("and", "or", "if", "else"))


# ---- effects ---------------------------------------------------------------------------------------


def _after_effect(tokens: list[str], role: Role, words: Vocabulary) -> Iterator[Offer]:
    if not tokens:
        for name in EFFECT_WORDS:
            row = next((row for row in EFFECTS if row[0].split(" ")[0] == name), ("", "", ""))
            yield Offer(name, KEYWORD, row[1])
        return
    verb, rest = tokens[0], tokens[1:]
    places = (PLACE, PLACES)
    if verb in ("send", "take", "make"):
        yield from _after_men(verb, rest, role, words)
    elif verb in ("mark", "unmark"):
        if rest[-1:] == ["as"]:
            yield from (Offer(mark, MEMORY) for mark in words.marks)
        else:
            yield from _after(rest, places, role, words)
            yield from [Offer("as", KEYWORD)] if rest and rest[-1] not in ("&", "+", "-", "their") else []
    elif verb in ("remember", "forget"):
        yield from _after_fact(rest, role, words)
    elif verb == "again":
        yield from _after_again(rest, role, words)
    elif verb == "hand":
        yield Offer("dice" if rest else "over", KEYWORD)
    elif verb == "add" and not rest:
        yield Offer("die", KEYWORD)
    elif verb in ("dice", "add"):
        tail = rest[rest.index("x") + 1 :] if "x" in rest else rest[1:] if verb == "add" else rest
        yield from _after(tail, (INT,), role, words)
        yield from [Offer("x", KEYWORD)] if verb == "dice" and rest and "x" not in rest else []


def _after_men(verb: str, rest: list[str], role: Role, words: Vocabulary) -> Iterator[Offer]:
    men = _closed_at(rest)
    if men is None:
        if not rest or rest == ["their"]:
            yield from (Offer(word, WORD, brackets=True) for word in ("own", "foe"))
            yield from [Offer("their", KEYWORD)] if not rest else []
        elif "(" not in rest:
            yield from (Offer(kind, KIND, brackets=True) for kind in words.kinds)
        else:
            yield from _after(rest[rest.index("(") + 1 :], (PLACE, PLACES), role, words)
    elif verb == "make":
        yield from (Offer(kind, KIND) for kind in words.kinds)
    elif verb == "send":
        if men == len(rest) - 1:
            yield Offer("to", KEYWORD)
        else:
            yield from _after(rest[men + 2 :], (PLACE, PLACES), role, words)


def _closed_at(tokens: list[str]) -> int | None:
    """Where the first bracket is closed."""
    depth = 0
    for number, token in enumerate(tokens):
        depth += (token == "(") - (token == ")")
        if token == ")" and depth == 0:
            return number
    return None


def _after_fact(rest: list[str], role: Role, words: Vocabulary) -> Iterator[Offer]:
    named = [token for token in rest if token != "their"]
    facts = [own for own in words.own.values() if own.kind == MEMORY]
    if not named:
        yield from (Offer(own.name, MEMORY, own.says, own.sort, own.of_man) for own in facts)
        yield from [Offer("their", KEYWORD)] if not rest else []
        return
    own = words.own.get(named[0])
    if "=" in rest:
        sort = own.sort if own is not None and own.kind != DEFINE else ""
        yield from _after(rest[rest.index("=") + 1 :], _same(sort), role, words)
    elif "(" in rest and _closed_at(rest) is None:
        yield from _after(rest[rest.index("(") + 1 :], (PLACE, PLACES), role, words)


def _after_again(rest: list[str], role: Role, words: Vocabulary) -> Iterator[Offer]:
    if rest[-1:] == ["if"]:
        yield Offer("able", KEYWORD)
        return
    if "at" in rest:
        tail = rest[rest.index("at") + 1 :]
        yield from _after(tail, (PLACE, PLACES), role, words)
        yield from [Offer("if able", KEYWORD)] if tail else []
        return
    if not rest:
        yield from (Offer(phase, PHASE) for phase in words.phases)
    yield from (Offer(text, KEYWORD) for text in ("at", "if able"))
