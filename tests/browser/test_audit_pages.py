"""The site of an audit in Chromium: on a telephone, without a violation, from page to page and into Portuguese."""

from __future__ import annotations

import re
import shutil
from pathlib import Path
from typing import Any

from hexforge.scenarios.commands import HOME
from hexforge.validator.app.audit_run import AuditPlan, audit
from tests.transcribe.modules import PLAYED

EXAMPLES = HOME / "hurtgen" / "examples"


def test_the_pages_are_fit_for_browsers(tmp_path: Path, browser: Any) -> None:
    from axe_playwright_python.sync_playwright import Axe

    home, site = tmp_path / "games", tmp_path / "site"
    home.mkdir()
    for name in ("turn2-well", "turn2-mistakes"):
        shutil.copy(EXAMPLES / f"{name}.sheet", home)
    for log in ("a.vlog", "b-reroll.vlog"):
        shutil.copy(PLAYED / log, home)
    (home / "broken.sheet").write_bytes(b"\x00")
    audit(AuditPlan([str(home)], site, jobs=1))
    context = browser.new_context(viewport={"width": 390, "height": 800})
    said: list[str] = []
    page = context.new_page()
    page.goto((site / "index.html").as_uri())
    page.wait_for_url(re.compile("en/index.html"))
    for path in (*(site / "en").glob("*.html"), next((site / "pt" / "games").iterdir())):
        page.goto(path.as_uri())
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth"), path
        found = Axe().run(page)
        assert found.violations_count == 0, found.generate_report()
    # Only now: the page refuses what axe looks at its style with.
    page.on("console", lambda message: said.append(message.text))
    page.goto((site / "en" / "index.html").as_uri())
    page.get_by_role("link", name="turn2-mistakes.sheet").click()
    page.get_by_role("link", name="PT").click()
    assert page.get_by_role("heading", level=2).first.inner_text() == "Apontamentos"
    # A finding leads to its step of the page on which the game is played through.
    page.get_by_role("link", name="linha 25").click()
    page.wait_for_url(re.compile("replays/"))
    page.wait_for_selector("#app:not([hidden])")
    assert "us-1340-eng: 0706 0606" in page.locator("#detail").inner_text()
    assert said == []
    context.close()
