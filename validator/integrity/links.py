"""How logs follow from one another: which begins where which ended, which was begun anew, which is a copy."""

from __future__ import annotations

import hashlib
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Final

from hexforge.validator.integrity.kinds import note
from hexforge.validator.transcribe.noted import Noted, Origin, faces_told
from hexforge.validator.transcribe.undo import dice_of

if TYPE_CHECKING:
    from hexforge.validator.transcribe.chain import LogRead, LogStanding

_FEWEST: Final = 2
"""Actions that two logs must have in common before it is no coincidence."""


@dataclass(frozen=True, eq=False)
class Leg:
    """A log as a part of the way from the first position to the last, with marks of its two ends."""

    log: LogRead
    hand: str

    @cached_property
    def whole(self) -> str:
        """A mark of all that it holds."""
        return hashlib.sha256(self.log.game.text).hexdigest()

    @cached_property
    def begins(self) -> str:
        """A mark of the position that it begins with."""
        return _mark(self.log.start)

    @cached_property
    def ends(self) -> str:
        """A mark of the position that it ends with."""
        return _mark(self.log.end)

    @cached_property
    def actions(self) -> tuple[bytes, ...]:
        """Marks of its actions."""
        return tuple(hashlib.sha256(step.encode()).digest() for step in self.log.game.steps)

    @property
    def where(self) -> Origin:
        """Its beginning."""
        return Origin(self.log.name, 0)


def _mark(standing: LogStanding) -> str:
    """A mark of a position as far as it may be seen; hidden pieces and decks show nothing."""
    found = hashlib.sha256()
    for id_, view in sorted(standing.pieces.items()):
        if view.hidden or view.deck or view.map is None:
            continue
        levels = sorted(view.levels.items())
        found.update(repr((id_, view.map, view.x, view.y, [] if view.masked else levels)).encode())
    found.update(repr(sorted(standing.turns.items())).encode())
    return found.hexdigest()


def broken(legs: Sequence[Leg], astray: Mapping[str, bool]) -> Iterator[Noted]:
    """What can be said of logs that do not begin where the one before them ended, and of copies.

    `astray` names the logs of which that is so: True, or False for one that begins where the one before it began,
    which is told already.
    """
    copies: dict[str, Leg] = {}
    for i, leg in enumerate(legs):
        if first := copies.get(leg.whole):
            yield note(leg.where, "same-file", earlier=first.log.name, later=leg.log.name)
            continue
        copies[leg.whole] = leg
        if i and leg.log.name in astray:
            told = not astray[leg.log.name] and legs[i - 1].hand != leg.hand
            twins = legs[: i - 1] if told else legs[:i]
            twin = next((other for other in twins if other.begins == leg.begins), None)
            if twin is not None:
                yield _again(twin, leg, next((other for other in legs if other.ends == leg.begins), None))
            elif astray[leg.log.name]:
                yield _explained(legs, i)


def _explained(legs: Sequence[Leg], i: int) -> Noted:
    """Why a log may not begin where the one before it ended."""
    leg, names = legs[i], {"later": legs[i].log.name}
    after = next((other for other in legs if other is not leg and other.ends == leg.begins), None)
    if after is not None:
        return note(leg.where, "belongs-after", earlier=after.log.name, **names)
    return note(leg.where, "nothing-before", **names)


def _again(first: Leg, second: Leg, root: Leg | None) -> Noted:
    """Two logs that begin from one position, that at the end of `root` if there is such a log."""
    pairs = zip(first.actions, second.actions, strict=False)
    alike = next((n for n, (a, b) in enumerate(pairs) if a != b), min(len(first.actions), len(second.actions)))
    names = {"earlier": first.log.name, "later": second.log.name}
    if alike == len(first.actions) and alike >= _FEWEST:
        return note(second.where, "goes-on", **names)
    if alike >= _FEWEST:
        return note(Origin(second.log.name, alike + 1), "same-actions", count=alike, **names)
    if first.hand and first.hand == second.hand:
        thrown = [faces_told(e.numbers) for told in first.log.told for e in dice_of(told.action)]
        return note(second.where, "restarted", who=first.hand, dice=tuple(thrown[:8]), count=len(thrown), **names)
    if root is not None:
        return note(second.where, "forks", root=root.log.name, other=first.log.name, later=second.log.name)
    return note(second.where, "begins-alike", **names)


def order_of(legs: Sequence[Leg]) -> list[Leg] | None:
    """The logs in the one order in which each begins where the one before it ended; None where there is none, or
    where it is the order that they are in."""
    begins: dict[str, list[int]] = defaultdict(list)
    for i, leg in enumerate(legs):
        begins[leg.begins].append(i)
    ends = {leg.ends for leg in legs}
    first = [i for i, leg in enumerate(legs) if leg.begins not in ends]
    if len(first) != 1:
        return None
    found = first
    while len(found) < len(legs):
        following = [i for i in begins[legs[found[-1]].ends] if i not in found]
        if len(following) != 1:
            return None
        found.append(following[0])
    return [legs[i] for i in found] if found != sorted(found) else None
