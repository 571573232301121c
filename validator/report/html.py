"""Answers as one HTML file that needs nothing else, everything of the sheet escaped.

Several games are a report without links and scripts; one game is a page on which it can be played through.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, TypeVar

from markupsafe import Markup

from hexforge.scenarios.console import safe
from hexforge.scenarios.model import Scenario
from hexforge.scenarios.words import Words
from hexforge.validator.referee.findings import doubts_told, points
from hexforge.validator.referee.kinds import Severity
from hexforge.validator.report import wording
from hexforge.validator.report.answer import SEVERITIES, Answer
from hexforge.validator.report.board import draw, ground
from hexforge.validator.report.forms import Rest, spool
from hexforge.validator.report.scene import excerpt, whole
from hexforge.validator.report.turns import Headings

if TYPE_CHECKING:
    from jinja2 import Environment, Template

    from hexforge.scenarios.model import GameMap
    from hexforge.validator.referee.findings import Finding, MoveRecord
    from hexforge.validator.replay.model import Replay, Said
    from hexforge.validator.replay.pictures import Pictures, Studio

T = TypeVar("T")
TEMPLATES: Final = Path(__file__).parent / "templates"
_MOST_PICTURES: Final = 150
"""Findings of a sheet that are shown on a piece of the map of their own."""
_MOST_LINES: Final = 50_000
"""Lines of a sheet that a page quotes; more than any game has."""
_MOST_BLANK: Final = 4
_AS_IS: Final = "surrogatepass"
"""Names of files in an old code page hold what UTF-8 has no letter for; whoever writes the page replaces it."""
_PIECES: Final = 500
"""Pieces of a page, each a text or a value of its template, that are given out together."""
_MOST_GROUNDS: Final = 8
"""Maps that are known at a time: those of the games that a folder may hold side by side."""
_BOARD: Final = '<g id="ground"/>'
_GROUND: Final = '<use href="#ground"/>'
"""Where an article has its map, and where it shows it again. No text can say so, for texts are escaped."""
_TOLD: Final = {"doubts_told": doubts_told, "points": points}


@dataclass(frozen=True, slots=True)
class Article:
    """What a page shows of one answer: its row in the overview, and its article.

    The article calls the map that lies below its pictures `_GROUND`. `field` is that map's mark, "" where there is
    none; `ground` draws it, in the first article that shows it of those that one `HtmlReport` made.
    """

    row: Mapping[str, Any]
    body: str
    field: str = ""
    ground: str = ""
    game: GamePage | None = None


@dataclass(frozen=True, slots=True)
class GamePage:
    """What the page of one game is made of: its replay, its pictures, and its report in other languages."""

    replay: Replay
    pictures: Pictures
    told: Said
    others: Mapping[str, str]


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
        w = answer.words(self.words.language)
        shown = _page(answer, w)
        body = _article(shown)
        verdict, counts = wording.verdict(answer, w), list(answer.counts.values())
        name = {"name": answer.source or answer.game, "source": answer.source, "verdict": answer.shade}
        row = {**name, "told": verdict, "counts": counts}
        game = self._game(answer, w, shown) if self.playable else None
        mark, drawn = self._ground(answer, w) if game is None else ("", "")
        return Article(row, body, mark, drawn, game)

    def _game(self, answer: Answer, w: Words, shown: Mapping[str, Any]) -> GamePage | None:
        """The page of a game; None for one that cannot be played through."""
        from hexforge.validator.replay.pictured import pictured_replay

        found = pictured_replay(answer, w, self.studio)
        if found is None:
            return None
        replay, pictures = found
        every = {language: answer.words(language) for language in replay.languages}
        others = {
            code: _article(_page(answer, other, shown["pictures"]))
            for code, other in every.items()
            if code != w.language
        }
        told = {code: wording.verdict(answer, other) for code, other in every.items()} if answer.game else {}
        return GamePage(replay, pictures, told, others)

    def _playable(self, article: Article, game: GamePage, rest: Rest) -> str:
        from hexforge.validator.replay.page import Verdict, page

        own = article.body.replace(_BOARD, '<use href="#map1"/>').replace(_GROUND, '<use href="#map1"/>')
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
        if field is None or not isinstance(scenario, Scenario):
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
            pieces = _template("report.html.j2").generate(
                w=self.words,
                lang=self.words("report.html-language"),
                rows=rows,
                articles=(Markup(file.read(length).decode("utf-8", _AS_IS)) for length in lengths),
                failures=rest.failures,
                skipped=[what for _, what in rest.skipped],
                severities=SEVERITIES,
            )
            yield from map(self.said, pieces)


def _article(shown: Mapping[str, Any]) -> str:
    return _template("answer.html.j2").render(page=shown, wording=wording, **_TOLD)


def _numbered(parts: Iterable[Article], rows: list[Mapping[str, Any]]) -> Iterator[str]:
    """The articles, each map drawn in the first that shows it; their rows are put down."""
    names: dict[str, str] = {}
    for article in parts:
        rows.append(article.row)
        name = names.get(article.field) or f"map{len(names) + 1}"
        again = f'<use href="#{name}"/>'
        below = again if article.field in names else f'<g id="{name}">{article.ground}</g>'
        if article.field:
            names[article.field] = name
        yield article.body.replace(_BOARD, below).replace(_GROUND, again)


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


def page(template: str, words: Words, **values: Any) -> str:
    """A page of `templates/` in the language of the words; what is put into it is escaped and harmless."""
    lang = words("report.html-language")
    return _template(template).render(w=words, lang=lang, **values)


def page_pieces(template: str, words: Words, **values: Any) -> Iterator[str]:
    """As `page`, piece by piece, for pages whose tables may be very long."""
    stream = _template(template).stream(w=words, lang=words("report.html-language"), **values)
    stream.enable_buffering(_PIECES)
    return stream


def style() -> str:
    """The style of pages that are more than one file."""
    return (TEMPLATES / "plain.css").read_text("utf-8")


def _template(name: str) -> Template:
    return _environment().get_template(name)


@cache
def _environment() -> Environment:
    import jinja2

    return jinja2.Environment(
        loader=jinja2.FileSystemLoader(TEMPLATES),
        autoescape=True,
        trim_blocks=True,
        undefined=jinja2.StrictUndefined,
        finalize=lambda value: safe(value) if isinstance(value, str) and not isinstance(value, Markup) else value,
    )


def _page(answer: Answer, w: Words, drawn: Sequence[object] | None = None) -> dict[str, Any]:
    """What an article shows of an answer besides what it holds.

    `drawn`: the pictures stand in another article already, and this one has places for them alone, and for the
    board and the sheet.
    """
    board, legend, pictures = None, [], []
    field, scenario = answer.field, answer.scenario
    if field is not None and isinstance(scenario, Scenario):
        from hexforge.modulegen.render.board_key import terrain_svg

        # What `draw` and `excerpt` return has its texts escaped.
        board = Markup(" ")
        pictures = [picture and Markup(" ") for picture in drawn or ()]
        if drawn is None:
            board = Markup(draw(_BOARD, field.grid, answer.position, w, overlay=whole(answer)))
            pictures = [picture and Markup(picture) for picture in _pictures(answer, w, _GROUND)]
        present = {kinds[0] for kinds in field.terrain.values()}
        legend = [(t, Markup(terrain_svg(scenario, t))) for t in scenario.tables.terrain if t in present]
    return {
        "answer": answer,
        "findings": _by_turn(answer, w),
        "combats": _below_phases(((c.line, c) for c in answer.combats), answer, w),
        "moves": _below_phases(((line, (line, *rest)) for line, *rest in _moves(answer, w)), answer, w),
        "understood": answer.understood,
        "w": w,
        "lines": list(_quoted(answer)) if drawn is None else [],
        "pictures": pictures,
        "board": board,
        "legend": legend,
        "off_map": _off_map(answer, w),
        "options": ", ".join(f"{name}={value}" for name, value in sorted(answer.edition.options.items())),
    }


def _by_turn(answer: Answer, w: Words) -> list[tuple[str, list[tuple[int, Finding]]]]:
    """The findings of each phase with their numbers, below what the phase is called."""
    return _below_phases(((f.line, (number, f)) for number, f in enumerate(answer.findings)), answer, w)


def _below_phases(items: Iterable[tuple[int, T]], answer: Answer, w: Words) -> list[tuple[str, list[T]]]:
    """Items with their lines, those of each phase below what it is called."""
    return [(name, [item for _, item in found]) for name, found in Headings(answer, w).grouped(items)]


def _moves(answer: Answer, w: Words) -> list[tuple[int, MoveRecord | None, str]]:
    """What was moved and what was done besides, by lines: its price, or what it was in words."""
    found: list[tuple[int, MoveRecord | None, str]] = [(m.line, m, "") for m in answer.moves]
    found += [(a.line, None, answer.told(a, w.language)) for a in wording.unpriced(answer)]
    return sorted(found, key=lambda item: item[0])


def _quoted(answer: Answer) -> Iterator[tuple[int, Severity | None, str | None]]:
    """The lines of a sheet with the worst found there, each after how many that are left out.

    Blank lines beyond some few are left out, and so are those behind the last that are shown, without a text.
    """
    marks, shown, blank, left_out = answer.marks, 0, 0, 0
    for number, line in enumerate(answer.lines, 1):
        mark = marks.get(number)
        blank = 0 if mark or line.strip() else blank + 1
        if blank > _MOST_BLANK or shown >= _MOST_LINES:
            left_out += 1
            continue
        yield left_out, mark, line
        shown, left_out = shown + 1, 0
    if left_out:
        yield left_out, None, None


def _pictures(answer: Answer, w: Words, below: str) -> Iterator[str | None]:
    """For each finding its piece of the map, unless the one before it has shown the same."""
    left, last = _MOST_PICTURES, None
    for finding in answer.findings:
        worth = finding.severity != "info" and left > 0
        picture = excerpt(finding, answer, w, below) if worth else None
        yield None if picture == last else picture
        left -= picture is not None
        last = picture


def _off_map(answer: Answer, w: Words) -> dict[str, list[str]]:
    """Where units are that stand on no hex, with their ids."""
    found: dict[str, list[str]] = {}
    for unit, state in sorted(answer.position.units.items()) if answer.position else ():
        if state.hex is None and (state.where != "absent" or unit in answer.shown):
            reduced = state.lost
            told = w("report.unit-step", unit=unit, step=w(f"report.step.{state.step}")) if reduced else unit
            found.setdefault(state.where or "absent", []).append(told)
    return found
