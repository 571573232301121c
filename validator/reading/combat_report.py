"""The report of a combat: who attacks what, guns, points, sums, odds, dice and result, told in one breath.

One frame with the slots of all the statements that a combat is made of. A verb or a small word leads to a slot, and
what stands in none of them leaves the report unread.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Final

from ..notation import base
from ..notation import statements as st
from ..notation.words import Vocabulary
from .frames import (
    IDLE,
    OPEN_ENDS,
    PUNCTUATION,
    REPORTED,
    Context,
    Tags,
    Unexplained,
    Verb,
    faces_of,
    idle_of,
    is_idle,
    verbs,
)
from .tagging import Tag

_HEADS: Final = REPORTED[:3]
"""Statements that open a combat, a bombardment or an air strike."""

_LEADS: Final[Mapping[Verb, str]] = {
    **dict.fromkeys(_HEADS, "targets"),
    st.Attack: "attackers",
    st.Support: "support",
    st.Guard: "guard",
    st.AirSupport: "air",
    st.Declare: "declare",
    st.Roll: "dice",
    st.Result: "codes",
}
_DIE: Final = re.compile(r"[0-9]?d[0-9]{1,2}")
_LEAST_NUMBER: Final = 100
"""A number from which on it is a unit's, and counts nothing."""
_SHORT_CODE: Final = 2
"""Letters of a code that is one in capitals alone: in small ones so few may be a word."""
_GUN_WORD: Final = "artillery"
_SHIFTS: Final = ("besides.shift", "besides.unshifted", "reasons", "terrain", "hexsides", "besides.strength")


@dataclass
class Report:
    """The slots of a combat's report. `forced`: the slot that all values stand in, as in the column of a table."""

    words: Vocabulary
    context: Context
    lenient: bool = False
    head: Verb | None = None
    slots: dict[str, list[Any]] = field(default_factory=dict)
    ratios: list[tuple[str, Tag]] = field(default_factory=list)
    dropped: list[Tag] = field(default_factory=list)
    shifted: bool = False
    unshifted: bool = False
    tacit: bool = True
    """Whether no verb or small word says who attacks."""
    labels: list[int] = field(default_factory=list)
    paired: list[str] = field(default_factory=list)
    """The slots of the numbers that small words face, `2 para 1`: odds, a column, or "" for sums."""
    led: list[str] = field(default_factory=list)
    """The slots that verbs lead to."""
    facing: bool = False
    """Whether a small word faces numbers with a hex, so that they are those of units: `59 73 x 1302`."""
    against: bool = False
    """Whether a small word says whom units are against."""
    units_first: bool = False
    """Whether units stand before any hex: without a verb they may go there."""
    attacks: bool = False
    """Whether a verb does."""
    last: str = ""
    """The slot of the last units."""

    def take(self, tags: Tags, forced: str = "") -> None:
        """Fill the slots by a clause. Raises Unexplained."""
        words = self.words
        led = dict(verbs(tags, words, self.context))
        idle = idle_of(tags, words, _SHIFTS)
        self.facing = any(
            words.meaning("words", one.key) == "against" and any(t.hexes for t in tags[i + 1 : i + 4])
            for i, one in enumerate(tags)
        )
        self.against = any(words.meaning("words", one.key) == "against" for one in tags)
        current = forced
        bracket = 0
        for i, tag in enumerate(tags):
            if tag.mark:
                bracket += (tag.mark in "([") - (tag.mark in ")]")
                if tag.mark not in PUNCTUATION or (tag.mark in OPEN_ENDS and tag is tags[-1]):
                    self._refuse(tag)
                continue
            if i in idle and tag.number is not None:
                self.shifted = True
                continue
            if not forced and (classes := [c for c in led.get(i, ()) if c in REPORTED]):
                current = self._led(classes[0], tags, i)
                continue
            word = words.meaning("words", tag.key) if not tag.strong else None
            if not tag.strong and self.ratios and self._becomes(tag):
                current = "column"
            elif words.meaning("besides", tag.key) == "unshifted":
                self.shifted = self.unshifted = True
            elif word in ("odds", "column", "value", "roll", "against", "becomes"):
                current = {"roll": "dice", "becomes": "column"}.get(word, word)
            elif word == "air" and not forced:
                spare = self._of("spare")
                if spare and spare[-1] is tags[i - 1]:
                    self._of("air").append(spare.pop())
                current = "air"
            elif _DIE.fullmatch(tag.key):
                current = "dice"
            elif word == "offboard":
                self._offboard(tags, i)
            elif self._takes(tags, i, current, bracket):
                current = "" if current == "against" and tag.number is not None else current
                current = self.last or current if tag.units and not bracket else current
            elif word in ("by", "points", "to", "from", "via"):
                if word == "by" and current in ("targets", ""):
                    current, self.tacit = "attackers", False
            elif i in idle:
                self.shifted = True
            elif words.meaning("arms", tag.key) == "artillery" and not forced:
                current = "support"
            elif not is_idle(tags, i, words) and not (forced and words.meaning("idle", tag.key)):
                self._refuse(tag)

    def _refuse(self, tag: Tag) -> None:
        if not self.lenient:
            raise Unexplained(tag)
        self.dropped.append(tag)

    def _led(self, cls: Verb, tags: Tags, at: int) -> str:
        """The slot that a verb leads to. Who supports or defends may stand before it: `art XX apoia`."""
        if cls in _HEADS:
            self.head = cls
        self.led.append(_LEADS[cls])
        self.attacks = self.attacks or cls is st.Attack
        self.tacit = self.tacit and not self.attacks
        if cls in (st.Support, st.Guard) and self.tacit and not any(t.strong for t in tags[at + 1 :]):
            for tag in self._of("attackers"):
                self.slots[_LEADS[cls]] = [*self._of(_LEADS[cls]), tag]
            self.slots["attackers"] = []
        return _LEADS[cls]

    def _offboard(self, tags: Tags, at: int) -> None:
        """The number of points beyond the map, right before or behind the word."""
        words = self.words
        for row in (tags[:at][::-1], tags[at + 1 :]):
            for tag in row:
                if tag.number is not None and not tag.hexes and tag not in self._of("offboard"):
                    # It was taken for something else, or comes yet.
                    for name in ("spare", "air", "dice", "value", "attackers", "support"):
                        self.slots[name] = [t for t in self._of(name) if t is not tag]
                    self._of("offboard").append(tag)
                    return
                small = tag.mark in (":", "=", "(", ")") or words.meaning("words", tag.key) in ("points", "from")
                if not (small or words.meaning("arms", tag.key) or any(words.meaning(s, tag.key) for s in IDLE)):
                    break
        self._refuse(tags[at])

    def _becomes(self, tag: Tag) -> bool:
        """Whether a verb says behind odds to which column they go: `3-1, cai pra 2-1`."""
        words = self.words
        goes = words.meaning("motions", tag.key) or words.meaning("behind-units", tag.key) == "move"
        return bool(goes) or words.meaning("staying", tag.key) == "stays"

    def _of(self, name: str) -> list[Any]:
        return self.slots.setdefault(name, [])

    def _takes(self, tags: Tags, at: int, current: str, bracket: int) -> bool:
        tag, words = tags[at], self.words
        if tag in self._of("offboard"):
            return True
        if codes := codes_of(tag, words):
            self._of("codes").extend(codes)
            return True
        if tag.hexes:
            return self._hex(tag, current, bracket)
        if tag.ratio and current == "dice":
            self._of("dice").append(replace(tag, units=()))
            return True
        if tag.units and not (
            tag.weak
            and (tag.number or 0) < _LEAST_NUMBER
            and not self.facing
            and current not in ("attackers", "support", "guard", "against", "targets")
        ):
            told = not self._of("targets") and self.context.told & {st.Attack, st.Declare}
            figures = not current and (told or self.ratios or self._of("totals"))
            if not (tag.ratio and (figures or current in ("odds", "column", "declare"))):
                return self._unit(tag, current, bracket)
        if tag.ratio and current not in ("odds", "column", "declare") and self._is_thrown(tag):
            self._of("dice").append(replace(tag, units=()))
            return True
        if tag.ratio:
            if current == "odds" and ":" in tag.text and "1" not in tag.ratio:
                current = ""  # a column of the table that holds the sums
            self.ratios.append((current if current in ("odds", "column") else "", tag))
            return True
        if tag.number is None:
            return False
        self._number(tags, at, current)
        return True

    def _is_thrown(self, tag: Tag) -> bool:
        """Whether `6-4` are dice: the odds are told, and nothing was thrown yet."""
        context, thrown = self.context, self.words.thrown
        waits = bool(context.reckoned) and not context.told & {st.Roll, st.Result} and not self._of("targets")
        faces = [int(part) for part in tag.ratio or () if part.isdigit()]
        return waits and not self.ratios and thrown is not None and thrown.shows(faces)

    def _hex(self, tag: Tag, current: str, bracket: int) -> bool:
        targets = self._of("targets")
        if current not in ("targets", "attackers", "against", "") or (current == "attackers" and targets):
            if tag.hexes[0] not in targets:
                self._refuse(tag)
            return True
        if tag.place and len(tag.hexes) > 1:
            self._of("places").append(tag)
            return True
        if targets and tag.hexes[0] not in targets and (self._of("attackers") or bracket):
            self._refuse(tag)
        targets.extend(h for h in tag.hexes if h not in targets)
        return True

    def _unit(self, tag: Tag, current: str, bracket: int) -> bool:
        side, own = {self.words.side(unit) for unit in tag.units}, self.context.side
        enemy = bool(own) and side.isdisjoint(("", own))
        if current in ("", "targets", "attackers", "against") and self._are_guns(tag):
            current = "support"
        self.units_first = self.units_first or not self._of("targets")
        slot = current if current in ("attackers", "support", "guard", "against") else ""
        if not slot:
            slot = "against" if enemy and (bracket or current == "targets") else "attackers"
        if enemy and slot == "support":
            slot = "guard"  # behind who defends, guns are those of the defence
        if (
            (enemy and slot == "attackers")
            or (slot == "against" and not enemy and not self._of("targets"))
            or (slot == "guard" and own and side == {own})
        ):
            self._refuse(tag)
            return True
        if slot == "against" and not enemy:
            slot = "attackers"
        if slot != "against":
            self._of(slot).append(tag)
            self.last = slot
        return True

    def _are_guns(self, tag: Tag) -> bool:
        """Whether units are guns by their name, or guns that no verb says to attack."""
        words = self.words
        if " " in tag.text and any(words.meaning("arms", piece) == "artillery" for piece in tag.key.split("-")):
            return True
        guns = all(words.calls.is_of(unit, _GUN_WORD) for unit in tag.units if unit in words.counters)
        others = st.Attack in self.context.told or self._of("attackers")
        return not self.attacks and bool(others) and guns and tag.units[0] in words.counters

    def _number(self, tags: Tags, at: int, current: str) -> None:
        tag = tags[at]
        word = self.words.meaning("words", tags[at - 1].key) if at else None
        totals = self._of("totals")
        faces = word in ("against", "to") and len(totals) % 2 and current != "dice"
        if faces or (current not in ("dice", "air") and self._leads_total(tags, at)):
            totals.append(tag)
            self.paired.append("" if faces or current not in ("odds", "column") else current)
        elif current == "dice" and self._labels(tags, at):
            self.labels.append(tag.number or 0)
        elif current in ("air", "dice", "value", "odds", "column"):
            self._of(current).append(tag)
        else:
            self._of("spare").append(tag)

    def _labels(self, tags: Tags, at: int) -> bool:
        """Whether a number says which die, `die 1: 5`."""
        rest = tags[at + 1 : at + 3]
        behind = at > 0 and not tags[at - 1].mark and tags[at - 1].number is None
        return behind and len(rest) > 1 and rest[0].mark in (":", "=") and rest[1].number is not None

    def _leads_total(self, tags: Tags, at: int) -> bool:
        """Whether `48 to 4`, `16 contra 3` begins here."""
        rest = [t for t in tags[at + 1 :] if self.words.meaning("besides", t.key) != "strength"]
        facing = len(rest) > 1 and self.words.meaning("words", rest[0].key) in ("against", "to")
        return facing and any(t.number is not None and not t.hexes for t in rest[1:3])

    # ------------------------------------------------------------------------------------ what it says

    def statements(self) -> list[base.Statement]:
        """The statements of the report, in the order in which a combat goes. Raises Unexplained."""
        context = self.context
        targets = tuple(self._of("targets"))
        for tag in self._of("places"):
            if not set(targets) & set(tag.hexes):
                raise Unexplained(tag)
        found: list[base.Statement] = []
        dice = self._dice()
        for name in ("attackers", "support", "guard"):
            alone = self._of(name)
            if len(alone) == 1 and alone[0].weak and (alone[0].number or 0) < _LEAST_NUMBER and not targets:
                raise Unexplained(alone[0])  # so many points, perhaps
        attackers, support, guard = (units_of(self._of(name)) for name in ("attackers", "support", "guard"))
        offboard = sum(tag.number for tag in self._of("offboard"))
        if spare := self._of("spare"):
            raise Unexplained(spare[0])
        empty = {slot for slot in self.led if slot != "declare" and not self._of(slot)} - {
            "targets",
            "attackers" if targets else "",
        }
        if empty - ({"support"} if offboard else set()) - ({"dice"} if dice else set()):
            raise Unexplained
        head = context.lists if context.lists is not st.Combat else self.head or st.Combat
        if head is st.Bombard and (targets or not context.engaged):
            if not (targets and (attackers or support or offboard)):
                raise Unexplained
            found.append(st.Bombard(0, targets, units=(*attackers, *support), offboard=offboard))
            attackers, support, offboard = (), (), 0
        elif targets and (targets != context.engaged or context.resolved):
            if not (attackers or self.head) and context.engaged:
                raise Unexplained
            found.append(head(0, targets))
        elif not context.engaged and not targets and (attackers or support or guard or self.ratios or dice):
            raise Unexplained
        if attackers:
            found.append(st.Attack(0, attackers))
        if guard:
            found.append(st.Guard(0, guard, 0))
        if support or offboard:
            found.append(st.Support(0, support, offboard))
        if air := self._of("air"):
            if len(air) > 1:
                raise Unexplained(air[1])
            found.append(st.AirSupport(0, air[0].number))
        found += self._declared()
        if dice:
            found.append(st.Roll(0, dice))
        if codes := self._of("codes"):
            found.append(st.Result(0, tuple(codes)))
        if not found:
            raise Unexplained
        if targets and self.units_first and self.tacit and self.head is None and not self.against:
            raise Unexplained
        tacit = len(found) == 1 and self.tacit and self.head is None
        if tacit and (isinstance(found[0], st.Engagement) or (attackers and not context.lists_attackers)):
            raise Unexplained  # hexes or units alone say nothing
        return found

    def _dice(self) -> tuple[int, ...]:
        spare = self._of("spare")
        thrown = self.words.thrown
        if (
            not self._of("dice")
            and spare
            and thrown is not None
            and self.context.engaged
            and not self._of("targets")
        ):
            told = tuple(faces_of(spare))
            if thrown.shows(told) and not ({st.Roll, st.Result} & self.context.told):
                self.slots["spare"] = []
                return told
        dice = tuple(faces_of(self._of("dice")))
        if self.labels != sorted(self.labels):
            raise Unexplained(self._of("dice")[0])
        if dice and thrown is not None and len(dice) != thrown.count:
            raise Unexplained(self._of("dice")[0])
        return dice

    def _declared(self) -> Iterator[st.Declare]:
        """Sums, odds and column by the figures of the report. Raises Unexplained where they may be others."""
        said: dict[str, Any] = {}
        totals = self._of("totals")
        if len(totals) % 2:
            raise Unexplained(totals[0])
        for one, other, slot in zip(totals[::2], totals[1::2], self.paired[::2], strict=True):
            if slot or 1 in (one.number, other.number) or "attack" in said:
                self.ratios.append((slot, replace(one, ratio=(str(one.number), str(other.number)))))
            else:
                said["attack"], said["defence"] = one.number, other.number
        if value := self._of("value"):
            said["value"] = value[0].number
        loose: list[Tag] = []
        for slot, tag in self.ratios:
            if slot and slot not in said:
                said[slot] = heading(tag)
            else:
                loose.append(tag)
        for tag in self._of("odds") + self._of("column"):
            raise Unexplained(tag)
        if "value" in said:
            if len(loose) > 1 or (loose and "column" in said):
                raise Unexplained(loose[-1])
            if loose:
                said["column"] = heading(loose[0])
        else:
            self._sort(loose, said)
        if self.shifted and not said:
            raise Unexplained
        if self.unshifted and "column" not in said:
            odds = said.pop("either", None) or said.get("odds")
            if odds is None:
                raise Unexplained
            said |= {"odds": odds, "column": odds}
        if said:
            yield st.Declare(0, **said)

    def _sort(self, loose: list[Tag], said: dict[str, Any]) -> None:
        """Figures without a word: sums, then odds, then a column."""
        names = [name for name in ("odds", "column") if name not in said]
        context = self.context if not self._of("targets") else Context()
        over = context.told & {st.Roll, st.Result} or "column" in context.reckoned
        if loose and (over or len(context.reckoned) + len(loose) > len(("sums", "odds", "column"))):
            raise Unexplained(loose[-1])
        if loose and "attack" not in said and (len(loose) > len(names) or self._is_total(loose)):
            ratio = loose.pop(0).ratio
            if not ratio or not all(part.isdigit() for part in ratio):
                raise Unexplained
            said["attack"], said["defence"] = map(int, ratio)
        if len(loose) > len(names):
            raise Unexplained(loose[-1])
        if len(loose) == len(names):
            said |= {name: heading(tag) for name, tag in zip(names, loose, strict=True)}
        elif loose:
            told = "attack" in said or (st.Declare in self.context.told and not self.context.reckoned)
            said["odds" if told and "odds" in names else "either"] = heading(loose[0])

    def _is_total(self, loose: Sequence[Tag]) -> bool:
        """Whether the first of some ratios is of sums: none has a one in it, or the next is what it comes to."""
        left, right = loose[0].ratio or ("", "")
        if not (left.isdigit() and right.isdigit()):
            return False
        if "1" not in (left, right):
            return True
        if len(loose) == 1 or not int(right):
            return bool(int(left) > 10 and ":" in loose[0].text)
        other = loose[1].ratio or ("", "")
        return ":" in loose[0].text and "-" in loose[1].text and other != loose[0].ratio


def heading(tag: Tag) -> str:
    """A ratio as columns of tables are headed."""
    left, right = tag.ratio or ("", "")
    return f"{left}-{right}" if right else left


def units_of(tags: Tags) -> tuple[str, ...]:
    """The units of some tags, each once."""
    return tuple(dict.fromkeys(unit for tag in tags for unit in tag.units))


def codes_of(tag: Tag, words: Vocabulary) -> list[str]:
    """The codes of the game's tables that a word is."""
    if tag.units or tag.hexes or tag.ratio or tag.number is not None or tag.mark:
        return []
    meant = words.meaning("results", tag.key)
    text = tag.text.upper()
    if meant and not words.are_codes(text):
        return [meant]
    capital = tag.text.isupper() or len(text) > _SHORT_CODE
    return text.replace("+", "-").split("-") if capital and words.codes and words.are_codes(text) else []
