"""Generated games told as people tell them, line by line, with what each line says."""

from __future__ import annotations

import random
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Final, TypeAlias

from hexforge.scenarios.model import Scenario
from hexforge.validator.notation import base, kinds, statements_head
from hexforge.validator.notation import statements as st
from hexforge.validator.notation.vocabulary import vocabulary_of, write_statement

Told: TypeAlias = tuple[str, tuple[base.Statement, ...]]
"""A line, and the statements that it says; none for one that is talk or blank."""
_SIDES: Final = {"american": ("americano", "American"), "german": ("alemão", "German")}
_PHASES: Final = {"movement": ("movimento", "movement"), "combat": ("combate", "combat")}
_DICE: Final = 2
_MOST: Final = 5
"""Statements that a line says at most."""


@dataclass
class Speaker:
    """Says statements in one language (`pt`, `en`), as one person likes to say them."""

    scenario: Scenario
    language: str
    draw: random.Random

    def __post_init__(self) -> None:
        self.words = vocabulary_of(self.scenario)
        self.joint = self.draw.choice(["-", " - ", " > ", "\u2192", " ", " ", ">", ", "])

    @property
    def pt(self) -> bool:
        """Whether it is Portuguese."""
        return self.language == "pt"

    def of(self, portuguese: Sequence[str], english: Sequence[str]) -> str:
        """One of the forms of the language."""
        return self.draw.choice(portuguese if self.pt else english)

    # ------------------------------------------------------------------------------------------ parts

    def unit(self, unit: str) -> str:
        """A unit by its id, by a part of it, or as battalion and regiment."""
        forms, tail = [unit], unit.split("-", 1)[-1]
        if self.words.like(tail) == (unit,):
            forms += [tail, tail]
            battalion = re.fullmatch(r"(\d{2,})-(\d)", tail)
            forms += [f"{battalion[2]}/{battalion[1]}"] if battalion else []
        return self.draw.choice(forms)

    def units(self, units: Sequence[str]) -> str:
        """Several units, joined in one way."""
        said = [self.unit(unit) for unit in units]
        if len(said) == 1:
            return said[0]
        last = f" {self.of(['e'], ['and'])} {said[-1]}"
        return self.draw.choice([", ".join(said[:-1]) + last, ", ".join(said), " + ".join(said), "+".join(said)])

    def verb(self, units: Sequence[str], one: str, more: str) -> str:
        """Units and what they do, one of them or several."""
        return f"{self.units(units)} {one if len(units) == 1 else more}"

    def way(self, path: Sequence[str]) -> str:
        """A way, its hexes joined in the speaker's manner."""
        return self.joint.join(path)

    # ------------------------------------------------------------------------------------------ lines

    def say(self, statement: base.Statement) -> list[Told]:
        """The lines that say a statement; in the notation what nobody says otherwise."""
        if isinstance(statement, st.Engagement):
            return list(self._engagement(statement))
        text = self._sentence(statement)
        return [(text or write_statement(statement, words=self.words), (statement,))]

    def _sentence(self, statement: base.Statement) -> str:
        match statement:
            case st.TurnStart(number=n, side=side, phase=phase) if phase in _PHASES:
                return self._turn(n, _SIDES[side][not self.pt], _PHASES[phase][not self.pt])
            case st.Move(units=units, path=path) if kinds.OPEN not in path:
                return self._move(units, path)
            case st.Retreat(units=units, path=path, edge=None, by=None) if kinds.OPEN not in path:
                return self._retreat(units, path)
            case st.Advance(units=units, path=path) if kinds.OPEN not in path:
                return self._advance(units, path)
            case st.Support(units=units, offboard=points) if not units or not points:
                return self._support(units, points)
            case st.Roll(faces=faces) if len(faces) == _DICE:
                return self._roll(*faces)
            case st.Result(codes=codes):
                return self.of(["resultado ", "", "resultado: "], ["result ", "", "result: "]) + self.of(
                    [" ".join(codes), "/".join(codes)], [" ".join(codes), "/".join(codes)]
                )
            case st.Declare(attack=int() as a, defence=int() as d, odds=str() as odds, column=str() as column):
                return self._declared(a, d, odds, column)
            case st.Lose() | st.Eliminate() | st.Recover():
                return self._fate(statement)
        return ""

    def _turn(self, n: int, side: str, phase: str) -> str:
        return self.of(
            [
                f"turno {n} - {side} - {phase}",
                f"Turno {n}, {phase} {side}:",
                f"T{n} {side} {phase}",
                f"Segue meu turno {n}, {phase} {side}.",
                f"Pronto! Turno {n}, {phase} {side}.",
            ],
            [
                f"Turn {n} - {side} - {phase}",
                f"Turn {n}, {side} {phase}:",
                f"T{n} {side} {phase}",
                f"Here's my turn {n}, {side} {phase}.",
                f"{side} turn {n}: {phase}",
            ],
        )

    def _move(self, units: Sequence[str], path: Sequence[str]) -> str:
        a, b, way, who = path[0], path[-1], self.way(path), self.units(units)
        return self.of(
            [
                f"mover {who}: {way}",
                f"{who}: {way}",
                f"mova {who} {way}",
                f"{who} {way}",
                f"{self.verb(units, 'vai', 'vão')} de {a} para {b}",
                f"{self.verb(units, 'vai', 'vão')} pra {b}",
                f"{self.verb(units, 'move', 'movem')} {way}",
                f"movo {who} para {b}",
                f"- {who}: {way}",
            ],
            [
                f"move {who}: {way}",
                f"{who}: {way}",
                f"{who} {way}",
                f"{self.verb(units, 'moves', 'move')} from {a} to {b}",
                f"{self.verb(units, 'goes', 'go')} to {b}",
                f"{who} to {b}",
                f"move {who} to {b}",
                f"moved {who} from {a} to {b}",
                f"- {who} {way}",
            ],
        )

    def _retreat(self, units: Sequence[str], path: Sequence[str]) -> str:
        a, b, way = path[0], path[-1], self.way(path)
        whole = [f"recuar {self.units(units)}: {way}", f"{self.verb(units, 'recua', 'recuam')} {way}"]
        told = [f"retreat {self.units(units)}: {way}", f"{self.verb(units, 'retreats', 'retreat')} {way}"]
        if len(path) == _DICE:
            whole += [f"{self.verb(units, 'recua', 'recuam')} de {a} para {b}"]
            whole += [f"{self.verb(units, 'foge', 'fogem')} pra {b}"]
            told += [f"{self.verb(units, 'falls', 'fall')} back to {b}", f"retreat {self.units(units)} to {b}"]
        return self.of(whole, told)

    def _advance(self, units: Sequence[str], path: Sequence[str]) -> str:
        b, who = path[-1], self.units(units)
        if len(path) > _DICE:
            return self.of([f"avançar {who}: {self.way(path)}"], [f"advance {who}: {self.way(path)}"])
        return self.of(
            [f"{self.verb(units, 'avança', 'avançam')} para {b}", f"{self.verb(units, 'entra', 'entram')} em {b}"],
            [f"{self.verb(units, 'advances', 'advance')} into {b}", f"{self.verb(units, 'takes', 'take')} {b}"],
        )

    def _support(self, units: Sequence[str], points: int) -> str:
        if not units:
            return self.of(
                [f"apoio fora do mapa {points}", f"apoio de {points} pontos fora do mapa"],
                [f"support offboard {points}", f"{points} points off-map support", f"off-board artillery {points}"],
            )
        who = self.units(units)
        return self.of(
            [f"apoio {who}", f"apoiar {who}", f"artilharia: {who}", f"com apoio de {who}"],
            [f"support: {who}", f"supported by {who}", f"artillery: {who}"],
        )

    def _roll(self, a: int, b: int) -> str:
        return self.of(
            [f"dados {a} {b}", f"dados: {a}+{b}", f"rolei {a} e {b}", f"tirei {a} e {b}", f"dados deram {a} e {b}"],
            [f"roll {a} {b}", f"dice: {a}+{b}", f"I rolled {a} and {b}", f"dice came up {a} and {b}"],
        )

    def _declared(self, a: int, d: int, odds: str, column: str) -> str:
        return self.of(
            [f"{a}:{d}, razão {odds}, coluna {column}", f"{a} contra {d}"],
            [f"{a} to {d}, odds {odds}, column {column}", f"{a} vs {d}"],
        )

    def _fate(self, statement: st.Lose | st.Eliminate | st.Recover) -> str:
        units, who = statement.units, self.units(statement.units)
        match statement:
            case st.Recover():
                return self.of(
                    [f"recuperar {who}", f"{self.verb(units, 'recupera', 'recuperam')} um passo"],
                    [f"recover {who}", f"{self.verb(units, 'recovers', 'recover')} a step"],
                )
            case st.Lose(by=None):
                return self.of(
                    [f"{self.verb(units, 'perde', 'perdem')} um passo", f"perdas: {who}", f"{who} perde 1"],
                    [f"{self.verb(units, 'loses', 'lose')} a step", f"losses: {who}", f"{who} takes a loss"],
                )
            case st.Eliminate(by=None):
                return self.of(
                    [f"{self.verb(units, 'é destruído', 'são destruídos')}", f"eliminar {who}"],
                    [f"{self.verb(units, 'is', 'are')} destroyed", f"{self.verb(units, 'is', 'are')} gone"],
                )
        return ""

    # ---------------------------------------------------------------------------------------- combats

    def _engagement(self, combat: st.Engagement) -> Iterator[Told]:
        attack = next((act for act in combat.acts if isinstance(act, st.Attack)), None)
        hex_ = combat.targets[0]
        single = len(combat.targets) == 1
        if isinstance(combat, st.Combat) and attack is not None and single:
            yield from self._combat(hex_, combat, attack)
        elif isinstance(combat, st.Bombard) and combat.units and not combat.offboard and single:
            guns = combat.units
            text = self.of(
                [
                    f"bombardear {hex_} com {self.units(guns)}",
                    f"{self.verb(guns, 'bombardeia', 'bombardeiam')} {hex_}",
                ],
                [f"bombard {hex_} with {self.units(guns)}", f"{self.verb(guns, 'bombards', 'bombard')} {hex_}"],
            )
            yield text, (combat,)
        else:
            attack = None
            yield write_statement(replace(combat, acts=()), words=self.words), (combat,)
        for act in combat.acts:
            if act is not attack:
                yield from self.say(act)

    def _combat(self, hex_: str, combat: st.Combat, attack: st.Attack) -> Iterator[Told]:
        who = self.units(attack.units)
        if self.draw.random() < 1 / 2:
            yield (
                self.of([f"combate em {hex_}:", f"combate {hex_}"], [f"combat {hex_}", f"Combat at {hex_}:"]),
                (combat,),
            )
            yield self.of([f"atacar {who}", f"ataque: {who}"], [f"attack {who}", f"attackers: {who}"]), (attack,)
            return
        text = self.of(
            [
                f"ataco {hex_} com {who}",
                f"ataque a {hex_} com {who}",
                f"{hex_} atacado por {who}",
                f"combate {hex_}: {who}",
                f"{self.verb(attack.units, 'ataca', 'atacam')} {hex_}",
            ],
            [
                f"attack {hex_} with {who}",
                f"attack on {hex_} by {who}",
                f"{hex_} attacked by {who}",
                f"{self.verb(attack.units, 'attacks', 'attack')} {hex_}",
            ],
        )
        yield text, (combat, attack)


def mail_told(scenario: Scenario, statements: Sequence[base.Statement], language: str, seed: int) -> list[Told]:
    """A whole mail: a greeting, the game, and who signs."""
    speaker = Speaker(scenario, language, random.Random(f"{scenario.name} {language} {seed}"))
    greeting, farewell = ("Oi Bruno,", "Abraço,") if speaker.pt else ("Hi Bruno,", "Cheers,")
    lines: list[Told] = [(greeting, ()), ("", ()), (f"{speaker.of(['jogo'], ['game'])} {scenario.name}", ())]
    for statement in statements:
        if not isinstance(statement, statements_head.SheetVersion | statements_head.GameName):
            if isinstance(statement, st.TurnStart):
                lines.append(("", ()))
            lines += speaker.say(statement)
    return [*lines, ("", ()), (farewell, ()), ("Ana", ())]


def run_together(lines: Sequence[Told], seed: int) -> list[Told]:
    """The lines, some acts of a combat told in one with those before them."""
    draw = random.Random(seed)
    found: list[Told] = []
    for text, meant in lines:
        above, said = found[-1] if found else ("", ())
        acts = [isinstance(one[i], base.Act) for one, i in ((said, -1), (meant, 0)) if one]
        if (
            len(acts) == _DICE
            and all(acts)
            and len(said) < _MOST
            and not above.endswith(":")
            and draw.random() < 1 / 2
        ):
            joint = draw.choice([", ", "; ", ". ", ", "])
            found[-1] = (f"{above}{joint}{text}", (*said, *meant))
        else:
            found.append((text, meant))
    return found
