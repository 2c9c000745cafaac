"""Pages that are run: what they show is done in the order of the page, and prints what they say.

In a page, a fenced block is

- a file, if the words before it say ``Save this as `x.yaml` `` or ``add this to the end of `x.yaml` ``;
- commands (``console``), each with the output printed under it (with or without what goes to standard error);
- Python (``python``): a conversation if it begins with ``>>>``, whose answers must be those printed, else a program.

``In `x.yaml`, write `a` in place of `b` `` is done as well. A block behind `<!-- not run: why -->` is left alone.

``python -m tests.house.pages docs/tutorial.md`` writes into a page what its commands print now;
read the difference before you keep it.
"""

from __future__ import annotations

import doctest
import os
import re
import shlex
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest
from click.testing import CliRunner

from interpreter.cli.main import main
from interpreter.diagnostics import Fault

HOUSE = Path(__file__).parents[2]
SAVED = ("yaml", "pdn", "mat", "bib", "json")
SAVE = re.compile(r"[Ss]ave this as `([^`]+)`")
ADD = re.compile(r"[Aa]dd this to the end of `([^`]+)`")
WRITE = re.compile(r"[Ii]n `([^`]+)`, write `([^`]+)` in place of `([^`]+)`")
NOT_RUN = re.compile(r"<!-- not run: [^>]+ -->\s*$")
EXTRAS = ("numpy", "pyarrow", "scipy", "matplotlib", "gymnasium", "pettingzoo", "pyspiel", "starlette", "weasyprint")


@dataclass(frozen=True)
class Step:
    """One thing that a page does: ``what`` is save, add, write, console or python."""

    what: str
    text: str
    name: str = ""
    old: str = ""


def fences(page: Path, *kinds: str) -> list[str]:
    """The fenced blocks of some kinds ("" for those without a name), in order."""
    return [text for _, kind, text in parts(page) if kind in kinds]


def parts(page: Path) -> Iterator[tuple[str, str, str]]:
    """The page, cut at its fenced blocks: the words before one, its kind, its text. The last has no block (`end`)."""
    before, inside, kind = "", None, ""
    for line in page.read_text(encoding="utf-8").splitlines(keepends=True):
        if inside is None and line.startswith("```"):
            inside, kind = "", line[3:].strip()
        elif inside is not None and line.startswith("```"):
            yield before, kind, inside
            before, inside = "", None
        elif inside is not None:
            inside += line
        else:
            before += line
    yield before, "end", ""


def steps(page: Path) -> Iterator[Step]:
    for before, kind, text in parts(page):
        for name, new, old in WRITE.findall(before):
            yield Step("write", new, name, old)
        saved, added = SAVE.findall(before), ADD.findall(before)
        if NOT_RUN.search(before):
            continue
        if kind in SAVED and (saved or added):
            yield Step("save" if saved else "add", text, (saved or added)[-1])
        elif kind in ("console", "python"):
            yield Step(kind, text)


def shown(page: Path) -> list[str]:
    """YAML that is not saved under a name, and not said to be left alone."""
    return [
        text
        for before, kind, text in parts(page)
        if kind == "yaml" and not (SAVE.search(before) or ADD.search(before) or NOT_RUN.search(before))
    ]


def consoles(text: str) -> list[tuple[str, str]]:
    """Every ``$ command`` of a block with the output printed under it."""
    found = []
    for part in re.split(r"^\$ ", text, flags=re.MULTILINE)[1:]:
        command, _, output = part.partition("\n")
        found.append((command, output))
    return found


def write_files(page: Path, folder: Path) -> None:
    """The files of a page under the names they are given."""
    for step in steps(page):
        if step.what in ("save", "add", "write"):
            write(step, folder)


def write(step: Step, folder: Path) -> None:
    path = folder / step.name
    path.parent.mkdir(parents=True, exist_ok=True)
    if step.what == "save":
        path.write_text(step.text, encoding="utf-8")
    elif step.what == "add":
        path.write_text(path.read_text(encoding="utf-8") + step.text, encoding="utf-8")
    else:
        before = path.read_text(encoding="utf-8")
        assert before.count(step.old) == 1, f"`{step.old}` stands {before.count(step.old)} times in {step.name}"
        path.write_text(before.replace(step.old, step.text), encoding="utf-8")


def run(command: str, folder: Path) -> subprocess.CompletedProcess[str]:
    """Run a command as a program."""
    words = shlex.split(command)
    assert words[0] == "alfonso"
    environment = {**os.environ, "PYTHONPATH": str(HOUSE), "PYTHONIOENCODING": "utf-8", "COLUMNS": "200"}
    return subprocess.run(
        [sys.executable, "-m", "interpreter", *words[1:]],
        cwd=folder,
        env=environment,
        capture_output=True,
        text=True,
        encoding="utf-8",
        check=False,
    )


def printed(command: str, page: Path, folder: Path) -> tuple[str, str]:
    """What a command prints, and that with what it says beside (standard error), as a terminal shows both.

    It is run as a program for the README, in this process for the others.
    """
    if page.name == "README.md":
        done = run(command, folder)
        return done.stdout.rstrip(), (done.stdout + done.stderr).rstrip()
    words = shlex.split(command)
    assert words[0] == "alfonso"
    result = CliRunner().invoke(main, words[1:], prog_name="alfonso")
    if result.exception is not None and not isinstance(result.exception, SystemExit):
        raise result.exception
    return result.stdout.rstrip(), (result.stdout + result.stderr).rstrip()


def converse(text: str, page: Path, names: dict[str, object]) -> None:
    """Run a block of Python; names are those of the whole page."""
    try:
        if not text.startswith(">>>"):
            exec(compile(text, str(page), "exec"), names)
            return
        test = doctest.DocTestParser().get_doctest(text, names, page.name, str(page), 0)
        said: list[str] = []
        runner = doctest.DocTestRunner(optionflags=doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE)
        runner.run(test, out=said.append, clear_globs=False)
        names.update(test.globs)
        assert not runner.failures, "".join(said)
    except ModuleNotFoundError as problem:
        if problem.name is None or problem.name.split(".")[0] not in EXTRAS:
            raise
        pytest.skip(f"{problem.name} is not installed")
    except Fault as problem:
        if [found.code for found in problem.diagnostics] != ["O907"]:
            raise
        pytest.skip(str(problem))


def follow(page: Path, folder: Path) -> Iterator[tuple[str, str, str]]:
    """Do what a page says, in the current folder: every command, what the page says it prints, what it prints."""
    names: dict[str, object] = {"__name__": "__page__"}
    for step in steps(page):
        if step.what == "console":
            for command, output in consoles(step.text):
                said, (prints, with_errors) = output.rstrip(), printed(command, page, folder)
                yield command, said, with_errors if said == with_errors else prints
        elif step.what == "python":
            converse(step.text, page, names)
        else:
            write(step, folder)


def rewrite(page: Path) -> None:
    """Put into a page what its commands print, as far as it can be followed."""
    text, at, page = page.read_text(encoding="utf-8"), 0, page.resolve()
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)
        try:
            for command, said, prints in follow(page, Path(folder)):
                at = text.index(f"$ {command}\n", at) + len(f"$ {command}\n")
                assert text[at:].startswith(said), command
                text = text[:at] + prints + ("\n" if prints and not said else "") + text[at + len(said) :]
                at += len(prints)
        finally:
            os.chdir(HOUSE)
            page.write_text(text, encoding="utf-8")


if __name__ == "__main__":
    os.environ["COLUMNS"] = "200"
    for argument in sys.argv[1:]:
        rewrite(Path(argument))
