"""What all statements share: a statement is declared once, as the fields of a class, and read and written by it.

To add a statement, write a class in `statements` and the forms of its words in `art/words/notation.*.yaml`:

    @statement("relieve")
    class Relieve(Play):
        \"\"\"`relieve a1 with a2 a3 in 0609`: others take a unit's place.\"\"\"

        unit: Unit
        by: Annotated[Units, After("with")]
        hex: Annotated[HexId, After("in")] = ""

Its base says where in a sheet it may stand: `Header`, `Positioned`, `Play`, `Act`, or for anywhere `Ruling` and
`Statement`. The decorator names its first word, with further fixed words after a blank (`map blank`). Each field's
annotation bears its `ArgumentKind`, and `After` the word or mark (`:` `=`) before it. Fields without a default come
first, in their order; those with one are optional and may come in any order, and are written where they differ from
it. A kind that fills several fields takes the ones that follow it. Nothing else need be told: reader, writer, hints
(`expected …`) and the tables in docs/sheets.md follow, and the round trip in tests/readers builds, writes and reads
the new statement by its declaration.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from itertools import zip_longest
from types import UnionType
from typing import (
    Annotated,
    Any,
    Final,
    TypeVar,
    Union,
    cast,
    dataclass_transform,
    get_args,
    get_origin,
    get_type_hints,
)

from ...scenarios.text.words import Words
from .cursor import DIGIT, UNIT, Cursor, Unread, expected
from .kinds import ArgumentKind, Pen

MARKS: Final = {":": ": ", "=": "="}
"""Marks that stand before an argument, as they are written."""


C = TypeVar("C", bound=type)


@dataclass_transform(frozen_default=True)
def grouped(cls: C) -> C:
    """Class decorator of what statements have in common: a dataclass that does not change.

    There are dozens, and a command wants them all at once. What `dataclass` would write and compile for each of
    them, which takes longer than to judge a turn, they have from `Statement`.
    """
    made: Any = dataclass(init=False, repr=False, eq=False)(cls)
    return cast(C, made)


@grouped
class Statement:
    """Anything a line of a sheet can say."""

    line: int

    def __init__(self, *values: Any, **named: Any) -> None:
        fields = {field.name: field.default for field in dataclasses.fields(self)}
        given = dict(zip(fields, values, strict=False)) | named
        found = {name: given.get(name, default) for name, default in fields.items()}
        unclear = [name for name, value in found.items() if value is dataclasses.MISSING]
        if unclear or len(given) < len(values) + len(named) or not given.keys() <= fields.keys():
            raise TypeError(f"{type(self).__name__} takes {', '.join(fields)}, not {values} {named}")
        self.__dict__.update(found)

    def __setattr__(self, name: str, value: object) -> None:
        raise dataclasses.FrozenInstanceError(f"cannot assign to field {name!r}")

    def __delattr__(self, name: str) -> None:
        raise dataclasses.FrozenInstanceError(f"cannot delete field {name!r}")

    def __eq__(self, other: object) -> bool:
        return type(other) is type(self) and self.__dict__ == other.__dict__

    def __hash__(self) -> int:
        return hash((type(self), *self.__dict__.values()))

    def __repr__(self) -> str:
        return f"{type(self).__name__}({', '.join(f'{name}={value!r}' for name, value in self.__dict__.items())})"


@grouped
class Header(Statement):
    """A line before the first turn."""


@grouped
class Positioned(Header):
    """A line of a position or a set-up."""


@grouped
class Opening(Statement):
    """A line that opens a phase."""

    @property
    def key(self) -> tuple[object, ...]:
        """What tells the phase from all others."""
        raise NotImplementedError

    @property
    def moment(self) -> tuple[int, ...]:
        """Which turns come later: those of greater ones."""
        raise NotImplementedError


@grouped
class Play(Statement):
    """A line within a turn."""


@grouped
class Given(Play):
    """A line within a turn or, of what was done before the sheet begins, above the first."""


@grouped
class Act(Statement):
    """A line within a combat, bombardment or air strike."""


@grouped
class Ruling(Statement):
    """A line of whoever directs the game: it goes before the rules, and says why."""


@dataclass(frozen=True, slots=True)
class After:
    """The small word, or the mark, that stands before an argument; one that `may_lack` is read but not written.

    `together`: it may be left out where all arguments of that kind follow one another in their order.
    """

    word: str
    may_lack: bool = False
    together: bool = False


@dataclass(frozen=True)
class DeclaredArgument:
    """An argument as a class declares it: its fields, its kind, what stands before it, its value where it lacks."""

    fields: tuple[str, ...]
    kind: ArgumentKind
    after: After | None
    default: tuple[Any, ...]

    def stands(self, at: Cursor) -> bool:
        """Whether it begins here."""
        after = self.after
        return at.at_word(after.word) if after and not after.may_lack else self.kind.begins(at)

    def read(self, at: Cursor) -> dict[str, Any]:
        """Its values by field. Raises Unread."""
        lacks = self.after and not at.accept(self.after.word) and not self.after.may_lack
        # A way follows units, and a value its name, also without a mark.
        plain = self.after and ((self.after.word == ":" and at.at_way()) or (self.after.word == "=" and at.word))
        if lacks and self.after and not plain:
            raise at.fail("colon" if self.after.word == ":" else expected("word", word=self.after.word))
        value = self.kind.read(at)
        return dict(zip(self.fields, value if self.kind.width > 1 else (value,), strict=True))

    def write(self, statement: Statement, pen: Pen) -> str:
        """Its text, with what stands before it; "" where it says no more than its default."""
        values = tuple(getattr(statement, name) for name in self.fields)
        if values == self.default:
            return ""
        text = self.kind.write(values if self.kind.width > 1 else values[0], pen)
        if self.after and self.after.word in MARKS:
            return MARKS[self.after.word] + text
        word = [pen.word("words", self.after.word)] if self.after and not self.after.may_lack else []
        return " " + " ".join((*word, *([text] if text else ())))

    def usage(self, words: Words, pen: Pen) -> str:
        """What the tables of statements call it."""
        shown = words(f"notation.parts.{self.kind.part or self.kind.name}") if self.kind.name else ""
        if self.after and not self.after.may_lack:
            before = self.after.word if self.after.word in MARKS else pen.word("words", self.after.word)
            shown = f"`{before}` {shown}".rstrip()
        return f"[{shown}]" if self.default else shown


@dataclass(frozen=True)
class Layout:
    """How a class of statements is written: its fixed words, and its parts.

    `first`: the field that the first word fills, and the list of words that it is of.
    """

    words: tuple[str, ...]
    first: tuple[str, str] | None
    required: tuple[DeclaredArgument, ...]
    optional: tuple[DeclaredArgument, ...]

    def fits(self, at: Cursor) -> bool:
        """Whether a line whose first word is read may go on as this statement, of several with the same word."""
        if any(p.after and p.after.word in MARKS and not at.has_mark(p.after.word) for p in self.required):
            # A way may follow units without its colon; what begins with a hex is not of that kind.
            return self.required[0].kind.name == "unit" and at.stands(UNIT) and not at.at_way()
        if not all(at.has_word(p.kind.needs) or at.has_mark(":") for p in self.required if p.kind.needs):
            return False
        if len(self.words) > 1:
            return at.at_word(self.words[1])
        return not self.required or self.required[0].stands(at)


def _kinds(hint: Any) -> Iterator[ArgumentKind | After]:
    """What the annotation of a field bears, also within `… | None`."""
    if get_origin(hint) is Annotated:
        inner, *found = get_args(hint)
        yield from _kinds(inner)
        yield from (x for x in found if isinstance(x, ArgumentKind | After))
    elif get_origin(hint) in (Union, UnionType):
        for inner in get_args(hint):
            yield from _kinds(inner)


def layout(cls: type[Statement]) -> Layout:
    """How a class of statements is written."""
    if cls not in _LAYOUTS:
        _LAYOUTS[cls] = _layout(cls)
    return _LAYOUTS[cls]


def _layout(cls: type[Statement]) -> Layout:
    hints = get_type_hints(cls, include_extras=True)
    fields = dataclasses.fields(cls)
    parts: list[DeclaredArgument] = []
    for i, field in enumerate(fields):
        bears = list(_kinds(hints[field.name]))
        kind = next((x for x in bears if isinstance(x, ArgumentKind)), None)
        if kind is None:
            continue
        filled = fields[i : i + kind.width]
        default = tuple(f.default for f in filled) if field.default is not dataclasses.MISSING else ()
        after = next((x for x in bears if isinstance(x, After)), None)
        parts.append(DeclaredArgument(tuple(f.name for f in filled), kind, after, default))
    section = next((section for section, listing in _LISTING.items() if listing is cls), "")
    first = (fields[1].name, section) if section else None
    required = tuple(p for p in parts if not p.default)
    return Layout(WORDS[cls], first, required, tuple(p for p in parts if p.default))


_LAYOUTS: Final[dict[type[Statement], Layout]] = {}
WORDS: Final[dict[type[Statement], tuple[str, ...]]] = {}
"""Every class of statements with its fixed words, in the order of their declaration."""
_IDLE: Final[dict[type[Statement], tuple[str, ...]]] = {}
_BEGINNING: Final[dict[str, list[type[Statement]]]] = {}
_LISTING: Final[dict[str, type[Statement]]] = {}
T = TypeVar("T", bound=type[Statement])


@dataclass_transform(frozen_default=True)
def statement(words: str = "", of: str = "", idle: str = "") -> Callable[[T], T]:
    """Class decorator: declare a statement that begins with these words.

    `of`: it begins with any word of a section (`ways`), which fills its first field. `idle`: the sections of words,
    or single entries of them (`besides.mp`), that mean nothing where people tell it in words of their own.
    """

    def declare(cls: T) -> T:
        made = grouped(cls)
        WORDS[made] = tuple(words.split())
        _IDLE[made] = tuple(idle.split())
        for first in WORDS[made][:1]:
            _BEGINNING.setdefault(first, []).append(made)
        if of:
            _LISTING[of] = made
        return made

    return declare


def beginning(word: str) -> list[type[Statement]]:
    """The statements that begin with a word of the notation."""
    # What stands above the first turn is tried first.
    return sorted(_BEGINNING.get(word, []), key=lambda made: issubclass(made, Play | Act))


def idle(cls: type[Statement]) -> tuple[str, ...]:
    """The sections of words that mean nothing in what people say for a statement."""
    return _IDLE[cls]


def listed(section: str) -> type[Statement] | None:
    """The statement that begins with a word of a game's list."""
    return _LISTING.get(section)


def read_statement(cls: type[Statement], at: Cursor, word: str) -> Statement:
    """The rest of a line whose first word, meaning `word`, has been read. Raises Unread."""
    form = layout(cls)
    for fixed in form.words[1:]:
        if not at.accept(fixed):
            alike = (WORDS[c] for c in beginning(form.words[0]))
            known = tuple(f"`{at.words.write('words', w[1], at.language)}`" for w in alike if len(w) > 1)
            raise at.fail(expected("some", known=known) if len(known) > 1 else expected("word", word=fixed))
    values: dict[str, Any] = {form.first[0]: word} if form.first else {}
    for part, following in zip_longest(form.required, form.required[1:]):
        then = (following,) if following else form.optional
        at.stops = tuple(p.after.word for p in then if p.after)
        values |= part.read(at)
    before = len(values)
    # A statement of nothing but parts has to have one, unless a small word goes before each of them.
    bare = bool(form.required) or all(part.after for part in form.optional)
    while at.here is not None or not (bare or len(values) > before):
        # What is said already is not said anew: `1 … 5` of one number would lose the first.
        found = next((p for p in form.optional if p.fields[0] not in values and p.stands(at)), None)
        if found is None and (more := _together(form, at, values)):
            values |= more
            continue
        if found is None:
            raise at.fail(_missing(form, at, said=values, none=len(values) == before))
        values |= found.read(at)
    return cls(at.line, **values)


def _together(form: Layout, at: Cursor, values: Mapping[str, Any]) -> dict[str, Any]:
    """Arguments without the words before them, where there are as many as may stand so: no other reading is left.

    Raises Unread where there are fewer, so that each may be one or another.
    """
    parts = [p for p in form.optional if p.after and p.after.together]
    parts = [p for p in parts if p.fields[0] not in values and not (p.after and at.has_word(p.after.word))]
    if "value" in values:
        parts = parts[-1:]  # what has no odds has a column alone
    while parts and (at.accept("=") or at.accept("->")):
        pass
    if not parts or not at.stands(DIGIT):
        return {}
    start = at.here
    found: list[Any] = []
    while at.stands(DIGIT) and len(found) < len(parts):
        found.append(parts[len(found)].kind.read(at))
        while at.accept("=") or at.accept("->"):
            pass
    if len(found) < len(parts):
        pen = Pen(at.words, at.language)
        known = tuple(f"`{pen.word('words', p.after.word)} {found[0]}`" for p in parts if p.after)
        raise Unread(at.problem(expected("some", known=known), start))
    return {p.fields[0]: value for p, value in zip(parts, found, strict=True)}


def _missing(form: Layout, at: Cursor, *, said: Mapping[str, Any], none: bool) -> Any:
    """The hint where none of the optional parts stands that are not said yet."""
    if not form.optional:
        return form.required[-1].kind.end if form.required else "end"
    known = tuple(
        f"`{at.words.write('words', p.after.word, at.language)}`" if p.after else p.kind.expected(at)
        for p in form.optional
        if p.fields[0] not in said
    )
    if not known:
        return "end"
    return expected("some" if none and not form.required else "options", known=known)


def write_line(statement: Statement, pen: Pen) -> str:
    """A statement as one line, without its sub-statements."""
    form = layout(type(statement))
    if form.first is not None:
        line = pen.word(form.first[1], getattr(statement, form.first[0]))
    else:
        line = " ".join(pen.word("words" if i else "statements", w) for i, w in enumerate(form.words))
    return (line + "".join(part.write(statement, pen) for part in (*form.required, *form.optional))).lstrip()


def usage(cls: type[Statement], pen: Pen) -> str:
    """What follows the words of a statement, as the tables of statements tell it: optional parts in brackets."""
    form, words = layout(cls), Words(pen.language)
    told = ""
    for part in (*form.required, *form.optional):
        plain = not (part.after or part.default or part.kind.needs)
        comma = "," if told and plain else ""
        told += f"{comma} {part.usage(words, pen)}"
    return told.strip()
