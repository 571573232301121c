"""Pages in the browser on which a game's map is painted and its counters are edited."""
