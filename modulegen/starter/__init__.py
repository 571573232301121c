"""The game that `modulegen new` writes: small, commented, complete, in the reader's language.

In its files `<<key>>` stands for a comment of `art/words/starter.LANGUAGE.yaml`, of the section that the file's
name begins with, `<<section.key>>` for one of another section. What is all words is a file of its own a language,
the English one where there is none.
"""

from __future__ import annotations

import json
import re
import unicodedata
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Final

from ...scenarios.console import Problem, ScenarioError
from ...scenarios.keys import json_schemas
from ...scenarios.text.files import staged
from ...scenarios.text.words import SOURCE, Language, Words, message
from ...scenarios.yamlfile import parse

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
    "turn1.{language}.sheet": "examples/turn1.sheet",
    "turn1-mistakes.{language}.sheet": "examples/turn1-mistakes.sheet",
}
"""What is written out, and as what."""
CLASSIC_FILES = {f"classic.{source}": target for source, target in FILES.items()}
"""The same of a game that is laid over the preset of that name."""


def _like_classic(name: str, *own: str) -> dict[str, str]:
    """The files of a starter that has some of its own, and shares the others with the classic one."""
    played = {source for source in FILES if source.endswith(".sheet")}
    return {
        f"{name if source in {'game.yaml', *played, *own} else 'classic'}.{source}": target
        for source, target in FILES.items()
    }


_TEXTS = ("text.pt.yaml", "text.en.yaml")
_FIRE = (*_TEXTS, "map.yaml", "setup.yaml")
LIKE: Final[Mapping[str, Mapping[str, str]]] = {
    "somnium": FILES,
    "classic": CLASSIC_FILES,
    "sticky": _like_classic("sticky", *_TEXTS),
    "supply": _like_classic("supply", *_TEXTS),
    "fire": _like_classic("fire", *_FIRE),
}
"""The starter games by the family or preset that lends to them."""
EXTENSION_FILES = {
    "extension.yaml": "game.yaml",
    "extension.text.pt.yaml": "text.pt.yaml",
    "extension.text.en.yaml": "text.en.yaml",
}
"""The same of an extension."""
_SCHEMA: Final = {"extension.yaml": "game.extension.yaml"}
"""Whose schema is not that of the file that it becomes."""
_HERE: Final = Path(__file__).resolve().parent
_GAMES: Final = (_HERE / "games", _HERE.parents[1] / "tests" / "games")
"""Where the model games are: beside this in what is installed, in the tree with the tests that they serve."""
_MODEL_FILES: Final = {**{t: t for t in FILES.values() if t.endswith((".yaml", ".csv"))}, "rules.md": "README.md"}
"""What of a model game is written out, and as what: its rules tell what it is."""
_COMMENT: Final = re.compile(r"(?m)(?P<start>^ *# )?<<(?P<key>[\w.-]+)>>")
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


def models() -> Mapping[str, Path]:
    """The model games by their names: whole games, each with rules of its own, that tests judge case by case."""
    home = next((folder for folder in _GAMES if folder.is_dir()), None)
    return {path.parent.name: path.parent for path in sorted(home.glob("*/game.yaml"))} if home else {}


def _model(model: str, name: str, file: str) -> Iterator[tuple[str, str]]:
    """The files of a model game under another name, each with what it is written as."""
    for source, target in _MODEL_FILES.items():
        path = models()[model] / source
        if path.is_file():
            text = re.sub(r"(?m)^name: .*$", f"name: {name}", path.read_text("utf-8"), count=1)
            yield target, re.sub(r"file: [\w.-]+\.vmod", f"file: {file}.vmod", text, count=1)
    cases = models()[model] / "cases.yaml"
    judged = parse(cases.read_text("utf-8"), cases)["cases"] if cases.is_file() else ()
    for verdict, target in (("legal", "turn1"), ("illegal", "turn1-mistakes")):
        sheet = next((case["sheet"] for case in judged if case["expect"]["verdict"] == verdict), "")
        yield f"examples/{target}.sheet", re.sub(r"(?m)^game .*$", f"game {name}", sheet, count=1)


def _source(source: str, words: Words) -> str:
    """A file of the starter game as readers of a language get it."""
    folder = Path(__file__).parent
    section = source.split(".", maxsplit=1)[0]
    path = folder / source.format(language=words.language)
    text = (path if path.is_file() else folder / source.format(language=SOURCE)).read_text("utf-8")

    def comment(found: re.Match[str]) -> str:
        start = found["start"] or ""
        key = found["key"] if "." in found["key"] else f"{section}.{found['key']}"
        lines = words(f"starter.{key}").splitlines()
        return "\n".join(f"{start}{line}".rstrip() for line in lines)

    return _COMMENT.sub(comment, text)


def write(
    folder: Path, language: Language = SOURCE, files: Mapping[str, str] = FILES, model: str = ""
) -> list[Path]:
    """Write the starter game, or other files like it, with comments in a language; gives the files written.

    A `model` game is written in place of `files`, as it stands.

    Raises ScenarioError when the folder holds anything already, OSError where it cannot be written.
    """
    name, title, file = names_from(folder)
    if folder.exists() and (not folder.is_dir() or any(folder.iterdir())):
        what = message("modulegen.new.not-empty")
        raise ScenarioError([Problem(str(folder), 0, "", what)])
    schemas = json_schemas(language)
    contents: dict[str, str] = {}
    words = Words(language)
    given = [(source, target, _source(source, words)) for source, target in files.items() if not model]
    given += [(target, target, text) for target, text in _model(model, name, file)] if model else []
    for source, target, said in given:
        text = said.replace("@NAME@", name).replace("@TITLE@", title).replace("@FILE@", file)
        if target in schemas and target.endswith(".yaml"):
            schema = schema_file(_SCHEMA.get(source, target))
            text = f"# yaml-language-server: $schema={SCHEMAS}/{schema}\n{text}"
        contents[target] = text
    for target, described in schemas.items():
        contents[f"{SCHEMAS}/{schema_file(target)}"] = json.dumps(described, ensure_ascii=False, indent=1) + "\n"
    with staged(folder) as stage:
        for target, text in contents.items():
            _put(stage / target, text)
    return [folder / target for target in contents]


def schema_file(name: str) -> str:
    """What the JSON Schema of a scenario file is called."""
    return f"{name}.schema.json"


def _put(path: Path, text: str) -> None:
    path.parent.mkdir(exist_ok=True)
    path.write_text(text, "utf-8", newline="\n")
