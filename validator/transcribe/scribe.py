"""From what happened on the map and in the chat of a module of ours to the lines of a turn sheet.

Two sources are laid over each other. Lines that players type in the notation's own words (see `typed`) are taken as
they stand. Whatever else happened to the counters becomes a statement of its own: a drag a move, the menu's entries
losses, recoveries and exits, dice the roll of the combat that was declared last. A typed line and the drag that
carries it out are one, in either order.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Final, cast

from modulegen.vassal.story import Event
from validator.language import Language
from validator.readers import statements as st
from validator.readers.writer import write_statement
from validator.transcribe import doubtful
from validator.transcribe.blocks import Block, Fact, Item, Kind
from validator.transcribe.chain import Chain, LogRead, Noted, Origin, Told, dice_of, takes_back
from validator.transcribe.doubtful import Undeclared
from validator.transcribe.spots import GONE, UNIT, Clock, Spot, first_clock, read_clock, spot_of
from validator.transcribe.typed import HEADER, Listener, Typed, units_of

if TYPE_CHECKING:
    from scenarios.model import Scenario
    from validator.transcribe.marks import Marks

AIR: Final = "AirPoints"
COMBAT_DICE: Final = 2
_DICE: Final = (st.Roll, st.AirRoll, st.ClearTrail)


@dataclass
class Started:
    """How the game stood before the first action, and what was put in place before play began."""

    at: dict[str, Spot]
    clock: Clock
    air: int | None
    placed: dict[str, Origin] = field(default_factory=dict)


class Scribe:
    """Writes down a chain of logs of one game."""

    def __init__(self, chain: Chain, marks: Marks, scenario: Scenario, lang: Language) -> None:
        self.chain = chain
        self.marks = marks
        self.scenario = scenario
        self.lang = lang
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

    # ---------------------------------------------------------------------------------------- logs

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

    # ------------------------------------------------------------------------------------- actions

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
        for event in events:
            if event.kind == "turn":
                clock = read_clock(event.after or "", self.scenario)
                if clock is not None:
                    self._turn(clock, origin)
            elif event.kind == "property" and event.text == AIR:
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

    def _say(self, en: str, pt: str) -> str:
        return pt if self.lang == "pt" else en

    def _comment(self, origin: Origin, text: str) -> None:
        flat = " ".join(text.split())[:300]
        items = self.blocks[-1].items if self.blocks else self.header
        items.append(Item(origin, f"# {flat}", indent=bool(self.blocks) and self._head is not None))

    # -------------------------------------------------------------------------------------- phases

    def _block(self, origin: Origin) -> Block:
        if not self.blocks:
            self.blocks.append(Block(self._clock, origin))
        return self.blocks[-1]

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
        text = write_statement(turn, self.lang)
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

    def _close_combat(self) -> None:
        if self._undeclared is not None and self.blocks:
            pending, self._undeclared = self._undeclared, None
            if pending.faces:
                thrown = " ".join(map(str, pending.faces))
                en = f"{thrown} was thrown, but no combat was declared"
                pt = f"saiu {thrown}, mas nenhum combate foi declarado"
                self.noted.append(Noted(pending.origin, "roll", "warning", en, pt))
            self.blocks[-1].items += doubtful.settle(pending, self._sides, self.grid, self.scenario, self.lang)
        if self._head is not None and self._air > 0 and not self._typed_air and self.blocks:
            item = Item(
                self.blocks[-1].origin, write_statement(st.AirSupport(0, self._air), self.lang), indent=True
            )
            self.blocks[-1].items.append(item)
        self._head, self._rolled, self._typed_roll, self._thrown = None, [], None, []
        self._air, self._typed_air = 0, False

    # --------------------------------------------------------------------------------- typed lines

    def _line(self, line: Typed, origin: Origin, before: dict[str, Spot]) -> None:
        s = line.statement
        text = line.text if s is None else write_statement(s, self.lang)
        if isinstance(s, st.TurnStart):
            self._typed_turn(line, s, origin)
            return
        if isinstance(s, HEADER) and (not line.marked or not self.blocks):
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
        outcome = _outcome(s)
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

    def _drop(self, gone: list[Item]) -> None:
        for block in self.blocks[-1:]:
            block.items[:] = [i for i in block.items if not any(i is g for g in gone)]

    # --------------------------------------------------------------------------------------- facts

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

    def _beside(self, unit: str, old: Spot, new: Spot, origin: Origin) -> None:
        names: dict[str, tuple[str, str]] = {
            "hex": ("the map", "o mapa"),
            "reserve": ("the reinforcements", "os reforços"),
            "dead": ("the dead", "as eliminadas"),
            "left": ("those off the map", "as fora do mapa"),
            "beside": ("beside the hexes", "ao lado dos hexes"),
            "gone": ("nowhere", "lugar nenhum"),
        }
        a, b = (old.hex or self._say(*names[old.place])), (new.hex or self._say(*names[new.place]))
        self._comment(origin, f"{unit}: {a} -> {b}")

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

    def _enter(self, block: Block, unit: str, hex_: str, origin: Origin) -> None:
        edges, hexes = self._ways_in(unit)
        fact = Fact("enter", unit, [hex_], origin)
        fits = [e for e in edges if hex_ in self.scenario.map.edges.get(e, ())]
        known = [e for e, at in self.scenario.map.edges.items() if hex_ in at]
        if hex_ not in hexes and not known:
            # Dropped where it ended its move: by the nearest way in.
            candidates = hexes or [h for e in edges for h in sorted(self.scenario.map.edges.get(e, ()))]
            if candidates:
                first = min(candidates, key=lambda h: (self.grid.distance(h, hex_), h))
                fact.path = [first, *([hex_] if self.grid.adjacent(first, hex_) else [st.OPEN, hex_])]
                fits = [e for e in edges if first in self.scenario.map.edges.get(e, ())]
                told = self._say("entry hex not shown", "hex de entrada não mostrado")
                self._comment(origin, f"{unit}: {told}")
                known = [e for e, at in self.scenario.map.edges.items() if first in at]
        fact.edge = cast("st.EdgeName | None", next(iter(fits or known), None))
        block.items.append(Item(origin, fact=fact))

    def _ways_in(self, unit: str) -> tuple[list[str], list[str]]:
        """Edges and hexes by which a unit may come."""
        edges: dict[str, None] = {}
        hexes: dict[str, None] = {}
        for arrival in self.scenario.setup.reinforcements:
            if unit in arrival.units:
                edges |= dict.fromkeys(arrival.edges)
                hexes |= dict.fromkeys(arrival.hexes)
        for leave in self.scenario.setup.withdrawals:
            if unit in leave.units:
                edges |= dict.fromkeys(leave.returns_edges)
        return list(edges), list(hexes)

    def _exit(self, block: Block, going: Fact | None, unit: str, hex_: str, origin: Origin) -> None:
        edge = next((e for e, at in self.scenario.map.edges.items() if hex_ in at), None)
        path = [hex_]
        if going is not None and going.kind == "move":
            path = going.path
            self._drop([i for i in block.items if i.fact is going])
        fact = Fact("exit", unit, path, origin, cast("st.EdgeName | None", edge))
        block.items.append(Item(origin, fact=fact))

    # -------------------------------------------------------------------------------------- combat

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
                edge = next((e for e, at in self.scenario.map.edges.items() if old.hex in at), None)
                facts.append(Fact("retreat", unit, [old.hex], origin, cast("st.EdgeName | None", edge)))
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

    # ---------------------------------------------------------------------------------------- dice

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
        said, shown = " ".join(map(str, typed)), " ".join(map(str, self._rolled))
        en = f"the sheet says roll {said}; the dice in the log show {shown}"
        pt = f"a planilha diz {said}; os dados no registro mostram {shown}"
        self.noted.append(Noted(origin, "roll", "illegal", en, pt))

    def _movement_die(self, block: Block, event: Event, origin: Origin, typed: bool) -> None:
        faces = event.numbers
        waiting = next((i for i in reversed(block.items) if _lacks_roll(i.text)), None)
        by_die = any(row.die is not None for row in self.scenario.tables.air)
        first = self.scenario.game.sequence[0]
        opens = (block.clock.side, block.clock.phase) == (first.side, first.phase)
        given = any(i.text.startswith(("airroll", "dado-a")) for i in block.items)
        if typed:
            return
        if len(faces) == 1 and waiting is not None:
            clear = st.ClearTrail(0, *_clear_parts(waiting.text), roll=faces[0])
            waiting.text = write_statement(clear, self.lang)
        elif len(faces) == 1 and by_die and opens and not given:
            block.items.append(Item(origin, write_statement(st.AirRoll(0, faces[0]), self.lang)))
        else:
            self._comment(origin, f"{event.text}: {' '.join(map(str, faces))}")


def _lacks_roll(text: str) -> bool:
    words = text.split()
    return bool(words) and words[0] in ("clear", "desobstruir") and not {"roll", "dado"} & set(words)


def _clear_parts(text: str) -> tuple[str, str]:
    words = text.split()
    return words[1], (words[3] if len(words) > 3 else "")


def _outcome(s: st.Statement) -> Callable[[Spot], bool] | None:
    """Where the counters of a statement must be in the end for it to have been carried out."""
    match s:
        case st.Exit() | st.Retreat(edge=str()):
            return lambda spot: spot.place in ("left", "dead")
        case st.Move(path=path) | st.Enter(path=path) | st.RailMove(path=path) | st.Retreat(path=path):
            return _at(path[-1])
        case st.Advance(path=path):
            return _at(path[-1])
        case st.Lose():
            return lambda spot: spot.reduced or spot.place == "dead"
        case st.Eliminate():
            return lambda spot: spot.place == "dead"
        case st.Recover():
            return lambda spot: not spot.reduced
    return None


def _at(hex_: str) -> Callable[[Spot], bool]:
    return lambda spot: spot.hex == hex_


def flat(items: Iterable[Item]) -> list[tuple[str, Origin]]:
    """Lines of items that are no facts."""
    return [(("  " if i.indent else "") + i.text, i.origin) for i in items if i.fact is None]
