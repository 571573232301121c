"""Templates, symbols, fonts and palettes: data that an artist edits, no code."""
