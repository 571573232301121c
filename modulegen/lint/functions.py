"""The functions that an expression may call: those of VASSAL's script for expressions, and BeanShell's commands.

Source: `VASSAL/script/init_expression.bsh`. Methods of texts and of Java's classes (`Math.max`) follow a point and
are not looked at.
"""

from __future__ import annotations

from typing import Final

_ARGUMENTS: Final = """
Alert 1 2, Audit 1 2 3, Count 1 2, CountAttach 2 3, CountLocation 0 1 2 3 4, CountMap 0 1 2 3, CountMat 0 1 2,
CountRange 2 3 4, CountRangePx 2 3 4, CountStack 0 1 2, CountZone 0 1 2 3 4, GetAttachProperty 2 3,
GetLocalizedProperty 1, GetMapProperty 2, GetProperty 1, GetString 1, GetZoneProperty 2 3, If 3, IsRandom 0 1,
MaxAttach 2, MinAttach 2, Random 1 2, Range 1 2 4 5, RangePx 1 2 4 5, Sleep 1, Sum 2 3, SumAttach 2 3,
SumLocation 1 2 3 4, SumMap 1 2 3, SumMat 1 2, SumRange 3 4, SumRangePx 3 4, SumStack 1 2, SumZone 1 2 3 4,
booleanValue 1, unwrap 1
"""
ARGUMENTS: Final = {
    name: frozenset(map(int, counts))
    for name, *counts in (entry.split() for entry in _ARGUMENTS.replace("\n", " ").split(","))
}
"""Function -> how many arguments it can have."""

_COMMANDS: Final = "clear debug error eval exec exit getClass load object print run save set source unset"
COMMANDS: Final = frozenset(_COMMANDS.split())
"""Commands of BeanShell itself that do not ask for a window; any number of arguments."""
