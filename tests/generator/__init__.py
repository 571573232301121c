"""A generator of legal games, and of games with one mistake in them.

It plays by the rulebooks on its own: who must attack, what the odds are, who may retreat where is worked out here
from the scenario's data, not asked of the referee. Where the two disagree, one of them is wrong.
"""
