"""Reports hold one game at a time, whatever their form and however many games a folder has."""

from __future__ import annotations

import gc
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path

import pytest

from hexforge.validator.app.batch import Form, Judging
from hexforge.validator.judging.answer import Answer
from hexforge.validator.report.pages import FORMS, FormName, Rest

SHEET = "sheet 1\ngame hurtgen\npartial\nturn 2 american movement\nmove us-109-1: 0705 0805\n"
COUNT = 24


def living() -> int:
    gc.collect()
    return sum(type(thing) is Answer for thing in gc.get_objects())


@pytest.mark.parametrize("form", FORMS)
def test_an_answer_that_is_told_is_let_go(form: FormName, tmp_path: Path) -> None:
    for number in range(COUNT):
        (tmp_path / f"{number:02}.sheet").write_text(SHEET)
    (tmp_path / "99.sheet").write_bytes(b"\x00")
    judging, report = Judging([tmp_path]), Form(form, "en").report()
    before, most = living(), 0

    def parts() -> Iterator[object]:
        nonlocal most
        for number, answer in enumerate(judging.answers()):
            part = report.part(answer)
            if number % 8 == 7:
                most = max(most, living() - before)
            yield part
            del answer

    pieces = list(report.whole(parts(), Rest([("99", "no text")])))
    assert 0 < most <= 2
    assert [Path(source).name for source, _ in judging.failures] == ["99.sheet"]
    if form == "html":
        page = "".join(map(str, pieces))
        assert [page.count(f'<article id="r{number}">') for number in (1, COUNT, COUNT + 1)] == [1, 1, 0]
        assert page.count('<g id="map1">') == 1 and page.count('<use href="#map1"/>') >= COUNT - 1


@pytest.mark.parametrize("form", ["text", "json", "junit"])
def test_each_answer_is_told_as_soon_as_it_is_there(form: FormName) -> None:
    asked: list[int] = []

    def parts() -> Iterator[object]:
        for number in range(5):
            asked.append(number)
            yield (f"part {number}\n", "") if form == "text" else f"part {number}\n"

    seen = [(len(asked), str(piece)) for piece in Form(form, "en").report().whole(parts(), Rest())]
    numbers = [count for count, piece in seen if "part" in piece]
    assert numbers == [1, 2, 3, 4, 5] and all(a <= b for (a, _), (b, _) in pairwise(seen))
