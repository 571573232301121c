"""Combats that the referee's own figures write are legal; with one figure or step of them changed they are not."""

from __future__ import annotations

import random
from functools import partial

import pytest

from hexforge.validator.rules.combat import tables
from hexforge.validator.rules.combat.aftermath import Aftermath, when_the_dice_fell
from hexforge.validator.rules.combat.conditions import Battle
from hexforge.validator.rules.combat.encirclement import barred_in_retreat, free_hexes, passable_hexes, room
from hexforge.validator.rules.combat.figures import Fight
from hexforge.validator.rules.combat.modifiers import attack_of, defence_of
from hexforge.validator.rules.combat.preview import odds
from hexforge.validator.rules.combat.retreat_ways import deadly, doomed, prices
from hexforge.validator.rules.combat.tables import demands
from hexforge.validator.rules.position import Position
from tests.examples import FULL, leading
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
        self.ctx = judged.ctx
        self.battle = Battle(judged.ctx, judged.position, "american")
        self.after: Aftermath | None = None

    @property
    def position(self) -> Position:
        return self.after.position if self.after else self.battle.position

    def write(self) -> list[str]:
        attackers = [
            u
            for h in self.position.grid.neighbours["1010"]
            for u in self.position.at(h, "american")
            if not (self.ctx.map.terrain["1010"] == ("mountain",) and self.ctx.units[u].is_any(("armoured",)))
        ]
        if not attackers:
            return []
        answer = odds(self.ctx, self.position, "1010", attackers)
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
        after = when_the_dice_fell(
            self.battle,
            Fight(0, ("1010",)),
            demands(self.battle.tables.results, codes),
            figures.defenders,
            tuple(attackers),
        )
        after = self.losses(after)
        for unit in (*after.defenders, *after.engaged):
            if after.must_retreat(unit) and after.position.hex_of(unit) is not None:
                after = self.retreat(after, unit)
        if after.demands and after.demands.advance and not after.position.at("1010"):
            after = self.advance(after)
        self.after = after
        return self.lines

    def losses(self, after: Aftermath) -> Aftermath:
        assert after.demands is not None
        if after.demands.exchange:
            victim = self.dice.choice(after.defenders)
            owed, given = defence_of(after.battle, victim), 0
            after = self.die(after, victim)
            for unit in sorted(after.engaged, key=partial(attack_of, after.battle)):
                if given < owed:
                    given += attack_of(after.battle, unit)
                    after = self.die(after, unit)
            return after
        for part, units in (("defender", after.defenders), ("attacker", after.engaged)):
            loss = after.budget[part]  # type: ignore[index]
            if not loss:
                continue
            who = self.ctx.units
            bearers = [
                u
                for clause in after.battle.rules.loss_clauses
                if part == "attacker"
                and any(who[d].is_any(clause.enemies) for d in after.defenders)
                and any(who[a].is_any(clause.attackers) for a in after.engaged)
                for u in units
                if who[u].is_any(clause.bearers)
            ]
            unit = self.dice.choice(bearers or list(units))
            if loss.units:
                after = self.die(after, unit)
            else:
                after = self.hit(after, unit)
                after = after.noted(hit=after.hit | {unit})
        return after

    def die(self, after: Aftermath, unit: str) -> Aftermath:
        self.lines.append(f"eliminate {unit}")
        return after.lost(unit)

    def hit(self, after: Aftermath, unit: str) -> Aftermath:
        self.lines.append(f"lose {unit}")
        return after.reduced(unit)

    def retreat(self, after: Aftermath, unit: str) -> Aftermath:
        ctx, position = self.ctx, after.position
        hex_, side = position.hex_of(unit), ctx.units[unit].side
        assert hex_ is not None
        free = free_hexes(ctx, position, unit)
        ways: list[tuple[str, ...]] = [(hex_, n) for n in free if room(ctx, position, n, side, unit)]
        if not free:
            ways = [
                (hex_, first, second)
                for first in passable_hexes(ctx, position, unit)
                for second in position.grid.neighbours[first]
                if second != hex_
                and position.safe(second, side)
                and room(ctx, position, second, side, unit)
                and barred_in_retreat(ctx, position, unit, first, second) is None
            ]
        hit = unit in after.hit
        kept = [w for w in ways if not deadly(after, unit, prices(after, unit, w, 0, hit=hit))]
        if not kept:
            return self.die(after, unit) if doomed(after, unit) else self.displace(after, unit)
        way = self.dice.choice(kept)
        found = prices(after, unit, way, 0, hit=hit)
        self.lines.append(f"retreat {unit}: {' '.join(way)}")
        after = after.noted(retreated=after.retreated | {unit}).at(position.put(unit, way[-1]))
        for _ in found:
            after = self.hit(after, unit)
        return after

    def displace(self, after: Aftermath, unit: str) -> Aftermath:
        """Into a hex full of friends, one of whom moves on."""
        ctx, position = self.ctx, after.position
        hex_, side = position.hex_of(unit), ctx.units[unit].side
        assert hex_ is not None
        for full in free_hexes(ctx, position, unit):
            found = prices(after, unit, (hex_, full), 0, hit=unit in after.hit)
            if deadly(after, unit, found):
                continue
            for beyond in position.grid.neighbours[full]:
                if not (position.safe(beyond, side) and room(ctx, position, beyond, side, unit)):
                    continue
                for friend in position.at(full, side):
                    if barred_in_retreat(ctx, position, friend, full, beyond) is None:
                        self.lines += [f"retreat {unit}: {hex_} {full}", f"retreat {friend}: {full} {beyond}"]
                        after = after.at(position.put(unit, full).put(friend, beyond))
                        after = after.noted(retreated=after.retreated | {unit})
                        for _ in found:
                            after = self.hit(after, unit)
                        return after
        raise AssertionError("a free hex that is full makes no room")

    def advance(self, after: Aftermath) -> Aftermath:
        for unit in after.engaged:
            who, position = self.ctx.units[unit], after.position
            if not position.units[unit].alive or who.is_any(after.battle.rules.advance.none):
                continue
            hex_ = position.hex_of(unit)
            assert hex_ is not None
            step = self.ctx.ground.step(self.ctx.mover(position, who), hex_, "1010")
            if not step.code and room(self.ctx, position, "1010", who.side, unit):
                self.lines.append(f"advance {unit}: {hex_} 1010")
                after = after.at(position.put(unit, "1010"))
        return after


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
@pytest.mark.parametrize("seed", leading(20, range(60)))
def test_what_the_referee_would_write_it_finds_legal(game: str, seed: int) -> None:
    lines, writer = written(game, seed)
    if not lines:
        return
    assert complaints(game, lines) == []
    assert play(game, "\n".join(lines)).position.boards["german"].at == writer.position.boards["german"].at


@pytest.mark.parametrize("game", TURNS)
def test_leaving_out_a_demanded_act_is_found(game: str) -> None:
    missed = 0
    for seed in range(40 if FULL else 10):
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
    for seed in range(20 if FULL else 6):
        lines, writer = written(game, seed)
        # In an exchange anybody may give more than he owes.
        alive = [u for u in writer.position.on_map() if lines and "result EMP" not in lines]
        for unit in alive[:3]:
            assert complaints(game, [*lines, f"lose {unit}"]), (seed, unit)
