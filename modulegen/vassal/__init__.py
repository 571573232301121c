"""VASSAL file formats, read and written. Knows nothing of any particular game."""
