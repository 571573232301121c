"""Saved games brought up to a newer version of their module: what is carried over, what is told, what is kept."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from hexforge.modulegen.refresh import Catalogue, Refreshed, refresh
from hexforge.modulegen.vassal import traits as t
from hexforge.modulegen.vassal.archive import Metadata
from hexforge.modulegen.vassal.commands import (
    AddPiece,
    AddPlayer,
    BeginSave,
    BoardPlacement,
    Chat,
    EndSave,
    SetBoards,
    SetTurn,
)
from hexforge.modulegen.vassal.module import read_module
from hexforge.modulegen.vassal.save import read_save, save_bytes, save_tree
from hexforge.modulegen.vassal.secrets import Secret
from hexforge.scenarios.text.words import HexforgeError
from tests.commands import here
from tests.lint.small import FLIP, packed, piece, prototype, slot, with_

STEP = t.Layer(name="Step", images=("guard.png", "back.png"), increase_menu="Flip", increase_key=FLIP)
NEWER_STEP = t.Layer(name="Step", images=("a.png", "b.png"), increase_menu="Turn", increase_key=FLIP)
FATIGUE = t.DynamicProperty("Fatigue")
NEWER_FATIGUE = t.DynamicProperty("Fatigue", t.Limits(True, 0, 4))
NOTE, TITLE = t.Labeler(key=t.ctrl("L"), description="Note"), t.Labeler(description="Title")
MASK = t.Obscurable(image="back.png")


def save(
    *pieces: tuple[tuple[t.Trait, ...], tuple[str, ...]], name: str = "Scout", gpid: str = "2", log: bool = False
) -> bytes:
    """A saved game with pieces on the map: their traits and states without those of the basic piece."""
    commands = [
        AddPiece(
            str(100 + at),
            t.piece_type((*traits, t.BasicPiece(image="guard.png", name=name))),
            t.piece_state(
                (*traits, t.BasicPiece(image="guard.png", name=name)), (*states, t.BasicState("Field", 5, 6, gpid))
            ),
        )
        for at, (traits, states) in enumerate(pieces)
    ]
    player = AddPlayer(Secret("anas-password"), "Ana", "Red")
    steps = [[Chat("<b>moved")], [Chat("<b>again")]] if log else []
    tree = save_tree([BeginSave(), player, *commands, EndSave()], steps)
    return save_bytes(tree, Metadata("Small", "0.9", "3.7.0"))


def brought(data: bytes, *traits: t.Trait, more: tuple[str, ...] = (), **options: bool) -> Refreshed:
    """The save brought up to a module whose scout has some traits."""
    return refresh(data, Catalogue(read_module(packed(piece(*traits, more=more)))), **options)


def states(found: Refreshed) -> tuple[str, ...]:
    """The states of the first piece."""
    return next(
        t.read_piece(leaf.command.type, leaf.command.state).states
        for node in read_save(found.data).restore
        for leaf in node.leaves()
        if isinstance(leaf.command, AddPiece)
    )


def said(found: Refreshed) -> str:
    return json.dumps(found.json(str), ensure_ascii=False)


@pytest.mark.parametrize(
    ("old", "state", "new", "after", "lost"),
    [
        (STEP, "2", STEP, "2", ""),
        (STEP, "2", NEWER_STEP, "2", ""),
        (FATIGUE, "3", NEWER_FATIGUE, "3", ""),
        (NOTE, "of old", NOTE, "of old", ""),
        (TITLE, "of old", TITLE, "", ""),
        (t.Marker(("Power",)), "4", t.Marker(("Power",), ("5",)), "5", ""),
        (t.MovementMarkable(), "true", t.MovementMarkable(image="m.png"), "true", ""),
        (t.FreeRotator(facings=6), "2", t.FreeRotator(facings=12), "4", ""),
        (t.FreeRotator(facings=12), "1", t.FreeRotator(facings=6), "0", "stood at '1'"),
        (STEP, "2", t.Layer(name="Step", images=("a.png",)), "2", "stood at level 2"),
        (STEP, "2", FATIGUE, "", "Layer [Step] stood at '2'"),
        (FATIGUE, "3", STEP, "1", "DynamicProperty [Fatigue] stood at '3'"),
        (STEP, "1", FATIGUE, "", ""),
        (MASK, "Ana;", t.Obscurable(image="a.png"), "Ana;", ""),
    ],
)
def test_what_play_has_done_stays_where_its_trait_is_still_there(
    old: t.Trait, state: str, new: t.Trait, after: str, lost: str
) -> None:
    found = brought(save(((old,), (state,))), new)
    assert states(found) == (after, "Field;5;6;2;0")
    losses = [str(one) for change, _ in found.losing for one in change.losses]
    assert lost in "".join(losses)
    assert bool(losses) == bool(lost)


def test_equal_traits_are_paired_one_by_one() -> None:
    found = brought(save(((STEP, NOTE, STEP), ("2", "x", "1"))), NOTE, STEP, STEP)
    assert states(found)[:3] == ("x", "2", "1")
    assert found.is_whole


def test_prototypes_stand_in_their_places_with_what_the_piece_passes_on() -> None:
    inner = prototype("Unit2", t.Marker(("Arm",), ("$Arm$",)), t.UsePrototype("Deeper"))
    more = (inner, prototype("Deeper", STEP))
    found = brought(save(((STEP,), ("2",))), t.UsePrototype("Unit2", (("Arm", "tank"),)), more=more)
    assert states(found)[:2] == ("tank", "2")


def test_a_piece_is_found_by_its_number_and_else_by_its_name() -> None:
    assert [c.how for c in brought(save(((), ())), STEP).pieces] == ["number"]
    named = brought(save(((), ()), gpid="77"), STEP)
    assert [c.how for c in named.pieces] == ["name"]
    assert states(named)[-1] == "Field;5;6;2;0"
    gone = brought(save(((), ()), gpid="77", name="Nobody"), STEP)
    assert [c.how for c in gone.pieces] == ["gone"]
    assert states(gone) == ("Field;5;6;77;0",)
    assert not gone.is_whole
    two = with_(pieces=[slot(STEP, gpid="2", name="Scout"), slot(NOTE, gpid="3", name="Scout")])
    several = refresh(save(((), ()), gpid="77"), Catalogue(read_module(packed(two))))
    assert [c.how for c in several.pieces] == ["several"]


def test_a_piece_that_nothing_changes_is_the_same_to_the_letter() -> None:
    data = save(((STEP, NOTE), ("2", "x")))
    found = brought(data, STEP, NOTE)
    assert [c.how for c in found.pieces] == ["same"]
    assert read_save(found.data).root == read_save(data).root
    assert read_save(found.data).module == read_module(packed()).metadata


def test_what_is_hidden_stays_hidden_and_by_whom_is_not_told() -> None:
    data = save(((MASK, STEP), ("anas-password;", "2")))
    found = brought(data, STEP)
    assert [c.how for c in found.pieces] == ["hidden"]
    assert states(found)[0] == "anas-password;"
    sides = brought(data, t.Obscurable(image="back.png", access="sides:Red"), STEP)
    assert [c.how for c in sides.pieces] == ["hidden"]
    renamed = brought(save(((FATIGUE,), ("anas-password",))), STEP)
    for one in (found, sides, renamed):
        assert "anas-password" not in said(one) + repr(one)


def test_what_the_module_does_not_have_is_named() -> None:
    commands = [
        SetBoards("Field", (BoardPlacement("Old board"),)),
        SetTurn("TurnTracker7", "1"),
        AddPlayer(Secret("x"), "Bo", "Green"),
        AddPiece("1", t.piece_type((t.BasicPiece(),)), t.piece_state((t.BasicPiece(),), (t.BasicState("Attic"),))),
    ]
    data = save_bytes(save_tree([BeginSave(), *commands, EndSave()]), Metadata("Small", "0.9"))
    told = said(brought(data, STEP))
    assert all(name in told for name in ("Old board", "TurnTracker7", "Green", "Attic"))


def test_the_actions_of_a_log_are_left_out_and_counted() -> None:
    found = brought(save(((STEP,), ("2",)), log=True), NEWER_STEP)
    assert found.steps == 2
    assert not read_save(found.data).is_log


def test_the_save_of_another_module_is_refused_unless_that_is_wanted() -> None:
    other = save_bytes(save_tree([BeginSave(), EndSave()]), Metadata("Large", "1"))
    with pytest.raises(HexforgeError, match="Large"):
        brought(other)
    assert brought(other, any_module=True).is_whole


def test_the_command_tells_first_keeps_the_original_and_writes_beside_it(tmp_path: Path) -> None:
    module, game = tmp_path / "New.vmod", tmp_path / "game.vsav"
    module.write_bytes(packed(piece(NOTE)))
    data = save(((STEP,), ("2",)), ((STEP,), ("2",)))
    game.write_bytes(data)

    def run(code: int, *words: str | Path) -> str:
        done = here("modulegen", "refresh", *words, "--module", module)
        assert done.returncode == code, done.stderr
        return done.stdout + done.stderr

    told = run(1, game, "--dry-run")
    assert "2 × Scout (slot 2): Layer [Step] stood at '2'" in told
    assert "+ Labeler [Note]" in told
    assert sorted(p.name for p in tmp_path.iterdir()) == ["New.vmod", "game.vsav"]
    run(1, game)
    assert game.read_bytes() == data
    assert read_save(tmp_path / "game-refreshed.vsav").module == read_module(module).metadata
    assert "game-refreshed.vsav" in run(2, game)
    run(1, game, "--in-place")
    assert game.read_bytes() != data
    assert json.loads(run(0, game, "--dry-run", "--json"))[0]["whole"]
    assert "start-refreshed.vsav" in run(0, "--setups", "--dry-run")
    assert "--setups" in run(2)


def test_a_module_that_grows_without_end_is_no_more_than_it_is() -> None:
    """Prototypes that hold themselves, and values that double each time they are passed on."""
    doubling = [
        prototype(f"P{n}", t.UsePrototype(f"P{n + 1}", (("a", "$a$$a$x"),)), t.Marker(("$a$",))) for n in range(60)
    ]
    found = brought(save(((), ())), t.UsePrototype("P0", (("a", "y" * 50),)), more=tuple(doubling))
    assert len(found.data) < 100_000_000
    circle = (prototype("C", t.UsePrototype("C"), t.UsePrototype("C"), STEP),)
    assert brought(save(((), ())), t.UsePrototype("C"), more=circle).is_whole
