"""Each rule of lint finds its fault where it is, and nothing else; what is sound has no finding."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner

from hexforge.modulegen.cli import main as modulegen
from hexforge.modulegen.lint.examine import base_beside, examine
from hexforge.modulegen.lint.finding import RULES, Config, ConfigError, Ignored, read_config
from hexforge.modulegen.vassal import traits as t
from hexforge.modulegen.vassal.encoding import FormatError

from .small import FLIP, FLIPPING, Change, edit, packed, picture, piece, prototype, slot, with_

GO, COME = t.named("go"), t.named("come")
NESTED = "{" + "(" * 9 + "Weather" + ")" * 9 + ' == "rain"}'


def trigger(**fields: object) -> t.Trait:
    return t.TriggerAction(**{"name": "T", "menu": "Go", "key": GO, "condition": "{1 == 2}", **fields})  # type: ignore[arg-type]


def command(**attributes: str) -> str:
    given = {"name": "All", "text": "All", "icon": "", "reportFormat": "all *", "hotkey": "70,130", **attributes}
    written = " ".join(f'{key}="{value}"' for key, value in given.items())
    return f"<VASSAL.build.module.GlobalKeyCommand {written}/>"


MAP = "VASSAL.build.module.Map"
HANDLED = "<VASSAL.build.module.map.ForwardToKeyBuffer/><VASSAL.build.module.map.MenuDisplayer/>"
LABEL = t.Labeler(key=None, menu="")
FAULTS: list[tuple[str, Change, str, str]] = [
    ("a prototype gone", piece(t.UsePrototype("Unti")), "missing-prototype", "Unti"),
    ("a prototype in itself", with_(prototypes=[prototype("A", t.UsePrototype("A"))]), "prototype-circle", "A"),
    ("a prototype unused", with_(prototypes=[prototype("B")]), "unused-prototype", "B"),
    ("an image gone", lambda f: f.pop("images/back.png"), "missing-image", "back.png"),
    ("an image's case", piece(t.MovementMarkable(image="Guard.PNG")), "case-of-name", "Guard.PNG"),
    ("an image unused", lambda f: f.update({"images/x.png": picture()}), "unused-file", "x.png"),
    ("a counter too large", lambda f: f.update({"images/guard.png": picture(3000, 9)}), "large-image", "3000"),
    ("a board too large", lambda f: f.update({"images/board.png": picture(20_000, 7_000)}), "large-image", "7000"),
    ("help gone", lambda f: f.pop("help.html"), "missing-file", "help.html"),
    ("a sound gone", piece(t.PlaySound("boom.wav", "Boom", GO)), "missing-file", "boom.wav"),
    ("a set-up gone", lambda f: f.pop("start.vsav"), "missing-file", "start.vsav"),
    ("a save that no set-up loads", lambda f: f.update({"b.vsav": f["start.vsav"]}), "setup", "b.vsav"),
    ("an empty menu of set-ups", edit('isMenu="false"', 'isMenu="true"'), "setup", "Start"),
    ("no moduledata", lambda f: f.pop("moduledata"), "module-data", "moduledata"),
    ("another version", edit('version="1.0" desc', 'version="1.1" desc'), "module-data", "1.1"),
    ("a deck gone", piece(t.ReturnToDeck("Back", GO, deck="Reserves")), "missing-deck", "Reserves"),
    ("a deck's board", edit('owningBoard="Board"', 'owningBoard="Bord"'), "missing-place", "Bord"),
    ("a map gone", piece(t.SendToLocation("Off", GO, "Feild")), "missing-place", "Feild"),
    ("a board gone", piece(t.SendToLocation("Off", GO, "Field", "Bored")), "missing-place", "Bored"),
    (
        "a zone gone",
        piece(t.SendToLocation("Off", GO, "Field", destination="Z", zone="Hill")),
        "missing-place",
        "Hill",
    ),
    ("nothing to place", piece(t.PlaceMarker(key=GO)), "missing-piece", "no piece"),
    ("a trigger nobody hears", piece(trigger(actions=(COME,))), "unheard-key", "come"),
    ("a command no piece hears", piece(t.GlobalCommand("All", GO, COME)), "unheard-key", "come"),
    ("a hot key no button hears", piece(t.GlobalHotKey("Press", GO, COME)), "unheard-key", "come"),
    ("a button's command", with_(elements=command(hotkey="57348,0,come")), "unheard-key", "come"),
    ("a command nothing calls", piece(t.SendToLocation("", COME, "Field")), "hidden-command", "come"),
    ("a trigger nothing starts", piece(trigger(key=None, actions=(FLIP,)), *FLIPPING), "idle-trigger", "T"),
    ("a trigger that starts itself", piece(trigger(condition="", actions=(GO,))), "key-loop", "go"),
    ("a button unseen", with_(elements=command(text="", name="")), "idle-button", "neither"),
    ("two of a key", piece(t.Delete("Away", FLIP), *FLIPPING), "key-clash", "Away"),
    ("two buttons of a key", with_(elements=command(buttonHotkey="68,520")), "key-clash", "DiceButton"),
    ("an open bracket", piece(trigger(condition="{(1 == 2}", actions=())), "expression-error", "ends too early"),
    ("two operators", piece(trigger(condition="{1 == * 2}", actions=())), "expression-error", "'*'"),
    ("an open quote", piece(t.CalculatedProperty("C", '{"a + 1}')), "expression-error", '"a'),
    ("a property by a wrong name", piece(t.CalculatedProperty("C", "{Wether}")), "unknown-property", "Wether"),
    ("an old expression's", piece(trigger(condition="Wether = rain", actions=())), "unknown-property", "Wether"),
    ("a filter's", with_(elements=command(filter="{Wether == 1}")), "unknown-property", "Wether"),
    ("brackets upon brackets", piece(t.CalculatedProperty("C", NESTED)), "slow-expression", "9"),
    ("a restriction too far in", piece(*FLIPPING, t.RestrictCommands("R", keys=(FLIP,))), "trait-order", "Ctrl+F"),
    ("a pivot alone", piece(t.Pivot(key=GO)), "trait-order", "Can Rotate"),
    ("a sub-menu too far in", piece(*FLIPPING, t.SubMenu("More", ("Flip",))), "trait-order", "Flip"),
    ("invisible below a layer", piece(*FLIPPING, t.Hideable()), "trait-order", "Step"),
    ("a trigger on what deletes", piece(trigger(key=FLIP), t.Delete("Go", FLIP)), "trait-order", "Ctrl+F"),
    ("an entry gone", piece(t.SubMenu("More", ("Flop",)), *FLIPPING), "menu-entry", "Flop"),
    ("a side gone", piece(t.Restricted(("Green",))), "unknown-side", "Green"),
    ("no report", piece(FLIPPING[1]), "missing-report", "Flip"),
    (
        "silent dice",
        edit(r'reportFormat="\$name\$ \$result\$"', 'reportFormat=""'),
        "missing-report",
        "reports nothing",
    ),
    (
        "a class misspelt",
        edit("module.BasicCommandEncoder", "module.BasicCommandEncodr"),
        "unknown-class",
        "Encodr",
    ),
    (
        "a class of its own",
        lambda f: (
            f.update({"my/own/BasicCommandEncoder.class": b""})
            or edit("VASSAL.build.module.Basic", "my.own.Basic")(f)
        ),
        "custom-class",
        "my.own",
    ),
    ("a class of old", edit("module.BasicCommandEncoder", "module.DieManager"), "deprecated-class", "DieManager"),
    ("a trait misspelt", piece(t.UnknownTrait("lable;x")), "unknown-trait", "lable"),
    ("VASL's trait", piece(t.Concealable()), "unknown-trait", "conceal"),
    ("a number twice", with_(pieces=[slot(gpid="1", name="Scout")]), "gpid", "Guard"),
    ("a number too high", with_(pieces=[slot(gpid=n, name="Scout") for n in ("95", "96")]), "gpid", "given, 90"),
    (
        "two maps",
        with_(elements='<VASSAL.build.module.Map mapName="Field" markMoved="Never"/>'),
        "same-name",
        "Field",
    ),
    (
        "no piece",
        with_(pieces=["<VASSAL.build.widget.CardSlot gpid='3'>x</VASSAL.build.widget.CardSlot>"]),
        "broken-piece",
        "read",
    ),
    (
        "a map that moves nothing",
        with_(
            elements=f'<{MAP} mapName="B" markMoved="Never"><VASSAL.build.module.map.KeyBufferer/>{HANDLED}</{MAP}>'
        ),
        "map-part",
        "PieceMover",
    ),
    ("marks for ever", edit('markUnmovedIcon="[^"]*"', 'markUnmovedIcon=""'), "moved-reset", "Field"),
]
MARKED = ("marks for ever", piece(t.MovementMarkable()))


@pytest.mark.parametrize(("change", "rule", "said"), [f[1:] for f in FAULTS], ids=[f[0] for f in FAULTS])
def test_a_fault_is_found_and_nothing_else(change: Change, rule: str, said: str) -> None:
    changes = (MARKED[1], change) if rule == "moved-reset" else (change,)
    found = examine(packed(*changes)).groups
    # A command that is spoiled may besides want a report.
    assert {rule} <= {g.finding.rule for g in found} <= {rule, "missing-report"}, [
        str(g.finding.message) for g in found
    ]
    assert any(said in str(g.finding.message) for g in found), [str(g.finding.message) for g in found]
    assert all(g.finding.mend for g in found)


def test_every_rule_has_its_fault() -> None:
    from . import test_lint_parts

    assert {f[2] for f in (*FAULTS, *test_lint_parts.FAULTS)} | {"extension"} == set(RULES)


SOUND: list[tuple[str, Change]] = [
    ("as it is", lambda f: None),
    ("stock pictures", piece(t.MovementMarkable(image="moved.gif"), t.Obscurable(image="/images/unmoved.gif"))),
    ("computed names", piece(t.UsePrototype("$Which$"), t.SendToLocation("Off", GO, "$Where$"))),
    (
        "a picture without its suffix",
        lambda f: f.update({"images/board.gif": f.pop("images/board.png")}) or edit("board.png", "board")(f),
    ),
    ("flat choices", piece(t.CalculatedProperty("C", "{" + "Weather == 1 ? 2 : " * 40 + "3}"))),
    ("brackets side by side", piece(t.CalculatedProperty("C", "{" + " + ".join(["(1 + (2 * 3))"] * 60) + "}"))),
    (
        "functions",
        piece(
            t.Marker.of(C=1),
            t.CalculatedProperty("D", '{If(CountStack("{C==1}") > 0, Math.max(1, C), "a" + C.length())}'),
        ),
    ),
    ("replaced names", piece(t.CalculatedProperty("C", '{"$Weather$" == "x" && $Weather$ > 2}'))),
    ("old expressions", piece(trigger(condition="Weather = rain && C != $Weather$"), t.Marker.of(C="1"))),
    ("one key by intent", piece(t.SetGlobalProperty("Weather", commands=()), *FLIPPING)),
    ("properties of dice", piece(t.CalculatedProperty("C", "{Dice_result + Reserve_numPieces}"))),
    (
        "what other traits give",
        piece(t.CalculatedProperty("C", "{Step_Level * MoveLeft}"), t.DynamicProperty("MoveLeft"), *FLIPPING),
    ),
]


@pytest.mark.parametrize("change", [s[1] for s in SOUND], ids=[s[0] for s in SOUND])
def test_what_is_sound_has_no_finding(change: Change) -> None:
    assert [str(g.finding.message) for g in examine(packed(change)).groups] == []


def test_what_says_the_same_is_one_finding() -> None:
    pieces = [slot(t.UsePrototype("Unti"), gpid=str(n), name=f"S{n}") for n in range(2, 60)]
    (group,) = examine(packed(with_(pieces=pieces))).groups
    assert len(group.places) == 58
    assert group.places[0].path == ("PieceWindow [Pieces]", "PieceSlot [S2]", "1 UsePrototype")
    assert group.places[0].line > 1


def test_one_cause_is_one_finding() -> None:
    high = with_(pieces=[slot(gpid=str(n), name=f"S{n}") for n in range(90, 130)])
    page = b'<html><img src="images/back.png"></html>'
    lacking = piece(t.MovementMarkable(image="back.png"))
    for changes in (
        (high,),
        (lacking, lambda f: f.update({"help.html": page}), lambda f: f.pop("images/back.png")),
    ):
        (group,) = examine(packed(*changes)).groups
        assert len(group.places) > 1


def test_an_extension_is_not_blamed_for_its_base_module(tmp_path: Path) -> None:
    extension = (
        '<VASSAL.build.module.ModuleExtension module="Small" version="1" extensionId="ab" nextPieceSlotId="9">'
        '<VASSAL.build.module.ExtensionElement target=""><VASSAL.build.module.PieceWindow name="More" text="More">'
        + slot(t.UsePrototype("Unit"), t.UsePrototype("Unti"), gpid="ab:1", name="X")
        + "</VASSAL.build.module.PieceWindow></VASSAL.build.module.ExtensionElement>"
        "</VASSAL.build.module.ModuleExtension>"
    ).encode()

    def change(files: dict[str, bytes]) -> None:
        data = files["moduledata"]
        files.clear()
        files |= {"buildFile.xml": extension, "extensiondata": data.replace(b"<version>1.0", b"<version>1")}

    whole = packed(change)
    assert examine(whole).groups == ()
    found = examine(whole, base=packed()).groups
    assert [(g.finding.rule, dict(g.finding.values)["name"]) for g in found] == [("missing-prototype", "Unti")]


def test_settings_change_levels_and_silence(tmp_path: Path) -> None:
    wrong = packed(piece(t.UsePrototype("Unti")))
    (group,) = examine(wrong, config=Config(rules={"missing-prototype": "note"})).groups
    assert group.level == "note"
    for config in (Config(rules={"missing-prototype": "off"}), Config(ignore=(Ignored(match="Un*"),))):
        report = examine(wrong, config=config)
        assert (report.groups, report.silenced) == ((), 1)
    (tmp_path / "a.yaml").write_text("rules: {missing-prototyp: off}")
    with pytest.raises(ConfigError, match="missing-prototyp"):
        read_config(tmp_path / "a.yaml")
    (tmp_path / "b.yaml").write_text("rules: {missing-prototype: loud}")
    with pytest.raises(ConfigError, match="missing-prototype"):
        read_config(tmp_path / "b.yaml")


def test_the_command_answers_in_three_forms(tmp_path: Path) -> None:
    path = tmp_path / "x.vmod"
    path.write_bytes(packed(piece(t.UsePrototype("Unti"))))

    def run(*words: str) -> tuple[int, str]:
        done = CliRunner().invoke(modulegen, ["lint", str(path), *words])
        return done.exit_code, done.output

    code, text = run()
    assert code == 1
    assert "missing-prototype" in text
    code, text = run("--json")
    assert json.loads(text)["findings"][0]["places"][0]["path"][-1] == "1 UsePrototype"
    code, text = run("--sarif")
    (result,) = json.loads(text)["runs"][0]["results"]
    assert (result["ruleId"], result["level"]) == ("missing-prototype", "error")
    assert run("--ignore", "missing-prototype")[0] == 0
    assert run("--fail-on", "never")[0] == 0
    (tmp_path / ".hexforge-lint.yaml").write_text("rules: {missing-prototype: off}")
    assert run()[0] == 0
    assert run("--only", "nonsense")[0] == 2


def test_hostile_modules_end_with_one_error_or_a_finding() -> None:
    deep = piece(t.CalculatedProperty("C", "{" + "(" * 30_000 + "1" + ")" * 30_000 + "}"))
    assert {g.finding.rule for g in examine(packed(deep)).groups} == {"slow-expression"}
    twice = [prototype(f"P{n}", t.UsePrototype(f"P{n + 1}"), t.UsePrototype(f"P{n + 1}")) for n in range(40)]
    circle = piece(t.UsePrototype("P0"), more=tuple(twice))
    assert "missing-prototype" in {g.finding.rule for g in examine(packed(circle)).groups}
    entity = b'<!DOCTYPE x [<!ENTITY a "b">]><VASSAL.build.GameModule name="&a;"/>'
    with pytest.raises(FormatError, match=r"buildFile\.xml"):
        examine(packed(lambda f: f.update({"buildFile.xml": entity})))
    for junk in (b"", b"PK\x03\x04", b"no module"):
        with pytest.raises(FormatError):
            examine(junk)


@pytest.mark.parametrize("page", ["docs/lint.md", "docs/pt/lint.md"])
def test_the_pages_say_of_each_rule_why(page: str) -> None:
    text = (Path(__file__).parents[2] / page).read_text("utf-8")
    for key, rule in RULES.items():
        assert f"| `{key}` |" in text, key
        assert f"]({rule.basis}))" in text, key
    assert text.count("\n| `") == len(RULES)


VASSAL_FILES = Path(__file__).parents[2].parent / "shared" / "data"


@pytest.mark.skipif(not VASSAL_FILES.is_dir(), reason="files of others are not part of the project")
def test_a_template_of_others_lacks_what_it_lacks() -> None:
    found = examine(VASSAL_FILES / "hex-n-counters-template.vmod").groups
    missing = {dict(g.finding.values)["name"] for g in found if g.level == "error"}
    assert missing == {"Intro.html", "INF-black"}
    # What else is missing stands in slots of a hidden window: one line for each.
    assert {g.finding.says for g in found if g.finding.rule == "unused-prototype"} >= {"slot"}
    assert not any(g.level == "error" for g in examine(VASSAL_FILES / "test-predefined-setups.vmod").groups)
    found = examine(VASSAL_FILES / "tour.mod").groups
    # Its users' guide is VASSAL's own (`docs/`), and the pictures for its log lie in it without that log.
    assert {g.finding.rule for g in found if g.level == "error"} == {"gpid"}
    assert "unknown-class" not in {g.finding.rule for g in found}


def test_an_extension_is_judged_with_the_module_that_it_lies_beside(tmp_path: Path) -> None:
    (tmp_path / "Small.vmod").write_bytes(packed())
    folder = tmp_path / "Small_ext"
    folder.mkdir()
    (folder / "More.vmdx").write_bytes(b"")
    assert base_beside(folder / "More.vmdx") == tmp_path / "Small.vmod"
    assert base_beside(tmp_path / "More.vmdx") is None
    assert base_beside(tmp_path / "Small.vmod") is None
