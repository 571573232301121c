"""Checks of tables, result codes, choices, markers and tracks.

What is wrong with single cells of result tables: codes that are none, or that exclude one another.

What is wrong with choices of game.yaml that tables and dice go with: overruns, weather by dice, rallies.

What is wrong with markers, tracks and counts, in whole games and in extensions alike.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from fractions import Fraction
from functools import partial
from itertools import combinations, compress, pairwise
from typing import Final

from ..console import Problem
from ..model import FACES
from ..schema.base import in_turns
from ..schema.game import OPTIONS, Whole
from ..schema.markers import Supplies
from ..schema.modifiers import Cap, Columns, Die
from ..schema.results import ByOdds, Demand, Dice, Result, lower_bound, numbers, parse_odds
from ..schema.tables import HexsideEffect, ResultTable
from . import Checker, Where

_CONTRADICTIONS: Final = {
    "attacker": (
        "two-retreats-attacker",
        "dead-retreats-attacker",
        "retreats-and-advances-attacker",
        "dead-goes-on-attacker",
        "all-and-some-attacker",
    ),
    "defender": (
        "two-retreats-defender",
        "dead-retreats-defender",
        "retreats-and-advances-defender",
        "dead-goes-on-defender",
        "all-and-some-defender",
    ),
}
"""What excludes what for a side, as keys of messages, in the order of `_contradictions`."""


def cells_can_be_carried_out(c: Checker, key: str, table: ResultTable) -> Iterator[Problem]:
    """Every code of a cell is a result, once, and no two of them ask one side for what excludes the other."""
    known = c.tables.results
    for row, cells in table.rows.items():
        for column, cell in zip(table.columns, cells, strict=False):
            where = (key, "rows", row, table.columns.index(column))
            codes = list(dict.fromkeys(cell.split()))
            if not codes:
                yield c.error("tables.yaml", where, "tables.empty-cell", column=column)
            if len(codes) < len(cell.split()):
                yield c.error("tables.yaml", where, "tables.code-twice", cell=cell, column=column)
            for code in codes:
                if code not in known:
                    yield c.error(
                        "tables.yaml", where, "tables.no-result-in", code=code, known=tuple(known), column=column
                    )
            for why in _contradictions([known[code] for code in codes if code in known]):
                yield c.error("tables.yaml", where, f"tables.{why}", cell=cell, column=column)


def _contradictions(results: list[Result]) -> Iterator[str]:
    """What excludes what among the demands of a cell, as keys of messages."""
    if len({result.exchange for result in results if result.exchange}) > 1:
        yield "two-exchanges"
    for side, keys in _CONTRADICTIONS.items():
        demands: list[Demand] = [getattr(result, side) for result in results]
        back = [d.retreat for d in demands if d.retreat]
        losses = [loss for d in demands for loss in (d.units, d.steps) if loss]
        gone = any(loss.count == "all" for loss in losses)
        excluded = (
            len({retreat.hexes for retreat in back}) > 1,
            bool(back) and gone,
            bool(back) and any(d.advance for d in demands),
            gone and any(d.advance or d.mark for d in demands),
            gone and any(loss.count != "all" for loss in losses),
        )
        yield from compress(keys, excluded)


def better_columns_are_better(c: Checker, key: str, table: ResultTable) -> Iterator[Problem]:
    """A warning where more odds turn a result that the defender alone suffers into one of the attacker alone."""
    known = c.tables.results
    for row, cells in table.rows.items():
        sides = [hurt([known[code] for code in cell.split() if code in known]) for cell in cells]
        for i, j in combinations(range(min(len(sides), len(table.columns))), 2):
            if (sides[i], sides[j]) == ({"defender"}, {"attacker"}):
                told = {"cell": cells[i], "other": cells[j], "column": table.columns[i], "higher": table.columns[j]}
                yield c.warning("tables.yaml", [key, "rows", row, i], "tables.turned", **told)
                break


def hurt(results: list[Result]) -> set[str]:
    """The sides that suffer from a cell; both by an exchange."""
    sides = ("attacker", "defender")
    demands = ((side, getattr(result, side)) for result in results for side in sides)
    found = {s for s, d in demands if d.units or d.steps or d.retreat or d.mark or d.morale}
    return {*sides} if any(result.exchange for result in results) else found


def tables_are_whole(c: Checker) -> Iterator[Problem]:
    """Result tables have a cell for each roll and column; effects a cost for each movement class and weather."""
    tables = c.tables
    yield from _table(c, "crt", tables.crt)
    if tables.bombardment is not None:
        yield from _table(c, "bombardment", tables.bombardment)
    yield from _beyond(c, tables.crt)
    yield from _costs(c)
    yield from _vulnerability(c)
    yield from _air(c)


def _costs(c: Checker) -> Iterator[Problem]:
    weathers = set(c.game.weathers)
    for key, name, effect in c.effects:
        at = (key, name, "costs")
        for movement in c.game.movement_classes if key == "terrain" else ():
            if movement not in effect.costs:
                yield c.error("tables.yaml", at, "tables.no-cost", movement=movement)
        for movement in _left_out(c, effect) if isinstance(effect, HexsideEffect) else ():
            yield c.warning("tables.yaml", at, "tables.free-of-charge", movement=movement)
        for movement, cost in effect.costs.items():
            if "" not in cost and set(cost) != weathers:
                told = {"found": tuple(cost), "known": tuple(sorted(weathers)) or ("-",)}
                yield c.error("tables.yaml", [*at, movement], "tables.weather", **told)


def _left_out(c: Checker, effect: HexsideEffect) -> Iterator[str]:
    """The movement classes of units that a line costs nothing, though it names others, and that it does not bar."""
    game = c.game
    for movement in game.movement_classes if effect.costs else ():
        types = {u.type for u in c.units if u.type in game.unit_types}
        mine = {type_ for type_ in types if game.unit_types[type_].movement == movement}
        if movement not in effect.costs and any(c.kinds(t).isdisjoint(effect.barred) for t in mine):
            yield movement


def _vulnerability(c: Checker) -> Iterator[Problem]:
    """Whoever can be bombarded, by guns or from the air, has an index against it."""
    tables = c.tables
    # A type that is none is told where it stands; it has no index because nobody knows it.
    types = sorted({u.type for u in c.units} & set(c.known["unit-type"]))
    flies = c.rules.combat.air is not None
    if flies and tables.bombardment is None:
        yield c.error("tables.yaml", [], "tables.no-bombardment")
    if tables.bombardment is None:
        return
    for kind in ("air", "artillery") if flies else ("artillery",):
        for type_ in types:
            if type_ not in tables.vulnerability.get(kind, {}):
                yield c.error("tables.yaml", ["vulnerability", kind], "tables.no-index", type=type_)


def _air(c: Checker) -> Iterator[Problem]:
    """Air points come by turns, each in one row, or by the die, each of its faces in one row."""
    rows, turns = c.tables.air, c.game.turns
    for i, row in enumerate(rows):
        if (row.turns is None) == (row.die is None):
            yield c.error("tables.yaml", ["air", i], "tables.air-row")
    spans = [row.turns for row in rows if row.turns]
    for turn in range(turns.first, turns.last + 1) if spans else ():
        if (count := sum(in_turns(span, turn) for span in spans)) != 1:
            # Without a row there are no points, which may be meant.
            say = c.error if count else c.warning
            yield say("tables.yaml", ["air"], "tables.air-turn", turn=turn, count=count)
    dice = [row.die for row in rows if row.die]
    for face in FACES if dice else ():
        if (count := sum(a <= face <= b for a, b in dice)) != 1:
            yield c.error("tables.yaml", ["air"], "tables.air-face", face=face, count=count)


def _columns_rise(c: Checker, key: str, table: ResultTable) -> Iterator[Problem]:
    """Columns are odds, or spans of numbers, and rise from left to right."""
    error = partial(c.error, "tables.yaml", [key, "columns"])
    by_odds = isinstance(table.column_by, ByOdds)
    last: Fraction | int | None = None
    for name in table.columns:
        try:
            bound: Fraction | int = Fraction(*parse_odds(name)) if by_odds else lower_bound(name)
        except ValueError:
            yield error("tables.never-reached" if by_odds else "tables.no-span", column=name)
            continue
        if last is not None and bound <= last:
            yield error("tables.falls" if by_odds else "tables.no-span", column=name)
        last = bound


def _beyond(c: Checker, table: ResultTable) -> Iterator[Problem]:
    """What totals beyond the table have for a result is one."""
    known = c.tables.results
    for key in ("below", "above"):
        code = getattr(table.column_by, key, "end")
        if code not in (*known, "end", "refused"):
            yield c.error(
                "tables.yaml", ["crt", "column_by", key], "tables.no-result", code=code, known=tuple(known)
            )


def _table(c: Checker, key: str, table: ResultTable) -> Iterator[Problem]:
    yield from _columns_rise(c, key, table)
    yield from _rows(c, key, table)
    yield from cells_can_be_carried_out(c, key, table)
    if key == "crt":
        yield from better_columns_are_better(c, key, table)
    for name, cells in table.rows.items():
        if len(cells) != len(table.columns):
            at = (key, "rows", name)
            yield c.error("tables.yaml", at, "tables.cells", found=len(cells), columns=len(table.columns))


def _rows(c: Checker, key: str, table: ResultTable) -> Iterator[Problem]:
    """Whatever the dice can show has one row; others are reached by modifiers of the die alone."""
    ways = table.thrown.ways
    rolls: list[int] = []
    row: dict[int, str] = {}
    for name in table.rows:
        try:
            rolls += numbers(name)
            row |= dict.fromkeys(numbers(name), name)
        except ValueError:
            yield c.error("tables.yaml", [key, "rows", name], "tables.no-roll", row=name)
    # A row that dice and modifiers do not lead on to stands in the place of one that is lacking.
    strange = {n for n in rolls if not {n, *range(max(ways), n), *range(n, min(ways))} <= {*rolls, *ways}}
    lacking = tuple(str(n) for n in ways if n not in rolls)
    for roll in sorted(strange) if lacking else ():
        told = partial(c.error, "tables.yaml", [key, "rows", row[roll]], "tables.row-instead")
        yield told(roll=roll, dice=str(table.thrown), lacking=lacking)
    if strange and lacking:
        return
    for roll in ways:
        if rolls.count(roll) != 1:
            there = [row[roll]] if roll in row else []
            yield c.error("tables.yaml", [key, "rows", *there], "tables.roll", roll=roll, count=rolls.count(roll))
    for roll in (n for n in sorted(set(rolls) - set(ways)) if not table.thrown.skips(n)):
        at = (key, "rows", row[roll])
        if not _die_is_moved(c, key):
            yield c.error("tables.yaml", at, "tables.never-thrown", roll=roll, dice=str(table.thrown))
        elif rolls.count(roll) > 1:
            yield c.error("tables.yaml", at, "tables.roll", roll=roll, count=rolls.count(roll))


def _die_is_moved(c: Checker, key: str) -> bool:
    rules = c.rules.combat.modifiers
    return any(isinstance(rule.what, Die) and rule.table in (key, "both") for rule in rules)


def modifiers_are_told_apart(c: Checker) -> Iterator[Problem]:
    """No two modifiers are called alike; groups that they name are there, and hold what can be counted so."""
    rules, names = c.rules.combat, set[str]()
    for number, rule in enumerate(rules.modifiers):
        error = partial(c.error, "game.yaml", ["rules", "combat", "modifiers", number])
        if rule.name in names:
            yield error("tables.modifier-twice", name=rule.name)
        names.add(rule.name)
        if rule.group is None:
            continue
        if rule.group not in rules.groups:
            yield error("tables.no-group", name=rule.group, known=tuple(rules.groups))
        elif isinstance(rules.groups[rule.group], Cap) and not isinstance(rule.what, Columns | Die):
            at = ("rules", "combat", "modifiers", number, "group")
            yield c.error("game.yaml", at, "tables.no-sum", name=rule.group)


def phases_limit_what_is_done(c: Checker) -> Iterator[Problem]:
    """What limits a phase limits something that is done in it."""
    for i, spec in enumerate(c.game.sequence):
        limits = {"contact": spec.contact != "any", "ways": spec.ways, "zones": spec.zones}
        limits |= {"entry": not spec.entry, "before": spec.before != "any", "marches": not spec.marches}
        limits["allowance"] = not isinstance(spec.allowance, Whole)
        for key in (name for name, given in limits.items() if given and spec.phase != "movement"):
            yield c.error("game.yaml", ["sequence", i, key], "game.phase-limit", key=key, phase=spec.phase)
        whose = {key: getattr(spec, key) for key in ("who", "marks", "barred_marks", "divisions")}
        for key in (k for k, given in whose.items() if given and spec.phase != "movement" and not spec.attacks):
            yield c.error("game.yaml", ["sequence", i, key], "game.phase-whose", key=key, phase=spec.phase)


def weather_dice_are_whole(c: Checker) -> Iterator[Problem]:
    """Every number that the dice of the weather can show has a weather, and only such; so have dice of rallies."""
    game = c.game
    if game.weather_die is not None:
        for i, row in enumerate(game.weather_die.rows):
            for where, shows in (((), row.shows), *((("areas", a), shows) for a, shows in row.areas.items())):
                for problem in _uncovered(game.weather_die.dice, shows):
                    at: Where = ["weather_die", "rows", i, *where]
                    yield c.error("game.yaml", at, problem, dice=game.weather_die.dice)
        if game.weather:
            yield c.error("game.yaml", ["weather"], "game.weather-twice")
    for i, rule in enumerate(game.rules.marks):
        rally = rule.rally
        if rally is not None and rally.dice and rally.passes is None and not _shown(rally.dice, rally.shows):
            told = partial(c.error, "game.yaml", ["rules", "marks", i, "rally"], "game.dice-never")
            yield told(dice=rally.dice, shows=rally.shows or "-")


def sides_change_places(c: Checker) -> Iterator[Problem]:
    """Dice for who goes first are whole, thrown once a turn, and either side then plays all of its phases."""
    game = c.game
    rule = game.order_die
    if rule is None:
        return
    for problem in _uncovered(rule.dice, rule.shows):
        yield c.error("game.yaml", ["order_die"], problem, dice=rule.dice)
    at = [i for i, spec in enumerate(game.sequence) if rule.phase in spec.names]
    if len(at) != 1 or rule.phase in ("movement", "combat"):
        yield c.error("game.yaml", ["order_die", "phase"], "game.order-phase", phase=rule.phase, count=len(at))
        return
    sides = [spec.side for spec in game.sequence[at[0] + 1 :]]
    if sum(a != b for a, b in pairwise(sides)) != 1:
        yield c.warning("game.yaml", ["order_die"], "game.order-mixed")


def _shown(dice: str, shows: str) -> bool:
    try:
        return bool(shows) and set(numbers(shows)) <= set(Dice.of(dice).ways)
    except ValueError:
        return False


def _uncovered(dice: str, shows: Iterable[str]) -> Iterator[str]:
    try:
        named = [n for name in shows for n in numbers(name)]
    except ValueError:
        yield "game.dice-unread"
        return
    if sorted(named) != list(Dice.of(dice).ways):
        yield "game.dice-whole"


_FILE: Final = "game.yaml"


def what_lies_beside_the_map_fits(c: Checker) -> Iterator[Problem]:
    """Counts say what the rulebook leaves open and nothing else; markers begin where there is a place for them."""
    game = c.game
    for id_, count in game.counts.items():
        printed = game.markers[id_].count if id_ in game.markers else None
        if printed is not None:
            yield c.error(_FILE, ["counts", id_], "extension.printed", id=id_, count=count, printed=printed)
    if kinds := tuple(game.uncounted()):
        yield c.warning(_FILE, ["counts"], "extension.uncounted", kinds=kinds)
    yield from _starts(c, game)


def _starts(c: Checker, game: Supplies) -> Iterator[Problem]:
    for id_, marker in game.markers.items():
        start, at = marker.start, ["markers", id_, "start"]
        if start is None:
            continue
        if bool(start.track) == bool(start.hexes):
            yield c.error(_FILE, at, "extension.no-start", id=id_)
        elif start.track in game.tracks:
            track = game.tracks[start.track]
            if start.box and start.box not in track.boxes:
                yield c.error(_FILE, at, "extension.no-box", box=start.box, track=start.track, known=track.boxes)
            elif not start.box and track.first_room is None:
                yield c.error(_FILE, at, "extension.no-waiting", track=start.track)


def weather_fills_the_turns(c: Checker) -> Iterator[Problem]:
    """Every turn has one weather where the game has weather at all."""
    game = c.game
    for turn in range(game.turns.first, game.turns.last + 1):
        kinds = [w for w, turns in game.weather.items() if in_turns(turns, turn)]
        if game.weather and len(kinds) != 1:
            yield c.error("game.yaml", ["weather"], "game.weather", turn=turn, count=len(kinds))


def options_can_be_judged(c: Checker) -> Iterator[Problem]:
    """The referee can judge by every choice of an option, and its default is among them."""
    for name, option in c.game.options.items():
        known_choices = OPTIONS.get(name, option.choices)
        for choice in option.choices:
            if choice not in known_choices:
                at = ("options", name, "choices")
                yield c.error("game.yaml", at, "game.choice", choice=choice, known=known_choices)
        if option.default not in option.choices:
            at = ("options", name, "default")
            yield c.error("game.yaml", at, "game.default", default=option.default, known=option.choices)


def gaps_lie_on_the_rim(c: Checker) -> Iterator[Problem]:
    """Hexes of the perimeter that no edge has lie on it."""
    rule = c.rules.combat.off_map
    for edge, hexes in rule.gaps.items() if rule is not None else ():
        for hex_ in hexes:
            if hex_ not in c.rim:
                yield c.error("game.yaml", ["rules", "combat", "off_map", "gaps", edge], "game.gap", hex=hex_)
