"""Lines in the form of the notation are read as they stand, and say what they would if they were looked through."""

from __future__ import annotations

from pathlib import Path

import pytest

from hexforge.scenarios.loader import load
from hexforge.validator.notation.vocabulary import vocabulary_of, write_sheet
from hexforge.validator.reading import sheet
from hexforge.validator.reading.sheet import read_sheet
from tests.examples import FULL, leading
from tests.generator.game import generate
from tests.generator.mistakes import moments, mutants
from tests.generator.round import MISTAKES

GAMES = ("hurtgen", "metz", "bastogne")
FURTHER = [("metz", "pt"), ("bastogne", "pt")]
ROOT = Path(__file__).resolve().parents[2]
CASES = sorted((*(ROOT / "tests").glob("**/*.sheet"), *(ROOT / "scenarios").glob("*/examples/*.sheet")))


def read_slowly(text: str, patch: pytest.MonkeyPatch) -> sheet.st.Sheet:
    with patch.context() as instead:
        instead.setattr(sheet, "read_canonical", lambda *_, **__: None)
        return read_sheet(text)


@pytest.mark.parametrize(
    ("name", "language"), leading(4, [("hurtgen", "pt"), *((name, "en") for name in GAMES), *FURTHER])
)
def test_a_game_says_the_same(name: str, language: str, monkeypatch: pytest.MonkeyPatch) -> None:
    scenario = load(name)
    game = generate(scenario, 5, turns=3)
    text = write_sheet(game.sheet.statements, lang=language, words=vocabulary_of(scenario))
    assert read_sheet(text) == read_slowly(text, monkeypatch)


@pytest.mark.parametrize("name", leading(1, GAMES))
def test_a_game_with_a_mistake_says_the_same(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    scenario = load(name)
    game = generate(scenario, 6, turns=1)
    found = moments(scenario, game, 6)
    texts = [next(iter(mutants(game, found, kind)), None) for kind in sorted(MISTAKES)]
    for mutant in filter(None, texts):
        assert read_sheet(mutant.game.text) == read_slowly(mutant.game.text, monkeypatch)


def test_sheets_of_all_kinds_say_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    assert len(CASES) > 20
    for path in CASES[:: 1 if FULL else 3]:
        text = path.read_text("utf-8", errors="replace")
        assert read_sheet(text) == read_slowly(text, monkeypatch), path


@pytest.mark.parametrize(
    "line",
    ["attack 112-1 112-2 5", "lose us-112-1 1", "support 30", "roll 11 (6 5)", "attack 112-1, 112-2 roll 5 3"],
)
def test_what_may_mean_more_is_looked_through(line: str, monkeypatch: pytest.MonkeyPatch) -> None:
    text = f"sheet 1\ngame hurtgen\nturn 2 american combat\ncombat 1007\n{line}\n"
    assert read_sheet(text) == read_slowly(text, monkeypatch)


@pytest.mark.parametrize("name", ["0_", "_a", "_a_", "a_b"])
def test_a_name_is_written_so_that_no_letter_of_it_is_lost(name: str) -> None:
    head = "sheet 1\ngame bastogne\n"
    statements = read_sheet(f'{head}name 0101 "{name}"\n').statements
    assert read_sheet(write_sheet(statements)).statements[-1].name == name  # type: ignore[attr-defined]
