"""What happened in a log, told by pieces, places, dice and words, and without secrets."""

from __future__ import annotations

import pickle
from pathlib import Path

from hexforge.modulegen.vassal import commands as c
from hexforge.modulegen.vassal import traits as t
from hexforge.modulegen.vassal.inspect import secrets_of
from hexforge.modulegen.vassal.module import read_module
from hexforge.modulegen.vassal.replay import LogReplay
from hexforge.modulegen.vassal.save import read_save, save_bytes, save_tree
from hexforge.modulegen.vassal.secrets import HIDDEN, Secret
from hexforge.modulegen.vassal.story import Action, tell

PLAYED = Path(__file__).resolve().parents[1] / "data" / "played"


def story(name: str) -> list[Action]:
    return list(tell(LogReplay(read_save(PLAYED / f"{name}.vlog"), read_module(PLAYED / "mini.vmod"))))


def moves(actions: list[Action]) -> list[tuple[str, str, str | None, str | None]]:
    return [
        (a.player, e.piece.name, e.before, e.after)
        for a in actions
        for e in a.events
        if e.kind == "move" and e.piece
    ]


def test_a_turn_is_told() -> None:
    actions = story("a")
    assert moves(actions) == [("Alice", "red1", "0303", "0404")]
    assert [(e.text, e.numbers) for a in actions for e in a.events if e.kind == "dice"] == [("1d6", (4,))]
    assert [a.player for a in actions] == ["Alice"] * 4 + [""]
    assert actions[0].side == "Red"
    assert actions[3].events[0].text == "<Alice> - Attack on 0505"
    assert [e.kind for e in actions[4].events] == ["chat", "turn"]


def test_an_undo_is_told_and_rolls_no_dice() -> None:
    actions = story("b-reroll")
    assert [a.undoes for a in actions] == [False, False, True, False, False]
    rolls = [(a.number, e.numbers) for a in actions for e in a.events if e.kind == "dice"]
    assert rolls == [(2, (3,)), (4, (3,))]


def test_no_password_is_told() -> None:
    for name in ("a", "b", "b-gap", "b-reroll"):
        assert "alicepw" not in repr(story(name))
        assert "bobpw" not in repr(story(name))


UNIT = (t.Hideable(access="side:"), t.Layer(name="Step", images=("a", "b")), t.BasicPiece(name="Panzer"))


def state(hidden_by: str, level: str, x: int) -> str:
    return t.piece_state(UNIT, (hidden_by, level, t.BasicState("M", x, 5, "1")))


def game(*actions: list[c.Command]) -> LogReplay:
    start = [
        c.BeginSave(),
        c.AddPlayer(Secret("pw1"), "Anna", "Red"),
        c.AddPiece("1", t.piece_type(UNIT), state("Red", "1", 5)),
        c.AddPiece("2", t.piece_type(UNIT), state("null", "1", 5)),
        c.EndSave(),
    ]
    return LogReplay(read_save(save_bytes(save_tree(start, actions))))


def move(piece_id: str, x: int) -> c.MovePiece:
    return c.MovePiece(piece_id, "M", x, 5, None, "M", 5, 5, None, Secret("pw1"))


def test_a_piece_that_goes_to_another_process_takes_no_password_with_it() -> None:
    replay = game()
    replay.hide(secrets_of(replay.game))
    seen = list(replay.pieces(reveal="Red"))
    sent = pickle.dumps(seen)
    assert b"pw1" not in sent
    assert pickle.loads(sent) == seen
    assert seen[0].properties["Step_Level"] == "1"


def test_a_piece_that_a_stack_takes_in_is_told_as_moved() -> None:
    """The new state of a stack may name pieces that lay elsewhere."""
    replay = game(
        [c.AddPiece("3", t.piece_type(UNIT), state("null", "1", 90))],
        [c.AddPiece("9", "stack", "M;90;5;3;@@0")],
        [c.ChangePiece("9", "M;90;5;3;2;@@0", "M;90;5;2;3;@@0")],
    )
    told = [
        (a.number, e.piece.id, e.pixel_before, e.pixel_after)
        for a in tell(replay)
        for e in a.events
        if e.kind == "move" and e.piece
    ]
    assert told == [(3, "2", (5, 5), (90, 5))]


def test_a_hidden_piece_moves_unseen_but_by_its_side() -> None:
    log = ([move("1", 9)], [move("2", 9)])
    seen = list(tell(game(*log)))
    assert [len(a.events) for a in seen] == [0, 1]
    own = list(tell(game(*log), reveal="Red"))
    assert [a.events[0].kind for a in own] == ["move", "move"]
    assert "Panzer" not in repr(seen[0])


def test_a_piece_that_shows_itself_comes_without_its_past() -> None:
    change = c.ChangePiece("1", state("null", "1", 5), state("Red", "1", 5))
    (action,) = tell(game([change]))
    assert [(e.kind, e.before, e.after) for e in action.events] == [("add", None, "M 5,5")]


def test_changes_removals_and_words() -> None:
    actions = list(
        tell(
            game(
                [c.ChangePiece("2", state("null", "2", 5), state("null", "1", 5))],
                [c.RemovePiece("2")],
                [c.Chat("<b>my pw1</b> &lt;Anna&gt;"), c.Unknown("ODD\tpw1")],
                [c.Chat("*** (Rally DR) 5,4 ***   <Anna>"), c.DiceResults("Dice", (1, 2))],
            )
        )
    )
    assert actions[0].events[0].changes == (("Step_Image", "a", "b"), ("Step_Level", "1", "2"))
    assert [(e.kind, e.piece.name if e.piece else "") for e in actions[1].events] == [("remove", "Panzer")]
    assert [(e.kind, e.text) for e in actions[2].events] == [
        ("chat", f"my {HIDDEN} <Anna>"),
        ("unknown", "ODD"),
    ]
    assert actions[2].player == "Anna"
    assert [(e.text, e.numbers) for e in actions[3].events if e.kind == "dice"] == [
        ("Rally DR", (5, 4)),
        ("Dice", (1, 2)),
    ]


def spoken(players: list[tuple[str, str, str]], *chat: str) -> list[str]:
    start = [c.BeginSave(), *[c.AddPlayer(Secret(id_), name, side) for id_, name, side in players], c.EndSave()]
    log = save_bytes(save_tree(start, [[c.Chat(text)] for text in chat]))
    return [action.player for action in tell(LogReplay(read_save(log)))]


def test_names_may_have_brackets() -> None:
    said = ["*** 1d6 = 4 *** <Al > Bo>", "*** 1d6 = 1 *** <Anna <A>>", "<Al > Bo> - hi", "<A> - as Al > Bo said"]
    whose = ["Al > Bo", "Anna <A>", "Al > Bo", "A"]
    assert spoken([("p1", "Al > Bo", "Red"), ("p2", "Anna <A>", "Blue"), ("p3", "A", "Blue")], *said) == whose
    assert spoken([], *said[:3]) == whose[:3]


def test_a_password_that_two_have_tells_of_neither() -> None:
    pieces = [c.AddPiece("2", t.piece_type(UNIT), state("null", "1", 5))]
    for names, mover in ((("Anna", "Bob"), ""), (("Anna", "Anna"), "Anna")):
        roster = [c.AddPlayer(Secret("pw1"), name, side) for name, side in zip(names, ("Red", "Blue"), strict=True)]
        log = save_bytes(save_tree([c.BeginSave(), *roster, *pieces, c.EndSave()], [[move("2", 6)]]))
        assert [action.player for action in tell(LogReplay(read_save(log)))] == [mover]
