"""Sheets that go on from others: `continues FILE` is held against how the game stood at the end of that file.

A file is looked for beside the sheet that names it, or in a folder below. A sheet that does not say itself how it
begins is taken to begin as the other ended.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextvars import ContextVar
from dataclasses import dataclass, replace
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Final

from hexforge.scenarios.words import SOURCE, HexforgeError, Language, Param, Term
from hexforge.validator.readers.notation import statements as st
from hexforge.validator.readers.notation.wordbooks import vocabulary_of
from hexforge.validator.readers.notation.writer import write_sheet, write_statement
from hexforge.validator.readers.raw import MAX_BYTES
from hexforge.validator.referee.findings import Finding, doubt, find
from hexforge.validator.referee.standing import BEGINS, head_of, standing

if TYPE_CHECKING:
    from hexforge.scenarios.extended import AnyGame
    from hexforge.scenarios.model import Scenario
    from hexforge.validator.bookkeeping import Kept
    from hexforge.validator.check import Replayed
    from hexforge.validator.referee.context import Context
    from hexforge.validator.referee.state import Position
    from hexforge.validator.unread import Unsure

MAX_CHAIN: Final = 100
"""Sheets that may go on from one another, each from the one before."""
_KEPT: Final = 4
DIGITS: Final = 16
_UNTOLD: Final = (st.PositionStart, st.Stood, st.Held)
"""What nobody writes by hand, and so is not held against a position that somebody wrote."""

_open: ContextVar[tuple[str, ...]] = ContextVar("_open", default=())
"""The sheets that wait for what they go on from to be read."""


@dataclass(frozen=True)
class Link:
    """A sheet with what it goes on from: `sheet` begins as that ended, where it did not say so itself.

    `unsure` are the lines of what it goes on from that could not be read, `stood` the units that it left
    on the map.
    """

    sheet: st.Sheet
    findings: tuple[Finding, ...] = ()
    unsure: tuple[Unsure, ...] = ()
    stood: frozenset[str] = frozenset()


def linked(sheet: st.Sheet, scenario: Scenario, options: Mapping[str, str], before: Replayed | None = None) -> Link:
    """The sheet with what it begins from, and findings on what differs from it.

    `before` is what it goes on from, where the sheet itself does not name it.
    """
    from hexforge.validator.referee.opening import open_game

    named = next((s for s in sheet.statements if isinstance(s, st.Continues)), None)
    if named is None and before is None:
        return Link(sheet, _surmised(sheet, scenario, options))
    line, file = 1, before.sheet.source if before else ""
    findings: list[Finding] = []
    if named is not None:
        line, file = named.line, " ".join(named.files)
        before, findings = _read(named, sheet, options)
    if before is None:
        return Link(sheet, tuple(findings))
    if before.scenario.name != scenario.name:
        other = find(line, "continues-game", "", severity="unread", file=file, game=before.scenario.name)
        return Link(sheet, (*findings, other))
    stood = frozenset(u for side in before.context.sides for u in before.position.on_map(side))
    if any(isinstance(s, BEGINS) for s in sheet.statements):
        sheet = _counted(sheet, before)
        ctx, position, _ = open_game(scenario, sheet, options)
        differences = _differences(sheet, (ctx, position), before, (file, line))
        return Link(sheet, (*findings, *differences), _unread(before, file), stood)
    unsure = (*before.unsure, *_unread(before, file))
    return Link(_begun(sheet, before, line), tuple(findings), unsure, stood)


def left_unread(found: Replayed | Kept) -> tuple[Unsure, ...]:
    """The lines that could not be read of a game whose end is asked for."""
    from hexforge.validator.check import Replayed

    return (*found.unsure, *_unread(found, found.sheet.source)) if isinstance(found, Replayed) else found.unread


def _unread(before: Replayed, file: str) -> tuple[Unsure, ...]:
    """The lines that could not be read of the sheet that one goes on from."""
    from hexforge.validator.unread import unsure

    return unsure(before.sheet, before.judgement.findings, before.context.units, file)


def _surmised(sheet: st.Sheet, scenario: Scenario, options: Mapping[str, str]) -> tuple[Finding, ...]:
    """What differs from the end of the sheet beside this one that it seems to go on from: doubtful, all of it."""
    from hexforge.validator.beside import neighbour
    from hexforge.validator.referee.opening import open_game

    path = None if _open.get() else neighbour(sheet)
    if path is None:
        return ()
    token = _open.set((str(Path(sheet.source).resolve()),))
    try:
        before = _situation((str(path),), _held([path]), tuple(sorted(options.items())))
    except (HexforgeError, OSError):
        return ()
    finally:
        _open.reset(token)
    ctx, position, _ = open_game(scenario, sheet, options)
    why = (doubt("goes-on", file=path.name),)
    # Who copies a position by hand writes where units stand, and seldom more.
    named = (path.name, 1)
    found = _differences(_counted(sheet, before), (ctx, position), before, named, (st.Placement, st.Gone))
    return tuple(replace(f, severity="doubtful", rests_on=why) if f.severity == "illegal" else f for f in found)


def _begun(sheet: st.Sheet, before: Replayed, line: int) -> st.Sheet:
    """The sheet, beginning as the one before it ended. What it says of itself goes before what that one said."""
    own = {_said(s) for s in sheet.statements}
    taken = [*head_of(before.sheet.statements), *standing(before.context, before.position)]
    given = [replace(s, line=line) for s in taken if not isinstance(s, st.Players) and _said(s) not in own]
    at = next((i for i, s in enumerate(sheet.statements) if s.line > line), len(sheet.statements))
    return replace(sheet, statements=(*sheet.statements[:at], *given, *sheet.statements[at:]))


def _counted(sheet: st.Sheet, before: Replayed) -> st.Sheet:
    """The sheet, its position told after that one of several phases of a kind with which the one before ended."""
    from hexforge.validator.referee.phases import number

    last = before.position.phase
    if last is None:
        return sheet
    said, told = (
        (last.turn, last.side, last.kind, 0),
        (last.turn, last.side, last.kind, number(before.context, last)),
    )
    statements = (
        replace(s, after=told) if isinstance(s, st.PositionStart) and s.after == said else s
        for s in sheet.statements
    )
    return replace(sheet, statements=tuple(statements))


def _said(statement: st.Statement) -> object:
    """What of a head can be said once only."""
    match statement:
        case st.GameName() | st.MapPrinted() | st.MapBlank():
            return type(statement)
        case st.OptionSetting(name=name) | st.UnitDefinition(unit=name):
            return type(statement), name
    return statement


# ------------------------------------------------------------------------------------------------ files


def files_named(data: bytes, source: str) -> list[str]:
    """Files beside a sheet that any word names which stands behind one that says what it goes on from.

    It is for knowing a sheet again by all that it rests on: a word too many does no harm.
    """
    from hexforge.validator.beside import neighbours_of, said_behind

    found = (beside(word, source) for said in said_behind(data, st.Continues) for word in said if "." in word)
    return [*(str(path) for path in found if path is not None), *neighbours_of(data, source)]


def _held(files: Iterable[Path]) -> str:
    """A hash of files and of all that they go on from, by whatever names: what is known of them holds as long."""
    from hexforge.validator.beside import said_behind

    seen: set[Path] = set()
    waiting = [*files]
    while waiting and len(seen) <= MAX_CHAIN:
        path = waiting.pop()
        if path not in seen:
            seen.add(path)
            words = (word for said in said_behind(path.read_bytes(), st.Continues) for word in said if "." in word)
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
    found: Replayed | Kept,
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
    if files:
        settings = [st.OptionSetting(0, name, value) for name, value in (options or {}).items()]
        said = {_said(s) for s in settings}
        kept = [s for s in head if _said(s) not in said]
        head = [st.SheetVersion(0, 1), *kept, *settings, *_named(files, output)]
        statements = [*head, *statements]
    return write_sheet(statements, lang, vocabulary_of(game))


def _stands(found: Replayed | Kept) -> tuple[AnyGame, list[st.Statement], list[st.Statement]]:
    """The game, what the head of the next sheet says of it, and how it stands."""
    from hexforge.validator.check import Replayed

    if isinstance(found, Replayed):
        return found.scenario, [*head_of(found.sheet.statements)], standing(found.context, found.position)
    from hexforge.validator.referee.ledger import standing as accounts

    ctx, books = found.judgement.ctx, found.judgement.books
    named = (s for s in found.sheet.statements if isinstance(s, st.GameName | st.Players | st.Partial))
    return found.game, [*named, *accounts.head(ctx, books)], accounts.standing(ctx, books)


def _named(files: Sequence[str | Path], output: str | Path | None) -> list[st.Continues]:
    """The line by which a sheet goes on from files; none where one of them lies elsewhere, or is no file."""
    if "-" in files:
        return []
    paths = [Path(file).resolve() for file in files]
    home = Path(output).resolve().parent if output else paths[0].parent
    if not all(path.is_relative_to(home) for path in paths):
        return []
    names = tuple(path.relative_to(home).as_posix() for path in paths)
    return [st.Continues(0, names, digest_of(paths)[:DIGITS])]


def missing(sheet: st.Sheet, line: int, files: str) -> Finding:
    """What is said of files that are not there: without them, a sheet may leave open how it begins."""
    begins = any(isinstance(s, BEGINS) for s in sheet.statements)
    key = "continues-missing" if begins else "continues-nowhere"
    return find(line, key, "", severity="warning" if begins else "unread", file=files)


def _read(
    named: st.Continues, sheet: st.Sheet, options: Mapping[str, str]
) -> tuple[Replayed | None, list[Finding]]:
    """The game as the files that a sheet names leave it, and what is wrong with them."""
    files, source = " ".join(named.files), sheet.source
    paths = [beside(name, source) for name in named.files]
    if paths == [None] and named.hash:
        from hexforge.validator.beside import of_hash

        paths = [of_hash(named.hash, source)]  # the mail program may have called it otherwise
    found = [path for path in paths if path is not None]
    if len(found) < len(paths):
        lacking = " ".join(name for name, path in zip(named.files, paths, strict=True) if path is None)
        return None, [missing(sheet, named.line, lacking)]
    opened = (*_open.get(), str(Path(source).resolve()))
    if str(found[0]) in opened or len(opened) > MAX_CHAIN:
        return None, [find(named.line, "continues-circle", "", severity="unread", file=files)]
    token = _open.set(opened)
    try:
        digest = digest_of(found)
        before = _situation(tuple(map(str, found)), _held(found), tuple(sorted(options.items())))
    except (HexforgeError, OSError) as error:
        why: Param = error.message if isinstance(error, HexforgeError) else str(error)
        return None, [find(named.line, "continues-unread", "", severity="unread", file=files, why=why)]
    finally:
        _open.reset(token)
    changed = named.hash and not digest.startswith(named.hash)
    return before, [find(named.line, "continues-changed", "", file=files)] if changed else []


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


@lru_cache(_KEPT)
def _situation(paths: tuple[str, ...], _digest: str, options: tuple[tuple[str, str], ...]) -> Replayed:
    from hexforge.validator.ask import situation

    return situation(paths[0] if len(paths) == 1 else paths, dict(options))


# ------------------------------------------------------------------------------------------ differences


def _differences(
    sheet: st.Sheet,
    here: tuple[Context, Position],
    before: Replayed,
    named: tuple[str, int],
    kinds: tuple[type[st.Statement], ...] = (),
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


def _told(ctx: Context, position: Position, kinds: tuple[type[st.Statement], ...] = ()) -> dict[str, set[str]]:
    """Lines that say how a game stands, by the unit, or the hex, or else the word that they are about."""
    found: dict[str, set[str]] = {}
    for s in standing(ctx, position):
        if not isinstance(s, _UNTOLD) and (not kinds or isinstance(s, kinds)):
            text = write_statement(_plain(s))
            subject = getattr(s, "unit", "") or getattr(s, "hex", "") or text.split()[0]
            found.setdefault(subject, set()).add(text)
    return found


def _plain(s: st.Statement) -> st.Statement:
    """A line as it is written by hand, where nobody tells what is doubtful of what a unit did."""
    return replace(s, flag=s.flag.removesuffix("-perhaps")) if isinstance(s, st.UnitStatus) else s


def _lines(sheet: st.Sheet, line: int) -> dict[str, int]:
    """Where a sheet places each unit, and at "" where it begins to say how it begins."""
    found = {s.unit: s.line for s in sheet.statements if isinstance(s, st.Placement | st.Gone)}
    starts = (s.line for s in sheet.statements if isinstance(s, st.PositionStart | st.SetupStart))
    return {**found, "": next(starts, line)}


def _differs(subject: str, there: set[str], here: set[str], line: int, file: str) -> Finding:
    nothing: Param = Term("where", "absent")
    then, now = (tuple(f"`{text}`" for text in sorted(told)) or nothing for told in (there, here))
    return find(line, "continues-differs", "", what=subject, file=file, there=then, here=now)


def _sequence(sheet: st.Sheet, before: Replayed, position: Position, line: int, file: str) -> Iterator[Finding]:
    """A finding if a sheet begins after another phase than the last, as it says itself or as it goes on."""
    from hexforge.validator.referee.phases import next_phase, number

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
        line = first.line
    else:
        fits = True
    if not fits:
        side, kind, which = Term("sides", last.side), Term("phases", last.kind), number(before.context, last)
        key = "continues-phase-of" if which else "continues-phase"
        yield find(line, key, "", file=file, turn=last.turn, side=side, kind=kind, which=which)
