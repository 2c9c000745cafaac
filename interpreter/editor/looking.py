"""When faults are looked for, by which process, and what is known of them.

A keystroke is looked at at once by a process that does nothing else; what was asked
before and still waits is dropped. When the typing pauses another process runs the
stories and plays some turns, and what it finds is published in place of the first
answer. Files that draw on the one that was changed are looked at after it.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from interpreter.editor.tolerant import alike
from interpreter.editor.worker import MODULE
from interpreter.editor.workspace import Workspace
from interpreter.web.workers import FAULT, SUPERSEDED, Busy, Workers

SECONDS, SECONDS_PLAYED = 10.0, 30.0
"""How long a process may look, without and with stories."""
MEMORY = 1 << 30
PAUSE = 0.3
"""Seconds without a keystroke after which stories are run."""
TOO_LONG = "looking for faults was given up: it took more than {:.0f} seconds"
BROKE_OFF = "looking for faults broke off ({})"


@dataclass(frozen=True)
class Seen:
    """What was found in a text.

    ``faults``: as data (``faults.Faults``), without those that only stories and play show.
    ``played``: these, as they were last found, moved along with what was typed since.
    ``problem``: what went wrong in looking.
    """

    text: str
    version: int
    faults: tuple[dict[str, Any], ...]
    played: tuple[dict[str, Any], ...] = ()
    problem: str = ""

    @property
    def every(self) -> tuple[dict[str, Any], ...]:
        return (*self.faults, *self.played)


class Looking:
    """Looks for faults of open files. ``publish`` is called with each answer."""

    def __init__(self, workspace: Workspace, publish: Callable[[Path, Seen], None], stories: bool = True) -> None:
        self.workspace = workspace
        self.publish = publish
        self.stories = stories
        self.seen: dict[Path, Seen] = {}
        self._versions: dict[Path, int] = {}
        self._fast = Workers(1, MEMORY, module=MODULE, each=32)
        self._slow = Workers(1, MEMORY, module=MODULE, each=32)
        self._tasks: set[asyncio.Task[None]] = set()
        self._pauses: dict[Path, asyncio.TimerHandle] = {}

    def changed(self, path: Path, version: int) -> None:
        """A text was opened or changed."""
        self._versions[path] = version
        self._begin(self._look(path, version, others=True))

    def closed(self, path: Path) -> None:
        self._versions.pop(path, None)
        self.seen.pop(path, None)
        pause = self._pauses.pop(path, None)
        if pause is not None:
            pause.cancel()

    def again(self) -> None:
        """Files on the disk have changed: all that is open is looked at once more."""
        for path, version in list(self._versions.items()):
            self._begin(self._look(path, version))

    def close(self) -> None:
        for pause in self._pauses.values():
            pause.cancel()
        self._fast.close()
        self._slow.close()

    # ---- one look -------------------------------------------------------------------------------------

    def _begin(self, look: Any) -> None:
        task = asyncio.get_running_loop().create_task(look)
        self._tasks.add(task)  # the loop itself would let go of it
        task.add_done_callback(self._tasks.discard)

    async def _look(self, path: Path, version: int, others: bool = False) -> None:
        before = self.seen.get(path)
        answer = await self._ask(self._fast, path, version, SECONDS, played=False)
        if answer is None:
            return
        text, faults, problem = answer
        seen = Seen(text, version, faults or (), _moved(before, text) if before is not None else (), problem)
        self.seen[path] = seen
        pause = self._pauses.pop(path, None)
        if pause is not None:
            pause.cancel()
        self.publish(path, seen)
        self._pauses[path] = asyncio.get_running_loop().call_later(PAUSE, self._paused, path, version, others)

    def _paused(self, path: Path, version: int, others: bool) -> None:
        """The typing has stopped: keep what can be read now, run the stories, look at what draws on this file."""
        if self._versions.get(path) != version:
            return
        self.workspace.index(path)
        if self.stories:
            self._begin(self._play(path, version))
        for other, latest in list(self._versions.items()) if others else ():
            if other != path and any(index.path == path for index in self.workspace.grounds(other)):
                self._begin(self._look(other, latest))

    async def _play(self, path: Path, version: int) -> None:
        known = self.seen.get(path)
        if known is None or any(fault["severity"] == "error" for fault in known.faults):
            return  # a game with errors is not played
        answer = await self._ask(self._slow, path, version, SECONDS_PLAYED, played=True)
        if answer is None:
            return
        _, faults, problem = answer
        found = tuple(fault for fault in faults if fault not in known.faults) if faults is not None else known.played
        seen = replace(known, played=found, problem=problem)
        if seen != known:
            self.seen[path] = seen
            self.publish(path, seen)

    async def _ask(
        self, workers: Workers, path: Path, version: int, seconds: float, played: bool
    ) -> tuple[str, tuple[dict[str, Any], ...] | None, str] | None:
        """The text, its faults (None where they were not found) and what went wrong; None where it is of no use now."""
        text = self.workspace.texts.get(str(path))
        if text is None:
            return None
        asked = {"texts": dict(self.workspace.texts), "path": str(path), "played": played}
        try:
            answer = await asyncio.wrap_future(workers.ask(asked, seconds, key=str(path)))
            if answer.get("limit") == FAULT:  # a process that was ended from outside: a new one may do
                answer = await asyncio.wrap_future(workers.ask(asked, seconds, key=str(path)))
        except Busy:
            return None
        if SUPERSEDED in answer or self._versions.get(path) != version:
            return None
        if "limit" not in answer:
            return text, tuple(answer["faults"]), ""
        said = str(answer.get("fault", answer["limit"]))
        return text, None, TOO_LONG.format(seconds) if answer["limit"] == "time" else BROKE_OFF.format(said)


def _moved(before: Seen, text: str) -> tuple[dict[str, Any], ...]:
    """What stories showed in the text before, where it stands now; what was typed into is left out."""
    if not before.played:
        return ()
    same, tail = alike(before.text, text)
    by = len(text) - len(before.text)
    kept = []
    for fault in before.played:
        if fault["end"] <= same:
            kept.append(fault)
        elif fault["start"] >= len(before.text) - tail:
            kept.append({**fault, "start": fault["start"] + by, "end": fault["end"] + by, "labels": []})
    return tuple(kept)
