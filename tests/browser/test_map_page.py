"""The pages on which a map is painted and counters are edited, in Chromium: what is saved, and what is not."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from PIL import Image, ImageDraw

from hexforge.modulegen.map_editor.counter_page import TableDesk
from hexforge.modulegen.map_editor.map_page import MapDesk
from hexforge.modulegen.map_editor.site import site
from hexforge.scenarios.console import ScenarioError
from hexforge.scenarios.loader import load
from hexforge.scenarios.local_server import PageGuard, served
from hexforge.scenarios.text.words import Words
from tests import starters
from tests.examples import leading

pytestmark = pytest.mark.browser
EVIL = "<img src=x onerror=alert(1)>"


@pytest.fixture
def game(tmp_path: Path) -> Path:
    starters.write(tmp_path / "my-game")
    return tmp_path / "my-game"


@contextmanager
def opened(browser: Any, desk: MapDesk | TableDesk, **settings: Any) -> Iterator[Any]:
    guard = PageGuard(Words("en"), body=4_000_000)
    with served(site(desk.page, EVIL, desk.deeds, guard), secret=guard.secret) as url:
        context = browser.new_context(viewport={"width": 1366, "height": 820}, locale="en-US", **settings)
        page = context.new_page()
        page.set_default_timeout(10_000)
        page.problems = []
        page.on("pageerror", lambda error: page.problems.append(str(error)))
        page.on("console", lambda line: page.problems.append(line.text) if line.type == "error" else None)
        page.goto(url)
        page.wait_for_selector("body[data-ready]")
        yield page
        context.close()


def spot(page: Any, desk: MapDesk, hex_: str, dx: float = 0, dy: float = 0) -> tuple[float, float]:
    """Where a point of the board is in the window, `dx` and `dy` in hexes from a hex's centre."""
    x, y = desk.scenario.map.grid.center(hex_)
    at = page.evaluate(
        "([x, y]) => { const p = document.querySelector('#pad').createSVGPoint(); [p.x, p.y] = [x, y];"
        "const q = p.matrixTransform(document.querySelector('#pad').getScreenCTM()); return [q.x, q.y]; }",
        [(x + dx) * 100, (y + dy) * 100],
    )
    return at[0], at[1]


def tool(page: Any, name: str, brush: str = "") -> None:
    page.click(f'[data-tool="{name}"]')
    if brush:
        page.click(f'#panel .brush[data-id="{brush}"]')


def drag(page: Any, *spots: tuple[float, float]) -> None:
    page.mouse.move(*spots[0])
    page.mouse.down()
    for where in spots[1:]:
        page.mouse.move(*where, steps=6)
    page.mouse.up()


def save(page: Any) -> str:
    with page.expect_response("**/save"):
        page.keyboard.press("Control+s")
    page.wait_for_selector("#toast:not([hidden])")
    return str(page.inner_text("#toast span"))


def test_what_is_painted_is_saved_and_nothing_else_changes(browser: Any, game: Path) -> None:
    before = (game / "map.yaml").read_text("utf-8")
    desk = MapDesk(game)
    with opened(browser, desk) as page:
        tool(page, "terrain", "f")
        drag(page, spot(page, desk, "0901"), spot(page, desk, "0902"))
        page.mouse.click(*spot(page, desk, "1201"))
        page.click("#undo")
        tool(page, "hexsides", "river")
        page.mouse.click(*spot(page, desk, "0302", 0, 0.45))
        tool(page, "ways", "road")
        drag(page, *(spot(page, desk, hex_) for hex_ in ("1004", "1003", "1002")))
        assert page.inner_text("#state") == "Not saved yet"
        assert "Saved" in save(page) and page.inner_text("#state") == "All saved"
        assert page.problems == [] and EVIL in page.inner_text("h1")
    after = (game / "map.yaml").read_text("utf-8").splitlines()
    gone = [line for line in before.splitlines() if line not in after]
    new = [line.strip() for line in after if line not in before.splitlines()]
    assert gone == ["  .f....hhh...", "  .ffT...hh.f."]
    assert new == [".f....hhf...", ".ffT...hf.f.", "sides: 0302/0303", "hexes: 1004 1003 1002"]
    painted = load(game)
    assert painted.map.terrain["0902"] == ("forest",) and painted.map.terrain["1201"] == ("open",)
    assert painted.map.ways[-1].provenance == "printed"


def test_what_is_half_done_is_saved_and_what_others_wrote_is_brought_in(browser: Any, game: Path) -> None:
    from axe_playwright_python.sync_playwright import Axe

    before = (game / "map.yaml").read_text("utf-8")
    desk = MapDesk(game)
    with opened(browser, desk, bypass_csp=True) as page:
        tool(page, "terrain", "T")
        page.mouse.click(*spot(page, desk, "0108"))
        assert "1 thing is missing" in save(page)
        assert "0108" in page.inner_text("#problems li.error")
        with pytest.raises(ScenarioError, match="0108 is town but no place names it"):
            load(game)
        tool(page, "places")
        page.mouse.click(*spot(page, desk, "0108"))
        page.fill("#field-name", EVIL)
        page.keyboard.press("Tab")
        assert "Saved:" in save(page)
        # Somebody else takes the town away and paints another hex.
        (game / "map.yaml").write_text(before.replace("  .f....hhh...", "  hf....hhh..."), "utf-8")
        tool(page, "terrain", "h")
        page.mouse.click(*spot(page, desk, "0108"))
        page.mouse.click(*spot(page, desk, "0107"))
        page.keyboard.press("Control+s")
        page.wait_for_selector("dialog")
        assert "0108" in page.inner_text("dialog fieldset") and page.locator("dialog fieldset").count() == 1
        found = Axe().run(page)
        assert found.violations_count == 0, found.generate_report()
        page.click("dialog >> text=Not now")
        page.wait_for_selector("#toast.bad")
        assert "0108" not in (game / "map.yaml").read_text("utf-8")
        page.keyboard.press("Control+s")
        page.click('dialog fieldset input[value="mine"]')
        with page.expect_response("**/save"):
            page.click("#decided")
        page.wait_for_selector("#toast.good")
        page.select_option("#language", "pt")
        assert page.inner_text("#save") == "Salvar" and page.problems == []
    found = load(game).map
    assert [found.terrain[h] for h in ("0108", "0107", "0101")] == [("heath",)] * 3
    assert not any(place.name == EVIL for place in found.places)


def test_a_map_begins_empty_and_is_painted_by_keys(browser: Any, game: Path) -> None:
    desk = MapDesk(game)
    with opened(browser, desk) as page:
        tool(page, "size")
        page.click("#empty")
        page.fill("#field-columns", "14")
        before = page.get_attribute("#pad", "viewBox")
        page.click("#resize")
        page.wait_for_function("b => document.querySelector('#pad').getAttribute('viewBox') !== b", arg=before)
        tool(page, "terrain", ".")
        page.click("#rest")
        tool(page, "look")
        page.mouse.click(*spot(page, desk, "0101"))
        page.keyboard.press("t")
        page.keyboard.press("3")
        for _ in range(2):
            page.keyboard.press("ArrowRight")
        page.keyboard.press(" ")
        page.keyboard.press("h")
        page.keyboard.press("e")
        page.keyboard.press(" ")
        for key in ("w", " ", "ArrowDown", " ", "Enter"):
            page.keyboard.press(key)
        assert "things are missing" in save(page), "what setup.yaml names is gone from the map"
    ground = MapDesk(game).scenario.map
    assert ground.grid.columns == 14 and [h for h, t in ground.terrain.items() if t != ("open",)] == ["0301"]
    assert ground.ways[0].hexes == ("0301", "0302") and len(ground.hexside_runs[0].sides) == 1


def test_clicks_lay_a_scan_under_the_grid(browser: Any, game: Path, tmp_path: Path) -> None:
    grid = load(game).map.grid
    picture = Image.new("RGB", (900, 760), "white")
    places = {h: (60 + 70 * x + 3 * y, 50 + 72 * y - 2 * x) for h in grid.hexes for x, y in [grid.center(h)]}
    for x, y in places.values():
        ImageDraw.Draw(picture).ellipse([x - 6, y - 6, x + 6, y + 6], fill="red")
    picture.save(tmp_path / "scan.png")
    desk = MapDesk(game, tmp_path / "scan.png")
    with opened(browser, desk) as page:
        page.wait_for_selector("#under[href]")
        assert page.is_disabled("#lay")
        first_x, first_y = grid.center("0101")
        for hex_ in ("0101", "1201", "0108"):
            page.wait_for_function("h => document.querySelector('#field-next').value === h", arg=hex_)
            x, y = places[hex_]
            page.mouse.click(*spot(page, desk, "0101", x / 100 - first_x, y / 100 - first_y))
        page.wait_for_selector("#lay:not([disabled])")
        page.check("#as-board")
        page.click("#lay")
        page.wait_for_selector('[data-tool="terrain"][aria-pressed="true"]')
        assert "Saved" in save(page) and page.problems == []
    scan = load(game).map.scan
    assert scan is not None and (game / "looks" / "scan.png").read_bytes() == (tmp_path / "scan.png").read_bytes()
    assert all(abs(v - w) < 2 for h, p in scan.centres.items() for v, w in zip(p, places[h], strict=True))


def test_counters_are_edited_beside_their_faces(browser: Any, game: Path) -> None:
    file = game / "counters.csv"
    before = file.read_text("utf-8").splitlines()
    with opened(browser, TableDesk(game)) as page:
        page.wait_for_selector("#body tr:first-child img")
        face = page.get_attribute("#body tr:first-child img", "src")
        page.get_by_label("no-1-1 attack", exact=True).fill("many")
        assert "not a whole number" in page.inner_text("td.wrong .why")
        assert "1 thing is missing" in save(page) and "3,many" not in file.read_text("utf-8")
        assert "many,3,4" in file.read_text("utf-8") and "whole number" in page.inner_text("#problems")
        page.get_by_label("no-1-1 attack", exact=True).fill("8")
        page.wait_for_selector("#body tr:first-child img")
        assert page.get_attribute("#body tr:first-child img", "src") != face
        # Somebody else writes the same cell and another.
        file.write_text(
            "\n".join(before).replace(",3,3,4,", ",7,3,4,", 1).replace("Line Battalion", "Battalion", 1) + "\n",
            "utf-8",
        )
        page.keyboard.press("Control+s")
        page.wait_for_selector("dialog")
        assert page.inner_text("dialog legend") == "no-1-1 attack"
        with page.expect_response("**/save"):
            page.click("#decided")
        page.wait_for_selector("#toast.good")
    after = file.read_text("utf-8").splitlines()
    new = before[1].replace(",3,3,4,", ",8,3,4,").replace("Line Battalion", "Battalion")
    assert [line for line in after if line not in before] == [new]
    assert len(after) == len(before) and load(game).counters["no-1-1"].attack == 8


@pytest.mark.parametrize("scheme", leading(1, ["dark", "light"]))
def test_screen_readers_find_their_way(browser: Any, game: Path, scheme: str) -> None:
    from axe_playwright_python.sync_playwright import Axe

    for desk, tools in ((MapDesk(game), ("look", "terrain", "ways", "areas", "size")), (TableDesk(game), ())):
        with opened(browser, desk, color_scheme=scheme, bypass_csp=True) as page:
            for name in tools or ("",):
                if name:
                    tool(page, name)
                found = Axe().run(page)
                assert found.violations_count == 0, found.generate_report()


def test_nothing_outside_of_the_game_is_reached(browser: Any, game: Path, tmp_path: Path) -> None:
    (tmp_path / "secret.png").write_bytes(b"x")
    with opened(browser, MapDesk(game)) as page:
        told = page.evaluate(
            """async () => {
              const headers = {"x-hexforge-token": document.querySelector('meta[name="token"]').content};
              const ask = async (deed, body) => (await fetch(deed, {method: "POST", headers, body})).status;
              return [await ask("save", "[]"), await ask("save", "{}"), await ask("draw", '{"base": "x"}'),
                      (await fetch("page/..%2f..%2fcli.py")).status, (await fetch("page/map.html.j2")).status,
                      (await fetch("save", {method: "POST"})).status];
            }"""
        )
        assert told == [400, 409, 422, 404, 404, 403]
