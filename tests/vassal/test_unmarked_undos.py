"""An action that is the exact inverse of the latest is its undo, in logs of a VASSAL that marked none."""

from __future__ import annotations

import pytest

from hexforge.modulegen.vassal.commands import read_command
from hexforge.modulegen.vassal.save import Unmarked, may_be_unmarked, read_save
from hexforge.validator.logs.chain import Chain, read_chain
from hexforge.validator.notation.records import Attached

FORTH = ("", "D/1/moved/still", "M/1/M/5/5/9/M/1/1/null/pw", "CHAT<A> - go")
BACK = ("CHAT* UNDO: <A> - go", "M/1/M/1/1/null/M/5/5/9/pw", "D/1/still/moved")
BY_HAND = ("", "D/1/moved2/moved", "M/1/M/1/1/null/M/5/5/9/pw")
NEW, GONE = ("+/2/piece;;;a;x/M;1;1;2",), ("-/2",)
ON, ON_BACK = ("CHAT* on", "TURNt\tb"), ("TURNt\ta", "CHAT* UNDO: * on")
DICE, DICE_BACK = ("CHAT*** d = 4 *** <A>", "SHOW_RESULTS\td\t3"), ("CHAT* UNDO: *** d = 4 *** <A>",)
OWN = ("CHAT* own", "OWN\tcommand")
CHECK = "CHECK\trunningVassalVersion<2.9.8\tALERT\\\tMismatch."


@pytest.mark.parametrize(
    ("actions", "undos"),
    [
        ([FORTH, BACK], [2]),
        ([FORTH, NEW, GONE, BACK], [3, 4]),
        ([FORTH, NEW, BACK], []),
        ([FORTH, BY_HAND], []),
        ([FORTH, BACK, BACK], [2]),
        ([FORTH, ("",), BACK], [3]),
        ([FORTH, BACK[:2]], []),
        ([("TURNu\ta",), ("TURNu\ta",)], []),
        ([FORTH, ON, ON_BACK, BACK], [3, 4]),
        ([FORTH, ON[1:], ON_BACK[:1], BACK], [3, 4]),
        ([ON, ("CHAT* back", "TURNt\ta")], []),
        ([FORTH, ("TURNu\tb", "CHAT* on"), ("CHAT* UNDO: * on", "TURNu\ta"), BACK], [3, 4]),
        ([FORTH, DICE, DICE_BACK, BACK], [3, 4]),
        ([FORTH, ("FLARE\tf\t3\t4",), BACK], [3]),
        ([FORTH, OWN, ("CHAT* UNDO: * own",), BACK], [3, 4]),
        ([("M/1/M/5/5/9/M/1/1/9/pw", OWN[1]), ("M/1/M/1/1/9/M/5/5/9/pw", OWN[1])], []),
    ],
)
def test_inverses(actions: list[tuple[str, ...]], undos: list[int]) -> None:
    past = Unmarked({"t": "a"})
    told = [past.takes_back(map(read_command, action)) for action in actions]
    assert [n for n, undo in enumerate(told, 1) if undo] == undos


def log(head: str, *actions: tuple[str, ...]) -> bytes:
    piece = "+/1/piece;;;a;one/M;1;1;1"
    steps = ["\\\x1b".join(f"LOG\t{c}" for c in action) for action in actions]
    return "\x1b".join(["begin_save", head, piece, "end_save", *steps]).encode()


def test_only_an_old_log_has_unmarked_undos() -> None:
    assert may_be_unmarked(read_save(log(CHECK, FORTH, BACK)))
    assert not may_be_unmarked(read_save(log(CHECK, FORTH, BACK, ("UNDO\ttrue",))))
    assert not may_be_unmarked(read_save(log("SETUP_STACK\t", FORTH, BACK)))


def chain(*actions: tuple[str, ...]) -> Chain:
    return read_chain([Attached("old.vlog", log(CHECK, *actions), True)])


def test_a_turn_that_was_taken_back_hides_no_undo_before_it() -> None:
    """Those of modules that report no moves are known by their commands alone."""
    forth, back = (("M/1/M/5/5/null/M/1/1/null/pw",), ("M/1/M/1/1/null/M/5/5/null/pw",))
    for on, off in ((ON, ON_BACK), (ON[1:], ON_BACK[:1]), (DICE, DICE_BACK), (OWN, ("CHAT* UNDO: * own",))):
        head = f"{CHECK}\x1bTURNt\ta"
        logs = read_chain([Attached("old.vlog", log(head, forth, on, off, back), True)]).logs
        assert [t.undone for t in logs[0].told] == [True, True, False, False], on
        assert [t.back for t in logs[0].told] == [None, None, 1, 0], on


def test_what_was_taken_back_without_a_mark_is_told_so() -> None:
    forth, back = (("M/1/M/5/5/null/M/1/1/null/pw",), ("M/1/M/1/1/null/M/5/5/null/pw",))
    told = chain(forth, back, forth).logs[0].told
    assert [t.undone for t in told] == [True, False, False]
    assert [t.back for t in told] == [None, 0, None]
