"""Whole games in people's own words: what is taken of them is what was meant, and nothing passes as talk."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from email.message import EmailMessage
from itertools import product
from typing import Any

import pytest

from hexforge.scenarios.loader import load
from hexforge.scenarios.model import Scenario
from hexforge.validator.judging.replayed import account_of
from hexforge.validator.notation import base, kinds
from hexforge.validator.notation.vocabulary import write_statement
from hexforge.validator.reading.intake import games_of
from hexforge.validator.reading.mails.threads import read_mails, threads
from tests.examples import leading
from tests.generator.game import generate

from .told import Told, mail_told, run_together

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


@pytest.mark.parametrize(
    ("name", "language", "seed", "together"), leading(4, sorted(product(*WAYS), key=lambda way: way not in TRIED))
)
def test_what_is_taken_is_what_was_meant(name: str, language: str, seed: int, together: bool) -> None:
    scenario = load(name)
    lines = mail_told(scenario, generate(scenario, seed, turns=2).sheet.statements, language, seed)
    lines = run_together(lines, seed) if together else lines
    became, found = read(lines)
    said = [(n, text, meant) for n, (text, meant) in enumerate(lines, 1) if meant]
    passed = [text for n, text, _ in said if became.get(n, "prose") not in ("judged", "not-read")]
    assert not passed
    taken = [(text, meant, found[n]) for n, text, meant in said if became[n] == "judged"]
    assert not [
        (text, [write_statement(one).partition("\n")[0] for one in got])
        for text, meant, got in taken
        if (len(meant) != len(got) or not all(map(agrees, meant, got))) and not _names_nobody(scenario, got)
    ]
    assert len(taken) >= LEAST * len(said), [text for n, text, _ in said if became[n] == "not-read"]


def _names_nobody(scenario: Scenario, statements: Sequence[base.Statement]) -> bool:
    """Whether some statement names a unit that there is not, which the referee then names as not read."""
    return any(unit not in scenario.counters for one in statements for unit in getattr(one, "units", ()))
