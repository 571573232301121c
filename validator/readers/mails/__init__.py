"""Mails as their senders meant them: letters, threads, quotes, and what is attached."""
