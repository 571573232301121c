"""Lines in people's words, read clause by clause: the fewest clauses of which each fills one frame.

What a line may say depends on where it stands: on the phase that is open, and on what has been told of the combat
at hand. A line is read whole or not at all; the word that no frame explains is named, and what the line may mean is
proposed as lines of the notation.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Final, NamedTuple

from ..notation import base
from ..notation import statements as st
from ..notation import statements_head as head
from ..notation.cursor import LogicalLine
from ..notation.words import Vocabulary
from .combat_report import Report
from .frames import (
    FATES,
    FRAMED,
    REPORTED,
    Context,
    Filled,
    Tags,
    Unexplained,
    Verb,
    fill,
    is_idle,
    verbs,
)
from .tagging import Tag, tag

_MOST_TAGS: Final = 150
"""Words of a line that is looked into: a longer one is no order."""
_MOST_CUTS: Final = 24
_CUTS: Final = (",", ";", ".", ":", "=", "->", "(", ")", "|")
_GOING: Final = (st.Move, st.Enter, st.Retreat, st.Advance)
_PROPOSED: Final = 3


@dataclass(frozen=True, slots=True)
class Reading:
    """What a line says. `unexplained`: the word for which it is not read; `idle`: it says that nothing is done."""

    statements: tuple[base.Statement, ...] = ()
    unexplained: Tag | None = None
    idle: bool = False

    def __bool__(self) -> bool:
        return bool(self.statements) or self.idle


class Proposal(NamedTuple):
    """What an unread line may mean, and its words that this leaves out."""

    statements: tuple[base.Statement, ...]
    dropped: tuple[Tag, ...]


def read_clauses(line: LogicalLine, words: Vocabulary, context: Context, declared: Collection[str] = ()) -> Reading:
    """What a line says in its writer's own words."""
    tags = tag(line, words, declared)
    if not words.units or len(tags) > _MOST_TAGS:
        return Reading(unexplained=tags[0] if tags else None)
    reader = _Clauses(tags, words, context)
    if reader.says_nothing():
        return Reading(idle=True)
    found = reader.read()
    if found is None:
        return Reading(unexplained=reader.unexplained())
    return Reading(tuple(replace(one, line=line.line) for one in found))


def proposals(
    line: LogicalLine, words: Vocabulary, context: Context, declared: Collection[str] = ()
) -> list[Proposal]:
    """What an unread line may mean, the likeliest first: the readings that leave out the fewest of its words."""
    tags = tag(line, words, declared)
    if not words.units or len(tags) > _MOST_TAGS:
        return []
    return _Clauses(tags, words, context).proposals()[:_PROPOSED]


class _Clauses:
    def __init__(self, tags: Tags, words: Vocabulary, context: Context) -> None:
        self._tags, self._words, self._context = tags, words, context
        self._cuts = [i for i, t in enumerate(tags) if self._cut(t)][:_MOST_CUTS]
        self._failed: dict[tuple[int, Context], None] = {}

    def _cut(self, tag_: Tag) -> bool:
        if tag_.mark:
            return tag_.mark in _CUTS or tag_.mark == "+"
        return not tag_.strong and self._words.meaning("fillers", tag_.key) == "and"

    # ------------------------------------------------------------------------------------ the whole line

    def read(self) -> list[base.Statement] | None:
        if not self._context.moving and any(self._words.meaning("intents", t.key) for t in self._tags):
            return None  # who says what he will do in a combat foretells it
        return self._from(0, self._context, None, ())

    def _from(
        self, at: int, context: Context, carried: Verb | None, subject: tuple[str, ...]
    ) -> list[base.Statement] | None:
        """The statements from a word on; None where the rest is not read. `carried`: the last verb of the line."""
        while at < len(self._tags) and self._passes(at):
            at += 1
        if at == len(self._tags):
            return []
        if (at, context) in self._failed:
            return None
        for end in self._ends(at):
            found = self._clause(self._tags[at:end], context, carried, subject)
            if found is None or (self._spans(at, end) and not _is_report(found)):
                continue
            strong = end < len(self._tags) and self._tags[end].mark in (";", ".")
            after = replace(context.after(found), opened=_opens(found) and not strong)
            verb = None if strong else type(found[-1])
            rest = self._from(end, after, verb, _units(found[-1]) or subject)
            if rest is not None:
                return [*found, *rest]
        self._failed[at, context] = None
        return None

    def _ends(self, at: int) -> Iterator[int]:
        """Where a clause that begins at a word may end, the longest first; a report may hold several sentences."""
        cuts = [c for c in self._cuts if c > at]
        stop = next((c for c in cuts if self._tags[c].mark in (";", ".")), len(self._tags))
        if self._context.fighting and stop < len(self._tags):
            yield from (
                len(self._tags),
                *(c for c in reversed(cuts) if self._tags[c].mark in (";", ".") and c > stop),
            )
        yield stop
        yield from (c for c in reversed(cuts) if c < stop)

    def _spans(self, at: int, end: int) -> bool:
        return any(self._tags[c].mark in (";", ".") for c in self._cuts if at < c < end - 1)

    def _passes(self, at: int) -> bool:
        one = self._tags[at]
        return (
            self._cut(one)
            or one.mark in ("[", "]", "&", "/", "-")
            or (
                not (one.mark or one.strong or self._words.meaning("subjects", one.key))
                and is_idle(self._tags, at, self._words)
            )
        )

    def _clause(
        self, tags: Tags, context: Context, carried: Verb | None, subject: tuple[str, ...]
    ) -> list[base.Statement] | None:
        found: list[list[base.Statement]] = []
        for cls in self._candidates(tags, context, carried):
            try:
                said = self._fill(cls, tags, context, subject).statements
            except Unexplained:
                continue
            if self._fit(said, context):
                found.append(said)
                break
        return found[0] if found else None

    def _fill(
        self, cls: Verb, tags: Tags, context: Context, subject: tuple[str, ...] = (), *, lenient: bool = False
    ) -> Filled:
        if cls is st.Combat:
            report = Report(self._words, context, lenient)
            report.take(tags)
            return Filled(report.statements(), report.dropped)
        if cls is head.Placement:
            return self._placed(tags, context, lenient)
        filled = fill(cls, tags, self._words, context, subject=subject, lenient=lenient)
        if cls in _GOING:
            filled.statements = [self._gone(one, context) for one in filled.statements]
        return filled

    def _candidates(self, tags: Tags, context: Context, carried: Verb | None) -> Iterator[Verb]:
        """The frames that a clause may fill: those of its verbs, else those that its context leaves."""
        begun = [cls for _, classes in verbs(tags, self._words, context) for cls in classes]
        framed = [cls for cls in dict.fromkeys(begun) if cls in FRAMED]
        if context.placing:
            yield head.Placement
            return
        if context.moving:
            sides = {self._words.side(unit) for one in tags for unit in one.units} - {"", context.side}
            fates = not sides and any(cls in (st.Advance, st.Retreat) for cls in framed)
            framed = [cls for cls in framed if cls not in FATES] + ([st.Move] if fates else [])
        yield from framed
        strong = next((t for t in tags if t.units or t.hexes), None)
        goes = context.resolved and not begun and strong is not None and bool(strong.units)
        last = carried or context.carried
        if not begun and last in FRAMED and (context.moving or goes or last in FATES):
            yield last
        if context.moving and not [c for c in begun if c not in FATES]:
            yield from () if begun else (st.Move,)
        elif goes:
            yield st.Retreat
        if context.fighting and (not framed or any(cls in REPORTED for cls in begun)):
            yield st.Combat

    def _fit(self, said: Sequence[base.Statement], context: Context) -> bool:
        """Whether statements may stand where the line does: nobody goes or fights in another phase."""
        for one in said:
            if context.fighting and isinstance(one, st.Move | st.Enter | st.Exit | st.RailMove):
                return False
            if not context.fighting and isinstance(one, base.Act):
                return False
            if isinstance(one, base.Act) and not (context.engaged or context.after(said).engaged):
                return False
            if isinstance(one, st.Engagement) and context.opened:
                return False  # behind a comma nobody goes on to another combat
            units = _units(one)
            if isinstance(one, st.Advance) and {self._words.side(unit) for unit in units} - {"", context.side}:
                return False
            sides = {self._words.side(unit) for unit in units} - {""}
            if len(sides) > 1 and not isinstance(one, st.Lose | st.Eliminate):
                return False
        return True

    def _gone(self, one: base.Statement, context: Context) -> base.Statement:
        """Who goes somewhere after a combat: attackers into its hex advance, all others retreat."""
        if not context.fighting or not isinstance(one, st.Move | st.Enter | st.Retreat | st.Advance):
            return one
        if not context.resolved:
            return one
        sides = {self._words.side(unit) for unit in one.units}
        into = one.path[-1] in context.engaged
        if into and sides == {context.side}:
            return st.Advance(0, one.units, one.path)
        if isinstance(one, st.Move) and not into:
            return st.Retreat(0, one.units, one.path)
        return one

    def _placed(self, tags: Tags, context: Context, lenient: bool) -> Filled:
        """Units with the hex that each stands in."""
        units: list[str] = []
        hexes: list[str] = []
        dropped: list[Tag] = []
        reduced = False
        for i, one in enumerate(tags):
            if one.units and not hexes:
                units += one.units
            elif one.hexes and not hexes and units:
                hexes.append(one.hexes[0])
            elif self._words.meaning("words", one.key) == "reduced":
                reduced = True
            elif not (one.mark or is_idle(tags, i, self._words)):
                if not lenient:
                    raise Unexplained(one)
                dropped.append(one)
        if not units or not hexes:
            raise Unexplained
        return Filled([head.Placement(0, unit, hexes[0], int(reduced)) for unit in units], dropped)

    # ------------------------------------------------------------------------------------ nothing, or something

    def says_nothing(self) -> bool:
        """Whether a line says that units stay where they are, or that nothing is done in what it names."""
        words = self._words
        said = {words.meaning("staying", t.key) for t in self._tags if not t.strong and not t.mark}
        stays = "stays" in said or {"denied", "motion"} <= said
        none = {words.meaning("idle", t.key) for t in self._tags if not t.strong and not t.mark}
        if self._context.moving and stays and (any(t.units for t in self._tags) or "others" in said):
            return all(self._stays(i) for i in range(len(self._tags)))
        named = any(self._names_deed(t) for t in self._tags)
        return bool(none & {"none", "nobody"}) and named and all(map(self._is_nothing, range(len(self._tags))))

    def _stays(self, at: int) -> bool:
        one, words = self._tags[at], self._words
        if one.mark or one.units:
            return one.mark != "?"
        known = words.meaning("staying", one.key) or words.meaning("besides", one.key) in ("stays", "again")
        return not one.strong and bool(known or is_idle(self._tags, at, words))

    def _names_deed(self, one: Tag) -> bool:
        begun = base.beginning(self._words.meaning("statements", one.key) or "") if not one.strong else []
        return bool(begun) or self._words.meaning("phases", one.key) is not None

    def _is_nothing(self, at: int) -> bool:
        one, words = self._tags[at], self._words
        if one.mark:
            return one.mark != "?"
        idle = words.meaning("idle", one.key) is not None or is_idle(self._tags, at, words)
        return not one.strong and (idle or self._names_deed(one))

    # ------------------------------------------------------------------------------------ what is not read

    def unexplained(self) -> Tag | None:
        """The word for which the line is not read: one that nothing knows, else the first that a frame refuses."""
        strange = (t for i, t in enumerate(self._tags) if is_strange(self._tags, i, self._words))
        if (found := next(strange, None)) is not None:
            return found
        for cls in self._candidates(self._tags, self._context, None):
            try:
                self._fill(cls, self._tags, self._context)
            except Unexplained as error:
                if error.tag is not None:
                    return error.tag
        return next((t for t in self._tags if not t.mark), None)

    def proposals(self) -> list[Proposal]:
        """See `proposals`."""
        found: dict[tuple[base.Statement, ...], Proposal] = {}
        candidates = [*self._candidates(self._tags, self._context, None)]
        if self._context.moving:
            candidates += [st.Move, st.Enter]
        elif self._context.fighting:
            candidates += [st.Combat, st.Retreat, st.Advance, st.Lose]
        for cls in dict.fromkeys(candidates):
            try:
                filled = self._fill(cls, self._tags, self._context, lenient=True)
            except Unexplained:
                continue
            said = tuple(filled.statements)
            if said and self._fit(said, self._context):
                found.setdefault(said, Proposal(said, tuple(filled.dropped)))
        return sorted(found.values(), key=lambda p: len(p.dropped))


def is_strange(tags: Tags, at: int, words: Vocabulary) -> bool:
    """Whether nothing knows a word."""
    one = tags[at]
    if one.mark or one.strong or is_idle(tags, at, words):
        return False
    return not any(words.meaning(section, one.key) for section in words.known)


def _opens(found: Sequence[base.Statement]) -> bool:
    return any(isinstance(one, st.Engagement) for one in found)


def _is_report(found: Sequence[base.Statement]) -> bool:
    """Whether statements are of a combat's report, which may go over several sentences."""
    return all(isinstance(one, REPORTED) for one in found)


def _units(one: base.Statement) -> tuple[str, ...]:
    units = getattr(one, "units", ())
    return units if all(isinstance(unit, str) for unit in units) else ()
