"""Time: the turn tracker, and what happens of itself as a turn begins.

Toolbar of the module: dice, charts, inventory.

Help with a set-up that leaves a choice: units go where the module suggests, one by one or all, and back.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from math import ceil
from typing import TYPE_CHECKING

from ...scenarios.text.words import catalogue
from ..plan.markers import air_by_die, has_air, icon
from ..render.markers import marker_name
from ..render.raster import text_width
from ..vassal import traits
from ..vassal.buildfile import Element, make
from ..vassal.encoding import encode_safe
from . import air
from .combat.steps import SIDE_PHASE, TURN
from .expressions import KEY_DUE, KEY_MOVED, KEY_PHASE, KEY_TURN, choice, counted, keys, quoted, throws

if TYPE_CHECKING:
    from ..plan import Plan
    from ..plan.markers import MarkerPlan, UnitPlan
    from ..render.templates import ModuleWords
    from .combat import CombatParts
    from .windows import Windowed


CHOICE, SETTING_UP = "Choice", "SettingUp"
"""1 until the tracker is set on for the first time: nobody shall sweep a game off the map, or place units later."""
KEY_PLACE, KEY_RESET = traits.ctrl("P"), traits.named("SetupReset")


def prototype(plan: Plan) -> tuple[traits.Trait, ...]:
    """What sends a unit that has a choice to the hex that is suggested for it, and back to where it waits."""
    waiting, main = plan.reserves.name, plan.words("map.main")
    return (
        traits.RestrictCommands(
            "Not waiting", "Hide", f"{{{SETTING_UP} != 1 || CurrentMap != {quoted(waiting)}}}", (KEY_PLACE,)
        ),
        traits.ReportState((KEY_PLACE,), plan.words("report.sent")),
        traits.SendToLocation(
            menu=plan.words("menu.place"),
            key=KEY_PLACE,
            map_name=main,
            board=main,
            x="$SetupX$",
            y="$SetupY$",
            destination="L",
        ),
        traits.SendToLocation(
            key=KEY_RESET, map_name=waiting, board=waiting, x="$WaitX$", y="$WaitY$", destination="L"
        ),
    )


def shared(plan: Plan, unit: UnitPlan) -> tuple[str, ...]:
    """The prototype of units that have a choice."""
    return (CHOICE,) if unit.counter.id in plan.suggested else ()


def markers(plan: Plan, unit: UnitPlan) -> dict[str, object]:
    """Where a unit that has a choice is sent, and where it waits."""
    hex_ = plan.suggested.get(unit.counter.id)
    if hex_ is None:
        return {}
    (there_x, there_y), (_, (x, y)) = plan.ground.centre(hex_), plan.reserves.place[unit.counter.id]
    return {"SetupX": there_x, "SetupY": there_y, "WaitX": x, "WaitY": y}


def properties(plan: Plan, phase_begins: traits.Key) -> list[Element]:
    """Whether the players still set up, which the key that a phase begins with ends."""
    if not plan.suggested:
        return []
    ended = make("ChangePropertyButton", hotkey=phase_begins, propChanger=traits.PropertyChange("P", "0"))
    return [make("GlobalProperty", ended, name=SETTING_UP, initialValue="1")]


def buttons(plan: Plan) -> list[Element]:
    """All who wait for the players' choice to their hexes, and everybody back."""
    if not plan.suggested:
        return []
    waiting = f"{SETTING_UP} == 1 && CurrentMap == {quoted(plan.reserves.name)}"
    return [
        _button(plan, "place", "setup", KEY_PLACE, waiting),
        _button(plan, "reset", "undo", KEY_RESET, f"{SETTING_UP} == 1"),
    ]


def _button(plan: Plan, name: str, image: str, key: traits.Key, who: str) -> Element:
    words = plan.words
    told, over = quoted(words(f"report.{name}")), quoted(words("report.no_setup"))
    return make(
        "GlobalKeyCommand",
        name=words(f"button.{name}_tip"),
        tooltip=words(f"button.{name}_tip"),
        icon=icon(image),
        hotkey=key,
        filter=f"{{{who}}}",
        reportSingle=True,
        reportFormat=f"{{{SETTING_UP} == 1 ? {told} : {over}}}",
    )


HOTKEY_NEXT, HOTKEY_BACK = traits.alt("T"), traits.Key(84, traits.alt("T").modifiers | traits.shift("T").modifiers)


SETUP = "SetupPhase"
_LABEL_SIZE, _LABEL_ROOM = 18, 1.48
"""Pixels of the tracker's font, and how much wider Java's `Dialog` may be: players may have it bold."""
SHOWN = "TurnShown"
"""The turn for which marker and air points were last set. It changes in the same step of a log as they do, by which
a reader knows that no player spent those points."""
_KEY_SHOWN, _KEY_MARKER = traits.named("TurnIsShown"), traits.named("TurnMarker")


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
        parts.append(marker_name(scenario, f"weather_{weather}", words.language))
    return " · ".join(parts)


def global_properties(plan: Plan, fighting: CombatParts) -> Element:
    """Properties of the whole game: the air points, the turn that the board shows, the combat that is declared."""
    return make(
        "GlobalProperties",
        throws(),
        make("GlobalProperty", name="TurnTracker.defaultFontSize", initialValue=_LABEL_SIZE),
        *air.air_property(plan, fighting.air),
        make(
            "GlobalProperty",
            make("ChangePropertyButton", hotkey=_KEY_SHOWN, propChanger=traits.PropertyChange("P", f"${TURN}$")),
            name=SHOWN,
            initialValue=plan.scenario.game.turns.first,
            isNumeric=True,
            max=max(100, plan.scenario.game.turns.last),
        ),
        *properties(plan, KEY_PHASE),
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


def marker_traits(plan: Plan, marker: MarkerPlan) -> tuple[traits.Trait, ...]:
    """What sends the turn marker to the box of the turn."""
    if marker.id != "turn" or "turn" not in plan.ground.tracks:
        return ()
    main = plan.words("map.main")
    region = plan.words("track.turn_box", n=f"${TURN}$")
    return (traits.SendToLocation(key=_KEY_MARKER, map_name=main, board=main, destination="R", region=region),)


HOTKEY_1D6, _KEY_1D6 = traits.function(7), traits.named("Die")
HOTKEY_CHARTS = traits.function(2)


def dice(plan: Windowed) -> list[Element]:
    """One die; two are thrown by the button of combats (`combat`)."""
    words = plan.words
    name = words("button.dice1")
    told = words("report.dice").replace("$name$", name)
    return [
        make("DiceButton", name="Die", icon="", hotkey=_KEY_1D6, nDice=1, nSides=6, reportFormat=told),
        make(
            "DoActionButton",
            name=name,
            text=name,
            icon=icon("dice_1"),
            tooltip=words("button.dice1_tip"),
            hotkey=HOTKEY_1D6,
            doHotkey=True,
            hotkeys=keys(*counted(_KEY_1D6)),
        ),
    ]


def charts(plan: Plan) -> list[Element]:
    """The window of all tables, a tab for each language, the module's own first."""
    if not plan.charts:
        return []
    words = plan.words
    languages = sorted({c.language for c in plan.charts}, key=lambda code: (code != words.language, code))
    tabs = [
        make(
            "TabWidget",
            *[make("Chart", chartName=c.title, fileName=c.image) for c in plan.charts if c.language == code],
            entryName=catalogue("module", code).get("language", code),
        )
        for code in languages
    ]
    return [
        make(
            "ChartWindow",
            make("TabWidget", *tabs, entryName=words("window.charts")),
            name=words("window.charts"),
            text=words("window.charts"),
            tooltip=words("window.charts_tip"),
            icon=icon("charts"),
            hotkey=HOTKEY_CHARTS,
        )
    ]


def inventory(words: ModuleWords, property_: str, by: str) -> Element:
    """The list of all pieces that have a property, grouped by others."""
    return make(
        "Inventory",
        name=words("window.inventory"),
        tooltip=words("window.inventory_tip"),
        icon=icon("inventory"),
        include=f'{{{property_} != ""}}',
        groupBy=by,
    )
