"""Lines of a mail as they were meant: broken ones are joined, and a beginning that nobody wrote is made out.

Lines are joined only where the whole is a statement and the second is none by itself.

The beginning of a sheet that nobody wrote: a mail says what game it is of and then plays, without `sheet 1`. A text
begins a sheet so only where it opens a phase, and names one game alone: in a line with `game`, in one of its own,
beside its first turn, anywhere in what it says, else in its subject or the name of its file.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Final

from ..notation import base, games, statements, statements_head
from ..notation.cursor import is_comment, uncommented
from ..notation.vocabulary import notation
from ..notation.words import fold
from .infer_game import Surmise, surmised, untrimmed
from .line_classifier import MAX_LINE, Ear
from .mails.mime import Letter, TypedText
from .mails.quoting import TextRow
from .mails.threads import untagged

MAX_BROKEN: Final = 6
"""Into how many pieces a line may have been broken."""
WIDTH: Final = 60
"""Mailers break no line that is shorter."""
_SIGNATURE: Final = "--"
_WORD: Final = re.compile(r"[^\W\d_]+")
_CONTINUES: Final = "\\"
_HEADING: Final = re.compile(r"\s*#{1,6}\s+(?=\S)")
_JOINS: Final = (",", "+", "&", "->", ">", "\u2192", "-", "\u2013")
_ENCODED: Final = re.compile(r"[A-Za-z0-9+/]{40,}={0,2}")
_TURNED: Final = re.compile(r"[a-z][A-Z]|[A-Z][a-z]")
_TURNS: Final = 8


@dataclass(frozen=True, slots=True)
class Heard:
    """One line as it was meant, of one or more rows. `statement` is what it says, if it can be read by itself.

    `says`: it is a statement or nearly one. `below_signature`:
    it stands where a mail's text has ended. `begins_sheet`: it is the line that begins one, misspelt as it may be.
    `aside`: it says who wrote what is quoted right below it, or where its writer is to be reached.
    `opens`: the game whose sheet it begins and does not say so, `surmised` by what, where no text says it.
    `unwritten`: lines that stand for what it does not say; `read_as`: what stands for it with that. `typed`: as it
    stands there, where `text` says the whole of it. `encoded`: it is of a file, in letters that nobody reads.
    """

    rows: tuple[TextRow, ...]
    text: str
    statement: base.Statement | None
    says: bool
    below_signature: bool = False
    begins_sheet: bool = False
    aside: bool = False
    opens: str = ""
    surmised: str = ""
    unwritten: tuple[str, ...] = ()
    read_as: str = ""
    typed: str = ""
    encoded: bool = False

    @property
    def first(self) -> TextRow:
        """Where it begins."""
        return self.rows[0]

    @property
    def key(self) -> str:
        """What it says, however it is spaced and spelt: by this it is known again where it is quoted."""
        return "".join(uncommented(self.typed or self.text).casefold().translate(_LOOSE).split())

    def opening(self, turn: statements.TurnStart, ear: Ear) -> Heard:
        """The same line as one that opens a phase, of which it says only a part."""
        written = ear.written(turn)
        return replace(self, text=written, typed=self.text, statement=turn, says=True)


_LOOSE: Final = str.maketrans(dict.fromkeys(',;"*\u201c\u201d\\', " "))


def heard(rows: Sequence[TextRow], ear: Ear, *, strict: bool = False) -> list[Heard]:
    """The lines of a text. `strict`: it is a sheet, in which every line is meant as a statement."""
    return list(_lines(rows, ear, strict=strict))


def _lines(rows: Sequence[TextRow], ear: Ear, *, strict: bool) -> Iterator[Heard]:
    placing: dict[int, bool] = {}
    at = 0
    signed = -1
    while at < len(rows):
        row = rows[at]
        if not strict and is_encoded(row.text):
            yield Heard((row,), row.text, None, False, signed >= 0, aside=True, encoded=True)
            at += 1
            continue
        signs = row.text.strip() == _SIGNATURE and not strict
        signed = row.depth if signs else signed if row.depth == signed else -1
        places = placing.get(row.depth, False)
        count, text = (1, row.text) if strict else _whole(rows, at, ear, places)
        statement = None if row.blank or is_comment(text) else ear.reads(text, placing=places)
        aside = statement is None and count == 1 and (_introduces(rows, at) or _reaches(text, ear))
        opens = isinstance(statement, statements_head.SheetVersion) or (not strict and ear.nearly_opens(text))
        says = not aside and not row.blank and not is_comment(text) and (opens or ear.says(text, placing=places))
        found = Heard(tuple(rows[at : at + count]), text, statement, says, signed >= 0, opens, aside)
        match found.statement:
            case statements_head.PositionStart() | statements_head.SetupStart():
                placing[row.depth] = True
            case base.Opening():
                placing[row.depth] = False
            case statements_head.Naming(unit=unit):
                ear.learn(unit)
        yield found
        at += count


def is_encoded(text: str) -> bool:
    """Whether a line is one of a file in base64: an attachment may stand in a mail as if it were its text."""
    text = text.strip()
    return _ENCODED.fullmatch(text) is not None and len(_TURNED.findall(text)) >= _TURNS


def _whole(rows: Sequence[TextRow], at: int, ear: Ear, placing: bool) -> tuple[int, str]:
    """How many rows are one line, and that line."""
    row = rows[at]
    if heading := _HEADING.match(row.text):
        # Of the notation it is a remark; people head the parts of a text so.
        text = row.text[heading.end() :]
        if ear.opens(text):
            return 1, text
    if row.blank or is_comment(row.text):
        return 1, row.text
    if (opening := _opening(rows, at, ear)) is not None:
        return opening
    text, count = row.text, 1
    while text.rstrip().endswith(_CONTINUES) and (below := _below(rows, at, count)) is not None:
        text, count = text.rstrip().removesuffix(_CONTINUES) + " " + below.text, count + 1
    best = (count, text)
    if ear.tired or ear.is_mute(text):
        return best
    alone = ear.reads(text, placing=placing) is not None
    while count < MAX_BROKEN and (below := _below(rows, at, count)) is not None:
        above = rows[at + count - 1]
        full = _is_full(above, below)
        joint = above.text.rstrip().endswith(_JOINS) or below.text.lstrip().startswith(("->", "\u2192", "+ ", "& "))
        # Nobody writes a line of hexes, or of units, alone but as the rest of one above it.
        data = ear.is_data(below.text) and (full or ear.is_list(text, below.text))
        joint = joint or (above.text.rstrip().endswith(":") and ear.tells(above.text) and ear.is_data(below.text))
        coded = ear.are_codes(above.text.split()[-1], *below.text.split())
        by_itself = ear.reads(below.text, placing=placing) is not None or ear.heads(below.text)
        goes_on = above.soft or coded or (joint and full) or (full and not alone and ear.tells(text))
        if not (joint or data or full or coded) or (by_itself and not goes_on):
            break
        text, count = text.rstrip() + above.glue + below.text.strip(), count + 1
        if ear.reads(text, placing=placing) is not None:
            best, alone = (count, text), True
        elif alone:
            break
    return best


def _introduces(rows: Sequence[TextRow], at: int) -> bool:
    """Whether a line says who wrote what is quoted below it: a date may look like units and hexes."""
    row = rows[at]
    below = next((r for r in rows[at + 1 :] if not r.blank), None)
    quotes = below is not None and below.depth > row.depth and row.text.rstrip().endswith(":")
    return quotes and any(notation().meaning("quoting", word) == "writes" for word in _words(row.text))


def _reaches(text: str, ear: Ear) -> bool:
    """Whether a line begins as one of a signature that says where its writer is to be reached."""
    first = next(_words(text), "")
    return notation().meaning("quoting", first) == "reached" and not ear.begins(text)


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
        if isinstance(ear.reads(text), base.Opening):
            return (count, text) if count > 1 else None
    return None


def _below(rows: Sequence[TextRow], at: int, count: int) -> TextRow | None:
    """The row that may go on with a line: quoted like it, or left without its mark by the mailer that broke it."""
    if at + count >= len(rows):
        return None
    row, first = rows[at + count], rows[at]
    if row.blank or untrimmed(row.text) != row.text or row.text.lstrip().startswith(("#", "//", _SIGNATURE, "|")):
        return None
    return row if row.depth in (first.depth, 0) and row.depth <= first.depth else None


def _is_full(above: TextRow, below: TextRow) -> bool:
    """Whether a mailer may have broken a line here, for the next word would not have stood on it."""
    return above.soft or len(above.raw.rstrip()) + 1 + len(below.text.split()[0]) > WIDTH


_TURN: Final = re.compile(r"\b(?:turno?|t)\.? ?[0-9]{1,2}\b", re.IGNORECASE)
"""How a turn is named, beside which a game is the one that is played."""
_LONGEST: Final = 200
_AROUND: Final = " \t.:;,!-=*_#|\"'"
_MOVEMENT: Final = "movement"


def game_told(letter: Letter, typed: TypedText) -> Surmise:
    """The one game that a text tells of; none where it names several. One that names none may tell it otherwise."""
    own = [row.text for row in typed.rows]
    beside = [text for text in own if _TURN.search(text[:_LONGEST])]
    named = games.called(own, letter.file)
    subject = games.called([letter.subject], letter.file)
    if len(named) == len(subject) == 1 and named != subject and not games.called(beside, letter.file):
        return Surmise(likely=next(iter(subject)))  # `… as when we played Metz`: one of them is talk
    for texts in (beside, own, [letter.subject, typed.name], [Path(letter.file).name]):
        if found := games.called(texts, letter.file):
            return Surmise(next(iter(found)) if len(found) == 1 else "")
    return surmised(letter.file, own)


def headed(lines: Sequence[Heard], subject: str, ear: Ear) -> list[Heard]:
    """Lines of which none opens a phase, with the first that does so if the mail's subject stands before it.

    `Metz T4 german` above `MOVEMENT`, or above moves of that side alone, if it is no answer to such a mail.
    """
    found = completed(lines, ear)
    if not subject or any(isinstance(line.statement, base.Opening) for line in found):
        return found
    said = " ".join(w for w in untagged(subject).split() if ear.is_of_turn(fold(w).strip(_AROUND)))
    begins = -1
    for i, line in enumerate(found):
        if line.below_signature or line.first.depth:
            continue
        begins = (
            i if begins < 0 and line.says and not isinstance(line.statement, statements_head.GameName) else begins
        )
        if isinstance(line.statement, statements.Move) and untagged(subject) == subject:
            turn = _read_turn(f"{said} {_MOVEMENT}", ear)
            if turn is not None and all(ear.side(unit) == turn.side for unit in line.statement.units):
                found[begins] = replace(found[begins], unwritten=(ear.written(turn),))
            break
        if ear.heads(line.text):
            turn = _read_turn(f"{said} {untrimmed(line.text).strip(_AROUND)}", ear)
            if turn is not None and _may_play(found, turn.side, ear):
                found[i] = line.opening(turn, ear)
            break
    return found


def _may_play(lines: Sequence[Heard], side: str, ear: Ear) -> bool:
    """Whether some of those who move are of a side, if any do: the other player answers under the same subject."""
    moves = (line.statement for line in lines if isinstance(line.statement, statements.Move | statements.Enter))
    whose = {ear.side(unit) for move in moves for unit in move.units}
    return not whose or side in whose


def completed(lines: Sequence[Heard], ear: Ear) -> list[Heard]:
    """Lines with those that say a turn and a side, and open the phase that a line below them names, or begins.

    `Metz T1 US` above `air die 4` and `Movement`, or above moves alone.
    """
    found = list(lines)
    heads = [i for i, line in enumerate(found) if not _is_aside(line) and _heads(line, ear)]
    for at, i in enumerate(heads):
        if isinstance(found[i].statement, base.Opening):
            continue
        below = heads[at + 1] if at + 1 < len(heads) else len(found)
        said = [line for line in found[i + 1 : below] if line.says and not _is_aside(line)]
        turn = _together(found[i], found[below], ear) if below < len(found) else None
        if turn is None or (said and turn.phase != _MOVEMENT):
            # What cannot be read above the first move is of no other phase.
            first = next((line.statement for line in said if line.statement is not None), None)
            plays = isinstance(first, base.Play) and not isinstance(first, statements.Engagement)
            turn = _read_turn(f"{_implied_bare(found[i])} {_MOVEMENT}", ear) if plays else None
        elif not isinstance(found[below].statement, base.Opening):
            found[below] = found[below].opening(turn, ear)
        if turn is not None:
            found[i] = found[i].opening(turn, ear)
    return found


def _heads(line: Heard, ear: Ear) -> bool:
    return isinstance(line.statement, base.Opening) or ear.heads(line.text)


def _is_aside(line: Heard) -> bool:
    return bool(line.below_signature or line.first.depth or line.first.blank)


def _together(one: Heard, other: Heard, ear: Ear) -> statements.TurnStart | None:
    """The phase that two lines open only together."""
    if isinstance(other.statement, base.Opening):
        return None
    return _read_turn(f"{_implied_bare(one)} {_implied_bare(other)}", ear)


def _implied_bare(line: Heard) -> str:
    return untrimmed(line.text).strip(_AROUND)


def _read_turn(text: str, ear: Ear) -> statements.TurnStart | None:
    turn = ear.reads(text)
    return turn if isinstance(turn, statements.TurnStart) else None


def opened(lines: Sequence[Heard], name: str, ear: Ear, by: str = "") -> list[Heard]:
    """Lines, in the order of reading, with the first that says something made the beginning of a sheet.

    `by`: what tells the game `name`, where the text does not say it.
    """
    found = list(lines)
    plays = any(line.unwritten or _opens(line, ear) for line in found if not line.below_signature)
    if not plays or any(line.begins_sheet for line in found):
        return found
    named = next((i for i, line in enumerate(found) if isinstance(line.statement, statements_head.GameName)), -1)
    if named < 0:
        named = next((i for i, line in enumerate(found) if fold(untrimmed(line.text).strip(_AROUND)) == name), -1)
        if named >= 0:
            text = ear.written(statements_head.GameName(found[named].first.number, name))
            found[named] = replace(found[named], text=text, statement=ear.reads(text), says=True)
    own = [i for i, line in enumerate(found) if not line.below_signature]
    first = next((i for i in own if found[i].says or _opens(found[i], ear)), 0)
    if 0 <= first < named:
        # The game is named below what is said first: that line has told what it can.
        found[named] = replace(found[named], statement=None)
        named = -1
    elif named >= 0:
        first = named
        found[named] = replace(found[named], says=True)
    line, said = found[first], ["sheet 1"] if named >= 0 else ["sheet 1", f"game {name}"]
    said += line.unwritten
    # In the line itself where that can be, so that all keep their numbers.
    # All that the line says: it may open a phase and play on.
    each = ear.reads_each(line.text) if line.statement is not None and not line.typed else []
    each = each or [one for one in [line.statement] if one is not None]
    once = len(said) == 1 or not any(isinstance(one, statements_head.GameName) for one in each)
    whole = "; ".join([*said, *map(ear.written, each)]) if each and once else ""
    unwritten = () if whole else ("; ".join(said),)
    found[first] = replace(line, begins_sheet=True, opens=name, surmised=by, unwritten=unwritten, read_as=whole)
    return found


def _opens(line: Heard, ear: Ear) -> bool:
    """Whether a line opens a phase, misspelt as it may be."""
    if isinstance(line.statement, base.Opening):
        return True
    return not line.first.depth and not is_comment(line.text) and ear.nearly_heads(line.text)
