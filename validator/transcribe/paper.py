"""What a scribe writes on: the blocks of a sheet, and how what happened to one counter is added to them."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from hexforge.scenarios.language import Language
from hexforge.validator.readers import statements as st
from hexforge.validator.readers.words import vocabulary_of
from hexforge.validator.transcribe.blocks import Block, Fact, Item, Kind
from hexforge.validator.transcribe.chain import Chain
from hexforge.validator.transcribe.doubtful import Undeclared
from hexforge.validator.transcribe.noted import Noted, Origin
from hexforge.validator.transcribe.spots import PLACES, Clock, Spot, first_clock
from hexforge.validator.transcribe.typed import Listener

if TYPE_CHECKING:
    from hexforge.scenarios.model import Scenario
    from hexforge.validator.transcribe.marks import Marks


@dataclass
class Started:
    """How the game stood before the first action, and what was put in place before play began."""

    at: dict[str, Spot]
    clock: Clock
    air: int | None
    placed: dict[str, Origin] = field(default_factory=dict)


class Paper:
    """The sheet of one game, as far as it is written."""

    def __init__(self, chain: Chain, marks: Marks, scenario: Scenario, lang: Language) -> None:
        self.chain = chain
        self.marks = marks
        self.scenario = scenario
        self.lang = lang
        self.words = vocabulary_of(scenario)
        self.grid = scenario.map.grid
        self.header: list[Item] = []
        self.blocks: list[Block] = []
        self.scores: list[Item] = []
        self.noted: list[Noted] = []
        self.started = Started({}, first_clock(scenario), None)
        self._listener = Listener(scenario, scenario.name)
        self._at: dict[str, Spot] = {}
        self._sides: dict[str, str] = {c.id: c.side for c in scenario.counters.values()}
        self._wanted: dict[str, tuple[Callable[[Spot], bool], int]] = {}
        self._head: st.Engagement | None = None
        self._rolled: list[int] = []
        self._typed_roll: st.Roll | None = None
        self._thrown: list[int] = []
        self._air = 0
        self._typed_air = False
        self._undeclared: Undeclared | None = None
        self._clock = self.started.clock
        self._gathered: tuple[Item, st.Statement] | None = None
        self._choices = {
            u for p in scenario.setup.at_start if not (len(p.hexes) == 1 and not p.areas) for u in p.units
        }

    def _say(self, en: str, pt: str) -> str:
        return pt if self.lang == "pt" else en

    def _comment(self, origin: Origin, text: str) -> None:
        flat = " ".join(text.split())[:300]
        items = self.blocks[-1].items if self.blocks else self.header
        items.append(Item(origin, f"# {flat}", indent=bool(self.blocks) and self._head is not None))

    def _block(self, origin: Origin) -> Block:
        if not self.blocks:
            self.blocks.append(Block(self._clock, origin))
        return self.blocks[-1]

    def _drop(self, gone: list[Item]) -> None:
        for block in self.blocks[-1:]:
            block.items[:] = [i for i in block.items if not any(i is g for g in gone)]

    def _extend(
        self,
        block: Block,
        going: Fact | None,
        unit: str,
        ends: tuple[str, str],
        origin: Origin,
        *,
        kind: Kind = "move",
    ) -> None:
        old, new = ends
        if going is None:
            going = Fact(kind, unit, [old], origin)
            block.items.append(Item(origin, fact=going, indent=kind in ("retreat", "advance")))
        if new in going.path:
            # Dragged back: the way from there on was a slip.
            del going.path[going.path.index(new) + 1 :]
            if len(going.path) == 1 and going.kind != "enter":
                self._drop([i for i in block.items if i.fact is going])
            return
        going.path += [new] if self.grid.adjacent(going.path[-1], new) else [st.OPEN, new]

    def _beside(self, unit: str, old: Spot, new: Spot, origin: Origin) -> None:
        a, b = (spot.hex or self._say(*PLACES[spot.place]) for spot in (old, new))
        self._comment(origin, f"{unit}: {a} -> {b}")
