"""Lines from whoever sits at the terminal: with completion where there is one, else line by line.

Where the input is no terminal, each line is repeated after its prompt, so that what
is printed reads like the conversation it was.
"""

from __future__ import annotations

import sys
from collections.abc import Callable

import click

Completions = Callable[[str], list[str]]
"""For the text before the cursor: the words that could stand last in it."""


class Asking:
    """Ask with a prompt. Raises EOFError where the input ends."""

    def __init__(self) -> None:
        self.terminal = sys.stdin.isatty() and sys.stdout.isatty()
        self._completions: Completions = lambda text: []
        self._found: list[str] = []
        self._waiting: list[str] = []
        if self.terminal:
            self._prepare()

    def __call__(self, prompt: str, completions: Completions) -> str:
        self._completions = completions
        if self._waiting:
            return self._waiting.pop(0)
        if self.terminal:
            return input(prompt)
        line = sys.stdin.readline()
        if not line:
            click.echo(prompt)
            raise EOFError
        click.echo(prompt + line.rstrip("\r\n"))
        return line

    def put_back(self, line: str) -> None:
        """The next question gets this line for an answer."""
        self._waiting.append(line)

    def _prepare(self) -> None:
        try:
            import readline
        except ImportError:
            return
        readline.set_completer(self._complete)
        readline.set_completer_delims(" ")
        edits_otherwise = "libedit" in (readline.__doc__ or "")
        readline.parse_and_bind("bind ^I rl_complete" if edits_otherwise else "tab: complete")

    def _complete(self, word: str, number: int) -> str | None:
        """What readline calls for the ``number``-th way to complete ``word``. It must not raise."""
        try:
            import readline

            if number == 0:
                before = readline.get_line_buffer()[: readline.get_endidx()]
                self._found = [found for found in self._completions(before) if found.startswith(word)]
            return self._found[number] + " " if number < len(self._found) else None
        except Exception:
            return None
