"""The throws and attacks of all games that were named."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Unpack

from hexforge.scenarios.words import HexforgeError, Language, languages
from hexforge.validator.dice.throws import RolledAttack, Throw, attacks_of, throws_of
from hexforge.validator.dossier import dossier
from hexforge.validator.jobs import processors, worth_several
from hexforge.validator.judging import Judging
from hexforge.validator.transcribe.judged import Manner


@dataclass
class Thrown:
    """Throws and attacks of games, what could not be read (its name and why), and the names of their sides.

    `closed`: something that mails and archives carry could not be opened.
    """

    throws: list[Throw] = field(default_factory=list)
    attacks: list[RolledAttack] = field(default_factory=list)
    failures: list[tuple[str, Exception]] = field(default_factory=list)
    closed: bool = False
    sides: dict[str, dict[Language, str]] = field(default_factory=dict)


def thrown_in(
    paths: Iterable[str | Path],
    options: Mapping[str, str] | None = None,
    told: Callable[[int, int], None] | None = None,
    **how: Unpack[Manner],
) -> Thrown:
    """Read all games that are named, as `check` would. `told` hears how many are read, and how many there are.

    Raises NothingThere for a folder with nothing in it.
    """
    named = [str(path) for path in paths]
    how["progress"] = None
    judging = Judging(named, options, **how)
    found = Thrown(failures=list(judging.failures), closed=judging.closed)
    roots = [path for path in named if Path(path).is_dir()]
    start = time.monotonic()
    for number, work in enumerate(judging.works(apart=True), 1):
        try:
            game = dossier(work, roots, options, **how)
        except (HexforgeError, OSError) as error:
            found.failures.append((work.source, error))
            continue
        found.throws += throws_of(game.answer, game.chain, game=game.name, round_=game.round)
        found.attacks += attacks_of(game.answer, game=game.name, round_=game.round)
        for side in game.answer.scenario.game.sides if game.answer.scenario is not None else ():
            named_ = {code: game.answer.words(code).heading("sides", side.id) for code in languages()}
            found.sides.setdefault(side.id, named_)
        if told is not None:
            told(number, judging.count)
        # What people say takes longer to be read than to be judged.
        if worth_several(number, judging.count, time.monotonic() - start, processors()):
            judging.hearers = processors()
    return found
