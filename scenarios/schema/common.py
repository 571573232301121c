"""The part of game.yaml that whole games and extensions have alike."""

from __future__ import annotations

from typing import Any

from hexforge.scenarios.schema.base import LanguageCode
from hexforge.scenarios.schema.declared import Field
from hexforge.scenarios.schema.supplies import Supplies


class Common(Supplies):
    """What lies beside the map, the languages of the texts, and whose the game is."""

    languages: tuple[LanguageCode, ...] = Field(
        default=("pt", "en"),
        min_length=1,
        max_length=100,
        description="languages of the texts; a module is built in the first",
    )
    credits: dict[str, Any] = Field(
        default_factory=dict, description="who made the game and its parts, for the reader"
    )
    sources: tuple[str, ...] = Field(
        default=(), description="rulebooks and other sources that the data are taken from"
    )
