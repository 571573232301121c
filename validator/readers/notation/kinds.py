"""What an argument of a statement may be: how it is read and written, and what a hint calls it.

A kind's `name` is its key under `expected` (what a reader hoped for) and under `parts` (what the tables of
statements call it) in `art/words/notation.LANGUAGE.yaml`.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from typing import Any, Final

from hexforge.scenarios.words import Language, Message
from hexforge.validator.readers.notation.cursor import DIGIT, NUMBER, WORD, Cursor, expected
from hexforge.validator.readers.notation.lexer import Token
from hexforge.validator.readers.notation.words import Vocabulary, joined

OPEN: Final = "-"
"""In a path: the way between two hexes is left open."""
SINCE: Final = frozenset(("arrived", "engaged-since", "since"))
"""Flags that say since which turn."""
MAX_SIZE: Final = 99
_BARE: Final = re.compile(r"[^\W_][\w.'-]*", re.ASCII)
_CODES_JOINED: Final = re.compile(r"[A-Za-z][A-Za-z0-9]*(?:[-+][A-Za-z][A-Za-z0-9]*)*")
_DIE_KIND: Final = re.compile(r"[0-9]?[dD](?:4|6|8|10|12|20)")
_DICE_JOINED: Final = re.compile(r"(?:[1-9]|10)(?:-(?:[1-9]|10))+")
_HASH: Final = re.compile(r"[0-9a-f]{8,64}")


@dataclass(frozen=True)
class Pen:
    """Writes words in one language."""

    words: Vocabulary
    language: Language

    def word(self, section: str, id_: str) -> str:
        """A word as the language writes it."""
        return self.words.write(section, id_, self.language)


@dataclass(frozen=True)
class ArgumentKind:
    """A kind of argument. `width`: how many fields it fills; above one, its value is a tuple.

    `begins` says whether one may stand here. `section` names the list of words that it is of, `end` the hint for
    what follows it and does not belong there, `part` what tables call it if not by its name, `needs` a small word
    that it cannot do without.
    """

    name: str
    read: Callable[[Cursor], Any]
    write: Callable[[Any, Pen], str] = lambda value, _: str(value)
    begins: Callable[[Cursor], bool] = lambda at: at.here is not None
    width: int = 1
    section: str = ""
    end: str = "end"
    part: str = ""
    needs: str = ""

    def expected(self, at: Cursor) -> Message:
        """What is hoped for where one should stand."""
        return _hoped(at, self.name, self.section)


# ------------------------------------------------------------------------------------------ words of a list


def _hoped(at: Cursor, name: str, section: str) -> Message:
    if not section:
        return expected(name)
    near = at.words.likely((section,), at.word.key, at.language) if at.word else ()
    known = tuple(dict.fromkeys((*near, *at.examples(section))))[:4]
    return expected(name, known=known) if known else expected("label")


def _unknown(at: Cursor, section: str, word: str, part: slice = slice(None)) -> bool:
    """Whether the game has no such word in a list that is its own, which then is a problem at this place."""
    if at.words.own is None or section not in at.words.own or word in at.words.own[section]:
        return False
    near = at.words.likely((section,), word, at.language) or sorted(at.examples(section))
    at.problems.append(at.problem(expected("some", known=tuple(near)), part=part))
    return True


def _closed(at: Cursor, name: str, section: str) -> str:
    """A word that the notation knows, or the game."""
    word = at.words.meaning(section, at.word.key) if at.word else None
    if word is None:
        raise at.fail(_hoped(at, name, section))
    at.step()
    return word


def _open(at: Cursor, name: str, section: str, *, held: bool = True) -> str:
    """Any word, in place of the one that the notation or the game means by it; `held` against the game's list."""
    key = at.word.key if at.word else ""
    word = at.words.meaning(section, key) or joined(section, key)
    if not WORD.fullmatch(word):
        raise at.fail(_hoped(at, name, section))
    if held:
        _unknown(at, section, word)
    at.step()
    return word


def _listed(name: str, section: str, read: Callable[[Cursor, str, str], str]) -> ArgumentKind:
    def begins(at: Cursor) -> bool:
        word = at.word
        known = word is not None and at.words.meaning(section, word.key) is not None
        free = read is _open and word is not None and not DIGIT.fullmatch(word.key)
        return known or (free and word is not None and at.words.meaning("words", word.key) is None)

    return ArgumentKind(
        name, lambda at: read(at, name, section), lambda v, pen: pen.word(section, v), begins, 1, section
    )


def _side(at: Cursor) -> str:
    before = len(at.problems)
    side = _open(at, "side", "sides")
    at.void = at.void or len(at.problems) > before
    return side


def _terrains(at: Cursor) -> tuple[str, ...]:
    """One terrain, or several joined by `+`; those that the game does not know are left out."""
    key, found, start = at.word.key if at.word else "", [], 0
    for piece in key.split("+"):
        word = at.words.meaning("terrain", piece) or joined("terrain", piece)
        if not WORD.fullmatch(word):
            raise at.fail(_hoped(at, "terrain", "terrain"))
        if not _unknown(at, "terrain", word, slice(start, start + len(piece))):
            found.append(word)
        start += len(piece) + 1
    at.step()
    return tuple(found)


def _write_terrains(terrains: Iterable[str], pen: Pen) -> str:
    return "+".join(pen.word("terrain", t) for t in terrains)


def _flag(at: Cursor) -> tuple[str, int | None]:
    flag = _open(at, "flag", "flags")
    return flag, COUNT.read(at) if at.stands(NUMBER) or flag in SINCE else None


def _write_flag(value: tuple[str, int | None], pen: Pen) -> str:
    flag, turn = value
    return pen.word("flags", flag) + ("" if turn is None else f" {turn}")


def _ended(at: Cursor) -> tuple[int, str, str, int]:
    """A phase by its turn, with or without the word before it, and perhaps which of several such; 0 if unsaid."""
    if at.word and at.words.meaning("statements", at.word.key) == "turn":
        at.step()
    return (COUNT.read(at), *_phase(at), COUNT.read(at) if at.stands(NUMBER) else 0)


def _write_ended(value: tuple[int, str, str, int], pen: Pen) -> str:
    turn, side, phase, which = value
    said = (pen.word("statements", "turn"), str(turn), pen.word("sides", side), pen.word("phases", phase))
    return " ".join((*said, str(which)) if which else said)


def _phase(at: Cursor) -> tuple[str, str]:
    """A side and a phase, in either order."""
    phase = PHASE_NAME.read(at) if PHASE_NAME.begins(at) else ""
    side = _side(at)
    return side, phase or PHASE_NAME.read(at)


def _is_subject(at: Cursor) -> bool:
    """Whether a word says whom a combat sends away, and is no unit of the sheet's own."""
    word = at.word
    return word is not None and word.key not in at.declared and at.words.meaning("subjects", word.key) is not None


EDGE = _listed("edge", "edges", _closed)
ROLE = _listed("role", "roles", _closed)
SUBJECT = replace(_listed("subject", "subjects", _closed), begins=_is_subject)
FATE = _listed("fate", "fates", _closed)
STOCK = _listed("stock", "stocks", _closed)
ENDED = ArgumentKind("phase", _ended, _write_ended, section="phases", part="ended")
WAY = _listed("way", "ways", _closed)
PHASE_NAME = _listed("phase", "phases", _closed)
TYPE = _listed("type", "unit_types", _open)
MARKER = _listed("marker", "markers", _open)
SIDE = ArgumentKind(
    "side", _side, lambda v, pen: pen.word("sides", v), _listed("side", "sides", _open).begins, 1, "sides"
)
TERRAINS = ArgumentKind("terrain", _terrains, _write_terrains, section="terrain")
MARK = replace(_listed("flag", "flags", _open), part="mark")
FLAG = ArgumentKind("flag", _flag, _write_flag, width=2, section="flags")
PHASE = ArgumentKind(
    "phase",
    _phase,
    lambda v, pen: f"{pen.word('sides', v[0])} {pen.word('phases', v[1])}",
    width=2,
    section="phases",
)


# ----------------------------------------------------------------------------------------- numbers and names


def _joint(name: str, mark: str, count: int, most: int = 999) -> ArgumentKind:
    """Numbers written as one word, as `3-4-5`; each at most `most`, the first at least one if that is small."""
    pattern = re.compile(mark.join([f"([0-9]{{1,{len(str(most))}}})"] * count))

    def read(at: Cursor) -> tuple[int, ...]:
        match = pattern.fullmatch(at.word.key) if at.word else None
        values = tuple(map(int, match.groups())) if match else ()
        if not values or (most == MAX_SIZE and 0 in values):
            raise at.fail(name)
        at.step()
        return values

    return ArgumentKind(name, read, lambda values, _: mark.join(map(str, values)), width=count)


def _number(name: str) -> ArgumentKind:
    return ArgumentKind(name, lambda at: int(at.take(NUMBER, name)), begins=lambda at: at.stands(NUMBER))


def _totals(at: Cursor) -> tuple[int, int]:
    attack = COUNT.read(at)
    if not (at.accept(":") or at.accept("against") or at.accept("to")):
        raise at.fail(expected("word", word=":"))
    return attack, COUNT.read(at)


def _heading(at: Cursor) -> str:
    """A column of a table as players write it (`2-1`, `2:1`, `13 - 24`, `49+`): without blanks, with dashes."""
    if at.word is None:
        raise at.fail("column")
    parts = [at.step().text]
    while (token := at.here) is not None:
        facing = at.at_word("to") or at.at_word("against")
        if facing and parts[-1].isdigit() and (following := at.ahead()) and NUMBER.fullmatch(following.text):
            parts.append("-")  # `2 to 1`
            at.step()
            continue
        joins = token.text in ("-", ":", "+") or parts[-1].endswith("-")
        following = at.ahead()
        if token.text == "-" and following is not None and following.text[:1].isalpha():
            break  # `odds 4-1 - column 3-1`
        if not joins or (token.kind == "mark" and token.text != ":"):
            break
        parts.append("-" if token.text == ":" else token.text)
        at.step()
    return "".join(parts)


def _codes(at: Cursor) -> tuple[str, ...]:
    codes: list[str] = []
    while at.here is not None or not codes:
        if codes and (at.accept("/") or at.accept("->")):
            continue
        token = at.here
        if codes and token is not None and (token.text in "+-" or at.words.meaning("fillers", token.key) == "and"):
            at.step()
            continue
        if token is None or not at.stands(_CODES_JOINED):
            raise at.fail("result")
        if at.words.codes and not at.words.are_codes(token.text.upper()):
            raise at.fail("result")  # no table of the game has it: a slip of the pen reads nothing off
        codes += re.split("[-+]", at.step().text.upper())
    return tuple(codes)


def _name(name: str, change: Callable[[str], str] = str, part: str = "label") -> ArgumentKind:
    """A short name: a word, a number or something in quotes."""

    def read(at: Cursor) -> str:
        token = at.here
        if token is None or token.kind not in ("word", "name") or not token.text.strip():
            raise at.fail(name)
        return change(at.step().text.strip())

    return ArgumentKind(name, read, lambda text, _: quoted(text), end="end-name", part=part)


def quoted(text: str) -> str:
    """A name, in quotes where it would not be read as one word."""
    bare = _BARE.fullmatch(text) and text.strip("_") == text  # else it is a slanted word
    return text if bare else '"' + text.replace('"', "'") + '"'


def _identifier(name: str, part: str = "") -> ArgumentKind:
    return ArgumentKind(name, lambda at: at.take(WORD, name), part=part)


def _unquoted(at: Cursor, name: str) -> str:
    """An identifier, in quotes as it may be."""
    token = at.here
    if token is None or token.kind != "name" or not WORD.fullmatch(token.key):
        return at.take(WORD, name)
    return at.step().key


def _game(at: Cursor) -> str:
    """The name of a game; one that is misspelt is a problem, and the game's whose words are read."""
    from hexforge.validator.games import is_misspelt, without_digraphs

    start, name, known = at.here, _unquoted(at, "label"), at.words.name
    if without_digraphs(name) == known:
        return known
    if not is_misspelt(name, known):
        return name
    at.problems.append(at.problem(expected("word", word=known), start))
    return known


def _files(at: Cursor) -> tuple[str, ...]:
    """Names of files, in quotes where they have blanks, up to the hash."""
    found = [LABEL.read(at)]
    while at.here is not None and not (found and at.at_word("hash")):
        found.append(LABEL.read(at))
    return tuple(found)


def _players(at: Cursor) -> tuple[tuple[str, str], ...]:
    found: list[tuple[str, str]] = []
    while at.here is not None or not found:
        if at.here is None:
            raise at.fail("players")
        name = _name_first(at)
        side = _open(at, "side", "sides")
        if not name and not (at.accept("=") or at.accept(":")) and (not at.here or _is_side(at.here, at)):
            raise at.fail(expected("word", word="="))
        found.append((side, name or LABEL.read(at)))
    return tuple(found)


def _is_side(token: Token | None, at: Cursor) -> bool:
    return token is not None and token.kind == "word" and at.words.meaning("sides", token.key) is not None


def _name_first(at: Cursor) -> str:
    """A player's name where it stands before his side: `Ana (American)`; "" where the side stands first."""
    joint = at.ahead()
    marked = joint is not None and joint.kind == "mark" and joint.text in ("=", ":")
    if _is_side(at.here, at) or not _is_side(at.ahead(2) if marked else joint, at):
        return ""
    name: str = LABEL.read(at)
    if marked:
        at.step()
    return name


def _write_players(players: Iterable[tuple[str, str]], pen: Pen) -> str:
    return " ".join(f'{pen.word("sides", side)}="{name.replace(chr(34), chr(39))}"' for side, name in players)


def _scores(at: Cursor) -> tuple[tuple[str, int], ...]:
    found: list[tuple[str, int]] = []
    counts = at.words.meaning("words", at.tokens[0].key) == "points"
    while at.here is not None or not found:
        if counts and at.words.own and at.word and at.words.meaning("sides", at.word.key) is None:
            raise at.fail(_hoped(at, "side", "sides"))  # `pontos gastos 4` are nobody's score
        # The referee judges the score, and says there whose points it cannot be.
        found.append((_open(at, "side", "sides", held=False), COUNT.read(at)))
    return tuple(found)


def _write_scores(scores: Iterable[tuple[str, int]], pen: Pen) -> str:
    return " ".join(f"{pen.word('sides', side)} {points}" for side, points in scores)


def _dice(at: Cursor) -> tuple[int, ...]:
    """Faces one by one; what stands between them (`+`, `/`) and their sum, if it is theirs, say no more."""
    faces: list[int] = []
    while at.here is not None or not faces:
        if faces and at.accept("="):
            if at.stands(NUMBER) and at.here is not None and int(at.here.text) != sum(faces):
                raise at.fail(expected("word", word=str(sum(faces))))
            at.take(NUMBER, "die")
            break
        if faces and at.here is not None and at.here.text in ("+", "/"):
            at.step()
        elif at.stands(_DIE_KIND) and at.ahead() is not None:
            at.step()
            at.accept("=")
        elif at.stands(_DICE_JOINED):
            faces += map(int, at.step().text.split("-"))
        else:
            faces.append(DIE.read(at))
    return tuple(faces)


COUNT = _number("number")
TURN = replace(COUNT, part="turn")
DIE = _number("die")
VERSION = _number("version")
DICE = ArgumentKind("die", _dice, lambda faces, _: " ".join(map(str, faces)), part="dice")
FACTORS = _joint("factors", "-", 3)
REDUCED = _joint("reduced", "-", 2)
FIGURES = _joint("figures", "-", 2)
SIZE = _joint("size", "x", 2, MAX_SIZE)
TOTALS = ArgumentKind("totals", _totals, lambda v, _: f"{v[0]}:{v[1]}", COUNT.begins, width=2)
COLUMN = ArgumentKind("column", _heading)
CODES = ArgumentKind("result", _codes, lambda codes, _: " ".join(codes))
GAME = ArgumentKind("label", _game, part="game")
OPTION = _identifier("option")
AREA = _identifier("area")
VALUE = _name("option", str.lower, "value")
LABEL = _name("label")
LOWER = _name("label", str.lower)


def _weather(at: Cursor) -> str:
    """Weather by its id or as the game's texts call it; where the game says what there is, nothing else."""
    key = at.word.key if at.word else ""
    known: str | None = at.words.meaning("weather", key)
    if known is None:
        _unknown(at, "weather", key)
        known = LOWER.read(at)
    else:
        at.step()
    return known


WEATHER = replace(LOWER, read=_weather)
UPPER = _name("label", str.upper, "label-upper")
FORMATION = _name("label", str.lower, "formation")
PLACE = replace(_name("label", part="place"), write=lambda name, _: f'"{name}"' if name.isdigit() else quoted(name))
FILES = ArgumentKind("file", _files, lambda names, _: " ".join(map(quoted, names)), part="files")
HASH = ArgumentKind("hash", lambda at: at.take(_HASH, "hash"))
PLAYERS = ArgumentKind("players", _players, _write_players)
SCORES = ArgumentKind("side", _scores, _write_scores, section="sides", part="scores")


def several(read: Callable[[Cursor], Any], more: Callable[[Cursor], bool]) -> Callable[[Cursor], tuple[Any, ...]]:
    """Reads one, and further ones as long as `more` says that another stands there."""

    def read_all(at: Cursor) -> tuple[Any, ...]:
        found = [read(at)]
        while more(at):
            found.append(read(at))
        return tuple(found)

    return read_all


_PAIR: Final = re.compile(r"[0-9]{1,3}-[0-9]{1,3}")
FURTHER = ArgumentKind(
    "further",
    several(REDUCED.read, lambda at: at.stands(_PAIR)),
    lambda pairs, pen: " ".join(REDUCED.write(pair, pen) for pair in pairs),
    lambda at: at.stands(_PAIR),
)
LEVELS = ArgumentKind(
    "levels", several(COUNT.read, lambda at: at.stands(NUMBER)), lambda levels, _: " ".join(map(str, levels))
)
STEPS_LOST = ArgumentKind(
    "lost",
    lambda at: int(at.take(NUMBER, "number")) if at.stands(NUMBER) else 1,
    lambda lost, _: "" if lost == 1 else str(lost),
)
YES = ArgumentKind("", lambda _: True, lambda _value, _pen: "")
"""Nothing besides the word before it."""
