"""Playing at a terminal: whose turn it is, what is asked, what a line means.

A line is a move if it can be one, else a command; with ``:`` before it it is always a
command. Dice throw themselves, a side that can play nothing is passed over with a
word. A turn that was entered in several lines can be taken back until an empty line
ends it; nothing else does, for the throw that follows cannot be taken back.

One room: one method for each thing that can be typed.
"""

from __future__ import annotations

import shutil
from collections.abc import Callable
from pathlib import Path

import click

from interpreter.cli import answers
from interpreter.cli.asking import Asking
from interpreter.cli.table import Table
from interpreter.diagnostics import Fault, nearest
from interpreter.machine.types import State
from interpreter.play import journal, players, seats
from interpreter.play.moves import RefusedMove
from interpreter.play.record import AGREED, BEGIN, GAME, MOVE, NOTE, RESIGN, STUCK, THROW, UNDO, Event, Record
from interpreter.play.session import DECIDE, OVER, Session

HELP = """\
a move          as the list writes it: one decision, or several of one turn
?  legal        what can be played now
why MOVE        which rule refuses a move, and its source (or permits it)
a place         what a man on it can do
undo            take back your last decision of this turn (never past a throw)
hint            what the computer would play
board           draw the board again
view SIDE|turn  whose side is at the bottom
moves  log      what was played; what was thrown
rules CLAUSE    the words and the source of a rule (without CLAUSE: all their names)
score           the score of the match
position        the position as one line of text
note TEXT       write a note into the record
save FILE       write a copy of the record
draw            offer a draw: the game ends if the other side agrees
resign          give the game up
quit            leave; the record goes on with `alfonso play --resume FILE`
With `:` before it a word is always a command."""


class Leave(Exception):
    """The human leaves."""


class Conversation:
    """One sitting. ``run`` returns when the game (or the match) is over, or raises Leave."""

    def __init__(self, session: Session, table: Table, asking: Asking) -> None:
        self.session = session
        self.table = table
        self.asking = asking
        self.playable = session.playable
        self._drawn: State | None = None
        self._turn: tuple[int, int, int] | None = None
        self._entries = 0
        self._commands: dict[str, Callable[[str], str | None]] = {
            "?": lambda _: table.legal(),
            "legal": lambda _: table.legal(),
            "help": lambda _: HELP,
            "why": self._why,
            "undo": lambda _: self._undo(False),
            "hint": lambda _: table.hint(),
            "board": lambda _: self._show_board(),
            "view": self._view,
            "moves": lambda _: table.moves(),
            "log": lambda _: table.log(),
            "rules": table.rules,
            "score": lambda _: table.score(),
            "position": lambda _: self.playable.format(session.state),
            "note": self._note,
            "save": self._save,
            "draw": lambda _: self._offer(),
            "resign": lambda _: self._resign(),
            "quit": self._quit,
            "exit": self._quit,
        }

    def run(self) -> None:
        while True:
            due = self.session.due
            if due == OVER:
                if not self._after_game():
                    return
            elif due != DECIDE:
                self._chance()
            elif self.kind() == players.HUMAN:
                self._human()
            else:
                self._computer()

    def kind(self) -> str:
        return self.session.players.get(self.session.decider, players.HUMAN)

    @property
    def humans(self) -> bool:
        return any(self.session.players.get(side, players.HUMAN) == players.HUMAN for side in self.session.sides)

    # ---- what happens by itself ---------------------------------------------------------------------

    def _chance(self) -> None:
        event, session = self.session.drawn(), self.session
        side, faces = session.decider, "-".join(map(str, event.faces))
        session.apply(event)
        if event.what == BEGIN:
            say(f"{event.side} begins{' with ' + faces if faces else ''}.")
        elif event.what == THROW:
            nothing = session.due == STUCK
            say(f"{side} throws {faces}{' and can play nothing' if nothing else ''}.")
        elif session.steps[-2:-1] and session.steps[-2].event.what != THROW:
            say(f"{side} can play nothing more.")

    def _computer(self) -> None:
        session, state, side = self.session, self.session.state, self.session.decider
        who = seats.seat(self.kind())
        decisions, after = seats.choose(self.playable, state, who, session.head.seed, len(session.steps))
        text = self.table.play_text(state, decisions, after)
        for decision in decisions:
            session.apply(Event(MOVE, side, self.playable.text(session.state, decision)))
        say(f"{side} plays {text}.")
        if not self.humans:
            self._show_board()

    def _after_game(self) -> bool:
        """Say how it ended; True if the match goes on."""
        session = self.session
        if session.state is not self._drawn:
            self._show_board()
        say(self._folded(self.table.ending()))
        if session.match is None or session.finished:
            return False
        if self.humans:
            line = self._ask(f"Enter begins game {session.game_number + 1}, quit leaves> ").strip()
            if line.lstrip(":") in ("quit", "exit"):
                raise Leave
        session.apply(Event(GAME, number=session.game_number + 1))
        say(f"game {session.game_number}.")
        return True

    # ---- a human decides ----------------------------------------------------------------------------

    def _human(self) -> None:
        session = self.session
        turn = session.game_number, session.state.turns, session.state.decider
        if turn != self._turn:
            self._turn, self._entries = turn, 0
        side, forced = session.decider, self.table.forced()
        if session.state is not self._drawn:
            self._show_board()
            if forced:
                say(f"only move: {forced} (Enter plays it)")
        line = " ".join(self._ask(self._prompt()).split())
        if not line:
            if forced:
                self._play(side, forced)
            else:
                say("type a move; `?` lists what can be played, `help` the commands")
            return
        self._understand(side, line)

    def _understand(self, side: str, line: str) -> None:
        """Do what a line says: a legal move first, else a command, else a move that is refused."""
        word, _, rest = line.lstrip(":").strip().partition(" ")
        command = self._commands.get(word.lower())
        if line.startswith(":") or (command is not None and not self._is_legal(line.lower())):
            if command is None:
                say(f"no command `{word}`; `help` lists them")
                return
            answer = command(rest.strip())
            if answer is not None:
                say(self._folded(answer))
            return
        shown = self.table.from_place(line.lower()) if not self._is_legal(line.lower()) else None
        if shown is not None:
            say(shown)
            return
        self._play(side, line.lower())

    def _is_legal(self, text: str) -> bool:
        return text in self.playable.notation.legal_texts(self.playable.machine, self.session.state)

    def _play(self, side: str, text: str) -> None:
        try:
            self.session.move(side, text)
        except RefusedMove as refused:
            read = refused.refused
            if read.state.turns != self.session.state.turns:
                say(f"your turn is over before `{read.word}`: leave it out")
                return
            say(self._folded(answers.refusal_text(self.playable, read.state, text, read.word, refused.refusals)))
            return
        except Fault as problem:
            if any(d.code.startswith("P81") for d in problem.diagnostics):
                raise
            say(self._complaint(text, problem))
            return
        self._entries += 1
        self._confirm(side)

    def _confirm(self, side: str) -> None:
        """A turn entered in several lines is over only when its player says so."""
        session, turn = self.session, self._turn
        over = session.due == OVER or (session.game_number, session.state.turns, session.state.decider) != turn
        if not over or self._entries < 2 or not session.undoable(side, ended=True):
            return
        while True:
            line = self._ask("Enter ends the turn, undo takes the last decision back> ").strip()
            word = line.lstrip(":")
            if word == "undo":
                say(self._undo(True))
                return
            if not line:
                return
            if word in ("quit", "resign"):
                self.asking.put_back(line)
                return
            if word in ("board", "moves", "log", "help"):
                say(self._commands[word]("") or "")
            else:
                say("the turn is not over yet: Enter ends it, undo takes the last decision back")

    def _complaint(self, text: str, problem: Fault) -> str:
        """A short answer to a line that is neither a move nor a command."""
        word = text.split()[0] if text.split() else text
        near = nearest(word, [name for name in self._commands if name != "?"])
        lines = [f"{d.message}{'; ' + d.help if d.help else ''}" for d in problem.diagnostics]
        if near is not None and all(d.code == "N701" and not d.help.startswith("did") for d in problem.diagnostics):
            lines = [f"`{text}` is neither a move nor a command; did you mean `{near}`?"]
        return "\n".join(lines)

    # ---- commands -----------------------------------------------------------------------------------

    def _why(self, text: str) -> str:
        if not text:
            return "which move? `why MOVE`"
        try:
            return answers.about(self.playable, self.session.state, text.lower())
        except Fault as problem:
            return self._complaint(text, problem)

    def _undo(self, ended: bool) -> str:
        session, side = self.session, self.session.decider if not ended else self._mover()
        if not session.undoable(side, ended):
            return "nothing to take back: only decisions of the turn under way can be, never past a throw"
        taken = session.steps[-1].event.text
        session.apply(Event(UNDO, side))
        return f"{side} takes {taken} back."

    def _mover(self) -> str:
        return self.session.steps[-1].event.side

    def _show_board(self) -> None:
        self._drawn = self.session.state
        say("\n" + self.table.board() + "\n")

    def _view(self, name: str) -> str | None:
        sides = self.session.sides
        if name not in (*sides, "turn"):
            return f"`view {sides[0]}`, `view {sides[1]}`, or `view turn` for whoever decides"
        self.table.viewer = None if name == "turn" else sides.index(name)
        self._show_board()
        return None

    def _note(self, text: str) -> str:
        if not text:
            return "`note TEXT`"
        self.session.apply(Event(NOTE, text=text))
        return "noted in the record."

    def _save(self, name: str) -> str:
        if not name:
            return "`save FILE`"
        path = Path(name).expanduser()
        try:
            journal.save(path, str(Record(self.session.head, tuple(self.session.events))))
        except Fault as problem:
            return "\n".join(f"{d.message}{'; ' + d.help if d.help else ''}" for d in problem.diagnostics)
        return f"saved as {path}."

    def _resign(self) -> None:
        self.session.apply(Event(RESIGN, self.session.decider))

    def _offer(self) -> str | None:
        """A draw by agreement, which is nobody's rule. The computer never agrees."""
        session = self.session
        other = session.sides[1 - session.sides.index(session.decider)]
        if session.players.get(other, players.HUMAN) != players.HUMAN:
            return f"{other} plays on."
        if self._ask(f"{other}, do you agree to a draw? yes or no> ").strip().lower() not in ("y", "yes"):
            return f"{other} plays on."
        session.apply(Event(AGREED))
        return None

    def _quit(self, _: str) -> None:
        raise Leave

    # ---- small things -------------------------------------------------------------------------------

    def _ask(self, prompt: str) -> str:
        names = tuple(name for name in self._commands if name != "?")
        return self.asking(prompt, lambda before: self.table.completions(before, names))

    def _prompt(self) -> str:
        state = self.session.state
        dice = f" {' '.join(map(str, state.dice))}" if state.dice else ""
        return f"{self.session.decider}{dice}> "

    def _folded(self, text: str) -> str:
        return answers.folded(text, shutil.get_terminal_size().columns if self.asking.terminal else 100)


def say(text: str) -> None:
    click.echo(text, color=True)
