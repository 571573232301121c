"""What stands in a built module, read back by our own readers (the engine's own opinion: tests/witness)."""

from __future__ import annotations

import html
import io
import re
import zipfile
from collections import Counter
from pathlib import Path
from typing import Literal

import pytest
from PIL import Image

from hexforge.modulegen.archive import problems_of
from hexforge.modulegen.assemble import air, turns
from hexforge.modulegen.assemble.module import spots
from hexforge.modulegen.assemble.prototypes import expand, prototypes, unit_traits
from hexforge.modulegen.plan import plan
from hexforge.modulegen.plan.battlefield import fixed
from hexforge.modulegen.plan.markers import MOVED_SIZE, BoardPlan, gazetteer
from hexforge.modulegen.render.preview import size
from hexforge.modulegen.vassal import encoding
from hexforge.modulegen.vassal import traits as t
from hexforge.modulegen.vassal.archive import Archive, read_metadata
from hexforge.modulegen.vassal.buildfile import Element
from hexforge.modulegen.vassal.inspect import describe
from hexforge.modulegen.vassal.module import read_module
from hexforge.scenarios import load
from hexforge.scenarios.text.hexgrid import COLUMN_WIDTH, HexGrid

from .beanshell import parse
from .conftest import Built, build


def slot_piece(slot: Element) -> t.Piece:
    _, kind, state = encoding.decode(slot.text.removeprefix("+/"), "/")
    return t.read_piece(kind, state)


def test_nothing_is_missing_and_nothing_unused(built: Built) -> None:
    assert list(problems_of(built.data)) == []


def test_every_counter_has_one_slot_with_its_figures(built: Built) -> None:
    slots = [slot_piece(s).properties() for s in built.root.all("PieceSlot")]
    units = {p["UnitId"]: p for p in slots if "UnitId" in p}
    counters = built.plan.scenario.counters
    assert set(units) == set(counters)
    assert len(units) == sum("UnitId" in p for p in slots)
    for id_, counter in counters.items():
        given = units[id_]
        assert given["FullAttack"] == str(counter.attack)
        assert given["FullDefence"] == str(counter.defence)
        assert given["Move"] == str(counter.move)
        assert given["Range"] == ("" if counter.range is None else str(counter.range))
        assert given["Type"] == counter.type
        assert given["Size"] == counter.size
        assert (given["Regiment"], given["Division"]) == (counter.regiment, counter.division)


def test_units_know_their_side_once_their_prototypes_are_expanded(built: Built) -> None:
    known = prototypes(built.plan)
    for unit in built.plan.units.values():
        traits = expand(unit_traits(built.plan, unit), known)
        states = t.Piece(traits, tuple(x.state() for x in traits)).properties()
        assert states["Side"] == unit.counter.side
        assert not any(isinstance(x, t.UsePrototype) for x in traits)


def test_a_step_lost_shows_the_other_face(built: Built) -> None:
    for unit in built.plan.units.values():
        (layer,) = (x for x in unit_traits(built.plan, unit) if isinstance(x, t.Layer))
        assert layer.images == unit.images
        two = unit.counter.reduced_attack is not None
        assert len(layer.images) == (2 if two else 1)
        assert bool(layer.increase_key) == two


def test_gpids_are_unique_and_below_the_next(built: Built) -> None:
    gpids = [int(s.get("gpid")) for s in built.root.all("PieceSlot")]
    assert len(set(gpids)) == len(gpids)
    assert int(built.root.get("nextPieceSlotId")) == max(gpids) + 1


def test_no_trait_is_written_twice(built: Built) -> None:
    own = Counter[str]()
    for slot in built.root.all("PieceSlot"):
        for trait in slot_piece(slot).traits:
            if not isinstance(trait, t.UsePrototype | t.Marker | t.Layer | t.BasicPiece):
                own[trait.encode()] += 1
    assert not {trait: n for trait, n in own.items() if n > 1}


def test_a_cell_of_the_losses_for_every_counter(built: Built) -> None:
    places = [place for _, place in built.plan.losses.place.values()]
    assert set(built.plan.losses.place) == set(built.plan.scenario.counters)
    assert len(set(places)) == len(places)


def test_every_image_is_a_picture_of_the_size_stated(built: Built) -> None:
    with Archive(built.data) as archive:
        for name in archive.names:
            if name.endswith(".png"):
                Image.open(io.BytesIO(archive.read(name))).load()
        board = Image.open(io.BytesIO(archive.read("images/board.png")))
        assert board.size == (built.plan.ground.width, built.plan.ground.height)
        unit = next(iter(built.plan.units.values()))
        for name in unit.images:
            assert Image.open(io.BytesIO(archive.read(f"images/{name}"))).size == (built.plan.size,) * 2


def test_every_hex_is_named_as_we_do(built: Built) -> None:
    """The middle of each drawn hex, and points well inside it, bear our number by the module's own grid."""
    module = read_module(built.data)
    board = module.maps[0].boards[0]
    assert board.grid is not None
    assert board.size is not None
    field = built.plan.ground
    for hex_ in field.grid:
        x, y = field.centre(hex_)
        reach = int(field.dy * 0.42)
        for dx, dy in ((0, 0), (reach, 0), (-reach, 0), (0, reach), (0, -reach)):
            assert board.grid.location_name((x + dx, y + dy), board.size) == hex_


@pytest.mark.parametrize("low", ["even", "odd"])
def test_centres_are_those_of_the_drawn_hexes(low: Literal["even", "odd"]) -> None:
    grid = HexGrid(9, 7, low)
    first = grid.center("0101")
    field = BoardPlan(grid, 0, 0, x0=70, y0=90, dx=100 * COLUMN_WIDTH, dy=100.0)
    for hex_ in grid:
        x, y = field.centre(hex_)
        cx, cy = grid.center(hex_)
        assert abs(x - 70 - (cx - first[0]) * 100) <= 1
        assert abs(y - 90 - (cy - first[1]) * 100) <= 1


def test_tracks_are_zones_with_named_boxes(built: Built) -> None:
    module = read_module(built.data)
    board = module.maps[0].boards[0]
    assert board.grid is not None
    assert board.size is not None
    turns = built.plan.scenario.game.turns
    boxes = built.plan.ground.tracks["turn"].boxes
    assert set(boxes) == set(range(turns.first, turns.last + 1))
    for name, point in boxes.values():
        assert board.grid.location_name(point, board.size) == name


def test_inspect_describes_the_module_and_its_set_up(built: Built, tmp_path: Path) -> None:
    module = tmp_path / "m.vmod"
    module.write_bytes(built.data)
    with Archive(built.data) as archive:
        (tmp_path / "s.vsav").write_bytes(archive.read("setup.vsav"))
    assert built.root.get("name") in str(describe(module))
    text = str(describe(tmp_path / "s.vsav", module=module))
    for counter in built.plan.scenario.counters.values():
        assert built.plan.words.name(counter) in text or len(built.plan.units) > 60


def test_at_start_counters_stand_in_their_hexes(built: Built) -> None:
    scenario, field = built.plan.scenario, built.plan.ground
    placed = {unit: spot for spot, units in spots(built.plan) for unit in units}
    main = built.plan.words("map.main")
    for placement in scenario.setup.at_start:
        for unit in placement.units:
            if fixed(placement):
                assert placed[unit] == (main, *field.centre(placement.hexes[0]))
            else:
                assert placed[unit][0] == built.plan.reserves.name
    for arrival in scenario.setup.reinforcements:
        assert all(placed[unit][0] == built.plan.reserves.name for unit in arrival.units)
    assert set(scenario.counters) <= set(placed)


def test_boxes_do_not_overlap(built: Built) -> None:
    for sheet in (built.plan.reserves, built.plan.losses):
        for i, a in enumerate(sheet.boxes):
            assert a.x >= 0
            assert a.x + a.width <= sheet.width
            assert a.y + a.height <= sheet.height
            for b in sheet.boxes[i + 1 :]:
                apart = (
                    a.x + a.width <= b.x or b.x + b.width <= a.x or a.y + a.height <= b.y or b.y + b.height <= a.y
                )
                assert apart, (a.name, b.name)


def game_is_chosen(built: Built) -> bool:
    return built.plan.scenario.setup.is_chosen


def test_turns_phases_and_dice(built: Built) -> None:
    game = built.plan.scenario.game
    (counter,) = built.root.all("CounterTurnLevel")
    *setup, phases = built.root.all("ListTurnLevel")
    assert bool(setup) == game_is_chosen(built)
    assert counter.get("start") == str(game.turns.first)
    assert counter.get("loopLimit") == str(game.turns.last)
    assert len(encoding.decode(phases.get("list"), ",")) == len(game.sequence)
    assert {(d.get("nDice"), d.get("nSides"), d.get("reportTotal")) for d in built.root.all("DiceButton")} == {
        ("2", "6", "false"),
        ("1", "6", "false"),
    }


@pytest.mark.parametrize(
    ("game", "named"),
    [
        ("corrick", ["Movement 1", "Combat", "Movement 2", "Movement 1", "Movement 2", "Combat"]),
        ("saltway", ["Combat", "Movement", "Movement 1", "Combat", "Movement 2"]),
        ("fallowmoor", ["Movement", "Combat", "Movement", "Combat"]),
    ],
)
def test_phases_of_one_kind_are_told_apart_by_the_tracker(game: str, named: list[str]) -> None:
    """As on the pages of a game; what names a phase by what the tracker shows knows all of them."""
    planned = plan(load(Path(__file__).parents[1] / "games" / game), "en")
    *_, phases = turns.turn_tracker(planned).all("ListTurnLevel")
    shown = encoding.decode(phases.get("list"), ",")
    assert [name.partition(": ")[2] for name in shown] == named
    assert len(set(turns.labels(planned))) == len(turns.labels(planned))
    moving = planned.words.movements(planned.scenario.game.sequence)
    assert moving == [name for name in shown if "Movement" in name]


def test_charts_of_all_tables_in_all_languages(built: Built) -> None:
    scenario = built.plan.scenario
    charts = [c.get("fileName") for c in built.root.all("Chart")]
    for language in scenario.texts:
        assert f"chart-crt-{language}.png" in charts
    assert len(charts) == len(set(charts)) == len(built.plan.charts)


def test_names_are_in_the_language_of_the_module(small: Built) -> None:
    other = build(small.plan.scenario.folder, "en")
    assert [e.text for e in small.root.all("entry")] == ["Norte", "Sul"]
    assert [e.text for e in other.root.all("entry")] == ["North", "South"]
    assert other.version != small.version


def test_metadata_agree(built: Built) -> None:
    with Archive(built.data) as archive:
        data = read_metadata(archive.read("moduledata"))
        with Archive(archive.read("setup.vsav")) as save:
            of_save = read_metadata(save.read("moduledata"))
    assert (data.name, data.version) == (built.root.get("name"), built.root.get("version"))
    assert of_save == data
    assert data.vassal_version.startswith("3.7")


def test_the_bytes_depend_on_the_game_alone(small: Built) -> None:
    again = build(small.plan.scenario.folder, jobs=3)
    assert again.data == small.data
    with zipfile.ZipFile(io.BytesIO(small.data)) as archive:
        assert {i.compress_type for i in archive.infolist()} == {zipfile.ZIP_STORED}
        assert len({i.date_time for i in archive.infolist()}) == 1


def test_the_version_moves_with_the_map(small: Built, game: Path) -> None:
    path = game / "map.yaml"
    path.write_text(path.read_text("utf-8").replace("  .f....hhh...", "  ff....hhh...", 1), "utf-8")
    other = build(game)
    assert other.version != small.version
    assert other.version.partition("+")[0] == small.version.partition("+")[0]


def test_charts_bear_words_and_not_ids(built: Built) -> None:
    names = {c.get("chartName") for c in built.root.all("Chart")}
    assert {"Combate", "Combat", "Terreno", "Terrain"} <= names
    assert not names & {c.id for c in built.plan.charts}


def test_markers_lie_beside_the_chat_and_units_in_a_window_of_their_own(built: Built) -> None:
    """VASSAL docks the first palette, whatever it is."""
    first, second = built.root.all("PieceWindow")
    assert [slot_piece(s).properties().get("MarkerId") for s in first.all("PieceSlot")] == [
        m.id for m in built.plan.markers
    ]
    assert {slot_piece(s).properties()["UnitId"] for s in second.all("PieceSlot")} == set(built.plan.units)


def test_the_title_picture_is_shown_as_about(built: Built) -> None:
    """VASSAL writes the module's two free fields below it, which are not for players: the build file has none."""
    (about,) = built.root.all("AboutScreen")
    assert about.get("title") == built.plan.words("help.about", title=built.plan.words.title(built.plan.scenario))
    with Archive(built.data) as archive:
        picture = Image.open(io.BytesIO(archive.read(f"images/{about.get('fileName')}")))
    assert picture.size == size()
    assert (built.root.get("ModuleOther1"), built.root.get("ModuleOther2")) == ("", "")


def test_the_air_points_of_every_turn_are_those_of_the_tables() -> None:
    """The expression that sets them, worked out by hand."""
    planned = plan(load("hurtgen"), "en")
    shown = air.of_turn(planned)
    assert shown == (
        "Turn >= 2 && Turn <= 3 ? 0 : Turn >= 4 && Turn <= 4 ? 5 : "
        "Turn >= 5 && Turn <= 5 ? 10 : Turn >= 6 && Turn <= 9 ? 0 : 0"
    )


def test_the_chat_reminds_of_who_arrives_and_who_leaves() -> None:
    planned = plan(load("metz"), "en")
    news = turns.news(planned)
    assert "leaving the map: " in news[8] and "(back in turn 12)" in news[8]
    assert "returning to the map: " in news[12]
    assert all(text.endswith("roll the die for air points *") for text in news.values())
    assert set(news) == set(range(1, 21))


def test_set_ups_are_deflated_and_their_texts_short(built: Built) -> None:
    """VASSAL reads a save letter by letter, and goes to the file for each that is not deflated."""
    for setup in built.root.all("PredefinedSetup"):
        with Archive(built.data) as module, zipfile.ZipFile(io.BytesIO(module.read(setup.get("file")))) as save:
            entry = save.getinfo("savedGame")
            assert entry.compress_type == zipfile.ZIP_DEFLATED
            pieces = len(built.plan.units) + len(built.plan.markers)
            assert entry.file_size < 8_400 * pieces, "counters have become longer"


def test_no_expression_is_nested_deep(built: Built) -> None:
    """BeanShell's parser takes twice the time for each pair of parentheses within another: twenty are a minute."""
    with Archive(built.data) as archive:
        text = archive.read("buildFile.xml").decode()
    expressions = re.findall(r"\{[^{}]*\}", html.unescape(text))
    assert len(expressions) > 10
    for expression in expressions:
        depth = deepest = 0
        for letter in re.sub(r'"[^"]*"', "", expression):
            depth += {"(": 1, ")": -1}.get(letter, 0)
            deepest = max(deepest, depth)
        assert deepest <= 4, expression[:200]


def test_the_mouse_finds_terrain_and_place_of_every_hex(built: Built) -> None:
    scenario, words = built.plan.scenario, built.plan.words
    hexes, ground = gazetteer(scenario, words)
    told = dict(one.split("=") for one in ground.strip(";").split(";"))
    found = {hex_: told[code] for hex_, code in (one.split("=") for one in hexes.strip(";").split(";"))}
    assert found.keys() == set(scenario.map.grid)
    for hex_, terrains in scenario.map.terrain.items():
        assert all(words.terrain(terrain).lower() in found[hex_] for terrain in terrains)
    assert all(words.place(place) in found[hex_] for place in scenario.map.places for hex_ in place.hexes)
    viewer = next(built.root.all("CounterDetailViewer"))
    empty = parse(viewer.get("emptyHexReportForma")[1:-1])
    for hex_, said in found.items():
        assert empty({"LocationName": hex_}.__getitem__) == f"{hex_} · {said}"
    assert empty({"LocationName": "Air 3"}.__getitem__) == "Air 3"
    stack = {"LocationName": hex_, "sum(Attack)": "12", "sum(Defence)": "9+?"}
    assert parse(viewer.get("summaryReportFormat")[1:-1])(stack.__getitem__).startswith(f"{hex_} · {said} · ")
    name = parse(viewer.get("counterReportFormat")[1:-1])
    for count, label, unit, shown in (
        (2, "us-1", "1st Inf (9th Div)", "us-1  1st Inf"),
        (2, "ge-116pz-art-2", "II/146 Panzer Artillery", "II/146 Panzer Artillery"),
        (2, "ge-116pz-art-2", "II/146 Panzer Artillery Regiment", "II/146 Panzer Artillery Regime…"),
        (1, "ge-116pz-art-2", "II/146 Panzer Artillery", "ge-116pz-art-2  II/146 Panzer Artillery"),
    ):
        values = {"UnitId": label, "BasicName": unit, "CountStack(UnitId)": str(count)}
        assert name(values.__getitem__) == shown


def test_counters_of_a_stack_leave_the_number_of_their_hex_to_be_read(built: Built) -> None:
    """Those above stand lower, for the number is printed at the top, and all stay within the hex."""
    metrics, field = next(built.root.all("StackMetrics")), built.plan.ground
    down, limit = -int(metrics.get("unexSepY")), built.plan.scenario.game.rules.stacking.limit
    assert down > 0 and int(metrics.get("unexSepX")) > 0
    assert (built.plan.size + 2 * down * (limit - 1)) <= field.dy


def test_marks_lie_beside_a_counter_and_cover_nothing_that_it_prints(built: Built) -> None:
    """Identification begins at 6 hundredths of a face from its left, and ends at 6 from its right."""
    traits = [trait for one in prototypes(built.plan).values() for trait in one]
    (role,) = (x for x in traits if isinstance(x, t.Layer) and x.name == "Combat")
    (moved,) = (x for x in traits if isinstance(x, t.MovementMarkable))
    wide, half = round(MOVED_SIZE * built.plan.scale), built.plan.size / 2
    printed = half * 0.88
    assert role.x + wide / 2 <= -printed and moved.x >= printed
    assert role.y == 0 and moved.y == -wide // 2
    # A layer that belonged to the outline would push the counters of a stack apart.
    assert role.under_when_selected
    apart = int(next(built.root.all("StackMetrics")).get("exSepX"))
    assert apart + role.x - wide / 2 >= half, "of a spread stack each counter shows whole"
