"""Pages are exported once for all tests that look at them."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

Pages = Callable[..., Path]


@pytest.fixture(scope="session")
def pages(tmp_path_factory: pytest.TempPathFactory) -> Pages:
    """Gives the file of a game's page; by default with the usual choices of options only."""
    from interpreter import load
    from interpreter.web.export import exported
    from tests.browser.pages import needs

    folder = tmp_path_factory.mktemp("pages")
    made: dict[tuple[str, str, str], Path] = {}

    def page(id: str, carried: str = "chosen", language: str = "") -> Path:
        if needs():
            pytest.skip(needs())
        key = (id, carried, language)
        if key not in made:
            made[key] = folder / f"{len(made)}.html"
            made[key].write_text(exported(load(id), id, carried, language), encoding="utf-8")
        return made[key]

    return page
