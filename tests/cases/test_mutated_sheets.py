"""No sheet, however mangled, makes the referee fall over; its answer stays in the shape of the contract."""

from __future__ import annotations

import random

from hypothesis import given
from hypothesis import strategies as s

from hexforge.scenarios.text.words import Words
from hexforge.validator.judging.check import judge
from hexforge.validator.reading.sheet import read_sheet
from hexforge.validator.report.text import write_text
from hexforge.validator.rules.findings import CODES
from tests.examples import examples

from .catalogue import cases

SHEETS = [case.sheet.splitlines() for case in cases()]
LINES = [line for sheet in SHEETS for line in sheet]
WORDS = sorted({word for line in LINES for word in line.split()})
ODD = ["0101", "9999", "-", "0", "99999", "zz", ""]


def mangled(rng: random.Random) -> str:
    """A sheet of the catalogue with up to four lines dropped, doubled, exchanged, or with another word."""
    lines = list(rng.choice(SHEETS))
    for _ in range(rng.randint(1, 4)):
        i, j = rng.randrange(len(lines)), rng.randrange(len(lines))
        match rng.randrange(5):
            case 0 if len(lines) > 3:
                del lines[i]
            case 1:
                lines.insert(i, rng.choice(LINES))
            case 2:
                lines[i], lines[j] = lines[j], lines[i]
            case 3:
                lines.insert(i, lines[j])
            case _:
                words = lines[i].split(" ")
                words[rng.randrange(len(words))] = rng.choice(rng.choice([WORDS, ODD]))
                lines[i] = " ".join(words)
    return "\n".join(lines)


@examples(150, deadline=None)
@given(s.randoms(use_true_random=False))
def test_every_sheet_is_answered(rng: random.Random) -> None:
    answer = judge(read_sheet(mangled(rng)))
    for finding in answer.findings:
        assert finding.code in CODES
        assert answer.words("en").say(finding.message) and answer.words("pt").say(finding.message)
        assert 0 <= finding.line <= max(1, len(answer.lines))
        assert finding.rule or finding.code == "syntax"
    for state in answer.as_json()["position"].values():
        assert (state["hex"] is None) == ("where" in state)
    assert write_text([answer], Words("pt"))
