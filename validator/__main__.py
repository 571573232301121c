"""`python -m validator`."""

from __future__ import annotations

from .app.cli import main

main(prog_name="validator")
