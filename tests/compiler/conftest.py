"""Games and modules that the compiler's tests share, built once."""

from __future__ import annotations

from pathlib import Path
from typing import NamedTuple

import pytest

from hexforge.modulegen.build import compile_plan
from hexforge.modulegen.draw import Cache
from hexforge.modulegen.plan import Plan, plan
from hexforge.modulegen.vassal import buildfile
from hexforge.modulegen.vassal.archive import Archive
from hexforge.modulegen.vassal.buildfile import Element
from hexforge.scenarios import load
from hexforge.scenarios.commands import names
from hexforge.scenarios.text.files import cache_folder
from tests import starters
from tests.built import compiled


class Built(NamedTuple):
    """A module with the plan that it was made from."""

    plan: Plan
    data: bytes
    version: str

    @property
    def root(self) -> Element:
        """Its build file."""
        with Archive(self.data) as archive:
            return buildfile.read(archive.read("buildFile.xml"))


def build(game: str | Path, language: str = "pt", jobs: int = 1) -> Built:
    """A game's module; of one that comes with the program the one that all tests share."""
    if isinstance(game, str) and game in names():
        return Built(*compiled(game, language))
    planned = plan(load(game), language)
    data, version = compile_plan(planned, Cache(cache_folder()), jobs)
    return Built(planned, data, version)


@pytest.fixture
def game(tmp_path: Path) -> Path:
    """A fresh starter game, to spoil at will."""
    folder = tmp_path / "river-war"
    starters.write(folder)
    return folder


@pytest.fixture
def standing(tmp_path: Path, game: Path) -> tuple[Path, Path, bytes]:
    """A game, the folder for modules, and the module that stands in it already."""
    out = tmp_path / "dist"
    out.mkdir()
    (out / "RiverWar.vmod").write_bytes(b"what stood here before")
    return game, out, b"what stood here before"


@pytest.fixture(scope="session")
def small(tmp_path_factory: pytest.TempPathFactory) -> Built:
    """The starter game's module, with losses that are turned back and a way off the map."""
    folder = tmp_path_factory.mktemp("games") / "river-war"
    starters.write(folder)
    for file, old, more in (
        ("game.yaml", "\nrules:\n", '  replacements: [{side: south, points: 1, section: "7.0"}]\n'),
        (
            "victory.yaml",
            "objectives:",
            'exits: [{side: south, edge: north, last_turn: 6, points: 1, section: "10"}]\n',
        ),
    ):
        path = folder / file
        text = path.read_text("utf-8")
        assert old in text
        new = f"{old}{more}" if old.endswith("\n") else f"{more}{old}"
        path.write_text(text.replace(old, new, 1), "utf-8")
    return build(folder)


@pytest.fixture(scope="session", params=["starter", "hurtgen", "metz"])
def built(request: pytest.FixtureRequest, small: Built) -> Built:
    """The starter's module, and those of games with either kind of grid."""
    return small if request.param == "starter" else build(request.param, "en")
