"""Every condition with every effect of a modifier, by the schema: it counts, or the check refuses it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from functools import cache
from itertools import product
from pathlib import Path
from typing import Any, Final, TypeAlias, get_args, get_type_hints

import pytest

from hexforge.scenarios.checks import Checker
from hexforge.scenarios.checks.contradictions import modifiers_may_hold
from hexforge.scenarios.checks.tables import modifiers_are_told_apart
from hexforge.scenarios.loader import load
from hexforge.scenarios.model import Scenario
from hexforge.scenarios.schema import modifiers as m
from hexforge.scenarios.schema.rules_combat import CombatRules, Unity
from hexforge.scenarios.schema.tables import TablesFile
from hexforge.validator.judging.replay import replay
from hexforge.validator.notation import games
from hexforge.validator.notation.statements import Sheet
from hexforge.validator.reading.sheet import read_sheet
from tests import yamls

HOME = Path(__file__).parent.parent / "games" / "saltway"

# Three of one regiment, one of them a gun behind a hill, against two of another who are shut in: every condition
# below holds there.
SCENE: Final = """sheet 1
game saltway
map blank steppe 11x9
terrain marsh 0505
terrain hills 0504 0506 0507
fortification 0505
stream 0504/0505 0505/0506
unit c1 crown footmen 8-3-4 regiment Azure reduced 4-2 morale 7 6
unit c2 crown sappers 8-3-4 regiment Azure reduced 4-2 morale 7 6
unit c3 crown bombards 4-3-4 range 4 regiment Azure morale 7
unit c4 crown footmen 1-1-4
unit l1 league footmen 2-3-4 regiment Gules reduced 1-1 morale 7 6
unit l2 league pikes 2-3-4 regiment Gules reduced 1-1 morale 7 6
unit l3 league footmen 2-3-4 reduced 1-1
position
  c1 0504
  c2 0506
  c3 0507
  c4 0204
  l1 0505
  l2 0505
  l3 1101 reduced
"""
CLASH: Final = """turn 1 crown combat
combat 0505
  attack c1 c2
  support c3
{use}  roll {roll}
{told}"""
FIRE: Final = """turn 1 crown combat
bombard 0505 by c3 c5
{use}  roll {roll}
  morale l1 l2 roll 4 4
"""
GUNS: Final = "unit c5 crown bombards 4-3-4 range 4 regiment Sable\nunit c4"
MORE_GUNS: Final = (
    SCENE.replace("4-3-4 range 4 regiment Azure", "4-3-4 range 4 regiment Sable")
    .replace("unit c4", GUNS)
    .replace("  c4 0204", "  c5 0503\n  c4 0204")
)
TESTS: Final = "  morale l1 l2 c1 c2 roll 4 4\n"
FOLLOWED: Final = "  eliminate l1 l2\n  advance c1: 0505\n"
HOLDING: Final[dict[str, list[dict[str, Any]]]] = {
    "terrain": [{"terrain": "marsh"}, {"terrain": "hills", "of": "attackers"}],
    "works": [{}],
    "hexside": [{"hexsides": "stream"}],
    "turns": [{"turns": [1, 2]}],
    "phase": [{"phases": "combat"}],
    "weather": [{"weather": "dry"}],
    "attacker": [{"side": "crown"}],
    "units": [
        {"of": "attackers", "types": "sappers"},
        {"of": "defenders", "types": "pikes"},
        {"of": "attackers", "types": "footmen sappers", "least": 2},
        {"of": "attackers", "near": {"types": "sappers", "hexes": 2, "formation": "regiment"}},
        {"of": "defenders", "far": {"types": "pikes", "hexes": 1}, "share": "none"},
    ],
    "together": [
        {"of": "attackers", "types": ["footmen", "sappers"]},
        {"of": "defenders", "types": ["footmen", "pikes"]},
    ],
    "surrounded": [{}],
    "around": [{"least": 2}, {"least": 6, "opposite": True}],
    "afar": [{"alone": False}],
    "distance": [{"least": 1, "most": 2}],
    "between": [{"terrain": "hills", "share": "any"}],
    "losses": [{"side": "league", "counted": "steps", "least": 1}],
    "formation": [
        {"of": "attackers", "by": "regiment"},
        {"of": "defenders", "by": "regiment", "whole": True},
        {"of": "defenders", "by": "regiment", "stand": "hex"},
    ],
    "declared": [{}],
    "overrun": [{"share": "none"}],
    "option": [{"option": "advance_after_emp"}],
}
"""For each kind of condition such as hold in the scene."""
FIRING: Final[dict[str, list[dict[str, Any]]]] = HOLDING | {
    "together": [HOLDING["together"][1]],
    "units": [{"of": "attackers", "types": "bombards"}, HOLDING["units"][1]],
    "afar": [{"alone": True}],
    "distance": [{"least": 2}],
}
"""The same where guns fire alone."""
EFFECTS: Final[dict[str, list[dict[str, Any]]]] = {
    "columns": [{"columns": 1}],
    "die": [{"die": 1}],
    "factor": [{"of": "attackers", "by": 2}, {"of": "defenders", "by": 2}, {"of": "both", "by": "1/2"}],
    "strength": [{"of": "attackers", "strength": 20}, {"of": "defenders", "strength": 1}],
    "morale": [{"of": "attackers", "morale": 2}, {"of": "defenders", "morale": 2}, {"of": "both", "morale": 1}],
    "barred": [{}],
    "stays": [{}],
    "unity": [{"of": "attackers"}, {"of": "defenders"}],
}


FIRED: Final[dict[str, list[dict[str, Any]]]] = {
    **{kind: whats for kind, whats in EFFECTS.items() if kind != "stays"},
    "morale": [{"of": "defenders", "morale": 2}, {"of": "both", "morale": 1}],
}
"""Those that may count for fire; who fires is not tested and does not advance."""
NEVER_BY_FIRE: Final = ("factor defenders", "strength defenders", "unity attackers")
"""Fire is held against no strength of defenders, and guns complete no formation."""
Held: TypeAlias = dict[str, list[dict[str, Any]]]


def kinds(union: Any) -> set[str]:
    """The kinds that a union of the schema lists."""
    return {get_args(get_type_hints(model)["kind"])[0] for model in get_args(get_args(union)[0])}


def test_the_matrix_is_whole() -> None:
    assert set(HOLDING) == set(FIRING) == kinds(m.Condition)
    assert set(EFFECTS) == kinds(m.Effect)


@pytest.fixture(scope="module")
def game() -> Iterator[Scenario]:
    """The invented game with a combat table whose dice ask for tests of morale, or kill, and one for fire."""
    before = dict(games._FOLDERS)
    games.learn(HOME)
    scenario = load(HOME)
    tables = yamls.read(HOME / "tables.yaml")
    tables["crt"]["rows"] = {"2,3,4,5,6,7,8": ["MT"] * 6, "9,10,11,12": ["KI"] * 6}
    tables["bombardment"] = {
        "dice": "2d6",
        "column_by": {"kind": "value"},
        "columns": ["1-9", "10-19", "20-39", "40+"],
        "rows": {"2,3,4,5,6,7,8,9,10,11,12": ["MT"] * 4},
    }
    tables["vulnerability"] = {"artillery": dict.fromkeys(scenario.game.unit_types, 1)}
    test = {"morale": {"dice": "2d6", "passes": "at_most", "fails": {"steps": 1}}}
    tables["results"] = {"MT": {"attacker": test, "defender": test}, "KI": {"defender": {"units": "all"}}}
    tables["fortified"] = {}
    rules = scenario.game.rules.combat.model_copy(
        update={
            "advance": CombatRules().advance.model_copy(update={"after": "vacated"}),
            "unity": Unity.model_validate({"regiment": {"attack": 1, "defence": 1}}),
        }
    )
    whole = scenario.game.rules.model_copy(update={"combat": rules})
    file = scenario.game.model_copy(update={"rules": whole})
    yield replace(scenario, tables=TablesFile.model_validate(tables), game=file)
    games._FOLDERS.clear()
    games._FOLDERS.update(before)


def with_rule(game: Scenario, rule: m.Modifier, group: Any) -> Scenario:
    combat = game.game.rules.combat.model_copy(
        update={"modifiers": (rule,), "groups": {"lot": group} if group is not None else {}}
    )
    rules = game.game.rules.model_copy(update={"combat": combat})
    return replace(game, game=game.game.model_copy(update={"rules": rules}))


def refused(game: Scenario) -> bool:
    checker = Checker(game, lambda file, _where: (HOME / file, 1))
    found = (*modifiers_are_told_apart(checker), *modifiers_may_hold(checker))
    return any(p.severity == "error" for p in found)


@cache
def sheet_of(text: str) -> Sheet:
    """A sheet, read once."""
    sheet = read_sheet(text, "test")
    assert not sheet.problems, sheet.problems
    return sheet


def seen(game: Scenario, rule: m.Modifier, fight: str) -> list[Any]:
    """What can be seen of a fight: its figures, and all that is found."""
    declared = any(c.kind == "declared" for c in rule.when)
    told, roll = (FOLLOWED, "5 5") if rule.what.kind == "stays" else (TESTS, "3 3")
    text = (MORE_GUNS if fight == FIRE else SCENE) + fight.format(
        use="  use it\n" if declared else "", told=told, roll=roll
    )
    judged = replay(game, sheet_of(text))
    (record,) = judged.combats
    figures = (record.attack, record.defence, record.value, record.column, sum(s.columns for s in record.die))
    found = sorted((f.rule, f.line, f.units) for f in judged.findings if "declared" not in f.message.key)
    return [*figures, sum(s.columns for s in record.shifts), found]


def cells(holding: Held, effects: Held) -> Iterator[m.Modifier]:
    for (kind, whens), (effect, whats) in product(holding.items(), effects.items()):
        for when, what, each in product(whens, whats, ("combat", "target")):
            condition, does = {"kind": kind, **when}, {"kind": effect, **what}
            table = "bombardment" if effects is FIRED else "crt"
            yield m.Modifier.model_validate(
                {"name": "it", "when": [condition], "what": does, "each": each, "table": table}
            )


def name_of_rule(rule: m.Modifier) -> str:
    return f"{rule.when[0].kind} {rule.what.kind} {getattr(rule.what, 'of', '')}"


def sorted_out(game: Scenario, fight: str, holding: Held, effects: Held) -> tuple[list[str], set[str]]:
    """The cells that the check accepts and that change nothing, although their condition holds; and the refused."""
    never = (m.InTurns.model_validate({"kind": "turns", "turns": [9, 9]}),)
    void, no = list[str](), set[str]()
    before: dict[bool, Any] = {}
    for rule in cells(holding, effects):
        other = with_rule(game, rule, None)
        if refused(other):
            no.add(name_of_rule(rule))
            continue
        stays = rule.what.kind == "stays"
        if stays not in before:
            idle = rule.model_copy(update={"when": never})
            before[stays] = seen(with_rule(game, idle, None), idle, fight)
        if seen(other, rule, fight) == before[stays]:
            void.append(f"{name_of_rule(rule)} {rule.each}")
    return void, no


def test_what_is_accepted_counts_in_a_combat(game: Scenario) -> None:
    void, no = sorted_out(game, CLASH, HOLDING, EFFECTS)
    assert void == []
    # Nothing lies between those who are next to each other.
    assert no == {"between morale attackers", "between stays "}


def test_what_is_accepted_counts_for_fire(game: Scenario) -> None:
    void, no = sorted_out(game, FIRE, FIRING, FIRED)
    assert void == []
    near = {name_of_rule(rule) for rule in cells({k: FIRING[k] for k in ("hexside", "around")}, FIRED)}
    void_here = {name_of_rule(rule) for rule in cells(FIRING, FIRED) if name_of_rule(rule).endswith(NEVER_BY_FIRE)}
    assert no == near | void_here


def twice(game: Scenario, rule: m.Modifier, group: Any) -> Scenario:
    """The game with a modifier and another that does the same, of one group."""
    other = with_rule(game, rule.model_copy(update={"group": "lot"}), group)
    combat = other.game.rules.combat
    both = (*combat.modifiers, combat.modifiers[0].model_copy(update={"name": "too"}))
    rules = other.game.rules.model_copy(update={"combat": combat.model_copy(update={"modifiers": both})})
    return replace(other, game=other.game.model_copy(update={"rules": rules}))


@pytest.mark.parametrize("effect", sorted(set(EFFECTS) - {"barred", "stays", "strength"}))
def test_groups_count_what_they_say_of_every_effect(game: Scenario, effect: str) -> None:
    for what, each in product(EFFECTS[effect], ("combat", "target")):
        rule = m.Modifier.model_validate(
            {"name": "it", "when": [{"kind": "surrounded"}], "what": {"kind": effect, **what}, "each": each}
        )
        once, two = seen(with_rule(game, rule, None), rule, CLASH), seen(twice(game, rule, "sum"), rule, CLASH)
        assert seen(twice(game, rule, "best"), rule, CLASH) == once, (what, each)
        assert seen(twice(game, rule, 1), rule, CLASH) == once, (what, each)
        if effect != "morale":
            assert two != once, (what, each)
        capped = twice(game, rule, m.Cap(most=1))
        if effect in ("columns", "die"):
            assert seen(capped, rule, CLASH) == once, (what, each)
        else:
            assert refused(capped)
