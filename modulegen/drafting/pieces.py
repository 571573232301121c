"""Pieces of others as counters: whose they are, what they are worth, what their faces look like."""

from __future__ import annotations

import re
import unicodedata
from collections import Counter as Tally
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final

from hexforge.modulegen.vassal import traits as t
from hexforge.modulegen.vassal.module import Module, Slot
from hexforge.modulegen.vassal.replay import piece_name
from hexforge.modulegen.vassal.traits import Piece

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
_TRIPLE: Final = re.compile(r"(?<!\d)(\d{1,2})-(\d{1,2})-(\d{1,2})(?!\d)")
_DOUBLE: Final = re.compile(r"(?<!\d)(\d{1,2})-(\d{1,2})(?![\d-])")
_STEP: Final = re.compile(r"flip|step|reduc|back|face|side", re.IGNORECASE)


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


@dataclass(frozen=True)
class FacePicture:
    """A picture on a counter, its middle some pixels beside the counter's."""

    image: str
    x: int = 0
    y: int = 0


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
