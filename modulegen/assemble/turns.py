"""Time: the turn tracker, and what happens of itself as a turn begins."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from math import ceil
from typing import TYPE_CHECKING

from hexforge.modulegen.assemble import air, placing
from hexforge.modulegen.assemble.expressions import choice, keys, quoted
from hexforge.modulegen.assemble.strokes import KEY_DUE, KEY_MOVED, KEY_PHASE, KEY_TURN
from hexforge.modulegen.plan.markers import air_by_die, has_air, icon
from hexforge.modulegen.vassal import traits as t
from hexforge.modulegen.vassal.buildfile import Element, make
from hexforge.modulegen.vassal.sequence import encode_safe

if TYPE_CHECKING:
    from hexforge.modulegen.assemble.combat import CombatParts
    from hexforge.modulegen.plan import MarkerPlan, Plan

HOTKEY_NEXT, HOTKEY_BACK = t.alt("T"), t.Key(84, t.alt("T").modifiers | t.shift("T").modifiers)
TURN, SIDE_PHASE = air.TURN, "SidePhase"
SETUP = "SetupPhase"
_LABEL_SIZE, _LABEL_ROOM = 14, 1.48
"""Pixels of the tracker's font, and how much wider Java's `Dialog` may be: players may have it bold."""
SHOWN = "TurnShown"
"""The turn for which marker and air points were last set. It changes in the same step of a log as they do, by which
a reader knows that no player spent those points."""
_KEY_SHOWN, _KEY_MARKER = t.named("TurnIsShown"), t.named("TurnMarker")


def turn_tracker(plan: Plan) -> Element:
    """Turn with its date and weather, then side and phase in the order of the sequence of play."""
    words, game = plan.words, plan.scenario.game
    steps = words.steps(game.sequence)
    turns = range(game.turns.first, game.turns.last + 1)
    label = choice("value", {turn: quoted(_label(plan, turn)) for turn in turns}, "value")
    return make(
        "TurnTracker",
        *_setting_up(plan),
        make(
            "CounterTurnLevel",
            make("ListTurnLevel", name=SIDE_PHASE, property=SIDE_PHASE, list=encode_safe(steps, ",")),
            name=words("turn.level"),
            property=TURN,
            start=game.turns.first,
            turnFormat="{" + label + "}",
            loop=True,
            loopLimit=game.turns.last,
        ),
        make("TurnGlobalHotkey", name=KEY_PHASE.name, hotkey=KEY_PHASE),
        make("TurnGlobalHotkey", name=KEY_TURN.name, hotkey=KEY_TURN, match=f"{{{TURN} != {SHOWN}}}"),
        name=words("turn.name"),
        buttonText=words("turn.name"),
        icon=icon("turn"),
        nexthotkey=HOTKEY_NEXT,
        prevhotkey=HOTKEY_BACK,
        turnFormat="$level1$ · $level2$",
        reportFormat=words("report.turn"),
        tooltip=words("button.turn_window"),
        lengthStyle="Fixed",
        length=width(labels(plan)),
    )


def labels(plan: Plan) -> list[str]:
    """What the tracker shows, turn by turn and phase by phase."""
    words, game = plan.words, plan.scenario.game
    steps = words.steps(game.sequence)
    turns = range(game.turns.first, game.turns.last + 1)
    return [f"{_label(plan, turn)} · {step}" for turn in turns for step in steps]


def width(labels: Iterable[str]) -> int:
    """Pixels that the longest of the labels takes in VASSAL's own font, whichever that is.

    Left to itself VASSAL measures the turn as "9999", and cuts what is longer.
    """
    from hexforge.modulegen.render.raster import text_width

    return ceil(max(text_width(label, _LABEL_SIZE, weight=700) for label in labels) * _LABEL_ROOM)


def _setting_up(plan: Plan) -> Iterator[Element]:
    """A phase before the first turn, in games whose players choose where units begin.

    It is a level of the tracker beside the turns: whoever goes on from it does not come to it again.
    """
    words, game = plan.words, plan.scenario.game
    if not plan.scenario.setup.is_chosen:
        return
    phase = make("ListTurnLevel", name=SETUP, property=SETUP, list=encode_safe([words("turn.setup")], ","))
    label = encode_safe([_label(plan, game.turns.first)], ",")
    yield make("ListTurnLevel", phase, name=words("turn.setup"), property=f"{SETUP}Turn", list=label)


def _label(plan: Plan, turn: int) -> str:
    words, scenario = plan.words, plan.scenario
    parts = [words("turn.label", turn=turn), words.turn_date(scenario, turn)]
    if weather := scenario.weather(turn):
        from hexforge.modulegen.render.markers import marker_name

        parts.append(marker_name(scenario, f"weather_{weather}", words.language))
    return " · ".join(parts)


def global_properties(plan: Plan, fighting: CombatParts) -> Element:
    """Properties of the whole game: the air points, the turn that the board shows, the combat that is declared."""
    return make(
        "GlobalProperties",
        *air.air_property(plan, fighting.air),
        make(
            "GlobalProperty",
            make("ChangePropertyButton", hotkey=_KEY_SHOWN, propChanger=t.PropertyChange("P", f"${TURN}$")),
            name=SHOWN,
            initialValue=plan.scenario.game.turns.first,
            isNumeric=True,
            max=max(100, plan.scenario.game.turns.last),
        ),
        *placing.properties(plan, KEY_PHASE),
        *fighting.properties,
    )


def turn_begins(plan: Plan) -> list[Element]:
    """What the tracker sets going: marks of movement go with the phase; with the turn come marker, points, news."""
    pressed = [_KEY_SHOWN, _KEY_MARKER, KEY_DUE]
    if has_air(plan.scenario):
        pressed += [air.KEY_TURN, air.KEY_SHOW]
    told = {turn: quoted(text) for turn, text in news(plan).items()}
    return [
        make(
            "GlobalKeyCommand",
            name=KEY_PHASE.name,
            buttonHotkey=KEY_PHASE,
            hotkey=KEY_MOVED,
            filter="{Moved == true}",
        ),
        make(
            "GlobalKeyCommand",
            name=_KEY_MARKER.name,
            buttonHotkey=_KEY_MARKER,
            hotkey=_KEY_MARKER,
            filter='{MarkerId == "turn"}',
        ),
        make(
            "DoActionButton",
            name=KEY_TURN.name,
            hotkey=KEY_TURN,
            doReport=bool(told),
            reportFormat="{" + choice(TURN, told, '""') + "}" if told else "",
            doHotkey=True,
            hotkeys=keys(*pressed),
        ),
    ]


def news(plan: Plan) -> dict[int, str]:
    """What players are reminded of as a turn begins, in one line of the chat; turns without news are left out."""
    words, game = plan.words, plan.scenario.game
    found = {}
    for turn in range(game.turns.first, game.turns.last + 1):
        told = [*_arrivals(plan, turn), *_departures(plan, turn)]
        if air_by_die(plan.scenario):
            told.append(words("news.air_die"))
        if told:
            found[turn] = words("news.turn", turn=turn, news="; ".join(told)) + " *"
    return found


def _arrivals(plan: Plan, turn: int) -> Iterator[str]:
    words, setup, counters = plan.words, plan.scenario.setup, plan.scenario.counters
    for spec in plan.scenario.game.sides:
        coming = [r for r in setup.reinforcements if r.turn == turn and counters[r.units[0]].side == spec.id]
        count = sum(len(r.units) for r in coming)
        if count:
            edges = dict.fromkeys(words.edge(e) for r in coming for e in r.edges)
            hexes = sorted({h for r in coming if not r.edges for h in r.hexes})
            ways = [words("box.from", edges=words("box.or").join(edges))] if edges else []
            ways += [words("box.hexes", hexes=" ".join(hexes))] if hexes else []
            key = "news.arrives" if count == 1 else "news.arrive"
            yield words(key, side=words.side(spec.id), n=count, ways=", ".join(ways)).removesuffix(", ")


def _departures(plan: Plan, turn: int) -> Iterator[str]:
    words, setup, counters = plan.words, plan.scenario.setup, plan.scenario.counters
    for leaving in setup.withdrawals:
        named = ", ".join(words.name(counters[u]) for u in leaving.units)
        if leaving.turn == turn:
            back = words("news.returns", turn=leaving.returns_turn) if leaving.returns_turn else ""
            yield words("news.leave", units=named) + (f" ({back})" if back else "")
        elif leaving.returns_turn == turn:
            yield words("news.return", units=named)


def marker_traits(plan: Plan, marker: MarkerPlan) -> tuple[t.Trait, ...]:
    """What sends the turn marker to the box of the turn."""
    if marker.id != "turn" or "turn" not in plan.ground.tracks:
        return ()
    main = plan.words("map.main")
    region = plan.words("track.turn_box", n=f"${TURN}$")
    return (t.SendToLocation(key=_KEY_MARKER, map_name=main, board=main, destination="R", region=region),)
