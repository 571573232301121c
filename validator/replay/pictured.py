"""The replay of an answer with its pictures, whether rules judged it or a module's log tells it alone."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from hexforge.scenarios.extended import Extension
from hexforge.scenarios.model import Scenario
from hexforge.validator.replay.judged import replay, spoken
from hexforge.validator.replay.pictures import Pictures, Studio, module_pictures

if TYPE_CHECKING:
    from hexforge.scenarios.words import Language, Words
    from hexforge.validator.replay.model import Replay
    from hexforge.validator.report.answer import Answer


def replay_of(answer: Answer, tongues: Sequence[Language] = ()) -> Replay | None:
    """The replay of an answer, by rules or else by its logs; None for what has no positions."""
    found = replay(answer, tongues)
    if found is None and answer.accounts is not None:
        from hexforge.validator.replay.ledger import ledger_replay

        kept = ledger_replay(answer, tongues)
        return kept[0] if kept else None
    if found is not None or answer.scenario is not None or answer.reread is None:
        return found
    from hexforge.validator.replay.logged import log_replay

    return log_replay(answer, answer.reread(), tongues)


def pictured_replay(answer: Answer, words: Words, studio: Studio | None = None) -> tuple[Replay, Pictures] | None:
    """The replay of an answer in all languages, that of `words` first, and its pictures; None where there is none.

    `studio` keeps what was drawn for others.
    """
    tongues = spoken(words.language)
    found = replay(answer, tongues)
    if found is not None and isinstance(answer.scenario, Scenario) and answer.field is not None:
        faces = dict.fromkeys(face for piece in found.pieces for face in piece.faces)
        every = [answer.words(language) for language in found.languages]
        return found, (studio or Studio()).pictures(answer.scenario, answer.field, every, faces)
    if answer.accounts is not None:
        return _kept(answer, tongues)
    if answer.scenario is not None or answer.reread is None:
        return None
    from hexforge.validator.replay.logged import log_replay

    chain = answer.reread()
    told = log_replay(answer, chain, tongues)
    return told, module_pictures(chain, told)


def _kept(answer: Answer, tongues: Sequence[Language]) -> tuple[Replay, Pictures] | None:
    """The replay of accounts, on the sheet of their tracks."""
    from hexforge.validator.replay.ledger import ledger_replay
    from hexforge.validator.replay.ledger_pictures import ledger_pictures

    found = ledger_replay(answer, tongues)
    if found is None or not isinstance(answer.scenario, Extension):
        return None
    return found[0], ledger_pictures(answer.scenario, *found)
