"""What players do with mouse and keys for the things they do most, step by step, as the help lists it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Literal

from hexforge.modulegen.assemble import prototypes, windows
from hexforge.modulegen.assemble.combat import counters, deeds, flies, has_guns, names, tasks
from hexforge.modulegen.vassal.traits import Key

if TYPE_CHECKING:
    from hexforge.modulegen.plan import Plan

Hand = Literal["target", "stack", "gun", "unit", "drag"]
"""A click (on who is attacked, who attacks, on a gun, on any counter) or a drag."""
Gesture = Hand | Key

_TARGET: tuple[Gesture, ...] = ("target", counters.KEY_TARGET)
_STACK: tuple[Gesture, ...] = ("stack", counters.KEY_ATTACK)
_GUN: tuple[Gesture, ...] = ("gun", counters.KEY_SUPPORT)


def gestures(plan: Plan) -> Mapping[str, tuple[Gesture, ...]]:
    """The gestures for each thing that the game has, by the key of its word (`gesture.…`)."""
    guns = any(u.counter.range is not None for u in plan.units.values())
    found: dict[str, tuple[Gesture, ...]] = {"assault": (*_TARGET, *_STACK, *_STACK, names.HOTKEY_ROLL)}
    if guns:
        # Two points of aircraft.
        air = (names.HOTKEY_AIR, names.HOTKEY_AIR) if flies(plan) else ()
        key = "assault_air" if air else "assault_guns"
        support = (names.HOTKEY_GUNS,) if has_guns(plan) else (*_GUN, *_GUN)
        found[key] = (*_TARGET, *_STACK, *_STACK, *support, *air, names.HOTKEY_ROLL)
        if plan.scenario.tables.bombardment is not None:
            found["bombardment"] = (*_TARGET, *_GUN, names.HOTKEY_BOMBARD)
    if prototypes.has_steps(plan):
        found["loss"] = ("unit", deeds.KEY_REDUCE)
    found["elimination"] = ("unit", deeds.KEY_ELIMINATE)
    found["retreat"] = ("drag",)
    if plan.scenario.setup.reinforcements:
        found["reinforcement"] = (windows.HOTKEY_RESERVES, "drag")
        if "enter" in tasks.available(plan):
            found["entry"] = (tasks.HOTKEY_ARRIVE,)
    if plan.scenario.setup.withdrawals:
        found["withdrawal"] = (tasks.HOTKEY_DEPART,)
    return found


def told(plan: Plan, steps: tuple[Gesture, ...]) -> str:
    """The gestures of a thing in words."""
    return ", ".join(s.label if isinstance(s, Key) else plan.words(f"gesture.step_{s}") for s in steps)
