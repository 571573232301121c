"""What lawful games do is what the table offers: moves, entries, attacks, and every act after the dice."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import pytest

from hexforge.scenarios.loader import load
from hexforge.validator.judging import choices
from hexforge.validator.judging.replay import steps
from hexforge.validator.notation import base
from hexforge.validator.notation import statements as st
from hexforge.validator.rules.context import Context
from hexforge.validator.rules.position import Position
from tests.examples import FULL, leading
from tests.generator.game import generate


def _missing(ctx: Context, before: Position, statement: base.Statement) -> Iterator[str]:
    """What of a statement the table would not have offered."""
    together = isinstance(statement, st.Move | st.Enter) and {before.hex_of(u) for u in statement.units}
    if (
        isinstance(statement, st.Move | st.Enter)
        and len(together or ()) == 1
        and statement.path[-1] not in choices.goals(ctx, before, statement.units)
    ):
        yield f"goal of {statement}"
    if isinstance(statement, st.Recover) and not any(
        isinstance(deed.statement, st.Recover) for deed in choices.deeds(ctx, before, statement.units)
    ):
        yield f"{statement}"
    if isinstance(statement, st.Combat):
        attackers = {u for act in statement.acts if isinstance(act, st.Attack) for u in act.units}
        open_ = {t.hex: set(t.attackers) for t in choices.targets(ctx, before)}
        if not attackers <= open_.get(statement.targets[0], set()):
            yield f"attackers of {statement.targets}: {attackers} of {open_.get(statement.targets[0])}"
    if isinstance(statement, st.Bombard | st.AirStrike):
        kind: choices.Means = "bombard" if isinstance(statement, st.Bombard) else "airstrike"
        if statement.targets[0] not in choices.fire_targets(ctx, before, kind):
            yield f"target of {statement}"
    if isinstance(statement, st.Engagement):
        yield from _after(ctx, before, statement)


def _after(ctx: Context, before: Position, statement: st.Engagement) -> Iterator[str]:
    told = [i for i, act in enumerate(statement.acts) if isinstance(act, st.Result)]
    if not told:
        return
    for i, act in enumerate(statement.acts[told[-1] + 1 :], told[-1] + 1):
        so_far = replace(statement, acts=statement.acts[:i])
        open_ = [one for step in choices.after_dice(ctx, before, so_far).steps for one in step.acts]
        if isinstance(act, st.Retreat | st.Lose | st.Eliminate | st.Advance):
            for unit in act.units:
                if not any(_alike(one, act, unit) for one in open_):
                    yield f"{act} of {statement.targets} after {[type(a).__name__ for a in so_far.acts]}"


def _alike(one: base.Act, act: base.Act, unit: str) -> bool:
    if unit not in getattr(one, "units", ()):
        return False
    if isinstance(act, st.Retreat | st.Advance):
        edge = getattr(act, "edge", None)
        return type(one) is type(act) and getattr(one, "edge", None) == edge and one.path[-1] == act.path[-1]
    # The last step of a unit may be written either way.
    return isinstance(one, st.Lose | st.Eliminate)


GENERATED = [("hurtgen", 1), ("metz", 2), ("bastogne", 3), ("hurtgen", 4)]


@pytest.mark.parametrize(("game", "seed"), leading(1, GENERATED))
def test_what_lawful_games_do_is_offered(game: str, seed: int) -> None:
    scenario = load(game)
    played = generate(scenario, seed, turns=3 if FULL else 1)
    outcomes = iter(steps(scenario, played.sheet))
    ctx, _, outcome = next(outcomes)
    position = outcome.position
    missing = []
    for ctx, statement, after in outcomes:
        if statement is not None:
            missing += list(_missing(ctx, position, statement))
        position = after.position
    assert not missing, "\n".join(missing[:10])
