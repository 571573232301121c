"""Answers in text and in JSON hold one game at a time, however many a folder has."""

from __future__ import annotations

import gc
from collections.abc import Iterator
from pathlib import Path

import pytest

from hexforge.scenarios.words import Words
from hexforge.validator.judging import Judging
from hexforge.validator.report.answer import Answer
from hexforge.validator.report.as_json import write_json
from hexforge.validator.report.text import write_text

SHEET = "sheet 1\ngame hurtgen\npartial\nturn 2 american movement\nmove us-109-1: 0705 0805\n"


def living() -> int:
    gc.collect()
    return sum(type(thing) is Answer for thing in gc.get_objects())


@pytest.mark.parametrize("form", ["text", "json"])
def test_an_answer_that_is_told_is_let_go(form: str, tmp_path: Path) -> None:
    for number in range(5):
        (tmp_path / f"{number}.sheet").write_text(SHEET)
    (tmp_path / "5.sheet").write_bytes(b"\x00")
    judging = Judging([tmp_path])
    before, count, most = living(), 0, 0

    def watched() -> Iterator[Answer]:
        nonlocal count, most
        for answer in judging.answers():
            count += 1
            most = max(most, living() - before)
            yield answer
            del answer

    if form == "json":
        said = write_json(watched(), [("5", "no text")], many=True)
        assert said.startswith("[\n {\n  ") and said.count('"verdict"') == 5 and said.endswith('"no text"\n }\n]')
    else:
        said = write_text(watched(), Words("en"))
        assert said.count("0.sheet") == 2
    assert count == 5 and most <= 2
    assert [Path(source).name for source, _ in judging.failures] == ["5.sheet"]
