"""Charts of a game: every table, the sequence of play, points, turns and the key to the counters, in any language.

`charts(scenario)` names them, `chart_svg` draws one. Sizes are pixels at scale 1.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from hexforge.modulegen.render import (
    charts_counters,
    charts_sequence,
    charts_tables,
    charts_terrain,
    charts_turns,
    charts_victory,
)
from hexforge.modulegen.render.charts_layout import Block, page
from hexforge.modulegen.render.templates import in_own_looks
from hexforge.modulegen.render.texts import words

if TYPE_CHECKING:
    from hexforge.scenarios.model import Scenario, Text

_CHARTS: dict[str, Callable[[Scenario, Text], Block]] = {
    "crt": charts_tables.crt,
    "terrain": charts_terrain.terrain,
    "bombardment": charts_tables.bombardment,
    "vulnerability": charts_tables.vulnerability,
    "air": charts_tables.air,
    "sequence": charts_sequence.sequence,
    "turns": charts_turns.turns,
    "victory": charts_victory.victory,
    "symbols": charts_counters.symbols,
}


@dataclass(frozen=True)
class Chart:
    """A chart drawn as SVG: its size in pixels and its title in its language."""

    id: str
    title: str
    svg: str
    width: int
    height: int


def charts(scenario: Scenario) -> tuple[str, ...]:
    """The charts that a game has, in the order in which players want them."""
    tables = scenario.tables
    has = {"air": tables.air, "bombardment": tables.bombardment, "vulnerability": tables.vulnerability}
    return tuple(c for c in _CHARTS if has.get(c, True))


@in_own_looks
def chart(scenario: Scenario, id_: str, language: str, scale: float = 1) -> Chart:
    """One chart in one language. Raises KeyError for a chart or language that the game lacks, or a missing text."""
    text = words(scenario, language)
    title = text[f"charts.{id_}.title"]
    game = text.get("title.name") or scenario.game.module.name
    svg, width, height = page(title, game, _CHARTS[id_](scenario, text), scale)
    return Chart(id_, title, svg, width, height)
