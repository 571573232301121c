"""What a plan is made of."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from hexforge.scenarios.model import Counter


@dataclass(frozen=True)
class UnitPlan:
    """A counter in the module: its slot's number and the images of its faces, full strength first."""

    counter: Counter
    gpid: int
    images: tuple[str, ...]


@dataclass(frozen=True)
class MarkerPlan:
    """A marker of the palette: its faces by id, in the order in which it is turned, and what each is called."""

    id: str
    name: str
    gpid: int
    faces: tuple[str, ...]
    face_names: tuple[str, ...]

    @property
    def images(self) -> tuple[str, ...]:
        """The images of its faces."""
        return tuple(f"marker-{face}.png" for face in self.faces)


@dataclass(frozen=True)
class ChartPlan:
    """A chart in one language."""

    id: str
    title: str
    language: str

    @property
    def image(self) -> str:
        """Its image."""
        return f"chart-{self.id}-{self.language}.png"
