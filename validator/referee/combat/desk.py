"""The referee's desk while one combat is judged: the position as it stands, and the findings so far."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from hexforge.scenarios.hexgrid import Hex
from hexforge.scenarios.schema.rules_combat import CombatRules
from hexforge.scenarios.schema.tables import TablesFile
from hexforge.validator.readers.keywords import in_portuguese
from hexforge.validator.referee.combat.texts import CAUSES, TEXTS
from hexforge.validator.referee.context import Context
from hexforge.validator.referee.findings import Finding, Severity, Shift
from hexforge.validator.referee.state import Position, Unit

GUNS = "guns"


class Desk:
    """What every rule of combat is handed. Rules replace `position` and append to `findings`, no more."""

    def __init__(self, ctx: Context, position: Position, line: int) -> None:
        self.ctx = ctx
        self.position = position
        self.line = line
        self.findings: list[Finding] = []
        self._acting: str | None = None

    @property
    def rules(self) -> CombatRules:
        """The parameters of combat of this game."""
        return self.ctx.scenario.game.rules.combat

    @property
    def tables(self) -> TablesFile:
        """The tables of this game."""
        return self.ctx.scenario.tables

    @property
    def turn(self) -> int:
        """The turn being played."""
        return self.position.turn

    @property
    def phasing(self) -> str:
        """The side whose phase it is."""
        phase = self.position.phase
        return phase.side if phase else self.ctx.scenario.game.sequence[0].side

    @property
    def attacker(self) -> str:
        """The side that attacks: the phasing one, unless the sheet lets the other act out of turn."""
        return self._acting or self.phasing

    def act_out_of_turn(self, units: Iterable[str]) -> bool:
        """Whether all of the units (those that exist) are the other side's; if so, that side attacks here."""
        sides = {self.unit(u).side for u in units if u in self.position.roster}
        if sides != {self.position.enemy(self.phasing)}:
            return False
        self._acting = sides.pop()
        return True

    def fly_out_of_turn(self, side: str) -> None:
        """A side that bombs although the phase is not its own."""
        self._acting = side

    @property
    def defender(self) -> str:
        """The other side."""
        return self.position.enemy(self.attacker)

    def unit(self, id_: str) -> Unit:
        """A unit of the roster. Raises KeyError."""
        return self.position.roster[id_]

    def is_gun(self, id_: str) -> bool:
        """Whether a unit is of a type that fires at a distance."""
        return GUNS in self.unit(id_).kinds

    def option(self, name: str) -> str:
        """The value in force of a ruling that a tournament may set."""
        return self.ctx.option(name)

    def attack_of(self, id_: str) -> int:
        """Attack of a unit as it stands: its step, and weakened where the turn says so."""
        unit = self.unit(id_)
        return self._weakened(unit, unit.attack_at(self.position.units[id_].step))

    def defence_of(self, id_: str) -> int:
        """Defence of a unit as it stands."""
        unit = self.unit(id_)
        return self._weakened(unit, unit.defence_at(self.position.units[id_].step))

    def _weakened(self, unit: Unit, value: int) -> int:
        for rule in self.rules.artillery.weakened:
            if rule.side == unit.side and rule.turns[0] <= self.turn <= rule.turns[1] and unit.is_any(rule.types):
                return -(-value // rule.divide)
        return value

    def doubts(self, ids: Iterable[str]) -> tuple[str, ...]:
        """Which strengths among those of the units, as they stand, no rulebook prints."""
        found = []
        for id_ in ids:
            figure = "reduced" if self.position.units[id_].step == "reduced" else "strength"
            if figure in self.unit(id_).assumed:
                found.append(f"{'reduced strength' if figure == 'reduced' else 'strength'} of {id_}")
        return tuple(found)

    def terrain_doubts(self, *hexes: Hex) -> tuple[str, ...]:
        """Which of the hexes' terrains no rulebook or sheet gives."""
        return tuple(doubt for doubt in map(self.ctx.ground.doubt, hexes) if doubt)

    def named(self, section: str, id_: str) -> tuple[str, str]:
        """What the scenario calls something, in English and Portuguese: `named("terrain", "forest")`."""
        texts = self.ctx.scenario.texts
        english, portuguese = (
            texts[lang].get(f"{section}.{id_}", id_) if lang in texts else id_ for lang in ("en", "pt")
        )
        return english.lower(), portuguese.lower()

    def cause(self, shift: Shift) -> tuple[str, str]:
        """What moves a column, in English and Portuguese."""
        return CAUSES.get(shift.cause) or self.named("hexsides", shift.cause)

    def shifts_told(self, shifts: Sequence[Shift]) -> tuple[str, str]:
        """All shifts in words, in English and Portuguese."""
        english = ", ".join(f"{self.cause(s)[0]} {s.columns:+d}" for s in shifts)
        portuguese = ", ".join(f"{self.cause(s)[1]} {s.columns:+d}" for s in shifts)
        return english or "no shift", portuguese or "sem deslocamento"

    def find(
        self,
        line: int,
        section: str,
        code: str,
        key: str,
        *,
        units: Iterable[str] = (),
        hexes: Iterable[Hex] = (),
        declared: int | str | None = None,
        computed: int | str | None = None,
        severity: Severity = "illegal",
        doubts: Iterable[str] = (),
        **values: object,
    ) -> None:
        """Note a finding whose message is `TEXTS[key]`. What rests on `doubts` is doubtful, and names them.

        A value given as a pair is its English and its Portuguese wording.
        """
        given = {"declared": declared, "computed": computed, **values}
        pairs = {k: v if isinstance(v, tuple) else (v, in_portuguese(v)) for k, v in given.items()}
        english, portuguese = (
            text.format(**{k: pair[i] for k, pair in pairs.items()}) for i, text in enumerate(TEXTS[key])
        )
        citation = self.ctx.scenario.citation(section)
        finding = Finding(
            line,
            citation,
            code,
            severity,
            english,
            portuguese,
            tuple(hexes),
            tuple(units),
            declared,
            computed,
        )
        datum = "; ".join(dict.fromkeys(doubts))
        self.findings.append(finding.doubted(datum) if datum else finding)
