"""A log from which something was taken, or in which something was changed, is not acquitted.

What a command was done to stands beside what it does, so that a gap shows where a piece or a value is next touched.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from hexforge.modulegen.vassal.commands import AddPiece, ChangePiece, ChangeProperty, Command, Log, MovePiece, Null
from hexforge.modulegen.vassal.payload import Node, group, leaf
from hexforge.modulegen.vassal.replay import LogReplay
from hexforge.modulegen.vassal.save import SavedGame, read_save, save_bytes
from hexforge.modulegen.vassal.traits import Layer, Marker, Trait
from hexforge.modulegen.vassal.traits.piece import STACK, nest, read_types, unnest
from hexforge.validator.judging.check import check_logs

DATA = Path(__file__).resolve().parents[1] / "data"
BASE = DATA / "engine" / "h1.vlog"
CHANGES = DATA / "engine" / "marked_after_dice.vlog"


def unfit(path: Path) -> list[tuple[str, int, str]]:
    """Severity, step and words of what does not follow."""
    answer = check_logs([path], lang="en")
    told = [f for f in answer.findings if f.message.key.startswith("logs.note.unfit")]
    numbers = [re.match(r"step (\d+)", str(f.message)) for f in told]
    return [(f.severity, int(n[1]) if n else 0, str(f.message)) for f, n in zip(told, numbers, strict=True)]


def plain(node: Node) -> list[Command]:
    return [c.command if isinstance(c, Log) else c for c in node.commands()]


def touched(game: SavedGame, kind: type[Command], key: Callable[[Command], object]) -> Iterator[tuple[int, int]]:
    """Indices of two steps, the next in which the same thing is touched after the first."""
    seen: dict[object, int] = {}
    for number, node in enumerate(game.steps):
        for command in plain(node):
            if isinstance(command, kind):
                if key(command) in seen and seen[key(command)] != number:
                    yield seen[key(command)], number
                seen[key(command)] = number


def written(game: SavedGame, steps: list[Node], path: Path) -> Path:
    path.write_bytes(save_bytes(group(*game.restore, *steps), game.module, game.saved))
    return path


def changed(game: SavedGame, number: int, change: Callable[[Command], Command]) -> list[Node]:
    """The steps with the commands of one of them changed."""
    steps = list(game.steps)
    steps[number] = group(*[leaf(Log(change(c))) for c in plain(steps[number])])
    return steps


def by_id(command: Command) -> object:
    return getattr(command, "id", None)


def test_nothing_is_said_of_a_sound_log() -> None:
    assert [f for path in (BASE, *sorted((DATA / "played-hurtgen").glob("ana*.vlog"))) for f in unfit(path)] == []


@pytest.mark.foreign
@pytest.mark.parametrize("name", ["ccn-tutorial.vlog", "vasl-full.vlog", "armada-test.vlog"])
def test_nothing_is_found_in_other_peoples_logs(shared_data: Path, name: str) -> None:
    """VASSAL changes traits to what they are already, and adds to trails as it reads them."""
    replay = LogReplay(read_save(shared_data / name))
    replay.goto(-1)
    assert replay.misfits == {}
    replay.goto(0)
    assert replay.misfits == {}


def test_a_move_that_was_left_out_shows_at_the_next_of_that_piece(tmp_path: Path) -> None:
    game = read_save(BASE)
    first, later = next(touched(game, MovePiece, by_id))
    steps = [node for number, node in enumerate(game.steps) if number != first]
    ((severity, step, told), *_) = unfit(written(game, steps, tmp_path / "a.vlog"))
    assert (severity, step) == ("doubtful", later)  # The steps behind the gap have moved up by one.
    assert "stood elsewhere" in told


def test_a_move_of_no_piece_is_named(tmp_path: Path) -> None:
    game = read_save(BASE)
    number = next(n for n, node in enumerate(game.steps) if any(isinstance(c, MovePiece) for c in plain(node)))

    def other(command: Command) -> Command:
        return replace(command, id="4711") if isinstance(command, MovePiece) else command

    found = unfit(written(game, changed(game, number, other), tmp_path / "a.vlog"))
    assert [told for _, step, told in found if step == number + 1 and "no piece 4711" in told]


def test_an_id_that_was_used_already_is_named(tmp_path: Path) -> None:
    game = read_save(BASE)
    at = next(c for node in game.restore for c in plain(node) if isinstance(c, AddPiece) and "piece;" in c.type)
    steps = [leaf(Log(AddPiece(at.id, at.type, at.state))), *game.steps]
    ((severity, _, told), *_) = unfit(written(game, steps, tmp_path / "a.vlog"))
    assert severity == "doubtful"
    assert "was there already" in told


@pytest.mark.parametrize(("kind", "words"), [(ChangePiece, "otherwise"), (ChangeProperty, "another value")])
def test_a_change_that_was_left_out_shows_at_the_next(kind: type[Command], words: str, tmp_path: Path) -> None:
    """Of a counter's state and of a property alike."""
    game = read_save(CHANGES)

    def key(command: Command) -> object:
        return (by_id(command), getattr(command, "container", ""), getattr(command, "name", ""))

    found = []
    for first, later in touched(game, kind, key):
        kept = [c for c in plain(game.steps[first]) if not isinstance(c, kind)]
        steps = list(game.steps)
        steps[first] = group(*[leaf(Log(c)) for c in kept or [Null()]])
        if found := [t for _, n, t in unfit(written(game, steps, tmp_path / "a.vlog")) if n == later + 1]:
            break
    assert any(words in told for told in found)


def first_step(game: SavedGame, kind: type[Command], fits: Callable[[Command], bool] = bool) -> int:
    return next(n for n, node in enumerate(game.steps) if any(isinstance(c, kind) and fits(c) for c in plain(node)))


def is_stack(command: Command) -> bool:
    return isinstance(command, AddPiece) and command.type == STACK


def test_a_drag_that_ends_beside_the_stack_that_is_made_there_is_named(tmp_path: Path) -> None:
    """VASSAL sets a piece down, and makes the stack around it at the same point."""
    game = read_save(BASE)
    number = first_step(game, AddPiece, is_stack)

    def farther(command: Command) -> Command:
        return replace(command, x=command.x + 78) if isinstance(command, MovePiece) else command

    found = unfit(written(game, changed(game, number, farther), tmp_path / "a.vlog"))
    assert next((severity, step) for severity, step, told in found if "stood elsewhere" in told) == (
        "doubtful",
        number + 1,
    )


def test_a_drag_that_was_taken_out_of_its_step_is_named(tmp_path: Path) -> None:
    game = read_save(BASE)
    number = first_step(game, AddPiece, is_stack)

    def none(command: Command) -> Command:
        return Null() if isinstance(command, MovePiece) else command

    found = unfit(written(game, changed(game, number, none), tmp_path / "a.vlog"))
    assert next(step for _, step, told in found if "stood elsewhere" in told) == number + 1


def of_trait(game: SavedGame, number: int, kind: type[Trait], *, both: bool) -> list[Node]:
    """The steps with another state of a trait in the first change of one of them, also as what was before."""
    types = {c.id: c.type for node in game.restore for c in plain(node) if isinstance(c, AddPiece)}

    def other(command: Command) -> Command:
        if not isinstance(command, ChangePiece) or command.old_state is None:
            return command
        traits = read_types(types[command.id])
        at = next(i for i, t in enumerate(traits) if isinstance(t, kind) and not getattr(t, "follow", False))
        new, old = (unnest(text, len(traits)) for text in (command.state, command.old_state))
        new[at] = "9" + new[at][1:]
        old[at] = new[at] if both else old[at]
        return replace(command, state=nest(new), old_state=nest(old))

    return changed(game, number, other)


def test_a_counter_that_a_later_change_shows_turned_over_is_named(tmp_path: Path) -> None:
    """Each change holds the whole state, also of what it does not change."""
    game = read_save(BASE)
    number = first_step(game, ChangePiece)
    found = unfit(written(game, of_trait(game, number, Layer, both=True), tmp_path / "a.vlog"))
    assert next((severity, step) for severity, step, told in found if "otherwise" in told) == (
        "doubtful",
        number + 1,
    )


def test_a_strength_that_was_changed_is_named(tmp_path: Path) -> None:
    """What is printed on a counter stands in its state, and nothing that players do changes it."""
    game = read_save(BASE)
    number = first_step(game, ChangePiece)
    ((severity, step, told), *_) = unfit(
        written(game, of_trait(game, number, Marker, both=False), tmp_path / "a.vlog")
    )
    assert (severity, step) == ("doubtful", number + 1)
    assert "nothing in play changes" in told


def test_of_many_gaps_the_rest_is_counted(tmp_path: Path) -> None:
    game = read_save(BASE)
    moved = [n for n, node in enumerate(game.steps) if any(isinstance(c, MovePiece) for c in plain(node))]
    steps = list(game.steps)
    for number in moved[:10]:
        steps[number] = leaf(
            Log(replace(next(c for c in plain(steps[number]) if isinstance(c, MovePiece)), id="4711"))
        )
    found = unfit(written(game, steps, tmp_path / "a.vlog"))
    assert any("more step" in told for _, _, told in found)
