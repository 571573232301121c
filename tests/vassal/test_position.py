"""Positions: stacking as VASSAL does it, what hidden pieces show, and undoing anything at all."""

from __future__ import annotations

import json
from pathlib import Path

from hypothesis import given
from hypothesis import strategies as st

from hexforge.modulegen.vassal import commands as c
from hexforge.modulegen.vassal import traits as t
from hexforge.modulegen.vassal.inspect import as_text, describe_save
from hexforge.modulegen.vassal.position import GameState
from hexforge.modulegen.vassal.replay import LogReplay, piece_name
from hexforge.modulegen.vassal.save import read_save, save_bytes, save_tree
from hexforge.modulegen.vassal.secrets import Secret
from tests.examples import examples

UNIT = (t.MovementMarkable(), t.BasicPiece(name="unit"))
TERRAIN = (t.Immobilized(), t.BasicPiece(name="hill"))


def add(piece_id: str, x: int, y: int, traits: tuple[t.Trait, ...] = UNIT, *states: str) -> c.AddPiece:
    all_states = [*states, *[None] * (len(traits) - 1 - len(states)), t.BasicState("M", x, y, "1")]
    return c.AddPiece(piece_id, t.piece_type(traits), t.piece_state(traits, all_states))


def stack(stack_id: str, x: int, y: int, *ids: str) -> c.AddPiece:
    return c.AddPiece(stack_id, "stack", t.StackState("M", x, y, ids).encode())


def move(piece_id: str, x: int, y: int, under: str | None = None, to: str | None = "M") -> c.MovePiece:
    return c.MovePiece(piece_id, to, x, y, under, "M", 0, 0, None, Secret("pw"))


def test_a_piece_moves_out_of_its_stack() -> None:
    p = GameState()
    p.apply([add("1", 5, 5), add("2", 5, 5), stack("s", 5, 5, "1", "2"), move("1", 9, 9), stack("n", 9, 9, "1")])
    assert (p.place("1"), p.place("2")) == (("M", 9, 9), ("M", 5, 5))
    assert p.containers["s"].pieces == ("2",)
    assert p.stack_of("1") == ("1",)


def test_a_piece_joins_a_stack_at_the_bottom_or_upon_another() -> None:
    p = GameState()
    p.apply([add("1", 5, 5), add("2", 5, 5), stack("s", 5, 5, "1", "2"), add("3", 9, 9), add("4", 9, 9)])
    p.apply([move("3", 5, 5), move("4", 5, 5, under="1")])
    assert p.stack_of("1") == ("3", "1", "4", "2")


def test_pieces_on_one_spot_make_a_stack_when_told_so() -> None:
    p = GameState()
    p.apply([add("1", 5, 5), add("2", 9, 9), move("2", 5, 5, under="1")])
    assert p.stack_of("1") == ("1", "2")


def test_a_piece_changes_its_place_within_a_stack() -> None:
    p = GameState()
    p.apply([*[add(i, 5, 5) for i in "123"], stack("s", 5, 5, "1", "2", "3")])
    p.apply(move("1", 5, 5, under="2"))
    assert p.stack_of("1") == ("2", "1", "3")
    p.apply(move("3", 5, 5, under="2"))
    assert p.stack_of("1") == ("2", "3", "1")
    p.apply(move("2", 5, 5, under="s"))
    assert p.stack_of("1") == ("3", "1", "2")


def test_what_does_not_stack_stays_alone() -> None:
    p = GameState()
    p.apply([add("1", 5, 5), stack("s", 5, 5, "1"), add("h", 9, 9, TERRAIN), move("h", 5, 5)])
    assert p.stack_of("h") == ("h",)


def test_a_stack_moves_with_its_pieces() -> None:
    p = GameState()
    p.apply([add("1", 5, 5), add("2", 5, 5), stack("s", 5, 5, "1", "2"), move("s", 7, 8)])
    assert p.place("1") == p.place("2") == ("M", 7, 8)
    p.apply(move("1", 0, 0, to=None))
    assert p.place("1") == (None, 7, 8)


def test_a_change_touches_only_the_traits_it_changes() -> None:
    layers = (t.Layer(name="A", images=("a", "b")), t.DynamicProperty(name="P"), t.BasicPiece(name="u"))
    p = GameState()
    p.apply(add("1", 5, 5, layers, "1", "old"))
    states = p.pieces["1"].states
    p.apply(c.ChangePiece("1", t.piece_state(layers, ("1", "mine", states[2]))))
    old = t.piece_state(layers, ("1", "old", states[2]))
    new = t.piece_state(layers, ("2", "old", states[2]))
    p.apply(c.ChangePiece("1", new, old))
    assert p.pieces["1"].states[:2] == ("2", "mine")


def test_a_stack_keeps_newcomers_that_a_change_does_not_know() -> None:
    p = GameState()
    p.apply([add(i, 5, 5) for i in "123"] + [stack("s", 5, 5, "1", "2", "3")])
    old, new = (t.StackState("M", 5, 5, ids).encode() for ids in (("1", "2"), ("2", "1")))
    p.apply(c.ChangePiece("s", new, old))
    assert p.stack_of("1") == ("2", "3", "1")


def test_a_removed_stack_leaves_its_pieces() -> None:
    p = GameState()
    p.apply([add("1", 0, 0), stack("s", 5, 5, "1"), c.RemovePiece("s")])
    assert (p.place("1"), p.place("s")) == (("M", 5, 5), None)
    p.apply([c.RemovePiece("1"), c.RemovePiece("1"), c.ChangePiece("9", ""), move("8", 1, 1)])
    assert p.pieces == {}
    assert p.missed == {"1": 1, "9": 1, "8": 1}


IDS = st.sampled_from("123sd")
XY = st.sampled_from([0, 5, 9])
COMMANDS = st.one_of(
    st.builds(add, IDS, XY, XY),
    st.builds(add, st.just("h"), XY, XY, st.just(TERRAIN)),
    st.builds(lambda i, x, y, ids: stack(i, x, y, *ids), IDS, XY, XY, st.lists(IDS, max_size=3)),
    st.builds(
        lambda i, x, ids: c.AddPiece(i, "deck;", t.DeckState("M", x, x, True, tuple(ids)).encode()),
        IDS,
        XY,
        st.lists(IDS, max_size=3),
    ),
    st.builds(move, IDS, XY, XY, st.none() | IDS, st.sampled_from(["M", None, "N"])),
    st.builds(c.RemovePiece, IDS),
    st.builds(c.ChangePiece, IDS, st.text(";\tM5123", max_size=9), st.none() | st.text(";\tM5123", max_size=9)),
    st.builds(c.ChangeProperty, st.sampled_from("ab"), st.just(""), st.text(max_size=2), st.just("")),
    st.builds(c.SetPersistentProperty, IDS, st.just("k"), st.just(""), st.text(max_size=2)),
    st.builds(c.AddPlayer, st.sampled_from("pq").map(Secret), st.just("n"), st.sampled_from("AB")),
    st.builds(c.RemovePlayer, st.sampled_from("pq").map(Secret)),
)


def snapshot(p: GameState) -> list[dict[object, object]]:
    tables = (p.pieces, p.containers, p.properties, p.players, p.boards, p.turns, p.notes, p.missed, p._spots)
    return [dict(table) for table in tables]  # type: ignore[arg-type]


@examples(150)
@given(st.lists(COMMANDS, max_size=8), st.lists(COMMANDS, max_size=8))
def test_anything_can_be_undone(before: list[c.Command], after: list[c.Command]) -> None:
    p = GameState()
    p.apply(before)
    saved = snapshot(p)
    p.undo(p.apply(after))
    assert snapshot(p) == saved


@examples(150)
@given(st.lists(COMMANDS, max_size=14))
def test_pieces_and_their_stacks_agree(commands: list[c.Command]) -> None:
    p = GameState()
    p.apply(commands)
    for piece_id, record in p.pieces.items():
        holders = [k for k, holder in p.containers.items() if piece_id in holder.pieces]
        assert holders == ([record.parent] if record.parent else [])
    for holder in p.containers.values():
        assert len(set(holder.pieces)) == len(holder.pieces)


def hidden_game() -> list[c.Command]:
    hide, mask = t.Hideable(access="side:"), t.Obscurable(mask_name="a unit", access="side:")
    red = (hide, mask, t.Marker.of(Strength="7"), t.BasicPiece(name="Panzer"))
    return [
        c.BeginSave(),
        c.AddPlayer(Secret("s3cret"), "Anna", "Red"),
        add("1", 5, 5, red, "Red", "null;"),
        add("2", 6, 6, red, "null", "Red;"),
        add("3", 7, 7, red, "s3cret", "null;"),
        add("4", 8, 8, red, "null", "null;"),
        c.AddPiece("d", "deck;", t.DeckState("M", 1, 1, True, ("5",)).encode()),
        add("5", 1, 1),
        c.AddPiece("d", "deck;", t.DeckState("M", 1, 1, True, ("5",)).encode()),
        c.Unknown("CUSTOM\ts3cret"),
        c.Chat("I am s3cret, says Anna"),
        c.SetGlobalProperty("who", "s3cret", "Module"),
        c.EndSave(),
    ]


def test_hidden_and_masked_pieces_show_themselves_to_their_side_alone() -> None:
    replay = LogReplay(read_save(save_bytes(save_tree(hidden_game()))))
    for side in (None, "Blue"):
        views = {v.id: v for v in replay.pieces(reveal=side)}
        assert [views[i].hidden for i in "12345"] == [True, False, True, False, True]
        assert (views["2"].name, views["2"].masked, views["2"].properties) == ("a unit", True, {})
        assert (views["1"].name, views["1"].x, views["1"].properties) == ("", None, {})
        assert views["4"].properties["Strength"] == "7"
    own = {v.id: v for v in replay.pieces(reveal="Red")}
    assert [own[i].hidden for i in "12345"] == [False, False, False, False, True]
    assert own["2"].name == own["1"].name == "Panzer"


def test_descriptions_keep_secrets() -> None:
    game = read_save(save_bytes(save_tree(hidden_game())))
    text = json.dumps(describe_save(game))
    assert "s3cret" not in text
    assert text.count("Panzer") == 1
    assert "s3cret" not in json.dumps(describe_save(game, reveal="Red"))
    assert json.dumps(describe_save(game, reveal="Red")).count("Panzer") == 4
    assert json.loads(text)["commands"]["unknown"] == {"CUSTOM": 1}


def test_no_state_is_shown_by_chance() -> None:
    replay = LogReplay(read_save(save_bytes(save_tree(hidden_game()))))
    assert "s3cret" not in repr(replay.position.pieces) + repr(replay.piece("3")) + repr(replay.game)
    commands = [x for x in replay.game.root.commands() if not isinstance(x, c.Chat | c.SetGlobalProperty)]
    assert "s3cret" not in repr(commands)


def test_strangers_text_does_not_steer_the_terminal(tmp_path: Path) -> None:
    path = tmp_path / "a.vsav"
    odd = (t.BasicPiece(name="\x07\x9b31mred[bold]\u202e"),)
    path.write_bytes(save_bytes(save_tree([c.BeginSave(), add("1", 5, 5, odd), c.EndSave()])))
    text = as_text(path)
    assert all(char.isprintable() or char == "\n" for char in text)
    assert "[bold]" in text


def test_names_follow_layers_and_labels() -> None:
    traits = (
        t.Labeler(name_format="$pieceName$ [$label$]"),
        t.Layer(images=("a", "b"), level_names=("", "+ (reduced)")),
        t.BasicPiece(name="1/109"),
    )
    texts = t.piece_type(traits), t.piece_state(traits, ("Kall", "2"))
    assert piece_name(t.read_piece(*texts)) == "1/109 (reduced) [Kall]"


def test_a_stack_without_an_id_is_called_the_same_whenever_a_step_is_carried_out() -> None:
    p = GameState()
    p.apply([add("1", 0, 0), add("2", 50, 0)])
    step = [move("1", 50, 0, under="2")]
    first = p.apply(step)
    held = dict(p.containers)
    p.undo(first)
    p.apply(step)
    assert p.containers == held and len(held) == 1
