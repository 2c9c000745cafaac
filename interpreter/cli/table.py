"""What is seen at the table: the board, the moves, the dice, the rules.

Every method returns text; the conversation prints it.
"""

from __future__ import annotations

from collections import Counter
from itertools import islice

from interpreter.cli import answers
from interpreter.diagnostics import suggestion
from interpreter.machine import styles, turns
from interpreter.machine.types import TO_DECIDE, Decision, State
from interpreter.play import explain, players, render, seats
from interpreter.play.moves import Step, turns_played
from interpreter.play.picture import last_turn
from interpreter.play.record import BEGIN, THROW
from interpreter.play.session import OVER, Session
from interpreter.play.signs import Signs, places_of
from interpreter.ruleset.types import CLAUSE_LISTS

MOST_LISTED = 40
"""More whole turns than this are counted, not listed."""

WIDTH = 78


class Table:
    """A session as it is shown. ``viewer`` is the side at the bottom; None: whoever decides."""

    def __init__(self, session: Session, colour: bool, viewer: int | None = None) -> None:
        self.session = session
        self.playable = session.playable
        self.colour = colour
        self.viewer = viewer

    # ---- the board -----------------------------------------------------------------------------

    def board(self, targets: frozenset[int] = frozenset()) -> str:
        state = self.session.state
        viewer = state.decider if self.viewer is None else self.viewer
        return render.text(
            self.playable.game, state, viewer=viewer, colour=self.colour, signs=Signs(targets, self._last())
        )

    def _last(self) -> tuple[int, ...]:
        """The places of the last decisions of one turn, as they were made."""
        return places_of(self.playable.game, last_turn(self.session))

    def from_place(self, label: str) -> str | None:
        """The board with everything a man on this place can go to; None if the label names no place."""
        session, game = self.session, self.playable.game
        labels = game.board.labels[session.state.decider]
        if label not in labels:
            return None
        places = [place for place, name in enumerate(labels) if name == label]
        legal = self.playable.legal(session.state)
        going = [d for d in legal if game.paths[d.path].origin in places]
        if not going:
            return f"no legal move begins on {label}"
        machine, state = self.playable.machine, session.state
        words = " ".join(styles.decision_text(self.playable.notation, machine, state, d) for d in going)
        return f"{self.board(frozenset(game.paths[d.path].to for d in going))}\nfrom {label}: {words}"

    # ---- moves ----------------------------------------------------------------------------------

    def legal(self) -> str:
        """The legal decisions, and the whole turns where a turn can be more than one."""
        state, notation, machine = self.session.state, self.playable.notation, self.playable.machine
        legal = self.playable.legal(state)
        lines = flowed("legal now:", [styles.decision_text(notation, machine, state, d) for d in legal])
        found = list(islice(turns.walks(machine, state, merged=True), MOST_LISTED + 1))
        if all(len(decisions) == 1 for decisions, _, _ in found):
            return lines
        texts = [notation.turn_text(machine, state, walk, exact=False) for walk in found[:MOST_LISTED]]
        more = "\n  … and more; `alfonso legal` lists them all" if len(found) > MOST_LISTED else ""
        return f"{lines}\n{flowed('whole turns, one for each result:', texts, '   ')}{more}"

    def forced(self) -> str:
        """The only thing that can be played: a whole turn, else the one decision; "" if there is a choice."""
        state, notation, machine = self.session.state, self.playable.notation, self.playable.machine
        found = list(islice(turns.walks(machine, state, merged=True), 2))
        if len(found) == 1 and not found[0][1]:
            return notation.turn_text(machine, state, found[0], exact=False)
        legal = self.playable.legal(state)
        return self.playable.text(state, legal[0]) if len(legal) == 1 else ""

    def hint(self) -> str:
        session = self.session
        who = seats.Seat(players.GREEDY)
        decisions, after = seats.choose(self.playable, session.state, who, session.head.seed, len(session.steps))
        return f"the computer, looking one turn ahead, would play {self.play_text(session.state, decisions, after)}"

    def play_text(self, state: State, decisions: tuple[Decision, ...], after: State) -> str:
        text = self.playable.notation.turn_text(self.playable.machine, state, (decisions, (), after), exact=False)
        return text.removesuffix(" -")

    def moves(self) -> str:
        """Everything played so far, turn by turn."""
        session, lines = self.session, []
        rows = turns_played(self.playable, session.steps)
        for game in range(1, session.game_number + 1):
            if session.match is not None:
                lines.append(f"game {game}")
            for row in rows:
                if row.game == game:
                    dice = f"{'-'.join(map(str, row.throw))}: " if row.throw else ""
                    lines.append(f"{row.number:>4}  {row.side:<8} {dice}{row.text}".rstrip())
        return "\n".join(lines) or "nothing has been played"

    # ---- dice -------------------------------------------------------------------------------------

    def log(self) -> str:
        """Every throw so far, and how often each face came."""
        session = self.session
        thrown = [step for step in session.steps if step.event.what in (BEGIN, THROW)]
        lines = [f"seed {session.head.seed}; one generator for each game (xoshiro256**), drawn throw by throw"]
        for number, step in enumerate(thrown, 1):
            lines.append(f"{number:>4}  {self._thrown(step)}")
        faces = Counter(face for step in thrown for face in step.event.faces)
        if faces:
            lines.append("faces  " + "   ".join(f"{face}: {faces[face]}" for face in sorted(faces)))
        return "\n".join(lines) if thrown else "\n".join([*lines, "nothing has been thrown"])

    def _thrown(self, step: Step) -> str:
        faces = "-".join(map(str, step.event.faces))
        if step.event.what == BEGIN:
            return f"{step.event.side} begins {faces}".rstrip()
        return f"{self.session.sides[step.before.turn]} {faces}"

    # ---- rules --------------------------------------------------------------------------------------

    def rules(self, id: str) -> str:
        """One clause with its source, or the ids of all."""
        content = self.playable.game.ruleset.content
        clauses = content.all_clauses()
        if id:
            found = [clause for clause in clauses if clause.id == id]
            if not found:
                return f"no clause `{id}`; {suggestion(id, [c.id for c in clauses]) or '`rules` lists them'}"
            return "\n".join(str(explain.refusal(self.playable.machine, clause, ())) for clause in found)
        lines = []
        for section in CLAUSE_LISTS:
            if content.clauses[section]:
                lines.append(flowed(f"{section}:", [clause.id for clause in content.clauses[section]]))
        return "\n".join([*lines, "`rules CLAUSE` gives its words and its source"])

    def ending(self) -> str:
        """How the game ended, by which rule, and the score of the match."""
        session, outcome = self.session, self.session.outcome
        if session.due != OVER or outcome is None:
            return "the game is not over"
        lines = [answers.ended(outcome)]
        clause = next((c for c in self.playable.game.ruleset.content.clauses["ends"] if c.id == outcome.clause), None)
        if clause is not None:
            lines.append(str(explain.refusal(self.playable.machine, clause, ())))
        return "\n".join([*lines, *([self.score()] if session.match is not None else [])])

    def score(self) -> str:
        match = self.session.match
        if match is None:
            return "this is a single game"
        score = ", ".join(f"{side} {points}" for side, points in match.score.items())
        until = f" (until {match.until})" if match.until is not None else ""
        won = f"; {match.winner} wins the match" if match.winner is not None else ""
        played = len(match.outcomes)
        return f"match after {played} game{'' if played == 1 else 's'}: {score} {match.by}{until}{won}"

    # ---- completion -----------------------------------------------------------------------------------

    def completions(self, before: str, commands: tuple[str, ...]) -> list[str]:
        """The words that can end a line: moves after the moves already written, commands at its beginning."""
        head, _, _ = before.rpartition(" ")
        head = head.removeprefix("why ").removeprefix("why").strip()
        state = self.session.state
        first = [] if before.rpartition(" ")[0] else list(commands)
        if head:
            for what, value in self.playable.notation.read(self.playable.machine, state, head):
                if what == "decide" and isinstance(value, Decision):
                    state = self.playable.machine.step(state, value)
        if state.waits != TO_DECIDE or state.turns != self.session.state.turns:
            return first
        return [*sorted(self.playable.text(state, d) for d in self.playable.legal(state)), *first]


def flowed(title: str, words: list[str], between: str = "  ") -> str:
    """A title and words, wrapped under each other."""
    lines = [title]
    for word in words:
        if len(lines[-1]) + len(between) + len(word) > WIDTH:
            lines.append(" ")
        lines[-1] += between + word
    return "\n".join(lines)
