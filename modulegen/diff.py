"""What differs between two modules, or between two games as data."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from hexforge.scenarios.language import Language, said

if TYPE_CHECKING:
    from hexforge.modulegen.vassal.archive import Archive
    from hexforge.modulegen.vassal.buildfile import Element
    from hexforge.scenarios.model import Scenario

Facts = Mapping[str, Any]
"""What something is called -> what it is."""


@dataclass(frozen=True)
class Change:
    """One difference. None stands for what is not there at all."""

    what: str
    before: Any
    after: Any

    def __str__(self) -> str:
        if self.before is None:
            return f"+ {self.what}: {_short(self.after)}"
        if self.after is None:
            return f"- {self.what}: {_short(self.before)}"
        return f"~ {self.what}: {_short(self.before)} -> {_short(self.after)}"

    def json(self) -> dict[str, Any]:
        """For scripts."""
        return {"what": self.what, "before": self.before, "after": self.after}


def _short(value: Any, most: int = 120) -> str:
    text = " ".join(str(value).split())
    return text if len(text) <= most else text[: most - 1] + "…"


def changes(before: Facts, after: Facts) -> list[Change]:
    """Facts that differ, those of the first first, in their order."""
    names = [*before, *[name for name in after if name not in before]]
    return [
        Change(name, before.get(name), after.get(name)) for name in names if before.get(name) != after.get(name)
    ]


def compare(before: str, after: str, language: Language | None = None) -> dict[str, list[Change]]:
    """Section -> what differs in it; sections without differences are left out.

    `language` is that of the facts, None the reader's. Both are modules, or both games (names or folders). Raises
    ScenarioError, FormatError, OSError for what cannot be read, BuildError when one is a module and the other not.
    """
    modules = [Path(p).is_file() for p in (before, after)]
    if modules[0] != modules[1]:
        from hexforge.modulegen.build import BuildError

        raise BuildError(
            said(
                f"{before} and {after}: one is a file, the other a game; compare two of a kind",
                f"{before} e {after}: um é arquivo, o outro é jogo; compare dois do mesmo tipo",
            )
        )
    facts = module_facts if modules[0] else game_facts
    a, b = facts(before, language), facts(after, language)
    found = {section: changes(a.get(section, {}), b.get(section, {})) for section in {**a, **b}}
    return {section: list_ for section, list_ in found.items() if list_}


def section_name(section: str) -> str:
    """A section for readers."""
    first, _, rest = section.partition(" ")
    name = {
        "game": said("game", "jogo"),
        "counters": said("counters", "peças"),
        "map": said("map", "mapa"),
        "tables": said("tables", "tabelas"),
        "set-up": said("set-up", "posição inicial"),
        "victory": said("victory", "vitória"),
        "text": said("text", "textos"),
        "module": said("module", "módulo"),
        "pieces": said("pieces", "peças"),
        "components": said("components", "componentes"),
        "files": said("files", "arquivos"),
    }.get(first, first)
    return f"{name} {rest}".rstrip()


def _flat(value: Any, prefix: str = "") -> Iterable[tuple[str, Any]]:
    if isinstance(value, Mapping):
        for key, item in value.items():
            yield from _flat(item, f"{prefix}.{key}" if prefix else str(key))
    elif isinstance(value, list | tuple) and any(isinstance(i, Mapping | list | tuple) for i in value):
        for number, item in enumerate(value, 1):
            yield from _flat(item, f"{prefix}[{number}]")
    else:
        yield prefix, list(value) if isinstance(value, tuple) else value


def game_facts(game: str, language: Language | None = None) -> dict[str, Facts]:
    """Everything that the files of a game say, by section."""
    from hexforge.scenarios import load

    s = load(game, strict=False)
    counters: dict[str, Any] = {}
    for c in s.counters.values():
        row = c.model_dump()
        counters[c.id] = f"{c.attack}-{c.defence}-{c.move} {c.type} {c.name('en')}"
        counters |= {f"{c.id}.{key}": value for key, value in row.items() if value not in ("", None)}
    return {
        "game": dict(_flat(s.game.model_dump(mode="json"))),
        "counters": counters,
        "map": _map_facts(s, language),
        "tables": dict(_flat(s.tables.model_dump(mode="json"))),
        "set-up": _setup_facts(s, language),
        "victory": dict(_flat(s.victory.model_dump(mode="json"))),
        **{f"text ({code})": dict(text.values) for code, text in s.texts.items()},
    }


def _map_facts(s: Scenario, language: Language | None) -> dict[str, Any]:
    ground, lang = s.map, language
    size = f"{ground.grid.columns} x {ground.grid.rows}, low {ground.grid.low}"
    found: dict[str, Any] = {said("size", "tamanho", lang): size}
    found |= {h: " ".join(ground.terrain[h]) for h in ground.grid}
    found |= {said(f"{h} provenance", f"{h} origem", lang): ground.provenance.get(h) for h in ground.grid}
    found |= {f"{'/'.join(side)}": " ".join(sorted(kinds)) for side, kinds in sorted(ground.hexsides.items())}
    for side, kinds in sorted(ground.links.items()):
        found[said("way", "via", lang) + f" {'-'.join(side)}"] = " ".join(sorted(kinds))
    for bridge in ground.bridge_list:
        since = said(f"from turn {bridge.from_turn}", f"a partir do turno {bridge.from_turn}", lang)
        always = said("always", "sempre", lang)
        found[said("bridge", "ponte", lang) + f" {'/'.join(bridge.side)}"] = since if bridge.from_turn else always
    for p in ground.places:
        found[said("place", "lugar", lang) + f" {p.id}"] = f"{p.name} ({p.kind}) {' '.join(p.hexes)}"
    found |= {said("area", "área", lang) + f" {a.id}": f"{a.name} {' '.join(a.hexes)}" for a in ground.areas}
    return found


def _setup_facts(s: Scenario, language: Language | None) -> dict[str, Any]:
    found: dict[str, Any] = {}
    for placement in s.setup.at_start:
        where = " ".join([*placement.hexes, *placement.areas])
        where = where or said("free behind its own lines", "à escolha atrás das suas linhas", language)
        found |= dict.fromkeys(placement.units, said(f"at start: {where}", f"no início: {where}", language))
    for arrival in s.setup.reinforcements:
        where = " ".join([*arrival.edges, *arrival.hexes])
        turn = said(f"turn {arrival.turn}: {where}", f"turno {arrival.turn}: {where}", language)
        found |= dict.fromkeys(arrival.units, turn)
    for leaving in s.setup.withdrawals:
        turn = said(f"turn {leaving.turn}", f"turno {leaving.turn}", language)
        found |= {said(f"{unit} leaves", f"{unit} sai", language): turn for unit in leaving.units}
    return found


def module_facts(path: str, language: Language | None = None) -> dict[str, Facts]:
    """Everything in a module, by section: its pieces by unit (or name and slot), images by digest, set-ups."""
    from hexforge.modulegen.vassal import buildfile
    from hexforge.modulegen.vassal.archive import Archive
    from hexforge.modulegen.vassal.errors import FormatError

    with Archive(path) as archive:
        entry = "buildFile.xml" if "buildFile.xml" in archive else "buildFile"
        try:
            root = buildfile.read(archive.read(entry))
        except buildfile.BuildFileError as error:
            raise FormatError(str(error), path=path) from error
        files = {
            n: _digest(archive, n) for n in sorted(archive.names) if not n.endswith((".vsav", "buildFile.xml"))
        }
        return {
            "module": dict(root.attributes),
            "pieces": _piece_facts(root, language),
            "components": _component_facts(root, language),
            "files": {n: d for n, d in files.items() if n not in (entry, "moduledata")},
            **_setups(archive),
        }


def _digest(archive: Archive, name: str) -> str:
    data = archive.read(name)
    return f"{len(data)} bytes, {hashlib.sha256(data).hexdigest()[:12]}"


def _piece_facts(root: Element, language: Language | None) -> dict[str, Any]:
    from hexforge.modulegen.vassal import sequence
    from hexforge.modulegen.vassal import traits as t

    found: dict[str, Any] = {}
    for slot in root.all("PieceSlot"):
        parts = [*sequence.decode(slot.text.removeprefix("+/"), "/"), "", "", ""]
        piece = t.read_piece(parts[1], parts[2])
        values = piece.properties()
        name = values.get("UnitId") or f"{slot.get('entryName')} ({slot.get('gpid')})"
        found[name] = slot.get("entryName")
        found |= {f"{name}.{k}": v for k, v in sorted(values.items())}
        found[said(f"{name} traits", f"{name} traços", language)] = " ".join(
            trait.ID or "?" for trait in piece.traits
        )
    return found


_NAMES = ("name", "mapName", "entryName", "chartName", "title")


def _component_facts(root: Element, language: Language | None) -> dict[str, Any]:
    found: dict[str, Any] = {}

    def visit(element: Element, path: str) -> None:
        counts: dict[str, int] = {}
        for child in element.children:
            if child.kind == "PieceSlot":
                continue
            name = next(
                (child.get(k) for k in ("name", "mapName", "entryName", "chartName", "title") if child.get(k)), ""
            )
            counts[child.kind + name] = number = counts.get(child.kind + name, 0) + 1
            label = (
                f"{child.kind.rsplit('.', 1)[-1]}{f' {name}' if name else ''}{f' {number}' if number > 1 else ''}"
            )
            here = f"{path} / {label}" if path else label
            found[here] = child.text or said("present", "presente", language)
            found.update({f"{here}.{key}": value for key, value in child.attributes.items() if value})
            visit(child, here)

    visit(root, "")
    return found


def _setups(archive: Archive) -> dict[str, Facts]:
    """Where each piece of each set-up stands."""
    from hexforge.modulegen.vassal import sequence
    from hexforge.modulegen.vassal import traits as t
    from hexforge.modulegen.vassal.archive import Archive
    from hexforge.modulegen.vassal.payload import decode_payload

    found: dict[str, Facts] = {}
    for name in sorted(n for n in archive.names if n.endswith(".vsav")):
        with Archive(archive.read(name)) as save:
            text = decode_payload(save.read("savedGame")).text.decode("utf-8", "replace")
        places: dict[str, Any] = {}
        for command in sequence.decode(text, "\x1b"):
            parts = sequence.decode(command[2:], "/") if command.startswith("+/") else []
            if len(parts) == 3 and parts[1] != "stack":
                piece = t.read_piece(parts[1], parts[2])
                basic = t.BasicState.decode(piece.states[-1])
                values = piece.properties()
                places[values.get("UnitId") or f"{values.get('BasicName', '')} ({parts[0]})"] = (
                    f"{basic.map} {basic.x},{basic.y}"
                )
        found[f"set-up {name}"] = places
    return found
