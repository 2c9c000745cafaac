"""What is answered where there is nothing to show: a page for people, JSON for programs.

A browser that goes to an address says that it wants a page; whatever asks otherwise
(a program, the pages' own scripts) is given the refusal as data.
"""

from __future__ import annotations

from collections.abc import Mapping
from html import escape
from typing import Any

from starlette.requests import Request
from starlette.responses import HTMLResponse, JSONResponse, Response


def refusal(
    request: Request, said: Mapping[str, Any], status: int, headers: Mapping[str, str] | None = None
) -> Response:
    """A refusal; ``said`` has its ``reason``. Nothing may run on such a page, and it has no style of its own."""
    if "text/html" not in request.headers.get("accept", ""):
        return JSONResponse(dict(said), status, headers)
    reason = escape(str(said["reason"]))
    text = (
        '<!doctype html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        '<meta name="color-scheme" content="light dark">\n'
        f"<title>{reason}</title>\n</head>\n<body>\n<main>\n<h1>This cannot be shown</h1>\n<p>{reason}</p>\n"
        '<p><a href="/">All games</a></p>\n</main>\n</body>\n</html>\n'
    )
    return HTMLResponse(text, status, headers)
