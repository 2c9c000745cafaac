"""The language server: each question of an editor, handed to the feature that answers it.

Handlers are thin: they find the file and the place, ask, and put the answer into the
words of the protocol. What a handler cannot answer it answers with nothing, and says
so in the log; the server goes on.
"""

from __future__ import annotations

import logging
import os
from collections.abc import Callable
from functools import wraps
from pathlib import Path
from typing import Any
from urllib.parse import quote

from lsprotocol import types
from pygls import uris
from pygls.exceptions import JsonRpcException
from pygls.lsp.server import LanguageServer

from interpreter import __version__
from interpreter.editor import formatting
from interpreter.editor.completion import completion
from interpreter.editor.definition import definition, highlights, references
from interpreter.editor.hover import hover
from interpreter.editor.looking import Looking, Seen
from interpreter.editor.outline import find, outline
from interpreter.editor.rename import Refused, rename, renamed_at
from interpreter.editor.spoken import Spoken
from interpreter.editor.workspace import Workspace

NAME = "alfonso"
UNSAVED = Path(os.path.abspath(os.sep), "unsaved")
TRIGGERS = [" ", "(", "[", "{", ":", ",", "/"]
_log = logging.getLogger(__name__)


class CannotRename(JsonRpcException):  # type: ignore[misc]
    """The editor shows its message."""

    CODE = -32803


def server(stories: bool = True) -> Any:
    """A language server that has not begun. ``stories``: run them when the typing pauses."""
    for logger in ("pygls.protocol.json_rpc", "asyncio"):
        logging.getLogger(logger).addFilter(_is_a_problem)
    made = LanguageServer(NAME, __version__)
    _Editor(made, stories)
    return made


class _Editor:
    """What one editor has open."""

    def __init__(self, language_server: Any, stories: bool) -> None:
        self.server = language_server
        self.workspace = Workspace()
        self.looking = Looking(self.workspace, self._publish, stories)
        self._uris: dict[Path, str] = {}
        self._spoken: Spoken | None = None
        completes = types.CompletionOptions(trigger_characters=TRIGGERS)
        fixes = types.CodeActionOptions([types.CodeActionKind.QuickFix])
        renames = types.RenameOptions(prepare_provider=True)
        for method, handler, options in (
            (types.INITIALIZED, self.begun, None),
            (types.SHUTDOWN, self.ended, None),
            (types.TEXT_DOCUMENT_DID_OPEN, self.opened, None),
            (types.TEXT_DOCUMENT_DID_CHANGE, self.changed, None),
            (types.TEXT_DOCUMENT_DID_SAVE, self.saved, None),
            (types.TEXT_DOCUMENT_DID_CLOSE, self.closed, None),
            (types.WORKSPACE_DID_CHANGE_WATCHED_FILES, self.written, None),
            (types.WORKSPACE_DID_CHANGE_WORKSPACE_FOLDERS, self.begun, None),
            (types.TEXT_DOCUMENT_COMPLETION, self.completion, completes),
            (types.TEXT_DOCUMENT_HOVER, self.hover, None),
            (types.TEXT_DOCUMENT_DEFINITION, self.definition, None),
            (types.TEXT_DOCUMENT_REFERENCES, self.references, None),
            (types.TEXT_DOCUMENT_DOCUMENT_HIGHLIGHT, self.highlights, None),
            (types.TEXT_DOCUMENT_DOCUMENT_SYMBOL, self.outline, None),
            (types.WORKSPACE_SYMBOL, self.symbols, None),
            (types.TEXT_DOCUMENT_FORMATTING, self.formatting, None),
            (types.TEXT_DOCUMENT_CODE_ACTION, self.actions, fixes),
            (types.TEXT_DOCUMENT_PREPARE_RENAME, self.prepare_rename, None),
            (types.TEXT_DOCUMENT_RENAME, self.rename, renames),
        ):
            self.server.feature(method, options)(_safely(handler))

    # ---- files --------------------------------------------------------------------------------------

    @property
    def spoken(self) -> Spoken:
        if self._spoken is None:
            encoding = self.server.workspace.position_encoding
            self._spoken = Spoken(self.workspace, self.uri, str(getattr(encoding, "value", encoding)))
        return self._spoken

    def path(self, uri: str) -> Path:
        """The file of an address; what is in no file yet has a place of its own."""
        found = uris.to_fs_path(uri) if uri.startswith("file:") else None
        return Path(os.path.abspath(found)) if found else UNSAVED / f"{quote(uri, safe='')}.yaml"

    def uri(self, path: Path) -> str:
        """The address of a file, as the editor itself writes it if it has it open."""
        known = self._uris.get(path)
        return known if known is not None else str(uris.from_fs_path(str(path)))

    def begun(self, _: Any) -> None:
        folders = list(self.server.workspace.folders.values())
        roots = [self.path(folder.uri) for folder in folders]
        if not roots and self.server.workspace.root_uri:
            roots = [self.path(self.server.workspace.root_uri)]
        self.workspace.roots = roots

    def ended(self, _: Any) -> None:
        self.looking.close()

    def opened(self, params: Any) -> None:
        document = params.text_document
        path = self.path(document.uri)
        self._uris[path] = document.uri
        self._read(path, document.uri, document.version, document.language_id == NAME)

    def changed(self, params: Any) -> None:
        document = params.text_document
        self._read(self.path(document.uri), document.uri, document.version)

    def _read(self, path: Path, uri: str, version: int, ours: bool = False) -> None:
        self.workspace.open(path, self.server.workspace.get_text_document(uri).source, ours)
        if self.workspace.is_ours(path):
            self.looking.changed(path, version)
        elif path in self.looking.seen:
            self.looking.closed(path)
            self._told(path, [])

    def saved(self, _: Any) -> None:
        self.looking.again()

    def written(self, _: Any) -> None:
        self.looking.again()

    def closed(self, params: Any) -> None:
        path = self.path(params.text_document.uri)
        self.workspace.close(path)
        self.looking.closed(path)
        self._told(path, [])
        self._uris.pop(path, None)

    # ---- faults ---------------------------------------------------------------------------------------

    def _publish(self, path: Path, seen: Seen) -> None:
        elsewhere = any(fault["path"] != str(path) for fault in seen.every)
        index = self.workspace.index(path) if elsewhere else None
        self._told(path, self.spoken.diagnostics(path, seen, index), seen.version)

    def _told(self, path: Path, found: list[Any], version: int | None = None) -> None:
        params = types.PublishDiagnosticsParams(self.uri(path), found, version)
        self.server.text_document_publish_diagnostics(params)

    def actions(self, params: Any) -> list[Any] | None:
        path = self.path(params.text_document.uri)
        seen = self.looking.seen.get(path)
        if seen is None or seen.text != self.workspace.texts.get(str(path)):
            return None
        positions = self.spoken.positions(seen.text)
        start = positions.offset(params.range.start.line, params.range.start.character)
        end = positions.offset(params.range.end.line, params.range.end.character)
        return self.spoken.actions(path, seen, start, end)

    # ---- what stands at a place ---------------------------------------------------------------------

    def _place(self, params: Any) -> tuple[Path, int, str]:
        path = self.path(params.text_document.uri)
        text = self.workspace.text(path)
        return path, self.spoken.positions(text).offset(params.position.line, params.position.character), text

    def completion(self, params: Any) -> Any:
        path, offset, text = self._place(params)
        if not self.workspace.is_ours(path):
            return None
        able = self.server.client_capabilities.text_document
        able = getattr(getattr(able, "completion", None), "completion_item", None)
        snippets = bool(getattr(able, "snippet_support", False))
        items = completion(self.workspace, path, offset)
        return types.CompletionList(False, [self.spoken.item(text, item, n, snippets) for n, item in enumerate(items)])

    def hover(self, params: Any) -> Any:
        path, offset, text = self._place(params)
        if not self.workspace.is_ours(path):
            return None
        seen = self.looking.seen.get(path)
        faults = seen.every if seen is not None and seen.text == text else ()
        here = [f for f in faults if f["path"] == str(path) and f["start"] <= offset <= f["end"]]
        smallest = min(here, key=lambda fault: fault["end"] - fault["start"], default=None)
        said = hover(self.workspace, path, offset, smallest["code"] if smallest is not None else "")
        if said is None:
            return None
        content = types.MarkupContent(types.MarkupKind.Markdown, said.text)
        return types.Hover(content, self.spoken.range(text, said.start, said.end))

    def definition(self, params: Any) -> list[Any]:
        path, offset, _ = self._place(params)
        return [self.spoken.location(spot) for spot in definition(self.workspace, path, offset)]

    def references(self, params: Any) -> list[Any]:
        path, offset, _ = self._place(params)
        found = references(self.workspace, path, offset, params.context.include_declaration)
        return [self.spoken.location(spot) for spot in found]

    def highlights(self, params: Any) -> list[Any]:
        path, offset, text = self._place(params)
        return [
            types.DocumentHighlight(
                self.spoken.range(text, mark.start, mark.end),
                types.DocumentHighlightKind.Write if gives else types.DocumentHighlightKind.Read,
            )
            for mark, gives in highlights(self.workspace, path, offset)
        ]

    def outline(self, params: Any) -> list[Any]:
        path = self.path(params.text_document.uri)
        index = self.workspace.index(path) if self.workspace.is_ours(path) else None
        return [self.spoken.symbol(index.text, entry) for entry in outline(index)] if index is not None else []

    def symbols(self, params: Any) -> list[Any]:
        return [
            types.SymbolInformation(
                types.Location(self.uri(path), self.spoken.range(self.workspace.text(path), mark.start, mark.end)),
                mark.name,
                self.spoken.symbol_kind(mark.kinds[0]),
                container_name=path.stem,
            )
            for path, mark in find(self.workspace, params.query)
        ]

    # ---- changes ----------------------------------------------------------------------------------------

    def prepare_rename(self, params: Any) -> Any:
        path, offset, text = self._place(params)
        try:
            mark = renamed_at(self.workspace, path, offset)
        except Refused as why:
            raise CannotRename(str(why)) from None
        return types.PrepareRenamePlaceholder(self.spoken.range(text, mark.start, mark.end), mark.name)

    def rename(self, params: Any) -> Any:
        path, offset, _ = self._place(params)
        try:
            made = rename(self.workspace, path, offset, params.new_name)
        except Refused as why:
            raise CannotRename(str(why)) from None
        return types.WorkspaceEdit(
            {
                self.uri(file): self.spoken.edits(self.workspace.text(file), changes)
                for file, changes in made.changes.items()
            }
        )

    def formatting(self, params: Any) -> list[Any] | None:
        path = self.path(params.text_document.uri)
        text = self.workspace.text(path)
        new = formatting.formatted(text) if self.workspace.is_ours(path) else None
        if new is None or new == text:
            return None
        return [types.TextEdit(self.spoken.range(text, 0, len(text)), new)]


def _is_a_problem(record: logging.LogRecord) -> bool:
    """What is refused on purpose, and an end that was asked for over a port, are no matter for the log."""
    return not (record.exc_info and isinstance(record.exc_info[1], (CannotRename, SystemExit)))


def _safely(handler: Callable[[Any], Any]) -> Callable[[Any], Any]:
    """A handler that never throws but what is meant for the editor."""

    @wraps(handler)
    def safe(params: Any) -> Any:
        try:
            return handler(params)
        except JsonRpcException:
            raise
        except Exception:
            _log.exception("no answer to %s", handler.__name__)
            return None

    return safe
