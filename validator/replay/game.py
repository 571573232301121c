"""The page of one game from the answer on it, with what the side to move may ask."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Any

from hexforge.scenarios.words import HexforgeError
from hexforge.validator.report.forms import Rest
from hexforge.validator.report.plain import without_folders

if TYPE_CHECKING:
    from hexforge.scenarios.words import Words
    from hexforge.validator.replay.model import Outlook, Replay
    from hexforge.validator.report.answer import Answer


def game_page(
    answer: Answer,
    words: Words,
    *,
    now: bool = False,
    watch: bool = False,
    folders: Iterable[str] = (),
    **more: Any,
) -> str:
    """The page of one game. `now` adds what the side to move may ask; `more`, `watch` are those of `HtmlReport`.

    `folders` are those of this disk of which the page is to be silent.
    """
    from hexforge.validator.report.html import HtmlReport

    said = partial(without_folders, folders=tuple(folders))
    report = HtmlReport(words, playable=True, watch=watch, said=said, **more)
    part = report.part(answer)
    if now and part.game is not None and (look := _outlook(answer, part.game.replay)) is not None:
        part = replace(part, game=replace(part.game, replay=replace(part.game.replay, outlook=look)))
    return "".join(report.whole([part], Rest(many=False)))


def _outlook(answer: Answer, replay: Replay) -> Outlook | None:
    """The outlook of a game whose rules are known; None where nothing can be asked of it."""
    from hexforge.validator.check import replayed
    from hexforge.validator.replay.outlook import outlook

    if answer.played is None:
        return None
    try:
        found = replayed(answer.played, answer.edition.options, steps=answer.steps)
        return outlook(found, replay) if found is not None else None
    except HexforgeError:
        return None
