"""Every input that once broke a reader, and the seeds from which the search starts, within bounded time."""

from __future__ import annotations

import time
from pathlib import Path

import pytest

from .target import TARGETS, one_input

CORPUS = sorted((Path(__file__).resolve().parent / "corpus").iterdir())


@pytest.mark.parametrize("path", CORPUS, ids=lambda p: p.name)
def test_an_input_is_borne(path: Path) -> None:
    started = time.process_time()
    one_input(path.read_bytes())
    assert time.process_time() - started < 10


def test_every_reader_has_seeds() -> None:
    assert {path.read_bytes()[:1] for path in CORPUS} == set(TARGETS)
