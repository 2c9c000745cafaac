"""Why a move is refused: every clause that forbids it, its rule, its source, and the facts.

A move is refused because nothing permits it (`may`), because something forbids it
(`may-not`), or because a duty comes first (`must`). The facts are read off the clause's
own condition: the parts that made it come out as it did, with their values.

One room: finding the refusing clauses and putting their facts into words.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace

from interpreter.diagnostics import fault, suggestion
from interpreter.game.types import BOOL, DIRECTION, INT, OWN, Expression, Game, May
from interpreter.game.walk import label_index
from interpreter.machine.evaluate import Evaluator
from interpreter.machine.notation import Notation, Refused
from interpreter.machine.table import Table, bits
from interpreter.machine.types import TO_BEGIN, TO_DECIDE, Decision, Machine, State
from interpreter.play import citing
from interpreter.ruleset.types import Clause
from interpreter.source import NOWHERE, Source, Span

COMPASS = ("north", "north-east", "east", "south-east", "south", "south-west", "west", "north-west")


@dataclass(frozen=True)
class Refusal:
    """One clause that refuses a move.

    ``clause`` is its id ("" where no clause is at fault: the game is over, the dice
    are to be thrown); ``rule`` its plain words; ``citation`` its sources in short;
    ``facts`` what made it hold now; ``span`` where it is written.
    """

    clause: str
    rule: str
    citation: str
    facts: tuple[str, ...]
    span: Span = field(default=NOWHERE, compare=False, repr=False)
    section: str = ""

    def __str__(self) -> str:
        where = self.span.place if self.span is not NOWHERE else ""
        lines = [f"  because  {self.clause or 'the rules of play':<16}  {where}".rstrip()]
        if self.rule:
            lines.append(f"  rule     {self.rule}")
        if self.citation:
            lines.append(f"  source   {self.citation}")
        if self.facts:
            lines.append(f"  now      {'; '.join(self.facts)}")
        return "\n".join(lines)


def why_not(machine: Machine, notation: Notation, state: State, text: str) -> list[Refusal]:
    """Every clause that refuses a move text; empty if it is legal.

    Raises:
        Fault: N701 if the text is no move, N703 if it names no place of this board,
        N711 if it can be read in several ways.
    """
    machine = machine.reference
    if state.outcome is not None:
        return [Refusal("", "The game is over.", "", (f"it ended by {state.outcome.kind}",))]
    try:
        notation.read(machine, state, text)
        return []
    except Refused as refused:
        where, word = refused.state, refused.word
        if where.outcome is not None:
            return [Refusal("", "The game is over.", "", (f"it ended by {where.outcome.kind}",))]
        if where.waits != TO_DECIDE:
            what = "The starting throw comes first." if where.waits == TO_BEGIN else "The dice are to be thrown first."
            return [Refusal("", what, "", ())]
        if word == "-":
            return [
                Refusal(
                    "",
                    "A turn is passed only where nothing can be played.",
                    "",
                    (f"{len(machine.legal(where))} decisions are legal",),
                )
            ]
        if where.turn != state.turn or where.turns != state.turns:
            return [Refusal("", "The turn is over.", "", (f"`{word}` would be a decision of the next turn",))]
    return _Explaining(machine, notation, where).refusals(word)


def why_none(machine: Machine, notation: Notation, state: State, decisions: Sequence[Decision]) -> list[Refusal]:
    """Every clause that refuses some decisions of which one was meant; empty if one of them is legal."""
    explaining = _Explaining(machine, notation, state)
    if set(explaining.machine.legal(state)) & set(decisions):
        return []
    return explaining.among(list(decisions))


def why(machine: Machine, state: State, decision: Decision) -> list[Refusal]:
    """The clauses that permit a legal decision, in the same shape: id, rule, source."""
    table = Table(machine.game, state)
    found = machine.reference.candidates(table).get(decision)
    return [] if found is None else [refusal(machine, found.clause.clause, ())]


def refusal(machine: Machine, clause: Clause, facts: tuple[str, ...]) -> Refusal:
    sources = machine.game.ruleset.book.sources
    return Refusal(clause.id, clause.rule, citing.shorts(clause.because, sources), facts, clause.span, clause.section)


class _Explaining:
    def __init__(self, machine: Machine, notation: Notation, state: State) -> None:
        self.machine = machine.reference
        self.game: Game = machine.game
        self.notation = notation
        self.state = state

    def refusals(self, word: str) -> list[Refusal]:
        candidates = self._meant(word)
        return self.among(candidates) if candidates else self._no_path(word)

    def among(self, candidates: list[Decision]) -> list[Refusal]:
        """Why the decisions that were meant and are not legal are refused: of those that get farthest."""
        legal = self.machine.legal(self.state)
        by_stage: dict[int, list[Refusal]] = {}
        for decision in candidates:
            if decision not in legal:
                stage, found = self._of(decision)
                by_stage.setdefault(stage, []).extend(found)
        spelled = [self.notation.text(d, self.state.decider, legal) for d in candidates if d in legal]
        if not any(by_stage.values()):
            return [
                Refusal("", "The move has to be written in full.", "", tuple(f"write `{text}`" for text in spelled))
            ]
        best = by_stage[max(stage for stage, found in by_stage.items() if found)]
        if spelled:
            best = [replace(r, facts=(*r.facts, f"legal on the same path: {', '.join(spelled)}")) for r in best]
        return list({(r.clause, r.section, r.facts): r for r in best}.values())

    def _meant(self, word: str) -> list[Decision]:
        """Every decision that a word could mean, legal or not: exactly, else the first hop of a chain."""
        exact, prefix = [], []
        side = self.state.decider
        for verb in range(len(self.game.verbs)):
            for path in sorted({p for m in self.game.may if m.verb == verb for p in self._paths(m)}):
                decision = Decision(verb, path)
                bare = self.notation.bare(decision, side)
                die = self.game.paths[path].die
                spelled = {bare, f"{bare}({die})" if die else bare}
                if verb in self.notation.spelled:
                    spelled |= {s.split(" ", 1)[-1] for s in spelled}
                if word in spelled:
                    exact.append(decision)
                elif path and word.startswith(bare + self.game.signs[verb]):
                    prefix.append(decision)
        return exact or prefix

    def _paths(self, may: May) -> tuple[int, ...]:
        """The paths of a clause's way before `directions`, `along` and `region` narrow it."""
        side = self.state.decider
        return may.paths[side] if may.way is None else may.way.paths[side ^ (0 if may.who == OWN else 1)]

    def _between_places(self, may: May) -> bool:
        """Is what a clause permits written as two places, from and to?"""
        return may.way is not None and may.way.name != "name" and may.verb not in self.notation.prefixed

    def _no_path(self, word: str) -> list[Refusal]:
        labels = label_index(self.game.board, self.state.decider)
        for may in self.game.may:
            sign = self.game.signs[may.verb]
            if not self._between_places(may) or may.way is None or sign not in word:
                continue
            origin, _, to = word.partition(sign)
            to = to.split("(")[0]
            if origin in labels and to in labels:
                shown = [m for m in self.game.may if self._between_places(m) and self.game.signs[m.verb] == sign]
                fact = f"no {'throw of a die' if may.way.uses_dice else 'drawn line'} leads so from {origin} to {to}"
                return [refusal(self.machine, m.clause, (fact,)) for m in shown]
            unknown = [part for part in (origin, to) if part and part not in labels]
            if (origin in labels) != (to in labels) and unknown:
                source = Source("<move>", word)
                at = word.index(unknown[0])
                raise fault(
                    "N703",
                    f"no place `{unknown[0]}`",
                    Span(source, at, at + len(unknown[0])),
                    help=suggestion(unknown[0], labels, "places"),
                )
        known = sorted(self.notation.legal_texts(self.machine, self.state))
        raise fault(
            "N701",
            f"`{word}` is no move of this game",
            Source("<move>", word).whole,
            help=suggestion(word, known, "legal"),
        )

    # ---- one decision ---------------------------------------------------------------------

    def _of(self, decision: Decision) -> tuple[int, list[Refusal]]:
        """How far a decision gets and why not farther: 0 not permitted, 1 forbidden, 2 a duty comes first."""
        machine, state = self.machine, self.state
        table = Table(self.game, state)
        if decision not in machine.candidates(table):
            return 0, [
                r
                for m in self.game.may
                if m.verb == decision.verb and decision.path in self._paths(m)
                for r in self._not_permitted(m, decision)
            ]
        found = self._forbidden(decision)
        if found:
            return 1, found
        return 2, self._duty(decision)

    def _table(self, decision: Decision) -> Table:
        table = Table(self.game, self.state)
        table.side = table.decider
        table.verb, table.path = decision
        return table

    def _not_permitted(self, may: May, decision: Decision) -> list[Refusal]:
        state, game = self.state, self.game
        path = game.paths[decision.path]
        table = self._table(decision)
        labels = game.board.labels[state.decider]
        facts: list[str] = []
        if state.phase not in may.phases:
            facts.append(f"the turn is in phase {game.phases[state.phase].name}")
        elif state.decider not in may.sides:
            facts.append(f"it is {game.sides[state.decider]}'s turn")
        elif path.origin >= 0 and not self.machine.men_of(table, may.who, may.kind) >> path.origin & 1:
            kind = game.kinds[may.kind] if may.kind >= 0 else "man"
            whose = "yours" if may.who == OWN else "the other side"
            facts.append(f"no {kind} of {whose} stands on {labels[path.origin]}")
        elif path.origin >= 0 and state.active >= 0 and path.origin != state.active:
            facts.append(f"only the man on {labels[state.active]} may go on")
        elif path.die and path.origin >= 0 and path.die not in state.dice:
            facts.append(f"it takes a {path.die}; left to play: {' '.join(map(str, state.dice)) or 'nothing'}")
        elif decision.path not in may.paths[state.decider]:
            facts.append("that is not one of its directions")
        else:
            facts += self._facts(may.when, table, False)
        return [refusal(self.machine, may.clause, tuple(facts))]

    def _forbidden(self, decision: Decision) -> list[Refusal]:
        machine, state = self.machine, self.state
        found = []
        for clause in self.game.may_not:
            if (
                decision.verb not in clause.verbs
                or state.phase not in clause.phases
                or state.decider not in clause.sides
            ):
                continue
            if clause.when is not None:
                table = self._table(decision)
                if machine.evaluator.of(clause.when)(table):
                    found.append(refusal(machine, clause.clause, tuple(self._facts(clause.when, table, True))))
            elif clause.after is not None and not clause.play_end:
                table = machine.tried(state, decision)
                if machine.evaluator.of(clause.after)(table):
                    found.append(
                        refusal(machine, clause.clause, ("after it:", *self._facts(clause.after, table, True)))
                    )
        found += self._play_end(decision)
        return found

    def _play_end(self, decision: Decision) -> list[Refusal]:
        """The `at: play-end` clauses that leave no end to reach: each alone, else all that together do."""
        fact = "every play that begins so ends against this rule"
        return [
            refusal(self.machine, clause.clause, (fact if alone else f"{fact} or another",))
            for clause, alone in self.machine.refusing_ends(self.state, decision)
        ]

    def _duty(self, decision: Decision) -> list[Refusal]:
        """The first duty that leaves the decision out, in file order."""
        machine, state = self.machine, self.state
        duties = machine.duties
        plays = duties.plays(state)
        for duty in duties.enforced:
            after = duties._filtered(state, plays, [duty])
            if decision in plays and decision not in after:
                clause = duties.musts[duty][0].clause
                better = [self.notation.text(d, state.decider, tuple(after)) for d in after]
                shown = " ".join(better[:6]) + (" …" if len(better) > 6 else "")
                return [refusal(machine, clause, (f"plays that do better begin with {shown}",))]
            plays = after
        return []

    # ---- facts ---------------------------------------------------------------------------------

    def _facts(self, expression: Expression, table: Table, holds: bool) -> list[str]:
        return list(dict.fromkeys(Facts(self.game, self.machine.evaluator).why(expression, table, holds)))


class Facts:
    """Puts into words why a condition came out as it did."""

    def __init__(self, game: Game, evaluator: Evaluator) -> None:
        self.game = game
        self.evaluator = evaluator

    def why(self, e: Expression, t: Table, holds: bool) -> list[str]:
        """The facts that made ``e`` come out as ``holds``."""
        if e.op in ("and", "or"):
            deciding = [a for a in e.args if bool(self.evaluator.of(a)(t)) == holds]
            all_matter = (e.op == "and") == holds
            return [f for a in (deciding if all_matter else deciding[:1]) for f in self.why(a, t, holds)]
        if e.op == "not":
            return self.why(e.args[0], t, not holds)
        if e.op == "their":
            t.side ^= 1
            found = self.why(e.args[0], t, holds)
            t.side ^= 1
            return [f"for the other side: {f}" for f in found]
        if e.op == "compare":
            return [self.value(a, t) for a in e.args if a.op != "int"]
        if e.op in ("in", "meets", "same-places"):
            return self._relation(e, t, holds)
        if e.op in ("true", "false"):
            return []
        return [self.value(e, t)]

    def _relation(self, e: Expression, t: Table, holds: bool) -> list[str]:
        """Why places are, or are not, in or among others: `c3 is not empty`, `c3 holds none of your men`."""
        left, right = e.args
        value = self.evaluator.of(left)(t)
        if left.op in ("from", "to", "active", "it") and right.op == "places" and right.sort == "Place":
            return []
        shown = self.places(value, t.side)
        if not value:
            return [f"there is no {left.span.text}"] if left.span.text else []
        if right.op == "empty":
            taken = value & ~self.evaluator.of(right)(t)
            return [f"{shown} is empty" if holds else f"{self.places(taken, t.side)} is not empty"]
        if right.op == "standing":
            who, kind = right.data
            men = "men" if kind < 0 or self.game.kinds[kind] == "man" else self.game.kinds[kind] + "s"
            whose = "your" if who == OWN else "the other side's"
            return [f"{shown} holds {'' if holds else 'none of '}{whose} {men}"]
        verb = {"in": ("is in", "is not in"), "meets": ("meets", "does not meet"), "same-places": ("is", "is not")}
        return [f"{shown} {verb[e.op][0 if holds else 1]} {self.name(right, t)}"]

    def value(self, e: Expression, t: Table) -> str:
        """A subterm with its value: ``point 2 holds 1 of your men``, ``head is no``."""
        value = self.evaluator.of(e)(t)
        if e.op == "count":
            who, kind = e.data
            men = "men" if kind < 0 or self.game.kinds[kind] == "man" else self.game.kinds[kind] + "s"
            whose = "your " if who == OWN else "the other side's "
            return f"{self.name(e.args[0], t)} holds {value} of {whose}{men}"
        if e.op == "size":
            return f"{e.args[0].span.text} has {value} places" if e.args[0].span.text else f"{value} places"
        return f"{e.span.text or e.op} is {self.shown(e, value, t.side)}"

    def shown(self, e: Expression, value: object, side: int) -> str:
        if e.sort == BOOL:
            return "yes" if value else "no"
        if e.sort == INT:
            return str(value)
        if e.sort == DIRECTION:
            assert isinstance(value, int)
            return COMPASS[value] if value >= 0 else "none"
        assert isinstance(value, int)
        return self.places(value, side)

    def name(self, e: Expression, t: Table) -> str:
        """Places by their labels where they are few, else by the words of the rule."""
        value = self.evaluator.of(e)(t)
        if e.op != "places" or e.sort == "Place" or value.bit_count() <= 2:
            return self.places(value, t.side)
        return e.span.text or self.places(value, t.side)

    def places(self, mask: int, side: int) -> str:
        board = self.game.board
        if not mask:
            return "no place"
        named = []
        for place in bits(mask)[:8]:
            owner = board.side_of(place)
            label = board.labels[side][place]
            if owner is None:
                named.append(f"point {label}" if label.isdigit() else label)
            else:
                named.append(f"your {label}" if owner == side else f"the other side's {label}")
        more = mask.bit_count() - len(named)
        return ", ".join(named) + (f" and {more} more" if more > 0 else "")


__all__ = ["Facts", "Refusal", "refusal", "why", "why_none", "why_not"]
