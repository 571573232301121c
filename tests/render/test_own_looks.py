"""What a game's folder, or its owner, brings to look at: a scan as the board, symbols, palettes, counters."""

from __future__ import annotations

import colorsys
import io
from dataclasses import replace
from pathlib import Path

import pytest
from PIL import Image, ImageDraw

from hexforge.modulegen.archive import BuildError
from hexforge.modulegen.build import drawn, obstacles
from hexforge.modulegen.build_key import Options, owned
from hexforge.modulegen.plan.markers import icons_of
from hexforge.modulegen.render.board import board_svg
from hexforge.modulegen.render.board_layout import board_layout
from hexforge.modulegen.render.charts import chart
from hexforge.modulegen.render.counters import counter_svg, unmatched
from hexforge.modulegen.render.markers import marker_svg
from hexforge.modulegen.render.own_art import colour, contrast, drawing
from hexforge.modulegen.render.raster import RenderError, open_image, rasterise
from hexforge.modulegen.render.templates import faint_figures, game_palette
from hexforge.modulegen.starter import LIKE
from hexforge.scenarios.console import ScenarioError
from hexforge.scenarios.loader import load
from hexforge.scenarios.model import Scenario
from hexforge.scenarios.scan import ScanError, fit
from hexforge.scenarios.text.hexgrid import Point, grid
from tests import starters

GRID = grid(22, 14, "even")
CORNERS = ["0101", "2201", "0114", "2214"]


def flat(hex_: str) -> Point:
    """A sheet turned by some degrees."""
    x, y = GRID.center(hex_)
    return 88 * x - 4 * y + 130, 4 * x + 88 * y + 90


def aslant(hex_: str) -> Point:
    """A photograph taken from the side."""
    x, y = GRID.center(hex_)
    w = 1 + 0.01 * x + 0.02 * y
    return (90 * x + 5 * y + 100) / w, (3 * x + 85 * y + 50) / w


@pytest.mark.parametrize(
    ("seen", "hexes"),
    [(flat, CORNERS[:2]), (flat, CORNERS[:3]), (flat, CORNERS), (aslant, CORNERS), (aslant, [*CORNERS, "1107"])],
)
def test_a_few_centres_find_all_others(seen, hexes: list[str]) -> None:
    found = fit(GRID, {h: seen(h) for h in hexes})
    for hex_ in GRID:
        assert found.pixel(GRID.center(hex_)) == pytest.approx(seen(hex_), abs=0.01)
    assert (found.doubt is None) == (seen is flat or len(hexes) > 4)


@pytest.mark.parametrize("seen", [flat, aslant])
@pytest.mark.parametrize("beside", ["1106", "1007"])
def test_the_one_wrong_centre_of_five_is_named(seen, beside: str) -> None:
    with pytest.raises(ScanError) as caught:
        fit(GRID, {h: seen(h) for h in CORNERS} | {"1107": seen(beside)})
    assert caught.value.hex == "1107"


def test_a_wrong_centre_of_three_or_four_is_doubted_or_refused() -> None:
    assert fit(GRID, {h: flat(h) for h in CORNERS[:2]} | {"0114": flat("0113")}).doubt is not None
    assert fit(GRID, {h: flat(h) for h in CORNERS[:3]} | {"2214": flat("2213")}).doubt is not None
    with pytest.raises(ScanError, match="longer one way"):
        fit(GRID, {h: flat(h) for h in CORNERS[:2]} | {"0114": flat("0107")})
    with pytest.raises(ScanError, match="wrong way round"):
        fit(GRID, {"0101": flat("0101"), "2201": flat("0114"), "0114": flat("2201")})
    with pytest.raises(ScanError, match="one line"):
        fit(GRID, {h: flat(h) for h in ("0101", "0104", "0114")})


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    home = tmp_path / "mine"
    starters.write(home, "en", LIKE["classic"])
    (home / "looks" / "counters").mkdir(parents=True)
    return home


def with_scan(folder: Path, size: int = 70) -> Scenario:
    """A plain scan with a red dot in the middle of each hex."""
    game = load(folder)
    ground = game.map.grid
    at = {h: (size * x + 40, size * y + 25) for h in ground for x, y in [ground.center(h)]}
    w, h = (round(v * size) + 80 for v in ground.size)
    picture = Image.new("RGB", (w, h), "white")
    pen = ImageDraw.Draw(picture)
    for x, y in at.values():
        pen.ellipse((x - 7, y - 7, x + 7, y + 7), fill="red")
    picture.save(folder / "looks" / "printed map.png")
    hexes = (ground.hexes[0], ground.hexes[-1])
    centres = "".join(f"    {h}: [{at[h][0]:.1f}, {at[h][1]:.1f}]\n" for h in hexes)
    with (folder / "map.yaml").open("a") as file:
        file.write(f"\nscan:\n  image: printed map.png\n  centres:\n{centres}")
    return load(folder)


def test_a_scan_lies_under_the_grid(folder: Path) -> None:
    game = with_scan(folder)
    layout = board_layout(game)
    board = open_image(rasterise(board_svg(game, "en"))).convert("RGB")
    for hex_ in game.map.grid:
        x, y = layout.center(hex_)
        red, green, _ = board.getpixel((round(x), round(y)))
        assert (red > 180, green > 90) == (True, False), hex_


def test_wrong_centres_are_told_with_their_line(folder: Path) -> None:
    with_scan(folder)
    path = folder / "map.yaml"
    text = path.read_text()
    path.write_text(f"{text}    0501: [10, 300]\n    0308: [20, 20]\n    0304: [70, 900]\n")
    line = next(i for i, said in enumerate(path.read_text().split("\n"), 1) if "centres:" in said)
    with pytest.raises(ScenarioError) as caught:
        load(folder)
    assert [(p.file, p.where[:12]) for p in caught.value.problems] == [(str(path), "scan.centres")]
    assert caught.value.problems[0].line >= line


def test_an_owner_lays_his_scan_by_centres_of_his_own(folder: Path) -> None:
    game = with_scan(folder)
    picture = folder / "looks" / "printed map.png"
    told = " ".join(f"{h}={x},{y}" for h, (x, y) in game.map.scan.centres.items()) if game.map.scan else ""
    bare = replace(game, map=replace(game.map, scan=None))
    mine = owned(bare, Options(board_image=picture, centres=told))
    assert board_svg(mine, "en") == board_svg(game, "en") != board_svg(bare, "en")
    for wrong in ("0101=1", "zz=1,2"):
        with pytest.raises(BuildError):
            owned(bare, Options(board_image=picture, centres=wrong))
    with pytest.raises(ScenarioError):
        owned(bare, Options(board_image=picture))
    far = owned(bare, Options(board_image=picture, centres="0101=5,5 0102=5,900"))
    with pytest.raises(RenderError, match="outside the picture"):
        board_svg(far, "en")


def test_a_counter_has_the_face_that_is_there_for_it(folder: Path, tmp_path: Path) -> None:
    game = load(folder)
    first, second, *_ = game.counters
    Image.new("RGB", (90, 90), "lime").save(folder / "looks" / "counters" / f"{first}.PNG")
    Image.new("RGB", (90, 90), "lime").save(folder / "looks" / "counters" / "nobody.png")
    pixel = open_image(rasterise(counter_svg(game.counters[first], game))).convert("RGB").getpixel((34, 34))
    assert (pixel[0] < 20, pixel[1] > 240) == (True, True)
    assert "<text" in counter_svg(game.counters[second], game)
    assert [Path(p.file).name for p in unmatched(game)] == ["nobody.png", "counters"]
    his = tmp_path / "his"
    his.mkdir()
    (his / f"{second}.svg").write_text(
        '<svg xmlns="http://www.w3.org/2000/svg" width="40" height="40"><path d="M0 0h40v40H0z"/></svg>'
    )
    mine = owned(game, Options(counter_images=his))
    assert "<image" in counter_svg(mine.counters[second], mine)
    assert "<text" in counter_svg(mine.counters[first], mine)


HOSTILE = [
    '<image href="file:///etc/hostname"/>',
    "<script>alert(1)</script>",
    '<use href="#x"/>',
    "<foreignObject><p/></foreignObject>",
    '<style>@import url("http://example.com/x.css")</style>',
    '<filter id="f"/>',
]


@pytest.mark.parametrize("part", HOSTILE)
def test_a_symbol_that_is_more_than_shapes_is_refused(folder: Path, part: str) -> None:
    path = folder / "looks" / "symbols" / "tank.svg"
    path.parent.mkdir()
    path.write_text(f'<svg xmlns="http://www.w3.org/2000/svg">\n{part}\n</svg>')
    with pytest.raises(RenderError) as caught:
        drawing(path)
    assert caught.value.problems[0].line == 2


def test_a_symbol_loses_what_reaches_out(tmp_path: Path) -> None:
    path = tmp_path / "tank.svg"
    path.write_text(
        '<svg xmlns="http://www.w3.org/2000/svg" xmlns:i="http://inkscape"><i:view/><metadata/>'
        '<path d="M0 0h9" onclick="x()" fill="url(http://a/b)" stroke="url(#g)" style="fill:url(file:///x)"/></svg>'
    )
    assert drawing(path) == '<path d="M0 0h9" stroke="url(#tank-g)"/>'
    path.write_text('<!DOCTYPE svg [<!ENTITY a "b">]><svg xmlns="http://www.w3.org/2000/svg"/>')
    with pytest.raises(RenderError, match="document type"):
        drawing(path)


def test_own_symbols_and_palettes_are_drawn_with(folder: Path) -> None:
    for name in ("symbols", "palettes"):
        (folder / "looks" / name).mkdir()
    (folder / "looks" / "symbols" / "lancer.svg").write_text(
        '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 60 47"><circle cx="30" cy="20" r="3.25"/></svg>'
    )
    (folder / "looks" / "palettes" / "counters.yaml").write_text('teal: {like: german, face: "#0a8080"}\n', "utf-8")
    (folder / "looks" / "palettes" / "board.yaml").write_text('paper: "#abcdef"\n', "utf-8")
    game = load(folder)
    assert "lancer" in drawn(game)["symbol"]
    assert "teal" in drawn(game)["palette"]
    assert "#abcdef" in board_svg(game, "en")
    assert "#abcdef" not in board_svg(load("metz"), "en")
    unit = next(iter(game.counters.values()))
    spec = game.game.unit_types[unit.type]
    types = {**game.game.unit_types, unit.type: spec.model_copy(update={"symbol": "lancer"})}
    other = replace(game, game=game.game.model_copy(update={"unit_types": types}))
    assert 'r="3.25"' in counter_svg(unit, other)


CARDS = ["#0a8080", "#f4f0e6", "#101014", "#c02020", "navy", "#ffffff", "#808080"]


@pytest.mark.parametrize("face", CARDS)
def test_a_card_of_ones_own_colour_can_be_read_on_both_sides(folder: Path, face: str) -> None:
    """Figures are dark or light as the card asks for, the back is of the card's hue, its stripe is seen."""
    (folder / "looks" / "palettes").mkdir()
    path = folder / "looks" / "palettes" / "counters.yaml"
    path.write_text(f'mine: {{like: german, face: "{face}"}}\n', "utf-8")
    cards = game_palette(load(folder), "counters")
    front, back = cards["mine"], cards["mine"].with_(cards["mine"]["reduced"])
    for card in (front, back):
        assert contrast(card["ink"], card["face"]) >= 4.5
        assert contrast(card["accent"], card["face"]) >= 3
    assert contrast(back["band"], back["face"]) >= 1.15
    assert back["face"] not in (front["face"], cards["german"]["reduced"]["face"])
    hues = [colorsys.rgb_to_hsv(*colour(c["face"])) for c in (front, back)]
    assert abs(hues[0][0] - hues[1][0]) < 0.02 or min(h[1] for h in hues) < 0.06


def test_what_a_game_says_of_a_card_is_kept_and_faint_figures_are_told(folder: Path) -> None:
    (folder / "looks" / "palettes").mkdir()
    path = folder / "looks" / "palettes" / "counters.yaml"
    said = '{like: german, face: "#0a8080", ink: "#102020", reduced: {face: "#eeeeee"}}'
    path.write_text(f"# mine\nmine: {said}\n", "utf-8")
    game = load(folder)
    mine = game_palette(game, "counters")["mine"]
    assert (mine["ink"], mine["reduced"]["face"]) == ("#102020", "#eeeeee")
    (told,) = faint_figures(game)
    assert (told.line, told.where, told.severity) == (2, "mine.ink", "warning")
    path.write_text('mine: {like: german, face: "#0a80"}\n', "utf-8")
    assert list(faint_figures(load(folder))) == []
    path.write_text('mine: {like: german, face: "#0a8o80"}\n', "utf-8")
    with pytest.raises(ScenarioError, match="no colour") as caught:
        counter_svg(next(iter(game.counters.values())), load(folder))
    assert [p.line for p in caught.value.problems] == [1]


def test_a_symbol_of_ones_own_pales_on_the_back(tmp_path: Path) -> None:
    folder = tmp_path / "mine"
    starters.write(folder, "en")
    (folder / "looks" / "symbols").mkdir(parents=True)
    path = folder / "looks" / "symbols" / "infantry.svg"
    game = load(folder)
    unit = next(c for c in game.counters.values() if c.backs and game.game.unit_types[c.type].symbol == "infantry")
    for ink, pales in (("#111111", True), ("currentColor", False)):
        path.write_text(f'<svg xmlns="http://www.w3.org/2000/svg"><path d="M1 1h9" stroke="{ink}"/></svg>')
        assert "opacity=" not in counter_svg(unit, game).split("<g transform")[1].split("</g>")[0]
        assert (
            f'<g opacity="0.62"><path d="M1 1h9" stroke="{ink}"/>' in counter_svg(unit, game, "reduced")
        ) == pales


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ('paper: "<script>"', "no colour"),
        ("paper: 12", "expected the like"),
        ("grid: red", "expected the like"),
        ('papper: "#fff"', "expected one of"),
        ("terrains: {fen: {like: nowhere}}", "expected one of"),
    ],
)
def test_a_palette_says_where_it_is_wrong(folder: Path, text: str, said: str) -> None:
    path = folder / "looks" / "palettes" / "board.yaml"
    path.parent.mkdir()
    path.write_text(f"# colours\n{text}\n")
    with pytest.raises(ScenarioError, match=said) as caught:
        board_svg(load(folder), "en")
    assert [(p.file, p.line) for p in caught.value.problems] == [(str(path), 2)]


def test_a_scan_that_is_not_there_is_told_with_its_line(folder: Path) -> None:
    game = with_scan(folder)
    (folder / "looks" / "printed map.png").rename(folder / "looks" / "other.png")
    (told,) = obstacles(game)
    assert (told.file, told.where) == (str(folder / "map.yaml"), "scan.image")
    assert told.line == len((folder / "map.yaml").read_text().split("\n")) - 4
    assert "other.png" in str(told.message)


def test_what_is_no_picture_is_told(folder: Path) -> None:
    game = with_scan(folder)
    (folder / "looks" / "printed map.png").write_bytes(b"GIF89a nonsense")
    with pytest.raises(RenderError, match="is no picture in a form that can be read"):
        board_svg(game, "en")
    out = io.BytesIO()
    Image.new("1", (11000, 11000)).save(out, "PNG")
    (folder / "looks" / "printed map.png").write_bytes(out.getvalue())
    with pytest.raises(RenderError, match="more than"):
        board_svg(game, "en")


@pytest.mark.parametrize(
    ("figures", "printed", "called"),
    [("strength", "3", ("Strength",)), ("strength-move", "3-4", ("Strength", "Movement"))],
)
def test_counters_of_one_strength_print_it_once(
    folder: Path, figures: str, printed: str, called: tuple[str, ...]
) -> None:
    """One-sided counters of one strength, up to the size of an army group, are drawn, explained and built."""
    path = folder / "game.yaml"
    path.write_text(path.read_text("utf-8") + f"\nfigures: {figures}\n", "utf-8")
    with pytest.raises(ScenarioError, match="one strength") as caught:
        load(folder)
    assert {Path(p.file).name for p in caught.value.problems} == {"counters.csv"}
    table = folder / "counters.csv"
    rows = [row.split(",") for row in table.read_text("utf-8").splitlines()]
    head = rows[0]
    for row in rows[1:]:
        row[head.index("defence")] = row[head.index("attack")]
        row[head.index("size")] = "XXXXX"
    table.write_text("\n".join(",".join(row) for row in rows) + "\n", "utf-8")
    game = load(folder)
    assert f">{printed}</text>" in counter_svg(game.counters["no-3"], game)
    assert ">XXXXX</text>" in counter_svg(game.counters["no-3"], game)
    explained = chart(game, "symbols", "en").svg
    words = [w for w in ("Strength", "Attack", "Defence", "Movement") if f">{w}</text>" in explained]
    assert words == list(called)
    assert obstacles(game) == []


def test_a_marker_has_the_picture_that_is_there_for_it(folder: Path) -> None:
    home = folder / "looks" / "markers"
    home.mkdir()
    (home / "turn.svg").write_text(
        '<svg xmlns="http://www.w3.org/2000/svg"><circle cx="30" cy="24" r="7.5"/></svg>'
    )
    game = load(folder)
    assert 'r="7.5"' in marker_svg(game, "turn", "en")
    assert 'r="7.5"' not in marker_svg(game, "weather_good", "en")
    assert "turn" in drawn(game)["picture"]


def test_who_enters_by_an_edge_without_ways_has_a_key_all_the_same(folder: Path) -> None:
    path = folder / "map.yaml"
    assert "arrive" in icons_of(load(folder))
    path.write_text(path.read_text() + '\nedges: {north: "0101", south: "0108"}\n')
    game = load(folder)
    assert "arrive" in icons_of(game), "any hex of the edge is offered where no rule binds to a way"
    assert obstacles(game) == []
