"""The faults of a file that is open, with the texts of all others that are: what a process of the editor answers.

Spans are characters of the text that was asked about, byte order mark and all.
"""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

from interpreter import codes
from interpreter.diagnostics import Diagnostic, Report
from interpreter.editor.living import Living
from interpreter.play.checking import check_one, told
from interpreter.source import NOWHERE, Span

MOST_TOLD = 500


class Faults:
    """Answers about texts, one after the other. What they extend is read once, and again when it changes."""

    def __init__(self) -> None:
        self.library = Living()
        self._names: dict[Path, str] = {}

    def _name(self, path: Path) -> str:
        """What a file is called in messages: it takes a look at the disk to say so, and stays."""
        if path not in self._names:
            self._names[path] = self.library.shown(path)
        return self._names[path]

    def answer(self, asked: dict[str, Any]) -> dict[str, Any]:
        """The faults of a file.

        Args:
            asked: ``texts`` (path → text) of all that is open; ``path``, the one that is
                asked about; ``played``: run its stories and play some turns as well.

        Returns:
            ``faults``: code, severity, message, notes, help, title, ``path`` (null where the
            fault is in no file), ``start``, ``end``, ``labels`` (path, start, end, text).
        """
        self.library.open(asked["texts"])
        self.library.refresh()
        report = Report()
        check_one(self.library, Path(asked["path"]), False, report, set(), asked["played"])
        found = list(told(report))[:MOST_TOLD]
        paths = {self._name(file.path): os.path.abspath(file.path) for file in self.library.files()}
        marked = {path for path, text in asked["texts"].items() if text.startswith("\ufeff")}
        return {"faults": [self._data(d, paths, marked) for d in found]}

    def _data(self, d: Diagnostic, paths: dict[str, str], marked: set[str]) -> dict[str, Any]:
        def placed(span: Span) -> dict[str, Any]:
            path = paths.get(span.source.name) if span != NOWHERE else None
            before = 1 if path in marked else 0
            return {"path": path, "start": span.start + before, "end": max(span.start, span.end) + before}

        return {
            "code": d.code,
            "severity": d.severity,
            "message": d.message,
            "notes": list(d.notes),
            "help": d.help,
            "title": codes.title(d.code),
            "labels": [{**placed(label.span), "text": label.text} for label in d.labels],
            **placed(d.span),
        }
