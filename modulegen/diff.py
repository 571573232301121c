"""What differs between two modules, or between two games as data."""

from __future__ import annotations

import hashlib
import io
from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from ..scenarios.commands import FILE
from ..scenarios.compiled import load_any
from ..scenarios.model import Scenario
from ..scenarios.text.words import SOURCE, HexforgeError, Message, Words, message
from .vassal import buildfile, encoding, traits
from .vassal.archive import Archive
from .vassal.encoding import FormatError
from .vassal.payload import decode_payload
from .vassal.secrets import scrubber

if TYPE_CHECKING:
    from ..scenarios.schema.declared import Model
    from .vassal.buildfile import Element


_MOST_PIXELS: Final = 60_000_000
Facts = Mapping[Any, Any]
"""What something is called -> what it is."""


@dataclass(frozen=True)
class Difference:
    """One difference. None stands for what is not there at all."""

    what: str | Message
    before: Any
    after: Any

    def line(self, words: Words) -> str:
        """The difference in words."""
        what, before, after = words.value(self.what), _short(self.before, words), _short(self.after, words)
        if self.before is None:
            return f"+ {what}: {after}"
        if self.after is None:
            return f"- {what}: {before}"
        return f"~ {what}: {before} -> {after}"

    def json(self) -> dict[str, Any]:
        """For scripts, in English."""
        told = {"what": self.what, "before": self.before, "after": self.after}
        return {key: str(value) if isinstance(value, Message) else value for key, value in told.items()}


def _short(value: Any, words: Words, most: int = 120) -> str:
    text = " ".join((words.say(value) if isinstance(value, Message) else str(value)).split())
    return text if len(text) <= most else text[: most - 1] + "…"


def changes(before: Facts, after: Facts) -> list[Difference]:
    """Facts that differ, those of the first first, in their order."""
    names = [*before, *[name for name in after if name not in before]]
    return [
        Difference(name, before.get(name), after.get(name)) for name in names if before.get(name) != after.get(name)
    ]


def compare(before: str, after: str) -> dict[str, list[Difference]]:
    """Section -> what differs in it; sections without differences are left out.

    Both are modules, or both games (names, folders, or their game.yaml). Raises HexforgeError when one is a module
    and the other not, or for what cannot be read, OSError.
    """
    # A module that is not there is to be missed by its name, not taken for a game.
    modules = [(Path(p).is_file() or Path(p).suffix == ".vmod") and Path(p).name != FILE for p in (before, after)]
    if modules[0] != modules[1]:
        raise HexforgeError(message("modulegen.diff.two-kinds", before=before, after=after))
    facts = module_facts if modules[0] else game_facts
    a, b = facts(before), facts(after)
    found = {section: changes(a.get(section, {}), b.get(section, {})) for section in {**a, **b}}
    if modules[0]:
        found["files"], found["pictures"] = _pictures(before, after, found["files"])
    return {section: list_ for section, list_ in found.items() if list_}


def _pictures(before: str, after: str, files: Iterable[Difference]) -> tuple[list[Difference], list[Difference]]:
    """What else differs among the files, and the pictures that show something else under the same name.

    One that was only packed in another way is told as a file.
    """
    others: list[Difference] = []
    found: list[Difference] = []
    with Archive(before) as old, Archive(after) as new:
        for one in files:
            name = str(one.what)
            there = name.startswith("images/") and one.before is not None and one.after is not None
            a, b = (_drawn(archive, name) if there else None for archive in (old, new))
            if a is None or b is None or a == b:
                others.append(one)
            else:
                found.append(Difference(name, _said_of(a), _said_of(b, _share(a, b))))
    return others, found


class _Drawn(NamedTuple):
    """What a picture shows."""

    size: tuple[int, int]
    pixels: bytes


def _drawn(archive: Archive, name: str) -> _Drawn | None:
    """A picture unpacked; None for what is none, or too large to be."""
    from PIL import Image

    try:
        with Image.open(io.BytesIO(archive.read(name))) as picture:
            if picture.width * picture.height > _MOST_PIXELS:
                return None
            return _Drawn(picture.size, picture.convert("RGBA").tobytes())
    except (OSError, ValueError, SyntaxError, Image.DecompressionBombError):
        return None


def _share(before: _Drawn, after: _Drawn) -> int | None:
    """How many of a hundred pixels are otherwise, at least one; None where the size is another."""
    from PIL import Image, ImageChops

    if before.size != after.size:
        return None
    a, b = (Image.frombytes("RGBA", one.size, one.pixels) for one in (before, after))
    apart = ImageChops.difference(a, b).split()
    most = apart[0]
    for channel in apart[1:]:
        most = ImageChops.lighter(most, channel)
    same = most.histogram()[0]
    count = before.size[0] * before.size[1]
    return max(1, round(100 * (count - same) / count))


def _said_of(drawn: _Drawn, share: int | None = None) -> Message:
    size = {"width": drawn.size[0], "height": drawn.size[1]}
    if share is None:
        return message("modulegen.diff.picture", **size)
    return message("modulegen.diff.pixels", share=share, **size)


def section_name(section: str) -> Message:
    """A section for readers."""
    first, _, rest = section.partition(" ")
    name = message(f"modulegen.diff.sections.{first}")
    return message("modulegen.diff.section", name=name, rest=rest) if rest else name


def _flat(value: Any, prefix: str = "") -> Iterable[tuple[str, Any]]:
    if isinstance(value, Mapping):
        for key, item in value.items():
            yield from _flat(item, f"{prefix}.{key}" if prefix else str(key))
    elif isinstance(value, list | tuple) and any(isinstance(i, Mapping | list | tuple) for i in value):
        for number, item in enumerate(value, 1):
            yield from _flat(item, f"{prefix}[{number}]")
    else:
        yield prefix, list(value) if isinstance(value, tuple) else value


def _data(file: Model) -> Any:
    """A file as JSON has it."""
    from pydantic_core import to_jsonable_python

    return to_jsonable_python(asdict(file), fallback=str)


def game_facts(game: str) -> dict[str, Facts]:
    """Everything that the files of a game say, by section."""
    s = load_any(game, strict=False)
    texts: dict[str, Facts] = {f"text ({code})": dict(text.values) for code, text in s.texts.items()}
    if s.extension is not None:
        return {"game": dict(_flat(_data(s.extension))), **texts}
    counters: dict[str, Any] = {}
    for c in s.counters.values():
        row = {k: v for k, v in c if k != "names"} | {f"name_{code}": name for code, name in c.names.items()}
        counters[c.id] = f"{c.attack}-{c.defence}-{c.move} {c.type} {c.name(SOURCE)}"
        counters |= {f"{c.id}.{key}": value for key, value in row.items() if value not in ("", None)}
    return {
        "game": dict(_flat(_data(s.game))),
        "counters": counters,
        "map": _map_facts(s),
        "tables": dict(_flat(_data(s.tables))),
        "set-up": _setup_facts(s),
        "victory": dict(_flat(_data(s.victory))),
        **texts,
    }


def _map_facts(s: Scenario) -> Facts:
    ground = s.map
    found: dict[str | Message, Any] = {
        message("modulegen.diff.size"): f"{ground.grid.columns} x {ground.grid.rows}, low {ground.grid.low}"
    }
    found |= {h: " ".join(ground.terrain[h]) for h in ground.grid}
    found |= {message("modulegen.diff.provenance", hex=h): ground.provenance.get(h) for h in ground.grid}
    found |= {f"{'/'.join(side)}": " ".join(sorted(kinds)) for side, kinds in sorted(ground.hexsides.items())}
    for side, kinds in sorted(ground.links.items()):
        found[message("modulegen.diff.way", side="-".join(side))] = " ".join(sorted(kinds))
    for bridge in ground.bridge_list:
        turn = bridge.from_turn
        since = message("modulegen.diff.from-turn", turn=turn) if turn else message("modulegen.diff.always")
        found[message("modulegen.diff.bridge", side="/".join(bridge.side))] = since
    for p in ground.places:
        found[message("modulegen.diff.place", id=p.id)] = f"{p.name} ({p.kind}) {' '.join(p.hexes)}"
    for area in ground.areas:
        found[message("modulegen.diff.area", id=area.id)] = f"{area.name} {' '.join(area.hexes)}"
    return found


def _setup_facts(s: Scenario) -> Facts:
    found: dict[str | Message, Any] = {}
    for placement in s.setup.at_start:
        where = " ".join([*placement.hexes, *placement.areas]) or message("modulegen.diff.free")
        found |= dict.fromkeys(placement.units, message("modulegen.diff.at-start", where=where))
    for arrival in s.setup.reinforcements:
        where = " ".join([*arrival.edges, *arrival.hexes])
        found |= dict.fromkeys(arrival.units, message("modulegen.diff.arrival", turn=arrival.turn, where=where))
    for leaving in s.setup.withdrawals:
        turn = message("modulegen.diff.turn", turn=leaving.turn)
        found |= {message("modulegen.diff.leaves", unit=unit): turn for unit in leaving.units}
    return found


def module_facts(path: str) -> dict[str, Facts]:
    """Everything in a module, by section: its pieces by unit (or name and slot), images by digest, set-ups."""
    with Archive(path) as archive:
        entry = "buildFile.xml" if "buildFile.xml" in archive else "buildFile"
        try:
            root = buildfile.read(archive.read(entry))
        except FormatError as error:
            raise error.at(path=path, where=entry) from error
        files = {
            n: _digest(archive, n) for n in sorted(archive.names) if not n.endswith((".vsav", "buildFile.xml"))
        }
        return {
            "module": dict(root.attributes),
            "pieces": _piece_facts(root),
            "components": _component_facts(root),
            "files": {n: d for n, d in files.items() if n not in (entry, "moduledata", "extensiondata")},
            **_setups(archive),
        }


def _digest(archive: Archive, name: str) -> str:
    data = archive.read(name)
    return f"{len(data)} bytes, {hashlib.sha256(data).hexdigest()[:12]}"


def _piece_facts(root: Element) -> Facts:
    found: dict[str | Message, Any] = {}
    for slot in root.all("PieceSlot"):
        parts = [*encoding.decode(slot.text.removeprefix("+/"), "/"), "", "", ""]
        piece = traits.read_piece(parts[1], parts[2])
        values = piece.properties()
        name = values.get("UnitId") or values.get("MarkerId") or f"{slot.get('entryName')} ({slot.get('gpid')})"
        found[name] = slot.get("entryName")
        found |= {f"{name}.{k}": v for k, v in sorted(values.items())}
        found[message("modulegen.diff.traits", piece=name)] = " ".join(trait.ID or "?" for trait in piece.traits)
    return found


_NAMES = ("name", "mapName", "entryName", "chartName", "title")


def _component_facts(root: Element) -> dict[str, Any]:
    found: dict[str, Any] = {}

    def visit(element: Element, path: str) -> None:
        counts: dict[str, int] = {}
        for child in element.children:
            if child.kind == "PieceSlot":
                continue
            name = next((child.get(k) for k in _NAMES if child.get(k)), "")
            counts[child.kind + name] = number = counts.get(child.kind + name, 0) + 1
            label = (
                f"{child.kind.rsplit('.', 1)[-1]}{f' {name}' if name else ''}{f' {number}' if number > 1 else ''}"
            )
            here = f"{path} / {label}" if path else label
            found[here] = child.text or message("modulegen.diff.present")
            found.update({f"{here}.{key}": value for key, value in child.attributes.items() if value})
            visit(child, here)

    visit(root, "")
    return found


def _setups(archive: Archive) -> dict[str, Facts]:
    """Where each piece of each set-up stands."""
    found: dict[str, Facts] = {}
    for name in sorted(n for n in archive.names if n.endswith(".vsav")):
        with Archive(archive.read(name)) as save:
            text = decode_payload(save.read("savedGame")).text.decode("utf-8", "replace")
        places: dict[str, Any] = {}
        scrub = scrubber(text.encode("utf-8", "replace"))
        for command in encoding.decode(text, "\x1b"):
            parts = encoding.decode(command[2:], "/") if command.startswith("+/") else []
            if len(parts) == 3 and parts[1] != "stack":
                piece = traits.read_piece(parts[1], parts[2])
                basic = traits.BasicState.decode(piece.states[-1])
                values = piece.properties()
                piece_name = values.get("UnitId") or f"{values.get('BasicName', '')} ({parts[0]})"
                places[scrub.name(piece_name)] = f"{scrub.name(str(basic.map))} {basic.x},{basic.y}"
        found[f"set-up {name}"] = places
    return found
