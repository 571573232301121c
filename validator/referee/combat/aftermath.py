"""The books of one combat's aftermath: what is still demanded, who was hit, who went where."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal

from hexforge.scenarios.hexgrid import Hex
from hexforge.validator.referee.combat.demands import Demands, Loss
from hexforge.validator.referee.combat.desk import Desk
from hexforge.validator.referee.state import Step

Part = Literal["attacker", "defender"]


@dataclass(slots=True)
class Price:
    """What a retreat costs a unit: steps, or its life, by which section; `line` is the retreat's."""

    line: int
    section: str
    death: bool


@dataclass(slots=True)
class Overfull:
    """A hex into which a retreat brought more units than may stand there."""

    hex: Hex
    side: str
    line: int


@dataclass(slots=True)
class Books:
    """State of the aftermath. `demands` is None while no result is known; then nothing is judged.

    `home` is where each fighter stood when the dice fell; `hit` are units that lost a step in the combat itself;
    `given_up` are exchange points (EMP) by part, `exchanged` points and step of each unit given up; `went` is the
    way of each retreat on the map.
    """

    line: int
    targets: tuple[Hex, ...]
    demands: Demands | None
    defenders: tuple[str, ...]
    engaged: tuple[str, ...]
    home: dict[str, Hex | None]
    budget: dict[Part, Loss]
    strength: int = 0
    hit: set[str] = field(default_factory=set)
    given_up: dict[Part, int] = field(default_factory=lambda: {"attacker": 0, "defender": 0})
    exchanged: dict[str, tuple[int, Step]] = field(default_factory=dict)
    prices: dict[str, list[Price]] = field(default_factory=dict)
    retreated: dict[str, int] = field(default_factory=dict)
    went: dict[str, tuple[Hex, ...]] = field(default_factory=dict)
    displaced: set[str] = field(default_factory=set)
    overfull: list[Overfull] = field(default_factory=list)
    advanced: set[str] = field(default_factory=set)

    def part_of(self, unit: str) -> Part | None:
        """The part of a unit that suffers results; guns that fire from afar have none."""
        return "defender" if unit in self.defenders else "attacker" if unit in self.engaged else None

    def must_retreat(self, unit: str) -> bool:
        """Whether the result drives a unit back."""
        if self.demands is None:
            return False
        part = self.part_of(unit)
        return (part == "defender" and self.demands.defender_retreats) or (
            part == "attacker" and self.demands.attacker_retreats
        )


def open_books(
    desk: Desk, line: int, targets: tuple[Hex, ...], demands: Demands | None, sides: dict[Part, tuple[str, ...]]
) -> Books:
    """The books at the moment when the dice have fallen."""
    fighters = (*sides["defender"], *sides["attacker"])
    return Books(
        line=line,
        targets=targets,
        demands=demands,
        defenders=sides["defender"],
        engaged=sides["attacker"],
        home={u: desk.position.hex_of(u) for u in fighters},
        budget={
            "defender": demands.defender_loss if demands else "",
            "attacker": demands.attacker_loss if demands else "",
        },
        strength=sum(desk.attack_of(u) for u in sides["attacker"]),
    )


def step_of(desk: Desk, unit: str) -> Step:
    """The step that a unit is at."""
    return desk.position.units[unit].step


def reduce(desk: Desk, unit: str) -> None:
    """A step off a unit: turned over, or off the map if it was already."""
    if step_of(desk, unit) == "full":
        desk.position = desk.position.set(unit, step="reduced")
    else:
        remove(desk, unit)


def remove(desk: Desk, unit: str) -> None:
    """A unit eliminated."""
    desk.position = desk.position.take_off(unit, "eliminated")
