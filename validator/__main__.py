"""`python -m validator`."""

from validator.cli import main

main(prog_name="validator")
