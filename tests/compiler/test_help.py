"""The help page of a module."""

from __future__ import annotations

import re

from hexforge.modulegen.vassal.archive import Archive

from .conftest import Built


def test_the_quick_start_shows_pictures_that_the_module_has(built: Built) -> None:
    with Archive(built.data) as archive:
        page = archive.read("help.html").decode("ascii")
        shown = re.findall(r'<img src="([^"]+)">', page)
        assert len(shown) > 8
        assert set(shown) <= set(archive.names)
    assert ("icon-setup.png" in page) == built.plan.scenario.setup.is_chosen
