"""The game that `modulegen new` writes: small, commented, complete."""

from __future__ import annotations

import re
import unicodedata
from importlib.resources import files
from pathlib import Path

from scenarios.problems import Problem, ScenarioError

FILES = (
    "game.yaml",
    "map.yaml",
    "counters.csv",
    "tables.yaml",
    "setup.yaml",
    "victory.yaml",
    "text.pt.yaml",
    "text.en.yaml",
)


def names_from(folder: Path) -> tuple[str, str, str]:
    """Id, title and file name that a folder's name gives. Raises ScenarioError when it has no letter or digit."""
    raw = folder.resolve().name
    plain = unicodedata.normalize("NFKD", raw).encode("ascii", "ignore").decode()
    words = re.findall(r"[A-Za-z0-9]+", plain)
    if not words:
        raise ScenarioError([Problem(str(folder), 0, "", "gives no name for the game: use letters or digits")])
    title = re.sub(r"[\s_-]+", " ", raw).strip().replace('"', "").replace("\\", "")
    return (
        "-".join(words).lower()[:60],
        title[:1].upper() + title[1:],
        "".join(w[:1].upper() + w[1:] for w in words),
    )


def write(folder: Path) -> list[Path]:
    """Write the starter game; gives the files written.

    Raises ScenarioError when the folder holds anything already, OSError where it cannot be written.
    """
    name, title, file = names_from(folder)
    if folder.exists() and (not folder.is_dir() or any(folder.iterdir())):
        raise ScenarioError([Problem(str(folder), 0, "", "exists and is not an empty folder; nothing was written")])
    folder.mkdir(parents=True, exist_ok=True)
    written = []
    for source in FILES:
        text = (files("modulegen.starter") / source).read_text("utf-8")
        path = folder / source
        path.write_text(
            text.replace("@NAME@", name).replace("@TITLE@", title).replace("@FILE@", file), "utf-8", newline="\n"
        )
        written.append(path)
    return written
