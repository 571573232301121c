"""A language of files alone turns up in everything that is told of logs, and no English stays beside it."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from hexforge.scenarios.text.words import Words, catalogue
from hexforge.validator.judging.transcription import transcript
from hexforge.validator.logs.chain import read_chain
from hexforge.validator.logs.record import record_lines
from tests.transcribe.modules import PLAYED, PLAYED_HURTGEN

FIELD = re.compile(r"\{[^{}]*\}")
OURS = [PLAYED_HURTGEN / f"{name}.vlog" for name in ("ana-2", "bruno-2", "bruno-2-reroll", "bruno-2-gap")]
THEIRS = [PLAYED / name for name in ("a.vlog", "b-gap.vlog", "b-reroll.vlog")]


def bare(text: str) -> str:
    """A text with a sign for its words, and the values that stand in it."""
    return " ".join(("¤", *FIELD.findall(text)))


@pytest.fixture
def third(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> set[str]:
    """Makes the language `qq`; gives the English words that must not turn up in it."""
    english: set[str] = set()
    found: dict[str, object] = {}
    for key, text in catalogue("logs", "en").items():
        forms = text if isinstance(text, dict) else {"other": text}
        english |= {w for form in forms.values() for w in re.findall(r"[a-z]{5,}", FIELD.sub("", form))}
        found[key] = {"other": bare(forms["other"])} if isinstance(text, dict) else bare(text)
    # JSON is YAML.
    (tmp_path / "logs.qq.yaml").write_text(json.dumps(found), "utf-8")
    monkeypatch.setenv("HEXFORGE_WORDS", str(tmp_path))
    return english


@pytest.mark.parametrize("logs", [OURS, THEIRS])
def test_records_and_notes_are_in_it(logs: list[Path], third: set[str]) -> None:
    chain = read_chain(logs)
    lines = [text for text, _ in record_lines(chain, "qq") if "<" not in text]
    lines += [Words("qq").say(note.message) for note in chain.noted]
    assert sum("¤" in line for line in lines) > len(logs) + len(chain.noted)
    assert not [line for line in lines if third & set(re.findall(r"[a-z]+", line))]


def test_comments_in_sheets_are_in_it(third: set[str]) -> None:
    found = transcript(read_chain(OURS), "qq")
    assert found is not None
    comments = [line for line in found.lines if line.lstrip().startswith("# ")]
    assert comments and all("¤" in line for line in comments)
    assert not [line for line in comments if third & set(re.findall(r"[a-z]+", line))]
