"""Draws the pictures of the project's pages anew: `make pictures`, which needs Chromium."""

from __future__ import annotations

import io
import shutil
import tempfile
from pathlib import Path
from typing import Any, Final

from PIL import Image
from playwright.sync_api import sync_playwright

from hexforge.scenarios.local_server import PageGuard, served
from hexforge.scenarios.text.words import Words
from hexforge.validator.app.audit_run import AuditPlan, audit
from hexforge.validator.judging.check import check_file
from hexforge.validator.play.session import open_session
from hexforge.validator.play.site import Site
from hexforge.validator.play.table import Table
from hexforge.validator.report.html import game_page

ROOT: Final = Path(__file__).resolve().parents[2]
EXAMPLE: Final = "scenarios/hurtgen/examples/turn2-mistakes.sheet"
STEP: Final = "t2-10"
PICTURES: Final = {"en": ("docs/page.png", "light"), "pt": ("docs/pt/pagina.png", "light")}
TABLE: Final = {"en": "docs/play.png", "pt": "docs/pt/jogar.png"}
PLAYED: Final = "tests/docs/before-an-attack.sheet"
ROUND: Final = {"en": "docs/site.png", "pt": "docs/pt/site.png"}
"""The site of a round made of the examples of all games."""


def main() -> None:
    """Take a picture of one step of the example in each language, and of the site of a round."""
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as play:
        path = shutil.which("chromium") or shutil.which("google-chrome")
        browser = play.chromium.launch(executable_path=path, args=["--no-sandbox", "--disable-gpu"])
        for language, (target, scheme) in PICTURES.items():
            page = Path(folder) / f"{language}.html"
            page.write_text(game_page(check_file(ROOT / EXAMPLE), Words(language)), "utf-8")
            context = browser.new_context(viewport={"width": 1300, "height": 820}, color_scheme=scheme)  # type: ignore[arg-type]
            tab = context.new_page()
            tab.goto(f"{page.as_uri()}#{STEP}")
            tab.wait_for_selector("#app:not([hidden])")
            tab.evaluate("document.getElementById('title').lastChild.remove()")
            tab.evaluate("document.querySelector('#detail caption').scrollIntoView()")
            tab.wait_for_timeout(600)
            _kept(tab.screenshot(), target, 256)
            context.close()
        _round(browser, Path(folder))
        for language, target in TABLE.items():
            _table(browser, language, target)
        browser.close()


def _table(browser: Any, language: str, target: str) -> None:
    """An attack after its dice, on the table on which it is played."""
    session = open_session([str(ROOT / PLAYED)], language=language)
    table = Table(session, language)
    guard = PageGuard(Words(language), body=1_000_000)
    spot = table.recorder.spot
    attackers = [u for hex_ in ("0907", "0908") for u in session.position.at(hex_)]
    table.act({"do": "declare", "targets": [spot["1007"]], "attackers": attackers}, language)
    table.act({"do": "roll", "faces": [5, 3]}, language)
    with served(Site(table, guard).app(), secret=guard.secret) as url:
        context = browser.new_context(viewport={"width": 1300, "height": 820}, locale=language)
        tab = context.new_page()
        tab.goto(f"{url}?lang={language}")
        tab.wait_for_selector("#app:not([hidden])")
        tab.wait_for_timeout(800)
        _kept(tab.screenshot(), target, 256)
        context.close()


def _kept(shot: bytes, target: str, colours: int) -> None:
    picture = Image.open(io.BytesIO(shot)).convert("RGB")
    few = picture.quantize(colours, method=Image.Quantize.MEDIANCUT, dither=Image.Dither.NONE)
    few.save(ROOT / target, "PNG", optimize=True)


def _round(browser: Any, folder: Path) -> None:
    """Audit the examples of all games as if they were a round, and take a picture of its overview."""
    games, site = folder / "games", folder / "site"
    for number, example in enumerate(sorted(ROOT.glob("scenarios/*/examples/*.sheet"))):
        home = games / str(number % 2 + 1)
        home.mkdir(parents=True, exist_ok=True)
        shutil.copy(example, home)
    audit(AuditPlan([str(games)], site, jobs=1, replays=False))
    for language, target in ROUND.items():
        tab = browser.new_page(viewport={"width": 1100, "height": 640}, color_scheme="light")
        tab.goto((site / language / "index.html").as_uri())
        _kept(tab.screenshot(), target, 64)
        tab.close()


if __name__ == "__main__":
    main()
