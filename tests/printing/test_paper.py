"""The PDF of a printed book: made from the HTML alone, the same bytes again; what is missing is said."""

from __future__ import annotations

import os
from types import ModuleType

import pytest

pytest.importorskip("citeproc", reason="printing needs the extra `print`")

from interpreter.diagnostics import Fault
from interpreter.printing import book, paper
from interpreter.ruleset.library import Library


def codes(caught: pytest.ExceptionInfo[Fault]) -> list[str]:
    return [d.code for d in caught.value.diagnostics]


def weasyprint_or_skip() -> ModuleType:
    """The library; a test that needs it is skipped where it, or Pango, is not here."""
    try:
        import weasyprint
    except (ImportError, OSError) as problem:
        pytest.skip(f"a PDF needs the extra `print` and Pango: {problem}")
    return weasyprint


def test_pango_is_not_here(monkeypatch: pytest.MonkeyPatch) -> None:
    def missing(*_: str) -> None:
        raise OSError("cannot load library 'libpango-1.0-0'")

    monkeypatch.setattr(paper, "extra", missing)
    with pytest.raises(Fault) as caught:
        paper.pdf("<p>")
    assert codes(caught) == ["O931"] and "apt install libpango" in caught.value.diagnostics[0].help


def test_a_pdf_that_cannot_be_made(monkeypatch: pytest.MonkeyPatch) -> None:
    weasyprint = weasyprint_or_skip()
    def broken(*_: object, **__: object) -> None:
        raise ValueError("no fonts")

    monkeypatch.setattr(weasyprint, "HTML", broken)
    with pytest.raises(Fault) as caught:
        paper.pdf("<p>")
    assert codes(caught) == ["O932"] and "no fonts" in caught.value.diagnostics[0].message


@pytest.mark.parametrize(
    "id", ["control/tic-tac-toe", "control/breakthrough", "merels/three-alfonso", "draughts/thai", "tables/laquet"]
)
def test_a_pdf(id: str) -> None:
    weasyprint_or_skip()
    html = book.printed(id, library=Library()).html
    made = paper.pdf(html)
    assert made.startswith(b"%PDF-") and b"CreationDate" not in made
    if id.startswith("control/"):
        assert paper.pdf(html) == made, "the same bytes again"
    assert "SOURCE_DATE_EPOCH" not in os.environ
