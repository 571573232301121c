"""Judgements: sheets, logs and mails replayed, held against what they go on from, and answered.

their dice show. For games of any module.
"""
