"""Checks of a finished module: nothing that is referred to is missing, nothing in it is unused.

VASSAL is silent about most of these: an unknown prototype loses its traits, a piece on an unknown map vanishes.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import TYPE_CHECKING

from hexforge.modulegen.vassal import buildfile, sequence
from hexforge.modulegen.vassal import traits as t
from hexforge.modulegen.vassal.archive import Archive
from hexforge.modulegen.vassal.buildfile import Element
from hexforge.modulegen.vassal.buildfile_elements import IMAGE_ATTRIBUTES, KINDS
from hexforge.modulegen.vassal.errors import FormatError
from hexforge.modulegen.vassal.payload import decode_payload
from hexforge.scenarios.language import said

if TYPE_CHECKING:
    from pathlib import Path

BUILTIN = "/images/"


class ModuleError(Exception):
    """A module that would not work. `problems` says all that is wrong with it."""

    def __init__(self, problems: list[str]) -> None:
        self.problems = tuple(problems)
        super().__init__("\n".join(problems))


def check_module(source: bytes | Path) -> None:
    """Raises ModuleError with everything that is wrong with a module; FormatError for what is none."""
    problems = list(problems_of(source))
    if problems:
        raise ModuleError(problems)


def problems_of(source: bytes | Path) -> Iterator[str]:
    """Everything that is wrong with a module, in words."""
    with Archive(source) as archive:
        names = set(archive.names)
        try:
            root = buildfile.read(archive.read("buildFile.xml"))
        except buildfile.BuildFileError as error:
            raise FormatError(str(error), path=archive.path, where="buildFile.xml") from error
        if len(names) != len(archive.names):
            yield said("an entry stands twice in the archive", "uma entrada está duas vezes no arquivo")
        used: set[str] = set()
        yield from _elements(root)
        yield from _slots(root)
        maps = _maps(root)
        yield from _pieces(root, maps, used)
        yield from _files(root, names, used)
        for setup in root.all("PredefinedSetup"):
            if setup.get("file") in names:
                yield from _setup(setup.get("file"), archive.read(setup.get("file")), root, maps)


def _elements(root: Element) -> Iterator[str]:
    for element in root.walk():
        if element.kind not in KINDS:
            yield said(
                f"{element.kind} is no element that is known here",
                f"{element.kind} não é um elemento conhecido aqui",
            )
    for kind, what in (("Map", "mapName"), ("Zone", "name"), ("PrototypeDefinition", "name")):
        names = Counter(e.get(what) for e in root.all(kind))
        for name in sorted(n for n, times in names.items() if times > 1):
            yield said(f"two of {kind} have the name {name!r}", f"dois {kind} têm o nome {name!r}")
    for board in root.all("Board"):
        if not any(e.kind in ("HexGrid", "ZonedGrid", "SquareGrid", "RegionGrid") for e in board.walk()):
            yield said(
                f"board {board.get('name')!r} has no grid", f"o tabuleiro {board.get('name')!r} não tem grade"
            )


def _slots(root: Element) -> Iterator[str]:
    seen: dict[str, str] = {}
    following = root.get("nextPieceSlotId", "0")
    for slot in root.all("PieceSlot"):
        gpid, name = slot.get("gpid"), slot.get("entryName")
        if gpid in seen:
            yield said(
                f"slots {seen[gpid]!r} and {name!r} share the gpid {gpid}",
                f"as peças {seen[gpid]!r} e {name!r} têm o mesmo gpid {gpid}",
            )
        if not gpid.isdecimal() or not following.isdecimal() or int(gpid) >= int(following):
            yield said(
                f"gpid {gpid} of slot {name!r} is not below nextPieceSlotId {following}",
                f"o gpid {gpid} da peça {name!r} não está abaixo de nextPieceSlotId {following}",
            )
        seen[gpid] = name


def _maps(root: Element) -> dict[str, set[str]]:
    """Map name -> names of its boards."""
    return {m.get("mapName"): {b.get("name") for b in m.all("Board")} for m in root.all("Map")}


def _definition(text: str) -> tuple[t.Trait, ...]:
    parts = sequence.decode(text.removeprefix("+/"), "/")
    return t.read_types(parts[1]) if len(parts) > 1 else ()


def _pieces(root: Element, maps: dict[str, set[str]], used: set[str]) -> Iterator[str]:
    known = {p.get("name") for p in root.all("PrototypeDefinition")}
    zones = {z.get("name") for z in root.all("Zone")}
    asked: set[str] = set()
    for element in root.all("PieceSlot", "PrototypeDefinition"):
        where = f"{element.kind} {element.get('entryName') or element.get('name')!r}"
        traits = _definition(element.text)
        if not traits or not isinstance(traits[-1], t.BasicPiece):
            yield said(f"{where} holds no piece", f"{where} não contém peça")
        for trait in traits:
            used |= images_of(trait)
            if isinstance(trait, t.UsePrototype):
                asked.add(trait.name)
                if trait.name not in known:
                    yield said(
                        f"{where} uses the prototype {trait.name!r}, which is not there",
                        f"{where} usa o protótipo {trait.name!r}, que não existe",
                    )
            elif isinstance(trait, t.SendToLocation):
                if trait.map_name not in maps:
                    yield said(
                        f"{where} sends to the map {trait.map_name!r}, which is not there",
                        f"{where} envia ao mapa {trait.map_name!r}, que não existe",
                    )
                elif trait.board and trait.board not in maps[trait.map_name]:
                    yield said(
                        f"{where} sends to the board {trait.board!r}, which is not there",
                        f"{where} envia ao tabuleiro {trait.board!r}, que não existe",
                    )
                elif trait.destination == "Z" and trait.zone not in zones:
                    yield said(
                        f"{where} sends to the zone {trait.zone!r}, which is not there",
                        f"{where} envia à zona {trait.zone!r}, que não existe",
                    )
            elif isinstance(trait, t.UnknownTrait):
                yield said(
                    f"{where} has a trait that is not known: {trait.text[:40]!r}",
                    f"{where} tem um traço que não é conhecido: {trait.text[:40]!r}",
                )
    for name in sorted(known - asked):
        yield said(f"the prototype {name!r} is not used", f"o protótipo {name!r} não é usado")


def images_of(trait: t.Trait) -> set[str]:
    """The images of its own module that a trait shows."""
    found: set[str] = set()
    if isinstance(trait, t.Layer):
        found = set(trait.images)
    elif isinstance(trait, t.BasicPiece | t.MovementMarkable | t.Obscurable):
        found = {trait.image}
    return {name for name in found if name and not name.startswith(BUILTIN)}


def _files(root: Element, names: set[str], used: set[str]) -> Iterator[str]:
    others: set[str] = {"buildFile.xml", "moduledata"}
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
        yield said(f"{name} is referred to, but not in the archive", f"{name} é citado, mas não está no arquivo")
    for name in sorted(names - wanted):
        yield said(
            f"{name} is in the archive, but nothing refers to it", f"{name} está no arquivo, mas nada o cita"
        )


def _setup(name: str, data: bytes, root: Element, maps: dict[str, set[str]]) -> Iterator[str]:
    """A set-up's maps, boards and pieces are those of the module, its prototypes expanded, its stacks whole."""
    try:
        with Archive(data) as archive:
            text = decode_payload(archive.read("savedGame")).text.decode()
        yield from _placed(name, text, root, maps)
    except (ValueError, IndexError) as error:
        yield said(f"{name} cannot be read: {error}", f"{name} não pode ser lido: {error}")


def _placed(name: str, text: str, root: Element, maps: dict[str, set[str]]) -> Iterator[str]:
    gpids = {slot.get("gpid") for slot in root.all("PieceSlot")}
    boards = {f"{m}BoardPicker": names for m, names in maps.items()}
    pieces: set[str] = set()
    stacked: set[str] = set()
    commands = sequence.decode(text, "\x1b")
    if commands[0] != "begin_save" or commands[-1] != "end_save":
        yield said(
            f"{name} does not begin and end as a saved game does",
            f"{name} não começa e termina como uma partida salva",
        )
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
                    yield said(
                        f"{name}: piece {number} is of slot {basic.gpid}, which is not there",
                        f"{name}: a peça {number} é do gpid {basic.gpid}, que não existe",
                    )
                if any(isinstance(trait, t.UsePrototype) for trait in piece.traits):
                    yield said(
                        f"{name}: piece {number} carries a prototype unexpanded",
                        f"{name}: a peça {number} traz um protótipo não expandido",
                    )
            if where not in maps:
                yield said(
                    f"{name}: {number} stands on the map {where!r}, which is not there",
                    f"{name}: {number} está no mapa {where!r}, que não existe",
                )
        elif command:
            picker, *placed = sequence.decode(command, "\t")
            if picker not in boards:
                yield said(
                    f"{name}: {picker!r} is no command that is known here",
                    f"{name}: {picker!r} não é um comando conhecido aqui",
                )
            elif placed and placed[0] not in boards[picker]:
                yield said(
                    f"{name}: the board {placed[0]!r} is not there", f"{name}: o tabuleiro {placed[0]!r} não existe"
                )
    if pieces != stacked:
        yield said(
            f"{name}: the pieces in stacks are not the pieces there are",
            f"{name}: as peças nas pilhas não são as peças que há",
        )
