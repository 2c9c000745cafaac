"""The house rules: imports go left, only the command prints, no game's noun in the interpreter."""

from __future__ import annotations

import ast
import re
from pathlib import Path

import pytest

HOUSE = Path(__file__).parents[2]
PACKAGE = HOUSE / "interpreter"
MODULES = sorted(PACKAGE.rglob("*.py"))

FLOORS = [
    {"source"},
    {"diagnostics", "data"},
    {"codes"},
    {"rendering"},
    {"document", "terms"},
    {"ruleset"},
    {"game"},
    {"machine"},
    {"compiled"},
    {"play"},
    {"exchange"},
    {"printing"},
    {"studies"},
    {"web"},
    {"environments"},
    {"editor"},
    {"cli"},
    {"__init__", "__main__"},
]
NOUNS = [
    "alquerque",
    "backgammon",
    "verquere",
    "bradspel",
    "brädspel",
    "huff",
    "huk",
    "jan",
    "jean",
    "munk",
    "goose",
    "mill",
    "draughts",
    "checkers",
    "gammon",
    "sprang",
    "junker",
    "tavli",
]


def room(module: Path) -> str:
    """The first part of a module's name inside the package."""
    return module.relative_to(PACKAGE).with_suffix("").parts[0]


def floor(name: str) -> int:
    return next(number for number, rooms in enumerate(FLOORS) if name in rooms)


def imported_rooms(module: Path) -> set[str]:
    tree = ast.parse(module.read_text(encoding="utf-8"))
    found = set()
    for node in ast.walk(tree):
        names: list[str] = []
        if isinstance(node, ast.ImportFrom) and node.module and node.module.split(".")[0] == "interpreter":
            parts = node.module.split(".")
            names = [parts[1]] if len(parts) > 1 else [alias.name for alias in node.names]
        elif isinstance(node, ast.Import):
            names = [a.name.split(".")[1] for a in node.names if a.name.startswith("interpreter.")]
        found |= set(names)
    return found


@pytest.mark.parametrize("module", MODULES, ids=lambda m: str(m.relative_to(PACKAGE)))
def test_imports_go_left(module: Path) -> None:
    """A room imports only from rooms on its own floor or below."""
    here = floor(room(module))
    for other in imported_rooms(module) - {"__version__"}:
        assert floor(other) <= here, f"{module.name} imports {other}"


@pytest.mark.parametrize(
    "module", [m for m in MODULES if room(m) not in ("cli",)], ids=lambda m: str(m.relative_to(PACKAGE))
)
def test_only_the_command_prints(module: Path) -> None:
    tree = ast.parse(module.read_text(encoding="utf-8"))
    called = {node.func.id for node in ast.walk(tree) if isinstance(node, ast.Call) and isinstance(node.func, ast.Name)}
    assert "print" not in called


@pytest.mark.parametrize("module", MODULES, ids=lambda m: str(m.relative_to(PACKAGE)))
def test_no_noun_of_a_game(module: Path) -> None:
    """Names and code of the interpreter know no game. A docstring may show one as an example of use (`load`)."""
    if module.name == "__init__.py" and module.parent == PACKAGE:
        return
    text = module.read_text(encoding="utf-8").lower()
    found = [noun for noun in NOUNS if re.search(rf"(?<![a-zäöå]){noun}s?(?![a-zäöå])", text)]
    assert not found


@pytest.mark.parametrize("module", MODULES, ids=lambda m: str(m.relative_to(PACKAGE)))
def test_long_rooms_say_why(module: Path) -> None:
    """A file past 300 lines is a table, or says in its docstring what holds it together."""
    lines = module.read_text(encoding="utf-8").count("\n")
    if lines > 300:
        docstring = ast.get_docstring(ast.parse(module.read_text(encoding="utf-8"))) or ""
        assert "one room" in " ".join(docstring.lower().split()), f"{module.name} has {lines} lines"


def test_the_project_speaks_of_itself_only() -> None:
    """No working papers, machine paths or issue numbers in what is shipped."""
    wanted = re.compile(r"\bshared/|/work/|issue #?\d|\bsession \d", re.IGNORECASE)
    for pattern in ("*.md", "*.py", "*.yaml", "*.lark", "*.json", "*.toml", "*.perft"):
        for path in HOUSE.rglob(pattern):
            if any(part.startswith(".") or part in ("build", "dist") for part in path.relative_to(HOUSE).parts):
                continue
            if path == Path(__file__):
                continue
            assert not wanted.search(path.read_text(encoding="utf-8", errors="replace")), path
