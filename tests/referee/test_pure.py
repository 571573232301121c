"""The referee is a function of context, position and statement: nothing that it is given changes."""

from __future__ import annotations

import dataclasses
import importlib
import pkgutil

from hexforge.validator import rules as package
from hexforge.validator.judging import replay, worlds
from hexforge.validator.judging.replay import judge, steps
from hexforge.validator.judging.worlds import unset
from hexforge.validator.notation import statements as st
from hexforge.validator.reading.sheet import read_sheet
from tests.referee.combat_sheets import scenario

SHEET = """sheet 1
game bastogne
map blank open 20x20
unit a1 american infantry 9-6-6
unit g1 german infantry 2-2-6
position
  a1 1010
  g1 1011
turn 22 american combat
combat 1011
  attack a1
  roll 3 3
  result AE
  eliminate g1
  advance a1: 1011
"""


def test_values_of_the_referee_are_frozen() -> None:
    modules = [
        *(importlib.import_module(m.name) for m in pkgutil.walk_packages(package.__path__, f"{package.__name__}.")),
        *(judging := (unset, replay, worlds)),
    ]
    ours = (package.__name__, *(module.__name__ for module in judging))
    values = {v for m in modules for v in vars(m).values() if isinstance(v, type) and dataclasses.is_dataclass(v)}
    mutable = {v.__name__ for v in values if v.__module__.startswith(ours) and v.__setattr__ is object.__setattr__}
    # The draft of a sheet's map lives within one function, what may be looked into within one replay.
    assert len(values) > 30 and mutable == {"_Draft", "Budget"}


def test_a_combat_judged_twice_from_one_position_comes_out_the_same() -> None:
    before = None
    for ctx, statement, outcome in steps(scenario("bastogne"), read_sheet(SHEET)):
        if isinstance(statement, st.Combat):
            assert before is not None
            units, ledger = dict(before.units), before.ledger
            # What the table says is not what the players read, so the aftermath is played both ways.
            first, second = judge(ctx, before, statement), judge(ctx, before, statement)
            assert first == second and first.findings
            assert before.units == units and before.ledger == ledger and before.hex_of("g1") == "1011"
            return
        before = outcome.position
    raise AssertionError("the sheet has no combat")
