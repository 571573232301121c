"""`python -m validator`."""

from __future__ import annotations

from hexforge.validator.app.cli import main

main(prog_name="validator")
