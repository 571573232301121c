"""Mails and free text become statements, with an account of every line."""
