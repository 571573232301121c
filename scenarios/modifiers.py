"""All modifiers of combat of a game in one form: those that it states, and those that short-hands stand for.

`combat` of terrain, hexsides and works in tables.yaml, and `encirclement`, `unity`, `transit` and `no_engagement`
of `rules.combat`, say in a word what many games have. The referee knows modifiers alone (`schema.modifiers`).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any, ClassVar, Final

from .schema import modifiers
from .schema.rules_combat import CombatRules
from .schema.tables import TablesFile

GROUND: Final = ".ground"
"""The group of terrain and lines: the largest counts. No game can name one of its own like this."""
WORKS: Final = ".works"
"""The group of works in the hex and before it: the largest is added to the ground."""
NOT_ENGAGED: Final = "no-engagement"
FORTIFIED: Final = "fortification"


class Implied(modifiers.Modifier):
    """What a short-hand stands for. Its `name` is the program's own word for it, "" for the kind of hexside."""

    words: ClassVar[str] = "hexsides"


def _those(
    *effects: type[modifiers.Effect], but: str = "", party: str = ""
) -> cached_property[tuple[modifiers.Modifier, ...]]:
    """The modifiers that have one of some effects, `but` for those of one table, on units of a `party`."""

    def found(these: Modifiers) -> tuple[modifiers.Modifier, ...]:
        fitting = (rule for rule in these.rules if isinstance(rule.what, effects) and rule.table != but)
        return tuple(rule for rule in fitting if not party or getattr(rule.what, "of", "") in (party, "both"))

    return cached_property(found)


@dataclass(frozen=True)
class Modifiers:
    """A game's modifiers in the order in which they are told, and what counts of their groups."""

    rules: tuple[modifiers.Modifier, ...]
    groups: Mapping[str, modifiers.Group]

    strengths = _those(modifiers.Multiply, modifiers.Fixed, but="bombardment")
    """Those that change strengths in combats."""
    firing = _those(modifiers.Multiply, modifiers.Fixed, but="crt")
    """Those that change strengths in bombardments."""
    morale = _those(modifiers.Morale)
    """Those that change what units are worth when they are tested."""
    barring = _those(modifiers.Barred, but="bombardment", party="attackers")
    """Those that forbid attacks other than bombardments."""
    shielding = _those(modifiers.Barred, but="bombardment", party="guards")
    """Those that forbid guns to support a defence."""
    silencing = _those(modifiers.Barred, but="crt", party="attackers")
    """Those that forbid bombardments."""
    staying = _those(modifiers.Stays)
    """Those that forbid advances."""
    columns = _those(modifiers.Columns, modifiers.ByUnity, but="bombardment")
    """Those that move the column of combats."""
    bombardment = _those(modifiers.Columns, modifiers.ByUnity, but="crt")
    """Those that move the column of bombardments."""
    dice = _those(modifiers.Die, but="bombardment")
    """Those that are added to the dice of combats."""
    bombardment_dice = _those(modifiers.Die, but="crt")
    """Those that are added to the dice of bombardments."""


def in_one_form(rules: CombatRules, tables: TablesFile, sides: tuple[str, ...]) -> Modifiers:
    """The modifiers of a game between two sides."""
    implied = [*_of_hexes(rules, tables), *_of_lines(rules, tables, sides), *_surrounded(rules, sides)]
    implied += [
        _implied(what=modifiers.ByUnity, of=of, name="unity", section=rules.sections.unity) for of in _united(rules)
    ]
    late = [*_in_transit(rules), *_not_engaged(rules)]
    return Modifiers((*implied, *rules.modifiers, *late), {GROUND: "best", WORKS: "best", **rules.groups})


def _implied(
    *when: modifiers.Condition, what: type[modifiers.Columns | modifiers.ByUnity | modifiers.Barred], **more: Any
) -> Implied:
    own = {name: more.pop(name) for name in ("columns", "of", "units") if name in more}
    return Implied.model_construct(when=when, what=what.model_construct(**own), **more)


def _of_hexes(rules: CombatRules, tables: TablesFile) -> Iterator[Implied]:
    """What each kind of ground, and works on all sides, are worth; fire from afar meets them too."""
    each: dict[str, Any] = {
        "what": modifiers.Columns,
        "each": "target",
        "table": "both",
        "section": rules.sections.terrain,
    }
    for id_, effect in tables.terrain.items():
        if effect.combat:
            there = modifiers.InTerrain.model_construct(terrain=(id_,))
            yield _implied(there, name="terrain", columns=effect.combat, group=GROUND, **each)
    if tables.fortified and tables.fortified.combat:
        works = modifiers.InWorks.model_construct()
        yield _implied(works, name=FORTIFIED, columns=tables.fortified.combat, group=WORKS, **each)


def _of_lines(rules: CombatRules, tables: TablesFile, sides: tuple[str, ...]) -> Iterator[Implied]:
    """What lines before all attackers are worth: as much as the least of them. Those that are added are works.

    By an option a line before one attacker is enough, but never works.
    """
    for attacker, defender in (sides, sides[::-1]) if rules.line_side else (("", ""),):
        whose = [modifiers.ByAttacker.model_construct(side=attacker)] if attacker else []
        for added in (False, True):
            worth = {
                kind: effect.combat
                for kind, effect in sorted(tables.hexsides.items())
                if effect.additive == added and effect.combat and rules.line_side.get(kind, defender) == defender
            }
            for columns in sorted(set(worth.values())):
                kinds = tuple(kind for kind in worth if worth[kind] <= columns)
                for share, option in _crossed(added):
                    line = modifiers.AcrossHexside.model_construct(hexsides=kinds, share=share)
                    yield _implied(
                        *whose,
                        *option,
                        line,
                        name=FORTIFIED if added else "",
                        what=modifiers.Columns,
                        columns=columns,
                        group=WORKS if added else GROUND,
                        each="target",
                        section=rules.sections.terrain,
                    )


def _crossed(added: bool) -> Iterator[tuple[modifiers.Share, tuple[modifiers.Condition, ...]]]:
    if added:
        yield "all", ()
        return
    for share, holds in (("all", "none"), ("any", "all")):
        option = modifiers.IsOption.model_construct(option="river_needs_all", value="no", share=holds)
        yield share, (option,)  # type: ignore[misc]


def _surrounded(rules: CombatRules, sides: tuple[str, ...]) -> Iterator[Implied]:
    rule, ring = rules.encirclement, modifiers.Surrounded.model_construct()
    more: dict[str, Any] = {"what": modifiers.Columns, "section": rules.sections.encirclement}
    if rule.columns or rule.relief:
        yield _implied(ring, name="encirclement", columns=rule.columns, **more)
    for side in sides:
        if rule.relief and (types := rule.immune.get(side)):
            who = modifiers.WithUnits.model_construct(of="defenders", side=side, types=types, afar=False)
            yield _implied(who, ring, name="airborne", columns=-rule.relief, **more)


def _united(rules: CombatRules) -> tuple[modifiers.Party, ...]:
    return () if rules.unity == type(rules.unity).model_construct() else ("attackers", "defenders")


def _in_transit(rules: CombatRules) -> Iterator[Implied]:
    """Who is in transit fights as if surprised; his guns do where an option lets them fire at that price."""
    parties: tuple[tuple[modifiers.Party, int], ...] = (("attackers", -1), ("defenders", 1))
    for party, sign in parties:
        for rule in rules.transit:
            turns = modifiers.InTurns.model_construct(turns=rule.turns)
            for afar in (False, True):
                option = modifiers.IsOption.model_construct(
                    option="transit_fire", value="columns", share="all" if afar else "none"
                )
                who = modifiers.WithUnits.model_construct(of=party, marks=(rule.flag,), afar=afar)
                yield _implied(
                    turns,
                    option,
                    who,
                    name="transit",
                    what=modifiers.Columns,
                    columns=sign * rule.columns,
                    section=rule.section,
                    table="both" if afar and party == "attackers" else "crt",
                )


def _not_engaged(rules: CombatRules) -> Iterator[Implied]:
    for rule in rules.no_engagement:
        ground = modifiers.InTerrain.model_construct(terrain=rule.terrain)
        near = modifiers.FromAfar.model_construct(alone=False)
        who = modifiers.Who.model_construct(types=rule.types)
        more: dict[str, Any] = {"section": rule.section, "each": "target"}
        yield _implied(ground, near, name=NOT_ENGAGED, what=modifiers.Barred, units=who, **more)
