"""What an argument of a statement may be: how it is read and written, and what a hint calls it.

A kind's `name` is its key under `expected` (what a reader hoped for) and under `parts` (what the tables of
statements call it) in `art/words/notation.LANGUAGE.yaml`.

Kinds of arguments that stand on a map: hexes, hexsides, ways, units and guns.

Kinds of arguments that a director's rulings have: what is accepted, put or held, by whom and why.

The kinds of argument of the statements of accounts: dates, hexes of lettered maps, facts, amounts.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from datetime import date
from typing import Any, Final

from ...scenarios.console import alike
from ...scenarios.text.words import Language, Message
from .cursor import DIGIT, HEX, NUMBER, UNIT, WORD, Cursor, Token, Unread, expected
from .words import Vocabulary, joined

_DIGRAPH: Final = re.compile("([aou])e")
_ALIKE: Final = 0.8
"""How much a misspelt name has of the right one."""


def without_digraphs(name: str) -> str:
    """A name as it is folded from its umlauts, where they were typed as two letters: `huertgen` is `hurtgen`."""
    return _DIGRAPH.sub(r"\1", name)


def is_misspelt(name: str, other: str) -> bool:
    """Whether a name is another one with a slip of the pen in it. One that has figures may be a game of its own."""
    letters = not any(map(str.isdigit, name + other)) and abs(len(name) - len(other)) < len("ue")
    return letters and other not in (name, without_digraphs(name)) and bool(alike(name, [other], least=_ALIKE))


ASKED: Final = -1
"""In place of faces: the throw is sealed, and nobody knows yet what it shows."""
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
    turn, (side, kind, name) = COUNT.read(at), _phase(at)
    return turn, side, name or kind, COUNT.read(at) if at.stands(NUMBER) else 0


def _write_ended(value: tuple[int, str, str, int], pen: Pen) -> str:
    turn, side, phase, which = value
    said = (pen.word("statements", "turn"), str(turn), pen.word("sides", side), pen.word("phases", phase))
    return " ".join((*said, str(which)) if which else said)


def _phase(at: Cursor) -> tuple[str, str, str]:
    """A side and a phase, in either order: the phase's kind, and its id if it is called by that."""
    phase = PHASE_NAME.read(at) if PHASE_NAME.begins(at) else ""
    side = _side(at)
    phase = phase or PHASE_NAME.read(at)
    kind = at.words.kinds.get(phase)
    return (side, kind, phase) if kind else (side, phase, "")


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
    lambda v, pen: f"{pen.word('sides', v[0])} {pen.word('phases', v[2] or v[1])}",
    width=3,
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
    if at.accept("sealed"):
        return (ASKED,)
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


def _faces(faces: tuple[int, ...], pen: Pen) -> str:
    return pen.word("words", "sealed") if ASKED in faces else " ".join(map(str, faces))


COUNT = _number("number")
TURN = replace(COUNT, part="turn")
DIE = _number("die")
VERSION = _number("version")
THROWN = replace(
    DIE,
    read=lambda at: ASKED if at.accept("sealed") else DIE.read(at),
    write=lambda face, pen: _faces((face,), pen),
    begins=lambda at: at.stands(NUMBER) or at.at_word("sealed"),
    part="thrown",
)
DICE = ArgumentKind("die", _dice, _faces, part="dice")
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
DIGITS = ArgumentKind("digits", lambda at: at.take(_HASH, "digits"))
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


def _hex(at: Cursor) -> str:
    return at.take(HEX, "hex")


def _pair_stands(at: Cursor) -> bool:
    slash = at.ahead()
    return bool(_joined_pair(at)) or (
        at.stands(HEX) and slash is not None and slash.kind == "mark" and slash.text == "/"
    )


def _joined_pair(at: Cursor) -> tuple[str, ...]:
    """The two hexes of a hexside that is written with a hyphen; none for anything else."""
    found = at.hexes_joined()
    return found if len(found) == 2 and at.here is not None and not at.here.text.endswith(OPEN) else ()


def _pair(at: Cursor) -> tuple[str, str]:
    if joined := _joined_pair(at):
        at.step()
        return joined[0], joined[1]
    first = at.take(HEX, "hexside")
    if not at.accept("/"):
        raise at.fail("hexside-rest")
    return first, at.take(HEX, "hexside-rest")


def _write_pair(pair: tuple[str, str], _: Pen) -> str:
    return "/".join(pair)


def _figures(at: Cursor) -> bool:
    """Whether another hex stands here, or figures that are meant for one."""
    return at.stands(DIGIT) or at.at_hex()


def _onward(at: Cursor, found: list[str]) -> None:
    """Take `to` or an arrow. Between hexes that touch it is a step, else it leaves the way between them open."""
    at.step()
    goal = at.here.text.upper() if at.here else ""
    if found and found[-1] != OPEN and not at.words.adjacent(found[-1], goal):
        found.append(OPEN)


def _path(at: Cursor) -> tuple[str, ...]:
    """Hexes, with `-` where the way between two, or from where the units stand to the first, is left open."""
    found: list[str] = []
    while at.here is not None:
        if not at.at_hex() and not at.hexes_joined() and at.at_way():
            _onward(at, found)
        token = at.word
        if token is None:
            break
        if at.stands(HEX):
            found.append(token.text.upper())
        elif token.text == OPEN and found[-1:] != [OPEN]:
            found.append(OPEN)
        elif steps := at.hexes_joined():
            for i, step in enumerate(steps):
                found += [OPEN, step] if i else [step]
            if token.text.endswith(OPEN):
                found.append(OPEN)
        else:
            break
        at.step()
    if not found or found[-1] == OPEN or _figures(at):
        raise at.fail("hex")
    return tuple(found)


def _spot(at: Cursor) -> tuple[tuple[str, str] | None, str | None]:
    """A hexside, or else a hex."""
    return (_pair(at), None) if _pair_stands(at) else (None, _hex(at))


def _is_unit(at: Cursor) -> bool:
    return at.stands(UNIT)


def _is_next_unit(at: Cursor) -> bool:
    if any(map(at.at_word, at.stops)):
        return False
    return _is_unit(at) and (at.has_mark(":") or not at.at_way())


def _unit(at: Cursor) -> str:
    return at.unit()


def _guns(at: Cursor) -> tuple[tuple[str, ...], int]:
    """Units, or points beyond the map, or both in any order."""
    units: list[str] = []
    points = 0
    while at.here is not None or not (units or points):
        if at.accept("offboard"):
            _ = at.accept(":") or at.accept("=")
            points += COUNT.read(at)
            if at.here is None:
                break
        else:
            units.append(_unit(at))
    return tuple(units), points


def _write_guns(guns: tuple[tuple[str, ...], int], pen: Pen) -> str:
    units, points = guns
    beyond = [f"{pen.word('words', 'offboard')} {points}"] if points or not units else []
    return " ".join((*units, *beyond))


def _spaced(values: Iterable[str], _: Pen) -> str:
    return " ".join(values)


ONE_HEX = ArgumentKind("hex", _hex, begins=lambda at: at.stands(HEX))
HEXES = ArgumentKind(
    "hex", several(_hex, _figures), _spaced, lambda at: at.stands(HEX) and not _pair_stands(at), part="hexes"
)
HEXES_OF_PLACE = replace(HEXES, read=several(_hex, lambda at: at.stands(HEX)))
HEXSIDE = ArgumentKind("hexside", _pair, _write_pair, _pair_stands)
HEXSIDES = ArgumentKind(
    "hexside",
    several(_pair, _figures),
    lambda pairs, pen: " ".join(_write_pair(pair, pen) for pair in pairs),
    _pair_stands,
    part="hexsides",
)
SPOT = ArgumentKind("hex", _spot, lambda v, pen: _write_pair(v[0], pen) if v[0] else v[1], width=2, part="spot")
PATH = ArgumentKind("hex", _path, _spaced, part="path")
ONE_UNIT = ArgumentKind("unit", _unit, begins=_is_unit)
UNITS = ArgumentKind("unit", several(_unit, _is_next_unit), _spaced, _is_unit, part="units")
GUNS = ArgumentKind("unit", _guns, _write_guns, _is_unit, width=2, part="guns")


_LINES: Final = re.compile(r"[0-9]{1,6}(?:-[0-9]{1,6})?")
_MOST_LINES: Final = 1000
_SECTION: Final = re.compile(r"([a-z]?)([0-9]{1,2}(?:\.[0-9]{1,2}){0,3})")
_QUOTES: Final = dict.fromkeys(map(ord, '"\u201c\u201d\u00ab\u00bb'), "'")


def _held(at: Cursor) -> tuple[str, str]:
    """A side and a hex, in either order."""
    hex_ = _hex(at) if at.stands(HEX) else ""
    side = _side(at)
    return side, hex_ or _hex(at)


def _accepted(at: Cursor) -> tuple[tuple[int, ...], str]:
    """Lines by their numbers, none for the one above; and a rule of theirs alone: a section or a code."""
    lines: list[int] = []
    while at.accept("line") or at.accept("to") or (at.word and _LINES.fullmatch(at.word.text)):
        at.accept("line")  # `a linha 4`
        first, _, last = (at.step().text if at.word and _LINES.fullmatch(at.word.text) else "").partition("-")
        if not first or (last and not 0 <= int(last) - int(first) < _MOST_LINES):
            raise at.fail("line")
        lines += range(int(first), int(last or first) + 1)
    return tuple(lines), _rule(at)


def _rule(at: Cursor) -> str:
    """`B 5.1`, `B5.1`, `5.1`, `stacking`; "" for none."""
    if at.word is None or at.at_word("because") or at.at_word("by"):
        return ""
    text, following = at.word.key, at.ahead()
    if len(text) == 1 and text.isalpha() and following is not None:
        at.step()
        text += at.word.key if at.word else ""
    match = _SECTION.fullmatch(text)
    if match is None and not WORD.fullmatch(text):
        raise at.fail("rule")
    at.step()
    return " ".join(filter(None, (match[1].upper(), match[2]))) if match else text


def _write_accepted(value: tuple[tuple[int, ...], str], _: Pen) -> str:
    lines, rule = value
    return " ".join(filter(None, (*map(str, lines), rule)))


def _put(at: Cursor) -> tuple[tuple[str, ...], str, str]:
    """Units, and the hex or the state that they are put in, or both."""
    units: list[str] = []
    fate = hex_ = ""
    while at.here is not None and not (at.at_word("because") or at.at_word("by") or at.at_word(":")):
        known = at.words.meaning("fates", at.word.key) if at.word else None
        if units and at.accept("to"):
            continue
        if not units or not (known or hex_ or fate or at.stands(HEX)):
            units.append(_unit(at))
        elif known and not fate:
            fate = known
            at.step()
        elif hex_:
            break
        else:
            hex_ = _hex(at)
    if not units or not (hex_ or fate):
        raise at.fail(expected("put", known=at.examples("fates")) if units else "unit")
    return tuple(units), hex_, fate


def _write_put(value: tuple[tuple[str, ...], str, str], pen: Pen) -> str:
    units, hex_, fate = value
    return " ".join(filter(None, (*units, hex_, pen.word("fates", fate) if fate else "")))


def _ruled(at: Cursor) -> tuple[str, str]:
    """Who rules so, "" where it is not said, and why."""
    by = LABEL.read(at) if at.accept("by") else ""
    if not (at.accept("because") or at.accept(":")):
        raise at.fail(expected("because", word=at.words.write("words", "because", at.language)))
    start = at.problem(expected("reason"))
    reason = " ".join(at.rest().translate(_QUOTES).split()).strip(" ,;\\")
    if not reason:
        raise Unread(start)
    return by, reason


def _write_ruled(value: tuple[str, str], pen: Pen) -> str:
    by, reason = value
    who = f"{pen.word('words', 'by')} {quoted(by)} " if by else ""
    plain = reason[0].isalnum() and "#" not in reason
    return f"{who}{pen.word('words', 'because')} " + (reason if plain else f'"{reason}"')


HELD = ArgumentKind("side", _held, lambda v, pen: f"{pen.word('sides', v[0])} {v[1]}", width=2, part="held")
HOLDING = replace(HELD, write=lambda v, pen: f"{v[1]} {pen.word('sides', v[0])}", part="holding")
ACCEPTED = ArgumentKind("line", _accepted, _write_accepted, width=2, part="accepted")
PUT = ArgumentKind("put", _put, _write_put, width=3, part="put")
RULED = ArgumentKind("because", _ruled, _write_ruled, width=2, part="ruled", needs="because")


_LEAP: Final = 2000
"""A year that has every day of the calendar."""
_MOST: Final = 400

PART = _listed("part-of-day", "dayparts", _closed)
FACT = _listed("fact", "facts", _closed)
PIECE = _listed("piece", "pieces", _closed)
SOURCE_OF = _listed("account", "accounts", _closed)


def _day(at: Cursor) -> tuple[int, int, str, str, int, str]:
    """A day, its part, a phase with perhaps its number, and perhaps a side: `28 jun night german engineering`."""
    day = number = 0
    found: dict[str, str] = {}
    while (token := at.here) is not None:
        if at.stands(NUMBER):
            value = int(token.text)
            if not day:
                day = value
            elif "dayphases" in found and not number:
                number = value
            else:
                raise at.fail("end")
            at.step()
            continue
        section = next((s for s in _OF_DAY if s not in found and at.words.meaning(s, token.key)), "")
        if token.kind != "word" or not section:
            raise at.fail(expected("day-phase"))
        found[section] = at.words.meaning(section, token.key) or ""
        at.step()
    month = int(found.get("months", "0").removeprefix("m"))
    if not (day and month and found.get("dayparts") and found.get("dayphases")):
        raise at.fail(expected("day-phase"))
    try:
        date(_LEAP, month, day)
    except ValueError:
        raise at.fail(expected("day-phase")) from None
    return day, month, found["dayparts"], found["dayphases"], number, found.get("sides", "")


_OF_DAY: Final = ("months", "dayparts", "dayphases", "sides")


def _write_day(value: tuple[int, int, str, str, int, str], pen: Pen) -> str:
    day, month, part, phase, number, side = value
    words = [str(day), pen.word("months", f"m{month}"), pen.word("dayparts", part)]
    words += [pen.word("sides", side)] if side else []
    return " ".join((*words, pen.word("dayphases", phase), *([str(number)] if number else [])))


DAY = ArgumentKind("day", _day, _write_day, width=6)


def _way(at: Cursor) -> tuple[str, ...]:
    """Hexes one after the other, `to`, arrows or dashes between them: without a map no way is left open."""
    found: list[str] = []
    while at.here is not None and len(found) < _MOST:
        between = at.at_word("to") or at.at_word("->") or (bool(found) and at.here.text == OPEN)
        if between:
            at.step()
        if joined := at.hexes_joined():
            found += joined
            at.step()
        elif at.stands(HEX):
            found.append(at.take(HEX, "hex"))
        elif between:
            raise at.fail("hex")
        else:
            break
    if not found:
        raise at.fail("hex")
    return tuple(found)


WAY_ON = ArgumentKind(
    "hex",
    _way,
    lambda hexes, _: " ".join(hexes),
    lambda at: at.stands(HEX) or bool(at.hexes_joined()),
    part="hexes",
)


def _kinds_ledger_spot(at: Cursor) -> str:
    """A hex, or the id of something, or an edge of the map, or a side."""
    for section in ("edges", "sides"):
        if at.word and (meant := at.words.meaning(section, at.word.key)):
            at.step()
            return meant
    return _thing(at)


def _write_spot(value: str, pen: Pen) -> str:
    for section in ("edges", "sides"):
        if pen.words.meaning(section, value) == value:
            return pen.word(section, value)
    return value


def _thing(at: Cursor) -> str:
    """A hex, or the id of a unit or a place."""
    return at.take(HEX, "hex") if at.stands(HEX) else at.unit("thing")


THING = ArgumentKind("thing", _thing)


def _fact(at: Cursor) -> tuple[str, tuple[str, ...], str]:
    """What a fact is of, and its value: a number, or one of `answers`, `yes` where it says none."""
    name = FACT.read(at)
    found: list[str] = []
    value = ""
    while at.here is not None:
        if len(found) > _MOST or value:
            raise at.fail("end")
        token = at.here
        last = at.ahead() is None
        answer = at.words.meaning("answers", token.key) if token.kind == "word" else None
        if last and answer:
            value = answer
            at.step()
        elif last and at.stands(NUMBER) and not at.stands(HEX) and token.key not in at.declared:
            value = str(int(at.step().text))
        else:
            found.append(_kinds_ledger_spot(at))
    return name, tuple(found), value or "yes"


def _write_fact(value: tuple[str, tuple[str, ...], str], pen: Pen) -> str:
    name, of, said = value
    words = [pen.word("facts", name), *(_write_spot(thing, pen) for thing in of)]
    if said != "yes":
        words.append(said if said.isdigit() else pen.word("answers", said))
    return " ".join(words)


STATED = ArgumentKind("fact", _fact, _write_fact, width=3, section="facts", part="stated")


def _points(at: Cursor) -> tuple[tuple[str, int], ...]:
    """Sides and their points, which may be below zero."""
    found: list[tuple[str, int]] = []
    while at.here is not None or not found:
        side = _open(at, "side", "sides")
        token = at.word
        text = token.text if token else ""
        if not NUMBER.fullmatch(text.removeprefix("-")):
            raise at.fail("number")
        at.step()
        found.append((side, int(text)))
    return tuple(found)


def _write_points(points: tuple[tuple[str, int], ...], pen: Pen) -> str:
    return " ".join(f"{pen.word('sides', side)} {number}" for side, number in points)


POINTS = ArgumentKind("side", _points, _write_points, section="sides", part="side-points")


def _source(at: Cursor) -> str:
    """An account, an edge, a hex or a headquarters that something comes from."""
    if SOURCE_OF.begins(at):
        return str(SOURCE_OF.read(at))
    return _kinds_ledger_spot(at)


def _write_source(value: str, pen: Pen) -> str:
    return pen.word("accounts", value) if pen.words.meaning("accounts", value) == value else _write_spot(value, pen)


FROM = ArgumentKind("thing", _source, _write_source, part="source")
AMOUNT = ArgumentKind(
    "number",
    COUNT.read,
    begins=lambda at: at.stands(NUMBER) and not at.stands(HEX),
)
