"""VASSAL logs become statements of a turn sheet: counters, chat, dice, combats, phases."""
