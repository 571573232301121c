"""Generated games played as logs: the honest one is accused of nothing, and one thing done besides is found.

What a player does besides is done to a counter that has nothing else to do in its phase, for a drag that is dragged
on is a correction.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from hexforge.scenarios.text.hexgrid import Hex
from hexforge.validator.judging.answer import Answer
from hexforge.validator.judging.check import check_logs
from hexforge.validator.notation import base
from hexforge.validator.notation import statements as st
from tests.examples import leading
from tests.generator.game import generate
from tests.referee.played import scenario
from tests.transcribe.gestures import Gesture, Habits, Player, Step, thrown

GAMES = ("hurtgen", "metz", "bastogne")
PHASES = {"hurtgen": 8, "metz": 4, "bastogne": 4}
"""How much of a game is played, for the games with more counters take longer."""
HABITS = {
    "as it comes": Habits(),
    "attackers first": Habits(attackers_first=True),
    "all declared first": Habits(all_declared_first=True),
    "all rolled first": Habits(all_declared_first=True, all_rolled_first=True),
    "advances first": Habits(advances_first=True),
    "with slips": Habits(slips=0.2),
    "tracker early": Habits(tracker_early=True),
    "all at once": Habits(True, True, False, True, 0.1),
}
SOME = ("all rolled first", "all at once", "tracker early")
"""Of the larger games, which take longer; the gate plays one."""


@cache
def sheet(game: str, seed: int) -> st.Sheet:
    """The first phases of a game in which nobody breaks a rule."""
    whole = generate(scenario(game), seed, turns=2 if game == "hurtgen" else 1).sheet
    kept: list[base.Statement] = []
    phases = 0
    for s in whole.statements:
        phases += isinstance(s, st.TurnStart)
        if phases <= PHASES[game]:
            kept.append(s)
    return replace(whole, statements=tuple(kept))


def player(game: str, seed: int, habits: Habits = HABITS["as it comes"]) -> Player:
    return Player(scenario(game), sheet(game, seed), habits, seed)


def judged(one: Player, folder: Path) -> Answer:
    path = folder / "played.vlog"
    path.write_bytes(one.log())
    return check_logs([path], lang="en")


def accused(answer: Answer) -> list[str]:
    return [
        f"{answer.steps[f.line][1]} {answer.quote(f.line)}: {f.severity} {f.message}"
        for f in answer.findings
        if f.severity != "info"
    ]


def _plays() -> Iterator[Any]:
    yield from (("hurtgen", habits) for habits in HABITS)
    yield from leading(1, ((game, habits) for habits in SOME for game in GAMES[1:]))


@pytest.mark.parametrize(("game", "habits"), list(_plays()))
def test_an_honest_game_is_accused_of_nothing(game: str, habits: str, tmp_path: Path) -> None:
    one = player(game, 1, HABITS[habits])
    one.play()
    assert len(one.steps) > 60
    answer = judged(one, tmp_path)
    late = [line for line in accused(answer) if "warning" in line and "after the tracker had gone on" in line]
    assert accused(answer) == late
    # Of Bastogne's first turn, the last combat of each phase changes nothing.
    assert bool(late) == (habits == "tracker early" and game != "bastogne")


# ------------------------------------------------------------------------------------------ cheats


def _away_from(one: Player, unit: str, draw: random.Random) -> Hex:
    """An empty hex far from a counter's."""
    grid = one.scenario.map.grid
    held = {c.where for c in one.table.counters.values()}
    here = one.marks.hex_at(*one.table.counters[unit].where[1:])
    far = [h for h in sorted(grid) if grid.distance(h, here) > 8 and one.table.hex(h) not in held]
    return draw.choice(far)


def teleport(one: Player, unit: str, draw: random.Random) -> Gesture:
    return list(one.table.move(unit, one.table.hex(_away_from(one, unit, draw))))


def turn_over(one: Player, unit: str, _: random.Random) -> Gesture:
    return list(one.table.turn_over(unit, not one.table.counters[unit].reduced))


def kill(one: Player, unit: str, _: random.Random) -> Gesture:
    return list(one.table.move(unit, one.table.dead(unit)))


def send_home(one: Player, unit: str, _: random.Random) -> Gesture:
    return list(one.table.move(unit, (one.marks.reserves, 74, 74)))


def leave(one: Player, unit: str, _: random.Random) -> Gesture:
    return list(one.table.move(unit, one.table.left(unit)))


def renew(one: Player, unit: str, _: random.Random) -> Gesture:
    """A fresh copy out of the palette in the place of a counter, turned over where that one is not."""
    counter = one.table.counters[unit]
    hex_ = one.marks.hex_at(*counter.where[1:])
    turned = list(one.table.turn_over(unit, not counter.reduced))
    made = one.copy_of(unit, hex_)
    assert turned
    return [*made, *one.remove(unit)]


def remove(one: Player, unit: str, _: random.Random) -> Gesture:
    return one.remove(unit)


def copy(one: Player, unit: str, draw: random.Random) -> Gesture:
    return one.copy_of(unit, _away_from(one, unit, draw))


def copy_and_remove(one: Player, unit: str, draw: random.Random) -> Gesture:
    return [*copy(one, unit, draw), *one.remove(unit)]


CHEATS: dict[str, Callable[[Player, str, random.Random], Gesture]] = {
    "teleport": teleport,
    "flip": turn_over,
    "kill": kill,
    "send home": send_home,
    "leave": leave,
    "renew": renew,
    "remove": remove,
    "copy": copy,
    "copy and remove": copy_and_remove,
}


def _units_of(s: base.Statement | None) -> Iterator[str]:
    for part in (s, *getattr(s, "acts", ())):
        yield from getattr(part, "units", ())


def idle(steps: list[Step], at: int, on_map: list[str]) -> list[str]:
    """Counters that nothing is done with in the rest of a phase, nor stand where anything is done."""
    phase = steps[at].phase
    busy: set[str] = set()
    for step in steps:
        if step.phase is phase:
            busy.update(step.units, _units_of(step.statement))
    return [u for u in on_map if u not in busy]


@pytest.mark.parametrize("cheat", CHEATS)
@pytest.mark.parametrize(("game", "seed", "share"), leading(1, [("hurtgen", 1, 0.3), ("hurtgen", 2, 0.8)]))
def test_one_thing_done_besides_is_found_at_its_step(
    game: str, seed: int, share: float, cheat: str, tmp_path: Path
) -> None:
    draw = random.Random(f"{game} {seed} {cheat}")
    honest = player(game, seed)
    steps = honest.play()
    at = int(len(steps) * share) + draw.randrange(6)
    chosen: list[str] = []

    def plant(one: Player) -> Gesture:
        phase = one.phase
        targets = {h for s in fought_in(one.sheet, phase) for h in s.targets}
        able = [
            u
            for u, c in one.table.counters.items()
            if c.where[0] == one.marks.main
            and c.layer is not None
            and not (cheat in ("flip", "renew") and c.reduced)
            and one.marks.hex_at(*c.where[1:]) not in targets
        ]
        chosen.append(draw.choice(idle(steps, at, sorted(able))))
        return CHEATS[cheat](one, chosen[0], draw)

    one = player(game, seed)
    one.plant = (at, plant)
    one.play()
    answer = judged(one, tmp_path)
    found = [f for f in answer.findings if f.severity in ("illegal", "doubtful")]
    mine = [f for f in found if chosen[0] in (*f.units, *str(f.message).split())]
    assert any(answer.steps[f.line][1] == at + 1 for f in mine), (chosen, at + 1, accused(answer))
    first = min(answer.steps[f.line][1] for f in found)
    assert first >= at + 1 or all(f in mine for f in found if answer.steps[f.line][1] <= at)


def fought_in(whole: st.Sheet, phase: st.TurnStart | None) -> Iterator[st.Engagement]:
    """The combats of a phase."""
    now: st.TurnStart | None = None
    for s in whole.statements:
        if isinstance(s, st.TurnStart):
            now = s
        elif isinstance(s, st.Engagement) and now is phase:
            yield s


@pytest.mark.parametrize(
    ("game", "cheat"), leading(2, [("metz", "flip"), ("metz", "copy and remove"), ("bastogne", "teleport")])
)
def test_it_is_found_in_every_game(game: str, cheat: str, tmp_path: Path) -> None:
    test_one_thing_done_besides_is_found_at_its_step(game, 1, 0.6, cheat, tmp_path)


def test_one_that_was_lost_does_not_come_back(tmp_path: Path) -> None:
    honest = player("hurtgen", 1)
    steps = honest.play()
    died = next(
        (i, s.units[0])
        for i, s in enumerate(steps)
        if s.units and isinstance(s.statement, st.Eliminate) and i < len(steps) - 40
    )
    at = died[0] + 30
    one = player("hurtgen", 1)
    one.plant = (at, lambda p: list(p.table.move(died[1], p.table.hex("0101"))))
    one.play()
    answer = judged(one, tmp_path)
    found = [f for f in answer.findings if f.severity == "illegal" and died[1] in str(f.message)]
    assert any(answer.steps[f.line][1] == at + 1 for f in found), accused(answer)


@pytest.mark.parametrize("liked", [True, False])
def test_an_air_die_thrown_again_is_told_though_nothing_comes_of_it(liked: bool, tmp_path: Path) -> None:
    steps = player("metz", 1).play()
    at, roll = next((i, s.statement.roll) for i, s in enumerate(steps) if isinstance(s.statement, st.AirRoll))
    one = player("metz", 1)
    one.plant = (at + 3, lambda _: [thrown((roll % 6 + 1 if liked else roll,))])
    one.play()
    told = accused(judged(one, tmp_path))
    assert len(told) == liked and all(f"the first ({roll}) counts" in line and "warning" in line for line in told)
    assert all(line.startswith(f"{at + 4} ") for line in told)
