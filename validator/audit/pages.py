"""The pages of one game: what there is to know of it at a glance, and the one on which it is played through."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from hexforge.scenarios.words import Language, Words
from hexforge.validator.audit.record import Record, attacks_in, throws_in
from hexforge.validator.dice.survey import survey
from hexforge.validator.dice.told import SurveyTold
from hexforge.validator.referee.kinds import SEVERITIES
from hexforge.validator.replay.pictures import Studio, apart
from hexforge.validator.report.forms import Rest
from hexforge.validator.report.html import Article, HtmlReport
from hexforge.validator.report.pages import page_pieces

if TYPE_CHECKING:
    from hexforge.validator.report.answer import Answer


class GamePages:
    """Writes the pages of games, in all languages."""

    def __init__(
        self, languages: Sequence[Language], title: str, *, replays: bool = True, said: Callable[[str], str] = str
    ) -> None:
        """`replays`: with a page on which each is played through; `said` as `HtmlReport`."""
        self.languages, self.title, self.replays = tuple(languages), title, replays
        # One page of each game is in all languages, and is played through; what it draws is drawn once.
        self.report = HtmlReport(Words(self.languages[0]), playable=True, studio=Studio(), said=said)

    def of(self, record: Record, answer: Answer) -> dict[str, str | bytes]:
        """The pages of a game by their paths within the site, and the pictures that they share with others."""
        found: dict[str, str | bytes] = {}
        if self.replays:
            self.report.fresh()
            part, pictures = _apart(self.report.part(answer))
            found[f"replays/{record['key']}.html"] = "".join(self.report.whole([part], Rest(many=False)))
            found |= {f"replays/{name}": data for name, data in pictures.items()}
        for language in self.languages:
            found[f"{language}/games/{record['key']}.html"] = self._game(record, language)
        return found

    def _game(self, record: Record, language: Language) -> str:
        words = Words(language)
        seen = replace(survey(throws_in(record), attacks_in(record)), sides=record["sides"])
        here = f"games/{record['key']}.html"
        return site_page(
            "audit_game.html.j2", language, self.languages, self.title, here=here, up="../", game=record,
            severities=SEVERITIES, survey=seen, dice=SurveyTold(seen, words), played=self.replays,
        )  # fmt: skip


def _apart(part: Article) -> tuple[Article, dict[str, bytes]]:
    """A page whose pictures are files beside it: the board and the counters of a game are those of most others."""
    if part.game is None:
        return part, {}
    pictures, files = apart(part.game.pictures)
    return replace(part, game=replace(part.game, pictures=pictures)), files


def site_page(template: str, language: Language, languages: Sequence[Language], title: str, **values: Any) -> str:
    """A page of the site; `values` as `site_pieces`."""
    return "".join(site_pieces(template, language, languages, title, **values))


def site_pieces(
    template: str,
    language: Language,
    languages: Sequence[Language],
    title: str,
    *,
    here: str,
    up: str = "",
    **values: Any,
) -> Iterator[str]:
    """A page of the site. `here`: its path below the language's folder; `up`: the way back to that."""
    common: Mapping[str, Any] = {"language": language, "languages": languages, "site_title": title}
    return page_pieces(template, Words(language), here=here, up=up, **common, **values)
