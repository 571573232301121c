"""`python -m validator`."""

from hexforge.validator.cli import main

main(prog_name="validator")
