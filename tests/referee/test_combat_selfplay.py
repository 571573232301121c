"""Combats that the referee's own figures write are legal; with one figure or step of them changed they are not."""

from __future__ import annotations

import random

import pytest

from hexforge.validator.referee.combat import tables
from hexforge.validator.referee.combat.aftermath import Books, open_books, reduce, remove
from hexforge.validator.referee.combat.ask import odds
from hexforge.validator.referee.combat.demands import demands
from hexforge.validator.referee.combat.desk import Desk
from hexforge.validator.referee.combat.encirclement import barred_in_retreat, free_hexes, passable_hexes, room, safe
from hexforge.validator.referee.combat.escape import deadly, doomed, prices
from hexforge.validator.referee.state import Position
from tests.referee.combat_sheets import play, scenario

TURNS = {"bastogne": (22, "american"), "metz": (6, "american"), "hurtgen": (6, "american")}
KINDS = {
    "bastogne": "infantry armor mechanized_infantry engineer artillery tank_destroyer",
    "metz": "infantry armor armored_infantry engineer artillery mechanized_cavalry",
    "hurtgen": "infantry armor armored_infantry engineer artillery tank_destroyer",
}
GROUND = {"bastogne": "forest town rough", "metz": "woods town rough", "hurtgen": "forest town mountain"}


def opening(game: str, dice: random.Random) -> list[str]:
    """A crowd of both sides around 1010, on broken ground with a river."""
    map_ = scenario(game).map.grid
    lines = [f"terrain {t} {' '.join(dice.sample(map_.within('1010', 2), 3))}" for t in GROUND[game].split()]
    river = {tuple(sorted(("1010", n))) for n in dice.sample(map_.neighbours["1010"], 2)}
    lines += [f"river {a}/{b}" for a, b in sorted(river)]
    around = list(map_.neighbours["1010"])
    dice.shuffle(around)
    american, german, limit = around[: dice.randint(1, 4)], around[4:], 3
    units, places = [], ["position"]
    for side, letter, hexes in (("american", "a", american), ("german", "g", ["1010", *german, "1212", "0808"])):
        for h in hexes:
            for _ in range(dice.randint(1, limit) if h == "1010" or side == "american" else dice.randint(0, limit)):
                name = f"{letter}{len(units) + 1}"
                kind = dice.choice(KINDS[game].split()[: 4 if game == "hurtgen" else 6])
                strong = dice.randint(1, 7)
                units.append(f"unit {name} {side} {kind} {strong}-{dice.randint(1, 5)}-8 range 6 reduced 1-1")
                places.append(f"{name} {h}{' reduced' if dice.random() < 0.3 else ''}")
    turn, side = TURNS[game]
    return [*lines, *units, *places, f"turn {turn} {side} combat"]


class Writer:
    """Writes a combat on from a position, as a player who knows the rules would."""

    def __init__(self, game: str, dice: random.Random) -> None:
        self.game, self.dice, self.lines = game, dice, opening(game, dice)
        judged = play(game, "\n".join(self.lines))
        self.desk = Desk(judged.ctx, judged.position, 0)

    @property
    def position(self) -> Position:
        return self.desk.position

    def write(self) -> list[str]:
        attackers = [
            u
            for h in self.position.grid.neighbours["1010"]
            for u in self.position.at(h, "american")
            if not (self.desk.ctx.map.terrain["1010"] == ("mountain",) and self.desk.unit(u).is_any(("armoured",)))
        ]
        if not attackers:
            return []
        answer = odds(self.desk.ctx, self.position, "1010", attackers)
        faces = self.dice.randint(1, 6), self.dice.randint(1, 6)
        codes = tables.result(answer.figures.table, sum(faces), answer.figures.column)
        figures = answer.figures
        self.lines += [
            "combat 1010",
            f"attack {' '.join(attackers)}",
            f"announce attacker {figures.attack}",
            f"announce defender {figures.defence}",
            f"declare {figures.attack}:{figures.defence} odds {figures.odds} column {figures.column_name}",
            f"roll {faces[0]} {faces[1]}",
            f"result {' '.join(codes)}",
        ]
        books = open_books(
            self.desk,
            0,
            ("1010",),
            demands(codes),
            {"defender": figures.defenders, "attacker": tuple(attackers)},
        )
        self.losses(books)
        for unit in (*books.defenders, *books.engaged):
            if books.must_retreat(unit) and self.position.hex_of(unit) is not None:
                self.retreat(books, unit)
        if books.demands and books.demands.advance and not self.position.at("1010"):
            self.advance(books)
        return self.lines

    def losses(self, books: Books) -> None:
        assert books.demands is not None
        if books.demands.exchange:
            victim = self.dice.choice(books.defenders)
            owed, given = self.desk.defence_of(victim), 0
            self.die(victim)
            for unit in sorted(books.engaged, key=self.desk.attack_of):
                if given < owed:
                    given += self.desk.attack_of(unit)
                    self.die(unit)
            return
        for part, units in (("defender", books.defenders), ("attacker", books.engaged)):
            loss = books.budget[part]  # type: ignore[index]
            if not loss:
                continue
            bearers = [
                u
                for clause in self.desk.rules.loss_clauses
                if part == "attacker"
                and any(self.desk.unit(d).is_any(clause.enemies) for d in books.defenders)
                and any(self.desk.unit(a).is_any(clause.attackers) for a in books.engaged)
                for u in units
                if self.desk.unit(u).is_any(clause.bearers)
            ]
            unit = self.dice.choice(bearers or list(units))
            if loss == "unit":
                self.die(unit)
            else:
                self.hit(unit)
                books.hit.add(unit)

    def die(self, unit: str) -> None:
        self.lines.append(f"eliminate {unit}")
        remove(self.desk, unit)

    def hit(self, unit: str) -> None:
        self.lines.append(f"lose {unit}")
        reduce(self.desk, unit)

    def retreat(self, books: Books, unit: str) -> None:
        hex_, side = self.position.hex_of(unit), self.desk.unit(unit).side
        assert hex_ is not None
        ways: list[tuple[str, ...]] = [(hex_, n) for n in free_hexes(self.desk, unit) if room(self.desk, n, side)]
        if not free_hexes(self.desk, unit):
            ways = [
                (hex_, first, second)
                for first in passable_hexes(self.desk, unit)
                for second in self.position.grid.neighbours[first]
                if second != hex_
                and safe(self.desk, second, side)
                and room(self.desk, second, side)
                and barred_in_retreat(self.desk, unit, first, second) is None
            ]
        hit = unit in books.hit
        kept = [w for w in ways if not deadly(self.desk, unit, prices(self.desk, books, unit, w, 0, hit=hit))]
        if not kept and doomed(self.desk, books, unit):
            self.die(unit)
            return
        if not kept:
            self.displace(books, unit)
            return
        way = self.dice.choice(kept)
        found = prices(self.desk, books, unit, way, 0, hit=hit)
        self.lines.append(f"retreat {unit}: {' '.join(way)}")
        books.retreated[unit] = 0
        self.desk.position = self.position.put(unit, way[-1])
        for _ in found:
            self.hit(unit)

    def displace(self, books: Books, unit: str) -> None:
        """Into a hex full of friends, one of whom moves on."""
        hex_, side = self.position.hex_of(unit), self.desk.unit(unit).side
        assert hex_ is not None
        for full in free_hexes(self.desk, unit):
            found = prices(self.desk, books, unit, (hex_, full), 0, hit=unit in books.hit)
            if deadly(self.desk, unit, found):
                continue
            for beyond in self.position.grid.neighbours[full]:
                if not (safe(self.desk, beyond, side) and room(self.desk, beyond, side)):
                    continue
                for friend in self.position.at(full, side):
                    if barred_in_retreat(self.desk, friend, full, beyond) is None:
                        self.lines += [f"retreat {unit}: {hex_} {full}", f"retreat {friend}: {full} {beyond}"]
                        self.desk.position = self.position.put(unit, full).put(friend, beyond)
                        books.retreated[unit] = 0
                        for _ in found:
                            self.hit(unit)
                        return
        raise AssertionError("a free hex that is full makes no room")

    def advance(self, books: Books) -> None:
        for unit in books.engaged:
            who = self.desk.unit(unit)
            if not self.position.units[unit].alive or who.is_any(self.desk.rules.advance.none):
                continue
            hex_ = self.position.hex_of(unit)
            assert hex_ is not None
            step = self.desk.ctx.ground.step(self.desk.ctx.mover(self.position, who), hex_, "1010")
            if not step.code and room(self.desk, "1010", who.side):
                self.lines.append(f"advance {unit}: {hex_} 1010")
                self.desk.position = self.position.put(unit, "1010")


def written(game: str, seed: int) -> tuple[list[str], Writer]:
    writer = Writer(game, random.Random(f"{game} {seed}"))
    return writer.write(), writer


def complaints(game: str, lines: list[str]) -> list[str]:
    judged = play(game, "\n".join(lines))
    # Whoever stands next to the enemy without having attacked owes that to the setting, not to this combat.
    return [
        f"{f.rule} {f.message}"
        for f in judged.findings
        if f.severity in ("illegal", "doubtful") and f.code != "must-attack"
    ]


@pytest.mark.parametrize("game", TURNS)
@pytest.mark.parametrize("seed", range(60))
def test_what_the_referee_would_write_it_finds_legal(game: str, seed: int) -> None:
    lines, writer = written(game, seed)
    if not lines:
        return
    assert complaints(game, lines) == []
    assert play(game, "\n".join(lines)).position.boards["german"].at == writer.position.boards["german"].at


@pytest.mark.parametrize("game", TURNS)
def test_leaving_out_a_demanded_act_is_found(game: str) -> None:
    missed = 0
    for seed in range(40):
        lines, _ = written(game, seed)
        for i, line in enumerate(lines):
            unit = line.partition(" ")[2].partition(":")[0]
            # Who loses a step and then his life may be written off at once.
            if line.startswith("lose") and f"eliminate {unit}" in lines[i:]:
                continue
            if line.startswith(("lose", "eliminate", "retreat")):
                missed += not complaints(game, lines[:i] + lines[i + 1 :])
    assert missed == 0


@pytest.mark.parametrize("game", TURNS)
def test_a_loss_too_many_is_found(game: str) -> None:
    for seed in range(20):
        lines, writer = written(game, seed)
        # In an exchange anybody may give more than he owes.
        alive = [u for u in writer.position.on_map() if lines and "result EMP" not in lines]
        for unit in alive[:3]:
            assert complaints(game, [*lines, f"lose {unit}"]), (seed, unit)
