"""When faults are looked for, by which process, and what is known of them.

A keystroke is looked at at once by a process that does nothing else; what was asked
before and still waits is dropped. When the typing pauses another process runs the
stories and plays some turns, and what it finds is published in place of the first
answer. Files that draw on the one that was changed are looked at after it.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from interpreter.editor.worker import MODULE
from interpreter.editor.workspace import Workspace
from interpreter.web.workers import SUPERSEDED, Busy, Workers

SECONDS, SECONDS_PLAYED = 10.0, 30.0
"""How long a process may look, without and with stories."""
MEMORY = 1 << 30
PAUSE = 0.3
"""Seconds without a keystroke after which stories are run."""
TOO_LONG = "looking for faults was given up: it took more than {:.0f} seconds"
BROKE_OFF = "looking for faults broke off ({})"


@dataclass(frozen=True)
class Seen:
    """What was found in a text: its version, the faults as data (``faults.Faults``), what went wrong in looking."""

    text: str
    version: int
    faults: tuple[dict[str, Any], ...]
    problem: str = ""


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
        seen = await self._ask(self._fast, path, version, SECONDS, played=False)
        if seen is None:
            return
        before = self._pauses.pop(path, None)
        if before is not None:
            before.cancel()
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
        seen = await self._ask(self._slow, path, version, SECONDS_PLAYED, played=True)
        if seen is not None and (seen.problem or seen.faults != known.faults):
            self.publish(path, seen)

    async def _ask(self, workers: Workers, path: Path, version: int, seconds: float, played: bool) -> Seen | None:
        """What a process finds; None where it is of no use any more."""
        text = self.workspace.texts.get(str(path))
        if text is None:
            return None
        asked = {"texts": dict(self.workspace.texts), "path": str(path), "played": played}
        try:
            answer = await asyncio.wrap_future(workers.ask(asked, seconds, key=str(path)))
        except Busy:
            return None
        if SUPERSEDED in answer or self._versions.get(path) != version:
            return None
        problem, faults = "", tuple(answer.get("faults", ()))
        if "limit" in answer:
            said = str(answer.get("fault", answer["limit"]))
            problem = TOO_LONG.format(seconds) if answer["limit"] == "time" else BROKE_OFF.format(said)
            known = self.seen.get(path)
            faults = known.faults if played and known is not None else ()
        seen = Seen(text, version, faults, problem)
        self.seen[path] = seen
        return seen
