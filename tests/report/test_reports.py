"""The forms of an answer, on one made by hand with everything in it."""

from __future__ import annotations

import json
import re
from dataclasses import replace
from html.parser import HTMLParser
from pathlib import Path
from xml.etree import ElementTree

import click
import pytest

from hexforge.modulegen.render.board_layout import board_palette
from hexforge.scenarios import load
from hexforge.scenarios.model import GameMap
from hexforge.scenarios.schema.map import Looks, Place
from hexforge.scenarios.text.hexgrid import grid
from hexforge.scenarios.text.words import Language, Message, Words, message
from hexforge.validator.judging.answer import Answer, Edition
from hexforge.validator.judging.check import judge
from hexforge.validator.judging.replay import Scene
from hexforge.validator.notation import base
from hexforge.validator.notation import statements as st
from hexforge.validator.reading.sheet import read_sheet
from hexforge.validator.report.article import COLOURS, LEGAL, UNIT
from hexforge.validator.report.as_json import write_json, write_junit
from hexforge.validator.report.html import write_html
from hexforge.validator.report.text import write_text
from hexforge.validator.rules.findings import CombatRecord, Finding, MoveRecord, Shift, doubt, find
from hexforge.validator.rules.position import Position, Unit

HURTGEN = Path(__file__).resolve().parents[2] / "scenarios" / "hurtgen" / "examples"
EVIL = '<script>alert("x")</script>&\x1b[31m\x07'


SHIFTS = (Shift("terrain", -2, "H 5.1.2"), Shift("encirclement", 1, "H 5.1.3"))


def note(text: str) -> Message:
    """A message that says just this."""
    return message("system.other", why=text)


def answer() -> Answer:
    field = grid(5, 4, "even")
    roster = {
        "a1": Unit("a1", "american", "infantry", 4, 4, 5),
        "g1": Unit("g1", "german", "infantry", 1, 2, 5),
    }
    position = Position.empty(field, roster, ["american", "german"]).put("a1", "0203").take_off("g1", "eliminated")
    ground = GameMap.blank(field, "open")
    places = (Place(id="evil", name=EVIL, hexes="0202", kind="town"),)
    return Answer(
        source=f"{EVIL}.sheet",
        game="hurtgen",
        edition=Edition("hexforge 9", "1.0", "ab" * 32, {"inverse_rounding": "ceil"}),
        findings=(
            find(1, "syntax", "", declared=EVIL, column=1, found=EVIL, expected="combat"),
            find(2, "column", "H 5.1", declared="2-1", computed="1-1", shifts=message("findings.cause.none"),
                 doubts=[doubt("terrain", hex="0203", provenance=message("findings.doubt.assumed"))]),
            Finding(2, "H 4.0", "movement-cost", "warning", note("this is odd")),
        ),
        combats=(
            CombatRecord(2, "combat", ("0203",), 11, 4, "2-1", None, SHIFTS, "1-1", 7, "DVI ARB",
                         (("american", "a1", 4), ("american", "a7", 7), ("german", "g1", 4))),
            CombatRecord(3, "bombard", ("0204",), value=18, column="11-20", parts=(("american", "a7", 9),)),
        ),
        moves=(MoveRecord(3, ("a1",), ("0201", "0202"), 5, 3),),
        position=position,
        field=GameMap(field, ground.terrain, places=places),
        scenario=load("hurtgen"),
        score={"american": 10, "german": 5},
        lines=(f"combat {EVIL}", "combat 0203", "move a1: 0201 0202"),
        shown=frozenset({"a1"}),
    )  # fmt: skip


def test_json_is_the_contract() -> None:
    (found,) = json.loads(write_json([answer()], [], many=True))
    assert found["verdict"] == "unread"
    assert found["findings"][1] == {
        "line": 2, "rule": "H 5.1", "code": "column", "severity": "doubtful",
        "message": "the column is 1-1 (no shift), not 2-1", "hexes": [], "units": [], "declared": "2-1",
        "computed": "1-1", "rests_on": "terrain of 0203 (assumed)",
    }  # fmt: skip
    assert found["combats"][0]["shifts"][0] == {"cause": "terrain", "columns": -2, "rule": "H 5.1.2"}
    assert "attack" not in found["combats"][1]
    assert found["moves"] == [{"line": 3, "units": ["a1"], "path": ["0201", "0202"], "cost": 2.5, "left": 1.5}]
    assert found["position"] == {
        "a1": {"hex": "0203", "step": "full"},
        "g1": {"hex": None, "step": "eliminated", "where": "eliminated"},
    }
    assert found["score"] == {"american": 10, "german": 5}
    assert found["scenario"] == {"version": "1.0", "hash": "ab" * 32}
    assert found["options"] == {"inverse_rounding": "ceil"}
    assert found["program"] == "hexforge 9"


def test_json_of_one_is_an_object_and_of_unreadable_files_an_error() -> None:
    assert json.loads(write_json([answer()], [], many=False))["game"] == "hurtgen"
    several = json.loads(write_json([answer()], [("x.png", "is not text")], many=True))
    assert several[1] == {"source": "x.png", "error": "is not text"}


@pytest.mark.parametrize("language", ["en", "pt"])
def test_text_quotes_explains_and_works_out(language: Language) -> None:
    text = write_text([answer()], Words(language))
    assert "combat 0203" in text
    assert "H 5.1" in text
    column = {"en": "the column is 1-1 (no shift), not 2-1", "pt": "a coluna é 1-1 (sem deslocamento), não 2-1"}
    assert column[language] in text
    doubt_told = {"en": "rests on terrain of 0203 (assumed)", "pt": "depende de terreno de 0203 (reconstruído)"}
    assert doubt_told[language] in text
    assert "11 = a1 4 + a7 7" in text
    assert {"en": "terrain -2 (H 5.1.2), encirclement +1 (H 5.1.3); net -1",
            "pt": "terreno -2 (H 5.1.2), cerco +1 (H 5.1.3); total -1"}[language] in text  # fmt: skip
    assert {"en": "column 1-1, roll 7 → DVI ARB", "pt": "coluna 1-1, dados 7 → DVI ARB"}[language] in text
    assert {"en": "cost 2.5, left 1.5", "pt": "custo 2,5, resta 1,5"}[language] in text


def test_text_drives_no_terminal() -> None:
    assert "\x1b" not in write_text([answer()], Words("en"))
    assert "\x07" not in write_text([answer()], Words("en"), color=True)
    assert click.style("NOT READ", fg="magenta", bold=True) in write_text([answer()], Words("en"), color=True)


def test_quiet_text_has_only_what_is_wrong() -> None:
    quiet = write_text([answer()], Words("en"), quiet=True)
    assert "the column is 1-1 (no shift), not 2-1" in quiet
    assert "this is odd" not in quiet
    assert "a1 4" not in quiet


class _Page(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.tags: list[str] = []
        self.links: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)
        leads = ("href", "src", "action", "data")
        within = tag == "use" and all(k != "href" or (v or "").startswith("#map") for k, v in attrs)
        self.links += [f"{k}={v}" for k, v in attrs if (k in leads and not within) or k.startswith("on")]


@pytest.mark.parametrize("language", ["en", "pt"])
def test_html_is_one_file_without_scripts_or_links(language: Language) -> None:
    html = write_html([answer()], [("x.png", EVIL)], Words(language))
    page = _Page()
    page.feed(html)
    assert "script" not in page.tags
    assert page.links == []
    assert "svg" in page.tags
    assert not re.search(r"url\(|@import|http-equiv=.refresh", html)
    assert "\x1b" not in html and "\x07" not in html
    assert "&lt;script&gt;" in html
    assert "11 = a1 4 + a7 7" in html


def test_several_sheets_have_an_overview_that_leads_to_each() -> None:
    html = write_html([answer(), replace(answer(), findings=(), source="b.sheet")], [], Words("pt"))
    page = _Page()
    page.feed(html)
    assert page.links == ["href=#r1", "href=#r2"]
    assert html.count('<article id="r') == 2
    rows = re.findall(r"<tr><td><a href.*?</tr>", html)
    cells = [re.findall(r'<td class="num">(.*?)</td>', row) for row in rows]
    assert cells == [["–", "1", "1", "–", "1", "–"], ["–"] * 6]


def test_junit_counts_failures_and_survives_control_characters() -> None:
    root = ElementTree.fromstring(write_junit([answer()], [("x.png", EVIL)], Words("en")))
    suite, unreadable = root.findall("testsuite")
    assert [suite.get(name) for name in ("tests", "failures", "errors", "skipped")] == ["3", "0", "1", "1"]
    assert unreadable.find("testcase/error") is not None
    error = suite.find("testcase/error")
    assert error is not None and error.get("type") == "syntax"


def test_an_answer_without_a_game() -> None:
    bare = Answer(
        "x.sheet", "", Edition("hexforge"), (Finding(1, "", "syntax", "unread", note("no game")),), lines=("y",)
    )
    for language in ("en", "pt"):
        assert write_text([bare], Words(language))
        assert write_html([bare], [], Words(language))
    assert bare.as_json()["position"] == {}


def _scenes(statement: base.Statement | None, *findings: Finding, moves: tuple[MoveRecord, ...] = ()) -> Answer:
    base = answer()
    assert base.position is not None
    before = base.position.put("g1", "0204")
    return replace(
        base,
        findings=findings,
        moves=moves,
        scenes={f.line: Scene(before, statement, moves) for f in findings},
    )


def _drawn(page: str) -> list[str]:
    return re.findall(r'<div class="scene">(<svg.*?</svg>)</div>', page, re.DOTALL)


def test_a_move_is_shown_where_it_went_wrong() -> None:
    move = MoveRecord(3, ("a1",), ("0203", "0303"), 5, 3)
    finding = Finding(3, "H 4.0", "movement-cost", "illegal", note("too far"), hexes=("0303",), units=("a1",))
    found = _scenes(st.Move(3, ("a1",), ("0203", "0303")), finding, moves=(move,))
    field = GameMap.blank(grid(12, 4, "even"), "open")
    page = write_html([replace(found, field=field)], [], Words("en"))
    (picture,) = _drawn(page)
    assert picture.count("<polyline") == 2, "an arrow and its outline"
    assert picture.count('fill="none" stroke="#c1121f" stroke-width="3.5"') == 2, "where it came from and went to"
    assert "a1 (full)" in picture
    left, _, width, _ = map(float, re.findall(r'viewBox="(.*?)"', picture)[0].split())
    assert left + width < field.grid.center("0803")[0] * UNIT, "what is far away is left out"
    assert '<use href="#map1"/>' in picture and ">0803<" in page and page.count('<g id="map1">') == 1


def test_sheets_on_one_map_draw_it_once() -> None:
    found = answer()
    other = replace(found, field=GameMap.blank(grid(3, 3, "even"), "open"), position=None)
    page = write_html([found, found, other], [], Words("en"))
    assert re.findall('<g id="(.*?)">', page) == ["map1", "map2"]
    assert page.count('<use href="#map1"/>') == 1 and '"#map2"' not in page


def test_a_map_that_a_sheet_sets_up_is_drawn_as_the_game_draws_its_own() -> None:
    text = (
        "sheet 1\ngame bastogne\nmap blank open 6x6\nterrain town 0303\nname 0303 <i>Home\nriver 0202/0203\n"
        "road 0101 0102 0103\nbridge 0202/0203\nfortification 0404\nposition\nturn 1 american movement\n"
    )
    palette = board_palette()
    page = write_html([judge(read_sheet(text, "x.sheet"))], [], Words("en"))
    for kind, id_ in (("covers", "town"), ("hexsides", "river"), ("ways", "road")):
        assert f'"{palette[kind][id_]["fill"]}"' in page, id_
    assert palette["bridge"]["deck"] in page and palette["fortress"]["ink"] in page
    assert "&lt;i&gt;Home</text>" in page and ">0606</text>" in page and ">0607<" not in page


def test_a_map_that_a_sheet_sets_up_has_the_looks_of_the_game() -> None:
    game = load("hurtgen")
    looks = Looks.model_construct(**(dict(game.map.looks) | {"terrain": {"open": "marsh"}}))
    found = replace(answer(), scenario=replace(game, map=replace(game.map, looks=looks)))
    marsh = board_palette()["covers"]["marsh"]["fill"]
    assert marsh in write_html([found], [], Words("en")) and marsh not in write_html([answer()], [], Words("en"))


def test_a_combat_is_shown_with_its_attackers_and_a_retreat() -> None:
    acts = (st.Attack(5, ("a1",)), st.Retreat(6, ("g1",), ("0204", "0304")))
    findings = (
        Finding(5, "H 5.1", "odds", "illegal", note("3, not 4")),
        Finding(6, "H 5.3", "retreat", "illegal", note("not there")),
        Finding(6, "H 5.3", "retreat", "illegal", note("not there either")),
        Finding(6, "", "special", "info", note("by the way")),
    )
    pictures = _drawn(write_html([_scenes(st.Combat(4, ("0204",), acts), *findings)], [], Words("pt")))
    assert [p.count("<polyline") for p in pictures] == [2, 4], "the same picture is not shown twice"
    assert all('stroke="#a61d24"' in p for p in pictures)


def test_what_is_about_no_place_or_too_many_has_no_picture() -> None:
    nowhere = Finding(7, "H 10.2", "score", "illegal", note("not 10"))
    assert _drawn(write_html([_scenes(None, nowhere)], [], Words("en"))) == []
    wide = Finding(7, "", "score", "illegal", note("far apart"), hexes=("0101", "3901"))
    found = _scenes(None, wide)
    field = GameMap.blank(grid(40, 4, "even"), "open")
    assert _drawn(write_html([replace(found, field=field)], [], Words("en"))) == []


def test_the_whole_map_shows_every_move_in_the_colour_of_its_fault() -> None:
    right, wrong = MoveRecord(3, ("a1",), ("0203", "0303"), 2, 3), MoveRecord(4, ("a1",), ("0303", "0304"), 9, -4)
    finding = Finding(4, "H 4.0", "movement-cost", "doubtful", note("too far"))
    page = write_html([replace(answer(), findings=(finding,), moves=(right, wrong), combats=())], [], Words("en"))
    board = page[page.index('<div class="board"') :]
    assert board.count(f'stroke="{LEGAL}"') == 1
    assert board.count(f'stroke="{COLOURS["doubtful"]}"') == 1


def test_the_whole_map_shows_the_last_turn_only() -> None:
    moves = tuple(MoveRecord(n, ("a1",), ("0203", "0303"), 2, 3) for n in (3, 9))
    page = write_html([replace(answer(), findings=(), moves=moves, combats=(), since=7)], [], Words("en"))
    assert page.count(f'stroke="{LEGAL}"') == 1


def test_the_last_turn_begins_where_its_first_phase_does() -> None:
    text = (HURTGEN / "turn2-well.sheet").read_text("utf-8")
    found = judge(read_sheet(text, str(HURTGEN / "x.sheet")))
    assert found.since == 1 + next(n for n, line in enumerate(text.splitlines()) if line.startswith("turn "))


def test_a_thousand_findings_do_not_make_a_thousand_pictures() -> None:
    findings = [
        Finding(n, "H 4.1", "stacking", "illegal", note("full"), hexes=("0203" if n % 2 else "0303",))
        for n in range(1, 1001)
    ]
    assert len(_drawn(write_html([_scenes(None, *findings)], [], Words("en")))) == 150
