"""A site is written of any number of games, none of which is held, and no row of which is."""

from __future__ import annotations

import json
import subprocess
import sys
import tracemalloc
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from hexforge.validator.app.audit_run import AuditPlan, audit
from hexforge.validator.app.audit_standings import Totals
from hexforge.validator.report import dice as exact

ROOT = Path(__file__).parents[2]
EXAMPLES = ROOT / "scenarios" / "hurtgen" / "examples"
LANGUAGES = ("en",)


@pytest.fixture(scope="module")
def record(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    site = tmp_path_factory.mktemp("one")
    sheet = EXAMPLES / "turn2-mistakes.sheet"
    audit(AuditPlan([str(sheet)], site / "site", jobs=1, replays=False))
    (kept,) = (site / "site" / ".audit").glob("*.json")
    found: dict[str, Any] = json.loads(kept.read_text("utf-8"))["games"][0]
    return found


def games(record: dict[str, Any], count: int) -> Iterator[dict[str, Any]]:
    for number in range(count):
        name = f"table {number}"
        thrown = {what: [{**one, "game": name} for one in record[what]] for what in ("throws", "attacks")}
        yield {**record, **thrown, "name": name, "key": f"{number:016x}", "round": str(number % 5)}


MEASURE = """
import json, sys, tracemalloc
from functools import partial
from pathlib import Path
from hexforge.validator.app.audit_run import write_site
from tests.integrity.test_site_memory import LANGUAGES, games

site, record = Path(sys.argv[1]), json.load(sys.stdin)
# What is loaded for the first time is loaded before: a few games have all that there is in many.
for count in (20, 10, 70):
    tracemalloc.start()
    write_site(site, partial(games, record, count), LANGUAGES)
    print(tracemalloc.get_traced_memory()[1])
    tracemalloc.stop()
"""


def test_what_is_held_does_not_grow_with_the_games(record: dict[str, Any], tmp_path: Path) -> None:
    for language in LANGUAGES:
        (tmp_path / language).mkdir()
    # In a process of its own, in which no coverage is measured: what measures it grows with what is done.
    command = [sys.executable, "-c", MEASURE, str(tmp_path)]
    done = subprocess.run(command, input=json.dumps(record), capture_output=True, text=True, check=True, cwd=ROOT)
    _, few, many = map(int, done.stdout.split())
    assert many - few < 300_000, (few, many)
    index = (tmp_path / "en" / "index.html").read_text("utf-8")
    assert index.count('<td class="name">') == 70 and index.count("<h2>") == 7


def test_a_game_in_several_files_is_one_row_of_dice(record: dict[str, Any]) -> None:
    whole, apart = Totals(), Totals()
    for game in games(record, 2):
        whole.add(game)
        whole.add(game)
    for number in (0, 1, 0, 1):
        apart.add(list(games(record, 2))[number])
    rows = list(apart.survey().tables["game"])
    assert [row.name for row in rows] == ["table 0", "table 1"]
    assert [row.dice for row in rows] == [2 * 2 * len(record["throws"])] * 2
    assert rows == list(whole.survey().tables["game"])


def test_a_test_of_very_many_dice_holds_no_more_than_the_middle_of_what_there_can_be() -> None:
    """Two million dice: more would be 80 MB for each step of it."""
    tracemalloc.start()
    exact.sum_p([(6, 2_000_000)], 7_005_000)
    exact.runs_p(1_000_000, 1_000_000, 1_001_000)
    assert tracemalloc.get_traced_memory()[1] < 20_000_000
    tracemalloc.stop()
