"""Traits: every class writes what it reads, whole pieces nest and unnest, and known strings come out right."""

from __future__ import annotations

from dataclasses import fields, replace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hexforge.modulegen.vassal import traits as t
from hexforge.modulegen.vassal.encoding import decode
from hexforge.modulegen.vassal.traits.base import TRAITS, read_key, read_trait
from hexforge.modulegen.vassal.traits.piece import nest, unnest
from tests.examples import examples

TEXT = st.text(st.sampled_from([*"\\';,/\t:|=~+aZé漢 $"]), max_size=8)
INT = st.integers(-(10**6), 10**6)
NAME = st.text(st.sampled_from([*"aZé; /:'"]), min_size=1, max_size=5)
KEY = st.one_of(
    st.tuples(st.integers(0, 999), st.integers(0, 999)).map(lambda pair: t.Key(*pair)),
    st.builds(t.named, NAME),
)
CHANGE = st.one_of(
    st.tuples(st.sampled_from("PIR"), TEXT).map(lambda pair: t.PropertyChange(*pair)),
    st.builds(t.PropertyChange, st.just("E"), TEXT, st.lists(TEXT, min_size=2, max_size=3).map(tuple)),
)
VALUES: dict[str, st.SearchStrategy[Any]] = {
    "str": TEXT,
    "int": INT,
    "bool": st.booleans(),
    "float": st.floats(-1e6, 1e6, allow_nan=False, width=32).map(lambda x: round(float(x), 3)),
    "Key | None": st.none() | KEY,
    "Color | None": st.none() | st.tuples(*[st.integers(0, 255)] * 3) | st.tuples(*[st.integers(0, 255)] * 4),
    "tuple[str, ...]": st.lists(TEXT, min_size=2, max_size=4).map(tuple),
    "tuple[Key, ...]": st.lists(KEY, max_size=3).map(tuple),
    "tuple[PropertyCommand, ...]": st.lists(
        st.builds(t.PropertyCommand, TEXT, st.none() | KEY, CHANGE), max_size=3
    ).map(tuple),
    "Limits": st.builds(t.Limits, st.booleans(), INT, INT, st.booleans()),
    "tuple[tuple[int, int], ...]": st.lists(st.tuples(INT, INT), max_size=4).map(tuple),
    "tuple[tuple[str, str], ...]": st.lists(st.tuples(TEXT, TEXT), max_size=3).map(tuple),
}
# Fields that live in the state, and layouts that cannot hold every value.
SPECIAL: dict[str, dict[str, st.SearchStrategy[Any]]] = {
    "mark;": {"values": st.just(())},
    "PROP;": {"start": st.just("")},
    "emb2;": {"images": st.just(("a.png", "b.png")), "level_names": st.tuples(TEXT, TEXT)},
    "immob;": {n: st.sampled_from(["", "n", "ig"]) for n in ("select", "move", "stack", "description")},
    "nonRect2;": {"shape": st.sampled_from(["", "m,0,1,l,2,3,c"])},
    "rotate;": {"facings": st.integers(2, 12)},
}


def any_trait(cls: type[t.Trait]) -> st.SearchStrategy[t.Trait]:
    special = SPECIAL.get(cls.ID, {})
    return st.builds(cls, **{f.name: special.get(f.name, VALUES[str(f.type)]) for f in fields(cls)})


@pytest.mark.parametrize("cls", TRAITS.values(), ids=lambda c: c.__name__)
@examples(60)
@given(data=st.data())
def test_every_trait_reads_what_it_writes(cls: type[t.Trait], data: st.DataObject) -> None:
    trait = data.draw(any_trait(cls))
    text = trait.encode()
    again = read_trait(text)
    assert again == trait
    assert again.encode() == text


@pytest.mark.parametrize("cls", TRAITS.values(), ids=lambda c: c.__name__)
@given(body=TEXT)
def test_any_text_behind_an_identifier_is_kept(cls: type[t.Trait], body: str) -> None:
    assert read_trait(cls.ID + body).encode() == cls.ID + body


@given(st.lists(st.sampled_from(list(TRAITS.values())).flatmap(any_trait), max_size=6), TEXT)
def test_pieces_nest_and_unnest(outer: list[t.Trait], state: str) -> None:
    decorators = tuple(x for x in outer if not isinstance(x, t.BasicPiece))
    traits = (*decorators, t.BasicPiece(image="a.png", name='II/5 Pz; "x"'))
    states = (state,) * len(decorators)
    basic = t.BasicState("Map", 10, -20, "7", (("Key", "a;b"),))
    piece = t.read_piece(t.piece_type(traits), t.piece_state(traits, (*states, basic)))
    assert piece.traits == traits
    assert piece.states[:-1] == states
    assert t.BasicState.decode(piece.states[-1]) == basic


@given(st.lists(TEXT, min_size=1, max_size=9))
def test_nesting_is_exact(parts: list[str]) -> None:
    assert unnest(nest(parts), len(parts)) == parts


def unnested(text: str, depth: int) -> list[str]:
    """What VASSAL does, level by level."""
    found: list[str] = []
    while len(found) < depth - 1:
        first, *more = decode(text, "\t")
        found.append(first)
        if not more:
            return found
        text = more[0]
    return [*found, text]


@examples(400)
@given(st.text("\t\t\t\\\\\\'a", max_size=40), st.integers(1, 9))
def test_any_text_is_unnested_as_vassal_does(text: str, depth: int) -> None:
    assert unnest(text, depth) == unnested(text, depth)


@given(st.lists(st.text("\t\\;x", max_size=9).map("x{}x".format), min_size=1, max_size=9), st.integers(1, 12))
def test_parts_with_tabs_of_their_own_are_unnested(parts: list[str], depth: int) -> None:
    """A trait that makes pieces holds all of one."""
    assert unnest(nest(parts), depth) == unnested(nest(parts), depth)


def test_a_unit_as_vassal_writes_it() -> None:
    traits = [
        t.ReportState(keys=(t.ctrl("F"),), format="$location$: $newPieceName$ flips"),
        t.Delete(),
        t.MovementMarkable("moved.png", 10, -30),
        t.BasicPiece(image="red1.png", name="red1"),
    ]
    assert t.piece_type(traits) == (
        "report;70\\,130;$location$: $newPieceName$ flips;;;;false\t"
        "delete;Delete;68,130;\\\t"
        "markmoved;moved.png;10;-30;Mark Moved;77,130;;false;;;;\\\\\tpiece;;;red1.png;red1"
    )
    assert t.slot_text(traits, "1").endswith("/-1\t\\\tfalse\\\\\tnull;0;0;1;0")


def test_properties_follow_the_state() -> None:
    layer = t.Layer(name="Step", images=("full.png", "reduced.png"), level_names=("", "+ (reduced)"))
    traits = (layer, t.Marker.of(UnitId="us-1", Side="US"), t.BasicPiece(name="1/109"))
    piece = t.read_piece(t.piece_type(traits), t.piece_state(traits, (t.Layer.at(2),)))
    found = piece.properties()
    assert found["Step_Level"] == "2"
    assert found["Step_Image"] == "reduced.png"
    assert found["Step_Name"] == " (reduced)"
    assert (found["UnitId"], found["Side"], found["BasicName"]) == ("us-1", "US", "1/109")


def test_an_older_layout_is_kept_until_it_is_changed() -> None:
    old = read_trait("emb2;Flip;128;F;;128;;;128;;;;1;false;0;0;a.png,b.png;,;true;Flip;;;false;;1")
    assert isinstance(old, t.Layer)
    assert old.version == 0
    assert old.encode().endswith("Flip;;;false;;1")
    assert replace(old, x=5).encode().count(";") == 33


def test_a_number_that_is_none_leaves_the_rest_of_its_trait() -> None:
    """As VASSAL's decoder takes its default for that part alone."""
    text = "emb2;Flip;128;F;;128;;;128;;;;1;false;left;7;a.png,b.png;full,half;true;Flip;;;false;;1"
    layer = read_trait(text)
    assert isinstance(layer, t.Layer)
    assert (layer.x, layer.y, layer.images, layer.name) == (0, 7, ("a.png", "b.png"), "Flip")
    assert layer.encode() == text


@pytest.mark.parametrize(("state", "name"), [("0", ""), ("1", "full"), ("2", "half"), ("9", "half"), ("-2", "")])
def test_a_layer_shows_the_name_of_its_level(state: str, name: str) -> None:
    layer = t.Layer(name="Step", images=("a.png", "b.png"), level_names=("full", "half"))
    assert layer.properties(state)["Step_Name"] == name


def test_order_is_checked() -> None:
    with pytest.raises(ValueError, match="last trait"):
        t.piece_type([t.BasicPiece(), t.Delete()])
    with pytest.raises(ValueError, match="2 states for 1"):
        t.piece_state([t.BasicPiece()], ["", ""])


@pytest.mark.parametrize(
    ("text", "label"),
    [
        ("77,130", "Ctrl+M"),
        ("57348,0,stepLoss", "stepLoss"),
        ("113,0", "F2"),
        ("M", "Ctrl+M"),
        ("65,195", "Ctrl+Shift+A"),
    ],
)
def test_keys(text: str, label: str) -> None:
    key = read_key(text)
    assert key is not None
    assert key.label == label


def test_stacks_and_decks() -> None:
    state = "Board;231;250;1001;1002;@@-1"
    assert t.StackState.decode(state) == t.StackState("Board", 231, 250, ("1001", "1002"), -1)
    for text in (state, "null;0;0;7;@@2", "Board;1;2;3"):
        assert t.StackState.decode(text).encode() == text
    for text in ("Main;5;6;true;1,2,3", "Main;5;6;false"):
        assert t.DeckState.decode(text).encode() == text
