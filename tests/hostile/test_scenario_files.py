"""Game files that are broken, absurd or meant to do harm: one clear message, quickly, never a traceback."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given
from hypothesis import strategies as some

from hexforge.scenarios import ScenarioError, load, yamlfile
from tests import starters, yamls
from tests.commands import here
from tests.examples import examples


def complaint(game: Path) -> str:
    with pytest.raises(ScenarioError) as caught:
        load(game)
    return str(caught.value).replace(f"{game}/", "")


def change(path: Path, old: str, new: str) -> None:
    text = path.read_text("utf-8")
    assert old in text
    path.write_text(text.replace(old, new, 1), "utf-8")


@pytest.mark.parametrize(
    "text",
    [
        "deep: " + "[" * 100_000,
        "deep: " + "{a: " * 50_000,
        "deep:\n  " + "- " * 100_000 + "x",
        "deep:\n" + "".join(f"{' ' * n}a:\n" for n in range(1, 60)),
        "? " * 100_000 + "x",
    ],
    ids=["sequences", "mappings", "block sequences", "block mappings", "keys"],
)
def test_nesting_is_bounded(game: Path, text: str) -> None:
    with (game / "tables.yaml").open("a") as file:
        file.write(text)
    assert "nested deeper than 40" in complaint(game)


def test_brackets_in_texts_are_no_nesting(game: Path) -> None:
    with (game / "text.pt.yaml").open("a") as file:
        file.write('odd: "' + "[" * 100 + '"\n')
    load(game)


@pytest.mark.parametrize("character", ["\\0", "\\x01", "\\e", "\\x7f", "\\uffff"])
def test_control_characters_are_refused_with_their_line(game: Path, character: str) -> None:
    change(game / "game.yaml", 'name: "River war"', f'name: "River{character}war"')
    line = (game / "game.yaml").read_text("utf-8").partition('name: "River')[0].count("\n") + 1
    said = complaint(game)
    assert said.startswith(f"game.yaml:{line}: the control character")
    assert said.isprintable()


def test_control_characters_in_a_cell_are_refused_with_their_line(game: Path) -> None:
    change(game / "counters.csv", "2nd Line", "2nd \x1b[31mLine")
    said = complaint(game)
    assert said.startswith("counters.csv:3: the control character")
    assert said.isprintable()


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ("last: 6", "last: 1000000000000", "turns.last"),
        ("last: 6", "last: 0", "turns 1 to 0"),
        ("last: 6", "last: 900", "expected 1 to 200"),
        ("start: 1944-09-17", "start: 9999-12-30", "beyond the calendar"),
        ("start: 1944-09-17", "start: 1944-13-17", "turns.start"),
        ("days: 1", "days: 100000000000", "turns.days"),
        ("file: RiverWar.vmod", "file: ../../evil.vmod", "module.file"),
        ("file: RiverWar.vmod", "file: /tmp/evil.vmod", "module.file"),
        ("family: somnium", "family: ../somnium", "not a family's name"),
        ("family: somnium", "family: " + "é" * 300, "not a family's name"),
    ],
)
def test_absurd_values_are_refused_at_once(game: Path, old: str, new: str, said: str) -> None:
    change(game / "game.yaml", old, new)
    assert said in complaint(game)


def test_code_in_yaml_is_not_run(game: Path, tmp_path: Path) -> None:
    with (game / "text.pt.yaml").open("a") as file:
        file.write(f'x: !!python/object/apply:os.system ["touch {tmp_path}/ran"]\n')
    assert "a text that begins with ! stands in quotes" in complaint(game)
    assert not (tmp_path / "ran").exists()


ODD: list[Any] = [
    None, True, -1, 0, 3, 10**12, 1.5, -0.5, "", "x", "0000", "9999", "0101/0102", "0105..0199", "9999..0101",
    [], [None], [[]], ["x", "0101"], {}, {"x": 1}, {"a": {"b": [1]}}, "é" * 300, "../x", "a b c",
]  # fmt: skip


def places(value: Any, way: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    """The way to everything inside a value."""
    items = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, item in items:
        yield (*way, key)
        yield from places(item, (*way, key))


@pytest.fixture(scope="module")
def starter_game(
    tmp_path_factory: pytest.TempPathFactory,
) -> tuple[Path, dict[Path, str], list[tuple[Path, tuple[Any, ...]]]]:
    folder = tmp_path_factory.mktemp("odd") / "river-war"
    starters.write(folder)
    texts = {p: p.read_text("utf-8") for p in sorted(folder.glob("*.yaml"))}
    return folder, texts, [(p, way) for p, text in texts.items() for way in places(yamlfile.parse(text, p))]


@examples(300, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(data=some.data())
def test_any_value_of_any_type_anywhere_is_taken_or_refused(
    starter_game: tuple[Path, dict[Path, str], list[tuple[Path, tuple[Any, ...]]]], data: some.DataObject
) -> None:
    """A drawn value stands in a drawn place: the game loads, or says what is wrong; nothing else happens."""
    folder, texts, ways = starter_game
    path, way = data.draw(some.sampled_from(ways))
    odd = data.draw(some.sampled_from([*ODD, ...]))
    content: Any = yamlfile.parse(texts[path], path)
    parent = content
    for step in way[:-1]:
        parent = parent[step]
    if odd is ...:
        del parent[way[-1]]
    else:
        parent[way[-1]] = odd
    yamls.write(path, content)
    try:
        load(folder, strict=False)
    except ScenarioError as error:
        assert all(p.file and p.message for p in error.problems)
    finally:
        path.write_text(texts[path], "utf-8")


@pytest.mark.parametrize("what", ["folder", "device", "pipe", "dangling link"])
def test_what_is_no_file_is_no_file_of_a_game(game: Path, what: str) -> None:
    (game / "map.yaml").unlink()
    if what == "folder":
        (game / "map.yaml").mkdir()
    elif what == "device":
        (game / "map.yaml").symlink_to("/dev/zero")
    elif what == "pipe":
        os.mkfifo(game / "map.yaml")
    else:
        (game / "map.yaml").symlink_to(game / "nowhere")
    done = here("modulegen", "check", game)
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr == f"modulegen: {game / 'map.yaml'}: is missing; every game has one\n"
