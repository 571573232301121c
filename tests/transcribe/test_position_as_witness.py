"""What the position of a log tells beyond its lines: who gave way, who was taken off, what is lost."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

from hexforge.modulegen.vassal.commands import SetTurn
from hexforge.validator.judging.answer import Answer
from hexforge.validator.judging.check import check_logs
from hexforge.validator.logs.bindings import TRACKER
from hexforge.validator.logs.locations import TrackerReading, write_clock
from hexforge.validator.notation import statements as st
from hexforge.validator.reading.sheet import read_sheet
from tests.referee.played import scenario
from tests.transcribe.gestures import Gesture, Player, Step, say, thrown
from tests.transcribe.modules import module_of
from tests.transcribe.test_cheats import accused, idle, judged, kill, player

GUNS = ("ge-ss-10art-1", "ge-ss-10art-2")
LEAVING = """\
sheet 1
game bastogne
partial
position
  ge-ss-10art-1 4701
  ge-ss-10art-2 4701
turn 16 american combat
turn 17 german movement
turn 17 german combat
turn 17 american movement
turn 17 american combat
"""


def _accusations(one: Player, folder: Path) -> list[str]:
    """All that is found in a game, but what is for information."""
    path = folder / "played.vlog"
    path.write_bytes(one.log())
    return accused(check_logs([path], lang="en"))


@pytest.mark.parametrize("place", ["left", "dead"])
@pytest.mark.parametrize("step", [1, 2, 3])
def test_counters_of_those_withdrawn_may_be_taken_off_in_any_phase(step: int, place: str, tmp_path: Path) -> None:
    def off(one: Player) -> Gesture:
        return [c for u in GUNS for c in one.table.move(u, getattr(one.table, place)(u))]

    one = Player(scenario("bastogne"), read_sheet(LEAVING))
    one.withdrawn = {}
    one.plant = (step, off)
    one.play()
    # Those who leave them on the map at the end of the phase in which they go are reminded.
    assert [f for f in _accusations(one, tmp_path) if "still on the map" not in f] == []


def test_others_may_not_be_taken_off_with_them(tmp_path: Path) -> None:
    def off(one: Player) -> Gesture:
        return [c for u in (*GUNS, "ge-2-1") for c in one.table.move(u, one.table.left(u))]

    one = Player(scenario("bastogne"), read_sheet(LEAVING.replace("position\n", "position\n  ge-2-1 4701\n")))
    one.withdrawn = {}
    one.plant = (1, off)
    one.play()
    (found,) = _accusations(one, tmp_path)
    assert "exit ge-2-1: 4701" in found and "without having passed Noville" in found


def test_who_gives_way_leaves_by_a_hex_that_is_on_no_edge_but_for_that(tmp_path: Path) -> None:
    one = player("metz", 6)
    one.play()
    assert any(getattr(s.statement, "edge", None) for s in one.steps if s.units == ("us-3gcav",))
    assert accused(judged(one, tmp_path)) == []


def test_a_column_that_comes_by_road_is_read_as_one(tmp_path: Path) -> None:
    one = player("bastogne", 2)
    one.play()
    assert accused(judged(one, tmp_path)) == []


# ------------------------------------------------------------------------------------------ damaged logs


def _cut(one: Player, share: float, folder: Path) -> Answer:
    path = folder / "cut.vlog"
    data = one.log()
    path.write_bytes(data[: int(len(data) * share)])
    return check_logs([path], lang="en", salvage=True, module=module_of("hurtgen"))


@pytest.mark.parametrize("share", [0.75, 0.86, 0.92])
def test_what_is_left_of_an_honest_game_is_accused_of_nothing(share: float, tmp_path: Path) -> None:
    honest = player("hurtgen", 1)
    honest.play()
    answer = _cut(honest, share, tmp_path)
    assert [f.code for f in answer.findings if f.severity in ("illegal", "doubtful")] == ["log-chain"]


@pytest.mark.parametrize(("at", "share", "severity"), [(121, 0.88, "doubtful"), (40, 0.88, "illegal")])
def test_who_was_put_elsewhere_before_a_log_breaks_off_is_doubted(
    at: int, share: float, severity: str, tmp_path: Path
) -> None:
    """What was done in the phase that breaks off may have been taken back in the part that is lost."""
    honest = player("hurtgen", 1)
    steps = honest.play()
    on_map = sorted(u for u, c in honest.table.counters.items() if c.where[0] == honest.marks.main)
    unit = idle(steps, at, on_map)[0]
    one = player("hurtgen", 1)
    one.plant = (at, lambda p: kill(p, unit, random.Random(at)))
    one.play()
    answer = _cut(one, share, tmp_path)
    found = next(f for f in answer.findings if unit in f.units and f.severity in ("illegal", "doubtful"))
    assert (answer.steps[found.line][1], found.severity) == (at + 1, severity)


def test_a_last_phase_in_which_only_a_counter_was_lost_is_compared(tmp_path: Path) -> None:
    movement = LEAVING.replace("turn 17 american combat\n", "")
    one = Player(scenario("bastogne"), read_sheet(movement))
    one.play()
    one.do(one.table.move("us-110-1", one.table.dead("us-110-1")))
    assert _accusations(one, tmp_path) == []
    one = Player(scenario("bastogne"), read_sheet(movement.replace("position\n", "position\n  us-110-1 2801\n")))
    one.play()
    one.do(one.table.move("us-110-1", one.table.dead("us-110-1")))
    (found,) = _accusations(one, tmp_path)
    assert "found us-110-1 lost: illegal" in found


# -------------------------------------------------------------------------------- what a hand puts right

FOUGHT = """\
sheet 1
game hurtgen
partial
position
  us-109-1 0805
  us-109-2 0805
  us-109-3 0804
  ge-984-1 0905
  ge-984-2 0905
turn 3 american combat
combat 0905
  attack us-109-1 us-109-2 us-109-3
  roll 1 1
  lose ge-984-1
  retreat ge-984-1 ge-984-2: 0905 1005
  lose us-109-1
  advance us-109-2: 0905
"""


def _dropped_first(unit: str, wrong: str, folder: Path) -> Answer:
    """The combat, one of whose counters is dropped in a wrong hex, and goes on from there to the right one."""
    steps = Player(scenario("hurtgen"), read_sheet(FOUGHT)).play()
    at = next(i for i, s in enumerate(steps) if s.units == (unit,) and hasattr(s.statement, "path"))
    one = Player(scenario("hurtgen"), read_sheet(FOUGHT))
    one.plant = (at, lambda p: list(p.table.move(unit, p.table.hex(wrong))))
    one.play()
    return judged(one, folder)


@pytest.mark.parametrize(("unit", "wrong"), [("ge-984-1", "0906"), ("us-109-2", "0906")])
def test_who_retreats_or_advances_may_be_dragged_on_from_a_wrong_hex(unit: str, wrong: str, tmp_path: Path) -> None:
    answer = _dropped_first(unit, wrong, tmp_path)
    assert accused(answer) == []
    assert f"  # {unit}: dropped in {wrong} first" in answer.lines


def test_a_roll_that_nobody_threw_is_named(tmp_path: Path) -> None:
    one = Player(scenario("hurtgen"), read_sheet(FOUGHT))
    one.play()
    (step,) = (s for s in one.steps if s.commands == [thrown((1, 1))])
    step.commands[:] = [say("roll 1 1")]
    (found,) = accused(judged(one, tmp_path))
    assert "1 1 was typed for the combat against 0905" in found and "doubtful" in found


def test_who_leaves_without_right_is_told_once(tmp_path: Path) -> None:
    one = Player(scenario("hurtgen"), read_sheet(FOUGHT + "turn 4 german movement\nturn 4 german combat\n"))
    one.plant = (1, lambda p: list(p.table.move("us-109-3", p.table.left("us-109-3"))))
    one.play()
    lines = judged(one, tmp_path).lines
    assert [line for line in lines if line.startswith("found us-109-3")] == ["found us-109-3"]


@pytest.mark.parametrize(
    ("before", "after", "severity"),
    [
        ((6, 5), (1, 1), "doubtful"),
        # Nobody had anything of the same dice once more.
        ((1, 1), (1, 1), "warning"),
        # Once a combat is declared, the dice that fall first are its dice.
        ((), (6, 5), "warning"),
    ],
)
def test_dice_thrown_once_more_are_no_choice(
    before: tuple[int, ...], after: tuple[int, ...], severity: str, tmp_path: Path
) -> None:
    one = Player(scenario("hurtgen"), read_sheet(FOUGHT))
    one.play()
    at = next(i for i, s in enumerate(one.steps) if s.commands == [thrown((1, 1))])
    if before:
        one.steps.insert(0, Step([thrown(before)], None, None))
    else:
        one.steps.insert(at + 1, Step([thrown(after)], None, None))
    (found,) = accused(judged(one, tmp_path))
    assert f": {severity} " in found and " ".join(map(str, before or after)) in found


LATE = (
    FOUGHT
    + """\
turn 3 german movement
move ge-984-1: 1005 1006
turn 3 german combat
"""
)


def _carried_late(order: tuple[str, ...], folder: Path) -> Answer:
    """The combat, of whose outcome what is named is done only when the tracker has gone on."""
    one = Player(scenario("hurtgen"), read_sheet(LATE))
    steps = one.play()
    on = next(i for i, s in enumerate(steps) if isinstance(s.statement, st.TurnStart))
    last = next(i for i, s in enumerate(steps) if isinstance(s.statement, st.Move))
    done = {type(s.statement).__name__.lower() + s.units[0][:2]: s for s in steps[:on] if s.units}
    late = [done[name] for name in order]
    kept = [s for s in steps[:on] if all(s is not other for other in late)]
    path = folder / "late.vlog"
    rest = [*steps[on:last], *late, *steps[last:]]
    path.write_bytes(one.log([*kept, *rest]))
    return check_logs([path], lang="en")


def test_an_outcome_that_comes_after_the_tracker_is_that_of_its_combat(tmp_path: Path) -> None:
    """The loss of the attacker, which no phase of movement has; the advance; the loss of the defender."""
    for late in (("loseus",), ("loseus", "advanceus"), ("losege", "loseus", "advanceus")):
        answer = _carried_late(late, tmp_path)
        told = accused(answer)
        assert told and all("warning" in line and "tracker" in line for line in told), told
        assert "move ge-984-1: 1005 1006" in answer.lines


def test_what_no_combat_demanded_is_no_late_outcome(tmp_path: Path) -> None:
    one = Player(scenario("hurtgen"), read_sheet(LATE))
    steps = one.play()
    on = next(i for i, s in enumerate(steps) if isinstance(s.statement, st.TurnStart))
    one.steps.insert(on + 1, Step(list(one.table.turn_over("us-109-3", True)), None, None, ("us-109-3",)))
    (found,) = accused(judged(one, tmp_path))
    assert "us-109-3" in found and "illegal" in found


MOVED = FOUGHT.replace("us-109-3 0804", "us-109-3 0803").replace(
    "turn 3 american combat", "turn 3 american movement\nmove us-109-3: 0803 0804\nturn 3 american combat"
)
"""The combat, with a move before it."""


def _unturned(text: str) -> Player:
    """A game in which nobody ever set the tracker on to the combats."""
    one = Player(scenario("hurtgen"), read_sheet(text))
    one.play()
    (turn,) = (s for s in one.steps if isinstance(s.statement, st.TurnStart) and s.statement.phase == "combat")
    one.steps.remove(turn)
    return one


@pytest.mark.parametrize("after", ["", "turn 3 german movement\nmove ge-984-1: 1005 1006\n"])
def test_a_combat_whose_tracker_never_went_on_is_fought_in_its_phase(after: str, tmp_path: Path) -> None:
    answer = judged(_unturned(MOVED + after), tmp_path)
    (found,) = accused(answer)
    assert "warning 0905: fought before the tracker went on" in found
    assert answer.lines.index("move us-109-3: 0803 0804") < answer.lines.index("turn 3 american combat")
    assert answer.position is not None and answer.position.hex_of("us-109-2") == "0905"


def test_the_log_that_follows_goes_on_from_there(tmp_path: Path) -> None:
    """The enemy's, whose tracker passes the phase that was forgotten."""
    first, second = _unturned(MOVED), _unturned(MOVED + "turn 3 german movement\nmove ge-984-1: 1005 1006\n")
    second.restore = first.table.restore(TrackerReading(3, "american", "movement"), first.scenario)
    on = next(i for i, s in enumerate(second.steps) if isinstance(s.statement, st.TurnStart))
    passed = write_clock(TrackerReading(3, "american", "combat"), first.scenario)
    assert passed is not None
    steps = [Step([SetTurn(TRACKER, passed)], None, None), *second.steps[on:]]
    paths = [tmp_path / "a.vlog", tmp_path / "b.vlog"]
    for path, log in zip(paths, (first.log(), second.log(steps)), strict=True):
        path.write_bytes(log)
    (found,) = accused(check_logs(paths, lang="en"))
    assert "warning 0905: fought before the tracker went on" in found


@pytest.mark.parametrize(
    "shown", [(3, "american", "movement"), (3, "german", "movement"), (4, "american", "combat")]
)
def test_a_tracker_set_on_by_mistake_amid_a_combat_parts_nothing(
    shown: tuple[int, str, str], tmp_path: Path
) -> None:
    honest = Player(scenario("hurtgen"), read_sheet(FOUGHT))
    count = len(honest.play())
    for at in range(1, count):
        one = Player(scenario("hurtgen"), read_sheet(FOUGHT))
        one.play()
        states = [write_clock(TrackerReading(*clock), one.scenario) for clock in (shown, (3, "american", "combat"))]
        one.steps[at:at] = [Step([SetTurn(TRACKER, str(state))], None, None) for state in states]
        assert accused(judged(one, tmp_path)) == [], at


def test_who_moves_after_such_a_combat_moves_in_it(tmp_path: Path) -> None:
    one = _unturned(MOVED)
    one.steps.append(Step(list(one.table.move("us-109-3", one.table.hex("0803"))), None, None, ("us-109-3",)))
    assert any("illegal" in line and "us-109-3" in line for line in accused(judged(one, tmp_path)))


def test_a_combat_before_the_tracker_went_on_is_fought_in_its_phase(tmp_path: Path) -> None:
    text = FOUGHT.replace("turn 3", "turn 3 american movement\nturn 3")
    one = Player(scenario("hurtgen"), read_sheet(text))
    one.play()
    (turn,) = (s for s in one.steps if isinstance(s.statement, st.TurnStart))
    one.steps.remove(turn)
    one.steps.append(turn)
    answer = judged(one, tmp_path)
    (found,) = accused(answer)
    assert "warning 0905: fought before the tracker went on" in found
    assert [line for line in answer.lines if line[:4] in ("turn", "comb")] == [
        "turn 3 american movement",
        "turn 3 american combat",
        "combat 0905",
    ]


def test_who_may_have_gone_on_foot_is_not_said_to_have_gone_by_rail(tmp_path: Path) -> None:
    """A slip along a railway: by rail the guns could not fire in this turn."""
    game = """\
sheet 1
game metz
partial
position
  ge-ss-ak113 1314
turn 3 german movement
move ge-ss-ak113: 1314 1215 1114 1014 0913
turn 3 german combat
"""

    def slip(one: Player) -> Gesture:
        return list(one.table.move("ge-ss-ak113", one.table.hex("2214")))

    one = Player(scenario("metz"), read_sheet(game))
    one.plant = (0, slip)
    one.play()
    path = tmp_path / "played.vlog"
    path.write_bytes(one.log())
    lines = check_logs([path], lang="en").lines
    assert [line for line in lines if "1314" in line and "0913" in line] == ["move ge-ss-ak113: 1314 - 0913"], lines
