"""The situation that a sheet ends in or asks about: its game, what it goes on from, how units stand."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING

from ...scenarios.text.words import SOURCE, HexforgeError, Language, Param, message
from ..notation import base, statements_head
from ..notation import statements as st
from ..notation.records import is_log, is_mail, is_text
from ..reading import tournament
from ..reading.decoding import UnreadableSheet
from ..reading.infer_game import vocabulary_for
from ..reading.intake import games_of
from ..reading.sheet import read_file, read_sheet
from ..rules.findings import Finding, doubt, find
from ..rules.opening import open_game
from ..rules.position_export import BEGINS
from ..rules.rulings import waivers_of
from ..rules.sealed import Seals, opened
from .canonical import (
    _GOES_AS,
    Formatted,
    _acts,
    _as_comment,
    _lines,
    _renumbered,
    _said,
    _typed_lines,
    _with_unit_ids,
    _words_of,
    written,
)
from .carried import logs_of
from .continuing import (
    _KEPT,
    MAX_CHAIN,
    _begun,
    _counted,
    _differences,
    _held,
    _open,
    beside,
    digest_of,
    missing,
    neighbour,
    of_hash,
)
from .director import directed, refuse
from .regiments import named_whole, with_units
from .replay import replay
from .replayed import Replayed, UnknownOption, scenario_of

if TYPE_CHECKING:
    from ...scenarios.model import Scenario
    from ..notation.records import Attached
    from .replay import Judgement
    from .worlds.unread import Unsure


@dataclass(frozen=True)
class Link:
    """A sheet with what it goes on from: `sheet` begins as that ended, where it did not say so itself.

    `unsure` are the lines of what it goes on from that could not be read, `stood` the units that it left
    on the map, `seals` how far its sealed throws are opened.
    """

    sheet: st.Sheet
    findings: tuple[Finding, ...] = ()
    unsure: tuple[Unsure, ...] = ()
    stood: frozenset[str] = frozenset()
    before: Judgement | None = None
    seals: Seals | None = None


def linked(sheet: st.Sheet, scenario: Scenario, options: Mapping[str, str], before: Replayed | None = None) -> Link:
    """The sheet with what it begins from, and findings on what differs from it.

    `before` is what it goes on from, where the sheet itself does not name it.
    """
    named = next((s for s in sheet.statements if isinstance(s, statements_head.Continues)), None)
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
    if scenario.ledger is not None:
        # Accounts are handed on as they are: no line says all of them.
        inner = (replace(f, line=line) for f in before.links if named is not None)
        return Link(
            sheet, (*findings, *inner), (*before.unsure, *before.left_unread(file)), before=before.judgement
        )
    seals = before.opened.seals
    stood = frozenset(u for side in before.context.sides for u in before.position.on_map(side))
    if any(isinstance(s, BEGINS) for s in sheet.statements):
        sheet = _counted(sheet, before)
        ctx, position, _ = open_game(scenario, sheet, options)
        differences = _differences(sheet, (ctx, position), before, (file, line))
        return Link(sheet, (*findings, *differences), before.left_unread(file), stood, seals=seals)
    unsure = (*before.unsure, *before.left_unread(file))
    return Link(_begun(sheet, before, line), tuple(findings), unsure, stood, seals=seals)


def _surmised(sheet: st.Sheet, scenario: Scenario, options: Mapping[str, str]) -> tuple[Finding, ...]:
    """What differs from the end of the sheet beside this one that it seems to go on from: doubtful, all of it."""
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
    found = _differences(
        _counted(sheet, before), (ctx, position), before, named, (statements_head.Placement, statements_head.Gone)
    )
    return tuple(replace(f, severity="doubtful", rests_on=why) if f.severity == "illegal" else f for f in found)


def _read(
    named: statements_head.Continues, sheet: st.Sheet, options: Mapping[str, str]
) -> tuple[Replayed | None, list[Finding]]:
    """The game as the files that a sheet names leave it, and what is wrong with them."""
    files, source = " ".join(named.files), sheet.source
    paths = [beside(name, source) for name in named.files]
    if paths == [None] and named.hash:
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


@lru_cache(_KEPT)
def _situation(paths: tuple[str, ...], _digest: str, options: tuple[tuple[str, str], ...]) -> Replayed:
    return stands(paths[0] if len(paths) == 1 else paths, dict(options))


def replayed(
    sheet: st.Sheet,
    options: Mapping[str, str] | None = None,
    *,
    strict: bool = False,
    before: Replayed | None = None,
    steps: Mapping[int, tuple[str, int]] | None = None,
) -> Replayed | None:
    """The replay of a sheet; None if it names no game that is known.

    It goes on from `before` where it does not say itself how it begins; `steps` are those of the logs that it was
    transcribed from. Raises UnknownOption for one of `options`, ScenarioError if the files of the game, or its
    tournament's, are broken.
    """
    scenario = scenario_of(sheet)
    if scenario is None:
        return None
    known = {name: option.choices for name, option in scenario.game.options.items()}
    for name, value in (options or {}).items():
        if value not in known.get(name, ()):
            raise UnknownOption(name, value, known)
    applied = tournament.holding(sheet)
    ruled = applied.options(scenario) if applied else {}
    in_force = {**ruled, **(options or {})}
    if applied and scenario.ledger is not None:
        refuse(applied)
    link = linked(applied.allowed(sheet) if applied else sheet, scenario, in_force, before)
    waivers = applied.waivers(sheet, steps or {}) if applied else []
    open_ = opened(sheet, scenario, link.seals, applied.players if applied else {})
    played = open_.played(link.sheet)
    played = directed(applied, played, scenario, steps or {}) if applied else played
    noted: tuple[Finding, ...] = ()
    if named_whole(played):
        played, noted = with_units(played, scenario, in_force)
    judgement = replay(
        scenario,
        played,
        options=in_force,
        strict=strict,
        waivers=waivers,
        before=link.before,
        waits=open_.waits,
    )
    judgement = replace(judgement, findings=open_.unsure(judgement.findings))
    every = (*waivers, *waivers_of(played))
    return Replayed(
        played,
        scenario,
        judgement,
        steps or {},
        link.findings,
        applied,
        every,
        ruled,
        link.unsure,
        link.stood,
        noted,
        open_,
    )


class Unanswerable(HexforgeError):
    """A question that the sheet gives no ground for."""


def unanswerable(key: str, /, **values: Param) -> Unanswerable:
    """Why there is no answer: one of the texts at `validator.ask`."""
    return Unanswerable(message(f"validator.ask.{key}", **values))


def situation(
    path: str | Path | Sequence[str | Path],
    options: Mapping[str, str] | None = None,
    *,
    module: str | Path | None = None,
    salvage: bool = False,
    lang: Language = SOURCE,
) -> Replayed:
    """As `stands`, of a whole game. Raises Unanswerable for accounts too, which have no map."""
    found = stands(path, options, module=module, salvage=salvage, lang=lang)
    if not found.scenario.has_map:
        raise unanswerable("accounts")
    return found


def stands(
    path: str | Path | Sequence[str | Path],
    options: Mapping[str, str] | None = None,
    *,
    module: str | Path | None = None,
    salvage: bool = False,
    lang: Language = SOURCE,
) -> Replayed:
    """The replay of a sheet, of a log, or of what a mail carries: its logs, else the last of its sheets.

    Several logs, or mails with such, are one game; of several sheets each goes on from the one before.

    Raises what `check.judge` and `read_chain` raise, and Unanswerable where there is no game that is known.
    """
    from ..reading.mails.threads import read_letters, threads

    if not isinstance(path, str | Path):
        return _several(path, options, module, salvage, lang)
    if is_mail(path) or is_text(path):
        letters = read_letters(path)
        logs = [log for letter in letters for log in letter.logs]
        if logs:
            return _logged(logs, options, module, salvage, lang)
        games = [game for thread in threads(letters)[0] for game in games_of(thread)]
        if not games:
            raise UnreadableSheet(str(path), "mail-empty")
        return sheet_situation(games[-1].sheet(), options)
    if str(path) != "-" and is_log(path):
        return _logged([path], options, module, salvage, lang)
    return sheet_situation(read_file(path), options)


def _several(
    paths: Sequence[str | Path],
    options: Mapping[str, str] | None,
    module: str | Path | None,
    salvage: bool,
    lang: Language,
) -> Replayed:
    if len(paths) == 1:
        return stands(paths[0], options, module=module, salvage=salvage, lang=lang)
    if any(str(path) != "-" and (is_log(path) or is_mail(path)) for path in paths):
        return _logged(logs_of(paths), options, module, salvage, lang)
    found: Replayed | None = None
    for path in paths:
        found = sheet_situation(read_file(path), options, found)
    if found is None:
        raise unanswerable("no-game")
    return found


def sheet_situation(
    sheet: st.Sheet,
    options: Mapping[str, str] | None,
    before: Replayed | None = None,
    steps: Mapping[int, tuple[str, int]] | None = None,
) -> Replayed:
    """The replay of a sheet that has been read; `steps` are those of the logs that it was transcribed from.

    Raises Unanswerable for one of no game that is known.
    """
    found = replayed(sheet, options, before=before, steps=steps)
    if found is None:
        raise unanswerable("no-game")
    return found


def _logged(
    logs: Sequence[str | Path | Attached],
    options: Mapping[str, str] | None,
    module: str | Path | None,
    salvage: bool,
    lang: Language,
) -> Replayed:
    from ..logs.chain import read_chain
    from .transcription import transcript

    chain = read_chain(logs, module=module, salvage=salvage)
    found = transcript(chain, lang)
    if found is None:
        raise unanswerable("no-rules")
    return sheet_situation(found.sheet, options, steps=found.steps)


def format_sheet(text: str, source: str = "", language: Language | None = None) -> Formatted:
    """A sheet in its canonical form, in a language: that of the sheet if none is given.

    Never raises. A line whose canonical form would not be read as the same is left as it was typed.
    """
    words = vocabulary_for(text, source)
    sheet = _with_units(read_sheet(text, source))
    spoken = language or sheet.language
    lines = _renumbered(sheet, list(_lines(sheet, written(sheet, words, spoken))), words, spoken)
    again = read_sheet("\n".join(lines) + "\n", source)
    if _said(_with_units(again)) != _said(sheet):
        return Formatted(text, sheet.problems)
    return Formatted("\n".join(lines) + "\n" if lines else "", sheet.problems)


def format_typed(sheet: st.Sheet, language: Language | None = None) -> Formatted:
    """A game that was typed in a text or in mails as a sheet, in its canonical form.

    What is no statement of the game becomes a comment: a sheet has no talk, and nobody plays a quoted line twice.
    """
    spoken, words = language or sheet.language, _words_of(sheet)
    sheet = _with_units(sheet)
    rows = [
        replace(row, text=_as_comment(row.text)) if aside else row
        for aside, row in _typed_lines(sheet, written(sheet, words, spoken))
    ]
    lines = _renumbered(sheet, rows, words, spoken)
    return Formatted("\n".join(lines) + "\n", sheet.problems)


def _with_units(sheet: st.Sheet) -> st.Sheet:
    """A sheet with the ids of those whom its retreats name by their part in a combat, and its regiments as a whole,
    where they are known.
    """
    if not (named_whole(sheet) or any(isinstance(act, st.RetreatOf) for act in _acts(sheet))):
        return sheet
    if any(isinstance(s, st.Seal) for s in sheet.statements):
        return sheet  # sealed throws follow from what was said as it was said
    try:
        found = replayed(sheet)
    except HexforgeError:
        return sheet
    told = [f for f in found.judgement.findings if f.message.key == _GOES_AS] if found is not None else []
    meant = {f.line: f.units for f in told}

    def named(act: base.Act) -> base.Act:
        units = meant.get(act.line) if isinstance(act, st.RetreatOf) else None
        return st.Retreat(act.line, units, act.path) if units and isinstance(act, st.RetreatOf) else act

    statements = (
        replace(s, acts=tuple(map(named, s.acts))) if isinstance(s, st.Engagement) else s for s in sheet.statements
    )
    noted = found.noted if found is not None else ()
    known = {(f.line, f"{f.message.values['number']}"): f.units for f in noted}
    return replace(sheet, statements=tuple(_with_unit_ids(s, known) for s in statements))
