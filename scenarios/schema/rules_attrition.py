"""Attrition: steps that units lose in a phase for what they bear, as want of supply (`rules.attrition`)."""

from __future__ import annotations

from typing import Annotated, Literal

from hexforge.scenarios.schema.base import Section
from hexforge.scenarios.schema.declared import BeforeValidator, Field
from hexforge.scenarios.schema.references import MarkRefs, PhaseRef
from hexforge.scenarios.schema.results import Loss, loss
from hexforge.scenarios.schema.rules_who import Selector


class Attrition(Selector):
    """Units that lose steps in a phase: `attrition c1`, with `roll 4` where dice say how many.

    Each unit that fits suffers it once; who is not named when the phase ends is missed.
    """

    marks: MarkRefs = Field(default=(), description="units with one of these marks suffer it, as `unsupplied`")
    moved: bool = Field(
        default=False, description="only units that moved in their side's last movement phase, as in a forced march"
    )
    phase: PhaseRef = Field(description="the phase in which they do")
    whose: Literal["own", "enemy"] = Field(
        default="own", description="the phase of the unit's `own` side, or of the `enemy`"
    )
    steps: Annotated[Loss, BeforeValidator(loss, json_schema_input_type=int | str | Loss)] = Field(
        default=Loss(),
        description="what each of them loses: steps, `all`, dice as `1d6`, with `shows` if they say something else",
    )
    last: bool = Field(default=True, description="whether a unit may lose its last step so; else that one stays")
    section: Section
