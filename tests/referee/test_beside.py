"""A sheet whose position is copied by hand is held against the one beside it that ends where it begins."""

from __future__ import annotations

import hashlib
from pathlib import Path

import pytest
import yaml

from hexforge.scenarios.text.words import Words
from hexforge.validator.app.batch import _sheet_held
from hexforge.validator.judging.check import check_file
from hexforge.validator.judging.continuing import files_named, neighbours_of
from hexforge.validator.rules.findings import doubts_told

HEAD = """sheet 1
game hurtgen
players american="Ana" german="Bruno"
partial
map blank open 18x12
unit a1 american infantry 4-4-5
unit g1 german infantry 4-3-5
"""
FIRST = (
    HEAD
    + """position
  a1 0505
  g1 0909
turn 3 american movement
move a1: 0505 0506
"""
)
SECOND = (
    HEAD
    + """position after turn 3 american movement
  a1 0707
  g1 0909
turn 3 american combat
"""
)


def findings_and_doubts(path: Path) -> list[tuple[str, str, str]]:
    found = check_file(path).findings
    return [(f.code, f.severity, doubts_told(f.rests_on, Words("en"))) for f in found if f.severity != "info"]


def test_what_stands_elsewhere_than_at_the_end_of_the_sheet_beside_is_doubtful(tmp_path: Path) -> None:
    (tmp_path / "t3.sheet").write_text(FIRST, "utf-8")
    second = tmp_path / "t4.sheet"
    second.write_text(SECOND, "utf-8")
    why = "whether this sheet goes on from t3.sheet, which ends where it begins"
    assert findings_and_doubts(second) == [("continuation", "doubtful", why)]
    second.write_text(SECOND.replace("0707", "0506"), "utf-8")
    assert findings_and_doubts(second) == []
    second.write_text(SECOND.replace("  g1 0909\n", "").replace("0707", "0506"), "utf-8")
    assert findings_and_doubts(second) == [("continuation", "doubtful", why)]


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("turn 3 american movement\n", "turn 4 american movement\n"),
        ("turn 3 american movement\n", "turn 3 american combat\n"),
        ("Ana", "Carla"),
        ("infantry 4-4-5", "infantry 5-4-5"),
        ("18x12", "18x13"),
        ("game hurtgen", "game metz"),
    ],
)
def test_another_game_or_turn_is_not_what_it_goes_on_from(tmp_path: Path, old: str, new: str) -> None:
    (tmp_path / "t3.sheet").write_text(FIRST.replace(old, new), "utf-8")
    second = tmp_path / "t4.sheet"
    second.write_text(SECOND, "utf-8")
    assert findings_and_doubts(second) == []


def test_of_two_that_fit_none_is_taken(tmp_path: Path) -> None:
    for name in ("mesa-1.sheet", "mesa-2.sheet"):
        (tmp_path / name).write_text(FIRST, "utf-8")
    second = tmp_path / "t4.sheet"
    second.write_text(SECOND, "utf-8")
    assert findings_and_doubts(second) == []


def test_a_sheet_that_was_renamed_is_known_by_its_hash(tmp_path: Path) -> None:
    (tmp_path / "t3 (1).sheet").write_text(FIRST, "utf-8")
    digest = hashlib.sha256(FIRST.encode()).hexdigest()[:16]
    second = tmp_path / "t4.sheet"
    for named, verdict in ((f"t3.sheet hash {digest}", "illegal"), (f"t3.sheet hash {digest[::-1]}", "legal")):
        second.write_text(SECOND.replace("partial\n", f"partial\ncontinues {named}\n"), "utf-8")
        assert check_file(second).verdict == verdict


def test_what_is_found_rests_on_the_sheets_beside(tmp_path: Path) -> None:
    (tmp_path / "t3.sheet").write_text(FIRST, "utf-8")
    second = tmp_path / "t4.sheet"
    second.write_text(SECOND, "utf-8")
    assert FIRST.encode() in list(_sheet_held(str(second)))


def test_which_files_a_sheet_rests_on_is_told_in_any_language(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    words = tmp_path / "words"
    words.mkdir()
    forms = {"statements": {"position": ["stellung"], "continues": ["setzt-fort"]}}
    (words / "notation.de.yaml").write_text(yaml.safe_dump(forms), "utf-8")
    first, third = tmp_path / "t3.sheet", tmp_path / "b.sheet"
    (tmp_path / "other").mkdir()
    own, before = tmp_path / "other" / "t4.sheet", tmp_path / "other" / "before.txt"
    before.write_text(FIRST, "utf-8")
    for path in (first, third):
        path.write_text(FIRST, "utf-8")
    copied = tmp_path / "t4.sheet"
    for head, encoding in (
        ("Stellung after turn 3 american movement", "utf-8"),
        ("Posi\u00e7\u00e3o ap\u00f3s turno 3 americano movimento", "cp1252"),
    ):
        copied.write_bytes(SECOND.replace("position after turn 3 american movement", head).encode(encoding))
        monkeypatch.setenv("HEXFORGE_WORDS", str(words))
        assert neighbours_of(copied.read_bytes(), str(copied)) == [str(third), str(first)]
    own.write_text(f"{HEAD}setzt-fort before.txt\n", "utf-8")
    assert files_named(own.read_bytes(), str(own)) == [str(before)]
    monkeypatch.delenv("HEXFORGE_WORDS")
    assert files_named(own.read_bytes(), str(own)) == []
    assert neighbours_of(b"\x00\x01", str(copied)) == []
