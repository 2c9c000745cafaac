"""The games of a tournament on the disk: a line of JSON for the question, then one for each game as it ends.

A line is on the disk (fsync) before the next game counts; whatever ends the program, the
file holds whole games and at most a torn last line, which is taken away when the
tournament goes on. Games are told apart by ruleset, players and number, so that none is
played or counted twice, in whatever order they ended.

Fault O908: a file that cannot be written, is another tournament's, or is being written.
"""

from __future__ import annotations

import json
import os
from collections.abc import Mapping
from pathlib import Path
from types import TracebackType
from typing import Any

from interpreter.diagnostics import Fault, fault
from interpreter.play.journal import locked
from interpreter.play.tournament import Fixture, Score

_FLAGS = os.O_RDWR | os.O_CREAT | os.O_APPEND | getattr(os, "O_BINARY", 0)
FREE = ("games",)
"""What may be asked anew when a tournament goes on."""


class Scoresheet:
    """An open file of scores; ``scores`` are those it holds. A context manager, which closes it."""

    def __init__(self, path: Path, question: Mapping[str, Any]) -> None:
        """Open the file, new or to go on with. Raises Fault O908."""
        self.path = path
        self.scores: dict[Fixture, Score] = {}
        try:
            self._descriptor = os.open(path, _FLAGS, 0o644)
        except OSError as problem:
            raise self._unwritable(problem) from None
        try:
            if not locked(self._descriptor):
                raise fault("O908", f"`{path}` is being written by another tournament")
            self._take_up(dict(question))
        except OSError as problem:
            os.close(self._descriptor)
            raise self._unwritable(problem) from None
        except Fault:
            os.close(self._descriptor)
            raise

    def _take_up(self, question: dict[str, Any]) -> None:
        data = self.path.read_bytes()
        whole = data[: data.rfind(b"\n") + 1]
        os.ftruncate(self._descriptor, len(whole))
        lines = whole.splitlines()
        if not lines:
            self._write(question)
            return
        try:
            there = json.loads(lines[0])
            found = [Score.from_json(json.loads(line)) for line in lines[1:]]
        except (ValueError, KeyError, TypeError):
            raise fault("O908", f"`{self.path}` holds no tournament", help="choose another name") from None
        wanted = json.loads(json.dumps(question))
        for key in wanted:
            if key not in FREE and (not isinstance(there, dict) or there.get(key) != wanted[key]):
                raise fault(
                    "O908", f"`{self.path}` holds another tournament: `{key}` differs", help="choose another name"
                )
        self.scores = {score.fixture: score for score in found}

    def add(self, score: Score) -> None:
        """Write a game down, and count it. Raises Fault O908."""
        try:
            self._write(score.as_json())
        except OSError as problem:
            raise self._unwritable(problem) from None
        self.scores[score.fixture] = score

    def _write(self, value: Mapping[str, Any]) -> None:
        data = (json.dumps(value, ensure_ascii=False) + "\n").encode()
        while data:
            data = data[os.write(self._descriptor, data) :]
        os.fsync(self._descriptor)

    def _unwritable(self, problem: OSError) -> Fault:
        return fault("O908", f"`{self.path}` cannot be written: {problem.strerror or problem}")

    def __enter__(self) -> Scoresheet:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, problem: BaseException | None, _: TracebackType | None
    ) -> None:
        os.close(self._descriptor)


__all__ = ["Scoresheet"]
