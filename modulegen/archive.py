"""Fifth stage of a build: the `.vmod` is packed, verified, and put in its place.

Entries are stored, not deflated: what a deflater writes differs from one zlib to the next, and nearly all of the
archive is PNG, which is deflated already. Set-ups alone are deflated (`zip_bytes`): VASSAL reads a save letter by
letter, and asks the file for each that is only stored, which took half of the time in which a game is opened.

Where a module is put, and whether it may be put there.

Checks of a finished module: nothing that is referred to is missing, nothing in it is unused.

VASSAL is silent about most of these: an unknown prototype loses its traits, a piece on an unknown map vanishes.
"""

from __future__ import annotations

import hashlib
import io
import zipfile
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Final

from ..scenarios.text.files import put as put_file
from ..scenarios.text.words import HexforgeError, Message, message
from .assemble.module import VASSAL_VERSION
from .module_marks import game_of, marks
from .vassal import buildfile, encoding
from .vassal import traits as t
from .vassal.archive import EPOCH, MAX_METADATA, Archive, Metadata, read_metadata, write_metadata
from .vassal.buildfile import IMAGE_ATTRIBUTES, KINDS, Element
from .vassal.commands import Unknown, read_command
from .vassal.encoding import FormatError
from .vassal.payload import decode_payload
from .vassal.secrets import HIDDEN, Scrubber, scrubber

if TYPE_CHECKING:
    from ..scenarios.model import Scenario
    from .plan import Plan


def pack(entries: Iterable[tuple[str, bytes]]) -> bytes:
    """A ZIP of files in the order given, all with the same date."""
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_STORED) as archive:
        for name, data in entries:
            info = zipfile.ZipInfo(name, EPOCH)
            info.create_system = 3
            info.external_attr = 0o644 << 16
            archive.writestr(info, data)
    return out.getvalue()


def version_of(own: str, contents: Mapping[str, bytes]) -> str:
    """The module's version: the game's own (`own`), and a digest of the contents.

    VASSAL keeps drawn map tiles by module name and version, so that a change of the map must change the version.
    Its comparison of versions takes what follows the sign as a later build of the same version.
    """
    digest = hashlib.sha256()
    for name in sorted(contents):
        digest.update(f"{name} {len(contents[name])}\n".encode() + contents[name])
    return f"{own}+{digest.hexdigest()[:8]}"


def metadata(plan: Plan, version: str, description: str) -> tuple[bytes, bytes]:
    """The entries `moduledata` and `savedata`."""
    extra1, extra2 = marks(plan)
    module = Metadata(
        name=plan.scenario.game.module.name,
        version=version,
        vassal_version=VASSAL_VERSION,
        description=description,
        date_saved=0,
        extra1=extra1,
        extra2=extra2,
    )
    saved = Metadata(version=version, vassal_version=VASSAL_VERSION, date_saved=0, extra1="", extra2="")
    return write_metadata(module), write_metadata(saved)


def put(path: Path, data: bytes) -> None:
    """Write the module so that either the old or the new one stands there. Raises OSError."""
    put_file(path, data)


MODULE, EXTENSION = ".vmod", ".vmdx"


class BuildError(HexforgeError):
    """A module cannot be built for a reason that lies not in the scenario's files."""


def target(scenario: Scenario, out: Path) -> Path:
    """Where the module goes: `out` itself if it ends as modules do, else the game's file name in that folder."""
    return out if out.suffix in (MODULE, EXTENSION) else out / scenario.game.module.file


def place(folder: Path, modules: Mapping[Path, bytes]) -> None:
    """Write modules into a folder, which is made if there is none: all of them, or nothing that was not there.

    Raises OSError, BuildError where a file stands in the folder's way.
    """
    begun = [path for path in (folder, *folder.parents) if not path.exists()]
    news = [path for path in modules if not path.exists()]
    try:
        folder.mkdir(parents=True, exist_ok=True)
        for path, data in modules.items():
            put(path, data)
    except BaseException as error:
        for path in news:
            with suppress(OSError):
                path.unlink()
        for made in begun:
            with suppress(OSError):  # somebody else has put something there
                made.rmdir()
        if isinstance(error, FileExistsError | NotADirectoryError):
            raise BuildError(message("modulegen.place.folder-is-file", folder=str(folder))) from error
        raise


def claim(scenario: Scenario, out: Path, taken: dict[Path, Path]) -> Path:
    """The place of a game's module, taken for this game: no other may have it, be it built now or earlier.

    `taken`: place -> folder of the game, of the builds that are made together. A file that the user named as `out`
    is overwritten as asked. Raises BuildError.
    """
    path = target(scenario, out)
    folder = scenario.folder.resolve()
    other = taken.setdefault(path.resolve(), folder)
    if other != folder:
        raise BuildError(_refusal(path, scenario, message("modulegen.place.of-other", other=str(other))))
    if path != out and (stands := _stands(path, scenario.name)):
        raise BuildError(_refusal(path, scenario, stands))
    return path


def _stands(path: Path, name: str) -> Message | None:
    """Whose module stands at a path, if it is another's; None where there is none, or nothing that is a module."""
    if not path.is_file():
        return None
    try:
        with Archive(path) as archive:
            entry = "extensiondata" if path.suffix == EXTENSION else "moduledata"
            found = read_metadata(archive.read(entry, MAX_METADATA))
    except (FormatError, OSError, KeyError):
        return None
    game = game_of(found.extra1)
    if game == name:
        return None
    if game is None:
        return message("modulegen.place.not-ours", name=found.name)
    return message("modulegen.place.of-game", game=game)


def _refusal(path: Path, scenario: Scenario, stands: Message) -> Message:
    return message("modulegen.place.taken", game=scenario.name, path=str(path), stands=stands)


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
    parts = encoding.decode(text.removeprefix("+/"), "/")
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


def _command_name(command: str, scrub: Scrubber) -> str:
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
    commands = encoding.decode(text, "\x1b")
    if commands[0] != "begin_save" or commands[-1] != "end_save":
        yield message("modulegen.verify.no-save", name=name)
    for command in commands[1:-1]:
        if command.startswith("+/"):
            number, kind, state = encoding.decode(command[2:], "/")
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
            picker, *placed = encoding.decode(command, "\t")
            if picker not in boards:
                yield message("modulegen.verify.unknown-command", command=_command_name(command, scrub), name=name)
            elif placed and placed[0] not in boards[picker]:
                yield message("modulegen.verify.no-board-here", board=scrub.name(placed[0]), name=name)
    if pieces != stacked:
        yield message("modulegen.verify.stacks", name=name)
