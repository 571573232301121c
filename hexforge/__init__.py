"""Compile hex wargames into VASSAL modules, and judge the games played with them."""

from pathlib import Path

_TREE = Path(__file__).parent.parent
if not Path(__file__).with_name("scenarios").is_dir() and (_TREE / "scenarios").is_dir():
    # A tree without its links: a ZIP unpacked on Windows, a source distribution.
    __path__.append(str(_TREE))
