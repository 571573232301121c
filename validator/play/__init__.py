"""The board on which a turn is composed: a session, what it offers, and its page."""
