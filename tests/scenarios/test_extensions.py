"""Extensions: what their files may say, what is told of a mistake in them, and what needs a whole game."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from hexforge.scenarios import ScenarioError, load
from hexforge.scenarios.changes import survey
from hexforge.scenarios.commands import HOME, extensions, kind_of, names
from hexforge.scenarios.compiled import load_any, load_extension

NAME = "normandy"


@pytest.fixture
def own(tmp_path: Path) -> Path:
    """A copy of an extension, for its owner to change."""
    return Path(shutil.copytree(HOME / NAME, tmp_path / NAME))


def edit(folder: Path, old: str, new: str, file: str = "game.yaml") -> None:
    text = (folder / file).read_text("utf-8")
    assert old in text
    (folder / file).write_text(text.replace(old, new, 1), "utf-8")


def test_what_comes_with_the_program_is_a_game_or_an_extension() -> None:
    assert not set(names()) & set(extensions())
    assert all(kind_of(HOME / name) == "extension" for name in extensions())
    assert all(load_any(name).has_map for name in names())
    assert all(not load_any(name).has_map for name in extensions())


def test_who_needs_a_whole_game_is_told_so() -> None:
    with pytest.raises(ScenarioError, match=r"game\.yaml: kind: normandy is an extension"):
        load(NAME)


@pytest.mark.parametrize("name", extensions())
def test_nothing_is_wrong_but_what_the_owner_must_count(name: str) -> None:
    found = load_extension(name).warnings
    assert [p.severity for p in found] == ["warning"]
    assert "truck" in str(found[0])
    assert "As many as the box holds" in str(found[0])


def test_a_count_makes_markers_that_are_told_apart(own: Path) -> None:
    edit(own, "counts: {}", "counts: {truck: 3, kg: 1, battery: 2, ost: 2, ost-company: 1}")
    game = load_extension(own)
    assert game.warnings == ()
    assert game.game.copies("truck") == ["truck-1", "truck-2", "truck-3"]
    assert game.game.copies("port") == ["port"]
    assert load_extension(NAME).game.copies("truck") == ["truck"]
    assert load_extension(NAME).game.count("truck") is None


def test_boxes_run_down_as_they_are_written() -> None:
    tracks = load_extension(NAME).game.tracks
    assert tracks["port"].boxes == tuple("9876543210")
    assert tracks["csp"].boxes == tuple("0123456789")


def test_hexes_bear_the_letter_of_their_map() -> None:
    game = load_extension(NAME).extension
    assert game is not None
    assert {p.id: p.hexes for p in game.places}["pointe-du-hoc"] == ("B1305",)
    assert game.only_exits[0].exits == ("B1305",)


def test_where_data_come_from_is_told() -> None:
    data = {(d.kind, d.id): d for d in survey(load_extension(NAME))}
    assert data["place", "B1305"].provenance == "printed"
    assert data["days", "1944-06-06..1944-07-31"].provenance == "gazetteer"
    assert data["track", "9 8 7 6 5 4 3 2 1 0"].provenance == "printed"
    assert data["marker", "battery"].value == "battery 1-1"


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        (
            "hexes: B1305",
            "hexes: C1305",
            r"C1305 lies on no map of this game; hexes there are A or B and four digits",
        ),
        (
            "hexes: B1305",
            "hexes: B135",
            r"B135 lies on no map of this game; hexes there are A or B and four digits",
        ),
        ("counts: {}", "counts: {tank: 2}", r"counts\.tank: there is no marker 'tank'"),
        ("counts: {}", "counts: {port: 2}", r"counts\.port: the rulebook prints 1 of 'port'"),
        ("counts: {}", "counts: {truck: 0}", r"counts\.truck: expected 1 or more"),
        ("track: force-pool}", "track: forcepool}", r"there is no track 'forcepool'"),
        ("track: port}", "track: port, box: '11'}", r"the track 'port' has no box '11'"),
        ("boxes: 9..0, waiting: true", "boxes: 9..0", r"say in which box of 'port'"),
        ("boxes: 9..0", "boxes: 9..0 5", r"two boxes are called '5'"),
        ("boxes: 9..0", "boxes: 9..0 A!", r"port\.boxes"),
        ("start: {track: port}", "start: {}", r"'port' begins in a track or in a hex"),
        ("turns: night", "turns: dusk", r"'dusk' is no part of a day; there are am, pm, night"),
        ("picture: truck}", "picture: truck, symbol: infantry}", r"the face truck shows one thing"),
        ("attack: 1\n    defence: 1", "attack: 1", r"attack and defence come together"),
        (
            "option: osttruppen_companies",
            "option: osttruppen",
            r"option: 'osttruppen' is no option of this game with the choices yes and no",
        ),
        ("last: 1944-07-31", "last: 1944-05-31", r"days 1944-06-06 to 1944-05-31"),
        ("id: nrm20", "id: n", r"module\.id: expected text of the form"),
        ("side: german\n    numbered", "side: axis\n    numbered", r"'axis' is no side"),
        ('default: "no"', 'default: "maybe"', r"'maybe' is none of its choices"),
        ("kind: extension", "kind: extension\nmap: x", r"map: is not a key"),
    ],
)
def test_each_mistake_is_told_with_its_place(own: Path, old: str, new: str, said: str) -> None:
    edit(own, old, new)
    with pytest.raises(ScenarioError, match=said) as caught:
        load_extension(own)
    assert f"{own}/game.yaml:" in str(caught.value)


def test_a_marker_without_a_name_is_told(own: Path) -> None:
    edit(own, "  truck: Truck\n", "", "text.en.yaml")
    with pytest.raises(ScenarioError, match=r"text\.en\.yaml:1: there is no markers\.truck, the name"):
        load_extension(own)
