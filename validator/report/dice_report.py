"""A survey of dice in words: as text, as a page, and as a workbook."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import IO, TYPE_CHECKING, Any, Final

from ...scenarios.console import lined_up, safe
from ...scenarios.text.words import Words, message
from ..judging.replayed import program
from .dice import Survey
from .pages import page as written
from .workbook import WorkbookPage, opened

if TYPE_CHECKING:
    from .dice import DiceRow, Test
    from .throws import RolledAttack, Throw


_SAYS: Final = ("p", "level", "out", "fair", "luck", "undone")
_TESTS: Final[tuple[Test, ...]] = ("sum", "faces", "runs", "luck")


@dataclass(frozen=True)
class SurveyTold:
    """What templates and lines ask of a survey."""

    survey: Survey
    words: Words
    most: int = 60
    """Rows of a table whose faces are drawn."""

    @property
    def says(self) -> list[str]:
        """What a p says, and what it does not."""
        from .dice import FEWEST

        w, survey = self.words, self.survey
        told = [w(f"dice.says.{key}", level=w.percent(survey.level)) for key in _SAYS]
        unknown = [w("dice.unknown", count=survey.unknown)] if survey.unknown else []
        how = {name: survey.how.get(name, 0) for name in ("sealed", "log", "typed")}
        sealed = [w("dice.how", **how)] if how["sealed"] else []
        return [*sealed, *told, w("dice.few", count=FEWEST), *unknown]

    @property
    def verdict(self) -> str:
        """Whether anything stands out, in a line."""
        if self.survey.empty:
            return self.words("dice.none")
        every = (row for rows in self.survey.tables.values() for row in rows)
        count = sum(len(row.stands_out(self.survey.level)) for row in every)
        return self.words("dice.something", count=count) if count else self.words("dice.nothing")

    def name(self, by: str, row: DiceRow) -> str:
        """What a row is called: a side, or what a sheet throws for, in the reader's language, else as it stands."""
        if by == "side":
            return _side(row.name, self.survey, self.words)
        return self.words.heading("statements", row.name) if by == "button" else row.name

    def flags(self, by: str, rows: Iterable[DiceRow]) -> list[str]:
        """What stands out in a table."""
        w = self.words
        return [
            w(
                "dice.stands-out",
                name=self.name(by, row),
                test=message(f"dice.test.{t.test}"),
                p=self.p(t.p),
                holm=self.p(t.holm),
            )
            for row in rows
            for t in row.stands_out(self.survey.level)
        ]

    def p(self, p: float) -> str:
        """A probability, short."""
        return f"{p:.0e}" if 0 < p < 0.001 else self.words.number(round(p, 3))

    @staticmethod
    def tests(rows: Iterable[DiceRow]) -> list[Test]:
        """The tests that any row of a table has."""
        found = {test.test for row in rows for test in row.tests}
        return [test for test in _TESTS if test in found]

    @staticmethod
    def fought(rows: Iterable[DiceRow]) -> bool:
        """Whether any row of a table has attacks."""
        return any(row.attacks for row in rows)

    def ps(self, row: DiceRow, tests: Iterable[Test]) -> list[str]:
        """The row's probabilities by these tests, "" for what is not tested."""
        known = {test.test: self.p(test.p) for test in row.tests}
        return [known.get(test, "") for test in tests]

    def cells(self, row: DiceRow, fought: object) -> list[str]:
        """The row's figures; those of attacks if any row has some."""
        w = self.words

        def number(value: float | None) -> str:
            return "" if value is None else w.number(round(value, 2))

        found = [str(row.throws), str(row.dice), number(row.mean), number(row.expected)]
        if fought:
            luck = "" if row.luck is None else w.percent(row.luck)
            found += [str(row.attacks), str(row.hits), number(row.hits_expected), luck]
        return found


def lines(survey: Survey, w: Words) -> Iterator[str]:
    """The survey as text."""
    told = SurveyTold(survey, w)
    for by, rows in survey.tables.items():
        if not rows:
            continue
        yield w(f"dice.by.{by}")
        fought, tests = told.fought(rows), told.tests(rows)
        heads = ["throws", "dice", "mean", "expected"]
        heads += ["attacks", "hits", "hits-expected", "luck"] if fought else []
        ps = [w(f"dice.p.{test}") for test in tests]
        head = [w(f"dice.who.{by}"), *(w(f"dice.head.{name}") for name in heads), *ps, w("dice.head.faces")]
        cells = [[told.name(by, row), *told.cells(row, fought), *told.ps(row, tests), _faces(row)] for row in rows]
        yield from lined_up([head, *cells], right=range(1, len(head) - 1), indent=2)
        yield from (f"  ! {safe(line)}" for line in told.flags(by, rows))
        yield ""
    yield safe(told.verdict)
    if not survey.empty:
        yield ""
        yield from told.says


def _faces(row: DiceRow) -> str:
    return "; ".join(f"d{sides}: {' '.join(map(str, faces))}" for sides, faces in row.counts.items())


def page(survey: Survey, w: Words, failures: Sequence[str] = ()) -> str:
    """The survey as one page that needs nothing else."""
    values: dict[str, Any] = {"survey": survey, "told": SurveyTold(survey, w), "failures": failures}
    return written("dice.html.j2", w, program=program(), **values)


# ---------------------------------------------------------------------------------------------- workbook

_HEADS: Final = (
    *("throws", "dice", "mean", "expected", "undone"),
    *("attacks", "hits", "hits-expected", "luck", "runs"),
)
_THROWS: Final = (
    "player", "side", "game", "round", "button", "turn", "phase", "purpose", "log", "place", "faces", "sides",
    "undone", "how",
)  # fmt: skip
_ATTACKS: Final = ("player", "side", "game", "round", "turn", "luck", "chance", "hit")


def write_workbook(file: IO[bytes], survey: Survey, w: Words) -> None:
    """The survey as a workbook: a page for each table, one of all throws, one of all attacks."""
    told = SurveyTold(survey, w)
    with opened(file, w("dice.title")) as (book, looks):
        for by, rows in survey.tables.items():
            ps = (w(f"dice.p.{test}") for test in _TESTS)
            names = (w(f"dice.who.{by}"), *(w(f"dice.head.{head}") for head in _HEADS), *ps, w("dice.head.faces"))
            sheet = WorkbookPage(book.add_worksheet(w(f"dice.by.{by}")), names, looks)
            for row in rows:
                cells = (told.name(by, row), *_cells(row)[1:])
                sheet.add(("doubtful" if row.stands_out(survey.level) else "", cells))
            sheet.close()
        sheet = WorkbookPage(
            book.add_worksheet(w("dice.page.throws")), tuple(w(f"dice.column.{n}") for n in _THROWS), looks
        )
        for throw in survey.throws:
            sheet.add(("", _throw(throw, survey, w)))
        sheet.close()
        if survey.attacks:
            heads_ = tuple(w(f"dice.column.{n}") for n in _ATTACKS)
            sheet = WorkbookPage(book.add_worksheet(w("dice.page.attacks")), heads_, looks)
            for attack in survey.attacks:
                sheet.add(("", _attack(attack, survey, w)))
            sheet.close()
        says = WorkbookPage(book.add_worksheet("p"), (told.verdict[:200],), looks)
        for line in told.says:
            says.add(("", (line,)))
        says.close()


def _cells(row: DiceRow) -> tuple[str | int | float | None, ...]:
    known = {test.test: test.p for test in row.tests}
    fought = (row.attacks, row.hits, row.hits_expected, row.luck)
    dice = (row.name, row.throws, row.dice, row.mean, row.expected, row.undone)
    return (*dice, *fought, row.runs, *(known.get(test) for test in _TESTS), _faces(row))


def _side(side: str, survey: Survey, w: Words) -> str:
    return survey.sides.get(side, {}).get(w.language) or side


def _throw(t: Throw, survey: Survey, w: Words) -> tuple[str | int | None, ...]:
    faces = " ".join(map(str, t.faces))
    undone = w("dice.yes") if t.undone else ""
    phase = w.heading("phases", t.phase) if t.phase else ""
    side = _side(t.side, survey, w)
    button, purpose = (w.heading("statements", name) if name else "" for name in (t.button, t.purpose))
    return (
        t.player, side, t.game, t.round, button, t.turn or None, phase, purpose, t.log, t.place, faces,
        t.sides or None, undone, w(f"dice.thrown.{t.how}"),
    )  # fmt: skip


def _attack(a: RolledAttack, survey: Survey, w: Words) -> tuple[str | int | float | None, ...]:
    side = _side(a.side, survey, w)
    luck, chance = a.luck / (2 * a.throws), a.hits / a.throws
    return a.player, side, a.game, a.round, a.turn, luck, chance, w("dice.yes" if a.hit else "dice.no")
