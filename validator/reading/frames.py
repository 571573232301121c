"""Frames: what a clause in people's words says, by the verbs, the slots and the idle words that statements declare.

A frame is a class of statements as `notation.base` lays it out: each argument is a slot, `After` the word that
leads to it, `idle` the sections of words that mean nothing in it. Every word of a clause must be its verb, fill a
slot, lead to one or be idle in it; else the clause is not read, and the word is named.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Final, TypeAlias

from ..notation import base, kinds
from ..notation import statements as st
from ..notation.words import Vocabulary
from .tagging import Tag

Tags: TypeAlias = Sequence[Tag]
Verb: TypeAlias = type[base.Statement]

FRAMED: Final[tuple[Verb, ...]] = (
    st.Move, st.Enter, st.Exit, st.RailMove, st.Recover, st.BuildBridge, st.ClearTrail, st.Rally, st.Mark,
    st.Attrition, st.AirRoll, st.WeatherRoll, st.OrderRoll, st.AirStrike, st.Lose, st.Eliminate, st.RetreatOf,
    st.Retreat, st.Advance, st.LossRoll, st.MoraleRoll, st.Score,
)  # fmt: skip
REPORTED: Final[tuple[Verb, ...]] = (
    st.Combat, st.Overrun, st.Bombard, st.Attack, st.Support, st.Guard, st.AirSupport, st.Declare, st.Roll,
    st.Result,
)  # fmt: skip
"""Statements that the report of a combat is made of; the first three open one."""
_GOING: Final = (st.Move, st.Retreat, st.Advance)
FATES: Final = (st.Lose, st.Eliminate, st.Retreat, st.RetreatOf, st.Advance)
IDLE: Final = ("fillers", "adverbs", "intents", "copulas", "beside-turns")
"""Sections of words that mean nothing in any frame."""
_BIG: Final = ("regiment", "division", "corps", "formation")
_JOINS: Final = {"->": "->", "/": "/", "~": kinds.OPEN, "-": kinds.OPEN, "…": kinds.OPEN}
PUNCTUATION: Final = (*",;.:()[]|=/&+-", "~", "->")
OPEN_ENDS: Final = ("->", "~")
_ORDER: Final = {"from": 0, "via": 1, "to": 2}
"""Where in a way the hexes behind a word stand, wherever it is said: `to 0622 from 0522`."""


class Unexplained(Exception):
    """A word of a clause that nothing in a frame explains; None where something that the frame needs lacks."""

    def __init__(self, tag: Tag | None = None) -> None:
        super().__init__(tag)
        self.tag = tag


@dataclass(frozen=True)
class Context:
    """What is open where a line stands: the phase, whose it is, the combat and what of it has been told.

    `engaged` are the hexes of the combat; `told` the classes of what was said in it; `lists`: the class of heads
    that a heading announced, `carried`: that of statements.
    `reckoned`: which of `odds`, `column`, `either` are told. `opened`: the same sentence has begun a combat.
    `way`: where those of the line before went. `placing`: a position is being set up.
    """

    moving: bool = False
    fighting: bool = False
    side: str = ""
    engaged: tuple[str, ...] = ()
    told: frozenset[Verb] = frozenset()
    lists: Verb = st.Combat
    carried: Verb | None = None
    reckoned: frozenset[str] = frozenset()
    opened: bool = False
    way: tuple[str, ...] = ()
    placing: bool = False

    def after(self, statements: Sequence[base.Statement]) -> Context:
        """The context behind some statements of a line."""
        found = self
        for one in statements:
            if isinstance(one, st.Engagement):
                found = replace(found, engaged=one.targets, told=frozenset({type(one)}), reckoned=frozenset())
            elif isinstance(one, base.Act):
                told = {n for n in ("odds", "column", "either") if getattr(one, n, None)}
                found = replace(found, told=found.told | {type(one)}, reckoned=found.reckoned | told)
        return found

    @property
    def lists_attackers(self) -> bool:
        """Whether units alone are who attacks: in a combat of which nothing more is told."""
        return bool(self.engaged and self.engaged[0]) and self.told <= {st.Combat, st.Attack, st.Support}

    @property
    def resolved(self) -> bool:
        """Whether the result of the combat is told: what follows says who goes where."""
        return st.Result in self.told


@dataclass
class Filled:
    """What a clause says, and the words of it that nothing explains, where these were left out."""

    statements: list[base.Statement]
    dropped: list[Tag] = field(default_factory=list)


# ------------------------------------------------------------------------------------------ verbs


def verbs(tags: Tags, words: Vocabulary, context: Context) -> list[tuple[int, tuple[Verb, ...]]]:
    """The verbs of a clause: where they stand, and the classes of statements that they may begin."""
    found = []
    for i, tag in enumerate(tags):
        if tag.mark or tag.units or tag.hexes or tag.ratio:
            continue
        if classes := _begun(tags, i, words, context):
            found.append((i, classes))
    return found


def _begun(tags: Tags, at: int, words: Vocabulary, context: Context) -> tuple[Verb, ...]:
    key = tags[at].key
    following = tags[at + 1] if at + 1 < len(tags) else None
    said: list[str] = []
    labels = following is not None and following.mark == ":"
    for section, fits in (
        ("labels", labels or at == 0),
        ("statements", True),
        ("behind-units", any(t.units for t in tags)),
        ("shortened", any(t.number is not None or t.units for t in tags[at + 1 :])),
    ):
        if fits and (word := words.meaning(section, key)):
            said.append(word)
    if said in ([], ["exit"]) and _moves(key, words) and any(t.units for t in tags):
        said.append("move")
    classes = [cls for word in dict.fromkeys(said) for cls in base.beginning(word)]
    return tuple(dict.fromkeys(cls for cls in classes if cls in FRAMED or cls in REPORTED))


def _moves(key: str, words: Vocabulary) -> bool:
    moves = words.meaning("motions", key) or words.meaning("crossings", key)
    return moves is not None and words.meaning("words", key) is None


# ------------------------------------------------------------------------------------------ frames of one statement


@dataclass
class _Slot:
    part: base.DeclaredArgument
    tags: list[Tag] = field(default_factory=list)
    joins: list[str] = field(default_factory=list)

    @property
    def name(self) -> str:
        return self.part.kind.part or self.part.kind.name

    @property
    def after(self) -> str:
        return self.part.after.word if self.part.after else ""

    def takes(self, tag: Tag, words: Vocabulary) -> bool:
        """Whether a tag may stand in it."""
        match self.name:
            case "units":
                return bool(tag.units)
            case "unit":
                return len(tag.units) == 1 and not self.tags
            case "path" | "hexes":
                return bool(tag.hexes) and len(tag.hexes) == 1
            case "hex" | "hexside" | "spot":
                return len(tag.hexes) == 1 and len(self.tags) < (1 if self.name == "hex" else 2)
            case "number" | "turn" | "die" | "thrown":
                return tag.number is not None and (tag.weak or not tag.units) and not tag.hexes and not self.tags
            case "dice":
                return (tag.number is not None or tag.ratio is not None) and not tag.hexes
            case "scores":
                return tag.number is not None or words.meaning("sides", tag.key) is not None
        section = self.part.kind.section or ("flags" if self.name == "mark" else "")
        return (
            bool(section) and self.name != "role" and not self.tags and words.meaning(section, tag.key) is not None
        )

    def value(self, words: Vocabulary) -> Any:
        """Its value by its tags."""
        first = self.tags[0]
        match self.name:
            case "units":
                return tuple(dict.fromkeys(unit for tag in self.tags for unit in tag.units))
            case "unit":
                return first.units[0]
            case "path":
                return path_of(self.tags, self.joins, words)
            case "hexes":
                return tuple(tag.hexes[0] for tag in self.tags)
            case "hex":
                return first.hexes[0]
            case "hexside":
                if len(self.tags) < 2:
                    raise Unexplained
                return first.hexes[0], self.tags[1].hexes[0]
            case "number" | "turn" | "die" | "thrown":
                return first.number
            case "dice":
                return tuple(faces_of(self.tags))
            case "scores":
                return tuple(self._scores(words))
        section = self.part.kind.section or "flags"
        return words.meaning(section, first.key)

    def _scores(self, words: Vocabulary) -> Iterator[tuple[str, int]]:
        if len(self.tags) % 2:
            raise Unexplained
        for side, points in zip(self.tags[::2], self.tags[1::2], strict=True):
            meant = words.meaning("sides", side.key)
            if meant is None or points.number is None:
                raise Unexplained(side)
            yield meant, points.number


def path_of(tags: Tags, joins: Sequence[str], words: Vocabulary) -> tuple[str, ...]:
    """The hexes of a way, each once, with the way between them left open where it is not told.

    Who says through which hexes units go, and not from where, leaves the way to the first of these open too.
    """
    places: list[int] = []
    leads = ("to", *joins[1:]) if joins[:1] == ["->"] else joins  # an arrow before all hexes leads to the last
    for joint in leads:
        places.append(_ORDER.get(joint, places[-1] if places else 1))
    if not any(places):
        raise Unexplained(tags[-1])  # from where, and not where to
    found: list[str] = []
    for _, tag, joint in sorted(zip(places, tags, joins, strict=True), key=lambda one: one[0]):
        goal = tag.hexes[0]
        if found and found[-1] == goal:
            continue
        if found and (joint == kinds.OPEN or not words.adjacent(found[-1], goal)):
            found.append(kinds.OPEN)
        found.append(goal)
    passes = "via" in joins and 0 not in places and len(found) > 1
    return (kinds.OPEN, *found) if passes else tuple(found)


def faces_of(tags: Tags) -> Iterator[int]:
    """The faces of dice, of which one may be the sum of the others."""
    found: list[int] = []
    for tag in tags:
        found += map(int, tag.ratio) if tag.ratio and tag.number is None else [tag.number or 0]
    sums = [i for i, face in enumerate(found) if len(found) > 2 and face == sum(found) - face]
    yield from (face for i, face in enumerate(found) if i not in sums[:1])


def fill(
    cls: Verb,
    tags: Tags,
    words: Vocabulary,
    context: Context,
    *,
    subject: tuple[str, ...] = (),
    lenient: bool = False,
) -> Filled:
    """The statement of a class that a clause is. Raises Unexplained.

    `subject`: the units of the clause before it, where it names none; `lenient`: leaves out what nothing explains.
    """
    filling = _Filling(cls, tags, words, context)
    dropped = []
    for at, tag in enumerate(tags):
        if not filling.explains(at):
            if not lenient:
                raise Unexplained(tag)
            dropped.append(tag)
    return Filled([filling.statement(subject)], dropped)


class _Filling:
    """A clause that fills the slots of a class of statements, word by word."""

    def __init__(self, cls: Verb, tags: Tags, words: Vocabulary, context: Context) -> None:
        self._cls, self._tags, self._words, self._context = cls, tags, words, context
        form = base.layout(cls)
        self._fixed = form.words[1:]
        self._slots = [_Slot(part) for part in (*form.required, *form.optional)]
        self._steps, self._again = 1, False
        self._current: _Slot | None = None
        """The slot that a small word led to."""
        self._last: _Slot | None = None
        self._joint, self._bracket, self._inside = "", 0, False
        self._idle = idle_of(tags, words, base.idle(cls))
        going = {*_GOING} if cls is st.Move else {cls}
        self._verbs = {i for i, classes in verbs(tags, words, context) if going & {*classes}}

    def explains(self, at: int) -> bool:
        """Take a word; whether the frame has a meaning for it."""
        tag, words = self._tags[at], self._words
        if tag.mark:
            return self._mark(tag)
        takes = not tag.strong and any(s.part.kind.section and s.takes(tag, words) for s in self._slots)
        if at in self._verbs:
            self._last = None if self._last is not None and self._last.name == "units" else self._last
            self._joint = ""
        if at in self._verbs or (at in self._idle and not takes):
            return True
        word = words.meaning("words", tag.key) if not tag.strong else None
        if self._leads(tag, word) or self._is_besides(tag, at):
            return True
        if (slot := self._slot_of(tag)) is not None:
            return self._put(tag, slot, at)
        if word in ("to", "via", "from", "by") and any(s.name in ("path", "hex", "hexes") for s in self._slots):
            self._joint = "via" if word == "by" else word
            return True
        return is_idle(self._tags, at, words)

    def _mark(self, tag: Tag) -> bool:
        self._joint = _JOINS.get(tag.mark, self._joint)
        self._bracket += (tag.mark in "([") - (tag.mark in ")]")
        between = self._last is not None and self._last.name == "path" and tag.mark in _JOINS
        return (tag.mark in PUNCTUATION or between) and not (tag.mark in OPEN_ENDS and tag is self._tags[-1])

    def _leads(self, tag: Tag, word: str | None) -> bool:
        """Whether a small word leads to a slot."""
        lead = next((s for s in self._slots if word and s.after == word), None)
        if lead is None:
            return False
        self._current = lead if not lead.tags else self._current
        self._joint = word if word in _ORDER else self._joint
        if not lead.name:  # nothing stands behind the word
            lead.tags.append(tag)
        return True

    def _is_besides(self, tag: Tag, at: int) -> bool:
        """Whether a word counts steps, says that it is as above, is the statement's own, or says who picked."""
        words = self._words
        if words.meaning("besides", tag.key) == "again" and self._context.way:
            self._again = True
            return True
        if any(words.meaning(section, tag.key) in self._fixed for section in ("words", "statements")):
            return True
        counts = (
            tag.number is not None and not tag.hexes and (not tag.units or _counts_steps(self._tags, at, words))
        )
        if self._cls is st.Lose and counts:
            self._steps, self._last = tag.number or 1, None
            return True
        picks = self._current is not None and self._current.name == "role" and words.meaning("roles", tag.key)
        if picks and self._current is not None:
            self._current.tags.append(tag)
        return bool(picks)

    def _slot_of(self, tag: Tag) -> _Slot | None:
        first = [self._current] if self._current is not None else []
        return next((s for s in (*first, *self._slots) if s.takes(tag, self._words)), None)

    def _put(self, tag: Tag, slot: _Slot, at: int) -> bool:
        """Whether a value goes on with what stands in its slot, and is no other's."""
        if self._bracket and slot.tags and tag.units and tag.units == slot.tags[-1].units:
            return True
        with_others = self._current is not None and self._current.name == "role" and not slot.tags
        if slot.name == "units" and with_others:
            return False  # `retreats with u2`: who else does is not told here
        again = slot.tags and self._last is not slot and slot.name in ("units", "path", "hexes")
        reopened = again and not (tag.hexes and tag.hexes == slot.tags[-1].hexes)
        twice = any(unit in other.units for unit in tag.units for other in slot.tags)
        if reopened or twice or (slot.name == "path" and self._strays(tag, slot, at)):
            return False
        self._inside = bool(self._bracket)
        slot.tags.append(tag)
        slot.joins.append(self._joint)
        self._joint, self._last = "", slot
        return True

    def _strays(self, tag: Tag, slot: _Slot, at: int) -> bool:
        """Whether a hex may be no step of the way: it stands aside in brackets, or is another unit's."""
        if not slot.tags:
            return False
        aside = self._bracket and tag.hexes != slot.tags[-1].hexes and not self._inside
        split = self._words.meaning("fillers", self._tags[at - 1].key) == "and"
        # `101 and 104 from 0520/0522`: each from a hex of his own.
        apart = self._joint == "/" and any(len(s.tags) > 1 for s in self._slots if s.name == "units")
        return bool(aside or split or apart)

    def statement(self, subject: tuple[str, ...]) -> base.Statement:
        """The statement of the slots. Raises Unexplained."""
        crosses = any(self._words.meaning("crossings", tag.key) for tag in self._tags)
        if crosses and not any("to" in slot.joins for slot in self._slots):
            raise Unexplained  # over which hex, and not where to
        values: dict[str, Any] = {}
        for slot in self._slots:
            if not slot.tags:
                values |= self._unsaid(slot, subject)
            elif not slot.name:
                values[slot.part.fields[0]] = True
            else:
                value = slot.value(self._words)
                wide = slot.part.kind.width > 1
                values |= dict(zip(slot.part.fields, value if wide else (value,), strict=True))
        return self._made(values)

    def _unsaid(self, slot: _Slot, subject: tuple[str, ...]) -> dict[str, Any]:
        """What a slot that nothing fills holds by the context. Raises Unexplained."""
        context = self._context
        if slot.name == "path" and self._cls is st.Advance and len(context.engaged) == 1 and context.resolved:
            return {"path": context.engaged}
        if slot.name == "path" and self._again:
            return {"path": context.way}
        if slot.name == "units" and subject and self._cls in FATES:
            return {"units": subject}
        if not slot.part.default:
            raise Unexplained
        return {}

    def _made(self, values: dict[str, Any]) -> base.Statement:
        cls = self._cls
        if cls is st.Lose and self._steps > 1:
            if len(values["units"]) != 1:
                raise Unexplained
            values["units"] *= self._steps
        if cls is st.Enter and values["path"][0] == kinds.OPEN:
            values["path"] = values["path"][1:]
        if cls is st.Exit and not values.get("edge"):
            raise Unexplained
        arrives = values.get("edge") or values.get("by") or self._words.due.issuperset(values.get("units", ()))
        if cls is st.Enter and not arrives:
            cls = st.Move  # who stands on the map already enters a hex, and not the map
        return cls(0, **values)


def _counts_steps(tags: Tags, at: int, words: Vocabulary) -> bool:
    return at + 1 < len(tags) and words.meaning("besides", tags[at + 1].key) == "step"


_COUNTED: Final = ("mp", "cost", "hexes", "shift")


def idle_of(tags: Tags, words: Vocabulary, sections: Sequence[str]) -> set[int]:
    """Which tags of a clause are idle by the sections that a statement declares: their words, and counts of them.

    `besides.mp` is one entry of a section: what a way costs, `(2 MP)`, `cost 2`, with the numbers beside it.
    """
    found: set[int] = set()
    for i, tag in enumerate(tags):
        for section in sections:
            part, _, entry = section.partition(".")
            meant = words.meaning(part, tag.key) if not tag.strong else None
            if meant is None or (entry and meant != entry) or (part != "words" and words.meaning("words", tag.key)):
                continue
            found.add(i)
            if entry in _COUNTED and tag.number is None:
                found.update(_counted(tags, i, words, (1,) if entry == "shift" else (-1, 1)))
    return found


def _counted(tags: Tags, at: int, words: Vocabulary, steps: Sequence[int]) -> Iterator[int]:
    """The number right before or behind a word that is counted, with the sum that it is of."""
    for step in steps:
        i = at + step
        while 0 <= i < len(tags) and (
            (tags[i].number is not None and not tags[i].hexes)
            or tags[i].mark in ("+", "=", ":")
            or words.meaning("besides", tags[i].key) in ("mp", "cost")
            or words.meaning("words", tags[i].key) in ("points", "from")
        ):
            if tags[i].number is not None:
                yield i
            i += step


def is_idle(tags: Tags, at: int, words: Vocabulary) -> bool:
    """Whether a word means nothing: a small one, or what kind of unit that is which stands beside it."""
    key = tags[at].key
    if tags[at].strong:
        return False
    if words.meaning("idle", key) == "none" or words.meaning("staying", key) == "denied":
        # `no 901-2` says which in Portuguese, and `no advance` that there is none in English.
        following = tags[at + 1] if at + 1 < len(tags) else None
        hexes = following is not None and (following.strong or words.meaning("fillers", following.key) == "hex")
        return hexes and words.meaning("fillers", key) is not None
    if any(words.meaning(section, key) for section in IDLE):
        return True
    if words.meaning("lead-ins", key):
        return not any(t.strong for t in tags[:at])  # behind a unit, `third` is one more of it
    big = words.meaning("words", key) in _BIG or words.meaning("besides", key) == "battalion"
    arm = words.meaning("arms", key) or words.meaning("unit_types", key)
    if not (big or arm):
        return False
    before = [t for t in tags[:at] if not words.meaning("adverbs", t.key)]
    beside = [t for t in (*before[-1:], *tags[at + 1 : at + 2]) if t.units]
    return any(all(not arm or _fits(unit, key, words) for unit in tag.units) for tag in beside)


def _fits(unit: str, key: str, words: Vocabulary) -> bool:
    """Whether a word for a kind of unit may be said of one: `tanks` of no battalion of infantry."""
    if members := words.members(unit):
        return all(_fits(member, key, words) for member in members)
    counter = words.counters.get(unit)
    of_type = counter is None or counter.type == words.meaning("unit_types", key)
    return of_type or words.calls.is_of(unit, key)
