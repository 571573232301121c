"""`python -m modulegen`."""

from modulegen.cli import main

if __name__ == "__main__":
    main(prog_name="modulegen")
