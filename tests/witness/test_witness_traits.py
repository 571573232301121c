"""Our traits and VASSAL's: what we write, the engine reads, and writes again as we did."""

from __future__ import annotations

import re
from dataclasses import fields
from typing import Any

import pytest

from hexforge.modulegen.vassal import traits as t
from hexforge.modulegen.vassal.encoding import decode
from hexforge.modulegen.vassal.traits.base import TRAITS

from . import Engine

pytestmark = pytest.mark.witness

TEXT = "a;b,c|d é"
_NAMED_KEY = re.compile(r"573\d\d(?=\\*,0\\*,)")
SAMPLES: dict[str, Any] = {
    "str": TEXT,
    "int": 2,
    "bool": True,
    "float": 0.5,
    "Key | None": t.ctrl("F"),
    "Color | None": (1, 2, 3),
    "tuple[str, ...]": ("a,b.png", TEXT),
    "tuple[Key, ...]": (t.ctrl("A"), t.named("go")),
    "tuple[PropertyCommand, ...]": (t.PropertyCommand(TEXT, t.ctrl("B"), t.PropertyChange("P", TEXT)),),
    "Limits": t.Limits(True, 1, 5, True),
    "tuple[tuple[int, int], ...]": ((1, 2), (3, 4)),
    "tuple[tuple[str, str], ...]": ((TEXT, "x"), ("y", TEXT)),
}
# Fields that take certain values only; here they keep their defaults.
KEPT = {
    "globalkey;": {"target", "from_deck"},
    "nonRect;": {"shape"},
    "placemark;": {"x", "y"},
    "replace;": {"x", "y"},
    "immob;": {"select", "move", "stack"},
    "piece;": {"clone_key", "delete_key"},
    "calcProp;": {"expression"},
    "propertysheet;": {"old_key", "red", "green", "blue"},
    "label;": {"vertical", "horizontal", "vertical_justification", "horizontal_justification", "font"},
    "hide;": {"access"},
    "obs;": {"display", "access"},
}
LATER_THAN_THE_ENGINE = {"attach;", "locCommand;", "setpieceprop;", "cmt;", "border;", "nonRect2;"}
OF_ANOTHER_MODULE = {one.ID for one in t.VASL_TRAITS}
KNOWN = {name: one for name, one in TRAITS.items() if name not in LATER_THAN_THE_ENGINE | OF_ANOTHER_MODULE}


def filled(cls: type[t.Trait]) -> t.Trait:
    """A trait with something in every field."""
    kept = KEPT.get(cls.ID, set())
    return cls(**{one.name: SAMPLES[str(one.type)] for one in fields(cls) if one.name not in kept})


@pytest.mark.parametrize("how", ["default", "filled"])
@pytest.mark.parametrize("cls", KNOWN.values(), ids=lambda cls: cls.__name__)
def test_the_engine_writes_a_trait_as_we_do(mini: Engine, cls: type[t.Trait], how: str) -> None:
    trait = filled(cls) if how == "filled" else cls()
    ours = trait.encode()
    whole = ours if isinstance(trait, t.BasicPiece) else t.piece_type((trait, t.BasicPiece(image="", name="x")))
    engines = decode(mini.piece(whole)["type"], "\t")[0]
    # An engine older than the trait's last fields leaves them out; it changes none before them.
    ours_parts, engines_parts = decode(ours, ";"), decode(engines, ";")
    differing = [(a, b) for a, b in zip(engines_parts, ours_parts, strict=False) if not same(a, b)]
    assert differing == []
    assert len(engines_parts) <= len(ours_parts)
    assert len(engines_parts) > 1
    assert [one for one in mini.problems if "Unknown type" in one["text"]] == []


def same(engines: str, ours: str) -> bool:
    """Whether two parts of a type mean the same.

    The engine numbers named keys as they come, keeps some numbers in single precision, and does not know the last
    fields of a global command's target.
    """
    if _NAMED_KEY.sub("#", engines) == _NAMED_KEY.sub("#", ours) or ours.startswith(f"{engines}||"):
        return True
    try:
        return abs(float(engines) - float(ours)) < 1e-6
    except ValueError:
        return False


@pytest.mark.parametrize("name", sorted((LATER_THAN_THE_ENGINE | OF_ANOTHER_MODULE) & TRAITS.keys()))
def test_a_trait_that_the_engine_does_not_know_is_reported(mini: Engine, name: str) -> None:
    made = mini.piece(t.piece_type((TRAITS[name](), t.BasicPiece(image="", name="x"))))
    unknown = any("Unknown type" in problem["text"] for problem in mini.problems)
    assert unknown or not made["type"].startswith(name)


def test_states_survive_the_engine(mini: Engine) -> None:
    state = "true\t0\\\tBoard;231;250;7;0"
    definition = t.piece_type((t.MovementMarkable(), t.Delete(), t.BasicPiece(image="red1.png", name="red1")))
    made = mini.piece(definition, state)
    assert made["properties"]["Moved"] == "true"
    assert made["name"] == "red1"
