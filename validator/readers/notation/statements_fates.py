"""Where units go after a combat, also those that a sheet names by their part in it and not by their ids."""

from __future__ import annotations

from typing import Annotated, Literal

from hexforge.validator.readers.notation import kinds as k
from hexforge.validator.readers.notation.base import Act, After, statement
from hexforge.validator.readers.notation.statements_terms import Path, Units

Subject = Literal["attacker", "defender", "both", "all"]


@statement("retreat")
class RetreatOf(Act):
    """`retreat defender: 1107`: all of a side; `both-units` and `all-units` are of the one that has to go."""

    who: Annotated[Subject, k.SUBJECT]
    path: Annotated[Path, After(":")]


@statement("advance")
class Advance(Act):
    """`advance a1: 0609` or, with the hex it comes from, `advance a1: 0608 0609`."""

    units: Units
    path: Annotated[Path, After(":")]
