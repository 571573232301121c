"""A generated round: all that was planted in it is found, and nothing else.

`benchmarks/test_round.py` judges a large one.
"""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path

import pytest

from hexforge.validator.app.audit_run import AuditPlan, audit
from tests.examples import leading
from tests.generator.round import Order, judged_wrongly, write_order, write_round

COUNT, SEED = 30, 342
"""A round with one game of each kind in logs; each game of its sheets is played more than once."""


@pytest.mark.full
def test_what_was_planted_in_a_round_is_found_and_nothing_else(tmp_path: Path) -> None:
    home, site = tmp_path / "round", tmp_path / "site"
    planted = write_round(home, COUNT, seed=SEED, seeds=1, long=False)
    assert Counter(file.form for file in planted) == {"sheet": 27, "mail": 1, "chain": 1, "log": 1}
    assert Counter(file.kind for file in planted) == {"legal": 25, "wrong": 3, "damaged": 1, "mail": 1}
    audit(AuditPlan([str(home)], site, jobs=1, replays=False))
    records = json.loads((site / "results.json").read_text("utf-8"))
    assert len(records) == COUNT
    assert judged_wrongly(planted, records) == []
    # The check itself would notice: of each kind, one that is taken for another.
    swapped = [{**r, "findings": [], **({"error": {}} if "error" not in r else {})} for r in records]
    assert len(judged_wrongly(planted, swapped)) >= COUNT - 1


@pytest.mark.parametrize(
    "order",
    leading(
        1,
        [
            # A counter comes onto the map by a road that leads round a wood to the next hex but one.
            Order(525, "legal", "chain", "hurtgen", 677247707),
            # Another goes round a river, and is dropped in the hex across it, next to the one that it left.
            Order(577, "legal", "chain", "metz", 671763051),
            # Dice that nobody can throw are typed, and the log has none: the other combats keep theirs.
            Order(382, "wrong", "log", "metz", 427524377),
        ],
    ),
    ids=lambda order: f"{order.game}-{order.form}",
)
def test_what_a_thousand_games_once_showed(tmp_path: Path, order: Order) -> None:
    planted = [write_order(tmp_path / "round", order)]
    audit(AuditPlan([str(tmp_path / "round")], tmp_path / "site", jobs=1, replays=False))
    records = json.loads((tmp_path / "site" / "results.json").read_text("utf-8"))
    assert judged_wrongly(planted, records) == []
