"""The table in a browser: a turn composed by mouse, by touch and by keys, judged, sent, and gone on with."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Final

import pytest

pytest.importorskip("starlette")

from hexforge.scenarios.local_server import Address, PageGuard, served
from hexforge.scenarios.text.words import Words
from hexforge.validator.judging.check import judge
from hexforge.validator.play.session import opened
from hexforge.validator.play.site import Site
from hexforge.validator.play.table import Table
from hexforge.validator.reading.sheet import read_sheet
from hexforge.validator.report.replay_pictures import Studio
from tests.browser.conftest import missing
from tests.browser.test_scripts import WEB
from tests.examples import leading

STUDIO: Final = Studio()
"""Tables of these tests share what was drawn."""


class Hand:
    """Somebody at the table: clicks hexes by their numbers and buttons by what they do, and counts gestures."""

    def __init__(self, page: Any, site: Site) -> None:
        self.page, self.site = page, site
        self.spots = {spot.name: spot.at for spot in site.table.recorder.spots if spot.at is not None}
        self.gestures = 0

    def settle(self) -> None:
        """Wait until the referee has answered."""
        self.page.wait_for_function("() => !document.body.classList.contains('busy')")
        self.page.evaluate("() => new Promise((then) => setTimeout(then, 30))")
        self.page.wait_for_function("() => !document.body.classList.contains('busy')")

    def hex(self, name: str, *, modifiers: Sequence[str] = (), tap: bool = False) -> None:
        """Click a hex, or tap it."""
        at = self.spots[name]
        assert at is not None
        x, y = self.page.evaluate(
            """([x, y]) => {
              const { e: dx, f: dy, a: k } = new DOMMatrix(document.getElementById("plane").style.transform);
              const box = document.getElementById("view").getBoundingClientRect();
              return [box.left + dx + x * k, box.top + dy + y * k];
            }""",
            list(at),
        )
        if tap:
            self.page.touchscreen.tap(x, y)
        else:
            for key in modifiers:
                self.page.keyboard.down(key)
            self.page.mouse.click(x, y)
            for key in modifiers:
                self.page.keyboard.up(key)
        self.gestures += 1
        self.settle()

    def press(self, selector: str, *, tap: bool = False) -> None:
        """Press a button."""
        (self.page.tap if tap else self.page.click)(selector)
        self.gestures += 1
        self.settle()

    def dice(self, *faces: int) -> None:
        """Type what dice show that fell on a real table."""
        for box, face in zip(self.page.query_selector_all("#doing input[type=number]"), faces, strict=True):
            box.fill(str(face))
            self.gestures += 1
        self.press("#doing .row-of input ~ button")

    @property
    def prompt(self) -> str:
        """What the page asks for."""
        return str(self.page.inner_text("#prompt"))

    @property
    def text(self) -> str:
        """The sheet."""
        return self.site.table.session.text


@contextmanager
def seated(browser: Any, *files: str, phone: bool = False, language: str = "en") -> Iterator[Hand]:
    """A table with a game on it, in a browser."""
    guard = PageGuard(Words(language), body=1_000_000)
    site = Site(Table(opened(files, language=language), language, STUDIO), guard)
    size = {"width": 390, "height": 844} if phone else {"width": 1280, "height": 800}
    with served(site.app(), Address(), secret=guard.secret) as url:
        context = browser.new_context(viewport=size, has_touch=phone, is_mobile=phone, locale="en")
        page = context.new_page()
        wrong: list[str] = []
        page.on("pageerror", lambda error: wrong.append(str(error)))
        page.goto(url)
        page.wait_for_selector("#app:not([hidden])")
        hand = Hand(page, site)
        hand.settle()
        yield hand
        assert not wrong, wrong
        context.close()


def legal(text: str) -> None:
    """Assert that the referee objects to nothing in a sheet."""
    answer = judge(read_sheet(text, ""))
    assert answer.verdict == "legal", [(f.line, str(f.message)) for f in answer.findings]


def test_a_turn_is_composed_by_mouse(browser: Any) -> None:
    with seated(browser, "hurtgen") as hand:
        hand.press("[data-deed=end]")
        assert "can still move" in hand.prompt
        hand.hex("0806")
        hand.hex("0907")
        hand.hex("0807")
        assert "hexes within reach" in hand.prompt
        hand.hex("0908")
        hand.hex("0705")
        hand.hex("0805")
        hand.press("[data-deed=end]")
        begun = hand.gestures
        hand.hex("1007")
        assert hand.prompt == "Attack on 1007"
        hand.press("[data-deed=declare]")
        hand.dice(6, 6)
        hand.hex("1107")
        hand.hex("0908")
        hand.hex("1007")
        # Typed dice are two gestures more than thrown ones.
        assert hand.gestures - begun <= 10
        hand.press("[data-deed=end]")
        assert hand.prompt == "Still owed:"
        assert "0805" in hand.page.inner_text("#doing")
        hand.press("[data-deed=drop]")
        hand.hex("0905")
        hand.press("[data-deed=declare]")
        hand.press("#throw")
        thrown = re.findall(r"roll \d \d", hand.text)[1]
        hand.press("[data-deed=undo]")
        hand.press("#throw")
        assert re.findall(r"roll \d \d", hand.text)[1] == thrown  # what was seen is not thrown again
        hand.press("[data-deed=undo]")
        hand.dice(5, 4)
        hand.press('#doing [data-unit="ge-984-1"]')
        hand.hex("0705")
        hand.press("[data-deed=end]")
        if hand.prompt == "Still owed:":
            hand.press("[data-deed=end]")
    legal(hand.text)


def test_a_telephone_plays_by_touch(browser: Any) -> None:
    with seated(browser, "hurtgen", phone=True, language="pt") as hand:
        hand.press("[data-deed=end]", tap=True)
        assert hand.page.evaluate("() => document.documentElement.scrollWidth <= innerWidth")
        hand.page.wait_for_timeout(500)  # the camera glides
        width = "(one) => one.getBoundingClientRect().width"
        counters = "[...document.querySelectorAll('#counters .counter:not([hidden])')]"
        assert hand.page.evaluate(f"() => Math.max(...{counters}.map({width}))") >= 28
        hand.hex("0806", tap=True)
        thumbs = "[...document.querySelectorAll('#thumb button')].map((one) => one.getBoundingClientRect().height)"
        assert hand.page.evaluate(f"() => Math.min(...{thumbs})") >= 40
        hand.hex("0907", tap=True)
        assert "mover us-112-1: 0806 0907" in hand.text
        hand.press("[data-deed=undo]", tap=True)
        assert "mover" not in hand.text


def test_keys_alone_move_a_unit_and_everything_has_a_name(browser: Any) -> None:
    with seated(browser, "hurtgen") as hand:
        page = hand.page
        page.keyboard.press("e")
        hand.settle()
        hand.hex("0806")
        page.focus("#pad")
        page.keyboard.press("ArrowRight")  # where the last click was
        for key in ("ArrowRight", "Enter"):
            page.keyboard.press(key)
            hand.settle()
        assert re.search(r"move us-112-1: 0806 \d{4}\n", hand.text)
        page.keyboard.press("u")
        hand.settle()
        page.keyboard.press("?")
        assert page.is_visible("#keys")
        page.keyboard.press("Escape")
        nameless = page.evaluate(
            "() => [...document.querySelectorAll('button, input, select, textarea')]"
            ".filter((one) => !(one.textContent.trim() || one.ariaLabel || one.title || one.labels?.length)).length"
        )
        assert nameless == 0


def test_an_answer_is_put_on_the_table_and_the_game_is_sent(browser: Any, tmp_path: Path) -> None:
    with seated(browser, "hurtgen") as hand:
        hand.press("[data-deed=end]")
        hand.hex("0806")
        hand.hex("0907")
        answer = tmp_path / "answer.sheet"
        answer.write_text(hand.text + "move us-112-2: 0807 0908\n")
        hand.press("#send")
        hand.page.set_input_files("#sending input", str(answer))
        hand.page.wait_for_function("() => document.getElementById('text').value.includes('us-112-2')")
        hand.press("#send")
        with hand.page.expect_download() as loading:
            hand.page.click('[data-form="eml"]')
        mail = Path(loading.value.path()).read_bytes()
        assert loading.value.suggested_filename == "hurtgen-turn2.eml"
        assert b"X-Unsent: 1" in mail
    sent = tmp_path / "sent.eml"
    sent.write_bytes(mail)
    assert opened([str(sent)]).position.hex_of("us-112-2") == "0908"


def test_hostile_requests_change_nothing(browser: Any) -> None:
    with seated(browser, "hurtgen") as hand:
        before = hand.text
        for told in (
            {"do": "move", "units": ["us-112-1"], "hex": 10_000},
            {"do": "move", "units": ["<script>"], "hex": 3},
            {"do": "after", "steps": [0]},
            {"do": "declare", "kind": "combat", "targets": [1], "attackers": []},
            {"do": "edit", "text": 7},
            {"do": "nothing"},
            [1],
        ):
            status = hand.page.evaluate(
                """async (told) => (await fetch("act", { method: "POST", body: JSON.stringify(told),
                  headers: { "x-hexforge-token": document.querySelector("meta[name=token]").content } })).status""",
                told,
            )
            assert status in (400, 422), told
        assert hand.text == before


@pytest.mark.parametrize("phone", leading(1, [False, True]))
def test_a_screen_reader_finds_its_way(browser: Any, phone: bool) -> None:
    axe = WEB / "axe-core" / "axe.min.js"
    if not axe.is_file():
        missing("axe")
    with seated(browser, "hurtgen", phone=phone) as hand:
        hand.press("[data-deed=end]")
        hand.press("[data-deed=end]")
        hand.hex("1007")
        hand.page.evaluate(axe.read_text("utf-8"))
        found = hand.page.evaluate(
            "async () => (await axe.run(document, { resultTypes: ['violations'] })).violations"
        )
        assert not found, [(one["id"], [node["html"][:120] for node in one["nodes"][:3]]) for one in found]
