"""Pages on which a game's map is painted and its counters are edited, and what they save."""
