"""The referee of games of which only some rules are known: accounts, and what the players state of the rest.

What a sheet says is replayed as in the other games; whatever hangs on a rule that is not known is a fact that the
players state, and the answer names the facts that it rests on.
"""
