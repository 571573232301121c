"""`python -m modulegen`."""

from __future__ import annotations

from hexforge.modulegen.cli import main

if __name__ == "__main__":
    main(prog_name="modulegen")
