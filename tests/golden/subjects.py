"""All that is asked, by subject.

Every sheet at hand is judged in English. Two minutes do for no more than a part of them in Portuguese, formatted,
and gone on with: one in `EVERY` of each group, and its first. Which they are rests on their names alone, so that a
sheet which comes or goes changes nothing for the others.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import cache
from itertools import islice
from pathlib import Path
from zlib import crc32

import yaml
from click import Context

from tests.readers.typed import MAILS, examples_in

from .asking import ROOT, Asked, program

TESTS = ROOT / "tests"
LANGUAGES = ("en", "pt")
EVERY = {"check-en": 1, "check-pt": 8, "format": 8, "position": 8, "forms": 40, "questions": 30, "mails": 10}
IN_EVERY_FORM = ("examples/hurtgen-turn2-mistakes", "examples/normandy-june25-mistakes")
LOG_COMMANDS = {
    "check-en": ("check", "--format", "json", "--lang", "en"),
    "check-pt": ("check", "--lang", "pt"),
    "sheet": ("transcribe", "--lang", "pt"),
    "record": ("transcribe", "--record", "--format", "json", "--lang", "en"),
    "position": ("position", "--lang", "en"),
}
MOST_IN_A_BOX = 9
DRAWN = {"files", "modules", "pages", "replies", "round", "logs-of-sheets"}
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


# ------------------------------------------------------------------------------------------------------ sheets


def drawn_from(asked: Iterable[Asked], every: int) -> Iterator[Asked]:
    """Of each group the first, and of the others one in so many."""
    groups = set[str]()
    for one in asked:
        if one.group not in groups or crc32(one.name.encode()) % every == 0:
            yield one
        groups.add(one.group)


def _of_sheets(every: int, *words: str, written: str = "", work: int = 1) -> Iterator[Asked]:
    """What a command says to sheets."""
    asked = (
        Asked(
            f"{group}/{sheet.name}",
            (*words, *sheet.known, f"{sheet.name}.sheet"),
            {f"{sheet.name}.sheet": sheet.text},
            written=written,
            work=work,
        )
        for group, members in sheets().items()
        for sheet in members
    )
    return drawn_from(asked, every)


def _forms() -> Iterator[Asked]:
    """The answer in words; that to two of the examples in every other form, in both languages."""
    yield from _of_sheets(EVERY["forms"], "validator", "check", "--lang", "en")
    for language in LANGUAGES:
        for form in ("text", "md", "junit", "sarif", "xlsx"):
            for sheet in sheets()["examples"]:
                if form != "text" and f"examples/{sheet.name}" not in IN_EVERY_FORM:
                    continue
                name = f"{sheet.name}.sheet"
                words = ("validator", "check", "--lang", language, "-o", f"answer.{form}", "--format", form, name)
                kind = f"{sheet.name}-{form}-{language}"
                yield Asked(f"examples/{kind}", words, {name: sheet.text}, written="answer.*")


def _asked_of_positions() -> Iterator[Asked]:
    """What is owed at the end of a sheet, where its first unit gets to from there, and its first attack again."""
    for one in _of_sheets(EVERY["questions"]):
        text, words = next(iter(one.files.values())), ("--lang", "en", *one.words)
        yield replace(one, name=f"{one.name}-duties", words=("validator", "duties", *words))
        if found := re.search(r"(?m)^\s*move (\S+?):", str(text)):
            yield replace(one, name=f"{one.name}-reach", words=("validator", "reach", *words, found[1]))
        if found := re.search(r"(?m)^\s*combat (\S+)\n\s*attack (.+)", str(text)):
            asked = ("validator", "odds", *words, found[1], "--with", found[2])
            yield replace(one, name=f"{one.name}-odds", words=asked)


def _pages() -> Iterator[Asked]:
    """The pages of examples and of a few sheets; of two examples also those on which more may stand."""
    unseen = {"bastogne", "hurtgen", "metz", "ledger", "faulty", "ashvale", "karst", "tolliver"}
    for one in _of_sheets(1, "validator", "page", "-o", "page.html", written="page.html", work=150):
        if one.name.endswith("-mistakes") or one.group in unseen:
            unseen -= {one.group}
            yield one
        for language in LANGUAGES if one.name in IN_EVERY_FORM else ():
            words = ("validator", "check", "-o", "page.html", "--lang", language, *one.files)
            yield replace(one, name=f"{one.name}-{language}", words=words)


# ------------------------------------------------------------------------------------------------ mails and logs


def _mails() -> Iterator[Asked]:
    """Each mail; a part in words, too; and a few of a file in one folder, where they are sorted into games."""
    for path in sorted(MAILS.glob("**/*.txt")):
        of = f"{path.parent.name}/{path.stem}"
        mails = {f"{mail.name}{mail.suffix}": mail.data for mail in examples_in(path)}
        asked = [Asked(f"{of}-{name}", (name,), {name: data}, work=3) for name, data in mails.items()]
        for one in asked:
            yield replace(one, words=("validator", "check", "--format", "json", "--lang", "en", *one.words))
        for one in drawn_from(asked, EVERY["mails"]):
            for language in LANGUAGES:
                words = ("validator", "check", "--lang", language, *one.words)
                yield replace(one, name=f"{one.name}-{language}", words=words)
            yield replace(one, name=f"{one.name}-position", words=("validator", "position", *one.words))
        if len(mails) <= MOST_IN_A_BOX:
            whole = ("validator", "check", "--format", "json", "--lang", "en", "box")
            yield Asked(f"{of}-box", whole, {f"box/{name}": data for name, data in mails.items()}, work=20)


def _replies() -> Iterator[Asked]:
    """What is answered to the first mails of a file, with the page of the game."""
    for mail in islice(examples_in(MAILS / "gmail.txt"), 2):
        name = f"{mail.name}{mail.suffix}"
        words = ("validator", "reply", "-o", "answer.eml", name)
        yield Asked(f"mails/{mail.name}", words, {name: mail.data}, written="answer.eml", work=20)


def _logs() -> Iterator[tuple[str, list[Path], tuple[str, ...]]]:
    """Logs by group, alone and those that are one game, in their order, with what a command has to be told."""
    data = TESTS / "data"
    for path in sorted(data.glob("*/*.vlog")):
        group = f"logs-{path.parent.name}"
        yield group, [path], ("--game", str(TESTS / "games" / "ashvale")) if path.parent.name == "ashvale" else ()
    engine, hurtgen, mini = data / "engine", data / "played-hurtgen", data / "played"
    for first in sorted(engine.glob("*_a.vlog")):
        yield "logs-engine", [first, first.with_name(f"{first.stem[:-1]}b.vlog")], ()
    yield "logs-engine", [engine / "b0.vlog", engine / "b1.vlog"], ()
    yield "logs-engine", [engine / "h1.vlog", engine / "c_ghost.vlog"], ()
    for second in ("bruno-2", "bruno-2-reroll", "bruno-2-gap"):
        yield "logs-played-hurtgen", [hurtgen / "ana-2.vlog", hurtgen / f"{second}.vlog"], ()
    for second in ("b", "b-reroll", "b-gap"):
        yield "logs-played", [mini / "a.vlog", mini / f"{second}.vlog"], ("--module", str(mini / "mini.vmod"))


def _of_logs() -> Iterator[Asked]:
    """What logs say, and what is said to them; of those that are one game, whether they follow on one another."""
    for group, paths, known in _logs():
        files = {path.name: path for path in paths}
        name = f"{group}/{'+'.join(path.stem for path in paths)}"
        for kind, words in LOG_COMMANDS.items():
            yield Asked(f"{name}-{kind}", ("validator", *words, *known, *files), files, work=3)
        for command in ("chain", "dice") if len(paths) > 1 else ():
            yield Asked(f"{name}-{command}", ("validator", command, *files), files, work=3)


def _read_by_modulegen() -> Iterator[Asked]:
    """What is said of modules, saves and logs of any make, spoilt ones among them."""
    module = {"mini.vmod": TESTS / "data" / "played" / "mini.vmod"}
    for words in (("inspect", "mini.vmod"), ("lint", "mini.vmod"), ("import", "mini.vmod", "draft")):
        yield Asked(f"files/mini-{words[0]}", ("modulegen", *words), module, written="draft/*")
    for path in sorted((TESTS / "data").glob("*/*.vlog"))[::6]:
        yield Asked(f"files/{path.stem}-inspect", ("modulegen", "inspect", path.name), {path.name: path})
    for path in sorted((TESTS / "fuzz" / "corpus").glob("*-[cz]*")):
        name = f"{path.name}.vlog"
        yield Asked(f"files/{path.name}-inspect", ("modulegen", "inspect", name), {name: path})
        yield Asked(f"files/{path.name}-check", ("validator", "check", name), {name: path})


def _round() -> Iterator[Asked]:
    """A round of sheets and logs as a site."""
    files: dict[str, str | bytes | Path] = {}
    for path in sorted((ROOT / "scenarios").glob("*/examples/*.sheet")):
        files[f"round/{path.stem}-{path.parts[-3]}.sheet"] = path
    for path in sorted((TESTS / "data" / "played-hurtgen").glob("*.vlog")):
        files[f"round/{path.name}"] = path
    words = ("validator", "audit", "round", "-o", "site", "--jobs", "1")
    yield Asked("round/site", words, files, written="site/**/*", work=200)


# ------------------------------------------------------------------------------------------------------- games


def _modules() -> Iterator[Asked]:
    """Each game's module, and extension, in its languages: its digest, and those of what is in it."""
    for name, home in games():
        for language in (to for to in LANGUAGES if (home / f"text.{to}.yaml").exists()):
            words = ("modulegen", "build", str(home), "--out", ".", "--lang", language, "--jobs", "1")
            yield Asked(f"{name}/module-{language}", words, written="*.vmod*", work=100)


def _told_of_games() -> Iterator[Asked]:
    """A game's units, and what is said of its files."""
    for name, home in games():
        for language in LANGUAGES:
            yield Asked(f"{name}/units-{language}", ("validator", "units", str(home), "--lang", language))
        yield Asked(f"{name}/check", ("modulegen", "check", str(home)), work=30)
        yield Asked(f"{name}/units-json", ("validator", "units", str(home), "--format", "json"))
        yield Asked(f"{name}/data", ("modulegen", "data", str(home)))


def _logs_of_sheets() -> Iterator[Asked]:
    """Example turns as logs of the module that was built for them."""
    for path in sorted((ROOT / "scenarios").glob("*/examples/*-well.sheet")):
        name = path.parts[-3]
        words = ("validator", "transcribe", path.name, "--to", "turn.vlog", "--module", "module.vmod")
        built = ("modulegen", "build", name, "--out", "module.vmod", "--jobs", "1", "--quiet")
        yield Asked(f"{name}/{path.stem}", words, {path.name: path}, first=(built,), written="turn.vlog", work=60)


def _help() -> Iterator[Asked]:
    """What the programs say of themselves, and the pages and schemas that they write."""
    for name in ("modulegen", "validator"):
        for command in ("", *program(name).list_commands(Context(program(name)))):
            words = (name, *([command] if command else []), "--help")
            yield Asked(f"programs/{'-'.join(words[:-1])}", words)
    for language in LANGUAGES:
        for command in ("keys", "schema"):
            yield Asked(f"programs/{command}-{language}", ("modulegen", command, "--lang", language))
    yield Asked("programs/grammar", ("validator", "lsp", "--grammar"))
    yield Asked("programs/list", ("modulegen", "list"))
    yield Asked("programs/new", ("modulegen", "new", "begun"), written="begun/**/*")


def _sheets_by(subject: str, *words: str) -> Callable[[], Iterator[Asked]]:
    return lambda: _of_sheets(EVERY[subject], *words)


SUBJECTS: dict[str, Callable[[], Iterator[Asked]]] = {
    "check-en": _sheets_by("check-en", "validator", "check", "--format", "json", "--lang", "en"),
    "check-pt": _sheets_by("check-pt", "validator", "check", "--format", "json", "--lang", "pt"),
    "format": _sheets_by("format", "validator", "format", "--lang", "pt"),
    "position": _sheets_by("position", "validator", "position", "--lang", "en"),
    "forms": _forms,
    "questions": _asked_of_positions,
    "pages": _pages,
    "mails": _mails,
    "replies": _replies,
    "logs": _of_logs,
    "files": _read_by_modulegen,
    "round": _round,
    "modules": _modules,
    "games": _told_of_games,
    "logs-of-sheets": _logs_of_sheets,
    "programs": _help,
}
