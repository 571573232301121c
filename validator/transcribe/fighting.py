"""Combats as a scribe follows them: declarations, dice, losses, retreats and advances."""

from __future__ import annotations

from dataclasses import replace
from typing import Final

from hexforge.modulegen.vassal.story import Event
from hexforge.validator.readers import statements as st
from hexforge.validator.readers.writer import write_statement
from hexforge.validator.transcribe import doubtful
from hexforge.validator.transcribe.blocks import Block, Fact, Item, Kind
from hexforge.validator.transcribe.doubtful import Undeclared
from hexforge.validator.transcribe.noted import Origin, faces_told, note
from hexforge.validator.transcribe.outcomes import clear_parts, lacks_roll
from hexforge.validator.transcribe.paper import Paper
from hexforge.validator.transcribe.passages import way_out
from hexforge.validator.transcribe.spots import Spot
from hexforge.validator.transcribe.typed import units_of

AIR: Final = "AirPoints"
TURN_SHOWN: Final = "TurnShown"
"""A property that changes in the step in which the module itself sets the air points of a turn that begins."""
COMBAT_DICE: Final = 2


class Fighting(Paper):
    """Writes down what belongs to the combat that is open, or to dice that nobody declared a combat for."""

    def _close_combat(self) -> None:
        if self._undeclared is not None and self.blocks:
            pending, self._undeclared = self._undeclared, None
            if pending.faces:
                self.noted.append(note(pending.origin, "undeclared-throw", faces=faces_told(pending.faces)))
            self.blocks[-1].items += doubtful.settle(pending, self._sides, self.grid, self.scenario, self.lang)
        if self._head is not None and self._air > 0 and not self._typed_air and self.blocks:
            item = Item(
                self.blocks[-1].origin, write_statement(st.AirSupport(0, self._air), self.lang), indent=True
            )
            self.blocks[-1].items.append(item)
        self._head, self._rolled, self._typed_roll, self._thrown = None, [], None, []
        self._air, self._typed_air = 0, False

    def _joined(self, s: st.Statement) -> bool:
        """Whether a declaration from a counter's menu belongs to the one before it, of another counter."""
        if isinstance(s, st.Combat) and isinstance(self._head, st.Combat) and not self._rolled:
            item = next((i for i in reversed(self.blocks[-1].items) if not i.indent and i.fact is None), None)
            fresh = item is not None and self.blocks[-1].items[-1] is item
            if s.targets[0] in self._head.targets and (fresh or self._gathered is not None):
                return True
            if fresh and item is not None:
                self._head = replace(self._head, targets=(*self._head.targets, *s.targets))
                item.text = write_statement(self._head, self.lang)
                return True
        if self._gathered is None:
            return False
        item, old = self._gathered
        if type(s) is not type(old) or not isinstance(s, (st.Attack, st.Support, st.Guard)):
            return False
        new = replace(s, units=tuple(dict.fromkeys((*units_of(old), *s.units))))
        item.text = write_statement(new, self.lang)
        self._gathered = (item, new)
        return True

    def _fought(self, block: Block, unit: str, old: Spot, new: Spot, origin: Origin) -> None:
        facts: list[Fact] = []
        items = block.items if self._head is not None or self._undeclared is None else self._undeclared.items
        own = [i for i in items if i.fact is not None and i.fact.unit == unit]
        last = next((i.fact for i in reversed(own) if i.fact and i.fact.path), None)
        going = last if last is not None and last.path[-1] == old.hex else None
        match old.place, new.place:
            case "hex", "hex" if old.hex != new.hex:
                kind = going.kind if going is not None else self._direction(block, unit, new.hex)
                scratch = Block(block.clock, block.origin, items=items)
                self._extend(scratch, going, unit, (old.hex, new.hex), origin, kind=kind)
                items[:] = [i for i in items if i.fact is not going or going is None or len(going.path) > 1]
            case "hex", "dead":
                facts.append(Fact("eliminate", unit, [], origin))
            case "dead", "hex":
                dead = [i for i in own if i.fact and i.fact.kind == "eliminate"]
                items[:] = [i for i in items if not any(i is d for d in dead)]
                if not dead:
                    self._beside(unit, old, new, origin)
            case "hex", "left":
                edge = way_out(self.scenario, old.hex)
                facts.append(Fact("retreat", unit, [old.hex], origin, edge))
            case a, b if a != b:
                self._beside(unit, old, new, origin)
        if new.reduced and not old.reduced and new.place == "hex":
            facts.append(Fact("lose", unit, [], origin))
        elif old.reduced and not new.reduced and new.place == "hex":
            lost = [i for i in own if i.fact and i.fact.kind == "lose"]
            items[:] = [i for i in items if not any(i is d for d in lost)]
            if not lost:
                self._comment(origin, f"{unit}: {self._say('turned to its full side', 'virada para a frente')}")
        items += [Item(origin, fact=fact, indent=True) for fact in facts]
        if self._head is None and self._undeclared is None and (facts or old.hex != new.hex):
            # Nothing was declared or thrown: what happens still has to be told.
            taken = [i for i in block.items if i.fact is not None and i.fact.origin == origin]
            self._drop(taken)
            self._undeclared = Undeclared(origin, [], dict(self._at) | {unit: old}, block.clock.side, taken)

    def _direction(self, block: Block, unit: str, hex_: str) -> Kind:
        if self._sides.get(unit) != block.clock.side:
            return "retreat"
        if self._head is not None:
            return "advance" if hex_ in self._head.targets else "retreat"
        if self._undeclared is not None and hex_ in self._undeclared.emptied(self._sides, self._at):
            return "advance"
        return "retreat"

    def _air_change(self, event: Event) -> None:
        try:
            change = int(event.before or "") - int(event.after or "")
        except ValueError:
            return
        if self._head is not None and not isinstance(self._head, st.AirStrike):
            self._air += change

    def _dice(self, event: Event, origin: Origin, typed: bool) -> None:
        block = self._block(origin)
        faces = list(event.numbers)
        if not all(1 <= n <= 6 for n in faces) or len(faces) > 12:
            self._comment(origin, f"{event.text}: {' '.join(map(str, faces))}")
            return
        if block.clock.phase == "movement" and self._head is None:
            self._movement_die(block, event, origin, typed)
            return
        if typed and self._head is None:
            return
        self._thrown += faces
        if len(self._thrown) < COMBAT_DICE:
            return
        thrown, self._thrown = self._thrown, []
        if self._head is not None and not self._rolled:
            self._rolled = thrown
            if self._typed_roll is not None:
                self._compare(origin)
                return
            if self._air > 0 and not self._typed_air:
                air = write_statement(st.AirSupport(0, self._air), self.lang)
                block.items.append(Item(origin, air, indent=True))
                self._typed_air = True
            text = write_statement(st.Roll(0, tuple(thrown)), self.lang)
            block.items.append(Item(origin, text, indent=True))
            return
        self._close_combat()
        self._undeclared = Undeclared(origin, thrown, dict(self._at), block.clock.side, [])

    def _compare(self, origin: Origin) -> None:
        """A roll that was typed, against the dice that the log shows."""
        assert self._typed_roll is not None
        typed = self._typed_roll.faces
        if sorted(typed) == sorted(self._rolled):
            return
        thrown = faces_told(self._rolled)
        self.noted.append(note(origin, "other-dice", typed=faces_told(typed), thrown=thrown))

    def _movement_die(self, block: Block, event: Event, origin: Origin, typed: bool) -> None:
        faces = event.numbers
        waiting = next((i for i in reversed(block.items) if lacks_roll(i.text)), None)
        by_die = any(row.die is not None for row in self.scenario.tables.air)
        first = self.scenario.game.sequence[0]
        opens = (block.clock.side, block.clock.phase) == (first.side, first.phase)
        given = any(i.text.startswith(("airroll", "dado-a")) for i in block.items)
        if typed:
            return
        if len(faces) == 1 and waiting is not None:
            clear = st.ClearTrail(0, *clear_parts(waiting.text), roll=faces[0])
            waiting.text = write_statement(clear, self.lang)
        elif len(faces) == 1 and by_die and opens and not given:
            block.items.append(Item(origin, write_statement(st.AirRoll(0, faces[0]), self.lang)))
        else:
            self._comment(origin, f"{event.text}: {' '.join(map(str, faces))}")
