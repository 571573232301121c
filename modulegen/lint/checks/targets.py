"""Rules about where commands look for pieces (`VASSAL.counters.GlobalCommandTarget`)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from hexforge.modulegen.lint.context import Examination, is_computed
from hexforge.modulegen.lint.finding import LintFinding
from hexforge.modulegen.lint.known import COMMANDS
from hexforge.modulegen.vassal import traits as t
from hexforge.modulegen.vassal.sequence import decode

_WITH_MAP: Final = ("MAP", "ZONE", "LOCATION", "XY")


def targets(context: Examination) -> Iterator[LintFinding]:
    """Maps, boards, zones and decks in which a command is to look, and that are not there."""
    if context.module.open_ended:
        return
    for definition, number, trait, _ in context.traits():
        if isinstance(trait, t.GlobalCommand | t.SetPieceProperty | t.Attachment):
            for rule, says, name in _gone(context, trait.target):
                yield context.on(rule, definition, number, says, name=name)
    for part in context.module.all(*COMMANDS):
        for rule, says, name in _gone(context, part.get("target")):
            yield context.at(rule, part, says, name=name)


def _gone(context: Examination, target: str) -> Iterator[tuple[str, str, str]]:
    parts = [*decode(target, "|"), *[""] * 10] if target else [""] * 10
    narrowed, kind, map_, board, zone, deck = parts[1], parts[2] or "MAP", *parts[3:6], parts[9]
    if narrowed != "true":
        return

    def named(name: str) -> bool:
        return bool(name) and not is_computed(name)

    if kind in _WITH_MAP and named(map_) and map_ not in context.maps:
        yield "missing-place", "map", map_
    elif kind == "XY" and named(board) and not any(board in boards for boards in context.maps.values()):
        yield "missing-place", "board", board
    elif kind == "ZONE" and named(zone) and zone not in context.zones:
        yield "missing-place", "zone", zone
    elif kind == "DECK" and named(deck) and deck not in context.decks:
        yield "missing-deck", "says", deck


CHECKS: Final = (targets,)
