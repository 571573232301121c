"""A complete game to measure with, made from a seed and kept outside the project until what makes it changes."""

from __future__ import annotations

import hashlib
import os
import tempfile
from functools import cache
from pathlib import Path

from hexforge.scenarios.loader import load
from tests.generator.game import generate
from tests.generator.table import Style

ROOT = Path(__file__).resolve().parent.parent
# As many moves as a game can hold: nobody stays where he is, and reinforcements come on time.
BUSY = Style(contact=0.15, stay=0, stack=0, late=0, bombard=0.9, voluntary=0.3, support=0.3, seek=0.85)
SEED = 1


@cache
def game() -> str:
    """A complete game as a sheet."""
    scenario = load("bastogne")
    sources = sorted((ROOT / "tests" / "generator").glob("*.py"))
    key = hashlib.sha256(b"".join(p.read_bytes() for p in sources) + scenario.digest.encode()).hexdigest()[:16]
    path = Path(tempfile.gettempdir()) / f"hexforge-bench-{os.getuid()}-{key}.sheet"
    if not path.is_file():
        partial = path.with_suffix(f".{os.getpid()}")
        partial.write_text(generate(scenario, SEED, style=BUSY).text, encoding="utf-8")
        partial.replace(path)
    return path.read_text(encoding="utf-8")
