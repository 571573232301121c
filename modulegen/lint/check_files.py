"""Rules about the files of a module: asked for and not there, there and not asked for, too large.

Rules about the saved games in a module: whether each loads, and what their pieces ask for.

Pieces in saved games are copies that a later change of their slots does not reach
(`VASSAL.build.module.PredefinedSetup`, `VASSAL.build.module.GameState.isSaveMetaDataValid`).
"""

from __future__ import annotations

import posixpath
import re
import unicodedata
from collections import Counter
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Final
from urllib.parse import unquote

from ..vassal import traits
from ..vassal.archive import MAX_ENTRY, MAX_METADATA, Archive, read_metadata
from ..vassal.buildfile import IMAGE_ATTRIBUTES
from ..vassal.commands import AddPiece
from ..vassal.encoding import FormatError, decode
from ..vassal.inspect import secrets_of
from ..vassal.module import BUILD_FILES, picture_size
from ..vassal.payload import decode_payload
from ..vassal.replay import piece_name
from ..vassal.save import read_save
from . import parts
from .context import Examination, is_computed, shown
from .finding import LintFinding, PlaceInModule
from .parts import ElementPart

if TYPE_CHECKING:
    from ..vassal.save import SavedGame


PIECE_SIDE: Final = 1500
"""Pixels of a side; what is larger costs memory each time it is scaled, and no counter or card needs it."""
BOARD_PIXELS: Final = 120_000_000
"""Four bytes each; VASSAL's own heap is half a gigabyte unless told otherwise."""
IMAGE_BYTES: Final = 25_000_000
_OWN: Final = ("buildFile.xml", "buildFile", "moduledata", "extensiondata")
_WORDS = re.compile(r"""[;,/\t"'<>|=:~+\\\r\n(){}]+""")
_SOUNDS: Final = ("DoorClose.au", "DoorOpen.au", "phone1.wav")
_MOST_SETUPS: Final = 200
_MOST_SETUP: Final = 40_000_000
_PAGES: Final = (".html", ".htm", ".txt", ".svg", ".css")
_MOST_PAGE: Final = 4_000_000
_SOURCE = re.compile(
    r"""<img\b[^<>]{0,2000}?\bsrc\s*=\s*(?:"([^"<>]{1,500})"|'([^'<>]{1,500})'|([^\s"'<>]{1,500}))""", re.I
)
_DRAWN: Final = {"GamePieceLayout": "layout", "GamePieceImage": "props"}
_IS_PICTURE = re.compile(r"\.(?:gif|png|jpe?g|svg|bmp)$", re.I)
_KINDS: Final = (b"\x89PNG", b"GIF8", b"\xff\xd8\xff", b"BM", b"II*\0", b"MM\0*")
_HEAD: Final = 256
_VERSION = re.compile(r"(\d{1,4})\.(\d{1,4})")
_ADDRESS = re.compile(r"[A-Za-z][A-Za-z0-9+.-]*:")


def images(context: Examination) -> Iterator[LintFinding]:
    """Pictures that elements and traits name."""
    if context.module.open_ended:
        return
    lowered = {name.lower(): name for name in context.pictures}
    for part, name in _element_images(context):
        yield from _image(context, lowered, name, part=part)
    for definition, number, trait, _ in context.traits():
        for name in dict.fromkeys(parts.images(trait)):
            for finding in _image(context, lowered, name):
                yield context.on(finding.rule, definition, number, finding.says, **dict(finding.values))


def unreadable(context: Examination) -> Iterator[LintFinding]:
    """Files among the pictures that VASSAL cannot draw, and that something shows."""
    named = {name for _, name in _element_images(context)}
    named |= {name for trait, _ in context.all_traits() for name in parts.images(trait)}
    for name in sorted(n.strip() for n in named):
        entry = f"images/{name}"
        if entry not in context.module.files:
            continue
        head = context.module.archive.read(entry)[:_HEAD]
        if not head.startswith(_KINDS) and not head.lstrip(b"\xef\xbb\xbf \r\n\t").startswith(b"<"):
            yield context.in_file("missing-image", entry, "unreadable", name=name)


def _element_images(context: Examination) -> Iterator[tuple[ElementPart, str]]:
    for part in context.module.parts:
        for key, value in part.attributes.items():
            named = key in IMAGE_ATTRIBUTES or (part.kind in ("Chart", "AboutScreen") and key == "fileName")
            if named and value:
                yield part, value
            elif value and part.kind in _DRAWN and key == _DRAWN[part.kind]:
                yield from ((part, name) for name in _laid_out(value))


def _laid_out(text: str) -> Iterator[str]:
    """The pictures in a layout or in what is drawn by one (`ImageItem.encode`, `ImageItemInstance.encode`)."""
    for item in decode(text, ","):
        own = decode(decode(item, "|")[0], ";")
        for name in own[1:] if own[0] == "Image" else ():
            if _IS_PICTURE.search(name):
                yield name


def _image(
    context: Examination, lowered: dict[str, str], name: str, part: ElementPart | None = None
) -> Iterator[LintFinding]:
    name = name.strip()
    if not name or is_computed(name) or context.has_picture(name):
        return
    at = part or context.module.root
    other = lowered.get(name.lower()) or lowered.get(f"{name.lower()}.gif")
    if other:
        yield context.at("case-of-name", at, name=name, other=other)
    else:
        yield context.at("missing-image", at, name=name)


def files(context: Examination) -> Iterator[LintFinding]:
    """Help pages, charts, sounds and set-ups that are named."""
    module = context.module
    if module.open_ended:
        return
    there = module.files | (module.base.files if module.base else frozenset())
    lowered = {file.lower(): file for file in sorted(there)}
    for part in module.parts:
        name = ""
        if part.kind in ("HtmlChart", "BrowserPDFFile") or (
            part.kind == "HelpFile" and part.get("fileType") == "archive"
        ):
            name = part.get("fileName") or part.get("pdfFile")
        elif part.kind == "Tutorial":
            name = part.get("logfile") or part.get("fileName")
        elif part.kind == "BrowserHelpFile" and not (
            is_computed(part.get("startingPage")) or _ADDRESS.match(part.get("startingPage"))
        ):
            name = f"help/{part.get('title').replace(' ', '_')}"
        if name and name not in there and not name.startswith("/"):
            other = lowered.get(name.lower())
            yield (
                context.at("case-of-name", part, name=name, other=other)
                if other
                else context.at("missing-file", part, name=name)
            )
        if part.get("doSound") == "true" and (clip := part.get("soundClip")):
            yield from _sound(context, part, clip, there)
    for definition, number, trait, _ in context.traits():
        if isinstance(trait, traits.PlaySound) and trait.sound and not is_computed(trait.sound):
            for finding in _sound(context, definition.part, trait.sound, there):
                yield context.on(finding.rule, definition, number, finding.says, **dict(finding.values))


def _sound(context: Examination, part: ElementPart, clip: str, there: frozenset[str]) -> Iterator[LintFinding]:
    known = clip.startswith("/") or clip in _SOUNDS or is_computed(clip)
    if not known and f"sounds/{clip}" not in there and clip not in there:
        yield context.at("missing-file", part, name=f"sounds/{clip}")


def pages(context: Examination) -> Iterator[LintFinding]:
    """Pictures that pages of help and charts show."""
    module = context.module
    if module.open_ended:
        return
    named = {p.get("fileName") for p in module.all("HelpFile", "HtmlChart")} & module.files
    for page in sorted(named):
        if not page.lower().endswith((".html", ".htm")) or module.archive.size(page) >= _MOST_PAGE:
            continue
        text = module.archive.read(page).decode("utf-8", "replace")
        for source in dict.fromkeys(next(filter(None, found)) for found in _SOURCE.findall(text)):
            if not _is_shown(context, page, source):
                yield context.in_file("missing-image", page, name=source.removeprefix("images/"))


def _is_shown(context: Examination, page: str, source: str) -> bool:
    """Whether a page finds a picture: beside it in the archive, or among the module's pictures, or elsewhere."""
    if _ADDRESS.match(source) or source.startswith("/") or is_computed(source):
        return True
    path = unquote(source).split("?")[0].split("#")[0]
    beside = posixpath.normpath(posixpath.join(posixpath.dirname(page), path))
    there = context.module.files | (context.module.base.files if context.module.base else frozenset())
    return beside in there or path in there or context.has_picture(posixpath.basename(path))


def setups(context: Examination) -> Iterator[LintFinding]:
    """Predefined set-ups: each has its file, each can be chosen, and no saved game lies there unasked for."""
    module = context.module
    named: set[str] = set()
    lowered = {name.lower(): name for name in module.files}
    for part in module.all("PredefinedSetup"):
        menu, file = part.get("isMenu") == "true", part.get("file")
        inside = [p for p in part.children if p.kind == "PredefinedSetup"]
        named.add(file)
        if menu and not inside:
            yield context.at("setup", part, "empty-menu", name=part.name)
        elif inside and not menu:
            yield context.at("setup", part, "not-a-menu", name=part.name)
        elif not menu and part.get("useFile") != "false":
            there = module.files | (module.base.files if module.base else frozenset())
            # Without the attribute VASSAL begins a new game; with an empty one it looks for a file of no name.
            if not file and "file" in part.attributes:
                yield context.at("setup", part, "no-file", name=part.name)
            elif file and file not in there and (other := lowered.get(file.lower())):
                named.add(other)
                yield context.at("case-of-name", part, name=file, other=other)
            elif file and file not in there and not module.open_ended:
                yield context.at("missing-file", part, name=file)
        if not part.get("name"):
            yield context.at("setup", part, "no-name")
    for name in sorted(module.files):
        if name.lower().endswith(".vsav") and name not in named and not _is_named(context, name):
            yield context.in_file("setup", name, "unreachable", name=name)


def _is_named(context: Examination, name: str) -> bool:
    return any(name in value for part in context.module.parts for value in part.attributes.values())


def metadata(context: Examination) -> Iterator[LintFinding]:
    """The small file by which VASSAL knows a module before it opens it."""
    module = context.module
    repeated = [name for name, times in Counter(module.archive.names).items() if times > 1]
    for name in repeated[:20]:
        yield context.in_file("module-data", name, "twice", name=name)
    entry = "extensiondata" if module.extension else "moduledata"
    if entry not in module.archive:
        if module.build_file == "buildFile.xml":
            yield context.in_file("module-data", entry, "missing", name=entry)
        return
    try:
        data = read_metadata(module.archive.read(entry, MAX_METADATA))
    except FormatError as error:
        yield context.in_file("module-data", entry, "unreadable", name=entry, why=error.message)
        return
    # `GameModule.build` opens the one that this version had, and no other.
    early = _is_early(data.vassal_version)
    if early is not None and not module.extension and (wanted := BUILD_FILES[early]) not in module.archive:
        yield context.in_file(
            "build-file", entry, name=wanted, version=data.vassal_version, other=module.build_file
        )
    if data.version != module.root.get("version"):
        yield context.in_file(
            "module-data", entry, "version", version=data.version, other=module.root.get("version")
        )
    elif not module.extension and data.name and data.name != module.root.get("name"):
        yield context.in_file("module-data", entry, "name", name=data.name, other=module.root.get("name"))


def _is_early(version: str) -> bool | None:
    """Whether a version of VASSAL is before 3.5; None for what is no version."""
    found = _VERSION.match(version)
    return (int(found[1]), int(found[2])) < (3, 5) if found else None


def large(context: Examination) -> Iterator[LintFinding]:
    """Pictures of which memory or the download has too much."""
    boards = {p.get("image") for p in context.module.everywhere("Board")}
    pieces = {name for trait, _ in context.all_traits() for name in parts.images(trait)}
    for entry in sorted(context.module.files):
        if not entry.startswith("images/"):
            continue
        name, size = entry.removeprefix("images/"), context.module.archive.size(entry)
        pixels = _pixels(context, entry) if name in boards or name in pieces else None
        if size > IMAGE_BYTES:
            yield context.in_file("large-image", entry, "bytes", name=name, size=size // 1_000_000)
        elif pixels and name in boards and pixels[0] * pixels[1] > BOARD_PIXELS:
            yield context.in_file("large-image", entry, "board", name=name, width=pixels[0], height=pixels[1])
        elif pixels and name in pieces and name not in boards and max(pixels) > PIECE_SIDE:
            yield context.in_file("large-image", entry, "piece", name=name, width=pixels[0], height=pixels[1])


def _pixels(context: Examination, entry: str) -> tuple[int, int] | None:
    """Width and height; of a PNG by its own header, for no other reader takes one that is too large to open."""
    head = context.module.archive.read(entry)[:24]
    if head[:8] == b"\x89PNG\r\n\x1a\n" and len(head) == 24:
        return int.from_bytes(head[16:20], "big"), int.from_bytes(head[20:24], "big")
    return picture_size(context.module.archive, entry)


def unused(context: Examination) -> Iterator[LintFinding]:
    """Pictures and sounds that nothing names, of an extension neither it nor its module."""
    module = context.module
    if context.custom:
        return
    names = [n for n in module.files if n.startswith(("images/", "sounds/"))]
    words = _said(context)
    computed = "$" in "".join(name for trait, _ in context.all_traits() for name in parts.images(trait))
    for entry in sorted(names):
        # Files that a Mac packed have the accents of their names apart.
        name = unicodedata.normalize("NFC", entry.split("/", 1)[1])
        if not computed and not _mentioned(name, words) and not _mentioned(name.rsplit(".", 1)[0], words):
            yield context.in_file("unused-file", entry, name=name)


def _mentioned(name: str, words: set[str]) -> bool:
    return name in words or (_WORDS.search(name) is not None and all(p in words for p in _WORDS.split(name) if p))


def _said(context: Examination) -> set[str]:
    """All that stands between separators anywhere: in attributes, pieces, pages and saved games."""
    module = context.module
    found: set[str] = set()
    for trait, _ in context.all_traits():
        if isinstance(trait, traits.NonRectangular):
            found.add(trait.mask)
    for part in (*module.parts, *(module.base.parts if module.base else ())):
        for value in (*part.attributes.values(), part.text):
            found.add(value)
            found.update(word.strip() for word in _WORDS.split(value))
    for name in sorted(module.files):
        lowered = name.lower()
        if lowered.endswith(_PAGES) and module.archive.size(name) < _MOST_PAGE:
            found.update(w.strip() for w in _WORDS.split(module.archive.read(name).decode("utf-8", "replace")))
    for text in _saved(context):
        found.update(word.strip() for word in _WORDS.split(text))
    return found


def _saved(context: Examination) -> Iterator[str]:
    """The texts of saved games within, as far as they can be read."""
    budget = _MOST_SETUP
    saves = [n for n in context.module.files if n.lower().endswith((".vsav", ".vlog"))]
    for name in sorted(saves)[:_MOST_SETUPS]:
        try:
            with Archive(context.module.archive.read(name, MAX_ENTRY)) as inner:
                data = inner.read("savedGame", _MOST_SETUP) if "savedGame" in inner else b""
            text = decode_payload(data).text.decode("utf-8", "replace") if data else ""
        except (FormatError, ValueError):
            continue
        budget -= len(text)
        if budget < 0:
            return
        yield text


FILE_CHECKS: Final = (images, unreadable, files, pages, setups, metadata, large, unused)


Tell = Callable[[str], str]
"""What a saved game calls something, as it may stand in a finding."""
MOST: Final = 200
MOST_TEXT: Final = 40_000_000
"""Bytes of all saved games of a module that are looked into."""


def saves(context: Examination) -> Iterator[LintFinding]:
    """Saved games that set-ups load."""
    budget, own = MOST_TEXT, context.module.root.get("name")
    for part in [p for p in context.module.all("PredefinedSetup") if p.get("isMenu") != "true"][:MOST]:
        file = part.get("file")
        if part.get("useFile") == "false" or file not in context.module.files or budget < 0:
            continue
        try:
            game = read_save(context.module.archive.read(file, MAX_ENTRY))
        except FormatError as error:
            yield context.at("setup", part, "unreadable", name=file, why=error.message)
            continue
        budget -= game.payload_size
        tell = _teller(game)
        if game.module is not None and game.module.name not in ("", own) and not context.module.extension:
            yield context.at("setup", part, "foreign", name=file, other=tell(game.module.name))
        if not context.module.open_ended:
            yield from _pieces(context, file, game, tell)


def _teller(game: SavedGame) -> Tell:
    scrub = secrets_of(game)
    return lambda text: shown(scrub.name(text))


def _pieces(context: Examination, file: str, game: SavedGame, tell: Tell) -> Iterator[LintFinding]:
    known = context.module.prototypes
    for node in game.restore:
        for leaf in node.leaves():
            command = leaf.command
            if not isinstance(command, AddPiece) or command.type.startswith(("stack", "deck")):
                continue
            try:
                piece = traits.read_piece(command.type, command.state)
            except ValueError:
                continue
            place = PlaceInModule(shown(file), 0, (tell(piece_name(piece)),))
            yield from _origin(context, place, piece, tell)
            for trait in piece.traits:
                for name in dict.fromkeys(parts.images(trait)):
                    if name.strip() and not is_computed(name) and not context.has_picture(name.strip()):
                        yield LintFinding("missing-image", place, (("name", tell(name)),))
                if (
                    isinstance(trait, traits.UsePrototype)
                    and not is_computed(trait.name)
                    and trait.name not in known
                ):
                    yield LintFinding("missing-prototype", place, (("name", tell(trait.name)),))


def _origin(context: Examination, place: PlaceInModule, piece: traits.Piece, tell: Tell) -> Iterator[LintFinding]:
    """The slot that a piece is a copy of, and the map on which it stands."""
    try:
        basic = traits.BasicState.decode(piece.states[-1])
    except (ValueError, IndexError):
        return
    name = shown(piece_name(piece))
    # A map without a name is known by a number.
    if basic.map and basic.map not in context.maps and "" not in context.maps and not context.custom:
        yield LintFinding("missing-place", place, (("name", tell(basic.map)),), "map")
    numbers, names = context.slots
    # The game refresher looks for the slot's number, then for its name; numbers with a colon are extensions'.
    if basic.gpid and ":" not in basic.gpid and basic.gpid not in numbers and name not in names:
        yield LintFinding("setup", place, (("gpid", tell(basic.gpid)), ("name", tell(name))), "no-slot")


SAVE_CHECKS: Final = (saves,)
