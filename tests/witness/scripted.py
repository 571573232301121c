"""Play by script that any module can bear: what two people would try in the first ten minutes."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from typing import Any

from .engine import Engine
from .process import WitnessError

MAX_MOVES = 12
MAX_TURNS = 6


def play_through(engine: Engine, module: dict[str, Any], setup: str, folder: Path) -> list[str]:
    """Plays from a set-up with a log: moves, every menu entry of every kind of piece, dice, turns; then replays.

    Gives what did not come out as it should, in words: pieces that land elsewhere than the grid says, a replay
    or a save that leads to another position. What the engine itself reports is in `engine.problems`.
    """
    wrong: list[str] = []
    side = module["sides"][0] if module["sides"] else ""
    log, save = folder / "script.vlog", folder / "script.vsav"
    start = engine.setup(setup)
    if side:
        engine.player("Witness", side)
    engine.start_log(log)
    wrong += _move_about(engine, start)
    _try_menus(engine)
    for button in module["dice"]:
        engine.ask("button", name=button)
    for turn in module["turns"]:
        states = [engine.ask("turn", name=turn, back=False)["state"] for _ in range(MAX_TURNS)]
        if len(set(states)) < 2:
            wrong.append(f"turn tracker '{turn}' does not move")
        engine.ask("turn", name=turn, back=True)
    played = engine.position()
    if not engine.end_log():
        wrong.append("nothing was logged")
    engine.save(save)
    engine.load(log)
    wrong += [f"replayed: {text}" for text in differences(played, engine.step())]
    wrong += [f"saved: {text}" for text in differences(played, engine.load(save))]
    return wrong


def _move_about(engine: Engine, position: dict[str, Any]) -> list[str]:
    counts = Counter(one["map"] for one in position["pieces"] if one["map"] is not None)
    if not counts:
        return []
    busy = counts.most_common(1)[0][0]
    movable = [one for one in position["pieces"] if one["map"] == busy and not one["in_deck"]]
    points = [(one["x"] + 97, one["y"] + 61) for one in movable[:MAX_MOVES]]
    wrong = []
    for one, point, expected in zip(movable, points, engine.locations(points, busy), strict=False):
        if min(expected["snap"]) < 0 or expected["snap_name"] in ("", "offboard"):
            continue
        landed = engine.ask("move_to", piece=one["id"], map_name=busy, x=point[0], y=point[1])["location"]
        if landed != expected["snap_name"]:
            wrong.append(f"'{one['name']}' dropped at {point} lies in '{landed}', not '{expected['snap_name']}'")
    return wrong


def _try_menus(engine: Engine) -> None:
    """Chooses each entry once on one piece of every kind; kinds differ in the entries that they offer."""
    seen: set[tuple[str, ...]] = set()
    for piece, texts in engine.ask("menus"):
        kind = tuple(texts)
        if kind in seen:
            continue
        seen.add(kind)
        for text in texts:
            try:
                engine.command(piece, text)
            except WitnessError as error:
                # An entry may have taken the piece away, or changed what it offers; all else is a fault.
                if "no piece" not in str(error) and "offers no" not in str(error):
                    raise


def differences(one: dict[str, Any], other: dict[str, Any]) -> list[str]:
    """In what two positions differ."""
    before, after = ({piece["id"]: piece for piece in side["pieces"]} for side in (one, other))
    found = [f"piece '{before[name]['name']}' is gone" for name in sorted(before.keys() - after.keys())]
    found += [f"piece '{after[name]['name']}' is new" for name in sorted(after.keys() - before.keys())]
    for name in sorted(before.keys() & after.keys()):
        for key, value in before[name].items():
            if after[name][key] != value:
                found.append(f"'{before[name]['name']}': {key} is {after[name][key]!r}, not {value!r}")
    for key in ("turns", "globals"):
        if one[key] != other[key]:
            found.append(f"{key}: {other[key]!r}, not {one[key]!r}")
    return found
