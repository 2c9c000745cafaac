"""What editors are given: every word has a colour, every snippet starts the server, the example is true."""

from __future__ import annotations

import contextlib
import io
import json
import re
import sys
from pathlib import Path

import pytest

from interpreter.game.words import BY_NAME, KEYWORDS
from tests.cli.running import alfonso

HOUSE = Path(__file__).parents[2]
EDITORS = HOUSE / "editors"


def test_every_word_of_the_language_has_a_colour() -> None:
    grammar = json.loads((EDITORS / "vscode" / "syntaxes" / "terms.tmLanguage.json").read_text(encoding="utf-8"))
    coloured = {p["name"]: p["match"] for p in grammar["repository"]["term"]["patterns"]}
    for word in (*BY_NAME, *KEYWORDS):
        found = [name for name, pattern in coloured.items() if re.match(pattern, word)]
        assert found[0] in ("support.function.alfonso", "keyword.control.alfonso"), word


def test_the_extension_starts_the_server_for_rulesets_alone() -> None:
    package = json.loads((EDITORS / "vscode" / "package.json").read_text(encoding="utf-8"))
    assert package["contributes"]["configuration"]["properties"]["alfonso.command"]["default"] == ["alfonso", "lsp"]
    (language,) = package["contributes"]["languages"]
    first = re.compile(language["firstLine"])
    for path in (HOUSE / "rulesets").rglob("*.yaml"):
        assert first.match(path.read_text(encoding="utf-8").split("\n")[0]), path
    for line in ("services:", "name: CI", "# a comment", "on: [push]"):
        assert not first.match(line)
    for name in ("neovim/alfonso.lua", "helix/languages.toml"):
        assert re.search(r'"lsp"', (EDITORS / name).read_text(encoding="utf-8"))


def test_without_its_packages_the_command_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("pygls", "pygls.lsp.server", "lsprotocol"):
        monkeypatch.setitem(sys.modules, name, None)
    monkeypatch.delitem(sys.modules, "interpreter.editor.server", raising=False)
    monkeypatch.delitem(sys.modules, "interpreter.editor.spoken", raising=False)
    done = alfonso("lsp")
    assert done.exit_code == 1
    assert "O916" in done.output and "pip install 'alfonso[editor]'" in done.output


def test_the_example_of_the_page() -> None:
    page = (HOUSE / "docs" / "editors.md").read_text(encoding="utf-8")
    code, printed = re.findall(r"```(?:python|text)\n(.*?)```", page, re.DOTALL)
    out = io.StringIO()
    with contextlib.redirect_stdout(out):
        exec(code, {})
    assert out.getvalue() == printed
