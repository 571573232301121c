"""Markers on the map are held against the referee's position: bridges, ways, and whose a place is."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from hexforge.modulegen.vassal.commands import AddPiece, Command, RemovePiece
from hexforge.modulegen.vassal.traits import BasicPiece, BasicState, Layer, Marker
from hexforge.modulegen.vassal.traits.piece import nest, piece_type
from hexforge.validator.judging.answer import Answer
from hexforge.validator.judging.check import check_logs
from hexforge.validator.reading.sheet import read_sheet
from tests.referee.played import scenario
from tests.transcribe.gestures import Gesture, Player, say

HURTGEN = """\
sheet 1
game hurtgen
partial
position
  us-109-1 0705
  us-20-eng 0908
  ge-983-1 1007
turn 3 american movement
turn 3 american combat
turn 3 german movement
"""
METZ = """\
sheet 1
game metz
partial
position
  us-4ad-cca 0721
  ge-106pz 1215
turn 3 american movement
turn 3 american combat
turn 3 german movement
"""
LAID = "900001"


def lay(one: Player, kind: str, hex_: str, face: int = 1) -> Command:
    """A marker comes from the palette."""
    traits = [
        Layer(name="Face", images=("", ""), level_names=("", "")),
        Marker.of(MarkerId=kind),
        BasicPiece(name=f"the {kind}"),
    ]
    where, x, y = one.table.hex(hex_)
    states = [str(face), traits[1].state(), BasicState(where, x, y, "").encode()]
    return AddPiece(LAID, piece_type(traits), nest(states))


def played(text: str, folder: Path, *steps: Callable[[Player], Gesture], first: bool = True) -> Answer:
    """A game with gestures done besides: in its first phase, or else in its last."""
    one = Player(scenario(text.split("game ")[1].split(maxsplit=1)[0]), read_sheet(text))
    one.withdrawn = {}
    if not first:
        one.play()
    for step in steps:
        one.do(step(one))
    if first:
        one.play()
    path = folder / "laid.vlog"
    path.write_bytes(one.log())
    return check_logs([path], lang="en")


def warned(answer: Answer) -> list[tuple[int, str]]:
    """Step and words of what is found of markers."""
    return [(answer.steps[f.line][1], str(f.message)) for f in answer.findings if " lies in " in str(f.message)]


@pytest.mark.parametrize(
    ("text", "marker", "words"),
    [
        (HURTGEN, ("control", "0705", 1), ""),
        (HURTGEN, ("control", "0705", 2), "the control lies in 0705, which is held by: american"),
        (HURTGEN, ("control", "1007", 1), "the control lies in 1007, which is held by: german"),
        # Whose a hex is that nobody has been in is nobody's to say.
        (HURTGEN, ("control", "0301", 1), ""),
        (HURTGEN, ("clearing", "1108", 1), ""),
        (HURTGEN, ("clearing", "1108", 2), "the clearing lies in 1108, which nobody has cleared"),
        (HURTGEN.replace("position\n", "position\n  cleared 1108\n"), ("fired", "1108", 1), ""),
        (METZ, ("bridge", "0720", 1), ""),
        (METZ, ("bridge", "0108", 1), "the bridge lies in 0108, where no bridge stands"),
        (METZ, ("bridge", "0108", 2), ""),
        (METZ, ("bridge", "0101", 2), "the bridge lies in 0101, where no bridge is missing"),
        (METZ, ("no such", "0108", 1), ""),
    ],
)
def test_a_marker_that_says_otherwise_is_found_at_its_step(
    text: str, marker: tuple[str, str, int], words: str, tmp_path: Path
) -> None:
    answer = played(text, tmp_path, lambda one: [lay(one, *marker)])
    assert warned(answer) == ([(1, words)] if words else [])
    found = [f for f in answer.findings if "lies in" in str(f.message)]
    assert all((f.code, f.severity, f.hexes) == ("special", "warning", marker[1:2]) for f in found)


def test_a_marker_that_is_taken_off_again_says_nothing(tmp_path: Path) -> None:
    steps = (lambda one: [lay(one, "control", "1007")], lambda _: [RemovePiece(LAID)])
    assert warned(played(HURTGEN, tmp_path, *steps)) == []


def test_a_marker_that_nobody_turned_is_found_at_the_end(tmp_path: Path) -> None:
    text = HURTGEN.replace("turn 3 american combat", "move us-109-1: 0705 0704\nturn 3 american combat")
    text = text.replace("  ge-983-1 1007\n", "  ge-983-1 0806\n") + "move ge-983-1: 0806 0705\n"
    (found,) = warned(played(text, tmp_path, lambda one: [lay(one, "control", "0705")]))
    assert found == (1, "the control lies in 0705, which is held by: german")


def test_a_marker_laid_after_the_last_phase_was_shown_counts(tmp_path: Path) -> None:
    found = warned(played(HURTGEN, tmp_path, lambda one: [lay(one, "control", "1007")], first=False))
    assert found == [(3, "the control lies in 1007, which is held by: german")]


def test_a_bridge_that_was_built_is_no_finding(tmp_path: Path) -> None:
    steps = (lambda _: [say("build bridge 0108/0209")], lambda one: [lay(one, "bridge", "0108")])
    assert warned(played(METZ, tmp_path, *steps)) == []


def test_markers_of_a_game_that_goes_on_are_told_to_the_referee(tmp_path: Path) -> None:
    one = Player(scenario("hurtgen"), read_sheet(HURTGEN))
    one.restore = [*one.restore[:-1], lay(one, "control", "0709"), one.restore[-1]]
    one.play()
    path = tmp_path / "goes-on.vlog"
    path.write_bytes(one.log())
    answer = check_logs([path], lang="en")
    assert "  control american 0709" in answer.lines and warned(answer) == []


TRANSIT = """\
sheet 1
game bastogne
partial
position
  us-501-1 1010
  ge-39-1 1110
turn 19 german combat
combat 1010
  attack ge-39-1
"""


@pytest.mark.parametrize(("marked", "shifts"), [(True, [("transit", 2)]), (False, [])])
def test_who_is_in_transit_is_known_by_his_marker(marked: bool, shifts: list[object], tmp_path: Path) -> None:
    """The module knows nothing of it, and players shift the columns by hand: the referee must come to the same."""
    one = Player(scenario("bastogne"), read_sheet(TRANSIT))
    if marked:
        one.restore = [*one.restore[:-1], lay(one, "in_transit", "1010"), one.restore[-1]]
    one.play()
    path = tmp_path / "transit.vlog"
    path.write_bytes(one.log())
    answer = check_logs([path], lang="en")
    (combat,) = answer.combats
    assert [(s.cause, s.columns) for s in combat.shifts if s.cause == "transit"] == shifts
    assert warned(answer) == []


def test_a_marker_of_transit_where_nobody_is_so_is_found(tmp_path: Path) -> None:
    (found,) = warned(played(TRANSIT, tmp_path, lambda one: [lay(one, "in_transit", "1110")]))
    assert found == (1, "the in_transit lies in 1110, where nobody is in transit")
