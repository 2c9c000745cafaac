"""Which games the kernel of plays is for: what is proved of the clauses before it is used (see ``plays``)."""

from __future__ import annotations

from interpreter.compiled.reach import Bounds
from interpreter.compiled.tracked import Unfit
from interpreter.game.types import FOE, OWN, Expression, MayNot, Then
from interpreter.game.walk import ops
from interpreter.machine.evaluate import fixed

MOST_FACES = 6

UNSETTLED = frozenset(
    (
        "from",
        "to",
        "over",
        "direction",
        "heads",
        "die",
        "excess",
        "active",
        "dice",
        "left",
        "lowest",
        "highest",
        "taken",
        "plays",
        "dice-played",
        "pips-played",
        "wasted",
        "repeats",
        "goes-on",
        "ended",
        "can",
        "can-from",
        "can-at-all",
        "verb-is",
    )
)
"""What an ending may not read: it must be decided by where the men stand, whatever play led there."""


class Fitting(Bounds):
    """Raises Unfit with what does not fit; notes what the other parts want to know."""

    read_levels = 1
    """The largest number of own men on a place that a rule asks about."""

    def _fit(self) -> None:
        game, layout = self.game, self.layout

        def need(holds: bool, what: str) -> None:
            if not holds:
                raise Unfit(what)

        need(game.throw is not None and layout.many and self.words == 1 and layout.word == "i32", "board")
        need(layout.faces <= MOST_FACES and self.kinds == 1 and self.phase_count == 1, "dice, kinds or phases")
        need(not self.reads_active and not game.reads_repeats and not game.reads_last, "what is remembered")
        need(all(m.kind == "flag" and not m.on_men and m.lasts == "game" for m in game.memories), "facts")
        need(not any(n.play_end for n in game.may_not), "play ends")
        tracks = game.board.tracks
        need(all(len(t) >= 3 and len(t) + MOST_FACES <= 32 for t in tracks), "tracks")
        travelling = [m for m in game.may if m.way is not None and m.way.name == "travel"]
        need(bool(travelling) and all(m.way is not None and m.way.name == "travel" for m in game.may), "ways")
        self.main = travelling[0].verb
        main = [m for m in travelling if m.verb == self.main]
        need(len(main) == 1 and main[0].who == OWN and main[0].when.op == "true" and len(main[0].sides) == 2, "may")
        self.main_may = main[0]
        self.guards = [m for m in travelling if m.verb != self.main]
        need(all(m.who == OWN for m in self.guards), "other verbs")
        self.hits = self._effects()
        self._shape_of_duties()
        for ends in game.ends:
            need(ends.moment in ("decision", "stuck"), "endings at other moments")
            if ends.moment == "stuck":
                raise Unfit("endings when stuck")
            need(not (ops(ends.when) | ops(ends.points)) & UNSETTLED, "endings that read the play")
            need("verbs" not in ends.clause.fields or self.main not in ends.verbs, "endings of a verb")
        need(not any(p.die > MOST_FACES for p in game.paths), "dice")
        self.foe_bars = [game.board.tracks[1 - side][0] for side in (0, 1)]

    def _effects(self) -> bool:
        """Are men sent away? Raises Unfit where something else happens."""
        hits = False
        self.flag_effects: list[tuple[Then, int, int]] = []
        for then in self.game.then:
            if then.moment == "stuck":
                if [e.op for e in then.do] != ["hand-over"]:
                    raise Unfit("what follows when stuck")
                continue
            if then.moment != "decision":
                raise Unfit("effects at other moments")
            if "verbs" in then.clause.fields and self.main not in then.verbs:
                continue
            if len(then.sides) < 2:
                raise Unfit("effects of one side")
            for effect in then.do:
                if effect.op == "send":
                    sent = then.when.op == "compare" and then.when.data == (5,) and then.when.args[1].data == (1,)
                    counted = then.when.args[0] if sent else Expression("none", "")
                    goal = effect.args[1]
                    fits = (
                        sent
                        and counted.op == "count"
                        and counted.data[0] == FOE
                        and counted.args[0].op == "to"
                        and effect.data[0] == FOE
                        and effect.args[0].op == "to"
                        and goal.op == "their"
                        and goal.args[0].op == "places"
                        and all(goal.args[0].data[side] == 1 << self.game.board.tracks[side][0] for side in (0, 1))
                        and self._alone()
                    )
                    if not fits:
                        raise Unfit("men sent otherwise")
                    hits = True
                elif effect.op == "remember" and len(effect.args) == 1 and effect.args[0].op == "true":
                    if not fixed(then.when):
                        raise Unfit("flags by position")
                    self.flag_effects.append((then, effect.data[0], effect.data[1]))
                else:
                    raise Unfit(f"effect {effect.op}")
        return hits

    def _alone(self) -> bool:
        """May no man go where the other side has two men or more?"""
        for bar in self.game.may_not:
            e = bar.when
            if e is None or self.main not in bar.verbs or len(bar.sides) < 2:
                continue
            if e.op == "compare" and e.data == (5,) and e.args[1].op == "int" and e.args[1].data == (2,):
                count = e.args[0]
                if count.op == "count" and count.data[0] == FOE and count.args[0].op == "to":
                    return True
        return False

    def _shape_of_duties(self) -> None:
        order = ("dice-played", "pips-played", "wasted")
        seen = []
        strict = set()
        for must in self.game.must:
            whole = set(must.binds) == set(range(len(self.game.verbs))) and len(must.sides) == 2 and not must.among
            measure = "least" if must.value.op == "wasted" else "most"
            if not whole or must.breach >= 0 or must.value.op not in order or must.measure != measure:
                raise Unfit("duties")
            unless = "never" if must.unless is None or must.unless.op == "false" else must.unless.op
            if unless not in ("never", "ended"):
                raise Unfit("excuses")
            strict.add(unless)
            seen.append(order.index(must.value.op))
        if not seen or seen != sorted(set(seen)) or seen[0] != 0 or len(strict) > 1:
            raise Unfit("duties")
        self.strict = strict == {"never"}
        self.pips_count = 1 in seen
        self.waste_counts = 2 in seen

    def _bars(self, side: int) -> list[MayNot]:
        return [n for n in self.game.may_not if n.when is not None and self.main in n.verbs and side in n.sides]

    def _after_bars(self, side: int) -> list[MayNot]:
        return [n for n in self.game.may_not if n.after is not None and self.main in n.verbs and side in n.sides]
