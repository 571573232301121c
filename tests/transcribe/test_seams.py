"""Between logs, before the first and inside one: plays in VASSAL's own engine, each with what is expected of it.

What was thrown, turned over, dragged or set in no log is seen at the seams; slips that anybody makes accuse nobody.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import pytest

from hexforge.modulegen.assemble import air, turns
from hexforge.modulegen.assemble.combat import counters, reports, steps
from hexforge.modulegen.vassal.commands import ChangeProperty, Chat, Command
from hexforge.modulegen.vassal.save import read_save, save_bytes, save_tree
from hexforge.modulegen.vassal.traits import Key
from hexforge.scenarios.loader import load
from hexforge.scenarios.schema.base import in_turns
from hexforge.validator.judging.answer import Answer
from hexforge.validator.judging.check import check_logs
from tests.transcribe.modules import log_from, module_of
from tests.witness import Engine
from tests.witness.conftest import stop_unless_ready
from tests.witness.install import missing

pytestmark = pytest.mark.witness
FIGHTERS = ("us-112-1", "us-112-2", "us-112-3", "us-707-tank")
GENTLE = ((6, 2), (2, 6), (3, 5))


@pytest.fixture(scope="module")
def engine() -> Iterator[Engine]:
    stop_unless_ready(missing())
    with Engine() as started:
        started.open(module_of("hurtgen", "en"), described=False)
        started.ask("show")
        yield started


@dataclass
class Table:
    """A player at the engine, who keeps one log after the other in a folder."""

    engine: Engine
    folder: Path
    kept: int = 0

    def sit(self, name: str = "Ana", side: int = 0) -> None:
        self.engine.player(name, self.engine.module["sides"][side])

    def log(self) -> None:
        self.kept += 1
        self.engine.start_log(self.folder / f"{self.kept}.vlog")

    def end(self) -> None:
        self.engine.end_log()

    def press(self, key: Key, *units: str) -> None:
        for unit in units:
            self.engine.key(unit, str(key))
        if not units:
            self.engine.ask("module_key", key=str(key))

    def move(self, *ways: str) -> None:
        for unit, hex_ in (way.split() for way in ways):
            self.engine.move(unit, hex_)

    def say(self, *lines: str) -> None:
        for line in lines:
            self.engine.ask("say", text=line)

    def advance(self) -> None:
        """The stacks next to 1007."""
        self.move("us-112-1 0907", "us-112-2 0908", "us-112-3 0908", "us-707-tank 0907")

    def mark(self) -> None:
        self.press(counters.KEY_TARGET, "ge-983-1")
        self.press(counters.KEY_ATTACK, *FIGHTERS)

    def roll(self, faces: Sequence[int] = (6, 2)) -> None:
        self.engine.load_dice(faces)
        self.press(steps.HOTKEY_ROLL)

    def suffer(self) -> None:
        """What 6 2 asks for: DVB ARI."""
        self.press(reports.KEY_REDUCE, "ge-983-1")
        self.move("us-112-1 0806", "us-707-tank 0806", "us-112-2 0807", "us-112-3 0807")

    def fight(self) -> None:
        self.mark()
        self.roll()
        self.suffer()

    def one_die(self) -> None:
        self.press(turns.HOTKEY_1D6)


Play = Callable[[Table], None]


def whole(t: Table) -> None:
    t.log()
    t.advance()
    t.engine.turn()
    t.fight()
    t.engine.turn()
    t.end()


def in_two_logs(t: Table) -> None:
    t.log()
    t.advance()
    t.end()
    t.log()
    t.engine.turn()
    t.fight()
    t.end()


def looks_between_logs(t: Table) -> None:
    t.log()
    t.advance()
    t.engine.turn()
    t.mark()
    t.end()
    t.press(steps.HOTKEY_PREVIEW)
    t.press(steps.HOTKEY_CLEAR)
    t.log()
    t.fight()
    t.end()


def tries_the_dice_first(t: Table) -> None:
    t.one_die()
    whole(t)


def another_button(t: Table) -> None:
    t.log()
    t.advance()
    t.engine.turn()
    t.mark()
    t.one_die()
    t.say("sorry, wrong button")
    t.roll()
    t.suffer()
    t.end()


def another_button_before(t: Table) -> None:
    t.log()
    t.advance()
    t.one_die()
    t.engine.turn()
    t.fight()
    t.end()


def wrong_hex(t: Table) -> None:
    t.log()
    t.move("us-112-2 0907", "us-112-2 0908", "us-112-3 0908", "us-112-1 0907", "us-707-tank 0907")
    t.engine.turn()
    t.fight()
    t.end()


def turned_over_before(t: Table) -> None:
    t.press(reports.KEY_REDUCE, "ge-983-1", "ge-983-2")
    whole(t)


def dragged_before(t: Table) -> None:
    t.move("us-112-1 0907")
    t.log()
    t.move("us-112-2 0908", "us-112-3 0908", "us-707-tank 0907")
    t.end()


def killed_before(t: Table) -> None:
    t.press(reports.KEY_ELIMINATE, "ge-983-2")
    whole(t)


def turned_over_between(t: Table) -> None:
    t.log()
    t.advance()
    t.end()
    t.press(reports.KEY_REDUCE, "ge-983-2")
    t.log()
    t.engine.turn()
    t.fight()
    t.end()


def killed_between(t: Table) -> None:
    t.log()
    t.advance()
    t.end()
    t.press(reports.KEY_ELIMINATE, "ge-983-2")
    t.log()
    t.engine.turn()
    t.fight()
    t.end()


def points_between(t: Table) -> None:
    t.log()
    t.advance()
    t.end()
    t.press(air.KEY_MORE)
    t.log()
    t.engine.turn()
    t.fight()
    t.end()


def points_before(t: Table) -> None:
    t.press(air.KEY_MORE)
    whole(t)


def rolled_between(t: Table) -> None:
    t.log()
    t.advance()
    t.engine.turn()
    t.mark()
    t.end()
    t.roll((1, 1))
    t.log()
    t.fight()
    t.end()


def fished_between(t: Table) -> None:
    t.log()
    t.advance()
    t.engine.turn()
    t.end()
    for _ in range(3):
        t.roll((1, 1))
    t.log()
    t.fight()
    t.end()


def typed_dice(t: Table) -> None:
    t.log()
    t.advance()
    t.engine.turn()
    t.say("combat 1007", f"attack {' '.join(FIGHTERS)}", "roll 6 2", "result DVB ARI")
    t.suffer()
    t.end()


def typed_as_thrown(t: Table) -> None:
    t.log()
    t.advance()
    t.engine.turn()
    t.say("combat 1007", f"attack {' '.join(FIGHTERS)}", "*** 2d6: 6,2 *** <Ana>")
    t.suffer()
    t.end()
    _rewritten(t.folder / "1.vlog", lambda c: [_as_thrown(c)])


def passed_by(t: Table) -> None:
    t.log()
    t.move("us-20-eng 0507")
    for _ in range(4):
        t.engine.turn()
    t.move("us-20-eng 0407")
    t.end()


def both_sides(t: Table) -> None:
    t.log()
    t.move("us-20-eng 0507")
    t.engine.turn()
    t.engine.turn()
    t.move("ge-275-eng 1004")
    t.engine.turn()
    t.engine.turn()
    t.end()


def cut_out(t: Table) -> None:
    t.log()
    t.advance()
    t.engine.turn()
    for _ in range(3):
        t.roll((1, 1))
    t.fight()
    t.end()
    path = t.folder / "1.vlog"
    plain = [i for i, step in enumerate(_steps(path)) if any("2d6: 1,1" in getattr(c, "text", "") for c in step)]
    assert len(plain) == 3
    _rewritten(path, lambda c: [c], without=plain)


def thrown_again_and_cut_out(t: Table) -> None:
    """Dice that were taken back are cut out with what took them back: the count is as it was."""
    t.log()
    t.advance()
    t.engine.turn()
    t.one_die()
    t.engine.ask("undo")
    t.fight()
    t.end()


HONEST = {
    whole: set(),
    in_two_logs: set(),
    looks_between_logs: set(),
    tries_the_dice_first: {"throws-before"},
    another_button: {"undeclared-throw"},
    another_button_before: set(),
    wrong_hex: {"dropped-first"},
    both_sides: set(),
}
"""Of each, the notes and warnings; nothing is illegal or doubtful."""
CHEATS: dict[Play, str] = {
    turned_over_before: "starts-whole",
    dragged_before: "starts-elsewhere",
    killed_before: "not-placed",
    turned_over_between: "other-position",
    killed_between: "other-position",
    points_between: "values-between",
    points_before: "begun-air",
    rolled_between: "throws-between",
    fished_between: "throws-between",
    typed_dice: "typed-roll",
    typed_as_thrown: "throws-uncounted",
    cut_out: "throws-cut",
    thrown_again_and_cut_out: "throw-undone",
}
"""Of each, what is found."""


def _steps(path: Path) -> list[list[Command]]:
    return [node.commands() for node in read_save(path).steps]


def _rewritten(path: Path, change: Callable[[Command], list[Command]], without: Sequence[int] = ()) -> None:
    """A log with other commands, and without some steps."""
    game = read_save(path)
    kept = [[d for c in step for d in change(c)] for i, step in enumerate(_steps(path)) if i not in without]
    path.write_bytes(save_bytes(save_tree(game.restore, kept), game.module, game.saved))


def _as_thrown(c: Command) -> Command:
    text = c.text if isinstance(c, Chat) else ""
    return Chat(text[text.index("***") :]) if "- ***" in text else c


def played(engine: Engine, play: Play, folder: Path) -> Answer:
    engine.problems.clear()
    engine.setup(engine.module["setups"][0]["name"])
    table = Table(engine, folder)
    table.sit()
    play(table)
    assert engine.problems == []
    return check_logs([folder / f"{n}.vlog" for n in range(1, table.kept + 1)], lang="en")


def keys(answer: Answer, *severities: str) -> set[str]:
    found = (f for f in answer.findings if f.severity in severities)
    return {f.message.key.rpartition(".")[2] for f in found}


def honest(engine: Engine, play: Play, folder: Path) -> None:
    answer = played(engine, play, folder)
    assert keys(answer, "illegal", "doubtful", "unread") == set(), answer.findings
    assert keys(answer, "warning") == HONEST[play]


def caught(engine: Engine, play: Play, folder: Path) -> None:
    answer = played(engine, play, folder)
    assert keys(answer, "illegal", "doubtful") or CHEATS[play] == "throw-undone"
    assert any(key.startswith(CHEATS[play]) for key in keys(answer, "illegal", "doubtful", "warning")), (
        answer.findings
    )


@pytest.mark.parametrize("play", [cut_out])
def test_what_is_cut_out_of_a_log_is_missed(engine: Engine, play: Play, tmp_path: Path) -> None:
    caught(engine, play, tmp_path)


@pytest.mark.full
@pytest.mark.parametrize("play", HONEST)
def test_nobody_who_plays_fair_is_accused(engine: Engine, play: Play, tmp_path: Path) -> None:
    honest(engine, play, tmp_path)


@pytest.mark.full
@pytest.mark.parametrize("play", CHEATS)
def test_what_was_done_in_no_log_is_seen(engine: Engine, play: Play, tmp_path: Path) -> None:
    caught(engine, play, tmp_path)


@pytest.mark.full
def test_whoever_goes_through_the_others_phases_is_named(engine: Engine, tmp_path: Path) -> None:
    answer = played(engine, passed_by, tmp_path)
    assert keys(answer, "illegal", "doubtful") == set() and keys(answer, "warning") == {"passed-for"}


@pytest.mark.full
def test_a_log_made_of_a_sheet_leaves_the_module_as_the_sheet_does(engine: Engine, tmp_path: Path) -> None:
    points = next(row.points for row in load("hurtgen").tables.air if row.turns and in_turns(row.turns, 4))
    text = "sheet 1\ngame hurtgen\nturn 2 american movement\nturn 4 american movement\n"
    log = log_from(text, "hurtgen", tmp_path, "en")
    assert any(isinstance(c, ChangeProperty) and c.name == air.AIR for step in _steps(log) for c in step)
    engine.load(log)
    position = engine.step()
    shown = position["globals"]
    assert (shown[air.AIR], shown[turns.SHOWN]) == (str(points), "4") and points
    assert engine.problems == []
