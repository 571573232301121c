"""Odd things that players do and take back at once, in the midst of a game: nobody is accused of any."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from hexforge.modulegen.vassal.commands import AddPiece, ChangeProperty, MovePiece, RemovePiece, Undo
from hexforge.scenarios.text.words import Language
from hexforge.validator.judging.transcription import transcript
from hexforge.validator.logs.blocks import LogEntry
from hexforge.validator.logs.chain import read_chain
from hexforge.validator.logs.combats import gathered
from hexforge.validator.logs.locations import Origin
from hexforge.validator.notation import statements as st
from tests.examples import leading
from tests.transcribe.gestures import Gesture, Player, Step, say
from tests.transcribe.test_cheats import accused, copy, idle, judged, kill, player, send_home, turn_over

Odd = Callable[[Player, str], Iterator[Gesture]]
DRAW = random.Random(3)


def _back(one: Player, unit: str, doing: Callable[[Player, str, random.Random], Gesture]) -> Iterator[Gesture]:
    where = one.table.counters[unit].where
    yield doing(one, unit, DRAW)
    yield list(one.table.move(unit, where))


def _by_all_boxes(one: Player, unit: str) -> Iterator[Gesture]:
    """Among those that left the map, among the dead, beside the map, and home."""
    where = one.table.counters[unit].where
    yield list(one.table.move(unit, one.table.left(unit)))
    yield kill(one, unit, DRAW)
    yield send_home(one, unit, DRAW)
    yield list(one.table.move(unit, where))


def _put_upon_itself(one: Player, unit: str) -> Iterator[Gesture]:
    counter = one.table.counters[unit]
    yield [MovePiece(counter.id, *counter.where, None, *counter.where, None)]


def _air_and_back(_: Player, __: str) -> Iterator[Gesture]:
    yield [ChangeProperty("AirPoints", "0", "1", "Module")]
    yield [ChangeProperty("AirPoints", "1", "0", "Module")]


def _undone(one: Player, unit: str) -> Iterator[Gesture]:
    counter = one.table.counters[unit]
    before = counter.where
    yield kill(one, unit, DRAW)
    after = counter.where
    one.table.put(counter, before)
    yield [Undo(True), MovePiece(counter.id, *before, None, *after, None), Undo(False)]


def _turned(one: Player, unit: str) -> Iterator[Gesture]:
    yield turn_over(one, unit, DRAW)
    yield turn_over(one, unit, DRAW)


def _copied(one: Player, unit: str) -> Iterator[Gesture]:
    (added,) = copy(one, unit, DRAW)
    assert isinstance(added, AddPiece)
    yield [added]
    yield [RemovePiece(added.id)]


def _talk(one: Player, unit: str) -> Iterator[Gesture]:
    yield [say("combat is hell, and your turn is next")]
    yield [say("move when you are ready", "Bruno")]


ODD: dict[str, Odd] = {
    "lost and back": lambda one, unit: _back(one, unit, kill),
    "beside the map and back": lambda one, unit: _back(one, unit, send_home),
    "lost and undone": _undone,
    "turned over and back": _turned,
    "from the palette and away": _copied,
    "by all boxes and back": _by_all_boxes,
    "put upon itself": _put_upon_itself,
    "an air point more and less": _air_and_back,
    "talk": _talk,
}


@pytest.mark.parametrize("at", leading(1, [26, 10, 62]))
@pytest.mark.parametrize("odd", ODD)
def test_what_is_taken_back_at_once_is_nobodys_fault(odd: str, at: int, tmp_path: Path) -> None:
    steps = player("hurtgen", 1).play()

    def plant(one: Player) -> Gesture:
        main, layered = one.marks.main, one.table.counters
        on_map = sorted(u for u, c in layered.items() if c.where[0] == main and c.layer is not None)
        *first, last = ODD[odd](one, idle(steps, at, on_map)[0])
        one.steps += [Step(gesture, None, one.phase) for gesture in first]
        return last

    one = player("hurtgen", 1)
    one.plant = (at, plant)
    one.play()
    assert accused(judged(one, tmp_path)) == []


@pytest.mark.parametrize("kind", [st.Support, st.Guard])
def test_points_beyond_the_map_stay_beside_the_guns_that_the_module_names(kind: type[st.Support]) -> None:
    """It writes a line for the guns and one for the points, of which the sheet makes one."""
    lines = (kind(0, ("us-28-art-1",)), kind(0, (), 30), kind(0, ("us-28-art-2",)))
    said = [(time, LogEntry(Origin("a.vlog", 1), what, reported=True)) for time, what in enumerate(lines)]
    assert [e.what for _, e in gathered(said)] == [kind(0, ("us-28-art-1", "us-28-art-2"), 30)]


@pytest.mark.parametrize(("language", "told"), [("en", "# air points: 0 -> 5"), ("pt", "# pontos aéreos: 0 -> 5")])
def test_air_points_changed_by_hand_are_told_in_words(language: Language, told: str, tmp_path: Path) -> None:
    one = player("hurtgen", 1)
    one.plant = (10, lambda _: [ChangeProperty("AirPoints", "0", "5", "Module")])
    one.play()
    judged(one, tmp_path)
    found = transcript(read_chain([tmp_path / "played.vlog"]), language)
    assert found is not None and told in found.lines
