"""Our own modules, rebuilt as strangers would have built them, are bound and played: their logs say what ours say.

The same turn is played in either module by VASSAL's own engine, by hand alone: drags, lines typed into the chat,
a button of dice, a flip. Nothing of what our modules do by themselves is used.
"""

from __future__ import annotations

import re
import shutil
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import pytest
import yaml
from click.testing import CliRunner

from hexforge.modulegen.assemble.combat import reports, steps
from hexforge.modulegen.build import build as build_at
from hexforge.modulegen.build_key import Options
from hexforge.modulegen.cli import main as modulegen
from hexforge.modulegen.drafting.ground import hex_grid
from hexforge.modulegen.vassal.module import read_module
from hexforge.scenarios.commands import HOME
from hexforge.scenarios.model import Scenario
from hexforge.validator.judging.check import check_logs
from hexforge.validator.judging.transcription import transcript
from hexforge.validator.logs.chain import read_chain
from hexforge.validator.notation import base, statements_head
from hexforge.validator.notation import statements as st
from hexforge.validator.notation.vocabulary import write_statement
from tests.drafting import abroad
from tests.examples import leading
from tests.generator.game import generate
from tests.referee.played import scenario

from . import Engine
from .test_built_combats import press
from .test_built_modules import build
from .test_foreign_modules import draft

pytestmark = pytest.mark.witness
TURNS = {"hurtgen": 1, "metz": 14}
"""A generated game each."""
DEAD = (100, 200)
"""A pixel on the sheet of losses, in the box of those that are eliminated."""
Drag = Callable[[str, str, tuple[int, int] | str], None]


class Hands:
    """The first turn of a sheet, played by hand. `drag`: a unit to a hex, or to a pixel of the losses."""

    def __init__(
        self, engine: Engine, game: Scenario, sheet: st.Sheet, abroad_: abroad.Abroad | None, ours: Path
    ) -> None:
        self.engine, self.scenario, self.sheet, self.abroad = engine, game, sheet, abroad_
        grid = hex_grid(read_module(ours).maps[0].boards[0])
        assert grid is not None
        self.grid = grid
        self.where: dict[str, str] = {
            u: p.hexes[0] for p in game.setup.at_start if len(p.hexes) == 1 for u in p.units
        }
        self.reduced: set[str] = set()

    def name(self, unit: str) -> str:
        return self.abroad.ids[unit] if self.abroad else unit

    def drag(self, units: Sequence[str], hex_: str) -> None:
        point = self.grid.point_of(hex_, (0, 0))
        assert point is not None
        x, y = abroad.spot(point) if self.abroad else point
        for unit in units:
            if self.where.get(unit) != hex_:
                where = abroad.MAPS[0] if self.abroad else "Map"
                self.engine.ask("move_to", piece=self.name(unit), map_name=where, x=x, y=y)
                self.where[unit] = hex_

    def away(self, unit: str) -> None:
        where = abroad.MAPS[2] if self.abroad else "Losses"
        self.engine.ask("move_to", piece=self.name(unit), map_name=where, x=DEAD[0], y=DEAD[1])
        self.where[unit] = ""

    def lose(self, unit: str) -> None:
        if unit in self.reduced or self.scenario.counters[unit].reduced_attack is None:
            self.away(unit)
        else:
            self.engine.key(self.name(unit), "71,130" if self.abroad else str(reports.KEY_REDUCE))
        self.reduced.add(unit)

    def say(self, statement: base.Statement) -> None:
        self.engine.ask("say", text=write_statement(statement))

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
                case st.RailMove(units=units, path=path) | st.Enter(units=units, path=path):
                    self.say(s)
                    self.drag(units, path[-1])
                case st.AirRoll():
                    self.say(s)
                case st.Engagement():
                    self.fight(s)
                case _:
                    assert isinstance(s, base.Header | st.Score), s

    def fight(self, s: st.Engagement) -> None:
        self.say(s)
        for act in s.acts:
            match act:
                case st.Roll(faces=faces):
                    if self.abroad:
                        # What it throws is for no combat, and the binding says so.
                        self.engine.ask("button", name=abroad.DIE)
                    self.engine.load_dice(faces)
                    if self.abroad:
                        self.engine.ask("button", name=abroad.DICE)
                    else:
                        press(self.engine, steps.HOTKEY_ROLL)
                case st.Lose(units=units):
                    for unit in units:
                        self.lose(unit)
                case st.Eliminate(units=units):
                    for unit in units:
                        self.away(unit)
                case st.Retreat(units=units, edge=str()):
                    self.say(act)
                    for unit in units:
                        self.away(unit)
                case st.Retreat(units=units, path=path) | st.Advance(units=units, path=path):
                    for hex_ in path:
                        self.drag(units, hex_)
                case st.Result():
                    pass
                case _:
                    self.say(act)


def played(module: Path, setup: str, side: str, hands: Callable[[Engine], Hands], log: Path) -> Hands:
    """A turn played in a module, and logged."""
    with Engine() as engine:
        engine.open(module, described=False)
        engine.setup(setup)
        engine.player("Ana", side)
        engine.ask("show")  # a window that is not shown hears no keys
        turn = hands(engine)
        # Windows of maps that a module opens by itself are told as dialogs.
        assert {one["kind"] for one in engine.problems} <= {"dialog"}
        engine.problems.clear()
        turn.set_up()
        if turn.abroad is None and turn.scenario.setup.is_chosen:
            engine.turn()
        engine.start_log(log)
        turn.play()
        engine.end_log()
        assert engine.problems == []
    return turn


def bound(game: str, home: Path, there: abroad.Abroad) -> None:
    """What `modulegen bind` proposes, and what it says is left filled in as a maker would."""
    file = home / "binding.yaml"
    done = CliRunner().invoke(modulegen, ["bind", str(home), str(there.path), "--out", str(file)])
    assert done.exit_code == 0, done.output
    said = yaml.safe_load(file.read_text("utf-8"))
    units = {name: unit for unit, name in there.names.items()}
    # Whatever is proposed is right, and it is the most of it.
    assert {k: units[k] for k in said["pieces"]} == said["pieces"]
    assert len(said["pieces"]) > len(units) / 3
    assert said["sides"] == {there.sides[s.id]: s.id for s in scenario(game).game.sides}
    assert said["maps"] == dict(zip(("main", "reserves", "losses"), abroad.MAPS, strict=True))
    assert said["hexes"]["first"] == "0101" and said["steps"] == {"property": "Faccia_Level"}
    assert said["phases"] == there.phases and said["dice"] == [abroad.DICE]
    listed = set(re.findall(r"[\w-]+", done.output))
    assert set(units.values()) - listed == set(said["pieces"].values())
    said["pieces"] = units
    file.write_text(yaml.safe_dump(said), "utf-8")


@pytest.mark.parametrize("game", leading(1, TURNS))
def test_a_turn_in_a_rebuilt_module_is_the_turn_in_ours(
    game: str, witness_ready: None, modules: Path, tmp_path: Path
) -> None:
    home = tmp_path / game
    shutil.copytree(HOME / game, home)
    whole = scenario(game)
    ours = build(game, "en", modules)
    there = abroad.rebuilt(whole, ours, tmp_path / "abroad.vmod")
    bound(game, home, there)
    sheet = generate(whole, TURNS[game], turns=1).sheet
    logs = home / "ours.vlog", home / "theirs.vlog"
    played(ours, "At start", "American", lambda e: Hands(e, whole, sheet, None, ours), logs[0])
    played(there.path, "Partenza", there.sides["american"], lambda e: Hands(e, whole, sheet, there, ours), logs[1])
    told = []
    for log in logs:
        found = transcript(read_chain([log]), "en")
        assert found is not None, log
        answer = check_logs([log], lang="en")
        # That a module was built from other data than are here can be said of ours alone.
        findings = [(f.severity, f.code, f.line, str(f.message)) for f in answer.findings if f.code != "special"]
        told.append(([x for x in found.lines if not x.startswith("#")], findings, answer.verdict))
    assert told[1] == told[0]
    lines, findings, verdict = told[0]
    assert verdict != "illegal", findings
    # What several of a combat did stands in one line.
    for word, kind in (("roll", st.Roll), ("move", st.Move), ("retreat", st.Retreat), ("lose", st.Lose)):
        done = [a for s in sheet.statements for a in (s, *getattr(s, "acts", ())) if isinstance(a, kind)]
        assert len([x for x in lines if x.split()[:1] == [word]]) >= 0.6 * len(done) > 0, word


@pytest.mark.full
@pytest.mark.parametrize("game", TURNS)
def test_a_draft_of_a_rebuilt_module_has_every_piece_where_it_was(
    game: str, witness_ready: None, modules: Path, tmp_path: Path
) -> None:
    there = abroad.rebuilt(scenario(game), build(game, "en", modules), tmp_path / "abroad.vmod")
    seen = draft(there.path, tmp_path / "draft")
    built = build_at(tmp_path / "draft", Options(tmp_path / "rebuilt.vmod", "en", jobs=1)).path
    before, after = pieces(there.path), {p["properties"].get("UnitId"): p for p in pieces(built)}
    slots = {p.counter.slot: p.counter.id for p in seen.placed}
    on_board = [p for p in before if p["map"] == abroad.MAPS[0]]
    assert len(on_board) > 40
    assert [(p["gpid"], p["location"]) for p in on_board] == [
        (p["gpid"], after[slots[p["gpid"]]]["location"]) for p in on_board
    ]
    # Who waits beside the board there waits here.
    beside = {slots[p["gpid"]] for p in before if p["map"] == abroad.MAPS[1]}
    assert {after[unit]["map"] for unit in beside} <= {"Reinforcements"}


def pieces(module: Path) -> list[dict[str, Any]]:
    """The pieces of a module as its first set-up begins, as VASSAL has them."""
    with Engine() as engine:
        found = engine.open(module, described=False)
        position = engine.setup(next(s["name"] for s in found["setups"] if s["uses_file"]))
        return list(position["pieces"])
