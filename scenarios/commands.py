"""What the commands of both programs are made of; their words are those of `art/words` in the language asked for.

A command is declared with its key, and the texts stand below it:

    @command("modulegen.commands.build")
    @click.argument("games", metavar="NAME|DIR", nargs=-1)
    @option("--jobs", metavar="N", type=int)

    build:
      short: "Build the module of one game or several."      # its line in the list of commands
      help: |                                              # a line `\x08` keeps the paragraph below as it is broken
        Build the module of each game …
      epilog: …
      options: {jobs: "Processes that draw."}                # one that several commands have: `commands.options`

The language is that of `--lang` where a command has `language_option`, else HEXFORGE_LANG's, else the system's; it
stands in Click's context. What Click says by itself stands in the domain `click`, its English text being the key.

Exit codes: 0 all is well; 1 the answer is "no"; 2 the question could not be asked; 130 stopped from the keyboard.

Where games are found: below the current folder, else among those that come with the program.

Whoever has unpacked the project and edits `scenarios/hurtgen/map.yaml` there means that file, whether or not a copy
of the game is installed besides. When there are two, a warning says which is used.
"""

from __future__ import annotations

import errno
import gc
import hashlib
import importlib
import json
import os
import re
import sys
import threading
import time
import warnings
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager, suppress
from functools import cache
from importlib.util import find_spec
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any, Final, NoReturn, TypeVar

import click

from .console import (
    _LANGUAGE,
    Problem,
    ScenarioError,
    open_file,
    problem_lines,
    refused,
    safe_json,
    said,
    shortened,
    use_utf8,
    warned,
    words,
)
from .text.files import fill, put
from .text.words import SOURCE, HexforgeError, HexforgeWarning, Language, Message, Param, Words, languages, message

if TYPE_CHECKING:
    from click.shell_completion import CompletionItem


HOME: Final = Path(__file__).parent
"""The folder of the program's own games."""
FILE: Final = "game.yaml"
"""What makes a folder that of a game."""
EXTENSION: Final = "extension"
"""What `kind` says in the game.yaml of an extension; whole games say nothing."""
_BINDINGS: Final = ("binding.yaml", "binding-*.yaml")
_MOST_BINDINGS: Final = 50
"""Bindings of one game that are looked at."""
_NAME: Final = re.compile(r"[\w-]{1,64}")
_KIND: Final = re.compile(rb"(?m)^kind:[ \t]*[\"']?([a-z]+)")
_HEAD: Final = 1 << 20


def names() -> list[str]:
    """The games that come with the program, extensions left out."""
    return [name for name in _all_names() if not kind_of(HOME / name)]


def extensions() -> list[str]:
    """The extensions that come with the program: markers and tracks for a game, without its map."""
    return [name for name in _all_names() if kind_of(HOME / name) == EXTENSION]


def _all_names() -> list[str]:
    return sorted(path.parent.name for path in HOME.glob("*/game.yaml"))


def kind_of(folder: Path) -> str:
    """What the game.yaml of a folder calls its kind; "" for a whole game, and where it cannot be read.

    It is looked for and not parsed, for lists of games ask this of each.
    """
    try:
        with (folder / "game.yaml").open("rb") as file:
            found = _KIND.search(file.read(_HEAD))
    except OSError:
        return ""
    return found[1].decode() if found else ""


def bindings(folder: Path) -> list[Path]:
    """The files of a game's folder that tie published modules to it, by their names; see `binding`."""
    return sorted({p for name in _BINDINGS for p in folder.glob(name) if p.is_file()})[:_MOST_BINDINGS]


def _is_game(folder: Path) -> bool:
    return (folder / "game.yaml").is_file()


def family_folder(folder: Path, family: str) -> Path | None:
    """The folder of the family that a game names: the one beside the game's, else the program's own."""
    homes = (folder.parent / family, HOME / family)
    return next((home for home in homes if (home / "family.yaml").is_file()), None)


def named(name: str) -> Path | None:
    """The game of a name: `NAME` or `scenarios/NAME` below the current folder, else the program's own.

    Warns with HexforgeWarning if the program's own is passed over for another.
    """
    if not _NAME.fullmatch(name):
        return None
    here = next((path for path in (Path(name), Path("scenarios", name)) if _is_game(path)), None)
    own = HOME / name if _is_game(HOME / name) else None
    if here is None or (own is not None and here.samefile(own)):
        return own
    if own is not None:
        said = message("scenario.file.other-copy", name=name, used=str(here), other=str(own))
        warnings.warn(HexforgeWarning(said), stacklevel=3)
    return here


def find(name_or_folder: str | Path) -> Path:
    """The folder of a game, given its name or a path. Raises ScenarioError listing the known names."""
    path = Path(name_or_folder)
    # Who has the game's own file at hand names that: the game is the folder around it.
    whole = path.parent if path.name == FILE and path.is_file() else path
    found = named(str(name_or_folder)) or whole
    if _is_game(found):
        return found
    unknown = message("scenario.file.no-game", known=tuple(_all_names()))
    raise ScenarioError([Problem(str(name_or_folder), 0, "", unknown)])


F = TypeVar("F", bound=Callable[..., Any])
EXIT_NO: Final = 1
EXIT_ERROR: Final = 2
EXIT_STOPPED: Final = 130


_CLICK: Final = ("core", "decorators", "exceptions", "formatting", "parser", "types")
COLLECTED: Final = (50_000, 20, 20)
"""How many objects come to be before Python looks for rings of them: files are read into many that all stay."""


class LanguageChoice(click.Choice[str]):
    """Any language that there are files for."""

    def __init__(self) -> None:
        super().__init__([SOURCE])

    choices: Any = property(lambda self: languages(), lambda self, value: None)


def _speak(ctx: click.Context, param: click.Parameter, value: Language | None) -> Language | None:
    ctx.meta[_LANGUAGE] = value
    return value


def language_option(command: F) -> F:
    """The option `--lang` of the answer, heeded before the others, whose mistakes are then said in it."""
    return option("--lang", is_eager=True, callback=_speak, type=LanguageChoice())(command)


# --------------------------------------------------------------------------------------------------- commands


class _Said:
    """An attribute that Click shows, looked up whenever it does."""

    def __init__(self, find: Callable[[Any, Words], str | None]) -> None:
        self.find = find

    def __get__(self, declared: Any, owner: object) -> str | None:
        return self.find(declared, words())

    def __set__(self, declared: Any, value: object) -> None:
        """Click sets what it was given, which is nothing."""


def _text(name: str) -> Callable[[Any, Words], str | None]:
    def find(declared: Any, words: Words) -> str | None:
        key = f"{declared.key}.{name}"
        return str(words.template(key)).replace("\\b\n", "\b\n") if words.has(key) else None

    return find


class Command(click.Command):
    """A command whose words stand below `key`."""

    def __init__(self, *args: Any, key: str, **kwargs: Any) -> None:
        self.key = key
        super().__init__(*args, **kwargs)

    help: Any = _Said(_text("help"))
    short_help: Any = _Said(_text("short"))
    epilog: Any = _Said(_text("epilog"))
    options_metavar: Any = _Said(lambda _, words: words("commands.usage.options"))

    def get_help_option(self, ctx: click.Context) -> click.Option | None:
        """Click makes this option once; its help is that of the invocation all the same."""
        found = super().get_help_option(ctx)
        if found:
            found.help = _translated("Show this message and exit.")
        return found


class Group(Command, click.Group):
    """A program. Its commands are imported when they are used, so that `--help` comes at once.

    `lazy`: name of each command -> module and attribute, `package.module:command`.
    """

    def __init__(self, *args: Any, lazy: Mapping[str, str], **kwargs: Any) -> None:
        self.lazy = lazy
        settings = {"help_option_names": ["-h", "--help"], "max_content_width": 100}
        super().__init__(*args, context_settings=settings, **kwargs)

    subcommand_metavar: Any = _Said(lambda _, words: words("commands.usage.command"))

    def list_commands(self, ctx: click.Context) -> list[str]:
        return list(self.lazy)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        if cmd_name not in self.lazy:
            return None
        module, _, attribute = self.lazy[cmd_name].partition(":")
        found: click.Command = getattr(importlib.import_module(module), attribute)
        return found

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """The list of commands. Click would import every one for its line."""
        spoken = words()
        with formatter.section(_translated("Commands")):
            formatter.write_dl([(name, spoken(f"{self.name}.commands.{name}.short")) for name in self.lazy])

    def invoke(self, ctx: click.Context) -> Any:
        with answered(), warned(complain):
            return super().invoke(ctx)

    def main(self, *args: Any, **kwargs: Any) -> Any:
        """The program as a whole: streams made ready; what a full disk refuses at the end is said in a line."""
        use_utf8()
        gc.set_threshold(*COLLECTED)
        try:
            return super().main(*args, **kwargs)
        except OSError as error:
            with suppress(OSError, ValueError):
                # What is still to be written would fail once more, at the very end and with a traceback.
                os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
            complain(os_message(error), program=self.name)
            sys.exit(EXIT_ERROR)


def _help(option: click.Option, words: Words) -> str | None:
    """The command's own words for an option; else the program's; else those of all commands."""
    context = click.get_current_context(silent=True)
    if context is None:
        return None
    name = max(option.opts, key=len).strip("-")
    places = (getattr(context.command, "key", ""), str(context.find_root().command.name), "commands")
    return next((str(words.template(key)) for at in places if words.has(key := f"{at}.options.{name}")), None)


class Option(click.Option):
    """An option whose help stands with the command's words, or with those of all commands."""

    help: Any = _Said(_help)

    def make_metavar(self, ctx: click.Context) -> str:
        return _metavar(super().make_metavar(ctx))


class Argument(click.Argument):
    """An argument whose metavar is shown in the language of the invocation."""

    def make_metavar(self, ctx: click.Context) -> str:
        return _metavar(super().make_metavar(ctx))

    def shell_complete(self, ctx: click.Context, incomplete: str) -> list[CompletionItem]:
        """What may stand there: files, and games where one is named, which are plain text to click."""
        from click.shell_completion import CompletionItem

        if found := super().shell_complete(ctx, incomplete):
            return found
        shown = self.metavar or str(self.name).upper()
        if shown not in ("A", "B") and not any(word in shown for word in ("DIR", "FILE", "GAME", "SHEET")):
            return []
        gamed = "NAME" in shown or shown in ("A", "B", "GAME")
        known = [name for name in (*names(), *extensions()) if gamed and name.startswith(incomplete)]
        return [CompletionItem(incomplete, type="file"), *map(CompletionItem, known)]


def _metavar(shown: str) -> str:
    known = words().section("commands.metavars")
    return re.sub(r"[A-Z]+", lambda found: str(known.get(found[0], found[0])), shown)


def command(key: str, cls: type[Command] = Command) -> Callable[[Callable[..., Any]], Command]:
    """A command, named by the last part of its key."""
    return click.command(key.rpartition(".")[2], cls=cls, key=key)


def option(*names: str, **attributes: Any) -> Callable[[F], F]:
    """An option without its help: `option("--jobs", metavar="N")`."""
    return click.option(*names, cls=Option, **attributes)


def argument(name: str, **attributes: Any) -> Callable[[F], F]:
    """An argument; the words in its metavar are those of `commands.metavars`."""
    return click.argument(name, cls=Argument, **attributes)


def _show_version(ctx: click.Context, param: click.Parameter, value: bool) -> None:
    if value and not ctx.resilient_parsing:
        from importlib.metadata import version

        tell(message("commands.version", program=ctx.find_root().command.name or "", version=version("hexforge")))
        ctx.exit()


def program(name: str, lazy: Mapping[str, str]) -> Group:
    """A program with `--version`; its own words stand at `NAME.program`."""
    version = Option(["--version"], is_flag=True, is_eager=True, expose_value=False, callback=_show_version)
    return Group(name, key=f"{name}.program", lazy=lazy, params=[version])


json_option: Final = option("--json", "as_json", is_flag=True)
"""The answer for scripts instead of for readers."""


def tell(text: Message | object, *, err: bool = False, **style: Any) -> None:
    """Print a line."""
    click.secho(said(text), err=err, **style)


def complain(text: Message | object, *, program: str | None = None) -> None:
    """Say on standard error what went wrong, after the program's name."""
    click.secho(f"{program or _program()}: ", fg="red", nl=False, err=True)
    tell(text, err=True)


class Unusable(click.ClickException):
    """Input that cannot be used at all: one line on standard error, exit code 2."""

    exit_code = EXIT_ERROR

    def __init__(self, text: Message | str) -> None:
        self.text = text
        super().__init__(said(text))

    def show(self, file: IO[Any] | None = None) -> None:
        complain(self.text)


def misused(key: str, /, **params: Param) -> NoReturn:
    """End the command for how it was called, with its usage and a message."""
    raise click.UsageError(said(message(key, **params)), click.get_current_context())


def os_message(error: OSError) -> Message:
    """Why the system refused, with the file's name if it is known.

    All that writes files says which has no room; what does not has been written to standard output.
    """
    why = refused(error)
    if not error.filename and error.errno in _NO_ROOM:
        return message("commands.refused", file=message("commands.standard-output"), why=why)
    return message("commands.refused", file=os.fsdecode(error.filename), why=why) if error.filename else why


_NO_ROOM: Final = (errno.ENOSPC, errno.EDQUOT, errno.EFBIG)


@contextmanager
def answered() -> Iterator[None]:
    """End expected failures in one clear line and exit code 2, never in a traceback."""
    try:
        yield
    except click.ClickException as error:
        # Said here, where the language that was asked for is known.
        error.show()
        sys.exit(error.exit_code)
    except (KeyboardInterrupt, HexforgeError, OSError) as error:
        sys.exit(_ended_by(error))


def _ended_by(error: BaseException) -> int:
    """Say why a command ends, and with which exit code."""
    if _while_stopped(error):
        say_stopped(words(), _program())
        return EXIT_STOPPED
    if isinstance(error, BrokenPipeError):
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 0
    assert isinstance(error, HexforgeError | OSError)
    complain(explained(error))
    return EXIT_ERROR


def _while_stopped(error: BaseException | None) -> bool:
    """Whether somebody stopped the command: what fails while it puts its things away is no reason of its own."""
    while error is not None and not isinstance(error, KeyboardInterrupt):
        error = error.__context__
    return error is not None


_stopped: Final = threading.Lock()


def say_stopped(spoken: Words, program: str) -> None:
    """Say once that the program was stopped: a command that ends in order and a timer that ends it both may."""
    if _stopped.acquire(blocking=False):
        click.echo(spoken("commands.stopped", program=program), err=True)


def _program() -> str:
    context = click.get_current_context(silent=True)
    return str(context.find_root().command.name) if context else "hexforge"


def explained(error: Exception) -> Message | str:
    """An expected failure in words. Raises what is none."""
    match error:
        case ScenarioError():
            return "\n".join(problem_lines(error.problems))
        case HexforgeError():
            return "\n".join(shortened([said(found) for found in getattr(error, "problems", (error.message,))]))
        case OSError():
            return os_message(error)
    raise error


def whenever(state: Callable[[], object], act: Callable[[], None], interval: float) -> None:
    """Do something at once, and again whenever `state` has changed, until Ctrl+C.

    `interval`: seconds between two looks. What cannot be used is said, and watched on.
    """
    seen: object = None
    with suppress(KeyboardInterrupt):
        while True:
            now = state()
            if now != seen:
                seen = now
                try:
                    with answered():
                        act()
                except SystemExit as end:
                    if end.code == EXIT_STOPPED:
                        raise
            time.sleep(interval)


@contextmanager
def progress_bar(label: str) -> Iterator[Callable[[int, int], None]]:
    """A bar on standard error, if somebody is looking: what it gives is told how much is done, of how much."""
    if not sys.stderr.isatty():
        yield lambda done, of: None
        return
    with click.progressbar(length=1, label=label, file=sys.stderr, show_eta=False) as bar:

        def report(done: int, of: int) -> None:
            bar.length, bar.pos = max(of, 1), done
            bar.render_progress()

        yield report


def print_json(value: object) -> None:
    """JSON for scripts, on standard output."""
    click.echo(safe_json(json.dumps(value, ensure_ascii=False, indent=2)))


def wants_colour(asked: bool | None) -> bool:
    """Whether to colour what goes to standard output."""
    if asked is not None:
        return asked
    return sys.stdout.isatty() and not os.environ.get("NO_COLOR") and os.environ.get("TERM") != "dumb"


def write_out(answer: str | bytes | Iterable[str | bytes], output: str | None) -> None:
    """To standard output, or to a file, which is replaced only when all of it is written.

    An answer may come in pieces, which are not held. Names of files and chat of logs may hold bytes that are no
    letter in UTF-8: each is written as a question mark.
    """
    pieces = _ended(iter([answer]) if isinstance(answer, str | bytes) else iter(answer))
    if output is None:
        for piece in pieces:
            click.echo(piece, nl=False, color=True)
        return
    try:
        data = (piece.encode("utf-8", "replace") if isinstance(piece, str) else piece for piece in pieces)
        write_file(Path(output), data)
    except OSError as error:
        raise Unusable(os_message(OSError(error.errno, error.strerror, output))) from error


def _ended(pieces: Iterator[str | bytes]) -> Iterator[str | bytes]:
    """The pieces, and the end of a text's last line if it has none."""
    last: str | bytes = ""
    try:
        for piece in pieces:
            last = piece or last
            yield piece
    except OSError as error:
        # What fails in making them has nothing to do with where they go.
        raise Unusable(os_message(error)) from error
    if isinstance(last, str) and not last.endswith("\n"):
        yield "\n"


def write_file(target: Path, content: bytes | Iterable[bytes]) -> None:
    """Replace a file when all of it is written. A device or a pipe takes it as it is; replaced it would be gone."""
    if target.exists() and not target.is_file():
        with target.open("wb") as stream:
            fill(stream, content)
    else:
        put(target, content)


# ------------------------------------------------------------------------------------------- Click's own words


def _translated(text: str) -> str:
    key = f"click.{text}"
    spoken = words()
    return str(spoken.template(key)) if spoken.has(key) else text


def _several(one: str, more: str, count: int) -> str:
    return _translated(one if count == 1 else more)


# Click marks its texts for translation, but looks for compiled catalogues in the system's folders only.
for _name in _CLICK:
    for _mark, _spoken in (("_", _translated), ("ngettext", _several)):
        if hasattr(_module := importlib.import_module(f"click.{_name}"), _mark):
            setattr(_module, _mark, _spoken)


_MAX_BYTES: Final = 16_000_000


_FAMILY: Final = re.compile(rb"(?m)^family:[ \t]*[\"']?(\w+)")


def key_of(folder: Path) -> str:
    """What tells apart all that a game depends on. Messages name the folder as it was given. Raises OSError."""
    seal = hashlib.sha256(f"{_reader_seal()}\n{folder}\n{folder.resolve()}\n".encode())
    name = family_named(folder)
    family = family_folder(folder, name) if name else None
    for layer in filter(None, (folder, family)):
        for path in sorted((*layer.glob("*.yaml"), *layer.glob("*.csv"))):
            with open_file(path) as file:
                data = file.read(_MAX_BYTES + 1)
            seal.update(f"{layer} {path.name} {len(data)}\n".encode() + data)
    return seal.hexdigest()


def family_named(folder: Path) -> str:
    """The family that a game names as people do; "" without one. Raises OSError."""
    with open_file(folder / "game.yaml") as file:
        found = _FAMILY.search(file.read(_MAX_BYTES))
    return found[1].decode(errors="replace") if found else ""


@cache
def _reader_seal() -> str:
    """This program and what it runs on: not its version alone, but its files, for the sake of who edits them."""
    home = Path(__file__).parent
    own = [(str(path), (at := path.stat()).st_size, at.st_mtime_ns) for path in sorted(_sources(home))]
    return f"{sys.version} {own}"


def _sources(home: Path) -> Iterator[Path]:
    for folder in (home, home / "schema", home / "text"):
        yield from folder.glob("*.py")
    # The library's version, without importing it.
    library = find_spec("pydantic")
    yield from (Path(place, "version.py") for place in (library and library.submodule_search_locations) or ())
