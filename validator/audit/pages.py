"""The pages of one game: what there is to know of it at a glance, and the one on which it is played through."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from hexforge.scenarios.words import Language, Words
from hexforge.validator.audit.record import Record, attacks_in, throws_in
from hexforge.validator.dice.survey import survey
from hexforge.validator.dice.told import Told
from hexforge.validator.replay.pictures import Studio
from hexforge.validator.report.answer import SEVERITIES
from hexforge.validator.report.forms import Rest
from hexforge.validator.report.html import HtmlReport, page

if TYPE_CHECKING:
    from hexforge.validator.report.answer import Answer


class GamePages:
    """Writes the pages of games, in all languages."""

    def __init__(self, languages: Sequence[Language], title: str, *, replays: bool = True) -> None:
        """`replays`: with a page on which each is played through."""
        self.languages, self.title, self.replays = tuple(languages), title, replays
        # One page of each game is in all languages, and is played through; what it draws is drawn once.
        self.report = HtmlReport(Words(self.languages[0]), playable=True, studio=Studio())

    def of(self, record: Record, answer: Answer) -> dict[str, str]:
        """The pages of a game by their paths within the site."""
        found = {}
        if self.replays:
            self.report.fresh()
            whole = self.report.whole([self.report.part(answer)], Rest(many=False))
            found[f"replays/{record['key']}.html"] = "".join(whole)
        for language in self.languages:
            found[f"{language}/games/{record['key']}.html"] = self._game(record, language)
        return found

    def _game(self, record: Record, language: Language) -> str:
        words = Words(language)
        seen = survey(throws_in(record), attacks_in(record))
        here = f"games/{record['key']}.html"
        return site_page(
            "audit_game.html.j2", language, self.languages, self.title, here=here, up="../", game=record,
            severities=SEVERITIES, survey=seen, dice=Told(seen, words), played=self.replays,
        )  # fmt: skip


def site_page(
    template: str,
    language: Language,
    languages: Sequence[Language],
    title: str,
    *,
    here: str,
    up: str = "",
    **values: Any,
) -> str:
    """A page of the site. `here`: its path below the language's folder; `up`: the way back to that."""
    common: Mapping[str, Any] = {"language": language, "languages": languages, "site_title": title}
    return page(template, Words(language), here=here, up=up, **common, **values)
