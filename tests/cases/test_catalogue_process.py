"""A handful of the catalogue through the command itself, and more of it in the players' own language."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from hexforge.validator.judging.check import judge
from hexforge.validator.notation.vocabulary import write_sheet
from hexforge.validator.reading.sheet import read_sheet
from tests.commands import here, process
from tests.examples import every

from .catalogue import Case, cases, differences

CASES = tuple(cases())
SOME = CASES[:: len(CASES) // 12]


def test_many_sheets_in_one_process(tmp_path: Path) -> None:
    paths = [tmp_path / f"{i:02d}.sheet" for i, _ in enumerate(SOME)]
    for path, case in zip(paths, SOME, strict=True):
        path.write_text(case.sheet, encoding="utf-8")
    answers = json.loads(process("validator", "check", "--format", "json", *paths).stdout)
    assert [a["source"] for a in answers] == [str(p) for p in paths]
    assert {c.id: d for c, a in zip(SOME, answers, strict=True) if (d := differences(c, a))} == {}


@pytest.mark.parametrize("verdict", ["legal", "illegal"])
def test_one_sheet_and_its_exit_status(tmp_path: Path, verdict: str) -> None:
    case = next(c for c in SOME if c.expect["verdict"] == verdict)
    path = tmp_path / "case.sheet"
    path.write_text(case.sheet, encoding="utf-8")
    done = here("validator", "check", "--format", "json", path)
    assert done.returncode == (1 if verdict == "illegal" else 0)
    assert differences(case, json.loads(done.stdout)) == []


@pytest.mark.parametrize("case", [pytest.param(c, id=c.id) for c in every(3, CASES[::9])])
def test_the_language_of_a_sheet_changes_nothing(case: Case) -> None:
    sheet = read_sheet(case.sheet)
    english, portuguese = (
        judge(read_sheet(write_sheet(sheet.statements, lang))).as_json() for lang in ("en", "pt")
    )
    for answer in (english, portuguese):
        # The statements are written without the words of their game, which is another way than the sheet's own.
        answer.pop("understood", None)
    assert portuguese == english
