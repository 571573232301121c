"""What a map maker would want to be told: contradictions that no schema sees.

Each rule is a function from a scenario to problems; `RULES` lists them in the order of a game's files. That what is
named exists is one rule for all files; rules of the map and of the set-up have modules of their own.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from itertools import pairwise

from hexforge.scenarios.checks.beyond import numbers_are_within_reach
from hexforge.scenarios.checks.causes import follows, misnamed, told
from hexforge.scenarios.checks.checker import Checker, Locate, Origin, Rule
from hexforge.scenarios.checks.choices import (
    overruns_name_a_column,
    phases_limit_what_is_done,
    sides_change_places,
    weather_dice_are_whole,
)
from hexforge.scenarios.checks.hollow import choices_decide_something
from hexforge.scenarios.checks.likely import nothing_stands_oddly
from hexforge.scenarios.checks.map import MAP_RULES
from hexforge.scenarios.checks.nowhere import what_is_said_is_met_with
from hexforge.scenarios.checks.setup import SETUP_RULES
from hexforge.scenarios.checks.shadowed import rules_are_reached
from hexforge.scenarios.checks.supplies import supplies_fit
from hexforge.scenarios.checks.tables import modifiers_are_told_apart, tables_are_whole
from hexforge.scenarios.checks.texts import TEXT_RULES
from hexforge.scenarios.checks.twice import rules_speak_of_somebody
from hexforge.scenarios.checks.unused import nothing_lies_idle
from hexforge.scenarios.checks.vain import choices_come_to_something
from hexforge.scenarios.checks.void import modifiers_may_hold
from hexforge.scenarios.model import Counter, Scenario
from hexforge.scenarios.problems import Problem, unknown
from hexforge.scenarios.references import Reference
from hexforge.scenarios.schema.game import GUNS, OPTIONS
from hexforge.scenarios.schema.rules_combat import AdvanceRules
from hexforge.scenarios.words import Param

__all__ = ["Checker", "check"]


def check(
    scenario: Scenario, locate: Locate, origin: Origin | None = None, *, names_alone: bool = False
) -> list[Problem]:
    """All contradictions of a scenario, errors and warnings; with `names_alone` names that stand for nothing.

    What is named but does not exist is said first; with hexes off the map the rules of the map are left out, for
    they would stumble over them.
    """
    checker = Checker(scenario, locate, origin)
    there = checker.known
    strange = [r for r in scenario.references if r.id not in there.get(r.kind, (r.id,)) and not _idle(r)]
    checker.strange = frozenset(str(r.id) for r in strange if r.binding)
    off_map = any(r.kind == "hex" for r in strange)
    meant = misnamed(checker, strange)
    found = [*told(checker, strange, meant)]
    found += [_unknown(checker, r, tuple(there[r.kind])) for r in strange if str(r.id) not in meant]
    for rule in () if names_alone else RULES:
        if not (off_map and rule in MAP_RULES):
            found += [p for p in rule(checker) if not (meant and follows(p, meant))]
    return list(dict.fromkeys(found))


def _idle(reference: Reference) -> bool:
    """Whether a name is never looked at: ground for the second hex of an advance that nobody may make."""
    holder = reference.holder
    return isinstance(holder, AdvanceRules) and reference.kind == "terrain" and not holder.two


def _unknown(c: Checker, r: Reference, there: tuple[Param, ...]) -> Problem:
    numbered = r.kind in ("hex", "turn", "face")
    last = there[-1] if numbered else there
    said = unknown(r.kind, r.id, () if numbered else there, known=last, first=there[0] if there else "")
    return c.tell(r.file, list(r.where), said, "error" if r.binding else "warning")


def counters_are_of_this_game(c: Checker) -> Iterator[Problem]:
    """Branches and ids are those of the side; guns have a range; one strength is one; no back is stronger."""
    game = c.scenario.game
    sides = {s.id: s for s in game.sides}
    for unit in c.scenario.counters.values():
        at = [unit.id]
        spec = sides.get(unit.side)
        if spec is not None and unit.branch not in spec.branches:
            branches = tuple(spec.branches)
            yield c.error("counters.csv", at, "counters.branch", branch=unit.branch, side=unit.side, known=branches)
        elif spec is not None and not unit.id.startswith(f"{spec.prefix}-"):
            yield c.error("counters.csv", at, "counters.prefix", prefix=spec.prefix, side=unit.side)
        if unit.range is not None and unit.type not in game.classes.get(GUNS, ()):
            yield c.warning("counters.csv", at, "counters.no-gun", type=unit.type)
        reach = max(c.scenario.map.grid.columns, c.scenario.map.grid.rows)
        if unit.range is not None and not 1 <= unit.range <= reach:
            yield c.warning("counters.csv", [unit.id, "range"], "counters.range", range=unit.range, most=reach)
        steps = ((unit.attack, unit.defence), *unit.backs)
        if game.figures != "attack-defence-move" and any(attack != defence for attack, defence in steps):
            yield c.error("counters.csv", [unit.id, "defence"], "counters.one-strength", figures=game.figures)
        if len(unit.morale) > 1 + len(unit.backs) > 1:
            told = {"levels": len(unit.morale), "steps": 1 + len(unit.backs)}
            yield c.warning("counters.csv", [unit.id, "morale"], "counters.morales", **told)
        for what, full, reduced in _falls(unit):
            if reduced is not None and reduced > full:
                yield c.error("counters.csv", at, f"counters.reduced-{what}", reduced=reduced, full=full)


def _falls(unit: Counter) -> Iterator[tuple[str, int, int | None]]:
    """Each figure of a counter with what it is a step later, which is no more."""
    yield "attack", unit.attack, unit.reduced_attack
    yield "defence", unit.defence, unit.reduced_defence
    for before, after in pairwise(unit.backs):
        yield from (("attack", before[0], after[0]), ("defence", before[1], after[1]))


def weather_fills_the_turns(c: Checker) -> Iterator[Problem]:
    """Every turn has one weather where the game has weather at all."""
    game = c.scenario.game
    for turn in range(game.turns.first, game.turns.last + 1):
        kinds = [w for w, (a, b) in game.weather.items() if a <= turn <= b]
        if game.weather and len(kinds) != 1:
            yield c.error("game.yaml", ["weather"], "game.weather", turn=turn, count=len(kinds))


def options_can_be_judged(c: Checker) -> Iterator[Problem]:
    """The referee can judge by every choice of an option, and its default is among them."""
    for name, option in c.scenario.game.options.items():
        known_choices = OPTIONS.get(name, option.choices)
        for choice in option.choices:
            if choice not in known_choices:
                at = ["options", name, "choices"]
                yield c.error("game.yaml", at, "game.choice", choice=choice, known=known_choices)
        if option.default not in option.choices:
            at = ["options", name, "default"]
            yield c.error("game.yaml", at, "game.default", default=option.default, known=option.choices)


def gaps_lie_on_the_rim(c: Checker) -> Iterator[Problem]:
    """Hexes of the perimeter that no edge has lie on it."""
    rule = c.scenario.game.rules.combat.off_map
    for edge, hexes in rule.gaps.items() if rule is not None else ():
        for hex_ in hexes:
            if hex_ not in c.rim:
                yield c.error("game.yaml", ["rules", "combat", "off_map", "gaps", edge], "game.gap", hex=hex_)


def victory_can_be_scored(c: Checker) -> Iterator[Problem]:
    """No hex scores twice, and what exits and final losses count with is told."""
    victory, place = c.scenario.victory, c.scenario.map.place
    scored: dict[str, str] = {}
    for i, objective in enumerate(victory.objectives):
        for hex_, name in ((h, p) for p in objective.place if p in place for h in place[p].hexes):
            other = scored.setdefault(hex_, name)
            if other != name:
                told = partial(c.warning, "victory.yaml", ["objectives", i], "victory.scores-twice")
                yield told(hex=hex_, other=other, place=name)
    rules = c.scenario.game.rules.movement
    marked = {rule.place for rule in rules.passages} | ({rules.transit.place} if rules.transit else set())
    for i, exit_ in enumerate(victory.exits):
        if exit_.after_place is not None and exit_.after_place not in marked:
            yield c.error("victory.yaml", ["exits", i], "victory.not-marked", place=exit_.after_place)
    if victory.final_losses and victory.final_loss_every is None:
        yield c.error("victory.yaml", ["final_losses"], "victory.no-share")


def what_lies_beside_the_map_fits(c: Checker) -> Iterator[Problem]:
    """Markers, tracks and counts are sound."""
    yield from supplies_fit(c.scenario.game, c)


RULES: tuple[Rule, ...] = (
    what_lies_beside_the_map_fits,
    weather_fills_the_turns,
    options_can_be_judged,
    *MAP_RULES,
    tables_are_whole,
    modifiers_are_told_apart,
    modifiers_may_hold,
    overruns_name_a_column,
    phases_limit_what_is_done,
    sides_change_places,
    weather_dice_are_whole,
    nothing_lies_idle,
    choices_come_to_something,
    numbers_are_within_reach,
    rules_are_reached,
    choices_decide_something,
    what_is_said_is_met_with,
    nothing_stands_oddly,
    rules_speak_of_somebody,
    counters_are_of_this_game,
    *SETUP_RULES,
    victory_can_be_scored,
    gaps_lie_on_the_rim,
    *TEXT_RULES,
)
