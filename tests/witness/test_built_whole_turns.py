"""A whole turn of each game in VASSAL's own engine, by drags, keys and dice alone: told, judged, and compared.

The turns are those of generated games in which nobody breaks a rule. Nothing is typed into the chat. Between them
they hold what the modules have gestures for: aircraft of either side, guns beyond the map, bombardments, air
strikes, rail, entries, losses, eliminations, retreats, advances.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path

import pytest

from hexforge.modulegen.assemble.combat import counters, reports, steps, tasks
from hexforge.modulegen.assemble.expressions import KEY_LEAVE
from hexforge.scenarios.model import Scenario
from hexforge.validator.judging.check import check_logs
from hexforge.validator.judging.transcription import transcript
from hexforge.validator.logs.chain import read_chain
from hexforge.validator.notation import base, statements_head
from hexforge.validator.notation import statements as st
from tests.examples import leading
from tests.generator.game import generate
from tests.referee.played import scenario

from . import Engine
from .test_built_modules import build, playable

pytestmark = pytest.mark.witness
TURNS = {"hurtgen": 1, "metz": 14, "bastogne": 7}
"""A generated game each."""
DICE = {st.Bombard: steps.HOTKEY_BOMBARD, st.AirStrike: steps.HOTKEY_AIRSTRIKE}


@pytest.fixture
def engine(witness_ready: None) -> Iterator[Engine]:
    with Engine() as started:
        yield started


class Turn:
    """The first turn of a sheet, played by hand. `where` is where counters are on the map."""

    def __init__(self, engine: Engine, game: Scenario, sheet: st.Sheet) -> None:
        self.engine = engine
        self.scenario = game
        self.sheet = sheet
        found = engine.position()["pieces"]
        units = {one["properties"].get("UnitId"): one["location"] for one in found if one["map"]}
        self.reduced: set[str] = set()
        self.where = {str(u): str(hex_) for u, hex_ in units.items() if u}
        properties = [one["properties"] for one in found]
        self.entries = {one["UnitId"]: one[tasks.ENTRIES] for one in properties if tasks.ENTRIES in one}

    def drag(self, units: Sequence[str], hex_: str) -> None:
        for unit in units:
            if self.where.get(unit) != hex_:
                self.engine.move(unit, hex_)
                self.where[unit] = hex_

    def press(self, key: object, *units: str) -> None:
        for unit in units:
            self.engine.key(unit, str(key))
        if not units:
            self.engine.ask("module_key", key=str(key))

    def set_up(self) -> None:
        for s in self.sheet.statements:
            if isinstance(s, statements_head.Placement):
                self.drag((s.unit,), s.hex)

    def play(self) -> None:
        begun = False
        for s in self.sheet.statements:
            match s:
                case st.TurnStart():
                    if begun:
                        self.engine.turn()
                    begun = True
                case st.Move(units=units, path=path):
                    self.drag(units, path[-1])
                case st.RailMove(units=units, path=path):
                    self.press(tasks.KEY_RAIL, *units)
                    self.drag(units, path[-1])
                case st.Enter(units=units, path=path):
                    for unit in units:
                        self.enter(unit, path)
                case st.Recover(units=units):
                    self.press(reports.KEY_RECOVER, *units)
                    self.reduced -= set(units)
                case st.AirRoll(roll=roll):
                    self.engine.load_dice((roll,))
                    self.engine.ask("button", name="Die for air points")
                case st.Engagement():
                    self.fight(s)
                case _:
                    assert isinstance(s, base.Header | st.Score), s

    def enter(self, unit: str, path: Sequence[str]) -> None:
        """By the key, which leads from each of the entry hexes to the next, and on from there by a drag."""
        ring = self.entries[unit].strip(">").split(">")
        for _ in ring[: ring.index(path[0]) + 1] if path[0] in ring else ():
            self.press(tasks.KEY_ENTER, unit)
            self.where[unit] = self.engine.ask("where", piece=unit)
        self.drag((unit,), path[0])
        self.drag((unit,), path[-1])

    def fight(self, s: st.Engagement) -> None:
        (target,) = s.targets
        held = next(u for u, hex_ in self.where.items() if hex_ == target)
        self.press(counters.KEY_TARGET, held)
        self.press(counters.KEY_SUPPORT, *getattr(s, "units", ()))
        self.points(getattr(s, "points", None) or 0, getattr(s, "offboard", 0))
        for act in s.acts:
            self.declare(act)
            match act:
                case st.Roll(faces=faces):
                    self.engine.load_dice(faces)
                    self.press(DICE.get(type(s), steps.HOTKEY_ROLL))
                case st.Lose(units=units):
                    for unit in units:
                        self.lose(unit)
                case st.Eliminate(units=units):
                    self.press(reports.KEY_ELIMINATE, *units)
                case st.Retreat(units=units, edge=str()):
                    self.press(KEY_LEAVE, *units)
                case st.Advance(units=units, path=path) if path[-1] == target:
                    self.press(reports.KEY_ADVANCE, *units)
                    self.where |= dict.fromkeys(units, target)
                case st.Retreat(units=units, path=path) | st.Advance(units=units, path=path):
                    for hex_ in path:
                        self.drag(units, hex_)

    def declare(self, act: base.Act) -> None:
        match act:
            case st.Attack(units=units):
                self.press(counters.KEY_ATTACK, *units)
            case st.Support(units=units, offboard=offboard) | st.Guard(units=units, offboard=offboard):
                key = counters.KEY_SUPPORT if isinstance(act, st.Support) else counters.KEY_GUARD
                for unit in units:
                    self.press(key, unit)
                self.points(0, offboard)
            case st.AirSupport(points=points) | st.GuardAir(points=points):
                self.points(points, 0)

    def points(self, air: int, offboard: int) -> None:
        """Aircraft by a key each, guns beyond the map by the question that their button asks."""
        for _ in range(air):
            self.press(steps.HOTKEY_AIR)
        if offboard:
            self.engine.ask("answer", text=str(offboard))
            self.press(steps.HOTKEY_OFFBOARD)

    def lose(self, unit: str) -> None:
        gone = unit in self.reduced or self.scenario.counters[unit].reduced_attack is None
        self.press(reports.KEY_ELIMINATE if gone else reports.KEY_REDUCE, unit)
        self.reduced.add(unit)


def test_the_turns_hold_each_thing_that_modules_have_a_gesture_for() -> None:
    sheets = [generate(scenario(game), seed, turns=1).sheet for game, seed in TURNS.items()]
    done = [s for sheet in sheets for s in sheet.statements]
    done += [act for s in done for act in getattr(s, "acts", ())]
    assert {type(s) for s in done} >= {
        *(st.RailMove, st.Enter, st.AirRoll, st.Bombard, st.AirStrike, st.AirSupport, st.GuardAir, st.Guard),
        *(st.Support, st.Lose, st.Eliminate, st.Retreat, st.Advance),
    }
    assert any(getattr(s, "offboard", 0) for s in done)


@pytest.mark.parametrize("game", leading(1, TURNS))
def test_a_whole_turn_comes_back_as_it_was_played(engine: Engine, game: str, modules: Path, tmp_path: Path) -> None:
    engine.open(build(game, "en", modules), described=False)
    engine.setup(playable(engine.module)[0])
    engine.player("Ana", engine.module["sides"][0])
    engine.ask("show")
    engine.problems.clear()
    turn = Turn(engine, scenario(game), generate(scenario(game), TURNS[game], turns=1).sheet)
    turn.set_up()
    log = tmp_path / "turn.vlog"
    if scenario(game).setup.is_chosen:
        engine.turn()
    engine.start_log(log)
    turn.play()
    ends = {one["properties"].get("UnitId"): one for one in engine.position()["pieces"]}
    engine.end_log()
    assert engine.problems == []
    found = transcript(read_chain([log]), "en")
    assert found is not None
    assert [line for line in found.lines if line.lstrip().startswith("#")] == []
    answer = check_logs([log], lang="en")
    findings = [(f.severity, f.code, answer.quote(f.line), str(f.message)) for f in answer.findings]
    assert [f for f in findings if f[0] != "info"] == []
    assert answer.verdict == "legal"
    assert answer.position is not None
    for unit, state in answer.position.units.items():
        one = ends[unit]
        if state.hex is not None:
            stands = (one["location"], one["properties"].get("Step_Level", "1") == "2")
            assert (unit, *stands) == (unit, state.hex, state.step == "reduced")
        else:
            assert (unit, one["location"].isdigit()) == (unit, False)
