"""From what happened on the map and in the chat of a module of ours to the lines of a turn sheet.

Two sources are laid over each other. Lines that players type in the notation's own words (see `typed`) are taken as
they stand. Whatever else happened to the counters becomes a statement of its own: a drag a move, the menu's entries
losses, recoveries and exits, dice the roll of the combat that was declared last. A typed line and the drag that
carries it out are one, in either order.
"""

from __future__ import annotations

from typing import Final

from hexforge.modulegen.vassal.story import Event
from hexforge.validator.readers import statements as st
from hexforge.validator.readers.writer import write_statement
from hexforge.validator.transcribe.blocks import Block, Fact, Item
from hexforge.validator.transcribe.chain import LogRead, Told
from hexforge.validator.transcribe.fighting import AIR, TURN_SHOWN, Fighting
from hexforge.validator.transcribe.noted import Origin
from hexforge.validator.transcribe.outcomes import outcome_of
from hexforge.validator.transcribe.paper import Started
from hexforge.validator.transcribe.passages import leaves_anyway, way_in, way_out
from hexforge.validator.transcribe.spots import GONE, UNIT, Clock, Spot, first_clock, read_clock, spot_of
from hexforge.validator.transcribe.typed import Typed, units_of
from hexforge.validator.transcribe.undo import dice_of, takes_back

_DICE: Final = (st.Roll, st.AirRoll, st.ClearTrail)


class Scribe(Fighting):
    """Writes down a chain of logs of one game."""

    def write(self) -> None:
        """Read all logs."""
        for number, log in enumerate(self.chain.logs):
            self._begin(log, first=number == 0)
            for told in log.told:
                if told.undone or takes_back(told.action):
                    self._follow(told)
                else:
                    self._action(told)
        self._close()
        if self.blocks and self.blocks[-1].empty:
            # The tracker rests where the next player will begin.
            self._leave_comments(self.blocks.pop())

    def _leave_comments(self, block: Block) -> None:
        (self.blocks[-1].items if self.blocks else self.header).extend(block.items)

    def _begin(self, log: LogRead, *, first: bool) -> None:
        self._at = {}
        for view in log.start.values():
            self._note_side(view.properties)
            unit = view.properties.get(UNIT)
            if unit:
                self._at[unit] = spot_of(view, self.marks, self.grid)
        state = next(iter(log.turns[0].values()), None)
        clock = read_clock(state, self.scenario) if state is not None else None
        if first:
            air = log.properties[0].get(AIR)
            points = int(air) if air is not None and air.isdecimal() and len(air) < 5 else None
            self.started = Started(dict(self._at), clock or self._clock, points)
            self._clock = self.started.clock
        elif clock is not None and clock != self._clock:
            self._turn(clock, Origin(log.name, 0))

    def _note_side(self, properties: dict[str, str]) -> None:
        unit, side = properties.get(UNIT), properties.get("Side")
        if unit and side and unit not in self._sides:
            self._sides[unit] = side

    def _follow(self, told: Told) -> None:
        """Keep pace with an action that is not to be told."""
        for event in told.action.events:
            self._changed(event)
            if event.kind == "turn":
                clock = read_clock(event.after or "", self.scenario)
                if clock is not None and not told.undone:
                    self._turn(clock, told.origin)
                elif clock is not None:
                    self._clock = clock

    def _changed(self, event: Event) -> tuple[str, Spot, Spot] | None:
        """The unit that an event is about, with where it was and where it is."""
        if event.piece is None or event.piece.hidden:
            return None
        self._note_side(event.piece.properties)
        unit = event.piece.properties.get(UNIT)
        if not unit:
            return None
        old = self._at.get(unit, GONE)
        new = GONE if event.kind == "remove" else spot_of(event.piece, self.marks, self.grid)
        self._at[unit] = new
        return unit, old, new

    def _action(self, told: Told) -> None:
        origin, events = told.origin, told.action.events
        heard = [self._listener.hear(e.text) for e in events if e.kind == "chat"]
        typed = [t for t in heard if t is not None]
        named = {u for t in typed if t.statement is not None for u in units_of(t.statement)}
        before = dict(self._at)
        changed: dict[str, None] = {}
        for event in events:
            change = self._changed(event)
            if change is not None and change[1] != change[2]:
                changed[change[0]] = None
        for line in typed:
            self._line(line, origin, before)
        begins = any(e.kind == "property" and e.text == TURN_SHOWN for e in events)
        for event in events:
            if event.kind == "turn":
                clock = read_clock(event.after or "", self.scenario)
                if clock is not None:
                    self._turn(clock, origin)
            elif event.kind == "property" and event.text == AIR and not begins:
                self._air_change(event)
        for unit in changed:
            if unit in named:
                self._wanted.pop(unit, None)
            else:
                self._fact(unit, before.get(unit, GONE), self._at[unit], origin)
        for event in events:
            if event.kind == "add" and event.piece is not None and not event.piece.hidden:
                marker = event.piece.properties.get("MarkerId")
                if marker:
                    self._comment(origin, f"{event.piece.name}: {self._where(event)}")
        for event in dice_of(told.action):
            self._dice(event, origin, any(isinstance(t.statement, _DICE) for t in typed))

    def _where(self, event: Event) -> str:
        view = event.piece
        if view is None or view.x is None or view.y is None:
            return "-"
        if view.map == self.marks.main and (found := self.marks.hex_at(view.x, view.y)) in self.grid:
            return found
        return view.map or "-"

    def _turn(self, clock: Clock, origin: Origin) -> None:
        if clock == self._clock and (not self.blocks or self.blocks[-1].clock == clock):
            return
        self._block(origin)
        self._close()
        self._clock = clock
        known = [i for i, block in enumerate(self.blocks) if block.clock == clock]
        if known and all(block.empty for block in self.blocks[known[-1] + 1 :]):
            # The tracker was turned too far and back again.
            for block in self.blocks[known[-1] + 1 :]:
                self.blocks[known[-1]].items += block.items
            del self.blocks[known[-1] + 1 :]
            return
        self.blocks.append(Block(clock, origin))

    def _typed_turn(self, line: Typed, turn: st.TurnStart, origin: Origin) -> None:
        clock = Clock(turn.number, turn.side, turn.phase)
        text = write_statement(turn, self.lang, self.words)
        if self.blocks and self.blocks[-1].clock == clock and not self.blocks[-1].given:
            self.blocks[-1].given, self.blocks[-1].text = True, text
        else:
            self._close()
            if self.blocks and self.blocks[-1].empty and not self.blocks[-1].items:
                self.blocks.pop()
            self.blocks.append(Block(clock, origin, given=True, text=text))
        self._clock = clock

    def _close(self) -> None:
        """The phase, or the combat in it, is over."""
        self._close_combat()
        for unit, (_, at) in self._wanted.items():
            block = self.blocks[-1] if self.blocks else None
            if block is not None and at < len(block.items):
                told = self._say("the counter was not moved so", "a peça não foi movida assim")
                block.items.append(Item(block.items[at].origin, f"# {unit}: {told}"))
        self._wanted.clear()

    def _line(self, line: Typed, origin: Origin, before: dict[str, Spot]) -> None:
        s = line.statement
        text = line.text if s is None else write_statement(s, self.lang, self.words)
        if isinstance(s, st.TurnStart):
            self._typed_turn(line, s, origin)
            return
        if isinstance(s, st.Header) and (not line.marked or not self.blocks):
            self._typed_header(s, text, origin)
            return
        if isinstance(s, st.Score) and not line.marked:
            self.scores.append(Item(origin, text))
            return
        if s is None:
            items = self.blocks[-1].items if self.blocks else self.header
            items.append(Item(origin, text))
            return
        items = self._block(origin).items
        if line.reported and self._joined(s):
            return
        self._gathered = None
        if isinstance(s, st.Act):
            self._typed_act(s, text, origin)
            if line.reported and items and items[-1].text == text:
                self._gathered = (items[-1], s)
        elif isinstance(s, st.Engagement):
            self._close_combat()
            self._head = s
            items.append(Item(origin, text))
        else:
            # A typed line of another kind ends the combat before it.
            self._close_combat()
            items.append(Item(origin, text))
        self._expect(s, before)

    def _typed_header(self, s: st.Statement, text: str, origin: Origin) -> None:
        if isinstance(s, st.UnitDefinition):
            self._sides[s.unit] = s.side
        positional = isinstance(s, (st.Placement, st.MarkerPlacement, st.UnitStatus))
        self.header.append(Item(origin, text, indent=positional))

    def _typed_act(self, s: st.Act, text: str, origin: Origin) -> None:
        if self._undeclared is not None and self._head is None:
            self._undeclared.items.append(Item(origin, text, indent=True))
            return
        self._block(origin).items.append(Item(origin, text, indent=True))
        if isinstance(s, st.Roll):
            self._typed_roll = s
            if self._rolled:
                self._compare(origin)
        elif isinstance(s, st.AirSupport):
            self._typed_air = True

    def _expect(self, s: st.Statement, before: dict[str, Spot]) -> None:
        """What a typed line says of counters: taken as done if the map shows it before, with, or after it."""
        outcome = outcome_of(s)
        if outcome is None:
            return
        items = self.blocks[-1].items
        for unit in units_of(s):
            spot = self._at.get(unit)
            if spot is None:
                continue
            own = [i for i in items if i.fact is not None and i.fact.unit == unit]
            if before.get(unit) != spot:
                continue  # done in the same action
            if outcome(spot) and own:
                self._drop(own)
            elif not outcome(spot):
                self._wanted[unit] = (outcome, len(items) - 1)

    def _fact(self, unit: str, old: Spot, new: Spot, origin: Origin) -> None:
        if self._is_placement(unit, old, new):
            self.started.at[unit] = new
            self.started.placed[unit] = origin
            return
        block = self._block(origin)
        if block.clock.phase == "movement" and self._head is None:
            self._moved(block, unit, old, new, origin)
        else:
            self._fought(block, unit, old, new, origin)
        wanted = self._wanted.get(unit)
        if wanted is not None and wanted[0](new):
            del self._wanted[unit]
            self._drop([i for i in block.items[wanted[1] :] if i.fact is not None and i.fact.unit == unit])

    def _is_placement(self, unit: str, old: Spot, new: Spot) -> bool:
        """Whether a counter with a choice of places is put in one before play begins."""
        first = self.started.clock == first_clock(self.scenario) == self._clock
        waiting = old.place in ("reserve", "beside") or unit in self.started.placed
        idle = not any(True for block in self.blocks for _ in block.facts(unit))
        return first and unit in self._choices and waiting and idle and new.place in ("hex", "reserve")

    def _moved(self, block: Block, unit: str, old: Spot, new: Spot, origin: Origin) -> None:
        last = next((i.fact for i in reversed(list(block.facts(unit))) if i.fact and i.fact.path), None)
        going = last if last is not None and last.kind in ("move", "enter") and last.path[-1] == old.hex else None
        match old.place, new.place:
            case "hex", "hex" if old.hex != new.hex:
                self._extend(block, going, unit, (old.hex, new.hex), origin)
            case "reserve" | "gone" | "left" | "beside", "hex":
                self._enter(block, unit, new.hex, origin)
            case "hex", "left" if leaves_anyway(self.scenario, unit, block.clock.turn):
                self._comment(origin, f"{unit}: {self._say('withdrawn', 'retirada')}")
            case "hex", "left":
                self._exit(block, going, unit, old.hex, origin)
            case "left", "hex":
                self._enter(block, unit, new.hex, origin)
            case "hex", "reserve" | "beside" if going is not None and going.kind == "enter":
                self._drop(list(block.facts(unit)))
            case a, b if a != b:
                self._beside(unit, old, new, origin)
        if old.reduced and not new.reduced and new.place == "hex":
            block.items.append(Item(origin, fact=Fact("recover", unit, [], origin)))
        elif new.reduced and not old.reduced and new.place == "hex":
            recovered = [i for i in block.facts(unit) if i.fact and i.fact.kind == "recover"]
            if recovered:
                self._drop(recovered)
            else:
                self._comment(origin, f"{unit}: {self._say('turned to its reduced side', 'virada para o verso')}")

    def _enter(self, block: Block, unit: str, hex_: str, origin: Origin) -> None:
        path, edge = way_in(self.scenario, unit, hex_)
        if len(path) > 1:
            told = self._say("entry hex not shown", "hex de entrada não mostrado")
            self._comment(origin, f"{unit}: {told}")
        block.items.append(Item(origin, fact=Fact("enter", unit, path, origin, edge)))

    def _exit(self, block: Block, going: Fact | None, unit: str, hex_: str, origin: Origin) -> None:
        edge = way_out(self.scenario, hex_)
        path = [hex_]
        if going is not None and going.kind == "move":
            path = going.path
            self._drop([i for i in block.items if i.fact is going])
        fact = Fact("exit", unit, path, origin, edge)
        block.items.append(Item(origin, fact=fact))
