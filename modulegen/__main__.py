"""`python -m modulegen`."""

from hexforge.modulegen.cli import main

if __name__ == "__main__":
    main(prog_name="modulegen")
