"""The help page: plain HTML (VASSAL's viewer knows 3.2 and little style) from the words of game and compiler.

What players do with mouse and keys for the things they do most, step by step, as the help lists it.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Final, Literal

from ..plan.battlefield import leaves, loss_dice, overruns, recovers, works_out
from ..plan.markers import COMBAT_IMAGES, COMBAT_MARKS, MOVED_IMAGE, has_air, icon, may_strike
from ..render import templates
from ..render.charts_turns import whom
from ..render.condition_words import side_name
from ..vassal.traits import Key
from . import prototypes, turns, windows
from .combat import counters, flies, has_guns, plain_dice, reports, tasks
from .combat import steps as names
from .expressions import KEY_LEAVE, KEY_MOVED

if TYPE_CHECKING:
    from ..plan import Plan


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
        found["loss"] = ("unit", reports.KEY_REDUCE)
    found["elimination"] = ("unit", reports.KEY_ELIMINATE)
    found["retreat"] = ("drag",)
    if plan.scenario.setup.reinforcements:
        found["reinforcement"] = (windows.HOTKEY_RESERVES, "drag")
        if "enter" in tasks.available(plan):
            found["entry"] = (tasks.HOTKEY_ARRIVE,)
    if plan.scenario.setup.withdrawals:
        found["withdrawal"] = (tasks.HOTKEY_DEPART,)
    return found


def step_words(plan: Plan, steps: tuple[Gesture, ...]) -> str:
    """The gestures of a thing in words."""
    return ", ".join(s.label if isinstance(s, Key) else plan.words(f"gesture.step_{s}") for s in steps)


FILE = "help.html"
_LOSS: Final = ((reports.KEY_REDUCE, "menu.reduce"),)
_RECOVERY: Final = ((reports.KEY_RECOVER, "menu.recover"),)

_GUNS: Final = ((counters.KEY_SUPPORT, "menu.support"), (counters.KEY_GUARD, "menu.guard"))


def page(plan: Plan) -> bytes:
    """The page, UTF-8, every character beyond ASCII as a reference, for the viewer guesses encodings."""
    words = plan.words
    help_ = words.text.section("help")
    specials = [text for key, text in sorted(help_.items()) if key.startswith("special")]
    html = templates.render(
        "boxes/help.html.j2",
        plan=plan,
        words=words,
        title=words.title(plan.scenario),
        text=words.text,
        howto=list(_howto(plan)),
        specials=specials,
        quick=list(_quick(plan)),
        gestures=[
            (plan.words(f"gesture.{key}"), len(steps), step_words(plan, steps))
            for key, steps in gestures(plan).items()
        ],
        keys=[(key.label, _words_of(plan, what)) for key, what in _keys(plan)],
        provenance=_provenance(plan),
    )
    return html.encode("ascii", "xmlcharrefreplace")


def _howto(plan: Plan) -> Iterator[str]:
    """How to play, paragraph by paragraph, of what the game has and of nothing else."""
    setup, rules = plan.scenario.setup, plan.scenario.game.rules
    sums, comes, goes = works_out(plan.scenario), bool(setup.reinforcements), bool(setup.withdrawals)
    told = {(True, True): "arrive_and_leave", (True, False): "arrive", (False, True): "leave"}.get((comes, goes))
    paragraphs = (
        ("turns", *(["turns_air"] if has_air(plan.scenario) else []), *([told] if told else [])),
        ("declare" if sums else "declare_plain", "typed"),
        (
            "marking",
            *(["odds"] if sums else []),
            "shift_transit" if rules.movement.transit else "shift",
            "combat",
            *(["due"] if comes else []),
            *(["leaves"] if goes else []),
            "eye",
        ),
    )
    for keys in paragraphs:
        yield " ".join(plan.words(f"help.{key}", **_example_lines(plan, key)) for key in keys)
    yield from _sworn(plan)


def _sworn(plan: Plan) -> Iterator[str]:
    """Who changes sides, and that the module goes on taking their counters for the first side's."""
    scenario, text = plan.scenario, plan.words.text
    changes = scenario.game.rules.allegiance
    for change in changes:
        units = whom(scenario, text, change, change.side or "")
        yield plan.words("help.sworn", turn=change.turn, side=side_name(text, change.to), units=units)
    if changes:
        yield plan.words("help.sworn_colours")


def _example_lines(plan: Plan, key: str) -> dict[str, str]:
    """What a text names that is the game's own: lines as players type them, by the set-up's first units."""
    if key != "typed":
        return {}
    words, setup = plan.words, plan.scenario.setup
    attacker = plan.scenario.game.sequence[0].side
    stands = [(u, p.hexes[0]) for p in setup.at_start for u in p.units if p.hexes]
    ours = next((u for u in plan.units.values() if u.counter.side == attacker), None)
    theirs = (hex_ for u, hex_ in stands if u in plan.units and plan.units[u].counter.side != attacker)
    target = next(theirs, plan.scenario.map.grid.hexes[0])
    lines = [words("tell.combat").replace("$CombatSpot$", target)]
    lines += [words("tell.attack").replace("$CombatAttackers$", f" {ours.counter.id}")] if ours else []
    if plan.scenario.game.rules.combat.artillery.offboard:
        lines.append(words("tell.offboard").replace("$CombatOffboard$", "20"))
    return {"example": "; ".join(lines)}


def _quick(plan: Plan) -> Iterator[tuple[tuple[str, ...], str]]:
    """A quick start, step by step, each with pictures of what is clicked."""
    units, marks = list(plan.units.values()), dict(zip(COMBAT_MARKS, COMBAT_IMAGES, strict=True))
    by_side = {u.counter.side: u.images[0] for u in reversed(units)}
    steps: list[tuple[str, tuple[str, ...]]] = [
        ("sides", (icon("sides"), *by_side.values())),
        *([("setup", (icon("setup"), icon("undo")))] if plan.suggested else []),
        ("log", ()),
        ("move", (*list(by_side.values())[:1], MOVED_IMAGE)),
        ("show", (icon("show"), marks["shown"])),
        ("phase", (icon("turn"),)),
        *([("arrive", (icon("reinforcements"),))] if plan.scenario.setup.reinforcements else []),
        ("fight", (marks["target"], marks["attack"], icon("dice_2"))),
        ("lose", (icon("losses"),)),
        ("send", ()),
    ]
    for name, images in steps:
        yield images, plan.words(f"quick.{name}")


def _words_of(plan: Plan, what: str) -> str:
    """What a key does, with the submenu that it stands in where the entry alone would say too little."""
    if what == "button.dice2_tip":
        return plan.words(what, dice=plain_dice(plan))
    task = what.removeprefix("menu.")
    if task in tasks.TASKS:
        return tasks.entry(plan, task)
    declares = task in prototypes.DECLARATIONS
    return f"{plan.words('menu.combat')}: {plan.words(what)}" if declares else plan.words(what)


def _keys(plan: Plan) -> list[tuple[Key, str]]:
    """Every keystroke that the module offers, and the key of the word for what it does."""
    found = [
        (counters.KEY_TARGET, "menu.target"),
        (counters.KEY_ATTACK, "menu.attack"),
        *(_GUNS if any(u.counter.range is not None for u in plan.units.values()) else ()),
        *(_LOSS if prototypes.has_steps(plan) else ()),
        *(_RECOVERY if prototypes.has_steps(plan) and recovers(plan.scenario) else ()),
        (reports.KEY_ELIMINATE, "menu.eliminate"),
        (reports.KEY_ADVANCE, "menu.advance"),
        (reports.KEY_RETREAT, "menu.retreat"),
        *((tasks.TASKS[task], f"menu.{task}") for task in tasks.available(plan)),
        (reports.KEY_BACK, "menu.back"),
        *([(KEY_LEAVE, "menu.leave")] if leaves(plan.scenario) else []),
        (prototypes.KEY_TRAIL, "menu.trail"),
        (KEY_MOVED, "menu.moved"),
        (prototypes.KEY_ZOC, "menu.zoc"),
        (prototypes.KEY_NEXT, "menu.next"),
        (prototypes.KEY_CLONE, "menu.clone"),
        (prototypes.KEY_DELETE, "menu.delete"),
        (windows.HOTKEY_UNMOVED, "button.unmoved_tip"),
        (windows.HOTKEY_RANGE, "button.range_tip"),
        (windows.HOTKEY_OVERVIEW, "window.overview_tip"),
        (windows.HOTKEY_HIDE, "button.hide_tip"),
        (turns.HOTKEY_NEXT, "button.turn_next"),
        (turns.HOTKEY_BACK, "button.turn_back"),
        (turns.HOTKEY_CHARTS, "window.charts_tip"),
        (windows.HOTKEY_RESERVES, "window.reserves_tip"),
        (windows.HOTKEY_LOSSES, "window.losses_tip"),
        (windows.HOTKEY_COUNTERS, "window.counters_tip"),
        (windows.HOTKEY_MARKERS, "window.markers_tip"),
        (names.HOTKEY_ROLL, "button.dice2_tip"),
        *([(names.HOTKEY_PREVIEW, "button.preview_tip")] if works_out(plan.scenario) else []),
        *_fighting(plan),
        *_calendar(plan),
        (names.HOTKEY_SHIFT, "button.shift_tip"),
        (names.HOTKEY_CLEAR, "button.clear_combat_tip"),
        (turns.HOTKEY_1D6, "button.dice1_tip"),
    ]
    if plan.suggested:
        found.append((turns.KEY_PLACE, "menu.place"))
    if any(u.counter.range is not None for u in plan.units.values()):
        after = next(i for i, (_, what) in enumerate(found) if what == "menu.trail")
        found.insert(after, (prototypes.KEY_RANGE, "menu.range"))
    return found


def _fighting(plan: Plan) -> list[tuple[Key, str]]:
    """The keys of combat that only some games have."""
    found = [
        (plan.scenario.tables.bombardment is not None, names.HOTKEY_BOMBARD, "bombard"),
        (may_strike(plan.scenario), names.HOTKEY_AIRSTRIKE, "airstrike"),
        (has_guns(plan), names.HOTKEY_GUNS, "guns"),
        (flies(plan), names.HOTKEY_AIR, "combat_air"),
        (bool(plan.scenario.game.rules.combat.artillery.offboard), names.HOTKEY_OFFBOARD, "offboard"),
        (overruns(plan.scenario) is not None, tasks.HOTKEY_OVERRUN, "overrun"),
        (plan.scenario.game.weather_die is not None, tasks.HOTKEY_WEATHER, "weather"),
        (plan.scenario.game.order_die is not None, tasks.HOTKEY_ORDER, "initiative"),
        *((True, tasks.HOTKEYS_LOSS[part], tasks.TIPS[part]) for part in loss_dice(plan.scenario)),
    ]
    return [(key, f"button.{name}_tip") for there, key, name in found if there]


def _calendar(plan: Plan) -> list[tuple[Key, str]]:
    """The keys for who comes and who goes."""
    setup, keys = plan.scenario.setup, {"arrive": tasks.HOTKEY_ARRIVE, "depart": tasks.HOTKEY_DEPART}
    there = {
        "arrive": setup.reinforcements and "enter" in tasks.available(plan),
        "depart": setup.withdrawals,
    }
    return [(keys[name], f"button.{name}_tip") for name in keys if there[name]]


def _provenance(plan: Plan) -> dict[str, int]:
    counts = {"printed": 0, "gazetteer": 0, "assumed": 0}
    for kind in plan.scenario.map.provenance.values():
        counts[kind] += 1
    return counts
