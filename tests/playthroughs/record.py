"""Play the golden games again and write them down; read the difference before you keep it.

python tests/playthroughs/record.py [ID …]      (none named: every playable ruleset)
"""

from __future__ import annotations

import subprocess
import sys
import zlib
from pathlib import Path

import interpreter
from interpreter.diagnostics import Report
from interpreter.play.loading import build
from interpreter.ruleset.library import Library

HERE = Path(__file__).parent
SEED = 1283


def playable() -> list[str]:
    """The ids of all shipped rulesets that are games."""
    library = Library()
    found = [(id, build(library, id, Report())) for id in library.ids()]
    return [id for id, built in found if built is not None and built.book.playable]


def path_of(id: str) -> Path:
    return HERE / f"{id.replace('/', '--')}.record"


def write(id: str) -> None:
    """A game of the greedy against the random player, each ruleset with a seed of its own."""
    path = path_of(id)
    path.unlink(missing_ok=True)
    first, second = interpreter.load(id).game.sides
    players = ["--player", f"{first}=greedy", "--player", f"{second}=random"]
    seed = ["--seed", str(SEED + zlib.crc32(id.encode()) % 1000)]
    command = [sys.executable, "-m", "interpreter", "play", id, *players, *seed, "--record", str(path)]
    subprocess.run(command, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, check=True)
    lines = path.read_text(encoding="utf-8").splitlines(keepends=True)
    path.write_text("".join(line for line in lines if not line.startswith("date ")), encoding="utf-8")


if __name__ == "__main__":
    for name in sys.argv[1:] or playable():
        write(name)
        print(path_of(name).relative_to(Path.cwd()) if path_of(name).is_relative_to(Path.cwd()) else path_of(name))
