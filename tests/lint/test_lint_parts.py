"""Faults of parts that nobody can use: values without room, circles, shapes that hold nothing, names of parts."""

from __future__ import annotations

import time

import pytest

from hexforge.modulegen.archive import pack
from hexforge.modulegen.lint.examine import examine
from hexforge.modulegen.vassal import traits as t
from hexforge.modulegen.vassal.archive import Metadata, write_metadata
from hexforge.modulegen.vassal.payload import encode_payload
from hexforge.modulegen.vassal.save import SAVED_GAME
from hexforge.modulegen.vassal.traits.base import Limits, PropertyCommand
from hexforge.modulegen.vassal.traits.base import PropertyChange as How

from .changes import deck, el, in_map
from .small import FLIP, FLIPPING, Change, Files, edit, escaped, packed, picture, piece, prototype, slot, with_
from .test_lint import COME, GO, command, trigger

M = "VASSAL.build.module."
BOARD = "VASSAL.build.module.map.boardPicker."
BOUNDS = Limits(True, 0, 9, False)
TELLS = t.ReportState((GO,), "$newPieceName$ *")


def on_board(inside: str) -> Change:
    """Something in the board, which has 400 by 300 pixels."""
    spread = edit('(<[^<]*Board name="Board" image="board.png")/>', rf"\1>{inside}</{BOARD}Board>")

    def change(files: Files) -> None:
        files["images/board.png"] = picture(400, 300)
        spread(files)

    return change


def zone(path: str, inside: str = "") -> Change:
    kind = f"{BOARD}board.mapgrid.Zone"
    given = f'<{kind} name="Hill" path="{path}" locationFormat="$name$">{inside}</{kind}>'
    return on_board(f"<{BOARD}board.ZonedGrid>{given}</{BOARD}board.ZonedGrid>")


def turns(level: str) -> Change:
    return el(
        f'<{M}turn.TurnTracker name="Turn" buttonText="Turn" reportFormat="$newTurn$">'
        f"<{M}turn.{level}/></{M}turn.TurnTracker>"
    )


def edit_turn(format_: str) -> Change:
    level = f'<{M}turn.CounterTurnLevel start="1" incr="1"/>'
    said = f'name="Turn" buttonText="Turn" reportFormat="$newTurn$" turnFormat="{format_}"'
    return el(f"<{M}turn.TurnTracker {said}>{level}</{M}turn.TurnTracker>")


def hits(limits: Limits, start: str = "", how: str = "I") -> t.DynamicProperty:
    return t.DynamicProperty("Hits", limits, (PropertyCommand("Hit", GO, How(how, "1")),), start=start)


def value(attributes: str, inside: str = "") -> Change:
    kind = f"{M}properties.GlobalProperty"
    return el(
        f'<{M}properties.GlobalProperties><{kind} name="VP" {attributes}>{inside}</{kind}>'
        f"</{M}properties.GlobalProperties>"
    )


def saved(state: str, name: str = "Ghost") -> Change:
    """A piece in the saved game whose basic piece is in some state."""
    added = t.add_piece("77", t.piece_type((t.BasicPiece(image="guard.png", name=name),)), state).encode()
    game = pack([(SAVED_GAME, encode_payload(b"begin_save\x1b" + added + b"\x1bend_save"))])
    return lambda files: files.update({"start.vsav": game})


def setprop(level: str, container: str) -> t.SetGlobalProperty:
    change = (PropertyCommand("Change", GO, How("P", "1")),)
    return t.SetGlobalProperty("Weather", commands=change, level=level, container=container)


def layers(inside: str) -> Change:
    kind = f"{M}map.LayeredPieceCollection"
    return in_map(f'<{kind} property="Weather" layerOrder="low,high">{inside}</{kind}>')


FAULTS: list[tuple[str, Change, str, str]] = [
    ("bounds the wrong way round", piece(hits(Limits(True, 9, 1, True)), TELLS), "value-range", "at least 9"),
    ("a start beyond the bounds", piece(hits(BOUNDS, "12"), TELLS), "value-range", "outside of 0 to 9"),
    ("a start that is no number", piece(hits(BOUNDS, "some"), TELLS), "value-range", "some"),
    ("a global value's bounds", value('initialValue="0" isNumeric="true" min="9" max="1"'), "value-range", "VP"),
    ("a property of itself", piece(t.CalculatedProperty("C", "{C + 1}")), "property-circle", "'C'"),
    (
        "properties of each other",
        piece(t.CalculatedProperty("C", "{D + 1}"), t.CalculatedProperty("D", "{true ? 1 : C}")),
        "property-circle",
        "'D'",
    ),
    ("a covered property", piece(t.DynamicProperty("Hits"), hits(BOUNDS), TELLS), "same-name", "further down"),
    ("a step of nothing", turns('CounterTurnLevel start="1" incr="0"'), "turn-level", "adds 0"),
    ("a limit passed", turns('CounterTurnLevel start="5" incr="1" loop="true" loopLimit="2"'), "turn-level", "5"),
    ("a count down", turns('CounterTurnLevel start="9" incr="-1" loop="true" loopLimit="1"'), "turn-level", "9"),
    ("a list of nothing", turns('ListTurnLevel list=""'), "turn-level", "no entries"),
    ("a zone without outline", zone(""), "map-shape", "no area"),
    ("a zone on one line", zone("1,1;9,9;20,20"), "map-shape", "no area"),
    ("an outline with letters", zone("1,1;x,30;30,1"), "map-shape", "cannot be read"),
    ("a zone elsewhere", zone("900,1;950,1;950,90"), "map-shape", "beside its board"),
    (
        "a region elsewhere",
        on_board(
            f'<{BOARD}board.RegionGrid><{BOARD}board.Region name="R" originx="9" originy="900"/>'
            f"</{BOARD}board.RegionGrid>"
        ),
        "map-shape",
        "region 'R'",
    ),
    ("hexes of no size", on_board(f'<{BOARD}board.HexGrid dx="0.0" dy="60"/>'), "map-shape", "no size"),
    (
        "a deck elsewhere",
        lambda f: (on_board("")(f), edit('x="5" y="5"', 'x="900" y="5"')(f)),
        "beside-board",
        "Reserve",
    ),
    ("dice without sides", edit('name="Dice"', 'name="Dice" nSides="0"'), "idle-part", "no sides"),
    ("no dice", edit('name="Dice"', 'name="Dice" nDice="0"'), "idle-part", "no dice"),
    ("help without a file", edit('fileName="help.html"', 'fileName=""'), "idle-part", "no file"),
    (
        "a chart without a picture",
        el('<VASSAL.build.widget.Chart chartName="CRT" fileName=""/>'),
        "idle-part",
        "CRT",
    ),
    ("a stack of nothing", in_map(f'<{M}map.SetupStack name="A" owningBoard="Board"/>'), "idle-part", "no pieces"),
    ("an area of no size", piece(t.ActionButton(key=FLIP), *FLIPPING), "idle-part", "no size"),
    ("a choice of nothing", piece(hits(BOUNDS, how="E"), TELLS), "idle-part", "among nothing"),
    ("a property without a name", piece(t.CalculatedProperty("", "{1}")), "idle-part", "no name"),
    (
        "a trigger of no rounds",
        piece(trigger(actions=(FLIP,), loop=True, loop_count="0"), *FLIPPING),
        "idle-trigger",
        "0 times",
    ),
    (
        "a trigger without end",
        piece(trigger(actions=(FLIP,), loop=True, loop_kind="while"), *FLIPPING),
        "key-loop",
        "for ever",
    ),
    ("a command upon itself", piece(t.GlobalCommand("All", GO, GO)), "key-loop", "go"),
    (
        "a command that comes back",
        piece(trigger(condition="", actions=(COME,)), t.GlobalCommand("", COME, GO)),
        "key-loop",
        "come",
    ),
    (
        "a button that presses itself",
        el(f'<{M}DoActionButton name="T" text="T" hotkey="65,130" doHotkey="true" hotkeys="65\\,130"/>'),
        "key-loop",
        "'T'",
    ),
    ("a keystroke of letters", el(command(hotkey="abc,130")), "unheard-key", "abc,130"),
    ("a sub-menu in itself", piece(t.SubMenu("More", ("More",)), *FLIPPING), "menu-entry", "lists itself"),
    ("a piece of nobody's", piece(t.Restricted()), "unknown-side", "no side"),
    ("two sides of one name", edit("<entry>Blue", "<entry>Red"), "same-name", "Red"),
    ("a deck of no side's", deck('deckRestrictAccess="true" deckOwners="Green"'), "unknown-side", "Green"),
    ("a deck sent nowhere", deck('reshufflable="true" reshuffleCommand="Back"'), "idle-part", "names none"),
    ("a map with a value", piece(setprop("Named Map", "Feild"), TELLS), "missing-place", "Feild"),
    ("a zone with a value", piece(setprop("Named Zone", "Hil"), TELLS), "missing-place", "Hil"),
    (
        "a shading",
        piece(t.AreaOfEffect(key=GO, always_active=False, map_shading="Fog")),
        "missing-place",
        "Fog",
    ),
    (
        "a layer",
        layers(f'<{M}map.LayerControl text="Up" command="Make Layer Active" layers="top"/>'),
        "missing-place",
        "top",
    ),
    (
        "where to look",
        in_map(f'<{M}map.MoveCameraButton text="Go" moveCameraMode="Z" zoneName="Hill"/>'),
        "missing-place",
        "Hill",
    ),
    (
        "what to shade",
        in_map(
            f'<{M}map.MapShader name="F" buttonText="F" boards="No, only shade Boards in List" boardList="Bord"/>'
        ),
        "missing-place",
        "Bord",
    ),
    (
        "the board to begin on",
        edit(f"</{M}map.BoardPicker>", f"<setup>FieldBoardPicker\tBord\t0\t0</setup></{M}map.BoardPicker>"),
        "missing-place",
        "Bord",
    ),
    ("a saved piece's map", saved("Feild;5;5;1;0"), "missing-place", "Feild"),
    ("a saved piece's slot", saved("Field;5;5;77;0"), "setup", "slot 77"),
    (
        "what layers go by",
        in_map(f'<{M}map.LayeredPieceCollection property="Lair" layerOrder="a"/>'),
        "unknown-property",
        "Lair",
    ),
    ("what is grouped by", el(f'<{M}Inventory name="I" text="I" groupBy="Armee"/>'), "unknown-property", "Armee"),
    ("what is sorted by", deck('allowSelect="true" selectSortProperty="Naam"'), "unknown-property", "Naam"),
    ("a brace at the end", piece(trigger(condition="Weather = 1}", actions=())), "expression-error", "one end"),
    (
        "a brace at the beginning",
        piece(t.Labeler(name_format="{pieceName + label", property_name="L")),
        "expression-error",
        "one end",
    ),
    (
        "what a deck counts",
        deck('expressionCounting="true" countExpressions="red:{Weather == 1"'),
        "expression-error",
        "ends too early",
    ),
    (
        "the build file of another version",
        lambda f: f.update({"moduledata": write_metadata(Metadata("Small", "1.0", "3.2.17"))}),
        "build-file",
        "'buildFile'",
    ),
    (
        "quotes in an old expression",
        piece(trigger(condition='Weather = "rain"', actions=())),
        "expression-error",
        "in quotes",
    ),
    (
        "a name not closed",
        piece(t.ReportState((FLIP,), "$oldPieceName$ becomes $newPieceName *"), FLIPPING[1]),
        "expression-error",
        "newPieceName",
    ),
    ("a zone compared", piece(t.CalculatedProperty("C", '{CurrentZone == "Hil"}')), "missing-place", "zone 'Hil'"),
    (
        "a map compared in the old way",
        piece(trigger(condition="CurrentMap = Feild", actions=())),
        "missing-place",
        "map 'Feild'",
    ),
    ("a deck compared", piece(t.CalculatedProperty("C", '{"Reserves" != DeckName}')), "missing-deck", "Reserves"),
    ("a side compared", piece(t.CalculatedProperty("C", '{PlayerSide == "Rad"}')), "unknown-side", "Rad"),
    (
        "a die too many",
        edit('reportFormat="', 'nDice="1" reportFormat="$result2$ '),
        "unknown-property",
        "1 at most",
    ),
    ("a page in other letters", edit('fileName="help.html"', 'fileName="Help.html"'), "case-of-name", "Help.html"),
]


@pytest.mark.parametrize(("change", "rule", "said"), [f[1:] for f in FAULTS], ids=[f[0] for f in FAULTS])
def test_a_part_that_nobody_can_use_is_found_and_nothing_else(change: Change, rule: str, said: str) -> None:
    found = examine(packed(change)).groups
    messages = [str(g.finding.message) for g in found]
    assert {rule} <= {g.finding.rule for g in found} <= {rule, "missing-report"}, messages
    assert any(said in text for text in messages), messages


SOUND: list[tuple[str, Change]] = [
    (
        "names that are compared",
        piece(
            t.CalculatedProperty(
                "C",
                '{CurrentMap == "Field" && CurrentBoard != "" && DeckName == "Reserve"'
                ' && PlayerSide != "<observer>" && PlayerSide.equals("R" + "ed") && OldMap == "Fie" + "ld"}',
            ),
            trigger(condition="CurrentBoard = Board && PlayerSide != Red", actions=()),
        ),
    ),
    ("the levels that a new tracker shows", edit_turn("$level1$ $level2$ $level3$ $level4$")),
    ("a value that is only set", piece(hits(Limits(True, 9, 1, False), "12", how="P"), TELLS)),
    ("a mask for decks alone", piece(t.Obscurable(key=None, image="back.png"))),
    ("a layer of names alone", piece(t.Layer(name="State", images=("", ""), level_names=("+whole", "+hit")))),
    (
        "a property that another answers for",
        piece(t.Marker.of(C=1), t.CalculatedProperty("C", "{C + 1}")),
    ),
    ("a property of others", piece(t.CalculatedProperty("C", '{SumStack("C2") + 1}'), t.Marker.of(C2=1))),
    (
        "a command upon some",
        piece(t.GlobalCommand("All", GO, GO, matching='{BasicName == "Guard"}')),
    ),
    (
        "a circle that a restriction ends",
        piece(
            t.RestrictCommands("R", condition="{Weather == 1}", keys=(COME,)),
            trigger(condition="", actions=(COME,)),
            trigger(key=COME, condition="", actions=(GO,)),
        ),
    ),
    ("a level of one turn", turns('CounterTurnLevel start="1" incr="1" loop="true" loopLimit="1"')),
    ("a zone larger than its board", zone("-50,-50;900,-50;900,900;-50,900")),
    ("money in words", piece(t.ReportState((FLIP,), "$oldPieceName$ costs $5"), FLIPPING[1])),
    ("a brace in words", piece(t.ReportState((FLIP,), "{$oldPieceName$} flips"), FLIPPING[1])),
    ("layers by number", layers(f'<{M}map.LayerControl text="Up" command="Make Layer Active" layers="1"/>')),
    ("a piece that was never refreshed", saved("Field;5;5;;0")),
    ("a piece of an extension's", saved("Field;5;5;x1:77;0")),
    ("a piece renumbered", saved("Field;5;5;77;0", name="Guard")),
    ("an unseen deck of no board", edit('owningBoard="Board" x="5"', 'owningBoard="" x="-900"')),
    ("dice that players choose", edit('name="Dice"', 'name="Dice" nDice="0" prompt="true"')),
    (
        "an old module",
        lambda f: f.update(
            {"buildFile": f.pop("buildFile.xml"), "moduledata": write_metadata(Metadata("Small", "1.0", "3.2.17"))}
        ),
    ),
]


@pytest.mark.parametrize("change", [s[1] for s in SOUND], ids=[s[0] for s in SOUND])
def test_what_is_only_unusual_has_no_finding(change: Change) -> None:
    assert [
        str(g.finding.message) for g in examine(packed(change)).groups if g.finding.rule != "missing-report"
    ] == []


def test_an_extension_fits_the_module_that_it_is_for() -> None:
    kind = f"{M}ModuleExtension"

    def found(module: str, target: str) -> list[str]:
        inside = f'<{M}ExtensionElement target="{target}"/>'
        build = f'<{kind} module="{module}" nextPieceSlotId="1">{inside}</{kind}>'.encode()
        report = examine(pack([("buildFile.xml", build)]), base=packed())
        return [str(g.finding.message) for g in report.groups if g.finding.rule == "extension"]

    window = f"{M}PieceWindow:Pieces"
    assert found("Small", window) == found("Small", f"{M}PieceWindow:Another") == found("Small", "") == []
    assert "Large" in found("Large", window)[0]
    assert "ChartWindow" in found("Small", f"{M}ChartWindow:Charts")[0]


PLANTED = "Zq7plantedWord"


@pytest.mark.parametrize(
    "piece",
    [
        "PLAYER\t{}\tAna\tRed\x1b+/77/piece;;;guard.png;Guard/{};5;5;77;0",
        "+/77/piece;;;guard.png;Guard/{}\\\tField;5;5;77;0",
        "PLAYER\t{}\tAna\tRed\x1b+/77/piece;;;{}.png;{}/Field;5;5;{};0",
        "PLAYER\t{}\tAna\tRed\x1b+/77/prototype;{}\tpiece;;;;Guard/\tField;5;5;77;0",
    ],
)
def test_a_password_in_a_saved_game_is_not_told(piece: str) -> None:
    text = f"begin_save\x1b{piece.replace('{}', PLANTED)}\x1bend_save".encode()
    data = pack([(SAVED_GAME, encode_payload(text))])
    report = examine(packed(lambda files: files.update({"start.vsav": data})))
    assert report.groups
    assert PLANTED not in repr(report)


def _said(*changes: Change) -> list[str]:
    return [f"{g.finding.rule}: {g.finding.message}" for g in examine(packed(*changes)).groups]


@pytest.mark.parametrize(
    ("trait", "state", "said"),
    [
        (t.Labeler(), '{Weather + "-" + }', "expression-error"),
        (t.Labeler(), "{Nobody + 1}", "unknown-property"),
        (t.Labeler(), "$Nobody$", "unknown-property"),
        (t.DynamicProperty("Fatigue"), "{Weather + * 2}", "expression-error"),
        (t.Labeler(), "$Weather$ 1/2", ""),
        (t.DynamicProperty("Fatigue"), "plain", ""),
    ],
)
def test_what_a_trait_begins_with_is_judged_like_any_expression(trait: t.Trait, state: str, said: str) -> None:
    text = t.slot_text((trait, t.BasicPiece(image="guard.png", name="Scout")), "2", (state,))
    kind = "VASSAL.build.widget.PieceSlot"
    change = with_(pieces=[f'<{kind} entryName="Scout" gpid="2">{escaped(text)}</{kind}>'])
    found = [one.partition(":")[0] for one in _said(change)]
    assert found == ([said] if said else [])


def test_findings_in_what_nothing_uses_are_one_line() -> None:
    broken = t.CalculatedProperty("C", "{1 +}")
    unused = with_(
        prototypes=[prototype("Outer", t.UsePrototype("Inner"), broken), prototype("Inner", broken, t.Delete())]
    )
    assert [one for one in _said(unused) if "expression" in one] == []
    lines = [g.finding.values for g in examine(packed(unused)).groups if g.finding.rule == "unused-prototype"]
    assert sorted(lines) == [(("name", "Inner"), ("count", 1)), (("name", "Outer"), ("count", 1))]
    used = with_(pieces=[slot(t.UsePrototype("Inner"))], prototypes=[prototype("Inner", broken)])
    assert any("expression-error" in one for one in _said(used))


def test_the_picture_of_an_outline_is_used_and_that_of_an_extension_may_not_be() -> None:
    mask = lambda files: files.update({"images/mask.png": files["images/guard.png"]})  # noqa: E731
    assert _said(piece(t.NonRectangular(1.0, "nmask.png,m,-5,-5,l,5,5,c")), mask) == []
    assert any("mask.png" in one for one in _said(mask))
    build = f'<{M}ModuleExtension module="Small" nextPieceSlotId="1"/>'.encode()
    report = examine(pack([("buildFile.xml", build), ("images/mask.png", b"\x89PNG")]), base=packed())
    assert [g.finding.rule for g in report.groups if g.finding.rule == "unused-file"] == ["unused-file"]


def test_a_set_up_without_the_name_of_a_file_begins_a_new_game() -> None:
    assert [one for one in _said(edit(' file="start.vsav"', "")) if "names no saved game" in one] == []
    assert [one for one in _said(edit('file="start.vsav"', 'file=""')) if "names no saved game" in one] != []


def test_the_order_of_many_traits_is_judged_in_time_that_grows_with_them() -> None:
    """Eight hundred traits took fifteen seconds, four times as many as twice the number."""
    menus = [t.SubMenu(f"M{n}", (f"Act{n}",)) for n in range(400)]
    acts = [t.Delete(f"Act{n}", t.named(f"act{n}")) for n in range(400)]
    start = time.process_time()
    found = _said(piece(*acts, *menus))
    assert time.process_time() - start < 3
    assert sum(one.startswith("trait-order") for one in found) == 400
