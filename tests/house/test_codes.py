"""Every diagnostic code has a page, and a fixture or a test that shows it; no page is left over."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from interpreter import codes

HOUSE = Path(__file__).parents[2]
CODE = re.compile(r'"([A-Z]\d{3})"')


def in_source() -> set[str]:
    """Every code that a fault of the interpreter can have."""
    found: set[str] = set()
    for path in (HOUSE / "interpreter").rglob("*.py"):
        found |= set(CODE.findall(path.read_text(encoding="utf-8")))
    return found


def shown() -> set[str]:
    """Codes that a bad fixture announces on a line, or that a test names."""
    found: set[str] = set()
    for path in (HOUSE / "tests").rglob("*"):
        if path.suffix == ".yaml" and path.parent.name == "bad":
            found |= set(re.findall(r"# (?:\^ )?(?:error|warning): ([A-Z]\d{3})", path.read_text(encoding="utf-8")))
        elif path.suffix == ".py" and path != Path(__file__):
            found |= set(CODE.findall(path.read_text(encoding="utf-8")))
            found |= set(re.findall(r"\b([NOP]\d{3})\b", path.read_text(encoding="utf-8")))
    return found


CODES = sorted(in_source())


@pytest.mark.parametrize("code", CODES)
def test_a_code_has_a_page(code: str) -> None:
    page = codes.page(code)
    assert page, f"write interpreter/codes/{code}.md"
    assert page.startswith(f"# {code}: {codes.title(code)}\n\n")
    assert codes.title(code)[0].islower() or codes.title(code)[0] in "`"
    assert not codes.title(code).endswith(".")
    assert len(codes.summary(code)) > 60, "say what is wrong and why it matters"
    assert "```" in page, "show an example"


def test_no_page_is_left_over() -> None:
    assert set(codes.codes()) == set(CODES)


@pytest.mark.parametrize("code", CODES)
def test_a_code_is_shown_by_a_fixture_or_a_test(code: str) -> None:
    assert code in shown(), f"write a bad fixture for {code}"


def test_a_code_is_written_of_where_it_arises() -> None:
    """Beside the code itself, some docstring says what the code is."""
    everything = "\n".join(path.read_text(encoding="utf-8") for path in (HOUSE / "interpreter").rglob("*.py"))
    assert [code for code in CODES if not re.search(rf'(?<![A-Z0-9"]){code}(?![0-9"])', everything)] == []
