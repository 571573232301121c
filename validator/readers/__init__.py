"""Readers: turn sheets, VASSAL logs and mails become events."""
