"""All that is open to the side at hand, as one value for scripts."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from ....scenarios.text.hexgrid import Hex
from ...notation.base import Statement
from ...notation.vocabulary import write_statement
from ...rules.context import Context
from ...rules.findings import Finding
from ...rules.position import Phase, Position
from .attacks import Means, Target, fire_targets, fires, targets
from .movement import Deed, Goal, arrivals, deeds, goals, movers, phase_deeds
from .trial import closing


@dataclass(frozen=True, slots=True)
class Offers:
    """What the side at hand may do: by unit where it may go and what else it may do, whom it may attack.

    `entering` are units off the map with where they may come on; `owed` is what would be found if the phase ended.
    """

    phase: Phase | None
    moves: Mapping[str, Mapping[Hex, Goal]]
    entering: Mapping[str, Mapping[Hex, Goal]]
    deeds: Mapping[str, tuple[Deed, ...]]
    throws: tuple[Deed, ...]
    targets: tuple[Target, ...]
    fire: Mapping[Means, tuple[Hex, ...]]
    owed: tuple[Finding, ...]

    def as_json(self) -> dict[str, Any]:
        """The same, each statement in the canonical form."""

        def places(found: Mapping[str, Mapping[Hex, Goal]]) -> dict[str, Any]:
            return {
                unit: {h: {"line": _line(g.statement), "cost": g.cost, "left": g.left} for h, g in by_hex.items()}
                for unit, by_hex in found.items()
            }

        phase = self.phase
        return {
            "phase": {"turn": phase.turn, "side": phase.side, "phase": phase.name or phase.kind} if phase else None,
            "moves": places(self.moves),
            "entering": places(self.entering),
            "deeds": {unit: [_line(d.statement) for d in found] for unit, found in self.deeds.items()},
            "throws": [_line(d.statement) for d in self.throws],
            "targets": [{"hex": t.hex, "attackers": list(t.attackers), "owed": t.owed} for t in self.targets],
            "fire": {kind: list(hexes) for kind, hexes in self.fire.items()},
            "owed": [finding.message.key.removeprefix("findings.") for finding in self.owed],
        }


def _line(statement: Statement) -> str:
    return write_statement(statement)


def offers(ctx: Context, position: Position) -> Offers:
    """All that the side at hand may do, each unit for itself."""
    side = position.phase.side if position.phase is not None else ""
    every = {unit: deeds(ctx, position, (unit,)) for unit in sorted(position.on_map(side))} if side else {}
    return Offers(
        position.phase,
        {unit: goals(ctx, position, (unit,)) for unit in movers(ctx, position)},
        {unit: goals(ctx, position, (unit,)) for unit in arrivals(ctx, position)},
        {unit: found for unit, found in every.items() if found},
        phase_deeds(ctx, position),
        targets(ctx, position),
        {kind: hexes for kind in fires(ctx, position) if (hexes := fire_targets(ctx, position, kind))},
        tuple(f for f in closing(ctx, position) if f.severity == "illegal"),
    )
