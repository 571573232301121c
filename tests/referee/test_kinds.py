"""The table of kinds of finding against the catalogue of their texts and the games' sections."""

from __future__ import annotations

import pytest

from hexforge.scenarios.commands import names
from hexforge.scenarios.loader import load
from hexforge.scenarios.text.words import SOURCE, catalogue
from hexforge.validator.rules.findings import GIVEN, KINDS, section_of

PARTS = (
    "dice-kind",
    "cause",
    "cut",
    "doubt",
    "ledger",
    "no-way-because",
    "price",
    "reading",
    "role",
    "score-part",
    "way-part",
    "why",
)
"""What is put into findings, below keys of their own."""


def test_every_kind_has_a_text_and_every_text_a_kind() -> None:
    texts = {key for key in catalogue("findings", SOURCE) if key.partition(".")[0] not in PARTS}
    assert texts == set(KINDS)


@pytest.mark.parametrize("game", names())
def test_every_section_that_the_table_names_is_one_of_the_rules(game: str) -> None:
    scenario = load(game)
    sections = {kind.section for kind in KINDS.values()} - {GIVEN, "nowhere"}
    # A name that is none of the rules' would raise; a game without the rule has no section for it.
    printed = {path: section_of(scenario, path) for path in sections}
    assert printed["movement.zone"] and printed["stacking"] and printed["victory"]
    assert bool(printed["movement.railway"]) == (scenario.game.rules.movement.railway is not None)


def test_a_section_that_no_rules_have_is_an_error() -> None:
    with pytest.raises(AttributeError):
        section_of(load("metz"), "movement.railways")
