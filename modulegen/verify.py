"""Checks of a finished module: nothing that is referred to is missing, nothing in it is unused.

VASSAL is silent about most of these: an unknown prototype loses its traits, a piece on an unknown map vanishes.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Final

from hexforge.modulegen.vassal import buildfile, sequence
from hexforge.modulegen.vassal import traits as t
from hexforge.modulegen.vassal.archive import Archive
from hexforge.modulegen.vassal.buildfile import Element
from hexforge.modulegen.vassal.buildfile_elements import IMAGE_ATTRIBUTES, KINDS
from hexforge.modulegen.vassal.commands import Unknown, read_command
from hexforge.modulegen.vassal.errors import FormatError
from hexforge.modulegen.vassal.passwords import scrubber
from hexforge.modulegen.vassal.payload import decode_payload
from hexforge.modulegen.vassal.secret import HIDDEN, Scrubber
from hexforge.scenarios.words import HexforgeError, Message, message

if TYPE_CHECKING:
    from pathlib import Path

BUILTIN = "/images/"
_EXTENSION: Final = "ModuleExtension"
_MOST_DIGITS: Final = 18
_MOST_NAME: Final = 60


class ModuleError(HexforgeError):
    """A module that would not work. `problems` says all that is wrong with it."""

    def __init__(self, problems: Sequence[Message]) -> None:
        self.problems = tuple(problems)
        super().__init__(message("modulegen.verify.broken", problems=self.problems))


def check_module(source: bytes | Path) -> None:
    """Raises ModuleError with everything that is wrong with a module; FormatError for what is none."""
    problems = list(problems_of(source))
    if problems:
        raise ModuleError(problems)


def problems_of(source: bytes | Path) -> Iterator[Message]:
    """Everything that is wrong with a module, in words."""
    with Archive(source) as archive:
        names = set(archive.names)
        try:
            root = buildfile.read(archive.read("buildFile.xml"))
        except FormatError as error:
            raise error.at(path=archive.path, where="buildFile.xml") from error
        if len(names) != len(archive.names):
            yield message("modulegen.verify.twice")
        used: set[str] = set()
        yield from _elements(root)
        yield from _slots(root)
        maps = _maps(root)
        yield from _pieces(root, maps, used)
        yield from _files(root, names, used)
        for setup in root.all("PredefinedSetup"):
            if setup.get("file") in names:
                yield from _setup(setup.get("file"), archive.read(setup.get("file")), root, maps)


def _elements(root: Element) -> Iterator[Message]:
    for element in root.walk():
        if element.kind not in KINDS:
            yield message("modulegen.verify.unknown-element", kind=element.kind)
    for kind, what in (("Map", "mapName"), ("Zone", "name"), ("PrototypeDefinition", "name")):
        names = Counter(e.get(what) for e in root.all(kind))
        for name in sorted(n for n, times in names.items() if times > 1):
            yield message("modulegen.verify.same-name", kind=kind, name=name)
    for board in root.all("Board"):
        if not any(e.kind in ("HexGrid", "ZonedGrid", "SquareGrid", "RegionGrid") for e in board.walk()):
            yield message("modulegen.verify.no-grid", name=board.get("name"))


def _slots(root: Element) -> Iterator[Message]:
    seen: dict[str, str] = {}
    following = root.get("nextPieceSlotId", "0")
    # An extension puts its own id before the numbers of its slots.
    before = f"{root.get('extensionId')}:" if root.kind == _EXTENSION else ""
    for slot in root.all("PieceSlot"):
        gpid, name = slot.get("gpid"), slot.get("entryName")
        if gpid in seen:
            yield message("modulegen.verify.same-gpid", other=seen[gpid], name=name, gpid=gpid)
        number = _number(gpid.removeprefix(before)) if gpid.startswith(before) else None
        if number is None or number >= (_number(following) or 0):
            shown = {"gpid": gpid[:_MOST_NAME], "following": following[:_MOST_NAME]}
            yield message("modulegen.verify.gpid-too-high", name=name, **shown)
        seen[gpid] = name


def _number(gpid: str) -> int | None:
    """The number of a slot; None for what is none, or longer than VASSAL's numbers."""
    return int(gpid) if gpid.isascii() and gpid.isdecimal() and len(gpid) <= _MOST_DIGITS else None


def _maps(root: Element) -> dict[str, set[str]]:
    """Map name -> names of its boards."""
    return {m.get("mapName"): {b.get("name") for b in m.all("Board")} for m in root.all("Map")}


def _definition(text: str) -> tuple[t.Trait, ...]:
    parts = sequence.decode(text.removeprefix("+/"), "/")
    return t.read_types(parts[1]) if len(parts) > 1 else ()


def _pieces(root: Element, maps: dict[str, set[str]], used: set[str]) -> Iterator[Message]:
    known = {p.get("name") for p in root.all("PrototypeDefinition")}
    zones = {z.get("name") for z in root.all("Zone")}
    asked: set[str] = set()
    for element in root.all("PieceSlot", "PrototypeDefinition"):
        where = f"{element.kind} {element.get('entryName') or element.get('name')!r}"
        traits = _definition(element.text)
        if not traits or not isinstance(traits[-1], t.BasicPiece):
            yield message("modulegen.verify.no-piece", where=where)
        for trait in traits:
            used |= images_of(trait)
            if isinstance(trait, t.UsePrototype):
                asked.add(trait.name)
                if trait.name not in known:
                    yield message("modulegen.verify.no-prototype", name=trait.name, where=where)
            elif isinstance(trait, t.SendToLocation):
                if trait.map_name not in maps:
                    yield message("modulegen.verify.no-map", name=trait.map_name, where=where)
                elif trait.board and trait.board not in maps[trait.map_name]:
                    yield message("modulegen.verify.no-board", name=trait.board, where=where)
                elif trait.destination == "Z" and trait.zone not in zones:
                    yield message("modulegen.verify.no-zone", name=trait.zone, where=where)
            elif isinstance(trait, t.UnknownTrait):
                yield message("modulegen.verify.unknown-trait", text=trait.text[:40], where=where)
    for name in sorted(known - asked):
        yield message("modulegen.verify.unused-prototype", name=name)


def images_of(trait: t.Trait) -> set[str]:
    """The images of its own module that a trait shows."""
    found: set[str] = set()
    if isinstance(trait, t.Layer):
        found = set(trait.images)
    elif isinstance(trait, t.BasicPiece | t.MovementMarkable | t.Obscurable):
        found = {trait.image}
    return {name for name in found if name and not name.startswith(BUILTIN)}


def _files(root: Element, names: set[str], used: set[str]) -> Iterator[Message]:
    others: set[str] = {"buildFile.xml", "extensiondata" if root.kind == _EXTENSION else "moduledata"}
    for element in root.walk():
        for key, value in element.attributes.items():
            if key in IMAGE_ATTRIBUTES and value and not value.startswith(BUILTIN):
                used.add(value)
        if element.kind == "Chart":
            used.add(element.get("fileName"))
        elif element.kind in ("HelpFile", "HtmlChart"):
            others.add(element.get("fileName"))
        elif element.kind == "AboutScreen":
            used.add(element.get("fileName"))
        elif element.kind == "PredefinedSetup" and element.get("file"):
            others.add(element.get("file"))
    wanted = others | {f"images/{name}" for name in used}
    for name in sorted(wanted - names):
        yield message("modulegen.verify.missing", name=name)
    for name in sorted(names - wanted):
        yield message("modulegen.verify.unused", name=name)


def _setup(name: str, data: bytes, root: Element, maps: dict[str, set[str]]) -> Iterator[Message]:
    """A set-up's maps, boards and pieces are those of the module, its prototypes expanded, its stacks whole."""
    try:
        with Archive(data) as archive:
            text = decode_payload(archive.read("savedGame")).text.decode()
        yield from _placed(name, text, root, maps)
    except FormatError as error:
        yield message("modulegen.verify.unreadable", why=error.message, name=name)
    except (ValueError, IndexError) as error:
        yield message("modulegen.verify.unreadable", why=str(error), name=name)


def _named(command: str, scrub: Scrubber) -> str:
    """What a command is called that no set-up of ours holds. It may hold a player's password."""
    found = read_command(command)
    word = found.prefix if isinstance(found, Unknown) else command.split("\t", maxsplit=1)[0][:_MOST_NAME]
    return HIDDEN if scrub.tells(word) else word


def _placed(name: str, text: str, root: Element, maps: dict[str, set[str]]) -> Iterator[Message]:
    gpids = {slot.get("gpid") for slot in root.all("PieceSlot")}
    boards = {f"{m}BoardPicker": names for m, names in maps.items()}
    scrub = scrubber(text.encode())
    pieces: set[str] = set()
    stacked: set[str] = set()
    commands = sequence.decode(text, "\x1b")
    if commands[0] != "begin_save" or commands[-1] != "end_save":
        yield message("modulegen.verify.no-save", name=name)
    for command in commands[1:-1]:
        if command.startswith("+/"):
            number, kind, state = sequence.decode(command[2:], "/")
            if kind == "stack":
                stack = t.StackState.decode(state)
                stacked |= set(stack.pieces)
                where = stack.map
            else:
                piece = t.read_piece(kind, state)
                basic = t.BasicState.decode(piece.states[-1])
                pieces.add(number)
                where = basic.map
                if basic.gpid not in gpids:
                    yield message("modulegen.verify.no-slot", piece=number, gpid=basic.gpid, name=name)
                if any(isinstance(trait, t.UsePrototype) for trait in piece.traits):
                    yield message("modulegen.verify.unexpanded", piece=number, name=name)
            if where not in maps:
                yield message("modulegen.verify.off-map", piece=number, map=scrub.name(str(where)), name=name)
        elif command:
            picker, *placed = sequence.decode(command, "\t")
            if picker not in boards:
                yield message("modulegen.verify.unknown-command", command=_named(command, scrub), name=name)
            elif placed and placed[0] not in boards[picker]:
                yield message("modulegen.verify.no-board-here", board=scrub.name(placed[0]), name=name)
    if pieces != stacked:
        yield message("modulegen.verify.stacks", name=name)
