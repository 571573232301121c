"""Words, languages, files and the hex grid: what everything else rests on."""
