"""Faults that lie further off: in pieces within pieces and saved games, in any field, in what elements say."""

from __future__ import annotations

import pytest

from hexforge.modulegen.lint.examine import examine
from hexforge.modulegen.vassal import traits as t
from hexforge.modulegen.vassal.traits.base import PropertyChange as How
from hexforge.modulegen.vassal.traits.base import PropertyCommand

from .changes import (
    CARRIED,
    DIE,
    LEAVES,
    NOWHERE,
    TURNS,
    M,
    carries,
    counted,
    deck,
    el,
    in_map,
    saved,
    stacked,
)
from .small import FLIP, FLIPPING, Change, edit, packed, piece, slot, with_
from .test_lint import COME, GO, command, trigger

FAULTS: list[tuple[str, Change, str, str, str]] = [
    (
        "a picture of a piece in a piece",
        carries(CARRIED.format("", "gone.png", "")),
        "missing-image",
        "gone.png",
        "Scout",
    ),
    (
        "a prototype of a piece in a piece",
        carries(CARRIED.format("prototype;Nope\t", "guard.png", "\t")),
        "missing-prototype",
        "Nope",
        "Scout",
    ),
    (
        "a picture in a saved game",
        saved(t.BasicPiece(image="gone.png", name="Old")),
        "missing-image",
        "gone.png",
        "start.vsav",
    ),
    (
        "a prototype in a saved game",
        saved(t.UsePrototype("Nope"), t.BasicPiece(image="guard.png", name="Old")),
        "missing-prototype",
        "Nope",
        "start.vsav",
    ),
    ("a saved game that is none", saved(t.BasicPiece(), data=b"junk"), "setup", "start.vsav", "Start"),
    ("another module's saved game", saved(t.BasicPiece(), data=b"foreign"), "setup", "Large", "Start"),
    (
        "a set-up stack's prototype",
        stacked(t.UsePrototype("Nope")),
        "missing-prototype",
        "Nope",
        "SetupStack [A]",
    ),
    (
        "a deck to look in",
        el(command(target=NOWHERE.format("DECK", "", "", "Nope"))),
        "missing-deck",
        "Nope",
        "All",
    ),
    ("a map to look in", el(command(target=NOWHERE.format("MAP", "Nope", "", ""))), "missing-place", "Nope", "All"),
    (
        "a zone to look in",
        piece(t.GlobalCommand("All", GO, FLIP, target=NOWHERE.format("ZONE", "Field", "Nope", ""))),
        "missing-place",
        "Nope",
        "Scout",
    ),
    ("a key of no piece", el(command(hotkey="88,130")), "unheard-key", "Ctrl+X", "All"),
    ("a key of no button", piece(t.GlobalHotKey("Press", GO, t.ctrl("Y"))), "unheard-key", "Ctrl+Y", "Scout"),
    (
        "a deck's command",
        deck("", f'<{M}map.DeckGlobalKeyCommand name="x" hotkey="57348,0,come"/>'),
        "unheard-key",
        "come",
        "More",
    ),
    (
        "before a loop",
        el(
            f'<{M}DoActionButton name="T" text="T" hotkey="70,650" doHotkey="true" hotkeys="68\\,520" doLoop="true"'
            ' preLoopKey="57348,0,come"/>'
        ),
        "unheard-key",
        "come",
        "DoActionButton [T]",
    ),
    ("a report on nothing", piece(t.ReportState((COME,), "x")), "unheard-key", "come", "Scout"),
    (
        "a restriction of nothing",
        piece(t.RestrictCommands("R", keys=(COME,), condition="{1 == 1}")),
        "unheard-key",
        "come",
        "Scout",
    ),
    ("a place", piece(t.SendToLocation("S", GO, "Field", x="{1 + * 2}")), "expression-error", "'*'", "Scout"),
    ("a distance", piece(t.Translate("S", GO, dx="{(1}")), "expression-error", "ends", "Scout"),
    (
        "a layer that follows",
        piece(t.Layer(images=("guard.png", "back.png"), follow=True, property_name="{Weather ==}")),
        "expression-error",
        "ends",
        "Scout",
    ),
    (
        "a number of rounds",
        piece(trigger(actions=(FLIP,), loop=True, loop_count="{3 +}"), *FLIPPING),
        "expression-error",
        "ends",
        "Scout",
    ),
    ("a target", el(command(target=NOWHERE.format("MAP", "{1 +}", "", ""))), "expression-error", "ends", "All"),
    ("a number of dice", edit("reportFormat=", 'nDice="{1 +}" reportFormat='), "expression-error", "ends", "Dice"),
    (
        "a value that a button sets",
        el(
            f'<{M}properties.GlobalProperties><{M}properties.GlobalProperty name="G"><{M}properties.'
            'ChangePropertyButton text="x" hotkey="70,650" reportFormat="x" propChanger="P,{1 +}"/>'
            f"</{M}properties.GlobalProperty></{M}properties.GlobalProperties>"
        ),
        "expression-error",
        "ends",
        "GlobalProperty [G]",
    ),
    (
        "a parameter",
        with_(pieces=[slot(t.UsePrototype("Unit", (("p", "{1 +}"),)), gpid="2", name="Scout")]),
        "expression-error",
        "ends",
        "Scout",
    ),
    (
        "a brace not closed",
        piece(trigger(condition="{Weather == 1", actions=())),
        "expression-error",
        "ends",
        "Scout",
    ),
    ("no such function", piece(t.CalculatedProperty("C", "{Sums(3)}")), "expression-error", "Sums()", "Scout"),
    (
        "too few arguments",
        piece(t.CalculatedProperty("C", "{If(1 == 1, 2)}")),
        "expression-error",
        "2 arguments",
        "Scout",
    ),
    (
        "a property in a button's report",
        edit(r'reportFormat="\$name', 'reportFormat="$Wether$ $name'),
        "unknown-property",
        "Wether",
        "Dice",
    ),
    (
        "a property in a map's report",
        edit('moveKey=""', 'moveKey="" moveWithinFormat="$Wether$"'),
        "unknown-property",
        "Wether",
        "Field",
    ),
    (
        "a sum of a property",
        in_map(f'<{M}map.CounterDetailViewer summaryReportFormat="$sum(Wether)$"/>'),
        "unknown-property",
        "Wether",
        "CounterDetailViewer",
    ),
    (
        "a rotation of nothing",
        with_(
            pieces=[
                slot(
                    t.Layer(images=("guard.png", "back.png")),
                    t.FreeRotator(clockwise_menu="R", clockwise_key=GO),
                    gpid="2",
                    image="",
                    name="Scout",
                )
            ]
        ),
        "trait-order",
        "turns nothing",
        "Scout",
    ),
    (
        "an outline too far in",
        piece(t.Layer(images=("guard.png", "back.png")), t.NonRectangular(shape="m,0,0")),
        "trait-order",
        "rectangle",
        "Scout",
    ),
    (
        "a report before its trigger",
        piece(
            trigger(key=COME, actions=(GO,), condition=""),
            t.ReportState((COME, GO), "$newPieceName$"),
            TURNS,
        ),
        "trait-order",
        "before the trigger",
        "Scout",
    ),
    (
        "a report without words",
        piece(t.ReportState((FLIP,), ""), FLIPPING[1]),
        "missing-report",
        "no text",
        "Scout",
    ),
    (
        "a deck shuffled in silence",
        deck('shuffle="Via right-click Menu" shuffleFormat=""'),
        "missing-report",
        "shuffleFormat",
        "More",
    ),
    ("moves in silence", el(f'<{M}GlobalOptions autoReport="Never"/>'), "missing-report", "Never", "GlobalOptions"),
    (
        "a map in silence",
        edit('moveKey=""', 'moveKey="" moveWithinFormat="" moveToFormat="" createFormat=""'),
        "missing-report",
        "moveWithinFormat",
        "Field",
    ),
    (
        "a button and a piece",
        with_(
            pieces=[slot(t.Delete("Away", LEAVES), gpid="2")],
            elements=f'<{M}DoActionButton name="T" text="T" hotkey="68,130"/>',
        ),
        "key-clash",
        "Away",
        "DoActionButton [T]",
    ),
    (
        "two of a deck's",
        deck('shuffleHotkey="70,650" reverseHotkey="70,650"'),
        "key-clash",
        "shuffleHotkey",
        "More",
    ),
    ("a key of VASSAL's", edit('hotkey="68,520"', 'hotkey="87,520"'), "key-clash", "Begin Logfile", "Dice"),
    ("a piece removed in silence", piece(t.Delete("Away", LEAVES)), "missing-report", "'Away'", "1 Delete"),
    (
        "a trigger that removes in silence",
        piece(trigger(key=GO, menu="Kill", actions=(COME,), condition=""), t.Delete("", COME)),
        "missing-report",
        "'Kill'",
        "2 TriggerAction",
    ),
    (
        "four things in silence",
        piece(*[t.SendToLocation(f"To {n}", t.ctrl(str(n)), "Field") for n in range(1, 5)]),
        "missing-report",
        "4 entries of its menu change the piece (To 1, To 2, To 3, …)",
        "4 SendToLocation",
    ),
    (
        "a button that silences",
        el(command(reportFormat="", reportSingle="true")),
        "missing-report",
        "nothing to the chat",
        "All",
    ),
    (
        "dice of symbols",
        el(f'<{M}SpecialDiceButton name="S" text="S" hotkey="70,650" format="">{DIE}</{M}SpecialDiceButton>'),
        "missing-report",
        "nothing to the chat",
        "SpecialDiceButton [S]",
    ),
    (
        "two commands on one key",
        el(command(name="B", text="B", buttonHotkey="70,650") + command(buttonHotkey="70,650")),
        "key-clash",
        "GlobalKeyCommand [B]",
        "GlobalKeyCommand [All]",
    ),
    (
        "up and down on one key",
        piece(
            t.Layer(
                images=("guard.png", "back.png"),
                increase_menu="Up",
                increase_key=GO,
                decrease_menu="Down",
                decrease_key=GO,
            )
        ),
        "key-clash",
        "'Down' and 'Up'",
        "1 Layer",
    ),
    ("code that is not there", el("<my.own.Thing/>"), "unknown-class", "not in the module", "Thing"),
]


@pytest.mark.parametrize(("change", "rule", "said", "place"), [f[1:] for f in FAULTS], ids=[f[0] for f in FAULTS])
def test_a_fault_is_found_at_its_place(change: Change, rule: str, said: str, place: str) -> None:
    found = examine(packed(change)).groups
    fitting = [g for g in found if g.finding.rule == rule and said in str(g.finding.message)]
    assert fitting, [str(g.finding.message) for g in found]
    assert place in str(fitting[0].places[0])
    # A piece or button that is changed may need a report besides; nothing else is wrong.
    assert {g.finding.rule for g in found} <= {rule, "missing-report"}, [str(g.finding.message) for g in found]


PAGE = '<html><IMG width=5 src="art/gone.png"><img src=guard.png><img src="http://a.b/c.png"></html>'
FAULTS += [
    (
        "one = for two",
        piece(trigger(condition='{Weather = "rain"}', actions=())),
        "expression-error",
        "'='",
        "Scout",
    ),
    ("a word in single quotes", piece(t.CalculatedProperty("C", "{'rain'}")), "expression-error", "rain", "Scout"),
    (
        "a layer upon a mask",
        piece(*FLIPPING, t.ReportState((LEAVES,), "x"), t.Obscurable(key=LEAVES, image="back.png")),
        "trait-order",
        "upon the mask",
        "Scout",
    ),
    (
        "a value changed in silence",
        piece(
            t.DynamicProperty("Hits", commands=(PropertyCommand("Hit", GO, How("P", "{1}")),)),
            t.Labeler(key=None, menu="", name_format="$Hits$"),
        ),
        "missing-report",
        "Hit",
        "Scout",
    ),
    (
        "a picture on a page",
        lambda f: f.update({"help.html": PAGE.encode()}),
        "missing-image",
        "art/gone.png",
        "help.html",
    ),
    (
        "a folder of help",
        el('<VASSAL.build.module.documentation.BrowserHelpFile title="Rules of it" startingPage="i.html"/>'),
        "missing-file",
        "help/Rules_of_it",
        "Rules of it",
    ),
    ("a number that is none", with_(pieces=[slot(gpid="9" * 50, name="Scout")]), "gpid", "999", "Scout"),
]

FAULTS += [
    ("a faulty expression in a function", piece(counted("{(Weather == 1}")), "expression-error", "ends", "Scout"),
    ("a property in a function's", piece(counted("{Wether == 1}")), "unknown-property", "Wether", "Scout"),
    (
        "a zone that a function names",
        piece(t.CalculatedProperty("C", '{GetZoneProperty("Weather", "Hill")}')),
        "missing-place",
        "no zone 'Hill'",
        "Scout",
    ),
    (
        "a map that a function names",
        piece(t.CalculatedProperty("C", '{CountMap("Feild", "Weather", "")}')),
        "missing-place",
        "no map 'Feild'",
        "Scout",
    ),
    ("no braces", piece(t.CalculatedProperty("C", "Weather == 1 ? 2 : 3")), "expression-error", "braces", "Scout"),
    (
        "the new equals in an old expression",
        piece(trigger(condition="Weather == rain", actions=())),
        "expression-error",
        "never true",
        "Scout",
    ),
    (
        "no sides at all",
        lambda f: piece(t.Restricted(("Red",)))(f) or edit(r"<entry>Red</entry><entry>Blue</entry>", "")(f),
        "unknown-side",
        "Red",
        "Scout",
    ),
    (
        "a picture in a layout",
        el(f'<{M}gamepieceimage.GamePieceLayout name="L" layout="Image;gone.png;Fixed for this layout|Image"/>'),
        "missing-image",
        "gone.png",
        "GamePieceLayout [L]",
    ),
    (
        "what is no picture",
        lambda f: f.update({"images/guard.png": b"sorry"}),
        "missing-image",
        "draw",
        "guard.png",
    ),
    (
        "a saved game in other letters",
        edit('file="start.vsav"', 'file="Start.vsav"'),
        "case-of-name",
        "'start.vsav' is there",
        "Start",
    ),
    (
        "a circle that ends with the piece",
        piece(trigger(condition="", actions=(GO,), menu=""), t.ReportState((GO,), "x"), t.Delete("", GO)),
        "trait-order",
        "never runs",
        "Scout",
    ),
    (
        "no global properties at all",
        lambda f: (
            piece(t.CalculatedProperty("C", "{Weather + Wind + Rain}"))(f)
            or edit(r"(?s)<VASSAL.build.module.properties.GlobalProperties>.*?</\S+GlobalProperties>", "")(f)
        ),
        "unknown-property",
        "3 that it reads or changes (Rain, Weather, Wind, …)",
        "Scout",
    ),
    (
        "no prototypes at all",
        edit(r"(?s)<VASSAL.build.module.PrototypesContainer>.*?</\S+PrototypesContainer>", ""),
        "missing-prototype",
        "no prototypes at all",
        "Guard",
    ),
    (
        "a key by another name",
        piece(trigger(actions=(t.named("Come"),)), t.Labeler(COME)),
        "unheard-key",
        "'Come'",
        "Scout",
    ),
]
