"""What the side to move may ask before it goes on: what it owes, where its units get to, what attacks promise."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING

from hexforge.scenarios.words import HexforgeError, Words
from hexforge.validator import ask
from hexforge.validator.referee.findings import CombatRecord, points
from hexforge.validator.replay.model import Chance, Outlook, Prospect, Replay, Said
from hexforge.validator.report import wording
from hexforge.validator.report.owed import duties_told
from hexforge.validator.report.plain import safe

if TYPE_CHECKING:
    from hexforge.scenarios.hexgrid import Hex
    from hexforge.validator.check import Replayed
    from hexforge.validator.referee.combat.ask import Odds


def outlook(found: Replayed, replay: Replay) -> Outlook:
    """The outlook at the end of a game, of which `replay` is the replay."""
    words = [Words(language, found.scenario.texts) for language in replay.languages]
    spots = {spot.name: number for number, spot in enumerate(replay.spots) if spot.at is not None}
    phase = found.position.phase
    if phase is None:
        return Outlook(_owed(found, words))
    return Outlook(
        _owed(found, words), _reaches(found, phase.side, spots), _prospects(found, phase.side, spots, words)
    )


def _owed(found: Replayed, words: Sequence[Words]) -> tuple[Said, ...]:
    asked = ask.open_duties(found)
    if not (asked.attacks or asked.spared or asked.encircled or asked.undeclared or asked.due):
        return ()
    told = [[safe(line) for line in duties_told(asked, w)] for w in words]
    return tuple(
        {w.language: line for w, line in zip(words, lines, strict=True)} for lines in zip(*told, strict=True)
    )


def _reaches(found: Replayed, side: str, spots: Mapping[str, int]) -> dict[str, tuple[tuple[int, float], ...]]:
    reached: dict[str, tuple[tuple[int, float], ...]] = {}
    for unit in sorted(found.position.on_map(side)):
        try:
            hexes = ask.reach(found, unit).hexes
        except HexforgeError:
            continue
        reached[unit] = tuple((spots[h], points(cost)) for h, (cost, _) in hexes.items() if cost)
    return reached


def _prospects(
    found: Replayed, side: str, spots: Mapping[str, int], words: Sequence[Words]
) -> tuple[Prospect, ...]:
    position = found.position
    enemies = position.boards[position.enemy(side)].at
    return tuple(
        _prospect(ask.odds(found, target, units), units, spots, words)
        for target in sorted(enemies)
        if (units := tuple(_beside(found, target, side)))
    )


def _beside(found: Replayed, target: Hex, side: str) -> Iterator[str]:
    for hex_ in found.context.map.grid.neighbours[target]:
        yield from found.position.at(hex_, side)


def _prospect(odds: Odds, units: tuple[str, ...], spots: Mapping[str, int], words: Sequence[Words]) -> Prospect:
    figures = odds.figures
    record = CombatRecord(
        0, "combat", (odds.target,), figures.attack, figures.defence, figures.odds, None, figures.shifts,
        figures.column_name, parts=figures.parts, die=figures.die, changes=figures.changes,
    )  # fmt: skip
    told = {
        w.language: safe(w("page.outlook.odds", units=" ".join(units), work=wording.work_alone(record, w)))
        for w in words
    }
    chances = tuple(Chance(" ".join(c.codes), round(float(c.probability), 4)) for c in odds.chances)
    return Prospect(spots[odds.target], units, told, chances)
