"""Whole turns in the style that a ruleset chooses (``notation: {style: …}``).

    joined    c3xe5xc5         what one man takes in a turn is one word, whichever verbs took it
    numeric   22x15  12x19x28  the first and the last place; the whole way only where that is not enough
    slash     8/5 6/5*  bar/20(2)  24/18*/13  6/off
                               every man's way, a star where a man of the other side is sent off,
                               equal ways counted

A style is about turns. A single decision, and a turn that a style cannot say, is written
in the plain form (``notation``), and the plain form is read in every style.

What is written is always read back first: the shortest text that means this turn is the
one that is shown. Reading a ``slash`` text looks for an order of the moves that is
legal; as they are written comes first, a star where nobody is sent off is a fault, a
missing one is not.

Faults: N713 a star where nobody is hit; N710, N711, N714 as ``notation`` gives them.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

from lark import Token, Tree
from lark.exceptions import UnexpectedInput

from interpreter.diagnostics import Fault, fault
from interpreter.machine.notation import (
    MOST_LENGTH,
    NUMERIC,
    RUNS,
    SLASH,
    Notation,
    Refused,
    advance,
    finished,
    over,
    parser,
)
from interpreter.machine.turns import Steps, Walk, thrown
from interpreter.machine.types import TO_DECIDE, Decision, State
from interpreter.source import Source, Span

Events = tuple[tuple[str, object], ...]
HIT = "*"
MOST_SLIDES = 60
MOST_LOOKED = 20_000


# ---- writing ------------------------------------------------------------------------------------


def written(notation: Notation, machine: Steps, state: State, walk: Walk, exact: bool) -> str | None:
    """A turn in the style of the game, else None. See ``Notation.turn_text``."""
    machine = machine if isinstance(machine, Remembering) else Remembering(machine)
    decisions, _, end = walk
    if not decisions:
        return None
    texts = (
        _slashed(notation, machine, state, walk, exact) if notation.style == SLASH else _joined(notation, state, walk)
    )
    for text in texts:
        try:
            events = notation.read(machine, state, text)
        except Fault:
            continue
        if exact and tuple(d for w, d in events if w == "decide") != decisions:
            continue
        here = state
        for what, value in events:
            here = advance(machine, here, what, value)
        if here == end:
            return text
    return None


def _parts(notation: Notation, walk: Walk) -> list[list[Decision] | tuple[int, ...]]:
    """Decisions in groups, with the throws between them."""
    decisions, throws, _ = walk
    parts: list[list[Decision] | tuple[int, ...]] = []
    waiting = list(throws)
    for number, decision in enumerate(decisions):
        while waiting and waiting[0][0] == number:
            parts.append(waiting.pop(0)[1])
        if parts and isinstance(parts[-1], list):
            parts[-1].append(decision)
        else:
            parts.append([decision])
    parts += [faces for _, faces in waiting]
    return parts


def _joined(notation: Notation, state: State, walk: Walk) -> Iterator[str]:
    """Candidates, the shortest first."""
    game = notation.game
    labels = game.board.labels[state.decider]
    short: list[str] = []
    full: list[str] = []
    for part in _parts(notation, walk):
        if isinstance(part, tuple):
            short.append(f"[{'-'.join(map(str, part))}]")
            full.append(short[-1])
            continue
        before: Decision | None = None
        for decision in part:
            path, sign = game.paths[decision.path], game.signs[decision.verb]
            goes_on = (
                before is not None
                and sign != "-"
                and notation.simple(decision)
                and notation.simple(before)
                and game.signs[before.verb] == sign
                and game.paths[before.path].to == path.origin
            )
            if goes_on:
                short[-1] = short[-1].split(sign)[0] + sign + labels[path.to]
                full[-1] += sign + labels[path.to]
            else:
                short.append(notation.bare(decision, state.decider))
                full.append(short[-1])
            before = decision
    tail = "" if over(state, walk[2]) else " -"
    if notation.style == NUMERIC:
        yield " ".join(short) + tail
    yield " ".join(full) + tail


@dataclass(frozen=True)
class _Hop:
    """One decision of a ``slash`` turn: places, and whether somebody was sent off."""

    origin: int
    to: int
    hit: bool


def _slashed(notation: Notation, machine: Steps, state: State, walk: Walk, exact: bool) -> list[str]:
    """Candidates, as players like them first."""
    game = notation.game
    here, waiting = state, list(walk[1])
    groups: list[list[_Hop] | str] = []
    for number, decision in enumerate(walk[0]):
        while waiting and waiting[0][0] == number:
            faces = waiting.pop(0)[1]
            groups.append(f"[{'-'.join(map(str, faces))}]")
            here = next(after for thrown_, after in thrown(machine, here) if thrown_ == faces)
        after = machine.step(here, decision)
        if not notation.simple(decision) or here.decider != state.decider:
            return []
        path = game.paths[decision.path]
        hop = _Hop(path.origin, path.to, sent_off(notation, here, after, path.to))
        if groups and isinstance(groups[-1], list):
            groups[-1].append(hop)
        else:
            groups.append([hop])
        here = after
    tail = [f"[{'-'.join(map(str, faces))}]" for _, faces in waiting]
    tail += [] if over(state, walk[2]) else ["-"]
    labels = game.board.labels[state.decider]
    order = game.board.track_index[state.decider]
    found = []
    for merge, ordered in ((True, True), (False, True), (False, False)) if not exact else ((False, False),):
        words = []
        for group in groups:
            if isinstance(group, str):
                words.append(group)
                continue
            ways = _ways(group, order, merge, ordered)
            texts = [_way_text(way, labels, stops=exact) for way in ways]
            words += _counted(texts)
        found.append(" ".join([*words, *tail]))
    return found


def _ways(hops: list[_Hop], order: tuple[int, ...], merge: bool, ordered: bool) -> list[list[_Hop]]:
    """Hops joined to the ways of single men: neighbours only, or (``merge``) wherever one goes on."""
    ways: list[list[_Hop]] = []
    for hop in hops:
        open_ways = ways if merge else ways[-1:]
        way = next((w for w in open_ways if w[-1].to == hop.origin), None) if merge or not ordered else None
        if way is None:
            ways.append([hop])
        else:
            way.append(hop)
    if ordered:
        ways.sort(key=lambda way: (order[way[0].origin], [order[hop.to] for hop in way]))
    return ways


def _way_text(way: list[_Hop], labels: tuple[str, ...], stops: bool) -> str:
    """``stops``: every place is named, not only the last and those where somebody is hit."""
    text = labels[way[0].origin]
    for number, hop in enumerate(way):
        if stops or hop.hit or number == len(way) - 1:
            text += "/" + labels[hop.to] + (HIT if hop.hit else "")
    return text


def _counted(texts: list[str]) -> list[str]:
    """Neighbours that are equal, counted."""
    found: list[tuple[str, int]] = []
    for text in texts:
        if found and found[-1][0] == text:
            found[-1] = (text, found[-1][1] + 1)
        else:
            found.append((text, 1))
    return [text if n == 1 else f"{text}({n})" for text, n in found]


def sent_off(notation: Notation, before: State, after: State, place: int) -> bool:
    """Have men of the other side who stood on a place left it?"""
    game = notation.game
    other, kinds, width = 1 - before.decider, len(game.kinds), game.places
    rows = [(other * kinds + kind) * width + place for kind in range(kinds)]
    return sum(after.men[row] for row in rows) < sum(before.men[row] for row in rows)


# ---- reading ------------------------------------------------------------------------------------


def read(notation: Notation, machine: Steps, state: State, text: str, whole: bool) -> list[tuple[str, object]] | None:
    """What a text in the style of the game says; None where it is to be read as the plain form.

    Raises:
        Fault: N710, N711, N713, N714.
    """
    if notation.style in RUNS or "/" not in text:
        return None
    source = Source("<move>", text)
    groups = _groups(source)
    if groups is None:
        return None
    machine = machine if isinstance(machine, Remembering) else Remembering(machine)
    reader = _Reader(notation, machine, state)
    found = [r for r in reader.groups(state, groups, 0) if not whole or finished(machine, state, r.state)]
    if not found:
        if reader.complete:
            raise fault("N714", f"`{text.strip()}` leaves the turn unfinished", source.whole, help="write all of it")
        raise _refusal(notation, machine, state, groups, source)
    best = min(r.rank for r in found)
    chosen = list({r.state: r for r in reversed([r for r in found if r.rank == best])}.values())
    if len(chosen) > 1:
        ways = sorted({notation._spell(machine, state, r.events) for r in chosen})
        raise fault(
            "N711",
            f"`{text.strip()}` can be read in {len(ways)} ways",
            source.whole,
            help="write " + " or ".join(f"`{w}`" for w in ways),
        )
    return list(chosen[0].events)


@dataclass(frozen=True)
class _Slide:
    """One man's way as it is written: the places named, and which of them have a star."""

    places: tuple[str, ...]
    stars: tuple[bool, ...]
    span: Span


@dataclass(frozen=True)
class _Plain:
    """A decision in the plain form, a throw or a stuck turn, between slides."""

    text: str
    span: Span


@dataclass(frozen=True)
class _Found:
    events: Events
    state: State
    rank: tuple[int, int]


def _groups(source: Source) -> list[list[_Slide] | list[_Plain]] | None:
    """The parts of a text; None if it is not in this style."""
    if len(source.text) > MOST_LENGTH:
        return None
    try:
        tree = parser().parse(source.text, start="slides")
    except UnexpectedInput:
        return None
    groups: list[list[_Slide] | list[_Plain]] = []
    slides = 0
    for node in tree.children:
        assert isinstance(node, Tree)
        span = Span(source, node.meta.start_pos, node.meta.end_pos)
        if node.data != "slide":
            groups.append([_Plain(span.text, span)])
            continue
        tokens = [t for t in node.children if isinstance(t, Token)]
        places: list[str] = []
        stars: list[bool] = []
        count, counting = "1", False
        for token in tokens:
            if token.type == "LPAR":
                counting = True
            elif token.type == "SIGN" and str(token) == HIT:
                stars[-1] = True
            elif token.type == "SIGN":
                return None
            elif token.type == "WORD" and counting:
                count = str(token)
            elif token.type == "WORD":
                places.append(str(token))
                stars.append(False)
        if not (count.isascii() and count.isdigit() and 1 <= len(count) <= 2 and int(count) >= 1):
            return None
        slides += int(count)
        if slides > MOST_SLIDES:
            return None
        group = [_Slide(tuple(places), tuple(stars[1:]), span)] * int(count)
        if groups and isinstance(groups[-1][0], _Slide):
            groups[-1] += group
        else:
            groups.append(group)
    return groups


class _Reader:
    """All ways to play what is written, with how well each fits: (stars that differ, moves out of order)."""

    def __init__(self, notation: Notation, machine: Steps, start: State) -> None:
        self.notation = notation
        self.machine = machine
        self.start = start
        self.looked = 0
        self.complete = False

    def groups(self, state: State, groups: list[list[_Slide] | list[_Plain]], at: int) -> Iterator[_Found]:
        if at == len(groups):
            self.complete = True
            yield _Found((), state, (0, 0))
            return
        group = groups[at]
        for first in self._plain(state, group) if isinstance(group[0], _Plain) else self._bag(state, group):
            for rest in self.groups(first.state, groups, at + 1):
                rank = (first.rank[0] + rest.rank[0], first.rank[1] + rest.rank[1])
                yield _Found((*first.events, *rest.events), rest.state, rank)

    def _plain(self, state: State, group: list[_Slide] | list[_Plain]) -> Iterator[_Found]:
        (word,) = group
        assert isinstance(word, _Plain)
        try:
            events = self.notation.read_plain(self.machine, state, word.text)
        except Fault:
            return
        here = state
        for what, value in events:
            here = advance(self.machine, here, what, value)
        yield _Found(tuple(events), here, (0, 0))

    def _bag(self, state: State, group: list[_Slide] | list[_Plain]) -> Iterator[_Found]:
        slides = tuple(s for s in group if isinstance(s, _Slide))
        yield from self._moves(state, slides, (0,) * len(slides), (-1,) * len(slides))

    def _moves(
        self, state: State, slides: tuple[_Slide, ...], done: tuple[int, ...], at: tuple[int, ...]
    ) -> Iterator[_Found]:
        """``done``: how many places of each slide are reached; ``at``: where its man is, -1 before it starts."""
        self.looked += 1
        if self.looked > MOST_LOOKED:
            return
        if all(d == len(s.places) - 1 for d, s in zip(done, slides, strict=True)):
            yield _Found((), state, (0, 0))
            return
        if over(self.start, state) or state.waits != TO_DECIDE or state.decider != self.start.decider:
            return
        paths, labels = self.notation.game.paths, self.notation.game.board.labels[state.decider]
        order = self.notation.game.board.track_index[state.decider]
        first_open = next(i for i, s in enumerate(slides) if done[i] < len(s.places) - 1)
        for decision in self.machine.legal(state):
            if not self.notation.simple(decision):
                continue
            path = paths[decision.path]
            tried: set[tuple[object, ...]] = set()
            for i, slide in enumerate(slides):
                if done[i] == len(slide.places) - 1:
                    continue
                standing = at[i] == path.origin if at[i] >= 0 else labels[path.origin] == slide.places[0]
                key = (slide.places, slide.stars, done[i], at[i])
                if not standing or key in tried:
                    continue
                tried.add(key)
                target = slide.places[done[i] + 1]
                arrived = labels[path.to] == target
                if not arrived and not _between(labels, order, path.to, target):
                    continue
                after = self.machine.step(state, decision)
                hit = sent_off(self.notation, state, after, path.to)
                star = slide.stars[done[i]] if arrived else False
                if star and not hit:
                    continue
                moved = (*done[:i], done[i] + arrived, *done[i + 1 :])
                stands = (*at[:i], path.to, *at[i + 1 :])
                for rest in self._moves(after, slides, moved, stands):
                    rank = (rest.rank[0] + (hit and not star), rest.rank[1] + (i != first_open))
                    yield replace(rest, events=(("decide", decision), *rest.events), rank=rank)


def _between(labels: tuple[str, ...], order: tuple[int, ...], place: int, target: str) -> bool:
    """Does a place lie before a named one on the way?"""
    return any(order[p] > order[place] >= 0 for p, label in enumerate(labels) if label == target)


def _refusal(
    notation: Notation, machine: Steps, state: State, groups: list[list[_Slide] | list[_Plain]], source: Source
) -> Exception:
    """Why nothing can be read: the plain form of what is written, refused where it breaks off."""
    words: list[str] = []
    spans: list[Span] = []
    for group in groups:
        for item in group:
            if isinstance(item, _Plain):
                words.append(item.text)
                spans.append(item.span)
                continue
            for origin, to in zip(item.places, item.places[1:], strict=False):
                hops = _hops(notation, state, origin, to)
                words += hops
                spans += [item.span] * len(hops)
    try:
        notation.read_plain(machine, state, " ".join(words))
    except Refused as refused:
        at, shown = 0, refused.diagnostics[0].span.start
        for number, word in enumerate(words):
            if at <= shown:
                where = spans[number]
            at += len(word) + 1
        refused.diagnostics = tuple(replace(d, span=where) for d in refused.diagnostics)
        return refused
    except Fault as problem:
        return problem
    starred = next((s for g in groups for s in g if isinstance(s, _Slide) and any(s.stars)), None)
    if starred is not None:
        return fault("N713", "nobody is hit where a star says so", starred.span, help="leave the star out")
    return fault("N710", f"`{source.text.strip()}` is not legal here", source.whole)


def _hops(notation: Notation, state: State, origin: str, to: str) -> list[str]:
    """The single decisions of a way with the dice left, whether they are legal or not."""
    labels = notation.game.board.labels[state.decider]
    direct: dict[tuple[str, str], tuple[str, int]] = {}
    for may in notation.game.may:
        for number in may.paths[state.decider]:
            if notation.simple(Decision(may.verb, number)):
                path = notation.game.paths[number]
                key = labels[path.origin], labels[path.to]
                direct.setdefault(key, (notation.game.signs[may.verb], path.die))
    signs = {sign for sign, _ in direct.values()}

    def search(here: str, left: tuple[int, ...]) -> list[str] | None:
        found = direct.get((here, to))
        if found is not None and (found[1] in left or not found[1]):
            return [here + found[0] + to]
        for (start, stop), (sign, die) in direct.items():
            if start == here and die in left:
                rest = list(left)
                rest.remove(die)
                onward = search(stop, tuple(rest))
                if onward is not None:
                    return [start + sign + stop, *onward]
        return None

    sign = direct[origin, to][0] if (origin, to) in direct else min(signs, default="-")
    return search(origin, state.dice) or [origin + sign + to]


class Remembering:
    """A machine that answers the same question only once. For one list of turns, then thrown away."""

    def __init__(self, machine: Steps) -> None:
        self.machine: Steps = machine
        self.game = machine.game
        self._legal: dict[State, tuple[Decision, ...]] = {}
        self._step: dict[tuple[State, Decision], State] = {}

    def legal(self, state: State) -> tuple[Decision, ...]:
        if state not in self._legal:
            self._legal[state] = self.machine.legal(state)
        return self._legal[state]

    def step(self, state: State, decision: Decision) -> State:
        key = state, decision
        if key not in self._step:
            self._step[key] = self.machine.step(state, decision)
        return self._step[key]

    def throws(self, state: State) -> tuple[tuple[int, State], ...]:
        return self.machine.throws(state)
