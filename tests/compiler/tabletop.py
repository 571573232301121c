"""A model of VASSAL as far as combats go: it does what the build file of a module and the traits of counters say.

Counters, global properties, buttons and global key commands are those that the compiler writes. What is pressed
goes to all that listen to it, as in the engine.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field

from hexforge.modulegen.assemble.expressions import KEY_DROPPED
from hexforge.modulegen.assemble.module import module
from hexforge.modulegen.assemble.prototypes import expand, prototypes, unit_traits
from hexforge.modulegen.plan import Plan
from hexforge.modulegen.vassal import traits as t
from hexforge.modulegen.vassal.buildfile import Element
from hexforge.modulegen.vassal.encoding import decode
from hexforge.modulegen.vassal.traits.base import read_key

from .beanshell import Expression, Lookup, parse

MOST_TURNS_OF_A_LOOP = 50


@dataclass
class Piece:
    """A counter on the map."""

    traits: tuple[t.Trait, ...]
    values: dict[str, str]
    calculated: dict[str, str]


@dataclass
class Tabletop:
    """An open module."""

    plan: Plan
    root: Element
    dice: tuple[int, ...] = (1, 1)
    said: list[str] = field(default_factory=list)
    pieces: dict[str, Piece] = field(default_factory=dict)
    answers: dict[str, str] = field(default_factory=dict)
    """What players write when they are asked for a property."""

    @classmethod
    def of(cls, plan: Plan) -> Tabletop:
        """The module of a plan, nobody on its map."""
        return cls(plan, module(plan, "1"))

    def __post_init__(self) -> None:
        game = self.plan.scenario.game
        self.values: dict[str, str] = {"Turn": str(game.turns.first), "PlayerSide": ""}
        self.values["SidePhase"] = self.plan.words.steps(game.sequence)[0]
        self.buttons: dict[str, list[Element]] = {}
        self.changes: dict[str, list[tuple[str, t.PropertyChange]]] = {}
        self.known = prototypes(self.plan)
        for one in self.root.walk():
            match one.kind:
                case "GlobalProperty":
                    self._property(one)
                case "BooleanPreference":
                    self.values[one.get("name")] = one.get("default")
                case "DoActionButton" | "DiceButton":
                    self.buttons.setdefault(one.get("hotkey"), []).append(one)
                case "GlobalKeyCommand":
                    self.buttons.setdefault(one.get("buttonHotkey"), []).append(one)

    def _property(self, one: Element) -> None:
        name = one.get("name")
        self.values[name] = one.get("initialValue")
        for child in one.children:
            change = t.PropertyChange.parse(child.get("propChanger"))
            self.changes.setdefault(child.get("hotkey"), []).append((name, change))

    # ----------------------------------------------------------------------------------------- pieces

    def put(self, unit: str, hex_: str, *, reduced: bool = False) -> None:
        """A counter in a hex."""
        traits = expand(unit_traits(self.plan, self.plan.units[unit]), self.known)
        values: dict[str, str] = {}
        for trait in reversed(traits):
            values |= trait.properties(trait.state())
        values |= {"Step_Level": "2" if reduced else "1", "Moved": "false"}
        values["PieceName"] = values["BasicName"] = self.plan.words.name(self.plan.units[unit].counter)
        formulas = {c.name: c.expression for c in reversed(traits) if isinstance(c, t.CalculatedProperty)}
        self.pieces[unit] = Piece(traits, values, formulas)
        self._lay(self.pieces[unit], hex_)

    def _lay(self, piece: Piece, hex_: str) -> None:
        v = piece.values
        for now, before in (("LocationName",) * 2, ("CurrentMap", "Map"), ("CurrentX", "X"), ("CurrentY", "Y")):
            v[f"Old{before}"] = v.get(now, "")
        x, y = self.plan.ground.centre(hex_)
        v |= {"LocationName": hex_, "CurrentMap": self.plan.words("map.main"), "CurrentZone": ""}
        v |= {"CurrentX": str(x), "CurrentY": str(y)}

    def _lay_off(self, piece: Piece, box: str) -> None:
        """Into a box of the window of the lost."""
        self._lay(piece, next(iter(self.plan.scenario.map.grid)))
        piece.values |= {"LocationName": box, "CurrentMap": self.plan.losses.name, "CurrentZone": box}

    def drag(self, unit: str, hex_: str) -> None:
        """A counter dragged to a hex by hand."""
        piece = self.pieces[unit]
        self._lay(piece, hex_)
        piece.values["Moved"] = "true"
        self.key(unit, KEY_DROPPED)

    def lookup(self, piece: Piece) -> Lookup:
        """The properties of a counter, its own before those of the game."""

        def found(name: str) -> str:
            if name in piece.values:
                return piece.values[name]
            if stacked := re.fullmatch(r"(Count|Sum)Stack\((\w+)\)", name):
                return self._stacked(piece, *stacked.groups())
            if name in piece.calculated:
                return _expression(piece.calculated[name])(found)
            return self.values.get(name, "")

        return found

    def _stacked(self, piece: Piece, what: str, name: str) -> str:
        """How many counters of a stack have a property, or its sum over them."""
        place = (piece.values["CurrentMap"], piece.values["LocationName"])
        there = (p for p in self.pieces.values() if (p.values["CurrentMap"], p.values["LocationName"]) == place)
        found = [value for p in there if (value := self.lookup(p)(name))]
        return str(len(found) if what == "Count" else sum(map(int, found)))

    def key(self, unit: str, key: t.Key) -> None:
        """A key pressed on a counter: each trait in turn, the outermost first; triggers and reports come last."""
        self._pressed(self.pieces[unit], unit, key, self.pieces[unit].traits)

    def _pressed(self, piece: Piece, unit: str, key: t.Key, traits: tuple[t.Trait, ...]) -> None:
        if not traits:
            return
        trait, inner = traits[0], traits[1:]
        lookup = self.lookup(piece)
        if isinstance(trait, t.RestrictCommands) and key in trait.keys and _holds(trait.condition, lookup):
            return
        if isinstance(trait, t.TriggerAction | t.ReportState):
            self._pressed(piece, unit, key, inner)
        self._does(piece, unit, key, trait)
        if not isinstance(trait, t.TriggerAction | t.ReportState):
            self._pressed(piece, unit, key, inner)

    def _does(self, piece: Piece, unit: str, key: t.Key, trait: t.Trait) -> None:
        lookup = self.lookup(piece)
        match trait:
            case t.SetGlobalProperty():
                for command in trait.commands:
                    if command.key == key:
                        self.values[trait.name] = self._changed(command.change, lookup)
            case t.DynamicProperty():
                for command in trait.commands:
                    if command.key == key:
                        piece.values[trait.name] = self._changed(command.change, lookup)
            case t.GlobalHotKey() if trait.key == key and trait.hotkey is not None:
                self.press(str(trait.hotkey))
            case t.Layer(name="Step") if key in (trait.increase_key, trait.decrease_key):
                piece.values["Step_Level"] = "2" if key == trait.increase_key else "1"
            case t.MovementMarkable() if trait.key == key:
                piece.values["Moved"] = "true" if piece.values["Moved"] == "false" else "false"
            case t.SendToLocation():
                self._sent(piece, unit, key, trait)
            case t.ReportState() if key in trait.keys:
                if line := self._formatted(trait.format, lookup):
                    self.said.append(line)
            case t.TriggerAction() if key == trait.key or key in trait.watch:
                if not trait.condition or _holds(trait.condition, lookup):
                    for action in trait.actions:
                        self.key(unit, action)

    def _sent(self, piece: Piece, unit: str, key: t.Key, trait: t.SendToLocation) -> None:
        if key == trait.back_key and "back" in piece.values:
            self._lay(piece, piece.values["back"])
            self.key(unit, KEY_DROPPED)
        if key != trait.key:
            return
        piece.values["back"] = piece.values["LocationName"]
        if trait.destination == "G":
            goal = self._formatted(trait.grid_location, self.lookup(piece))
            if goal != piece.values["LocationName"]:
                self._lay(piece, goal)
                self.key(unit, KEY_DROPPED)
        else:
            x, y = (int(self._formatted(at, self.lookup(piece))) for at in (trait.x, trait.y))
            (box,) = (b.name for b in self.plan.losses.boxes if b.contains(x, y))
            self._lay_off(piece, box)

    # ---------------------------------------------------------------------------------------- buttons

    def press(self, key: str) -> None:
        """A key of the toolbar."""
        for name, change in self.changes.get(key, ()):
            asked = self.answers.get(name, self.values[name])
            # VASSAL takes an answer of digits for a number.
            asked = str(int(asked)) if change.how == "R" and asked.isdigit() else asked
            self.values[name] = asked if change.how == "R" else self._changed(change, self._global)
        for button in self.buttons.get(key, ()):
            match button.kind:
                case "DiceButton":
                    self._throw(button)
                case "GlobalKeyCommand":
                    self._order(button)
                case "DoActionButton":
                    self._act(button)

    def _global(self, name: str) -> str:
        return self.values.get(name, "")

    def _changed(self, change: t.PropertyChange, lookup: Lookup) -> str:
        return self._formatted(change.value, lookup)

    def _formatted(self, text: str, lookup: Lookup) -> str:
        if text.startswith("{"):
            return _expression(text)(lookup)
        return re.sub(r"\$(\w+)\$", lambda found: lookup(found[1]), text)

    def _throw(self, button: Element) -> None:
        name = button.get("name")
        assert int(button.get("nDice")) == len(self.dice)
        self.values[f"{name}_result"] = ",".join(map(str, self.dice))
        self.values[f"{name}_total"] = str(sum(self.dice))

    def _order(self, button: Element) -> None:
        key = read_key(button.get("hotkey"))
        assert key is not None
        condition = button.get("filter")
        for unit in [u for u, piece in self.pieces.items() if _holds(condition, self.lookup(piece))]:
            self.key(unit, key)

    def _act(self, button: Element) -> None:
        for number in range(MOST_TURNS_OF_A_LOOP):
            if button.get("index") == "true":
                first, each = int(button.get("indexStart")), int(button.get("indexStep"))
                self.values[button.get("indexProperty")] = str(first + number * each)
            if button.get("doLoop") == "true" and not _holds(button.get("whileExpression"), self._global):
                return
            if button.get("doReport") == "true" and (
                line := self._formatted(button.get("reportFormat"), self._global)
            ):
                self.said.append(line)
            if button.get("doHotkey") == "true":
                for key in decode(button.get("hotkeys"), ","):
                    self.press(key)
            if button.get("doLoop") != "true":
                return
        raise RecursionError(button.get("name"))


def _expression(text: str) -> Expression:
    return parse(text.removeprefix("{").removesuffix("}"))


def _holds(text: str, lookup: Lookup) -> bool:
    return _expression(text)(lookup) == "true"


def expressions(tabletop: Tabletop) -> Iterator[tuple[str, str]]:
    """Every expression of a module that belongs to combats, with where it stands."""
    for one in tabletop.root.walk():
        for name, attribute in one.attributes.items():
            text = t.PropertyChange.parse(attribute).value if name == "propChanger" else attribute
            if text.startswith("{"):
                yield f"{one.kind} {one.get('name') or one.get('hotkey')} {name}", text
    seen: set[str] = set()
    for traits in tabletop.known.values():
        for trait in traits:
            for text in _texts(trait):
                if text.startswith("{") and text not in seen:
                    seen.add(text)
                    yield type(trait).__name__, text


def _texts(trait: t.Trait) -> Iterator[str]:
    match trait:
        case t.SetGlobalProperty() | t.DynamicProperty():
            yield from (command.change.value for command in trait.commands)
        case t.CalculatedProperty():
            yield trait.expression
        case t.TriggerAction() | t.RestrictCommands():
            yield trait.condition
        case t.ReportState():
            yield trait.format
        case t.SendToLocation():
            yield trait.grid_location
