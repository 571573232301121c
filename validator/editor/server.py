"""The language server: turn sheets in any editor that speaks the Language Server Protocol (version 3.17).

It talks on standard input and output, which nothing else may write to while it runs.
"""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from functools import lru_cache
from typing import Final

from lsprotocol import types as lsp
from pygls.lsp.server import LanguageServer
from pygls.workspace import TextDocument

from hexforge.validator.check import program
from hexforge.validator.editor.view import Remark, Suggestion, View, What
from hexforge.validator.format import format_sheet
from hexforge.validator.readers.raw import MAX_BYTES
from hexforge.validator.referee.kinds import Severity

PAUSE: Final = 0.3
"""Seconds without a keystroke after which a sheet is judged."""
_LEVELS: Final[dict[Severity, lsp.DiagnosticSeverity]] = {
    "illegal": lsp.DiagnosticSeverity.Error,
    "unread": lsp.DiagnosticSeverity.Error,
    "doubtful": lsp.DiagnosticSeverity.Warning,
    "warning": lsp.DiagnosticSeverity.Warning,
    "waived": lsp.DiagnosticSeverity.Information,
    "info": lsp.DiagnosticSeverity.Information,
}
_KINDS: Final[dict[What, lsp.CompletionItemKind]] = {
    "word": lsp.CompletionItemKind.Keyword,
    "unit": lsp.CompletionItemKind.Variable,
    "hex": lsp.CompletionItemKind.Value,
}


@lru_cache(8)
def _view(text: str, source: str) -> View:
    return View(text, source)


def view_of(document: TextDocument) -> View:
    """The sheet in a document; an empty one in place of one that is larger than a sheet may be."""
    text = document.source or ""
    return _view(text if len(text) <= MAX_BYTES else "", document.path or "")


class SheetServer(LanguageServer):
    """A server that judges each sheet once nobody has typed in it for `pause` seconds."""

    def __init__(self, pause: float = PAUSE) -> None:
        name, _, version = program().partition(" ")
        super().__init__(name, version)
        self.pause = pause
        self._waiting: dict[str, asyncio.Task[None]] = {}

    def range(self, view: View, line: int, start: int, end: int) -> lsp.Range:
        """A stretch of a line as the editor counts it."""
        text, count = self._line(view, line), self.workspace.position_codec.client_num_units
        return lsp.Range(lsp.Position(line, count(text[:start])), lsp.Position(line, count(text[:end])))

    def place(self, view: View, at: lsp.Position) -> tuple[int, int]:
        """A place as Python counts it."""
        count, column, units = self.workspace.position_codec.client_num_units, 0, 0
        for character in self._line(view, at.line):
            units += count(character)
            if units > at.character:
                break
            column += 1
        return at.line, column

    def _line(self, view: View, line: int) -> str:
        return view.lines[line] if line < len(view.lines) else ""

    def judge_soon(self, uri: str, pause: float) -> None:
        """Judge a document after a pause, unless it changes before."""
        if waiting := self._waiting.pop(uri, None):
            waiting.cancel()
        self._waiting[uri] = asyncio.get_running_loop().create_task(self._judge(uri, pause))

    def forget(self, uri: str) -> None:
        """A document that was closed has no findings."""
        if waiting := self._waiting.pop(uri, None):
            waiting.cancel()
        self.text_document_publish_diagnostics(lsp.PublishDiagnosticsParams(uri, []))

    async def _judge(self, uri: str, pause: float) -> None:
        await asyncio.sleep(pause)
        document = self.workspace.get_text_document(uri)
        view, version = view_of(document), document.version
        # A long game takes a second, in which its player types on.
        found = await asyncio.to_thread(view.remarks)
        shown = [self._diagnostic(view, remark) for remark in found]
        self.text_document_publish_diagnostics(lsp.PublishDiagnosticsParams(uri, shown, version))

    def _diagnostic(self, view: View, remark: Remark) -> lsp.Diagnostic:
        text = f"{remark.rule}: {remark.text}" if remark.rule else remark.text
        where = self.range(view, remark.line, remark.start, remark.end)
        return lsp.Diagnostic(where, text, _LEVELS[remark.severity], remark.code or None, source=self.name)

    def item(self, view: View, line: int, column: int, found: Suggestion) -> lsp.CompletionItem:
        """A suggestion as the editor lists it."""
        edit = lsp.TextEdit(self.range(view, line, found.start, column), found.text)
        return lsp.CompletionItem(
            found.text, kind=_KINDS[found.what], detail=found.detail or None, sort_text=f"{found.rank}{found.text}",
            text_edit=edit,
        )  # fmt: skip


def server(pause: float = PAUSE) -> SheetServer:
    """A server with all that it answers; `start_io` runs it."""
    made = SheetServer(pause)

    @made.feature(lsp.TEXT_DOCUMENT_DID_OPEN)
    async def opened(ls: SheetServer, asked: lsp.DidOpenTextDocumentParams) -> None:
        ls.judge_soon(asked.text_document.uri, 0)

    @made.feature(lsp.TEXT_DOCUMENT_DID_CHANGE)
    async def changed(ls: SheetServer, asked: lsp.DidChangeTextDocumentParams) -> None:
        ls.judge_soon(asked.text_document.uri, ls.pause)

    @made.feature(lsp.TEXT_DOCUMENT_DID_CLOSE)
    async def closed(ls: SheetServer, asked: lsp.DidCloseTextDocumentParams) -> None:
        ls.forget(asked.text_document.uri)

    made.feature(lsp.TEXT_DOCUMENT_COMPLETION, lsp.CompletionOptions([" ", ":", "/"]))(_complete)
    made.feature(lsp.TEXT_DOCUMENT_HOVER)(_hover)
    made.feature(lsp.TEXT_DOCUMENT_FORMATTING)(_format)
    return made


def _complete(ls: SheetServer, asked: lsp.CompletionParams) -> lsp.CompletionList:
    view = view_of(ls.workspace.get_text_document(asked.text_document.uri))
    line, column = ls.place(view, asked.position)
    found, whole = view.suggestions(line, column)
    return lsp.CompletionList(not whole, [ls.item(view, line, column, one) for one in found])


def _hover(ls: SheetServer, asked: lsp.HoverParams) -> lsp.Hover | None:
    view = view_of(ls.workspace.get_text_document(asked.text_document.uri))
    told = view.hover(*ls.place(view, asked.position))
    return lsp.Hover(lsp.MarkupContent(lsp.MarkupKind.PlainText, told)) if told else None


def _format(ls: SheetServer, asked: lsp.DocumentFormattingParams) -> Sequence[lsp.TextEdit]:
    document = ls.workspace.get_text_document(asked.text_document.uri)
    view = view_of(document)
    written = format_sheet(view.text, view.source).text
    if not view.text or written == view.text:
        return []
    end = lsp.Position(len(view.lines) + 1, 0)
    return [lsp.TextEdit(lsp.Range(lsp.Position(0, 0), end), written)]
