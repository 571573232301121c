"""A game of one die, mud, replacements and a second movement for tanks, by data alone."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest
from click.testing import CliRunner

from hexforge.modulegen.cli import main as modulegen
from hexforge.scenarios import loader
from hexforge.validator.judging.replay import replay
from hexforge.validator.notation import games, kinds
from hexforge.validator.notation import statements as st
from hexforge.validator.rules.travel import may_move
from tests.generator.game import Game, open_table, swapped, written
from tests.generator.movement import enter, move
from tests.generator.table import Table

HOME = Path(__file__).parent / "mirefield"
SEEDS = range(6)


@pytest.fixture(scope="module", autouse=True)
def known() -> None:
    """The game is known by its name while these tests run."""
    games.learn(HOME)


def march(seed: int) -> Game:
    """A game of marches alone, with reinforcements: nobody must attack, so that it breaks no rule."""
    table = open_table(loader.load(HOME), seed)
    for turn in range(1, 7):
        for phase in table.scenario.game.sequence:
            table.say(st.TurnStart(0, turn, phase.side, phase.phase))
            if phase.phase == "movement":
                _arrive(table, turn)
                for unit in table.shuffled(table.position.on_map(phase.side)):
                    if not table.position.units[unit].moved and may_move(
                        table.ctx, table.position, table.unit(unit)
                    ):
                        move(table, unit)
    return written(table.statements)


def _arrive(table: Table, turn: int) -> None:
    for line in table.scenario.setup.reinforcements:
        for unit in line.units if line.turn == turn and line.edges else ():
            if table.unit(unit).side == table.side and table.position.units[unit].where == "due":
                enter(table, unit, line.edges, ())


@pytest.mark.parametrize("seed", SEEDS)
def test_a_march_that_breaks_no_rule_is_legal(seed: int) -> None:
    game = march(seed)
    found = [f for f in replay(loader.load(HOME), game.sheet).findings if f.severity not in ("info", "warning")]
    assert [(f.line, f.code, str(f.message)) for f in found] == []
    assert game.moves > 40


@pytest.mark.parametrize("seed", SEEDS)
def test_one_hex_too_far_is_found_where_it_is(seed: int) -> None:
    """A move made longer than its unit has points for, or into where it had to stop, is told on its line."""
    game = march(seed)
    scenario = loader.load(HOME)
    checked = 0
    for old in [s for s in game.sheet.statements if isinstance(s, st.Move) and kinds.OPEN not in s.path][::5]:
        to_and_fro = (old.path[-2], old.path[-1]) * 9
        wrong = written(swapped(game.sheet, old, st.Move(0, old.units, (*old.path, *to_and_fro))))
        found = replay(scenario, wrong.sheet).findings
        lines = [f.line for f in found if f.severity == "illegal"]
        assert lines and min(lines) == old.line
        checked += 1
    assert checked > 5


def test_module_is_built_and_verified(tmp_path: Path) -> None:
    for arguments in (["build", HOME, "--out", tmp_path], ["verify", tmp_path / "Mirefield.vmod"]):
        done = CliRunner().invoke(modulegen, [str(a) for a in arguments])
        assert done.exit_code == 0, done.output


def test_halves_are_read_as_printed(tmp_path: Path) -> None:
    """`½` and `0.5`, `1/2` and `½` are the same game."""
    folder = tmp_path / "mirefield"
    shutil.copytree(HOME, folder)
    for file, old, new in (("tables.yaml", "foot: 0.5", "foot: ½"), ("game.yaml", "by: 1/2", "by: ½")):
        text = (folder / file).read_text("utf-8")
        assert old in text
        (folder / file).write_text(text.replace(old, new), "utf-8")
    printed, written = loader.load(folder), loader.load(HOME)
    assert printed.tables == written.tables
    assert printed.game.rules == written.game.rules


@pytest.mark.parametrize(
    ("file", "below", "row", "said"),
    [
        ("tables.yaml", "results:", "  DX: {defender: {units: 1}}", "no cell of the tables has 'DX'"),
        ("game.yaml", "    groups:", "      luck: best", "no modifier is in the group 'luck'"),
        ("game.yaml", "rules:", "  marks: [{mark: moved, section: '1'}]", "the mark 'moved'"),
    ],
)
def test_what_nothing_uses_is_told_with_its_line(
    tmp_path: Path, file: str, below: str, row: str, said: str
) -> None:
    folder = tmp_path / "mirefield"
    shutil.copytree(HOME, folder)
    text = (folder / file).read_text("utf-8")
    rows = text.replace("groups: {fortune: best}", "groups:\n      fortune: best").splitlines()
    rows.insert(rows.index(below) + 1, row)
    (folder / file).write_text("\n".join(rows) + "\n", "utf-8")
    done = CliRunner().invoke(modulegen, ["check", str(folder)])
    assert done.exit_code == 0, done.output
    (told,) = [line for line in done.output.splitlines() if said in line]
    assert told.startswith("warning: ") and f"{file}:{rows.index(row) + 1}:" in told
