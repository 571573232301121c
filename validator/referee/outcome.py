"""What a rule hands back: the position after a statement, and what there is to say about it."""

from __future__ import annotations

from dataclasses import dataclass

from hexforge.validator.referee.findings import CombatRecord, Finding, MoveRecord
from hexforge.validator.referee.state import Position


@dataclass(frozen=True)
class Outcome:
    """The position as played, findings in the order they were made, and what was computed."""

    position: Position
    findings: tuple[Finding, ...] = ()
    moves: tuple[MoveRecord, ...] = ()
    combats: tuple[CombatRecord, ...] = ()

    def then(self, after: Outcome) -> Outcome:
        """This outcome, and that of the rule that went on from its position."""
        return Outcome(
            after.position,
            (*self.findings, *after.findings),
            (*self.moves, *after.moves),
            (*self.combats, *after.combats),
        )
