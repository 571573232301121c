"""Lines that a mailer broke become one again, and each is heard: is it a statement, nearly one, or talk?

Lines are joined only where the second is no statement by itself, and where the whole then is one.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Final

from hexforge.validator.readers.likeness import MAX_LINE, Ear, Meant
from hexforge.validator.readers.mails.quoting import TextRow
from hexforge.validator.readers.notation import statements as st
from hexforge.validator.readers.notation.lexer import is_comment, uncommented
from hexforge.validator.readers.notation.words import fold
from hexforge.validator.readers.phrases.deeds import talk
from hexforge.validator.readers.phrases.listing import lists
from hexforge.validator.readers.spelling import untrimmed

MAX_BROKEN: Final = 6
"""Into how many pieces a line may have been broken."""
WIDTH: Final = 60
"""Mailers break no line that is shorter."""
_SIGNATURE: Final = "--"
_WORD: Final = re.compile(r"[^\W\d_]+")
_LABEL: Final = re.compile(r"\s*[\w-]{1,40}\s?:")
_CONTINUES: Final = "\\"


@dataclass(frozen=True, slots=True)
class Heard:
    """One line as it was meant, of one or more rows. `statement` is what it says, if it can be read by itself.

    `says`: it is a statement or nearly one, by what it is `meant` as and by the lines around it. `below_signature`:
    it stands where a mail's text has ended. `begins_sheet`: it is the line that begins one, misspelt as it may be.
    `aside`: it says who wrote what is quoted right below it, or where its writer is to be reached.
    `opens`: the game whose sheet it begins and does not say so, `surmised` by what, where no text says it.
    `unwritten`: lines that stand for what it does not say; `read_as`: what stands for it with that. `typed`: as it
    stands there, where `text` says the whole of it.
    """

    rows: tuple[TextRow, ...]
    text: str
    statement: st.Statement | None
    meant: Meant
    says: bool
    below_signature: bool = False
    begins_sheet: bool = False
    aside: bool = False
    opens: str = ""
    surmised: str = ""
    unwritten: tuple[str, ...] = ()
    read_as: str = ""
    typed: str = ""

    @property
    def first(self) -> TextRow:
        """Where it begins."""
        return self.rows[0]

    @property
    def key(self) -> str:
        """What it says, however it is spaced and spelt: by this it is known again where it is quoted."""
        return "".join(uncommented(self.typed or self.text).casefold().translate(_LOOSE).split())

    def opening(self, turn: st.TurnStart, ear: Ear) -> Heard:
        """The same line as one that opens a phase, of which it says only a part."""
        written = ear.written(turn)
        return replace(self, text=written, typed=self.text, statement=turn, meant=Meant.YES, says=True)


_LOOSE: Final = str.maketrans(dict.fromkeys(',;"*\u201c\u201d\\', " "))


def heard(rows: Sequence[TextRow], ear: Ear, *, strict: bool = False) -> list[Heard]:
    """The lines of a text. `strict`: it is a sheet, in which every line is meant as a statement."""
    return _settled(list(_lines(rows, ear, strict=strict)), ear)


def _settled(lines: list[Heard], ear: Ear) -> list[Heard]:
    """The lines, with those that may be talk told from statements by what stands above and below them."""
    spoken = [i for i, line in enumerate(lines) if not (line.first.blank or is_comment(line.text))]
    above: Heard | None = None
    listed = False
    for at, i in enumerate(spoken):
        line = lines[i]
        if (
            line.meant is Meant.PERHAPS
            and above is not None
            and above.says
            and above.first.depth == line.first.depth
        ):
            below = lines[spoken[at + 1]] if at + 1 < len(spoken) else None
            adjacent = not any(between.first.blank for between in lines[spoken[at - 1] + 1 : i])
            follows = below is not None and below.says and below.first.depth == line.first.depth
            lines[i] = line = replace(line, says=adjacent or follows)
        listed = _goes_on(above, line, ear, listed=listed)
        if not line.says and (listed or _is_left(above, line, ear)):
            lines[i] = line = replace(line, says=True)
        above = line
    return lines


def _is_left(above: Heard | None, line: Heard, ear: Ear) -> bool:
    """Whether a line right below a unit, or a combat of which nobody is said to attack, may be the rest of it."""
    if above is None or line.statement is not None or is_comment(line.text) or line.below_signature:
        return False
    if above.rows[-1].number + 1 != line.first.number or above.first.depth != line.first.depth:
        return False
    match above.statement:
        case st.Naming() | st.Placement():
            return ear.is_rest(line.text)
        case st.Combat():
            return ear.tells(line.text) and len(ear.reads_each(above.text)) == 1
    return False


def _goes_on(above: Heard | None, line: Heard, ear: Ear, *, listed: bool) -> bool:
    """Whether a line right below a list of units may name more of them, or one below that, which did so itself."""
    if above is None or line.statement is not None or is_comment(line.text):
        return False
    adjacent = above.rows[-1].number + 1 == line.first.number and above.first.depth == line.first.depth
    below = adjacent and (listed or (above.says and lists(above.statement)))
    return below and not line.below_signature and ear.lists_on(above.text, line.text)


def _lines(rows: Sequence[TextRow], ear: Ear, *, strict: bool) -> Iterator[Heard]:
    placing: dict[int, bool] = {}
    at = 0
    signed = -1
    while at < len(rows):
        row = rows[at]
        signed = (
            row.depth if row.text.strip() == _SIGNATURE and not strict else signed if row.depth == signed else -1
        )
        count, text = (1, row.text) if strict else _whole(rows, at, ear, placing.get(row.depth, False))
        statement, meant = ear.hears(text, placing=placing.get(row.depth, False))
        aside = statement is None and count == 1 and (_introduces(rows, at) or _reaches(text, ear))
        if aside:
            meant = Meant.NO
        opens = isinstance(statement, st.SheetVersion) or (not strict and ear.nearly_opens(text))
        found = Heard(
            tuple(rows[at : at + count]),
            text,
            statement,
            meant,
            opens or meant is Meant.YES,
            signed >= 0,
            opens,
            aside,
        )
        match found.statement:
            case st.PositionStart() | st.SetupStart():
                placing[row.depth] = True
            case st.Opening():
                placing[row.depth] = False
            case st.Naming(unit=unit):
                ear.learn(unit)
        yield found
        at += count


def _whole(rows: Sequence[TextRow], at: int, ear: Ear, placing: bool) -> tuple[int, str]:
    """How many rows are one line, and that line."""
    row = rows[at]
    if row.blank or is_comment(row.text):
        return 1, row.text
    if (opening := _opening(rows, at, ear)) is not None:
        return opening
    text = _bare(row.text, ear, placing)
    count = 1
    while text.rstrip().endswith(_CONTINUES) and (below := _below(rows, at, count, ear)) is not None:
        text, count = text.rstrip().removesuffix(_CONTINUES) + " " + below.text, count + 1
    best = (count, text)
    alone = ear.reads(text, placing=placing) is not None
    takes = partial(_takes, ear, placing)
    whole, sure = takes(text), True
    if not alone and not ear.begins(text) and not ear.nears(text):
        return best
    while count < MAX_BROKEN and (below := _below(rows, at, count, ear)) is not None:
        above = rows[at + count - 1]
        leads = ear.leads_on(above.text) and not _is_item(below)
        cut = leads or (not _is_alike(row, below) and _is_cut(above, below, ear, takes, whole=whole))
        if not cut and (
            _is_next_item(row, above, below, ear)
            or _by_itself(below.text, ear, placing)
            or not _may_join(above, below, ear, alone=alone)
        ):
            break
        text, count = text.rstrip() + above.glue + below.text.strip(), count + 1
        more = leads or not cut or _says_more(ear, text, best[1], placing)
        sure = sure and cut
        whole = more and (takes(text) if sure else ear.takes(text, placing=placing))
        if whole:
            best, alone = (count, text), True
    return best


def _takes(ear: Ear, placing: bool, text: str) -> bool:
    """Whether a line is a statement, be it one that only a combat can hold."""
    return ear.takes(text, placing=placing) or (not placing and ear.takes(text, fighting=True))


def _is_item(row: TextRow) -> bool:
    """Whether a line begins with the bullet of a list, or with what begins a remark or a signature."""
    return untrimmed(row.text) != row.text or row.text.lstrip().startswith(("#", "//", _SIGNATURE))


def _is_alike(first: TextRow, below: TextRow) -> bool:
    """Whether two rows begin with a label each: `0705: …`, `0806: …` are told one below the other."""
    return bool(_LABEL.match(first.text) and _LABEL.match(below.text))


def _is_cut(above: TextRow, below: TextRow, ear: Ear, takes: Callable[[str], bool], *, whole: bool) -> bool:
    """Whether a mailer seems to have broken a line between two rows, whatever the second may say by itself.

    `takes`: whether a line is a statement; `whole`: what stands above the second is one. A row with a verb of its
    own is a line of its own, and so are two that are statements, but for the codes of one result.
    """
    if _is_item(below):
        return False
    coded = ear.are_codes(above.text) and ear.are_codes(below.text.split()[0].strip(",.;"))
    return _is_full(above, below) and (coded or (ear.is_tacit(below.text) and not (whole and takes(below.text))))


def _says_more(ear: Ear, text: str, than: str, placing: bool) -> bool:
    """Whether a line says what another does not, of which it is the whole."""
    forms = (False,) if placing else (False, True)
    said, told = ([ear.reads_each(each, placing=placing, fighting=form) for form in forms] for each in (text, than))
    return said != told


def _introduces(rows: Sequence[TextRow], at: int) -> bool:
    """Whether a line says who wrote what is quoted below it: a date may look like units and hexes."""
    row = rows[at]
    below = next((r for r in rows[at + 1 :] if not r.blank), None)
    quotes = below is not None and below.depth > row.depth and row.text.rstrip().endswith(":")
    return quotes and any(talk()["quoting"].get(word) == "writes" for word in _words(row.text))


def _reaches(text: str, ear: Ear) -> bool:
    """Whether a line begins as one of a signature that says where its writer is to be reached."""
    first = next(_words(text), "")
    return talk()["quoting"].get(first) == "reached" and not ear.begins(text)


def _words(text: str) -> Iterator[str]:
    return (fold(word) for word in _WORD.findall(text[:MAX_LINE]))


def _opening(rows: Sequence[TextRow], at: int, ear: Ear) -> tuple[int, str] | None:
    """The rows that open a phase only together, `Turn 2` above `American movement`, as one line."""
    said: list[str] = []
    for count, row in enumerate(rows[at : at + MAX_BROKEN], 1):
        if row.depth != rows[at].depth or not (row.blank or ear.heads(row.text)):
            return None
        said.append(untrimmed(row.text))
        text = " ".join(" ".join(said).split())
        if isinstance(ear.reads(text), st.Opening):
            return (count, text) if count > 1 else None
    return None


def _bare(text: str, ear: Ear, placing: bool) -> str:
    """A line without the bullet before it, where it says something only so."""
    bare = untrimmed(text)
    if bare == text or ear.reads(text, placing=placing) is not None:
        return text
    return bare if ear.reads(bare, placing=placing) is not None or ear.nears(bare) else text


def _is_next_item(first: TextRow, above: TextRow, below: TextRow, ear: Ear) -> bool:
    """Whether a line is the next of a list, and its bullet no dash of the way that the line above it tells."""
    bare = untrimmed(below.text)
    if bare == below.text or untrimmed(first.text) == first.text:
        return False
    return not (ear.is_way(bare) and ear.goes_from(above.text, bare))


def _below(rows: Sequence[TextRow], at: int, count: int, ear: Ear) -> TextRow | None:
    """The row that may go on with a line: quoted like it, or left without its mark by the mailer that broke it."""
    if at + count >= len(rows):
        return None
    row, first = rows[at + count], rows[at]
    if row.blank:
        return None
    if row.depth == first.depth + 1 and _steps_on(rows[at + count - 1], row, ear):
        return row
    return row if row.depth in (first.depth, 0) and row.depth <= first.depth else None


def _steps_on(above: TextRow, row: TextRow, ear: Ear) -> bool:
    """Whether what looks like the mark of a quote is an arrow of the way that the row above tells: `> 0809`."""
    ends, begins = above.text.split(), row.text.split()
    ways = bool(ends) and ear.is_way(ends[-1]) and ear.is_way(begins[0])
    return ways and _is_full(above, row) and ear.goes_from(ends[-1], begins[0])


def _by_itself(text: str, ear: Ear, placing: bool) -> bool:
    """Whether a line is a statement of its own, good or bad."""
    bare = untrimmed(text)
    if ear.begins(bare) or bare.lstrip().startswith(("#", "//", "--")):
        return True
    return ear.reads(bare, placing=placing) is not None and not ear.is_tacit(bare)


def _may_join(above: TextRow, below: TextRow, ear: Ear, *, alone: bool) -> bool:
    """Whether a row may be the rest of the one above, which makes sense `alone`."""
    if not ear.is_data(below.text):
        return False
    bare = untrimmed(below.text)
    if bare != below.text and ear.reads(bare) is not None:
        return False  # another of a list
    if ear.is_way(below.text) and not above.soft and not ear.goes_from(above.text, below.text):
        return False  # its first number is a unit's, perhaps
    if ear.are_codes(bare) and bare.lstrip()[:1].isdigit():
        return False  # the dice, and what came of them
    if ear.adds(bare) and (not alone or ear.reads(bare) is None):
        return True
    whole = alone or ear.reads(bare) is None
    # Nobody writes a line of hexes alone but as the rest of a way, however short the line above it is.
    if (
        (not alone and whole)
        or above.soft
        or above.text.rstrip().endswith((",", "+", "&"))
        or (ear.is_way(below.text) and ear.is_way(above.text.split()[-1]))
    ):
        return True
    if alone and isinstance(ear.reads(bare), st.Result) and not ear.are_codes(above.text):
        return False  # what came of the dice, in a line of its own
    if ear.are_codes(above.text) and all(map(ear.are_codes, below.text.split())):
        return True
    return _is_full(above, below)


def _is_full(above: TextRow, below: TextRow) -> bool:
    """Whether a mailer may have broken a line here, for the next word would not have stood on it."""
    return above.soft or len(above.raw.rstrip()) + 1 + len(below.text.split()[0]) > WIDTH
