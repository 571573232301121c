"""The files of a draft: a game laid over the preset `classic`, with the pictures of the module."""

from __future__ import annotations

import csv
import io
import json
from collections import defaultdict
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, Final

from ...scenarios.console import Problem, ScenarioError
from ...scenarios.keys import json_schemas
from ...scenarios.schema.game import GUNS
from ...scenarios.schema.results import Dice
from ...scenarios.text.files import staged
from ...scenarios.text.words import Language, Words, message
from ..starter import SCHEMAS, names_from, schema_file
from ..vassal.archive import Archive
from . import pieces
from .pieces import drawn, padded, picture
from .survey import ModuleSurvey, prefixes, survey

SECTION: Final = "1"
_SYMBOLS: Final = {"infantry": "infantry", "cavalry": "cavalry", "artillery": "artillery"}
_PALETTES: Final = ("british", "french")
_SEQUENCE: Final = ("movement", "combat")
_SECTIONS: Final = {
    "movement": "map units phase allowance barred water zone entry exit",
    "combat": "participants odds terrain encirclement unity column row result advance retreat chain river encircled"
    " air airstrike artillery once leaving phase",
}


def draft_game(source: Path, folder: Path, words: Words, setup: str | None = None) -> ModuleSurvey:
    """Write a draft of a scenario from a module; gives what was told of it.

    Raises ScenarioError for a folder that holds anything and for a module without hexes, FormatError for none.
    """
    names = names_from(folder)
    if folder.exists() and (not folder.is_dir() or any(folder.iterdir())):
        raise ScenarioError([Problem(str(folder), 0, "", message("modulegen.new.not-empty"))])
    with Archive(source) as archive:
        found = survey(archive, source, setup)
        files = dict(_pictures(archive, found))
        for name, content in _files(found, names, words.language, _faces(files)):
            files[name] = content.encode("utf-8")
    files["map.yaml"] = _map(found, files).encode("utf-8")
    files["DRAFT.md"] = _page(found, words).encode("utf-8")
    with staged(folder) as stage:
        for name, data in files.items():
            target = stage / name
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_bytes(data)
    return found


def _faces(files: Mapping[str, bytes]) -> set[str]:
    """The faces of markers that have a picture."""
    return {Path(name).stem for name in files if name.startswith("looks/markers/")}


def _files(
    found: ModuleSurvey, names: tuple[str, str, str], language: Language, faces: set[str]
) -> Iterator[tuple[str, str]]:
    ids = _side_ids(found)
    for name, data in (
        ("game.yaml", _game(found, names, ids) | pieces.in_game(found.markers, pieces.pools(found.decks), faces)),
        ("tables.yaml", _tables(found.throw)),
        ("setup.yaml", _setup(found)),
        ("victory.yaml", {"section": SECTION, "objectives": [], "destroyed": dict.fromkeys(ids.values(), 1)}),
        ("text.en.yaml", _texts(found, ids) | pieces.in_texts(found.markers, pieces.pools(found.decks))),
        ("text.pt.yaml", _texts(found, ids) | pieces.in_texts(found.markers, pieces.pools(found.decks))),
    ):
        yield name, _yaml(name, data)
    yield "counters.csv", _counters(found, ids)
    for target, described in json_schemas(language).items():
        yield f"{SCHEMAS}/{schema_file(target)}", json.dumps(described, ensure_ascii=False, indent=1) + "\n"


def _yaml(name: str, data: Mapping[str, Any]) -> str:
    import yaml

    body = yaml.safe_dump(dict(data), allow_unicode=True, sort_keys=False, width=110, default_flow_style=None)
    return f"# yaml-language-server: $schema={SCHEMAS}/{schema_file(name)}\n{body}"


def _side_ids(found: ModuleSurvey) -> dict[str, str]:
    """Side -> its id: the letters of its name, told apart."""
    short = prefixes(found)
    return {side: f"s-{short[side]}" for side in found.sides}


def _game(found: ModuleSurvey, names: tuple[str, str, str], ids: Mapping[str, str]) -> dict[str, Any]:
    name, _, file = names
    short = prefixes(found)
    sides = [
        {"id": ids[s], "prefix": short[s], "branches": {"line": {"counter": palette}}}
        for s, palette in zip(found.sides, _PALETTES, strict=True)
    ]
    phases = [{"side": ids[s], "phase": phase} for s in found.sides for phase in _SEQUENCE]
    sections = {part: dict.fromkeys(keys.split(), SECTION) for part, keys in _SECTIONS.items()}
    return {
        "format": 1,
        "name": name,
        "family": "classic",
        "languages": ["en", "pt"],
        "letter": "X",
        "module": {"name": found.title[:80], "file": f"{file}.vmod", "version": "0.1"},
        "sides": sides,
        "turns": {"first": found.turns[0], "last": found.turns[1], "start": "1900-01-01", "days": 1},
        "sequence": phases,
        "movement_classes": "foot horse",
        "unit_types": {
            kind: {"symbol": symbol, "movement": "foot" if kind == "infantry" else "horse"}
            for kind, symbol in _SYMBOLS.items()
        },
        "classes": {GUNS: "artillery"},
        "rules": {
            "stacking": {"limit": _highest(found), "section": SECTION},
            "movement": {"sections": sections["movement"]},
            "combat": {"sections": sections["combat"]},
        },
        "sources": [found.title],
    }


def _highest(found: ModuleSurvey) -> int:
    """As many in a hex as the set-up has; no rule of stacking can be told from a module."""
    heights: dict[tuple[str, str], int] = defaultdict(int)
    for placing in found.placed:
        if placing.hex:
            heights[placing.hex, placing.counter.side] += 1
    return max(2, *heights.values(), 2)


def _tables(throw: str) -> dict[str, Any]:
    """A table to be replaced by the game's: odds across, and the numbers that its dice can show down."""
    rows = (
        "AR DR DR DR DR DE DE DE",
        "AR AR DR DR DR DR DE DE",
        "AE AR AR DR DR DR DR DE",
        "AE AE AR AR DR DR DR DR",
        "AE AE AR AR EX EX DR DR",
        "AE AE AE AR AR EX EX DR",
    )
    shown = list(Dice.of(throw or "1d6").ways)
    return {
        "crt": {
            "columns": ["1-3", "1-2", "1-1", "2-1", "3-1", "4-1", "5-1", "6-1"],
            **({"dice": throw} if throw else {}),
            "rows": {str(n): rows[i * len(rows) // len(shown)].split() for i, n in enumerate(shown)},
        },
        "results": {"DR": {"defender": {"retreat": 1}}},
        "terrain": {"open": {"costs": {"foot": 1, "horse": 1}}},
        "hexsides": {},
        "ways": {},
    }


def _setup(found: ModuleSurvey) -> dict[str, Any]:
    by_hex: dict[str, list[str]] = defaultdict(list)
    later: dict[str, list[str]] = defaultdict(list)
    for placing in found.placed:
        if placing.hex:
            by_hex[placing.hex].append(placing.counter.id)
        else:
            later[placing.counter.side].append(placing.counter.id)
    at_start = [
        {"hexes": hex_, "section": SECTION, "units": " ".join(units)} for hex_, units in sorted(by_hex.items())
    ]
    entries = " ".join(found.ground.anchors())
    coming = [
        {"turn": found.turns[1], "hexes": entries, "section": SECTION, "units": " ".join(units)}
        for units in later.values()
    ]
    return {"at_start": at_start, "reinforcements": coming}


def _texts(found: ModuleSurvey, ids: Mapping[str, str]) -> dict[str, Any]:
    shown = {ids[side]: side for side in found.sides}
    return {
        "title": {"name": found.title, "subtitle": found.title, "period": "–"},
        "introduction": found.title,
        "sides": shown,
        "sides_short": {ids[s]: s[:3].upper() for s in found.sides},
        "units_of": shown,
        "branches": {"line": "–"},
        "movement_classes": {"foot": "Foot", "horse": "Horse"},
        "classes": {GUNS: "Guns"},
        "terrain": {"open": "Open"},
        "unit_types": {kind: kind.capitalize() for kind in _SYMBOLS},
        "help": {"setup": found.setup or "–", "special_1": "–", "victory": "–"},
    }


_COLUMNS: Final = [
    "id",
    "side",
    "branch",
    "name_en",
    "name_pt",
    "type",
    "size",
    "attack",
    "defence",
    "move",
    "range",
    "reduced_attack",
    "reduced_defence",
    "source_strength",
    "source_reduced",
    "source_range",
    "source_identity",
    "note",
]


def _counters(found: ModuleSurvey, ids: Mapping[str, str]) -> str:
    out = io.StringIO()
    table = csv.DictWriter(out, _COLUMNS, lineterminator="\n", restval="")
    table.writeheader()
    for one in found.counters:
        figures = {k: one.figures.get(k, "") for k in ("range", "reduced_attack", "reduced_defence")}
        if one.type != "artillery":
            figures["range"] = ""
        strength = "printed" if {"attack", "move"} <= one.told else "assumed"
        table.writerow(
            {
                "id": one.id,
                "side": ids[one.side],
                "branch": "line",
                "name_en": one.name,
                "name_pt": one.name,
                "type": one.type,
                "size": "X",
                "attack": one.figures.get("attack", 1),
                "defence": one.figures.get("defence", 1),
                "move": one.figures.get("move", 4),
                **figures,
                "source_strength": strength,
                "source_reduced": "assumed",
                "source_range": "assumed",
                "source_identity": "assumed",
            }
        )
    return out.getvalue()


def _pictures(archive: Archive, found: ModuleSurvey) -> Iterator[tuple[str, bytes]]:
    board = picture(archive, found.ground.board.image) if found.ground.board.image else None
    if board is not None:
        data, kind = padded(*board, found.ground.overhang())
        yield f"looks/board{kind}", data
    done: dict[Any, bytes | None] = {}
    for one in found.counters:
        for name, faces in zip((one.id, f"{one.id}-back"), one.faces, strict=False):
            if faces not in done:
                done[faces] = drawn(archive, faces)
            face = done[faces]
            if face is not None and (name == one.id or "reduced_attack" in one.figures):
                yield f"looks/counters/{name}.png", face
    for own in found.markers:
        for name, faces in own.pictures:
            if faces not in done:
                done[faces] = drawn(archive, faces)
            if (face := done[faces]) is not None:
                yield f"looks/markers/{name}.png", face
    others = [one.image for one in found.boards if one.image]
    for folder, names in (("charts", found.charts), ("boards", others)):
        for number, chart in enumerate(names[:50], 1):
            shown = picture(archive, chart)
            if shown is not None:
                yield f"{folder}/{number:02d}{shown[1]}", shown[0]


def _map(found: ModuleSurvey, files: Mapping[str, bytes]) -> str:
    ground = found.ground
    columns, rows = ground.field["columns"], ground.field["rows"]
    data: dict[str, Any] = {
        "grid": dict(ground.field),
        "legend": {".": "open"},
        "terrain": ["." * columns] * rows,
        "provenance": ["a" * columns] * rows,
    }
    board = next((name for name in files if name.startswith("looks/board.")), None)
    if board:
        left, top, _, _ = ground.overhang()
        anchors = {h: [round(x + left, 1), round(y + top, 1)] for h, (x, y) in ground.anchors().items()}
        data["scan"] = {"image": board.removeprefix("looks/"), "centres": anchors}
    return _yaml("map.yaml", data)


def _page(found: ModuleSurvey, words: Words) -> str:
    """What was told, and what is left to do, for the reader."""
    lines = [f"# {found.title}", "", words.say(survey_summary(found)), "", words("modulegen.import.page.left"), ""]
    lines += [f"- {words.say(one)}" for one in found.left]
    for key, names in (("dice", found.dice), ("charts", found.charts)):
        if names:
            lines += ["", words(f"modulegen.import.page.{key}", names=tuple(names[:50]))]
    return "\n".join([*lines, ""])


def survey_summary(found: ModuleSurvey) -> Any:
    """How much a draft holds."""
    ground = found.ground
    return message(
        "modulegen.import.done",
        counters=len(found.counters),
        placed=sum(bool(p.hex) for p in found.placed),
        columns=ground.field["columns"],
        rows=ground.field["rows"],
        first=found.turns[0],
        last=found.turns[1],
    )
