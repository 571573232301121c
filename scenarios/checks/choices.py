"""What is wrong with choices of game.yaml that tables and dice go with: overruns, weather by dice, rallies."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import pairwise

from hexforge.scenarios.checks.checker import Checker
from hexforge.scenarios.problems import Problem
from hexforge.scenarios.schema.dice import Dice, numbers
from hexforge.scenarios.schema.phases import Whole


def overruns_name_a_column(c: Checker) -> Iterator[Problem]:
    """The lowest column of an overrun is one of the result table."""
    known = c.scenario.tables.crt.columns
    for i, rule in enumerate(c.scenario.game.rules.movement.overruns):
        if rule.least not in known:
            at: list[str | int] = ["rules", "movement", "overruns", i, "least"]
            yield c.error("game.yaml", at, "game.no-column", name=rule.least, known=known)


def phases_limit_what_is_done(c: Checker) -> Iterator[Problem]:
    """What limits a phase limits something that is done in it."""
    for i, spec in enumerate(c.scenario.game.sequence):
        limits = {"contact": spec.contact != "any", "ways": spec.ways, "zones": spec.zones}
        limits |= {"entry": not spec.entry, "before": spec.before != "any", "marches": not spec.marches}
        limits["allowance"] = not isinstance(spec.allowance, Whole)
        for key in (name for name, given in limits.items() if given and spec.phase != "movement"):
            yield c.error("game.yaml", ["sequence", i, key], "game.phase-limit", key=key, phase=spec.phase)
        whose = {key: getattr(spec, key) for key in ("who", "marks", "barred_marks", "divisions")}
        for key in (k for k, given in whose.items() if given and spec.phase != "movement" and not spec.attacks):
            yield c.error("game.yaml", ["sequence", i, key], "game.phase-whose", key=key, phase=spec.phase)


def weather_dice_are_whole(c: Checker) -> Iterator[Problem]:
    """Every number that the dice of the weather can show has a weather, and only such; so have dice of rallies."""
    game = c.scenario.game
    if game.weather_die is not None:
        for i, row in enumerate(game.weather_die.rows):
            row_at: list[str | int] = ["weather_die", "rows", i]
            spans = [(row_at, row.shows), *(([*row_at, "areas", a], shows) for a, shows in row.areas.items())]
            for where, shows in spans:
                for problem in _uncovered(game.weather_die.dice, shows):
                    yield c.error("game.yaml", where, problem, dice=game.weather_die.dice)
        if game.weather:
            yield c.error("game.yaml", ["weather"], "game.weather-twice")
    for i, rule in enumerate(game.rules.marks):
        rally = rule.rally
        if rally is not None and rally.dice and rally.passes is None and not _shown(rally.dice, rally.shows):
            at: list[str | int] = ["rules", "marks", i, "rally"]
            yield c.error("game.yaml", at, "game.dice-never", dice=rally.dice, shows=rally.shows or "-")


def sides_change_places(c: Checker) -> Iterator[Problem]:
    """Dice for who goes first are whole, thrown once a turn, and either side then plays all of its phases."""
    game = c.scenario.game
    rule = game.order_die
    if rule is None:
        return
    for problem in _uncovered(rule.dice, rule.shows):
        yield c.error("game.yaml", ["order_die"], problem, dice=rule.dice)
    at = [i for i, spec in enumerate(game.sequence) if spec.phase == rule.phase]
    if len(at) != 1 or rule.phase in ("movement", "combat"):
        yield c.error("game.yaml", ["order_die", "phase"], "game.order-phase", phase=rule.phase, count=len(at))
        return
    sides = [spec.side for spec in game.sequence[at[0] + 1 :]]
    if sum(a != b for a, b in pairwise(sides)) != 1:
        yield c.warning("game.yaml", ["order_die"], "game.order-mixed")


def _shown(dice: str, shows: str) -> bool:
    try:
        return bool(shows) and set(numbers(shows)) <= set(Dice.of(dice).ways)
    except ValueError:
        return False


def _uncovered(dice: str, shows: Iterable[str]) -> Iterator[str]:
    try:
        named = [n for name in shows for n in numbers(name)]
    except ValueError:
        yield "game.dice-unread"
        return
    if sorted(named) != list(Dice.of(dice).ways):
        yield "game.dice-whole"
