"""Answers as one HTML file that needs nothing else, everything of the sheet escaped.

Several games are a report without links and scripts; one game is a page on which it can be played through.

The page of one game from the answer on it, with what the side to move may ask.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import TYPE_CHECKING, Any, Final

from markupsafe import Markup

from ...scenarios.console import without_folders
from ...scenarios.text.words import HexforgeError, Words
from ..judging.situation import replayed
from ..rules.findings import SEVERITIES
from . import wording
from .article import article, ground, shown_of
from .pages import BOARD, GROUND, Rest, spool, template_named

if TYPE_CHECKING:
    from ...scenarios.model import GameMap
    from ..judging.answer import Answer
    from .replay_model import Outlook, Replay, Said
    from .replay_pictures import Pictures, Studio


_AS_IS: Final = "surrogatepass"
"""Names of files in an old code page hold what UTF-8 has no letter for; whoever writes the page replaces it."""
_MOST_GROUNDS: Final = 8
"""Maps that are known at a time: those of the games that a folder may hold side by side."""


@dataclass(frozen=True, slots=True)
class GamePage:
    """What the page of one game is made of: its replay, its pictures, and its report in other languages."""

    replay: Replay
    pictures: Pictures
    told: Said
    others: Mapping[str, str]


@dataclass(frozen=True, slots=True)
class Article:
    """What a page shows of one answer: its row in the overview, and its article.

    The article calls the map that lies below its pictures `GROUND`. `field` is that map's mark, "" where there is
    none; `ground` draws it, in the first article that shows it of those that one `HtmlReport` made.
    """

    row: Mapping[str, Any]
    body: str
    field: str = ""
    ground: str = ""
    game: GamePage | None = None


class HtmlReport:
    """A page with each sheet's findings, combats, moves, map and text; `playable` if it is of one game.

    `studio` keeps what was drawn before; with `watch` the page looks for a newer one in its place. `said` changes
    what a page tells, also where it is packed and nobody else can.
    """

    def __init__(
        self,
        words: Words,
        *,
        playable: bool = False,
        studio: Studio | None = None,
        watch: bool = False,
        said: Callable[[str], str] = str,
    ) -> None:
        self.words, self.playable, self.studio, self.watch, self.said = words, playable, studio, watch, said
        self._grounds: list[tuple[GameMap, str, str]] = []
        self._drawn: set[str] = set()

    def part(self, answer: Answer) -> Article:
        """The article of one answer."""
        # Who puts together what others made needs none of what articles are made with.

        w = answer.words(self.words.language)
        shown = shown_of(answer, w)
        body = article(shown)
        verdict, counts = wording.verdict(answer, w), list(answer.counts.values())
        name = {"name": answer.source or answer.game, "source": answer.source, "verdict": answer.shade}
        row = {**name, "told": verdict, "counts": counts}
        game = self._game(answer, w, shown) if self.playable else None
        mark, drawn = self._ground(answer, w) if game is None else ("", "")
        return Article(row, body, mark, drawn, game)

    def _game(self, answer: Answer, w: Words, shown: Mapping[str, Any]) -> GamePage | None:
        """The page of a game; None for one that cannot be played through."""
        from .replay_page import pictured_replay

        found = pictured_replay(answer, w, self.studio)
        if found is None:
            return None
        replay, pictures = found
        every = {language: answer.words(language) for language in replay.languages}
        others = {
            code: article(shown_of(answer, other, shown["pictures"]))
            for code, other in every.items()
            if code != w.language
        }
        told = {code: wording.verdict(answer, other) for code, other in every.items()} if answer.game else {}
        return GamePage(replay, pictures, told, others)

    def _playable(self, article: Article, game: GamePage, rest: Rest) -> str:
        from .replay_page import Verdict, page

        own = article.body.replace(BOARD, '<use href="#map1"/>').replace(GROUND, '<use href="#map1"/>')
        verdict = Verdict(str(article.row["verdict"]), game.told) if game.told else Verdict()
        return page(
            game.replay,
            game.pictures,
            self.words,
            verdict=verdict,
            article=own,
            others=game.others,
            rest=rest,
            watch=self.watch,
            said=self.said,
        )

    def fresh(self) -> None:
        """Begin another page, in which no map is drawn yet."""
        self._drawn.clear()

    def _ground(self, answer: Answer, w: Words) -> tuple[str, str]:
        """The mark of the map that was played on, and its drawing where it was not given yet."""
        field, scenario = answer.field, answer.scenario
        if field is None or scenario is None:
            return "", ""
        # By what it holds: each sheet is played on a map of its own.
        known = next((found for found in self._grounds if found[0] == field), None)
        if known is None:
            svg = ground(field, scenario, w)
            known = field, hashlib.sha256(svg.encode()).hexdigest(), svg
            self._grounds = [known, *self._grounds[: _MOST_GROUNDS - 1]]
        _, mark, svg = known
        if mark in self._drawn:
            return mark, ""
        self._drawn.add(mark)
        return mark, svg

    def whole(self, parts: Iterable[Article], rest: Rest) -> Iterator[str]:
        """The page. Articles wait in a file, for the overview of all stands above them."""
        if self.playable:
            parts = list(parts)
            if len(parts) == 1 and parts[0].game is not None:
                yield self.said(self._playable(parts[0], parts[0].game, rest))
                return
        rows: list[Mapping[str, Any]] = []
        with spool() as file:
            lengths = [file.write(text.encode("utf-8", _AS_IS)) for text in _numbered(parts, rows)]
            file.seek(0)
            pieces = template_named("report.html.j2").generate(
                w=self.words,
                lang=self.words("report.html-language"),
                rows=rows,
                articles=(Markup(file.read(length).decode("utf-8", _AS_IS)) for length in lengths),
                failures=rest.failures,
                skipped=[what for _, what in rest.skipped],
                severities=SEVERITIES,
            )
            yield from map(self.said, pieces)


def _numbered(parts: Iterable[Article], rows: list[Mapping[str, Any]]) -> Iterator[str]:
    """The articles, each map drawn in the first that shows it; their rows are put down."""
    names: dict[str, str] = {}
    for told in parts:
        rows.append(told.row)
        name = names.get(told.field) or f"map{len(names) + 1}"
        again = f'<use href="#{name}"/>'
        below = again if told.field in names else f'<g id="{name}">{told.ground}</g>'
        if told.field:
            names[told.field] = name
        yield told.body.replace(BOARD, below).replace(GROUND, again)


def write_html(
    answers: Iterable[Answer],
    failures: Sequence[tuple[str, str]],
    words: Words,
    *,
    skipped: Sequence[tuple[str, str]] = (),
) -> str:
    """`HtmlReport` of answers that are at hand."""
    report = HtmlReport(words)
    return "".join(report.whole(map(report.part, answers), Rest(failures, skipped)))


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
    said = partial(without_folders, folders=tuple(folders))
    report = HtmlReport(words, playable=True, watch=watch, said=said, **more)
    part = report.part(answer)
    if now and part.game is not None and (look := _outlook(answer, part.game.replay)) is not None:
        part = replace(part, game=replace(part.game, replay=replace(part.game.replay, outlook=look)))
    return "".join(report.whole([part], Rest(many=False)))


def _outlook(answer: Answer, replay: Replay) -> Outlook | None:
    """The outlook of a game whose rules are known; None where nothing can be asked of it."""
    from .replay_page import outlook

    if answer.played is None or answer.accounts is not None:
        return None
    try:
        found = replayed(answer.played, answer.edition.options, steps=answer.steps)
        return outlook(found, replay) if found is not None else None
    except HexforgeError:
        return None
