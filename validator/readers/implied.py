"""The beginning of a sheet that nobody wrote: a mail says what game it is of and then plays, without `sheet 1`.

A text begins a sheet so only where it opens a phase, and names one game alone: in a line with `game`, in a line of
its own, beside its first turn, anywhere in what it says, else in its subject or the name of its file.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Final

from hexforge.validator import games
from hexforge.validator.readers.likeness import Ear
from hexforge.validator.readers.mails.mime import Letter, TypedText
from hexforge.validator.readers.mails.threads import untagged
from hexforge.validator.readers.notation import statements as st
from hexforge.validator.readers.notation.lexer import is_comment
from hexforge.validator.readers.notation.words import fold
from hexforge.validator.readers.spelling import untrimmed
from hexforge.validator.readers.surmised import Surmise, surmised
from hexforge.validator.readers.wrapping import Heard

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
    if not subject or any(isinstance(line.statement, st.Opening) for line in found):
        return found
    said = " ".join(w for w in untagged(subject).split() if ear.is_of_turn(fold(w).strip(_AROUND)))
    begins = -1
    for i, line in enumerate(found):
        if line.below_signature or line.first.depth:
            continue
        begins = i if begins < 0 and line.says and not isinstance(line.statement, st.GameName) else begins
        if isinstance(line.statement, st.Move) and untagged(subject) == subject:
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
    moves = (line.statement for line in lines if isinstance(line.statement, st.Move | st.Enter))
    whose = {ear.side(unit) for move in moves for unit in move.units}
    return not whose or side in whose


def completed(lines: Sequence[Heard], ear: Ear) -> list[Heard]:
    """Lines with those that say a turn and a side, and open the phase that a line below them names, or begins.

    `Metz T1 US` above `air die 4` and `Movement`, or above moves alone.
    """
    found = list(lines)
    heads = [i for i, line in enumerate(found) if not _is_aside(line) and _heads(line, ear)]
    for at, i in enumerate(heads):
        if isinstance(found[i].statement, st.Opening):
            continue
        below = heads[at + 1] if at + 1 < len(heads) else len(found)
        said = [line for line in found[i + 1 : below] if line.says and not _is_aside(line)]
        turn = _together(found[i], found[below], ear) if below < len(found) else None
        if turn is None or (said and turn.phase != _MOVEMENT):
            # What cannot be read above the first move is of no other phase.
            first = next((line.statement for line in said if line.statement is not None), None)
            plays = isinstance(first, st.Play) and not isinstance(first, st.Engagement)
            turn = _read_turn(f"{_bare(found[i])} {_MOVEMENT}", ear) if plays else None
        elif not isinstance(found[below].statement, st.Opening):
            found[below] = found[below].opening(turn, ear)
        if turn is not None:
            found[i] = found[i].opening(turn, ear)
    return found


def _heads(line: Heard, ear: Ear) -> bool:
    return isinstance(line.statement, st.Opening) or ear.heads(line.text)


def _is_aside(line: Heard) -> bool:
    return bool(line.below_signature or line.first.depth or line.first.blank)


def _together(one: Heard, other: Heard, ear: Ear) -> st.TurnStart | None:
    """The phase that two lines open only together."""
    if isinstance(other.statement, st.Opening):
        return None
    return _read_turn(f"{_bare(one)} {_bare(other)}", ear)


def _bare(line: Heard) -> str:
    return untrimmed(line.text).strip(_AROUND)


def _read_turn(text: str, ear: Ear) -> st.TurnStart | None:
    turn = ear.reads(text)
    return turn if isinstance(turn, st.TurnStart) else None


def opened(lines: Sequence[Heard], name: str, ear: Ear, by: str = "") -> list[Heard]:
    """Lines, in the order of reading, with the first that says something made the beginning of a sheet.

    `by`: what tells the game `name`, where the text does not say it.
    """
    found = list(lines)
    plays = any(line.unwritten or _opens(line, ear) for line in found if not line.below_signature)
    if not plays or any(line.begins_sheet for line in found):
        return found
    named = next((i for i, line in enumerate(found) if isinstance(line.statement, st.GameName)), -1)
    if named < 0:
        named = next((i for i, line in enumerate(found) if fold(untrimmed(line.text).strip(_AROUND)) == name), -1)
        if named >= 0:
            text = ear.written(st.GameName(found[named].first.number, name))
            found[named] = replace(found[named], text=text, statement=ear.reads(text), says=True)
    own = [i for i, line in enumerate(found) if not line.below_signature]
    first = next((i for i in own if found[i].says or _opens(found[i], ear)), 0)
    if 0 <= first < named:
        # The game is named below what is said first: that line has told what it can.
        found[named] = replace(found[named], statement=None, says=False)
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
    once = len(said) == 1 or not any(isinstance(one, st.GameName) for one in each)
    whole = "; ".join([*said, *map(ear.written, each)]) if each and once else ""
    unwritten = () if whole else ("; ".join(said),)
    found[first] = replace(line, begins_sheet=True, opens=name, surmised=by, unwritten=unwritten, read_as=whole)
    return found


def _opens(line: Heard, ear: Ear) -> bool:
    """Whether a line opens a phase, misspelt as it may be."""
    if isinstance(line.statement, st.Opening):
        return True
    return not line.first.depth and not is_comment(line.text) and ear.nearly_heads(line.text)
