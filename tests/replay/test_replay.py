"""Replays: every position in them is the referee's, or the log's, and no file of a stranger does harm."""

from __future__ import annotations

import base64
import gzip
import io
import json
import re
import zipfile
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from PIL import Image

from hexforge.scenarios.text.words import Words
from hexforge.validator.judging.check import check_file, check_logs, judge
from hexforge.validator.judging.replay import steps
from hexforge.validator.judging.replayed import Replayed
from hexforge.validator.judging.situation import sheet_situation
from hexforge.validator.logs.chain import read_chain
from hexforge.validator.logs.legs import LogRead
from hexforge.validator.reading.sheet import read_sheet
from hexforge.validator.report import wording
from hexforge.validator.report.html import HtmlReport
from hexforge.validator.report.pages import Rest
from hexforge.validator.report.replay_accounts import ledger_replay
from hexforge.validator.report.replay_judged import replay
from hexforge.validator.report.replay_logs import log_replay
from hexforge.validator.report.replay_model import Replay
from hexforge.validator.report.replay_page import outlook, pictured_replay
from hexforge.validator.report.replay_pictures import Album

ROOT = Path(__file__).resolve().parents[2]
EXAMPLE = ROOT / "scenarios" / "hurtgen" / "examples" / "turn2-mistakes.sheet"
PLAYED = ROOT / "tests" / "data" / "played"
HURTGEN = ROOT / "tests" / "data" / "played-hurtgen"


def positions(found: Replay) -> list[dict[str, tuple[str, int]]]:
    """Where each piece lies after each step, and with which face up."""
    lies: dict[str, tuple[str, int]] = {}
    every = []
    for step in found.steps:
        lies = lies | {found.pieces[p.piece].id: (found.spots[p.spot].name, p.face) for p in step.puts}
        every.append(lies)
    return every


def test_every_position_is_the_referees() -> None:
    answer = check_file(EXAMPLE)
    found = replay(answer)
    assert found is not None and answer.played is not None and answer.scenario is not None
    by_line = dict(zip((step.line for step in found.steps), positions(found), strict=True))
    zones: list[set[int]] = [set(), set()]
    shown: dict[int, list[set[int]]] = {}
    for step in found.steps:
        for side, changed in step.zones.items():
            zones[side] = zones[side] ^ set(changed)
        shown[step.line] = list(zones)
    seen = 0
    for ctx, statement, outcome in steps(answer.scenario, answer.played, answer.edition.options):
        position = outcome.position
        if statement is None or statement.line not in by_line:
            continue
        seen += 1
        for unit, (spot, face) in by_line[statement.line].items():
            state = position.units[unit]
            assert (state.hex or state.where, state.lost) == (spot, face), (statement.line, unit)
        for number, side in enumerate(ctx.sides):
            zone = {found.spots[spot].name for spot in shown[statement.line][number]}
            assert zone == position.boards[side].zoc
    assert seen == len(found.steps) - 1
    assert {n.text["pt"] for n in found.notes} == {answer.words("pt").say(f.message) for f in answer.findings}


def test_findings_lie_on_the_steps_that_they_are_about() -> None:
    answer = check_file(EXAMPLE)
    found = replay(answer)
    assert found is not None
    for note in found.notes:
        after = found.steps[note.step + 1].line if note.step + 1 < len(found.steps) else 10**9
        assert found.steps[note.step].line <= note.line < after


def test_what_was_said_of_a_combat_stands_beside_what_is_right() -> None:
    answer = check_file(EXAMPLE)
    found = replay(answer)
    assert found is not None
    (fight,) = [f for step in found.steps for f in step.fights if f.kind == "combat"]
    said = {(d.part, d.said, found.sides[d.side].player, d.worst) for d in fight.declared}
    assert ("attack", "44", "Ana", "illegal") in said and ("column", "7-1", "Ana", "") in said
    assert sum(part.points for part in fight.parts if part.side == 0) == fight.attack == 48
    assert [part.label["en"] for part in fight.parts if part.wrong] == ["off-board"]
    table = found.tables[fight.table]
    assert fight.row is not None and fight.column is not None
    assert table.rows[fight.row][1][fight.column] == fight.result


def test_a_part_of_a_total_says_what_makes_it_another() -> None:
    """On the page; and of an attack that could be made, where no sums stand beside its computation."""
    text = """sheet 1
game bastogne
map blank open 51x23
unit g1 german artillery 4-2-4 range 3
unit g2 german infantry 4-4-5
unit a1 american infantry 1-2-5
position
g1 1009
g2 1009
a1 1010
turn 26 german combat
combat 1010
  attack g1 g2
"""
    answer = judge(read_sheet(text))
    found = replay(answer, ("en",))
    assert found is not None
    (fight,) = [f for step in found.steps for f in step.fights]
    named = answer.words("en").term("modifiers", "weakened")
    assert {part.piece: part.why["en"] for part in fight.parts} == {"g1": f"{named} ×½ (B 8.0)", "g2": "", "a1": ""}
    stood = sheet_situation(read_sheet(text.partition("combat 1010")[0]), None)
    assert isinstance(stood, Replayed)
    (attack,) = outlook(stood, found).odds
    assert attack.told["en"].endswith(f"; {named} ×½ (B 8.0): g1")


def test_each_hex_says_why_it_costs_what_it_does() -> None:
    text = """sheet 1
game bastogne
map blank open 51x23
terrain forest 1011
river 1010/1011
terrain town 1012
road 1012 1013
trail 1013 1014
unit a american infantry 4-4-9
setup
  a 1009
turn 16 american movement
move a: 1009 1010 1011 1012 1013 1014
"""
    found = replay(judge(read_sheet(text, "")))
    assert found is not None
    (way,) = found.steps[-1].ways
    assert [(p.what["en"], p.points, p.why["en"]) for p in way.prices] == [
        ("1010", 2, "Open (Bad weather)"),
        ("1011", 4, "Forest 3 + River 1 (Bad weather)"),
        ("1012", 1, "Town"),
        ("1013", 1, "Road"),
        ("1014", 1, "Trail"),
    ]
    assert way.prices[1].why["pt"] == "Floresta 3 + Rio 1 (Mau tempo)"


@pytest.mark.parametrize(
    "example", sorted((ROOT / "scenarios").glob("*/examples/turn*-well.sheet")), ids=lambda p: p.stem
)
def test_what_is_said_of_a_price_makes_it_up(example: Path) -> None:
    parts = [part for move in check_file(example).moves for part in move.parts if part.rates]
    assert all(part.cost == sum(rate.cost for rate in part.rates) for part in parts)
    assert parts


def test_a_judged_log_brings_its_chat() -> None:
    answer = check_logs([HURTGEN / "ana-2.vlog", HURTGEN / "bruno-2.vlog"])
    found = replay(answer)
    assert found is not None and found.talks
    last = [talk.step for talk in found.talks]
    assert last == sorted(last) and last[-1] > 0
    assert all(found.steps[step].source for step in last if step)


def test_a_log_of_any_module_is_followed_and_pictured(tmp_path: Path) -> None:
    paths = [PLAYED / "a.vlog", PLAYED / "b.vlog"]
    answer, chain = check_logs(paths), read_chain(paths)
    found = log_replay(answer, chain)
    assert [step.turn for step in found.steps].count(1) == len(chain.logs[0].told) + 1
    lies = positions(found)[-1]
    end = chain.logs[-1].end.pieces
    assert {id_: spot for id_, (spot, _) in lies.items()} == {id_: end[id_].location for id_ in lies}
    (way, *_) = [way for step in found.steps for way in step.ways]
    assert [found.spots[spot].name for spot in way.path] == ["0303", "0404"]
    pictured = pictured_replay(answer, Words("en"))
    assert pictured is not None
    assert all(pictured[1].boards) and {name.split("\x1f")[0] for name in pictured[1].faces} > {
        "red1.png",
        "blue1.png",
    }


def test_who_has_no_side_keeps_his_dice() -> None:
    """Of many modules players take no side at all; their dice are told apart by their names."""
    chain = read_chain([PLAYED / "a.vlog", PLAYED / "b.vlog"])

    def stood_up(log: LogRead) -> LogRead:
        told = tuple(replace(one, action=replace(one.action, side="")) for one in log.told)
        return replace(log, told=told, end=replace(log.end, players=()))

    found = log_replay(check_logs([PLAYED / "a.vlog"]), replace(chain, logs=tuple(map(stood_up, chain.logs))))
    thrown = [(found.sides[step.side].id, step.dice) for step in found.steps if step.dice]
    assert thrown == [("Alice", (4,)), ("Bob", (2,))]


def test_a_log_without_its_module_has_boxes(tmp_path: Path) -> None:
    (tmp_path / "a.vlog").write_bytes((PLAYED / "a.vlog").read_bytes())
    pictured = pictured_replay(check_logs([tmp_path / "a.vlog"]), Words("en"))
    assert pictured is not None and not any(pictured[1].boards) and not pictured[1].faces
    assert all(piece.name["en"] for piece in pictured[0].pieces)


def test_a_board_is_drawn_once_for_all_and_nothing_of_a_sheet_is_kept(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    monkeypatch.delenv("HEXFORGE_NO_CACHE", raising=False)

    def kept() -> int:
        return sum(path.is_file() for path in (tmp_path / "hexforge" / "images").rglob("*"))

    own = "sheet 1\ngame hurtgen\nmap blank open 6x6\nname 0303 Secret\nturn 1 german movement\n"
    assert pictured_replay(judge(read_sheet(own, "a.sheet")), Words("en")) is not None and kept() == 0
    first = pictured_replay(check_file(EXAMPLE), Words("en"))
    assert first is not None and kept() == 4, "the counters, the board, and its words in both languages"
    monkeypatch.setattr("hexforge.validator.report.replay_pictures.drawn", None)
    again = pictured_replay(check_file(EXAMPLE), Words("en"))
    assert again is not None and again[1] == first[1]


def test_pictures_that_are_none_are_left_out(tmp_path: Path) -> None:
    big = io.BytesIO()
    Image.new("1", (8_000, 8_000)).save(big, "PNG")
    with zipfile.ZipFile(tmp_path / "x.vmod", "w") as file:
        file.writestr("images/text.png", "no picture")
        file.writestr("images/bomb.png", big.getvalue())
    album = Album(tmp_path / "x.vmod")
    assert album.image("text.png") is album.image("bomb.png") is album.image("../../etc/passwd") is None
    album.close()


def data_of(page: str) -> Any:
    packed = re.search(r'id="data">([^<]*)</script>', page)
    assert packed is not None
    return json.loads(gzip.decompress(base64.b64decode(packed[1])))


def test_the_page_needs_nothing_else_and_is_the_same_every_time() -> None:
    def written() -> str:
        report = HtmlReport(Words("pt"), playable=True)
        return "".join(report.whole([report.part(check_file(EXAMPLE))], Rest(many=False)))

    page = written()
    assert page == written()
    assert not re.search(r"(src|href)=.(https?:)?//|@import|url\((?!data:)", page)
    assert data_of(page)["replay"]["languages"][0] == "pt"
    policy = re.search(r'Content-Security-Policy" content="([^"]*)"', page)
    assert (
        policy is not None
        and "default-src 'none'" in policy[1]
        and "'unsafe-inline'" not in policy[1].split("style")[0]
    )


def test_absurdly_long_games_are_cut(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("hexforge.validator.report.replay_judged.MAX_STEPS", 20)
    text = "sheet 1\ngame hurtgen\npartial\nturn 2 american movement\n" + "move us-112-1: 0806 0907\n" * 50
    found = replay(judge(read_sheet(text, "x.sheet")), ("en",))
    assert found is not None and found.cut and len(found.steps) == 20


def test_accounts_lie_where_the_books_have_them() -> None:
    sheet = ROOT / "scenarios" / "normandy" / "examples" / "june25-mistakes.sheet"
    answer = check_file(sheet)
    kept = ledger_replay(answer)
    assert kept is not None and answer.accounts is not None
    found = kept[0]
    lies = positions(found)
    books = answer.accounts.bench.books
    assert {id_: lies[-1][id_][0] for id_ in ("truck-1", "hq-352", "kg-1", "battery-1")} == {
        id_: books.states[id_].hex for id_ in ("truck-1", "hq-352", "kg-1", "battery-1")
    }
    boxes = [
        found.spots[put.spot].name
        for step in found.steps
        for put in step.puts
        if found.pieces[put.piece].id == "port"
    ]
    assert boxes[-1].endswith(": 7") and boxes[0].endswith(": 7")
    last = [step.accounts for step in found.steps if step.accounts][-1]
    told = [(what["pt"], how["pt"]) for what, how in last]

    assert told == wording.accounts(answer, answer.words("pt"))
    assert [step.turn for step in found.steps].count(0) == 1
    effects = [text["en"] for step in found.steps for text in step.followed]
    assert effects == [text for line, text in wording.effects(answer, answer.words("en")) if line > 20]
