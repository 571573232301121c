"""A chain of logs of a module of ours as a turn sheet, each line with the step of the log that it comes from."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING

from hexforge.scenarios.words import SOURCE, Language, Words
from hexforge.validator.transcribe.noted import Noted, Origin, Places, steps_of
from hexforge.validator.transcribe.reckoning import NOTHING, Reckoning, reckon
from hexforge.validator.transcribe.undo import dice_of

if TYPE_CHECKING:
    from hexforge.scenarios.extended import AnyGame, Extension
    from hexforge.scenarios.model import Scenario
    from hexforge.validator.readers.notation.statements import Sheet
    from hexforge.validator.transcribe.blocks import Item
    from hexforge.validator.transcribe.chain import Chain
    from hexforge.validator.transcribe.draft import SheetDraft
    from hexforge.validator.transcribe.marks import Marks


@dataclass(frozen=True)
class Transcript:
    """What a chain of logs says as a turn sheet.

    `sheet` holds the statements, by the lines on which they are written for people. `origins` has one entry a line;
    `noted` is what is wrong with the logs themselves; `reckoning` is what became of every command; `same_data`: the
    module was built from the scenario's files as they are here; `over`: the last of its phases is over too.
    """

    sheet: Sheet
    origins: tuple[Origin, ...]
    noted: tuple[Noted, ...]
    scenario: AnyGame
    same_data: bool = True
    reckoning: Reckoning = NOTHING
    over: bool = False

    @property
    def lines(self) -> tuple[str, ...]:
        """The sheet as it is written."""
        return self.sheet.lines

    @property
    def text(self) -> str:
        """The sheet as text."""
        return "\n".join(self.lines) + "\n"

    @property
    def steps(self) -> dict[int, tuple[str, int]]:
        """The log's name and its step, by line."""
        return steps_of(self.origins)

    def line_of(self, origin: Origin) -> int:
        """The first line of a step or, where it left none, the last before it; 1 at least."""
        return self._places.line_of(origin)

    @cached_property
    def _places(self) -> Places:
        return Places(self.origins)


def scenario_of(name: str, source: str = "") -> Scenario | None:
    """The scenario that a mark names; None if it is not among those that are here. `source`: the log's path."""
    from hexforge.scenarios.model import Scenario
    from hexforge.validator import games

    found = games.game(name, source)
    return found if isinstance(found, Scenario) else None


def transcript(chain: Chain, lang: Language = SOURCE) -> Transcript | None:
    """The turn sheet of a chain, written in a language; None if it is not of a game that is known here."""
    if not chain.logs:
        return None
    kept = _accounts(chain, lang)
    if kept is not None:
        return kept
    marks, source = chain.marks, chain.logs[0].path
    if marks is None:
        return None
    scenario = scenario_of(marks.game, source)
    if scenario is None:
        return None
    # Logs of other modules, which come no further, need nothing that writes sheets.
    from hexforge.validator.transcribe.scribe import AIR

    draft, items = _best(chain, marks, scenario)
    sheet, origins = _written(items, scenario, chain, lang)
    noted = (*chain.noted, *_typed_alone(draft.noted, chain))
    same = marks.digest == scenario.digest
    reckoning = reckon(chain, draft.heard, frozenset((AIR,)))
    return Transcript(sheet, origins, noted, scenario, same, reckoning, over=draft.rests is not None)


def _typed_alone(noted: Iterable[Noted], chain: Chain) -> Iterator[Noted]:
    """Notes, of which dice that were typed alone are doubtful where others fell: who throws elsewhere types all.

    Where a log was cut off they may be in what is lost, and the cut is the doubt.
    """
    told = (t for log in chain.logs for t in log.told if not t.undone)
    thrown, cut = any(dice_of(t.action) for t in told), any(log.game.damage for log in chain.logs)
    for one in noted:
        if one.message.key == "logs.note.typed-roll" and thrown and not cut:
            yield replace(one, severity="doubtful")
        elif one.message.key == "logs.note.told-roll" and cut:
            yield replace(one, severity="warning")
        else:
            yield one


def _best(chain: Chain, marks: Marks, scenario: Scenario) -> tuple[SheetDraft, list[Item]]:
    """What a chain says; what was done on the wrong side of the tracker is in its place where that is lawful."""
    from hexforge.validator.transcribe.amiss import Amiss, amiss, put_back
    from hexforge.validator.transcribe.outline import outline
    from hexforge.validator.transcribe.scribe import write_down
    from hexforge.validator.transcribe.witness import Weight, witnessed

    def read(taken: list[Amiss]) -> tuple[Weight, SheetDraft, list[Item]]:
        draft = write_down(put_back(chain, taken), marks, scenario)
        items, weight = witnessed(draft, list(outline(draft, chain)), cut=chain.logs[-1].game.damage is not None)
        return weight, draft, items

    taken: list[Amiss] = []
    weight, draft, items = read(taken)
    for one in amiss(draft) if weight > (0, 0) else ():
        other = read([*taken, one])
        if other[0] < weight:
            taken.append(one)
            weight, draft, items = other
    draft.noted += [note for one in taken for note in one.notes()]
    return draft, items


def _written(
    items: Sequence[Item], game: AnyGame, chain: Chain, lang: Language
) -> tuple[Sheet, tuple[Origin, ...]]:
    """The lines of a sheet in a language, each with where it comes from."""
    from hexforge.validator.readers.notation.wordbooks import vocabulary_of
    from hexforge.validator.readers.sheet import sheet_of

    words, vocabulary = Words(lang), vocabulary_of(game)
    lines = [(item.written(words, vocabulary), item.statement) for item in items]
    sheet = sheet_of(lines, chain.logs[0].path, vocabulary, lang)
    logs = tuple((log.name, f"{log.mail}: {log.path}" if log.mail else log.path) for log in chain.logs)
    return replace(sheet, logs=logs), tuple(item.origin for item in items)


def _accounts(chain: Chain, lang: Language) -> Transcript | None:
    """The sheet of accounts of logs with an extension's sheet of tracks; None where nothing was done with that, or
    no rules of its are here, and the logs are those of a whole game.
    """
    from hexforge.validator.transcribe.tracks import track_marks

    marks = next((m for log in chain.logs if (m := track_marks(log.start.properties)) is not None), None)
    game = _extension(marks.game, chain.logs[0].path) if marks is not None else None
    if marks is None or game is None or game.ledger is None:
        return None
    from hexforge.validator.transcribe.keeping import keep, lines, touched

    kept = keep(chain, marks, game, game.ledger)
    if chain.marks is not None and not touched(kept):
        return None
    sheet, origins = _written(list(lines(kept)), game, chain, lang)
    reckoning = reckon(chain, kept.heard, frozenset())
    noted = (*chain.noted, *kept.noted)
    return Transcript(sheet, origins, noted, game, marks.digest == game.digest, reckoning)


def _extension(name: str, source: str) -> Extension | None:
    from hexforge.scenarios.extended import Extension
    from hexforge.validator import games

    found = games.game(name, source)
    return found if isinstance(found, Extension) else None
