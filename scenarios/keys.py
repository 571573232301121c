"""What each key of a game's files means, may hold and holds by default, as the schemas say it: a page for people.

Editors get the same from the JSON Schemas. English descriptions stand where a key is declared; those of
other languages in `art/words/meanings.LANGUAGE.yaml`, by the English text, so that one that changes is missed.

The schema of every file that somebody may write, and what editors are told of it.
"""

from __future__ import annotations

import datetime
import inspect
import re
from collections.abc import Iterator, Mapping
from dataclasses import Field
from fractions import Fraction
from types import UnionType
from typing import Annotated, Any, Final, Literal, NamedTuple, Union, get_args, get_origin, get_type_hints

import yaml

from .commands import HOME
from .schema.base import Halves, Ref
from .schema.declared import Model, Noted, default, required
from .schema.extension import ExtensionFile
from .schema.game import GameFile
from .schema.map import MapFile
from .schema.setup import CounterRow, SetupFile, VictoryFile
from .schema.tables import TablesFile
from .schema.tournament import TournamentFile
from .sources import Sources, add_family
from .text.words import SOURCE, Language, Message, Param, Words, catalogue, message

YAML_FILES: dict[str, type[Model]] = {
    "game.yaml": GameFile,
    "map.yaml": MapFile,
    "tables.yaml": TablesFile,
    "setup.yaml": SetupFile,
    "victory.yaml": VictoryFile,
}
FILES: Final[Mapping[str, type[Model]]] = {
    **YAML_FILES,
    "counters.csv": CounterRow,
    "game.extension.yaml": ExtensionFile,
    "tournament.yaml": TournamentFile,
}
"""The schema of every file that somebody may write; `game.extension.yaml` is the game.yaml of an extension."""


def json_schemas(language: str = SOURCE) -> dict[str, dict[str, Any]]:
    """The JSON Schema of every file, by file name, for editors that complete and check while one types.

    What each key means is said in a language, in English where that has no words for it.
    """
    schemas = {name: schema.model_json_schema() for name, schema in FILES.items()}
    for name in YAML_FILES:
        _lend(schemas[name])
    for schema in schemas.values():
        _say_of_keys(schema, schema.get("$defs", {}))
        _describe(schema, language)
    return schemas


def _say_of_keys(part: Any, defs: Mapping[str, Any]) -> None:
    """Have a key that says nothing itself say what it holds, one or a list of it: editors look no farther."""
    for below in part.values() if isinstance(part, dict) else part if isinstance(part, list) else ():
        _say_of_keys(below, defs)
    keys = part.get("properties") if isinstance(part, dict) else None
    for key in keys.values() if isinstance(keys, dict) else ():
        if isinstance(key, dict) and "description" not in key:
            inner = (key, key.get("items"), key.get("additionalProperties"), *key.get("anyOf", ()))
            names = (
                str(one["$ref"]).rpartition("/")[2] for one in inner if isinstance(one, dict) and "$ref" in one
            )
            said = next((defs[name]["description"] for name in names if "description" in defs[name]), "")
            key.update({"description": said} if said else {})


def _describe(part: Any, language: str) -> None:
    """Put every description into a language; of a longer one its first paragraph, as the page of keys has it."""
    for below in part.values() if isinstance(part, dict) else part if isinstance(part, list) else ():
        _describe(below, language)
    if isinstance(part, dict) and isinstance(said := part.get("description"), str):
        part["description"] = translated(" ".join(said.split("\n\n", maxsplit=1)[0].split()), language)


def _lend(schema: dict[str, Any]) -> None:
    """Ask of a file for nothing that its family may lend: any key, but of what stands in a list."""
    defs = schema.get("$defs", {})
    needed, left = schema.pop("required", []), [schema]
    seen: set[str] = set()
    while left:
        part = left.pop()
        for below in (
            *part.get("properties", {}).values(),
            part.get("additionalProperties"),
            *part.get("anyOf", ()),
        ):
            if isinstance(below, dict):
                left.append(below)
        name = str(part.get("$ref", "")).rpartition("/")[2]
        if name and name not in seen:
            seen.add(name)
            defs[name].pop("required", None)
            left.append(defs[name])
    if "family" in schema["properties"]:
        schema |= {"if": {"not": {"required": ["family"]}}, "then": {"required": needed}}


_LONGEST: Final = 70
"""Characters of an example; longer ones are cut."""
_KINDS: Final = {
    int: "number",
    float: "decimal",
    bool: "switch",
    str: "text",
    datetime.date: "date",
    Any: "anything",
}


class ModelKey(NamedTuple):
    """A key of a model. `meaning` is its description in English; `default` is "" where it must be given."""

    name: str
    meaning: str
    values: Message
    default: str
    example: str


def translated(text: str, language: Language) -> str:
    """A description in a language, in English where that has none."""
    found: str = catalogue("meanings", language).get(text, text)
    return found


def about(model: type[Model]) -> str:
    """What a model is for: the first paragraph of its docstring."""
    return " ".join((inspect.getdoc(model) or "").split("\n\n", maxsplit=1)[0].split())


def meaning(model: type[Model], name: str) -> str:
    """What a key means, in English; what holds models of one kind means what they do."""
    said: str = _said(model, name).get("description", "")
    if said:
        return said
    hint = get_type_hints(model)[name]
    if get_origin(hint) is Literal and len(get_args(hint)) == 1:
        return about(model)
    held = list(dict.fromkeys(models_in(hint)))
    return about(held[0]) if len(held) == 1 else ""


def _said(model: type[Model], name: str) -> Mapping[str, Any]:
    """What is noted of a field, in its type and beside it."""
    hint = get_type_hints(model, include_extras=True)[name]
    notes = get_args(hint)[1:] if get_origin(hint) is Annotated else ()
    noted = {k: v for note in notes if isinstance(note, Noted) for k, v in note.said.items()}
    return noted | model.model_fields[name].metadata


def models_in(hint: Any) -> Iterator[type[Model]]:
    """The models that a type holds, in their order."""
    if isinstance(hint, type) and issubclass(hint, Model):
        yield hint
    for arg in get_args(hint):
        yield from models_in(arg)


def models(root: type[Model]) -> dict[type[Model], str]:
    """Every model of a file and where it stands, the file's own first: `rules.movement.immobile[]`."""
    found: dict[type[Model], str] = {root: ""}
    for model, where in _below(root, ""):
        found.setdefault(model, where)
    return found


def _below(model: type[Model], where: str) -> Iterator[tuple[type[Model], str]]:
    for name, hint in get_type_hints(model).items():
        if name in model.model_fields:
            at = f"{where}.{name}".lstrip(".") + _steps(hint)
            for held in models_in(hint):
                yield held, at
                yield from _below(held, at)


def _steps(hint: Any) -> str:
    if get_origin(hint) in (Union, UnionType):
        (first, *_) = (arg for arg in get_args(hint) if arg is not type(None))
        return _steps(first)
    if get_origin(hint) is tuple:
        return "[]" + _steps(get_args(hint)[0])
    if get_origin(hint) in (dict, Mapping):
        return ".*" + _steps(get_args(hint)[1])
    return ""


def keys(model: type[Model], examples: Mapping[tuple[str, str], Any] | None = None) -> list[ModelKey]:
    """The keys of a model, as `get_type_hints` has them."""
    hints = get_type_hints(model, include_extras=True)
    found = []
    for name, field in model.model_fields.items():
        said = _said(model, name)
        example = (examples or {}).get((_known_as(model), name), said.get("examples", (None,))[0])
        if example is None:
            example = _example(hints[name], said)
        found.append(
            ModelKey(name, meaning(model, name), values(hints[name], said), _default(field), _written(example))
        )
    return found


# ------------------------------------------------------------------------------------------------- values


def values(hint: Any, said: Mapping[str, Any] | None = None) -> Message:
    """What may stand at a key, by its type."""
    if hint is Halves:
        return message("keys.values.points")
    origin, args = get_origin(hint), get_args(hint)
    if origin is Annotated:
        ref = next((note for note in args[1:] if isinstance(note, Ref)), None)
        if ref is not None:
            several = get_origin(args[0]) is tuple
            thing = message(f"keys.things.{ref.kind}")
            return message("keys.values.references" if several else "keys.values.reference", thing=thing)
        return values(args[0], said)
    if origin in (Union, UnionType):
        given = [arg for arg in args if arg is not type(None)]
        held = [values(arg, said) for arg in given]
        return message("keys.values.either", choices=tuple(dict.fromkeys(held))) if len(held) > 1 else held[0]
    if origin is Literal:
        return message("keys.values.choice", choices=tuple(f"`{choice}`" for choice in args))
    if origin is tuple:
        return message("keys.values.list", item=values(args[0]))
    if origin in (dict, Mapping):
        return message("keys.values.mapping", key=values(args[0]), value=values(args[1]))
    if isinstance(hint, type) and issubclass(hint, Model):
        return message("keys.values.model", model=_heading(hint))
    return _plain(hint, said or {})


def _plain(hint: Any, said: Mapping[str, Any]) -> Message:
    kind = _KINDS.get(hint, "text")
    if hint is not int:
        return message(f"keys.values.{kind}")
    notes: dict[str, Param] = {as_: int(said[key]) for key, as_ in (("ge", "least"), ("le", "most")) if key in said}
    key = {0: "number", 1: "number-from", 2: "number-in"}[len(notes)]
    return message(f"keys.values.{key}", **notes)


def _default(field: Field[Any]) -> str:
    if required(field):
        return ""
    value = default(field)
    return "–" if value is None or value in ((), {}, "") or isinstance(value, Model) else _written(value)


def _heading(model: type[Model]) -> str:
    return model.__name__


def _known_as(model: type[Model]) -> str:
    """A model's name among those of all modules."""
    return f"{model.__module__}.{model.__qualname__}"


# ------------------------------------------------------------------------------------------------ examples


def _written(value: Any) -> str:
    """A value as a file would have it, in one line; "" where that says nothing."""
    if isinstance(value, Fraction | datetime.date):
        value = str(value)
    if isinstance(value, tuple):
        value = list(value)
    text = yaml.safe_dump(value, default_flow_style=True, allow_unicode=True, width=10_000, sort_keys=False)
    text = " ".join(text.removesuffix("...\n").split())
    return text if len(text) <= _LONGEST else f"{text[: _LONGEST - 2].rstrip()} …"


def _example(hint: Any, said: Mapping[str, Any]) -> Any:
    """A value that would do, for a key that no game has."""
    origin, args = get_origin(hint), get_args(hint)
    if origin is Annotated:
        ref = next((note for note in args[1:] if isinstance(note, Ref)), None)
        if ref is not None:
            word = Words(SOURCE)(f"keys.samples.{ref.kind}")
            return int(word) if word.isdecimal() and ref.kind in ("turn", "face") else word
        return _example(args[0], said)
    if origin in (Union, UnionType):
        return _example(next(arg for arg in args if arg is not type(None)), said)
    if origin is Literal:
        return args[-1]
    if origin is tuple:
        return [_example(args[0], said)]
    if origin in (dict, Mapping):
        return {str(_example(args[0], said)): _example(args[1], said)}
    if isinstance(hint, type) and issubclass(hint, Model):
        hints = get_type_hints(hint, include_extras=True)
        needed = (name for name, part in hint.model_fields.items() if required(part))
        return {name: _example(hints[name], _said(hint, name)) for name in needed}
    samples: dict[Any, Any] = {int: said.get("ge", 1), bool: True, float: 1.5, datetime.date: "1944-11-02"}
    return samples.get(hint, "word")


def examples() -> dict[tuple[str, str], Any]:
    """By model and key, what the first of the program's own games that has the key has there."""
    found: dict[tuple[str, str], Any] = {}
    for path in sorted(HOME.glob("*/game.yaml")):
        sources = Sources(path.parent)
        add_family(sources)
        for name, root in FILES.items():
            if name in YAML_FILES and (path.parent / name).is_file() and "kind" not in sources.yaml(path):
                _collect(root, sources.merged(name), found)
    return found


def _collect(hint: Any, value: Any, found: dict[tuple[str, str], Any]) -> None:
    for model in models_in(hint):
        for part in _mappings(value, hint):
            hints = get_type_hints(model)
            if not set(part) <= set(model.model_fields):
                continue
            for name, below in part.items():
                found.setdefault((_known_as(model), name), below)
                _collect(hints[name], below, found)


def _mappings(value: Any, hint: Any) -> Iterator[Mapping[str, Any]]:
    """The mappings that stand for models in a value of a type."""
    origin = get_origin(hint)
    if origin is tuple and isinstance(value, list):
        for item in value:
            yield from _mappings(item, get_args(hint)[0])
    elif origin in (dict, Mapping) and isinstance(value, dict):
        for item in value.values():
            yield from _mappings(item, get_args(hint)[1])
    elif isinstance(value, dict):
        yield value


# ---------------------------------------------------------------------------------------------------- page


def page(language: Language) -> str:
    """The page of all keys, as Markdown."""
    w, drawn = Words(language), examples()
    lines = [f"# {w('keys.page.title')}", "", w("keys.page.other"), "", w("keys.page.start")]
    sections: dict[str, dict[type[Model], str]] = {}
    seen: set[type[Model]] = set()
    for file, root in FILES.items():
        sections[file] = {model: where for model, where in models(root).items() if model not in seen}
        seen.update(sections[file])
    lines += ["", *(_contents(file, listed) for file, listed in sections.items())]
    for file, listed in sections.items():
        lines += ["", f"## {file}"]
        for model, where in listed.items():
            lines += ["", *_section(model, where, w, drawn)]
    return "\n".join(lines) + "\n"


def _contents(file: str, listed: Mapping[type[Model], str]) -> str:
    """A file's line of the table of contents: each place once, with a link to the first that may stand there."""
    places: dict[str, str] = {}
    for model, where in listed.items():
        if where:
            places.setdefault(where, f"[`{where}`](#{_anchor(f'{_heading(model)}: {where}')})")
    told = ", ".join(places.values())
    return f"- [{file}](#{_anchor(file)}){': ' if told else ''}{told}"


def _anchor(heading: str) -> str:
    """What a link to a heading ends in, as GitHub makes it."""
    return re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-")


def _section(model: type[Model], where: str, w: Words, drawn: Mapping[tuple[str, str], Any]) -> Iterator[str]:
    if where:
        yield f"### {_heading(model)}: `{where}`"
        yield ""
    yield translated(about(model), w.language)
    yield ""
    heads = [w(f"keys.page.{name}") for name in ("key", "values", "default", "meaning", "example")]
    yield f"| {' | '.join(heads)} |"
    yield "| --- | --- | --- | --- | --- |"
    for key in keys(model, drawn):
        default = f"`{key.default}`" if key.default not in ("", "–") else key.default or w("keys.page.required")
        cells = [
            f"`{key.name}`",
            w.say(key.values),
            default,
            translated(key.meaning, w.language),
            f"`{key.example}`",
        ]
        yield "| " + " | ".join(cell.replace("|", "\\|").replace("\n", " ") for cell in cells) + " |"
