"""Who takes part in a combat and with what, as the sheet says it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from hexforge.scenarios.hexgrid import Hex
from hexforge.validator.readers import statements as st
from hexforge.validator.referee.combat.desk import Desk


@dataclass(slots=True)
class Fight:
    """The acts of one combat, sorted by what they say. Units map to the line that names them first.

    `attackers` attack from next to the target, `supports` and `guards` fire from afar for the attack and for the
    defence. `aftermath` are losses, retreats and advances in the order written.
    """

    line: int
    targets: tuple[Hex, ...]
    attackers: dict[str, int] = field(default_factory=dict)
    supports: dict[str, int] = field(default_factory=dict)
    guards: dict[str, int] = field(default_factory=dict)
    offboard: int = 0
    guard_offboard: int = 0
    offboard_line: int = 0
    air: int = 0
    air_line: int = 0
    guard_air: int = 0
    guard_air_line: int = 0
    announcements: list[st.Announce] = field(default_factory=list)
    late: list[st.Act] = field(default_factory=list)
    declarations: list[st.Declare] = field(default_factory=list)
    roll: st.Roll | None = None
    result: st.Result | None = None
    aftermath: list[st.Act] = field(default_factory=list)

    @property
    def declared_codes(self) -> tuple[str, ...] | None:
        """What the players read off the table; None if they do not say."""
        return self.result.codes if self.result else None


def read_fight(desk: Desk, line: int, targets: Sequence[Hex], acts: Sequence[st.Act]) -> Fight:
    """The acts of a statement as a fight. A unit named twice counts once, and is found fault with.

    A gun that `supports` although it stands next to the target is an attacker like any other (8.0).
    """
    fight = Fight(line, tuple(dict.fromkeys(targets)))
    spoken = False
    for act in acts:
        match act:
            case st.Attack():
                _enlist(desk, fight, fight.attackers, act.units, act.line)
            case st.Support():
                _enlist(desk, fight, fight.supports, act.units, act.line)
                fight.offboard += act.offboard
                fight.offboard_line = act.line if act.offboard else fight.offboard_line
            case st.Guard():
                _enlist(desk, fight, fight.guards, act.units, act.line)
                fight.guard_offboard += act.offboard
                fight.offboard_line = act.line if act.offboard else fight.offboard_line
            case st.AirSupport():
                fight.air += act.points
                fight.air_line = act.line
            case st.GuardAir():
                fight.guard_air += act.points
                fight.guard_air_line = act.line
            case st.Announce():
                fight.announcements.append(act)
                spoken = spoken or act.role == "defender"
                continue
            case st.Declare():
                fight.declarations.append(act)
                continue
            case st.Roll():
                fight.roll = act
                continue
            case st.Result():
                fight.result = act
                continue
            case _:
                fight.aftermath.append(act)
                continue
        if spoken:
            fight.late.append(act)
    _engage_adjacent_guns(desk, fight)
    return fight


def _enlist(desk: Desk, fight: Fight, list_: dict[str, int], units: Sequence[str], line: int) -> None:
    for unit in units:
        if unit not in desk.position.roster:
            desk.find(line, "unknown-unit", section=desk.rules.sections.participants, units=(unit,), unit=unit)
        elif unit in fight.attackers or unit in fight.supports or unit in fight.guards:
            desk.find(line, "gun-twice-in-one" if desk.is_gun(unit) else "twice-in-one", units=(unit,), unit=unit)
        else:
            list_[unit] = line


def _engage_adjacent_guns(desk: Desk, fight: Fight) -> None:
    for unit, line in list(fight.supports.items()):
        hex_ = desk.position.hex_of(unit)
        near = hex_ is not None and any(desk.position.grid.adjacent(hex_, target) for target in fight.targets)
        if near and desk.is_gun(unit) and desk.unit(unit).side == desk.attacker:
            desk.find(line, "gun-engaged", units=(unit,), severity="warning", unit=unit)
            fight.attackers[unit] = fight.supports.pop(unit)
