"""What commands tell: problems of files, libraries that are missing, tables, likely names; made harmless.

Rows of cells as lines for a terminal, lined up by rich.

What the operating system answers, as messages.

Words that are like another: what whoever typed that one may have meant.

Libraries that come with a part of the program only, and how whoever lacks one gets it.

Text from a stranger's file, made harmless for terminals and pages.

What is wrong with a scenario's files, said so that whoever edits them can mend it.

Problems of a game's files, as commands tell them: in lines for people, and in JSON for scripts.
"""

from __future__ import annotations

import errno
import io
import json
import os
import re
import shutil
import stat
import sys
import warnings
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from importlib.util import find_spec
from io import StringIO
from itertools import islice
from pathlib import Path
from typing import Any, BinaryIO, Final, Literal, TypeAlias
from urllib.parse import urlsplit

import click
from markupsafe import escape

from .text.words import SOURCE, HexforgeError, HexforgeWarning, Language, Message, Param, Words, languages, message

_CONTROL: Final = dict.fromkeys(
    [*range(9), *range(11, 32), *range(127, 160), *range(0x202A, 0x202F), *range(0x2066, 0x206A)], "�"
)
_ESCAPED: Final = re.compile(f"[{''.join(chr(code) for code in _CONTROL if code > 31)}]")


def safe(text: str) -> str:
    """The text without control characters, by which it could drive a terminal or turn the reading direction."""
    # None of them can be printed; nearly no text has any, and to look for them one by one takes ten times as long.
    return text if text.isprintable() else text.translate(_CONTROL)


def safe_json(text: str) -> str:
    """JSON whose strings hold such characters as escapes; those below 32 are escaped in any JSON."""
    return _ESCAPED.sub(lambda found: f"\\u{ord(found[0]):04x}", text)


def use_utf8() -> None:
    """Standard output and error take every character, and what is piped or written to a file is UTF-8.

    Windows would else write files in its old code page, which has neither all letters nor the lines drawn here.
    """
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            with suppress(OSError, ValueError):
                if stream.isatty():
                    stream.reconfigure(errors="replace")
                else:
                    stream.reconfigure(encoding="utf-8", errors="replace")


@contextmanager
def warned(tell: Callable[[Message], None]) -> Iterator[None]:
    """What a user would want to know is told, once."""
    said: set[Message] = set()

    def show(message: Warning | str, *rest: Any, **more: Any) -> None:
        if not isinstance(message, HexforgeWarning):
            others(message, *rest, **more)
        elif message.message not in said:
            said.add(message.message)
            tell(message.message)

    with warnings.catch_warnings():
        others = warnings.showwarning
        warnings.simplefilter("always", HexforgeWarning)
        warnings.showwarning = show
        yield


_UNBOUNDED: Final = 100_000


def lined_up(
    rows: Iterable[Sequence[object]], *, right: Sequence[int] = (), indent: int = 0, fit: bool = False
) -> list[str]:
    """The lines of a table without rules; `right` are the columns of numbers, `indent` blanks begin each line.

    A row is a line, however long it is; with `fit` the last column is wrapped within itself where a terminal reads.
    """
    cells = [[safe(str(cell)) for cell in row] for row in rows]
    if not cells:
        return []
    # Loading rich takes 30 ms, which only a command that has a table to print is to pay.
    from rich.console import Console
    from rich.table import Table
    from rich.text import Text

    table = Table.grid(padding=(0, 2, 0, 0))
    last = len(cells[0]) - 1
    for column in range(last + 1):
        table.add_column(justify="right" if column in right else "left", no_wrap=column < last, overflow="fold")
    for row in cells:
        table.add_row(*map(Text, row))
    width = shutil.get_terminal_size().columns - indent if fit and sys.stdout.isatty() else _UNBOUNDED
    out = StringIO()
    Console(file=out, width=width, color_system=None, force_jupyter=False).print(table)
    return [f"{'':{indent}}{line.rstrip()}" for line in out.getvalue().splitlines()]


def alike(word: str, words: Iterable[str], most: int = 1, least: float = 0.6) -> list[str]:
    """The words that are most like one, the likeliest first."""
    return [other for _, other in ranked(word, words, least)[:most]]


def ranked(word: str, words: Iterable[str], least: float) -> list[tuple[float, str]]:
    """Words with the share of letters, in their order, that they have in common with one; the likeliest first."""
    # Most of what people write has no such slip in it.
    from rapidfuzz.distance.Indel import normalized_similarity
    from rapidfuzz.process import extract

    found = extract(word, list(words), scorer=normalized_similarity, limit=None, score_cutoff=least)
    return sorted(((score, other) for other, score, _ in found), reverse=True)


_FILES: Final = (
    "ENOENT",
    "EACCES",
    "EPERM",
    "EISDIR",
    "ENOTDIR",
    "ENOSPC",
    "EROFS",
    "ENAMETOOLONG",
    "ELOOP",
    "ESPIPE",
)
_REASONS: Final = frozenset((*_FILES, "EADDRINUSE", "EADDRNOTAVAIL"))
"""What it most often answers about a file or an address, and we have words for."""


_LISTED: Final = 2_000
_NAME: Final = 255
"""So many names of a folder, of so many characters, are compared with one that is not there."""


def refused(error: OSError) -> Message:
    """Why the system refused, without the file's name."""
    code = errno.errorcode.get(error.errno or 0, "")
    near = _near(error.filename) if code == "ENOENT" and isinstance(error.filename, str) else ""
    if near:
        return message("system.near", near=near)
    if code in _REASONS:
        return message(f"system.{code}")
    return message("system.other", why=error.strerror or str(error))


def _near(path: str) -> str:
    """The name of what lies beside a path that is not there, and is written nearly like it."""
    folder, name = os.path.split(path)
    try:
        with os.scandir(folder or os.curdir) as entries:
            names = [entry.name for entry in islice(entries, _LISTED)]
    except OSError:
        return ""
    found = alike(name[:_NAME], names, least=0.8)
    return str(Path(folder, found[0])) if found else ""


def open_file(path: str | Path, *, whole: bool = False) -> BinaryIO:
    """Open a file for reading, and never wait for it: a named pipe that nobody writes to reads as empty.

    `whole`: it must be a file with a beginning and an end, no device or pipe. Raises OSError with the file's name.
    """
    handle = os.open(path, os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0))
    mode = os.fstat(handle).st_mode
    code = errno.EISDIR if stat.S_ISDIR(mode) else errno.ESPIPE if whole and not stat.S_ISREG(mode) else 0
    if code:
        os.close(handle)
        raise OSError(code, os.strerror(code), str(path))
    if hasattr(os, "O_NONBLOCK"):
        os.set_blocking(handle, True)
    return os.fdopen(handle, "rb")


Extra: TypeAlias = Literal["cluster", "editor", "print", "serve", "xlsx"]
LIBRARIES: Final[Mapping[Extra, tuple[str, ...]]] = {
    "cluster": ("distributed",),
    "editor": ("pygls",),
    "print": ("typst",),
    "serve": ("starlette", "uvicorn", "python_multipart"),
    "xlsx": ("xlsxwriter",),
}
"""What each extra of `pyproject.toml` installs, as Python imports it."""


class MissingLibrary(HexforgeError):
    """A library that is not installed; the message says how it is."""


def require(*extras: Extra) -> None:
    """Raises MissingLibrary for the first library of these extras that is not there."""
    for extra in extras:
        for library in LIBRARIES[extra]:
            if find_spec(library) is None:
                name = library.replace("_", "-")
                raise MissingLibrary(message("commands.no-library", library=name, command=install_command(extra)))


def install_command(extra: Extra) -> str:
    """How to install an extra from where the program itself was installed from."""
    # pipx gives each program an environment of its own, which pip by itself would not meet.
    from importlib.metadata import PackageNotFoundError, distribution

    command = "pipx install --force" if (Path(sys.prefix) / "pipx_metadata.json").exists() else "pip install"
    try:
        text = distribution("hexforge").read_text("direct_url.json")
        origin: dict[str, Any] = json.loads(text) if text else {}
    except (PackageNotFoundError, ValueError):
        origin = {}
    url = str(origin.get("url", ""))
    if version := origin.get("vcs_info"):
        return f'{command} "hexforge[{extra}] @ {version.get("vcs")}+{url}@{version.get("commit_id")}"'
    if not url.startswith("file:"):
        return f'{command} "hexforge[{extra}] @ {url}"' if url else f'{command} "PATH-TO-HEXFORGE[{extra}]"'
    from urllib.request import url2pathname

    path = url2pathname(urlsplit(url).path)
    if not Path(path).exists():
        path = "PATH-TO-HEXFORGE"
    editable = "-e " if origin.get("dir_info", {}).get("editable") else ""
    return f'{command} {editable}"{path}[{extra}]"'


QUOTE: Final = 200
"""Characters of a line that a report quotes at most."""
_BEGINS: Final = r"(?:(?<![\w+/,.-])|(?<=\\[nrt]))"
"""Where a name may begin: after nothing that base64 or a name has, or after a break of a line in JSON."""


def clipped(text: str, most: int = QUOTE) -> str:
    """The text, or its beginning and an ellipsis."""
    return text if len(text) <= most else text[: most - 1] + "…"


def folders_of(paths: Iterable[str | Path]) -> tuple[str, ...]:
    """The folders of this disk that files lie in which were named, and those that were named themselves."""
    found = (path if (path := Path(name)).is_dir() else path.parent for name in paths)
    return tuple(dict.fromkeys(map(str, found)))


def without_folders(text: str, folders: Iterable[str]) -> str:
    """A text without folders of this disk before the names of files, as they stand in texts, markup and JSON.

    What is made for others shows nobody where it was made. The name of a folder may be a single letter: it is one
    where a name begins, and never within a longer one, or within data that is packed as text.
    """
    for folder in sorted(folders, key=len, reverse=True):
        way = f"{Path(folder)}{os.sep}"
        if way == f".{os.sep}":
            continue
        forms = dict.fromkeys((way, str(escape(way)), json.dumps(way, ensure_ascii=False)[1:-1]))
        text = re.sub(f"{_BEGINS}(?:{'|'.join(map(re.escape, forms))})", "", text)
    return text


_CHOICES: Final = re.compile(r", | or ")
"""How the schema library joins the choices of a literal: `'a', 'b' or 'c'`."""
_LIKE: Final = 0.7
"""How alike a name must be to one that there is, between 0 and 1, to be told as a slip of it."""
_DIGITS: Final = re.compile(r"\d+")


@dataclass(frozen=True, slots=True)
class Problem:
    """One defect. `line` counts from 1 and is 0 where the whole file is meant; `where` names the cell or key."""

    file: str
    line: int
    where: str | Message
    message: Message
    severity: Literal["error", "warning"] = "error"

    def text(self, words: Words) -> str:
        """The problem in words, in one line with its place."""
        place = f"{self.file}:{self.line}" if self.line else self.file
        where = words.value(self.where)
        return f"{place}: {where + ': ' if where else ''}{words.value(self.message)}"

    def __str__(self) -> str:
        return self.text(Words(SOURCE))


class ScenarioError(HexforgeError):
    """A scenario cannot be used. `problems` holds every defect found, not only the first."""

    def __init__(self, problems: Sequence[Problem]) -> None:
        self.problems = tuple(sorted(dict.fromkeys(problems), key=lambda p: (p.file, p.line, str(p))))
        super().__init__(message("scenario.problems", list=self.text(Words(SOURCE))))

    def text(self, words: Words) -> str:
        """What stands in the way, a line each; warnings, which do not, are for a check to tell."""
        errors = [problem for problem in self.problems if problem.severity == "error"]
        return "\n".join(problem.text(words) for problem in errors or self.problems)


def unknown(what: str, id_: Any, there: Collection[Any], /, **params: Param) -> Message:
    """That a name stands for nothing, after the one of `there` that must be meant, if one is like it.

    `what` is the end of a key below `scenario.unknown.`, whose text has `id` and `params` in it.
    """
    text = message(f"scenario.unknown.{what}", id=id_, **params)
    like = _like(id_, there) if isinstance(id_, str) else ""
    return message("scenario.unknown.likely", id=id_, like=like, said=text) if like else text


def _like(id_: str, known: Collection[Any]) -> str:
    """The name that another is a slip of. One that has other numbers is another of its kind, not a slip of it."""
    numbers = _DIGITS.findall(id_)
    there = {str(name).lower(): str(name) for name in known if _DIGITS.findall(str(name)) == numbers}
    return next((there[like] for like in alike(id_.lower(), there, least=_LIKE)), "")


def message_of(error: Mapping[str, Any], *others: Mapping[str, Any]) -> Message:
    """What a schema says about a value (one of pydantic's `errors()`), in the words of these files.

    `others`: what it says of the same value where that may be one of several kinds.
    """
    texts = tuple(dict.fromkeys(map(_text_of, (error, *others))))
    text = texts[0] if len(texts) == 1 else message("scenario.schema.any", ways=texts)
    given = error.get("input")
    if error["type"] == "missing" or not isinstance(given, str | int | float) or repr(given) in str(text):
        return text
    return message("scenario.schema.found", message=text, given=repr(given))


def _text_of(error: Mapping[str, Any]) -> Message:
    context = error.get("ctx", {})
    if isinstance(own := context.get("error"), HexforgeError):
        return own.message
    if Words(SOURCE).has(key := f"scenario.schema.{error['type']}"):
        values: dict[str, Param] = {
            name: value if type(value) is int else str(value) for name, value in context.items()
        }
        for name in {"expected", "expected_tags"} & values.keys():
            values[name] = tuple(_CHOICES.split(str(values[name])))
        return message(key, **values)
    return message("scenario.schema.unlisted", detail=str(error["msg"]))


MOST_LINES: Final = 200
_LANGUAGE: Final = "hexforge.language"


# --------------------------------------------------------------------------------------------------- language


def words() -> Words:
    """The words of the invocation's language; outside of a command those of the environment's."""
    context = click.get_current_context(silent=True)
    return Words((context and context.meta.get(_LANGUAGE)) or environment_language())


def environment_language() -> Language:
    """The language that HEXFORGE_LANG names, or else the system; English where there are no files for it."""
    settings = (os.environ.get(name, "") for name in ("HEXFORGE_LANG", "LC_ALL", "LC_MESSAGES", "LANG"))
    wanted = next(filter(None, settings), None) or _windows_language()
    code = re.split(r"[^a-z]", wanted.lower(), maxsplit=1)[0]
    return code if code in languages() else SOURCE


def _windows_language() -> str:
    # The language of Windows' menus, which no variable of the environment tells.
    if sys.platform != "win32":
        return ""
    import ctypes
    import locale

    return locale.windows_locale.get(ctypes.windll.kernel32.GetUserDefaultUILanguage(), "")


# ---------------------------------------------------------------------------------------------------- answers


def said(text: Message | object) -> str:
    """A message, or what stands by itself (a path), in the language of the invocation and safe for terminals."""
    return safe(words().say(text) if isinstance(text, Message) else str(text))


def shortened(lines: list[str]) -> list[str]:
    """No more lines than somebody reads, and a last one that says how many there are besides."""
    more = len(lines) - MOST_LINES
    return lines if more <= 0 else [*lines[:MOST_LINES], said(message("commands.more", count=more))]


_MOST_TOLD: Final = 8
_UNKNOWN: Final = "scenario.unknown."
_LETTER: Final = "scenario.map.letter"


def problem_line(problem: Problem) -> str:
    """A defect of a game's files with its place."""
    return safe(problem.text(words()))


def problem_lines(problems: Iterable[Problem]) -> list[str]:
    """Problems as lines of text, a last one saying how many more there are."""
    return shortened([line for _, line in told_once(problems)])


def told_once(problems: Iterable[Problem]) -> list[tuple[Problem, str]]:
    """Problems, each with its text. What is said of a file again and again is told once, with the other lines.

    A name that stands for nothing is one slip in whatever files it is: the other places go with the first.
    """
    alike: dict[object, list[Problem]] = {}
    for problem in problems:
        alike.setdefault(_what(problem), []).append(problem)
    # What must be mended goes before what may be, where one slip is both.
    sorted_ = (sorted(group, key=lambda p: p.severity != "error") for group in alike.values())
    return [(first, _with_others(first, others)) for first, *others in sorted_]


def _what(problem: Problem) -> object:
    """What two problems have alike that are one."""
    key, values = problem.message.key, problem.message.values
    if key.startswith(_UNKNOWN) and "id" in values:
        return str(values["id"])
    # What is wrong with several cells of a table, or hexes of a map, is one thing, whichever these are.
    local = ("column", "hex") if key == _LETTER else ("column",)
    values = {name: value for name, value in values.items() if name not in local}
    return problem.file, problem.severity, key, repr(values)


def _with_others(first: Problem, others: Sequence[Problem]) -> str:
    files = dict.fromkeys(problem.file for problem in others)
    lines = {file: sorted({problem.line for problem in others if problem.file == file}) for file in files}
    here = [line for line in lines.pop(first.file, ()) if line != first.line]
    text = problem_line(first)
    if here:
        text = said(message("commands.also", what=text, lines=_listed(here), count=len(here)))
    places = (*(safe(f"{Path(file).name}:{said_line}") for file, at in lines.items() for said_line in _listed(at)),)
    return said(message("commands.also-in", what=text, places=places)) if places else text


def _listed(lines: Sequence[int]) -> tuple[str, ...]:
    return (*map(str, lines[:_MOST_TOLD]), *("…" for _ in lines[_MOST_TOLD : _MOST_TOLD + 1]))


def problem_json(problem: Problem) -> dict[str, object]:
    """A problem for scripts."""
    return {
        "file": problem.file,
        "line": problem.line,
        "where": words().value(problem.where),
        "message": words().value(problem.message),
        "severity": problem.severity,
    }
