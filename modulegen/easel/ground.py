"""map.yaml as the page paints it, and what was painted put back into the file.

The page holds a sheet: the keys of map.yaml with their values, hexes and hexsides spelled out, each entry of a list
with `was`, its position in the file, or null for a new one. What differs from the file's own is changed there.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, Final

from hexforge.scenarios.words import HexforgeError, message
from hexforge.scenarios.yamlpatch import Patch

if TYPE_CHECKING:
    from hexforge.scenarios.schema.declared import Model
    from hexforge.scenarios.schema.map import MapFile

Sheet = dict[str, Any]
LISTS: Final[Mapping[str, Mapping[str, Any]]] = {
    "hexsides": {"kind": "", "name": "", "provenance": "assumed", "note": "", "sides": []},
    "bridges": {"side": "", "name": "", "from_turn": None, "provenance": "assumed", "note": ""},
    "ways": {"kind": "", "name": "", "provenance": "assumed", "note": "", "hexes": []},
    "places": {"id": "", "name": "", "kind": "town", "hexes": [], "provenance": "assumed", "note": ""},
    "areas": {
        **{"id": "", "name": "", "side": None, "kind": "area", "hexes": [], "drawn": True},
        **{"provenance": "assumed", "note": ""},
    },
}
"""The lists of map.yaml and their keys in the order of a new entry, with what holds without them."""
_GRID: Final = {"columns": 1, "rows": 1, "tops": "flat", "low": "even", "letter": ""}
_SCAN: Final = {"image": "", "centres": {}, "grid": False, "numbers": False}
_ROWS: Final = ("terrain", "provenance")


def sheet_of(file: MapFile) -> Sheet:
    """The file as the page holds it."""
    return {
        "grid": _fields(file.grid, _GRID),
        "legend": {letter: " ".join(terrains) for letter, terrains in file.legend.items()},
        **{key: list(getattr(file, key)) for key in _ROWS},
        "notes": dict(file.notes),
        "fortified": list(file.fortified),
        **{
            key: [{"was": i, **_fields(item, known)} for i, item in enumerate(getattr(file, key))]
            for key, known in LISTS.items()
        },
        "scan": _fields(file.scan, _SCAN) if file.scan else None,
    }


def _fields(item: Model, known: Mapping[str, Any]) -> Sheet:
    return {key: _spelled(key, getattr(item, key)) for key in known}


def _spelled(key: str, value: Any) -> Any:
    if key == "sides":
        return ["/".join(pair) for pair in value]
    if key == "side" and isinstance(value, tuple):
        return "/".join(value)
    if key == "centres":
        return {hex_: list(point) for hex_, point in value.items()}
    return list(value) if isinstance(value, tuple) else value


def painted(text: str, before: Sheet, after: Mapping[str, Any]) -> str:
    """The text of map.yaml with what differs between two sheets. Raises HexforgeError for what is no sheet."""
    try:
        patch = Patch(text)
        for key, known in (("grid", _GRID), ("scan", _SCAN)):
            _mapping(patch, key, before[key], after[key], known)
        for key in ("legend", "notes"):
            _mapping(patch, key, before[key], after[key], {})
        for key in _ROWS:
            if after[key] != before[key]:
                patch.put([key], "\n".join(map(str, after[key])))
        if after["fortified"] != before["fortified"]:
            _put_or_drop(patch, ["fortified"], after["fortified"])
        for key in LISTS:
            _list(patch, key, before[key], after[key])
        return patch.text
    except (KeyError, TypeError, AttributeError, IndexError, ValueError) as error:
        raise HexforgeError(message("easel.no-sheet")) from error


def _mapping(patch: Patch, key: str, before: Any, after: Any, known: Mapping[str, Any]) -> None:
    """A mapping's own keys; one that is new or gone as a whole."""
    if before == after:
        return
    if not before or not after:
        kept = {k: v for k, v in (after or {}).items() if k not in known or v != known[k]}
        _put_or_drop(patch, [key], kept)
        return
    for name in before:
        if name not in after:
            patch.drop([key, name])
    for name, value in after.items():
        if name not in before or before[name] != value:
            patch.put([key, str(name)], value)


def _put_or_drop(patch: Patch, where: Sequence[str | int], value: Any) -> None:
    if value:
        patch.put(where, _said(value))
    else:
        patch.drop(where)


def _said(value: Any) -> Any:
    """Hexes and hexsides are words of one text."""
    return " ".join(map(str, value)) if isinstance(value, list) else value


def _list(patch: Patch, key: str, before: Sequence[Sheet], after: Sequence[Sheet]) -> None:
    kept = {item["was"]: item for item in after if item.get("was") is not None}
    new = [_new(key, item) for item in after if item.get("was") is None]
    if before and not kept:
        patch.drop([key])
        patch.extend(key, new, anew=True)
        return
    for number, old in enumerate(before):
        if number not in kept:
            patch.drop([key, number])
            continue
        for name, default in LISTS[key].items():
            value = kept[number].get(name, default)
            if value == old[name]:
                continue
            if value in ("", None) or (value == default and name != "provenance"):
                patch.drop([key, number, name])
            else:
                patch.put([key, number, name], _said(value))
    patch.extend(key, new)


def _new(key: str, item: Mapping[str, Any]) -> dict[str, Any]:
    """An entry with what it says, and where it comes from in any case."""
    known = LISTS[key]
    found = {name: item.get(name, default) for name, default in known.items()}
    return {name: _said(value) for name, value in found.items() if value != known[name] or name == "provenance"}
