"""What the table offers is legal, and what it keeps is what a whole replay would say."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

from hexforge.validator.judging import choices
from hexforge.validator.judging.choices import FAULTS, Plan
from hexforge.validator.judging.situation import sheet_situation
from hexforge.validator.notation import statements as st
from hexforge.validator.play.session import Session, open_session
from hexforge.validator.reading.sheet import read_sheet
from tests.examples import leading

GAMES = Path(__file__).parents[1] / "games"
OWN = ("ashvale", "kestrel", "karst", "harrow", "longridge", "corrick", "fallowmoor", "lowmarch", "mirefield")
PLAYED = leading(len(OWN) + 1, ["hurtgen", *(str(GAMES / name) for name in OWN), "metz", "bastogne"])


class Player:
    """Plays by chance what the table offers, and nothing else."""

    def __init__(self, session: Session, seed: int) -> None:
        self.session, self.draw = session, random.Random(seed)

    def phase(self) -> None:
        """Play a phase to its end."""
        self.session.open_next()
        for deed in choices.phase_deeds(self.session.ctx, self.session.position):
            self._deed(deed)
        phase = self.session.position.phase
        assert phase is not None
        if phase.kind == "movement":
            self._move()
        elif phase.kind == "combat":
            self._fight()

    def _legal(self) -> None:
        frame = self.session.state.frame
        assert frame is not None
        wrong = [f for f in frame.outcome.findings if f.severity in FAULTS]
        assert not wrong, (self.session.scenario.name, [str(f.message) for f in wrong], frame.lines)

    def _deed(self, deed: choices.Deed) -> None:
        faces = [self.draw.randint(1, deed.dice.faces) for _ in range(deed.dice.count)] if deed.dice else ()
        self.session.play(deed.thrown(faces))
        self._legal()

    def _move(self) -> None:
        session = self.session
        for unit in choices.arrivals(session.ctx, session.position)[:4]:
            self._go((unit,))
        movers = choices.movers(session.ctx, session.position)
        for unit in self.draw.sample(movers, min(6, len(movers))):
            position = session.position
            hex_ = position.hex_of(unit)
            assert hex_ is not None
            stack = tuple(u for u in position.at(hex_) if u in movers and not position.units[u].moved)
            units = stack if self.draw.random() < 0.5 else (unit,) if unit in stack else ()
            for deed in choices.deeds(session.ctx, position, units) if units else ():
                if self.draw.random() < 0.3:
                    self._deed(deed)
                    break
            self._go(units)

    def _go(self, units: tuple[str, ...]) -> None:
        """Every hex that is lit is one to which the units may go; they go next to the enemy if they can."""
        session = self.session
        position = session.position
        found = choices.goals(session.ctx, position, units)
        if not found:
            return
        for goal in self.draw.sample(list(found.values()), min(4, len(found))):
            assert choices.lawful(session.ctx, position, goal.statement), goal
        enemy = position.enemy(session.ctx.units[units[0]].side)
        near = [g for h, g in found.items() if any(position.at(n, enemy) for n in position.grid.neighbours[h])]
        session.play(self.draw.choice(near or list(found.values())).statement)
        self._legal()

    def _fight(self) -> None:
        session = self.session
        for _ in range(4):
            targets = choices.targets(session.ctx, session.position)
            if not targets:
                return
            target = self.draw.choice([t for t in targets if t.owed] or list(targets))
            plan = Plan("combat", (target.hex,), target.attackers)
            seen = choices.preview(session.ctx, session.position, plan)
            if seen.objections:
                return
            assert not seen.chances or abs(sum(share for _, share in seen.chances) - 1) < 1e-9
            session.play(choices.declared(session.ctx, session.position, plan))
            self._legal()
            session.roll([self.draw.randint(1, seen.dice.faces) for _ in range(seen.dice.count)])
            self._settle()

    def _settle(self) -> None:
        """After the dice there is always something to do until nothing is owed."""
        session = self.session
        for _ in range(30):
            fight = session.fight
            assert fight is not None and isinstance(fight.statement, st.Engagement)
            open_ = choices.after_dice(session.ctx, fight.before, fight.statement)
            if not open_.owed and (not open_.steps or self.draw.random() < 0.5):
                break
            assert open_.steps, ([str(f.message) for f in open_.owed], fight.lines)
            owed = [s for s in open_.steps if not isinstance(s.act, st.Advance)]
            session.grow(*self.draw.choice(owed if open_.owed and owed else open_.steps).acts)
        self._legal()


def _replayed(session: Session) -> None:
    """The table is where the whole sheet leads, with the same findings."""
    sheet = read_sheet(session.text, "")
    assert not sheet.problems
    whole = sheet_situation(sheet, {})
    kept = (*session.findings, *session.closing)
    assert [(f.line, f.severity, str(f.message)) for f in whole.judgement.findings] == [
        (f.line, f.severity, str(f.message)) for f in kept
    ]
    assert whole.position.units == session.position.units
    assert whole.position.ledger == session.position.ledger


@pytest.mark.parametrize("game", PLAYED)
def test_what_is_offered_is_legal_and_the_table_is_the_replay(game: str) -> None:
    session = open_session([game])
    if session.unset:
        session.place_all()
    player = Player(session, 3)
    for _ in range(4):
        if session.next is not None:
            player.phase()
    _replayed(session)
    while session.now:
        session.undo()
    assert session.text == open_session([game]).text
