"""Faces of counters: symbol, size, identification and figures on the colour of their side.

Layout follows the rulebooks' section 2.2.1: regiment left and division right of the symbol, size above it, the
range of guns over the silhouette, morale across from it, attack-defence-movement below. The back, for a unit that
has lost a step, is paler and striped, a stripe for each step lost.

What a counter prints beside its symbol: its own number to the left, its formation to the right.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING, Final, Literal, get_args

from ...scenarios.console import Problem
from ...scenarios.text.words import message
from . import templates
from .own_art import drawing as own_drawing
from .own_art import stamp
from .owner_pictures import _LISTED, BACK, _face_file, _files, marker_faces, own_face
from .raster import SANS, RenderError, rasterise, text_width

if TYPE_CHECKING:
    from ...scenarios import Counter, Scenario
    from ...scenarios.model import Scenario as model_Scenario


def _fold(text: str) -> str:
    plain = unicodedata.normalize("NFKD", text)
    return "".join(c for c in plain if c.isalnum() and c.isascii()).lower()


def _spelled(token: str, names: Iterable[str]) -> str:
    """A word of an id as the counter's names spell it (`saarbrucken` as Saarbrücken, `gcav` as GCav).

    What is the initials of words that stand side by side in them is written in capitals: `kdg` as KDG.
    """
    words = list(filter(None, names))
    for word in words:
        if _fold(word) == token:
            return word
    initials = "".join(_fold(word[0]) if word[0].isupper() else " " for word in words)
    return token.upper() if len(token) > 1 and token in initials else token.capitalize()


def _words(token: str, names: list[str], silent: Collection[str]) -> list[str]:
    if token in map(_fold, names):
        return [_spelled(token, names)]
    parts = re.findall(r"[0-9]+|[^0-9]+", token)
    return [p if p.isdecimal() else _spelled(p, names) for p in parts if p not in silent]


def labels(counter: Counter, scenario: Scenario) -> tuple[str, str]:
    """The texts left and right of the symbol (rulebooks 2.2.1: regiment to the left, division to the right).

    A unit of a regiment shows its battalion too (`1/109`), the running number with which ids tell alike units
    apart. One of no regiment shows what its id names besides side, formation and type: `us-893-td` is 893. The
    corps stands in for a missing division. What the counter's own `label` says stands to the left in place of all
    that. Either text may be empty.
    """
    if counter.label:
        return counter.label, counter.division or counter.corps
    tokens = counter.id.split("-")[1:]
    ordinal = tokens.pop() if len(tokens) > 1 and tokens[-1].isdecimal() else ""
    right = counter.division or counter.corps
    if counter.regiment:
        return (
            f"{ordinal}/{counter.regiment}" if ordinal not in ("", counter.regiment) else counter.regiment
        ), right
    spec = scenario.game.unit_types.get(counter.type)
    silent = frozenset(spec.ids if spec else ())
    known = {_fold(counter.division), _fold(counter.corps), _fold(counter.branch)} | silent
    # An id may write the division with its kind (`116pz`, `101ab`) where the counter prints the number alone.
    number = re.match(r"[0-9]+", _fold(counter.division))
    names = re.split(r"[\s(),/-]+", " ".join(counter.names.values()))
    rest: list[str] = []
    for token in tokens:
        same_number = number is not None and re.fullmatch(rf"{number[0]}[a-z]*", token) is not None
        if token not in known and not same_number:
            rest += _words(token, names, silent)
    own = " ".join(rest)
    if not own:
        return ordinal, right
    if not ordinal:
        return own, right
    return (ordinal, own) if not right else (f"{ordinal}/{own}", right)


Face = Literal["full", "reduced", "reduced-2", "reduced-3", "reduced-4", "reduced-5"]
_FACES: Final = get_args(Face)
SIZE = 68
"""Width and height of a counter in pixels at scale 1."""
MAX_SCALE = 16

# Lengths on the template's field of 100 x 100.
_SIDE_SIZE = 16.0
_SIDE_MIDDLE, _SIDE_LENGTH = 38.5, 56.0
# Under a range or an emblem in its corner a side text has less room.
_LOW_MIDDLE, _LOW_LENGTH = 44.0, 46.0
_FIGURES_LENGTH, _FIGURES_SIZE = 91.0, 31.0
_BAND, _RISE = 65.5, 43.0
_MARK_LENGTH, _MARK_SIZE = 42.0, 16.5
_RANGE_LENGTH, _RANGE_SIZE = 19.0, 18.0
_FADED = 0.62
LEAST_SIZE = 9.0
"""Smallest type on a counter, in hundredths of its width: what can still be read."""


@dataclass(frozen=True)
class Fitted:
    """A line of text and the type size at which it fits its place."""

    text: str
    size: float

    @property
    def width(self) -> float:
        """Its length at that size."""
        return text_width(self.text, self.size, weight=700)


def fit(text: str, length: float, size: float) -> Fitted:
    """`text` at `size` or smaller, so that it is no longer than `length`; cut short with a full stop if need be."""
    width = text_width(text, 1, weight=700)
    if width * size <= length:
        return Fitted(text, size)
    if width * LEAST_SIZE <= length:
        return Fitted(text, length / width)
    shorter = text
    while len(shorter) > 1 and text_width(shorter + ".", LEAST_SIZE, weight=700) > length:
        shorter = shorter[:-1].rstrip(" -/")
    return Fitted(shorter + ".", LEAST_SIZE)


@dataclass(frozen=True)
class Lettering:
    """Everything written on a face, fitted."""

    mark: Fitted
    left: Fitted
    right: Fitted
    range: Fitted
    morale: Fitted
    figures: Fitted


def faces(counter: Counter) -> tuple[Face, ...]:
    """The faces a counter has, a step each: one without reduced figures is destroyed by its first loss."""
    return _FACES[: 1 + len(counter.backs)]


def lettering(counter: Counter, scenario: model_Scenario, face: Face = "full") -> Lettering:
    """The texts of a face. Raises ValueError for a face that the counter has not."""
    if face not in faces(counter):
        raise ValueError(f"{counter.id} has no face {face!r}")
    attack, defence = ((counter.attack, counter.defence), *counter.backs)[_FACES.index(face)]
    moves = (counter.move, *counter.reduced_move)
    move = moves[min(_FACES.index(face), len(moves) - 1)]
    left, right = labels(counter, scenario)
    return Lettering(
        mark=fit(counter.size, _MARK_LENGTH, _MARK_SIZE),
        left=fit(left, _LOW_LENGTH if _corner(counter) else _SIDE_LENGTH, _SIDE_SIZE),
        right=fit(right, _SIDE_LENGTH if counter.range is None else _LOW_LENGTH, _SIDE_SIZE),
        range=fit("" if counter.range is None else str(counter.range), _RANGE_LENGTH, _RANGE_SIZE),
        morale=fit(_morale(counter, face), _RANGE_LENGTH, _RANGE_SIZE),
        figures=fit(_figures(scenario, counter, (attack, defence, move)), _FIGURES_LENGTH, _FIGURES_SIZE),
    )


def _morale(counter: Counter, face: Face) -> str:
    """The morale that a face shows; "" for a counter that has none."""
    known = counter.morale
    return str(known[min(_FACES.index(face), len(known) - 1)]) if known else ""


def _corner(counter: Counter) -> bool:
    """Whether something stands in the top left corner: a morale, or else the branch's emblem."""
    return bool(counter.morale or _emblem(counter.branch))


def _figures(scenario: model_Scenario, counter: Counter, figures: tuple[int, int, int]) -> str:
    """The figures that a counter prints; of one that nobody has tried yet (`rules.untried`) no strength."""
    attack, defence, move = map(str, figures)
    if any(scenario.fits(rule, counter.id) for rule in scenario.game.rules.untried if not rule.marks):
        attack = defence = "?"
    match scenario.game.figures:
        case "strength":
            return attack
        case "strength-move":
            return f"{attack}-{move}"
    return f"{attack}-{defence}-{move}"


@cache
def drawing(path: str) -> str:
    """What stands between the root tags of an SVG of `art/`, without its title. Raises RenderError."""
    from lxml import etree

    file = templates.art_folder() / path
    if not file.is_file():
        raise RenderError.about(file, message("drawing.no-file"))
    try:
        root = etree.parse(file, etree.XMLParser(resolve_entities=False, no_network=True)).getroot()
    except (OSError, etree.XMLSyntaxError) as error:
        raise RenderError.about(file, message("drawing.no-drawing", why=str(error))) from error
    parts = [
        etree.tostring(e, encoding="unicode", with_tail=False) for e in root if not str(e.tag).endswith("title")
    ]
    return "".join(parts).replace(' xmlns="http://www.w3.org/2000/svg"', "")


def symbol(name: str) -> str:
    """The inner SVG of a symbol of the game's own or of `art/symbols`, 60 wide and 47 high. Raises RenderError."""
    if not name.replace("_", "").isalnum():
        raise RenderError.about(
            templates.art_folder() / "symbols",
            message("drawing.no-symbol", name=name),
        )
    own = templates.own_file(f"symbols/{name}.svg")
    return own_drawing(own) if own else drawing(f"symbols/{name}.svg")


def _faded(name: str, face: Face) -> str:
    """A symbol as it stands on a face: one of the game's own that has only colours of its own pales on the back."""
    drawn = symbol(name)
    own = templates.own_file(f"symbols/{name}.svg") is not None
    return f'<g opacity="{_FADED}">{drawn}</g>' if own and face != "full" and "currentColor" not in drawn else drawn


def symbols() -> list[str]:
    """The names of the symbols that there are, the game's own among them."""
    homes = (templates.art_folder(), templates.own_folder())
    return sorted({path.stem for home in homes if home for path in (home / "symbols").glob("*.svg")})


def picture(name: str) -> str:
    """The inner SVG of a marker's picture, the game's own or of `art`, 60 wide and 48 high. Raises RenderError."""
    if not name.replace("_", "").isalnum():
        raise RenderError.about(
            templates.art_folder() / "counters" / "pictures", message("drawing.no-picture", name=name)
        )
    own = templates.own_file(f"markers/{name}.svg")
    return own_drawing(own) if own else drawing(f"counters/pictures/{name}.svg")


def pictures() -> list[str]:
    """The names of the pictures of markers that there are, the game's own among them."""
    own = templates.own_folder()
    homes = (templates.art_folder() / "counters" / "pictures", *([own / "markers"] if own else []))
    return sorted({path.stem for home in homes for path in home.glob("*.svg")} | set(marker_faces()))


@cache
def _emblem(branch: str) -> str:
    file = f"counters/emblem_{branch}.svg"
    return drawing(file) if branch.isalnum() and (templates.art_folder() / file).is_file() else ""


def side_colours(scenario: model_Scenario, side: str) -> tuple[str, str]:
    """The face and the ink of a side's first branch."""
    palette = colours(next(iter(scenario.side(side).branches.values())).counter)
    return palette["face"], palette["ink"]


def colours(palette: str, face: Face = "full") -> templates.Entries:
    """The colours of a face by the palette's name. Raises RenderError naming the palettes there are."""
    known = templates.palette("counters")
    if palette not in known:
        names = ", ".join(known)
        raise RenderError.about(
            "art/palettes/counters.yaml",
            message("drawing.no-palette", known=names, palette=palette),
        )
    entry: templates.Entries = known[palette]
    return entry.with_(entry["reduced"] if face != "full" else {})


def counter_sample(palette: str) -> str:
    """A palette as a picture: infantry on its card, and on its back beside it."""
    front, back = colours(palette), colours(palette, "reduced")
    cards = (
        f'<g transform="translate({x})" color="{c["symbol"]}"><rect x="0" y="-6" width="58" height="60" rx="4" '
        f'fill="{c["face"]}" stroke="{c["edge"]}" stroke-width="3"/><rect x="8" y="8" width="42" height="32" '
        f'fill="{c["box"]}"/><g transform="translate(8 8) scale(.7 .68)">{symbol("infantry")}</g></g>'
        for x, c in ((0, front), (62, back))
    )
    return f'<g transform="translate(0 10) scale(.5)">{"".join(cards)}</g>'


def formation_tints(scenario: model_Scenario) -> Mapping[tuple[str, str], int]:
    """(side, division) -> index of its tint, in the order in which the divisions first appear."""
    found: dict[tuple[str, str], int] = {}
    count: dict[str, int] = {}
    for c in scenario.counters.values():
        if c.division and (c.side, c.division) not in found:
            found[c.side, c.division] = count.get(c.side, 0)
            count[c.side] = count.get(c.side, 0) + 1
    return found


def _bands(lost: int) -> list[str]:
    """The outlines of as many stripes across a face as it has lost steps."""
    wide, gap = (17.0, 0.0) if lost == 1 else (6.0, 3.5)
    first = [round(_BAND - (lost * wide + (lost - 1) * gap) / 2 + i * (wide + gap), 2) for i in range(lost)]
    return [f"M1.6 {y + wide:g}V{y:g}L98.4 {y - _RISE:g}V{y + wide - _RISE:g}Z" for y in first]


@templates.in_own_looks
def counter_svg(counter: Counter, scenario: model_Scenario, face: Face = "full", *, scale: float = 1) -> str:
    """One face as SVG, SIZE x `scale` pixels square, corners transparent. Raises RenderError, ValueError."""
    from markupsafe import Markup

    if not 0 < scale <= MAX_SCALE:
        raise ValueError(f"a scale is above 0 and at most {MAX_SCALE}, not {scale}")
    own = own_face(counter, scenario, face, round(SIZE * scale))
    if own is not None:
        return own
    branch = scenario.side(counter.side).branches[counter.branch]
    p = colours(branch.counter, face)
    tint = formation_tints(scenario).get((counter.side, counter.division))
    p["paper"] = p["box"] if tint is None or face != "full" else p["tints"][tint % len(p["tints"])]
    words = lettering(counter, scenario, face)
    return templates.render(
        "counters/counter.svg.j2",
        p=p,
        pixels=round(SIZE * scale),
        bands=_bands(_FACES.index(face)),
        font=SANS,
        mark=words.mark,
        left=words.left,
        right=words.right,
        left_middle=_LOW_MIDDLE if _corner(counter) else _SIDE_MIDDLE,
        right_middle=_SIDE_MIDDLE if counter.range is None else _LOW_MIDDLE,
        range=words.range,
        morale=words.morale,
        figures=words.figures,
        symbol=Markup(_faded(scenario.game.unit_types[counter.type].symbol, face)),
        emblem=Markup("" if counter.morale else _emblem(counter.branch)),
    )


def counter_png(counter: Counter, scenario: model_Scenario, face: Face = "full", scale: float = 1) -> bytes:
    """One face as a PNG of SIZE x `scale` pixels square; the same input gives the same bytes."""
    return rasterise(counter_svg(counter, scenario, face, scale=scale))


def unmatched(scenario: model_Scenario) -> Iterator[Problem]:
    """Pictures in the folder of faces that are no counter's; nothing where there is no such folder."""
    folder = scenario.looks.counters
    files = _files(folder, stamp(folder))
    known = {c.id.lower() for c in scenario.counters.values()}
    there = {_face_file(c, face) for c in scenario.counters.values() for face in faces(c)}
    for name, path in files.items():
        if name in there:
            continue
        front, backed, _ = name.rpartition(f"-{BACK}")
        what = "drawing.no-back" if backed and front in known else "drawing.no-counter"
        yield Problem(str(path), 0, "", message(what, name=front or name), "warning")
    bare = tuple(c.id for c in scenario.counters.values() if c.id.lower() not in files)
    if files and bare:
        shown = bare if len(bare) <= _LISTED else (*bare[:_LISTED], "…")
        said = message("drawing.drawn-by-us", count=len(bare), ids=shown)
        yield Problem(str(folder), 0, "", said, "warning")
