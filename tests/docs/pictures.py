"""Draws the pictures of the project's pages anew: `make pictures`, which needs Chromium."""

from __future__ import annotations

import io
import shutil
import tempfile
from pathlib import Path
from typing import Final

from PIL import Image
from playwright.sync_api import sync_playwright

from hexforge.scenarios.words import Words
from hexforge.validator.check import check_file
from hexforge.validator.replay.game import game_page

ROOT: Final = Path(__file__).resolve().parents[2]
EXAMPLE: Final = "scenarios/hurtgen/examples/turn2-mistakes.sheet"
STEP: Final = "t2-10"
PICTURES: Final = {"en": ("docs/page.png", "light"), "pt": ("docs/pt/pagina.png", "light")}


def main() -> None:
    """Take a picture of one step of the example in each language."""
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
            picture = Image.open(io.BytesIO(tab.screenshot())).convert("RGB")
            few = picture.quantize(256, method=Image.Quantize.MEDIANCUT, dither=Image.Dither.NONE)
            few.save(ROOT / target, "PNG", optimize=True)
            context.close()
        browser.close()


if __name__ == "__main__":
    main()
