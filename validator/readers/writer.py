"""Write statements as a turn sheet, in English (canonical) or Portuguese.

What is written reads back as the same statements, line numbers apart.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from functools import singledispatchmethod
from typing import Final, Literal

from hexforge.validator.readers import keywords as kw
from hexforge.validator.readers import statements as st

Language = Literal["en", "pt"]

_BARE: Final = re.compile(r"[^\W_][\w.'-]*", re.ASCII)
_INDENT: Final = "  "
_POSITION: Final = (
    st.Placement,
    st.MarkerPlacement,
    st.AirPoints,
    st.ClearedTrail,
    st.Control,
    st.UnitStatus,
    st.Due,
    st.LostUnit,
    st.LeftMap,
)
_STATEMENTS: Final = {
    **kw.WAYS,
    **kw.HEXSIDES,
    **kw.HEADER,
    **kw.POSITION,
    **kw.SEQUENCE,
    **kw.MOVEMENT,
    **kw.ENGAGEMENTS,
    **kw.ACTS,
}


def _quoted(text: str) -> str:
    return text if _BARE.fullmatch(text) else '"' + text.replace('"', "'") + '"'


def _pair(side: st.HexPair) -> str:
    return f"{side[0]}/{side[1]}"


class _Writer:
    """One language's words."""

    def __init__(self, language: Language) -> None:
        self._translate = language == "pt"

    def _in(self, table: Mapping[str, tuple[str, ...]], word: str) -> str:
        return kw.portuguese(word, table) if self._translate else word

    def _w(self, word: str) -> str:
        return self._in(_STATEMENTS, word)

    def _s(self, word: str) -> str:
        return self._in(kw.SMALL, word)

    def _side(self, word: str) -> str:
        return self._in(kw.SIDES, word)

    def _terrains(self, terrains: Iterable[str]) -> str:
        return "+".join(self._in(kw.TERRAINS, t) for t in terrains)

    def _edge(self, preposition: str, edge: str | None) -> str:
        return f" {self._s(preposition)} {self._in(kw.EDGES, edge)}" if edge else ""

    def _by(self, way: str | None) -> str:
        return f" {self._s('by')} {self._in(kw.WAYS, way)}" if way else ""

    def _guns(self, units: tuple[str, ...], offboard: int) -> str:
        words = list(units)
        if offboard or not units:
            words += [self._s("offboard"), str(offboard)]
        return " ".join(words)

    def _along(self, keyword: str, units: tuple[str, ...], path: st.Path) -> str:
        return f"{self._w(keyword)} {' '.join(units)}: {' '.join(path)}"

    @singledispatchmethod
    def line(self, statement: st.Statement) -> str:
        """A statement as one line, without its sub-statements."""
        raise TypeError(f"no notation for {type(statement).__name__}")

    @line.register
    def _(self, s: st.SheetVersion) -> str:
        return f"{self._w('sheet')} {s.version}"

    @line.register
    def _(self, s: st.GameName) -> str:
        return f"{self._w('game')} {s.name}"

    @line.register
    def _(self, s: st.Players) -> str:
        names = (f'{self._side(side)}="{name.replace(chr(34), chr(39))}"' for side, name in s.names)
        return f"{self._w('players')} {' '.join(names)}"

    @line.register
    def _(self, s: st.OptionSetting) -> str:
        return f"{self._w('option')} {s.name}={_quoted(s.value)}"

    @line.register
    def _(self, s: st.Partial) -> str:
        return self._w("partial")

    @line.register
    def _(self, s: st.MapPrinted) -> str:
        return f"{self._w('map')} {self._s('printed')}"

    @line.register
    def _(self, s: st.MapBlank) -> str:
        return f"{self._w('map')} {self._s('blank')} {self._terrains(s.terrain)} {s.columns}x{s.rows}"

    @line.register
    def _(self, s: st.TerrainEdit) -> str:
        return f"{self._w('terrain')} {self._terrains(s.terrains)} {' '.join(s.hexes)}"

    @line.register
    def _(self, s: st.PlaceName) -> str:
        name = f'"{s.name}"' if s.name.isdigit() else _quoted(s.name)
        return f"{self._w('name')} {' '.join(s.hexes)} {name}"

    @line.register
    def _(self, s: st.WayEdit) -> str:
        return f"{self._w(s.kind)} {' '.join(s.hexes)}"

    @line.register
    def _(self, s: st.HexsideEdit) -> str:
        return f"{self._w(s.kind)} {' '.join(map(_pair, s.sides))}"

    @line.register
    def _(self, s: st.FortifiedHexes) -> str:
        return f"{self._w('fortification')} {' '.join(s.hexes)}"

    @line.register
    def _(self, s: st.BridgeEdit) -> str:
        return f"{self._w('bridge')} {' '.join(map(_pair, s.sides))}"

    @line.register
    def _(self, s: st.AreaEdit) -> str:
        return f"{self._w('area')} {s.name} {' '.join(s.hexes)}"

    @line.register
    def _(self, s: st.UnitDefinition) -> str:
        kind = self._in(kw.TYPES, s.type)
        parts = [self._w("unit"), s.unit, self._side(s.side), kind, f"{s.attack}-{s.defence}-{s.move}"]
        if s.range is not None:
            parts += [self._s("range"), str(s.range)]
        for field in ("regiment", "division", "corps", "formation", "size"):
            if value := getattr(s, field):
                parts += [self._s(field), _quoted(value)]
        if s.reduced_attack is not None:
            parts += [self._s("reduced"), f"{s.reduced_attack}-{s.reduced_defence}"]
        return " ".join(parts)

    @line.register
    def _(self, s: st.PositionStart) -> str:
        return self._w("position")

    @line.register
    def _(self, s: st.SetupStart) -> str:
        return self._w("setup")

    @line.register
    def _(self, s: st.Placement) -> str:
        return f"{s.unit} {s.hex}{' ' + self._s('reduced') if s.reduced else ''}"

    @line.register
    def _(self, s: st.MarkerPlacement) -> str:
        place = _pair(s.side) if s.side else s.hex
        return f"{self._w('marker')} {self._in(kw.MARKERS, s.kind)} {place}"

    @line.register
    def _(self, s: st.AirPoints) -> str:
        return f"{self._w('air')} {self._side(s.side)} {s.points}"

    @line.register
    def _(self, s: st.ClearedTrail) -> str:
        return f"{self._w('cleared')} {s.hex}"

    @line.register
    def _(self, s: st.Control) -> str:
        return f"{self._w('control')} {self._side(s.side)} {s.hex}"

    @line.register
    def _(self, s: st.UnitStatus) -> str:
        turn = "" if s.turn is None else f" {s.turn}"
        return f"{self._w('status')} {s.unit} {self._in(kw.FLAGS, s.flag)}{turn}"

    @line.register
    def _(self, s: st.Due) -> str:
        edge = f" {self._in(kw.EDGES, s.edge)}" if s.edge else ""
        return f"{self._w('due')} {s.unit} {s.turn}{edge}"

    @line.register
    def _(self, s: st.LostUnit) -> str:
        kind = self._in(kw.TYPES, s.type)
        return f"{self._w('lost')} {self._side(s.side)} {kind} {s.attack}-{s.defence}-{s.move}"

    @line.register
    def _(self, s: st.LeftMap) -> str:
        edge = self._in(kw.EDGES, s.edge)
        return f"{self._w('left')} {self._side(s.side)} {_quoted(s.formation)} {edge} {s.turn}"

    @line.register
    def _(self, s: st.TurnStart) -> str:
        return f"{self._w('turn')} {s.number} {self._side(s.side)} {self._in(kw.PHASES, s.phase)}"

    @line.register
    def _(self, s: st.Move) -> str:
        return self._along("move", s.units, s.path)

    @line.register
    def _(self, s: st.Enter) -> str:
        return self._along("enter", s.units, s.path) + self._edge("from", s.edge) + self._by(s.by)

    @line.register
    def _(self, s: st.Exit) -> str:
        return self._along("exit", s.units, s.path) + self._edge("to", s.edge) + self._by(s.by)

    @line.register
    def _(self, s: st.RailMove) -> str:
        return self._along("rail", s.units, s.path)

    @line.register
    def _(self, s: st.Recover) -> str:
        return f"{self._w('recover')} {' '.join(s.units)}"

    @line.register
    def _(self, s: st.BuildBridge) -> str:
        by = f" {self._s('by')} {s.unit}" if s.unit else ""
        return f"{self._w('build')} {self._s('bridge')} {_pair(s.side)}{by}"

    @line.register
    def _(self, s: st.ClearTrail) -> str:
        by = f" {self._s('by')} {s.unit}" if s.unit else ""
        roll = "" if s.roll is None else f" {self._s('roll')} {s.roll}"
        return f"{self._w('clear')} {s.hex}{by}{roll}"

    @line.register
    def _(self, s: st.AirRoll) -> str:
        return f"{self._w('airroll')} {s.roll}"

    @line.register
    def _(self, s: st.Combat) -> str:
        return f"{self._w('combat')} {' '.join(s.targets)}"

    @line.register
    def _(self, s: st.Bombard) -> str:
        by = f" {self._s('by')} {self._guns(s.units, s.offboard)}" if s.units or s.offboard else ""
        return f"{self._w('bombard')} {' '.join(s.targets)}{by}"

    @line.register
    def _(self, s: st.AirStrike) -> str:
        points = "" if s.points is None else f" {self._s('points')} {s.points}"
        return f"{self._w('airstrike')} {' '.join(s.targets)}{points}"

    @line.register
    def _(self, s: st.Attack) -> str:
        return f"{self._w('attack')} {' '.join(s.units)}"

    @line.register
    def _(self, s: st.Support) -> str:
        return f"{self._w('support')} {self._guns(s.units, s.offboard)}"

    @line.register
    def _(self, s: st.Guard) -> str:
        return f"{self._w('guard')} {self._guns(s.units, s.offboard)}"

    @line.register
    def _(self, s: st.AirSupport) -> str:
        return f"{self._w('air')} {s.points}"

    @line.register
    def _(self, s: st.GuardAir) -> str:
        return f"{self._w('guard')} {self._s('air')} {s.points}"

    @line.register
    def _(self, s: st.Announce) -> str:
        return f"{self._w('announce')} {self._in(kw.ROLES, s.role)} {s.total}"

    @line.register
    def _(self, s: st.Declare) -> str:
        parts = [self._w("declare")]
        if s.attack is not None:
            parts.append(f"{s.attack}:{s.defence}")
        if s.value is not None:
            parts += [self._s("value"), str(s.value)]
        if s.odds is not None:
            parts += [self._s("odds"), s.odds]
        if s.column is not None:
            parts += [self._s("column"), s.column]
        return " ".join(parts)

    @line.register
    def _(self, s: st.Roll) -> str:
        return f"{self._w('roll')} {' '.join(map(str, s.faces))}"

    @line.register
    def _(self, s: st.Result) -> str:
        return f"{self._w('result')} {' '.join(s.codes)}"

    @line.register
    def _(self, s: st.Lose) -> str:
        return f"{self._w('lose')} {' '.join(s.units)}"

    @line.register
    def _(self, s: st.Eliminate) -> str:
        return f"{self._w('eliminate')} {' '.join(s.units)}"

    @line.register
    def _(self, s: st.Retreat) -> str:
        return self._along("retreat", s.units, s.path) + self._edge("to", s.edge)

    @line.register
    def _(self, s: st.Advance) -> str:
        return self._along("advance", s.units, s.path)

    @line.register
    def _(self, s: st.Score) -> str:
        points = (f"{self._side(side)} {value}" for side, value in s.points)
        return f"{self._w('score')} {' '.join(points)}"


def write_statement(statement: st.Statement, lang: Language = "en") -> str:
    """One statement as one line, without indentation, sub-statements or line end."""
    return str(_Writer(lang).line(statement))


def write_sheet(statements: Iterable[st.Statement], lang: Language = "en") -> str:
    """A sheet, one statement a line, with a blank line before each turn and what belongs to a block indented."""
    writer = _Writer(lang)
    lines: list[str] = []
    for statement in statements:
        if isinstance(statement, st.TurnStart) and lines:
            lines.append("")
        indent = _INDENT if isinstance(statement, _POSITION) else ""
        lines.append(indent + writer.line(statement))
        if isinstance(statement, st.Engagement):
            lines += [_INDENT + writer.line(act) for act in statement.acts]
    return "\n".join(lines) + "\n"
