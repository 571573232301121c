"""What the commands do, for scripts. `import hexforge` offers all of it; `docs/api.md` shows it.

A source is a path, or a sheet's text: whatever has more than one line.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Unpack

from hexforge.modulegen.build import BuildResult
from hexforge.modulegen.build import build as build_module
from hexforge.modulegen.build_key import Options as BuildOptions
from hexforge.scenarios.loader import load
from hexforge.scenarios.model import Scenario
from hexforge.scenarios.text.words import SOURCE, HexforgeError, Language, Words
from hexforge.validator.app.audit_run import Audited, AuditPlan
from hexforge.validator.app.batch import Judged, check_all
from hexforge.validator.app.reply import Reply, reply_to
from hexforge.validator.judging import questions as ask
from hexforge.validator.judging.answer import Answer
from hexforge.validator.judging.carried import logs_of
from hexforge.validator.judging.chain import Course, course_of_logs, course_of_sheets
from hexforge.validator.judging.check import check_file, judge
from hexforge.validator.judging.choices.offers import Offers, offers
from hexforge.validator.judging.questions import Open, Reach
from hexforge.validator.judging.replayed import Replayed
from hexforge.validator.judging.situation import sheet_situation as ask_sheet_situation
from hexforge.validator.judging.situation import situation as ask_situation
from hexforge.validator.judging.situation import unanswerable as ask_unanswerable
from hexforge.validator.logs.chain import Chain, read_chain
from hexforge.validator.reading.decoding import UnreadableSheet, decode, read_raw
from hexforge.validator.reading.sheet import read_sheet
from hexforge.validator.report.dice import LEVEL, Survey
from hexforge.validator.report.replay_model import Replay
from hexforge.validator.report.units import Listed, scenario_named, units_of
from hexforge.validator.rules.combat.preview import Aid, Odds
from hexforge.validator.rules.findings import Finding

__all__ = [
    "Answer", "Audited", "BuildResult", "Chain", "Course", "Finding", "HexforgeError", "Judged", "Listed", "Odds",
    "Offers", "Open", "Reach", "Replay", "Reply", "Scenario", "Survey", "Words", "audit", "build", "check",
    "check_all", "choices", "course", "dice", "duties", "format_sheet", "load", "odds", "page", "reach", "read_log",
    "replay", "reply", "transcribe", "units",
]  # fmt: skip


def check(
    source: str | Path | Sequence[str | Path], options: Mapping[str, str] | None = None, *, strict: bool = False
) -> Answer:
    """Judge a sheet (a path, or its text), a log or mail, or several logs as one game, in the order given.

    `options` overrule the rulings that the sheet sets; `strict` stops at the first illegal statement. For folders,
    and for files that may not be readable, there is `check_all`. Raises HexforgeError for what cannot be judged,
    OSError for a file that cannot be read.
    """
    from hexforge.validator.judging.check import check_logs
    from hexforge.validator.notation.records import is_log, is_mail, is_text

    if _is_text(source):
        return judge(read_sheet(str(source), ""), options, strict=strict)
    paths = [source] if isinstance(source, str | Path) else list(source)
    if len(paths) == 1 and (is_mail(paths[0]) or is_text(paths[0])):
        return _first(check_all(paths, options, strict=strict), str(paths[0]))
    if len(paths) == 1 and not is_log(paths[0]):
        return check_file(paths[0], options, strict=strict)
    return check_logs(logs_of(paths), options, strict=strict)


def format_sheet(source: str | Path, language: Language | None = None) -> str:
    """A sheet (a path, or its text) in the canonical form, in a language: that of the sheet if none is given.

    Lines that cannot be read stay as they are. Raises HexforgeError for a file that is no text.
    """
    from hexforge.validator.judging.situation import format_sheet as written

    text = str(source) if _is_text(source) else decode(read_raw(source), str(source))
    return written(text, "" if _is_text(source) else str(source), language).text


def units(game: str | Path, side: str = "", *, at_start: bool = False) -> tuple[Listed, ...]:
    """The units of a game, named or in a folder, each with where it starts and when it comes or leaves.

    Of one side, by its id, or of those that start on the map. Raises HexforgeError for an unknown game or side.
    """
    return units_of(scenario_named(game), side, at_start=at_start)


def reach(source: str | Path, unit: str, options: Mapping[str, str] | None = None) -> Reach:
    """Where a unit may end its next move: `hexes` gives each hex its cost in half points and the cheapest way.

    Raises HexforgeError where the source gives no ground for the question.
    """
    return ask.reach(_situation(source, options), unit)


def odds(
    source: str | Path,
    target: str,
    attackers: Sequence[str],
    options: Mapping[str, str] | None = None,
    **aid: Unpack[Aid],
) -> Odds:
    """Work out an attack on a hex before it is made, with the chance of each result.

    Further arguments may be `support`, the attackers' artillery, `guards`, the defenders', and `offboard`,
    `guard_offboard`, `air` and `guard_air`, which are points.
    """
    return ask.odds(_situation(source, options), target, attackers, **aid)


def duties(source: str | Path, options: Mapping[str, str] | None = None) -> Open:
    """Who must still attack, who is encircled and what is not yet declared at the end of a sheet or log."""
    return ask.open_duties(_situation(source, options))


def choices(source: str | Path, options: Mapping[str, str] | None = None) -> Offers:
    """All that the side to move may do at the end of a sheet or log, each statement one that is judged legal."""
    found = _situation(source, options)
    return offers(found.context, found.position)


def replay(
    source: str | Path | Sequence[str | Path], options: Mapping[str, str] | None = None, *languages: Language
) -> Replay | None:
    """A game step by step, with what it says in some languages (all by default); `source` as for `check`.

    None for what has no positions: a sheet of no known game, or of one that only keeps accounts. Raises what
    `check` raises.
    """
    from hexforge.validator.report.replay_page import replay_of

    return replay_of(check(source, options), languages)


def page(
    source: str | Path | Sequence[str | Path],
    language: Language = SOURCE,
    options: Mapping[str, str] | None = None,
    *,
    now: bool = False,
) -> str:
    """The page of one game, as one file of HTML that needs nothing else; `source` as for `check`.

    `now` adds what the side to move may ask. Raises what `check` raises.
    """
    from hexforge.scenarios.console import folders_of
    from hexforge.validator.report.html import game_page

    named = [source] if isinstance(source, str | Path) else source
    return game_page(check(source, options), Words(language), now=now, folders=folders_of(named))


def build(game: str | Path, out: str | Path = "dist", language: Language | None = None) -> BuildResult:
    """Build the module of a game, named or in a folder, into the folder `out`; `path` of the result says where.

    Raises HexforgeError for files that cannot be used, OSError where the module cannot be written.
    """
    return build_module(game, BuildOptions(out=Path(out), language=language))


def read_log(*paths: str | Path, module: str | Path | None = None, salvage: bool = False) -> Chain:
    """Read logs of any module, several as one game in the order given; mails give those that they carry.

    `module` is the `.vmod`, if it does not lie beside the first log; `salvage` reads what is left of a damaged log.
    """
    return read_chain(logs_of(paths), module=module, salvage=salvage)


def transcribe(*paths: str | Path, module: str | Path | None = None, language: Language = SOURCE) -> str:
    """Logs as a turn sheet in the keywords of a language or, where there are no rules for them, as a record."""
    from hexforge.validator.judging.transcription import transcript
    from hexforge.validator.logs.record import record_lines

    chain = read_log(*paths, module=module)
    sheet = transcript(chain, language)
    return sheet.text if sheet else "\n".join(line for line, _ in record_lines(chain, language)) + "\n"


def course(*paths: str | Path) -> Course:
    """Whether logs of any module, or sheets, are one unbroken game in the order given; `flaws` says why not."""
    from hexforge.validator.notation.records import is_log, is_mail

    logs = any(is_log(path) or is_mail(path) for path in paths)
    return course_of_logs(read_chain(logs_of(paths))) if logs else course_of_sheets(paths)


def dice(*paths: str | Path, options: Mapping[str, str] | None = None, level: float = LEVEL) -> Survey:
    """The dice of games, taken as `check_all` takes them, by player, side, button, game and round.

    What cannot be read is left out. Raises NothingThere for a folder with nothing in it.
    """
    from hexforge.validator.app.audit_record import thrown_in
    from hexforge.validator.report.dice import survey

    found = thrown_in(paths, options)
    return survey(found.throws, found.attacks, level=level)


def audit(
    *paths: str | Path, site: str | Path, options: Mapping[str, str] | None = None, jobs: int = 1, cluster: str = ""
) -> Audited:
    """Judge a round and write it as a site into a folder; what was judged before is not judged again.

    With several `jobs` a script has to begin what it does below `if __name__ == "__main__"`. Raises HexforgeError,
    OSError where there is nothing to judge, or the site cannot be written.
    """
    from hexforge.validator.app.audit_run import audit as audited

    named = [str(path) for path in paths]
    return audited(AuditPlan(named, site, dict(options or {}), jobs=jobs, cluster=cluster or None))


def reply(mail: str | Path, options: Mapping[str, str] | None = None, *, sender: str = "") -> Reply:
    """The answer to a mail, with the verdict on what it holds: `mail` of the result is to be sent."""
    return reply_to(mail, options, sender=sender)


def _first(found: Judged, source: str) -> Answer:
    """The first answer on what a mail holds. Raises why there is none."""
    if found.answers:
        return found.answers[0]
    for _, error in found.failures:
        raise error
    raise UnreadableSheet(source, "mail-empty")


def _is_text(source: object) -> bool:
    return isinstance(source, str) and "\n" in source


def _situation(source: str | Path, options: Mapping[str, str] | None) -> Replayed:
    if not _is_text(source):
        return ask_situation(source, options)
    found = ask_sheet_situation(read_sheet(str(source), ""), options)
    if not found.scenario.has_map:
        raise ask_unanswerable("accounts")
    return found
