"""What is known, in the words of the Language Server Protocol (``lsprotocol``)."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

from lsprotocol import types

from interpreter.editor import roles
from interpreter.editor.completion import ALLOWED, FIELD, Item
from interpreter.editor.completion import PLACE as PLACE_NAME
from interpreter.editor.definition import Spot
from interpreter.editor.expected import KEYWORD
from interpreter.editor.fixes import Change, Fix, fixes
from interpreter.editor.looking import Seen
from interpreter.editor.marks import SECTION, STORY, Index
from interpreter.editor.outline import Entry
from interpreter.editor.positions import Positions
from interpreter.editor.workspace import Workspace

SOURCE = "alfonso"
_SYMBOLS = {
    SECTION: types.SymbolKind.Namespace,
    STORY: types.SymbolKind.Event,
    roles.CLAUSE: types.SymbolKind.Method,
    roles.DEFINE: types.SymbolKind.Function,
    roles.MEMORY: types.SymbolKind.Variable,
    roles.OPTION: types.SymbolKind.Enum,
    roles.VALUE: types.SymbolKind.EnumMember,
    roles.READING: types.SymbolKind.Package,
    roles.SOURCE: types.SymbolKind.File,
    roles.SIDE: types.SymbolKind.Object,
    roles.KIND: types.SymbolKind.Class,
    roles.REGION: types.SymbolKind.Array,
    roles.PHASE: types.SymbolKind.Key,
}
_ITEMS = {
    FIELD: types.CompletionItemKind.Field,
    SECTION: types.CompletionItemKind.Module,
    ALLOWED: types.CompletionItemKind.EnumMember,
    KEYWORD: types.CompletionItemKind.Keyword,
    PLACE_NAME: types.CompletionItemKind.Constant,
    roles.WORD: types.CompletionItemKind.Function,
    roles.CLAUSE: types.CompletionItemKind.Method,
    roles.VERBS: types.CompletionItemKind.Method,
    roles.DEFINE: types.CompletionItemKind.Function,
    roles.MEMORY: types.CompletionItemKind.Variable,
    roles.OPTION: types.CompletionItemKind.Enum,
    roles.VALUE: types.CompletionItemKind.EnumMember,
    roles.SOURCE: types.CompletionItemKind.Reference,
    roles.RULESET: types.CompletionItemKind.File,
    roles.BOARD: types.CompletionItemKind.File,
}


class Spoken:
    """Turns places and answers into those of the protocol, in the units that were agreed."""

    def __init__(self, workspace: Workspace, uri: Callable[[Path], str], encoding: str) -> None:
        self.workspace, self.uri, self.encoding = workspace, uri, encoding
        self._known: dict[str, Positions] = {}

    def positions(self, text: str) -> Positions:
        known = self._known.get(text)
        if known is None:
            if len(self._known) > 8:
                self._known.clear()
            known = self._known[text] = Positions(text, self.encoding)
        return known

    def range(self, text: str, start: int, end: int) -> Any:
        positions = self.positions(text)
        begin, stop = positions.of(start), positions.of(max(start, end))
        return types.Range(types.Position(*begin), types.Position(*stop))

    def location(self, spot: Spot) -> Any:
        return types.Location(self.uri(spot.path), self.range(self.workspace.text(spot.path), spot.start, spot.end))

    # ---- faults -------------------------------------------------------------------------------------

    def diagnostics(self, path: Path, seen: Seen, index: Index | None) -> list[Any]:
        found = [self._diagnostic(path, seen.text, fault, index) for fault in seen.every]
        if seen.problem:
            found.append(
                types.Diagnostic(
                    self.range(seen.text, 0, 0), seen.problem, types.DiagnosticSeverity.Warning, source=SOURCE
                )
            )
        return found

    def _diagnostic(self, path: Path, text: str, fault: dict[str, Any], index: Index | None) -> Any:
        severity = types.DiagnosticSeverity.Error if fault["severity"] == "error" else types.DiagnosticSeverity.Warning
        lines = [fault["message"], *(f"note: {note}" for note in fault["notes"])]
        if fault["help"]:
            lines.append(f"help: {fault['help']}")
        related = [self._related(label, text, path) for label in fault["labels"] if label["path"] is not None]
        start, end = fault["start"], fault["end"]
        if fault["path"] != str(path):
            related.insert(0, self._related({**fault, "text": fault["message"]}, text, path)) if fault["path"] else None
            where = self.workspace.library.shown(Path(fault["path"])) if fault["path"] else ""
            lines[0] = f"in {where}: {lines[0]}" if where else lines[0]
            start, end = _heading(index)
        return types.Diagnostic(
            self.range(text, start, end),
            "\n".join(lines),
            severity,
            code=fault["code"],
            source=SOURCE,
            related_information=related or None,
        )

    def _related(self, label: dict[str, Any], text: str, path: Path) -> Any:
        other = Path(label["path"])
        there = text if other == path else self.workspace.text(other)
        where = types.Location(self.uri(other), self.range(there, label["start"], label["end"]))
        return types.DiagnosticRelatedInformation(where, label["text"])

    def actions(self, path: Path, seen: Seen, start: int, end: int) -> list[Any]:
        """What can be done about the faults between two places."""
        found = []
        for fault in seen.every:
            if fault["path"] != str(path) or fault["end"] < start or fault["start"] > end:
                continue
            others = tuple((label["start"], label["end"]) for label in fault["labels"] if label["path"] == str(path))
            diagnostic = self._diagnostic(path, seen.text, fault, None)
            for fix in fixes(fault["code"], fault["help"], seen.text, fault["start"], fault["end"], others):
                found.append(self._action(path, seen.text, fix, diagnostic))
        return found

    def _action(self, path: Path, text: str, fix: Fix, diagnostic: Any) -> Any:
        return types.CodeAction(
            fix.title,
            types.CodeActionKind.QuickFix,
            [diagnostic],
            is_preferred=fix.sure or None,
            edit=types.WorkspaceEdit({self.uri(path): self.edits(text, fix.changes)}),
        )

    def edits(self, text: str, changes: Iterable[Change]) -> list[Any]:
        return [types.TextEdit(self.range(text, c.start, c.end), c.text) for c in changes]

    # ---- answers ----------------------------------------------------------------------------------------

    def item(self, text: str, item: Item, number: int, snippets: bool) -> Any:
        """A completion. ``snippets``: the editor can put the cursor between brackets."""
        new = item.text
        if item.brackets:
            new = f"{item.text}($1)" if snippets else f"{item.text}("
        form = types.InsertTextFormat.Snippet if item.brackets and snippets else types.InsertTextFormat.PlainText
        said = types.MarkupContent(types.MarkupKind.Markdown, item.says) if item.says else None
        return types.CompletionItem(
            item.label,
            kind=_ITEMS.get(item.kind, types.CompletionItemKind.Value),
            detail=item.detail or item.kind,
            documentation=said,
            sort_text=f"{0 if item.near else 1}{number:04}",
            filter_text=item.text.rstrip(": "),
            insert_text_format=form,
            text_edit=types.TextEdit(self.range(text, item.start, item.end), new),
        )

    def symbol(self, text: str, entry: Entry) -> Any:
        return types.DocumentSymbol(
            entry.name,
            _SYMBOLS.get(entry.kind, types.SymbolKind.String),
            self.range(text, entry.start, entry.reach),
            self.range(text, entry.start, entry.end),
            detail=entry.detail,
            children=[self.symbol(text, under) for under in entry.under],
        )

    def symbol_kind(self, kind: str) -> Any:
        return _SYMBOLS.get(kind, types.SymbolKind.String)


def _heading(index: Index | None) -> tuple[int, int]:
    """Where faults of other files are shown: what the file extends, else its id, else its first line."""
    for mark in index.marks if index is not None else ():
        if mark.where == ("extends",) and mark.kinds == (roles.RULESET,):
            return mark.start, mark.end
    first = next((mark for mark in index.marks if mark.gives), None) if index is not None else None
    return (first.start, first.end) if first is not None else (0, 0)
