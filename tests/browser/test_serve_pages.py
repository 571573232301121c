"""The page on which games are dropped, in Chromium: a log is dropped, a turn is pasted, and the game is seen."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from hexforge.scenarios.local_server import PageGuard, served
from hexforge.scenarios.text.words import Words
from hexforge.validator.app.discover import GivenToAll
from hexforge.validator.app.serve_judge import ProcessLimits
from hexforge.validator.app.serve_site import PageDesk, site

pytestmark = pytest.mark.browser

ROOT = Path(__file__).resolve().parents[2]
LOG = ROOT / "tests" / "data" / "played" / "a.vlog"
EVIL = "<img src=x onerror=alert(1)>"
TURN = f"""sheet 1
game hurtgen
players american="{EVIL}" german=Bruno
map blank open 4x4
unit a1 american infantry 4-4-5
position
  a1 0202
turn 1 american movement
move a1: 0202 0404 # {EVIL}
"""


@pytest.fixture(scope="module")
def url(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    desk = PageDesk(Words("en"), ProcessLimits(str(tmp_path_factory.mktemp("empty"))), GivenToAll((), None))
    guard = PageGuard(desk.words, body=1_000_000)
    with served(site(desk, guard), secret=guard.secret) as address:
        yield address


def opened(context: Any, url: str) -> Any:
    page = context.new_page()
    page.problems = []
    page.on("pageerror", lambda error: page.problems.append(str(error)))
    page.on("console", lambda line: page.problems.append(line.text) if line.type == "error" else None)
    page.on("dialog", lambda box: (page.problems.append(box.message), box.dismiss()))
    page.goto(url)
    return page


def looked_over(page: Any) -> None:
    """Nothing is wider than the page, and screen readers find their way."""
    from axe_playwright_python.sync_playwright import Axe

    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    found = Axe().run(page)
    assert found.violations_count == 0, found.generate_report()


def test_a_log_is_dropped_and_played_through(browser: Any, url: str) -> None:
    context = browser.new_context(locale="en-US", reduced_motion="reduce")
    page = opened(context, url)
    held = page.evaluate_handle(
        """bytes => {
          const all = new DataTransfer();
          all.items.add(new File([Uint8Array.from(bytes)], "../../a.vlog"));
          return all;
        }""",
        list(LOG.read_bytes()),
    )
    page.dispatch_event("body", "drop", {"dataTransfer": held})
    page.wait_for_selector(".game")
    assert "only the chain of logs and the dice" in page.inner_text(".findings")
    frame = page.frame_locator("iframe")
    frame.locator('[data-deed="forward"]').click()
    assert "Step 1 of" in frame.locator("#where").inner_text()
    assert page.evaluate("document.querySelector('iframe').contentDocument") is None, "it is no page of ours"
    with context.expect_page() as other:
        page.click("a.deed")
    other.value.wait_for_selector("#app:not([hidden])")
    assert not page.problems
    context.close()


def test_a_turn_with_a_mistake_is_pasted(browser: Any, url: str) -> None:
    context = browser.new_context(locale="en-US")
    page = opened(context, url)
    page.keyboard.press("Control+Enter")
    page.focus("#text")
    page.keyboard.insert_text(TURN)
    page.keyboard.press("Control+Enter")
    page.wait_for_selector(".game")
    assert "0202 and 0404 do not touch" in page.inner_text(".findings li.illegal:last-child")
    assert page.query_selector("img") is None and EVIL in page.inner_text(".game")
    page.click("text=In the canonical form")
    assert "move a1: 0202 0404" in page.input_value(".canonical")
    with page.expect_download() as taken:
        page.click("text=Workbook")
    assert taken.value.suggested_filename == "results.xlsx"
    page.click("text=PT")
    assert "0202 e 0404 não são adjacentes" in page.inner_text(".findings")
    page.click("text=Esquecer agora")
    page.wait_for_selector("#form")
    assert not page.problems
    context.close()


def test_a_line_that_is_not_read_is_asked_about_and_the_turn_judged_again(browser: Any, url: str) -> None:
    context = browser.new_context(locale="en-US", viewport={"width": 390, "height": 800})
    page = opened(context, url)
    page.fill(
        "#text", "sheet 1\ngame hurtgen\npartial\nturn 2 american movement\n112-1 sneaks up to 0907 tonight\n"
    )
    page.keyboard.press("Control+Enter")
    page.wait_for_selector(".game")
    page.click("button[data-put]")
    assert page.input_value(".canonical").splitlines()[-1] == "move us-112-1: 0907"
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    with page.expect_navigation():
        page.click("text=Judge again")
    page.wait_for_selector(".game")
    assert page.query_selector(".findings li.unread") is None
    assert not page.problems
    context.close()


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_everyone_finds_their_way(browser: Any, url: str, scheme: str) -> None:
    context = browser.new_context(
        viewport={"width": 360, "height": 740}, color_scheme=scheme, bypass_csp=True, locale="pt-BR"
    )
    page = opened(context, f"{url}?lang=pt")
    looked_over(page)
    page.click("text=Julgar >> nth=-1")
    page.wait_for_selector(".said.bad")
    looked_over(page)
    page.fill("#text", TURN)
    page.click("button[type=submit]")
    page.wait_for_selector(".game")
    looked_over(page)
    context.close()
