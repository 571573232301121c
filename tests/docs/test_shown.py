"""What the pages show works: sheets read and are judged as they say, commands do what they say."""

from __future__ import annotations

import json
import os
import re
import shlex
import shutil
import subprocess
import sys
from collections.abc import Iterator
from email.message import EmailMessage
from hashlib import sha256
from pathlib import Path
from unittest.mock import Mock

import click
import pytest
from click.testing import CliRunner

from hexforge.modulegen.cli import main as modulegen
from hexforge.validator.app.cli import main as validator
from hexforge.validator.judging.check import judge
from hexforge.validator.reading.sheet import read_sheet
from tests.docs.pages import PAIRS, ROOT, Block, blocks, read

PROGRAMS = {"validator": validator, "modulegen": modulegen}
PLAYED = ROOT / "tests" / "data" / "played-hurtgen"
PAGES = [page for pair in PAIRS for page in pair]
SHOWN = [pytest.param(b, id=f"{page}:{b.line}") for page in PAGES for b in blocks(page) if b.is_sheet]
WHOLE = [p for p in SHOWN if isinstance(p.values[0], Block) and p.values[0].is_whole]
COMMANDS = list(dict.fromkeys((page, line) for page in PAGES for b in blocks(page) for line in b.commands))
INLINE = sorted(
    {
        (page, command)
        for page in PAGES
        for command in re.findall(r"`((?:validator|modulegen) [^`]+)`", (ROOT / page).read_text("utf-8"))
    }
)
PAIRS_SHOWN = tuple(zip(*PAIRS[1:3], strict=True))
MISTAKES = {"docs/sheets.md": "en", "docs/pt/planilhas.md": "pt"}


OPENED = next(
    line for line in (ROOT / "docs/sealed.md").read_text("utf-8").splitlines() if line.startswith("open bruno")
)
"""The line by which the page's throw is opened, by the secret that the tests have."""


def _spoilt(block: Block) -> bool:
    """The sheets that are shown for their mistakes."""
    return "mvo" in block.text


@pytest.mark.parametrize("block", SHOWN)
def test_every_sheet_shown_reads(block: Block) -> None:
    problems = [p for p in read(block.text).problems if not p.found.startswith("mvo")]
    assert problems == []


@pytest.mark.parametrize("block", [p for p in WHOLE if not _spoilt(p.values[0])])  # type: ignore[arg-type]
def test_every_whole_sheet_shown_is_legal(block: Block) -> None:
    answer = judge(read_sheet(block.text))
    assert [f.message for f in answer.findings if f.severity in ("illegal", "warning")] == []


@pytest.mark.parametrize("page", ["docs/sheets.md", "docs/pt/planilhas.md"])
def test_the_first_sheet_is_as_good_as_the_page_says(page: str) -> None:
    first = next(b for b in blocks(page) if b.is_sheet)
    answer = judge(read_sheet(first.text))
    assert answer.verdict == "legal"
    assert len(answer.combats) == 2
    assert len(answer.moves) == 6


# ------------------------------------------------------------------------------------------- commands


@pytest.fixture
def desk(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A folder with all that the commands of the pages name, in which they are called."""
    sheets = {page: [b.text for b in blocks(page) if b.is_sheet] for page in PAGES}
    (opening,) = sheets["README.md"]
    (tmp_path / "turno.sheet").write_text(opening, "utf-8")
    (tmp_path / "plano.sheet").write_text(opening.partition("combat 0905")[0], "utf-8")
    for table, text in enumerate((sheets["docs/sheets.md"][0], sheets["LEIAME.md"][0]), 1):
        path = tmp_path / "torneio" / "rodada-1" / f"mesa-{table}.sheet"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, "utf-8")
    letter = EmailMessage()
    letter["From"], letter["To"], letter["Subject"] = "ana@example.org", "bruno@example.org", "turno 2"
    letter.set_content("Oi!\n\n" + "".join(f"> {line}\n" for line in opening.splitlines()) + "\n-- \nAna\n")
    (tmp_path / "cartas").mkdir()
    for name in ("turno.eml", "cartas/1.eml", "cartas/2.eml"):
        (tmp_path / name).write_bytes(bytes(letter))
    (tmp_path / "cartas.mbox").write_bytes(b"".join(b"From ana\n" + bytes(letter) + b"\n" for _ in range(2)))
    (tmp_path / "mesa-1").mkdir()
    for name, played in (("ana-3", "ana-2"), ("bruno-3", "bruno-2")):
        shutil.copy(PLAYED / f"{played}.vlog", tmp_path / f"{name}.vlog")
        shutil.copy(PLAYED / f"{played}.vlog", tmp_path / "mesa-1" / f"{name}.vlog")
    asked = sheets["docs/sealed.md"][0]
    (tmp_path / "turn2.sheet").write_text(asked, "utf-8")
    letter.set_content(asked)
    (tmp_path / "letters.mbox").write_bytes(b"From ana\n" + bytes(letter) + b"\n")
    secret = {"player": "bruno", "length": 500, "last": sha256(b"bruno 2").hexdigest()[:32], "given": {}}
    (tmp_path / "bruno.seal").write_text(json.dumps(secret), "utf-8")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("HEXFORGE_LANG", "en")
    # Pages that are served are served until Ctrl+C.
    monkeypatch.setattr("hexforge.scenarios.local_server._server", lambda app: Mock())
    monkeypatch.setattr("webbrowser.open", lambda url: True)
    yield tmp_path


def _command(words: list[str]) -> click.Command:
    program = PROGRAMS[words[0]]
    command = program.get_command(click.Context(program), words[1])
    assert command is not None, f"{words[0]} has no command {words[1]}"
    return command


@pytest.mark.parametrize(("page", "line"), [*COMMANDS, *INLINE])
def test_every_command_shown_exists_with_its_options(page: str, line: str) -> None:
    words = shlex.split(line)
    if words[0] not in PROGRAMS:
        assert words[0] == "make", f"{page}: {line}"
        assert re.search(rf"(?m)^{words[1]}:", (ROOT / "Makefile").read_text("utf-8"))
        return
    if words[1].startswith("-"):
        known = {o for p in PROGRAMS[words[0]].params for o in p.opts} | {"--help", "-h", "--lang"}
        assert words[1] in known
        return
    command = _command(words)
    known = {o for p in command.params for o in (*p.opts, *p.secondary_opts)} | {"--help"}
    assert {w for w in words[2:] if w.startswith("-")} <= known, f"{page}: {line}"


def at_hand(line: str) -> bool:
    """Whether the desk has what a command names; modules and games of one's own are tried elsewhere."""
    words = shlex.split(line)[1:]
    return not any(word.endswith(".vmod") or word.startswith(("my-game/", "meu-jogo")) for word in words)


@pytest.mark.parametrize(
    "line", sorted({line for _, line in COMMANDS if line.startswith("validator ") and at_hand(line)})
)
def test_every_command_of_the_validator_does_what_it_says(desk: Path, line: str) -> None:
    words = [
        found
        for word in shlex.split(line)[1:]
        for found in (sorted(str(p.relative_to(desk)) for p in desk.glob(word)) if "*" in word else [word])
    ]
    if words == ["seal", "bruno"]:
        (desk / "bruno.seal").unlink()
    done = CliRunner().invoke(validator, words)
    assert words[0] != "open" or OPENED in done.output
    # The logs at hand hold mistakes, the sheets none.
    allowed = (0, 1) if ".vlog" in line else (0,)
    assert done.exit_code in allowed, done.output + done.stderr
    assert done.exception is None or isinstance(done.exception, SystemExit)
    if "-o" in words:
        written = desk / words[words.index("-o") + 1]
        assert written.is_dir() or written.stat().st_size > 200


@pytest.mark.parametrize("page", sorted(MISTAKES))
def test_the_answer_shown_is_the_answer_given(page: str, desk: Path) -> None:
    shown = blocks(page)
    (sheet,) = [b for b in shown if b.is_sheet and _spoilt(b)]
    (answer,) = [b for b in shown if b.info == "text"]
    (desk / "erro.sheet").write_text(sheet.text, "utf-8")
    done = CliRunner().invoke(validator, ["check", "erro.sheet", "--lang", MISTAKES[page]])
    assert done.exit_code == 1
    assert done.output.startswith(answer.text.rstrip("\n") + "\n\n")


@pytest.mark.parametrize(("language", "pages"), [("en", PAIRS_SHOWN[0]), ("pt", PAIRS_SHOWN[1])])
def test_the_help_names_the_pages(language: str, pages: tuple[str, ...]) -> None:
    words = {**os.environ, "HEXFORGE_LANG": language}
    done = subprocess.run(
        [sys.executable, "-m", "hexforge.validator", "--help"],
        env=words,
        capture_output=True,
        encoding="utf-8",
        check=True,
    )
    named = re.findall(r"docs/[a-z/]+\.md", done.stdout)
    assert sorted(named) == sorted(pages)
    assert all((ROOT / page).is_file() for page in named)
