"""Names that the parts of a combat know each other by: properties, keystrokes, groups of counters."""

from __future__ import annotations

from hexforge.modulegen.vassal import traits as t

HOTKEY_ROLL, HOTKEY_PREVIEW, HOTKEY_CLEAR = t.function(6), t.function(9), t.ctrl_shift("X")
HOTKEY_BOMBARD, HOTKEY_AIRSTRIKE = t.function(6, t.ctrl("A").modifiers), t.function(6, t.shift("A").modifiers)
HOTKEY_AIR, HOTKEY_OFFBOARD = t.ctrl_shift("A"), t.ctrl_shift("G")
HOTKEY_SHIFT = t.ctrl_shift("S")

KEY_AIM, KEY_SAY, KEY_COMMAND = t.named("CombatAim"), t.named("CombatSay"), t.named("CombatCommand")
KEY_COUNT, KEY_SUM = t.named("CombatCount"), t.named("CombatAdd")
KEY_UNMARK, KEY_MARK = t.named("CombatUnmark"), t.named("CombatMark")
KEY_PLAIN, KEY_THROW = t.named("CombatPlain"), t.named("CombatThrow")

TARGET, RECORD, SUM, SAY = "CombatTarget", "CombatRecord", "CombatSum", "CombatWord"
ASIDE = "CombatAside"
SUM_ATTACK, SUM_DEFENCE, GROUND, COVERS = "CombatAttack", "CombatDefence", "CombatGround", "CombatCovers"
BARS, VALUE_OF = "CombatBars", "CombatValueOf"
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

ATTACK, SUPPORT, GUARD, DEFEND = range(1, 5)
"""What a counter is marked as: its property `Role`, 0 for nothing."""
IN_TARGET = f'{TARGET}.equals("h" + LocationName.trim() + ":" + Side)'
