"""Letters as long as their bounds let them be, of lines that cost most to make out: seconds of processor.

No letter and no chain of letters may keep its reader waiting for more than a minute.
"""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable
from email.message import EmailMessage
from mailbox import mbox
from pathlib import Path
from typing import Any

import pytest

SECONDS = 60
FORM = "json"
JUDGED = (0, 1, 3)
"""What the command ends with where it has an answer, whatever that is."""
BEGINNING = "Oi\n\nhurtgen turno 2 americano combate\ncombate 1007\natacar 112-1\n"

Line = Callable[[int], str]


def _free(i: int) -> str:
    return f"First attack {i}: 0708, from the 10th and 11th, XX Corps artillery helping"


def _combat(i: int) -> str:
    return f"0705: 112-1 + 112-2 art 20, 7+4=11 x {i % 5}, 3-1, DRM -1, 4, DR"


def _prose(i: int) -> str:
    return f"Ontem eu estava pensando no nosso jogo numero {i} e foi bom"


def _move(i: int) -> str:
    return f"us-112-{i % 3 + 1} 0806 para 0907 via 0{i % 9}05"


LETTERS: dict[str, tuple[Line, int]] = {
    "free sentences": (_free, 4_000),
    "combats": (_combat, 10_000),
    "prose": (_prose, 19_900),
    "moves": (_move, 9_000),
}


def _lines(line: Line, first: int, count: int) -> str:
    return "".join(f"{line(i)}\n" for i in range(first, first + count))


def _seconds(path: Path) -> float:
    """Seconds of processor of a check as a process of its own, its helpers' among them."""
    before = os.times()
    command = [sys.executable, "-m", "hexforge.validator", "check", str(path), "--format", FORM]
    ended = subprocess.run(command, check=False, capture_output=True)
    after = os.times()
    assert ended.returncode in JUDGED, ended.stderr
    return after.children_user + after.children_system - before.children_user - before.children_system


@pytest.mark.parametrize("kind", LETTERS)
def test_a_letter(benchmark: Any, tmp_path: Path, kind: str) -> None:
    line, count = LETTERS[kind]
    path = tmp_path / "letter.txt"
    path.write_text(BEGINNING + _lines(line, 0, count), encoding="utf-8")
    spent = benchmark.pedantic(_seconds, args=(path,), rounds=1)
    benchmark.extra_info.update(lines=count, cpu=round(spent, 1))
    assert spent < SECONDS


def test_a_chain_of_letters(benchmark: Any, tmp_path: Path) -> None:
    path = tmp_path / "chain.mbox"
    box = mbox(path)
    for number in range(100):
        letter = EmailMessage()
        letter["From"], letter["Subject"] = "ana@example.org", "Re: hurtgen" if number else "hurtgen"
        letter["Date"] = f"Thu, 26 Nov 2026 {number // 60:02}:{number % 60:02}:00 +0000"
        letter["Message-ID"] = f"<{number}@example.org>"
        if number:
            letter["In-Reply-To"] = f"<{number - 1}@example.org>"
        letter.set_content(("" if number else BEGINNING) + _lines(_free, 400 * number, 400))
        box.add(letter)
    box.close()
    spent = benchmark.pedantic(_seconds, args=(path,), rounds=1)
    benchmark.extra_info.update(letters=100, lines=40_000, cpu=round(spent, 1))
    assert spent < SECONDS
