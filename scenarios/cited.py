"""What whole games and extensions answer alike: their sides, and how findings cite their rules."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from hexforge.scenarios.schema.game import SideSpec


class _Said(Protocol):
    """The part of game.yaml that this rests on."""

    @property
    def letter(self) -> str: ...

    @property
    def sides(self) -> tuple[SideSpec, ...]: ...


class Cited:
    """A game with its rules, of which `game` is the file that says what it is."""

    game: _Said

    def side(self, id_: str) -> SideSpec:
        """A side by id. Raises KeyError."""
        for spec in self.game.sides:
            if spec.id == id_:
                return spec
        raise KeyError(id_)

    def citation(self, section: str) -> str:
        """A rule of the game as findings cite it: `H 4.1.1`; the letter alone without a section."""
        return f"{self.game.letter} {section}".rstrip()
