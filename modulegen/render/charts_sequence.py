"""The sequence of play as a chart: phases of a turn, who acts in each and how far, and what is done in it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING

from hexforge.modulegen.render.bound_words import bound_words
from hexforge.modulegen.render.charts_layout import (
    Block,
    Canvas,
    FilledRect,
    Paragraph,
    SideBySide,
    Stack,
    TextLine,
    colours,
)
from hexforge.modulegen.render.counters import side_colours
from hexforge.modulegen.render.phase_words import phase_steps
from hexforge.modulegen.render.supply_words import supply_words
from hexforge.modulegen.render.texts import halves_words
from hexforge.modulegen.render.who_words import (
    Whose,
    area_name,
    mark_name,
    row_of,
    side_name,
    turns_words,
    weather_words,
)

if TYPE_CHECKING:
    from hexforge.scenarios.model import Scenario, Text
    from hexforge.scenarios.schema.phases import PhaseSpec

_STEPS = 6
"""At most so many steps of a phase are looked for in the texts."""
_ACROSS = 4
"""So many runs of phases stand side by side, or fewer."""


@dataclass(frozen=True)
class _Banner:
    """A bar in a side's colour with a number and a heading."""

    number: int
    text: str
    fill: str
    ink: str

    @property
    def width(self) -> float:
        return 320

    def height(self, width: float) -> float:
        return 34

    def draw(self, canvas: Canvas, x: float, y: float, width: float) -> None:
        canvas.rects.append(FilledRect(x, y, width, 34, self.fill, colours()["frame"], 4))
        canvas.rects.append(FilledRect(x + 5, y + 5, 24, 24, self.ink, "", 12))
        canvas.texts.append(TextLine(x + 17, y + 23, str(self.number), 17, self.fill, 700, "middle"))
        canvas.texts.append(TextLine(x + 40, y + 23.5, self.text, 18, self.ink, 700))


def sequence(scenario: Scenario, text: Text) -> Block:
    """Phases of a turn in order, a column for each player's run of phases."""
    runs: list[list[Block]] = []
    before, played = "", scenario.game.sequence
    for number, spec in enumerate(played, 1):
        if spec.side != before:
            runs.append([])
            before = spec.side
        fill, ink = side_colours(scenario, spec.side)
        name = text.get(f"phases.{spec.phase}", spec.phase)
        alike = [n for n, p in enumerate(played, 1) if (p.side, p.phase) == (spec.side, spec.phase)]
        phase = text["charts.sequence.phase"].format(phase=name)
        phase = f"{phase} {alike.index(number) + 1}" if len(alike) > 1 else phase
        runs[-1].append(_Banner(number, f"{side_name(text, spec.side)} · {phase}", fill, ink))
        own = [text.get(f"phase_steps.{spec.phase}_{i}") for i in range(1, _STEPS + 1)]
        # A game that tells its steps in its own words has no need of ours.
        steps = own if any(own) else phase_steps(scenario, text, number - 1)
        told = [Paragraph(s, key="•", key_width=16, least=340) for s in steps if s]
        limits = _limits(scenario, spec, text)
        who = [Paragraph(limits, soft=True, least=340)] if limits else []
        runs[-1].append(Stack([*who, *told], gap=3))
    # Columns of equal shape, so that the same phases stand level; more than a page takes go on below.
    tiers = -(-len(runs) // _ACROSS)
    across = -(-len(runs) // tiers)
    rows = [row for at in range(0, len(runs), across) for row in _level(runs[at : at + across])]
    return Stack(
        [
            *rows,
            *_first(scenario, text),
            *_weather(scenario, text),
            *(Paragraph(said) for said in supply_words(scenario, text)),
            Stack([Paragraph(said) for said in bound_words(scenario, text)], gap=5),
            Paragraph(text["charts.sequence.end"], soft=True),
        ],
        gap=16,
    )


def _level(runs: Sequence[Sequence[Block]]) -> Iterator[Block]:
    """Runs of phases side by side, phase by phase; each is two blocks, of which a run may have fewer."""
    for i in range(0, max(map(len, runs)), 2):
        yield SideBySide([Stack(run[i : i + 2] or [Paragraph("", least=340)], gap=8) for run in runs], even=True)


def _first(scenario: Scenario, text: Text) -> Iterator[Block]:
    """Who goes first, where dice say it."""
    rule = scenario.game.order_die
    if rule is not None:
        rows = "; ".join(f"{shown} {side_name(text, side)}" for shown, side in rule.shows.items())
        yield Paragraph(text["charts.sequence.first"].format(dice=rule.dice, rows=rows))


def _weather(scenario: Scenario, text: Text) -> Iterator[Block]:
    """What the dice make of the weather, by turns, on the map and in areas with a weather of their own."""
    rule = scenario.game.weather_die
    for row in rule.rows if rule else ():
        told = "; ".join(
            (f"{area_name(scenario, text, area)}: " if area else "")
            + ", ".join(f"{shown} {weather_words(text, [weather])}" for shown, weather in shows.items())
            for area, shows in (("", row.shows), *row.areas.items())
        )
        when = turns_words(text, row.turns) if row.turns else ""
        key = "weather" if when or len(rule.rows if rule else ()) == 1 else "weather_else"
        if not row.areas and len(row.shows) == 1:
            # One alone needs no dice.
            key, told = f"{key}_fixed", weather_words(text, list(row.shows.values()))
        said = {"dice": rule.dice if rule else "", "turns": f" ({when})" if when else "", "rows": told}
        yield Paragraph(text[f"charts.sequence.{key}"].format(**said))


def _limits(scenario: Scenario, spec: PhaseSpec, text: Text) -> str:
    """Who alone acts in a phase, how far, when it is: by that two phases of a name are told apart."""
    said = text.section("charts.sequence")
    sides = Whose(types=spec.who, divisions=spec.divisions, marks=spec.marks).words(scenario, text)
    barred = row_of([mark_name(text, mark) for mark in spec.barred_marks])
    ways = row_of([text.get(f"ways.{way}", way) for way in spec.ways])
    rules = scenario.game.rules.movement
    parts = (
        said["only"].format(who=sides) if sides else "",
        said["but"].format(who=barred) if barred else "",
        *(said[one] for one in (spec.contact, spec.before) if one != "any"),
        _allowance(spec, text),
        *_zones(spec, text),
        said["along"].format(ways=ways) if ways else "",
        said["no_marches"] if rules.marches and not spec.marches else "",
        "" if spec.entry else said["no_entry"],
        turns_words(text, spec.turns) if spec.turns else "",
        said["in_weather"].format(weather=weather_words(text, spec.weather)) if spec.weather else "",
    )
    return "; ".join(filter(None, parts))


def _allowance(spec: PhaseSpec, text: Text) -> str:
    """How far units move in a phase, where it is not their own allowance."""
    far = spec.allowance
    if far.kind == "whole":
        return ""
    told = asdict(far)
    one = {"points": "point", "hexes": "hex"} if told.get(far.kind) == 1 else {}
    key = "part" if told.get("divide") and told.get("times", 1) > 1 else one.get(far.kind, far.kind)
    rounding = text[f"charts.sequence.{told['rounding']}"] if "rounding" in told else ""
    return text[f"charts.sequence.by_{key}"].format(**{**told, "rounding": rounding})


def _zones(spec: PhaseSpec, text: Text) -> Iterator[str]:
    """What enemy zones do in a phase, where it is something else than in others."""
    for key in ("enter", "leave", "between") if spec.zones else ():
        rule = getattr(spec.zones, key)
        if rule is not None:
            said = text[f"charts.sequence.zone_{key}_{rule.kind}"]
            yield said.format(n=halves_words(getattr(rule, "points", 0)))
