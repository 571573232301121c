"""The rules of the games: positions, what may be done in them, and what is found wrong.

`replay.replay(scenario, sheet)` judges a whole sheet; `replay.steps` gives it statement by statement. A rule is a
function `(Context, Position, statement) -> Outcome`; positions are values: any may be kept and gone on from.

=====================  ==========================================================================================
opening, groundwork    the first position and the map of a sheet; roster: counters and the sheet's own units
context, ground,       what does not change: scenario, options, the map under the rules, the price of a step
steps
state, outcome,        the position, what a rule hands back, what the answer consists of, and its kinds
findings, kinds
phases, withdrawal,    the sequence of play, units that leave on a date, attacks that are owed
duties
movement, travel       section 4: a way that was played, and every way that there is (`travel.reach`)
binding, passing,      who may not leave, what follows from passing, who is there to act, dominant terrain
presence, terrain
entry, arrival,        coming on, coming back, leaving
leaving
rail, recovery, works  sections 7, 9, 10
combat                 sections 5, 6, 8
setup, victory         sections 10, 11
=====================  ==========================================================================================

What a sheet says is replayed as in the other games; whatever hangs on a rule that is not known is a fact that the
players state, and the answer names the facts that it rests on.
"""
