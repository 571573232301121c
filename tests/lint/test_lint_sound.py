"""What only looks wrong is no fault; and what else is read of elements and of values."""

from __future__ import annotations

import pytest

from hexforge.modulegen.lint.examine import examine
from hexforge.modulegen.lint.known import CLASSES
from hexforge.modulegen.vassal import traits as t
from hexforge.modulegen.vassal.traits.base import PropertyChange as How
from hexforge.modulegen.vassal.traits.base import PropertyCommand

from .changes import (
    LEAVES,
    NOWHERE,
    PEEKED,
    TURNS,
    M,
    el,
    in_map,
)
from .small import FLIP, FLIPPING, MASK, Change, edit, packed, picture, piece, prototype, slot, with_
from .test_lint import COME, GO, command, trigger

SOUND: list[tuple[str, Change]] = [
    ("a type", piece(t.CalculatedProperty("C", "{Weather instanceof String}"))),
    (
        "a key that a layer keeps and does not hear",
        piece(
            t.Layer(images=("guard.png",), activate_menu="Activate", activate_key=LEAVES),
            t.Labeler(LEAVES, "Write"),
        ),
    ),
    (
        "commands without a face on one key",
        el(command(text="", buttonHotkey="70,650") + command(text="", name="B", buttonHotkey="70,650")),
    ),
    ("a key to look beneath", piece(trigger(menu="", key=None, watch=(MASK,), actions=(GO,)), PEEKED)),
    (
        "a map in a chart",
        el(f'<{M}ChartWindow name="C"><VASSAL.build.widget.WidgetMap mapName="S"/></{M}ChartWindow>'),
    ),
    ("a window of those who watch", el(f'<{M}PlayerHand mapName="H" side="&lt;observer&gt;" markMoved="Never"/>')),
    ("a button that only tells", el(command(hotkey="", reportFormat="all are told"))),
    (
        "a colon in a name",
        with_(
            pieces=[
                slot(gpid="3", name="A: B"),
                slot(
                    t.ReportState((GO,), "x"),
                    t.PlaceMarker(key=GO, marker=r"VASSAL.build.widget.PieceSlot:A\: B"),
                    gpid="4",
                ),
            ]
        ),
    ),
    (
        "choices of a button",
        el(
            f'<{M}properties.GlobalProperties><{M}properties.GlobalProperty name="G"><{M}properties.'
            r'ChangePropertyButton text="x" hotkey="70,650" reportFormat="x" propChanger="E,Which,{1 + 1}\,{2}"/>'
            f"</{M}properties.GlobalProperty></{M}properties.GlobalProperties>"
        ),
    ),
    ("a sign in quotes", piece(t.CalculatedProperty("C", "{Weather.charAt(0) == 'c' || '\\n' == '$Weather$'}"))),
    (
        "a mark upon a mask",
        piece(
            t.ReportState((LEAVES, GO), "x"),
            t.Layer(images=("", "back.png"), increase_menu="Spent", increase_key=GO),
            t.Obscurable(key=LEAVES, image="back.png"),
            *FLIPPING,
        ),
    ),
    (
        "a value that a layer shows",
        piece(
            t.Layer(images=("", "back.png"), follow=True, property_name="Hits"),
            t.DynamicProperty("Hits", commands=(PropertyCommand("Hit", GO, How("P", "{1}")),)),
        ),
    ),
    (
        "help on the web",
        el('<VASSAL.build.module.documentation.BrowserHelpFile title="R" startingPage="https://a.b"/>'),
    ),
    (
        "a regular expression",
        piece(t.CalculatedProperty("C", '{Weather.replaceAll("a(b)c", "$1") + Weather.replaceAll("x", "$1")}')),
    ),
    ("turns in a report", edit(r'reportFormat="\$name', 'reportFormat="$level1$ $oldTurn$ $result2$ $name')),
    ("sums", in_map(f'<{M}map.CounterDetailViewer summaryReportFormat="$sum(Weather)$"/>')),
    (
        "an empty brace in words",
        piece(t.Comment("{what remains to be done")),
    ),
    ("keys in menus of VASSAL's", edit('hotkey="68,520"', 'hotkey="83,130"')),
    (
        "a command upon all that pieces have too",
        with_(elements=command(hotkey="70,130", buttonHotkey="70,130")),
    ),
    ("a target computed", el(command(target=NOWHERE.format("MAP", "$CurrentMap$", "", "")))),
    (
        "a target not asked for",
        el(command(target=NOWHERE.format("DECK", "", "", "Nope").replace("true", "false", 1))),
    ),
    (
        "a report of what a button sends",
        with_(pieces=[slot(t.ReportState((COME,), "x"), gpid="2")], elements=command(hotkey="57348,0,come")),
    ),
    (
        "a report that a trigger watches",
        piece(trigger(key=None, watch=(GO,), actions=(COME,)), t.ReportState((COME, GO), "x"), TURNS),
    ),
    (
        "restrictions of what prototypes do",
        with_(
            prototypes=[prototype("Out", t.RestrictCommands("R", keys=(LEAVES,), condition="{1 == 1}"))],
            pieces=[
                slot(t.UsePrototype("Out"), t.Labeler(LEAVES, "Away"), gpid="2"),
                slot(t.UsePrototype("Out"), gpid="3", name="Other"),
            ],
        ),
    ),
    (
        "accents as a Mac packs them",
        lambda f: (
            f.update({"images/guarda\u0301.png": picture()})
            or with_(pieces=[slot(gpid="2", image="guard\u00e1.png")])(f)
        ),
    ),
]


@pytest.mark.parametrize("change", [s[1] for s in SOUND], ids=[s[0] for s in SOUND])
def test_what_only_looks_wrong_has_no_finding(change: Change) -> None:
    assert [str(g.finding.message) for g in examine(packed(change)).groups] == []


def test_values_of_properties_are_read_too() -> None:
    value = t.DynamicProperty("P", commands=(PropertyCommand("S", FLIP, How("P", "{1 +}")),))
    (group,) = examine(packed(piece(t.ReportState((FLIP,), "x"), value))).groups
    assert group.finding.rule == "expression-error"


def test_a_class_of_vassals_is_one_that_can_stand_in_a_module() -> None:
    for name in ("module.Map", "module.map.deck.DeckSortKeyCommand", "module.BasicLogger", "widget.CardSlot"):
        assert f"VASSAL.build.{name}" in CLASSES
    # Neither of these is a Buildable, so VASSAL refuses them as it does a name that it never had.
    for name in ("ObscurableOptions", "ServerConnection"):
        (group,) = examine(packed(el(f"<{M}{name}/>"))).groups
        assert group.finding.rule == "unknown-class"
