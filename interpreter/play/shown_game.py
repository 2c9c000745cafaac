"""A game as stable text: what both machines run, every name resolved.

The same game gives the same text, so two can be compared line by line. Paths and
decisions stand with their numbers, which are a promise to records and players.
"""

from __future__ import annotations

from collections.abc import Iterator

from interpreter.game.types import FOE, Effect, Ends, Expression, Game, May, MayNot, Must, Path, Then


def game_text(game: Game) -> str:
    """The whole game, ending with a line end."""
    return "\n".join(_Text(game).lines()) + "\n"


class _Text:
    def __init__(self, game: Game) -> None:
        self.game = game
        board = game.board
        owners = [board.side_of(place) for place in range(game.places)]
        self.names = tuple(
            name if owner is None else f"{game.sides[owner]}-{name}"
            for name, owner in zip(board.names, owners, strict=True)
        )

    def lines(self) -> Iterator[str]:
        game, board = self.game, self.game.board
        yield f"game {game.ruleset.id}"
        for side, seat in zip(game.sides, game.seats, strict=True):
            yield f"side {side} seat {seat}"
        yield f"pieces {' '.join(game.kinds)}"
        yield f"start {game.start_who or 'the first side'}{' keep' if game.start_keep else ''}"
        if game.throw is not None:
            throw = game.throw
            yield f"throw {throw.dice} dice of {throw.faces}, doubles {throw.doubles or 'once'}"
        yield f"places {board.points} points, {'many men' if board.many else 'one man'} to a point"
        yield f"  {' '.join(self.names)}"
        for number in (0, 1):
            if board.tracks[number]:
                yield f"track {game.sides[number]} {self.row(board.tracks[number])}"
            if board.labels[number] != board.names:
                yield f"labels {game.sides[number]} {' '.join(board.labels[number])}"
        yield from (f"line {line.group} {self.row(line.places)}" for line in board.lines)
        for name, masks in board.regions.items():
            yield f"region {name} {' / '.join(self.mask(mask) for mask in masks)}"
        for phase in game.phases:
            yield f"phase {phase.name}{' by foe' if phase.by_foe else ''}"
        for memory in game.memories:
            limits = f" {memory.low}..{memory.high}" if memory.kind == "number" else ""
            more = (f" per {memory.per}" if memory.per else "") + (" apart" if memory.apart else "")
            yield f"memory {memory.name} {memory.kind}{limits} for {memory.lasts}{more}"
        for number, (verb, sign) in enumerate(zip(game.verbs, game.signs, strict=True)):
            yield f"verb {number} {verb} sign {sign}"
        for path in game.paths:
            yield self.path(path)
        for may in game.may:
            yield from self.may(may)
        for clauses in (game.may_not, game.must, game.then, game.ends):
            for clause in clauses:
                yield from self.clause(clause)

    def row(self, places: tuple[int, ...]) -> str:
        return " ".join(self.names[p] for p in places)

    def mask(self, mask: int) -> str:
        found = [self.names[p] for p in range(len(self.names)) if mask >> p & 1]
        return " ".join(found) or "none"

    def path(self, path: Path) -> str:
        if path.index == 0:
            return "path 0 empty"
        words = [f"path {path.index}"]
        if path.origin >= 0:
            words.append(f"{self.names[path.origin]} to {self.names[path.to]}")
        if path.over:
            words.append(f"over {self.row(path.over)}")
        if path.direction >= 0:
            words.append(f"direction {path.direction}")
        if path.die:
            words.append(f"die {path.die}")
        if path.excess:
            words.append(f"excess {path.excess}")
        return " ".join(words)

    # ---- clauses -------------------------------------------------------------------------------

    def may(self, may: May) -> Iterator[str]:
        yield f"may {may.clause.id}"
        way = may.way.name + (f" {may.way.place}" if may.way.place else "") if may.way is not None else "none"
        kind = f" {self.game.kinds[may.kind]}" if may.kind >= 0 else ""
        yield f"  verb {self.game.verbs[may.verb]} way {way} who {'foe' if may.who == FOE else 'own'}{kind}"
        yield from self.where(may.phases, may.sides)
        for side in (0, 1):
            yield f"  paths {self.game.sides[side]} {_runs(may.paths[side]) or 'none'}"
        yield f"  when {self.term(may.when)}"

    def clause(self, clause: MayNot | Must | Then | Ends) -> Iterator[str]:
        yield f"{clause.clause.section} {clause.clause.id}"
        verbs = clause.binds if isinstance(clause, Must) else clause.verbs
        if len(verbs) < len(self.game.verbs):
            yield f"  verbs {' '.join(self.game.verbs[v] for v in sorted(verbs))}"
        yield from self.where(clause.phases, clause.sides)
        if isinstance(clause, MayNot):
            for name, term in (("when", clause.when), ("after", clause.after)):
                if term is not None:
                    yield f"  {name} {self.term(term)}{' at play-end' if clause.play_end else ''}"
        elif isinstance(clause, Must):
            among = f" among {' '.join(clause.among)}" if clause.among else ""
            yield f"  {clause.measure} {self.term(clause.value)}{among}"
            if clause.unless is not None:
                yield f"  unless {self.term(clause.unless)}"
            if clause.breach >= 0:
                yield f"  breach {self.game.memories[clause.breach].name}"
        elif isinstance(clause, Then):
            yield f"  at {clause.moment} when {self.term(clause.when)}"
            for effect in clause.do:
                yield f"  do {self.effect(effect)}"
        else:
            yield f"  at {clause.moment} for {clause.reader} when {self.term(clause.when)}"
            yield f"  {clause.result} points {self.term(clause.points)} kind {clause.kind}"

    def where(self, phases: tuple[int, ...], sides: tuple[int, ...]) -> Iterator[str]:
        """Phases and sides, where a clause does not count in all of them."""
        if len(phases) < len(self.game.phases):
            yield f"  phases {' '.join(self.game.phases[p].name for p in phases) or 'none'}"
        if len(sides) < 2:
            yield f"  sides {' '.join(self.game.sides[s] for s in sides) or 'none'}"

    def effect(self, effect: Effect) -> str:
        return self._call(effect.op, effect.data, effect.args)

    def term(self, e: Expression) -> str:
        """A typed term: the op, its numbers in brackets, its arguments."""
        if e.op == "places":
            both = [self.mask(mask) for mask in e.data]
            return "{" + (both[0] if len(set(both)) == 1 else " / ".join(both)) + "}"
        if e.op == "int":
            return str(e.data[0])
        return self._call(e.op, e.data, e.args)

    def _call(self, op: str, data: tuple[int, ...], args: tuple[Expression, ...]) -> str:
        numbers = f"[{','.join(map(str, data))}]" if data else ""
        inside = f"({', '.join(map(self.term, args))})" if args else ""
        return f"{op}{numbers}{inside}"


def _runs(numbers: tuple[int, ...]) -> str:
    """``1-5 8``: rising numbers, runs together."""
    found: list[list[int]] = []
    for n in numbers:
        if found and n == found[-1][1] + 1:
            found[-1][1] = n
        else:
            found.append([n, n])
    return " ".join(str(a) if a == b else f"{a}-{b}" for a, b in found)


__all__ = ["game_text"]
