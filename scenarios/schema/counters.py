"""counters.csv: one row a counter."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import BeforeValidator, Field

from hexforge.scenarios.schema.base import Identifier, Model, Provenance
from hexforge.scenarios.schema.references import SideRef, UnitTypeRef
from hexforge.scenarios.words import BadValueError, message


def _blank(value: Any) -> Any:
    return None if value == "" else value


def _number(value: Any) -> Any:
    if isinstance(value, str) and not value.strip().isdecimal():
        raise BadValueError(message("scenario.value.number", given=repr(value)))
    return value


Number = Annotated[int, BeforeValidator(_number), Field(ge=0, le=99)]
OptionalNumber = Annotated[Number | None, BeforeValidator(_blank)]
Strength = Literal["printed", "inferred", "assumed"]
Identity = Literal["printed", "history", "assumed"]


class CounterRow(Model):
    """A counter's two faces and its place in the order of battle.

    `attack defence move` are the figures of the front, `reduced_attack reduced_defence` those of the back;
    `range` (hexes) only for guns that fire at a distance. A game has the `name_` columns of its languages.
    """

    id: Identifier
    side: SideRef
    branch: str
    name_pt: str = ""
    name_en: str = ""
    type: UnitTypeRef
    size: Literal["I", "II", "III", "X", "XX", "XXX"]
    regiment: str = ""
    division: str = ""
    corps: str = ""
    attack: Number
    defence: Number
    move: Number
    range: OptionalNumber = None
    reduced_attack: OptionalNumber = None
    reduced_defence: OptionalNumber = None
    source_strength: Strength = Field(description="where attack, defence and move come from")
    source_reduced: Strength = Field("assumed", description="where the reduced figures come from")
    source_range: Strength = "printed"
    source_identity: Identity = Field(description="where the unit's number and formation come from")
    note: str = ""

    def name(self, language: str) -> str:
        """The name in a language, in another one where it has none, else the id."""
        own: str = getattr(self, f"name_{language}", "")
        return own or self.name_en or self.name_pt or self.id

    @property
    def strength_provenance(self) -> Provenance:
        """The counter's figures in the words that the map uses."""
        return "printed" if self.source_strength == "printed" else "assumed"


class Marker(Model):
    """A marker of the module that is no unit: turn, bridge, weather."""

    id: Identifier
    symbol: str
    name_pt: str
    name_en: str
