"""The page's own HTML: one frame for a file that stands alone and for one that is served.

Everything that comes from a ruleset is escaped here, or is data that the page shows as
text. Scripts are allowed by their hashes, so nothing that was smuggled in can run.
"""

from __future__ import annotations

import base64
import hashlib
import html
import json
from pathlib import Path
from typing import Any

BUILT = Path(__file__).parent / "built"
NO_SCRIPT = "This page plays a game by a program in it: it needs JavaScript and WebAssembly."


def built(name: str) -> str:
    """A file that was bundled for the page."""
    return (BUILT / name).read_text(encoding="utf-8")


def as_data(value: Any) -> str:
    """JSON that can stand inside a script element: no `<` is left in it."""
    text = json.dumps(value, ensure_ascii=False, separators=(",", ":"))
    return text.replace("<", "\\u003c").replace("\u2028", "\\u2028").replace("\u2029", "\\u2029")


def digest(script: str) -> str:
    """A script as a content security policy names it."""
    return f"'sha256-{base64.b64encode(hashlib.sha256(script.encode()).digest()).decode()}'"


def policy(scripts: list[str], connect: str = "'none'") -> str:
    """What a page may do: run these scripts and modules of WebAssembly, and talk only to ``connect``.

    Styles may stand in the page itself: the pictures' own attributes are styles too.
    """
    allowed = " ".join([*map(digest, scripts), "'wasm-unsafe-eval'", "blob:"])
    return (
        f"default-src 'none'; script-src {allowed}; worker-src blob:; style-src 'unsafe-inline'; "
        f"img-src data: blob:; connect-src {connect}; base-uri 'none'; form-action 'none'"
    )


def page(title: str, data: dict[str, Any], connect: str = "'none'") -> tuple[str, str]:
    """The page and its policy.

    Args:
        title: as it stands in the head; any text.
        data: ``book`` (see ``book``), or where it is to be fetched, and how the page is used.
        connect: with whom the page may talk.
    """
    script, worker = built("page.js"), built("worker.js")
    rule = policy([script], connect)
    head = html.escape(title)
    parts = [
        "<!doctype html>",
        '<html lang="en">',
        "<head>",
        '<meta charset="utf-8">',
        f'<meta http-equiv="Content-Security-Policy" content="{html.escape(rule)}">',
        '<meta name="viewport" content="width=device-width, initial-scale=1">',
        '<meta name="referrer" content="no-referrer">',
        '<link rel="icon" href="data:,">',
        f"<title>{head}</title>",
        f"<style>{built('page.css')}</style>",
        "</head>",
        "<body>",
        f"<noscript><p>{NO_SCRIPT}</p></noscript>",
        '<div id="page"></div>',
        f'<script type="application/json" id="data">{as_data({**data, "worker": worker})}</script>',
        f'<script type="module">{script}</script>',
        "</body>",
        "</html>",
    ]
    return "\n".join(parts) + "\n", rule
