"""The game that `modulegen new` writes: small, commented, complete, in the reader's language.

In its files a line that begins with `@en` or `@pt` is for readers of that language alone, and so are the two halves
of `<<English|Portuguese>>`.
"""

from __future__ import annotations

import json
import re
import unicodedata
from importlib.resources import files
from pathlib import Path

from hexforge.scenarios.language import Language, default_language, said
from hexforge.scenarios.problems import Problem, ScenarioError
from hexforge.scenarios.words import message

FILES = {
    "game.yaml": "game.yaml",
    "map.yaml": "map.yaml",
    "counters.csv": "counters.csv",
    "tables.yaml": "tables.yaml",
    "setup.yaml": "setup.yaml",
    "victory.yaml": "victory.yaml",
    "text.pt.yaml": "text.pt.yaml",
    "text.en.yaml": "text.en.yaml",
    "README.{language}.txt": "README.md",
    "turn1.sheet": "examples/turn1.sheet",
    "turn1-mistakes.sheet": "examples/turn1-mistakes.sheet",
}
"""What is written out, and as what."""
_LINE = re.compile(r"(?m)^( *)@(en|pt) (.*\n)")
_HALVES = re.compile(r"<<(.*?)\|(.*?)>>")
SCHEMAS = "schemas"
"""The folder of the JSON Schemas that the first line of each YAML file names for editors."""


def names_from(folder: Path) -> tuple[str, str, str]:
    """Id, title and file name that a folder's name gives. Raises ScenarioError when it has no letter or digit."""
    raw = folder.resolve().name
    plain = unicodedata.normalize("NFKD", raw).encode("ascii", "ignore").decode()
    words = re.findall(r"[A-Za-z0-9]+", plain)
    if not words:
        what = message("modulegen.new.no-name")
        raise ScenarioError([Problem(str(folder), 0, "", what)])
    title = re.sub(r"[\s_-]+", " ", raw).strip().replace('"', "").replace("\\", "")
    return (
        "-".join(words).lower()[:60],
        title[:1].upper() + title[1:],
        "".join(w[:1].upper() + w[1:] for w in words),
    )


def in_language(text: str, language: Language) -> str:
    """A file of the starter game as readers of a language get it."""
    text = _LINE.sub(lambda line: line[1] + line[3] if line[2] == language else "", text)
    return _HALVES.sub(lambda halves: said(halves[1], halves[2], language), text)


def write(folder: Path) -> list[Path]:
    """Write the starter game; gives the files written.

    Raises ScenarioError when the folder holds anything already, OSError where it cannot be written.
    """
    from hexforge.scenarios.loader import json_schemas

    name, title, file = names_from(folder)
    if folder.exists() and (not folder.is_dir() or any(folder.iterdir())):
        what = message("modulegen.new.not-empty")
        raise ScenarioError([Problem(str(folder), 0, "", what)])
    folder.mkdir(parents=True, exist_ok=True)
    schemas = json_schemas()
    written = []
    language = default_language()
    for source, target in FILES.items():
        text = (files("hexforge.modulegen.starter") / source.format(language=language)).read_text("utf-8")
        text = in_language(text, language)
        text = text.replace("@NAME@", name).replace("@TITLE@", title).replace("@FILE@", file)
        if target in schemas and target.endswith(".yaml"):
            text = f"# yaml-language-server: $schema={SCHEMAS}/{schema_file(target)}\n{text}"
        written.append(_put(folder / target, text))
    for target, schema in schemas.items():
        path = folder / SCHEMAS / schema_file(target)
        written.append(_put(path, json.dumps(schema, ensure_ascii=False, indent=1) + "\n"))
    return written


def schema_file(name: str) -> str:
    """What the JSON Schema of a scenario file is called."""
    return f"{name}.schema.json"


def _put(path: Path, text: str) -> Path:
    path.parent.mkdir(exist_ok=True)
    path.write_text(text, "utf-8", newline="\n")
    return path
