"""The language server: turn sheets in any editor that speaks the Language Server Protocol (version 3.17).

It talks on standard input and output, which nothing else may write to while it runs.

A TextMate grammar for turn sheets, by which editors colour them: all words that the notation declares.

Format: TextMate's language grammars as JSON, with regular expressions of Oniguruma. The words of single games are
not in it, for an editor does not know which game a sheet names.
"""

from __future__ import annotations

import asyncio
import json
import re
from collections.abc import Iterable, Sequence
from functools import lru_cache
from typing import Any, Final

from lsprotocol import types as lsp
from pygls.lsp.server import LanguageServer
from pygls.workspace import TextDocument

from ..judging.replayed import program
from ..judging.situation import format_sheet
from ..notation.vocabulary import notation
from ..notation.words import FIRST, Vocabulary
from ..reading.decoding import MAX_BYTES
from ..rules.findings import Severity
from .language_view import Remark, Suggestion, View, What

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


_NAMED: Final = {
    "sides": "support.class.side.sheet",
    "phases": "support.constant.phase.sheet",
    "unit_types": "support.type.unit.sheet",
    "terrain": "support.type.terrain.sheet",
    "flags": "constant.language.flag.sheet",
    "markers": "constant.language.marker.sheet",
    "edges": "constant.language.edge.sheet",
    "roles": "constant.language.role.sheet",
    "words": "keyword.other.sheet",
}
"""Sections of the notation's words and the scopes of editors' themes."""
_BEFORE: Final = r"(?<![\p{L}\p{N}_.-])"
_BEHIND: Final = r"(?![\p{L}\p{N}_.-])"

_HEX: Final = r"(?:[A-Za-z]?[0-9]{4}|[A-Z]{1,2}[0-9]{1,3}|[0-9]{1,3}[A-Z]{1,2})"
"""As maps call them: `1305`, `B1305`, `A1`, `12C`."""


def grammar() -> dict[str, Any]:
    """The grammar as values that JSON has."""
    words = notation()
    first = _forms(words, FIRST)
    named = [
        {"name": scope, "match": f"(?i){_BEFORE}(?:{_any(forms)}){_BEHIND}"}
        for section, scope in _NAMED.items()
        if (forms := _forms(words, (section,)))
    ]
    return {
        "$schema": "https://raw.githubusercontent.com/martinring/tmlanguage/master/tmlanguage.json",
        "name": "Hexforge turn sheet",
        "scopeName": "text.hexforge.sheet",
        "fileTypes": ["sheet"],
        "patterns": [
            {"name": "comment.line.number-sign.sheet", "match": "#.*$"},
            {
                "name": "string.quoted.double.sheet",
                "match": '"[^"]*"|\u201c[^\u201d]*\u201d|\u00ab[^\u00bb]*\u00bb',
            },
            {
                "match": f"(?i)^([\\s>]*)({_any(first)}){_BEHIND}",
                "captures": {
                    "1": {"name": "punctuation.definition.quote.sheet"},
                    "2": {"name": "keyword.control.sheet"},
                },
            },
            {"name": "constant.numeric.hex.sheet", "match": f"{_BEFORE}{_HEX}(?![\\p{{L}}\\p{{N}}_])"},
            *named,
            {"name": "variable.other.unit.sheet", "match": f"{_BEFORE}[a-z][a-z0-9.]*(?:-[a-z0-9.]+)+"},
            {"name": "constant.numeric.sheet", "match": f"{_BEFORE}[0-9]+(?:[-:x][0-9]+)*{_BEHIND}"},
            {"name": "constant.other.result.sheet", "match": f"{_BEFORE}[A-Z]{{1,4}}{_BEHIND}"},
            {"name": "keyword.operator.sheet", "match": "[:/=]|-+>|\u2192"},
        ],
    }


def written() -> str:
    """The grammar as a file."""
    return json.dumps(grammar(), ensure_ascii=False, indent=2) + "\n"


def _forms(words: Vocabulary, sections: Iterable[str]) -> list[str]:
    """All forms of the words of some sections in all languages, the longest first: the first that fits is taken."""
    found = {
        form
        for table in words.forms.values()
        for section in sections
        for id_, forms in table.get(section, {}).items()
        for form in (id_, *forms)
    }
    return sorted(found, key=lambda form: (-len(form), form))


def _any(forms: Iterable[str]) -> str:
    return "|".join(map(re.escape, forms))
