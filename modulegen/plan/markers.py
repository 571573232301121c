"""Markers of the palette, toolbar icons, and charts."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from hexforge.modulegen.plan.arrivals import anybody_enters
from hexforge.modulegen.plan.chores import icons
from hexforge.modulegen.plan.combats import works_out
from hexforge.modulegen.plan.deployment import fixed
from hexforge.modulegen.plan.pictures import Picture
from hexforge.modulegen.plan.values import ChartPlan, MarkerPlan

if TYPE_CHECKING:
    from hexforge.modulegen.words import ModuleWords
    from hexforge.scenarios.model import Scenario

MOVED_IMAGE = "moved.png"
MOVED_SIZE = 20
"""Pixels of a mark on a counter, at scale 1."""
_INSIDE = 0.2
"""How much of a mark lies on its counter: no more than the margin that every face leaves empty."""
TRACKED, TRACK_SHARE = ("turn", "air_x1", "air_x10"), 0.54
"""The markers that stand on tracks, and how much smaller than counters they are, beside the number of a box."""
COMBAT_MARKS = ("attack", "support", "guard", "target", "shown", "retreat", "due", "leaves", "rail")
COMBAT_IMAGES = tuple(f"{mark}.png" for mark in COMBAT_MARKS)
"""The marks of counters that fight, in the order of the property `Role` from 1 on."""
ICONS: tuple[str, ...] = (
    "air",
    "air_die",
    "air_down",
    "air_up",
    "airstrike",
    "arrive",
    "bombard",
    "charts",
    "clear",
    "counters",
    "depart",
    "dice_1",
    "dice_2",
    "guns",
    "hide",
    "inventory",
    "los",
    "losses",
    "markers",
    "notes",
    "offboard",
    "overrun",
    "overview",
    "picture",
    "preview",
    "reinforcements",
    "setup",
    "shift",
    "show",
    "sides",
    "text",
    "tracks",
    "turn",
    "undo",
    "unmoved",
    "weather",
    "zoom",
    "zoom_in",
    "zoom_out",
)


def beside(size: int, scale: float) -> int:
    """Pixels from the middle of a counter of `size` pixels to that of a mark at its right or left.

    There a hex is widest, and no neighbour's counter lies: a mark covers neither figures nor names, of a stack each
    shows its own, and hexes are numbered at their tops.
    """
    return size // 2 + round(MOVED_SIZE * scale * (0.5 - _INSIDE))


def icon(name: str) -> str:
    """The image of a toolbar icon. Raises ValueError for one that is not among ICONS."""
    if name not in ICONS:
        raise ValueError(f"{name!r} is none of the toolbar's icons")
    return f"icon-{name}.png"


def icons_of(scenario: Scenario) -> list[str]:
    """The icons that the toolbars of a game need."""
    absent = set() if has_air(scenario) else {"air", "air_down", "air_up"}
    absent |= set() if air_by_die(scenario) else {"air_die"}
    absent |= set() if scenario.tables.bombardment is not None else {"bombard"}
    absent |= set() if may_strike(scenario) else {"airstrike"}
    absent |= set() if scenario.game.rules.combat.artillery.offboard else {"offboard"}
    absent |= set() if any(not fixed(p) for p in scenario.setup.at_start) else {"setup", "undo"}
    absent |= set() if scenario.game.tracks else {"tracks"}
    absent |= set() if scenario.setup.reinforcements and anybody_enters(scenario) else {"arrive"}
    absent |= set() if scenario.setup.withdrawals else {"depart"}
    absent |= {"weather", "overrun"} - icons(scenario)
    absent |= set() if works_out(scenario) else {"preview", "guns"}
    absent |= set() if any(c.range is not None for c in scenario.counters.values()) else {"guns"}
    return [name for name in ICONS if name not in absent]


def may_strike(scenario: Scenario) -> bool:
    """Whether aircraft may attack alone: there are some, and a table for what they do."""
    rules = scenario.game.rules.combat
    return has_air(scenario) and rules.air is not None and scenario.tables.bombardment is not None


def has_air(scenario: Scenario) -> bool:
    """Whether the game counts air points."""
    return any(row.points for row in scenario.tables.air)


def air_by_die(scenario: Scenario) -> bool:
    """Whether a die decides how many air points a turn brings."""
    return has_air(scenario) and any(row.die is not None for row in scenario.tables.air)


def icon_pictures(scenario: Scenario, scale: float) -> Iterator[Picture]:
    """The icons of the toolbars, which do not grow with the board, and the mark of a counter that has moved."""
    from hexforge.modulegen.render.markers import ICON_SIZE, icon_svg

    for name in icons_of(scenario):
        yield Picture(icon(name), icon_svg(name), ICON_SIZE**2, colours=0)
    size = round(MOVED_SIZE * scale)
    yield Picture(MOVED_IMAGE, icon_svg("moved_mark", size=size), size**2, colours=0)
    for mark, image in zip(COMBAT_MARKS, COMBAT_IMAGES, strict=True):
        yield Picture(image, icon_svg(f"mark_{mark}", size=size), size**2, colours=0)


def markers(scenario: Scenario, words: ModuleWords, first_gpid: int) -> tuple[MarkerPlan, ...]:
    """The markers of a game, with slot numbers from `first_gpid` on."""
    from hexforge.modulegen.render.markers import marker_name
    from hexforge.scenarios.markers import markers as needed

    return tuple(
        MarkerPlan(
            id=marker.id,
            name=marker_name(scenario, marker.faces[0], words.language),
            gpid=number,
            faces=marker.faces,
            face_names=tuple(marker_name(scenario, face, words.language) for face in marker.faces),
        )
        for number, marker in enumerate(needed(scenario), first_gpid)
    )


def marker_pictures(
    scenario: Scenario, plans: tuple[MarkerPlan, ...], language: str, scale: float, size: int
) -> Iterator[Picture]:
    """Every face of the markers."""
    from hexforge.modulegen.render.markers import marker_svg

    for plan in plans:
        own = scale * (TRACK_SHARE if plan.id in TRACKED else 1)
        for face, image in zip(plan.faces, plan.images, strict=True):
            yield Picture(image, marker_svg(scenario, face, language, scale=own), size**2, colours=0)


def charts(scenario: Scenario, language: str) -> tuple[ChartPlan, ...]:
    """All tables of a game in its own languages and the module's."""
    from hexforge.modulegen.render import charts as render
    from hexforge.modulegen.render.texts import words

    texts = {code: words(scenario, code) for code in dict.fromkeys((*scenario.texts, language))}
    return tuple(
        ChartPlan(id_, text.get(f"charts.{id_}.tab") or text.get(f"charts.{id_}.title", id_), code)
        for code, text in texts.items()
        for id_ in render.charts(scenario)
    )


def chart_pictures(scenario: Scenario, plans: tuple[ChartPlan, ...], scale: float) -> Iterator[Picture]:
    """Every chart. Raises ScenarioError for a text that one lacks."""
    from hexforge.modulegen.render.charts import chart
    from hexforge.scenarios.problems import Problem, ScenarioError
    from hexforge.scenarios.words import message

    for plan in plans:
        try:
            drawn = chart(scenario, plan.id, plan.language, scale)
        except KeyError as error:
            file = scenario.folder / f"text.{plan.language}.yaml"
            what = message("modulegen.draw.no-text", chart=plan.id)
            raise ScenarioError([Problem(str(file), 0, str(error.args[0]), what)]) from error
        yield Picture(plan.image, drawn.svg, drawn.width * drawn.height, colours=0)
