"""Reading one statement token by token: each `take_*` returns a value or says what it expected."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Final, cast

from hexforge.validator.readers.keywords import EDGES, SMALL, aliases
from hexforge.validator.readers.kinds import NOTATION, Kinds
from hexforge.validator.readers.lexer import LogicalLine, Token
from hexforge.validator.readers.phrases import phrase
from hexforge.validator.readers.statements import OPEN, EdgeName, HexPair, Path, SyntaxProblem, WayKind

_HEX: Final = re.compile(r"[0-9]{4}")
_HEX_RUN: Final = re.compile(r"[0-9]{4}(?:-[0-9]{4})+-?")
_UNIT: Final = re.compile(r"[a-z0-9][a-z0-9.-]*")
_WORD: Final = re.compile(r"[a-z][a-z0-9_.-]*")
_NUMBER: Final = re.compile(r"[0-9]{1,6}")
_FACTORS: Final = re.compile(r"([0-9]{1,3})-([0-9]{1,3})(?:-([0-9]{1,3}))?")

_SMALL: Final = aliases(SMALL)
_EDGES: Final = aliases(EDGES)


class Unread(Exception):
    """A statement is not readable at a token; `problem` says where and what was expected."""

    def __init__(self, problem: SyntaxProblem) -> None:
        super().__init__(problem.expected_en)
        self.problem = problem


def _some(table: Mapping[str, str], count: int = 3) -> str:
    """A few ids of a table, as examples."""
    return ", ".join(list(dict.fromkeys(table.values()))[:count])


class Cursor:
    """A place in a logical line. Every method that takes something moves on only if it fits."""

    def __init__(self, source: LogicalLine, kinds: Kinds = NOTATION) -> None:
        self._source = source
        self.kinds = kinds
        self._tokens = source.tokens
        self._at = 0

    @property
    def line(self) -> int:
        """First physical line of the statement."""
        return self._source.line

    @property
    def here(self) -> Token | None:
        """The token to be read next; None at the end of the line."""
        return self._tokens[self._at] if self._at < len(self._tokens) else None

    def ahead(self, count: int = 1) -> Token | None:
        """A token further on."""
        at = self._at + count
        return self._tokens[at] if at < len(self._tokens) else None

    def has_mark(self, mark: str) -> bool:
        """Whether the mark stands anywhere in the rest of the line."""
        return any(t.kind == "mark" and t.text == mark for t in self._tokens[self._at :])

    def problem(self, key: str, **values: str) -> SyntaxProblem:
        """What is wrong at this place: `key` names a phrase of `phrases`."""
        token = self.here
        line, column = (token.line, token.column) if token else self._source.end
        en, pt = phrase(key, **values)
        return SyntaxProblem(line, column, token.text if token else "", en, pt)

    def fail(self, key: str, **values: str) -> Unread:
        """The exception for a problem at this place."""
        return Unread(self.problem(key, **values))

    def step(self) -> Token:
        """The next token, whatever it is. Raises Unread at the end of the line."""
        token = self.here
        if token is None:
            raise self.fail("more")
        self._at += 1
        return token

    def end(self) -> None:
        """Nothing may follow."""
        if self.here is not None:
            raise self.fail("end")

    # ------------------------------------------------------------------------------------------ words

    def accept(self, word: str) -> bool:
        """Skip one of the small words (`by`, `from` …) if it stands here, in either language."""
        token = self.here
        if token is not None and token.kind == "word" and _SMALL.get(token.key) == word:
            self._at += 1
            return True
        return False

    def accept_mark(self, mark: str) -> bool:
        """Skip a `:` `=` or `/` if it stands here."""
        token = self.here
        if token is not None and token.kind == "mark" and token.text == mark:
            self._at += 1
            return True
        return False

    def mark(self, mark: str) -> None:
        """A `:` `=` or `/` must stand here."""
        if not self.accept_mark(mark):
            raise self.fail("mark", mark=mark)

    def choice(self, table: Mapping[str, str], key: str, **values: str) -> str:
        """A word of a table of aliases; `key` names the phrase that says what was expected."""
        token = self.here
        word = table.get(token.key) if token is not None and token.kind == "word" else None
        if word is None:
            raise self.fail(key, **values)
        self._at += 1
        return word

    def accept_choice(self, table: Mapping[str, str]) -> str | None:
        """A word of a table if one stands here."""
        token = self.here
        word = table.get(token.key) if token is not None and token.kind == "word" else None
        if word is not None:
            self._at += 1
        return word

    def small_word(self) -> str | None:
        """The small word that stands here, without skipping it."""
        token = self.here
        return _SMALL.get(token.key) if token is not None and token.kind == "word" else None

    def identifier(
        self, key: str, table: Mapping[str, str] | None = None, *, joint: str = "-", **values: str
    ) -> str:
        """A word of an open list, translated if the table knows it; `joint` is how its parts are joined.

        `key` and `values` are the phrase that says what was expected.
        """
        token = self.here
        if token is None or token.kind != "word":
            raise self.fail(key, **values)
        word = token.key.replace("-" if joint == "_" else "", joint) if joint == "_" else token.key
        word = (table or {}).get(word, word)
        if not _WORD.fullmatch(word):
            raise self.fail(key, **values)
        self._at += 1
        return word

    def side(self) -> str:
        """A side of the game."""
        return self.identifier("side", self.kinds.sides, known=_some(self.kinds.sides))

    def unit_type(self) -> str:
        """A type of unit."""
        return self.identifier("unit-type", self.kinds.types, joint="_", known=_some(self.kinds.types, 1))

    def terrains(self) -> tuple[str, ...]:
        """One terrain, or several joined by `+`."""
        token = self.here
        if token is None or token.kind != "word":
            raise self.fail("terrain")
        words = [w.replace("-", "_") for w in token.key.split("+")]
        words = [self.kinds.terrains.get(w, w) for w in words]
        if not all(_WORD.fullmatch(w) for w in words):
            raise self.fail("terrain")
        self._at += 1
        return tuple(words)

    def edge(self) -> EdgeName:
        """An edge of the map."""
        return cast(EdgeName, self.choice(_EDGES, "edge"))

    def accept_edge(self) -> EdgeName | None:
        """An edge of the map if one stands here."""
        return cast("EdgeName | None", self.accept_choice(_EDGES))

    def way(self) -> WayKind:
        """A kind of way."""
        return self.choice(self.kinds.ways, "way", known=_some(self.kinds.ways))

    def label(self, key: str) -> str:
        """A short name of a formation or size: a word, a number or something in quotes, as written."""
        token = self.here
        if token is None or token.kind not in ("word", "name") or not token.text.strip():
            raise self.fail(key)
        self._at += 1
        return token.text.strip()

    # ---------------------------------------------------------------------------------------- numbers

    def number(self, key: str = "number") -> int:
        """A whole number of at most six digits."""
        token = self.here
        if token is None or token.kind != "word" or not _NUMBER.fullmatch(token.text):
            raise self.fail(key)
        self._at += 1
        return int(token.text)

    def is_number(self) -> bool:
        """Whether a whole number stands here."""
        token = self.here
        return token is not None and token.kind == "word" and _NUMBER.fullmatch(token.text) is not None

    def factors(self, count: int, key: str) -> tuple[int, ...]:
        """Numbers joined by dashes: `3-4-5`."""
        token = self.here
        match = _FACTORS.fullmatch(token.text) if token is not None and token.kind == "word" else None
        values = tuple(int(g) for g in match.groups() if g is not None) if match else ()
        if len(values) != count:
            raise self.fail(key)
        self._at += 1
        return values

    def heading(self, key: str) -> str:
        """A column of a table as players write it (`2-1`, `2:1`, `13 - 24`, `49+`): without blanks, with dashes."""
        token = self.here
        if token is None or token.kind != "word":
            raise self.fail(key)
        parts = [self.step().text]
        while (token := self.here) is not None:
            joins = token.text in ("-", ":", "+") or parts[-1].endswith("-")
            if not joins or (token.kind == "mark" and token.text != ":"):
                break
            parts.append("-" if token.text == ":" else token.text)
            self._at += 1
        return "".join(parts)

    # ---------------------------------------------------------------------------------- hexes and units

    def is_hex(self) -> bool:
        """Whether a hex stands here."""
        token = self.here
        return token is not None and token.kind == "word" and _HEX.fullmatch(token.text) is not None

    def hex(self) -> str:
        """One hex."""
        if not self.is_hex():
            raise self.fail("hex")
        return self.step().text

    def hexes(self, *, then_name: bool = False) -> tuple[str, ...]:
        """One or more hexes; with `then_name` a number that is no hex ends them, else it is a mistake."""
        found = [self.hex()]
        while self.is_hex() if then_name else self._is_numeric():
            found.append(self.hex())
        return tuple(found)

    def _is_numeric(self) -> bool:
        token = self.here
        return token is not None and token.kind == "word" and token.text[0].isdigit()

    def is_pair(self) -> bool:
        """Whether a hexside stands here."""
        slash = self.ahead()
        return self.is_hex() and slash is not None and slash.kind == "mark" and slash.text == "/"

    def pair(self) -> HexPair:
        """One hexside."""
        if not self.is_hex():
            raise self.fail("hexside")
        first = self.step().text
        if not self.accept_mark("/") or not self.is_hex():
            raise self.fail("hexside-rest")
        return first, self.step().text

    def pairs(self) -> tuple[HexPair, ...]:
        """One or more hexsides."""
        found = [self.pair()]
        while self._is_numeric():
            found.append(self.pair())
        return tuple(found)

    def path(self) -> Path:
        """Hexes, with `-` where the way between two is left open."""
        found: list[str] = []
        while (token := self.here) is not None and token.kind == "word":
            if _HEX.fullmatch(token.text):
                found.append(token.text)
            elif token.text == "-" and found and found[-1] != OPEN:
                found.append(OPEN)
            elif _HEX_RUN.fullmatch(token.text) and (not found or found[-1] == OPEN or token.text[0] != "-"):
                steps = token.text.rstrip("-").split("-")
                for i, step in enumerate(steps):
                    found += [OPEN, step] if i else [step]
                if token.text.endswith("-"):
                    found.append(OPEN)
            else:
                break
            self._at += 1
        if not found or found[-1] == OPEN or self._is_numeric():
            raise self.fail("hex")
        return tuple(found)

    def is_unit(self) -> bool:
        """Whether something that may be a unit's id stands here."""
        token = self.here
        return token is not None and token.kind == "word" and _UNIT.fullmatch(token.key) is not None

    def unit(self) -> str:
        """A unit's id."""
        if not self.is_unit():
            raise self.fail("unit")
        return self.step().key

    def units(self, stop: frozenset[str] = frozenset()) -> tuple[str, ...]:
        """One or more ids, up to the end, a mark, or one of the small words in `stop`."""
        found = [self.unit()]
        while self.is_unit() and not (stop and self.small_word() in stop):
            found.append(self.step().key)
        return tuple(found)
