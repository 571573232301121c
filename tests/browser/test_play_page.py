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
from hexforge.validator.judging.situation import sheet_situation
from hexforge.validator.play.session import open_session
from hexforge.validator.play.site import Site
from hexforge.validator.play.table import Table
from hexforge.validator.reading.sheet import read_sheet
from hexforge.validator.report.replay_pictures import Studio
from tests.browser.conftest import missing
from tests.browser.test_scripts import WEB
from tests.examples import leading

OWN: Final = Path(__file__).parents[1] / "games"
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
    site = Site(Table(open_session(files, language=language), language, STUDIO), guard)
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
    assert open_session([str(sent)]).position.hex_of("us-112-2") == "0908"


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


class Robot:
    """Plays a turn by clicks alone, where the page lights something; what it clicks it asks the table for."""

    def __init__(self, hand: Hand) -> None:
        self.hand = hand

    @property
    def state(self) -> dict[str, Any]:
        """What the table offers."""
        return self.hand.site.table.state("en")

    def name(self, spot: int) -> str:
        """The hex of a number."""
        return self.hand.site.table.recorder.spots[spot].name

    def phase(self) -> None:
        """Begin the next phase and play a little in it."""
        hand = self.hand
        self.end()
        for _ in range(len(self.state["deeds"])):
            if hand.page.query_selector("#throw") is None:
                break
            hand.press("#throw")
        for _ in range(3):
            self.move()
        for _ in range(2):
            if not self.attack():
                break

    def end(self) -> None:
        """End the phase at hand, whatever is owed in it: that is another player's fault."""
        self.hand.press("[data-deed=end]")
        if self.hand.prompt == "Still owed:":
            self.hand.press("[data-deed=end]")

    def move(self) -> None:
        """Click a stack that can move, and the last of the hexes that it lights."""
        table = self.hand.site.table
        position = table.session.position
        for unit in self.state["movers"]:
            here = position.hex_of(unit)
            assert here is not None
            stack = [u for u in self.state["movers"] if position.hex_of(u) == here]
            goals = table.choose({"units": stack}, "en")["goals"]
            if goals and not any(position.units[u].moved for u in stack):
                before = self.hand.text
                self.hand.press("#tools [data-deed=fit]")
                self.hand.page.wait_for_timeout(400)  # the camera glides
                self.hand.hex(here)
                self.hand.hex(self.name(goals[len(goals) // 2]["h"]))
                assert self.hand.text != before, (
                    self.hand.prompt,
                    self.hand.page.inner_text("#doing"),
                    stack,
                    goals,
                )
                return

    def attack(self) -> bool:
        """Attack somebody, owed or not, and carry out all that the dice cost; whether there was anybody."""
        hand, targets = self.hand, self.state["targets"]
        if self.state["overrun"] or not targets:
            return False
        hand.hex(self.name(next((t for t in targets if t["owed"]), targets[0])["h"]))
        if hand.page.query_selector("#thumb .bad") is not None:
            hand.press("[data-deed=drop]")
            return False
        hand.press("[data-deed=declare]")
        hand.press("#throw")
        for _ in range(20):
            fight = self.state["fight"]
            if fight is None or fight["stage"] != "owed":
                break
            assert fight["steps"], fight["owed"]
            self.suffer(next((s for s in fight["steps"] if s["k"] != "advance"), fight["steps"][0]))
        return True

    def suffer(self, step: dict[str, Any]) -> None:
        """Carry out one thing that is owed."""
        hand, (unit,) = self.hand, step["u"]
        if step["k"] in ("lose", "eliminate"):
            hand.press(f'#doing [data-unit="{unit}"]')
            return
        pressed = "#doing .fan button[aria-pressed=true]"
        while (one := hand.page.query_selector(pressed)) is not None and one.get_attribute("data-unit") != unit:
            hand.press(f"{pressed} >> nth=0")
        if hand.page.query_selector(f'#doing .fan button[data-unit="{unit}"][aria-pressed=true]') is None:
            hand.press(f'#doing .fan button[data-unit="{unit}"][aria-pressed]')
        for other in hand.page.query_selector_all(pressed)[1:]:
            hand.press(f'#doing .fan button[data-unit="{other.get_attribute("data-unit")}"][aria-pressed=true]')
        hand.hex(self.name(step["p"][-1]))


TABLES: Final = [(str(OWN / "ashvale"), 4), ("bastogne", 4), ("metz", 4), (str(OWN / "harrow"), 4)]


@pytest.mark.parametrize(("game", "phases"), leading(1, TABLES))
def test_a_turn_of_any_game_is_played_by_clicks(browser: Any, game: str, phases: int) -> None:
    with seated(browser, game) as hand:
        robot = Robot(hand)
        if hand.site.table.session.unset:
            hand.press("#doing button:not([data-unit])")
        for _ in range(phases):
            robot.phase()
        whole = sheet_situation(read_sheet(hand.text, ""), {})
        assert whole.position.units == hand.site.table.session.position.units
        faults = [f for f in whole.judgement.findings if f.severity == "illegal"]
        assert all(f.code in ("must-attack", "spared") or "attack" in f.code for f in faults), faults
