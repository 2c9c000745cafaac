"""A study with its results: what the door gives, a notebook shows, and the command writes."""

from __future__ import annotations

import json
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Any

from interpreter.diagnostics import fault
from interpreter.studies import measuring, pictures, report
from interpreter.studies.from_document import from_file
from interpreter.studies.running import Ended, run
from interpreter.studies.store import Store
from interpreter.studies.types import Study

SUMMARY, MARKDOWN, PAGE = "summary.json", "report.md", "report.html"


@dataclass(frozen=True)
class Studied:
    """The results of a study. ``summary`` is all that is told, as plain values; a notebook shows the report.

    ``folder`` holds the rows, None if it was read from a summary. ``why``: None if all was
    played, else ``time`` or ``interrupt``.
    """

    summary: dict[str, Any] = field(repr=False)
    folder: Path | None = None
    why: str | None = None

    @classmethod
    def read(cls, path: Path | str) -> Studied:
        """A study from its ``summary.json``, or the folder it lies in. Raises Fault O908."""
        path = Path(path)
        path = path / SUMMARY if path.is_dir() else path
        try:
            found = json.loads(path.read_text(encoding="utf-8"))
            if not isinstance(found, dict) or not {"study", "cells", "disputes", "players"} <= found.keys():
                raise ValueError("it is something else")
        except (OSError, ValueError) as problem:
            raise fault("O908", f"`{path}` is no summary of a study: {problem}") from None
        return cls(found)

    @property
    def id(self) -> str:
        return str(self.summary["study"])

    @property
    def is_whole(self) -> bool:
        """Was every game played, and none left out?"""
        return self.why is None and not self.summary["left_out"] and not self.summary["given_up"]

    @cached_property
    def figures(self) -> dict[str, tuple[str, str]]:
        """By name: what a figure shows, and its SVG. Raises Fault O907 without matplotlib."""
        return pictures.figures(self.summary)

    @property
    def markdown(self) -> str:
        """The report, with figures as files beside it."""
        return report.markdown(self.summary, {name: caption for name, (caption, _) in self.figures.items()})

    @property
    def html(self) -> str:
        """The report as one page."""
        return report.page(self.summary, self.figures)

    def files(self) -> dict[str, str]:
        """Everything that is written of a report: by its place in the folder, its text."""
        drawn = {f"{report.FIGURES}/{name}.svg": svg for name, (_, svg) in self.figures.items()}
        told = json.dumps(self.summary, ensure_ascii=False, separators=(",", ":"))
        return {SUMMARY: told + "\n", MARKDOWN: self.markdown, PAGE: self.html, **drawn}

    def _repr_html_(self) -> str:
        return report.body(self.summary, self.figures)

    def _repr_markdown_(self) -> str:
        return report.markdown(self.summary, {})


def study(
    path: Path | str, out: Path | str | None = None, jobs: int = 1, seconds: float | None = None, again: bool = False
) -> Studied:
    """Play a study, or what is missing of it, and tell its results.

    Args:
        path: the study's YAML file.
        out: the folder of its rows and report; None: ``ID.study`` beside nothing else.
        jobs: how many processes play. They change nothing in the results.
        seconds: begin no block of games after so long.
        again: play everything anew.

    Raises:
        Fault: with every error in the file; O907 an extra that is not installed, O908 a folder that cannot be used.
    """
    found, _ = from_file(Path(path))
    return studied(found, folder_of(found, out), jobs, seconds, again)


def folder_of(study: Study, out: Path | str | None) -> Path:
    return Path(f"{study.id}.study") if out is None else Path(out)


def studied(
    study: Study,
    folder: Path,
    jobs: int = 1,
    seconds: float | None = None,
    again: bool = False,
    scheduler: str | None = None,
    progress: Callable[[int, int], None] = lambda done, all: None,
) -> Studied:
    """The same of a study that was read; everything is written to the folder. See ``study``."""
    until = None if seconds is None else time.time() + seconds
    with Store(folder, study, again) as store:
        ended: Ended = run(store, jobs, until, scheduler, progress)
        made = Studied(measuring.summary(store, ended.given_up), folder, ended.why)
        for name, text in made.files().items():
            store.put_text(name, text)
        store.finish("complete" if made.is_whole else "incomplete")
    return made


__all__ = ["MARKDOWN", "PAGE", "SUMMARY", "Studied", "folder_of", "studied", "study"]
