"""Ways that a sheet leaves open: the cheapest that is legal, and where there is none what shuts them all."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Final, TypeAlias

from hexforge.scenarios.hexgrid import Hex
from hexforge.scenarios.words import Message, message
from hexforge.validator.readers.notation.statements import OPEN
from hexforge.validator.referee.findings import Finding
from hexforge.validator.referee.ground import HexStep
from hexforge.validator.referee.journey import Journey, complaint, travel
from hexforge.validator.referee.steps import HUGE
from hexforge.validator.referee.travel import Obstacle, Traveller, nearest_first, trail


@dataclass(frozen=True, slots=True)
class _Start:
    """Where a stretch begins: a hex, whether it is the first of the move, what the unit has passed."""

    hex: Hex
    first: bool
    passed: int


def _has_passed(one: Traveller, so_far: Sequence[Hex], *, entering: bool) -> int:
    passed: int = one.passed or any(h in one.gate for h in so_far)
    for i, (a, b) in enumerate(pairwise(so_far)):
        passed = one.after(a, b, first=i == 0 and not entering, passed=passed)
    return passed


def fill(
    travellers: Sequence[Traveller], path: Sequence[str], line: int, entry: HexStep | None = None
) -> tuple[tuple[Hex, ...], list[Finding]]:
    """A path with its open stretches filled in by the cheapest way that is legal for the whole stack.

    Where there is none the hexes stay apart, and a finding says so. `entry` is the dearest step into the first hex
    of units that come on the map.
    """
    full: list[Hex] = [path[0]]
    findings: list[Finding] = []
    for i, word in enumerate(path[1:], 1):
        if word == OPEN:
            continue
        if path[i - 1] != OPEN:
            full.append(word)
            continue
        way = _way(travellers, full, word, entry)
        if way is None:
            findings.append(_no_way(travellers, line, full, word, entering=entry is not None))
            full.append(word)
        else:
            full += way[1:]
    return tuple(full), findings


def _no_way(
    travellers: Sequence[Traveller], line: int, so_far: Sequence[Hex], goal: Hex, *, entering: bool
) -> Finding:
    """Why a stretch left open cannot be filled: what shuts the way that comes nearest to being lawful."""
    one, company, ids = travellers[0], travellers[1:], tuple(t.unit.id for t in travellers)
    ctx, a = one.ctx, so_far[-1]
    if goal in one.held:
        return ctx.found(line, "enemy-occupied", hexes=(a, goal), units=ids, hex=goal)
    start = _Start(a, first=len(so_far) == 1 and not entering, passed=_has_passed(one, so_far, entering=entering))
    best = best_case(one, company, start, goal)
    found = ctx.found(line, "no-way", hexes=(a, goal), units=ids, doubts=(best[1] if best else None,), a=a, b=goal)
    trouble = least_trouble(one, company, start, goal)
    if trouble is None:
        return found
    why = complaint(one, line, ids, trouble)
    said = message("findings.no-way-because", a=a, b=goal, why=why.message)
    hexes = tuple(dict.fromkeys((a, goal, *why.hexes)))
    return replace(found, rule=why.rule, code=why.code, message=said, hexes=hexes)


def relaxed(travellers: Sequence[Traveller], words: Sequence[str], journey: Journey, which: int) -> Journey:
    """A journey along ways left open; its floor is that of the best way on whatever the reconstructed ground is."""
    one = travellers[which]
    if OPEN not in words or not one.ctx.map.printed or journey.floor <= one.allowance:
        return journey
    others = (*travellers[:which], *travellers[which + 1 :])
    floor, datum, first, a = 0, None, True, words[0]
    for before, word in pairwise(words):
        if word == OPEN:
            continue
        if before == OPEN:
            best = best_case(one, others, _Start(a, first=first, passed=one.passed), word)
            if best is None:
                return journey
            floor, datum = floor + best[0], datum or best[1]
        elif one.ctx.map.grid.adjacent(a, word):
            step, extra, _ = one.step(a, word, first=first, passed=one.passed)
            floor, datum = floor + step.floor + extra, datum or step.doubt
        first, a = False, word
    return replace(journey, floor=floor, doubt=datum or journey.doubt) if floor < journey.floor else journey


def told_shut(travellers: Sequence[Traveller], words: Sequence[str], journey: Journey, which: int) -> Journey:
    """A journey along ways left open, with the zone that shuts the way which its allowance would do for."""
    one = travellers[which]
    if OPEN not in words or journey.gaps or journey.cost <= one.allowance:
        return journey
    others = (*travellers[:which], *travellers[which + 1 :])
    spent, bar, so_far = 0, None, [words[0]]
    for before, word in pairwise(words):
        if word == OPEN:
            continue
        here, first = so_far[-1], len(so_far) == 1
        stack = _Shut(one, others, _Start(here, first, _has_passed(one, so_far, entering=False)))
        found = stack.cheapest(word, _through_zones) if before == OPEN else (0, (here, word))
        if found is None:
            return journey
        steps = list(stack.along(found[1]))
        # What breaking contact costs besides is in the weight of a way that was looked for.
        spent += found[0] or sum(step.cost for step, _, _, _ in steps)
        for _, barriers, a, b in steps:
            bar = bar or next(((barrier, a, b) for barrier in barriers), None)
        so_far += found[1][1:]
    return replace(journey, bar=bar) if bar is not None and spent <= one.allowance else journey


def _through_zones(step: HexStep, extra: int, barriers: list[Obstacle]) -> int | None:
    return step.cost + extra if all(barrier.key in _OF_ZONES for barrier in barriers) else None


_OF_ZONES: Final = ("zone-to-zone", "zone-again", "zone-hold", "zone-shut", "must-stop")


def _way(
    travellers: Sequence[Traveller], so_far: Sequence[Hex], goal: Hex, entry: HexStep | None
) -> tuple[Hex, ...] | None:
    start, entering = so_far[-1], entry is not None
    first = len(so_far) == 1 and not entering
    ways: list[tuple[int, int, tuple[Hex, ...]]] = []
    # A mixed stack takes a way that all of them may go, the one that strains its members least.
    for i, one in enumerate(travellers):
        others = (*travellers[:i], *travellers[i + 1 :])
        before = travel(one, so_far, entry).cost
        passed = _has_passed(one, so_far, entering=entering)
        for cost, here, way in one.explore(start, others, first=first, passed=passed, spent=before, limit=HUGE):
            if here == goal and (len(way) > 1 or goal == start):
                whole = (*so_far, *way[1:])
                over = max(travel(t, whole, entry).cost - t.allowance for t in travellers)
                ways.append((over, cost, way))
                break
    return min(ways)[2] if ways else None


# ------------------------------------------------------------------------------------ ways that are shut


class _Shut:
    """The steps of a stack on its way from a start, with all that forbids them to one of it."""

    def __init__(self, one: Traveller, company: Sequence[Traveller], start: _Start) -> None:
        self.one, self.company, self.start = one, company, start

    def step(self, a: Hex, b: Hex, *, first: bool, passed: int) -> tuple[HexStep, int, list[Obstacle]]:
        """The ground's step, what breaking contact costs besides, and what forbids the step."""
        step, extra, barriers = self.one.step(a, b, first=first, passed=passed)
        for mate in self.company:
            barriers += mate.step(a, b, first=first, passed=passed)[2]
        return step, extra, barriers

    def cheapest(self, goal: Hex, weigh: _Weigh) -> tuple[int, tuple[Hex, ...]] | None:
        """The weight and the way that a way of weighing finds the lightest; None if it finds none."""

        def price(a: Hex, b: Hex, *, first: bool, passed: int) -> int | None:
            return weigh(*self.step(a, b, first=first, passed=passed))

        one, start = self.one, self.start
        near = one.ctx.map.grid.neighbours
        after = trail((one, *self.company))
        found = nearest_first(near, start.hex, price, one.gate, first=start.first, passed=start.passed, after=after)
        return next(((weight, way) for weight, here, way in found if here == goal), None)

    def along(self, way: Sequence[Hex]) -> Iterator[tuple[HexStep, list[Obstacle], Hex, Hex]]:
        """Each step of a way with what forbids it."""
        passed = self.start.passed
        for i, (a, b) in enumerate(pairwise(way)):
            step, _, barriers = self.step(a, b, first=self.start.first and i == 0, passed=passed)
            yield step, barriers, a, b
            passed = self.one.after(a, b, first=self.start.first and i == 0, passed=passed)


_Weigh: TypeAlias = Callable[[HexStep, int, list[Obstacle]], "int | None"]
"""What a step counts in a search: None if the search may not take it."""


def best_case(
    one: Traveller, company: Sequence[Traveller], start: _Start, goal: Hex
) -> tuple[int, Message | None] | None:
    """The least that a way could cost (halves) if reconstructed ground were the best there is, and a datum of it.

    None if nothing but what is printed, or the enemy, bars every way to one of the stack.
    """

    def weigh(step: HexStep, extra: int, barriers: list[Obstacle]) -> int | None:
        return step.floor + extra if all(barrier.doubt for barrier in barriers) else None

    stack = _Shut(one, company, start)
    found = stack.cheapest(goal, weigh)
    if found is None:
        return None
    steps = list(stack.along(found[1]))
    shut = (barrier.doubt for _, barriers, _, _ in steps for barrier in barriers)
    return found[0], next((d for d in (*shut, *(step.doubt for step, _, _, _ in steps)) if d), None)


def least_trouble(
    one: Traveller, company: Sequence[Traveller], start: _Start, goal: Hex
) -> tuple[Obstacle, Hex, Hex] | None:
    """The first obstacle of the way on which the fewest stand; None if the hexes are not joined at all."""

    def weigh(step: HexStep, extra: int, barriers: list[Obstacle]) -> int:
        return len({barrier.key for barrier in barriers}) * HUGE + min(step.cost, HUGE // 1000) + extra

    stack = _Shut(one, company, start)
    found = stack.cheapest(goal, weigh)
    steps = stack.along(found[1]) if found else ()
    return next(((barriers[0], a, b) for _, barriers, a, b in steps if barriers), None)
