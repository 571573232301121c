"""An extension as program sees it: markers and tracks of a game whose map and order of battle are unknown."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, TypeAlias

from hexforge.scenarios.cited import Cited
from hexforge.scenarios.looks import OwnLooks
from hexforge.scenarios.model import Scenario, Text
from hexforge.scenarios.schema.declared import Model

if TYPE_CHECKING:
    from hexforge.scenarios.problems import Problem
    from hexforge.scenarios.references import Reference
    from hexforge.scenarios.schema.extension import ExtensionFile
    from hexforge.scenarios.schema.ledger import LedgerFile


@dataclass(frozen=True)
class Extension(Cited):
    """An extension. `digest` is a hash (hex, SHA-256) over all of its files but `notation.*.yaml`.

    `ledger` are the rules that sheets are judged by, None where it has none; `notation` is that of `Scenario`;
    `warnings` are what the checks noted.
    """

    name: str
    folder: Path
    game: ExtensionFile
    texts: Mapping[str, Text]
    digest: str
    files: Mapping[str, Model] = field(default_factory=dict)
    counters: Mapping[str, Model] = field(default_factory=dict)
    """None: an extension has markers, and no order of battle."""
    ledger: LedgerFile | None = None
    warnings: tuple[Problem, ...] = ()
    notation: Mapping[str, Text] = field(default_factory=dict)

    @cached_property
    def references(self) -> tuple[Reference, ...]:
        """Every name in the file that stands for something else of the game."""
        from hexforge.scenarios.references import references

        return tuple(references(self))

    @property
    def looks(self) -> OwnLooks:
        """Where its own symbols and palettes are."""
        return OwnLooks.of(self.folder)


AnyGame: TypeAlias = Scenario | Extension
