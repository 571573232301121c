"""A browser for the tests of pages: Chromium without a window, started once for each module.

While it runs the thread has an event loop, in which other tests could start none of their own.
"""

import os
import shutil
from collections.abc import Iterator
from typing import Any, NoReturn

import pytest


def missing(what: str) -> NoReturn:
    """Skips when there is no browser; fails instead if `HEXFORGE_REQUIRE_WITNESS=1`."""
    text = f"{what} is missing: run .ci/witness-setup"
    if os.environ.get("HEXFORGE_REQUIRE_WITNESS") == "1":
        pytest.fail(f"HEXFORGE_REQUIRE_WITNESS=1, but {text}")
    pytest.skip(text)


@pytest.fixture(scope="module")
def browser() -> Iterator[Any]:
    """Chromium, as playwright's `Browser`: each test opens contexts of its own."""
    path = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
    if path is None:
        missing("Chromium")
    try:
        from playwright.sync_api import sync_playwright
    except ImportError:
        missing("playwright")
    with sync_playwright() as play:
        chromium = play.chromium.launch(executable_path=path, args=["--no-sandbox", "--disable-gpu"])
        yield chromium
        chromium.close()
