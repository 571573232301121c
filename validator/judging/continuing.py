"""Sheets that go on from others: `continues FILE` is held against how the game stood at the end of that file.

A file is looked for beside the sheet that names it, or in a folder below. A sheet that does not say itself how it
begins is taken to begin as the other ended.

The sheet that another goes on from where no line names it as it is called: the one that lies beside it.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from contextvars import ContextVar
from dataclasses import replace
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Final, TypeAlias

from ...scenarios.text.words import SOURCE, HexforgeError, Language, Param, Term
from ..notation import base, statements_head
from ..notation import statements as st
from ..notation.vocabulary import notation, vocabulary_of, write_sheet, write_statement
from ..notation.words import fold
from ..reading.decoding import MAX_BYTES, UnreadableSheet, decode
from ..reading.sheet import read_file
from ..rules.findings import Finding, find
from ..rules.phases import called, next_phase
from ..rules.position_export import BEGINS, head_of, standing
from .replayed import Replayed

if TYPE_CHECKING:
    from ...scenarios.model import Scenario
    from ..rules.context import Context
    from ..rules.position import Position


_MOST: Final = 200
"""Sheets of a folder that are looked at; in one of more, none is."""
_MOST_BYTES: Final = 200_000
_DIGITS: Final = 8
"""Digits of a hash that are enough to know a sheet by."""
_SHEET: Final = ".sheet"
_AROUND: Final = re.compile(r"[\s;:>,\"']+")
"""What stands around the words of a line."""

_ASIDE: Final = (
    statements_head.SheetVersion,
    statements_head.GameName,
    statements_head.Players,
    statements_head.Partial,
    statements_head.OptionSetting,
    statements_head.MapPrinted,
    statements_head.PositionStart,
    statements_head.SetupStart,
    base.Positioned,
    statements_head.Continues,
)
"""Lines of a head that say nothing of map and units."""

_Ending: TypeAlias = "tuple[tuple[int, str, str] | None, str, dict[str, str], frozenset[base.Statement]]"


def neighbour(sheet: st.Sheet) -> Path | None:
    """The one sheet in the same folder that ends with the phase after which a sheet's own position is.

    It is of the same game, map, units and players. None if there is no such sheet, or more than one.
    """
    after = next((s.after for s in sheet.statements if isinstance(s, statements_head.PositionStart)), None)
    if after is None or any(isinstance(s, statements_head.Continues) for s in sheet.statements):
        return None
    _, game, players, ground = _of(sheet)
    fitting: list[Path] = []
    for path in _siblings(sheet.source):
        try:
            stamp = path.stat()
            ends, other, others, theirs = _read(str(path), stamp.st_mtime_ns, stamp.st_size)
        except (HexforgeError, OSError):
            continue
        alike = all(players.get(side, name) == name for side, name in others.items())
        if (ends, other, theirs) == (after[:3], game, ground) and alike:
            fitting.append(path)
    return fitting[0] if len(fitting) == 1 else None


def of_hash(digits: str, source: str) -> Path | None:
    """The one sheet in the folder of another whose SHA-256 begins with some digits; None for none, or several."""
    if len(digits) < _DIGITS:
        return None
    found = []
    for path in _siblings(source):
        with suppress(OSError):
            if hashlib.sha256(path.read_bytes()).hexdigest().startswith(digits):
                found.append(path)
    return found[0] if len(found) == 1 else None


def neighbours_of(data: bytes, source: str) -> list[str]:
    """The files that what is found on a sheet may rest on without its naming them: all beside it, or none."""
    told = said_behind(data[:_MOST_BYTES], statements_head.PositionStart, statements_head.Continues)
    return [str(path) for path in _siblings(source)] if any(told) else []


def said_behind(data: bytes, *begun: type[base.Statement]) -> Iterator[list[str]]:
    """The words behind each word of a sheet that begins one of some statements, whatever its language.

    A sheet that is no text says nothing.
    """
    known = notation().known["statements"]
    firsts = {base.WORDS[cls][0] for cls in begun}
    with suppress(UnreadableSheet):
        for line in decode(data).splitlines():
            words = _AROUND.split(line)
            yield from (words[i + 1 :] for i, word in enumerate(words) if known.get(fold(word)) in firsts)


def _siblings(source: str) -> list[Path]:
    """The other sheets in the folder of one."""
    try:
        own = Path(source).resolve()
        if not own.is_file() or own.suffix != _SHEET:
            return []
        found = [p for p in sorted(own.parent.glob(f"*{_SHEET}")) if p != own and p.is_file()]
        return [p for p in found if p.stat().st_size <= _MOST_BYTES] if len(found) <= _MOST else []
    except (OSError, ValueError):
        return []


@lru_cache(_MOST)
def _read(path: str, _changed: int, _size: int) -> _Ending:
    return _of(read_file(path))


def _of(sheet: st.Sheet) -> _Ending:
    """With which phase a sheet ends, its game, who plays, and the map and units that it has of its own."""
    phase = next((s for s in reversed(sheet.statements) if isinstance(s, st.TurnStart)), None)
    game = next((s.name for s in sheet.statements if isinstance(s, statements_head.GameName)), "")
    players = {
        side: name.casefold()
        for s in sheet.statements
        if isinstance(s, statements_head.Players)
        for side, name in s.names
    }
    ground = frozenset(
        replace(s, line=0) for s in sheet.statements if isinstance(s, base.Header) and not isinstance(s, _ASIDE)
    )
    return (phase.number, phase.side, phase.phase) if phase else None, game, players, ground


MAX_CHAIN: Final = 100
"""Sheets that may go on from one another, each from the one before."""
_KEPT: Final = 4
DIGITS: Final = 16
_UNTOLD: Final = (statements_head.PositionStart, statements_head.Stood, statements_head.Held)
"""What nobody writes by hand, and so is not held against a position that somebody wrote."""

_open: ContextVar[tuple[str, ...]] = ContextVar("_open", default=())
"""The sheets that wait for what they go on from to be read."""


def _begun(sheet: st.Sheet, before: Replayed, line: int) -> st.Sheet:
    """The sheet, beginning as the one before it ended. What it says of itself goes before what that one said."""
    own = {_said(s) for s in sheet.statements}
    taken = [*head_of(before.sheet.statements), *standing(before.context, before.position)]
    given = [
        replace(s, line=line) for s in taken if not isinstance(s, statements_head.Players) and _said(s) not in own
    ]
    at = next((i for i, s in enumerate(sheet.statements) if s.line > line), len(sheet.statements))
    return replace(sheet, statements=(*sheet.statements[:at], *given, *sheet.statements[at:]))


def _counted(sheet: st.Sheet, before: Replayed) -> st.Sheet:
    """The sheet, its position told after that one of several phases of a kind with which the one before ended."""
    last = before.position.phase
    if last is None:
        return sheet
    said, told = (last.turn, last.side, last.kind, 0), (last.turn, last.side, *called(before.context, last))
    statements = (
        replace(s, after=told) if isinstance(s, statements_head.PositionStart) and s.after == said else s
        for s in sheet.statements
    )
    return replace(sheet, statements=tuple(statements))


def _said(statement: base.Statement) -> object:
    """What of a head can be said once only."""
    match statement:
        case statements_head.GameName() | statements_head.MapPrinted() | statements_head.MapBlank():
            return type(statement)
        case statements_head.OptionSetting(name=name) | statements_head.UnitDefinition(unit=name):
            return type(statement), name
    return statement


# ------------------------------------------------------------------------------------------------ files


def files_named(data: bytes, source: str) -> list[str]:
    """Files beside a sheet that any word names which stands behind one that says what it goes on from.

    It is for knowing a sheet again by all that it rests on: a word too many does no harm.
    """
    found = (
        beside(word, source)
        for said in said_behind(data, statements_head.Continues)
        for word in said
        if "." in word
    )
    return [*(str(path) for path in found if path is not None), *neighbours_of(data, source)]


def _held(files: Iterable[Path]) -> str:
    """A hash of files and of all that they go on from, by whatever names: what is known of them holds as long."""
    seen: set[Path] = set()
    waiting = [*files]
    while waiting and len(seen) <= MAX_CHAIN:
        path = waiting.pop()
        if path not in seen:
            seen.add(path)
            words = (
                word
                for said in said_behind(path.read_bytes(), statements_head.Continues)
                for word in said
                if "." in word
            )
            waiting += filter(None, (beside(word, str(path)) for word in words))
    return digest_of(sorted(seen))


def digest_of(files: Iterable[Path]) -> str:
    """A hash of what files hold, in their order: the first digits of their SHA-256."""
    found = hashlib.sha256()
    for file in files:
        with file.open("rb") as stream:
            hashlib.file_digest(stream, lambda: found)
    return found.hexdigest()


def written(
    found: Replayed,
    files: Sequence[str | Path] = (),
    options: Mapping[str, str] | None = None,
    output: str | Path | None = None,
    lang: Language = SOURCE,
) -> str:
    """How a game stands at its end, as a `position` for the next sheet, in the words of a language.

    With the `files` that it was read from, a whole sheet that goes on from them; `options` are rulings besides
    those of the game's own sheet, and `output` is where it will lie. Raises OSError.
    """
    game, head, statements = _stands(found)
    statements = [*found.opened.seals.lines(), *statements]
    if files:
        settings = [statements_head.OptionSetting(0, name, value) for name, value in (options or {}).items()]
        said = {_said(s) for s in settings}
        kept = [s for s in head if _said(s) not in said]
        head = [statements_head.SheetVersion(0, 1), *kept, *settings, *_continues_line(files, output)]
        statements = [*head, *statements]
    return write_sheet(statements, lang, vocabulary_of(game))


def _stands(found: Replayed) -> tuple[Scenario, list[base.Statement], list[base.Statement]]:
    """The game, what the head of the next sheet says of it, and how it stands."""
    game, ctx = found.scenario, found.context
    if game.ledger is None:
        return game, [*head_of(found.sheet.statements)], standing(ctx, found.position)
    from ..rules import accounts_judging

    books = found.position.accounts
    named = (
        s
        for s in found.sheet.statements
        if isinstance(s, statements_head.GameName | statements_head.Players | statements_head.Partial)
    )
    return game, [*named, *accounts_judging.head_of(ctx, books)], accounts_judging.standing(ctx, books)


def _continues_line(files: Sequence[str | Path], output: str | Path | None) -> list[statements_head.Continues]:
    """The line by which a sheet goes on from files; none where one of them lies elsewhere, or is no file."""
    if "-" in files:
        return []
    paths = [Path(file).resolve() for file in files]
    home = Path(output).resolve().parent if output else paths[0].parent
    if not all(path.is_relative_to(home) for path in paths):
        return []
    names = tuple(path.relative_to(home).as_posix() for path in paths)
    return [statements_head.Continues(0, names, digest_of(paths)[:DIGITS])]


def missing(sheet: st.Sheet, line: int, files: str) -> Finding:
    """What is said of files that are not there: without them, a sheet may leave open how it begins."""
    begins = any(isinstance(s, BEGINS) for s in sheet.statements)
    key = "continues-missing" if begins else "continues-nowhere"
    return find(line, key, "", severity="warning" if begins else "unread", file=files)


def beside(name: str, source: str) -> Path | None:
    """A file beside the sheet `source` or in a folder below, by its name; None for one that is not there."""
    if not source or source == "-" or not Path(source).is_file():
        return None
    home, given = Path(source).resolve().parent, Path(name)
    try:
        path = (home / given).resolve()
        fits = not given.is_absolute() and path.is_relative_to(home) and path.is_file()
        return path if fits and path.stat().st_size <= MAX_BYTES * 10 else None
    except (OSError, ValueError):
        return None


# ------------------------------------------------------------------------------------------ differences


def _differences(
    sheet: st.Sheet,
    here: tuple[Context, Position],
    before: Replayed,
    named: tuple[str, int],
    kinds: tuple[type[base.Statement], ...] = (),
) -> Iterator[Finding]:
    """Findings on all that stands otherwise at the beginning of a sheet than at the end of the one before it.

    `named` is that one's file, and the line that names it. With `kinds`, only what such lines say is compared.
    """
    (ctx, position), (file, line) = here, named
    yield from _sequence(sheet, before, position, line, file)
    if position.phase is None:
        position = replace(position, phase=before.position.phase)
    there, stands = _told(before.context, before.position, kinds), _told(ctx, position, kinds)
    lines = _lines(sheet, line)
    for subject in dict.fromkeys((*there, *stands)):
        if there.get(subject, set()) != stands.get(subject, set()):
            then, now = there.get(subject, set()), stands.get(subject, set())
            yield replace(
                _differs(subject, then - now, now - then, lines.get(subject, lines[""]), file),
                units=(subject,) if subject in ctx.units else (),
                hexes=(subject,) if subject in ctx.map.grid else (),
            )
    for name, value in before.judgement.options.items():
        if ctx.options.get(name, value) != value:
            rulings = {"name": name, "then": value, "now": ctx.options[name]}
            yield find(line, "continues-option", "", severity="warning", file=file, **rulings)  # type: ignore[arg-type]


def _told(ctx: Context, position: Position, kinds: tuple[type[base.Statement], ...] = ()) -> dict[str, set[str]]:
    """Lines that say how a game stands, by the unit, or the hex, or else the word that they are about."""
    found: dict[str, set[str]] = {}
    for s in standing(ctx, position):
        if not isinstance(s, _UNTOLD) and (not kinds or isinstance(s, kinds)):
            text = write_statement(_plain(s))
            subject = getattr(s, "unit", "") or getattr(s, "hex", "") or text.split()[0]
            found.setdefault(subject, set()).add(text)
    return found


def _plain(s: base.Statement) -> base.Statement:
    """A line as it is written by hand, where nobody tells what is doubtful of what a unit did."""
    return replace(s, flag=s.flag.removesuffix("-perhaps")) if isinstance(s, statements_head.UnitStatus) else s


def _lines(sheet: st.Sheet, line: int) -> dict[str, int]:
    """Where a sheet places each unit, and at "" where it begins to say how it begins."""
    found = {
        s.unit: s.line for s in sheet.statements if isinstance(s, statements_head.Placement | statements_head.Gone)
    }
    starts = (
        s.line
        for s in sheet.statements
        if isinstance(s, statements_head.PositionStart | statements_head.SetupStart)
    )
    return {**found, "": next(starts, line)}


def _differs(subject: str, there: set[str], here: set[str], line: int, file: str) -> Finding:
    nothing: Param = Term("where", "absent")
    then, now = (tuple(f"`{text}`" for text in sorted(told)) or nothing for told in (there, here))
    return find(line, "continues-differs", "", what=subject, file=file, there=then, here=now)


def _sequence(sheet: st.Sheet, before: Replayed, position: Position, line: int, file: str) -> Iterator[Finding]:
    """A finding if a sheet begins after another phase than the last, as it says itself or as it goes on."""
    last, said = before.position.phase, position.phase
    if last is None:
        return
    first = next((s for s in sheet.statements if isinstance(s, st.TurnStart)), None)
    wanted = next_phase(before.context, last)
    if said is not None:
        fits = (said.turn, said.side, said.kind) == (last.turn, last.side, last.kind)
        fits = fits and not (said.places and last.places and set(said.places).isdisjoint(last.places))
    elif first is not None and wanted is not None:
        fits = (first.number, first.side, first.phase) == (wanted.turn, wanted.side, wanted.kind)
        fits = fits and first.name in ("", wanted.name)
        line = first.line
    else:
        fits = True
    if not fits:
        word, which = called(before.context, last)
        side, kind = Term("sides", last.side), Term("phases", word)
        key = "continues-phase-of" if which else "continues-phase"
        yield find(line, key, "", file=file, turn=last.turn, side=side, kind=kind, which=which)
