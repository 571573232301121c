"""Combat: sections 5 (combat), 6 (air power), 7 (losses) and 8 (artillery) of the rulebooks.

`assault.combat`, `bombardment.bombard` and `bombardment.airstrike` each take a context, a position and a statement,
and give the position as played with findings and the figures; `ask.odds` answers the question before the attack.
"""
