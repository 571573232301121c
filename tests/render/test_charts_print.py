"""Print-and-play pages, PDFs and the page that shows everything."""

from __future__ import annotations

import re
from collections.abc import Collection
from pathlib import Path

import pytest
from lxml import etree

from hexforge import scenarios
from hexforge.modulegen.build import drawn
from hexforge.modulegen.render import preview, print_sheets
from hexforge.modulegen.render.charts import charts
from hexforge.modulegen.render.counters import faces
from hexforge.scenarios.model import Scenario

SVG = "{http://www.w3.org/2000/svg}"


@pytest.fixture(scope="module")
def hurtgen() -> Scenario:
    return scenarios.load("hurtgen", strict=False)


def _places(page: print_sheets.PrintedPage) -> list[tuple[float, float, str]]:
    root = etree.fromstring(page.svg)
    return [
        (float(e.get("x", "0")), float(e.get("y", "0")), "".join(e.itertext()).strip())
        for e in root.findall(f"{SVG}svg")
    ]


@pytest.mark.parametrize("name", scenarios.names())
def test_every_counter_is_on_a_page_and_inside_the_paper(name: str) -> None:
    game = scenarios.load(name, strict=False)
    pages = print_sheets.counter_pages(game, "pt")
    fronts = [p for p in pages if p.kind == "front"]
    assert [p.kind for p in pages] == ["front", "back"] * len(fronts)
    pieces = print_sheets.pieces(game, "pt")
    assert len(pieces) >= len(game.counters)
    assert sum(len(_places(p)) for p in fronts) == len(pieces)
    backs = sum(len(faces(c)) > 1 for c in game.counters.values())
    assert sum(len(_places(p)) for p in pages if p.kind == "back") >= backs
    for page in pages:
        for x, y, _ in _places(page):
            assert 10 <= x <= print_sheets.PAPER[0] - 10 - print_sheets.COUNTER_MM
            assert 20 <= y <= print_sheets.PAPER[1] - 12 - print_sheets.COUNTER_MM


def test_backs_are_mirrored_behind_their_fronts(hurtgen: Scenario) -> None:
    front, back = print_sheets.counter_pages(hurtgen, "pt")[:2]
    behind = {
        (round(print_sheets.PAPER[0] - x - print_sheets.COUNTER_MM, 2), y): words for x, y, words in _places(back)
    }
    for (x, y, words), counter in zip(_places(front), _in_order(hurtgen), strict=False):
        assert f"{counter.attack}-{counter.defence}-{counter.move}" in words
        assert f"{counter.reduced_attack}-{counter.reduced_defence}-{counter.move}" in behind[round(x, 2), y]


def _in_order(game: Scenario) -> list[scenarios.Counter]:
    return [c for side in game.game.sides for c in game.counters.values() if c.side == side.id]


@pytest.mark.parametrize("name", scenarios.names())
def test_every_chart_is_printed_once_and_none_overlap(name: str) -> None:
    game = scenarios.load(name, strict=False)
    pages = print_sheets.chart_pages(game, "en")
    count = 0
    for page in pages:
        boxes = [
            tuple(float(e.get(k, "0")) for k in ("x", "y", "width", "height"))
            for e in etree.fromstring(page.svg).findall(f"{SVG}svg")
        ]
        count += len(boxes)
        for i, (x, y, w, h) in enumerate(boxes):
            assert (
                x >= 9.9
                and y >= 9.9
                and x + w <= print_sheets.PAPER[0] - 9.9
                and y + h <= print_sheets.PAPER[1] - 9.9
            )
            for x2, y2, w2, h2 in boxes[:i]:
                assert x + w <= x2 or x2 + w2 <= x or y + h <= y2 or y2 + h2 <= y
    assert count == len(charts(game))


SHEET = print_sheets.PrintPage(
    '<svg xmlns="http://www.w3.org/2000/svg" width="500mm" height="300mm" viewBox="0 0 500 300">'
    '<text x="20" y="40" font-family="Fira Sans Condensed" font-weight="700" font-size="20">Hürtgen</text></svg>',
    500,
    300,
)


def test_pdfs_are_the_same_each_time_and_carry_our_fonts() -> None:
    once = print_sheets.pdf([SHEET], 'A "title"')
    assert once.startswith(b"%PDF-")
    assert once == print_sheets.pdf([SHEET], 'A "title"')
    assert b"FiraSansCondensed-Bold" in once
    assert b"Libertinus" not in once


def test_large_maps_are_cut_into_few_pages_of_equal_shares() -> None:
    tiles = print_sheets._Tiles.of(SHEET, (297.0, 210.0))
    assert tiles.count == (2, 2)
    assert tiles.step[0] * 2 + 6 == pytest.approx(SHEET.width)
    assert tiles.step[0] + 6 <= tiles.room[0] and tiles.step[1] + 6 <= tiles.room[1]
    once = print_sheets.tiled_pdf(SHEET, "Map")
    assert once == print_sheets.tiled_pdf(SHEET, "Map")


@pytest.fixture(scope="module")
def shown(tmp_path_factory: pytest.TempPathFactory, hurtgen: Scenario) -> tuple[Path, list[Path]]:
    folder = tmp_path_factory.mktemp("preview")
    return folder, list(preview.preview(hurtgen, folder, "pt"))


def test_preview_writes_what_its_page_shows(shown: tuple[Path, list[Path]], hurtgen: Scenario) -> None:
    folder, written = shown
    html = (folder / "index.html").read_text("utf-8")
    named = set(re.findall(r'(?:src|href)="([^"#][^"]*)"', html))
    files = {p.relative_to(folder).as_posix() for p in folder.rglob("*") if p.is_file()}
    assert named == files - {"index.html"}
    assert {folder / n for n in named} | {folder / "index.html"} == set(written)
    assert sum(n.startswith("counters/") for n in named) == sum(len(faces(c)) for c in hurtgen.counters.values())
    assert {f"hurtgen-{n}-pt.pdf" for n in ("counters", "charts", "board", "poster")} <= named


def test_preview_shows_what_there_is_to_draw_with_by_name(
    shown: tuple[Path, list[Path]], hurtgen: Scenario
) -> None:
    there = dict[str, Collection[str]](drawn(hurtgen))
    kinds = {"symbol": "symbol", "counter": "palette", "terrain": "terrain-style", "hexsides": "hexside-style"}
    kinds |= {"ways": "way-style", "picture": "picture"}
    found = {kind: {p.stem.partition("-")[2] for p in shown[1] if p.match(f"looks/{kind}-*.svg")} for kind in kinds}
    assert found == {kind: set(there[key]) - {"other"} for kind, key in kinds.items()}
    page = (shown[0] / "index.html").read_text("utf-8")
    assert 'src="looks/symbol-infantry.svg"' in page and ">Para desenhar<" in page
    # Kinds of hexside are drawn that the game has not, and no two alike.
    pictures = [(shown[0] / f"looks/hexsides-{name}.svg").read_text("utf-8") for name in ("cliff", "hedge", "dam")]
    assert len({len(picture) for picture in pictures}) == len(pictures)


def test_preview_page_stands_alone(shown: tuple[Path, list[Path]]) -> None:
    html = (shown[0] / "index.html").read_text("utf-8")
    assert not re.search(r'(?:src|href)="(?:https?:)?//', html)
    assert '<html lang="pt">' in html
    from lxml import html as parser

    tree = parser.fromstring(html)
    ids = [e.get("id") for e in tree.iter() if e.get("id")]
    assert len(ids) == len(set(ids))
    assert all(i.get("alt") for i in tree.iter("img"))
    for link in tree.xpath('//a[starts-with(@href, "#")]/@href'):
        assert link[1:] in ids


def test_assumed_figures_are_marked(shown: tuple[Path, list[Path]], hurtgen: Scenario) -> None:
    html = (shown[0] / "index.html").read_text("utf-8")
    assumed = sum(c.source_strength != "printed" for c in hurtgen.counters.values())
    assert html.count('<b class="assumed">') == assumed > 0
