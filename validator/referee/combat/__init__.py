"""Combat: sections 5 (combat), 6 (air power), 7 (losses) and 8 (artillery) of the rulebooks."""
