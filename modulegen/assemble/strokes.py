"""Keystrokes that several parts of a module know each other by."""

from __future__ import annotations

from hexforge.modulegen.vassal import traits as t

KEY_MOVED = t.ctrl("M")
"""Turns a counter's mark of movement."""
KEY_PHASE = t.named("PhaseBegins")
"""Pressed by the turn tracker whenever it is set on."""
KEY_TURN = t.named("TurnBegins")
"""Pressed by the turn tracker when it is set on to another turn."""
KEY_DUE = t.named("TurnDue")
"""Marks who is due, and who has to leave."""
KEY_LEAVE = t.ctrl("L")
"""Takes a counter off the map."""
KEY_DROPPED = t.named("Dropped")
"""Sent to every counter that ends a move on the map, by hand or by an entry of its menu."""
