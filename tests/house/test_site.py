"""The documents as a site: built without a warning, links lead somewhere, what is made of tables is up to date."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest

from tests.house import reference
from tests.house.pages import HOUSE

DOCS = HOUSE / "docs"
LINK = re.compile(r"\]\(([^)#:]+\.md)(?:#[^)]*)?\)")


@pytest.mark.parametrize("page", reference.PAGES, ids=lambda page: page.name)
def test_a_page_made_of_tables_is_up_to_date(page: Path) -> None:
    """If not: `python -m tests.house.reference`, and read the difference."""
    assert page.read_text(encoding="utf-8") == reference.PAGES[page]()


@pytest.mark.parametrize("page", sorted(DOCS.rglob("*.md")), ids=lambda page: page.name)
def test_links_lead_to_pages(page: Path) -> None:
    """Here as on a forge: relative to the page."""
    for target in LINK.findall(page.read_text(encoding="utf-8")):
        assert (page.parent / target).is_file(), target


def test_the_site_is_built_without_a_warning(tmp_path: Path) -> None:
    pytest.importorskip("sphinx")
    pytest.importorskip("myst_parser")
    pytest.importorskip("furo")
    done = subprocess.run(
        [sys.executable, "-m", "sphinx", "-W", "--keep-going", "-q", "-b", "html", str(DOCS), str(tmp_path)],
        capture_output=True, text=True, timeout=300, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    front = (tmp_path / "index.html").read_text(encoding="utf-8")
    for page in DOCS.rglob("*.md"):
        name = page.relative_to(DOCS).with_suffix(".html").as_posix()
        assert (tmp_path / name).is_file()
        assert name == "index.html" or f'href="{name}"' in front, f"{name} is not in the table of contents"
