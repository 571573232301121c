"""Whole games in people's own words: what is taken of them is what was meant, and nothing passes as talk."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from email.message import EmailMessage
from typing import Any

from hexforge.scenarios.model import Scenario
from hexforge.validator.judging.replayed import account_of
from hexforge.validator.notation import base, kinds
from hexforge.validator.reading.intake import games_of
from hexforge.validator.reading.mails.threads import read_mails, threads

from .told import Told

WAYS = (("hurtgen", "metz", "bastogne"), ("pt", "en"), (1, 2, 3), (False, True))
"""Games, languages, seeds, and whether sentences are run together."""
TRIED = (
    ("hurtgen", "pt", 1, True),
    ("hurtgen", "en", 1, False),
    ("metz", "pt", 1, False),
    ("bastogne", "en", 1, True),
)
"""Those of the gate."""
LEAST = 0.97
"""The share of the lines that say something which is taken; the rest is named as not read."""
NOT_SAID = ("line", "acts", "column")
"""What a line need not say, or is no part of it."""


def read(lines: list[Told]) -> tuple[dict[int, str], dict[int, list[base.Statement]]]:
    """What became of each line of a mail, and the statements that were read of it."""
    mail = EmailMessage()
    mail["From"], mail["Subject"] = "ana@example.org", "turn"
    mail.set_content("\n".join(text for text, _ in lines) + "\n", cte="8bit")
    became: dict[int, str] = {}
    found: defaultdict[int, list[base.Statement]] = defaultdict(list)
    for thread in threads(read_mails(bytes(mail), "turn.eml"))[0]:
        for game in games_of(thread):
            sheet = game.sheet()
            for part in account_of(sheet):
                became |= dict.fromkeys(range(part.first, part.last + 1), part.part)
            for statement in sheet.statements:
                for one in (statement, *getattr(statement, "acts", ())):
                    found[one.line].append(one)
    return became, found


def agrees(meant: base.Statement, taken: base.Statement) -> bool:
    """Whether a statement is the one that was meant, as far as it says: of a way its ends."""
    if type(meant) is not type(taken):
        return False
    return all(
        _same(name, getattr(meant, name), getattr(taken, name))
        for name in meant.__dataclass_fields__
        if name not in NOT_SAID
    )


def _same(name: str, meant: Any, taken: Any) -> bool:
    if name == "path":
        first = [hex_ for hex_ in taken if hex_ != kinds.OPEN]
        return bool(first[-1] == meant[-1] and (len(first) == 1 or first[0] == meant[0]))
    if name == "units":
        return sorted(meant) == sorted(taken)
    return bool(meant == taken or (name == "odds" and taken is None))


def _names_nobody(scenario: Scenario, statements: Sequence[base.Statement]) -> bool:
    """Whether some statement names a unit that there is not, which the referee then names as not read."""
    return any(unit not in scenario.counters for one in statements for unit in getattr(one, "units", ()))
