"""The language server, spoken to over pipes as an editor does."""

from __future__ import annotations

import asyncio
import json
import sys
from pathlib import Path
from typing import Any

from click.testing import CliRunner
from lsprotocol import types as lsp
from pygls.lsp.client import LanguageClient

from hexforge.validator.app.cli import main
from hexforge.validator.app.language_server import grammar, written
from hexforge.validator.notation.vocabulary import notation

ROOT = Path(__file__).resolve().parents[2]
SHEET = 'planilha 1\njogo hurtgen\njogadores american="𝄞" german="B"\nTURNO 2 americano movimento\nmvo x\n'
URI = "file:///tmp/turno.sheet"


async def _session() -> dict[str, Any]:
    client = LanguageClient("test", "1")
    told: asyncio.Queue[lsp.PublishDiagnosticsParams] = asyncio.Queue()

    @client.feature(lsp.TEXT_DOCUMENT_PUBLISH_DIAGNOSTICS)
    def shown(found: lsp.PublishDiagnosticsParams) -> None:
        told.put_nowait(found)

    await client.start_io(sys.executable, "-m", "hexforge.validator", "lsp")
    got: dict[str, Any] = {}
    document = lsp.TextDocumentIdentifier(URI)
    started = await client.initialize_async(lsp.InitializeParams(lsp.ClientCapabilities()))
    got["can"] = started.capabilities
    client.initialized(lsp.InitializedParams())
    client.text_document_did_open(
        lsp.DidOpenTextDocumentParams(lsp.TextDocumentItem(URI, "hexforge-sheet", 1, SHEET))
    )
    got["first"] = await told.get()
    options = lsp.FormattingOptions(tab_size=2, insert_spaces=True)
    got["edits"] = await client.text_document_formatting_async(lsp.DocumentFormattingParams(document, options))
    for version, word in enumerate(("m", "mo", "mover us-112-1: 0806 0907"), 2):
        where = lsp.Range(lsp.Position(4, 0), lsp.Position(5, 0))
        change = lsp.TextDocumentContentChangePartial(text=word, range=where)
        client.text_document_did_change(
            lsp.DidChangeTextDocumentParams(lsp.VersionedTextDocumentIdentifier(version, URI), [change])
        )
    got["last"] = await told.get()
    got["hover"] = await client.text_document_hover_async(lsp.HoverParams(document, lsp.Position(4, 2)))
    got["offered"] = await client.text_document_completion_async(lsp.CompletionParams(document, lsp.Position(4, 3)))
    await client.shutdown_async(None)
    client.exit(None)
    await client.stop()
    got["left"] = told.qsize()
    return got


def test_an_editor_is_served() -> None:
    got = asyncio.run(asyncio.wait_for(_session(), 60))
    assert got["can"].hover_provider and got["can"].completion_provider and got["can"].document_formatting_provider
    (found,) = [one for one in got["first"].diagnostics if one.code == "syntax"]
    assert found.range == lsp.Range(lsp.Position(4, 0), lsp.Position(4, 3)) and "encontrado" in found.message
    assert "turno 2 americano movimento" in got["edits"][0].new_text
    assert (got["last"].version, got["left"]) == (4, 0), "judged once, when nobody typed any more"
    assert not [one for one in got["last"].diagnostics if one.code == "syntax"]
    assert "(custo 1, resta 4)" in got["hover"].contents.value
    assert [item.label for item in got["offered"].items] == ["mover"]


def test_the_grammar_that_lies_there_is_the_one_that_is_written() -> None:
    lies = (ROOT / "docs" / "editor" / "syntaxes" / "sheet.tmLanguage.json").read_text("utf-8")
    assert lies == written(), "make grammar"
    assert CliRunner().invoke(main, ["lsp", "--grammar"]).output == written()


def test_the_grammar_knows_every_word_that_begins_a_line() -> None:
    (beginning,) = [p["match"] for p in grammar()["patterns"] if p["match"].startswith("(?i)^")]
    for forms in notation().beginnings.values():
        assert all(form.replace("-", r"\-") in beginning for form in forms.values())


def test_the_extension_names_files_that_are_there() -> None:
    home = ROOT / "docs" / "editor"
    told = json.loads((home / "package.json").read_text("utf-8"))
    files = [told["main"], *(g["path"] for g in told["contributes"]["grammars"])]
    files += [one["configuration"] for one in told["contributes"]["languages"]]
    assert all((home / file).is_file() for file in files)
    assert told["contributes"]["grammars"][0]["scopeName"] == grammar()["scopeName"]
