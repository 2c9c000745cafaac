"""A printed rulebook as a PDF: the HTML of ``book`` through WeasyPrint.

The extra `print` brings WeasyPrint; it needs Pango beside it, which no Python package
brings. Faults: O907 without the package, O931 without Pango, O932 where WeasyPrint
cannot make the file.

Nothing in the file is of today: it has no dates, its identifier is a hash of the HTML,
and fonts say the time of SOURCE_DATE_EPOCH (0 where that is not set).
"""

from __future__ import annotations

import hashlib
import logging
import os
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from interpreter.diagnostics import fault
from interpreter.play.backends import extra
from interpreter.source import NOWHERE

SYSTEM = "apt install libpango-1.0-0 libpangoft2-1.0-0 (Debian), brew install pango (macOS)"


def pdf(html: str) -> bytes:
    """The file's bytes: the same for the same HTML, program and fonts."""
    weasyprint = _weasyprint()
    logging.getLogger("weasyprint").setLevel(logging.ERROR)
    with _no_clock():
        try:
            document = weasyprint.HTML(string=html, url_fetcher=_nothing)
            data = document.write_pdf(
                pdf_identifier=hashlib.sha256(html.encode()).digest()[:16], pdf_tags=True, full_fonts=False
            )
        except (ValueError, RuntimeError, OSError, RecursionError) as problem:
            raise fault("O932", f"the PDF cannot be made: {problem or type(problem).__name__}") from None
    assert isinstance(data, bytes)
    return data


def _weasyprint() -> Any:
    try:
        return extra("weasyprint", "print", "a PDF")
    except OSError as problem:
        first = str(problem).strip().split("\n")[0]
        raise fault(
            "O931", "a PDF needs the library Pango, which is not here", NOWHERE, first, help=f"install it: {SYSTEM}"
        ) from None


def _nothing(url: str, *_: Any, **__: Any) -> Any:
    """A book needs no other file: nothing is fetched."""
    raise ValueError(f"{url} is not fetched")


@contextmanager
def _no_clock() -> Iterator[None]:
    before = os.environ.get("SOURCE_DATE_EPOCH")
    os.environ.setdefault("SOURCE_DATE_EPOCH", "0")
    try:
        yield
    finally:
        if before is None:
            del os.environ["SOURCE_DATE_EPOCH"]
