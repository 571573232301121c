"""How many guns may take part: whoever may not anyway uses up nobody's place."""

from __future__ import annotations

import itertools
import shutil
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from hexforge.validator.judging.check import judge
from hexforge.validator.notation import games
from hexforge.validator.reading.sheet import read_sheet

HOME = Path(__file__).parents[1] / "games" / "harrow"
FAR = '      - {name: far, when: [{kind: distance, least: 2}], what: {kind: barred}, section: "4.6"}\n'
ATTACK = """position
  r-1a 0404
  r-g1 0404
  r-g2 0404
  r-g3 {third}
  r-hq 0204
  b-1 0504
turn 1 red combat
combat 0504
  attack r-1a r-g1 r-g2
  support r-g3
"""
DEFENCE = """position
  r-t1 0404
  r-2a {near}
  r-hq 0204
  b-1 0504
  b-g1 {gun}
  b-g2 0604
turn 1 red combat
combat 0504
  attack r-t1
  guard {guards}
"""
Told = Callable[..., list[tuple[str, str]]]


@pytest.fixture
def illegal_findings(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Told]:
    """The illegal findings on a sheet of a game with two texts of its rules replaced: keys, each with its units."""
    count = itertools.count()
    monkeypatch.setattr(games, "_FOLDERS", dict(games._FOLDERS))

    def work(sheet: str, *changes: tuple[str, str]) -> list[tuple[str, str]]:
        folder = tmp_path / str(next(count)) / "harrow"
        shutil.copytree(HOME, folder)
        said = (folder / "game.yaml").read_text("utf-8")
        for old, new in changes:
            assert old in said
            said = said.replace(old, new)
        (folder / "game.yaml").write_text(said, "utf-8")
        games.learn(folder)
        answer = judge(read_sheet(f"sheet 1\ngame harrow\npartial\n{sheet}"))
        found = [f for f in answer.findings if f.severity == "illegal" and f.code != "roll"]
        return [(f.message.key.removeprefix("findings."), " ".join(f.units)) for f in found]

    yield work


def test_a_gun_that_a_modifier_bars_is_not_the_third(illegal_findings: Told) -> None:
    three = ATTACK.format(third="0304")
    assert {key for key, _ in illegal_findings(three)} == {"attack-barred"} and len(illegal_findings(three)) == 3
    barred = illegal_findings(three, ("    groups: {concert", FAR + "    groups: {concert"))
    assert barred == [("attack-barred", "r-g3")]


def test_a_gun_out_of_range_is_not_the_third(illegal_findings: Told) -> None:
    assert illegal_findings(ATTACK.format(third="0104")) == [("range", "r-g3")]


def test_a_guard_that_may_not_take_part_is_none_too_many(illegal_findings: Told) -> None:
    two = DEFENCE.format(near="0304", gun="0605", guards="b-g1 b-g2")
    assert illegal_findings(two) == [("guards-most", "b-g2")]
    assert illegal_findings(two.replace("0605", "0909")) == [("range", "b-g1")]


@pytest.mark.parametrize(
    ("clear_of", "wrong"), [("nothing", []), ("enemies", ["0605", "0603"]), ("zones", ["0605"])]
)
def test_guns_that_have_the_enemy_on_them_support_nobody(
    illegal_findings: Told, clear_of: str, wrong: list[str]
) -> None:
    """An enemy stands at 0606, next to 0605, and a gun of his, which has no zone, at 0602, next to 0603."""
    rule = ("{guards_most: 1,", f"{{guards_clear_of: {clear_of}, guards_most: 1,")
    for gun in ("0605", "0603", "0704"):
        sheet = DEFENCE.format(near="0606", gun=gun, guards="b-g1").replace("  r-hq", "  r-g1 0602\n  r-hq")
        assert illegal_findings(sheet, rule) == ([(f"guard-{clear_of}", "b-g1")] if gun in wrong else [])
