"""One process that looks at drafts: a line of JSON in, a line of JSON out, within limits of its own.

Where the platform has limits, the process takes them on before it reads anything: so
much memory, no file may be written, no core is left behind, and so much time of the
processor for one question. How long a question may last by the clock is for the one
who asks; he kills the process (``workers``). A process that met a limit says so and ends.
"""

from __future__ import annotations

import gc
import json
import math
import sys
from pathlib import Path
from typing import Any, BinaryIO, Protocol

from interpreter.web.drafts import LONGEST_ANSWER, Drafts

try:
    import resource
except ImportError:  # Windows: the clock and the size of texts are the only limits there
    resource = None  # type: ignore[assignment]

MEMORY = "memory"
ANSWER = "answer"
FAULT = "fault"
BEGINNING = "ruleset: draft\nextends: families/merels\nplayable: no\n"


def confine(memory: int) -> None:
    """Give up what the work does not need; ``memory`` is how many bytes may be taken beside what was (0: any)."""
    if resource is None:
        return
    limits = [(resource.RLIMIT_FSIZE, 0), (resource.RLIMIT_CORE, 0)]
    if memory:
        limits.append((resource.RLIMIT_AS, _taken() + memory))
    for limit, most in limits:
        _lower(limit, most)


def _taken() -> int:
    """The bytes of addresses that this process has; a generous guess where the system does not say."""
    try:
        pages = int(Path("/proc/self/statm").read_text(encoding="ascii").split()[0])
    except (OSError, ValueError):
        return 1 << 30
    return pages * resource.getpagesize()


def allow(seconds: float) -> None:
    """So much more time of the processor from now on; past it the system ends the process."""
    if resource is not None:
        used = resource.getrusage(resource.RUSAGE_SELF)
        _lower(resource.RLIMIT_CPU, math.ceil(used.ru_utime + used.ru_stime + seconds), hard=False)


def _lower(limit: int, most: int, hard: bool = True) -> None:
    _, before = resource.getrlimit(limit)
    if before != resource.RLIM_INFINITY:
        most = min(most, before)
    try:
        resource.setrlimit(limit, (most, most if hard else before))
    except (ValueError, OSError):  # a system that knows the name of a limit and not the limit
        return


class Answers(Protocol):
    """Who looks at the texts."""

    def answer(self, asked: dict[str, Any]) -> dict[str, Any]: ...


def work(lines: BinaryIO, answers: BinaryIO, memory: int, looks: Answers) -> None:
    """Answer until there are no more lines, or a limit was met."""
    gc.collect()
    gc.freeze()
    gc.disable()
    confine(memory)
    answers.write(b"{}\n")
    answers.flush()
    for line in lines:
        asked = json.loads(line)
        allow(asked["seconds"] + 1)
        answer = _answered(looks, asked)
        written = json.dumps(answer, separators=(",", ":")).encode("ascii")
        if len(written) > LONGEST_ANSWER:
            written = json.dumps({"limit": ANSWER}, separators=(",", ":")).encode("ascii")
        answers.write(written + b"\n")
        answers.flush()
        if answer.get("limit") == MEMORY:
            return
        gc.collect()  # when nobody waits for it


def _answered(looks: Answers, asked: dict[str, Any]) -> dict[str, Any]:
    try:
        return looks.answer(asked)
    except MemoryError:
        return {"limit": MEMORY}
    except Exception as fault:  # whatever a stranger's text may do, the next one is answered
        return {"limit": FAULT, "fault": type(fault).__name__}


def run(looks: Answers) -> None:
    """Work as a process: the bytes of memory it may have are its argument."""
    answers = sys.stdout.buffer
    sys.stdout = sys.stderr  # nothing else may come between the answers
    work(sys.stdin.buffer, answers, int(sys.argv[1]) if len(sys.argv) > 1 else 0, looks)


def main() -> None:
    drafts = Drafts()
    drafts.check(BEGINNING, True)
    run(drafts)


if __name__ == "__main__":
    main()
