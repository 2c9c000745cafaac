"""`alfonso serve` where what it needs is not installed, or cannot be had."""

from __future__ import annotations

import sys

import pytest

from tests.cli.running import alfonso


@pytest.mark.parametrize("package", ["uvicorn", "starlette"])
def test_without_the_extra(monkeypatch: pytest.MonkeyPatch, package: str) -> None:
    for name in [name for name in sys.modules if name.split(".")[0] == package or name == "interpreter.web.server"]:
        monkeypatch.delitem(sys.modules, name)
    monkeypatch.setitem(sys.modules, package, None)
    done = alfonso("serve")
    assert done.exit_code == 1
    assert "O916" in done.output
    assert "pip install 'alfonso[web]'" in done.output


@pytest.mark.parametrize("words", [("--port", "70000"), ("--rate", "-1"), ("--port", "x"), ("more",)])
def test_words_it_does_not_know(words: tuple[str, ...]) -> None:
    assert alfonso("serve", *words).exit_code == 2
