"""Names that the parts of a combat know each other by: properties, keystrokes, groups of counters."""

from __future__ import annotations

from hexforge.modulegen.vassal import traits as t

HOTKEY_ROLL, HOTKEY_PREVIEW, HOTKEY_CLEAR = t.function(6), t.function(9), t.ctrl_shift("X")
HOTKEY_BOMBARD, HOTKEY_AIRSTRIKE = t.function(6, t.ctrl("A").modifiers), t.function(6, t.shift("A").modifiers)
HOTKEY_AIR, HOTKEY_OFFBOARD = t.ctrl_shift("A"), t.ctrl_shift("G")
HOTKEY_SHIFT, HOTKEY_GUNS = t.ctrl_shift("S"), t.alt("U")

KEY_SAY, KEY_MARK = t.named("CombatSay"), t.named("CombatMark")
KEY_SHOW, KEY_HIDE = t.named("Show"), t.named("Hide")
KEY_PLAIN, KEY_THROW = t.named("CombatPlain"), t.named("CombatThrow")

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
DICE = "CombatDice"

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
