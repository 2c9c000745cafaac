"""Whole turns of a pointwise game, played with words in variables: random games and counts by path.

``pointwise`` says which games these are. For each side its own code is made, so that
whose men are whose is known while the module is made. The rows of what is permitted are
lowered by ``Permitting``, terms by ``Terms``; they read men from the variables
(``Context.men``), and marks, facts and tallies as well, which are words beside them.

A verb after which the turn surely ends is counted by the bits of its rows and the turn
drawn is found by the number of its bit. A verb after which a turn may go on is followed
depth first; every end of such a turn is a *leaf*, a row of words in memory. Turns stand in
the order of ``machine.drawing``.

The general way (``Running``) stays: it plays what does not fit, and judges. A position does
not fit (``fits_kernel``) if it stands within a turn, holds men of a kind that cannot come
about, or has a history where repeats count.

One room: one turn, in the three ways it is asked for: drawn, listed, counted.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from functools import cached_property, reduce

from interpreter.compiled.building import NODES
from interpreter.compiled.changing import blank
from interpreter.compiled.context import Context, MaskPath, Men, NoPath
from interpreter.compiled.dutiful import Dutiful
from interpreter.compiled.groups import Group, moves_men
from interpreter.compiled.layout import Slot
from interpreter.compiled.permitting import Masks
from interpreter.compiled.pointwise import goes_to_empty, live_kinds, plain, removing, why_not
from interpreter.compiled.stocks import Stock, stocks_of
from interpreter.compiled.terms import path_free
from interpreter.compiled.wat import Function, Value, call, const, global_, load, select
from interpreter.game.types import FOE, Effect, Expression, May, Path
from interpreter.game.walk import every_expression, ops
from interpreter.machine.evaluate import conjuncts, fixed
from interpreter.machine.types import TO_BEGIN, TO_DECIDE

CHOICES = 1 << 16
COLUMNS = 6  # ending, winner, points, turns, draws, starter
BY_TURN = 0
USUAL_NODES = 10_000_000
"""Who wants fewer states searched within a turn than this gets the general way, which counts them."""

FEW = 3
"""So many bits of a word are passed over without asking whether there are more: it spares mispredicted branches."""

MOST_COPIES = 4
"""Statements for the paths in so many words are copied for each word; for more words they stand in a loop."""
OF_FACTS = frozenset(("fact", "marked", "count", "taken", "plays", "turns", "repeats"))
"""Words whose answer changes though nobody is taken or made another; men beside the board are counted."""
FEW_GROUPS = 12
MANY_GROUPS = 24
"""So many groups that are empty without a condition get code of their own, where it holds."""

GAMMA = 0x9E3779B97F4A7C15
Rows = list[tuple[Group, Value]]
Ending = Callable[[int, Value, Value], None]
"""What to do where an ending holds: its number, the winner (2: nobody), the points."""


@dataclass(frozen=True)
class Control:
    """How a turn goes on after a decision: in this phase with this man, or not at all (phase -1)."""

    phase: int = -1
    active: Value | None = None
    if_able: bool = True


OVER = Control()


class Sink:
    """Where turns go that were followed to their end."""

    def __init__(self, kernel: Kernel, f: Function, value: Value) -> None:
        self.kernel, self.f, self.value = kernel, f, value

    @abstractmethod
    def leaf(self, men: Men, ending: tuple[int, Value, Value] | None = None) -> None:
        """A turn is over, or the game."""

    @abstractmethod
    def follow(self, side: int, men: Men, control: Control) -> None:
        """A turn goes on."""


class Listed(Sink):
    """Into a list of leaves; ``value`` is its end."""

    def leaf(self, men: Men, ending: tuple[int, Value, Value] | None = None) -> None:
        k, f = self.kernel, self.f
        with f.when(self.value.gt(global_("scratch_end"))):
            k.fail(f, NODES)
        for side, kind, offset in k.leaf_words:
            f.store(self.value, offset, men[side][kind], k.layout.word)
        if k.tagged:
            number, winner, points = ending or (-1, const(0), const(0))
            f.store(self.value, k.leaf_tag, winner + (4 * number + 4) if ending else const(0))
            f.store(self.value, k.leaf_tag + 4, points)
        f.set(self.value, self.value + k.leaf_size)

    def follow(self, side: int, men: Men, control: Control) -> None:
        name, arguments = self.kernel.chain("leaves", side, men, control)
        self.f.set(self.value, call(name, *arguments, self.value))


class Counted(Sink):
    """Only how many; ``value`` is their number."""

    def leaf(self, men: Men, ending: tuple[int, Value, Value] | None = None) -> None:
        self.f.set(self.value, self.value + 1)

    def follow(self, side: int, men: Men, control: Control) -> None:
        name, arguments = self.kernel.chain("ways", side, men, control)
        self.f.set(self.value, self.value + call(name, *arguments))


@dataclass(frozen=True)
class Past:
    """The positions at ends of turns since men were last taken: addresses, and how many men there are."""

    first: Value
    end: Value
    number: Value


@dataclass
class Playing:
    """The variables of the function that plays games."""

    f: Function
    men: Men
    after: Men
    chance: tuple[Value, Value, Value, Value]
    turns: Value
    limit: Value
    result: dict[str, Value]
    leaves: Value
    past: Past | None
    over: str = ""


@dataclass(frozen=True)
class Packed:
    """Rows in one word of 64 bits, each moved by so many bits."""

    word: Value
    rows: tuple[tuple[Group, int], ...]


@dataclass
class Segment:
    """Turns that begin with one verb, one after the other in the order of draws."""

    verb: int
    rows: Rows
    many: Value
    first_leaf: Value | None = None
    packed: list[Packed] = field(default_factory=list)
    before: list[Value] = field(default_factory=list)


def sum_of(values: list[Value]) -> Value:
    return reduce(lambda a, b: a + b, values, const(0))


class Kernel(Dutiful):
    """The kernel's functions, where the game is pointwise."""

    flat: Function | None = None
    """The function that never runs within itself: what it writes at a fixed place is safe there."""

    def build_kernel(self) -> None:
        """``pointwise_games``, ``pointwise_lines``, and ``fits_kernel``: can this state be counted so?"""
        self.not_pointwise = why_not(self, self.by_rows) if self.kernels else "not asked for"
        if not self.not_pointwise and self.reference.initial().outcome is not None:
            self.not_pointwise = "a game that is over before it begins"
        self.pointwise = not self.not_pointwise
        if not self.pointwise:
            return
        self.live = live_kinds(self.game)
        size = self.layout.word_size
        self.men_words = [(side, kind) for side in (0, 1) for kind in sorted(self.live[side])]
        lasting: list[tuple[int, int]] = []
        passing: list[tuple[int, int]] = []
        for m in self.game.memories:
            mark = m.kind == "mark"
            parts = range(2 if m.per == "side" and not mark else 1)
            words = [(2, 2 * m.index)] if mark else [(3, 4 * m.index + i) for i in parts]
            (passing if m.lasts == "turn" else lasting).extend(words)
            if m.lasts == "reply":
                passing += [(2, 2 * m.index + 1)] if mark else [(3, 4 * m.index + 2 + i) for i in parts]
        read = set().union(*(ops(e) for e in every_expression(self.game)))
        self.tallies = 4 * len(self.game.memories)
        for i, (name, where) in enumerate((("taken", passing), ("plays", passing), ("turns", lasting))):
            if name in read:
                where.append((3, self.tallies + i))
        self.terms.stocks = {stock: self.tallies + 3 + i for i, stock in enumerate(stocks_of(self.game))}
        self.terms.live = self.live
        lasting += [(3, i) for i in self.terms.stocks.values()]
        self.turn_words = self.men_words + lasting
        self.leaf_words = [(*where, i * size) for i, where in enumerate(self.turn_words + passing)]
        self.offsets = {(side, kind): offset for side, kind, offset in self.leaf_words}
        self.tagged = any(e.moment == "decision" and not plain(e, self.phase_count) for e in self.game.ends) or any(
            e.op == "again" and not e.data[1] for then in self.game.then for e in then.do
        )
        self.leaf_tag = len(self.leaf_words) * size
        self.leaf_shift = (self.leaf_tag + 8 * self.tagged - 1).bit_length()
        self.leaf_size = 1 << self.leaf_shift
        self.chains: dict[str, tuple[str, int, int, bool, bool]] = {}
        self.neglects: dict[int, list[tuple[int, Value]]] = {}
        self._build_pointwise_games()
        self._build_counts()
        built: set[str] = set()
        while set(self.chains) - built:
            name = next(n for n in self.chains if n not in built)
            built.add(name)
            self._build_chain(name, *self.chains[name])

    @staticmethod
    def searches_freely() -> Value:
        return global_("most_nodes", "i64").ge_signed(USUAL_NODES)

    # ---- words of men -------------------------------------------------------------------------

    def _men_of(self, value: Callable[[int, int], Value], words: list[tuple[int, int]]) -> Men:
        """Men by side and kind, and marks; nobody where there is no word."""
        widths = (self.kinds, self.kinds, 2 * len(self.game.memories), self.tallies + 3 + len(self.terms.stocks))
        return tuple(
            tuple(value(row, i) if (row, i) in words else self._blank(row, i) for i in range(width))
            for row, width in enumerate(widths)
        )

    def _blank(self, row: int, i: int) -> Value:
        """What a word holds where nothing has happened."""
        fact = row == 3 and i < self.tallies and i % 4 < 2
        return const(blank(self.game.memories[i // 4]) if fact else 0, self.layout.word)

    def _all_words(self) -> list[tuple[int, int]]:
        return list(self.offsets)

    def _men_params(self, words: list[tuple[int, int]]) -> dict[str, str]:
        return {f"m{side}_{kind}": self.layout.word for side, kind in words}

    def _given_men(self, f: Function, words: list[tuple[int, int]]) -> Men:
        return self._men_of(lambda side, kind: f.param(f"m{side}_{kind}"), words)

    @staticmethod
    def _arguments(men: Men, words: list[tuple[int, int]]) -> list[Value]:
        return [men[side][kind] for side, kind in words]

    def _leaf_men(self, f: Function, at: Value) -> Men:
        def read(side: int, kind: int) -> Value:
            return f.local("man", load(at, self.offsets[side, kind], self.layout.word))

        return self._men_of(read, self._all_words())

    # ---- what is legal ---------------------------------------------------------------------------

    def _legal(
        self,
        f: Function,
        masks: Masks,
        phase: int,
        side: int,
        use: Callable[[Rows, bool], None],
        permitted: Callable[[Rows], None] | None = None,
    ) -> None:
        """``use`` the legal rows. Where a duty makes two cases of it, once in each; True: something is surely legal.

        ``permitted`` is given the rows before any duty.
        """
        mays = [m for m in self.game.may if phase in m.phases and side in m.sides]
        groups = [g for g in self.groups if any(m.verb == g.verb for m in mays)]
        duties = [self.game.must[i] for i in self.enforced]
        duties = [d for d in duties if phase in d.phases and side in d.sides]
        everywhere = {g.number: sum(1 << i for i in g.paths) for g in groups}

        def row(group: Group, rows: dict[int, Value]) -> Value | None:
            if group.number not in rows:
                rows[group.number] = self._row_of_group(f, masks, phase, side, group)
            found = rows[group.number]
            return None if found.known == 0 else found

        def on(number: int, rows: dict[int, Value], gone: frozenset[int], sure: bool) -> None:
            here = [g for g in groups if g.number not in gone]
            if number == len(duties):
                legal = [(g, row(g, rows)) for g in here]
                use([(g, r) for g, r in legal if r is not None], sure)
                return
            must = duties[number]
            wanted = {}
            for g in here:
                words = masks.of(must.value, g)
                assert words is not None
                wanted[g.number] = words[0]
            all_of = {n for n, w in wanted.items() if w.known is not None and not everywhere[n] & ~w.known}
            none_of = {n for n, w in wanted.items() if w.known is not None and not everywhere[n] & w.known}
            bound = [g for g in here if g.verb in must.binds and g.number not in all_of]
            best = [g for g in here if g.number not in none_of] if bound else []
            asked = [
                r if g.number in all_of else r & wanted[g.number] for g in best for r in [row(g, rows)] if r is not None
            ]
            if not asked:
                on(number + 1, rows, gone, sure)
                return
            some = reduce(lambda a, b: a | b, asked).ne(0)
            if {g.number for g in best} == all_of and all(g.number in none_of for g in bound):
                with f.when(some):
                    on(number + 1, dict(rows), gone | {g.number for g in bound}, True)
                with f.otherwise():
                    on(number + 1, dict(rows), gone | {g.number for g in best}, sure)
                return
            truth = f.local("best", some)
            for g in bound:
                found = row(g, rows)
                if found is not None:
                    rows[g.number] = f.local("dutiful", select(truth, found & wanted[g.number], found))
            on(number + 1, rows, gone, sure)

        known: dict[int, Value] = {}
        if permitted is not None:
            all_rows = [(g, row(g, known)) for g in groups]
            permitted([(g, r) for g, r in all_rows if r is not None])
        guard, guarded = self._guard(mays, groups, side) if permitted is None else (None, frozenset())
        if guard is None:
            on(0, known, frozenset(), False)
            return
        with f.when(masks.truth_of(guard)):
            masks.assumed[guard] = True
            on(0, {}, frozenset(), False)
        with f.otherwise():
            masks.assumed[guard] = False
            on(0, {}, guarded, False)
        masks.assumed.clear()

    @staticmethod
    def _guard(mays: list[May], groups: list[Group], side: int) -> tuple[Expression | None, frozenset[int]]:
        """A condition that says nothing of the path and without which many groups are empty; and which these are."""
        without: dict[Expression, set[int]] = {}
        for group in groups:
            concerned = [m for m in mays if m.verb == group.verb and m.way and group.places(set(m.paths[side]))]
            asked = [{e for e in conjuncts(m.when) if path_free(e) and not fixed(e)} for m in concerned]
            for e in set.intersection(*asked) if asked else ():
                without.setdefault(e, set()).add(group.number)
        most = max(without, key=lambda e: len(without[e]), default=None)
        if most is None or len(without[most]) < MANY_GROUPS:
            return None, frozenset()
        return most, frozenset(without[most])

    def _row_of_group(self, f: Function, masks: Masks, phase: int, side: int, group: Group) -> Value:
        """What is permitted of a group."""
        clauses = [m for m in self.game.may if m.verb == group.verb and phase in m.phases and side in m.sides]
        bars = [
            n
            for n in self.game.may_not
            if n.when is not None and group.verb in n.verbs and phase in n.phases and side in n.sides
        ]
        words = self._group(f, const(0), masks, group, clauses, bars)
        return const(0, self.layout.word) if words is None else words[0]

    def able(self, f: Function, side: int, men: Men, control: Control) -> Value:
        """Can a turn go on so? Asked ahead where that takes no loop; else the chain's function finds out: 1."""
        c = Context(const(0), const(side), men=men, active=control.active, phase=control.phase)
        masks, word = Masks(self, f, c), self.layout.word
        kept = f.captured()
        rows = [self._row_of_group(f, masks, control.phase, side, g) for g in self.groups if g.moves]
        some = reduce(lambda a, b: a | b, rows, const(0, word))
        asked = masks.prologue + f.release(kept)
        if any("(loop" in line or "(call" in line for line in asked):
            return const(1)
        f.lines += asked
        return some.ne(0)

    def _may_go_on(self, verb: int, phase: int, side: int) -> bool:
        """May a turn go on after such a decision?"""
        return any(
            any(e.op == "again" for e in then.do)
            and phase in then.phases
            and side in then.sides
            and ("verbs" not in then.clause.fields or verb in then.verbs)
            for then in self.game.then
        )

    # ---- a decision --------------------------------------------------------------------------------

    def _mays(self, c: Context) -> list[May]:
        side, verb = c.side.known, c.verb.known
        return [m for m in self.game.may if m.verb == verb and c.phase in m.phases and side in m.sides]

    def _moved(self, f: Function, c: Context) -> list[list[Value]]:
        """The men once the mover has moved."""
        assert c.men is not None and c.side.known is not None
        men = [list(row) for row in c.men]
        path = c.path
        if not isinstance(path, MaskPath):
            return men
        self._tally(f, men, 1, const(1))
        self._counted_beside(f, men, c)
        movers = self._movers(c)
        for whose, kind in movers:
            old = men[whose][kind]
            if len(movers) == 1:
                men[whose][kind] = f.local("moved", old ^ path.both())
                continue
            there = f.local("there", old & path.from_bit)
            men[whose][kind] = f.local("moved", (old ^ there) | select(there.ne(0), path.to_bit, const(0, old.type)))
        self._carry(f, men, path)
        return men

    def _counted_beside(self, f: Function, men: list[list[Value]], c: Context) -> None:
        """One man fewer where men come in from, one more where the man goes who leaves the board."""
        side, points = c.side.known, self.game.board.points
        assert side is not None
        ends: dict[tuple[int, int], int] = {}
        for may in self._mays(c):
            whose = side ^ (1 if may.who == FOE else 0)
            for number in may.paths[side] if may.way is not None else ():
                path = self.game.paths[number]
                if path.origin >= points:
                    ends[side, path.origin] = -1
                if path.to >= points:
                    ends[whose, path.to] = 1
        for stock, by in ends.items():
            self._stocked(f, men, stock, const(by))

    def _stocked(self, f: Function, men: list[list[Value]], stock: Stock, more: Value) -> None:
        """So many men more at a place beside the board, if they are counted there."""
        i = self.terms.stocks.get(stock)
        if i is not None:
            men[3][i] = f.local("stock", men[3][i] + more.to(men[3][i].type))

    def _movers(self, c: Context) -> list[tuple[int, int]]:
        """Side and kind of the men that may move so."""
        assert c.side.known is not None
        movers: set[tuple[int, int]] = set()
        for may in self._mays(c):
            if moves_men(may):
                whose = c.side.known ^ (1 if may.who == FOE else 0)
                able = self.live[whose] & ({may.kind} if may.kind >= 0 else set(range(self.kinds)))
                movers |= {(whose, kind) for kind in able}
        return sorted(movers)

    def _tally(self, f: Function, men: list[list[Value]], index: int, more: Value) -> None:
        if (3, self.tallies + index) in self.offsets:
            word = men[3][self.tallies + index]
            men[3][self.tallies + index] = f.local("tally", word + more.to(word.type))

    def _carry(self, f: Function, men: list[list[Value]], path: MaskPath) -> None:
        """Marks travel with the man, and end where he leaves the board."""
        for row, i in self._all_words():
            if row == 2:
                word = men[2][i]
                if word.known == 0:
                    continue
                had = f.local("had", (word & path.from_bit).ne(0))
                kept = word.without(path.from_bit | path.to_bit)
                men[2][i] = f.local("carried", kept | select(had, path.to_bit, const(0, word.type)))

    def _changed(
        self, f: Function, c: Context, moment: str, men: list[list[Value]]
    ) -> tuple[Men, list[tuple[Value, Control]]]:
        """Effects of a moment in file order: the men then, and (condition, control), one of which holds."""
        kinds_of: list[Control] = [OVER]
        now, noted = 0, None  # the control noted last: known, or in a variable
        asked: dict[Expression, Value] = {}  # what has been asked of the board as it stands
        for then in self.game.then:
            if then.moment != moment or not self._may_concern(then, moment, c, None):
                continue
            if (moment == "decision" and c.phase not in then.phases) or c.side.known not in then.sides:
                continue
            here = replace(c, men=tuple(map(tuple, men)))
            holds = self._answer(f, then.when, here, asked)
            if holds.known == 0:
                continue
            if any(effect.op in ("take", "make") for effect in then.do):
                asked.clear()
            if holds.known is None:
                for side, kind in self._all_words():
                    men[side][kind] = f.local("man", men[side][kind])
                if any(e.op in ("again", "hand-over") for e in then.do) and noted is None:
                    noted = f.local("noted", now)
            before = [list(row) for row in men]
            with f.when(holds):
                for effect in then.do:
                    here = replace(c, men=tuple(map(tuple, men)))
                    if effect.op in ("take", "make"):
                        self._affect(f, effect, here, men)
                        continue
                    if effect.op in ("remember", "forget") and self.game.memories[effect.data[0]].kind != "mark":
                        self._remember(f, effect, here, men)
                        continue
                    if effect.op in ("mark", "unmark", "forget"):
                        places = self.terms.places(effect.args[0], here)[0] if effect.args else None
                        self._mark(f, men, effect.data[0], places, effect.op == "mark")
                        continue
                    control = OVER
                    if effect.op == "again":
                        active = None
                        if effect.args:
                            active = f.local("acting", self.terms.places(effect.args[0], here)[0])
                        phase, able = effect.data
                        control = Control(c.phase if phase < 0 else phase, active, bool(able))
                    kinds_of.append(control)
                    now = len(kinds_of) - 1
                    if noted is not None:
                        f.set(noted, now)
                if holds.known is None:
                    for side, kind in self._all_words():
                        if men[side][kind] is not before[side][kind]:
                            f.set(before[side][kind], men[side][kind])
            if holds.known is None:
                men = before
        result = tuple(map(tuple, men))
        if noted is None:
            return result, [(const(1), kinds_of[now])]
        return result, [(noted.eq(i), control) for i, control in enumerate(kinds_of)]

    def _answer(self, f: Function, e: Expression, c: Context, asked: dict[Expression, Value]) -> Value:
        """Does a condition hold? What only looks at the board is asked once, though several clauses ask it."""
        parts = conjuncts(e)
        if len(parts) > 1:
            return reduce(lambda a, b: a & b, [self._answer(f, part, c, asked) for part in parts])
        if e.op == "not":
            return self._answer(f, e.args[0], c, asked).no()
        if fixed(e) or ops(e) & OF_FACTS:
            return self.terms.of(e, c)
        if e not in asked:
            asked[e] = f.held(self.terms.of(e, c), "asked")
        return asked[e]

    def _affect(self, f: Function, effect: Effect, c: Context, men: list[list[Value]]) -> None:
        who, kind = effect.data[:2]
        assert c.side.known is not None
        whose = c.side.known ^ who
        places = f.held(self.terms.places(effect.args[0], c)[0], "places")
        for k in sorted(self.live[whose] & (set(range(self.kinds)) if kind < 0 else {kind})):
            if effect.op == "take":
                gone = men[whose][k] & places
                self._tally(f, men, 0, gone.bits())
                self._stocked(f, men, (whose, self.game.board.beside["box"][whose]), gone.bits())
                self._unmark(f, men, gone)
                men[whose][k] = f.local("left", men[whose][k].without(places))
            elif k != effect.data[2]:
                new = effect.data[2]
                made = f.local("made", men[whose][k] & places)
                men[whose][k] = f.local("left", men[whose][k] ^ made)
                men[whose][new] = f.local("more", men[whose][new] | made)

    def _remember(self, f: Function, effect: Effect, c: Context, men: list[list[Value]]) -> None:
        """A fact of the game or of a side is written, or returns to its beginning."""
        index, theirs = effect.data
        assert c.side.known is not None
        memory, word = self.game.memories[index], self.layout.word
        part = c.side.known ^ theirs if memory.per == "side" else 0
        at = 4 * index + part
        if effect.op == "forget":
            men[3][at] = self._blank(3, at)
        elif memory.kind in ("place", "places"):
            men[3][at] = f.local("fact", self.terms.places(effect.args[0], c)[0])
        else:
            new = f.local("new", self.terms.of(effect.args[0], c))
            if memory.kind == "number":
                f.set(new, select(new.lt_signed(memory.low), const(memory.low), new))
                f.set(new, select(new.gt_signed(memory.high), const(memory.high), new))
            men[3][at] = f.local("fact", new.to(word))
        if memory.lasts == "reply":
            men[3][at + 2] = const(int(effect.op == "remember"), word)

    def _unmark(self, f: Function, men: list[list[Value]], gone: Value) -> None:
        """Men who leave the board bear no marks."""
        for i, word in enumerate(men[2]):
            if word.known != 0:
                men[2][i] = f.local("marked", word.without(gone))

    def _mark(self, f: Function, men: list[list[Value]], index: int, places: Value | None, on: bool) -> None:
        """Men on these points bear a mark, or no longer do (nobody, where no points are given)."""
        both = [2 * index] + [2 * index + 1] * (self.game.memories[index].lasts == "reply")
        if on:
            assert places is not None
            standing = reduce(lambda a, b: a | b, [men[side][kind] for side, kind in self.men_words])
            places = f.local("on_men", places & standing)
        for i in both:
            if on:
                assert places is not None
                men[2][i] = f.local("marked", men[2][i] | places)
            elif places is None:
                men[2][i] = const(0, self.layout.word)
            else:
                men[2][i] = f.local("marked", men[2][i].without(places))

    def _neglected(self, f: Function, c: Context, masks: Masks, rows: Rows) -> dict[int, list[tuple[int, Value]]]:
        """For each verb: the marks that men get where a duty is neglected by it, and which men."""
        found: dict[int, list[tuple[int, Value]]] = {}
        for must in self.game.must:
            if must.breach < 0 or c.phase not in must.phases or c.side.known not in must.sides:
                continue
            bound = {g.verb for g, _ in rows} & must.binds
            if not bound:
                continue
            should = const(0, self.layout.word)
            for group, row in rows:
                wanted = masks.of(must.value, group)
                assert wanted is not None
                if group.moves:
                    should = should | (row & wanted[0])
            if should.known == 0:
                continue
            should = f.local("should", should)
            for verb in bound:
                found.setdefault(verb, []).append((must.breach, should))
        return found

    def _breached(self, f: Function, c: Context) -> Context:
        """Before the man moves: marks of breach."""
        assert c.men is not None and c.verb.known is not None
        neglected = self.neglects.get(c.verb.known, [])
        if not neglected:
            return c
        men = [list(row) for row in c.men]
        for index, should in neglected:
            self._mark(f, men, index, should, True)
        return replace(c, men=tuple(map(tuple, men)))

    def _acted(self, f: Function, c: Context) -> tuple[Men, list[tuple[Value, Control]]]:
        """0 breaches, 1 the man moves, 2 effects at decision."""
        c = self._breached(f, c)
        self._nobody_alike(f, c)
        men, controls = self._changed(f, c, "decision", self._moved(f, c))
        path, mays = c.path, [m for m in self._mays(c) if not removing(m)]
        if isinstance(path, MaskPath) and not goes_to_empty(mays):
            number = const(0)
            for word in self._arguments(men, self.men_words):
                number = number + (word & path.to_bit).ne(0)
            with f.when(number.gt(1)):
                self.fail(f, "two men on {}, which holds one", mays[0].clause.id, at=path.to())
        return men, controls

    def _nobody_alike(self, f: Function, c: Context) -> None:
        """No man of the mover's own side and kind stands where he goes: in a word two are one."""
        path, mays = c.path, [m for m in self._mays(c) if not removing(m)]
        if not isinstance(path, MaskPath) or goes_to_empty(mays):
            return
        assert c.men is not None
        alike = const(0)
        for whose, kind in self._movers(c):
            word = c.men[whose][kind]
            alike = alike | ((word & path.from_bit).ne(0) & (word & path.to_bit).ne(0))
        if any(p.origin == p.to for p in self.game.paths):
            alike = alike & (path.from_bit ^ path.to_bit).ne(0)
        with f.when(alike):
            self.fail(f, "two men on {}, which holds one", mays[0].clause.id, at=path.to())

    def _settled(self, f: Function, moment: str, c: Context, on_end: Ending) -> None:
        """The first ending that holds; ``on_end`` must leave."""
        for number, ends in enumerate(self.game.ends):
            if ends.moment != moment or not self._may_concern(ends, moment, c, None) or c.phase not in ends.phases:
                continue
            readers = [
                reader
                for reader in {"mover": (c,), "foe": (c.turned(),)}.get(ends.reader, (c, c.turned()))
                if reader.side.known in ends.sides
            ]
            if ends.reader == "both":
                if len(readers) == 2:
                    with f.when(self.terms.of(ends.when, readers[0])), f.when(self.terms.of(ends.when, readers[1])):
                        self._on_end(f, number, readers[0], on_end)
                continue
            for reader in readers:
                with f.when(self.terms.of(ends.when, reader)):
                    self._on_end(f, number, reader, on_end)

    def _on_end(self, f: Function, number: int, c: Context, on_end: Ending) -> None:
        ends = self.game.ends[number]
        winner = {"win": c.side, "lose": c.side ^ 1}.get(ends.result, const(2))
        on_end(number, winner, self.terms.of(ends.points, c))

    def _decide(self, f: Function, c: Context, sink: Sink, ahead: bool = False) -> None:
        """A decision after which the turn may go on, followed; ``ahead``: whether it can is asked here."""
        side = c.side.known
        assert side is not None
        with f.block() as after:
            men, controls = self._acted(f, c)

            def ended(number: int, winner: Value, points: Value) -> None:
                sink.leaf(men, (number, winner, points))
                f.branch(after)

            self._settled(f, "decision", replace(c, men=men), ended)
            for holds, control in controls:
                with f.when(holds):
                    if control.phase < 0:
                        sink.leaf(men)
                    elif ahead and control.if_able:
                        with f.when(self.able(f, side, men, control)):
                            sink.follow(side, men, control)
                        with f.otherwise():
                            sink.leaf(men)
                    else:
                        sink.follow(side, men, control)

    def _follow_all(self, f: Function, c: Context, rows: Rows, sink: Sink) -> None:
        """Every decision of some rows, in order."""
        for verb in sorted({g.verb for g, _ in rows}):
            some = [(g, r) for g, r in rows if g.verb == verb]
            if not some[0][0].moves:
                with f.when(some[0][1].ne(0)):
                    self._decide(f, replace(c, path=NoPath(), verb=const(verb)), sink)
            elif c.active is not None and len(some) <= FEW_GROUPS:
                for group, row in some:
                    with f.when(row.ne(0)):
                        self._decide(f, replace(c, path=self._bit_path(group, row), verb=const(verb)), sink)
            else:
                packed = self._pack(f, some)
                ahead = c.active is None and len(packed) <= MOST_COPIES
                self._each_path(
                    f,
                    packed,
                    lambda path, verb=verb, ahead=ahead: self._decide(  # type: ignore[misc]
                        f, replace(c, path=path, verb=const(verb)), sink, ahead
                    ),
                )

    def _bit_path(self, group: Group, bit: Value) -> MaskPath:
        def moved(by: int | None) -> Value:
            assert by is not None
            return bit << by if by >= 0 else bit >> -by

        over = None
        if group.over is not None and group.over:
            over = reduce(lambda a, b: a | b, [moved(role.by) for role in group.over])
        elif group.over is not None:
            over = const(0, bit.type)
        to = const(0, bit.type) if group.to.by is None else moved(group.to.by)
        number = self.data.number_of(group, bit.lowest())
        if group.origin.by is None:
            bit = const(0, bit.type)
        return MaskPath(bit, to, over, number)

    # ---- turns that go on ------------------------------------------------------------------------------

    def chain(self, kind: str, side: int, men: Men, control: Control) -> tuple[str, list[Value]]:
        """The function that follows a turn in a phase, and what it is given."""
        alone = control.active is not None
        name = f"{kind}_{side}_{control.phase}_{int(alone)}_{int(control.if_able)}"
        self.chains[name] = (kind, side, control.phase, alone, control.if_able)
        return name, self._arguments(men, self._all_words()) + ([control.active] if control.active is not None else [])

    def _build_chain(self, name: str, kind: str, side: int, phase: int, alone: bool, if_able: bool) -> None:
        """``leaves_…``: list the ends of a turn; ``ways_…``: how many they are. Whoever cannot go on is at the end.

        Without ``if_able`` he is stuck, and the game ends.
        """
        word, listed = self.layout.word, kind == "leaves"
        params = (
            self._men_params(self._all_words())
            | ({"active": word} if alone else {})
            | ({"next": "i32"} if listed else {})
        )
        with self.function(name, params, "i32") as f:
            men = self._given_men(f, self._all_words())
            c = Context(const(0), const(side), men=men, active=f.param("active") if alone else None, phase=phase)
            masks = Masks(self, f, c)
            start = f.param("next") if listed else const(0)
            value = f.local("value", start)
            sink: Sink = Listed(self, f, value) if listed else Counted(self, f, value)

            stops = any(
                not g.moves for g in self.groups for m in self.game.may if m.verb == g.verb and phase in m.phases
            )

            def unable(rows: Rows) -> None:
                """Without a decision that has a path the turn is over, though it could be stopped."""
                able = reduce(lambda a, b: a | b, [r for g, r in rows if g.moves], const(0, word))
                with f.when(able.eq(0)):
                    sink.leaf(men)
                    f.give(value)

            def ended(number: int, winner: Value, points: Value) -> None:
                sink.leaf(men, (number, winner, points))
                f.give(value)

            def use(rows: Rows, sure: bool) -> None:
                self.neglects = self._neglected(f, c, masks, rows)
                self._follow_all(f, c, rows, sink)
                if if_able and not stops:
                    with f.when(value.eq(start)):
                        sink.leaf(men)
                elif not if_able:
                    with f.when(value.eq(start)):
                        self._settled(f, "stuck", c, ended)

            self._legal(f, masks, phase, side, use, unable if stops and if_able else None)
            f.give(value)
            value_set = f.lines.pop(0)
            f.lines = [value_set, *masks.prologue, *f.lines]

    # ---- rows of verbs that end the turn -----------------------------------------------------------------

    def _pack(self, f: Function, rows: Rows) -> list[Packed]:
        """Rows one after the other in words of 64 bits, each as wide as its paths lie apart."""
        made: list[tuple[list[tuple[Group, int]], Value, int]] = []
        for group, row in rows:
            first, width = min(group.paths), max(group.paths) - min(group.paths) + 1
            if not made or made[-1][2] + width > 64:
                made.append(([], const(0, "i64"), 0))
            held, word, used = made[-1]
            by = used - first
            moved = row.wide() << by if by >= 0 else row.wide() >> -by
            made[-1] = ([*held, (group, by)], word | moved, used + width)
        return [Packed(f.local("packed", word), tuple(held)) for held, word, _ in made]

    def _segments(self, f: Function, c: Context, rows: Rows, sink: Listed | None) -> list[Segment]:
        """The turns that begin with each verb; those that may go on are listed."""
        side = c.side.known
        assert side is not None
        segments: list[Segment] = []
        for verb in sorted({g.verb for g, _ in rows}):
            some = [(g, r) for g, r in rows if g.verb == verb]
            if sink is not None and self._may_go_on(verb, c.phase, side):
                start = f.local("first", sink.value)
                self._follow_all(f, c, some, sink)
                segments.append(Segment(verb, some, f.local("many", (sink.value - start) >> self.leaf_shift), start))
                continue
            packed, before, total = self._pack(f, some), [], const(0)
            for word in packed:
                before.append(total)
                total = f.held(total + word.word.bits(), "many")
            segments.append(Segment(verb, some, total, None, packed, before))
        return segments

    def _picked(self, f: Function, segment: Segment, number: Value) -> MaskPath | NoPath:
        """The path of the decision with this number in a segment that was not listed."""
        if not segment.rows[0][0].moves:
            return NoPath()
        word, base, which = segment.packed[0].word, const(0), const(0)
        for i in range(1, len(segment.packed)):
            later = f.local("later", number.ge(segment.before[i]))
            word, base = select(later, segment.packed[i].word, word), select(later, segment.before[i], base)
            which = which + later
        left = f.local("nth", number - base)
        word = f.local("word", word)
        for k in range(FEW):
            f.set(word, select(left.gt(k), word.rest(), word))
        with f.when(left.gt(FEW)):
            f.set(left, left - FEW)
            with f.repeat() as again:
                f.set(word, word.rest())
                f.set(left, left - 1)
                f.branch(again, left.ne(0))
        return self._slot_path(f, segment.packed, f.local("slot", (which << 6) + word.lowest()))

    def _slot_path(self, f: Function, packed: list[Packed], slot: Value) -> MaskPath:
        """A path by its bit in some packed words (64 for each)."""
        size = self.layout.word_size
        paths: list[Path | None] = [None] * (64 * len(packed))
        for k, part in enumerate(packed):
            for group, by in part.rows:
                for index, path in group.paths.items():
                    paths[64 * k + index + by] = path

        def table(entry: Callable[[Path], int]) -> int:
            return self.data.add(b"".join((entry(p) if p else 0).to_bytes(size, "little") for p in paths), 8)

        at, word = f.held(slot * size, "at"), self.layout.word
        points = self.game.board.points

        def point(place: int) -> int:
            return 1 << place if place < points else 0

        origins, goals = table(lambda p: point(p.origin)), table(lambda p: point(p.to))
        both = table(lambda p: point(p.origin) | point(p.to))
        over = table(lambda p: sum(1 << q for q in p.over))
        numbers = self.data.add(b"".join((p.index if p else 0).to_bytes(4, "little") for p in paths), 4)
        return MaskPath(
            load(at, origins, word),
            load(at, goals, word),
            load(at, over, word),
            load(slot * 4, numbers),
            both_bits=load(at, both, word),
        )

    def _each_path(self, f: Function, packed: list[Packed], body: Callable[[MaskPath], None]) -> None:
        """Statements for every path whose bit is set, in order: for each word its own, unless they are many."""
        if len(packed) <= MOST_COPIES:
            for part in packed:
                left = f.local("paths", part.word)
                with f.when(left.ne(0)), f.repeat() as again:
                    body(self._slot_path(f, [part], f.local("slot", left.lowest())))
                    f.set(left, left.rest())
                    f.branch(again, left.ne(0))
            return
        which = f.local("which", 0)
        room = self.data.room(8 * len(packed)) if f is self.flat else 0
        for i, part in enumerate(packed) if room else ():
            f.store(const(0), room + 8 * i, part.word, "i64")
        with f.repeat() as on:
            if room:
                word = load(which << 3, room, "i64")
            else:
                word = packed[-1].word
                for i in range(len(packed) - 2, -1, -1):
                    word = select(which.eq(i), packed[i].word, word)
            left = f.local("paths", word)
            with f.when(left.ne(0)), f.repeat() as again:
                body(self._slot_path(f, packed, f.local("slot", (which << 6) + left.lowest())))
                f.set(left, left.rest())
                f.branch(again, left.ne(0))
            f.set(which, which + 1)
            f.branch(on, which.lt(len(packed)))

    # ---- games ----------------------------------------------------------------------------------------------

    def _build_pointwise_games(self) -> None:
        """``pointwise_games``: as ``games``, by turn, from a record.

        Unless ``seeded``, the generator goes on where it is, and positions at ends of turns are
        kept behind those of the record's game; of a game that was cut off, the men that stood
        then are left in ``cut_men``.
        """
        initial = self.reference.initial()
        params = {"seed": "i64", "first": "i64", "count": "i32", "limit": "i32", "t": "i32", "seeded": "i32"}
        self.cut_men = self.data.room(8 * len(self.men_words))
        with self.function("pointwise_games", params) as f:
            self.flat = f
            word = self.layout.word
            leaves = f.local("leaves", global_("scratch_start"))
            out = f.local("out", global_("columns"))
            men = self._men_of(lambda side, kind: f.variable(f"m{side}_{kind}", word), self.turn_words)
            a, b, c, d = (f.variable(n, "i64") for n in "abcd")
            base = f.local("base", self._split(f, f.param("seed") + const(GAMMA, "i64")) + f.param("first"))
            result = {n: f.variable(n, "i32") for n in ("ending", "winner", "points", "draws", "starter")}
            turns = f.variable("turns", "i32")
            t, seeded = f.param("t"), f.param("seeded")
            past = None
            if self.game.reads_repeats:
                past = Past(*(f.variable(name, "i32") for name in ("past", "past_end", "past_number")))
            # marks of the turn under way have variables of their own; all else stays where it is
            after = self._men_of(
                lambda side, kind: (
                    men[side][kind] if (side, kind) in self.turn_words else f.variable(f"m{side}_{kind}", word)
                ),
                self._all_words(),
            )
            p = Playing(f, men, after, (a, b, c, d), turns, f.param("limit"), result, leaves, past)
            with f.count_to(f.param("count"), "game") as game:
                with f.when(seeded):
                    state = f.local("state", base + game.wide())
                    for part in p.chance:
                        f.set(state, state + const(GAMMA, "i64"))
                        f.set(part, self._split(f, state))
                with f.otherwise():
                    for name, part in zip("abcd", p.chance, strict=True):
                        f.set(part, global_(f"chance_{name}", "i64"))
                given = self._given_words(t)
                for side, kind in self.turn_words:
                    f.set(men[side][kind], given[side, kind])
                if past is not None:
                    kept = load(t, self.layout.history) * self.layout.history_size
                    f.set(past.first, global_("history") + kept)
                    f.set(past.end, past.first)
                    f.set(past.number, self._number_of(men))
                f.set(turns, load(t, self.layout.turns))
                f.set(result["ending"], -1)
                f.set(result["winner"], -1)
                f.set(result["points"], 0)
                f.set(result["starter"], load(t, self.layout.turn, "u8"))
                if initial.waits == TO_BEGIN:
                    with f.when(load(t, self.layout.waits, "u8").eq(TO_BEGIN)):
                        f.set(result["starter"], self._below(p, const(2)))
                with f.block() as p.over:
                    self._turns_of_game(p, initial.turn)
                for i, word_of_men in enumerate(self._arguments(men, self.men_words)):
                    f.store(const(0), self.cut_men + 8 * i, word_of_men, word)
                row = (
                    result["ending"],
                    result["winner"],
                    result["points"],
                    turns + result["ending"].ge_signed(0),
                    result["draws"],
                    result["starter"],
                )
                for i, value in enumerate(row):
                    f.store(out, 4 * i, value)
                f.set(out, out + 4 * COLUMNS)
                f.set_global("done", game + 1)
            for name, part in zip("abcd", p.chance, strict=True):
                f.set_global(f"chance_{name}", part)

    def _turns_of_game(self, p: Playing, first: int) -> None:
        """Turns of the one side and of the other, until the game is over."""
        f = p.f
        skip = f.local("skip", p.result["starter"].ne(first))
        with f.loop():
            with f.block() as second:
                f.branch(second, skip)
                self._turn(p, first)
            f.set(skip, 0)
            self._turn(p, 1 - first)

    def _split(self, f: Function, state: Value) -> Value:
        """An output of SplitMix64 (``Running.split``, in place)."""
        z = f.local("z", state)
        f.set(z, (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9)
        f.set(z, (z ^ (z >> 27)) * 0x94D049BB133111EB)
        return z ^ (z >> 31)

    def _below(self, p: Playing, bound: Value) -> Value:
        """An even draw (``Running.below`` and ``next``, in place)."""
        f, (a, b, c, d) = p.f, p.chance
        drawn = f.local("drawn", 0)
        with f.when(bound.gt(1)):
            shift = f.local("shift", Value(f"(i64.clz {(bound - 1).wide().code})", "i64"))
            with f.loop() as (out, _):
                x = f.local("x", b * 5)
                result = f.local("result", ((x << 7) | (x >> 57)) * 9)
                t = f.local("t", b << 17)
                f.set(c, c ^ a)
                f.set(d, d ^ b)
                f.set(b, b ^ c)
                f.set(a, a ^ d)
                f.set(c, c ^ t)
                f.set(d, (d << 45) | (d >> 19))
                f.set(drawn, (result >> shift).narrow())
                f.branch(out, drawn.lt(bound))
        return drawn

    def _turn(self, p: Playing, side: int) -> None:
        """One turn of a side: draw, play, hand over."""
        f = p.f
        c = Context(const(0), const(side), men=p.men, phase=0)
        masks = Masks(self, f, c)
        kept = f.captured()

        def draw(rows: Rows, sure: bool) -> None:
            self.neglects = self._neglected(f, c, masks, rows)
            self._draw_turn(p, c, rows, sure)

        self._legal(f, masks, 0, side, draw)

        def hand_over(men: Men, now: Past | None) -> None:
            for side, kind in self.turn_words:
                if men[side][kind].code != p.men[side][kind].code:
                    f.set(p.men[side][kind], men[side][kind])
            if p.past is not None and now is not None:
                f.set(p.past.end, now.end)
                f.set(p.past.first, now.first)
                f.set(p.past.number, now.number)

        self._end_of_turn(f, c, p.after, p.past, self._game_over(p, 1), hand_over)
        f.set(p.turns, p.turns + 1)
        statements = f.release(kept)
        f.lines += masks.prologue + statements

    def _game_over(self, p: Playing, drawn: int) -> Ending:
        f = p.f

        def over(number: int, winner: Value, points: Value) -> None:
            f.set(p.result["ending"], number)
            f.set(p.result["winner"], winner)
            if winner.known != 2:
                f.set(p.result["points"], points)
            f.set(p.result["draws"], p.turns + drawn)
            f.branch(p.over)

        return over

    def _assign(self, p: Playing, men: Men) -> None:
        """What the turn left, wherever it was played; it is handed over by the end of the turn."""
        for side, kind in self._all_words():
            if men[side][kind].code != p.after[side][kind].code:
                p.f.set(p.after[side][kind], men[side][kind])

    def _draw_turn(self, p: Playing, c: Context, rows: Rows, sure: bool) -> None:
        f, side = p.f, c.side.known
        assert side is not None
        listing = any(self._may_go_on(g.verb, 0, side) for g, _ in rows)
        sink = Listed(self, f, f.local("next", p.leaves)) if listing else None
        segments = self._segments(f, c, rows, sink)
        total = const(0)
        for segment in segments:
            total = f.held(total + segment.many, "total")
        if not sure:
            with f.when(total.eq(0)):
                self._settled(f, "stuck", c, self._game_over(p, 0))
                f.raw("(unreachable)")
        with f.when(p.turns.ge(p.limit)):
            f.set(p.result["draws"], p.turns)
            f.branch(p.over)
        most = total
        if listing or sum(len(g.paths) for g, _ in rows) >= CHOICES:
            most = select(total.lt(CHOICES), total, const(CHOICES - 1))
        at = f.local("at", global_("choices") + most * 4)
        f.store(at, 0, load(at) + 1)
        number = self._number_drawn(p, segments, total)
        with f.block() as picked:
            for i, segment in enumerate(segments):
                here = const(1) if i + 1 == len(segments) else number.lt(segment.many)
                with f.when(here):
                    self._play(p, c, segment, number)
                    f.branch(picked)
                f.set(number, number - segment.many)

    @cached_property
    def taking(self) -> frozenset[int]:
        """The verbs by which men of the other side may leave the board at once."""
        found = {may.verb for may in self.game.may if removing(may)}
        for then in self.game.then:
            if then.moment == "decision" and any(e.op == "take" for e in then.do):
                found |= then.verbs if "verbs" in then.clause.fields else set(range(len(self.game.verbs)))
        return frozenset(found)

    def _number_drawn(self, p: Playing, segments: list[Segment], total: Value) -> Value:
        """The number of a turn: among all, or, unless ``seeded``, among those that begin by taking if there are any."""
        f, takes = p.f, [s.verb in self.taking for s in segments]
        if all(takes) or not any(takes):
            return self._below(p, total)
        some = f.local("takings", sum_of([s.many for s, take in zip(segments, takes, strict=True) if take]))
        lively = f.local("lively", select(f.param("seeded"), const(0), some.ne(0)))
        number = f.held(self._below(p, f.local("bound", select(lively, some, total))), "number")
        with f.when(lively):
            passed = const(0)
            for segment, take in zip(segments, takes, strict=True):
                if not take:
                    f.set(number, number + select(number.ge(passed), segment.many, const(0)))
                passed = passed + segment.many
        return number

    def _play(self, p: Playing, c: Context, segment: Segment, number: Value) -> None:
        """The turn with this number in a segment: the men of the game after it, or the game over."""
        f = p.f
        if segment.first_leaf is not None:
            at = f.local("leaf", segment.first_leaf + (number << self.leaf_shift))
            if self.tagged:
                tag = f.local("tag", load(at, self.leaf_tag))
                with f.when(tag):
                    winner = f.local("who", tag & 3)
                    f.set(p.result["ending"], (tag >> 2) - 1)
                    f.set(p.result["winner"], winner)
                    f.set(p.result["points"], select(winner.eq(2), const(0), load(at, self.leaf_tag + 4)))
                    f.set(p.result["draws"], p.turns + 1)
                    f.branch(p.over)
            men = self._leaf_men(f, at)
            if not self.tagged:
                self._settled(f, "decision", replace(c, men=men), self._game_over(p, 1))
            self._assign(p, men)
            return
        here = replace(c, path=self._picked(f, segment, number), verb=const(segment.verb))
        men, _ = self._acted(f, here)
        self._settled(f, "decision", replace(here, men=men), self._game_over(p, 1))
        self._assign(p, men)

    def _end_of_turn(
        self,
        f: Function,
        c: Context,
        men: Men,
        past: Past | None,
        on_end: Ending,
        then: Callable[[Men, Past | None], None],
    ) -> None:
        """6: effects and endings at the end of a turn. ``then`` is given the men and the positions after it."""
        here = replace(c, men=men, active=None, path=NoPath(), verb=const(-1))
        men, _ = self._changed(f, here, "turn-end", [list(row) for row in men])
        left = self._expired(f, men)
        now = None
        if past is not None:
            number = f.local("number", self._number_of(men))
            first = f.local("first", select(number.eq(past.number), past.first, past.end))
            here = replace(here, repeats=self._times(f, left, first, past.end))
            now = Past(first, past.end + self.leaf_size, number)
        self._settled(f, "turn-end", replace(here, men=men), on_end)
        if past is not None:
            with f.when(past.end.gt(global_("history_end") - self.leaf_size)):
                self.fail(f, "more positions than can be kept")
            for side, kind in self.turn_words:
                f.store(past.end, self.offsets[side, kind], left[side][kind], self.layout.word)
        then(left, now)

    def _expired(self, f: Function, men: Men) -> Men:
        """The turn is over: marks of the turn end; those of a reply end unless written in this turn."""
        marks, facts = list(men[2]), list(men[3])
        for memory in self.game.memories:
            i, j = 2 * memory.index, 4 * memory.index
            parts = range(j, j + (2 if memory.per == "side" else 1))
            if memory.lasts == "turn":
                marks[i] = self._blank(2, i)
                for part in parts:
                    facts[part] = self._blank(3, part)
            elif memory.lasts == "reply" and memory.kind == "mark":
                marks[i] = f.local("marks", marks[i] & marks[i + 1])
                marks[i + 1] = self._blank(2, i)
            elif memory.lasts == "reply":
                for part in parts:
                    facts[part] = f.local("fact", select(facts[part + 2].ne(0), facts[part], self._blank(3, part)))
                    facts[part + 2] = self._blank(3, part + 2)
        for i in (self.tallies, self.tallies + 1):
            facts[i] = self._blank(3, i)
        if (3, self.tallies + 2) in self.offsets:
            facts[self.tallies + 2] = f.local("turns", facts[self.tallies + 2] + 1)
        return men[0], men[1], tuple(marks), tuple(facts)

    def _number_of(self, men: Men) -> Value:
        return reduce(lambda a, b: a + b, [word.bits() for word in self._arguments(men, self.men_words)])

    def _times(self, f: Function, men: Men, first: Value, end: Value) -> Value:
        """How often these men have stood at the end of this side's turns: every second position counts."""
        times = f.local("times", 1)
        at = f.local("at", end - 2 * self.leaf_size)
        with f.loop() as (out, _):
            f.branch(out, at.lt(first))
            differ = const(0, self.layout.word)
            for side, kind in self._kept_words():
                differ = differ | (load(at, self.offsets[side, kind], self.layout.word) ^ men[side][kind])
            f.set(times, times + differ.eq(0))
            f.set(at, at - 2 * self.leaf_size)
        return times

    def _kept_words(self) -> list[tuple[int, int]]:
        """The words in which positions must agree to be one: all but marks kept apart."""

        def kept(row: int, i: int) -> bool:
            if row < 2 or (row == 3 and i in self.terms.stocks.values()):
                return True
            return (row == 2 or i < self.tallies) and not self.game.memories[i // (2 * row - 2)].apart

        return [where for where in self.turn_words if kept(*where)]

    # ---- counts ------------------------------------------------------------------------------------------------

    def _build_counts(self) -> None:
        layout, word = self.layout, self.layout.word
        points, kinds = self.game.board.all_points, self.kinds
        for side in (0, 1):
            self._build_last(side)
            self._build_deeper(side)
        with self.function("fits_kernel", {"t": "i32"}, "i32") as f:
            t = f.param("t")
            fits = load(t, layout.waits, "u8").eq(TO_DECIDE) & load(t, layout.phase, "u8").eq(0)
            fits = fits & load(t, layout.active, "s16").eq(-1)
            fits = fits & load(t, layout.turn, "u8").eq(load(t, layout.decider, "u8"))
            together, number = const(0, word), const(0)
            for side in (0, 1):
                for kind in range(kinds):
                    here = load(t, layout.where + (side * kinds + kind) * layout.mask_size, word) & points
                    if kind in self.live[side]:
                        together, number = together | here, number + here.bits()
                    else:
                        fits = fits & here.eq(0)
            for side, place in self.terms.stocks:
                for kind in set(range(kinds)) - self.live[side]:
                    fits = fits & self._stock_of(t, side, kind, place).eq(0)
            for slot in layout.slots:
                for part in range(slot.count):
                    words = self._slot_words(slot, t, part)
                    if slot.memory.lasts == "turn":
                        fits = fits & words[0].eq(const(blank(slot.memory), words[0].type))
                    if slot.kind == "mask" and slot.memory.kind != "mark":
                        fits = fits & words[0].without(points).eq(0)
                    for more in words[1:]:
                        fits = fits & more.eq(0)
            for offset, sort in layout.fresh.values():
                fits = fits & load(t, offset, word if sort == "mask" else sort).to(word).eq(0)
            for i in (0, 1):
                if (3, self.tallies + i) in self.offsets:
                    fits = fits & load(t, layout.tallies + 4 * i).eq(0)
            f.give(fits & together.bits().eq(number))
        with self.function("pointwise_lines", {"t": "i32", "depth": "i32"}, "i64") as f:
            t, depth = f.param("t"), f.param("depth")
            given = self._given_words(t)
            arguments = [given[where] for where in self.turn_words]
            for side in (0, 1):
                with f.when(load(t, layout.turn, "u8").eq(side)):
                    with f.when(depth.eq(1)):
                        f.give(call(f"last_turns_{side}", *arguments).wide())
                    past = [global_("history")] * 2 if self.game.reads_repeats else []
                    f.give(call(f"turns_{side}", *arguments, depth, global_("scratch"), *past, type="i64"))

    def _given_words(self, t: Value) -> dict[tuple[int, int], Value]:
        """The words in which a turn of a record's game begins."""
        layout, word, points = self.layout, self.layout.word, self.game.board.all_points
        given: dict[tuple[int, int], Value] = {}
        for side, kind in self.men_words:
            given[side, kind] = load(t, layout.where + (side * self.kinds + kind) * layout.mask_size, word) & points
        for slot in layout.slots:
            i = slot.memory.index
            if slot.memory.kind == "mark":
                given[2, 2 * i] = self._slot_words(slot, t, 0)[0] & points
                continue
            for part in range(slot.count):
                given[3, 4 * i + part] = self._slot_words(slot, t, part)[0].to(word)
        given[3, self.tallies + 2] = load(t, layout.turns).to(word)
        for (side, place), i in self.terms.stocks.items():
            (kind,) = self.live[side]
            given[3, i] = self._stock_of(t, side, kind, place).to(word)
        return given

    def _stock_of(self, t: Value, side: int, kind: int, place: int) -> Value:
        """How many men of a kind a record has at a place beside the board."""
        row = side * self.kinds + kind
        return load(t, self.layout.counts + row * self.layout.row + place - self.layout.first_counted, "u8")

    def _slot_words(self, slot: Slot, t: Value, part: int) -> list[Value]:
        """A fact in a record, as it is read there."""
        at, layout = slot.offset + part * slot.size, self.layout
        if slot.kind != "mask":
            return [load(t, at, slot.kind)]
        return [load(t, at + i * layout.word_size, layout.word) for i in range(layout.words)]

    def _build_last(self, side: int) -> None:
        """``last_turns_SIDE``: how many turns there are, nothing played."""
        with self.function(f"last_turns_{side}", self._men_params(self.turn_words), "i32") as f:
            c = Context(const(0), const(side), men=self._given_men(f, self.turn_words), phase=0)
            masks = Masks(self, f, c)

            def use(rows: Rows, sure: bool) -> None:
                self.neglects = self._neglected(f, c, masks, rows)
                many = const(0)
                going = [(g, r) for g, r in rows if self._may_go_on(g.verb, 0, side)]
                for word in self._pack(f, [pair for pair in rows if pair not in going]):
                    many = many + word.word.bits()
                if going:
                    many = f.local("many", many)
                    self._follow_all(f, c, going, Counted(self, f, many))
                f.give(many)

            self._legal(f, masks, 0, side, use)
            f.lines = masks.prologue + f.lines

    def _build_deeper(self, side: int) -> None:
        """``turns_SIDE``: lines of two turns or more; a game that is over goes no deeper. Leaves go to ``next``."""
        params = self._men_params(self.turn_words) | {"depth": "i32", "next": "i32"}
        if self.game.reads_repeats:
            params |= {"past": "i32", "past_end": "i32"}
        with self.function(f"turns_{side}", params, "i64") as f:
            c = Context(const(0), const(side), men=self._given_men(f, self.turn_words), phase=0)
            masks = Masks(self, f, c)
            depth, start = f.param("depth"), f.param("next")
            total = f.local("total", 0, "i64")
            past = None
            if self.game.reads_repeats:
                number = f.local("number", self._number_of(self._given_men(f, self.turn_words)))
                past = Past(f.param("past"), f.param("past_end"), number)
            first = f.lines
            f.lines = []

            def deeper(here: Context, men: Men, after: str, free: Value, ended: bool) -> None:
                def over(number: int, winner: Value, points: Value) -> None:
                    f.branch(after)

                if ended:
                    self._settled(f, "decision", replace(here, men=men), over)

                def on(men: Men, now: Past | None) -> None:
                    positions = [] if now is None else [now.first, now.end]
                    arguments = self._arguments(men, self.turn_words)
                    with f.when(depth.eq(2)):
                        f.set(total, total + call(f"last_turns_{1 - side}", *arguments).wide())
                    with f.otherwise():
                        more = call(f"turns_{1 - side}", *arguments, depth - 1, free, *positions, type="i64")
                        f.set(total, total + more)

                self._end_of_turn(f, here, men, past, over, on)

            def use(rows: Rows, sure: bool) -> None:
                self.neglects = self._neglected(f, c, masks, rows)
                going = [(g, r) for g, r in rows if self._may_go_on(g.verb, 0, side)]
                for verb in sorted({g.verb for g, _ in rows if not self._may_go_on(g.verb, 0, side)}):
                    some = [(g, r) for g, r in rows if g.verb == verb]
                    here = replace(c, path=NoPath(), verb=const(verb))
                    if not some[0][0].moves:
                        with f.when(some[0][1].ne(0)), f.block() as after:
                            deeper(here, self._acted(f, here)[0], after, start, True)
                        continue

                    def play(path: MaskPath, here: Context = here) -> None:
                        with f.block() as after:
                            here = replace(here, path=path)
                            deeper(here, self._acted(f, here)[0], after, start, True)

                    self._each_path(f, self._pack(f, some), play)
                if not going:
                    return
                end = f.local("end", start)
                self._follow_all(f, c, going, Listed(self, f, end))
                at = f.local("leaf", start)
                with f.loop() as (out, _):
                    f.branch(out, at.ge(end))
                    with f.block() as after:
                        if self.tagged:
                            f.branch(after, load(at, self.leaf_tag))
                        deeper(c, self._leaf_men(f, at), after, end, not self.tagged)
                    f.set(at, at + self.leaf_size)

            self._legal(f, masks, 0, side, use)
            f.lines = first + masks.prologue + f.lines
            f.give(total)
