"""By what a module, and every save and log made with it, can be told to come from a scenario here.

VASSAL copies the entry `moduledata` of a module into each save and log (`SaveMetaData`), the two fields that it
leaves to the module's author with it. `extra1` says which game, `extra2` where its hexes and boxes lie, so that a
log can be read without its module. Neither is shown to players.
"""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from .plan import Plan


MAKER = "hexforge"
FORMAT = 1
_GAME = re.compile(rf"{MAKER} \d+ ([a-z0-9_-]{{1,64}}) [0-9a-f]{{64}}")


def marks(plan: Plan) -> tuple[str, str]:
    """`hexforge 1 NAME HASH` (format, the scenario's name, SHA-256 of its data) and the layout as JSON."""
    return f"{MAKER} {FORMAT} {plan.scenario.name} {plan.scenario.digest}", json.dumps(
        layout(plan), ensure_ascii=False, separators=(",", ":")
    )


def game_of(extra1: str | None) -> str | None:
    """The scenario's name in the first mark; None for modules that were not made here."""
    found = _GAME.fullmatch((extra1 or "").strip())
    return found[1] if found else None


def layout(plan: Plan) -> dict[str, Any]:
    """Names of maps and sides, the hex grid of the main map and the boxes of those who left it, in pixels.

    `hex`: x0 y0 dx dy of VASSAL's grid, and 1 where it staggers; `sideways` 1 where that lies so; `numbering` as
    VASSAL has it, for a board without end, where hexes are not called CCRR; `left`: side -> x y of two corners;
    `letter`: the map's, if it has one.
    """
    ground, losses, words = plan.ground, plan.losses, plan.words
    sides = [spec.id for spec in plan.scenario.game.sides]
    gone = {words("box.left", side=words.side(side)): side for side in sides}
    letter = plan.scenario.map.grid.letter
    return {
        **({"letter": letter} if letter else {}),
        **({"sideways": 1} if ground.grid.pointy else {}),
        **({} if ground.grid.usual and not ground.grid.pointy else {"numbering": ground.numbering(whole=False)}),
        "language": words.language,
        "main": words("map.main"),
        "reserves": plan.reserves.name,
        "losses": losses.name,
        "hex": [*ground.origin, float(ground.dx), float(ground.dy), int(ground.stagger)],
        "sides": {words.side(side): side for side in sides},
        "left": {
            gone[box.name]: [box.x, box.y, box.x + box.width, box.y + box.height]
            for box in losses.boxes
            if box.name in gone
        },
    }
