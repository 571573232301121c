"""Who reads Portuguese reads no English: help, mistakes in the command line, reports, reasons of the system."""

from __future__ import annotations

import html
import re
from pathlib import Path

import pytest

from hexforge.scenarios import commands
from tests.commands import here

EXAMPLES = commands.HOME / "hurtgen" / "examples"
PT = {"HEXFORGE_LANG": "pt_BR.UTF-8"}
# Words of English that are no word of Portuguese, of a sheet's keywords, or of a command's placeholders.
ENGLISH = re.compile(
    r"\b(the|of|and|is|are|was|with|from|this|that|must|may|not|has|have|does|missing|invalid|usage|options:|"
    r"show|error|expected|rests|assumed|terrain|turn|line|illegal|doubtful|cost|score|moves|river|column|default:|"
    r"required|such|file or)\b",
    re.IGNORECASE,
)


def english(text: str) -> list[str]:
    """English words left in a text, but for quoted lines of the sheet and what stands in backticks or code."""
    told = "\n".join(line for line in text.splitlines() if "│" not in line and "  validator " not in line)
    told = re.sub(
        r"`[^`]*`|--\S+|'[^']*'|\S*\.sheet\S*|\b[a-z]+-[a-z-]+\b|(?<=  )(column|score|odds)$", "", told, flags=re.M
    )
    return ENGLISH.findall(told)


@pytest.mark.parametrize(
    "words",
    [
        ["--help"],
        *[[name, "--help"] for name in ("check", "reach", "odds", "duties", "transcribe")],
        ["check"],
        ["chek", "x"],
        ["check", "--forma", "x"],
        ["check", "x.sheet", "--format", "pdf"],
        ["check", "x.sheet", "--option", "nada"],
        ["check", "nenhum.sheet"],
        ["check", EXAMPLES / "turn2-well.sheet", "--option", "nada=1"],
        ["check", EXAMPLES / "turn2-well.sheet", "--option", "inverse_rounding=1"],
        ["check", EXAMPLES / "turn2-well.sheet", "-o", "/nenhuma/pasta"],
        ["odds", EXAMPLES / "turn2-well.sheet", "0609"],
        ["odds", EXAMPLES / "turn2-well.sheet", "0609", "--with", "us-109-1", "--air", "-1"],
        ["odds", EXAMPLES / "turn2-well.sheet", "0609", "--with", "us-109-1"],
        ["reach", EXAMPLES / "turn2-mistakes.sheet", "us-707-tank"],
        ["reach", EXAMPLES / "turn2-mistakes.sheet", "ninguém"],
        ["duties", EXAMPLES / "turn2-mistakes.sheet"],
        ["check", EXAMPLES / "turn2-mistakes.sheet"],
    ],
    ids=lambda words: " ".join(getattr(w, "name", w) for w in words),
)
def test_no_english_is_left(words: list[str | Path]) -> None:
    done = here("validator", *words, env=PT)
    assert done.stdout + done.stderr
    assert english(done.stdout + done.stderr) == []


def test_the_page_is_portuguese() -> None:
    page = here("validator", "check", "--format", "html", EXAMPLES / "turn2-mistakes.sheet", env=PT).stdout
    # The sheet itself is in its author's language, and so is every line quoted from it.
    told = re.sub(r"<(style|script|pre|code|ol|td class=.sheet.)\b.*?</\1>", "", page, flags=re.DOTALL)
    assert 'lang="pt-BR"' in page
    for phrase in ("Judged with", "rests on", "Position", "Findings", "Moves", "Combats", "Line "):
        assert phrase not in html.unescape(told)


def test_the_catalogue_changes_nothing_for_english() -> None:
    done = here("validator", "check", env={"HEXFORGE_LANG": "en"})
    assert "Missing argument" in done.stderr
    assert done.returncode == 2
