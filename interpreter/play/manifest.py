"""What stands beside the rows of a study: what was asked, of which rules, with what, and how far it came.

A JSON file, replaced as a whole after every chunk, so that there is always one that can
be read. It is also what a study goes on from: the rows that count are those it knows of.
"""

from __future__ import annotations

import contextlib
import json
import os
import platform
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime, timezone
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any

from interpreter import __version__
from interpreter.play.chunks import Question
from interpreter.play.playable import Playable
from interpreter.play.totals import Totals
from interpreter.ruleset.library import Library

LIBRARIES = ("numpy", "wasmtime", "pyarrow", "joblib", "distributed")
SAME = ("alfonso", "ruleset", "ruleset_sha256", "options", "seed", "by", "max_turns")
"""What must be the same for games to belong to one study."""


def now() -> str:
    """The time in UTC, to the second, as ISO 8601 writes it."""
    return datetime.now(timezone.utc).replace(microsecond=0).isoformat()


@dataclass
class Manifest:
    """``facts`` are written as they are; ``totals`` and ``size`` (bytes of rows that count) are how far it came."""

    facts: dict[str, Any]
    totals: Totals = field(default_factory=Totals)
    size: int = 0

    def write(self, path: Path, complete: bool = False) -> None:
        """Replace the file. What it says of the rows must be on the disk before."""
        value = {
            **self.facts,
            "games_done": self.totals.games,
            "ended": now(),
            "complete": complete,
            "bytes": self.size,
            "totals": self.totals.as_json(),
        }
        draft = path.with_name(path.name + ".new")
        with draft.open("w", encoding="utf-8", newline="\n") as file:
            file.write(json.dumps(value, ensure_ascii=False, indent=1) + "\n")
            file.flush()
            os.fsync(file.fileno())
        os.replace(draft, path)

    @classmethod
    def read(cls, path: Path) -> Manifest:
        """Raises OSError, or ValueError if it is no manifest."""
        try:
            facts = json.loads(path.read_text(encoding="utf-8"))
            totals, size = Totals.from_json(facts["totals"]), int(facts["bytes"])
        except (KeyError, TypeError, ValueError) as problem:
            raise ValueError(f"this is no manifest of a study ({problem})") from None
        return cls(facts, totals, size)

    def differences(self, other: Mapping[str, Any]) -> list[str]:
        """What keeps games asked for with other facts from being games of this study."""
        return [
            f"{name}: there {json.dumps(self.facts.get(name))}, now {json.dumps(other[name])}"
            for name in SAME
            if self.facts.get(name) != other[name]
        ]


def facts(
    playable: Playable, library: Library, sha256: str, question: Question, games: int, **more: object
) -> dict[str, Any]:
    """What is known of a study before it begins. ``more``: how it is played (machine, jobs …)."""
    ruleset = playable.game.ruleset
    files = [{"id": file.id, "sha256": file.digest, "shipped": file.shipped} for file in library.files()]
    return {
        "alfonso": __version__,
        "python": platform.python_version(),
        "libraries": {name: found for name in LIBRARIES if (found := _version(name)) is not None},
        "ruleset": playable.id,
        "ruleset_version": ruleset.book.version or None,
        "ruleset_sha256": sha256,
        "files": sorted(files, key=lambda file: str(file["id"])),
        "options": playable.options,
        "seed": question.seed,
        "by": question.by,
        "max_turns": question.max_turns,
        "games_asked": games,
        **more,
        "started": now(),
    }


def _version(name: str) -> str | None:
    with contextlib.suppress(PackageNotFoundError):
        return version(name)
    return None


__all__ = ["Manifest", "facts", "now"]
