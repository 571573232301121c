"""What stands above the first turn of a transcribed sheet: header, and the position where it is not the set-up."""

from __future__ import annotations

from typing import TYPE_CHECKING

from hexforge.scenarios.language import Language
from hexforge.validator.readers import statements as st
from hexforge.validator.readers.words import vocabulary_of
from hexforge.validator.readers.writer import write_statement
from hexforge.validator.transcribe.chain import Chain
from hexforge.validator.transcribe.noted import Origin
from hexforge.validator.transcribe.paper import Started
from hexforge.validator.transcribe.scribe import Scribe
from hexforge.validator.transcribe.spots import Spot, first_clock

if TYPE_CHECKING:
    from hexforge.scenarios.model import Scenario
    from hexforge.validator.transcribe.marks import Marks

Line = tuple[str, Origin]


def outline(scribe: Scribe, chain: Chain, marks: Marks, scenario: Scenario, lang: Language) -> list[Line]:
    """The lines before the first turn. What players typed of them stands, and stands alone where it says all."""
    start = Origin(chain.logs[0].name, 0)
    typed = [(("  " if i.indent else "") + i.text, i.origin) for i in scribe.header]
    words = {line.split()[0].lower() for line, _ in typed if line.strip()}
    if any(log.game.damage is not None for log in chain.logs) and not words & {"partial", "parcial"}:
        # What is owed at a phase's end may stand in the part that was lost.
        typed.append((write_statement(st.Partial(0), lang), start))
    if words & {"sheet", "planilha", "folha"}:
        return typed
    lines: list[Line] = [
        (write_statement(st.SheetVersion(0, 1), lang), start),
        (write_statement(st.GameName(0, scenario.name), lang), start),
    ]
    names = _players(chain, marks)
    if names and not words & {"players", "jogadores"}:
        lines.append((write_statement(st.Players(0, names), lang, scribe.words), start))
    own_position = bool(words & {"position", "posição", "posicao", "setup", "preparação", "disposição"})
    if own_position:
        return [*lines, *typed]
    first = chain.logs[0]
    # Where not even the first action was reached, the position may lack units that stood on the map.
    cut = first.game.damage is not None and not first.told
    return [*lines, *typed, *_position(scribe.started, scenario, start, lang, whole=not cut)]


def _players(chain: Chain, marks: Marks) -> tuple[tuple[str, str], ...]:
    found: dict[str, str] = {}
    for log in chain.logs:
        for name, side in log.players:
            if side in marks.sides and name.strip():
                found[marks.sides[side]] = " ".join(name.split())
    return tuple((side, found[side]) for side in marks.sides.values() if side in found)


def _printed(scenario: Scenario) -> dict[str, str]:
    """Where the rulebook puts the units that have no choice."""
    return {u: p.hexes[0] for p in scenario.setup.at_start if len(p.hexes) == 1 and not p.areas for u in p.units}


def _position(started: Started, scenario: Scenario, start: Origin, lang: Language, *, whole: bool) -> list[Line]:
    on_map = {u: s for u, s in started.at.items() if s.place == "hex"}
    printed = _printed(scenario)
    plain = not any(s.reduced for s in started.at.values()) and not any(
        s.place in ("dead", "left") for s in started.at.values()
    )
    first = whole and started.clock == first_clock(scenario)
    if first and plain and {u: s.hex for u, s in on_map.items()} == printed:
        return []
    order = {u: i for i, u in enumerate(scenario.counters)}
    units = sorted(on_map, key=lambda u: (order.get(u, len(order)), u))
    placed = started.placed
    lines: list[Line] = []
    if first and plain:
        lines.append((write_statement(st.SetupStart(0), lang), start))
    else:
        lines.append((write_statement(st.PositionStart(0), lang), start))
    for unit in units:
        text = write_statement(st.Placement(0, unit, on_map[unit].hex, on_map[unit].reduced), lang)
        lines.append((f"  {text}", placed.get(unit, start)))
    if not (first and plain):
        lines += [(f"  {text}", start) for text in _rest(started, scenario, lang)]
    return lines


def _rest(started: Started, scenario: Scenario, lang: Language) -> list[str]:
    """Air points, the dead, and what a position cannot say of those that left."""
    rule = scenario.game.rules.combat.air
    found: list[str] = []
    words = vocabulary_of(scenario)
    if rule is not None and started.air:
        found.append(write_statement(st.AirPoints(0, rule.side, started.air), lang, words))
    gone: dict[str, Spot] = {u: s for u, s in started.at.items() if s.place in ("dead", "left")}
    for unit, spot in gone.items():
        counter = scenario.counters.get(unit)
        if counter is None:
            continue
        if spot.place == "dead":
            lost = st.LostUnit(0, counter.side, counter.type, counter.attack, counter.defence, counter.move)
            found.append(write_statement(lost, lang, words))
        else:
            said = "saiu do mapa antes deste registro" if lang == "pt" else "left the map before this log"
            found.append(f"# {unit}: {said}")
    return found
