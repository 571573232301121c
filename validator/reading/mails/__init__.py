"""Mails as their senders meant them: letters, threads, quotes, attachments."""
