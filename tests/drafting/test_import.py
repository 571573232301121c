"""A draft of a module stands, builds, and puts every piece where the module had it."""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from hexforge.modulegen import starter
from hexforge.modulegen.archive import pack
from hexforge.modulegen.cli import main as modulegen
from hexforge.modulegen.drafting.bind import propose
from hexforge.modulegen.drafting.ground import FieldDraft, find_ground, other_fields
from hexforge.modulegen.lint.examine import examine
from hexforge.modulegen.vassal.archive import Archive, ArchiveEntry, write_metadata, zip_bytes
from hexforge.modulegen.vassal.grids import HexGrid, Numbering, Zone, ZonedGrid
from hexforge.modulegen.vassal.module import Board, Map, Module, read_module
from hexforge.modulegen.vassal.payload import encode_payload
from hexforge.modulegen.vassal.replay import LogReplay
from hexforge.modulegen.vassal.save import read_save
from hexforge.scenarios import load
from hexforge.scenarios.schema.map import Grid
from hexforge.validator.judging.transcription import transcript
from hexforge.validator.logs.chain import read_chain
from tests import starters
from tests.compiler.conftest import build
from tests.drafting import foreign
from tests.lint.small import escaped, packed, picture

PLAYED = Path(__file__).parents[1] / "data" / "played" / "mini.vmod"
VASSAL_FILES = Path(__file__).parents[2].parent / "shared" / "data"


@pytest.fixture(scope="module")
def original(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("import")
    starters.write(folder / "war", files=starter.CLASSIC_FILES)
    path = folder / "war.vmod"
    path.write_bytes(build(folder / "war", "en").data)
    return path


def run(*words: object) -> Result:
    return CliRunner().invoke(modulegen, list(map(str, words)))


def standing(path: Path) -> dict[str, str]:
    """Where each piece of a module's set-up with a unit's id stands, by the piece's name."""
    module = read_module(path)
    with Archive(path) as archive:
        replay = LogReplay(read_save(archive.read(module.setups[0][1])), module)
    return {v.name: v.location or "" for v in replay.pieces() if v.properties.get("UnitId")}


def test_a_draft_builds_and_its_set_up_is_the_modules(original: Path, tmp_path: Path) -> None:
    done = run("import", original, tmp_path / "draft")
    assert done.exit_code == 0, done.output
    assert run("check", tmp_path / "draft").exit_code == 0
    rebuilt = tmp_path / "rebuilt.vmod"
    rebuilt.write_bytes(build(tmp_path / "draft", "en").data)
    before, after = standing(original), standing(rebuilt)
    on_board = {name: hex_ for name, hex_ in before.items() if hex_.isdecimal()}
    assert len(on_board) >= 9
    assert {name: after[name] for name in on_board} == on_board
    assert [str(g.finding.message) for g in examine(rebuilt).groups if g.level != "note"] == []


def test_a_draft_tells_figures_sides_and_pictures(original: Path, tmp_path: Path) -> None:
    run("import", original, tmp_path / "draft")
    game, war = load(tmp_path / "draft"), load(original.parent / "war")
    assert sorted((c.attack, c.defence, c.move) for c in game.counters.values()) == sorted(
        (c.attack, c.defence, c.move) for c in war.counters.values()
    )
    assert sorted(s.prefix for s in game.game.sides) == ["no", "so"]
    faces = {p.stem for p in (tmp_path / "draft" / "looks" / "counters").iterdir()}
    assert set(game.counters) <= faces
    assert (game.game.turns.first, game.game.turns.last) == (1, 6)
    left = (tmp_path / "draft" / "DRAFT.md").read_text("utf-8")
    assert "ground, rivers and roads" in left


@pytest.mark.parametrize(
    ("numbering", "sideways", "first", "written"),
    [
        (Numbering(stagger=False), False, "0101", {}),
        (Numbering(h_off=0, v_off=0, stagger=False), False, "0000", {"columns_from": 0, "rows_from": 0}),
        (
            Numbering(h_type="A", h_off=0, h_leading=0, v_leading=0, stagger=False),
            False,
            "A1",
            {"columns": "letters"},
        ),
        (Numbering(stagger=False), True, "0101", {"first": "rows"}),
        (
            Numbering(stagger=False, v_descend=True, v_off=4),
            False,
            "0116",
            {"rows_from": 7, "descending": ("rows",)},
        ),
        (
            Numbering(stagger=True, v_descend=True, h_descend=True, h_off=20, v_off=30),
            False,
            "2842",
            {"columns_from": 20, "rows_from": 32, "descending": ("columns", "rows")},
        ),
        (
            Numbering(h_type="A", h_leading=0, v_leading=0, h_off=22, v_off=7, stagger=True),
            False,
            "W7",
            {"columns": "letters", "columns_from": 23, "rows_from": 7},
        ),
    ],
)
def test_hexes_are_called_as_the_module_calls_them(
    numbering: Numbering, sideways: bool, first: str, written: dict[str, object]
) -> None:
    grid = HexGrid(52, 60, 40, 40, sideways, numbering)
    size = (500, 620) if not sideways else (620, 500)
    ground = ground_of(Board("B", "b.png", size, grid=grid))
    assert ground.as_printed
    assert ground.ids[0, 0] == first
    assert ground.field.get("numbering", {}) == written
    assert ground.field.get("tops", "flat") == ("pointy" if sideways else "flat")
    # Neighbours on the board are neighbours in the game.
    whole = load_field(ground.field)
    assert set(whole.neighbours[ground.ids[2, 2]]) == {
        id_ for raw, id_ in ground.ids.items() if 0 < distance(ground.centre(raw), ground.centre((2, 2))) < 70
    }


def ground_of(board: Board) -> FieldDraft:
    module = Module("M", "1", "3.7", "", None, (Map("Map0", "Main", (board,)),), {}, (), (), (), (), (), {}, ())
    ground = find_ground(module)
    assert ground is not None
    return ground


@pytest.mark.parametrize(
    ("numbering", "there", "here"),
    [
        (Numbering(sep=".", h_off=10, v_off=5, h_leading=0, v_leading=0, stagger=False), "10.5", "1005"),
        (Numbering(h_off=10, v_off=5, h_leading=0, v_leading=0, stagger=False), "105", "1005"),
        (Numbering(h_type="A", h_off=0, sep="-", h_leading=0, v_leading=0, stagger=False), "A-1", "A1"),
    ],
)
def test_names_that_no_map_here_can_have_keep_their_numbers(numbering: Numbering, there: str, here: str) -> None:
    ground = ground_of(Board("B", "b.png", (500, 620), grid=HexGrid(52, 60, 40, 40, False, numbering)))
    assert (ground.as_printed, ground.printed[0, 0], ground.ids[0, 0]) == (False, there, here)


def test_hexes_below_nought_are_a_frame_s() -> None:
    numbering = Numbering(
        h_off=-1, v_off=-1, h_leading=0, v_leading=0, sep="", stagger=False, h_type="N", first="H"
    )
    ground = ground_of(Board("B", "b.png", (500, 620), grid=HexGrid(52, 60, 40, 40, False, numbering)))
    assert (1, 1) in ground.ids
    assert (0, 0) not in ground.ids


def test_zones_with_hexes_of_their_own_are_told() -> None:
    grids = [HexGrid(52, 60, 40, 40, False, Numbering(h_off=off, stagger=False)) for off in (1, 31)]
    edges = ((0, 500), (500, 900))
    zones = tuple(
        Zone(name, ((left, 0), (right, 0), (right, 620), (left, 620)), "$gridLocation$", grid)
        for name, (left, right), grid in zip(("East", "West"), edges, grids, strict=True)
    )
    assert other_fields(ground_of(Board("B", "b.png", (900, 620), grid=ZonedGrid(zones)))) == ["West"]


def load_field(said: object):  # type: ignore[no-untyped-def]

    return Grid.model_validate(said).field


def distance(a: tuple[float, float], b: tuple[float, float]) -> float:
    return ((a[0] - b[0]) ** 2 + (a[1] - b[1]) ** 2) ** 0.5


def test_pieces_of_a_tiny_module_have_the_sides_that_their_names_tell(tmp_path: Path) -> None:
    assert run("import", PLAYED, tmp_path / "mini").exit_code == 0
    assert run("check", tmp_path / "mini").exit_code == 0
    assert {c.side for c in load(tmp_path / "mini").counters.values()} == {"s-re", "s-bl"}


@pytest.mark.parametrize(
    ("seats", "slots", "sides"),
    [
        (("Solitaire", "Red", "Blue"), 1, {"Red", "Blue"}),
        (("Árbitro", "Red", "Spectator", "Blue"), 0, {"Red", "Blue"}),
    ],
)
def test_a_draft_of_hardly_any_pieces_builds_and_seats_for_one_are_no_side(
    tmp_path: Path, seats: tuple[str, ...], slots: int, sides: set[str]
) -> None:
    module = tmp_path / "Few.vmod"
    with Archive(PLAYED) as archive:
        files = {name: archive.read(name) for name in archive.names if not name.endswith(".vsav")}
    kind = "VASSAL.build.widget.PieceSlot"
    pieces = re.findall(rf"<{kind}.*?</{kind}>", files["buildFile.xml"].decode(), re.DOTALL)
    text = files["buildFile.xml"].decode()
    for piece in pieces[slots:]:
        text = text.replace(piece, "")
    roster = "".join(f"<entry>{seat}</entry>" for seat in seats)
    files["buildFile.xml"] = re.sub(r"<entry>.*</entry>", roster, text).encode()
    module.write_bytes(pack(files.items()))
    assert run("import", module, tmp_path / "few").exit_code == 0
    assert run("check", tmp_path / "few").exit_code == 0
    scenario = load(tmp_path / "few")
    assert {scenario.texts["en"].get(f"sides.{side.id}") for side in scenario.game.sides} == sides
    assert {c.side for c in scenario.counters.values()} == {side.id for side in scenario.game.sides}
    if slots:
        # A side without counters made a prototype that no piece uses, which `build` refuses.
        done = run("build", tmp_path / "few", "--out", tmp_path / "Built.vmod")
        assert done.exit_code == 0, done.output


def test_what_is_no_module_of_hexes_is_one_error(tmp_path: Path) -> None:
    (tmp_path / "none.vmod").write_bytes(packed())
    done = run("import", tmp_path / "none.vmod", tmp_path / "x")
    assert (done.exit_code, "grid of hexes" in done.output) == (2, True)
    assert not (tmp_path / "x").exists()
    (tmp_path / "junk.vmod").write_bytes(b"PK\x03\x04")
    assert run("import", tmp_path / "junk.vmod", tmp_path / "x").exit_code == 2
    (tmp_path / "game.vsav").write_bytes(pack([("savedGame", b""), ("moduledata", write_metadata(foreign.ABOUT))]))
    done = run("import", tmp_path / "game.vsav", tmp_path / "x")
    assert (done.exit_code, foreign.ABOUT.name in done.output) == (2, True), done.output
    (tmp_path / "full").mkdir()
    (tmp_path / "full" / "mine.txt").write_text("mine")
    assert run("import", PLAYED, tmp_path / "full").exit_code == 2
    assert [p.name for p in (tmp_path / "full").iterdir()] == ["mine.txt"]


def test_hostile_modules_end_in_time(tmp_path: Path) -> None:
    nest = "".join("mark;a" + "\\" * i + "\t" for i in range(1500))
    place = b"VASSAL.build.module.map.boardPicker"
    grid = b'><%s.board.HexGrid dx="2" dy="2">' % place
    grid += b'<%s.board.mapgrid.HexGridNumbering hOff="7" vOff="9" sep="-"/>' % place
    grid += b"</%s.board.HexGrid></%s.Board>" % (place, place)

    def change(files: dict[str, bytes]) -> None:
        deep = f'<VASSAL.build.widget.PieceSlot entryName="d" gpid="7">+/null/{escaped(nest)}piece;;;x.png;n/s'
        end = b"</VASSAL.build.module.PieceWindow>"
        data = files["buildFile.xml"].replace(end, deep.encode() + b"</VASSAL.build.widget.PieceSlot>" + end)
        files["buildFile.xml"] = data.replace(
            b'name="Board" image="board.png"/>', b'name="Board" image="board.png"' + grid
        )
        files["images/board.png"] = picture(60, 60)

    path = tmp_path / "deep.vmod"
    path.write_bytes(packed(change))
    done = run("import", path, tmp_path / "draft")
    assert done.exit_code == 0, done.output
    assert run("bind", tmp_path / "draft", path).exit_code == 0


@pytest.mark.skipif(not VASSAL_FILES.is_dir(), reason="files of others are not part of the project")
def test_modules_of_others_are_drafted(tmp_path: Path) -> None:
    for name in ("hex-n-counters-template.vmod", "tour.mod"):
        folder = tmp_path / name.partition(".")[0]
        assert run("import", VASSAL_FILES / name, folder).exit_code == 0
        assert run("check", folder).exit_code == 0


def test_a_module_is_bound_to_the_game_that_was_drafted_from_it(tmp_path: Path) -> None:
    """A log of a module that was not built here becomes a sheet of the game."""

    game = tmp_path / "mini"
    assert run("import", PLAYED, game).exit_code == 0
    done = run("bind", game, PLAYED, "--out", game / "binding.yaml")
    assert done.exit_code == 0, done.output
    log = game / "a.vlog"
    log.write_bytes((PLAYED.parent / "a.vlog").read_bytes())
    sheet = transcript(read_chain([log]), "en")
    assert sheet is not None
    assert any(line.strip().startswith("move re-red") for line in sheet.lines), sheet.text


def test_a_binding_ties_every_unit_that_names_itself(original: Path) -> None:
    war = load(original.parent / "war")
    proposal, left = propose(war, original)
    assert set(proposal["pieces"].values()) | set(proposal["slots"].values()) == set(war.counters)
    assert proposal["hexes"]["first"] == "0101"
    assert proposal["maps"]["main"] == read_module(original).maps[0].name
    assert not [one for one in left if one.key.endswith(("units", "sides", "losses"))]


def test_a_picture_or_save_that_cannot_be_read_is_one_error_that_names_it(tmp_path: Path) -> None:
    source = foreign.write(tmp_path / "x.vmod", "zoned")
    assert run("import", source, tmp_path / "game").exit_code == 0
    with Archive(source) as archive:
        files = {name: archive.read(name) for name in archive.names}
    (tmp_path / "save.vmod").write_bytes(pack({**files, "start.vsav": b"no save"}.items()))
    done = run("bind", tmp_path / "game", tmp_path / "save.vmod")
    assert (done.exit_code, "start.vsav" in done.output) == (2, True)
    (tmp_path / "flat.vmod").write_bytes(pack({**files, "images/board.png": b"no picture"}.items()))
    done = run("import", tmp_path / "flat.vmod", tmp_path / "flat")
    assert (done.exit_code, "'board.png' is not there" in done.output) == (2, True)
    assert not (tmp_path / "flat").exists()


@pytest.mark.parametrize("kind", ["zoned", "rows"])
def test_markers_decks_boards_and_dice_are_drafted_or_told(tmp_path: Path, kind: str) -> None:
    source = foreign.write(tmp_path / "x.vmod", kind)
    assert run("import", source, tmp_path / "draft").exit_code == 0
    assert run("check", tmp_path / "draft").exit_code == 0
    game = load(tmp_path / "draft")
    starts = {id_: m.start for id_, m in game.game.markers.items()}
    assert {i for i, s in starts.items() if s and s.hexes} == {"own_fort", "own_smoke"}
    assert {i for i, s in starts.items() if s and s.track} == {"own_rain", "own_plague"}
    assert game.tables.crt.dice == "2d6"
    assert set(game.tables.crt.by_number) == set(range(2, 13))
    assert len(game.counters) == len(foreign.UNITS)
    assert len(list((tmp_path / "draft" / "boards").iterdir())) == 2
    left = (tmp_path / "draft" / "DRAFT.md").read_text("utf-8")
    assert "'Graves'" in left
    assert ("hidden or masked" in left) == (kind == "zoned")


def test_a_saved_game_of_another_module_is_told_and_its_sides_are_taken(tmp_path: Path) -> None:
    source = foreign.write(tmp_path / "x.vmod", "zoned")
    with Archive(source) as archive:
        (tmp_path / "other.vsav").write_bytes(renamed(archive.read("start.vsav")))
    foreign.write(tmp_path / "y.vmod", "rows")
    done = run("import", tmp_path / "y.vmod", tmp_path / "draft", "--setup", tmp_path / "other.vsav")
    assert done.exit_code == 0, done.output
    assert "the module 'Elsewhere' saved it" in done.output
    assert {p.prefix for p in load(tmp_path / "draft").game.sides} == {"up", "hi"}


def renamed(data: bytes) -> bytes:
    """A saved game as of another module, one side of which is called otherwise there."""
    game = read_save(data)
    text = (
        game.root.encode()
        .replace(foreign.MINE.encode(), b"Uplanders")
        .replace(foreign.THEIRS.encode(), b"Highlanders")
    )
    about = replace(foreign.ABOUT, name="Elsewhere")
    return zip_bytes(
        [ArchiveEntry("savedGame", encode_payload(text)), ArchiveEntry("moduledata", write_metadata(about))]
    )


def test_units_called_alike_are_tied_by_the_hexes_that_they_begin_in(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for gpid in ("11", "12", "13"):
        monkeypatch.setitem(foreign.UNITS, gpid, ("Foot", foreign.MINE, (3, 3, 5)))
    source = foreign.write(tmp_path / "x.vmod", "zoned")
    run("import", source, tmp_path / "draft")
    game = load(tmp_path / "draft")
    proposal, left = propose(game, source)
    assert set(proposal["slots"].values()) | set(proposal["pieces"].values()) == set(game.counters)
    starts = {u: p.hexes[0] for p in game.setup.at_start for u in p.units}
    by_slot = {slot: starts.get(unit) for slot, unit in proposal["slots"].items()}
    assert (by_slot["11"], by_slot["12"], by_slot["13"]) == ("C4", "C4", "E2")
    assert not [one for one in left if one.key.endswith("units")]
