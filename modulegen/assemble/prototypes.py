"""Traits that pieces share, written once, as prototypes; and pieces made of them.

Outermost trait first. A set-up carries its pieces with the prototypes expanded, as VASSAL's own saves do.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING

from ...scenarios.schema.base import spans_of
from ..plan import battlefield
from ..plan.battlefield import leaves, recovers, standing
from ..plan.markers import MOVED_IMAGE, MOVED_SIZE, beside
from ..vassal import traits
from . import air, turns
from .combat import counters, figures, odds, reports, steps, tasks
from .combat.reports import KEY_BACK, KEY_ELIMINATE, KEY_RECOVER, KEY_REDUCE
from .expressions import KEY_LEAVE, KEY_MOVED, quoted

if TYPE_CHECKING:
    from ..plan import Plan
    from ..plan.markers import MarkerPlan, UnitPlan
    from ..render.templates import ModuleWords


KEY_TRAIL, KEY_ZOC, KEY_RANGE = traits.ctrl("T"), counters.KEY_ZOC, traits.ctrl("G")
KEY_CLONE, KEY_DELETE, KEY_NEXT = traits.ctrl("C"), traits.ctrl("D"), traits.ctrl("F")

DECLARATIONS = ("target", "attack", "support", "guard")
OF_GUNS = ("support", "guard", "range")
"""Entries that no unit has in a game without guns."""
_COMBAT = (counters.KEY_TARGET, counters.KEY_ATTACK, counters.KEY_SUPPORT, counters.KEY_GUARD)
_ON_MAP = (*_COMBAT, reports.KEY_ADVANCE, reports.KEY_RETREAT, KEY_ELIMINATE, KEY_LEAVE, KEY_ZOC, KEY_RANGE)
_OF_GUNS = (counters.KEY_SUPPORT, counters.KEY_GUARD, KEY_RANGE)

UNIT, STEPS, GUN, LINE, MARKER, FACES = "Unit", "Steps", "Gun", "Line", "Marker", "Faces"

_MARKS = ("", " 2", " 3", " 4", " 5")
"""What stands behind the word for a reduced unit, by the steps that it has lost."""

Traits = tuple[traits.Trait, ...]


def side_prototype(side: str) -> str:
    """The name of the prototype of a side's units."""
    return f"Side {side}"


def has_steps(plan: Plan) -> bool:
    """Whether any unit has a step to lose before its last."""
    return any(len(u.images) > 1 for u in plan.units.values())


def has_guns(plan: Plan) -> bool:
    """Whether any unit shoots at a distance."""
    return any(u.counter.range is not None for u in plan.units.values())


def prototypes(plan: Plan) -> dict[str, Traits]:
    """All prototypes by name, each without its basic piece. One uses only those before it."""
    words = plan.words
    found: dict[str, Traits] = {UNIT: _unit(plan)}
    if has_steps(plan):
        found[STEPS] = _steps(plan)
    if any(u.counter.range is None for u in plan.units.values()):
        found[LINE] = counters.role(plan, gun=False)
    if has_guns(plan):
        found[GUN] = (
            *counters.role(plan, gun=True),
            traits.AreaOfEffect(
                color=(40, 90, 200),
                opacity=20,
                always_active=False,
                menu=words("menu.range"),
                key=KEY_RANGE,
                fixed_radius=False,
                radius_property="Range",
                name="RangeArea",
            ),
        )
    if plan.markers:
        found[MARKER] = (*reports.of_markers(plan), *copying(words))
    if any(len(marker.images) > 1 for marker in plan.markers):
        found[FACES] = (traits.ReportState((KEY_NEXT,), f"{words('tracks.turned')} *"),)
    if air.shown(plan):
        found[air.MARKER] = air.prototype(plan)
    if plan.suggested:
        found[turns.CHOICE] = turns.prototype(plan)
    found |= dict(tasks.prototypes(plan))
    for spec in plan.scenario.game.sides:
        found[side_prototype(spec.id)] = (
            traits.UsePrototype(UNIT),
            *(_leaving(plan) if leaves(plan.scenario) else ()),
        )
    for unit in plan.units.values():
        shared = _shared(plan, unit)
        found.setdefault(_kind(shared), tuple(map(traits.UsePrototype, shared)))
    return found


def _shared(plan: Plan, unit: UnitPlan) -> tuple[str, ...]:
    """The prototypes that a unit has, the outermost first: what hides an entry of the menu stands before what
    reports it."""
    return (
        *((STEPS,) if len(unit.images) > 1 else ()),
        *turns.shared(plan, unit),
        *tasks.shared(plan, unit),
        side_prototype(unit.counter.side),
        LINE if unit.counter.range is None else GUN,
    )


def _kind(shared: tuple[str, ...]) -> str:
    """The prototype of all units that have the same prototypes: VASSAL opens slower for each trait of a slot."""
    return " + ".join(shared)


def copying(words: ModuleWords) -> Traits:
    """What makes another marker of its kind, and what takes one away, both told in the chat."""
    return (
        traits.ReportState((KEY_CLONE,), f"{words('tracks.copied')} *"),
        traits.ReportState((KEY_DELETE,), f"{words('tracks.removed')} *"),
        traits.Clone(words("menu.clone"), KEY_CLONE),
        traits.Delete(words("menu.delete"), KEY_DELETE),
    )


def _menu(plan: Plan) -> Iterator[traits.Trait]:
    """The order of the menu: what belongs together in submenus, what cannot be done here not at all."""
    words, away, guns = plan.words, quoted(plan.losses.name), has_guns(plan)
    keys = tuple(key for key in _ON_MAP if guns or key not in _OF_GUNS)
    # Who waits for the turn of arrival neither fights nor falls nor leaves.
    yield traits.RestrictCommands("Off the map", "Hide", f"{{CurrentMap != {quoted(words('map.main'))}}}", keys)
    yield traits.RestrictCommands("On the map", "Hide", f"{{CurrentMap != {away}}}", (KEY_BACK,))
    if exerts := figures.own_zone(plan):
        yield traits.RestrictCommands("No zone", "Hide", f"{{!({exerts})}}", (KEY_ZOC,))
    # Off the map nobody goes by a slip of the mouse.
    away_with = ("eliminate", "leave") if leaves(plan.scenario) else ("eliminate",)
    for menu, names in (
        ("combat", DECLARATIONS),
        ("show", (_zoc(plan), "range", "trail")),
        ("remove", away_with),
    ):
        entries = tuple(words(f"menu.{name}") for name in names if guns or name not in OF_GUNS)
        yield traits.SubMenu(words(f"menu.{menu}"), entries)


def _zoc(plan: Plan) -> str:
    """What the six hexes around a counter are called: not its zone where that does not reach into all of them, for
    VASSAL can highlight no fewer."""
    return "zoc" if figures.reaches_all(plan) else "zoc_around"


def _unit(plan: Plan) -> Traits:
    words = plan.words
    sheet = plan.losses.name
    return (
        *_menu(plan),
        *counters.unit(plan),
        traits.SendToLocation(
            menu=words("menu.eliminate"),
            key=KEY_ELIMINATE,
            map_name=sheet,
            board=sheet,
            x="$BoxX$",
            y="$BoxY$",
            back_menu=words("menu.back"),
            back_key=KEY_BACK,
            destination="L",
        ),
        traits.Footprint(
            key=KEY_TRAIL,
            menu=words("menu.trail"),
            radius=6,
            fill=(255, 255, 255),
            line=(30, 30, 30),
            line_width=3.0,
        ),
        traits.MovementMarkable(
            image=MOVED_IMAGE,
            x=beside(plan.size, plan.scale) - round(MOVED_SIZE * plan.scale / 2),
            y=-round(MOVED_SIZE * plan.scale / 2),
            menu=words("menu.moved"),
            key=KEY_MOVED,
            ignore_same_location=True,
        ),
        traits.AreaOfEffect(
            color=(200, 40, 40),
            opacity=20,
            radius=1,
            always_active=False,
            menu=words(f"menu.{_zoc(plan)}"),
            key=KEY_ZOC,
            name="ZocArea",
        ),
        traits.CalculatedProperty("Attack", _strength("Attack")),
        traits.CalculatedProperty("Defence", _strength("Defence")),
    )


def _strength(kind: str) -> str:
    """What a counter of two steps at most has at its step."""
    return f"{{Step_Level == 2 ? Reduced{kind} : Full{kind}}}"


def _at_steps(unit: UnitPlan, kind: str) -> tuple[list[tuple[str, str]], str]:
    """What a counter has at its step: cases, each a condition and a property, and what it has else."""
    later = [(f"Step_Level == {level}", f"Step{level}{kind}") for level in range(3, len(unit.images) + 1)]
    return [("Step_Level == 2", f"Reduced{kind}"), *later], f"Full{kind}"


def _deep(unit: UnitPlan) -> Iterator[traits.Trait]:
    """What a counter has of more steps than its prototype knows."""
    for kind in ("Attack", "Defence") if len(unit.images) > 2 else ():
        cases, found = _at_steps(unit, kind)
        for when, value in reversed(cases):
            found = f"{when} ? {value} : {found}"
        yield traits.CalculatedProperty(kind, f"{{{found}}}")


def _weakened(plan: Plan, unit: UnitPlan) -> Iterator[traits.Trait]:
    """What a counter has whose type some turns weaken: less than its prototype says then."""
    c, scenario = unit.counter, plan.scenario
    rules = [
        share
        for rule in scenario.modifiers.strengths
        if (share := standing(scenario, rule))
        and share.side == c.side
        and battlefield.of_types(scenario, c, share.types)
    ]
    for kind in ("Attack", "Defence") if rules else ():
        cases, full = _at_steps(unit, kind)
        found = " : ".join((*(f"{when} ? {value}" for when, value in cases), full))
        whole = " && ".join(when.replace("==", "!=") for when, _ in cases)
        for rule in reversed(rules):
            spans = [f"{steps.TURN} >= {first} && {steps.TURN} <= {last}" for first, last in spans_of(rule.turns)]
            now = spans[0] if len(spans) == 1 else f"({' || '.join(f'({span})' for span in spans)})"
            for when, value in ((whole, full), *cases):
                found = f"{now} && {when} ? ({value} + {rule.share - 1}) / {rule.share} : {found}"
        yield traits.CalculatedProperty(kind, f"{{{found}}}")


def _leaving(plan: Plan) -> Traits:
    """Off the map, into the side's own box; back as the eliminated, for VASSAL keeps one way back for a piece."""
    sheet = plan.losses.name
    return (
        traits.SendToLocation(
            menu=plan.words("menu.leave"),
            key=KEY_LEAVE,
            map_name=sheet,
            board=sheet,
            x="$LeftX$",
            y="$LeftY$",
            destination="L",
        ),
    )


def _steps(plan: Plan) -> Traits:
    back = recovers(plan.scenario)
    last = "Steps" if max(len(u.images) for u in plan.units.values()) > 2 else "2"
    away = f"CurrentMap == {quoted(plan.losses.name)}"
    return (
        traits.RestrictCommands("Reduced", "Hide", f"{{Step_Level == {last} || {away}}}", (KEY_REDUCE,)),
        *(
            [traits.RestrictCommands("Full", "Hide", f"{{Step_Level == 1 || {away}}}", (KEY_RECOVER,))]
            if back
            else []
        ),
        *reports.steps(plan, several=last != "2", back=back),
    )


def unit_traits(plan: Plan, unit: UnitPlan) -> Traits:
    """The traits of a unit's slot: its prototypes, its faces, its own properties."""
    c, words = unit.counter, plan.words
    two, back = len(unit.images) > 1, recovers(plan.scenario)
    name = words.name(c)
    box_x, box_y = plan.losses.place[c.id][1]
    left_x, left_y = plan.losses.left(c.id)
    layer = traits.Layer(
        name="Step",
        images=unit.images,
        level_names=("", *(f"+ ({words('reduced')}{mark})" for mark in _MARKS[: len(unit.images) - 1]))
        if two
        else (),
        loop=False,
        increase_menu=words("menu.reduce") if two else "",
        increase_key=KEY_REDUCE if two else None,
        decrease_menu=words("menu.recover") if two and back else "",
        decrease_key=KEY_RECOVER if two and back else None,
    )
    camps = [spec.id for spec in plan.scenario.game.sides]
    own = traits.Marker.of(
        Side=c.side,
        SideName=words.side(c.side),
        Camp=camps.index(c.side) + 1,
        UnitId=c.id,
        Label=c.id,
        Type=c.type,
        Size=c.size,
        Regiment=c.regiment,
        Division=c.division,
        Corps=c.corps,
        Move=c.move,
        Range="" if c.range is None else c.range,
        Steps=len(unit.images),
        FullAttack=c.attack,
        FullDefence=c.defence,
        ReducedAttack=_reduced(plan, c.attack, c.reduced_attack),
        ReducedDefence=_reduced(plan, c.defence, c.reduced_defence),
        **_later(unit),
        BoxX=box_x,
        BoxY=box_y,
        LeftX=left_x,
        LeftY=left_y,
        **turns.markers(plan, unit),
        **tasks.markers(plan, unit),
        **counters.combat_markers(plan, unit),
        **counters.markers(plan, unit),
    )
    # VASSAL copies all that lies within a trait when it reads it: the longest is the outermost.
    kind = traits.UsePrototype(_kind(_shared(plan, unit)))
    return (
        own,
        *_deep(unit),
        *_weakened(plan, unit),
        *odds.weighed(plan, unit),
        kind,
        layer,
        traits.BasicPiece(name=name),
    )


def _later(unit: UnitPlan) -> dict[str, int]:
    """Figures of the third step and of those after it."""
    found: dict[str, int] = {}
    for level, (attack, defence) in enumerate(unit.counter.further, 3):
        found |= {f"Step{level}Attack": attack, f"Step{level}Defence": defence}
    return found


def _reduced(plan: Plan, full: int, reduced: int | None) -> int:
    """What a back shows; an unknown one has a share of the front, rounded up."""
    return -(-full // (plan.scenario.game.rules.unknown_back or 1)) if reduced is None else reduced


def marker_traits(plan: Plan, marker: MarkerPlan) -> Traits:
    """The traits of a marker's slot."""
    inner: list[traits.Trait] = [traits.UsePrototype(MARKER)]
    image = marker.images[0]
    if len(marker.images) > 1:
        image = ""
        inner.append(traits.UsePrototype(FACES))
        inner.append(
            traits.Layer(
                name="Face",
                images=marker.images,
                level_names=marker.face_names,
                increase_menu=plan.words("menu.next"),
                increase_key=KEY_NEXT,
            )
        )
    inner += [*turns.marker_traits(plan, marker), *air.marker_traits(plan, marker)]
    # Without figures of its own a marker makes VASSAL doubt the sums of the stack that it lies in.
    inner.append(traits.Marker.of(MarkerId=marker.id, Label=marker.name, Attack=0, Defence=0))
    return (*inner, traits.BasicPiece(image=image, name=marker.name))


def expand(piece: Sequence[traits.Trait], known: Mapping[str, Traits]) -> Traits:
    """The same piece with its prototypes' traits in their places. Raises KeyError for an unknown prototype."""
    found: list[traits.Trait] = []
    for trait in piece:
        if isinstance(trait, traits.UsePrototype):
            found += expand(known[trait.name], known)
        else:
            found.append(trait)
    return tuple(found)
