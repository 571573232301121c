"""counters.csv: one row a counter."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Annotated, Any, ClassVar, Final, Literal, Self

from hexforge.scenarios.schema.base import (
    LANGUAGE,
    Identifier,
    Note,
    Size,
    Sourced,
    SourcedFact,
    printed,
)
from hexforge.scenarios.schema.declared import BeforeValidator, Field, Model
from hexforge.scenarios.schema.references import SideRef, UnitTypeRef
from hexforge.scenarios.words import SOURCE, BadValueError, Language, message

_WHOLE: Final = re.compile("([0-9]{1,2})[.,]0{1,4}")


def _blank(value: Any) -> Any:
    return None if value == "" else value


def _number(value: Any) -> Any:
    if isinstance(value, str) and (found := _WHOLE.fullmatch(value.strip())):
        return found[1]  # as spreadsheets write whole numbers in a column with decimals
    if isinstance(value, str) and not value.strip().isdecimal():
        key = "number" if isinstance(printed(value), str) else "halves-on-counters"
        raise BadValueError(message(f"scenario.value.{key}", given=repr(value)))
    return value


Number = Annotated[int, BeforeValidator(_number), Field(ge=0, le=99)]
OptionalNumber = Annotated[Number | None, BeforeValidator(_blank)]
MAX_STEPS: Final = 6
_PAIR: Final = re.compile("([0-9]{1,2})-([0-9]{1,2})")


def _pairs(value: Any) -> Any:
    """`3-3 1-1` as pairs of numbers."""
    if not isinstance(value, str):
        return value
    found = [_PAIR.fullmatch(word) for word in value.split()]
    if not all(found) or len(found) > MAX_STEPS - 2:
        raise BadValueError(message("scenario.value.steps", given=repr(value), most=MAX_STEPS - 2))
    return tuple((int(pair[1]), int(pair[2])) for pair in found if pair)


Pairs = Annotated[tuple[tuple[int, int], ...], BeforeValidator(_pairs, json_schema_input_type=str)]
"""Attack and defence of several steps."""


def _levels(value: Any) -> Any:
    """`7 5` as numbers, one for each step."""
    if not isinstance(value, str):
        return value
    words = value.split()
    if not all(word.isdecimal() and len(word) < 3 for word in words) or len(words) > MAX_STEPS:
        raise BadValueError(message("scenario.value.morale", given=repr(value), most=MAX_STEPS))
    return tuple(map(int, words))


Levels = Annotated[tuple[int, ...], BeforeValidator(_levels, json_schema_input_type=str)]
Strength = Literal["printed", "inferred", "assumed"]
Identity = Literal["printed", "history", "assumed"]


def _figures(kind: str, *columns: str) -> Sourced:
    """The figures of some columns are a datum, unless all of them are blank."""

    def facts(row: CounterRow) -> Iterator[SourcedFact]:
        figures = [getattr(row, column) for column in columns]
        if any(figure is not None for figure in figures):
            yield SourcedFact(row.id, "-".join(map(str, figures)))

    return Sourced(kind, facts)


_STRENGTH: Final = _figures("strength", "attack", "defence", "move")
_REDUCED: Final = _figures("reduced", "reduced_attack", "reduced_defence")
_RANGE: Final = _figures("range", "range")
_IDENTITY: Final = Sourced("identity", lambda row: [SourcedFact(row.id, row.name(SOURCE))])
_NAME: Final = re.compile(f"name_({LANGUAGE})")


def _columns(schema: dict[str, Any]) -> None:
    # A row has a column of names a language, whatever the languages are, and none for all of them.
    del schema["properties"]["names"]
    schema["patternProperties"] = {f"^{_NAME.pattern}$": {"type": "string"}}


class CounterRow(Model):
    """A counter's two faces and its place in the order of battle.

    `attack defence move` are the figures of the front, `reduced_attack reduced_defence` those of the back;
    `range` (hexes) only for guns that fire at a distance. A game has the `name_` columns of its languages:
    `name_fr` is what `names` holds for `fr`.
    """

    __pydantic_config__: ClassVar[Mapping[str, Any]] = {**Model.__pydantic_config__, "json_schema_extra": _columns}

    id: Identifier = Field(
        description="what sheets and findings call it: its side's prefix, its formation, a number for those alike"
    )
    side: SideRef = Field(description="the side that plays it")
    branch: str = Field(description="one of the side's branches, which gives the counter its colours")
    names: Mapping[Language, str] = Field(default_factory=dict)
    type: UnitTypeRef = Field(description="unit type: its symbol and how it moves")
    size: Size = Field(description="mark of its size, from I (company) to XXXXX (army group)")
    regiment: str = Field(default="", description="number or name of its regiment; blank: it belongs to none")
    division: str = Field(default="", description="number or name of its division; blank: independent")
    corps: str = Field(default="", description="number or name of its corps; blank: none")
    label: str = Field(
        default="",
        description="what the counter prints beside its symbol, as a leader's name and rating; blank: its "
        "regiment, or what its id names",
        examples=["KDG"],
    )
    attack: Number = Field(description="attack strength at full strength")
    defence: Number = Field(description="defence strength at full strength")
    move: Number = Field(description="movement points a turn")
    range: OptionalNumber = Field(
        default=None, description="hexes over which a gun fires; blank: it fires at nobody beyond the next hex"
    )
    reduced_attack: OptionalNumber = Field(
        default=None, description="attack strength of the back; blank: not known, see `unknown_back`"
    )
    reduced_defence: OptionalNumber = Field(
        default=None, description="defence strength of the back; blank: not known, see `unknown_back`"
    )
    reduced_move: Levels = Field(
        default=(),
        description="movement points at the second step and at those after it, of which the last counts on; "
        "blank: as at full strength",
        examples=["4"],
    )
    further: Pairs = Field(
        default=(),
        description="attack-defence of the third step and of those after it, of units with up to six steps",
        examples=["3-3 1-1"],
    )
    morale: Levels = Field(
        default=(),
        description="what dice are held against in tests of morale: one number, or one for each step, of which the "
        "last counts for those after it; blank: it is never tested",
        examples=["7 5"],
    )
    source_strength: Annotated[Strength, _STRENGTH] = Field(
        description="where attack, defence, move and morale come from"
    )
    source_reduced: Annotated[Strength, _REDUCED] = Field(
        default="assumed", description="where the reduced figures come from"
    )
    source_range: Annotated[Strength, _RANGE] = Field(default="printed", description="where the range comes from")
    source_identity: Annotated[Identity, _IDENTITY] = Field(
        description="where the unit's number and formation come from"
    )
    note: Note = ""

    @classmethod
    def of_row(cls, row: Mapping[str, str]) -> Self:
        """What a row of the file says, by its columns. Raises pydantic's ValidationError."""
        names = {found[1]: row[column] for column in row if (found := _NAME.fullmatch(column)) and row[column]}
        rest = {column: cell for column, cell in row.items() if not _NAME.fullmatch(column)}
        return cls.model_validate(rest | {"names": names})

    def __post_init__(self) -> None:
        if (self.reduced_attack is None) != (self.reduced_defence is None):
            raise BadValueError(message("scenario.value.half-a-back"))
        if self.further and (self.reduced_attack is None or self.reduced_defence is None):
            raise BadValueError(message("scenario.value.steps-gap"))

    @classmethod
    def has_column(cls, name: str) -> bool:
        """Whether the file may have a column of this name."""
        return (name in cls.model_fields and name != "names") or _NAME.fullmatch(name) is not None

    def name(self, language: Language) -> str:
        """The name in a language, in English or else in any where it has none, else the id."""
        return self.names.get(language) or self.names.get(SOURCE) or next(iter(self.names.values()), self.id)

    @property
    def backs(self) -> tuple[tuple[int, int], ...]:
        """Attack and defence of each step after the first, as far as they are known."""
        if self.reduced_attack is None or self.reduced_defence is None:
            return ()
        return ((self.reduced_attack, self.reduced_defence), *self.further)
