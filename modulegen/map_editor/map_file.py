"""map.yaml as the page paints it, and what was painted put back into the file.

The page holds a sheet: the keys of map.yaml with their values, hexes and hexsides spelled out, each entry of a list
with `was`, its position in the file, or null for a new one. What differs from the file's own is changed there. A
map need not be finished: what its schema would refuse is taken as it stands, and what is missing is filled in.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any, Final

from pydantic import ValidationError

from ...scenarios import yamlfile
from ...scenarios.loader import UNPAINTED
from ...scenarios.schema.declared import Model
from ...scenarios.schema.map import Area, Bridge, Grid, HexsideRun, Place, Scan, Way
from ...scenarios.text.hexgrid import HexGrid
from ...scenarios.text.words import HexforgeError, message
from ...scenarios.yamlpatch import Patch
from .site import Asked

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
MODELS: Final[Mapping[str, type[Model]]] = {
    "hexsides": HexsideRun,
    "bridges": Bridge,
    "ways": Way,
    "places": Place,
    "areas": Area,
}
LOOKS: Final = ("terrain", "hexsides", "ways", "areas")
PLAIN: Final[Mapping[str, Any]] = {"compass": 0, "scale": ""}
ROWS: Final = ("terrain", "provenance")
_GRID: Final = {"columns": None, "rows": None, "tops": "flat", "low": "even", "letter": "", "numbering": None}
_NUMBERING: Final = {
    **{"columns": "digits", "rows": "digits", "first": "columns", "columns_from": 1, "rows_from": 1},
    **{"descending": [], "digits": None},
}
_SCAN: Final = {"image": "", "centres": {}, "grid": False, "numbers": False}
_SOURCES: Final = "pga"
_USUAL: Final = (22, 16)
"""Columns and rows of a map of which nothing is known."""
_LETTERS: Final = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
_FILE: Final = Path("map.yaml")


# ------------------------------------------------------------------------------------------------- what a file says


def sheet_of(text: str) -> Sheet:
    """The file as it stands, right or wrong. Raises ScenarioError for what is no YAML."""
    raw = yamlfile.parse(text, _FILE)
    grid = _grid(raw)
    found: Sheet = {
        "grid": _shaped(raw.get("grid"), _GRID),
        "legend": {str(k): " ".join(_several(v)) for k, v in _pairs(raw.get("legend"))},
        **{key: _several(raw.get(key)) for key in ROWS},
        "notes": {_hex(k): str(v) for k, v in _pairs(raw.get("notes"))},
        "fortified": _hexes(raw, "fortified", grid),
        **{key: [{"was": i, **it} for i, it in enumerate(_entries(raw, key, grid))] for key in LISTS},
        "edges": {str(k): _hexes({"fortified": v}, "fortified", grid) for k, v in _pairs(raw.get("edges"))},
        "looks": {
            section: {str(k): str(v) for k, v in _pairs(_of(raw, "looks").get(section))} for section in LOOKS
        },
        **{key: raw.get(key, default) for key, default in PLAIN.items()},
        "scan": _scan(raw, grid),
    }
    return found


def _pairs(value: Any) -> Iterable[tuple[Any, Any]]:
    return value.items() if isinstance(value, dict) else ()


def _of(raw: Mapping[str, Any], key: str) -> Mapping[str, Any]:
    found = raw.get(key)
    return found if isinstance(found, dict) else {}


def _several(value: Any) -> list[str]:
    if isinstance(value, list):
        return [str(it) for it in value]
    return [] if value is None else str(value).split()


def _hex(value: Any) -> str:
    return f"{value:04d}" if isinstance(value, int) else str(value)


def _shaped(value: Any, known: Mapping[str, Any]) -> Sheet:
    """A mapping's known keys as they stand; {} for what is none."""
    if not isinstance(value, dict):
        return {}
    found = {key: value.get(key, default) for key, default in known.items()}
    if "numbering" in found and found["numbering"] is not None:
        found["numbering"] = {
            key: _several(it) if key == "descending" else it
            for key, it in {**_NUMBERING, **_shaped(found["numbering"], _NUMBERING)}.items()
        }
    return found


def _valid(model: type[Model], value: Any, grid: HexGrid | None) -> Any:
    try:
        return model.model_validate(value, context={"grid": grid, "unnamed": grid is None})
    except ValidationError:
        return None


def _grid(raw: Mapping[str, Any]) -> HexGrid | None:
    found = _valid(Grid, raw.get("grid"), None)
    return found.field if found else None


def _hexes(raw: Mapping[str, Any], key: str, grid: HexGrid | None) -> list[str]:
    if key not in raw:
        return []
    # Any list of hexes is read as that of an area is: words, runs, numbers.
    found = _valid(Area, {"id": "x", "hexes": raw[key]}, grid)
    return list(found.hexes) if found else [_hex(it) for it in _several(raw[key])]


def _entries(raw: Mapping[str, Any], key: str, grid: HexGrid | None) -> list[Sheet]:
    items = raw.get(key)
    return [_entry(key, item, grid) for item in (items if isinstance(items, list) else ())]


def _entry(key: str, item: Any, grid: HexGrid | None) -> Sheet:
    known = LISTS[key]
    if (model := _valid(MODELS[key], item, grid)) is not None:
        return {name: _spelled(name, getattr(model, name)) for name in known}
    given = item if isinstance(item, dict) else {}
    found = {name: given.get(name, default) for name, default in known.items()}
    return {name: _several(it) if isinstance(known[name], list) else it for name, it in found.items()}


def _spelled(key: str, value: Any) -> Any:
    if key == "sides":
        return ["/".join(pair) for pair in value]
    if key == "side" and isinstance(value, tuple):
        return "/".join(value)
    return list(value) if isinstance(value, tuple) else value


def _scan(raw: Mapping[str, Any], grid: HexGrid | None) -> Sheet | None:
    value = raw.get("scan")
    if value is None:
        return None
    if found := _valid(Scan, value, grid):
        centres = {hex_: list(point) for hex_, point in found.centres.items()}
        return {"image": found.image, "centres": centres, "grid": found.grid, "numbers": found.numbers}
    return {**_SCAN, **_shaped(value, _SCAN)}


# --------------------------------------------------------------------------------------------- what can be painted


def completed(said: Sheet, terrains: Sequence[str]) -> Sheet:
    """A sheet with a grid, a legend and a letter for each hex, whatever the file lacks of them."""
    grid = _completed_grid(said)
    rows, columns = grid["rows"], grid["columns"]
    legend = said["legend"] or _new_legend(terrains)
    return {
        **said,
        "grid": grid,
        "legend": legend,
        "terrain": filled(said["terrain"], columns, rows, UNPAINTED),
        "provenance": [
            "".join(sign if sign in _SOURCES else "a" for sign in row)
            for row in filled(said["provenance"], columns, rows, "a")
        ],
        "compass": said["compass"] if isinstance(said["compass"], int | float) else 0,
        "scale": str(said["scale"] or ""),
        "scan": _completed_scan(said["scan"]),
    }


def filled(rows: Sequence[str], columns: int, count: int, sign: str) -> list[str]:
    """So many rows of so many letters."""
    return [(rows[i] if i < len(rows) else "")[:columns].ljust(columns, sign) for i in range(count)]


def _completed_grid(said: Sheet) -> Sheet:
    rows = said["terrain"]
    columns, count = (max(map(len, rows)), len(rows)) if rows else _USUAL
    found = Grid.model_validate({"columns": min(max(columns, 1), 99), "rows": min(max(count, 1), 99)})
    # Whatever of the file's own is right holds; sizes come first, for numbers must reach them.
    kept = {"columns": found.columns, "rows": found.rows}
    for key, value in said["grid"].items():
        if value != _GRID[key] and (better := _valid(Grid, {**kept, key: value}, None)):
            found, kept = better, {**kept, key: value}
    return {
        **_GRID,
        **{key: _spelled(key, getattr(found, key)) for key in _GRID if key != "numbering"},
        **_numbered(found),
    }


def _numbered(found: Grid) -> Sheet:
    if found.numbering is None:
        return {"numbering": None}
    return {"numbering": {key: _spelled(key, getattr(found.numbering, key)) for key in _NUMBERING}}


def _new_legend(terrains: Sequence[str]) -> dict[str, str]:
    found: dict[str, str] = {}
    for number, terrain in enumerate(terrains):
        wished = ("." if not number else "", *terrain, *terrain.upper(), *_LETTERS)
        sign = next((it for it in wished if it and (it == "." or it in _LETTERS) and it not in found), "")
        if sign:
            found[sign] = terrain
    return found


def _completed_scan(scan: Sheet | None) -> Sheet | None:
    if scan is None or not isinstance(scan["image"], str) or not isinstance(scan["centres"], dict):
        return None
    centres = {_hex(k): v for k, v in scan["centres"].items() if isinstance(v, list) and len(v) == 2}
    return {**scan, "centres": centres}


def sound(sheet: Mapping[str, Any]) -> tuple[HexGrid, dict[str, Any]]:
    """The grid of a sheet, and what of its lists and hexes its schema takes. Raises Asked for what is no sheet."""
    try:
        field = Grid.model_validate(sheet["grid"]).field
        found: dict[str, Any] = {}
        for key, model in MODELS.items():
            items = [{k: v for k, v in item.items() if k != "was" and v not in ("", None)} for item in sheet[key]]
            found[key] = [it for item in items if (it := _valid(model, item, field)) and _on(field, it)]
        found["fortified"] = frozenset(hex_ for hex_ in sheet["fortified"] if hex_ in field)
        found["edges"] = {name: tuple(h for h in hexes if h in field) for name, hexes in sheet["edges"].items()}
        return field, found
    except (ValidationError, KeyError, TypeError, AttributeError, ValueError) as error:
        raise Asked(message("easel.no-sheet")) from error


def _on(field: HexGrid, item: Any) -> bool:
    """Whether all its hexes are on the map, and hexsides between hexes that touch."""
    sides = [*getattr(item, "sides", ()), *([item.side] if isinstance(item, Bridge) else [])]
    on = all(hex_ in field for hex_ in getattr(item, "hexes", ())) and all(
        a in field and b in field for a, b in sides
    )
    return on and all(field.adjacent(a, b) for a, b in sides)


# ------------------------------------------------------------------------------------------------ what is put back


def painted(text: str, after: Mapping[str, Any]) -> str:
    """The text of map.yaml with what a sheet says otherwise than it.

    Raises HexforgeError for what is no sheet, and where the file is written so that a change of it would be lost.
    """
    before = sheet_of(text)
    try:
        patch = Patch(text)
        for key, known in (("grid", _GRID), ("scan", _SCAN)):
            _mapping(patch, [key], before[key], after[key], known)
        for key in ("legend", "notes", "edges"):
            _mapping(patch, [key], before[key], after[key], {})
        _looks(patch, before["looks"], after["looks"])
        for key in ROWS:
            if after[key] != before[key]:
                patch.put_rows(key, [str(row) for row in after[key]])
        if after["fortified"] != before["fortified"]:
            _put_or_drop(patch, ["fortified"], after["fortified"])
        for key, default in PLAIN.items():
            if after[key] != before[key]:
                _put_or_drop(patch, [key], after[key] if after[key] != default else None)
        for key in LISTS:
            _list(patch, key, before[key], after[key])
        found = patch.text
    except (KeyError, TypeError, AttributeError, IndexError, ValueError, AssertionError) as error:
        raise HexforgeError(message("easel.no-sheet")) from error
    _is_kept(found, after)
    return found


def _is_kept(text: str, after: Mapping[str, Any]) -> None:
    """Read what would be written: a file may have ways of writing that a change in its middle would break."""
    found = sheet_of(text)
    for key, value in found.items():
        if _compared(key, value) != _compared(key, after[key]):
            raise HexforgeError(message("easel.not-kept", key=key))


def _compared(key: str, value: Any) -> Any:
    if key in LISTS:
        return [
            {k: it if (it := item.get(k)) not in ("", None) else default for k, default in LISTS[key].items()}
            for item in value
        ]
    if key == "grid":
        return {**_GRID, **value}
    if key == "looks":
        return {section: names for section, names in value.items() if names}
    return value


def _mapping(patch: Patch, where: Sequence[str], before: Any, after: Any, known: Mapping[str, Any]) -> None:
    """A mapping's own keys; one that is new or gone as a whole."""
    if before == after:
        return
    if not before or not after:
        kept = {k: _without_usual(k, v) for k, v in (after or {}).items() if k not in known or v != known[k]}
        _put_or_drop(patch, where, kept)
        return
    for name in before:
        if name not in after:
            patch.drop([*where, name])
    for name, value in after.items():
        if name in before and before[name] == value:
            continue
        if name in known and value == known[name] and value in (None, ""):
            patch.drop([*where, name])
        else:
            patch.put([*where, str(name)], _said(_without_usual(name, value)))


def _without_usual(name: str, value: Any) -> Any:
    """Of a numbering what is not as on most maps."""
    if name == "numbering" and isinstance(value, dict):
        kept = {k: v for k, v in value.items() if v != _NUMBERING.get(k)}
        return {k: _said(v) for k, v in kept.items()}
    return value


def _looks(patch: Patch, before: Mapping[str, Any], after: Mapping[str, Any]) -> None:
    if not any(before.values()):
        kept = {section: dict(names) for section, names in after.items() if names}
        if kept:
            patch.put(["looks"], kept)
        return
    for section in LOOKS:
        _mapping(patch, ["looks", section], before[section], after[section], {})


def _put_or_drop(patch: Patch, where: Sequence[str | int], value: Any) -> None:
    if value:
        patch.put(where, _said(value))
    else:
        patch.drop(where)


def _said(value: Any) -> Any:
    """Hexes and hexsides are words of one text."""
    if isinstance(value, dict):
        return {k: v if k == "centres" else _said(v) for k, v in value.items()}
    return (
        " ".join(map(str, value)) if isinstance(value, list) and all(isinstance(it, str) for it in value) else value
    )


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
