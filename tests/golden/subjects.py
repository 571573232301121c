"""All that is asked, by subject.

Every sheet at hand is judged in English. Two minutes do for no more than a part of them in Portuguese, formatted,
and gone on with: one in `EVERY` of each group, and its first. Which they are rests on their names alone, so that a
sheet which comes or goes changes nothing for the others.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from zlib import crc32

import yaml

from .asking import ROOT, Asked

TESTS = ROOT / "tests"
LANGUAGES = ("en", "pt")
EVERY = {"check-en": 1, "check-pt": 4, "format": 3, "position": 2}
DRAWN = {"modules"}
"""Subjects with pictures in them: what these are to the byte rests on the libraries that drew them, too."""


@dataclass(frozen=True)
class Sheet:
    """A sheet, and the folder of its game where that does not come with the program."""

    name: str
    text: str
    home: Path | None = None

    @property
    def known(self) -> tuple[str, ...]:
        return ("--game", str(self.home)) if self.home else ()


def _cases(path: Path, home: Path | None = None) -> Iterator[Sheet]:
    loader = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
    with path.open(encoding="utf-8") as file:
        for case in yaml.load(file, Loader=loader)["cases"]:
            if "sheet" in case:
                yield Sheet(case["id"], case["sheet"], home)


def _files(paths: Iterator[Path], above: int = 0) -> Iterator[Sheet]:
    for path in sorted(paths):
        yield Sheet("-".join((*(path.parts[-2 - above : -1 - above]), path.stem)), path.read_text("utf-8"))


@cache
def sheets() -> Mapping[str, list[Sheet]]:
    """All sheets at hand, by what they are of. Those of `normandy.yaml` are no sheets, but in `ledger/`."""
    found = {
        path.stem: list(_cases(path))
        for path in sorted((TESTS / "cases").glob("*.yaml"))
        if path.stem != "normandy"
    }
    found["ledger"] = list(_cases(TESTS / "cases" / "ledger" / "normandy.yaml"))
    found["faulty"] = list(_files((TESTS / "cases" / "faults").glob("*.sheet")))
    found["examples"] = list(_files((ROOT / "scenarios").glob("*/examples/*.sheet"), above=1))
    found["written-out-mails"] = [
        Sheet(name.strip(), rest)
        for name, _, rest in (
            part.partition("\n")
            for part in re.split(r"(?m)^=== ", (TESTS / "readers/mails/later.sheets").read_text("utf-8"))[1:]
        )
    ]
    for path in sorted((TESTS / "games").glob("*/cases.yaml")):
        found[path.parent.name] = list(_cases(path, path.parent))
    return found


def games() -> Iterator[tuple[str, Path]]:
    """Games, those that come with the program and those of the tests, and their folders."""
    for path in sorted([*(ROOT / "scenarios").glob("*/game.yaml"), *(TESTS / "games").glob("*/game.yaml")]):
        yield path.parent.name, path.parent


def drawn_from(asked: Iterator[Asked], every: int) -> Iterator[Asked]:
    """Of each group the first, and of the others one in so many."""
    groups = set[str]()
    for one in asked:
        if one.group not in groups or crc32(one.name.encode()) % every == 0:
            yield one
        groups.add(one.group)


def _of_sheets(subject: str, *words: str) -> Iterator[Asked]:
    asked = (
        Asked(
            f"{group}/{sheet.name}",
            (*words, *sheet.known, f"{sheet.name}.sheet"),
            {f"{sheet.name}.sheet": sheet.text},
        )
        for group, members in sheets().items()
        for sheet in members
    )
    return drawn_from(asked, EVERY[subject])


def _modules() -> Iterator[Asked]:
    """Each game's module, and extension, in both languages: its digest, and those of what is in it."""
    for name, home in games():
        for language in LANGUAGES:
            words = ("modulegen", "build", str(home), "--out", ".", "--lang", language, "--jobs", "1")
            yield Asked(f"{name}/module-{language}", words, written="*.vmod*", form="archive")


SUBJECTS: dict[str, Callable[[], Iterator[Asked]]] = {
    "check-en": lambda: _of_sheets("check-en", "validator", "check", "--format", "json", "--lang", "en"),
    "check-pt": lambda: _of_sheets("check-pt", "validator", "check", "--format", "json", "--lang", "pt"),
    "format": lambda: _of_sheets("format", "validator", "format", "--lang", "pt"),
    "position": lambda: _of_sheets("position", "validator", "position", "--lang", "en"),
    "modules": _modules,
}
