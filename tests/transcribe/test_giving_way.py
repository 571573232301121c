"""Logs of those who make room for others, and of a group that comes by the corner of a map: nobody is accused."""

from __future__ import annotations

from pathlib import Path

import pytest

from hexforge.validator.judging.check import check_logs, judge
from hexforge.validator.judging.transcription import transcript
from hexforge.validator.logs.chain import read_chain
from hexforge.validator.reading.sheet import read_sheet
from tests.referee.played import scenario
from tests.transcribe.gestures import Habits, Player

AGAIN = """\
sheet 1
game hurtgen
partial
position
  us-28-art-4 0807
  us-112-2 0807
  us-20-eng 0908
  us-707-tank 0907
  us-4-art-1 0101
  ge-985-2 1007
  ge-275-art-3 1208
  ge-275-art-4 1202
turn 4 american combat
combat 1007
  attack us-20-eng us-707-tank
  support us-4-art-1
  guard ge-275-art-3 ge-275-art-4
  roll 6 4
  lose ge-985-2
  retreat us-707-tank: 0907 0807
  retreat us-20-eng: 0908 0807
  retreat us-707-tank: 0807 0707
"""
"""The tank falls back a hex, and once more when the engineers come there."""
THIRD = """\
sheet 1
game metz
partial
position
  us-9gtd 0519
  us-319 0519
  us-1117-eng 0519
  us-134 0620
  us-17gb 0620
  us-1135-eng 0620
  ge-1127 0719
turn 1 american combat
combat 0719
  attack us-134 us-17gb us-1135-eng
  roll 4 5
  lose ge-1127
  retreat us-17gb: 0620 0519
  retreat us-134: 0620 0519
  retreat us-1117-eng: 0519 0420
  retreat us-1135-eng: 0620 0519
  retreat us-134: 0519 0520
"""
"""Who had to go for one that came is not told off because that one made room for another after him."""
PAID = """\
sheet 1
game hurtgen
partial
position
  ge-1063-1 0510
  ge-189-1 0511
  ge-189-2 0511
  ge-luft-1 0511
  us-110-3 0609
  us-28-art-1 0102
  ge-275-art-3 1511
  ge-275-art-4 1504
turn 2 german combat
combat 0609
  attack ge-1063-1
  support ge-275-art-4 ge-275-art-3
  guard us-28-art-1
  roll 2 3
  retreat ge-1063-1: 0510 0511
  lose ge-1063-1
  retreat ge-189-1: 0511 0410
  lose ge-189-1
"""
"""Who makes room goes over a river without a bridge, and loses a step there."""
LAST = PAID.replace("189-1 0511\n", "189-1 0511 reduced\n").replace("  lose ge-189", "  eliminate ge-189")
"""It was the last step."""
BATTERY = """\
sheet 1
game hurtgen
partial
position
  us-28-art-4 0807
  us-112-2 0807
  us-20-eng 0908
  us-707-tank 0907
  us-4-art-1 0101
  us-109-1 0610
  ge-luft-1 0611
  ge-985-2 1007
  ge-275-art-3 1208
  ge-275-art-4 1202
turn 4 american combat
"""
FIRED = """\
combat 0611
  attack us-109-1
  support us-28-art-4
  roll 3 4
"""
BEATEN = """\
combat 1007
  attack us-20-eng us-707-tank
  support us-4-art-1
  guard ge-275-art-3 ge-275-art-4
  roll 6 4
  lose ge-985-2
  retreat us-707-tank: 0907 0807
  retreat us-20-eng: 0908 0807
  retreat us-28-art-4: 0807 0707
"""
"""The engineers and the tank fall back onto guns that fired in another combat, and these make room."""
CORNER = """\
sheet 1
game hurtgen
partial
turn 4 american movement
enter us-12-1: 0101 0102 from west
enter us-12-2: 0104 0105 from west
"""
"""The first comes in a hex that lies on two edges, the other does not."""
FREE = PAID.replace("0511 0410\n  lose ge-189-1\n", "0511 0611\n")


ORDERLY = Habits()
HASTY = Habits(all_rolled_first=True)


def played(text: str, folder: Path, habits: Habits = ORDERLY) -> Path:
    game = next(line.split()[1] for line in text.splitlines() if line.startswith("game "))
    one = Player(scenario(game), read_sheet(text), habits)
    one.withdrawn = {}
    one.play()
    path = folder / "played.vlog"
    path.write_bytes(one.log())
    return path


@pytest.mark.parametrize(
    ("text", "lines"),
    [
        (AGAIN, ("retreat us-707-tank: 0907 0807\n", "retreat us-707-tank: 0807 0707\n")),
        (THIRD, ("retreat us-134: 0620 0519\n", "retreat us-134: 0519 0520\n")),
        (PAID, ("retreat ge-189-1: 0511 0410\n  lose ge-189-1\n",)),
        (LAST, ("retreat ge-189-1: 0511 0410\n  eliminate ge-189-1\n",)),
        (BATTERY + FIRED + BEATEN, ("retreat us-28-art-4: 0807 0707\n",)),
        (CORNER, ("enter us-12-1: 0101 0102 from west\n",)),
    ],
)
@pytest.mark.parametrize("habits", [ORDERLY, HASTY], ids=["orderly", "hasty"])
def test_who_makes_room_is_read_as_such(text: str, lines: tuple[str, ...], habits: Habits, tmp_path: Path) -> None:
    assert judge(read_sheet(text)).verdict == "legal"
    log = played(text, tmp_path, habits)
    told = transcript(read_chain([log]))
    assert told is not None and all(line in told.text for line in lines), told and told.text
    assert check_logs([log]).verdict == "legal"


def test_a_step_that_nobody_owes_is_found_on_who_made_room_too(tmp_path: Path) -> None:
    assert judge(read_sheet(FREE)).verdict == "legal"
    text = f"{FREE}  lose ge-189-1\n"
    found = [
        [(f.severity, f.code, a.quote(f.line)) for f in a.findings if f.severity != "info"]
        for a in (judge(read_sheet(text)), check_logs([played(text, tmp_path)]))
    ]
    assert found[0] == found[1] == [("doubtful", "losses", "lose ge-189-1")]
