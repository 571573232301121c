"""Units whose strength nobody knows before they first fight (`rules.untried`)."""

from __future__ import annotations

import re
from typing import Annotated, Any, Final

from hexforge.scenarios.schema.base import Section
from hexforge.scenarios.schema.declared import AfterValidator, Field
from hexforge.scenarios.schema.rules_who import Selector
from hexforge.scenarios.words import BadValueError, message

_FIGURES: Final = re.compile(r"[0-9]{1,2}-[0-9]{1,2}( [0-9]{1,2}-[0-9]{1,2}){0,5}")


def _listed(pool: dict[str, int]) -> dict[str, int]:
    for name in pool:
        if not _FIGURES.fullmatch(name):
            raise BadValueError(message("scenario.value.pool", given=repr(name)))
    return pool


class Untried(Selector):
    """Units that have no strength until they first fight; then one is drawn or turned up: `reveal c1 4-3`.

    It stays theirs from then on. Counters print `?` for it, whatever `counters.csv` gives.
    """

    pool: Annotated[dict[str, Annotated[int, Field(ge=1, le=999)]], AfterValidator(_listed)] = Field(
        default_factory=dict,
        description="attack-defence, with those of the back, and of each step after it, behind blanks if they have "
        'figures -> how many of them there are to be drawn: `{"4-3": 5, "3-3 2-2 1-1": 2}`; empty: any strength',
    )
    returned: bool = Field(
        default=False, description="whether the strength of a unit that is destroyed may be drawn again"
    )
    section: Section

    def figures(self, attack: int, defence: int) -> tuple[tuple[int, ...], ...]:
        """What of the pool begins with an attack and a defence: and those of later steps where it has any."""
        found = (tuple(int(n) for n in re.findall("[0-9]+", name)) for name in self.pool)
        return tuple(each for each in found if each[:2] == (attack, defence))


def named(figures: tuple[Any, ...]) -> str:
    """How a pool names figures."""
    return " ".join("-".join(map(str, figures[i : i + 2])) for i in range(0, len(figures), 2))
