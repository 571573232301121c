"""What was changed in an extension: every datum of its markers, tracks and rules that differs."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import asdict
from typing import Any, Final

from hexforge.scenarios.changes import DataChange, reading_before
from hexforge.scenarios.extended import Extension
from hexforge.scenarios.extension import load_extension

_KINDS: Final[Mapping[str, str]] = {
    "markers": "marker",
    "tracks": "track",
    "places": "place",
    "only_exits": "exit",
    "counts": "count",
    "options": "option",
    "days": "days",
    "phases": "phase",
}
_OTHER: Final = "setting"
_UNSAID: Final[tuple[object, ...]] = (None, "", (), [], {}, False)
_KEY: Final = ("id", "letter", "hex")
"""By which of its fields one of a list is told from the others."""


def impact(old: Extension, new: Extension) -> list[DataChange]:
    """Every datum that differs, in the order of the files. Nothing in an extension rests on anything else."""
    before, after = dict(_data(old)), dict(_data(new))
    return [
        DataChange(kind, id_, before.get((kind, id_)), after.get((kind, id_)))
        for kind, id_ in dict.fromkeys((*before, *after))
        if before.get((kind, id_)) != after.get((kind, id_))
    ]


def baseline(extension: Extension) -> Extension | None:
    """The reading that an extension was changed from; None where none is to be found."""
    return reading_before(extension.name, extension.folder, lambda folder: load_extension(folder, strict=False))


def _data(extension: Extension) -> Iterator[tuple[tuple[str, str], str]]:
    """Every datum by its kind and its id, each as the files have it, in one line."""
    for file, model in extension.files.items():
        for section, value in asdict(model).items():
            kind = _KINDS.get(section, _OTHER if file == "game.yaml" else "rule")
            if kind in (_OTHER, "days") or not isinstance(value, dict | list | tuple):
                yield (kind, section), _told(value)
            elif kind == "rule":
                yield from (((kind, f"{section}.{key}"), _told(v)) for key, v in _items(value))
            else:
                yield from (((kind, key), _told(v)) for key, v in _items(value))


def _items(value: Any) -> Iterator[tuple[str, Any]]:
    if isinstance(value, dict):
        yield from value.items()
        return
    for i, one in enumerate(value):
        named = next((one[key] for key in _KEY if isinstance(one, dict) and key in one), i)
        yield str(named), one


def _told(value: Any) -> str:
    """A value in one line, without what is not said."""
    if isinstance(value, dict):
        said = ((key, _told(v), isinstance(v, dict)) for key, v in value.items() if v not in _UNSAID)
        return ", ".join(f"{key} ({text})" if nested else f"{key} {text}" for key, text, nested in said)
    if isinstance(value, list | tuple):
        return " ".join(f"({_told(v)})" if isinstance(v, dict) else _told(v) for v in value)
    return str(value)
