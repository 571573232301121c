"""Who takes part in a combat and with what, as the sheet says it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from typing import TypeVar

from hexforge.scenarios.hexgrid import Hex
from hexforge.validator.readers.notation import statements as st
from hexforge.validator.referee.combat.battle import Battle
from hexforge.validator.referee.findings import Finding

A = TypeVar("A", bound=st.Act)
_TAKING_PART = (st.Attack, st.Support, st.Guard, st.AirSupport, st.GuardAir)
_SPOKEN = (st.Announce, st.Declare, st.Roll, st.Result, st.Use, st.Share, st.Reveal, st.LossRoll, st.MoraleRoll)


@dataclass(frozen=True, slots=True)
class Fight:
    """The acts of one combat, sorted by what they say. Units map to the line that names them first.

    `attackers` attack from next to the target, `supports` and `guards` fire from afar for the attack and for the
    defence. `declared` are modifiers that a side declares, with a line for each time. `late` are
    those who took part after the defender had spoken. `aftermath` are losses, retreats and
    advances in the order written. `loss_rolls` are the dice for losses, by part,
    `tests` those for morale, `shares` what part of their strength units give.
    """

    line: int
    targets: tuple[Hex, ...]
    attackers: Mapping[str, int] = field(default_factory=dict)
    supports: Mapping[str, int] = field(default_factory=dict)
    guards: Mapping[str, int] = field(default_factory=dict)
    offboard: int = 0
    guard_offboard: int = 0
    offboard_line: int = 0
    guard_offboard_line: int = 0
    air: int = 0
    air_line: int = 0
    guard_air: int = 0
    guard_air_line: int = 0
    announcements: tuple[st.Announce, ...] = ()
    late: tuple[st.Act, ...] = ()
    declarations: tuple[st.Declare, ...] = ()
    roll: st.Roll | None = None
    result: st.Result | None = None
    aftermath: tuple[st.Act, ...] = ()
    declared: Mapping[str, tuple[int, ...]] = field(default_factory=dict)
    loss_rolls: Mapping[st.RoleName, st.LossRoll] = field(default_factory=dict)
    tests: tuple[st.MoraleRoll, ...] = ()
    shares: Mapping[str, st.Share] = field(default_factory=dict)

    @property
    def declared_codes(self) -> tuple[str, ...] | None:
        """What the players read off the table; None if they do not say."""
        return self.result.codes if self.result else None


def _named(battle: Battle, said: str) -> str:
    """The modifier that a sheet means by a name, whether that is joined by `-` or by `_`."""
    plain = said.replace("-", "_")
    return next((rule.name for rule in battle.rules.modifiers if rule.name.replace("-", "_") == plain), plain)


def _declared(battle: Battle, acts: Sequence[st.Use]) -> dict[str, tuple[int, ...]]:
    found: dict[str, tuple[int, ...]] = {}
    for act in acts:
        name = _named(battle, act.name)
        found[name] = (*found.get(name, ()), act.line)
    return found


def read_fight(battle: Battle, statement: st.Engagement) -> tuple[Fight, list[Finding]]:
    """The acts of a statement as a fight. A unit named twice counts once, and is found fault with.

    A gun that `supports` although it stands next to the target is an attacker like any other (8.0).
    """
    acts, targets = _for_the_defence(battle, statement.acts), tuple(dict.fromkeys(statement.targets))
    attackers, supports, guards, findings = _enlisted(battle, acts, targets)
    engaged = {u: line for u, line in supports.items() if _engaged_gun(battle, u, targets)}
    support, guard = _all(acts, st.Support), _all(acts, st.Guard)
    air, guard_air = _all(acts, st.AirSupport), _all(acts, st.GuardAir)
    offboard = [act for act in acts if isinstance(act, st.Support | st.Guard) and act.offboard]
    fight = Fight(
        statement.line,
        targets,
        attackers={**attackers, **engaged},
        supports={u: line for u, line in supports.items() if u not in engaged},
        guards=guards,
        offboard=sum(act.offboard for act in support),
        guard_offboard=sum(act.offboard for act in guard),
        offboard_line=_last_line(offboard),
        guard_offboard_line=_last_line([act for act in guard if act.offboard]),
        air=sum(act.points for act in air),
        air_line=_last_line(air),
        guard_air=sum(act.points for act in guard_air),
        guard_air_line=_last_line(guard_air),
        announcements=_all(acts, st.Announce),
        late=_late(acts),
        declarations=_all(acts, st.Declare),
        roll=next(reversed(_all(acts, st.Roll)), None),
        result=next(reversed(_all(acts, st.Result)), None),
        declared=_declared(battle, _all(acts, st.Use)),
        loss_rolls={act.role: act for act in _all(acts, st.LossRoll)},
        tests=_all(acts, st.MoraleRoll),
        shares={act.unit: act for act in _all(acts, st.Share)},
        aftermath=tuple(act for act in acts if not isinstance(act, (*_TAKING_PART, *_SPOKEN))),
    )
    findings += [
        battle.found(line, "gun-engaged", units=(u,), severity="warning", unit=u) for u, line in engaged.items()
    ]
    findings += _rolled_twice(battle, acts)
    return fight, findings


def _for_the_defence(battle: Battle, acts: Sequence[st.Act]) -> tuple[st.Act, ...]:
    """The acts, in which points beyond the map are the defence's that are named behind it, and that it alone has.

    `Defender: u1. Support: 20 offboard`, where the attack never has any.
    """
    whose = {rule.side for rule in battle.rules.artillery.offboard}
    if battle.attacker in whose or battle.defender not in whose:
        return tuple(acts)
    found: list[st.Act] = []
    for act in acts:
        defended = any(isinstance(other, st.Guard) for other in found)
        if defended and isinstance(act, st.Support) and act.offboard:
            found += [st.Support(act.line, act.units)] if act.units else []
            found.append(st.Guard(act.line, (), act.offboard))
        else:
            found.append(act)
    return tuple(found)


def _rolled_twice(battle: Battle, acts: Sequence[st.Act]) -> Iterator[Finding]:
    """Other dice than the first: whoever threw could choose. The same once more say nothing new."""
    for first, roll in pairwise(_all(acts, st.Roll)):
        if sorted(first.faces) != sorted(roll.faces):
            faces, before = (" ".join(map(str, one.faces)) for one in (roll, first))
            yield battle.found(roll.line, "rolled-twice", severity="doubtful", faces=faces, first=before)


def _all(acts: Sequence[st.Act], kind: type[A]) -> tuple[A, ...]:
    return tuple(act for act in acts if isinstance(act, kind))


def _last_line(acts: Sequence[st.Act]) -> int:
    return acts[-1].line if acts else 0


def _late(acts: Sequence[st.Act]) -> tuple[st.Act, ...]:
    spoken = [i for i, act in enumerate(acts) if isinstance(act, st.Announce) and act.role == "defender"]
    return tuple(act for act in acts[spoken[0] :] if isinstance(act, _TAKING_PART)) if spoken else ()


def _enlisted(
    battle: Battle, acts: Sequence[st.Act], targets: Sequence[Hex]
) -> tuple[dict[str, int], dict[str, int], dict[str, int], list[Finding]]:
    """Attackers, supports and guards with the lines that name them, and findings on who is named in vain."""
    roles: dict[type[st.Act], dict[str, int]] = {st.Attack: {}, st.Support: {}, st.Guard: {}}
    findings = []
    for act in acts:
        for unit in act.units if isinstance(act, st.Attack | st.Support | st.Guard) else ():
            if unit not in battle.position.roster:
                section = battle.rules.sections.participants
                findings.append(battle.found(act.line, "unknown-unit", section=section, units=(unit,), unit=unit))
            elif isinstance(act, st.Guard) and _is_attacked(battle, unit, targets):
                continue  # `Defence: u1, u2`: who is attacked fires for nobody, and is named as who defends
            elif any(unit in role for role in roles.values()):
                key = "gun-twice-in-one" if battle.unit(unit).is_gun else "twice-in-one"
                findings.append(battle.found(act.line, key, units=(unit,), unit=unit))
            else:
                roles[type(act)][unit] = act.line
    return roles[st.Attack], roles[st.Support], roles[st.Guard], findings


def _is_attacked(battle: Battle, unit: str, targets: Sequence[Hex]) -> bool:
    """Whether a unit without guns is among those that are attacked, and so defends by standing there."""
    who = battle.unit(unit)
    return who.side == battle.defender and not who.is_gun and battle.position.hex_of(unit) in targets


def _engaged_gun(battle: Battle, unit: str, targets: Sequence[Hex]) -> bool:
    hex_ = battle.position.hex_of(unit)
    near = hex_ is not None and any(battle.position.grid.adjacent(hex_, target) for target in targets)
    return near and battle.unit(unit).is_gun and battle.unit(unit).side == battle.attacker
