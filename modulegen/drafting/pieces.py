"""Pieces of others as counters: whose they are, what they are worth, what their faces look like.

What a module has that is nobody's: markers and cards become `markers` of a draft, decks become pools of them.

Pictures of a module as a draft takes them: as they stand, padded, or laid upon each other.
"""

from __future__ import annotations

import io
import re
import unicodedata
from collections import Counter as Tally
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Final

from ...scenarios.schema.markers import MAX_COUNT
from ..vassal import traits as t
from ..vassal.archive import Archive
from ..vassal.module import Module, Slot
from ..vassal.replay import piece_name
from ..vassal.traits import Piece

if TYPE_CHECKING:
    from PIL.Image import Image as Picture


MOST: Final = 2000
"""Pieces that a draft takes: no game of two sides has more counters."""
_FIGURES: Final[dict[str, tuple[str, ...]]] = {
    "attack": ("attack", "att", "combat", "cf", "cs", "strength", "fullattack", "atk", "combatstrength", "af"),
    "defence": ("defence", "defense", "def", "fulldefence", "df", "defencestrength", "defensestrength"),
    "move": ("move", "movement", "mf", "ma", "mp", "movementallowance", "allowance", "speed"),
    "range": ("range",),
    "reduced_attack": ("reducedattack", "backattack", "redattack"),
    "reduced_defence": ("reduceddefence", "reduceddefense", "backdefence"),
}
"""Names under which modules keep what a counter prints, blanks and marks left out."""
_TYPES: Final = (
    ("artillery", r"art(y|illery|ilharia)|gun|howitzer|bty|batter"),
    ("cavalry", r"cav(alry|alaria)?|tank|armou?r|panzer|pz|mech|mot(orized)?"),
)
_SIDES: Final = ("side", "sidename", "nationality", "nation", "owner", "army", "faction", "player", "country")
_SEAT: Final = re.compile(
    r"(?<![a-z])(solit|solo(?![a-z])|single.?player|both.sides|ambos|refer|umpire|arbit|árbit|judge|juiz|game.?master"
    r"|(gm|all|none)$|observ|spectat|espect|zuschauer|moderat)",
    re.IGNORECASE,
)
"""Seats of a list of players that are nobody's side: for playing alone, judging or looking on."""
_TRIPLE: Final = re.compile(r"(?<!\d)(\d{1,2})-(\d{1,2})-(\d{1,2})(?!\d)")
_DOUBLE: Final = re.compile(r"(?<!\d)(\d{1,2})-(\d{1,2})(?![\d-])")
_STEP: Final = re.compile(r"flip|step|reduc|back|face|side", re.IGNORECASE)


@dataclass(frozen=True)
class FacePicture:
    """A picture on a counter, its middle some pixels beside the counter's."""

    image: str
    x: int = 0
    y: int = 0


@dataclass
class CounterDraft:
    """A counter to be: `slot` its number in the module, `side` blank where nothing tells it; front first."""

    slot: str
    name: str
    side: str
    type: str
    figures: dict[str, int]
    faces: tuple[tuple[FacePicture, ...], ...]
    id: str = ""
    told: set[str] = field(default_factory=set)


def plain(text: str) -> str:
    """Letters and digits of a name, small, without accents."""
    ascii_ = unicodedata.normalize("NFKD", text).encode("ascii", "ignore").decode()
    return "-".join(re.findall(r"[a-z0-9]+", ascii_.lower()))


def draft(piece: Piece, slot: str, path: Sequence[str], sides: Sequence[str], used: Sequence[str]) -> CounterDraft:
    """What can be told of one piece. `path`: where it stands in the palette; `used`: its prototypes' names."""
    properties = {k: v for k, v in piece.properties().items() if isinstance(v, str)}
    name = piece_name(piece)
    if "$" in name or not name:
        # A label upon the piece, computed while playing, is no part of its name.
        name = properties.get("BasicName", "") or "?"
    figures = _figures(properties, name, *used)
    side = _side(properties, sides, (*used, *reversed(path), name, piece.basic.image if piece.basic else ""))
    words = " ".join((name, *used, *path, *properties.values()))[:2000]
    kind = next((k for k, pattern in _TYPES if re.search(rf"(?i)\b({pattern})", words)), "infantry")
    if kind == "artillery" and "range" not in figures:
        kind = "infantry"
    return CounterDraft(slot, name, side, kind, figures, _faces(piece), told=set(figures))


def _figures(properties: Mapping[str, str], *texts: str) -> dict[str, int]:
    found: dict[str, int] = {}
    known = {re.sub(r"[^a-z]", "", name.lower()): value for name, value in properties.items()}
    for column, names in _FIGURES.items():
        value = next((known[n] for n in names if known.get(n, "").strip().isdecimal()), "")
        if value and len(value.strip()) <= 2:
            found[column] = int(value)
    if "attack" not in found:
        for text in texts:
            if triple := _TRIPLE.search(text):
                found |= dict(zip(("attack", "defence", "move"), map(int, triple.groups()), strict=True))
                break
            if double := _DOUBLE.search(text):
                found |= {"attack": int(double[1]), "defence": int(double[1]), "move": int(double[2])}
                break
    if "attack" in found:
        found.setdefault("defence", found["attack"])
    return found


def _side(properties: Mapping[str, str], sides: Sequence[str], texts: Sequence[str]) -> str:
    """The side that a property, a prototype, the palette or a name tells, in this order."""
    for name, value in properties.items():
        if name.lower().replace("_", "") in _SIDES:
            for side in sides:
                if plain(value) and plain(value) == plain(side):
                    return side
    # Whole words first; then such as a number or another letter follows: red1, usInf.
    for form in (r"(?<![a-z0-9]){}(?![a-z0-9])", r"(?<![a-z]){}(?![a-z])", r"(?<![a-z]){}"):
        for text in texts:
            words = plain(text)
            fitting = [side for side in sides if plain(side) and re.search(form.format(plain(side)), words)]
            if len(fitting) == 1:
                return fitting[0]
    return ""


def _faces(piece: Piece) -> tuple[tuple[FacePicture, ...], ...]:
    """The pictures of the front, and those of the back where a layer turns the counter."""
    layers = [(trait, state) for trait, state in zip(piece.traits, piece.states, strict=True)]
    turning = _turning([trait for trait, _ in layers])
    faces = []
    for step in range(2 if turning is not None else 1):
        shown: list[FacePicture] = []
        for trait, state in reversed(layers):
            if isinstance(trait, t.BasicPiece) and trait.image:
                shown.append(FacePicture(trait.image))
            elif isinstance(trait, t.Layer):
                level = trait.level(state)
                if trait is turning:
                    level = _turned(trait, level) if step else level
                name = trait.images[level - 1] if 0 < level <= len(trait.images) else ""
                if name:
                    shown.append(FacePicture(name, trait.x, trait.y))
        faces.append(tuple(shown))
    return tuple(face for face in faces if face)


def _turned(trait: t.Layer, level: int) -> int:
    """The level that a layer shows once the counter is turned."""
    return 1 if level < 0 else level % len(trait.images) + 1


def _turning(traits: Sequence[t.Trait]) -> t.Layer | None:
    found = [
        trait
        for trait in traits
        if isinstance(trait, t.Layer) and not trait.follow and _menus(trait) and any(trait.images)
    ]
    named = [x for x in found if _STEP.search(" ".join((x.name, *_menus(x))))]
    return next(iter((*named, *(x for x in found if len(x.images) == 2))), None)


def _menus(trait: t.Layer) -> list[str]:
    return [m for m in (trait.activate_menu, trait.increase_menu, trait.decrease_menu) if m]


def prototypes_of(piece: Piece) -> list[str]:
    """The names of the prototypes that a piece uses, before they are put in their place."""
    return [trait.name for trait in piece.traits if isinstance(trait, t.UsePrototype)]


def slots(module: Module) -> Iterator[Slot]:
    """The slots of a palette, as many as a draft takes."""
    yield from module.slots[:MOST]


def said_sides(properties: Mapping[str, str]) -> Iterator[str]:
    """The values of properties that are called as those are that tell a side."""
    for name, value in properties.items():
        if name.lower().replace("_", "") in _SIDES and isinstance(value, str) and plain(value):
            yield value


def playing(sides: Sequence[str]) -> tuple[str, ...]:
    """The seats of a module that are sides, in their order."""
    return tuple(side for side in sides if not _SEAT.search(side))


def two_sides(sides: Sequence[str], drafts: Sequence[CounterDraft]) -> tuple[str, str]:
    """The two sides that most pieces belong to; made-up names where there are not two."""
    tally = Tally(d.side for d in drafts if d.side)
    ordered = [side for side, _ in tally.most_common()]
    ordered += [side for side in sides if side not in ordered]
    ordered += [name for name in ("First", "Second") if name not in ordered]
    return ordered[0], ordered[1]


def number(drafts: Sequence[CounterDraft], prefixes: Mapping[str, str]) -> None:
    """Give each counter an id: its side's prefix, its name, and a running number where several are alike."""
    stems = [(f"{prefixes[d.side]}-" + (plain(d.name)[:40].strip("-") or "unit")) for d in drafts]
    many, seen = Tally(stems), Tally[str]()
    taken: set[str] = set()
    for one, stem in zip(drafts, stems, strict=True):
        seen[stem] += 1
        id_ = stem if many[stem] == 1 else f"{stem}-n{seen[stem]}"
        while id_ in taken or re.search(r"-back(-\d+)?$", id_):
            id_ += "x"
        taken.add(id_)
        one.id = id_
        if many[stem] > 1:
            one.name = f"{one.name} ({seen[stem]})"


MOST_BESIDE: Final = 150
"""Kinds of marker that a draft takes."""
_ROOM: Final = 60
SECTION: Final = "1"


@dataclass
class MarkerKind:
    """Markers that look alike: how many, the hexes that some of them begin in, the deck that all of them lie in."""

    id: str
    name: str
    faces: tuple[tuple[FacePicture, ...], ...]
    deck: str = ""
    hexes: list[str] = field(default_factory=list)
    count: int = 0

    @property
    def pictures(self) -> Iterator[tuple[str, tuple[FacePicture, ...]]]:
        """The names of its faces, and the pictures of each."""
        for number, face in enumerate(self.faces[:2]):
            yield (f"{self.id}_back" if number else self.id), face


def kinds(pieces: Iterable[tuple[CounterDraft, str, str]]) -> tuple[list[MarkerKind], int]:
    """Pieces, each with its hex and its deck, by name and looks; and how many were too many."""
    found: dict[tuple[Any, ...], MarkerKind] = {}
    taken: set[str] = set()
    over = 0
    for one, hex_, deck in pieces:
        key = (one.name, one.faces, deck)
        kind = found.get(key)
        if kind is None and len(found) < MOST_BESIDE:
            kind = found[key] = MarkerKind(_free(one.name, taken), one.name, one.faces, deck)
        if kind is None or kind.count == MAX_COUNT:
            over += 1
            continue
        kind.count += 1
        if hex_:
            kind.hexes.append(hex_)
    return list(found.values()), over


def _free(name: str, taken: set[str]) -> str:
    """An id that no other kind has, and no marker that each game has."""
    stem = f"own_{plain(name).replace('-', '_')[:30].strip('_') or 'marker'}"
    id_, number = stem, 1
    while id_ in taken or id_.endswith("_back"):
        number += 1
        id_ = f"{stem}_{number}"
    taken.add(id_)
    return id_


def pools(decks: Sequence[str]) -> dict[str, str]:
    """Deck -> the id of its pool."""
    taken: set[str] = set()
    return {name: _free(name, taken).replace("own_", "pool_", 1) for name in dict.fromkeys(decks)}


def in_game(found: Sequence[MarkerKind], decks: Mapping[str, str], drawn: set[str]) -> dict[str, Any]:
    """`markers` and `tracks` of game.yaml. `drawn`: the faces that have a picture."""
    if not found and not decks:
        return {}
    markers = {kind.id: _marker(kind, decks, drawn) for kind in found}
    fills: dict[str, int] = {}
    for kind in found:
        fills[kind.deck] = fills.get(kind.deck, 0) + kind.count
    tracks = {
        id_: {"boxes": "pile", "room": max(1, min(_ROOM, fills.get(name, 1))), "section": SECTION}
        for name, id_ in decks.items()
    }
    return {**({"markers": markers} if markers else {}), **({"tracks": tracks} if tracks else {})}


def _marker(kind: MarkerKind, decks: Mapping[str, str], drawn: set[str]) -> dict[str, Any]:
    faces = [
        {"id": name, **({"picture": name} if name in drawn else {"large": kind.name[:5] or "?"})}
        for name, _ in kind.pictures
    ]
    start: dict[str, Any] = {"hexes": " ".join(kind.hexes)} if kind.hexes else {}
    if kind.deck in decks:
        start = {"track": decks[kind.deck]}
    return {
        "count": kind.count,
        **({"numbered": True} if kind.count > 1 else {}),
        "faces": faces or [{"id": kind.id, "large": kind.name[:5] or "?"}],
        **({"start": start} if start else {}),
        "section": SECTION,
    }


def in_texts(found: Sequence[MarkerKind], decks: Mapping[str, str]) -> dict[str, Any]:
    """The names of markers and pools, the same in all languages."""
    names = {name: kind.name[:60] for kind in found for name in (kind.id, *(n for n, _ in kind.pictures))}
    texts: dict[str, Any] = {"markers": names} if names else {}
    if decks:
        texts["tracks"] = {id_: name[:60] for name, id_ in decks.items()}
        texts["boxes"] = {id_: {"pile": name[:30]} for name, id_ in decks.items()}
    return texts


MOST_PIXELS: Final = 40_000_000
"""Pixels of one picture that is drawn upon a counter."""
MOST_BOARD: Final = 120_000_000
_LAYERS: Final = 12


def picture(archive: Archive, name: str) -> tuple[bytes, str] | None:
    """A picture of the module and the suffix that its kind has; None for one that is not there or is none."""
    from PIL import Image, UnidentifiedImageError

    entry = next((e for e in (f"images/{name}", f"images/{name}.gif") if e in archive), None)
    if entry is None:
        return None
    data = archive.read(entry)
    try:
        with Image.open(io.BytesIO(data)) as opened:
            kind = {"PNG": ".png", "JPEG": ".jpg", "GIF": ".gif"}.get(opened.format or "")
    except (UnidentifiedImageError, OSError, ValueError, Image.DecompressionBombError):
        return None
    return (data, kind) if kind else None


def padded(data: bytes, kind: str, edges: tuple[int, int, int, int]) -> tuple[bytes, str]:
    """A picture with so many pixels more at its left, top, right and bottom edge, where hexes stand out of it."""
    from PIL import Image

    left, top, right, bottom = edges
    with Image.open(io.BytesIO(data)) as opened:
        size = (opened.width + left + right, opened.height + top + bottom)
        if not any(edges) or size[0] * size[1] > MOST_BOARD:
            return data, kind
        whole = Image.new("RGB", size, "white")
        whole.paste(opened.convert("RGB"), (left, top))
    out = io.BytesIO()
    whole.save(out, "JPEG" if kind == ".jpg" else "PNG", **({"quality": 92} if kind == ".jpg" else {}))
    return out.getvalue(), ".jpg" if kind == ".jpg" else ".png"


def drawn(archive: Archive, faces: Sequence[FacePicture]) -> bytes | None:
    """The pictures of one face upon each other, as PNG; None where none of them can be used."""
    from PIL import Image

    layers: list[tuple[Picture, int, int]] = []
    for face in faces[:_LAYERS]:
        found = picture(archive, face.image)
        if found is not None:
            with Image.open(io.BytesIO(found[0])) as opened:
                if opened.width * opened.height <= MOST_PIXELS:
                    layers.append((opened.convert("RGBA"), face.x, face.y))
    if not layers:
        return None
    left = min(x - image.width // 2 for image, x, _ in layers)
    top = min(y - image.height // 2 for image, _, y in layers)
    right = max(x - image.width // 2 + image.width for image, x, _ in layers)
    bottom = max(y - image.height // 2 + image.height for image, _, y in layers)
    if (right - left) * (bottom - top) > MOST_PIXELS:
        return None
    whole = Image.new("RGBA", (right - left, bottom - top))
    for image, x, y in layers:
        whole.alpha_composite(image, (x - image.width // 2 - left, y - image.height // 2 - top))
    out = io.BytesIO()
    whole.save(out, "PNG")
    return out.getvalue()
