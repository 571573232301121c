"""Units that pass under the other side's command in a turn (`rules.allegiance`): a nation that changes sides."""

from __future__ import annotations

from hexforge.scenarios.schema.base import Section
from hexforge.scenarios.schema.declared import Field
from hexforge.scenarios.schema.references import SideRef, TurnRef
from hexforge.scenarios.schema.rules_who import Selector


class Allegiance(Selector):
    """Units that belong to the other side from the beginning of a turn on, where they stand and with all they bear.

    They keep their ids. Those that fit `side` are of it before that turn.
    """

    turn: TurnRef = Field(description="the turn from whose beginning on they are the other side's")
    to: SideRef = Field(description="the side under whose command they then are")
    section: Section
