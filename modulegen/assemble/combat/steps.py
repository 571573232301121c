"""The steps of a combat as VASSAL takes them: properties that change by a key, and buttons that nobody sees.

Names that the parts of a combat know each other by: properties, keystrokes, groups of counters.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from ...vassal import traits
from ...vassal.buildfile import Element, make
from .. import air
from ..expressions import keys, quoted

HOTKEY_ROLL, HOTKEY_PREVIEW, HOTKEY_CLEAR = traits.function(6), traits.function(9), traits.ctrl_shift("X")
HOTKEY_BOMBARD, HOTKEY_AIRSTRIKE = (
    traits.function(6, traits.ctrl("A").modifiers),
    traits.function(6, traits.shift("A").modifiers),
)
HOTKEY_AIR, HOTKEY_OFFBOARD = traits.ctrl_shift("A"), traits.ctrl_shift("G")
HOTKEY_SHIFT, HOTKEY_GUNS = traits.ctrl_shift("S"), traits.alt("U")

KEY_SAY, KEY_MARK = traits.named("CombatSay"), traits.named("CombatMark")
KEY_SHOW, KEY_HIDE = traits.named("Show"), traits.named("Hide")
KEY_PLAIN, KEY_THROW = traits.named("CombatPlain"), traits.named("CombatThrow")

TARGET, RECORD, SUM = "CombatTarget", "CombatRecord", "CombatSum"
SAY, TEXT_OF, VALUE_OF = "CombatWord", "CombatTextOf", "CombatValueOf"
"""What counters are to add to the record: a text, and the properties that hold another text and a number."""
TELLS, COMMANDED = "Tells", "Commanded"
"""Texts that counters hold: their id with what they are, and the command that they belong to."""
BLANK, ZERO, TALLY, MARK = "CombatBlank", "CombatZero", "CombatTally", "CombatMarkAs"
"""Properties that never change, for counters that have no text or number to add; strokes to cut a number off; what
counters are to be marked as."""
STROKE = "#"
"""Numbers stand in the record as so many strokes, for a counter that changes two properties loads slowly."""
SUM_ATTACK, SUM_DEFENCE, GROUND, COVERS = "CombatAttack", "CombatDefence", "CombatGround", "CombatCovers"
BARS = "CombatBars"
HEX, LINE, WORKS = "CombatHex", "CombatLine", "CombatWorks"
BASE, COLUMN, VALUE, ROLL = "CombatBase", "CombatColumn", "CombatValue", "CombatRoll"
X, Y = "CombatX", "CombatY"
SPOT, ATTACKER, DEFENDER, STAGE = "CombatSpot", "CombatAttacker", "CombatDefender", "CombatStage"
ATTACKERS, GUNS, GUARDS, DEFENDERS = "CombatAttackers", "CombatGuns", "CombatGuards", "CombatDefenders"
POINTS, OFFBOARD, SHIFT, REASON = "CombatAir", "CombatOffboard", "CombatShift", "CombatReason"
ENCIRCLED, UNITY_ATTACK, UNITY_DEFENCE = "CombatEncircled", "CombatUnityAttack", "CombatUnityDefence"
ATTACKING, SURPRISE, COVER = "CombatAttacking", "CombatSurprise", "CombatCover"
ODDS, NAMED, FACES, RESULT, MOVED = "CombatOdds", "CombatNamed", "CombatFaces", "CombatResult", "CombatMoved"
DICE, FAR = "CombatDice", "CombatFar"

FOUGHT = "CombatFought"
"""The combats of the phase, the latest first: ` us-109-1 us-109-2 >0905;`, who attacked and the hex."""

BOXES = "DueBoxes"
"""A property that never changes: the boxes in which units wait that are due, `|Turn 2|Turn 3|`."""

FIRED = "CombatFired"
"""The guns that have fired in this phase."""
WARNED = "@@"
"""What stands in the record behind a counter's call once there is nothing more to say of its place."""
HEARD, GOAL, WHO, TASK, TRIED = "Heard", "Goal", "Who", "Task", "Tried"
"""What a counter's call is about; the hex that one is sent to (`h0905`), and which; what it was asked to do; how
many of the hexes that it may enter by were full."""
ENTRY_X, ENTRY_Y, HEEDS = "EntryX", "EntryY", "EntryHeeds"
"""Where the hex lies by which one is to enter, and whether hexes next to the enemy are passed over."""
WEIGHT = "Weight"
"""What a counter counts towards the limit of its hex, in games in which that is not one for each."""

ATTACK, SUPPORT, GUARD, DEFEND, SHOWN, RETREAT, DUE, LEAVES, RAIL, ADVANCE = range(1, 11)
"""What a counter is marked as: its property `Role`, 0 for nothing. Up to `DEFEND`, marks go with the dice; who is
`SHOWN` is one that a player looked for, and means nothing."""
TARGET_HEX = f'{TARGET}.replaceAll("^h|:.*", "")'
"""The hex of the target, which is kept as `h0905:german`."""
TARGET_SIDE = f'{TARGET}.replaceAll(".*:", "")'
IN_GOAL = f'{GOAL}.equals("h" + LocationName.trim())'
IN_TARGET = f'{TARGET}.equals("h" + LocationName.trim() + ":" + Side)'


@dataclass
class CombatDesk:
    """What the steps of all combats need: the properties with the keys that change them, and hidden buttons."""

    changes: dict[str, list[tuple[traits.Key, traits.PropertyChange]]] = field(default_factory=dict)
    hidden: list[Element] = field(default_factory=list)
    _known: dict[tuple[str, ...], traits.Key] = field(default_factory=dict)

    def set(self, name: str, value: str) -> traits.Key:
        """The key that sets a property to an expression."""
        return self._change(name, traits.PropertyChange("P", f"{{{value}}}"))

    def ask(self, name: str, prompt: str) -> traits.Key:
        """The key that asks the player for a property."""
        return self._change(name, traits.PropertyChange("R", prompt))

    def choose(self, name: str, prompt: str, choices: tuple[str, ...]) -> traits.Key:
        """The key that lets the player choose what a property is."""
        return self._change(name, traits.PropertyChange("E", prompt, choices))

    def _change(self, name: str, change: traits.PropertyChange) -> traits.Key:
        known = self._known.get((name, str(change)))
        if known is None:
            several = self.changes.setdefault(name, [])
            known = self._known[name, str(change)] = traits.named(f"{name}.{len(several)}")
            several.append((known, change))
        return known

    def tell(self, report: str) -> traits.Key:
        """The key that writes a line into the chat; an empty one is none."""
        return self.act((), report=report)

    def tell_if(self, condition: str, text: str) -> traits.Key:
        """The key that writes a text into the chat if a condition holds, and nothing otherwise.

        VASSAL writes a star and nothing behind it for a report that is empty, so this one is a loop that ends after
        its first round, as what counts the rounds says.
        """
        same = (text, "if", condition)
        if same not in self._known:
            key = self._known[same] = traits.named(f"Combat.{len(self.hidden)}")
            rounds = f"CombatRounds{len(self.hidden)}"
            self.hidden.append(
                make(
                    "DoActionButton",
                    name=key.name,
                    hotkey=key,
                    doReport=True,
                    reportFormat=text,
                    doLoop=True,
                    loopType="while",
                    whileExpression=f"{{{rounds} == 0 && {condition}}}",
                    index=True,
                    indexProperty=rounds,
                    indexStart=0,
                    indexStep=1,
                )
            )
        return self._known[same]

    def act(self, pressed: Sequence[traits.Key], *, report: str = "", while_: str = "") -> traits.Key:
        """The key that presses others in turn, as long as an expression holds if there is one.

        What was asked for before is not made twice: a module opens slower for each button.
        """
        same = (report, while_, *map(str, pressed))
        if same in self._known:
            return self._known[same]
        key = self._known[same] = traits.named(f"Combat.{len(self.hidden)}")
        self.hidden.append(
            make(
                "DoActionButton",
                name=key.name,
                hotkey=key,
                doReport=bool(report),
                reportFormat=report,
                doHotkey=bool(pressed),
                hotkeys=keys(*pressed),
                doLoop=bool(while_),
                loopType="while" if while_ else "counted",
                whileExpression=f"{{{while_}}}" if while_ else "",
            )
        )
        return key

    def mark(self, filter_: str, role: int) -> tuple[traits.Key, ...]:
        """The keys that mark all counters for which an expression holds."""
        return self.set(MARK, str(role)), self.order(filter_, KEY_MARK)

    def say(self, filter_: str, word: str = '""', text: str = BLANK, number: str = ZERO) -> tuple[traits.Key, ...]:
        """The keys that have counters add to the record: an expression, and two properties of theirs by name."""
        asked = (self.set(SAY, word), self.set(TEXT_OF, quoted(text)), self.set(VALUE_OF, quoted(number)))
        return (*asked, self.order(filter_, KEY_SAY))

    def order(self, filter_: str, command: traits.Key) -> traits.Key:
        """The key that sends a keystroke to all counters for which an expression holds."""
        known = self._known.get((filter_, str(command)))
        if known is None:
            known = self._known[filter_, str(command)] = traits.named(f"{command.name}.to.{len(self.hidden)}")
            self.hidden.append(
                make(
                    "GlobalKeyCommand",
                    name=known.name,
                    buttonHotkey=known,
                    hotkey=command,
                    filter=f"{{{filter_}}}",
                )
            )
        return known


TURN, SIDE_PHASE = air.TURN, "SidePhase"
